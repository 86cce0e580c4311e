/* SPDX-License-Identifier: MIT */
/*
 * Writes the same callgrind profile in another way. Most lines are read in place; after a blank, any
 * line is read by the general code. Both must give the same result.
 */
#ifndef CG2WG_TESTS_INDENT_H
#define CG2WG_TESTS_INDENT_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A lone number after a blank would be a cost, and a line that is cut off is shown as it is. */
static inline bool may_be_indented(const char *line, size_t length)
{
    size_t word = 0;
    while (word < length && memchr(" \t\r\n", line[word], 4) == NULL)
        word++;
    size_t rest = word;
    while (rest < length && memchr(" \t\r", line[rest], 3) != NULL)
        rest++;
    bool is_lone = line[0] >= '0' && line[0] <= '9' && (line[rest] == '\n' || line[rest] == '#');
    return length > 0 && line[length - 1] == '\n' && !is_lone;
}

/* The same profile with a blank before each line that may have one; *length becomes its length. */
static inline char *indent_lines(const char *profile, size_t *length)
{
    const char *end = profile + *length;
    char *indented = malloc(2 * *length + 1), *to = indented;
    if (*length >= 3 && memcmp(profile, "\xef\xbb\xbf", 3) == 0) {
        memcpy(to, profile, 3);
        to += 3;
        profile += 3;
    }
    while (profile < end) {
        const char *newline = memchr(profile, '\n', (size_t)(end - profile));
        size_t size = (size_t)((newline != NULL ? newline + 1 : end) - profile);
        if (may_be_indented(profile, size))
            *to++ = ' ';
        memcpy(to, profile, size);
        to += size;
        profile += size;
    }
    *length = (size_t)(to - indented);
    return indented;
}

#endif

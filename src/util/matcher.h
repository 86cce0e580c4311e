/* SPDX-License-Identifier: MIT */
/*
 * Finds which of many patterns match a text: it tries those whose key occurs, which is the end of the longest part
 * without `*` and `?`.
 */
#ifndef CG2WG_UTIL_MATCHER_H
#define CG2WG_UTIL_MATCHER_H

#include "util/index.h"

enum { MATCHER_KEY = 24 }; /* the longest key: each part of a text that is as long as one is looked up */

/* All zero, but for is_loose: there are no patterns. Memory is of the task. */
struct matcher {
    bool is_loose; /* see text_matches; then a pattern that begins with `=` is exactly what follows */
    struct keyed_pattern {
        const char *pattern;
        struct text key; /* with its letters in any case */
        bool is_exact;
        size_t number;
        uint64_t tried; /* the text for which it was tried last */
    } *patterns;
    size_t capacity;
    struct index index;               /* of the patterns, by their keys, which may be empty */
    bool has_length[MATCHER_KEY + 1]; /* has any key that length? */
    uint64_t texts;                   /* that have been looked at */
};

/* Adds a pattern, which stays the caller's, and its number. */
void matcher_add(struct matcher *m, const char *pattern, size_t number);

/* Does any pattern match the text? If `found` is not NULL, sets found[number] of each one that does. */
bool matcher_find(struct matcher *m, struct text t, bool *found);

#endif

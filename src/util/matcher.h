/* SPDX-License-Identifier: MIT */
/* Finds which of many patterns match a text: it tries those whose key, the longest part without `*` and `?`, occurs. */
#ifndef CG2WG_UTIL_MATCHER_H
#define CG2WG_UTIL_MATCHER_H

#include "util/index.h"

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
    struct index index; /* of the patterns, by their keys; those without one have the hash 0 */
    size_t *lengths;    /* of keys, each once */
    size_t length_count, length_capacity;
    uint64_t texts; /* that have been looked at */
};

/* Adds a pattern, which stays the caller's, and its number. */
void matcher_add(struct matcher *m, const char *pattern, size_t number);

/* Does any pattern match the text? If `found` is not NULL, sets found[number] of each one that does. */
bool matcher_find(struct matcher *m, struct text t, bool *found);

#endif

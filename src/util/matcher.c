/* SPDX-License-Identifier: MIT */
#include "util/matcher.h"

static uint32_t hash_letters(struct text t)
{
    uint64_t hash = 0;
    for (const char *c = t.at; c < t.end; c++)
        hash = hash * UINT64_C(0x9e3779b97f4a7c15) + (unsigned char)char_lower(*c);
    return (uint32_t)(hash >> 32 ^ hash);
}

void matcher_add(struct matcher *m, const char *pattern, size_t number)
{
    bool is_exact = m->is_loose && *pattern == '=';
    const char *rest = pattern + is_exact;
    struct text key = text_of(rest, is_exact ? strlen(rest) : 0);
    for (const char *c = rest; *c != '\0' && !is_exact; c += *c != '\0') {
        size_t length = strcspn(c, "*?");
        if (length > text_length(key))
            key = text_of(c, length);
        c += length;
    }
    key.at = text_length(key) > MATCHER_KEY ? key.end - MATCHER_KEY : key.at;
    m->has_length[text_length(key)] = true;
    index_append(&m->index, hash_letters(key), &m->patterns, &m->capacity,
                 &(struct keyed_pattern){rest, key, is_exact, number, 0}, sizeof *m->patterns);
}

/* Tries the patterns that have this key, which is a part of the text. */
static bool try_key(struct matcher *m, struct text t, struct text key, bool *found)
{
    uint32_t number, hash = hash_letters(key), slot = hash;
    bool matches = false;
    while ((number = index_next(&m->index, hash, &slot)) != NONE && (found != NULL || !matches)) {
        struct keyed_pattern *p = &m->patterns[number];
        if (p->tried == m->texts || text_length(p->key) != text_length(key) || !text_starts_alike(key, p->key))
            continue;
        p->tried = m->texts;
        if (p->is_exact ? !text_equals(t, p->pattern) : !text_matches(t, p->pattern, m->is_loose))
            continue;
        matches = true;
        if (found != NULL)
            found[p->number] = true;
    }
    return matches;
}

bool matcher_find(struct matcher *m, struct text t, bool *found)
{
    bool matches = false;
    m->texts++;
    for (size_t length = 0; length <= MIN(MATCHER_KEY, text_length(t)); length++) {
        size_t places = length > 0 ? text_length(t) - length + 1 : 1;
        for (size_t i = 0; m->has_length[length] && i < places && (found != NULL || !matches); i++)
            matches |= try_key(m, t, text_of(t.at + i, length), found);
    }
    return matches;
}

/* SPDX-License-Identifier: MIT */
#include "util/matcher.h"

static const uint64_t base = UINT64_C(0x9e3779b97f4a7c15); /* of hashes, which are polynomials of the letters */

static uint64_t hash_letter(uint64_t hash, char c)
{
    return hash * base + (unsigned char)char_lower(c);
}

static uint32_t folded(uint64_t hash)
{
    return (uint32_t)(hash >> 32 ^ hash);
}

void matcher_add(struct matcher *m, const char *pattern, size_t number)
{
    bool is_exact = m->is_loose && *pattern == '=';
    const char *rest = pattern + is_exact;
    struct keyed_pattern added = {rest, text_of(rest, is_exact ? strlen(rest) : 0), is_exact, number, 0};
    uint64_t hash = 0;
    for (const char *c = rest; *c != '\0' && !is_exact; c += *c != '\0') {
        size_t length = strcspn(c, "*?");
        if (length > text_length(added.key))
            added.key = text_of(c, length);
        c += length;
    }
    for (const char *c = added.key.at; c < added.key.end; c++)
        hash = hash_letter(hash, *c);
    size_t length = text_length(added.key), known = 0;
    index_append(&m->index, folded(hash), &m->patterns, &m->capacity, &added, sizeof added);
    while (known < m->length_count && m->lengths[known] != length)
        known++;
    if (known == m->length_count)
        array_append(&m->lengths, &m->length_count, &m->length_capacity, &length, sizeof length);
}

/* Tries the patterns whose key is somewhere in the text. */
static bool try_at(struct matcher *m, struct text t, struct text key, uint32_t hash, bool *found)
{
    uint32_t number, slot = hash;
    bool matches = false;
    while ((number = index_next(&m->index, hash, &slot)) != NONE && (found != NULL || !matches)) {
        struct keyed_pattern *p = &m->patterns[number];
        if (p->tried == m->texts || text_length(p->key) != text_length(key) || !text_starts_alike(key, p->key))
            continue;
        p->tried = m->texts;
        if (p->is_exact ? !text_same(t, p->key) : !text_matches(t, p->pattern, m->is_loose))
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
    for (size_t i = 0; i < m->length_count && (found != NULL || !matches); i++) {
        size_t length = m->lengths[i];
        uint64_t hash = 0, first = 1; /* what the first letter of the key is multiplied with */
        if (length == 0)
            matches |= try_at(m, t, text_of("", 0), 0, found);
        if (length == 0 || length > text_length(t))
            continue;
        for (size_t k = 0; k < length; k++) {
            hash = hash_letter(hash, t.at[k]);
            first *= k > 0 ? base : 1;
        }
        for (const char *c = t.at;; c++) {
            matches |= try_at(m, t, text_of(c, length), folded(hash), found);
            if (c + length == t.end || (matches && found == NULL))
                break;
            hash = hash_letter(hash - first * (unsigned char)char_lower(*c), c[length]);
        }
    }
    return matches;
}

/* Hashes, and what is found by them: entries of an index, ids, names. No input can make its keys collide. */
#include "support.h"

#include "read/callgrind/aliases.h"
#include "model/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- hashes ------------------------------------------------------------------------------- */

static uint32_t hash_of(const char *bytes, size_t length)
{
    const struct hash_seed seed = {UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210)};
    return hash_text(&seed, text_of(bytes, length));
}

/* A byte more, or another one anywhere, gives another hash, whatever the length. */
static void hashes_go_by_all_bytes(void **state)
{
    (void)state;
    char bytes[100] = "";
    for (size_t length = 1; length < sizeof bytes; length++) {
        uint32_t hash = hash_of(bytes, length);
        assert_true(hash == hash_of(bytes, length));
        assert_true(hash != hash_of(bytes, length - 1));
        for (size_t i = 0; i < length; i++) {
            bytes[i] = 1;
            assert_true(hash != hash_of(bytes, length));
            bytes[i] = 0;
        }
    }
}

static void hashes_go_by_both_numbers(void **state)
{
    (void)state;
    const struct hash_seed seed = hash_seed_draw();
    for (unsigned i = 0; i < 64; i++) {
        uint64_t bit = UINT64_C(1) << i;
        assert_true(hash_numbers(&seed, 0, 0) != hash_numbers(&seed, bit, 0));
        assert_true(hash_numbers(&seed, 0, 0) != hash_numbers(&seed, 0, bit));
    }
}

static void seeds_differ(void **state)
{
    (void)state;
    struct hash_seed one = hash_seed_draw(), other = hash_seed_draw();
    assert_true(one.a != other.a && one.b != other.b);
}

/* 2^32 - 1 times itself, and one that takes a carry through the middle. */
static void a_product_is_folded_whole(void **state)
{
    (void)state;
    assert_true(hash_fold(UINT32_MAX, UINT32_MAX) == UINT64_C(0xfffffffe00000001));
    assert_true(hash_fold(UINT64_MAX, UINT64_MAX) == (UINT64_C(0xfffffffffffffffe) ^ 1));
    assert_true(hash_fold(UINT64_C(1) << 63, 6) == 3);
    assert_true(hash_fold(UINT64_C(0x100000001), UINT64_C(0xffffffffffffffff)) ==
                (UINT64_C(0xfffffffeffffffff) ^ UINT64_C(0x100000000)));
}

/* ---- the index ---------------------------------------------------------------------------- */

enum { KEYS = 50 * 1000 };

/* How often an entry is among those that may have its hash. */
static unsigned count_found(const struct index *ix, uint32_t hash, uint32_t number)
{
    unsigned found = 0;
    uint32_t other, slot = hash;
    while ((other = index_next(ix, hash, &slot)) != NONE)
        found += other == number;
    return found;
}

static void add_all(struct index *ix, const uint32_t *hashes, uint32_t count)
{
    char *entries = NULL;
    size_t capacity = 0;
    index_init(ix, NULL);
    for (uint32_t i = 0; i < count; i++) {
        index_append(ix, hashes[i], &entries, &capacity, "", 1);
        assert_true((uint64_t)ix->used * 4 <= ((uint64_t)ix->mask + 1) * 3);
    }
    memory_free(entries);
}

/* Its hashes are all different, or only two. */
static void an_index_grows_and_keeps_its_entries(void **state)
{
    (void)state;
    static uint32_t hashes[KEYS];
    const struct hash_seed seed = hash_seed_draw();
    for (uint32_t count = KEYS; count >= KEYS / 100; count /= 100) {
        struct index ix;
        for (uint32_t i = 0; i < count; i++)
            hashes[i] = count == KEYS ? hash_numbers(&seed, i, i % 7) : i % 2 == 0 ? UINT32_MAX : 0;
        add_all(&ix, hashes, count);
        assert_int_equal(ix.used, count);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(count_found(&ix, hashes[i], i), 1);
        index_free(&ix);
    }
}

/* ---- ids ---------------------------------------------------------------------------------- */

/* Against a plain list: ids of few bits, so that many are met again, spread over all places. */
static void ids_have_the_number_given_last(void **state)
{
    (void)state;
    enum { STEPS = 3000 };
    uint64_t random = 5, known[STEPS];
    for (unsigned shift = 0; shift < 56; shift += 11) {
        struct ids ids;
        uint32_t numbers[STEPS];
        size_t count = 0;
        ids_init(&ids, NULL);
        assert_int_equal(ids_find(&ids, 0), NONE);
        for (uint32_t step = 0; step < STEPS; step++) {
            uint64_t id = (uint64_t)random_below(&random, 256) << shift |
                          (uint64_t)random_below(&random, 4) << 62;
            size_t at = 0;
            while (at < count && known[at] != id)
                at++;
            assert_int_equal(ids_find(&ids, id), at < count ? numbers[at] : NONE);
            if (random_below(&random, 2) == 0)
                continue;
            ids_set(&ids, id, step);
            known[at] = id;
            numbers[at] = step;
            count += at == count;
        }
        assert_int_equal(ids.index.used, count);
        ids_free(&ids);
    }
}

/* One after the other, up and down, and the largest. */
static void ids_may_be_any_number(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    for (int is_falling = 0; is_falling < 2; is_falling++) {
        struct ids ids;
        ids_init(&ids, NULL);
        ids_set(&ids, UINT64_MAX, COUNT);
        for (uint32_t i = 0; i < COUNT; i++)
            ids_set(&ids, is_falling ? COUNT - i : i, i);
        for (uint32_t i = 0; i < COUNT; i++)
            assert_int_equal(ids_find(&ids, is_falling ? COUNT - i : i), i);
        assert_int_equal(ids_find(&ids, UINT64_MAX), COUNT);
        assert_int_equal(ids_find(&ids, UINT64_MAX - 1), NONE);
        ids_free(&ids);
    }
}

/* ---- names -------------------------------------------------------------------------------- */

static void assert_name(const struct names *names, uint32_t number, const char *bytes, size_t length)
{
    assert_true(text_same(names_text(names, number), text_of(bytes, length)));
}

static void equal_texts_have_one_number(void **state)
{
    (void)state;
    static const struct text texts[] = {
#define TEXT(bytes) {bytes, bytes + sizeof bytes - 1}
        TEXT(""),     TEXT("\0"), TEXT("\0\0"), TEXT("a"),     TEXT("a\0"), TEXT("a\0b"), TEXT("a\0c"),
        TEXT("\0a"), TEXT("main"), TEXT("main "), TEXT("Main"), TEXT("mai"),
    };
    enum { TEXTS = sizeof texts / sizeof texts[0] };
    struct names names;
    names_init(&names);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < TEXTS; i++) {
            char copy[8];
            memcpy(copy, texts[i].at, text_length(texts[i]));
            assert_int_equal(names_intern(&names, text_of(copy, text_length(texts[i]))), i);
            memset(copy, 'x', sizeof copy);
            assert_name(&names, i, texts[i].at, text_length(texts[i]));
        }
    assert_int_equal(NAME_EMPTY, 0);
    names_free(&names);
}

static void many_names_are_different_and_stay_where_they_are(void **state)
{
    (void)state;
    enum { NAMES = 100 * 1000 };
    struct names names;
    char text[32];
    names_init(&names);
    const char *first = NULL;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < NAMES; i++) {
            int length = snprintf(text, sizeof text, "name %u", (unsigned)i);
            assert_int_equal(names_intern(&names, text_of(text, (size_t)length)), i + 1);
            assert_name(&names, i + 1, text, (size_t)length);
            first = first == NULL ? names_text(&names, 1).at : first;
        }
    assert_ptr_equal(names_text(&names, 1).at, first);
    names_free(&names);
}

/* Lengths around that of a chunk, in different orders, each between short ones. */
static void names_may_be_long(void **state)
{
    (void)state;
    static const size_t orders[][6] = {
        {1000 * 1000, 3, 65536, 65535, 65537, 1},
        {1, 65535, 1, 65536, 65537, 1000 * 1000},
        {65537, 65537, 65536, 65536, 65535, 65535},
        {40000, 40000, 40000, 1000 * 1000, 40000, 40000},
    };
    char *bytes = malloc(1000 * 1000 + 1);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        struct names names;
        names_init(&names);
        for (uint32_t k = 0; k < 6; k++) {
            memset(bytes, (int)('a' + k), orders[i][k]);
            assert_int_equal(names_intern(&names, text_of(bytes, orders[i][k])), 2 * k + 1);
            char between[2] = {'0', (char)('0' + k)};
            assert_int_equal(names_intern(&names, text_of(between, 2)), 2 * k + 2);
        }
        for (uint32_t k = 0; k < 6; k++) {
            memset(bytes, (int)('a' + k), orders[i][k]);
            assert_name(&names, 2 * k + 1, bytes, orders[i][k]);
            assert_int_equal(names_intern(&names, text_of(bytes, orders[i][k])), 2 * k + 1);
            char between[2] = {'0', (char)('0' + k)};
            assert_name(&names, 2 * k + 2, between, 2);
        }
        names_free(&names);
    }
    free(bytes);
}

static void a_text_may_have_parts(void **state)
{
    (void)state;
    struct names names;
    names_init(&names);
    uint32_t whole = names_intern(&names, text_of("cmd: ls", 7));
    struct text parts[] = {text_of_string("cmd"), text_of_string(": "), text_of("", 0), text_of_string("ls")};
    assert_int_equal(names_intern_parts(&names, parts, 4), whole);
    assert_name(&names, names_intern_parts(&names, parts, 2), "cmd: ", 5);
    assert_int_equal(names_intern_parts(&names, parts + 2, 1), NAME_EMPTY);
    names_free(&names);
}

/* ---- keys that were made to collide ------------------------------------------------------- */

enum { CRAFTED = 3000, LONGEST_RUN = 300 };

static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);

/* The most slots that are taken, one after the other: an upper bound of what one look can cost. */
static uint32_t longest_run(const struct index *ix)
{
    uint32_t longest = 0, run = 0;
    for (uint32_t i = 0; i <= ix->mask; i++) {
        run = ix->slots[i] == NONE ? 0 : run + 1;
        if (run > longest)
            longest = run;
    }
    return longest;
}

/* Numbers x of which the upper half of (x ^ x >> 32) * odd is the same. */
static void ids_cannot_be_made_to_collide(void **state)
{
    (void)state;
    struct names names;
    struct aliases aliases;
    uint64_t inverse = odd; /* Newton's method doubles the bits that are right. */
    for (int i = 0; i < 6; i++)
        inverse *= 2 - odd * inverse;
    names_init(&names);
    aliases_init(&aliases, &names);
    for (uint64_t i = 1; i <= CRAFTED; i++) {
        uint64_t product = UINT64_C(0x1234567800000000) | i, mixed = product * inverse;
        uint64_t id = mixed ^ mixed >> 32;
        char value[40];
        uint32_t name;
        assert_true((id ^ id >> 32) * odd == product);
        snprintf(value, sizeof value, "(%" PRIu64 ") f", id);
        assert_true(aliases_resolve(&aliases, &names, text_of_string(value), &name));
    }
    assert_in_range(longest_run(&aliases.others.index), 1, LONGEST_RUN);
    aliases_free(&aliases);
    names_free(&names);
}

/* Texts of two words, of which the second one takes back what the first one did to a product. */
static void names_cannot_be_made_to_collide(void **state)
{
    (void)state;
    struct names names;
    names_init(&names);
    for (uint64_t i = 1; i <= CRAFTED; i++) {
        uint64_t first = (16 ^ i) * odd, words[2] = {i, 0};
        uint32_t number;
        words[1] = first ^ first >> 29;
        number = names_intern(&names, text_of((const char *)words, sizeof words));
        assert_int_equal(number, i);
    }
    assert_in_range(longest_run(&names.index), 1, LONGEST_RUN);
    names_free(&names);
}

/* The place, among 2^13, of an arc's key whose parts are mixed by known numbers. */
static uint32_t plain_place(uint64_t caller, uint64_t callee, uint64_t line)
{
    uint64_t key = (caller << 32 | callee) * UINT64_C(0xff51afd7ed558ccd) + line;
    return (uint32_t)(((key ^ key >> 32) * odd) >> 32) % (1 << 13);
}

/* Lines can be chosen freely, so there is one for each place. */
static void arcs_cannot_be_made_to_collide(void **state)
{
    (void)state;
    struct profile profile;
    profile_init(&profile);
    for (uint32_t callee = 1, line; callee <= CRAFTED; callee++) {
        for (line = 0; plain_place(7, callee, line) != 0x123;)
            line++;
        profile_add_call(&profile, 7, callee, line, 1, 1);
    }
    assert_in_range(longest_run(&profile.arc_index), 1, LONGEST_RUN);
    profile_free(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_go_by_all_bytes),
        cmocka_unit_test(hashes_go_by_both_numbers),
        cmocka_unit_test(seeds_differ),
        cmocka_unit_test(a_product_is_folded_whole),
        cmocka_unit_test(an_index_grows_and_keeps_its_entries),
        cmocka_unit_test(ids_have_the_number_given_last),
        cmocka_unit_test(ids_may_be_any_number),
        cmocka_unit_test(equal_texts_have_one_number),
        cmocka_unit_test(many_names_are_different_and_stay_where_they_are),
        cmocka_unit_test(names_may_be_long),
        cmocka_unit_test(a_text_may_have_parts),
        cmocka_unit_test(ids_cannot_be_made_to_collide),
        cmocka_unit_test(names_cannot_be_made_to_collide),
        cmocka_unit_test(arcs_cannot_be_made_to_collide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

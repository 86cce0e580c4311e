/* SPDX-License-Identifier: MIT */
/* Hashes: no input can make its keys collide. (All other tests depend on finding things by them.) */
#include "support.h"

#include "read/callgrind/reader.h"
#include "util/task.h"
#include "model/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- hashes ------------------------------------------------------------------------------- */

static uint32_t hash_of(const char *bytes, size_t length)
{
    hash_seed = (struct hash_seed){UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210)};
    return hash_text(text_of(bytes, length));
}

/* At any length, one byte more, or another byte anywhere, gives another hash. */
static void hashes_go_by_all_bytes(void **state)
{
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

static void seeds_differ(void **state)
{
    struct hash_seed one = hash_seed;
    hash_seed_draw();
    assert_true(one.a != hash_seed.a && one.b != hash_seed.b);
}

/* 2^32 - 1 times itself, and one that takes a carry through the middle. */
static void a_product_is_folded_whole(void **state)
{
    assert_true(hash_fold(UINT32_MAX, UINT32_MAX) == UINT64_C(0xfffffffe00000001));
    assert_true(hash_fold(UINT64_MAX, UINT64_MAX) == (UINT64_C(0xfffffffffffffffe) ^ 1));
    assert_true(hash_fold(UINT64_C(1) << 63, 6) == 3);
    assert_true(hash_fold(UINT64_C(0x100000001), UINT64_C(0xffffffffffffffff)) ==
                (UINT64_C(0xfffffffeffffffff) ^ UINT64_C(0x100000000)));
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
    struct names names;
    struct aliases aliases = {.small = NULL};
    uint64_t inverse = odd; /* Newton's method doubles the bits that are right. */
    for (int i = 0; i < 6; i++)
        inverse *= 2 - odd * inverse;
    names_init(&names);
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
}

/* Texts of two words, of which the second one takes back what the first one did to a product. */
static void names_cannot_be_made_to_collide(void **state)
{
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
    struct profile profile = {.arc_count = 0};
    for (uint32_t callee = 1, line; callee <= CRAFTED; callee++) {
        for (line = 0; plain_place(7, callee, line) != 0x123;)
            line++;
        profile_add_call(&profile, 7, callee, line, 1, 1);
    }
    assert_in_range(longest_run(&profile.arc_index), 1, LONGEST_RUN);
}

static void run_group(void *failed)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_go_by_all_bytes),          cmocka_unit_test(seeds_differ),
        cmocka_unit_test(a_product_is_folded_whole),       cmocka_unit_test(ids_cannot_be_made_to_collide),
        cmocka_unit_test(names_cannot_be_made_to_collide), cmocka_unit_test(arcs_cannot_be_made_to_collide),
    };
    *(int *)failed = cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    int failed = 1;
    task_run(run_group, &failed);
    return failed;
}

/* The log of records: what was added is read again, backwards. */
#include "support.h"

#include "model/profile.h"
#include "model/records.h"
#include "util/run.h"

enum { ENTRIES = 400000 }; /* several chunks */

static struct entry entries[ENTRIES];

/* A number with any count of bits. */
static uint64_t any_number(uint64_t *random, unsigned bits)
{
    uint64_t number = (uint64_t)random_below(random, UINT32_MAX) << 32 | random_below(random, UINT32_MAX);
    return number >> (64 - bits + random_below(random, bits));
}

static void what_was_added_is_read_backwards(void **state)
{
    struct records records = {.chunk = NULL};
    struct reader reader;
    uint64_t random = 5;
    records_add_chunk(&records);
    for (int i = 0; i < ENTRIES; i++) {
        struct entry *e = &entries[i];
        e->kind = (enum entry_kind)random_below(&random, ENTRY_UNIT);
        e->number = e->kind == ENTRY_RUN ? 0 : (uint32_t)any_number(&random, 32);
        e->target = NONE;
        if (e->kind == ENTRY_REPLACED || e->kind == ENTRY_WAITING) {
            e->target = random_below(&random, 1000);
            e->line = (uint32_t)any_number(&random, 32);
        }
        e->cost = e->kind == ENTRY_RUN ? 0 : (cost_t)any_number(&random, 63);
        if (random_below(&random, 2) == 0 && e->kind != ENTRY_RUN)
            e->cost = -1 - e->cost;
        records_append(&records, e, 0);
    }
    reader_init(&reader, &records, 0, true);
    for (int i = ENTRIES; i-- > 0; reader_next(&reader)) {
        const struct entry *e = &entries[i];
        assert_int_equal(reader.entry.kind, e->kind);
        assert_int_equal(reader.entry.number, e->number);
        assert_true(reader.entry.cost == e->cost);
        if (e->target != NONE) {
            assert_int_equal(reader.entry.target, e->target);
            assert_int_equal(reader.entry.line, e->line);
        }
    }
    assert_int_equal(reader.entry.kind, ENTRY_NONE);
}

static void run_group(void *failed)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_added_is_read_backwards)};
    *(int *)failed = cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    int failed = 1;
    run_work(run_group, &failed);
    return failed;
}

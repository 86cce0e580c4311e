/* Ranges of symbols, compared with a search of all of them. */
#include "support.h"

#include "read/perf/ranges.h"

enum { RANGES = 60, ROUNDS = 400 };

/* Ends a range as the header says: at the next start if its size is not known. */
static uint64_t end_of(const struct symbol_range *ranges, size_t count, const struct symbol_range *range)
{
    uint64_t end = range->end;
    for (size_t i = 0; i < count; i++)
        if ((range->rank & SYMBOL_HAS_SIZE) == 0 && ranges[i].start > range->start && ranges[i].start < end)
            end = ranges[i].start;
    return end;
}

static uint32_t search(const struct symbol_range *ranges, size_t count, uint64_t address,
                       bool later_start_wins)
{
    const struct symbol_range *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct symbol_range *range = &ranges[i];
        if (address < range->start || address >= end_of(ranges, count, range))
            continue;
        if (best == NULL || (later_start_wins && range->start != best->start ? range->start > best->start
                                                                             : range->rank > best->rank))
            best = range;
    }
    return best != NULL ? best->name : NONE;
}

/* Starts are few, or differ in any of their bits. */
static struct symbol_range draw(uint64_t *random, uint32_t number, unsigned spread)
{
    uint64_t start = (uint64_t)(random_below(random, 40)) << spread | random_below(random, 4);
    uint64_t length = (uint64_t)(random_below(random, 8)) << (random_below(random, 2) * spread);
    return (struct symbol_range){.start = start,
                                 .end = start + length,
                                 .rank = random_below(random, 5) << 8 | number |
                                         (random_below(random, 4) == 0 ? 0 : SYMBOL_HAS_SIZE),
                                 .name = number};
}

static void each_address_has_its_range(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct symbol_range all[RANGES];
        struct symbol_ranges separate = {0};
        bool later_start_wins = round % 2 == 0;
        uint32_t count = round % RANGES;
        for (uint32_t i = 0; i < count; i++) {
            all[i] = draw(&random, i, round % 7 * 9);
            assert_true(symbol_ranges_add(&separate, all[i]));
        }
        assert_true(symbol_ranges_separate(&separate, later_start_wins));
        for (uint32_t i = 0; i < count; i++)
            for (uint64_t address = all[i].start - 1; address != all[i].start + 3; address++)
                assert_int_equal(symbol_ranges_find(&separate, address),
                                 search(all, count, address, later_start_wins));
        symbol_ranges_free(&separate);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_address_has_its_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The checksum of gzip, by tables and by products, against its definition. */
#include "support.h"

#include "util/crc32.h"

#include <string.h>

/* Bit by bit, as the definition has it. */
static uint32_t plain_sum(const unsigned char *bytes, size_t length)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = (sum & 1) != 0 ? sum >> 1 ^ UINT32_C(0xedb88320) : sum >> 1;
    }
    return ~sum;
}

static void known_sums(void **state)
{
    struct crc32 crc;
    crc32_init(&crc);
    assert_int_equal(crc32_add(&crc, 0, "", 0), 0);
    assert_int_equal(crc32_add(&crc, 0, "123456789", 9), 0xcbf43926);
    assert_int_equal(crc32_add(&crc, 0, "a", 1), 0xe8b7be43);
}

/* Every length and alignment, and as many cuts of it in two as there are. */
static void all_lengths_and_cuts(void **state)
{
    enum { LONGEST = 400 };
    unsigned char bytes[LONGEST + 16];
    uint64_t random = 41;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)random_below(&random, 256);
    struct crc32 crcs[2];
    crc32_init(&crcs[0]);
    crc32_init(&crcs[1]);
    crcs[1].has_product = false;
    for (size_t length = 0; length <= LONGEST; length++) {
        const unsigned char *from = bytes + length % 16;
        uint32_t expected = plain_sum(from, length);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(crc32_add(&crcs[i], 0, from, length), expected);
            for (size_t cut = 0; cut <= length; cut++) {
                uint32_t sum = crc32_add(&crcs[i], 0, from, cut);
                assert_int_equal(crc32_add(&crcs[i], sum, from + cut, length - cut), expected);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_sums),
        cmocka_unit_test(all_lengths_and_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

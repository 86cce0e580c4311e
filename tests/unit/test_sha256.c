/* SPDX-License-Identifier: MIT */
/* SHA-256: the examples of FIPS 180-4, and the lengths at which the last block changes. */
#include "support.h"

#include "util/sha256.h"

#include <stdio.h>
#include <stdlib.h>

static void assert_hash(struct text t, const char *expected)
{
    unsigned char hash[SHA256_SIZE];
    char found[2 * SHA256_SIZE + 1];
    sha256(t, hash);
    for (size_t i = 0; i < SHA256_SIZE; i++)
        snprintf(found + 2 * i, 3, "%02x", hash[i]);
    assert_string_equal(found, expected);
}

static void published_examples(void **state)
{
    assert_hash(text_of("", 0), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_hash(text_of_string("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_hash(text_of_string("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *million = malloc(1000000);
    assert_non_null(million);
    memset(million, 'a', 1000000);
    assert_hash(text_of(million, 1000000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

/* The same by sha256sum. */
static void lengths_around_a_block(void **state)
{
    static const struct {
        size_t length;
        const char *hash;
    } cases[] = {
        {55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"},
        {56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"},
        {63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"},
        {64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"},
        {119, "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"},
        {120, "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"},
    };
    char bytes[128];
    memset(bytes, 'x', sizeof bytes);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_hash(text_of(bytes, cases[i].length), cases[i].hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_examples),
        cmocka_unit_test(lengths_around_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

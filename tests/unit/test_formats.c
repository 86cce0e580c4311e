/*
 * The bytes of versions 4 to 7, written out by hand from the format's description:
 * https://github.com/jokkedk/webgrind/wiki/Preprocessed-Format
 */
#include "support.h"

#include "util/little.h"
#include "write/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number below 256. */
#define N(number) (number), 0, 0, 0
#define NOBODY 0xff, 0xff, 0xff, 0xff

/* m of file b calls f of file a from line 4. */
static const char profile[] = "creator: xdebug\nevents: Time\nsummary: 9\n"
                              "fl=a\nfn=f\n5 3\n"
                              "fl=b\nfn=m\n1 2\ncfn=f\ncalls=1 0 0\n4 3\n";

#define HEADERS                                                                        \
    'c', 'r', 'e', 'a', 't', 'o', 'r', ':', ' ', 'x', 'd', 'e', 'b', 'u', 'g', '\n',   \
    'e', 'v', 'e', 'n', 't', 's', ':', ' ', 'T', 'i', 'm', 'e', '\n',                  \
    's', 'u', 'm', 'm', 'a', 'r', 'y', ':', ' ', '9', '\n'

static struct conversion_result convert_to(unsigned format, const char *text)
{
    struct cg2wg_options options = options_to(format);
    options.scale = CG2WG_SCALE_NONE;
    struct conversion_result result = convert_text(text, &options);
    assert_int_equal(result.status, CG2WG_OK);
    return result;
}

static void assert_bytes(unsigned format, const unsigned char *expected, size_t size)
{
    struct conversion_result result = convert_to(format, profile);
    assert_string_equal(result.messages, "");
    assert_int_equal(result.size, size);
    for (size_t i = 0; i < size; i++)
        if (result.bytes[i] != expected[i])
            fail_msg("version %u, byte %zu: found %u, expected %u", format, i, result.bytes[i],
                     expected[i]);
    conversion_free(&result);
}

static void version_7_is_written_as_described(void **state)
{
    static const unsigned char expected[] = {
        N(7), N(108), N(2), /* version, address of the headers, functions */
        N(20), N(64),       /* addresses of the functions */
        /* line, self, inclusive, invocations, called from, sub calls */
        N(5), N(3), N(3), N(1), N(1), N(0),
        N(1), N(4), N(1), N(3), /* from: function, line, count, cost */
        'a', '\n', 'f', '\n',
        N(1), N(2), N(5), N(1), N(0), N(1),
        N(0), N(4), N(1), N(3), /* to: function, line, count, cost */
        'b', '\n', 'm', '\n',
        HEADERS,
    };
    assert_bytes(7, expected, sizeof expected);
}

static void version_6_has_no_lines_of_functions(void **state)
{
    static const unsigned char expected[] = {
        N(6), N(100), N(2),
        N(20), N(60),
        /* self, inclusive, invocations, called from, sub calls */
        N(3), N(3), N(1), N(1), N(0),
        N(1), N(4), N(1), N(3),
        'a', '\n', 'f', '\n',
        N(2), N(5), N(1), N(0), N(1),
        N(0), N(4), N(1), N(3),
        'b', '\n', 'm', '\n',
        HEADERS,
    };
    assert_bytes(6, expected, sizeof expected);
}

static void version_5_has_no_sub_calls(void **state)
{
    static const unsigned char expected[] = {
        N(5), N(76), N(2),
        N(20), N(56),
        /* self, inclusive, invocations, called from */
        N(3), N(3), N(1), N(1),
        N(1), N(4), N(1), N(3),
        'a', '\n', 'f', '\n',
        N(2), N(5), N(1), N(0),
        'b', '\n', 'm', '\n',
        HEADERS,
    };
    assert_bytes(5, expected, sizeof expected);
}

static void version_4_has_invocations(void **state)
{
    enum { ADDRESS_OF_NO_SUB_CALLS = 64 };
    unsigned char expected[] = {
        N(4), N(140), N(2),
        N(20), N(72),
        /* self, inclusive, cost of the calls, invocations */
        N(3), N(3), N(3), N(1),
        /* self, inclusive, called from: cost, function, invocation, line; sub calls, address */
        N(3), N(3), N(3), N(1), N(0), N(4), N(0), N(0),
        'a', '\n', 'f', '\n',
        N(2), N(5), N(0), N(1),
        N(2), N(5), N(0), NOBODY, N(0), N(0), N(1), N(124),
        'b', '\n', 'm', '\n',
        N(0), N(0), N(4), N(3), /* sub call: function, invocation, line, cost */
        HEADERS,
    };
    /* The address of sub calls that there are none of may be any in the file. */
    struct conversion_result result = convert_to(4, profile);
    assert_in_range(little4(result.bytes + ADDRESS_OF_NO_SUB_CALLS), 0, result.size);
    memcpy(expected + ADDRESS_OF_NO_SUB_CALLS, result.bytes + ADDRESS_OF_NO_SUB_CALLS, 4);
    conversion_free(&result);
    assert_bytes(4, expected, sizeof expected);
}

static void numbers_are_little_endian(void **state)
{
    static const char text[] = "events: T\nsummary: 9\nfn=f\n84281096 67305985\n";
    static const unsigned char line_and_self[] = {8, 7, 6, 5, 1, 2, 3, 4};
    struct conversion_result result = convert_to(7, text);
    assert_memory_equal(result.bytes + 16, line_and_self, sizeof line_and_self);
    conversion_free(&result);

    unsigned char bytes[4];
    little4_put(bytes, UINT32_C(0xfffefdfc));
    static const unsigned char expected[] = {0xfc, 0xfd, 0xfe, 0xff};
    assert_memory_equal(bytes, expected, 4);
    assert_int_equal(little4(bytes), UINT32_C(0xfffefdfc));
}

/* Names of many lengths move the functions after them; sorted, each address follows the last. */
static void addresses_are_where_the_functions_are(void **state)
{
    enum { FUNCTIONS = 200 };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "events: Time\nsummary: 9\n");
    for (int i = 0; i < FUNCTIONS; i++)
        fprintf(out, "fl=%0*d.c\nfn=%0*d\n%d 1\n", i * 3 + 1, i, i + 1, i, 1000 + i);
    fclose(out);
    struct conversion_result result = convert_to(7, text);
    uint32_t address = 4 * (3 + FUNCTIONS);
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        uint32_t digits = i < 10 ? 1 : i < 100 ? 2 : 3;
        uint32_t name = i + 1 > digits ? i + 1 : digits;
        assert_int_equal(little4(result.bytes + 12 + 4 * i), address);
        assert_int_equal(little4(result.bytes + address), 1000 + i);
        address += 6 * 4 + (i * 3 + 1 > digits ? i * 3 + 1 : digits) + 2 + 1 + name + 1;
    }
    assert_int_equal(little4(result.bytes + 4), address);
    assert_memory_equal(result.bytes + address, "events: Time\nsummary: 9\n", 24);
    assert_int_equal(result.size, address + 24);
    conversion_free(&result);
    free(text);
}

/* ---- 32 bits ------------------------------------------------------------------------------ */

struct reports {
    unsigned errors;
    char last[300];
};

static void count_report(void *user, const struct cg2wg_message *message)
{
    struct reports *reports = user;
    reports->errors += message->severity == CG2WG_ERROR;
    snprintf(reports->last, sizeof reports->last, "%s", message->text);
}

/* Every version, and every number of it: self and inclusive cost, call cost, counts. */
static void all_versions_narrow(void **state)
{
    for (unsigned format = 4; format <= 7; format++) {
        struct conversion_result result =
            convert_to(format, "events: T\nsummary: 9\nfn=f\n5 5000000000\nfn=m\n1 2\ncfn=f\n"
                               "calls=6000000000\n4 5000000000\n");
        assert_non_null(strstr(result.messages, "warning: "));
        assert_non_null(strstr(result.dump, "- f "));
        assert_null(strstr(result.dump, "705032704"));  /* 5000000000 modulo 2^32 */
        assert_null(strstr(result.dump, "1705032704")); /* 6000000000 modulo 2^32 */
        assert_non_null(strstr(result.dump, "self=4294967295 incl=4294967295"));
        if (format != 5)
            assert_non_null(strstr(result.dump, "  to f"));
        conversion_free(&result);
    }
}

/* However often its number stands in the file, and in between the numbers of others. */
static void there_is_one_warning_for_each_function(void **state)
{
    static const char text[] = "creator: xdebug\nevents: T\nsummary: 9\n"
                               "fn=f\n5 5000000000\nfn=g\n6 5000000000\n"
                               "fn=f\n5 5000000000\nfn=g\n6 5000000000\nfn=m\n1 2\n"
                               "cfn=f\ncalls=1\n2 5000000000\ncfn=g\ncalls=1\n3 5000000000\n"
                               "cfn=f\ncalls=1\n2 5000000000\ncfn=g\ncalls=1\n3 5000000000\n";
    for (unsigned format = 4; format <= 7; format++) {
        struct conversion_result result = convert_to(format, text);
        unsigned lines = 0;
        ignore_odd_totals(&result);
        for (const char *c = result.messages; *c != '\0'; c++)
            lines += *c == '\n';
        if (lines != 3)
            fail_msg("version %u: found %u warnings, expected one for f, g and m each:\n%s", format,
                     lines, result.messages);
        conversion_free(&result);
    }
}

/* ---- addresses ---------------------------------------------------------------------------- */

struct addresses {
    unsigned version;
    uint64_t sizes[2], gap;
    struct diag diag;
};

static void write_to_nowhere(void *of)
{
    struct addresses *a = of;
    struct outfile *out = memory_get(sizeof *out);
    outfile_open(out, "/dev/null", true, &a->diag);
    write_head(out, a->version, a->sizes, 2, a->gap);
}

/* Do the addresses of two functions of these sizes fit? The last message is kept. */
static bool addresses_fit(unsigned version, uint64_t size, uint64_t gap, struct reports *reports)
{
    struct addresses a = {version, {1000, size}, gap, {.report = count_report, .user = reports}};
    *reports = (struct reports){0};
    bool fit = run_work(write_to_nowhere, &a) == RUN_DONE;
    assert_int_equal(reports->errors, !fit);
    return fit;
}

static void addresses_reach_to_the_last_of_32_bits(void **state)
{
    struct reports reports;
    static const uint64_t rest = UINT32_MAX - 1000 - 4 * (3 + 2);
    for (unsigned version = 4; version <= 7; version++) {
        assert_true(addresses_fit(version, rest, 0, &reports));
        assert_false(addresses_fit(version, rest + 1, 0, &reports));
        assert_true(addresses_fit(version, rest - 500, 500, &reports));
        assert_false(addresses_fit(version, rest - 500, 501, &reports));
        assert_false(addresses_fit(version, 1000, UINT64_C(1) << 40, &reports));
    }
}

/* Version 5 is the smallest: there is none to use in its place. */
static void an_output_that_is_too_large_names_the_version_to_use_instead(void **state)
{
    static const unsigned versions[] = {4, 6, 7};
    struct reports reports;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        assert_false(addresses_fit(versions[i], UINT64_C(1) << 32, 0, &reports));
        const char *instead = strchr(reports.last, ';');
        if (instead == NULL || strstr(instead, " 5, ") == NULL)
            fail_msg("version %u: found \"%s\", expected it to name version 5", versions[i],
                     reports.last);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_7_is_written_as_described),
        cmocka_unit_test(version_6_has_no_lines_of_functions),
        cmocka_unit_test(version_5_has_no_sub_calls),
        cmocka_unit_test(version_4_has_invocations),
        cmocka_unit_test(numbers_are_little_endian),
        cmocka_unit_test(addresses_are_where_the_functions_are),
        cmocka_unit_test(all_versions_narrow),
        cmocka_unit_test(there_is_one_warning_for_each_function),
        cmocka_unit_test(addresses_reach_to_the_last_of_32_bits),
        cmocka_unit_test(an_output_that_is_too_large_names_the_version_to_use_instead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * The bytes of versions 4 to 7, written out by hand from the format's description: that they are written, and that
 * they are read, unless they are damaged.
 * https://github.com/jokkedk/webgrind/wiki/Preprocessed-Format
 */
#include "preprocessed_file.h"
#include "support.h"

#include "util/diag.h"
#include "util/little.h"
#include "write/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number below 256. */
#define N(number) (number), 0, 0, 0
#define NOBODY 0xff, 0xff, 0xff, 0xff
#define HEADERS                         \
    'c', 'm', 'd', ':', ' ', 'x', '\n', \
    's', 'u', 'm', 'm', 'a', 'r', 'y', ':', ' ', '9', '\n'

/* m of file b calls f of file a from line 4. */
static const char profile[] = "creator: xdebug\nevents: Time\nsummary: 9\n"
                              "fl=a\nfn=f\n5 3\n"
                              "fl=b\nfn=m\n1 2\ncfn=f\ncalls=1 0 0\n4 3\n";

/*
 * Each begins with the version, the address of the headers, the number of functions, and their addresses. A call is a
 * function, a line, a count and a cost.
 */

/* A function: line, self, inclusive, invocations, called from, sub calls; then calls, and its names. */
static const unsigned char version_7[] = {
    N(7), N(108), N(2), N(20), N(64),
    N(5), N(3), N(3), N(1), N(1), N(0), N(1), N(4), N(1), N(3), 'a', '\n', 'f', '\n',
    N(1), N(2), N(5), N(1), N(0), N(1), N(0), N(4), N(1), N(3), 'b', '\n', 'm', '\n',
    HEADERS,
};
/* There is no line. */
static const unsigned char version_6[] = {
    N(6), N(100), N(2), N(20), N(60),
    N(3), N(3), N(1), N(1), N(0), N(1), N(4), N(1), N(3), 'a', '\n', 'f', '\n',
    N(2), N(5), N(1), N(0), N(1), N(0), N(4), N(1), N(3), 'b', '\n', 'm', '\n',
    HEADERS,
};
/* There are no sub calls. */
static const unsigned char version_5[] = {
    N(5), N(76), N(2), N(20), N(56),
    N(3), N(3), N(1), N(1), N(1), N(4), N(1), N(3), 'a', '\n', 'f', '\n',
    N(2), N(5), N(1), N(0), 'b', '\n', 'm', '\n',
    HEADERS,
};
/*
 * A function: self, inclusive, cost of the calls, invocations. An invocation: self, inclusive, called from (cost,
 * function, invocation, line), sub calls and their address. A sub call: function, invocation, line, cost.
 */
static const unsigned char version_4[] = {
    N(4), N(140), N(2), N(20), N(72),
    N(3), N(3), N(3), N(1), N(3), N(3), N(3), N(1), N(0), N(4), N(0), N(124), 'a', '\n', 'f', '\n',
    N(2), N(5), N(0), N(1), N(2), N(5), N(0), NOBODY, N(0), N(0), N(1), N(124), 'b', '\n', 'm', '\n',
    N(0), N(0), N(4), N(3),
    HEADERS,
};

static const struct file {
    unsigned version;
    const unsigned char *bytes;
    size_t size, header_address;
} files[] = {
    {4, version_4, sizeof version_4, 140},
    {5, version_5, sizeof version_5, 76},
    {6, version_6, sizeof version_6, 100},
    {7, version_7, sizeof version_7, 108},
};
enum { FILES = sizeof files / sizeof files[0] };

static struct conversion_result convert_to(unsigned format, const char *text)
{
    struct cg2wg_options options = options_to(format);
    options.scale = CG2WG_SCALE_NONE;
    struct conversion_result result = convert_text(text, &options);
    assert_int_equal(result.status, CG2WG_OK);
    return result;
}

/* ---- written ------------------------------------------------------------------------------ */

static void versions_are_written_as_described(void **state)
{
    enum { ADDRESS_OF_NO_SUB_CALLS = 64 };
    static const char headers[] = "creator: xdebug\nevents: Time\nsummary: 9\n";
    for (size_t i = 0; i < FILES; i++) {
        const struct file *file = &files[i];
        struct conversion_result result = convert_to(file->version, profile);
        assert_string_equal(result.messages, "");
        assert_int_equal(result.size, file->header_address + sizeof headers - 1);
        if (file->version == 4) {
            /* The address of sub calls that there are none of may be any in the file. */
            assert_in_range(little4(result.bytes + ADDRESS_OF_NO_SUB_CALLS), 0, result.size);
            memcpy(result.bytes + ADDRESS_OF_NO_SUB_CALLS, version_4 + ADDRESS_OF_NO_SUB_CALLS, 4);
        }
        for (size_t k = 0; k < file->header_address; k++)
            if (result.bytes[k] != file->bytes[k])
                fail_msg("version %u, byte %zu: found %u, expected %u", file->version, k, result.bytes[k],
                         file->bytes[k]);
        assert_memory_equal(result.bytes + file->header_address, headers, sizeof headers - 1);
        conversion_free(&result);
    }
}

/* Of sums: f has two callers, so nobody has called it; g has one, which calls it from two lines. */
static void an_invocation_of_sums_has_a_caller_if_there_is_one(void **state)
{
    struct conversion_result result = convert_to(4, "events: Ir\nsummary: 9\nfn=f\n1 5\n"
                                                    "fn=g\n2 1\ncfn=f\ncalls=1\n3 2\nfn=main\n4 1\n"
                                                    "cfn=f\ncalls=1\n5 3\n"
                                                    "cfn=g\ncalls=1\n7 1\ncfn=g\ncalls=1\n6 2\n");
    assert_non_null(strstr(result.dump, " f self=5 incl=5 calls=5 inv=1\n  #0 self=5 incl=5 from nobody\n"));
    assert_non_null(strstr(result.dump, " g self=1 incl=3 calls=3 inv=1\n  #0 self=1 incl=3 from main#0:7 =3\n"));
    conversion_free(&result);
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

/* However often its number is in the file, with the numbers of others in between. */
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
    outfile_open(out, "/dev/null", true, &(struct file_rights){.mode = 0666}, &a->diag);
    write_head(out, a->version, a->sizes, 2, a->gap);
}

/* Do the addresses of two functions of these sizes fit? The last message is kept. */
static bool addresses_fit(unsigned version, uint64_t size, uint64_t gap, struct reports *reports)
{
    struct addresses a = {version, {1000, size}, gap, {.report = count_report, .user = reports}};
    *reports = (struct reports){0};
    bool fit = task_run(write_to_nowhere, &a) == TASK_DONE;
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
            fail_msg("version %u: found \"%s\", expected it to name version 5", versions[i], reports.last);
    }
}

/* ---- read --------------------------------------------------------------------------------- */

/* The last refusal. It comes with exactly one error, which says what was found, and then what was expected. */
static struct reports refusal;

static bool read_bytes(struct preprocessed *p, const void *bytes, size_t size)
{
    char *path = scratch_path("preprocessed");
    struct diag diag = {.report = count_report, .user = &refusal, .input = path};
    refusal = (struct reports){0};
    write_file(path, bytes, size);
    bool done = preprocessed_read(p, path, &diag);
    const char *found = strstr(refusal.last, "found ");
    assert_int_equal(refusal.errors, done ? 0 : 1);
    if (!done && (found == NULL || strstr(found, ", expected ") == NULL))
        fail_msg("%s", refusal.last);
    free(path);
    return done;
}

static bool is_whole(const void *bytes, size_t size)
{
    struct preprocessed p;
    bool done = read_bytes(&p, bytes, size);
    if (done)
        preprocessed_free(&p);
    return done;
}

static void assert_text(struct text t, const char *expected)
{
    assert_int_equal(text_length(t), strlen(expected));
    assert_memory_equal(t.at, expected, strlen(expected));
}

static void assert_call(const struct preprocessed *p, size_t at, uint32_t function)
{
    struct stored_call call = preprocessed_call(p, at, 0);
    assert_int_equal(call.function, function);
    assert_int_equal(call.line, 4);
    assert_int_equal(call.count, 1);
    assert_int_equal(call.cost, 3);
}

static void functions_of_every_version_are_read(void **state)
{
    for (size_t i = 0; i < FILES; i++) {
        struct preprocessed p;
        assert_true(read_bytes(&p, files[i].bytes, files[i].size));
        assert_int_equal(p.version, files[i].version);
        assert_int_equal(p.function_count, 2);
        assert_int_equal(p.header_address, files[i].header_address);
        struct preprocessed_function f = preprocessed_function(&p, 0);
        struct preprocessed_function m = preprocessed_function(&p, 1);
        assert_text(f.file, "a");
        assert_text(f.name, "f");
        assert_text(m.file, "b");
        assert_text(m.name, "m");
        assert_int_equal(f.self, 3);
        assert_int_equal(f.inclusive, 3);
        assert_int_equal(f.invocations, 1);
        assert_int_equal(m.self, 2);
        assert_int_equal(m.inclusive, 5);
        assert_int_equal(m.invocations, 1);
        assert_int_equal(f.line, p.version == 7 ? 5 : 0);
        assert_int_equal(m.line, p.version == 7 ? 1 : 0);
        assert_int_equal(f.call_cost, p.version == 4 ? 3 : 0);
        assert_int_equal(f.called_from_count, p.version == 4 ? 0 : 1);
        assert_int_equal(m.called_from_count, 0);
        assert_int_equal(f.sub_call_count, 0);
        assert_int_equal(m.sub_call_count, p.version >= 6 ? 1 : 0);
        if (p.version >= 5)
            assert_call(&p, f.called_from_at, 1);
        if (p.version >= 6)
            assert_call(&p, m.sub_calls_at, 0);
        preprocessed_free(&p);
    }
}

static void invocations_of_version_4_are_read(void **state)
{
    struct preprocessed p;
    assert_true(read_bytes(&p, version_4, sizeof version_4));
    struct stored_invocation f = preprocessed_invocation(&p, preprocessed_function(&p, 0).invocations_at, 0);
    struct stored_invocation m = preprocessed_invocation(&p, preprocessed_function(&p, 1).invocations_at, 0);
    assert_int_equal(f.self, 3);
    assert_int_equal(f.inclusive, 3);
    assert_int_equal(f.caller.cost, 3);
    assert_int_equal(f.caller.function, 1);
    assert_int_equal(f.caller.invocation, 0);
    assert_int_equal(f.caller.line, 4);
    assert_int_equal(f.sub_call_count, 0);
    assert_int_equal(m.self, 2);
    assert_int_equal(m.inclusive, 5);
    assert_int_equal(m.caller.function, NONE);
    assert_int_equal(m.sub_call_count, 1);
    struct stored_call c = preprocessed_call(&p, m.sub_calls_at, 0);
    assert_int_equal(c.function, 0);
    assert_int_equal(c.invocation, 0);
    assert_int_equal(c.line, 4);
    assert_int_equal(c.cost, 3);
    preprocessed_free(&p);
}

/* As webgrind does: up to the first empty line, each split at the first ": ". */
static void headers_are_read_up_to_an_empty_line(void **state)
{
    static const char headers[] = "cmd: a: b\nno colon\nsummary: 40 7\nevents:\nsummary: 2\n"
                                  "\nsummary: 5\n";
    static const char *const expected[][2] = {
        {"cmd", "a: b"}, {"no colon", ""}, {"summary", "40 7"}, {"events:", ""}, {"summary", "2"},
    };
    unsigned char bytes[200];
    memcpy(bytes, version_5, 76);
    memcpy(bytes + 76, headers, sizeof headers - 1);
    struct preprocessed p;
    assert_true(read_bytes(&p, bytes, 76 + sizeof headers - 1));
    struct text rest = p.headers, key, value;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_true(preprocessed_next_header(&rest, &key, &value));
        assert_text(key, expected[i][0]);
        assert_text(value, expected[i][1]);
    }
    assert_false(preprocessed_next_header(&rest, &key, &value));
    unsigned runs;
    assert_true(preprocessed_total(&p, &runs) == 42.0);
    assert_int_equal(runs, 2);
    preprocessed_free(&p);
}

static void a_file_may_have_no_headers(void **state)
{
    struct preprocessed p;
    struct text key, value;
    unsigned runs;
    assert_true(read_bytes(&p, version_5, 76));
    struct text rest = p.headers;
    assert_false(preprocessed_next_header(&rest, &key, &value));
    assert_true(preprocessed_total(&p, &runs) == 0.0);
    assert_int_equal(runs, 0);
    preprocessed_free(&p);
}

static void the_total_is_not_limited_to_32_bits(void **state)
{
    static const char headers[] = "summary: 9007199254740992\nsummary: 9007199254740992\n";
    unsigned char bytes[200];
    struct preprocessed p;
    unsigned runs;
    memcpy(bytes, version_5, 76);
    memcpy(bytes + 76, headers, sizeof headers - 1);
    assert_true(read_bytes(&p, bytes, 76 + sizeof headers - 1));
    assert_true(preprocessed_total(&p, &runs) == 18014398509481984.0);
    preprocessed_free(&p);
}

/* ---- damaged files ------------------------------------------------------------------------ */

static void a_truncated_file_is_refused(void **state)
{
    for (size_t i = 0; i < FILES; i++)
        for (size_t size = 0; size < files[i].header_address; size++)
            if (is_whole(files[i].bytes, size))
                fail_msg("version %u cut to %zu of %zu bytes: expected it to be refused",
                         files[i].version, size, files[i].size);
}

/* By its head and the address of its first function, so a file that was cut after these is called truncated. */
static void sixteen_bytes_say_that_it_is_one(void **state)
{
    static const unsigned char head[] = {7, 0, 0, 0, 99, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0};
    for (size_t size = 0; size <= sizeof head; size++)
        assert_int_equal(preprocessed_recognises(text_of((const char *)head, size)) == MINE, size == sizeof head);
}

/* After a whole header line nothing says that there were more. */
static void a_file_that_ends_within_a_header_line_is_refused(void **state)
{
    for (size_t i = 0; i < FILES; i++)
        for (size_t size = files[i].header_address + 1; size < files[i].size; size++)
            if (is_whole(files[i].bytes, size) != (files[i].bytes[size - 1] == '\n'))
                fail_msg("version %u cut to %zu of %zu bytes: expected it to be refused",
                         files[i].version, size, files[i].size);
}

static const struct damage {
    unsigned version;
    size_t at;
    uint32_t number;
    const char *what, *message; /* NULL: any */
} damages[] = {
    {7, 0, 0, "version", NULL},
    {7, 0, 3, "version", NULL},
    {7, 0, 8, "version", NULL},
    {7, 0, 0x07000000, "version of the other byte order", NULL},
    {7, 4, 107, "headers in a function", "found headers at address 107, expected 108 or more"},
    {7, 4, 127, "headers past the end", NULL},
    {7, 4, UINT32_MAX, "headers past the end", NULL},
    {7, 8, 3, "a function more", NULL},
    {7, 8, 1000, "more functions than bytes", NULL},
    {7, 8, 0x40000000, "functions that take 2^32 bytes", NULL},
    {7, 8, UINT32_MAX, "more functions than bytes", NULL},
    {7, 12, 0, "a function in the file's head", NULL},
    {7, 12, 16, "a function in the addresses",
     "function 0: found address 16, expected 20 or more"},
    {7, 12, 120, "a function whose head does not fit", NULL},
    {7, 12, UINT32_MAX, "a function past the end", NULL},
    {7, 16, 20, "two functions in one place", NULL},
    {7, 16, 63, "a function inside of another", NULL},
    {7, 16, 126, "a function at the end",
     "function 1: found address 126, expected 24 bytes after it in a file of 126"},
    {7, 16, 0x80000000, "a function past the end", NULL},
    {7, 36, 100, "more called from than bytes",
     "function 0: found records of 1600 bytes, expected at most 82"},
    {7, 36, 6, "a little more called from than bytes", "function 0: found records of "},
    {7, 36, 0x10000000, "called from that take 2^32 bytes", NULL},
    {7, 36, UINT32_MAX, "more called from than bytes", NULL},
    {7, 40, 100, "more sub calls than bytes", NULL},
    {7, 40, 0x10000000, "sub calls that take 2^32 bytes", NULL},
    {7, 40, UINT32_MAX, "more sub calls than bytes", NULL},
    {7, 44, 5, "called from a function that is not there",
     "function 0: found a call from or to function 5, expected one below 2"},
    {7, 44, 2, "called from a function that is not there", NULL},
    {7, 44, UINT32_MAX, "called from a function that is not there", NULL},
    {7, 88, 2, "a call of a function that is not there", NULL},
    {6, 32, 100, "more called from than bytes", NULL},
    {6, 36, 0x10000000, "sub calls that take 2^32 bytes", NULL},
    {6, 40, 2, "called from a function that is not there", NULL},
    {6, 80, 2, "a call of a function that is not there", NULL},
    {5, 32, 0x10000000, "called from that take 2^32 bytes", NULL},
    {5, 36, 2, "called from a function that is not there", NULL},
    {4, 32, 100, "more invocations than bytes", NULL},
    {4, 32, 0x08000000, "invocations that take 2^32 bytes", NULL},
    {4, 32, UINT32_MAX, "more invocations than bytes", NULL},
    {4, 48, 2, "a caller that is not there", NULL},
    {4, 48, 0xfffffffe, "a caller that is not there", NULL},
    {4, 52, 1, "a caller's invocation that is not there",
     "function 0: found invocation 1 of function 1 as a caller, expected one that exists"},
    {4, 60, 100, "more sub calls than bytes",
     "function 0: found 100 sub calls at address 124, expected them inside a file of 158 bytes"},
    {4, 60, 0x10000000, "sub calls that take 2^32 bytes", NULL},
    {4, 60, UINT32_MAX, "more sub calls than bytes", NULL},
    {4, 112, 3, "sub calls past the end", NULL},
    {4, 116, 48, "sub calls inside a function",
     "function 1: found sub calls at address 48, expected them between the functions and the headers"},
    {4, 116, 158, "sub calls at the end", NULL},
    {4, 116, 143, "sub calls that reach past the end", NULL},
    {4, 116, UINT32_MAX, "sub calls past the end", NULL},
    {4, 124, 2, "a sub call of a function that is not there", NULL},
    {4, 124, UINT32_MAX, "a sub call of a function that is not there", NULL},
    {4, 128, 1, "a sub call of an invocation that is not there",
     "function 1: found invocation 1 of function 0 as a callee, expected one that exists"},
};

static void a_damaged_number_is_refused(void **state)
{
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        const struct damage *d = &damages[i];
        const struct file *file = &files[d->version - 4];
        unsigned char bytes[200];
        memcpy(bytes, file->bytes, file->size);
        for (unsigned k = 0; k < 4; k++)
            bytes[d->at + k] = (unsigned char)(d->number >> 8 * k);
        if (is_whole(bytes, file->size))
            fail_msg("version %u, %lu at byte %zu: %s, but it was read", d->version, (unsigned long)d->number, d->at,
                     d->what);
        if (d->message != NULL && strstr(refusal.last, d->message) == NULL)
            fail_msg("found \"%s\", expected \"%s\"", refusal.last, d->message);
    }
}

/* Each of the last function's two names runs to the end of the file. */
static void a_name_without_a_newline_is_refused(void **state)
{
    for (size_t i = 0; i < FILES; i++) {
        unsigned char bytes[200];
        size_t end = files[i].header_address - (files[i].version == 4 ? 16 : 0);
        memcpy(bytes, files[i].bytes, files[i].size);
        assert_int_equal(bytes[end - 1], '\n');
        for (size_t k = end - 1; k < files[i].size; k++)
            if (bytes[k] == '\n')
                bytes[k] = ' ';
        assert_false(is_whole(bytes, files[i].size));
        bytes[end - 3] = ' ';
        assert_false(is_whole(bytes, files[i].size));
    }
}

/* An invocation's sub calls are its own: shared ones could make a small file a large one. */
static void sub_calls_that_several_share_are_refused(void **state)
{
    enum { SUB_CALLS = 124, SIZE = 16 };
    unsigned char bytes[sizeof version_4 + SIZE];
    memcpy(bytes, version_4, SUB_CALLS + SIZE);
    memcpy(bytes + SUB_CALLS + SIZE, version_4 + SUB_CALLS, sizeof version_4 - SUB_CALLS);
    bytes[4] = SUB_CALLS + 2 * SIZE;
    bytes[112] = 2;
    assert_true(is_whole(bytes, sizeof bytes));
    bytes[60] = 2;
    assert_false(is_whole(bytes, sizeof bytes));
}

static void what_is_no_preprocessed_file_is_refused(void **state)
{
    static const char *const texts[] = {
        "", "x", "hello, world, how are you\n", "events: Ir\nfn=main\n1 2\n", "\x7f\x45LF\x02\x01\x01",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_false(is_whole(texts[i], strlen(texts[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_written_as_described),
        cmocka_unit_test(an_invocation_of_sums_has_a_caller_if_there_is_one),
        cmocka_unit_test(numbers_are_little_endian),
        cmocka_unit_test(addresses_are_where_the_functions_are),
        cmocka_unit_test(all_versions_narrow),
        cmocka_unit_test(there_is_one_warning_for_each_function),
        cmocka_unit_test(addresses_reach_to_the_last_of_32_bits),
        cmocka_unit_test(an_output_that_is_too_large_names_the_version_to_use_instead),
        cmocka_unit_test(functions_of_every_version_are_read),
        cmocka_unit_test(invocations_of_version_4_are_read),
        cmocka_unit_test(headers_are_read_up_to_an_empty_line),
        cmocka_unit_test(a_file_may_have_no_headers),
        cmocka_unit_test(the_total_is_not_limited_to_32_bits),
        cmocka_unit_test(a_truncated_file_is_refused),
        cmocka_unit_test(sixteen_bytes_say_that_it_is_one),
        cmocka_unit_test(a_file_that_ends_within_a_header_line_is_refused),
        cmocka_unit_test(a_damaged_number_is_refused),
        cmocka_unit_test(a_name_without_a_newline_is_refused),
        cmocka_unit_test(sub_calls_that_several_share_are_refused),
        cmocka_unit_test(what_is_no_preprocessed_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

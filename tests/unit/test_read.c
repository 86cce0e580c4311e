/*
 * The reader of preprocessed files: what it finds in complete files, and that it rejects damaged
 * ones. The files are written out by hand from the format's description:
 * https://github.com/jokkedk/webgrind/wiki/Preprocessed-Format
 */
#include "preprocessed_file.h"
#include "support.h"

#include "util/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(number) (number), 0, 0, 0
#define NOBODY 0xff, 0xff, 0xff, 0xff
#define HEADERS                         \
    'c', 'm', 'd', ':', ' ', 'x', '\n', \
    's', 'u', 'm', 'm', 'a', 'r', 'y', ':', ' ', '9', '\n'

/* f of file a is called by m of file b from line 4. */
static const unsigned char version_7[] = {
    N(7), N(108), N(2), N(20), N(64),
    N(5), N(3), N(3), N(1), N(1), N(0), N(1), N(4), N(1), N(3), 'a', '\n', 'f', '\n',
    N(1), N(2), N(5), N(1), N(0), N(1), N(0), N(4), N(1), N(3), 'b', '\n', 'm', '\n',
    HEADERS,
};
static const unsigned char version_6[] = {
    N(6), N(100), N(2), N(20), N(60),
    N(3), N(3), N(1), N(1), N(0), N(1), N(4), N(1), N(3), 'a', '\n', 'f', '\n',
    N(2), N(5), N(1), N(0), N(1), N(0), N(4), N(1), N(3), 'b', '\n', 'm', '\n',
    HEADERS,
};
static const unsigned char version_5[] = {
    N(5), N(76), N(2), N(20), N(56),
    N(3), N(3), N(1), N(1), N(1), N(4), N(1), N(3), 'a', '\n', 'f', '\n',
    N(2), N(5), N(1), N(0), 'b', '\n', 'm', '\n',
    HEADERS,
};
static const unsigned char version_4[] = {
    N(4), N(140), N(2), N(20), N(72),
    N(3), N(3), N(3), N(1), N(3), N(3), N(3), N(1), N(0), N(4), N(0), N(124), 'a', '\n', 'f', '\n',
    N(2), N(5), N(0), N(1), N(2), N(5), N(0), NOBODY, N(0), N(0), N(1), N(124),
    'b', '\n', 'm', '\n',
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
enum { FILES = sizeof files / sizeof files[0], MESSAGE_SIZE = 200 };

static void count_error(void *user, const struct cg2wg_message *message)
{
    unsigned *errors = user;
    *errors += message->severity == CG2WG_ERROR && message->text[0] != '\0';
}

/* It says what was found, and then what was expected. */
static void count_refusal(void *user, const struct cg2wg_message *message)
{
    const char *found = strstr(message->text, "found ");
    if (found == NULL || strstr(found, ", expected ") == NULL)
        fail_msg("%s", message->text);
    count_error(user, message);
}

/* A refusal comes with exactly one error and leaves nothing behind. */
static bool read_bytes(struct preprocessed *p, const void *bytes, size_t size)
{
    unsigned errors = 0;
    char *path = scratch_path("preprocessed");
    struct diag diag = {.report = count_refusal, .user = &errors, .input = path};
    write_file(path, bytes, size);
    bool done = preprocessed_read(p, path, &diag);
    assert_int_equal(errors, done ? 0 : 1);
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

/* ---- whole files -------------------------------------------------------------------------- */

static void assert_text(struct text t, const char *expected)
{
    assert_int_equal(text_length(t), strlen(expected));
    assert_memory_equal(t.at, expected, strlen(expected));
}

static void assert_call(const struct preprocessed *p, size_t at, uint32_t function)
{
    struct preprocessed_call call = preprocessed_call(p, at, 0);
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
    struct preprocessed_invocation f =
        preprocessed_invocation(&p, preprocessed_function(&p, 0).invocations_at, 0);
    struct preprocessed_invocation m =
        preprocessed_invocation(&p, preprocessed_function(&p, 1).invocations_at, 0);
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
    struct preprocessed_call c = preprocessed_call(&p, m.sub_calls_at, 0);
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
    struct text rest = preprocessed_headers(&p), key, value;
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
    struct text rest = preprocessed_headers(&p);
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
        assert_int_equal(preprocessed_recognises(text_of((const char *)head, size)), size == sizeof head);
}

/* After a whole header line nothing tells that there were more. */
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
    const char *what;
} damages[] = {
    {7, 0, 0, "version"},
    {7, 0, 3, "version"},
    {7, 0, 8, "version"},
    {7, 0, 0x07000000, "version of the other byte order"},
    {7, 4, 127, "headers past the end"},
    {7, 4, UINT32_MAX, "headers past the end"},
    {7, 8, 3, "a function more"},
    {7, 8, 1000, "more functions than bytes"},
    {7, 8, 0x40000000, "functions that take 2^32 bytes"},
    {7, 8, UINT32_MAX, "more functions than bytes"},
    {7, 12, 0, "a function in the file's head"},
    {7, 12, 16, "a function in the addresses"},
    {7, 12, 120, "a function whose head does not fit"},
    {7, 12, UINT32_MAX, "a function past the end"},
    {7, 16, 20, "two functions in one place"},
    {7, 16, 63, "a function inside of another"},
    {7, 16, 126, "a function at the end"},
    {7, 16, 0x80000000, "a function past the end"},
    {7, 36, 100, "more called from than bytes"},
    {7, 36, 0x10000000, "called from that take 2^32 bytes"},
    {7, 36, UINT32_MAX, "more called from than bytes"},
    {7, 40, 100, "more sub calls than bytes"},
    {7, 40, 0x10000000, "sub calls that take 2^32 bytes"},
    {7, 40, UINT32_MAX, "more sub calls than bytes"},
    {7, 44, 2, "called from a function that is not there"},
    {7, 44, UINT32_MAX, "called from a function that is not there"},
    {7, 88, 2, "a call of a function that is not there"},
    {6, 32, 100, "more called from than bytes"},
    {6, 36, 0x10000000, "sub calls that take 2^32 bytes"},
    {6, 40, 2, "called from a function that is not there"},
    {6, 80, 2, "a call of a function that is not there"},
    {5, 32, 0x10000000, "called from that take 2^32 bytes"},
    {5, 36, 2, "called from a function that is not there"},
    {4, 32, 100, "more invocations than bytes"},
    {4, 32, 0x08000000, "invocations that take 2^32 bytes"},
    {4, 32, UINT32_MAX, "more invocations than bytes"},
    {4, 48, 2, "a caller that is not there"},
    {4, 48, 0xfffffffe, "a caller that is not there"},
    {4, 52, 1, "a caller's invocation that is not there"},
    {4, 60, 100, "more sub calls than bytes"},
    {4, 60, 0x10000000, "sub calls that take 2^32 bytes"},
    {4, 60, UINT32_MAX, "more sub calls than bytes"},
    {4, 112, 3, "sub calls past the end"},
    {4, 116, 48, "sub calls inside a function"},
    {4, 116, 158, "sub calls at the end"},
    {4, 116, 143, "sub calls that reach past the end"},
    {4, 116, UINT32_MAX, "sub calls past the end"},
    {4, 124, 2, "a sub call of a function that is not there"},
    {4, 124, UINT32_MAX, "a sub call of a function that is not there"},
    {4, 128, 1, "a sub call of an invocation that is not there"},
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
            fail_msg("version %u, %lu at byte %zu: %s, but it was read", d->version,
                     (unsigned long)d->number, d->at, d->what);
    }
}

static void keep_text(void *user, const struct cg2wg_message *message)
{
    snprintf(user, MESSAGE_SIZE, "%s", message->text);
}

static void a_refusal_says_what_was_found_and_what_was_expected(void **state)
{
    static const struct {
        unsigned version;
        size_t at;
        uint32_t number;
        const char *message;
    } cases[] = {
        {7, 4, 107, "found headers at address 107, expected 108 or more"},
        {7, 12, 16, "function 0: found address 16, expected 20 or more"},
        {7, 16, 126, "function 1: found address 126, expected 24 bytes after it in a file of 126"},
        {7, 36, 100, "function 0: found records of 1600 bytes, expected at most 82"},
        {7, 44, 5, "function 0: found a call from or to function 5, expected one below 2"},
        {4, 52, 1, "function 0: found invocation 1 of function 1 as a caller, expected one that exists"},
        {4, 60, 1, "function 0: found 1 sub calls at address 158, expected them inside a file of 158 bytes"},
        {4, 116, 48, "function 1: found sub calls at address 48, expected them between the functions and the headers"},
        {4, 128, 1, "function 1: found invocation 1 of function 0 as a callee, expected one that exists"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct file *file = &files[cases[i].version - 4];
        unsigned char bytes[200];
        char message[MESSAGE_SIZE] = "";
        struct diag diag = {.report = keep_text, .user = message};
        struct preprocessed p;
        memcpy(bytes, file->bytes, file->size);
        for (unsigned k = 0; k < 4; k++)
            bytes[cases[i].at + k] = (unsigned char)(cases[i].number >> 8 * k);
        if (cases[i].at == 60)
            bytes[64] = (unsigned char)file->size;
        struct text whole = text_of((const char *)bytes, file->size);
        assert_false(preprocessed_try(&p, whole, &diag));
        assert_string_equal(message, cases[i].message);
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
        "",
        "x",
        "hello, world, how are you\n",
        "events: Ir\nfn=main\n1 2\n",
        "\x7f\x45LF\x02\x01\x01",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_false(is_whole(texts[i], strlen(texts[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_every_version_are_read),
        cmocka_unit_test(invocations_of_version_4_are_read),
        cmocka_unit_test(headers_are_read_up_to_an_empty_line),
        cmocka_unit_test(a_file_may_have_no_headers),
        cmocka_unit_test(the_total_is_not_limited_to_32_bits),
        cmocka_unit_test(a_truncated_file_is_refused),
        cmocka_unit_test(sixteen_bytes_say_that_it_is_one),
        cmocka_unit_test(a_file_that_ends_within_a_header_line_is_refused),
        cmocka_unit_test(a_damaged_number_is_refused),
        cmocka_unit_test(a_refusal_says_what_was_found_and_what_was_expected),
        cmocka_unit_test(a_name_without_a_newline_is_refused),
        cmocka_unit_test(sub_calls_that_several_share_are_refused),
        cmocka_unit_test(what_is_no_preprocessed_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

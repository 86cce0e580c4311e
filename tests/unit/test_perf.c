/* SPDX-License-Identifier: MIT */
/*
 * Recordings of perf, made byte by byte as <linux/perf_event.h> and perf.data-file-format.txt say: the parts of
 * the file, pipes, compressed records; and what is damaged or missing.
 */
#include "recording.h"

#include "read/frontend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HAS_TRACE                                                                                     \
    "warning: holds a hardware trace, which is not decoded; convert the text of perf script, which " \
    "does that\n"

/* perf was stopped before it had written all of its head. */
#define WAS_KILLED                                                                                \
    "found no size of the data, expected one: perf was stopped before it wrote that; the data up " \
    "to the end of the file are taken\n"

#define ENDS_AT_336 "ends within the record at byte 336, expected all of it; that is left out\n"

static void a_stack_becomes_rows_and_arcs(void **state)
{
    struct recording r = begin();
    call_f(&r);
    expect(finish(&r), NULL, "", ONE_STACK("7", "7"));
}

/* The smallest ones: no time, no period but the event's, unless that is a frequency, no trailers, no features. */
static void an_event_has_the_period(void **state)
{
    for (int i = 0; i < 2; i++) {
        struct recording r = begin();
        r.events[0] = (struct recorded_event){1, 2, 1000, IP | TID | CHAIN, 0, i == 0 ? 0 : FREQUENCY, 11};
        map_program(&r);
        sample(&r, 0, 0, STACK(USER, F, IN_USER, F, MAIN));
        expect(finish(&r), NULL, "", i == 0 ? ONE_STACK("1000", "1000") : ONE_STACK("1", "1"));
    }
}

static void all_fields_are_passed_over(void **state)
{
    struct recording r = begin();
    r.events[0].sample_type = USUAL | ADDR | ID | STREAM | CPU | RAW | IDENTIFIER | READ;
    r.events[0].read_format = 1;
    call_f(&r);
    expect(finish(&r), NULL, "", ONE_STACK("7", "7"));
}

static void sections_lie_anywhere(void **state)
{
    for (enum layout layout = USUAL_LAYOUT; layout <= CONTENTS_FIRST; layout++) {
        struct recording r = begin();
        r.entry_size = layout == USUAL_LAYOUT ? 144 : 80;
        struct bytes *b = feature(&r, 5);
        put_string(b, "6.1.2");
        b = feature(&r, 11);
        put(b, 2, 4);
        put_string(b, "perf");
        put_string(b, "record\n./x y");
        put(feature(&r, 200), 1, 8); /* nobody knows it */
        map_program(&r);
        sample(&r, 10, 7, STACK(USER, MAIN, IN_USER, MAIN));
        expect(finish_as(&r, layout), NULL, "",
               "/srv/prog main line=0 self=7 incl=7 inv=1\n"
               "header: creator: perf 6.1.2\n"
               "header: cmd: perf record?./x y\n"
               "header: events: page-faults\n"
               "header: summary: 7\n");
    }
}

static void version_1_has_names_of_events(void **state)
{
    struct recording r = begin();
    r.events[0].type = 3;
    r.events[0].config = 99;
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, MAIN, IN_USER, MAIN));
    struct bytes b = finish(&r);
    memcpy(b.at, "PERFFILE", 8);
    set(&b, 56, b.length, 8);
    set(&b, 64, 2 * 72, 8);
    for (unsigned i = 98; i <= 99; i++) {
        put(&b, i, 8);
        put_bytes(&b, i == 98 ? "no-event" : "old-name", 9);
        put_zeros(&b, 64 - 9);
    }
    expect(b, NULL, "", "/srv/prog main line=0 self=7 incl=7 inv=1\n"
                        "header: creator: perf\nheader: events: old-name\nheader: summary: 7\n");
}

static void a_killed_recording_is_read_to_its_end(void **state)
{
    struct recording r = begin();
    call_f(&r);
    size_t whole = r.data.length;
    sample(&r, 20, 7, STACK(USER, F, IN_USER, F, MAIN));
    struct bytes b = finish(&r);
    size_t data_at = 104 + 8 + 80;
    b.length = data_at + whole + 12;
    set(&b, 48, 0, 8);
    set(&b, 72, UINT64_MAX, 8); /* not to be trusted */
    expect(b, NULL, "warning: " WAS_KILLED "warning: " ENDS_AT_336, ONE_STACK("7", "7"));
}

static void a_pipe_has_records_for_sections(void **state)
{
    struct recording r = begin();
    size_t record = begin_record(&r, ATTR, 0);
    put_attr(&r.data, &r.events[0], 64);
    put(&r.data, r.events[0].id, 8);
    end_record(&r, record);
    record = begin_record(&r, FEATURE, 0);
    put(&r.data, 5, 8);
    put(&r.data, 4, 4);
    put_bytes(&r.data, "6.9", 4); /* sizes need not be multiples of 8 */
    end_record(&r, record);
    RECORD(&r, FEATURE, 0, 0, NO_TRAILER, NULL, 32); /* the end of them */
    RECORD(&r, UPDATE, 0, 0, NO_TRAILER, "faults:u", 2, 11);
    record = begin_record(&r, TRACING_DATA, 0);
    put(&r.data, 27, 4);
    end_record(&r, record);
    put_bytes(&r.data, "twenty-seven bytes, and more....", 32); /* rounded up to 8 */
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, MAIN, IN_USER, MAIN));
    expect(finish_pipe(&r), NULL, "", "/srv/prog main line=0 self=7 incl=7 inv=1\n"
                        "header: creator: perf 6.9\nheader: events: faults:u\nheader: summary: 7\n");
}

/* perf, which has these data after the record, has them only in pipes. */
static void simpleperf_has_tracing_data_in_the_record(void **state)
{
    struct recording r = begin();
    put(feature(&r, 128), 0, 8);
    size_t record = begin_record(&r, TRACING_DATA, 0);
    put(&r.data, 8, 4);
    put_bytes(&r.data, "tracing....", 12);
    end_record(&r, record);
    call_f(&r);
    expect(finish(&r), NULL, "", ONE_STACK("7", "7"));
}

static void what_cannot_be_read_is_refused(void **state)
{
    struct recording r = begin();
    put(feature(&r, 24), 1, 8);
    end_round(&r);
    expect(finish(&r), NULL,
           "error: found a part of a folder made by perf record --threads, which cannot be read here, "
           "expected a recording without; record without --threads\n", "");
    r = begin(); /* version 0: perf record --kcore, which has a folder for other files than this one */
    put(feature(&r, 24), 0, 8);
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, MAIN, IN_USER, MAIN));
    expect(finish(&r), NULL, "", "/srv/prog main line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
    r = begin();
    end_round(&r);
    struct bytes b = finish(&r);
    memcpy(b.at, "2ELIFREP", 8);
    expect(b, NULL,
           "error: was recorded on a machine of another byte order, expected little-endian; convert the "
           "text of perf script\n", "");
}

/* ---- compressed records --------------------------------------------------------------------- */

/* A block of zstd that contains its bytes as they are. */
static void put_block(struct bytes *b, const void *bytes, size_t length)
{
    put(b, (uint64_t)length << 3, 3);
    put_bytes(b, bytes, length);
}

/* Compresses the data from `from` on: records of that type, with `piece` bytes each. */
static void compress(struct recording *r, size_t from, size_t piece, unsigned type)
{
    struct bytes plain = {NULL, 0};
    put_bytes(&plain, r->data.at + from, r->data.length - from);
    r->data.length = from;
    for (size_t at = 0; at < plain.length; at += piece) {
        struct bytes stream = {NULL, 0};
        size_t record = begin_record(r, type, 0);
        if (at == 0)
            put_bytes(&stream, "\x28\xb5\x2f\xfd\0\x58", 6);
        put_block(&stream, plain.at + at, plain.length - at < piece ? plain.length - at : piece);
        if (type == COMPRESSED2)
            put(&r->data, stream.length, 8);
        put_bytes(&r->data, stream.at, stream.length);
        if (type == COMPRESSED2)
            pad(&r->data, 8);
        end_record(r, record);
        free_bytes(&stream);
    }
    free_bytes(&plain);
}

/* Whole records and split ones; rounds end between them, and the mapping may not be compressed. */
static void compressed_records_are_decoded(void **state)
{
    static const size_t pieces[] = {60000, 100, 7};
    if (!has_program("zstd"))
        skip();
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        for (unsigned type = COMPRESSED; type <= COMPRESSED2; type += COMPRESSED2 - COMPRESSED) {
            struct recording r = begin();
            if (i == 1)
                map_program(&r);
            size_t from = r.data.length;
            sample(&r, 12, 3, STACK(USER, F, IN_USER, F, MAIN));
            sample(&r, 10, 4, STACK(USER, F, IN_USER, F, MAIN));
            if (i != 1)
                map_program(&r);
            compress(&r, from, pieces[i], type);
            end_round(&r);
            end_round(&r);
            expect(finish(&r), NULL, "", "/srv/prog main line=0 self=0 incl=7 inv=2\n  to f:0 x2 =7\n"
                   "/srv/prog f line=0 self=7 incl=7 inv=2\n  from main:0 x2 =7\n" HEADERS("7"));
        }
}

/* Converts a recording that is refused with a message that begins and ends like this. */
static void expect_error(struct bytes recording, const char *start, const char *end)
{
    unsigned descriptors = open_descriptors();
    struct conversion_result result = convert(recording, NULL);
    size_t length = strlen(result.messages);
    assert_int_equal(result.status, CG2WG_FAILED);
    assert_true(strncmp(result.messages, start, strlen(start)) == 0);
    assert_true(length >= strlen(end) && strcmp(result.messages + length - strlen(end), end) == 0);
    assert_int_equal(open_descriptors(), descriptors);
    conversion_free(&result);
}

static void damaged_compression_is_an_error(void **state)
{
    enum { WHOLE, BLOCK_CUT, RECORD_CUT, OTHER_BLOCK, NO_STREAM, WITHIN, TOO_SHORT, OTHER_TYPE, COUNT };
    static const char zstd[] = "error: zstd cannot decode its records (exit status 1): ";
    static const char *const messages[COUNT][2] = {
        [BLOCK_CUT] = {zstd, "\n"},
        [RECORD_CUT] = {"error: found the end of the input at byte 72 of the decoded records, expected more data", "\n"},
        [OTHER_BLOCK] = {zstd, "\n"},
        [NO_STREAM] = {zstd, "\n"},
        [WITHIN] = {"error: found a compressed record at byte 0 of the decoded records, expected none", "\n"},
        [TOO_SHORT] = {"error: found a compressed record that is too short for its data at byte 192, expected", "\n"},
        [OTHER_TYPE] = {"error: found records compressed by another program than zstd, which cannot be read", "\n"}};
    if (!has_program("zstd"))
        skip();
    for (int kind = 1; kind < COUNT; kind++) {
        struct recording r = begin();
        if (kind == WITHIN)
            end_record(&r, begin_record(&r, COMPRESSED, 0));
        call_f(&r);
        if (kind == RECORD_CUT)
            r.data.length -= 8;
        size_t size = r.data.length + 9;
        compress(&r, 0, 60000, COMPRESSED2);
        if (kind == BLOCK_CUT)
            set(&r.data, 8, size - 5, 8);
        if (kind == OTHER_BLOCK)
            set(&r.data, 8 + 8 + 6, 6, 1);
        if (kind == NO_STREAM)
            set(&r.data, 8 + 8, 0, 4);
        if (kind == TOO_SHORT)
            set(&r.data, 8, 100000, 8);
        if (kind == OTHER_TYPE) {
            struct bytes *b = feature(&r, 27);
            put(b, 1, 4);
            put(b, 2, 4);
        }
        expect_error(finish(&r), messages[kind][0], messages[kind][1]);
    }
}

static void what_a_recording_lacks_is_reported(void **state)
{
    struct recording r = begin();
    call_f(&r);
    RECORD(&r, LOST, 0, 5, 11, NULL, 11, 3); /* the event's id */
    RECORD(&r, LOST_SAMPLES, 0, 5, 12, NULL, 1000);
    put(feature(&r, 18), 0, 8); /* HEADER_AUXTRACE */
    expect(finish(&r), NULL, HAS_TRACE "warning: 1003 records were lost while it was recorded\n", ONE_STACK("7", "7"));
}

/* What follows the record of a trace is no record. */
static void a_hardware_trace_is_passed_over(void **state)
{
    struct recording r = begin();
    map_program(&r);
    RECORD(&r, AUXTRACE, 0, 0, NO_TRAILER, NULL, 24);
    put_bytes(&r.data, "what the processor says.", 24);
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F, MAIN));
    expect(finish(&r), NULL, HAS_TRACE, ONE_STACK("7", "7"));
}

/* Without an event, nobody knows what a sample holds. */
static void samples_need_an_event(void **state)
{
    struct recording r = begin();
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F, MAIN));
    expect(finish_pipe(&r), NULL, "error: found a sample at byte 16, expected an event before it\n", "");
}

/* By perf record --call-graph=dwarf and =lbr, and by others */
static void a_recording_may_lack_callers_in_programs(void **state)
{
    static const struct {
        uint64_t fields;
        const char *how;
    } cases[] = {{0, "no callers in programs"},
                 {BRANCHES, "--call-graph lbr"},
                 {USER_STACK, "--call-graph dwarf"},
                 {BRANCHES | USER_STACK, "--call-graph dwarf"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char warning[200];
        struct recording r = begin();
        r.events[0].sample_type |= cases[i].fields;
        r.events[0].flags |= WITHOUT_USER_CHAIN;
        call_f(&r);
        snprintf(warning, sizeof warning, "warning: recorded with %s: callers in programs are not in its "
                 "chains, and are missing here; convert the text of perf script, which has them\n", cases[i].how);
        expect(finish(&r), NULL, warning, ONE_STACK("7", "7"));
    }
}

/* What draws a warning is an error with --strict, and nothing is written. */
static void problems_are_errors_if_strict(void **state)
{
    enum { LOSES_RECORDS, LACKS_CHAINS, IS_KILLED, HAS_STRANGE_SAMPLES, COUNT };
    for (int kind = 0; kind < COUNT; kind++) {
        struct recording r = begin();
        struct cg2wg_options options = with_root();
        options.strict = true;
        call_f(&r);
        if (kind == LOSES_RECORDS) {
            RECORD(&r, LOST_SAMPLES, 0, 0, NO_TRAILER, NULL, 1);
        } else if (kind == LACKS_CHAINS) {
            sample(&r, 11, 7, STACK(KERNEL, 0xffff0110, IN_KERNEL, 0xffff0110, (uint64_t)-640, 99));
        } else if (kind == HAS_STRANGE_SAMPLES) {
            free_bytes(&r.data);
            r.events[0].sample_type |= IDENTIFIER;
            r.events[1] = r.events[0];
            r.events[1].id = 12;
            r.event_count = 2;
            r.events[0].id = 404;
            sample(&r, 11, 7, STACK(USER, F, IN_USER, F, MAIN));
            r.events[0].id = 11;
        }
        struct bytes b = finish(&r);
        if (kind == IS_KILLED)
            set(&b, 48, 0, 8);
        static const char *const messages[COUNT] = {
            "error: 1 records were lost while it was recorded\n",
            "error: found no callers in programs of 1 samples, expected a record of them\n", "error: " WAS_KILLED,
            "error: found 1 samples of no event, expected none; they are left out\n"};
        expect(b, &options, messages[kind], "");
    }
}

/* ---- recognition -------------------------------------------------------------------------- */

static void recordings_are_recognised(void **state)
{
    bool more;
    assert_ptr_equal(frontend_for(text_of_string("PERFILE2"), &more), &perf_frontend);
    assert_ptr_equal(frontend_for(text_of_string("PERFFILE"), &more), &perf_frontend);
    assert_ptr_equal(frontend_for(text_of_string("2ELIFREP"), &more), &perf_frontend);
    assert_null(frontend_for(text_of_string("PERFILE3"), &more));
    assert_ptr_equal(frontend_named("perf"), &perf_frontend);
}

/* ---- what is damaged ---------------------------------------------------------------------- */

static struct bytes rich_recording(void)
{
    struct recording r = begin();
    put_build_id(&r, own_id, "/srv/prog");
    put_string(feature(&r, 5), "6.1");
    name_events(&r, (const char *const[]){"page-faults"});
    name_thread(&r, 5, 5, 1, "prog");
    map_program(&r);
    fork_process(&r, 5, 6, 3, 0);
    kernel_symbol(&r, 4, 0xffff8000, 0x100, 1, 0, "bpf_prog_1");
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F, MAIN));
    end_round(&r);
    sample_of(&r, 0, 6, 6, 20, 1, STACK(KERNEL, 0xffff8010, IN_KERNEL, 0xffff8010, IN_USER, G, MAIN));
    end_round(&r);
    return finish(&r);
}

static void try_damaged(const struct bytes *b)
{
    struct cg2wg_options options = with_root();
    struct conversion_result result = convert_bytes(b->at, b->length, &options);
    if (result.status == CG2WG_OK) {
        assert_non_null(result.bytes);
        assert_null(strstr(result.dump, "unreadable"));
    } else {
        assert_int_equal(result.status, CG2WG_FAILED);
        assert_non_null(strstr(result.messages, "error: "));
        assert_null(result.bytes);
    }
    conversion_free(&result);
}

static void every_damaged_byte_is_read_or_refused(void **state)
{
    static const unsigned char values[] = {0, 0x7f, 0xff};
    struct bytes b = rich_recording();
    for (size_t i = 8; i < b.length; i++) {
        unsigned char kept = b.at[i];
        for (size_t k = 0; k < sizeof values; k++) {
            b.at[i] = values[k];
            try_damaged(&b);
        }
        b.at[i] = kept;
    }
    free_bytes(&b);
}

/*
 * Records that end with their heads, or a byte before their number does. Those of the kernel are only read when others
 * have followed; the message still names their own place.
 */
static void records_may_be_too_short(void **state)
{
#define SHORT "a record that is too short for what it contains", "a longer one", 0
    static const struct {
        unsigned type;
        const char *found, *expected;
        size_t size;
    } cases[] = {
        {TRACING_DATA, "tracing data without a size", "a size of 4 bytes", 3},
        {AUXTRACE, "a hardware trace without a size", "a size of 8 bytes", 7},
        {FEATURE, "a feature without a number", "a number of 8 bytes", 7},
        {TRACING_DATA, "tracing data without a size", "a size of 4 bytes", 0},
        {AUXTRACE, "a hardware trace without a size", "a size of 8 bytes", 0},
        {BUILD_ID, "a build-id without a name", "a build-id", 0},
        {FEATURE, "a feature without a number", "a number of 8 bytes", 0},
        {ATTR, "an event of an impossible size", "one that its record can hold", 0},
        {MMAP, SHORT}, {MMAP2, SHORT}, {COMM, SHORT}, {FORK, SHORT}, {KSYMBOL, SHORT}, {DEFERRED, SHORT},
        {LOST, SHORT}, {LOST_SAMPLES, SHORT},
    };
#undef SHORT
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[200];
        struct recording r = begin();
        size_t record = begin_record(&r, cases[i].type, USER);
        put_zeros(&r.data, cases[i].size);
        end_record(&r, record);
        name_thread(&r, 5, 5, 10, "main");
        end_round(&r);
        snprintf(message, sizeof message, "error: found %s at byte 192, expected %s\n", cases[i].found,
                 cases[i].expected);
        expect(finish(&r), NULL, message, "");
    }
}

/* A sample that ends after any of its fields but the last, with or without an event. */
static void samples_may_be_too_short(void **state)
{
    static const uint64_t types[] = {USUAL | ADDR | ID | STREAM | CPU | IDENTIFIER | READ, USUAL | ID,
                                     IP | READ | CHAIN};
    static const uint64_t formats[] = {8 | 4 | 2 | 1, 0, 4 | 16};
    /* Fields, readings, and the chain */
    static const size_t words[] = {9 + 1 + 2 + 2 * 2 + 3, 5 + 3, 1 + 3 + 3};
    for (size_t i = 0; i < 3; i++) {
        for (size_t length = 0; length <= words[i]; length++) {
            char message[200];
            struct recording r = begin();
            r.events[0].sample_type = types[i];
            r.events[0].read_format = formats[i];
            r.events[1] = r.events[0];
            r.events[1].id = 12;
            r.event_count = 2;
            size_t record = begin_record(&r, SAMPLE, USER);
            for (size_t at = 0; at < length; at++) {
                bool is_count = (i == 0 && at == 9) || at + 3 == words[i];
                put(&r.data, is_count ? 2 : at == 0 ? 11 : 0, 8);
            }
            end_record(&r, record);
            snprintf(message, sizeof message,
                     "error: found a %s that is too short for what it contains at byte 280, expected a "
                     "longer one\n",
                     length < (i == 0 ? 1 : i == 1 ? 4 : 0) ? "record" : "sample");
            struct conversion_result result = convert(finish(&r), NULL);
            if (length < words[i])
                assert_string_equal(result.messages, message);
            else
                assert_null(strstr(result.messages, "too short"));
            conversion_free(&result);
        }
    }
}

/* Contents that end before their sizes say so are left out, or with --strict an error. */
static void features_may_end_early(void **state)
{
    static const struct {
        unsigned bit;
        const char *name;
    } cases[] = {{2, "BUILD_ID"}, {3, "HOSTNAME"}, {4, "OSRELEASE"}, {5, "VERSION"}, {11, "CMDLINE"},
                 {12, "EVENT_DESC"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t whole = 1;
        for (size_t length = 0; length <= whole; length++) {
            char message[200];
            struct recording r = begin();
            if (cases[i].bit == 2)
                put_build_id(&r, own_id, "/srv/prog");
            else if (cases[i].bit == 12)
                name_events(&r, (const char *const[]){"page-faults"});
            else if (cases[i].bit == 11) {
                put(feature(&r, 11), 1, 4);
                put_string(&r.features[0].content, "perf");
            }
            else
                put_string(feature(&r, cases[i].bit), "6.1");
            whole = r.features[0].content.length;
            r.features[0].content.length = length;
            call_f(&r);
            struct bytes b = finish(&r);
            bool is_odd = length < whole && (cases[i].bit != 2 || length > 0); /* no build-ids are fine */
            for (int strict = 0; strict < 2; strict++) {
                struct cg2wg_options options = with_root();
                options.strict = strict != 0;
                snprintf(message, sizeof message,
                         "%s: found a malformed section %s, expected one that ends where its size says; the "
                         "rest of it is left out\n", strict ? "error" : "warning", cases[i].name);
                struct conversion_result result = convert_bytes(b.at, b.length, &options);
                assert_string_equal(result.messages, is_odd ? message : "");
                assert_int_equal(result.status, strict && is_odd ? CG2WG_FAILED : CG2WG_OK);
                if (result.status == CG2WG_OK)
                    assert_non_null(strstr(result.dump, "/srv/prog f line=0 self=7 incl=7 inv=1\n"));
                conversion_free(&result);
            }
            free_bytes(&b);
        }
    }
}

/* Sections whose places are not in the file. */
static void sections_may_be_missing(void **state)
{
    enum { DATA_AT = 104 + 8 + 80 };
#define NO_CONTENT "warning: found feature 5 outside of the file, expected it within; it is left out\n"
#define NO_EVENTS "error: found events outside of the file, expected them within it\n"
    static const struct {
        size_t at; /* in the file; or from the table of features on */
        bool is_in_table;
        uint64_t value;
        const char *messages;
    } cases[] = {
        {0, true, UINT64_MAX, NO_CONTENT},
        {8, true, UINT64_MAX, NO_CONTENT},
        {0, true, 1 << 20, NO_CONTENT},
        {24, false, UINT64_MAX, NO_EVENTS},
        {104 + 8 + 64, false, UINT64_MAX, NO_EVENTS},
        {16, false, 15, "error: found events of 15 bytes in a section of 80, expected one at least\n"},
        {16, false, 81, "error: found events of 81 bytes in a section of 80, expected one at least\n"},
        {8, false, 17, "error: found a header of 17 bytes, expected 104, or 16 in a pipe\n"},
    };
#undef NO_CONTENT
#undef NO_EVENTS
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct recording r = begin();
        put_string(feature(&r, 5), "6.1");
        call_f(&r);
        size_t table_at = DATA_AT + r.data.length;
        struct bytes b = finish(&r);
        set(&b, cases[i].at + (cases[i].is_in_table ? table_at : 0), cases[i].value, 8);
        expect(b, NULL, cases[i].messages, cases[i].is_in_table ? ONE_STACK("7", "7") : "");
    }
}

/* In a stream, data may end anywhere; in a file with sizes, not. */
static void data_may_end_early(void **state)
{
    for (int killed = 0; killed < 2; killed++) {
        struct recording r = begin();
        call_f(&r);
        RECORD(&r, AUXTRACE, 0, 0, NO_TRAILER, NULL, 1000);
        put_bytes(&r.data, "the beginning of a trace", 24);
        size_t length = 104 + 8 + 80 + r.data.length;
        struct bytes b = finish(&r);
        b.length = length;
        if (killed)
            set(&b, 48, 0, 8);
        expect(b, NULL,
               killed ? "warning: " WAS_KILLED "warning: " ENDS_AT_336 HAS_TRACE
                      : "error: found the end of the input at byte 352, expected more data\n",
               killed ? ONE_STACK("7", "7") : "");
    }
}

static void messages_say_what_is_wrong(void **state)
{
    enum { SAMPLE_AT = 104 + 8 + 80 + 72 };
    static const struct {
        size_t at, size;
        uint64_t value;
        const char *message;
    } cases[] = {
        {6, 2, 4, "error: found a record of less than 8 bytes at byte 264, expected 8 or more\n"},
        {6, 2, 0xffff, "error: found a record that passes the end of the data at byte 264, expected a shorter one\n"},
        {40, 8, UINT64_MAX,
         "error: found a sample that is too short for what it contains at byte 264, expected a longer one\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct recording r = begin();
        call_f(&r);
        struct bytes b = finish(&r);
        set(&b, SAMPLE_AT + cases[i].at, cases[i].value, cases[i].size);
        expect(b, NULL, cases[i].message, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_becomes_rows_and_arcs),
        cmocka_unit_test(an_event_has_the_period),
        cmocka_unit_test(all_fields_are_passed_over),
        cmocka_unit_test(sections_lie_anywhere),
        cmocka_unit_test(version_1_has_names_of_events),
        cmocka_unit_test(a_killed_recording_is_read_to_its_end),
        cmocka_unit_test(a_pipe_has_records_for_sections),
        cmocka_unit_test(simpleperf_has_tracing_data_in_the_record),
        cmocka_unit_test(what_cannot_be_read_is_refused),
        cmocka_unit_test(compressed_records_are_decoded),
        cmocka_unit_test(damaged_compression_is_an_error),
        cmocka_unit_test(what_a_recording_lacks_is_reported),
        cmocka_unit_test(a_hardware_trace_is_passed_over),
        cmocka_unit_test(samples_need_an_event),
        cmocka_unit_test(a_recording_may_lack_callers_in_programs),
        cmocka_unit_test(problems_are_errors_if_strict),
        cmocka_unit_test(recordings_are_recognised),
        cmocka_unit_test(every_damaged_byte_is_read_or_refused),
        cmocka_unit_test(records_may_be_too_short),
        cmocka_unit_test(samples_may_be_too_short),
        cmocka_unit_test(features_may_end_early),
        cmocka_unit_test(sections_may_be_missing),
        cmocka_unit_test(data_may_end_early),
        cmocka_unit_test(messages_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, make_program, NULL);
}

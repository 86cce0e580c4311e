/* SPDX-License-Identifier: MIT */
/* Recordings that would take too much time or memory. */
#include "recording.h"

#include "read/filter.h"
#include "util/crc32.h"
#include "util/little.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* What zstd makes of a recording's data, many times over; the stream does not end, as perf leaves it. */
static struct bytes expanding_stream(const struct bytes *data, unsigned times)
{
    struct bytes stream = {NULL, 0};
    char *path = scratch_path("stream"), command[400];
    unsigned char block[4096];
    size_t count, at = 6;
    snprintf(command, sizeof command, "zstd -qc --no-check >'%s'", path);
    FILE *pipe = popen(command, "w");
    assert_non_null(pipe);
    for (unsigned i = 0; i < times; i++)
        assert_int_equal(fwrite(data->at, 1, data->length, pipe), data->length);
    assert_int_equal(pclose(pipe), 0);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    while ((count = fread(block, 1, sizeof block, file)) > 0)
        put_bytes(&stream, block, count);
    fclose(file);
    unlink(path);
    free(path);
    while ((stream.at[at] & 1) == 0) { /* until the last block; one of equal bytes has only the first of them */
        unsigned head = little4(stream.at + at);
        at += 3 + ((head & 6) == 2 ? 1 : (head & 0xffffff) >> 3);
    }
    stream.at[at] &= 0xfe;
    return stream;
}

/* 750 MB of samples with large stacks, from some 100 KB. They take time, but do not wait in memory. */
static void expansion_is_bounded(void **state)
{
    enum { DEPTH = 8000, TIMES = 12000, PIECE = 60000, MOST_KB = 450 << 10 };
    static uint64_t chain[DEPTH];
    struct recording r = begin(), deep = begin();
    struct rusage before, after;
    if (!has_program("zstd"))
        skip();
    for (size_t i = 0; i < DEPTH; i++)
        chain[i] = i == 0 ? IN_USER : F;
    sample(&deep, 10, 1, (struct stack){USER, F, chain, DEPTH});
    struct bytes stream = expanding_stream(&deep.data, TIMES);
    map_program(&r);
    for (size_t at = 0; at < stream.length; at += PIECE) {
        size_t record = begin_record(&r, COMPRESSED, 0);
        put_bytes(&r.data, stream.at + at, stream.length - at < PIECE ? stream.length - at : PIECE);
        end_record(&r, record);
    }
    assert_in_range(r.data.length, 1, 1 << 20);
    struct bytes b = finish(&r);
    struct cg2wg_options options = with_root();
    getrusage(RUSAGE_SELF, &before);
    struct conversion_result result = convert_bytes(b.at, b.length, &options);
    getrusage(RUSAGE_SELF, &after);
    assert_string_equal(result.messages, "");
    assert_non_null(strstr(result.dump, "/srv/prog f line=0 self=12000 incl=12000 inv=12000\n"));
#ifdef __linux__ /* others count in other units */
    assert_true(is_watched() || after.ru_maxrss - before.ru_maxrss < MOST_KB);
#endif
    conversion_free(&result);
    free_bytes(&b);
    free_bytes(&stream);
    free_bytes(&deep.data);
}

#define MANY_SYMBOLS(objects) \
    "warning: symbols take more than 256 MB, or their names overlap; some are left out, of " objects "\n"

/* The program with these symbols, whose names take `size` bytes; what it lacks for that is a hole. */
static void write_with_names(const char *name, uint64_t size, const struct symbol *symbols, size_t count)
{
    struct bytes b = elf(true, 62, 2, own_id, symbols, count);
    uint64_t names_at = number_at(&b, section_field(&b, 3, OFFSET_AT));
    char *path = scratch_path(name);
    set(&b, section_field(&b, 3, SIZE_AT), size, 8);
    write_in_root(name, b);
    assert_int_equal(truncate(path, (off_t)(names_at + size)), 0);
    free(path);
}

/* Together, the paths of one file would have more symbols than there may be. With those of another, there are. */
static void a_file_is_read_once(void **state)
{
    enum { PATHS = 20, MB = 1 << 20 };
    struct recording r = begin();
    char path[80] = "/srv/", dump[4000] = "";
    write_with_names("other", 20 * MB, usual_symbols, 3);
    write_with_names("large", 240 * MB, usual_symbols, 3);
    for (unsigned i = 0; i < PATHS; i++) {
        strcpy(path + 5 + 2 * i, "other");
        map(&r, 5, 0, 0x10000 * i, 0x1000, 0x1000, path);
        sample(&r, 10 + i, 1, STACK(USER, 0x10000 * i + 0x110, IN_USER));
        sprintf(dump + strlen(dump), "%s f line=0 self=1 incl=1 inv=1\n", path);
        strcpy(path + 5 + 2 * i, "./");
    }
    map(&r, 5, 0, 0x10000 * PATHS, 0x1000, 0x1000, "/srv/large");
    sample(&r, 10 + PATHS, 1, STACK(USER, 0x10000 * PATHS + 0x110, IN_USER));
    strcat(dump, "/srv/large [large] line=0 self=1 incl=1 inv=1\n" HEADERS("21"));
    expect(finish(&r), NULL, MANY_SYMBOLS("/srv/large"), dump);
    remove_from_root("other");
    remove_from_root("large");
}

/* What is read of files without a function counts, too: 512 MB in all have no room for three times 200. */
static void files_are_read_up_to_a_sum(void **state)
{
    enum { FILES = 3, MB = 1 << 20 };
    static const struct symbol data = {"data", TEXT_AT, 16, OBJECT, 0};
    struct recording r = begin();
    char path[] = "/srv/vain0", dump[1000] = "";
    for (unsigned i = 0; i < FILES; i++, path[sizeof path - 2]++) {
        write_with_names(path + 5, 200 * MB, &data, 1);
        map(&r, 5, 0, 0x10000 * i, 0x1000, 0x1000, path);
        sample(&r, 10 + i, 1, STACK(USER, 0x10000 * i + 0x110, IN_USER));
        sprintf(dump + strlen(dump), "%s [vain%u] line=0 self=1 incl=1 inv=1\n", path, i);
    }
    strcat(dump, HEADERS("3"));
    expect(finish(&r), NULL, NO_SYMBOLS("/srv/vain0, /srv/vain1") MANY_SYMBOLS("/srv/vain2"), dump);
    while (path[sizeof path - 2]-- > '0')
        remove_from_root(path + 5);
}

/* A program with exported symbols only, without a build-id, whose debug file has that name and checksum. */
static void write_stripped(const char *name, const char *debug_name, uint32_t checksum)
{
    enum { NOTE_AT = 64 + 2 * 56, NAME_AT = 0 }; /* in the file, in a section */
    const struct symbol exported[] = {{".gnu_debuglink", TEXT_AT, 16, OBJECT, 0}, {"exported", TEXT_AT, 16, FUNCTION, 0}};
    struct bytes b = elf(true, 62, 11, own_id, exported, 2);
    size_t text = (size_t)number_at(&b, section_field(&b, 1, OFFSET_AT));
    size_t length = (strlen(debug_name) + 4) & ~(size_t)3;
    set(&b, NOTE_AT + 8, 0, 4);                       /* no build-id */
    set(&b, section_field(&b, 1, NAME_AT), 1, 4);     /* the first name of the table is .gnu_debuglink */
    memcpy(b.at + text, debug_name, strlen(debug_name) + 1);
    set(&b, text + length, checksum, 4);
    set(&b, section_field(&b, 1, SIZE_AT), length + 4, 8);
    write_in_root(name, b);
}

/* Whether a debug file is the right one can depend on all of its bytes, which count, too: of three times 200, two. */
static void checksums_are_of_no_more_than_the_sum(void **state)
{
    enum { FILES = 3, MB = 1 << 20, NOTE_AT = 64 + 2 * 56 };
    static const unsigned char zeros[MB];
    struct bytes b = elf(true, 62, 2, own_id, usual_symbols, 3);
    struct crc32 crc;
    crc32_init(&crc);
    set(&b, NOTE_AT + 8, 0, 4); /* no build-id */
    uint32_t sum = crc32_add(&crc, 0, b.at, b.length);
    for (size_t left = 200 * MB - b.length; left > 0; left -= MIN(left, MB))
        sum = crc32_add(&crc, sum, zeros, MIN(left, MB));
    struct recording r = begin();
    for (unsigned i = 0; i < FILES; i++) {
        char path[] = "/srv/0", debug_name[] = "0.debug";
        struct bytes copy = {NULL, 0};
        path[5] = debug_name[0] = (char)('0' + i);
        put_bytes(&copy, b.at, b.length);
        write_in_root(debug_name, copy);
        char *debug_path = scratch_path(debug_name);
        assert_int_equal(truncate(debug_path, 200 * MB), 0);
        free(debug_path);
        write_stripped(path + 5, debug_name, sum);
        map(&r, 5, 0, 0x10000 * i, 0x1000, 0x1000, path);
        sample(&r, 10 + i, 1, STACK(USER, 0x10000 * i + 0x110, IN_USER));
    }
    expect(finish(&r), NULL, NO_SYMBOLS("/srv/2"),
           "/srv/0 f line=0 self=1 incl=1 inv=1\n/srv/1 f line=0 self=1 incl=1 inv=1\n"
           "/srv/2 [2] line=0 self=1 incl=1 inv=1\n" HEADERS("3"));
    for (unsigned i = 0; i < FILES; i++) {
        char debug_name[] = "0.debug";
        debug_name[0] = (char)('0' + i);
        remove_from_root(debug_name);
        debug_name[1] = '\0';
        remove_from_root(debug_name);
    }
    free_bytes(&b);
}

/* Maps of code that was made at run time count, too: two of 300 MB are read up to the 256 that symbols may have. */
static void maps_count_among_what_is_read(void **state)
{
    enum { MB = 1 << 20 };
    struct recording r = begin();
    for (uint32_t pid = 6; pid < 8; pid++) {
        char name[20];
        snprintf(name, sizeof name, "perf-%u.map", pid);
        write_text_in_root(name, "7000 200 made\n");
        char *path = scratch_path(name);
        assert_int_equal(truncate(path, 300 * MB), 0);
        free(path);
        map(&r, pid, 0, 0x7000, 0x1000, 0, "//anon");
        sample_of(&r, 0, pid, pid, pid, 1, STACK(USER, 0x7010, IN_USER));
    }
    call_f(&r);
    struct conversion_result result = convert(finish(&r), NULL);
    assert_string_equal(result.messages, MANY_SYMBOLS("/tmp/perf-6.map, /tmp/perf-7.map, /srv/prog"));
    assert_non_null(strstr(result.dump, "/srv/prog [prog] line=0 self=7 "));
    conversion_free(&result);
    remove_from_root("perf-6.map");
    remove_from_root("perf-7.map");
}

/* Each symbol's name is what follows the first byte of the name before. */
static void names_that_overlap_are_bounded(void **state)
{
    enum { COUNT = 100, LENGTH = 10000 };
    static char name[LENGTH + 1];
    struct symbol symbols[COUNT];
    struct recording r = begin();
    struct cg2wg_options options = with_root();
    memset(name, 'x', LENGTH);
    map(&r, 5, 0, 0x7000, 0x1000, 0x1000, "/srv/other");
    for (unsigned i = 0; i < COUNT; i++) {
        symbols[i] = (struct symbol){i == 0 ? name : "", TEXT_AT + 16 * i, 16, FUNCTION, 0};
        sample(&r, 10 + i, 1, STACK(USER, 0x7000 + 16 * i, IN_USER));
    }
    struct bytes b = elf(true, 62, 2, own_id, symbols, COUNT), recording = finish(&r);
    size_t symbols_at = (size_t)number_at(&b, section_field(&b, 2, OFFSET_AT));
    for (unsigned i = 0; i < COUNT; i++)
        set(&b, symbols_at + 24 * (i + 1), 1 + i, 4);
    write_in_root("other", b);
    struct conversion_result result = convert_bytes(recording.at, recording.length, &options);
    assert_string_equal(result.messages, MANY_SYMBOLS("/srv/other"));
    assert_in_range(result.size, LENGTH, 20 * LENGTH);
    conversion_free(&result);
    free_bytes(&recording);
    remove_from_root("other");
}

/*
 * A name of C++ in which each parameter is a template of two of those before: a<char, char>, a<a<char, char>,
 * a<char, char> > ... c++filt writes each one out.
 */
static void double_types(char *name, unsigned times)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    strcpy(name, "_Z1f1aIccE");
    for (unsigned i = 0; i < times; i++)
        sprintf(name + strlen(name), "S_IS%c_S%c_E", digits[i], digits[i]);
}

/* A name of 200 bytes would have 10 MB, one of a few more gigabytes. */
static void readable_names_are_bounded(void **state)
{
    char large[400], endless[600], dump[3000];
    if (!has_program("c++filt"))
        skip();
    double_types(large, 18);
    double_types(endless, 36);
    const struct symbol symbols[] = {{"_Z4goodi", TEXT_AT, 16, FUNCTION, 0},
                                     {large, TEXT_AT + 16, 16, FUNCTION, 0},
                                     {"_Z5otherl", TEXT_AT + 32, 16, FUNCTION, 0},
                                     {endless, TEXT_AT + 48, 16, FUNCTION, 0}};
    static const uint64_t places[] = {0, 16, 32, 48};
    struct cg2wg_options options = with_root();
    options.demangle = CG2WG_DEMANGLE_ALWAYS;
    for (size_t count = 3; count <= 4; count++) {
        write_in_root("other", elf(true, 62, 2, own_id, symbols, count));
        snprintf(dump, sizeof dump, ROW("good(int)", "1") ROW("%s", "1") ROW("other(long)", "1") "%s%s%s"
                 HEADERS("%zu"), large, count == 4 ? "/srv/other " : "", count == 4 ? endless : "",
                 count == 4 ? " line=0 self=1 incl=1 inv=1\n" : "", count);
        expect(sample_places(places, count), &options,
               count == 3 ? "" : "warning: found 3 readable names, expected 4: c++filt has failed, or was stopped "
                                 "because it took too much; the others stay as they are\n", dump);
    }
    remove_from_root("other");
}

/* Sections of ids that overlap are refused: a few make no more than a file of their size could have. */
static void ids_that_overlap_are_refused(void **state)
{
    enum { ENTRIES_AT = 104 + 4 * 8, SECTION_AT = 64 };
    for (int overlap = 0; overlap < 2; overlap++) {
        struct recording r = begin();
        r.event_count = 4;
        for (size_t i = 1; i < 4; i++)
            r.events[i] = r.events[0];
        call_f(&r);
        struct bytes b = finish(&r);
        for (size_t i = 0; overlap && i < 4; i++) {
            set(&b, ENTRIES_AT + 80 * i + SECTION_AT, 0, 8);
            set(&b, ENTRIES_AT + 80 * i + SECTION_AT + 8, ENTRIES_AT + 80 * 4, 8);
        }
        expect(b, NULL, overlap ? "error: found sections of ids that overlap, expected one for each event\n" : "",
               overlap ? "" : ONE_STACK("7", "7"));
    }
}

/* As many names as events, in version 1: each name is looked up once. */
static void many_names_of_events_are_looked_up(void **state)
{
    enum { COUNT = 100000, ENTRY = 80, TYPE = 72 };
    struct recording r = begin();
    call_f(&r);
    struct bytes b = {NULL, 0};
    put_bytes(&b, "PERFFILE", 8);
    put(&b, 104, 8);
    put(&b, ENTRY, 8);
    put(&b, 104, 8);
    put(&b, ENTRY * COUNT, 8);
    put(&b, 104 + (ENTRY + TYPE) * COUNT, 8);
    put(&b, r.data.length, 8);
    put(&b, 104 + ENTRY * COUNT, 8);
    put(&b, TYPE * COUNT, 8);
    put_zeros(&b, 104 - b.length);
    for (unsigned i = 0; i < COUNT; i++) {
        r.events[0].config = 100 + i;
        put_attr(&b, &r.events[0], ENTRY);
    }
    for (unsigned i = COUNT; i-- > 0;) {
        char name[64] = "";
        snprintf(name, sizeof name, "event-%u", i);
        put(&b, 100 + i, 8);
        put_bytes(&b, name, sizeof name);
    }
    put_bytes(&b, r.data.at, r.data.length);
    free_bytes(&r.data);
    clock_t start = clock();
    struct cg2wg_options options = with_root();
    struct conversion_result result = convert_bytes(b.at, b.length, &options);
    assert_string_equal(result.messages, "");
    assert_non_null(strstr(result.dump, "header: events: event-0\n"));
    assert_true(is_watched() || clock() - start < 2 * CLOCKS_PER_SEC);
    conversion_free(&result);
    free_bytes(&b);
}

/* The same notes again and again: they are not read each time. */
static void notes_that_overlap_are_bounded(void **state)
{
    enum { COUNT = 20000, NOTES = 1 << 20 };
    static const uint64_t places[] = {0x110};
    struct bytes b = elf(true, 62, 2, own_id, usual_symbols, 3);
    size_t sections = (size_t)number_at(&b, SECTIONS_AT), at = b.length;
    put_bytes(&b, b.at + sections, 4 * 64);
    for (unsigned i = 4; i < COUNT; i++)
        put_section(&b, true, (const uint64_t[10]){0, 7, 0, 0, 0x2000 + 64 * COUNT, NOTES, 0, 0, 4, 0});
    set(&b, SECTIONS_AT, at, 8);
    set(&b, SECTION_COUNT, COUNT, 2);
    set(&b, 64 + 56, 0, 4); /* no segment of notes, and no build-id */
    put_zeros(&b, NOTES);
    write_in_root("other", b);
    clock_t start = clock();
    expect(sample_places(places, 1), NULL, "", ROW("f", "1") HEADERS("1"));
    assert_true(is_watched() || clock() - start < 2 * CLOCKS_PER_SEC);
    remove_from_root("other");
}

/* Forks that each change a mapping, of a parent with many: none of them is copied whole. */
static void forks_take_no_more_than_they_say(void **state)
{
    enum { MAPPINGS = 2000, FORKS = 20000 };
    struct recording r = begin();
    for (uint32_t i = 0; i < MAPPINGS; i++)
        map(&r, 5, 0, 0x10000 + 0x100 * i, 0x100, 0, "/srv/prog");
    for (uint32_t i = 0; i < FORKS; i++) {
        fork_process(&r, 5 + i, 6 + i, 1, 0);
        map(&r, 6 + i, 1, 0x10000 + 0x100 * (i % MAPPINGS), 0x80, 0, "[vvar]");
    }
    sample_of(&r, 0, 5 + FORKS, 5 + FORKS, 9, 1, STACK(USER, 0x10010, IN_USER, 0x10010));
    expect(finish(&r), NULL, "", "[vvar] [vvar] line=0 self=1 incl=1 inv=1\n" HEADERS("1"));
}

static void ask_cat(void *of)
{
    static const struct program_kind kind = {.name = "cat", .is_optional = true, .input = "lines", .past = "stay"};
    struct diag diag = {.report = NULL};
    struct filter *filter = of;
    bool is_stopped;
    filter->kind = &kind;
    filter->diag = &diag;
    struct text answers = filter_answers(filter, text_of_string("a\nb\n"), &is_stopped);
    assert_true(text_equals(answers, "a\nb\n"));
}

/* The start of a program takes some milliseconds. There may be as many as an input names objects. */
static void starts_for_objects_take_time(void **state)
{
    struct cg2wg_demangling limits[2] = {{.used = 0}};
    struct filter filters[] = {{.limit = &limits[0], .file = -1}, {.limit = &limits[1]}};
    FILE *object = tmpfile();
    assert_non_null(object);
    filters[1].file = fileno(object);
    if (is_watched() || !has_program("cat"))
        skip();
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(task_run(ask_cat, &filters[i]), TASK_DONE);
    fclose(object);
    assert_int_equal(limits[0].used, 0);
    assert_true(limits[1].used > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_for_objects_take_time),
        cmocka_unit_test(expansion_is_bounded),
        cmocka_unit_test(a_file_is_read_once),
        cmocka_unit_test(files_are_read_up_to_a_sum),
        cmocka_unit_test(maps_count_among_what_is_read),
        cmocka_unit_test(checksums_are_of_no_more_than_the_sum),
        cmocka_unit_test(names_that_overlap_are_bounded),
        cmocka_unit_test(readable_names_are_bounded),
        cmocka_unit_test(ids_that_overlap_are_refused),
        cmocka_unit_test(many_names_of_events_are_looked_up),
        cmocka_unit_test(notes_that_overlap_are_bounded),
        cmocka_unit_test(forks_take_no_more_than_they_say),
    };
    return cmocka_run_group_tests(tests, make_program, NULL);
}

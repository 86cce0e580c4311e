/* SPDX-License-Identifier: MIT */
/*
 * --print=pprof, decoded here by the description of the format,
 * https://github.com/google/pprof/blob/main/proto/profile.proto, and compared with what cg2wg_read says of the same input.
 */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16384, MOST_STACK = 1100, VARINT = 0, BYTES = 2, STACK_TEXT = 64 * 1024 };

struct part {
    const unsigned char *at, *end;
};

static uint64_t take_number(struct part *p)
{
    uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert_true(p->at < p->end && shift < 64);
        number |= (uint64_t)(*p->at & 0x7f) << shift;
        if (*p->at++ < 0x80)
            return number;
    }
}

/* Takes a field: a number, or bytes. Returns its number, or 0 at the end. */
static unsigned take_field(struct part *p, uint64_t *number, struct part *bytes)
{
    if (p->at == p->end)
        return 0;
    uint64_t tag = take_number(p);
    assert_true((tag & 7) == VARINT || (tag & 7) == BYTES);
    *number = take_number(p);
    if ((tag & 7) == BYTES) {
        assert_true(*number <= (uint64_t)(p->end - p->at));
        *bytes = (struct part){p->at, p->at + *number};
        p->at = bytes->end;
    }
    return (unsigned)(tag >> 3);
}

/* A stack and its cost, as text and number. */
struct sample {
    char *stack;
    int64_t cost;
};

static struct found {
    struct part strings[MOST * 8];
    /* By id: */
    uint64_t function_name[MOST], system_name[MOST], function_file[MOST], function_line[MOST], location_function[MOST];
    uint64_t location_mapping[MOST];
    uint64_t mapping_file[MOST * 8];
    struct sample samples[MOST * 8];
    size_t string_count, sample_count;
    uint64_t type, unit, first_mapping;
} found;

static void add_sample(struct sample *samples, size_t *count, const char *stack, int64_t cost)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(samples[i].stack, stack) == 0) {
            samples[i].cost += cost;
            return;
        }
    assert_true(*count < MOST * 8);
    samples[(*count)++] = (struct sample){strdup(stack), cost};
}

/* Fields 1 and 2 of a message, as numbers; of the field `inner`, its field 1. */
static void take_pair(struct part message, uint64_t pair[2], unsigned inner)
{
    uint64_t number;
    struct part bytes;
    for (unsigned field; (field = take_field(&message, &number, &bytes)) != 0;) {
        if (field == inner)
            take_field(&bytes, &pair[1], &bytes);
        else if (field <= 2 && inner == 0)
            pair[field - 1] = number;
        else if (field == 1)
            pair[0] = number;
    }
}

/* The number in a field of a message; 0 if it has none. */
static uint64_t number_in(struct part message, unsigned wanted)
{
    uint64_t number;
    struct part bytes;
    for (unsigned field; (field = take_field(&message, &number, &bytes)) != 0;)
        if (field == wanted)
            return number;
    return 0;
}

static void decode(struct part all)
{
    uint64_t number;
    struct part bytes, rest = all;
    while (found.sample_count > 0)
        free(found.samples[--found.sample_count].stack);
    memset(&found, 0, sizeof found);
    for (unsigned field; (field = take_field(&rest, &number, &bytes)) != 0;) {
        uint64_t pair[2] = {0, 0};
        if (field == 6)
            found.strings[found.string_count++] = bytes;
        if (field == 1 || field == 5)
            take_pair(bytes, pair, 0);
        if (field == 4)
            take_pair(bytes, pair, 4);
        assert_true(pair[0] < MOST);
        if (field == 3)
            found.mapping_file[number_in(bytes, 1)] = number_in(bytes, 5);
        if (field == 3 && found.first_mapping == 0)
            found.first_mapping = number_in(bytes, 1);
        if (field == 5) {
            found.function_name[pair[0]] = pair[1];
            found.system_name[pair[0]] = number_in(bytes, 3);
            found.function_file[pair[0]] = number_in(bytes, 4);
            found.function_line[pair[0]] = number_in(bytes, 5);
        }
        if (field == 4) {
            found.location_function[pair[0]] = pair[1];
            found.location_mapping[pair[0]] = number_in(bytes, 2);
        }
        if (field == 1) {
            found.type = pair[0];
            found.unit = pair[1];
        }
    }
    assert_true(found.string_count > 0 && found.strings[0].at == found.strings[0].end);
    for (unsigned field; (field = take_field(&all, &number, &bytes)) != 0;) {
        char stack[STACK_TEXT] = "";
        struct part ids = bytes, values = bytes;
        if (field != 2)
            continue;
        assert_int_equal(take_field(&bytes, &number, &ids), 1);
        assert_int_equal(take_field(&bytes, &number, &values), 2);
        for (size_t used = 0; ids.at < ids.end;) { /* the callee first */
            uint64_t location = take_number(&ids);
            assert_true(location < MOST && found.location_function[location] != 0);
            struct part name = found.strings[found.function_name[found.location_function[location]]];
            used += (size_t)snprintf(stack + used, sizeof stack - used, "%.*s;", (int)(name.end - name.at),
                                     (const char *)name.at);
            assert_true(used < sizeof stack);
        }
        add_sample(found.samples, &found.sample_count, stack, (int64_t)take_number(&values));
    }
}

/* What is expected. */
static struct sample expected[MOST * 8];
static size_t expected_count;

static const struct input {
    const char *path, *type, *unit;
    int64_t factor; /* the unit of its costs in that of the samples */
    bool has_stacks, has_source;
    const char *program; /* as its command says */
} inputs[] = {
    {"testdata/xdebug/2.2-single.out", "Time", "nanoseconds", 1000, true, true, "single.php"},
    {"testdata/xdebug/3.2-cron.out", "Time", "nanoseconds", 10, true, true, "cron.php"},
    {"testdata/valgrind/cache-branch.out", "Ir", "count", 1, false, true, "shop"},
    {"testdata/perf/group.data", "cpu-clock:u", "nanoseconds", 1, true, false, "app"},
    {"testdata/aprof/v6-contexts.aprof", "bb-count", "count", 1, true, false, "shapes"},
    {"testdata/xdebug/2.1.0-single.out.webgrind7", "Time", "nanoseconds", 1000, false, true, "single.php"},
    {"testdata/xdebug/2.1.0-single.out.webgrind4", "Time", "nanoseconds", 1000, true, true, "single.php"},
};

/* pprof opens neither an object nor what is in place of a file: the last part of its name is in brackets. */
static void check_name(struct part name, struct cg2wg_bytes wanted, bool is_object)
{
    size_t folder = wanted.length, length = (size_t)(name.end - name.at);
    while (folder > 0 && wanted.at[folder - 1] != '/')
        folder--;
    if (is_object && wanted.length > 0 && wanted.at[folder] != '[' && wanted.at[folder] != '?') {
        assert_int_equal(length, wanted.length + 2);
        assert_memory_equal(name.at, wanted.at, folder);
        assert_true(name.at[folder] == '[' && name.end[-1] == ']');
        assert_memory_equal(name.at + folder + 1, wanted.at + folder, wanted.length - folder);
        return;
    }
    assert_int_equal(length, wanted.length);
    assert_memory_equal(name.at, wanted.at, wanted.length);
}

static void take(void *user, const struct cg2wg_profile *profile)
{
    const struct input *input = user;
    int64_t factor = input->factor;
    size_t count = profile->has_contexts ? profile->context_count : profile->function_count;
    for (size_t i = 0; i < profile->function_count; i++) {
        size_t location = 1; /* of the function; one that has no cost and makes no call has none */
        while (location < MOST && found.location_function[location] != i + 1)
            location++;
        struct part system = found.strings[found.system_name[i + 1]];
        struct cg2wg_bytes mangled = profile->functions[i].mangled_name, name = profile->functions[i].name;
        mangled = mangled.length > 0 ? mangled : name;
        assert_int_equal(system.end - system.at, mangled.length);
        assert_memory_equal(system.at, mangled.at, mangled.length);
        uint32_t line = profile->functions[i].line; /* or of a cost before it */
        assert_in_range(found.function_line[i + 1], line != 0, line);
        check_name(found.strings[found.function_file[i + 1]], profile->functions[i].file, !input->has_source);
        if (location < MOST)
            check_name(found.strings[found.mapping_file[found.location_mapping[location]]],
                       profile->functions[i].object, true);
    }
    for (size_t i = 0; i < count; i++) {
        char stack[STACK_TEXT];
        size_t used = 0;
        int64_t self = profile->has_contexts ? profile->contexts[i].self : profile->functions[i].self;
        uint32_t at = (uint32_t)i;
        do {
            uint32_t function = profile->has_contexts ? profile->contexts[at].function : at;
            struct cg2wg_bytes name = profile->functions[function].name;
            used += (size_t)snprintf(stack + used, sizeof stack - used, "%.*s;", (int)name.length, name.at);
            at = profile->has_contexts ? profile->contexts[at].parent : CG2WG_NO_CONTEXT;
        } while (at != CG2WG_NO_CONTEXT);
        if (self != 0)
            add_sample(expected, &expected_count, stack, self * factor);
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct sample *)a)->stack, ((const struct sample *)b)->stack);
}

static struct cg2wg_options options_of(const char *input)
{
    struct cg2wg_options options = default_options();
    if (text_ends(text_of_string(input), ".data"))
        options.samples.root = "testdata/perf/symfs";
    return options;
}

/* Prints an input, and decodes it. The caller frees what is returned. */
static char *print_and_decode(const char *input)
{
    struct cg2wg_options options = options_of(input);
    struct cg2wg_view view;
    size_t size;
    char *path = scratch_path("profile.pb");
    FILE *stream = fopen(path, "wb");
    cg2wg_view_init(&view, sizeof view);
    view.style = CG2WG_PPROF;
    assert_int_equal(cg2wg_print(input, &options, &view, stream, NULL), CG2WG_OK);
    assert_int_equal(fclose(stream), 0);
    char *bytes = read_file(path, &size);
    decode((struct part){(unsigned char *)bytes, (unsigned char *)bytes + size});
    free(path);
    return bytes;
}

/* pprof shows the file of the first mapping as what was profiled. */
static void check_program(const char *name)
{
    struct part file = found.strings[found.mapping_file[found.first_mapping]];
    const unsigned char *at = file.end;
    while (at > file.at && at[-1] != '/')
        at--;
    assert_int_equal(file.end - at, strlen(name));
    assert_memory_equal(at, name, strlen(name));
}

static void samples_are_what_was_read(void **state)
{
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        const struct input *input = &inputs[i];
        struct cg2wg_options options = options_of(input->path);
        char *bytes = print_and_decode(input->path);
        check_program(input->program);
        struct part type = found.strings[found.type], unit = found.strings[found.unit];
        assert_int_equal(type.end - type.at, strlen(input->type));
        assert_memory_equal(type.at, input->type, strlen(input->type));
        assert_int_equal(unit.end - unit.at, strlen(input->unit));
        assert_memory_equal(unit.at, input->unit, strlen(input->unit));
        expected_count = 0;
        options.inclusive = CG2WG_INCLUSIVE_OUTERMOST; /* which folds the levels of recursions, as printing does */
        assert_int_equal(cg2wg_read(input->path, &options, input->has_stacks, take, (void *)input), CG2WG_OK);
        assert_int_equal(found.sample_count, expected_count);
        assert_true(expected_count > 1);
        assert_int_equal(strchr(expected[1].stack, ';')[1] != '\0' || strchr(expected[0].stack, ';')[1] != '\0',
                         input->has_stacks);
        qsort(found.samples, found.sample_count, sizeof *found.samples, compare);
        qsort(expected, expected_count, sizeof *expected, compare);
        for (size_t k = 0; k < expected_count; k++) {
            assert_string_equal(found.samples[k].stack, expected[k].stack);
            assert_int_equal(found.samples[k].cost, expected[k].cost);
            free(expected[k].stack);
        }
        free(bytes);
    }
}

/* Objects in the order of the file, the later ones with higher costs. */
static void the_program_is_first(void **state)
{
    static const struct {
        const char *command, *objects[4], *program;
    } cases[] = {
        {"./app -x", {"/lib/libc.so.6", "/srv/app", "/srv/other"}, "app"},
        {"/usr/bin/python3 app.py", {"/usr/lib/libc.so.6", "/usr/bin/python3.11", "/lib/big.so"}, "python3"},
        {"perf record -a", {"/usr/bin/perf", "/usr/bin/make", "/lib/libz.so.1.2"}, "make"},
        {"perf record -a", {"[kernel.kallsyms]", "[unknown]"}, "[kernel.kallsyms]"},
        {"-c print", {"???"}, "???"},
        {"./app", {NULL}, "app"},
        {"", {"/lib/libc.so.6", "/srv/app"}, "app"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *path = scratch_path("profile");
        FILE *file = fopen(path, "w");
        fprintf(file, "creator: other\ncmd: %s\nevents: Ir\n\nfl=/srv/a.c\n", cases[i].command);
        for (int k = 0; k == 0 || (k < 4 && cases[i].objects[k] != NULL); k++)
            fprintf(file, "%s%s\nfn=f%d\n1 %d\n", cases[i].objects[k] != NULL ? "ob=" : "",
                    cases[i].objects[k] != NULL ? cases[i].objects[k] : "", k, k + 1);
        assert_int_equal(fclose(file), 0);
        char *bytes = print_and_decode(path);
        check_program(cases[i].program);
        free(bytes);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_what_was_read),
        cmocka_unit_test(the_program_is_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

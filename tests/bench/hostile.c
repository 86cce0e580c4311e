/* SPDX-License-Identifier: MIT */
/*
 * Measures how time grows in conversions that are made to take long: each runs with an input, and
 * with one five times as large. The last column should be about 5.
 */
#include "cg2wg_print.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIMES = 5, ROUNDS = 3, MANY = 10000 };
static const double measurable = 0.25; /* seconds; what takes less varies more */

static void write_head(FILE *out)
{
    fputs("version: 1\ncreator: xdebug 3.2.0\nevents: Time\n\nsummary: 1\n\n", out);
}

static void write_record(FILE *out, const char *name)
{
    fprintf(out, "fl=a.php\nfn=%s\n1 1\n", name);
}

static void write_call(FILE *out, const char *name, int line)
{
    fprintf(out, "cfl=a.php\ncfn=%s\ncalls=1 0 0\n%d 1\n", name, line);
}

/* Ten bytes for each of what there is `count` of. */
static void write_filling(FILE *out, unsigned count, char byte)
{
    for (unsigned i = 0; i < 10 * count; i++)
        fputc(byte, out);
}

/* `count` functions of one object, whose name is long; every other one is a deeper level. */
static void write_long_object(FILE *out, unsigned count)
{
    fputs("creator: callgrind-3.20\nevents: Ir\nob=(1) ", out);
    write_filling(out, count, 'x');
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "\nfl=%u\nfn=f%s\n1 1", i / 2, i % 2 == 0 ? "" : "'2");
    fputc('\n', out);
}

/* `count` functions in as many files, of one long name. */
static void write_long_function(FILE *out, unsigned count)
{
    fputs("creator: callgrind-3.20\nevents: Ir\nfl=f\nfn=(1) ", out);
    write_filling(out, count, 'x');
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "\nfl=%u\nfn=(1)\n1 1", i);
    fputc('\n', out);
}

static void write_number(FILE *out, unsigned number)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        fputc((int)(number >> shift & 255), out);
}

/* A preprocessed file of `count` functions, up to its objects; they take objects_size bytes. */
static void write_functions(FILE *out, unsigned count, unsigned objects_size)
{
    enum { HEAD = 3, ROW = 6, NAMES_SIZE = 12 };
    unsigned first = 4 * (HEAD + count), size = 4 * ROW + NAMES_SIZE;
    write_number(out, 7);
    write_number(out, first + size * count + objects_size);
    write_number(out, count);
    for (unsigned i = 0; i < count; i++)
        write_number(out, first + size * i);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < ROW; k++)
            write_number(out, k < 4);
        fprintf(out, "a\n%*u\n", NAMES_SIZE - 3, i);
    }
}

/* Functions, and objects that begin so, with a long name after that. */
static void write_objects(FILE *out, unsigned count, const char *start)
{
    write_functions(out, count, (unsigned)strlen(start) + 10 * count + 1);
    fputs(start, out);
    write_filling(out, count, 'x');
    fputs("\nevents: Ir\nsummary: 1\n", out);
}

/* All functions are of that object. */
static void write_run(FILE *out, unsigned count)
{
    write_objects(out, count, "cg2wg objects\n4000000000 ");
}

/* What follows is no run of functions of one object. */
static void write_damaged_run(FILE *out, unsigned count)
{
    write_objects(out, count, "cg2wg objects\n");
}

/*
 * Of `count` invocations of c, each inside the one before, each calls f and g; the records of g are
 * missing but for one. So no c finds its g.
 */
static void write_missing_calls(FILE *out, unsigned count)
{
    write_head(out);
    write_record(out, "g");
    for (unsigned i = 0; i < count; i++)
        write_record(out, "f");
    for (unsigned i = 0; i < count; i++) {
        write_record(out, "c");
        write_call(out, "f", 2);
        write_call(out, "g", 3);
        if (i > 0)
            write_call(out, "c", 4);
    }
}

/* Two stacks of calls, `count` deep, of which one after the other goes on. */
static void write_two_stacks(FILE *out, unsigned count)
{
    write_head(out);
    for (unsigned i = 0; i < count; i++) {
        write_record(out, i % 2 == 0 ? "even" : "odd");
        if (i > 1)
            write_call(out, i % 2 == 0 ? "even" : "odd", 2);
    }
}

/* Two recursions of functions that call each other, of which one after the other goes on. */
static void write_two_recursions(FILE *out, unsigned count)
{
    write_head(out);
    write_record(out, "even");
    write_record(out, "odd");
    write_call(out, "even", 2);
    write_record(out, "even");
    write_call(out, "odd", 2);
    for (unsigned i = 0; i < count; i++) {
        write_record(out, i % 2 == 0 ? "even" : "odd");
        write_call(out, i % 2 == 0 ? "even" : "odd", 3);
    }
}

/*
 * One invocation of c makes `count` calls, first all of those of one function, then those of the next;
 * but their invocations take turns. So each one's call is far from that of the one before. All of them
 * are in one cycle.
 */
static void write_turns(FILE *out, unsigned count)
{
    enum { FUNCTIONS = 100 };
    write_head(out);
    fputs("fl=(1) a.php\nfn=(1) c\n1 1\n", out);
    for (unsigned i = 2; i < FUNCTIONS + 2; i++)
        fprintf(out, "fn=(%u) f%u\n1 1\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n2 1\n", i, i);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "fn=(%u)\n1 1\n", i % FUNCTIONS + 2);
    fputs("fn=(1)\n1 1\n", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "cfn=(%u)\ncalls=1 0 0\n2 1000000000000000000\n", (unsigned)((uint64_t)i * FUNCTIONS / count) + 2);
}

/* Records in no order, so that most calls get invocations that others have made. All are in one cycle. */
static void write_shuffled_records(FILE *out, unsigned count)
{
    enum { FUNCTIONS = 100, CALLS = 3 };
    uint32_t random = 1;
    write_head(out);
    for (unsigned i = 0; i < count; i++) {
        char name[16];
        for (unsigned k = 0; k <= CALLS; k++) {
            random = random * 1664525 + 1013904223;
            snprintf(name, sizeof name, "f%u", (random >> 16) % FUNCTIONS);
            if (k == 0)
                write_record(out, name);
            else
                write_call(out, name, 2);
        }
        fputc('\n', out);
    }
}

/* Some records, each of which calls one function in `count` files. */
static void write_called_files(FILE *out, unsigned count)
{
    enum { RECORDS = 100 };
    write_head(out);
    for (unsigned i = 1; i <= count; i++)
        fprintf(out, "fl=(%u) %u\nfn=(1) f\n1 1\n\n", i, i);
    for (unsigned i = 0; i < RECORDS; i++) {
        fputs("fl=(1)\nfn=(1)\n1 1\n", out);
        for (unsigned k = 1; k <= count; k++)
            fprintf(out, "cfl=(%u)\ncfn=(1)\ncalls=1 0 0\n2 1\n", k);
        fputc('\n', out);
    }
}

/* Some times `count` functions, whose names differ only between their first and their middle bytes. */
static void write_similar_names(FILE *out, unsigned count)
{
    enum { TIMES_EACH = 20 };
    write_head(out);
    for (unsigned i = 0; i < count * TIMES_EACH; i++) {
        char name[80];
        snprintf(name, sizeof name, "App\\Models\\%010u\\and_now_the_same_bytes_up_to_the_end", i % count);
        write_record(out, name);
        write_call(out, name, 2);
        fputc('\n', out);
    }
}

/* `count` parts of one line with costs, whose columns are not those of the part before. */
static void write_changing_columns(FILE *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "events: %s\nfn=f\n1 1 2\n", i % 2 == 0 ? "a b" : "b a");
}

/* `count` columns, as many formulas, and a line with one cost after each of them. */
static void write_events(FILE *out, unsigned count)
{
    fputs("events:", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, " e%u", i);
    fputs("\nfn=f\n", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "event: d%u = 2 e%u + e%u\n1 1\n", i, i, count - 1 - i);
}

/* `count` columns, and as many records with one cost. */
static void write_events_and_records(FILE *out, unsigned count)
{
    fputs("events:", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, " e%u", i);
    for (unsigned i = 0; i < count; i++)
        fputs("\nfn=f\n1 1", out);
}

/* One column `count` times, and as many lines with one cost, before each of which a formula changes. */
static void write_equal_columns(FILE *out, unsigned count)
{
    fputs("events:", out);
    for (unsigned i = 0; i < count; i++)
        fputs(" a", out);
    fputs("\nfn=f\n", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "event: x = %u a\n1 1\n", i % 2);
}

/* An event with a name of 10 `count` bytes, and `count` lines with a cost, each after a definition. */
static void write_long_event(FILE *out, unsigned count)
{
    fputs("events: ", out);
    write_filling(out, count, 'e');
    fputs("\nfn=f\n", out);
    for (unsigned i = 0; i < count; i++)
        fputs("event: y\n1 1\n", out);
}

/*
 * A formula that leads again and again to one of 150 bytes, nearly as long as formulas may be; and `count`
 * times one that leads to it, and a line with a cost, before which it changes.
 */
static void write_long_formula(FILE *out, unsigned count)
{
    fputs("events: a b\nevent: long = a + ", out);
    write_filling(out, 14, ' ');
    fputs("b\nevent: wanted = changed", out);
    for (unsigned i = 0; i < 100; i++)
        fputs(" + long", out);
    fputs("\nfn=f\n", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "event: e%u = wanted\nevent: changed = %c\n1 1\n", i, i % 2 == 0 ? 'a' : 'b');
}

/* A small profile, of which many are merged. */
static void write_small(FILE *out, unsigned count)
{
    enum { LINES = 20 };
    (void)count; /* of the inputs */
    for (unsigned i = 0; i < LINES; i++)
        fputs("cmd: c\n", out);
    write_head(out);
    for (unsigned i = 0; i < LINES; i++)
        write_record(out, "f");
}

/* A run with ten times `count` functions; a small one has some of these. */
static void write_run_functions(FILE *out, unsigned count)
{
    fputs("events: Ir\n", out);
    for (unsigned i = 0; i < 10 * count; i++)
        fprintf(out, "fn=f%u\n1 1\n", i);
}
/* As many runs that Xdebug appended. */
static void write_appended_runs(FILE *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        write_head(out);
        write_record(out, "{main}");
        fputs("summary: 1\n\n", out);
    }
}

/* As many patterns for names, of which none matches any of as many functions. */
static const char *const *patterns_of(unsigned count)
{
    enum { SIZE = 16 };
    static char *texts;
    static const char **patterns;
    texts = realloc(texts, (size_t)SIZE * count);
    patterns = realloc(patterns, count * sizeof *patterns);
    if (texts == NULL || patterns == NULL)
        exit(1);
    for (unsigned i = 0; i < count; i++) {
        patterns[i] = &texts[(size_t)SIZE * i];
        snprintf(&texts[(size_t)SIZE * i], SIZE, "*g%u*", i);
    }
    return patterns;
}

static void ignore_event(void *user, const struct cg2wg_event *event)
{
    (void)user;
    (void)event;
}

enum work {
    CONVERT,      /* to the outermost */
    CONVERT_SUMS, /* with sums of records, which outermost does not have */
    UNITE,        /* with itself */
    UNITE_MANY,   /* of it, as many as their number, to version 4 */
    COMPARE_MANY, /* with itself: it, and small ones, as many as their number */
    PRINT_CALLGRIND,
    PRINT_PAGE,
    PRINT_CLASSES,
    PRINT_RUNS,
    HIDE_MANY, /* by as many patterns */
    LIST,
    LOOK_FOR_PROXIES /* and write nothing: an output would hold a name for each function */
};

static bool work(enum work work, const char *input, const char *small, const char *event, unsigned count)
{
    static const char *const proxies[] = {"*x*x*y"};
    static const char *inputs[MANY];
    struct cg2wg_options options;
    for (size_t i = 0; i < MANY; i++)
        inputs[i] = input;
    cg2wg_options_init(&options, sizeof options);
    options.format = work == UNITE_MANY ? CG2WG_FORMAT_OLDEST : options.format;
    options.event = event;
    options.inclusive = work == CONVERT ? CG2WG_INCLUSIVE_OUTERMOST : options.inclusive;
    options.proxies = proxies;
    options.proxy_count = work == LOOK_FOR_PROXIES;
    if (work >= COMPARE_MANY && work <= HIDE_MANY) {
        struct cg2wg_view view;
        cg2wg_view_init(&view, sizeof view);
        view.style = work == PRINT_CALLGRIND ? CG2WG_CALLGRIND : work == PRINT_PAGE ? CG2WG_PAGE : CG2WG_TABLE;
        view.group = work == PRINT_CLASSES ? CG2WG_GROUP_CLASS
                     : work == PRINT_RUNS  ? CG2WG_GROUP_RUN
                                           : CG2WG_GROUP_FUNCTION;
        view.hide.words = work == HIDE_MANY ? patterns_of(count) : NULL;
        view.hide.count = work == HIDE_MANY ? count : 0;
        view.base = work == COMPARE_MANY ? input : NULL;
        view.output = "/dev/null";
        for (size_t i = 1; i < MANY; i++)
            inputs[i] = small;
        return cg2wg_print_all(inputs, work == COMPARE_MANY ? count : 1, &options, &view, NULL, NULL) == CG2WG_OK;
    }
    if (work >= LIST)
        return cg2wg_list_events(input, &options, ignore_event, NULL) == CG2WG_OK;
    size_t input_count = work == UNITE_MANY ? count : work == UNITE ? 2 : 1;
    return cg2wg_convert_all(inputs, input_count, "/dev/null", &options, NULL) == CG2WG_OK;
}

static const struct hostile {
    const char *name;
    void (*write)(FILE *out, unsigned count);
    unsigned count;
    enum work work;
    const char *event;
} table[] = {
    {"calls without records", write_missing_calls, 20000, CONVERT, NULL},
    {"two interleaved stacks", write_two_stacks, 2000, CONVERT, NULL},
    {"two interleaved recursions", write_two_recursions, 40000, CONVERT, NULL},
    {"calls in another order", write_turns, 500000, CONVERT, NULL},
    {"records in no order", write_shuffled_records, 50000, CONVERT, NULL},
    {"calls that differ in a file", write_called_files, 2000, CONVERT_SUMS, NULL},
    {"names that differ in few bytes", write_similar_names, 5000, CONVERT_SUMS, NULL},
    {"columns that change", write_changing_columns, 200000, CONVERT_SUMS, NULL},
    {"a long object, merged", write_long_object, 10000, UNITE, NULL},
    {"many inputs", write_small, MANY / TIMES, UNITE_MANY, NULL},
    {"many runs of a comparison", write_run_functions, MANY / TIMES, COMPARE_MANY, NULL},
    {"many runs, each shown", write_appended_runs, 20000, PRINT_RUNS, NULL},
    {"many patterns for many functions", write_run_functions, 1000, HIDE_MANY, NULL},
    {"a long object, levels folded", write_long_object, 10000, CONVERT, NULL},
    {"a long name, proxies wanted", write_long_function, 10000, LOOK_FOR_PROXIES, NULL},
    {"a long name, as a callgrind file", write_long_function, 10000, PRINT_CALLGRIND, NULL},
    {"a long name, by class", write_long_function, 10000, PRINT_CLASSES, NULL},
    {"a preprocessed file with a long object", write_run, 10000, CONVERT, NULL},
    {"... with damaged objects", write_damaged_run, 10000, CONVERT, NULL},
    {"many events, one converted", write_events, 5000, CONVERT, "e1 + 3 e2"},
    {"many events, one by its letters", write_events, 5000, CONVERT, "E4999"},
    {"many events, all listed", write_events, 5000, LIST, NULL},
    {"many events and records, all listed", write_events_and_records, 20000, LIST, NULL},
    {"equal columns, as a page", write_equal_columns, 20000, PRINT_PAGE, NULL},
    {"many events, as a page", write_events, 5000, PRINT_PAGE, NULL},
    {"a long name of an event", write_long_event, 200000, CONVERT, NULL},
    {"a long formula, converted", write_long_formula, 5000, CONVERT, "wanted"},
    {"a long formula, listed", write_long_formula, 5000, LIST, NULL},
};

static bool write_input(const struct hostile *h, unsigned count, const char *path)
{
    FILE *out = fopen(path, "wb");
    if (out != NULL)
        h->write(out, count);
    return out != NULL && fclose(out) == 0;
}

/* Processor time in seconds, the least of some rounds; below 0: it has failed. */
static double least_time(const struct hostile *h, unsigned count, const char *path)
{
    double least = -1;
    char small[4096];
    snprintf(small, sizeof small, "%s-small", path);
    if (!write_input(h, count, path) || !write_input(h, 1, small))
        return -1;
    for (int i = 0; i < ROUNDS; i++) {
        clock_t start = clock();
        if (!work(h->work, path, small, h->event, count))
            return -1;
        double taken = (double)(clock() - start) / CLOCKS_PER_SEC;
        least = i == 0 || taken < least ? taken : least;
    }
    remove(small);
    return least;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: hostile SCRATCH_FILE\n", stderr);
        return 2;
    }
    printf("| input | number | s | %d times the number, s | ratio |\n", TIMES);
    puts("| --- | --: | --: | --: | --: |");
    bool is_linear = true;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double few = least_time(&table[i], table[i].count, argv[1]);
        double many = least_time(&table[i], table[i].count * TIMES, argv[1]);
        if (few < 0 || many < 0) {
            fprintf(stderr, "%s: failed\n", table[i].name);
            return 1;
        }
        printf("| %s | %u | %.3f | %.3f | %.1f |\n", table[i].name, table[i].count, few, many,
               few > 0 ? many / few : 0);
        is_linear &= many < measurable || many < 2 * TIMES * few;
    }
    remove(argv[1]);
    if (!is_linear)
        fprintf(stderr, "hostile: an input of %d times the number takes more than %d times as long\n", TIMES, 2 * TIMES);
    return is_linear ? 0 : 1;
}

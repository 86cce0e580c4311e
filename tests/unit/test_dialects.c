/*
 * What each producer writes is read in quick forms, by one thread or several, for any event: a dialect whose lines
 * all went to the general form would come out right, and slowly.
 */
#include "support.h"
#include "count_lines.h"

#include "frontends/callgrind/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- long profiles ------------------------------------------------------------------------ */

enum { ENOUGH = 300000, BLOCK = 20000 }; /* bytes */

static bool is_position(struct text line)
{
    unsigned length;
    return !text_is_empty(line) && find_key(line.at, &length) != NO_POSITION;
}

/* KEY=(ID) NAME without the name, which is known; any other line as it is. */
static struct text without_definition(struct text line)
{
    const char *equals = memchr(line.at, '=', text_length(line));
    if (!is_position(line) || equals == NULL || equals + 1 == line.end || equals[1] != '(')
        return line;
    const char *end = equals + 2;
    while (end < line.end && *end >= '0' && *end <= '9')
        end++;
    return end + 1 < line.end && memcmp(end, ") ", 2) == 0 ? text_of(line.at, (size_t)(end + 1 - line.at)) : line;
}

/* Lines about functions and costs. A line of a header in the middle would begin another part. */
static bool is_body(struct text line)
{
    return text_is_empty(line) || is_position(line) || strchr("+-*0123456789", *line.at) != NULL;
}

/* The profile with its body written again and again. The text is malloc'ed. */
static char *make_long(const char *path, size_t *length)
{
    size_t size, body = 0;
    char *text = NULL, *profile = read_file(path, &size);
    FILE *out = open_memstream(&text, length);
    for (bool is_first = true; is_first || (size_t)ftell(out) < ENOUGH; is_first = false)
        for (size_t at = is_first ? 0 : body; at < size;) {
            const char *newline = memchr(profile + at, '\n', size - at);
            struct text line = {profile + at, newline != NULL ? newline : profile + size};
            at += text_length(line) + 1;
            if (body == 0 && is_position(line))
                body = (size_t)(line.at - profile);
            if (!is_first && !is_body(line))
                continue;
            line = is_first ? line : without_definition(line);
            fprintf(out, TEXT_FMT "\n", TEXT_ARG(line));
        }
    fclose(out);
    free(profile);
    return text;
}

/* ---- dialects ----------------------------------------------------------------------------- */

enum {
    SUMS = BIT(SPAN_ENTERED),
    RECORDS = BIT(TOKEN_RECORD),
    GROUPS = RECORDS | BIT(TOKEN_CALL),
    LINES = BIT(TOKEN_BLANKS) | BIT(TOKEN_ALIAS) | BIT(TOKEN_CALLS) | BIT(TOKEN_COST),
    NAMES = BIT(TOKEN_NAME),
    NAMED_LINES = BIT(TOKEN_BLANKS) | NAMES | BIT(TOKEN_CALLS) | BIT(TOKEN_COST),
    COSTS = BIT(TOKEN_COST) | BIT(TOKEN_COSTS),
    LISTS = BIT(TOKEN_COST_TEXT)
};

/* An event, or events, and what lines become then. */
struct reading {
    const char *event; /* NULL: the first one; LIST: all are listed */
    unsigned kinds;
};

#define LIST "LIST"

static const struct dialect {
    const char *path;
    unsigned general; /* hundredths of its lines that may need the general form */
    struct reading readings[3];
} dialects[] = {
    {"xdebug/3.2-config.out", 1, {{NULL, SUMS}, {"Memory_(bytes)", SUMS}, {LIST, SUMS}}},
    {"xdebug/3.2-orders.out", 1, {{NULL, SUMS}, {"X = 2 Time_(10ns) - Memory_(bytes)", SUMS}, {LIST, SUMS}}},
    {"xdebug/2.6-files.out", 1, {{NULL, SUMS}, {"Memory", SUMS}, {LIST, SUMS}}},
    {"xdebug/2.0-files.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}}, /* names in full, no cfl= */
    {"xdebug/2.1.0-single.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}},
    {"xdebug/2.2-odd-name.out", 1, {{NULL, RECORDS | SUMS}, {LIST, RECORDS | SUMS}}}, /* names in full */
    {"xdebug/2.5-aggregate.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}},
    {"valgrind/default.out", 1, {{NULL, LINES | COSTS}, {LIST, LINES | COSTS}}},
    {"valgrind/cache-branch.out", 1, {{NULL, LINES | COSTS}, {"Bcm", LINES | COSTS}, {LIST, BIT(TOKEN_ALIAS) | LISTS}}},
    {"valgrind/instr-jumps.out", 1, {{NULL, LINES | COSTS}, {LIST, LINES | COSTS}}},
    {"valgrind/full-instr.out", 1, {{NULL, NAMED_LINES}, {LIST, NAMED_LINES}}},
    {"valgrind/full-strings.out", 1, {{NULL, NAMED_LINES}, {LIST, NAMED_LINES}}},
    {"valgrind/cachegrind.out", 1, {{NULL, NAMES | COSTS}, {"X = Ir + 10 Bcm", NAMES | COSTS}, {LIST, NAMES | LISTS}}},
    {"valgrind/merged.out", 1, {{NULL, NAMES | COSTS}, {LIST, NAMES | LISTS}}}, /* three blanks after a line */
    {"other/breezy.out", 1, {{NULL, NAMED_LINES}, {LIST, NAMED_LINES}}}, /* `0  0`, with two blanks */
    {"other/go-pprof.out", 1, {{NULL, LINES | COSTS}, {LIST, LINES | COSTS}}},
    {"other/gperftools.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}},
    {"other/nytprof.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}},
    {"other/phpspy.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}},
    {"other/pyprof2calltree.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}},
    {"other/reli.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}}, /* calls=-1 */
    {"other/ruby-prof.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}},
    {"other/stackprof.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}},
    {"other/yappi.out", 1, {{NULL, GROUPS}, {LIST, GROUPS}}},
};

/* ---- readings ----------------------------------------------------------------------------- */

static void ignore_event(void *user, const struct cg2wg_event *event)
{
    (void)user;
    (void)event;
}

static struct line_counts list(const char *profile, size_t length)
{
    struct cg2wg_options options;
    char *input = scratch_path("profile");
    cg2wg_options_init(&options);
    write_file(input, profile, length);
    line_counts_take();
    assert_int_equal(cg2wg_list_events(input, &options, ignore_event, NULL), CG2WG_OK);
    free(input);
    return line_counts_take();
}

/* The result, which goes on as *before, is that of fewer threads. */
static struct line_counts convert(const char *profile, size_t length, const char *event, unsigned threads,
                                  struct conversion_result *before)
{
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.event = event;
    options.threads = threads;
    line_counts_take();
    unsigned started = threads_started();
    struct conversion_result result = convert_bytes(profile, length, &options);
    assert_int_equal(threads_started() - started, threads - 1);
    assert_int_equal(result.status, CG2WG_OK);
    if (threads > 1) {
        assert_int_equal(result.size, before->size);
        assert_memory_equal(result.bytes, before->bytes, before->size);
        conversion_free(before);
    }
    *before = result;
    return line_counts_take();
}

static size_t tokens_of(const struct line_counts *counts)
{
    size_t sum = 0;
    for (unsigned kind = 0; kind <= TOKEN_CALL; kind++)
        sum += counts->of[kind];
    return sum;
}

static void check(const struct dialect *d, const struct reading *reading, const struct line_counts *counts,
                  size_t lines)
{
    int missing = line_counts_missing(counts, reading->kinds);
    if (missing >= 0)
        fail_msg("%s, %s: found nothing of kind %d (count_lines.h), expected some", d->path, reading->event, missing);
    if (LINES_ARE_COUNTED && counts->of[LINE_ASKED_FOR] * 100 > lines * d->general)
        fail_msg("%s, %s: %zu of %zu lines were read in the general form, expected at most %u %%", d->path,
                 reading->event, counts->of[LINE_ASKED_FOR], lines, d->general);
    if ((reading->kinds & SUMS) != 0 && processor_has_sums() && tokens_of(counts) * 2 > lines)
        fail_msg("%s, %s: found %zu tokens in %zu lines, expected sums", d->path, reading->event, tokens_of(counts),
                 lines);
}

/* Sums of few records cost more than they save. */
static void check_spans(const struct dialect *d, const struct line_counts *counts, size_t lines)
{
    size_t spans = counts->of[SPAN_ENTERED] + counts->of[SPAN_LEFT];
    if (spans * 50 > lines)
        fail_msg("%s: found %zu sums of records in %zu lines, expected fewer", d->path, spans, lines);
}

/* What helpers have prepared is taken, and not prepared once more by the thread that reads. */
static void check_threads(const struct dialect *d, const struct line_counts *one, const struct line_counts *several,
                          size_t lines)
{
    if (tokens_of(several) > tokens_of(one) + lines / 20)
        fail_msg("%s: several threads have made %zu tokens, expected about %zu, as one has", d->path,
                 tokens_of(several), tokens_of(one));
}

static size_t count_newlines(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

static void each_dialect_is_read_in_quick_forms(void **state)
{
    (void)state;
    read_at_once = BLOCK;
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        const struct dialect *d = &dialects[i];
        char path[200];
        size_t length;
        snprintf(path, sizeof path, "testdata/%s", d->path);
        char *profile = make_long(path, &length);
        size_t lines = count_newlines(profile, length);
        for (size_t k = 0; k < 3 && d->readings[k].kinds != 0; k++) {
            const struct reading *reading = &d->readings[k];
            struct conversion_result result;
            struct line_counts one, several;
            if (reading->event != NULL && strcmp(reading->event, LIST) == 0) {
                one = list(profile, length);
                check(d, reading, &one, lines);
                continue;
            }
            one = convert(profile, length, reading->event, 1, &result);
            check(d, reading, &one, lines);
            check_spans(d, &one, lines);
            for (unsigned threads = 2; threads <= 3; threads++) {
                several = convert(profile, length, reading->event, threads, &result);
                check(d, reading, &several, lines);
                if ((reading->kinds & SUMS) == 0) /* each thread has to learn what it can add up */
                    check_threads(d, &one, &several, lines);
            }
            conversion_free(&result);
        }
        free(profile);
    }
    read_at_once = 0;
}

/* ---- ends of blocks ------------------------------------------------------------------------ */

static void add_record(FILE *out, const char *name, int calls)
{
    fprintf(out, "\nfl=(1)\nfn=%s\n3 4\n", name);
    for (int i = 0; i < calls; i++)
        fprintf(out, "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n%d 6\n", 10 + i % 90);
}

/* Blocks that end inside a record of many blocks do not make the ends of later ones worse. */
static void records_are_added_up_after_a_long_one(void **state)
{
    (void)state;
    enum { LONG = 5000, CALLS = 200, COUNT = 60 }; /* of 160 KB, and 6.5 KB each */
    char *profile = NULL;
    size_t length;
    FILE *out = open_memstream(&profile, &length);
    fputs("version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.7)\npositions: line\nevents: Time\n"
          "\nfl=(1) a\nfn=(1) f\n3 4\n", out);
    for (int i = 0; i < COUNT; i++)
        add_record(out, i == 0 ? "(2) g" : "(2)", i == 4 ? LONG : CALLS);
    fclose(out);
    read_at_once = BLOCK;
    struct conversion_result result;
    convert(profile, length, NULL, 1, &result);
    struct line_counts two = convert(profile, length, NULL, 2, &result);
    if (LINES_ARE_COUNTED && processor_has_sums())
        assert_in_range(tokens_of(&two), 1, LONG + COUNT * CALLS / 10);
    conversion_free(&result);
    free(profile);
    read_at_once = 0;
}

/* What the thread that reads has found out before others take part, these need not. */
static void threads_know_that_names_are_in_full(void **state)
{
    (void)state;
    enum { COUNT = 4000, FUNCTIONS = 50 };
    char *profile = NULL;
    size_t length;
    FILE *out = open_memstream(&profile, &length);
    fputs("version: 0.9.6\ncmd: /a.php\npart: 1\npositions: line\n\nevents: Time\n", out);
    for (int i = 0; i < COUNT; i++)
        fprintf(out, "\nfl=/srv/a.php\nfn=function_%d\n3 4\ncfl=php:internal\ncfn=php::strlen\ncalls=1 0 0\n5 6\n",
                i % FUNCTIONS);
    fclose(out);
    read_at_once = BLOCK;
    struct conversion_result result;
    struct line_counts one = convert(profile, length, NULL, 1, &result);
    for (unsigned threads = 2; threads <= 3; threads++) {
        struct line_counts several = convert(profile, length, NULL, threads, &result);
        if (LINES_ARE_COUNTED && processor_has_sums())
            assert_in_range(tokens_of(&several), 1, tokens_of(&one) + COUNT / 50);
    }
    conversion_free(&result);
    free(profile);
    read_at_once = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_dialect_is_read_in_quick_forms),
        cmocka_unit_test(records_are_added_up_after_a_long_one),
        cmocka_unit_test(threads_know_that_names_are_in_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

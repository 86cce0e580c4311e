/* SPDX-License-Identifier: MIT */
/*
 * What each producer writes is read in place, by one thread or several, for any event: a dialect whose lines
 * all went to the general code would come out right, and slowly.
 */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- long profiles ------------------------------------------------------------------------ */

enum {
    ENOUGH = 300000, /* bytes */
    BLOCK = 20000,
    MOST_SLOW = 1 /* hundredths of the lines that may need the general code */
};

/* KEY=VALUE */
static bool is_position(struct text line)
{
    const char *p = line.at;
    while (p < line.end && *p >= 'a' && *p <= 'z')
        p++;
    return p > line.at && p < line.end && *p == '=';
}

/* KEY=(ID) NAME without the name, which is known by then; any other line unchanged. */
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

static const struct dialect {
    const char *path;
    const char *event; /* another one than the first; NULL: there is none */
} dialects[] = {
    {"xdebug/3.2-config.out", "Memory_(bytes)"},
    {"xdebug/3.2-orders.out", "X = 2 Time_(10ns) - Memory_(bytes)"},
    {"xdebug/2.6-files.out", "Memory"},
    {"xdebug/2.0-files.out", NULL}, /* names in full, no cfl= */
    {"xdebug/2.1.0-single.out", NULL},
    {"xdebug/2.2-odd-name.out", NULL}, /* names in full */
    {"xdebug/2.5-aggregate.out", NULL},
    {"valgrind/default.out", NULL},
    {"valgrind/cache-branch.out", "Bcm"},
    {"valgrind/instr-jumps.out", NULL},
    {"valgrind/full-instr.out", NULL},
    {"valgrind/full-strings.out", NULL},
    {"valgrind/cachegrind.out", "X = Ir + 10 Bcm"},
    {"valgrind/merged.out", NULL}, /* three blanks after a line */
    {"other/breezy.out", NULL},    /* `0  0`, with two blanks */
    {"other/go-pprof.out", NULL},
    {"other/gperftools.out", NULL},
    {"other/nytprof.out", NULL},
    {"other/phpspy.out", NULL},
    {"other/pyprof2calltree.out", NULL},
    {"other/reli.out", NULL}, /* calls=-1 */
    {"other/ruby-prof.out", NULL},
    {"other/stackprof.out", NULL},
    {"other/yappi.out", NULL},
};

/* ---- readings ----------------------------------------------------------------------------- */

static struct conversion_result convert(const char *profile, size_t length, const char *event, unsigned threads)
{
    struct cg2wg_options options = options_for(event);
    options.threads = threads;
    unsigned before = threads_started();
    struct conversion_result result = convert_bytes(profile, length, &options);
    unsigned started = threads_started() - before;
    assert_int_equal(result.status, CG2WG_OK);
    assert_in_range(started, 0, threads - 1);
    return result;
}

static void check(const char *path, const char *event, const char *profile, size_t length)
{
    struct conversion_result one = convert(profile, length, event, 1);
    if (one.stats.slow_lines * 100 > one.stats.lines * MOST_SLOW)
        fail_msg("%s, %s: found %" PRIu64 " slow lines of %" PRIu64 ", expected at most %d %%", path, event,
                 one.stats.slow_lines, one.stats.lines, MOST_SLOW);
    for (unsigned threads = 2; threads <= 3; threads++) {
        struct conversion_result several = convert(profile, length, event, threads);
        assert_int_equal(several.stats.lines, one.stats.lines);
        assert_int_equal(several.stats.slow_lines, one.stats.slow_lines);
        assert_int_equal(several.size, one.size);
        assert_memory_equal(several.bytes, one.bytes, one.size);
        conversion_free(&several);
    }
    conversion_free(&one);
}

static void each_dialect_is_read_in_place(void **state)
{
    read_at_once = BLOCK;
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        const struct dialect *d = &dialects[i];
        char path[200];
        size_t length;
        snprintf(path, sizeof path, "testdata/%s", d->path);
        char *profile = make_long(path, &length);
        check(d->path, NULL, profile, length);
        if (d->event != NULL)
            check(d->path, d->event, profile, length);
        free(profile);
    }
    read_at_once = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_dialect_is_read_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Walks through combinations of inputs and options: combinations PROGRAM FOLDER SECONDS SEED. First come
 * commands that have each pair of values, then random ones until the time is over. What a command prints must agree
 * with what others print of the same inputs. A finding is printed with its commands; inputs are in FOLDER.
 *
 * As a test, it has no words: tests/run.sh sets $program and $folder, and COMBINATIONS_SECONDS may say how long.
 */
#include "checks.h"
#include "commands.h"
#include "figures.h"
#include "library.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MOST_FINDINGS = 40, MOST_ALIKE = 3, MOST_TRIES = 30 };

unsigned long run_count, finding_count;
uint64_t random_state;

void finding(const char *what, ...)
{
    static struct {
        char kind[100];
        unsigned count;
    } seen[MOST_FINDINGS];
    size_t i = 0;
    va_list list;
    while (i < MOST_FINDINGS && seen[i].count > 0 && strncmp(seen[i].kind, what, sizeof seen[i].kind - 1) != 0)
        i++;
    finding_count++;
    if (i == MOST_FINDINGS || seen[i].count++ >= MOST_ALIKE)
        return;
    snprintf(seen[i].kind, sizeof seen[i].kind, "%s", what);
    printf("combinations: %s\n", what);
    va_start(list, what);
    for (const char *text; (text = va_arg(list, const char *)) != NULL;)
        if (*text != '\0')
            printf("    %.3000s\n", text);
    va_end(list);
    fflush(stdout);
}

/* ---- pairs -------------------------------------------------------------------------------- */

static size_t starts[DIMENSIONS + 1]; /* of the values of each dimension among all */
static bool *covered;                 /* by two values */
static size_t command_count, refused_count;
static char last_refusal[400];

#define PAIR(d, value, e, other) covered[(starts[d] + (value)) * starts[DIMENSIONS] + starts[e] + (other)]

static void cover(const struct command *c)
{
    for (enum dimension d = 0; d < DIMENSIONS; d++)
        for (enum dimension e = 0; e < DIMENSIONS; e++)
            PAIR(d, c->values[d], e, c->values[e]) = true;
}

/* What excludes most comes first. */
static void shuffle(enum dimension order[DIMENSIONS])
{
    for (enum dimension d = 0; d < DIMENSIONS; d++) {
        size_t place = d <= EVENT ? d : EVENT + 1 + any(d - EVENT);
        order[d] = order[place];
        order[place] = d;
    }
}

/*
 * Gives the dimensions that are not known the values with most new pairs or, `few` times in MOST_TRIES, the first.
 * Returns whether the command is valid.
 */
static bool fill(struct command *c, bool known[DIMENSIONS], int few)
{
    enum dimension order[DIMENSIONS];
    shuffle(order);
    for (size_t i = 0; i < DIMENSIONS; i++) {
        enum dimension d = order[i];
        bool is_usual = any(MOST_TRIES) < (size_t)few; /* the first; of kinds and styles, any */
        bool is_any = is_usual && d <= PRINT;
        size_t count = value_count(d), start = is_usual ? 0 : any(count);
        int best = -1;
        if (known[d])
            continue;
        known[d] = true;
        for (size_t k = 0; k < count; k++) {
            int news = is_any ? (int)any(1000) : 0;
            uint8_t value = c->values[d];
            c->values[d] = (uint8_t)((start + k) % count);
            for (enum dimension e = 0; e < DIMENSIONS && !is_usual; e++)
                news += known[e] && !PAIR(d, c->values[d], e, c->values[e]);
            if (news <= best || refusal(c, known) != NULL)
                c->values[d] = value;
            else
                best = news;
        }
        if (best < 0)
            return false;
    }
    return true;
}

/* A command with the pair. Returns whether it is covered then, or refused everywhere, as a rule says. */
static bool try_pair(const size_t *pair, int tries)
{
    struct command c = {.first = (uint8_t)any(4)};
    bool known[DIMENSIONS] = {false}, kept[DIMENSIONS] = {false};
    for (int i = 0; i < 2; i++) {
        known[pair[2 * i]] = kept[pair[2 * i]] = true;
        c.values[pair[2 * i]] = (uint8_t)pair[2 * i + 1];
    }
    const char *says = refusal(&c, known);
    if (says == NULL && tries == MOST_TRIES / 4 && is_refused_everywhere(&c, known))
        says = ANYTHING;
    if (says != NULL) {
        refused_count++;
        if (any(16) > 0) /* some are enough */
            return true;
    } else if (tries < MOST_TRIES ? !fill(&c, known, tries) : !repair(&c, kept)) {
        return false;
    }
    command_count++;
    struct result result = check_command(&c, says);
    if (*result.messages != '\0')
        snprintf(last_refusal, sizeof last_refusal, "%s", result.messages);
    if (says == NULL && result.status != 0 && result.status != 3)
        return false;
    if (says == NULL) {
        check_one(&c);
        cover(&c);
    }
    return true;
}

/* Tries pairs in any order until the time is over. */
static void try_pairs(time_t end)
{
    size_t(*pairs)[4], count = 0, left = 0;
    for (enum dimension d = 0; d < DIMENSIONS; d++)
        starts[d + 1] = starts[d] + value_count(d);
    covered = calloc(starts[DIMENSIONS] * starts[DIMENSIONS], sizeof *covered);
    pairs = calloc(starts[DIMENSIONS] * starts[DIMENSIONS], sizeof *pairs);
    for (enum dimension d = 0; d < DIMENSIONS; d++)
        for (enum dimension e = d + 1; e < DIMENSIONS; e++)
            for (size_t i = 0; i < value_count(d) * value_count(e); i++) {
                size_t place = any(++count), *pair = pairs[place];
                memcpy(pairs[count - 1], pair, sizeof *pairs);
                memcpy(pair, (size_t[]){d, i / value_count(e), e, i % value_count(e)}, sizeof *pairs);
            }
    for (size_t i = 0; i < count; i++) {
        const size_t *p = pairs[i];
        *last_refusal = '\0';
        for (int tries = 0; tries <= MOST_TRIES && time(NULL) < end && !PAIR(p[0], p[1], p[2], p[3]);
             tries++, forget_all())
            if (try_pair(p, tries))
                break;
            else if (tries == MOST_TRIES)
                finding("a pair of values is in no command that is accepted, and no rule says why",
                        keep_text("%s %s, %s %s", dimension_name((enum dimension)p[0]),
                                  value_name((enum dimension)p[0], (uint8_t)p[1]), dimension_name((enum dimension)p[2]),
                                  value_name((enum dimension)p[2], (uint8_t)p[3])),
                        last_refusal, NULL);
        left += time(NULL) >= end;
        if (i % 32 == 0 && left == 0)
            try_library();
    }
    printf("combinations: %zu pairs of values in %zu commands, but for %zu that are refused everywhere", count - left,
           command_count, refused_count);
    printf(left > 0 ? "; no time for %zu others\n" : "\n", left);
    free(covered);
    free(pairs);
}

/* ---- random commands ---------------------------------------------------------------------- */

/* Most have few options, as those of people do. Every eighth is not made valid: it may be refused, and no more. */
static void try_random(void)
{
    struct command c = {.first = (uint8_t)any(4)};
    bool kept[DIMENSIONS] = {false}, may_be_invalid = any(8) == 0;
    size_t share = any(3) == 0 ? 2 : 8;
    for (enum dimension d = 0; d < DIMENSIONS; d++)
        c.values[d] = d == KIND || d == PRINT || any(share) == 0 ? (uint8_t)any(value_count(d)) : 0;
    if (!may_be_invalid && !repair(&c, kept))
        return;
    check_command(&c, may_be_invalid ? ANYTHING : NULL);
    if (!may_be_invalid)
        check_one(&c);
}

int main(int argc, char **argv)
{
    const char *seconds = getenv("COMBINATIONS_SECONDS");
    char *as_test[] = {argv[0], getenv("program"), keep_text("%s/combinations", getenv("folder")),
                       keep_text("%s", seconds != NULL ? seconds : "10"), keep_text("1")};
    if (argc == 1 && as_test[1] != NULL) {
        argv = as_test;
        argc = 5;
    }
    if (argc != 5 || (mkdir(argv[2], 0700) != 0 && errno != EEXIST)) {
        fputs("usage: combinations PROGRAM FOLDER SECONDS SEED\n", stderr);
        return 2;
    }
    program = strdup(argv[1]);
    folder = strdup(argv[2]);
    random_state = strtoull(argv[4], NULL, 10) + 1;
    setenv("PATH", keep_text("%s/bin:%s", folder, getenv("PATH")), 1);
    setenv("LC_ALL", "C", 1);
    setenv("NO_COLOR", "1", 1);
    setenv("ASAN_OPTIONS", "exitcode=99:abort_on_error=0", 1);
    setenv("UBSAN_OPTIONS", "exitcode=99:print_stacktrace=1", 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    inputs_make();
    commands_init();
    const char *missing = options_missing();
    if (*missing != '\0')
        finding("the table of dimensions lacks options of the program", missing, NULL);
    time_t end = time(NULL) + atoi(argv[3]);
    printf("combinations: %s seconds from seed %s on\n", argv[3], argv[4]);
    try_pairs(end);
    for (; time(NULL) < end; forget_all()) {
        if (any(4) == 0) {
            try_library();
            continue;
        }
        command_count++;
        try_random();
    }
    forget_all();
    printf("combinations: %lu runs for these\n", run_count);
    printf("combinations: %zu passed, %lu failed\n", command_count, finding_count);
    return finding_count > 0;
}

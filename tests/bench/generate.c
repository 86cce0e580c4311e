/* SPDX-License-Identifier: MIT */
/*
 * generate KIND MEGABYTES [FUNCTIONS ARCS]: writes a profile of about that size to standard output,
 * for timing. All are of Xdebug's dialect.
 *
 *     regular  as Xdebug 3 writes it, from a call tree of 600 functions that repeats itself, as
 *              real programs do: each function calls the same few others from the same lines
 *     full     the same as Xdebug 2.2 writes it, with every name in full
 *     random   without any pattern: 5,800 functions, 8,500 call arcs, chosen at random for each
 *              record
 *     tables   exactly so many functions and arcs, each at least once, even if that takes more
 *              megabytes; then at random
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a large regular profile, so much is made; the rest is the same again, which is faster. */
static const uint64_t most_made = 200 * 1000000;

enum { REGULAR_FUNCTIONS = 600, RANDOM_FUNCTIONS = 5800, RANDOM_ARCS = 8500, MAX_DEPTH = 24 };

static uint64_t random_state = 1;
static uint64_t written, wanted, total;
static FILE *out;
static bool in_full;
static unsigned char *named; /* by function: its name has been written */

/* xorshift64*: the same numbers on every machine. */
static uint32_t random_below(uint32_t limit)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * UINT64_C(2685821657736338717)) >> 33) % limit;
}

static void put(int length)
{
    if (length < 0)
        exit(1);
    written += (uint64_t)length;
}

static void put_record_head(uint32_t function, uint64_t self)
{
    if (in_full) {
        put(fprintf(out, "fl=/srv/app/src/Module%" PRIu32 ".php\nfn=App\\Module%" PRIu32 "->method%" PRIu32 "\n",
                    function + 1, function / 8, function));
    } else if (named[function] == 0) {
        named[function] = 1;
        put(fprintf(out,
                    "fl=(%" PRIu32 ") /srv/app/src/Module%" PRIu32 ".php\n"
                    "fn=(%" PRIu32 ") App\\Module%" PRIu32 "->method%" PRIu32 "\n",
                    function + 1, function + 1, function + 1, function / 8, function));
    } else {
        put(fprintf(out, "fl=(%" PRIu32 ")\nfn=(%" PRIu32 ")\n", function + 1, function + 1));
    }
    put(fprintf(out, "%" PRIu32 " %" PRIu64 " %" PRIu32 "\n", function % 900 + 3, self, random_below(3) * 64));
}

static void put_call(uint32_t function, uint32_t line, uint64_t cost)
{
    if (in_full)
        put(fprintf(out, "cfl=/srv/app/src/Module%" PRIu32 ".php\ncfn=App\\Module%" PRIu32 "->method%" PRIu32 "\n",
                    function + 1, function / 8, function));
    else
        put(fprintf(out, "cfl=(%" PRIu32 ")\ncfn=(%" PRIu32 ")\n", function + 1, function + 1));
    put(fprintf(out, "calls=1 0 0\n%" PRIu32 " %" PRIu64 " %" PRIu32 "\n", line, cost, random_below(4) * 32));
}

/* One invocation and all below it; returns its inclusive cost. */
static uint64_t invoke_regular(uint32_t function, unsigned depth)
{
    uint64_t costs[4];
    uint32_t callees = depth >= MAX_DEPTH || written >= wanted ? 0 : function * 7 % 5;
    uint64_t self = 5 + random_below(400);
    uint64_t inclusive = self;
    for (uint32_t i = 0; i < callees; i++)
        inclusive += costs[i] = invoke_regular((function * 3 + 1 + i * 17) % REGULAR_FUNCTIONS, depth + 1);
    put_record_head(function, self);
    for (uint32_t i = 0; i < callees; i++)
        put_call((function * 3 + 1 + i * 17) % REGULAR_FUNCTIONS, function + i * 4 + 5, costs[i]);
    put(fprintf(out, "\n"));
    return inclusive;
}

static void make_regular(void)
{
    while (written < wanted)
        total += invoke_regular(random_below(REGULAR_FUNCTIONS), 0);
}

static void write_regular(void)
{
    uint64_t all = wanted, block_total;
    char *block;
    size_t size;
    if (wanted <= most_made) {
        make_regular();
        return;
    }
    wanted = most_made;
    out = open_memstream(&block, &size);
    if (out == NULL)
        exit(1);
    make_regular();
    if (fclose(out) != 0)
        exit(1);
    out = stdout;
    block_total = total;
    fwrite(block, 1, size, out);
    for (; written < all; written += size, total += block_total)
        fwrite(block, 1, size, out);
    free(block);
}

static void write_random(void)
{
    static struct {
        uint32_t caller, callee, line;
    } arcs[RANDOM_ARCS];
    for (uint32_t i = 0; i < RANDOM_ARCS; i++) {
        arcs[i].caller = random_below(RANDOM_FUNCTIONS);
        arcs[i].callee = random_below(RANDOM_FUNCTIONS);
        arcs[i].line = random_below(2000);
    }
    for (uint32_t i = 0; i < RANDOM_FUNCTIONS; i++) {
        put_record_head(i, 1);
        put(fprintf(out, "\n"));
        total++;
    }
    while (written < wanted) {
        uint32_t first = random_below(RANDOM_ARCS);
        uint64_t self = random_below(1000);
        put_record_head(arcs[first].caller, self);
        put_call(arcs[first].callee, arcs[first].line, random_below(10000));
        put(fprintf(out, "\n"));
        total += self;
    }
}

/* Arc `number` is distinguished by its caller and line; the callee is some other function. */
static void put_arc(uint64_t number, uint32_t functions)
{
    uint32_t caller = (uint32_t)(number % functions), line = (uint32_t)(number / functions) + 1;
    uint32_t callee = (uint32_t)((number * 7919 + 1) % functions);
    put_record_head(caller, 10);
    put_call(callee, line, 20);
    put(fprintf(out, "\n"));
    total += 10;
}

static void write_tables(uint32_t functions, uint32_t arcs)
{
    for (uint32_t i = 0; i < functions; i++) {
        put_record_head(i, 1);
        put(fprintf(out, "\n"));
        total++;
    }
    for (uint32_t i = 0; i < arcs; i++)
        put_arc(i, functions);
    while (written < wanted)
        put_arc(random_below(arcs), functions);
}

static int misuse(void)
{
    fputs("usage: generate regular|full|random MEGABYTES\n"
          "       generate tables MEGABYTES FUNCTIONS ARCS\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    const char *kind = argc > 2 ? argv[1] : "";
    bool is_tables = strcmp(kind, "tables") == 0;
    if (argc != (is_tables ? 5 : 3))
        return misuse();
    wanted = (uint64_t)(strtod(argv[2], NULL) * 1e6);
    in_full = strcmp(kind, "full") == 0;
    uint32_t functions = is_tables ? (uint32_t)strtoul(argv[3], NULL, 10) : RANDOM_FUNCTIONS;
    uint32_t arcs = is_tables ? (uint32_t)strtoul(argv[4], NULL, 10) : RANDOM_ARCS;
    if (functions == 0 || arcs == 0)
        return misuse();
    named = calloc(functions, 1);
    if (named == NULL)
        return 1;

    out = stdout;
    put(fprintf(out, "version: 1\ncreator: xdebug %s\ncmd: /srv/app/index.php\npart: 1\n"
                     "positions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\n",
                in_full ? "2.2.7 (PHP 5.6.40)" : "3.2.0 (PHP 8.2.0)"));
    if (is_tables)
        write_tables(functions, arcs);
    else if (strcmp(kind, "random") == 0)
        write_random();
    else if (in_full || strcmp(kind, "regular") == 0)
        write_regular();
    else
        return misuse();
    put(fprintf(out, "summary: %" PRIu64 " 0\n\n", total));
    free(named);
    return fflush(stdout) == 0 ? 0 : 1;
}

/*
 * generate KIND MEGABYTES: writes a profile of about that size to standard output, for timing.
 *
 *     regular  Xdebug 3's dialect, from a call tree of 600 functions that repeats itself, as real
 *              programs do: each function calls the same few others from the same lines
 *     random   the same dialect without any pattern: 5,800 functions, 8,500 call arcs, chosen at
 *              random for each record
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGULAR_FUNCTIONS = 600, RANDOM_FUNCTIONS = 5800, RANDOM_ARCS = 8500, MAX_DEPTH = 24 };

static uint64_t random_state = 1;
static uint64_t written, wanted, total;
static unsigned char named[RANDOM_FUNCTIONS];

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
    if (named[function] == 0) {
        named[function] = 1;
        put(printf("fl=(%" PRIu32 ") /srv/app/src/Module%" PRIu32 ".php\n"
                   "fn=(%" PRIu32 ") App\\Module%" PRIu32 "->method%" PRIu32 "\n",
                   function + 1, function + 1, function + 1, function / 8, function));
    } else {
        put(printf("fl=(%" PRIu32 ")\nfn=(%" PRIu32 ")\n", function + 1, function + 1));
    }
    put(printf("%" PRIu32 " %" PRIu64 " %" PRIu32 "\n", function % 900 + 3, self,
               random_below(3) * 64));
}

static void put_call(uint32_t function, uint32_t line, uint64_t cost)
{
    put(printf("cfl=(%" PRIu32 ")\ncfn=(%" PRIu32 ")\ncalls=1 0 0\n%" PRIu32 " %" PRIu64
               " %" PRIu32 "\n",
               function + 1, function + 1, line, cost, random_below(4) * 32));
}

/* One invocation and all below it; returns its inclusive cost. */
static uint64_t invoke_regular(uint32_t function, unsigned depth)
{
    uint64_t costs[4];
    uint32_t callees = depth >= MAX_DEPTH || written >= wanted ? 0 : function * 7 % 5;
    uint64_t self = 5 + random_below(400);
    uint64_t inclusive = self;
    for (uint32_t i = 0; i < callees; i++)
        inclusive += costs[i] =
            invoke_regular((function * 3 + 1 + i * 17) % REGULAR_FUNCTIONS, depth + 1);
    put_record_head(function, self);
    for (uint32_t i = 0; i < callees; i++)
        put_call((function * 3 + 1 + i * 17) % REGULAR_FUNCTIONS, function + i * 4 + 5, costs[i]);
    put(printf("\n"));
    return inclusive;
}

static void write_regular(void)
{
    while (written < wanted)
        total += invoke_regular(random_below(REGULAR_FUNCTIONS), 0);
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
        put(printf("\n"));
        total++;
    }
    while (written < wanted) {
        uint32_t first = random_below(RANDOM_ARCS);
        uint64_t self = random_below(1000);
        put_record_head(arcs[first].caller, self);
        put_call(arcs[first].callee, arcs[first].line, random_below(10000));
        put(printf("\n"));
        total += self;
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: generate regular|random MEGABYTES\n");
        return 2;
    }
    wanted = strtoull(argv[2], NULL, 10) * 1000000;
    put(printf("version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.0)\ncmd: /srv/app/index.php\npart: 1\n"
               "positions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\n"));
    if (strcmp(argv[1], "regular") == 0)
        write_regular();
    else
        write_random();
    put(printf("summary: %" PRIu64 " 0\n\n", total));
    return fflush(stdout) == 0 ? 0 : 1;
}

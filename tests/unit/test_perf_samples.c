/* SPDX-License-Identifier: MIT */
/*
 * Samples of recordings: chains of addresses become stacks, and processes have mappings, which they inherit.
 */
#include "recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- chains ------------------------------------------------------------------------------- */

static void chains_become_stacks(void **state)
{
    const struct {
        struct stack stack;
        const char *dump;
    } cases[] = {
        /* main ends where f begins: an address that is returned to may be the next function's first, */
        {STACK(USER, G, IN_USER, G, 0x7100), CALLS("main", "g")},
        /* but the first is where it is */
        {STACK(USER, 0x7100, IN_USER, 0x7100), "/srv/prog f line=0 self=7 incl=7 inv=1\n" HEADERS("7")},
        /* Precise events: the sample is of f, although the chain begins in g */
        {STACK(USER, F, IN_USER, G, MAIN), ONE_STACK("7", "7")},
        /* Something in the chain makes no sense */
        {STACK(USER, F, IN_USER, F, (uint64_t)-4095, MAIN), "/srv/prog f line=0 self=7 incl=7 inv=1\n" HEADERS("7")}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct recording r = begin();
        map_program(&r);
        sample(&r, 10, 7, cases[i].stack);
        expect(finish(&r), NULL, "", cases[i].dump);
    }
}

static void simpleperf_has_taken_one_off_already(void **state)
{
    struct recording r = begin();
    put(feature(&r, 128), 0, 8);
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, G, IN_USER, G, 0x7100));
    expect(finish(&r), NULL, "", CALLS("f", "g"));
}

/*
 * Its event says that the kernel made no chains in programs, but simpleperf has unwound the stacks and put them into the
 * chains. A frame of interpreted Java is in a file that is mapped only for reading.
 */
static void simpleperf_has_unwound_stacks(void **state)
{
    struct recording r = begin();
    put(feature(&r, 128), 0, 8);
    r.events[0].flags |= WITHOUT_USER_CHAIN;
    map_program(&r);
    RECORD(&r, MMAP2, USER, 5, 0, "/srv/app.dex", 5 | 5ULL << 32, 0x9000, 0x1000, 0, 0, 0, 0, 1);
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F, 0x9100));
    expect(finish(&r), NULL, "warning: no symbols for /srv/app.dex: each is one row\n",
           "/srv/app.dex [app.dex] line=0 self=0 incl=7 inv=1\n  to f:0 x1 =7\n"
           "/srv/prog f line=0 self=7 incl=7 inv=1\n  from [app.dex]:0 x1 =7\n" HEADERS("7"));
}

/* A chain without the part of the kernel: the sample was called from its first address. */
static void an_address_of_another_context_stays(void **state)
{
    struct recording r = begin();
    map_program(&r);
    kernel_symbol(&r, 1, 0xffff8000, 0x100, 0, 0, "in_kernel");
    sample(&r, 10, 7, STACK(KERNEL, 0xffff8010, IN_USER, F, MAIN));
    expect(finish(&r), NULL, "",
           "/srv/prog main line=0 self=0 incl=7 inv=1\n  to f:0 x1 =7\n"
           "/srv/prog f line=0 self=0 incl=7 inv=1\n  from main:0 x1 =7\n  to in_kernel:0 x1 =7\n"
           "[kernel.kallsyms] in_kernel line=0 self=7 incl=7 inv=1\n  from f:0 x1 =7\n" HEADERS("7"));
}

/* Addresses of a guest or a hypervisor are none of this machine's programs or its kernel's. */
static void other_contexts_are_unknown(void **state)
{
    static const uint64_t contexts[] = {(uint64_t)-32, (uint64_t)-2048, (uint64_t)-2176, (uint64_t)-2560};
    for (size_t i = 0; i < sizeof contexts / sizeof contexts[0]; i++) {
        struct recording r = begin();
        map_program(&r);
        RECORD(&r, MMAP, 5, 5, 1, "/srv/of-a-guest", UINT64_C(5) << 32 | 5, 0x7000, 0x1000,
               0); /* a guest's user mode */
        sample(&r, 10, 7, STACK(USER, F, IN_USER, F, MAIN));
        sample(&r, 11, 1, STACK(4, F, contexts[i], F, IN_USER, MAIN)); /* 4: in a guest's kernel */
        expect(finish(&r), NULL, "",
               "/srv/prog main line=0 self=0 incl=8 inv=2\n  to f:0 x1 =7\n  to [unknown]:0 x1 =1\n"
               "/srv/prog f line=0 self=7 incl=7 inv=1\n  from main:0 x1 =7\n"
               "[unknown] [unknown] line=0 self=1 incl=1 inv=1\n  from main:0 x1 =1\n" HEADERS("8"));
    }
}

static void without_a_chain_there_is_one_frame(void **state)
{
    struct recording r = begin();
    r.events[0].sample_type = IP | TID | TIME | PERIOD;
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, F, 0));
    sample(&r, 11, 1, STACK(USER, 0x123, 0)); /* outside every mapping */
    expect(finish(&r), NULL, "", "/srv/prog f line=0 self=7 incl=7 inv=1\n"
                                 "[unknown] [unknown] line=0 self=1 incl=1 inv=1\n" HEADERS("8"));
}

/* main f main f: each sample counts once for a function and an arc. */
static void recursion_counts_once(void **state)
{
    struct cg2wg_options options = with_root();
    for (int i = 0; i < 3; i++) {
        struct recording r = begin();
        map_program(&r);
        sample(&r, 10, 7, STACK(USER, F, IN_USER, F, MAIN, F, MAIN));
        sample(&r, 11, 2, STACK(USER, MAIN, IN_USER, MAIN));
        options.format = i == 2 ? 4 : 7;
        options.inclusive = i == 1 ? CG2WG_INCLUSIVE_SUM : CG2WG_INCLUSIVE_AUTO;
        static const char *const expected[] = {
            "/srv/prog main line=0 self=2 incl=9 inv=2\n  from f:0 x1 =7\n  to f:0 x1 =7\n"
            "/srv/prog f line=0 self=7 incl=7 inv=1\n  from main:0 x1 =7\n  to main:0 x1 =7\n" HEADERS("9"),
            "/srv/prog main line=0 self=2 incl=16 inv=3\n  from f:0 x1 =7\n  to f:0 x2 =14\n"
            "/srv/prog f line=0 self=7 incl=14 inv=2\n  from main:0 x2 =14\n  to main:0 x1 =7\n" HEADERS("9"),
            "/srv/prog main self=2 incl=9 calls=7 inv=2\n"
            "  #0 self=2 incl=9 from nobody\n    to f#0:0 =7\n"
            "  #1 self=0 incl=7 from f#0:0 =7\n    to f#1:0 =7\n"
            "/srv/prog f self=7 incl=7 calls=7 inv=2\n"
            "  #0 self=0 incl=7 from main#0:0 =7\n    to main#1:0 =7\n"
            "  #1 self=7 incl=7 from main#1:0 =7\n" HEADERS("9")};
        expect(finish(&r), &options, "", expected[i]);
    }
}

static void deferred_chains_are_joined(void **state)
{
    struct recording r = begin();
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, G, IN_USER, G, (uint64_t)-640, 99));
    sample(&r, 10, 2, STACK(USER, MAIN, IN_USER, MAIN));
    RECORD(&r, DEFERRED, 0, 5, 11, NULL, 99, 3, IN_USER, F, MAIN);
    sample(&r, 12, 1, STACK(USER, G, IN_USER, G, (uint64_t)-640, 100));
    expect(finish(&r), NULL, "warning: found no callers in programs of 1 samples, expected a record of them\n",
           "/srv/prog main line=0 self=2 incl=9 inv=2\n  to f:0 x1 =7\n"
           "/srv/prog f line=0 self=0 incl=7 inv=1\n  from main:0 x1 =7\n  to g:0 x1 =7\n"
           "/srv/prog g line=0 self=8 incl=8 inv=2\n  from f:0 x1 =7\n" HEADERS("10"));
    /* If nothing is before the cookie, the first address that comes later is the sample's own. */
    r = begin();
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, F, (uint64_t)-640, 99));
    RECORD(&r, DEFERRED, 0, 5, 11, NULL, 99, 3, IN_USER, F, MAIN);
    expect(finish(&r), NULL, "", ONE_STACK("7", "7"));
}

/*
 * main f g, whose callers come later, once for several samples: one in g, whose own address is the first one; one in
 * the kernel, below g; and one of another thread with the same cookie, which has its own record. perf compares both.
 */
static void deferred_chains_are_of_one_thread(void **state)
{
    struct recording r = begin();
    map_program(&r);
    kernel_symbol(&r, 1, 0xffffffff81000000, 0x100, 2, 0, "entry");
    sample(&r, 10, 1, STACK(USER, G, (uint64_t)-640, 99));
    sample_of(&r, 0, 5, 6, 10, 2, STACK(USER, MAIN, (uint64_t)-640, 99));
    sample(&r, 11, 4, STACK(KERNEL, 0xffffffff81000010, IN_KERNEL, 0xffffffff81000010, (uint64_t)-640, 99));
    RECORD(&r, DEFERRED, 0, 5, 12, NULL, 99, 4, IN_USER, G, F, MAIN);
    RECORD(&r, DEFERRED, 0, 6, 13, NULL, 99, 2, IN_USER, MAIN);
    expect(finish(&r), NULL, "",
           "/srv/prog main line=0 self=2 incl=7 inv=3\n  to f:0 x2 =5\n"
           "/srv/prog f line=0 self=0 incl=5 inv=2\n  from main:0 x2 =5\n  to g:0 x2 =5\n"
           "/srv/prog g line=0 self=1 incl=5 inv=2\n  from f:0 x2 =5\n  to entry:0 x1 =4\n"
           "[kernel.kallsyms] entry line=0 self=4 incl=4 inv=1\n  from g:0 x1 =4\n" HEADERS("7"));
}

/* A chain by chance: addresses of few functions, what says that others follow, and what makes no sense. */
static size_t draw_chain(uint64_t *random, uint64_t *chain, size_t most)
{
    static const uint64_t values[] = {F, F + 1, MAIN, IN_USER, IN_KERNEL, (uint64_t)-640, (uint64_t)-1};
    size_t count = random_below(random, (uint32_t)most);
    for (size_t i = 0; i < count; i++)
        chain[i] = values[random_below(random, random_below(random, 4) == 0 ? 7 : 3)];
    return count;
}

/* Samples by chance, of two processes. Others without callers follow each of them, or all. */
static struct bytes sample_by_chance(bool in_turns)
{
    enum { SAMPLES = 5000, MOST = 9 };
    struct recording r = begin();
    uint64_t random = 3, chain[MOST], time = 10;
    map_program(&r);
    for (unsigned i = 0; i <= SAMPLES; i++)
        sample_of(&r, 0, 9, 5, i == 0 ? 1 : in_turns ? 9 + 4 * i : 10 * SAMPLES, 1, STACK(USER, 1, IN_USER));
    for (unsigned i = 0; i < SAMPLES; i++, time += 4) {
        struct stack stack = {random_below(&random, 2) == 0 ? USER : KERNEL, F, chain, draw_chain(&random, chain, MOST)};
        if (random_below(&random, 20) == 0) {
            uint32_t pid = 5 + random_below(&random, 2);
            map(&r, pid, time + 1, 0x7000, 0x1000, 0x1000 + 0x100 * random_below(&random, 3), "/srv/prog");
        }
        sample_of(&r, 0, 5 + random_below(&random, 2), 5, time + 2, 1 + random_below(&random, 9), stack);
    }
    return finish(&r);
}

/* A sample reuses the outermost frames that it shares with the thread's last one. */
static void nothing_depends_on_the_last_stack(void **state)
{
    struct conversion_result alone = convert(sample_by_chance(true), NULL);
    struct conversion_result after = convert(sample_by_chance(false), NULL);
    assert_int_equal(alone.status, CG2WG_OK);
    assert_string_equal(alone.dump, after.dump);
    assert_string_equal(alone.messages, after.messages);
    conversion_free(&alone);
    conversion_free(&after);
}

/* ---- processes ---------------------------------------------------------------------------- */

/* A later mapping replaces an earlier one at its addresses, in any order in the file. */
static void records_are_replayed_by_time(void **state)
{
    struct recording r = begin();
    sample(&r, 30, 4, STACK(USER, F, IN_USER, F));
    end_round(&r);
    map(&r, 5, 25, 0x7000, 0x1000, 0x1100, "/srv/prog"); /* a byte is 0x100 further in the file */
    sample(&r, 20, 1, STACK(USER, F, IN_USER, F));
    map(&r, 5, 5, 0x7000, 0x1000, 0x1000, "/srv/prog");
    end_round(&r);
    end_round(&r);
    expect(finish(&r), NULL, "", "/srv/prog f line=0 self=1 incl=1 inv=1\n"
                                 "/srv/prog g line=0 self=4 incl=4 inv=1\n" HEADERS("5"));
}

/* Records of the same time stay in the order of the file, with anything between them. */
static void records_of_one_time_stay_in_order(void **state)
{
    struct recording r = begin();
    sample(&r, 20, 1, STACK(USER, F, IN_USER, F));
    map(&r, 5, 10, 0x7000, 0x1000, 0x1000, "/srv/prog");
    sample(&r, 20, 2, STACK(USER, F, IN_USER, F));
    map(&r, 5, 20, 0x7000, 0x1000, 0x1100, "/srv/prog");
    sample(&r, 20, 4, STACK(USER, F, IN_USER, F));
    map(&r, 5, 15, 0x9000, 0x1000, 0, "[vvar]");
    sample(&r, 20, 8, STACK(USER, F, IN_USER, F));
    expect(finish(&r), NULL, "", "/srv/prog f line=0 self=3 incl=3 inv=2\n"
                                 "/srv/prog g line=0 self=12 incl=12 inv=2\n" HEADERS("15"));
}

/* A new mapping cuts the old one in three. */
static void mappings_are_cut(void **state)
{
    struct recording r = begin();
    map_program(&r);
    map(&r, 5, 1, 0x7100, 0x100, 0, "[vvar]");
    sample(&r, 10, 1, STACK(USER, MAIN, IN_USER, MAIN));
    sample(&r, 11, 2, STACK(USER, F, IN_USER, F));
    sample(&r, 12, 4, STACK(USER, G, IN_USER, G));
    sample(&r, 13, 8, STACK(USER, 0x8000, IN_USER, 0x8000)); /* one after the end */
    expect(finish(&r), NULL, "",
           "/srv/prog main line=0 self=1 incl=1 inv=1\n[vvar] [vvar] line=0 self=2 incl=2 inv=1\n"
           "/srv/prog g line=0 self=4 incl=4 inv=1\n"
           "[unknown] [unknown] line=0 self=8 incl=8 inv=1\n" HEADERS("15"));
}

static void children_have_their_parents_mappings(void **state)
{
    struct recording r = begin();
    map_program(&r);
    fork_process(&r, 5, 6, 2, 0);
    map(&r, 6, 3, 0x7100, 0x100, 0, "[vvar]"); /* the child's own */
    fork_process(&r, 5, 7, 4, MADE_UP); /* has been there already */
    sample_of(&r, 0, 6, 6, 10, 1, STACK(USER, MAIN, IN_USER, MAIN));
    sample_of(&r, 0, 6, 6, 11, 2, STACK(USER, F, IN_USER, F));
    sample_of(&r, 0, 5, 5, 12, 4, STACK(USER, F, IN_USER, F));
    sample_of(&r, 0, 7, 7, 13, 8, STACK(USER, F, IN_USER, F));
    expect(finish(&r), NULL, "",
           "/srv/prog main line=0 self=1 incl=1 inv=1\n[vvar] [vvar] line=0 self=2 incl=2 inv=1\n"
           "/srv/prog f line=0 self=4 incl=4 inv=1\n"
           "[unknown] [unknown] line=0 self=8 incl=8 inv=1\n" HEADERS("15"));
}

/* Random mappings of related processes, against a table with an entry for each address. */
static void mappings_agree_with_a_simple_table(void **state)
{
    enum { PROCESSES = 4, ADDRESSES = 64, STEPS = 400 };
    unsigned table[PROCESSES][ADDRESSES] = {{0}};
    char expected[64];
    uint64_t random = 7, sums[4] = {0};
    struct recording r = begin();
    for (uint32_t step = 1; step <= STEPS; step++) {
        uint32_t p = random_below(&random, PROCESSES), at = random_below(&random, ADDRESSES);
        uint32_t kind = random_below(&random, 8);
        if (kind == 0) {
            uint32_t child = (p + 1) % PROCESSES;
            fork_process(&r, p + 1, child + 1, step, 0);
            memcpy(table[child], table[p], sizeof table[p]);
        } else if (kind < 4) {
            uint32_t length = 1 + random_below(&random, ADDRESSES - at), name = 1 + random_below(&random, 3);
            static const char *const names[] = {"", "[a]", "[b]", "[c]"};
            map(&r, p + 1, step, at, length, 0, names[name]);
            for (uint32_t i = at; i < at + length; i++)
                table[p][i] = name;
        } else {
            sample_of(&r, 0, p + 1, p + 1, step, 1, STACK(USER, at, IN_USER, at));
            sums[table[p][at]]++;
        }
    }
    struct cg2wg_options options = with_root();
    struct conversion_result result = convert(finish(&r), &options);
    for (unsigned i = 0; i < 4; i++) {
        static const char *const names[] = {"[unknown]", "[a]", "[b]", "[c]"};
        snprintf(expected, sizeof expected, "%s %s line=0 self=%" PRIu64 " ", names[i], names[i], sums[i]);
        assert_true(sums[i] > 0);
        if (strstr(result.dump, expected) == NULL)
            fail_msg("no %s in %s%s", expected, result.messages, result.dump);
    }
    conversion_free(&result);
}

static void mappings_of_data_are_passed_over(void **state)
{
    struct recording r = begin();
    map2(&r, 5, 0, 3, NULL, "/srv/prog");
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
    expect(finish(&r), NULL, "", "[unknown] [unknown] line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
}

/*
 * Linux up to 4.4 leaves protection and flags 0 if a mapping is of no file, such as the code of a JIT: it is one of code
 * unless its record is marked as that of data. Another kernel's flags are MAP_SHARED or MAP_PRIVATE.
 */
static void a_mapping_without_protection_and_flags_is_of_code(void **state)
{
    static const struct {
        uint64_t protection, flags;
        unsigned misc;
        bool is_code;
    } cases[] = {{0, 0, 0, true}, {0, 0, 0x2000, false}, {0, 2, 0, false}, {0, 1, 0, false}, {5, 0, 0, true},
                 {4, 2, 0x2000, true}, {3, 0, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct recording r = begin();
        RECORD(&r, MMAP2, USER | cases[i].misc, 5, 0, "[vdso]", 5 | 5ULL << 32, 0x7000, 0x1000, 0, 0, 0, 0,
               cases[i].flags << 32 | cases[i].protection);
        sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
        expect(finish(&r), NULL, "", cases[i].is_code ? "[vdso] [vdso] line=0 self=7 incl=7 inv=1\n" HEADERS("7")
                                         : "[unknown] [unknown] line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
    }
}

static void threads_and_processes_are_chosen(void **state)
{
    static const char *const names[] = {"worker"};
    static const uint32_t five[] = {5}, six[] = {6, 99};
    for (int i = 0; i < 4; i++) {
        struct recording r = begin();
        struct cg2wg_options options = with_root();
        options.samples.names = names;
        options.samples.name_count = i == 0;
        options.samples.pids = five;
        options.samples.pid_count = i == 1 || i == 3;
        options.samples.tids = six;
        options.samples.tid_count = i >= 2 ? 2 : 0;
        name_thread(&r, 5, 5, 1, "main");
        map_program(&r);
        RECORD(&r, FORK, 0, 5, 2, NULL, (uint64_t)5 << 32 | 5, (uint64_t)5 << 32 | 6,
               2); /* thread 6 of process 5 is called as thread 5 */
        sample_of(&r, 0, 5, 6, 10, 1, STACK(USER, MAIN, IN_USER, MAIN));
        name_thread(&r, 5, 6, 11, "worker");
        sample_of(&r, 0, 5, 6, 12, 2, STACK(USER, MAIN, IN_USER, MAIN));
        sample_of(&r, 0, 5, 5, 13, 4, STACK(USER, MAIN, IN_USER, MAIN));
        sample_of(&r, 0, 6, 5, 14, 8, STACK(USER, MAIN, IN_USER, MAIN)); /* of another process */
        static const char *const expected[] = {"/srv/prog main line=0 self=2 incl=2 inv=1\n" HEADERS("2"),
                                               "/srv/prog main line=0 self=7 incl=7 inv=3\n" HEADERS("7"),
                                               "/srv/prog main line=0 self=3 incl=3 inv=2\n" HEADERS("3"),
                                               "/srv/prog main line=0 self=3 incl=3 inv=2\n" HEADERS("3")};
        expect(finish(&r), &options, "", expected[i]);
    }
    struct recording r = begin();
    struct cg2wg_options options = with_root();
    options.samples.names = names;
    options.samples.name_count = 1;
    sample(&r, 1, 1, STACK(USER, MAIN, IN_USER, MAIN));
    expect(finish(&r), &options,
           "error: no sample belongs to the chosen threads and processes; the first one is of [unknown], pid 5, thread 5\n", "");
}

/* What --print=tree --sort=time prints of a recording, without its head; numbers are nanoseconds. */
static void expect_order(struct bytes recording, const char *expected)
{
    char *path = scratch_path("recording"), *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct cg2wg_options options = with_root();
    struct cg2wg_view view;
    cg2wg_view_init(&view, sizeof view);
    view.style = CG2WG_TREE;
    view.order = CG2WG_BY_TIME;
    view.min = 0;
    view.raw = true;
    write_file(path, recording.at, recording.length);
    free_bytes(&recording);
    assert_int_equal(cg2wg_print(path, &options, &view, out, NULL), CG2WG_OK);
    fclose(out);
    const char *rows = strstr(text, "stack\n");
    assert_non_null(rows);
    assert_string_equal(rows + strlen("stack\n"), expected);
    free(text);
    free(path);
}

/*
 * Of two threads. Half of the intervals are of 1000 ns, so the first samples have begun 1000 before, and after more than
 * two of these, so has the next one. Thread 8 has begun at 1500, which is later than thread 5 did.
 */
static void threads_are_in_the_order_of_time(void **state)
{
    struct recording r = begin();
    map_program(&r);
    name_thread(&r, 5, 8, 1, "helper");
    sample_of(&r, 0, 5, 5, 3000, 1, STACK(USER, G, IN_USER, G, MAIN));
    sample_of(&r, 0, 5, 5, 1000, 1, STACK(USER, F, IN_USER, F, MAIN));
    sample_of(&r, 0, 5, 8, 2500, 1, STACK(USER, G, IN_USER, G));
    sample_of(&r, 0, 5, 5, 2000, 1, STACK(USER, F, IN_USER, F, MAIN));
    sample_of(&r, 0, 5, 5, 9000, 1, STACK(USER, F, IN_USER, F, MAIN));
    expect_order(finish(&r), "           0    0.00         9000  100.00  thread 5\n"
                             "           0    0.00         3000   33.33    main\n"
                             "        2000   22.22         2000   22.22      f\n"
                             "        1000   11.11         1000   11.11      g\n"
                             "           0    0.00         1000   11.11    main\n"
                             "        1000   11.11         1000   11.11      f\n"
                             "           0    0.00         1000   11.11  helper, thread 8\n"
                             "        1000   11.11         1000   11.11    g\n");
}

/*
 * 200,000 samples, one each microsecond, take turns between f and g. Every fourth is kept: these are all of f, and the
 * last one, number 199,996, was taken after 199,997 microseconds.
 */
static void many_samples_are_thinned_out(void **state)
{
    struct recording r = begin();
    map_program(&r);
    for (uint64_t i = 0; i < 200000; i++)
        sample_of(&r, 0, 5, 5, 1000 + i * 1000, 1, STACK(USER, i % 2 == 0 ? F : G, IN_USER, i % 2 == 0 ? F : G));
    expect_order(finish(&r), "           0    0.00    199997000  100.00  thread 5\n"
                             "   199997000  100.00    199997000  100.00    f\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_become_stacks),
        cmocka_unit_test(simpleperf_has_taken_one_off_already),
        cmocka_unit_test(simpleperf_has_unwound_stacks),
        cmocka_unit_test(an_address_of_another_context_stays),
        cmocka_unit_test(other_contexts_are_unknown),
        cmocka_unit_test(without_a_chain_there_is_one_frame),
        cmocka_unit_test(recursion_counts_once),
        cmocka_unit_test(deferred_chains_are_joined),
        cmocka_unit_test(deferred_chains_are_of_one_thread),
        cmocka_unit_test(nothing_depends_on_the_last_stack),
        cmocka_unit_test(records_are_replayed_by_time),
        cmocka_unit_test(records_of_one_time_stay_in_order),
        cmocka_unit_test(mappings_are_cut),
        cmocka_unit_test(children_have_their_parents_mappings),
        cmocka_unit_test(mappings_agree_with_a_simple_table),
        cmocka_unit_test(mappings_of_data_are_passed_over),
        cmocka_unit_test(a_mapping_without_protection_and_flags_is_of_code),
        cmocka_unit_test(threads_and_processes_are_chosen),
        cmocka_unit_test(threads_are_in_the_order_of_time),
        cmocka_unit_test(many_samples_are_thinned_out),
    };
    return cmocka_run_group_tests(tests, make_program, NULL);
}

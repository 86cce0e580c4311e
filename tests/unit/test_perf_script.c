/* SPDX-License-Identifier: MIT */
/* The text of perf script, by its grammar: each kind of line, and what is damaged. */
#include "support.h"

#include "read/frontend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADERS(event, total) "header: creator: perf\nheader: events: " event "\nheader: summary: " total "\n"

static void expect(const char *text, const char *dump)
{
    assert_conversion(text, NULL, "", dump);
}

#define FRAMES "\t    1136 f+0x10 (/srv/prog)\n\t    1150 main+0x2 (/srv/prog)\n\n"
#define ONE_STACK(event, w)                                                                     \
    "/srv/prog main line=0 self=0 incl=" w " inv=1\n  to f:0 x1 =" w "\n"                       \
    "/srv/prog f line=0 self=" w " incl=" w " inv=1\n  from main:0 x1 =" w "\n" HEADERS(event, w)

static void a_stack_becomes_rows_and_arcs(void **state)
{
    static const char *const headings[] = {
        "app 5 1.000001:    7 page-faults: \n", "app 4/5 1.000001:    7 page-faults: \n",
        "app 5 [001] 1.000001:    7 page-faults: \n", "app 4/5 [001] 1.000001: 7 page-faults:\n",
        "    app 5          7 page-faults: \n", "a 7 app 12 5 [001] 1.2: 7 page-faults: \n",
        "app 5 [001]  7 page-faults: \n", "app 4/5 12345.000001: 7 page-faults: \n",
        /* as perf prints names that are like fields */
        "puma srv tp 001 31536  5329.372105:          7 page-faults: \n",
        "puma srv tp 001 31536          7 page-faults: \n", "a 5 x: y 11331          7 page-faults: \n",
        "PM2 v5.2.2: God 31536  5329.372105:          7 page-faults: \n",
        "a 5 x: y 31536  5329.372105:          7 page-faults: \n",
        "1.5: 2 [000] a 31536  5329.372105:          7 page-faults: \n",
        /* with fields that are not known here: misc, tod */
        "app  2273 U      5369.510902:          7 page-faults: \n",
        "app  2273 [001] UE     2024-05-06 07:08:09.123456  5369.510902:          7 page-faults: \n",
        "app 2273 [001] 2024-05-06 07:08:09.123456          7 page-faults: \n",
        /* without TID, without COMM, without both */
        "app  5369.510902:          7 page-faults: \n", "   31536  5329.372105:          7 page-faults: \n",
        " 4/5          7 page-faults: \n", "[001]  5329.372105:          7 page-faults: \n",
        "             app          7 page-faults: \n", "         7 page-faults: \n",
        /* of a task that has exited, with a trace that is like a sample */
        ":-1    -1 [000]  5854.148617:          7 page-faults: prev_comm=a 5 1.5: 8 x: \n",
        ":-1 -1/-1 1.0: 7 page-faults: \n", "# ========\n# perf\n#\n\napp 5 1.0:   7 page-faults: \r\n"};
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s" FRAMES, headings[i]);
        expect(text, ONE_STACK("page-faults", "7"));
    }
    /* Old versions of simpleperf's report_sample.py print tabs, as Firefox's profiler has such a text in its tests. */
    expect("app\t5 [001] 1.000001:\t\t7 page-faults:\n        1136\tf (/srv/prog)\n        1150\tmain (/srv/prog)\n\n",
           ONE_STACK("page-faults", "7"));
}

/* Without a time and without a period, the width says which number is missing. */
static void a_name_may_end_in_a_number(void **state)
{
    expect("puma srv tp 001 31536 page-faults: \n" FRAMES, ONE_STACK("Samples", "1"));
    expect("         puma 01   31536 5329.372105: page-faults: \n" FRAMES, ONE_STACK("Samples", "1"));
    expect(":-1      -1 page-faults: \n" FRAMES, ONE_STACK("Samples", "1"));
    expect("a        5 page-faults: \n" FRAMES, ONE_STACK("Samples", "1"));
    expect("a         5 page-faults: \n" FRAMES, ONE_STACK("page-faults", "5"));
    /* Where a sample was taken: kernel, user, hypervisor, kernel and user of a guest (perf_sample__fprintf_misc) */
    for (const char *misc = "KUHGg"; *misc != '\0'; misc++) {
        char text[400];
        snprintf(text, sizeof text, "   5 %c     page-faults: \n" FRAMES, *misc);
        expect(text, ONE_STACK("Samples", "1"));
    }
}

/* perf script -F comm,tid,time,ip,sym,dso, and with other fields before the time */
static void events_may_be_missing(void **state)
{
    static const char *const headings[] = {"a 27817  1416.795548: ", "a 27817 [001]  1416.795548:", "a  1416.795548: ",
                                           "a 12/27817  1416.795548: ",
                                            "           27817  1416.795548: ", "  1416.795548: "};
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        char text[500];
        snprintf(text, sizeof text, "%s\n" FRAMES, headings[i]);
        expect(text, ONE_STACK("Samples", "1"));
        snprintf(text, sizeof text, "%s     500000 \n" FRAMES, headings[i]); /* perf script -F -event */
        expect(text, ONE_STACK("Period", "500000"));
    }
    expect("   a 12/12  1.5:     500000            1136 f (p)\n"
            "   a 12/12  1.5:     200000              1136 f (p) insn: c3\n"
           "   a 12/12  1.5:     100000     7f8073569010            1136 f (p)\n",
           "p f line=0 self=800000 incl=800000 inv=3\n" HEADERS("Period", "800000"));
    expect("   a 12/12  1.5:             1136 f (p)\n   a 12/12  1.5:  1136 f (p)\n"
            "   a 1.5: 1 2.5:     7f8073569010 \n\t1 f (p)\n",
           "p f line=0 self=3 incl=3 inv=3\n" HEADERS("Samples", "3"));
    /* What is traced may end like a time. */
    expect("app 5 probe:f: in 1.5: 3\n" FRAMES, ONE_STACK("Samples", "1"));
}

static void the_header_describes_the_recording(void **state)
{
    expect("# perf version : 6.1\n# cmdline : /usr/bin/perf record ./app \n#\napp 5 1.0: 7 page-faults: 1 f (p)\n",
           "p f line=0 self=7 incl=7 inv=1\nheader: creator: perf 6.1\nheader: cmd: ./app\n"
           "header: events: page-faults\nheader: summary: 7\n");
    /* perf prints a command of several lines as it is. */
    expect("# cmdline : perf record sh -c a\nb 1\n \n# ========\n#\napp 5 1.0: 7 page-faults: 1 f (p)\n",
           "p f line=0 self=7 incl=7 inv=1\nheader: creator: perf\nheader: cmd: sh -c a\n"
           "header: events: page-faults\nheader: summary: 7\n");
}

/* As perf 6.1 prints them with --show-task-events, --show-mmap-events and --show-lost-events. */
static void other_records_are_skipped(void **state)
{
    static const char others[] =
        "perf-exec     0     0.000000: PERF_RECORD_COMM: perf-exec:27817/27817\n"
        "swapper     0     0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1276f48) @ 0xffffffff81000000]: "
        "x [k]_t\n"
        "a 27817  1416.795080: PERF_RECORD_MMAP2 27817/27817: [0x560b1bf25000(0x1000) @ 0x1000 fe:00 1 6]: "
        "r-xp /tmp/a\n"
        "a 27817  1416.795090: PERF_RECORD_LOST lost 12\n"
        /* without times, without anything, and of several lines (perf_event__fprintf in util/event.c) */
        "perf-exec     0/0     PERF_RECORD_COMM: perf-exec:13145/13145\nPERF_RECORD_FINISHED_ROUND\n"
        "a 5 1.0: PERF_RECORD_NAMESPACES 5/5 - nr_namespaces: 7\n\t\t[0/net: 4/0xf0000075, 1/uts: 4/0xeffffffe, \n"
        "\t\t 4/user: 4/0xeffffffd, 6/cgroup: 4/0xeffffffb]\n"
        "a 5 1.0: PERF_RECORD_TEXT_POKE ffffffff813a4413 f+0x3 old len 5 new len 5\n"
            "            Old bytes: 0f 1f 44 00 00\n"
        "            New bytes: e8 5b 12 00 00\na 5 1.0: PERF_RECORD_SWITCH_CPU_WIDE OUT  next pid/tid:   0/0    \n";
    char text[4000];
    snprintf(text, sizeof text, "%sa 5 1.0: 7 page-faults: \n" FRAMES "\n%s", others, others);
    expect(text, ONE_STACK("page-faults", "7"));
}

/* Without a period, each sample counts once, and not as a time. */
static void weights_are_periods(void **state)
{
    expect("app 5 1.0: cpu-clock: \n" FRAMES, ONE_STACK("Samples", "1"));
    expect("app 5 1.0: 46 cpu-clock: \n" FRAMES, ONE_STACK("Time_(10ns)", "5"));
    expect("app 5 1.0: 46 task-clock:u: \n" FRAMES, ONE_STACK("Time_(10ns)", "5"));
    expect("app 5 1.0: 46 cpu-clock/period=500/: \n" FRAMES, ONE_STACK("Time_(10ns)", "5"));
    expect("app 5 1.0: 46 cpu-clocks: \n" FRAMES, ONE_STACK("cpu-clocks", "46"));
    struct cg2wg_options options = default_options();
    options.event = "cpu-clock:u + 2 task-clock";
    assert_conversion("app 5 1.0: 40 cpu-clock:u: 1 f (p)\napp 5 1.0: 30 task-clock: 1 f (p)\n", &options, "",
                "p f line=0 self=10 incl=10 inv=2\n" HEADERS("Time_(10ns)", "10"));
    assert_conversion("app 5 1.0: 99999999999999999999999 cycles: 1 f (p)\n", NULL,
                "warning: found 1 samples with a period of 2^63 or more, expected less; "
                "each counts as the largest cost\n"
                "note: all costs are divided by 10000000000 so that they fit 32 bits; the event is now "
                "cycles_(x10000000000)\n",
                "p f line=0 self=922337204 incl=922337204 inv=1\n" HEADERS("cycles_(x10000000000)", "922337204"));
}

/*
 * The frame of a sample without a chain is in its line. Samples may follow without an empty line; a name of
 * hexadecimal letters does not make a frame of them.
 */
static void a_sample_may_be_one_line(void **state)
{
    expect("     dd 5 1.0: 1 page-faults:  ffff f+0xa (p)\n   beef 6 1.1: 2 page-faults: ffff f (p)\n",
           "p f line=0 self=3 incl=3 inv=2\n" HEADERS("page-faults", "3"));
    assert_conversion("dd 5 1.0: 1 page-faults:\ndd 5 1.0: 2 page-faults: ffff f (p)\ndd 5 1.0: 1 page-faults:\n\n\n"
           "dd 5 1.0: 4 page-faults:\n", NULL,
           "warning: no frame in 3 of 4 samples; they count as [unknown]\n",
           "[unknown] [unknown] line=0 self=6 incl=6 inv=3\np f line=0 self=2 incl=2 inv=1\n"
           HEADERS("page-faults", "8"));
    assert_conversion("dd 5          1 page-faults:\ndd 5          2 page-faults: ffff f (p)\ndd 5          1 page-faults: \n"
           "\tdd 5 1.0: 2 x: f (p)\n", NULL,
           "warning: no frame in 1 of 3 samples; they count as [unknown]\n",
           "[unknown] [unknown] line=0 self=1 incl=1 inv=1\np f line=0 self=2 incl=2 inv=1\n"
           "p 5 1.0: 2 x: f line=0 self=1 incl=1 inv=1\n" HEADERS("page-faults", "4"));
}

static void symbols_and_objects_may_hold_anything(void **state)
{
    static const struct {
        const char *frame, *row;
    } cases[] = {
        {"f(int, g (*)(char))+0x1f (/srv/a b (deleted))", "/srv/a b (deleted) f(int, g (*)(char))"},
        {"f+0xg (p)", "p f+0xg"},
        {"+0x1 (p)", "p [p]"},
        {"operator+ (p)", "p operator+"},
        {"[unknown] (/lib/libc.so.6)", "/lib/libc.so.6 [libc.so.6]"},
        {"[unknown] ([unknown])", "[unknown] [unknown]"},
        {"[unknown] ([kernel.kallsyms])", "[kernel.kallsyms] [kernel.kallsyms]"},
        {"do_idle+0x1 ([kernel.kallsyms])", "[kernel.kallsyms] do_idle"},
        /* as perf report shows modules of the kernel */
        {"f+0x1 ([nf_tables])", "[nf_tables] f"},
        {"f+0x1 (/lib/modules/6.1.0/kernel/net/nf-tables.ko)", "[nf_tables] f"},
        {"f+0x1 (/lib/modules/6.1.0/kernel/net/nf-tables.ko.xz)", "[nf_tables] f"},
        {"f+0x1 (/usr/lib/libx.ko.d/libc.so.6)", "/usr/lib/libx.ko.d/libc.so.6 f"},
        {"f ([kernel.kallsyms]_stext)", "[kernel.kallsyms] f"},
        {"ext4_write+0x1 ([ext4])", "[ext4] ext4_write"},
        {"JS:*f /srv/a.js:1:2+0x8 (/tmp/perf-5.map)", "[JIT] JS:*f /srv/a.js:1:2"},
        {"[unknown] (/tmp/perf-5.map)", "[JIT] [JIT]"},
        {"[unknown] (//anon)", "[JIT] [JIT]"},
        {"f ([JIT] tid 5)", "[JIT] f"},
        {"f (inlined)", "[inlined] f"},
        {"(p)", "p [p]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200], row[200];
        snprintf(text, sizeof text, "app 5 1.0: 1 page-faults:\n\t 12ab %s\n\n", cases[i].frame);
        snprintf(row, sizeof row, "%s line=0 self=1 incl=1 inv=1\n" HEADERS("page-faults", "1"), cases[i].row);
        expect(text, row);
    }
}

/*
 * What perf script prints between an event and a frame, and after a frame, by the formats of its printf (process_event
 * in builtin-script.c, Linux 4.9 to 6.14). Each text has a sample without a chain, with all of it in its line, and one
 * with a chain. Both are of f.
 */
static void other_fields_are_skipped(void **state)
{
    static const struct {
        const char *before, *after;
    } cases[] = {
        {"", ""},
        {"  call                  ", ""},                                    /* flags */
        {"  jmp        (x)       ", ""},
        {"    7f8073569010", ""},                                            /* addr, data_src, weight, ins_lat */
        {"    7f8073569010         5080184 |OP LOAD|LVL L1 hit"
         "|SNP None|LCK No|BLK  N/A              34              2", ""},
        {"    7f8073569010 [unknown] (//anon)", ""},                         /* of page-faults */
        {"    7f8073569010 g(int)+0x2 (/srv/a b (deleted))", ""},
        {"    7f8073569010 g+0x2 (/srv/lib.so+0x5f)              34 /user.slice/a", ""},
        {"ffffffff813a4413 g ([kernel.kallsyms])68501042 |OP STORE|              34", ""},
        {" IP: 1 payload: 0x12  ", ""}, {" cbr: 12 freq: 1200 MHz ( 34%)         ", ""},
        {"prev_comm=a (5) prev_pid=5 ==> next_comm=b next_pid=6", ""},
        {"NR 1 (7, 55d0c0de1139, c)", ""},
        {"", "ABI:2    AX:0x1    BX:0xdead  R10:0x0 "},                      /* iregs, uregs */
        {"", "   AX:0x1    BX:0xdead "},
        {"", " 0x4011 (/srv/prog)/0x4022 (/srv/lib.so)/P/-/-/3/COND/-  "
             "0x4033 (/srv/prog)/0x0 ([unknown])/M/-/-/0/-/- "},
        {"", "0x4011(/srv/prog)/0x4022(/srv/lib.so)/P/-/-/3 "},
        {"", "f+0x12 (/srv/prog)/g(int)+0x0 (/srv/prog)/P/-/-/1/CALL/- g+0x5 (/srv/prog)/f+0x0 (/srv/prog)/-/X/A/12 "},
        {"", " ilen: 3 insn: 48 8b 05 5f 5f"},
        {"", " insn: 48 8b 05\t\tmovq (%rax), %rbx (bad)"},
        {"", " ilen: 3\n\tf+5:\n\t0000000000401136\tinsn: 48 8b 05\n\t0000000000401139\tmovq  (%rax), (%rbx)\t# PRED 3 "
             "cycles [3] 0.33 IPC\n\tg:\tprog.c:7\n\t... not reaching sample ...\n"
             "\tmismatch of LBR data and executable\n"},
        {"", "        12345678"}, {"", "ffff812345678000 4K N/A"}, {"", " N/A 4K"}, {"", " 2M 1G"},
        {"", " \t IPC: 0.12 (1/8) "}, {"", "ABI:2    AX:0x1  insn: c3        12345000 4K 4K \t IPC: 0.12 (1/8) "},
        {"", "\n|6        a = f(5 x: 7) + 1;"},
        {"", "\na 5 [001] 1.000001: \tmetric: 0.12 insn per cycle"},
        {"", "\n      BPF output: 0000: 48 65 6c 6c 6f 20 57 6f  Hello Wo\n"
            "                  0008: 72 00                    r.      \n"
             "      BPF string: \"Hello 5 W:\"\n"},
        {"    7f8073569010 [unknown] (//anon)",
         "ABI:2    IP:0x1  0x4011 (/srv/prog)/0x4022 (/srv/p)/P/-/-/3  insn: c3 4K"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *before = cases[i].before, *after = cases[i].after;
        char text[4000];
        snprintf(text, sizeof text,
                 "a 5 [001] 1.000001:          3 page-faults: %s              1136 f+0x10 (/srv/prog)%s\n"
                 "a 5 [001] 1.000001:          4 page-faults: %s\n"
                 "\t            1136 f+0x10 (/srv/prog)\n\t            1150 main+0x2 (/srv/prog)\n%s\n"
                 "a 5 [001] 1.000001:          9 page-faults: %s              1150 main+0x2 (/srv/prog)%s\n",
                 before, after, before, after, before, after);
        expect(text, "/srv/prog f line=0 self=7 incl=7 inv=2\n  from main:0 x1 =4\n"
                     "/srv/prog main line=0 self=9 incl=13 inv=2\n  to f:0 x1 =4\n" HEADERS("page-faults", "16"));
    }
}

/* Of a branch (is_bts_event), the frame is where it came from. */
static void a_branch_is_where_it_began(void **state)
{
    expect("app 5 1.0:          1 branches:   call            1136 f+0x10 (/srv/prog) => "
           "            1150 g (/srv/lib.so)\n"
           "app 5 1.0:          1 branches:             1136 f (/srv/prog) =>             1150\n",
           "/srv/prog f line=0 self=2 incl=2 inv=2\n" HEADERS("branches", "2"));
    expect("app 5 1.0:          1 branches: \n\t            1136 f+0x10 (/srv/prog)\n => 1150 g (/srv/lib.so)\n"
           "app 5 1.0:          1 branches:             1136 f (/srv/prog) =>             1150\n",
           "/srv/prog f line=0 self=2 incl=2 inv=2\n" HEADERS("branches", "2"));
}

/*
 * perf script -F +srcline: below each frame; without debug information OBJECT[ADDRESS]. That of inlined code is longer.
 */
static void lines_of_source_are_skipped(void **state)
{
    expect("app 5 1.0:   7 page-faults: \n\t    1136 f (/srv/prog)\n  /srv/my f.c:12\n"
            "\t    1150 main (/srv/prog)\n  prog[1150]\n\n",
           ONE_STACK("page-faults", "7"));
    expect("  kworker/0:1  5 1.0:          7 page-faults:             1136 f (p)\n  f.c:12 ilen: 3 insn: 48\n"
           "  kworker/0:1  5 1.0:          2 page-faults:             1136 g (p)\n  ??:0\n",
           "p f line=0 self=7 incl=7 inv=1\np g line=0 self=2 incl=2 inv=1\n" HEADERS("page-faults", "9"));
    expect("app 5 1.0: 7 page-faults:\n\t 1136 g\n  f.c:12 (inlined)\n\t 1150 f (p)\n  f.c:20\n\n",
           "p f line=0 self=0 incl=7 inv=1\n  to g:0 x1 =7\n[inlined] g line=0 self=7 incl=7 inv=1\n  from f:0 x1 =7\n"
           HEADERS("page-faults", "7"));
}

/* perf_event__fprintf_auxtrace_error in util/auxtrace.c prints them, in each version another list of fields. */
static void errors_of_a_decoder_are_counted(void **state)
{
    assert_conversion(" instruction trace error type 1 time 4525.744123981 cpu 0 pid 21 tid 21 ip 0 code 8: Lost trace data\n"
                "app 5 1.0:   7 page-faults: \n" FRAMES
                " instruction trace error type 1 cpu 0 pid 21 tid 5 ip 0x7f85fc8da190 code 7: Overflow packet\n"
                " unknown AUX error type 2 time 0 machine_pid 7 vcpu 1 cpu 0 pid 21 tid 21 ip 0 "
                "code 5: Failed to get instruction\n",
                NULL,
                "warning: found 3 errors of the decoder of a hardware trace, expected none; "
                "what ran there is missing\n",
                ONE_STACK("page-faults", "7"));
}

/* In the lines of samples without chains COMM, or without it the ids, begin with blanks. */
static void indented_threads_are_chosen(void **state)
{
    static const char *const names[] = {"kid 42"};
    static const uint32_t number[] = {7};
    static const char text[] = "               a 12/12 1.0:          1 page-faults:             1136 f (p)\n"
                               "          kid 42    7/7       1.1:          2 page-faults:             1136 g (p)\n"
                               "kid 42 7/7 1.2: 4 page-faults: \n\t 1 g (p)\n\n";
    struct cg2wg_options options = default_options();
    options.samples.names = names;
    options.samples.name_count = 1;
    assert_conversion(text, &options, "", "p g line=0 self=6 incl=6 inv=2\n" HEADERS("page-faults", "6"));
    options.samples.pids = options.samples.tids = number;
    options.samples.pid_count = options.samples.tid_count = 1;
    assert_conversion(text, &options, "", "p g line=0 self=6 incl=6 inv=2\n" HEADERS("page-faults", "6"));
    options.samples.name_count = 0;
    assert_conversion("     12/12       1.0:   1 page-faults: 1 f (p)\n      7/7       1.0:   2 page-faults: 1 g (p)\n",
                &options, "",
                "p g line=0 self=2 incl=2 inv=1\n" HEADERS("page-faults", "2"));
    options.samples.pid_count = options.samples.tid_count = 0;
    options.samples.name_count = 1; /* and of a guest, with machine_pid and vcpu */
    assert_conversion("VM: 1234 VCPU:001           kid 42    7/7       1.1:          2 page-faults:             1136 g (p)\n",
                &options, "", "p g line=0 self=2 incl=2 inv=1\n" HEADERS("page-faults", "2"));
}

static const char two_events[] = "one 5/5 1.0: 1 page-faults:u: 1 f (p)\ntwo 5/6 1.0: 8 cycles:u: 1 g (p)\n"
                                 "one 7/7 1.0: 2 page-faults:u: 1 g (p)\ntwo 7/8 1.0: 4 page-faults:u: 1 h (p)\n";

static void events_and_threads_are_chosen(void **state)
{
    static const char *const names[] = {"one"};
    static const uint32_t number[] = {7};
    struct cg2wg_options options = default_options();
    options.event = "cycles";
    assert_conversion(two_events, &options, "", "p g line=0 self=8 incl=8 inv=1\n" HEADERS("cycles:u", "8"));
    /* another event that begins with the same letters */
    assert_conversion("a 5 1.0: 4 cycles-ct: 1 f (p)\na 5 1.0: 2 cycles:u: 1 f (p)\n", &options, "",
                "p f line=0 self=2 incl=2 inv=1\n" HEADERS("cycles:u", "2"));
    cg2wg_options_init(&options, sizeof options);
    options.samples.names = names;
    options.samples.name_count = 1;
    assert_conversion(two_events, &options, "",
                "p f line=0 self=1 incl=1 inv=1\np g line=0 self=2 incl=2 inv=1\n" HEADERS("page-faults:u", "3"));
    assert_conversion("one two 1 1.0: 4 page-faults: 1 f (p)\none -1 1.0: 2 page-faults: 1 f (p)\n"
                "one 1.0: 1 page-faults: 1 f (p)\n", &options, "",
                "p f line=0 self=3 incl=3 inv=2\n" HEADERS("page-faults", "3"));
    options.samples.pids = number;
    options.samples.pid_count = 1;
    assert_conversion(two_events, &options, "", "p g line=0 self=2 incl=2 inv=1\n" HEADERS("page-faults:u", "2"));
    cg2wg_options_init(&options, sizeof options);
    options.samples.pids = number;
    options.samples.pid_count = 1;
    assert_conversion("app 7 1.0: 1 page-faults: 1 f (p)\n", &options,
                "error: no sample belongs to the chosen threads and processes; the first one is of app, thread 7\n", "");
    options.samples.pid_count = 0;
    options.samples.tids = number;
    options.samples.tid_count = 1;
    assert_conversion("a 1 7 U 1.0: 1 page-faults: 1 f (p)\na 7 8 1.0: 2 page-faults: 1 f (p)\n", &options, "",
                "p f line=0 self=1 incl=1 inv=1\n" HEADERS("page-faults", "1"));
    assert_conversion("app 7 1.0: 1 page-faults: 1 f (p)\n", &options, "",
                "p f line=0 self=1 incl=1 inv=1\n" HEADERS("page-faults", "1"));
}

/* Events that count the same, by their names, of which one that is not the first has more. */
static void a_note_says_which_events_can_be_added(void **state)
{
    static const struct {
        const char *first, *second, *third, *advice;
    } cases[] = {{"cpu_atom/cycles:Pu/", "cpu_core/cycles:Pu/", "instructions",
                  "cpu_atom/cycles:Pu/ + cpu_core/cycles:Pu/' adds them"},
                 {"cycles:u", "cycles:kHG", "cpu_core/cycles/", "cycles:u + cycles:kHG + cpu_core/cycles/' adds them"},
                 {"cpu/mem-loads,ldlat=30/P", "cpu_core/mem-loads/", "cpu/mem-stores/P",
                  "cpu_core/mem-loads/' takes that"},
                 {"page-faults/period=1/u", "page-faults:k", "faults", "page-faults:k' takes that"},
                 {"sched:sched_switch", "sched:sched_wakeup", "sched:sched_switch2", NULL},
                 {"cpu/event=0x3c/", "cpu/event=0xc0/", "cpu/config1=1/", NULL},
                 {"cycles", "instructions", "cycles-ct", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[500], note[500] = "", dump[500];
        snprintf(text, sizeof text, "a 5 1.0: 4 %s: 1 f (p)\na 5 1.0: 9 %s: 1 f (p)\na 5 1.0: 8 %s: 1 f (p)\n",
                 cases[i].first,
                 cases[i].second, cases[i].third);
        snprintf(dump, sizeof dump, "p f line=0 self=4 incl=4 inv=1\nheader: creator: perf\nheader: events: %s\n"
                 "header: summary: 4\n", cases[i].first);
        if (cases[i].advice != NULL)
            snprintf(note, sizeof note, "note: the event is %s (4), but %s has more (9); '%s\n", cases[i].first,
                     cases[i].second, cases[i].advice);
        assert_conversion(text, NULL, note, dump);
    }
}

#define EXPECTED                                                                                        \
    "expected a sample (COMM TID TIME: PERIOD EVENT:) or a frame (ADDRESS SYMBOL (OBJECT)); print only the fields " \
    "of these (perf script -F comm,pid,tid,time,period,event,ip,sym,dso)"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define HEADING_A "app 5 1.0: 3 page-faults:\n"
#define CHAIN_A "\t12 a (p)\n\t13 m (p)\n"
#define SAMPLE_A HEADING_A CHAIN_A
#define SAMPLE_B "app 5 1.1: 4 page-faults:\n" CHAIN_A
#define OTHER_LINE "app 5 1.1: 4 page-faults: 12 a (p)\n"
#define ONE_LINE "app 5 1.0: 3 page-faults: 12 a (p)\n"

#define NO_OBJECT                                                                                              \
    "found a frame without its object, expected ADDRESS SYMBOL (OBJECT) (perf script -F +ip,+sym,+dso)\n"

static void messages_say_what_is_wrong(void **state)
{
    struct cg2wg_options options = default_options();
    options.input_format = "perf-script";
    assert_conversion("app 5 1.0: 1 page-faults:\n\t12 f (p)\n12 f\n", &options,
                "error: 3: found another line, " EXPECTED "\n", "");
    assert_conversion("app 5 1.0: 1 page-faults:\n\t12 f\n\t12 f (p)\n", &options, "error: 2: " NO_OBJECT, "");
    assert_conversion("app 5 1.0: 1 page-faults:\n\t12 f (p)\n\t12 f\n", &options, "error: 3: " NO_OBJECT, "");
    assert_conversion("app 5 \n\t            1136 f (p)\n", NULL, "error: 1: found another line, " EXPECTED "\n", "");
    assert_conversion("what is this\n", &options, "error: 1: found another line, " EXPECTED "\n", "");
    assert_conversion("app 5 1.0: 1 page-faults: 1 f (p)\napp 5 1.0: 1 page-faults:\n\t12 f (p)\n\t12 f", &options,
                "warning: 4: ends within a sample, expected the rest of it; it is left out\n",
                "p f line=0 self=1 incl=1 inv=1\n" HEADERS("page-faults", "1"));
    /* A whole frame lacks only its newline; what is in the parentheses of a symbol is no object. */
    assert_conversion("app 5 1.0: 1 page-faults: 1 f (p)\napp 5 1.0: 1 page-faults:\n\t12 f (p)", &options, "",
                "p f line=0 self=2 incl=2 inv=2\n" HEADERS("page-faults", "2"));
    assert_conversion("app 5 1.0: 1 page-faults: 1 f (p)\napp 5 1.0: 1 page-faults:\n\t12 f (p)\n\t13 g(int)", &options,
                "warning: 4: ends within a sample, expected the rest of it; it is left out\n",
                "p f line=0 self=1 incl=1 inv=1\n" HEADERS("page-faults", "1"));
    assert_conversion("app 5 1.0: 1 page-faults: 1 f (p)\napp 5 1.0: 1 page-faults:\n\t12 f (p)\n\t13 g (p", &options,
                "warning: 4: ends within a sample, expected the rest of it; it is left out\n",
                "p f line=0 self=1 incl=1 inv=1\n" HEADERS("page-faults", "1"));
    assert_conversion("app 5 1.0: 1 page-faults: 1 f (p)\napp 5 1.0: 1 page-faults:\n\t12 f (p)\n\t ", &options,
                "warning: 4: ends within a sample, expected the rest of it; it is left out\n",
                "p f line=0 self=1 incl=1 inv=1\n" HEADERS("page-faults", "1"));
    assert_conversion("app 5 1.0: 1 page-faults: 1 f (p)\napp 5 1.0: 1 page-faults:\n\t12 f (p)\n", &options, "",
                "p f line=0 self=2 incl=2 inv=2\n" HEADERS("page-faults", "2"));
    assert_conversion("app 5 1.0: 1 page-faults: \napp 5 1.0: 1 page-faults: \n\nx 5 1.0: 1 cycles: 1 f (p)\n", &options,
                "error: no sample of the event has a frame; print the fields ip, sym and dso: perf script "
                "-F +ip,+sym,+dso\n", "");
    assert_conversion("# nothing\n", &options, "error: there is no sample of this event\n", "");
}

/* `perf script >FILE 2>&1` puts messages anywhere; FlameGraph#253, perf-tools#75, gprofiler#512 have such texts. */
static void messages_of_perf_are_passed_over(void **state)
{
    static const char *const messages[] = {
        "Failed to open /tmp/perf-7.map, continuing without symbols",
        "[kernel.kallsyms] with build id 40aa70fa3b5d not found, continuing without symbols",
        "Warning:\nProcessed 4523 events and lost 3 chunks!\n\nCheck IO/CPU overload!\n",
        "Warning:\nProcessed 459325 samples and lost 70.00%!\n",
        "WARNING: The perf.data file's data size field is 0 which is unexpected.\nWas the 'perf record' command properly terminated?",
        "[ perf record: Woken up 1 times to write data ]\n[ perf record: Captured and wrote 0.05 MB perf.data (9 samples) ]",
        "addr2line: DWARF error: could not find variable specification at offset 0x1b2c",
        "/usr/bin/addr2line: /bin/app: file format not recognized",
        "addr2line /bin/app: could not read sentinel record", "addr2line_init failed for /bin/app",
        "BFD: DWARF error: section .debug_str is larger than its filesize!",
        "0x209018 [0x80]: failed to process type: 17 [Bad address]"};
    static const char *const others[] = {"Some new message (of which nothing is known)", "plugin: not loaded"};
    static const char *const places[] = {"%s\n" SAMPLE_A "\n" SAMPLE_B, SAMPLE_A "\n%s\n" SAMPLE_B, SAMPLE_A "\n" SAMPLE_B "\n%s\n",
                                         HEADING_A "%s\n" CHAIN_A "\n" SAMPLE_B, HEADING_A "\t12 a (p)\n%s\n\t13 m (p)\n\n" SAMPLE_B,
                                         SAMPLE_A "%s\n\n" SAMPLE_B, ONE_LINE "%s\n" OTHER_LINE};
    for (size_t i = 0; i < COUNT(messages) + COUNT(others); i++)
        for (size_t k = 0; k < COUNT(places); k++) {
            const char *message = i < COUNT(messages) ? messages[i] : others[i - COUNT(messages)];
            char text[1000];
            if (k == 0 && i >= COUNT(messages))
                continue;
            snprintf(text, sizeof text, places[k], message);
            struct conversion_result result = convert_text(text, NULL);
            bool are_known = strstr(result.dump != NULL ? result.dump : "", "p a line=0 self=7 incl=7 inv=2\n") != NULL;
            if (!are_known || strstr(result.messages, " of no sample, such as messages of perf") == NULL ||
                strchr(result.messages, '\n')[1] != '\0')
                fail_msg("found %s%s, expected one warning and both samples, of\n%s", result.messages,
                         result.dump != NULL ? result.dump : "", text);
            conversion_free(&result);
        }
    /* What frames follow is a sample's line, and so are lines of which there are more than samples. */
    assert_conversion(SAMPLE_A "\napp 5\n" CHAIN_A, NULL, "error: 5: found another line, " EXPECTED "\n", "");
    assert_conversion(ONE_LINE "app 5 a\napp 5 b\n", NULL, "error: 2: found another line, " EXPECTED "\n", "");
}

static void text_is_recognised(void **state)
{
    static const struct {
        const char *head;
        enum recognition is;
    } cases[] = {{"app 5 1.0: 1 cycles:\n", MINE},
                 {"# x\n\napp 5 1.0: 1 cycles:\n", MINE},
                 {"Warning:\nProcessed 5 events and lost 3 chunks!\n\napp 5 1.0: 1 cycles:\n", MINE},
                 {"Warning:\n", NOT_YET},
                 {"# x\n", NOT_YET},
                 {"", NOT_YET},
                 {"app 5 cycles\n", NOT_MINE},
                 {"app 5 \n\t            1136 f (p)\n", MINE}, /* -F comm,tid,ip,sym,dso: an error names the others */
                 {"app 5 \n\tg (p)\n", NOT_MINE},
                 {"version: 1\n", NOT_MINE},
                 {"app x cycles:\n", NOT_MINE},
                 {"cycles:\n", NOT_MINE},
                 {"1.0: cycles\n", NOT_MINE},
                 {"1.0: 5:\n", MINE},
                 {"1.0: 2.0:\n", MINE}, /* no events, and a thread named 1.0: */
                 {" 1416.795548: \n", MINE}, /* perf script -F time,ip,sym */
                 {"at 2.0: all\n", NOT_MINE},
                 {"at 2.0: 5 all\n", NOT_MINE},
                 {"5 cycles:\n", MINE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(perf_script_frontend.recognises(text_of_string(cases[i].head)), cases[i].is);
}

/* Of each prefix and each damaged text: a whole file, or one error and none. */
static void every_prefix_is_read_or_refused(void **state)
{
    struct cg2wg_options options = default_options();
    char text[] = "# perf version : 6.1\napp 5/6 [001] 1.0: 12 cpu-clock:u:\n" FRAMES
                  "b c 5 1.0: 1 page-faults: 1 f (p)\n\nb 5 1.0: 3 cpu-clock:u: \n" FRAMES;
    static const char telling[] = " \n#(:)/[]0f+x";
    size_t length = strlen(text);
    options.input_format = "perf-script";
    for (size_t i = 0; i < length; i++)
        for (size_t k = 0; k < sizeof telling; k++) {
            char kept = text[i];
            text[i] = telling[k];
            struct conversion_result result = convert_bytes(text, k + 1 < sizeof telling ? length : i, &options);
            const char *error = strstr(result.messages, "error: ");
            text[i] = kept;
            assert_int_equal(result.status == CG2WG_OK, error == NULL);
            assert_int_equal(result.status == CG2WG_OK, *result.dump != '\0');
            assert_true(error == NULL || strstr(error + 1, "error: ") == NULL);
            conversion_free(&result);
        }
}

/* Chains of any length; deep stacks take no recursion. */
static void chains_may_be_long(void **state)
{
    enum { FRAMES_OF_ONE = 100000 };
    char *text = malloc(FRAMES_OF_ONE * 10 + 100), *p = text;
    p += sprintf(p, "app 5 1.0: 1 page-faults:\n");
    for (unsigned i = 0; i < FRAMES_OF_ONE; i++)
        p += sprintf(p, i % 2 == 0 ? " 1 f (p)\n" : " 1 g(p)\n");
    strcpy(p, "\n");
    expect(text, "p g line=0 self=0 incl=1 inv=1\n  from f:0 x1 =1\n  to f:0 x1 =1\n"
                 "p f line=0 self=1 incl=1 inv=1\n  from g:0 x1 =1\n  to g:0 x1 =1\n" HEADERS("page-faults", "1"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_becomes_rows_and_arcs),
        cmocka_unit_test(a_name_may_end_in_a_number),
        cmocka_unit_test(events_may_be_missing),
        cmocka_unit_test(the_header_describes_the_recording),
        cmocka_unit_test(other_records_are_skipped),
        cmocka_unit_test(weights_are_periods),
        cmocka_unit_test(a_sample_may_be_one_line),
        cmocka_unit_test(symbols_and_objects_may_hold_anything),
        cmocka_unit_test(other_fields_are_skipped),
        cmocka_unit_test(a_branch_is_where_it_began),
        cmocka_unit_test(lines_of_source_are_skipped),
        cmocka_unit_test(errors_of_a_decoder_are_counted),
        cmocka_unit_test(indented_threads_are_chosen),
        cmocka_unit_test(events_and_threads_are_chosen),
        cmocka_unit_test(a_note_says_which_events_can_be_added),
        cmocka_unit_test(messages_say_what_is_wrong),
        cmocka_unit_test(messages_of_perf_are_passed_over),
        cmocka_unit_test(text_is_recognised),
        cmocka_unit_test(every_prefix_is_read_or_refused),
        cmocka_unit_test(chains_may_be_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

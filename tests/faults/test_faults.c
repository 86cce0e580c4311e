/* SPDX-License-Identifier: MIT */
/*
 * Makes each call that may fail do so once, in conversions of many kinds: each allocation, read,
 * write, close, rename, poll ... and sends a signal at each. Expected: the usual result, if the
 * program can go on; otherwise exit status 1, a message and the old output; and always no temporary
 * file, and no memory, file, process or thread left over.
 */
#include "support.h"

#include "faults/faults.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* main of src/cli/main.c, compiled for these tests */
int program_main(int argc, char **argv);
_Noreturn void faulty_exit(int status);

enum { MAX_WORDS = 12, MAX_FDS = 64, MAX_COMPLAINTS = 30, PATIENCE = 120 /* seconds */ };

/* ---- scenarios ---------------------------------------------------------------------------- */

enum where_from { FROM_NOTHING, FROM_FILE, FROM_PIPE, FROM_CLOSED };

struct scenario {
    const char *name;
    const char *words[MAX_WORDS]; /* of the command line, after the program's name */
    const char *input;            /* what standard input is, a name as in `words` */
    enum where_from from;
    const char *output; /* what is looked at; NULL: out */
    const char *needs; /* a program, without which the scenario is left out */
    bool is_like_another; /* in what it asks of the system: only allocations are tried */
    bool looks_at_a_device; /* whether it is a terminal, which need not succeed */
    bool looks_for_a_lock;  /* likewise */
    bool writes_a_placeholder; /* and reads the headers for that, which need not succeed */
    bool looks_at_headers;     /* to see whether it lacks one; likewise */
    bool is_tiny;         /* each of its writes is tried */
    bool is_large;        /* only some of its calls are tried */
    bool has_optional_child; /* names stay as they are if it cannot be started */
    bool reads_symbols;   /* which are left out, or stay as they are, if their files, or c++filt, cannot be read */
};

/* Words that begin with @ are files below testdata, with % files that the tests have made. */
#define CART "@xdebug/2.0-cart.out"
#define SINGLE "@xdebug/2.1.0-single.out"
#define REFUND "@xdebug/2.5-refund.out"
#define THREAD "@valgrind/threads.out-02"
#define FORMULA "@valgrind/cachegrind.out"
#define RECORDING "@perf/time.data"
#define GROUP "@perf/group.data"
#define NAMES_OF_CPP "@perf/cpp.data"
/* Where the preprocessed file of `stored` is expected */
#define STORED "stored.webgrind"
#define PACKED "out.gz"
#define REPORTED "report.webgrind" /* that of `report` */
#define SYMFS "--symfs", "@perf/symfs"

/* Objects, parts, totals that a reader has to be given in decimal, several events */
#define SUMS                                                                                      \
    "version: 1\ncreator: callgrind-3.19\ncmd: a\npositions: line\nevents: Ir Bm\n"                \
    "ob=x\nfl=a.c\nfn=main\n1 5 1\ncob=y\ncfi=b.c\ncfn=f\ncalls=2 7\n3 40 1\n"                     \
    "summary: 0x2d 2\npart: 2\nob=y\nfl=b.c\nfn=f\n7 40 1\nob=x\nfl=a.c\nfn=f\n8 0 0\n"            \
    "totals: 85 3\n"
#define XDEBUG "version: 1\ncreator: xdebug 3.1.0\nevents: Time\n\n"
#define INVOCATIONS                                                                               \
    XDEBUG "fl=a\nfn=g\n1 2\n\nfl=a\nfn=f\n2 3\ncfl=a\ncfn=g\ncalls=1 0 0\n4 2\n\nsummary: 5\n"
#define CUT                                                                                       \
    XDEBUG "fl=(1) a\nfn=(1) g\n1 2\n\nfl=(1)\nfn=(2) f\n2 3\n"                                    \
    "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 2\ncfl=(1)\ncfn=(1"
#define ALIASES                                                                                   \
    XDEBUG "fl=(99999999999999999999) a\nfn=(99999999999999999998) g\n1 2\n\n"                     \
    "fl=(99999999999999999999)\nfn=(99999999999999999997)\n1 2\n"
#define FORMULAS                                                                                  \
    "creator: x\nevents: a b\nevent: x = a + 2 b : of both\nevent: y = 3 x + b\nfn=f\n1 2 3\n"     \
    "events: b a\nfn=g\n1 4 5\n"

static const struct scenario scenarios[] = {
    {.name = "fast, 7", .words = {"%records", "out"}},
    {.name = "fast, 5", .words = {"-f5", REFUND, "out"}, .is_like_another = true},
    {.name = "plain, 4", .words = {"-f4", "%records", "out"}},
    {.name = "without aliases, 7", .words = {CART, "out"}, .is_like_another = true},
    {.name = "sums, 7", .words = {THREAD, "out"}},
    {.name = "sums, 4", .words = {"-f4", THREAD, "out"}, .is_like_another = true},
    {.name = "formula", .words = {"-e", "x = 2 Ir + I1mr", FORMULA, "out"},
     .is_like_another = true},
    {.name = "outermost, 7", .words = {"--inclusive=outermost", CART, "out"},
     .is_like_another = true},
    {.name = "outermost, sums", .words = {"--inclusive=outermost", THREAD, "out"},
     .is_like_another = true},
    {.name = "outermost, proxies",
     .words = {"--inclusive=outermost", SINGLE, "out", "php::call_user_func", "sub?", "a*d"},
     .is_like_another = true},
    {.name = "proxies, 7", .words = {"-p", "php::call_user_func*", "-p", "sub", SINGLE, "out"},
     .is_like_another = true},
    {.name = "preprocessed 7", .words = {"%7", "out"}},
    {.name = "preprocessed 5, outermost", .words = {"--inclusive=outermost", "-f5", "%5", "out"},
     .is_like_another = true},
    {.name = "several, 7", .words = {"-o", "out", SINGLE, CART, REFUND}},
    {.name = "several, 4", .words = {"-f4", "-o", "out", SINGLE, CART}, .is_like_another = true},
    {.name = "several, of two units", .words = {"-o", "out", "%small", "%finer"},
     .is_like_another = true},
    {.name = "runs of two units", .words = {"%runs", "out"}, .is_like_another = true},
    {.name = "several kinds",
     .words = {"--scale=3", "-o", "out", "%small", "%7", "%gz"}},
    {.name = "gzip", .words = {"%gz", "out"}},
    {.name = "gzip, standard input", .words = {"-", "out"}, .input = "%gz", .from = FROM_PIPE},
    {.name = "zstd", .words = {"%zst", "out"}, .needs = "zstd"},
    {.name = "zstd, standard input", .words = {"-", "out"}, .input = "%zst", .from = FROM_FILE,
     .needs = "zstd"},
    {.name = "zstd, a pipe", .words = {"-", "out"}, .input = "%zst", .from = FROM_PIPE,
     .needs = "zstd"},
    {.name = "standard input", .words = {"-", "out"}, .input = CART, .from = FROM_FILE},
    {.name = "closed standard input", .words = {CART, "out"}, .from = FROM_CLOSED},
    {.name = "standard output", .words = {CART, "-"}},
    {.name = "standard input and output", .words = {"-f4", "-", "-"}, .input = CART,
     .from = FROM_PIPE},
    {.name = "a device as output", .words = {CART, "/dev/null"}, .looks_at_a_device = true},
    {.name = "a link as output", .words = {CART, "link"}},
    {.name = "a long line", .words = {"-j1", "%long", "out"}},
    {.name = "print", .words = {"--print", "%7"}},
    {.name = "print 4 as JSON", .words = {"--print=json", "--sort=name", "%4"}, .is_like_another = true},
    {.name = "print, standard input", .words = {"--print", "--top=2", "-"}, .input = "%6",
     .from = FROM_PIPE},
    {.name = "print a profile", .words = {"--print", "-f6", CART}, .is_like_another = true},
    {.name = "print some functions",
     .words = {"--print", "--only=f*", "--hide=file:x", "--min=1", "%7"}, .is_like_another = true},
    {.name = "print calls", .words = {"--print", "--function=*", "--top=3", "%7"}, .is_like_another = true},
    {.name = "print differences", .words = {"--print", "--fail-over=900", "--base", "%7", CART}},
    {.name = "print differences of a divided file as JSON",
     .words = {"--print=json", "--base", "%gz", "--scale=7", "%small"}, .is_like_another = true},
    {.name = "print a page", .words = {"--print=html", "%4"}, .is_like_another = true},
    {.name = "print a page of differences", .words = {"--print=html", "--base", CART, SINGLE}},
    {.name = "print a table to a file", .words = {"--print", "--overwrite", "-o", "out", CART}},
    {.name = "print calls to a file", .words = {"--print", "--function=*", "--overwrite", "-o", "out", CART}, .is_like_another = true},
    {.name = "print JSON to a file", .words = {"--print=json", "--overwrite", "-o", "out", CART}, .is_like_another = true},
    {.name = "print a page to a file", .words = {"--print=html", "--overwrite", "-o", "out", CART}, .is_like_another = true},
    {.name = "print a plot to a file", .words = {"--print=plot", "--overwrite", "-o", "out", "%aprof-1"}, .is_like_another = true},
    {.name = "print stacks to a file", .words = {"--print=stacks", "--overwrite", "-o", "out", CART}, .is_like_another = true},
    {.name = "print for pprof to a file", .words = {"--print=pprof", "--overwrite", "-o", "out", CART}},
    {.name = "print differences to a file",
     .words = {"--print", "--base", "%7", "--overwrite", "-o", "out", CART}, .is_like_another = true},
    {.name = "print to a compressed file", .words = {"--print=stacks", "--overwrite", "-o", PACKED, CART},
     .output = PACKED},
    {.name = "print for pprof", .words = {"--print=pprof", CART}, .is_like_another = true},
    {.name = "print stacks", .words = {"--print=stacks", CART}, .is_like_another = true},
    {.name = "print stacks, proxies", .words = {"--print=stacks", "-p", "php::call_user_func", "-p", "*b", SINGLE},
     .is_like_another = true},
    {.name = "print stacks of version 4", .words = {"--print=stacks", "%4"}, .is_like_another = true},
    {.name = "list events", .words = {"--list-events", FORMULA}},
    {.name = "list events, gzip", .words = {"--list-events", "%gz"}},
    {.name = "storage", .words = {"-f6", "--storage=.", "%stored"}, .output = STORED,
     .looks_for_a_lock = true},
    {.name = "storage, up to date", .words = {"--storage=.", "%stored"}, .output = STORED,
     .looks_at_headers = true},
    {.name = "storage, several", .words = {"--storage=.", "--name=stored", CART, REFUND}, .output = STORED,
     .writes_a_placeholder = true},
    {.name = "storage, a report", .words = {"-f6", "--storage=.", "%report"}, .output = REPORTED,
     .looks_for_a_lock = true, .writes_a_placeholder = true},
    {.name = "help", .words = {"--help"}},
    {.name = "tiny, 7", .words = {"%sums", "out"}, .is_tiny = true},
    {.name = "tiny, 4", .words = {"-f4", "%sums", "out"}, .is_tiny = true},
    {.name = "tiny, 4, invocations", .words = {"-f4", "%invocations", "out"}, .is_tiny = true},
    {.name = "cut off", .words = {"%cut", "out"}, .is_like_another = true},
    {.name = "long aliases", .words = {"%aliases", "out"}, .is_like_another = true},
    {.name = "formulas in the input", .words = {"-e", "z = y + 2 b", "%formulas", "out"},
     .is_like_another = true},
    {.name = "many formulas", .words = {"--list-events", "%many-formulas"},
     .is_like_another = true},
    {.name = "outermost, many functions", .words = {"--inclusive=outermost", "%records", "out"},
     .is_like_another = true},
    {.name = "nested calls, outermost, proxies",
     .words = {"--inclusive=outermost", "%nested", "out", "f*3", "f*5"}, .is_like_another = true},
    {.name = "several, many functions", .words = {"-o", "out", CART, "%records"},
     .is_like_another = true},
    {.name = "preprocessed, many functions", .words = {"%many7", "out"}, .is_like_another = true},
    {.name = "nested calls, stacks, proxies",
     .words = {"--print=stacks", "-pf*3", "-pf*5", "%nested"}, .is_like_another = true},
    {.name = "many heads", .words = {"-j2", "%heads", "out"}, .is_like_another = true},
    {.name = "aprof, 7", .words = {"%aprof", "out"}, .is_like_another = true},
    {.name = "aprof, 4", .words = {"-f4", "%aprof", "out"}, .is_like_another = true},
    {.name = "aprof, without contexts, 4", .words = {"-f4", "%aprof-1", "out"},
     .is_like_another = true},
    {.name = "aprof, print", .words = {"--print", "%aprof"}, .is_like_another = true},
    {.name = "aprof, print as JSON", .words = {"--print=json", "--top=3", "%aprof"},
     .is_like_another = true},
    {.name = "aprof, plot", .words = {"--print=plot", "%aprof-1"}, .is_like_another = true},
    {.name = "perf, 7", .words = {"-q", SYMFS, RECORDING, "out"}, .is_like_another = true},
    {.name = "perf, several events", .words = {"-q", "-e", "page-faults", SYMFS, GROUP, "out"},
     .is_like_another = true},
    {.name = "perf, a formula", .words = {"-q", "-e", "2 page-faults:u", SYMFS, GROUP, "out"},
     .is_like_another = true},
    {.name = "perf, stacks", .words = {"-q", "--print=stacks", SYMFS, GROUP}, .is_like_another = true},
    {.name = "perf, compressed", .words = {"-q", SYMFS, "@perf/compressed.data", "out"}, .needs = "zstd",
     .is_like_another = true},
    {.name = "the text of perf script", .words = {"-q", "-f4", "@perf/group.script", "out"},
     .is_like_another = true},
    {.name = "perf, list events", .words = {"--list-events", GROUP}, .is_like_another = true},
    {.name = "perf, demangled", .words = {"-q", "--demangle", SYMFS, NAMES_OF_CPP, "out"},
     .needs = "c++filt", .reads_symbols = true},
    {.name = "readable names", .words = {"-q", SYMFS, NAMES_OF_CPP, "out"}, .needs = "c++filt", .reads_symbols = true,
     .has_optional_child = true},
    {.name = "perf, lines", .needs = "addr2line", .reads_symbols = true, .has_optional_child = true,
     .words = {"-q", "--print=lines", "--overwrite", "-o", "out", SYMFS, "@perf/lines.data"}},
    {.name = "calls of one record", .words = {"-j2", "%calls", "out"}, .is_large = true},
};

/* ---- files -------------------------------------------------------------------------------- */

/* given: what is read, and what the program prints; work: where it runs; temporary: $TMPDIR */
static char *testdata, *given, *work, *temporary;

/* Below `folder`. The text is valid until so many others have been made. */
static char *path_in(const char *folder, const char *name)
{
    enum { VALID = 32 };
    static char paths[VALID][4096];
    static unsigned made;
    char *path = paths[made++ % VALID];
    if (snprintf(path, sizeof paths[0], "%s/%s", folder, name) >= (int)sizeof paths[0])
        abort();
    return path;
}

/* What a word of a scenario means. */
static const char *expand(const char *word)
{
    if (word[0] == '@')
        return path_in(testdata, word + 1);
    return word[0] == '%' && word[1] != '\0' ? path_in(given, word + 1) : word;
}

static void put(const char *folder, const char *name, const void *bytes, size_t size)
{
    write_file(path_in(folder, name), bytes, size);
}

static void put_string(const char *folder, const char *name, const char *string)
{
    put(folder, name, string, strlen(string));
}

/* Nothing if there is no such file. */
static char *get(const char *folder, const char *name, size_t *size)
{
    char *path = path_in(folder, name);
    return read_file(access(path, F_OK) == 0 ? path : "/dev/null", size);
}

static bool is_given_name(const char *name)
{
    static const char *const names[] = {"out", STORED, "stored", REPORTED, "report", PACKED, "link", "p", "p.webgrind",
                                        "q", "q.webgrind", "new", "pipe", "other", "src", "sourced"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Removes all files of a folder. Returns how many there were but for these. */
static unsigned empty_folder(const char *folder)
{
    unsigned others = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        others += !is_given_name(entry->d_name);
        if (unlinkat(dirfd(entries), entry->d_name, 0) != 0) {
            unlink(path_in(folder, "src/a"));
            unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR);
        }
    }
    closedir(entries);
    return others;
}

/* An earlier output, which may be replaced, and looks whole: version 7, where headers begin, one function, where. */
static const char old_output[] = {7, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0, 'o', 'l', 'd'};

static void lay_out_work(void)
{
    empty_folder(work);
    empty_folder(temporary);
    put(work, "out", old_output, sizeof old_output);
    put(work, STORED, old_output, sizeof old_output);
    put(work, PACKED, old_output, sizeof old_output);
    put(work, REPORTED, old_output, sizeof old_output);
    assert_int_equal(symlink("out", path_in(work, "link")), 0);
}

static FILE *create(const char *name)
{
    FILE *file = fopen(path_in(given, name), "w");
    assert_non_null(file);
    return file;
}

/* Records of Xdebug's form, of so many functions that call one, and at last each itself. */
static void make_records(const char *name, int functions, int records)
{
    FILE *file = create(name);
    fputs("version: 1\ncreator: xdebug 3.1.0\ncmd: /large.php\nevents: Time_(10ns)\n\n"
          "fl=(1) /large.php\nfn=(1) leaf\n1 2\n\n", file);
    for (int i = 2; i < 2 + functions; i++)
        fprintf(file, "fl=(1)\nfn=(%d) App\\Some\\Name\\of_function_%d\n2 %d\n\n", i, i, i);
    for (int i = 0; i < records; i++)
        fprintf(file, "fl=(1)\nfn=(1)\n1 2\n\nfl=(1)\nfn=(%d)\n3 4\n"
                      "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n%d 2\n\n", 2 + i % functions, i % 90);
    for (int i = 2; i < 2 + functions; i++)
        fprintf(file, "fl=(1)\nfn=(%d)\n3 4\ncfl=(1)\ncfn=(%d)\ncalls=1 0 0\n9 6\n\n", i, i);
    assert_int_equal(fclose(file), 0);
}

static void make_formulas(void)
{
    FILE *file = create("many-formulas");
    fputs("creator: x\nevents: a b\n", file);
    for (int i = 0; i < 150; i++)
        fprintf(file, "event: x%d = a + %d b : long name %d\n", i, i, i);
    fputs("fn=f\n1 2 3\n", file);
    assert_int_equal(fclose(file), 0);
}

/* Two runs of calls within calls, each function's also to itself. */
static void make_nested(void)
{
    FILE *file = create("nested");
    for (int run = 0; run < 2; run++) {
        fputs("version: 1\ncreator: xdebug 3.1.0\nevents: Time\n\n"
              "fl=(1) a\nfn=(1) f1\n1 2\n\n", file);
        for (int i = 2; i < 100; i++)
            fprintf(file, "fl=(1)\nfn=(%d) f%d\n1 2\ncfl=(1)\ncfn=(%d)\ncalls=1 0 0\n2 %d\n\n"
                          "fl=(1)\nfn=(%d)\n1 2\ncfl=(1)\ncfn=(%d)\ncalls=1 0 0\n2 %d\n\n",
                    i, i, i - 1, 4 * i - 6, i, i, 4 * i - 4);
        fputs("summary: 394\n\n", file);
    }
    assert_int_equal(fclose(file), 0);
}

/* A report of aprof of contexts within contexts, and one of the first version, without any. */
static void make_aprof(void)
{
    FILE *file = create("aprof"), *file_1 = create("aprof-1");
    fputs("c some report\nv 6\nk 900\nm time-usec\ni rms\na ./p\nf ./p -x\n", file);
    fputs("v 1\na ./p\nf ./p -x\n", file_1);
    for (int i = 1; i <= 12; i++) {
        fprintf(file, "r \"f%d\" \"/lib/%d.so\" %d\nu %d \"_Z%d\"\n", i, i % 3, i, i, i);
        for (int size = 1; size <= 5; size++)
            fprintf(file, "q %d %d 2 2 2 4 1 2 1 1 1 1\n", i, size * size);
        fprintf(file_1, "r \"_Z%d\" \"/lib/a.so\" %d\nd %d \"f%d\"\np %d 4 2 2 2 4 1\n", i, i, i, i, i);
    }
    for (int i = 1; i <= 12; i++)
        fprintf(file, "x %d %d %d\n", i, i, i % 3 == 1 ? -1 : i - 1);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(fclose(file_1), 0);
}

/* So many calls of one record that they are added up while it is read. */
static void make_calls(void)
{
    FILE *file = create("calls");
    fputs("creator: xdebug 3.1.0\nevents: Time\n\nfn=(1) f\n1 2\n\nfn=(2) g\n1 2\n", file);
    for (int i = 0; i < 100000; i++)
        fprintf(file, "cfn=(1)\ncalls=1 0 0\n%d 1\n", i % 90);
    assert_int_equal(fclose(file), 0);
}

static void make_long_line(void)
{
    enum { LENGTH = 300000 };
    static const char start[] = "version: 1\ncreator: xdebug 3.1.0\nevents: Time\n\n"
                                "fl=(1) /a\nfn=(1) ";
    char *bytes = malloc(sizeof start + LENGTH + 16);
    size_t size = sizeof start - 1;
    memcpy(bytes, start, size);
    memset(bytes + size, 'x', LENGTH);
    size += LENGTH;
    memcpy(bytes + size, "\n1 5\n\n", 6);
    put(given, "long", bytes, size + 6);
    free(bytes);
}

static void make_preprocessed(const char *input, unsigned version, const char *name)
{
    struct cg2wg_options options = default_options();
    options.format = version;
    assert_int_equal(cg2wg_convert(expand(input), path_in(given, name), &options, NULL), CG2WG_OK);
}

static bool have_program(const char *name)
{
    char command[64];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
    return system(command) == 0;
}

/* As the suites say it: tests/run.sh counts these lines. */
static void show_what_is_skipped(void)
{
    for (size_t i = 0; i < COUNT(scenarios); i++)
        if (scenarios[i].needs != NULL && !have_program(scenarios[i].needs))
            printf("test_faults: skipped: %s (no %s)\n", scenarios[i].name, scenarios[i].needs);
}

static void make_compressed(const char *program, const char *name)
{
    char command[4096];
    if (!have_program(program))
        return;
    snprintf(command, sizeof command, "%s -c <'%s/xdebug/2.0-cart.out' >'%s/%s' 2>'%s/stderr'", program,
             testdata, given, name, given);
    assert_int_equal(system(command), 0);
}

/* As if nobody would write it any more. */
static void make_old(const char *folder, const char *name)
{
    const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(utimensat(AT_FDCWD, path_in(folder, name), times, 0), 0);
}

static int make_files(void **state)
{
    char here[4096];
    if (getcwd(here, sizeof here) == NULL)
        return -1;
    testdata = strdup(path_in(here, "testdata"));
    show_what_is_skipped();
    char *top = scratch_path("faults");
    given = strdup(path_in(top, "given"));
    work = strdup(path_in(top, "work"));
    temporary = strdup(path_in(top, "tmp"));
    if (mkdir(top, 0700) != 0 || mkdir(given, 0700) != 0 || mkdir(work, 0700) != 0 || mkdir(temporary, 0700) != 0)
        return -1;
    free(top);
    setenv("TMPDIR", temporary, 1);
    static const char profile[] = "version: 1\ncreator: xdebug 3.1.0\nevents: %s\n\n"
                                  "fl=(1) /a\nfn=(1) {main}\n1 %d\n\n";
    char text[256];
    snprintf(text, sizeof text, profile, "Time", 70);
    put_string(given, "small", text);
    snprintf(text, sizeof text, profile, "Time_(10ns)", 800);
    put_string(given, "finer", text);
    put_string(given, "stored", text);
    make_old(given, "stored");
    put_string(given, "report", "v 1\na ./p\nf ./p\nr \"f\" \"/lib/a.so\" 1\np 1 4 2 2 2 4 1\n");
    make_old(given, "report");
    put_string(given, "runs", INVOCATIONS "\nevents: Time_(10ns)\n\nfl=a\nfn=g\n1 200\n\n");
    make_records("records", 150, 300);
    make_records("heads", 31, 2790);
    make_long_line();
    make_preprocessed(CART, 4, "4");
    make_preprocessed(CART, 5, "5");
    make_preprocessed(CART, 6, "6");
    make_preprocessed(CART, 7, "7");
    make_preprocessed("%records", 7, "many7");
    make_formulas();
    make_nested();
    make_calls();
    make_aprof();
    put_string(given, "sums", SUMS);
    put_string(given, "invocations", INVOCATIONS);
    put_string(given, "cut", CUT);
    put_string(given, "aliases", ALIASES);
    put_string(given, "formulas", FORMULAS);
    make_compressed("gzip", "gz");
    make_compressed("zstd", "zst");
    return 0;
}

static int remove_files(void **state)
{
    empty_folder(given);
    empty_folder(work);
    empty_folder(temporary);
    rmdir(given);
    rmdir(work);
    rmdir(temporary);
    char *top = scratch_path("faults");
    rmdir(top);
    free(top);
    free(given);
    free(work);
    free(temporary);
    free(testdata);
    return 0;
}

/* ---- one run ------------------------------------------------------------------------------ */

/* In memory that the runs share with this program. */
struct report {
    struct faults faults;
    bool has_next;  /* the process stops until there is another run, instead of ending */
    bool has_ended; /* main has returned, and the rest is filled in */
    int status;     /* what it has returned */
    int files;      /* open, more than before */
    bool has_children, has_threads;
};

static struct report *report;

struct result {
    int status; /* of waitpid */
    char *output, *printed, *messages;
    size_t output_size, printed_size;
    unsigned temporary_files;
    bool is_streamed; /* stdio writes what is printed: it goes on after a piece that it could not write */
};

static void free_result(struct result *result)
{
    free(result->output);
    free(result->printed);
    free(result->messages);
}

/* Without the standard streams, which the program opens where they are closed. */
static int open_files(void)
{
    enum { FIRST = STDERR_FILENO + 1, COUNT = MAX_FDS - FIRST };
    struct pollfd fds[COUNT];
    for (int i = 0; i < COUNT; i++)
        fds[i] = (struct pollfd){.fd = FIRST + i};
    poll(fds, COUNT, 0);
    int count = 0;
    for (int i = 0; i < COUNT; i++)
        count += (fds[i].revents & POLLNVAL) == 0;
    return count;
}

/* Linux counts the folders that `task` has: its own two names, and one for each thread. */
static int running_threads(void)
{
    struct stat st;
    return stat("/proc/self/task", &st) == 0 ? (int)st.st_nlink - 2 : 1;
}

/* Are there more than there were? One that has been joined may be seen for a moment. */
static bool more_threads_run(int than)
{
    enum { TRIES = 1000 };
    const struct timespec millisecond = {.tv_nsec = 1000000};
    int tries = 0;
    while (!threads_are_watched() && running_threads() > than && tries++ < TRIES)
        nanosleep(&millisecond, NULL);
    return tries > TRIES;
}

static void redirect(int to, const char *name, int flags)
{
    int fd = open(expand(name), flags, 0600);
    if (fd < 0 || dup2(fd, to) < 0)
        abort();
    if (fd != to)
        close(fd);
}

static void redirect_input(const struct scenario *s)
{
    int ends[2];
    size_t size;
    switch (s->from) {
    case FROM_NOTHING: redirect(STDIN_FILENO, "/dev/null", O_RDONLY); break;
    case FROM_FILE: redirect(STDIN_FILENO, s->input, O_RDONLY); break;
    case FROM_PIPE: {
        /* All of it fits into the pipe. */
        char *bytes = read_file(expand(s->input), &size);
        if (pipe(ends) != 0 || write(ends[1], bytes, size) != (ssize_t)size || dup2(ends[0], STDIN_FILENO) < 0)
            abort();
        close(ends[0]);
        close(ends[1]);
        free(bytes);
        break;
    }
    case FROM_CLOSED: close(STDIN_FILENO); break;
    }
}

static void run_program(const struct scenario *s)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    faults_begin();
    redirect_input(s);
    redirect(STDOUT_FILENO, "%stdout", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, "%stderr", O_WRONLY | O_CREAT | O_TRUNC);

    char *words[MAX_WORDS + 2] = {(char *)"cg2wg"};
    int count = 1;
    for (size_t i = 0; i < MAX_WORDS && s->words[i] != NULL; i++)
        words[count++] = (char *)expand(s->words[i]);
    int files = open_files(), threads = running_threads(); /* an emulator has one of its own */
    faults = &report->faults;
    report->status = program_main(count, words);
    if (faults->is_switched)
        faults_switch();
    faults = NULL;
    report->files = open_files() - files;
    report->has_children = waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD;
    report->has_threads = more_threads_run(threads);
    report->has_ended = true;
}

/* A process for runs of a scenario, which stops after each. */
static _Noreturn void be_runner(const struct scenario *s)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* else it would remain if this program is killed */
#endif
    for (int number = 1; number < 32; number++)
        signal(number, SIG_DFL); /* cmocka would go on with the tests after a crash */
    if (chdir(work) != 0)
        abort();
    do {
        run_program(s);
        if (report->has_next)
            raise(SIGSTOP);
    } while (report->has_next);
    faulty_exit(report->status);
}

/* Returns the status when it ends or stops, or kills what does neither. */
static int wait_for_end(const char *what, pid_t pid)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    struct timespec limit = {.tv_sec = PATIENCE};
    int status;
    for (;;) {
        pid_t ended = waitpid(pid, &status, WNOHANG | WUNTRACED);
        if (ended == pid)
            return status;
        if (ended < 0 && errno != EINTR)
            fail_msg("%s: waitpid: %s", what, strerror(errno));
        if (sigtimedwait(&child, NULL, &limit) < 0 && errno == EAGAIN) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            fail_msg("%s: does not end", what);
        }
    }
}

static pid_t runner; /* which has stopped, or 0 */

static void end_runner(void)
{
    report->has_next = false;
    if (runner > 0 && kill(runner, SIGCONT) == 0)
        wait_for_end("a process between two runs", runner);
    runner = 0;
}

/*
 * Runs a scenario with the fault that *fault describes (what happened in it is not used). The program keeps nothing from
 * one call of its main to the next, so one process makes many runs: to start it, and its first use of memory, take longer
 * than most runs do. A run with a signal, and one after anything was left over, has a process of its own.
 */
static struct result run(const struct scenario *s, const struct faults *fault, const char *what)
{
    static const struct scenario *scenario;
    struct result result = {0};
    bool has_next = fault->call != CALL_NONE && fault->effect != EFFECT_SIGNAL && fault->effect != EFFECT_SWITCH;
    bool is_clean = report->has_ended && report->files == 0 && !report->has_children && !report->has_threads;
    if (!has_next || !is_clean || s != scenario)
        end_runner();
    *report = (struct report){.has_next = has_next,
                              .faults = {.call = fault->call, .number = fault->number, .stays = fault->stays,
                                         .effect = fault->effect, .signal = fault->signal, .path = fault->path,
                                         .other = fault->other}};
    if (runner > 0) {
        kill(runner, SIGCONT);
    } else {
        fflush(NULL);
        runner = fork();
        scenario = s;
    }
    if (runner < 0)
        fail_msg("cannot fork: %s", strerror(errno));
    if (runner == 0)
        be_runner(s);
    result.status = wait_for_end(what, runner);
    if (WIFSTOPPED(result.status))
        result.status = (report->status & 0xff) << 8; /* as if it had ended */
    else
        runner = 0;
    result.output = get(work, s->output != NULL ? s->output : "out", &result.output_size);
    result.printed = get(given, "stdout", &result.printed_size);
    result.messages = get(given, "stderr", NULL);
    return result;
}

/* ---- what has to be so afterwards --------------------------------------------------------- */

static unsigned complaints;

/* Says what is wrong with a run; the test fails at its end, when all runs have been made. */
static void complain(const char *format, ...)
{
    va_list arguments;
    if (complaints++ >= MAX_COMPLAINTS)
        return;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

enum expectation {
    DONE,   /* as if nothing had happened */
    FAILS,  /* exit status 1, a message, the old output */
    EITHER, /* one of the two */
    LACKS,  /* the same, or a new output that lacks something */
    ENDS    /* the same, or the signal has ended the program */
};

static bool same_bytes(const char *a, size_t a_size, const char *b, size_t b_size)
{
    return a_size == b_size && memcmp(a, b, a_size) == 0;
}

static bool is_old(const struct result *r)
{
    return same_bytes(r->output, r->output_size, old_output, sizeof old_output);
}

static bool is_like(const struct result *r, const struct result *usual)
{
    return same_bytes(r->output, r->output_size, usual->output, usual->output_size);
}

static void check_done(const char *what, const struct result *r, const struct result *usual)
{
    if (!is_like(r, usual))
        complain("%s: exit status 0, but another output", what);
    if (!same_bytes(r->printed, r->printed_size, usual->printed, usual->printed_size))
        complain("%s: exit status 0, but other standard output", what);
    if (strcmp(r->messages, usual->messages) != 0)
        complain("%s: exit status 0, but it says: %s", what, r->messages);
}

/* Is `line`, which ends at `end`, one of the lines before it? */
static bool was_said_before(const char *messages, const char *line, const char *end)
{
    for (const char *p = messages; p < line; p = strchr(p, '\n') + 1)
        if (strncmp(p, line, (size_t)(end - line)) == 0)
            return true;
    return false;
}

/* The last message says what has failed and why, and says it once. */
static void check_message(const char *what, const char *messages, const struct faults *fault)
{
    size_t length = strlen(messages);
    if (length == 0 || messages[length - 1] != '\n') {
        complain("%s: fails without a message: %s", what, messages);
        return;
    }
    const char *last = messages + length - 1;
    while (last > messages && last[-1] != '\n')
        last--;
    if (strncmp(last, "cg2wg: ", 7) != 0)
        complain("%s: fails and says: %s", what, last);
    if (fault->effect > 0 && strstr(last, strerror(fault->effect)) == NULL &&
        !(fault->effect == ENOMEM && strstr(last, "out of memory") != NULL))
        complain("%s: fails without the reason: %s", what, last);
    if (was_said_before(messages, last, messages + length))
        complain("%s: says twice: %s", what, last);
}

/* Is what was printed the usual, or the start of it, perhaps without one piece? */
static bool is_part(const struct result *r, const struct result *usual)
{
    size_t size = r->printed_size, start = 0, end = 0;
    if (size > usual->printed_size)
        return false;
    while (start < size && r->printed[start] == usual->printed[start])
        start++;
    while (usual->is_streamed && end < size &&
           r->printed[size - 1 - end] == usual->printed[usual->printed_size - 1 - end])
        end++;
    return start + end >= size;
}

static void check_failed(const char *what, const struct result *r, const struct result *usual,
                         const struct faults *fault)
{
    if (!is_old(r))
        complain("%s: fails, but has touched the output", what);
    if (!is_part(r, usual))
        complain("%s: fails, and standard output has something else", what);
    if (fault->call == CALL_MEMORY && r->printed_size > 0)
        complain("%s: out of memory, with output", what);
    check_message(what, r->messages, fault);
}

static void check_rest(const char *what, const struct faults *fault)
{
    long blocks = atomic_load(&report->faults.blocks);
    if (blocks != 0)
        complain("%s: %ld blocks of memory are not freed", what, blocks);
    if (report->files != 0)
        complain("%s: %d files are left open", what, report->files);
    if (report->has_children && !(fault->call == CALL_WAIT && fault->effect == ECHILD))
        complain("%s: a process is left", what);
    if (report->has_threads)
        complain("%s: a thread is left", what);
}

/* The link to `out` is not replaced. */
static void check_link(const char *what)
{
    struct stat st;
    if (lstat(path_in(work, "link"), &st) != 0 || !S_ISLNK(st.st_mode))
        complain("%s: the link is no link any more", what);
}

/* A process that is killed may leave a temporary file; one without a name may lose it too late. */
static unsigned files_allowed(const struct faults *fault)
{
    if (fault->effect == EFFECT_SIGNAL)
        return fault->signal == SIGKILL ? 2 : 0; /* that of an output and of its placeholder */
    return fault->call == CALL_UNLINK;
}

static void check_result(const char *what, const struct result *r, const struct result *usual,
                         const struct faults *fault, enum expectation expected)
{
    bool ended_by_signal = expected == ENDS && WIFSIGNALED(r->status) && WTERMSIG(r->status) == fault->signal;
    if (ended_by_signal) {
        if (!is_old(r) && !is_like(r, usual))
            complain("%s: half an output", what);
    } else if (!WIFEXITED(r->status) || !report->has_ended) {
        complain("%s: ended by signal %d: %s", what, WTERMSIG(r->status), r->messages);
    } else {
        check_rest(what, fault);
        int status = WEXITSTATUS(r->status);
        if (status == 0 && expected == LACKS) {
            if (is_old(r))
                complain("%s: exit status 0, but no output", what);
        } else if (status == 0 && expected != FAILS)
            check_done(what, r, usual);
        else if (status == 1 && expected != DONE)
            check_failed(what, r, usual, fault);
        else
            complain("%s: exit status %d: %s", what, status, r->messages);
    }
    check_link(what);
    unsigned in_work = empty_folder(work), in_temporary = empty_folder(temporary);
    if (in_work + in_temporary > files_allowed(fault))
        complain("%s: %u temporary files are left", what, in_work + in_temporary);
}

/* ---- all faults of a kind ----------------------------------------------------------------- */

static const char *only; /* the name of the scenario that is tried, or NULL */

static bool is_possible(const struct scenario *s, bool only_memory)
{
    return (only == NULL || strcmp(s->name, only) == 0) && (only_memory || !s->is_like_another) && (s->needs == NULL || have_program(s->needs)) &&
           (strstr(s->name, "gzip") == NULL || have_program("gzip"));
}

static bool tries_every_call, tries_few_calls; /* `few`: each kind a few times, in one way */

/*
 * Of many calls some are tried. Output is written in many small pieces: those of tiny ones are all
 * tried, of others a few.
 */
static unsigned step_of(const struct scenario *s, const struct faults *fault, unsigned calls)
{
    if (tries_every_call)
        return 1;
    bool are_alike = fault->call == CALL_WRITE || fault->call == CALL_ANY;
    unsigned wanted = s->is_large ? 3 : are_alike && !s->is_tiny ? 15 : 70;
    if (is_watched())
        wanted = (wanted + 3) / 4;
    if (tries_few_calls)
        wanted = 2;
    return calls > 2 * wanted ? calls / wanted : 1;
}

static const char *name_of_effect(const struct faults *fault)
{
    if (fault->effect == EFFECT_SHORT)
        return "is cut short";
    if (fault->effect == EFFECT_SIGNAL)
        return strsignal(fault->signal);
    return strerror(fault->effect);
}

/* After INPUT, it looks whether OUTPUT is a profile to be shown; if that fails, it is an output like any other. */
static bool looks_at_output(const struct scenario *s, const struct faults *fault)
{
    enum { MOST_READS = 2 };
    size_t count = 0;
    while (s->words[count] != NULL)
        count++;
    bool is_operand = count >= 2 && is_given_name(s->words[count - 1]) && strcmp(s->words[count - 2], "-o") != 0;
    unsigned opened = s->from == FROM_CLOSED ? 1 : 0; /* in place of standard input */
    return is_operand && ((fault->call == CALL_OPEN && fault->number == opened + 1) ||
                          (fault->call == CALL_READ && fault->number <= MOST_READS));
}

static unsigned try_all(const struct scenario *s, const struct result *usual, unsigned calls,
                        const char *call_name, struct faults fault, enum expectation expected)
{
    unsigned tried = 0;
    char what[200];
    unsigned step = step_of(s, &fault, calls);
    if (fault.stays && !tries_every_call)
        step *= 3;
    for (fault.number = 1; fault.number <= calls; fault.number += step, tried++) {
        snprintf(what, sizeof what, "%s: %s %u of %u%s: %s", s->name, call_name, fault.number,
                 calls, fault.stays ? " and all after it" : "", name_of_effect(&fault));
        lay_out_work();
        struct result result = run(s, &fault, what);
        /* Threads may have shared out the work so that there are fewer calls: then it is done. */
        bool struck = atomic_load(&report->faults.faults) > 0;
        enum expectation of_call = expected == FAILS && looks_at_output(s, &fault) ? EITHER : expected;
        check_result(what, &result, usual, &fault, struck ? of_call : DONE);
        free_result(&result);
    }
    return tried;
}

struct kind {
    enum fault_call call;
    const char *name;
    int effects[5]; /* ends with 0 */
    enum expectation expected;
    bool may_stay;
};

static const struct kind memory_kinds[] = {
    {CALL_MEMORY, "allocation", {ENOMEM}, EITHER, true},
    {CALL_THREAD, "thread", {EAGAIN, ENOMEM}, EITHER, true},
};

static const struct kind io_kinds[] = {
    {CALL_OPEN, "open", {EMFILE, EIO, ENOSPC, EINTR}, FAILS, false},
    {CALL_OPTIONAL, "call that can be done without", {EMFILE, EIO, EINTR, EFFECT_SHORT}, DONE, false},
    {CALL_PIPE, "pipe", {EMFILE}, FAILS, false},
    {CALL_FCNTL, "fcntl", {EMFILE}, EITHER, false},
    {CALL_STAT, "stat", {EIO}, EITHER, true},
    {CALL_SEEK, "lseek", {ESPIPE}, DONE, false},
    {CALL_READ, "read", {EINTR, EFFECT_SHORT}, DONE, false},
    {CALL_READ, "read", {EFFECT_SHORT}, DONE, true},
    {CALL_READ, "read", {EIO}, FAILS, true},
    {CALL_PREAD, "pread", {EINTR, EFFECT_SHORT}, DONE, false},
    {CALL_PREAD, "pread", {EIO}, FAILS, true},
    {CALL_WRITE, "write", {EINTR, EFFECT_SHORT}, DONE, false},
    {CALL_WRITE, "write", {EIO, ENOSPC}, FAILS, true},
    {CALL_STREAM, "fdopen", {EMFILE, ENOMEM}, FAILS, false},
    {CALL_FLUSH, "fclose", {EIO, ENOSPC, EDQUOT}, FAILS, false},
    {CALL_SYNC, "fsync", {EINTR}, DONE, false},
    {CALL_SYNC, "fsync", {EIO, ENOSPC, EDQUOT}, FAILS, false},
    {CALL_CLOSE_OUTPUT, "close of output", {EIO, ENOSPC, EDQUOT}, FAILS, false},
    {CALL_CLOSE, "close", {EIO}, DONE, false},
    {CALL_RENAME, "rename", {EIO, ENOSPC, EACCES}, FAILS, false},
    {CALL_UNLINK, "unlink", {EIO}, DONE, false},
    {CALL_POLL, "poll", {EINTR, ENOMEM}, DONE, false},
    {CALL_SPAWN, "start of a process", {EAGAIN, ENOMEM}, FAILS, false},
    {CALL_CORES, "number of cores", {EINVAL}, DONE, true},
    {CALL_WAIT, "wait4", {EINTR}, DONE, false},
    {CALL_WAIT, "wait4", {ECHILD}, FAILS, true},
};

static struct result usual_run(const struct scenario *s)
{
    lay_out_work();
    struct result usual = run(s, &(struct faults){.call = CALL_NONE}, s->name);
    usual.is_streamed = strncmp(s->words[0], "--", 2) == 0;
    if (!WIFEXITED(usual.status) || WEXITSTATUS(usual.status) != 0)
        fail_msg("%s: fails without a fault: %s", s->name, usual.messages);
    check_rest(s->name, &(struct faults){.call = CALL_NONE});
    assert_int_equal(empty_folder(work) + empty_folder(temporary), 0);
    return usual;
}

static enum expectation expectation_of(const struct scenario *s, const struct kind *kind)
{
    bool may_fail = kind->call == CALL_OPEN || kind->call == CALL_CLOSE_OUTPUT;
    bool is_of_symbols = kind->call == CALL_OPEN || kind->call == CALL_READ || kind->call == CALL_PREAD ||
                         kind->call == CALL_WAIT;
    bool may_lack = kind->call == CALL_STAT || kind->call == CALL_SEEK ||
                    ((is_of_symbols || s->has_optional_child) && kind->expected != DONE);
    if (s->reads_symbols && may_lack)
        return LACKS;
    bool is_of_headers = s->looks_at_headers && (kind->call == CALL_OPEN || kind->call == CALL_PREAD);
    if (is_of_headers || (s->looks_for_a_lock && kind->call == CALL_OPEN) || (s->writes_a_placeholder && kind->expected == FAILS))
        return EITHER;
    if (kind->call == CALL_SEEK && (strstr(s->name, "print") != NULL || s->writes_a_placeholder))
        return EITHER; /* it may be to the start of what was printed */
    return s->looks_at_a_device && may_fail ? EITHER : kind->expected;
}

static unsigned try_kind(const struct scenario *s, const struct result *usual,
                         const struct faults *counted, const struct kind *kind)
{
    unsigned tried = 0, calls = atomic_load(&counted->calls[kind->call]);
    if (s->is_large && kind->call != CALL_MEMORY)
        return 0; /* which the others have, too */
    if (kind->call == CALL_FLUSH && usual->printed_size == 0)
        calls--; /* the last is of standard output: nothing to write, so nothing to fail */
    bool may_stay = kind->may_stay && !s->is_large && !tries_few_calls;
    for (const int *effect = kind->effects; *effect != 0; effect++) {
        for (int stays = 0; stays <= (int)may_stay; stays++)
            tried += try_all(s, usual, calls, kind->name,
                             (struct faults){.call = kind->call, .effect = *effect, .stays = stays},
                             expectation_of(s, kind));
        if (tries_few_calls)
            break;
    }
    return tried;
}

static void try_kinds(const struct kind *kinds, size_t count, bool only_memory)
{
    unsigned tried = 0;
    for (const struct scenario *s = scenarios; s < scenarios + COUNT(scenarios); s++) {
        if (!is_possible(s, only_memory))
            continue;
        struct result usual = usual_run(s);
        struct faults counted = report->faults;
        for (const struct kind *kind = kinds; kind < kinds + count; kind++)
            tried += try_kind(s, &usual, &counted, kind);
        free_result(&usual);
    }
    assert_true(only != NULL || tried > 100);
    printf("%u faults\n", tried);
    assert_int_equal(complaints, 0);
}

static void each_allocation_fails(void **state)
{
    complaints = 0;
    try_kinds(memory_kinds, COUNT(memory_kinds), true);
}

static void each_call_of_the_system_fails(void **state)
{
    complaints = 0;
    try_kinds(io_kinds, COUNT(io_kinds), false);
}

static void a_signal_comes_at_each_call(void **state)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGPIPE, SIGKILL};
    unsigned tried = 0;
    complaints = 0;
    for (const struct scenario *s = scenarios; s < scenarios + COUNT(scenarios); s++) {
        if (!is_possible(s, false) || s->is_large)
            continue;
        struct result usual = usual_run(s);
        unsigned calls = atomic_load(&report->faults.calls[CALL_ANY]);
        for (size_t i = 0; i < COUNT(signals); i++)
            tried += try_all(s, &usual, calls, "call",
                             (struct faults){.call = CALL_ANY, .effect = EFFECT_SIGNAL, .signal = signals[i]}, ENDS);
        free_result(&usual);
    }
    assert_true(only != NULL || tried > 100);
    printf("%u signals\n", tried);
    assert_int_equal(complaints, 0);
}

/* What a killed program has left does not disturb those that come after it. */
static void after_a_kill_the_next_run_is_whole(void **state)
{
    const struct scenario *s = &scenarios[0];
    struct result usual = usual_run(s);
    unsigned calls = atomic_load(&report->faults.calls[CALL_ANY]), left = 0;
    struct faults fault = {.call = CALL_ANY, .effect = EFFECT_SIGNAL, .signal = SIGKILL};
    unsigned step = step_of(s, &fault, calls);
    for (fault.number = 1; fault.number <= calls; fault.number += step) {
        lay_out_work();
        struct result killed = run(s, &fault, "a run that is killed");
        struct result next = run(s, &(struct faults){.call = CALL_NONE}, "the run after a kill");
        assert_true(WIFSIGNALED(killed.status));
        assert_true(is_old(&killed) || is_like(&killed, &usual));
        assert_true(WIFEXITED(next.status) && WEXITSTATUS(next.status) == 0);
        check_done("the run after a kill", &next, &usual);
        unsigned files = empty_folder(work);
        assert_true(files <= 1);
        left += files;
        free_result(&killed);
        free_result(&next);
    }
    assert_true(left > 0); /* so there was something that could have disturbed */
    free_result(&usual);
}

/* What is in the folder: the placeholder, and its result that is not the old one. */
static unsigned listed(const char *placeholder, const char *output, bool is_new)
{
    bool has_placeholder = access(path_in(work, placeholder), F_OK) == 0;
    bool has_output = access(path_in(work, output), F_OK) == 0;
    return has_placeholder + 2U * has_output + 4U * is_new;
}

/*
 * webgrind deletes a result without a placeholder, and lists a placeholder without a result. Neither is alone after a
 * signal that can be held; after any other, the next run completes what is missing.
 */
static void a_result_and_its_placeholder_stay_together(void **state)
{
    enum { NEITHER = 0, BOTH = 7 };
    static const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGKILL};
    static const char *const placeholders[] = {"stored", "report"};
    unsigned tried = 0, alone = 0;
    complaints = 0;
    for (const struct scenario *s = scenarios; s < scenarios + COUNT(scenarios); s++) {
        if (!s->writes_a_placeholder)
            continue;
        const char *placeholder = placeholders[strcmp(s->output, REPORTED) == 0];
        struct result usual = usual_run(s);
        unsigned calls = atomic_load(&report->faults.calls[CALL_ANY]);
        for (size_t i = 0; i < COUNT(signals); i++)
            for (unsigned number = 1; number <= calls; number++, tried++) {
                char what[200];
                snprintf(what, sizeof what, "%s: call %u of %u: %s", s->name, number, calls, strsignal(signals[i]));
                lay_out_work();
                unlink(path_in(work, s->output));
                struct faults fault = {.call = CALL_ANY, .effect = EFFECT_SIGNAL, .number = number, .signal = signals[i]};
                struct result ended = run(s, &fault, what);
                unsigned there = listed(placeholder, s->output, is_like(&ended, &usual));
                bool is_alone = there != NEITHER && there != BOTH;
                if (is_alone && signals[i] != SIGKILL)
                    complain("%s: a result or a placeholder is alone: %u", what, there);
                alone += is_alone;
                struct result next = run(s, &(struct faults){.call = CALL_NONE}, what);
                if (next.status != 0 || listed(placeholder, s->output, is_like(&next, &usual)) != BOTH)
                    complain("%s: the next run does not complete it: %s", what, next.messages);
                free_result(&ended);
                free_result(&next);
            }
        free_result(&usual);
    }
    assert_true(tried > 100 && alone > 0);
    printf("%u signals\n", tried);
    assert_int_equal(complaints, 0);
}

/* ---- files that somebody else switches ---------------------------------------------------- */

enum kind_of_file { A_FILE, A_FIFO, LINK_OF_ANOTHER_USER, LINK };

/* While the program runs, `path` becomes `other` for one call: a FIFO, or a link to `target`. */
struct switching {
    struct scenario scenario;
    const char *path;
    enum kind_of_file kind, other;
    const char *target; /* in `given` */
};

static const struct switching switchings[] = {
    {{.name = "a profile and a FIFO", .words = {"-f6", "-j1", "--storage=.", "p"}, .output = "p.webgrind"},
     "p", A_FILE, A_FIFO, NULL},
    {{.name = "a profile and a link", .words = {"-f6", "-j1", "--storage=.", "p"}, .output = "p.webgrind"},
     "p", A_FILE, LINK_OF_ANOTHER_USER, "finer"},
    {{.name = "a result and a FIFO", .words = {"-f6", "-j1", "--storage=.", "p"}, .output = "p.webgrind"},
     "p.webgrind", A_FILE, A_FIFO, NULL},
    {{.name = "a result and a link", .words = {"-f6", "-j1", "--storage=.", "p"}, .output = "p.webgrind"},
     "p.webgrind", A_FILE, LINK, "victim"},
    {{.name = "one of two inputs and a FIFO",
      .words = {"-j1", "-o", "out", "q", "q.webgrind"}}, "q.webgrind", A_FILE, A_FIFO, NULL},
    {{.name = "an output and a link", .words = {"-j1", "p", "out"}},
     "out", A_FILE, LINK_OF_ANOTHER_USER, "victim"},
    {{.name = "no output and a link", .words = {"-j1", "p", "new"}, .output = "new"},
     "new", A_FILE, LINK_OF_ANOTHER_USER, "nothing"},
    {{.name = "an output that is a FIFO, and a link", .words = {"-j1", "p", "pipe"}},
     "pipe", A_FIFO, LINK_OF_ANOTHER_USER, "victim"},
    {{.name = "source and a link", .words = {"-j1", "--function=g", "--source=.", "sourced"}},
     "src/a", A_FILE, LINK, "a"},
    {{.name = "a folder of source and a link", .words = {"-j1", "--function=g", "--source=.", "sourced"}},
     "src", A_FILE, LINK, "."},
    {{.name = "an output that is a FIFO, and another", .words = {"-j1", "p", "pipe"}}, "pipe", A_FIFO, A_FIFO, NULL},
};

static void make(const char *name, enum kind_of_file kind, const char *target)
{
    char *path = path_in(work, name), *leads_to = path_in(given, target != NULL ? target : "");
    if (kind == A_FIFO)
        assert_int_equal(mkfifo(path, 0600), 0);
    else if (kind != A_FILE)
        assert_int_equal(symlink(leads_to, path), 0);
    if (kind == LINK_OF_ANOTHER_USER)
        assert_int_equal(lchown(path, 65534, 65534), 0);
}

/* Returns a reader of a FIFO, without which its writer would wait; or -1. */
static int lay_out_switching(const struct switching *s)
{
    lay_out_work();
    put_string(work, "p", INVOCATIONS);
    put_string(work, "q", INVOCATIONS);
    put_string(work, "q.webgrind", XDEBUG "fl=a\nfn=g\n1 2\n\n");
    make_old(work, "p");
    put(work, "p.webgrind", old_output, sizeof old_output);
    put_string(work, "sourced", XDEBUG "fl=src/a\nfn=g\n1 2\n\n");
    assert_int_equal(mkdir(path_in(work, "src"), 0700), 0);
    put_string(work, "src/a", "code inside\n");
    put_string(given, "a", "code elsewhere\n");
    put(given, "victim", old_output, sizeof old_output);
    make(s->path, s->kind, NULL);
    make("other", s->other, s->target);
    return s->kind == A_FIFO ? open(path_in(work, s->path), O_RDONLY | O_NONBLOCK) : -1;
}

/* Nothing is read or written through the link, and no temporary file is left. */
static void check_switched(const char *what, const struct result *r, const struct result *usual)
{
    size_t size;
    char *victim = get(given, "victim", &size);
    if (!same_bytes(victim, size, old_output, sizeof old_output))
        complain("%s: what the link leads to has changed", what);
    if (unlink(path_in(given, "nothing")) == 0)
        complain("%s: what the link leads to was made", what);
    if (!WIFEXITED(r->status) || WEXITSTATUS(r->status) > 1)
        complain("%s: status %d: %s", what, r->status, r->messages);
    else if (WEXITSTATUS(r->status) == 1)
        check_message(what, r->messages, &(struct faults){.call = CALL_NONE});
    if (!is_like(r, usual) && !is_old(r) && r->output_size > 0)
        complain("%s: another output", what);
    if (strstr(r->printed, "code elsewhere") != NULL)
        complain("%s: it shows what the link leads to", what);
    check_rest(what, &(struct faults){.call = CALL_NONE});
    if (empty_folder(work) > 0)
        complain("%s: a temporary file is left", what);
    free(victim);
}

static struct result run_switched(const struct switching *s, unsigned number, const char *what)
{
    struct faults fault = {.call = number > 0 ? CALL_ANY : CALL_NONE, .number = number,
                           .effect = EFFECT_SWITCH, .path = s->path, .other = "other"};
    int reader = lay_out_switching(s);
    int other = s->kind == A_FIFO && s->other == A_FIFO ? open(path_in(work, "other"), O_RDONLY | O_NONBLOCK) : -1;
    struct result result = run(&s->scenario, &fault, what);
    if (other >= 0 && read(other, &(char){0}, 1) > 0)
        complain("%s: the other FIFO was written", what);
    if (other >= 0)
        close(other);
    if (reader >= 0)
        close(reader);
    return result;
}

static unsigned switch_at_each_call(const struct switching *s)
{
    char what[200];
    struct result usual = run_switched(s, 0, s->scenario.name);
    unsigned calls = atomic_load(&report->faults.calls[CALL_ANY]);
    if (usual.status != 0)
        complain("%s: fails if nothing is switched: %s", s->scenario.name, usual.messages);
    if (strncmp(s->path, "src", 3) == 0 && strstr(usual.printed, "code inside") == NULL)
        complain("%s: shows no source if nothing is switched", s->scenario.name);
    for (unsigned number = 1; number <= calls; number++) {
        snprintf(what, sizeof what, "%s: call %u of %u", s->scenario.name, number, calls);
        struct result result = run_switched(s, number, what);
        check_switched(what, &result, &usual);
        free_result(&result);
    }
    free_result(&usual);
    return calls;
}

static void files_are_switched(void **state)
{
    unsigned tried = 0;
    complaints = 0;
    assert_int_equal(chmod(work, 01777), 0);
    for (const struct switching *s = switchings; s < switchings + COUNT(switchings); s++) {
        if (geteuid() == 0 || s->other != LINK_OF_ANOTHER_USER)
            tried += switch_at_each_call(s);
        else
            printf("test_faults: skipped: %s of another user (needs root)\n", s->scenario.name);
    }
    assert_true(only != NULL || tried > 100);
    printf("%u times switched\n", tried);
    assert_int_equal(complaints, 0);
}

/* How many cores there are takes a file of the system: it is asked once an input, not at each line. */
static void one_core_is_asked_for_once(void **state)
{
    unsigned asked = 0;
    for (const struct scenario *s = scenarios; s < scenarios + COUNT(scenarios); s++) {
        if (!is_possible(s, true) || strncmp(s->name, "several", 7) == 0)
            continue;
        lay_out_work();
        struct faults one_core = {.call = CALL_CORES, .number = 1, .stays = true, .effect = EINVAL};
        struct result result = run(s, &one_core, s->name);
        assert_int_equal(result.status, 0);
        unsigned calls = atomic_load(&report->faults.calls[CALL_CORES]);
        assert_true(calls <= 1);
        asked += calls;
        free_result(&result);
    }
    assert_true(asked > 0);
}

/* The faults do strike: without this, all of the above could pass for nothing. */
static void calls_are_counted(void **state)
{
    unsigned sum[CALL_COUNT] = {0};
    for (const struct scenario *s = scenarios; s < scenarios + COUNT(scenarios); s++) {
        if (!is_possible(s, false))
            continue;
        struct result usual = usual_run(s);
        for (int call = 0; call < CALL_COUNT; call++)
            sum[call] += atomic_load(&report->faults.calls[call]);
        free_result(&usual);
    }
    for (int call = CALL_NONE + 1; call < CALL_COUNT; call++) {
        bool needs_decoder = call == CALL_SPAWN || call == CALL_WAIT || call == CALL_SEEK;
        bool needs_thread = call == CALL_OPTIONAL || call == CALL_THREAD;
        if (sum[call] == 0 && !(needs_decoder && !have_program("zstd")) && !(needs_thread && !has_sums()))
            fail_msg("no call of kind %d", call);
    }
}

/* Without an argument, some calls of many are tried; with `every`, all. Another argument is the name of a scenario. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_counted),
        cmocka_unit_test(one_core_is_asked_for_once),
        cmocka_unit_test(each_allocation_fails),
        cmocka_unit_test(each_call_of_the_system_fails),
        cmocka_unit_test(a_signal_comes_at_each_call),
        cmocka_unit_test(after_a_kill_the_next_run_is_whole),
        cmocka_unit_test(a_result_and_its_placeholder_stay_together),
        cmocka_unit_test(files_are_switched),
    };
    tries_every_call = argc == 2 && strcmp(argv[1], "every") == 0;
    tries_few_calls = argc == 2 && strcmp(argv[1], "few") == 0;
    only = argc == 2 && !tries_every_call && !tries_few_calls ? argv[1] : NULL;
    if (only != NULL)
        cmocka_set_test_filter("each_*");
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    FILE *shared = tmpfile();
    if (shared == NULL || ftruncate(fileno(shared), sizeof *report) != 0)
        return 1;
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(shared), 0);
    if (report == MAP_FAILED)
        return 1;
    int failed = cmocka_run_group_tests(tests, make_files, remove_files);
    end_runner();
    return failed;
}

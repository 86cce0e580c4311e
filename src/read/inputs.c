/* SPDX-License-Identifier: MIT */
/* What an input is: of which front end, a file of another program, the same as another input. */
#include "read/frontend.h"
#include "read/preprocessed_file.h"

#include "util/index.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* In the order in which they are asked. */
static const struct frontend *const frontends[] = {&preprocessed_frontend, &perf_frontend,        &aprof_frontend,
                                                   &callgrind_frontend,    &perf_script_frontend, &folded_frontend};

const struct frontend *frontend_for(struct text head, bool *more)
{
    *more = false;
    head.at += text_starts(head, "\xef\xbb\xbf") ? 3 : 0;
    for (size_t i = 0; i < COUNT_OF(frontends); i++) {
        enum recognition recognition = frontends[i]->recognises(head);
        *more = recognition != MINE && (*more || recognition == NOT_YET);
        if (recognition == MINE)
            return frontends[i];
    }
    return NULL;
}

const struct frontend *frontend_named(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(frontends); i++)
        if (strcmp(frontends[i]->name, name) == 0)
            return frontends[i];
    return NULL;
}

#define BY_GPERFTOOLS " by gperftools; google-pprof --callgrind PROGRAM FILE converts it"
#define FOLDED ", which cg2wg reads"

static const struct other {
    const char *start; /* a pattern */
    const char *found; /* what it is, and what to do; NULL: as the next one */
} others[] = {
    {"Garbage Collection Report*",
     "a report of garbage collections by Xdebug, not a profile; xdebug.mode=profile makes one"},
    {"SIMPLEPERF*", "samples by Android's simpleperf for programs; give cg2wg perf.data, of which they were made"},
    {"*TRACE START [*", "a trace by Xdebug, not a profile; xdebug.mode=profile makes one"},
    {"desc:*time_unit:*", "a file of heap snapshots by massif, not a profile; ms_print prints them, and valgrind "
                          "--tool=callgrind makes a profile"},
    {"{*\"dhatFileVersion\"*", "a file of heap data by DHAT, not a profile; dh_view.html shows them, and valgrind "
                               "--tool=callgrind makes a profile"},
    {"gmon*", "a gmon.out for gprof, not a profile; gprof prints it; perf record -g and valgrind --tool=callgrind "
              "make profiles, for which the program need not be compiled with -pg"},
    /* A message whose fields are in any order; Go's runtime writes the period's type or the time first. */
    {"\n?\b*\020*", NULL},
    {"Z?\b*\020*", NULL},
    {"H*\n?\b*\020*", "a profile for pprof; go tool pprof -callgrind FILE converts it"},
    {"heap profile:*", "a heap profile" BY_GPERFTOOLS},
    {"NYTProf *", "a profile by Devel::NYTProf; nytprofcg -f FILE -o OUTPUT converts it"},
    {"{*\"mode\"*\"gc_samples\"*", NULL},
    {"\4\b{*version*", "a profile by stackprof; stackprof --callgrind FILE converts it"},
    {"\377\376*", NULL},
    {"\376\377*", "text in UTF-16; iconv -f UTF-16 -t UTF-8 FILE converts it"},
    {"?)\3*", "a profile by Python's cProfile; pyprof2calltree -i FILE -o OUTPUT converts it"},
    {"{(\3*", "a profile by cProfile of Python 2; pyprof2calltree -i FILE -o OUTPUT, with Python 2, converts it"},
    {"FLR*", "a recording by Java's Flight Recorder; async-profiler's jfrconv -o collapsed FILE OUTPUT makes collapsed "
             "stacks of it" FOLDED},
    {"Nettrace*", "a trace by dotnet-trace; perf record -g makes a recording, with DOTNET_PerfMapEnabled=1 in the "
                  "environment of the program"},
    {"--------*Events recorded:*", "what callgrind_annotate or cg_annotate prints, not a profile; give cg2wg the file "
                                   "that it was made of"},
    {"#*\n# Overhead *", NULL},
    {"#*\n# Children *", "what perf report prints, not a profile; give cg2wg the perf.data that it was made from"},
    {"* ( *ms): *(*", "what perf trace prints, not a profile; perf record -g makes one"},
    {"*Call graph (explanation follows)*", NULL},
    {"*call graph profile:*", NULL},
    {"*index *% time *self *children *called *", NULL},
    {"Flat profile:*", "what gprof prints, not a profile; perf record -g and valgrind --tool=callgrind make profiles"},
    {"0 * *:*\n1 * *:*", NULL},
    {"0 * <internal>:-1\n*", "stacks by phpspy; stackcollapse-phpspy.pl makes collapsed stacks of them" FOLDED},
    {"*Time and Allocation Profiling Report*",
     "a profile by GHC; inferno-collapse-ghcprof makes collapsed stacks of it" FOLDED},
    {"Analysis of sampling *",
     "what sample prints on macOS; stackcollapse-sample.awk makes collapsed stacks of it" FOLDED},
    {"*@*[*\n    *\n]: *\n*", "stacks by bpftrace; stackcollapse-bpftrace.pl makes collapsed stacks of them" FOLDED},
    {"*\n *`*+0x*\n*", "stacks by DTrace; stackcollapse.pl makes collapsed stacks of them" FOLDED},
    {"{*\"meta\"*\"interval\"*",
     "a profile by Firefox or samply, for profiler.firefox.com; perf record -g makes a recording"},
    {"{*\"traceEvents\"*", NULL},
    {"[*{*\"ph\"*", "a trace by Chrome, for ui.perfetto.dev, not a profile; node --cpu-prof makes a CPU profile, and "
                    "chrome2calltree -i FILE -o OUTPUT converts one"},
    {"a:*{s:*main()*", NULL},
    {"{*\"main()\"*\"ct\"*", "a run by XHProf, not a profile; Xdebug makes one, with xdebug.mode=profile"},
    {"{*speedscope.app/*", "a profile for speedscope; speedscope shows it; give cg2wg what it was made of"},
    {"{*\"callFrame\"*\"selfSize\"*",
     "a heap profile by Chrome or Node.js, whose developer tools show it; node --cpu-prof "
     "makes a CPU profile"},
    {"{\"head\":*\"functionName\"*", NULL},
    {"{*\"callFrame\"*", "a CPU profile by Chrome or Node.js; chrome2calltree -i FILE -o OUTPUT converts it"},
};

const char *others_find(struct text head)
{
    static const char gperftools[] = "\0\0\0\0\0\0\0\0\3";
    if (text_length(head) >= sizeof gperftools && memcmp(head.at, gperftools, sizeof gperftools) == 0)
        return "a profile" BY_GPERFTOOLS;
    head = text_of(head.at, MIN(text_length(head), 4096)); /* which is enough of a file */
    bool is_found = false;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if ((is_found |= text_matches(head, others[i].start, false)) && others[i].found != NULL)
            return others[i].found;
    return NULL;
}

const char *input_name(const char *input)
{
    return file_is_standard(input) ? "(standard input)" : input;
}

/* Distinct regular files, by what their facts have. */
struct known_files {
    SET(struct known_file {
        uint64_t volume, number;
        size_t input; /* the first that is this file */
    }) all;
};

/* The first input that is the same regular file as `path`; if there is none, `input`, which then is the first. */
static size_t look_up(struct known_files *files, const char *path, size_t input)
{
    struct file_facts facts;
    if (!source_look(path, &facts))
        return input;
    struct known_file file = {facts.volume, facts.number, input};
    uint32_t known = SET_INTERN(&files->all, file, offsetof(struct known_file, input));
    return files->all.items[known].input;
}

bool input_open(struct source *source, const char *input, struct diag *diag)
{
    struct file_facts facts;
    if (file_is_standard(input))
        return false;
    if (!file_look(input, true, &facts))
        diag_error_in(diag, input, "cannot open: %s", strerror(errno));
    if (facts.kind != FILE_IS_REGULAR) /* a pipe is opened once */
        return false;
    diag->input = input;
    source_open(source, input, true, diag);
    return preprocessed_begins(source->head);
}

const char **inputs_check(const char *const *inputs, size_t count, struct diag *diag)
{
    static const char suffix[] = ".webgrind";
    if (count < 2)
        return NULL;
    const char **made_of = memory_zeroed(count, sizeof *made_of);
    /* A preprocessed file may come before its profile. So all inputs are known before the first is checked. */
    struct known_files files = {.all = {.capacity = 0}};
    for (size_t i = 0; i < count; i++)
        look_up(&files, inputs[i], i);
    for (size_t i = 0; i < count; i++) {
        size_t first = look_up(&files, inputs[i], i);
        char *name = memory_string(inputs[i]);
        diag->input = input_name(inputs[i]);
        if (first < i)
            diag_problem(diag, 0, "is the same file as %s; its costs count twice", input_name(inputs[first]));
        if (first == i && text_ends(text_of_string(name), suffix)) {
            name[strlen(name) - strlen(suffix)] = '\0';
            size_t profile = look_up(&files, name, count);
            made_of[i] = profile < count ? input_name(inputs[profile]) : NULL;
        }
    }
    return made_of;
}

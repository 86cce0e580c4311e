/* Files of other programs that people give to cg2wg, each with the program that makes a profile instead, or of it. */
#include "read/frontend.h"

enum { OTHERS_HEAD = 4096 }; /* this many bytes of a file are enough */

#define BY_GPERFTOOLS " by gperftools, expected another format: google-pprof --callgrind PROGRAM FILE converts it"

static const struct other {
    const char *start; /* a pattern */
    const char *found; /* what it is, and what to do */
} others[] = {
    {"*TRACE START [*", "a trace by Xdebug, expected a profile: xdebug.mode=profile makes one"},
    {"desc:*time_unit:*", "heap snapshots by massif, expected a profile: ms_print prints them, and valgrind "
                          "--tool=callgrind makes a profile"},
    {"{*\"dhatFileVersion\"*", "heap data by DHAT, expected a profile: dh_view.html shows them, and valgrind "
                               "--tool=callgrind makes a profile"},
    {"gmon*", "gmon.out for gprof, expected a profile: gprof prints it; perf record -g and valgrind --tool=callgrind "
              "make profiles, for which the program need not be compiled with -pg"},
    {"\n?\b\1\020\2*", "a profile for pprof, expected another format: go tool pprof -callgrind FILE converts it"},
    {"heap profile:*", "a heap profile" BY_GPERFTOOLS},
    {"?)\3*", "a profile by Python's cProfile, expected another format: pyprof2calltree -i FILE -o OUTPUT converts it"},
    {"a:*{s:*main()*", "a run by XHProf, expected a profile: Xdebug makes one, with xdebug.mode=profile"},
    {"{*\"main()\"*\"ct\"*", "a run by XHProf, expected a profile: Xdebug makes one, with xdebug.mode=profile"},
    {"{*speedscope*", "a profile for speedscope, expected another format: speedscope shows it; give cg2wg what it was "
                      "made of"},
    {"{*\"callFrame\"*", "a CPU profile by Chrome or Node.js, expected another format: chrome2calltree -i FILE "
                         "-o OUTPUT converts it"},
};

const char *others_find(struct text head)
{
    static const char gperftools[] = "\0\0\0\0\0\0\0\0\3";
    bool are_stacks = true, has_frames = false;
    if (text_length(head) >= sizeof gperftools && memcmp(head.at, gperftools, sizeof gperftools) == 0)
        return "a profile" BY_GPERFTOOLS;
    if (text_length(head) > OTHERS_HEAD)
        head.end = head.at + OTHERS_HEAD;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (text_matches(head, others[i].start, false))
            return others[i].found;
    while (are_stacks && !text_is_empty(head)) { /* lines `FRAME;FRAME COUNT`, of which the last one may go on */
        struct text line = text_take_line(&head), frames = line;
        uint64_t count;
        while (!text_is_empty(frames) && char_is_digit(frames.end[-1]))
            frames.end--;
        struct text number = {frames.end, line.end};
        if (text_is_empty(head) && has_frames)
            break;
        are_stacks = text_ends(frames, " ") && text_take_number(&number, &count, NULL);
        has_frames |= are_stacks && memchr(line.at, ';', text_length(frames)) != NULL;
    }
    return are_stacks && has_frames ? "collapsed stacks, expected a profile: flamegraph.pl and speedscope draw them; "
                                      "give cg2wg what they were made of, such as the recording by perf" : NULL;
}

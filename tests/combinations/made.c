/* SPDX-License-Identifier: MIT */
/* Small inputs of kinds that testdata lacks. */
#include "made.h"

#include "figures.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *folder;

static FILE *create(const char *name)
{
    FILE *stream = fopen(keep_text("%s/%s", folder, name), "wb");
    if (stream == NULL) {
        perror(name);
        exit(2);
    }
    return stream;
}

/* Functions that call each other, once within another file, with costs of so many events. */
static void make_events(size_t count)
{
    FILE *stream = create(keep_text("events%zu.cg", count));
    fprintf(stream, "version: 1\ncreator: x\npositions: line\nevents:");
    for (size_t i = 0; i < count; i++)
        fprintf(stream, " E%zu", i);
    static const char *const lines[] = {"fl=a.c\nfn=main\n1",
                                        "fi=b.h\n3",
                                        "cfi=a.c\ncfn=f\ncalls=1 5\n2",
                                        "fl=a.c\nfn=f\n5",
                                        "cfn=g\ncalls=3 9\n6",
                                        "cfn=f\ncalls=2 5\n7",
                                        "fl=b.c\nfn=g\n9",
                                        "cfi=a.c\ncfn=f\ncalls=1 5\n9"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        fprintf(stream, "\n%s", lines[i]);
        for (size_t e = 0; e < count; e++)
            fprintf(stream, " %zu", (i + 2) * (e + 1) + (i * i + e) % 3);
    }
    fputc('\n', stream);
    fclose(stream);
}

/* Xdebug's records of calls within each other, deeper than any view shows. */
static void make_deep(void)
{
    enum { DEPTH = 1040 };
    FILE *stream = create("deep.out");
    fputs("version: 1\ncreator: xdebug 3.2.0\ncmd: /a.php\npart: 1\npositions: line\n\nevents: Time\n\n", stream);
    for (int i = DEPTH; i >= 0; i--) {
        fprintf(stream, "fl=/a.php\nfn=%s%d\n%d %d\n", i > 0 ? "f" : "{main}", i, i, i % 7 + 1);
        if (i < DEPTH)
            fprintf(stream, "cfl=/a.php\ncfn=f%d\ncalls=1 0 0\n%d %d\n", i + 1, i + 1, 4 * (DEPTH - i));
        fputs("\n", stream);
    }
    fclose(stream);
}

/* A recording with chains or without: of two events, three threads, and the kernel. */
static void make_recording(const char *name, unsigned chain, uint64_t cost)
{
    struct recording r = begin();
    r.events[0] = (struct recorded_event){1, 0, 1, IP | TID | TIME | PERIOD | IDENTIFIER | chain, 0, SAMPLE_ID_ALL, 11};
    r.events[1] = (struct recorded_event){1, 2, 1, IP | TID | TIME | PERIOD | IDENTIFIER | chain, 0, SAMPLE_ID_ALL, 12};
    r.event_count = 2;
    name_thread(&r, 5, 6, 0, "worker");
    name_thread(&r, 5, 5, 0, "main");
    map_program(&r);
    kernel_symbol(&r, 0, 0xffffffff81000000, 0x100, 1, 0, "start_kernel");
    for (uint32_t i = 0; i < 12; i++) {
        struct stack stack = i % 5 == 4
                                 ? STACK(KERNEL, 0xffffffff81000010, IN_KERNEL, 0xffffffff81000010, IN_USER, F, MAIN)
                             : i % 4 < 2 ? STACK(USER, F, IN_USER, F, MAIN)
                                         : STACK(USER, G, IN_USER, G, F, F, MAIN);
        sample_of(&r, i % 2, 5, 5 + i % 3, i + 1, cost * (i + 1), stack);
    }
    struct bytes bytes = finish(&r);
    write_file(keep_text("%s/%s", folder, name), bytes.at, bytes.length);
    free_bytes(&bytes);
}

void make_files(const char *in)
{
    static const size_t counts[] = {1, 13, 24, 33};
    folder = in;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        make_events(counts[i]);
    make_deep();
    make_recording("flat.data", 0, 3);
    make_recording("flat2.data", 0, 5);
    make_recording("chains.data", CHAIN, 30);
    make_recording("chains2.data", CHAIN, 50);
    struct bytes prog = elf(true, 62, 2, own_id, usual_symbols, 3);
    char *symfs = keep_text("%s/symfs", folder);
    char *copy = keep_text("rm -rf '%s' && cp -r testdata/perf/symfs '%s' && mkdir -p '%s/srv' '%s/bin'", symfs, symfs,
                           symfs, folder);
    if (system(copy) != 0)
        exit(2);
    write_file(keep_text("%s/srv/prog", symfs), prog.at, prog.length);
    free_bytes(&prog);
    static const char filter[] = "#!/bin/sh\nexec cat\n"; /* for those who have no c++filt */
    char *path = keep_text("%s/bin/c++filt", folder);
    write_file(path, filter, strlen(filter));
    chmod(path, 0700);
}

/* SPDX-License-Identifier: MIT */
/* Inputs of each kind: from testdata, made by made.c, or made of others by the program. */
#include "commands.h"

#include "figures.h"
#include "made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Words of a nature: the format; xdebug; recorded (on a machine); stacks (exact ones are known); single or many events;
 * parts; part, tid, pid and comm, and one that it has; sizes of inputs; of: what others the
 * program makes it of, in the version that its name ends with.
 */
const struct kind kinds[] = {
    {"xdebug", "xdebug/3.0-import.out xdebug/3.2-prices.out", "xdebug-old", "callgrind xdebug stacks many part=1"},
    {"xdebug-old", "xdebug/2.0-cart.out xdebug/2.1.0-refund.out", "xdebug", "callgrind xdebug stacks part=1 single"},
    {"appended", "xdebug/2.5-append.out", "xdebug-old", "callgrind xdebug stacks part=1 single"},
    {"callgrind", "valgrind/cache-branch.out", "cachegrind", "callgrind many part=1"},
    {"lines", "valgrind/words.out valgrind/recursions.out valgrind/callers.out valgrind/missing.out", "callgrind",
     "callgrind part=1 single"},
    {"no-lines", "valgrind/no-line.out", "lines", "callgrind part=1 single"},
    {"cachegrind", "valgrind/cachegrind-branch.out valgrind/cachegrind-O0.out", "callgrind", "callgrind many"},
    {"parts", "valgrind/parts.out", "lines", "callgrind parts part=1 pid=9143 single"},
    {"threads", "valgrind/threads-combined.out", "lines", "callgrind parts part=1 tid=2 pid=9140 single"},
    {"perf", "perf/cpp.data perf/lines.data perf/time.data", "events", "perf recorded stacks single"},
    {"events", "perf/group.data", "perf", "perf recorded stacks many"},
    {"chains", "chains.data chains2.data", "xdebug-old", "perf stacks many tid=6 pid=5 comm=worker"},
    {"flat", "flat.data flat2.data", "chains", "perf many tid=6 pid=5 comm=worker"},
    {"script", "perf/time.script", "script-events", "perf-script stacks single"},
    {"script-events", "perf/group.script", "script", "perf-script stacks many"},
    {"flat-script", "inputs/flat.script inputs/flat.script", "flat-script",
     "perf-script tid=6 pid=5 comm=worker single"},
    {"aprof", "inputs/small.aprof", "contexts", "aprof sizes single"},
    {"contexts", "inputs/trees.aprof", "aprof", "aprof sizes stacks single"},
    {"folded", "inputs/stacks.folded", "folded", "folded stacks single"},
    {"version-4", NULL, "xdebug", "preprocessed stacks of=xdebug"},
    {"version-5", NULL, "version-6", "preprocessed of=lines"},
    {"version-6", NULL, "lines", "preprocessed of=lines"},
    {"version-7", NULL, "xdebug", "preprocessed of=xdebug"},
    {"one", "events1.cg", "many", "callgrind single"},
    {"many", "events13.cg events24.cg", "one", "callgrind many"},
    {"most", "events33.cg", "many", "callgrind many"},
    {"zero", "inputs/zero.cg", "one", "callgrind single"},
    {"negative", "inputs/negative.out", "xdebug", "callgrind xdebug stacks many part=1"},
    {"units", "inputs/units.out", "negative", "callgrind xdebug stacks many part=1"},
    {"deep", "deep.out", "xdebug-old", "callgrind xdebug stacks part=1 single"},
    {"hostile", "inputs/hostile.cg", "one", "callgrind single"},
    {"nameless", "inputs/nameless.cg", "nameless", "callgrind"},
};

const size_t kind_count = sizeof kinds / sizeof kinds[0];
struct known known_of[sizeof kinds / sizeof kinds[0]];

/* What the program says of the first input: the names of its events, and of a function. */
static void ask(const struct kind *kind, struct known *known)
{
    char *symfs = nature_of(kind, "recorded") != NULL ? keep_text("--symfs=%s/symfs", folder) : "-q";
    struct result list = run_words((char *[]){(char *)program, "-q", symfs, "--list-events", known->paths[0], NULL},
                                   NULL);
    for (char *line = list.out; *line != '\0' && known->event_count < MOST_NAMED; line += strcspn(line, "\n") + 1) {
        size_t length = strcspn(line, " \n");
        if (strncmp(line, "part ", 5) != 0 && length > 0)
            known->events[known->event_count++] = strndup(line, length);
        known->measured += strcspn(line, "=") > strcspn(line, "\n");
    }
    struct result shown = run_words((char *[]){(char *)program, "-q", symfs, "--print=json", known->paths[0], NULL},
                                    NULL);
    struct json *json = json_parse(shown.out, shown.length);
    const struct json *name = json_get(json_at(json_get(json, "functions"), 0), "name");
    const struct json *event = json_get(json, "event");
    if (list.status != 0 && event != NULL) /* of version 4 */
        known->events[known->event_count++] = strdup(event->text);
    if (shown.status != 0 || name == NULL)
        finding("an input cannot be shown", known->paths[0], list.messages, shown.messages, NULL);
    known->function = strdup(name != NULL ? name->text : "main");
}

void inputs_make(void)
{
    make_files(folder);
    for (size_t k = 0; k < kind_count; k++) {
        const struct kind *kind = &kinds[k];
        struct known *known = &known_of[k];
        const char *made_of = nature_of(kind, "of");
        const struct known *of = made_of != NULL ? &known_of[kind_called(made_of) - kinds] : NULL;
        char *files = keep_text("%s", kind->files != NULL ? kind->files : "");
        for (char *file = strtok(files, " "); file != NULL; file = strtok(NULL, " "))
            known->paths[known->path_count++] = strdup(keep_text("%s/%s",
                                                                 strchr(file, '/') == NULL ? folder
                                                                 : strncmp(file, "inputs/", 7) == 0
                                                                     ? "tests/combinations"
                                                                     : "testdata",
                                                                 file));
        for (size_t i = 0; of != NULL && i < of->path_count; i++) {
            char *path = known->paths[known->path_count++] = strdup(keep_text("%s/%zu.%s", folder, i, kind->name));
            char *format = keep_text("-f%c", kind->name[strlen(kind->name) - 1]);
            struct result made = run_words((char *[]){(char *)program, "-q", format, of->paths[i], path, NULL}, NULL);
            if (made.status != 0)
                finding("an input cannot be converted", of->paths[i], made.messages, NULL);
        }
        char *pack = keep_text("for file in");
        for (size_t i = 0; i < known->path_count; i++)
            pack = keep_text("%s '%s'", pack, known->paths[i]);
        if (system(keep_text("%s; do gzip -nc \"$file\" >'%s'/$(basename \"$file\").gz || exit 1; done", pack,
                             folder)) != 0)
            exit(2);
        ask(kind, known);
    }
}

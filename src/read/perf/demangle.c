#include "read/perf/demangle.h"

#include "os/program.h"
#include "util/array.h"

#include <unistd.h>

/* A short name can be one of gigabytes. */
enum { BLOCK = 64 * 1024, MOST_NAME = 4096, MOST_NAMES = 1 << 26, MOST_MB = 256, MOST_SECONDS = 3 };

/* The program, and its output: what has come of a line, and of all lines before it. */
struct filter {
    struct run_held held;
    struct program program;
    int names, output;   /* descriptors, or -1 */
    char line[MOST_NAME];
    size_t used;         /* beyond MOST_NAME: the line is too long */
    char *bytes;
    size_t length, room;
};

static void end_filter(void *of)
{
    struct filter *f = of;
    run_let_go(&f->held);
    if (f->names >= 0)
        close(f->names);
    if (f->output >= 0)
        close(f->output);
    program_stop(&f->program);
}

/* A line that is too long, or would make all of them too many, is empty. */
static void end_line(struct filter *f)
{
    size_t used = f->used <= MOST_NAME && f->length + f->used < MOST_NAMES ? f->used : 0;
    array_reserve(&f->bytes, &f->room, f->length + used + 1, 1);
    memcpy(f->bytes + f->length, f->line, used);
    f->bytes[f->length + used] = '\n';
    f->length += used + 1;
    f->used = 0;
}

static void take_block(struct filter *f, struct text block)
{
    while (!text_is_empty(block)) {
        const char *newline = memchr(block.at, '\n', text_length(block));
        size_t count = (size_t)((newline != NULL ? newline : block.end) - block.at);
        if (f->used + count <= MOST_NAME)
            memcpy(f->line + f->used, block.at, count);
        f->used = f->used + count <= MOST_NAME ? f->used + count : MOST_NAME + 1;
        if (newline != NULL)
            end_line(f);
        block.at += newline != NULL ? count + 1 : count;
    }
}

/* Names go by way of a file, so that nobody has to write and to read at once. */
struct text demangle(struct text names, struct diag *diag)
{
    static const struct program_kind kind = {.name = "c++filt", .need = "names are to be demangled, but the program"};
    struct filter f = {.program = program_none(), .names = file_create_unnamed(), .output = -1};
    char block[BLOCK];
    ssize_t count;
    run_hold(&f.held, end_filter, &f);
    if (f.names < 0 || !file_write_all(f.names, names.at, text_length(names)) ||
        lseek(f.names, 0, SEEK_SET) != 0)
        diag_error_in(diag, NULL, "names cannot be handed to c++filt: %s", strerror(errno));
    f.program.megabytes = MOST_MB;
    f.program.seconds = MOST_SECONDS;
    f.output = program_start(&f.program, &kind, f.names, text_of("", 0), diag);
    while ((count = program_read(&f.program, f.output, block, sizeof block)) > 0)
        take_block(&f, text_of(block, (size_t)count));
    end_filter(&f);
    return text_of(f.bytes, f.length);
}

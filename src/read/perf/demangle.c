#include "read/perf/demangle.h"

#include "util/array.h"
#include "os/program.h"

#include <stdlib.h>
#include <unistd.h>

/* A short name can stand for gigabytes. */
enum { BLOCK = 64 * 1024, MOST_NAME = 4096, MOST_NAMES = 1 << 26, MOST_MB = 256, MOST_SECONDS = 3 };

static const struct program_kind filter = {
    .name = "c++filt",
    .need = "names are to be demangled, but the program",
};

static bool fail(struct diag *diag)
{
    return diag_error_in(diag, NULL, "names cannot be handed to c++filt: %s", strerror(errno));
}

/* What has come of a line, and of all lines before it. */
struct lines_read {
    char line[MOST_NAME];
    size_t used;  /* beyond MOST_NAME: the line is too long */
    char *bytes;
    size_t length, room;
};

/* A line that is too long, or would make all of them too many, is empty. */
static bool end_line(struct lines_read *l)
{
    size_t used = l->used <= MOST_NAME && l->length + l->used < MOST_NAMES ? l->used : 0;
    array_reserve(&l->bytes, &l->room, l->length + used + 1, 1);
    memcpy(l->bytes + l->length, l->line, used);
    l->bytes[l->length + used] = '\n';
    l->length += used + 1;
    l->used = 0;
    return true;
}

static bool take_block(struct lines_read *l, struct text block)
{
    while (!text_is_empty(block)) {
        const char *newline = memchr(block.at, '\n', text_length(block));
        size_t count = (size_t)((newline != NULL ? newline : block.end) - block.at);
        if (l->used + count <= MOST_NAME)
            memcpy(l->line + l->used, block.at, count);
        l->used = l->used + count <= MOST_NAME ? l->used + count : MOST_NAME + 1;
        if (newline != NULL && !end_line(l))
            return false;
        block.at += newline != NULL ? count + 1 : count;
    }
    return true;
}

/* Reads until the program ends, for whatever reason. */
static bool read_all(struct program *program, int output, struct lines_read *l, struct diag *diag)
{
    char block[BLOCK];
    ssize_t count;
    while ((count = program_read(program, output, block, sizeof block)) > 0)
        if (!take_block(l, text_of(block, (size_t)count)))
            return diag_no_memory(diag);
    return true;
}

static bool run(int fd, char **result, size_t *length, struct diag *diag)
{
    struct program program = program_none();
    struct lines_read lines = {.used = 0, .bytes = NULL};
    program.megabytes = MOST_MB;
    program.seconds = MOST_SECONDS;
    int output = program_start(&program, &filter, fd, text_of("", 0), diag);
    bool done = output >= 0 && read_all(&program, output, &lines, diag);
    if (output >= 0)
        close(output);
    program_stop(&program);
    *result = lines.bytes;
    *length = lines.length;
    return done;
}

/* They go by way of a file, so that nobody has to write and to read at once. */
bool demangle(struct text names, char **result, size_t *length, struct diag *diag)
{
    int fd = file_create_unnamed();
    *result = NULL;
    *length = 0;
    if (fd < 0)
        return fail(diag);
    bool done = ((file_write_all(fd, names.at, text_length(names)) && lseek(fd, 0, SEEK_SET) == 0) || fail(diag)) &&
                run(fd, result, length, diag);
    close(fd);
    if (!done)
        memory_free(*result);
    return done;
}

#include "symbols/demangle.h"

#include "util/array.h"
#include "util/program.h"

#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 64 * 1024 };

static const struct program_kind filter = {
    .name = "c++filt",
    .need = "names are to be demangled, but the program",
    .work = "demangle the names",
    .past = "demangled the names",
};

static bool fail(struct diag *diag)
{
    return diag_error_in(diag, NULL, "names cannot be handed to c++filt: %s", strerror(errno));
}

static bool read_all(struct program *program, int output, char **bytes, size_t *length, struct diag *diag)
{
    size_t room = 0;
    ssize_t count = 0;
    do {
        *length += (size_t)count;
        if (!array_reserve(bytes, &room, *length + BLOCK, 1))
            return diag_no_memory(diag);
        count = program_read(program, output, *bytes + *length, BLOCK);
    } while (count > 0);
    return count == 0 || fail(diag);
}

static bool run(int fd, char **result, size_t *length, struct diag *diag)
{
    struct program program = program_none();
    int output = program_start(&program, &filter, fd, text_of("", 0), diag);
    bool done = output >= 0 && read_all(&program, output, result, length, diag) &&
                program_ended_well(&program, diag);
    if (output >= 0)
        close(output);
    program_stop(&program);
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
    bool done = (file_write_all_at(fd, names.at, text_length(names), 0) || fail(diag)) && run(fd, result, length, diag);
    close(fd);
    if (!done)
        free(*result);
    return done;
}

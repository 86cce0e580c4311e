#include "os/program.h"

int program_start(struct program *program, const struct program_kind *kind, int fd, struct text head,
                  struct diag *diag)
{
    (void)program;
    (void)fd;
    (void)head;
    if (kind->is_optional)
        return -1;
    if (kind->argument != NULL)
        diag_error(diag, 0, "is compressed with %s, which cg2wg cannot decode on Windows; decompress it first",
                   kind->name);
    diag_error(diag, 0, "%s %s is not available on Windows", kind->need, kind->name);
}

bool program_feed(struct program *program, int output, struct waiting_place *place, bool waits)
{
    (void)program;
    (void)output;
    (void)place;
    (void)waits;
    return true;
}

void program_check_end(struct program *program, struct diag *diag)
{
    (void)program;
    (void)diag;
}

int64_t program_taken(const struct program *program)
{
    (void)program;
    return -1;
}

void program_stop(struct program *program)
{
    (void)program;
}

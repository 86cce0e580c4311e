/* SPDX-License-Identifier: MIT */
#include "os/program.h"

bool program_start(struct program *p, int fd, struct text head)
{
    if (p->kind->is_optional)
        return false;
    diag_error(p->diag, 0, "%s %s is not available on Windows", p->kind->need, p->kind->name);
}

bool program_give(struct program *p, struct text bytes)
{
    return text_is_empty(bytes) || program_start(p, -1, bytes);
}

/* Only reading waits, because files, pipes and terminals have no common way to wait. */
bool program_feed(struct program *p, int fd, struct canceller *canceller)
{
    return true;
}

bool program_wait(struct program *p, unsigned seconds)
{
    return true;
}

void program_check_end(struct program *p)
{
}

void program_stop(void *program)
{
}

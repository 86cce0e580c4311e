/* SPDX-License-Identifier: MIT */
/* A file without a name, to which a stream is printed that is read afterwards. */
#ifndef CG2WG_IO_TEMPORARY_H
#define CG2WG_IO_TEMPORARY_H

#include "util/diag.h"

#include <stdio.h>

/* It must not move in memory while it is open. The end of the run closes it. */
struct temporary {
    struct run_held held;
    struct diag *diag; /* borrowed */
    int fd;
    FILE *stream; /* NULL after temporary_end */
    char *buffer; /* its own */
};

/* In memory, if the system can do that; otherwise, and if not `in_memory`, in the directory for temporary files. */
void temporary_open(struct temporary *file, bool in_memory, struct diag *diag);

/* After printing: returns a descriptor to read from, which belongs to the file. Its position is at the end. */
int temporary_end(struct temporary *file);

void temporary_close(void *temporary);

#endif

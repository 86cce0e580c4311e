/* SPDX-License-Identifier: MIT */
#include "io/temporary.h"

#include "io/outfile.h"
#include "os/file.h"
#include "util/show.h"

#include <string.h>
#include <unistd.h>

/* The stream has a descriptor of its own: closing it says whether all has been written. */
void temporary_open(struct temporary *file, bool in_memory, struct diag *diag)
{
    *file = (struct temporary){.diag = diag, .fd = file_create_unnamed(in_memory)};
    run_hold(&file->held, temporary_close, file);
    int copy = file->fd >= 0 ? file_duplicate(file->fd) : -1;
    file->stream = copy >= 0 ? fdopen(copy, "wb") : NULL;
    int error = errno;
    if (copy >= 0 && file->stream == NULL)
        close(copy);
    if (file->stream == NULL)
        diag_error_in(diag, NULL, "cannot make a temporary file: %s", strerror(error));
    file->buffer = memory_get(OUTFILE_BUFFER); /* a tenth of the time of JSON */
    setvbuf(file->stream, file->buffer, _IOFBF, OUTFILE_BUFFER);
    fseeko(file->stream, 0, SEEK_SET); /* from here on, glibc knows the position without asking the system */
}

int temporary_end(struct temporary *file)
{
    int error = show_end(file->stream);
    file->stream = NULL;
    memory_free(file->buffer);
    if (error != 0)
        diag_error_in(file->diag, NULL, "cannot write a temporary file: %s", strerror(error));
    return file->fd;
}

void temporary_close(void *temporary)
{
    struct temporary *file = temporary;
    run_let_go(&file->held);
    if (file->stream != NULL)
        fclose(file->stream);
    if (file->fd >= 0)
        close(file->fd);
}

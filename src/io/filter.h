/* A program that gets its input by way of a file, so that nobody has to write and to read at once. */
#ifndef CG2WG_IO_FILTER_H
#define CG2WG_IO_FILTER_H

#include "os/program.h"
#include "util/run.h"

struct filter {
    struct run_held held;
    const struct program_kind *kind;
    const char *what; /* the input, as messages say it */
    struct diag *diag;
    struct program program;
    int input, output; /* descriptors; -1: none so far */
};

static inline struct filter filter_of(const struct program_kind *kind, const char *what, struct diag *diag)
{
    return (struct filter){
        .kind = kind, .what = what, .diag = diag, .program = program_none(), .input = -1, .output = -1};
}

/*
 * Adds to the input, until the program is started. The filter must not move from now on. False: that is not possible,
 * and the program is optional.
 */
bool filter_add(struct filter *f, struct text bytes);
bool filter_start(struct filter *f);

/* What the program has made. */
static inline ssize_t filter_read(struct filter *f, void *bytes, size_t length)
{
    return program_read(&f->program, f->output, bytes, length);
}

/* Stops the program of a filter, if it is running, and closes what is open. */
void filter_end(void *filter);

#endif

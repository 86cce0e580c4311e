/* SPDX-License-Identifier: MIT */
/* The output of a call: what it may replace, and how it appears. */
#ifndef CG2WG_OUTPUT_H
#define CG2WG_OUTPUT_H

#include "job.h"
#include "cg2wg_print.h"
#include "io/outfile.h"

struct output {
    struct job *job;
    const char *path;
    bool is_printed;        /* if not, it is a preprocessed file */
    enum cg2wg_style style; /* in which it is printed */
    bool is_packed;         /* what is printed is compressed */
    struct outfile *file;
};

/* Checks, before reading, that it is no input, no terminal for what is binary, and replaces nothing of another kind. */
void output_check(const struct output *output);

/* Opens output->file. Its rights are at most those of the inputs, which have been read. */
void output_open(struct output *output);

/* Checks again what is replaced, and replaces it. */
void output_commit(struct output *output);

#endif

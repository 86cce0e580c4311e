/* SPDX-License-Identifier: MIT */
/* A call of the library: checks of arguments, its task, its status. Each public function's struct begins with a job. */
#ifndef CG2WG_JOB_H
#define CG2WG_JOB_H

#include "read/input.h"

struct job {
    const char *const *inputs;
    size_t input_count;
    struct cg2wg_options options; /* complete */
    struct reading reading;
    void (*work)(void *of);   /* the caller's struct; begins with checks, and then sets the status to CG2WG_FAILED */
    enum cg2wg_status status; /* if it fails now */
};

/* Checks the inputs and the options, which may be NULL, and does the work. */
enum cg2wg_status job_run(struct job *job, const struct cg2wg_options *options);

/* Checks of the caller's arguments and members, `of`, each of which is an error if it fails. */
#define job_demand(job, holds, ...) \
    do { \
        if (!(holds)) \
            diag_error_in(&(job)->reading.diag, NULL, __VA_ARGS__); \
    } while (0)
void job_demand_number(struct job *job, const char *of, uint64_t found, uint64_t least, uint64_t most);
void job_demand_texts(struct job *job, const char *of, const char *const *texts, size_t count); /* none is NULL */

/*
 * Copies a struct that begins with its size, as the caller knows it: at least `least` bytes, up to the first version's
 * last member. What it lacks keeps its default. False: a wrong size, or a member is set that only later versions know.
 */
bool job_copy(void *own, size_t size, size_t least, const void *given);
#define JOB_COPY(own, type, last, given) job_copy(own, sizeof *(own), offsetof(type, last) + sizeof((own)->last), given)

/* Sets the defaults in a struct of the caller's, of `size` bytes. */
void job_set_defaults(void *given, size_t size, const void *defaults, size_t known);

/* Reads or merges inputs, to show what a conversion would write, but with the event, unit and exact costs of these. */
void job_read(struct job *job, const char *const *inputs, size_t count, bool wants_headers, struct contents *contents);

/* For tests: like cg2wg_convert_all, with reads of `block` bytes; 0: chosen automatically. */
enum cg2wg_status convert_in_blocks(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options, struct cg2wg_stats *stats, size_t block);

#endif

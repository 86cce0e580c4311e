/* SPDX-License-Identifier: MIT */
#include "job.h"

#include "output.h"
#include "read/preprocessed_file.h"
#include "write/formats.h"
#include "write/headers.h"

#include <time.h>

struct conversion {
    struct job job;
    struct output output;
    struct cg2wg_stats *stats; /* the caller's */
};

static void complete_output(void *conversion, const char *written)
{
    struct conversion *c = conversion;
    const struct cg2wg_options *options = &c->job.options;
    if (options->complete != NULL)
        options->complete(options->user, c->output.path, written, c->job.reading.stats.is_listed);
}

static void convert(void *of)
{
    struct conversion *c = of;
    struct job *job = &c->job;
    const struct cg2wg_options *options = &job->options;
    struct output *output = &c->output;
    struct contents contents;
    job_demand_texts(job, "output", &output->path, 1);
    job_demand_number(job, "stats.size", c->stats != NULL ? c->stats->size : SIZE_MAX,
                      offsetof(struct cg2wg_stats, is_listed) + sizeof(bool), SIZE_MAX);
    output_check(output);
    job->reading.made_of = inputs_check(job->inputs, job->input_count, &job->reading.diag);
    job->reading.wants = NEEDS_SUMS;
    if (options->format < FIRST_VERSION_WITH_SUMS)
        job->reading.wants |= WANTS_CONTEXTS | WANTS_INVOCATIONS;
    input_read(&job->reading, job->inputs, job->input_count, &contents);
    output_open(output);
    output->file->progress = (struct progress){.report = options->progress, .user = options->user};
    totals_use_positive(&contents.profile, options->summary == CG2WG_SUMMARY_COMPUTED);
    totals_leave_negative(&contents.profile);
    write_profile(output->file, options, &contents.profile, &contents.contexts);
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (job->reading.newest > now.tv_sec * INT64_C(1000000000) + now.tv_nsec)
        output->file->time = job->reading.newest; /* in the future: no output is older than its input */
    output->file->complete = complete_output;
    output->file->of = c;
    output_commit(output);
    if (c->stats == NULL)
        return;
    struct cg2wg_stats stats = job->reading.stats;
    stats.size = c->stats->size;
    stats.functions = contents.profile.function_count;
    stats.arcs = contents.profile.arc_count;
    stats.warnings = job->reading.diag.warnings;
    memcpy(c->stats, &stats, MIN(stats.size, sizeof stats)); /* as far as the caller knows it */
}

enum cg2wg_status convert_in_blocks(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options, struct cg2wg_stats *stats, size_t block)
{
    struct conversion c = {.job = {.inputs = inputs, .input_count = count, .work = convert, .reading.block = block},
                           .output = {.job = &c.job, .path = output},
                           .stats = stats};
    return job_run(&c.job, options);
}

enum cg2wg_status cg2wg_convert_all(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options, struct cg2wg_stats *stats)
{
    return convert_in_blocks(inputs, count, output, options, stats, 0);
}

enum cg2wg_status cg2wg_convert(const char *input, const char *output, const struct cg2wg_options *options,
                                struct cg2wg_stats *stats)
{
    return convert_in_blocks(&input, 1, output, options, stats, 0);
}

unsigned cg2wg_format_of(const void *bytes, size_t length)
{
    enum { ENOUGH = 16 };
    struct text head = text_of(length > 0 ? bytes : "", length);
    bool is = length < ENOUGH ? preprocessed_begins(head) : preprocessed_recognises(head) == MINE;
    return is ? *(const unsigned char *)bytes : 0;
}

bool cg2wg_is_profile(const void *bytes, size_t length)
{
    struct text head = text_of(length > 0 ? bytes : "", length);
    bool more;
    return frontend_for(head, &more) != NULL || source_decoder(head) != NULL;
}

struct event_listing {
    struct job job;
    void (*list)(void *user, const struct cg2wg_event *event);
    void (*list_part)(void *user, const struct cg2wg_part *part); /* or NULL */
    void *user;
};

static void list_input(void *of)
{
    struct event_listing *l = of;
    struct event_list events = {.count = 0};
    struct contents contents;
    bool differ = false;
    job_demand(&l->job, l->list != NULL, "found no callback, expected one");
    l->job.status = CG2WG_FAILED;
    l->job.reading.events = &events;
    l->job.reading.wants = WANTS_EVENTS_ONLY;
    input_read(&l->job.reading, l->job.inputs, 1, &contents);
    for (size_t i = 0; i < events.count; i++)
        l->list(l->user, &events.events[i]);
    for (size_t i = 1; i < events.part_count; i++) {
        const struct cg2wg_part *p = &events.parts[i];
        differ |= p[-1].part != p->part || p[-1].pid != p->pid || p[-1].thread != p->thread;
    }
    for (size_t i = 0; i < events.part_count && differ && l->list_part != NULL; i++)
        l->list_part(l->user, &events.parts[i]);
}

enum cg2wg_status cg2wg_list_parts(const char *input, const struct cg2wg_options *options,
                                   void (*list)(void *user, const struct cg2wg_event *event),
                                   void (*list_part)(void *user, const struct cg2wg_part *part), void *user)
{
    struct event_listing l = {.job = {.inputs = &input, .input_count = 1, .work = list_input},
                              .list = list,
                              .list_part = list_part,
                              .user = user};
    return job_run(&l.job, options);
}

enum cg2wg_status cg2wg_list_events(const char *input, const struct cg2wg_options *options,
                                    void (*list)(void *user, const struct cg2wg_event *event), void *user)
{
    return cg2wg_list_parts(input, options, list, NULL, user);
}

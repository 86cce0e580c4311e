/* SPDX-License-Identifier: MIT */
#include "job.h"

#include "write/headers.h"
#include "write/scale.h"

#include <inttypes.h>

static const struct cg2wg_options default_options = {.size = sizeof default_options, .format = CG2WG_FORMAT_DEFAULT};

unsigned cg2wg_version(void)
{
    return CG2WG_VERSION_NUMBER;
}

void cg2wg_options_init(struct cg2wg_options *options, size_t size)
{
    job_set_defaults(options, size, &default_options, sizeof default_options);
}

void job_set_defaults(void *given, size_t size, const void *defaults, size_t known)
{
    memset(given, 0, size);
    memcpy(given, defaults, MIN(size, known));
    memcpy(given, &size, sizeof size);
}

bool job_copy(void *own, size_t size, size_t least, const void *given)
{
    enum { MOST = 4096 }; /* more is no size, but what happened to be in memory */
    size_t given_size;
    memcpy(&given_size, given, sizeof given_size);
    if (given_size < least || given_size > MOST)
        return false;
    for (size_t i = size; i < given_size; i++)
        if (((const char *)given)[i] != 0)
            return false;
    memcpy(own, given, MIN(size, given_size));
    return true;
}

void job_demand_number(struct job *job, const char *of, uint64_t found, uint64_t least, uint64_t most)
{
    job_demand(job, found >= least && found <= most, "%s: found %" PRIu64 ", expected %" PRIu64 " to %" PRIu64, of,
               found, least, most);
}

void job_demand_texts(struct job *job, const char *of, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        job_demand(job, texts != NULL && texts[i] != NULL, "%s: found NULL, expected a text", of);
}

/* What no call can mean is CG2WG_MISUSE, whatever the inputs are. */
static void check_and_work(void *of)
{
    struct job *job = of;
    const struct cg2wg_options *o = &job->options;
    const struct cg2wg_samples *samples = &o->samples;
    job_demand_number(job, "format", o->format, CG2WG_FORMAT_OLDEST, CG2WG_FORMAT_NEWEST);
    job_demand_number(job, "identity", o->identity, 0, CG2WG_IDENTITY_OBJECT);
    job_demand_number(job, "records", o->records, 0, CG2WG_RECORDS_SUMS);
    job_demand_number(job, "summary", o->summary, 0, CG2WG_SUMMARY_FILE);
    job_demand_number(job, "inclusive", o->inclusive, 0, CG2WG_INCLUSIVE_OUTERMOST);
    job_demand_number(job, "demangle", o->demangle, 0, CG2WG_DEMANGLE_NEVER);
    job_demand_number(job, "scale", o->scale, 0, SCALE_MOST);
    job_demand_number(job, "count", job->input_count, 1, SIZE_MAX);
    job_demand_number(job, "expected_proxy_count", o->expected_proxy_count, 0, o->proxy_count);
    job_demand_texts(job, "input", job->inputs, job->input_count);
    job_demand_texts(job, "proxies", o->proxies, o->proxy_count);
    job_demand_texts(job, "samples.names", samples->names, samples->name_count);
    job_demand(job, samples->pid_count == 0 || samples->pids != NULL, "samples.pids: found NULL, expected numbers");
    job_demand(job, samples->tid_count == 0 || samples->tids != NULL, "samples.tids: found NULL, expected numbers");
    job_demand(job, samples->part_count == 0 || samples->parts != NULL, "samples.parts: found NULL, expected numbers");
    job_demand(job, o->input_format == NULL || frontend_named(o->input_format) != NULL, "unknown input format %s",
               o->input_format);
    job->work(job);
}

enum cg2wg_status job_run(struct job *job, const struct cg2wg_options *options)
{
    struct held_signals limit;
    struct cg2wg_options *own = &job->options;
    *own = default_options;
    if (options != NULL && !JOB_COPY(own, struct cg2wg_options, user, options))
        return CG2WG_MISUSE; /* so it is not known where to report anything */
    job->status = CG2WG_MISUSE;
    job->reading.options = own;
    job->reading.diag.report = own->report;
    job->reading.diag.user = own->user;
    job->reading.diag.strict = own->strict;
    job->reading.rights = (struct file_rights){.mode = 0666};
    signals_hold(&limit, true);
    enum task_result result = task_run(check_and_work, job);
    signals_release(&limit);
    if (result != TASK_OUT_OF_MEMORY)
        return result == TASK_DONE ? CG2WG_OK : job->status;
    diag_say(&job->reading.diag, NULL, "out of memory");
    return CG2WG_FAILED;
}

void job_read(struct job *job, const char *const *inputs, size_t count, bool wants_headers, struct contents *contents)
{
    struct profile *profile = &contents->profile;
    const struct cg2wg_options *options = &job->options;
    input_read(&job->reading, inputs, count, contents);
    bool is_stored = contents->stored.version > 0;
    if (!is_stored && (job->reading.wants & NEEDS_CONTEXTS) == 0) {
        /* Parts say what they cost in all, even if rows are some calls of them. */
        if (contents->group < CG2WG_GROUP_RUN)
            totals_use_positive(profile, options->summary == CG2WG_SUMMARY_COMPUTED);
        struct text event = names_text(&profile->names, profile->event);
        facts_settle_event(profile, text_is_empty(event) ? text_of_string("Cost") : event);
    }
    contents_find_facts(contents, is_stored ? NULL : options->title, options->summary);
    if (wants_headers)
        contents->headers = is_stored ? contents->stored.headers : headers_of(profile, 1, "", options);
}

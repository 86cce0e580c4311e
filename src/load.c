/* SPDX-License-Identifier: MIT */
#include "job.h"

/* What cg2wg_load returns the first member of. It and all that it leads to is memory of the task that has read it. */
struct loaded {
    struct cg2wg_profile profile;
    struct task_link memory; /* all of it */
    struct contents contents;
};

struct loading {
    struct job job;
    unsigned flags;
    bool lacks_callback;
    struct loaded *loaded;
};

static struct cg2wg_function *functions_of(const struct contents *contents)
{
    const struct profile *profile = &contents->profile;
    const struct sizes *sizes = contents->sizes;
    struct cg2wg_function *functions = memory_zeroed(profile->function_count + 1, sizeof *functions);
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        bool has_object = f->identity == IDENTITY_OBJECT;
        functions[i] = (struct cg2wg_function){.name = profile_bytes(profile, f->name),
                                               .file = profile_bytes(profile, f->file),
                                               .object = profile_bytes(profile, has_object ? f->object : NAME_EMPTY),
                                               .line = f->line,
                                               .self = f->self,
                                               .inclusive = f->inclusive,
                                               .invocations = f->invocations};
        if (sizes == NULL)
            continue;
        functions[i].size_count = sizes->first[i + 1] - sizes->first[i];
        functions[i].sizes = functions[i].size_count > 0 ? &sizes->costs[sizes->first[i]] : NULL;
        functions[i].mangled_name = profile_bytes(profile, sizes->mangled[i]);
    }
    return functions;
}

static void load(void *of)
{
    struct loading *l = of;
    job_demand_number(&l->job, "flags", l->flags, 0, CG2WG_WANTS_CONTEXTS | CG2WG_WANTS_LINES);
    job_demand(&l->job, !l->lacks_callback, "found no callback, expected one");
    l->job.status = CG2WG_FAILED;
    l->job.reading.wants = WANTS_SIZES | WANTS_STORED | WANTS_STORED_NAMES |
                           ((l->flags & CG2WG_WANTS_CONTEXTS) != 0 ? WANTS_CONTEXTS : 0) |
                           ((l->flags & CG2WG_WANTS_LINES) != 0 ? WANTS_LINES : 0);
    struct loaded *loaded = memory_get(sizeof *loaded);
    struct contents *contents = &loaded->contents;
    const struct profile *profile = &contents->profile;
    job_read(&l->job, l->job.inputs, 1, true, contents);
    struct text headers = header_lines_text(&contents->headers);
    loaded->profile = (struct cg2wg_profile){
        .event = profile_bytes(profile, profile->event),
        .total = contents->facts.total,
        .headers = {headers.at, text_length(headers)},
        .functions = functions_of(contents),
        .function_count = profile->function_count,
        .arcs = profile->arcs,
        .arc_count = profile->arc_count,
        .context_count = contents->has_contexts ? contents->contexts.count : 0,
        .has_contexts = contents->has_contexts,
        .measure = profile_bytes(profile, contents->sizes != NULL ? contents->sizes->measure : NAME_EMPTY)};
    const struct line_costs *lines = profile->lines;
    struct cg2wg_line *all = lines != NULL ? memory_zeroed(lines->count + 1, sizeof *all) : NULL;
    loaded->profile.lines = all;
    loaded->profile.line_count = lines != NULL ? lines->count : 0;
    for (size_t i = 0; i < loaded->profile.line_count; i++) {
        const struct line_key *key = &lines->rows[i].key;
        all[i] = (struct cg2wg_line){key->function,        key->callee,    key->line, profile_bytes(profile, key->file),
                                     lines->rows[i].calls, lines->costs[i]};
    }
    if (contents->has_contexts)
        loaded->profile.contexts = contexts_move_ordered(&contents->contexts);
    l->loaded = loaded;
    task_detach_memory(&loaded->memory);
}

const struct cg2wg_profile *cg2wg_load(const char *input, const struct cg2wg_options *options, unsigned flags)
{
    struct loading l = {.job = {.inputs = &input, .input_count = 1, .work = load}, .flags = flags};
    return job_run(&l.job, options) == CG2WG_OK ? &l.loaded->profile : NULL;
}

void cg2wg_free(const struct cg2wg_profile *profile)
{
    if (profile != NULL)
        memory_free_detached(&((struct loaded *)profile)->memory);
}

enum cg2wg_status cg2wg_read(const char *input, const struct cg2wg_options *options, unsigned flags,
                             void (*take)(void *user, const struct cg2wg_profile *profile), void *user)
{
    struct loading l = {
        .job = {.inputs = &input, .input_count = 1, .work = load}, .flags = flags, .lacks_callback = take == NULL};
    enum cg2wg_status status = job_run(&l.job, options);
    if (status != CG2WG_OK || take == NULL) /* which is an error */
        return status;
    take(user, &l.loaded->profile);
    cg2wg_free(&l.loaded->profile);
    return CG2WG_OK;
}

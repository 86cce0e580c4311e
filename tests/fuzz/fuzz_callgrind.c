/* SPDX-License-Identifier: MIT */
/*
 * The callgrind front end, with everything between it and a profile: name compression, events,
 * proxies, invocations, outermost costs. Its result for any bytes must be a consistent profile.
 */
#include "fuzz.h"

#include "read/frontend.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whatever a front end has read, others rely on this. */
static void check_profile(const struct profile *profile)
{
    size_t names = profile->names.count;
    FUZZ_CHECK(profile->function_count > 0);
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        FUZZ_CHECK(f->object < names && f->file < names && f->name < names);
        FUZZ_CHECK(profile_find_function(profile, (enum identity)f->identity, f->object, f->file, f->name) == i);
    }
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct cg2wg_arc *arc = &profile->arcs[i];
        FUZZ_CHECK(arc->caller < profile->function_count && arc->callee < profile->function_count);
        FUZZ_CHECK(profile_find_arc(profile, arc->caller, arc->callee, arc->line) == i);
    }
    for (size_t i = 0; i < profile->header_count; i++)
        FUZZ_CHECK(profile->headers[i].value < names);
}

/* Each invocation has its place in the order, and is called by an earlier one, which knows of it. */
static void check_invocations(const struct contexts *contexts, const struct profile *profile)
{
    uint32_t *callers = calloc(contexts->count + 1, sizeof *callers); /* plus 1 */
    bool *is_there = calloc(contexts->count + 1, sizeof *is_there);
    FUZZ_CHECK(callers != NULL && is_there != NULL);
    for (size_t i = 0; i < contexts->count; i++) {
        uint32_t number = contexts->order[i];
        FUZZ_CHECK(number < contexts->count && !is_there[number]);
        is_there[number] = true;
        for (uint32_t k = contexts->items[number].first_child; k != NONE; k = contexts->items[k].next_sibling) {
            FUZZ_CHECK(k < contexts->count && k > number && callers[k] == 0);
            callers[k] = number + 1;
        }
    }
    for (size_t i = 0; i < contexts->count; i++) {
        FUZZ_CHECK(contexts->items[i].function < profile->function_count);
        FUZZ_CHECK(contexts->items[i].parent == (callers[i] == 0 ? NONE : callers[i] - 1));
    }
    free(callers);
    free(is_there);
}

/* Costs so large that sums of them may have stayed at the limit. */
static bool is_huge(cost_t cost)
{
    return cost > INT64_MAX / 1000000 || cost < INT64_MIN / 1000000;
}

/* Has the input a number of so many digits? Such costs may stay at the limit before others take away from them. */
static bool has_long_number(const struct fuzz_input *input)
{
    size_t digits = 0;
    for (size_t i = 0; i < input->size && digits < 13; i++)
        digits = input->data[i] >= '0' && input->data[i] <= '9' ? digits + 1 : 0;
    return digits == 13;
}

/* Contexts form a tree, and add up to the self costs of their functions, unless these need not be exact. */
static void check_contexts(const struct contexts *contexts, const struct profile *profile, bool is_exact)
{
    cost_t *self = calloc(profile->function_count + 1, sizeof *self);
    FUZZ_CHECK(self != NULL);
    for (size_t i = 0; i < contexts->count; i++) {
        const struct context *c = &contexts->items[i];
        FUZZ_CHECK(c->parent == NONE || c->parent < i);
        FUZZ_CHECK(c->calls > 0 && c->function < profile->function_count);
        is_exact &= !is_huge(c->inclusive) && !is_huge(c->self);
        cost_add(&self[c->function], c->self);
    }
    for (size_t i = 0; i < profile->function_count; i++)
        is_exact &= !is_huge(profile->functions[i].self);
    for (size_t i = 0; is_exact && i < profile->function_count; i++)
        FUZZ_CHECK(self[i] == profile->functions[i].self);
    free(self);
}

static void list_event(void *user, const struct cg2wg_event *event)
{
    unsigned *count = user;
    FUZZ_CHECK(event->name != NULL);
    ++*count;
}

struct conversion {
    const char *path;
    const struct cg2wg_options *options;
    size_t block;
    bool is_exact; /* none of its costs is near the limit */
    struct diag *diag;
};

static void convert(void *of)
{
    const struct conversion *c = of;
    const struct cg2wg_options *options = c->options;
    struct profile profile = {.arc_count = 0};
    struct contexts contexts = {.are_invocations = options->format == 4};
    struct source source;
    struct lines lines;
    struct frontend_options given = {.given = options, .is_given = options->event != NULL};
    given.event = options->event != NULL ? text_of_string(options->event) : text_of("", 0);
    names_init(&profile.names);
    source_open(&source, c->path, false, c->diag);
    lines_init(&lines, &source, c->block);
    struct matcher proxies = {.capacity = 0};
    for (size_t i = 0; i < options->proxy_count; i++)
        matcher_add(&proxies, options->proxies[i], i);
    struct builder builder = {.profile = &profile,
                              .contexts = &contexts,
                              .wants_outermost = options->inclusive == CG2WG_INCLUSIVE_OUTERMOST,
                              .diag = c->diag,
                              .proxies = {.names = &proxies, .name_count = options->proxy_count}};
    callgrind_frontend.read(&lines, &builder, &given);
    check_profile(&profile);
    if (builder.contexts != NULL && contexts.are_invocations)
        check_invocations(&contexts, &profile);
    else if (builder.contexts != NULL)
        check_contexts(&contexts, &profile, c->is_exact);
    lines_free(&lines); /* before these leave the frame: the end of the task would release them */
    source_close(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    struct fuzz_messages messages = {0};
    struct cg2wg_options options = fuzz_options(&input);
    const char *path = fuzz_path("profile");
    unsigned events = 0;
    /* Decoders are the matter of another target, and of other programs. */
    if (input.size > 0 && memchr("\x1f\x28\xfd" "B", input.data[0], 4) != NULL)
        return -1;
    write_file(path, input.data, input.size);
    options.report = fuzz_report;
    options.user = &messages;
    struct diag diag = {
        .report = fuzz_report, .user = &messages, .strict = options.strict, .input = path};
    struct conversion conversion = {path, &options, input.block, !has_long_number(&input), &diag};
    task_run(convert, &conversion);
    FUZZ_CHECK(messages.errors <= 1);
    cg2wg_list_events(path, &options, list_event, &events);
    fuzz_messages_free(&messages);
    return 0;
}

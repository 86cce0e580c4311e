/*
 * The callgrind front end, with everything between it and a profile: name compression, events,
 * proxies, the tree, outermost costs. Its result for any bytes must be a consistent profile.
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
        FUZZ_CHECK(profile_find_function(profile, (enum identity)f->identity, f->object, f->file,
                                         f->name) == i);
    }
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[i];
        FUZZ_CHECK(arc->caller < profile->function_count && arc->callee < profile->function_count);
        FUZZ_CHECK(profile_find_arc(profile, arc->caller, arc->callee, arc->line) == i);
    }
    for (size_t i = 0; i < profile->header_count; i++)
        FUZZ_CHECK(profile->headers[i].text < names);
}

/* Each invocation and each call belongs to another, which is there and knows of it. */
static void check_tree(const struct tree *tree, const struct profile *profile)
{
    for (uint32_t i = 0; i < tree->invocation_count; i++) {
        const struct invocation *v = &tree->invocations[i];
        FUZZ_CHECK(v->function < profile->function_count);
        if (v->call != NONE)
            FUZZ_CHECK(v->call < tree->call_count && tree->calls[v->call].callee == i);
        FUZZ_CHECK(v->first_call <= tree->call_count);
    }
    for (size_t i = 0; i < tree->call_count; i++) {
        FUZZ_CHECK(tree->calls[i].callee < tree->invocation_count);
        FUZZ_CHECK(tree->invocations[tree->calls[i].callee].call == i);
    }
}

/* Costs so large that sums of them may have stayed at the limit. */
static bool is_huge(cost_t cost)
{
    return cost > INT64_MAX / 1000000 || cost < INT64_MIN / 1000000;
}

/* The contexts of a tree of invocations, which another part of the program has tied. */
static struct contexts contexts_of_tree(const struct tree *tree)
{
    struct contexts contexts = {0};
    uint32_t *caller_of = calloc(tree->invocation_count + 1, sizeof *caller_of);
    uint32_t *context_of = calloc(tree->invocation_count + 1, sizeof *context_of);
    FUZZ_CHECK(caller_of != NULL && context_of != NULL);
    for (uint32_t i = 0; i < tree->invocation_count; i++)
        caller_of[i] = NONE;
    for (uint32_t i = 0; i < tree->invocation_count; i++)
        for (uint32_t call = tree->invocations[i].first_call; call < tree_calls_end(tree, i); call++)
            caller_of[tree->calls[call].callee] = i;
    /* Callers come later, except for those of records that are missing, which call nothing. */
    for (uint32_t i = (uint32_t)tree->invocation_count; i-- > 0;) {
        const struct invocation *v = &tree->invocations[i];
        if (v->self == TREE_MISSING)
            continue;
        FUZZ_CHECK(caller_of[i] == NONE || caller_of[i] > i);
        uint32_t parent = caller_of[i] == NONE ? NONE : context_of[caller_of[i]];
        context_of[i] = contexts_child(&contexts, parent, v->function);
        contexts.items[context_of[i]].calls++;
        cost_add(&contexts.items[context_of[i]].self, v->self);
    }
    free(caller_of);
    free(context_of);
    return contexts;
}

static void compare_with_tree(const struct contexts *contexts, const struct tree *tree, bool is_exact)
{
    struct contexts expected = contexts_of_tree(tree);
    uint32_t *numbers = calloc(contexts->count + 1, sizeof *numbers);
    FUZZ_CHECK(numbers != NULL && contexts->count == expected.count);
    for (size_t i = 0; i < contexts->count; i++) {
        const struct context *c = &contexts->items[i];
        uint32_t parent = c->parent == NONE ? NONE : numbers[c->parent];
        numbers[i] = contexts_child(&expected, parent, c->function);
        FUZZ_CHECK(contexts->count == expected.count);
        FUZZ_CHECK(c->calls == expected.items[numbers[i]].calls);
        FUZZ_CHECK(!is_exact || c->self == expected.items[numbers[i]].self);
    }
    contexts_free(&expected);
    free(numbers);
}

/* Contexts form a tree, and add up to the self costs of their functions. */
static void check_contexts(const struct contexts *contexts, const struct profile *profile,
                           const struct tree *tree)
{
    cost_t *self = calloc(profile->function_count + 1, sizeof *self);
    bool is_exact = true;
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
    if (tree != NULL)
        compare_with_tree(contexts, tree, is_exact);
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
    struct diag *diag;
};

static void convert(void *of)
{
    const struct conversion *c = of;
    const struct cg2wg_options *options = c->options;
    struct profile profile;
    struct tree tree = {0};
    struct contexts contexts = {0};
    struct source source;
    struct lines lines;
    struct frontend_options given = {.identity = options->identity,
                                     .records = options->records,
                                     .event_is_chosen = options->event != NULL};
    given.event = options->event != NULL ? text_of_string(options->event) : text_of("", 0);
    profile_init(&profile);
    source_open(&source, c->path, false, c->diag);
    lines_init(&lines, &source, c->block);
    struct builder builder = {.profile = &profile,
                              .tree = options->format == 4 ? &tree : NULL,
                              .contexts = &contexts,
                              .wants_outermost = options->inclusive == CG2WG_INCLUSIVE_OUTERMOST,
                              .diag = c->diag,
                              .proxies = {.names = options->proxies, .name_count = options->proxy_count}};
    callgrind_frontend.read(&lines, &builder, c->diag, &given);
    check_profile(&profile);
    if (builder.tree != NULL)
        check_tree(&tree, &profile);
    if (builder.contexts != NULL)
        check_contexts(&contexts, &profile, builder.tree);
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
    fuzz_write(path, input.data, input.size);
    options.report = fuzz_report;
    options.user = &messages;
    struct diag diag = {
        .report = fuzz_report, .user = &messages, .strict = options.strict, .input = path};
    struct conversion conversion = {path, &options, input.block, &diag};
    run_work(convert, &conversion);
    FUZZ_CHECK(messages.errors <= 1);
    cg2wg_list_events(path, &options, list_event, &events);
    fuzz_messages_free(&messages);
    return 0;
}

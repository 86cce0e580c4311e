#include "frontends/preprocessed_contexts.h"

#include <stdlib.h>

/* Invocations are numbered over all functions. */
struct invocations {
    const struct preprocessed *p;
    const uint32_t *functions; /* by function of the file: its number in the profile */
    uint32_t *first;           /* by function: the number of its first invocation */
    uint32_t *context_of;      /* by invocation; or one of the following */
    struct invocation_place *path;        /* from an invocation up to its root */
    struct contexts contexts;
};

#define CONTEXT_UNKNOWN UINT32_MAX
#define CONTEXT_AWAITED (UINT32_MAX - 1) /* its invocation is in the path */

/* An invocation. */
struct invocation_place {
    uint32_t function, number;
};

static uint32_t *context_at(const struct invocations *x, struct invocation_place at)
{
    return &x->context_of[x->first[at.function] + at.number];
}

static struct preprocessed_invocation invocation_at(const struct invocations *x, struct invocation_place at)
{
    struct preprocessed_function f = preprocessed_function(x->p, at.function);
    return preprocessed_invocation(x->p, f.invocations_at, at.number);
}

/* They are fewer than 2^32, because addresses of a file have 32 bits. */
static bool number_invocations(struct invocations *x)
{
    size_t count = 0;
    x->first = calloc((size_t)x->p->function_count + 1, sizeof *x->first);
    for (uint32_t i = 0; x->first != NULL && i < x->p->function_count; i++) {
        x->first[i] = (uint32_t)count;
        count += preprocessed_function(x->p, i).invocations;
    }
    x->context_of = calloc(count + 1, sizeof *x->context_of);
    x->path = calloc(count + 1, sizeof *x->path);
    if (x->first == NULL || x->context_of == NULL || x->path == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        x->context_of[i] = CONTEXT_UNKNOWN;
    return true;
}

/* Does everything that an invocation called say so? If not, another one may have called it, too. */
static bool calls_agree(const struct invocations *x, struct invocation_place at)
{
    struct preprocessed_invocation v = invocation_at(x, at);
    for (uint32_t i = 0; i < v.sub_call_count; i++) {
        struct preprocessed_sub_call call = preprocessed_sub_call(x->p, v.sub_calls_at, i);
        struct preprocessed_invocation callee =
            invocation_at(x, (struct invocation_place){call.function, call.invocation});
        if (callee.caller != at.function || callee.caller_invocation != at.number)
            return false;
    }
    return true;
}

/* Finds the context of an invocation, and those of its callers, the outermost one first. */
static bool find_context(struct invocations *x, struct invocation_place at, struct diag *diag)
{
    size_t depth = 0;
    uint32_t parent = INDEX_NONE;
    while (*context_at(x, at) == CONTEXT_UNKNOWN) {
        struct preprocessed_invocation v = invocation_at(x, at);
        *context_at(x, at) = CONTEXT_AWAITED;
        x->path[depth++] = at;
        parent = INDEX_NONE;
        if (v.caller == PREPROCESSED_NOBODY)
            break;
        at = (struct invocation_place){v.caller, v.caller_invocation};
        parent = *context_at(x, at);
    }
    if (parent == CONTEXT_AWAITED)
        return diag_error(diag, 0, "function %lu: found an invocation that runs inside itself, expected "
                          "it below one that nobody called", (unsigned long)at.function);
    while (depth-- > 0) {
        at = x->path[depth];
        if (!contexts_child(&x->contexts, parent, x->functions[at.function], &parent))
            return diag_no_memory(diag);
        *context_at(x, at) = parent;
    }
    return true;
}

static void book(struct invocations *x, struct invocation_place at)
{
    struct preprocessed_invocation v = invocation_at(x, at);
    uint32_t number = *context_at(x, at);
    if (number >= x->contexts.count)
        return; /* never, because it has been found; but analyzers cannot know that */
    struct context *context = &x->contexts.items[number];
    count_add(&context->calls, 1);
    cost_add(&context->self, v.self);
    cost_add(&context->inclusive, v.inclusive);
}

static bool make(struct invocations *x, struct builder *builder)
{
    if (!number_invocations(x))
        return diag_no_memory(builder->diag);
    for (uint32_t f = 0; f < x->p->function_count; f++) {
        uint32_t count = preprocessed_function(x->p, f).invocations;
        for (uint32_t i = 0; i < count; i++) {
            struct invocation_place at = {f, i};
            if (!calls_agree(x, at))
                return builder_has_no_contexts(builder);
            if (!find_context(x, at, builder->diag))
                return false;
            book(x, at);
        }
    }
    contexts_link(&x->contexts);
    builder_take_contexts(builder, &x->contexts);
    return true;
}

bool preprocessed_contexts(const struct preprocessed *p, const uint32_t *functions,
                           struct builder *builder)
{
    struct invocations x = {.p = p, .functions = functions};
    bool done = make(&x, builder);
    contexts_free(&x.contexts);
    free(x.first);
    free(x.context_of);
    free(x.path);
    return done;
}

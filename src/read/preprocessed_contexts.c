#include "read/preprocessed_contexts.h"

#include "util/run.h"

#include <stdlib.h>

/* Invocations are numbered over all functions. */
struct invocations {
    const struct preprocessed *p;
    const uint32_t *functions; /* by function of the file: its number in the profile */
    uint32_t *first;           /* by function: the number of its first invocation; and after the last: `count` */
    struct invocation_place {
        uint32_t function;
        uint32_t context; /* or one of the following */
        uint32_t awaiting; /* with CONTEXT_AWAITED: the invocation that waits for this one, or NONE */
    } *places; /* by invocation */
    uint32_t count;
    struct contexts contexts;
};

#define CONTEXT_UNKNOWN UINT32_MAX
#define CONTEXT_AWAITED (UINT32_MAX - 1)

static struct preprocessed_invocation invocation_at(const struct invocations *x, uint32_t number)
{
    uint32_t function = x->places[number].function;
    struct preprocessed_function f = preprocessed_function(x->p, function);
    return preprocessed_invocation(x->p, f.invocations_at, number - x->first[function]);
}

/* The invocation that called this one, or NONE. */
static uint32_t caller_of(const struct invocations *x, uint32_t number)
{
    struct preprocessed_invocation v = invocation_at(x, number);
    return v.caller == NONE ? NONE : x->first[v.caller] + v.caller_invocation;
}

/* They are fewer than 2^32, because addresses of a file have 32 bits. */
static void number_invocations(struct invocations *x)
{
    uint32_t functions = x->p->function_count;
    x->first = memory_zeroed((size_t)functions + 1, sizeof *x->first);
    for (uint32_t f = 0; f < functions; f++)
        x->first[f + 1] = x->first[f] + preprocessed_function(x->p, f).invocations;
    x->count = x->first[functions];
    x->places = memory_zeroed((size_t)x->count + 1, sizeof *x->places);
    for (uint32_t f = 0; f < functions; f++)
        for (uint32_t i = x->first[f]; i < x->first[f + 1]; i++)
            x->places[i] = (struct invocation_place){f, CONTEXT_UNKNOWN, NONE};
}

/* Does everything that an invocation called say so? If not, another one may have called it, too. */
static bool calls_agree(const struct invocations *x, uint32_t number)
{
    struct preprocessed_invocation v = invocation_at(x, number);
    for (uint32_t i = 0; i < v.sub_call_count; i++) {
        struct preprocessed_sub_call call = preprocessed_sub_call(x->p, v.sub_calls_at, i);
        if (caller_of(x, x->first[call.function] + call.invocation) != number)
            return false;
    }
    return true;
}

/* Finds the context of an invocation, and those of its callers, the outermost one first. */
static void find_context(struct invocations *x, uint32_t number, struct diag *diag)
{
    uint32_t last = NONE, parent = NONE;
    while (number != NONE && x->places[number].context == CONTEXT_UNKNOWN) {
        x->places[number].context = CONTEXT_AWAITED;
        x->places[number].awaiting = last;
        last = number;
        number = caller_of(x, number);
    }
    if (number != NONE)
        parent = x->places[number].context;
    if (parent == CONTEXT_AWAITED)
        diag_error(diag, 0, "function %lu: found an invocation that runs inside itself, expected "
                   "it below one that nobody called", (unsigned long)x->places[number].function);
    for (; last != NONE; last = x->places[last].awaiting) {
        parent = contexts_child(&x->contexts, parent, x->functions[x->places[last].function]);
        x->places[last].context = parent;
    }
}

static void book(struct invocations *x, uint32_t number)
{
    struct preprocessed_invocation v = invocation_at(x, number);
    uint32_t of = x->places[number].context;
    if (of >= x->contexts.count)
        return; /* never, because it has been found; but analyzers cannot know that */
    struct context *context = &x->contexts.items[of];
    count_add(&context->calls, 1);
    cost_add(&context->self, v.self);
    cost_add(&context->inclusive, v.inclusive);
}

void preprocessed_contexts(const struct preprocessed *p, const uint32_t *functions, struct builder *builder)
{
    struct invocations x = {.p = p, .functions = functions};
    bool agree = true;
    number_invocations(&x);
    for (uint32_t i = 0; i < x.count && (agree = calls_agree(&x, i)); i++) {
        find_context(&x, i, builder->diag);
        book(&x, i);
    }
    if (agree) {
        contexts_link(&x.contexts);
        builder_take_contexts(builder, &x.contexts);
    } else {
        builder_has_no_contexts(builder);
    }
    memory_free(x.first);
    memory_free(x.places);
}

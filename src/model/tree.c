#include "model/tree.h"

#include "util/run.h"

#include <stdlib.h>

/* A function's unclaimed invocations: a list linked by `number`, the newest first. */
struct untied {
    uint32_t newest;
    uint32_t run; /* the list is empty if this is not the tree's run, or `newest` is NONE */
};

void tree_free(struct tree *tree)
{
    memory_free(tree->invocations);
    memory_free(tree->calls);
    memory_free(tree->inclusive);
    memory_free(tree->untied);
    *tree = (struct tree){0};
}

/* Appends an invocation, whose calls begin with this one. */
HOT void append(struct tree *tree, uint32_t function, cost_t self, uint32_t first_call)
{
    struct invocation added = {
        .function = function, .self = self, .first_call = first_call, .call = NONE};
    if (tree->invocation_count == NONE)
        run_out_of_memory();
    array_append(&tree->invocations, &tree->invocation_count, &tree->invocation_capacity, &added,
                        sizeof added);
}

HOT void push_untied(struct tree *tree, uint32_t invocation)
{
    uint32_t function = tree->invocations[invocation].function;
    array_reach(&tree->untied, &tree->untied_capacity, (size_t)function + 1,
                     sizeof *tree->untied, 0xff);
    struct untied *list = &tree->untied[function];
    tree->invocations[invocation].number = list->run == tree->run ? list->newest : NONE;
    *list = (struct untied){invocation, tree->run};
}

/* Takes the newest unclaimed invocation of `function`, or NONE. */
HOT uint32_t pop_untied(struct tree *tree, uint32_t function)
{
    if (function >= tree->untied_capacity || tree->untied[function].run != tree->run)
        return NONE;
    uint32_t invocation = tree->untied[function].newest;
    if (invocation != NONE)
        tree->untied[function].newest = tree->invocations[invocation].number;
    return invocation;
}

/* Reverses the order of the invocations from `first` on. */
static void reverse_from(struct tree *tree, uint32_t first)
{
    for (uint32_t a = first, b = (uint32_t)tree->invocation_count; a + 1 < b; a++) {
        struct invocation other = tree->invocations[--b];
        tree->invocations[b] = tree->invocations[a];
        tree->invocations[a] = other;
    }
    for (uint32_t i = first; i < tree->invocation_count; i++)
        tree->calls[tree->invocations[i].call].callee = i;
}

/* Replaces a call of a proxy, if that made one call, by that call. */
static void step_over_proxy(struct tree *tree, struct tree_call *call)
{
    struct invocation *proxy = &tree->invocations[call->callee];
    if (tree_calls_end(tree, call->callee) != proxy->first_call + 1)
        return;
    struct tree_call *made = &tree->calls[proxy->first_call];
    proxy->call = NONE;
    *call = *made;
    made->callee = NONE;
    tree->has_gaps = true;
}

/* The last call gets the newest invocation, so missing ones are made in reverse order. */
void tree_end(struct tree *tree, const struct profile *profile, uint32_t function, cost_t self)
{
    uint32_t ended = (uint32_t)tree->invocation_count, first_missing = ended + 1;
    append(tree, function, tree_known(self), tree->first_call);
    for (uint32_t i = (uint32_t)tree->call_count; i-- > tree->first_call;) {
        struct tree_call *call = &tree->calls[i];
        uint32_t callee = call->callee;
        call->callee = pop_untied(tree, callee);
        if (UNLIKELY(call->callee == NONE)) {
            call->callee = (uint32_t)tree->invocation_count;
            append(tree, callee, TREE_MISSING, (uint32_t)tree->call_count);
        } else if (UNLIKELY((profile->functions[callee].flags & FUNCTION_IS_PROXY) != 0)) {
            step_over_proxy(tree, call);
        }
        tree->invocations[call->callee].call = i;
    }
    reverse_from(tree, first_missing);
    tree->first_call = (uint32_t)tree->call_count;
    push_untied(tree, ended);
}

void tree_finish(struct tree *tree)
{
    if (!tree->has_gaps)
        return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < tree->invocation_count; i++) {
        uint32_t end = tree_calls_end(tree, i), call = tree->invocations[i].first_call;
        tree->invocations[i].first_call = kept;
        for (; call < end; call++) {
            if (tree->calls[call].callee == NONE)
                continue;
            tree->invocations[tree->calls[call].callee].call = kept;
            tree->calls[kept++] = tree->calls[call];
        }
    }
    tree->call_count = kept;
    tree->has_gaps = false;
}

void tree_number(struct tree *tree, uint32_t *counts)
{
    for (uint32_t i = 0; i < tree->invocation_count; i++)
        tree->invocations[i].number = counts[tree->invocations[i].function]++;
}

static uint32_t shifted(uint32_t number, size_t by)
{
    return number == NONE ? NONE : number + (uint32_t)by;
}

/* Makes room in tree->inclusive for this many invocations; existing ones keep their costs. */
static void reserve_inclusive(struct tree *tree, size_t count)
{
    cost_t *inclusive = tree->inclusive;
    array_reserve(&inclusive, &tree->inclusive_capacity, count, sizeof *inclusive);
    if (tree->inclusive == NULL)
        for (uint32_t i = 0; i < tree->invocation_count; i++)
            inclusive[i] = tree_inclusive(tree, i);
    tree->inclusive = inclusive;
}

void tree_add(struct tree *tree, uint32_t function, cost_t self, cost_t inclusive)
{
    reserve_inclusive(tree, tree->invocation_count + 1);
    append(tree, function, tree_known(self), (uint32_t)tree->call_count);
    tree->inclusive[tree->invocation_count - 1] = inclusive;
}

void tree_append(struct tree *tree, const struct tree *other, const uint32_t *renumbered)
{
    size_t first = tree->invocation_count, first_call = tree->call_count;
    bool has_inclusive = tree->inclusive != NULL || other->inclusive != NULL;
    if (other->invocation_count >= NONE - first || other->call_count >= NONE - first_call)
        run_out_of_memory();
    array_reserve(&tree->invocations, &tree->invocation_capacity, first + other->invocation_count,
                  sizeof *tree->invocations);
    array_reserve(&tree->calls, &tree->call_capacity, first_call + other->call_count, sizeof *tree->calls);
    if (has_inclusive)
        reserve_inclusive(tree, first + other->invocation_count);
    for (uint32_t i = 0; i < other->invocation_count; i++) {
        struct invocation v = other->invocations[i];
        v.function = renumbered[v.function];
        v.first_call += (uint32_t)first_call;
        v.call = shifted(v.call, first_call);
        tree->invocations[tree->invocation_count++] = v;
        if (has_inclusive)
            tree->inclusive[first + i] = tree_inclusive(other, i);
    }
    for (size_t i = 0; i < other->call_count; i++) {
        struct tree_call call = other->calls[i];
        call.callee = shifted(call.callee, first);
        tree->calls[tree->call_count++] = call;
    }
}

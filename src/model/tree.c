#include "model/tree.h"

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

/* The last call gets the newest invocation. Those that are missing are then made in the order of the calls. */
void tree_end(struct tree *tree, const struct profile *profile, uint32_t function, cost_t self)
{
    uint32_t ended = (uint32_t)tree->invocation_count, call_count = (uint32_t)tree->call_count;
    bool lacks_some = false;
    tree_add(tree, function, tree_known(self), tree->first_call);
    for (uint32_t i = call_count; i-- > tree->first_call;) {
        struct tree_call *call = &tree->calls[i];
        uint32_t callee = call->callee;
        struct untied *list = callee < tree->untied_capacity ? &tree->untied[callee] : NULL;
        if (UNLIKELY(list == NULL || list->run != tree->run || list->newest == NONE)) {
            lacks_some = true;
            continue;
        }
        call->callee = list->newest;
        list->newest = tree->invocations[list->newest].number;
        if (UNLIKELY((profile->functions[callee].flags & FUNCTION_IS_PROXY) != 0))
            step_over_proxy(tree, call);
        tree->invocations[call->callee].call = i;
    }
    for (uint32_t i = tree->first_call; UNLIKELY(lacks_some) && i < call_count; i++) {
        uint32_t callee = tree->calls[i].callee; /* still a function, unless it is an invocation with this call */
        if (callee < ended && tree->invocations[callee].call == i)
            continue;
        tree->calls[i].callee = (uint32_t)tree->invocation_count;
        tree_add(tree, callee, TREE_MISSING, call_count);
        tree->invocations[tree->calls[i].callee].call = i;
    }
    tree->first_call = call_count;
    array_reach(&tree->untied, &tree->untied_capacity, (size_t)function + 1, sizeof *tree->untied, 0xff);
    struct untied *list = &tree->untied[function];
    tree->invocations[ended].number = list->run == tree->run ? list->newest : NONE;
    *list = (struct untied){ended, tree->run};
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

void tree_append(struct tree *tree, const struct tree *other, const uint32_t *renumbered)
{
    uint32_t first = (uint32_t)tree->invocation_count, first_call = (uint32_t)tree->call_count;
    size_t count = first + other->invocation_count, call_count = first_call + other->call_count;
    cost_t *inclusive = tree->inclusive;
    if (count >= NONE || call_count >= NONE)
        run_out_of_memory();
    if (inclusive != NULL || other->inclusive != NULL)
        array_reserve(&inclusive, &tree->inclusive_capacity, count, sizeof *inclusive);
    for (uint32_t i = tree->inclusive != NULL ? first : 0; inclusive != NULL && i < count; i++)
        inclusive[i] = i < first ? tree_inclusive(tree, i) : tree_inclusive(other, i - first);
    tree->inclusive = inclusive;
    array_reserve(&tree->invocations, &tree->invocation_capacity, count, sizeof *tree->invocations);
    array_reserve(&tree->calls, &tree->call_capacity, call_count, sizeof *tree->calls);
    for (uint32_t i = 0; i < other->invocation_count; i++) {
        struct invocation v = other->invocations[i];
        v.function = renumbered[v.function];
        v.first_call += first_call;
        v.call = v.call == NONE ? NONE : v.call + first_call;
        tree->invocations[tree->invocation_count++] = v;
    }
    for (size_t i = 0; i < other->call_count; i++) {
        struct tree_call call = other->calls[i];
        call.callee += first;
        tree->calls[tree->call_count++] = call;
    }
}

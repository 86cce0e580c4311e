#include "model/contexts.h"

#include <stddef.h>

void contexts_free(struct contexts *contexts)
{
    memory_free(contexts->items);
    index_free(&contexts->index);
    *contexts = (struct contexts){0};
}

void contexts_add(struct contexts *contexts, struct context context)
{
    context.first_child = context.next_sibling = context.arc = NONE;
    if (contexts->count == NONE)
        run_out_of_memory();
    array_append(&contexts->items, &contexts->count, &contexts->capacity, &context, sizeof context);
}

uint32_t contexts_child(struct contexts *contexts, uint32_t parent, uint32_t function)
{
    struct index *ix = &contexts->index;
    struct context added = {
        .function = function, .parent = parent, .first_child = NONE, .next_sibling = NONE, .arc = NONE};
    if (ix->slots == NULL)
        index_init(ix, NULL);
    uint32_t number = index_intern(ix, hash_numbers(&ix->seed, parent, function), &contexts->items,
                                   &contexts->capacity, &added, sizeof added, offsetof(struct context, calls));
    contexts->count = ix->used;
    return number;
}

/* Those that come first are linked last. */
void contexts_link(struct contexts *contexts)
{
    index_free(&contexts->index);
    contexts->first_root = NONE;
    for (uint32_t i = (uint32_t)contexts->count; i-- > 0;) {
        struct context *context = &contexts->items[i];
        uint32_t *first = context->parent == NONE ? &contexts->first_root
                                                        : &contexts->items[context->parent].first_child;
        context->next_sibling = *first;
        *first = i;
    }
}

/* The context after this one (NONE: the first) in a walk through linked ones, parents first; or NONE. */
static uint32_t next_context(const struct contexts *contexts, uint32_t i)
{
    const struct context *items = contexts->items;
    uint32_t next = i != NONE ? items[i].first_child : contexts->count > 0 ? contexts->first_root : NONE;
    for (; i != NONE && next == NONE; i = items[i].parent)
        next = items[i].next_sibling;
    return next;
}

/* A waiting proxy's context is a root; if its caller is known, what it called belongs to the caller. */
void contexts_from_records(struct contexts *contexts, const struct records *records, const struct profile *profile)
{
    struct reader reader; /* callers are contexts */
    const struct entry *call = &reader.entry;
    uint32_t function;
    cost_t inclusive;
    reader_init(&reader, records, profile->function_count);
    while (reader_take_record(&reader, &function, &inclusive)) {
        uint32_t caller = reader_take_call(&reader, function).caller;
        bool is_stepped_over = call->kind == ENTRY_WAITING && caller != NONE;
        cost_t self = inclusive;
        uint32_t number = contexts_child(contexts, is_stepped_over ? NONE : caller, function);
        for (; entry_is_call(call); reader_next(&reader)) {
            uint32_t target = entry_target(call, profile);
            if (call->kind != ENTRY_WAITING && __builtin_sub_overflow(self, call->cost, &self))
                self = call->cost < 0 ? INT64_MAX : INT64_MIN;
            else if (call->kind == ENTRY_WAITING && !is_stepped_over)
                cost_add(&inclusive, call->cost);
            if ((profile->functions[target].flags & FUNCTION_HAS_RECORD) != 0)
                reader_wait(&reader, target, (struct waiting_call){is_stepped_over ? caller : number, NONE});
        }
        struct context *context = &contexts->items[number];
        count_add(&context->calls, 1);
        cost_add(&context->self, self);
        cost_add(&context->inclusive, inclusive);
    }
    reader_free(&reader);
    contexts_link(contexts);
}

void contexts_make_arcs(struct contexts *contexts, struct profile *profile, bool is_outermost, bool is_sampled)
{
    struct context *items = contexts->items;
    /* How many contexts of each the walk is in. No more arcs than contexts are new; others have the first numbers. */
    uint32_t *open_arcs = memory_zeroed(profile->arc_count + contexts->count + 1, sizeof *open_arcs);
    uint32_t *open_functions = memory_zeroed(profile->function_count + 1, sizeof *open_functions);
    for (uint32_t i = next_context(contexts, NONE), next; i != NONE; i = next) {
        struct context *context = &items[i];
        struct function *f = &profile->functions[context->function];
        uint64_t samples = is_sampled ? context->calls : 0;
        cost_add(&f->self, is_sampled ? context->self : 0);
        if (open_functions[context->function]++ == 0 || !is_outermost) {
            cost_add(&f->inclusive, is_sampled ? context->inclusive : 0);
            count_add(&f->invocations, samples);
        }
        if (context->parent != NONE) {
            context->arc = profile_add_call(profile, items[context->parent].function, context->function, 0,
                                            context->calls - samples, 0);
            f->flags |= FUNCTION_IS_CALLED;
            if (open_arcs[context->arc]++ == 0 || !is_outermost) {
                count_add(&profile->arcs[context->arc].count, samples);
                cost_add(&profile->arcs[context->arc].cost, context->inclusive);
                cost_add(&f->call_cost, context->inclusive);
            }
        }
        next = next_context(contexts, i);
        uint32_t parent = next == NONE ? NONE : items[next].parent;
        for (uint32_t left = i; left != parent; left = items[left].parent) {
            open_functions[items[left].function]--;
            if (items[left].arc != NONE)
                open_arcs[items[left].arc]--;
        }
    }
    memory_free(open_arcs);
    memory_free(open_functions);
}

void contexts_make_tree(const struct contexts *contexts, struct tree *tree)
{
    const struct context *items = contexts->items;
    array_reserve(&tree->inclusive, &tree->inclusive_capacity, contexts->count + 1, sizeof *tree->inclusive);
    for (size_t i = 0; i < contexts->count; i++) {
        tree_add(tree, items[i].function, tree_known(items[i].self), (uint32_t)tree->call_count);
        tree->inclusive[i] = items[i].inclusive;
        for (uint32_t child = items[i].first_child; child != NONE; child = items[child].next_sibling)
            tree_call(tree, child, 0, items[child].inclusive);
    }
    for (uint32_t call = 0; call < tree->call_count; call++)
        tree->invocations[tree->calls[call].callee].call = call;
}

struct cg2wg_context *contexts_take_ordered(struct contexts *contexts)
{
    struct cg2wg_context *ordered = memory_zeroed(contexts->count + 1, sizeof *ordered);
    uint32_t *numbers = memory_zeroed(contexts->count + 1, sizeof *numbers), count = 0; /* new, by the old ones */
    for (uint32_t i = next_context(contexts, NONE); i != NONE; i = next_context(contexts, i)) {
        const struct context *c = &contexts->items[i];
        uint32_t parent = c->parent == NONE ? CG2WG_NO_CONTEXT : numbers[c->parent];
        numbers[i] = count;
        ordered[count++] = (struct cg2wg_context){c->function, parent, c->calls, c->self, c->inclusive};
    }
    memory_free(numbers);
    contexts_free(contexts);
    return ordered;
}

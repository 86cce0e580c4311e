#include "view/invocations.h"

#include "util/run.h"

static void make_room(struct invocations *all, size_t functions, size_t records, size_t calls)
{
    *all = (struct invocations){.records = memory_zeroed(records + 1, sizeof *all->records),
                                .first = memory_zeroed(functions + 1, sizeof *all->first),
                                .calls = memory_zeroed(calls + 1, sizeof *all->calls),
                                .call_costs = memory_zeroed(functions + 1, sizeof *all->call_costs)};
}

static void read_file(struct invocations *all, const struct preprocessed *p)
{
    size_t records = 0, calls = 0;
    for (uint32_t f = 0; f < p->function_count; f++) {
        struct preprocessed_function function = preprocessed_function(p, f);
        records += function.invocations;
        for (uint32_t i = 0; i < function.invocations; i++)
            calls += preprocessed_invocation(p, function.invocations_at, i).sub_call_count;
    }
    make_room(all, p->function_count, records, calls);
    records = calls = 0;
    for (uint32_t f = 0; f < p->function_count; f++) {
        struct preprocessed_function function = preprocessed_function(p, f);
        all->call_costs[f] = function.call_cost;
        for (uint32_t i = 0; i < function.invocations; i++) {
            struct preprocessed_invocation v = preprocessed_invocation(p, function.invocations_at, i);
            all->records[records++] = (struct invocation_record){
                v.self, v.inclusive, v.caller, v.caller_invocation, v.caller_line, v.caller_cost,
                (uint32_t)calls, v.sub_call_count};
            for (uint32_t k = 0; k < v.sub_call_count; k++) {
                struct preprocessed_call call = preprocessed_call(p, v.sub_calls_at, k);
                all->calls[calls++] = (struct invocation_call){call.function, call.invocation, call.line, call.cost};
            }
        }
        all->first[f + 1] = (uint32_t)records;
    }
}

static void read_tree(struct invocations *all, const struct tree *tree, size_t functions)
{
    make_room(all, functions, tree->invocation_count, tree->call_count);
    for (uint32_t i = 0; i < tree->invocation_count; i++)
        all->first[tree->invocations[i].function + 1]++;
    for (size_t f = 0; f < functions; f++)
        all->first[f + 1] += all->first[f];
    for (uint32_t i = 0; i < tree->invocation_count; i++) {
        const struct invocation *v = &tree->invocations[i];
        struct invocation_record *record = &all->records[all->first[v->function] + v->number];
        record->self = v->self == TREE_MISSING ? 0 : v->self;
        record->inclusive = tree_inclusive(tree, i);
        record->first_call = v->first_call;
        record->call_count = tree_calls_end(tree, i) - v->first_call;
        if (v->call == NONE)
            record->caller = NONE;
        for (uint32_t k = v->first_call; k < tree_calls_end(tree, i); k++) {
            const struct tree_call *call = &tree->calls[k];
            const struct invocation *callee = &tree->invocations[call->callee];
            struct invocation_record *called = &all->records[all->first[callee->function] + callee->number];
            all->calls[k] = (struct invocation_call){callee->function, callee->number, call->line, call->cost};
            called->caller = v->function;
            called->caller_invocation = v->number;
            called->caller_line = call->line;
            called->caller_cost = call->cost;
        }
    }
}

static void read_sums(struct invocations *all, const struct profile *profile, const struct arc_lists *lists)
{
    make_room(all, profile->function_count, profile->function_count, profile->arc_count);
    for (uint32_t f = 0; f < profile->function_count; f++) {
        const struct function *function = &profile->functions[f];
        uint32_t from = lists->called_from_start[f], to = lists->sub_calls_start[f];
        struct invocation_record *record = &all->records[f];
        *record = (struct invocation_record){.self = function->self, .inclusive = function->inclusive,
                                             .caller = NONE, .first_call = to,
                                             .call_count = lists->sub_calls_start[f + 1] - to};
        all->first[f + 1] = f + 1;
        for (uint32_t i = from; i < lists->called_from_start[f + 1]; i++) {
            const struct arc *arc = &profile->arcs[lists->called_from[i]];
            if (i == from)
                record->caller_line = arc->line;
            record->caller = i == from || arc->caller == record->caller ? arc->caller : NONE;
            if (record->caller == NONE)
                break;
            cost_add(&record->caller_cost, arc->cost);
        }
    }
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[lists->sub_calls[i]];
        all->calls[i] = (struct invocation_call){arc->callee, 0, arc->line, arc->cost};
    }
}

void invocations_init(struct invocations *all, const struct shown *shown, const struct arc_lists *lists)
{
    const struct profile *profile = &shown->profile;
    if (shown->is_file) {
        read_file(all, &shown->file);
        return;
    }
    if (shown->has_tree)
        read_tree(all, &shown->tree, profile->function_count);
    else
        read_sums(all, profile, lists);
    for (size_t f = 0; f < profile->function_count; f++)
        all->call_costs[f] = profile->functions[f].call_cost;
}

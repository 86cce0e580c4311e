#include "view/functions.h"

#include "util/run.h"

#include <inttypes.h>

/* Calls of a function, or in version 4 one of an invocation, which is numbered within its function. */
struct listed_call {
    uint32_t function, invocation, line; /* function NONE: there is no call */
    uint64_t count;
    int64_t cost;
};

static struct listed_call call_of_file(const struct listed *listed, size_t at, uint32_t number)
{
    struct preprocessed_call call = preprocessed_call(&listed->shown->file, at, number);
    return (struct listed_call){call.function, call.invocation, call.line, call.count, call.cost};
}

static void print_json_call(struct json *json, const char *key, struct listed_call call, unsigned version)
{
    json_begin(json, key, '{', " ");
    json_print(json, "function", "%" PRIu32, call.function);
    if (version == CG2WG_FORMAT_OLDEST)
        json_print(json, "invocation", "%" PRIu32, call.invocation);
    json_print(json, "line", "%" PRIu32, call.line);
    if (version > CG2WG_FORMAT_OLDEST)
        json_print(json, "count", "%" PRIu64, call.count);
    json_print(json, "cost", "%" PRId64, call.cost);
    json_end(json);
}

/* ---- versions 5 to 7 ---------------------------------------------------------------------- */

static void print_json_calls(const struct listed *listed, struct json *json, uint32_t f, bool is_from)
{
    const struct shown *shown = listed->shown;
    struct preprocessed_function function = {.line = 0};
    struct calls_list arcs = shown_calls(&listed->lists, f, is_from);
    if (shown->is_file)
        function = preprocessed_function(&shown->file, f);
    size_t at = is_from ? function.called_from_at : function.sub_calls_at;
    size_t listed_count = is_from ? function.called_from_count : function.sub_call_count;
    size_t count = shown->is_file ? listed_count : arcs.count;
    json_break(json, "\n     ");
    json_begin(json, is_from ? "called_from" : "sub_calls", '[', "\n      ");
    for (uint32_t i = 0; i < count; i++) {
        if (shown->is_file) {
            print_json_call(json, NULL, call_of_file(listed, at, i), shown->version);
        } else {
            const struct arc *arc = &shown->profile.arcs[arcs.arcs[i]];
            struct listed_call call = {is_from ? arc->caller : arc->callee, 0, arc->line, arc->count, arc->cost};
            print_json_call(json, NULL, call, shown->version);
        }
    }
    json_end(json);
}

/* ---- version 4 ---------------------------------------------------------------------------- */

struct record {
    int64_t self, inclusive;
    struct listed_call caller;
    size_t calls; /* an address in a file, or a number in the tree or a list of arcs */
    size_t call_count;
};

/* A function as one invocation. */
static struct record record_of_sums(const struct listed *listed, uint32_t f)
{
    const struct profile *profile = &listed->shown->profile;
    struct calls_list from = shown_calls(&listed->lists, f, true), to = shown_calls(&listed->lists, f, false);
    struct record record = {profile->functions[f].self, profile->functions[f].inclusive, {.function = NONE},
                            listed->lists.sub_calls_start[f], to.count};
    for (size_t i = 0; i < from.count; i++) {
        const struct arc *arc = &profile->arcs[from.arcs[i]];
        if (i > 0 && arc->caller != record.caller.function) {
            record.caller.function = NONE;
            break;
        }
        record.caller.function = arc->caller;
        record.caller.line = i == 0 ? arc->line : record.caller.line;
        cost_add(&record.caller.cost, arc->cost);
    }
    return record;
}

static struct record record_of_tree(const struct listed *listed, uint32_t number)
{
    const struct tree *tree = &listed->shown->tree;
    const struct invocation *v = &tree->invocations[number];
    struct record record = {v->self == TREE_MISSING ? 0 : v->self, tree_inclusive(tree, number), {.function = NONE},
                            v->first_call, tree_calls_end(tree, number) - v->first_call};
    if (v->call != NONE) {
        const struct tree_call *call = &tree->calls[v->call];
        const struct invocation *caller = &tree->invocations[listed->callers[number]];
        record.caller = (struct listed_call){caller->function, caller->number, call->line, 1, call->cost};
    }
    return record;
}

static struct record record_of_file(const struct listed *listed, const struct preprocessed_function *f, uint32_t number)
{
    struct preprocessed_invocation v = preprocessed_invocation(&listed->shown->file, f->invocations_at, number);
    return (struct record){v.self, v.inclusive, {v.caller, v.caller_invocation, v.caller_line, 1, v.caller_cost},
                           v.sub_calls_at, v.sub_call_count};
}

static struct listed_call sub_call(const struct listed *listed, const struct record *record, uint32_t i)
{
    const struct shown *shown = listed->shown;
    if (shown->is_file)
        return call_of_file(listed, record->calls, i);
    if (shown->has_tree) {
        const struct tree_call *call = &shown->tree.calls[record->calls + i];
        const struct invocation *callee = &shown->tree.invocations[call->callee];
        return (struct listed_call){callee->function, callee->number, call->line, 1, call->cost};
    }
    const struct arc *arc = &shown->profile.arcs[listed->lists.sub_calls[record->calls + i]];
    return (struct listed_call){arc->callee, 0, arc->line, 1, arc->cost};
}

static void print_json_invocations(const struct listed *listed, struct json *json, uint32_t f)
{
    const struct shown *shown = listed->shown;
    const struct profile *profile = &shown->profile;
    struct preprocessed_function function = {.call_cost = 0};
    uint32_t count = shown->has_tree ? listed->first[f + 1] - listed->first[f] : 1;
    if (shown->is_file) {
        function = preprocessed_function(&shown->file, f);
        count = function.invocations;
    }
    json_print(json, "call_cost", "%" PRId64, shown->is_file ? function.call_cost : profile->functions[f].call_cost);
    json_break(json, "\n     ");
    json_begin(json, "invocation_records", '[', "\n      ");
    for (uint32_t i = 0; i < count; i++) {
        struct record record = shown->is_file    ? record_of_file(listed, &function, i)
                               : shown->has_tree ? record_of_tree(listed, listed->invocations[listed->first[f] + i])
                                                 : record_of_sums(listed, f);
        json_begin(json, NULL, '{', " ");
        json_print(json, "self", "%" PRId64, record.self);
        json_print(json, "inclusive", "%" PRId64, record.inclusive);
        if (record.caller.function == NONE)
            json_print(json, "called_from", "null");
        else
            print_json_call(json, "called_from", record.caller, shown->version);
        json_begin(json, "sub_calls", '[', "\n       ");
        for (uint32_t k = 0; k < record.call_count; k++)
            print_json_call(json, NULL, sub_call(listed, &record, k), shown->version);
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

/* ---- all ---------------------------------------------------------------------------------- */

void listed_init(struct listed *listed, const struct shown *shown)
{
    const struct profile *profile = &shown->profile;
    const struct tree *tree = &shown->tree;
    size_t functions = profile->function_count;
    *listed = (struct listed){.shown = shown};
    arc_lists_init(&listed->lists, profile->arcs, profile->arc_count, functions);
    if (!shown->has_tree)
        return;
    listed->invocations = memory_zeroed(tree->invocation_count + 1, sizeof(uint32_t));
    listed->callers = memory_zeroed(tree->invocation_count + 1, sizeof(uint32_t));
    listed->first = memory_zeroed(functions + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < tree->invocation_count; i++)
        listed->first[tree->invocations[i].function + 1]++;
    for (size_t f = 0; f < functions; f++)
        listed->first[f + 1] += listed->first[f];
    for (uint32_t i = 0; i < tree->invocation_count; i++) {
        const struct invocation *v = &tree->invocations[i];
        listed->invocations[listed->first[v->function] + v->number] = i;
        for (uint32_t k = v->first_call; k < tree_calls_end(tree, i); k++)
            listed->callers[tree->calls[k].callee] = i;
    }
}

void listed_print_json(const struct listed *listed, struct json *json, uint32_t function)
{
    if (listed->shown->version == CG2WG_FORMAT_OLDEST) {
        print_json_invocations(listed, json, function);
        return;
    }
    print_json_calls(listed, json, function, true);
    if (listed->shown->version >= 6)
        print_json_calls(listed, json, function, false);
}

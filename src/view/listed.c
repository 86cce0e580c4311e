#include "view/functions.h"

#include "util/run.h"

/* A call of an invocation, which is numbered within its function. */
struct listed_call {
    uint32_t function, invocation, line; /* function NONE: there is no call */
    int64_t cost;
};

/* An invocation of version 4. */
struct record {
    int64_t self, inclusive;
    struct listed_call caller;
    size_t calls, call_count; /* where its calls begin: see call_at */
};

/* Call `number` of a list that begins at an address of a file, in the tree, or among the arcs of callees. */
static struct listed_call call_at(const struct listed *listed, size_t start, uint32_t number)
{
    const struct shown *shown = listed->shown;
    if (shown->is_file) {
        struct preprocessed_call call = preprocessed_call(&shown->file, start, number);
        return (struct listed_call){call.function, call.invocation, call.line, call.cost};
    }
    if (shown->has_tree) {
        const struct tree_call *call = &shown->tree.calls[start + number];
        const struct invocation *callee = &shown->tree.invocations[call->callee];
        return (struct listed_call){callee->function, callee->number, call->line, call->cost};
    }
    const struct arc *arc = &shown->profile.arcs[listed->calls->lists.sub_calls[start + number]];
    return (struct listed_call){arc->callee, 0, arc->line, arc->cost};
}

static void print_json_call(const struct listed *listed, struct json *json, const char *key, struct listed_call call)
{
    listed->calls->is_referred[call.function] = true;
    json_begin(json, key, '{', " ");
    value_print_json(json, "function", value_count(call.function));
    value_print_json(json, "invocation", value_count(call.invocation));
    value_print_json(json, "line", value_count(call.line));
    value_print_json(json, "cost", value_cost(call.cost));
    json_end(json);
}

/* ---- invocations -------------------------------------------------------------------------- */

/* A function as one invocation. */
static struct record record_of_sums(const struct listed *listed, uint32_t f)
{
    const struct function *function = &listed->shown->profile.functions[f];
    const struct arc_lists *lists = &listed->calls->lists;
    struct calls_list from = shown_calls(lists, f, true), to = shown_calls(lists, f, false);
    struct record record = {function->self, function->inclusive, {.function = NONE}, to.start, to.count};
    for (uint32_t i = 0; i < from.count; i++) {
        const struct arc *arc = &listed->shown->profile.arcs[from.arcs[i]];
        if (i == 0) {
            record.caller = (struct listed_call){arc->caller, 0, arc->line, arc->cost};
        } else if (arc->caller == record.caller.function) {
            cost_add(&record.caller.cost, arc->cost);
        } else {
            record.caller.function = NONE;
            break;
        }
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
        const struct invocation *caller = &tree->invocations[listed->callers[number]];
        record.caller = call_at(listed, v->call, 0);
        record.caller.function = caller->function;
        record.caller.invocation = caller->number;
    }
    return record;
}

static struct record record_of_file(const struct listed *listed, const struct preprocessed_function *f, uint32_t number)
{
    struct preprocessed_invocation v = preprocessed_invocation(&listed->shown->file, f->invocations_at, number);
    return (struct record){v.self, v.inclusive, {v.caller, v.caller_invocation, v.caller_line, v.caller_cost},
                           v.sub_calls_at, v.sub_call_count};
}

void listed_print_json(const struct listed *listed, struct json *json, uint32_t f)
{
    const struct shown *shown = listed->shown;
    struct preprocessed_function function = {0};
    if (shown->is_file)
        function = preprocessed_function(&shown->file, f);
    value_print_json(json, "call_cost",
                     value_cost(shown->is_file ? function.call_cost : shown->profile.functions[f].call_cost));
    json_break(json, "\n     ");
    uint32_t count = shown->is_file    ? function.invocations
                     : shown->has_tree ? listed->first[f + 1] - listed->first[f]
                                       : 1;
    json_begin(json, "invocation_records", '[', "\n      ");
    for (uint32_t i = 0; i < count; i++) {
        struct record record = shown->is_file    ? record_of_file(listed, &function, i)
                               : shown->has_tree ? record_of_tree(listed, listed->invocations[listed->first[f] + i])
                                                 : record_of_sums(listed, f);
        json_begin(json, NULL, '{', " ");
        value_print_json(json, "self", value_cost(record.self));
        value_print_json(json, "inclusive", value_cost(record.inclusive));
        if (record.caller.function == NONE)
            json_print(json, "called_from", "null");
        else
            print_json_call(listed, json, "called_from", record.caller);
        json_begin(json, "sub_calls", '[', "\n       ");
        for (uint32_t k = 0; k < record.call_count; k++)
            print_json_call(listed, json, NULL, call_at(listed, record.calls, k));
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

void listed_init(struct listed *listed, const struct shown *shown, const struct calls *calls)
{
    const struct tree *tree = &shown->tree;
    size_t functions = shown->profile.function_count;
    *listed = (struct listed){.shown = shown, .calls = calls};
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

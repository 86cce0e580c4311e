#include "view/functions.h"

#include "util/run.h"

/* A call of a function, or in version 4 of an invocation, which is numbered within its function. */
struct listed_call {
    uint32_t function, invocation, line; /* function NONE: there is no call */
    uint64_t count;
    int64_t cost;
};

/* An invocation of version 4. */
struct record {
    int64_t self, inclusive;
    struct listed_call caller;
    size_t calls, call_count; /* where its calls begin: see call_at */
};

/* Call `number` of a list that begins at an address of a file, in the tree, or among arcs of callers or callees. */
static struct listed_call call_at(const struct listed *listed, bool is_from, size_t start, uint32_t number)
{
    const struct shown *shown = listed->shown;
    const struct arc_lists *lists = &listed->lists;
    if (shown->is_file) {
        struct preprocessed_call call = preprocessed_call(&shown->file, start, number);
        return (struct listed_call){call.function, call.invocation, call.line, call.count, call.cost};
    }
    if (shown->has_tree) {
        const struct tree_call *call = &shown->tree.calls[start + number];
        const struct invocation *callee = &shown->tree.invocations[call->callee];
        return (struct listed_call){callee->function, callee->number, call->line, 1, call->cost};
    }
    const struct arc *arc = &shown->profile.arcs[(is_from ? lists->called_from : lists->sub_calls)[start + number]];
    return (struct listed_call){is_from ? arc->caller : arc->callee, 0, arc->line, arc->count, arc->cost};
}

static void print_json_call(const struct listed *listed, struct json *json, const char *key, struct listed_call call)
{
    bool has_invocation = listed->shown->version == CG2WG_FORMAT_OLDEST;
    json_begin(json, key, '{', " ");
    value_print_json(json, "function", value_count(call.function));
    if (has_invocation)
        value_print_json(json, "invocation", value_count(call.invocation));
    value_print_json(json, "line", value_count(call.line));
    if (!has_invocation)
        value_print_json(json, "count", value_count(call.count));
    value_print_json(json, "cost", value_cost(call.cost));
    json_end(json);
}

static void print_json_calls(const struct listed *listed, struct json *json, bool is_from, size_t start, size_t count)
{
    bool has_invocations = listed->shown->version == CG2WG_FORMAT_OLDEST;
    json_begin(json, is_from ? "called_from" : "sub_calls", '[', has_invocations ? "\n       " : "\n      ");
    for (uint32_t i = 0; i < count; i++)
        print_json_call(listed, json, NULL, call_at(listed, is_from, start, i));
    json_end(json);
}

/* ---- invocations -------------------------------------------------------------------------- */

/* A function as one invocation. */
static struct record record_of_sums(const struct listed *listed, uint32_t f)
{
    const struct function *function = &listed->shown->profile.functions[f];
    struct calls_list from = shown_calls(&listed->lists, f, true), to = shown_calls(&listed->lists, f, false);
    struct record record = {function->self, function->inclusive, {.function = NONE}, to.start, to.count};
    for (uint32_t i = 0; i < from.count; i++) {
        struct listed_call call = call_at(listed, true, from.start, i);
        if (i == 0) {
            record.caller = call;
        } else if (call.function == record.caller.function) {
            cost_add(&record.caller.cost, call.cost);
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
        record.caller = call_at(listed, true, v->call, 0);
        record.caller.function = caller->function;
        record.caller.invocation = caller->number;
    }
    return record;
}

static struct record record_of_file(const struct listed *listed, const struct preprocessed_function *f, uint32_t number)
{
    struct preprocessed_invocation v = preprocessed_invocation(&listed->shown->file, f->invocations_at, number);
    return (struct record){v.self, v.inclusive, {v.caller, v.caller_invocation, v.caller_line, 1, v.caller_cost},
                           v.sub_calls_at, v.sub_call_count};
}

static void print_json_invocations(const struct listed *listed, struct json *json, uint32_t f,
                                   const struct preprocessed_function *function)
{
    const struct shown *shown = listed->shown;
    uint32_t count = shown->is_file    ? function->invocations
                     : shown->has_tree ? listed->first[f + 1] - listed->first[f]
                                       : 1;
    json_begin(json, "invocation_records", '[', "\n      ");
    for (uint32_t i = 0; i < count; i++) {
        struct record record = shown->is_file    ? record_of_file(listed, function, i)
                               : shown->has_tree ? record_of_tree(listed, listed->invocations[listed->first[f] + i])
                                                 : record_of_sums(listed, f);
        json_begin(json, NULL, '{', " ");
        value_print_json(json, "self", value_cost(record.self));
        value_print_json(json, "inclusive", value_cost(record.inclusive));
        if (record.caller.function == NONE)
            json_print(json, "called_from", "null");
        else
            print_json_call(listed, json, "called_from", record.caller);
        print_json_calls(listed, json, false, record.calls, record.call_count);
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

void listed_print_json(const struct listed *listed, struct json *json, uint32_t f)
{
    const struct shown *shown = listed->shown;
    struct calls_list from = shown_calls(&listed->lists, f, true), to = shown_calls(&listed->lists, f, false);
    struct preprocessed_function function = {.called_from_at = from.start, .called_from_count = (uint32_t)from.count,
                                             .sub_calls_at = to.start, .sub_call_count = (uint32_t)to.count};
    if (shown->is_file)
        function = preprocessed_function(&shown->file, f);
    if (shown->version == CG2WG_FORMAT_OLDEST)
        value_print_json(json, "call_cost",
                         value_cost(shown->is_file ? function.call_cost : shown->profile.functions[f].call_cost));
    json_break(json, "\n     ");
    if (shown->version == CG2WG_FORMAT_OLDEST)
        print_json_invocations(listed, json, f, &function);
    else
        print_json_calls(listed, json, true, function.called_from_at, function.called_from_count);
    if (shown->version < 6)
        return;
    json_break(json, "\n     ");
    print_json_calls(listed, json, false, function.sub_calls_at, function.sub_call_count);
}

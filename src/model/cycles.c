#include "model/recursion.h"

/* What the search knows about a function. */
struct node {
    uint32_t next_call; /* the first of its calls that has not been followed, plus 1; 0: there is none */
    uint32_t order;     /* in which functions were reached, from 1; 0: not yet */
    uint32_t low;       /* the earliest function on the stack that can be reached */
    uint32_t caller;    /* from which it was reached, or NONE */
    uint32_t below;     /* on the stack: the function below it, or NONE */
    bool calls_itself;
};

/* Tarjan's search for strongly connected components, without recursion. */
struct cycle_search {
    const struct profile *profile;
    const struct link *links;
    struct node *nodes;   /* by function */
    uint32_t *next_calls; /* by call: the next one of the same caller, plus 1; or 0 */
    uint32_t *component;  /* of each function; NONE: not yet known */
    uint32_t top;         /* of the stack, which holds functions that have no component yet; or NONE */
    uint32_t reached;
    uint32_t cycles, others; /* components so far; the others are numbered downwards */
};

/* Call i of the graph, among arcs and links, of which there are fewer than 2^32. */
static struct link call_at(const struct cycle_search *s, size_t i)
{
    if (i >= s->profile->arc_count)
        return s->links[i - s->profile->arc_count];
    return (struct link){s->profile->arcs[i].caller, s->profile->arcs[i].callee};
}

static void reach(struct cycle_search *s, uint32_t function, uint32_t caller)
{
    struct node *node = &s->nodes[function];
    node->order = node->low = ++s->reached;
    node->caller = caller;
    node->below = s->top;
    s->top = function;
    s->component[function] = NONE;
}

/* All callees have been followed. If no earlier function can be reached, a component is complete. */
static void leave(struct cycle_search *s, uint32_t function)
{
    const struct node *node = &s->nodes[function];
    if (node->caller != NONE && node->low < s->nodes[node->caller].low)
        s->nodes[node->caller].low = node->low;
    if (node->low != node->order)
        return;
    uint32_t component = s->top != function || node->calls_itself ? s->cycles++ : --s->others;
    for (; s->top != node->below; s->top = s->nodes[s->top].below)
        s->component[s->top] = component;
}

/* Follows all calls from a function that has not been reached. */
static void search_from(struct cycle_search *s, uint32_t first)
{
    reach(s, first, NONE);
    for (uint32_t function = first; function != NONE;) {
        struct node *node = &s->nodes[function];
        if (node->next_call == 0) {
            leave(s, function);
            function = node->caller;
            continue;
        }
        uint32_t call = node->next_call - 1, callee = call_at(s, call).callee;
        node->next_call = s->next_calls[call];
        node->calls_itself |= callee == function;
        if (s->nodes[callee].order == 0) {
            reach(s, callee, function);
            function = callee;
        } else if (s->component[callee] == NONE && s->nodes[callee].order < node->low) {
            node->low = s->nodes[callee].order;
        }
    }
}

uint32_t *cycles_find(const struct profile *profile, const struct link *links, size_t link_count,
                      uint32_t *count)
{
    size_t functions = profile->function_count, calls = profile->arc_count + link_count;
    struct cycle_search s = {.profile = profile,
                             .links = links,
                             .nodes = memory_zeroed(functions + 1, sizeof *s.nodes),
                             .next_calls = memory_zeroed(calls + 1, sizeof *s.next_calls),
                             .component = memory_zeroed(functions + 1, sizeof *s.component),
                             .top = NONE,
                             .others = (uint32_t)functions};
    for (size_t i = calls; i > 0; i--) {
        struct node *caller = &s.nodes[call_at(&s, i - 1).caller];
        s.next_calls[i - 1] = caller->next_call;
        caller->next_call = (uint32_t)i;
    }
    for (uint32_t i = 0; i < functions; i++)
        if (s.nodes[i].order == 0)
            search_from(&s, i);
    memory_free(s.nodes);
    memory_free(s.next_calls);
    *count = s.cycles;
    return s.component;
}

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
    struct node *nodes; /* by function */
    struct followed_call {
        uint32_t callee;
        uint32_t next; /* of the same caller, plus 1; or 0 */
    } *calls; /* arcs, then links: fewer than 2^32 */
    uint32_t *component; /* of each function; NONE: not yet known */
    uint32_t top;        /* of the stack, which holds functions that have no component yet; or NONE */
    uint32_t reached;
    uint32_t cycles, others; /* components so far; the others are numbered downwards */
};

static void reach(struct cycle_search *s, uint32_t function, uint32_t caller)
{
    struct node *node = &s->nodes[function];
    node->order = node->low = ++s->reached;
    node->caller = caller;
    node->below = s->top;
    s->top = function;
    s->component[function] = NONE;
}

/* Follows all calls from a function that has not been reached. */
static void search_from(struct cycle_search *s, uint32_t first)
{
    reach(s, first, NONE);
    for (uint32_t function = first; function != NONE;) {
        struct node *node = &s->nodes[function];
        if (node->next_call != 0) {
            const struct followed_call *call = &s->calls[node->next_call - 1];
            node->next_call = call->next;
            node->calls_itself |= call->callee == function;
            if (s->nodes[call->callee].order == 0) {
                reach(s, call->callee, function);
                function = call->callee;
            } else if (s->component[call->callee] == NONE && s->nodes[call->callee].order < node->low) {
                node->low = s->nodes[call->callee].order;
            }
            continue;
        }
        /* All its callees have been followed. If no earlier function can be reached, a component is complete. */
        if (node->caller != NONE && node->low < s->nodes[node->caller].low)
            s->nodes[node->caller].low = node->low;
        if (node->low == node->order) {
            uint32_t component = s->top != function || node->calls_itself ? s->cycles++ : --s->others;
            for (; s->top != node->below; s->top = s->nodes[s->top].below)
                s->component[s->top] = component;
        }
        function = node->caller;
    }
}

uint32_t *cycles_find(const struct profile *profile, const struct records *records, uint32_t *count)
{
    size_t functions = profile->function_count, arcs = profile->arc_count;
    size_t calls = arcs + (records != NULL ? records->link_index.used : 0);
    struct cycle_search s = {.nodes = memory_zeroed(functions + 1, sizeof *s.nodes),
                             .calls = memory_zeroed(calls + 1, sizeof *s.calls),
                             .component = memory_zeroed(functions + 1, sizeof *s.component),
                             .top = NONE,
                             .others = (uint32_t)functions};
    for (size_t i = calls; i-- > 0;) {
        struct link call = i < arcs ? (struct link){profile->arcs[i].caller, profile->arcs[i].callee}
                                    : records->links[i - arcs];
        uint32_t *first = &s.nodes[call.caller].next_call;
        s.calls[i] = (struct followed_call){call.callee, *first};
        *first = (uint32_t)i + 1;
    }
    for (uint32_t i = 0; i < functions; i++)
        if (s.nodes[i].order == 0)
            search_from(&s, i);
    memory_free(s.nodes);
    memory_free(s.calls);
    *count = s.cycles;
    return s.component;
}

#include "model/cycles.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/*
 * Tarjan's search for strongly connected components, without recursion. There are fewer than 2^32 arcs
 * and links.
 */
struct search {
    uint32_t *callees;     /* of all functions, grouped by caller */
    uint32_t *callees_end; /* of each function's group */
    uint32_t *next;        /* position in callees of the next one to follow */
    uint32_t *component;   /* of each function; NONE: not yet known */
    uint32_t *order;       /* in which functions were reached, from 1; 0: not yet */
    uint32_t *low;         /* the earliest function on the stack that can be reached */
    uint32_t *path;        /* functions whose callees are being followed */
    uint32_t *stack;       /* functions that have no component yet */
    uint32_t path_length, stack_length, reached, components;
};

static void search_free(struct search *s)
{
    free(s->callees);
    free(s->callees_end);
    free(s->next);
    free(s->component);
    free(s->order);
    free(s->low);
    free(s->path);
    free(s->stack);
}

static bool search_init(struct search *s, size_t functions, size_t edges)
{
    size_t count = functions + 1;
    *s = (struct search){.callees = calloc(edges + 1, sizeof *s->callees),
                         .callees_end = calloc(count, sizeof *s->callees_end),
                         .next = calloc(count, sizeof *s->next),
                         .component = calloc(count, sizeof *s->component),
                         .order = calloc(count, sizeof *s->order),
                         .low = calloc(count, sizeof *s->low),
                         .path = calloc(count, sizeof *s->path),
                         .stack = calloc(count, sizeof *s->stack)};
    if (s->callees != NULL && s->callees_end != NULL && s->next != NULL && s->component != NULL &&
        s->order != NULL && s->low != NULL && s->path != NULL && s->stack != NULL)
        return true;
    search_free(s);
    return false;
}

/* Groups callees by caller: turns the groups' sizes into their starts, and these into their ends. */
static void group_callees(struct search *s, const struct profile *profile,
                          const struct link *links, size_t link_count)
{
    uint32_t start = 0;
    for (size_t i = 0; i < profile->arc_count; i++)
        s->callees_end[profile->arcs[i].caller]++;
    for (size_t i = 0; i < link_count; i++)
        s->callees_end[links[i].caller]++;
    for (size_t i = 0; i < profile->function_count; i++) {
        uint32_t size = s->callees_end[i];
        s->callees_end[i] = s->next[i] = start;
        start += size;
    }
    for (size_t i = 0; i < profile->arc_count; i++)
        s->callees[s->callees_end[profile->arcs[i].caller]++] = profile->arcs[i].callee;
    for (size_t i = 0; i < link_count; i++)
        s->callees[s->callees_end[links[i].caller]++] = links[i].callee;
}

static void reach(struct search *s, uint32_t function)
{
    s->order[function] = s->low[function] = ++s->reached;
    s->component[function] = NONE;
    s->path[s->path_length++] = function;
    s->stack[s->stack_length++] = function;
}

static void leave(struct search *s)
{
    uint32_t function = s->path[--s->path_length];
    if (s->path_length > 0) {
        uint32_t caller = s->path[s->path_length - 1];
        if (s->low[function] < s->low[caller])
            s->low[caller] = s->low[function];
    }
    if (s->low[function] != s->order[function])
        return;
    uint32_t member;
    do {
        member = s->stack[--s->stack_length];
        s->component[member] = s->components;
    } while (member != function);
    s->components++;
}

static void follow_calls(struct search *s)
{
    while (s->path_length > 0) {
        uint32_t function = s->path[s->path_length - 1];
        if (s->next[function] == s->callees_end[function]) {
            leave(s);
            continue;
        }
        uint32_t callee = s->callees[s->next[function]++];
        if (s->order[callee] == 0)
            reach(s, callee);
        else if (s->component[callee] == NONE && s->order[callee] < s->low[function])
            s->low[function] = s->order[callee];
    }
}

uint32_t *cycles_find(const struct profile *profile, const struct link *links, size_t link_count,
                      size_t *count)
{
    struct search s;
    *count = 0;
    if (!search_init(&s, profile->function_count, profile->arc_count + link_count))
        return NULL;
    group_callees(&s, profile, links, link_count);
    for (uint32_t i = 0; i < profile->function_count; i++) {
        if (s.order[i] == 0) {
            reach(&s, i);
            follow_calls(&s);
        }
    }
    uint32_t *component = s.component;
    *count = s.components;
    s.component = NULL;
    search_free(&s);
    return component;
}

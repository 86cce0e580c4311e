#include "model/journal.h"

#include "util/array.h"

#include <stdlib.h>

enum {
    ENOUGH_CALLS = 64 * 1024, /* to be kept one by one in any case */
    ARCS_PER_CALL = 8         /* calls are kept one by one up to that share of the arcs */
};

struct journal_call {
    uint64_t count;
    cost_t cost;
    uint32_t arc;
};

/* The sums of an arc before the record. */
struct journal_arc {
    uint64_t count;
    cost_t cost;
};

/* Takes a call off the sums of its arc. */
static void take_back(const struct journal_call *call, uint64_t *count, cost_t *cost)
{
    *count -= call->count;
    cost_add(cost, call->cost == INT64_MIN ? INT64_MAX : -call->cost);
}

void journal_begin(struct journal *j, struct profile *profile, size_t functions, uint32_t function,
                   const struct function *before)
{
    j->profile = profile;
    j->functions = functions;
    j->arcs = profile->arc_count;
    j->function = function;
    j->before = *before;
    j->call_count = 0;
    if (j->arcs_before != NULL) {
        free(j->arcs_before);
        j->arcs_before = NULL;
    }
}

void journal_free(struct journal *j)
{
    free(j->calls);
    free(j->arcs_before);
    *j = (struct journal){0};
}

/* Keeps the sums that all arcs had in place of the calls. */
static bool keep_arcs(struct journal *j)
{
    struct journal_arc *before = malloc(j->arcs * sizeof *before);
    if (before == NULL)
        return false;
    for (size_t i = 0; i < j->arcs; i++)
        before[i] = (struct journal_arc){j->profile->arcs[i].count, j->profile->arcs[i].cost};
    for (size_t i = 0; i < j->call_count; i++)
        take_back(&j->calls[i], &before[j->calls[i].arc].count, &before[j->calls[i].arc].cost);
    free(j->calls);
    j->calls = NULL;
    j->call_count = j->call_capacity = 0;
    j->arcs_before = before;
    return true;
}

bool journal_add_call(struct journal *j, uint32_t arc, uint64_t count, cost_t cost)
{
    if (arc >= j->arcs || j->arcs_before != NULL)
        return true;
    if (!array_reserve(&j->calls, &j->call_capacity, j->call_count + 1, sizeof *j->calls))
        return false;
    j->calls[j->call_count++] = (struct journal_call){count, cost, arc};
    return j->call_count <= ENOUGH_CALLS || j->call_count <= j->arcs / ARCS_PER_CALL ||
           keep_arcs(j);
}

static void undo_arcs(struct journal *j)
{
    struct arc *arcs = j->profile->arcs;
    for (size_t i = 0; i < j->call_count; i++)
        take_back(&j->calls[i], &arcs[j->calls[i].arc].count, &arcs[j->calls[i].arc].cost);
    for (size_t i = 0; j->arcs_before != NULL && i < j->arcs; i++) {
        arcs[i].count = j->arcs_before[i].count;
        arcs[i].cost = j->arcs_before[i].cost;
    }
}

void journal_undo(struct journal *j)
{
    undo_arcs(j);
    if (j->function < j->functions)
        j->profile->functions[j->function] = j->before;
    profile_truncate(j->profile, j->functions, j->arcs);
}

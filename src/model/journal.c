#include "model/journal.h"

#include "util/array.h"

#include <stdlib.h>

enum {
    ENOUGH_CALLS = 64 * 1024, /* to be kept one by one in any case */
    ARCS_PER_CALL = 8         /* calls are kept one by one up to that share of the arcs */
};

/* The sums of an arc. From the end of what 64 bits can hold, no subtraction leads back. */
struct journal_sums {
    uint64_t count;
    cost_t cost;
};

struct journal_call {
    struct journal_sums before; /* those of its arc */
    uint32_t arc;
};

static struct journal_sums sums_of(const struct arc *arc)
{
    return (struct journal_sums){arc->count, arc->cost};
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
    struct journal_sums *before = malloc(j->arcs * sizeof *before);
    if (before == NULL)
        return false;
    for (size_t i = 0; i < j->arcs; i++)
        before[i] = sums_of(&j->profile->arcs[i]);
    for (size_t i = j->call_count; i-- > 0;)
        before[j->calls[i].arc] = j->calls[i].before;
    free(j->calls);
    j->calls = NULL;
    j->call_count = j->call_capacity = 0;
    j->arcs_before = before;
    return true;
}

bool journal_note_arc(struct journal *j, uint32_t arc)
{
    if (arc >= j->arcs || j->arcs_before != NULL)
        return true;
    if (!array_reserve(&j->calls, &j->call_capacity, j->call_count + 1, sizeof *j->calls))
        return false;
    j->calls[j->call_count++] = (struct journal_call){sums_of(&j->profile->arcs[arc]), arc};
    return j->call_count <= ENOUGH_CALLS || j->call_count <= j->arcs / ARCS_PER_CALL ||
           keep_arcs(j);
}

static void restore(struct arc *arc, struct journal_sums before)
{
    arc->count = before.count;
    arc->cost = before.cost;
}

static void undo_arcs(struct journal *j)
{
    struct arc *arcs = j->profile->arcs;
    for (size_t i = j->call_count; i-- > 0;)
        restore(&arcs[j->calls[i].arc], j->calls[i].before);
    for (size_t i = 0; j->arcs_before != NULL && i < j->arcs; i++)
        restore(&arcs[i], j->arcs_before[i]);
}

void journal_undo(struct journal *j)
{
    undo_arcs(j);
    if (j->function < j->functions)
        j->profile->functions[j->function] = j->before;
    profile_truncate(j->profile, j->functions, j->arcs);
}

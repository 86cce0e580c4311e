#include "model/journal.h"

#include "util/array.h"

#include <stdlib.h>

enum { FIRST_LIMIT = 64 * 1024 };

struct journal_call {
    uint64_t count;
    cost_t cost;
    uint32_t arc;
};

void journal_begin(struct journal *j, struct profile *profile, size_t functions, uint32_t function,
                   const struct function *before)
{
    j->profile = profile;
    j->functions = functions;
    j->arcs = profile->arc_count;
    j->function = function;
    j->before = *before;
    j->call_count = 0;
}

void journal_free(struct journal *j)
{
    free(j->calls);
    *j = (struct journal){0};
}

static int by_arc(const void *left, const void *right)
{
    const struct journal_call *a = left, *b = right;
    return (a->arc > b->arc) - (a->arc < b->arc);
}

/* Leaves one call for each arc. */
static void add_up(struct journal *j)
{
    size_t kept = 0;
    qsort(j->calls, j->call_count, sizeof *j->calls, by_arc);
    for (size_t i = 0; i < j->call_count; i++) {
        if (kept > 0 && j->calls[kept - 1].arc == j->calls[i].arc) {
            count_add(&j->calls[kept - 1].count, j->calls[i].count);
            cost_add(&j->calls[kept - 1].cost, j->calls[i].cost);
        } else {
            j->calls[kept++] = j->calls[i];
        }
    }
    j->call_count = kept;
}

bool journal_add_call(struct journal *j, uint32_t arc, uint64_t count, cost_t cost)
{
    if (j->call_count == j->call_capacity) {
        bool is_full = true;
        if (j->call_count >= FIRST_LIMIT) {
            add_up(j);
            /* To grow while it is still more than half full keeps the sorting cheap. */
            is_full = j->call_count > j->call_capacity / 2;
        }
        if (is_full && !array_reserve(&j->calls, &j->call_capacity, j->call_capacity + 1,
                                      sizeof *j->calls))
            return false;
    }
    j->calls[j->call_count++] = (struct journal_call){count, cost, arc};
    return true;
}

void journal_undo(struct journal *j)
{
    struct profile *profile = j->profile;
    for (size_t i = 0; i < j->call_count; i++) {
        struct arc *arc = &profile->arcs[j->calls[i].arc];
        arc->count -= j->calls[i].count;
        cost_add(&arc->cost, j->calls[i].cost == INT64_MIN ? INT64_MAX : -j->calls[i].cost);
    }
    if (j->function < j->functions)
        profile->functions[j->function] = j->before;
    profile_truncate(profile, j->functions, j->arcs);
}

/* SPDX-License-Identifier: MIT */
/* Rows of runs, threads and processes, each of which is described when it has been read. */
#include "view/view.h"

#include "model/groups.h"

#include <inttypes.h>
#include <stdlib.h>

bool *view_choose_functions(void *of, const struct profile *profile)
{
    struct part_view *v = of;
    bool *found = memory_zeroed(profile->function_count + 1, sizeof *found);
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        const struct view_row row = {.name = names_text(&profile->names, f->name),
                                     .file = names_text(&profile->names, f->file),
                                     .object = names_text(&profile->names, function_object(f))};
        found[i] = row_matches(&row, &v->wanted, NULL);
        v->has_matched |= found[i];
    }
    return found;
}

/* Adds what the chosen functions cost: as a group, so that calls between them count once, but for their number. */
static void add_chosen(struct part_view *v, const struct contents *part, struct function *row)
{
    struct memory_scope scope;
    struct contents sums = *part;
    bool are_samples = part->profile.has_part_of[PRODUCER_PERF];
    memory_scope_begin(&scope);
    sums.chosen = view_choose_functions(v, &part->profile);
    groups_make(&sums, CG2WG_GROUP_RUN, v->once, true);
    for (size_t i = 0; i < sums.profile.function_count; i++) {
        const struct function *group = &sums.profile.functions[i];
        if (group->name == NAME_EMPTY)
            continue;
        cost_add(&row->self, group->self);
        cost_add(&row->inclusive, group->inclusive);
        cost_add(&row->call_cost, sums.allocated != NULL ? sums.allocated[i] : 0);
        count_add(&row->invocations, are_samples ? group->invocations : 0);
    }
    for (size_t i = 0; i < part->profile.function_count && !are_samples; i++)
        count_add(&row->invocations, sums.chosen[i] ? part->profile.functions[i].invocations : 0);
    memory_scope_free(&scope);
}

static void add_all(const struct contents *part, struct function *row)
{
    const struct profile *profile = &part->profile;
    const struct contexts *contexts = &part->contexts;
    size_t count = profile->function_count;
    bool are_samples = part->has_contexts && profile->has_part_of[PRODUCER_PERF];
    bool are_calls = profile->has_part_of[PRODUCER_XDEBUG] || profile->has_part_of[PRODUCER_APROF] ||
                     (profile->arc_count > 0 && !are_samples);
    cost_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const struct function *f = &profile->functions[i];
        cost_add(&row->self, f->self);
        count_add(&row->invocations, are_calls ? f->invocations : 0);
        if (f->self <= most)
            continue;
        most = f->self;
        row->file = f->name;
    }
    for (uint32_t i = are_samples ? contexts->first_root : NONE; i != NONE; i = contexts->items[i].next_sibling)
        count_add(&row->invocations, contexts->items[i].calls);
    row->inclusive = part->allocated != NULL ? part->allocated[count + 1] : row->self;
    row->call_cost = part->allocated != NULL ? part->allocated[count] : 0;
}

/* Adds what is below a root. The arrays are made for the first one, and are as they were afterwards. */
static void add_below(struct part_view *v, struct contents *part, uint32_t root, struct function *row)
{
    struct context *items = part->contexts.items;
    uint32_t end = items[root].next_sibling, top = NONE;
    cost_t most = 0;
    if (root == part->contexts.first_root) {
        v->chosen = v->options->functions.count > 0 ? view_choose_functions(v, &part->profile) : NULL;
        v->selfs = memory_zeroed(part->profile.function_count + 1, sizeof *v->selfs);
    }
    for (uint32_t i = root; i != end; i = contexts_next(&part->contexts, i)) {
        struct context *c = &items[i];
        cost_t *self = &v->selfs[c->function];
        bool is_chosen = v->chosen != NULL && v->chosen[c->function];
        bool is_inside = i != root && items[c->parent].number == 1; /* another one of chosen functions */
        bool is_counted = is_chosen && (!is_inside || !v->once);
        c->number = is_inside || is_chosen;
        cost_add(&row->self, is_chosen ? c->self : 0);
        cost_add(&row->inclusive, is_counted ? c->inclusive : 0);
        count_add(&row->invocations, is_counted ? c->calls : 0);
        cost_add(self, MAX(c->self, 0));
        top = *self > most || (*self == most && c->function < top) ? c->function : top;
        most = MAX(most, *self);
    }
    for (uint32_t i = root; i != end; i = contexts_next(&part->contexts, i))
        v->selfs[items[i].function] = 0;
    if (v->chosen != NULL)
        return;
    row->file = most > 0 ? part->profile.functions[top].name : NAME_EMPTY;
    row->self = row->inclusive = items[root].inclusive;
    row->invocations = items[root].calls;
}

/* Makes the name of a call, such as `{main}:12 > App->run:3 > notify`. A long one is cut at its start. */
static uint32_t path_of(struct part_view *v, struct contents *part, uint32_t context)
{
    enum { MOST_PATH = 1000, MOST_NAME = MOST_PATH / 2, MOST_BYTES = 64 << 20 }; /* of a path; of all in memory */
    struct profile *profile = &part->profile;
    struct context *items = part->contexts.items;
    char bytes[MOST_PATH + TABLE_CELL], *end = bytes + sizeof bytes, *at = end;
    uint32_t *path = &items[context].number;
    for (uint32_t i = context; i != NONE && *path == NONE; i = items[i].parent) {
        struct text name = names_text(&profile->names, profile->functions[items[i].function].name);
        size_t length = MIN(text_length(name), MOST_NAME);
        bool fits = at - bytes >= (ptrdiff_t)length + TABLE_CELL;
        at -= fits ? length : strlen("...");
        memcpy(at, fits ? name.at : "...", fits ? length : strlen("..."));
        if (!fits || items[i].parent == NONE)
            break;
        char call[TABLE_CELL] = " > ";
        uint32_t line = contexts_call_line(&part->contexts, profile, i);
        if (line > 0)
            snprintf(call, sizeof call, ":%" PRIu32 " > ", line);
        at -= strlen(call);
        memcpy(at, call, strlen(call));
    }
    if (*path == NONE) {
        *path = names_intern(&profile->names, text_of(at, (size_t)(end - at)));
        v->path_bytes += (size_t)(end - at);
        v->diag->member = v->path_bytes > MOST_BYTES ? CG2WG_MEMBER_TOP : CG2WG_MEMBER_NONE;
        if (v->path_bytes > MOST_BYTES)
            diag_error(v->diag, 0, "found paths of calls that take too much memory, expected at most %d bytes",
                       (int)MOST_BYTES);
    }
    return *path;
}

void view_calls_init(struct view *view)
{
    struct cost_count *sorted = memory_get((view->matching + 1) * sizeof *sorted);
    for (size_t i = 0; i < view->matching; i++) {
        const int64_t *measures = view->rows[i].measures;
        sorted[view->matching - 1 - i] = (struct cost_count){measures[INCLUSIVE], 0, (uint64_t)measures[COUNT]};
    }
    view->calls = call_costs_of(sorted, view->matching);
    memory_free(sorted);
}

void view_print_calls(const struct view *view, const struct table *table, const char *before, struct json *json)
{
    static const char *const names[] = {"; minimum", ", median", ", 90 %", ", 99 %", ", maximum"};
    static const char *const keys[] = {"minimum", "median", "percentile_90", "percentile_99", "maximum"};
    char number[TABLE_CELL];
    if (view->shown->group != CG2WG_GROUP_CALL)
        return;
    if (json == NULL)
        fprintf(table->stream, "%s%s", before, table_number(number, table->room, view->calls.count));
    else
        json_begin(json, "calls", '{', " ");
    for (size_t i = 0; i < COUNT_OF(names) && view->calls.count > 0; i++)
        if (json == NULL)
            fprintf(table->stream, "%s %s", names[i],
                    table_cost(number, table->room, table->quantity, view->calls.costs[i]));
        else
            json_print(json, keys[i], "%" PRId64, view->calls.costs[i]);
    if (json != NULL) {
        json_print(json, "count", "%" PRIu64, view->calls.count);
        json_end(json);
    }
}

void view_describe_part(void *of, struct contents *part, uint32_t root, struct function *row)
{
    struct part_view *v = of;
    if (v->options->group == CG2WG_GROUP_CALL)
        row->name = path_of(v, part, root);
    else if (root != NONE)
        add_below(v, part, root, row);
    else if (v->options->functions.count > 0)
        add_chosen(v, part, row);
    else
        add_all(part, row);
}

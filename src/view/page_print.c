/* SPDX-License-Identifier: MIT */
/*
 * A page of HTML is made of the files in src/view/page; its data are JSON in comments, which browsers read faster than
 * anything else. `--` is escaped in them, so that no name can end one. Each member of an event is a comment, so that it
 * can be parsed when it is needed. There are these rows, next to what their names say:
 *
 *     names       of the functions, in their order: number of ASCII letters that it shares with the one before, which
 *                 is 0 for each 64th, and the rest. Their numbers are lists, too: line, self, inclusive, invocations
 *     file        of each function; class and object are like it
 *     calls       that each function makes, and the left callers of it
 *     groups      the files, classes, objects and folders of the functions: [number, or of a folder its text, self,
 *                 inclusive, invocations, and with `allocated` also that] of each, one after the other; at the end, the
 *                 number and the self cost of those that were left out
 *     stack_names of each function, how many parts of its name between quotes its frames have, if that may not be all
 *     allocated   of each function, if it is not its inclusive cost, which is then what is kept
 *     lines       of each function, if they are known: file (0: its own), line, self and calls; at the end, if some
 *                 were left out, their number and self cost. With `base`, its costs follow those of the input
 *     code        source: a list for each file of its name, and texts of lines that follow each other, after the first
 *                 number; or of its name and the number of an earlier list, from 1
 *     stacks      of a tree, parents first, one after the other: parent, function or -1, total, self; the first is all.
 *                 frames_left is the number of those that were left out, and frames_left_cost what they cost;
 *                 has_stacks: estimated ones are deeper than the functions themselves
 *     time        calls in their order, parents first, one after the other: parent or -1; function or, of several that
 *                 are too short, their number below 0; start after the parent's, cost. Missing: that is not known
 *     threads     of samples in their order, every `step`th one, in nanoseconds: the names of those without a parent
 *     single      how single calls of the dearest functions spread: function, number of calls, what the least, the
 *                 median, 90 %, 99 % and the most cost; and a list of each of the dearest ones: self, inclusive, number
 *                 of equal calls, run, number in the order in which they returned or 0, and then from the nearest one
 *                 on, caller and line. Above single_exact, if that is not 0, costs are rounded
 *     parts       runs (0), threads (1) and processes (2), if there are several: [name, kind, total, calls, function
 *                 that costs most or -1, are inclusive costs known?]; part_costs has what functions cost in them, if
 *                 that is not less than least_part_cost: part, function, self, inclusive; parts_left has of each kind
 *                 the number and the cost of those that were left out
 *
 * A file is a text or, for one that an earlier function has, its number among these texts, from 1; 0 is no file.
 * Classes and objects are in the same form. The calls that a function makes are one after the other: callee, line,
 * number, cost. If some were left out, their number and cost follow; left callers are the same for calls to it. Names
 * are only ever put into the page as text.
 *
 * With `base`, a group has also the base's self, inclusive and invocations, and there are lists of how these three have
 * changed for each function (selfChange), what they were (selfBase), and of its state: 1 if it is new, -1 if it is
 * gone. The base's calls and left callers follow the others. A node of stacks has the base's total and self. Of several
 * runs, `margin` is what may come from their spread of the change of the total, and selfMargin and inclusiveMargin that
 * of each function.
 *
 * Without --min, functions with the smallest costs are left out, too, so that the page opens at once. Calls below the
 * same limit are left out and added up. A page of differences has both inputs' costs.
 */
#include "view/page.h"

#include "util/sha256.h"

#include <inttypes.h>

/* The files in src/view/page, which the Makefile turns into bytes. */
extern const struct text page_html, page_css, page_js;

/*
 * Prints the arcs that a function makes, and for those that call it, as at the end of the others, what is left out:
 * number and cost. NULL: the input has no such function.
 */
static void print_calls(struct json *json, struct page *page, const struct side *side, const struct view_row *row)
{
    bool may_leave_out = page->limit > 0 || page->view->count < page->view->all;
    for (int is_from = 0; is_from <= 1; is_from++) {
        struct calls_list calls = {.count = 0};
        uint64_t left = 0;
        cost_t left_cost = 0;
        if (row != NULL && (!is_from || may_leave_out))
            calls = shown_calls(&side->shown->outline->lists, (size_t)row->number, is_from);
        json_begin(json, NULL, '[', "");
        for (size_t i = 0; i < calls.count; i++) {
            const struct cg2wg_arc *arc = &side->shown->profile.arcs[calls.arcs[i]];
            uint32_t function = is_from ? arc->caller : arc->callee;
            uint32_t other = page->numbers[side->numbers != NULL ? side->numbers[function] : function];
            cost_t cost = side_converted(side, arc->cost);
            if (other == 0 || !page_reaches(page, (double)cost, page->limit)) {
                count_add(&left, arc->calls);
                cost_add(&left_cost, arc->cost);
            } else if (!is_from) {
                JSON_LIST(json, 4, other - 1, arc->line, (int64_t)side_average(side, arc->calls), cost);
                page_weigh(page, json, page_limit(page, (double)cost), false);
            }
        }
        uint64_t before = json->size;
        if (left > 0 || left_cost != 0)
            JSON_LIST(json, 1, (int64_t)side_average(side, left), side_converted(side, left_cost));
        page->weighed += json->size - before; /* sums have room of their own */
        json_end(json);
    }
}

/* Prints a text that the page may have already, for which then its number is enough; after what reaches that limit. */
static void print_once(struct json *json, struct page *page, enum cg2wg_group by, uint32_t number, uint32_t limit)
{
    struct page_texts *texts = &page->texts[by];
    if (number == NAME_EMPTY || texts->numbers[number] > 0) {
        JSON_LIST(json, 0, texts->numbers[number]);
    } else {
        page_weigh(page, json, limit, false);
        json_text(json, NULL, names_text(&texts->names, number));
        page_weigh(page, json, page_limit(page, texts->largest[number]), false);
        texts->numbers[number] = ++texts->known;
    }
}

/* Prints the numbers of all functions, each kind in a list of its own, so that a browser reads what it needs. */
static void print_numbers(struct json *json, struct page *page)
{
    enum { LINE, NUMBER, STATE, CHANGE, BEFORE, MARGIN, KINDS }; /* from STATE on, of comparisons */
    static const char *const measures[MEASURES] = {"self", "allocated", "inclusive", "invocations"};
    static const char *const kinds[KINDS] = {"line", "", "state", "Change", "Base", "Margin"};
    static const struct pair none;
    const struct differences *d = page->view->differences;
    for (size_t k = 0; k < KINDS * MEASURES; k++) {
        size_t kind = k / MEASURES, m = k % MEASURES;
        bool is_one = kind == LINE || kind == STATE;
        if ((kind >= STATE && d == NULL) || (is_one && m > 0) || (kind == MARGIN && (!d->has_runs || m == COUNT)) ||
            (m == ALLOCATED && (kind != NUMBER || d != NULL || !page->view->has_allocated)))
            continue;
        char key[32];
        snprintf(key, sizeof key, "%s%s", is_one ? "" : measures[m], kinds[kind]);
        json_begin(json, key, '[', "");
        for (const struct view_row *row = page->view->rows; row < page->view->rows + page->view->count; row++) {
            const struct pair *pair = d != NULL ? &d->pairs[row->number] : &none;
            int64_t base = pair->base != NULL ? pair->base->measures[m] : 0;
            int64_t number = kind == LINE     ? (int64_t)row->line
                             : kind == NUMBER ? row->measures[m]
                             : kind == STATE  ? (pair->base == NULL) - (pair->now == NULL)
                             : kind == CHANGE ? pair->changes[m]
                             : kind == MARGIN ? margin_as_cost(pair->margins[m == INCLUSIVE])
                             : m == COUNT     ? (int64_t)side_average(&page->sides[BASE], (uint64_t)base)
                                              : side_cost(&page->sides[BASE], base);
            JSON_LIST(json, kind == NUMBER && m == COUNT, number);
            page_weigh(page, json, row->limit, false);
        }
        json_end(json);
    }
}

static void print_functions(struct json *json, struct page *page)
{
    enum { MOST_SHARED = 200, TOGETHER = 64 }; /* so that a browser needs not much time for one name */
    static const char *const texts[] = {
        [CG2WG_GROUP_FILE] = "file", [CG2WG_GROUP_CLASS] = "class", [CG2WG_GROUP_OBJECT] = "object"};
    const struct view_row *rows = page->view->rows, *end = rows + page->view->count;
    struct text last = text_of("", 0);
    json_begin(json, "names", '[', "");
    for (const struct view_row *row = rows; row < end; row++) {
        size_t same = 0, most = MIN(MIN(text_length(last), text_length(row->name)), MOST_SHARED);
        if ((row - rows) % TOGETHER == 0)
            most = 0;
        while (same < most && last.at[same] == row->name.at[same] && ((unsigned char)last.at[same] & 0x80) == 0)
            same++;
        last = row->name;
        json_print(json, NULL, "\n%zu", same);
        json_text(json, NULL, (struct text){last.at + same, last.end});
        page_weigh(page, json, row->limit, false);
    }
    json_end(json);
    print_numbers(json, page);
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_OBJECT; by++) {
        json_begin(json, texts[by], '[', "");
        for (const struct view_row *row = rows; row < end; row++) {
            print_once(json, page, by, row->texts[by], row->limit);
            page_weigh(page, json, row->limit, false);
        }
        json_end(json);
    }
}

static void print_all_calls(struct json *json, struct page *page)
{
    json_begin(json, "calls", '[', "\n");
    for (size_t i = 0; i < page->view->count; i++) {
        json_begin(json, NULL, '[', "");
        for (size_t k = 0; k < page->side_count; k++)
            print_calls(json, page, &page->sides[k], view_row_in(page->view, &page->view->rows[i], k > 0));
        json_end(json);
        page_weigh(page, json, page->view->rows[i].limit, false);
    }
    json_end(json);
}

/* Prints, if some functions have shorter names in stacks, of each how many parts of its name between quotes that is. */
static void print_stack_names(struct json *json, struct page *page)
{
    const struct contents *base = page->sides[page->side_count - 1].shown;
    if ((!page->sides[NOW].shown->outline->shortens_stacks && !base->outline->shortens_stacks) ||
        page->view->count == 0)
        return;
    json_begin(json, "stack_names", '[', "");
    for (size_t i = 0; i < page->view->count; i++) {
        const struct view_row *row = &page->view->rows[i];
        size_t side = view_row_in(page->view, row, false) == NULL;
        JSON_LIST(json, 0,
                  page->sides[side].shown->outline->stack_parts[view_row_in(page->view, row, side > 0)->number]);
        page_weigh(page, json, row->limit, false);
    }
    json_end(json);
}

/*
 * Prints the costs of the files, classes and objects that the functions name: for each the number of its text, and for
 * each input self and inclusive cost, number of calls and, of memory, what was allocated; at the end of each kind, for
 * each input, how many groups are left out and their self cost.
 */
static void print_groups(struct json *json, struct page *page)
{
    const size_t side_count = MIN(page->side_count, SIDES);
    json_begin(json, "groups", '[', "\n");
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_FOLDER; by++) {
        const struct page_texts *texts = &page->texts[by];
        size_t left[2] = {0, 0};
        cost_t left_self[2] = {0, 0};
        json_begin(json, NULL, '[', "");
        for (size_t k = 0; k < side_count; k++) {
            const struct grouping *groups = &page->sides[k].shown->groups[by];
            left[k] = groups->count;
            for (size_t i = 0; i < groups->count; i++)
                cost_add(&left_self[k], groups->rows[i].self);
        }
        for (uint32_t i = 0; i < texts->names.count; i++) {
            bool is_known = by == CG2WG_GROUP_FOLDER || i == NAME_EMPTY || texts->numbers[i] > 0;
            if (!is_known || !page_reaches(page, texts->largest[i], page->limit) ||
                (texts->groups[0][i] == 0 && (side_count < 2 || texts->groups[1][i] == 0)))
                continue;
            if (by == CG2WG_GROUP_FOLDER)
                json_text(json, NULL, names_text(&texts->names, i));
            else
                JSON_LIST(json, 0, texts->numbers[i]);
            for (size_t k = 0; k < side_count; k++) {
                const struct side *side = &page->sides[k];
                const struct grouping *groups = &side->shown->groups[by];
                uint32_t number = texts->groups[k][i];
                struct function none = {.self = 0}, *group = number > 0 ? &groups->rows[number - 1] : &none;
                JSON_LIST(json, 4, side_converted(side, group->self), side_converted(side, group->inclusive),
                          (int64_t)side_average(side, group->invocations));
                if (groups->allocated != NULL && side_count == 1)
                    JSON_LIST(json, 0, number > 0 ? groups->allocated[number - 1] : 0);
                cost_subtract(&left_self[k], group->self);
                left[k] -= number > 0;
            }
            page_weigh(page, json, page_limit(page, texts->largest[i]), false);
        }
        for (size_t k = 0; k < side_count; k++)
            JSON_LIST(json, 0, (int64_t)left[k], side_converted(&page->sides[k], left_self[k]));
        json_end(json);
    }
    json_end(json);
}

/*
 * Prints the lines of the functions that reach the limit: for each function a list of file (0: its own), number, and of
 * each input, self cost and calls; at its end, if some are left out, their number and their self cost in each.
 */
static void print_lines(struct json *json, struct page *page)
{
    json_begin(json, "lines", '[', "\n");
    for (size_t i = 0; i < page->view->count; i++) {
        uint64_t number = page->view->rows[i].number;
        int64_t left = 0;
        cost_t left_self[2] = {0, 0};
        json_begin(json, NULL, '[', "");
        for (size_t at = page->line_start[number]; at < page->line_start[number + 1]; at++) {
            const struct page_line *line = &page->lines[at];
            double weight = page_line_weight(line);
            uint32_t limit = page_limit(page, weight);
            bool is_shown = page_reaches(page, weight, page->limit);
            if (is_shown) {
                print_once(json, page, CG2WG_GROUP_FILE, line->file, limit);
                JSON_LIST(json, 0, line->line, line->self[0], line->calls[0]);
            }
            if (is_shown && page->side_count > 1)
                JSON_LIST(json, 0, line->self[1], line->calls[1]);
            for (size_t k = 0; k < page->side_count && !is_shown; k++)
                cost_add(&left_self[k], line->self[k]);
            left += !is_shown;
            page_weigh(page, json, limit, false);
        }
        uint64_t before = json->size;
        if (left > 0)
            json_list(json, 0, (const int64_t[]){left, left_self[0], left_self[1]}, page->side_count + 1);
        page->weighed += json->size - before;
        json_end(json);
        page_weigh(page, json, page->view->rows[i].limit, false);
    }
    json_end(json);
}

/*
 * Prints source that reaches the limit: for each file a list of its name, and then texts of lines that follow each
 * other, after the first number. A file that had another name before has the number of that, from 1 on, instead.
 */
static void print_code(struct json *json, struct page *page)
{
    uint32_t number = 0;
    for (size_t i = 0; i < page->code.count; i++)
        page->code.files[i].list = 0;
    for (uint32_t name = 0; name < page->code.name_capacity; name++) {
        struct code_file *file = page->code.file_of[name] != 0 ? code_find(&page->code, name) : NULL;
        size_t last = 0;
        if (file == NULL || file->weights == NULL)
            continue;
        if (number++ == 0)
            json_begin(json, "code", '[', "\n");
        json_begin(json, NULL, '[', "");
        json_text(json, NULL, names_text(&page->sides[NOW].shown->profile.names, name));
        if (file->list != 0)
            JSON_LIST(json, 0, file->list);
        for (size_t i = 1; file->list == 0 && i <= file->line_count; i++) {
            if (file->weights[i] <= 0 || !page_reaches(page, file->weights[i], page->limit))
                continue;
            if (i != last + 1 || last == 0)
                JSON_LIST(json, 0, (int64_t)i);
            json_text(json, NULL, page_code(file, i));
            page_weigh(page, json, page_limit(page, file->weights[i]), false);
            last = i;
        }
        file->list = file->list != 0 ? file->list : number;
        json_end(json);
    }
    if (number > 0)
        json_end(json);
}

/* Prints the start of a text, which may be longer than any name. */
static void print_start(struct json *json, const char *key, struct text text)
{
    enum { MOST_TEXT = 16384 };
    json_text(json, key, text_of(text.at, MIN(text_length(text), MOST_TEXT)));
}

static void print_notes(struct json *json, const char *key, const struct view_total *total)
{
    json_begin(json, key, '[', "");
    for (const struct view_note *note = total->notes; note->before != NULL; note++)
        json_print(json, NULL, "[\"%s\",%" PRId64 ",\"%s\"]", note->before, note->cost, note->after);
    json_end(json);
}

static void print_frames(struct json *json, struct page *page)
{
    uint32_t frames = 0, left = 0;
    cost_t left_cost = 0;
    bool has_some = false;
    json_begin(json, "stacks", '[', "");
    page->weighed = json->size; /* what precedes it has room of its own */
    for (size_t i = 0; i < page->tree.count; i++) {
        struct stack_node *node = &page->tree.nodes[i], *parent = &page->tree.nodes[i > 0 ? node->parent : 0];
        double weight = (double)MAX(node->total[0], node->total[1]);
        if (i > 0 && (parent->number == NONE || weight <= 0 || !page_reaches(page, weight, page->frame_limit))) {
            left += weight > 0;
            cost_add(&left_cost, parent->number != NONE ? node->total[0] : 0);
            node->number = NONE;
            continue;
        }
        node->number = frames++;
        has_some |= !page->sides[NOW].shown->has_estimate || parent->number > 0; /* which would not be estimated */
        JSON_LIST(json, 0, parent->number, (int64_t)page->numbers[node->name] - 1, node->total[0], node->self[0]);
        if (page->side_count > 1)
            JSON_LIST(json, 0, node->total[1], node->self[1]);
        page_weigh(page, json, page_limit(page, weight), true);
    }
    json_end(json);
    json_print(json, "has_stacks", "%d", has_some);
    json_print(json, "frames_left", "%" PRIu32, left);
    json_print(json, "frames_left_cost", "%" PRId64, left_cost);
}

static void print_timeline(struct json *json, const struct page *page)
{
    const struct contents *shown = page->sides[NOW].shown;
    const struct timeline *timeline = &shown->timeline;
    if (timeline->count == 0)
        return;
    if (timeline->step > 0) {
        json_print(json, "step", "%" PRIu64, timeline->step);
        json_begin(json, "threads", '[', "");
        for (size_t i = 0; i < timeline->count; i++)
            if (timeline->spans[i].name != NAME_EMPTY)
                json_text(json, NULL, names_text(&shown->profile.names, timeline->spans[i].name));
        json_end(json);
    }
    json_begin(json, "time", '[', "");
    for (size_t i = 0; i < timeline->count; i++) {
        const struct span *span = &timeline->spans[i];
        uint32_t number = span->function != NONE ? page->numbers[span->function] : 0;
        JSON_LIST(json, 0, span->parent != NONE ? (int64_t)span->parent : -1,
                  number > 0 ? (int64_t)number - 1 : -(int64_t)MIN(span->calls, INT32_MAX), span->start, span->cost);
    }
    json_end(json);
}

static void print_single(struct json *json, const struct page *page)
{
    const struct single_calls *single = &page->sides[NOW].shown->single;
    bool is_ordered = page->sides[NOW].shown->stored.version == 0;
    if (single->count == 0)
        return;
    json_print(json, "single_exact", "%" PRId64, single->most_exact);
    json_begin(json, "single", '[', "");
    for (const struct function_calls *f = single->functions; f < single->functions + single->count; f++) {
        if (page->numbers[f->function] == 0)
            continue;
        json_begin(json, NULL, '[', "");
        JSON_LIST(json, 2, (int64_t)page->numbers[f->function] - 1, (int64_t)f->costs.count);
        json_list(json, 0, f->costs.costs, COUNT_OF(f->costs.costs));
        for (const struct single_call *call = f->shown; call < f->shown + f->shown_count; call++) {
            json_begin(json, NULL, '[', "");
            JSON_LIST(json, 4, call->self, call->inclusive, (int64_t)call->count, call->run,
                      is_ordered && call->count == 1 ? (int64_t)call->number : 0);
            for (const struct call_caller *c = &single->callers[call->context]; c->function != NONE; c++)
                JSON_LIST(json, 0, (int64_t)page->numbers[c->function] - 1, c->line);
            json_end(json);
        }
        json_end(json);
    }
    json_end(json);
}

static void print_parts(struct json *json, const struct page *page)
{
    const struct contents *shown = page->sides[NOW].shown;
    const struct view_parts *parts = shown->runs->parts;
    double factor = (double)unit_of(shown->facts.event).factor, left[COUNT_OF(parts->of)] = {0};
    uint32_t *numbers = memory_zeroed(parts->count + 1, sizeof *numbers), count = 0;
    size_t shown_of[COUNT_OF(parts->of)] = {0};
    bool has_any = false;
    for (size_t i = 0; i < parts->count && !has_any; i++)
        has_any = view_part_is_shown(parts, &parts->all[i], shown->page_group);
    if (!has_any)
        return;
    json_begin(json, "parts", '[', "");
    for (const struct view_part *part = parts->all; part < parts->all + parts->count; part++) {
        size_t kind = part->by - CG2WG_GROUP_RUN;
        if (!view_part_is_shown(parts, part, shown->page_group)) {
            left[kind] += part->total / factor;
            continue;
        }
        numbers[part - parts->all] = ++count;
        shown_of[kind]++;
        json_begin(json, NULL, '[', "");
        json_text(json, NULL, names_text(&parts->names, part->name));
        JSON_LIST(json, 0, (int64_t)kind, margin_as_cost(part->total / factor), (int64_t)part->calls,
                  part->top != NONE ? (int64_t)page->numbers[part->top] - 1 : -1, part->has_inclusive);
        json_end(json);
    }
    json_end(json);
    json_begin(json, "parts_left", '[', "");
    for (size_t kind = 0; kind < COUNT_OF(parts->of); kind++)
        JSON_LIST(json, 0, (int64_t)(parts->of[kind] - shown_of[kind]), margin_as_cost(left[kind]));
    json_end(json);
    json_print(json, "least_part_cost", "%" PRId64, margin_as_cost(parts->least / factor));
    json_begin(json, "part_costs", '[', "");
    for (size_t i = 0; i < parts->cost_count; i++) {
        const struct part_cost *cost = &parts->costs[i];
        if (page->numbers[cost->function] > 0)
            JSON_LIST(json, 0, (int64_t)numbers[cost->part] - 1, (int64_t)page->numbers[cost->function] - 1,
                      margin_as_cost(cost->costs[0] / factor), margin_as_cost(cost->costs[1] / factor));
    }
    json_end(json);
    memory_free(numbers);
}

void page_print_beside(struct json *json, const struct page *page)
{
    if (page->view->differences != NULL)
        return;
    print_timeline(json, page);
    print_single(json, page);
    print_parts(json, page);
}

static void print_facts(struct json *json, const struct page *page)
{
    static const char *const orders[] = {[CG2WG_BY_SELF] = "self",
                                         [CG2WG_BY_INCLUSIVE] = "inclusive",
                                         [CG2WG_BY_INVOCATIONS] = "invocations",
                                         [CG2WG_BY_NAME] = "name",
                                         [CG2WG_BY_PLACE] = "self"};
    static const char *const addresses[] = {[CG2WG_GROUP_FUNCTION] = "",
                                            [CG2WG_GROUP_FILE] = "&by=file",
                                            [CG2WG_GROUP_CLASS] = "&by=class",
                                            [CG2WG_GROUP_OBJECT] = "&by=object",
                                            [CG2WG_GROUP_FOLDER] = "&by=folder",
                                            [CG2WG_GROUP_LINE] = "l",
                                            [CG2WG_GROUP_RUN] = "r",
                                            [CG2WG_GROUP_THREAD] = "h",
                                            [CG2WG_GROUP_PROCESS] = "p",
                                            [CG2WG_GROUP_CALL] = ""};
    static const char *const counts[] = {"calls", "samples", "nothing"}; /* of enum counts */
    static const char *const units[] = {[QUANTITY_NUMBER] = "", [QUANTITY_TIME] = "time", [QUANTITY_BYTES] = "bytes"};
    const struct cg2wg_view *options = page->code.options;
    const struct contents *shown = page->sides[NOW].shown;
    const struct view *view = page->view;
    const struct facts *facts = &shown->facts;
    struct quantity quantity = quantity_of(facts->event);
    char number[TEXT_REAL];
    print_start(json, "title", text_is_empty(facts->heading) ? facts->command : facts->heading);
    print_start(json, "creator", facts->creator);
    print_start(json, "event", facts->event);
    print_start(json, "link", text_of_string(options->link != NULL ? options->link : ""));
    json_print(json, "unit", "\"%s\"", units[options->raw ? QUANTITY_NUMBER : quantity.kind]);
    json_print(json, "factor", "%" PRIu64, quantity.factor / page->sides[NOW].factor);
    json_print(json, "total", "%" PRId64, view->total.sum);
    json_print(json, "percent_of", "%" PRId64, view->total.percent_of);
    json_print(json, "runs", "%" PRIu64, facts->runs);
    print_notes(json, "notes", &view->total);
    print_start(json, "no_calls", text_of_string(facts->no_calls != NULL ? facts->no_calls : ""));
    json_print(json, "has_inclusive", "%d", view->has_inclusive);
    json_print(json, "repeats", "%d", page->repeats);
    json_print(json, "counts", "\"%s\"", counts[view->counts]);
    json_print(json, "limit", "%s", text_real(number, 10, 'g', page->limit));
    json_print(json, "frame_limit", "%s", text_real(number, 10, 'g', page->frame_limit));
    json_print(json, "negative_stacks", "%zu", page->negative_stacks);
    json_print(json, "estimated", "%d", shown->has_estimate);
    json_print(json, "deeper", "%d", page->tree.is_too_deep || page->tree.is_cut);
    json_print(json, "sort", "\"%s\"", orders[options->order]);
    json_print(json, "opens", "\"%s\"", addresses[shown->page_group]);
    json_print(json, "opens_at", "%" PRId64, page->opened != NONE ? (int64_t)page->numbers[page->opened] - 1 : -1);
}

static void print_comparison(struct json *json, const struct differences *d)
{
    const struct side *base = &d->sides[BASE];
    print_start(json, "base", text_of_string(base->shown->diag.input));
    print_notes(json, "base_notes", &base->view.total);
    json_print(json, "base_total", "%" PRId64, side_cost(base, base->view.total.sum));
    json_print(json, "base_percent_of", "%" PRId64, side_cost(base, base->view.total.percent_of));
    json_print(json, "change", "%" PRId64, d->change);
    json_print(json, "rounding", "%" PRId64, d->rounding);
    json_print(json, "per_run", "%d", d->is_per_run);
    if (d->has_runs)
        json_print(json, "margin", "%" PRId64, margin_as_cost(d->margin));
}

void page_print(struct json *json, struct page *page)
{
    const struct view *view = page->view;
    cost_t left_self = 0;
    uint64_t left_invocations = 0;
    for (size_t i = view->count; i < view->all; i++) {
        cost_add(&left_self, view->rows[i].measures[SELF]);
        count_add(&left_invocations, (uint64_t)view->rows[i].measures[COUNT]);
    }
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_FOLDER; by++) {
        page->texts[by].known = 0;
        memset(page->texts[by].numbers, 0, page->texts[by].names.count * sizeof *page->texts[by].numbers);
    }
    json_begin(json, NULL, '{', "\n--><!--\n");
    print_facts(json, page);
    if (page->view->differences != NULL)
        print_comparison(json, page->view->differences);
    json_print(json, "left", "{\"functions\":%zu,\"self\":%" PRId64 ",\"invocations\":%" PRIu64 "}",
               view->all - view->count, left_self, left_invocations);
    print_functions(json, page);
    print_all_calls(json, page);
    print_stack_names(json, page);
    print_groups(json, page);
    if (page->lines != NULL)
        print_lines(json, page);
    print_code(json, page);
    page_print_beside(json, page);
    print_frames(json, page);
    json_end(json);
}

/* What is in braces is replaced by a text, or a hash of it. */
void print_page_around(FILE *stream, bool is_end)
{
    static const char digits64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char hash[SHA256_SIZE + 1] = {0};
    const struct {
        const char *name;
        struct text text;
    } parts[] = {{"style", page_css}, {"script", page_js}, {"version", text_of_string(CG2WG_VERSION)}};
    struct text rest = page_html;
    for (bool is_after = false; !text_is_empty(rest);) {
        struct text before = text_take_to(&rest, '{'), name = text_take_to(&rest, '}');
        if (is_after == is_end)
            fwrite(before.at, 1, text_length(before), stream);
        is_after |= text_equals(name, "data");
        for (size_t i = 0; i < sizeof parts / sizeof parts[0] && is_after == is_end; i++) {
            if (text_equals(name, parts[i].name))
                fwrite(parts[i].text.at, 1, text_length(parts[i].text), stream);
            if (!text_starts(name, parts[i].name) || !text_ends(name, "-hash"))
                continue;
            sha256(parts[i].text, hash);
            for (int bit = 0; bit < 8 * SHA256_SIZE; bit += 6)
                fputc(digits64[((unsigned)hash[bit / 8] << 8 | hash[bit / 8 + 1]) >> (10 - bit % 8) & 63], stream);
            fputc('=', stream);
        }
    }
}

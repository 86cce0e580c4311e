/* SPDX-License-Identifier: MIT */
/*
 * A page of HTML is made of the files in src/view/page; its data are JSON. They are in a block that no browser executes,
 * and `<` is escaped in them, so that no name can end it. Each event has these rows, next to what their names say:
 *
 *     functions   by name: [name, file, line, self, inclusive, invocations, calls, left callers, class, object]; the
 *                 last ones may be missing
 *     groups      the files, classes and objects of the functions: [place, self, inclusive, invocations, and with
 *                 `allocated` also that] of each, one after the other; at the end, the number and the self cost of
 *                 those that were left out
 *     stack_names of each function, how many parts of its name between quotes its frames have, if that may not be all
 *     allocated   of each function, if it is not its inclusive cost, which is then what is kept
 *     lines       of each function, if they are known: file (0: its own), line, self and calls; at the end, the number
 *                 and the self cost of those that were left out. With `base`, its costs follow those of the input
 *     code        source: a list for each file of its name, and texts of lines that follow each other, after the first
 *                 number; or of its name and the place of an earlier list, from 1
 *     stacks      of a tree, parents first, one after the other: parent, function or -1, total, self; the first is all.
 *                 frames_left is the number of those that were left out, and frames_left_cost what they cost
 *     time        calls in their order, parents first, one after the other: parent or -1; function or, of several that are
 *                 too short, their number below 0; start after the parent's, cost. Missing: that is not known
 *     threads     of samples in their order, every `step`th one, in nanoseconds: the names of those without a parent
 *
 * A file is a text or, for one that an earlier function has, its place among these texts, from 1; 0 is no file. Classes
 * and objects are in the same form. The calls that a function makes are one after the other: callee, line, number,
 * cost. The number and the cost of those that were left out follow; left callers are the same for calls to it. Names
 * are only ever put into the page as text.
 *
 * With `base`, a group has also the base's self, inclusive and invocations, and a function has in addition, before its
 * class: how its self and inclusive cost and its invocations have changed, 1 if it is new or -1 if it is gone, its
 * calls and left callers, and what these three were in the base. A node of stacks has the base's total and self. Of
 * several runs, `margin` is what may come from their spread of the change of the total, and `margins` that of each
 * function's self and inclusive cost.
 *
 * Without --min, functions with the smallest costs are left out, too, to keep the page below 20 MB, of which the first
 * event has half. Calls below the same limit are left out and added up. A page of differences has both inputs' costs.
 */
#include "view/view.h"

#include "model/groups.h"
#include "util/sha256.h"
#include "model/line_costs.h"
#include "view/code.h"
#include "view/stacks.h"

#include <inttypes.h>
#include <stdlib.h>

/* The files in src/view/page, which the Makefile turns into bytes. */
extern const struct text page_html, page_css, page_js;

/*
 * Bytes of the data: what a page of 20 MB has room for, frames among it, and objects besides; what the numbers of a
 * function, of its left out calls, of an arc and of a frame take besides their digits. Names are shorter than
 * MOST_TEXT; of a line of source, there are MOST_CODE bytes.
 */
enum {
    MOST_DATA = 19500000,
    MOST_FRAMES = 6000000,
    MOST_OBJECTS = 400000,
    MOST_TEXT = 16384,
    FUNCTION_SIZE = 60,
    GROUP_SIZE = 60,
    ARC_SIZE = 4,
    FRAME_SIZE = 4,
    MOST_CODE = 200
};

enum { LIMITS_A_DECADE = 90, DECADES = 9, LIMIT_COUNT = LIMITS_A_DECADE * DECADES + 2 };

/* A line of a function, and what it costs in each input, as the page shows it. */
struct page_line {
    uint32_t file; /* of the page; 0: the function's own */
    uint32_t name; /* of the file, in the first input; NONE: only the second one has the line */
    uint32_t line;
    cost_t self[2], calls[2];
};

struct page {
    FILE *stream;
    const struct view *view;
    const struct differences *differences; /* NULL: one input */
    struct side sides[2];                  /* the inputs; the second one is that of --base */
    size_t side_count, row_count;          /* rows: how many numbers they have */
    double total;                          /* the larger one of the inputs; limits are in percent of it */
    double limit, frame_limit;
    uint32_t *place_of; /* each number of a row; its place in the page, from 1 on, or 0 */
    struct page_texts { /* files, classes and objects of the functions, by the kind of their group */
        struct names names;
        uint32_t *places;    /* of each; its place in the page, from 1 on, or 0 */
        uint32_t known;      /* how many have one so far */
        uint32_t *groups[2]; /* of each in the inputs: its number there, from 1 on, or 0 */
    } texts[CG2WG_GROUP_OBJECT + 1];
    bool has_objects;        /* not if their names take too much room */
    struct page_line *lines; /* with costs, of the functions by the numbers of their rows; NULL: they are unknown */
    size_t *line_start;      /* by number, and the end: where they begin */
    struct code code;        /* their source, if the options permit any */
    struct stack_tree tree;  /* of numbers of rows; empty: stacks are unknown */
    struct text *stack_names[SIDES]; /* of the functions of an input; NULL: as elsewhere */
    size_t negative_stacks;
    bool repeats; /* inclusive costs count recursion more than once */
    /*
     * The limits that may be chosen: 0 and the numbers of two digits, in percent: 0.0000010, 0.0000011 and so on up to
     * 990. No cost reaches the last one.
     */
    double limits[LIMIT_COUNT];
    uint64_t bytes[LIMIT_COUNT]; /* with a cost that reaches a limit, but not the next; of stacks, then of the others */
};

/* The row of a function in one of the inputs; NULL: it has none. */
static const struct view_row *row_of(const struct page *page, const struct view_row *row, size_t side)
{
    const struct pair *pair = page->differences != NULL ? &page->differences->pairs[row->number] : NULL;
    return pair == NULL ? row : side == 0 ? pair->now : pair->base;
}

static bool reaches(const struct page *page, double cost, double limit)
{
    return limit == 0 || (page->total > 0 && cost * 100 >= limit * page->total);
}

/* The number of what a row has in common with others, among the texts of the page. */
static uint32_t text_number(struct page *page, const struct view_row *row, enum cg2wg_group by)
{
    return by == CG2WG_GROUP_FILE    ? row->file_number
           : by == CG2WG_GROUP_CLASS ? row->class_number
                                     : names_intern(&page->texts[by].names, row->object);
}

static void weigh(struct page *page, double cost, size_t size)
{
    size_t low = 0;
    for (size_t count = page->total > 0 ? LIMIT_COUNT : 1; count > 1;) {
        size_t half = count / 2;
        low += cost * 100 >= page->limits[low + half] * page->total ? half : 0;
        count -= half;
    }
    page->bytes[low] += size;
}

static size_t digits(int64_t number)
{
    size_t count = number < 0 ? 2 : 1;
    for (; number >= 10 || number <= -10; number /= 10)
        count++;
    return count;
}

/* Takes the room of the timeline, which is left out if it is too small for that. */
static void weigh_timeline(struct contents *shown, uint64_t *room)
{
    struct timeline *timeline = &shown->timeline;
    enum { SPAN_SIZE = 20 }; /* of the first two numbers, and the commas */
    uint64_t size = 0;
    for (size_t i = 0; i < timeline->count; i++)
        size += digits(timeline->spans[i].start) + digits(timeline->spans[i].cost) + SPAN_SIZE +
                json_string(NULL, names_text(&shown->profile.names, timeline->spans[i].name), true);
    timeline->count = size <= *room ? timeline->count : 0;
    *room -= size <= *room ? size : 0;
}

/* The smallest limit with which the data take at most *room bytes, which it takes from *room. */
static double choose_limit(struct page *page, uint64_t *room)
{
    size_t i = LIMIT_COUNT - 1;
    for (; i > 0 && page->bytes[i - 1] <= *room; i--)
        *room -= page->bytes[i - 1];
    memset(page->bytes, 0, sizeof page->bytes);
    return page->limits[i];
}

static double line_weight(const struct page_line *line)
{
    return (double)MAX(MAX(line->self[0], line->calls[0]), MAX(line->self[1], line->calls[1]));
}

/* The source of a line, of which no character is cut. */
static struct text code_of(const struct code_file *file, size_t line)
{
    struct text text = code_text(file, (uint32_t)line);
    if (text_length(text) <= MOST_CODE)
        return text;
    text.end = text.at + MOST_CODE;
    for (int i = 0; i < 3 && ((unsigned char)*text.end & 0xc0) == 0x80; i++)
        text.end--;
    return text;
}

static void weigh_lines(struct page *page, uint64_t number)
{
    for (size_t i = page->line_start[number]; i < page->line_start[number + 1]; i++) {
        const struct page_line *line = &page->lines[i];
        size_t size = digits(line->line) + ARC_SIZE + 2;
        for (size_t k = 0; k < page->side_count; k++)
            size += digits(line->self[k]) + digits(line->calls[k]) + 2;
        weigh(page, line_weight(line), size);
    }
}

/* Lines of source from `first` to `last`, which may be beyond the file, are shown down to this limit. */
static void mark_code(struct code_file *file, int64_t first, int64_t last, double weight)
{
    if (file->weights == NULL)
        file->weights = memory_zeroed(file->line_count + 1, sizeof *file->weights);
    for (int64_t i = MAX(first, 1); i <= MIN(last, (int64_t)file->line_count); i++)
        file->weights[i] = MAX(file->weights[i], weight);
}

/*
 * Marks the source of a function's lines, and what is beside them, if another line of the function in this file, on
 * that side, is shown, too.
 */
static void mark_function(struct page *page, uint64_t number)
{
    const struct page_line *lines = &page->lines[page->line_start[number]];
    size_t count = page->line_start[number + 1] - page->line_start[number];
    double *after = memory_zeroed(count + 1, sizeof *after); /* the most of the lines after each in its file */
    double before = 0;
    for (size_t i = count; i-- > 1;)
        if (lines[i].file == lines[i - 1].file)
            after[i - 1] = MAX(after[i], line_weight(&lines[i]));
    for (size_t i = 0; i < count; i++) {
        const struct page_line *l = &lines[i];
        double weight = line_weight(l);
        struct code_file *file = l->name != NONE && l->line != 0 ? code_find(&page->code, l->name) : NULL;
        before = i > 0 && l[-1].file == l->file ? MAX(before, line_weight(&l[-1])) : 0;
        if (file == NULL)
            continue;
        mark_code(file, l->line, l->line, weight);
        mark_code(file, (int64_t)l->line - CODE_BESIDE, (int64_t)l->line - 1, MIN(weight, before));
        mark_code(file, (int64_t)l->line + 1, (int64_t)l->line + CODE_BESIDE, MIN(weight, after[i]));
    }
    memory_free(after);
}

static void weigh_code(struct page *page)
{
    for (size_t k = 0; k < page->code.count; k++) {
        const struct code_file *file = &page->code.files[k];
        for (size_t i = 1; file->weights != NULL && i <= file->line_count; i++)
            if (file->weights[i] > 0)
                weigh(page, file->weights[i], json_string(NULL, code_of(file, i), true) + digits((int64_t)i) + 2);
    }
}

/* Weighs files or classes by the largest cost of their functions. */
static void weigh_texts(struct page *page, enum cg2wg_group by)
{
    const struct page_texts *texts = &page->texts[by];
    double *most = memory_zeroed(texts->names.count, sizeof *most);
    for (size_t i = 0; i < page->view->count; i++) {
        const struct view_row *row = &page->view->rows[i];
        double *cost = &most[text_number(page, row, by)];
        *cost = MAX(*cost, (double)row->key);
    }
    for (uint32_t i = 0; i < texts->names.count; i++)
        weigh(page, most[i], json_string(NULL, names_text(&texts->names, i), true) + GROUP_SIZE);
    memory_free(most);
}

/* The limit of functions, lines and arcs, for this much room. */
static double function_limit(struct page *page, uint64_t room)
{
    const struct view *view = page->view;
    for (size_t i = 0; i < view->count; i++) {
        const struct view_row *row = &view->rows[i];
        double cost = (double)row->key;
        size_t numbers = 0;
        for (enum measure m = 0; m < MEASURES; m++)
            numbers += digits(row->measures[m]);
        if (page->differences != NULL) {
            const struct pair *pair = &page->differences->pairs[row->number];
            for (enum measure m = 0; m < MEASURES; m++)
                numbers += m != ALLOCATED ? 2 * digits(pair->changes[m]) + digits(row->measures[m]) : FUNCTION_SIZE;
        }
        weigh(page, cost, json_string(NULL, row->name, true) + digits(row->line) + numbers + FUNCTION_SIZE);
        if (page->lines != NULL)
            weigh_lines(page, row->number);
    }
    weigh_texts(page, CG2WG_GROUP_FILE);
    weigh_texts(page, CG2WG_GROUP_CLASS);
    for (const struct side *side = page->sides; side < page->sides + page->side_count; side++) {
        const struct profile *profile = &side->shown->profile;
        for (size_t i = 0; i < profile->arc_count; i++) {
            const struct cg2wg_arc *arc = &profile->arcs[i];
            cost_t cost = side_converted(side, arc->cost);
            weigh(page, (double)cost,
                  digits((int64_t)view->all) + digits(arc->line) + digits((int64_t)arc->calls) + digits(cost) +
                      ARC_SIZE);
        }
    }
    weigh_code(page);
    return choose_limit(page, &room);
}

/*
 * Makes the tree, with costs in the unit of the page, and chooses its limit for *room bytes, of which it takes what
 * frames need. NULL: there is a limit.
 */
static void make_stacks(struct page *page, uint64_t *room)
{
    struct stack_tree *tree = &page->tree;
    const struct side *base = &page->sides[1];
    stack_tree_init(tree, &page->sides[0].shown->contexts, NULL, base->shown != NULL ? &base->shown->contexts : NULL,
                    base->numbers, (uint32_t)page->row_count);
    for (size_t i = tree->count; i-- > 0;) {
        struct stack_node *node = &tree->nodes[i];
        size_t size = digits((int64_t)tree->count) + digits((int64_t)page->view->all) + FRAME_SIZE;
        for (size_t k = 0; k < page->side_count; k++) {
            page->negative_stacks += node->self[k] < 0;
            node->self[k] = node->self[k] > 0 ? node->self[k] : 0; /* as --print=stacks leaves negative ones out */
            cost_add(&node->total[k], node->self[k]);
            if (i > 0)
                cost_add(&tree->nodes[node->parent].total[k], node->total[k]);
            node->total[k] = side_converted(&page->sides[k], node->total[k]);
            node->self[k] = side_converted(&page->sides[k], node->self[k]);
            size += digits(node->total[k]) + digits(node->self[k]) + (k > 0 ? 2 : 0);
        }
        if (i > 0)
            weigh(page, (double)MAX(node->total[0], node->total[1]), size);
    }
    if (room != NULL)
        page->frame_limit = choose_limit(page, room);
}

/*
 * Prints the arcs that a function makes, and for those that call it, as at the end of the others, what is left out:
 * number and cost. NULL: the input has no such function.
 */
static void print_calls(const struct page *page, const struct side *side, const struct view_row *row)
{
    for (int is_from = 0; is_from <= 1; is_from++) {
        struct calls_list calls = {.count = 0};
        uint64_t left = 0;
        cost_t left_cost = 0;
        if (row != NULL)
            calls = shown_calls(&side->lists, (size_t)row->number, is_from);
        fputs(",[", page->stream);
        for (size_t i = 0; i < calls.count; i++) {
            const struct cg2wg_arc *arc = &side->shown->profile.arcs[calls.arcs[i]];
            uint32_t function = is_from ? arc->caller : arc->callee;
            uint32_t other = page->place_of[side->numbers != NULL ? side->numbers[function] : function];
            cost_t cost = side_converted(side, arc->cost);
            if (other == 0 || !reaches(page, (double)cost, page->limit)) {
                count_add(&left, arc->calls);
                cost_add(&left_cost, arc->cost);
            } else if (!is_from) {
                JSON_LIST(page->stream, 4, other - 1, profile_arc_line(&side->shown->profile, arc),
                          (int64_t)side_average(side, arc->calls), cost);
                fputc(',', page->stream);
            }
        }
        JSON_LIST(page->stream, 1, (int64_t)side_average(side, left), side_converted(side, left_cost));
        fputc(']', page->stream);
    }
}

/* Functions also have objects, unless the names of those take more room. */
static void intern_objects(struct page *page, size_t room)
{
    size_t used = 0;
    struct names *objects = &page->texts[CG2WG_GROUP_OBJECT].names;
    for (size_t i = 0; i < page->view->count && used <= room; i++) {
        size_t count = objects->count;
        if (text_number(page, &page->view->rows[i], CG2WG_GROUP_OBJECT) == count)
            used += json_string(NULL, page->view->rows[i].object, true) + GROUP_SIZE;
    }
    page->has_objects = used <= room && objects->count > 1;
}

/* Finds the groups that the texts of the functions name. A function may have been in another one in the base. */
static void find_groups(struct page *page)
{
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_OBJECT; by++) {
        struct page_texts *texts = &page->texts[by];
        texts->places = memory_zeroed(texts->names.count, sizeof *texts->places);
        for (size_t k = 0; k < MIN(page->side_count, SIDES); k++) {
            const struct contents *shown = page->sides[k].shown;
            texts->groups[k] = memory_zeroed(texts->names.count, sizeof *texts->groups[k]);
            for (size_t i = 0; i < page->view->count && (by != CG2WG_GROUP_OBJECT || page->has_objects); i++) {
                const struct view_row *row = &page->view->rows[i], *of = row_of(page, row, k);
                bool is_same = of != NULL &&
                               (by == CG2WG_GROUP_CLASS || text_same(by == CG2WG_GROUP_FILE ? of->file : of->object,
                                                                     by == CG2WG_GROUP_FILE ? row->file : row->object));
                if (is_same && shown->groups[by].of != NULL)
                    texts->groups[k][text_number(page, row, by)] = shown->groups[by].of[of->number] + 1;
            }
        }
    }
}

/* Prints a text that the page may have already, for which then its place is enough. */
static void print_once(struct page *page, enum cg2wg_group by, uint32_t number)
{
    struct page_texts *texts = &page->texts[by];
    if (number == NAME_EMPTY || texts->places[number] > 0) {
        JSON_LIST(page->stream, 0, texts->places[number]);
    } else {
        json_string(page->stream, names_text(&texts->names, number), true);
        texts->places[number] = ++texts->known;
    }
}

static void print_functions(struct page *page)
{
    enum cg2wg_group last = page->has_objects ? CG2WG_GROUP_OBJECT : CG2WG_GROUP_CLASS;
    for (size_t i = 0; i < page->view->count; i++) {
        const struct view_row *row = &page->view->rows[i];
        fputs(i > 0 ? ",\n[" : "\n[", page->stream);
        json_string(page->stream, row->name, true);
        fputs(",", page->stream);
        print_once(page, CG2WG_GROUP_FILE, row->file_number);
        fputc(',', page->stream);
        JSON_LIST(page->stream, 8, row->line, row->measures[SELF], row->measures[INCLUSIVE], row->measures[COUNT]);
        const struct pair *pair = page->differences != NULL ? &page->differences->pairs[row->number] : NULL;
        print_calls(page, &page->sides[0], row_of(page, row, 0));
        if (pair != NULL) { /* how it differs, what it was, and its calls in the other input */
            const struct side *side = &page->sides[1];
            const int64_t *base = pair->base != NULL ? pair->base->measures : (const int64_t[MEASURES]){0};
            fprintf(page->stream, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%d", pair->changes[SELF],
                    pair->changes[INCLUSIVE], pair->changes[COUNT], (pair->base == NULL) - (pair->now == NULL));
            print_calls(page, side, pair->base);
            fprintf(page->stream, ",%" PRId64 ",%" PRId64 ",%" PRIu64, side_cost(side, base[SELF]),
                    side_cost(side, base[INCLUSIVE]), side_average(side, (uint64_t)base[COUNT]));
        }
        for (enum cg2wg_group by = CG2WG_GROUP_CLASS; by <= last; by++) {
            uint32_t text = text_number(page, row, by);
            fputs(by == last && text == NAME_EMPTY ? "" : ",", page->stream);
            if (by < last || text != NAME_EMPTY)
                print_once(page, by, text);
        }
        fputs("]", page->stream);
        view_check_size(page->stream, page->sides[0].shown, "names", CG2WG_MEMBER_MIN);
    }
}

/* Prints, if some functions have shorter names in stacks, of each how many parts of its name between quotes that is. */
static void print_stack_names(struct page *page)
{
    bool has_any = page->stack_names[0] != NULL || page->stack_names[1] != NULL;
    for (size_t i = 0; i < page->view->count && has_any; i++) {
        const struct view_row *row = &page->view->rows[i];
        const struct pair *pair = page->differences != NULL ? &page->differences->pairs[row->number] : NULL;
        size_t side = pair != NULL && pair->now == NULL, parts = 1;
        const struct view_row *of = row_of(page, row, side);
        const struct text *names = page->stack_names[side];
        struct text name = names != NULL ? names[of->number] : row->name;
        for (const char *c = name.at; c < name.end; c++)
            parts += *c == '\'';
        fprintf(page->stream, "%s%zu", i > 0 ? "," : "],\n\"stack_names\":[", parts);
    }
}

/*
 * Prints the costs of the files, classes and objects that the functions name: for each the place of its text, and for
 * each input self and inclusive cost, number of calls and, of memory, what was allocated; at the end of each kind, for
 * each input, how many groups are left out and their self cost.
 */
static void print_groups(struct page *page)
{
    const size_t side_count = MIN(page->side_count, SIDES);
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_OBJECT; by++) {
        const struct page_texts *texts = &page->texts[by];
        size_t left[2] = {0, 0};
        cost_t left_self[2] = {0, 0};
        fputs(by == CG2WG_GROUP_FILE ? "],\n\"groups\":[[" : ",\n[", page->stream);
        for (size_t k = 0; k < side_count; k++) {
            const struct grouping *groups = &page->sides[k].shown->groups[by];
            left[k] = groups->count;
            for (size_t i = 0; i < groups->count; i++)
                cost_add(&left_self[k], groups->rows[i].self);
        }
        for (uint32_t i = 0; i < texts->names.count; i++) {
            if (texts->groups[0][i] == 0 && (side_count < 2 || texts->groups[1][i] == 0))
                continue;
            JSON_LIST(page->stream, 0, texts->places[i]);
            for (size_t k = 0; k < side_count; k++) {
                const struct side *side = &page->sides[k];
                const struct grouping *groups = &side->shown->groups[by];
                uint32_t number = texts->groups[k][i];
                struct function none = {.self = 0}, *group = number > 0 ? &groups->rows[number - 1] : &none;
                fputc(',', page->stream);
                JSON_LIST(page->stream, 4, side_converted(side, group->self), side_converted(side, group->inclusive),
                          (int64_t)side_average(side, group->invocations));
                if (groups->allocated != NULL && side_count == 1)
                    fprintf(page->stream, ",%" PRId64, number > 0 ? groups->allocated[number - 1] : 0);
                cost_subtract(&left_self[k], group->self);
                left[k] -= number > 0;
            }
            fputs(",", page->stream);
        }
        for (size_t k = 0; k < side_count; k++)
            fprintf(page->stream, "%s%zu,%" PRId64, k > 0 ? "," : "", left[k],
                    side_converted(&page->sides[k], left_self[k]));
        fputs("]", page->stream);
    }
}

/*
 * Prints the lines of the functions that reach the limit: for each function a list of file (0: its own), number, and of
 * each input, self cost and calls; at its end, how many are left out, and their self cost in each.
 */
static void print_lines(struct page *page)
{
    fputs("],\n\"lines\":[", page->stream);
    for (size_t i = 0; i < page->view->count; i++) {
        uint64_t number = page->view->rows[i].number;
        size_t left = 0;
        cost_t left_self[2] = {0, 0};
        fputs(i > 0 ? ",\n[" : "\n[", page->stream);
        for (size_t at = page->line_start[number]; at < page->line_start[number + 1]; at++) {
            const struct page_line *line = &page->lines[at];
            bool is_shown = reaches(page, line_weight(line), page->limit);
            if (is_shown) {
                print_once(page, CG2WG_GROUP_FILE, line->file);
                fputc(',', page->stream);
                JSON_LIST(page->stream, 0, line->line);
                fputc(',', page->stream);
            }
            for (size_t k = 0; k < page->side_count; k++)
                if (is_shown) {
                    JSON_LIST(page->stream, 0, line->self[k], line->calls[k]);
                    fputc(',', page->stream);
                } else {
                    cost_add(&left_self[k], line->self[k]);
                }
            left += !is_shown;
        }
        fprintf(page->stream, "%zu", left);
        for (size_t k = 0; k < MIN(page->side_count, SIDES); k++)
            fprintf(page->stream, ",%" PRId64, left_self[k]);
        fputs("]", page->stream);
    }
}

/*
 * Prints source that reaches the limit: for each file a list of its name, and then texts of lines that follow each
 * other, after the first number. A file that had another name before has the place of that, from 1 on, instead.
 */
static void print_code(struct page *page)
{
    const char *before = "],\n\"code\":[\n[";
    uint32_t place = 0;
    for (uint32_t name = 0; name < page->code.name_capacity; name++) {
        struct code_file *file = page->code.file_of[name] != 0 ? code_find(&page->code, name) : NULL;
        size_t last = 0;
        if (file == NULL || file->weights == NULL)
            continue;
        fputs(before, page->stream);
        before = ",\n[";
        json_string(page->stream, names_text(&page->sides[0].shown->profile.names, name), true);
        place++;
        if (file->place != 0)
            fprintf(page->stream, ",%" PRIu32, file->place);
        for (size_t i = 1; file->place == 0 && i <= file->line_count; i++) {
            if (file->weights[i] <= 0 || !reaches(page, file->weights[i], page->limit))
                continue;
            if (i != last + 1 || last == 0)
                fprintf(page->stream, ",%zu", i);
            fputs(",", page->stream);
            json_string(page->stream, code_of(file, i), true);
            last = i;
        }
        file->place = file->place != 0 ? file->place : place;
        fputs("]", page->stream);
    }
}

/* Prints the start of a text, which may be longer than any name. */
static void print_member(FILE *stream, const char *key, struct text t)
{
    fprintf(stream, "\"%s\":", key);
    json_string(stream, text_length(t) > MOST_TEXT ? text_of(t.at, MOST_TEXT) : t, true);
    fputs(",\n", stream);
}

/* Prints what there is beside a total. */
static void print_notes(FILE *stream, const char *key, const struct view_total *total)
{
    fprintf(stream, "\"%s\":[", key);
    for (const struct view_note *note = total->notes; note->before != NULL; note++)
        fprintf(stream, "%s[\"%s\",%" PRId64 ",\"%s\"]", note > total->notes ? "," : "", note->before, note->cost,
                note->after);
    fputs("],\n", stream);
}

static void print_frames(struct page *page)
{
    uint32_t frames = 0, left = 0;
    cost_t left_cost = 0;
    for (size_t i = 0; i < page->tree.count; i++) {
        struct stack_node *node = &page->tree.nodes[i], *parent = &page->tree.nodes[i > 0 ? node->parent : 0];
        double weight = (double)MAX(node->total[0], node->total[1]);
        if (i > 0 && (parent->place == NONE || weight <= 0 || !reaches(page, weight, page->frame_limit))) {
            left += weight > 0;
            cost_add(&left_cost, parent->place != NONE ? node->total[0] : 0);
            continue;
        }
        node->place = frames++;
        fputs(i > 0 ? "," : "", page->stream);
        JSON_LIST(page->stream, 0, parent->place, (int64_t)page->place_of[node->name] - 1);
        for (size_t k = 0; k < page->side_count; k++) {
            fputc(',', page->stream);
            JSON_LIST(page->stream, 0, node->total[k], node->self[k]);
        }
    }
    fprintf(page->stream, "],\n\"frames_left\":%" PRIu32 ",\n\"frames_left_cost\":%" PRId64 "}\n", left, left_cost);
}

/* Prints what there is of each function, and stacks. */
/* Prints the calls in their order; those of functions that are left out as if they were too short. */
static void print_timeline(const struct page *page)
{
    const struct contents *shown = page->sides[0].shown;
    const struct timeline *timeline = &shown->timeline;
    const char *before = "[";
    if (timeline->step > 0 && timeline->count > 0)
        fprintf(page->stream, "],\n\"step\":%" PRIu64 ",\n\"threads\":", timeline->step);
    for (size_t i = 0; i < timeline->count && timeline->step > 0; i++) {
        if (timeline->spans[i].name == NAME_EMPTY)
            continue;
        fputs(before, page->stream);
        json_string(page->stream, names_text(&shown->profile.names, timeline->spans[i].name), true);
        before = ",";
    }
    for (size_t i = 0; i < timeline->count; i++) {
        const struct span *span = &timeline->spans[i];
        uint32_t place = span->function != NONE ? page->place_of[span->function] : 0;
        fputs(i > 0 ? "," : "],\n\"time\":[", page->stream);
        JSON_LIST(page->stream, 0, span->parent != NONE ? (int64_t)span->parent : -1,
                  place > 0 ? (int64_t)place - 1 : -(int64_t)MIN(span->calls, INT32_MAX), span->start, span->cost);
    }
}

static void print_lists(struct page *page)
{
    const struct view *view = page->view;
    const struct differences *d = page->differences;
    fputs("\"functions\":[", page->stream);
    print_functions(page);
    print_stack_names(page);
    print_groups(page);
    for (size_t i = 0; i < view->count && view->has_allocated && d == NULL; i++)
        fprintf(page->stream, "%s%" PRId64, i > 0 ? "," : "],\n\"allocated\":[", view->rows[i].measures[ALLOCATED]);
    for (size_t i = 0; i < view->count && d != NULL && d->has_runs; i++) {
        const double *margins = d->pairs[view->rows[i].number].margins;
        fprintf(page->stream, "%s%" PRId64 ",%" PRId64, i > 0 ? "," : "],\n\"margins\":[", margin_as_cost(margins[0]),
                margin_as_cost(margins[1]));
    }
    if (page->lines != NULL)
        print_lines(page);
    print_code(page);
    if (d == NULL)
        print_timeline(page);
    fputs("],\n\"stacks\":[", page->stream);
    print_frames(page);
}

static void print_data(struct page *page, const struct cg2wg_view *options)
{
    static const char *const orders[] = {[CG2WG_BY_SELF] = "self",
                                         [CG2WG_BY_INCLUSIVE] = "inclusive",
                                         [CG2WG_BY_INVOCATIONS] = "invocations",
                                         [CG2WG_BY_NAME] = "name",
                                         [CG2WG_BY_PLACE] = "self"};
    static const char *const counts[] = {"calls", "samples", "nothing"}; /* of enum counts */
    static const char *const units[] = {[QUANTITY_NUMBER] = "", [QUANTITY_TIME] = "time", [QUANTITY_BYTES] = "bytes"};
    const struct contents *shown = page->sides[0].shown;
    const struct view *view = page->view;
    const struct differences *d = page->differences;
    struct quantity quantity = quantity_of(shown->facts.event);
    struct text command = shown->facts.heading, creator = text_of("", 0);
    char limit[TEXT_REAL], frame_limit[TEXT_REAL];
    cost_t left_self = 0;
    uint64_t left_invocations = 0;
    for (size_t i = 0; i < shown->profile.header_count; i++) { /* the last ones, which webgrind shows */
        const struct header *header = &shown->profile.headers[i];
        struct text value = text_trim(names_text(&shown->profile.names, header->value));
        if (header->kind == HEADER_CMD && text_is_empty(shown->facts.heading))
            command = value;
        else if (text_equals(names_text(&shown->profile.names, header->key), "creator"))
            creator = value;
    }
    for (size_t i = view->count; i < view->all; i++) {
        cost_add(&left_self, view->rows[i].measures[SELF]);
        count_add(&left_invocations, (uint64_t)view->rows[i].measures[COUNT]);
    }
    fputs("{\n", page->stream);
    print_member(page->stream, "title", command);
    print_member(page->stream, "creator", creator);
    print_member(page->stream, "event", shown->facts.event);
    print_member(page->stream, "link", text_of_string(options->link != NULL ? options->link : ""));
    fprintf(page->stream, "\"unit\":\"%s\",\n\"factor\":%" PRIu64 ",\n",
            units[options->raw ? QUANTITY_NUMBER : quantity.kind], quantity.factor / page->sides[0].factor);
    fprintf(page->stream, "\"total\":%" PRId64 ",\n\"percent_of\":%" PRId64 ",\n\"runs\":%" PRIu64 ",\n",
            view->total.sum, view->total.percent_of, shown->facts.runs);
    print_notes(page->stream, "notes", &view->total);
    print_member(page->stream, "no_calls", text_of_string(shown->facts.no_calls != NULL ? shown->facts.no_calls : ""));
    fprintf(page->stream, "\"has_inclusive\":%d,\n\"repeats\":%d,\n", view->has_inclusive, page->repeats);
    fprintf(page->stream, "\"counts\":\"%s\",\n\"limit\":%s,\n\"frame_limit\":%s,\n\"negative_stacks\":%zu,\n",
            counts[view->counts], text_real(limit, 10, 'g', page->limit),
            text_real(frame_limit, 10, 'g', page->frame_limit), page->negative_stacks);
    fprintf(page->stream, "\"estimated\":%d,\n\"deeper\":%d,\n", shown->has_estimate,
            page->tree.is_too_deep || page->tree.is_cut);
    fprintf(page->stream, "\"chosen\":%d,\n\"sort\":\"%s\",\n",
            options->only.count > 0 || options->hide.count > 0 || options->top > 0, orders[options->order]);
    if (d != NULL) {
        const struct side *base = &d->sides[BASE];
        print_member(page->stream, "base", text_of_string(base->shown->diag.input));
        print_notes(page->stream, "base_notes", &base->view.total);
        fprintf(page->stream,
                "\"base_total\":%" PRId64 ",\n\"base_percent_of\":%" PRId64 ",\n\"change\":%" PRId64
                ",\n\"rounding\":%" PRId64 ",\n\"per_run\":%d,\n",
                side_cost(base, base->view.total.sum), side_cost(base, base->view.total.percent_of), d->change,
                d->rounding, d->is_per_run);
        if (d->has_runs)
            fprintf(page->stream, "\"margin\":%" PRId64 ",\n", margin_as_cost(d->margin));
    }
    fprintf(page->stream, "\"left\":{\"functions\":%zu,\"self\":%" PRId64 ",\"invocations\":%" PRIu64 "},\n",
            view->all - view->count, left_self, left_invocations);
    print_lists(page);
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

/* The page is about two inputs. */
static void take_sides(struct page *page, const struct differences *d)
{
    uint32_t *numbers = memory_zeroed(d->sides[BASE].view.all + 1, sizeof *numbers);
    page->row_count = d->sides[NOW].view.all + d->sides[BASE].view.all;
    for (size_t i = 0; i < page->row_count; i++)
        if (d->pairs[i].base != NULL)
            numbers[d->pairs[i].base->number] = (uint32_t)i;
    page->sides[0] = d->sides[NOW];
    page->sides[1] = d->sides[BASE];
    page->sides[1].numbers = numbers;
    page->side_count = 2;
    page->total = MAX(d->sides[NOW].total, d->sides[BASE].total);
}

static int by_place(const void *left, const void *right)
{
    const struct page_line *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

/* Makes those of both inputs that are at the same place one. */
static size_t unite_lines(struct page_line *lines, size_t count)
{
    size_t united = 0;
    qsort(lines, count, sizeof *lines, by_place);
    for (size_t i = 0; i < count; i++) {
        struct page_line *last = united > 0 ? &lines[united - 1] : NULL;
        if (last == NULL || by_place(last, &lines[i]) != 0) {
            lines[united++] = lines[i];
            continue;
        }
        last->name = MIN(last->name, lines[i].name);
        for (size_t k = 0; k < 2; k++) {
            cost_add(&last->self[k], lines[i].self[k]);
            cost_add(&last->calls[k], lines[i].calls[k]);
        }
    }
    return united;
}

/* The function of a row in an input, or NONE. */
static uint32_t function_of(const struct page *page, size_t number, size_t side)
{
    const struct pair *pair = page->differences != NULL ? &page->differences->pairs[number] : NULL;
    const struct view_row *row = pair == NULL ? NULL : side == 0 ? pair->now : pair->base;
    return pair == NULL ? (uint32_t)number : row != NULL ? (uint32_t)row->number : NONE;
}

/* Takes the lines of all functions, with their files. */
static void take_lines(struct page *page)
{
    const size_t side_count = MIN(page->side_count, SIDES);
    struct ordered_lines ordered[SIDES];
    uint32_t *files[SIDES] = {NULL, NULL}; /* of each input, in the page */
    size_t count = 0, capacity = 0;
    for (size_t k = 0; k < side_count; k++) {
        const struct profile *profile = &page->sides[k].shown->profile;
        ordered_lines_init(&ordered[k], profile);
        files[k] = memory_zeroed(profile->names.count, sizeof *files[k]);
        for (size_t i = 0; i < profile->lines->count; i++) {
            uint32_t file = profile->lines->rows[i].key.file; /* a name may be long */
            if (files[k][file] == NAME_EMPTY)
                files[k][file] = names_intern(&page->texts[CG2WG_GROUP_FILE].names, names_text(&profile->names, file));
        }
    }
    page->line_start = memory_zeroed(page->row_count + 1, sizeof *page->line_start);
    array_reserve(&page->lines, &capacity, 1, sizeof *page->lines);
    for (size_t number = 0; number < page->row_count; number++) {
        uint32_t own = NONE;
        for (size_t k = 0; k < side_count; k++) {
            const struct side *side = &page->sides[k];
            const struct profile *profile = &side->shown->profile;
            uint32_t function = function_of(page, number, k);
            struct code_line line;
            if (function == NONE)
                continue;
            own = own == NONE ? files[k][profile->functions[function].file] : own;
            for (size_t next = ordered[k].start[function];
                 ordered_lines_take(&ordered[k], profile->lines, &next, ordered[k].start[function + 1], &line);) {
                uint32_t file = files[k][line.file];
                struct page_line added = {
                    file == own ? NAME_EMPTY : file, k == 0 ? line.file : NONE, line.line, {0, 0}, {0, 0}};
                added.self[k] = side_converted(side, line.self);
                added.calls[k] = side_converted(side, line.calls);
                if (line.self != 0 || line.calls != 0)
                    array_append(&page->lines, &count, &capacity, &added, sizeof added);
            }
        }
        size_t start = page->line_start[number];
        if (side_count > 1)
            count = start + unite_lines(&page->lines[start], count - start);
        page->line_start[number + 1] = count;
    }
    for (size_t k = 0; k < side_count; k++) {
        memory_free(ordered[k].start);
        memory_free(ordered[k].all);
        memory_free(files[k]);
    }
}

/* Keeps those that reach the limit, by name. */
static void choose_rows(struct page *page, struct view *view)
{
    size_t count = 0;
    page->place_of = memory_zeroed(page->row_count + 1, sizeof *page->place_of);
    for (size_t i = 0; i < view->count; i++) {
        struct view_row row = view->rows[i];
        if (!reaches(page, (double)row.key, page->limit))
            continue;
        view->rows[i] = view->rows[count];
        view->rows[count++] = row;
    }
    view->count = count;
    qsort(view->rows, count, sizeof *view->rows, view_by_name);
    for (uint32_t i = 0; i < count; i++)
        page->place_of[view->rows[i].number] = i + 1;
}

void print_page(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct view *view,
                const struct differences *d)
{
    static const double divisors[DECADES] = {1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1, 0.1};
    bool is_limited = options->min >= 0 && (view->total.base > 0 || options->min == 0);
    double limit = is_limited ? options->min : 0;
    struct page page = {.stream = stream,
                        .view = view,
                        .differences = d,
                        .side_count = 1,
                        .sides = {{.shown = shown, .factor = 1, .per = 1}},
                        .total = view->total.base,
                        .row_count = shown->profile.function_count,
                        .limit = limit,
                        .frame_limit = limit};
    uint64_t share = shown->page_event > 0 ? 2 * (shown->page_events - 1) : MIN(shown->page_events, 2);
    uint64_t frame_room = MOST_FRAMES / share;
    const struct grouping *classes = &shown->groups[CG2WG_GROUP_CLASS];
    const struct names *names = &shown->profile.names;
    if (d != NULL)
        take_sides(&page, d);
    else
        weigh_timeline(shown, &frame_room);
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_OBJECT; by++)
        names_init(&page.texts[by].names);
    for (size_t i = 0; i < view->count; i++) {
        struct view_row *row = &view->rows[i];
        const struct view_row *base = d != NULL ? d->pairs[row->number].base : NULL;
        row->key = MAX(MAX(row->measures[SELF], row->measures[INCLUSIVE]), row->measures[ALLOCATED]);
        if (base != NULL)
            row->key = MAX(row->key, side_cost(&d->sides[BASE], MAX(base->measures[SELF], base->measures[INCLUSIVE])));
        row->file_number = names_intern(&page.texts[CG2WG_GROUP_FILE].names, row->file);
        struct text class = classes->of == NULL || d != NULL
                                ? group_class(row->name)
                                : names_text(names, classes->rows[classes->of[row->number]].name);
        if (text_equals(class, "[none]"))
            class.end = class.at;
        row->class_number = names_intern(&page.texts[CG2WG_GROUP_CLASS].names, class);
    }
    page.code = (struct code){.options = options, .shown = shown};
    const struct contents *other = page.sides[page.side_count - 1].shown;
    /* Of a preprocessed file, lines are those of functions and calls, which others are not compared with. */
    if (shown->profile.lines != NULL && other->profile.lines != NULL &&
        (shown->stored.version > 0) == (other->stored.version > 0))
        take_lines(&page);
    for (size_t i = 0; page.lines != NULL && options->source_count > 0 && i < view->count; i++)
        mark_function(&page, view->rows[i].number);
    page.limits[LIMIT_COUNT - 1] = 1e12;
    for (size_t i = 0; i < LIMIT_COUNT - 2; i++)
        page.limits[i + 1] = (10 + (double)(i % LIMITS_A_DECADE)) / divisors[i / LIMITS_A_DECADE];
    if (shown->has_contexts && (d == NULL || d->sides[BASE].shown->has_contexts))
        make_stacks(&page, is_limited ? NULL : &frame_room);
    if (!is_limited)
        page.limit = function_limit(&page, (MOST_DATA - MOST_FRAMES) / share + frame_room);
    choose_rows(&page, view);
    for (size_t i = 0; i < page.side_count; i++) {
        arc_lists_init(&page.sides[i].lists, &page.sides[i].shown->profile);
        page.stack_names[i] = stacks_names(page.sides[i].shown);
        page.repeats |= shown_repeats_recursion(page.sides[i].shown);
    }
    intern_objects(&page, (size_t)(MOST_OBJECTS / share));
    find_groups(&page);
    /* From here on, no memory is needed. */
    if (shown->page_event == 0)
        print_page_around(stream, false);
    else
        fputc(',', stream);
    print_data(&page, options);
}

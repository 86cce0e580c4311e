/* SPDX-License-Identifier: MIT */
/* What a page shows; page_print.c prints it. */
#include "view/page.h"

#include "model/groups.h"
#include "model/line_costs.h"

#include <stdlib.h>

/*
 * Bytes of the data: what a page of 20 MB has room for, frames among it, and objects besides; what the numbers of a
 * function, of its left out calls, of an arc and of a frame take besides their digits. Of a line
 * of source, there are MOST_CODE bytes.
 */
enum {
    MOST_DATA = 19500000,
    MOST_FRAMES = 6000000,
    MOST_OBJECTS = 400000,
    FUNCTION_SIZE = 60,
    GROUP_SIZE = 60,
    ARC_SIZE = 4,
    FRAME_SIZE = 4,
    MOST_CODE = 200
};

uint32_t page_text(struct page *page, const struct view_row *row, enum cg2wg_group by)
{
    return by == CG2WG_GROUP_FILE ? row->file_number
           : by == CG2WG_GROUP_CLASS
               ? row->class_number
               : names_intern(&page->texts[by].names, by == CG2WG_GROUP_OBJECT ? row->object : group_folder(row->file));
}

static void weigh(struct page *page, double cost, size_t size)
{
    size_t low = 0;
    for (size_t count = page->total > 0 && cost > 0 ? LIMIT_COUNT : 1; count > 1;) {
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

/* Takes so much room, if there is enough. */
static bool take_room(uint64_t *room, uint64_t size)
{
    bool has_room = size <= *room;
    *room -= has_room ? size : 0;
    return has_room;
}

/* Takes the room of the timeline and of single calls, which are left out if it is too small for them, and of parts. */
static void weigh_timeline(struct contents *shown, uint64_t *room)
{
    enum { SPAN_SIZE = 20, CALL_SIZE = 64, CALLER_SIZE = 14 }; /* a span's without start and cost */
    struct timeline *timeline = &shown->timeline;
    uint64_t call_size = shown->single.count * CALLS_SHOWN * CALL_SIZE + shown->single.caller_count * CALLER_SIZE;
    uint64_t size = 0;
    for (size_t i = 0; i < timeline->count; i++)
        size += digits(timeline->spans[i].start) + digits(timeline->spans[i].cost) + SPAN_SIZE +
                json_string(NULL, names_text(&shown->profile.names, timeline->spans[i].name), true);
    timeline->count = take_room(room, size) ? timeline->count : 0;
    shown->single.count = take_room(room, call_size) ? shown->single.count : 0;
    *room -= view_parts_fit(shown->runs->parts, shown->page_group, *room / 2);
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

struct text page_code(const struct code_file *file, size_t line)
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
        weigh(page, page_line_weight(line), size);
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
            after[i - 1] = MAX(after[i], page_line_weight(&lines[i]));
    for (size_t i = 0; i < count; i++) {
        const struct page_line *l = &lines[i];
        double weight = page_line_weight(l);
        struct code_file *file = l->name != NONE && l->line != 0 ? code_find(&page->code, l->name) : NULL;
        before = i > 0 && l[-1].file == l->file ? MAX(before, page_line_weight(&l[-1])) : 0;
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
                weigh(page, file->weights[i], json_string(NULL, page_code(file, i), true) + digits((int64_t)i) + 2);
    }
}

static void weigh_texts(struct page *page, enum cg2wg_group by)
{
    const struct page_texts *texts = &page->texts[by];
    double *most = memory_zeroed(texts->names.count, sizeof *most);
    for (size_t i = 0; i < page->view->count; i++) {
        const struct view_row *row = &page->view->rows[i];
        double *cost = &most[page_text(page, row, by)];
        *cost = MAX(*cost, (double)row->key);
    }
    for (uint32_t i = 0; i < texts->names.count; i++)
        weigh(page, most[i], json_string(NULL, names_text(&texts->names, i), true) + GROUP_SIZE);
}

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
    weigh_texts(page, CG2WG_GROUP_FOLDER);
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
 * Makes the tree, with costs in the unit of the page, and chooses its limit for *room bytes, from which it takes what
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

/* Functions also have objects, unless the names of those take more room. */
static void intern_objects(struct page *page, size_t room)
{
    size_t used = 0;
    struct names *objects = &page->texts[CG2WG_GROUP_OBJECT].names;
    for (size_t i = 0; i < page->view->count && used <= room; i++) {
        size_t count = objects->count;
        if (page_text(page, &page->view->rows[i], CG2WG_GROUP_OBJECT) == count)
            used += json_string(NULL, page->view->rows[i].object, true) + GROUP_SIZE;
    }
    page->has_objects = used <= room && objects->count > 1;
}

/* Finds the groups that the texts of the functions name. A function may have been in another one in the base. */
static void find_groups(struct page *page)
{
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_FOLDER; by++) {
        struct page_texts *texts = &page->texts[by];
        texts->places = memory_zeroed(texts->names.count, sizeof *texts->places);
        for (size_t k = 0; k < MIN(page->side_count, SIDES); k++) {
            const struct contents *shown = page->sides[k].shown;
            texts->groups[k] = memory_zeroed(texts->names.count, sizeof *texts->groups[k]);
            for (size_t i = 0; i < page->view->count && (by != CG2WG_GROUP_OBJECT || page->has_objects); i++) {
                const struct view_row *row = &page->view->rows[i], *of = page_row(page, row, k);
                bool is_same = of != NULL && (by == CG2WG_GROUP_CLASS ||
                                              text_same(by != CG2WG_GROUP_OBJECT ? of->file : of->object,
                                                        by != CG2WG_GROUP_OBJECT ? row->file : row->object));
                if (is_same && shown->groups[by].of != NULL)
                    texts->groups[k][page_text(page, row, by)] = shown->groups[by].of[of->number] + 1;
            }
        }
    }
}

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
        if (!page_reaches(page, (double)row.key, page->limit))
            continue;
        view->rows[i] = view->rows[count];
        view->rows[count++] = row;
    }
    view->count = count;
    qsort(view->rows, count, sizeof *view->rows, view_by_name);
    for (uint32_t i = 0; i < count; i++)
        page->place_of[view->rows[i].number] = i + 1;
}

/* Finds the largest cost of each function in any input, and its file, class and folder. */
static void take_texts(struct page *page, const struct view *view)
{
    const struct differences *d = page->differences;
    const struct contents *shown = page->sides[0].shown;
    const struct grouping *classes = &shown->groups[CG2WG_GROUP_CLASS];
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_FOLDER; by++)
        names_init(&page->texts[by].names);
    for (size_t i = 0; i < view->count; i++) {
        struct view_row *row = &view->rows[i];
        const struct view_row *base = d != NULL ? d->pairs[row->number].base : NULL;
        row->key = MAX(MAX(row->measures[SELF], row->measures[INCLUSIVE]), row->measures[ALLOCATED]);
        if (base != NULL)
            row->key = MAX(row->key, side_cost(&d->sides[BASE], MAX(base->measures[SELF], base->measures[INCLUSIVE])));
        row->file_number = names_intern(&page->texts[CG2WG_GROUP_FILE].names, row->file);
        struct text class = classes->of == NULL || d != NULL
                                ? group_class(row->name)
                                : names_text(&shown->profile.names, classes->rows[classes->of[row->number]].name);
        if (text_equals(class, "[none]"))
            class.end = class.at;
        row->class_number = names_intern(&page->texts[CG2WG_GROUP_CLASS].names, class);
        page_text(page, row, CG2WG_GROUP_FOLDER);
    }
}

/* The costliest function that the page is to open with, of those that match; or NONE. */
static uint32_t find_opened(const struct view *view, struct contents *shown)
{
    struct row_patterns wanted = row_patterns_of(&shown->page_functions);
    uint32_t found = NONE;
    int64_t most = 0;
    for (size_t i = 0; i < view->all && shown->page_functions.count > 0; i++)
        if (row_matches(&view->rows[i], &wanted, NULL) && (found == NONE || view->rows[i].measures[INCLUSIVE] > most)) {
            found = (uint32_t)view->rows[i].number;
            most = view->rows[i].measures[INCLUSIVE];
        }
    if (found == NONE && shown->page_functions.count > 0 && shown->page_event == 0)
        diag_error(&shown->diag, 0, "no function matches %s", shown->page_functions.words[0]);
    return found;
}

void print_page(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct view *view,
                const struct differences *d)
{
    static const double divisors[DECADES] = {1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1, 0.1};
    bool is_limited = options->min >= 0 && (view->total.base > 0 || options->min == 0);
    double limit = is_limited ? options->min : 0;
    struct page page = {.view = view,
                        .differences = d,
                        .side_count = 1,
                        .sides = {{.shown = shown, .factor = 1, .per = 1}},
                        .total = view->total.base,
                        .row_count = shown->profile.function_count,
                        .limit = limit,
                        .frame_limit = limit,
                        .opened = find_opened(view, shown)};
    uint64_t share = shown->page_event > 0 ? 2 * (shown->page_events - 1) : MIN(shown->page_events, 2);
    uint64_t frame_room = MOST_FRAMES / share;
    if (d != NULL)
        take_sides(&page, d);
    else
        weigh_timeline(shown, &frame_room);
    take_texts(&page, view);
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
    page_print(stream, &page);
}

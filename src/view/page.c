/* SPDX-License-Identifier: MIT */
/* What a page shows; page_print.c prints it. */
#include "view/page.h"

#include "model/groups.h"
#include "model/line_costs.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Bytes of the data: what a page of 20 MB has room for, and of them an event, which a browser opens in half a second.
 * Of its FRAME_PART, frames have one, with the timeline, single calls and parts. A line of source has MOST_CODE.
 */
enum { MOST_DATA = 19500000, MOST_EVENT = 5000000, FRAME_PART = 3, SHARES = 10, MOST_PARTS = 10000, MOST_CODE = 200 };

uint32_t page_limit(const struct page *page, double cost)
{
    uint32_t low = 0;
    for (uint32_t count = page->total > 0 && cost > 0 && !page->has_weighed ? LIMIT_COUNT : 1; count > 1;) {
        uint32_t half = count / 2;
        low += cost * 100 >= page->limits[low + half] * page->total ? half : 0;
        count -= half;
    }
    return low;
}

/* Takes at most half of the room for what is beside functions and frames: leaves out the smallest parts, or all. */
static void fit_beside(struct page *page, uint64_t *room)
{
    struct contents *shown = page->sides[NOW].shown;
    for (size_t most = MOST_PARTS; most > 0; most /= 2) {
        struct json counted = {.in_html = true};
        page_print_beside(&counted, page);
        if (counted.size <= *room / 2) {
            *room -= counted.size;
            return;
        }
        view_parts_limit(shown->runs->parts, shown->page_group, most / 2);
    }
    shown->timeline.count = shown->single.count = 0;
}

/* The smallest limit with which the bytes are at most *room, from which it takes them. */
static double choose_limit(const struct page *page, const uint64_t *bytes, uint64_t *room)
{
    size_t i = LIMIT_COUNT - 1;
    for (; i > 0 && bytes[i - 1] <= *room; i--)
        *room -= bytes[i - 1];
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

/* Marks the source of lines of a function, and what is beside them where another one on that side is shown, too. */
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
        int64_t line = l->line;
        double weight = page_line_weight(l);
        struct code_file *file = l->name != NONE && l->line != 0 ? code_find(&page->code, l->name) : NULL;
        before = i > 0 && l[-1].file == l->file ? MAX(before, page_line_weight(&l[-1])) : 0;
        if (file == NULL)
            continue;
        if (file->weights == NULL)
            file->weights = memory_zeroed(file->line_count + 1, sizeof *file->weights);
        for (int64_t k = MAX(line - CODE_BESIDE, 1); k <= MIN(line + CODE_BESIDE, (int64_t)file->line_count); k++) {
            double other = k < line ? before : k > line ? after[i] : weight;
            file->weights[k] = MAX(file->weights[k], MIN(weight, other));
        }
    }
    memory_free(after);
}

static void make_stacks(struct page *page)
{
    struct stack_tree *tree = &page->tree;
    const struct side *base = &page->sides[BASE];
    stack_tree_init(tree, &page->sides[NOW].shown->contexts, NULL, base->shown != NULL ? &base->shown->contexts : NULL,
                    base->numbers, (uint32_t)page->row_count);
    for (size_t i = tree->count; i-- > 0;) {
        struct stack_node *node = &tree->nodes[i];
        for (size_t k = 0; k < page->side_count; k++) {
            page->negative_stacks += node->self[k] < 0;
            node->self[k] = node->self[k] > 0 ? node->self[k] : 0; /* as --print=stacks leaves negative ones out */
            cost_add(&node->total[k], node->self[k]);
            if (i > 0)
                cost_add(&tree->nodes[node->parent].total[k], node->total[k]);
            node->total[k] = side_converted(&page->sides[k], node->total[k]);
            node->self[k] = side_converted(&page->sides[k], node->self[k]);
        }
    }
}

/* Finds the groups that functions name, and their costs. In the base, a function may have been in another one. */
static void find_groups(struct page *page)
{
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_FOLDER; by++) {
        struct page_texts *texts = &page->texts[by];
        texts->numbers = memory_zeroed(texts->names.count, sizeof *texts->numbers);
        texts->largest = memory_zeroed(texts->names.count, sizeof *texts->largest);
        for (size_t k = 0; k < MIN(page->side_count, SIDES); k++) {
            const struct contents *shown = page->sides[k].shown;
            texts->groups[k] = memory_zeroed(texts->names.count, sizeof *texts->groups[k]);
            for (size_t i = 0; i < page->most_rows && (by != CG2WG_GROUP_OBJECT || texts->names.count > 1); i++) {
                const struct view_row *row = &page->view->rows[i], *of = view_row_in(page->view, row, k > 0);
                uint32_t text = row->texts[by];
                bool is_same = of != NULL && (by == CG2WG_GROUP_CLASS ||
                                              text_same(by != CG2WG_GROUP_OBJECT ? of->file : of->object,
                                                        by != CG2WG_GROUP_OBJECT ? row->file : row->object));
                if (is_same && shown->groups[by].of != NULL)
                    texts->groups[k][text] = shown->groups[by].of[of->number] + 1;
                texts->largest[text] = MAX(texts->largest[text], (double)row->key);
            }
        }
    }
    for (size_t i = 0; page->lines != NULL && i < page->line_start[page->row_count]; i++) {
        double *largest = &page->texts[CG2WG_GROUP_FILE].largest[page->lines[i].file];
        *largest = page->lines[i].file != NAME_EMPTY ? MAX(*largest, page_line_weight(&page->lines[i])) : *largest;
    }
}

static void take_sides(struct page *page, const struct differences *d)
{
    uint32_t *numbers = memory_zeroed(d->sides[BASE].view.all + 1, sizeof *numbers);
    page->row_count = d->sides[NOW].view.all + d->sides[BASE].view.all;
    for (size_t i = 0; i < page->row_count; i++)
        if (d->pairs[i].base != NULL)
            numbers[d->pairs[i].base->number] = (uint32_t)i;
    memcpy(page->sides, d->sides, sizeof page->sides);
    page->sides[BASE].numbers = numbers;
    page->side_count = SIDES;
    page->total = MAX(d->sides[NOW].total, d->sides[BASE].total);
}

COMPARISON(by_place, struct page_line, a->file != b->file ? ORDER(a->file, b->file) : ORDER(a->line, b->line))

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

static void take_lines(struct page *page)
{
    const size_t side_count = MIN(page->side_count, SIDES);
    uint32_t *files[SIDES] = {NULL, NULL}; /* of each input, in the page */
    size_t count = 0, known = 0, capacity = 0;
    for (size_t k = 0; k < side_count; k++) {
        const struct profile *profile = &page->sides[k].shown->profile;
        files[k] = memory_zeroed(profile->names.count, sizeof *files[k]);
        for (size_t i = 0; i < profile->lines->count; i++) {
            uint32_t file = profile->lines->rows[i].key.file; /* a name may be long */
            known += profile->lines->rows[i].key.line > 0;
            if (files[k][file] == NAME_EMPTY)
                files[k][file] = names_intern(&page->texts[CG2WG_GROUP_FILE].names, names_text(&profile->names, file));
        }
    }
    if (known == 0)
        return;
    page->line_start = memory_zeroed(page->row_count + 1, sizeof *page->line_start);
    for (size_t number = 0; number < page->row_count; number++) {
        uint32_t own = NONE;
        for (size_t k = 0; k < side_count; k++) {
            const struct side *side = &page->sides[k];
            const struct profile *profile = &side->shown->profile;
            const struct ordered_lines *ordered = &side->shown->outline->lines;
            const struct view_row *row = view_row_in(page->view, &(struct view_row){.number = number}, k > 0);
            size_t function = row != NULL ? (size_t)row->number : number;
            struct code_line line;
            if (row == NULL)
                continue;
            own = own == NONE ? files[k][profile->functions[function].file] : own;
            for (size_t next = ordered->start[function];
                 ordered_lines_take(ordered, profile->lines, &next, ordered->start[function + 1], &line);) {
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
        if (side_count > 1 && count > start)
            count = start + unite_lines(&page->lines[start], count - start);
        page->line_start[number + 1] = count;
    }
}

void outline_init(struct outline *outline, const struct contents *shown)
{
    struct view view;
    view_of_functions(&view, shown);
    qsort(view.rows, view.all, sizeof *view.rows, view_by_name);
    *outline = (struct outline){.by_name = memory_get((view.all + 1) * sizeof *outline->by_name),
                                .stack_parts = memory_get((view.all + 1) * sizeof *outline->stack_parts)};
    struct text *names = stacks_names(shown);
    outline->shortens_stacks = names != NULL;
    for (size_t i = 0; i < view.all; i++) {
        uint32_t number = outline->by_name[i] = (uint32_t)view.rows[i].number;
        struct text name = names != NULL ? names[number] : view.rows[i].name;
        outline->stack_parts[number] = 1;
        for (const char *c = name.at; c < name.end; c++)
            outline->stack_parts[number] += *c == '\'';
    }
    memory_free(view.rows);
    memory_free(names);
    arc_lists_init(&outline->lists, &shown->profile);
    if (shown->profile.lines != NULL)
        ordered_lines_init(&outline->lines, &shown->profile);
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_FOLDER; by++)
        outline->groups[by] = shown->groups[by].of;
}

/* Keeps those that reach the limit, by name. After them come those that a smaller limit may keep, and the rest. */
static void choose_rows(struct page *page, struct view *view)
{
    const uint32_t *by_name = page->view->differences == NULL ? page->sides[NOW].shown->outline->by_name : NULL;
    struct view_row *rows = memory_get((view->all + 1) * sizeof *rows);
    struct view_row *other = &rows[page->most_rows], *last = &rows[view->all];
    uint32_t *numbers = memory_zeroed(page->row_count + 1, sizeof *numbers), count = 0;
    if (by_name == NULL)
        qsort(view->rows, page->most_rows, sizeof *view->rows, view_by_name);
    for (uint32_t i = 0; i < view->all; i++)
        numbers[view->rows[i].number] = i;
    for (uint32_t i = 0; i < view->all; i++) {
        uint32_t at = by_name != NULL ? numbers[by_name[i]] : i;
        struct view_row *row = &view->rows[at];
        row->limit = page_limit(page, (double)row->key);
        bool may_be_chosen = at < page->most_rows;
        bool is_chosen = may_be_chosen && page_reaches(page, (double)row->key, page->limit);
        *(is_chosen ? &rows[count++] : may_be_chosen ? --other : --last) = *row;
        numbers[row->number] = is_chosen ? count : 0;
    }
    memory_free(view->rows);
    view->rows = rows;
    view->count = count;
    page->numbers = numbers;
}

static int64_t largest_cost(const struct view_row *row, bool by_size)
{
    int64_t self = row->measures[SELF], inclusive = row->measures[INCLUSIVE];
    return by_size ? (int64_t)MIN(MAX(cost_size(self), cost_size(inclusive)), INT64_MAX)
                   : MAX(MAX(self, inclusive), row->measures[ALLOCATED]);
}

/*
 * Finds the largest cost of each function in any input, and its file, class and folder. Without a total above 0, limits
 * are in percent of the largest size of a cost.
 */
static void take_texts(struct page *page, const struct view *view)
{
    const struct differences *d = view->differences;
    const struct contents *shown = page->sides[NOW].shown;
    const struct grouping *classes = &shown->groups[CG2WG_GROUP_CLASS];
    bool by_size = page->total <= 0;
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_FOLDER; by++)
        names_init(&page->texts[by].names);
    for (size_t i = 0; i < view->count; i++) {
        struct view_row *row = &view->rows[i];
        const struct view_row *base = d != NULL ? d->pairs[row->number].base : NULL;
        row->key = largest_cost(row, by_size);
        if (base != NULL)
            row->key = MAX(row->key, side_cost(&d->sides[BASE], largest_cost(base, by_size)));
        row->texts[CG2WG_GROUP_FILE] = names_intern(&page->texts[CG2WG_GROUP_FILE].names, row->file);
        row->texts[CG2WG_GROUP_OBJECT] = names_intern(&page->texts[CG2WG_GROUP_OBJECT].names, row->object);
        row->texts[CG2WG_GROUP_FOLDER] = names_intern(&page->texts[CG2WG_GROUP_FOLDER].names, group_folder(row->file));
        struct text class = classes->of == NULL || d != NULL
                                ? group_class(row->name)
                                : names_text(&shown->profile.names, classes->rows[classes->of[row->number]].name);
        if (text_equals(class, "[none]"))
            class.end = class.at;
        page->total = by_size ? MAX(page->total, (double)row->key) : page->total;
        row->texts[CG2WG_GROUP_CLASS] = names_intern(&page->texts[CG2WG_GROUP_CLASS].names, class);
    }
}

/* The costliest function that the page is to open with, of those that match; or NONE. */
static uint32_t find_opened(const struct view *view, struct contents *shown)
{
    struct function_patterns wanted = function_patterns_of(&shown->page_functions);
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

/* Prints what reaches the limits in place of what follows the start, up to so many bytes. Is that all? */
static bool print_data(FILE *stream, off_t start, struct page *page, struct view *view, uint64_t most_bytes)
{
    struct json json = {.stream = stream, .in_html = true, .most_bytes = most_bytes};
    choose_rows(page, view);
    if (fseeko(stream, start, SEEK_SET) != 0 || ftruncate(fileno(stream), start) != 0)
        diag_error_in(&page->sides[NOW].shown->diag, NULL, "cannot write a temporary file: %s", strerror(errno));
    page_print(&json, page);
    return json.size <= most_bytes;
}

/*
 * Weighs what reaches the limits while it is printed, and chooses the limit of frames; *rest bytes are for all else.
 * True: all costs are printed. If there is room for some that were not weighed, has_weighed stays false.
 */
static bool weigh(FILE *stream, off_t start, struct page *page, struct view *view, uint64_t room, uint64_t *rest)
{
    double limit = page->limit, frame_limit = page->frame_limit;
    uint64_t frame_room = room / FRAME_PART, share;
    page->weighed = 0;
    memset(page->bytes, 0, sizeof page->bytes);
    if (print_data(stream, start, page, view, room))
        return MAX(limit, frame_limit) <= 0;
    *rest = room - frame_room;
    fit_beside(page, &frame_room);
    page->frame_limit = choose_limit(page, page->bytes[1], &frame_room);
    share = (*rest += frame_room) / SHARES * (SHARES - 1);
    page->has_weighed = (limit <= 0 || choose_limit(page, page->bytes[0], &share) > limit) &&
                        (frame_limit <= 0 || page->frame_limit > frame_limit);
    return false;
}

/*
 * Prints what there is room for: `room` bytes, of which frames and what precedes them have a part. What is too large is
 * printed again without the smallest costs. Their sums take room, too: a tenth is for these, and more if that fails.
 * Half of the limits of the event before is nearly always below what is chosen; what it leaves out is not even weighed.
 */
static void print_most(FILE *stream, struct page *page, struct view *view, uint64_t room)
{
    struct contents *shown = page->sides[NOW].shown;
    off_t start = ftello(stream);
    uint64_t rest = 0;
    bool is_done = weigh(stream, start, page, view, room, &rest);
    if (!is_done && !page->has_weighed) {
        page->limit = page->frame_limit = 0;
        is_done = weigh(stream, start, page, view, room, &rest);
    }
    for (unsigned shares = SHARES - 1; !is_done; shares--) {
        uint64_t share = rest / SHARES * shares;
        page->limit = choose_limit(page, page->bytes[0], &share);
        is_done = print_data(stream, start, page, view, shares > 1 ? room : shown->most_bytes) || shares == 1;
    }
    shown->outline->limits[0] = page->limit / 2;
    shown->outline->limits[1] = page->frame_limit / 2;
}

void print_page(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct view *view)
{
    static const double divisors[DECADES] = {1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1, 0.1};
    const struct differences *d = view->differences;
    bool is_limited = options->min >= 0 && (view->total.base > 0 || options->min == 0);
    const double least[] = {options->min, options->min}, *limits = is_limited ? least : shown->outline->limits;
    struct page page = {.view = view,
                        .side_count = 1,
                        .sides = {{.shown = shown, .factor = 1, .per = 1}},
                        .total = view->total.base,
                        .row_count = shown->profile.function_count,
                        .most_rows = view->count,
                        .limit = limits[0],
                        .frame_limit = limits[1],
                        .opened = find_opened(view, shown),
                        .has_weighed = is_limited};
    /* The first event may take twice as much as others, each of which has its part of what is left. */
    uint64_t room = MOST_EVENT;
    if (shown->page_event > 0)
        room = MIN(MOST_EVENT / 2,
                   (MOST_DATA - MIN((uint64_t)ftello(stream), MOST_DATA)) / (shown->page_events - shown->page_event));
    if (d != NULL)
        take_sides(&page, d);
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
        make_stacks(&page);
    for (size_t i = 0; i < page.side_count; i++)
        page.repeats |= shown_repeats_recursion(page.sides[i].shown);
    find_groups(&page);
    if (d == NULL)
        view_parts_limit(shown->runs->parts, shown->page_group, MOST_PARTS);
    if (shown->page_event == 0)
        print_page_around(stream, false);
    else
        fputc(',', stream);
    if (is_limited)
        print_data(stream, ftello(stream), &page, view, shown->most_bytes);
    else
        print_most(stream, &page, view, room);
    view_check_size(stream, shown, "names", CG2WG_MEMBER_MIN);
    fputc('\n', stream);
}

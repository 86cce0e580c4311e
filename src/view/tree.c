/* SPDX-License-Identifier: MIT */
/* Stacks as a tree of rows, or as a picture. */
#include "view/stacks.h"

#include "util/show.h"

#include <inttypes.h>
#include <stdlib.h>

struct ordered_node {
    uint32_t node;
    int64_t total;
};

COMPARISON(by_total, struct ordered_node, a->total != b->total ? ORDER(b->total, a->total) : ORDER(a->node, b->node))

/*
 * Adds up costs, and links the nodes that reach `least`, whatever the sign of what is below them, and are not deeper
 * than `depth` (0: any): of siblings, the largest first, or the widest where two inputs are compared. Returns
 * how many there are.
 */
static size_t link_largest(struct stack_tree *tree, double least, unsigned depth, bool is_compared)
{
    struct ordered_node *sorted = memory_get((tree->count + 1) * sizeof *sorted);
    size_t count = 0;
    for (size_t i = tree->count; i-- > 0;) {
        struct stack_node *node = &tree->nodes[i], *parent = &tree->nodes[i > 0 ? node->parent : 0];
        cost_t self = node->self[0]; /* of two inputs, neither is below 0 */
        cost_add(&node->width, self < 0 ? -MAX(self, -INT64_MAX) : MAX(self, node->self[1]));
        cost_add(&parent->width, i > 0 ? node->width : 0);
        for (int k = 0; k < 2; k++) {
            cost_add(&node->total[k], node->self[k]);
            cost_add(&parent->total[k], i > 0 ? node->total[k] : 0);
        }
    }
    for (uint32_t i = 1; i < tree->count; i++) {
        const struct stack_node *node = &tree->nodes[i];
        if ((double)node->width >= least && (depth == 0 || node->depth <= depth) && node->width > 0)
            sorted[count++] = (struct ordered_node){i, is_compared ? node->width : node->total[0]};
    }
    qsort(sorted, count, sizeof *sorted, by_total);
    for (size_t i = count; i-- > 0;)
        stack_tree_link(tree, sorted[i].node);
    return count;
}

/* Makes rows of calls in their order. Those of less than a share of the total that follow each other are one. */
static struct view view_of_calls(struct contents *shown, double min, unsigned depth)
{
    const struct timeline *t = &shown->timeline;
    /* The spans as a tree: of each and, before them, of all, the first one in it; and the next one after it. */
    uint32_t *first = NULL, *following = NULL;
    size_t rooms[2] = {0, 0};
    array_reach(&first, &rooms[0], t->count + 1, sizeof *first, 0xff);
    array_reach(&following, &rooms[1], t->count + 1, sizeof *following, 0xff);
    for (size_t i = 0; i < 2 * t->count; i++) { /* first the roots; of calls, from the last root on */
        bool is_forward = i < t->count && t->step == 0;
        uint32_t number = (uint32_t)(is_forward ? i : (2 * t->count - 1 - i) % t->count),
                 parent = t->spans[number].parent, place = parent == NONE ? 0 : parent + 1;
        if ((parent == NONE) != (i < t->count))
            continue;
        following[number] = first[place];
        first[place] = number;
    }
    struct view functions, view = {.rows = memory_zeroed(t->count + 1, sizeof *view.rows)};
    view_of_functions(&functions, shown);
    for (size_t i = 0; i < t->count; i++) /* the time of all, not the self costs */
        view.total.base = MAX(view.total.base, (double)(t->spans[i].start + t->spans[i].cost));
    uint64_t together = 0; /* how many calls the last row is of, if they are short */
    cost_t *callees = memory_zeroed(t->count + 1, sizeof *callees);
    for (size_t i = 0; i < t->count; i++)
        cost_add(&callees[t->spans[i].parent == NONE ? t->count : t->spans[i].parent], t->spans[i].cost);
    for (uint32_t i = first[0], next, last = NONE; i != NONE; i = next) {
        const struct span *s = &t->spans[i];
        bool is_thread = s->name != NAME_EMPTY;
        bool is_short = !is_thread && (s->function == NONE || (double)s->cost < min * view.total.base / 100);
        together = is_short && s->parent == last ? together : 0;
        struct view_row *row = &view.rows[together > 0 ? view.all - 1 : view.all++];
        together += is_short ? s->calls : 0;
        last = s->parent;
        row->indent = s->depth;
        cost_add(&row->measures[INCLUSIVE], s->cost);
        bool is_known = !is_thread && together <= 1 && s->function != NONE; /* what it did itself */
        cost_t self = s->cost;
        cost_subtract(&self, callees[i]);
        row->measures[SELF] = is_known ? self : 0;
        if (is_known) {
            row->name = functions.rows[s->function].name;
        } else if (is_thread) {
            row->name = names_text(&shown->profile.names, s->name);
        } else {
            char text[48];
            int length = snprintf(text, sizeof text, "(%" PRIu64 " short %s)", together,
                                  together > 1 ? "calls" : "call");
            row->name = text_of(memory_copy(text, sizeof text), (size_t)length);
        }
        next = is_short || s->depth + 1 == depth ? NONE : first[i + 1];
        for (uint32_t at = i; next == NONE && at != NONE; at = t->spans[at].parent)
            next = following[at];
    }
    return view;
}

bool print_tree(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct contents *base)
{
    enum { USUAL_MIN = 1 }; /* percent */
    double min = options->min >= 0 ? options->min : USUAL_MIN;
    bool by_time = options->order == CG2WG_BY_TIME;
    if (by_time && shown->timeline.count == 0)
        diag_error(&shown->diag, 0,
                   "the order of calls is not known; it is in one profile of time by Xdebug or one recording by perf");
    struct view view;
    if (by_time) {
        view = view_of_calls(shown, min, options->depth);
    } else {
        struct named_stacks stacks;
        named_stacks_init(&stacks, options, shown, NULL);
        size_t count = link_largest(&stacks.tree, stacks.total * min / 100, options->depth, false);
        view = (struct view){.rows = memory_zeroed(count + 1, sizeof *view.rows), .total = {.base = stacks.total}};
        for (uint32_t i = stacks.tree.nodes[0].first_child; i != NONE; i = stack_tree_next(&stacks.tree, i)) {
            const struct stack_node *node = &stacks.tree.nodes[i];
            view.rows[view.all++] = (struct view_row){
                .measures = {[SELF] = node->self[0], [INCLUSIVE] = node->total[0]},
                .name = stacks.names[node->name],
                .indent = node->depth - 1};
        }
        stacks_warn(&stacks.tree, &shown->diag);
    }
    view.count = options->top > 0 && options->top < view.all ? options->top : view.all;
    view.is_tree = view.has_inclusive = true;
    view.shown = shown;
    struct table table;
    char percent[TEXT_REAL];
    table_init(&table, stream, options, view_columns(&view), shown->facts.event);
    const char *what = by_time ? "the calls in their order; those that follow each other are one if they are not"
                       : shown->has_estimate ? "estimated stacks with"
                                             : "the stacks with";
    fprintf(stream, "%s at least %s %% of the total\n\n", what, text_real(percent, 6, 'g', min));
    view_print(&view, &table);
    (void)base;
    return false;
}

enum { WIDTH = 1200, ROW = 18, LETTER = 7, MARGIN = 10, HEAD = 2 * ROW }; /* of SVG, in its units */

void picture_print(FILE *stream, struct text text, size_t letters, bool is_dot)
{
    bool is_cut = show_width(text) > letters;
    text = is_cut ? show_cut(text, letters - 1, false) : text;
    while (!text_is_empty(text)) {
        struct text part = text_of(text.at, MAX(utf8_length(text), 1));
        text.at = part.end;
        switch (*part.at) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs(is_dot ? "<" : "&lt;", stream); break;
        case '>': fputs(is_dot ? ">" : "&gt;", stream); break;
        case '"': fputs(is_dot ? "\\\"" : "&quot;", stream); break;
        case '\\': fputs(is_dot ? "\\\\" : "\\", stream); break;
        default: show_plain(stream, part);
        }
    }
    fputs(is_cut ? ELLIPSIS : "", stream);
}

struct picture {
    FILE *stream;
    struct table table;
    struct named_stacks stacks;
    bool is_compared;
    int head;                 /* where frames begin */
    double total;             /* the width of all */
    struct text *shown_names; /* by node, if that has room for one */
};

/* How a frame differs, and how a page paints it then. */
enum state { GREW, SHRANK, IS_NEW, GONE, SAME };
static const char *const states[][2] = {[GREW] = {"grew", "232,93,70"},
                                        [SHRANK] = {"shrank", "70,140,225"},
                                        [IS_NEW] = {"new", "205,85,190"},
                                        [GONE] = {"gone", "110,120,130"},
                                        [SAME] = {"same", "150,155,160"}};

/* Prints what follows a name: cost and share, or both costs and what the change is of the base's total. */
static void print_cost(const struct picture *p, const struct stack_node *node)
{
    char cost[TABLE_CELL], old[TABLE_CELL], share[TEXT_REAL];
    double total = (double)p->stacks.tree.nodes[0].total[p->is_compared], part = (double)node->total[0];
    part -= p->is_compared ? (double)node->total[1] : 0;
    text_real(share, 2, 'f', part * 100 / MAX(total, 1));
    table_cost(cost, p->table.room, p->table.quantity, node->total[0]);
    if (p->is_compared)
        fprintf(p->stream, "%s -&gt; %s, %s%s %%", table_cost(old, p->table.room, p->table.quantity, node->total[1]),
                cost, part > 0 ? "+" : "", share);
    else
        fprintf(p->stream, "%s %%, %s", share, cost);
}

static size_t letters_of(const struct picture *p, const struct stack_node *node)
{
    double width = (double)node->width * WIDTH / p->total;
    return width >= 3 * LETTER ? (size_t)(width - 3) / LETTER : 0;
}

/* Its colour is from yellow to red by the name, or by the state, and the more of it has changed, the more. */
static void print_frame(const struct picture *p, const struct stack_node *node, double x)
{
    char left[TEXT_REAL], wide[TEXT_REAL], opacity[TEXT_REAL], buffer[TABLE_NAME];
    FILE *stream = p->stream;
    struct text name = p->stacks.names[node->name];
    uint32_t y = (uint32_t)p->head + (node->depth - 1) * ROW;
    double width = (double)node->width * WIDTH / p->total;
    fputs("<g><title>", stream);
    picture_print(stream, name, SIZE_MAX, false);
    fputs(": ", stream);
    print_cost(p, node);
    fprintf(stream, "</title><rect x=\"%s\" y=\"%" PRIu32 "\" width=\"%s\" height=\"%d\" fill=\"",
            text_real(left, 2, 'f', MARGIN + x), y, text_real(wide, 2, 'f', width), ROW - 1);
    unsigned hue = 0;
    for (const char *c = name.at; c < name.end; c++)
        hue = hue * 31 + (unsigned char)*c;
    double change = (double)node->total[0] - (double)node->total[1], size = MAX(change, -change);
    size = size > (double)p->stacks.differences.rounding ? size : 0;
    enum state changed = size == 0 ? SAME : change > 0 ? GREW : SHRANK;
    enum state state = node->total[1] == 0 ? IS_NEW : node->total[0] == 0 ? GONE : changed;
    if (p->is_compared)
        fprintf(stream, "rgb(%s)\" fill-opacity=\"%s\"/>", states[state][1],
                text_real(opacity, 2, 'f', 0.15 + 0.6 * size / (double)MAX(node->total[0], node->total[1])));
    else
        fprintf(stream, "hsl(%u,85%%,%u%%)\"/>", hue % 52, 62 + hue / 64 % 14);
    size_t letters = letters_of(p, node);
    if (letters > 0) {
        name = p->shown_names[node - p->stacks.tree.nodes];
        fprintf(stream, "<text x=\"%s\" y=\"%" PRIu32 "\">", text_real(left, 2, 'f', MARGIN + x + 3), y + 13);
        picture_print(stream, table_short_name(name, letters, buffer), letters, false);
        fputs("</text>", stream);
    }
    fputs("</g>\n", stream);
}

static void print_head(const struct picture *p, const struct contents *shown, const struct contents *base,
                       uint32_t height)
{
    FILE *stream = p->stream;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %" PRIu32 "\" "
            "font-family=\"monospace\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"%d\">",
            WIDTH + 2 * MARGIN, height, MARGIN, ROW);
    struct text title = p->is_compared ? text_of_string(shown->diag.input) : facts_title(&shown->facts);
    size_t letters = p->is_compared ? WIDTH / LETTER / 2 - 40 : WIDTH / LETTER - 40;
    picture_print(stream, title, letters, false);
    fputs(p->is_compared ? ", compared with " : "", stream);
    if (p->is_compared)
        picture_print(stream, text_of_string(base->diag.input), letters, false);
    fputs(" \u2014 ", stream);
    picture_print(stream, shown->facts.event, SIZE_MAX, false);
    fputs(shown->has_estimate ? ", estimated stacks" : "", stream);
    if (p->is_compared) {
        fputs(": ", stream);
        print_cost(p, p->stacks.tree.nodes);
        fputs(" of the base", stream);
    }
    fputs("</text>\n", stream);
    for (int i = 0; p->is_compared && i <= SAME; i++)
        fprintf(stream,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"rgb(%s)\" fill-opacity=\"0.6\"/>"
                "<text x=\"%d\" y=\"%d\">%s</text>\n",
                MARGIN + 10 * LETTER * i, ROW + 6, LETTER * 9, ROW - 4, states[i][1], MARGIN + 10 * LETTER * i + 4,
                2 * ROW, states[i][0]);
}

bool print_picture(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct contents *base)
{
    struct picture p = {.stream = stream, .is_compared = base != NULL, .head = HEAD + (base != NULL ? ROW : 0)};
    struct cg2wg_view terminal = *options; /* costs have units, as on one */
    double used[STACKS_DEPTH + 4] = {0};   /* by depth, to that below [deeper]: the left end of the next frame */
    named_stacks_init(&p.stacks, options, shown, base);
    terminal.columns = WIDTH;
    table_init(&p.table, stream, &terminal, (struct columns){.count = 0}, shown->facts.event);
    p.table.quantity.factor /= base != NULL ? p.stacks.differences.sides[NOW].factor : 1;
    uint32_t deepest = 0;
    link_largest(&p.stacks.tree, 0, options->depth, p.is_compared);
    const struct stack_node *first = p.stacks.tree.nodes;
    p.total = MAX((double)first->width, 1);
    p.shown_names = memory_zeroed(p.stacks.tree.count, sizeof *p.shown_names);
    double least = MAX(options->min, 0.02) * p.total / 100;
    for (uint32_t i = first->first_child; i != NONE; i = stack_tree_next(&p.stacks.tree, i))
        if ((double)first[i].width >= least)
            deepest = MAX(deepest, first[i].depth);
    print_head(&p, shown, base, (uint32_t)p.head + (deepest + 1) * ROW);
    for (uint32_t i = first->first_child; i != NONE; i = stack_tree_next(&p.stacks.tree, i)) {
        const struct stack_node *node = &first[i];
        double x = used[node->depth];
        used[node->depth] += (double)node->width * WIDTH / p.total;
        used[node->depth + 1] = x;
        size_t count = 0, capacity = 0;
        struct table_name *names = NULL; /* of frames beside each other that have room for letters */
        for (uint32_t k = first[node->parent].first_child == i ? i : NONE; k != NONE && letters_of(&p, &first[k]) > 0;
             k = first[k].next_sibling) {
            struct table_name name = {.name = p.stacks.names[first[k].name], .width = letters_of(&p, &first[k])};
            array_append(&names, &count, &capacity, &name, sizeof name);
        }
        table_keep_different(names, count);
        for (uint32_t k = i, n = 0; n < count; k = first[k].next_sibling, n++)
            p.shown_names[k] = names[n].shown;
        memory_free(names);
        if ((double)node->width >= least)
            print_frame(&p, node, x);
    }
    fputs("</svg>\n", stream);
    named_stacks_warn(&p.stacks, (struct contents *const[SIDES]){shown, base}, "have no width");
    return p.stacks.differences.has_grown;
}

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

static int by_total(const void *left, const void *right)
{
    const struct ordered_node *a = left, *b = right;
    return a->total != b->total ? (a->total < b->total ? 1 : -1) : (a->node > b->node) - (a->node < b->node);
}

/*
 * Adds up the costs that are above 0, and links the nodes that reach `least` and are not deeper than `depth` (0: any):
 * of siblings, the largest first. Returns how many there are.
 */
static size_t link_largest(struct stack_tree *tree, double least, unsigned depth)
{
    struct ordered_node *sorted = memory_get((tree->count + 1) * sizeof *sorted);
    uint32_t *ordered = memory_get((tree->count + 1) * sizeof *ordered);
    size_t count = 0;
    for (size_t i = tree->count; i-- > 0;) {
        struct stack_node *node = &tree->nodes[i];
        cost_add(&node->total[0], MAX(node->self[0], 0));
        if (i > 0)
            cost_add(&tree->nodes[node->parent].total[0], node->total[0]);
    }
    for (uint32_t i = 1; i < tree->count; i++) {
        const struct stack_node *node = &tree->nodes[i];
        if ((double)node->total[0] >= least && (depth == 0 || node->depth <= depth) && node->total[0] > 0)
            sorted[count++] = (struct ordered_node){i, node->total[0]};
    }
    qsort(sorted, count, sizeof *sorted, by_total);
    for (size_t i = 0; i < count; i++)
        ordered[i] = sorted[i].node;
    stack_tree_link(tree, ordered, count);
    memory_free(sorted);
    memory_free(ordered);
    return count;
}

bool print_tree(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct contents *base)
{
    enum { USUAL_MIN = 1 }; /* percent */
    struct named_stacks stacks;
    named_stacks_init(&stacks, shown);
    double min = options->min >= 0 ? options->min : USUAL_MIN;
    size_t count = link_largest(&stacks.tree, stacks.total * min / 100, options->depth);
    struct view view = {.rows = memory_zeroed(count + 1, sizeof *view.rows),
                        .total = {.base = stacks.total},
                        .has_inclusive = true,
                        .is_tree = true};
    for (uint32_t i = stacks.tree.nodes[0].first_child; i != NONE; i = stack_tree_next(&stacks.tree, i)) {
        const struct stack_node *node = &stacks.tree.nodes[i];
        view.rows[view.all++] = (struct view_row){.measures = {[SELF] = node->self[0], [INCLUSIVE] = node->total[0]},
                                                  .name = stacks.names[node->name],
                                                  .indent = node->depth - 1};
    }
    view.count = options->top > 0 && options->top < view.all ? options->top : view.all;
    struct table table;
    char percent[TEXT_REAL];
    table_init(&table, stream, options, view_columns(&view), shown->facts.event);
    fprintf(stream, "%s stacks with at least %s %% of the total\n\n", shown->has_estimate ? "estimated" : "the",
            text_real(percent, 6, 'g', min));
    view_print(&view, &table);
    stacks_warn(&stacks.tree, &shown->diag);
    (void)base;
    return false;
}

/* ---- a picture ---------------------------------------------------------------------------- */

enum { WIDTH = 1200, ROW = 18, LETTER = 7, MARGIN = 10, HEAD = 2 * ROW }; /* of SVG, in its units */

void picture_print(FILE *stream, struct text text, size_t letters, bool is_dot)
{
    size_t count = 0;
    for (struct text rest = text; !text_is_empty(rest) && count <= letters; count++)
        rest.at += MAX(utf8_length(rest), 1);
    bool is_cut = count > letters;
    for (count = is_cut ? letters - 1 : count; count > 0; count--) {
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
    fputs(is_cut ? "\u2026" : "", stream);
}

/* Colours from yellow to red, by the name. */
static void print_frame(FILE *stream, const struct table *table, double total, const struct stack_node *node,
                        struct text name, double x)
{
    char cost[TABLE_CELL], share[TEXT_REAL], left[TEXT_REAL], wide[TEXT_REAL];
    unsigned hue = 0;
    double width = (double)node->total[0] * WIDTH / total;
    for (const char *c = name.at; c < name.end; c++)
        hue = hue * 31 + (unsigned char)*c;
    text_real(left, 2, 'f', MARGIN + x);
    text_real(wide, 2, 'f', width);
    fputs("<g><title>", stream);
    picture_print(stream, name, SIZE_MAX, false);
    fprintf(stream,
            ": %s %%, %s</title><rect x=\"%s\" y=\"%" PRIu32 "\" width=\"%s\" height=\"%d\" "
            "fill=\"hsl(%u,85%%,%u%%)\"/>",
            text_real(share, 2, 'f', (double)node->total[0] * 100 / total),
            table_cost(cost, table->room, table->quantity, node->total[0]), left,
            (uint32_t)HEAD + (node->depth - 1) * ROW, wide, ROW - 1, hue % 52, 62 + hue / 64 % 14);
    if (width >= 3 * LETTER) {
        fprintf(stream, "<text x=\"%s\" y=\"%" PRIu32 "\">", text_real(left, 2, 'f', MARGIN + x + 3),
                (uint32_t)HEAD + (node->depth - 1) * ROW + 13);
        char buffer[TABLE_NAME];
        size_t letters = (size_t)(width - 3) / LETTER;
        picture_print(stream, table_short_name(name, letters, buffer), letters, false);
        fputs("</text>", stream);
    }
    fputs("</g>\n", stream);
}

bool print_picture(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct contents *base)
{
    struct named_stacks stacks;
    struct cg2wg_view terminal = *options; /* costs have units, as on one */
    struct table table;
    double used[STACKS_DEPTH + 4] = {0}; /* by depth, to that below [deeper]: the left end of the next frame */
    named_stacks_init(&stacks, shown);
    terminal.columns = WIDTH;
    table_init(&table, stream, &terminal, (struct columns){.count = 0}, shown->facts.event);
    uint32_t deepest = 0;
    link_largest(&stacks.tree, 0, options->depth);
    const struct stack_node *first = stacks.tree.nodes;
    double total = MAX((double)first->total[0], 1), least = MAX(options->min, 0.02) * total / 100;
    for (uint32_t i = first->first_child; i != NONE; i = stack_tree_next(&stacks.tree, i))
        if ((double)first[i].total[0] >= least)
            deepest = MAX(deepest, first[i].depth);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %" PRIu32 "\" "
            "font-family=\"monospace\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"%d\">",
            WIDTH + 2 * MARGIN, (uint32_t)HEAD + (deepest + 1) * ROW, MARGIN, ROW);
    picture_print(stream, facts_title(&shown->facts), WIDTH / LETTER - 40, false);
    fputs(" \u2014 ", stream);
    picture_print(stream, shown->facts.event, SIZE_MAX, false);
    fputs(shown->has_estimate ? ", estimated stacks</text>\n" : "</text>\n", stream);
    for (uint32_t i = first->first_child; i != NONE; i = stack_tree_next(&stacks.tree, i)) {
        const struct stack_node *node = &first[i];
        double x = used[node->depth];
        used[node->depth] += (double)node->total[0] * WIDTH / total;
        used[node->depth + 1] = x;
        if ((double)node->total[0] >= least)
            print_frame(stream, &table, total, node, stacks.names[node->name], x);
    }
    fputs("</svg>\n", stream);
    stacks_warn(&stacks.tree, &shown->diag);
    (void)base;
    return false;
}

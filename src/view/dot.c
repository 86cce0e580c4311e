/* SPDX-License-Identifier: MIT */
/*
 * The call graph for graphviz: functions or groups, with their self and inclusive costs, and the calls between them; or
 * how these have changed. The larger a self cost, the larger its name; the larger an inclusive cost or that of calls,
 * the more colour it has: red, or blue if it is below 0. Calls through functions that are left out are left out.
 */
#include "util/index.h"
#include "view/view.h"

#include <inttypes.h>
#include <stddef.h>

enum { USUAL_TOP = 80, ARCS = 5, LETTERS = 60, WIDTH = 1200 }; /* calls are left out below a fifth of --min */
static const double usual_min = 0.5;

struct graph {
    FILE *stream;
    const struct view *view;
    struct table table;
    double largest; /* self cost, and not 0 */
    SET(struct graph_arc {
        uint32_t from, to; /* nodes: the rows, from 1 on */
        cost_t costs[SIDES];
        size_t lines[SIDES]; /* at which these calls are made */
        uint64_t calls;
    }) arcs;
};

static double share_of(double cost, double total)
{
    return total > 0 ? MIN(MAX(cost, -cost) / total, 1) : 0;
}

/* A colour for what has that share: the first parts of it make the most difference. */
static void print_colour(const struct graph *g, const char *name, double cost, const char *value)
{
    char saturation[TEXT_REAL];
    double share = share_of(cost, g->view->total.base);
    fprintf(g->stream, " %s=\"%s %s %s\"]\n", name, cost < 0 ? "0.6" : "0.02",
            text_real(saturation, 3, 'f', 0.7 * share * (2 - share)), value);
}

static void print_cost(const struct graph *g, const char *before, cost_t cost)
{
    char text[TABLE_CELL], share[TEXT_REAL];
    const char *sign = g->view->differences != NULL && cost > 0 ? "+" : "";
    fprintf(g->stream, "%s%s%s", before, sign, table_cost(text, g->table.room, g->table.quantity, cost));
    if (g->view->total.base > 0)
        fprintf(g->stream, " (%s%s %%)", sign, text_real(share, 2, 'f', (double)cost * 100 / g->view->total.base));
}

static const struct view_row *row_of(const struct graph *g, size_t node, size_t side)
{
    return view_row_in(g->view, &g->view->rows[node - 1], side == BASE);
}

static void print_node(const struct graph *g, size_t node)
{
    const struct view_row *row = &g->view->rows[node - 1];
    const struct view_row *now = row_of(g, node, NOW), *base = row_of(g, node, BASE);
    double size = share_of((double)row->measures[SELF], g->largest);
    char buffer[TABLE_NAME];
    fprintf(g->stream, "N%zu [label=\"", node);
    picture_print(g->stream, table_short_name(row->name, LETTERS, buffer), LETTERS, true);
    fputs(base == NULL ? " (new)" : now == NULL ? " (gone)" : "", g->stream);
    print_cost(g, "\\nself ", row->measures[SELF]);
    if (g->view->has_inclusive)
        print_cost(g, g->view->has_allocated ? "\\nkept " : "\\nof ", row->measures[INCLUSIVE]);
    fputs("\" tooltip=\"", g->stream);
    picture_print(g->stream, row->name, SIZE_MAX, true);
    if (!text_is_empty(row->file)) {
        fputs(" (", g->stream);
        picture_print(g->stream, row->file, SIZE_MAX, true);
        fprintf(g->stream, row->line > 0 ? ":%" PRIu32 ")" : ")", row->line);
    }
    fprintf(g->stream, "\" fontsize=%d", 8 + (int)(16 * size * (2 - size) + 0.5));
    print_colour(g, "fillcolor", (double)row->measures[g->view->has_inclusive ? INCLUSIVE : SELF], "1");
}

/*
 * Adds up the calls of an input between functions that are shown. Of a recursion, calls at different lines may be
 * within each other: together they cost no more than their ends.
 */
static void add_arcs(struct graph *g, const struct profile *profile, size_t side)
{
    uint32_t *nodes = memory_zeroed(profile->function_count + 1, sizeof *nodes); /* by function; 0: it is left out */
    for (uint32_t i = 1; i <= g->view->count; i++)
        if (row_of(g, i, side) != NULL)
            nodes[row_of(g, i, side)->number] = i;
    for (size_t i = 0; i < profile->arc_count; i++) {
        cost_t cost = profile->arcs[i].cost;
        struct graph_arc arc = {.from = nodes[profile->arcs[i].caller], .to = nodes[profile->arcs[i].callee]};
        if (arc.from == 0 || arc.to == 0)
            continue;
        uint32_t number = SET_INTERN(&g->arcs, arc, offsetof(struct graph_arc, costs));
        cost_multiply(&cost, g->view->differences != NULL ? g->view->differences->sides[side].factor : 1);
        cost_add(&g->arcs.items[number].costs[side], cost);
        g->arcs.items[number].lines[side]++;
        count_add(&g->arcs.items[number].calls, profile->arcs[i].calls);
    }
    for (size_t i = 0; i < g->arcs.index.used && !g->view->has_allocated; i++) {
        struct graph_arc *arc = &g->arcs.items[i];
        const struct view_row *from = row_of(g, arc->from, side), *to = row_of(g, arc->to, side);
        if (arc->lines[side] > 1)
            arc->costs[side] = MIN(arc->costs[side], MIN(from->measures[INCLUSIVE], to->measures[INCLUSIVE]));
    }
}

static void print_head(const struct graph *g, const struct contents *shown)
{
    char total[TABLE_CELL];
    const struct differences *d = g->view->differences;
    FILE *stream = g->stream;
    fputs("digraph \"cg2wg\" {\ngraph [labelloc=t label=\"", stream);
    for (size_t side = SIDES; d != NULL && side-- > 0;) {
        const struct side *of = &d->sides[side];
        fputs(side == BASE ? "base: " : "now: ", stream);
        picture_print(stream, text_of_string(of->shown->diag.input), LETTERS, true);
        cost_t sum = side_cost(of, of->view.total.sum);
        fprintf(stream, ", %s\\n", table_cost(total, g->table.room, g->table.quantity, sum));
    }
    if (d == NULL)
        picture_print(stream, facts_title(&shown->facts), LETTERS, true);
    fputs(d == NULL ? "\\n" : "", stream);
    picture_print(stream, shown->facts.event, LETTERS, true);
    print_cost(g, ": ", d != NULL ? d->change : g->view->total.sum);
    fputs(d != NULL ? "; red grew, blue shrank\n" : "\n", stream);
    view_print_rest(stream, g->table.room, g->view);
    fputs("\"]\nnode [shape=box style=filled]\nedge [fontsize=10]\n", stream);
}

bool print_dot(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct contents *base)
{
    struct differences differences = {.has_grown = false};
    struct cg2wg_view chosen = *options;
    struct view view;
    chosen.order = CG2WG_BY_INCLUSIVE;
    chosen.top = options->top > 0 ? options->top : USUAL_TOP;
    chosen.min = options->min >= 0 ? options->min : usual_min;
    chosen.columns = WIDTH; /* costs have units, as on a terminal */
    if (base != NULL) {
        differences_init(&differences, &chosen, shown, base);
        view = differences.view;
    } else {
        view_of_functions(&view, shown);
        view_check_patterns(&view, NULL, &chosen, &shown->diag);
        view_choose(&view, &chosen, false);
    }
    struct graph g = {.stream = stream, .view = &view};
    table_init(&g.table, stream, &chosen, (struct columns){.count = 0}, shown->facts.event);
    g.table.quantity.factor /= base != NULL ? differences.sides[NOW].factor : 1;
    const struct contents *const sides[SIDES] = {shown, base};
    for (size_t side = SIDES; side-- > 0;)
        if (sides[side] != NULL)
            add_arcs(&g, &sides[side]->profile, side);
    print_head(&g, shown);
    for (size_t i = 0; i < view.count; i++)
        g.largest = MAX(g.largest, (double)cost_size(view.rows[i].measures[SELF]));
    for (size_t i = 1; i <= view.count; i++)
        print_node(&g, i);
    for (size_t i = 0; i < g.arcs.index.used; i++) {
        const struct graph_arc *arc = &g.arcs.items[i];
        char width[TEXT_REAL];
        cost_t cost = arc->costs[NOW];
        if (base != NULL)
            cost = difference_of(&differences, cost, arc->costs[BASE], differences.rounding);
        if ((double)cost_size(cost) * 100 * ARCS < view.total.base * chosen.min)
            continue;
        double share = share_of((double)cost, view.total.base);
        fprintf(stream, "N%" PRIu32 " -> N%" PRIu32 " [label=\"", arc->from, arc->to);
        print_cost(&g, " ", cost);
        fputs("\" tooltip=\"", stream);
        picture_print(stream, view.rows[arc->from - 1].name, LETTERS, true);
        fputs(" -> ", stream);
        picture_print(stream, view.rows[arc->to - 1].name, LETTERS, true);
        if (base == NULL && view.counts == COUNTS_CALLS)
            fprintf(stream, ", calls: %" PRIu64, arc->calls);
        fprintf(stream, "\" weight=%d penwidth=%s", 1 + (int)(99 * share), text_real(width, 2, 'f', 1 + 5 * share));
        print_colour(&g, "color", (double)cost, "0.7");
    }
    fputs("}\n", stream);
    return differences.has_grown;
}

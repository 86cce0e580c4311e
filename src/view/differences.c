/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include "util/show.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct view_row nothing = {.number = 0}; /* of a function that an input has not */

/* Makes the views of both, brings their costs to one unit, and says by what they are divided to be compared. */
static void use_one_unit(struct side sides[SIDES], bool is_by_line)
{
    struct side *now = &sides[NOW], *base = &sides[BASE];
    const uint64_t most = INT32_MAX; /* numbers of 32 bits multiplied by more might not fit 63 bits */
    struct diag *diag = &now->shown->diag;
    struct text event = now->shown->facts.event, base_event = base->shown->facts.event;
    bool are_known = !text_is_empty(event) && !text_is_empty(base_event);
    bool has_runs = now->shown->runs != NULL || base->shown->runs != NULL; /* each input is one */
    bool is_per_run = has_runs || (now->shown->facts.runs > 1 && base->shown->facts.runs > 1);
    if (are_known)
        unit_factors(unit_of(event), unit_of(base_event), &now->factor, &base->factor);
    if (now->factor > most || base->factor > most)
        diag_error(diag, 0, TEXT_FMT " and " TEXT_FMT " (%s) are units too far apart to compare exactly",
                   TEXT_ARG(event), TEXT_ARG(base_event), base->shown->diag.input);
    for (struct side *side = sides + SIDES; side-- > sides;) {
        (is_by_line ? view_of_lines : view_of_functions)(&side->view, side->shown);
        side->per = is_per_run ? MIN(side->shown->facts.runs, INT64_MAX) : 1;
        struct view_total *total = &side->view.total;
        if (side->view.has_allocated)
            total->notes[0].before = "; the total was allocated, and kept: ";
        total->base *= (double)side->factor;
        side->total = total->base / (double)side->per;
        cost_multiply(&total->sum, side->factor);
        cost_multiply(&total->percent_of, side->factor);
        for (struct view_note *note = total->notes; note->before != NULL; note++) {
            cost_multiply(&note->cost, side->factor);
            note->cost = side_cost(side, note->cost);
        }
        /* Costs that were divided are rounded. Other units of time are those of the producers. */
        struct unit unit = unit_of(side->shown->facts.event);
        bool is_usual = unit.is_time && (unit.factor == 10 || unit.factor == NANOSECONDS_PER_MICROSECOND ||
                                         !text_equals(unit.base, "Time"));
        if (side->factor > 1 || (unit.factor > 1 && !is_usual))
            side->error = (double)side->factor / 2 / (double)side->per;
        for (size_t i = 0; i < side->view.all; i++)
            for (enum measure m = 0; m < COUNT; m++)
                cost_multiply(&side->view.rows[i].measures[m], side->factor);
    }
    const struct view_events *events = now->view.events, *base_events = base->view.events;
    size_t count = events != NULL && base_events != NULL ? events->count : 0;
    now->event_factors = memory_zeroed(count + 1, sizeof *now->event_factors);
    base->event_factors = memory_zeroed(count + 1, sizeof *base->event_factors);
    for (size_t i = 0; i < count; i++)
        unit_factors(unit_of(events->all[i].name), unit_of(base_events->all[i].name), &now->event_factors[i],
                     &base->event_factors[i]);
    if (!are_known)
        diag_problem(text_is_empty(event) ? diag : &base->shown->diag, 0,
                     "found no events: line, expected one; the costs of both files are taken to be in the same unit");
}

uint64_t side_average(const struct side *side, uint64_t number)
{
    return number / side->per + (number % side->per >= side->per - side->per / 2);
}

int64_t side_cost(const struct side *side, int64_t cost)
{
    uint64_t size = side_average(side, cost_size(cost));
    return cost < 0 ? (int64_t)(0 - size) : (int64_t)size;
}

cost_t side_converted(const struct side *side, cost_t cost)
{
    cost_multiply(&cost, side->factor);
    return side_cost(side, cost);
}

static void side_average_row(const struct side *side, struct view_row *row)
{
    for (enum measure m = 0; m < COUNT; m++)
        row->measures[m] = side_cost(side, row->measures[m]);
    row->measures[COUNT] = (int64_t)side_average(side, (uint64_t)row->measures[COUNT]);
}

enum { PARTS = 3 }; /* that identify a function: name, file, object; of a line, the line belongs to the name */

static int compare_parts(const struct view_row *a, const struct view_row *b, int parts)
{
    const struct text of_a[PARTS] = {a->name, a->file, a->object}, of_b[PARTS] = {b->name, b->file, b->object};
    int order = 0;
    for (int i = 0; i < parts && order == 0; i++) {
        order = text_compare(of_a[i], of_b[i]);
        if (i == 0 && order == 0)
            order = ORDER(a->call_line, b->call_line);
    }
    return order;
}

static int by_identity(const void *left, const void *right)
{
    const struct view_row *a = left, *b = right;
    int order = compare_parts(a, b, PARTS);
    return order != 0 ? order : ORDER(a->number, b->number);
}

/* Rows whose parts are the same and that have no partner become pairs: first by all parts, last by the name alone. */
static void pair_functions(struct differences *d)
{
    struct view *now = &d->sides[NOW].view, *base = &d->sides[BASE].view;
    struct pair *pairs = d->pairs = memory_zeroed(now->all + base->all + 1, sizeof *pairs);
    struct pair *base_pairs = pairs + now->all;
    qsort(now->rows, now->all, sizeof *now->rows, by_identity);
    qsort(base->rows, base->all, sizeof *base->rows, by_identity);
    for (size_t i = 0; i < now->all; i++)
        pairs[now->rows[i].number].now = &now->rows[i];
    for (size_t i = 0; i < base->all; i++)
        base_pairs[base->rows[i].number].base = &base->rows[i];
    for (int parts = PARTS; parts > 0; parts--)
        for (size_t i = 0, j = 0; i < now->all && j < base->all;) {
            const struct view_row *row = &now->rows[i], *other = &base->rows[j];
            int order = compare_parts(row, other, parts);
            /* An address, as of code without symbols, says nothing about the same address of another object. */
            bool has_name = parts == PARTS || !text_starts(row->name, "0x");
            if (order < 0 || pairs[row->number].base != NULL || !has_name) {
                i++;
            } else if (order > 0 || base_pairs[other->number].base == NULL) {
                j++;
            } else {
                pairs[row->number].base = other;
                base_pairs[other->number].base = NULL;
                i++;
                j++;
            }
        }
}

static int64_t size_of(int64_t change)
{
    return change == INT64_MIN ? INT64_MAX : change < 0 ? -change : change;
}

int64_t difference_of(const struct differences *d, int64_t now, int64_t base, int64_t rounding)
{
    int64_t per = (int64_t)d->sides[NOW].per, base_per = (int64_t)d->sides[BASE].per, change;
    double rest = (double)(now % per) / (double)per - (double)(base % base_per) / (double)base_per;
    if (__builtin_sub_overflow(now / per, base / base_per, &change))
        return now < 0 ? INT64_MIN : INT64_MAX;
    cost_add(&change, (int64_t)(rest + (rest < 0 ? -0.5 : 0.5)));
    return size_of(change) > rounding ? change : 0;
}

static size_t spread_of(const struct view_row *row)
{
    return row != NULL ? (size_t)row->number + 1 : SIZE_MAX;
}

int64_t margin_as_cost(double margin)
{
    return margin < 9e18 ? (int64_t)margin : INT64_MAX;
}

static int64_t margin_of(const struct pair *pair, enum measure measure)
{
    return measure == SELF || measure == INCLUSIVE ? margin_as_cost(pair->margins[measure == INCLUSIVE]) : 0;
}

static const struct pair *pair_of(const void *view, const void *row)
{
    return &((const struct view *)view)->differences->pairs[((const struct view_row *)row)->number];
}

bool view_has_changed(const struct view *view, const struct view_row *row, enum measure measure)
{
    const struct pair *pair = pair_of(view, row);
    return size_of(pair->changes[measure]) > margin_of(pair, measure);
}

/* By the column that the rows are sorted by, or by the next one that has changed beyond its margin. */
static struct value state_of(const void *of, const void *row, int what)
{
    const struct pair *pair = pair_of(of, row);
    enum cg2wg_order order = ((const struct view *)of)->differences->options->order;
    enum measure main = order == CG2WG_BY_INCLUSIVE ? INCLUSIVE : order == CG2WG_BY_INVOCATIONS ? COUNT : SELF;
    (void)what;
    for (enum measure m = 0; !view_has_changed(of, row, main) && m < MEASURES; m++)
        if (view_has_changed(of, row, m))
            main = m;
    const char *changed = pair->is_within ? "same" : pair->changes[main] > 0 ? "grew" : "shrank";
    return (struct value){VALUE_WORD, .word = pair->base == NULL ? "new" : pair->now == NULL ? "gone" : changed};
}

/*
 * Computes the changes, and makes a row of each pair that has changed; for a page, of all. Numbers of rows are by how
 * much changes exceed their margins: those within come last.
 */
static void view_changes(struct differences *d)
{
    const struct view *now_view = &d->sides[NOW].view, *base_view = &d->sides[BASE].view;
    size_t count = now_view->all + base_view->all;
    d->view = (struct view){.shown = now_view->shown,
                            .rows = memory_zeroed(count + 1, sizeof *d->view.rows),
                            .total = {.base = d->sides[BASE].total},
                            .screen_lines = now_view->screen_lines,
                            .differences = d,
                            .is_by_line = now_view->is_by_line,
                            .counts = now_view->counts == base_view->counts ? now_view->counts : COUNTS_NOTHING,
                            .events = base_view->events != NULL ? now_view->events : NULL,
                            .has_inclusive = now_view->has_inclusive && base_view->has_inclusive};
    for (size_t i = 0; i < count; i++) {
        struct pair *pair = &d->pairs[i];
        const struct view_row *now = pair->now != NULL ? pair->now : &nothing;
        const struct view_row *base = pair->base != NULL ? pair->base : &nothing;
        struct view_row row = pair->now != NULL ? *now : *base;
        bool is_changed = !d->has_runs && (pair->now == NULL || pair->base == NULL), is_shown = is_changed;
        row.number = i;
        for (size_t m = 0; m < SPREAD_MEASURES && d->has_runs; m++)
            pair->margins[m] = spread_margin(d->sides, spread_of(pair->now), spread_of(pair->base), m);
        for (enum measure m = 0; m < MEASURES; m++) {
            if (m != ALLOCATED && (m != COUNT || d->view.counts != COUNTS_NOTHING))
                pair->changes[m] = difference_of(d, now->measures[m], base->measures[m], m == COUNT ? 0 : d->rounding);
            row.measures[m] = size_of(pair->changes[m]) - margin_of(pair, m);
            is_shown |= pair->changes[m] != 0 && !(d->has_runs && m == COUNT);
            is_changed |= view_has_changed(&d->view, &row, m) && !(d->has_runs && m == COUNT);
        }
        pair->is_within = !is_changed;
        if (pair->now == NULL && pair->base == NULL)
            continue;
        d->unchanged += !is_changed;
        if (is_shown || d->options->style == CG2WG_PAGE)
            d->view.rows[d->view.all++] = row;
    }
}

/* ---- values of columns, of an event's measure in the two inputs --------------------------- */

/* What a row of an input costs there, for a run; 0 without a row. */
static int64_t cost_in(const struct side *side, const struct view_row *row, int measure)
{
    cost_t cost = row != NULL ? view_cost(&side->view, row, measure) : 0;
    if (measure >= MEASURES)
        cost_multiply(&cost, side->event_factors[measure / MEASURES - 1]);
    return side_cost(side, cost);
}

/* A cost, which is unknown unless both inputs have that measure. */
static struct value cost_value(const void *view, const void *row, int measure, int64_t cost)
{
    const struct differences *d = ((const struct view *)view)->differences;
    bool is_known = view_has(&d->sides[NOW].view, measure) && view_has(&d->sides[BASE].view, measure);
    bool is_within = d->has_runs && measure < MEASURES && !view_has_changed(view, row, (enum measure)measure);
    return (struct value){is_known ? VALUE_COST : VALUE_NONE, .cost = cost, .is_faint = is_within};
}

static struct value old_value(const void *of, const void *row, int measure)
{
    const struct side *base = &((const struct view *)of)->differences->sides[BASE];
    return cost_value(of, row, measure, cost_in(base, pair_of(of, row)->base, measure));
}

static struct value new_value(const void *of, const void *row, int measure)
{
    const struct side *now = &((const struct view *)of)->differences->sides[NOW];
    return cost_value(of, row, measure, cost_in(now, pair_of(of, row)->now, measure));
}

/* How much a cost has changed, in percent of the old one. */
static struct value change_value(const void *of, const void *row, int measure)
{
    const struct pair *pair = pair_of(of, row);
    struct value now = new_value(of, row, measure), base = old_value(of, row, measure);
    if (now.kind == VALUE_NONE || pair->base == NULL)
        return (struct value){.kind = VALUE_NONE};
    double change = measure < MEASURES ? (double)pair->changes[measure] : (double)now.cost - (double)base.cost;
    struct value percent = value_percent(change, (double)cost_size(base.cost));
    percent.is_faint = now.is_faint;
    return percent;
}

static struct value margin_value(const void *of, const void *row, int measure)
{
    return cost_value(of, row, measure, margin_of(pair_of(of, row), (enum measure)measure));
}

/* Prints both totals, and how they differ; a percentage comes after `bracket`. */
static void print_totals(const struct table *table, const struct differences *d, const char *label, const char *bracket)
{
    char now[TABLE_CELL], base[TABLE_CELL];
    FILE *stream = table->stream;
    cost_t sums[SIDES];
    for (size_t k = 0; k < SIDES; k++)
        sums[k] = side_cost(&d->sides[k], d->sides[k].view.total.sum);
    fprintf(stream, "%s%s -> %s%s", label, table_cost(base, table->room, table->quantity, sums[BASE]),
            table_cost(now, table->room, table->quantity, sums[NOW]), d->is_per_run ? " per run" : "");
    if (d->view.total.base > 0)
        fprintf(stream, "%s%s%s %%)", bracket, d->change < 0 ? "" : "+",
                text_real(now, 2, 'f', (double)d->change * 100 / d->view.total.base));
    if (d->has_runs)
        fprintf(stream, ", %s +/- %s", d->is_within ? "within" : "beyond",
                table_cost(now, table->room, table->quantity, margin_as_cost(d->margin)));
}

static void print_table(FILE *stream, const struct differences *d, struct columns columns)
{
    char now[TABLE_CELL], base[TABLE_CELL], facts[4 * TABLE_CELL];
    size_t room = d->options->columns;
    const char *what = d->sides[NOW].view.is_by_line ? "line" : "function";
    struct table table;
    table_init(&table, stream, d->options, columns, d->sides[NOW].shown->facts.event);
    table.quantity.factor /= d->sides[NOW].factor; /* the costs have been multiplied by it */
    for (size_t i = 0; i < columns.count; i++)
        table.shown[i].quantity.factor /= d->sides[NOW].factor;
    for (const struct side *side = d->sides + SIDES; side-- > d->sides;) {
        struct text event = side->shown->facts.event;
        uint64_t runs = side->shown->facts.runs;
        int used = snprintf(facts, sizeof facts, "%" PRIu64 " run%s, %s %ss", runs, runs == 1 ? "" : "s",
                            table_number(now, room, side->view.all), what);
        if (side->factor != 1)
            snprintf(facts + used, sizeof facts - (size_t)used, ", costs multiplied by %" PRIu64, side->factor);
        fputs(side == &d->sides[BASE] ? "base:    " : "now:     ", stream);
        table_print_text(stream, room, strlen(facts) + show_width(event) + sizeof "base:      (, )",
                         text_of_string(side->shown->diag.input));
        fputs("  (", stream);
        show_plain(stream, event);
        fprintf(stream, "%s%s)", text_is_empty(event) ? "" : ", ", facts);
        view_print_notes(&table, table.quantity, &side->view.total);
        fputc('\n', stream);
    }
    print_totals(&table, d, "total:   ", "  (");
    fprintf(stream, "\nsame:    %s %s%s", table_number(base, room, d->unchanged), what, d->unchanged == 1 ? "" : "s");
    fputs(d->has_runs ? ", which changed less than the runs spread" : "", stream);
    if (d->rounding > 0)
        fprintf(stream, ", where changes of up to %s may come from rounding",
                table_cost(now, room, table.quantity, d->rounding));
    view_print_recursion(stream, d->sides[NOW].shown, d->sides[BASE].shown);
    fputs("\n\n", stream);
    view_print(&d->view, &table);
    view_print_rest(stream, room, &d->view);
}

static void print_json_costs(struct json *json, const char *key, const struct side *side, const struct columns *columns,
                             const struct view_row *row)
{
    if (row == NULL) {
        json_print(json, key, "null");
        return;
    }
    struct view_row average = *row;
    side_average_row(side, &average);
    json_begin(json, key, '{', " ");
    columns_print_json(json, columns, &average);
    if (side->shown->runs != NULL) {
        json_print(json, "self_deviation", "%" PRId64, margin_as_cost(spread_deviation(side, spread_of(row), 0)));
        json_print(json, "inclusive_deviation", "%" PRId64, margin_as_cost(spread_deviation(side, spread_of(row), 1)));
    }
    json_end(json);
}

static void print_json(FILE *stream, const struct differences *d)
{
    static const struct column costs[] = {{.key = "base_self", .value = old_value, .what = SELF},
                                          {.key = "now_self", .value = new_value, .what = SELF},
                                          {.key = "base_inclusive", .value = old_value, .what = INCLUSIVE},
                                          {.key = "now_inclusive", .value = new_value, .what = INCLUSIVE}};
    struct column of_changes[] = {{.key = "\nself_change_percent", .value = change_value, .what = SELF},
                                  {.key = "inclusive_change_percent", .value = change_value, .what = INCLUSIVE},
                                  {.key = "self_margin", .value = margin_value, .what = SELF},
                                  {.key = "inclusive_margin", .value = margin_value, .what = INCLUSIVE}};
    struct columns columns = view_columns(&d->view), of_base = view_columns(&d->sides[BASE].view),
                   of_now = view_columns(&d->sides[NOW].view),
                   changes = {.of = &d->view, .count = d->has_runs ? 4 : 2, .all = of_changes};
    struct json json = {.stream = stream};
    json_begin(&json, NULL, '{', "\n  ");
    for (const struct side *side = d->sides + SIDES; side-- > d->sides;) {
        json_begin(&json, side == &d->sides[BASE] ? "base" : "now", '{', " ");
        json_text(&json, "input", text_of_string(side->shown->diag.input));
        print_json_event(&json, side->shown->facts.event);
        json_print(&json, "factor", "%" PRIu64, side->factor);
        json_print(&json, "runs", "%" PRIu64, side->shown->facts.runs);
        if (d->has_runs)
            json_print(&json, "total_deviation", "%" PRId64, margin_as_cost(spread_deviation(side, 0, 0)));
        json_print(&json, "functions", "%zu", side->view.all);
        json_print(&json, "total", "%" PRId64, side_cost(side, side->view.total.sum));
        json_end(&json);
    }
    json_print(&json, "per_run", "%s", d->is_per_run ? "true" : "false");
    json_print(&json, "change", "%" PRId64, d->change);
    value_print_json(&json, "percent", value_percent((double)d->change, d->view.total.base));
    json_print(&json, "rounding", "%" PRId64, d->rounding);
    if (d->has_runs) {
        json_print(&json, "margin", "%" PRId64, margin_as_cost(d->margin));
        json_print(&json, "within_margin", "%s", d->is_within ? "true" : "false");
    }
    view_print_json_events(&json, &d->view);
    json_print(&json, "unchanged", "%zu", d->unchanged);
    view_print_json_part(&json, "left_out", &d->view, "functions", true);
    json_begin(&json, "functions", '[', "\n    ");
    for (size_t i = 0; i < d->view.count; i++) {
        const struct view_row *row = &d->view.rows[i];
        const struct pair *pair = &d->pairs[row->number];
        json_begin(&json, NULL, '{', " ");
        json_print(&json, "change", "\"%s\"", state_of(&d->view, row, 0).word);
        view_print_json_names(&json, row, true);
        columns_print_json(&json, &columns, row);
        columns_print_json(&json, &changes, row);
        if (d->has_runs)
            json_print(&json, "within_margin", "%s", pair->is_within ? "true" : "false");
        print_json_costs(&json, "\nbase", &d->sides[BASE], &of_base, pair->base);
        print_json_costs(&json, "\nnow", &d->sides[NOW], &of_now, pair->now);
        view_print_json_costs(&json, &d->view, row, costs, COUNT_OF(costs));
        json_end(&json);
        view_check_size(stream, d->view.shown, "names", CG2WG_MEMBER_TOP);
    }
    json_end(&json);
    json_end(&json);
    fputc('\n', stream);
}

/*
 * Is a cost larger than before by more than that share of another one? A percentage has up to six decimals. All factors
 * are whole numbers, so that 57 is not more than 0.57 % of 10000, whatever the nearest binary number is. What rounding
 * or chance explain is no growth.
 */
static bool has_grown(const struct side *sides, double now, double before, double share_of, double explained,
                      double percent)
{
    double per = (double)sides[NOW].per, base_per = (double)sides[BASE].per;
    double limit = percent < 0 ? 0 : (double)(uint64_t)(percent * 1e6 + 0.5);
    double growth = now * base_per - before * per - explained * per * base_per;
    return percent >= 0 && growth * 1e8 > limit * share_of * per;
}

/* Says which of the functions that have grown by more than their limits has grown most. A new one has. */
static void check_functions(struct differences *d)
{
    const struct cg2wg_patterns *wanted = &d->options->fail_functions;
    struct function_patterns patterns = function_patterns_of(wanted);
    bool *found = memory_zeroed(wanted->count + 1, sizeof *found);
    const struct pair *most = NULL;
    char before[TABLE_CELL], now[TABLE_CELL], percent[TABLE_CELL];
    for (size_t i = 0; i < d->sides[NOW].view.all && wanted->count > 0; i++) {
        const struct pair *pair = &d->pairs[i];
        double base = pair->base != NULL ? (double)pair->base->measures[SELF] : 0;
        memset(found, 0, wanted->count * sizeof *found);
        row_matches(pair->now, &patterns, found);
        for (size_t k = 0; k < wanted->count; k++)
            if (found[k] && (most == NULL || pair->changes[SELF] > most->changes[SELF]) &&
                has_grown(d->sides, (double)pair->now->measures[SELF], base, MAX(base, -base),
                          MAX((double)d->rounding, pair->margins[0]), d->options->fail_percents[k]))
                most = pair;
    }
    d->has_grown |= most != NULL;
    if (most == NULL)
        return;
    int64_t base = cost_in(&d->sides[BASE], most->base, SELF), cost = cost_in(&d->sides[NOW], most->now, SELF);
    bool is_new = base == 0;
    text_real(percent, 2, 'f', is_new ? 0 : (double)most->changes[SELF] * 100 / (double)cost_size(base));
    diag_say(&d->sides[NOW].shown->diag, d->sides[NOW].shown->diag.input,
             TEXT_FMT " grew most beyond its limit: %s -> %s%s%s%s", TEXT_ARG(most->now->name),
             table_signed(before, 0, base), table_signed(now, 0, cost), is_new ? "" : " (+", is_new ? "" : percent,
             is_new ? "" : " %)");
}

void differences_init(struct differences *d, const struct cg2wg_view *options, struct contents *now,
                      struct contents *base)
{
    *d = (struct differences){.options = options,
                              .sides = {[NOW] = {.shown = now, .factor = 1}, [BASE] = {.shown = base, .factor = 1}}};
    struct view *view = &d->sides[NOW].view, *base_view = &d->sides[BASE].view;
    use_one_unit(d->sides, options->group == CG2WG_GROUP_LINE);
    view_check_patterns(view, base_view, options, &now->diag);
    for (const struct side *side = d->sides + SIDES; side-- > d->sides;)
        if (options->fail_above >= 0 && !(side->view.total.base > 0))
            diag_error(diag_about(&side->shown->diag, CG2WG_MEMBER_FAIL_ABOVE), 0, "there is no total");
    d->is_per_run = d->sides[NOW].per > 1 || d->sides[BASE].per > 1;
    d->rounding = (int64_t)(d->sides[NOW].error + d->sides[BASE].error);
    double rounding = d->sides[NOW].error * (double)view->all + /* of the totals */
                      d->sides[BASE].error * (double)base_view->all;
    for (const struct side *side = d->sides + SIDES; side-- > d->sides;)
        d->has_runs |= side->shown->runs != NULL && side->shown->runs->functions != NULL;
    if (d->has_runs)
        d->margin = spread_margin(d->sides, 0, 0, 0);
    d->change = difference_of(d, view->total.sum, base_view->total.sum, margin_as_cost(rounding));
    d->is_within = size_of(d->change) <= margin_as_cost(d->margin);
    d->has_grown = has_grown(d->sides, (double)view->total.sum, (double)base_view->total.sum, base_view->total.base,
                             MAX(rounding, d->margin), options->fail_above);
    pair_functions(d);
    view_changes(d);
    check_functions(d);
    view_choose(&d->view, options, false);
    d->view.left_out = 0;
    bool is_page = options->style == CG2WG_PAGE; /* whose percentages and costs are those of the input */
    for (size_t i = 0; i < d->view.all; i++) {
        struct view_row *row = &d->view.rows[i];
        const struct pair *pair = &d->pairs[row->number];
        if (i >= d->view.count && view_has_changed(&d->view, row, SELF))
            cost_add(&d->view.left_out, size_of(pair->changes[SELF]));
        memcpy(row->measures, is_page ? (pair->now != NULL ? pair->now : &nothing)->measures : pair->changes,
               sizeof row->measures);
        if (is_page)
            side_average_row(&d->sides[NOW], row);
    }
    if (is_page) {
        d->view.total = view->total;
        d->view.total.base = d->sides[NOW].total;
        d->view.total.sum = side_cost(&d->sides[NOW], view->total.sum);
        d->view.total.percent_of = side_cost(&d->sides[NOW], view->total.percent_of);
    }
}

void print_differences(FILE *stream, const struct differences *d)
{
    const char *names[MEASURES] = {[SELF] = "self", [INCLUSIVE] = d->view.is_by_line ? "callees" : "inclusive"};
    bool are_several = d->view.events != NULL;
    struct columns columns = {.of = &d->view, .names = view_rows(&d->view), .are_changes = true};
    /* The old and the new value, and the change in percent: of all events, or of self and inclusive costs. */
    for (size_t e = 0; e < view_event_count(&d->view); e++)
        for (enum measure m = 0; m < COUNT; m++) {
            if (m == ALLOCATED || (are_several && !view_shows(d->options, m)))
                continue;
            struct text event = are_several ? view_event(&d->view, e).name : (struct text){.at = NULL};
            const char *name = are_several ? view_event_heading(event, m == INCLUSIVE ? " inclusive" : "") : names[m];
            char *old = memory_zeroed(strlen(name) + sizeof "old ", 1);
            strcat(strcpy(old, "old "), name);
            int what = (int)(e * MEASURES + m);
            const struct column added[] = {{old, NULL, MAX(12, (int)strlen(old)), old_value, what, event},
                                           {name, NULL, MAX(12, (int)strlen(name)), new_value, what, event},
                                           {"%", NULL, 8, change_value, what, event},
                                           {"+/-", NULL, 9, margin_value, what, event}};
            columns_add(&columns, added, d->has_runs && e == 0 ? 4 : 3);
        }
    const struct column last[] = {{view_counts(&d->view), NULL, 11, view_number, .what = COUNT},
                                  {"change", NULL, -6, state_of, .what = 0}};
    bool has_counts = !d->view.is_by_line && d->view.counts != COUNTS_NOTHING;
    columns_add(&columns, last + !has_counts, 1 + has_counts);
    if (d->options->style == CG2WG_MARKDOWN) {
        print_totals(&(struct table){.stream = stream}, d, "Total: ", " (");
        view_print_markdown(stream, &d->view, &columns);
    } else if (d->options->style == CG2WG_JSON)
        print_json(stream, d);
    else if (d->options->style == CG2WG_CSV)
        view_print_csv(stream, &d->view, &columns);
    else
        print_table(stream, d, columns);
}

#include "view/differences.h"

#include "view/show.h"
#include "view/table.h"
#include "view/view.h"

#include "util/run.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- reading ------------------------------------------------------------------------------ */

/* One of the two inputs. */
struct side {
    struct bar *bar;
    struct diag diag; /* its messages */
    struct run_held held;
    unsigned char *bytes; /* the file */
    size_t length;
    struct preprocessed p;
    struct view view;
    uint64_t factor; /* by which its costs have been multiplied */
    uint64_t runs;
    uint64_t per;       /* by which costs are divided to be compared: runs, or 1 */
    double error;       /* how much such a cost may be off */
    unsigned summaries; /* each of which may be, too */
};

/* Its memory must last longer than the run of the library, which calls this. */
static void take_file(void *user, struct cg2wg_bytes file)
{
    struct side *side = user;
    bar_hide(side->bar);
    bar_release(side->bar);
    side->bytes = malloc(file.length + 1);
    side->length = file.length;
    if (side->bytes != NULL && file.length > 0)
        memcpy(side->bytes, file.at, file.length);
}

static void release(void *side)
{
    free(((struct side *)side)->bytes);
}

static bool read_side(struct side *side, const char *input, const struct options *options)
{
    side->diag.input = strcmp(input, "-") == 0 ? "(standard input)" : input;
    run_hold(&side->held, release, side);
    if (cg2wg_show(input, &options->convert, NULL, take_file, side) != CG2WG_OK)
        return false;
    if (side->bytes == NULL)
        diag_no_memory(&side->diag);
    preprocessed_check(&side->p, text_of((const char *)side->bytes, side->length), &side->diag);
    if (!view_of_file(&side->view, &side->p))
        diag_no_memory(&side->diag);
    preprocessed_total(&side->p, &side->summaries);
    side->runs = preprocessed_runs(&side->p);
    return true;
}

static void free_side(struct side *side)
{
    view_free(&side->view);
    preprocessed_free(&side->p);
    run_let_go(&side->held);
    free(side->bytes);
}

/* ---- the same unit ------------------------------------------------------------------------ */

/* 32-bit costs multiplied by more than this might not fit 63 bits. */
#define MOST_FACTOR ((uint64_t)INT32_MAX)

static void multiply(struct side *side, uint64_t factor)
{
    side->factor = factor;
    side->view.total *= (double)factor;
    side->view.stated *= (double)factor;
    if (factor > 1 || preprocessed_rounding(&side->p) == ROUNDED)
        side->error = (double)factor / 2 / (double)side->per;
    for (size_t i = 0; i < side->view.all; i++) {
        side->view.rows[i].self *= (int64_t)factor;
        side->view.rows[i].inclusive *= (int64_t)factor;
    }
}

static bool use_one_unit(struct side *now, struct side *base)
{
    uint64_t factor, base_factor;
    struct text event = preprocessed_event(&now->p), base_event = preprocessed_event(&base->p);
    if (!preprocessed_common_unit(&now->p, &base->p, &factor, &base_factor))
        return diag_error(&now->diag, 0, "found costs in " TEXT_FMT ", expected " TEXT_FMT " as in %s",
                          TEXT_ARG(event), TEXT_ARG(base_event), base->diag.input);
    if (factor > MOST_FACTOR || base_factor > MOST_FACTOR)
        return diag_error(&now->diag, 0,
                          "found costs in " TEXT_FMT ", expected a unit nearer to " TEXT_FMT " of %s",
                          TEXT_ARG(event), TEXT_ARG(base_event), base->diag.input);
    bool is_per_run = now->runs > 1 && base->runs > 1;
    now->per = is_per_run ? now->runs : 1;
    base->per = is_per_run ? base->runs : 1;
    multiply(now, factor);
    multiply(base, base_factor);
    if (!text_is_empty(event) && !text_is_empty(base_event))
        return true;
    struct side *unknown = text_is_empty(event) ? now : base;
    return diag_problem(&unknown->diag, 0,
                        "found no events: line, expected one; the costs of both files are taken to be in "
                        "the same unit");
}

/* What percentages are relative to. */
static double total_of(const struct side *side)
{
    return side->view.total / (double)side->per;
}

/* A number as it is compared, rounded. */
static uint64_t average(const struct side *side, uint64_t number)
{
    return number / side->per + (number % side->per >= side->per - side->per / 2);
}

/* ---- the same functions ------------------------------------------------------------------- */

/* A function of one of the inputs, or of both. */
struct pair {
    const struct view_row *now, *base; /* NULL: it has none; both NULL: this is no pair */
};

struct differences {
    const struct options *options;
    struct side now, base;
    struct pair *pairs; /* those of the input in its order, then those that only the base has, in its */
    struct view view; /* sizes of changes, for choice and order; numbers are those of pairs */
    size_t unchanged;
    int64_t rounding; /* how much the difference of two costs may be off */
};

enum { PARTS = 3 }; /* that identify a function: name, file, object */

static int compare_parts(const struct view_row *a, const struct view_row *b, int parts)
{
    int order = text_compare(a->name, b->name);
    if (order == 0 && parts > 1)
        order = text_compare(a->file, b->file);
    if (order == 0 && parts > 2)
        order = text_compare(a->object, b->object);
    return order;
}

static int by_identity(const void *left, const void *right)
{
    const struct view_row *a = left, *b = right;
    int order = compare_parts(a, b, PARTS);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

/* An address, as of code without symbols, says nothing about the same address of another object. */
static bool has_name(const struct view_row *row)
{
    return !text_starts(row->name, "0x");
}

/* partners[i]: the base's row that belongs to row i, or NULL. taken[j]: the base's row j is one of them. */
static void find_partners(const struct differences *d, const struct view_row **partners, bool *taken,
                          int parts)
{
    const struct view *now = &d->now.view, *base = &d->base.view;
    for (size_t i = 0, j = 0; i < now->all && j < base->all;) {
        int order = compare_parts(&now->rows[i], &base->rows[j], parts);
        bool is_free = partners[i] == NULL && (parts == PARTS || has_name(&now->rows[i]));
        if (order < 0 || !is_free) {
            i++;
        } else if (order > 0 || taken[j]) {
            j++;
        } else {
            taken[j] = true;
            partners[i++] = &base->rows[j++];
        }
    }
}

static bool pair_functions(struct differences *d)
{
    struct view *now = &d->now.view, *base = &d->base.view;
    const struct view_row **partners = memory_zeroed(now->all + 1, sizeof *partners);
    bool *taken = memory_zeroed(base->all + 1, sizeof *taken);
    d->pairs = memory_zeroed(now->all + base->all + 1, sizeof *d->pairs);
    bool done = partners != NULL && taken != NULL && d->pairs != NULL;
    if (done) {
        qsort(now->rows, now->all, sizeof *now->rows, by_identity);
        qsort(base->rows, base->all, sizeof *base->rows, by_identity);
        for (int parts = PARTS; parts > 0; parts--)
            find_partners(d, partners, taken, parts);
        for (size_t i = 0; i < now->all; i++)
            d->pairs[now->rows[i].number] = (struct pair){&now->rows[i], partners[i]};
        for (size_t j = 0; j < base->all; j++)
            if (!taken[j])
                d->pairs[now->all + base->rows[j].number].base = &base->rows[j];
    }
    memory_free(partners);
    memory_free(taken);
    return done;
}

/* ---- changes ------------------------------------------------------------------------------ */

struct change {
    int64_t self, inclusive, invocations;
};

static int64_t size_of(int64_t change)
{
    return change < 0 ? -change : change;
}

/* A difference of costs, which is none if it may come from rounding. */
static int64_t beyond_rounding(const struct differences *d, int64_t change)
{
    return size_of(change) > d->rounding ? change : 0;
}

/* The difference of two numbers, rounded once if they are averages. */
static int64_t difference(const struct differences *d, uint64_t now, uint64_t base)
{
    uint64_t per = d->now.per, base_per = d->base.per;
    double rest = (double)(now % per) / (double)per - (double)(base % base_per) / (double)base_per;
    return (int64_t)(now / per) - (int64_t)(base / base_per) + (rest >= 0.5) - (rest <= -0.5);
}

/* How much the difference of the totals may be off, because their summaries are. */
static double total_rounding(const struct differences *d)
{
    return d->now.error * d->now.summaries + d->base.error * d->base.summaries;
}

static double total_change(const struct differences *d)
{
    double change = total_of(&d->now) - total_of(&d->base), rounding = total_rounding(d);
    return change > rounding || change < -rounding ? change : 0;
}

static struct change change_of(const struct differences *d, const struct pair *pair)
{
    static const struct view_row nothing = {.self = 0};
    const struct view_row *now = pair->now != NULL ? pair->now : &nothing;
    const struct view_row *base = pair->base != NULL ? pair->base : &nothing;
    return (struct change){
        beyond_rounding(d, difference(d, (uint64_t)now->self, (uint64_t)base->self)),
        beyond_rounding(d, difference(d, (uint64_t)now->inclusive, (uint64_t)base->inclusive)),
        d->view.counts == COUNTS_NOTHING ? 0 : difference(d, now->invocations, base->invocations)};
}

/* By the column that the rows are sorted by, or by the next one that has changed. */
static const char *state_of(const struct pair *pair, const struct change *change,
                            enum print_order order)
{
    int64_t main = order == ORDER_INCLUSIVE     ? change->inclusive
                   : order == ORDER_INVOCATIONS ? change->invocations
                                                : change->self;
    if (pair->base == NULL)
        return "new";
    if (pair->now == NULL)
        return "gone";
    if (main == 0)
        main = change->self != 0 ? change->self : change->inclusive != 0 ? change->inclusive : change->invocations;
    return main > 0 ? "grew" : "shrank";
}

/* Makes a row of each pair that has changed. */
static bool view_changes(struct differences *d)
{
    size_t count = d->now.view.all + d->base.view.all;
    if (!view_init(&d->view, count, total_of(&d->base)))
        return false;
    d->view.counts = d->now.view.counts == d->base.view.counts ? d->now.view.counts : COUNTS_NOTHING;
    d->view.all = 0;
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &d->pairs[i];
        struct change change = change_of(d, pair);
        bool is_same = pair->now != NULL && pair->base != NULL && change.self == 0 &&
                       change.inclusive == 0 && change.invocations == 0;
        d->unchanged += is_same;
        if (is_same || (pair->now == NULL && pair->base == NULL))
            continue;
        struct view_row *row = &d->view.rows[d->view.all++];
        *row = pair->now != NULL ? *pair->now : *pair->base;
        row->self = size_of(change.self);
        row->inclusive = size_of(change.inclusive);
        row->invocations = (uint64_t)size_of(change.invocations);
        row->number = i;
    }
    return true;
}

/* ---- table -------------------------------------------------------------------------------- */

static void set_signed(const struct table *table, struct table_cells *cells, size_t cell, int64_t change)
{
    char *text = cells->text[cell];
    text[0] = '+';
    table_signed(text + (change > 0), table->columns, change);
}

static void set_percent(struct table_cells *cells, size_t cell, double change, double total)
{
    if (total > 0)
        snprintf(cells->text[cell], TABLE_CELL, "%+.2f", change * 100 / total);
    else
        snprintf(cells->text[cell], TABLE_CELL, "-");
}

static void set_cells(const struct differences *d, const struct table *table, struct table_cells *cells,
                      const struct view_row *row)
{
    const struct pair *pair = &d->pairs[row->number];
    struct change change = change_of(d, pair);
    set_signed(table, cells, 0, change.self);
    set_percent(cells, 1, (double)change.self, d->view.total);
    set_signed(table, cells, 2, change.inclusive);
    set_percent(cells, 3, (double)change.inclusive, d->view.total);
    if (d->view.counts == COUNTS_NOTHING)
        view_set_count(&d->view, table, cells, 4, 0);
    else
        set_signed(table, cells, 4, change.invocations);
    snprintf(cells->text[5], TABLE_CELL, "%s", state_of(pair, &change, d->options->print_order));
}

static void print_side(FILE *stream, size_t columns, const char *key, const struct side *side)
{
    char number[TABLE_CELL], facts[4 * TABLE_CELL];
    struct text event = preprocessed_event(&side->p);
    int used = snprintf(facts, sizeof facts, "%" PRIu64 " run%s, %s functions", side->runs, side->runs == 1 ? "" : "s",
                        table_number(number, columns, side->view.all));
    if (side->factor != 1)
        snprintf(facts + used, sizeof facts - (size_t)used, ", costs multiplied by %" PRIu64, side->factor);
    fprintf(stream, "%s:%*s", key, 8 - (int)strlen(key), "");
    table_print_text(stream, columns, strlen(facts) + show_columns(event) + sizeof "base:      (, )",
                     text_of_string(side->diag.input));
    fputs("  (", stream);
    show_plain(stream, event);
    fprintf(stream, "%s%s)", text_is_empty(event) ? "" : ", ", facts);
    view_print_excess(stream, columns, &side->view);
    fputc('\n', stream);
}

static void print_head(FILE *stream, const struct differences *d)
{
    size_t columns = d->options->columns;
    char base[TABLE_CELL], now[TABLE_CELL];
    struct table_cells cells;
    print_side(stream, columns, "base", &d->base);
    print_side(stream, columns, "now", &d->now);
    set_percent(&cells, 0, total_change(d), d->view.total);
    fprintf(stream, "total:   %s -> %s%s", table_total(base, columns, total_of(&d->base)),
            table_total(now, columns, total_of(&d->now)), d->now.per > 1 ? " per run" : "");
    if (d->view.total > 0)
        fprintf(stream, "  (%s %%)", cells.text[0]);
    fprintf(stream, "\nsame:    %s function%s", table_number(base, columns, d->unchanged),
            d->unchanged == 1 ? "" : "s");
    if (d->rounding > 0)
        fprintf(stream, ", where changes of up to %s may come from rounding",
                table_number(now, columns, (uint64_t)d->rounding));
    fputs("\n\n", stream);
}

static void print_table(FILE *stream, const struct differences *d)
{
    static const int usual[] = {12, 8, 12, 8, 11, -6};
    struct table table;
    struct table_cells cells, headings = {{"self", "%", "inclusive", "%", "", "change"}};
    strcpy(headings.text[4], view_counts(&d->view));
    print_head(stream, d);
    table_init(&table, stream, d->options->columns, &headings, usual, sizeof usual / sizeof usual[0]);
    for (size_t i = 0; i < d->view.count && table.columns > 0; i++) {
        set_cells(d, &table, &cells, &d->view.rows[i]);
        table_fit(&table, &cells);
    }
    table_print_function(&table, &headings, text_of_string("function"), text_of("", 0), 0);
    for (size_t i = 0; i < d->view.count; i++) {
        const struct view_row *row = &d->view.rows[i];
        set_cells(d, &table, &cells, row);
        table_print_function(&table, &cells, row->name, row->file, row->line);
    }
    view_print_rest(stream, table.columns, &d->view, "changes of ");
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void print_json_side(FILE *stream, const char *key, const struct side *side)
{
    fprintf(stream, "  \"%s\": {", key);
    show_json_member(stream, "input", text_of_string(side->diag.input));
    fputs(", ", stream);
    show_json_member(stream, "event", preprocessed_event(&side->p));
    fprintf(stream, ", \"factor\": %" PRIu64 ", \"runs\": %" PRIu64 ", \"functions\": %zu, \"total\": %.0f},\n",
            side->factor, side->runs, side->view.all, total_of(side));
}

static void print_json_costs(FILE *stream, const char *key, const struct side *side, const struct view_row *row)
{
    fprintf(stream, ",\n     \"%s\": ", key);
    if (row == NULL) {
        fputs("null", stream);
        return;
    }
    fprintf(stream, "{\"self\": %" PRIu64 ", \"inclusive\": %" PRIu64, average(side, (uint64_t)row->self),
            average(side, (uint64_t)row->inclusive));
    view_print_json_count(stream, &side->view, average(side, row->invocations));
    fputc('}', stream);
}

static void print_json_function(FILE *stream, const struct differences *d, const struct view_row *row)
{
    const struct pair *pair = &d->pairs[row->number];
    struct change change = change_of(d, pair);
    fprintf(stream, "\n    {\"change\": \"%s\", ", state_of(pair, &change, d->options->print_order));
    show_json_member(stream, "name", row->name);
    fputs(", ", stream);
    show_json_member(stream, "file", row->file);
    fprintf(stream, ", \"line\": %" PRIu32, row->line);
    if (!text_is_empty(row->object)) {
        fputs(", ", stream);
        show_json_member(stream, "object", row->object);
    }
    fprintf(stream,
            ",\n     \"self\": %" PRId64 ", \"inclusive\": %" PRId64 ", \"%s\": ",
            change.self, change.inclusive, view_counts(&d->view));
    if (d->view.counts == COUNTS_NOTHING)
        fputs("null", stream);
    else
        fprintf(stream, "%" PRId64, change.invocations);
    fputs(", \"self_percent\": ", stream);
    show_json_percent(stream, (double)change.self, d->view.total);
    fputs(", \"inclusive_percent\": ", stream);
    show_json_percent(stream, (double)change.inclusive, d->view.total);
    print_json_costs(stream, "base", &d->base, pair->base);
    print_json_costs(stream, "now", &d->now, pair->now);
    fputc('}', stream);
}

static void print_json(FILE *stream, const struct differences *d)
{
    double change = total_change(d);
    fputs("{\n", stream);
    print_json_side(stream, "base", &d->base);
    print_json_side(stream, "now", &d->now);
    fprintf(stream, "  \"per_run\": %s,\n  \"change\": %.0f,\n  \"percent\": ",
            d->now.per > 1 ? "true" : "false", change);
    show_json_percent(stream, change, d->view.total);
    fprintf(stream, ",\n  \"rounding\": %" PRId64 ",\n  \"unchanged\": %zu,\n  \"left_out\": ",
            d->rounding, d->unchanged);
    view_print_json_rest(stream, &d->view, "functions");
    fputs(",\n  \"functions\": [", stream);
    for (size_t i = 0; i < d->view.count; i++) {
        fputs(i == 0 ? "" : ",", stream);
        print_json_function(stream, d, &d->view.rows[i]);
    }
    fputs("\n  ]\n}\n", stream);
}

/* ---- all ---------------------------------------------------------------------------------- */

/* A growth needs two totals. */
static bool check_total(struct side *side)
{
    return side->view.total > 0 ||
           diag_error(&side->diag, 0, "found no total, expected one because of --fail-over");
}

static bool show(FILE *stream, struct differences *d)
{
    const struct options *options = d->options;
    if (!read_side(&d->base, options->base, options) || !read_side(&d->now, options->inputs[0], options) ||
        !use_one_unit(&d->now, &d->base) ||
        !view_can_choose(&d->now.view, options, &d->now.diag) ||
        (options->fail_over >= 0 && (!check_total(&d->base) || !check_total(&d->now))))
        return false;
    d->rounding = (int64_t)(d->now.error + d->base.error);
    if (!pair_functions(d) || !view_changes(d))
        return diag_no_memory(&d->now.diag);
    view_choose(&d->view, options);
    if (options->print_style == PRINT_JSON)
        print_json(stream, d);
    else
        print_table(stream, d);
    return true;
}

/*
 * Has the total grown by more than a percentage, which has up to six decimals? All factors are whole numbers, so that
 * 57 is not more than 0.57 % of 10000, whatever the nearest binary number is. What rounding explains is no growth.
 */
static bool grew_by_more(const struct differences *d, double percent)
{
    double limit = (double)(uint64_t)(percent * 1e6 + 0.5), per = (double)d->now.per, base_per = (double)d->base.per;
    double growth = d->now.view.total * base_per - d->base.view.total * per;
    return (growth - total_rounding(d) * per * base_per) * 1e8 > limit * (d->base.view.total * per);
}

enum differences_result print_differences(FILE *stream, const struct options *options,
                                          struct bar *bar, struct diag *diag)
{
    struct side side = {.bar = bar, .diag = *diag};
    struct differences d = {.options = options, .now = side, .base = side};
    bool done = show(stream, &d);
    bool fails = done && options->fail_over >= 0 && grew_by_more(&d, options->fail_over);
    view_free(&d.view);
    memory_free(d.pairs);
    free_side(&d.now);
    free_side(&d.base);
    return !done ? DIFFERENCES_FAILED : fails ? DIFFERENCES_TOO_LARGE : DIFFERENCES_SHOWN;
}

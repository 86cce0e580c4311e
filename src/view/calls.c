#include "view/calls.h"

#include "view/show.h"
#include "view/table.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- names of functions ------------------------------------------------------------------- */

enum { NEAR_NAMES = 3, NEAR_LENGTH = 200 };

/* Names that may have been meant, the nearest first. */
struct near_names {
    struct text names[NEAR_NAMES];
    size_t distances[NEAR_NAMES];
    size_t count;
};

static void add_near(struct near_names *near, struct text name, size_t distance)
{
    size_t place = near->count;
    for (size_t i = 0; i < near->count; i++)
        if (text_same(near->names[i], name))
            return;
    while (place > 0 && (near->distances[place - 1] > distance ||
                         (near->distances[place - 1] == distance &&
                          text_length(near->names[place - 1]) > text_length(name))))
        place--;
    if (place == NEAR_NAMES)
        return;
    near->count += near->count < NEAR_NAMES;
    for (size_t i = near->count - 1; i > place; i--) {
        near->names[i] = near->names[i - 1];
        near->distances[i] = near->distances[i - 1];
    }
    near->names[place] = name;
    near->distances[place] = distance;
}

/* Finds names that contain the pattern, or nearly so. */
static void find_near(struct near_names *near, const struct view *view, const char *pattern)
{
    char letters[TEXT_DISTANCE_MOST];
    size_t length = 0;
    for (const char *c = pattern; *c != '\0' && length < sizeof letters; c++)
        if (*c != '*')
            letters[length++] = *c;
    for (size_t i = 0; i < view->all; i++) {
        struct text name = view->rows[i].name;
        size_t distance = text_distance(text_of(letters, length), name, true);
        if (distance <= length / 3 && text_length(name) <= NEAR_LENGTH)
            add_near(near, name, distance);
    }
}

static bool no_function(const struct view *view, const char *pattern, struct diag *diag)
{
    struct near_names near = {.count = 0};
    find_near(&near, view, pattern);
    if (near.count == 0)
        return diag_error(diag, 0, "found no function %s, expected a name or a pattern of one", pattern);
    struct text none = text_of("", 0), second = near.count > 1 ? near.names[1] : none;
    struct text third = near.count > 2 ? near.names[2] : none;
    return diag_error(diag, 0,
                      "found no function %s, expected one such as " TEXT_FMT "%s" TEXT_FMT "%s" TEXT_FMT,
                      pattern, TEXT_ARG(near.names[0]),
                      near.count > 2 ? ", " : near.count > 1 ? " or " : "", TEXT_ARG(second),
                      near.count > 2 ? " or " : "", TEXT_ARG(third));
}

static bool check_patterns(const struct view *view, const struct patterns *patterns, struct diag *diag)
{
    for (size_t i = 0; i < patterns->count; i++) {
        struct patterns one = {&patterns->words[i], 1};
        bool is_found = false;
        for (size_t k = 0; k < view->all && !is_found; k++)
            is_found = view_row_matches(&view->rows[k], &one);
        if (!is_found)
            return no_function(view, patterns->words[i], diag);
    }
    return true;
}

/* ---- all calls ---------------------------------------------------------------------------- */

/* Warns of lists of calls that contradict each other. Returns false if that is an error. */
static bool check_lists(const struct calls *calls)
{
    size_t count = calls->arcs.contradictions;
    return count == 0 ||
           diag_problem(calls->diag, 0,
                        "found %zu call%s that caller and callee list differently, expected one list; "
                        "the callees' lists are used",
                        count, count == 1 ? "" : "s");
}

static size_t longest_list(const uint32_t *start, size_t functions)
{
    size_t longest = 0;
    for (size_t i = 0; i < functions; i++)
        if (start[i + 1] - start[i] > longest)
            longest = start[i + 1] - start[i];
    return longest;
}

static bool make_room(struct calls *calls)
{
    const struct arc_lists *lists = &calls->arcs.lists;
    size_t callers = longest_list(lists->called_from_start, calls->functions.all);
    size_t callees = longest_list(lists->sub_calls_start, calls->functions.all);
    return view_init(&calls->room, callers > callees ? callers : callees, calls->functions.total);
}

/*
 * The most bytes that callers and callees may take, besides a multiple of the file's: names that are long, but no
 * longer than SHOW_NAME, would be printed again for each arc.
 */
enum { MOST_CALLS = 64 << 20, MOST_FACTOR = 16, ROW = 100 };

static uint64_t size_of_list(const struct calls *calls, const uint32_t *list, uint32_t count, bool is_caller)
{
    uint64_t sum = 0, most = 0;
    uint32_t top = calls->options->print_top;
    for (uint32_t i = 0; i < count; i++) {
        const struct arc *arc = &calls->arcs.arcs[list[i]];
        const struct view_row *row = &calls->functions.rows[is_caller ? arc->caller : arc->callee];
        uint64_t size = ROW + text_length(row->name) + text_length(row->file);
        sum += size;
        most = size > most ? size : most;
    }
    return top > 0 && top < count ? top * most : sum;
}

static bool check_size(const struct calls *calls, const struct preprocessed *p, const struct view *view)
{
    const struct arc_lists *lists = &calls->arcs.lists;
    uint64_t size = 0, most = MOST_CALLS + (uint64_t)MOST_FACTOR * p->size;
    for (size_t i = 0; i < view->count; i++) {
        size_t f = view->rows[i].number;
        const uint32_t *callers = &lists->called_from_start[f], *callees = &lists->sub_calls_start[f];
        size += size_of_list(calls, lists->called_from + callers[0], callers[1] - callers[0], true) +
                size_of_list(calls, lists->sub_calls + callees[0], callees[1] - callees[0], false);
    }
    return size <= most ||
           diag_error(calls->diag, 0, "found callers and callees that make %" PRIu64 " bytes of text, expected at most %" PRIu64
                      ", for as many as there are; --top=N prints fewer", size, most);
}

bool calls_init(struct calls *calls, const struct preprocessed *p, struct view *view,
                const struct options *options, struct diag *diag)
{
    *calls = (struct calls){.options = options, .diag = diag};
    if (!check_patterns(view, &options->functions, diag))
        return false;
    if (!view_of_file(&calls->functions, p))
        return diag_no_memory(diag);
    if (!preprocessed_arcs_init(&calls->arcs, p)) {
        view_free(&calls->functions);
        return diag_no_memory(diag);
    }
    if ((!make_room(calls) && !diag_no_memory(diag)) || !check_lists(calls)) {
        calls_free(calls);
        return false;
    }
    view_keep(view, &options->functions, options->print_order, options->print_top);
    if (!check_size(calls, p, view)) {
        calls_free(calls);
        return false;
    }
    return true;
}

void calls_free(struct calls *calls)
{
    view_free(&calls->functions);
    view_free(&calls->room);
    preprocessed_arcs_free(&calls->arcs);
}

/* ---- the calls of one function ------------------------------------------------------------ */

/* Callers or callees of a function. */
struct call_side {
    const char *name, *names;
    bool is_caller;
};

static const struct call_side sides[] = {{"caller", "callers", true}, {"callee", "callees", false}};
enum { SIDES = sizeof sides / sizeof sides[0] };

static uint32_t other_end(const struct call_side *side, const struct arc *arc)
{
    return side->is_caller ? arc->caller : arc->callee;
}

/* They are rows whose numbers are those of their arcs; valid until the next call. */
static struct view view_of_calls(const struct calls *calls, const struct call_side *side, size_t function)
{
    const struct arc_lists *lists = &calls->arcs.lists;
    const uint32_t *list = side->is_caller ? lists->called_from : lists->sub_calls;
    const uint32_t *start = side->is_caller ? lists->called_from_start : lists->sub_calls_start;
    uint32_t first = start[function];
    struct view view = calls->room;
    view.all = start[function + 1] - first;
    for (uint32_t i = 0; i < view.all; i++) {
        const struct arc *arc = &calls->arcs.arcs[list[first + i]];
        view.rows[i] = calls->functions.rows[other_end(side, arc)];
        view.rows[i].self = view.rows[i].inclusive = arc->cost;
        view.rows[i].invocations = arc->count;
        view.rows[i].number = list[first + i];
    }
    view_choose(&view, calls->options);
    return view;
}

static void set_cells(const struct calls *calls, const struct table *table, struct table_cells *cells,
                      const struct view_row *row, const struct view_row *function)
{
    table_set(table, cells, 0, (uint64_t)row->self);
    table_set_percent(cells, 1, (double)row->self, calls->functions.total);
    table_set(table, cells, 2, row->invocations);
    table_set_percent(cells, 3, (double)row->self, (double)function->inclusive);
    uint32_t line = calls->arcs.arcs[row->number].line;
    table_set_cost(table, cells, 4, line > 0 ? (int64_t)line : -1);
}

static void print_side(const struct calls *calls, FILE *stream, const struct call_side *side,
                       const struct view *view, const struct view_row *function)
{
    struct table_cells headings = {{"cost", "%", "calls", "share", "line"}};
    static const int usual[] = {12, 7, 12, 7, 11};
    size_t columns = calls->options->columns;
    struct table table;
    struct table_cells cells;
    if (calls->functions.counts == COUNTS_SAMPLES)
        strcpy(headings.text[2], "samples");
    if (view->all == 0) {
        fprintf(stream, "\nno %s\n", side->names);
        return;
    }
    table_init(&table, stream, columns, &headings, usual, sizeof usual / sizeof usual[0]);
    for (size_t i = 0; i < view->count && columns > 0; i++) {
        set_cells(calls, &table, &cells, &view->rows[i], function);
        table_fit(&table, &cells);
    }
    fputc('\n', stream);
    table_print_function(&table, &headings, text_of_string(side->name), text_of("", 0), 0);
    for (size_t i = 0; i < view->count; i++) {
        const struct view_row *row = &view->rows[i];
        set_cells(calls, &table, &cells, row, function);
        table_print_function(&table, &cells, row->name, row->file, row->line);
    }
    view_print_rest(stream, columns, view, "");
}

void calls_print(const struct calls *calls, FILE *stream, const struct view_row *function)
{
    for (size_t i = 0; i < SIDES; i++) {
        struct view view = view_of_calls(calls, &sides[i], function->number);
        print_side(calls, stream, &sides[i], &view, function);
    }
}

static void print_json_side(const struct calls *calls, FILE *stream, const struct call_side *side,
                            const struct view *view, const struct view_row *function)
{
    fprintf(stream, ",\n     \"%s\": [", side->names);
    for (size_t i = 0; i < view->count; i++) {
        const struct view_row *row = &view->rows[i];
        const struct arc *arc = &calls->arcs.arcs[row->number];
        fprintf(stream, "%s\n      {\"function\": %" PRIu32 ", ", i == 0 ? "" : ",", other_end(side, arc));
        show_json_member(stream, "name", row->name);
        fputs(", ", stream);
        show_json_member(stream, "file", row->file);
        fprintf(stream, ", \"line\": %" PRIu32 ", \"count\": %" PRIu64 ", \"cost\": %" PRId64, arc->line,
                arc->count, arc->cost);
        fputs(", \"share\": ", stream);
        show_json_percent(stream, (double)arc->cost, (double)function->inclusive);
        fputc('}', stream);
    }
    fprintf(stream, "],\n     \"%s_left_out\": ", side->names);
    view_print_json_rest(stream, view, side->names);
}

void calls_print_json(const struct calls *calls, FILE *stream, const struct view_row *function)
{
    for (size_t i = 0; i < SIDES; i++) {
        struct view view = view_of_calls(calls, &sides[i], function->number);
        print_json_side(calls, stream, &sides[i], &view, function);
    }
}

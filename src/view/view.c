/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include "model/groups.h"
#include "model/line_costs.h"
#include "model/recursion.h"
#include "util/sha256.h"
#include "util/show.h"

#include <inttypes.h>
#include <stdlib.h>

bool shown_repeats_recursion(const struct contents *shown)
{
    const struct profile *profile = &shown->profile;
    struct profile limited = *profile;
    double rounding = (double)profile->function_count + 0.001 * (double)profile_self_cost(profile);
    bool repeats = false;
    if (shown->stored.version == 0 || profile->arc_count == 0)
        return false;
    limited.functions = memory_copy(profile->functions, profile->function_count * sizeof *limited.functions);
    limited.arcs = memory_copy(profile->arcs, profile->arc_count * sizeof *limited.arcs);
    recursion_limit_cycles(&limited, NULL);
    for (size_t i = 0; i < profile->function_count && !repeats; i++)
        repeats = (double)profile->functions[i].inclusive > (double)limited.functions[i].inclusive + rounding;
    memory_free(limited.functions);
    memory_free(limited.arcs);
    return repeats;
}

static int by_number(const struct view_row *a, const struct view_row *b)
{
    return a->number != b->number ? ORDER(a->number, b->number) : ORDER(a->arc, b->arc);
}

COMPARISON(by_key, struct view_row, a->key != b->key ? ORDER(b->key, a->key) : by_number(a, b))

/* Reports that a pattern matches nothing, with up to three names that contain it, or nearly so, the nearest first. */
static void no_function(const struct view *view, const char *pattern, struct diag *diag)
{
    enum { NEAR_NAMES = 3, NEAR_LENGTH = 200 };
    char letters[TEXT_DISTANCE_MOST];
    size_t length = 0, count = 0;
    struct text near[NEAR_NAMES] = {text_of("", 0), text_of("", 0), text_of("", 0)};
    for (const char *c = pattern + (*pattern == '='); *c != '\0' && length < sizeof letters; c++)
        if (*c != '*')
            letters[length++] = *c;
    for (struct view_row *row = view->rows; row < view->rows + view->all; row++) {
        size_t name = text_length(row->name), distance = SIZE_MAX;
        if (name <= NEAR_LENGTH)
            distance = text_distance(text_of(letters, length), row->name, true);
        /* Of equal ones, the shorter name. */
        row->key = distance > length / 3 ? INT64_MIN : -(int64_t)(distance * (NEAR_LENGTH + 1) + name);
    }
    qsort(view->rows, view->all, sizeof *view->rows, by_key);
    for (const struct view_row *row = view->rows; row < view->rows + view->all && count < NEAR_NAMES; row++) {
        bool is_left_out = row->key == INT64_MIN;
        for (size_t k = 0; k < count; k++)
            is_left_out |= text_same(near[k], row->name);
        if (!is_left_out)
            near[count++] = row->name;
    }
    if (count == 0)
        diag_error(diag, 0, "no function matches %s", pattern);
    const char *before_last = count > 1 ? " and " : "", *before = count > 2 ? ", " : before_last;
    diag_error(diag, 0, "no function matches %s; there is " TEXT_FMT "%s" TEXT_FMT "%s" TEXT_FMT, pattern,
               TEXT_ARG(near[0]), before, TEXT_ARG(near[1]), count > 2 ? before_last : "", TEXT_ARG(near[2]));
}

void view_check_patterns(const struct view *view, const struct view *base, const struct cg2wg_view *options,
                         struct diag *diag)
{
    static const struct cg2wg_patterns none;
    const struct cg2wg_patterns *all[] = {view->shown->group < CG2WG_GROUP_RUN ? &options->functions : &none,
                                          &options->only, &options->hide, &options->fail_functions};
    bool has_objects = false;
    for (size_t i = 0; i < view->all && !has_objects; i++)
        has_objects = !text_is_empty(view->rows[i].object);
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        struct function_patterns patterns = function_patterns_of(all[i]);
        bool *found = memory_zeroed(all[i]->count + 1, sizeof *found);
        for (const struct view *v = view; v != NULL && all[i]->count > 0; v = v == view ? base : NULL)
            for (size_t r = 0; r < v->all; r++)
                row_matches(&v->rows[r], &patterns, found);
        for (size_t k = 0; k < all[i]->count; k++) {
            const char *word = all[i]->words[k];
            if (strncmp(word, "object:", strlen("object:")) == 0 && !has_objects)
                diag_error(diag, 0, "this input has no object names, so %s cannot match", word);
            if (found[k])
                continue;
            if (all[i] != &options->hide)
                no_function(view, word, diag);
            diag_warning(diag_about(diag, CG2WG_MEMBER_HIDE), 0, "no function matches %s", word);
        }
    }
}

int view_by_name(const void *left, const void *right)
{
    const struct view_row *a = left, *b = right;
    int order = text_compare(a->name, b->name);
    return order != 0 ? order : by_number(a, b);
}

/* The self cost of a row or, if rows are single calls, of all of these. */
static cost_t self_of(const struct view *view, const struct view_row *row)
{
    bool are_calls = view->shown->group == CG2WG_GROUP_CALL;
    return are_calls ? view->shown->profile.functions[row->number].self : row->measures[SELF];
}

uint64_t view_count(const struct view *view, size_t first, size_t end)
{
    uint64_t count = view->shown->group == CG2WG_GROUP_CALL ? 0 : end - first;
    for (size_t i = first; i < end && view->shown->group == CG2WG_GROUP_CALL; i++)
        count_add(&count, (uint64_t)view->rows[i].measures[COUNT]);
    return count;
}

void view_choose(struct view *view, const struct cg2wg_view *options, bool by_function)
{
    static const enum measure measures[] = {[CG2WG_BY_SELF] = SELF,
                                            [CG2WG_BY_INCLUSIVE] = INCLUSIVE,
                                            [CG2WG_BY_INVOCATIONS] = COUNT,
                                            [CG2WG_BY_NAME] = MEASURES,
                                            [CG2WG_BY_PLACE] = MEASURES};
    enum cg2wg_order order = options->order;
    struct function_patterns only = function_patterns_of(by_function ? &options->functions : &options->only);
    struct function_patterns hide = function_patterns_of(&options->hide);
    view->count = 0;
    view->matching_cost = 0;
    view->is_filtered = !by_function && (options->only.count > 0 || options->hide.count > 0 || options->min > 0);
    for (size_t i = 0; i < view->all; i++) {
        struct view_row *row = &view->rows[i];
        double cost = (double)MAX(MAX(row->measures[INCLUSIVE], row->measures[SELF]), row->measures[ALLOCATED]);
        bool is_small = view->total.base > 0 && options->min > 0 && cost < view->total.base * options->min / 100;
        if (((by_function || options->only.count > 0) && !row_matches(row, &only, NULL)) ||
            (!by_function && (is_small || (options->hide.count > 0 && row_matches(row, &hide, NULL)))))
            continue;
        if (measures[order] < MEASURES)
            row->key = row->measures[measures[order]];
        if (order == CG2WG_BY_INVOCATIONS && row->key < 0)
            row->key = INT64_MAX;
        cost_add(&view->matching_cost, self_of(view, row));
        if (i > view->count) { /* those that are not chosen come after the others */
            struct view_row chosen = *row;
            *row = view->rows[view->count];
            view->rows[view->count] = chosen;
        }
        view->count++;
    }
    view->matching = view->count;
    if (by_function)
        view->all = view->count;
    /* A page has its own order; this one would be a tenth of its time. */
    if (options->style != CG2WG_PAGE || options->top > 0)
        qsort(view->rows, view->count, sizeof *view->rows, order == CG2WG_BY_NAME ? view_by_name : by_key);
    enum { OTHER_LINES = 10, LEAST = 5 }; /* before and after the functions, and the shell's prompt */
    bool must_fit = options->style == CG2WG_TABLE && !by_function && options->lines > 0;
    size_t fits = options->lines > OTHER_LINES + LEAST + view->screen_lines
                      ? options->lines - OTHER_LINES - view->screen_lines
                      : LEAST;
    size_t most = options->top > 0 ? options->top : must_fit ? fits : view->count;
    view->count = MIN(view->count, most);
    view->left_out = 0;
    for (size_t i = view->count; i < view->all; i++)
        cost_add(&view->left_out, self_of(view, &view->rows[i]));
}

struct text view_name(const struct names *names, uint32_t name, struct text **forms)
{
    enum { DIGITS = 16 };
    struct text text = names_text(names, name);
    unsigned char hash[SHA256_SIZE];
    size_t length = VIEW_NAME - 3 - DIGITS;
    if (text_length(text) <= VIEW_NAME)
        return text;
    if (*forms == NULL)
        *forms = memory_zeroed(names->count, sizeof **forms);
    if ((*forms)[name].at != NULL)
        return (*forms)[name];
    sha256(text, hash);
    char *form = memory_get(VIEW_NAME + 1);
    while (((unsigned char)text.at[length] & 0xc0) == 0x80 && length > VIEW_NAME / 2) /* within a character */
        length--;
    memcpy(form, text.at, length);
    memcpy(form + length, "...", 3);
    for (size_t i = 0; i < DIGITS / 2; i++)
        snprintf(form + length + 3 + 2 * i, 3, "%02x", hash[i]);
    return (*forms)[name] = text_of(form, length + 3 + DIGITS);
}

/* The total of an input whose self costs, and the positive ones among them, have these sums. */
static struct view_total total_of(const struct contents *shown, cost_t sum, cost_t positive, double base)
{
    const struct facts *facts = &shown->facts;
    double rounding = facts->unit.factor > 1 ? (double)shown->profile.function_count / 2 : 0;
    cost_t stated = facts->total, other = stated;
    struct view_total total = {base, positive, sum, stated, facts->peak, {{NULL, NULL, 0}}};
    struct view_note *note = total.notes;
    cost_subtract(&other, sum);
    bool is_more = (double)other > (shown->stored.version > 0 ? rounding : 0) && stated != positive;
    if (shown->allocated != NULL) {
        total.sum = total.percent_of = stated;
        *note++ = (struct view_note){" allocated; kept: ", "", shown->allocated[shown->profile.function_count + 1]};
    } else if (stated > 0 && (facts->is_stated || positive == 0)) { /* some inputs have no self costs */
        total.sum = total.percent_of = stated;
        if (positive > 0 && (is_more || (double)other < -rounding))
            *note++ = (struct view_note){"; the self costs are ", "", sum};
    } else {
        if (is_more)
            *note++ = (struct view_note){", and ", " outside of functions", other};
        else if ((double)other < -rounding)
            *note++ = (struct view_note){"; the input says ", "", stated};
        if (sum < positive)
            *note++ = (struct view_note){"; percentages are of the positive self costs, ", "", positive};
    }
    if (total.peak > 0)
        *note++ = (struct view_note){"; PHP's peak: ", "", total.peak};
    if (total.percent_of != positive || positive < INT64_MAX)
        total.base = (double)total.percent_of;
    return total;
}

/* What a group is called whose functions have no file, class, object or folder, or a class that only Xdebug knows. */
static struct text group_label(enum cg2wg_group group, struct text name)
{
    static const char *const labels[][2] = {{"php", "PHP itself"},
                                            {"include", "included files (include)"},
                                            {"include_once", "included files (include_once)"},
                                            {"require", "included files (require)"},
                                            {"require_once", "included files (require_once)"}};
    static const char *const nameless[] = {[CG2WG_GROUP_FILE] = "no file",
                                           [CG2WG_GROUP_CLASS] = "functions",
                                           [CG2WG_GROUP_OBJECT] = "no object",
                                           [CG2WG_GROUP_FOLDER] = "no folder"};
    if (group != CG2WG_GROUP_FUNCTION && group < COUNT_OF(nameless) && text_equals(name, "[none]"))
        return text_of_string(nameless[group]);
    for (size_t i = 0; i < COUNT_OF(labels) && group == CG2WG_GROUP_CLASS; i++)
        if (text_equals(name, labels[i][0]))
            return text_of_string(labels[i][1]);
    return name;
}

void view_of_functions(struct view *view, const struct contents *shown)
{
    const struct profile *profile = &shown->profile;
    size_t count = profile->function_count;
    struct text *forms = NULL;
    bool are_calls = shown->group == CG2WG_GROUP_CALL;
    double base = 0; /* of the positive self costs, whose exact sum may not fit */
    cost_t sum = 0, positive = 0;
    *view = (struct view){.shown = shown,
                          .rows = memory_get((count + 1) * sizeof *view->rows),
                          .count = count,
                          .all = count,
                          .counts = shown->facts.counts,
                          .screen_lines = shown->diag.screen_lines,
                          .has_inclusive = shown->facts.has_inclusive || shown->group >= CG2WG_GROUP_RUN,
                          .has_allocated = shown->allocated != NULL && !are_calls};
    for (uint32_t i = 0; i < count; i++) {
        const struct function *f = &profile->functions[i];
        bool has_object = f->identity == IDENTITY_OBJECT && shown->sizes == NULL && !are_calls;
        int64_t calls = are_calls ? (int64_t)MIN(MAX(f->invocations, 1), INT64_MAX) : 1; /* which cost the same */
        view->rows[i] = (struct view_row){
            .measures = {[SELF] = f->self / calls,
                         [INCLUSIVE] = f->inclusive / calls,
                         [COUNT] = (int64_t)f->invocations,
                         [ALLOCATED] = shown->allocated != NULL ? shown->allocated[i] : 0},
            .name = group_label(shown->group, view_name(&profile->names, f->name, &forms)),
            .file = view_name(&profile->names, f->file, &forms),
            .object = view_name(&profile->names, has_object ? f->object : NAME_EMPTY, &forms),
            .line = shown->sizes != NULL ? 0 : profile_line(profile, f->file, f->line),
            .number = i};
        base += (double)MAX(f->self, 0);
        cost_add(&positive, MAX(f->self, 0));
        cost_add(&sum, f->self);
    }
    if (group_is_of_functions(shown->group))
        positive = shown->positive;
    for (size_t i = 0; i < count && shown->group >= CG2WG_GROUP_RUN && view->counts == COUNTS_NOTHING; i++)
        view->counts = profile->functions[i].invocations > 0 ? COUNTS_CALLS : COUNTS_NOTHING;
    if (shown->group >= CG2WG_GROUP_RUN) /* rows may have less */
        base = (double)(sum = positive = shown->facts.parts_self);
    view->total = total_of(shown, sum, positive, base);
    view->events = shown->events;
}

void view_of_lines(struct view *view, const struct contents *shown)
{
    const struct profile *profile = &shown->profile;
    struct view functions;
    struct ordered_lines ordered;
    struct text *forms = NULL;
    struct code_line line;
    view_of_functions(&functions, shown);
    ordered_lines_init(&ordered, profile);
    *view = functions;
    view->is_by_line = true;
    view->has_allocated = false;
    view->all = 0;
    view->rows = memory_get((profile->lines->count + 1) * sizeof *view->rows);
    for (size_t f = 0; f < profile->function_count; f++)
        for (size_t next = ordered.start[f];
             ordered_lines_take(&ordered, profile->lines, &next, ordered.start[f + 1], &line);) {
            if (line.self == 0 && line.calls == 0 && line.call_count == 0) /* many lines of Xdebug are such ones */
                continue;
            struct view_row *row = &view->rows[view->all++];
            *row = functions.rows[f];
            memcpy(row->measures, (int64_t[]){line.self, 0, line.calls, (int64_t)line.call_count},
                   sizeof row->measures);
            row->file = view_name(&profile->names, line.file, &forms);
            row->line = row->call_line = line.line;
            row->texts[CG2WG_GROUP_FILE] = line.file;
            row->number = ordered.all[line.first].row;
            for (size_t i = line.first; i < line.end; i++)
                row->number = MIN(row->number, ordered.all[i].row);
        }
    uint32_t *numbers = memory_zeroed(profile->lines->count + 1, sizeof *numbers), count = 0;
    for (size_t i = 0; i < view->all; i++)
        numbers[view->rows[i].number] = 1;
    for (size_t i = 0; i < profile->lines->count; i++) /* in the same order, without gaps */
        numbers[i] = count += numbers[i];
    for (size_t i = 0; i < view->all; i++)
        view->rows[i].number = numbers[view->rows[i].number] - 1;
    view->count = view->all;
    memory_free(functions.rows);
    memory_free(ordered.start);
    memory_free(ordered.all);
}

void view_check_size(FILE *stream, const struct contents *shown, const char *what, enum cg2wg_member member)
{
    struct diag diag = shown->diag;
    int64_t size = ftello(stream);
    if (size > 0 && (uint64_t)size > shown->most_bytes)
        diag_error(diag_about(&diag, member), 0,
                   "found %s that make too much output, expected at most %" PRIu64 " bytes from an input of this size",
                   what, shown->most_bytes);
}

size_t view_event_count(const struct view *view)
{
    return view->events != NULL ? view->events->count + 1 : 1;
}

struct view_event view_event(const struct view *view, size_t number)
{
    if (number > 0)
        return view->events->all[number - 1];
    return (struct view_event){.name = view->shown->facts.event,
                               .total = view->total,
                               .has_allocated = view->has_allocated,
                               .has_inclusive = view->has_inclusive};
}

bool view_has(const struct view *view, int measure)
{
    struct view_event event = view_event(view, (size_t)measure / MEASURES);
    switch (measure % MEASURES) {
    case COUNT: return view->counts != COUNTS_NOTHING;
    case INCLUSIVE: return event.has_inclusive;
    case ALLOCATED: return event.has_allocated;
    default: return true;
    }
}

int64_t view_cost(const struct view *view, const struct view_row *row, int measure)
{
    if (measure < MEASURES)
        return row->measures[measure];
    const struct view_events *events = view->events;
    return events->costs[row->number * events->most + (size_t)measure / MEASURES - 1][measure % MEASURES];
}

struct value view_number(const void *of, const void *row, int measure)
{
    const struct view *view = of;
    int64_t number = view_cost(view, row, measure);
    bool is_part = view->shown->group >= CG2WG_GROUP_RUN && (view->are_whole || view_cost(view, row, INCLUSIVE) != 0);
    if (!view_has(view, measure) || (measure == COUNT && number == 0 && is_part))
        return (struct value){.kind = VALUE_NONE};
    if (measure == COUNT && view->differences == NULL)
        return (struct value){VALUE_COUNT, .count = (uint64_t)number};
    return (struct value){measure == COUNT ? VALUE_CHANGE : VALUE_COST, .cost = number};
}

struct value view_percent(const void *of, const void *row, int measure)
{
    const struct view *view = of;
    double total = view_has(view, measure) ? view_event(view, (size_t)measure / MEASURES).total.base : 0;
    return value_percent((double)view_cost(view, row, measure), total);
}

struct columns view_columns(const struct view *view)
{
    bool are_samples = view->counts == COUNTS_SAMPLES;
    static const struct column of_lines[] = {{"self", "self", 12, view_number, .what = SELF},
                                             {"%", "self_percent", 7, view_percent, .what = SELF},
                                             {"callees", "calls", 12, view_number, .what = INCLUSIVE}};
    const struct column all[] = {
        {view->are_whole ? "cost" : "self", "\nself", 12, view_number, .what = SELF},
        {"%", "self_percent", 7, view_percent, .what = SELF},
        {"allocated", "allocated", 12, view_number, .what = ALLOCATED},
        {"%", NULL, 7, view_percent, .what = ALLOCATED},
        {view->has_allocated ? "kept" : "inclusive", "inclusive", 12, view_number, .what = INCLUSIVE},
        {"%", "inclusive_percent", 7, view_percent, .what = INCLUSIVE},
        {view_counts(view), are_samples ? "samples" : "invocations", 11, view_number, .what = COUNT}};
    struct columns columns = {.of = view, .names = view_rows(view), .are_changes = view->differences != NULL};
    const struct column *from = view->is_by_line ? of_lines : all;
    bool has_inclusive = !view->are_whole || view->has_allocated;
    size_t count = view->is_by_line ? COUNT_OF(of_lines) : COUNT_OF(all) - view->is_tree;
    for (size_t i = 0; i < count; i++) {
        bool is_percent = from[i].value == view_percent;
        if ((from[i].what == ALLOCATED && !view->has_allocated) || (from[i].what == INCLUSIVE && !has_inclusive))
            continue;
        struct column column = from[i];
        column.width += is_percent && view->differences != NULL; /* for the sign */
        if (is_percent && view->differences == NULL)
            column.key = NULL;
        columns_add(&columns, &column, 1);
    }
    return columns;
}

void view_print_recursion(FILE *stream, const struct contents *shown, const struct contents *base)
{
    if (shown_repeats_recursion(shown) || (base != NULL && shown_repeats_recursion(base)))
        fputs("\nnote:    inclusive costs count recursion more than once; printed from the profile, they do not",
              stream);
}

const char *view_rows(const struct view *view)
{
    static const char *const groups[] = {
        [CG2WG_GROUP_FUNCTION] = "function", [CG2WG_GROUP_FILE] = "file",     [CG2WG_GROUP_CLASS] = "class",
        [CG2WG_GROUP_OBJECT] = "object",     [CG2WG_GROUP_FOLDER] = "folder", [CG2WG_GROUP_RUN] = "run",
        [CG2WG_GROUP_PROCESS] = "process",   [CG2WG_GROUP_THREAD] = "thread", [CG2WG_GROUP_CALL] = "call"};
    return view->is_by_line ? "line and function" : view->is_tree ? "stack" : groups[view->shown->group];
}

const char *view_counts(const struct view *view)
{
    return view->counts == COUNTS_SAMPLES ? "samples" : "calls";
}

/* What is beside a row's name. */
struct beside {
    size_t indent, used;         /* width before the name; of all that is not the name or its file */
    struct text file, call_file; /* on a terminal, a function whose file is unknown has its object */
    uint32_t line;
};

static struct beside beside_of(const struct table *table, const struct view_row *row, size_t used)
{
    const struct view *view = table->columns.of;
    char number[TABLE_CELL];
    size_t indent = 2 * row->indent, left = table->room > used + 24 ? table->room - used - 24 : 0;
    bool is_object = table->room > 0 && !text_is_empty(row->object) &&
                     (text_is_empty(row->file) || text_equals(row->file, "???"));
    struct beside beside = {.indent = table->room > 0 ? MIN(indent, left) : indent,
                            .file = is_object ? path_file(row->object) : row->file,
                            .line = is_object ? 0 : row->line};
    if (view->call_files != NULL)
        beside.call_file = view->call_files[row->arc];
    beside.used = used + beside.indent;
    if (!text_is_empty(beside.call_file))
        beside.used += strlen(" at :") + strlen(table_number(number, 0, row->call_line)) +
                       MIN(show_width(path_file(beside.call_file)), table->room / 4);
    return beside;
}

size_t view_print_row(const struct table *table, const struct view_row *row)
{
    enum { HOT_SHARE = 10, WARM_SHARE = 2 }; /* percent of the total */
    const struct view *view = table->columns.of;
    FILE *stream = table->stream;
    double self = row != NULL && view->total.base > 0 ? (double)row->measures[SELF] * 100 / view->total.base : 0;
    const char *colour = self >= HOT_SHARE ? "\033[31m" : self >= WARM_SHARE ? "\033[33m" : "";
    if (row != NULL && view->differences != NULL)
        colour = !view_has_changed(view, row, SELF) ? "" : row->measures[SELF] > 0 ? "\033[31m" : "\033[32m";
    colour = table->has_colour ? colour : "";
    fputs(colour, stream);
    size_t used = table_print(table, row) + 2;
    fputs(*colour != '\0' ? "\033[0m  " : "  ", stream);
    if (row == NULL) {
        fputs(table->columns.names, stream);
    } else if (view->is_by_line) { /* `FILE:LINE  NAME`, at most half of it the place, unless the name needs less */
        char number[TABLE_CELL] = ":?";
        if (row->line > 0)
            table_number(number + 1, 0, row->line);
        struct text file = text_is_empty(row->file) ? text_of_string("???") : row->file;
        size_t left = table->room > used ? table->room - used : 1, most = left / 2;
        if (table->room > 0 && show_width(row->name) + 2 < left - most)
            most = left - 2 - show_width(row->name);
        most = most > strlen(number) + 1 ? most - strlen(number) : 1;
        size_t width = table->room > 0 ? MIN(show_width(file), most) : SIZE_MAX;
        show_shortened(stream, file, width, true);
        strcat(number, "  ");
        fputs(number, stream);
        table_print_name(stream, table->room, used + width + strlen(number), row->name, text_of("", 0), 0);
    } else {
        size_t room = table->room;
        struct beside beside = beside_of(table, row, used);
        for (size_t i = 0; i < beside.indent; i++)
            fputc(' ', stream);
        table_print_name(stream, room, beside.used, row->name, beside.file, beside.line);
        if (!text_is_empty(beside.call_file)) {
            fputs(" at ", stream);
            show_shortened(stream, room > 0 ? path_file(beside.call_file) : beside.call_file,
                           room > 0 ? room / 4 : SIZE_MAX, true);
            fprintf(stream, ":%" PRIu32, row->call_line);
        }
    }
    fputc('\n', stream);
    return used;
}

static size_t equal_end(struct text a, struct text b)
{
    size_t length = 0, most = MIN(text_length(a), text_length(b));
    while (length < most && *(a.end - length - 1) == *(b.end - length - 1))
        length++;
    return length;
}

/* Each by its bytes from the last one on. */
static int by_end_of_file(const void *left, const void *right)
{
    struct text a = (*(struct view_row *const *)left)->file, b = (*(struct view_row *const *)right)->file;
    size_t equal = equal_end(a, b), a_rest = text_length(a) - equal, b_rest = text_length(b) - equal;
    return a_rest > 0 && b_rest > 0 ? ORDER(a.at[a_rest - 1], b.at[b_rest - 1]) : ORDER(a_rest, b_rest);
}

void view_fit(const struct view *view, struct table *table)
{
    enum { ENOUGH = 40, ENOUGH_OF_EVENTS = 24 }; /* for a name */
    size_t widest = 0, used = 1, count = table->columns.count;
    if (table->room == 0)
        return;
    if (view->is_by_line) { /* of each file's path remains the end, from a folder on, that no other file has */
        struct view_row **rows = memory_get((view->count + 1) * sizeof *rows);
        for (size_t i = 0; i < view->count; i++)
            rows[i] = &view->rows[i];
        qsort(rows, view->count, sizeof *rows, by_end_of_file);
        for (size_t i = 0, end, before = 0; i < view->count; i = end) {
            struct text file = rows[i]->file;
            for (end = i; end < view->count && text_same(file, rows[end]->file);)
                end++;
            size_t after = end < view->count ? equal_end(file, rows[end]->file) : 0, common = MAX(before, after);
            const char *start = file.end - common;
            while (start > file.at && (start + common == file.end || start[-1] != '/'))
                start--;
            for (; i < end; i++) /* of either input */
                rows[i]->file.at = rows[i]->file.end - (file.end - start);
            before = after;
        }
        memory_free(rows);
    }
    for (size_t i = 0; i < view->count; i++) {
        table_fit(table, &view->rows[i]);
        widest = MAX(widest, show_width(view->rows[i].name));
    }
    for (size_t i = 0; i < count; i++)
        used += (size_t)abs(table->shown[i].width) + 1;
    for (int pass = 0; pass < 3; pass++) { /* what is counted goes, then percentages, then other events */
        size_t name = MIN(widest, pass == 2 ? ENOUGH_OF_EVENTS : ENOUGH);
        for (size_t i = count; i-- > 0 && used + name > table->room;) {
            const struct column *column = &table->columns.all[i];
            int *width = &table->shown[i].width;
            /* Of differences, the last column, and the old and new value of the first cost and its change stay. */
            bool goes = view->differences != NULL ? i > 2 && i + 1 < count
                        : pass == 2               ? column->what >= MEASURES
                                                  : strcmp(column->heading, pass == 1 ? "%" : view_counts(view)) == 0;
            used -= goes && *width != 0 ? (size_t)abs(*width) + 1 : 0;
            *width = goes ? 0 : *width;
        }
    }
    if (view->is_by_line)
        return;
    struct table_name *names = memory_zeroed(view->count + 1, sizeof *names);
    for (size_t i = 0; i < view->count; i++) {
        const struct view_row *row = &view->rows[i];
        struct beside beside = beside_of(table, row, used);
        size_t room = table->room > beside.used + 1 ? table->room - beside.used : 1;
        names[i].name = row->name;
        names[i].width = table_name_room(room, row->name, beside.file, beside.line);
    }
    table_keep_different(names, view->count);
    for (size_t i = 0; i < view->count; i++)
        view->rows[i].name = names[i].shown;
    memory_free(names);
}

void view_print(const struct view *view, struct table *table)
{
    view_fit(view, table);
    view_print_row(table, NULL);
    for (size_t i = 0; i < view->count; i++) {
        view_print_row(table, &view->rows[i]);
        view_check_size(table->stream, view->shown, "names", CG2WG_MEMBER_TOP);
    }
}

void view_print_csv(FILE *stream, const struct view *view, const struct columns *columns)
{
    const char *of = ""; /* what a percentage is of */
    char name[2 * TABLE_CELL], *cells = memory_get((columns->count + 1) * (TABLE_CELL + 1));
    enum cg2wg_group group = view->shown->group;
    const char *beside = group == CG2WG_GROUP_CALL ? "run" : group >= CG2WG_GROUP_RUN ? "function" : "file";
    fprintf(stream, "name,%s,line,object", beside);
    for (size_t i = 0; i < columns->count; i++) {
        const char *heading = columns->all[i].heading;
        bool is_percent = strcmp(heading, "%") == 0 || strcmp(heading, "+/-") == 0;
        of = is_percent ? of : heading;
        fputc(',', stream);
        snprintf(name, sizeof name, "%s%s%s", of, is_percent ? " " : "", is_percent ? heading : "");
        if (columns->all[i].event.at == NULL)
            fputs(name, stream);
        else
            table_print_csv_name(stream, text_of_string(name));
    }
    for (const struct view_row *row = view->rows; row < view->rows + view->count; row++) {
        fputs("\r\n", stream);
        table_print_csv_name(stream, row->name);
        fputc(',', stream);
        table_print_csv_name(stream, row->file);
        fprintf(stream, ",%" PRIu32 ",", row->line);
        table_print_csv_name(stream, row->object);
        char *at = cells;
        for (size_t i = 0; i < columns->count; i++) {
            *at++ = ',';
            at = value_put_csv(at, column_value(columns, i, row));
        }
        fwrite(cells, 1, (size_t)(at - cells), stream);
        view_check_size(stream, view->shown, "names", CG2WG_MEMBER_TOP);
    }
    fputs("\r\n", stream);
}

/* A name as code or, if it has what would end that or the cell, as HTML in which no character has a meaning. */
static void print_markdown_name(FILE *stream, struct text name)
{
    bool is_code = true;
    for (const char *c = name.at; c < name.end; c++)
        is_code &= *c != '|' && *c != '`';
    fputs(text_is_empty(name) ? "" : is_code ? "`" : "<code>", stream);
    while (!text_is_empty(name)) {
        struct text shown = utf8_take_printable(&name);
        for (const char *c = shown.at; c < shown.end; c++)
            if (is_code || char_is_alpha(*c) || char_is_digit(*c) || *c == ' ' || (unsigned char)*c >= 0x80)
                fputc(*c, stream);
            else
                fprintf(stream, "&#%d;", *c);
        if (text_is_empty(name))
            fputs(is_code ? "`" : "</code>", stream);
    }
}

static void print_markdown_cells(FILE *stream, const struct columns *columns, const struct view_row *row)
{
    for (size_t i = 0; i < columns->count; i++) {
        char cell[TABLE_CELL];
        fputs("| ", stream);
        if (row != NULL)
            fwrite(cell, 1, (size_t)(value_put_csv(cell, column_value(columns, i, row)) - cell), stream);
        else if (columns->all[i].event.at != NULL)
            print_markdown_name(stream, text_of_string(columns->all[i].heading));
        else
            fputs(columns->all[i].heading, stream);
        fputc(' ', stream);
    }
    fputs("| ", stream);
    if (row == NULL)
        fputs(columns->names, stream);
    else
        print_markdown_name(stream, row->name);
    if (row != NULL && !text_is_empty(row->file)) {
        fputs(" (", stream);
        print_markdown_name(stream, row->file);
        fprintf(stream, row->line > 0 ? ":%" PRIu32 ")" : ")", row->line);
    }
    fputs(" |\n", stream);
}

void view_print_markdown(FILE *stream, const struct view *view, const struct columns *columns)
{
    fputs("\n\n", stream);
    print_markdown_cells(stream, columns, NULL);
    for (size_t i = 0; i < columns->count; i++)
        fputs(columns->all[i].width < 0 ? "| --- " : "| ---: ", stream);
    fputs("| --- |\n", stream);
    for (size_t i = 0; i < view->count; i++) {
        print_markdown_cells(stream, columns, &view->rows[i]);
        view_check_size(stream, view->shown, "names", CG2WG_MEMBER_TOP);
    }
    fputs(view->count < view->all ? "\n" : "", stream);
    view_print_rest(stream, 0, view);
}

void view_print_json_names(struct json *json, const struct view_row *row, bool with_line)
{
    json_text(json, "name", row->name);
    json_text(json, "file", row->file);
    if (with_line)
        json_print(json, "line", "%" PRIu32, row->line);
    if (!text_is_empty(row->object))
        json_text(json, "object", row->object);
}

void view_print_json_total(struct json *json, const struct view_total *total)
{
    json_print(json, "total", "%" PRId64, total->stated);
    json_print(json, "percent_of", "%" PRId64, total->percent_of);
    if (total->peak > 0)
        json_print(json, "peak", "%" PRId64, total->peak);
}

void view_print_notes(const struct table *table, struct quantity quantity, const struct view_total *total)
{
    char number[TABLE_CELL];
    for (const struct view_note *note = total->notes; note->before != NULL; note++)
        fprintf(table->stream, "%s%s%s", note->before, table_cost(number, table->room, quantity, note->cost),
                note->after);
}

void view_print_rest(FILE *stream, size_t room, const struct view *view)
{
    char number[TABLE_CELL];
    if (view->count == view->all)
        return;
    fprintf(stream, "... and %s more", table_number(number, room, view_count(view, view->count, view->all)));
    if (view->total.base > 0)
        fprintf(stream, ", with %s%s %% of the total", view->differences != NULL ? "changes of " : "",
                text_real(number, 2, 'f', (double)view->left_out * 100 / view->total.base));
    fputc('\n', stream);
}

void view_print_json_part(struct json *json, const char *key, const struct view *view, const char *kind, bool is_rest)
{
    cost_t cost = is_rest ? view->left_out : view->matching_cost;
    json_begin(json, key, '{', " ");
    json_print(json, kind, "%" PRIu64,
               is_rest ? view_count(view, view->count, view->all) : view_count(view, 0, view->matching));
    json_print(json, "cost", "%" PRId64, cost);
    value_print_json(json, "percent", value_percent((double)cost, view->total.base));
    json_end(json);
}

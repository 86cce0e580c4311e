#include "read/event_costs.h"

#include "model/units.h"
#include "util/array.h"

#include <stdio.h>
#include <stdlib.h>

/* Formulas may use formulas; one that needs more than this was made to be endless. */
enum { MAX_TERMS = 1000, MAX_BYTES = 16 * 1024 };

void event_costs_init(struct event_costs *e, const struct frontend_options *options,
                      struct builder *builder)
{
    *e = (struct event_costs){.options = options,
                              .builder = builder,
                              .profile = builder->profile,
                              .names = &builder->profile->names,
                              .diag = builder->diag};
}

void event_costs_free(struct event_costs *e)
{
    memory_free(e->known);
    memory_free(e->numbers);
    memory_free(e->columns);
    memory_free(e->weights.weights);
    memory_free(e->costs);
    memory_free(e->totals);
    memory_free(e->record);
}

/* ---- what is known ------------------------------------------------------------------------ */

/* The event of that name, which is added if it is new; valid until another is. NULL: no memory. */
static struct event *know(struct event_costs *e, uint32_t name)
{
    array_reach(&e->numbers, &e->number_capacity, (size_t)name + 1, sizeof *e->numbers, 0xff);
    if (e->numbers[name] != NONE)
        return &e->known[e->numbers[name]];
    struct event event = {.name = name,
                          .column = NONE,
                          .formula = NAME_EMPTY,
                          .long_name = NAME_EMPTY};
    e->numbers[name] = (uint32_t)e->known_count;
    return (array_append(&e->known, &e->known_count, &e->known_capacity, &event, sizeof event), true)
               ? &e->known[e->known_count - 1]
               : NULL;
}

static struct event *know_text(struct event_costs *e, struct text text)
{
    uint32_t name;
    return (name = names_intern(e->names, text), true) ? know(e, name) : NULL;
}

/* ---- the totals of columns, for a list ---------------------------------------------------- */

static bool append_listed(struct event_costs *e, uint32_t name)
{
    struct event_list *list = e->options->list;
    struct listed_event listed = {.name = names_text(e->names, name)};
    array_append(&list->events, &list->count, &list->capacity, &listed, sizeof listed);
    return true;
}

void event_costs_count(struct event_costs *e)
{
    for (size_t i = 0; e->record != NULL && i < e->filled; i++)
        cost_add(&e->record[i], e->costs[i]);
}

void event_costs_end_record(struct event_costs *e)
{
    for (size_t i = 0; e->record != NULL && i < event_costs_columns(e); i++)
        cost_add(&e->totals[i], e->record[i]);
    event_costs_drop_record(e);
}

void event_costs_drop_record(struct event_costs *e)
{
    if (e->record != NULL)
        memset(e->record, 0, event_costs_columns(e) * sizeof *e->record);
}

/* Moves the totals of the current columns to the list. Without a line of costs, they are not in it. */
static bool flush_totals(struct event_costs *e)
{
    struct event_list *list = e->options->list;
    if (list == NULL || !e->are_chosen)
        return true;
    for (size_t i = 0; i < e->column_count; i++) {
        struct event *event = know(e, e->columns[i]);
        if (event->column == NONE) {
            event->column = (uint32_t)list->count;
            if (!append_listed(e, event->name))
                return false;
        }
        cost_add(&list->events[event->column].total, e->totals[i]);
        e->totals[i] = 0;
    }
    return true;
}

/* ---- columns and definitions -------------------------------------------------------------- */

/* Makes room for the costs of all columns, none of which has been read; for a list also for the totals. */
static bool make_room(struct event_costs *e)
{
    size_t count = event_costs_columns(e) + 1, totals = e->options->list != NULL ? count : 0;
    if (!(array_reserve(&e->costs, &e->costs_capacity, count, sizeof *e->costs), true) ||
        !(array_reserve(&e->totals, &e->totals_capacity, totals, sizeof *e->totals), true) ||
        !(array_reserve(&e->record, &e->record_capacity, totals, sizeof *e->record), true))
        return diag_no_memory(e->diag);
    for (size_t i = 0; i < count; i++)
        e->costs[i] = 0;
    for (size_t i = 0; i < totals; i++)
        e->totals[i] = e->record[i] = 0;
    e->filled = 0;
    return true;
}

/* yappi's `Ticks` are microseconds, which only its name for itself says; so they get a name that says so. */
static struct text with_unit(const struct event_costs *e, struct text event)
{
    return e->ticks_are_microseconds && text_equals(event, "Ticks") ? text_of_string("Ticks(us)") : event;
}

static bool add_column(struct event_costs *e, struct text word)
{
    struct event *event = know_text(e, with_unit(e, word));
    if (event == NULL)
        return diag_no_memory(e->diag);
    if (event->column == NONE && e->options->list == NULL)
        event->column = (uint32_t)e->column_count;
    array_append(&e->columns, &e->column_count, &e->column_capacity, &event->name,
                        sizeof event->name);
    return true;
}

bool event_costs_set_columns(struct event_costs *e, struct text value)
{
    if (!flush_totals(e))
        return false;
    for (size_t i = 0; i < e->column_count && e->options->list == NULL; i++)
        know(e, e->columns[i])->column = NONE;
    e->column_count = 0;
    e->has_columns = true;
    e->are_chosen = e->has_unit = false;
    for (text_skip_blanks(&value); !text_is_empty(value);)
        if (!add_column(e, text_take_word(&value)))
            return false;
    return make_room(e);
}

void event_split(struct text given, struct text *name, struct text *formula)
{
    struct text before = text_take_to(&given, '=');
    *name = text_trim(before);
    *formula = before.end < given.end ? text_trim(given) : *name;
}

bool event_costs_define(struct event_costs *e, struct text value)
{
    struct text name, formula, head = text_take_to(&value, ':'), long_name = text_trim(value);
    uint32_t formula_name = NAME_EMPTY;

    event_split(head, &name, &formula);
    bool has_formula = formula.at != name.at;
    if (head.end == value.end && !has_formula) {
        long_name = name; /* Hatari leaves out the colon before it. */
        name = text_take_word(&long_name);
    }
    struct event *event = know_text(e, name);
    if (event == NULL || !(event->long_name = names_intern(e->names, long_name), true) ||
        (has_formula && !(formula_name = names_intern(e->names, formula), true)))
        return diag_no_memory(e->diag);

    /* A file may redefine an event; the last definition is valid. */
    event->is_defined = true;
    if (formula_name != NAME_EMPTY && formula_name != event->formula) {
        event->formula = formula_name;
        e->are_chosen = e->are_chosen && e->options->list != NULL;
    }
    return true;
}

/* ---- formulas ----------------------------------------------------------------------------- */

enum weigh_result {
    WEIGHED,
    UNKNOWN,   /* a name that is neither a column nor has a formula: `unknown` */
    MALFORMED, /* not a formula, or one that is too long */
    NO_MEMORY
};

/* A formula being resolved. */
struct weighing {
    struct event_costs *e;
    uint32_t unknown;
    int terms_left;
    size_t bytes_left;
};

static enum weigh_result weigh_terms(struct weighing *w, struct text formula, int64_t factor);

static enum weigh_result weigh_column(struct event_costs *e, uint32_t column, int64_t weight)
{
    struct event_weights *to = &e->weights;
    struct event_weight added = {weight, column};
    return (array_append(&to->weights, &to->count, &to->capacity, &added, sizeof added), true) ? WEIGHED : NO_MEMORY;
}

/* may_be_formula: unless there is an event of that name, it is a formula. */
static enum weigh_result weigh_name(struct weighing *w, uint32_t name, int64_t factor, bool may_be_formula)
{
    const struct event *event = know(w->e, name);
    if (event == NULL)
        return NO_MEMORY;
    if (w->terms_left-- <= 0)
        return MALFORMED;
    if (event->column != NONE)
        return weigh_column(w->e, event->column, factor);
    if (event->formula != NAME_EMPTY)
        return weigh_name(w, event->formula, factor, true);
    if (may_be_formula)
        return weigh_terms(w, names_text(w->e->names, name), factor);
    w->unknown = name;
    return UNKNOWN;
}

/* Weighs a term without its sign, which is in the factor. */
static enum weigh_result weigh_term(struct weighing *w, struct text term, int64_t factor)
{
    uint64_t number = 1;
    bool overflow = false;
    uint32_t name;
    if (text_take_number(&term, &number, &overflow)) {
        text_skip_blanks(&term);
        if (text_starts(term, "*"))
            term.at++;
        text_skip_blanks(&term);
    }
    number = number < INT64_MAX ? number : INT64_MAX;
    if (overflow || text_is_empty(term) || memchr(term.at, '*', text_length(term)) != NULL ||
        __builtin_mul_overflow(factor, (int64_t)number, &factor))
        return MALFORMED;
    return (name = names_intern(w->e->names, with_unit(w->e, term)), true) ? weigh_name(w, name, factor, false) : NO_MEMORY;
}

/* The plus or minus that ends the term which the text begins with, or its end. */
static const char *term_end(struct text text)
{
    const char *p = text.at;
    while (p < text.end && *p != '+' && !(*p == '-' && p > text.at && char_is_blank(p[-1])))
        p++;
    return p;
}

static enum weigh_result weigh_terms(struct weighing *w, struct text formula, int64_t factor)
{
    enum weigh_result result = WEIGHED;
    bool has_more = true;
    if (text_length(formula) > w->bytes_left)
        return MALFORMED;
    w->bytes_left -= text_length(formula);
    while (has_more && result == WEIGHED) {
        int64_t signed_factor = factor;
        text_skip_blanks(&formula);
        if (text_starts(formula, "-")) {
            formula.at++;
            if (__builtin_sub_overflow(0, factor, &signed_factor))
                return MALFORMED;
        }
        struct text term = {formula.at, term_end(formula)};
        formula.at = term.end;
        has_more = !text_is_empty(formula);
        if (text_starts(formula, "+"))
            formula.at++;
        result = weigh_term(w, text_trim(term), signed_factor);
    }
    return result;
}

static int by_column(const void *left, const void *right)
{
    const struct event_weight *a = left, *b = right;
    return (a->column > b->column) - (a->column < b->column);
}

/* Reduces the weights to one for each column with a weight. */
static void add_up(struct event_weights *w)
{
    size_t kept = 0;
    if (w->count > 1)
        qsort(w->weights, w->count, sizeof *w->weights, by_column);
    for (size_t i = 0; i < w->count; i++) {
        if (kept > 0 && w->weights[kept - 1].column == w->weights[i].column)
            cost_add(&w->weights[kept - 1].weight, w->weights[i].weight);
        else
            w->weights[kept++] = w->weights[i];
        kept -= w->weights[kept - 1].weight == 0;
    }
    w->count = kept;
}

/* Sets e->weights to those of the columns in `formula` (a name is one, too). */
static enum weigh_result weigh(struct event_costs *e, uint32_t formula, uint32_t *unknown)
{
    struct weighing w = {.e = e, .terms_left = MAX_TERMS, .bytes_left = MAX_BYTES};
    e->weights.count = 0;
    enum weigh_result result = weigh_name(&w, formula, 1, true);
    add_up(&e->weights);
    *unknown = w.unknown;
    return result;
}

cost_t event_weights_sum(const struct event_weights *weights, const cost_t *costs)
{
    cost_t sum = 0;
    for (size_t i = 0; i < weights->count; i++) {
        int64_t weight = weights->weights[i].weight;
        cost_t cost = costs[weights->weights[i].column], product;
        if (__builtin_mul_overflow(cost, weight, &product))
            product = (cost < 0) != (weight < 0) ? INT64_MIN : INT64_MAX;
        cost_add(&sum, product);
    }
    return sum;
}

/* ---- the choice --------------------------------------------------------------------------- */

/* Appends a name to a list for a message, if there is room. */
static void append_name(char *list, size_t size, struct text name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s" TEXT_FMT, used > 0 ? ", " : "", TEXT_ARG(name));
}

static bool lacks_event(struct event_costs *e, uint64_t line, uint32_t unknown)
{
    char known[512] = "";
    for (size_t i = 0; i < e->column_count; i++)
        append_name(known, sizeof known, names_text(e->names, e->columns[i]));
    for (size_t i = 0; i < e->known_count; i++)
        if (e->known[i].formula != NAME_EMPTY)
            append_name(known, sizeof known, names_text(e->names, e->known[i].name));
    return diag_error(e->diag, line, "found no event " TEXT_FMT ", expected one of: %s",
                      TEXT_ARG(names_text(e->names, unknown)), known);
}

/*
 * The first column that counts the same thing as `wanted` in another measure, or NAME_EMPTY: one of
 * the same base, or the first time if `wanted` is a time.
 */
static uint32_t find_like(const struct event_costs *e, uint32_t wanted)
{
    struct unit unit = unit_of(names_text(e->names, wanted));
    for (size_t i = 0; i < e->column_count; i++)
        if (text_same(unit_of(names_text(e->names, e->columns[i])).base, unit.base))
            return e->columns[i];
    return e->column_count > 0 && unit_is_like(unit_of(names_text(e->names, e->columns[0])), unit)
               ? e->columns[0]
               : NAME_EMPTY;
}

/*
 * The event of the current columns: *name, whose costs *formula gives. It is the one that the user
 * has chosen, or that of earlier columns and inputs, or the first. If it is not defined, a column
 * that counts the same thing in another measure replaces it.
 */
static bool choose_event(struct event_costs *e, uint32_t *name, uint32_t *formula)
{
    bool is_chosen = e->options->event_is_chosen, has_formula = false;
    if (is_chosen || (e->profile->event == NAME_EMPTY && !text_is_empty(e->options->event))) {
        struct text name_text = e->options->event, formula_text = name_text;
        if (is_chosen)
            event_split(e->options->event, &name_text, &formula_text);
        has_formula = formula_text.at != name_text.at;
        if (!has_formula)
            name_text = formula_text = with_unit(e, name_text);
        if (!(*name = names_intern(e->names, name_text), true) ||
            !(*formula = names_intern(e->names, formula_text), true))
            return false;
    } else {
        bool is_first = e->profile->event == NAME_EMPTY && e->column_count > 0;
        *name = *formula = is_first ? e->columns[0] : e->profile->event;
    }
    const struct event *event = know(e, *name);
    if (event == NULL)
        return false;
    if (!e->has_unit)
        e->like = event->column != NONE ? *name : find_like(e, *name);
    if (!has_formula && event->formula == NAME_EMPTY && e->like != NAME_EMPTY)
        *name = *formula = e->like;
    e->profile->speaks_of_event |= is_chosen;
    return true;
}

/* Brings the current columns and all earlier ones to one unit. */
static bool use_one_unit(struct event_costs *e, uint32_t name)
{
    struct profile *profile = e->profile;
    uint64_t before;
    e->has_unit = true;
    e->factor = 1;
    if (profile->event == NAME_EMPTY) {
        profile->event = name;
        return true;
    }
    if (!unit_unify(e->names, &profile->event, names_text(e->names, name), &before, &e->factor))
        return diag_no_memory(e->diag);
    profile->speaks_of_event |= before != e->factor;
    builder_change_unit(e->builder, before);
    return true;
}

/* Weighs what the chosen event, or formula, needs of the columns. */
static bool weigh_chosen(struct event_costs *e, uint64_t line)
{
    uint32_t name, formula, unknown;
    if (!choose_event(e, &name, &formula))
        return diag_no_memory(e->diag);
    switch (weigh(e, formula, &unknown)) {
    case WEIGHED:
        break;
    case UNKNOWN:
        return lacks_event(e, line, unknown);
    case MALFORMED:
        return diag_error(e->diag, line,
                          "found event \"" TEXT_FMT "\", expected an event's name or a formula: a sum "
                          "or difference of names, each with an optional factor, that does not refer "
                          "to itself",
                          TEXT_ARG(names_text(e->names, formula)));
    case NO_MEMORY:
        return diag_no_memory(e->diag);
    }
    if (!e->has_unit && !use_one_unit(e, name))
        return false;
    for (size_t i = 0; i < e->weights.count; i++)
        cost_multiply(&e->weights.weights[i].weight, e->factor);
    return true;
}

/* Weighs the first column. */
static bool weigh_first(struct event_costs *e)
{
    e->weights.count = 0;
    return event_costs_columns(e) == 0 || weigh_column(e, 0, 1) == WEIGHED || diag_no_memory(e->diag);
}

bool event_costs_choose(struct event_costs *e, uint64_t line)
{
    if (e->are_chosen)
        return true;
    /* A list needs no certain event, and an input that names none has only one. */
    const struct event_weights *w = &e->weights;
    bool is_list = e->options->list != NULL;
    bool is_first = is_list || (!e->has_columns && !e->options->event_is_chosen);
    if ((e->costs == NULL && !make_room(e)) ||
        !(is_first ? weigh_first(e) : weigh_chosen(e, line)))
        return false;
    bool is_one = w->count == 1 && w->weights[0].weight == 1 && !is_list;
    e->wanted = is_list ? ALL_COSTS : is_one ? ONE_COST : WEIGHED_COSTS;
    /* The weights are in the order of their columns. */
    e->first = w->count > 0 && !is_list ? w->weights[0].column : 0;
    e->are_chosen = true;
    return true;
}

/* ---- the list of events ------------------------------------------------------------------- */

/* Computes the total of a defined event from e->totals, which are in the order of the list. */
static bool list_defined(struct event_costs *e, uint32_t number)
{
    struct event event = e->known[number]; /* which may move */
    uint32_t unknown;
    struct event_list *list = e->options->list;
    if (event.column == NONE && !append_listed(e, event.name))
        return false;
    struct listed_event *listed =
        &list->events[event.column != NONE ? event.column : list->count - 1];
    listed->long_name = names_text(e->names, event.long_name);
    if (event.formula == NAME_EMPTY)
        return true;
    listed->formula = names_text(e->names, event.formula);
    enum weigh_result result = weigh(e, event.formula, &unknown);
    if (result == NO_MEMORY)
        return diag_no_memory(e->diag);
    if (result == WEIGHED)
        listed->total = event_weights_sum(&e->weights, e->totals);
    else
        diag_warning(e->diag, 0, "event " TEXT_FMT ": cannot compute its formula " TEXT_FMT,
                     TEXT_ARG(listed->name), TEXT_ARG(listed->formula));
    return true;
}

bool event_costs_list(struct event_costs *e)
{
    struct event_list *list = e->options->list;
    if (list == NULL)
        return true;
    event_costs_end_record(e);
    if (!flush_totals(e))
        return false;

    /* The columns are now all that the input has had, in the order of the list. */
    array_reserve(&e->totals, &e->totals_capacity, list->count, sizeof *e->totals);
    for (size_t i = 0; i < list->count; i++)
        e->totals[i] = list->events[i].total;
    for (uint32_t i = 0; i < e->known_count; i++)
        if (e->known[i].is_defined && !list_defined(e, i))
            return false;
    return true;
}

/* ---- units -------------------------------------------------------------------------------- */

static bool add_unit(struct event_costs *e, struct text long_name)
{
    const char *word = long_name.end;
    while (word > long_name.at && !char_is_blank(word[-1]) && word[-1] != '(')
        word--;
    struct text parts[] = {names_text(e->names, e->profile->event), text_of_string("("),
                           {word, long_name.end}};
    uint32_t with_unit;
    with_unit = names_intern_parts(e->names, parts, 3);
    if (unit_of(names_text(e->names, with_unit)).is_time)
        e->profile->event = with_unit;
    return true;
}

bool event_costs_name_unit(struct event_costs *e)
{
    uint32_t event = e->profile->event;
    if (event == NAME_EMPTY || unit_of(names_text(e->names, event)).is_time)
        return true;
    const struct event *known = know(e, event);
    if (known == NULL)
        return diag_no_memory(e->diag);
    struct text long_name = names_text(e->names, known->long_name);
    return text_is_empty(long_name) || long_name.end[-1] != ')' || add_unit(e, long_name);
}

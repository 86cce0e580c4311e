/* SPDX-License-Identifier: MIT */
#include "read/event_costs.h"

#include "model/units.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Formulas may use formulas; one that needs more than this was made to be endless. */
enum { MAX_TERMS = 1000, MAX_BYTES = 16 * 1024 };

/* The event of that name, which is added if it is new; valid until another is. */
static struct event *know(struct event_costs *e, uint32_t name)
{
    array_reach(&e->numbers, &e->number_capacity, (size_t)name + 1, sizeof *e->numbers, 0xff);
    if (e->numbers[name] == NONE) {
        struct event event = {.name = name, .column = NONE, .formula = NAME_EMPTY, .long_name = NONE};
        e->numbers[name] = (uint32_t)e->known_count;
        array_append(&e->known, &e->known_count, &e->known_capacity, &event, sizeof event);
    }
    return &e->known[e->numbers[name]];
}

static bool exists(const struct event *event)
{
    return event->column != NONE || event->formula != NAME_EMPTY;
}

/* Adds an event to the list; the result is valid until another is. */
static struct cg2wg_event *append_listed(struct event_costs *e, uint32_t name)
{
    struct event_list *list = e->options->list;
    struct cg2wg_event listed = {.name = names_text(e->names, name).at};
    array_append(&list->events, &list->count, &list->capacity, &listed, sizeof listed);
    return &list->events[list->count - 1];
}

void event_costs_count(struct event_costs *e)
{
    for (size_t i = 0; e->record != NULL && i < e->filled; i++)
        cost_add(&e->record[i], e->costs[i]);
    e->counted = MAX(e->counted, e->filled);
}

void event_costs_end_record(struct event_costs *e, bool is_whole)
{
    size_t count = e->record != NULL ? MIN(e->counted, e->column_count) : 0;
    for (size_t i = 0; i < count; i++) {
        cost_add(&e->options->list->events[know(e, e->columns[i])->column].total,
                 is_whole && !e->builder->leaves_out ? e->record[i] : 0);
        e->record[i] = 0;
    }
    e->counted = 0;
}

/* ---- columns and definitions -------------------------------------------------------------- */

void event_costs_init(struct event_costs *e, const struct frontend_options *options, struct builder *builder)
{
    *e = (struct event_costs){.options = options,
                              .builder = builder,
                              .names = &builder->profile->names,
                              .choices[0].wish = {.name = options->event, .is_given = options->is_given},
                              .choice_count = options->wishes == NULL};
    event_costs_set_columns(e, text_of("", 0));
    e->has_columns = false;
}

/* yappi's `Ticks` are microseconds, which only its name for itself says; so they get a name that says so. */
static struct text with_unit(const struct event_costs *e, struct text event)
{
    return e->ticks_are_microseconds && text_equals(event, "Ticks") ? text_of_string("Ticks(us)") : event;
}

/* A name for the next column: its own, or if an earlier one has that, as of a recording, with ~2, ~3 ... */
static uint32_t new_column(struct event_costs *e, uint32_t name)
{
    uint32_t number = name;
    for (struct event *event = know(e, name); event->copies > 0; event = know(e, number))
        number = event_copy(e->names, name, ++know(e, name)->copies);
    know(e, number)->copies = 1;
    return number;
}

uint32_t event_copy(struct names *names, uint32_t name, uint32_t number)
{
    char copy[24];
    snprintf(copy, sizeof copy, "~%" PRIu32, number);
    return names_intern_parts(names, (struct text[]){names_text(names, name), text_of_string(copy)}, 2);
}

/* Names of events, and formulas, with `_` in place of control bytes, as conversions write them. */
static struct text without_controls(struct names *names, struct text written)
{
    const char *at = written.at;
    while (at < written.end && (char_is_graphic(*at) || char_is_blank(*at)))
        at++;
    if (at == written.end)
        return written;
    char *bytes = memory_copy(written.at, text_length(written));
    for (char *c = bytes; c < bytes + text_length(written); c++)
        *c = char_is_graphic(*c) || char_is_blank(*c) ? *c : '_';
    uint32_t number = names_intern(names, text_of(bytes, text_length(written)));
    memory_free(bytes);
    return names_text(names, number);
}

void event_costs_set_columns(struct event_costs *e, struct text value)
{
    bool is_list = e->options->list != NULL;
    for (size_t i = 0; i < e->column_count; i++) {
        struct event *event = know(e, e->columns[i]);
        event->copies = 0;
        event->column = is_list ? event->column : NONE;
    }
    e->column_count = 0;
    e->has_columns = true;
    e->are_columns_new = true;
    e->are_chosen = false;
    for (size_t i = 0; i < MOST_EVENTS; i++)
        e->choices[i].has_unit = false;
    value = without_controls(e->names, value);
    for (text_skip_blanks(&value); !text_is_empty(value);) {
        uint32_t name = new_column(e, names_intern(e->names, with_unit(e, text_take_word(&value))));
        struct event *event = know(e, name);
        if (event->column == NONE && !is_list)
            event->column = (uint32_t)e->column_count;
        array_append(&e->columns, &e->column_count, &e->column_capacity, &name, sizeof name);
    }
    size_t room = e->column_count + 2; /* without names there is one */
    memory_free(e->costs);
    e->costs = memory_zeroed((is_list ? 2 : 1) * room, sizeof *e->costs);
    e->record = is_list ? e->costs + room : NULL;
    e->filled = e->counted = 0;
}

void event_split(struct text given, struct text *name, struct text *formula)
{
    struct text before = text_take_to(&given, '=');
    *name = text_trim(before);
    *formula = before.end < given.end ? text_trim(given) : *name;
}

void event_costs_define(struct event_costs *e, struct text value)
{
    value = without_controls(e->names, value);
    struct text name, formula, head = text_take_to(&value, ':'), long_name = text_trim(value);
    event_split(head, &name, &formula);
    bool has_formula = formula.at != name.at;
    if (head.end == value.end && !has_formula) {
        long_name = name; /* Hatari leaves out the colon before it. */
        name = text_take_word(&long_name);
    }
    struct event *event = know(e, names_intern(e->names, name));
    event->long_name = names_intern(e->names, long_name);
    /* A file may redefine an event; the last definition is valid. */
    uint32_t formula_name = has_formula ? names_intern(e->names, formula) : NAME_EMPTY;
    if (formula_name != NAME_EMPTY && formula_name != event->formula) {
        if (event->formula == NAME_EMPTY)
            array_append(&e->defined, &e->defined_count, &e->defined_capacity, &event->name, sizeof event->name);
        event->formula = formula_name;
        e->are_chosen = e->are_chosen && e->options->list != NULL;
    }
}

/* ---- formulas ----------------------------------------------------------------------------- */

enum weigh_result {
    WEIGHED,
    UNKNOWN,  /* a name that is neither a column nor has a formula: e->unknown */
    MALFORMED /* not a formula, or one that is too long */
};

struct weighing {
    struct event_costs *e;
    struct event_choice *choice; /* whose weights are made */
    int terms_left;
    size_t bytes_left;
};

/*
 * What KCachegrind derives from Valgrind's events: GlobalConfig::knownFormula. As there, parts that a profile lacks are
 * 0, and the profile may define another of the name. Otherwise, one exists if it is a sum of two columns at least: it
 * would be another name of one.
 */
static const struct derived {
    const char *name, *long_name, *formula;
} derived_events[] = {
    {"L1m", "L1 Miss Sum", "I1mr + D1mr + D1mw"},
    {"L2m", "L2 Miss Sum", "I2mr + D2mr + D2mw"},
    {"LLm", "Last-level Miss Sum", "ILmr + DLmr + DLmw"},
    {"Bm", "Mispredicted Branch", "Bim + Bcm"},
    {"CEst", "Cycle Estimation", "Ir + 10 Bm + 10 L1m + 20 Ge + 100 L2m + 100 LLm"},
};
enum { DERIVED = COUNT_OF(derived_events) };

static const struct derived *find_derived(struct text name)
{
    for (const struct derived *d = derived_events; d < derived_events + DERIVED; d++)
        if (text_equals(name, d->name))
            return d;
    return NULL;
}

static enum weigh_result weigh_terms(struct weighing *w, struct text formula, int64_t factor, bool may_lack_terms);

/* may_be_formula: unless there is an event of that name, it is a formula. */
static enum weigh_result weigh_name(struct weighing *w, uint32_t name, int64_t factor, bool may_be_formula)
{
    struct event_costs *e = w->e;
    const struct event *event = know(e, name);
    enum weigh_result result = UNKNOWN;
    if (w->terms_left-- <= 0)
        return MALFORMED;
    if (event->column != NONE) {
        struct event_weight added = {factor, event->column};
        array_append(&w->choice->weights, &w->choice->weight_count, &w->choice->weight_capacity, &added, sizeof added);
        return WEIGHED;
    }
    if (event->formula != NAME_EMPTY)
        return weigh_name(w, event->formula, factor, true);
    const struct derived *derived = find_derived(names_text(e->names, name));
    if (derived != NULL)
        result = weigh_terms(w, text_of_string(derived->formula), factor, true);
    if (result == UNKNOWN && may_be_formula)
        return weigh_terms(w, names_text(e->names, name), factor, false);
    if (result == UNKNOWN)
        e->unknown = name;
    return result;
}

/* Takes a term from the start of a formula, with its sign and number in *weight. False: it is malformed. */
static bool take_term(struct text *formula, struct text *name, int64_t *weight)
{
    uint64_t number = 1;
    bool overflow = false;
    text_skip_blanks(formula);
    if (text_starts(*formula, "-")) {
        formula->at++;
        overflow = __builtin_sub_overflow(0, *weight, weight);
    }
    const char *end = formula->at;
    while (end < formula->end && *end != '+' && !(*end == '-' && end > formula->at && char_is_blank(end[-1])))
        end++;
    *name = text_trim((struct text){formula->at, end});
    formula->at = end;
    if (text_take_number(name, &number, &overflow)) {
        text_skip_blanks(name);
        name->at += text_starts(*name, "*");
        text_skip_blanks(name);
    }
    number = MIN(number, INT64_MAX);
    return !overflow && !text_is_empty(*name) && memchr(name->at, '*', text_length(*name)) == NULL &&
           !__builtin_mul_overflow(*weight, (int64_t)number, weight);
}

static enum weigh_result weigh_terms(struct weighing *w, struct text formula, int64_t factor, bool may_lack_terms)
{
    enum weigh_result result = UNKNOWN;
    bool has_more = true;
    if (text_length(formula) > w->bytes_left)
        return MALFORMED;
    w->bytes_left -= text_length(formula);
    while (has_more && result != MALFORMED) {
        struct text term;
        int64_t weight = factor;
        if (!take_term(&formula, &term, &weight))
            return MALFORMED;
        has_more = !text_is_empty(formula);
        formula.at += text_starts(formula, "+");
        size_t before = w->choice->weight_count;
        enum weigh_result of_term = weigh_name(w, names_intern(w->e->names, with_unit(w->e, term)), weight, false);
        if (of_term == UNKNOWN && !may_lack_terms)
            return UNKNOWN;
        if (of_term == UNKNOWN)
            w->choice->weight_count = before;
        else
            result = of_term;
    }
    return result;
}

COMPARISON(by_column, struct event_weight, ORDER(a->column, b->column))

/* Sets the weights of the choice to those of the columns in `formula` (a name is one, too). */
static enum weigh_result weigh(struct event_costs *e, struct event_choice *choice, uint32_t formula)
{
    struct weighing w = {.e = e, .choice = choice, .terms_left = MAX_TERMS, .bytes_left = MAX_BYTES};
    choice->weight_count = 0;
    enum weigh_result result = weigh_name(&w, formula, 1, true);
    struct event_weight *weights = choice->weights;
    size_t left = 0, count = choice->weight_count;
    if (count > 1)
        qsort(weights, count, sizeof *weights, by_column);
    for (size_t i = 0; i < count; i++) {
        if (left > 0 && weights[left - 1].column == weights[i].column)
            cost_add(&weights[left - 1].weight, weights[i].weight);
        else
            weights[left++] = weights[i];
        left -= weights[left - 1].weight == 0;
    }
    choice->weight_count = left;
    if (left > 1 || result != WEIGHED || exists(know(e, formula)) ||
        find_derived(names_text(e->names, formula)) == NULL)
        return result;
    e->unknown = formula;
    return UNKNOWN;
}

cost_t event_costs_weigh(const struct event_choice *choice, const cost_t *costs)
{
    cost_t sum = 0;
    for (size_t i = 0; i < choice->weight_count; i++)
        cost_add(&sum, cost_weighed(costs[choice->weights[i].column], choice->weights[i].weight));
    return sum;
}

const cost_t *event_costs_values(struct event_costs *e)
{
    for (size_t i = 0; i < e->choice_count; i++)
        e->values[i] = e->choices[i].is_one_cost ? e->costs[e->choices[i].first]
                                                 : event_costs_weigh(&e->choices[i], e->costs);
    return e->values;
}

/*
 * Some producers print negative costs as 64-bit unsigned numbers; both become the same. A number of more than 64 bits
 * becomes the nearest cost, one with a fraction the nearest whole one. Cachegrind once wrote a dot for a count that
 * does not apply.
 */
size_t event_costs_parse(struct event_costs *e, struct text *line, struct cost_oddities *found)
{
    size_t count = 0;
    for (; !text_is_empty(*line); count++) {
        uint64_t number = 0;
        bool is_negative = *line->at == '-', is_beyond = false;
        struct text rest = {line->at + is_negative, line->end};
        bool has_number = text_take_number(&rest, &number, &is_beyond), has_dot = text_starts(rest, ".");
        const char *fraction = rest.at += has_dot;
        while (has_dot && !text_is_empty(rest) && char_is_digit(*rest.at))
            rest.at++;
        bool has_fraction = rest.at > fraction, is_dot = has_dot && !has_number && !is_negative;
        found->fraction |= has_fraction;
        if (!(has_dot ? has_fraction || is_dot : has_number) || (!text_is_empty(rest) && !char_is_blank(*rest.at)))
            break;
        text_skip_blanks(&rest);
        line->at = rest.at;
        count_add(&number, has_fraction && *fraction >= '5');
        number = is_negative ? 0 - number : number;
        if (is_beyond)
            number = is_negative ? (uint64_t)INT64_MIN : INT64_MAX;
        found->overflow |= is_beyond;
        if (count >= event_costs_columns(e))
            continue;
        e->costs[count] = (cost_t)number;
        found->wrapped |= !is_negative && number > INT64_MAX;
    }
    event_costs_end_line(e, count);
    return count;
}

/* ---- the choice --------------------------------------------------------------------------- */

/*
 * The names of events, by number: columns, derived ones, which are weighed for the choice, and those with a formula. NAME_EMPTY: none
 * has the number. A derived event has two parts at least, otherwise it would be another name of one; and an event of
 * the profile with the same name replaces it.
 */
static uint32_t name_at(struct event_costs *e, struct event_choice *choice, size_t number)
{
    if (number < e->column_count)
        return e->columns[number];
    bool is_derived = (number -= e->column_count) < DERIVED;
    uint32_t name = is_derived ? names_intern(e->names, text_of_string(derived_events[number].name))
                               : e->defined[number - DERIVED];
    if (is_derived)
        return !exists(know(e, name)) && weigh(e, choice, name) == WEIGHED ? name : NAME_EMPTY;
    return know(e, name)->column == NONE ? name : NAME_EMPTY;
}

static size_t name_count(const struct event_costs *e)
{
    return e->column_count + DERIVED + e->defined_count;
}

/* The message has a list of the events that begin like this, as long as there is room. */
static _Noreturn void report_choice(struct event_costs *e, struct event_choice *choice, uint64_t line,
                                    struct text found, struct text letters)
{
    char known[512] = "";
    for (size_t i = 0; i < name_count(e); i++) {
        uint32_t name = name_at(e, choice, i);
        size_t used = strlen(known);
        if (name != NAME_EMPTY && text_starts_alike(names_text(e->names, name), letters))
            snprintf(known + used, sizeof known - used, "%s" TEXT_FMT, used > 0 ? ", " : "",
                     TEXT_ARG(names_text(e->names, name)));
    }
    diag_error(e->builder->diag, line, "no event " TEXT_FMT "; there are: %s", TEXT_ARG(found), known);
}

/*
 * The event that `given` abbreviates, in any case. The choice for earlier columns wins, then one that has no more
 * letters. Several others are an error. If there is none, the result is `given`.
 */
static uint32_t find_beginning(struct event_costs *e, struct event_choice *choice, uint64_t line, uint32_t given)
{
    struct text letters = names_text(e->names, given);
    uint32_t found = NAME_EMPTY, chosen = choice->wish.event;
    bool is_whole = false, is_one = true;
    /* The choice is made again after each `event:` line, of which there may be many. */
    if (chosen != NAME_EMPTY && text_starts_alike(names_text(e->names, chosen), letters) && exists(know(e, chosen)))
        return chosen;
    for (size_t i = 0; i < name_count(e) && !is_whole; i++) {
        uint32_t name = name_at(e, choice, i);
        if (name == NAME_EMPTY || name == found || !text_starts_alike(names_text(e->names, name), letters))
            continue;
        is_whole = text_length(names_text(e->names, name)) == text_length(letters);
        is_one = is_whole || found == NAME_EMPTY;
        found = name;
    }
    if (!is_one)
        report_choice(e, choice, line, letters, letters);
    return found != NAME_EMPTY ? found : given;
}

/* The name of an event, with its unit if only the long name, or who has written it, says that it is a time. */
static uint32_t say_unit(struct event_costs *e, uint32_t name)
{
    uint32_t number = know(e, name)->long_name;
    struct text event = names_text(e->names, name), long_name = text_of("", 0);
    size_t known = e->names->count;
    /* A file that only the printer of JRuby's profiles has. It writes nanoseconds, and ruby-prof microseconds. */
    if (text_equals(event, "process_time") && names_intern(e->names, text_of_string("(jruby_runtime)")) < known)
        return names_intern(e->names, text_of_string("process_time(ns)"));
    if (number != NONE && name != NAME_EMPTY && !unit_of(event).is_time)
        long_name = names_text(e->names, number);
    if (!text_ends(long_name, ")"))
        return name;
    struct text parts[] = {event, text_of_string("("), {long_name.end, long_name.end}};
    while (parts[2].at > long_name.at && !char_is_blank(parts[2].at[-1]) && parts[2].at[-1] != '(')
        parts[2].at--;
    uint32_t in_unit = names_intern_parts(e->names, parts, 3);
    return unit_of(names_text(e->names, in_unit)).is_time ? in_unit : name;
}

/*
 * The column that counts the same as an event: the event itself, the first of the same base or, if both are times, the
 * first column, unless the user wants a clock of perf, and that is another one; if the user wants `Time`, the first
 * time. An event that may be missing is missing without one of the same base. NAME_EMPTY: none does.
 */
static uint32_t find_like(struct event_costs *e, const struct event_wish *wish, uint32_t name)
{
    struct text wanted = names_text(e->names, name);
    bool is_any_time = wish->is_given && text_equals(wanted, "Time");
    size_t times = wish->is_optional ? 0 : is_any_time ? e->column_count : MIN(e->column_count, 1);
    struct unit unit = unit_of(wanted);
    if (know(e, name)->column != NONE)
        return name;
    for (size_t i = 0; i < e->column_count; i++)
        if (unit_is_same(unit_of(names_text(e->names, e->columns[i])), unit))
            return e->columns[i];
    for (size_t i = 0; i < times; i++) {
        struct text column = names_text(e->names, say_unit(e, e->columns[i]));
        bool is_other_clock = wish->is_given && unit_is_clock(wanted) && unit_is_clock(column);
        if (!is_other_clock && unit_is_like(unit_of(column), unit))
            return e->columns[i];
    }
    return NAME_EMPTY;
}

/*
 * The event, or formula, that the user has chosen, or that of earlier columns and inputs, or the first. If it is not
 * defined, a column that counts the same thing in another measure replaces it. The formula is the name if the event has
 * none of its own.
 */
static uint32_t find_chosen(struct event_costs *e, struct event_choice *choice, uint64_t line, uint32_t *chosen_formula)
{
    struct text given = choice->wish.name, given_formula = given;
    bool is_chosen = choice->wish.is_given, is_first = choice->wish.event == NAME_EMPTY;
    uint32_t name = is_first && e->column_count > 0 ? e->columns[0] : choice->wish.event, formula = name;
    /* perf's names of events may have a "=", as formulas have: page-faults/period=1/u. */
    if (is_chosen && know(e, names_intern(e->names, given))->column == NONE)
        event_split(given, &given, &given_formula);
    bool has_formula = given_formula.at != given.at;
    if (is_chosen || (is_first && !text_is_empty(given))) {
        name = names_intern(e->names, has_formula ? given : with_unit(e, given));
        formula = has_formula ? names_intern(e->names, given_formula) : name;
    }
    if (!choice->has_unit)
        choice->like = find_like(e, &choice->wish, name);
    bool has_definition = know(e, name)->formula != NAME_EMPTY;
    bool is_event = exists(know(e, name)) || choice->like != NAME_EMPTY;
    if (is_chosen && !has_formula && !is_event && weigh(e, choice, formula) != WEIGHED)
        name = formula = find_beginning(e, choice, line, name);
    else if (!has_formula && !has_definition && choice->like != NAME_EMPTY)
        name = formula = choice->like;
    *chosen_formula = formula;
    return name;
}

/* Weighs the columns for the event; new ones, and all earlier costs, are brought to one unit. */
static void weigh_chosen(struct event_costs *e, struct event_choice *choice, uint64_t line)
{
    uint32_t formula, name = find_chosen(e, choice, line, &formula);
    uint64_t before = 1;
    choice->wish.speaks_of_event |= choice->wish.is_given;
    enum weigh_result result = weigh(e, choice, formula);
    if (choice->wish.is_optional && result != WEIGHED) {
        choice->wish.is_lost = true;
        choice->weight_count = 0;
        return;
    }
    if (result == UNKNOWN)
        report_choice(e, choice, line, names_text(e->names, e->unknown), text_of("", 0));
    if (result == MALFORMED)
        diag_error(e->builder->diag, line,
                   "found event \"" TEXT_FMT "\", expected an event's name or a formula: a sum "
                   "or difference of names, each with an optional factor, that does not refer to itself",
                   TEXT_ARG(names_text(e->names, formula)));
    if (!choice->has_unit) {
        choice->factor = 1;
        choice->has_unit = true;
        if (choice->wish.event == NAME_EMPTY)
            choice->wish.event = name;
        else
            unit_unify(e->names, &choice->wish.event, names_text(e->names, name), &before, &choice->factor);
        choice->wish.speaks_of_event |= before != choice->factor;
        builder_change_unit(e->builder, (size_t)(choice - e->choices), before);
    }
    for (size_t i = 0; i < choice->weight_count; i++)
        cost_multiply(&choice->weights[i].weight, choice->factor);
}

/* Makes choices of the wishes. If all are wanted, later columns and definitions may be others. */
static void take_wishes(struct event_costs *e)
{
    struct event_wishes *wishes = e->options->wishes;
    struct event_list list = {.count = 0};
    bool is_open = e->choice_count == 0 || wishes->takes_all; /* what is measured are columns */
    size_t end = !is_open || !e->has_columns ? 0 : wishes->list != NULL ? name_count(e) : e->column_count;
    for (size_t i = e->are_columns_new ? 0 : e->column_count; i < end; i++) {
        uint32_t name = name_at(e, e->choices, i);
        struct cg2wg_event event = {.name = names_text(e->names, name).at};
        event.formula = i < e->column_count ? NULL : event.name;
        if (name != NAME_EMPTY)
            array_append(&list.events, &list.count, &list.capacity, &event, sizeof event);
    }
    e->are_columns_new = false;
    if (is_open)
        event_wishes_resolve(wishes, &list, e->builder->diag);
    memory_free(list.events);
    if (wishes->count == e->choice_count)
        return;
    for (; e->choice_count < wishes->count; e->choice_count++) {
        e->choices[e->choice_count] = (struct event_choice){.wish = wishes->all[e->choice_count]};
        e->choices[e->choice_count].wish.speaks_of_event = wishes->list != NULL;
    }
    builder_want_events(e->builder, wishes->count);
}

void event_costs_tell(struct event_costs *e)
{
    struct line_costs *lines = e->builder->profile->lines;
    bool has_names = lines != NULL && lines->names != NULL;
    if (has_names)
        lines->names = memory_resize(lines->names, e->choice_count * sizeof *lines->names);
    for (size_t i = 0; i < e->choice_count; i++) {
        struct event_wish *wish = &e->options->wishes->all[i];
        *wish = e->choices[i].wish;
        wish->total = builder_self_cost(e->builder, i);
        if (wish->event == NAME_EMPTY && wish->is_lost)
            wish->event = names_intern(e->names, wish->name);
        if (has_names)
            lines->names[i] = wish->event;
    }
}

void event_costs_choose(struct event_costs *e, uint64_t line)
{
    bool is_list = e->options->list != NULL;
    if (e->are_chosen)
        return;
    for (size_t i = 0; is_list && i < e->column_count; i++) {
        struct event *event = know(e, e->columns[i]);
        if (event->column == NONE)
            event->column = (uint32_t)(append_listed(e, event->name) - e->options->list->events);
    }
    if (e->options->wishes != NULL)
        take_wishes(e);
    e->are_in_order = e->are_chosen = true;
    for (size_t i = 0; i < e->choice_count; i++) {
        struct event_choice *choice = &e->choices[i];
        /* A list needs no certain event, and an input that names none has only one. */
        if (!is_list && (e->has_columns || choice->wish.is_given)) {
            weigh_chosen(e, choice, line);
        } else {
            choice->weight_count = 0;
            choice->wish.is_lost = i > 0; /* without names, there is one event */
            if (event_costs_columns(e) > 0 && i == 0)
                array_append(&choice->weights, &choice->weight_count, &choice->weight_capacity,
                             &(struct event_weight){1, 0}, sizeof *choice->weights);
        }
        choice->is_one_cost = !is_list && choice->weight_count == 1 && choice->weights[0].weight == 1;
        choice->first = choice->weight_count > 0 ? choice->weights[0].column : 0;
        e->are_in_order &= choice->is_one_cost && choice->first == i;
    }
    e->builder->profile->event = e->choices[0].wish.event;
    e->builder->profile->speaks_of_event |= e->choices[0].wish.speaks_of_event;
}

void event_costs_finish(struct event_costs *e)
{
    struct event_list *list = e->options->list;
    for (size_t i = 0; i < e->choice_count; i++)
        e->choices[i].wish.event = say_unit(e, e->choices[i].wish.event);
    e->builder->profile->event = e->choices[0].wish.event;
    if (list == NULL)
        return;
    event_costs_end_record(e, true);
    cost_t *totals = memory_zeroed(list->count + 1, sizeof *totals); /* but for those of formulas */
    for (size_t i = 0; i < list->count; i++)
        totals[i] = list->events[i].total;
    for (uint32_t i = 0; i < e->known_count; i++) {
        const struct event event = e->known[i];
        if (event.long_name == NONE)
            continue;
        struct cg2wg_event *listed = event.column != NONE ? &list->events[event.column] : append_listed(e, event.name);
        listed->long_name = event.long_name != NAME_EMPTY ? names_text(e->names, event.long_name).at : NULL;
        if (event.formula == NAME_EMPTY)
            continue;
        listed->formula = names_text(e->names, event.formula).at;
        if (weigh(e, e->choices, event.formula) == WEIGHED)
            listed->total = event_costs_weigh(e->choices, totals);
        else
            diag_warning(e->builder->diag, 0, "event %s: cannot compute its formula %s", listed->name, listed->formula);
    }
    for (size_t i = 0; i < DERIVED; i++) {
        const struct derived *d = &derived_events[i];
        uint32_t name = name_at(e, e->choices, e->column_count + i);
        struct buffer formula = {.bytes = NULL}; /* of the parts that exist */
        if (name == NAME_EMPTY)
            continue;
        struct cg2wg_event *listed = append_listed(e, name);
        listed->total = event_costs_weigh(e->choices, totals);
        listed->long_name = d->long_name;
        for (struct text rest = text_of_string(d->formula); !text_is_empty(rest);) {
            struct text part = text_trim(text_take_to(&rest, '+'));
            if (weigh(e, e->choices, names_intern(e->names, part)) != WEIGHED)
                continue;
            buffer_add_string(&formula, formula.length > 0 ? " + " : "");
            buffer_add(&formula, part);
        }
        listed->formula = names_text(e->names, names_intern(e->names, buffer_text(&formula))).at;
    }
    for (size_t i = 0; i < list->count; i++)
        list->events[i].name =
            names_text(e->names, say_unit(e, names_intern(e->names, text_of_string(list->events[i].name)))).at;
}

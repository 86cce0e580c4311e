#include "model/events.h"

#include "util/array.h"

#include <stdlib.h>

/* Formulas may use formulas; one that needs more terms than this has been made to be endless. */
enum { MAX_TERMS = 1000 };

void events_init(struct events *events, struct names *names)
{
    *events = (struct events){.names = names};
}

void events_free(struct events *events)
{
    free(events->columns);
    free(events->definitions);
    *events = (struct events){0};
}

bool events_set_columns(struct events *events, struct text value)
{
    events->column_count = 0;
    for (text_skip_blanks(&value); !text_is_empty(value);) {
        struct text word = text_take_word(&value);
        if (!array_reserve(&events->columns, &events->column_capacity, events->column_count + 1,
                           sizeof *events->columns) ||
            !names_intern(events->names, word, &events->columns[events->column_count]))
            return false;
        events->column_count++;
    }
    return true;
}

static const char *find(struct text t, char c)
{
    return memchr(t.at, c, text_length(t));
}

void events_split(struct text given, struct text *name, struct text *formula)
{
    const char *equals = find(given, '=');
    *name = text_trim((struct text){given.at, equals != NULL ? equals : given.end});
    *formula = equals != NULL ? text_trim((struct text){equals + 1, given.end}) : *name;
}

bool events_define(struct events *events, struct text value)
{
    struct event_definition definition = {NAME_EMPTY, NAME_EMPTY, NAME_EMPTY};
    const char *colon = find(value, ':');
    struct text name, formula, head = {value.at, colon != NULL ? colon : value.end};
    bool has_formula = find(head, '=') != NULL;

    events_split(head, &name, &formula);
    if (!names_intern(events->names, name, &definition.name) ||
        (has_formula && !names_intern(events->names, formula, &definition.formula)) ||
        (colon != NULL && !names_intern(events->names,
                                        text_trim((struct text){colon + 1, value.end}),
                                        &definition.long_name)))
        return false;

    if (!array_reserve(&events->definitions, &events->definition_capacity,
                       events->definition_count + 1, sizeof *events->definitions))
        return false;
    events->definitions[events->definition_count++] = definition;
    return true;
}

static bool is_named(const struct events *events, uint32_t number, struct text name)
{
    return text_same(names_text(events->names, number), name);
}

/* A formula being resolved. */
struct weighing {
    const struct events *events;
    uint64_t *weights;
    struct text unknown;
    int terms_left;
};

static void weight_add(uint64_t *weight, uint64_t amount)
{
    if (__builtin_add_overflow(*weight, amount, weight))
        *weight = UINT64_MAX;
}

static enum events_result weigh(struct weighing *w, struct text formula, uint64_t factor);

static enum events_result weigh_name(struct weighing *w, struct text name, uint64_t factor)
{
    const struct events *events = w->events;
    for (size_t i = 0; i < events->column_count; i++) {
        if (is_named(events, events->columns[i], name)) {
            weight_add(&w->weights[i], factor);
            return EVENTS_OK;
        }
    }
    /* A file may define an event anew; the last definition holds. */
    for (size_t i = events->definition_count; i-- > 0;) {
        const struct event_definition *d = &events->definitions[i];
        if (is_named(events, d->name, name) && d->formula != NAME_EMPTY)
            return weigh(w, names_text(events->names, d->formula), factor);
    }
    w->unknown = name;
    return EVENTS_UNKNOWN;
}

/* Takes a number that stands before a name, and the star between them. */
static bool take_factor(struct text *term, uint64_t *factor)
{
    struct text rest = *term;
    uint64_t number;
    bool overflow = false;
    if (!text_take_number(&rest, &number, &overflow))
        return true;
    text_skip_blanks(&rest);
    if (!text_is_empty(rest) && *rest.at == '*') {
        rest.at++;
        text_skip_blanks(&rest);
    }
    *term = rest;
    return !overflow && !__builtin_mul_overflow(*factor, number, factor);
}

/* A name may look like a formula: then it is the name that counts. */
static bool is_known(const struct events *events, struct text name)
{
    for (size_t i = 0; i < events->column_count; i++)
        if (is_named(events, events->columns[i], name))
            return true;
    for (size_t i = 0; i < events->definition_count; i++)
        if (events->definitions[i].formula != NAME_EMPTY &&
            is_named(events, events->definitions[i].name, name))
            return true;
    return false;
}

static enum events_result weigh(struct weighing *w, struct text formula, uint64_t factor)
{
    if (w->terms_left-- > 0 && is_known(w->events, text_trim(formula)))
        return weigh_name(w, text_trim(formula), factor);
    for (;;) {
        const char *plus = find(formula, '+');
        struct text term = text_trim((struct text){formula.at, plus != NULL ? plus : formula.end});
        uint64_t term_factor = factor;
        if (w->terms_left-- <= 0 || !take_factor(&term, &term_factor) || text_is_empty(term) ||
            find(term, '*') != NULL)
            return EVENTS_MALFORMED;
        enum events_result result = weigh_name(w, term, term_factor);
        if (result != EVENTS_OK || plus == NULL)
            return result;
        formula.at = plus + 1;
    }
}

enum events_result events_weigh(const struct events *events, struct text formula,
                                uint64_t *weights, struct text *unknown)
{
    struct weighing w = {.events = events, .weights = weights, .terms_left = MAX_TERMS};
    for (size_t i = 0; i < events->column_count; i++)
        weights[i] = 0;
    enum events_result result = weigh(&w, formula, 1);
    *unknown = w.unknown;
    return result;
}

cost_t events_sum(const cost_t *costs, const uint64_t *weights, size_t count)
{
    cost_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        cost_t product;
        if (weights[i] == 0)
            continue;
        if (weights[i] > INT64_MAX ||
            __builtin_mul_overflow(costs[i], (cost_t)weights[i], &product))
            product = costs[i] < 0 ? INT64_MIN : INT64_MAX;
        cost_add(&sum, costs[i] == 0 ? 0 : product);
    }
    return sum;
}

#include "model/events.h"

#include "util/array.h"

#include <stdlib.h>

/* Formulas may use formulas; one that needs more terms than this was made to be endless. */
enum { MAX_TERMS = 1000 };

void events_init(struct events *events, struct names *names)
{
    *events = (struct events){.names = names};
}

void events_free(struct events *events)
{
    free(events->known);
    free(events->terms);
    index_free(&events->index);
    free(events->columns);
    free(events->definitions);
    *events = (struct events){0};
}

/* ---- what is known ------------------------------------------------------------------------ */

static uint32_t hash_of_name(const struct events *events, uint32_t name)
{
    return hash_numbers(&events->index.seed, name, 0);
}

static uint32_t hash_of_event(const void *owner, uint32_t number)
{
    const struct events *events = owner;
    return hash_of_name(events, events->known[number].name);
}

struct event *events_known(const struct events *events, uint32_t name)
{
    if (events->known_count == 0)
        return NULL;
    uint32_t hash = hash_of_name(events, name), slot;
    uint32_t number = index_first(&events->index, hash, &slot);
    for (; number != INDEX_NONE; number = index_next(&events->index, hash, &slot))
        if (events->known[number].name == name)
            return &events->known[number];
    return NULL;
}

/* The event of that name, which is added if it is new. NULL: no memory. */
static struct event *know(struct events *events, uint32_t name)
{
    struct event *event = events_known(events, name);
    if (event != NULL)
        return event;
    if ((events->index.slots == NULL && !index_init(&events->index, NULL)) ||
        !index_make_room(&events->index, hash_of_event, events) ||
        !array_reserve(&events->known, &events->known_capacity, events->known_count + 1,
                       sizeof *events->known))
        return NULL;
    event = &events->known[events->known_count++];
    *event = (struct event){.name = name,
                            .column = EVENT_NONE,
                            .formula = NAME_EMPTY,
                            .place = EVENT_NONE,
                            .terms = EVENT_NONE};
    index_add(&events->index, hash_of_name(events, name));
    return event;
}

struct event *events_use(struct events *events, uint32_t name)
{
    struct event *event = know(events, name);
    if (event != NULL)
        event->is_used = true;
    return event;
}

static bool add_column(struct events *events, struct text word)
{
    uint32_t name;
    struct event *event;
    if (!names_intern(events->names, word, &name) || (event = know(events, name)) == NULL ||
        !array_reserve(&events->columns, &events->column_capacity, events->column_count + 1,
                       sizeof *events->columns))
        return false;
    if (event->column == EVENT_NONE)
        event->column = (uint32_t)events->column_count;
    events->columns[events->column_count++] = name;
    return true;
}

bool events_set_columns(struct events *events, struct text value)
{
    for (size_t i = 0; i < events->column_count; i++)
        events_known(events, events->columns[i])->column = EVENT_NONE;
    events->column_count = 0;
    events->is_weighed = false;
    for (text_skip_blanks(&value); !text_is_empty(value);)
        if (!add_column(events, text_take_word(&value)))
            return false;
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
    struct text long_name = text_of("", 0);
    if (colon != NULL) {
        long_name = text_trim((struct text){colon + 1, value.end});
    } else if (!has_formula) {
        long_name = name; /* Hatari leaves out the colon before it. */
        name = text_take_word(&long_name);
    }
    if (!names_intern(events->names, name, &definition.name) ||
        (has_formula && !names_intern(events->names, formula, &definition.formula)) ||
        !names_intern(events->names, long_name, &definition.long_name))
        return false;

    struct event *event = know(events, definition.name);
    if (event == NULL ||
        !array_reserve(&events->definitions, &events->definition_capacity,
                       events->definition_count + 1, sizeof *events->definitions))
        return false;
    /* A file may redefine an event; the last definition is valid. */
    if (definition.formula != NAME_EMPTY && definition.formula != event->formula) {
        event->formula = definition.formula;
        events->is_weighed = events->is_weighed && !event->is_used;
    }
    events->definitions[events->definition_count++] = definition;
    return true;
}

/* ---- terms -------------------------------------------------------------------------------- */

/* Takes the sign of a term. */
static bool take_minus(struct text *formula)
{
    text_skip_blanks(formula);
    bool is_minus = !text_is_empty(*formula) && *formula->at == '-';
    formula->at += is_minus;
    return is_minus;
}

/* The plus or minus that ends the term which the text begins with, or its end. */
static const char *term_end(struct text text)
{
    const char *p = text.at;
    while (p < text.end && *p != '+' && !(*p == '-' && p > text.at && char_is_blank(p[-1])))
        p++;
    return p;
}

/* Multiplies *factor, which is 1 or -1, by a number before a name; takes the star between them. */
static bool take_factor(struct text *term, int64_t *factor)
{
    struct text rest = *term;
    bool overflow = false;
    uint64_t number;
    if (!text_take_number(&rest, &number, &overflow))
        return true;
    text_skip_blanks(&rest);
    if (!text_is_empty(rest) && *rest.at == '*') {
        rest.at++;
        text_skip_blanks(&rest);
    }
    *term = rest;
    *factor *= number < INT64_MAX ? (int64_t)number : INT64_MAX;
    return !overflow;
}

/* Leaves term->event unchanged if the text is not a term. False: no memory. */
static bool read_term(struct events *events, struct text text, struct event_term *term)
{
    uint32_t name;
    struct event *event;
    if (!take_factor(&text, &term->factor) || text_is_empty(text) || find(text, '*') != NULL)
        return true;
    if (!names_intern(events->names, text, &name) || (event = know(events, name)) == NULL)
        return false;
    term->event = (uint32_t)(event - events->known);
    return true;
}

/*
 * Parses the name of a known event as a formula, up to text that is not a term or cannot be needed:
 * each term uses one of the terms that are left. False: no memory.
 */
static bool read_terms(struct events *events, uint32_t number)
{
    struct text formula = names_text(events->names, events->known[number].name);
    struct event_term term = {.is_last = false};
    size_t first = events->term_count;
    while (!term.is_last) {
        int sign = take_minus(&formula) ? -1 : 1;
        const char *end = term_end(formula);
        struct text text = text_trim((struct text){formula.at, end});
        term = (struct event_term){.factor = sign, .event = EVENT_NONE};
        if (!read_term(events, text, &term) || events->term_count >= EVENT_NONE ||
            !array_reserve(&events->terms, &events->term_capacity, events->term_count + 1,
                           sizeof *events->terms))
            return false;
        formula.at = end;
        term.is_last = text_is_empty(formula) || term.event == EVENT_NONE ||
                       events->term_count - first == MAX_TERMS;
        events->terms[events->term_count++] = term;
        if (!text_is_empty(formula) && *formula.at == '+')
            formula.at++;
    }
    events->known[number].terms = (uint32_t)first;
    return true;
}

/* ---- formulas ----------------------------------------------------------------------------- */

/* A formula being resolved. */
struct weighing {
    struct events *events;
    struct event_weights *weights;
    uint32_t unknown;
    int terms_left;
};

static enum events_result weigh(struct weighing *w, uint32_t formula, int64_t factor);

static enum events_result weigh_column(struct weighing *w, uint32_t column, int64_t weight)
{
    struct event_weights *to = w->weights;
    if (!array_reserve(&to->weights, &to->capacity, to->count + 1, sizeof *to->weights))
        return EVENTS_NO_MEMORY;
    to->weights[to->count++] = (struct event_weight){weight, column};
    return EVENTS_OK;
}

static enum events_result weigh_event(struct weighing *w, struct event *event, int64_t factor)
{
    event->is_used = true;
    if (event->column != EVENT_NONE)
        return weigh_column(w, event->column, factor);
    if (event->formula != NAME_EMPTY)
        return weigh(w, event->formula, factor);
    w->unknown = event->name;
    return EVENTS_UNKNOWN;
}

static enum events_result weigh_terms(struct weighing *w, uint32_t first, int64_t factor)
{
    for (uint32_t i = first;; i++) {
        struct event_term term = w->events->terms[i]; /* which may move */
        if (w->terms_left-- <= 0 || term.event == EVENT_NONE ||
            __builtin_mul_overflow(factor, term.factor, &term.factor))
            return EVENTS_MALFORMED;
        struct event *event = &w->events->known[term.event];
        enum events_result result = weigh_event(w, event, term.factor);
        if (result != EVENTS_OK || term.is_last)
            return result;
    }
}

static enum events_result weigh(struct weighing *w, uint32_t formula, int64_t factor)
{
    struct event *event = events_use(w->events, formula);
    if (event == NULL)
        return EVENTS_NO_MEMORY;
    /* A name may look like a formula; then it counts as a name. */
    if (w->terms_left-- > 0 && (event->column != EVENT_NONE || event->formula != NAME_EMPTY))
        return weigh_event(w, event, factor);
    uint32_t number = (uint32_t)(event - w->events->known);
    if (event->terms == EVENT_NONE && !read_terms(w->events, number))
        return EVENTS_NO_MEMORY;
    return weigh_terms(w, w->events->known[number].terms, factor);
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

enum events_result events_weigh(struct events *events, uint32_t formula,
                                struct event_weights *weights, uint32_t *unknown)
{
    struct weighing w = {.events = events, .weights = weights, .terms_left = MAX_TERMS};
    weights->count = 0;
    enum events_result result = weigh(&w, formula, 1);
    add_up(weights);
    *unknown = w.unknown;
    events->is_weighed = true;
    return result;
}

cost_t events_sum(const cost_t *costs, const struct event_weights *weights)
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

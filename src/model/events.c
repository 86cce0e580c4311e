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
    free(events->known);
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

const struct event *events_find(const struct events *events, struct text name)
{
    uint32_t number = names_find(events->names, name);
    const struct event *event = number != INDEX_NONE ? events_known(events, number) : NULL;
    bool is_there = event != NULL && (event->column != EVENT_NONE || event->formula != NAME_EMPTY);
    return is_there ? event : NULL;
}

/* The event of that name, which is now known. NULL: no memory. */
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
    *event = (struct event){name, EVENT_NONE, NAME_EMPTY, EVENT_NONE};
    index_add(&events->index, hash_of_name(events, name));
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
    if (!names_intern(events->names, name, &definition.name) ||
        (has_formula && !names_intern(events->names, formula, &definition.formula)) ||
        (colon != NULL && !names_intern(events->names,
                                        text_trim((struct text){colon + 1, value.end}),
                                        &definition.long_name)))
        return false;

    struct event *event = know(events, definition.name);
    if (event == NULL ||
        !array_reserve(&events->definitions, &events->definition_capacity,
                       events->definition_count + 1, sizeof *events->definitions))
        return false;
    /* A file may define an event anew; the last definition holds. */
    if (definition.formula != NAME_EMPTY)
        event->formula = definition.formula;
    events->definitions[events->definition_count++] = definition;
    return true;
}

/* ---- formulas ----------------------------------------------------------------------------- */

/* A formula being resolved. */
struct weighing {
    const struct events *events;
    struct event_weights *weights;
    struct text unknown;
    int terms_left;
};

static enum events_result weigh(struct weighing *w, struct text formula, uint64_t factor);

static enum events_result weigh_column(struct weighing *w, uint32_t column, uint64_t weight)
{
    struct event_weights *to = w->weights;
    if (!array_reserve(&to->weights, &to->capacity, to->count + 1, sizeof *to->weights))
        return EVENTS_NO_MEMORY;
    to->weights[to->count++] = (struct event_weight){weight, column};
    return EVENTS_OK;
}

static enum events_result weigh_name(struct weighing *w, struct text name, uint64_t factor)
{
    const struct event *event = events_find(w->events, name);
    if (event == NULL) {
        w->unknown = name;
        return EVENTS_UNKNOWN;
    }
    return event->column != EVENT_NONE
               ? weigh_column(w, event->column, factor)
               : weigh(w, names_text(w->events->names, event->formula), factor);
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

static enum events_result weigh(struct weighing *w, struct text formula, uint64_t factor)
{
    /* A name may look like a formula: then it is the name that counts. */
    if (w->terms_left-- > 0 && events_find(w->events, text_trim(formula)) != NULL)
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

static int by_column(const void *left, const void *right)
{
    const struct event_weight *a = left, *b = right;
    return (a->column > b->column) - (a->column < b->column);
}

/* Leaves one weight for each column that counts. */
static void add_up(struct event_weights *w)
{
    size_t kept = 0;
    if (w->count > 1)
        qsort(w->weights, w->count, sizeof *w->weights, by_column);
    for (size_t i = 0; i < w->count; i++) {
        if (w->weights[i].weight == 0)
            continue;
        if (kept > 0 && w->weights[kept - 1].column == w->weights[i].column)
            count_add(&w->weights[kept - 1].weight, w->weights[i].weight);
        else
            w->weights[kept++] = w->weights[i];
    }
    w->count = kept;
}

enum events_result events_weigh(const struct events *events, struct text formula,
                                struct event_weights *weights, struct text *unknown)
{
    struct weighing w = {.events = events, .weights = weights, .terms_left = MAX_TERMS};
    weights->count = 0;
    enum events_result result = weigh(&w, formula, 1);
    add_up(weights);
    *unknown = w.unknown;
    return result;
}

cost_t events_sum(const cost_t *costs, const struct event_weights *weights)
{
    cost_t sum = 0;
    for (size_t i = 0; i < weights->count; i++) {
        uint64_t weight = weights->weights[i].weight;
        cost_t cost = costs[weights->weights[i].column], product;
        if (weight > INT64_MAX || __builtin_mul_overflow(cost, (cost_t)weight, &product))
            product = cost < 0 ? INT64_MIN : INT64_MAX;
        cost_add(&sum, cost == 0 ? 0 : product);
    }
    return sum;
}

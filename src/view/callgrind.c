/* SPDX-License-Identifier: MIT */
/*
 * The callgrind format: https://valgrind.org/docs/manual/cl-format.html, with `positions: line`, names
 * with numbers from their first use on, and all costs of a line but zeros at its end.
 *
 * Readers differ in which file follows a call from inlined code. So each line of another file than the one before has
 * its fi= or fe=, and each call its cfi=.
 *
 * In place of an object, a file is `???`, as Valgrind writes it: callgrind_annotate reads all others as source.
 *
 * A function's lines are in the order of the profile. Functions come in the order in which a reader meets them: each
 * after the functions that are called before it. So what is read from this file is written again with the same bytes.
 */
#include "view/view.h"

#include "model/line_costs.h"

#include <inttypes.h>
#include <math.h>

/* What has a number of its own in the format. */
enum space { FILES, OBJECTS, FUNCTIONS, LONG_NAMES, SPACES };

struct writing {
    FILE *stream;
    const struct profile *profile;
    struct buffer line;
    /*
     * By name, or for FUNCTIONS by function; 0: it has not occurred. A long name is written once, even if it is that of
     * many functions: its number is larger than that of any function.
     */
    uint32_t *numbers[SPACES];
    uint32_t used[SPACES];
    uint32_t *order; /* functions as they are written */
    size_t count;
    bool *is_met;        /* by function: it is among these */
    struct buckets rows; /* of lines, by function */
    double least;        /* rows of less are left out: --storage has a placeholder of a limited size */
};

/* Adds KEY=(NUMBER) and, for the first time, the name. One that is empty has no number. */
static void add_name(struct writing *w, const char *key, enum space space, uint32_t number_of, struct text name)
{
    uint32_t *number = &w->numbers[space][number_of];
    buffer_add_string(&w->line, key);
    if (!text_is_empty(name)) {
        bool is_new = *number == 0;
        *number = is_new ? ++w->used[space] : *number;
        buffer_add_string(&w->line, "(");
        buffer_add_count(&w->line, *number);
        buffer_add_string(&w->line, is_new ? ") " : ")");
        size_t start = w->line.length;
        if (is_new)
            buffer_add(&w->line, name);
        char *first = w->line.bytes + start, *end = w->line.bytes + w->line.length;
        for (char *c = first; c < end; c++) {
            *c = *c == '\n' || *c == '\r' || *c == '\0' ? ' ' : *c;
            *c = char_is_blank(*c) && (c == first || c + 1 == end) ? '?' : *c; /* readers leave such blanks out */
        }
    }
    buffer_add_string(&w->line, "\n");
}

static void add_function(struct writing *w, const char *key, uint32_t number)
{
    uint32_t name = w->profile->functions[number].name;
    struct text text = names_text(&w->profile->names, name);
    bool is_long = text_length(text) > VIEW_NAME;
    add_name(w, key, is_long ? LONG_NAMES : FUNCTIONS, is_long ? name : number, text);
}

/* The number of a function's file. In place of an object, it is the one after all names. */
static uint32_t file_of(const struct writing *w, const struct function *f)
{
    return profile_has_source(w->profile, f) || f->file == NAME_EMPTY ? f->file : (uint32_t)w->profile->names.count;
}

static void add_file(struct writing *w, const char *key, uint32_t file)
{
    const struct names *names = &w->profile->names;
    add_name(w, key, FILES, file, file < names->count ? names_text(names, file) : text_of_string("???"));
}

/* A function that occurs for the first time is written after those before. */
static void meet(struct writing *w, uint32_t function)
{
    if (!w->is_met[function])
        w->order[w->count++] = function;
    w->is_met[function] = true;
}

static void add_object(struct writing *w, const char *key, uint32_t object)
{
    add_name(w, key, OBJECTS, object, names_text(&w->profile->names, object));
}

/* Asks for what the next functions need, wherever it is in memory: to wait for it took half of the time. */
HOT void prefetch(const struct writing *w, size_t written)
{
    enum { AHEAD = 4, LINES = 4, BYTES = 64 }; /* lines: of the processor's cache */
    const struct line_costs *lines = w->profile->lines;
    if (written + 3 * AHEAD >= w->count)
        return;
    const uint32_t *order = w->order + written, *start = w->rows.start, *numbers = w->rows.numbers;
    __builtin_prefetch(&w->profile->functions[order[3 * AHEAD]]);
    __builtin_prefetch(&start[order[3 * AHEAD]]);
    __builtin_prefetch(&numbers[start[order[2 * AHEAD]]]);
    uint32_t row = numbers[start[order[AHEAD]]];
    for (size_t i = 0; i < LINES; i++) {
        __builtin_prefetch((const char *)&lines->rows[row] + i * BYTES);
        __builtin_prefetch((const char *)&lines->costs[row * lines->events] + i * BYTES);
    }
}

static void write_function(struct writing *w, uint32_t number, uint32_t *object)
{
    const struct line_costs *lines = w->profile->lines;
    const struct function *f = &w->profile->functions[number];
    uint32_t own = file_of(w, f), file = own;
    w->line.length = 0;
    if (*object != function_object(f))
        add_object(w, "\nob=", function_object(f));
    *object = function_object(f);
    add_file(w, w->line.length > 0 ? "fl=" : "\nfl=", file);
    add_function(w, "fn=", number);
    for (uint32_t i = w->rows.start[number]; i < w->rows.start[number + 1]; i++) {
        const struct line_row *row = &lines->rows[w->rows.numbers[i]];
        const cost_t *costs = &lines->costs[w->rows.numbers[i] * lines->events];
        if ((double)costs[0] < w->least)
            continue;
        uint32_t code = row->key.file != NAME_EMPTY && row->key.file != f->file ? row->key.file : own;
        if (code != file)
            add_file(w, code == own ? "fe=" : "fi=", code);
        file = code;
        if (row->key.callee != NONE) {
            const struct function *callee = &w->profile->functions[row->key.callee];
            if (function_object(callee) != *object)
                add_object(w, "cob=", function_object(callee));
            add_file(w, "cfi=", file_of(w, callee));
            add_function(w, "cfn=", row->key.callee);
            meet(w, row->key.callee);
            buffer_add_string(&w->line, "calls=");
            buffer_add_count(&w->line, MIN(row->calls, INT64_MAX));
            buffer_add_string(&w->line, " 0\n"); /* nobody uses the position of the target */
        }
        size_t count = lines->events;
        while (count > 1 && costs[count - 1] == 0)
            count--;
        buffer_add_count(&w->line, row->key.line);
        buffer_add_numbers(&w->line, costs, count);
        buffer_add_string(&w->line, "\n");
    }
    fwrite(w->line.bytes, 1, w->line.length, w->stream);
}

static void add_header(struct writing *w, const char *key, struct text value)
{
    buffer_add_string(&w->line, key);
    buffer_add(&w->line, value);
    buffer_add_string(&w->line, "\n");
}

/* Formulas of events, and long names of those that are written, once each. */
static void add_event_lines(struct writing *w)
{
    const struct profile *profile = w->profile;
    const struct line_costs *lines = profile->lines;
    bool *is_written = memory_zeroed(profile->names.count, sizeof *is_written);
    for (size_t i = 0; i < profile->header_count && lines->events > 1; i++) {
        const struct header *header = &profile->headers[i];
        struct text line = names_text(&profile->names, header->value), head = text_before(line, ':'), rest = head;
        struct text name = text_take_word(&rest);
        if (!text_equals(names_text(&profile->names, header->key), "event") || is_written[header->value])
            continue;
        is_written[header->value] = true;
        if (text_before(head, '=').end < head.end)
            add_header(w, "event: ", line);
        for (size_t k = 0; text_before(head, '=').end == head.end && k < lines->events; k++) {
            struct text column = names_text(&profile->names, lines->names[k]);
            if (!text_same(column, name) && !text_same(unit_of(column).base, name))
                continue;
            buffer_add_string(&w->line, "event: ");
            buffer_add(&w->line, column);
            add_header(w, "", (struct text){name.end, line.end});
        }
    }
}

bool print_callgrind(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct contents *base)
{
    const struct profile *profile = &shown->profile;
    const struct line_costs *lines = profile->lines;
    struct writing w = {.stream = stream, .profile = profile};
    uint32_t object = NAME_EMPTY;
    size_t written = 0;
    for (enum space space = 0; space < SPACES; space++)
        w.numbers[space] = memory_zeroed(MAX(profile->names.count + 1, profile->function_count),
                                         sizeof *w.numbers[space]);
    w.used[LONG_NAMES] = (uint32_t)profile->function_count;
    w.order = memory_zeroed(profile->function_count + 1, sizeof *w.order);
    w.is_met = memory_zeroed(profile->function_count + 1, sizeof *w.is_met);
    w.rows = line_costs_by_function(profile);
    cost_t sum = profile_self_cost(profile);
    w.least = options->min > 0 && sum > 0 ? (double)sum * options->min / 100 : -INFINITY;
    buffer_add_string(&w.line, "# callgrind format\nversion: 1\ncreator: cg2wg " CG2WG_VERSION);
    buffer_add_string(&w.line, profile->marks_levels ? " of callgrind\n" : "\n");
    add_header(&w, "cmd: ", facts_title(&shown->facts)); /* also an empty one: placeholders have what follows it */
    add_event_lines(&w);
    buffer_add_string(&w.line, "positions: line\nevents:");
    for (size_t i = 0; i < lines->events; i++) {
        buffer_add_string(&w.line, " ");
        struct text event = lines->names != NULL ? names_text(&profile->names, lines->names[i]) : shown->facts.event;
        facts_add_event(&w.line, text_is_empty(event) ? text_of_string("unknown") : event);
    }
    buffer_add_string(&w.line, "\nsummary:");
    cost_t *totals = memory_zeroed(lines->events, sizeof *totals);
    for (size_t i = 0; i < lines->count; i++)
        for (size_t k = 0; k < lines->events && lines->rows[i].key.callee == NONE; k++)
            cost_add(&totals[k], lines->costs[i * lines->events + k]);
    for (size_t k = 0; k < lines->events; k++) /* that of the profile's event is the input's */
        if (lines->names == NULL || lines->names[k] == profile->event)
            totals[k] = shown->facts.total;
    buffer_add_numbers(&w.line, totals, lines->events);
    buffer_add_string(&w.line, "\n");
    fwrite(w.line.bytes, 1, w.line.length, stream);
    for (uint32_t i = 0; i < profile->function_count; i++) {
        uint32_t row = w.rows.start[i], end = w.rows.start[i + 1];
        while (row < end && (double)lines->costs[w.rows.numbers[row] * lines->events] < w.least)
            row++;
        if (options->min <= 0 || row < end)
            meet(&w, i);
        for (; written < w.count; written++) {
            prefetch(&w, written);
            write_function(&w, w.order[written], &object);
        }
    }
    (void)base;
    return false;
}

/* SPDX-License-Identifier: MIT */
/*
 *     file:       version header_address function_count function_address... function... gap headers
 *     function:   [line] self inclusive [call_cost] invocation_count [called_from_count] [sub_call_count]
 *                 lists file \n name \n
 *
 * Versions 5, 6 and 7: sums per function, and the call arcs at their ends. The gap is described in objects.h.
 *
 *     lists:      called_from... [sub_call...]
 *     called_from, sub_call: function line count cost
 *
 * Version 4: each invocation with the call that made it and the calls that it made.
 *
 *     lists:      invocation...
 *     invocation: self inclusive, call_cost function invocation line (what called it),
 *                 sub_call_count sub_call_address
 *     gap:        sub_call...
 *     sub_call:   function invocation line cost
 *
 * Invocations are numbered within their function, in the order in which they returned. One that
 * nobody called has called-from (0, 0xFFFFFFFF, 0, 0).
 */
#include "write/formats.h"

#include "write/escape.h"
#include "write/headers.h"
#include "write/objects.h"

enum {
    NUMBER_SIZE = 4,
    FILE_NUMBERS = 3, /* before the addresses */
    CALL_NUMBERS = 4,
    CALL_SIZE = CALL_NUMBERS * NUMBER_SIZE,
    ROW_NUMBERS = 8,
    ROW_SIZE = ROW_NUMBERS * NUMBER_SIZE, /* of an invocation */
    WRITTEN_KINDS = ESCAPE_FILE + 1       /* the kinds of escaped texts that a name may have; those of files are last */
};

/* The rows of a window. Tests redefine it, so that there are several. */
#ifndef WINDOW_ROWS
#define WINDOW_ROWS (4 * 1024 * 1024)
#endif

struct writer {
    struct outfile *out;
    unsigned version;
    struct profile *profile;
    struct scale scale;
    struct arc_lists lists; /* of a profile without invocations */
    uint32_t *written;      /* how names and files are written: numbers in profile.names, by name and kind */
    struct buffer escaped;  /* the last of these, while it is made */
    bool is_escaped;        /* a name is written in another form */
    /* Version 4 */
    struct contexts *invocations; /* none: each function has one row */
    uint32_t *first_row;          /* of a function; one more for the end of the last one's rows */
    uint64_t sub_calls_address, sub_call_count;
    unsigned char *window;             /* NULL: there are no invocations */
    uint32_t window_start, window_end; /* rows */
};

/* Into a row, from number `first` on. */
HOT void put(unsigned char *row, size_t first, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        little4_put(row + (first + i) * NUMBER_SIZE, numbers[i]);
}

/* Appends `count` numbers, at most ROW_NUMBERS. */
HOT void write_numbers(struct outfile *out, const uint32_t *numbers, size_t count)
{
    unsigned char bytes[ROW_SIZE];
    put(bytes, 0, numbers, count);
    outfile_write(out, bytes, count * NUMBER_SIZE);
}

/* How a name is written. Each is escaped once, because a long one may be that of many functions. */
static struct text written_name(struct writer *w, uint32_t name, enum escape_kind kind)
{
    struct names *names = &w->profile->names;
    uint32_t *number = &w->written[(size_t)name * WRITTEN_KINDS + (kind > ESCAPE_FILE ? ESCAPE_FILE : kind)];
    if (*number == NAME_EMPTY) {
        w->escaped.length = 0;
        bool is_escaped = escape_add(&w->escaped, names_text(names, name), kind);
        *number = is_escaped ? names_intern(names, buffer_text(&w->escaped)) : name;
        w->is_escaped |= is_escaped;
    }
    return names_text(names, *number);
}

/* Writes the file and name of a function, unless `out` is NULL. Returns their size in bytes. */
static uint64_t write_names(struct writer *w, struct outfile *out, uint32_t number)
{
    const struct function *f = &w->profile->functions[number];
    bool is_internal = text_equals(escape_trim(names_text(&w->profile->names, f->file)), "php:internal");
    bool is_quoted = w->version < FIRST_VERSION_WITH_ENCODED_FILES;
    struct text file = written_name(w, f->file, is_quoted ? ESCAPE_QUOTED_FILE : ESCAPE_FILE);
    struct text lines[] = {file, written_name(w, f->name, is_internal ? ESCAPE_INTERNAL_NAME : ESCAPE_NAME)};
    for (size_t i = 0; out != NULL && i < 2; i++) {
        outfile_write(out, lines[i].at, text_length(lines[i]));
        outfile_write(out, "\n", 1);
    }
    return (uint64_t)text_length(lines[0]) + text_length(lines[1]) + 2;
}

/*
 * The rows of a function are side by side, but invocations returned in an order that mixes those of all functions. So
 * one walk through the tree, in that order, puts each row where it belongs in a window of the output. Each function has
 * one position that advances, and the caller of an invocation is near it in the tree, so that nearly all accesses are
 * cached. An output that does not fit one window takes several, with a walk for each.
 */
static void number_rows(struct writer *w)
{
    size_t functions = w->profile->function_count;
    w->first_row = memory_zeroed(functions + 1, sizeof *w->first_row);
    size_t count = w->invocations->count;
    w->sub_call_count = count > 0 ? 0 : w->profile->arc_count;
    if (count > 0)
        w->window = memory_get((MIN(count, WINDOW_ROWS) + 1) * ROW_SIZE);
    for (size_t i = 0; i < count; i++) {
        struct context *v = contexts_ordered(w->invocations, i);
        v->number = w->first_row[v->function]++;
        w->sub_call_count += v->parent != NONE;
    }
    uint32_t start = 0;
    for (size_t f = 0; f <= functions; f++) {
        uint32_t rows_of_function = count > 0 ? w->first_row[f] : 1;
        w->first_row[f] = start;
        start += rows_of_function;
    }
}

/* The row of an invocation, or NULL if it is not in the window. */
HOT unsigned char *row_of(const struct writer *w, const struct context *v)
{
    uint32_t row = w->first_row[v->function] + v->number;
    bool is_inside = row >= w->window_start && row < w->window_end;
    return is_inside ? w->window + (size_t)(row - w->window_start) * ROW_SIZE : NULL;
}

HOT uint32_t cost_of_call(struct writer *w, const struct context *v)
{
    return scale_cost(&w->scale, v->function, contexts_call_cost(w->invocations, v));
}

/* Moves the window to row `first`, and fills it: each invocation gives data about itself and those that it called. */
static void fill_window(struct writer *w, uint32_t first_row)
{
    const struct context *items = w->invocations->items;
    uint32_t sub_calls = 0;
    w->window_start = first_row;
    w->window_end = first_row + (uint32_t)MIN(w->invocations->count - first_row, WINDOW_ROWS);
    for (size_t i = 0; i < w->invocations->count; i++) {
        const struct context *v = contexts_ordered(w->invocations, i);
        uint32_t first = sub_calls;
        unsigned char *row;
        for (uint32_t child = v->first_child; child != NONE; child = items[child].next_sibling, sub_calls++) {
            const struct context *c = &items[child];
            if ((row = row_of(w, c)) == NULL)
                continue;
            put(row, 2, (uint32_t[]){cost_of_call(w, c), v->function, v->number, c->call}, 4);
        }
        if ((row = row_of(w, v)) == NULL)
            continue;
        put(row, 0,
            (uint32_t[]){scale_cost(&w->scale, v->function, v->self), scale_cost(&w->scale, v->function, v->inclusive)},
            2);
        if (v->parent == NONE)
            put(row, 2, (uint32_t[]){0, NONE, 0, 0}, 4);
        put(row, 6, (uint32_t[]){sub_calls - first, (uint32_t)w->sub_calls_address + CALL_SIZE * first}, 2);
    }
}

/* Of sums, a function is one invocation with all calls. If it has one caller, that, and the line of the first call. */
static void write_sums_row(struct writer *w, uint32_t number)
{
    const struct function *f = &w->profile->functions[number];
    const uint32_t *from = w->lists.called_from.start + number, *to = w->lists.sub_calls.start + number;
    uint32_t self = scale_cost(&w->scale, number, f->self), inclusive = scale_cost(&w->scale, number, f->inclusive);
    struct cg2wg_arc call = {.caller = NONE}; /* all calls of it, if they have one caller */
    for (uint32_t i = from[0]; i < from[1]; i++) {
        const struct cg2wg_arc *arc = &w->profile->arcs[w->lists.called_from.numbers[i]];
        if (i == from[0])
            call = (struct cg2wg_arc){.caller = arc->caller, .line = arc->line};
        if (arc->caller != call.caller) {
            call = (struct cg2wg_arc){.caller = NONE};
            break;
        }
        cost_add(&call.cost, arc->cost);
    }
    write_numbers(w->out,
                  (uint32_t[]){self, inclusive, scale_cost(&w->scale, number, call.cost), call.caller, 0, call.line,
                               to[1] - to[0], (uint32_t)w->sub_calls_address + CALL_SIZE * to[0]},
                  ROW_NUMBERS);
}

static void write_sub_calls(struct writer *w)
{
    const struct context *items = w->invocations->items;
    for (size_t i = 0; i < w->invocations->count; i++)
        for (uint32_t k = contexts_ordered(w->invocations, i)->first_child; k != NONE; k = items[k].next_sibling) {
            const struct context *v = &items[k];
            uint32_t cost = cost_of_call(w, v);
            write_numbers(w->out, (uint32_t[]){v->function, v->number, v->call, cost}, CALL_NUMBERS);
        }
    for (size_t i = 0; w->invocations->count == 0 && i < w->profile->arc_count; i++) {
        const struct cg2wg_arc *arc = &w->profile->arcs[w->lists.sub_calls.numbers[i]];
        uint32_t cost = scale_cost(&w->scale, arc->caller, arc->cost);
        write_numbers(w->out, (uint32_t[]){arc->callee, 0, arc->line, cost}, CALL_NUMBERS);
    }
}

void write_head(struct outfile *out, unsigned version, const uint64_t *sizes, uint32_t count, uint64_t gap)
{
    uint64_t address = (uint64_t)NUMBER_SIZE * (FILE_NUMBERS + (uint64_t)count), headers = address + gap;
    for (uint32_t i = 0; i < count; i++)
        headers += sizes[i];
    if (headers > UINT32_MAX)
        diag_error_in(out->diag, out->name, "needs more than 4 GiB, the most that version %u can address%s", version,
                      version < FIRST_VERSION_WITH_SUMS         ? "; versions 5, 6 and 7 need far less"
                      : version >= FIRST_VERSION_WITH_SUB_CALLS ? "; version 5, without sub calls, needs less"
                                                                : "");
    out->progress.total = headers; /* plus the headers, which are few */
    write_numbers(out, (uint32_t[]){version, (uint32_t)headers, count}, FILE_NUMBERS);
    for (uint32_t i = 0; i < count; i++) {
        write_numbers(out, (uint32_t[]){(uint32_t)address}, 1);
        address += sizes[i];
    }
}

static void write_function(struct writer *w, uint32_t i)
{
    const struct function *f = &w->profile->functions[i];
    bool has_rows = w->version < FIRST_VERSION_WITH_SUMS, has_sub_calls = w->version >= FIRST_VERSION_WITH_SUB_CALLS;
    const uint32_t *rows = (has_rows ? w->first_row : w->lists.called_from.start) + i; /* or callers */
    uint32_t head[6];
    size_t used = 0;
    if (w->version >= FIRST_VERSION_WITH_LINES)
        head[used++] = f->line;
    head[used++] = scale_cost(&w->scale, i, f->self);
    head[used++] = scale_cost(&w->scale, i, f->inclusive);
    head[used++] = has_rows ? scale_cost(&w->scale, i, f->call_cost)
                            : scale_any(&w->scale, i, "a count", false, f->invocations);
    head[used++] = rows[1] - rows[0];
    if (has_sub_calls)
        head[used++] = w->lists.sub_calls.start[i + 1] - w->lists.sub_calls.start[i];
    write_numbers(w->out, head, used);
    if (has_rows && w->window == NULL)
        write_sums_row(w, i);
    for (uint32_t row = rows[0], next; w->window != NULL && row < rows[1]; row = next) {
        if (row == w->window_end)
            fill_window(w, row);
        next = MIN(rows[1], w->window_end);
        outfile_write(w->out, w->window + (size_t)(row - w->window_start) * ROW_SIZE, (size_t)(next - row) * ROW_SIZE);
    }
    for (int is_sub_call = 0; !has_rows && is_sub_call <= has_sub_calls; is_sub_call++) {
        const struct buckets *lists = is_sub_call ? &w->lists.sub_calls : &w->lists.called_from;
        for (uint32_t k = lists->start[i]; k < lists->start[i + 1]; k++) {
            const struct cg2wg_arc *arc = &w->profile->arcs[lists->numbers[k]];
            uint32_t calls = scale_any(&w->scale, i, "a count", false, arc->calls);
            write_numbers(w->out,
                          (uint32_t[]){is_sub_call ? arc->callee : arc->caller, arc->line, calls,
                                       scale_cost(&w->scale, i, arc->cost)},
                          CALL_NUMBERS);
        }
    }
    write_names(w, w->out, i);
}

void write_profile(struct outfile *out, const struct cg2wg_options *options, struct profile *profile,
                   struct contexts *invocations)
{
    uint32_t count = (uint32_t)profile->function_count;
    uint64_t *sizes = memory_get(((size_t)count + 1) * sizeof *sizes);
    struct writer w = {.out = out,
                       .version = options->format,
                       .profile = profile,
                       .invocations = invocations,
                       .written = memory_zeroed(profile->names.count, WRITTEN_KINDS * sizeof *w.written),
                       .sub_calls_address = (uint64_t)NUMBER_SIZE * (FILE_NUMBERS + (uint64_t)count)};
    bool has_rows = w.version < FIRST_VERSION_WITH_SUMS, has_sub_calls = w.version >= FIRST_VERSION_WITH_SUB_CALLS;
    scale_init(&w.scale, options->scale, profile, invocations, has_rows, out->diag);
    if (invocations->count == 0)
        arc_lists_init(&w.lists, profile);
    if (has_rows)
        number_rows(&w);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *rows = (has_rows ? w.first_row : w.lists.called_from.start) + i; /* or callers */
        uint64_t numbers = 4u + (w.version >= FIRST_VERSION_WITH_LINES) + has_sub_calls;
        numbers += (uint64_t)(has_rows ? ROW_NUMBERS : CALL_NUMBERS) * (rows[1] - rows[0]);
        if (has_sub_calls)
            numbers += (uint64_t)CALL_NUMBERS * (w.lists.sub_calls.start[i + 1] - w.lists.sub_calls.start[i]);
        sizes[i] = NUMBER_SIZE * numbers + write_names(&w, NULL, i);
        w.sub_calls_address += sizes[i];
    }
    struct text objects = has_rows ? text_of("", 0) : objects_of(profile);
    /* An output that cannot be removed has all of a file or nothing, so no memory may be needed after this. */
    struct text headers = headers_escaped(&w.scale, options, w.is_escaped);
    write_head(out, w.version, sizes, count, CALL_SIZE * w.sub_call_count + text_length(objects));
    for (uint32_t i = 0; i < count; i++)
        write_function(&w, i);
    if (has_rows)
        write_sub_calls(&w);
    outfile_write(out, objects.at, text_length(objects));
    outfile_write(out, headers.at, text_length(headers));
}

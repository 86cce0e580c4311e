#include "read/preprocessed_file.h"

#include "write/bytes.h"
#include "write/escape.h"

#include "util/run.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    HEAD_NUMBERS = 3,
    CALL_SIZE = 4 * NUMBER_SIZE,
    INVOCATION_SIZE = 8 * NUMBER_SIZE,
    SUB_CALL_SIZE = 4 * NUMBER_SIZE
};

/* The fields of a function's head, in order, by version. */
static const struct layout {
    uint32_t version;
    bool has_line, has_call_cost, has_called_from, has_sub_calls;
} layouts[] = {
    {.version = 4, .has_call_cost = true},
    {.version = 5, .has_called_from = true},
    {.version = 6, .has_called_from = true, .has_sub_calls = true},
    {.version = 7, .has_line = true, .has_called_from = true, .has_sub_calls = true},
};

static const struct layout *layout_of(uint32_t version)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (layouts[i].version == version)
            return &layouts[i];
    return NULL;
}

static size_t head_size(const struct layout *l)
{
    return NUMBER_SIZE * (3u + l->has_line + l->has_call_cost + l->has_called_from +
                          l->has_sub_calls);
}

static uint32_t number_at(const struct preprocessed *p, size_t address)
{
    return little4(p->bytes + address);
}

/* The line that begins at `address`; its end is the file's if it has no newline. */
static struct text line_at(const struct preprocessed *p, size_t address)
{
    const char *start = (const char *)p->bytes + address;
    const char *newline = memchr(start, '\n', p->size - address);
    return text_of(start, newline != NULL ? (size_t)(newline - start) : p->size - address);
}

static size_t after_line(const struct preprocessed *p, struct text line)
{
    return (size_t)(line.end - (const char *)p->bytes) + 1;
}

/* Takes the next number; 0 if a version does not have it. */
static uint32_t take_number(const struct preprocessed *p, size_t *at, bool has_it)
{
    if (!has_it)
        return 0;
    *at += NUMBER_SIZE;
    return number_at(p, *at - NUMBER_SIZE);
}

/* Takes the numbers of a function's head, which must be inside the file. */
static struct preprocessed_function function_head(const struct preprocessed *p, size_t address)
{
    const struct layout *l = layout_of(p->version);
    struct preprocessed_function f = {0};
    f.line = take_number(p, &address, l->has_line);
    f.self = take_number(p, &address, true);
    f.inclusive = take_number(p, &address, true);
    f.call_cost = take_number(p, &address, l->has_call_cost);
    f.invocations = take_number(p, &address, true);
    f.called_from_count = take_number(p, &address, l->has_called_from);
    f.sub_call_count = take_number(p, &address, l->has_sub_calls);
    f.called_from_at = f.invocations_at = address;
    return f;
}

/* The bytes between a function's head and its names. */
static uint64_t records_size(const struct preprocessed *p, const struct preprocessed_function *f)
{
    if (p->version == 4)
        return (uint64_t)INVOCATION_SIZE * f->invocations;
    return (uint64_t)CALL_SIZE * ((uint64_t)f->called_from_count + f->sub_call_count);
}

static size_t function_address(const struct preprocessed *p, uint32_t number)
{
    return number_at(p, NUMBER_SIZE * (HEAD_NUMBERS + (size_t)number));
}

struct preprocessed_function preprocessed_function(const struct preprocessed *p, uint32_t number)
{
    struct preprocessed_function f = function_head(p, function_address(p, number));
    f.sub_calls_at = f.called_from_at + (size_t)CALL_SIZE * f.called_from_count;
    f.file = line_at(p, f.called_from_at + (size_t)records_size(p, &f));
    f.name = line_at(p, after_line(p, f.file));
    return f;
}

struct preprocessed_call preprocessed_call(const struct preprocessed *p, size_t calls_at,
                                           uint32_t number)
{
    size_t at = calls_at + (size_t)CALL_SIZE * number;
    return (struct preprocessed_call){number_at(p, at), number_at(p, at + NUMBER_SIZE),
                                      number_at(p, at + 2 * NUMBER_SIZE),
                                      number_at(p, at + 3 * NUMBER_SIZE)};
}

struct preprocessed_invocation preprocessed_invocation(const struct preprocessed *p,
                                                       size_t invocations_at, uint32_t number)
{
    size_t at = invocations_at + (size_t)INVOCATION_SIZE * number;
    return (struct preprocessed_invocation){
        .self = number_at(p, at),
        .inclusive = number_at(p, at + NUMBER_SIZE),
        .caller_cost = number_at(p, at + 2 * NUMBER_SIZE),
        .caller = number_at(p, at + 3 * NUMBER_SIZE),
        .caller_invocation = number_at(p, at + 4 * NUMBER_SIZE),
        .caller_line = number_at(p, at + 5 * NUMBER_SIZE),
        .sub_call_count = number_at(p, at + 6 * NUMBER_SIZE),
        .sub_calls_at = number_at(p, at + 7 * NUMBER_SIZE),
    };
}

struct preprocessed_sub_call preprocessed_sub_call(const struct preprocessed *p,
                                                   size_t sub_calls_at, uint32_t number)
{
    size_t at = sub_calls_at + (size_t)SUB_CALL_SIZE * number;
    return (struct preprocessed_sub_call){number_at(p, at), number_at(p, at + NUMBER_SIZE),
                                          number_at(p, at + 2 * NUMBER_SIZE),
                                          number_at(p, at + 3 * NUMBER_SIZE)};
}

struct text preprocessed_headers(const struct preprocessed *p)
{
    return text_of((const char *)p->bytes + p->header_address, p->size - p->header_address);
}

bool preprocessed_next_header(struct text *rest, struct text *key, struct text *value)
{
    const char *newline = memchr(rest->at, '\n', text_length(*rest));
    struct text line = {rest->at, newline != NULL ? newline : rest->end};
    line.at = escape_trim(line).at;
    if (line.at == line.end)
        return false;
    rest->at = newline != NULL ? newline + 1 : rest->end;
    const char *p = line.at;
    while (p < line.end && !(p[0] == ':' && p + 1 < line.end && p[1] == ' '))
        p++;
    *key = (struct text){line.at, p};
    *value = (struct text){p < line.end ? p + 2 : line.end, line.end};
    return true;
}

/* ---- checking ----------------------------------------------------------------------------- */

static bool is_printable(const unsigned char *bytes, size_t length)
{
    while (length > 0 && bytes[length - 1] >= ' ' && bytes[length - 1] <= '~')
        length--;
    return length == 0;
}

static void check_head(struct preprocessed *p, struct diag *diag)
{
    if (p->size < HEAD_NUMBERS * NUMBER_SIZE)
        diag_error(diag, 0, "found %zu bytes, expected a preprocessed file of webgrind",
                   p->size);
    p->version = number_at(p, 0);
    p->header_address = number_at(p, NUMBER_SIZE);
    p->function_count = number_at(p, 2 * NUMBER_SIZE);
    if (is_printable(p->bytes, NUMBER_SIZE))
        diag_error(diag, 0, "found the text \"%.4s\", expected a preprocessed file of version 4 to 7",
                   (const char *)p->bytes);
    if (layout_of(p->version) == NULL)
        diag_error(diag, 0,
                   "found version %lu, expected a preprocessed file of version 4 to 7",
                   (unsigned long)p->version);
    if (p->header_address > p->size)
        diag_error(diag, 0, "found headers at address %lu, expected at most %zu",
                   (unsigned long)p->header_address, p->size);
    if (p->function_count > (p->size - HEAD_NUMBERS * NUMBER_SIZE) / NUMBER_SIZE)
        diag_error(diag, 0, "found %lu functions, expected no more than fit in %zu bytes",
                   (unsigned long)p->function_count, p->size);
}

/*
 * Checks that a function is after the one before and inside the file. (Every writer writes them in
 * order; overlapping functions could make a small file a large one.) Sets *end to its end.
 */
static void check_function(const struct preprocessed *p, struct diag *diag, uint32_t number,
                           size_t *end)
{
    size_t address = function_address(p, number);
    size_t head = head_size(layout_of(p->version));
    if (address < *end)
        diag_error(diag, 0, "function %lu: found address %zu, expected %zu or more",
                   (unsigned long)number, address, *end);
    if (address > p->size || p->size - address < head)
        diag_error(diag, 0,
                   "function %lu: found address %zu, expected %zu bytes after it in a file "
                   "of %zu",
                   (unsigned long)number, address, head, p->size);

    struct preprocessed_function f = function_head(p, address);
    uint64_t records = records_size(p, &f);
    if (records > p->size - address - head)
        diag_error(diag, 0,
                   "function %lu: found records of %" PRIu64 " bytes, expected at most %zu",
                   (unsigned long)number, records, p->size - address - head);
    size_t names = address + head + (size_t)records;
    for (int i = 0; i < 2; i++) {
        if (names >= p->size || memchr(p->bytes + names, '\n', p->size - names) == NULL)
            diag_error(diag, 0,
                       "function %lu: found a file or name without a newline, expected two "
                       "whole lines",
                       (unsigned long)number);
        names = after_line(p, line_at(p, names));
    }
    *end = names;
}

static void check_calls(const struct preprocessed *p, struct diag *diag, uint32_t number,
                        size_t calls_at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t function = preprocessed_call(p, calls_at, i).function;
        if (function >= p->function_count)
            diag_error(diag, 0,
                       "function %lu: found a call from or to function %lu, expected one "
                       "below %lu",
                       (unsigned long)number, (unsigned long)function,
                       (unsigned long)p->function_count);
    }
}

/* True if such an invocation exists. */
static bool is_invocation(const struct preprocessed *p, uint32_t function, uint32_t invocation)
{
    return function < p->function_count &&
           invocation < function_head(p, function_address(p, function)).invocations;
}

static void no_invocation(struct diag *diag, uint32_t number, const char *what, uint32_t function,
                          uint32_t invocation)
{
    diag_error(diag, 0,
                      "function %lu: found invocation %lu of function %lu as %s, expected one that "
                      "exists",
                      (unsigned long)number, (unsigned long)invocation, (unsigned long)function,
                      what);
}

/* No sub call belongs to two invocations; *room is the number that there can still be. */
static void check_invocations(const struct preprocessed *p, struct diag *diag, uint32_t number,
                              size_t *room)
{
    struct preprocessed_function f = preprocessed_function(p, number);
    for (uint32_t i = 0; i < f.invocations; i++) {
        struct preprocessed_invocation v = preprocessed_invocation(p, f.invocations_at, i);
        if (v.caller != NONE && !is_invocation(p, v.caller, v.caller_invocation))
            no_invocation(diag, number, "a caller", v.caller, v.caller_invocation);
        if (v.sub_calls_at > p->size ||
            v.sub_call_count > (p->size - v.sub_calls_at) / SUB_CALL_SIZE)
            diag_error(diag, 0,
                       "function %lu: found %lu sub calls at address %zu, expected them "
                       "inside a file of %zu bytes",
                       (unsigned long)number, (unsigned long)v.sub_call_count,
                       v.sub_calls_at, p->size);
        /* Names and headers are rewritten where they are. */
        if (v.sub_call_count > 0 &&
            (v.sub_calls_at < p->functions_end ||
             v.sub_calls_at + (size_t)v.sub_call_count * SUB_CALL_SIZE > p->header_address))
            diag_error(diag, 0,
                       "function %lu: found sub calls at address %zu, expected them between the "
                       "functions and the headers", (unsigned long)number, v.sub_calls_at);
        if (v.sub_call_count > *room)
            diag_error(diag, 0,
                       "function %lu: found %lu sub calls, expected at most %zu, those that no "
                       "earlier invocation has",
                       (unsigned long)number, (unsigned long)v.sub_call_count, *room);
        *room -= v.sub_call_count;
        for (uint32_t k = 0; k < v.sub_call_count; k++) {
            struct preprocessed_sub_call c = preprocessed_sub_call(p, v.sub_calls_at, k);
            if (!is_invocation(p, c.function, c.invocation))
                no_invocation(diag, number, "a callee", c.function, c.invocation);
        }
    }
}

static void check_functions(struct preprocessed *p, struct diag *diag)
{
    size_t end = NUMBER_SIZE * (HEAD_NUMBERS + (size_t)p->function_count);
    for (uint32_t i = 0; i < p->function_count; i++)
        check_function(p, diag, i, &end);
    if (p->header_address < end)
        diag_error(diag, 0, "found headers at address %lu, expected %zu or more",
                   (unsigned long)p->header_address, end);
    if (p->size > p->header_address && p->bytes[p->size - 1] != '\n')
        diag_error(diag, 0, "found a header line without a newline, expected a whole file");
    p->functions_end = end;
    size_t room = (p->size - end) / SUB_CALL_SIZE;
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        check_calls(p, diag, i, f.called_from_at, f.called_from_count);
        check_calls(p, diag, i, f.sub_calls_at, f.sub_call_count);
        if (p->version == 4)
            check_invocations(p, diag, i, &room);
    }
}

/* ---- true names --------------------------------------------------------------------------- */

static bool is_escaped(const struct preprocessed *p)
{
    struct text rest = preprocessed_headers(p), key, value;
    while (preprocessed_next_header(&rest, &key, &value))
        if (text_equals(key, ESCAPE_KEY) && text_equals(text_trim(value), ESCAPE_MARK))
            return true;
    return false;
}

/* Replaces escaped names by the original ones, which are not longer. */
static void undo_names(struct preprocessed *p, uint32_t number)
{
    struct preprocessed_function f = preprocessed_function(p, number);
    char *to = (char *)p->owned + (f.file.at - (const char *)p->bytes);
    struct text file = {to, escape_undo(to, f.file, escape_kind_of_file(p->version))};
    to += text_length(file);
    *to++ = '\n';
    to = escape_undo(to, f.name, ESCAPE_NAME);
    *to = '\n';
}

/*
 * Moves all header lines up, and removes the line that says that texts are escaped. An empty line ends the
 * headers; what follows it is dropped.
 */
static void undo_headers(struct preprocessed *p)
{
    struct text rest = preprocessed_headers(p), key, value;
    char *to = (char *)p->owned + p->header_address;
    while (preprocessed_next_header(&rest, &key, &value)) {
        if (text_equals(key, ESCAPE_KEY))
            continue;
        size_t unchanged = (size_t)(value.at - key.at);
        memmove(to, key.at, unchanged);
        to = escape_undo(to + unchanged, value, ESCAPE_VALUE);
        *to++ = '\n';
    }
    p->size = (size_t)(to - (char *)p->owned);
}

static void undo_escapes(struct preprocessed *p)
{
    p->was_escaped = is_escaped(p);
    if (!p->was_escaped)
        return;
    p->owned = memory_get(p->size);
    memcpy(p->owned, p->bytes, p->size);
    p->bytes = p->owned;
    for (uint32_t i = 0; i < p->function_count; i++)
        undo_names(p, i);
    undo_headers(p);
}

/* ---- whole files -------------------------------------------------------------------------- */

void preprocessed_check(struct preprocessed *p, struct text file, struct diag *diag)
{
    *p = (struct preprocessed){.bytes = (const unsigned char *)file.at, .size = text_length(file)};
    check_head(p, diag);
    check_functions(p, diag);
    undo_escapes(p);
}

bool preprocessed_recognises(struct text head)
{
    struct preprocessed p = {.bytes = (const unsigned char *)head.at, .size = text_length(head)};
    if (p.size < (HEAD_NUMBERS + 1) * NUMBER_SIZE || layout_of(number_at(&p, 0)) == NULL)
        return false;
    /* The first function directly follows the addresses. */
    uint64_t first = number_at(&p, HEAD_NUMBERS * NUMBER_SIZE);
    uint64_t count = number_at(&p, 2 * NUMBER_SIZE);
    return count > 0 && first == NUMBER_SIZE * (HEAD_NUMBERS + count);
}

bool preprocessed_begins(struct text head)
{
    unsigned char version[NUMBER_SIZE] = {0};
    size_t length = text_length(head) < sizeof version ? text_length(head) : sizeof version;
    memcpy(version, head.at, length);
    return length > 0 && layout_of(little4(version)) != NULL;
}

struct text preprocessed_gap(const struct preprocessed *p)
{
    return text_of((const char *)p->bytes + p->functions_end,
                   p->header_address - p->functions_end);
}

void preprocessed_free(struct preprocessed *p)
{
    memory_free(p->owned);
    *p = (struct preprocessed){0};
}

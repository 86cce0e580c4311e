/* SPDX-License-Identifier: MIT */
#include "read/preprocessed_file.h"

#include "util/little.h"
#include "write/escape.h"
#include "write/headers.h"

#include <inttypes.h>

enum {
    NUMBER_SIZE = 4,
    HEAD_SIZE = 3 * NUMBER_SIZE, /* the version, the address of the headers, the number of functions */
    CALL_SIZE = 4 * NUMBER_SIZE,
    INVOCATION_SIZE = 8 * NUMBER_SIZE
};

static struct text take_line(const struct preprocessed *p, size_t *at)
{
    struct text rest = text_of((const char *)p->bytes + *at, p->size - *at), line = text_take_to(&rest, '\n');
    *at += text_length(line) + 1;
    return line;
}

static void read_numbers(const struct preprocessed *p, size_t address, uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = little4(p->bytes + address + i * NUMBER_SIZE);
}

/* A function without its names. Its head must be inside the file. */
static struct preprocessed_function numbers_of(const struct preprocessed *p, uint32_t number)
{
    size_t at = little4(p->bytes + HEAD_SIZE + NUMBER_SIZE * (size_t)number);
    bool has_line = p->version >= FIRST_VERSION_WITH_LINES, has_sums = p->version >= FIRST_VERSION_WITH_SUMS;
    uint32_t n[6] = {0};
    read_numbers(p, at, has_line ? n : n + 1, p->head_size / NUMBER_SIZE);
    at += p->head_size;
    uint32_t called_from = has_sums ? n[4] : 0;
    return (struct preprocessed_function){.line = n[0],
                                          .self = n[1],
                                          .inclusive = n[2],
                                          .call_cost = has_sums ? 0 : n[3],
                                          .invocations = has_sums ? n[3] : n[4],
                                          .called_from_count = called_from,
                                          .sub_call_count = n[5],
                                          .called_from_at = at,
                                          .invocations_at = at,
                                          .sub_calls_at = at + (size_t)CALL_SIZE * called_from,
                                          .lists_size = has_sums ? CALL_SIZE * ((uint64_t)called_from + n[5])
                                                                 : (uint64_t)INVOCATION_SIZE * n[4]};
}

struct preprocessed_function preprocessed_function(const struct preprocessed *p, uint32_t number)
{
    struct preprocessed_function f = numbers_of(p, number);
    size_t at = f.called_from_at + (size_t)f.lists_size;
    f.file = take_line(p, &at);
    f.name = take_line(p, &at);
    return f;
}

struct stored_invocation preprocessed_invocation(const struct preprocessed *p, size_t invocations_at, uint32_t number)
{
    uint32_t n[8];
    read_numbers(p, invocations_at + (size_t)INVOCATION_SIZE * number, n, 8);
    return (struct stored_invocation){n[0], n[1], {n[3], n[4], n[5], 1, n[2]}, n[6], n[7]};
}

struct stored_call preprocessed_call(const struct preprocessed *p, size_t calls_at, uint32_t number)
{
    uint32_t n[4];
    read_numbers(p, calls_at + (size_t)CALL_SIZE * number, n, 4);
    if (p->version < FIRST_VERSION_WITH_SUMS)
        return (struct stored_call){n[0], .invocation = n[1], .line = n[2], .count = 1, .cost = n[3]};
    return (struct stored_call){n[0], .line = n[1], .count = n[2], .cost = n[3]};
}

bool preprocessed_next_header(struct text *rest, struct text *key, struct text *value)
{
    struct text after = *rest, line = text_take_to(&after, '\n');
    line.at = escape_trim(line).at;
    if (text_is_empty(line))
        return false;
    *rest = after;
    const char *p = line.at;
    while (p < line.end && !(p[0] == ':' && p + 1 < line.end && p[1] == ' '))
        p++;
    *key = (struct text){line.at, p};
    *value = (struct text){p < line.end ? p + 2 : line.end, line.end};
    return true;
}

/* Checks an end of a call that a function contains, which is called `what`. */
static void check_invocation(const struct preprocessed *p, struct diag *diag, uint32_t number, const char *what,
                             struct stored_call end)
{
    if (end.function >= p->function_count || end.invocation >= numbers_of(p, end.function).invocations)
        diag_error(diag, 0,
                   "function %" PRIu32 ": found invocation %" PRIu32 " of function %" PRIu32
                   " as %s, expected one that exists",
                   number, end.invocation, end.function, what);
}

/* No sub call belongs to two invocations; *room is the number that there can still be. */
static void check_invocations(const struct preprocessed *p, struct diag *diag, uint32_t number, size_t *room)
{
    struct preprocessed_function f = numbers_of(p, number);
    for (uint32_t i = 0; i < f.invocations; i++) {
        struct stored_invocation v = preprocessed_invocation(p, f.invocations_at, i);
        uint32_t at = v.sub_calls_at, count = v.sub_call_count;
        if (v.caller.function != NONE)
            check_invocation(p, diag, number, "a caller", v.caller);
        if (at > p->size || count > (p->size - at) / CALL_SIZE)
            diag_error(diag, 0,
                       "function %" PRIu32 ": found %" PRIu32 " sub calls at address %" PRIu32
                       ", expected them inside a file of %zu bytes",
                       number, count, at, p->size);
        /* Names and headers are rewritten where they are. */
        size_t after_names = (size_t)(p->gap.at - (const char *)p->bytes);
        if (count > 0 && (at < after_names || at + (uint64_t)count * CALL_SIZE > p->header_address))
            diag_error(diag, 0,
                       "function %" PRIu32 ": found sub calls at address %" PRIu32
                       ", expected them between the functions and the headers",
                       number, at);
        if (count > *room)
            diag_error(diag, 0,
                       "function %" PRIu32 ": found %" PRIu32 " sub calls, expected at most %zu, those that "
                       "no earlier invocation has",
                       number, count, *room);
        *room -= count;
        for (uint32_t k = 0; k < count; k++)
            check_invocation(p, diag, number, "a callee", preprocessed_call(p, at, k));
    }
}

/* Functions must follow each other, because overlapping ones could make a small file large; then what they refer to. */
static void check_functions(struct preprocessed *p, struct diag *diag)
{
    size_t end = HEAD_SIZE + NUMBER_SIZE * (size_t)p->function_count, head = p->head_size;
    for (uint32_t i = 0; i < p->function_count; i++) {
        size_t address = little4(p->bytes + HEAD_SIZE + NUMBER_SIZE * (size_t)i);
        if (address < end)
            diag_error(diag, 0, "function %" PRIu32 ": found address %zu, expected %zu or more", i, address, end);
        if (address > p->size || p->size - address < head)
            diag_error(diag, 0, "function %" PRIu32 ": found address %zu, expected %zu bytes after it in a file of %zu",
                       i, address, head, p->size);
        struct preprocessed_function f = numbers_of(p, i);
        if (f.lists_size > p->size - address - head)
            diag_error(diag, 0, "function %" PRIu32 ": found records of %" PRIu64 " bytes, expected at most %zu", i,
                       f.lists_size, p->size - address - head);
        end = f.called_from_at + (size_t)f.lists_size;
        for (int line = 0; line < 2; line++) {
            take_line(p, &end);
            if (end > p->size)
                diag_error(diag, 0,
                           "function %" PRIu32 ": found a file or name without a newline, expected two whole lines", i);
        }
    }
    if (p->header_address < end)
        diag_error(diag, 0, "found headers at address %" PRIu32 ", expected %zu or more", p->header_address, end);
    if (p->size > p->header_address && p->bytes[p->size - 1] != '\n')
        diag_error(diag, 0, "found a header line without a newline, expected a whole file");
    p->gap = text_of((const char *)p->bytes + end, p->header_address - end);
    p->headers = text_of(p->gap.end, p->size - p->header_address);
    size_t room = (p->size - end) / CALL_SIZE;
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = numbers_of(p, i);
        for (uint64_t k = 0; k < (uint64_t)f.called_from_count + f.sub_call_count; k++) {
            uint32_t other = little4(p->bytes + f.called_from_at + (size_t)k * CALL_SIZE);
            if (other >= p->function_count)
                diag_error(diag, 0,
                           "function %" PRIu32 ": found a call from or to function %" PRIu32
                           ", expected one below %" PRIu32,
                           i, other, p->function_count);
        }
        if (p->version < FIRST_VERSION_WITH_SUMS)
            check_invocations(p, diag, i, &room);
    }
}

/* Replaces texts by the original ones, which are not longer. Header lines move up, up to an empty one. */
static void undo_escapes(struct preprocessed *p)
{
    struct text rest = p->headers, key, value;
    while (!p->was_escaped && preprocessed_next_header(&rest, &key, &value))
        p->was_escaped = text_equals(key, ESCAPE_KEY) && text_equals(text_trim(value), ESCAPE_MARK);
    if (!p->was_escaped)
        return;
    bool is_quoted = p->version < FIRST_VERSION_WITH_ENCODED_FILES;
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        char *to = (char *)p->bytes + (f.file.at - (const char *)p->bytes);
        to = escape_undo(to, f.file, is_quoted ? ESCAPE_QUOTED_FILE : ESCAPE_FILE);
        *to++ = '\n';
        to = escape_undo(to, f.name, ESCAPE_NAME);
        *to = '\n';
    }
    char *to = (char *)p->bytes + p->header_address;
    for (rest = p->headers; preprocessed_next_header(&rest, &key, &value);) {
        if (text_equals(key, ESCAPE_KEY))
            continue;
        size_t unchanged = (size_t)(value.at - key.at);
        memmove(to, key.at, unchanged);
        to = escape_undo(to + unchanged, value, ESCAPE_VALUE);
        *to++ = '\n';
    }
    p->headers.end = to;
}

void preprocessed_check(struct preprocessed *p, void *bytes, size_t size, struct diag *diag)
{
    size_t printable = 0;
    *p = (struct preprocessed){.bytes = bytes, .size = size};
    if (p->size < HEAD_SIZE)
        diag_error(diag, 0, "found %zu bytes, expected a preprocessed file of webgrind", p->size);
    p->version = little4(p->bytes);
    p->header_address = little4(p->bytes + NUMBER_SIZE);
    p->function_count = little4(p->bytes + 2 * NUMBER_SIZE);
    /* [line] self inclusive [call_cost] invocations [called from] [sub calls] */
    p->head_size = NUMBER_SIZE *
                   (4u + (p->version >= FIRST_VERSION_WITH_SUB_CALLS) + (p->version >= FIRST_VERSION_WITH_LINES));
    while (printable < NUMBER_SIZE && p->bytes[printable] >= ' ' && p->bytes[printable] <= '~')
        printable++;
    if (printable == NUMBER_SIZE)
        diag_error(diag, 0, "found the text \"%.4s\", expected a preprocessed file of version 4 to 7",
                   (const char *)p->bytes);
    if (p->version < CG2WG_FORMAT_OLDEST || p->version > CG2WG_FORMAT_NEWEST)
        diag_error(diag, 0, "found version %" PRIu32 ", expected a preprocessed file of version 4 to 7", p->version);
    if (p->header_address > p->size)
        diag_error(diag, 0, "found headers at address %" PRIu32 ", expected at most %zu", p->header_address, p->size);
    if (p->function_count > (p->size - HEAD_SIZE) / NUMBER_SIZE)
        diag_error(diag, 0, "found %" PRIu32 " functions, expected no more than fit in %zu bytes", p->function_count,
                   p->size);
    check_functions(p, diag);
    undo_escapes(p);
}

enum recognition preprocessed_recognises(struct text head)
{
    if (text_length(head) < HEAD_SIZE + NUMBER_SIZE || !preprocessed_begins(head))
        return NOT_MINE;
    /* The first function directly follows the addresses. */
    uint64_t count = little4(head.at + 2 * NUMBER_SIZE), first = little4(head.at + HEAD_SIZE);
    return count > 0 && first == HEAD_SIZE + NUMBER_SIZE * count ? MINE : NOT_MINE;
}

bool preprocessed_begins(struct text head)
{
    unsigned char version[NUMBER_SIZE] = {0};
    size_t length = text_length(head) < sizeof version ? text_length(head) : sizeof version;
    memcpy(version, head.at, length);
    return length > 0 && little4(version) >= CG2WG_FORMAT_OLDEST && little4(version) <= CG2WG_FORMAT_NEWEST;
}

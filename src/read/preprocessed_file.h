/* SPDX-License-Identifier: MIT */
/* Preprocessed files of any version and writer. No layout is shared with the writers, so that each checks the other. */
#ifndef CG2WG_READ_PREPROCESSED_FILE_H
#define CG2WG_READ_PREPROCESSED_FILE_H

#include "model/contents.h"
#include "read/frontend.h"

/* A preprocessed file in memory, every address, count and string of which has been checked. */
struct preprocessed {
    unsigned char *bytes; /* borrowed */
    size_t size;
    uint32_t version, header_address, function_count;
    uint32_t head_size;  /* of a function, in bytes: its numbers */
    struct text gap;     /* between the last function and the headers (version 4: the sub calls; see objects.h) */
    struct text headers; /* its lines: see preprocessed_next_header */
    bool was_escaped;    /* it said that its texts are escaped, which they are not any more */
};

/* One function. A field that its version lacks is 0. Addresses are for the functions below. */
struct preprocessed_function {
    uint32_t line; /* version 7 */
    uint32_t self, inclusive;
    uint32_t call_cost; /* version 4: of all calls of it */
    uint32_t invocations;
    uint32_t called_from_count, sub_call_count; /* versions 5 to 7, and 6 to 7 */
    size_t called_from_at, sub_calls_at;
    size_t invocations_at; /* version 4 */
    uint64_t lists_size;   /* in bytes: of these lists, which are before the names */
    struct text file, name;
};

/*
 * Checks a file in memory. It is an error if it is not complete: a version other than 4 to 7, an address outside the
 * file, a function, invocation or sub call that does not exist, a name without an end. Escaped names and headings (see
 * escape.h) get their original form, in the same memory, without the line that says so.
 */
void preprocessed_check(struct preprocessed *p, void *bytes, size_t size, struct diag *diag);

enum recognition preprocessed_recognises(struct text head);

/* Does it begin with a version, or with a part of one, as a truncated file does? */
bool preprocessed_begins(struct text head);

/* The contents of the file. Numbers must be below the counts; texts are valid as long as the file. */
struct preprocessed_function preprocessed_function(const struct preprocessed *p, uint32_t number);
struct stored_invocation preprocessed_invocation(const struct preprocessed *p, size_t invocations_at, uint32_t number);
struct stored_call preprocessed_call(const struct preprocessed *p, size_t calls_at, uint32_t number);

/* Takes the next header line. Without ": " its value is empty. False: the headers end, by the file or an empty line. */
bool preprocessed_next_header(struct text *rest, struct text *key, struct text *value);

#endif

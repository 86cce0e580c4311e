/* SPDX-License-Identifier: MIT */
/* Shared by the tests: converts profiles given as strings, and shows the result as text to compare. */
#ifndef CG2WG_TESTS_SUPPORT_H
#define CG2WG_TESTS_SUPPORT_H

#include "cg2wg_print.h"
#include "files.h"
#include "util/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A conversion's outcome. Everything is malloc'ed; conversion_free frees it. */
struct conversion_result {
    enum cg2wg_status status;
    char *messages; /* one line each: "error: 3: text", "warning: ...", "note: ..."; 0 is left out */
    char *dump;     /* of the output: see dump_preprocessed; "" if there is none */
    unsigned char *bytes; /* of the output; NULL if there is none */
    size_t size;
    struct cg2wg_stats stats;
};

/* How much the conversions below read at once, in bytes; 0: chosen automatically. */
extern size_t read_at_once;

/* Converts `length` bytes of a profile. options may be NULL (the defaults); report is replaced. */
struct conversion_result convert_bytes(const void *profile, size_t length,
                                       const struct cg2wg_options *options);
struct conversion_result convert_text(const char *profile, const struct cg2wg_options *options);
struct conversion_result convert_file(const char *path, const struct cg2wg_options *options);
struct conversion_result convert_files(const char *const *paths, size_t count,
                                       const struct cg2wg_options *options);
/* Several inputs, named input0, input1 ... */
struct conversion_result convert_texts(const char *const *profiles, size_t count,
                                       const struct cg2wg_options *options);
/* The list of events in place of a dump: "NAME|FORMULA|LONG NAME|TOTAL", a line each; "-": there is none. */
struct conversion_result list_events(const void *profile, size_t length, const struct cg2wg_options *options);
void conversion_free(struct conversion_result *result);

/* Options as they are by default, but for the version of the output, or for the event. */
struct cg2wg_options default_options(void);
struct cg2wg_options options_to(unsigned format);
struct cg2wg_options options_for(const char *event);

/*
 * Removes the warnings about totals that cannot be right, for tests that are not about totals. (Warnings about missing
 * or unused ones stay.)
 */
void ignore_odd_totals(struct conversion_result *result);

/*
 * Shows a preprocessed file as text, functions in order:
 *
 *     FILE NAME line=L self=S incl=I inv=N          (line in version 7 only; "-" for no file)
 *       from NAME:LINE xCOUNT =COST                  (called from; the caller's name)
 *       to NAME:LINE xCOUNT =COST                    (sub call, versions 6 and 7)
 *     header: KEY: VALUE
 *
 * and for version 4, the invocations numbered within their function:
 *
 *     FILE NAME self=S incl=I calls=C inv=N
 *       #I self=S incl=I from NAME#I:LINE =COST      ("from nobody")
 *         to NAME#I:LINE =COST
 *
 * What cg2wg adds to headings (see write/headers.h) is left out: test_heading.c is about it.
 * Bytes outside of printable ASCII are shown as \xHH. The text is malloc'ed. A file that is not
 * whole is shown as "unreadable: " and why.
 */
char *dump_preprocessed(const char *path);

struct preprocessed;

/* The digit in the name of a function such as f7 */
int digit_of(const struct preprocessed *p, uint32_t function);

/* Takes the next header line of a preprocessed file; what cg2wg adds to headings is left out. */
bool next_header(struct text *rest, struct text *key, struct text *value);

/* Does a sanitizer or an emulator watch over this process? Then it is slower and larger than usual. */
bool is_watched(void);

/* Is there a program of that name, which can say its version? */
bool has_program(const char *name);

/* By ThreadSanitizer, which has threads of its own, and reports those that are left at the end? */
bool threads_are_watched(void);

/* Are sums made on this processor, and by threads? Without AVX2, they are not. */
bool has_sums(void);

/* How many threads this process has started so far */
unsigned threads_started(void);

/* Random numbers that are the same in every run. *state starts as anything but 0. */
uint32_t random_below(uint64_t *state, uint32_t bound);

/*
 * Fails unless a profile gives the same output and messages when all its lines are indented, so that the general
 * code reads them, and as it is: in blocks of all these sizes (0 ends them), by one thread and by several; and
 * where a proxy, which no function is, keeps records from being added up. Returns how many lines were read in place
 * then.
 */
uint64_t compare_with_general(const char *what, const char *profile, size_t length,
                              const struct cg2wg_options *options, const size_t *blocks);

/* Compares damaged profiles: in each, one of `bytes` replaces a byte, and sometimes stays for the next ones. */
void compare_damaged(char *profile, size_t length, const char *bytes, uint64_t *random, const size_t *blocks);

/* Like compare_with_general, and `expected` must be in the dump. */
void compare_and_find(const char *profile, size_t length, const struct cg2wg_options *options,
                      const size_t *blocks, const char *expected);

/* Converts `profile`; what is shown and what is said must contain these texts. NULL: anything; said "": nothing. */
void assert_shows(const char *profile, const struct cg2wg_options *options, const char *shown, const char *said);

/* Exactly these messages, and this dump; "": it has failed. Frees the result. */
void check_conversion(struct conversion_result result, const char *messages, const char *dump);
void assert_conversion(const char *profile, const struct cg2wg_options *options, const char *messages,
                       const char *dump);

/* Converts `profile` with `options` and compares the dump; shows messages if there are any. */
void assert_dump(const char *profile, const struct cg2wg_options *options, const char *expected);

/* Runs tests, and `each` for each of some cases, which is its state and begins with a name: (const char *). */
int run_with_cases(const struct CMUnitTest *tests, size_t test_count, CMUnitTestFunction each, const void *cases,
                   size_t case_size, size_t case_count);

#define RUN_WITH_CASES(tests, each, cases)                                                        \
    run_with_cases(tests, sizeof(tests) / sizeof *(tests), each, cases, sizeof *(cases), sizeof(cases) / sizeof *(cases))

#endif

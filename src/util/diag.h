/* Diagnostics: every message about an input or an output passes through here. */
#ifndef CG2WG_UTIL_DIAG_H
#define CG2WG_UTIL_DIAG_H

#include "cg2wg.h"

#if defined(__MINGW32__) /* where `printf` stands for Windows' own, which knows less */
#define DIAG_PRINTF(string, first) __attribute__((format(gnu_printf, string, first)))
#elif defined(__GNUC__)
#define DIAG_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
#define DIAG_PRINTF(string, first)
#endif

struct diag {
    cg2wg_report_fn *report; /* may be NULL */
    void *user;
    bool strict;       /* problems of the input are errors */
    const char *input; /* the input's name as messages show it; borrowed */
    uint64_t warnings; /* reported so far */
};

/* Something worth knowing that is nobody's fault. line 0: about the whole input. */
void diag_note(struct diag *diag, uint64_t line, const char *format, ...) DIAG_PRINTF(3, 4);

/*
 * Something in the input that is not as it should be and that can be lived with.
 * Returns true to go on; false if options ask to be strict, and then it was reported as an error.
 */
bool diag_problem(struct diag *diag, uint64_t line, const char *format, ...) DIAG_PRINTF(3, 4);

/* Something that the output cannot hold as the input has it. */
void diag_warning(struct diag *diag, uint64_t line, const char *format, ...) DIAG_PRINTF(3, 4);

/* The end: the caller fails after it. Returns false, so that a caller can return it. */
bool diag_error(struct diag *diag, uint64_t line, const char *format, ...) DIAG_PRINTF(3, 4);

/* The same, about another file than the input (the output, say; NULL: about none). */
bool diag_error_in(struct diag *diag, const char *file, const char *format, ...)
    DIAG_PRINTF(3, 4);

/* Reports that memory has run out. Returns false. */
bool diag_no_memory(struct diag *diag);

#endif

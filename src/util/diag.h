/* What the caller of the library gets: messages about inputs and outputs, and the progress of a conversion. */
#ifndef CG2WG_UTIL_DIAG_H
#define CG2WG_UTIL_DIAG_H

#include "cg2wg.h"

#if defined(__MINGW32__) /* there, `printf` means Windows' own, which supports less */
#define DIAG_PRINTF(string, first) __attribute__((format(gnu_printf, string, first)))
#else
#define DIAG_PRINTF(string, first) __attribute__((format(printf, string, first)))
#endif

struct diag {
    cg2wg_report_fn *report; /* may be NULL */
    void *user;
    bool strict;       /* problems of the input are errors */
    const char *input; /* the input's name in messages; borrowed */
    uint64_t warnings; /* reported so far */
};

/* A note, about a line of the input. line 0: about the whole input. */
void diag_note(struct diag *diag, uint64_t line, const char *format, ...) DIAG_PRINTF(3, 4);

/* A problem of the input that does not prevent reading; if options are strict, an error, which ends the run. */
void diag_problem(struct diag *diag, uint64_t line, const char *format, ...) DIAG_PRINTF(3, 4);

/* A warning: the output cannot contain something as it is in the input. */
void diag_warning(struct diag *diag, uint64_t line, const char *format, ...) DIAG_PRINTF(3, 4);

/* An error, which ends the run. */
_Noreturn void diag_error(struct diag *diag, uint64_t line, const char *format, ...) DIAG_PRINTF(3, 4);

/* The same, about another file than the input, such as the output. NULL: about no file. */
_Noreturn void diag_error_in(struct diag *diag, const char *file, const char *format, ...) DIAG_PRINTF(3, 4);

/* Reports such an error, and returns. */
void diag_say(struct diag *diag, const char *file, const char *format, ...) DIAG_PRINTF(3, 4);

struct progress {
    cg2wg_progress_fn *report; /* NULL: not wanted */
    void *user;
    uint64_t before; /* bytes of the inputs that have been read completely */
    uint64_t total;  /* all bytes to read, or to write; 0: unknown */
};

/*
 * Reports that `done` bytes of the current input or output are done. True: the caller of the library wants it to end.
 * `progress` may be NULL.
 */
static inline bool progress_ends(const struct progress *progress, enum cg2wg_stage stage, uint64_t done)
{
    return progress != NULL && progress->report != NULL &&
           !progress->report(progress->user, &(struct cg2wg_progress){stage, progress->before + done, progress->total});
}

#endif

/* SPDX-License-Identifier: MIT */
/* What the caller of the library gets: messages about inputs and outputs, and the progress of a conversion. */
#ifndef CG2WG_UTIL_DIAG_H
#define CG2WG_UTIL_DIAG_H

#include "cg2wg.h"
#include "util/task.h"

#if defined(__MINGW32__) /* there, `printf` means Windows' own, which supports less */
#define DIAG_PRINTF(string, first) __attribute__((format(gnu_printf, string, first)))
#else
#define DIAG_PRINTF(string, first) __attribute__((format(printf, string, first)))
#endif

struct diag {
    cg2wg_report_fn *report; /* may be NULL */
    void *user;
    bool strict;              /* problems of the input are errors */
    bool only_errors;         /* are reported */
    const char *input;        /* the input's name in messages; borrowed */
    uint64_t warnings;        /* reported so far */
    size_t width;             /* of the terminal that shows messages; 0: unknown */
    size_t screen_lines;      /* of that terminal, which messages take */
    enum cg2wg_member member; /* of the next message: see diag_about */
};

/* In place of `diag` in a message: it is about that member of the options or the view. */
static inline struct diag *diag_about(struct diag *diag, enum cg2wg_member member)
{
    diag->member = member;
    return diag;
}

/* Reports a message, about a line of a file. 0 and NULL: about all of it, and about none. */
void diag_report(struct diag *diag, enum cg2wg_severity severity, const char *file, uint64_t line, const char *format,
                 ...) DIAG_PRINTF(5, 6);

/* A note, about a line of the input; and a warning: the output cannot contain something as it is in the input. */
#define diag_note(diag, line, ...) diag_report(diag, CG2WG_NOTE, (diag)->input, line, __VA_ARGS__)
#define diag_warning(diag, line, ...) diag_report(diag, CG2WG_WARNING, (diag)->input, line, __VA_ARGS__)

/* A problem of the input that does not prevent reading; if options are strict, an error, which ends the task. */
#define diag_problem(diag, line, ...) \
    (diag_report(diag, (diag)->strict ? CG2WG_ERROR : CG2WG_WARNING, (diag)->input, line, __VA_ARGS__), \
     (diag)->strict ? task_fail() : (void)0)

/* An error, which ends the task; the same about another file than the input; and such an error that does not end it. */
#define diag_error(diag, line, ...) \
    do { \
        diag_report(diag, CG2WG_ERROR, (diag)->input, line, __VA_ARGS__); \
        task_fail(); \
    } while (0)
#define diag_error_in(diag, file, ...) \
    do { \
        diag_say(diag, file, __VA_ARGS__); \
        task_fail(); \
    } while (0)
#define diag_say(diag, file, ...) diag_report(diag, CG2WG_ERROR, file, 0, __VA_ARGS__)

struct progress {
    cg2wg_progress_fn *report; /* NULL: not wanted */
    void *user;
    uint64_t before; /* bytes of the inputs that have been read completely */
    uint64_t total;  /* all bytes to read, or to write; 0: unknown */
};

/* `done` bytes of the current input or output are done. True: the caller wants it to end. `progress` may be NULL. */
static inline bool progress_ends(const struct progress *progress, enum cg2wg_stage stage, uint64_t done)
{
    return progress != NULL && progress->report != NULL &&
           !progress->report(progress->user, &(struct cg2wg_progress){stage, progress->before + done, progress->total});
}

#endif

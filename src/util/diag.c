#include "util/diag.h"

#include "util/run.h"
#include "util/text.h"

#include <stdarg.h>
#include <stdio.h>

enum { MESSAGE_SIZE = 1024 };

static void report(struct diag *diag, enum cg2wg_severity severity, const char *file, uint64_t line,
                   const char *format, va_list arguments)
{
    if (severity == CG2WG_WARNING)
        diag->warnings++;
    if (diag->report == NULL)
        return;
    char text[MESSAGE_SIZE];
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = '\0';
    /* Names come from the input and may contain anything. */
    utf8_make_printable(text, strlen(text));
    struct cg2wg_message message = {severity, file, line, text};
    diag->report(diag->user, &message);
}

/* Reports a function's last argument, a format, with the arguments that follow it. */
#define REPORT(diag, severity, file, line, format) \
    do { \
        va_list arguments; \
        va_start(arguments, format); \
        report(diag, severity, file, line, format, arguments); \
        va_end(arguments); \
    } while (0)

void diag_note(struct diag *diag, uint64_t line, const char *format, ...)
{
    REPORT(diag, CG2WG_NOTE, diag->input, line, format);
}

void diag_warning(struct diag *diag, uint64_t line, const char *format, ...)
{
    REPORT(diag, CG2WG_WARNING, diag->input, line, format);
}

void diag_problem(struct diag *diag, uint64_t line, const char *format, ...)
{
    REPORT(diag, diag->strict ? CG2WG_ERROR : CG2WG_WARNING, diag->input, line, format);
    if (diag->strict)
        run_fail();
}

void diag_error(struct diag *diag, uint64_t line, const char *format, ...)
{
    REPORT(diag, CG2WG_ERROR, diag->input, line, format);
    run_fail();
}

void diag_error_in(struct diag *diag, const char *file, const char *format, ...)
{
    REPORT(diag, CG2WG_ERROR, file, 0, format);
    run_fail();
}

void diag_say(struct diag *diag, const char *file, const char *format, ...)
{
    REPORT(diag, CG2WG_ERROR, file, 0, format);
}

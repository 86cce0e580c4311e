#include "util/diag.h"

#include "util/text.h"

#include <stdarg.h>
#include <stdio.h>

void diag_report(struct diag *diag, enum cg2wg_severity severity, const char *file, uint64_t line, const char *format,
                 ...)
{
    enum { MESSAGE_SIZE = 1024 };
    char text[MESSAGE_SIZE];
    va_list arguments;
    diag->warnings += severity == CG2WG_WARNING;
    if (diag->report == NULL || (diag->only_errors && severity != CG2WG_ERROR))
        return;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = '\0';
    va_end(arguments);
    diag->lines += 1 + (diag->columns > 0 ? (strlen(text) + (file != NULL ? strlen(file) : 0)) / diag->columns : 0);
    /* Names come from the input and may contain anything. */
    utf8_make_printable(text, strlen(text));
    diag->report(diag->user, &(struct cg2wg_message){severity, file, line, text});
}

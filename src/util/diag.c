/* SPDX-License-Identifier: MIT */
#include "util/diag.h"

#include "util/text.h"

#include <stdarg.h>
#include <stdio.h>

void diag_report(struct diag *diag, enum cg2wg_severity severity, const char *file, uint64_t line, const char *format,
                 ...)
{
    enum { MESSAGE_SIZE = 1024, ADVICE = 64 }; /* the latter: what the caller adds because of a member */
    char text[MESSAGE_SIZE];
    va_list arguments;
    enum cg2wg_member member = diag->member;
    diag->member = CG2WG_MEMBER_NONE;
    diag->warnings += severity == CG2WG_WARNING;
    if (diag->report == NULL || (diag->only_errors && severity != CG2WG_ERROR))
        return;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = '\0';
    va_end(arguments);
    size_t length = strlen(text) + (file != NULL ? strlen(file) : 0) + (member != CG2WG_MEMBER_NONE ? ADVICE : 0);
    diag->screen_lines += 1 + (diag->width > 0 ? length / diag->width : 0);
    /* Names come from the input and may contain anything. */
    utf8_make_printable(text, strlen(text));
    diag->report(diag->user, &(struct cg2wg_message){severity, file, line, text, member});
}

#include "cli/messages.h"

#include "util/show.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { SHOWN_WARNINGS = 5 };

static void add_place(struct message_line *line, const char *file, uint64_t number)
{
    char digits[24];
    if (file != NULL) {
        message_add(line, file);
        message_add(line, ":");
    }
    if (number > 0) {
        snprintf(digits, sizeof digits, "%" PRIu64 ":", number);
        message_add(line, digits);
    }
    if (file != NULL)
        message_add(line, " ");
}

/*
 * An error of a profile among several begins with the profile's name, even if it is about another
 * file, since it says what has become of that profile.
 */
static void show(const struct messenger *m, const struct cg2wg_message *message, const char *profile)
{
    struct message_line line;
    bool is_error = message->severity == CG2WG_ERROR, is_failure = is_error && profile != NULL;
    const char *file = message->file != NULL ? message->file : profile;
    bool is_about_other = profile != NULL && is_failure && strcmp(file, profile) != 0;
    if (!is_error && m->quiet)
        return;
    bar_hide(m->bar);
    message_begin(&line);
    if (is_failure) {
        add_place(&line, profile, is_about_other ? 0 : message->line);
        message_add(&line, "failed: ");
    }
    if (!is_failure || is_about_other)
        add_place(&line, file, message->line);
    if (message->severity == CG2WG_WARNING)
        message_add(&line, "warning: ");
    message_add(&line, message->text);
    message_end(&line);
    bar_release(m->bar);
}

void messenger_show(void *user, const struct cg2wg_message *message)
{
    struct messenger *m = user;
    if (message->severity != CG2WG_WARNING || m->warnings++ < SHOWN_WARNINGS || m->verbose)
        show(m, message, m->profile);
}

void messenger_say(const struct messenger *m, const char *file, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    show(m, &(struct cg2wg_message){.severity = CG2WG_NOTE, .file = file, .text = text}, NULL);
}

void messenger_finish(struct messenger *m)
{
    uint64_t rest = m->warnings > SHOWN_WARNINGS ? m->warnings - SHOWN_WARNINGS : 0;
    m->warnings = 0;
    if (rest > 0 && !m->verbose)
        messenger_say(m, m->profile, "%" PRIu64 " more warning%s; use --verbose to see them", rest,
                      rest == 1 ? "" : "s");
    bar_hide(m->bar);
    bar_release(m->bar);
}

const char *conversion_text(char text[CONVERSION_TEXT], unsigned format, const struct cg2wg_stats *stats)
{
    snprintf(text, CONVERSION_TEXT,
             "format %u, %" PRIu64 " lines, %" PRIu64 " functions, %" PRIu64 " call arcs", format,
             stats->lines, stats->functions, stats->arcs);
    return text;
}

#include "cli/messages.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { SHOWN_WARNINGS = 5 };

/*
 * An error of a profile among several begins with the profile's name, even if it is about another
 * file, since it says what has become of that profile.
 */
static void show(const struct messenger *m, const struct cg2wg_message *message, const char *profile)
{
    bool is_error = message->severity == CG2WG_ERROR, is_failure = is_error && profile != NULL;
    const char *file = message->file != NULL ? message->file : profile;
    bool is_about_profile = is_error && profile != NULL && strcmp(file, profile) == 0;
    bool has_file = file != NULL && !is_about_profile;
    char line[24] = "";
    if (!is_error && m->quiet)
        return;
    if (message->line > 0)
        snprintf(line, sizeof line, "%" PRIu64 ":", message->line);
    const char *pieces[] = {is_failure ? profile : "", is_failure ? ":" : "", is_about_profile ? line : "",
                            is_failure ? " failed: " : "", has_file ? file : "", has_file ? ":" : "",
                            is_about_profile ? "" : line, has_file ? " " : "",
                            message->severity == CG2WG_WARNING ? "warning: " : "", message->text, NULL};
    bar_hide(m->bar, pieces);
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
    bar_hide(m->bar, NULL);
}

const char *conversion_text(char text[CONVERSION_TEXT], unsigned format, const struct cg2wg_stats *stats)
{
    snprintf(text, CONVERSION_TEXT,
             "format %u, %" PRIu64 " lines, %" PRIu64 " functions, %" PRIu64 " call arcs", format,
             stats->lines, stats->functions, stats->arcs);
    return text;
}

/* SPDX-License-Identifier: MIT */
#include "cli/messages.h"

#include "cli/host.h"
#include "util/diag.h"
#include "util/show.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SHOWN_WARNINGS = 5 };
static const double first_after = 1.0, between = 0.1; /* seconds */

void bytes_text(char text[BYTES_TEXT], double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < COUNT_OF(units); unit++)
        bytes /= 1000;
    int digits = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
    snprintf(text, BYTES_TEXT, "%.*f %s", digits, bytes < 99999 ? bytes : 99999, units[unit]);
}

/* Appends if it fits, after two blanks if something precedes it. */
static void append_piece(char *text, size_t width, const char *piece)
{
    size_t used = strlen(text), gap = used > 0 ? 2 : 0;
    if (used + gap + strlen(piece) <= width)
        sprintf(text + used, "%*s%s", (int)gap, "", piece);
}

size_t bar_line(char text[BAR_WIDTH + 1], size_t width, const struct cg2wg_progress *progress, double seconds)
{
    enum { SMALLEST_SCALE = 12, LONGEST = 100 * 3600 }; /* the latter in seconds */
    char amount[BYTES_TEXT], piece[64];
    double total = (double)progress->total, done = (double)progress->done;
    bool total_is_known = progress->total > 0;
    width = width < BAR_WIDTH ? width : BAR_WIDTH;
    done = total_is_known && done > total ? total : done;
    if (total_is_known)
        snprintf(amount, sizeof amount, "%3u %%", (unsigned)(done / total * 100));
    else
        bytes_text(amount, done);
    text[0] = '\0';
    snprintf(piece, sizeof piece, "%s %s", progress->stage == CG2WG_READING ? "reading" : "writing", amount);
    append_piece(text, width, strlen(piece) <= width ? piece : amount);
    bytes_text(amount, seconds > 0 ? done / seconds : 0);
    snprintf(piece, sizeof piece, "%s/s", amount);
    append_piece(text, width, piece);
    if (!total_is_known)
        return strlen(text);

    double left = done > 0 ? (total - done) / done * seconds : LONGEST;
    unsigned whole = left < LONGEST ? (unsigned)(left + 0.5) : 0, minutes = whole / 60 % 60;
    if (whole >= 3600)
        snprintf(piece, sizeof piece, "%u:%02u:%02u left", whole / 3600, minutes, whole % 60);
    else if (left < LONGEST)
        snprintf(piece, sizeof piece, "%u:%02u left", minutes, whole % 60);
    else
        strcpy(piece, "-:-- left");
    append_piece(text, width, piece);
    size_t used = strlen(text);
    if (used + 2 + SMALLEST_SCALE > width)
        return used;
    size_t cells = width - used - 4, full = (size_t)(done / total * (double)cells);
    char *at = text + used;
    sprintf(at, "  [%*s]", (int)cells, "");
    memset(at + 3, '=', full);
    if (full < cells)
        at[3 + full] = '>';
    return width;
}

double clock_seconds(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Overwrites what is on the terminal. Written in one piece, so that it does not flicker. */
static void draw(struct bar *bar, const char *line, size_t length)
{
    char text[2 * BAR_WIDTH + 8];
    size_t rest = bar->drawn > length ? bar->drawn - length : 0;
    const char *back = length == 0 ? "\r" : "";
    int used = snprintf(text, sizeof text, "\r%s%*s%s", line, (int)rest, "", back);
    fwrite(text, 1, (size_t)used, stderr);
    fflush(stderr);
    bar->drawn = length;
}

void bar_update(struct bar *bar, const struct cg2wg_progress *progress)
{
    char line[BAR_WIDTH + 1];
    double now = clock_seconds();
    if (progress->stage != bar->stage) {
        bar->stage = progress->stage;
        bar->stage_start = bar->drawn_at = now;
    }
    if (now - bar->start < first_after || now - bar->drawn_at < between)
        return;
    bar->drawn_at = now;
    if (host_is_in_background())
        return;
    pthread_mutex_lock(&bar->lock);
    /* Some terminals begin a new line after the last column. */
    size_t length = bar_line(line, host_width(STDERR_FILENO, NULL) - 1, progress, now - bar->stage_start);
    draw(bar, line, length);
    pthread_mutex_unlock(&bar->lock);
}

void bar_hide(struct bar *bar, const char *const *message)
{
    pthread_mutex_lock(&bar->lock);
    if (bar->drawn > 0)
        draw(bar, "", 0);
    if (message != NULL)
        show_message(message);
    pthread_mutex_unlock(&bar->lock);
}

/* What ends a message about a member of the library's structs. */
static const char *const advices[] = {
    [CG2WG_MEMBER_NONE] = "",
    [CG2WG_MEMBER_OVERWRITE] = "; name another output with -o OUTPUT, or replace this file with --overwrite",
    [CG2WG_MEMBER_IDENTITY] = "; if these are parts of one function, use --identity=name",
    [CG2WG_MEMBER_SUMMARY] = "; --summary=computed uses the sum",
    [CG2WG_MEMBER_SUMMARY_COMPUTED] = ", as --summary=computed does",
    [CG2WG_MEMBER_PROXIES] = ", so --proxy has no effect",
    [CG2WG_MEMBER_SAMPLES_NAMES] = ", which --comm needs",
    [CG2WG_MEMBER_SAMPLES_PIDS] = ", which --pid needs",
    [CG2WG_MEMBER_SAMPLES_TIDS] = ", which --tid needs",
    [CG2WG_MEMBER_SAMPLES_PARTS] = ", which --part needs",
    [CG2WG_MEMBER_SAMPLES_ROOT] = ", which --symfs needs",
    [CG2WG_MEMBER_SAMPLES_KERNEL_TABLE] = ", which --kallsyms needs",
    [CG2WG_MEMBER_SAMPLES_SYMBOLS] = "; install debug packages, or use --symfs=DIR, and --kallsyms=FILE for the kernel",
    [CG2WG_MEMBER_HIDE] = ", so --hide has no effect",
    [CG2WG_MEMBER_FAIL_ABOVE] = ", which --fail-above needs",
    [CG2WG_MEMBER_TOP] = "; --top=N prints fewer",
    [CG2WG_MEMBER_MIN] = "; a larger --min prints fewer",
    [CG2WG_MEMBER_EVENT] = ", as the argument of --event",
    [CG2WG_MEMBER_ESTIMATE] = "; --estimate estimates them",
    [CG2WG_MEMBER_INCLUSIVE] = "; --inclusive=sum makes sums of all",
};

/* With several profiles, an error begins with the name of the one that failed, even if it is about another file. */
void messenger_show(void *user, const struct cg2wg_message *message)
{
    struct messenger *m = user;
    const char *profile = m->profile, *file = message->file != NULL ? message->file : profile;
    bool is_warning = message->severity == CG2WG_WARNING, is_error = message->severity == CG2WG_ERROR;
    bool is_failure = is_error && profile != NULL, is_about_profile = is_failure && strcmp(file, profile) == 0;
    bool has_file = file != NULL && !is_about_profile;
    char line[24] = "";
    if ((is_warning && m->warnings++ >= SHOWN_WARNINGS && !m->verbose) || (!is_error && m->quiet))
        return;
    if (message->line > 0)
        snprintf(line, sizeof line, "%" PRIu64 ":", message->line);
    const char *pieces[] = {is_failure ? profile : "",     is_failure ? ":" : "",
                            is_about_profile ? line : "",  is_failure ? " failed: " : "",
                            has_file ? file : "",          has_file ? ":" : "",
                            is_about_profile ? "" : line,  has_file ? " " : "",
                            is_warning ? "warning: " : "", message->text,
                            advices[message->member],      NULL};
    bar_hide(m->bar, pieces);
}

void messenger_finish(struct messenger *m)
{
    struct diag diag = {.report = messenger_show, .user = m, .input = m->profile};
    uint64_t rest = m->warnings > SHOWN_WARNINGS ? m->warnings - SHOWN_WARNINGS : 0;
    m->warnings = 0;
    if (rest > 0 && !m->verbose)
        diag_note(&diag, 0, "%" PRIu64 " more warning%s; use --verbose to see them", rest, rest == 1 ? "" : "s");
    bar_hide(m->bar, NULL);
}

const char *conversion_text(char text[CONVERSION_TEXT], unsigned format, const struct cg2wg_stats *stats)
{
    snprintf(text, CONVERSION_TEXT, "format %u, %" PRIu64 " lines, %" PRIu64 " functions, %" PRIu64 " call arcs",
             format, stats->lines, stats->functions, stats->arcs);
    return text;
}

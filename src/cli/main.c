/* SPDX-License-Identifier: MIT */
#include "cli/batch.h"
#include "cli/host.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "os/file.h"
#include "os/thread.h"
#include "util/show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVENT_WIDTH = 36, GREW = 3 }; /* the latter: an exit status because of --fail-above or --fail-function */

struct session {
    int argc;
    char **argv;
    struct options options;
    struct bar bar;
    struct messenger messenger;
    int status; /* of the exit: an enum cg2wg_status, or GREW */
};

static bool show_progress(void *user, const struct cg2wg_progress *progress)
{
    struct messenger *m = user;
    if (progress->stage == CG2WG_PRINTING)
        bar_hide(m->bar, NULL);
    else
        bar_update(m->bar, progress);
    return true;
}

static void show_stats(const struct cg2wg_stats *stats, double seconds)
{
    char bytes[BYTES_TEXT], rate[BYTES_TEXT];
    if (seconds <= 0)
        seconds = 1e-9;
    bytes_text(bytes, (double)stats->bytes);
    bytes_text(rate, (double)stats->bytes / seconds);
    fprintf(stderr,
            "input      %s\n"
            "lines      %" PRIu64 "\n"
            "slow lines %" PRIu64 "\n"
            "functions  %" PRIu64 "\n"
            "call arcs  %" PRIu64 "\n"
            "time       %.3f s\n"
            "rate       %s/s, %.3f million lines/s\n",
            bytes, stats->lines, stats->slow_lines, stats->functions, stats->arcs, seconds, rate,
            (double)stats->lines / seconds / 1e6);
}

/* With --storage and --name, a placeholder makes webgrind list the merged result. */
static void complete_merged(void *user, const char *output, const char *written, bool is_listed)
{
    struct diag diag = {.report = messenger_show, .user = user, .input = output};
    (void)is_listed;
    placeholder_write(output, written, &diag);
}

static void convert_inputs(struct session *p)
{
    struct options *o = &p->options;
    if (o->storage != NULL && o->name == NULL) {
        struct batch_counts counts;
        batch_run(o, &p->bar, &counts);
        p->status = counts.of[ITEM_FAILED] == 0 ? CG2WG_OK : CG2WG_FAILED;
        messenger_finish(&p->messenger);
        if (o->stats) {
            fprintf(stderr,
                    "profiles   %" PRIu64 " converted, %" PRIu64 " up to date, %" PRIu64
                    " still being written, %" PRIu64 " failed\n",
                    counts.of[ITEM_CONVERTED], counts.of[ITEM_UP_TO_DATE], counts.of[ITEM_BEING_WRITTEN],
                    counts.of[ITEM_FAILED]);
            show_stats(&counts.stats, clock_seconds() - p->bar.start);
        }
        return;
    }
    struct diag diag = {.report = messenger_show, .user = &p->messenger};
    struct cg2wg_stats stats = {.size = sizeof stats};
    char made[CONVERSION_TEXT];
    const char *placeholder = NULL;
    if (o->storage != NULL) {
        o->output = storage_path(o->storage, o->name, RESULT_SUFFIX);
        o->convert.shared_folders = true;
        o->convert.complete = complete_merged;
        placeholder = storage_path(o->storage, o->name, "");
    }
    diag.input = o->output;
    enum cg2wg_status status = cg2wg_convert_all(o->inputs, o->input_count, o->output, &o->convert, &stats);
    messenger_finish(&p->messenger);
    bool is_done = status == CG2WG_OK;
    if (is_done && o->verbose)
        diag_note(&diag, 0, "%s", conversion_text(made, o->convert.format, &stats));
    if (is_done && o->stats)
        show_stats(&stats, clock_seconds() - p->bar.start);
    if (!is_done && placeholder != NULL)
        placeholder_forget(placeholder, o->output);
    if (is_done && placeholder != NULL && *batch_hint(o->name) != '\0')
        diag_note(&diag, 0, "%s", batch_hint(o->name) + 2);
    p->status = (int)status;
}

static void show_remark(const char *remark)
{
    fputs("  (", stdout);
    show_plain(stdout, text_of_string(remark));
    putchar(')');
}

static void show_event(void *user, const struct cg2wg_event *event)
{
    struct messenger *m = user;
    bar_hide(m->bar, NULL);
    show_plain(stdout, text_of_string(event->name));
    int rest = EVENT_WIDTH - (int)strlen(event->name);
    printf(" %*" PRId64, rest > 0 ? rest : 0, event->total);
    if (event->formula != NULL) {
        fputs("  = ", stdout);
        show_plain(stdout, text_of_string(event->formula));
    }
    if (event->long_name != NULL)
        show_remark(event->long_name);
    putchar('\n');
}

static void show_part(void *user, const struct cg2wg_part *part)
{
    (void)user;
    const struct {
        const char *name;
        int64_t number;
    } numbers[] = {{"part", part->part}, {"pid", part->pid}, {"thread", part->thread}};
    const char *before = "";
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        if (numbers[i].number < 0)
            continue;
        printf("%s%s %" PRId64, before, numbers[i].name, numbers[i].number);
        before = ", ";
    }
    printf("%s: %" PRId64, *before == '\0' ? "without a number" : "", part->total);
    if (part->trigger != NULL)
        show_remark(part->trigger);
    putchar('\n');
}

/* A wrong command line ends the task, and so does what fails later. */
static void run(void *session)
{
    struct session *p = session;
    struct options *o = &p->options;
    const char *columns = getenv("COLUMNS"); /* that standard output is shown in if it is no terminal, as by less */
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM"); /* https://no-color.org */
    bool may_colour = (no_colour == NULL || *no_colour == '\0') && terminal != NULL && strcmp(terminal, "dumb") != 0;
    uint64_t number;
    bool grew = false;
    p->status = CG2WG_FAILED;
    if (!host_prepare(&p->argc, &p->argv))
        return;
    p->status = CG2WG_MISUSE;
    options_parse(o, p->argc, p->argv);
    p->status = o->action < ACTION_LIST_OPTIONS ? CG2WG_FAILED : CG2WG_OK;

    bool shows_progress = o->progress == PROGRESS_ON_TERMINAL ? !o->quiet && file_is_terminal(STDERR_FILENO)
                                                              : o->progress == PROGRESS_ALWAYS;
    bool is_terminal = o->view.output == NULL && file_is_terminal(STDOUT_FILENO);
    if (is_terminal)
        o->view.columns = host_width(STDOUT_FILENO, o->all ? NULL : &o->view.lines);
    else if (o->view.output == NULL && columns != NULL && text_whole_number(columns, 1, UINT16_MAX, &number))
        o->view.columns = (size_t)number;
    if (o->width > 0)
        o->view.columns = o->width;
    o->view.colour = o->colour == COLOUR_ALWAYS || (o->colour == COLOUR_AUTO && is_terminal && may_colour);
    p->messenger.quiet = o->quiet;
    p->messenger.verbose = o->verbose;
    o->convert.report = messenger_show;
    o->convert.progress = shows_progress ? show_progress : NULL;
    o->convert.user = &p->messenger;
    switch (o->action) {
    case ACTION_HELP: options_print_help(stdout, o->view.columns > 0 ? o->view.columns : USUAL_WIDTH, o->all); break;
    case ACTION_LIST_OPTIONS: options_print_list(stdout); break;
    case ACTION_VERSION: puts("cg2wg " CG2WG_VERSION); break;
    case ACTION_PRINT:
        p->status = (int)cg2wg_print_all(o->inputs, o->input_count, &o->convert, &o->view, stdout, &grew);
        p->status = p->status == CG2WG_OK && grew ? GREW : p->status;
        break;
    case ACTION_LIST_EVENTS:
        p->status = (int)cg2wg_list_parts(o->inputs[0], &o->convert, show_event, show_part, &p->messenger);
        break;
    case ACTION_CONVERT: convert_inputs(p); break;
    }
}

int main(int argc, char **argv)
{
    double now = clock_seconds();
    struct session p = {.argc = argc,
                        .argv = argv,
                        .messenger = {.bar = &p.bar},
                        .bar = {.start = now, .stage_start = now, .drawn_at = now, .lock = PTHREAD_MUTEX_INITIALIZER}};
    struct held_signals limit;
    signals_hold(&limit, true); /* to the end, because standard output may have a limit, too */
    enum task_result result = task_run(run, &p);
    messenger_finish(&p.messenger);
    if (result == TASK_OUT_OF_MEMORY) {
        fputs("cg2wg: out of memory\n", stderr);
        p.status = CG2WG_FAILED;
    }
    int error = show_end(stdout);
    if (error != 0) {
        fprintf(stderr, "cg2wg: (standard output): cannot write: %s\n", strerror(error));
        p.status = CG2WG_FAILED;
    }
    return p.status;
}

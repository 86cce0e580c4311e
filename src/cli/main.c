#include "cli/batch.h"
#include "cli/host.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "util/show.h"
#include "util/run.h"
#include "os/file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_MISUSE = 2, EXIT_GREW = 3 };
enum { EVENT_WIDTH = 16, USUAL_COLUMNS = 80 };

static bool show_progress(void *user, const struct cg2wg_progress *progress)
{
    struct messenger *m = user;
    if (progress->stage == CG2WG_PRINTING) {
        bar_hide(m->bar);
        bar_release(m->bar);
    } else {
        bar_update(m->bar, progress);
    }
    return true;
}

/* Lets the library talk to the messenger. */
static void set_callbacks(struct options *o, struct messenger *m)
{
    o->convert.report = messenger_show;
    o->convert.progress = o->shows_progress ? show_progress : NULL;
    o->convert.user = m;
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

static void show_conversion(const struct options *o, const struct cg2wg_stats *stats)
{
    struct message_line line;
    char made[160];
    snprintf(made, sizeof made,
             ": format %u, %" PRIu64 " lines, %" PRIu64 " functions, %" PRIu64 " call arcs",
             o->convert.format, stats->lines, stats->functions, stats->arcs);
    message_begin(&line);
    message_add(&line, o->output);
    message_add(&line, made);
    message_end(&line);
}

static int convert(struct options *o, struct messenger *m)
{
    struct cg2wg_stats stats;
    set_callbacks(o, m);
    enum cg2wg_status status =
        cg2wg_convert_all(o->inputs, o->input_count, o->output, &o->convert, &stats);
    messenger_show_rest(m);
    bar_finish(m->bar);
    if (status == CG2WG_OK && o->verbose && !o->quiet)
        show_conversion(o, &stats);
    if (status == CG2WG_OK && o->stats)
        show_stats(&stats, clock_seconds() - m->bar->start);
    return status == CG2WG_OK ? EXIT_DONE : status == CG2WG_MISUSE ? EXIT_MISUSE : EXIT_FAILED;
}

static void show_event(void *user, const struct cg2wg_event *event)
{
    struct messenger *m = user;
    bar_hide(m->bar);
    show_plain(stdout, text_of_string(event->name));
    int rest = EVENT_WIDTH - (int)strlen(event->name);
    printf("%*s %20" PRId64, rest > 0 ? rest : 0, "", event->total);
    if (event->formula != NULL) {
        fputs("  = ", stdout);
        show_plain(stdout, text_of_string(event->formula));
    }
    if (event->long_name != NULL) {
        fputs("  (", stdout);
        show_plain(stdout, text_of_string(event->long_name));
        putchar(')');
    }
    putchar('\n');
    bar_release(m->bar);
}

static int list_events(struct options *o, struct messenger *m)
{
    set_callbacks(o, m);
    enum cg2wg_status status = cg2wg_list_events(o->inputs[0], &o->convert, show_event, m);
    messenger_show_rest(m);
    bar_finish(m->bar);
    return status == CG2WG_OK ? EXIT_DONE : EXIT_FAILED;
}

static int print(struct options *o, struct messenger *m)
{
    set_callbacks(o, m);
    enum cg2wg_status status = cg2wg_print(o->inputs[0], &o->convert, &o->view, stdout);
    messenger_show_rest(m);
    bar_finish(m->bar);
    return status == CG2WG_OK ? EXIT_DONE : status == CG2WG_GREW ? EXIT_GREW : EXIT_FAILED;
}

static int store(struct options *o, struct messenger *m)
{
    struct batch_counts counts;
    bool done = batch_run(o, m->bar, &counts);
    bar_finish(m->bar);
    if (o->stats) {
        fprintf(stderr,
                "profiles   %" PRIu64 " converted, %" PRIu64 " up to date, %" PRIu64
                " still being written, %" PRIu64 " failed\n",
                counts.converted, counts.up_to_date, counts.being_written, counts.failed);
        show_stats(&counts.stats, clock_seconds() - m->bar->start);
    }
    return done ? EXIT_DONE : EXIT_FAILED;
}

static int run(struct options *o)
{
    struct bar bar;
    struct messenger messenger = {.quiet = o->quiet, .verbose = o->verbose, .bar = &bar};
    o->shows_progress = o->progress == PROGRESS_ALWAYS || (o->progress == PROGRESS_ON_TERMINAL && !o->quiet &&
                                                           file_is_terminal(STDERR_FILENO));
    if (file_is_terminal(STDOUT_FILENO)) {
        o->view.columns = host_columns(STDOUT_FILENO);
        o->view.columns = o->view.columns > 0 ? o->view.columns : USUAL_COLUMNS;
    }
    bar_init(&bar);
    switch (o->action) {
    case ACTION_HELP:
        options_print_help(stdout, o->view.columns > 0 ? o->view.columns : USUAL_COLUMNS);
        return EXIT_DONE;
    case ACTION_LIST_OPTIONS:
        options_print_list(stdout);
        return EXIT_DONE;
    case ACTION_VERSION:
        puts("cg2wg " CG2WG_VERSION);
        return EXIT_DONE;
    case ACTION_PRINT:
        return print(o, &messenger);
    case ACTION_LIST_EVENTS:
        return list_events(o, &messenger);
    case ACTION_CONVERT:
        break;
    }
    return o->storage != NULL ? store(o, &messenger) : convert(o, &messenger);
}

struct start {
    int argc;
    char **argv;
    int status;
};

static void parse_and_run(void *of)
{
    struct start *start = of;
    struct options options;
    switch (options_parse(&options, start->argc, start->argv)) {
    case OPTIONS_TAKEN:
        start->status = run(&options);
        break;
    case OPTIONS_WRONG:
        start->status = EXIT_MISUSE;
        break;
    case OPTIONS_NO_MEMORY:
        break;
    }
    options_free(&options);
}

int main(int argc, char **argv)
{
    if (!host_prepare(&argc, &argv))
        return EXIT_FAILED;
    struct start start = {argc, argv, EXIT_FAILED};
    enum run_result result = run_work(parse_and_run, &start);
    if (result != RUN_DONE)
        start.status = EXIT_FAILED;
    if (result == RUN_OUT_OF_MEMORY)
        fputs("cg2wg: out of memory\n", stderr);
    bool is_lost = ferror(stdout) != 0;
    if (fclose(stdout) != 0 || is_lost) {
        fprintf(stderr, "cg2wg: (standard output): cannot write: %s\n", strerror(errno));
        start.status = EXIT_FAILED;
    }
    return start.status;
}

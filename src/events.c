/* SPDX-License-Identifier: MIT */
#include "events.h"

#include "io/outfile.h"
#include "io/temporary.h"

#include <errno.h>
#include <unistd.h>

void events_add(struct events *events, struct diag *diag, struct text name)
{
    for (size_t i = 0; i < events->count; i++)
        if (text_equals(name, events->names[i]))
            return;
    if (events->count == MOST_EVENTS)
        events_are_too_many(diag);
    char *copy = memory_zeroed(text_length(name) + 1, 1);
    memcpy(copy, name.at, text_length(name));
    events->names[events->count++] = copy;
}

/* Reads the events of an input, whose names are in memory of the run. */
static void read_events(struct event_list *list, struct job *job, const char *input)
{
    struct contents contents;
    struct reading reading = job->reading;
    struct cg2wg_options options = job->options;
    options.event = NULL;
    options.progress = NULL;
    *list = (struct event_list){.count = 0};
    reading.options = &options;
    reading.events = list;
    reading.wants = WANTS_EVENTS_ONLY;
    reading.diag.only_errors = true;
    if (!input_is_preprocessed(input, &job->reading.diag)) /* which has one */
        input_read(&reading, &input, 1, &contents);
}

static void add_all(struct events *events, struct diag *diag, const struct event_list *list, bool measured)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct cg2wg_event *event = &list->events[i];
        if (event->total != 0 && (!measured || (event->formula == NULL && events->count < MOST_EVENTS)))
            events_add(events, diag, text_of_string(event->name));
    }
}

void events_add_all(struct events *events, struct job *job, const char *input, bool measured)
{
    struct event_list list;
    read_events(&list, job, input);
    add_all(events, &job->reading.diag, &list, measured);
}

void events_intersect(struct events *events, const struct events *others)
{
    size_t kept = 0;
    for (size_t i = 0; i < events->count; i++)
        for (size_t k = 0; k < others->count; k++)
            if (strcmp(events->names[i], others->names[k]) == 0) {
                events->names[kept++] = events->names[i];
                break;
            }
    events->count = kept;
}

/* Takes the longest name of an event that a comma or the end follows, or what precedes the next comma. */
static struct text take_event(struct text *rest, const struct event_list *list)
{
    struct text after = *rest, name = text_trim(text_take_to(&after, ','));
    size_t longest = 0;
    text_skip_blanks(rest);
    for (size_t i = 0; i < list->count; i++) {
        struct text listed = text_of_string(list->events[i].name), behind = *rest;
        if (!text_starts(*rest, list->events[i].name) || text_length(listed) < MAX(longest, 1))
            continue;
        behind.at += text_length(listed);
        text_skip_blanks(&behind);
        if (!text_is_empty(behind) && *behind.at != ',')
            continue;
        longest = text_length(listed);
        name = listed;
        after = behind;
        after.at += !text_is_empty(behind);
    }
    *rest = after;
    return name;
}

void events_choose(struct events *events, struct job *job, const char *given, const char *base)
{
    struct event_list list;
    struct text rest = text_of_string(given);
    struct diag *diag = &job->reading.diag;
    events->count = 0;
    if (strchr(given, ',') == NULL && strcmp(given, "all") != 0) {
        events->names[events->count++] = given;
        return;
    }
    read_events(&list, job, job->inputs[0]);
    diag->input = input_name(job->inputs[0]);
    while (!text_is_empty(rest)) {
        struct text name = take_event(&rest, &list);
        bool is_all = text_equals(name, "all");
        for (size_t i = 0; i < list.count && is_all; i++)
            is_all = strcmp(list.events[i].name, "all") != 0;
        if (text_is_empty(name))
            diag_error(diag, 0, "found events \"%s\", expected names with a comma between each two", given);
        if (!is_all) {
            events_add(events, diag, name);
            continue;
        }
        struct events all = {.count = 0}, others = {.count = 0};
        add_all(&all, diag, &list, false);
        if (base != NULL) {
            events_add_all(&others, job, base, false);
            events_intersect(&all, &others);
        }
        for (size_t i = 0; i < all.count; i++)
            events_add(events, diag, text_of_string(all.names[i]));
    }
}

/* ---- inputs that can be read once --------------------------------------------------------- */

static void close_input(void *of)
{
    close(*(int *)of);
}

static int copy_input(struct job *job, const char *input)
{
    struct diag *diag = &job->reading.diag;
    const struct progress progress = {.report = job->options.progress, .user = job->options.user};
    char *bytes = memory_get(OUTFILE_BUFFER);
    struct temporary *copy = memory_get(sizeof *copy);
    struct run_held held = {.of = NULL};
    ssize_t length = 0;
    diag->input = input_name(input);
    int fd = file_is_standard(input) ? STDIN_FILENO : file_open(input, FILE_TO_READ);
    if (fd < 0)
        diag_error(diag, 0, "cannot open: %s", strerror(errno));
    if (fd != STDIN_FILENO)
        run_hold(&held, close_input, &fd);
    temporary_open(copy, diag);
    while (!ferror(copy->stream) && (length = file_read(fd, bytes, OUTFILE_BUFFER, -1)) > 0) {
        fwrite(bytes, 1, (size_t)length, copy->stream);
        if (progress_ends(&progress, CG2WG_READING, 0))
            diag_error(diag, 0, "interrupted while reading");
    }
    if (length < 0)
        diag_error(diag, 0, "cannot read: %s", strerror(errno));
    if (fd != STDIN_FILENO) {
        run_let_go(&held);
        close(fd);
    }
    memory_free(bytes);
    return temporary_end(copy);
}

void events_keep_inputs(struct job *job, const char *const *inputs, size_t count)
{
    struct reading *r = &job->reading;
    struct file_facts facts;
    for (size_t i = 0; i < count; i++) {
        bool is_folder = file_look(inputs[i], true, &facts) && facts.kind == FILE_IS_FOLDER;
        if (!file_is_standard(inputs[i]) && (is_folder || source_look(inputs[i], &facts)))
            continue;
        struct kept_input kept = {inputs[i], copy_input(job, inputs[i])};
        array_append(&r->kept, &r->kept_count, &r->kept_capacity, &kept, sizeof kept);
    }
}

/* SPDX-License-Identifier: MIT */
#include "read/perf/perf_stacks.h"

#include "util/array.h"

#include <inttypes.h>
#include <stddef.h>

void perf_malformed(const struct perf_about *about, const char *what, const char *expected)
{
    bool is_decoded = about->position >= about->decoded_at;
    diag_error(about->diag, 0, "found %s at byte %" PRIu64 "%s, expected %s", what,
               about->position - (is_decoded ? about->decoded_at : 0), is_decoded ? " of the decoded records" : "",
               expected);
}

uint32_t perf_intern(struct perf_about *about, struct text text)
{
    struct buffer copy = {.bytes = NULL};
    for (size_t i = utf8_plain_length(text, ""); i < text_length(text); i++) {
        if ((unsigned char)text.at[i] >= ' ' && text.at[i] != 0x7f)
            continue;
        if (copy.bytes == NULL)
            buffer_add(&copy, text);
        copy.bytes[i] = '?';
    }
    uint32_t name = names_intern(about->names, copy.bytes != NULL ? buffer_text(&copy) : text);
    memory_free(copy.bytes);
    return name;
}

bool perf_is_wanted(struct perf_about *about, uint32_t pid, uint32_t tid, uint32_t name)
{
    const uint32_t numbers[] = {name, pid, tid};
    bool is_wanted = true;
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        is_wanted &= about->wanted[i].index.used == 0 || ids_find(&about->wanted[i], numbers[i]) != NONE;
    if (!is_wanted && about->other == NAME_EMPTY) {
        name = name != NONE ? name : perf_intern(about, text_of_string("[unknown]"));
        about->other = perf_thread_name(about, name, pid, tid);
    }
    return is_wanted;
}

uint32_t perf_root(struct perf_about *about, uint32_t pid, uint32_t tid, uint32_t name)
{
    struct perf_stacks *s = &about->stacks;
    struct perf_root added = {pid, about->by == CG2WG_GROUP_PROCESS ? pid : tid, NAME_EMPTY, NONE, NONE};
    if (about->by == CG2WG_GROUP_FUNCTION)
        return NONE;
    if (about->by == CG2WG_GROUP_PROCESS && pid == UINT32_MAX)
        diag_error(about->diag, 0, "samples do not name their process; print the field pid: perf script -F +pid");
    uint32_t number = SET_INTERN(&s->threads, added, offsetof(struct perf_root, name));
    struct perf_root *thread = &s->threads.items[number];
    if (name != NONE && (tid == thread->tid || thread->name == NAME_EMPTY))
        thread->name = name;
    if (thread->node == NONE) {
        thread->object = perf_object(s, (struct perf_object){PERF_SYMBOL, .pid = pid, .within = added.tid});
        thread->node = perf_node(
            s, (struct perf_node){NONE, perf_place(about, (struct perf_place){.object = thread->object})});
    }
    return thread->node;
}

uint32_t perf_thread_name(struct perf_about *about, uint32_t name, uint32_t pid, uint32_t tid)
{
    char numbers[64] = "", *end = numbers;
    if (pid != UINT32_MAX)
        end += sprintf(end, ", pid %" PRIu32, pid);
    if (tid != UINT32_MAX)
        sprintf(end, ", thread %" PRIu32, tid);
    const char *shown = numbers + (name == NAME_EMPTY && *numbers != '\0' ? 2 : 0);
    return names_intern_parts(about->names, (struct text[]){names_text(about->names, name), text_of_string(shown)}, 2);
}

void perf_book(struct perf_stacks *s, struct perf_moment moment, uint64_t count, uint64_t weight)
{
    enum { MOST_MOMENTS = 1 << 16 }; /* a power of two: when there are more, every second one is forgotten */
    struct perf_sum added = {.node = moment.node, .event = moment.event};
    uint32_t number = SET_INTERN(&s->sums, added, offsetof(struct perf_sum, count));
    count_add(&s->sums.items[number].count, count);
    s->too_large += weight > INT64_MAX;
    cost_add(&s->sums.items[number].weight, weight < INT64_MAX ? (cost_t)weight : INT64_MAX);
    if (s->step == 0 || moment.time == 0 || moment.time > INT64_MAX || moment.tid == UINT32_MAX ||
        s->noted++ % s->step != 0)
        return;
    if (s->moment_count == MOST_MOMENTS) {
        for (size_t i = 0; i < MOST_MOMENTS / 2; i++)
            s->moments[i] = s->moments[2 * i];
        s->moment_count /= 2;
        s->step *= 2;
    }
    array_append(&s->moments, &s->moment_count, &s->moment_capacity, &moment, sizeof moment);
}

struct perf_about *perf_begin(struct builder *builder, const struct frontend_options *options)
{
    struct perf_about *about = memory_get(sizeof *about);
    *about = (struct perf_about){.diag = builder->diag,
                                 .options = options,
                                 .names = &builder->profile->names,
                                 .decoded_at = UINT64_MAX,
                                 .creator = "perf",
                                 .says_lines = "debug information (compile with -g, or install debug symbols), or "
                                               "the field srcline of perf script",
                                 .stacks = {.step = builder->timeline != NULL},
                                 .wants_lines = builder->profile->lines != NULL,
                                 .by = builder->parts != NULL && !parts_are_runs(builder->parts)
                                           ? builder->parts->choice->by
                                       : options->list != NULL || builder->listed != NULL ? CG2WG_GROUP_THREAD
                                                                                          : CG2WG_GROUP_FUNCTION};
    if (builder->parts != NULL)
        builder->parts->are_known = !parts_are_runs(builder->parts);
    array_reserve(&about->events, &about->event_capacity, 1, sizeof *about->events); /* it is never NULL */
    const struct cg2wg_samples *samples = &options->given->samples;
    for (size_t i = 0; i < samples->name_count; i++)
        ids_set(&about->wanted[0], names_intern(about->names, text_of_string(samples->names[i])), 0);
    for (size_t i = 0; i < samples->pid_count; i++)
        ids_set(&about->wanted[1], samples->pids[i], 0);
    for (size_t i = 0; i < samples->tid_count; i++)
        ids_set(&about->wanted[2], samples->tids[i], 0);
    uint32_t unknown = perf_intern(about, text_of_string("[unknown]")),
             kernel = perf_intern(about, text_of_string("[kernel.kallsyms]"));
    perf_object(&about->stacks, (struct perf_object){.kind = PERF_SPECIAL, .name = unknown});
    perf_object(&about->stacks, (struct perf_object){.kind = PERF_KERNEL, .name = kernel});
    perf_names_begin(about);
    return about;
}

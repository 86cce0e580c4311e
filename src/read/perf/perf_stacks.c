#include "read/perf/perf.h"

#include <inttypes.h>
#include <stddef.h>

void perf_about_init(struct perf_about *about, struct builder *builder, struct diag *diag,
                     const struct frontend_options *options)
{
    *about = (struct perf_about){.diag = diag, .options = options, .names = &builder->profile->names};
    ids_init(&about->event_ids, &about->names->index);
    ids_init(&about->build_ids, &about->names->index);
}

void perf_malformed(const struct perf_about *about, const char *what, const char *expected)
{
    diag_error(about->diag, 0, "found %s at byte %" PRIu64 "%s, expected %s", what, about->position,
               about->is_decoded ? " of the decoded records" : "", expected);
}

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

uint32_t perf_intern(const struct perf_about *about, struct text text)
{
    const char *control = text.at;
    while (control < text.end && !is_control(*control))
        control++;
    if (control == text.end)
        return names_intern(about->names, text);
    size_t length = text_length(text);
    char *copy = memory_get(length);
    for (size_t i = 0; i < length; i++)
        copy[i] = is_control(text.at[i]) ? '?' : text.at[i];
    uint32_t name = names_intern(about->names, text_of(copy, length));
    memory_free(copy);
    return name;
}

static bool is_among(const uint32_t *numbers, size_t count, uint32_t number)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return count == 0;
}

bool perf_is_wanted(const struct perf_about *about, uint32_t pid, uint32_t tid, uint32_t name)
{
    const struct cg2wg_samples *wanted = &about->options->samples;
    bool has_name = wanted->name_count == 0;
    for (size_t i = 0; i < wanted->name_count && name != NONE && !has_name; i++)
        has_name = text_equals(names_text(about->names, name), wanted->names[i]);
    return has_name && is_among(wanted->pids, wanted->pid_count, pid) &&
           is_among(wanted->tids, wanted->tid_count, tid);
}

/* ---- stacks ------------------------------------------------------------------------------- */

void perf_stacks_init(struct perf_stacks *s, const struct perf_about *about)
{
    *s = (struct perf_stacks){0};
    struct index *indexes[] = {&s->objects.index, &s->places.index, &s->nodes.index, &s->sums.index};
    for (size_t i = 0; i < sizeof indexes / sizeof indexes[0]; i++)
        index_init(indexes[i], &about->names->index);
    perf_object(s, (struct perf_object){.kind = PERF_UNKNOWN, .name = perf_intern(about, text_of_string("[unknown]"))});
    perf_object(s, (struct perf_object){.kind = PERF_KERNEL,
                                        .name = perf_intern(about, text_of_string("[kernel.kallsyms]"))});
}

void perf_stacks_free(struct perf_stacks *s)
{
    index_free(&s->objects.index);
    index_free(&s->places.index);
    index_free(&s->nodes.index);
    index_free(&s->sums.index);
    memory_free(s->objects.items);
    memory_free(s->places.items);
    memory_free(s->nodes.items);
    memory_free(s->sums.items);
}

uint32_t perf_object(struct perf_stacks *s, struct perf_object object)
{
    uint32_t hash = hash_numbers(&s->objects.index.seed,
                                 (uint64_t)object.name << 32 | (object.build_id ^ object.within),
                                 (uint64_t)object.kind << 32 | object.pid);
    return PERF_SET_INTERN(&s->objects, hash, object, sizeof object);
}

uint32_t perf_place(struct perf_stacks *s, struct perf_place place)
{
    enum { KEY = offsetof(struct perf_place, object) + sizeof place.object };
    return PERF_SET_INTERN(&s->places, hash_numbers(&s->places.index.seed, place.offset, place.object), place, KEY);
}

uint32_t perf_node(struct perf_stacks *s, struct perf_node node)
{
    return PERF_SET_INTERN(&s->nodes, hash_numbers(&s->nodes.index.seed, node.parent, node.place), node, sizeof node);
}

void perf_book(struct perf_about *about, struct perf_stacks *s, struct perf_value value, uint32_t node)
{
    struct perf_event *event = &about->events[value.event];
    struct perf_sum added = {.node = node, .event = value.event};
    uint32_t number = PERF_SET_INTERN(&s->sums, hash_numbers(&s->sums.index.seed, node, value.event), added,
                                        offsetof(struct perf_sum, count));
    s->sums.items[number].count++;
    cost_add(&s->sums.items[number].weight, value.weight);
    event->samples++;
    cost_add(&event->total, value.weight);
}

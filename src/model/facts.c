#include "model/facts.h"

#include <inttypes.h>
#include <stdio.h>

void facts_settle_event(struct profile *profile, struct text event)
{
    struct buffer name = {.bytes = NULL};
    bool has_events = false;
    buffer_add(&name, event);
    for (char *c = name.bytes; c < name.bytes + name.length; c++)
        *c = char_is_graphic(*c) ? *c : '_';
    uint32_t number = names_intern(&profile->names, buffer_text(&name));
    for (size_t i = 0; i < profile->header_count; i++) {
        struct header *header = &profile->headers[i];
        struct text value = text_trim(names_text(&profile->names, header->value));
        if (header->kind == HEADER_SUMMARY && profile->speaks_of_event)
            header->value = NAME_EMPTY;
        if (header->kind != HEADER_EVENTS)
            continue;
        /* The first line says what the costs are. The input may have had a line before it, without any costs. */
        if (profile->speaks_of_event || (!has_events && !text_same(text_take_word(&value), event)))
            header->value = number;
        has_events = true;
    }
    if (!has_events) /* webgrind evaluates the events whenever it shows times */
        profile_add_header(profile, text_of_string("events"), buffer_text(&name),
                           (struct header){.kind = HEADER_EVENTS});
    memory_free(name.bytes);
}

static void find_commands(struct facts *facts, struct profile *profile)
{
    size_t capacity = 0;
    /* By name, from 1; each header can add one name. */
    uint32_t *places = memory_zeroed(profile->names.count + profile->header_count, sizeof *places);
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        if (header->kind != HEADER_CMD)
            continue;
        struct command command = {.name = text_trim(names_text(&profile->names, header->value))};
        uint32_t *place = &places[names_intern(&profile->names, command.name)];
        if (*place == 0) {
            array_append(&facts->commands, &facts->command_count, &capacity, &command, sizeof command);
            *place = (uint32_t)facts->command_count;
        }
        count_add(&facts->commands[*place - 1].count, header->profiles);
        count_add(&facts->command_runs, header->profiles);
    }
    memory_free(places);
}

static struct text heading_of(const struct facts *facts)
{
    enum { NAMED_COMMANDS = 3 };
    const struct command *commands = facts->commands;
    size_t count = facts->command_count;
    size_t named = count == 1 && text_is_empty(commands[0].name) ? 0 : MIN(count, NAMED_COMMANDS);
    struct buffer heading = {.bytes = NULL};
    char part[60];
    snprintf(part, sizeof part, "%" PRIu64 " profile%s", facts->command_runs, facts->command_runs == 1 ? "" : "s");
    buffer_add_string(&heading, part);
    for (size_t i = 0; i < named; i++) {
        buffer_add_string(&heading, i == 0 ? " of " : i + 1 == count ? " and " : ", ");
        buffer_add(&heading, text_is_empty(commands[i].name) ? text_of_string("unknown") : commands[i].name);
    }
    snprintf(part, sizeof part, " and %zu more", count - named);
    buffer_add_string(&heading, count > NAMED_COMMANDS ? part : "");
    return buffer_text(&heading);
}

void facts_init(struct facts *facts, struct profile *profile, const char *title)
{
    const bool *has_part_of = profile->has_part_of;
    *facts = (struct facts){.event = names_text(&profile->names, profile->event), .heading = text_of("", 0)};
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        if (header->kind == HEADER_SUMMARY)
            count_add(&facts->total, header->total > 0 ? (uint64_t)header->total : 0);
        facts->summaries += header->kind == HEADER_SUMMARY;
        if (header->kind == HEADER_EVENTS && text_is_empty(facts->event)) {
            struct text value = text_trim(names_text(&profile->names, header->value));
            facts->event = text_take_word(&value);
        }
    }
    facts->unit = unit_of(facts->event);
    find_commands(facts, profile);
    if (title != NULL) {
        facts->heading = text_of(memory_string(title), strlen(title));
        utf8_make_printable((char *)facts->heading.at, strlen(title));
    } else if (profile->is_merged) {
        facts->heading = heading_of(facts);
    }
    facts->runs = MAX(facts->command_runs, 1);
    if (has_part_of[PRODUCER_XDEBUG] && !profile->is_merged) /* summaries of others may be of parts of a run */
        facts->runs = MAX(facts->runs, facts->summaries);
    /* Are there calls, or more invocations than one in each run, which is what a function without calls has? */
    bool has_counts = has_part_of[PRODUCER_XDEBUG] || has_part_of[PRODUCER_APROF] || profile->arc_count > 0;
    facts->has_inclusive = has_counts;
    for (size_t i = 0; i < profile->function_count && !has_counts; i++)
        has_counts = profile->functions[i].invocations > facts->runs;
    bool is_perf = has_part_of[PRODUCER_PERF] && !has_part_of[PRODUCER_XDEBUG] && !has_part_of[PRODUCER_APROF] &&
                   !has_part_of[PRODUCER_OTHER];
    facts->counts = is_perf ? COUNTS_SAMPLES : has_counts ? COUNTS_CALLS : COUNTS_NOTHING;
}

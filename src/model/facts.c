/* SPDX-License-Identifier: MIT */
#include "model/facts.h"

#include <inttypes.h>
#include <stdio.h>

enum { IMPLAUSIBLE_FACTOR = 10 };

void totals_decide(struct profile *profile, bool compute, bool is_said, struct diag *diag)
{
    bool is_measured = profile->has_part_of[PRODUCER_XDEBUG], has_fibers = false;
    cost_t file = 0, computed = 0;
    for (size_t i = 0; i < profile->header_count; i++) {
        struct header *header = &profile->headers[i];
        cost_t sum = header->self_total;
        bool is_usable = header->has_total &&
                         (header->total > 0 || header->total == sum || (header->total == 0 && sum < 0));
        if (header->kind != HEADER_SUMMARY)
            continue;
        enum cg2wg_member member = sum < 0 ? CG2WG_MEMBER_NONE : CG2WG_MEMBER_SUMMARY_COMPUTED;
        if (!compute && header->has_total && !is_usable && !is_measured)
            diag_warning(diag_about(diag, member), 0,
                         "the total is %" PRId64 "; using the sum of the self costs, %" PRId64 ", instead",
                         header->total, sum);
        else if (!compute && !header->has_total && !profile_is_memory(profile, profile->event))
            diag_warning(diag_about(diag, member), header->line,
                         "no %s; using the sum of the self costs, %" PRId64 ", as the total",
                         header->key == NAME_EMPTY ? "summary: or totals: line" : "number in a summary: line", sum);
        if (compute || !is_usable) {
            if (!header->has_total || header->total != sum)
                header->value = NAME_EMPTY;
            header->total = sum;
        }
        cost_add(&file, header->total);
        cost_add(&computed, sum);
    }
    if (compute || is_said)
        return;
    cost_t tenth = file / IMPLAUSIBLE_FACTOR;
    bool is_too_large = file > 0 && (tenth > computed || (tenth == computed && file % IMPLAUSIBLE_FACTOR > 0));
    /*
     * Xdebug measures its totals: a memory peak is no sum, and time includes compiling. But it is not less than the sum
     * of the self costs, except with PHP's fibers, which count in each other: `Fiber->start`, `php::Fiber::suspend`.
     */
    for (size_t i = 0; i < profile->function_count && is_measured && !has_fibers; i++) {
        struct text name = names_text(&profile->names, profile->functions[i].name);
        name.at += text_starts(name, "php::") ? strlen("php::") : 0;
        has_fibers = text_starts(name, "Fiber->") || text_starts(name, "Fiber::");
    }
    bool may_be_below_sum = is_measured && (!profile->records_are_invocations || has_fibers ||
                                            !unit_of(names_text(&profile->names, profile->event)).is_time);
    const char *is = file < computed && !may_be_below_sum ? "less than"
                     : is_too_large && !is_measured       ? "more than ten times"
                                                          : NULL;
    if (is == NULL)
        return;
    diag_warning(diag_about(diag, CG2WG_MEMBER_SUMMARY), 0,
                 "the total is %" PRId64 ", %s the sum of the self costs, %" PRId64, file, is, computed);
}

/* Shares a total of 0 or more among the summaries: each has its own, as long as any is left, the last one the rest. */
static void share_out(struct profile *profile, cost_t rest, bool is_computed)
{
    struct header *last = NULL;
    for (size_t i = 0; i < profile->header_count; i++) {
        struct header *header = &profile->headers[i];
        cost_t own = is_computed ? header->self_total : header->total;
        if (header->kind != HEADER_SUMMARY)
            continue;
        header->total = MIN(MAX(own, 0), rest);
        header->value = is_computed || header->total != own ? NAME_EMPTY : header->value;
        rest -= header->total;
        last = header;
    }
    if (last != NULL)
        last->total += rest;
}

void totals_use_positive(struct profile *profile, bool compute)
{
    cost_t rest = 0, total = 0;
    for (size_t i = 0; i < profile->function_count; i++)
        cost_add(&rest, MAX(profile->functions[i].self, 0));
    for (size_t i = 0; i < profile->header_count; i++)
        cost_add(&total, profile->headers[i].kind == HEADER_SUMMARY ? profile->headers[i].total : 0);
    if ((compute || profile_is_memory(profile, profile->event)) && total != rest)
        share_out(profile, rest, true);
}

void totals_leave_negative(struct profile *profile)
{
    cost_t total = 0;
    bool has_negative = false;
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        bool is_summary = header->kind == HEADER_SUMMARY;
        cost_add(&total, is_summary ? header->total : 0);
        has_negative |= is_summary && header->total < 0;
    }
    if (has_negative)
        share_out(profile, MAX(total, 0), false);
}

void facts_add_event(struct buffer *line, struct text event)
{
    buffer_add(line, event);
    for (char *c = line->bytes + line->length - text_length(event); c < line->bytes + line->length; c++)
        *c = char_is_graphic(*c) ? *c : '_';
}

void facts_settle_event(struct profile *profile, struct text event)
{
    struct buffer name = {.bytes = NULL};
    bool has_events = false;
    facts_add_event(&name, event);
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
}

void commands_decide(struct profile *profile, bool is_merged)
{
    bool *is_known = memory_zeroed(profile->names.count, sizeof *is_known); /* by name: is it of a process? */
    bool has_command = false;
    static const char *const keys[] = {"pid", "part", "thread"};
    uint32_t part[COUNT_OF(keys)] = {NAME_EMPTY}, first[COUNT_OF(keys)] = {NAME_EMPTY}, *process = part;
    for (size_t i = 0; i < profile->header_count; i++) {
        struct header *header = &profile->headers[i];
        struct text key = names_text(&profile->names, header->key);
        if (text_equals(key, "creator"))
            memset(part, 0, sizeof part);
        for (size_t k = 0; k < COUNT_OF(keys); k++)
            part[k] = text_equals(key, keys[k]) ? header->value : part[k];
        if (header->kind == HEADER_SUMMARY) { /* two runs may have one number, but both begin alike */
            header->goes_on = *process != NAME_EMPTY && *process == *first && memcmp(part, first, sizeof part) != 0;
            if (!header->goes_on)
                memcpy(first, part, sizeof part);
        }
        has_command |= header->kind == HEADER_CMD;
        if (header->kind != HEADER_CMD || *process == NAME_EMPTY || profile->is_merged)
            continue;
        header->profiles = is_known[*process] ? 0 : 1;
        is_known[*process] = true;
    }
    memory_free(is_known);
    profile->is_merged |= is_merged;
    if (is_merged && !has_command)
        profile_add_header(profile, text_of("", 0), text_of("", 0), (struct header){.kind = HEADER_CMD, .profiles = 1});
}

void header_lines_add(struct header_lines *lines, struct text key, struct text value)
{
    struct header_line line = {key, value};
    array_append(&lines->all, &lines->count, &lines->capacity, &line, sizeof line);
}

struct text header_lines_text(const struct header_lines *lines)
{
    struct buffer text = {.bytes = NULL};
    for (size_t i = 0; i < lines->count; i++) {
        buffer_add(&text, lines->all[i].key);
        buffer_add_string(&text, ": ");
        buffer_add(&text, lines->all[i].value);
        buffer_add_string(&text, "\n");
    }
    return buffer_text(&text);
}

/* The lines of a key, each once. Returns the last one, or an empty text. */
static struct text read_lines(struct facts *facts, const struct profile *profile, const char *key)
{
    struct names known;
    struct text value = text_of("", 0);
    names_init(&known);
    for (size_t i = 0; i < profile->header_count; i++) {
        if (!text_equals(names_text(&profile->names, profile->headers[i].key), key))
            continue;
        size_t count = known.count;
        value = text_trim(names_text(&profile->names, profile->headers[i].value));
        names_intern(&known, value);
        if (known.count > count)
            header_lines_add(&facts->lines, text_of_string(key), value);
    }
    return value;
}

static void read_headers(struct facts *facts, struct profile *profile)
{
    size_t capacity = 0;
    /* By name, from 1; each header can add one name. */
    uint32_t *numbers = memory_zeroed(profile->names.count + profile->header_count, sizeof *numbers);
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        struct text value = text_trim(names_text(&profile->names, header->value));
        if (header->kind == HEADER_SUMMARY) {
            cost_add(&facts->total, header->total);
            cost_add(&facts->parts_self, header->self_total);
            facts->summaries += !header->goes_on;
        }
        facts->peak = MAX(facts->peak, header->peak);
        if (header->kind == HEADER_EVENTS && text_is_empty(facts->event))
            facts->event = text_take_word(&value);
        if (header->kind != HEADER_CMD)
            continue;
        struct command command = {.name = facts->command = value};
        uint32_t *number = &numbers[names_intern(&profile->names, command.name)];
        if (*number == 0) {
            array_append(&facts->commands, &facts->command_count, &capacity, &command, sizeof command);
            *number = (uint32_t)facts->command_count;
        }
        count_add(&facts->commands[*number - 1].count, header->profiles);
        count_add(&facts->command_runs, header->profiles);
    }
}

void facts_init(struct facts *facts, struct profile *profile, const char *title)
{
    enum { NAMED_COMMANDS = 3 };
    const bool *has_part_of = profile->has_part_of;
    struct buffer heading = {.bytes = NULL};
    char part[60];
    *facts = (struct facts){.event = names_text(&profile->names, profile->event), .heading = text_of("", 0)};
    read_headers(facts, profile);
    facts->creator = read_lines(facts, profile, "creator");
    read_lines(facts, profile, "events");
    facts->unit = unit_of(facts->event);
    if (title != NULL) {
        facts->heading = text_of(memory_string(title), strlen(title));
        utf8_make_printable((char *)facts->heading.at, strlen(title));
    } else if (profile->is_merged) {
        const struct command *commands = facts->commands;
        size_t count = facts->command_count;
        size_t named = count == 1 && text_is_empty(commands[0].name) ? 0 : MIN(count, NAMED_COMMANDS);
        snprintf(part, sizeof part, "%" PRIu64 " profile%s", facts->command_runs, facts->command_runs == 1 ? "" : "s");
        buffer_add_string(&heading, part);
        for (size_t i = 0; i < named; i++) {
            buffer_add_string(&heading, i == 0 ? " of " : i + 1 == count ? " and " : ", ");
            buffer_add(&heading, text_is_empty(commands[i].name) ? text_of_string("unknown") : commands[i].name);
        }
        snprintf(part, sizeof part, " and %zu more", count - named);
        buffer_add_string(&heading, count > NAMED_COMMANDS ? part : "");
        facts->heading = buffer_text(&heading);
    }
    facts->runs = MAX(facts->command_runs, 1);
    if (has_part_of[PRODUCER_XDEBUG] && !profile->is_merged) /* summaries of others may be of parts of a run */
        facts->runs = MAX(facts->runs, facts->summaries);
    /* Are there calls, or more invocations than one in each run, which is what a function without calls has? */
    bool has_counts = has_part_of[PRODUCER_XDEBUG] || has_part_of[PRODUCER_APROF] || profile->arc_count > 0;
    facts->has_inclusive = has_counts && !profile->lacks_callers;
    for (size_t i = 0; i < profile->function_count && !has_counts; i++)
        has_counts = profile->functions[i].invocations > facts->runs;
    bool is_perf = has_part_of[PRODUCER_PERF] && !has_part_of[PRODUCER_XDEBUG] && !has_part_of[PRODUCER_APROF] &&
                   !has_part_of[PRODUCER_OTHER];
    facts->no_calls = profile->lacks_callers ? "recorded without callers in programs; the text of perf script has them"
                      : facts->has_inclusive ? NULL
                      : is_perf
                          ? "recorded without call chains; perf record -g has them"
                          : "the profile has no calls; cachegrind records none, and valgrind --tool=callgrind does";
    facts->counts = is_perf ? COUNTS_SAMPLES : has_counts ? COUNTS_CALLS : COUNTS_NOTHING;
}

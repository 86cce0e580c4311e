/* SPDX-License-Identifier: MIT */
#include "read/callgrind/reader.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- parts -------------------------------------------------------------------------------- */

static void choose_part(struct callgrind_reader *r)
{
    r->builder->leaves_out = false;
    for (enum part_number kind = 0; kind < PART_NUMBERS; kind++)
        r->builder->leaves_out |= r->wanted[kind].index.used > 0 &&
                                  ids_find(&r->wanted[kind], (uint64_t)r->numbers[kind]) == NONE;
}

void callgrind_begin_part(struct callgrind_reader *r)
{
    r->numbers[PART_THREAD] = r->numbers[PART_PART] = -1;
    r->trigger = text_of(NULL, 0);
    choose_part(r);
}

void callgrind_begin_parts(struct callgrind_reader *r)
{
    const struct cg2wg_samples *s = &r->options->given->samples;
    for (size_t i = 0; i < s->pid_count; i++)
        ids_set(&r->wanted[PART_PID], s->pids[i], 0);
    for (size_t i = 0; i < s->tid_count; i++)
        ids_set(&r->wanted[PART_THREAD], s->tids[i], 0);
    for (size_t i = 0; i < s->part_count; i++)
        ids_set(&r->wanted[PART_PART], s->parts[i], 0);
    r->numbers[PART_PID] = -1;
    callgrind_begin_part(r);
}

void callgrind_check_parts(struct callgrind_reader *r)
{
    enum { MOST_LISTED = 64 }; /* bytes, and the last number */
    const char *more = "";
    r->builder->profile->header_count -= r->file_headers;
    bool are_wanted = false;
    static const char *const keys[] = {"pid", "thread", "part"};
    static const enum cg2wg_member members[] = {CG2WG_MEMBER_SAMPLES_PIDS, CG2WG_MEMBER_SAMPLES_TIDS,
                                                CG2WG_MEMBER_SAMPLES_PARTS};
    for (enum part_number kind = 0; kind < PART_NUMBERS; kind++) {
        const struct ids *wanted = &r->wanted[kind], *met = &r->met[kind];
        are_wanted |= wanted->index.used > 0;
        for (size_t i = 0; i < wanted->index.used; i++) {
            struct buffer listed = {.length = 0};
            if (ids_find(met, wanted->entries[i].id) != NONE)
                continue;
            if (met->index.used == 0)
                diag_error(diag_about(r->diag, members[kind]), 0, "no part has a number \"%s:\"", keys[kind]);
            for (uint32_t k = 0; k < met->index.used && listed.length < MOST_LISTED; k++) {
                buffer_add_string(&listed, k > 0 ? ", " : "");
                buffer_add_count(&listed, met->entries[k].id);
                more = k + 1 < met->index.used ? ", ..." : "";
            }
            diag_error(r->diag, 0, "no part has \"%s: %" PRIu64 "\"; there are: " TEXT_FMT "%s", keys[kind],
                       wanted->entries[i].id, TEXT_ARG(buffer_text(&listed)), more);
        }
    }
    if (are_wanted && !builder_has_functions(r->builder))
        diag_error(r->diag, 0,
                   r->takes_part ? "the chosen parts have no function"
                                 : "no part matches all of the given numbers together");
}

/* The name of the thread or process at hand; empty: unknown. */
static uint32_t name_of(const struct callgrind_reader *r, enum cg2wg_group by)
{
    int64_t pid = r->numbers[PART_PID], thread = by == CG2WG_GROUP_THREAD ? r->numbers[PART_THREAD] : -1;
    char name[64] = "", *end = name;
    if (pid >= 0)
        end += sprintf(end, "pid %" PRId64 "%s", pid, thread >= 0 ? ", " : "");
    if (thread >= 0)
        sprintf(end, "thread %" PRId64, thread);
    return names_intern(r->events.names, text_of_string(name));
}

void callgrind_list_part(struct callgrind_reader *r)
{
    struct listed_parts *parts = r->builder->listed;
    struct listed_part part = {{0}};
    if (parts == NULL)
        return;
    if (!r->builder->leaves_out) {
        bool is_run = r->builder->profile->producer == PRODUCER_XDEBUG;
        parts->runs += is_run;
        part = (struct listed_part){
            {is_run ? (uint32_t)parts->runs : 0, name_of(r, CG2WG_GROUP_THREAD), name_of(r, CG2WG_GROUP_PROCESS)}};
    }
    array_append(&parts->all, &parts->count, &parts->capacity, &part, sizeof part);
}

bool callgrind_name_part(struct callgrind_reader *r)
{
    struct parts *parts = r->builder->parts;
    parts->name = name_of(r, parts->choice->by);
    parts->is_left_out = r->builder->leaves_out;
    parts->are_known |= parts->name != NAME_EMPTY && !parts_are_runs(parts);
    bool is_empty = r->builder->profile->function_count == 0 && !parts_are_runs(parts);
    return !parts->is_left_out && !is_empty &&
           (!parts_are_runs(parts) || r->builder->profile->producer == PRODUCER_XDEBUG);
}

static bool is_of_part(const struct names *names, const struct header *header)
{
    struct text key = names_text(names, header->key), value = names_text(names, header->value);
    return header->kind == HEADER_SUMMARY || text_equals(key, "totals") || text_equals(key, "part") ||
           text_equals(key, "thread") || text_starts(value, "Trigger: ") || text_starts(value, "Timerange: ");
}

/* Lists a part that ends. Of one that is left out, headers about its file stay until a part counts or it ends. */
static void finish_part(struct callgrind_reader *r)
{
    struct profile *profile = r->builder->profile;
    struct event_list *list = r->options->list;
    size_t first = r->part.first_header, end = profile->header_count;
    bool is_part = r->part.in_body || r->numbers[PART_PART] >= 0 || r->numbers[PART_THREAD] >= 0;
    if (list != NULL && list->count > 0 && is_part && !r->builder->leaves_out) {
        struct cg2wg_part part = {r->numbers[PART_PART], r->numbers[PART_PID], r->numbers[PART_THREAD], r->trigger.at,
                                  list->events[0].total};
        cost_subtract(&part.total, r->listed);
        array_append(&list->parts, &list->part_count, &list->part_capacity, &part, sizeof part);
        r->listed = list->events[0].total;
    }
    bool is_file = false; /* it says who made it, so what an earlier one has said is not about it */
    for (size_t i = first; i < end; i++)
        is_file |= text_equals(names_text(&profile->names, profile->headers[i].key), "creator");
    r->part.first_header = profile->header_count = is_file ? first - r->file_headers : first;
    for (size_t i = first; i < end; i++)
        if (!r->builder->leaves_out || (is_file && !is_of_part(&profile->names, &profile->headers[i])))
            profile->headers[profile->header_count++] = profile->headers[i];
    r->takes_part |= !r->builder->leaves_out;
    if (is_file || !r->builder->leaves_out)
        r->file_headers = 0;
    if (r->builder->leaves_out)
        r->file_headers += profile->header_count - r->part.first_header;
}

/* Reads the cost of an event in a `summary:` or `totals:` line. Returns false if it is malformed. */
static bool sum_of_costs(struct callgrind_reader *r, size_t event, struct text costs, cost_t *sum)
{
    struct cost_oddities found = {.overflow = false};
    if (event_costs_parse(&r->events, &costs, &found) == 0 || !text_is_empty(costs) || found.overflow)
        return false;
    *sum = 0;
    if (r->events.are_chosen) /* a part without costs may lack the event */
        *sum = event_costs_values(&r->events)[event];
    return true;
}

/*
 * webgrind's percentages are relative to the summary. A part without one, or whose summary is not a number, uses its
 * totals; if these are missing, too, the total is computed when the profile is complete. Of several summaries (two
 * {main} in one part), the first counts for the part. Valgrind's totals are the sum of what it has written. Its summary
 * is not, if there are threads, signals or dumps, so the totals count. Xdebug up to 2.7 writes the cost of {main}
 * without what runs after it (shutdown functions); that is added.
 */
static void decide_part(struct callgrind_reader *r, size_t event, struct header *headers, size_t count)
{
    struct profile *profile = r->builder->profile;
    struct header *summary = NULL;
    cost_t self = builder_run_self(r->builder, event), sum = 0, totals = 0, missing;
    for (struct header *header = headers; header < headers + count; header++) {
        if (header->kind != HEADER_SUMMARY)
            continue;
        bool has_totals = sum_of_costs(r, event, r->part.totals, &totals);
        header->has_total = sum_of_costs(r, event, text_trim(names_text(&profile->names, header->value)),
                                         &header->total);
        /* webgrind uses the first number, which is that of the first event. */
        if (header->has_total && header->total != r->events.costs[0])
            header->value = NAME_EMPTY;
        bool is_missing = !header->has_total || header->total == 0;
        if (has_totals && summary == NULL && (is_missing || (r->is_by_valgrind && header->total != totals)))
            *header = (struct header){.kind = HEADER_SUMMARY, .has_total = true, .total = totals};
        header->self_total = summary != NULL ? 0 : self;
        cost_add(&sum, header->total);
        summary = summary != NULL ? summary : header;
    }
    if (summary != NULL && r->part.total_is_mains && profile->producer == PRODUCER_XDEBUG &&
        !__builtin_sub_overflow(self, sum, &missing) && missing > 0) {
        cost_add(&summary->total, missing);
        summary->value = NAME_EMPTY;
    }
    if (summary != NULL && summary->has_total && !r->part.total_is_mains &&
        profile_is_memory(profile, r->events.choices[event].wish.event))
        summary->peak = summary->total;
}

void callgrind_end_part(struct callgrind_reader *r)
{
    struct profile *profile = r->builder->profile;
    bool has_summary = false;
    if (r->part.in_body || r->part.has_cost || (r->part.keys != 0 && r->options->list != NULL)) {
        event_costs_choose(&r->events, r->lines->number);
        builder_enter(r->builder);
    }
    finish_part(r);
    if (r->builder->leaves_out)
        return;
    struct vectors *vectors = r->builder->vectors;
    for (size_t i = r->part.first_header; i < profile->header_count; i++)
        has_summary |= profile->headers[i].kind == HEADER_SUMMARY;
    if (!has_summary && !r->part.in_body)
        return;
    if (!has_summary) {
        struct header made = {.kind = HEADER_SUMMARY, .line = r->lines->number};
        profile_add_header(profile, text_of("", 0), text_of("", 0), made);
    }
    size_t first = r->part.first_header, count = profile->header_count - first;
    struct header *own = profile->headers + first;
    for (size_t event = vectors != NULL ? vectors->events : 1; --event > 0;) {
        struct header *others = memory_copy(own, count * sizeof *others);
        decide_part(r, event, others, count);
        for (size_t i = 0; i < count; i++) {
            struct event_header other = {event, first + i, others[i]};
            if (other.header.kind == HEADER_SUMMARY)
                array_append(&vectors->headers, &vectors->header_count, &vectors->header_capacity, &other,
                             sizeof other);
        }
        memory_free(others);
    }
    decide_part(r, 0, own, count);
}

/* ---- header lines ------------------------------------------------------------------------- */

/* The line comes after the addresses, even if the header names it first (as orbuculum did). */
static void set_positions(struct callgrind_reader *r, struct text value)
{
    struct text line = value;
    r->position_count = 0;
    r->line_position = NO_LINE_POSITION;
    while (!text_is_empty(value)) {
        struct text word = text_take_word(&value);
        bool is_line = text_equals(word, "line");
        bool is_other = text_equals(word, "instr") || text_equals(word, "addr") || text_equals(word, "bb");
        bool is_full = r->position_count == MAX_POSITIONS;
        if (!(is_line || is_other) || is_full)
            diag_problem(r->diag, r->lines->number, "found positions \"" TEXT_FMT "\", expected instr, bb or line",
                         TEXT_ARG(line));
        if (is_full)
            break;
        if (is_line)
            r->line_position = (int)r->position_count;
        else if (is_other && r->line_position != NO_LINE_POSITION)
            r->line_position++;
        r->position_count++;
    }
    if (r->position_count == 0) {
        r->position_count = 1;
        r->line_position = 0;
    }
}

enum { NOT_USED, PID, THREAD, PART, VERSION, CREATOR, COMMAND, DESCRIPTION, EVENT, EVENTS, POSITIONS, SUMMARY, TOTALS };

static const struct header_key header_keys[] = {
    {"version", VERSION, true}, {"creator", CREATOR, false},    {"pid", PID, true},           {"cmd", COMMAND, false},
    {"thread", THREAD, true},   {"part", PART, true},           {"desc", DESCRIPTION, false}, {"event", EVENT, false},
    {"events", EVENTS, true},   {"positions", POSITIONS, true}, {"summary", SUMMARY, false},  {"totals", TOTALS, false},
    {NULL, NOT_USED, false},
};

const struct header_key *callgrind_split_header(struct text line, struct text *key, struct text *value)
{
    const struct header_key *known = header_keys;
    *value = line;
    *key = header_take_key(value);
    bool is_key = key->end < line.end && !text_is_empty(*key) && char_is_alpha(*key->at);
    for (const char *p = key->at; is_key && p < key->end; p++)
        is_key = char_is_alpha(*p) || char_is_digit(*p) || *p == '_' || *p == '-';
    while (is_key && known->key != NULL && !text_equals(*key, known->key))
        known++;
    return is_key ? known : NULL;
}

bool callgrind_begins_part(const struct callgrind_reader *r, const struct header_key *known)
{
    bool has_total = (r->part.keys & (1U << SUMMARY | 1U << TOTALS)) != 0;
    return known->begins_part && (r->part.in_body || (has_total && (r->part.keys & 1U << known->value) != 0));
}

static void use_header(struct callgrind_reader *r, int use, struct text value)
{
    static const char trigger[] = "Trigger: ";
    struct profile *profile = r->builder->profile;
    struct text rest = value;
    uint64_t number = 0;
    bool is_number = text_take_number(&rest, &number, NULL);
    int kind = use - PID; /* if it is one of enum part_number */
    switch (use) {
    case VERSION:
        if (is_number && number > 1)
            diag_problem(r->diag, r->lines->number, "found version " TEXT_FMT " of the format, expected at most 1",
                         TEXT_ARG(value));
        break;
    case CREATOR:
        r->is_by_valgrind = r->is_by_callgrind = text_starts(value, "callgrind");
        profile->marks_levels = /* also in what cg2wg has written of one by callgrind */
            r->is_by_callgrind || (text_starts(value, "cg2wg ") && text_ends(value, " of callgrind"));
        r->unknown_file = r->is_by_callgrind ? names_intern(&profile->names, text_of("???", 3)) : NONE;
        r->events.ticks_are_microseconds = text_equals(value, "yappi");
        r->numbers[PART_PID] = r->part.has_pid ? r->numbers[PART_PID] : -1; /* an earlier file's is not this one's */
        choose_part(r);
        break;
    case COMMAND: r->is_aggregate = text_equals(value, "Aggregate"); break;
    case PID:
    case THREAD:
    case PART: /* may leave the part out */
        r->numbers[kind] = is_number && number <= INT64_MAX ? (int64_t)number : -1;
        choose_part(r);
        r->part.has_pid |= use == PID;
        if (r->numbers[kind] >= 0 && r->wanted[kind].index.used > 0)
            ids_set(&r->met[kind], number, 0);
        break;
    case DESCRIPTION:
        /* cachegrind writes no creator, but the sizes of the caches */
        r->is_by_valgrind |= !profile->has_creator && text_starts(value, "I1 cache");
        if (text_starts(value, trigger)) {
            value.at += sizeof trigger - 1;
            r->trigger = names_text(&profile->names, names_intern(&profile->names, value));
        }
        break;
    case EVENT: event_costs_define(&r->events, value); break;
    case EVENTS: event_costs_set_columns(&r->events, value); break;
    case POSITIONS: set_positions(r, value); break;
    case TOTALS: /* its value stays valid after its line: it is part of a header line, which the names keep */
        r->part.totals = names_text(&profile->names, names_intern(&profile->names, value));
        break;
    default: break;
    }
}

void callgrind_read_header(struct callgrind_reader *r, const struct header_key *known, struct text key,
                           struct text written)
{
    struct profile *profile = r->builder->profile;
    struct text value = text_trim(written);
    bool is_hhvms = text_equals(key, "Summary") && profile->producer == PRODUCER_XDEBUG;
    int use = is_hhvms ? SUMMARY : known->value;
    r->form_may_change = true;
    r->part.keys |= 1U << use;
    use_header(r, use, value);
    bool is_summary = use == SUMMARY;
    for (const char *c = value.at; c < value.end && (is_summary || use == TOTALS); c++)
        r->part.has_cost |= *c != '0' && !char_is_blank(*c);
    r->record.has_total |= is_summary && !r->builder->has_self && !r->calls.has_callee;
    r->part.total_is_mains |= r->record.has_total && r->record.has_function;
    r->part.has_summary |= is_summary && !text_is_empty(value);
    struct header header = {.kind = HEADER_OTHER};
    if (!text_is_empty(value) && (is_summary || use == EVENTS))
        header.kind = is_summary ? HEADER_SUMMARY : HEADER_EVENTS;
    if (header.kind == HEADER_SUMMARY && r->part.in_body && r->part.first_summary > 0) { /* which it replaces */
        profile->headers[r->part.first_summary - 1].value = names_intern(&profile->names, written);
        return;
    }
    profile_add_header(profile, key, written, header);
    if (header.kind == HEADER_SUMMARY && !r->part.in_body)
        r->part.first_summary = profile->header_count;
}

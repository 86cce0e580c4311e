#include "read/callgrind/reader.h"

/* ---- parts -------------------------------------------------------------------------------- */

/* Reads the costs of a `summary:` or `totals:` line. Returns false if they are malformed. */
static bool sum_of_costs(struct callgrind_reader *r, struct text costs, cost_t *sum)
{
    struct cost_oddities found = {false, false};
    if (event_costs_parse(&r->events, &costs, &found) == 0 || !text_is_empty(costs) || found.overflow)
        return false;
    *sum = event_costs_sum(&r->events);
    return true;
}

/*
 * webgrind's percentages are relative to the summary. A part without one, or whose summary is not a number, uses its
 * totals; if these are missing, too, the total is computed when the profile is complete. Of several summaries (two
 * {main} in one part), the first counts for the part. Valgrind's totals are the sum of what it has written. Its summary
 * is not, if there are threads, signals or dumps, so the totals count. Xdebug up to 2.7 writes the cost of {main}
 * without what runs after it (shutdown functions); that is added.
 */
void callgrind_end_part(struct callgrind_reader *r)
{
    struct profile *profile = r->builder->profile;
    struct header *summary = NULL;
    cost_t totals = 0, sum = 0, missing;

    if (r->part.in_body || profile->header_count > r->part.first_header) {
        event_costs_choose(&r->events, r->lines->number);
        builder_enter(r->builder);
    }
    cost_t self = r->builder->run_self;
    bool has_totals = sum_of_costs(r, r->part.totals, &totals);
    for (size_t i = r->part.first_header; i < profile->header_count; i++) {
        struct header *header = &profile->headers[i];
        if (header->kind != HEADER_SUMMARY)
            continue;
        struct text value = text_trim(names_text(&profile->names, header->value));
        header->has_total = sum_of_costs(r, value, &header->total);
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
    struct header made = {.kind = HEADER_SUMMARY, .has_total = has_totals, .total = totals, .self_total = self,
                          .line = r->lines->number};
    if (summary == NULL && r->part.in_body)
        profile_add_header(profile, text_of("", 0), text_of("", 0), made);
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

static const struct header_key {
    const char *key;
    bool begins_part; /* after body lines it does */
    /* What its value is used for. */
    enum { NOT_USED, VERSION, CREATOR, COMMAND, DESCRIPTION, EVENT, EVENTS, POSITIONS, SUMMARY, TOTALS } value;
} header_keys[] = {
    {"version", true, VERSION},
    {"creator", false, CREATOR},
    {"pid", true, NOT_USED},
    {"cmd", false, COMMAND},
    {"thread", true, NOT_USED},
    {"part", true, NOT_USED},
    {"desc", false, DESCRIPTION},
    {"event", false, EVENT},
    {"events", true, EVENTS},
    {"positions", true, POSITIONS},
    {"summary", false, SUMMARY},
    {"totals", false, TOTALS},
    {NULL, false, NOT_USED}, /* any other key */
};

/* Splits `key: value`. NULL: the line does not look like that. */
static const struct header_key *split_header(struct text line, struct text *key, struct text *value)
{
    const struct header_key *known = header_keys;
    const char *p = line.at;
    if (p == line.end || !char_is_alpha(*p))
        return NULL;
    while (p < line.end && (char_is_alpha(*p) || char_is_digit(*p) || *p == '_' || *p == '-'))
        p++;
    if (p == line.end || *p != ':')
        return NULL;
    *key = (struct text){line.at, p};
    *value = text_trim((struct text){p + 1, line.end});
    while (known->key != NULL && !text_equals(*key, known->key))
        known++;
    return known;
}

bool callgrind_knows_header(struct text line)
{
    struct text key, value;
    const struct header_key *known = split_header(line, &key, &value);
    return known != NULL && known->key != NULL;
}

bool callgrind_begins_part(struct text line)
{
    struct text key, value;
    const struct header_key *known = split_header(line, &key, &value);
    return known != NULL && known->begins_part;
}

bool callgrind_read_header(struct callgrind_reader *r, struct text line)
{
    struct text key, value, rest;
    const struct header_key *known = split_header(line, &key, &value);
    uint64_t major;
    if (known == NULL)
        return false;
    rest = value;
    r->form_may_change = true;
    switch (known->value) {
    case VERSION:
        if (text_take_number(&rest, &major, NULL) && major > 1)
            diag_problem(r->diag, r->lines->number, "found version " TEXT_FMT " of the format, expected at most 1",
                         TEXT_ARG(value));
        break;
    case CREATOR:
        r->is_by_valgrind = r->is_by_callgrind = text_starts(value, "callgrind");
        r->builder->profile->marks_levels = r->is_by_callgrind;
        r->unknown_file = r->is_by_callgrind ? names_intern(r->events.names, text_of("???", 3)) : NONE;
        r->events.ticks_are_microseconds = text_equals(value, "yappi");
        break;
    case COMMAND: r->is_aggregate = text_equals(value, "Aggregate"); break;
    case DESCRIPTION: /* cachegrind writes no creator, but the sizes of the caches */
        r->is_by_valgrind |= !r->builder->profile->has_creator && text_starts(value, "I1 cache");
        break;
    case EVENT: event_costs_define(&r->events, value); break;
    case EVENTS: event_costs_set_columns(&r->events, value); break;
    case POSITIONS: set_positions(r, value); break;
    case TOTALS: /* its value stays valid after its line: it is part of a header line, which the names keep */
        r->part.totals = names_text(r->events.names, names_intern(r->events.names, value));
        break;
    default: break;
    }
    bool is_summary = known->value == SUMMARY;
    r->record.has_total |= is_summary && !r->builder->has_self && !r->calls.has_callee;
    r->part.total_is_mains |= r->record.has_total && r->record.has_function;
    r->part.has_summary |= is_summary && !text_is_empty(value);
    struct header header = {.kind = text_is_empty(value)     ? HEADER_OTHER
                                    : known->value == EVENTS ? HEADER_EVENTS
                                    : is_summary             ? HEADER_SUMMARY : HEADER_OTHER};
    header_take_key(&line);
    profile_add_header(r->builder->profile, key, line, header);
    return true;
}

/*
 * Reads the reports of aprof, an input-sensitive profiler for Valgrind, in all its
 * versions, 0 to 6.
 *
 * A report consists of lines `TAG FIELD...`: a header, then for each routine an `r` line and its
 * tuples, one line for each size of its calls' input. Tuples belong to the routine (`p`) or to its
 * calling contexts (`q`). The contexts follow, `x`, each with its parent:
 *
 *     r "main" "/opt/demo" 7
 *     q 1 4 100 100 100 10000 1 100 20 20 20 400
 *     x 7 1 -1
 *
 * So everything is collected first, and the profile and its tree are made at the end.
 */
#include "read/aprof_reader.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEWEST_VERSION = 6 };

/* Skips a malformed line. */
static bool skip_line(struct aprof_reader *r, struct text line, const char *expected)
{
    r->malformed_lines++;
    return diag_problem(r->diag, r->lines->number, "found \"" TEXT_FMT "\", expected %s",
                        TEXT_ARG(line), expected);
}

static bool intern(struct aprof_reader *r, struct text text, uint32_t *name)
{
    *name = names_intern(r->events.names, text);
    return true;
}

/* ---- ids ---------------------------------------------------------------------------------- */

/* Adds a routine, which from now on owns its id. */
static bool add_routine(struct aprof_reader *r, struct routine routine)
{
    r->current = (uint32_t)r->routine_count;
    return (r->routine_count < IDS_NONE && (ids_set(&r->routine_ids, routine.id, r->current), true) &&
            (array_append(&r->routines, &r->routine_count, &r->routine_capacity, &routine, sizeof routine), true)) ||
           diag_no_memory(r->diag);
}

/* Adds a context, and sets *number to its index. */
static bool add_context(struct aprof_reader *r, uint64_t id, uint32_t routine, uint32_t *number)
{
    struct reported_context context = {.id = id, .routine = routine};
    *number = (uint32_t)r->context_count;
    return (r->context_count < IDS_NONE && (ids_set(&r->context_ids, id, *number), true) &&
            (array_append(&r->contexts, &r->context_count, &r->context_capacity, &context, sizeof context), true)) ||
           diag_no_memory(r->diag);
}

/* ---- header lines ------------------------------------------------------------------------- */

static bool take_version(struct aprof_reader *r, struct text value)
{
    struct text rest = value;
    uint64_t version;
    if (!aprof_take_id(&rest, &version))
        return skip_line(r, value, "the version of the report");
    if (r->routine_count > 0)
        return diag_error(r->diag, r->lines->number,
                          "found a second report after the first, expected one report per file");
    r->version = version;
    return version <= NEWEST_VERSION ||
           diag_problem(r->diag, r->lines->number,
                        "found version %" PRIu64 " of aprof's report, expected at most %d; it is "
                        "read as version %d", version, NEWEST_VERSION, NEWEST_VERSION);
}

static bool take_total(struct aprof_reader *r, struct text value)
{
    struct text rest = value;
    uint64_t total;
    if (!aprof_take_number(&rest, &total, NULL))
        return skip_line(r, value, "the total cost");
    r->total = total <= INT64_MAX ? (cost_t)total : INT64_MAX;
    r->has_total = true;
    return total <= INT64_MAX || diag_problem(r->diag, r->lines->number,
                                              "found a total that is too large, expected at most 63 bits");
}

/* The metric is the name of the event, and names contain no blanks. */
static bool take_metric(struct aprof_reader *r, struct text value)
{
    value = text_trim(value);
    return intern(r, text_take_word(&value), &r->metric);
}

/* Merged reports have no command. Some builds wrote other `f` lines after each routine. */
static bool take_command(struct aprof_reader *r, struct text value)
{
    if (r->has_command)
        return true;
    r->has_command = true;
    value = text_trim(value);
    return text_equals(value, "(null)") || intern(r, value, &r->command);
}

/* ---- routines ----------------------------------------------------------------------------- */

static bool take_routine(struct aprof_reader *r, struct text value)
{
    struct text name, object;
    struct routine routine = {.id = 0};
    r->current = IDS_NONE;
    if (!aprof_split_routine(value, r->version == 0, &name, &object, &routine.id))
        return skip_line(r, value, "the name, object and id of a routine");
    if (!intern(r, name, &routine.name) || !intern(r, object, &routine.object))
        return false;
    r->current = ids_find(&r->routine_ids, routine.id);
    if (r->current == IDS_NONE)
        return add_routine(r, routine);
    return (r->routines[r->current].name == routine.name &&
            r->routines[r->current].object == routine.object) ||
           (add_routine(r, routine) && skip_line(r, value, "an id that no other routine has"));
}

/* Takes `ID "NAME"`: a routine's mangled name, or the one to show if its `r` line has the mangled one. */
static bool take_other_name(struct aprof_reader *r, struct text value, bool is_mangled)
{
    struct text rest = value, quoted;
    uint64_t id;
    uint32_t name, number;
    if (!aprof_take_id(&rest, &id) || !aprof_take_quoted(&rest, &quoted))
        return skip_line(r, value, "an id and a name");
    number = ids_find(&r->routine_ids, id);
    if (number == IDS_NONE)
        return skip_line(r, value, "the id of a routine");
    if (!intern(r, quoted, &name))
        return false;
    struct routine *routine = &r->routines[number];
    if (is_mangled || routine->mangled == NAME_EMPTY)
        routine->mangled = is_mangled ? name : routine->name;
    if (!is_mangled)
        routine->name = name;
    return true;
}

/* ---- tuples and contexts ------------------------------------------------------------------ */

/* Adds the tuple of a routine to `sum`, and keeps it by its size. Until the end, functions are routines. */
static bool add_tuple(struct aprof_reader *r, struct cg2wg_size_cost *t, uint32_t routine,
                      struct tuple_costs *sum)
{
    bool is_outermost = r->options->inclusive != CG2WG_INCLUSIVE_SUM && t->outermost != SIZE_COST_UNKNOWN;
    cost_add(&sum->sum, t->sum);
    cost_add(&sum->inclusive, is_outermost ? t->outermost : t->sum);
    cost_add(&sum->self, t->self != SIZE_COST_UNKNOWN ? t->self : 0);
    count_add(&sum->calls, t->calls);
    t->function = routine;
    struct sizes *sizes = r->options->sizes;
    return sizes == NULL || (array_append(&sizes->costs, &sizes->count, &sizes->capacity, t, sizeof *t), true);
}

/*
 * A tuple of a routine or a context. A context's routine is that of the last `r` line, because contexts
 * are defined later.
 */
static bool take_tuple(struct aprof_reader *r, struct text value, bool is_contexts)
{
    struct text rest = value;
    struct cg2wg_size_cost tuple;
    bool overflow = false;
    uint64_t id;
    char expected[64];
    if (!aprof_take_id(&rest, &id))
        return skip_line(r, value, is_contexts ? "the id of a context" : "the id of a routine");
    uint32_t routine = is_contexts ? r->current : ids_find(&r->routine_ids, id);
    uint32_t context = is_contexts ? ids_find(&r->context_ids, id) : IDS_NONE;
    if (routine == IDS_NONE)
        return skip_line(r, value, is_contexts ? "an r line before it"
                                               : "the id of a routine that an r line has named");
    if (context != IDS_NONE && r->contexts[context].routine != routine)
        return skip_line(r, value, "a context that belongs to this routine");
    size_t needed = aprof_read_tuple(r->version, rest, &tuple, &overflow);
    snprintf(expected, sizeof expected, "an id and at least %zu numbers", needed);
    if (needed > 0)
        return skip_line(r, value, expected);
    if (is_contexts && context == IDS_NONE && !add_context(r, id, routine, &context))
        return false;
    r->routines[routine].has_costs |= !is_contexts;
    return add_tuple(r, &tuple, routine,
                     is_contexts ? &r->contexts[context].costs : &r->routines[routine].costs) &&
           (!overflow || diag_problem(r->diag, r->lines->number,
                                      "found a number that is too large, expected at most 64 bits, or 63 "
                                      "for a cost"));
}

/* `ROUTINE CONTEXT PARENT`, where PARENT is -1 for a root. Parents may be defined later. */
static bool take_context(struct aprof_reader *r, struct text value)
{
    struct text rest = value;
    uint64_t routine_id, id, parent = 0;
    bool is_good = aprof_take_id(&rest, &routine_id) && aprof_take_id(&rest, &id);
    bool has_parent = !text_equals(text_trim(rest), "-1");
    if (!is_good || (has_parent && !aprof_take_id(&rest, &parent)))
        return skip_line(r, value, "the ids of a routine, of its context and of the parent, or -1");
    uint32_t routine = ids_find(&r->routine_ids, routine_id);
    if (routine == IDS_NONE)
        return skip_line(r, value, "the id of a routine that an r line has named");
    uint32_t number = ids_find(&r->context_ids, id);
    if (number == IDS_NONE && !add_context(r, id, routine, &number))
        return false;
    struct reported_context *context = &r->contexts[number];
    if (context->line > 0)
        return skip_line(r, value, "no more than one x line for a context");
    if (context->routine != routine)
        return skip_line(r, value, "the routine that the context's tuples belong to");
    context->has_parent = has_parent;
    context->parent_id = parent;
    context->line = r->lines->number;
    return true;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Is it a line about the report itself, not about a routine? Of `f` lines, the first is. */
static bool is_about_report(const struct aprof_reader *r, struct text tag)
{
    if (text_length(tag) != 1)
        return true;
    return *tag.at == 'f' ? !r->has_command : strchr("pqrudx", *tag.at) == NULL;
}

static bool keep_line(struct aprof_reader *r, struct text line)
{
    struct sizes *sizes = r->options->sizes;
    uint32_t kept;
    return intern(r, line, &kept) &&
           ((array_append(&sizes->lines, &sizes->line_count, &sizes->line_capacity, &kept, sizeof kept), true));
}

/* Other tags are not used, known or not. */
static bool take_value(struct aprof_reader *r, char tag, struct text value)
{
    struct sizes *sizes = r->options->sizes;
    switch (tag) {
    case 'p': return take_tuple(r, value, false);
    case 'q': return take_tuple(r, value, true);
    case 'x': return take_context(r, value);
    case 'r': return take_routine(r, value);
    case 'd': return take_other_name(r, value, false);
    case 'u': return sizes == NULL || take_other_name(r, value, true);
    case 'v': return take_version(r, value);
    case 'k': return take_total(r, value);
    case 'm': return take_metric(r, value);
    case 'i': return sizes == NULL || intern(r, text_trim(value), &sizes->measure);
    case 'a': return intern(r, text_trim(value), &r->program);
    case 'f': return take_command(r, value);
    default: return true;
    }
}

static bool take_line(struct aprof_reader *r, struct text line)
{
    struct text tag, value;
    if (text_is_empty(line))
        return true;
    if (!aprof_split_tag(line, &tag, &value))
        return skip_line(r, line, "a line of an aprof report");
    if (r->options->sizes != NULL && is_about_report(r, tag) && !keep_line(r, line))
        return false;
    return text_length(tag) != 1 || take_value(r, *tag.at, value);
}

/* ---- the report --------------------------------------------------------------------------- */

static bool take_end(struct aprof_reader *r)
{
    if (r->routine_count == 0)
        return diag_error(r->diag, 0, "found no routine, expected an aprof report");
    if (r->malformed_lines > r->lines->number - r->malformed_lines)
        return diag_error(r->diag, 0,
                          "found more malformed lines (%" PRIu64 ") than valid ones, expected an "
                          "aprof report", r->malformed_lines);
    return aprof_make_profile(r);
}

static bool read_lines(struct aprof_reader *r)
{
    struct text line;
    while (lines_next(r->lines, &line))
        if (!take_line(r, line))
            return false;
    return take_end(r);
}

static bool aprof_read(struct lines *lines, struct builder *builder, struct diag *diag,
                       const struct frontend_options *options)
{
    struct aprof_reader reader = {.lines = lines,
                            .builder = builder,
                            .diag = diag,
                            .options = options,
                            .current = IDS_NONE};
    const struct index *seeded = &builder->profile->names.index;
    bool done = false;
    event_costs_init(&reader.events, options, builder);
    if ((ids_init(&reader.routine_ids, seeded), true) && (ids_init(&reader.context_ids, seeded), true))
        done = read_lines(&reader);
    else
        diag_no_memory(diag);
    ids_free(&reader.routine_ids);
    ids_free(&reader.context_ids);
    contexts_free(&reader.tree);
    memory_free(reader.routines);
    memory_free(reader.contexts);
    return done;
}

/*
 * Nothing has a fixed position. Up to the version, or without one up to the first routine, there
 * are only lines with tags of one letter.
 */
static enum recognition aprof_recognises(struct text head)
{
    if (text_starts(head, "\xef\xbb\xbf"))
        head.at += 3;
    while (!text_is_empty(head)) {
        struct text line = text_take_line(&head), tag, value, name, object;
        bool is_whole = line.end < head.end;
        uint64_t id;
        if (line.end > line.at && line.end[-1] == '\r')
            line.end--;
        if (!aprof_split_tag(line, &tag, &value) || text_length(tag) != 1)
            return NOT_MINE;
        if (!is_whole)
            break; /* the rest of the line may change its meaning */
        value = text_trim(value);
        if ((*tag.at == 'v' && aprof_take_id(&value, &id) && text_is_empty(value)) ||
            (*tag.at == 'r' && aprof_split_routine(value, true, &name, &object, &id)))
            return MINE;
        if (*tag.at == 'v' || *tag.at == 'r')
            return NOT_MINE;
    }
    return NOT_YET;
}

const struct frontend aprof_frontend = {
    .name = "aprof",
    .reads = "aprof",
    .has_sizes = true,
    .recognises = aprof_recognises,
    .read = aprof_read,
};

/* What a recording says of itself: its events and their names, build-ids, the command. */
#include "read/perf/perf_reader.h"

#include "util/array.h"
#include "util/little.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ATTR_SIZE = 64, /* of the first version; later ones are longer */
    BUILD_ID_NAME = 36,
    EVENT_TYPE_SIZE = 72,
    UPDATE_IS_NAME = 2,
    TYPE_HARDWARE = 0,
    TYPE_SOFTWARE = 1,
    FLAG_INHERIT = 1,
    FLAG_FREQUENCY = 10,
    FLAG_SAMPLE_ID_ALL = 18,
    FLAG_EXCLUDE_CALLCHAIN_USER = 22,
    HAS_BUILD_ID_SIZE = 0x8000
};

bool perf_intern(struct perf_reader *r, struct text text, uint32_t *name)
{
    const char *odd = text.at;
    while (odd < text.end && (unsigned char)*odd >= ' ' && *odd != 0x7f)
        odd++;
    if (odd == text.end)
        return (*name = names_intern(&r->builder->profile->names, text), true);
    size_t length = text_length(text);
    char *copy = memory_get(length);
    if (copy == NULL)
        return diag_no_memory(r->diag);
    for (size_t i = 0; i < length; i++)
        copy[i] = (unsigned char)text.at[i] < ' ' || text.at[i] == 0x7f ? '?' : text.at[i];
    bool done = (*name = names_intern(&r->builder->profile->names, text_of(copy, length)), true);
    memory_free(copy);
    return done || diag_no_memory(r->diag);
}

/* ---- contents ----------------------------------------------------------------------------- */

static bool take_u32(struct text *rest, uint32_t *number)
{
    if (text_length(*rest) < 4)
        return false;
    *number = little4(rest->at);
    rest->at += 4;
    return true;
}

static bool take_bytes(struct text *rest, uint64_t length, struct text *bytes)
{
    if (text_length(*rest) < length)
        return false;
    *bytes = text_of(rest->at, (size_t)length);
    rest->at += length;
    return true;
}

/* Up to the NUL, or all of it if there is none. */
static struct text string_in(struct text bytes)
{
    const char *end = text_is_empty(bytes) ? NULL : memchr(bytes.at, '\0', text_length(bytes));
    return (struct text){bytes.at, end != NULL ? end : bytes.end};
}

static bool take_string(struct text *rest, struct text *string)
{
    uint32_t length;
    if (!take_u32(rest, &length) || !take_bytes(rest, length, string))
        return false;
    *string = string_in(*string);
    return true;
}

static bool odd_feature(struct perf_reader *r, const char *name)
{
    return diag_problem(r->diag, 0, "found a malformed section %s, expected one that ends where its "
                        "size says; the rest of it is left out", name);
}

/* ---- events ------------------------------------------------------------------------------- */

static bool flag(uint64_t flags, unsigned bit)
{
    return (flags >> bit & 1) != 0;
}

bool perf_take_attr(struct perf_reader *r, struct text bytes, struct text ids)
{
    if (text_length(bytes) < ATTR_SIZE)
        return perf_malformed(r, "an event of less than 64 bytes", "a perf_event_attr");
    if (r->attr_count >= NONE ||
        !(array_reserve(&r->attrs, &r->attr_capacity, r->attr_count + 1, sizeof *r->attrs), true))
        return diag_no_memory(r->diag);
    uint64_t flags = little8(bytes.at + 40);
    r->attrs[r->attr_count] =
        (struct perf_attr){.type = little4(bytes.at),
                           .config = little8(bytes.at + 8),
                           .period = little8(bytes.at + 16),
                           .sample_type = little8(bytes.at + 24),
                           .read_format = little8(bytes.at + 32),
                           .is_inherited = flag(flags, FLAG_INHERIT),
                           .has_frequency = flag(flags, FLAG_FREQUENCY),
                           .has_trailers = flag(flags, FLAG_SAMPLE_ID_ALL),
                           .lacks_user_chain = flag(flags, FLAG_EXCLUDE_CALLCHAIN_USER)};
    for (; text_length(ids) >= 8; ids.at += 8)
        ids_set(&r->attr_ids, little8(ids.at), (uint32_t)r->attr_count);
    r->attr_count++;
    return true;
}

/* The event that the first known of some ids belongs to; or if there are none, by its place. */
static struct perf_attr *find_attr(struct perf_reader *r, struct text ids, size_t place)
{
    if (text_is_empty(ids))
        return place < r->attr_count ? &r->attrs[place] : NULL;
    for (; text_length(ids) >= 8; ids.at += 8) {
        uint32_t number = ids_find(&r->attr_ids, little8(ids.at));
        if (number != NONE)
            return &r->attrs[number];
    }
    return NULL;
}

/* u32 count, u32 size of an attr; for each: attr, u32 number of ids, string name, ids. */
static bool take_event_names(struct perf_reader *r, struct text rest)
{
    uint32_t count, size, id_count;
    struct text attr, name, ids;
    if (!take_u32(&rest, &count) || !take_u32(&rest, &size))
        return odd_feature(r, "EVENT_DESC");
    for (uint32_t i = 0; i < count; i++) {
        if (!take_bytes(&rest, size, &attr) || !take_u32(&rest, &id_count) ||
            !take_string(&rest, &name) || !take_bytes(&rest, (uint64_t)id_count * 8, &ids) ||
            text_is_empty(attr))
            return odd_feature(r, "EVENT_DESC");
        struct perf_attr *event = find_attr(r, ids, i);
        if (event != NULL && !text_is_empty(name) && !perf_intern(r, name, &event->name))
            return false;
    }
    return true;
}

bool perf_take_event_update(struct perf_reader *r, struct text record)
{
    if (text_length(record) < 24 || little8(record.at + 8) != UPDATE_IS_NAME)
        return true;
    struct perf_attr *event = find_attr(r, text_of(record.at + 16, 8), 0);
    struct text name = string_in((struct text){record.at + 24, record.end});
    return event == NULL || text_is_empty(name) || perf_intern(r, name, &event->recorded_name);
}

/* Finds the first name of each config: (u64 config, 64 bytes of text) each. */
static bool take_type_names(struct perf_reader *r, struct text rest, struct ids *names)
{
    struct text row;
    uint32_t name;
    while (take_bytes(&rest, EVENT_TYPE_SIZE, &row)) {
        if (ids_find(names, little8(row.at)) != NONE)
            continue;
        if (!perf_intern(r, string_in((struct text){row.at + 8, row.end}), &name))
            return false;
        ids_set(names, little8(row.at), name);
    }
    return true;
}

bool perf_take_event_types(struct perf_reader *r, struct text section)
{
    struct ids names;
    bool done = (ids_init(&names, &r->attr_ids.index), true) ? take_type_names(r, section, &names) : diag_no_memory(r->diag);
    for (size_t i = 0; done && i < r->attr_count; i++) {
        uint32_t name = ids_find(&names, r->attrs[i].config);
        if (name != NONE)
            r->attrs[i].recorded_name = name;
    }
    ids_free(&names);
    return done;
}

static const char *usual_name(const struct perf_attr *event)
{
    static const char *const hardware[] = {"cycles",       "instructions", "cache-references",
                                           "cache-misses", "branches",     "branch-misses"};
    static const char *const software[] = {"cpu-clock", "task-clock", "page-faults",
                                           "context-switches", "cpu-migrations",
                                           NULL, NULL, NULL, NULL, "dummy"};
    if (event->type == TYPE_HARDWARE && event->config < sizeof hardware / sizeof hardware[0])
        return hardware[event->config];
    if (event->type == TYPE_SOFTWARE && event->config < sizeof software / sizeof software[0])
        return software[event->config];
    return NULL;
}

bool perf_name_events(struct perf_reader *r)
{
    for (size_t i = 0; i < r->attr_count; i++) {
        struct perf_attr *event = &r->attrs[i];
        char made_up[32];
        const char *name = usual_name(event);
        if (event->name == NAME_EMPTY)
            event->name = event->recorded_name;
        snprintf(made_up, sizeof made_up, "r%" PRIx64, event->config);
        if (event->name == NAME_EMPTY &&
            !perf_intern(r, text_of_string(name != NULL ? name : made_up), &event->name))
            return false;
    }
    return true;
}

/* ---- build-ids ---------------------------------------------------------------------------- */

/* The length of a build-id that has been filled with zeros, by fours. */
static size_t unfilled_length(const char *id)
{
    size_t length = BUILD_ID_MAX;
    while (length > 0 && little4(id + length - 4) == 0)
        length -= 4;
    return length;
}

/* The record's head, i32 pid, 20 bytes id, u8 its length, 3 bytes, name. */
bool perf_take_build_id(struct perf_reader *r, struct text record)
{
    uint32_t name = NAME_EMPTY, id;
    if (r->is_old)
        return true;
    if (text_length(record) <= BUILD_ID_NAME)
        return perf_malformed(r, "a build-id without a name", "a build-id");
    size_t length = unfilled_length(record.at + 12);
    if ((little2(record.at + 4) & HAS_BUILD_ID_SIZE) != 0)
        length = (unsigned char)record.at[32];
    if (length > BUILD_ID_MAX)
        length = BUILD_ID_MAX;
    struct names *names = &r->builder->profile->names;
    id = names_intern(names, text_of(record.at + 12, length));
    struct text path = string_in((struct text){record.at + BUILD_ID_NAME, record.end});
    if (text_starts(path, "[kernel.kallsyms]") && r->kernel.build_id == NAME_EMPTY)
        r->kernel.build_id = id;
    if (!perf_intern(r, path, &name))
        return false;
    return ids_find(&r->build_ids, name) != NONE || (ids_set(&r->build_ids, name, id), true);
}

static bool take_build_ids(struct perf_reader *r, struct text rest)
{
    while (!text_is_empty(rest)) {
        size_t size = text_length(rest) < RECORD_HEAD ? 0 : little2(rest.at + 6);
        if (size <= BUILD_ID_NAME || size > text_length(rest))
            return odd_feature(r, "BUILD_ID");
        if (!perf_take_build_id(r, text_of(rest.at, size)))
            return false;
        rest.at += size;
    }
    return true;
}

/* ---- features ----------------------------------------------------------------------------- */

/* u32 count, strings: joined by blanks. */
static bool take_command(struct perf_reader *r, struct text rest)
{
    uint32_t count;
    struct text word;
    size_t used = 0;
    char *joined = memory_get(text_length(rest) + 1);
    if (joined == NULL)
        return diag_no_memory(r->diag);
    bool done = take_u32(&rest, &count);
    for (uint32_t i = 0; done && i < count; i++) {
        done = take_string(&rest, &word);
        if (!done)
            break;
        if (i > 0)
            joined[used++] = ' ';
        memcpy(joined + used, word.at, text_length(word));
        used += text_length(word);
    }
    done = (done || odd_feature(r, "CMDLINE")) && perf_intern(r, text_of(joined, used), &r->command);
    memory_free(joined);
    return done;
}

static bool take_text(struct perf_reader *r, const char *feature, struct text content, uint32_t *name)
{
    struct text string;
    return take_string(&content, &string) ? perf_intern(r, string, name) : odd_feature(r, feature);
}

bool perf_take_feature(struct perf_reader *r, uint64_t feature, struct text content)
{
    switch (feature) {
    case FEATURE_BUILD_ID:
        return take_build_ids(r, content);
    case FEATURE_HOSTNAME:
        return take_text(r, "HOSTNAME", content, &r->host);
    case FEATURE_OSRELEASE:
        return take_text(r, "OSRELEASE", content, &r->release);
    case FEATURE_VERSION:
        return take_text(r, "VERSION", content, &r->version);
    case FEATURE_CMDLINE:
        return take_command(r, content);
    case FEATURE_EVENT_DESC:
        return take_event_names(r, content);
    default:
        break;
    }
    return true;
}

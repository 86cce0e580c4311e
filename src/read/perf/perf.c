/* SPDX-License-Identifier: MIT */
/*
 * Reads the recordings of perf, Linux's profiler: samples of call chains.
 *
 *     magic, u64 size of this head, u64 size of an event's entry
 *     section of events, of data, of event types (version 1): u64 offset, u64 size each
 *     256 bits: which features there are
 *
 * The sections may be anywhere. The data section is a sequence of records; directly after it is the table of
 * features, a section each. Written to a pipe a recording has no sections, but records instead.
 *
 * It is read from the front to the end, once, if all events are described before the data: what comes after the data
 * is about names only. Otherwise all of it is read at first.
 *
 * perf record -z compresses records. The contents of all such records, one after the other, are one stream of zstd,
 * whose end perf does not write. It is decoded at the end: times put its records where they belong.
 */
#include "os/program.h"
#include "read/perf/elf.h"
#include "read/perf/perf_samples.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdio.h>

enum { FEATURE_BUILD_ID = 2, FEATURE_HOSTNAME = 3, FEATURE_OSRELEASE = 4, FEATURE_VERSION = 5, FEATURE_CMDLINE = 11 };
enum { FEATURE_EVENT_DESC = 12, FEATURE_AUXTRACE = 18, FEATURE_STAT = 19, FEATURE_DIR_FORMAT = 24 };
enum { FEATURE_COMPRESSED = 27, FEATURE_COUNT = 256 };
enum { FEATURE_SIMPLEPERF = 128, FEATURE_SIMPLEPERF_LAST = 132 }; /* of simpleperf, Android's profiler */
enum { MAGIC_SIZE = 8, HEADER_SIZE = 104, PIPE_HEADER_SIZE = 16, SECTION_SIZE = 16, EVENT_TYPE_SIZE = 72 };
enum { ATTR_SIZE = 64 }; /* of the first version; later ones are longer */
enum { FLAG_INHERIT = 1, FLAG_FREQUENCY = 10, FLAG_SAMPLE_ID_ALL = 18, FLAG_EXCLUDE_CALLCHAIN_USER = 22 }; /* bits */
enum { BUILD_ID_NAME = 36, HAS_BUILD_ID_SIZE = 0x8000 }; /* the latter in misc */
enum { UPDATE_IS_NAME = 2, COMPRESSED_ZSTD = 1 };
enum { STEP = 64 * 1024 }; /* how much is passed over at once */

struct file_part {
    uint64_t offset, size;
};

struct recording {
    struct lines *lines;
    struct perf_about *about;
    struct perf_samples *samples;
    bool is_old;    /* version 1 */
    bool has_trace; /* of hardware, which is not decoded */
    uint64_t left;  /* bytes of the data; UINT64_MAX: up to the end of the input */
    bool is_open;   /* perf could not write its end: the last record may be cut off */
    struct file_header {
        uint64_t attr_size;
        struct file_part attrs, data, event_types;
    } header;
    bool has_feature[FEATURE_COUNT];
    struct piece {
        struct text bytes;
        uint64_t offset;    /* in the file */
    } pieces[2];            /* what is before the data, or all; what is after them */
    struct program decoder; /* of compressed records */
};

static const char magic[] = "PERFILE2", old_magic[] = "PERFFILE", swapped_magic[] = "2ELIFREP";

static enum recognition perf_recognises(struct text head)
{
    bool is_mine = text_starts(head, magic) || text_starts(head, old_magic) || text_starts(head, swapped_magic);
    return is_mine ? MINE : NOT_MINE;
}

static _Noreturn void unsupported(const struct perf_about *about, const char *what, const char *remedy)
{
    diag_error(about->diag, 0, "found %s, which cannot be read here, expected a recording without; %s", what, remedy);
}

/* u32 length, text with a NUL, filled up to the length. */
static struct text take_string(struct perf_rest *rest)
{
    return text_before(perf_take_array(rest, perf_take(rest, 4), 1), '\0');
}

/* ---- events ------------------------------------------------------------------------------- */

/* Reads an event: its perf_event_attr, and its ids, eight bytes each. */
static void read_attr(struct perf_about *about, struct text bytes, struct text ids)
{
    perf_expect(about, text_length(bytes) >= ATTR_SIZE, "an event of less than 64 bytes", "a perf_event_attr");
    uint64_t flags = little8(bytes.at + 40);
    struct perf_event event = {.type = little4(bytes.at),
                               .config = little8(bytes.at + 8),
                               .period = little8(bytes.at + 16),
                               .sample_type = little8(bytes.at + 24),
                               .read_format = little8(bytes.at + 32),
                               .is_inherited = flags >> FLAG_INHERIT & 1,
                               .has_frequency = flags >> FLAG_FREQUENCY & 1,
                               .has_trailers = flags >> FLAG_SAMPLE_ID_ALL & 1,
                               .lacks_user_chain = flags >> FLAG_EXCLUDE_CALLCHAIN_USER & 1};
    event.counts_time = event.type == TYPE_SOFTWARE && (event.config == CPU_CLOCK || event.config == TASK_CLOCK);
    for (; text_length(ids) >= 8; ids.at += 8)
        ids_set(&about->event_ids, little8(ids.at), (uint32_t)about->event_count);
    array_append(&about->events, &about->event_count, &about->event_capacity, &event, sizeof event);
}

/* u32 count, u32 size of an attr; for each: attr, u32 number of ids, string name, ids. No ids: its number counts. */
static void read_event_names(struct perf_about *about, struct perf_rest *rest)
{
    uint64_t count = perf_take(rest, 4), size = perf_take(rest, 4);
    rest->is_short |= size == 0 && count > 0;
    for (uint32_t i = 0; i < count && !rest->is_short; i++) {
        perf_take_array(rest, size, 1);
        uint64_t id_count = perf_take(rest, 4);
        struct text name = take_string(rest), ids = perf_take_array(rest, id_count, 8);
        uint32_t event = text_is_empty(ids) && i < about->event_count ? i : NONE;
        for (; text_length(ids) >= 8 && event == NONE; ids.at += 8)
            event = ids_find(&about->event_ids, little8(ids.at));
        if (!rest->is_short && event != NONE && !text_is_empty(name))
            about->events[event].name = perf_intern(about, name);
    }
}

/* The record's head, i32 pid, 20 bytes id, u8 its length, 3 bytes, name. In a feature, and in a pipe. */
static void read_build_id(struct perf_about *about, struct text record)
{
    perf_expect(about, text_length(record) > BUILD_ID_NAME, "a build-id without a name", "a build-id");
    size_t length = BUILD_ID_MAX;
    while (length > 0 && little4(record.at + 12 + length - 4) == 0) /* it may have been filled with zeros */
        length -= 4;
    if ((little2(record.at + 4) & HAS_BUILD_ID_SIZE) != 0)
        length = (unsigned char)record.at[32];
    uint32_t id = names_intern(about->names, text_of(record.at + 12, length < BUILD_ID_MAX ? length : BUILD_ID_MAX));
    struct text path = text_before((struct text){record.at + BUILD_ID_NAME, record.end}, '\0');
    if (text_starts(path, "[kernel.kallsyms]") && about->kernel_id == NAME_EMPTY)
        about->kernel_id = id;
    uint32_t name = perf_intern(about, path);
    if (ids_find(&about->build_ids, name) == NONE)
        ids_set(&about->build_ids, name, id);
}

static void take_name(struct perf_about *about, struct perf_rest *rest, uint32_t *name)
{
    struct text string = take_string(rest);
    if (!rest->is_short)
        *name = perf_intern(about, string);
}

static void read_feature(struct recording *r, uint64_t feature, struct text content)
{
    static const char *const names[] = {
        [FEATURE_BUILD_ID] = "BUILD_ID",     [FEATURE_HOSTNAME] = "HOSTNAME",    [FEATURE_OSRELEASE] = "OSRELEASE",
        [FEATURE_VERSION] = "VERSION",       [FEATURE_CMDLINE] = "CMDLINE",      [FEATURE_EVENT_DESC] = "EVENT_DESC",
        [FEATURE_DIR_FORMAT] = "DIR_FORMAT", [FEATURE_COMPRESSED] = "COMPRESSED"};
    struct perf_about *about = r->about;
    struct perf_rest rest = {content.at, content.end, false};
    struct buffer command = {.bytes = NULL};
    switch (feature) {
    case FEATURE_BUILD_ID: /* records */
        while (rest.at < rest.end && !rest.is_short) {
            size_t size = rest.end - rest.at < RECORD_HEAD ? 0 : little2(rest.at + 6);
            struct text record = perf_take_array(&rest, size, 1);
            rest.is_short |= size <= BUILD_ID_NAME;
            if (!rest.is_short && !r->is_old)
                read_build_id(about, record);
        }
        break;
    case FEATURE_HOSTNAME: take_name(about, &rest, &about->host); break;
    case FEATURE_OSRELEASE: take_name(about, &rest, &about->release); break;
    case FEATURE_VERSION: take_name(about, &rest, &about->version); break;
    case FEATURE_CMDLINE: /* u32 count, strings */
        for (uint64_t i = 0, count = perf_take(&rest, 4); i < count; i++) {
            struct text word = take_string(&rest);
            if (rest.is_short)
                break;
            buffer_add_string(&command, i > 0 ? " " : "");
            buffer_add(&command, word);
        }
        about->command = perf_intern(about, buffer_text(&command));
        break;
    case FEATURE_EVENT_DESC: read_event_names(about, &rest); break;
    case FEATURE_DIR_FORMAT: /* u64 version; 0: all is in this file, as by perf record --kcore */
        if (perf_take(&rest, 8) != 0)
            unsupported(about, "a part of a folder made by perf record --threads", "record without --threads");
        break;
    case FEATURE_COMPRESSED: /* u32 version, type, level, ratio, length of a buffer */
        if (perf_take(&rest, 8) >> 32 != COMPRESSED_ZSTD && !rest.is_short)
            unsupported(about, "records compressed by another program than zstd",
                        "record without -z, or convert the text of perf script");
        break;
    default: break;
    }
    if (rest.is_short) /* it is one of these */
        diag_problem(about->diag, 0,
                     "found a malformed section %s, expected one that ends where its "
                     "size says; the rest of it is left out",
                     names[feature]);
}

/* ---- records ------------------------------------------------------------------------------ */

static uint64_t read_record(struct recording *r, struct text record)
{
    struct perf_about *about = r->about;
    struct text content = {record.at + RECORD_HEAD, record.end};
    struct perf_rest rest = {content.at, content.end, false};
    uint32_t type = little4(record.at);
    uint64_t size;
    switch (type) {
    case RECORD_ATTR: /* the event's own size field says where its ids begin */
        size = text_length(content) >= 8 ? little4(content.at + 4) : 0;
        perf_expect(about, size > 0 && size <= text_length(content), "an event of an impossible size",
                    "one that its record can hold");
        read_attr(about, text_of(content.at, (size_t)size), (struct text){content.at + size, content.end});
        break;
    case RECORD_TRACING_DATA:
        perf_expect(about, text_length(content) >= 4, "tracing data without a size", "a size of 4 bytes");
        return r->about->is_by_simpleperf ? 0 : ((uint64_t)little4(content.at) + 7) / 8 * 8; /* 0: in the record */
    case RECORD_AUXTRACE:
        perf_expect(about, text_length(content) >= 8, "a hardware trace without a size", "a size of 8 bytes");
        r->has_trace = true;
        return little8(content.at);
    case RECORD_BUILD_ID:
        if (!r->is_old)
            read_build_id(about, record);
        break;
    case RECORD_EVENT_UPDATE: /* u64 what; u64 id, and if it is a name, text */
        if (text_length(content) >= 16 && little8(content.at) == UPDATE_IS_NAME) {
            uint32_t event = ids_find(&about->event_ids, little8(content.at + 8));
            struct text name = text_before((struct text){content.at + 16, content.end}, '\0');
            if (event != NONE && about->events[event].name == NAME_EMPTY)
                about->events[event].name = perf_intern(about, name);
        }
        break;
    case RECORD_FEATURE:
        perf_expect(about, text_length(content) >= 8, "a feature without a number", "a number of 8 bytes");
        if (text_length(content) > 8)
            read_feature(r, little8(content.at), (struct text){content.at + 8, content.end});
        break;
    case RECORD_COMPRESSED:
    case RECORD_COMPRESSED2: /* u64 size, and then what it is filled up with */
        perf_expect(about, about->decoded_at == UINT64_MAX, "a compressed record", "none");
        size = type == RECORD_COMPRESSED2 ? perf_take(&rest, 8) : text_length(content);
        content = perf_take_array(&rest, size, 1);
        perf_expect(about, !rest.is_short, "a compressed record that is too short for its data", "a longer one");
        program_give(&r->decoder, content);
        break;
    case RECORD_FINISHED_ROUND:
        if (r->decoder.input < 0) /* what has been compressed is still to come */
            perf_add_record(r->samples, type, record);
        break;
    default: perf_add_record(r->samples, type, record); break;
    }
    return 0;
}

/* Passes over bytes; `records` of them begin there. False: they are not there. */
static bool pass_over(struct recording *r, size_t count, unsigned records)
{
    if (count > r->left || text_length(lines_peek(r->lines, count)) < count)
        return false;
    lines_skip(r->lines, r->lines->at + count, records);
    r->about->position += count;
    r->left -= count;
    return true;
}

static void read_records(struct recording *r)
{
    const struct perf_about *about = r->about;
    bool is_decoded = about->decoded_at != UINT64_MAX, is_whole = true;
    uint64_t record_at = 0, payload = 0;
    while (r->left > 0 && is_whole) {
        record_at = about->position;
        perf_expect(about, r->left >= RECORD_HEAD, "the end of the data within a record", "all of it");
        struct text record = lines_peek(r->lines, RECORD_HEAD);
        if (text_is_empty(record) && (r->is_open || is_decoded))
            return;
        size_t size = text_length(record) < RECORD_HEAD ? RECORD_HEAD : little2(record.at + 6);
        perf_expect(about, size >= RECORD_HEAD, "a record of less than 8 bytes", "8 or more");
        perf_expect(about, size <= r->left, "a record that passes the end of the data", "a shorter one");
        record = lines_peek(r->lines, size);
        if (text_length(record) == size)
            payload = read_record(r, record);
        is_whole = pass_over(r, size, 1);
        for (size_t step; payload > 0 && is_whole; payload -= step) {
            step = payload < STEP ? (size_t)payload : STEP;
            is_whole = pass_over(r, step, 0);
        }
    }
    if (is_whole)
        return;
    if (is_decoded)
        program_check_end(&r->decoder);
    /* If perf has not written where the data end, this is no surprise. */
    perf_expect(about, r->is_open, "the end of the input", "more data");
    diag_problem(about->diag, 0, "ends within the record at byte %" PRIu64 "%s, expected all of it; that is left out",
                 record_at - (is_decoded ? about->decoded_at : 0), is_decoded ? " of the decoded records" : "");
}

/* Reads the records, then those that have been compressed. A last block without content ends their stream. */
static void read_all_records(struct recording *r)
{
    struct perf_about *about = r->about;
    struct lines *lines = r->lines, decoded;
    read_records(r);
    if (r->decoder.input >= 0) {
        program_give(&r->decoder, text_of("\1\0\0", 3));
        program_start(&r->decoder, -1, text_of("", 0));
        struct source output = {
            .diag = about->diag, .fd = r->decoder.output, .is_slow = true, .program = program_of(NULL, about->diag)};
        lines_init(&decoded, &output, 0);
        r->lines = &decoded;
        r->left = UINT64_MAX;
        about->decoded_at = about->position;
        read_records(r);
        program_check_end(&r->decoder);
        lines_free(&decoded);
        program_stop(&r->decoder);
        r->lines = lines;
    }
    perf_end_records(r->samples);
    about->position = about->decoded_at < about->position ? about->decoded_at : about->position;
    about->decoded_at = UINT64_MAX;
}

/* ---- sections ----------------------------------------------------------------------------- */

static struct file_part part_at(const char *p)
{
    return (struct file_part){little8(p), little8(p + 8)};
}

/* The bytes of a section; at NULL if they are in none of the pieces. */
static struct text section_bytes(const struct recording *r, struct file_part section)
{
    for (const struct piece *piece = r->pieces; piece < r->pieces + 2; piece++) {
        uint64_t end = piece->offset + text_length(piece->bytes);
        if (section.offset >= piece->offset && section.offset <= end && section.size <= end - section.offset)
            return text_of(piece->bytes.at + (section.offset - piece->offset), (size_t)section.size);
    }
    return text_of(NULL, 0);
}

/* False: events, or their ids, are in none of the pieces. */
static bool read_events(struct recording *r)
{
    size_t entry_size = (size_t)r->header.attr_size, size = entry_size - SECTION_SIZE;
    size_t left = text_length(r->pieces[0].bytes) + text_length(r->pieces[1].bytes); /* of what ids can be together */
    struct text attrs = section_bytes(r, r->header.attrs);
    r->about->event_count = 0;
    if (attrs.at == NULL)
        return false;
    for (; text_length(attrs) >= entry_size; attrs.at += entry_size) {
        struct text ids = section_bytes(r, part_at(attrs.at + size));
        if (ids.at == NULL)
            return false;
        if (text_length(ids) > left)
            diag_error(r->about->diag, 0, "found sections of ids that overlap, expected one for each event");
        left -= text_length(ids);
        read_attr(r->about, text_of(attrs.at, size), ids);
    }
    return true;
}

/*
 * Reads the contents of all features, whose table is directly after the data; and the names of events that version 1
 * has, (u64 config, 64 bytes of text) each: the first of each config.
 */
static void read_features(struct recording *r)
{
    struct perf_about *about = r->about;
    struct file_part entry = {r->header.data.offset + r->header.data.size, SECTION_SIZE};
    struct ids names = {.capacity = 0};
    about->knows_build_ids = true;
    for (unsigned feature = 0; feature < FEATURE_COUNT; feature++) {
        if (!r->has_feature[feature])
            continue;
        struct text bytes = section_bytes(r, entry);
        struct text content = bytes.at != NULL ? section_bytes(r, part_at(bytes.at)) : bytes;
        if (content.at != NULL)
            read_feature(r, feature, content);
        else
            diag_problem(about->diag, 0, "found feature %u outside of the file, expected it within; it is left out",
                         feature);
        entry.offset += SECTION_SIZE;
    }
    if (!r->is_old || r->header.event_types.size == 0)
        return;
    struct text types = section_bytes(r, r->header.event_types);
    if (types.at == NULL)
        diag_problem(about->diag, 0, "found names of events outside of the file, expected them within it");
    for (; text_length(types) >= EVENT_TYPE_SIZE; types.at += EVENT_TYPE_SIZE) {
        struct text name = text_before(text_of(types.at + 8, EVENT_TYPE_SIZE - 8), '\0');
        if (ids_find(&names, little8(types.at)) == NONE)
            ids_set(&names, little8(types.at), perf_intern(about, name));
    }
    for (struct perf_event *event = about->events; event < about->events + about->event_count; event++) {
        uint32_t name = ids_find(&names, event->config);
        event->name = event->name == NAME_EMPTY && name != NONE ? name : event->name;
    }
}

static void read_header(struct recording *r)
{
    struct diag *diag = r->about->diag;
    struct file_header *header = &r->header;
    struct text head = lines_peek(r->lines, HEADER_SIZE);
    if (text_length(head) < HEADER_SIZE)
        diag_error(diag, 0, "the header is cut off after %zu bytes, expected %d", text_length(head), HEADER_SIZE);
    *header = (struct file_header){.attr_size = little8(head.at + 16),
                                   .attrs = part_at(head.at + 24),
                                   .data = part_at(head.at + 40),
                                   .event_types = part_at(head.at + 56)};
    r->is_open = header->data.size == 0;
    if (header->attr_size < SECTION_SIZE || header->attr_size > header->attrs.size)
        diag_error(diag, 0, "found events of %" PRIu64 " bytes in a section of %" PRIu64 ", expected one at least",
                   header->attr_size, header->attrs.size);
    if (header->data.offset < HEADER_SIZE || header->data.size >= UINT64_MAX - header->data.offset)
        diag_error(diag, 0,
                   "found %" PRIu64 " bytes of data at byte %" PRIu64
                   ", expected them within the file, after its header",
                   header->data.size, header->data.offset);
    if (r->is_open)
        diag_problem(diag, 0,
                     "found no size of the data, expected one: perf was stopped before it wrote "
                     "that; the data up to the end of the file are taken");
    for (unsigned i = 0; i < FEATURE_COUNT && !r->is_open; i++)
        r->has_feature[i] = head.at[72 + i / 8] >> i % 8 & 1;
    if (r->has_feature[FEATURE_STAT])
        unsupported(r->about, "counts made by perf stat record", "make samples by perf record -g");
    for (unsigned i = FEATURE_SIMPLEPERF; i <= FEATURE_SIMPLEPERF_LAST; i++)
        r->about->is_by_simpleperf |= r->has_feature[i];
    r->has_trace |= r->has_feature[FEATURE_AUXTRACE];
}

/*
 * Reads a file. Keeps what is before the data, and if it can be had, what is after them: then build-ids are known, and
 * with them the symbols of each place that is met. If not all events are there, keeps all of the input.
 */
static void read_sections(struct recording *r)
{
    const struct file_header *header = &r->header;
    read_header(r);
    uint64_t start = header->data.offset, end = r->is_open ? UINT64_MAX : start + header->data.size;
    if (start > SIZE_MAX)
        task_out_of_memory();
    struct text head = lines_peek(r->lines, (size_t)start);
    if (text_length(head) < start)
        diag_error(r->about->diag, 0, "ends at byte %zu, expected data from byte %" PRIu64 " on", text_length(head),
                   start);
    char *before = memory_get((size_t)start);
    memcpy(before, head.at, (size_t)start);
    r->pieces[0].bytes = text_of(before, (size_t)start);
    r->left = r->is_open ? UINT64_MAX : header->data.size;
    r->about->position = start;
    size_t length = 0;
    const char *after = r->is_open ? NULL : source_read_after(r->lines->blocks.source, end, &length);
    bool has_end = r->is_open || length > 0;
    if (length > 0)
        r->pieces[1] = (struct piece){text_of(after, length), end};
    if (read_events(r)) {
        lines_skip(r->lines, r->lines->at + start, 0);
    } else {
        const char *bytes = lines_take_all(r->lines, &length);
        struct text all = r->pieces[0].bytes = text_of(bytes, length);
        lines_give(r->lines, (struct text){all.at + start, end < text_length(all) ? all.at + end : all.end});
        has_end = true;
        if (!read_events(r))
            diag_error(r->about->diag, 0, "found events outside of the file, expected them within it");
    }
    if (has_end)
        read_features(r);
    read_all_records(r);
    if (!has_end) {
        after = lines_take_all(r->lines, &length);
        r->pieces[1] = (struct piece){text_of(after, length), end};
        read_features(r);
    }
}

/* At the end: gives names to those events that have none, and says what was lost or cannot be had. */
static void complete_events(struct recording *r)
{
    enum { MOST = 10 };
    static const char *const names[][MOST] = {
        [TYPE_HARDWARE] = {"cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses"},
        [TYPE_SOFTWARE] = {"cpu-clock", "task-clock", "page-faults", "context-switches",
                           "cpu-migrations", [DUMMY] = "dummy"}};
    struct perf_about *about = r->about;
    const char *missing = NULL;
    for (struct perf_event *event = about->events; event < about->events + about->event_count; event++) {
        char made_up[32];
        snprintf(made_up, sizeof made_up, "r%" PRIx64, event->config);
        const char *name = event->type <= TYPE_SOFTWARE && event->config < MOST ? names[event->type][event->config]
                                                                                : NULL;
        if (event->name == NAME_EMPTY)
            event->name = perf_intern(about, text_of_string(name != NULL ? name : made_up));
        if (missing == NULL && event->lacks_user_chain && (event->sample_type & SAMPLE_CALLCHAIN) != 0)
            missing = (event->sample_type & SAMPLE_STACK_USER) != 0     ? "--call-graph dwarf"
                      : (event->sample_type & SAMPLE_BRANCH_STACK) != 0 ? "--call-graph lbr"
                                                                        : "no callers in programs";
    }
    about->lacks_callers = missing != NULL;
    if (missing != NULL)
        diag_warning(about->diag, 0,
                     "recorded with %s: callers in programs are not in its chains, and are "
                     "missing here; convert the text of perf script, which has them",
                     missing);
    if (r->has_trace)
        diag_warning(about->diag, 0,
                     "holds a hardware trace, which is not decoded; convert the text of perf script, which does that");
    if (about->lost > 0)
        diag_problem(about->diag, 0, "%" PRIu64 " records were lost while it was recorded", about->lost);
    if (about->unknown_ids > 0)
        diag_problem(about->diag, 0, "found %" PRIu64 " samples of no event, expected none; they are left out",
                     about->unknown_ids);
    if (about->lost_chains > 0)
        diag_problem(about->diag, 0, "found no callers in programs of %" PRIu64 " samples, expected a record of them",
                     about->lost_chains);
}

static void perf_read(struct lines *lines, struct builder *builder, const struct frontend_options *options)
{
    static const struct program_kind zstd = {
        .name = "zstd",
        .argument = "-dc",
        .work = "decode its records",
        .past = "decoded its records",
        .need = "found records compressed by perf record -z (record without -z, or convert the text of perf script), "
                "but the program",
        .input = "compressed records"};
    struct recording r = {.lines = lines, .decoder = program_of(&zstd, builder->diag)};
    r.about = perf_begin(builder, options);
    r.samples = perf_samples_new(r.about);
    struct text head = lines_peek(lines, PIPE_HEADER_SIZE);
    uint64_t size = text_length(head) < PIPE_HEADER_SIZE ? 0 : little8(head.at + MAGIC_SIZE);
    r.is_old = text_starts(head, old_magic);
    /* In version 1 the text of the magic is the same in both byte orders, but the size after it is not. */
    if (text_starts(head, swapped_magic) || (r.is_old && size >> 32 != 0))
        diag_error(builder->diag, 0,
                   "was recorded on a machine of another byte order, expected little-"
                   "endian; convert the text of perf script");
    if (perf_recognises(head) != MINE)
        diag_error(builder->diag, 0, "found no PERFILE2 at its start, expected a recording of perf");
    if (size != PIPE_HEADER_SIZE && size != HEADER_SIZE)
        diag_error(builder->diag, 0, "found a header of %" PRIu64 " bytes, expected %d, or %d in a pipe", size,
                   HEADER_SIZE, PIPE_HEADER_SIZE);
    r.is_open = size == PIPE_HEADER_SIZE;
    r.left = UINT64_MAX;
    if (r.is_open) {
        pass_over(&r, PIPE_HEADER_SIZE, 0);
        read_all_records(&r);
    } else {
        read_sections(&r);
    }
    complete_events(&r);
    perf_make_profile(builder, r.about);
}

const struct frontend perf_frontend = {
    .name = "perf",
    .choices = CHOOSES_THREADS | CHOOSES_NAMES | CHOOSES_SYMBOLS,
    .recognises = perf_recognises,
    .read = perf_read,
    .take = perf_take_event,
};

/*
 * Reads the recordings of perf, Linux's profiler: samples of call chains.
 *
 *     magic, u64 size of this head, u64 size of an event's entry
 *     section of events, of data, of event types (version 1): u64 offset, u64 size each
 *     256 bits: which features there are
 *
 * The sections lie anywhere. The data section is a row of records; directly behind it stands the table of
 * features, a section each. Written to a pipe a recording has no sections, but records in their place.
 *
 * It is read from the front to the end, once, as long as all events are described before the data: what comes
 * after the data speaks only of names. Otherwise all of it is read at first.
 */
#include "read/perf/perf_reader.h"

#include "util/little.h"
#include "util/run.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    MAGIC_SIZE = 8,
    HEADER_SIZE = 104,
    PIPE_HEADER_SIZE = 16,
    SECTION_SIZE = 16,
    FEATURE_WORDS = FEATURE_COUNT / 64
};

/* A part of the input. */
struct file_part {
    uint64_t offset, size;
};

struct file_header {
    uint64_t attr_size;
    struct file_part attrs, data, event_types;
    uint64_t features[FEATURE_WORDS];
    bool was_killed; /* before it was complete */
};

/* What of the input is kept: what stands before the data, and behind. Or all of it is before. */
struct kept {
    struct text before, after;
    uint64_t after_offset;
};

bool perf_malformed(struct perf_reader *r, const char *what, const char *expected)
{
    return diag_error(r->diag, 0, "found %s at byte %" PRIu64 ", expected %s", what, r->position,
                      expected);
}

/* ---- magic -------------------------------------------------------------------------------- */

static const char magic[] = "PERFILE2", old_magic[] = "PERFFILE", swapped_magic[] = "2ELIFREP";

static enum recognition perf_recognises(struct text head)
{
    static const char *const magics[] = {magic, old_magic, swapped_magic};
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++)
        if (text_starts(head, magics[i]))
            return MINE;
    return NOT_MINE;
}

/* In version 1 the text of the magic does not tell the byte order, but the size behind it does. */
static bool is_swapped(struct text head)
{
    return text_starts(head, swapped_magic) ||
           (text_length(head) >= PIPE_HEADER_SIZE && text_starts(head, old_magic) &&
            little8(head.at + MAGIC_SIZE) >> 32 != 0);
}

/* ---- sections ----------------------------------------------------------------------------- */

static struct file_part section_at(const char *p)
{
    return (struct file_part){little8(p), little8(p + 8)};
}

/* Where it ends; UINT64_MAX beyond 64 bits. */
static uint64_t section_end(struct file_part section)
{
    uint64_t end;
    return __builtin_add_overflow(section.offset, section.size, &end) ? UINT64_MAX : end;
}

/* Sets *bytes to those of a section. False: they are not in what is kept. */
static bool section_bytes(const struct kept *kept, struct file_part section, struct text *bytes)
{
    uint64_t end = section_end(section), offset = section.offset;
    struct text part = kept->before;
    if (end == UINT64_MAX)
        return false;
    if (end > text_length(part)) {
        part = kept->after;
        if (offset < kept->after_offset || end - kept->after_offset > text_length(part))
            return false;
        offset -= kept->after_offset;
    }
    *bytes = text_of(part.at + offset, (size_t)section.size);
    return true;
}

/* ---- records ------------------------------------------------------------------------------ */

/* Where records are read from. */
struct stream {
    struct perf_reader *reader;
    uint64_t left; /* bytes of the data; UINT64_MAX: up to the end of the input */
    bool is_open;  /* the last record may be cut off */
};

/* Makes `wanted` bytes of the stream be there. False, too, if it has failed, which was reported. */
static bool stream_fill(struct stream *s, uint64_t wanted, struct text *bytes, bool *failed)
{
    struct lines *lines = s->reader->lines;
    *bytes = lines_rest(lines);
    if (text_length(*bytes) < wanted && wanted <= SIZE_MAX) {
        *failed = false;
        *bytes = lines_peek(lines, (size_t)wanted);
    }
    return text_length(*bytes) >= wanted;
}

/* Passes over bytes that are there; `records` of them begin there. */
static void stream_skip(struct stream *s, uint64_t count, unsigned records)
{
    struct lines *lines = s->reader->lines;
    lines_skip(lines, lines->at + count, records);
    s->reader->position += count;
    if (s->left != UINT64_MAX)
        s->left -= count;
}

/* The input ends within a record, or what follows it. That is no surprise if perf could not write its end. */
static bool end_early(struct stream *s, uint64_t record_at)
{
    if (!s->is_open)
        return perf_malformed(s->reader, "the end of the input", "more data");
    s->left = 0;
    return diag_problem(s->reader->diag, 0, "ends within the record at byte %" PRIu64 ", expected all "
                        "of it; that is left out", record_at);
}

/* What follows a record and does not count in its size: it is not of use. */
static bool skip_payload(struct stream *s, uint64_t length, uint64_t record_at)
{
    enum { STEP = 64 * 1024 };
    bool failed = false;
    while (length > 0) {
        struct text bytes;
        uint64_t step = length < STEP ? length : STEP;
        if (step > s->left || !stream_fill(s, step, &bytes, &failed))
            return !failed && end_early(s, record_at);
        stream_skip(s, step, 0);
        length -= step;
    }
    return true;
}

static bool unsupported(struct perf_reader *r, const char *what, const char *remedy)
{
    return diag_error(r->diag, 0, "found %s, which cannot be read here, expected a recording without; %s",
                      what, remedy);
}

static bool compression_unsupported(struct perf_reader *r)
{
    return unsupported(r, "records compressed by perf record -z",
                  "record without -z, or convert the text of perf script");
}

static bool take_feature_record(struct perf_reader *r, struct text record)
{
    if (text_length(record) < RECORD_HEAD + 8)
        return perf_malformed(r, "a feature without a number", "a number of 8 bytes");
    uint64_t feature = little8(record.at + RECORD_HEAD);
    struct text content = {record.at + RECORD_HEAD + 8, record.end};
    return text_is_empty(content) || perf_take_feature(r, feature, content);
}

/* The event's own size field tells where its ids begin. */
static bool take_attr_record(struct perf_reader *r, struct text record)
{
    struct text attr = {record.at + RECORD_HEAD, record.end}, ids;
    size_t size = text_length(attr) >= 8 ? little4(attr.at + 4) : 0;
    if (size > text_length(attr) || size == 0)
        return perf_malformed(r, "an event of an impossible size", "one that its record can hold");
    ids = (struct text){attr.at + size, attr.end};
    return perf_take_attr(r, text_of(attr.at, size), ids);
}

/* Takes a record; sets *payload to how many bytes follow it. */
static bool take_record(struct perf_reader *r, struct text record, uint64_t *payload)
{
    uint32_t type = little4(record.at);
    switch (type) {
    case RECORD_ATTR:
        return take_attr_record(r, record);
    case RECORD_TRACING_DATA:
        if (text_length(record) < RECORD_HEAD + 4)
            return perf_malformed(r, "tracing data without a size", "a size of 4 bytes");
        *payload = ((uint64_t)little4(record.at + RECORD_HEAD) + 7) / 8 * 8;
        return true;
    case RECORD_AUXTRACE:
        if (text_length(record) < RECORD_HEAD + 8)
            return perf_malformed(r, "a hardware trace without a size", "a size of 8 bytes");
        *payload = little8(record.at + RECORD_HEAD);
        r->has_trace = true;
        return true;
    case RECORD_BUILD_ID:
        return perf_take_build_id(r, record);
    case RECORD_EVENT_UPDATE:
        return perf_take_event_update(r, record);
    case RECORD_FEATURE:
        return take_feature_record(r, record);
    case RECORD_COMPRESSED:
    case RECORD_COMPRESSED2:
        return compression_unsupported(r);
    default:
        return perf_take_record(r, type, record);
    }
}

/* Sets *size to that of the record that comes next; 0: none does. */
static bool next_size(struct stream *s, uint64_t *size, struct text *bytes)
{
    bool failed = false;
    *size = 0;
    if (s->left == 0)
        return true;
    if (s->left < RECORD_HEAD)
        return perf_malformed(s->reader, "the end of the data within a record", "all of it");
    if (!stream_fill(s, RECORD_HEAD, bytes, &failed))
        return !failed && ((s->is_open && text_is_empty(*bytes)) || end_early(s, s->reader->position));
    *size = little2(bytes->at + 6);
    if (*size < RECORD_HEAD)
        return perf_malformed(s->reader, "a record of less than 8 bytes", "8 or more");
    if (*size > s->left)
        return perf_malformed(s->reader, "a record that passes the end of the data", "a shorter one");
    if (stream_fill(s, *size, bytes, &failed))
        return true;
    *size = 0;
    return !failed && end_early(s, s->reader->position);
}

static bool read_records(struct stream *s)
{
    for (;;) {
        uint64_t size, payload = 0, record_at = s->reader->position;
        struct text bytes = text_of("", 0);
        if (!next_size(s, &size, &bytes))
            return false;
        if (size == 0)
            return perf_end_records(s->reader);
        if (!take_record(s->reader, text_of(bytes.at, (size_t)size), &payload))
            return false;
        stream_skip(s, size, 1);
        if (!skip_payload(s, payload, record_at))
            return false;
    }
}

/* ---- the header --------------------------------------------------------------------------- */

static bool take_header(struct perf_reader *r, const char *p, struct file_header *header)
{
    header->attr_size = little8(p + 16);
    header->attrs = section_at(p + 24);
    header->data = section_at(p + 40);
    header->event_types = section_at(p + 56);
    for (size_t i = 0; i < FEATURE_WORDS; i++)
        header->features[i] = little8(p + 72 + 8 * i);
    header->was_killed = header->data.size == 0;
    if (header->attr_size < SECTION_SIZE || header->attr_size > header->attrs.size)
        return diag_error(r->diag, 0, "found events of %" PRIu64 " bytes in a section of %" PRIu64
                          ", expected one at least", header->attr_size, header->attrs.size);
    if (header->data.offset < HEADER_SIZE || section_end(header->data) == UINT64_MAX)
        return diag_error(r->diag, 0, "found %" PRIu64 " bytes of data at byte %" PRIu64
                          ", expected them within the file and behind its head", header->data.size,
                          header->data.offset);
    if (header->was_killed)
        return diag_problem(r->diag, 0, "found no size of the data, because perf was stopped before it "
                            "wrote one, expected a complete recording; what there is of it is taken");
    return true;
}

static bool has_feature(const struct file_header *header, unsigned feature)
{
    return !header->was_killed && (header->features[feature / 64] >> feature % 64 & 1) != 0;
}

/* What has no other remedy than to record it again. */
static bool check_features(struct perf_reader *r, const struct file_header *header)
{
    if (has_feature(header, FEATURE_COMPRESSED))
        return compression_unsupported(r);
    if (has_feature(header, FEATURE_DIR_FORMAT))
        return unsupported(r, "a part of a folder made by perf record --threads", "record without --threads");
    if (has_feature(header, FEATURE_STAT))
        return unsupported(r, "counts made by perf stat record", "make samples by perf record -g");
    for (unsigned i = FEATURE_SIMPLEPERF; i <= FEATURE_SIMPLEPERF_LAST; i++)
        r->has_exact_chains |= has_feature(header, i);
    r->has_trace |= has_feature(header, FEATURE_AUXTRACE);
    return true;
}

/* ---- events ------------------------------------------------------------------------------- */

/* Do all events and their ids lie in what is kept? */
static bool has_events(const struct file_header *header, const struct kept *kept)
{
    struct text attrs, ids;
    if (!section_bytes(kept, header->attrs, &attrs))
        return false;
    for (; text_length(attrs) >= header->attr_size; attrs.at += header->attr_size)
        if (!section_bytes(kept, section_at(attrs.at + header->attr_size - SECTION_SIZE), &ids))
            return false;
    return true;
}

static bool take_events(struct perf_reader *r, const struct file_header *header, const struct kept *kept)
{
    struct text attrs = text_of("", 0), ids;
    size_t left = text_length(kept->before) + text_length(kept->after); /* what sections of ids can be together */
    section_bytes(kept, header->attrs, &attrs);
    for (; text_length(attrs) >= header->attr_size; attrs.at += header->attr_size) {
        size_t size = (size_t)header->attr_size - SECTION_SIZE;
        if (!section_bytes(kept, section_at(attrs.at + size), &ids))
            ids = text_of("", 0);
        if (text_length(ids) > left)
            return diag_error(r->diag, 0, "found sections of ids that overlap, expected one for each event");
        left -= text_length(ids);
        if (!perf_take_attr(r, text_of(attrs.at, size), ids))
            return false;
    }
    return true;
}

/* ---- features ----------------------------------------------------------------------------- */

/* Takes the contents of all features: their table is directly behind the data. */
static bool take_features(struct perf_reader *r, const struct file_header *header, const struct kept *kept)
{
    struct file_part entry = {section_end(header->data), SECTION_SIZE};
    for (unsigned feature = 0; feature < FEATURE_COUNT; feature++) {
        struct text bytes, content;
        if (!has_feature(header, feature))
            continue;
        if (!section_bytes(kept, entry, &bytes) ||
            !section_bytes(kept, section_at(bytes.at), &content)) {
            if (!diag_problem(r->diag, 0, "found no content of feature %u within the file, expected "
                              "some; it is left out", feature))
                return false;
        } else if (!perf_take_feature(r, feature, content)) {
            return false;
        }
        entry.offset += SECTION_SIZE;
    }
    return true;
}

static bool take_event_types(struct perf_reader *r, const struct file_header *header,
                             const struct kept *kept)
{
    struct text types;
    if (!r->is_old || header->event_types.size == 0)
        return true;
    if (!section_bytes(kept, header->event_types, &types))
        return diag_problem(r->diag, 0, "found no names of events within the file, expected some");
    return perf_take_event_types(r, types);
}

/* ---- the file ----------------------------------------------------------------------------- */

/*
 * Keeps what stands behind the data, if it can be had before them: then build-ids are known, and with them
 * the symbols of each place that is met. Returns false, having reported it, if memory runs out.
 */
static bool keep_end(struct perf_reader *r, struct kept *kept, char **bytes)
{
    size_t length;
    *bytes = source_read_after(r->lines->source, kept->after_offset, &length);
    if (*bytes != NULL)
        kept->after = text_of(*bytes, length);
    return true;
}

static bool take_end(struct perf_reader *r, const struct file_header *header, const struct kept *kept)
{
    r->knows_build_ids = true;
    return take_features(r, header, kept) && take_event_types(r, header, kept);
}

/* Reads the data from where the lines are, and all that follows them. */
static bool read_data(struct perf_reader *r, const struct file_header *header, struct kept *kept,
                      bool is_all_kept)
{
    struct stream stream = {.reader = r,
                            .left = header->was_killed ? UINT64_MAX : header->data.size,
                            .is_open = header->was_killed};
    char *end = NULL;
    struct text rest;
    bool has_end = is_all_kept || header->was_killed;
    if (!has_end) {
        kept->after_offset = section_end(header->data);
        if (!keep_end(r, kept, &end))
            return false;
        has_end = end != NULL;
    }
    r->position = header->data.offset;
    bool done = take_events(r, header, kept) && (!has_end || take_end(r, header, kept)) && read_records(&stream);
    if (done && !is_all_kept && !header->was_killed)
        *(end != NULL ? &rest : &kept->after) = lines_take_all(r->lines);
    done = done && (has_end || take_end(r, header, kept));
    memory_free(end);
    return done;
}

/* Keeps what stands before the data, and moves to them; or if not all events are there, keeps all. */
static bool read_sections(struct perf_reader *r, const struct file_header *header)
{
    struct kept kept = {.before = text_of("", 0), .after = text_of("", 0)};
    struct text head;
    uint64_t start = header->data.offset;
    bool is_all_kept = false, done = false;
    if (start > SIZE_MAX)
        return diag_no_memory(r->diag);
    head = lines_peek(r->lines, (size_t)start);
    if (text_length(head) < start)
        return diag_error(r->diag, 0, "ends at byte %zu, expected data from byte %" PRIu64 " on",
                          text_length(head), start);
    char *before = memory_get((size_t)start);
    if (before == NULL)
        return diag_no_memory(r->diag);
    memcpy(before, head.at, (size_t)start);
    kept.before = text_of(before, (size_t)start);
    kept.after_offset = UINT64_MAX;
    if (has_events(header, &kept)) {
        lines_skip(r->lines, r->lines->at + start, 0);
        done = true;
    } else {
        kept.before = lines_take_all(r->lines);
        is_all_kept = true;
        uint64_t end = header->was_killed ? text_length(kept.before) : section_end(header->data);
        if (end > text_length(kept.before))
            end = text_length(kept.before);
        lines_give(r->lines, text_of(kept.before.at + start, (size_t)(end - start)));
        done = has_events(header, &kept) ||
               diag_error(r->diag, 0, "found events that are not within the file, expected them there");
    }
    done = done && read_data(r, header, &kept, is_all_kept);
    memory_free(before);
    return done;
}

static bool read_file(struct perf_reader *r)
{
    struct file_header header;
    struct text head;
    head = lines_peek(r->lines, HEADER_SIZE);
    if (text_length(head) < HEADER_SIZE)
        return diag_error(r->diag, 0, "ends within its head, expected %d bytes of it", HEADER_SIZE);
    return take_header(r, head.at, &header) && check_features(r, &header) && read_sections(r, &header);
}

static bool read_pipe(struct perf_reader *r)
{
    struct stream stream = {.reader = r, .left = UINT64_MAX, .is_open = true};
    stream_skip(&stream, PIPE_HEADER_SIZE, 0);
    return read_records(&stream);
}

/* What was lost, or cannot be had from the recording. */
static bool tell_what_is_missing(struct perf_reader *r)
{
    const char *missing = NULL;
    for (size_t i = 0; i < r->attr_count && missing == NULL; i++) {
        const struct perf_attr *event = &r->attrs[i];
        if (!event->lacks_user_chain || (event->sample_type & SAMPLE_CALLCHAIN) == 0)
            continue;
        missing = (event->sample_type & SAMPLE_STACK_USER) != 0     ? "--call-graph dwarf"
                  : (event->sample_type & SAMPLE_BRANCH_STACK) != 0 ? "--call-graph lbr"
                                                                    : "no callers in programs";
    }
    if (missing != NULL)
        diag_warning(r->diag, 0, "recorded with %s: callers in programs are not in its chains, and are "
                     "missing here; convert the text of perf script, which has them", missing);
    if (r->has_trace)
        diag_warning(r->diag, 0, "holds a hardware trace, which is not decoded; convert the text of perf script, "
                     "which does that");
    return (r->lost == 0 ||
            diag_problem(r->diag, 0, "%" PRIu64 " records were lost while it was recorded", r->lost)) &&
           (r->unknown_ids == 0 ||
            diag_problem(r->diag, 0, "found %" PRIu64 " samples of no event, expected none; they are "
                         "left out", r->unknown_ids)) &&
           (r->lost_chains == 0 ||
            diag_problem(r->diag, 0, "found no callers in programs of %" PRIu64 " samples, expected a "
                         "record of them", r->lost_chains));
}

static bool read_recording(struct perf_reader *r)
{
    struct text head;
    head = lines_peek(r->lines, PIPE_HEADER_SIZE);
    if (is_swapped(head))
        return diag_error(r->diag, 0, "was recorded on a machine of another byte order, expected little-"
                          "endian; convert the text of perf script");
    if (perf_recognises(head) != MINE)
        return diag_error(r->diag, 0, "found no PERFILE2 at its start, expected a recording of perf");
    r->is_old = text_starts(head, old_magic);
    uint64_t size = text_length(head) < PIPE_HEADER_SIZE ? 0 : little8(head.at + MAGIC_SIZE);
    if (size != PIPE_HEADER_SIZE && size != HEADER_SIZE)
        return diag_error(r->diag, 0, "found a head of %" PRIu64 " bytes, expected %d, or %d in a pipe",
                          size, HEADER_SIZE, PIPE_HEADER_SIZE);
    return (size == PIPE_HEADER_SIZE ? read_pipe(r) : read_file(r)) && perf_name_events(r) &&
           tell_what_is_missing(r) && perf_make_profile(r);
}

bool perf_with_reader(struct lines *lines, struct builder *builder, struct diag *diag,
                      const struct frontend_options *options, bool (*read)(struct perf_reader *reader))
{
    struct perf_reader *r = memory_zeroed(1, sizeof *r);
    const struct index *seeded = &builder->profile->names.index;
    if (r == NULL)
        return diag_no_memory(diag);
    *r = (struct perf_reader){.lines = lines, .builder = builder, .diag = diag, .options = options};
    bool done = ((ids_init(&r->attr_ids, seeded), true) && (ids_init(&r->build_ids, seeded), true)) ||
                diag_no_memory(diag);
    done = done && perf_records_init(r) && read(r);
    perf_records_free(r);
    memory_free(r->attrs);
    ids_free(&r->attr_ids);
    ids_free(&r->build_ids);
    memory_free(r);
    return done;
}

static bool perf_read(struct lines *lines, struct builder *builder, struct diag *diag,
                      const struct frontend_options *options)
{
    return perf_with_reader(lines, builder, diag, options, read_recording);
}

const struct frontend perf_frontend = {
    .name = "perf",
    .reads = "perf",
    .recognises = perf_recognises,
    .read = perf_read,
};

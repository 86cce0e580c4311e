/*
 * Reads the text that `perf script` prints of a recording. It has what a native reader lacks: chains unwound by
 * DWARF, inlined functions, hardware traces, recordings of other machines.
 *
 *     [COMM] [[PID/]TID] [[CPU]] ... [TIME:] [PERIOD] EVENT: ...
 *         ADDRESS SYMBOL[+0xOFFSET] (OBJECT)
 *         ...
 *
 * A sample is a line with the frames that follow it, the innermost first, up to an empty line. Without a chain,
 * its frame is at the end of the line. COMM, SYMBOL and OBJECT may hold blanks and parentheses: the object is
 * in the last pair of them. `#` begins a comment; the header that perf script --header prints consists of them.
 *
 * Source of the format: Linux, tools/perf/builtin-script.c and tools/perf/util/evsel_fprintf.c.
 */
#include "read/perf/perf_reader.h"

#include "util/array.h"

#include <stdlib.h>

/* A sample's line. */
struct sample_line {
    struct text name, event, rest;
    uint32_t pid, tid;
    uint64_t period;
    bool has_period;
};

struct frame {
    struct text symbol, object; /* the symbol is empty if it is not known */
};

/* The work under way. */
struct script {
    struct perf_reader *reader;
    struct sample_line heading; /* of the sample at hand; its texts are gone */
    uint32_t event;
    bool is_wanted;
    uint32_t *places; /* of its frames, the innermost first */
    size_t count, capacity;
};

/* ---- lines -------------------------------------------------------------------------------- */

static bool is_number(struct text word)
{
    const char *p = word.at;
    while (p < word.end && char_is_digit(*p))
        p++;
    return p == word.end && !text_is_empty(word);
}

/* `[CPU]` */
static bool is_processor(struct text word)
{
    return text_length(word) > 2 && *word.at == '[' && word.end[-1] == ']' &&
           is_number((struct text){word.at + 1, word.end - 1});
}

/* `SECONDS.FRACTION:` */
static bool is_time(struct text word)
{
    const char *point = text_is_empty(word) ? NULL : memchr(word.at, '.', text_length(word));
    return point != NULL && word.end[-1] == ':' && is_number((struct text){word.at, point}) &&
           is_number((struct text){point + 1, word.end - 1});
}

/* -1 is the id of a task that has exited: unknown. */
static bool take_id(struct text *word, uint32_t *id)
{
    uint64_t number;
    *id = UINT32_MAX;
    if (text_starts(*word, "-1")) {
        word->at += 2;
        return true;
    }
    if (!text_take_number(word, &number, NULL) || number > UINT32_MAX)
        return false;
    *id = (uint32_t)number;
    return true;
}

/* `[PID/]TID` */
static bool take_ids(struct text word, uint32_t *pid, uint32_t *tid)
{
    *pid = UINT32_MAX;
    if (!take_id(&word, tid))
        return false;
    if (text_starts(word, "/")) {
        word.at++;
        *pid = *tid;
        if (!take_id(&word, tid))
            return false;
    }
    return text_is_empty(word);
}

/* The last ids are the thread's, and what precedes them is its name. Any of them may be missing. */
static void parse_thread(struct text fields, struct sample_line *h)
{
    struct text rest = fields, word;
    uint32_t pid, tid;
    h->name = text_trim(fields);
    h->pid = h->tid = UINT32_MAX;
    while (!text_is_empty(word = text_take_word(&rest)))
        if (take_ids(word, &pid, &tid)) {
            h->name = text_trim((struct text){fields.at, word.at});
            h->pid = pid;
            h->tid = tid;
        }
}

/*
 * The name of a thread may be like any field, and so may what follows the event. So this looks for
 * `TIME: [PERIOD] EVENT:`. In a line without any, it takes the last `[PID/]TID [[CPU]] [PERIOD] EVENT:`, and the
 * width distinguishes a period from the number of a thread.
 */
static bool parse_heading(struct text line, struct sample_line *h)
{
    enum { PERIOD_WIDTH = 10 };
    struct text rest = line, word, none = {line.at, line.at}, last = none, before = none, period = none, fields = none;
    bool has_time = false, is_found = false, overflow = false;
    uint32_t id;
    text_skip_blanks(&rest);
    for (; !has_time && !text_is_empty(word = text_take_word(&rest)); before = last, last = word) {
        bool has_number = is_number(last);
        struct text time = has_number ? before : last;
        if (text_length(word) < 2 || word.end[-1] != ':' || is_time(word))
            continue;
        has_time = is_time(time);
        if (!has_time && !has_number && !is_processor(last) && !take_ids(last, &id, &id))
            continue;
        is_found = true;
        h->event = (struct text){word.at, word.end - 1};
        h->rest = rest;
        bool has_period = has_number && (has_time || is_processor(before) || last.end - before.end >= PERIOD_WIDTH);
        period = has_period ? last : none;
        fields.end = has_time ? time.at : has_period ? before.end : last.end;
    }
    h->period = 1;
    h->has_period = text_take_number(&period, &h->period, &overflow);
    parse_thread(fields, h);
    return is_found;
}

/* Takes `+0xOFFSET` off the end of a symbol. */
static struct text without_offset(struct text symbol)
{
    const char *p = symbol.end;
    while (p > symbol.at && ((p[-1] >= '0' && p[-1] <= '9') || (p[-1] >= 'a' && p[-1] <= 'f')))
        p--;
    bool has_offset = p < symbol.end && text_ends((struct text){symbol.at, p}, "+0x");
    return (struct text){symbol.at, has_offset ? p - 3 : symbol.end};
}

/* Where the last pair of parentheses of a text begins, with which it ends; NULL: it does not. */
static const char *last_pair(struct text text)
{
    size_t open = 0;
    for (const char *p = text.end; p > text.at; p--) {
        open += p[-1] == ')';
        if (open == 0)
            return NULL;
        open -= p[-1] == '(';
        if (open == 0)
            return p - 1;
    }
    return NULL;
}

static bool parse_frame(struct text line, struct frame *frame)
{
    uint64_t address;
    line = text_trim(line);
    if (!text_take_hex(&line, &address) || text_is_empty(line) || !char_is_blank(*line.at))
        return false;
    const char *pair = last_pair(line);
    if (pair == NULL)
        return false;
    frame->object = (struct text){pair + 1, line.end - 1};
    frame->symbol = without_offset(text_trim((struct text){line.at, pair}));
    if (text_equals(frame->symbol, "[unknown]"))
        frame->symbol = text_of("", 0);
    return true;
}

/* A frame begins with a tab. In a text whose tabs are gone, it is what no sample's line can be. */
static bool is_frame(struct text line, struct frame *frame)
{
    struct sample_line heading;
    return parse_frame(line, frame) && (*line.at == '\t' || !parse_heading(line, &heading));
}

/* The object's name as the reader of recordings has it. */
static struct text object_name(struct text object)
{
    static const char kernel[] = "[kernel.kallsyms]", jit[] = "[JIT]", map[] = "/tmp/perf-";
    if (perf_is_jit(object) || text_starts(object, jit) ||
        (text_starts(object, map) && text_ends(object, ".map")))
        return text_of_string(jit);
    if (text_starts(object, kernel))
        return text_of_string(kernel);
    return text_equals(object, "inlined") ? text_of_string("[inlined]") : object;
}

/* ---- samples ------------------------------------------------------------------------------ */

/* The event of a name. Time is what its periods count if it is a clock. */
static bool find_event(struct perf_reader *r, const struct sample_line *h, uint32_t *event)
{
    static const char *const clocks[] = {"cpu-clock", "task-clock"}; /* with these numbers */
    enum { TYPE_SOFTWARE = 1, TYPE_OTHER = -1 };
    uint32_t name;
    if (!perf_intern(r, h->event, &name))
        return false;
    *event = ids_find(&r->attr_ids, name);
    if (*event != NONE)
        return true;
    array_reserve(&r->attrs, &r->attr_capacity, r->attr_count + 1, sizeof *r->attrs);
    struct perf_attr attr = {.type = (uint32_t)TYPE_OTHER, .name = name, .counts_samples = !h->has_period,
                             .lacks_frames = true};
    struct text plain = h->event;
    for (const char *p = plain.at; p < plain.end; p++)
        if (*p == ':' || *p == '/')
            plain.end = p;
    for (unsigned i = 0; i < 2 && h->has_period; i++)
        if (text_equals(plain, clocks[i])) {
            attr.type = TYPE_SOFTWARE;
            attr.config = i;
        }
    *event = (uint32_t)r->attr_count;
    r->attrs[r->attr_count++] = attr;
    ids_set(&r->attr_ids, name, *event);
    return true;
}

static bool begin_sample(struct script *s, const struct sample_line *heading)
{
    uint32_t name;
    s->heading = *heading;
    s->count = 0;
    if (!perf_intern(s->reader, heading->name, &name))
        return false;
    s->is_wanted = perf_is_wanted(s->reader, heading->pid, heading->tid, name);
    return find_event(s->reader, heading, &s->event);
}

static bool add_frame(struct script *s, const struct frame *frame)
{
    struct perf_reader *r = s->reader;
    struct perf_object object = {.kind = PERF_SPECIAL};
    struct perf_place place = {0, 0};
    uint32_t within;
    if (!s->is_wanted)
        return true;
    if (!perf_intern(r, object_name(frame->object), &within))
        return false;
    object.name = within;
    if (!text_is_empty(frame->symbol)) {
        object = (struct perf_object){.kind = PERF_SYMBOL, .within = within};
        if (!perf_intern(r, frame->symbol, &object.name))
            return false;
    }
    if (!(array_reserve(&s->places, &s->capacity, s->count + 1, sizeof *s->places), true) ||
        !perf_stacks_object(&r->stacks, object, &place.object) ||
        !perf_stacks_place(&r->stacks, place, &s->places[s->count]))
        return diag_no_memory(r->diag);
    s->count++;
    return true;
}

/* Without any frame, it is not known where the sample was. */
static bool end_sample(struct script *s)
{
    struct frame unknown = {text_of("", 0), text_of_string("[unknown]")};
    struct perf_reader *r = s->reader;
    uint32_t node = NONE;
    if (!s->is_wanted)
        return true;
    r->attrs[s->event].lacks_frames &= s->count == 0;
    if (s->count == 0 && !add_frame(s, &unknown))
        return false;
    for (size_t i = s->count; i-- > 0;)
        if (!perf_stacks_node(&r->stacks, (struct perf_node){node, s->places[i]}, &node))
            return diag_no_memory(r->diag);
    uint64_t weight = s->heading.period;
    return perf_book(r, (struct perf_value){s->event, weight < INT64_MAX ? (cost_t)weight : INT64_MAX}, node);
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Takes what the header tells of the recording. */
static bool take_comment(struct perf_reader *r, struct text line)
{
    static const char command[] = "# cmdline : ", version[] = "# perf version : ";
    if (text_starts(line, command))
        return perf_intern(r, text_trim((struct text){line.at + sizeof command - 1, line.end}), &r->command);
    if (text_starts(line, version))
        return perf_intern(r, text_trim((struct text){line.at + sizeof version - 1, line.end}), &r->version);
    return true;
}

/* The text has been cut off within a line. */
static bool leave_out(struct perf_reader *r)
{
    return diag_problem(r->diag, r->lines->number, "ends within a sample, expected the rest of it; it is left out");
}

/* A line that is none of these. If it is the last one, without a newline, it may have been cut off. */
static bool unexpected_line(struct perf_reader *r)
{
    if (!r->lines->last_is_whole && r->lines->number > 1)
        return leave_out(r);
    return diag_error(r->diag, r->lines->number, "found another line, expected a sample (COMM TID TIME: PERIOD "
                      "EVENT:) or a frame (ADDRESS SYMBOL (OBJECT))");
}

/* Takes a line that begins a sample, or none. Sets *has_frames if those of a sample follow. */
static bool take_line(struct script *s, struct text line, bool *has_frames)
{
    struct sample_line heading;
    struct frame frame;
    *has_frames = false;
    if (text_is_empty(text_trim(line)))
        return true;
    if (*line.at == '#')
        return take_comment(s->reader, line);
    if (!parse_heading(line, &heading))
        return unexpected_line(s->reader);
    if (!begin_sample(s, &heading))
        return false;
    *has_frames = !parse_frame(heading.rest, &frame);
    return *has_frames || (add_frame(s, &frame) && end_sample(s));
}

static bool read_lines(struct script *s)
{
    struct lines *lines = s->reader->lines;
    bool has_frames = false, done = true;
    while (done) {
        struct text line;
        struct frame frame;
        enum lines_result result = lines_next(lines, &line);
        if (result != LINES_LINE)
            return result == LINES_END &&
                   (!has_frames || (lines->last_is_whole ? end_sample(s) : leave_out(s->reader)));
        if (has_frames && is_frame(line, &frame)) {
            done = add_frame(s, &frame);
            continue;
        }
        if (has_frames && !lines->last_is_whole)
            return leave_out(s->reader);
        done = (!has_frames || end_sample(s)) && take_line(s, line, &has_frames);
    }
    return false;
}

static bool read_script(struct perf_reader *r)
{
    struct script s = {.reader = r};
    bool done = read_lines(&s) && perf_make_profile(r);
    memory_free(s.places);
    return done;
}

static bool script_read(struct lines *lines, struct builder *builder, struct diag *diag,
                        const struct frontend_options *options)
{
    return perf_with_reader(lines, builder, diag, options, read_script);
}

enum { LONGEST_HEADING = 4096 }; /* longer lines are not waited for */

/* The first line that is no comment has to be a sample's. Only the whole line can tell. */
static enum recognition script_recognises(struct text head)
{
    while (!text_is_empty(head)) {
        struct text line = text_take_line(&head);
        struct sample_line heading;
        bool is_whole = line.end < head.end;
        if (line.end > line.at && line.end[-1] == '\r')
            line.end--;
        if (text_is_empty(line) || *line.at == '#')
            continue;
        if (!is_whole && text_length(line) < LONGEST_HEADING)
            return NOT_YET;
        return parse_heading(line, &heading) ? MINE : NOT_MINE;
    }
    return NOT_YET;
}

const struct frontend perf_script_frontend = {
    .name = "perf-script",
    .reads = "perf-script",
    .recognises = script_recognises,
    .read = script_read,
};

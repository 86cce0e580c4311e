/*
 * Reads the text that `perf script` prints of a recording. It has what a native reader lacks: chains unwound by
 * DWARF, inlined functions, hardware traces, recordings of other machines.
 *
 *     [COMM] [[PID/]TID] [[CPU]] ... [TIME:] [PERIOD] [EVENT:] ...
 *         ADDRESS SYMBOL[+0xOFFSET] (OBJECT)
 *         ...
 *
 * A sample is a line with the frames that follow it, the innermost first, up to an empty line. Without a chain,
 * its frame is at the end of the line. COMM, SYMBOL and OBJECT may hold blanks and parentheses: the object is
 * in the last pair of them. `#` begins a comment; the header that perf script --header prints consists of them.
 *
 * Source of the format: Linux, tools/perf/builtin-script.c and tools/perf/util/evsel_fprintf.c.
 */
#include "read/perf/perf.h"

#include "util/array.h"

struct sample_line {
    struct text name, event, rest;
    uint32_t pid, tid;
    uint64_t period;
    bool has_period;
};

struct frame {
    struct text symbol, object; /* the symbol is empty if it is not known */
};

struct script {
    struct lines *lines;
    struct perf_about about;
    struct perf_stacks stacks;
    struct perf_names *names;
    uint64_t period; /* of the sample at hand, like what follows */
    uint32_t event;
    bool is_wanted;
    uint32_t *places; /* of its frames, the innermost first */
    size_t count, capacity;
};

#define NUMBER "0"
#define PROCESSOR "[0]"
#define TIME "0.0:"

/* Is a word of that form, in which 0 is any digits? */
static bool is_of_form(struct text word, const char *form)
{
    for (; *form != '\0'; form++) {
        const char *start = word.at;
        if (*form != '0')
            word.at += word.at < word.end && *word.at == *form;
        else
            while (word.at < word.end && char_is_digit(*word.at))
                word.at++;
        if (word.at == start)
            return false;
    }
    return text_is_empty(word);
}

/* `[PID/]TID`. -1 is the id of a task that has exited: unknown. */
static bool read_ids(struct text word, uint32_t *pid, uint32_t *tid)
{
    *tid = UINT32_MAX;
    for (bool has_pid = false;; has_pid = true) {
        uint64_t number = UINT32_MAX;
        *pid = *tid;
        if (text_starts(word, "-1"))
            word.at += 2;
        else if (!text_take_number(&word, &number, NULL) || number > UINT32_MAX)
            return false;
        *tid = (uint32_t)number;
        if (has_pid || !text_starts(word, "/"))
            return text_is_empty(word);
        word.at++;
    }
}

/* With options such as --show-mmap-events, perf script prints other records between the samples. */
static bool is_other_record(struct text line)
{
    return text_matches(line, "*: PERF_RECORD_*", false);
}

/*
 * The name of a thread may be like any field, and so may what follows the event. So this looks for
 * `TIME: [PERIOD] EVENT:`. In a line without any, it takes the last `[PID/]TID [[CPU]] [PERIOD] EVENT:`, and the
 * width distinguishes a period from the number of a thread. Without that, too, the line must end with `TIME: [PERIOD]`:
 * perf script printed no events.
 */
static bool parse_heading(struct text line, struct sample_line *h)
{
    enum { PERIOD_WIDTH = 10 };
    struct text rest = line, word, none = {line.at, line.at}, last = none, before = none, period = none, fields = none;
    bool has_time = false, is_found = false, overflow = false;
    uint32_t pid, tid;
    text_skip_blanks(&rest);
    for (; !has_time && !text_is_empty(word = text_take_word(&rest)); before = last, last = word) {
        bool has_number = is_of_form(last, NUMBER);
        struct text place = has_number ? before : last; /* of the time or the processor */
        if (text_length(word) < 2 || word.end[-1] != ':' || is_of_form(word, TIME))
            continue;
        bool has_processor = is_of_form(place, PROCESSOR);
        has_time = is_of_form(place, TIME);
        if (!has_time && !has_number && !has_processor && !read_ids(last, &pid, &tid))
            continue;
        is_found = true;
        h->event = (struct text){word.at, word.end - 1};
        h->rest = rest;
        bool has_period = has_number && (has_time || has_processor || last.end - before.end >= PERIOD_WIDTH);
        period = has_period ? last : none;
        fields.end = has_time ? place.at : has_period ? before.end : last.end;
    }
    bool has_number = is_of_form(last, NUMBER);
    struct text place = has_number ? before : last;
    if (!is_found && is_of_form(place, TIME)) {
        is_found = true;
        h->event = text_of_string(has_number ? "Period" : "Samples");
        h->rest = rest;
        period = has_number ? last : none;
        fields.end = place.at;
    }
    h->period = 1;
    h->has_period = text_take_number(&period, &h->period, &overflow);
    /* The last ids are the thread's, and what precedes them is its name. Any of them may be missing. */
    h->name = text_trim(fields);
    h->pid = h->tid = UINT32_MAX;
    for (rest = fields; !text_is_empty(word = text_take_word(&rest));)
        if (read_ids(word, &pid, &tid)) {
            h->name = text_trim((struct text){fields.at, word.at});
            h->pid = pid;
            h->tid = tid;
        }
    return is_found;
}

static bool parse_frame(struct text line, struct frame *frame)
{
    uint64_t address;
    line = text_trim(line);
    if (!text_take_any_number(&line, true, &address, NULL) || text_is_empty(line) || !char_is_blank(*line.at))
        return false;
    const char *pair = line.end; /* where the last pair of parentheses begins, with which the line ends */
    size_t open = 0;
    do {
        pair--;
        open += *pair == ')';
        if (open == 0)
            return false;
        open -= *pair == '(';
    } while (open > 0 && pair > line.at);
    if (open > 0)
        return false;
    frame->object = (struct text){pair + 1, line.end - 1};
    frame->symbol = text_trim((struct text){line.at, pair});
    struct text start = frame->symbol; /* before `+0xOFFSET` */
    while (start.end > start.at && (char_is_digit(start.end[-1]) || (start.end[-1] >= 'a' && start.end[-1] <= 'f')))
        start.end--;
    if (start.end < frame->symbol.end && text_ends(start, "+0x"))
        frame->symbol.end = start.end - 3;
    if (text_equals(frame->symbol, "[unknown]"))
        frame->symbol = text_of("", 0);
    return true;
}

/* Adds a frame to the sample at hand; its object is named as in recordings. */
static void add_frame(struct script *s, const struct frame *frame)
{
    static const char kernel[] = "[kernel.kallsyms]", jit[] = "[JIT]", map[] = "/tmp/perf-";
    struct perf_object object = {.kind = PERF_SPECIAL};
    struct text name = frame->object;
    if (!s->is_wanted)
        return;
    if (perf_is_jit(name) || text_starts(name, jit) || (text_starts(name, map) && text_ends(name, ".map")))
        name = text_of_string(jit);
    else if (text_starts(name, kernel))
        name = text_of_string(kernel);
    else if (text_equals(name, "inlined"))
        name = text_of_string("[inlined]");
    object.name = perf_intern(&s->about, name);
    if (!text_is_empty(frame->symbol))
        object = (struct perf_object){
            .kind = PERF_SYMBOL, .within = object.name, .name = perf_intern(&s->about, frame->symbol)};
    uint32_t place = perf_place(s->names, (struct perf_place){0, perf_object(&s->stacks, object)});
    array_append(&s->places, &s->count, &s->capacity, &place, sizeof place);
}

/* Without any frame, it is not known where the sample was. */
static void end_sample(struct script *s)
{
    const struct perf_place unknown = {0, OBJECT_UNKNOWN};
    uint32_t node = NONE;
    if (!s->is_wanted)
        return;
    s->about.events[s->event].lacks_frames &= s->count == 0;
    if (s->count == 0)
        node = perf_node(&s->stacks, (struct perf_node){NONE, perf_place(s->names, unknown)});
    for (size_t i = s->count; i-- > 0;)
        node = perf_node(&s->stacks, (struct perf_node){node, s->places[i]});
    perf_book(&s->stacks, node, s->event, s->period);
}

/* Reads a line that begins a sample, or none. Returns whether frames of a sample follow. */
static bool read_line(struct script *s, struct text line)
{
    struct perf_about *about = &s->about;
    struct sample_line heading;
    struct frame frame;
    if (text_is_empty(text_trim(line)) || is_other_record(line))
        return false;
    if (*line.at == '#') { /* the header may say something of the recording */
        uint32_t *fact = text_starts(line, "# cmdline : ")        ? &about->command
                         : text_starts(line, "# perf version : ") ? &about->version
                                                                  : NULL;
        text_take_to(&line, ':');
        if (fact != NULL)
            *fact = perf_intern(about, text_trim(line));
        return false;
    }
    if (!parse_heading(line, &heading)) {
        if (s->lines->last_is_whole || s->lines->number <= 1)
            diag_error(about->diag, s->lines->number, "found another line, expected a sample (COMM TID TIME: PERIOD "
                       "EVENT:) or a frame (ADDRESS SYMBOL (OBJECT))");
        return true; /* it is cut off, and the last */
    }
    s->period = heading.period;
    s->count = 0;
    s->is_wanted = perf_is_wanted(about, heading.pid, heading.tid, perf_intern(about, heading.name));
    uint32_t name = perf_intern(about, heading.event);
    s->event = ids_find(&about->event_ids, name);
    if (s->event == NONE) {
        struct perf_event added = {.name = name, .counts_samples = !heading.has_period, .lacks_frames = true};
        for (const char *p = heading.event.at; p < heading.event.end; p++)
            if (*p == ':' || *p == '/')
                heading.event.end = p;
        added.counts_time = heading.has_period && (text_equals(heading.event, "cpu-clock") ||
                                                   text_equals(heading.event, "task-clock"));
        s->event = (uint32_t)about->event_count;
        ids_set(&about->event_ids, name, s->event);
        array_append(&about->events, &about->event_count, &about->event_capacity, &added, sizeof added);
    }
    if (!parse_frame(heading.rest, &frame))
        return true;
    add_frame(s, &frame);
    end_sample(s);
    return false;
}

static void script_read(struct lines *lines, struct builder *builder, struct diag *diag,
                        const struct frontend_options *options)
{
    struct script s = {.lines = lines};
    bool has_frames = false; /* of a sample, which has not ended */
    struct sample_line heading;
    struct text line;
    struct frame frame;
    s.names = perf_begin(&s.about, &s.stacks, builder, diag, options);
    while (lines_next(lines, &line)) {
        /* A frame begins with a tab. In a text whose tabs are gone, it is what no sample's line can be. */
        if (has_frames && parse_frame(line, &frame) && (*line.at == '\t' || !parse_heading(line, &heading))) {
            add_frame(&s, &frame);
            continue;
        }
        if (has_frames && !lines->last_is_whole)
            break;
        if (has_frames)
            end_sample(&s);
        has_frames = read_line(&s, line);
    }
    if (has_frames && lines->last_is_whole)
        end_sample(&s);
    else if (has_frames)
        diag_problem(diag, lines->number, "ends within a sample, expected the rest of it; it is left out");
    perf_make_profile(builder, &s.about, &s.stacks, s.names);
}

/* The first line that is no comment and no other record has to be a sample's. Only the whole line shows it. */
static enum recognition script_recognises(struct text head)
{
    enum { LONGEST_HEADING = 4096 }; /* longer lines are not waited for */
    while (!text_is_empty(head)) {
        struct text line = text_take_to(&head, '\n');
        struct sample_line heading;
        bool is_whole = line.end < head.end;
        if (line.end > line.at && line.end[-1] == '\r')
            line.end--;
        if (text_is_empty(line) || *line.at == '#' || is_other_record(line))
            continue;
        if (!is_whole && text_length(line) < LONGEST_HEADING)
            return NOT_YET;
        return parse_heading(line, &heading) ? MINE : NOT_MINE;
    }
    return NOT_YET;
}

const struct frontend perf_script_frontend = {
    .name = "perf-script",
    .recognises = script_recognises,
    .read = script_read,
};

/* SPDX-License-Identifier: MIT */
/*
 * Reads the text that `perf script` prints of a recording. It has what a native reader lacks: chains unwound by
 * DWARF, inlined functions, hardware traces, recordings of other machines.
 *
 *     SAMPLE
 *         FRAME
 *       [FILE:LINE]            of the frame (field srcline)
 *         ...
 *
 * A sample is a line with the frames that follow it, the innermost first, up to an empty line. Without a chain, its
 * frame is in its line. Without fields such as `insn`, which follow the chain, no empty line ends a sample. `#` begins
 * a comment; the header that perf script --header prints consists of them, apart from further lines of its command. A
 * sample has these fields, any of which may be missing, in this order:
 *
 *     as printed by     of perf script -F        kind
 *     VM:%d VCPU:%d     machine_pid, vcpu
 *     %s                comm                     may hold blanks, and be like any other field
 *     %d, %d/%d         tid, pid                 I
 *     [%03d]            cpu                      C
 *     %c...             misc                     m
 *     %s                tod
 *     %u.%06u:          time                     T
 *     %10u              period                   p; W if nothing but its width says so
 *     %s:               event                    E
 *     ...               flags, trace, addr, data_src, weight and others
 *     %16x %s+0x%x (%s) ip, sym, symoff, dso     the frame; the symbol and the object may hold blanks and parentheses
 *     ...               iregs, brstack, insn ... later_fields and others
 *
 * Source of the format: Linux, tools/perf/builtin-script.c (process_event) and tools/perf/util/evsel_fprintf.c.
 */
#include "read/perf/perf_stacks.h"

#include "util/array.h"

#include <inttypes.h>

/* The words up to the event; small letters may be missing. The first such words in a line count; of ids, the last. */
static const char *const after_time[] = {"TpE", NULL};
static const char *const without_time[] = {"CpE", "WE", NULL};
static const char *const after_ids[] = {"ImE", NULL};

/* Patterns of what follows a frame, beside addresses of 16 columns, sizes of pages and registers. */
static const char *const later_fields[] = {"ABI:*",       "0x*",         "ilen:*", "insn:*",       "IPC:*",
                                           "=> *",        "N/A*",        "|*",     "BPF output:*", "BPF string:*",
                                           "Old bytes:*", "New bytes:*", NULL};
static const char *const no_events[] = {"insn:", "ilen:", "IPC:", "metric:", "PERF_RECORD_*", NULL};

/* Lines between samples: of options such as --show-mmap-events, and of a decoder. */
static const char *const other_records[] = {"PERF_RECORD_*", "* PERF_RECORD_*", NULL};
static const char *const trace_errors[] = {"instruction trace error type *", "unknown AUX error type *", NULL};

/* What perf and its helpers print on standard error, which `perf script >FILE 2>&1` puts before and within samples. */
static const char *const messages[] = {"Failed to *",      "*, continuing *",
                                       "*maybe install*",  "[ perf record*",
                                       "Warning:*",        "WARNING:*",
                                       "Error:*",          "ERROR:*",
                                       "Processed * los*", "Check IO/CPU*",
                                       "AUX data *",       "Was the 'perf*",
                                       "Found * unkno*",   "Kernel address*",
                                       "Couldn't *",       "Can't *",
                                       "BFD: *",           "addr2line*",
                                       "*addr2line: *",    "*DWARF error: *",
                                       "0x* [0x*]: fail*", NULL};

struct sample_line {
    struct text fields; /* before the time or the period */
    struct text name, event, rest;
    struct text number; /* the period, or empty */
    struct text time;   /* or empty */
    uint32_t pid, tid;
};

struct frame_text {
    const char *at;             /* its address */
    struct text symbol, object; /* the symbol is empty if it is not known */
};

struct script {
    struct lines *lines;
    struct perf_about *about;
    struct perf_moment sample; /* at hand, like the next ones */
    uint64_t period;
    uint32_t pid;
    bool is_wanted;
    bool is_whole;    /* the line at hand, or it ends in a frame that lacks nothing but its newline */
    bool is_one_line; /* the only frame so far is in the sample's line; before a chain, that is the place of its data */
    uint64_t bare;    /* the number of the line before, if that is a frame without an object; otherwise 0 */
    uint64_t trace_errors;
    uint64_t samples;
    uint64_t message_lines, first_message; /* lines of no known form, and the number of the first one */
    uint64_t unknown_lines, first_unknown; /* those of them that are no messages of perf for certain */
    uint64_t unknown; /* the number of the line before, if that is one of these and may be a sample's; otherwise 0 */
    bool is_command;  /* the header's last line is the command, of which more lines may follow */
    uint32_t *places; /* of the sample's frames, the innermost first */
    size_t count, capacity;
};

static const char command_key[] = "# cmdline : ";

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

static bool is_hex(struct text word)
{
    const char *start = word.at;
    while (word.at < word.end && char_is_hex(*word.at))
        word.at++;
    return text_is_empty(word) && word.at > start && word.at - start <= 16;
}

/* Is it an address among fields? perf prints them in 16 columns; `end` is the end of the word before. */
static bool is_address(struct text word, const char *end)
{
    return word.end - end >= 16 && is_hex(word);
}

/* Is that empty, or what perf script prints after a frame? Of registers, old versions print no ABI. */
static bool is_later_field(struct text fields)
{
    const char *start = fields.at;
    text_skip_blanks(&fields);
    if (text_is_empty(fields) || text_matches_any(fields, later_fields))
        return true;
    struct text word = text_take_word(&fields);
    return is_address(word, start) || is_of_form(word, "0K") || is_of_form(word, "0M") || is_of_form(word, "0G") ||
           text_matches(word, "*:0x*", false);
}

/* Sets the symbol, without `+0xOFFSET`, and the object, which has an offset with the field dsoff. */
static void set_frame(struct frame_text *frame, const char *at, struct text symbol, struct text object)
{
    perf_cut_offset(&symbol);
    perf_cut_offset(&object);
    *frame = (struct frame_text){at, text_equals(symbol, "[unknown]") ? text_of("", 0) : symbol, object};
}

/* A tab follows it in a text by Android's simpleperf; of perf, which prints one before it, that is code. */
static bool take_address(struct text *line)
{
    uint64_t address;
    bool may_be_tab = !text_starts(*line, "\t");
    text_skip_blanks(line);
    return text_take_any_number(line, true, &address, NULL) &&
           (text_is_empty(*line) || *line->at == ' ' || (may_be_tab && *line->at == '\t'));
}

/* A line that is nothing but a frame: the object is in the last pair of parentheses. */
static bool parse_frame(struct text line, struct frame_text *frame)
{
    text_take_end(&line, char_is_blank);
    const char *at = text_trim(line).at;
    if (!take_address(&line) || text_is_empty(line))
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
    set_frame(frame, at, text_trim((struct text){line.at, pair}), (struct text){pair + 1, line.end - 1});
    return true;
}

/* Does it end with an object in parentheses, as a frame does that is whole? Those of a symbol follow no blank. */
static bool ends_in_object(struct text line)
{
    struct frame_text frame;
    line = text_trim(line);
    return parse_frame(line, &frame) && frame.object.at[-2] == ' ';
}

/* The last branch, as `/P/-/-/0`; NULL: there is none. */
static const char *last_branch(struct text fields)
{
    const char *last = NULL;
    for (const char *p = fields.at; fields.end - p > 6; p++)
        if (p[0] == '/' && p[2] == '/' && p[4] == '/' && p[6] == '/' && strchr("PM-", p[1]) != NULL &&
            strchr("X-", p[3]) != NULL && strchr("A-", p[5]) != NULL)
            last = p;
    return last;
}

/*
 * Finds the frame among the fields of a sample without a chain: the last ADDRESS SYMBOL (OBJECT). Before it may be the
 * place of its data, which has the same form, and after it are registers, branches and others. The last of these begin
 * with a tab, and may hold parentheses. What follows `=>` is where a branch went to.
 */
static bool find_frame(struct text fields, struct frame_text *frame)
{
    struct text rest = text_before(fields, '\t'), word, address = {NULL, NULL};
    const char *branch = last_branch(rest), *end = rest.at, *start = NULL; /* of the word before; of the object */
    bool is_found = false, is_first = true, is_target = false;
    size_t open = 0;
    text_skip_blanks(&rest);
    for (; !text_is_empty(word = text_take_word(&rest)); end = word.end) {
        if (open == 0 && !is_target && (is_first ? is_hex(word) : is_address(word, end)))
            address = word;
        is_first = false;
        is_target = text_equals(word, "=>");
        for (const char *p = word.at; p < word.end; p++) {
            if (*p == '(' && open++ == 0)
                start = p;
            if (*p != ')' || open == 0 || --open > 0 || address.at == NULL || start[-1] != ' ')
                continue;
            struct text after = {p + 1, rest.end};
            bool is_branch = branch != NULL && branch > p && p[1] != ' ' && p[1] != ':' && p[1] != '(';
            if (!is_branch && !is_later_field(after))
                continue;
            set_frame(frame, address.at, text_trim((struct text){address.end, start}), (struct text){start + 1, p});
            address.at = NULL;
            is_found = true;
        }
    }
    return is_found || parse_frame(fields, frame);
}

/* Is the word of that kind? `end` is the end of the word before it. */
static bool is_of_kind(struct text word, const char *end, char kind)
{
    enum { PERIOD_WIDTH = 10 };
    uint32_t pid, tid;
    switch (kind) {
    case 'C': return is_of_form(word, "[0]");
    case 'I': return read_ids(word, &pid, &tid);
    case 'm': return text_length(word) == 1 && memchr("KUHGg", *word.at, 5) != NULL;
    case 'p': return is_of_form(word, "0");
    case 'T': return is_of_form(word, "0.0:");
    case 'W': return is_of_form(word, "0") && word.end - end >= PERIOD_WIDTH;
    default: /* no field that is printed after an event */
        return text_length(word) >= 2 && word.end[-1] == ':' && !text_matches_any(word, no_events) &&
               !is_of_form(word, "0.0:");
    }
}

/* Do words of such kinds begin `rest`? Sets what they say. `end` is the end of the word before. */
static bool is_heading(struct text line, struct text rest, const char *end, const char *kinds, struct sample_line *h)
{
    const struct text none = {line.at, line.at};
    struct sample_line found = {.number = none, .time = none, .fields = none};
    struct text word = none;
    bool has_fields = false; /* that precede the first of these */
    for (; *kinds != '\0'; kinds++) {
        struct text after = rest, next = text_take_word(&after);
        bool is_there = is_of_kind(next, end, *kinds);
        if (!is_there && *kinds < 'a')
            return false;
        if (!is_there)
            continue;
        word = next;
        rest = after;
        end = word.end;
        if (!has_fields && strchr("TpWE", *kinds) != NULL) {
            found.fields.end = word.at;
            has_fields = true;
        }
        if (strchr("pW", *kinds) != NULL)
            found.number = word;
        if (*kinds == 'T')
            found.time = word;
    }
    found.event = (struct text){word.at, word.end - 1};
    found.rest = (struct text){word.end, line.end};
    *h = found;
    return true;
}

/* Finds the first words in one of the forms, or the last. */
static bool find_event(struct text line, const char *const *forms, bool is_last, struct sample_line *h)
{
    struct text rest = line;
    bool is_found = false;
    text_skip_blanks(&rest);
    for (const char *end = line.at; !text_is_empty(rest) && (is_last || !is_found); end = text_take_word(&rest).end)
        for (const char *const *form = forms; *form != NULL; form++)
            is_found |= is_heading(line, rest, end, *form, h);
    return is_found;
}

/* Finds `TIME: [PERIOD]` before a frame, an address or the end of the line: perf script printed no events. */
static bool find_time(struct text line, struct sample_line *h)
{
    struct text rest = line;
    struct frame_text frame = {.at = NULL};
    struct sample_line counted = *h;
    bool is_first = true;
    text_skip_blanks(&rest);
    for (; !text_is_empty(rest); text_take_word(&rest)) {
        if (!is_heading(line, rest, line.at, "T", h))
            continue;
        bool has_frame = is_first && find_frame(h->rest, &frame);
        is_heading(line, rest, line.at, "Tp", &counted);
        if (!is_address(counted.number, h->rest.at) && counted.number.at != frame.at)
            *h = counted;
        h->event = text_of_string(text_is_empty(h->number) ? "Samples" : "Period");
        struct text tail = h->rest;
        text_skip_blanks(&tail);
        struct text next = text_take_word(&tail);
        if (has_frame || text_is_empty(next) || is_address(next, h->rest.at))
            return true;
        is_first = false;
    }
    return false;
}

/*
 * What perf script prints below samples and other records: registers, bytes, source, and after a tab, unless it is a
 * frame, the code of branches and others. COMM may be like any of these.
 */
static bool is_other_line(struct text line)
{
    struct text rest = line;
    if (*line.at == '\t')
        return !take_address(&rest);
    text_skip_blanks(&rest);
    bool is_indented = rest.at - line.at > 17; /* the later lines of `BPF output:` */
    struct text word = text_take_word(&rest);
    if (is_indented && text_length(word) == 5 && word.end[-1] == ':')
        word.end--;
    return is_later_field(line) || (is_indented && text_length(word) == 4 && is_hex(word) && *word.end == ':');
}

static bool parse_heading(struct text line, struct sample_line *h)
{
    struct text rest, word;
    uint32_t pid, tid;
    if (!find_event(line, after_time, false, h) &&
        (text_matches_any(line, other_records) || text_matches(line, "0x* [0x*]: fail*", false) ||
         (*line.at == '\t' && is_other_line(line)) ||
         !(find_event(line, without_time, false, h) || find_event(line, after_ids, true, h) || find_time(line, h))))
        return false;
    if (text_starts(h->fields, "VM:")) { /* of a guest; blanks may follow the colon */
        h->fields.at += 3;
        text_skip_blanks(&h->fields);
        text_take_word(&h->fields);
        if (text_starts(h->fields, "VCPU:"))
            text_take_word(&h->fields);
    }
    /* The last ids are the thread's, and what precedes them is its name. Any of them may be missing. */
    rest = h->name = text_trim(h->fields);
    h->pid = h->tid = UINT32_MAX;
    for (; !text_is_empty(word = text_take_word(&rest));)
        if (read_ids(word, &pid, &tid)) {
            h->name.end = word.at;
            h->pid = pid;
            h->tid = tid;
        }
    h->name = text_trim(h->name);
    return true;
}

/* Adds a frame to the sample at hand; its object is named as in recordings. */
static void add_frame(struct script *s, const struct frame_text *frame)
{
    static const char kernel[] = "[kernel.kallsyms]", jit[] = "[JIT]";
    static const char *const modules[] = {"*.ko", "*.ko.*", NULL};
    struct perf_object object = {.kind = PERF_SPECIAL};
    struct text name = frame->object;
    if (!s->is_wanted)
        return;
    if (perf_is_jit(name) || text_starts(name, jit) || (text_starts(name, "/tmp/perf-") && text_ends(name, ".map")))
        name = text_of_string(jit);
    else if (text_starts(name, kernel))
        name = text_of_string(kernel);
    else if (text_equals(name, "inlined"))
        name = text_of_string("[inlined]");
    bool is_module = text_matches_any(path_file(name), modules);
    object.name = is_module ? perf_module(s->about, name) : perf_intern(s->about, name);
    if (!text_is_empty(frame->symbol))
        object = (struct perf_object){
            .kind = PERF_SYMBOL, .within = object.name, .name = perf_intern(s->about, frame->symbol)};
    uint32_t place = perf_place(s->about, (struct perf_place){.object = perf_object(&s->about->stacks, object)});
    array_append(&s->places, &s->count, &s->capacity, &place, sizeof place);
}

/* Without any frame, it is not known where the sample was. */
static void end_sample(struct script *s)
{
    if (!s->is_wanted)
        return;
    const struct perf_place unknown = {.object = OBJECT_UNKNOWN};
    uint32_t node = perf_root(s->about, s->pid, s->sample.tid, s->sample.name);
    s->about->events[s->sample.event].without_frame += s->count == 0;
    if (s->count == 0)
        node = perf_node(&s->about->stacks, (struct perf_node){node, perf_place(s->about, unknown)});
    for (size_t i = s->count; i-- > 0;)
        node = perf_node(&s->about->stacks, (struct perf_node){node, s->places[i]});
    s->sample.node = node;
    perf_book(&s->about->stacks, s->sample, 1, s->period);
}

/* Nanoseconds of `SECONDS.FRACTION:`, of which perf prints 6 or 9 digits; 0: it is empty or too large. */
static uint64_t read_time(struct text time)
{
    uint64_t seconds = 0, part = 0, unit = 1000000000;
    if (!text_take_number(&time, &seconds, NULL) || seconds >= INT64_MAX / unit)
        return 0;
    for (const char *c = time.at + 1; c < time.end && char_is_digit(*c) && unit > 1; c++) {
        unit /= 10;
        part += unit * (uint64_t)(*c - '0');
    }
    return seconds * 1000000000 + part;
}

static uint32_t script_event(struct perf_about *about, const struct sample_line *h)
{
    uint32_t name = perf_intern(about, h->event), event = ids_find(&about->event_ids, name);
    struct perf_event added = {.name = name, .counts_samples = text_is_empty(h->number)};
    struct text kind = text_before(text_before(h->event, ':'), '/');
    if (event != NONE)
        return event;
    added.counts_time = !added.counts_samples && (text_equals(kind, "cpu-clock") || text_equals(kind, "task-clock"));
    ids_set(&about->event_ids, name, (uint32_t)about->event_count);
    array_append(&about->events, &about->event_count, &about->event_capacity, &added, sizeof added);
    return (uint32_t)about->event_count - 1;
}

static _Noreturn void report_other_line(struct script *s, uint64_t number)
{
    diag_error(s->about->diag, number,
               "found another line, expected a sample (COMM TID TIME: PERIOD EVENT:) or a frame (ADDRESS SYMBOL "
               "(OBJECT)); print only the fields of these (perf script -F comm,pid,tid,time,period,event,ip,sym,dso)");
}

/* Passes over a line of no known form. If frames follow it, and it is not within a sample, it begins one. */
static void pass_over(struct script *s, struct text line, bool is_within)
{
    bool is_message = text_matches_any(text_trim(line), messages);
    uint64_t number = s->lines->number;
    s->first_message = s->message_lines++ == 0 ? number : s->first_message;
    if (is_message)
        return;
    s->first_unknown = s->unknown_lines++ == 0 ? number : s->first_unknown;
    s->unknown = is_within ? 0 : number;
}

/* Is it of another record, or of what perf script prints below one? */
static bool is_other_record(struct text line)
{
    return text_matches_any(text_trim(line), trace_errors) || text_matches_any(line, other_records) ||
           is_other_line(line) || last_branch(line) != NULL || text_matches(line, "*\tmetric: *", false);
}

/* May a line that is of no sample be a message? What begins like a frame lacks its object. */
static bool may_be_message(struct text line)
{
    struct text rest = line;
    return text_matches_any(text_trim(line), messages) || (!is_other_record(line) && !take_address(&rest));
}

/* Reads a line that is not of the sample before. Returns whether it begins one. */
static bool read_heading(struct script *s, struct text line)
{
    struct perf_about *about = s->about;
    struct sample_line heading;
    struct frame_text frame;
    if (text_is_empty(text_trim(line)))
        return false;
    if (*line.at == '#') { /* the header may say something of the recording */
        s->is_command = text_starts(line, command_key);
        uint32_t *fact = s->is_command                            ? &about->command
                         : text_starts(line, "# perf version : ") ? &about->version
                                                                  : NULL;
        text_take_to(&line, ':');
        if (fact != NULL)
            *fact = perf_intern(about, text_trim(line));
        return false;
    }
    bool is_sample = parse_heading(line, &heading);
    if (!is_sample && s->is_command)
        return false;
    s->is_command = false;
    if (!is_sample) {
        s->trace_errors += text_matches_any(text_trim(line), trace_errors);
        bool is_message = may_be_message(line);
        if (!is_message && is_other_record(line))
            return false;
        if (!s->lines->last_is_whole && s->lines->number > 1)
            return true; /* it is cut off, and the last */
        if (!is_message)
            report_other_line(s, s->lines->number);
        pass_over(s, line, false);
        return false;
    }
    s->samples++;
    s->count = 0;
    s->pid = heading.pid;
    s->sample.tid = heading.tid;
    s->sample.name = perf_intern(about, heading.name);
    s->is_wanted = perf_is_wanted(about, s->pid, heading.tid, s->sample.name);
    s->sample.event = script_event(about, &heading);
    s->sample.time = read_time(heading.time);
    s->period = 1;
    text_take_number(&heading.number, &s->period, NULL);
    s->is_one_line = find_frame(heading.rest, &frame);
    s->is_whole |= ends_in_object(heading.rest);
    if (s->is_one_line)
        add_frame(s, &frame);
    return true;
}

/* Is it a frame of the sample at hand, or a line of source below one? Adds it. */
static bool read_frame(struct script *s, struct text line)
{
    struct sample_line heading;
    struct frame_text frame;
    bool has_tab = line.at < line.end && *line.at == '\t';
    bool is_source = text_length(line) > 2 && text_starts(line, "  ") && line.at[2] != ' ' &&
                     (text_matches(line, "*:*", false) || text_matches(line, "*[*]*", false));
    if (s->bare > 0 && !(is_source && text_ends(line, " (inlined)")) && s->lines->last_is_whole)
        diag_error(s->about->diag, s->bare,
                   "found a frame without its object, expected ADDRESS SYMBOL (OBJECT) (perf script -F +ip,+sym,+dso)");
    s->bare = 0;
    /* A frame begins with a tab. In a text whose tabs are gone, it is what no sample's line can be. */
    bool is_frame = parse_frame(line, &frame) && (has_tab || !parse_heading(line, &heading));
    if (!is_frame && has_tab) {
        struct text symbol = line;
        if (!take_address(&symbol))
            return false;
        s->bare = s->lines->number;
        set_frame(&frame, line.at, text_trim(symbol), text_of_string("inlined"));
    } else if (!is_frame) {
        struct perf_symbol symbol = {.line = 0};
        if (!is_source || parse_heading(line, &heading))
            return false;
        if (s->about->wants_lines && s->count > 0 && perf_take_line(s->about, line, &symbol) && symbol.line > 0) {
            uint32_t *last = &s->places[s->count - 1];
            uint32_t object = s->about->stacks.places.items[*last].object;
            struct perf_place place = {.line = symbol.line, .file = symbol.file, .object = object};
            *last = perf_place(s->about, place);
        }
        return true;
    }
    if (s->is_one_line)
        s->count = 0;
    s->is_one_line = false;
    add_frame(s, &frame);
    return true;
}

static void script_read(struct lines *lines, struct builder *builder, const struct frontend_options *options)
{
    struct script s = {.lines = lines};
    bool is_open = false;    /* a sample, to which frames may follow */
    bool is_message = false; /* the line before is one within a chain, which goes on after an empty line, too */
    struct sample_line heading;
    struct text line;
    s.about = perf_begin(builder, options);
    while (lines_next(lines, &line)) {
        s.is_whole = lines->last_is_whole || ends_in_object(line);
        if (s.unknown > 0 && text_starts(line, "\t") && take_address(&(struct text){line.at, line.end}))
            report_other_line(&s, s.unknown);
        s.unknown = 0;
        bool may_be_within = is_open && !s.is_one_line && !text_is_empty(line) && !char_is_blank(*line.at);
        if (may_be_within && *line.at != '#' && !parse_heading(line, &heading) && may_be_message(line)) {
            pass_over(&s, line, true);
            is_message = true;
            continue;
        }
        if (is_message && text_is_empty(text_trim(line)))
            continue;
        is_message = false;
        if (is_open && read_frame(&s, line))
            continue;
        if (is_open && !s.is_one_line && !lines->last_is_whole)
            break;
        if (is_open)
            end_sample(&s);
        is_open = read_heading(&s, line);
    }
    if (is_open && s.is_whole) {
        read_frame(&s, text_of("", 0));
        end_sample(&s);
    } else if (is_open) {
        diag_problem(s.about->diag, lines->number, "ends within a sample, expected the rest of it; it is left out");
    }
    if (s.unknown_lines > s.samples)
        report_other_line(&s, s.first_unknown);
    if (s.message_lines > 0)
        diag_problem(s.about->diag, s.first_message,
                     "found %" PRIu64 " line%s of no sample, such as messages of perf, expected none; they are left "
                     "out (perf script >FILE, without 2>&1, leaves them on the terminal)",
                     s.message_lines, s.message_lines == 1 ? "" : "s");
    if (s.trace_errors > 0)
        diag_problem(s.about->diag, 0,
                     "found %" PRIu64 " error%s of the decoder of a hardware trace, expected none; what ran "
                     "there is missing",
                     s.trace_errors, s.trace_errors == 1 ? "" : "s");
    perf_make_profile(builder, s.about);
}

/* The first line that is no comment and no other record has to be a sample's. Only the whole line shows it. */
static enum recognition script_recognises(struct text head)
{
    enum { LONGEST_HEADING = 4096 }; /* longer lines are not waited for */
    bool is_below = false;           /* another record */
    bool is_command = false;         /* or below that */
    while (!text_is_empty(head)) {
        struct text line = text_take_to(&head, '\n');
        struct sample_line heading;
        bool is_whole = line.end < head.end;
        line.end -= text_ends(line, "\r");
        bool is_other = text_matches_any(line, other_records) || text_matches_any(text_trim(line), trace_errors);
        bool is_comment = text_starts(line, "#");
        if (text_matches_any(text_trim(line), messages) && !parse_heading(line, &heading))
            continue;
        if (text_is_empty(line) || is_comment || is_other ||
            ((is_command || (is_below && is_other_line(line))) && !parse_heading(line, &heading))) {
            is_command = is_comment ? text_starts(line, command_key) : is_command;
            is_below |= is_other;
            continue;
        }
        if (!is_whole && text_length(line) < LONGEST_HEADING)
            return NOT_YET;
        struct text next = text_take_to(&head, '\n'); /* if it is a frame, an error names the fields */
        struct frame_text frame;
        bool is_above_frame = text_starts(next, "\t") && parse_frame(next, &frame);
        return is_above_frame || parse_heading(line, &heading) ? MINE : NOT_MINE;
    }
    return NOT_YET;
}

const struct frontend perf_script_frontend = {
    .name = "perf-script",
    .choices = CHOOSES_THREADS | CHOOSES_NAMES,
    .has_lines = true,
    .recognises = script_recognises,
    .read = script_read,
    .take = perf_take_event,
};

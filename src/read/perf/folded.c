/* SPDX-License-Identifier: MIT */
/*
 * Reads collapsed stacks, as FlameGraph's stackcollapse tools, py-spy, rbspy and async-profiler print them: each
 * distinct stack is a line, with the number of samples that ended there.
 *
 *     FRAME;FRAME;... COUNT      the outermost frame first
 *
 * A frame is a name, which may hold blanks, with additions of its producer:
 *
 *     NAME_[k]                   code of the kernel
 *     NAME_[j] _[i] _[0] _[1]    code that was made at run time, inlined, interpreted, compiled without optimisation
 *     NAME (FILE:LINE)           the place in the source, by py-spy, which may print only (FILE.py)
 *     NAME - FILE:LINE           ... and by rbspy
 *     OBJECT`NAME+0x1f           the object and an offset, by dtrace; List`1 is a generic type of .NET
 *     NAME+31                    an offset, by bpftrace
 *
 * Sources of the format, which has no specification: FlameGraph, flamegraph.pl, stackcollapse-perf.pl, -bpftrace.pl and
 * stackcollapse.pl; async-profiler, docs/OutputFormats.md; py-spy, src/flamegraph.rs; rbspy, src/ui/flamegraph.rs.
 */
#include "read/perf/perf_stacks.h"

#include "util/array.h"

#include <inttypes.h>

struct frame {
    struct text name, object; /* the latter also a file; or empty */
    uint64_t line;            /* of that file; 0: unknown */
};

/*
 * Takes the count from the end of a line, and the blanks around the stack, which py-spy prints without any frame where
 * a thread had none. A count with a fraction, as flamegraph.pl draws it, is rounded.
 */
static bool take_count(struct text *line, uint64_t *count, bool *has_fraction)
{
    text_take_end(line, char_is_blank);
    bool overflow = false;
    struct text stack = *line, number = text_take_end(&stack, char_is_digit), fraction = {0};
    if (text_ends(stack, ".")) {
        fraction = number;
        stack.end--;
        number = text_take_end(&stack, char_is_digit);
    }
    if (text_is_empty(text_take_end(&stack, char_is_blank)) || !text_take_number(&number, count, &overflow) || overflow)
        return false;
    count_add(count, !text_is_empty(fraction) && *fraction.at >= '5');
    *has_fraction |= !text_is_empty(fraction);
    *line = text_trim(stack);
    return true;
}

/* Takes FILE:LINE, and `before` it, from the end of a frame; `file` is what may be FILE:LINE, and what precedes it. */
static void take_place(struct frame *frame, const char *before, struct text file)
{
    struct text path = file, number = text_take_end(&path, char_is_digit);
    bool has_line = text_ends(path, ":") && !text_is_empty(number);
    if (!has_line && !text_ends(file, ".py"))
        return;
    file.end -= has_line ? text_length(number) + 1 : 0;
    const char *start = file.end;
    while (start > file.at && !text_starts((struct text){start, file.end}, before))
        start--;
    struct text found = {start + strlen(before), file.end};
    if (start == file.at || found.at >= found.end)
        return;
    frame->name.end = start;
    frame->object = found;
    if (has_line)
        text_take_number(&number, &frame->line, NULL);
}

static struct frame parse_frame(struct text text)
{
    struct frame frame = {.name = text_trim(text)};
    struct text *name = &frame.name, rest = frame.name;
    if (text_length(*name) > 4 && memcmp(name->end - 4, "_[", 2) == 0 && name->end[-1] == ']' &&
        strchr("kji01", name->end[-2]) != NULL) {
        frame.object = text_of_string(name->end[-2] == 'k' ? "[kernel.kallsyms]" : "");
        name->end -= 4;
        return frame;
    }
    if (text_ends(*name, ")"))
        take_place(&frame, " (", (struct text){name->at, name->end - 1});
    else
        take_place(&frame, " - ", *name);
    struct text object = text_take_to(&rest, '`');
    if (text_is_empty(frame.object) && !text_is_empty(rest) && !(*rest.at >= '1' && *rest.at <= '9') &&
        !text_is_empty(object)) {
        frame.object = object;
        *name = rest;
    }
    perf_cut_offset(name);
    rest = *name;
    if (!text_is_empty(text_take_end(&rest, char_is_digit)) && text_ends(rest, "+") && text_length(rest) > 1)
        name->end = rest.end - 1;
    if (text_is_empty(*name))
        *name = text_of_string("[unknown]");
    return frame;
}

static uint32_t stack_node(struct perf_about *about, struct text stack)
{
    uint32_t node = NONE;
    do {
        struct frame frame = parse_frame(text_take_to(&stack, ';'));
        uint32_t within = perf_intern(about, frame.object);
        struct perf_object object = {.kind = PERF_SYMBOL, .name = perf_intern(about, frame.name), .within = within};
        bool has_line = about->wants_lines && frame.line > 0 && frame.line < UINT32_MAX;
        struct perf_place place = {.object = perf_object(&about->stacks, object)};
        place.line = has_line ? (uint32_t)frame.line : 0;
        place.file = has_line ? within : NAME_EMPTY;
        node = perf_node(&about->stacks, (struct perf_node){node, perf_place(about, place)});
    } while (stack.at < stack.end);
    return node;
}

static void folded_read(struct lines *lines, struct builder *builder, const struct frontend_options *options)
{
    struct perf_about *about = perf_begin(builder, options);
    struct text line;
    uint64_t stacks = 0, pairs = 0, wrong = 0, count, other;
    about->creator = "collapsed stacks";
    about->says_lines = "NAME (FILE:LINE) in frames";
    struct perf_event samples = {.name = perf_intern(about, text_of_string("Samples")), .counts_samples = true};
    array_append(&about->events, &about->event_count, &about->event_capacity, &samples, sizeof samples);
    while (lines_next(lines, &line)) {
        struct text stack = text_trim(line);
        bool has_fraction = false;
        if (text_is_empty(stack) || *stack.at == '#')
            continue;
        if (!take_count(&line, &count, &has_fraction)) {
            diag_problem(about->diag, lines->number, "found another line, expected a stack (FRAME;FRAME;... COUNT)");
            wrong++;
            continue;
        }
        if (has_fraction)
            diag_problem(about->diag, lines->number, "a count has a fraction; it is rounded");
        perf_book(&about->stacks, (struct perf_moment){.node = stack_node(about, line)}, count, count);
        stacks++;
        pairs += take_count(&line, &other, &has_fraction);
    }
    if (wrong >= stacks)
        diag_error(about->diag, 0, "%" PRIu64 " lines are stacks (FRAME;FRAME;... COUNT), and %" PRIu64 " are not",
                   stacks, wrong);
    if (pairs == stacks)
        diag_error(about->diag, 0,
                   "each stack has two counts, as difffolded.pl writes them; give cg2wg both of its inputs: "
                   "--base=OLD NEW");
    perf_make_profile(builder, about);
}

/*
 * Most lines are stacks, at least one has several frames, and no frame begins with a blank as in prose. The others may
 * be messages of the producer, unless this is a known file of another program, some lines of which look like stacks.
 */
static enum recognition folded_recognises(struct text head)
{
    bool is_folded = false;
    uint64_t stacks = 0, wrong = 0, count;
    struct text rest = head;
    while (!text_is_empty(rest)) {
        struct text line = text_take_to(&rest, '\n'), stack;
        bool is_whole = line.end < rest.at, has_fraction = false;
        line.end -= text_ends(line, "\r");
        stack = text_trim(line);
        if (!is_whole && text_is_empty(rest) && is_folded)
            break;
        if (text_is_empty(stack) || *stack.at == '#')
            continue;
        bool has_frames = memchr(stack.at, ';', text_length(stack)) != NULL;
        if (!take_count(&line, &count, &has_fraction)) {
            if (!is_whole && has_frames)
                return NOT_YET;
            wrong++;
            continue;
        }
        stacks++;
        is_folded |= has_frames;
        while (!text_is_empty(line)) {
            struct text frame = text_take_to(&line, ';');
            if (!text_is_empty(frame) && char_is_blank(*frame.at))
                return NOT_MINE;
        }
    }
    return is_folded && stacks > wrong && (wrong == 0 || others_find(head) == NULL) ? MINE : NOT_MINE;
}

const struct frontend folded_frontend = {
    .name = "folded", .has_lines = true, .recognises = folded_recognises, .read = folded_read, .take = perf_take_event};

/* SPDX-License-Identifier: MIT */
/* Lines of source: at addresses, by addr2line; and as others have written them. */
#include "read/perf/perf_names.h"

#include "read/filter.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdio.h>

/* The last number in a text, after a colon, which is cut off with it; `?` is 0. False: there is none. */
static bool cut_number(struct text *text, uint64_t *number)
{
    const char *colon = text->end;
    while (colon > text->at && colon[-1] != ':')
        colon--;
    struct text digits = {colon, text->end};
    *number = 0;
    bool is_number = text_equals(digits, "?") || (text_take_number(&digits, number, NULL) && text_is_empty(digits));
    if (colon == text->at || !is_number)
        return false;
    text->end = colon - 1;
    return true;
}

/* addr2line may add ` (discriminator N)`, eu-addr2line `:COLUMN`, and perf script ` (inlined)`. */
bool perf_take_line(struct perf_about *about, struct text text, struct perf_symbol *symbol)
{
    uint64_t line = 0, number;
    bool is_line = false;
    struct text file = text_trim(text);
    for (const char *p = file.end; text_ends(file, ")") && p > file.at + 1; p--)
        if (text_starts((struct text){p - 2, file.end}, " ("))
            file.end = p - 2;
    for (; cut_number(&file, &number); is_line = true)
        line = number;
    if (line > 0 && line < UINT32_MAX && !text_is_empty(file) && !text_equals(file, "??")) {
        symbol->file = perf_intern(about, file);
        symbol->line = (uint32_t)line;
    }
    return is_line;
}

void perf_find_lines(struct perf_about *about, int fd, const struct perf_address *addresses, size_t count,
                     struct perf_symbol *symbols, struct perf_lines *lines)
{
    static const char *const programs[][2] = {{"addr2line", "-e/dev/fd/3"}, {"eu-addr2line", "-Ae/dev/fd/3"}};
    struct buffer asked = {.bytes = NULL};
    struct text answers = {NULL, NULL};
    bool is_stopped;
    for (size_t i = 0; i < count && !lines->is_missing; i++) {
        char line[24];
        sprintf(line, "0x%" PRIx64 "\n", addresses[i].address);
        buffer_add_string(&asked, line);
    }
    for (size_t i = 0; i < COUNT_OF(programs) && answers.at == NULL && !lines->is_missing; i++) {
        const struct program_kind kind = {.name = programs[i][0],
                                          .argument = programs[i][1],
                                          .is_optional = true,
                                          .input = "addresses",
                                          .past = "have no lines"};
        const struct filter filter = {&kind, about->options->for_lines, about->diag, fd};
        answers = filter_answers(&filter, buffer_text(&asked), &is_stopped);
        lines->program = kind.name;
    }
    lines->is_missing |= answers.at == NULL;
    size_t found = 0;
    for (struct text rest = answers; answers.at != NULL && !text_is_empty(rest); found++)
        text_take_to(&rest, '\n');
    /* If there are more, a file's name may have taken two lines. */
    struct text rest = found <= count && answers.at != NULL ? answers : text_of("", 0);
    for (size_t i = 0; i < count && !text_is_empty(rest); i++)
        lines->answered += perf_take_line(about, text_take_to(&rest, '\n'), &symbols[addresses[i].place]);
    if (!text_is_empty(answers))
        memory_free((char *)answers.at);
    memory_free(asked.bytes);
}

void perf_check_lines(struct perf_about *about, const struct perf_lines *lines)
{
    if (lines->is_missing)
        diag_warning(about->diag, 0,
                     "found no program that knows lines of source, expected addr2line (install "
                     "binutils) or eu-addr2line (install elfutils); all lines are 0");
    else if (lines->answered < lines->asked)
        diag_warning(about->diag, 0,
                     "found lines of source for %zu addresses, expected %zu: %s has failed, or was "
                     "stopped because it took too much; the others are 0",
                     lines->answered, lines->asked, lines->program != NULL ? lines->program : "its file");
    else if (lines->known == 0)
        diag_warning(about->diag, 0,
                     "found no lines of source, expected debug information (compile with -g, or "
                     "install debug symbols), or the field srcline of perf script; all lines are 0");
}

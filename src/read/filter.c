/* SPDX-License-Identifier: MIT */
#include "read/filter.h"

#include "util/array.h"

enum {
    MOST_MB = 256,
    A_SECOND = 1000000, /* of the processor, in microseconds */
    AT_FIRST = 3 * A_SECOND,
    A_START = 20000, /* is not counted */
    FILE_TIME = 16,  /* bytes of a file that allow one microsecond more */
    PLACE_TIME = 8,  /* microseconds for each byte of the lines that ask about places in a file */
    FILE_MEMORY = 4, /* of each byte: sections of debug information are compressed */
    MOST_FILE_MB = 512,
    SILENCE = 10 /* seconds without an answer, for each of the processor */
};

/* More if there are more lines: one microsecond for each byte. */
static uint64_t time_left(const struct cg2wg_demangling *limit)
{
    uint64_t used = __atomic_load_n(&limit->used, __ATOMIC_RELAXED);
    uint64_t all = AT_FIRST + __atomic_load_n(&limit->asked, __ATOMIC_RELAXED);
    return all > used ? all - used : 0;
}

/* Sets the limits of a program. False: no time is left. */
static bool set_limits(const struct filter *f, struct text lines, struct program *p)
{
    struct file_facts facts = {.size = 0};
    bool has_file = f->file >= 0 && file_look_at(f->file, &facts);
    uint64_t size = MIN(facts.size, (uint64_t)MOST_FILE_MB << 20); /* it may have holes */
    uint64_t most = has_file ? PLACE_TIME * text_length(lines) + size / FILE_TIME : text_length(lines);
    __atomic_fetch_add(&f->limit->asked, has_file ? most : 0, __ATOMIC_RELAXED);
    uint64_t left = time_left(f->limit);
    p->file = f->file;
    p->megabytes = MOST_MB + (unsigned)(FILE_MEMORY * size >> 20);
    p->seconds = (unsigned)MAX(MIN(left, A_SECOND + most) / A_SECOND, 1); /* one line may take all */
    return left >= A_START;
}

struct text filter_answers(const struct filter *f, struct text lines, bool *is_stopped)
{
    enum { BLOCK = 64 * 1024, MOST_ANSWERS = 1 << 26, ANSWER = 16 }; /* bytes; and for each of the lines, more */
    struct program p = program_of(f->kind, f->diag);
    struct buffer answers = {.bytes = NULL};
    char block[BLOCK], line[FILTER_MOST_LINE + 1];
    size_t used = 0; /* of the line; if all, it is too long */
    ssize_t count;
    uint64_t room = MOST_ANSWERS + ANSWER * (uint64_t)text_length(lines);
    bool is_silent;
    if (!set_limits(f, lines, &p))
        return text_of("", 0);
    if (!program_give(&p, lines) || !program_start(&p, -1, text_of("", 0))) {
        program_stop(&p);
        return text_of(NULL, 0);
    }
    while (!(is_silent = !program_wait(&p, SILENCE * p.seconds)) &&
           (count = file_read(p.output, block, sizeof block, -1)) > 0)
        for (const char *c = block; c < block + count; c++) {
            if (*c == '\n') {
                bool is_bounded = used <= FILTER_MOST_LINE && answers.length + used < room;
                buffer_add(&answers, text_of(line, is_bounded ? used : 0));
                buffer_add_string(&answers, "\n");
                used = 0;
            } else if (used < sizeof line) {
                line[used++] = *c;
            }
        }
    program_stop(&p);
    /* The kernel counts ticks for the limit, so that the exact time may be less. */
    uint64_t most = (uint64_t)p.seconds * A_SECOND;
    *is_stopped = is_silent || p.used >= most / 2;
    uint64_t counted = *is_stopped ? MAX(p.used, most) : p.used > A_START ? p.used - A_START : 0;
    __atomic_fetch_add(&f->limit->used, counted, __ATOMIC_RELAXED);
    return answers.length > 0 ? buffer_text(&answers) : text_of("", 0);
}

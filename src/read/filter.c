/* SPDX-License-Identifier: MIT */
#include "read/filter.h"

#include "util/array.h"

#include <string.h>
#include <unistd.h>

enum {
    MOST_MB = 256,
    A_SECOND = 1000000, /* of the processor, in microseconds */
    AT_FIRST = 3 * A_SECOND,
    A_START = 20000,  /* is not counted without a file: the profiles of --storage have one each */
    FILE_TIME = 16,   /* bytes of a file, without those in holes, that allow one microsecond more */
    COPY_TIME = 1024, /* bytes of a file, with those, that take a microsecond to be copied */
    PLACE_TIME = 8,   /* microseconds for each byte of the lines that ask about places in a file */
    FILE_MEMORY = 4,  /* of each byte: sections of debug information are compressed */
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

/*
 * Gives a program a copy of an object of that size, in which no section is called `.gnu_debuglink` or
 * `.gnu_debugaltlink`: it would open any file, FIFO or device that these name. What others write to the object does not
 * change the copy. Blocks of zero bytes become holes. *data: how many other bytes there are.
 */
static bool give_copy(struct program *p, int object, uint64_t size, uint64_t *data)
{
    enum { BLOCK = 64 * 1024, MARK = sizeof ".gnu_debug" - 1 };
    char *block = memory_get(BLOCK + MARK);
    size_t before = 0; /* of the block before, because a name may be in both */
    ssize_t count = 1;
    *data = 0;
    p->file = file_create_unnamed(false);
    bool is_given = p->file >= 0;
    for (uint64_t at = 0; is_given && at < size && count > 0; at += (uint64_t)count) {
        count = file_read(object, block + before, BLOCK, (int64_t)at);
        if (count <= 0)
            break;
        char *end = block + before + count;
        for (char *c = block; (c = memchr(c, '.', (size_t)(end - c))) != NULL; c++)
            if (end - c >= MARK && memcmp(c, ".gnu_debug", MARK) == 0)
                *c = '?';
        bool is_end = at + (uint64_t)count >= size;
        before = is_end ? 0 : MIN((size_t)(end - block), MARK - 1);
        size_t length = (size_t)(end - block) - before;
        bool is_zero = length > 0 && block[0] == '\0' && memcmp(block, block + 1, length - 1) == 0;
        *data += is_zero ? 0 : length;
        is_given = is_zero && !is_end ? lseek(p->file, (off_t)length, SEEK_CUR) >= 0
                                      : file_write_all(p->file, block, length);
        memmove(block, end - before, before);
    }
    memory_free(block);
    return is_given && count > 0 && lseek(p->file, 0, SEEK_SET) == 0;
}

/* Sets the limits of a program, and gives it its file. False: no time is left, or no room for the file. */
static bool prepare(const struct filter *f, struct text lines, struct program *p)
{
    struct file_facts facts = {.size = 0};
    uint64_t data = 0, most = text_length(lines);
    if (f->file >= 0 && (!file_look_at(f->file, &facts) || facts.size / COPY_TIME >= time_left(f->limit) ||
                         !give_copy(p, f->file, facts.size, &data)))
        return false;
    if (f->file >= 0) {
        data = MIN(data, (uint64_t)MOST_FILE_MB << 20);
        most = PLACE_TIME * most + data / FILE_TIME;
        __atomic_fetch_add(&f->limit->asked, most, __ATOMIC_RELAXED);
        __atomic_fetch_add(&f->limit->used, facts.size / COPY_TIME, __ATOMIC_RELAXED);
    }
    uint64_t left = time_left(f->limit);
    p->megabytes = MOST_MB + (unsigned)(FILE_MEMORY * data >> 20);
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
    bool is_silent, is_given = program_give(&p, lines), is_prepared = is_given && prepare(f, lines, &p);
    *is_stopped = false;
    if (!is_prepared || !program_start(&p, -1, text_of("", 0))) {
        program_stop(&p);
        return text_of(is_given && !is_prepared ? "" : NULL, 0);
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
    uint64_t start = f->file >= 0 ? 0 : A_START, counted = p.used > start ? p.used - start : 0;
    counted = *is_stopped ? MAX(p.used, most) : counted;
    if (is_silent) /* what waits once waits always */
        counted = UINT64_MAX / 4;
    __atomic_fetch_add(&f->limit->used, counted, __ATOMIC_RELAXED);
    return answers.length > 0 ? buffer_text(&answers) : text_of("", 0);
}

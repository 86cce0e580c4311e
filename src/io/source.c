/* SPDX-License-Identifier: MIT */
#include "io/source.h"

#include "os/thread.h"
#include "util/inflate.h"
#include "util/task.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct decoder {
    const char *magic; /* the first bytes of its format */
    size_t magic_length;
    struct program_kind program; /* its name is NULL: the built-in decoder for gzip */
};

#define DECODER(name) name, "-dc", "is compressed with " name ", but the program", "decode it", "decoded it"

static const struct decoder decoders[] = {
    {.magic = "\x1f\x8b", .magic_length = 2},
    {"\x28\xb5\x2f\xfd", 4, {DECODER("zstd"), 0, false, NULL}},
    {"\xfd\x37\x7a\x58\x5a\x00", 6, {DECODER("xz"), 2, false, NULL}},
    {"BZh", 3, {DECODER("bzip2"), 0, false, NULL}},
};

const struct decoder *source_decoder(struct text head)
{
    const struct decoder *d = decoders, *end = d + COUNT_OF(decoders);
    while (d < end && (text_length(head) < d->magic_length || memcmp(head.at, d->magic, d->magic_length) != 0))
        d++;
    return d < end ? d : NULL;
}

static _Noreturn void fail_input(struct source *source, const char *what)
{
    if (errno == EISDIR) /* reported on opening it, or on reading */
        diag_error(source->diag, 0,
                   "is a directory, expected a file (if it is by perf record --kcore, the file data "
                   "in it; if it is by --threads, record without)");
    diag_error(source->diag, 0, "%s: %s", what, strerror(errno));
}

/* Reads bytes of the file, or of what a program has made of it. Returns 0 if that fails, too. */
static size_t read_bytes(void *of, unsigned char *bytes, size_t length)
{
    struct source *source = of;
    size_t of_head = MIN(text_length(source->head), length);
    if (of_head > 0) {
        memcpy(bytes, source->head.at, of_head);
        source->head.at += of_head;
        source->taken += of_head;
        return of_head;
    }
    if (source->is_slow && !program_feed(&source->program, source->fd, source->canceller))
        return 0; /* cancelled: nobody wants the rest */
    ssize_t count = file_read(source->fd, bytes, length, -1);
    if (count < 0)
        source->error = errno;
    source->taken += count > 0 ? (size_t)count : 0;
    return count > 0 ? (size_t)count : 0;
}

void source_close(void *of)
{
    struct source *source = of;
    if (source->diag == NULL)
        return;
    source->diag = NULL;
    task_let_go(&source->held);
    memory_free(source->inflate);
    if (source->owns_fd)
        close(source->fd);
    program_stop(&source->program);
}

void source_open(struct source *source, const char *path, bool is_regular, struct diag *diag)
{
    struct file_facts facts;
    *source = (struct source){
        .diag = diag, .owns_fd = is_regular || !file_is_standard(path), .program = program_of(NULL, diag)};
    /* It may be a pipe, which is waited for; but not one that takes the place of a file here. */
    is_regular |= source->owns_fd && source_look(path, &facts);
    source->fd = source->owns_fd ? file_open(path, is_regular ? FILE_REGULAR : FILE_TO_READ) : STDIN_FILENO;
    if (source->fd < 0)
        fail_input(source, "cannot open");
    task_hold(&source->held, source_close, source);
    ssize_t length = file_read_all(source->fd, source->first, sizeof source->first, -1);
    if (length < 0)
        fail_input(source, "cannot read");
    source->head = text_of(source->first, (size_t)length);
    source->decoder = source_decoder(source->head);
    if (!file_look_at(source->fd, &source->facts))
        source->facts.kind = FILE_IS_OTHER;
    source->is_slow = source->facts.kind != FILE_IS_REGULAR;
    if (source->decoder == NULL)
        return;
    if (source->decoder->program.name == NULL) { /* nearly all compressed profiles: those by Xdebug */
        source->inflate = memory_get(sizeof *source->inflate);
        inflate_init(source->inflate, read_bytes, source);
        return;
    }
    source->program.kind = &source->decoder->program;
    program_start(&source->program, source->fd, source->head);
    if (source->owns_fd)
        close(source->fd);
    source->fd = source->program.output;
    source->owns_fd = false;
    source->is_slow = true;
    source->head = text_of("", 0);
}

uint64_t source_taken(struct source *source)
{
    const struct program *p = &source->program;
    if (p->kind == NULL)
        return source->taken;
    off_t offset = p->start < 0 ? (off_t)p->fed : lseek(p->input, 0, SEEK_CUR) - p->start;
    return offset > 0 ? (uint64_t)offset : 0;
}

bool source_look(const char *path, struct file_facts *facts)
{
    return (file_is_standard(path) ? file_look_at(STDIN_FILENO, facts) : file_look(path, true, facts)) &&
           facts->kind == FILE_IS_REGULAR;
}

uint64_t source_size(const char *path)
{
    struct file_facts facts;
    if (!source_look(path, &facts))
        return 0;
    int64_t start = file_is_standard(path) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    return start >= 0 && (uint64_t)start < facts.size ? facts.size - (uint64_t)start : 0;
}

size_t source_read(struct source *source, void *bytes, size_t length)
{
    if (source->has_stopped)
        return 0;
    size_t count = source->inflate != NULL ? inflate_read(source->inflate, bytes, length)
                                           : read_bytes(source, bytes, length);
    source->handed_out += count;
    source->is_interrupted = (count > 0 || source->error == 0) &&
                             progress_ends(source->progress, CG2WG_READING, source_taken(source));
    source->has_stopped = count == 0 || source->is_interrupted;
    return source->has_stopped ? 0 : count;
}

void source_check_end(struct source *source)
{
    struct inflate *z = source->inflate;
    if (!source->has_stopped)
        return;
    errno = source->error;
    if (source->error != 0)
        fail_input(source, "cannot read");
    if (source->is_interrupted)
        diag_error(source->diag, 0, "interrupted while reading");
    if (z == NULL)
        program_check_end(&source->program);
    else if (z->result == INFLATE_DAMAGED)
        diag_error(source->diag, 0, "its gzip data cannot be decoded: %s", z->message);
    else if (z->result == INFLATE_GARBAGE)
        diag_problem(source->diag, 0, "other data follow the gzip data; they are left out");
    if (z != NULL)
        z->result = INFLATE_END; /* so that this is said once */
}

char *source_read_after(const struct source *source, uint64_t offset, size_t *length)
{
    struct file_facts facts;
    if (source->decoder != NULL || !file_look_at(source->fd, &facts) || facts.kind != FILE_IS_REGULAR)
        return NULL;
    int64_t now = lseek(source->fd, 0, SEEK_CUR);
    uint64_t taken = source->handed_out + text_length(source->head);
    if (now < 0 || (uint64_t)now < taken)
        return NULL;
    uint64_t start = (uint64_t)now - taken; /* of the input in its file */
    uint64_t left = facts.size > start ? facts.size - start : 0;
    left -= left < offset ? left : offset;
    if (left == 0 || left > SIZE_MAX)
        return NULL;
    char *bytes = memory_get((size_t)left);
    ssize_t count = file_read_all(source->fd, bytes, (size_t)left, (int64_t)(start + offset));
    *length = count == (ssize_t)left ? (size_t)left : 0;
    return bytes;
}

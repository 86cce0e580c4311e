/* SPDX-License-Identifier: MIT */
#include "output.h"
#include "styles.h"

#include "read/preprocessed_file.h"
#include "util/inflate.h"
#include "view/view.h"

#include <errno.h>

enum { HEAD_SIZE = 4096 }; /* bytes of a file that say of what kind it is */

/* Stores up to `size` bytes of a text, and takes them off it: see inflate_input. */
static size_t take_bytes(void *rest, unsigned char *bytes, size_t size)
{
    struct text *text = rest;
    size = MIN(size, text_length(*text));
    memcpy(bytes, text->at, size);
    text->at += size;
    return size;
}

/* Is a file that begins like this of the kind that is written, so that it may be replaced? */
static bool is_same_kind(const struct output *output, struct text head)
{
    unsigned char plain[HEAD_SIZE];
    if (!output->is_printed)
        return preprocessed_begins(head);
    if (output->is_packed) {
        struct inflate *z = memory_get(sizeof *z);
        inflate_init(z, take_bytes, &head);
        head = text_of((char *)plain, inflate_read(z, plain, sizeof plain));
        bool is_readable = !text_is_empty(head) || z->result == INFLATE_END;
        memory_free(z);
        if (!is_readable)
            return false;
    }
    return style_begins(output->style, head);
}

/* What is replaced may be a profile named by mistake (`cg2wg cachegrind.out.*`), the only copy, or somebody's text. */
static void check_replaced(const struct output *output, const char *path, bool followed)
{
    struct diag *diag = &output->job->reading.diag;
    char bytes[HEAD_SIZE];
    ssize_t length = output->job->options.overwrite ? 0 : outfile_replaces(path, followed, bytes, sizeof bytes);
    if (length < 0)
        diag_error_in(diag, path, "cannot check whether it may be replaced: %s", strerror(errno));
    if (length == 0 || is_same_kind(output, text_of(bytes, (size_t)length)))
        return;
    bool more;
    const struct frontend *frontend = frontend_for(text_of(bytes, (size_t)length), &more);
    const char *format = source_decoder(text_of(bytes, (size_t)length)) != NULL ? "a compressed"
                         : frontend != NULL                                     ? frontend->name
                                                                                : "an unknown";
    output->job->status = CG2WG_MISUSE;
    diag_error_in(diag_about(diag, CG2WG_MEMBER_OVERWRITE), path, "is a file in %s format, and only %s is replaced",
                  format, output->is_printed ? style_of(output->style)->kind : "a preprocessed file");
}

void output_check(const struct output *output)
{
    struct job *job = output->job;
    bool follows = !job->options.shared_folders;
    for (size_t i = 0; i < job->input_count; i++) {
        enum outfile_obstacle obstacle = outfile_check(job->inputs[i], output->path, follows);
        if (obstacle == OUTFILE_SAME_FILE)
            diag_error_in(&job->reading.diag, output->path, "is also an input; name another file");
        if (obstacle == OUTFILE_TERMINAL && !output->is_printed)
            diag_error_in(&job->reading.diag, NULL, "the output is binary and is not written to a terminal");
    }
    job->status = CG2WG_FAILED;
    check_replaced(output, output->path, follows);
}

void output_open(struct output *output)
{
    struct job *job = output->job;
    output->file = memory_get(sizeof *output->file);
    outfile_open(output->file, output->path, !job->options.shared_folders, &job->reading.rights, &job->reading.diag);
}

void output_commit(struct output *output)
{
    if (output->file->temporary != NULL)
        check_replaced(output, output->file->target, false);
    outfile_commit(output->file);
}

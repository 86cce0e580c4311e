/* SPDX-License-Identifier: MIT */
#include "view/code.h"

#include "os/file.h"
#include "util/array.h"

#include <limits.h>
#include <unistd.h>

enum { MOST_BYTES = 16 << 20, MOST_PARTS = 64 }; /* of a file; of a path, whose ends are tried */

/* Opens FOLDER/PATH, or PATH alone. */
static int open_joined(const char *folder, struct text path, char joined[PATH_MAX], bool is_whole)
{
    size_t length = is_whole ? 0 : strlen(folder);
    if (length + text_length(path) + 2 > PATH_MAX)
        return -1;
    memcpy(joined, folder, length);
    joined[length] = '/';
    memcpy(joined + length + !is_whole, path.at, text_length(path));
    joined[length + !is_whole + text_length(path)] = '\0';
    return file_open_below(joined, folder);
}

static int open_code(const struct cg2wg_view *options, struct text name, char joined[PATH_MAX])
{
    int fd = -1, parts = 0;
    if (text_is_empty(name) || text_length(name) >= PATH_MAX || memchr(name.at, '\0', text_length(name)) != NULL)
        return -1;
    for (size_t i = 0; i < options->source_count && fd < 0 && *name.at == '/'; i++)
        fd = open_joined(options->sources[i], name, joined, true);
    for (const char *p = name.at; p < name.end; p++)
        parts += *p == '/';
    for (struct text rest = name; fd < 0 && !text_is_empty(rest); parts--) {
        for (size_t i = 0; i < options->source_count && fd < 0 && parts <= MOST_PARTS && *rest.at != '/'; i++)
            fd = open_joined(options->sources[i], rest, joined, false);
        text_take_to(&rest, '/');
    }
    return fd;
}

static void find_lines(struct code_file *file)
{
    size_t capacity = 0, count = 0;
    for (struct text rest = file->text; !text_is_empty(rest); text_take_to(&rest, '\n')) {
        size_t start = (size_t)(rest.at - file->text.at);
        array_append(&file->starts, &count, &capacity, &start, sizeof start);
    }
    file->line_count = count;
    size_t end = text_length(file->text);
    array_append(&file->starts, &count, &capacity, &end, sizeof end);
}

/* The number of the file that is open, plus 1, or NONE. Closes it. */
static uint32_t read_code(struct code *code, int fd, const char *path)
{
    struct file_facts facts;
    struct diag *diag = &code->shown->diag;
    if (!file_look_at(fd, &facts) || facts.kind != FILE_IS_REGULAR || facts.size > MOST_BYTES) {
        close(fd);
        return NONE;
    }
    for (size_t i = 0; i < code->count; i++)
        if (code->files[i].volume == facts.volume && code->files[i].number == facts.number) {
            close(fd);
            return (uint32_t)i + 1;
        }
    char *bytes = memory_get((size_t)facts.size + 1);
    ssize_t length = file_read_start(fd, bytes, (size_t)facts.size);
    if (length < 0)
        return NONE;
    struct code_file file = {.volume = facts.volume, .number = facts.number, .text = text_of(bytes, (size_t)length)};
    find_lines(&file);
    array_append(&code->files, &code->count, &code->capacity, &file, sizeof file);
    if (code->shown->time != 0 && facts.time > code->shown->time)
        diag_warning(diag, 0, "%s is newer than the profile, so its lines may have other numbers there", path);
    return (uint32_t)code->count;
}

struct code_file *code_find(struct code *code, uint32_t name)
{
    char path[PATH_MAX];
    array_reach(&code->file_of, &code->name_capacity, (size_t)name + 1, sizeof *code->file_of, 0);
    uint32_t *number = &code->file_of[name];
    if (*number == 0) {
        int fd = open_code(code->options, names_text(&code->shown->profile.names, name), path);
        *number = fd >= 0 ? read_code(code, fd, path) : NONE;
    }
    return *number != NONE ? &code->files[*number - 1] : NULL;
}

struct text code_text(const struct code_file *file, uint32_t line)
{
    if (line == 0 || line > file->line_count)
        return text_of("", 0);
    struct text text = text_of(file->text.at + file->starts[line - 1], file->starts[line] - file->starts[line - 1]);
    while (!text_is_empty(text) && (text.end[-1] == '\n' || text.end[-1] == '\r'))
        text.end--;
    return text;
}

/* SPDX-License-Identifier: MIT */
#include "view/code.h"

#include "os/file.h"

#include <limits.h>
#include <unistd.h>

enum { MOST_BYTES = 16 << 20, MOST_PARTS = 32 }; /* of a file; of the end of a path */

/* Opens FOLDER/END, for any of the folders, or END alone. */
static int open_end(struct code *code, const char *end, bool is_whole, char path[PATH_MAX])
{
    int fd = -1;
    for (size_t i = 0; i < code->options->source_count && fd < 0; i++) {
        const char *folder = code->options->sources[i];
        if (code->folders[i] != NULL && snprintf(path, PATH_MAX, "%s%s", is_whole ? "" : folder, end) < PATH_MAX)
            fd = file_open_below(path, code->folders[i]);
    }
    return fd;
}

static int open_code(struct code *code, struct text name, char path[PATH_MAX])
{
    char parts[PATH_MAX + 1], *end = parts;
    if (text_is_empty(name) || text_length(name) >= PATH_MAX || memchr(name.at, '\0', text_length(name)) != NULL)
        return -1;
    if (code->folders == NULL) {
        code->folders = memory_zeroed(code->options->source_count + 1, sizeof *code->folders);
        for (size_t i = 0; i < code->options->source_count; i++)
            code->folders[i] = file_resolve(code->options->sources[i]);
    }
    /* Without `.`, and without `..` and the part before it: only ends are tried, whatever is a link. */
    for (struct text rest = name; !text_is_empty(rest);) {
        struct text part = text_take_to(&rest, '/');
        if (text_equals(part, "..")) {
            while (end > parts && *--end != '/')
                continue;
        } else if (!text_is_empty(part) && !text_equals(part, ".")) {
            *end++ = '/';
            memcpy(end, part.at, text_length(part));
            end += text_length(part);
        }
    }
    *end = '\0';
    int fd = *name.at == '/' ? open_end(code, name.at, true, path) : -1;
    for (int count = 0; end > parts && count < MOST_PARTS; end--)
        count += end[-1] == '/';
    for (; *end != '\0' && fd < 0; end++)
        if (*end == '/')
            fd = open_end(code, end, false, path);
    return fd;
}

/* The number of the file that is open, plus 1, or NONE. Closes it. */
static uint32_t read_code(struct code *code, int fd, const char *path)
{
    struct file_facts facts;
    struct diag *diag = &code->shown->diag;
    bool is_usable = file_look_at(fd, &facts) && facts.kind == FILE_IS_REGULAR && facts.size <= MOST_BYTES;
    uint32_t found = is_usable ? 0 : NONE;
    for (uint32_t i = 0; i < code->count && is_usable; i++)
        if (code->files[i].volume == facts.volume && code->files[i].number == facts.number)
            found = i + 1;
    if (found != 0) {
        close(fd);
        return found;
    }
    file_limit_readers(code->shown->rights, &facts.rights);
    char *bytes = memory_get((size_t)facts.size + 1);
    ssize_t length = file_read_start(fd, bytes, (size_t)facts.size);
    if (length < 0)
        return NONE;
    struct code_file file = {.volume = facts.volume, .number = facts.number, .text = text_of(bytes, (size_t)length)};
    size_t capacity = 0, starts = 0;
    struct text rest = file.text;
    for (bool is_end = false; !is_end; text_take_to(&rest, '\n')) {
        size_t start = (size_t)(rest.at - file.text.at);
        array_append(&file.starts, &starts, &capacity, &start, sizeof start);
        is_end = text_is_empty(rest);
    }
    file.line_count = starts - 1;
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
        int fd = open_code(code, names_text(&code->shown->profile.names, name), path);
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

#include "cli/placeholder.h"

#include "io/outfile.h"
#include "os/file.h"
#include "util/little.h"
#include "util/text.h"

#include <stdlib.h>
#include <unistd.h>

char *placeholder_result(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + sizeof "/" RESULT_SUFFIX;
    char *path = memory_get(size);
    snprintf(path, size, "%s%s%s" RESULT_SUFFIX, folder, folder[file_folder_length(folder)] == '\0' ? "" : "/", name);
    return path;
}

/* The last line `cmd:` of a preprocessed file, whose headers are at its end. */
static struct text title_of(const char *result)
{
    enum { MOST = 1 << 16 };
    char *bytes = memory_get(MOST);
    int fd = file_open(result, FILE_UNFOLLOWED);
    ssize_t length = file_read_all(fd, bytes, 8, 0);
    length = length == 8 ? file_read_all(fd, bytes, MOST, little4(bytes + 4)) : 0;
    struct text rest = text_of(bytes, length > 0 ? (size_t)length : 0), title = text_of("", 0);
    while (!text_is_empty(rest)) {
        struct text line = text_take_to(&rest, '\n');
        if (text_starts(line, "cmd: "))
            title = line;
    }
    if (fd >= 0)
        close(fd);
    return title;
}

/* Writes it with a time that is not after that of the result. */
static void write_file(const struct placeholder *p, struct text title, struct diag *diag)
{
    struct outfile *out = memory_get(sizeof *out);
    struct file_facts result;
    outfile_open(out, p->path, false, diag);
    outfile_write(out, PLACEHOLDER_MARK, sizeof PLACEHOLDER_MARK - 1);
    outfile_write(out, title.at, text_length(title));
    outfile_write(out, "\n", 1);
    if (file_look(p->result, false, &result))
        out->time = result.time;
    outfile_commit(out);
    memory_free(out);
}

void placeholder_begin(struct placeholder *p, const char *result, struct diag *diag)
{
    char start[sizeof PLACEHOLDER_MARK] = "";
    struct file_facts facts;
    size_t length = strlen(result) + 1 - strlen(RESULT_SUFFIX);
    *p = (struct placeholder){.result = result, .path = memory_get(length)};
    snprintf(p->path, length, "%s", result);
    p->is_new = !file_look(p->path, false, &facts) && errno == ENOENT;
    p->is_own = p->is_new || (file_read_start(file_open(p->path, FILE_UNFOLLOWED), start, sizeof start - 1) > 0 &&
                              strcmp(start, PLACEHOLDER_MARK) == 0);
    if (p->is_new)
        write_file(p, text_of_string("cmd: cg2wg"), diag);
}

void placeholder_end(struct placeholder *p, bool is_done, struct diag *diag)
{
    if (!is_done && p->is_new)
        file_remove(p->path);
    else if (is_done && p->is_own)
        write_file(p, title_of(p->result), diag);
    memory_free(p->path);
}

#include "cli/placeholder.h"

#include "io/outfile.h"
#include "os/file.h"
#include "util/little.h"
#include "util/text.h"

#include <stdlib.h>
#include <unistd.h>

char *storage_path(const char *folder, const char *name, const char *suffix)
{
    size_t size = strlen(folder) + strlen(name) + strlen(suffix) + sizeof "/";
    char *path = memory_get(size);
    snprintf(path, size, "%s%s%s%s", folder, folder[file_folder_length(folder)] == '\0' ? "" : "/", name, suffix);
    return path;
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
    *p = (struct placeholder){.result = result, .path = memory_string(result)};
    p->path[strlen(result) - strlen(RESULT_SUFFIX)] = '\0';
    p->is_new = !file_look(p->path, false, &facts) && errno == ENOENT;
    p->is_own = p->is_new || (file_read_start(file_open(p->path, FILE_UNFOLLOWED), start, sizeof start - 1) > 0 &&
                              strcmp(start, PLACEHOLDER_MARK) == 0);
    if (p->is_new)
        write_file(p, text_of_string("cmd: cg2wg"), diag);
}

void placeholder_end(struct placeholder *p, bool is_done, struct diag *diag)
{
    enum { MOST = 1 << 16 };
    if (!is_done && p->is_new) {
        file_remove(p->path);
    } else if (is_done && p->is_own) {
        /* The title is the last line `cmd:` of the result, whose headers are at its end. */
        char *bytes = memory_get(MOST);
        int fd = file_open(p->result, FILE_UNFOLLOWED);
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
        write_file(p, title, diag);
    }
    memory_free(p->path);
}

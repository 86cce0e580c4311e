#include "read/frontend.h"
#include "read/preprocessed_file.h"

#include <errno.h>
#include <string.h>

const char *input_name(const char *input)
{
    return file_is_standard(input) ? "(standard input)" : input;
}

/* The first of the inputs that is the same regular file as `path`; `count`: none is. */
static size_t look_up(const struct file_facts *files, size_t count, const char *path)
{
    struct file_facts facts;
    size_t i = 0;
    if (!source_look(path, &facts))
        return count;
    while (i < count && !(files[i].kind == FILE_IS_REGULAR && file_is_same(&files[i], &facts)))
        i++;
    return i;
}

bool input_is_preprocessed(const char *input, struct diag *diag)
{
    char version[4];
    if (file_is_standard(input))
        return false;
    ssize_t length = file_read_start(file_open(input, FILE_REGULAR), version, sizeof version);
    if (length < 0 && errno != EINVAL)
        diag_error_in(diag, input, "cannot open: %s", strerror(errno));
    return length > 0 && preprocessed_begins(text_of(version, (size_t)length));
}

void inputs_check(const char *const *inputs, size_t count, struct diag *diag)
{
    static const char suffix[] = ".webgrind";
    if (count < 2)
        return;
    /* A preprocessed file may come before its profile. So all inputs are known before the first is checked. */
    struct file_facts *files = memory_zeroed(count, sizeof *files);
    for (size_t i = 0; i < count; i++)
        if (!source_look(inputs[i], &files[i]))
            files[i].kind = FILE_IS_ABSENT;
    for (size_t i = 0; i < count; i++) {
        size_t first = look_up(files, count, inputs[i]), profile = count;
        char *name = memory_string(inputs[i]);
        diag->input = input_name(inputs[i]);
        if (first < i)
            diag_problem(diag, 0, "found the same file as %s, expected each input once; its costs count twice",
                         input_name(inputs[first]));
        if (first == i && text_ends(text_of_string(name), suffix)) {
            name[strlen(name) - strlen(suffix)] = '\0';
            profile = look_up(files, count, name);
        }
        if (profile < count && input_is_preprocessed(inputs[i], diag))
            diag_problem(diag, 0, "found the preprocessed file of %s, which is also an input, expected only "
                         "one of them; its costs count twice", input_name(inputs[profile]));
    }
}

#include "read/inputs.h"

#include "io/source.h"
#include "read/preprocessed_file.h"
#include "util/index.h"

#include <errno.h>
#include <stddef.h>

/* The regular files among the inputs, and the profiles of preprocessed files that were looked up. */
struct input_files {
    struct index index;
    struct input_file {
        uint64_t volume, number;
        size_t input; /* the first that is this file; NOT_AN_INPUT: none */
    } *files;
    size_t capacity;
};

#define NOT_AN_INPUT SIZE_MAX

const char *input_name(const char *input)
{
    return file_is_standard(input) ? "(standard input)" : input;
}

/*
 * The first input that is the same file as `path`; if there is none so far, that is `input`. NOT_AN_INPUT if that
 * is not a regular file, or cannot be examined.
 */
static size_t look_up(struct input_files *all, const char *path, size_t input)
{
    struct file_facts facts;
    if (!source_look(path, &facts))
        return NOT_AN_INPUT;
    struct input_file file = {facts.volume, facts.number, input};
    uint32_t number = index_intern(&all->index, hash_numbers(&all->index.seed, file.volume, file.number), &all->files,
                                   &all->capacity, &file, sizeof file, offsetof(struct input_file, input));
    return all->files[number].input;
}

/* The profile X of X.webgrind, if that is an input, too; or NOT_AN_INPUT. */
static size_t look_up_profile(struct input_files *all, const char *input)
{
    static const char suffix[] = ".webgrind";
    size_t length = strlen(input), suffix_length = sizeof suffix - 1;
    if (length <= suffix_length || strcmp(input + length - suffix_length, suffix) != 0)
        return NOT_AN_INPUT;
    char *name = memory_string(input);
    name[length - suffix_length] = '\0';
    return look_up(all, name, NOT_AN_INPUT);
}

bool input_is_preprocessed(const char *input, struct diag *diag)
{
    char version[4];
    if (file_is_standard(input))
        return false;
    ssize_t length = file_read_start(file_open_regular(input), version, sizeof version);
    if (length < 0 && errno != EINVAL)
        diag_error_in(diag, input, "cannot open: %s", strerror(errno));
    return length > 0 && preprocessed_begins(text_of(version, (size_t)length));
}

void inputs_check(const char *const *inputs, size_t count, struct diag *diag)
{
    struct input_files all = {.files = NULL};
    if (count < 2)
        return;
    index_init(&all.index, NULL);
    /* A preprocessed file may come before its profile. So all inputs are known before the first is checked. */
    for (size_t i = 0; i < count; i++)
        look_up(&all, inputs[i], i);
    for (size_t i = 0; i < count; i++) {
        size_t first = look_up(&all, inputs[i], i), profile = NOT_AN_INPUT;
        diag->input = input_name(inputs[i]);
        if (first == i)
            profile = look_up_profile(&all, inputs[i]);
        if (first < i)
            diag_problem(diag, 0, "found the same file as %s, expected each input once; its costs count twice",
                         input_name(inputs[first]));
        if (profile != NOT_AN_INPUT && input_is_preprocessed(inputs[i], diag))
            diag_problem(diag, 0, "found the preprocessed file of %s, which is also an input, expected only "
                         "one of them; its costs count twice", input_name(inputs[profile]));
    }
}

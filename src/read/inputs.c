#include "read/inputs.h"

#include "io/source.h"
#include "util/index.h"
#include "util/run.h"
#include "read/preprocessed_file.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The regular files among the inputs, and the profiles of preprocessed files, as far as they were looked up. */
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
 * Sets *first to the first input that is the same file as `path`; if there is none so far, that is `input`.
 * It is NOT_AN_INPUT if that is not a regular file, or cannot be examined. Returns false when memory runs out.
 */
static bool look_up(struct input_files *all, const char *path, size_t input, size_t *first)
{
    struct file_facts facts;
    uint32_t number;
    *first = NOT_AN_INPUT;
    if (!source_look(path, &facts))
        return true;
    struct input_file file = {facts.volume, facts.number, input};
    number = index_intern(&all->index, hash_numbers(&all->index.seed, file.volume, file.number), &all->files,
                      &all->capacity, &file, sizeof file, offsetof(struct input_file, input));
    *first = all->files[number].input;
    return true;
}

/* The profile X of X.webgrind, malloc'ed; NULL: another name, or no memory. */
static char *profile_of(const char *input)
{
    static const char suffix[] = ".webgrind";
    size_t length = strlen(input), suffix_length = sizeof suffix - 1;
    if (length <= suffix_length || strcmp(input + length - suffix_length, suffix) != 0)
        return NULL;
    char *profile = memory_string(input);
    if (profile != NULL)
        profile[length - suffix_length] = '\0';
    return profile;
}

static bool is_preprocessed(const char *input, struct diag *diag, bool *is)
{
    char version[4];
    ssize_t length = file_read_start(file_open_regular(input), version, sizeof version);
    *is = length > 0 && preprocessed_begins(text_of(version, (size_t)length));
    return length >= 0 || diag_error(diag, 0, "cannot open: %s", strerror(errno));
}

/* Checks whether the profile that this input was made from is an input, too. */
static bool check_profile(struct input_files *all, const char *const *inputs, size_t number, struct diag *diag)
{
    size_t profile = NOT_AN_INPUT;
    char *name = profile_of(inputs[number]);
    bool done = name == NULL || look_up(all, name, NOT_AN_INPUT, &profile) || diag_no_memory(diag), is = false;
    memory_free(name);
    if (!done || profile == NOT_AN_INPUT)
        return done;
    return is_preprocessed(inputs[number], diag, &is) &&
           (!is || diag_problem(diag, 0,
                                "found the preprocessed file of %s, which is also an input, expected only "
                                "one of them; its costs count twice",
                                input_name(inputs[profile])));
}

static bool check_input(struct input_files *all, const char *const *inputs, size_t number, struct diag *diag)
{
    size_t first;
    diag->input = input_name(inputs[number]);
    if (!look_up(all, inputs[number], number, &first))
        return diag_no_memory(diag);
    if (first == NOT_AN_INPUT)
        return true;
    if (first < number)
        return diag_problem(diag, 0, "found the same file as %s, expected each input once; its costs count twice",
                            input_name(inputs[first]));
    return check_profile(all, inputs, number, diag);
}

/* A preprocessed file may come before its profile. So all inputs are known before the first is checked. */
static bool check(struct input_files *all, const char *const *inputs, size_t count, struct diag *diag)
{
    size_t first;
    for (size_t i = 0; i < count; i++)
        if (!look_up(all, inputs[i], i, &first))
            return diag_no_memory(diag);
    for (size_t i = 0; i < count; i++)
        if (!check_input(all, inputs, i, diag))
            return false;
    return true;
}

bool inputs_check(const char *const *inputs, size_t count, struct diag *diag)
{
    struct input_files all = {.files = NULL};
    if (count < 2)
        return true;
    bool done = (index_init(&all.index, NULL), true) ? check(&all, inputs, count, diag) : diag_no_memory(diag);
    index_free(&all.index);
    memory_free(all.files);
    return done;
}

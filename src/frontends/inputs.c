#include "frontends/inputs.h"

#include "io/source.h"
#include "webgrind/read.h"

#include <stdlib.h>
#include <string.h>

/* A regular file among the inputs. */
struct input_file {
    uint64_t volume, number;
    size_t input; /* the first that is this file */
};

const char *input_name(const char *input)
{
    return file_is_standard(input) ? "(standard input)" : input;
}

/* False: it is not a regular file, or cannot be examined. */
static bool look_at(const char *input, struct input_file *file)
{
    struct file_facts facts;
    if (!source_look(input, &facts))
        return false;
    *file = (struct input_file){facts.volume, facts.number, 0};
    return true;
}

static int by_file(const void *left, const void *right)
{
    const struct input_file *a = left, *b = right;
    if (a->volume != b->volume)
        return a->volume < b->volume ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int by_file_and_input(const void *left, const void *right)
{
    const struct input_file *a = left, *b = right;
    int order = by_file(a, b);
    return order != 0 ? order : (a->input > b->input) - (a->input < b->input);
}

/* The profile X of X.webgrind, malloc'ed; NULL: another name, or no memory. */
static char *profile_of(const char *input)
{
    static const char suffix[] = ".webgrind";
    size_t length = strlen(input), suffix_length = sizeof suffix - 1;
    if (length <= suffix_length || strcmp(input + length - suffix_length, suffix) != 0)
        return NULL;
    char *profile = strdup(input);
    if (profile != NULL)
        profile[length - suffix_length] = '\0';
    return profile;
}

static bool is_preprocessed(const char *input, struct diag *diag, bool *is)
{
    struct source source;
    if (!source_open(&source, input, diag))
        return false;
    *is = preprocessed_begins(text_of((const char *)source.head, source.head_length));
    source_close(&source);
    return true;
}

static bool check_profile(const struct input_file *files, size_t file_count, const char *const *inputs,
                          size_t number, struct diag *diag)
{
    struct input_file profile;
    char *name = profile_of(inputs[number]);
    bool is_there = name != NULL && look_at(name, &profile), is = false;
    const struct input_file *other =
        is_there ? bsearch(&profile, files, file_count, sizeof *files, by_file) : NULL;
    free(name);
    if (other == NULL)
        return true;
    return is_preprocessed(inputs[number], diag, &is) &&
           (!is || diag_problem(diag, 0,
                                "found the preprocessed file of %s, which is also an input, expected only "
                                "one of them; its costs count twice",
                                input_name(inputs[other->input])));
}

static bool check(const struct input_file *files, size_t file_count, const char *const *inputs, size_t count,
                  struct diag *diag)
{
    bool done = true;
    for (size_t i = 0; done && i < count; i++) {
        struct input_file file;
        diag->input = input_name(inputs[i]);
        if (!look_at(inputs[i], &file))
            continue;
        const struct input_file *first = bsearch(&file, files, file_count, sizeof file, by_file);
        if (first != NULL && first->input < i)
            done = diag_problem(diag, 0,
                                "found the same file as %s, expected each input once; its costs count twice",
                                input_name(inputs[first->input]));
        else
            done = check_profile(files, file_count, inputs, i, diag);
    }
    return done;
}

bool inputs_check(const char *const *inputs, size_t count, struct diag *diag)
{
    if (count < 2)
        return true;
    struct input_file *files = calloc(count, sizeof *files);
    if (files == NULL)
        return diag_no_memory(diag);
    size_t found = 0, file_count = 0;
    for (size_t i = 0; i < count; i++)
        if (look_at(inputs[i], &files[found]))
            files[found++].input = i;
    if (found > 0)
        qsort(files, found, sizeof *files, by_file_and_input);
    for (size_t i = 0; i < found; i++)
        if (i == 0 || by_file(&files[i], &files[file_count - 1]) != 0)
            files[file_count++] = files[i];
    bool done = check(files, file_count, inputs, count, diag);
    free(files);
    return done;
}

#include "frontends/inputs.h"

#include "io/source.h"
#include "webgrind/read.h"

#include <stdlib.h>
#include <string.h>

/* A regular file among the inputs. */
struct input_file {
    uint64_t volume, number;
    size_t input;
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

/* Sorts by file, and for each file by the order of the inputs. */
static int compare(const void *left, const void *right)
{
    const struct input_file *a = left, *b = right;
    if (a->volume != b->volume)
        return a->volume < b->volume ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->input > b->input) - (a->input < b->input);
}

/* The first of the inputs that is this file, or NULL. It exists if `file` is an input. */
static const struct input_file *first_of(const struct input_file *files, size_t count,
                                         struct input_file file)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&files[middle], &file) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && files[low].volume == file.volume && files[low].number == file.number
               ? &files[low]
               : NULL;
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
    const struct input_file *other = is_there ? first_of(files, file_count, profile) : NULL;
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
        const struct input_file *first = first_of(files, file_count, file);
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
    size_t file_count = 0;
    for (size_t i = 0; i < count; i++)
        if (look_at(inputs[i], &files[file_count]))
            files[file_count++].input = i;
    if (file_count > 0)
        qsort(files, file_count, sizeof *files, compare);
    bool done = check(files, file_count, inputs, count, diag);
    free(files);
    return done;
}

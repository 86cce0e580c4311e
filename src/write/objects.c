#include "write/objects.h"

#include "write/bytes.h"

#include <inttypes.h>
#include <stdio.h>

static const char title[] = "cg2wg objects\n";
static const char letters[] = {[IDENTITY_NAME] = 'n', [IDENTITY_FILE] = 'f', [IDENTITY_OBJECT] = 'o'};

/* The number of the object that distinguishes a function. */
static uint32_t object_of(const struct function *f)
{
    return f->identity == IDENTITY_OBJECT ? f->object : NAME_EMPTY;
}

static bool are_needed(const struct profile *profile, enum identity usual)
{
    for (size_t i = 0; i < profile->function_count; i++)
        if (profile->functions[i].identity != usual || object_of(&profile->functions[i]) != NAME_EMPTY)
            return true;
    return false;
}

/* The line of the run of functions that begins at `start`, in two parts. */
struct object_run {
    char count[24];
    struct text object;
    size_t end;
};

static struct object_run run_of(const struct profile *profile, enum identity usual, size_t start)
{
    const struct function *first = &profile->functions[start];
    struct object_run run = {.end = start + 1};
    while (run.end < profile->function_count &&
           profile->functions[run.end].identity == first->identity &&
           object_of(&profile->functions[run.end]) == object_of(first))
        run.end++;
    bool is_told = first->identity != usual && object_of(first) == NAME_EMPTY;
    snprintf(run.count, sizeof run.count, "%zu%.*s ", run.end - start, is_told, &letters[first->identity]);
    run.object = names_text(&profile->names, object_of(first));
    return run;
}

static enum identity usual_identity(const struct profile *profile)
{
    struct producer producer = producer_of(profile);
    return producer_identity(&producer);
}

uint64_t objects_size(const struct profile *profile)
{
    enum identity usual = usual_identity(profile);
    if (!are_needed(profile, usual))
        return 0;
    uint64_t size = sizeof title - 1;
    for (size_t start = 0; start < profile->function_count;) {
        struct object_run run = run_of(profile, usual, start);
        size += strlen(run.count) + text_length(run.object) + 1;
        start = run.end;
    }
    return size;
}

void objects_write(struct outfile *out, const struct profile *profile)
{
    enum identity usual = usual_identity(profile);
    if (!are_needed(profile, usual))
        return;
    outfile_write(out, title, sizeof title - 1);
    for (size_t start = 0; start < profile->function_count;) {
        struct object_run run = run_of(profile, usual, start);
        outfile_write(out, run.count, strlen(run.count));
        bytes_write_line(out, run.object);
        start = run.end;
    }
}

/* There are no more, so that damage is found once. */
static void end_runs(struct objects *objects)
{
    *objects = (struct objects){.rest = {objects->rest.end, objects->rest.end},
                                .object = text_of("", 0),
                                .usual = objects->usual,
                                .identity = objects->usual};
}

void objects_read(struct objects *objects, struct text gap, enum identity usual)
{
    *objects = (struct objects){.rest = gap, .usual = usual};
    if (text_starts(gap, title))
        objects->rest.at += sizeof title - 1;
    else
        end_runs(objects);
}

/* Takes the identity of the functions of a run, if it is given. */
static bool take_identity(struct text *rest, enum identity *identity)
{
    const char *letter = memchr(letters, *rest->at, sizeof letters);
    rest->at += letter != NULL;
    if (letter != NULL)
        *identity = (enum identity)(letter - letters);
    return letter != NULL;
}

/* Begins the next run; false: there is none, or it is damaged. */
static bool next_run(struct objects *objects)
{
    struct text *rest = &objects->rest;
    const char *newline = memchr(rest->at, '\n', text_length(*rest));
    if (newline == NULL || !text_take_number(rest, &objects->left, NULL) || objects->left == 0)
        return false;
    bool is_told = take_identity(rest, &objects->identity);
    if (*rest->at != ' ')
        return false;
    objects->object = (struct text){rest->at + 1, newline};
    if (!is_told)
        objects->identity = text_is_empty(objects->object) ? objects->usual : IDENTITY_OBJECT;
    rest->at = newline + 1;
    return true;
}

void objects_next(struct objects *objects)
{
    if (objects->left == 0 && !next_run(objects))
        end_runs(objects);
    else
        objects->left--;
}

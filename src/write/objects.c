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

/* The line of the run of functions that begins at `start`, in two parts. */
struct object_run {
    char count[24];
    struct text object;
    size_t end;
    bool is_usual; /* the default for the producer, without an object */
};

static struct object_run run_of(const struct profile *profile, enum identity usual, size_t start)
{
    const struct function *first = &profile->functions[start];
    uint32_t object = object_of(first);
    struct object_run run = {.object = names_text(&profile->names, object), .end = start + 1,
                             .is_usual = first->identity == usual && object == NAME_EMPTY};
    while (run.end < profile->function_count && profile->functions[run.end].identity == first->identity &&
           object_of(&profile->functions[run.end]) == object)
        run.end++;
    bool has_letter = first->identity != usual && object == NAME_EMPTY;
    snprintf(run.count, sizeof run.count, "%zu%.*s ", run.end - start, has_letter, &letters[first->identity]);
    return run;
}

uint64_t objects_write(struct outfile *out, const struct profile *profile)
{
    struct producer producer = producer_of(profile);
    enum identity usual = producer_identity(&producer);
    size_t count = profile->function_count;
    if (count == 0 || (run_of(profile, usual, 0).is_usual && run_of(profile, usual, 0).end == count))
        return 0;
    uint64_t size = sizeof title - 1;
    if (out != NULL)
        outfile_write(out, title, sizeof title - 1);
    for (size_t start = 0; start < count;) {
        struct object_run run = run_of(profile, usual, start);
        size += strlen(run.count) + text_length(run.object) + 1;
        if (out != NULL) {
            outfile_write(out, run.count, strlen(run.count));
            bytes_write_line(out, run.object);
        }
        start = run.end;
    }
    return size;
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
    bool has_letter = take_identity(rest, &objects->identity);
    if (*rest->at != ' ')
        return false;
    objects->object = (struct text){rest->at + 1, newline};
    if (!has_letter)
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

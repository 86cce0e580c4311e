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

uint64_t objects_write(struct outfile *out, const struct profile *profile)
{
    struct producer producer = producer_of(profile);
    enum identity usual = producer_identity(&producer);
    size_t count = profile->function_count;
    uint64_t size = sizeof title - 1;
    bool is_usual = true;
    for (size_t i = 0; i < count && is_usual; i++)
        is_usual = profile->functions[i].identity == usual && object_of(&profile->functions[i]) == NAME_EMPTY;
    if (is_usual)
        return 0;
    if (out != NULL)
        outfile_write(out, title, sizeof title - 1);
    for (size_t start = 0, end; start < count; start = end) {
        const struct function *first = &profile->functions[start], *next = first;
        struct text object = names_text(&profile->names, object_of(first));
        char run[24];
        for (end = start; end < count && next->identity == first->identity && object_of(next) == object_of(first);
             end++)
            next++;
        bool has_letter = first->identity != usual && text_is_empty(object);
        snprintf(run, sizeof run, "%zu%.*s ", end - start, has_letter, &letters[first->identity]);
        size += strlen(run) + text_length(object) + 1;
        if (out != NULL) {
            outfile_write(out, run, strlen(run));
            bytes_write_line(out, object);
        }
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

/* Begins the next run; false: there is none, or it is damaged. */
static bool next_run(struct objects *objects)
{
    struct text *rest = &objects->rest;
    const char *newline = memchr(rest->at, '\n', text_length(*rest));
    if (newline == NULL || !text_take_number(rest, &objects->left, NULL) || objects->left == 0)
        return false;
    const char *letter = memchr(letters, *rest->at, sizeof letters);
    rest->at += letter != NULL;
    if (*rest->at != ' ')
        return false;
    objects->object = (struct text){rest->at + 1, newline};
    objects->identity = letter != NULL ? (enum identity)(letter - letters)
                        : text_is_empty(objects->object) ? objects->usual : IDENTITY_OBJECT;
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

#include "webgrind/objects.h"

#include <inttypes.h>
#include <stdio.h>

static const char title[] = "cg2wg objects\n";

static bool are_needed(const struct profile *profile)
{
    for (size_t i = 0; i < profile->function_count; i++)
        if (profile->functions[i].identity == IDENTITY_OBJECT &&
            profile->functions[i].object != NAME_EMPTY)
            return true;
    return false;
}

/* Sets *end behind the run of functions of one object that begins at `start`; tells its line. */
static struct text run_of(const struct profile *profile, size_t start, size_t *end, char *count,
                          size_t count_size)
{
    uint32_t object = profile->functions[start].object;
    for (*end = start + 1; *end < profile->function_count; ++*end)
        if (profile->functions[*end].object != object)
            break;
    snprintf(count, count_size, "%zu ", *end - start);
    return names_text(&profile->names, object);
}

uint64_t objects_size(const struct profile *profile)
{
    if (!are_needed(profile))
        return 0;
    uint64_t size = sizeof title - 1;
    for (size_t start = 0, end; start < profile->function_count; start = end) {
        char count[24];
        struct text object = run_of(profile, start, &end, count, sizeof count);
        size += strlen(count) + text_length(object) + 1;
    }
    return size;
}

bool objects_write(struct outfile *out, const struct profile *profile)
{
    if (!are_needed(profile))
        return true;
    if (!outfile_write(out, title, sizeof title - 1))
        return false;
    for (size_t start = 0, end; start < profile->function_count; start = end) {
        char count[24];
        struct text object = run_of(profile, start, &end, count, sizeof count);
        if (!outfile_write(out, count, strlen(count)) ||
            !outfile_write(out, object.at, text_length(object)) || !outfile_write(out, "\n", 1))
            return false;
    }
    return true;
}

/* There are no more, so that damage is met once. */
static void end_runs(struct objects *objects)
{
    *objects = (struct objects){.rest = {objects->rest.end, objects->rest.end},
                                .object = text_of("", 0)};
}

bool objects_read(struct objects *objects, struct text gap)
{
    *objects = (struct objects){.rest = gap, .object = text_of("", 0)};
    if (!text_starts(gap, title)) {
        end_runs(objects);
        return false;
    }
    objects->rest.at += sizeof title - 1;
    return true;
}

/* Begins the next run; false: there is none, or it is damaged. */
static bool next_run(struct objects *objects)
{
    struct text *rest = &objects->rest;
    bool overflow = false;
    const char *newline = memchr(rest->at, '\n', text_length(*rest));
    if (newline == NULL || !text_take_number(rest, &objects->left, &overflow) ||
        objects->left == 0 || *rest->at != ' ')
        return false;
    objects->object = (struct text){rest->at + 1, newline};
    rest->at = newline + 1;
    return true;
}

struct text objects_next(struct objects *objects)
{
    if (objects->left == 0 && !next_run(objects))
        end_runs(objects);
    else
        objects->left--;
    return objects->object;
}

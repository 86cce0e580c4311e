/* SPDX-License-Identifier: MIT */
#include "write/objects.h"

#include <stdio.h>

static const char title[] = "cg2wg objects\n";
static const char letters[] = "nfo"; /* of identities, from IDENTITY_NAME on */

struct text objects_of(const struct profile *profile)
{
    enum identity usual = profile->producer == PRODUCER_XDEBUG ? IDENTITY_NAME : IDENTITY_OBJECT;
    const struct function *next = profile->functions, *end = next + profile->function_count, *first = next;
    struct buffer part = {0};
    while (next < end && next->identity == usual && (usual != IDENTITY_OBJECT || next->object == NAME_EMPTY))
        next++;
    if (next == end)
        return text_of("", 0);
    buffer_add_string(&part, title);
    for (next = first; next < end; first = next) {
        bool has_object = first->identity == IDENTITY_OBJECT;
        struct text object = names_text(&profile->names, function_object(first));
        bool has_letter = first->identity != usual && text_is_empty(object);
        char start[24];
        while (next < end && next->identity == first->identity && (!has_object || next->object == first->object))
            next++;
        snprintf(start, sizeof start, "%zu%.*s ", (size_t)(next - first), has_letter,
                 &letters[first->identity - IDENTITY_NAME]);
        buffer_add_string(&part, start);
        buffer_add(&part, object);
        buffer_add_string(&part, "\n");
    }
    return buffer_text(&part);
}

void objects_read(struct objects *objects, struct text gap, enum identity usual)
{
    *objects = (struct objects){.rest = gap, .usual = usual};
    objects->rest.at = text_starts(gap, title) ? gap.at + sizeof title - 1 : gap.end;
}

void objects_next(struct objects *objects)
{
    if (objects->left > 0) {
        objects->left--;
        return;
    }
    struct text rest = objects->rest, line = text_take_to(&rest, '\n');
    bool is_whole = line.end < rest.at && text_take_number(&line, &objects->left, NULL) && objects->left-- > 0;
    const char *letter = is_whole ? memchr(letters, *line.at, sizeof letters - 1) : NULL;
    line.at += letter != NULL;
    is_whole = is_whole && text_starts(line, " ");
    if (!is_whole) { /* from now on, there are none */
        rest = line = text_of("", 0);
        objects->left = 0;
    }
    objects->object = (struct text){line.at + is_whole, line.end};
    objects->identity = is_whole && letter != NULL       ? (enum identity)(letter - letters + IDENTITY_NAME)
                        : text_is_empty(objects->object) ? objects->usual
                                                         : IDENTITY_OBJECT;
    objects->rest = rest;
}

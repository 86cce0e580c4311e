#include "frontends/frontend.h"

#include <stdio.h>

/* In the order in which they are asked. */
static const struct frontend *const frontends[] = {&preprocessed_frontend,
                                                  &aprof_frontend,
                                                  &callgrind_frontend};

enum { FRONTEND_COUNT = sizeof frontends / sizeof frontends[0] };

const struct frontend *frontend_for(struct text head, bool *more)
{
    *more = false;
    for (size_t i = 0; i < FRONTEND_COUNT; i++) {
        enum recognition recognition = frontends[i]->recognises(head);
        if (recognition == MINE) {
            *more = false;
            return frontends[i];
        }
        *more |= recognition == NOT_YET;
    }
    return NULL;
}

const struct frontend *frontend_named(const char *name)
{
    for (size_t i = 0; i < FRONTEND_COUNT; i++)
        if (strcmp(frontends[i]->name, name) == 0)
            return frontends[i];
    return NULL;
}

void frontend_names(char *list, size_t size)
{
    *list = '\0';
    for (size_t i = 0; i < FRONTEND_COUNT; i++) {
        size_t used = strlen(list);
        snprintf(list + used, size - used, "%s%s", i > 0 ? ", " : "", frontends[i]->name);
    }
}

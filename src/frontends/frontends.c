#include "frontends/frontend.h"

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

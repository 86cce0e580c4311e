#include "read/frontend.h"

#include <string.h>

/* In the order in which they are asked. */
static const struct frontend *const frontends[] = {&preprocessed_frontend, &perf_frontend, &aprof_frontend,
                                                  &callgrind_frontend, &perf_script_frontend};

enum { FRONTEND_COUNT = sizeof frontends / sizeof frontends[0] };

const struct frontend *frontend_for(struct text head, bool *more)
{
    *more = false;
    for (size_t i = 0; i < FRONTEND_COUNT; i++) {
        enum recognition recognition = frontends[i]->recognises(head);
        *more = recognition != MINE && (*more || recognition == NOT_YET);
        if (recognition == MINE)
            return frontends[i];
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

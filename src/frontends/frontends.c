#include "frontends/frontend.h"

/* In the order in which they are asked. */
static const struct frontend *const frontends[] = {&preprocessed_frontend,
                                                  &callgrind_frontend};

const struct frontend *frontend_for(struct text head, bool *more)
{
    *more = false;
    for (size_t i = 0; i < sizeof frontends / sizeof frontends[0]; i++) {
        enum recognition recognition = frontends[i]->recognises(head);
        if (recognition == MINE) {
            *more = false;
            return frontends[i];
        }
        *more |= recognition == NOT_YET;
    }
    return NULL;
}

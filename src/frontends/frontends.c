#include "frontends/frontend.h"

/* In the order in which they are asked. */
static const struct frontend *const frontends[] = {&callgrind_frontend};

const struct frontend *frontend_for(struct text head)
{
    for (size_t i = 0; i < sizeof frontends / sizeof frontends[0]; i++)
        if (frontends[i]->recognises(head))
            return frontends[i];
    return NULL;
}

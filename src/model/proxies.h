/*
 * Proxies: functions to step over, such as php::call_user_func. Each call of a proxy is replaced by
 * the one call that this invocation of the proxy made, which waits here until the record of the proxy's
 * caller claims it (tree.h). An invocation that made no call or several, or that nobody claims, keeps
 * its own row. A line of the input is one call, whatever its `calls=` says, as in webgrind.
 */
#ifndef CG2WG_MODEL_PROXIES_H
#define CG2WG_MODEL_PROXIES_H

#include "model/records.h"

/* Names of functions to step over. `*` matches any bytes, `?` any one byte. Borrowed. */
struct proxy_names {
    const char *const *names;
    size_t count;
};

bool proxy_names_match(struct proxy_names names, struct text name);

struct proxies {
    struct profile *profile;
    struct records *records; /* learns which call waits; NULL: not used */
    struct proxy_names names;

    /* Invocations of proxies. A claimed one keeps its place as long as one that is not comes later. */
    struct waiting {
        struct call call; /* of which `caller`, the proxy, is always set; NONE: it has been claimed */
        uint32_t below;   /* the next older one of the same proxy, or NONE */
        bool stays;       /* it keeps its own row: it made no call, or several */
    } *waiting;
    size_t waiting_count, waiting_capacity;
    uint32_t *newest; /* by function: its newest in `waiting`, or NONE */
    size_t newest_capacity;
};

/*
 * At the end of a record of `function`: replaces calls of proxies by those that the proxies made. Returns how
 * many calls remain: if the function is a proxy that made one call, that waits for its caller.
 */
size_t proxies_take_calls(struct proxies *proxies, uint32_t function, struct call *calls, size_t count);

/* Enters all waiting calls as calls of their proxies, because nobody will claim them. */
void proxies_release(struct proxies *proxies);

#endif

#include "model/proxies.h"

#include "util/array.h"

bool proxy_names_match(struct proxy_names names, struct text name)
{
    for (size_t i = 0; i < names.count; i++)
        if (text_matches(name, names.names[i]))
            return true;
    return false;
}

void proxies_free(struct proxies *p)
{
    memory_free(p->waiting);
    memory_free(p->newest);
    *p = (struct proxies){0};
}

static void push_waiting(struct proxies *p, struct waiting entry)
{
    uint32_t proxy = entry.call.caller;
    array_reach(&p->newest, &p->newest_capacity, (size_t)proxy + 1, sizeof *p->newest, 0xff);
    entry.below = p->newest[proxy];
    p->newest[proxy] = (uint32_t)p->waiting_count;
    array_append(&p->waiting, &p->waiting_count, &p->waiting_capacity, &entry, sizeof entry);
}

/* Takes the newest waiting invocation of a proxy. Returns false if there is none. */
static bool pop_waiting(struct proxies *p, uint32_t proxy, struct waiting *entry)
{
    if (proxy >= p->newest_capacity || p->newest[proxy] == NONE)
        return false;
    uint32_t place = p->newest[proxy];
    *entry = p->waiting[place];
    p->newest[proxy] = entry->below;
    p->waiting[place].call.caller = NONE;
    while (p->waiting_count > 0 && p->waiting[p->waiting_count - 1].call.caller == NONE)
        p->waiting_count--;
    return true;
}

/* Replaces calls of proxies by the calls that the proxies made, the last one first. */
static void claim(struct proxies *p, struct call *calls, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        struct call *call = &calls[i];
        struct waiting entry;
        if ((p->profile->functions[call->callee].flags & FUNCTION_IS_PROXY) == 0 ||
            !pop_waiting(p, call->callee, &entry) || entry.stays)
            continue;
        entry.call.original = call->callee;
        entry.call.caller = call->caller;
        *call = entry.call;
    }
}

void proxies_take_calls(struct proxies *p, uint32_t function, struct call *calls, size_t *count)
{
    bool is_proxy = (p->profile->functions[function].flags & FUNCTION_IS_PROXY) != 0;
    claim(p, calls, *count);
    if (!is_proxy)
        return;
    if (*count != 1) {
        push_waiting(p, (struct waiting){.call.caller = function, .stays = true});
        return;
    }
    *count = 0;
    push_waiting(p, (struct waiting){.call = *calls});
    if (p->records != NULL)
        records_wait(p->records, calls);
}

void proxies_release(struct proxies *p)
{
    for (size_t i = 0; i < p->waiting_count; i++) {
        const struct call *call = &p->waiting[i].call;
        if (call->caller == NONE)
            continue;
        p->newest[call->caller] = NONE;
        if (!p->waiting[i].stays)
            profile_add_call(p->profile, call->caller, call->callee, call->line, call->count, call->cost);
    }
    p->waiting_count = 0;
}

#include "model/proxies.h"

#include "util/array.h"

bool proxy_names_match(struct proxy_names names, struct text name)
{
    for (size_t i = 0; i < names.count; i++)
        if (text_matches(name, names.names[i]))
            return true;
    return false;
}

/* The call that the newest waiting invocation of a proxy made; NULL: there is none, or it keeps its row. */
static struct call *claim(struct proxies *p, uint32_t proxy)
{
    if (proxy >= p->newest_capacity || p->newest[proxy] == NONE)
        return NULL;
    struct waiting *claimed = &p->waiting[p->newest[proxy]];
    p->newest[proxy] = claimed->below;
    claimed->call.caller = NONE;
    while (p->waiting_count > 0 && p->waiting[p->waiting_count - 1].call.caller == NONE)
        p->waiting_count--;
    return claimed->stays ? NULL : &claimed->call;
}

size_t proxies_take_calls(struct proxies *p, uint32_t function, struct call *calls, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        uint32_t callee = calls[i].callee;
        bool calls_proxy = (p->profile->functions[callee].flags & FUNCTION_IS_PROXY) != 0;
        const struct call *made = calls_proxy ? claim(p, callee) : NULL;
        if (made == NULL)
            continue;
        calls[i] = *made;
        calls[i].original = callee;
        calls[i].caller = function;
    }
    if ((p->profile->functions[function].flags & FUNCTION_IS_PROXY) == 0)
        return count;
    array_reach(&p->newest, &p->newest_capacity, (size_t)function + 1, sizeof *p->newest, 0xff);
    struct waiting entry = {.call = {.caller = function}, .below = p->newest[function], .stays = count != 1};
    if (count == 1)
        entry.call = *calls;
    p->newest[function] = (uint32_t)p->waiting_count;
    array_append(&p->waiting, &p->waiting_count, &p->waiting_capacity, &entry, sizeof entry);
    if (count == 1 && p->records != NULL)
        records_proxys_call(p->records, ENTRY_WAITING, calls->callee, calls);
    return count == 1 ? 0 : count;
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

#include "model/claims.h"

#include "util/array.h"

#include <errno.h>
#include <stdlib.h>

/* Calls of one function by one caller. */
struct waiting_calls {
    struct claim next; /* the one that was read last */
    uint64_t more;     /* where the one before ends in the spool; without an arc: how many there are */
    uint32_t below;    /* the entry below, of a caller that returned later; if free: the next free one */
};

struct waiting_list {
    uint32_t top; /* an entry, or INDEX_NONE */
    uint64_t run; /* `top` is valid only in this run */
};

bool claims_init(struct claims *c, struct spool *spool, size_t function_count)
{
    *c = (struct claims){.spool = spool, .free = INDEX_NONE, .run = 1};
    c->lists = calloc(function_count + 1, sizeof *c->lists);
    return c->lists != NULL;
}

void claims_free(struct claims *c)
{
    free(c->lists);
    free(c->entries);
}

void claims_new_run(struct claims *c)
{
    c->run++;
    c->count = 0;
    c->free = INDEX_NONE;
}

static uint32_t *top_of(struct claims *c, uint32_t function)
{
    struct waiting_list *list = &c->lists[function];
    if (list->run != c->run)
        *list = (struct waiting_list){INDEX_NONE, c->run};
    return &list->top;
}

/* Sets *number to an entry that is not used. */
static bool new_entry(struct claims *c, uint32_t *number)
{
    *number = c->free;
    if (*number != INDEX_NONE) {
        c->free = c->entries[*number].below;
        return true;
    }
    errno = ENOMEM;
    if (c->count >= INDEX_NONE ||
        !array_reserve(&c->entries, &c->capacity, c->count + 1, sizeof *c->entries))
        return false;
    *number = (uint32_t)c->count++;
    return true;
}

bool claims_add(struct claims *c, uint32_t function, struct claim call, uint64_t linked)
{
    uint32_t *top = top_of(c, function), number;
    if (call.arc == INDEX_NONE && *top != INDEX_NONE) {
        struct waiting_calls *w = &c->entries[*top];
        if (w->next.arc == INDEX_NONE && w->next.caller == call.caller) {
            w->more++;
            return true;
        }
    }
    if (!new_entry(c, &number))
        return false;
    c->entries[number] = (struct waiting_calls){.next = call, .more = linked, .below = *top};
    *top = number;
    return true;
}

uint32_t claims_caller(struct claims *c, uint32_t function)
{
    uint32_t top = *top_of(c, function);
    return top != INDEX_NONE ? c->entries[top].next.caller : INDEX_NONE;
}

/* Reads the call before the one that is taken. */
static bool read_more(struct claims *c, uint32_t function, struct waiting_calls *w)
{
    const unsigned char *at = spool_before(c->spool, w->more, function);
    if (at == NULL)
        return false;
    uint32_t tag = tag_before(at);
    w->next.arc = number_of(at, tag);
    w->more = linked_call(at, tag, w->more);
    return true;
}

bool claims_take(struct claims *c, uint32_t function, struct claim *call)
{
    uint32_t *top = top_of(c, function), number = *top;
    *call = (struct claim){.caller = INDEX_NONE, .arc = INDEX_NONE};
    if (number == INDEX_NONE)
        return true;
    struct waiting_calls *w = &c->entries[number];
    *call = w->next;
    call->is_last = w->more == 0;
    if (call->is_last) {
        *top = w->below;
        w->below = c->free;
        c->free = number;
        return true;
    }
    if (w->next.arc != INDEX_NONE)
        return read_more(c, function, w);
    w->more--;
    return true;
}

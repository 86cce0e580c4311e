#include "model/waits.h"

struct waits_entry {
    struct waiting_call call;
    uint32_t count;
    uint32_t below; /* the next entry of the stack; of a free one: the next free one; or NONE */
};

struct waits_stack {
    uint32_t top; /* an entry, or NONE */
    size_t run;   /* in any other run, the stack is empty */
};

void waits_init(struct waits *w, size_t function_count)
{
    *w = (struct waits){.free = NONE, .run = 1};
    w->stacks = memory_zeroed(function_count + 1, sizeof *w->stacks);
}

void waits_free(struct waits *w)
{
    memory_free(w->stacks);
    memory_free(w->entries);
}

void waits_new_run(struct waits *w)
{
    w->run++;
    w->count = 0;
    w->free = NONE;
}

/* The top of a function's stack. */
static uint32_t *top_of(struct waits *w, uint32_t function)
{
    struct waits_stack *stack = &w->stacks[function];
    if (stack->run != w->run)
        *stack = (struct waits_stack){NONE, w->run};
    return &stack->top;
}

void waits_put(struct waits *w, uint32_t function, struct waiting_call call)
{
    uint32_t *top = top_of(w, function), number = w->free;
    struct waits_entry *entry = *top != NONE ? &w->entries[*top] : NULL;
    if (entry != NULL && entry->call.caller == call.caller && entry->call.arc == call.arc &&
        entry->count < UINT32_MAX) {
        entry->count++;
        return;
    }
    if (number != NONE) {
        w->free = w->entries[number].below;
    } else {
        if (w->count == NONE)
            run_out_of_memory();
        array_reserve(&w->entries, &w->capacity, w->count + 1, sizeof *w->entries);
        number = (uint32_t)w->count++;
    }
    w->entries[number] = (struct waits_entry){.call = call, .count = 1, .below = *top};
    *top = number;
}

struct waiting_call waits_take(struct waits *w, uint32_t function)
{
    uint32_t *top = top_of(w, function), number = *top;
    if (number == NONE)
        return (struct waiting_call){NONE, NONE};
    struct waits_entry *entry = &w->entries[number];
    struct waiting_call call = entry->call;
    if (--entry->count == 0) {
        *top = entry->below;
        entry->below = w->free;
        w->free = number;
    }
    return call;
}

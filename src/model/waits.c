#include "model/waits.h"

#include "util/array.h"

struct waits_entry {
    struct waiting_call call;
    uint32_t count;
    uint32_t below; /* the next entry of the stack; of a free one: the next free one; or NONE */
};

struct waits_stack {
    uint32_t top;    /* an entry, or NONE */
    uint32_t lowest; /* the entry that was put last: of calls that are put below each other, the lowest */
    size_t run;      /* in any other run, the stack is empty */
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

static struct waits_stack *stack_of(struct waits *w, uint32_t function)
{
    struct waits_stack *stack = &w->stacks[function];
    if (stack->run != w->run)
        *stack = (struct waits_stack){.top = NONE, .run = w->run};
    return stack;
}

static bool is_by(const struct waits *w, uint32_t number, uint32_t caller)
{
    return number != NONE && w->entries[number].call.caller == caller;
}

void waits_put(struct waits *w, uint32_t function, struct waiting_call call, bool is_earlier)
{
    struct waits_stack *stack = stack_of(w, function);
    uint32_t above = is_earlier && is_by(w, stack->top, call.caller) ? stack->lowest : NONE;
    uint32_t like = above != NONE ? above : stack->top, number = w->free;
    if (is_by(w, like, call.caller) && w->entries[like].call.arc == call.arc &&
        w->entries[like].count < UINT32_MAX) {
        w->entries[like].count++;
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
    uint32_t *place = above != NONE ? &w->entries[above].below : &stack->top;
    w->entries[number] = (struct waits_entry){.call = call, .count = 1, .below = *place};
    *place = stack->lowest = number;
}

struct waiting_call waits_take(struct waits *w, uint32_t function)
{
    struct waits_stack *stack = stack_of(w, function);
    uint32_t number = stack->top;
    if (number == NONE)
        return (struct waiting_call){NONE, NONE};
    struct waits_entry *entry = &w->entries[number];
    struct waiting_call call = entry->call;
    if (--entry->count == 0) {
        stack->top = entry->below;
        entry->below = w->free;
        w->free = number;
    }
    return call;
}

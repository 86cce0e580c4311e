#include "model/stacks.h"

#include <stdlib.h>

static struct cg2wg_bytes bytes_of(const struct profile *profile, uint32_t name)
{
    struct text text = names_text(&profile->names, name);
    return (struct cg2wg_bytes){text.at, text_length(text)};
}

/* The context after `i` in a walk that enters parents first; INDEX_NONE: it was the root's last. */
static uint32_t next_below_root(const struct context *items, uint32_t i)
{
    if (items[i].first_child != INDEX_NONE)
        return items[i].first_child;
    while (i != INDEX_NONE && items[i].next_sibling == INDEX_NONE)
        i = items[i].parent;
    return i == INDEX_NONE ? INDEX_NONE : items[i].next_sibling;
}

/* Puts the contexts in order: numbers[i] becomes the new number of context i. */
static void order_contexts(const struct contexts *contexts, uint32_t *numbers,
                           struct cg2wg_context *ordered)
{
    const struct context *items = contexts->items;
    uint32_t count = 0;
    for (uint32_t root = 0; root < contexts->count; root++) {
        uint32_t i = items[root].parent == INDEX_NONE ? root : INDEX_NONE;
        for (; i != INDEX_NONE; i = next_below_root(items, i)) {
            const struct context *c = &items[i];
            uint32_t parent = c->parent == INDEX_NONE ? CG2WG_NO_CONTEXT : numbers[c->parent];
            numbers[i] = count;
            ordered[count++] =
                (struct cg2wg_context){c->function, parent, c->calls, c->self, c->inclusive};
        }
    }
}

bool stacks_show(struct contexts *contexts, const struct profile *profile,
                 void (*show)(void *user, const struct cg2wg_stacks *stacks), void *user)
{
    size_t count = contexts->count;
    struct cg2wg_stack_function *functions = calloc(profile->function_count + 1, sizeof *functions);
    struct cg2wg_context *ordered = calloc(count + 1, sizeof *ordered);
    uint32_t *numbers = calloc(count + 1, sizeof *numbers);
    bool done = functions != NULL && ordered != NULL && numbers != NULL;
    if (done) {
        for (size_t i = 0; i < profile->function_count; i++) {
            const struct function *f = &profile->functions[i];
            functions[i] = (struct cg2wg_stack_function){bytes_of(profile, f->name),
                                                         bytes_of(profile, f->file)};
        }
        order_contexts(contexts, numbers, ordered);
    }
    free(numbers);
    contexts_free(contexts);
    if (done)
        show(user, &(struct cg2wg_stacks){.event = bytes_of(profile, profile->event),
                                          .functions = functions,
                                          .function_count = profile->function_count,
                                          .contexts = ordered,
                                          .context_count = count});
    free(functions);
    free(ordered);
    return done;
}

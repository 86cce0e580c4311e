#include "model/show.h"

#include <stdlib.h>

static struct cg2wg_bytes bytes_of(const struct profile *profile, uint32_t name)
{
    struct text text = names_text(&profile->names, name);
    return (struct cg2wg_bytes){text.at, text_length(text)};
}

/* ---- calling contexts --------------------------------------------------------------------- */

/* Puts the contexts in order: numbers[i] becomes the new number of context i. */
static void order_contexts(const struct contexts *contexts, uint32_t *numbers,
                           struct cg2wg_context *ordered)
{
    uint32_t count = 0;
    for (uint32_t i = contexts_first(contexts); i != INDEX_NONE; i = contexts_next(contexts, i)) {
        const struct context *c = &contexts->items[i];
        uint32_t parent = c->parent == INDEX_NONE ? CG2WG_NO_CONTEXT : numbers[c->parent];
        numbers[i] = count;
        ordered[count++] = (struct cg2wg_context){c->function, parent, c->calls, c->self, c->inclusive};
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

/* ---- costs by size ------------------------------------------------------------------------ */

static void fill_functions(struct cg2wg_sized_function *functions, const struct sizes *sizes,
                           const struct profile *profile)
{
    size_t next = 0;
    for (uint32_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        uint32_t mangled = i < sizes->mangled_count ? sizes->mangled[i] : NAME_EMPTY;
        size_t first = next;
        while (next < sizes->count && sizes->costs[next].function == i)
            next++;
        functions[i] = (struct cg2wg_sized_function){.name = bytes_of(profile, f->name),
                                                     .file = bytes_of(profile, f->file),
                                                     .mangled_name = bytes_of(profile, mangled),
                                                     .self = f->self,
                                                     .inclusive = f->inclusive,
                                                     .invocations = f->invocations,
                                                     .size_count = next - first};
        if (next > first)
            functions[i].sizes = &sizes->costs[first];
    }
}

static size_t fill_headers(struct cg2wg_bytes *headers, const struct profile *profile,
                           int64_t *total)
{
    size_t count = 0;
    *total = 0;
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        if (header->kind == HEADER_OTHER || header->kind == HEADER_CMD)
            headers[count++] = bytes_of(profile, header->text);
        if (header->kind == HEADER_SUMMARY)
            cost_add(total, header->total);
    }
    return count;
}

bool sizes_show(struct sizes *sizes, const struct profile *profile,
                void (*show)(void *user, const struct cg2wg_sizes *sizes), void *user)
{
    struct cg2wg_sized_function *functions =
        calloc(profile->function_count + 1, sizeof *functions);
    struct cg2wg_bytes *headers = calloc(profile->header_count + 1, sizeof *headers);
    struct cg2wg_bytes *lines = calloc(sizes->line_count + 1, sizeof *lines);
    bool done = functions != NULL && headers != NULL && lines != NULL;
    if (done) {
        struct cg2wg_sizes shown = {.headers = headers,
                                    .lines = lines,
                                    .line_count = sizes->line_count,
                                    .event = bytes_of(profile, profile->event),
                                    .measure = bytes_of(profile, sizes->measure),
                                    .functions = functions,
                                    .function_count = profile->function_count};
        sizes_merge(sizes);
        fill_functions(functions, sizes, profile);
        shown.header_count = fill_headers(headers, profile, &shown.total);
        for (size_t i = 0; i < sizes->line_count; i++)
            lines[i] = bytes_of(profile, sizes->lines[i]);
        show(user, &shown);
    }
    free(functions);
    free(headers);
    free(lines);
    return done;
}

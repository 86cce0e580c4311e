/* SPDX-License-Identifier: MIT */
#include "view/stacks.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

/* The number of the name's node below `parent`, which is NONE for the first one. */
static uint32_t find_node(struct stack_tree *tree, uint32_t parent, uint32_t name)
{
    uint32_t depth = parent == NONE ? 0 : tree->nodes[parent].depth + 1;
    struct stack_node node = {
        .parent = parent, .name = name, .depth = depth, .first_child = NONE, .next_sibling = NONE, .number = NONE};
    uint32_t number = index_intern(&tree->index, &tree->nodes, &tree->capacity, &node, sizeof node,
                                   offsetof(struct stack_node, depth));
    tree->count = tree->index.used;
    return number;
}

void stack_tree_init(struct stack_tree *tree, struct contexts *contexts, const uint32_t *names,
                     struct contexts *base_contexts, const uint32_t *base_names, uint32_t deeper)
{
    *tree = (struct stack_tree){.count = 0};
    find_node(tree, NONE, deeper);
    for (struct contexts *from = contexts; from != NULL; from = from == contexts ? base_contexts : NULL) {
        bool is_base = from != contexts;
        const uint32_t *numbers = is_base ? base_names : names;
        tree->is_cut |= from->is_cut;
        uint32_t *node_of = memory_zeroed(from->count + 1, sizeof *node_of);
        for (uint32_t i = NONE; (i = contexts_next(from, i)) != NONE;) {
            const struct context *c = &from->items[i];
            uint32_t parent = c->parent == NONE ? 0 : node_of[c->parent];
            bool is_too_deep = tree->nodes[parent].depth >= STACKS_DEPTH;
            tree->is_too_deep |= is_too_deep;
            /* Below the deepest ones, one node is for everything that is deeper. */
            if (is_too_deep)
                parent = tree->nodes[parent].depth == STACKS_DEPTH ? find_node(tree, parent, tree->nodes[0].name)
                                                                   : tree->nodes[parent].parent;
            uint32_t name = c->function == NONE ? deeper : numbers != NULL ? numbers[c->function] : c->function;
            node_of[i] = find_node(tree, parent, name);
            cost_add(&tree->nodes[node_of[i]].self[is_base], c->self);
        }
        memory_free(node_of);
        contexts_free(from);
    }
    index_free(&tree->index);
}

void stacks_warn(const struct stack_tree *tree, struct diag *diag)
{
    if (tree->is_too_deep)
        diag_warning(diag, 0,
                     "stacks have more than %d functions; the costs of deeper ones are added up below " STACKS_DEEPER,
                     STACKS_DEPTH);
    if (tree->is_cut)
        diag_warning(diag, 0, "the estimate has more than %d stacks; the costs of smaller ones are " STACKS_DEEPER,
                     ESTIMATE_MOST);
}

/* A name as docs/formats.md says that it is printed. */
static struct text printable(struct text name)
{
    const char *number = name.end; /* at the end of the name */
    while (number > name.at && (char_is_digit(number[-1]) || number[-1] == '.'))
        number--;
    char *copy = memory_get(text_length(name) + 1), *to = copy;
    for (const char *at = name.at; at < name.end;) {
        size_t length = utf8_length((struct text){at, name.end});
        struct text c = text_of(at, length > 0 ? length : 1);
        at = c.end;
        if (length == 0 || utf8_is_control(c))
            c = text_of("?", 1);
        else if (*c.at == ' ' && at == number && number < name.end)
            c = text_of("_", 1);
        else if (*c.at == ';')
            c = text_of(":", 1);
        memcpy(to, c.at, text_length(c));
        to += text_length(c);
    }
    return to > copy ? (struct text){copy, to} : text_of_string("[unknown]");
}

void stack_tree_link(struct stack_tree *tree, uint32_t number)
{
    struct stack_node *node = &tree->nodes[number];
    if (node->parent == NONE)
        return;
    node->next_sibling = tree->nodes[node->parent].first_child;
    tree->nodes[node->parent].first_child = number;
}

uint32_t stack_tree_next(const struct stack_tree *tree, uint32_t number)
{
    const struct stack_node *node = &tree->nodes[number];
    uint32_t next = node->first_child;
    for (; next == NONE && node->parent != NONE; node = &tree->nodes[node->parent])
        next = node->next_sibling;
    return next;
}

/* The most bytes of a line, and of all: many stacks may have long names, but no small input has a large output. */
enum { MOST_LINE = 1 << 20, MOST_LINES = 64 << 20, MOST_LINES_A_NODE = 4096 };

/* Where a name has a quote before what is not the number of a recursion level; or its end. */
static const char *callers_of(struct text name)
{
    const char *quote = name.at;
    while ((quote = memchr(quote, '\'', (size_t)(name.end - quote))) != NULL) {
        struct text level = {quote + 1, name.end};
        level = text_take_to(&level, '\'');
        uint64_t number;
        if (text_is_empty(level) || !text_take_number(&level, &number, NULL) || !text_is_empty(level))
            return quote;
        quote++;
    }
    return name.end;
}

/*
 * A name without the callers that callgrind's --separate-callers has appended, each after a quote: `f` for
 * `f'main'start` if it is called by `main` or `main'start`, and `f'2` for `f'2'main` if `f'main` calls it. Names may
 * contain quotes themselves.
 */
static struct text without_callers(struct text name, struct text caller)
{
    enum { MOST_QUOTES = 64 };
    const char *quote = name.at;
    for (int i = 0; i < MOST_QUOTES; i++) {
        quote = memchr(quote, '\'', (size_t)(name.end - quote));
        if (quote == NULL)
            break;
        struct text rest = {++quote, name.end}, first = text_take_to(&rest, '\''), after = caller;
        if (text_length(first) > text_length(caller) || memcmp(first.at, caller.at, text_length(first)) != 0)
            continue;
        after.at += text_length(first);
        if (text_is_empty(after) || *after.at == '\'')
            return (struct text){name.at, quote - 1};
    }
    struct text deeper = {callers_of(name), name.end};
    return text_same(deeper, (struct text){callers_of(caller), caller.end}) ? (struct text){name.at, deeper.at} : name;
}

struct text *stacks_names(const struct contents *shown)
{
    const struct profile *profile = &shown->profile;
    struct text *names = memory_zeroed(profile->function_count + 1, sizeof *names);
    bool *is_done = memory_zeroed(profile->function_count + 1, sizeof *is_done), any = false;
    for (size_t i = 0; i < profile->function_count; i++)
        names[i] = names_text(&profile->names, profile->functions[i].name);
    for (size_t i = 0; shown->has_estimate && profile->marks_levels && i < profile->arc_count; i++) {
        const struct cg2wg_arc *arc = &profile->arcs[i];
        struct text *name = &names[arc->callee], whole = *name;
        if (is_done[arc->callee] || arc->caller == arc->callee)
            continue;
        is_done[arc->callee] = true;
        *name = without_callers(whole, names_text(&profile->names, profile->functions[arc->caller].name));
        any |= text_length(*name) < text_length(whole);
    }
    return any ? names : NULL;
}

void named_stacks_warn(const struct named_stacks *stacks, struct contents *const inputs[SIDES], const char *which)
{
    stacks_warn(&stacks->tree, &inputs[NOW]->diag);
    for (size_t side = 0; side < SIDES; side++)
        if (stacks->left_out[side].count > 0)
            diag_warning(&inputs[side]->diag, 0,
                         "left out %" PRIu64 " stacks with negative costs, %" PRId64 " in total, which %s",
                         stacks->left_out[side].count, stacks->left_out[side].cost, which);
}

void named_stacks_init(struct named_stacks *stacks, const struct cg2wg_view *options, struct contents *shown,
                       struct contents *base)
{
    struct contents *const inputs[] = {shown, base};
    size_t first = shown->profile.function_count, all = first + (base != NULL ? base->profile.function_count : 0);
    struct view_row *rows = memory_get((all + 1) * sizeof *rows);
    uint32_t deeper = 0;
    *stacks = (struct named_stacks){.deeper = 0};
    if (base != NULL)
        differences_init(&stacks->differences, options, shown, base);
    for (size_t k = 0; k < 2 && inputs[k] != NULL; k++) {
        struct view view;
        view_of_functions(&view, inputs[k]);
        if (inputs[k]->facts.no_calls != NULL && !inputs[k]->profile.lacks_callers) /* there the front end has warned */
            diag_warning(&inputs[k]->diag, 0, "no stack has more than one function: %s", inputs[k]->facts.no_calls);
        struct text *short_names = stacks_names(inputs[k]);
        for (size_t i = 0; i < view.all; i++) {
            struct view_row *row = &rows[first * k + i];
            *row = view.rows[i];
            row->number += first * k;
            if (short_names != NULL && text_length(short_names[i]) <= VIEW_NAME)
                row->name = short_names[i];
        }
        memory_free(view.rows);
        stacks->total = k == 0 ? view.total.base : stacks->total;
    }
    qsort(rows, all, sizeof *rows, view_by_name);
    struct text *names = memory_zeroed(all + 1, sizeof *names); /* by rank, as they are printed */
    uint32_t *ranks = memory_zeroed(all + 1, sizeof *ranks);    /* of functions, those of the base after the others */
    for (size_t i = 0; i < all; i++) {
        if (i == 0 || !text_same(rows[i - 1].name, rows[i].name))
            names[deeper++] = printable(rows[i].name);
        ranks[rows[i].number] = deeper - 1;
    }
    names[deeper] = text_of_string(STACKS_DEEPER);
    memory_free(rows);
    stacks->names = names;
    stacks->deeper = deeper;
    stack_tree_init(&stacks->tree, &shown->contexts, ranks, base != NULL ? &base->contexts : NULL, ranks + first,
                    deeper);
    shown->most_bytes = MOST_LINES + (uint64_t)MOST_LINES_A_NODE * stacks->tree.count;
    for (size_t i = 0; i < stacks->tree.count && options->style != CG2WG_TREE; i++)
        for (size_t side = 0; side < SIDES; side++) {
            cost_t *self = &stacks->tree.nodes[i].self[side];
            stacks->left_out[side].count += *self < 0;
            cost_add(&stacks->left_out[side].cost, MIN(*self, 0));
            *self = MAX(*self, 0);
            if (base != NULL)
                *self = side_converted(&stacks->differences.sides[side], *self);
        }
}

bool print_stacks(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct contents *base)
{
    uint32_t path[STACKS_DEPTH + 3] = {0};
    uint64_t lines = 0;
    struct named_stacks stacks;
    named_stacks_init(&stacks, options, shown, base);
    struct stack_tree tree = stacks.tree;
    struct buckets by_name = array_buckets(tree.nodes, tree.count, sizeof *tree.nodes,
                                           offsetof(struct stack_node, name), stacks.deeper + (size_t)1);
    for (size_t i = tree.count; i-- > 0;)
        stack_tree_link(&tree, by_name.numbers[i]);
    for (uint32_t i = tree.nodes[0].first_child; i != NONE; i = stack_tree_next(&tree, i)) {
        const struct stack_node *node = &tree.nodes[i];
        path[node->depth] = node->name;
        size_t length = 0;
        if (node->self[0] <= 0 && node->self[1] <= 0)
            continue;
        for (uint32_t k = 1; k <= node->depth && length <= MOST_LINE; k++) {
            struct text name = stacks.names[path[k]];
            length += text_length(name) + 1;
            if (length > MOST_LINE)
                name = stacks.names[stacks.deeper];
            if (k > 1)
                fputc(';', stream);
            fwrite(name.at, 1, text_length(name), stream);
        }
        if (base != NULL)
            fprintf(stream, " %" PRId64, node->self[1]);
        fprintf(stream, " %" PRId64 "\n", node->self[0]);
        view_check_size(stream, shown, "stacks", CG2WG_MEMBER_NONE);
        lines++;
    }
    named_stacks_warn(&stacks, (struct contents *const[SIDES]){shown, base}, "readers of collapsed stacks reject");
    if (lines == 0 && stacks.left_out[NOW].count == 0 && stacks.left_out[BASE].count == 0)
        diag_warning(&shown->diag, 0, "no stack has a self cost, so nothing is printed");
    return stacks.differences.has_grown;
}

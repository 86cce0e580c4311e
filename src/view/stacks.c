#include "view/print.h"

#include "view/stack_tree.h"
#include "util/utf8.h"
#include "util/run.h"

#include <inttypes.h>
#include <stdlib.h>

struct name {
    struct text text;
    bool is_plain; /* it is printed as it is */
};

/* Names are known by their rank, their place among all distinct names in order of their bytes. */
struct stack_printing {
    const struct profile *profile;
    struct name *names; /* by rank; the last one is STACKS_DEEPER */
    uint32_t *ranks;    /* by function */
    uint32_t rank_count;
    struct stack_tree tree; /* by rank */
    uint32_t first_root;
};

/* ---- names -------------------------------------------------------------------------------- */

struct ranked {
    struct text name;
    uint32_t function;
};

/* Equal names usually are the same bytes, which may be many. */
static int compare_names(struct text a, struct text b)
{
    return a.at == b.at && a.end == b.end ? 0 : text_compare(a, b);
}

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    int order = compare_names(a->name, b->name);
    return order != 0 ? order : (a->function > b->function) - (a->function < b->function);
}

/* A blank before a number at the end of a name, or the end. */
static const char *blank_before_number(struct text name)
{
    const char *at = name.end;
    while (at > name.at && (char_is_digit(at[-1]) || at[-1] == '.'))
        at--;
    return at < name.end && at > name.at && at[-1] == ' ' ? at - 1 : name.end;
}

/* Takes the first character of a name, in the form in which it is printed. */
static struct text take_shown(struct text *name, const char *blank)
{
    size_t length = utf8_length(*name);
    struct text own = text_of(name->at, length > 0 ? length : 1);
    name->at = own.end;
    /* JavaScript has two more ends of lines: U+2028 and U+2029. */
    if (length == 0 || utf8_is_control(own) || text_equals(own, "\xe2\x80\xa8") ||
        text_equals(own, "\xe2\x80\xa9"))
        return text_of("?", 1);
    if (own.at == blank)
        return text_of("_", 1);
    return *own.at == ';' ? text_of(":", 1) : own;
}

static bool is_plain(struct text name)
{
    const char *blank = blank_before_number(name);
    bool is_plain = !text_is_empty(name);
    while (is_plain && !text_is_empty(name)) {
        const char *at = name.at;
        is_plain = take_shown(&name, blank).at == at;
    }
    return is_plain;
}

static void print_name(FILE *stream, const struct name *name)
{
    struct text rest = name->text;
    const char *blank = blank_before_number(rest);
    if (name->is_plain) {
        fwrite(rest.at, 1, text_length(rest), stream);
        return;
    }
    if (text_is_empty(rest))
        fputs("[unknown]", stream);
    while (!text_is_empty(rest)) {
        struct text shown = take_shown(&rest, blank);
        fwrite(shown.at, 1, text_length(shown), stream);
    }
}

static void rank_names(struct stack_printing *p, const struct shown *shown)
{
    size_t count = p->profile->function_count;
    struct ranked *ranked = memory_zeroed(count + 1, sizeof *ranked);
    struct view view;
    p->names = memory_zeroed(count + 1, sizeof *p->names);
    p->ranks = memory_zeroed(count + 1, sizeof *p->ranks);
    view_of_functions(&view, shown);
    for (uint32_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){names_text(&p->profile->names, p->profile->functions[i].name), i};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare_names(ranked[i - 1].name, ranked[i].name) != 0) {
            struct text name = view.rows[ranked[i].function].name;
            p->names[p->rank_count++] = (struct name){name, is_plain(name)};
        }
        p->ranks[ranked[i].function] = p->rank_count - 1;
    }
    p->names[p->rank_count] = (struct name){text_of_string(STACKS_DEEPER), true};
    memory_free(ranked);
    memory_free(view.rows);
}

/* ---- nodes -------------------------------------------------------------------------------- */

/* Links siblings in order of their names. */
static void link_nodes(struct stack_printing *p)
{
    uint32_t *starts = memory_zeroed((size_t)p->rank_count + 2, sizeof *starts);
    uint32_t *ordered = memory_zeroed(p->tree.count + 1, sizeof *ordered);
    for (size_t i = 0; i < p->tree.count; i++)
        starts[p->tree.nodes[i].name + 1]++;
    for (size_t i = 0; i < p->rank_count; i++)
        starts[i + 1] += starts[i];
    for (uint32_t i = 0; i < p->tree.count; i++)
        ordered[starts[p->tree.nodes[i].name]++] = i;
    p->first_root = NONE;
    for (size_t i = p->tree.count; i-- > 0;) {
        struct stack_node *node = &p->tree.nodes[ordered[i]];
        uint32_t *first = node->parent == NONE ? &p->first_root : &p->tree.nodes[node->parent].first_child;
        node->next_sibling = *first;
        *first = ordered[i];
    }
    memory_free(starts);
    memory_free(ordered);
}

/* ---- sizes -------------------------------------------------------------------------------- */

/*
 * The most bytes of a line, and of all of them: each of many distinct stacks may have long names, but a recursion
 * with long names, which is a small input, has no large output.
 */
enum { MOST_LINE = 1 << 20, MOST_LINES = 64 << 20, MOST_LINES_A_NODE = 4096 };

static void check_size(const struct stack_printing *p, struct diag *diag)
{
    uint64_t size = 0, most = MOST_LINES + (uint64_t)MOST_LINES_A_NODE * p->tree.count;
    uint64_t *lengths = memory_zeroed(p->tree.count + 1, sizeof *lengths); /* of the paths */
    for (size_t i = 0; i < p->tree.count; i++) {
        const struct stack_node *node = &p->tree.nodes[i];
        lengths[i] = (node->parent != NONE ? lengths[node->parent] : 0) + text_length(p->names[node->name].text) + 1;
        if (node->self > 0)
            size += lengths[i] < MOST_LINE ? lengths[i] : MOST_LINE;
    }
    memory_free(lengths);
    if (size > most)
        diag_error(diag, 0, "found stacks that make %" PRIu64 " bytes of text, expected at most %" PRIu64
                   ", for as many as there are", size, most);
}

/* ---- lines -------------------------------------------------------------------------------- */

struct left_out {
    uint64_t count;
    int64_t cost;
};

static void print_line(FILE *stream, const struct stack_printing *p, const struct stack_node *node,
                       const uint32_t *path)
{
    size_t length = 0;
    for (uint32_t i = 0; i <= node->depth; i++) {
        const struct name *name = &p->names[path[i]];
        length += text_length(name->text) + 1;
        if (i > 0)
            fputc(';', stream);
        print_name(stream, length <= MOST_LINE ? name : &p->names[p->rank_count]);
        if (length > MOST_LINE)
            break;
    }
    fprintf(stream, " %" PRId64 "\n", node->self);
}

/* Returns the number of lines. */
static uint64_t print_lines(FILE *stream, const struct stack_printing *p, struct left_out *left_out)
{
    uint32_t path[STACKS_DEPTH + 2];
    uint64_t lines = 0;
    for (uint32_t i = p->first_root; i != NONE;) {
        const struct stack_node *node = &p->tree.nodes[i];
        path[node->depth] = node->name;
        if (node->self > 0) {
            print_line(stream, p, node, path);
            lines++;
        } else if (node->self < 0) {
            left_out->count++;
            cost_add(&left_out->cost, node->self);
        }
        for (i = node->first_child; i == NONE && node != NULL;) {
            i = node->next_sibling;
            node = node->parent == NONE ? NULL : &p->tree.nodes[node->parent];
        }
    }
    return lines;
}

void print_stacks(FILE *stream, struct shown *shown)
{
    struct stack_printing p = {.profile = &shown->profile};
    struct left_out left_out = {0, 0};
    rank_names(&p, shown);
    stack_tree_init(&p.tree, &shown->contexts, p.ranks, p.rank_count);
    link_nodes(&p);
    check_size(&p, &shown->diag);
    uint64_t lines = print_lines(stream, &p, &left_out);
    if (p.tree.is_too_deep)
        diag_warning(&shown->diag, 0, "found stacks of more than %d functions; the costs of deeper ones are added "
                     "up below " STACKS_DEEPER, STACKS_DEPTH);
    if (left_out.count > 0)
        diag_warning(&shown->diag, 0, "left out %" PRIu64 " stacks with negative costs, %" PRId64 " in total, which "
                     "readers of collapsed stacks reject", left_out.count, left_out.cost);
    else if (lines == 0)
        diag_warning(&shown->diag, 0, "found no stack with a self cost, so nothing is printed");
}

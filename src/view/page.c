/*
 * A page of HTML is made of the files in src/view/page; its data are JSON, which page.js describes. They are in a
 * block that no browser executes, and `<` is escaped in them, so that no name can end it.
 *
 * Without --min, functions with the smallest costs are left out, too, to keep the page below 5 MB. Calls below
 * the same limit are left out and added up. Memory may be lacking only before the first byte is printed.
 */
#include "view/print.h"

#include "view/page_parts.h"
#include "view/stack_tree.h"
#include "util/names.h"
#include "util/sha256.h"
#include "util/run.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * Bytes of the data: what a page of 5 MB has room for, and frames among it; what the numbers of a
 * function, of its left out calls, of an arc and of a frame take besides their digits. Names are shorter than
 * MOST_TEXT.
 */
enum { MOST_DATA = 4800000, MOST_FRAMES = 1500000, MOST_TEXT = 16384, FUNCTION_SIZE = 60, ARC_SIZE = 4,
       FRAME_SIZE = 4 };

struct page {
    FILE *stream;
    struct shown *shown;
    const struct view *view;
    double limit, frame_limit; /* in percent of the view's total */
    uint32_t *place_of;        /* each function of the input; its place in the page, or NONE */
    uint32_t *files;           /* each row of the view that has a place; its file, in the order of their first rows */
    struct arc_lists lists;
    struct stack_tree tree; /* of functions; empty: stacks are unknown */
    cost_t *totals; /* of stacks, from each node of the tree on, which has its number + 1; first, of all stacks */
    uint32_t *frames; /* the same; its place in the page, or NONE */
    size_t negative_stacks;
};

static bool reaches(const struct page *page, double cost, double limit)
{
    return limit == 0 || (page->view->total > 0 && cost * 100 >= limit * page->view->total);
}

static double weight_of(const struct view_row *row)
{
    return (double)(row->self > row->inclusive ? row->self : row->inclusive);
}

/* ---- limits ------------------------------------------------------------------------------- */

enum { LIMITS_A_DECADE = 90, DECADES = 9, LIMIT_COUNT = LIMITS_A_DECADE * DECADES + 2 };

/* How many bytes have a cost that reaches a limit, but not the next. */
struct limits {
    uint64_t bytes[LIMIT_COUNT];
};

/*
 * Limits are 0 and the numbers of two digits, in percent: 0.0000010, 0.0000011 and so on up to 990. No cost reaches
 * the last one.
 */
static double limit_at(size_t number)
{
    static const double divisors[DECADES] = {1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1, 0.1};
    if (number == 0 || number == LIMIT_COUNT - 1)
        return number == 0 ? 0 : 1e12;
    return (10 + (double)((number - 1) % LIMITS_A_DECADE)) / divisors[(number - 1) / LIMITS_A_DECADE];
}

static void weigh(const struct page *page, struct limits *limits, double cost, size_t size)
{
    size_t low = 0, high = LIMIT_COUNT;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (reaches(page, cost, limit_at(middle)))
            low = middle;
        else
            high = middle;
    }
    limits->bytes[low] += size;
}

/* The smallest limit with which the data take at most *room bytes, which it takes from *room. */
static double choose_limit(const struct limits *limits, uint64_t *room)
{
    size_t i = LIMIT_COUNT - 1;
    for (; i > 0 && limits->bytes[i - 1] <= *room; i--)
        *room -= limits->bytes[i - 1];
    return limit_at(i);
}

static size_t digits(int64_t number)
{
    size_t count = number < 0 ? 2 : 1;
    for (; number >= 10 || number <= -10; number /= 10)
        count++;
    return count;
}

/* The limit of functions and arcs, for this much room. */
static double function_limit(const struct page *page, uint64_t room)
{
    const struct view *view = page->view;
    const struct profile *profile = &page->shown->profile;
    struct limits limits = {.bytes = {0}};
    struct names files;
    double *most = memory_zeroed(view->count + 1, sizeof *most); /* the largest cost of each file */
    names_init(&files);
    for (size_t i = 0; i < view->count; i++) {
        const struct view_row *row = &view->rows[i];
        double cost = weight_of(row), *file = &most[names_intern(&files, row->file)];
        *file = *file < cost ? cost : *file;
        weigh(page, &limits, cost,
              json_string_size(row->name, true) + digits(row->line) + digits(row->self) + digits(row->inclusive) +
                  digits((int64_t)row->invocations) + FUNCTION_SIZE);
    }
    for (uint32_t i = 0; i < files.count; i++)
        weigh(page, &limits, most[i], json_string_size(names_text(&files, i), true));
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[i];
        weigh(page, &limits, (double)arc->cost, digits((int64_t)view->all) + digits(arc->line) +
              digits((int64_t)arc->count) + digits(arc->cost) + ARC_SIZE);
    }
    names_free(&files);
    memory_free(most);
    return choose_limit(&limits, &room);
}

/* ---- stacks ------------------------------------------------------------------------------- */

/* Negative self costs are left out, as --print=stacks does. */
static cost_t frame_self(const struct stack_node *node)
{
    return node->self > 0 ? node->self : 0;
}

/* Where the total of the node's parent is, or that of all. */
static uint32_t frame_parent(const struct stack_node *node)
{
    return node->parent != NONE ? node->parent + 1 : 0;
}

/* Makes the tree, and chooses its limit for *room bytes, of which it takes what frames need. NULL: there is a limit. */
static void make_stacks(struct page *page, uint64_t *room)
{
    const struct stack_tree *tree = &page->tree;
    struct limits limits = {.bytes = {0}};
    stack_tree_init(&page->tree, &page->shown->contexts, NULL, (uint32_t)page->shown->profile.function_count);
    page->totals = memory_zeroed(tree->count + 1, sizeof *page->totals);
    for (size_t i = tree->count; i > 0; i--) {
        const struct stack_node *node = &tree->nodes[i - 1];
        cost_add(&page->totals[i], frame_self(node));
        cost_add(&page->totals[frame_parent(node)], page->totals[i]);
        page->negative_stacks += node->self < 0;
        weigh(page, &limits, (double)page->totals[i],
              digits((int64_t)tree->count) + digits((int64_t)page->view->all) + digits(page->totals[i]) +
                  digits(frame_self(node)) + FRAME_SIZE);
    }
    if (room != NULL)
        page->frame_limit = choose_limit(&limits, room);
}

/* Gives the frames that reach the limit, and whose parents do, their places. */
static void choose_frames(struct page *page)
{
    uint32_t count = 1;
    page->frames = memory_zeroed(page->tree.count + 1, sizeof *page->frames);
    for (size_t i = 1; i <= page->tree.count; i++) {
        cost_t total = page->totals[i];
        bool has_parent = page->frames[frame_parent(&page->tree.nodes[i - 1])] != NONE;
        bool is_chosen = has_parent && total != 0 && reaches(page, (double)total, page->frame_limit);
        page->frames[i] = is_chosen ? count++ : NONE;
    }
}

static void print_frames(const struct page *page)
{
    const struct profile *profile = &page->shown->profile;
    if (page->totals != NULL)
        fprintf(page->stream, "0,-1,%" PRId64 ",0", page->totals[0]);
    for (size_t i = 1; i <= page->tree.count; i++) {
        const struct stack_node *node = &page->tree.nodes[i - 1];
        if (page->frames[i] == NONE)
            continue;
        uint32_t function = node->name < profile->function_count ? page->place_of[node->name] : NONE;
        fprintf(page->stream, ",%" PRIu32 ",%" PRId64 ",%" PRId64 ",%" PRId64, page->frames[frame_parent(node)],
                function != NONE ? (int64_t)function : -1, page->totals[i], frame_self(node));
    }
}

/* ---- functions ---------------------------------------------------------------------------- */

/* As --sort=name does. */
static int by_name(const void *left, const void *right)
{
    const struct view_row *a = left, *b = right;
    int order = text_compare(a->name, b->name);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

/* Gives the functions that are shown, and reach the limit, and their files, their places. */
static void choose_functions(struct page *page, struct view *view)
{
    size_t count = page->shown->profile.function_count;
    uint32_t place = 0;
    struct names files;
    page->place_of = memory_get((count + 1) * sizeof *page->place_of);
    for (size_t i = 0; i < count; i++)
        page->place_of[i] = NONE;
    qsort(view->rows, view->count, sizeof *view->rows, by_name);
    names_init(&files);
    page->files = memory_get((view->count + 1) * sizeof *page->files);
    for (size_t i = 0; i < view->count; i++) {
        if (!reaches(page, weight_of(&view->rows[i]), page->limit))
            continue;
        page->place_of[view->rows[i].number] = place++;
        page->files[i] = names_intern(&files, view->rows[i].file);
    }
    names_free(&files);
}

/* Prints the arcs that a function makes, unless is_from: those that call it. Then what is left out: number and cost. */
static void print_arcs(const struct page *page, uint64_t function, bool is_from)
{
    struct calls_list calls = shown_calls(&page->lists, function, is_from);
    uint64_t left = 0;
    cost_t left_cost = 0;
    fputs(",[", page->stream);
    for (size_t i = 0; i < calls.count; i++) {
        const struct arc *arc = &page->shown->profile.arcs[calls.arcs[i]];
        uint32_t other = page->place_of[is_from ? arc->caller : arc->callee];
        if (other == NONE || !reaches(page, (double)arc->cost, page->limit)) {
            count_add(&left, arc->count);
            cost_add(&left_cost, arc->cost);
        } else if (!is_from) {
            fprintf(page->stream, "%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRId64 ",", other, arc->line, arc->count,
                    arc->cost);
        }
    }
    fprintf(page->stream, "%" PRIu64 ",%" PRId64 "]", left, left_cost);
}

static void print_functions(const struct page *page)
{
    const char *lead = "\n[";
    uint32_t known = 0; /* the last file so far; 0 is none */
    for (size_t i = 0; i < page->view->count; i++) {
        const struct view_row *row = &page->view->rows[i];
        if (page->place_of[row->number] == NONE)
            continue;
        fputs(lead, page->stream);
        lead = ",\n[";
        json_string(page->stream, row->name, true);
        fputs(",", page->stream);
        if (page->files[i] <= known) {
            fprintf(page->stream, "%" PRIu32, page->files[i]);
        } else {
            json_string(page->stream, row->file, true);
            known = page->files[i];
        }
        fprintf(page->stream, ",%" PRIu32 ",%" PRId64 ",%" PRId64 ",%" PRIu64, row->line, row->self, row->inclusive,
                row->invocations);
        print_arcs(page, row->number, false);
        print_arcs(page, row->number, true);
        fputs("]", page->stream);
    }
}

/* ---- the data ----------------------------------------------------------------------------- */

/* The last header line of a key, which is the one that webgrind shows. */
static struct text last_header(const struct page *page, const char *wanted)
{
    struct text rest = page->shown->headers, key, value, last = text_of("", 0);
    while (preprocessed_next_header(&rest, &key, &value))
        if (text_equals(key, wanted))
            last = text_trim(value);
    return last;
}

/* Prints the start of a text, which may be longer than any name. */
static void print_member(FILE *stream, const char *key, struct text t)
{
    fprintf(stream, "\"%s\":", key);
    json_string(stream, text_length(t) > MOST_TEXT ? text_of(t.at, MOST_TEXT) : t, true);
    fputs(",\n", stream);
}

/* Prints what was left out. */
static void print_left(const struct page *page)
{
    cost_t self = 0;
    uint64_t functions = 0, invocations = 0;
    for (size_t i = 0; i < page->view->all; i++) {
        const struct view_row *row = &page->view->rows[i];
        if (page->place_of[row->number] != NONE)
            continue;
        functions++;
        cost_add(&self, row->self);
        count_add(&invocations, row->invocations);
    }
    fprintf(page->stream, "\"left\":{\"functions\":%" PRIu64 ",\"self\":%" PRId64 ",\"invocations\":%" PRIu64 "},\n",
            functions, self, invocations);
}

static void print_data(const struct page *page, const struct cg2wg_view *options)
{
    static const char *const orders[] = {[CG2WG_BY_SELF] = "self",
                                         [CG2WG_BY_INCLUSIVE] = "inclusive",
                                         [CG2WG_BY_INVOCATIONS] = "invocations",
                                         [CG2WG_BY_NAME] = "name",
                                         [CG2WG_BY_PLACE] = "self"};
    static const char *const counts[] = {[COUNTS_CALLS] = "calls",
                                         [COUNTS_SAMPLES] = "samples",
                                         [COUNTS_NOTHING] = "nothing"};
    static const char *const units[] = {[QUANTITY_NUMBER] = "", [QUANTITY_TIME] = "time", [QUANTITY_BYTES] = "bytes"};
    const struct shown *shown = page->shown;
    const struct view *view = page->view;
    struct quantity quantity = quantity_of(shown->event);
    fputs("{\n", page->stream);
    print_member(page->stream, "title", last_header(page, "cmd"));
    print_member(page->stream, "creator", last_header(page, "creator"));
    print_member(page->stream, "event", shown->event);
    fprintf(page->stream, "\"unit\":\"%s\",\n\"factor\":%" PRIu64 ",\n",
            units[options->raw ? QUANTITY_NUMBER : quantity.kind], quantity.factor);
    fprintf(page->stream, "\"total\":%.0f,\n\"percent_of\":%.0f,\n\"runs\":%u,\n", view->stated, view->total,
            shown->summaries);
    fprintf(page->stream, "\"counts\":\"%s\",\n\"limit\":%.10g,\n\"frame_limit\":%.10g,\n\"negative_stacks\":%zu,\n",
            counts[view->counts], page->limit, page->frame_limit, page->negative_stacks);
    fprintf(page->stream, "\"chosen\":%d,\n\"sort\":\"%s\",\n",
            options->only.count > 0 || options->hide.count > 0 || options->top > 0, orders[options->order]);
    print_left(page);
    fputs("\"functions\":[", page->stream);
    print_functions(page);
    fputs("],\n\"stacks\":[", page->stream);
    print_frames(page);
    fputs("]}\n", page->stream);
}

/* ---- HTML --------------------------------------------------------------------------------- */

/* The hash of a text as a content security policy has it. */
static void print_hash(FILE *stream, struct text t)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char hash[SHA256_SIZE + 1] = {0};
    sha256(t, hash);
    for (int i = 0; i < SHA256_SIZE; i += 3) {
        unsigned bits = (unsigned)hash[i] << 16 | (unsigned)hash[i + 1] << 8 | (i + 2 < SHA256_SIZE ? hash[i + 2] : 0);
        for (int shift = 18; shift >= 0; shift -= 6)
            fputc(i + 2 >= SHA256_SIZE && shift == 0 ? '=' : digit[bits >> shift & 63], stream);
    }
}

static void print_text(FILE *stream, struct text t)
{
    fwrite(t.at, 1, text_length(t), stream);
}

/* Prints page.html; what is in braces is replaced. */
static void print_html(const struct page *page, const struct cg2wg_view *options)
{
    struct text rest = page_html;
    while (!text_is_empty(rest)) {
        print_text(page->stream, text_take_to(&rest, '{'));
        struct text name = text_take_to(&rest, '}');
        if (text_equals(name, "style"))
            print_text(page->stream, page_css);
        else if (text_equals(name, "style-hash"))
            print_hash(page->stream, page_css);
        else if (text_equals(name, "script"))
            print_text(page->stream, page_js);
        else if (text_equals(name, "script-hash"))
            print_hash(page->stream, page_js);
        else if (text_equals(name, "version"))
            fputs(CG2WG_VERSION, page->stream);
        else if (text_equals(name, "data"))
            print_data(page, options);
    }
}

void print_page(FILE *stream, const struct cg2wg_view *options, struct shown *shown, struct view *view)
{
    const struct profile *profile = &shown->profile;
    bool is_limited = options->min >= 0 && (view->total > 0 || options->min == 0);
    double limit = is_limited ? options->min : 0;
    struct page page = {.stream = stream, .shown = shown, .view = view, .limit = limit, .frame_limit = limit};
    uint64_t frame_room = MOST_FRAMES;
    if (shown->has_contexts)
        make_stacks(&page, is_limited ? NULL : &frame_room);
    if (!is_limited)
        page.limit = function_limit(&page, MOST_DATA - MOST_FRAMES + frame_room);
    choose_functions(&page, view);
    choose_frames(&page);
    arc_lists_init(&page.lists, profile->arcs, profile->arc_count, profile->function_count);
    print_html(&page, options);
}

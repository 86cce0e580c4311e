/*
 * A page of HTML is made of the files in src/view/page; its data are JSON, in columns, which page.js describes.
 * They are in a block that no browser executes, and `<` is escaped in them, so that no name can end it.
 *
 * Without --min, functions with the smallest costs are left out, too, to keep the page below 5 MB. Calls below
 * the same limit are left out and added up.
 */
#include "view/print.h"

#include "view/page_parts.h"
#include "view/stack_tree.h"
#include "util/names.h"
#include "util/sha256.h"
#include "util/run.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

/*
 * Bytes of the data: what a page of 5 MB has room for, and frames among it; what the numbers of a
 * function, of its left out calls, of an arc and of a frame take besides their digits.
 */
enum { MOST_DATA = 4800000, MOST_FRAMES = 1500000, MOST_TEXT = 16384, FUNCTION_SIZE = 60, ARC_SIZE = 4,
       FRAME_SIZE = 4 };

/*
 * Limits are chosen from 0 and the numbers of two digits, in percent: 0.0000010, 0.0000011 and so on up
 * to 990. No cost reaches the last one.
 */
enum { LIMITS_A_DECADE = 90, DECADES = 9, LIMIT_COUNT = LIMITS_A_DECADE * DECADES + 2 };

static const double last_limit = 1e12;

/* A function of the page. */
struct page_function {
    struct view_row row;
    uint32_t file; /* its number in page.files; once they are printed, its place among those of the entries */
    uint32_t callees;
};

/* A call arc; caller and callee are places of functions in the page. */
struct entry_arc {
    uint32_t caller, callee, line;
    uint64_t count;
    cost_t cost;
};

/* The calls of a function, or to it, that were left out. */
struct rest {
    uint64_t count;
    cost_t cost;
};

/* A node of the tree of stacks, without negative self costs; the first one stands for all of them. */
struct page_frame {
    uint32_t parent, entry; /* places; the latter plus 1, or 0: it is left out */
    cost_t total, self;
};

struct page {
    FILE *stream;
    struct shown *shown;
    const struct view *view;
    struct stack_tree tree; /* of functions; empty: stacks are unknown */
    double limit, frame_limit; /* in percent of the view's total */
    struct names files;
    uint32_t *file_of;     /* each row of the view; a number in `files` */
    uint32_t *place_of;    /* each function of the input; a place among the entries, or NONE */
    struct page_function *entries; /* in the order of names */
    size_t entry_count;
    struct entry_arc *arcs; /* in the order of callers, and callees */
    size_t arc_count;
    uint32_t *file_places; /* each of `files`; its place among those of the entries, or NONE */
    struct rest *callers, *callees; /* of each entry */
    struct page_frame *frames;
    size_t frame_count, negative_stacks;
    bool is_raw; /* costs are numbers for people, too */
};

/* ---- what is in the page ------------------------------------------------------------------ */

static bool reaches(const struct page *page, double cost, double limit)
{
    return limit == 0 || (page->view->total > 0 && cost * 100 >= limit * page->view->total);
}

static double weight_of(const struct view_row *row)
{
    return (double)(row->self > row->inclusive ? row->self : row->inclusive);
}

static void make_limits(double limits[LIMIT_COUNT])
{
    double power = 1e7; /* divides; powers of ten above 1 are exact */
    limits[0] = 0;
    for (size_t i = 0; i < LIMIT_COUNT - 2; i++) {
        limits[i + 1] = (10 + (double)(i % LIMITS_A_DECADE)) / power;
        power /= i % LIMITS_A_DECADE == LIMITS_A_DECADE - 1 ? 10 : 1;
    }
    limits[LIMIT_COUNT - 1] = last_limit;
}

/* The sizes of everything, each added to that of the highest limit that its cost reaches. */
struct weights {
    double limits[LIMIT_COUNT];
    uint64_t bytes[LIMIT_COUNT];
};

static void weigh(const struct page *page, struct weights *weights, double cost, size_t size)
{
    size_t low = 0, high = LIMIT_COUNT;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (reaches(page, cost, weights->limits[middle]))
            low = middle;
        else
            high = middle;
    }
    weights->bytes[low] += size;
}

/* A text as it is in the page. Names are shorter; header lines need not be. */
static struct text shortened(struct text t)
{
    return text_length(t) > MOST_TEXT ? text_of(t.at, MOST_TEXT) : t;
}

static size_t digits(int64_t number)
{
    size_t count = number < 0 ? 2 : 1;
    for (; number >= 10 || number <= -10; number /= 10)
        count++;
    return count;
}

/* The smallest limit with which the data take at most *most bytes, which it takes from *most. */
static double choose_limit(const struct weights *weights, uint64_t *most)
{
    size_t i = LIMIT_COUNT - 1;
    for (; i > 0 && weights->bytes[i - 1] <= *most; i--)
        *most -= weights->bytes[i - 1];
    return weights->limits[i];
}

static void find_limit(struct page *page, uint64_t room)
{
    const struct profile *profile = &page->shown->profile;
    struct weights weights = {.bytes = {0}};
    double *most = memory_zeroed(page->files.count, sizeof *most); /* the largest cost of each file */
    make_limits(weights.limits);
    for (size_t i = 0; i < page->view->count; i++) {
        const struct view_row *row = &page->view->rows[i];
        double cost = weight_of(row), *file = &most[page->file_of[i]];
        *file = *file < cost ? cost : *file;
        weigh(page, &weights, cost,
              json_string_size(shortened(row->name), true) + 1 + digits(row->line) + digits(row->self) + digits(row->inclusive) +
                  digits((int64_t)row->invocations) + FUNCTION_SIZE);
    }
    for (uint32_t i = 0; i < page->files.count; i++)
        weigh(page, &weights, most[i], json_string_size(shortened(names_text(&page->files, i)), true) + 1);
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[i];
        weigh(page, &weights, (double)arc->cost,
              digits((int64_t)page->view->all) + digits(arc->line) + digits((int64_t)arc->count) + digits(arc->cost) +
                  ARC_SIZE);
    }
    memory_free(most);
    page->limit = choose_limit(&weights, &room);
}

/* Adds up the costs of stacks. Negative ones are left out, as --print=stacks does. */
static void add_up_frames(struct page *page)
{
    const struct stack_tree *tree = &page->tree;
    page->frames = memory_zeroed(tree->count + 1, sizeof *page->frames); /* of all nodes at first */
    for (size_t i = tree->count; i-- > 0;) {
        const struct stack_node *node = &tree->nodes[i];
        struct page_frame *frame = &page->frames[i + 1];
        frame->parent = node->parent != NONE ? node->parent + 1 : 0;
        frame->entry = node->name;
        frame->self = node->self > 0 ? node->self : 0;
        cost_add(&frame->total, frame->self);
        cost_add(&page->frames[frame->parent].total, frame->total);
        page->negative_stacks += node->self < 0;
    }
}

static void find_frame_limit(struct page *page, uint64_t *room)
{
    struct weights weights = {.bytes = {0}};
    make_limits(weights.limits);
    for (size_t i = 0; i <= page->tree.count; i++) {
        const struct page_frame *frame = &page->frames[i];
        weigh(page, &weights, (double)frame->total,
              digits((int64_t)page->tree.count) + digits((int64_t)page->view->all) + digits(frame->total) +
                  digits(frame->self) + FRAME_SIZE);
    }
    page->frame_limit = choose_limit(&weights, room);
}

/* Leaves out those below the limit. */
static void choose_frames(struct page *page)
{
    uint32_t *places = memory_zeroed(page->tree.count + 1, sizeof *places);
    page->frame_count = 1;
    for (size_t i = 1; i <= page->tree.count; i++) {
        struct page_frame frame = page->frames[i];
        places[i] = NONE;
        if (places[frame.parent] == NONE || frame.total == 0 ||
            !reaches(page, (double)frame.total, page->frame_limit))
            continue;
        bool is_known = frame.entry < page->view->all && page->place_of[frame.entry] != NONE;
        frame.entry = is_known ? page->place_of[frame.entry] + 1 : 0;
        frame.parent = places[frame.parent];
        places[i] = (uint32_t)page->frame_count;
        page->frames[page->frame_count++] = frame;
    }
    memory_free(places);
}

/* By name, as --sort=name has them. */
static int compare_entries(const void *left, const void *right)
{
    const struct page_function *a = left, *b = right;
    int order = text_compare(a->row.name, b->row.name);
    return order != 0 ? order : (a->row.number > b->row.number) - (a->row.number < b->row.number);
}

static int compare_arcs(const void *left, const void *right)
{
    const struct entry_arc *a = left, *b = right;
    int order = (a->caller > b->caller) - (a->caller < b->caller);
    order = order != 0 ? order : (a->callee > b->callee) - (a->callee < b->callee);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static void choose_entries(struct page *page)
{
    for (size_t i = 0; i < page->view->all; i++)
        page->place_of[i] = NONE;
    for (size_t i = 0; i < page->view->count; i++)
        if (reaches(page, weight_of(&page->view->rows[i]), page->limit))
            page->entries[page->entry_count++] =
                (struct page_function){page->view->rows[i], page->file_of[i], 0};
    qsort(page->entries, page->entry_count, sizeof *page->entries, compare_entries);
    for (size_t i = 0; i < page->entry_count; i++)
        page->place_of[page->entries[i].row.number] = (uint32_t)i;
}

static void leave_out(struct rest *rests, uint32_t place, const struct arc *arc)
{
    if (place == NONE)
        return;
    rests[place].count += arc->count;
    cost_add(&rests[place].cost, arc->cost);
}

static void choose_arcs(struct page *page)
{
    const struct profile *profile = &page->shown->profile;
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[i];
        uint32_t caller = page->place_of[arc->caller], callee = page->place_of[arc->callee];
        if (caller != NONE && callee != NONE && reaches(page, (double)arc->cost, page->limit)) {
            page->arcs[page->arc_count++] =
                (struct entry_arc){caller, callee, arc->line, arc->count, arc->cost};
            page->entries[caller].callees++;
        } else {
            leave_out(page->callees, caller, arc);
            leave_out(page->callers, callee, arc);
        }
    }
    qsort(page->arcs, page->arc_count, sizeof *page->arcs, compare_arcs);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void print_string(const struct page *page, struct text t)
{
    json_string(page->stream, shortened(t), true);
}

static void print_names(const struct page *page)
{
    fputs(",\n\"name\":[", page->stream);
    for (size_t i = 0; i < page->entry_count; i++) {
        fputs(i > 0 ? "," : "", page->stream);
        print_string(page, page->entries[i].row.name);
    }
    fputs("]", page->stream);
}

/* Those of the entries, which are renumbered in the order of their first entries. */
static void print_files(struct page *page)
{
    uint32_t count = 0;
    for (size_t i = 0; i < page->files.count; i++)
        page->file_places[i] = NONE;
    fputs(",\n\"files\":[", page->stream);
    for (size_t i = 0; i < page->entry_count; i++) {
        uint32_t *file = &page->entries[i].file, *place = &page->file_places[*file];
        if (*place == NONE) {
            fputs(count > 0 ? "," : "", page->stream);
            print_string(page, names_text(&page->files, *file));
            *place = count++;
        }
        *file = *place;
    }
    fputs("]", page->stream);
}

/* A field, of 32 or 64 bits, of all rows of an array. */
struct page_column {
    const char *name;
    const void *rows;
    size_t count, row_size, offset, size;
};

#define COLUMN(name, rows, count, type, field) \
    {name, rows, count, sizeof(type), offsetof(type, field), sizeof((type *)NULL)->field}

static void print_column(FILE *stream, const struct page_column *column)
{
    char text[TABLE_CELL];
    fprintf(stream, ",\n\"%s\":[", column->name);
    for (size_t i = 0; i < column->count; i++) {
        const void *at = (const char *)column->rows + i * column->row_size + column->offset;
        int64_t number = column->size == sizeof(uint32_t) ? *(const uint32_t *)at : *(const int64_t *)at;
        fputs(i > 0 ? "," : "", stream);
        fputs(table_signed(text, 0, number), stream);
    }
    fputs("]", stream);
}

static void print_columns(const struct page *page)
{
    const struct page_column columns[] = {
        COLUMN("file", page->entries, page->entry_count, struct page_function, file),
        COLUMN("line", page->entries, page->entry_count, struct page_function, row.line),
        COLUMN("self", page->entries, page->entry_count, struct page_function, row.self),
        COLUMN("inclusive", page->entries, page->entry_count, struct page_function, row.inclusive),
        COLUMN("invocations", page->entries, page->entry_count, struct page_function, row.invocations),
        COLUMN("callees", page->entries, page->entry_count, struct page_function, callees),
        COLUMN("callee", page->arcs, page->arc_count, struct entry_arc, callee),
        COLUMN("at", page->arcs, page->arc_count, struct entry_arc, line),
        COLUMN("count", page->arcs, page->arc_count, struct entry_arc, count),
        COLUMN("cost", page->arcs, page->arc_count, struct entry_arc, cost),
        COLUMN("frame_parent", page->frames, page->frame_count, struct page_frame, parent),
        COLUMN("frame_entry", page->frames, page->frame_count, struct page_frame, entry),
        COLUMN("frame_total", page->frames, page->frame_count, struct page_frame, total),
        COLUMN("frame_self", page->frames, page->frame_count, struct page_frame, self),
    };
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        print_column(page->stream, &columns[i]);
}

/* The entry, the number of calls and their cost, one after the other. */
static void print_rests(const struct page *page, const char *name, const struct rest *rests)
{
    const char *separator = "";
    fprintf(page->stream, ",\n\"%s\":[", name);
    for (size_t i = 0; i < page->entry_count; i++) {
        if (rests[i].count == 0 && rests[i].cost == 0)
            continue;
        fprintf(page->stream, "%s%zu,%" PRIu64 ",%" PRIu64, separator, i, rests[i].count, rests[i].cost);
        separator = ",";
    }
    fputs("]", page->stream);
}

/* The last header line of a key, which is the one that webgrind shows. */
static struct text last_header(const struct page *page, const char *wanted)
{
    struct text rest = page->shown->headers, key, value, last = text_of("", 0);
    while (preprocessed_next_header(&rest, &key, &value))
        if (text_equals(key, wanted))
            last = text_trim(value);
    return last;
}

/* The event, and what the script makes of its costs for people. */
static void print_event(const struct page *page)
{
    static const char *const kinds[] = {"", "time", "bytes"};
    struct text event = last_header(page, "events");
    event = text_take_word(&event);
    struct quantity quantity = quantity_of(event);
    fputs(",\n\"event\":", page->stream);
    print_string(page, event);
    fprintf(page->stream, ",\n\"unit\":\"%s\",\n\"factor\":%" PRIu64,
            kinds[page->is_raw ? QUANTITY_NUMBER : quantity.kind], quantity.factor);
}

static void print_left(const struct page *page)
{
    cost_t self = 0;
    uint64_t invocations = 0;
    for (size_t i = 0; i < page->view->all; i++) {
        const struct view_row *row = &page->view->rows[i];
        bool is_left_out = page->place_of[row->number] == NONE;
        cost_add(&self, is_left_out ? row->self : 0);
        count_add(&invocations, is_left_out ? row->invocations : 0);
    }
    fprintf(page->stream,
            ",\n\"left\":{\"functions\":%zu,\"self\":%" PRId64 ",\"invocations\":%" PRIu64 "}",
            page->view->all - page->entry_count, self, invocations);
    print_rests(page, "left_callers", page->callers);
    print_rests(page, "left_callees", page->callees);
}

static void print_data(struct page *page, const struct cg2wg_view *options)
{
    static const char *const orders[] = {[CG2WG_BY_SELF] = "self",
                                         [CG2WG_BY_INCLUSIVE] = "inclusive",
                                         [CG2WG_BY_INVOCATIONS] = "invocations",
                                         [CG2WG_BY_NAME] = "name",
                                         [CG2WG_BY_PLACE] = "self"};
    static const char *const counts[] = {[COUNTS_CALLS] = "calls", [COUNTS_SAMPLES] = "samples", [COUNTS_NOTHING] = "nothing"};
    bool is_chosen = options->only.count > 0 || options->hide.count > 0 || options->top > 0;
    fputs("{\n\"title\":", page->stream);
    print_string(page, last_header(page, "cmd"));
    fputs(",\n\"creator\":", page->stream);
    print_string(page, last_header(page, "creator"));
    print_event(page);
    fprintf(page->stream, ",\n\"total\":%.0f,\n\"percent_of\":%.0f,\n\"runs\":%u,\n\"counts\":\"%s\",\n\"limit\":%.10g,\n\"frame_limit\":%.10g,"
            "\n\"negative_stacks\":%zu,\n\"chosen\":%d,\n\"sort\":\"%s\"",
            page->view->stated, page->view->total, page->shown->summaries, counts[page->view->counts], page->limit, page->frame_limit,
            page->negative_stacks, is_chosen, orders[options->order]);
    print_names(page);
    print_files(page);
    print_columns(page);
    print_left(page);
    fputs("}\n", page->stream);
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

/* Prints page.html; what is in double braces is replaced. */
static void print_html(struct page *page, const struct cg2wg_view *options)
{
    struct text rest = page_html;
    for (;;) {
        const char *open = rest.at;
        while (open < rest.end && !(open[0] == '{' && open + 1 < rest.end && open[1] == '{'))
            open++;
        print_text(page->stream, (struct text){rest.at, open});
        if (open == rest.end)
            return;
        struct text name = {open + 2, memchr(open, '}', (size_t)(rest.end - open))};
        rest.at = name.end + 2;
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
        else
            print_data(page, options);
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

static void prepare(struct page *page, const struct cg2wg_view *options)
{
    size_t count = page->view->all + 1;
    bool has_stacks = page->shown->has_contexts;
    page->file_of = memory_zeroed(count, sizeof *page->file_of);
    page->place_of = memory_zeroed(count, sizeof *page->place_of);
    page->entries = memory_zeroed(count, sizeof *page->entries);
    page->arcs = memory_zeroed(page->shown->profile.arc_count + 1, sizeof *page->arcs);
    page->callers = memory_zeroed(count, sizeof *page->callers);
    page->callees = memory_zeroed(count, sizeof *page->callees);
    names_init(&page->files);
    for (size_t i = 0; i < page->view->count; i++)
        page->file_of[i] = names_intern(&page->files, page->view->rows[i].file);
    page->file_places = memory_zeroed(page->files.count, sizeof *page->file_places);
    bool is_limited = options->min >= 0 && (page->view->total > 0 || options->min == 0);
    page->limit = page->frame_limit = is_limited ? options->min : 0;
    uint64_t frame_room = MOST_FRAMES;
    if (has_stacks) {
        stack_tree_init(&page->tree, &page->shown->contexts, NULL, (uint32_t)page->view->all);
        add_up_frames(page);
    }
    if (has_stacks && !is_limited)
        find_frame_limit(page, &frame_room);
    if (!is_limited)
        find_limit(page, MOST_DATA - MOST_FRAMES + frame_room);
    choose_entries(page);
    choose_arcs(page);
    if (has_stacks)
        choose_frames(page);
}

void print_page(FILE *stream, const struct cg2wg_view *options, struct shown *shown, const struct view *view)
{
    struct page page = {.stream = stream, .shown = shown, .view = view, .is_raw = options->raw};
    prepare(&page, options);
    print_html(&page, options);
}

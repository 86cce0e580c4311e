/* SPDX-License-Identifier: MIT */
#include "styles.h"

#include "model/groups.h"

#define CHOICE (CG2WG_TAKES_ROWS | CG2WG_TAKES_TOP | CG2WG_TAKES_MIN | CG2WG_TAKES_LOOKS)
#define ROWS (CHOICE | CG2WG_TAKES_ORDER)
#define COMPARED_ROWS (ROWS | CG2WG_TAKES_BASE | CG2WG_TAKES_FUNCTIONS)
#define TABLES (COMPARED_ROWS | CG2WG_TAKES_GROUP)
#define STACKS (CG2WG_TAKES_GROUP | CG2WG_TAKES_ESTIMATE)

enum {
    WANTS_ROWS = WANTS_STORED | WANTS_ALLOCATED | WANTS_OUTERMOST | WANTS_SHOWN_LINES,
    WANTS_STACKS = WANTS_CONTEXTS | NEEDS_CONTEXTS | WANTS_ALLOCATED,
    WANTS_SHOWN_STACKS = WANTS_STORED | WANTS_CONTEXTS | WANTS_ESTIMATE | WANTS_ALLOCATED, /* estimated, for people */
    WANTS_HEAD = WANTS_ROWS | SAYS_TOTALS
};

/* All members have to be given. */
#define STYLE(word, endings, takes, kind, pattern, wants, print) \
    { \
        {word, endings, takes}, kind, pattern, wants, print \
    }

static const struct style styles[] = {
    [CG2WG_TABLE] = STYLE("table", ".txt", TABLES | CG2WG_TAKES_SOURCE, "a table by cg2wg", "*total:   *",
                          WANTS_HEAD | WANTS_SIZES, print_rows),
    [CG2WG_JSON] = STYLE("json", ".json", TABLES | CG2WG_TAKES_LINES, "JSON by cg2wg",
                         "{\n  *\"event\": *\"unit\": *\"divisor\": *", WANTS_ROWS | WANTS_SIZES | WANTS_STORED_CALLS,
                         print_rows),
    [CG2WG_PLOT] = STYLE("plot", "", ROWS, "a plot by cg2wg", "*total:   *", WANTS_HEAD | WANTS_SIZES, print_rows),
    [CG2WG_STACKS] = STYLE("stacks", ".folded", STACKS | CG2WG_TAKES_BASE, "collapsed stacks", "*", WANTS_STACKS,
                           print_stacks),
    [CG2WG_PAGE] = STYLE(
        "html", ".html .htm", TABLES | CG2WG_TAKES_LINES | CG2WG_TAKES_SOURCE | CG2WG_TAKES_LINK | CG2WG_IS_BINARY,
        "a page by cg2wg", "<!DOCTYPE html>*<meta name=\"generator\" content=\"cg2wg *",
        WANTS_HEAD | WANTS_OWN_LINES | WANTS_CONTEXTS | WANTS_ESTIMATE | WANTS_TIMELINE | WANTS_CALLS | WANTS_PARTS,
        print_rows),
    [CG2WG_PPROF] = STYLE("pprof", ".pb", CG2WG_TAKES_ESTIMATE | CG2WG_TAKES_LINES | CG2WG_IS_BINARY,
                          "a profile for pprof", "\n?\b*\020*",
                          WANTS_ROWS | WANTS_SIZES | WANTS_OWN_LINES | WANTS_LINES_OF_STACKS | WANTS_CONTEXTS,
                          print_pprof),
    [CG2WG_LINES] = STYLE("lines", "", COMPARED_ROWS | CG2WG_TAKES_SOURCE, "a table of lines by cg2wg", "*total:   *",
                          WANTS_HEAD, print_rows),
    [CG2WG_TREE] = STYLE("tree", "", STACKS | CG2WG_TAKES_DEPTH | CG2WG_TAKES_TOP | CG2WG_TAKES_MIN | CG2WG_TAKES_LOOKS,
                         "a tree by cg2wg", "*at least * % of the total\n\n*", WANTS_SHOWN_STACKS, print_tree),
    [CG2WG_PICTURE] = STYLE("svg", ".svg",
                            STACKS | CG2WG_TAKES_BASE | CG2WG_TAKES_DEPTH | CG2WG_TAKES_MIN | CG2WG_TAKES_LOOKS,
                            "a picture by cg2wg", "<svg xmlns=*font-family=\"monospace\" font-size=\"12\">*",
                            WANTS_SHOWN_STACKS, print_picture),
    [CG2WG_CSV] = STYLE("csv", ".csv", TABLES, "CSV by cg2wg", "name,*,line,object,*\r\n*", WANTS_ROWS | WANTS_SIZES,
                        print_rows),
    [CG2WG_CALLGRIND] = STYLE("callgrind", ".callgrind", 0, "a callgrind file by cg2wg",
                              "# callgrind format\nversion: 1\ncreator: cg2wg *",
                              WANTS_STORED | WANTS_LINES | WANTS_ALL_EVENTS, print_callgrind),
    [CG2WG_DOT] = STYLE("dot", ".dot .gv", CHOICE | CG2WG_TAKES_BASE | CG2WG_TAKES_GROUP, "a call graph by cg2wg",
                        "digraph \"cg2wg\" {\n*", WANTS_ROWS, print_dot),
    [CG2WG_MARKDOWN] = STYLE("markdown", ".md", TABLES, "a table in Markdown by cg2wg", "Total: *\n\n| *", WANTS_HEAD,
                             print_rows),
};

_Static_assert(COUNT_OF(styles) == CG2WG_MARKDOWN + 1, "each style has a row");

const struct style *style_of(enum cg2wg_style style)
{
    return (size_t)style < COUNT_OF(styles) ? &styles[style] : NULL;
}

const struct cg2wg_style_facts *cg2wg_style_about(enum cg2wg_style style)
{
    const struct style *found = style_of(style);
    return found != NULL ? &found->facts : NULL;
}

unsigned style_wants(const struct cg2wg_view *view)
{
    unsigned wants = style_of(view->style)->wants;
    bool has_groups = group_is_of_functions(view->group), is_by_line = view->group == CG2WG_GROUP_LINE;
    bool has_functions = view->functions.count > 0;
    if (view->base != NULL || has_functions || view->group != CG2WG_GROUP_FUNCTION)
        wants &= ~(unsigned)WANTS_SIZES;
    if (view->base != NULL)
        wants &= ~(unsigned)(WANTS_TIMELINE | WANTS_CALLS);
    bool are_parts = view->group >= CG2WG_GROUP_RUN;
    if (are_parts)
        wants &= ~(unsigned)WANTS_STORED;
    if (view->base != NULL || is_by_line || are_parts)
        wants &= ~(unsigned)WANTS_STORED_CALLS;
    else if (has_functions)
        wants |= WANTS_STORED_CALLS;
    if (view->estimate && (wants & NEEDS_CONTEXTS) != 0)
        wants = (wants & ~(unsigned)NEEDS_CONTEXTS) | WANTS_STORED;
    return wants | (view->order == CG2WG_BY_TIME ? WANTS_TIMELINE : 0) | (view->estimate ? WANTS_ESTIMATE : 0) |
           (has_groups || are_parts ? WANTS_CONTEXTS : 0) |
           ((wants & WANTS_STORED_CALLS) != 0 && !has_groups ? WANTS_CALL_FILES : 0) |
           (view->has_lines || view->source_count > 0 || is_by_line ? WANTS_LINES : 0);
}

bool style_begins(enum cg2wg_style style, struct text head)
{
    static const char *const heads[] = {"cmd:     ", "creator: ", "events:  ", "format:  ", "base:    ", "total:   "};
    bool is_table = style == CG2WG_TABLE || style == CG2WG_PLOT || style == CG2WG_LINES, is_headed = !is_table;
    bool are_stacks = style == CG2WG_STACKS;
    for (size_t i = 0; i < COUNT_OF(heads); i++)
        is_headed |= text_starts(head, heads[i]);
    bool begins = is_headed && text_matches(head, styles[style].pattern, false) &&
                  !(is_table && text_matches(head, "*\nf?=*", false)); /* a profile with a line `total:` */
    if (begins && style == CG2WG_PPROF) { /* one type of samples; most others write several, such as Go */
        size_t next = 2 + (size_t)(unsigned char)head.at[1];
        begins = text_length(head) > next && head.at[next] != '\n';
    }
    if (begins && are_stacks && !text_is_empty(head)) /* many texts have lines that end in a number */
        begins = memchr(head.at, ';', text_length(head)) != NULL;
    while (begins && are_stacks && !text_is_empty(head)) { /* lines `FRAME;FRAME COUNT`; the last may go on */
        struct text line = text_take_to(&head, '\n'), number = line;
        bool is_whole = line.end < head.end;
        while (!text_is_empty(line) && char_is_digit(line.end[-1]))
            line.end--;
        number.at = line.end;
        begins = !is_whole || (!text_is_empty(number) && text_ends(line, " "));
    }
    return begins;
}

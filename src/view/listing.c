/* SPDX-License-Identifier: MIT */
#include "view/code.h"

#include "util/show.h"

#include <inttypes.h>

/* The most bytes of a line of code that are shown. */
enum { MOST_TEXT = 1000, TAB = 8 };

void listing_init(struct listing *l, const struct table *table, const struct cg2wg_view *options,
                  struct contents *shown, const struct view *functions)
{
    *l = (struct listing){.view = *functions, .code = {.options = options, .shown = shown}};
    l->view.is_by_line = true;
    ordered_lines_init(&l->lines, &shown->profile);
    table_init(&l->table, table->stream, options, view_columns(&l->view), shown->facts.event);
    l->calls = l->table; /* of the same widths */
    l->calls.columns = view_columns(&l->view);
    for (struct column *c = l->calls.columns.all; c < l->calls.columns.all + l->calls.columns.count; c++)
        c->value = c->what == SELF ? NULL : c->value;
}

/* Prints the end of a line, after its costs: its number, and its code with blanks in place of tabs. */
static void print_code(struct listing *l, size_t used, const struct code_file *file, uint32_t number)
{
    char text[MOST_TEXT + TAB];
    FILE *stream = l->table.stream;
    size_t length = 0;
    struct text code = file != NULL ? code_text(file, number) : text_of("", 0);
    for (; !text_is_empty(code) && length < MOST_TEXT; code.at++)
        do
            text[length++] = *code.at == '\t' ? ' ' : *code.at;
        while (*code.at == '\t' && length % TAB != 0);
    view_check_size(stream, l->code.shown, "lines of code", CG2WG_MEMBER_TOP);
    if (number > 0)
        fprintf(stream, "%8" PRIu32, number);
    else
        fprintf(stream, "%8s", "?");
    if (file != NULL && number > file->line_count)
        fprintf(stream, "  (the file has %zu lines)", file->line_count);
    else if (length > 0)
        fputs("  ", stream);
    table_print_text(stream, l->table.room, used + 10, text_of(text, length));
    fputs(text_is_empty(code) ? "\n" : ELLIPSIS "\n", stream);
}

/* Prints the lines of a file, from *next on, which it advances; `end` is that of the function's. */
static void print_file(struct listing *l, size_t *next, size_t end)
{
    const struct profile *profile = &l->code.shown->profile;
    struct text name = names_text(&profile->names, l->lines.all[*next].file);
    const struct code_file *file = code_find(&l->code, l->lines.all[*next].file);
    FILE *stream = l->table.stream;
    struct code_line line;
    uint32_t last = 0; /* line that was printed */
    fputs("\n", stream);
    size_t used = table_print(&l->table, NULL);
    fputs("    line  ", stream);
    show_plain(stream, text_is_empty(name) ? text_of_string("???") : name);
    fputs(file == NULL ? " (not found)\n" : "\n", stream);
    for (uint32_t first = l->lines.all[*next].file; *next < end && l->lines.all[*next].file == first;) {
        ordered_lines_take(&l->lines, profile->lines, next, end, &line);
        struct view_row row = {.measures = {[SELF] = line.self, [INCLUSIVE] = line.calls}};
        for (uint32_t i = last + 1; last > 0 && file != NULL && i < line.line && i <= file->line_count; i++)
            if (i > last + CODE_BESIDE && i + CODE_BESIDE < line.line) {
                fprintf(stream, "%*s%8s\n", (int)used, "", "...");
                i = line.line - CODE_BESIDE - 1;
            } else {
                fprintf(stream, "%*s", (int)used, "");
                print_code(l, used, file, i);
            }
        print_code(l, table_print(&l->table, &row), file, line.line);
        for (size_t i = line.first; i < line.end; i++) { /* what it calls, as in `=> helper (3x)  (main.c:20)` */
            const struct ordered_line *call = &l->lines.all[i];
            char count[TABLE_CELL];
            if (call->callee == NONE)
                continue;
            const struct view_row *callee = &l->view.rows[call->callee];
            row = (struct view_row){.measures = {[INCLUSIVE] = profile->lines->costs[call->row]}};
            size_t before = table_print(&l->calls, &row) + strlen("            => x ");
            table_number(count, l->table.room, profile->lines->rows[call->row].calls);
            fprintf(stream, "            => %sx ", count);
            table_print_name(stream, l->table.room, before + strlen(count), callee->name, callee->file, callee->line);
            fputc('\n', stream);
        }
        last = line.line;
    }
}

void listing_print_line(struct listing *l, size_t used, const struct view_row *row)
{
    const struct code_file *file = row->line > 0 ? code_find(&l->code, row->texts[CG2WG_GROUP_FILE]) : NULL;
    if (file == NULL)
        return;
    fprintf(l->table.stream, "%*s", (int)used, "");
    print_code(l, used, file, row->line);
}

void listing_print(struct listing *l, uint32_t function)
{
    uint32_t own = l->code.shown->profile.functions[function].file;
    size_t end = l->lines.start[function + 1];
    struct code_line line;
    for (size_t next = l->lines.start[function];
         ordered_lines_take(&l->lines, l->code.shown->profile.lines, &next, end, &line);) {
        struct view_row row = {.measures = {[SELF] = line.self, [INCLUSIVE] = line.calls}};
        table_fit(&l->table, &row);
    }
    for (int is_other = 0; is_other <= 1; is_other++)
        for (size_t next = l->lines.start[function]; next < end;)
            if ((l->lines.all[next].file != own) == is_other)
                print_file(l, &next, end);
            else
                next++;
}

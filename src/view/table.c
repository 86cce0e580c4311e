#include "view/table.h"

#include "view/show.h"

#include <inttypes.h>

/* ---- cells -------------------------------------------------------------------------------- */

const char *table_number(char *text, size_t columns, uint64_t number)
{
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, number), used = 0;
    for (size_t i = 0; i < length; i++) {
        if (columns > 0 && i > 0 && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

const char *table_signed(char *text, size_t columns, int64_t number)
{
    text[0] = '-';
    table_number(text + (number < 0), columns, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
    return text;
}

const char *table_total(char *text, size_t columns, double total)
{
    if (total < 1e18)
        return table_number(text, columns, (uint64_t)(total + 0.5));
    snprintf(text, TABLE_CELL, "%.0f", total);
    return text;
}

void table_init(struct table *table, FILE *stream, size_t columns, const struct table_cells *headings,
                const int *usual, size_t count)
{
    *table = (struct table){.stream = stream, .columns = columns, .count = count};
    for (size_t i = 0; i < count; i++)
        table->widths[i] = columns == 0 ? usual[i] : usual[i] < 0 ? -1 : 1;
    table_fit(table, headings);
}

void table_set(const struct table *table, struct table_cells *cells, size_t cell, uint64_t number)
{
    table_number(cells->text[cell], table->columns, number);
}

void table_set_cost(const struct table *table, struct table_cells *cells, size_t cell, int64_t cost)
{
    if (cost < 0)
        snprintf(cells->text[cell], TABLE_CELL, "-");
    else
        table_set(table, cells, cell, (uint64_t)cost);
}

void table_set_percent(struct table_cells *cells, size_t cell, double cost, double total)
{
    if (total > 0)
        snprintf(cells->text[cell], TABLE_CELL, "%.2f", cost * 100 / total);
    else
        snprintf(cells->text[cell], TABLE_CELL, "-");
}

void table_fit(struct table *table, const struct table_cells *cells)
{
    if (table->columns == 0)
        return;
    for (size_t i = 0; i < table->count; i++) {
        int length = (int)strlen(cells->text[i]), sign = table->widths[i] < 0 ? -1 : 1;
        if (length > sign * table->widths[i])
            table->widths[i] = sign * length;
    }
}

size_t table_print(const struct table *table, const struct table_cells *cells)
{
    int used = fprintf(table->stream, "%*s", (int)table->indent, "");
    for (size_t i = 0; i < table->count; i++)
        used += fprintf(table->stream, "%s%*s", i > 0 ? " " : "", table->widths[i], cells->text[i]);
    return used > 0 ? (size_t)used : 0;
}

/* ---- names and paths ---------------------------------------------------------------------- */

void table_print_text(FILE *stream, size_t columns, size_t used, struct text t)
{
    size_t room = columns > used ? columns - used : 1;
    bool is_path = text_starts(t, "/") && memchr(t.at, ' ', text_length(t)) == NULL;
    show_shortened(stream, t, columns == 0 ? SIZE_MAX : room, is_path);
}

void table_print_name(FILE *stream, size_t columns, size_t used, struct text name, struct text file,
                       uint32_t line)
{
    enum { LEAST_NAME = 8, LEAST_PLACE = 16, AROUND = 4 }; /* columns; the last: "  (" and ")" */
    char number[16] = "";
    if (line > 0)
        snprintf(number, sizeof number, ":%" PRIu32, line);
    size_t name_width = columns > 0 ? show_columns(name) : SIZE_MAX;
    size_t file_width = columns > 0 ? show_columns(file) : SIZE_MAX;
    size_t around = AROUND + strlen(number);
    size_t room = columns > used + LEAST_NAME ? columns - used : LEAST_NAME;
    bool has_file = !text_is_empty(file);
    if (columns > 0 && !has_file) {
        name_width = name_width < room ? name_width : room;
    } else if (columns > 0 && name_width + around + file_width > room) {
        has_file = room >= around + LEAST_PLACE;
        room -= has_file ? around : 0;
        /* The name gets the larger part, unless the path needs less. */
        size_t most_file = has_file ? room * 2 / 5 : 0;
        if (file_width > most_file && name_width + most_file < room)
            most_file = room - name_width;
        file_width = file_width < most_file ? file_width : most_file;
        name_width = name_width < room - file_width ? name_width : room - file_width;
    }
    show_shortened(stream, name, name_width, false);
    if (has_file) {
        fputs("  (", stream);
        show_shortened(stream, file, file_width, true);
        fprintf(stream, "%s)", number);
    }
    fputc('\n', stream);
}

void table_print_function(const struct table *table, const struct table_cells *cells, struct text name,
                          struct text file, uint32_t line)
{
    size_t used = table_print(table, cells) + 2;
    fputs("  ", table->stream);
    table_print_name(table->stream, table->columns, used, name, file, line);
}

#include "view/table.h"

#include "model/units.h"
#include "util/show.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- cells -------------------------------------------------------------------------------- */

const char *table_number(char *text, size_t columns, uint64_t number)
{
    char digits[TABLE_CELL], *at = digits + sizeof digits - 1;
    *at = '\0';
    for (int count = 0; count == 0 || number > 0; count++, number /= 10) {
        if (columns > 0 && count > 0 && count % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + number % 10);
    }
    return memcpy(text, at, (size_t)(digits + sizeof digits - at));
}

const char *table_signed(char *text, size_t columns, int64_t number)
{
    text[0] = '-';
    table_number(text + (number < 0), columns, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
    return text;
}

struct quantity quantity_of(struct text event)
{
    struct unit unit = unit_of(event);
    bool is_memory = text_equals(unit.base, "Memory") || text_ends(unit.base, "bytes") || text_ends(unit.base, "(bytes)");
    return (struct quantity){unit.is_time ? QUANTITY_TIME : is_memory ? QUANTITY_BYTES : QUANTITY_NUMBER, unit.factor};
}

const char *table_total(char *text, size_t columns, struct quantity quantity, double total, double most)
{
    static const char *const units[2][5] = {{"ns", "\u00b5s", "ms", "s", "s"}, {"B", "KiB", "MiB", "GiB", "TiB"}};
    bool is_time = quantity.kind == QUANTITY_TIME;
    double step = is_time ? 1000 : 1024, size = total < 0 ? -total : total;
    int unit = 0, last = is_time ? 3 : 4;
    if (columns == 0 || quantity.kind == QUANTITY_NUMBER) {
        if (total > -1e18 && total < 1e18)
            return table_signed(text, columns, (int64_t)(total < 0 ? total - 0.5 : total + 0.5));
        snprintf(text, TABLE_CELL, "%.0f", total);
        return text;
    }
    for (most = (most < 0 ? -most : most) * (double)quantity.factor, size *= (double)quantity.factor; most >= step && unit < last; unit++) {
        most /= step;
        size /= step;
    }
    int decimals = unit == 0 || size == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : size >= 0.09995 ? 3 : 4;
    char *at = text + (total < 0);
    text[0] = '-';
    if (decimals == 0 && size < 1e18)
        table_number(at, columns, (uint64_t)(size + 0.5));
    else
        snprintf(at, TABLE_CELL - 8, "%.*f", decimals, size);
    strcat(text, " ");
    strcat(text, units[!is_time][unit]);
    return text;
}

/* How many columns of a terminal a cell takes: bytes but those that continue a character. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* ---- rows --------------------------------------------------------------------------------- */

static void value_text(const struct table *table, size_t column, struct value value, char text[TABLE_CELL])
{
    double most = table->most[column];
    bool has_percent = value.total > 0;
    strcpy(text, "-");
    switch (value.kind) {
    case VALUE_NONE: break;
    case VALUE_WORD: snprintf(text, TABLE_CELL, "%s", value.word); break;
    case VALUE_COUNT: table_number(text, table->room, value.count); break;
    case VALUE_COST:
    case VALUE_CHANGE:
    case VALUE_COUNT_CHANGE:
        text[0] = '+';
        text += value.kind != VALUE_COST && value.cost > 0;
        if (table->quantity.kind != QUANTITY_NUMBER && value.kind != VALUE_COUNT_CHANGE)
            table_total(text, table->room, table->quantity, (double)value.cost, most);
        else
            table_signed(text, table->room, value.cost);
        break;
    case VALUE_PERCENT:
    case VALUE_PERCENT_CHANGE:
        if (has_percent)
            snprintf(text, TABLE_CELL, value.kind == VALUE_PERCENT ? "%.2f" : "%+.2f", value.real * 100 / value.total);
        break;
    case VALUE_TENTHS: snprintf(text, TABLE_CELL, "%.1f", value.real); break;
    case VALUE_THOUSANDTHS: snprintf(text, TABLE_CELL, "%.3f", value.real); break;
    }
}

/* The texts of a row, or the headings if it is NULL. */
static void cell_texts(const struct table *table, const void *row, char texts[TABLE_COLUMNS][TABLE_CELL])
{
    const struct columns *columns = table->columns;
    struct value values[TABLE_COLUMNS];
    if (row != NULL)
        columns->values(columns->of, row, values);
    for (size_t i = 0; i < columns->count; i++)
        value_text(table, i, row != NULL ? values[i] : (struct value){.kind = VALUE_WORD, .word = columns->all[i].heading},
                   texts[i]);
}

void table_init(struct table *table, FILE *stream, size_t room, const struct columns *columns)
{
    *table = (struct table){.stream = stream, .room = room, .columns = columns};
    for (size_t i = 0; i < columns->count; i++)
        table->widths[i] = room == 0 ? columns->all[i].width : columns->all[i].width < 0 ? -1 : 1;
    table_fit(table, NULL);
}

void table_fit(struct table *table, const void *row)
{
    enum { QUANTITY_WIDTH = sizeof "-0.0001 MiB" - 1 }; /* of any that is below 1 */
    char texts[TABLE_COLUMNS][TABLE_CELL];
    struct value values[TABLE_COLUMNS];
    if (table->room == 0)
        return;
    if (row != NULL && table->quantity.kind != QUANTITY_NUMBER)
        table->columns->values(table->columns->of, row, values);
    for (size_t i = 0; i < table->columns->count && row != NULL && table->quantity.kind != QUANTITY_NUMBER; i++)
        if (values[i].kind == VALUE_COST || values[i].kind == VALUE_CHANGE) {
            double size = values[i].cost < 0 ? -(double)values[i].cost : (double)values[i].cost;
            table->most[i] = size > table->most[i] ? size : table->most[i];
            if (table->widths[i] < QUANTITY_WIDTH)
                table->widths[i] = QUANTITY_WIDTH;
        }
    cell_texts(table, row, texts);
    for (size_t i = 0; i < table->columns->count; i++) {
        int length = width_of(texts[i]), sign = table->widths[i] < 0 ? -1 : 1;
        if (length > sign * table->widths[i])
            table->widths[i] = sign * length;
    }
}

size_t table_print(const struct table *table, const void *row)
{
    char texts[TABLE_COLUMNS][TABLE_CELL], line[TABLE_COLUMNS * (TABLE_CELL + 1) + 8];
    size_t used = table->indent;
    cell_texts(table, row, texts);
    memset(line, ' ', sizeof line);
    for (size_t i = 0; i < table->columns->count; i++) {
        size_t length = strlen(texts[i]), shown = (size_t)width_of(texts[i]), width = (size_t)abs(table->widths[i]);
        size_t blanks = width > shown ? width - shown : 0;
        used += i > 0;
        memcpy(line + used + (table->widths[i] > 0 ? blanks : 0), texts[i], length);
        used += length + blanks;
    }
    fwrite(line, 1, used, table->stream);
    return used;
}

void table_print_named(const struct table *table, const void *row, struct text name, struct text file,
                       uint32_t line)
{
    size_t used = table_print(table, row) + 2;
    fputs("  ", table->stream);
    table_print_name(table->stream, table->room, used, name, file, line);
}

void table_print_json(struct json *json, const struct columns *columns, const void *row)
{
    struct value values[TABLE_COLUMNS];
    columns->values(columns->of, row, values);
    for (unsigned place = 1; place <= columns->count; place++)
        for (size_t i = 0; i < columns->count; i++) {
            const char *key = columns->all[i].key;
            if (columns->all[i].place != place)
                continue;
            if (values[i].kind == VALUE_NONE)
                json_print(json, key, "null");
            else if (values[i].kind == VALUE_PERCENT || values[i].kind == VALUE_PERCENT_CHANGE)
                json_percent(json, key, values[i].real, values[i].total);
            else if (values[i].kind == VALUE_COUNT)
                json_print(json, key, "%" PRIu64, values[i].count);
            else
                json_print(json, key, "%" PRId64, values[i].cost);
        }
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

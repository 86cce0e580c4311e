/* SPDX-License-Identifier: MIT */
#include "view/table.h"

#include "model/units.h"
#include "util/show.h"

#include <inttypes.h>
#include <stdlib.h>

const char *table_number(char *text, size_t room, uint64_t number)
{
    char digits[TABLE_CELL], *at = digits + sizeof digits - 1;
    *at = '\0';
    for (; room > 0 && number > 999; number /= 1000) {
        at = text_digits_before(at, 1000 + number % 1000);
        *at = ',';
    }
    at = text_digits_before(at, number);
    return memcpy(text, at, (size_t)(digits + sizeof digits - at));
}

const char *table_signed(char *text, size_t room, int64_t number)
{
    text[0] = '-';
    table_number(text + (number < 0), room, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
    return text;
}

struct quantity quantity_of(struct text event)
{
    struct unit unit = unit_of(event);
    bool is_memory = text_equals(unit.base, "Memory") || text_ends(unit.base, "bytes") ||
                     text_ends(unit.base, "(bytes)");
    return (struct quantity){unit.is_time ? QUANTITY_TIME : is_memory ? QUANTITY_BYTES : QUANTITY_NUMBER, unit.factor};
}

void print_json_event(struct json *json, struct text event)
{
    struct quantity quantity = quantity_of(event);
    struct text units[] = {[QUANTITY_NUMBER] = unit_of(event).base,
                           [QUANTITY_TIME] = text_of_string("ns"),
                           [QUANTITY_BYTES] = text_of_string("bytes")};
    json_text(json, "event", event);
    json_text(json, "unit", units[quantity.kind]);
    json_print(json, "divisor", "%" PRIu64, quantity.factor);
}

const char *table_cost(char *text, size_t room, struct quantity quantity, int64_t cost)
{
    static const char *const units[2][5] = {{"ns", "\u00b5s", "ms", "s", "s"}, {"B", "KiB", "MiB", "GiB", "TiB"}};
    bool is_time = quantity.kind == QUANTITY_TIME;
    uint64_t step = is_time ? 1000 : 1024, one = 1, tens = 1, value, rest = 0;
    int unit = 0, last = is_time ? 3 : 4, decimals = 0;
    if (room == 0 || quantity.kind == QUANTITY_NUMBER)
        return table_signed(text, room, cost);
    uint64_t positive = cost < 0 ? 0 - (uint64_t)cost : (uint64_t)cost;
    double size = (double)positive * (double)quantity.factor;
    for (; unit < last && size >= (double)(one * step - one / 2); unit++) /* what would be rounded to a step is one */
        one *= step;
    /* From 99.95, 9.995 and so on, fewer decimals are enough. */
    for (; unit > 0 && decimals < 4 && size * 100 * (double)tens < 9995 * (double)one; decimals++)
        tens *= 10;
    char *at = text + (cost < 0);
    text[0] = '-';
    if (!__builtin_mul_overflow(positive, quantity.factor, &value)) {
        rest = (value % one * tens + one / 2) / one;
        table_number(at, room, value / one + rest / tens);
    } else {
        snprintf(at, TABLE_CELL - 1, "%.0f", size / (double)one);
    }
    char digits[TABLE_CELL] = "", *end = digits + sizeof digits - 1;
    if (decimals > 0)
        *(end = text_digits_before(end, tens + rest % tens)) = '.'; /* in place of a 1 */
    strcat(at, end);
    strcat(strcat(text, " "), units[!is_time][unit]);
    return text;
}

/* A value of a column as text; table NULL: as programs read it. Units take the same room, so that numbers align. */
static void value_text(const struct table *table, size_t column, struct value value, char text[TABLE_CELL])
{
    struct quantity quantity = table != NULL ? table->shown[column].quantity
                                             : (struct quantity){.kind = QUANTITY_NUMBER};
    size_t room = table != NULL ? table->room : 0;
    bool has_sign = table != NULL && table->columns.are_changes;
    bool is_quantity = value.kind == VALUE_COST && room > 0 && quantity.kind != QUANTITY_NUMBER;
    text[0] = '+';
    text += has_sign && value.kind == VALUE_CHANGE && value.cost > 0;
    switch (value.kind) {
    case VALUE_NONE: strcpy(text, "-"); break;
    case VALUE_COUNT: table_number(text, room, value.count); break;
    case VALUE_COST:
    case VALUE_CHANGE:
        if (!is_quantity) {
            table_signed(text, room, value.cost);
            break;
        }
        table_cost(text, room, quantity, value.cost);
        for (size_t unit = show_width(text_of_string(strchr(text, ' ')));
             unit <= (quantity.kind == QUANTITY_TIME ? strlen("ns") : strlen("KiB")); unit++)
            strcat(text, " ");
        break;
    case VALUE_REAL: text_real(text + (has_sign && value.real >= 0), value.decimals, 'f', value.real); break;
    case VALUE_WORD: snprintf(text, TABLE_CELL, "%s", value.word); break;
    }
}

void table_init(struct table *table, FILE *stream, const struct cg2wg_view *options, struct columns columns,
                struct text event)
{
    *table = (struct table){
        .stream = stream, .room = options->columns, .columns = columns, .has_colour = options->colour};
    if (!options->raw)
        table->quantity = quantity_of(event);
    table->shown = columns.count <= COUNT_OF(table->few) ? table->few
                                                         : memory_zeroed(columns.count, sizeof *table->shown);
    for (size_t i = 0; i < columns.count; i++) {
        const struct column *column = &columns.all[i];
        int width = column->width, least = (int)strlen(column->heading);
        table->shown[i].width = table->room == 0 ? width : width < 0 ? -least : least;
        bool is_usual = column->event.at == NULL || options->raw;
        table->shown[i].quantity = is_usual ? table->quantity : quantity_of(column->event);
    }
}

void columns_add(struct columns *columns, const struct column *added, size_t count)
{
    for (size_t i = 0; i < count; i++)
        array_append(&columns->all, &columns->count, &columns->capacity, &added[i], sizeof *added);
}

struct value column_value(const struct columns *columns, size_t column, const void *row)
{
    const struct column *c = &columns->all[column];
    return c->value != NULL ? c->value(columns->of, row, c->what) : (struct value){VALUE_WORD, .word = ""};
}

void table_fit(struct table *table, const void *row)
{
    char text[TABLE_CELL];
    for (size_t i = 0; i < table->columns.count && table->room > 0; i++) {
        value_text(table, i, column_value(&table->columns, i, row), text);
        int width = (int)show_width(text_of_string(text));
        if (width > abs(table->shown[i].width))
            table->shown[i].width = table->shown[i].width < 0 ? -width : width;
    }
}

static char *put_if(char *at, bool is_wanted, const char *bytes)
{
    size_t length = is_wanted ? strlen(bytes) : 0;
    return (char *)memcpy(at, bytes, length) + length;
}

size_t table_print(const struct table *table, const void *row)
{
    enum { ROOM = 2 * TABLE_CELL + sizeof " \033[2m\033[22m" }; /* of a column */
    char line[16 * ROOM], *at = line;
    size_t used = 0;
    for (size_t i = 0; i < table->columns.count; i++) {
        char text[TABLE_CELL];
        struct value heading = {VALUE_WORD, .word = table->columns.all[i].heading};
        if (table->shown[i].width == 0)
            continue;
        if (line + sizeof line - at < ROOM) {
            fwrite(line, 1, (size_t)(at - line), table->stream);
            at = line;
        }
        struct value value = row != NULL ? column_value(&table->columns, i, row) : heading;
        bool is_faint = value.is_faint && table->has_colour;
        value_text(table, i, value, text);
        size_t width = (size_t)abs(table->shown[i].width), length = strlen(text);
        size_t shown = table->room > 0 ? show_width(text_of(text, length)) : length; /* the same without a unit */
        size_t blanks = width > shown ? width - shown : 0;
        if (used > 0) {
            *at++ = ' ';
            used++;
        }
        at = put_if(at, is_faint, "\033[2m");
        memset(at, ' ', blanks + length);
        memcpy(at + (table->shown[i].width > 0 ? blanks : 0), text, length);
        at = put_if(at + blanks + length, is_faint, "\033[22m");
        used += blanks + shown;
    }
    fwrite(line, 1, (size_t)(at - line), table->stream);
    return used;
}

void value_print_json(struct json *json, const char *key, struct value value)
{
    char text[TABLE_CELL];
    value_text(NULL, 0, value, text);
    json_print(json, key, "%s", value.kind == VALUE_NONE ? "null" : text);
}

char *value_put_csv(char at[TABLE_CELL], struct value value)
{
    if (value.kind == VALUE_COST)
        return text_put_number(at, value.cost);
    *at = '\0';
    if (value.kind != VALUE_NONE)
        value_text(NULL, 0, value, at);
    return at + strlen(at);
}

void table_print_csv_name(FILE *stream, struct text name)
{
    static const char *const formulas[] = {"=*",      "+*",      "-*",      "@*",      "\t*", "\r*",
                                           "\uff1d*", "\uff0b*", "\uff0d*", "\uff20*", NULL};
    fputs(text_matches_any(name, formulas) ? "\"'" : "\"", stream);
    while (!text_is_empty(name)) {
        struct text part = text_take_to(&name, '"');
        show_plain(stream, part);
        fputs(part.end < name.end ? "\"\"" : "", stream);
    }
    fputs("\"", stream);
}

void columns_print_json(struct json *json, const struct columns *columns, const void *row)
{
    for (size_t i = 0; i < columns->count; i++)
        if (columns->all[i].key != NULL)
            value_print_json(json, columns->all[i].key, column_value(columns, i, row));
}

void table_print_text(FILE *stream, size_t room, size_t used, struct text t)
{
    size_t left = room > used ? room - used : 1;
    bool is_path = text_starts(t, "/") && memchr(t.at, ' ', text_length(t)) == NULL;
    show_shortened(stream, t, room == 0 ? SIZE_MAX : left, is_path);
}

static size_t line_after_file(char number[TABLE_CELL], uint32_t line)
{
    strcpy(number, ":");
    table_number(number + 1, 0, line);
    strcpy(line > 0 ? number + strlen(number) : number, ")");
    return strlen(number);
}

size_t table_name_room(size_t room, struct text name, struct text file, uint32_t line)
{
    enum { LEAST_NAME = 24 };
    char number[TABLE_CELL];
    size_t least = strlen("  (") + line_after_file(number, line) + show_width(path_file(file));
    bool has_file = !text_is_empty(file) && room >= least + MIN(show_width(name), LEAST_NAME);
    return has_file ? room - least : room;
}

/* The path loses its folders, then the name arguments and namespaces, then the file goes, and last its middle. */
void table_print_name(FILE *stream, size_t room, size_t used, struct text name, struct text file, uint32_t line)
{
    bool has_file = !text_is_empty(file);
    char number[TABLE_CELL], buffer[TABLE_NAME];
    size_t around = has_file ? strlen("  (") + line_after_file(number, line) : 0, most = SIZE_MAX; /* of the file */
    if (room == 0) {
        show_plain(stream, name);
    } else {
        size_t left = room > used + 1 ? room - used : 1, name_room = table_name_room(left, name, file, line);
        has_file = name_room < left;
        name = table_short_name(name, name_room, buffer);
        size_t width = MIN(show_width(name), name_room);
        show_shortened(stream, name, width, false);
        most = left - width - around;
        file = most < show_width(path_file(file)) + 2 ? path_file(file) : file;
    }
    if (!has_file)
        return;
    fputs("  (", stream);
    show_shortened(stream, file, most, true);
    fputs(number, stream);
}

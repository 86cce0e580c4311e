/* SPDX-License-Identifier: MIT */
#include "view/json.h"

#include <stdarg.h>

static void write_waiting(struct json *json)
{
    if (json->stream != NULL)
        fwrite(json->waiting, 1, json->used, json->stream);
    if (json->most_bytes > 0 && json->size > json->most_bytes)
        json->stream = NULL;
    json->used = 0;
}

/* Where up to JSON_ROOM bytes may be put, to be followed by `took`. */
static inline char *room_of(struct json *json)
{
    if (json->used > sizeof json->waiting - JSON_ROOM)
        write_waiting(json);
    return json->waiting + json->used;
}

static inline void took(struct json *json, size_t length)
{
    json->size += length;
    json->used += length;
}

static void put_bytes(struct json *json, const char *bytes, size_t length)
{
    for (size_t part; length > 0; bytes += part, length -= part) {
        part = MIN(length, JSON_ROOM);
        memcpy(room_of(json), bytes, part);
        took(json, part);
    }
}

static void put_string(struct json *json, const char *string)
{
    put_bytes(json, string, strlen(string));
}

static void print_key(struct json *json, const char *key)
{
    bool begins_line = key != NULL && *key == '\n';
    if (json->depth > 0) {
        struct json_level *level = &json->levels[json->depth - 1];
        const char *lead = begins_line && level->has_some ? "\n     " : level->lead;
        if (level->has_some)
            put_string(json, ",");
        if (*lead != '\0' && (level->has_some || *lead != ' '))
            put_string(json, lead);
        level->has_some = true;
    }
    if (key != NULL) {
        put_string(json, "\"");
        put_string(json, key + begins_line);
        put_string(json, json->in_html ? "\":" : "\": ");
    }
}

void json_print(struct json *json, const char *key, const char *format, ...)
{
    va_list arguments;
    print_key(json, key);
    va_start(arguments, format);
    int length = vsnprintf(room_of(json), JSON_ROOM, format, arguments);
    took(json, (size_t)MIN(MAX(length, 0), JSON_ROOM - 1));
    va_end(arguments);
}

void json_number(struct json *json, const char *key, bool is_count, uint64_t number)
{
    print_key(json, key);
    char *at = room_of(json);
    took(json, (size_t)((is_count ? text_put_count(at, number) : text_put_number(at, (int64_t)number)) - at));
}

void json_list(struct json *json, unsigned counts, const int64_t *numbers, size_t count)
{
    bool follows = json->levels[json->depth - 1].has_some && *json->levels[json->depth - 1].lead == '\0';
    if (!follows)
        print_key(json, NULL);
    char *list = room_of(json), *end = list;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 || follows)
            *end++ = ',';
        end = (counts >> i & 1) != 0 ? text_put_count(end, (uint64_t)numbers[i]) : text_put_number(end, numbers[i]);
    }
    took(json, (size_t)(end - list));
}

void json_begin(struct json *json, const char *key, char open, const char *lead)
{
    print_key(json, key);
    put_bytes(json, &open, 1);
    json->levels[json->depth++] = (struct json_level){open, lead, false};
}

void json_end(struct json *json)
{
    json->depth--;
    if (json->depth < 2 && !json->in_html && *json->levels[json->depth].lead == '\n')
        put_string(json, json->depth == 0 ? "\n" : "\n  ");
    put_string(json, json->levels[json->depth].open == '{' ? "}" : "]");
    if (json->depth == 0)
        write_waiting(json);
}

void json_text(struct json *json, const char *key, struct text text)
{
    static const char digits[] = "0123456789abcdef";
    bool is_utf8 = true;
    print_key(json, key);
    put_string(json, "\"");
    for (struct text rest = text; !text_is_empty(rest);) {
        size_t plain = utf8_plain_length(rest, json->in_html ? "\"\\-" : "\"\\");
        put_bytes(json, rest.at, plain);
        rest.at += plain;
        if (text_is_empty(rest))
            break;
        size_t length = utf8_length(rest), used = length > 0 ? length : 1;
        unsigned char last = (unsigned char)rest.at[used - 1];
        uint32_t point = length > 0 ? utf8_point(text_of(rest.at, length)) : 0;
        const char by_number[] = {
            '\\', 'u', digits[point >> 12 & 15], digits[point >> 8 & 15], digits[point >> 4 & 15], digits[point & 15]};
        const char quoted[] = {'\\', (char)last};
        struct text form = text_of(rest.at, used);
        if (length == 0)
            form = text_of_string("\\ufffd");
        else if (utf8_is_control(rest) || (last == '-' && rest.at > text.at && rest.at[-1] == '-'))
            form = text_of(by_number, sizeof by_number);
        else if (last == '"' || last == '\\')
            form = text_of(quoted, sizeof quoted);
        put_bytes(json, form.at, text_length(form));
        is_utf8 &= length > 0;
        rest.at += used;
    }
    put_string(json, "\"");
    if (json->in_html || is_utf8)
        return;
    took(json, (size_t)snprintf(room_of(json), JSON_ROOM, ", \"%s_bytes\": \"", key));
    for (const char *c = text.at; c < text.end; c++)
        took(json, (size_t)snprintf(room_of(json), JSON_ROOM, "%02x", (unsigned char)*c));
    put_string(json, "\"");
}

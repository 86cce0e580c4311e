/* SPDX-License-Identifier: MIT */
#include "view/json.h"

#include <stdarg.h>

static void put_bytes(struct json *json, const char *bytes, size_t length)
{
    json->size += length;
    if (json->most > 0 && json->size > json->most)
        json->stream = NULL;
    if (json->stream != NULL)
        fwrite(bytes, 1, length, json->stream);
}

static void put_string(struct json *json, const char *string)
{
    put_bytes(json, string, strlen(string));
}

static void put_char(struct json *json, char c)
{
    json->size++;
    if (json->stream != NULL)
        fputc(c, json->stream);
}

/* Between quotes; in HTML, it has no `<`. A byte that is not UTF-8 becomes U+FFFD. */
static void print_string(struct json *json, struct text text)
{
    static const char digits[] = "0123456789abcdef";
    put_char(json, '"');
    while (!text_is_empty(text)) {
        size_t plain = utf8_plain_length(text, "\"\\<"); /* usual characters are in a string as they are */
        put_bytes(json, text.at, plain);
        text.at += plain;
        if (text_is_empty(text))
            break;
        size_t length = utf8_length(text), used = length > 0 ? length : 1;
        unsigned char last = (unsigned char)text.at[used - 1];
        uint32_t point = length > 0 ? utf8_point(text_of(text.at, length)) : 0;
        const char by_number[] = {
            '\\', 'u', digits[point >> 12 & 15], digits[point >> 8 & 15], digits[point >> 4 & 15], digits[point & 15]};
        const char quoted[] = {'\\', (char)last};
        struct text form = text_of(text.at, used);
        if (length == 0)
            form = text_of_string("\\ufffd");
        else if (utf8_is_control(text) || (json->in_html && last == '<'))
            form = text_of(by_number, sizeof by_number);
        else if (last == '"' || last == '\\')
            form = text_of(quoted, sizeof quoted);
        put_bytes(json, form.at, text_length(form));
        text.at += used;
    }
    put_char(json, '"');
}

static void print_key(struct json *json, const char *key)
{
    bool begins_line = key != NULL && *key == '\n';
    if (json->depth > 0) {
        bool *has_some = &json->levels[json->depth - 1].has_some;
        const char *lead = begins_line && *has_some ? "\n     " : json->levels[json->depth - 1].lead;
        if (*has_some)
            put_char(json, ',');
        if (*lead != '\0' && (*has_some || *lead != ' '))
            put_string(json, lead);
        *has_some = true;
    }
    if (key != NULL) {
        put_char(json, '"');
        put_string(json, key + begins_line);
        put_string(json, json->in_html ? "\":" : "\": ");
    }
}

void json_print(struct json *json, const char *key, const char *format, ...)
{
    va_list arguments;
    print_key(json, key);
    va_start(arguments, format);
    int length = json->stream != NULL ? vfprintf(json->stream, format, arguments)
                                      : vsnprintf(NULL, 0, format, arguments);
    json->size += (size_t)MAX(length, 0);
    va_end(arguments);
}

static char *put(char *at, const char *string)
{
    size_t length = strlen(string);
    memcpy(at, string, length);
    return at + length;
}

void json_numbers(struct json *json, const struct json_number *numbers, size_t count)
{
    char members[JSON_NUMBERS * (JSON_KEY + TEXT_DIGITS + 8)], *end = members;
    bool *has_some = &json->levels[json->depth - 1].has_some;
    const struct json_number *n = numbers;
    do {
        end = put(put(put(end, *has_some ? ", \"" : "\""), n->key), "\": ");
        end = n->is_count ? text_put_count(end, n->number) : text_put_number(end, (int64_t)n->number);
        *has_some = true;
    } while (++n < numbers + count);
    put_bytes(json, members, (size_t)(end - members));
}

void json_list(struct json *json, unsigned counts, const int64_t *numbers, size_t count)
{
    enum { MOST = 8 };
    char list[MOST * (TEXT_DIGITS + 2)], *end = list;
    bool follows = json->levels[json->depth - 1].has_some && *json->levels[json->depth - 1].lead == '\0';
    if (!follows)
        print_key(json, NULL);
    for (size_t i = 0; i < MIN(count, MOST); i++) {
        if (i > 0 || follows)
            *end++ = ',';
        end = (counts >> i & 1) != 0 ? text_put_count(end, (uint64_t)numbers[i]) : text_put_number(end, numbers[i]);
    }
    put_bytes(json, list, (size_t)(end - list));
}

void json_begin(struct json *json, const char *key, char open, const char *lead)
{
    print_key(json, key);
    put_char(json, open);
    json->levels[json->depth].open = open;
    json->levels[json->depth].lead = lead;
    json->levels[json->depth++].has_some = false;
}

void json_end(struct json *json)
{
    json->depth--;
    if (json->depth < 2 && !json->in_html && *json->levels[json->depth].lead == '\n')
        fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
    put_char(json, json->levels[json->depth].open == '{' ? '}' : ']');
}

static bool is_utf8(struct text text)
{
    for (size_t length; !text_is_empty(text); text.at += length) {
        text.at += utf8_plain_length(text, "");
        length = text_is_empty(text) ? 0 : utf8_length(text);
        if (length == 0)
            break;
    }
    return text_is_empty(text);
}

void json_text(struct json *json, const char *key, struct text text)
{
    print_key(json, key);
    print_string(json, text);
    if (json->in_html || is_utf8(text))
        return;
    fprintf(json->stream, ", \"%s_bytes\": \"", key);
    for (const char *c = text.at; c < text.end; c++)
        fprintf(json->stream, "%02x", (unsigned char)*c);
    fputc('"', json->stream);
}

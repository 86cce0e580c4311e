/* SPDX-License-Identifier: MIT */
#include "view/json.h"

#include <stdarg.h>

static void print_bytes(FILE *stream, const char *bytes, size_t length)
{
    if (stream != NULL)
        fwrite(bytes, 1, length, stream);
}

size_t json_string(FILE *stream, struct text text, bool in_html)
{
    static const char digits[] = "0123456789abcdef";
    size_t size = 2;
    print_bytes(stream, "\"", 1);
    while (!text_is_empty(text)) {
        size_t plain = utf8_plain_length(text, "\"\\<"); /* usual characters are in a string as they are */
        print_bytes(stream, text.at, plain);
        text.at += plain;
        size += plain;
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
        else if (utf8_is_control(text) || (in_html && last == '<'))
            form = text_of(by_number, sizeof by_number);
        else if (last == '"' || last == '\\')
            form = text_of(quoted, sizeof quoted);
        print_bytes(stream, form.at, text_length(form));
        size += text_length(form);
        text.at += used;
    }
    print_bytes(stream, "\"", 1);
    return size;
}

static void print_key(struct json *json, const char *key)
{
    bool begins_line = key != NULL && *key == '\n';
    if (json->depth > 0) {
        bool *has_some = &json->levels[json->depth - 1].has_some;
        const char *lead = begins_line && *has_some ? "\n     " : json->levels[json->depth - 1].lead;
        if (*has_some)
            fputc(',', json->stream);
        if (*lead != '\0' && (*has_some || *lead != ' '))
            fputs(lead, json->stream);
        *has_some = true;
    }
    if (key != NULL) {
        fputs("\"", json->stream);
        fputs(key + begins_line, json->stream);
        fputs(json->in_html ? "\":" : "\": ", json->stream);
    }
}

void json_print(struct json *json, const char *key, const char *format, ...)
{
    va_list arguments;
    print_key(json, key);
    va_start(arguments, format);
    vfprintf(json->stream, format, arguments);
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
    fwrite(members, 1, (size_t)(end - members), json->stream);
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
    fwrite(list, 1, (size_t)(end - list), json->stream);
}

void json_begin(struct json *json, const char *key, char open, const char *lead)
{
    print_key(json, key);
    fputc(open, json->stream);
    json->levels[json->depth].open = open;
    json->levels[json->depth].lead = lead;
    json->levels[json->depth++].has_some = false;
}

void json_end(struct json *json)
{
    json->depth--;
    if (json->depth < 2 && !json->in_html && *json->levels[json->depth].lead == '\n')
        fprintf(json->stream, "\n%*s", (int)(2 * json->depth), "");
    fputc(json->levels[json->depth].open == '{' ? '}' : ']', json->stream);
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
    json_string(json->stream, text, json->in_html);
    if (json->in_html || is_utf8(text))
        return;
    fprintf(json->stream, ", \"%s_bytes\": \"", key);
    for (const char *c = text.at; c < text.end; c++)
        fprintf(json->stream, "%02x", (unsigned char)*c);
    fputc('"', json->stream);
}

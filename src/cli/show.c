#include "cli/show.h"

void show_plain(FILE *stream, struct text t)
{
    for (const char *c = t.at; c < t.end; c++)
        fputc((unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c, stream);
}

/* The length of the UTF-8 sequence at `c`, or 0 if there is none that is well-formed. */
static size_t utf8_length(const unsigned char *c, const unsigned char *end)
{
    size_t left = (size_t)(end - c);
    unsigned low = 0x80, high = 0xbf;
    size_t length;
    if (c[0] < 0x80)
        return 1;
    if (c[0] >= 0xc2 && c[0] <= 0xdf)
        length = 2;
    else if (c[0] >= 0xe0 && c[0] <= 0xef)
        length = 3;
    else if (c[0] >= 0xf0 && c[0] <= 0xf4)
        length = 4;
    else
        return 0;
    if (left < length)
        return 0;
    if (c[0] == 0xe0)
        low = 0xa0;
    else if (c[0] == 0xed)
        high = 0x9f;
    else if (c[0] == 0xf0)
        low = 0x90;
    else if (c[0] == 0xf4)
        high = 0x8f;
    if (c[1] < low || c[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (c[i] < 0x80 || c[i] > 0xbf)
            return 0;
    return length;
}

void show_json_string(FILE *stream, struct text t)
{
    const unsigned char *c = (const unsigned char *)t.at, *end = (const unsigned char *)t.end;
    fputc('"', stream);
    while (c < end) {
        size_t length = utf8_length(c, end);
        if (length == 0) {
            fputs("\\ufffd", stream);
            c++;
        } else if (length == 1 && (*c < ' ' || *c == 0x7f)) {
            fprintf(stream, "\\u%04x", *c++);
        } else if (length == 1 && (*c == '"' || *c == '\\')) {
            fprintf(stream, "\\%c", *c++);
        } else {
            fwrite(c, 1, length, stream);
            c += length;
        }
    }
    fputc('"', stream);
}

static bool is_utf8(struct text t)
{
    const unsigned char *c = (const unsigned char *)t.at, *end = (const unsigned char *)t.end;
    while (c < end) {
        size_t length = utf8_length(c, end);
        if (length == 0)
            return false;
        c += length;
    }
    return true;
}

void show_json_member(FILE *stream, const char *key, struct text t)
{
    fprintf(stream, "\"%s\": ", key);
    show_json_string(stream, t);
    if (is_utf8(t))
        return;
    fprintf(stream, ", \"%s_bytes\": \"", key);
    for (const char *c = t.at; c < t.end; c++)
        fprintf(stream, "%02x", (unsigned char)*c);
    fputc('"', stream);
}

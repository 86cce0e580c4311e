#include "cli/show.h"

#include "util/utf8.h"

void show_plain(FILE *stream, struct text t)
{
    while (!text_is_empty(t)) {
        struct text shown = utf8_take_printable(&t);
        fwrite(shown.at, 1, text_length(shown), stream);
    }
}

void show_json_string(FILE *stream, struct text t)
{
    fputc('"', stream);
    while (!text_is_empty(t)) {
        size_t length = utf8_length(t);
        unsigned char c = (unsigned char)*t.at;
        if (length == 0)
            fputs("\\ufffd", stream);
        else if (length == 1 && (c < ' ' || c == 0x7f))
            fprintf(stream, "\\u%04x", c);
        else if (length == 1 && (c == '"' || c == '\\'))
            fprintf(stream, "\\%c", c);
        else
            fwrite(t.at, 1, length, stream);
        t.at += length > 0 ? length : 1;
    }
    fputc('"', stream);
}

static bool is_utf8(struct text t)
{
    while (!text_is_empty(t)) {
        size_t length = utf8_length(t);
        if (length == 0)
            return false;
        t.at += length;
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

/* SPDX-License-Identifier: MIT */
#include "util/show.h"

#include <errno.h>

void show_plain(FILE *stream, struct text t)
{
    while (!text_is_empty(t)) {
        struct text shown = utf8_take_printable(&t);
        fwrite(shown.at, 1, text_length(shown), stream);
    }
}

/* The width of a character: 0 for combining marks and the like, 2 for ideographs, otherwise 1. */
static size_t character_width(struct text character)
{
    static const struct {
        uint32_t first, last;
        size_t width;
    } ranges[] = {
        {0x0300, 0x036f, 0}, {0x200b, 0x200f, 0}, {0x2060, 0x2064, 0},   {0xfe00, 0xfe0f, 0},   {0x1100, 0x115f, 2},
        {0x2e80, 0x303e, 2}, {0x3041, 0xa4cf, 2}, {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe30, 0xfe6f, 2},
        {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2}, {0x1f300, 0x1faff, 2}, {0x20000, 0x3fffd, 2},
    };
    uint32_t point = utf8_point(character);
    for (size_t i = 0; i < COUNT_OF(ranges); i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return ranges[i].width;
    return 1;
}

/* Takes the next character in its printed form. Returns its width. */
static size_t take_character(struct text *t, struct text *character)
{
    size_t length = utf8_length(*t);
    if (length == 0 || utf8_is_control(*t)) {
        *character = utf8_take_printable(t);
        return 1;
    }
    *character = text_of(t->at, length);
    t->at += length;
    return character_width(*character);
}

size_t show_width(struct text t)
{
    struct text character;
    size_t width = 0;
    while (!text_is_empty(t))
        width += take_character(&t, &character);
    return width;
}

struct text show_cut(struct text t, size_t width, bool is_end)
{
    struct text rest = t, next = t, character;
    size_t all = is_end ? show_width(t) : width, limit = is_end ? all - MIN(all, width) : width;
    for (size_t used = 0; !text_is_empty(rest) && (used < limit || !is_end); rest = next) {
        used += take_character(&next, &character);
        if (used > limit && !is_end) /* a wide one does not fit */
            break;
    }
    return is_end ? rest : (struct text){t.at, rest.at};
}

void show_shortened(FILE *stream, struct text t, size_t width, bool keeps_end)
{
    bool fits = width == SIZE_MAX || show_width(t) <= width;
    size_t gap = width > 0, start = keeps_end ? 0 : (width - gap + 1) / 2;
    show_plain(stream, fits ? t : show_cut(t, start, false));
    if (fits)
        return;
    fputs(gap > 0 ? ELLIPSIS : "", stream);
    show_plain(stream, show_cut(t, width - gap - start, true));
}

void show_wrapped(FILE *stream, const char *words, size_t used, size_t indent, size_t width)
{
    const char *separator = "";
    while (*words != '\0') {
        size_t length = strcspn(words, " ");
        if (used > indent && used + strlen(separator) + length > width) {
            fprintf(stream, "\n%*s", (int)indent, "");
            used = indent;
            separator = "";
        }
        fprintf(stream, "%s%.*s", separator, (int)length, words);
        used += strlen(separator) + length;
        separator = " ";
        words += length + (words[length] == ' ');
    }
    fputc('\n', stream);
}

int show_end(FILE *stream)
{
    /* On Windows, fclose does not report what fails when it writes the last bytes. */
    int error = fflush(stream) == 0 && ferror(stream) == 0 ? 0 : errno != 0 ? errno : EIO;
    return fclose(stream) != 0 ? errno : error;
}

void show_message(const char *const *pieces)
{
    char bytes[8192];
    size_t used = 0;
    for (const char *piece = "cg2wg: "; piece != NULL; piece = *pieces++)
        for (struct text rest = text_of_string(piece); !text_is_empty(rest);)
            for (struct text part = utf8_take_printable(&rest); !text_is_empty(part); part.at++) {
                if (used == sizeof bytes - 1)
                    used -= fwrite(bytes, 1, used, stderr);
                bytes[used++] = *part.at;
            }
    bytes[used++] = '\n';
    fwrite(bytes, 1, used, stderr);
}

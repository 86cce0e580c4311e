#include "util/show.h"

#include "util/utf8.h"

void show_plain(FILE *stream, struct text t)
{
    while (!text_is_empty(t)) {
        size_t plain = utf8_plain_length(t, "");
        fwrite(t.at, 1, plain, stream);
        t.at += plain;
        if (text_is_empty(t))
            return;
        struct text shown = utf8_take_printable(&t);
        fwrite(shown.at, 1, text_length(shown), stream);
    }
}

/* Takes the next character in its printed form. Returns its number of columns. */
static size_t take_character(struct text *t, struct text *character)
{
    size_t length = utf8_length(*t);
    if (length == 0 || utf8_is_control(*t)) {
        *character = utf8_take_printable(t);
        return 1;
    }
    *character = text_of(t->at, length);
    t->at += length;
    return utf8_columns(*character);
}

size_t show_columns(struct text t)
{
    struct text character;
    size_t columns = 0;
    while (!text_is_empty(t))
        columns += take_character(&t, &character);
    return columns;
}

void show_shortened(FILE *stream, struct text t, size_t columns, bool keeps_end)
{
    struct text character, rest = t;
    size_t all = columns == SIZE_MAX ? 0 : show_columns(t), at = 0, gap = columns > 0;
    if (all <= columns) {
        show_plain(stream, t);
        return;
    }
    size_t start = keeps_end ? 0 : (columns - gap + 1) / 2, end = columns - gap - start;
    bool is_shortened = false;
    while (!text_is_empty(rest)) {
        at += take_character(&rest, &character);
        if (at > start && !is_shortened)
            fputs(gap > 0 ? "\u2026" : "", stream);
        is_shortened |= at > start;
        /* A wide character that does not fit is left out. */
        if (!is_shortened || all - at + utf8_columns(character) <= end)
            fwrite(character.at, 1, text_length(character), stream);
    }
}

void show_wrapped(FILE *stream, const char *words, size_t column, size_t indent, size_t columns)
{
    const char *separator = "";
    while (*words != '\0') {
        size_t length = strcspn(words, " ");
        if (column > indent && column + strlen(separator) + length > columns) {
            fprintf(stream, "\n%*s", (int)indent, "");
            column = indent;
            separator = "";
        }
        fprintf(stream, "%s%.*s", separator, (int)length, words);
        column += strlen(separator) + length;
        separator = " ";
        words += length + (words[length] == ' ');
    }
    fputc('\n', stream);
}

void message_begin(struct message_line *m)
{
    m->used = 0;
    message_add(m, "cg2wg: ");
}

static void add_byte(struct message_line *m, char byte)
{
    m->bytes[m->used++] = byte;
    if (m->used < sizeof m->bytes && byte != '\n')
        return;
    fwrite(m->bytes, 1, m->used, stderr);
    m->used = 0;
}

void message_add(struct message_line *m, const char *string)
{
    struct text t = text_of_string(string);
    while (!text_is_empty(t))
        for (struct text part = utf8_take_printable(&t); !text_is_empty(part); part.at++)
            add_byte(m, *part.at);
}

void message_end(struct message_line *m)
{
    add_byte(m, '\n');
}

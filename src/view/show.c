#include "view/show.h"

#include "util/sha256.h"
#include "util/utf8.h"

bool show_name(struct shown_names *shown, struct text *name)
{
    char end[3 + 16 + 1] = "...";
    unsigned char hash[SHA256_SIZE];
    uint32_t number;
    if (text_length(*name) <= SHOW_NAME)
        return true;
    if (!shown->has_some && !(shown->has_some = (names_init(&shown->names), true)))
        return false;
    sha256(*name, hash);
    for (int i = 0; i < 8; i++)
        snprintf(end + 3 + 2 * i, 3, "%02x", hash[i]);
    struct text parts[2] = {text_of(name->at, SHOW_NAME - (sizeof end - 1)), text_of_string(end)};
    while ((*parts[0].end & 0xc0) == 0x80 && text_length(parts[0]) > SHOW_NAME / 2) /* within a character */
        parts[0].end--;
    number = names_intern_parts(&shown->names, parts, 2);
    *name = names_text(&shown->names, number);
    return true;
}

void shown_names_free(struct shown_names *shown)
{
    if (shown->has_some)
        names_free(&shown->names);
}

void show_plain(FILE *stream, struct text t)
{
    while (!text_is_empty(t)) {
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
    static const char ellipsis[] = "...";
    struct text character, rest = t;
    size_t all = columns == SIZE_MAX ? 0 : show_columns(t), at = 0, gap = sizeof ellipsis - 1;
    if (all <= columns) {
        show_plain(stream, t);
        return;
    }
    gap = gap < columns ? gap : columns;
    size_t start = keeps_end ? 0 : (columns - gap + 1) / 2, end = columns - gap - start;
    bool is_shortened = false;
    while (!text_is_empty(rest)) {
        at += take_character(&rest, &character);
        if (at > start && !is_shortened)
            fprintf(stream, "%.*s", (int)gap, ellipsis);
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

static void write_message(struct message_line *m)
{
    fwrite(m->bytes, 1, m->used, stderr);
    m->used = 0;
}

static void add_bytes(struct message_line *m, struct text t)
{
    while (!text_is_empty(t)) {
        size_t room = sizeof m->bytes - m->used;
        size_t length = text_length(t) < room ? text_length(t) : room;
        memcpy(m->bytes + m->used, t.at, length);
        m->used += length;
        t.at += length;
        if (length == room)
            write_message(m);
    }
}

void message_begin(struct message_line *m)
{
    m->used = 0;
    message_add(m, "cg2wg: ");
}

void message_add_text(struct message_line *m, struct text t)
{
    while (!text_is_empty(t))
        add_bytes(m, utf8_take_printable(&t));
}

void message_add(struct message_line *m, const char *string)
{
    message_add_text(m, text_of_string(string));
}

void message_end(struct message_line *m)
{
    add_bytes(m, text_of("\n", 1));
    write_message(m);
}

size_t show_json_character(char form[SHOW_JSON_CHARACTER], struct text *t, bool in_html)
{
    size_t length = utf8_length(*t), used = length;
    char c = *t->at;
    if (length == 0)
        used = (size_t)snprintf(form, SHOW_JSON_CHARACTER, "\\ufffd");
    else if (utf8_is_control(*t) || (in_html && c == '<'))
        used = (size_t)snprintf(form, SHOW_JSON_CHARACTER, "\\u%04x", (unsigned char)t->at[length - 1]);
    else if (c == '"' || c == '\\')
        used = (size_t)snprintf(form, SHOW_JSON_CHARACTER, "\\%c", c);
    else
        memcpy(form, t->at, length);
    t->at += length > 0 ? length : 1;
    return used;
}

void show_json_string(FILE *stream, struct text t)
{
    char form[SHOW_JSON_CHARACTER];
    fputc('"', stream);
    while (!text_is_empty(t)) {
        size_t length = show_json_character(form, &t, false);
        fwrite(form, 1, length, stream);
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

void show_json_percent(FILE *stream, double part, double total)
{
    if (total > 0)
        fprintf(stream, "%.2f", part * 100 / total);
    else
        fputs("null", stream);
}

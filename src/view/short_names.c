/* SPDX-License-Identifier: MIT */
/* Names beside each other, which stay different when they are shortened. */
#include "view/table.h"

#include "util/array.h"
#include "util/show.h"

#include <stdlib.h>

static const char ellipsis[] = "\u2026";

struct short_name {
    struct text text; /* what a name is shortened to */
    size_t number;
    char *copy; /* in which the text is, or NULL */
    bool has_changed;
};

static int by_text(const void *left, const void *right)
{
    const struct short_name *a = left, *b = right;
    int order = text_compare(a->text, b->text);
    return order != 0 ? order : ORDER(a->number, b->number);
}

/* The item of a list, between commas, that a place is in. */
static struct text item_at(struct text list, const char *place)
{
    struct text item = list;
    int depth = 0;
    for (const char *c = list.at; c < list.end; c++) {
        depth += memchr("<({[", *c, 4) != NULL ? 1 : memchr(">)}]", *c, 4) != NULL ? -1 : 0;
        if (*c != ',' || depth > 0)
            continue;
        if (c >= place) {
            item.end = c;
            break;
        }
        item.at = c + 1 + (c + 1 < list.end && c[1] == ' ');
    }
    return item;
}

/* Takes the next character. Returns its columns. */
static size_t take_character(struct text *text)
{
    const char *start = text->at;
    text->at += MAX(utf8_length(*text), 1);
    return show_columns((struct text){start, text->at});
}

static struct text first_columns(struct text text, size_t columns)
{
    struct text rest = text;
    const char *end = text.at;
    for (size_t used = 0; !text_is_empty(rest) && (used += take_character(&rest)) <= columns;)
        end = rest.at;
    return (struct text){text.at, end};
}

static struct text last_columns(struct text text, size_t columns)
{
    for (size_t left = show_columns(text); left > columns && !text_is_empty(text);)
        left -= take_character(&text);
    return text;
}

/* A text in so many columns, of which at most half are before a place; ellipses replace the ends of these parts. */
static struct text cut(struct text text, const char *place, size_t columns)
{
    struct buffer cut = {.length = 0};
    struct text head = {text.at, place}, tail = {place, text.end};
    if (show_columns(text) <= columns)
        return text;
    size_t room = text_is_empty(head) ? columns : MIN(show_columns(tail), columns / 2 + 1), half = room / 2;
    buffer_add(&cut, first_columns(head, columns > room + 1 ? columns - room - 1 : 0));
    buffer_add_string(&cut, text_is_empty(head) ? "" : ellipsis);
    bool fits = show_columns(tail) <= room;
    buffer_add(&cut, fits ? tail : first_columns(tail, half));
    buffer_add_string(&cut, fits ? "" : ellipsis);
    buffer_add(&cut, last_columns(tail, fits || room < half + 1 ? 0 : room - half - 1));
    return buffer_text(&cut);
}

/* A name whose arguments are folded, but for the item at a place. Sets *seen to the word that it is in. */
static struct text fold_around(struct text name, const char *place, const char **seen, unsigned level)
{
    enum { MOST_LEVELS = 4 };
    struct text lists[TABLE_LISTS], last = {name.end, name.end};
    struct buffer folded = {.length = 0};
    size_t count = level < MOST_LEVELS ? table_lists(name, lists) : 0, word = 0;
    const char *at = name.at, *start = place;
    while (start > name.at && (char_is_alpha(start[-1]) || char_is_digit(start[-1]) || start[-1] == '_'))
        start--;
    for (size_t k = 0; k <= count; k++) {
        struct text list = k < count ? lists[k] : last;
        word = start >= at && start < list.at ? folded.length + (size_t)(start - at) : word;
        buffer_add(&folded, (struct text){at, list.at});
        at = list.end;
        if (k == count || place < list.at || place >= list.end) {
            buffer_add_string(&folded, k < count ? ellipsis : "");
            continue;
        }
        struct text item = item_at(list, place), inner = fold_around(item, place, seen, level + 1);
        buffer_add_string(&folded, item.at > list.at ? "\u2026, " : "");
        word = folded.length + (size_t)(*seen - inner.at);
        buffer_add(&folded, inner);
        buffer_add_string(&folded, item.end < list.end ? ", \u2026" : "");
    }
    *seen = folded.bytes != NULL ? folded.bytes + word : "";
    return buffer_text(&folded);
}

/* Names that are shortened to the same text are shown where they differ. Returns whether there were any. */
static bool show_differences(struct short_name *all, size_t count, const struct text *names, const size_t *columns)
{
    bool are_any = false;
    qsort(all, count, sizeof *all, by_text);
    for (size_t i = 0, end; i < count; i = end) {
        struct text first = names[all[i].number];
        bool are_different = false;
        size_t same = text_length(first);
        for (end = i + 1; end < count && text_same(all[end].text, all[i].text); end++) {
            struct text name = names[all[end].number];
            size_t equal = 0;
            while (equal < MIN(same, text_length(name)) && first.at[equal] == name.at[equal])
                equal++;
            same = text_same(first, name) ? same : equal;
            are_different |= !text_same(first, name);
        }
        for (size_t k = i; k < end && are_different; k++) {
            struct text name = names[all[k].number];
            const char *seen;
            name = fold_around(name, name.at + same, &seen, 0);
            all[k].text = cut(name, seen, columns[all[k].number]);
            are_any = all[k].has_changed = true;
        }
    }
    return are_any;
}

void table_keep_different(struct text *names, const size_t *columns, size_t count)
{
    enum { ROUNDS = 4 }; /* those that are the same where others differ may differ later */
    char buffer[TABLE_NAME];
    struct short_name *all = memory_zeroed(count + 1, sizeof *all);
    for (size_t i = 0; i < count; i++) {
        struct text text = table_short_name(names[i], columns[i], buffer);
        bool is_copy = text.at >= buffer && text.at < buffer + sizeof buffer;
        all[i].copy = is_copy ? memory_copy(text.at, text_length(text) + 1) : NULL;
        all[i].text = is_copy ? text_of(all[i].copy, text_length(text)) : text;
        all[i].number = i;
    }
    for (int round = 0; round < ROUNDS && show_differences(all, count, names, columns); round++)
        continue;
    for (size_t i = 0; i < count; i++)
        if (all[i].has_changed)
            names[all[i].number] = all[i].text;
        else
            memory_free(all[i].copy);
    memory_free(all);
}

/* SPDX-License-Identifier: MIT */
/* How names become shorter, and stay different from those beside them. */
#include "view/table.h"

#include "util/show.h"

#include <stdlib.h>

/* How many brackets are open after a character of a name, if `depth` are before it; without that of `operator<`. */
static int depth_after(struct text name, const char *p, int depth)
{
    const char *start = p; /* of the operator that it may belong to */
    while (start > name.at && p - start < 2 && strchr("<>=-", start[-1]) != NULL && /* as in `<=>` */
           (*p == '>' || (*p == '<' && start[-1] != '>')))
        start--;
    start -= *p == ')' && p > name.at && p[-1] == '(';
    bool is_operator = text_ends((struct text){name.at, start}, "operator");
    bool opens = *p == '<' || *p == '(' || *p == '{', closes = *p == '>' || *p == ')' || *p == '}';
    bool is_arrow = *p == '>' && p > name.at && p[-1] == '-';
    return is_operator || is_arrow ? depth : depth + opens - (depth > 0 && closes);
}

/*
 * The end of a name, from the first part of its namespace that fits: `\ParserAbstract->doParse`, `::push_back(int&&)`.
 * Parts are not looked for between brackets. If none fits: the last part.
 */
static struct text last_parts(struct text name, size_t width)
{
    struct text last = name;
    int depth = 0;
    for (const char *p = name.at; p < name.end; p++) {
        depth = depth_after(name, p, depth);
        if (depth > 0 || (*p != '\\' && !text_starts((struct text){p, name.end}, "::")))
            continue;
        last.at = p;
        if (show_width(last) <= width)
            break;
    }
    return last;
}

enum { MOST_LISTS = 32 };

/*
 * Finds the lists of arguments of a name that are not folded, as C++ has them: brackets after a word, and after those
 * of a function nothing but qualifiers, a recursion level, or another part of the name. Returns how many these are.
 */
static size_t find_lists(struct text name, struct text lists[MOST_LISTS])
{
    static const char *const endings[] = {"",    "::*", " const*", " volatile*", " noexcept*",
                                          " &*", " [*", "#*",      "}*",         NULL};
    struct text list = {name.at, name.at};
    size_t count = 0;
    int depth = 0;
    for (const char *p = name.at; p < name.end && count < MOST_LISTS; p++) {
        int before = depth;
        depth = depth_after(name, p, depth);
        if (before == 0 && depth == 1)
            list.at = p + 1;
        list.end = p;
        bool is_list = before == 1 && depth == 0 && list.at - 1 > name.at && text_length(list) >= strlen(ELLIPSIS) &&
                       !text_equals(list, ELLIPSIS);
        const char *word = list.at - 1; /* the end of the word before it, or of `operator` */
        while (is_list && word > name.at && strchr("<>=-+*/%&|^~![]() ", word[-1]) != NULL)
            word--;
        bool is_operator = is_list && text_ends((struct text){name.at, word}, "operator");
        if (!is_list || (strchr(" :./\\,(<{[", list.at[-2]) != NULL && !is_operator))
            continue;
        struct text rest = {p + 1, name.end};
        bool is_level = text_length(rest) > 1 && *rest.at == '\'' && char_is_digit(rest.at[1]);
        if (*p == '>' || (*p == ')' && (is_level || text_matches_any(rest, endings))))
            lists[count++] = list;
    }
    return count;
}

struct text table_short_name(struct text name, size_t width, char buffer[TABLE_NAME])
{
    const size_t size = strlen(ELLIPSIS);
    char *start = buffer + size; /* with room for an ellipsis before it */
    struct text list, lists[MOST_LISTS];
    if (text_length(name) + size > TABLE_NAME)
        return name;
    char *end = start;
    for (const char *c = name.at, *zero = NULL; c < name.end; c++) { /* zero: of an address that begins a part of it */
        if ((c == name.at || c[-1] == '\'') && text_starts((struct text){c, name.end}, "0x"))
            zero = c + 2;
        if (c == zero && *c == '0' && c + 1 < name.end && char_is_hex(c[1]))
            zero++;
        else
            *end++ = *c;
    }
    name = (struct text){start, end};
    for (size_t k = find_lists(name, lists); k-- > 0 && show_width(name) > width;) {
        char *at = start + (lists[k].at - name.at);
        memcpy(at, ELLIPSIS, size);
        memmove(at + size, lists[k].end, (size_t)(name.end - lists[k].end));
        name.end -= text_length(lists[k]) - size;
    }
    if (show_width(name) <= width)
        return name;
    list = last_parts(name, width - 1);
    for (const char *p = list.end - size; show_width(list) > width && --p > list.at;)
        if (text_starts((struct text){p, list.end}, "(" ELLIPSIS ")"))
            list.end = p;
    if (show_width(list) < width)
        list.at = memcpy(start + (list.at - name.at) - size, ELLIPSIS, size);
    else
        while (list.at < name.end && strchr(":\\", *list.at) != NULL)
            list.at++;
    return list;
}

static int by_shown(const void *left, const void *right)
{
    const struct table_name *a = *(struct table_name *const *)left, *b = *(struct table_name *const *)right;
    int order = text_compare(a->shown, b->shown);
    return order != 0 ? order : text_compare(a->name, b->name);
}

/* The item of a list, between commas, that `at` is in. */
static struct text item_at(struct text list, const char *at)
{
    struct text item = list;
    int depth = 0;
    for (const char *c = list.at; c < list.end; c++) {
        depth += memchr("<({[", *c, 4) != NULL ? 1 : memchr(">)}]", *c, 4) != NULL ? -1 : 0;
        if (*c != ',' || depth > 0)
            continue;
        if (c >= at) {
            item.end = c;
            break;
        }
        item.at = c + 1 + (c + 1 < list.end && c[1] == ' ');
    }
    return item;
}

/* A text of at most that width, at most half of it before `at`; ellipses replace the ends of both parts. */
static struct text cut(struct text text, size_t at, size_t width)
{
    struct buffer cut = {.length = 0};
    struct text head = text_of(text.at, at), tail = {head.end, text.end};
    if (show_width(text) <= width)
        return text;
    size_t room = at == 0 ? width : MIN(show_width(tail), width / 2 + 1), half = room / 2;
    buffer_add(&cut, show_cut(head, width > room + 1 ? width - room - 1 : 0, false));
    buffer_add_string(&cut, at == 0 ? "" : ELLIPSIS);
    bool fits = show_width(tail) <= room;
    buffer_add(&cut, fits ? tail : show_cut(tail, half, false));
    buffer_add_string(&cut, fits ? "" : ELLIPSIS);
    buffer_add(&cut, show_cut(tail, fits || room < half + 1 ? 0 : room - half - 1, true));
    return buffer_text(&cut);
}

/* Appends a name whose arguments are folded, but for the item that `at` is in. Returns where that is in the text. */
static size_t fold_around(struct buffer *folded, struct text name, const char *at, unsigned level)
{
    enum { MOST_LEVELS = 4 };
    struct text lists[MOST_LISTS];
    size_t count = level < MOST_LEVELS ? find_lists(name, lists) : 0, found = folded->length + (size_t)(at - name.at);
    for (struct text *list = lists; list < lists + count; list++) {
        buffer_add(folded, (struct text){name.at, list->at});
        name.at = list->end;
        if (at < list->at || at >= list->end) {
            buffer_add_string(folded, ELLIPSIS);
            found = at < list->end ? found : folded->length + (size_t)(at - name.at);
            continue;
        }
        struct text item = item_at(*list, at);
        buffer_add_string(folded, item.at > list->at ? ELLIPSIS ", " : "");
        found = fold_around(folded, item, at, level + 1);
        buffer_add_string(folded, item.end < list->end ? ", " ELLIPSIS : "");
    }
    buffer_add(folded, name);
    return found;
}

/* Names that are shown alike, but differ, are shown from the word on where they do. Returns whether there were any. */
static bool show_differences(struct table_name **all, size_t count)
{
    bool are_any = false;
    qsort(all, count, sizeof *all, by_shown);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && text_same(all[end]->shown, all[i]->shown);)
            end++;
        struct text first = all[i]->name, last = all[end - 1]->name; /* which differ first, as all are in order */
        size_t same = 0;
        while (same < MIN(text_length(first), text_length(last)) && first.at[same] == last.at[same])
            same++;
        struct text before = text_of(first.at, same);
        text_take_end(&before, char_is_word);
        for (size_t k = i; k < end && !text_same(first, last); k++) {
            struct buffer folded = {.length = 0};
            size_t at = fold_around(&folded, all[k]->name, all[k]->name.at + text_length(before), 0);
            all[k]->shown = cut(buffer_text(&folded), at, all[k]->width);
            are_any = all[k]->is_different = true;
        }
    }
    return are_any;
}

void table_keep_different(struct table_name *names, size_t count)
{
    enum { ROUNDS = 4 }; /* those that are the same where others differ may differ later */
    char buffer[TABLE_NAME];
    struct table_name **all = memory_get((count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        struct text text = table_short_name(names[i].name, names[i].width, buffer);
        names[i].shown = text_of(memory_copy(text.at, text_length(text)), text_length(text));
        all[i] = &names[i];
    }
    for (int round = 0; round < ROUNDS && show_differences(all, count); round++)
        continue;
    for (struct table_name *n = names; n < names + count; n++)
        if (!n->is_different) {
            memory_free((char *)n->shown.at);
            n->shown = n->name;
        }
    memory_free(all);
}

/* SPDX-License-Identifier: MIT */
/* Several events that are wanted of an input, which are read at once. */
#include "model/units.h"
#include "read/frontend.h"

static void add(struct event_wishes *wishes, struct event_wish wish, struct diag *diag)
{
    for (size_t i = 0; i < wishes->count; i++)
        if (text_same(wishes->all[i].name, wish.name))
            return;
    if (wishes->count == MOST_EVENTS && (wishes->list != NULL || wishes->must_fit))
        events_are_too_many(diag);
    if (wishes->count < MOST_EVENTS)
        wishes->all[wishes->count++] = wish;
}

/* Takes the longest name of an event that a comma or the end follows, or what precedes the next comma. */
static struct text take_event(struct text *rest, const struct event_list *list)
{
    struct text after = *rest, name = text_trim(text_take_to(&after, ','));
    size_t longest = 0;
    text_skip_blanks(rest);
    for (size_t i = 0; i < list->count; i++) {
        struct text listed = text_of_string(list->events[i].name), behind = *rest;
        if (!text_starts(*rest, list->events[i].name) || text_length(listed) < MAX(longest, 1))
            continue;
        behind.at += text_length(listed);
        text_skip_blanks(&behind);
        if (!text_is_empty(behind) && *behind.at != ',')
            continue;
        longest = text_length(listed);
        name = listed;
        after = behind;
        after.at += !text_is_empty(behind);
    }
    *rest = after;
    return name;
}

/* Those that count the same as a wish that was known before, perhaps of an earlier part or input, are that. */
static void add_all(struct event_wishes *wishes, const struct event_list *list, bool measured, struct diag *diag)
{
    size_t known = wishes->count;
    wishes->takes_all = true;
    for (size_t i = 0; i < list->count; i++) {
        struct event_wish wish = {.name = text_of_string(list->events[i].name), .is_optional = true};
        bool is_new = !measured || list->events[i].formula == NULL;
        for (size_t k = 0; k < known && is_new; k++)
            is_new = !unit_is_same(unit_of(wishes->all[k].name), unit_of(wish.name));
        if (is_new)
            add(wishes, wish, diag);
    }
}

void event_wishes_resolve(struct event_wishes *wishes, const struct event_list *list, struct diag *diag)
{
    bool is_first = wishes->count == 0;
    if (wishes->are_known && !wishes->takes_all)
        return;
    for (struct text rest = text_of_string(wishes->list != NULL ? wishes->list : ""); !text_is_empty(rest);) {
        struct event_wish wish = {.name = take_event(&rest, list), .is_given = true};
        bool is_all = text_equals(wish.name, "all");
        for (size_t i = 0; i < list->count && is_all; i++)
            is_all = strcmp(list->events[i].name, "all") != 0;
        if (text_is_empty(wish.name))
            diag_error(diag, 0, "found events \"%s\", expected names with a comma between each two", wishes->list);
        if (is_all)
            add_all(wishes, list, false, diag);
        else
            add(wishes, wish, diag);
    }
    if (wishes->list == NULL)
        add_all(wishes, list, true, diag);
    wishes->count = MAX(wishes->count, 1);
    if (is_first && wishes->list == NULL)
        wishes->all[0].is_optional = false;
}

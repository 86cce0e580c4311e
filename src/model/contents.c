/* SPDX-License-Identifier: MIT */
#include "model/contents.h"

void header_lines_add(struct header_lines *lines, struct text key, struct text value)
{
    struct header_line line = {key, value};
    array_append(&lines->all, &lines->count, &lines->capacity, &line, sizeof line);
}

void contents_settle_allocated(struct contents *contents)
{
    const cost_t *all = contents->allocated != NULL ? contents->allocated + contents->profile.function_count : NULL;
    if (all != NULL)
        contents->facts.total = all[0];
    if (all != NULL && all[0] == all[1])
        contents->allocated = NULL;
}

struct text header_lines_text(const struct header_lines *lines)
{
    struct buffer text = {.bytes = NULL};
    for (size_t i = 0; i < lines->count; i++) {
        buffer_add(&text, lines->all[i].key);
        buffer_add_string(&text, ": ");
        buffer_add(&text, lines->all[i].value);
        buffer_add_string(&text, "\n");
    }
    return buffer_text(&text);
}

#include "frontends/cost_runs.h"

#include "util/array.h"

#include <stdlib.h>

/*
 * The line in front of a run, as long as it is not known. Lines have eight digits, so what is still
 * relative to it at the end of a block is near, and what is not is far away.
 */
#define UNKNOWN_LINE (UINT64_C(1) << 62)
#define NEAR (UINT64_C(1) << 60)

void cost_runs_free(struct cost_runs *runs)
{
    free(runs->runs);
    *runs = (struct cost_runs){0};
}

void cost_runs_set_form(struct cost_runs *runs, struct cost_form form)
{
    if (runs->form.has_other_position == form.has_other_position &&
        runs->form.remembers_self == form.remembers_self && runs->form.columns == form.columns)
        return;
    runs->form = form;
    runs->count = runs->next = 0;
}

/* Steps over a line, and the cost line behind it that is not about own cost alone. NULL: near the end. */
static const char *skip_other_line(struct text block, const char *p)
{
    bool has_cost_line = line_begins(p, "calls=") || line_begins(p, "fn=");
    p = cost_lines_next(block, p);
    return p != NULL && has_cost_line && cost_line_begins(*p) ? cost_lines_next(block, p) : p;
}

bool cost_runs_find(struct cost_runs *runs, struct text block)
{
    runs->count = runs->next = 0;
    while (block.at != NULL && text_length(block) > COST_LINES_MARGIN) {
        struct cost_run run;
        cost_lines_take(runs->form, block, UNKNOWN_LINE, &run);
        if (text_is_empty(run.text)) {
            block.at = skip_other_line(block, block.at);
            continue;
        }
        if (!array_reserve(&runs->runs, &runs->capacity, runs->count + 1, sizeof run))
            return false;
        runs->runs[runs->count++] = run;
        block.at = run.text.end;
    }
    return true;
}

bool cost_runs_take(struct cost_runs *runs, const char *at, uint64_t line, struct cost_run *run)
{
    while (runs->next < runs->count && runs->runs[runs->next].text.at < at)
        runs->next++;
    if (runs->next == runs->count || runs->runs[runs->next].text.at != at)
        return false;
    *run = runs->runs[runs->next++];
    if (run->line - (UNKNOWN_LINE - NEAR) < 2 * NEAR)
        run->line += line - UNKNOWN_LINE;
    return true;
}

#include "frontends/fast_sums.h"

#include "util/digits.h"

/* Own cost that is entered before more is added. */
#define ENOUGH_SELF (UINT64_C(1) << 62)

/* What is being read. */
struct run {
    struct text text;
    uint64_t self; /* of the current function, to be entered yet; below 2^63 */
    bool failed;   /* which was reported */
};

/* Takes `(ID)` and its newline, if that is an alias that is known. */
HOT bool take_known_alias(const struct aliases *aliases, const char **p, uint32_t *name)
{
    uint64_t bytes = load8(*p + 1);
    unsigned digits = count_digits(bytes);
    if (**p != '(' || digits == 0 || digits == 8 || memcmp(*p + 1 + digits, ")\n", 2) != 0)
        return false;
    *name = aliases_find(aliases, convert_digits(bytes, digits));
    *p += digits + 3;
    return *name != INDEX_NONE;
}

/* Takes the value of a position line, from `*p` on, to the end of its line. */
static bool take_name(const struct fast_sums *s, const struct run *run, struct aliases *aliases,
                      const char **p, uint32_t *name)
{
    const char *start = *p;
    if (take_known_alias(aliases, p, name))
        return run->text.end - *p >= COST_LINES_MARGIN;
    const char *next = cost_lines_next(run->text, start);
    if (next == NULL || next[-2] == '\r')
        return false;
    struct text value = {start, next - 1};
    *p = next;
    return aliases_resolve(aliases, &s->builder->profile->names, value, name) == ALIAS_OK;
}

/* Enters the own cost of the current function. */
static bool enter_self(struct fast_sums *s, struct run *run)
{
    cost_t self = (cost_t)run->self;
    run->self = 0;
    cost_add(&s->self, self);
    return self == 0 || builder_self(s->builder, 0, s->file == s->entered_file, self);
}

static uint32_t line_number(uint64_t line)
{
    return line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* The line is known to be of no use to the function, so it is not in what is entered later. */
static bool take_first_cost(struct fast_sums *s, struct run *run, const struct cost_line *line)
{
    s->line = line->line;
    s->call_file = s->file;
    run->text.at = line->next;
    cost_add(&s->self, (cost_t)line->cost);
    return builder_self(s->builder, line_number(line->line), true, (cost_t)line->cost);
}

static void count_lines(struct fast_sums *s, uint64_t lines)
{
    s->lines += lines;
    s->sensible_lines += lines;
}

/* Takes cost lines, as many as there are. */
static void take_costs(struct fast_sums *s, struct run *run)
{
    struct cost_run costs;
    if (!cost_runs_take(s->ahead, run->text.at, s->line, &costs))
        cost_lines_take(s->form, run->text, s->line, &costs);
    run->text.at = costs.text.end;
    run->self += costs.cost;
    s->line = costs.line;
    if (costs.has_cost)
        s->call_file = s->file;
    count_lines(s, costs.lines);
    s->lines += costs.blank_lines;
}

/*
 * What follows takes all lines that belong together, or none: false, and nothing has happened but that
 * aliases were defined, which will happen again.
 */

static bool take_call(struct fast_sums *s, struct run *run)
{
    const char *p = run->text.at;
    uint32_t object = s->object, file = s->call_file, name;
    unsigned lines = 3;
    if (line_begins(p, "cob=")) {
        p += 4;
        if (!take_name(s, run, s->object_aliases, &p, &object))
            return false;
        lines++;
    }
    if (line_begins(p, "cfi=") || line_begins(p, "cfl=")) {
        p += 4;
        if (!take_name(s, run, s->file_aliases, &p, &file))
            return false;
        lines++;
    }
    if (!line_begins(p, "cfn="))
        return false;
    p += 4;
    if (!take_name(s, run, s->function_aliases, &p, &name) || !line_begins(p, "calls="))
        return false;

    p += 6;
    struct cost_line line = {.line = s->line};
    uint64_t bytes = load8(p);
    unsigned digits = count_digits(bytes);
    if (digits == 0 || digits == 8 || p[digits] != ' ')
        return false;
    p = cost_lines_next(run->text, p);
    if (p == NULL || !cost_lines_take_one(s->form, p, &line))
        return false;

    if (!s->form.remembers_self)
        s->line = line.line;
    run->text.at = line.next;
    count_lines(s, lines);
    run->failed = !enter_self(s, run) ||
                  !builder_function(s->builder, object, file, name, &s->callee) ||
                  !builder_call(s->builder, s->callee, line_number(line.line),
                                convert_digits(bytes, digits), (cost_t)line.cost);
    s->has_callee = true;
    return !run->failed;
}

static bool take_function(struct fast_sums *s, struct run *run)
{
    const char *p = run->text.at;
    struct cost_line line = {.line = s->line};
    uint32_t object = s->object, file = s->function_file, name;
    bool has_file = false;
    unsigned lines = 2;
    if (line_begins(p, "ob=")) {
        p += 3;
        if (!take_name(s, run, s->object_aliases, &p, &object))
            return false;
        lines++;
    }
    if (line_begins(p, "fl=")) {
        p += 3;
        if (!take_name(s, run, s->file_aliases, &p, &file))
            return false;
        has_file = true;
        lines++;
    }
    if (!line_begins(p, "fn="))
        return false;
    p += 3;
    if (!take_name(s, run, s->function_aliases, &p, &name) ||
        !cost_lines_take_one(s->form, p, &line))
        return false;

    run->failed = !enter_self(s, run) || !builder_enter(s->builder, object, file, name);
    s->object = object;
    s->file = s->function_file = s->entered_file = file;
    s->function_name = name;
    s->has_file |= has_file;
    count_lines(s, lines);
    run->failed = run->failed || !take_first_cost(s, run, &line);
    return !run->failed;
}

static bool take_other(struct fast_sums *s, struct run *run)
{
    switch (*run->text.at) {
    case 'c':
        return take_call(s, run);
    case 'o':
    case 'f':
        return take_function(s, run);
    default:
        return false;
    }
}

bool fast_sums_take(struct fast_sums *s, struct text *text)
{
    struct run run = {.text = *text};
    do {
        take_costs(s, &run);
        if (run.self >= ENOUGH_SELF && !enter_self(s, &run))
            return false;
    } while (text_length(run.text) > COST_LINES_MARGIN && take_other(s, &run));
    text->at = run.text.at;
    return !run.failed && enter_self(s, &run);
}

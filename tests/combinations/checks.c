/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include "figures.h"

#include <stdio.h>
#include <string.h>

static bool is_valid(const struct command *c)
{
    bool known[DIMENSIONS];
    memset(known, true, sizeof known);
    return refusal(c, known) == NULL;
}

/* The command with another value. */
static struct command with(struct command c, enum dimension d, const char *value)
{
    c.values[d] = value_called(d, value);
    return c;
}

static const char *sanitizer_says(const struct result *r)
{
    const char *at = strstr(r->messages, "SUMMARY: ");
    at = at != NULL ? at : strstr(r->messages, "runtime error: ");
    return at != NULL ? keep_text("%.*s", (int)strcspn(at, "\n"), at) : "";
}

/* What may be because of two options together, such as --only and --hide of the same. A pair counts without it only. */
static const char *const rare[] = {"no function matches", "has no object names", "no sample is of the threads"};

struct result check_command(const struct command *c, const char *says)
{
    struct result r = run(c);
    bool is_refused = r.status == 1 || r.status == 2, may_be_refused = says != NULL;
    if (r.status == TIMED_OUT)
        finding("a command does not end", command_text(c), NULL);
    else if (r.status > 3 || strstr(r.messages, "runtime error:") != NULL || strstr(r.messages, "Sanitizer") != NULL)
        finding(keep_text("exit status %d %s", r.status, sanitizer_says(&r)), r.messages, command_text(c), NULL);
    else if (is_refused && (r.length > 0 || strncmp(r.messages, "cg2wg: ", 7) != 0))
        finding("a command is refused without a message, or prints something all the same", command_text(c), NULL);
    else if (r.status == 3 && c->values[FAIL_ABOVE] == 0 && c->values[FAIL_FUNCTION] == 0)
        finding("exit status 3 without --fail-above", command_text(c), NULL);
    if (is_refused && !may_be_refused && c->values[STRICT] > 0) { /* for a problem that is else a warning */
        struct command lenient = *c;
        lenient.values[STRICT] = lenient.values[QUIET] = 0;
        lenient.values[VERBOSE] = 1;
        may_be_refused = strstr(run(&lenient).messages, "warning: ") != NULL;
    }
    for (size_t i = 0; i < sizeof rare / sizeof rare[0]; i++)
        may_be_refused |= strstr(r.messages, rare[i]) != NULL;
    if (is_refused && !may_be_refused)
        finding("a command is refused", r.messages, command_text(c), NULL);
    if (r.status <= 3 && says != NULL && strcmp(says, ANYTHING) != 0 &&
        (!is_refused || strstr(r.messages, says) == NULL))
        finding(keep_text("expected \"%s\"", says), r.messages, command_text(c), NULL);
    return r;
}

/* ---- figures of a command ----------------------------------------------------------------- */

static enum cg2wg_style style_of(const struct command *c)
{
    return (enum cg2wg_style)c->values[PRINT]; /* whose values begin with the styles, in their order */
}

/* Runs a command, which is valid unless it cannot be, and reads its figures. */
static bool read_figures(const struct command *c, struct figures *f)
{
    if (!is_valid(c))
        return false;
    struct result r = check_command(c, NULL);
    const char *wrong = r.status == 0 || r.status == 3 ? figures_read(style_of(c), r.out, r.length, f) : NULL;
    if (wrong != NULL)
        finding(wrong, command_text(c), NULL);
    return wrong == NULL && (r.status == 0 || r.status == 3);
}

static void compare(const struct figures *a, const struct command *of_a, const struct figures *b,
                    const struct command *of_b, unsigned parts, const char *what)
{
    const char *wrong = figures_differ(a, b, parts);
    if (wrong != NULL)
        finding(what, wrong, command_text(of_a), of_b != NULL ? command_text(of_b) : "", NULL);
}

/* All rows of one side, with all costs. */
static struct command whole(struct command c)
{
    static const enum dimension without[] = {OUTPUT, BASE,     FUNCTION,    TOP,        DEPTH,  COLOR,
                                             LINES,  SOURCE,   ONLY,        HIDE,       STATS,  VERBOSE,
                                             STRICT, PROGRESS, NO_PROGRESS, FAIL_ABOVE, FORMAT, FAIL_FUNCTION};
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
        c.values[without[i]] = 0;
    return with(with(c, ALL, "given"), MIN, "0");
}

/* Makes it valid in a style; what else it says may be taken away. */
static bool in_style(struct command *c, const char *style)
{
    bool kept[DIMENSIONS] = {[KIND] = true, [PRINT] = true, [MIN] = true};
    *c = with(*c, PRINT, style);
    return repair(c, kept);
}

static bool is_one_event(const struct command *c)
{
    return !value_is(c, EVENT, "all") && !value_is(c, EVENT, "<first>,<second>");
}

/* Does any row of JSON have what was allocated, because some of it was freed? */
static bool frees(const struct figures *json)
{
    const struct json *row = json_at(json_get(json->parsed, "functions"), 0);
    return json_get(row, "allocated") != NULL || json_get(json_at(json_get(row, "costs"), 1), "allocated") != NULL;
}

/* Does JSON have names with levels of recursion, which rows are read without? Some may have changed, and others not. */
static bool has_levels(const struct figures *json)
{
    const struct json *row = json_at(json_get(json->parsed, "functions"), 0);
    while (row != NULL && strchr(json_get(row, "name")->text, '\'') == NULL)
        row = row->next;
    return row != NULL;
}

/* Are rows functions, or groups of them that are named alike in all styles, and in merged inputs? */
static bool has_names(const struct command *c)
{
    return c->values[GROUP] < value_called(GROUP, "line");
}

static unsigned parts_of(const struct figures *f)
{
    bool has_inclusive = f->count > 0 && f->rows[0].inclusive[0] != NO_COST;
    return COSTS | SHARES | (has_inclusive ? INCLUSIVES : 0) |
           (f->count > 0 && f->rows[0].count != NO_COST ? COUNTS : 0);
}

/* ---- checks ------------------------------------------------------------------------------- */

/* In pprof, costs are in the unit that JSON says. */
static void to_unit(struct figures *f)
{
    int64_t divisor = json_number_of(f->parsed, "divisor");
    for (size_t i = 0; i < f->count; i++)
        f->rows[i].self[0] = (int64_t)((uint64_t)f->rows[i].self[0] * (uint64_t)divisor);
}

/* Is an event defined by others, in an input of this kind? */
static bool is_formula(const struct known *kind, const char *event)
{
    size_t i = kind->measured;
    while (i < kind->event_count && strcmp(kind->events[i], event) != 0)
        i++;
    return i < kind->event_count;
}

/* A page, unless it is told which, has all events with costs; each has the figures that it has elsewhere. */
static void compare_pages(const struct command *page_command, const struct figures *page, struct command json_command)
{
    struct figures json;
    size_t found = 0;
    struct command all = with(json_command, EVENT, "all");
    bool are_all = json_command.values[EVENT] == 0 && is_valid(&all);
    json_command = are_all ? all : json_command;
    if (!read_figures(&json_command, &json))
        return;
    for (size_t i = 0; i < json.event_count && found < 16; i++) {
        bool has_cost = i == 0;
        size_t e = 0;
        const struct known *kind = &known_of[page_command->values[KIND]];
        const struct known *other = &known_of[kind_called(kinds[kind - known_of].other) - kinds];
        if (are_all && (is_formula(kind, json.events[i]) || is_formula(other, json.events[i])))
            continue;
        for (size_t k = 0; k < json.count; k++)
            has_cost |= json.rows[k].self[i] != 0;
        while (has_cost && e < page->event_count && strcmp(page->events[e], json.events[i]) != 0)
            e++;
        if (!has_cost)
            continue;
        found++;
        if (e == page->event_count) {
            finding("a page lacks an event", json.events[i], command_text(page_command), command_text(&json_command),
                    NULL);
            return;
        }
        struct figures of_page = figures_event(page, e), of_json = figures_event(&json, i);
        compare(&of_page, page_command, &of_json, &json_command, COSTS | INCLUSIVES | SHARES | (e == 0 ? COUNTS : 0),
                "a page and JSON differ");
    }
}

/* The runs, threads and processes of a page cost what JSON says. Of one kind, there may be no more than one. */
static void compare_parts(const struct command *page_command, const struct figures *page, struct command json_command)
{
    static const char *const groups[] = {"run", "thread", "process"};
    const struct json *parts = json_get(json_at(page->parsed, 0), "parts");
    for (size_t kind = 0; kind < 3 && is_one_event(&json_command); kind++) {
        struct figures json;
        struct command c = with(json_command, GROUP, groups[kind]);
        size_t count = 0;
        for (const struct json *part = json_at(parts, 0); part != NULL; part = part->next)
            count += json_at(part, 1)->number == (int64_t)kind;
        if (count == 0 || !is_valid(&c) || !read_figures(&c, &json))
            continue;
        for (const struct json *row = json_at(json_get(json.parsed, "functions"), 0); row != NULL; row = row->next) {
            const char *name = json_get(row, "name")->text;
            int64_t cost = 0;
            for (const struct json *part = json_at(parts, 0); part != NULL; part = part->next)
                if (json_at(part, 1)->number == (int64_t)kind && strcmp(json_at(part, 0)->text, name) == 0)
                    cost += json_at(part, 2)->number;
            if (cost != json_number_of(row, "self"))
                finding("a part of a page costs something else", name, command_text(page_command), command_text(&c),
                        NULL);
        }
    }
}

/* All styles say the same. */
static void check_styles(const struct command *given)
{
    static const char *const styles[] = {"table", "csv", "html", "pprof", "stacks", "lines", "tree", "dot"};
    const char *style = styles[any(sizeof styles / sizeof styles[0])];
    struct command c = whole(*given), json_command, of_functions;
    struct figures json, f, functions;
    bool are_stacks = strcmp(style, "pprof") == 0 || strcmp(style, "stacks") == 0 || strcmp(style, "tree") == 0;
    if (are_stacks)
        c = with(c, ESTIMATE, "given");
    if (value_is(&c, SORT, "time")) /* whose rows are calls, some of them merged */
        c.values[SORT] = 0;
    /* A level of recursion, f'2, is a function of its own there, and by name alone it may be in another file than f. */
    if (are_stacks && c.values[GROUP] > 0 && value_is(&c, IDENTITY, "name"))
        return;
    if (!in_style(&c, style))
        return;
    if (strcmp(style, "dot") == 0)
        c = with(c, RAW, "given");
    json_command = c;
    json_command.values[ESTIMATE] = json_command.values[LINK] = 0;
    json_command.values[GROUP] = strcmp(style, "html") == 0 ? 0 : c.values[GROUP]; /* which a page opens with */
    if (!in_style(&json_command, "json") || !read_figures(&json_command, &json) || !read_figures(&c, &f))
        return;
    if (strcmp(style, "html") == 0) {
        compare_pages(&c, &f, json_command);
        compare_parts(&c, &f, json_command);
        return;
    }
    of_functions = json_command; /* groups do not say that some of it was freed */
    of_functions.values[GROUP] = 0;
    if (are_stacks && (!read_figures(&of_functions, &functions) || frees(&functions)))
        return;
    unsigned parts = strcmp(style, "csv") == 0
                         ? COSTS | INCLUSIVES | (is_one_event(&c) ? COUNTS : 0) | (c.values[SORT] > 0 ? BY_ORDER : 0)
                     : strcmp(style, "table") == 0 ? BY_ORDER | ALL_FIGURES
                     : strcmp(style, "dot") == 0   ? BY_NAME | COSTS | INCLUSIVES
                                                   : BY_NAME | COSTS;
    if (strcmp(style, "pprof") == 0)
        to_unit(&json);
    if ((strcmp(style, "csv") == 0 && !has_names(&c)) || (strcmp(style, "table") == 0 && (!has_names(&c) || !is_one_event(&c) || has_nature(&c, "sizes"))))
        return;
    for (size_t i = 0; i < f.count && are_stacks; i++) /* of which some are united where they are too deep */
        if (strcmp(f.rows[i].name, "deeper") == 0)
            return;
    compare(&f, &c, &json, &json_command, parts, keep_text("%s and JSON differ", style));
}

/* Groups are sums of their functions; one of a single function, which nobody calls from within, is that function. */
static void check_groups(const struct command *given)
{
    static const char *const groups[] = {"file", "object", "class"};
    size_t by = any(3);
    struct command c = whole(*given), grouped;
    struct figures functions, f;
    c.values[GROUP] = 0;
    if (!in_style(&c, "json"))
        return;
    grouped = with(c, GROUP, groups[by]);
    if (!read_figures(&c, &functions) || !read_figures(&grouped, &f))
        return;
    for (size_t i = 0; i < functions.count; i++)
        functions.rows[i].name = by == 0 ? functions.rows[i].file : by == 1 ? functions.rows[i].object : "all";
    for (size_t i = 0; i < f.count; i++)
        f.rows[i].name = by == 2 ? "all" : strncmp(f.rows[i].exact, "no ", 3) == 0 ? "" : f.rows[i].name;
    compare(&f, &grouped, &functions, &c, frees(&functions) ? BY_NAME | COSTS : BY_NAME | COSTS | SHARES, "groups are not the sums of their functions");
}

/* The lines of a function add up to it, and their calls to its calls. */
static void check_lines(const struct command *given)
{
    struct command c = whole(*given);
    struct figures f;
    c = with(with(c, GROUP, ""), LINES, "given");
    if (!in_style(&c, "json") || c.values[LINES] == 0 || !read_figures(&c, &f))
        return;
    for (const struct json *row = json_at(json_get(f.parsed, "functions"), 0); row != NULL; row = row->next) {
        uint64_t self = 0, calls = 0, costs = 0;
        for (const struct json *line = json_at(json_get(row, "lines"), 0); line != NULL; line = line->next) {
            self += (uint64_t)json_number_of(line, "self");
            calls += (uint64_t)json_number_of(line, "calls");
        }
        for (const struct json *call = json_at(json_get(row, "sub_calls"), 0); call != NULL; call = call->next)
            costs += (uint64_t)json_number_of(call, "cost");
        if (json_get(row, "lines") != NULL && (self != (uint64_t)json_number_of(row, "self") || calls != costs)) {
            finding("lines are not what their function is", json_get(row, "name")->text, command_text(&c), NULL);
            return;
        }
    }
}

/* What is called, is called by its callers; calls are the invocations of who is called by somebody only. */
static void check_calls(const struct command *given)
{
    struct command c = whole(*given);
    struct figures f;
    uint64_t sums[2][2] = {{0, 0}, {0, 0}};
    if (!in_style(&c, "json") || !read_figures(&c, &f))
        return;
    for (const struct json *row = json_at(json_get(f.parsed, "functions"), 0); row != NULL; row = row->next)
        for (int i = 0; i < 2; i++)
            for (const struct json *call = json_at(json_get(row, i == 0 ? "called_from" : "sub_calls"), 0);
                 call != NULL; call = call->next) {
                sums[i][0] += (uint64_t)json_number_of(call, "count");
                sums[i][1] += (uint64_t)json_number_of(call, "cost");
            }
    if (memcmp(sums[0], sums[1], sizeof sums[0]) != 0)
        finding("callers and callees do not agree", command_text(&c), NULL);
}

/* Several inputs are the sum of each, in any order. */
static void check_sum(const struct command *given)
{
    static const char *const counts[] = {"same", "other", "swapped"};
    size_t way = any(3);
    struct command c = whole(*given), one = c, two, both;
    struct figures f[3];
    one = with(with(one, COUNT, "one"), WAY, "file");
    one.values[ONLY] = one.values[HIDE] = 0;
    if (way > 0)
        one.values[EVENT] = 0;
    bool is_by_name = value_is(&one, IDENTITY, "") || value_is(&one, IDENTITY, "name");
    /* {main} is of the first file; a preprocessed file by itself has objects, whatever functions are known by */
    if (!has_names(&one) || (is_by_name && !value_is(&one, GROUP, "class")) ||
        (value_is(&one, IDENTITY, "file") && value_is(&one, GROUP, "object")))
        one.values[GROUP] = 0;
    if (!in_style(&one, "json"))
        return;
    both = with(one, COUNT, counts[way]);
    two = one;
    if (way == 0)
        two.first++;
    else
        two = with(one, KIND, kinds[one.values[KIND]].other);
    if (!is_valid(&both) || !is_valid(&two))
        return;
    if (!read_figures(&both, &f[2]) || !read_figures(&one, &f[0]) || !read_figures(&two, &f[1]))
        return;
    const char *units[3];
    for (int i = 0; i < 3; i++)
        units[i] = keep_text("%s %lld", json_get(f[i].parsed, "unit")->text,
                             (long long)json_number_of(f[i].parsed, "divisor"));
    if (strcmp(units[0], units[1]) != 0 || strcmp(units[0], units[2]) != 0 || f[0].event_count != f[1].event_count)
        return;
    struct figures sum = figures_sum(&f[0], &f[1]);
    bool are_alike = one.values[GROUP] == 0 || (one.values[RECORDS] == 0 && /* what records are decides about stacks */
                                                has_nature(&one, "stacks") == has_nature(&two, "stacks"));
    compare(&f[2], &both, &sum, &one,
            (parts_of(&f[0]) & parts_of(&f[1]) & ~(value_is(&one, INCLUSIVE, "sum") && are_alike ? 0U : INCLUSIVES) &
             ~(are_alike ? 0U : COUNTS)) |
                BY_NAME,
            "two inputs are not the sum of each");
}

/* An input does not differ from itself. */
static void check_itself(const struct command *given)
{
    struct command c = whole(*given);
    struct figures f;
    c = with(with(with(c, COUNT, "one"), WAY, "file"), BASE, "same");
    if (!in_style(&c, any(2) == 0 ? "json" : "csv") || c.values[BASE] == 0 || !read_figures(&c, &f))
        return;
    if (f.count > 0 || (f.parsed != NULL && json_number_of(f.parsed, "change") != 0))
        finding("an input differs from itself", command_text(&c), NULL);
}

/* A comparison has the figures of both inputs, in any style. */
static void check_differences(const struct command *given)
{
    static const char *const styles[] = {"csv", "html"};
    const char *style = styles[any(2)];
    struct command c = with(with(whole(*given), COUNT, "one"), BASE, any(2) == 0 ? "other" : "three"), other, one;
    struct figures json, f, side;
    if (!is_one_event(&c))
        c.values[EVENT] = 0;
    if (!has_names(&c) || strcmp(style, "html") == 0) /* costs of lines are those of code and of calls; a page has all */
        c.values[GROUP] = 0;
    if (!in_style(&c, "json") || c.values[BASE] == 0 || !read_figures(&c, &json))
        return;
    other = c;
    if (in_style(&other, style) && memcmp(other.values + BASE, c.values + BASE, DIMENSIONS - BASE) == 0 &&
        read_figures(&other, &f)) {
        for (size_t i = 0, used = 0; i < f.count; i++) { /* a page has those that did not change, too */
            bool is_there = false;
            for (size_t k = 0; k < json.count && !is_there; k++)
                is_there = strcmp(json.rows[k].exact, f.rows[i].exact) == 0;
            if (is_there || strcmp(style, "csv") == 0)
                f.rows[used++] = f.rows[i];
            f.count = i + 1 == f.count ? used : f.count;
        }
        bool are_two = true; /* a cost is left out if only one side has it */
        for (size_t i = 0; i < f.count; i++)
            are_two &= f.rows[i].inclusive[0] != NO_COST;
        compare(&f, &other, &json, &c, are_two ? COSTS | INCLUSIVES : COSTS,
                keep_text("%s and JSON differ about a comparison", style));
    }
    one = c;
    one.values[BASE] = 0;
    bool is_per_run = json_get(json.parsed, "per_run")->kind == 't';
    if (is_per_run || json_number_of(json_get(json.parsed, "now"), "factor") != 1 || has_levels(&json) ||
        !read_figures(&one, &side))
        return;
    struct figures now = figures_event(&json, 0);
    for (size_t i = 0, used = 0; i < side.count; i++) {
        bool is_there = false;
        for (size_t k = 0; k < now.count && !is_there; k++)
            is_there = strcmp(now.rows[k].exact, side.rows[i].exact) == 0;
        if (is_there)
            side.rows[used++] = side.rows[i];
        side.count = i + 1 == side.count ? used : side.count;
    }
    compare(&now, &c, &side, &one, COSTS, "a comparison and its input differ");
}

/* Shows a file that was written, of which nothing is known but its options. */
static bool read_again(const struct command *of, const char *path, const char *event, struct figures *f)
{
    char *identity = of->values[IDENTITY] > 0 ? keep_text("--identity=%s", value_name(IDENTITY, of->values[IDENTITY]))
                                              : "-q";
    char *inclusive = of->values[INCLUSIVE] > 0
                          ? keep_text("--inclusive=%s", value_name(INCLUSIVE, of->values[INCLUSIVE]))
                          : "-q";
    struct result r = run_words(
        (char *[]){(char *)program, "-q", "--print=json", (char *)event, identity, inclusive, (char *)path, NULL},
        NULL);
    if (r.status == 0 && figures_read(CG2WG_JSON, r.out, r.length, f) == NULL)
        return true;
    finding("what was written cannot be read", r.messages, command_text(of), NULL);
    return false;
}

/* What is written as callgrind's format, or preprocessed, says the same when it is read again. */
static void check_again(const struct command *given)
{
    struct command c = whole(*given), writes;
    struct figures json, f;
    bool is_callgrind = any(2) == 0;
    c.values[GROUP] = c.values[ONLY] = c.values[HIDE] = 0;
    if (!is_callgrind && !is_one_event(&c))
        c.values[EVENT] = 0;
    else if (is_callgrind && c.values[EVENT] == 0)
        c = with(c, EVENT, "all");
    if (!in_style(&c, "json"))
        return;
    writes = with(c, OUTPUT, "file");
    writes = is_callgrind ? writes : with(writes, SCALE, "none");
    if (is_callgrind && value_is(&c, EVENT, "all"))
        writes.values[EVENT] = 0;
    if (!in_style(&writes, is_callgrind ? "callgrind" : "convert") || writes.values[OUTPUT] == 0)
        return;
    if (!read_figures(&c, &json) || frees(&json) || check_command(&writes, NULL).status != 0)
        return;
    bool is_text = is_callgrind;
    for (size_t i = 0; i < json.count; i++)
        for (size_t e = 0; e < json.event_count && !is_text; e++)
            if (json.rows[i].self[e] < 0 || json.rows[i].self[e] > UINT32_MAX)
                return;
    if (!read_again(&writes, keep_text("%s/out.%s", folder, is_callgrind ? "callgrind" : "other"),
                    is_callgrind && json.event_count > 1 ? "--event=all" : "-q", &f))
        return;
    if (!is_callgrind && json_number_of(json.parsed, "divisor") != json_number_of(f.parsed, "divisor"))
        return;
    compare(&f, &writes, &json, &c, COSTS,
            is_callgrind ? "callgrind's format and JSON differ" : "a preprocessed file and JSON differ");
}

/* Each of all events is as it is alone. */
static void check_events(const struct command *given)
{
    struct command all = with(whole(*given), EVENT, "all"), alone;
    struct figures f, one;
    size_t event = 0; /* among all: inputs of other kinds may have others in between */
    if (!in_style(&all, "json") || all.values[EVENT] == 0 || !read_figures(&all, &f))
        return;
    alone = with(all, EVENT, any(2) == 0 ? "<first>" : "<second>");
    if (f.event_count == 1 || !read_figures(&alone, &one))
        return;
    while (event + 1 < f.event_count && strcmp(f.events[event], one.events[0]) != 0)
        event++;
    struct figures of_all = figures_event(&f, event);
    compare(&of_all, &all, &one, &alone, COSTS | INCLUSIVES | SHARES, "all events and one alone differ");
}

/* However an input comes, and whatever is said about the way, the same is printed. */
static void check_ways(const struct command *given)
{
    static const struct {
        enum dimension dimension;
        const char *value;
    } ways[] = {{WAY, "gzip"},     {WAY, "pipe"},    {OUTPUT, "file"}, {OUTPUT, "packed"},  {THREADS, "1"},
                {THREADS, "3"},    {COLOR, "never"}, {COLOR, "auto"},  {SCALE, "7"},        {QUIET, NULL},
                {VERBOSE, NULL},   {STATS, NULL},    {PROGRESS, NULL}, {NO_PROGRESS, NULL}, {STRICT, NULL},
                {OVERWRITE, NULL}, {ALL, NULL},      {RAW, NULL}};
    size_t way = any(sizeof ways / sizeof ways[0]);
    struct command c = *given, other;
    c.values[ways[way].dimension] = 0;
    if (value_is(&c, PRINT, "storage") || value_is(&c, PRINT, "list-events") || !is_valid(&c))
        return;
    bool is_unit = value_is(&c, PRINT, "convert") && ways[way].dimension == SCALE;
    bool is_dot = value_is(&c, PRINT, "dot"); /* which is of 80 functions without --all */
    bool is_raw = (value_is(&c, PRINT, "html") || value_is(&c, PRINT, "svg") || value_is(&c, PRINT, "tree") ||
                   is_dot) &&
                  ways[way].dimension == RAW;
    other = c;
    other.values[ways[way].dimension] = ways[way].value != NULL ? value_called(ways[way].dimension, ways[way].value)
                                                                : 1;
    bool has_name = value_is(&c, PRINT, "convert") || c.values[BASE] > 0 || value_is(&c, GROUP, "run") ||
                    value_is(&c, GROUP, "call"); /* of the input, in what is printed */
    /* pprof's format has names in the order in which they were read: what describes a recording comes last in a pipe. */
    bool is_order = value_is(&c, PRINT, "pprof") && ways[way].dimension == WAY;
    if (is_unit || is_raw || is_order || (is_dot && ways[way].dimension == ALL) || !is_valid(&other) ||
        (ways[way].dimension == WAY && (has_name || !value_is(&c, COUNT, "one"))))
        return;
    struct result a = check_command(&c, NULL), b = check_command(&other, NULL);
    if (ways[way].dimension == STRICT && b.status == 1)
        return;
    if (a.status != b.status || a.length != b.length || memcmp(a.out, b.out, a.length) != 0)
        finding(keep_text("%s%s changes what is printed", dimension_name(ways[way].dimension),
                          ways[way].value != NULL ? ways[way].value : ""),
                command_text(&c), command_text(&other), NULL);
}

/* What is shown and what is left out is all. */
static void check_rest(const struct command *given)
{
    struct command c = *given, all;
    struct figures f, f_all;
    c.values[BASE] = c.values[FUNCTION] = 0;
    if (c.values[ONLY] == 0 && c.values[HIDE] == 0 && c.values[TOP] == 0 && c.values[MIN] == 0)
        c = with(c, TOP, "3");
    if (!in_style(&c, "json") || !read_figures(&c, &f))
        return;
    all = whole(c);
    if (!read_figures(&all, &f_all))
        return;
    if (figures_self(&f, 0) + f.left_out != figures_self(&f_all, 0))
        finding("what is shown and what is left out are not all", command_text(&c), command_text(&all), NULL);
}

/* The parts, or threads, of an input are all of it. */
static void check_parts(const struct command *given)
{
    struct command c = with(with(whole(*given), COUNT, "one"), WAY, "file");
    struct figures all, sum = {.count = 0}, part;
    c.values[PART] = c.values[TID] = c.values[PID] = c.values[ONLY] = c.values[HIDE] = 0;
    if (!has_nature(&c, "parts") || !in_style(&c, "json") || !is_one_event(&c) || !read_figures(&c, &all))
        return;
    const struct kind *kind = &kinds[c.values[KIND]];
    for (int i = 1; i <= 3; i++) {
        char *choice = keep_text("--%s=%d", nature_of(kind, "tid") != NULL ? "tid" : "part", i);
        struct result r = run_words(
            (char *[]){(char *)program, "-q", "--print=json", choice, known_of[c.values[KIND]].paths[0], NULL}, NULL);
        if (r.status != 0 || figures_read(CG2WG_JSON, r.out, r.length, &part) != NULL)
            continue;
        sum = sum.event_count == 0 ? part : figures_sum(&sum, &part);
    }
    if (c.values[EVENT] == 0 && c.values[IDENTITY] == 0 && c.values[RECORDS] == 0 && c.values[PROXY] == 0 &&
        c.values[GROUP] == 0)
        compare(&all, &c, &sum, NULL, COSTS, "parts are not all");
}

void check_one(const struct command *c)
{
    static void (*const checks[])(const struct command *) = {
        check_styles,      check_styles, check_groups, check_lines, check_calls, check_sum,  check_itself,
        check_differences, check_again,  check_events, check_ways,  check_rest,  check_parts};
    checks[any(sizeof checks / sizeof checks[0])](c);
}

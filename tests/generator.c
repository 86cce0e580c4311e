/* SPDX-License-Identifier: MIT */
#include "generator.h"

#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_EVENTS = 4,
    MAX_PLACES = 3, /* of a function, that have self cost */
    MAX_SITES = 3,  /* of a function, where it calls */
    MAX_PARTS = 3,
    MAX_POSITIONS = 3,
    NONE = -1
};

/* ---- the tree ----------------------------------------------------------------------------- */

typedef int64_t costs_t[MAX_EVENTS];

/* Where code is: a file, and its positions; a profile contains some of them. */
struct place {
    int file; /* the function's own, or that of code inlined into it */
    uint64_t address, block, line;
};

struct source_function {
    int object, file, name; /* numbers in the lists of names; NONE: none */
    struct place places[MAX_PLACES], sites[MAX_SITES];
    int place_count;
    bool has_no_record; /* in sums: its code is known to nobody, only its calls are */
    int number;         /* in the order of first mention, or NONE */
    bool has_line, line_is_own;
    uint32_t line;
};

struct node {
    int function, caller, site, part;
    costs_t self[MAX_PLACES], inclusive;
    int calls[GENERATED_NODES], call_count;
};

/* A key of the grammar that names something: each has a name space for aliases. */
enum name_space { OBJECTS, FILES, FUNCTIONS, NAME_SPACES };

enum { NAMES = 16 };

struct alias_table {
    bool is_defined[NAMES];
    uint64_t id[NAMES];
};

/* A profile that is being made. */
struct maker {
    struct generated *g;
    uint64_t random;
    FILE *out;

    bool has_peak; /* its event is Xdebug's memory */
    bool is_xdebug;
    struct source_function functions[GENERATED_FUNCTIONS];
    int function_count;
    struct node nodes[GENERATED_NODES]; /* callees first */
    int node_count, part_count;
    bool has_objects, has_files;

    int event_count;
    const char *const *event_names;
    int64_t weights[MAX_EVENTS]; /* of the events, for the one that is converted */

    /* How this profile is written. */
    bool compresses, is_relative, has_crlf, has_noise, has_blank_lines, has_hexadecimal;
    bool is_usual; /* just as Xdebug does it */
    bool remembers_self; /* as Valgrind does: all is relative to the last self cost line, or fn= */
    bool has_address, has_block, has_line;

    /* What has been written. */
    struct alias_table aliases[NAME_SPACES];
    int columns[MAX_EVENTS]; /* of this part: numbers of events */
    uint64_t position[MAX_POSITIONS];
    int object, file, function_file; /* that hold here; NONE: none has been named */
    int call_file; /* of a call that names none */
    int function, callee;            /* of the record, of the last call; or NONE */
};

static uint32_t below(struct maker *m, uint32_t bound)
{
    return random_below(&m->random, bound);
}

/* True once in `times`. */
static bool once_in(struct maker *m, uint32_t times)
{
    return below(m, times) == 0;
}

static const char *const object_names[NAMES] = {
    "/usr/bin/shop", "/usr/lib/libm.so.6", "/usr/lib/x y.so", "a(1)", "/usr/bin/other",
};

static const char *const file_names[NAMES] = {
    "/srv/shop/cart.php", "php:internal", "/srv/a b/stock (2).c", "x.h", "b", "/srv/c=d: e.c",
    "/srv/shop/cart.php(36) : eval()'d code", "?", "???",
};

enum { UNKNOWN_FILE = 8 }; /* the number of ??? */

static const char *const function_names[NAMES] = {
    "{main}", "main", "f", "Cart->total", "php::array_map", "std::map<int, a b>::at(int const&)",
    "{closure:/srv/shop/cart.php:3-5}", "na\xc3\xafve", "operator()", "x=y: z", "g'h", "0x1f",
    "calls", "\xff\xfe", "require::/srv/shop/cart.php", "#",
};

static const char *name_in(enum name_space space, int number)
{
    if (number == NONE)
        return "";
    return space == OBJECTS ? object_names[number] : space == FILES ? file_names[number] : function_names[number];
}

static int known_names(enum name_space space)
{
    int count = 0;
    while (count < NAMES && name_in(space, count) != NULL)
        count++;
    return count;
}

static struct place random_place(struct maker *m, int own_file)
{
    struct place p = {.file = own_file,
                      .address = UINT64_C(0x400000) + below(m, 1000) * 4,
                      .block = below(m, 20),
                      .line = below(m, 4) == 0 ? below(m, 100000) : 1 + below(m, 20)};
    if (m->has_files && !m->is_xdebug && once_in(m, 5))
        p.file = (int)below(m, (uint32_t)known_names(FILES));
    return p;
}

/* Functions differ by name; in profiles that are not Xdebug's, some differ only by file or object. */
static bool is_taken(const struct maker *m, const struct source_function *f)
{
    for (int i = 0; i < m->function_count; i++) {
        const struct source_function *g = &m->functions[i];
        if (g->name == f->name && (m->is_xdebug || (g->file == f->file && g->object == f->object)))
            return true;
    }
    return false;
}

static void make_functions(struct maker *m)
{
    int wanted = 1 + (int)below(m, GENERATED_FUNCTIONS);
    m->has_objects = !m->is_xdebug && once_in(m, 2);
    m->has_files = m->is_xdebug || !once_in(m, 8);
    while (m->function_count < wanted) {
        struct source_function f = {.object = NONE, .file = NONE, .number = NONE};
        f.name = (int)below(m, (uint32_t)known_names(FUNCTIONS));
        if (m->has_objects)
            f.object = (int)below(m, (uint32_t)known_names(OBJECTS));
        if (m->has_files)
            f.file = (int)below(m, (uint32_t)known_names(FILES));
        if (is_taken(m, &f)) {
            wanted--;
            continue;
        }
        f.place_count = 1 + (int)below(m, m->is_xdebug ? 2 : MAX_PLACES);
        for (int i = 0; i < MAX_PLACES; i++)
            do
                f.places[i] = random_place(m, f.file);
            while (f.places[i].file == UNKNOWN_FILE && f.file != UNKNOWN_FILE); /* as Valgrind never does */
        for (int i = 0; i < MAX_SITES; i++)
            f.sites[i] = random_place(m, f.file);
        m->functions[m->function_count++] = f;
    }
}

static int64_t random_cost(struct maker *m, bool may_be_negative)
{
    int64_t cost = once_in(m, 4) ? 0 : (int64_t)below(m, once_in(m, 10) ? UINT32_MAX : 1000);
    if (once_in(m, 60))
        cost *= 100000;
    return may_be_negative && once_in(m, 5) ? -cost : cost;
}

static void add_costs(int64_t *sum, const int64_t *costs)
{
    for (int i = 0; i < MAX_EVENTS; i++)
        sum[i] += costs[i];
}

/* Appends an invocation after all those that it called. Returns its number. */
static int grow(struct maker *m, int function, int part, int depth, int *left)
{
    struct node n = {.function = function, .caller = NONE, .part = part};
    int wanted = depth > 0 ? (int)below(m, 6) : 0;
    for (int i = 0; i < wanted && *left > 0; i++) {
        int callee = once_in(m, 5) ? function : (int)below(m, (uint32_t)m->function_count);
        --*left;
        int made = grow(m, callee, part, depth - 1, left);
        m->nodes[made].site = (int)below(m, MAX_SITES);
        n.calls[n.call_count++] = made;
        add_costs(n.inclusive, m->nodes[made].inclusive);
    }
    for (int i = 0; i < m->functions[function].place_count; i++) {
        for (int e = 0; e < m->event_count; e++)
            n.self[i][e] = random_cost(m, m->is_xdebug && e == 1);
        add_costs(n.inclusive, n.self[i]);
    }
    for (int i = 0; i < n.call_count; i++)
        m->nodes[n.calls[i]].caller = m->node_count;
    m->nodes[m->node_count] = n;
    return m->node_count++;
}

static void make_tree(struct maker *m)
{
    int left = 1 + (int)below(m, once_in(m, 4) ? GENERATED_NODES - 20 : 24);
    m->part_count = once_in(m, 3) ? 1 + (int)below(m, MAX_PARTS) : 1;
    for (int part = 0; part < m->part_count; part++)
        for (int roots = once_in(m, 6) ? 3 : 1; roots > 0; roots--)
            grow(m, (int)below(m, (uint32_t)m->function_count), part, 1 + (int)below(m, 6), &left);
}

/* ---- what it amounts to ------------------------------------------------------------------- */

static int64_t weigh(const struct maker *m, const int64_t *costs)
{
    int64_t sum = 0;
    for (int e = 0; e < m->event_count; e++)
        sum += costs[e] * m->weights[e];
    return sum;
}

static int64_t self_of(const struct maker *m, const struct node *n)
{
    int64_t sum = 0;
    for (int i = 0; i < MAX_PLACES; i++)
        sum += weigh(m, n->self[i]);
    return sum;
}

/* The line that the profile contains. */
static uint32_t line_of(const struct maker *m, const struct place *place)
{
    return m->has_line ? (uint32_t)place->line : 0;
}

static uint32_t call_line(const struct maker *m, int callee)
{
    const struct node *n = &m->nodes[callee];
    return line_of(m, &m->functions[m->nodes[n->caller].function].sites[n->site]);
}

static bool runs_inside(const struct maker *m, int node, int function)
{
    for (; node != NONE; node = m->nodes[node].caller)
        if (m->nodes[node].function == function)
            return true;
    return false;
}

static bool is_same_arc(const struct maker *m, int a, int b)
{
    return m->nodes[a].function == m->nodes[b].function &&
           m->nodes[m->nodes[a].caller].function == m->nodes[m->nodes[b].caller].function &&
           call_line(m, a) == call_line(m, b);
}

/* Does the call of `node` run inside another call of the same arc? */
static bool call_runs_inside(const struct maker *m, int node)
{
    for (int above = m->nodes[node].caller; m->nodes[above].caller != NONE; above = m->nodes[above].caller)
        if (is_same_arc(m, node, above))
            return true;
    return false;
}

static int number_of(const struct maker *m, int node)
{
    return m->functions[m->nodes[node].function].number;
}

static struct generated_arc *arc_of(struct maker *m, int node)
{
    struct generated *g = m->g;
    for (int i = 0; i < g->arc_count; i++)
        if (g->arcs[i].caller == number_of(m, m->nodes[node].caller) &&
            g->arcs[i].callee == number_of(m, node) && g->arcs[i].line == call_line(m, node))
            return &g->arcs[i];
    abort(); /* it has not been written */
}

static void add_node(struct maker *m, int i)
{
    struct node *n = &m->nodes[i];
    struct generated_function *f = &m->g->functions[number_of(m, i)];
    struct generated_node *shown = &m->g->nodes[i];
    int64_t inclusive = weigh(m, n->inclusive);
    *shown = (struct generated_node){.function = number_of(m, i),
                                     .number = (int)f->invocations,
                                     .caller = n->caller,
                                     .self = self_of(m, n),
                                     .inclusive = inclusive,
                                     .call_count = n->call_count};
    memcpy(shown->calls, n->calls, sizeof n->calls);
    if (!m->functions[n->function].has_no_record)
        f->self += shown->self;
    f->inclusive += inclusive;
    f->outermost += n->caller == NONE || !runs_inside(m, n->caller, n->function) ? inclusive : 0;
    f->invocations++;
    if (n->caller == NONE)
        return;
    struct generated_arc *arc = arc_of(m, i);
    shown->line = arc->line;
    f->call_cost += inclusive;
    f->outermost_call_cost += runs_inside(m, n->caller, n->function) ? 0 : inclusive;
    arc->count++;
    arc->cost += inclusive;
    arc->outermost += call_runs_inside(m, i) ? 0 : inclusive;
}

/* Sums contain how often a function was called; one that nobody called has run once. */
static void count_calls(struct maker *m)
{
    struct generated *g = m->g;
    for (int i = 0; i < g->function_count; i++) {
        uint64_t count = 0, arcs = 0;
        for (int a = 0; a < g->arc_count; a++) {
            count += g->arcs[a].callee == i ? g->arcs[a].count : 0;
            arcs += g->arcs[a].callee == i;
        }
        g->functions[i].invocations = arcs == 0 ? 1 : count;
    }
}

/* Does a function call itself through others? Then sums do not show what counts twice. */
static bool has_larger_cycles(const struct maker *m)
{
    bool reaches[GENERATED_FUNCTIONS][GENERATED_FUNCTIONS] = {{false}};
    for (int i = 0; i < m->node_count; i++)
        if (m->nodes[i].caller != NONE)
            reaches[m->nodes[m->nodes[i].caller].function][m->nodes[i].function] = true;
    for (int k = 0; k < m->function_count; k++)
        for (int i = 0; i < m->function_count; i++)
            for (int j = 0; j < m->function_count; j++)
                reaches[i][j] |= reaches[i][k] && reaches[k][j];
    for (int i = 0; i < m->function_count; i++)
        for (int j = 0; j < i; j++)
            if (reaches[i][j] && reaches[j][i])
                return true;
    return false;
}

static void add_up(struct maker *m)
{
    m->g->node_count = m->node_count;
    for (int i = 0; i < m->node_count; i++)
        add_node(m, i);
    if (!m->g->records_are_invocations)
        count_calls(m);
    m->g->is_exact = m->g->records_are_invocations || !has_larger_cycles(m);
    for (int i = 0; i < m->function_count; i++) {
        struct source_function *f = &m->functions[i];
        if (f->number != NONE)
            m->g->functions[f->number].line = f->line;
    }
}

/* ---- writing: what is mentioned ----------------------------------------------------------- */

static void mention(struct maker *m, int function)
{
    struct source_function *f = &m->functions[function];
    if (f->number != NONE)
        return;
    f->number = m->g->function_count++;
    m->g->functions[f->number] = (struct generated_function){.file = name_in(FILES, f->file),
                                                             .name = name_in(FUNCTIONS, f->name)};
}

static void mention_call(struct maker *m, int caller, int callee, uint32_t line)
{
    struct generated *g = m->g;
    mention(m, caller);
    mention(m, callee);
    int from = m->functions[caller].number, to = m->functions[callee].number;
    for (int i = 0; i < g->arc_count; i++)
        if (g->arcs[i].caller == from && g->arcs[i].callee == to && g->arcs[i].line == line)
            return;
    g->arcs[g->arc_count++] = (struct generated_arc){.caller = from, .callee = to, .line = line};
}

/* A function's line is that of its first cost line in its own file, or of its first. */
static void mention_line(struct maker *m, int function, const struct place *place)
{
    struct source_function *f = &m->functions[function];
    bool is_own = place->file == f->file;
    if (f->has_line && (f->line_is_own || !is_own))
        return;
    f->has_line = true;
    f->line_is_own = is_own;
    f->line = line_of(m, place);
}

/* ---- writing: lines ----------------------------------------------------------------------- */

static void end_line(struct maker *m)
{
    fputs(m->has_crlf ? "\r\n" : "\n", m->out);
}

/* Comments and the like may come before any line; blank lines mean something to Xdebug's records. */
static void put_noise(struct maker *m)
{
    static const char *const comments[] = {"#", "# comment", "#fn=(1) no", "  # 1 2 3"};
    if (m->has_noise && once_in(m, 8)) {
        fputs(comments[below(m, sizeof comments / sizeof comments[0])], m->out);
        end_line(m);
    }
    if (m->has_noise && m->has_blank_lines && once_in(m, 8)) {
        fputs(once_in(m, 3) ? " \t" : "", m->out);
        end_line(m);
    }
    if (m->has_noise && once_in(m, 20))
        fputs(once_in(m, 2) ? "  " : "\t", m->out);
}

static void put_line(struct maker *m, const char *text)
{
    put_noise(m);
    fputs(text, m->out);
    end_line(m);
}

/* `key=name`: by an alias, whose definition may be necessary, or repeated; or the name itself. */
static void put_name(struct maker *m, const char *key, enum name_space space, int number)
{
    struct alias_table *table = &m->aliases[space];
    put_noise(m);
    fprintf(m->out, "%s=", key);
    if (m->has_noise && once_in(m, 20))
        fputc(' ', m->out);
    bool is_plain = !m->compresses || (m->has_noise && once_in(m, 20));
    bool defines = !table->is_defined[number] || (m->has_noise && once_in(m, 20));
    if (!is_plain) {
        int digits = once_in(m, 40) ? 1 + (int)below(m, 9) : 1; /* with zeros in front */
        fprintf(m->out, "(%0*" PRIu64 ")%s", digits, table->id[number], defines ? " " : "");
        table->is_defined[number] = true;
    }
    if (is_plain || defines)
        fputs(name_in(space, number), m->out);
    if (m->has_noise && once_in(m, 20))
        fputc(' ', m->out);
    end_line(m);
}

/* New aliases for all names: the old definitions do not count any more. */
static void number_aliases(struct maker *m)
{
    for (int space = 0; space < NAME_SPACES; space++) {
        uint64_t base = once_in(m, 10) ? UINT64_MAX - NAMES : below(m, 3);
        uint32_t turn = below(m, NAMES);
        for (uint32_t i = 0; i < NAMES; i++) {
            m->aliases[space].id[i] = base + (i + turn) % NAMES;
            m->aliases[space].is_defined[i] = false;
        }
    }
}

static void put_number(struct maker *m, uint64_t number)
{
    if (m->has_hexadecimal && once_in(m, 3))
        fprintf(m->out, "0x%" PRIx64, number);
    else
        fprintf(m->out, "%s%" PRIu64, m->has_noise && once_in(m, 50) ? "00" : "", number);
}

static void put_subposition(struct maker *m, int which, uint64_t value, bool is_self)
{
    uint64_t old = m->position[which];
    if (is_self || !m->remembers_self)
        m->position[which] = value;
    if (m->is_relative && value == old && once_in(m, 2)) {
        fputc('*', m->out);
    } else if (m->is_relative && !once_in(m, 4)) {
        fputc(value < old ? '-' : '+', m->out);
        put_number(m, value < old ? old - value : value - old);
    } else {
        put_number(m, value);
    }
}

static void put_place(struct maker *m, const struct place *place, bool is_self)
{
    int which = 0;
    const char *separator = "";
    put_noise(m);
    if (m->has_address)
        put_subposition(m, which++, place->address, is_self);
    if (m->has_block) {
        fputs(which > 0 ? " " : "", m->out);
        put_subposition(m, which++, place->block, is_self);
    }
    separator = which > 0 ? " " : "";
    if (m->has_line) {
        fputs(separator, m->out);
        put_subposition(m, which++, place->line, is_self);
    }
}

static void put_cost(struct maker *m, int64_t cost)
{
    if (cost < 0 && once_in(m, 2))
        fprintf(m->out, "%" PRIu64, (uint64_t)cost);
    else if (cost < 0)
        fprintf(m->out, "%" PRId64, cost);
    else if (cost == 0 && m->has_noise && once_in(m, 4))
        fputc('.', m->out);
    else
        put_number(m, (uint64_t)cost);
}

/* Costs of 0 at the end may be missing; but a lone number after a blank would be a cost. */
static void put_costs(struct maker *m, const int64_t *costs)
{
    int count = m->event_count, least = m->has_noise ? 1 : 0;
    while (count > least && !m->is_usual && costs[m->columns[count - 1]] == 0 && once_in(m, 2))
        count--;
    for (int i = 0; i < count; i++) {
        fputs(m->has_noise && once_in(m, 10) ? "  " : " ", m->out);
        put_cost(m, costs[m->columns[i]]);
    }
    end_line(m);
}

/* Code in another file than the code before or, for Valgrind, than the last self cost. */
static void put_file(struct maker *m, int file)
{
    if (file != (m->remembers_self ? m->call_file : m->file))
        put_name(m, once_in(m, 2) ? "fi" : "fe", FILES, file);
    m->file = file;
    if (!m->remembers_self)
        m->call_file = file;
}

/* A cost line, before which a line may have to name its file. */
static void put_cost_line(struct maker *m, const struct place *place, const int64_t *costs)
{
    put_file(m, place->file);
    put_place(m, place, true);
    m->call_file = m->file;
    put_costs(m, costs);
}

static void put_self(struct maker *m, int function, int place, const int64_t *costs)
{
    mention(m, function);
    mention_line(m, function, &m->functions[function].places[place]);
    put_cost_line(m, &m->functions[function].places[place], costs);
}

static void put_target_place(struct maker *m)
{
    static const char *const targets[] = {"", " 0 0", " +3", " * 12", " 0x400 -7"};
    uint32_t which = below(m, sizeof targets / sizeof targets[0]);
    fputs(targets[m->is_usual ? 1 : which], m->out);
    end_line(m);
}

/* Those of cob=, cfl= and cfn= that are needed. */
static void put_target(struct maker *m, int callee)
{
    const struct source_function *f = &m->functions[callee];
    bool names_object = f->object != m->object || (f->object != NONE && once_in(m, 4));
    bool names_file = f->file != m->call_file || (f->file != NONE && (m->is_usual || once_in(m, 4)));
    bool is_after = m->has_noise && once_in(m, 4);
    if (!is_after && names_object)
        put_name(m, "cob", OBJECTS, f->object);
    if (!is_after && names_file)
        put_name(m, !m->is_usual && once_in(m, 3) ? "cfi" : "cfl", FILES, f->file);
    put_name(m, "cfn", FUNCTIONS, f->name);
    if (is_after && names_file)
        put_name(m, "cfl", FILES, f->file);
    if (is_after && names_object)
        put_name(m, "cob", OBJECTS, f->object);
}

/* Calls from a site of the current record's function. */
static void put_call(struct maker *m, int site, int callee, uint64_t count, const int64_t *costs)
{
    const struct place *place = &m->functions[m->function].sites[site];
    if (m->has_files)
        put_file(m, place->file);
    if (callee != m->callee || m->is_usual || m->remembers_self || !once_in(m, 3))
        put_target(m, callee);
    put_noise(m);
    fputs(!m->is_xdebug && once_in(m, 20) ? "rcalls=" : "calls=", m->out);
    put_number(m, count);
    put_target_place(m);
    mention_call(m, m->function, callee, line_of(m, place));
    m->callee = callee;
    put_place(m, place, false);
    put_costs(m, costs);
}

/* Jumps have no costs, but what follows may be relative to their places. */
static void put_jump(struct maker *m)
{
    struct place place = random_place(m, m->file);
    if (m->has_files && once_in(m, 3))
        put_name(m, "jfi", FILES, (int)below(m, (uint32_t)known_names(FILES)));
    if (once_in(m, 3))
        put_name(m, "jfn", FUNCTIONS, (int)below(m, (uint32_t)known_names(FUNCTIONS)));
    put_noise(m);
    fprintf(m->out, once_in(m, 2) ? "jump=%u" : "jcnd=%u/7", below(m, 9));
    put_target_place(m);
    put_place(m, &place, false);
    end_line(m);
}

/* A target without calls has no effect; but the next call has to name its own. */
static void put_target_alone(struct maker *m)
{
    if (m->has_objects && once_in(m, 2))
        put_name(m, "cob", OBJECTS, (int)below(m, (uint32_t)known_names(OBJECTS)));
    if (m->has_files && once_in(m, 2))
        put_name(m, "cfl", FILES, (int)below(m, (uint32_t)known_names(FILES)));
    put_name(m, "cfn", FUNCTIONS, (int)below(m, (uint32_t)known_names(FUNCTIONS)));
    m->callee = NONE;
}

static void begin_record(struct maker *m, int function)
{
    const struct source_function *f = &m->functions[function];
    if (f->object != m->object || (f->object != NONE && once_in(m, 4)))
        put_name(m, "ob", OBJECTS, f->object);
    if (f->file != m->function_file || (f->file != NONE && (m->is_xdebug || once_in(m, 3))))
        put_name(m, "fl", FILES, f->file);
    put_name(m, "fn", FUNCTIONS, f->name);
    m->object = f->object;
    m->file = m->call_file = m->function_file = f->file;
    m->function = function;
    m->callee = m->is_xdebug ? NONE : m->callee;
}

/* ---- writing: headers --------------------------------------------------------------------- */

/* A header line, and what the output has of it. */
static void put_header(struct maker *m, enum generated_header_kind kind, int64_t total,
                       const char *key, const char *value)
{
    struct generated_header *h = &m->g->headers[m->g->header_count++];
    put_noise(m);
    fprintf(m->out, "%s:%s%s", key, once_in(m, 6) ? "" : " ", value);
    end_line(m);
    *h = (struct generated_header){.kind = kind, .total = total};
    snprintf(h->text, sizeof h->text, "%s: %s", key, value);
}

static void put_positions(struct maker *m)
{
    char value[64] = "";
    if (m->has_address)
        strcat(value, once_in(m, 3) ? "addr " : "instr ");
    if (m->has_block)
        strcat(value, "bb ");
    if (m->has_line)
        strcat(value, "line ");
    value[strlen(value) - 1] = '\0';
    put_header(m, GENERATED_OTHER, 0, "positions", value);
}

/* At the start of a profile, default positions need no line. */
static void put_first_positions(struct maker *m)
{
    if (m->has_address || once_in(m, 2))
        put_positions(m);
}

static void put_events(struct maker *m)
{
    char value[GENERATED_LINE] = "";
    for (int i = 0; i < m->event_count; i++) {
        strcat(value, i > 0 ? " " : "");
        strcat(value, m->event_names[m->columns[i]]);
    }
    put_header(m, GENERATED_EVENTS, 0, "events", value);
    if (m->g->options.event != NULL) {
        /* Of an event that was chosen the headers speak alone. */
        char *text = m->g->headers[m->g->header_count - 1].text;
        const char *event = m->g->options.event, *equals = strstr(event, " = ");
        int length = equals != NULL ? (int)(equals - event) : (int)strlen(event);
        snprintf(text, GENERATED_LINE, "events: %.*s", length, event);
        for (char *c = text + strlen("events: "); *c != '\0'; c++)
            *c = *c == ' ' ? '_' : *c;
    }
}

/* The costs of a part, in the columns of the part. */
static void part_costs(const struct maker *m, int part, int64_t *costs)
{
    memset(costs, 0, sizeof(costs_t));
    for (int i = 0; i < m->node_count; i++)
        for (int p = 0; m->nodes[i].part == part && p < MAX_PLACES; p++)
            if (!m->functions[m->nodes[i].function].has_no_record)
                add_costs(costs, m->nodes[i].self[p]);
}

static void totals_text(const struct maker *m, const int64_t *costs, char *text)
{
    for (int i = 0; i < m->event_count; i++)
        text += sprintf(text, "%s%" PRId64, i > 0 ? " " : "", costs[m->columns[i]]);
}

/* `summary:` or `totals:`. The output has the summary; if there is none, cg2wg computes it. */
static void put_total(struct maker *m, int part, const char *key)
{
    costs_t costs;
    char value[GENERATED_LINE];
    part_costs(m, part, costs);
    totals_text(m, costs, value);
    bool is_summary = strcmp(key, "summary") == 0;
    int64_t total = weigh(m, costs);
    put_header(m, is_summary ? GENERATED_SUMMARY : GENERATED_OTHER, total, key, value);
    /* webgrind takes the first number for the total. */
    bool is_misleading = costs[m->columns[0]] != total;
    if (is_summary && (is_misleading || m->g->options.event != NULL || total <= 0))
        snprintf(m->g->headers[m->g->header_count - 1].text, GENERATED_LINE,
                 "summary: %" PRId64, total > 0 ? total : 0);
}

/* At the end of a part without a total. */
static void expect_summary(struct maker *m, int part)
{
    costs_t costs;
    struct generated_header *h = &m->g->headers[m->g->header_count++];
    part_costs(m, part, costs);
    *h = (struct generated_header){.kind = GENERATED_SUMMARY, .total = weigh(m, costs)};
    snprintf(h->text, sizeof h->text, "summary: %" PRId64, h->total > 0 ? h->total : 0);
}

/* In the part that begins, earlier position lines do not apply any more. */
static void forget(struct maker *m)
{
    m->object = m->file = m->call_file = m->function_file = m->function = m->callee = NONE;
    memset(m->position, 0, sizeof m->position);
}

/* The columns of a part in another order. */
static void turn_columns(struct maker *m)
{
    for (int i = m->event_count - 1; i > 0; i--) {
        int other = (int)below(m, (uint32_t)i + 1), kept = m->columns[i];
        m->columns[i] = m->columns[other];
        m->columns[other] = kept;
    }
}

/* ---- Xdebug's profiles -------------------------------------------------------------------- */

/* Up to Xdebug 2.7 the summary is within {main}'s record. */
static void put_record(struct maker *m, int number, bool with_summary)
{
    struct node *n = &m->nodes[number];
    int places = m->functions[n->function].place_count, written = 1;
    begin_record(m, n->function);
    mention(m, n->function);
    if (with_summary) {
        end_line(m);
        put_total(m, n->part, "summary");
        end_line(m);
    }
    put_self(m, n->function, 0, n->self[0]);
    for (int i = 0; i < n->call_count; i++) {
        const struct node *callee = &m->nodes[n->calls[i]];
        if (written < places && once_in(m, 3)) {
            put_self(m, n->function, written, n->self[written]);
            written++;
        }
        put_call(m, callee->site, callee->function, 1, callee->inclusive);
    }
    for (; written < places; written++)
        put_self(m, n->function, written, n->self[written]);
    end_line(m);
}

static void put_run_head(struct maker *m, int run)
{
    static const char *const creators[] = {"xdebug 2.1.0", "xdebug 2.9.8 (PHP 7.3.2)",
                                           "xdebug 3.2.0 (PHP 8.2.35)", "Xdebug"};
    bool is_old = once_in(m, 6);
    m->has_peak |= m->weights[1] != 0 && (m->g->options.records == CG2WG_RECORDS_AUTO || (is_old && run == 0));
    if (run > 0 && once_in(m, 2))
        put_line(m, "==== NEW PROFILING FILE ==============================================");
    put_header(m, GENERATED_OTHER, 0, "version", is_old ? "0.9.6" : "1");
    if (!is_old || run > 0)
        put_header(m, GENERATED_OTHER, 0, "creator",
                   m->g->options.records != CG2WG_RECORDS_AUTO ? "other" : creators[below(m, 4)]);
    put_header(m, GENERATED_OTHER, 0, "cmd", "/srv/shop/cart.php");
    put_header(m, GENERATED_OTHER, 0, "part", "1");
    put_first_positions(m);
    if (m->has_blank_lines)
        end_line(m);
    if (run > 0 && once_in(m, 3))
        turn_columns(m);
    put_events(m);
    if (m->has_blank_lines)
        end_line(m);
}

static void write_xdebug(struct maker *m)
{
    for (int run = 0; run < m->part_count; run++) {
        bool has_summary = false;
        forget(m);
        if (run == 0 || once_in(m, 2))
            number_aliases(m);
        put_run_head(m, run);
        for (int i = 0; i < m->node_count; i++) {
            if (m->nodes[i].part != run)
                continue;
            bool with_summary = !has_summary && m->nodes[i].caller == NONE && once_in(m, 5);
            put_record(m, i, with_summary);
            has_summary |= with_summary;
        }
        if (!has_summary && !once_in(m, 4)) {
            put_total(m, run, "summary");
            has_summary = true;
        }
        if (!has_summary)
            expect_summary(m, run);
        end_line(m);
    }
}

/* ---- Valgrind's and others' --------------------------------------------------------------- */

/* A few lines of a record, with a part of its costs or calls. */
struct item {
    int function, callee; /* callee: NONE for self cost */
    int place;            /* or site */
    uint64_t count;
    costs_t costs;
};

enum { MAX_ITEMS = 4 * GENERATED_NODES * (1 + MAX_PLACES) };

struct items {
    struct item all[MAX_ITEMS];
    int count;
};

/* All costs of a part, node by node: some merged, some in pieces. */
static void add_item(struct maker *m, struct items *items, struct item item)
{
    for (int i = 0; i < items->count; i++) {
        struct item *other = &items->all[i];
        if (other->function == item.function && other->callee == item.callee &&
            other->place == item.place && !once_in(m, 6)) {
            other->count += item.count;
            add_costs(other->costs, item.costs);
            return;
        }
    }
    items->all[items->count++] = item;
}

/* Some calls, and some of the cost, are in another place. */
static void split_item(struct maker *m, struct items *items, int which)
{
    struct item *item = &items->all[which], rest = *item;
    rest.count = item->count > 0 ? below(m, (uint32_t)item->count + 1) : 0;
    item->count -= rest.count;
    for (int e = 0; e < m->event_count; e++) {
        rest.costs[e] = once_in(m, 2) ? item->costs[e] / 3 : 0;
        item->costs[e] -= rest.costs[e];
    }
    items->all[items->count++] = rest;
}

static void gather_items(struct maker *m, struct items *items, int part)
{
    items->count = 0;
    for (int i = 0; i < m->node_count; i++) {
        const struct node *n = &m->nodes[i];
        const struct source_function *f = &m->functions[n->function];
        if (n->part != part)
            continue;
        for (int p = 0; p < f->place_count && !f->has_no_record; p++) {
            struct item item = {.function = n->function, .callee = NONE, .place = p};
            add_costs(item.costs, n->self[p]);
            add_item(m, items, item);
        }
        if (n->caller != NONE) {
            struct item item = {
                .function = m->nodes[n->caller].function, .callee = n->function, .place = n->site, .count = 1};
            add_costs(item.costs, n->inclusive);
            add_item(m, items, item);
        }
    }
    for (int i = items->count - 1; i >= 0; i--)
        if (once_in(m, 8))
            split_item(m, items, i);
}

/* In any order, but mostly all lines of a function together. */
static void order_items(struct maker *m, struct items *items)
{
    for (int i = items->count - 1; i > 0; i--) {
        int other = (int)below(m, (uint32_t)i + 1);
        struct item kept = items->all[i];
        items->all[i] = items->all[other];
        items->all[other] = kept;
    }
    for (int i = 1; i < items->count; i++)
        for (int k = i; k > 0 && !once_in(m, 30) && items->all[k - 1].function > items->all[k].function; k--) {
            struct item kept = items->all[k];
            items->all[k] = items->all[k - 1];
            items->all[k - 1] = kept;
        }
}

static void put_items(struct maker *m, const struct items *items)
{
    for (int i = 0; i < items->count; i++) {
        const struct item *item = &items->all[i];
        if (item->function != m->function || once_in(m, 10))
            begin_record(m, item->function);
        if (once_in(m, 12))
            put_jump(m);
        if (once_in(m, 20))
            put_target_alone(m);
        if (item->callee == NONE)
            put_self(m, item->function, item->place, item->costs);
        else
            put_call(m, item->place, item->callee, item->count, item->costs);
    }
}

static void put_first_head(struct maker *m)
{
    static const char *const creators[] = {"callgrind-3.19.0", "other 1.0", "pprof"};
    if (once_in(m, 2))
        put_line(m, "# callgrind format");
    if (once_in(m, 2))
        put_header(m, GENERATED_OTHER, 0, "version", "1");
    bool is_aggregate = m->g->options.identity == CG2WG_IDENTITY_OBJECT && once_in(m, 3);
    if (is_aggregate || m->g->options.records != CG2WG_RECORDS_AUTO)
        put_header(m, GENERATED_OTHER, 0, "creator", "xdebug 2.5.5");
    else if (once_in(m, 2)) {
        uint32_t creator = below(m, 3);
        m->remembers_self = creator == 0;
        put_header(m, GENERATED_OTHER, 0, "creator", creators[creator]);
    }
    if (is_aggregate)
        put_header(m, GENERATED_OTHER, 0, "cmd", "Aggregate");
    if (once_in(m, 2))
        put_header(m, GENERATED_OTHER, 0, "desc", "I1 cache: 32768 B, 64 B, 8-way associative");
    if (once_in(m, 2))
        put_header(m, GENERATED_OTHER, 0, "x-more", "a: b=c");
    put_header(m, GENERATED_OTHER, 0, "event", "CEst = I + 10 D + 0x2 B : Cycle Estimation");
    put_header(m, GENERATED_OTHER, 0, "event", "I : Instruction Fetch");
    put_first_positions(m);
    put_events(m);
}

static void put_next_head(struct maker *m, int part)
{
    static const char *const keys[] = {"part", "pid", "thread", "version"};
    uint32_t kind = below(m, 6);
    char number[16];
    snprintf(number, sizeof number, "%d", part + 1);
    if (kind < 4)
        put_header(m, GENERATED_OTHER, 0, keys[kind], kind == 3 ? "1" : number);
    if (once_in(m, 2))
        turn_columns(m);
    if (m->has_line && once_in(m, 3)) {
        m->has_address = !m->has_address;
        m->has_block = m->has_address && once_in(m, 4);
        put_positions(m);
    }
    put_events(m); /* in any case: the columns may be others */
}

static void write_sums(struct maker *m)
{
    static struct items items;
    number_aliases(m);
    for (int part = 0; part < m->part_count; part++) {
        uint32_t total = below(m, 4);
        forget(m);
        if (part == 0)
            put_first_head(m);
        else
            put_next_head(m, part);
        if (total == 0)
            put_total(m, part, "summary");
        gather_items(m, &items, part);
        order_items(m, &items);
        put_items(m, &items);
        if (total == 1)
            put_total(m, part, "totals");
        if (total == 2)
            put_total(m, part, "summary");
        if (total == 1 || total == 3)
            expect_summary(m, part);
    }
}

/* ---- choices ------------------------------------------------------------------------------ */

static const char *const xdebug_events[] = {"Time_(10ns)", "Memory_(bytes)"};
static const char *const other_events[] = {"I", "D", "B", "X"};

/* The event to convert, and its formula. */
static void choose_event(struct maker *m)
{
    static const struct {
        const char *event;
        int64_t weights[MAX_EVENTS];
    } choices[] = {
        {"I", {1, 0, 0, 0}},         {"D", {0, 1, 0, 0}}, {"CEst", {1, 10, 2, 0}},
        {"2 I + D", {2, 1, 0, 0}},   {"Sum = I + I + 3 * B", {2, 0, 3, 0}},
        {"Y = CEst + X", {1, 10, 2, 1}},
        {"CEst - 4 D - I + I", {1, 6, 2, 0}},
    };
    m->weights[0] = 1;
    m->event_names = m->is_xdebug ? xdebug_events : other_events;
    m->event_count = m->is_xdebug ? 1 + (int)below(m, 2) : MAX_EVENTS;
    for (int i = 0; i < MAX_EVENTS; i++)
        m->columns[i] = i;
    if (m->is_xdebug && m->event_count == 2 && once_in(m, 4)) {
        m->g->options.event = xdebug_events[1];
        m->weights[0] = 0;
        m->weights[1] = 1;
    } else if (!m->is_xdebug && once_in(m, 2)) {
        uint32_t choice = below(m, sizeof choices / sizeof choices[0]);
        m->g->options.event = choices[choice].event;
        memcpy(m->weights, choices[choice].weights, sizeof m->weights);
    } else if (!m->is_xdebug && once_in(m, 3)) {
        m->event_count = 1 + (int)below(m, MAX_EVENTS);
    }
}

static void choose_style(struct maker *m)
{
    m->compresses = !once_in(m, 4);
    m->has_crlf = once_in(m, 12);
    m->has_noise = once_in(m, 2);
    m->has_blank_lines = m->is_xdebug || once_in(m, 2);
    m->has_line = true;
    if (m->is_xdebug && once_in(m, 2)) {
        m->is_usual = m->compresses = true;
        m->has_crlf = m->has_noise = false;
    }
    if (m->is_xdebug)
        return;
    m->is_relative = once_in(m, 2);
    m->has_hexadecimal = once_in(m, 3);
    m->has_address = once_in(m, 3);
    m->has_block = m->has_address && once_in(m, 4);
    m->has_line = !m->has_address || !once_in(m, 4);
}

static void choose_options(struct maker *m)
{
    struct cg2wg_options *o = &m->g->options;
    cg2wg_options_init(o, sizeof *o);
    o->scale = once_in(m, 6) ? 1 + below(m, 5000) : CG2WG_SCALE_NONE;
    for (int i = 0; i < 2; i++)
        below(m, 4); /* nothing: seeds keep their meaning */
    if (m->is_xdebug)
        o->identity = (enum cg2wg_identity)below(m, 4);
    else
        o->identity = once_in(m, 2) ? CG2WG_IDENTITY_AUTO : CG2WG_IDENTITY_OBJECT;
    /* With --records and --identity, any profile may be given. */
    if (o->identity == CG2WG_IDENTITY_OBJECT && once_in(m, 3))
        o->records = m->is_xdebug ? CG2WG_RECORDS_INVOCATIONS : CG2WG_RECORDS_SUMS;
}

/* A function that calls nothing and was called by others, each time: its record may be missing. */
static void lose_records(struct maker *m)
{
    for (int f = 0; f < m->function_count; f++) {
        bool is_leaf = !m->is_xdebug && once_in(m, 4);
        for (int i = 0; i < m->node_count; i++)
            if (m->nodes[i].function == f)
                is_leaf &= m->nodes[i].call_count == 0 && m->nodes[i].caller != NONE;
        m->functions[f].has_no_record = is_leaf;
    }
}

/* A part's total must be above 0; otherwise it counts as missing. */
static void raise_totals(struct maker *m)
{
    for (int part = 0; part < m->part_count; part++) {
        costs_t costs;
        int root = NONE;
        part_costs(m, part, costs);
        for (int i = 0; i < m->node_count; i++)
            if (m->nodes[i].part == part && m->nodes[i].caller == NONE)
                root = i;
        for (int e = 0; e < m->event_count; e++) {
            int64_t missing = costs[e] > 0 ? 0 : 1 - costs[e];
            m->nodes[root].self[0][e] += missing;
            m->nodes[root].inclusive[e] += missing;
        }
    }
}

/*
 * The last line needs no newline if it is a total, which comes last; in Valgrind's profiles, any other last line
 * without one may have lost some of its digits.
 */
static void drop_last_newline(struct maker *m)
{
    struct generated *g = m->g;
    const char *line = g->text + g->size - 1;
    if (strstr(g->text, "callgrind-") != NULL || strstr(g->text, "I1 cache") != NULL)
        return;
    while (line > g->text && line[-1] != '\n')
        line--;
    if (once_in(m, 2) && (strncmp(line, "totals:", 7) == 0 || strncmp(line, "summary:", 8) == 0))
        g->size--;
}

/*
 * Shares of Xdebug's memory are relative to the sum of the positive self costs. A summary has what its part took, as
 * long as any of that is left; the last one has the rest.
 */
static void expect_positive_totals(struct generated *g)
{
    int64_t rest = 0, before = 0;
    struct generated_header *last = NULL;
    for (int i = 0; i < g->function_count; i++)
        rest += g->functions[i].self > 0 ? g->functions[i].self : 0;
    for (int i = 0; i < g->header_count; i++)
        before += g->headers[i].total > 0 ? g->headers[i].total : 0;
    for (int i = 0; i < g->header_count && before != rest; i++) {
        struct generated_header *h = &g->headers[i];
        if (h->kind != GENERATED_SUMMARY)
            continue;
        h->total = h->total < 0 ? 0 : h->total < rest ? h->total : rest;
        rest -= h->total;
        last = h;
        sprintf(h->text, "summary: %" PRId64, h->total);
    }
    if (last != NULL)
        sprintf(last->text, "summary: %" PRId64, last->total += rest);
}

void generate(struct generated *g, uint64_t seed)
{
    static struct maker m;
    memset(g, 0, sizeof *g);
    memset(&m, 0, sizeof m);
    m.g = g;
    m.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (int i = 0; i < 4; i++)
        below(&m, 2);
    m.is_xdebug = once_in(&m, 2);
    g->records_are_invocations = m.is_xdebug;
    choose_options(&m);
    choose_event(&m);
    choose_style(&m);
    make_functions(&m);
    make_tree(&m);
    lose_records(&m);
    raise_totals(&m);

    m.out = open_memstream(&g->text, &g->size);
    if (once_in(&m, 12))
        fputs("\xef\xbb\xbf", m.out);
    if (m.is_xdebug)
        write_xdebug(&m);
    else
        write_sums(&m);
    fclose(m.out);
    drop_last_newline(&m);
    add_up(&m);
    if (m.has_peak)
        expect_positive_totals(g);
}

void generated_free(struct generated *g)
{
    free(g->text);
    g->text = NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * Prints what google/pprof reads: a message of Profile, not compressed, of
 * https://github.com/google/pprof/blob/main/proto/profile.proto. Samples are stacks where the input has calling
 * contexts, otherwise lines with their self costs. Values are in nanoseconds, bytes or counts of the event.
 *
 * Strings have the numbers of the profile's names. A location is a place: a line of a function, with its number plus 1.
 * A function has its number plus 1, and another number for each file of code that is inlined into it. An object is a
 * mapping, with the number of its name.
 *
 * Locations have no addresses. pprof would take some anyway, and disassemble what is there in the file of a mapping if
 * it exists, or end. So the name of an object is in brackets, `/usr/lib/[libc.so.6]`, like those of the kernel: pprof
 * looks for no code in such a mapping, nor for source in such a file. Only the first mapping, which no location refers
 * to, has the name of a file: pprof shows it as the program.
 */
#include "view/view.h"

#include "model/line_costs.h"
#include "util/show.h"
#include "view/stacks.h"

/* Fields of the messages. */
enum profile_field { SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING, COMMENT = 13 };
enum sample_field { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES };
enum mapping_field { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum location_field { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4, LINE_FUNCTION = 1, LINE_LINE = 2 };
enum function_field { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_LINE };
enum type_field { TYPE_NAME = 1, TYPE_UNIT };

enum wire_type { VARINT, BYTES = 2 };

/* Bytes: of a number of 32 bits, and of any message but a sample's list of locations. */
enum { MOST_NUMBER = 5, MOST_MESSAGE = 128 };

struct message {
    char bytes[MOST_MESSAGE + (STACKS_DEPTH + 2) * MOST_NUMBER];
    size_t length;
};

static void add_number(struct message *to, uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
        to->bytes[to->length++] = (char)(number | 0x80);
    to->bytes[to->length++] = (char)number;
}

/* A field that is 0 need not be there. */
static void add_field(struct message *to, unsigned field, uint64_t number)
{
    if (number == 0)
        return;
    add_number(to, field << 3 | VARINT);
    add_number(to, number);
}

static void add_message(struct message *to, unsigned field, const struct message *message)
{
    add_number(to, field << 3 | BYTES);
    add_number(to, message->length);
    memcpy(to->bytes + to->length, message->bytes, message->length);
    to->length += message->length;
}

static void print_fields(FILE *stream, struct message *message)
{
    fwrite(message->bytes, 1, message->length, stream);
    message->length = 0;
}

static void print_message(FILE *stream, unsigned field, struct message *message)
{
    struct message whole;
    whole.length = 0;
    add_message(&whole, field, message);
    print_fields(stream, &whole);
    message->length = 0;
}

/* A line of a function. One after the functions is DEEPER. */
struct place {
    uint32_t function, file, line;
};

struct places {
    const struct profile *profile;
    SET(struct place) all;      /* the first one is that of STACKS_DEEPER */
    struct contexts stacks;     /* of places instead of functions */
    uint32_t *files;            /* of the calls of each arc; NAME_EMPTY: unknown; NULL: nobody asks */
    cost_t *left;               /* of each row of the profile's lines: what no context is known to have */
    struct buckets by_function; /* these rows */
    uint32_t *next;             /* by function: the first of its rows that may have something left */
};

/* An unknown line is in the function's own file. */
static uint32_t add_place(struct places *p, uint32_t function, uint32_t file, uint32_t line)
{
    bool is_function = function < p->profile->function_count;
    uint32_t own = is_function ? p->profile->functions[function].file : NAME_EMPTY;
    file = file != NAME_EMPTY ? file : own;
    struct place place = {function, file, profile_line(p->profile, file, line)};
    return SET_INTERN(&p->all, place, sizeof place);
}

/* The place of a function as a whole. NONE: of deeper ones. */
static uint32_t add_function(struct places *p, uint32_t function)
{
    return function == NONE ? 0 : add_place(p, function, NAME_EMPTY, p->profile->functions[function].line);
}

static uint32_t add_row(struct places *p, uint32_t row)
{
    const struct line_key *key = &p->profile->lines->rows[row].key;
    return add_place(p, key->function, key->file, key->line);
}

static void add_cost(struct places *p, uint32_t above, uint32_t place, cost_t cost)
{
    if (cost == 0)
        return;
    uint32_t stack = contexts_child(&p->stacks, above, place, 0);
    cost_add(&p->stacks.items[stack].self, cost);
}

/* Shares a cost whose line is unknown among what is left of the function's lines. */
static void share_cost(struct places *p, uint32_t above, uint32_t function, cost_t cost)
{
    uint32_t *next = p->next != NULL && function != NONE ? &p->next[function] : NULL;
    while (next != NULL && cost > 0 && *next < p->by_function.start[function + 1]) {
        uint32_t row = p->by_function.numbers[*next];
        bool is_self = p->profile->lines->rows[row].key.callee == NONE;
        cost_t taken = is_self ? MAX(MIN(cost, p->left[row]), 0) : 0;
        p->left[row] -= taken;
        cost -= taken;
        add_cost(p, above, add_row(p, row), taken);
        *next += cost > 0;
    }
    add_cost(p, above, add_function(p, function), cost);
}

/* Costs that know their line come first, so that the others do not take it. */
static void add_contexts(struct places *p, struct contexts *contexts)
{
    uint32_t *above = memory_zeroed(contexts->count + 1, sizeof *above); /* the stack that called each */
    p->stacks.is_cut = contexts->is_cut;
    for (uint32_t i = NONE; (i = contexts_next(contexts, i)) != NONE;) {
        const struct context *c = &contexts->items[i];
        above[i] = NONE;
        if (c->parent == NONE)
            continue;
        uint32_t caller = contexts->items[c->parent].function, arc = NONE;
        if (p->files != NULL && contexts->call_is == CALL_IS_ARC)
            arc = c->call;
        else if (p->files != NULL && contexts->call_is == CALL_IS_LINE) /* of a merged input, only that is known */
            arc = profile_find_arc(p->profile, caller, c->function, c->call);
        uint32_t place = arc == NONE ? add_function(p, caller)
                                     : add_place(p, caller, p->files[arc], p->profile->arcs[arc].line);
        above[i] = contexts_child(&p->stacks, above[c->parent], place, 0);
    }
    for (size_t i = 0; i < contexts->lines.index.used; i++) {
        const struct context_line *line = &contexts->lines.items[i];
        add_cost(p, above[line->context], add_row(p, line->row), line->cost);
        cost_subtract(&contexts->items[line->context].self, line->cost);
        cost_subtract(&p->left[line->row], line->cost);
    }
    for (size_t i = 0; i < contexts->count; i++)
        share_cost(p, above[i], contexts->items[i].function, contexts->items[i].self);
}

/* Makes stacks of the contexts, which it frees; without contexts, of lines or functions. */
static void places_init(struct places *p, struct contents *shown)
{
    const struct profile *profile = &shown->profile;
    const struct line_costs *lines = profile->lines;
    size_t count = lines != NULL ? lines->count : 0;
    *p = (struct places){.profile = profile};
    add_place(p, (uint32_t)profile->function_count, NAME_EMPTY, 0);
    if (lines != NULL && shown->has_contexts) {
        p->files = line_costs_files(profile);
        p->left = memory_get((count + 1) * sizeof *p->left);
        p->by_function = line_costs_by_function(profile);
        p->next = memory_copy(p->by_function.start, (profile->function_count + 1) * sizeof *p->next);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct line_key *key = &lines->rows[i].key;
        if (p->left != NULL)
            p->left[i] = lines->costs[i];
        else if (key->callee == NONE)
            add_cost(p, NONE, add_row(p, i), lines->costs[i]);
    }
    for (uint32_t i = 0; lines == NULL && !shown->has_contexts && i < profile->function_count; i++)
        add_cost(p, NONE, add_function(p, i), profile->functions[i].self);
    if (shown->has_contexts)
        add_contexts(p, &shown->contexts);
    contexts_free(&shown->contexts);
    contexts_link(&p->stacks);
}

static void print_samples(FILE *stream, const struct stack_tree *tree, uint64_t factor, const struct contents *shown)
{
    struct message path, value, sample;
    for (size_t i = 0; i < tree->count; i++) {
        cost_t cost = tree->nodes[i].self[0];
        if (cost == 0)
            continue;
        path.length = value.length = sample.length = 0;
        for (uint32_t node = (uint32_t)i; node != 0; node = tree->nodes[node].parent)
            add_number(&path, tree->nodes[node].name + UINT64_C(1));
        cost_multiply(&cost, factor);
        add_number(&value, (uint64_t)cost);
        add_message(&sample, SAMPLE_LOCATIONS, &path);
        add_message(&sample, SAMPLE_VALUES, &value);
        print_message(stream, SAMPLE, &sample);
        view_check_size(stream, shown, "stacks", CG2WG_MEMBER_NONE);
    }
}

static void print_function(FILE *stream, uint64_t number, const struct function *f, uint32_t file, uint32_t system_name)
{
    struct message message;
    message.length = 0;
    add_field(&message, FUNCTION_ID, number);
    add_field(&message, FUNCTION_NAME, f->name);
    add_field(&message, FUNCTION_SYSTEM_NAME, system_name);
    add_field(&message, FUNCTION_FILE, file);
    add_field(&message, FUNCTION_LINE, f->line);
    print_message(stream, FUNCTION, &message);
}

static void print_places(FILE *stream, const struct places *p, const uint32_t *system_names, const uint32_t *brackets)
{
    const struct profile *profile = p->profile;
    SET(struct place) inlined = {.capacity = 0};
    struct message line, message;
    line.length = message.length = 0;
    for (uint32_t i = 0; i < p->all.index.used; i++) {
        struct place place = {p->all.items[i].function, p->all.items[i].file, 0};
        bool is_function = place.function < profile->function_count;
        struct function f = is_function ? profile->functions[place.function] : (struct function){.file = NAME_EMPTY};
        uint64_t number = place.function + UINT64_C(1);
        if (place.file != f.file) {
            uint32_t count = inlined.index.used, found = SET_INTERN(&inlined, place, sizeof place);
            number = profile->function_count + UINT64_C(2) + found;
            f.file = place.file;
            f.line = 0;
            if (found == count)
                print_function(stream, number, &f, f.file, system_names[place.function]);
        }
        add_field(&line, LINE_FUNCTION, number);
        add_field(&line, LINE_LINE, p->all.items[i].line);
        add_field(&message, LOCATION_ID, i + UINT64_C(1));
        add_field(&message, LOCATION_MAPPING, brackets[f.object]);
        add_message(&message, LOCATION_LINE, &line);
        print_message(stream, LOCATION, &message);
        line.length = 0;
    }
}

static void print_mapping(FILE *stream, uint32_t object, bool *is_printed)
{
    struct message message;
    message.length = 0;
    if (object == NAME_EMPTY || is_printed[object])
        return;
    is_printed[object] = true;
    add_field(&message, MAPPING_ID, object);
    add_field(&message, MAPPING_FILE, object);
    add_field(&message, MAPPING_HAS_FUNCTIONS, true);
    print_message(stream, MAPPING, &message);
}

/*
 * The name of the program: what the command begins with. perf records others, and some producers write only arguments:
 * then it is the object of the largest self cost that may be a program, or NAME_EMPTY.
 */
static uint32_t find_program(const struct profile *profile, struct names *names, struct text command)
{
    /* Not run are libraries, the kernel, and memory. */
    static const char *const others[] = {"[*",  "*.so",     "*.so.*", "*.ko",  "*.ko.*", "*vmlinux*",
                                         "//*", "/memfd:*", "/dev/*", "*.map", NULL};
    struct text rest = command, word = text_take_word(&rest);
    uint32_t program = NAME_EMPTY;
    if (!text_is_empty(word) && !text_equals(path_file(word), "perf") && !text_starts(word, "-"))
        return names_intern(names, profile->has_part_of[PRODUCER_XDEBUG] ? command : word); /* a script's path */
    cost_t *costs = memory_zeroed(names->count, sizeof *costs);                             /* of objects */
    for (size_t i = 0; i < profile->function_count; i++)
        cost_add(&costs[profile->functions[i].object], profile->functions[i].self);
    costs[NAME_EMPTY] = 0;
    for (uint32_t i = 1; i < names->count; i++) {
        struct text name = names_text(names, i);
        if (costs[i] > costs[program] && *name.at != '?' && !text_matches_any(name, others))
            program = i;
    }
    return program;
}

/*
 * By the number of a name: if objects have it, or it is in place of a file, the same name with its last part in
 * brackets, unless that is no name of a file: `[vdso]`, `???`.
 */
static uint32_t *name_objects(struct profile *profile)
{
    struct names *names = &profile->names;
    uint32_t *brackets = memory_zeroed(names->count, sizeof *brackets);
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        uint32_t all[] = {f->object, profile_has_source(profile, f) ? NAME_EMPTY : f->file};
        for (size_t k = 0; k < COUNT_OF(all); k++) {
            struct text path = names_text(names, all[k]), last = path_file(path);
            if (text_is_empty(path) || brackets[all[k]] != NAME_EMPTY)
                continue;
            struct text parts[] = {{path.at, last.at}, text_of_string("["), last, text_of_string("]")};
            brackets[all[k]] = text_starts(last, "[") || text_starts(last, "?")
                                   ? all[k]
                                   : names_intern_parts(names, parts, COUNT_OF(parts));
        }
    }
    return brackets;
}

/* Gives functions their names in stacks. Returns those that the input has for them, mangled ones if it has these. */
static uint32_t *name_functions(struct contents *shown)
{
    struct profile *profile = &shown->profile;
    const uint32_t *mangled = shown->sizes != NULL ? shown->sizes->mangled : NULL;
    uint32_t *names = memory_zeroed(profile->function_count + 1, sizeof *names);
    struct text *stack_names = stacks_names(shown);
    for (size_t i = 0; i < profile->function_count; i++) {
        names[i] = mangled != NULL && mangled[i] != NAME_EMPTY ? mangled[i] : profile->functions[i].name;
        if (stack_names != NULL)
            profile->functions[i].name = names_intern(&profile->names, stack_names[i]);
    }
    return names;
}

bool print_pprof(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct contents *base)
{
    struct profile *profile = &shown->profile;
    struct names *names = &profile->names;
    const struct facts *facts = &shown->facts;
    struct message message = {.length = 0};
    struct stack_tree tree;
    struct places places;
    uint32_t *system_names = name_functions(shown);
    struct unit unit = facts->unit;
    bool are_bytes = quantity_of(facts->event).kind == QUANTITY_BYTES;
    struct text type = text_is_empty(unit.base) ? text_of_string(unit.is_time ? "Time" : "cost") : unit_thing(unit);
    add_field(&message, TYPE_NAME, names_intern(names, type));
    const char *unit_name = unit.is_time ? "nanoseconds" : are_bytes ? "bytes" : "count";
    add_field(&message, TYPE_UNIT, names_intern(names, text_of_string(unit_name)));
    struct function deeper = {.name = names_intern(names, text_of_string(STACKS_DEEPER))};
    names_intern(names, facts->heading);
    struct text command = facts->command_count > 0 ? facts->commands[0].name : text_of("", 0);
    uint32_t program = find_program(profile, names, command), *brackets = name_objects(profile);
    bool *is_printed = memory_zeroed(names->count, sizeof *is_printed); /* objects */
    places_init(&places, shown);
    for (uint32_t i = 1; i < places.all.index.used; i++) { /* pprof lists no lines before that of the function */
        struct function *f = &profile->functions[places.all.items[i].function];
        if (places.all.items[i].file == f->file && places.all.items[i].line != 0)
            f->line = MIN(f->line, places.all.items[i].line);
    }
    stack_tree_init(&tree, &places.stacks, NULL, NULL, NULL, 0);
    stacks_warn(&tree, &shown->diag);
    print_message(stream, SAMPLE_TYPE, &message);
    print_samples(stream, &tree, unit.factor, shown);
    print_mapping(stream, program, is_printed);
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        print_mapping(stream, brackets[f->object], is_printed);
        print_function(stream, i + 1, f, profile_has_source(profile, f) ? f->file : brackets[f->file], system_names[i]);
    }
    print_function(stream, profile->function_count + UINT64_C(1), &deeper, NAME_EMPTY, deeper.name);
    print_places(stream, &places, system_names, brackets);
    bool has_heading = !text_is_empty(facts->heading);
    for (size_t i = 0; i < (has_heading ? 1 : facts->command_count); i++) {
        add_field(&message, COMMENT, names_intern(names, has_heading ? facts->heading : facts->commands[i].name));
        print_fields(stream, &message);
    }
    for (uint32_t i = 0; i < names->count; i++) {
        add_number(&message, STRING << 3 | BYTES);
        add_number(&message, text_length(names_text(names, i)));
        print_fields(stream, &message);
        show_plain(stream, names_text(names, i));
    }
    if (!shown->has_contexts && profile->arc_count > 0)
        diag_note(diag_about(&shown->diag, CG2WG_MEMBER_ESTIMATE), 0,
                  "this profile has no call stacks, so that pprof's cum is flat");
    (void)options;
    (void)base;
    return false;
}

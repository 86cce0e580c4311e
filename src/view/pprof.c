/* SPDX-License-Identifier: MIT */
/*
 * Prints what google/pprof reads: a message of Profile, not compressed, of
 * https://github.com/google/pprof/blob/main/proto/profile.proto. Samples are stacks where the input has calling
 * contexts, otherwise functions with their self costs. Values are in nanoseconds, bytes or counts of the event.
 *
 * Strings have the numbers of the profile's names. A function has one location, both with its number plus 1. An object
 * is a mapping, with the number of its name; the first one is the program. After the first byte, no memory is needed.
 */
#include "view/view.h"

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

/* Prints a field of Profile, and empties its message. */
static void print_message(FILE *stream, unsigned field, struct message *message)
{
    struct message whole;
    whole.length = 0;
    add_message(&whole, field, message);
    fwrite(whole.bytes, 1, whole.length, stream);
    message->length = 0;
}

/* Stacks must not take more than a multiple of the input. Each number counts as the largest one. */
static void check_size(struct contents *shown, const struct stack_tree *tree)
{
    struct message number = {.length = 0};
    uint64_t size = 0;
    add_number(&number, shown->profile.function_count + UINT64_C(1));
    for (size_t i = 0; i < tree->count; i++)
        size += tree->nodes[i].self[0] != 0 ? tree->nodes[i].depth * number.length : 0;
    view_check_size(&shown->diag, shown->bytes, size, "stacks", CG2WG_MEMBER_NONE);
}

static void print_sample(FILE *stream, const struct message *path, cost_t cost, uint64_t factor)
{
    struct message value, sample;
    value.length = sample.length = 0;
    cost_multiply(&cost, factor);
    add_number(&value, (uint64_t)cost);
    add_message(&sample, SAMPLE_LOCATIONS, path);
    add_message(&sample, SAMPLE_VALUES, &value);
    print_message(stream, SAMPLE, &sample);
}

/* One for each stack with a self cost, or for each function. NULL: there are no stacks. */
static void print_samples(FILE *stream, const struct contents *shown, const struct stack_tree *tree, uint64_t factor)
{
    struct message path;
    size_t count = tree != NULL ? tree->count : shown->profile.function_count;
    for (size_t i = 0; i < count; i++) {
        cost_t cost = tree != NULL ? tree->nodes[i].self[0] : shown->profile.functions[i].self;
        uint32_t node = tree != NULL ? (uint32_t)i : 0;
        if (cost == 0)
            continue;
        path.length = 0;
        if (tree == NULL)
            add_number(&path, i + 1);
        for (; node != 0; node = tree->nodes[node].parent)
            add_number(&path, tree->nodes[node].name + UINT64_C(1));
        print_sample(stream, &path, cost, factor);
    }
}

static void print_location(FILE *stream, uint64_t number, uint64_t function, uint32_t object, uint32_t code_line)
{
    struct message line, message;
    line.length = message.length = 0;
    add_field(&line, LINE_FUNCTION, function);
    add_field(&line, LINE_LINE, code_line);
    add_field(&message, LOCATION_ID, number);
    add_field(&message, LOCATION_MAPPING, object);
    add_message(&message, LOCATION_LINE, &line);
    print_message(stream, LOCATION, &message);
}

/* A function and its location; `number` is that of both. */
static void print_function(FILE *stream, uint64_t number, const struct function *f, uint32_t system_name)
{
    struct message message;
    message.length = 0;
    add_field(&message, FUNCTION_ID, number);
    add_field(&message, FUNCTION_NAME, f->name);
    add_field(&message, FUNCTION_SYSTEM_NAME, system_name);
    add_field(&message, FUNCTION_FILE, f->file);
    add_field(&message, FUNCTION_LINE, f->line);
    print_message(stream, FUNCTION, &message);
    print_location(stream, number, number, f->object, f->line);
}

/*
 * The self costs of lines: each is a sample, with a location after those of functions. One in another file than the
 * function's, from which it was inlined, is of a function of the same name there.
 */
static void print_lines(FILE *stream, const struct profile *profile, uint64_t factor)
{
    uint64_t next = profile->function_count + UINT64_C(2);
    struct message path;
    for (size_t i = 0; i < profile->lines->count; i++) {
        const struct line_key *key = &profile->lines->rows[i].key;
        struct function f = profile->functions[key->function];
        cost_t cost = profile->lines->costs[i];
        if (key->callee != NONE || cost == 0)
            continue;
        uint64_t function = key->function + UINT64_C(1), location = next++;
        path.length = 0;
        add_number(&path, location);
        print_sample(stream, &path, cost, factor);
        if (key->file != f.file) {
            f.file = key->file;
            f.line = 0;
            function = next++;
            print_function(stream, function, &f, f.name);
        }
        print_location(stream, location, function, f.object, key->line);
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

static struct text file_of(struct text path)
{
    for (const char *p = path.at; p < path.end; p++)
        path.at = *p == '/' ? p + 1 : path.at;
    return path;
}

/* Is it the file that a command runs, `word` being the first one of it? A path may have blanks. */
static bool is_run_by(struct text object, struct text command, struct text word)
{
    object.end -= text_ends(object, " (deleted)") ? strlen(" (deleted)") : 0;
    struct text start = text_of(command.at, MIN(text_length(object), text_length(command)));
    return text_same(file_of(object), file_of(word)) ||
           (text_same(object, start) && (start.end == command.end || *start.end == ' '));
}

/* May it be a program? Neither a library, nor the kernel, nor memory. */
static bool may_be_run(struct text object)
{
    static const char *const others[] = {"[*", "*.so", "*.so.*", "*.ko", "*.ko.*", "*vmlinux*", "//*", "/memfd:*",
                                         "/dev/*", "*.map"};
    bool may = !text_is_empty(object) && *object.at != '?';
    for (size_t i = 0; i < sizeof others / sizeof others[0] && may; i++)
        may = !text_matches(object, others[i], false);
    return may;
}

/*
 * The name of the program: the object that the command runs. It may have another name, behind a link or in a shell;
 * then that of the largest self cost which may be a program. Without such an object, what the command says.
 */
static uint32_t find_program(const struct profile *profile, struct names *names, struct text command)
{
    struct text rest = command, word = text_take_word(&rest);
    /* perf, of which a command may be all of the line, records others; some producers write only arguments. */
    bool has_program = !text_equals(file_of(word), "perf") && !text_starts(word, "-");
    cost_t *costs = memory_zeroed(names->count, sizeof *costs); /* of objects */
    uint32_t program = NAME_EMPTY;
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        cost_add(&costs[f->object], f->self);
        if (text_same(names_text(names, f->file), command)) /* a script */
            word = command;
    }
    for (size_t i = 0; i < profile->function_count; i++) {
        uint32_t object = profile->functions[i].object;
        struct text name = names_text(names, object);
        if (has_program && object != NAME_EMPTY && is_run_by(name, command, word))
            return object;
        if (may_be_run(name) && (program == NAME_EMPTY || costs[object] > costs[program]))
            program = object;
    }
    return program == NAME_EMPTY && has_program ? names_intern(names, word) : program;
}

void print_pprof(FILE *stream, struct contents *shown)
{
    struct profile *profile = &shown->profile;
    struct names *names = &profile->names;
    const struct facts *facts = &shown->facts;
    struct message message = {.length = 0};
    struct stack_tree tree = {.count = 0};
    struct unit unit = facts->unit;
    bool are_bytes = !unit.is_time && text_ends(unit.base, "(bytes)");
    struct text type = text_is_empty(unit.base) ? text_of_string(unit.is_time ? "Time" : "cost") : unit.base;
    type.end -= are_bytes && text_length(type) > strlen("_(bytes)") ? strlen("_(bytes)") : 0;
    add_field(&message, TYPE_NAME, names_intern(names, type));
    add_field(&message, TYPE_UNIT,
              names_intern(names, text_of_string(unit.is_time ? "nanoseconds" : are_bytes ? "bytes" : "count")));
    struct function deeper = {.name = names_intern(names, text_of_string(STACKS_DEEPER))};
    names_intern(names, facts->heading);
    struct text command = facts->command_count > 0 ? facts->commands[0].name : text_of("", 0);
    uint32_t program = find_program(profile, names, command);
    bool *is_printed = memory_zeroed(names->count, sizeof *is_printed); /* objects */
    if (shown->has_contexts)
        stack_tree_init(&tree, &shown->contexts, NULL, NULL, NULL, (uint32_t)profile->function_count);
    check_size(shown, &tree);
    print_message(stream, SAMPLE_TYPE, &message);
    bool are_lines = !shown->has_contexts && profile->lines != NULL;
    if (!are_lines)
        print_samples(stream, shown, shown->has_contexts ? &tree : NULL, unit.factor);
    print_mapping(stream, program, is_printed);
    for (size_t i = 0; i < profile->function_count; i++) {
        bool is_mangled = shown->has_sizes && i < shown->sizes.mangled_count && shown->sizes.mangled[i] != NAME_EMPTY;
        const struct function *f = &profile->functions[i];
        print_mapping(stream, f->object, is_printed);
        print_function(stream, i + 1, f, is_mangled ? shown->sizes.mangled[i] : f->name);
    }
    print_function(stream, profile->function_count + UINT64_C(1), &deeper, deeper.name);
    if (are_lines)
        print_lines(stream, profile, unit.factor);
    bool has_heading = !text_is_empty(facts->heading);
    for (size_t i = 0; i < (has_heading ? 1 : facts->command_count); i++) {
        add_field(&message, COMMENT, names_intern(names, has_heading ? facts->heading : facts->commands[i].name));
        fwrite(message.bytes, 1, message.length, stream);
        message.length = 0;
    }
    for (uint32_t i = 0; i < names->count; i++) {
        add_number(&message, STRING << 3 | BYTES);
        add_number(&message, text_length(names_text(names, i)));
        fwrite(message.bytes, 1, message.length, stream);
        message.length = 0;
        show_plain(stream, names_text(names, i));
    }
}

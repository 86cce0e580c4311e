/*
 * Prints what google/pprof reads: a message of Profile, not compressed, of
 * https://github.com/google/pprof/blob/main/proto/profile.proto. Samples are stacks where the input has calling
 * contexts, otherwise functions with their self costs. Values are in nanoseconds, bytes or counts of the event.
 *
 * Strings have the numbers of the profile's names. A function has one location, both with its number plus 1. The
 * output is made in memory, so that all of it is printed or nothing.
 */
#include "view/view.h"

#include "view/stacks.h"

/* Fields of the messages. */
enum profile_field { SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING, COMMENT = 13 };
enum sample_field { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES };
enum mapping_field { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum location_field { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4, LINE_FUNCTION = 1, LINE_LINE = 2 };
enum function_field { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_LINE };
enum type_field { TYPE_NAME = 1, TYPE_UNIT };

enum wire_type { VARINT, BYTES = 2 };

static void add_number(struct buffer *to, uint64_t number)
{
    char digits[10];
    size_t count = 0;
    for (; number > 0x7f; number >>= 7)
        digits[count++] = (char)(number | 0x80);
    digits[count++] = (char)number;
    buffer_add(to, text_of(digits, count));
}

/* A field that is 0 need not be there. */
static void add_field(struct buffer *to, unsigned field, uint64_t number)
{
    if (number == 0)
        return;
    add_number(to, field << 3 | VARINT);
    add_number(to, number);
}

static void add_text(struct buffer *to, unsigned field, struct text text)
{
    add_number(to, field << 3 | BYTES);
    add_number(to, text_length(text));
    buffer_add(to, text);
}

/* Adds a field of Profile, and empties its message. */
static void add_message(struct buffer *to, unsigned field, struct buffer *message)
{
    add_text(to, field, buffer_text(message));
    message->length = 0;
}

/* One for each stack with a self cost, or for each function. */
static void add_samples(struct buffer *to, struct shown *shown, uint64_t factor, struct buffer *message)
{
    struct buffer stack = {0}, value = {0};
    struct stack_tree tree = {.count = 0};
    size_t count = shown->profile.function_count;
    if (shown->has_contexts) {
        stack_tree_init(&tree, &shown->contexts, NULL, NULL, NULL, (uint32_t)count);
        count = tree.count;
    }
    for (size_t i = 0; i < count; i++) {
        cost_t cost = shown->has_contexts ? tree.nodes[i].self[0] : shown->profile.functions[i].self;
        uint32_t node = shown->has_contexts ? (uint32_t)i : 0;
        if (cost == 0)
            continue;
        cost_multiply(&cost, factor);
        stack.length = value.length = 0;
        if (!shown->has_contexts)
            add_number(&stack, i + 1);
        for (; node != 0; node = tree.nodes[node].parent)
            add_number(&stack, tree.nodes[node].name + UINT64_C(1));
        add_number(&value, (uint64_t)cost);
        add_text(message, SAMPLE_LOCATIONS, buffer_text(&stack));
        add_text(message, SAMPLE_VALUES, buffer_text(&value));
        add_message(to, SAMPLE, message);
    }
}

/* A function and its location; `number` is that of both. */
static void add_function(struct buffer *to, uint64_t number, const struct function *f, uint32_t system_name,
                         struct buffer *message)
{
    struct buffer line = {0};
    add_field(message, FUNCTION_ID, number);
    add_field(message, FUNCTION_NAME, f->name);
    add_field(message, FUNCTION_SYSTEM_NAME, system_name);
    add_field(message, FUNCTION_FILE, f->file);
    add_field(message, FUNCTION_LINE, f->line);
    add_message(to, FUNCTION, message);
    add_field(&line, LINE_FUNCTION, number);
    add_field(&line, LINE_LINE, f->line);
    add_field(message, LOCATION_ID, number);
    add_field(message, LOCATION_MAPPING, f->object);
    add_text(message, LOCATION_LINE, buffer_text(&line));
    add_message(to, LOCATION, message);
    memory_free(line.bytes);
}

void print_pprof(FILE *stream, struct shown *shown)
{
    struct profile *profile = &shown->profile;
    struct names *names = &profile->names;
    struct text rest = shown->headers, key, value;
    struct buffer out = {0}, message = {0};
    struct unit unit = unit_of(shown->event);
    bool are_bytes = !unit.is_time && text_ends(unit.base, "(bytes)");
    struct text type = text_is_empty(unit.base) ? text_of_string(unit.is_time ? "Time" : "cost") : unit.base;
    type.end -= are_bytes && text_length(type) > strlen("_(bytes)") ? strlen("_(bytes)") : 0;
    add_field(&message, TYPE_NAME, names_intern(names, type));
    add_field(&message, TYPE_UNIT,
              names_intern(names, text_of_string(unit.is_time ? "nanoseconds" : are_bytes ? "bytes" : "count")));
    add_message(&out, SAMPLE_TYPE, &message);
    struct function deeper = {.name = names_intern(names, text_of_string(STACKS_DEEPER))};
    bool *is_printed = memory_zeroed(names->count, sizeof *is_printed); /* objects */
    add_samples(&out, shown, unit.factor, &message);
    for (size_t i = 0; i < profile->function_count; i++) { /* an object is a mapping, with the number of its name */
        uint32_t object = profile->functions[i].object;
        if (object == NAME_EMPTY || is_printed[object])
            continue;
        is_printed[object] = true;
        add_field(&message, MAPPING_ID, object);
        add_field(&message, MAPPING_FILE, object);
        add_field(&message, MAPPING_HAS_FUNCTIONS, true);
        add_message(&out, MAPPING, &message);
    }
    for (size_t i = 0; i < profile->function_count; i++) {
        bool is_mangled = shown->has_sizes && i < shown->sizes.mangled_count && shown->sizes.mangled[i] != NAME_EMPTY;
        const struct function *f = &profile->functions[i];
        add_function(&out, i + 1, f, is_mangled ? shown->sizes.mangled[i] : f->name, &message);
    }
    add_function(&out, profile->function_count + UINT64_C(1), &deeper, deeper.name, &message);
    while (preprocessed_next_header(&rest, &key, &value))
        if (text_equals(key, "cmd"))
            add_field(&message, COMMENT, names_intern(names, text_trim(value)));
    buffer_add(&out, buffer_text(&message));
    message.length = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        buffer_add(&message, names_text(names, i));
        if (message.length > 0)
            utf8_make_printable(message.bytes, message.length);
        add_message(&out, STRING, &message);
    }
    memory_free(message.bytes);
    fwrite(out.bytes, 1, out.length, stream);
    memory_free(out.bytes);
}

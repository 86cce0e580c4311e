#include "frontends/full_records.h"

#include "util/array.h"
#include "util/digits.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* Own cost of the records that are taken at once, but for that of the last one. */
#define ENOUGH_SELF (INT64_C(1) << 62)

enum {
    MAX_HEAD = 1024,        /* bytes */
    MAX_HEADS = 1 << 16,    /* then all are forgotten */
    MAX_BYTES = 1 << 22,    /* of all heads; likewise */
    MAX_GROUPS = 1 << 16,   /* of a record; from there on there is no room for more */
    MAX_DIGITS = 15,        /* of a cost */
    MARGIN = 64             /* more than the costs of a line take, and what is read after them */
};

struct full_head {
    size_t bytes; /* where they are */
    uint32_t length;
    uint32_t owner; /* of a call: the head of its record; else NONE */
    /* The heads that came after it last, and others before these: of a call, of a record; or NONE. */
    uint32_t next[2], other[2];
    uint32_t line;
    uint32_t lines; /* in its group, with the cost line */
    uint32_t meaning; /* of a record the function, of a call the arc; NONE: not entered yet */
    uint32_t file, name; /* of a record, or of what is called; numbers in names */
    uint64_t count; /* of the calls */
};

struct full_group {
    uint64_t cost;
    uint32_t head;
};

void full_records_init(struct full_records *f, struct builder *builder,
                       struct aliases *file_aliases, struct aliases *function_aliases,
                       struct costs_form form)
{
    *f = (struct full_records){.builder = builder,
                               .file_aliases = file_aliases,
                               .function_aliases = function_aliases,
                               .form = form,
                               .last = NONE,
                               .known = NONE};
}

void full_records_free(struct full_records *f)
{
    index_free(&f->index);
    free(f->heads);
    free(f->bytes);
    free(f->groups);
    *f = (struct full_records){.last = NONE, .known = NONE};
}

bool full_records_begin(struct text text)
{
    return text_length(text) > 3 && text.at[3] != '(' && digest_record_begins(text);
}

/* ---- heads -------------------------------------------------------------------------------- */

static struct text head_text(const struct full_records *f, const struct full_head *head)
{
    return text_of(f->bytes + head->bytes, head->length);
}

static uint32_t hash_of_bytes(const struct full_records *f, struct text text, uint32_t owner)
{
    return hash_numbers(&f->index.seed, hash_text(&f->index.seed, text), owner);
}

static uint32_t hash_of_head(const void *owner, uint32_t number)
{
    const struct full_records *f = owner;
    const struct full_head *head = &f->heads[number];
    return hash_of_bytes(f, head_text(f, head), head->owner);
}

/* Forgets all heads, if there are too many; not within a record. */
static bool make_room(struct full_records *f)
{
    if (f->index.slots == NULL && !index_init(&f->index, NULL))
        return false;
    if (f->head_count < MAX_HEADS && f->byte_count < MAX_BYTES)
        return true;
    index_truncate(&f->index, 0, hash_of_head, f);
    f->head_count = f->byte_count = 0;
    f->last = NONE;
    f->known = NONE;
    return true;
}

/* Takes the line KEY=VALUE off the start of `rest`. False: it is another one, or has an alias. */
static bool take_value(struct text *rest, const char *key, struct text *value)
{
    size_t length = strlen(key);
    if (!text_starts(*rest, key))
        return false;
    const char *newline = memchr(rest->at, '\n', text_length(*rest));
    if (newline == NULL || newline[-1] == '\r')
        return false;
    *value = text_trim((struct text){rest->at + length, newline});
    rest->at = newline + 1;
    return text_is_empty(*value) || *value->at != '(';
}

/* Takes up to eight digits and the blank after them. */
static bool take_short_number(struct text *rest, uint64_t *number)
{
    const char *p = rest->at;
    for (*number = 0; p < rest->end && p - rest->at < 8 && char_is_digit(*p); p++)
        *number = *number * 10 + (uint64_t)(*p - '0');
    if (p == rest->at || p == rest->end || *p != ' ')
        return false;
    rest->at = p + 1;
    return true;
}

/* What a head says, as far as it is of the form. */
struct head_parts {
    struct text file, name;
    bool has_file;
    uint64_t count, line;
};

/* Splits the head that `rest` begins with, and takes it off. */
static bool split_head(struct text *rest, bool is_record, struct head_parts *parts)
{
    struct text calls;
    *parts = (struct head_parts){.has_file = true};
    if (is_record) {
        if (!take_value(rest, "fl=", &parts->file) || !take_value(rest, "fn=", &parts->name))
            return false;
    } else {
        parts->has_file = text_starts(*rest, "cfl=");
        if ((parts->has_file && !take_value(rest, "cfl=", &parts->file)) ||
            !take_value(rest, "cfn=", &parts->name) || !take_value(rest, "calls=", &calls) ||
            !take_short_number(&calls, &parts->count))
            return false;
    }
    return take_short_number(rest, &parts->line);
}

/* Where the head at `text` ends, or NULL: after the blank that the line number ends with. */
static const char *find_end(struct text text, bool is_record)
{
    if (text_length(text) > MAX_HEAD)
        text.end = text.at + MAX_HEAD;
    unsigned lines = is_record ? 2 : *(text.at + 2) == 'l' ? 3 : 2;
    for (; lines > 0; lines--) {
        const char *newline = memchr(text.at, '\n', text_length(text));
        if (newline == NULL)
            return NULL;
        text.at = newline + 1;
    }
    const char *blank = memchr(text.at, ' ', text_length(text) < 9 ? text_length(text) : 9);
    return blank != NULL ? blank + 1 : NULL;
}

/*
 * Appends a head. *number is NONE if it is not of the form. Names are kept in the order in which the
 * plain path would, if what follows makes it read this record again.
 */
static bool append_head(struct full_records *f, struct text text, uint32_t owner, uint32_t hash,
                        uint32_t *number)
{
    struct names *names = &f->builder->profile->names;
    struct text rest = text;
    struct head_parts parts;
    struct full_head head = {.bytes = f->byte_count,
                             .length = (uint32_t)text_length(text),
                             .owner = owner,
                             .next = {NONE, NONE},
                             .other = {NONE, NONE},
                             .meaning = NONE};
    *number = NONE;
    if (!split_head(&rest, owner == NONE, &parts))
        return true;
    if (parts.has_file && aliases_resolve(f->file_aliases, names, parts.file, &head.file) != ALIAS_OK)
        return false;
    if (aliases_resolve(f->function_aliases, names, parts.name, &head.name) != ALIAS_OK ||
        !index_make_room(&f->index, hash_of_head, f) ||
        !array_reserve(&f->heads, &f->head_capacity, f->head_count + 1, sizeof *f->heads) ||
        !array_reserve(&f->bytes, &f->byte_capacity, f->byte_count + head.length, 1))
        return false;
    if (!parts.has_file)
        head.file = f->heads[owner].file;
    head.line = (uint32_t)parts.line;
    head.lines = parts.has_file ? 4 : 3;
    head.count = parts.count;
    memcpy(f->bytes + f->byte_count, text.at, head.length);
    f->byte_count += head.length;
    *number = (uint32_t)f->head_count;
    f->heads[f->head_count++] = head;
    index_add(&f->index, hash);
    return true;
}

/* Finds the head at `text`, of a call if it has an owner. *number: NONE if it is not of the form. */
static bool find_head(struct full_records *f, struct text text, uint32_t owner, uint32_t *number)
{
    *number = NONE;
    text.end = find_end(text, owner == NONE);
    if (text.end == NULL)
        return true;
    uint32_t hash = hash_of_bytes(f, text, owner), slot;
    uint32_t found = index_first(&f->index, hash, &slot);
    for (; found != INDEX_NONE; found = index_next(&f->index, hash, &slot)) {
        if (f->heads[found].owner == owner && text_same(head_text(f, &f->heads[found]), text)) {
            *number = found;
            return true;
        }
    }
    return append_head(f, text, owner, hash, number);
}

/* Are the bytes the same? Sixteen at a time; the last ones may be looked at twice. */
HOT bool same_bytes(const char *a, const char *b, size_t length)
{
    uint64_t difference = 0;
    if (length < 16)
        return memcmp(a, b, length) == 0;
    for (size_t i = 0; i + 16 < length; i += 16)
        difference |= (little8(a + i) ^ little8(b + i)) | (little8(a + i + 8) ^ little8(b + i + 8));
    a += length - 16;
    b += length - 16;
    return (difference | (little8(a) ^ little8(b)) | (little8(a + 8) ^ little8(b + 8))) == 0;
}

/* Is that the head at `text`? What has come after a head before is of the right owner. */
HOT bool is_head(const struct full_records *f, uint32_t number, struct text text)
{
    if (number == NONE)
        return false;
    const struct full_head *head = &f->heads[number];
    return head->length <= text_length(text) &&
           same_bytes(f->bytes + head->bytes, text.at, head->length);
}

/* The head at `text`, if it is one of those that came last after the one before it; else NONE. */
HOT uint32_t guess_head(struct full_records *f, struct text text, bool is_record)
{
    if (f->last == NONE)
        return NONE;
    struct full_head *last = &f->heads[f->last];
    if (is_head(f, last->next[is_record], text))
        return last->next[is_record];
    uint32_t other = last->other[is_record];
    if (!is_head(f, other, text))
        return NONE;
    last->other[is_record] = last->next[is_record];
    last->next[is_record] = other;
    return other;
}

/* Remembers which head has come. */
static void note_next(struct full_records *f, bool is_record, uint32_t number)
{
    if (f->last == NONE)
        return;
    struct full_head *last = &f->heads[f->last];
    last->other[is_record] = last->next[is_record];
    last->next[is_record] = number;
}

/* ---- records ------------------------------------------------------------------------------ */

/*
 * Takes one group of lines. False: memory has run out; *p is NULL if it is not of the form. Groups are
 * kept until the end of the record is seen.
 */
HOT bool take_group(struct full_records *f, struct text text, uint32_t owner, const char **p)
{
    uint32_t number = f->known;
    *p = NULL;
    f->known = NONE;
    if (number == NONE)
        number = guess_head(f, text, owner == NONE);
    if (number == NONE) {
        if (!find_head(f, text, owner, &number))
            return false;
        if (number == NONE)
            return true;
        note_next(f, owner == NONE, number);
    }
    f->last = number;
    const char *costs = text.at + f->heads[number].length;
    if (text.end - costs < MARGIN)
        return true;
    if (f->group_count == f->group_capacity) {
        if (f->group_count >= MAX_GROUPS)
            return true;
        if (!array_reserve(&f->groups, &f->group_capacity, f->group_count + 1, sizeof *f->groups))
            return false;
    }
    struct full_group *group = &f->groups[f->group_count++];
    group->head = number;
    *p = digits_take_costs(costs, f->form, MAX_DIGITS, &group->cost);
    return true;
}

/* Does a record begin there? It does if it is the one that is likely to. */
HOT bool next_begins(struct full_records *f, struct text text)
{
    f->known = guess_head(f, text, true);
    return f->known != NONE || digest_record_begins(text);
}

/*
 * Looks at the record that `text` begins with. False: memory has run out. *end is the blank line
 * after it, or NULL if it is not of the form.
 */
static bool look_at_record(struct full_records *f, struct text text, const char **end)
{
    uint32_t owner = NONE;
    *end = NULL;
    f->group_count = 0;
    do {
        const char *p;
        if (!take_group(f, text, owner, &p))
            return false;
        if (p == NULL)
            return true;
        text.at = p;
        if (owner == NONE)
            owner = f->groups[0].head;
    } while (*text.at == 'c');
    if (*text.at == '\n' && next_begins(f, (struct text){text.at + 1, text.end}))
        *end = text.at;
    return true;
}

/* Enters the function of a record. */
static bool enter_function(struct full_records *f, uint32_t object, struct full_head *head)
{
    if (!builder_function(f->builder, object, head->file, head->name, &head->meaning))
        return false;
    builder_note_record(f->builder, head->meaning, head->file, head->line);
    return true;
}

static bool enter_arc(struct full_records *f, uint32_t object, uint32_t caller,
                      struct full_head *head)
{
    uint32_t callee;
    return builder_function(f->builder, object, head->file, head->name, &callee) &&
           (profile_add_call(f->builder->profile, caller, callee, head->line, 0, 0,
                             &head->meaning) ||
            diag_no_memory(f->builder->diag));
}

/* Tells of a record, or of a call, where somebody wants to know. */
static bool tell(struct full_records *f, uint32_t number, cost_t cost, bool is_record)
{
    struct told told = {cost, number, is_record};
    return !builder_wants_records(f->builder) || builder_tell(f->builder, &told, 1);
}

static bool enter_call(struct full_records *f, uint32_t object, uint32_t caller,
                       const struct full_group *group, struct records_taken *taken)
{
    struct profile *profile = f->builder->profile;
    struct full_head *head = &f->heads[group->head];
    if (head->meaning == NONE && !enter_arc(f, object, caller, head))
        return false;
    struct arc *arc = &profile->arcs[head->meaning];
    uint8_t flags = profile->functions[arc->callee].flags;
    taken->callees_first &= (flags & FUNCTION_HAS_RECORD) != 0;
    count_add(&arc->count, head->count);
    cost_add(&arc->cost, (cost_t)group->cost);
    return tell(f, head->meaning, (cost_t)group->cost, false);
}

/* Enters the record that has been looked at. */
static bool enter_record(struct full_records *f, uint32_t object, struct records_taken *taken)
{
    struct full_head *head = &f->heads[f->groups[0].head];
    cost_t self = (cost_t)f->groups[0].cost;
    if (head->meaning == NONE && !enter_function(f, object, head))
        return false;
    struct function *function = &f->builder->profile->functions[head->meaning];
    cost_add(&function->self, self);
    count_add(&function->invocations, 1);
    cost_add(&taken->self, self);
    if (!tell(f, head->meaning, self, true))
        return false;
    for (size_t i = 1; i < f->group_count; i++) {
        const struct full_head *call = &f->heads[f->groups[i].head];
        taken->lines += call->lines;
        if (!enter_call(f, object, head->meaning, &f->groups[i], taken))
            return false;
    }
    taken->records++;
    taken->lines += 4;
    taken->last_line = f->heads[f->groups[f->group_count - 1].head].line;
    return !builder_wants_records(f->builder) || builder_tell_end(f->builder);
}

bool full_records_take(struct full_records *f, uint32_t object, struct text *text,
                       struct records_taken *taken)
{
    const char *end;
    *taken = (struct records_taken){.callees_first = true};
    do {
        if (!make_room(f) || !look_at_record(f, *text, &end))
            return diag_no_memory(f->builder->diag);
        if (end == NULL)
            break;
        if (!enter_record(f, object, taken))
            return false;
        text->at = end + 1;
        /* Another record begins: that is known. */
    } while (text->at[3] != '(' && taken->self < ENOUGH_SELF && taken->self > -ENOUGH_SELF);
    f->known = NONE;
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Sums of the records that Xdebug writes: an accelerator of the reader, without which every output is the same. Nearly
 * all records consist of groups of four lines:
 *
 *                          a blank line, which ends the record before
 *     fl=(FILE)            aliases, or names in full
 *     fn=(FUNCTION)
 *     LINE COST [COST]
 *
 *     cfl=(FILE)
 *     cfn=(FUNCTION)
 *     calls=1 0 0
 *     LINE COST [COST]
 *
 * The text before a group's cost is its key. A span of whole records becomes a list of its keys, by first occurrence,
 * each with the number of its groups and the sum of their costs. This needs nothing from the lines before, so that
 * helper threads do it for blocks ahead; what names mean is not known there. The calling thread looks up the names in a
 * key once, and enters the sums. Most producers write either aliases, of which FUNCTION has six digits at most here, or
 * names in full: when one of these has been found, the next text takes both.
 *
 * Three things make it fast. Newlines and digits are found 64 bytes at a time. A key is never read twice: it is known
 * by its bytes, which a hash finds. And nothing that decides where the next group begins has to wait for the rest of
 * the group at hand, nor is there a branch that depends on what kind of group comes next; so a processor can work on
 * several groups at once, as long as all are of the form. All this takes a processor that has AVX2 and BMI (x86-64,
 * from 2013 on).
 */
#include "read/callgrind/sums.h"

#include "read/callgrind/scan.h"

#include <stdlib.h>

#define NO_KEY UINT16_MAX

enum {
    CACHE_LINE = 64,
    MAX_KEYS = NO_KEY, /* then the table is cleared */
    BUCKET_BITS = 16,
    FILE_PREFIX = 4,       /* the bytes before the file, of any key */
    SHORT_KEY = 44,        /* bytes of a key that its entry has room for */
    LONG_KEYS = 4 << 20,   /* bytes of all keys that are longer */
    MIN_SECOND = 7,        /* bytes before the second newline of a group, which look_up_key reads */
    MIDDLE = 8,            /* bytes in the middle of a name in full, which it reads */
    MAX_DIGITS = 8,        /* of a line number, or a cost */
    MAX_OTHER_DIGITS = 18, /* of one that does not count */
    MAX_IN_BUCKET = 32,    /* keys; the hash ignores some of their bytes */
    ENOUGH_SPANS = 32,     /* to see whether they are worthwhile */
    WORTHWHILE = 768       /* bytes of a span; shorter ones cost more than they save */
};

/* One takes a cache line. */
struct sum_entry {
    char bytes[SHORT_KEY]; /* the start of the key, zeros after it */
    uint32_t count;        /* of groups in the span at hand */
    uint64_t cost;         /* of these */
    /*
     * Whose record it is in; 0: it is a record's own. It is the last eight bytes of that function's fn=, read as a
     * number, in which all digits of its alias are or, if there are names in full, 1 + the number of the record's key.
     */
    uint64_t owner;
};

/* The rest of a key. Texts are at offsets from its start. */
struct key {
    uint32_t length, file_end, function, function_end;
    uint32_t line;
    uint32_t at;   /* where the whole key is in `long_keys`, if it is long */
    uint16_t same; /* the next key in the same bucket, or NO_KEY */

    /* What it means; the calling thread sets this. */
    bool is_own;      /* it is a record's own, not a call's */
    uint32_t file;    /* a name */
    uint32_t number;  /* of a record the function, of a call the arc; NONE: it is not in the profile yet */
    uint64_t version; /* of the aliases: with another one, the meaning is not valid */
};

struct sum {
    uint64_t cost; /* modulo 2^64; far from the limits of a signed number */
    uint32_t key;
    uint32_t count; /* of groups */
};

/* Whole records, after which another one begins. */
struct span {
    const char *start, *end;
    size_t sum, sum_count; /* in `sums` */
};

/* The memory of a text. Code that uses it by pointers, as below, is a tenth faster than by members of one struct. */
struct tables {
    struct sum_entry entries[MAX_KEYS + 1]; /* has_key reads beyond the last one */
    struct key keys[MAX_KEYS];
    uint16_t buckets[1 << BUCKET_BITS];
    uint32_t touched[MAX_KEYS];
    char long_keys[LONG_KEYS];
    char more[CACHE_LINE]; /* by which `entries` are moved to the start of a cache line */
};

/* A text that is added up. */
struct summed_text {
    void *memory;
    struct sum_entry *entries; /* keys with what is counted in the span at hand */
    struct key *keys;
    uint16_t *buckets; /* keys by their bytes and owners */
    uint32_t *touched; /* keys of the span at hand */
    char *long_keys;   /* the bytes of keys that do not fit their entries */
    struct sums_form form;
    uint32_t key_count, long_size;
    bool has_keys;    /* `buckets` is filled */
    bool has_names;   /* names may be in full, and keys long */
    bool wants_names; /* names may be in full from the next text on */

    struct sum *sums;
    size_t sum_count, sum_capacity;
    struct span *spans; /* in the order of the text */
    size_t span_count, span_capacity;
    size_t taken; /* spans that the reader has come to */
};

/* The data in a key: names, or (ID); of a record its own, of a call the callee's. */
struct key_data {
    struct text file, function;
    struct text owner; /* of a call: the function of its record */
};

static struct key_data data_of(const struct summed_text *s, uint32_t number)
{
    const struct key *key = &s->keys[number];
    const char *bytes = key->length > SHORT_KEY ? s->long_keys + key->at : s->entries[number].bytes;
    const uint64_t *owner = &s->entries[number].owner;
    struct key_data data = {.file = {bytes + FILE_PREFIX, bytes + key->file_end},
                            .function = {bytes + key->function, bytes + key->function_end}};
    if (*owner > 0 && s->has_names) {
        data.owner = data_of(s, (uint32_t)*owner - 1).function;
    } else if (*owner > 0) {
        /* The last parenthesis: the file's line before it may end in one, too. */
        data.owner = (struct text){(const char *)(owner + 1) - 1, (const char *)(owner + 1)};
        while (data.owner.at > (const char *)owner && *data.owner.at != '(')
            data.owner.at--;
    }
    return data;
}

/* ---- adding up, in any thread -------------------------------------------------------------- */

/* The benchmark sets this to 0, to time the reader alone. */
#ifndef SUMS_ARE_MADE
#define SUMS_ARE_MADE 1
#endif

#if SUMS_ARE_MADE && defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define NEWER __attribute__((target("avx2,bmi,bmi2")))

static bool can_add_up(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

/* ---- groups ------------------------------------------------------------------------------- */

/* Where the parts of a group begin, or end, from its start. */
struct group {
    uint64_t second, third; /* the newlines of these lines */
    uint64_t key;           /* the length of its key */
    uint64_t next;          /* what follows it */
    uint64_t middle;        /* of names in full: bytes from the middle of the function's */
    uint64_t cost;
    bool is_record;
};

NEWER HOT uint64_t bits_of_both(__m256i a, __m256i b)
{
    return (uint32_t)_mm256_movemask_epi8(a) | (uint64_t)(uint32_t)_mm256_movemask_epi8(b) << 32;
}

NEWER HOT __m256i load32(const char *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* The number of `digits` (1 to 8) bytes, which are digits. */
NEWER HOT uint64_t number_of(const char *p, uint64_t digits)
{
    __m128i values = _mm_and_si128(_mm_cvtsi64_si128((long long)(little8(p) << (64 - 8 * digits))), _mm_set1_epi8(15));
    __m128i pairs = _mm_maddubs_epi16(values, _mm_set1_epi16(0x010a));
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00010064));
    return (uint32_t)_mm_cvtsi128_si32(_mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(0x00012710)));
}

/* Bits of the 64 bytes at `p` that are newlines, and of those that are no digits. */
NEWER HOT void find_bytes(const char *p, uint64_t *newlines, uint64_t *others)
{
    __m256i a = load32(p), b = load32(p + 32);
    const __m256i newline = _mm256_set1_epi8('\n');
    /* As signed numbers, digits become the lowest ten. */
    const __m256i zero = _mm256_set1_epi8((char)('0' - 128)), nine = _mm256_set1_epi8(9 - 128);
    *newlines = bits_of_both(_mm256_cmpeq_epi8(a, newline), _mm256_cmpeq_epi8(b, newline));
    *others = bits_of_both(_mm256_cmpgt_epi8(_mm256_sub_epi8(a, zero), nine),
                           _mm256_cmpgt_epi8(_mm256_sub_epi8(b, zero), nine));
}

/*
 * Splits the last line of a group, which is from `line` to `end` after `p`. `others` has the bits of the
 * bytes that are no digits. Sets group->key to where the cost begins. False: it is not of the form.
 */
NEWER HOT bool split_last_line(const char *p, uint64_t line, uint64_t end, uint64_t others, struct sums_form form,
                               struct group *group)
{
    uint64_t after_line = others >> line, after_cost = _blsr_u64(after_line);
    uint64_t cost = line + _tzcnt_u64(after_line) + 1;
    uint64_t cost_end = line + _tzcnt_u64(after_cost), digits = cost_end - cost;
    bool is_first = form.wanted == 0;
    group->key = cost;
    if (UNLIKELY(digits - 1 >= (is_first ? MAX_DIGITS : MAX_OTHER_DIGITS)))
        return false;
    if (is_first)
        group->cost = number_of(p + cost, digits);
    if (form.columns == 1)
        return cost_end == end;

    uint64_t is_negative = p[cost_end + 1] == '-';
    uint64_t other = cost_end + 1 + is_negative, other_digits = _tzcnt_u64(others >> (other & 63));
    if (UNLIKELY(other + other_digits != end || p[cost_end] != ' ' ||
                 other_digits - 1 >= (is_first ? MAX_OTHER_DIGITS : MAX_DIGITS)))
        return false;
    if (!is_first)
        group->cost = (number_of(p + other, other_digits) ^ (0 - is_negative)) + is_negative;
    return true;
}

/* Splits the group at `p`, of 64 bytes at most. False: it is not of the form. */
NEWER HOT bool split_group(const char *p, struct sums_form form, struct group *group)
{
    uint64_t newlines, others;
    find_bytes(p, &newlines, &others);
    uint64_t second = _blsr_u64(newlines), third = _blsr_u64(second), fourth = _blsr_u64(third);
    uint64_t end = _tzcnt_u64(fourth);
    group->is_record = newlines & 1;
    group->second = _tzcnt_u64(second);
    group->third = _tzcnt_u64(third);
    group->next = end + 1;
    /* So that compilers do not take it from the costs when these have turned out to end there, too. */
    __asm__("" : "+r"(group->next));
    return !UNLIKELY(fourth == 0 || group->second < MIN_SECOND) &&
           split_last_line(p, group->third + 1, end, others, form, group) && group->key <= SHORT_KEY;
}

/* The same for a group of any length, which begins before `end`. */
NEWER HOT bool split_long_group(const char *p, const char *end, struct sums_form form, struct group *group)
{
    uint64_t left = (uint64_t)(end - p), newlines, others, ends[3], lines = 0;
    for (uint64_t at = 0; lines < 3; at += 64) {
        if (UNLIKELY(at > left))
            return false;
        find_bytes(p + at, &newlines, &others);
        for (; newlines != 0 && lines < 3; newlines = _blsr_u64(newlines))
            ends[lines++] = at + _tzcnt_u64(newlines);
    }
    uint64_t first = ends[0], second = ends[1], third = ends[2];
    if (UNLIKELY(third >= left || second < MIN_SECOND))
        return false;
    const char *line = p + third + 1;
    find_bytes(line, &newlines, &others);
    uint64_t length = _tzcnt_u64(newlines);
    group->is_record = first == 0;
    group->second = second;
    group->third = third;
    group->middle = little8(p + (second + (group->is_record ? third : first)) / 2 - MIDDLE / 2);
    group->next = third + 1 + length + 1;
    __asm__("" : "+r"(group->next)); /* as above */
    group->key = 0;
    bool is_of_form = newlines != 0 && split_last_line(line, 0, length, others, form, group);
    group->key += third + 1;
    return is_of_form;
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Has the entry this key, in a record of `owner`? */
NEWER HOT bool has_key(const struct summed_text *s, uint32_t number, const char *p, uint64_t length, bool has_names,
                       uint64_t owner)
{
    const struct sum_entry *entry = &s->entries[number];
    const __m256i *start = (const __m256i *)(const void *)entry->bytes;
    uint64_t equal = bits_of_both(_mm256_cmpeq_epi8(_mm256_load_si256(start), load32(p)),
                                  _mm256_cmpeq_epi8(_mm256_load_si256(start + 1), load32(p + 32)));
    if (!has_names || length <= SHORT_KEY)
        return (_bzhi_u64(~equal, (unsigned)length) == 0) & (entry->owner == owner);
    if (entry->owner != owner || _bzhi_u64(~equal, SHORT_KEY) != 0)
        return false;
    const char *key = s->long_keys + s->keys[number].at; /* neither of two keys begins with the other */
    __m256i differences = _mm256_xor_si256(load32(key + length - 32), load32(p + length - 32));
    for (uint64_t at = SHORT_KEY; at + 32 < length; at += 32)
        differences = _mm256_or_si256(differences, _mm256_xor_si256(load32(key + at), load32(p + at)));
    return _mm256_testz_si256(differences, differences);
}

/* Is it a name, or (ID), without anything to be trimmed or defined? */
static bool is_reference(struct text t)
{
    if (text_is_empty(t) || char_is_blank(*t.at) || char_is_blank(t.end[-1]) || t.end[-1] == '\r')
        return false;
    uint64_t id;
    return *t.at != '(' || (text_length(t) > 2 && scan_number(t.at + 1, &id) == t.end - 1 && t.end[-1] == ')');
}

/* Finds what a new key consists of. False: the group is not of the form. */
static bool split_key(const char *p, const struct group *group, bool has_names, struct key *key)
{
    static const char calls[] = "calls=1 0 0\n";
    bool is_call = !group->is_record;
    uint32_t second = (uint32_t)group->second, third = (uint32_t)group->third, prefix = is_call ? 4 : 3;
    uint32_t file_end = is_call ? (uint32_t)(find_newline(p) - p) : second;
    *key = (struct key){.length = (uint32_t)group->key,
                        .file_end = file_end,
                        .function = file_end + 1 + prefix,
                        .function_end = is_call ? second : third,
                        .is_own = !is_call};
    struct text file = {p + FILE_PREFIX, p + file_end}, function = {p + key->function, p + key->function_end};
    if (memcmp(p, is_call ? "cfl=" : "\nfl=", FILE_PREFIX) != 0 ||
        memcmp(p + file_end + 1, is_call ? "cfn=" : "fn=", prefix) != 0 ||
        (is_call && (third - second != sizeof calls - 1 || memcmp(p + second + 1, calls, sizeof calls - 1) != 0)))
        return false;
    uint64_t line;
    const char *start = p + third + 1, *end = scan_number(start, &line);
    if (end == NULL || end - start > MAX_DIGITS || *end != ' ' || end + 1 != p + group->key)
        return false;
    key->line = (uint32_t)line;
    bool is_short_alias = *function.at == '(' && text_length(function) <= 8; /* in the last bytes of its line */
    return is_reference(file) && is_reference(function) && (has_names || is_call || is_short_alias);
}

/* The same as look_up_key for a key that is not the last one in its bucket: adds it if it is new. */
NEWER APART static uint32_t look_further(struct summed_text *s, const char *p, const struct group *group,
                                         bool has_names, uint64_t owner, uint32_t hash)
{
    struct key key;
    uint32_t others = 0, number = s->key_count, at = s->long_size; /* others in the bucket */
    for (uint32_t other = s->buckets[hash]; other != NO_KEY; other = s->keys[other].same, others++)
        if (has_key(s, other, p, group->key, has_names, owner))
            return other;
    if (number == MAX_KEYS || others >= MAX_IN_BUCKET || !split_key(p, group, has_names, &key))
        return NONE;
    bool is_long = key.length > SHORT_KEY;
    if (is_long && key.length > LONG_KEYS - at) {
        s->long_size = LONG_KEYS; /* the table is full */
        return NONE;
    }
    if (is_long) {
        memcpy(s->long_keys + at, p, key.length);
        s->long_size += key.length;
    }
    s->entries[number] = (struct sum_entry){.owner = owner};
    memcpy(s->entries[number].bytes, p, is_long ? SHORT_KEY : key.length);
    key.at = at;
    key.same = s->buckets[hash];
    s->keys[number] = key;
    s->buckets[hash] = (uint16_t)number;
    return s->key_count++;
}

/*
 * The key of the group at `p`, in a record of `owner`, whose name ends so; both are 0 for a record's own.
 * NONE: it is not of the form, or there is no room. A hash is made of what differs in keys: a record's function, or the
 * callee and the line, and the function whose record it is. The ends of the second and third line have these names.
 */
NEWER HOT uint32_t look_up_key(struct summed_text *s, const char *p, const struct group *group, bool has_names,
                               uint64_t owner, uint64_t owner_name)
{
    uint64_t second = little8(p + group->second - 7) + owner_name;
    uint64_t third = little8(p + group->third - 8) + little8(p + group->key - 8);
    if (has_names)
        second += group->middle << 8 | group->middle >> 56; /* so that equal bytes do not only double */
    uint32_t hash = (uint32_t)((second ^ hash_seed.a) * (third ^ hash_seed.b) >> (64 - BUCKET_BITS));
    uint32_t number = s->buckets[hash];
    if (number != NO_KEY && has_key(s, number, p, group->key, has_names, owner))
        return number;
    struct group copy = *group; /* of which the address is taken, so that `group` can be in registers */
    return look_further(s, p, &copy, has_names, owner, hash);
}

/* ---- spans -------------------------------------------------------------------------------- */

/* Where a loop has come to. */
struct sums_progress {
    const char *start, *at; /* of the first group, and after the last one */
    size_t touched;
    uint64_t owner, owner_name; /* of the record at hand: see look_up_key */
    uint64_t record;            /* where it begins, from the first one */
};

/* Adds groups as long as they are of the form, there is room, and they begin before `end`. */
NEWER HOT void add_groups(struct summed_text *s, struct sums_form form, bool has_names, const char *end,
                          struct sums_progress *result)
{
    struct sums_progress progress = *result;
    struct group group = {.cost = 0};
    while (progress.at < end &&
           (has_names ? split_long_group(progress.at, end, form, &group) : split_group(progress.at, form, &group))) {
        /* All bits, or none: a compiler would make a branch of a condition. */
        uint64_t is_call = (uint64_t)group.is_record - 1;
        uint64_t owner = progress.owner & is_call;
        uint64_t name = little8(progress.at + group.third - 8); /* of a record, its end or all of an alias */
        uint64_t owner_name = has_names ? progress.owner_name & is_call : owner;
        uint32_t number = look_up_key(s, progress.at, &group, has_names, owner, owner_name);
        if (UNLIKELY(number == NONE))
            break;
        progress.owner = owner | ((has_names ? (uint64_t)number + 1 : name) & ~is_call);
        progress.owner_name = has_names ? owner_name | (name & ~is_call) : 0;
        progress.record = (progress.record & is_call) | ((uint64_t)(progress.at - progress.start) & ~is_call);
        struct sum_entry *entry = &s->entries[number];
        if (entry->count++ == 0)
            s->touched[progress.touched++] = number;
        entry->cost += group.cost;
        progress.at += group.next;
    }
    *result = progress;
}

/*
 * Each kind of group with aliases has a loop of its own. As a part of another function, they would have fewer
 * registers, and take a third longer.
 */
NEWER APART static void add_any_groups(struct summed_text *s, const char *end, struct sums_progress *progress)
{
    if (s->has_names)
        add_groups(s, s->form, true, end, progress);
    else if (s->form.columns == 1)
        add_groups(s, (struct sums_form){1, 0}, false, end, progress);
    else if (s->form.wanted == 0)
        add_groups(s, (struct sums_form){2, 0}, false, end, progress);
    else
        add_groups(s, (struct sums_form){2, 1}, false, end, progress);
}

/* ---- records ------------------------------------------------------------------------------ */

/* Does a record certainly begin at `p`, which ends the one before? */
static bool is_start_of_record(const char *p)
{
    if (memcmp(p, "\nfl=", 4) != 0)
        return false;
    uint64_t newlines = find_newlines(p) & UINT64_C(0x0ffffffffffffffe);
    return newlines != 0 && memcmp(p + __builtin_ctzll(newlines) + 1, "fn=", 3) == 0;
}

/* The first record that begins after `p`, or `end`. */
static const char *find_record(const char *p, const char *end)
{
    for (; p < end; p += 63) {
        uint64_t newlines = find_newlines(p);
        for (uint64_t pairs = newlines & newlines >> 1; pairs != 0; pairs &= pairs - 1) {
            const char *start = p + __builtin_ctzll(pairs) + 1;
            if (start < end && is_start_of_record(start))
                return start;
        }
    }
    return end;
}

/* Like array_reserve, but in any thread, which may have no run. Returns false if there is no memory. */
static bool make_room(void *array, size_t *capacity, size_t need, size_t size)
{
    void *bytes;
    if (need <= *capacity)
        return true;
    need += need / 2;
    memcpy(&bytes, array, sizeof bytes);
    if (need > PTRDIFF_MAX / size || (bytes = realloc(bytes, need * size)) == NULL)
        return false;
    memcpy(array, &bytes, sizeof bytes);
    *capacity = need;
    return true;
}

/* Adds up records from `*at` on, where one begins, and moves *at to where they end. */
NEWER static bool add_records(struct summed_text *s, const char **at, const char *end)
{
    struct sums_progress progress = {.start = *at, .at = *at};
    add_any_groups(s, end, &progress);
    const char *left = progress.at;
    bool has_file = left < end && (memcmp(left, "\nfl=", 4) == 0 || memcmp(left, "cfl=", 4) == 0);
    s->wants_names |= has_file && left[FILE_PREFIX] != '(';
    if (left > *at && (left > end || !is_start_of_record(left))) { /* the last record may not be whole: once more */
        for (size_t i = 0; i < progress.touched; i++)
            s->entries[s->touched[i]].cost = s->entries[s->touched[i]].count = 0;
        end = *at + progress.record;
        progress = (struct sums_progress){.start = *at, .at = *at};
        add_any_groups(s, end, &progress);
    }
    if (progress.touched == 0)
        return true;
    if (!make_room(&s->sums, &s->sum_capacity, s->sum_count + progress.touched, sizeof *s->sums) ||
        !make_room(&s->spans, &s->span_capacity, s->span_count + 1, sizeof *s->spans))
        return false;
    struct span *span = &s->spans[s->span_count++];
    *span = (struct span){*at, progress.at, s->sum_count, progress.touched};
    for (size_t i = 0; i < progress.touched; i++) {
        struct sum_entry *entry = &s->entries[s->touched[i]];
        s->sums[s->sum_count++] = (struct sum){entry->cost, s->touched[i], entry->count};
        entry->cost = entry->count = 0;
    }
    *at = progress.at;
    return true;
}

/* Returns false when memory runs out. */
static bool make_tables(struct summed_text *s)
{
    char *memory = s->memory = malloc(sizeof(struct tables));
    if (memory == NULL)
        return false;
    struct tables *tables = (void *)(memory + (0 - (uintptr_t)memory) % CACHE_LINE);
    s->entries = tables->entries;
    s->keys = tables->keys;
    s->buckets = tables->buckets;
    s->touched = tables->touched;
    s->long_keys = tables->long_keys;
    return true;
}

/*
 * Adds up what of `text` consists of whole records of this form. If that is little, leaves out the rest. The text may
 * begin and end within a line; LINES_SLACK bytes after it can be read. Returns false when memory runs out.
 */
static bool add_up(struct summed_text *s, struct sums_form form, struct text text)
{
    size_t covered = 0, tried = 0;
    s->sum_count = s->span_count = s->taken = 0;
    s->form = form;
    if (!s->has_keys || s->wants_names != s->has_names || s->key_count == MAX_KEYS || s->long_size == LONG_KEYS) {
        s->key_count = s->long_size = 0;
        s->has_keys = true;
        s->has_names |= s->wants_names;
        memset(s->buckets, 0xff, sizeof *s->buckets << BUCKET_BITS);
    }
    const char *end = text.at; /* up to the start of the last record, which may not be whole */
    const char *p = text.end - (text.end > text.at);
    while (end == text.at && p - text.at > 63) {
        p -= 62;
        for (const char *start = p; (start = find_record(start, p + 63)) < p + 63;)
            end = start;
    }
    p = find_record(text.at, end);
    while (p < end && s->key_count < MAX_KEYS && (tried < ENOUGH_SPANS || covered / tried >= WORTHWHILE)) {
        const char *start = p;
        if (!add_records(s, &p, end))
            return false;
        covered += (size_t)(p - start);
        tried++;
        p = p > start && is_start_of_record(p) ? p : find_record(p, end);
    }
    return true;
}

/* Adds up a block, in any thread. */
static bool add_up_block(void *of, unsigned slot, struct text block)
{
    struct sums *sums = of;
    if (sums->texts[slot] == NULL)
        sums->texts[slot] = calloc(1, sizeof *sums->texts[slot]);
    struct summed_text *s = sums->texts[slot];
    return s != NULL && (s->memory != NULL || make_tables(s)) && add_up(s, sums->form, block);
}

#else

static bool can_add_up(void)
{
    return false;
}

static bool add_up_block(void *of, unsigned slot, struct text block)
{
    (void)of;
    (void)slot;
    (void)block;
    return false;
}

#endif

/* ---- meanings ----------------------------------------------------------------------------- */

/* The name that a reference in a key means, or NONE: it is an undefined alias. */
static uint32_t find_name(struct callgrind_reader *r, enum name_space names, struct text reference)
{
    uint64_t id;
    if (!text_starts(reference, "("))
        return names_intern(r->events.names, reference);
    reference.at++;
    return text_take_number(&reference, &id, NULL) ? aliases_find(&r->aliases[names], id) : NONE;
}

/* The function of that name, or NONE if it is not in the profile. */
static uint32_t find_function(struct callgrind_reader *r, struct text reference)
{
    return profile_find_function(r->builder->profile, IDENTITY_NAME, 0, 0, find_name(r, FUNCTION_NAMES, reference));
}

/* Finds what a key means now. Returns false if an alias is undefined. */
static bool find_meaning(struct callgrind_reader *r, struct summed_text *s, uint32_t number, uint64_t version)
{
    struct key *key = &s->keys[number];
    struct key_data data = data_of(s, number);
    key->file = find_name(r, FILE_NAMES, data.file);
    if (key->file == NONE || find_name(r, FUNCTION_NAMES, data.function) == NONE)
        return false;
    key->number = find_function(r, data.function);
    if (!key->is_own)
        key->number = profile_find_arc(r->builder->profile, find_function(r, data.owner), key->number, key->line);
    key->version = version;
    return true;
}

/* Adds the function of a record, or the arc of calls, if it is not in the profile. */
static void add_meaning(struct callgrind_reader *r, const struct summed_text *s, uint32_t number, struct key *key)
{
    struct key_data data = data_of(s, number);
    uint32_t name = find_name(r, FUNCTION_NAMES, data.function);
    key->number = builder_function(r->builder, r->place.object, key->file, name);
    if (!key->is_own)
        key->number = profile_add_call(r->builder->profile, find_function(r, data.owner), key->number, key->line, 0, 0);
}

/*
 * Do all keys of a span have a meaning, and are the sums far enough from the limits of 64 bits? At these, the order of
 * the costs matters.
 */
static bool has_meaning(struct callgrind_reader *r, struct summed_text *s, const struct sum *sum, const struct sum *end)
{
    const cost_t extreme = INT64_C(1) << 62;
    const struct profile *profile = r->builder->profile;
    cost_t run = r->builder->run_self;
    uint64_t version = 1 + r->aliases[FILE_NAMES].redefinitions + r->aliases[FUNCTION_NAMES].redefinitions;
    for (; sum < end; sum++) {
        struct key *key = &s->keys[sum->key];
        if (key->version != version && !find_meaning(r, s, sum->key, version))
            return false;
        cost_t known = key->number == NONE ? 0
                       : key->is_own       ? profile->functions[key->number].self
                                           : profile->arcs[key->number].cost;
        if (MAX(known, run) >= extreme || MIN(known, run) <= -extreme)
            return false;
    }
    return true;
}

/* Enters the sums of a span, each of which has a meaning. */
static void enter_sums(struct callgrind_reader *r, struct summed_text *s, const struct sum *sum, const struct sum *end)
{
    uint64_t records = 0, calls = 0;
    for (; sum < end; sum++) {
        struct key *key = &s->keys[sum->key];
        if (UNLIKELY(key->number == NONE))
            add_meaning(r, s, sum->key, key);
        if (key->is_own) {
            const struct collected_record record = {.file = key->file,
                                                    .line = key->line,
                                                    .function = key->number,
                                                    .line_flags = FUNCTION_HAS_LINE | FUNCTION_LINE_IS_OWN,
                                                    .self = (cost_t)sum->cost};
            builder_enter_records(r->builder, &record, sum->count);
            records += sum->count;
        } else {
            builder_enter_calls(r->builder, key->number, sum->count, (cost_t)sum->cost);
            calls += sum->count;
        }
    }
    callgrind_count_groups(r, records, calls);
}

/* ---- for the reader ----------------------------------------------------------------------- */

/* Can this processor make sums, and are they of use? Not for what needs each record, or for more than one column. */
static bool are_possible(const struct callgrind_reader *r, struct sums_form form)
{
    return can_add_up() && r->are_invocations && !r->builder->needs_each && !r->is_by_callgrind &&
           r->builder->identity == IDENTITY_NAME && r->position_count == 1 && r->line_position == 0 &&
           r->events.choice.wanted == ONE_COST && r->builder->vectors == NULL && form.columns >= 1 && form.columns <= 2;
}

/* Reads ahead, if that is of use: without sums, a thread that only copies gains nothing. */
static void start(struct callgrind_reader *r, struct sums_form form, bool are_wanted)
{
    struct sums *sums = &r->sums;
    struct blocks *blocks = &r->lines->blocks;
    *sums = (struct sums){.form = form, .is_started = true};
    sums->are_over = !are_wanted || blocks->at_end; /* so little is read sooner than tables are made */
    if (!sums->are_over || blocks->source->decoder != NULL || blocks->source->is_slow)
        blocks_start(blocks, r->options->given->threads, sums->are_over ? NULL : add_up_block, sums);
}

/* The sums of the lines at hand, up to `end`; NULL: there are none. */
static struct summed_text *text_at_hand(struct callgrind_reader *r, const char *end)
{
    struct sums *sums = &r->sums;
    struct lines *lines = r->lines;
    struct sums_form form = {event_costs_columns(&r->events), r->events.choice.first};
    bool are_wanted = are_possible(r, form);
    if (!sums->is_started)
        start(r, form, are_wanted);
    if (!are_wanted || sums->are_over || form.columns != sums->form.columns || form.wanted != sums->form.wanted)
        return NULL;
    if (!lines->is_prepared && !add_up_block(sums, lines->slot, (struct text){lines->at, end}))
        run_out_of_memory();
    lines->is_prepared = true;
    return sums->texts[lines->slot];
}

/* Enters a span after all records before it. If it has no meaning, there will be no more sums. */
static void enter_span(struct callgrind_reader *r, struct summed_text *s, const struct span *span)
{
    const struct sum *sum = &s->sums[span->sum], *end = sum + span->sum_count;
    const char *last_line = span->end - 1;
    r->sums.are_over = !has_meaning(r, s, sum, end);
    if (r->sums.are_over)
        return;
    enter_sums(r, s, sum, end);
    while (last_line[-1] != '\n')
        last_line--;
    scan_number(last_line, &r->place.line);
    lines_skip(r->lines, span->end, 0);
}

const char *sums_take(struct callgrind_reader *r, const char *end)
{
    struct summed_text *s = text_at_hand(r, end);
    if (s == NULL)
        return end;
    while (s->taken < s->span_count && s->spans[s->taken].start < r->lines->at)
        s->taken++;
    if (s->taken < s->span_count && s->spans[s->taken].start == r->lines->at) {
        const struct span *span = &s->spans[s->taken++];
        if (callgrind_leave_record(r))
            enter_span(r, s, span);
    }
    return s->taken < s->span_count && !r->sums.are_over ? s->spans[s->taken].start : end;
}

void sums_free(struct sums *sums)
{
    for (size_t i = 0; i < BLOCKS_MAX_SLOTS; i++)
        if (sums->texts[i] != NULL) {
            free(sums->texts[i]->sums);
            free(sums->texts[i]->spans);
            free(sums->texts[i]->memory);
            free(sums->texts[i]);
        }
}

/*
 * Three things make it fast. Newlines and digits are found 64 bytes at a time. A key is never read
 * twice: it is known by its bytes, which a hash finds. And nothing that decides where the next group
 * begins has to wait for the key at hand to be found, nor is there a branch that depends on what kind
 * of group comes next; so a processor can work on several groups at once, as long as all are of the
 * form.
 */
#include "frontends/callgrind/record_sums.h"

#include "util/array.h"
#include "util/digits.h"
#include "util/system.h"

#include <stdlib.h>

#if defined(__GNUC__) && defined(__x86_64__)
#define IS_POSSIBLE
#include <immintrin.h>
#define NEWER __attribute__((target("avx2,bmi,bmi2")))
#endif

#define NONE UINT32_MAX
#define NO_KEY UINT16_MAX

enum {
    MAX_KEYS = NO_KEY, /* then the table is cleared */
    FIRST_BUCKET_BITS = 13,
    GROUP = 64,          /* bytes of a group, at most */
    MAX_KEY = 44,
    MIN_SECOND = 7,      /* bytes before the second newline of a group, which hash_of_group reads */
    MAX_DIGITS = 8,      /* of a cost */
    MAX_OTHER_DIGITS = 18, /* of one that does not count */
    MAX_IN_BUCKET = 32, /* keys; the hash ignores some of their bytes */
    MAX_SPAN = 1 << 21   /* bytes */
};

/* One takes a cache line. */
struct sum_entry {
    char bytes[MAX_KEY]; /* the key, zeros after it */
    uint32_t count;      /* of groups in the span at hand */
    uint64_t cost;       /* of these */
    /*
     * Whose record it is in: the last eight bytes of that function's fn=, read as a number, in which
     * all digits of its alias are. 0: it is a record's own.
     */
    uint64_t owner;
};

struct key_parts {
    struct sum_key key;
    uint32_t hash;
    uint16_t same; /* the next key in the same bucket, or NO_KEY */
};

bool record_sums_are_possible(const struct line_form *form, struct sums_form *sums_form)
{
    bool is_list = form->wanted == ALL_COSTS, is_first = form->wanted == ONE_COST && form->first == 0;
    *sums_form = (struct sums_form){.columns = form->columns,
                                    .are_weighed = form->columns == 2 && !is_first,
                                    .weights = {is_list}};
    for (size_t i = 0; !is_list && i < form->weights.count; i++) {
        struct event_weight weight = form->weights.weights[i];
        if (weight.column > 1 || weight.weight > RECORD_SUMS_MAX_WEIGHT ||
            weight.weight < -RECORD_SUMS_MAX_WEIGHT)
            return false;
        sums_form->weights[weight.column] = weight.weight;
    }
#ifdef IS_POSSIBLE
    return (form->columns == 2 || (form->columns == 1 && sums_form->weights[0] == 1)) && form->positions == 1 &&
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

static void forget_keys(struct record_sums *s)
{
    s->key_count = 0;
    s->is_outdated = false;
    memset(s->buckets, 0xff, sizeof *s->buckets << (32 - s->bucket_shift));
}

bool record_sums_init(struct record_sums *s, struct sums_form form)
{
    *s = (struct record_sums){.form = form, .seed = hash_seed_draw(), .bucket_shift = 32 - FIRST_BUCKET_BITS};
    s->entries = system_aligned_memory(sizeof *s->entries, MAX_KEYS * sizeof *s->entries);
    s->parts = malloc(MAX_KEYS * sizeof *s->parts);
    s->buckets = malloc(sizeof *s->buckets << FIRST_BUCKET_BITS);
    s->touched = malloc(MAX_KEYS * sizeof *s->touched);
    if (s->entries == NULL || s->parts == NULL || s->buckets == NULL || s->touched == NULL) {
        record_sums_free(s);
        return false;
    }
    forget_keys(s);
    return true;
}

void record_sums_free(struct record_sums *s)
{
    system_free_aligned(s->entries);
    free(s->parts);
    free(s->buckets);
    free(s->touched);
    free(s->sums);
    free(s->spans);
    *s = (struct record_sums){.key_count = 0};
}

bool record_sums_clear(struct record_sums *s)
{
    bool is_new = s->is_outdated || s->key_count == MAX_KEYS;
    s->sum_count = s->span_count = 0;
    if (is_new)
        forget_keys(s);
    return is_new;
}

bool record_sums_exclude(struct record_sums *s, uint32_t function)
{
    if (s->excluded_count == sizeof s->excluded / sizeof s->excluded[0])
        return false;
    s->excluded[s->excluded_count++] = function;
    s->is_outdated = true;
    return true;
}

struct sum_key record_sums_key(const struct record_sums *s, uint32_t key)
{
    return s->parts[key].key;
}

#ifdef IS_POSSIBLE

/* ---- groups ------------------------------------------------------------------------------- */

/* Where the parts of a group begin, or end, from its start. */
struct group {
    uint64_t second, third; /* the newlines of these lines */
    uint64_t key;           /* the length of its key */
    uint64_t next;          /* what follows it */
    uint64_t line;          /* the digits of the line number in the highest bytes, zeros below */
    uint64_t cost;
    uint64_t other_cost; /* of two costs that are weighed, the second one */
    bool is_record;
};

NEWER HOT uint64_t bits_of_both(__m256i a, __m256i b)
{
    return (uint32_t)_mm256_movemask_epi8(a) | (uint64_t)(uint32_t)_mm256_movemask_epi8(b) << 32;
}

/* The number of `digits` (1 to 8) bytes, which are digits. */
NEWER HOT uint64_t convert(const char *p, uint64_t digits)
{
    __m128i values =
        _mm_and_si128(_mm_cvtsi64_si128((long long)(little8(p) << (64 - 8 * digits))), _mm_set1_epi8(15));
    __m128i pairs = _mm_maddubs_epi16(values, _mm_set1_epi16(0x010a));
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00010064));
    return (uint32_t)_mm_cvtsi128_si32(
        _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(0x00012710)));
}

/* Finds the parts of the group at `p`, of GROUP bytes at most. False: it is not of the form. */
NEWER HOT bool split_group(const char *p, struct sums_form form, struct group *group)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    const __m256i newline = _mm256_set1_epi8('\n');
    /* As signed numbers, digits become the lowest ten. */
    const __m256i zero = _mm256_set1_epi8((char)('0' - 128)), nine = _mm256_set1_epi8(9 - 128);
    uint64_t newlines = bits_of_both(_mm256_cmpeq_epi8(a, newline), _mm256_cmpeq_epi8(b, newline));
    uint64_t others = bits_of_both(_mm256_cmpgt_epi8(_mm256_sub_epi8(a, zero), nine),
                                   _mm256_cmpgt_epi8(_mm256_sub_epi8(b, zero), nine));
    uint64_t second = _blsr_u64(newlines), third = _blsr_u64(second), fourth = _blsr_u64(third);
    uint64_t end = _tzcnt_u64(fourth);
    group->is_record = newlines & 1;
    group->second = _tzcnt_u64(second);
    group->third = _tzcnt_u64(third);
    group->next = end + 1;
    if (UNLIKELY(fourth == 0 || group->second < MIN_SECOND))
        return false;

    /* The bytes of the last line that are no digits. */
    uint64_t line = group->third + 1, after_line = others >> line, after_cost = _blsr_u64(after_line);
    uint64_t line_digits = _tzcnt_u64(after_line), cost = line + line_digits + 1;
    uint64_t cost_end = line + _tzcnt_u64(after_cost), cost_digits = cost_end - cost;
    group->key = cost;
    if (UNLIKELY(((line_digits - 1) | (cost_digits - 1)) >= MAX_DIGITS || cost > MAX_KEY))
        return false;
    group->line = little8(p + line) << (64 - 8 * line_digits);
    group->cost = convert(p + cost, cost_digits);
    if (form.columns == 1)
        return cost_end == end;

    uint64_t is_negative = p[cost_end + 1] == '-';
    uint64_t other = cost_end + 1 + is_negative, other_digits = _tzcnt_u64(others >> (other & 63));
    if (UNLIKELY(other + other_digits != end || p[cost_end] != ' ' ||
                 other_digits - 1 >= (form.are_weighed ? MAX_DIGITS : MAX_OTHER_DIGITS)))
        return false;
    if (form.are_weighed) {
        uint64_t other_cost = convert(p + other, other_digits);
        group->other_cost = (other_cost ^ (0 - is_negative)) + is_negative;
        group->cost = (uint64_t)form.weights[0] * group->cost + (uint64_t)form.weights[1] * group->other_cost;
    }
    return true;
}

/* ---- keys --------------------------------------------------------------------------------- */

/*
 * A hash of what differs in keys: a record's function, or the callee and the line, and the owner. The
 * ends of the second and third line have the aliases that count.
 */
HOT uint32_t hash_of_group(const struct hash_seed *seed, const char *p, const struct group *group,
                           uint64_t owner)
{
    uint64_t second = little8(p + group->second - 7) + owner;
    uint64_t third = little8(p + group->third - 8) + group->line;
    return (uint32_t)hash_fold(second ^ seed->a, third ^ seed->b);
}

/* Are the first `length` bytes at `p` those of the key? */
NEWER HOT bool has_bytes(const struct sum_entry *entry, const char *p, uint64_t length)
{
    const __m256i *a = (const __m256i *)(const void *)entry->bytes, *b = (const __m256i *)(const void *)p;
    uint64_t equal = bits_of_both(_mm256_cmpeq_epi8(_mm256_load_si256(a), _mm256_loadu_si256(b)),
                                  _mm256_cmpeq_epi8(_mm256_load_si256(a + 1), _mm256_loadu_si256(b + 1)));
    return _bzhi_u64(~equal, (unsigned)length) == 0;
}

static void put_in_bucket(struct record_sums *s, uint32_t number)
{
    uint16_t *bucket = &s->buckets[s->parts[number].hash >> s->bucket_shift];
    s->parts[number].same = *bucket;
    *bucket = (uint16_t)number;
}

/* If there is no memory for more buckets, there are as many as before. */
static void grow_buckets(struct record_sums *s)
{
    uint16_t *grown = realloc(s->buckets, sizeof *grown << (33 - s->bucket_shift));
    if (grown == NULL)
        return;
    s->buckets = grown;
    s->bucket_shift--;
    memset(s->buckets, 0xff, sizeof *s->buckets << (32 - s->bucket_shift));
    for (uint32_t i = 0; i < s->key_count; i++)
        put_in_bucket(s, i);
}

/* The alias in the last eight bytes of an fn=. NONE: it has more digits. */
static uint32_t alias_of_owner(uint64_t owner)
{
    uint32_t alias = 0, power = 1;
    unsigned shift = 48;
    for (; (owner >> shift & 0xff) != '('; shift -= 8, power *= 10) {
        alias += (uint32_t)((owner >> shift & 0xff) - '0') * power;
        if (shift == 0)
            return NONE;
    }
    return alias;
}

static bool is_excluded(const struct record_sums *s, uint32_t function)
{
    for (size_t i = 0; i < s->excluded_count; i++)
        if (s->excluded[i] == function)
            return true;
    return false;
}

/* Keeps the key of the group at `p`, which is new. Returns its number, or NONE. */
static uint32_t add_key(struct record_sums *s, const char *p, const struct group *group, uint64_t owner,
                        uint32_t hash)
{
    const struct line_form form = {.positions = 1, .wanted = ONE_COST, .columns = 2};
    struct token token;
    if (tokens_take_group(&form, p, &token) == NULL || s->key_count == MAX_KEYS ||
        is_excluded(s, token.u.group.function) ||
        (group->is_record && alias_of_owner(little8(p + group->third - 8)) == NONE))
        return NONE;
    uint32_t number = s->key_count++;
    struct sum_entry *entry = &s->entries[number];
    *entry = (struct sum_entry){.owner = owner};
    memcpy(entry->bytes, p, group->key);
    s->parts[number] =
        (struct key_parts){.key = {.file = token.u.group.file,
                                   .function = token.u.group.function,
                                   .line = token.u.group.line,
                                   .owner = group->is_record ? OWN_GROUP : alias_of_owner(owner)},
                           .hash = hash};
    put_in_bucket(s, number);
    if (s->key_count > UINT32_C(1) << (30 - s->bucket_shift))
        grow_buckets(s);
    return number;
}

/*
 * The key of the group at `p`, in a record of `owner`; of a record's own, 0 stands for any. NONE: it
 * is not of the form, or there is no room.
 */
NEWER HOT uint32_t look_up_key(struct record_sums *s, const char *p, const struct group *group,
                               uint64_t owner)
{
    uint32_t hash = hash_of_group(&s->seed, p, group, owner);
    uint32_t number = s->buckets[hash >> s->bucket_shift], others = 0;
    for (; number != NO_KEY; number = s->parts[number].same, others++)
        if (has_bytes(&s->entries[number], p, group->key) & (s->entries[number].owner == owner))
            return number;
    if (others >= MAX_IN_BUCKET)
        return NONE;
    struct group copy = *group; /* of which the address is taken, so that `group` can be in registers */
    return add_key(s, p, &copy, owner, hash);
}

/* ---- spans -------------------------------------------------------------------------------- */

/* Where a loop has come to. */
struct sums_progress {
    const char *at;     /* after the last group */
    uint64_t other_self; /* the sum of the records' own second costs, if costs are weighed */
    size_t touched;
};

/* Takes groups as long as they are of the form and begin before `limit`. */
NEWER HOT void take_groups_of(struct record_sums *s, struct sums_form form, const char *limit,
                              struct sums_progress *progress)
{
    const char *p = progress->at;
    uint64_t owner = 0;
    struct group group;
    while (p < limit && split_group(p, form, &group)) {
        /* All bits, or none: a compiler would make a branch of a condition. */
        uint64_t is_call = (uint64_t)group.is_record - 1;
        uint32_t number = look_up_key(s, p, &group, owner & is_call);
        if (UNLIKELY(number == NONE))
            break;
        struct sum_entry *entry = &s->entries[number];
        owner = (owner & is_call) | (little8(p + group.third - 8) & ~is_call);
        if (entry->count++ == 0)
            s->touched[progress->touched++] = number;
        entry->cost += group.cost;
        if (form.are_weighed)
            progress->other_self += group.other_cost & ~is_call;
        p += group.next;
    }
    progress->at = p;
}

/* Each kind of group has a loop of its own. */
NEWER static void take_groups(struct record_sums *s, const char *limit, struct sums_progress *progress)
{
    if (s->form.are_weighed)
        take_groups_of(s, (struct sums_form){2, true, {s->form.weights[0], s->form.weights[1]}}, limit,
                       progress);
    else if (s->form.columns == 1)
        take_groups_of(s, (struct sums_form){.columns = 1}, limit, progress);
    else
        take_groups_of(s, (struct sums_form){.columns = 2}, limit, progress);
}

/* Takes back the last record of what begins at `start`; it may not be whole. */
NEWER static void leave_record(struct record_sums *s, const char *start, struct sums_progress *progress)
{
    struct group group = {.other_cost = 0};
    const char *record = progress->at - 1, *p;
    uint64_t owner = 0;
    while (record > start && (record[0] != '\n' || record[-1] != '\n'))
        record--;
    for (p = record; p < progress->at; p += group.next) {
        split_group(p, s->form, &group);
        struct sum_entry *entry = &s->entries[look_up_key(s, p, &group, group.is_record ? 0 : owner)];
        if (group.is_record)
            owner = little8(p + group.third - 8);
        entry->count--;
        entry->cost -= group.cost;
        progress->other_self -= s->form.are_weighed && group.is_record ? group.other_cost : 0;
    }
    progress->at = record;
    /* Keys that had not been touched before are the last ones. */
    while (progress->touched > 0 && s->entries[s->touched[progress->touched - 1]].count == 0)
        progress->touched--;
}

/* Does a record certainly begin at `p`, which ends the one before? */
static bool is_start_of_record(const char *p)
{
    uint64_t newlines = find_newlines(p) & ~UINT64_C(1);
    return tokens_begin_record(p) && (newlines & UINT64_C(0x0fffffffffffffff)) != 0 &&
           memcmp(p + __builtin_ctzll(newlines) + 1, "fn=", 3) == 0;
}

/* The number in the last line of what ends at `p`. */
static uint32_t last_line(const char *p)
{
    uint64_t digits;
    p--;
    while (p[-1] != '\n')
        p--;
    digits = little8(p);
    return convert_digits(digits, count_digits(digits));
}

/* Turns what has been counted into sums. */
static bool append_span(struct record_sums *s, const struct sums_progress *progress)
{
    if (!array_reserve(&s->sums, &s->sum_capacity, s->sum_count + progress->touched, sizeof *s->sums) ||
        !array_reserve(&s->spans, &s->span_capacity, s->span_count + 1, sizeof *s->spans))
        return false;
    struct sums_span *span = &s->spans[s->span_count++];
    *span = (struct sums_span){.sum = s->sum_count,
                               .sum_count = progress->touched,
                               .other_self = (cost_t)progress->other_self,
                               .last_line = last_line(progress->at)};
    for (size_t i = 0; i < progress->touched; i++) {
        struct sum_entry *entry = &s->entries[s->touched[i]];
        s->sums[s->sum_count++] = (struct record_sum){entry->cost, s->touched[i], entry->count};
        span->groups += entry->count;
        span->records += entry->owner == 0 ? entry->count : 0;
        entry->cost = entry->count = 0;
    }
    return true;
}

bool record_sums_add(struct record_sums *s, struct text text, const char **end)
{
    struct sums_progress progress = {.at = text.at};
    *end = text.at;
    if (text_length(text) > MAX_SPAN)
        text.end = text.at + MAX_SPAN;
    take_groups(s, text.end, &progress);
    if (progress.at > text.at && (progress.at > text.end || !is_start_of_record(progress.at)))
        leave_record(s, text.at, &progress);
    *end = progress.at;
    return progress.touched == 0 || append_span(s, &progress);
}

#else
bool record_sums_add(struct record_sums *s, struct text text, const char **end)
{
    (void)s;
    *end = text.at;
    return true;
}
#endif

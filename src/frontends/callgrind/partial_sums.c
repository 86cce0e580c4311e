/*
 * Three things make it fast. Newlines and digits are found 16 bytes at a time. A key is never read
 * twice: it is known by its bytes, which a hash finds. And nothing that decides where the next group
 * begins has to wait for the key at hand to be found, nor is there a branch that depends on what kind
 * of group comes next; so a processor can work on several groups at once, as long as all are of the
 * form.
 */
#include "frontends/callgrind/partial_sums.h"

#include "util/array.h"
#include "util/digits.h"
#include "util/system.h"

#include <stdlib.h>

#if defined(__GNUC__) && defined(__x86_64__)
#define HAS_NEWER_X86
#endif

#define NONE UINT32_MAX
#define NO_KEY UINT16_MAX

enum {
    MAX_KEYS = NO_KEY, /* then the table is cleared */
    FIRST_BUCKET_BITS = 13,
    MIN_KEY = 16,       /* bytes that can be compared: see keys_equal */
    MAX_KEY = 44,
    MAX_ID_DIGITS = 6,   /* of an alias, so that all of it is in eight bytes: see struct key */
    MARGIN = 160,        /* more than a group takes, and what is read after it */
    MAX_DIGITS = 14,       /* of a cost */
    MAX_SPAN = 1 << 21, /* bytes; the sum of such costs that has room for is below 2^63 */
    MAX_TAIL = 1 << 16    /* that is searched for a record's beginning */
};

/*
 * One takes a cache line. bytes: "\nfl=(1)\nfn=(2)\n3 " of a record, or of a call
 * "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n3 ".
 */
struct key {
    char bytes[MAX_KEY]; /* zeros after them */
    uint32_t count; /* of groups in the span at hand */
    uint64_t cost;  /* of these */
    /*
     * Whose record it is in: the last eight bytes of that function's fn=, read as a number, in which
     * all digits of its alias are. 0: it is a record's own.
     */
    uint64_t owner;
};

struct key_parts {
    uint32_t owner, function, file, line; /* the owner is an alias, too */
    uint32_t hash;
    uint16_t same; /* the next key in the same bucket, or NO_KEY */
};

static void forget_keys(struct partial_sums *d)
{
    d->key_count = 0;
    memset(d->buckets, 0xff, sizeof *d->buckets << d->bucket_bits);
}

bool partial_sums_init(struct partial_sums *d, struct costs_form form)
{
    *d = (struct partial_sums){.form = form};
    partial_sums_choose_loop(d, true);
    d->seed = hash_seed_draw();
    d->keys = system_aligned_memory(sizeof *d->keys, MAX_KEYS * sizeof *d->keys);
    d->parts = malloc(MAX_KEYS * sizeof *d->parts);
    d->buckets = malloc(sizeof *d->buckets << FIRST_BUCKET_BITS);
    d->touched = malloc(MAX_KEYS * sizeof *d->touched);
    if (d->keys == NULL || d->parts == NULL || d->buckets == NULL || d->touched == NULL) {
        partial_sums_free(d);
        return false;
    }
    d->bucket_bits = FIRST_BUCKET_BITS;
    forget_keys(d);
    return true;
}

void partial_sums_free(struct partial_sums *d)
{
    system_free_aligned(d->keys);
    free(d->parts);
    free(d->buckets);
    free(d->touched);
    free(d->sums);
    *d = (struct partial_sums){.key_count = 0};
}

bool partial_sums_clear(struct partial_sums *d)
{
    bool is_full = d->key_count >= MAX_KEYS;
    d->sum_count = 0;
    if (is_full)
        forget_keys(d);
    return is_full;
}

bool partial_sums_exclude(struct partial_sums *d, uint32_t function)
{
    if (d->excluded_count == sizeof d->excluded / sizeof d->excluded[0])
        return false;
    d->excluded[d->excluded_count++] = function;
    forget_keys(d);
    return true;
}

static bool is_excluded(const struct partial_sums *d, uint32_t function)
{
    for (size_t i = 0; i < d->excluded_count; i++)
        if (d->excluded[i] == function)
            return true;
    return false;
}

/* ---- digits and newlines ------------------------------------------------------------------ */

/* Takes a number of one to seven digits. Returns how many, 0 if there is none or it is longer. */
static unsigned take_digits(const char *p, uint32_t *number)
{
    uint64_t bytes = little8(p);
    unsigned digits = count_digits(bytes);
    *number = 0;
    if (digits == 0 || digits == 8)
        return 0;
    *number = convert_digits(bytes, digits);
    return digits;
}

/* ---- groups ------------------------------------------------------------------------------- */

/* Where the parts of a group begin, or end, from its start. */
struct group {
    unsigned second, third; /* the newlines of these lines */
    unsigned key;          /* the length of its key */
    unsigned next;          /* what follows on it */
    uint64_t line;          /* the digits of the line number in the highest bytes, zeros below */
    uint64_t cost;
    uint64_t other_cost; /* of two costs that are weighed, the second one */
    bool is_record;
};

/* Has a key the length that keys can have? */
HOT bool is_length_of_key(unsigned length)
{
    return length - MIN_KEY <= MAX_KEY - MIN_KEY;
}

/* Finds the parts of the group at `p`, of any length that is of the form. False: it is not. */
static bool split_long_group(const char *p, struct costs_form form, struct group *group)
{
    unsigned ends[3];
    for (unsigned i = 0, at = 0; i < 3; i++, at++) {
        while (at < MAX_KEY && p[at] != '\n')
            at++;
        if (at == MAX_KEY)
            return false;
        ends[i] = at;
    }
    uint32_t line;
    const char *start = p + ends[2] + 1;
    unsigned digits = take_digits(start, &line);
    if (digits == 0 || start[digits] != ' ')
        return false;
    const char *behind = digits_take_costs(start + digits + 1, form, MAX_DIGITS, &group->cost,
                                           &group->other_cost);
    if (behind == NULL)
        return false;
    group->second = ends[1];
    group->third = ends[2];
    group->key = ends[2] + digits + 2;
    group->next = (unsigned)(behind - p);
    group->line = little8(start) << (64 - 8 * digits);
    return is_length_of_key(group->key);
}

/* The same, fast if it is no more than 64 bytes, of which 16 are the last line. */
HOT bool split_group(const char *p, struct costs_form form, struct group *group)
{
    struct group other; /* of which the address is taken, so that `group` can be in registers */
    group->is_record = *p == '\n';
#ifdef __SSE2__
    const __m128i nine = _mm_set1_epi8(9);
    uint64_t newlines = find_newlines(p), second = newlines & (newlines - 1);
    uint64_t third = second & (second - 1), fourth = third & (third - 1);
    if (UNLIKELY(fourth == 0))
        goto long_group;
    group->second = (unsigned)__builtin_ctzll(second);
    group->third = (unsigned)__builtin_ctzll(third);
    group->next = (unsigned)__builtin_ctzll(fourth) + 1;

    const char *line = p + group->third + 1;
    unsigned length = group->next - group->third - 2;
    __m128i values = _mm_sub_epi8(load16(line), _mm_set1_epi8('0'));
    uint32_t digits = bits_of(_mm_cmpeq_epi8(_mm_min_epu8(values, nine), values));
    /* What is no digit: after the line number, and after the cost. A sign is for the long form. */
    uint32_t behind_line = ~digits & ((1u << (length & 31)) - 1);
    uint32_t behind_cost = behind_line & (behind_line - 1), more = behind_cost & (behind_cost - 1);
    unsigned start = (unsigned)__builtin_ctz(behind_line | 1u << 16) + 1;
    unsigned end = form.columns == 2 ? (unsigned)__builtin_ctz(behind_cost | 1u << 16) : length;
    bool is_plain = form.columns == 2 ? more == 0 && end + 1 < length && line[end] == ' ' : behind_cost == 0;
    group->key = group->third + start + 1;
    if (UNLIKELY(!is_plain || length > 16 || start - 2 > 6 || end - start - 1 > 7 ||
                 !is_length_of_key(group->key)))
        goto long_group;
    group->line = little8(line) << (72 - 8 * start);
    group->cost = convert_digits(little8(line + start), end - start);
    if (form.are_weighed) {
        unsigned behind = end + 1;
        if (UNLIKELY(length - behind - 1 > 7))
            goto long_group;
        group->other_cost = convert_digits(little8(line + behind), length - behind);
        group->cost = digits_weigh(form, group->cost, group->other_cost);
    }
    return true;
long_group:
#endif
    if (!split_long_group(p, form, &other))
        return false;
    other.is_record = group->is_record;
    *group = other;
    return true;
}

/* ---- keys -------------------------------------------------------------------------------- */

/* Are the first `length` bytes at `p` those of the key? Three runs of 16 bytes cover 16 to 48. */
HOT bool keys_equal(const struct key *key, const char *p, size_t length)
{
    const char *a = key->bytes;
    size_t last = length - 16, middle = last < 16 ? last : 16;
#ifdef __SSE2__
    __m128i equal = _mm_cmpeq_epi8(load16(a), load16(p));
    equal = _mm_and_si128(equal, _mm_cmpeq_epi8(load16(a + middle), load16(p + middle)));
    equal = _mm_and_si128(equal, _mm_cmpeq_epi8(load16(a + last), load16(p + last)));
    return bits_of(equal) == 0xffff;
#else
    return ((little8(a) ^ little8(p)) | (little8(a + 8) ^ little8(p + 8)) |
            (little8(a + middle) ^ little8(p + middle)) |
            (little8(a + middle + 8) ^ little8(p + middle + 8)) |
            (little8(a + last) ^ little8(p + last)) | (little8(a + last + 8) ^ little8(p + last + 8))) == 0;
#endif
}

/*
 * A hash of what differs in keys: a record's function, or the callee and the line, and the owner. The
 * ends of the second and third line have the aliases that count.
 */
HOT uint32_t hash_of_group(const struct hash_seed *seed, const char *p, const struct group *group,
                           uint64_t owner)
{
    uint64_t second = little8(p + group->second - 8) + owner;
    uint64_t third = little8(p + group->third - 8) + group->line;
    return (uint32_t)hash_fold(second ^ seed->a, third ^ seed->b);
}

/* Takes PREFIX "(" DIGITS ")\n". Returns the position after it, or NULL. */
static const char *take_reference(const char *p, const char *prefix, uint32_t *id)
{
    size_t length = strlen(prefix);
    if (memcmp(p, prefix, length) != 0)
        return NULL;
    p += length;
    unsigned digits = take_digits(p, id);
    p += digits;
    return digits > 0 && digits <= MAX_ID_DIGITS && p[0] == ')' && p[1] == '\n' ? p + 2 : NULL;
}

/* Reads the key at `p`. False: it is not of the form. */
static bool read_key(const char *p, struct key_parts *parts)
{
    static const char calls[] = "calls=1 0 0\n";
    bool is_record = *p == '\n';
    p = take_reference(p, is_record ? "\nfl=(" : "cfl=(", &parts->file);
    if (p == NULL)
        return false;
    p = take_reference(p, is_record ? "fn=(" : "cfn=(", &parts->function);
    if (p == NULL || (!is_record && memcmp(p, calls, sizeof calls - 1) != 0))
        return false;
    p += is_record ? 0 : sizeof calls - 1;
    unsigned digits = take_digits(p, &parts->line);
    return digits > 0 && p[digits] == ' ';
}

static void put_in_bucket(struct partial_sums *d, uint32_t number)
{
    uint16_t *bucket = &d->buckets[d->parts[number].hash >> (32 - d->bucket_bits)];
    d->parts[number].same = *bucket;
    *bucket = (uint16_t)number;
}

/* If there is no memory for more buckets, there are as many as before. */
static void grow_buckets(struct partial_sums *d)
{
    uint16_t *grown = realloc(d->buckets, sizeof *grown << (d->bucket_bits + 1));
    if (grown == NULL)
        return;
    d->buckets = grown;
    d->bucket_bits++;
    memset(d->buckets, 0xff, sizeof *d->buckets << d->bucket_bits);
    for (uint32_t i = 0; i < d->key_count; i++)
        put_in_bucket(d, i);
}

/* The alias in the last eight bytes of an fn=. */
static uint32_t alias_of_owner(uint64_t owner)
{
    uint32_t alias = 0, power = 1;
    for (unsigned shift = 48; (owner >> shift & 0xff) != '('; shift -= 8, power *= 10)
        alias += (uint32_t)((owner >> shift & 0xff) - '0') * power;
    return alias;
}

/* Keeps the key of `length` bytes at `p`, which is new. Returns its number, or NONE. */
static uint32_t add_key(struct partial_sums *d, const char *p, size_t length, uint64_t owner,
                         uint32_t hash)
{
    struct key_parts parts = {.hash = hash};
    if (!read_key(p, &parts) || d->key_count >= MAX_KEYS || is_excluded(d, parts.function))
        return NONE;
    parts.owner = *p == '\n' ? parts.function : alias_of_owner(owner);
    uint32_t number = d->key_count++;
    struct key *key = &d->keys[number];
    *key = (struct key){.owner = owner};
    memcpy(key->bytes, p, length);
    d->parts[number] = parts;
    put_in_bucket(d, number);
    if (d->key_count > UINT32_C(1) << d->bucket_bits >> 2)
        grow_buckets(d);
    return number;
}

/*
 * The key of the group at `p`, in a record of `owner`; of a record's own, 0 stands for any. NONE: it
 * is not of the form, or there is no room.
 */
HOT uint32_t look_up_key(struct partial_sums *d, const char *p, const struct group *group,
                          uint64_t owner)
{
    uint32_t hash = hash_of_group(&d->seed, p, group, owner);
    uint32_t number = d->buckets[hash >> (32 - d->bucket_bits)];
    while (number != NO_KEY && !(keys_equal(&d->keys[number], p, group->key) &
                               (d->keys[number].owner == owner)))
        number = d->parts[number].same;
    return UNLIKELY(number == NO_KEY) ? add_key(d, p, group->key, owner, hash) : number;
}

struct sum_key partial_sums_key(const struct partial_sums *d, uint32_t number)
{
    const struct key_parts *parts = &d->parts[number];
    return (struct sum_key){.owner = parts->owner,
                                .function = parts->function,
                                .file = parts->file,
                                .line = parts->line,
                                .is_record = d->keys[number].bytes[0] == '\n'};
}

/* ---- spans ---------------------------------------------------------------------------- */

bool partial_sums_record_begins(struct text text)
{
    if (!text_starts(text, "fl="))
        return false;
    const char *newline = memchr(text.at, '\n', text_length(text));
    return newline != NULL && text_starts((struct text){newline + 1, text.end}, "fn=");
}

const char *partial_sums_find_record(struct text text)
{
    const char *p = text.at;
    while ((p = memchr(p, '\n', (size_t)(text.end - p))) != NULL) {
        p++;
        if (text_starts((struct text){p, text.end}, "\nfl="))
            return p + 1;
    }
    return NULL;
}

/* The length of what ends with the last newline. */
static size_t whole_lines(struct text text)
{
    size_t length = text_length(text);
    while (length > 0 && text.at[length - 1] != '\n')
        length--;
    return length;
}

size_t partial_sums_cut(struct text text)
{
    static const char record[] = "\n\nfl=";
    size_t length = whole_lines(text), far = length > MAX_TAIL ? length - MAX_TAIL : 0;
    for (size_t at = length; at-- > far;)
        if (text.at[at] == '\n' && text_starts((struct text){text.at + at, text.end}, record))
            return at + 2;
    return length;
}

/* Where a loop has come to. */
struct sums_progress {
    const char *at; /* after the last group */
    uint64_t other_self; /* the sum of the records' own second costs, if costs are weighed */
    uint32_t touched;
    uint32_t last_key;
};

HOT void count_group(struct partial_sums *d, struct sums_progress *progress, uint32_t number, uint64_t cost)
{
    struct key *key = &d->keys[number];
    if (key->count++ == 0)
        d->touched[progress->touched++] = number;
    key->cost += cost;
}

/* Takes groups as long as they are of the form and begin before `limit`. */
HOT void take_groups_of(struct partial_sums *d, struct costs_form form, const char *limit,
                        struct sums_progress *progress)
{
    const char *p = progress->at;
    uint64_t owner = 0;
    uint32_t number = progress->last_key;
    struct group group;
    while (p < limit && split_group(p, form, &group)) {
        uint64_t is_call = (uint64_t)group.is_record - 1; /* all bits, or none */
        uint32_t found = look_up_key(d, p, &group, owner & is_call);
        if (UNLIKELY(found == NONE))
            break;
        number = found;
        owner = (owner & is_call) | (little8(p + group.third - 8) & ~is_call);
        count_group(d, progress, number, group.cost);
        if (form.are_weighed)
            progress->other_self += group.other_cost & ~is_call;
        p += group.next;
    }
    progress->at = p;
    progress->last_key = number;
}

/* Each kind of group has a loop of its own. */
HOT void take_groups_here(struct partial_sums *d, const char *limit, struct sums_progress *progress)
{
    if (d->form.are_weighed)
        take_groups_of(d,
                       (struct costs_form){2, true, {d->form.weights[0], d->form.weights[1]}},
                       limit, progress);
    else if (d->form.columns == 1)
        take_groups_of(d, (struct costs_form){.columns = 1}, limit, progress);
    else
        take_groups_of(d, (struct costs_form){.columns = 2}, limit, progress);
}

static void take_groups(struct partial_sums *d, const char *limit, struct sums_progress *progress)
{
    take_groups_here(d, limit, progress);
}

#ifdef HAS_NEWER_X86
/* The same, translated for processors from 2013 on: it takes a tenth less. */
__attribute__((target("avx2,bmi,bmi2"))) static void
take_groups_newer(struct partial_sums *d, const char *limit, struct sums_progress *progress)
{
    take_groups_here(d, limit, progress);
}
#endif

/* Takes back the last record of what begins at `start`, which is not whole. */
static void leave_record(struct partial_sums *d, const char *start, struct sums_progress *progress)
{
    const char *record = progress->at, *p;
    struct group group = {.other_cost = 0};
    uint64_t owner = 0;
    if (record == start)
        return;
    do
        record--;
    while (record > start && (record[0] != '\n' || record[-1] != '\n'));
    for (p = record; p < progress->at && split_group(p, d->form, &group); p += group.next) {
        struct key *key = &d->keys[look_up_key(d, p, &group, group.is_record ? 0 : owner)];
        if (group.is_record)
            owner = little8(p + group.third - 8);
        key->count--;
        key->cost -= group.cost;
        if (d->form.are_weighed && group.is_record)
            progress->other_self -= group.other_cost;
    }
    progress->at = record;
    /* Keys that had not been touched before are the last ones. */
    while (progress->touched > 0 && d->keys[d->touched[progress->touched - 1]].count == 0)
        progress->touched--;
}

/* Turns what has been counted in keys into sums. */
static bool collect_sums(struct partial_sums *d, uint32_t touched, struct sums_span *span)
{
    if (!array_reserve(&d->sums, &d->sum_capacity, d->sum_count + touched, sizeof *d->sums))
        return false;
    span->sum = d->sum_count;
    span->sum_count = touched;
    for (uint32_t i = 0; i < touched; i++) {
        struct key *key = &d->keys[d->touched[i]];
        span->groups += key->count;
        d->sums[d->sum_count++] = (struct partial_sum){key->cost, d->touched[i], key->count};
        key->cost = 0;
        key->count = 0;
    }
    return true;
}

bool partial_sums_choose_loop(struct partial_sums *d, bool newer)
{
    d->take_groups = take_groups;
#ifdef HAS_NEWER_X86
    if (newer && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2"))
        d->take_groups = take_groups_newer;
#else
    (void)newer;
#endif
    return d->take_groups != take_groups;
}

bool partial_sums_records(struct partial_sums *d, struct text text, struct sums_span *span)
{
    *span = (struct sums_span){.text = {text.at, text.at}};
    if (text_length(text) > MAX_SPAN)
        text.end = text.at + MAX_SPAN;
    if (text_length(text) <= MARGIN)
        return true;
    /* A group begins with the blank line. */
    const char *start = text.at - 1;
    struct sums_progress progress = {.at = start};
    d->take_groups(d, text.end - MARGIN, &progress);
    if (*progress.at != '\n' || !partial_sums_record_begins((struct text){progress.at + 1, text.end}))
        leave_record(d, start, &progress);
    span->text.end = progress.at + 1;
    span->last_key = progress.last_key;
    span->other_self = progress.other_self;
    return collect_sums(d, progress.touched, span);
}

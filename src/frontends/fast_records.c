/*
 * The form:
 *
 *     fl=(FILE)            aliases that have been defined before, by digits
 *     fn=(FUNCTION)
 *     LINE COST [COST]
 *     cfl=(FILE)           any number of groups like these four lines
 *     cfn=(FUNCTION)
 *     calls=1 0 0
 *     LINE COST [COST]
 *                          a blank line, and then the next record
 *
 * Two things make it fast. Digits are found and converted eight at a time. And what stands before a
 * cost is first compared, as bytes, with what stood there last time: a function mostly calls the same
 * others from the same lines in the same order, and its record mostly follows on the same other one.
 * What is not expected is found by its bytes, in a table of all that have come. Either way nothing of
 * it has to be read but the cost.
 */
#include "frontends/fast_records.h"

#include "util/array.h"

#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define NONE UINT32_MAX

/* What the loops over records and calls are made of: a call for each line would cost more than it. */
#if defined(__GNUC__)
#define HOT static inline __attribute__((always_inline))
#else
#define HOT static inline
#endif

enum {
    MAX_ID = 1 << 20,       /* larger ones take the plain path */
    MAX_HEADS = 1 << 15,    /* 2 MiB; what is beyond is read each time */
    BUCKETS = 1 << 15,
    MAX_TRIES = 4,          /* in a bucket: calls of one function from many lines share one */
    MIN_HEAD = 16,          /* bytes that can be compared: see heads_equal */
    MAX_HEAD = 48,
    MARGIN = 160            /* more than a record's head or a group takes, so that the end need not
                               be looked for within one */
};

struct fast_function {
    uint32_t number;     /* in the profile, or NONE: not known yet */
    uint32_t first_call; /* the head that followed its own cost last time, or NONE */
};

/*
 * What stands before a cost, as it was written: "fl=(1)\nfn=(2)\n3 " of a record, or of a call
 * "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n3 ". One takes a cache line.
 */
struct fast_head {
    char bytes[MAX_HEAD];
    uint32_t line_and_length; /* the line number times 256, and the length of the bytes */
    uint32_t meaning;         /* the function's alias, or the number of the arc */
    uint32_t next;            /* the head of the same kind that followed last time, or NONE */
    uint32_t same;            /* the next head in the same bucket, or NONE */
};

HOT uint32_t head_length(const struct fast_head *head)
{
    return head->line_and_length & 0xff;
}

HOT uint32_t head_line(const struct fast_head *head)
{
    return head->line_and_length >> 8;
}

bool fast_records_init(struct fast_records *f, struct builder *builder,
                       struct aliases *file_aliases, struct aliases *function_aliases,
                       size_t columns)
{
    *f = (struct fast_records){.builder = builder,
                               .file_aliases = file_aliases,
                               .function_aliases = function_aliases,
                               .columns = columns,
                               .redefinitions = UINT64_MAX};
    f->heads = aligned_alloc(64, MAX_HEADS * sizeof *f->heads);
    f->buckets = malloc(BUCKETS * sizeof *f->buckets);
    return f->heads != NULL && f->buckets != NULL;
}

void fast_records_free(struct fast_records *f)
{
    free(f->functions);
    free(f->files);
    free(f->heads);
    free(f->buckets);
    *f = (struct fast_records){.columns = 0};
}

/* ---- digits ------------------------------------------------------------------------------- */

/* Eight bytes, the first one lowest. */
HOT uint64_t load8(const char *p)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/*
 * How many digits `bytes` begins with, at most 8. A byte is a digit if its upper half is 3 and stays
 * so when 6 is added; a carry only disturbs what is behind the first byte that is none.
 */
HOT unsigned count_digits(uint64_t bytes)
{
    const uint64_t upper = UINT64_C(0xf0f0f0f0f0f0f0f0), threes = UINT64_C(0x3030303030303030);
    uint64_t others = ((bytes & upper) ^ threes) |
                      (((bytes + UINT64_C(0x0606060606060606)) & upper) ^ threes);
    return others != 0 ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/* The number of the first `digits` (1 to 8) bytes, which are digits. */
HOT uint32_t convert_digits(uint64_t bytes, unsigned digits)
{
    /* Zeros take the place in front. Then neighbours are added up: pairs, fours, all eight. */
    uint64_t value = (bytes & UINT64_C(0x0f0f0f0f0f0f0f0f)) << (64 - 8 * digits);
    value = (value * 10 + (value >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    value = (value * 100 + (value >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(value * 10000 + (value >> 32));
}

/* Takes a number of one to seven digits. Returns how many, 0 if there is none or it is longer. */
HOT unsigned take_digits(const char *p, uint32_t *number)
{
    uint64_t bytes = load8(p);
    unsigned digits = count_digits(bytes);
    *number = 0;
    if (digits == 0 || digits == 8)
        return 0;
    *number = convert_digits(bytes, digits);
    return digits;
}

/* The same for up to 15 digits. */
HOT unsigned take_long_digits(const char *p, uint64_t *number)
{
    uint64_t bytes = load8(p), next;
    unsigned digits = count_digits(bytes);
    *number = 0;
    if (digits == 0)
        return 0;
    *number = convert_digits(bytes, digits);
    if (digits < 8)
        return digits;
    next = load8(p + 8);
    unsigned more = count_digits(next);
    if (more == 8)
        return 0;
    if (more == 0)
        return digits;
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    *number = *number * powers[more] + convert_digits(next, more);
    return digits + more;
}

/* The length of a number of up to 15 digits, 0 if there is none or it is longer. */
HOT unsigned skip_digits(const char *p)
{
    unsigned digits = count_digits(load8(p));
    if (digits < 8)
        return digits;
    unsigned more = count_digits(load8(p + 8));
    return more < 8 ? digits + more : 0;
}

/* ---- what is known ------------------------------------------------------------------------ */

/* Aliases that mean something else now make everything unknown. */
static void check_redefinitions(struct fast_records *f)
{
    uint64_t redefinitions = f->file_aliases->redefinitions + f->function_aliases->redefinitions;
    if (redefinitions == f->redefinitions)
        return;
    f->redefinitions = redefinitions;
    f->function_count = 0;
    f->file_count = 0;
    f->head_count = 0;
    memset(f->buckets, 0xff, BUCKETS * sizeof *f->buckets);
}

/* The plain path takes a function's first record, which tells its file and line, and all proxies. */
static bool is_ordinary(const struct function *function)
{
    uint8_t wanted = FUNCTION_HAS_RECORD | FUNCTION_LINE_IS_OWN;
    return (function->flags & (wanted | FUNCTION_IS_PROXY)) == wanted;
}

/* The function with that alias, entered in the table. NULL: leave it to the plain path. */
static struct fast_function *look_up_function(struct fast_records *f, uint32_t id)
{
    struct profile *profile = f->builder->profile;
    uint32_t name = aliases_find(f->function_aliases, id);
    if (id >= MAX_ID || name == NONE ||
        !array_reserve(&f->functions, &f->function_capacity, (size_t)id + 1, sizeof *f->functions))
        return NULL;
    uint32_t number = profile_find_function(profile, IDENTITY_NAME, 0, 0, name);
    if (number == NONE || !is_ordinary(&profile->functions[number]))
        return NULL;
    while (f->function_count <= id)
        f->functions[f->function_count++] = (struct fast_function){NONE, NONE};
    f->functions[id] = (struct fast_function){number, NONE};
    return &f->functions[id];
}

static inline struct fast_function *find_function(struct fast_records *f, uint32_t id)
{
    if (id < f->function_count && f->functions[id].number != NONE)
        return &f->functions[id];
    return look_up_function(f, id);
}

static bool look_up_file(struct fast_records *f, uint32_t id)
{
    if (id >= MAX_ID || aliases_find(f->file_aliases, id) == NONE ||
        !array_reserve(&f->files, &f->file_capacity, (size_t)id + 1, sizeof *f->files))
        return false;
    while (f->file_count <= id)
        f->files[f->file_count++] = false;
    f->files[id] = true;
    return true;
}

static inline bool is_file(struct fast_records *f, uint32_t id)
{
    return (id < f->file_count && f->files[id]) || look_up_file(f, id);
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Takes PREFIX "(" DIGITS ")\n". Returns what is behind it, or NULL. */
static inline const char *take_reference(const char *p, const char *prefix, size_t length,
                                         uint32_t *id)
{
    if (memcmp(p, prefix, length) != 0)
        return NULL;
    p += length;
    unsigned digits = take_digits(p, id);
    p += digits;
    return digits > 0 && p[0] == ')' && p[1] == '\n' ? p + 2 : NULL;
}

#ifdef __SSE2__
HOT __m128i load16(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}
#endif

/* Where in the 16 bytes at `p` the first newline is; 16: there is none. */
HOT unsigned find_newline(const char *p)
{
#ifdef __SSE2__
    int found = _mm_movemask_epi8(_mm_cmpeq_epi8(load16(p), _mm_set1_epi8('\n')));
    return (unsigned)__builtin_ctz((unsigned)found | 1u << 16);
#else
    for (unsigned i = 0; i < 16; i += 8) {
        /* A byte that equals the newline's becomes 0, and only then borrows from its top bit. */
        uint64_t bytes = load8(p + i) ^ UINT64_C(0x0a0a0a0a0a0a0a0a);
        uint64_t zeros = (bytes - UINT64_C(0x0101010101010101)) & ~bytes &
                         UINT64_C(0x8080808080808080);
        if (zeros != 0)
            return i + (unsigned)__builtin_ctzll(zeros) / 8;
    }
    return 16;
#endif
}

/*
 * Takes "COST\n" or "COST [-]COST\n". Returns what is behind it, or NULL.
 *
 * Where the next line begins is all that what follows has to wait for, so the newline is looked for
 * first; that there are numbers before it is checked on the side.
 */
HOT const char *take_costs(const struct fast_records *f, const char *p, uint64_t *cost)
{
    unsigned newline = find_newline(p);
    unsigned digits = take_long_digits(p, cost);
    const char *end = p + digits;
    if (f->columns == 2) {
        const char *other = end + 1;
        other += *other == '-';
        unsigned more = skip_digits(other);
        if (*end != ' ' || more == 0)
            return NULL;
        end = other + more;
    }
    if (digits == 0 || *end != '\n')
        return NULL;
    return newline < 16 ? p + newline + 1 : end + 1;
}

/* Are the bytes at `p` those of the head? Three runs of 16 bytes cover 16 to 48 of them. */
HOT bool heads_equal(const struct fast_head *head, const char *p)
{
    const char *a = head->bytes;
    size_t last = head_length(head) - 16, middle = last < 16 ? last : 16;
#ifdef __SSE2__
    __m128i equal = _mm_cmpeq_epi8(load16(a), load16(p));
    equal = _mm_and_si128(equal, _mm_cmpeq_epi8(load16(a + middle), load16(p + middle)));
    equal = _mm_and_si128(equal, _mm_cmpeq_epi8(load16(a + last), load16(p + last)));
    return _mm_movemask_epi8(equal) == 0xffff;
#else
    return ((load8(a) ^ load8(p)) | (load8(a + 8) ^ load8(p + 8)) |
            (load8(a + middle) ^ load8(p + middle)) |
            (load8(a + middle + 8) ^ load8(p + middle + 8)) |
            (load8(a + last) ^ load8(p + last)) | (load8(a + last + 8) ^ load8(p + last + 8))) == 0;
#endif
}

/* ---- heads -------------------------------------------------------------------------------- */

/*
 * Where a head is expected: behind another one of its kind, or first. A call's head stands for a call
 * of one certain caller, so one that was made by another must never be expected.
 */
struct expectation {
    uint32_t after;   /* a head; FIRST: none has come; NONE: one has come that is not kept */
    uint32_t first;   /* the head that is expected first, or NONE */
    uint32_t nowhere; /* always NONE when it is looked at */
};

#define FIRST (UINT32_MAX - 1)

/* Where the expected head is noted. */
HOT uint32_t *expected_place(struct fast_records *f, struct expectation *expected)
{
    if (expected->after < FIRST)
        return &f->heads[expected->after].next;
    expected->nowhere = NONE;
    return expected->after == FIRST ? &expected->first : &expected->nowhere;
}

/* The bucket of the head at `p`, by its first bytes, which every head of its kind has. */
HOT uint32_t *bucket_of(struct fast_records *f, const char *p, uint32_t caller)
{
    uint64_t key = load8(p + 4) * UINT64_C(0x9e3779b97f4a7c15) + load8(p + 8);
    if (caller != NONE)
        key += (load8(p + 16) + caller) * UINT64_C(0xff51afd7ed558ccd);
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return &f->buckets[key >> 49];
}

/* Is that the head at `p`, of a call that `caller` makes or (NONE) of a record? */
HOT bool is_head(const struct fast_records *f, const struct fast_head *head, const char *p,
                 uint32_t caller)
{
    return heads_equal(head, p) &&
           (caller == NONE || f->builder->profile->arcs[head->meaning].caller == caller);
}

/*
 * The head that stands at `p`, if it has come before: it is looked for where it is expected, then by
 * its bytes. Else NULL.
 */
HOT const struct fast_head *find_head(struct fast_records *f, struct expectation *expected,
                                      const char *p, uint32_t caller)
{
    uint32_t *place = expected_place(f, expected), number = *place;
    if (number == NONE || !heads_equal(&f->heads[number], p)) {
        unsigned tries = MAX_TRIES;
        number = *bucket_of(f, p, caller);
        while (number != NONE && !is_head(f, &f->heads[number], p, caller))
            number = --tries > 0 ? f->heads[number].same : NONE;
        if (number == NONE)
            return NULL;
        *place = number;
    }
    expected->after = number;
    return &f->heads[number];
}

/* Keeps the head at `p`, which is new, if there is room. */
static void keep_head(struct fast_records *f, struct expectation *expected, const char *p,
                      size_t length, uint32_t caller, uint32_t meaning, uint32_t line)
{
    uint32_t number = NONE;
    if (length >= MIN_HEAD && length <= MAX_HEAD && f->head_count < MAX_HEADS) {
        uint32_t *bucket = bucket_of(f, p, caller);
        number = f->head_count++;
        struct fast_head *head = &f->heads[number];
        memcpy(head->bytes, p, length);
        head->line_and_length = line << 8 | (uint32_t)length;
        head->meaning = meaning;
        head->next = NONE;
        head->same = *bucket;
        *bucket = number;
    }
    *expected_place(f, expected) = number;
    expected->after = number;
}

/*
 * Reads the head of a call. Returns what is behind, or NULL: then it is for the plain path, as is an
 * arc that is new.
 */
static const char *read_call_head(struct fast_records *f, const char *p, uint32_t caller,
                                  struct expectation *expected, uint32_t *arc, uint32_t *line)
{
    static const char calls[] = "calls=1 0 0\n";
    const char *start = p;
    uint32_t file, id;
    p = take_reference(p, "cfl=(", 5, &file);
    if (p == NULL || !is_file(f, file))
        return NULL;
    p = take_reference(p, "cfn=(", 5, &id);
    if (p == NULL || memcmp(p, calls, sizeof calls - 1) != 0)
        return NULL;
    p += sizeof calls - 1;
    const struct fast_function *callee = find_function(f, id);
    unsigned digits = take_digits(p, line);
    if (callee == NULL || digits == 0 || p[digits] != ' ')
        return NULL;
    *arc = profile_find_arc(f->builder->profile, caller, callee->number, *line);
    if (*arc == NONE)
        return NULL;
    p += digits + 1;
    keep_head(f, expected, start, (size_t)(p - start), caller, *arc, *line);
    return p;
}

/* ---- calls and records -------------------------------------------------------------------- */

struct fast_call {
    uint64_t cost;
    uint32_t arc;
};

enum { MAX_CALLS = 512 }; /* of a whole record; what follows is for fast_records_take_calls */

/* A record, of which nothing has been entered: it may yet turn out to be for the plain path. */
struct fast_record {
    const char *p; /* behind what has been read */
    uint32_t id;   /* the function's alias */
    uint32_t number;
    uint64_t self;
    uint32_t last_line;
    uint32_t call_count;
    struct fast_call calls[MAX_CALLS];
};

/* Reads a call with its cost. Returns what is behind, or NULL: then it is for the plain path. */
HOT const char *read_call(struct fast_records *f, const char *p, uint32_t caller,
                                    struct expectation *expected, struct fast_call *call,
                                    uint32_t *line)
{
    const struct fast_head *head = find_head(f, expected, p, caller);
    if (head != NULL) {
        call->arc = head->meaning;
        *line = head_line(head);
        p += head_length(head);
    } else {
        p = read_call_head(f, p, caller, expected, &call->arc, line);
        if (p == NULL)
            return NULL;
    }
    return take_costs(f, p, &call->cost);
}

static bool read_calls(struct fast_records *f, struct fast_record *r, const char *limit)
{
    const char *p = r->p;
    uint32_t count = 0;
    struct expectation expected = {FIRST, f->functions[r->id].first_call, NONE};
    while (*p == 'c') {
        if (p >= limit || count == MAX_CALLS)
            return false;
        p = read_call(f, p, r->number, &expected, &r->calls[count], &r->last_line);
        if (p == NULL)
            return false;
        count++;
    }
    f->functions[r->id].first_call = expected.first;
    r->p = p;
    r->call_count = count;
    return *p == '\n';
}

static const char *read_record_head(struct fast_records *f, const char *p,
                                    struct expectation *expected, struct fast_record *r)
{
    const char *start = p;
    uint32_t file;
    p = take_reference(p, "fl=(", 4, &file);
    if (p == NULL || !is_file(f, file))
        return NULL;
    p = take_reference(p, "fn=(", 4, &r->id);
    if (p == NULL || find_function(f, r->id) == NULL)
        return NULL;
    unsigned digits = take_digits(p, &r->last_line);
    if (digits == 0 || p[digits] != ' ')
        return NULL;
    p += digits + 1;
    keep_head(f, expected, start, (size_t)(p - start), NONE, r->id, r->last_line);
    return p;
}

/* Reads a record's own lines. */
static bool read_record(struct fast_records *f, struct expectation *expected,
                        struct fast_record *r)
{
    const struct fast_head *head = find_head(f, expected, r->p, NONE);
    const char *p = r->p;
    if (head != NULL) {
        r->id = head->meaning;
        r->last_line = head_line(head);
        p += head_length(head);
    } else {
        p = read_record_head(f, p, expected, r);
        if (p == NULL)
            return false;
    }
    r->number = f->functions[r->id].number;
    r->p = take_costs(f, p, &r->self);
    return r->p != NULL;
}

/* Behind a record's blank line: does another record begin here, and end the one before? */
static bool begins_record(const char *p)
{
    uint32_t id;
    p = take_reference(p, "fl=(", 4, &id);
    return p != NULL && memcmp(p, "fn=(", 4) == 0;
}

/* The same, looked for first where it is expected. */
HOT bool record_follows(struct fast_records *f, struct expectation *expected, const char *p)
{
    uint32_t number = *expected_place(f, expected);
    return (number != NONE && heads_equal(&f->heads[number], p)) || begins_record(p);
}

bool fast_records_begin(struct text text)
{
    return text_length(text) > MARGIN && begins_record(text.at);
}

static bool enter_record(struct fast_records *f, const struct fast_record *r)
{
    struct profile *profile = f->builder->profile;
    struct function *function = &profile->functions[r->number];
    cost_add(&function->self, (cost_t)r->self);
    count_add(&function->invocations, 1);
    for (uint32_t i = 0; i < r->call_count; i++) {
        struct arc *arc = &profile->arcs[r->calls[i].arc];
        count_add(&arc->count, 1);
        cost_add(&arc->cost, (cost_t)r->calls[i].cost);
    }
    if (!f->builder->has_outermost)
        return true;
    for (uint32_t i = 0; i < r->call_count; i++)
        if (!builder_spool_call(f->builder, r->calls[i].arc, (cost_t)r->calls[i].cost))
            return false;
    return builder_spool_record(f->builder, r->number, (cost_t)r->self);
}

bool fast_records_take(struct fast_records *f, struct text *text, struct fast_taken *taken)
{
    struct fast_record r;
    struct expectation expected = {FIRST, NONE, NONE};
    *taken = (struct fast_taken){.records = 0};
    check_redefinitions(f);
    if (text_length(*text) <= MARGIN)
        return true;
    const char *limit = text->end - MARGIN;
    while (text->at < limit) {
        r.p = text->at;
        if (!read_record(f, &expected, &r) || !read_calls(f, &r, limit) || r.p + 1 >= limit ||
            !record_follows(f, &expected, r.p + 1))
            break;
        if (!enter_record(f, &r))
            return false;
        taken->records++;
        taken->lines += 4 + 4 * (uint64_t)r.call_count;
        taken->last_line = r.last_line;
        cost_add(&taken->self, (cost_t)r.self);
        text->at = r.p + 1;
    }
    return true;
}

bool fast_records_take_calls(struct fast_records *f, uint32_t caller, struct text *text,
                             struct fast_taken *taken)
{
    struct expectation expected = {FIRST, NONE, NONE};
    uint32_t line;
    struct fast_call call;
    *taken = (struct fast_taken){.records = 0};
    check_redefinitions(f);
    if (text_length(*text) <= MARGIN || !is_ordinary(&f->builder->profile->functions[caller]))
        return true;
    const char *limit = text->end - MARGIN;
    while (text->at < limit && *text->at == 'c') {
        const char *behind = read_call(f, text->at, caller, &expected, &call, &line);
        if (behind == NULL)
            break;
        if (!builder_arc_call(f->builder, call.arc, (cost_t)call.cost))
            return false;
        taken->lines += 4;
        taken->last_line = line;
        taken->last_callee = f->builder->profile->arcs[call.arc].callee;
        text->at = behind;
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * Sums of the records that Xdebug writes: an accelerator of the reader, without which every output is the same. Nearly
 * all records consist of quads, of four lines each:
 *
 *                          a blank line, which ends the record before
 *     fl=(FILE)            aliases
 *     fn=(FUNCTION)
 *     LINE COST [COST]
 *
 *     cfl=(FILE)
 *     cfn=(FUNCTION)
 *     calls=1 0 0
 *     LINE COST [COST]
 *
 * The text before a quad's cost is its key. Of whole records, the costs and the number of the quads of each key are
 * added up, and the sums entered in the profile. What needs each record gets a log of the quads, too.
 *
 * Three things make it fast. Newlines and digits are found 64 bytes at a time. A key is never read twice: it is known
 * by its bytes, which a hash finds. And nothing that decides where the next quad begins has to wait for the rest of
 * the quad at hand, nor is there a branch that depends on what kind of quad comes next; so a processor can work on
 * several quads at once, as long as all are of the form. All this takes a processor that has AVX2 and BMI (x86-64,
 * from 2013 on).
 */
#include "read/callgrind/reader.h"
#include "read/callgrind/scan.h"

/* The benchmark sets this to 0, to time the reader alone. */
#ifndef SUMS_ARE_MADE
#define SUMS_ARE_MADE 1
#endif

#if SUMS_ARE_MADE && defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define NEWER __attribute__((target("avx2,bmi,bmi2")))

#define NO_KEY UINT16_MAX

enum {
    MAX_KEYS = 32000, /* then all are forgotten; their sums take less than a large page of 2 MB */
    BUCKET_BITS = 16,
    KEY_BYTES = 44,        /* the most of a key */
    MIN_SECOND = 7,        /* bytes before the second newline of a quad, which look_up_key reads */
    MAX_DIGITS = 8,        /* of a line number, or a cost */
    MAX_OTHER_DIGITS = 18, /* of one that does not count */
    MIN_GROUP = 16,        /* bytes; the least of the form has three more */
    MAX_IN_BUCKET = 32,    /* keys; the hash ignores some of their bytes */
    ENOUGH_SPANS = 32,     /* of a text, to see whether they are worthwhile */
    WORTHWHILE = 768       /* bytes of a span; shorter ones cost more than they save */
};

/* One takes a cache line. */
struct sum {
    char key[KEY_BYTES]; /* zeros after it */
    uint32_t count;      /* of quads in the span at hand */
    uint64_t cost;       /* of these, modulo 2^64; far from the limits of a signed number */
    uint64_t owner;      /* of a call, 1 + the key of the record that it is in, or OPEN_RECORD; of a record 0 */
};

enum { OPEN_RECORD = MAX_KEYS + 1 };

struct meaning {
    uint32_t file, name, line; /* of a record its own, of a call the callee and where it is called */
    uint32_t owner;            /* of a call, as above; of a record 0 */
    uint32_t number;           /* of a record the function, of a call the arc; NONE: it is not in the profile yet */
    uint16_t bucket, same;     /* where it is, and the next key there, or NO_KEY */
};

/* The costs of a line, and which of them are added up. */
struct sums_form {
    size_t columns; /* 1 or 2 */
    size_t wanted;  /* 0 or 1 */
    bool is_logged; /* each quad is needed, with all its costs */
};

/* A quad that is logged. */
struct step {
    uint32_t key;
    int32_t costs[2]; /* by column */
};

struct sums {
    struct sums_form form;
    uint64_t version; /* of the aliases: with another one, no meaning is valid */
    struct sum *sums; /* by key; each in a cache line */
    struct meaning meanings[MAX_KEYS];
    uint16_t buckets[1 << BUCKET_BITS];
    uint16_t touched[MAX_KEYS]; /* keys of the span at hand, by first occurrence */
    uint32_t key_count;
    uint64_t others[MAX_KEYS]; /* if quads are logged: the costs of the second column, by key */
    struct step *steps;        /* those of the span at hand */
    size_t step_capacity;

    unsigned block;        /* the number of the block at hand */
    const char *limit;     /* the start of the last record in it, which may not be whole */
    size_t tried, covered; /* spans of it, and their bytes */
};

/* ---- quads -------------------------------------------------------------------------------- */

/* Where the parts of a quad begin, or end, from its start. */
struct quad {
    uint64_t second, third; /* the newlines of these lines */
    uint64_t key;           /* the length of its key */
    uint64_t next;          /* what follows it */
    uint64_t cost, other;   /* the one that is wanted, or, if it is logged, both */
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

/* Splits the last line. `others` are bytes that are no digits. Sets quad->key to where the cost begins. */
NEWER HOT bool split_last_line(const char *p, uint64_t line, uint64_t end, uint64_t others, struct sums_form form,
                               struct quad *quad)
{
    uint64_t after_line = others >> line, after_cost = _blsr_u64(after_line);
    uint64_t cost = line + _tzcnt_u64(after_line) + 1;
    uint64_t cost_end = line + _tzcnt_u64(after_cost), digits = cost_end - cost;
    bool is_first = form.wanted == 0 || form.is_logged, is_other = form.wanted == 1 || form.is_logged;
    quad->key = cost;
    if (UNLIKELY(digits - 1 >= (is_first ? MAX_DIGITS : MAX_OTHER_DIGITS)))
        return false;
    if (is_first)
        quad->cost = number_of(p + cost, digits);
    if (form.columns == 1)
        return cost_end == end;

    uint64_t is_negative = p[cost_end + 1] == '-';
    uint64_t other = cost_end + 1 + is_negative, other_digits = _tzcnt_u64(others >> (other & 63));
    if (UNLIKELY(other + other_digits != end || p[cost_end] != ' ' ||
                 other_digits - 1 >= (is_other ? MAX_DIGITS : MAX_OTHER_DIGITS)))
        return false;
    if (is_other)
        *(is_first ? &quad->other : &quad->cost) = (number_of(p + other, other_digits) ^ (0 - is_negative)) +
                                                   is_negative;
    return true;
}

/* `p` has 64 bytes at most. False: it is not of the form. */
NEWER HOT bool split_quad(const char *p, struct sums_form form, struct quad *quad)
{
    uint64_t newlines, others;
    find_bytes(p, &newlines, &others);
    uint64_t second = _blsr_u64(newlines), third = _blsr_u64(second), fourth = _blsr_u64(third);
    uint64_t end = _tzcnt_u64(fourth);
    quad->is_record = newlines & 1;
    quad->second = _tzcnt_u64(second);
    quad->third = _tzcnt_u64(third);
    quad->next = end + 1;
    /* So that compilers do not take it from the costs when these have turned out to end there, too. */
    __asm__("" : "+r"(quad->next));
    return !UNLIKELY(fourth == 0 || quad->second < MIN_SECOND) &&
           split_last_line(p, quad->third + 1, end, others, form, quad) && quad->key <= KEY_BYTES;
}

/* ---- keys --------------------------------------------------------------------------------- */

NEWER HOT bool has_key(const struct sum *sum, const char *p, uint64_t length, uint64_t owner)
{
    const __m256i *start = (const __m256i *)(const void *)sum->key;
    uint64_t equal = bits_of_both(_mm256_cmpeq_epi8(_mm256_load_si256(start), load32(p)),
                                  _mm256_cmpeq_epi8(_mm256_load_si256(start + 1), load32(p + 32)));
    return (_bzhi_u64(~equal, (unsigned)length) == 0) & (sum->owner == owner);
}

/* The name that PREFIX(ID) at `*p` refers to, up to a newline, after which *p is; NONE: it is of another form. */
static uint32_t take_name(struct callgrind_reader *r, enum name_space names, const char *prefix, const char **p)
{
    uint64_t id;
    size_t length = strlen(prefix);
    const char *end = memcmp(*p, prefix, length) == 0 ? scan_number(*p + length, &id) : NULL;
    if (end == NULL || memcmp(end, ")\n", 2) != 0)
        return NONE;
    *p = end + 2;
    return aliases_find(&r->aliases[names], id);
}

/* What the key of a quad means. False: it is not of the form. */
static bool find_meaning(struct callgrind_reader *r, const char *p, const struct quad *quad, uint64_t owner,
                         struct meaning *meaning)
{
    static const char calls[] = "calls=1 0 0\n";
    const char *end = p + quad->key;
    bool is_call = !quad->is_record;
    uint64_t line;
    meaning->file = take_name(r, FILE_NAMES, is_call ? "cfl=(" : "\nfl=(", &p);
    meaning->name = take_name(r, FUNCTION_NAMES, is_call ? "cfn=(" : "fn=(", &p);
    meaning->owner = (uint32_t)owner;
    meaning->number = NONE;
    if (meaning->file == NONE || meaning->name == NONE || (is_call && memcmp(p, calls, sizeof calls - 1) != 0))
        return false;
    p += is_call ? sizeof calls - 1 : 0;
    const char *line_end = scan_number(p, &line);
    meaning->line = (uint32_t)line;
    return line_end != NULL && line_end + 1 == end && *line_end == ' ' && line_end - p <= MAX_DIGITS;
}

/* The same as look_up_key for a key that is not the last one in its bucket: adds it if it is new. */
NEWER APART static uint32_t look_further(struct callgrind_reader *r, const char *p, const struct quad *quad,
                                         uint64_t owner, uint32_t hash)
{
    struct sums *s = r->sums;
    uint32_t others = 0, number = s->key_count;
    for (uint32_t other = s->buckets[hash]; other != NO_KEY; other = s->meanings[other].same, others++)
        if (has_key(&s->sums[other], p, quad->key, owner))
            return other;
    if (number == MAX_KEYS || others >= MAX_IN_BUCKET || !find_meaning(r, p, quad, owner, &s->meanings[number]))
        return NONE;
    s->meanings[number].bucket = (uint16_t)hash;
    s->meanings[number].same = s->buckets[hash];
    s->sums[number] = (struct sum){.owner = owner};
    memcpy(s->sums[number].key, p, quad->key);
    s->buckets[hash] = (uint16_t)number;
    return s->key_count++;
}

/*
 * The key of the quad at `p`, of `owner`. NONE: it is not of the form, or there is no room. A hash is made of what
 * differs in keys: a record's function, or the callee and the line, and the record that it is in. The ends of the
 * second and third line have these names.
 */
NEWER HOT uint32_t look_up_key(struct callgrind_reader *r, const char *p, const struct quad *quad, uint64_t owner)
{
    const struct sums *s = r->sums;
    uint64_t second = little8(p + quad->second - 7) + owner;
    uint64_t third = little8(p + quad->third - 8) + little8(p + quad->key - 8);
    uint32_t hash = (uint32_t)((second ^ hash_seed.a) * (third ^ hash_seed.b) >> (64 - BUCKET_BITS));
    uint32_t number = s->buckets[hash];
    if (number != NO_KEY && has_key(&s->sums[number], p, quad->key, owner))
        return number;
    struct quad copy = *quad; /* of which the address is taken, so that `quad` can be in registers */
    return look_further(r, p, &copy, owner, hash);
}

struct sums_progress {
    const char *start, *at; /* of the first quad, and after the last one */
    size_t touched, steps;
    uint64_t owner;  /* of the calls of the record at hand */
    uint64_t record; /* where that begins, from the first one */
    uint32_t last;   /* the key of the last quad */
};

/* Adds quads as long as they are of the form, there is room, and they begin before `end`. */
NEWER HOT void add_quads(struct callgrind_reader *r, struct sums_form form, const char *end,
                         struct sums_progress *result)
{
    struct sums *s = r->sums;
    struct sums_progress progress = *result;
    struct quad quad = {.cost = 0, .other = 0};
    while (progress.at < end && split_quad(progress.at, form, &quad)) {
        /* All bits, or none: a compiler would make a branch of a condition. */
        uint64_t is_call = (uint64_t)quad.is_record - 1;
        uint64_t owner = progress.owner & is_call;
        uint32_t number = look_up_key(r, progress.at, &quad, owner);
        if (UNLIKELY(number == NONE))
            break;
        progress.owner = owner | ((number + UINT64_C(1)) & ~is_call);
        progress.record = (progress.record & is_call) | ((uint64_t)(progress.at - progress.start) & ~is_call);
        progress.last = number;
        struct sum *sum = &s->sums[number];
        if (sum->count++ == 0)
            s->touched[progress.touched++] = (uint16_t)number;
        sum->cost += quad.cost;
        if (form.is_logged) {
            s->others[number] += quad.other;
            s->steps[progress.steps++] = (struct step){number, {(int32_t)quad.cost, (int32_t)quad.other}};
        }
        progress.at += quad.next;
    }
    *result = progress;
}

/* Each form has a loop: as a part of another function, it would have fewer registers, and take a third longer. */
NEWER APART static void add_any_quads(struct callgrind_reader *r, const char *end, struct sums_progress *progress)
{
    struct sums *s = r->sums;
    if (s->form.is_logged)
        array_reserve(&s->steps, &s->step_capacity, (size_t)(end - progress->at) / MIN_GROUP + 1, sizeof *s->steps);
    if (s->form.is_logged && s->form.columns == 1)
        add_quads(r, (struct sums_form){1, 0, true}, end, progress);
    else if (s->form.is_logged)
        add_quads(r, (struct sums_form){2, 0, true}, end, progress);
    else if (s->form.columns == 1)
        add_quads(r, (struct sums_form){1, 0, false}, end, progress);
    else if (s->form.wanted == 0)
        add_quads(r, (struct sums_form){2, 0, false}, end, progress);
    else
        add_quads(r, (struct sums_form){2, 1, false}, end, progress);
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

/* The last record that begins between `p` and `end`, or `p`. */
static const char *find_last_record(const char *p, const char *end)
{
    const char *last = p;
    for (const char *from = end; last == p && from - p > 63;) {
        from -= 62;
        for (const char *start = from; (start = find_record(start, from + 63)) < from + 63 && start < end;)
            last = start;
    }
    return last;
}

/* Those of the events that are read, of the costs of all columns that are known. */
static const cost_t *chosen(const struct callgrind_reader *r, const cost_t *costs)
{
    const struct sums_form *form = &r->sums->form;
    return form->is_logged && r->builder->vectors == NULL ? costs + form->wanted : costs;
}

static void enter_sum(struct callgrind_reader *r, uint32_t key)
{
    struct builder *b = r->builder;
    struct meaning *m = &r->sums->meanings[key];
    const struct meaning *owner = m->owner > 0 ? &r->sums->meanings[m->owner - 1] : m;
    const cost_t sums[] = {(cost_t)r->sums->sums[key].cost, (cost_t)r->sums->others[key]}, *costs = chosen(r, sums);
    uint64_t count = r->sums->sums[key].count;
    if (UNLIKELY(m->number == NONE)) {
        m->number = builder_function(b, r->place.object, m->file, m->name);
        if (owner != m) /* keys of other bytes may mean the same */
            m->number = profile_add_call(b->profile, owner->number, m->number, m->line, 0, 0);
    }
    if (owner != m) {
        builder_enter_calls(b, m->number, count, costs[0]);
    } else {
        const struct collected_record record = {.file = m->file,
                                                .line = m->line,
                                                .function = m->number,
                                                .line_flags = FUNCTION_HAS_LINE | FUNCTION_LINE_IS_OWN,
                                                .self = costs[0]};
        builder_enter_records(b, &record, count);
    }
    if (UNLIKELY(builder_keeps(b)))
        builder_enter_costs(b, owner != m ? m->number : NONE,
                            (struct line_key){owner->number, owner != m ? b->profile->arcs[m->number].callee : NONE,
                                              owner->file, m->line},
                            owner != m ? count : 0, costs);
}

HOT void log_step(const struct callgrind_reader *r, enum entry_kind kind, const struct step *step)
{
    const cost_t costs[] = {step->costs[0], step->costs[1]};
    records_append(&r->builder->records,
                   &(struct entry){kind, r->sums->meanings[step->key].number, .cost = *chosen(r, costs),
                                   .costs = chosen(r, costs)},
                   NONE);
}

/* Did this call certainly make the invocation whose record, without calls, comes last before the caller's? */
static bool is_leaf(const struct callgrind_reader *r, const struct step *call, const struct step *record)
{
    const struct meaning *callee = &r->sums->meanings[call->key], *function = &r->sums->meanings[record->key];
    return callee->name == function->name && memcmp(call->costs, record->costs, sizeof call->costs) == 0;
}

/* Logs records, each with its calls, of which the last one comes first; if possible, leaves with the calls of them. */
static void log_records(struct callgrind_reader *r, size_t steps)
{
    const struct sums *s = r->sums;
    const struct step *at = s->steps, *limit = at + steps, *end;
    for (const struct step *first = at; first < limit; first = end) { /* from `at` to `first`, records have no calls */
        cost_t inclusive[] = {first->costs[0], first->costs[1]};
        const struct step *leaf = first;
        for (end = first + 1; end < limit && s->meanings[end->key].owner > 0; end++) {
            inclusive[0] += end->costs[0];
            inclusive[1] += end->costs[1];
        }
        if (end == first + 1 && end < limit && r->builder->records.may_have_leaves)
            continue;
        const struct step *call = end;
        for (; call > first + 1 && leaf > at && is_leaf(r, call - 1, leaf - 1); call--)
            leaf--;
        for (; at < leaf; at++)
            log_step(r, ENTRY_RECORD, at);
        for (const struct step *before = call; before-- > first + 1;)
            log_step(r, ENTRY_CALL, before);
        for (; call < end; call++)
            log_step(r, ENTRY_LEAF, call);
        records_append(&r->builder->records,
                       &(struct entry){ENTRY_RECORD, s->meanings[first->key].number, .cost = *chosen(r, inclusive),
                                       .costs = chosen(r, inclusive)},
                       NONE);
        at = end;
    }
}

static void clear_sums(struct sums *s, size_t touched)
{
    for (size_t i = 0; i < touched; i++)
        s->sums[s->touched[i]].count = 0, s->sums[s->touched[i]].cost = s->others[s->touched[i]] = 0;
}

/* Gives quads to the builder: each or, of calls, the sums. */
static void give_quads(struct callgrind_reader *r, const struct sums_progress *progress, bool is_each)
{
    struct sums *s = r->sums;
    struct builder *b = r->builder;
    for (size_t i = 0; i < (is_each ? progress->steps : progress->touched); i++) {
        uint32_t key = is_each ? s->steps[i].key : s->touched[i];
        struct meaning *m = &s->meanings[key];
        const cost_t all[] = {is_each ? s->steps[i].costs[0] : (cost_t)s->sums[key].cost,
                              is_each ? s->steps[i].costs[1] : (cost_t)s->others[key]};
        const cost_t *costs = chosen(r, all);
        struct function_names names = {r->place.object, m->file, m->name};
        if (m->owner > 0 && is_each) {
            builder_call(b, names, m->line, 1, *costs);
        } else if (m->owner > 0) {
            m->number = builder_sum_calls(b, names, m->line, s->sums[key].count, *costs);
        } else {
            builder_begin(b, names.object, names.file, names.name);
            builder_self(b, m->line, true, *costs);
        }
        if (builder_keeps(b))
            builder_keep(b, m->owner > 0, NAME_EMPTY, m->line, costs);
    }
    for (size_t i = 0; !is_each && i < progress->steps; i++) {
        const cost_t all[] = {s->steps[i].costs[0], s->steps[i].costs[1]};
        builder_log_call(b, s->meanings[s->steps[i].key].number, *chosen(r, all));
    }
}

/* Goes on after the quads, which have been entered or given. */
static void settle(struct callgrind_reader *r, const struct sums_progress *progress)
{
    struct sums *s = r->sums;
    const struct meaning *last = &s->meanings[progress->last];
    uint64_t records = 0, quads = 0;
    for (size_t i = 0; i < progress->touched; i++) {
        quads += s->sums[s->touched[i]].count;
        records += s->meanings[s->touched[i]].owner == 0 ? s->sums[s->touched[i]].count : 0;
    }
    clear_sums(s, progress->touched);
    s->tried++;
    s->covered += (size_t)(progress->at - progress->start);
    if (quads == 0)
        return;
    r->part.in_body = true;
    r->part.records += records;
    r->empty_lines += records;
    lines_skip(r->lines, progress->at, 4 * quads);
    r->place.line = last->line;
    r->record.is_closed &= records > 0;
    r->calls.has_callee = last->owner > 0;
    r->calls.callee = (struct function_names){r->place.object, last->file, last->name};
}

static void take_span(struct callgrind_reader *r)
{
    struct sums *s = r->sums;
    struct builder *b = r->builder;
    struct sums_progress progress = {.start = r->lines->at, .at = r->lines->at};
    add_any_quads(r, s->limit, &progress);
    if (progress.at > s->limit || !is_start_of_record(progress.at)) { /* the last record is not whole: without it */
        clear_sums(s, progress.touched);
        const char *end = progress.start + progress.record;
        progress = (struct sums_progress){.start = r->lines->at, .at = r->lines->at};
        add_any_quads(r, end, &progress);
    }
    if (b->proxies.name_count > 0 || builder_logs_lines(b)) {
        give_quads(r, &progress, true);
        builder_end(b);
    } else {
        for (size_t i = 0; i < progress.touched; i++)
            enter_sum(r, s->touched[i]);
        if (b->records.chunk != NULL)
            log_records(r, progress.steps);
        for (size_t i = 0; b->listed != NULL && i < progress.steps; i++) {
            const cost_t costs[] = {s->steps[i].costs[0], s->steps[i].costs[1]};
            if ((costs[0] | costs[1]) < 0 && s->meanings[s->steps[i].key].owner == 0)
                builder_list(b, s->meanings[s->steps[i].key].number, chosen(r, costs));
        }
    }
    settle(r, &progress);
}

/* ---- for the reader ----------------------------------------------------------------------- */

/* Can this processor make sums, and are they of use? Not for formulas. */
static bool are_possible(const struct callgrind_reader *r, struct sums_form form)
{
    const struct builder *b = r->builder;
    const struct event_costs *e = &r->events;
    return r->are_invocations && !b->leaves_out && !r->is_by_callgrind && b->parts == NULL &&
           b->identity == IDENTITY_NAME && r->position_count == 1 && r->line_position == 0 &&
           e->choices[0].is_one_cost && (b->vectors == NULL || (e->are_in_order && e->choice_count == form.columns)) &&
           form.columns >= 1 && form.columns <= 2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}

static void prepare(struct callgrind_reader *r, const char *end)
{
    struct sums *s = r->sums;
    uint64_t version = r->aliases[FILE_NAMES].redefinitions + r->aliases[FUNCTION_NAMES].redefinitions;
    if (s == NULL) {
        s = r->sums = memory_zeroed(1, sizeof *s);
        char *memory = memory_zeroed(MAX_KEYS + 1, sizeof *s->sums);
        s->sums = (void *)(memory + (0 - (uintptr_t)memory) % sizeof *s->sums);
        memset(s->buckets, 0xff, sizeof s->buckets);
        blocks_start(&r->lines->blocks, r->options->given->threads);
    }
    if (s->version != version || s->key_count == MAX_KEYS) {
        while (s->key_count > 0)
            s->buckets[s->meanings[--s->key_count].bucket] = NO_KEY;
        s->version = version;
    }
    if (s->block != r->lines->block_count) {
        s->block = r->lines->block_count;
        s->limit = find_last_record(r->lines->at, end);
        s->tried = s->covered >= s->tried * WORTHWHILE ? 0 : ENOUGH_SPANS - 1; /* after a block without any, one try */
        s->covered = s->tried * WORTHWHILE;
    }
}

const char *sums_take(struct callgrind_reader *r, const char *end)
{
    struct builder *b = r->builder;
    struct sums_form form = {event_costs_columns(&r->events), r->events.choices[0].first, b->needs_each};
    bool is_little = r->sums == NULL && r->lines->blocks.at_end; /* which is read sooner than tables are made */
    /* Costs before `end`, of which sums have digits only, add up to a number far below the limits of 64 bits. */
    uint64_t lines = r->lines->number + (uint64_t)(end - r->lines->at), most = MAX(b->magnitude, 100000000);
    bool are_small = most < (UINT64_C(1) << 62) / (lines + 1);
    if (!are_possible(r, form) || !are_small || is_little)
        return end;
    prepare(r, end);
    struct sums *s = r->sums;
    s->form = form;
    if (s->tried >= ENOUGH_SPANS && s->covered / s->tried < WORTHWHILE)
        return end;
    const char *limit = r->lines->at < s->limit ? s->limit : end;
    struct sums_progress progress = {.start = r->lines->at, .at = r->lines->at, .owner = OPEN_RECORD};
    if (limit == s->limit && is_start_of_record(r->lines->at) && callgrind_leave_record(r)) {
        take_span(r);
    } else if (*r->lines->at == 'c' && r->record.has_function && callgrind_is_between_quads(r)) {
        /* calls of the open record, which may be longer than a block */
        add_any_quads(r, find_record(r->lines->at, limit), &progress);
        give_quads(r, &progress, form.is_logged && (b->proxies.name_count > 0 || builder_keeps(b)));
        settle(r, &progress);
    }
    return limit == s->limit ? find_record(r->lines->at, limit) : MIN(r->lines->at + 1, end);
}

#else

const char *sums_take(struct callgrind_reader *r, const char *end)
{
    (void)r;
    return end;
}

#endif

/*
 * A line is cut into its parts without a loop, and checked without a branch for each byte: each kind of
 * byte in it becomes a word of bits, one for each place. What can be asked of all places at once is
 * then one operation. Lines are short, and what follows on which can't be foretold: a branch taken
 * wrongly costs as much as all of this.
 */
#include "frontends/cost_lines.h"

#include "util/digits.h"

#if defined(__GNUC__) && defined(__x86_64__)
#define HAS_NEWER_X86
#endif

enum {
    SHORT = 16,      /* bytes of a line, with its newline, that are looked at first */
    LONG = 64,       /* bytes that are looked at if these are not enough */
    MAX_DIGITS = 15, /* of a cost */
    MAX_LINE_DIGITS = 8
};

/* A run that costs as much ends; one line more is not too much. */
#define MOST_OF_RUN (UINT64_C(1) << 62)

/* Where the bytes of each kind are: the lowest bit is that of the first byte. */
struct kinds {
    uint64_t newlines, blanks, digits, stars, signs;
};

#ifdef __SSE2__
HOT struct kinds find_kinds_of_16(const char *p)
{
    const __m128i nine = _mm_set1_epi8(9);
    __m128i bytes = load16(p), values = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    return (struct kinds){
        .newlines = bits_of(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'))),
        .blanks = bits_of(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '))),
        .digits = bits_of(_mm_cmpeq_epi8(_mm_min_epu8(values, nine), values)),
        .stars = bits_of(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('*'))),
        .signs = bits_of(_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('+')),
                                      _mm_cmpeq_epi8(bytes, _mm_set1_epi8('-'))))};
}
#else
/* A bit for each of eight bytes that is 0. */
HOT uint64_t zeros_of(uint64_t bytes)
{
    /* Where a byte's lower seven bits are not all 0, adding 127 carries into the eighth. */
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t zeros = ~(((bytes & low) + low) | bytes | low) >> 7;
    /* The lowest bits of the eight bytes move side by side into the highest byte. */
    return (zeros * UINT64_C(0x0102040810204080)) >> 56;
}

HOT uint64_t equals_of(uint64_t bytes, unsigned char byte)
{
    return zeros_of(bytes ^ UINT64_C(0x0101010101010101) * byte);
}

HOT struct kinds find_kinds_of_8(const char *p)
{
    uint64_t bytes = load8(p);
    uint64_t low = (bytes & UINT64_C(0x0f0f0f0f0f0f0f0f)) + UINT64_C(0x0606060606060606);
    uint64_t upper = bytes ^ UINT64_C(0x3030303030303030);
    return (struct kinds){.newlines = equals_of(bytes, '\n'),
                          .blanks = equals_of(bytes, ' '),
                          .digits = zeros_of((upper | low) & UINT64_C(0xf0f0f0f0f0f0f0f0)),
                          .stars = equals_of(bytes, '*'),
                          .signs = equals_of(bytes, '+') | equals_of(bytes, '-')};
}

HOT struct kinds find_kinds_of_16(const char *p)
{
    struct kinds a = find_kinds_of_8(p), b = find_kinds_of_8(p + 8);
    return (struct kinds){.newlines = a.newlines | b.newlines << 8,
                          .blanks = a.blanks | b.blanks << 8,
                          .digits = a.digits | b.digits << 8,
                          .stars = a.stars | b.stars << 8,
                          .signs = a.signs | b.signs << 8};
}
#endif

static struct kinds find_kinds_of_64(const char *p)
{
    struct kinds all = find_kinds_of_16(p);
    for (unsigned i = SHORT; i < LONG; i += SHORT) {
        struct kinds more = find_kinds_of_16(p + i);
        all.newlines |= more.newlines << i;
        all.blanks |= more.blanks << i;
        all.digits |= more.digits << i;
        all.stars |= more.stars << i;
        all.signs |= more.signs << i;
    }
    return all;
}

/* ---- cost lines --------------------------------------------------------------------------- */

/* What a line has to be. */
struct form {
    struct cost_form cost;
    bool is_of_jump; /* there need be no costs, and a blank may be at the end */
};

/* The place of the lowest bit, of which there is one. */
HOT unsigned place_of(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

/* The number of up to eight digits, or 0 if there are none. */
HOT uint64_t convert_some_digits(uint64_t bytes, unsigned digits)
{
    unsigned half = 32 - 4 * digits;
    return convert_digits((bytes & UINT64_C(0x0f0f0f0f0f0f0f0f)) << half << half, 8);
}

/* The number of 9 to 15 digits. */
static uint64_t convert_many_digits(const char *p, unsigned digits)
{
    return convert_digits(load8(p), digits - 8) * UINT64_C(100000000) +
           convert_digits(load8(p + digits - 8), 8);
}

/* Is the line, whose blanks these are, of another number of parts than it should be? */
HOT bool has_wrong_count(struct form form, uint64_t blanks)
{
    unsigned positions = form.cost.has_other_position ? 2 : 1;
    if (form.cost.columns == 1 && !form.is_of_jump) {
        uint64_t last = form.cost.has_other_position ? blanks & (blanks - 1) : blanks;
        return last == 0 || (last & (last - 1)) != 0;
    }
    unsigned parts = 1;
    for (; blanks != 0; blanks &= blanks - 1)
        parts++;
    return parts < positions + !form.is_of_jump || parts > positions + form.cost.columns;
}

/* Takes the line at `p`, of whose bytes these are the kinds. False: it is not of the form. */
HOT bool split(const char *p, struct kinds kinds, struct form form, struct cost_line *taken)
{
    uint64_t end = kinds.newlines & (0 - kinds.newlines);
    taken->next = p + place_of(end | UINT64_C(1) << 63) + 1;
    if (form.is_of_jump && (end >> 1 & kinds.blanks) != 0)
        end >>= 1;
    uint64_t inside = end - 1, blanks = kinds.blanks & inside;
    uint64_t first = blanks & (0 - blanks), others = blanks & (blanks - 1);
    uint64_t starts = 1 | blanks << 1; /* of parts */
    uint64_t relative = form.cost.has_other_position ? 1 | first << 1 : 1; /* parts that may be */
    uint64_t marks = (kinds.stars | kinds.signs) & inside;
    uint64_t stars = kinds.stars & inside, signs = kinds.signs & inside;
    uint64_t wrong = (inside & ~(kinds.digits | blanks | marks)) | /* anything else */
                     (marks & ~relative) | (starts & (blanks | end)) | /* nothing in a part */
                     (stars << 1 & ~(blanks | (form.is_of_jump ? end : 0))) |
                     (signs << 1 & ~kinds.digits);
    /* `end` is 0 if there is no newline: then everything is inside, and what is behind is wrong. */
    if (UNLIKELY(end == 0) || wrong != 0 || has_wrong_count(form, blanks))
        return false;

    uint64_t behind_line = form.cost.has_other_position ? others : blanks;
    uint64_t behind_cost = behind_line & (behind_line - 1);
    unsigned line = form.cost.has_other_position ? place_of(first) + 1 : 0;
    unsigned line_end = place_of(behind_line | end);
    bool is_relative = (marks >> line & 1) != 0;
    unsigned line_digits = line_end - line - is_relative;
    unsigned cost = line_end + 1; /* if there is one, which a jump need not have */
    unsigned cost_digits = behind_line != 0 ? place_of(behind_cost | end) - cost : 0;
    if (UNLIKELY(line_digits > MAX_LINE_DIGITS || cost_digits > MAX_DIGITS))
        return false;
    uint64_t number = convert_some_digits(load8(p + line + is_relative), line_digits);
    number = p[line] == '-' ? 0 - number : number;
    taken->line = (is_relative ? taken->line : 0) + number;
    if (form.is_of_jump)
        return true;
    if (UNLIKELY(cost_digits > 8))
        taken->cost = convert_many_digits(p + cost, cost_digits);
    else
        taken->cost = convert_some_digits(load8(p + cost), cost_digits);
    return true;
}

/* Steps over an address and the blank behind it. NULL: there is none. */
static const char *skip_address(const char *p)
{
    enum { MAX_ADDRESS = 18 };
    const char *start = p;
    if (p[0] != '0' || p[1] != 'x')
        return NULL;
    for (p += 2; p < start + MAX_ADDRESS; p++)
        if (!char_is_digit(*p) && !(*p >= 'a' && *p <= 'f'))
            break;
    return p > start + 2 && *p == ' ' ? p + 1 : NULL;
}

/* Are there more than 15 digits side by side? A cost of so many may be too large. */
static bool has_many_digits(uint64_t digits)
{
    for (unsigned i = 1; i < MAX_DIGITS; i *= 2)
        digits &= digits >> i;
    return digits != 0;
}

/* Takes a line of any length, which may begin with an address. */
static bool split_any(const char *p, struct form form, struct cost_line *taken)
{
    const char *behind = form.cost.has_other_position ? skip_address(p) : NULL;
    if (behind != NULL) {
        form.cost.has_other_position = false;
        p = behind;
    }
    struct kinds kinds = find_kinds_of_16(p);
    if (kinds.newlines != 0)
        return split(p, kinds, form, taken);
    kinds = find_kinds_of_64(p);
    return !has_many_digits(kinds.digits & (kinds.newlines - 1)) && split(p, kinds, form, taken);
}

bool cost_lines_take_one(struct cost_form form, const char *p, struct cost_line *line)
{
    return split_any(p, (struct form){form, false}, line);
}

/* ---- other lines -------------------------------------------------------------------------- */

const char *cost_lines_next(struct text text, const char *p)
{
    const char *newline = memchr(p, '\n', (size_t)(text.end - p));
    return newline != NULL && text.end - newline > COST_LINES_MARGIN ? newline + 1 : NULL;
}

/* What is being read. */
struct progress {
    struct text text;
    const char *limit; /* from there on too little is left to look at */
    struct cost_run *run;
};

/* Takes a jump and the line of positions behind it. */
static bool take_jump(struct cost_form form, struct progress *progress)
{
    struct cost_run *run = progress->run;
    struct cost_line line = {.line = run->line};
    const char *p = run->text.end;
    if (!line_begins(p, "jcnd=") && !line_begins(p, "jump="))
        return false;
    p = cost_lines_next(progress->text, p);
    if (p == NULL || !split_any(p, (struct form){form, true}, &line))
        return false;
    run->line = form.remembers_self ? run->line : line.line;
    run->text.end = line.next;
    run->lines += 2;
    return true;
}

static bool take_long_line(struct cost_form form, struct cost_run *run)
{
    struct cost_line line = {.line = run->line};
    if (!cost_lines_take_one(form, run->text.end, &line))
        return false;
    run->line = line.line;
    run->cost += line.cost;
    run->text.end = line.next;
    run->lines++;
    run->has_cost = true;
    return true;
}

static bool take_other_line(struct cost_form form, struct progress *progress)
{
    struct cost_run *run = progress->run;
    switch (*run->text.end) {
    case '\n':
        run->text.end++;
        run->blank_lines++;
        return true;
    case 'j':
        return take_jump(form, progress);
    case 'c': /* most runs end so */
    case 'o':
    case 'f':
        return false;
    default:
        return take_long_line(form, run);
    }
}

/* ---- the loop ----------------------------------------------------------------------------- */

/*
 * The same as split, for a line of 16 bytes at most with one cost, whose numbers have four digits at
 * most. Nearly all are such.
 */
HOT bool split_short(const char *p, bool has_other_position, struct cost_line *taken)
{
    struct kinds kinds = find_kinds_of_16(p);
    uint32_t newlines = (uint32_t)kinds.newlines, digits = (uint32_t)kinds.digits;
    uint32_t stars = (uint32_t)kinds.stars, signs = (uint32_t)kinds.signs;
    uint32_t blanks = (uint32_t)kinds.blanks & (newlines - 1);
    uint32_t inside = ~newlines & (newlines - 1);
    uint32_t first = has_other_position ? blanks & (0 - blanks) : 0;
    uint32_t last = has_other_position ? blanks & (blanks - 1) : blanks; /* the one behind the line */
    /* As in split; and a digit stands at the end, and there is no blank behind the last one. */
    uint32_t wrong = ~(digits | blanks | ((stars | signs) & (1 | first << 1)));
    wrong |= (blanks & (blanks << 1 | 1)) | (stars << 1 & ~blanks) | (signs << 1 & ~digits);
    wrong = (wrong & inside) | (~digits << 1 & (inside + 1)) | (last & (last - 1));
    if (UNLIKELY(newlines == 0) || wrong != 0 || last == 0)
        return false;

    unsigned end = place_of(newlines), line_end = place_of(last);
    unsigned line = has_other_position ? place_of(first) + 1 : 0;
    unsigned is_relative = ~digits >> line & 1;
    unsigned line_digits = line_end - line - is_relative, cost_digits = end - line_end - 1;
    taken->next = p + end + 1;
    if (UNLIKELY(line_digits > 4 || cost_digits > 4)) {
        /* A copy, of which the address is taken, so that `taken` can be in registers. */
        struct cost_line other = *taken;
        bool is_taken = cost_lines_take_one(
            (struct cost_form){.has_other_position = has_other_position, .columns = 1}, p, &other);
        *taken = other;
        return is_taken;
    }
    /* Both numbers at once: zeros take the place in front, then neighbours are added up. */
    uint64_t line_bytes = (load8(p + line + is_relative) & UINT32_MAX) << (32 - 8 * line_digits);
    uint64_t cost_bytes = load8(p + line_end + 1) << (64 - 8 * cost_digits);
    uint64_t both = ((line_bytes & UINT32_MAX) | cost_bytes) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    both = (both * (10 * 0x100 + 1) >> 8) & UINT64_C(0x00ff00ff00ff00ff);
    both = both * (100 * 0x10000 + 1) >> 16;
    uint64_t number = both & 0xffff;
    uint64_t base = is_relative ? taken->line : 0;
    taken->line = p[line] == '-' ? base - number : base + number;
    taken->cost = both >> 32;
    return true;
}

/* Takes short cost lines, as many as there are. */
HOT void take_short_lines(const char *limit, struct cost_run *run, bool has_other_position)
{
    struct cost_line line = {.line = run->line};
    const char *p = run->text.end;
    uint64_t cost = run->cost, lines = 0;
    while (p < limit && cost < MOST_OF_RUN && split_short(p, has_other_position, &line)) {
        cost += line.cost;
        p = line.next;
        lines++;
    }
    run->line = line.line;
    run->cost = cost;
    run->text.end = p;
    run->lines += lines;
    run->has_cost |= lines > 0;
}

HOT void take_lines_here(const char *limit, struct cost_run *run, bool has_other_position)
{
    if (has_other_position)
        take_short_lines(limit, run, true);
    else
        take_short_lines(limit, run, false);
}

static void take_lines(const char *limit, struct cost_run *run, bool has_other_position)
{
    take_lines_here(limit, run, has_other_position);
}

#ifdef HAS_NEWER_X86
/* The same, translated for processors from 2013 on. */
__attribute__((target("avx2,bmi,bmi2"))) static void
take_lines_newer(const char *limit, struct cost_run *run, bool has_other_position)
{
    take_lines_here(limit, run, has_other_position);
}
#endif

/* The one for the processor at hand. */
static void (*choose_loop(void))(const char *, struct cost_run *, bool)
{
#ifdef HAS_NEWER_X86
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2"))
        return take_lines_newer;
#endif
    return take_lines;
}

void cost_lines_take(struct cost_form form, struct text text, uint64_t line, struct cost_run *run)
{
    *run = (struct cost_run){.text = {text.at, text.at}, .line = line};
    if (text_length(text) <= COST_LINES_MARGIN)
        return;
    struct progress progress = {text, text.end - COST_LINES_MARGIN, run};
    void (*take)(const char *, struct cost_run *, bool) = choose_loop();
    do {
        if (form.columns == 1)
            take(progress.limit, run, form.has_other_position);
    } while (run->text.end < progress.limit && run->cost < MOST_OF_RUN &&
             take_other_line(form, &progress));
}

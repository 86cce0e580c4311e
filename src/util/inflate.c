#include "util/inflate.h"

#include <string.h>

/* What comes next in the input, or, in STEP_MATCH, in the output */
enum step {
    STEP_HEADER, /* the fixed bytes of the header; header_left of them */
    STEP_EXTRA_LENGTH,
    STEP_EXTRA,
    STEP_NAME,
    STEP_COMMENT,
    STEP_HEADER_SUM,
    STEP_BLOCK,
    STEP_STORED_LENGTH,
    STEP_STORED,
    STEP_COUNTS,
    STEP_LENGTH_LENGTHS,
    STEP_LENGTHS,
    STEP_SYMBOLS,
    STEP_MATCH,
    STEP_SUM,
    STEP_SIZE,
    STEP_PADDING,
    STEP_OVER
};

/* The state during a call */
struct buffers {
    const unsigned char *in, *in_end;
    unsigned char *start; /* of the member's output; the window precedes it */
    unsigned char *out, *out_end;
    unsigned char *summed; /* bytes before it are in the member's sum and size */
};

enum progress { GO_ON, WANTS_INPUT, WANTS_OUTPUT, IS_OVER };

/*
 * Places of the tables. Bits 0 to 5: the number of bits to skip, which are the code and, for
 * lengths and distances, the extra bits after it. Bits 8 to 11: the code's length. Bits 16 to 30:
 * the literal, or the length or distance when the extra bits are 0. With PLACE_TABLE the code is
 * longer: bits 0 to 5 are the bits used so far, bits 8 to 11 the number of bits that index the
 * table for the rest, and bits 16 to 30 the start of that table.
 */
#define PLACE_LITERAL UINT32_C(0x80000000)
#define PLACE_SPECIAL UINT32_C(0x8000) /* one of the following, or not a code */
#define PLACE_END UINT32_C(0x4000)
#define PLACE_TABLE UINT32_C(0x2000)
#define PLACE_VALUE(value) ((uint32_t)(value) << 16)

static inline unsigned place_step(uint32_t place)
{
    return place & 63;
}

static inline unsigned place_code_length(uint32_t place)
{
    return place >> 8 & 15;
}

static inline unsigned place_value(uint32_t place)
{
    return place >> 16 & 0x7fff;
}

/* The bits that find a place, minus those before it. */
static inline unsigned place_extra(uint32_t place, uint64_t bits)
{
    return (unsigned)((bits & ((UINT64_C(1) << place_step(place)) - 1)) >>
                      place_code_length(place));
}

/* RFC 1951, 3.2.5: the symbols from 256 on, and the distances, with their numbers of extra bits */
#define RANGE(base, extra) (PLACE_VALUE(base) | (extra))
#define NOTHING PLACE_SPECIAL
static const uint32_t length_places[32] = {
    PLACE_SPECIAL | PLACE_END, RANGE(3, 0), RANGE(4, 0), RANGE(5, 0), RANGE(6, 0), RANGE(7, 0),
    RANGE(8, 0), RANGE(9, 0), RANGE(10, 0), RANGE(11, 1), RANGE(13, 1), RANGE(15, 1),
    RANGE(17, 1), RANGE(19, 2), RANGE(23, 2), RANGE(27, 2), RANGE(31, 2), RANGE(35, 3),
    RANGE(43, 3), RANGE(51, 3), RANGE(59, 3), RANGE(67, 4), RANGE(83, 4), RANGE(99, 4),
    RANGE(115, 4), RANGE(131, 5), RANGE(163, 5), RANGE(195, 5), RANGE(227, 5), RANGE(258, 0),
    NOTHING, NOTHING,
};
static const uint32_t distance_places[32] = {
    RANGE(1, 0), RANGE(2, 0), RANGE(3, 0), RANGE(4, 0), RANGE(5, 1), RANGE(7, 1), RANGE(9, 2),
    RANGE(13, 2), RANGE(17, 3), RANGE(25, 3), RANGE(33, 4), RANGE(49, 4), RANGE(65, 5),
    RANGE(97, 5), RANGE(129, 6), RANGE(193, 6), RANGE(257, 7), RANGE(385, 7), RANGE(513, 8),
    RANGE(769, 8), RANGE(1025, 9), RANGE(1537, 9), RANGE(2049, 10), RANGE(3073, 10),
    RANGE(4097, 11), RANGE(6145, 11), RANGE(8193, 12), RANGE(12289, 12), RANGE(16385, 13),
    RANGE(24577, 13), NOTHING, NOTHING,
};

/* 3.2.7: the symbols from 16 on, how often they repeat: the last length, or (twice) a length of 0 */
enum { REPEAT_LAST = 256 };
static const uint32_t repeat_places[3] = {RANGE(REPEAT_LAST + 3, 2), RANGE(3, 3), RANGE(11, 7)};

/* A prefix code and its table */
struct code {
    uint32_t *table;
    unsigned most_bits;           /* that may index it */
    const unsigned char *lengths; /* of the symbols' codes; 0: no code */
    unsigned count;               /* of symbols, at most 288 */
    unsigned literals;            /* of these, the number of literals; `places` belong to the others */
    const uint32_t *places;
    bool may_be_short; /* a single code of one bit, or no code, is allowed */
};

enum { LONGEST_CODE = 15 };

/* Codes are stored with the first bit lowest, so incrementing one starts at the other end. */
static unsigned next_code(unsigned code, unsigned length)
{
    unsigned bit = 1U << (length - 1);
    while ((code & bit) != 0)
        bit >>= 1;
    return bit == 0 ? 0 : (code & (bit - 1)) | bit;
}

/*
 * Counts the codes of each length. Sets *longest. Returns false if there are too many of them, or
 * if some bits begin no code, unless that is allowed.
 */
static bool count_codes(const struct code *code, unsigned counts[LONGEST_CODE + 1],
                        unsigned *longest)
{
    memset(counts, 0, (LONGEST_CODE + 1) * sizeof counts[0]);
    for (unsigned i = 0; i < code->count; i++)
        counts[code->lengths[i]]++;
    *longest = LONGEST_CODE;
    while (*longest > 0 && counts[*longest] == 0)
        --*longest;
    int left = 1; /* codes that are still free */
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        left = 2 * left - (int)counts[length];
        if (left < 0)
            return false;
    }
    return left == 0 || (code->may_be_short && *longest <= 1);
}

/* Sorts the symbols by their codes: by length, then by number. */
static void sort_symbols(const struct code *code, const unsigned counts[LONGEST_CODE + 1],
                         uint16_t sorted[288])
{
    unsigned at[LONGEST_CODE + 1];
    at[1] = 0;
    for (unsigned length = 2; length <= LONGEST_CODE; length++)
        at[length] = at[length - 1] + counts[length - 1];
    for (unsigned i = 0; i < code->count; i++)
        if (code->lengths[i] != 0)
            sorted[at[code->lengths[i]]++] = (uint16_t)i;
}

/* A symbol's place, if it uses `length` bits of its code. */
static uint32_t place_of(const struct code *code, unsigned symbol, unsigned length)
{
    uint32_t place = symbol < code->literals ? PLACE_LITERAL | PLACE_VALUE(symbol)
                                             : code->places[symbol - code->literals];
    return (place | length << 8) + length;
}

/*
 * The number of bits that index the table for codes of `length` bits and more that begin with the
 * same `root` bits, given the counts of codes that are not yet placed: as many as fill it.
 */
static unsigned rest_bits(const unsigned counts[LONGEST_CODE + 1], unsigned root, unsigned length)
{
    unsigned left = 1U << (length - root);
    while (length < LONGEST_CODE && counts[length] < left) {
        left = 2 * (left - counts[length]);
        length++;
    }
    return length - root;
}

/* Places the codes of more than `root` bits; `value` is the first of them. */
static void place_long_codes(const struct code *code, unsigned counts[LONGEST_CODE + 1],
                             unsigned root, unsigned value, const uint16_t *sorted)
{
    uint32_t *table = NULL;
    unsigned begins = 0, bits = 0, used = 1U << root;
    for (unsigned length = root + 1; length <= LONGEST_CODE; length++)
        for (; counts[length] > 0; counts[length]--) {
            if (table == NULL || (value & ((1U << root) - 1)) != begins) {
                begins = value & ((1U << root) - 1);
                bits = rest_bits(counts, root, length);
                table = code->table + used;
                code->table[begins] =
                    PLACE_SPECIAL | PLACE_TABLE | PLACE_VALUE(used) | bits << 8 | root;
                used += 1U << bits;
            }
            uint32_t place = place_of(code, *sorted++, length - root);
            for (unsigned i = value >> root; i >> bits == 0; i += 1U << (length - root))
                table[i] = place;
            value = next_code(value, length);
        }
}

/* Fills a code's table. Returns the number of bits that index it, or 0 if the code is invalid. */
static unsigned build_table(const struct code *code)
{
    unsigned counts[LONGEST_CODE + 1], longest;
    uint16_t symbols[288], *sorted = symbols;
    if (!count_codes(code, counts, &longest))
        return 0;
    sort_symbols(code, counts, symbols);
    if (longest <= 1) {
        code->table[0] = counts[1] > 0 ? place_of(code, symbols[0], 1) : PLACE_SPECIAL | 1;
        code->table[1] = counts[1] > 1 ? place_of(code, symbols[1], 1) : PLACE_SPECIAL | 1;
        return 1;
    }
    unsigned root = longest < code->most_bits ? longest : code->most_bits, value = 0;
    for (unsigned length = 1; length <= root; length++) {
        /* Repeats the places so far for another bit. */
        size_t half = (size_t)1 << (length - 1);
        memcpy(code->table + half, code->table, half * sizeof code->table[0]);
        for (unsigned i = 0; i < counts[length]; i++) {
            code->table[value] = place_of(code, *sorted++, length);
            value = next_code(value, length);
        }
    }
    if (longest > root)
        place_long_codes(code, counts, root, value, sorted);
    return root;
}

static enum progress end_with(struct inflate *z, enum inflate_result result, const char *message)
{
    z->step = STEP_OVER;
    z->result = result;
    z->message = message;
    return IS_OVER;
}

static enum progress go_to(struct inflate *z, enum step step)
{
    z->step = (int)step;
    return GO_ON;
}

/* Takes input until there are `count` bits, at most 56. */
static bool has_bits(struct inflate *z, struct buffers *b, unsigned count)
{
    while (z->bit_count < count) {
        if (b->in == b->in_end)
            return false;
        z->bits |= (uint64_t)*b->in++ << z->bit_count;
        z->bit_count += 8;
    }
    return true;
}

static uint32_t take_bits(struct inflate *z, unsigned count)
{
    uint32_t value = (uint32_t)(z->bits & ((UINT64_C(1) << count) - 1));
    z->bits >>= count;
    z->bit_count -= count;
    return value;
}

/* A byte of a header. */
static bool take_header_byte(struct inflate *z, struct buffers *b, unsigned *byte)
{
    if (!has_bits(z, b, 8))
        return false;
    *byte = take_bits(z, 8);
    unsigned char added = (unsigned char)*byte;
    z->header_sum = crc32_add(&z->crc, z->header_sum, &added, 1);
    return true;
}

/* The header: RFC 1952, 2.3.1 */
enum { FLAG_HEADER_SUM = 2, FLAG_EXTRA = 4, FLAG_NAME = 8, FLAG_COMMENT = 16, FLAGS_KNOWN = 31 };
enum { HEADER_SIZE = 10, METHOD_DEFLATE = 8 };

static void begin_member(struct inflate *z)
{
    z->step = STEP_HEADER;
    z->header_left = HEADER_SIZE;
    z->header_sum = 0;
    z->sum = z->size = 0;
}

static enum progress no_member(struct inflate *z, unsigned byte)
{
    if (z->is_first_member)
        return end_with(z, INFLATE_NOT_GZIP, "not a gzip file");
    if (byte == 0 && z->header_left == HEADER_SIZE)
        return go_to(z, STEP_PADDING);
    return end_with(z, INFLATE_GARBAGE, "garbage after the end");
}

static enum progress run_header(struct inflate *z, struct buffers *b)
{
    unsigned byte;
    while (z->header_left > 0) {
        if (!take_header_byte(z, b, &byte))
            return WANTS_INPUT;
        switch (HEADER_SIZE - z->header_left) {
        case 0:
            if (byte != 0x1f)
                return no_member(z, byte);
            break;
        case 1:
            if (byte != 0x8b)
                return no_member(z, byte);
            break;
        case 2:
            if (byte != METHOD_DEFLATE)
                return end_with(z, INFLATE_BAD_HEADER, "unknown compression method");
            break;
        case 3:
            if ((byte & ~(unsigned)FLAGS_KNOWN) != 0)
                return end_with(z, INFLATE_BAD_HEADER, "unknown flags in the header");
            z->flags = byte;
            break;
        default: /* the time, and notes of the compressor */
            break;
        }
        z->header_left--;
    }
    return go_to(z, STEP_EXTRA_LENGTH);
}

static enum progress run_extra_length(struct inflate *z, struct buffers *b)
{
    if ((z->flags & FLAG_EXTRA) == 0)
        return go_to(z, STEP_NAME);
    if (!has_bits(z, b, 16))
        return WANTS_INPUT;
    unsigned low = 0, high = 0; /* both are present */
    take_header_byte(z, b, &low);
    take_header_byte(z, b, &high);
    z->header_left = low | high << 8;
    return go_to(z, STEP_EXTRA);
}

static enum progress run_extra(struct inflate *z, struct buffers *b)
{
    unsigned byte;
    for (; z->header_left > 0; z->header_left--)
        if (!take_header_byte(z, b, &byte))
            return WANTS_INPUT;
    return go_to(z, STEP_NAME);
}

/* The name and the comment end with a zero byte. */
static enum progress run_string(struct inflate *z, struct buffers *b, unsigned flag, enum step next)
{
    unsigned byte = 1;
    if ((z->flags & flag) == 0)
        return go_to(z, next);
    while (byte != 0)
        if (!take_header_byte(z, b, &byte))
            return WANTS_INPUT;
    return go_to(z, next);
}

static enum progress run_header_sum(struct inflate *z, struct buffers *b)
{
    if ((z->flags & FLAG_HEADER_SUM) != 0) {
        if (!has_bits(z, b, 16))
            return WANTS_INPUT;
        if (take_bits(z, 16) != (z->header_sum & 0xffff))
            return end_with(z, INFLATE_BAD_HEADER, "wrong checksum of the header");
    }
    z->window_filled = 0;
    b->start = b->summed = b->out;
    return go_to(z, STEP_BLOCK);
}

/* Adds the bytes written since the last call to the member's sum and size. */
static void sum_up(struct inflate *z, struct buffers *b)
{
    size_t count = (size_t)(b->out - b->summed);
    z->sum = crc32_add(&z->crc, z->sum, b->summed, count);
    z->size += (uint32_t)count;
    b->summed = b->out;
}

static enum progress run_sum(struct inflate *z, struct buffers *b)
{
    /* It starts at a byte and consists of whole bytes. */
    take_bits(z, z->bit_count % 8);
    if (!has_bits(z, b, 32))
        return WANTS_INPUT;
    sum_up(z, b);
    if (take_bits(z, 32) != z->sum)
        return end_with(z, INFLATE_WRONG_CHECKSUM, "wrong checksum");
    return go_to(z, STEP_SIZE);
}

static enum progress run_size(struct inflate *z, struct buffers *b)
{
    if (!has_bits(z, b, 32))
        return WANTS_INPUT;
    if (take_bits(z, 32) != z->size)
        return end_with(z, INFLATE_WRONG_LENGTH, "wrong length");
    z->is_first_member = false;
    begin_member(z);
    return GO_ON;
}

static enum progress run_padding(struct inflate *z, struct buffers *b)
{
    while (has_bits(z, b, 8))
        if (take_bits(z, 8) != 0)
            return end_with(z, INFLATE_GARBAGE, "garbage after the end");
    return WANTS_INPUT;
}

static bool use_codes(struct inflate *z)
{
    const struct code literals = {.table = z->literal_table,
                                  .most_bits = INFLATE_LITERAL_BITS,
                                  .lengths = z->lengths,
                                  .count = z->literal_count,
                                  .literals = 256,
                                  .places = length_places,
                                  .may_be_short = true};
    const struct code distances = {.table = z->distance_table,
                                   .most_bits = INFLATE_DISTANCE_BITS,
                                   .lengths = z->lengths + z->literal_count,
                                   .count = z->distance_count,
                                   .places = distance_places,
                                   .may_be_short = true};
    z->has_fixed_codes = false;
    z->literal_bits = build_table(&literals);
    z->distance_bits = z->literal_bits > 0 ? build_table(&distances) : 0;
    return z->distance_bits > 0;
}

/* RFC 1951, 3.2.6. Blocks may be so short that making the tables for each would be slow. */
static void use_fixed_codes(struct inflate *z)
{
    if (z->has_fixed_codes)
        return;
    memset(z->lengths, 8, 144);
    memset(z->lengths + 144, 9, 256 - 144);
    memset(z->lengths + 256, 7, 280 - 256);
    memset(z->lengths + 280, 8, 288 - 280);
    memset(z->lengths + 288, 5, 32);
    z->literal_count = 288;
    z->distance_count = 32;
    z->has_fixed_codes = use_codes(z);
}

static enum progress run_block(struct inflate *z, struct buffers *b)
{
    if (z->is_last_block) {
        z->is_last_block = false;
        return go_to(z, STEP_SUM);
    }
    if (!has_bits(z, b, 3))
        return WANTS_INPUT;
    z->is_last_block = take_bits(z, 1) != 0;
    switch (take_bits(z, 2)) {
    case 0:
        return go_to(z, STEP_STORED_LENGTH);
    case 1:
        use_fixed_codes(z);
        return go_to(z, STEP_SYMBOLS);
    case 2:
        return go_to(z, STEP_COUNTS);
    default:
        return end_with(z, INFLATE_DAMAGED, "unknown kind of block");
    }
}

static enum progress run_stored_length(struct inflate *z, struct buffers *b)
{
    take_bits(z, z->bit_count % 8);
    if (!has_bits(z, b, 32))
        return WANTS_INPUT;
    z->stored_left = take_bits(z, 16);
    if (take_bits(z, 16) != (z->stored_left ^ 0xffff))
        return end_with(z, INFLATE_DAMAGED, "the two lengths of a stored block differ");
    return go_to(z, STEP_STORED);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static enum progress run_stored(struct inflate *z, struct buffers *b)
{
    while (z->stored_left > 0) {
        if (b->out == b->out_end)
            return WANTS_OUTPUT;
        if (z->bit_count > 0) {
            *b->out++ = (unsigned char)take_bits(z, 8);
            z->stored_left--;
            continue;
        }
        size_t count = least((size_t)(b->in_end - b->in), (size_t)(b->out_end - b->out));
        count = least(count, z->stored_left);
        if (count == 0)
            return WANTS_INPUT;
        memcpy(b->out, b->in, count);
        b->in += count;
        b->out += count;
        z->stored_left -= (unsigned)count;
    }
    return go_to(z, STEP_BLOCK);
}

/* The codes of a block: RFC 1951, 3.2.7 */
static enum progress run_counts(struct inflate *z, struct buffers *b)
{
    if (!has_bits(z, b, 14))
        return WANTS_INPUT;
    z->literal_count = take_bits(z, 5) + 257;
    z->distance_count = take_bits(z, 5) + 1;
    z->length_count = take_bits(z, 4) + 4;
    if (z->literal_count > 286 || z->distance_count > 30)
        return end_with(z, INFLATE_DAMAGED, "too many lengths or distances");
    memset(z->lengths, 0, 19);
    z->lengths_read = 0;
    return go_to(z, STEP_LENGTH_LENGTHS);
}

static enum progress run_length_lengths(struct inflate *z, struct buffers *b)
{
    static const unsigned char order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                            11, 4,  12, 3, 13, 2, 14, 1, 15};
    const struct code code = {.table = z->length_table,
                              .most_bits = INFLATE_LENGTH_BITS,
                              .lengths = z->lengths,
                              .count = 19,
                              .literals = 16,
                              .places = repeat_places};
    for (; z->lengths_read < z->length_count; z->lengths_read++) {
        if (!has_bits(z, b, 3))
            return WANTS_INPUT;
        z->lengths[order[z->lengths_read]] = (unsigned char)take_bits(z, 3);
    }
    z->length_bits = build_table(&code);
    if (z->length_bits == 0)
        return end_with(z, INFLATE_DAMAGED, "invalid code for lengths");
    z->has_fixed_codes = false;
    z->lengths_read = 0;
    return go_to(z, STEP_LENGTHS);
}

/* Bits that are available, but not yet taken. */
struct preview {
    uint64_t bits;
    unsigned count;
};

static struct preview look_ahead(struct inflate *z, struct buffers *b)
{
    has_bits(z, b, 56);
    return (struct preview){z->bits, z->bit_count};
}

/*
 * Skips a code and the extra bits after it. Sets *place to the place that it found, and *value to
 * the literal, length or distance. Returns false if there are not enough bits.
 */
static bool preview_code(struct preview *p, const uint32_t *table, unsigned bits, uint32_t *place,
                         unsigned *value)
{
    uint32_t found = table[p->bits & ((1U << bits) - 1)];
    if ((found & PLACE_TABLE) != 0) {
        if (place_step(found) > p->count)
            return false;
        p->bits >>= place_step(found);
        p->count -= place_step(found);
        found = table[place_value(found) + (p->bits & ((1U << place_code_length(found)) - 1))];
    }
    if (place_step(found) > p->count)
        return false;
    *place = found;
    *value = place_value(found) + place_extra(found, p->bits);
    p->bits >>= place_step(found);
    p->count -= place_step(found);
    return true;
}

/* Takes code lengths until all of them are known. */
static enum progress run_lengths(struct inflate *z, struct buffers *b)
{
    unsigned all = z->literal_count + z->distance_count;
    while (z->lengths_read < all) {
        struct preview p = look_ahead(z, b);
        uint32_t place;
        unsigned value, count = 1, length = 0;
        if (!preview_code(&p, z->length_table, z->length_bits, &place, &value))
            return WANTS_INPUT;
        if ((place & PLACE_LITERAL) != 0) {
            length = value;
        } else {
            count = value % REPEAT_LAST;
            if (count > all - z->lengths_read || (value > REPEAT_LAST && z->lengths_read == 0))
                return end_with(z, INFLATE_DAMAGED, "invalid repetition of a code length");
            if (value > REPEAT_LAST)
                length = z->lengths[z->lengths_read - 1];
        }
        memset(z->lengths + z->lengths_read, (int)length, count);
        z->lengths_read += count;
        z->bits = p.bits;
        z->bit_count = p.count;
    }
    if (z->lengths[256] == 0)
        return end_with(z, INFLATE_DAMAGED, "a block without an end code");
    if (!use_codes(z))
        return end_with(z, INFLATE_DAMAGED, "invalid code for data");
    return go_to(z, STEP_SYMBOLS);
}

/* Copies a match, byte by byte if it overlaps itself. */
static void copy_plainly(unsigned char *to, unsigned distance, size_t count)
{
    if (distance >= count)
        memcpy(to, to - distance, count);
    else
        for (; count > 0; count--, to++)
            *to = *(to - distance);
}

/* Copies as much as fits of a match that may begin in the window. */
static enum progress run_match(struct inflate *z, struct buffers *b)
{
    while (z->match_left > 0) {
        if (b->out == b->out_end)
            return WANTS_OUTPUT;
        size_t count = least(z->match_left, (size_t)(b->out_end - b->out));
        size_t written = (size_t)(b->out - b->start);
        if (z->match_distance <= written) {
            copy_plainly(b->out, z->match_distance, count);
        } else {
            unsigned before = z->match_distance - (unsigned)written;
            unsigned from = (z->window_next - before) % INFLATE_WINDOW;
            count = least(least(count, before), INFLATE_WINDOW - from);
            memcpy(b->out, z->window + from, count);
        }
        b->out += count;
        z->match_left -= (unsigned)count;
    }
    return go_to(z, STEP_SYMBOLS);
}

/* At a place that is neither a literal nor a length or distance */
static enum progress end_block(struct inflate *z, uint32_t place)
{
    if ((place & PLACE_END) != 0)
        return go_to(z, STEP_BLOCK);
    return end_with(z, INFLATE_DAMAGED, "bits that are not a code");
}

static enum progress begin_match(struct inflate *z, struct buffers *b, unsigned length,
                                 unsigned distance)
{
    if (distance > (size_t)(b->out - b->start) + z->window_filled)
        return end_with(z, INFLATE_DAMAGED, "a distance that reaches beyond the start");
    z->match_left = length;
    z->match_distance = distance;
    return go_to(z, STEP_MATCH);
}

/* One literal, or length and distance, or the end of the block, near the borders of the buffers */
static enum progress run_symbol(struct inflate *z, struct buffers *b)
{
    struct preview p = look_ahead(z, b);
    uint32_t place;
    unsigned value, distance;
    enum progress progress = GO_ON;
    if (!preview_code(&p, z->literal_table, z->literal_bits, &place, &value))
        return WANTS_INPUT;
    if ((place & PLACE_LITERAL) != 0) {
        if (b->out == b->out_end)
            return WANTS_OUTPUT;
        *b->out++ = (unsigned char)value;
    } else if ((place & PLACE_SPECIAL) != 0) {
        progress = end_block(z, place);
    } else {
        if (!preview_code(&p, z->distance_table, z->distance_bits, &place, &distance))
            return WANTS_INPUT;
        progress = (place & PLACE_SPECIAL) != 0 ? end_block(z, place)
                                                : begin_match(z, b, value, distance);
    }
    z->bits = p.bits;
    z->bit_count = p.count;
    return progress;
}

/*
 * The fast loop. It stays so far from the ends of the buffers that it need not check them within a
 * round. A round takes up to 21 bytes of input and reads 8 more; it writes up to two literals and a
 * match, where a copy writes up to 31 bytes too many.
 */
enum { FAST_INPUT = 32, FAST_OUTPUT = 2 + 258 + 32 };

/* Sums are computed from pieces that are still in the cache. */
enum { SUM_PIECE = 64 * 1024 };

static inline uint64_t get_64(const unsigned char *p)
{
    return p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

/*
 * A match whose distance is less than 8: 8 bytes contain it as often as it fits, and the copy
 * advances by that.
 */
static void copy_near(unsigned char *to, unsigned distance, unsigned length)
{
    static const unsigned char steps[8] = {0, 8, 8, 6, 8, 5, 6, 7};
    unsigned char bytes[8];
    unsigned char *end = to + length;
    for (unsigned i = 0; i < 8; i++)
        to[i] = *(to + i - distance);
    memcpy(bytes, to, 8);
    for (to += steps[distance]; to < end; to += steps[distance])
        memcpy(to, bytes, 8);
}

/* A match that is completely in earlier output. Writes up to 31 bytes more. */
static inline void copy_fast(unsigned char *to, unsigned distance, unsigned length)
{
    const unsigned char *from = to - distance;
    unsigned char *end = to + length;
    if (distance >= 16) {
        memcpy(to, from, 16);
        memcpy(to + 16, from + 16, 16);
        for (to += 32, from += 32; to < end; to += 32, from += 32) {
            memcpy(to, from, 16);
            memcpy(to + 16, from + 16, 16);
        }
    } else if (distance >= 8) {
        for (; to < end; to += 8, from += 8)
            memcpy(to, from, 8);
    } else {
        copy_near(to, distance, length);
    }
}

/*
 * Bits and their number as in struct inflate, but the bits above may be those that follow in the
 * input. That is harmless, because they are only or'ed with the same bits. FILL makes them 56 to
 * 63.
 */
#define FILL() \
    (bits |= get_64(in) << count, in += (63 - count) >> 3, count |= 56)
#define SKIP(place) (bits >>= place_step(place), count -= place_step(place))
#define FIND() (literals[bits & literal_mask])
#define FIND_REST(table) \
    (table[place_value(place) + (bits & ((1U << place_code_length(place)) - 1))])

/* Decodes symbols while there is enough input and output, up to the end of the block. */
static void run_fast(struct inflate *z, struct buffers *b, unsigned char *out_limit)
{
    const uint32_t *literals = z->literal_table, *distances = z->distance_table;
    const uint64_t literal_mask = (UINT64_C(1) << z->literal_bits) - 1;
    const uint64_t distance_mask = (UINT64_C(1) << z->distance_bits) - 1;
    const unsigned char *in = b->in, *in_limit = b->in_end - FAST_INPUT;
    unsigned char *out = b->out;
    uint64_t bits = z->bits;
    unsigned count = z->bit_count;

    FILL();
    uint32_t place = FIND();
    /* In each round, there are at least 56 bits, and `place` belongs to them. */
    do {
        if ((place & PLACE_LITERAL) != 0) {
            SKIP(place);
            *out++ = (unsigned char)place_value(place);
            place = FIND();
            if ((place & PLACE_LITERAL) != 0) {
                SKIP(place);
                *out++ = (unsigned char)place_value(place);
                place = FIND();
            }
            FILL();
            if ((place & PLACE_LITERAL) != 0)
                continue;
        }
        /* A length and a distance take up to 15 + 5 + 15 + 13 bits. */
        if ((place & PLACE_SPECIAL) != 0) {
            if ((place & PLACE_TABLE) != 0) {
                SKIP(place);
                place = FIND_REST(literals);
            }
            if ((place & PLACE_LITERAL) != 0) {
                SKIP(place);
                *out++ = (unsigned char)place_value(place);
                FILL();
                place = FIND();
                continue;
            }
            if ((place & PLACE_SPECIAL) != 0) {
                SKIP(place);
                end_block(z, place);
                break;
            }
        }
        unsigned length = place_value(place) + place_extra(place, bits);
        SKIP(place);
        place = distances[bits & distance_mask];
        if ((place & PLACE_SPECIAL) != 0) {
            if ((place & PLACE_TABLE) != 0) {
                SKIP(place);
                place = FIND_REST(distances);
            }
            if ((place & PLACE_SPECIAL) != 0) {
                end_block(z, place);
                break;
            }
        }
        unsigned distance = place_value(place) + place_extra(place, bits);
        SKIP(place);
        FILL();
        place = FIND();
        if (distance <= (size_t)(out - b->start)) {
            copy_fast(out, distance, length);
            out += length;
        } else {
            b->out = out;
            if (begin_match(z, b, length, distance) == IS_OVER)
                break;
            run_match(z, b);
            out = b->out;
        }
    } while (in < in_limit && out < out_limit);

    b->in = in;
    b->out = out;
    z->bits = bits & ((UINT64_C(1) << count) - 1);
    z->bit_count = count;
}

static enum progress run_symbols(struct inflate *z, struct buffers *b)
{
    while (b->in_end - b->in > FAST_INPUT && b->out_end - b->out > FAST_OUTPUT) {
        unsigned char *limit = b->out_end - FAST_OUTPUT;
        if (b->out - b->summed >= SUM_PIECE)
            sum_up(z, b);
        if (limit - b->summed > SUM_PIECE)
            limit = b->summed + SUM_PIECE;
        run_fast(z, b, limit);
        if (z->step != STEP_SYMBOLS)
            return z->step == STEP_OVER ? IS_OVER : GO_ON;
    }
    return run_symbol(z, b);
}

static enum progress run_step(struct inflate *z, struct buffers *b)
{
    switch ((enum step)z->step) {
    case STEP_HEADER:
        return run_header(z, b);
    case STEP_EXTRA_LENGTH:
        return run_extra_length(z, b);
    case STEP_EXTRA:
        return run_extra(z, b);
    case STEP_NAME:
        return run_string(z, b, FLAG_NAME, STEP_COMMENT);
    case STEP_COMMENT:
        return run_string(z, b, FLAG_COMMENT, STEP_HEADER_SUM);
    case STEP_HEADER_SUM:
        return run_header_sum(z, b);
    case STEP_BLOCK:
        return run_block(z, b);
    case STEP_STORED_LENGTH:
        return run_stored_length(z, b);
    case STEP_STORED:
        return run_stored(z, b);
    case STEP_COUNTS:
        return run_counts(z, b);
    case STEP_LENGTH_LENGTHS:
        return run_length_lengths(z, b);
    case STEP_LENGTHS:
        return run_lengths(z, b);
    case STEP_SYMBOLS:
        return run_symbols(z, b);
    case STEP_MATCH:
        return run_match(z, b);
    case STEP_SUM:
        return run_sum(z, b);
    case STEP_SIZE:
        return run_size(z, b);
    case STEP_PADDING:
        return run_padding(z, b);
    case STEP_OVER:
        break;
    }
    return IS_OVER;
}

/* Keeps the end of the output for matches in the next call. */
static void keep_window(struct inflate *z, const struct buffers *b)
{
    size_t count = least((size_t)(b->out - b->start), INFLATE_WINDOW);
    size_t first = least(count, INFLATE_WINDOW - z->window_next);
    if (count == 0)
        return;
    memcpy(z->window + z->window_next, b->out - count, first);
    memcpy(z->window, b->out - count + first, count - first);
    z->window_next = (z->window_next + (unsigned)count) % INFLATE_WINDOW;
    z->window_filled = (unsigned)least(z->window_filled + count, INFLATE_WINDOW);
}

void inflate_init(struct inflate *z)
{
    memset(z, 0, sizeof *z);
    crc32_init(&z->crc);
    z->is_first_member = true;
    begin_member(z);
}

enum inflate_result inflate_run(struct inflate *z, const unsigned char **in,
                                const unsigned char *in_end, unsigned char *out, size_t size,
                                size_t *produced)
{
    struct buffers b = {.in = *in, .in_end = in_end, .start = out, .out = out, .summed = out};
    b.out_end = out + size;
    enum progress progress;
    do
        progress = run_step(z, &b);
    while (progress == GO_ON);
    *in = b.in;
    *produced = (size_t)(b.out - out);
    if (progress == IS_OVER)
        return z->result;
    sum_up(z, &b);
    keep_window(z, &b);
    return progress == WANTS_INPUT ? INFLATE_NEEDS_INPUT : INFLATE_OUTPUT_FULL;
}

enum inflate_result inflate_finish(struct inflate *z)
{
    if (z->step == STEP_OVER)
        return z->result;
    if (z->step == STEP_PADDING)
        end_with(z, INFLATE_PADDED, "zero bytes after the end");
    else if (z->step != STEP_HEADER || z->is_first_member || z->header_left < HEADER_SIZE - 1)
        end_with(z, INFLATE_TRUNCATED, "the data ends too early");
    else if (z->header_left < HEADER_SIZE)
        end_with(z, INFLATE_GARBAGE, "garbage after the end");
    else
        end_with(z, INFLATE_END, "the end");
    return z->result;
}

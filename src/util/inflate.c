/* SPDX-License-Identifier: MIT */
#include "util/inflate.h"

#include "util/little.h"
#include "util/text.h"

#include <string.h>

/*
 * Entries of the tables. Bits 0 to 5: the number of bits to skip, which are the code and, for lengths and
 * distances, the extra bits after it. Bits 8 to 11: the code's length. Bits 16 to 30: the literal, or the
 * length or distance when the extra bits are 0. With ENTRY_TABLE the code is longer: bits 0 to 5 are the
 * bits used so far, 8 to 11 how many bits index the table for the rest, and 16 to 30 where that begins.
 */
#define ENTRY_LITERAL UINT32_C(0x80000000)
#define ENTRY_SPECIAL UINT32_C(0x8000) /* the end of the block, or not a code */
#define ENTRY_END UINT32_C(0x4000)
#define ENTRY_TABLE UINT32_C(0x2000)
#define LOW(bits, count) ((bits) & ((UINT64_C(1) << (count)) - 1))
#define STEP(entry) ((entry)&63)
#define CODE_LENGTH(entry) ((entry) >> 8 & 15)
#define VALUE(entry) ((entry) >> 16 & 0x7fff)
/* The value with the extra bits, and the entry in the next table, where `bits` begin with the code */
#define FULL_VALUE(entry, bits) (VALUE(entry) + (unsigned)(LOW(bits, STEP(entry)) >> CODE_LENGTH(entry)))
#define NEXT_ENTRY(table, entry, bits) ((table)[VALUE(entry) + (LOW(bits, CODE_LENGTH(entry)))])

/* What codes are for, by their numbers of symbols: RFC 1951, 3.2.5 to 3.2.7 */
enum kind { CODE_LENGTHS = 19, LITERALS_AND_LENGTHS = 288, DISTANCES = 32 };
enum { ROOT = INFLATE_ROOT, LONGEST_CODE = 15, FAST_INPUT = 16 };

/* The entry of a symbol, but for the length of its code */
static uint32_t entry_of(enum kind kind, unsigned symbol)
{
    if (kind == CODE_LENGTHS || (kind == LITERALS_AND_LENGTHS && symbol < 256))
        return ENTRY_LITERAL | symbol << 16;
    if (symbol == 256)
        return ENTRY_SPECIAL | ENTRY_END;
    if (symbol == 285)
        return 258 << 16;
    if (symbol > 285 || (kind == DISTANCES && symbol > 29))
        return ENTRY_SPECIAL;
    /* Groups of 4 lengths, from 3 on, or of 2 distances, from 1 on; each but the first has one more bit */
    unsigned index = kind == DISTANCES ? symbol : symbol - 257, per = kind == DISTANCES ? 2 : 4;
    unsigned extra = index < per ? 0 : index / per - 1, first = kind == DISTANCES ? 1 : 3;
    return (first + ((index - extra * per) << extra)) << 16 | extra;
}

/*
 * Fills a table, given the lengths of the symbols' codes (0: no code). Returns false if there are too many
 * codes, or if some bits begin no code. However, data may have a single code of one bit, or none.
 */
static bool build_table(uint32_t *table, enum kind kind, const unsigned char *lengths)
{
    unsigned counts[LONGEST_CODE + 1] = {0}, all = 0, root = 1, used = 1U << ROOT;
    uint32_t next[LONGEST_CODE + 1] = {0}; /* codes by their lengths; the first bit is the lowest one */
    for (unsigned symbol = 0; symbol < kind; symbol++)
        counts[lengths[symbol]]++;
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        for (unsigned i = 0; i < 16 && counts[length] > 0; i++)
            next[length] = next[length] << 1 | (all >> i & 1);
        all += counts[length] << (16 - length); /* 0x10000 if every sequence of bits begins a code */
        root = counts[length] == 0 ? root : length < ROOT ? length : ROOT;
    }
    if (all > 0x10000 || (all < 0x10000 && (all != counts[1] << 15 || kind == CODE_LENGTHS)))
        return false;
    for (unsigned i = 0; i < 1U << root; i++)
        table[i] = ENTRY_SPECIAL | 1;
    for (unsigned symbol = 0; symbol < kind; symbol++) {
        unsigned length = lengths[symbol] & LONGEST_CODE, bits = root;
        if (length == 0)
            continue;
        uint32_t code = next[length], *part = table, carry = 1U << (length - 1);
        for (; (next[length] & carry) != 0; carry >>= 1)
            next[length] ^= carry;
        next[length] |= carry;
        if (length > ROOT) {
            uint32_t *begin = &table[LOW(code, ROOT)];
            bits = LONGEST_CODE - ROOT;
            if ((*begin & ENTRY_TABLE) == 0) {
                *begin = ENTRY_TABLE | used << 16 | bits << 8 | ROOT;
                used += 1U << bits;
            }
            part = table + VALUE(*begin);
            code >>= ROOT;
            length -= ROOT;
        }
        uint32_t entry = (entry_of(kind, symbol) | length << 8) + length;
        for (; code >> bits == 0; code += 1U << length)
            part[code] = entry;
    }
    for (size_t size = (size_t)1 << root; size < (size_t)1 << ROOT; size *= 2)
        memcpy(table + size, table, size * sizeof table[0]);
    return true;
}

/* The first reason counts. From then on the input reads as zeros, and nothing is taken from it. */
static void end_with(struct inflate *z, enum inflate_result result, const char *message)
{
    if (z->result != INFLATE_GOES_ON)
        return;
    z->result = result;
    z->message = message;
}

/* Makes more than FAST_INPUT bytes of input available, unless it ends. */
static void read_input(struct inflate *z)
{
    memmove(z->input, z->in, (size_t)(z->in_end - z->in));
    z->in_end -= z->in - z->input;
    z->in = z->input;
    while (!z->input_ended && z->in_end - z->in <= FAST_INPUT) {
        size_t count = z->more(z->context, z->in_end, (size_t)(z->input + sizeof z->input - z->in_end));
        z->in_end += count;
        z->input_ended = count == 0;
    }
}

/* Are there `count` bits, at most 56, and no reason to end? */
static bool has_bits(struct inflate *z, unsigned count)
{
    if (z->result != INFLATE_GOES_ON)
        return false;
    for (; z->bit_count < count; z->bit_count += 8) {
        if (z->in == z->in_end)
            read_input(z);
        if (z->in == z->in_end)
            return false;
        z->bits |= (uint64_t)*z->in++ << z->bit_count;
    }
    return true;
}

static uint32_t take_bits(struct inflate *z, unsigned count)
{
    if (!has_bits(z, count)) {
        end_with(z, INFLATE_TRUNCATED, NULL);
        return 0;
    }
    uint32_t value = (uint32_t)LOW(z->bits, count);
    z->bits >>= count;
    z->bit_count -= count;
    return value;
}

/* Takes a code and the extra bits after it. Returns its entry, and sets *value. */
static uint32_t take_code(struct inflate *z, const uint32_t *table, unsigned *value)
{
    has_bits(z, 56);
    uint32_t entry = table[LOW(z->bits, ROOT)];
    if ((entry & ENTRY_TABLE) != 0) {
        take_bits(z, STEP(entry));
        entry = NEXT_ENTRY(table, entry, z->bits);
    }
    *value = FULL_VALUE(entry, z->bits);
    take_bits(z, STEP(entry));
    return z->result == INFLATE_GOES_ON ? entry : ENTRY_SPECIAL;
}

/* Adds the bytes written since the last call to the member's sum and size. */
static void sum_up(struct inflate *z)
{
    z->sum = crc32_add(&z->crc, z->sum, z->summed, (size_t)(z->out - z->summed));
    z->size += (uint32_t)(z->out - z->summed);
    z->summed = z->out;
}

/* Takes the end of a member and what follows it: nothing, zero bytes, or the beginning of another. */
static void end_member(struct inflate *z)
{
    bool is_padded = false;
    take_bits(z, z->bit_count % 8);
    sum_up(z);
    if (take_bits(z, 32) != z->sum)
        end_with(z, INFLATE_DAMAGED, "wrong checksum");
    if (take_bits(z, 32) != z->size)
        end_with(z, INFLATE_DAMAGED, "wrong length");
    for (; has_bits(z, 8) && (z->bits & 255) == 0; is_padded = true)
        take_bits(z, 8);
    if (!has_bits(z, 8))
        end_with(z, INFLATE_END, NULL);
    else if (is_padded || !has_bits(z, 16) || (z->bits & 0xffff) != 0x8b1f)
        end_with(z, INFLATE_GARBAGE, NULL);
}

static unsigned take_header_byte(struct inflate *z)
{
    unsigned char byte = (unsigned char)take_bits(z, 8);
    z->sum = crc32_add(&z->crc, z->sum, &byte, 1);
    return byte;
}

/* The header: RFC 1952, 2.3.1 */
static void begin_member(struct inflate *z)
{
    enum { HAS_SUM = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16, KNOWN = 31, DEFLATE = 8 };
    z->sum = z->size = 0;
    if (take_header_byte(z) != 0x1f || take_header_byte(z) != 0x8b)
        end_with(z, INFLATE_DAMAGED, "not a gzip file");
    if (take_header_byte(z) != DEFLATE)
        end_with(z, INFLATE_DAMAGED, "unknown compression method");
    unsigned flags = take_header_byte(z), length = 0;
    if (flags > KNOWN)
        end_with(z, INFLATE_DAMAGED, "unknown flags in the header");
    for (int i = 0; i < 6; i++) /* the time, and notes of the compressor */
        take_header_byte(z);
    for (unsigned i = 0; i < 16 && (flags & HAS_EXTRA) != 0; i += 8)
        length |= take_header_byte(z) << i;
    for (; length > 0; length--)
        take_header_byte(z);
    for (unsigned flag = HAS_NAME; flag <= HAS_COMMENT; flag *= 2)
        while ((flags & flag) != 0 && take_header_byte(z) != 0)
            continue;
    uint32_t sum = z->sum & 0xffff;
    if ((flags & HAS_SUM) != 0 && take_bits(z, 16) != sum)
        end_with(z, INFLATE_DAMAGED, "wrong checksum of the header");
    z->sum = 0;
    z->start = z->summed = z->out;
    z->is_first_member = z->is_last_block = false;
}

/* RFC 1951, 3.2.7: takes the lengths of codes for literals and lengths, then of those for distances. */
static void take_lengths(struct inflate *z, unsigned char *lengths)
{
    static const unsigned char order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    static const unsigned char repeats[3] = {3, 3, 11}, repeat_bits[3] = {2, 3, 7};
    unsigned char code_lengths[CODE_LENGTHS] = {0}, length = 0;
    uint32_t table[1 << ROOT];
    unsigned literals = take_bits(z, 5) + 257, distances = take_bits(z, 5) + 1, symbol;
    unsigned code_count = take_bits(z, 4) + 4, left = literals + distances;
    if (literals > 286 || distances > 30)
        end_with(z, INFLATE_DAMAGED, "too many lengths or distances");
    for (unsigned i = 0; i < code_count; i++)
        code_lengths[order[i]] = (unsigned char)take_bits(z, 3);
    if (!build_table(table, CODE_LENGTHS, code_lengths))
        end_with(z, INFLATE_DAMAGED, "invalid code for lengths");
    for (unsigned at = 0; left > 0 && z->result == INFLATE_GOES_ON;) {
        take_code(z, table, &symbol);
        unsigned count = symbol < 16 ? 1 : repeats[symbol - 16] + take_bits(z, repeat_bits[symbol - 16]);
        if (count > left || (symbol == 16 && at == 0))
            end_with(z, INFLATE_DAMAGED, "invalid repetition of a code length");
        if (symbol != 16)
            length = symbol < 16 ? (unsigned char)symbol : 0;
        for (; count > 0 && left > 0; count--, left--) {
            lengths[at++] = length;
            at = at == literals ? LITERALS_AND_LENGTHS : at;
        }
    }
    if (z->result == INFLATE_GOES_ON && lengths[256] == 0)
        end_with(z, INFLATE_DAMAGED, "a block without an end code");
}

/* 3.2.3 to 3.2.6. Blocks may be so short that making the tables of the fixed codes for each would be slow. */
static void begin_block(struct inflate *z)
{
    unsigned char lengths[LITERALS_AND_LENGTHS + DISTANCES] = {0};
    z->is_last_block = take_bits(z, 1) != 0;
    unsigned kind = take_bits(z, 2);
    z->step = kind == 0 ? IN_STORED : IN_CODES;
    if (kind == 3)
        end_with(z, INFLATE_DAMAGED, "unknown kind of block");
    if (kind == 0) {
        take_bits(z, z->bit_count % 8);
        z->stored_left = take_bits(z, 16);
        if (take_bits(z, 16) != (z->stored_left ^ 0xffff))
            end_with(z, INFLATE_DAMAGED, "the two lengths of a stored block differ");
    }
    if (kind == 0 || (kind == 1 && z->has_fixed_codes))
        return;
    z->has_fixed_codes = kind == 1;
    if (kind == 1) {
        memset(lengths, 8, LITERALS_AND_LENGTHS);
        memset(lengths + 144, 9, 256 - 144);
        memset(lengths + 256, 7, 280 - 256);
        memset(lengths + LITERALS_AND_LENGTHS, 5, DISTANCES);
    }
    if (kind == 2)
        take_lengths(z, lengths);
    if (!build_table(z->literals, LITERALS_AND_LENGTHS, lengths) ||
        !build_table(z->distances, DISTANCES, lengths + LITERALS_AND_LENGTHS))
        end_with(z, INFLATE_DAMAGED, "invalid code for data");
}

/* Copies a part of a stored block. At most 7 of its bytes have become bits. */
static void copy_stored(struct inflate *z)
{
    for (; z->stored_left > 0 && z->bit_count > 0; z->stored_left--)
        *z->out++ = (unsigned char)take_bits(z, 8);
    size_t room = (size_t)(z->window + sizeof z->window - z->out);
    size_t count = MIN(MIN(room, z->stored_left), (size_t)(z->in_end - z->in));
    if (z->stored_left == 0)
        z->step = BEFORE_BLOCK;
    else if (z->in == z->in_end)
        end_with(z, INFLATE_TRUNCATED, NULL);
    memcpy(z->out, z->in, count);
    z->in += count;
    z->out += count;
    z->stored_left -= (unsigned)count;
}

/* Copies a match. Writes up to 50 bytes more. */
static inline void copy_match(unsigned char *to, unsigned distance, unsigned length)
{
    const unsigned char *end = to + length;
    for (; distance < 16; distance *= 2) /* what repeats at this distance does so at the double, too */
        for (unsigned i = 0; i < distance; i++, to++)
            *to = *(to - distance);
    do {
        memcpy(to, to - distance, 16);
        memcpy(to + 16, to + 16 - distance, 16);
    } while ((to += 32) < end);
}

/* Takes one literal, or length and distance, or the end of the block. */
static void take_symbol(struct inflate *z)
{
    unsigned length, distance = 0;
    uint32_t entry = take_code(z, z->literals, &length);
    if ((entry & (ENTRY_LITERAL | ENTRY_SPECIAL)) == 0)
        entry = take_code(z, z->distances, &distance);
    if ((entry & ENTRY_LITERAL) != 0) {
        *z->out++ = (unsigned char)length;
    } else if ((entry & ENTRY_END) != 0) {
        z->step = BEFORE_BLOCK;
    } else if ((entry & ENTRY_SPECIAL) != 0) {
        end_with(z, INFLATE_DAMAGED, "bits that are not a code");
    } else if (distance > (size_t)(z->out - z->start)) {
        end_with(z, INFLATE_DAMAGED, "a distance that reaches beyond the start");
    } else {
        copy_match(z->out, distance, length);
        z->out += length;
    }
}

/* FILL makes 56 to 63 bits. Those above may be what follows in the input: they are only or'ed with the same bits. */
#define FILL() (bits |= little8(in) << count, in += (63 - count) >> 3, count |= 56)
#define SKIP(entry) (bits >>= STEP(entry), count -= STEP(entry))
#define FIND() (z->literals[LOW(bits, ROOT)])
#define PUT() (SKIP(entry), *out++ = (unsigned char)VALUE(entry), entry = FIND())

/*
 * Takes symbols fast, up to one that is not a literal or a valid match, while no buffer can end within a
 * round. A round reads 8 bytes of input and takes up to 7 of them; it writes a match or two literals.
 */
static void run_fast(struct inflate *z, const unsigned char *limit)
{
    unsigned char *in = z->in, *out = z->out, *const start = z->start;
    const unsigned char *in_limit = z->in_end - FAST_INPUT;
    uint64_t bits = z->bits;
    unsigned count = z->bit_count;

    FILL();
    uint32_t entry = FIND();
    do { /* There are at least 56 bits, and `entry` belongs to them. */
        const uint64_t bits_before = bits;
        const unsigned count_before = count;
        if ((entry & ENTRY_TABLE) != 0) {
            SKIP(entry);
            entry = NEXT_ENTRY(z->literals, entry, bits);
        }
        if ((entry & ENTRY_LITERAL) != 0) {
            PUT();
            if ((entry & ENTRY_LITERAL) != 0)
                PUT();
            FILL();
            continue;
        }
        /* A length and a distance take up to 15 + 5 + 15 + 13 bits. */
        const uint32_t length_entry = entry;
        unsigned length = FULL_VALUE(entry, bits);
        SKIP(entry);
        entry = z->distances[LOW(bits, ROOT)];
        if ((entry & ENTRY_TABLE) != 0) {
            SKIP(entry);
            entry = NEXT_ENTRY(z->distances, entry, bits);
        }
        unsigned distance = FULL_VALUE(entry, bits);
        if (((length_entry | entry) & ENTRY_SPECIAL) != 0 || distance > (size_t)(out - start)) {
            bits = bits_before;
            count = count_before;
            break;
        }
        SKIP(entry);
        FILL();
        entry = FIND();
        copy_match(out, distance, length);
        out += length;
    } while (in < in_limit && out < limit);

    z->in = in;
    z->out = out;
    z->bits = LOW(bits, count);
    z->bit_count = count;
}

void inflate_init(struct inflate *z, inflate_input *more, void *context)
{
    memset(z, 0, offsetof(struct inflate, literals));
    crc32_init(&z->crc);
    z->more = more;
    z->context = context;
    z->in = z->in_end = z->input;
    z->next = z->out = z->start = z->window;
    z->is_first_member = z->is_last_block = true;
}

size_t inflate_read(struct inflate *z, unsigned char *bytes, size_t size)
{
    /* Up to two matches exceed the limit, and the bytes that a copy writes too many. */
    const unsigned char *limit = z->window + sizeof z->window - (258 + 258 + 50);
    if (z->next == z->out && z->result == INFLATE_GOES_ON) { /* decode until the room after the window is full */
        size_t made = (size_t)(z->out - z->window), last = MIN(made, INFLATE_WINDOW);
        memmove(z->window, z->out - last, last);
        z->start -= MIN((size_t)(z->start - z->window), made - last);
        z->next = z->out = z->summed = z->window + last;
        while (z->result == INFLATE_GOES_ON && z->out < limit) {
            if (z->in_end - z->in <= FAST_INPUT)
                read_input(z);
            if (z->step == IN_CODES) {
                if (z->in_end - z->in > FAST_INPUT)
                    run_fast(z, limit);
                take_symbol(z);
            } else if (z->step == IN_STORED) {
                copy_stored(z);
            } else if (z->is_last_block) {
                if (!z->is_first_member)
                    end_member(z);
                begin_member(z);
            } else {
                begin_block(z);
            }
        }
        sum_up(z);
    }
    size = MIN(size, (size_t)(z->out - z->next));
    memcpy(bytes, z->next, size);
    z->next += size;
    return size;
}

/* SPDX-License-Identifier: MIT */
#include "util/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct text text_take_word(struct text *t)
{
    struct text word = {t->at, t->at};
    while (word.end < t->end && !char_is_blank(*word.end))
        word.end++;
    t->at = word.end;
    text_skip_blanks(t);
    return word;
}

bool text_take_any_number(struct text *t, bool is_hex, uint64_t *number, bool *overflow)
{
    bool has_prefix = t->end - t->at > 2 && t->at[0] == '0' && (t->at[1] | ' ') == 'x' && char_is_hex(t->at[2]);
    const char *start = t->at + (has_prefix ? 2 : 0), *p = start;
    uint64_t value = 0, base = is_hex || has_prefix ? 16 : 10;
    bool over = false;
    for (; p < t->end && (char_is_digit(*p) || (base == 16 && char_is_hex(*p))); p++) {
        over |= __builtin_mul_overflow(value, base, &value);
        over |= __builtin_add_overflow(value, char_is_digit(*p) ? *p - '0' : (*p | ' ') - 'a' + 10, &value);
    }
    if (p == start || (over && is_hex))
        return false;
    t->at = p;
    *number = over ? UINT64_MAX : value;
    if (over && overflow != NULL)
        *overflow = true;
    return true;
}

bool text_whole_number(const char *string, uint64_t low, uint64_t high, uint64_t *number)
{
    struct text t = text_of_string(string);
    bool overflow = false;
    return text_take_number(&t, number, &overflow) && text_is_empty(t) && !overflow && *number >= low &&
           *number <= high;
}

/* Two decimals, halves away from zero as in browsers: by the shortest decimal number that stands for the binary one. */
static bool write_hundredths(char text[TEXT_REAL], double number)
{
    double scaled = (number < 0 ? -number : number) * 100;
    if (!(scaled < 1e11))
        return false;
    uint64_t whole = (uint64_t)scaled;
    double rest = scaled - (double)whole;
    bool is_up = rest > 0.5;
    for (int precision = 15; rest > 0.4999 && rest < 0.5001 && precision <= 17; precision++) {
        snprintf(text, TEXT_REAL, "%.*g", precision, number);
        const char *fraction = text + strspn(text, "-0123456789");
        fraction += strcspn(fraction, "0123456789");
        is_up = strlen(fraction) > 2 && fraction[2] >= '5';
        if (strtod(text, NULL) <= number && strtod(text, NULL) >= number)
            break;
    }
    text[0] = '-'; /* MinGW warns of its signbit */
    char *end = text_put_count(text + (copysign(1, number) < 0), (whole += is_up) / 100);
    memcpy(end, (char[]){'.', (char)('0' + whole / 10 % 10), (char)('0' + whole % 10), '\0'}, 4);
    return true;
}

/* The point of a locale may be anything, also several bytes; only it is neither digit nor sign nor exponent. */
char *text_real(char text[TEXT_REAL], int digits, char kind, double number)
{
    if (digits == 2 && kind == 'f' && write_hundredths(text, number))
        return text;
    snprintf(text, TEXT_REAL, kind == 'f' ? "%.*f" : "%.*g", digits, number);
    char *point = text + strspn(text, "-0123456789"), *rest = point + strcspn(point, "0123456789e");
    if (point == rest)
        return text;
    *point = '.';
    memmove(point + 1, rest, strlen(rest) + 1);
    return text;
}

bool text_starts_alike(struct text t, struct text letters)
{
    size_t count = text_length(letters), i = 0;
    while (i < count && t.at + i < t.end && char_lower(t.at[i]) == char_lower(letters.at[i]))
        i++;
    return i == count;
}

bool text_matches(struct text t, const char *pattern, bool is_loose)
{
    bool anywhere = is_loose && *pattern != '\0' && strpbrk(pattern, "*?") == NULL;
    /* After a mismatch, go back to the last star and let it match one more byte. */
    const char *after_star = anywhere ? pattern : NULL, *star_at = t.at;
    while (t.at < t.end && (*pattern != '\0' || !anywhere)) {
        if (*pattern == '*') {
            after_star = ++pattern;
            star_at = t.at;
        } else if (*pattern != '\0' &&
                   (*pattern == '?' || *pattern == *t.at || (is_loose && char_lower(*pattern) == char_lower(*t.at)))) {
            pattern++;
            t.at++;
        } else if (after_star != NULL) {
            pattern = after_star;
            t.at = ++star_at;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

size_t text_distance(struct text a, struct text b, bool anywhere)
{
    size_t columns[3][TEXT_DISTANCE_MOST + 1]; /* of the last three positions in b */
    size_t length = text_length(a), b_length = text_length(b), nearest = length;
    if (length > TEXT_DISTANCE_MOST)
        return SIZE_MAX;
    for (size_t i = 0; i <= length; i++)
        columns[0][i] = i;
    for (size_t j = 1; j <= b_length; j++) {
        size_t *column = columns[j % 3], *before = columns[(j - 1) % 3];
        column[0] = anywhere ? 0 : j;
        for (size_t i = 1; i <= length; i++) {
            bool is_same = char_lower(a.at[i - 1]) == char_lower(b.at[j - 1]);
            size_t least = before[i - 1] + !is_same;
            least = MIN(least, MIN(before[i], column[i - 1]) + 1);
            if (i > 1 && j > 1 && char_lower(a.at[i - 1]) == char_lower(b.at[j - 2]) &&
                char_lower(a.at[i - 2]) == char_lower(b.at[j - 1]))
                least = MIN(least, columns[(j - 2) % 3][i - 2] + 1);
            column[i] = least;
        }
        nearest = MIN(nearest, column[length]);
    }
    return anywhere ? nearest : columns[b_length % 3][length];
}

size_t utf8_length(struct text t)
{
    /* By the first byte: the length, and what the second byte may be; the others are 0x80 to 0xbf. */
    static const struct {
        unsigned char first, last, length, low, high;
    } forms[] = {
        {0x00, 0x7f, 1, 0, 0},       {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
        {0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
        {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
    };
    const unsigned char *c = (const unsigned char *)t.at;
    size_t form = 0;
    while (form < COUNT_OF(forms) && (c[0] < forms[form].first || c[0] > forms[form].last))
        form++;
    size_t length = form < COUNT_OF(forms) ? forms[form].length : 0;
    if (length == 0 || text_length(t) < length || (length > 1 && (c[1] < forms[form].low || c[1] > forms[form].high)))
        return 0;
    for (size_t i = 2; i < length; i++)
        if (c[i] < 0x80 || c[i] > 0xbf)
            return 0;
    return length;
}

uint32_t utf8_point(struct text character)
{
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t point = (unsigned char)*character.at & first_bits[text_length(character)];
    for (const char *c = character.at + 1; c < character.end; c++)
        point = point << 6 | ((unsigned char)*c & 0x3f);
    return point;
}

bool utf8_is_control(struct text t)
{
    static const uint32_t ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},  {0x200e, 0x200f},
                                         {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfffe, 0xffff}};
    uint32_t point = utf8_point(text_of(t.at, utf8_length(t)));
    size_t i = 0;
    while (i < COUNT_OF(ranges) && point > ranges[i][1])
        i++;
    return i < COUNT_OF(ranges) && point >= ranges[i][0];
}

struct text utf8_take_printable(struct text *t)
{
    struct text taken = {t->at, t->at + utf8_plain_length(*t, "")};
    size_t length;
    t->at = taken.end;
    while (!text_is_empty(*t) && (length = utf8_length(*t)) > 0 && !utf8_is_control(*t))
        taken.end = t->at += length;
    if (!text_is_empty(taken))
        return taken;
    t->at++;
    return text_of("?", 1);
}

void utf8_make_printable(char *bytes, size_t length)
{
    struct text rest = text_of(bytes, length);
    while (!text_is_empty(rest)) {
        char *at = bytes + (rest.at - bytes);
        *at = *utf8_take_printable(&rest).at;
    }
}

size_t utf8_plain_length(struct text t, const char *but)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    size_t length = 0;
    for (uint64_t bytes; text_length(t) - length >= sizeof bytes; length += sizeof bytes) {
        memcpy(&bytes, t.at + length, sizeof bytes);
        uint64_t others = (bytes - each * ' ') | (bytes + each) | bytes;
        for (const char *c = but; *c != '\0'; c++)
            others |= (bytes ^ each * (unsigned char)*c) - each;
        if ((others & each * 0x80) != 0)
            break;
    }
    while (length < text_length(t) && t.at[length] >= ' ' && t.at[length] <= '~' &&
           (*but == '\0' || strchr(but, t.at[length]) == NULL))
        length++;
    return length;
}

/* SPDX-License-Identifier: MIT */
/* Views of text that other code owns, and small scanners for readers. */
#ifndef CG2WG_UTIL_TEXT_H
#define CG2WG_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* The number of elements of an array. */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Below 0, 0, above 0: `a` is less than `b`, as large, larger. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Defines a function for qsort, by which elements *a and *b of a type have that order. */
#define COMPARISON(name, type, order) \
    static int name(const void *left, const void *right) \
    { \
        const type *a = left; \
        const type *b = right; \
        return order; \
    }

/* Bytes [at, end), any of which may be NUL. A view owns nothing; its source determines how long it is valid. */
struct text {
    const char *at;
    const char *end;
};

/* What printf's "%.*s" takes for a text: its length, limited to what fits a message, and its bytes. */
#define TEXT_FMT "%.*s"
#define TEXT_ARG(t) (int)MIN(text_length(t), 120), (t).at

static inline size_t text_length(struct text t)
{
    return (size_t)(t.end - t.at);
}

/* An empty text may have no address, to which C does not even add 0. */
static inline struct text text_of(const char *bytes, size_t length)
{
    return (struct text){bytes, (const char *)((uintptr_t)bytes + length)};
}

static inline struct text text_of_string(const char *string)
{
    return text_of(string, strlen(string));
}

static inline bool text_is_empty(struct text t)
{
    return t.at == t.end;
}

static inline bool text_same(struct text a, struct text b)
{
    size_t length = text_length(a);
    return length == text_length(b) && (length == 0 || memcmp(a.at, b.at, length) == 0);
}

static inline bool text_equals(struct text t, const char *string)
{
    return text_same(t, text_of_string(string));
}

/* Below 0, 0, above 0: in the order of the bytes; a text precedes those that it begins. */
static inline int text_compare(struct text a, struct text b)
{
    size_t a_length = text_length(a), b_length = text_length(b);
    size_t least = MIN(a_length, b_length);
    int order = least == 0 ? 0 : memcmp(a.at, b.at, least);
    return order != 0 ? order : ORDER(a_length, b_length);
}

/* The last part of a path, with the slashes at its end. */
static inline struct text path_file(struct text path)
{
    for (const char *p = path.at; p + 1 < path.end; p++)
        path.at = *p == '/' ? p + 1 : path.at;
    return path;
}

static inline bool text_starts(struct text t, const char *prefix)
{
    size_t length = strlen(prefix);
    return text_length(t) >= length && memcmp(t.at, prefix, length) == 0;
}

static inline bool text_ends(struct text t, const char *suffix)
{
    size_t length = strlen(suffix);
    return text_length(t) >= length && memcmp(t.end - length, suffix, length) == 0;
}

static inline bool char_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Does it begin with these letters, in any case? And does it end with them? */
bool text_starts_alike(struct text t, struct text letters);
static inline bool text_ends_alike(struct text t, struct text letters)
{
    size_t length = text_length(letters);
    return text_length(t) >= length && text_starts_alike(text_of(t.end - length, length), letters);
}

/* Does all of it match? `*` is any bytes, `?` any byte. is_loose: in any case, and without these, any part matches. */
bool text_matches(struct text t, const char *pattern, bool is_loose);

/* Does it match one of these patterns? A NULL follows the last one. */
static inline bool text_matches_any(struct text t, const char *const *patterns)
{
    while (*patterns != NULL && !text_matches(t, *patterns, false))
        patterns++;
    return *patterns != NULL;
}

/*
 * The number of letters to insert, delete, replace or swap with the next to make `b` of `a` or, if `anywhere`, a part
 * of `b`, in any case. SIZE_MAX: `a` has more than TEXT_DISTANCE_MOST bytes. It takes the product of both lengths.
 */
enum { TEXT_DISTANCE_MOST = 63 };
size_t text_distance(struct text a, struct text b, bool anywhere);

/* Neither blank nor a control byte. */
static inline bool char_is_graphic(char c)
{
    return (unsigned char)c > ' ' && c != 0x7f;
}

static inline bool char_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool char_is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Is it of a name of a language, whose letters may be any above ASCII? */
static inline bool char_is_word(char c)
{
    return char_is_alpha(c) || char_is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The letter in lower case, in any locale: only ASCII has cases here. */
static inline char char_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | ' ') : c;
}

static inline bool char_is_hex(char c)
{
    return char_is_digit(c) || (char_lower(c) >= 'a' && char_lower(c) <= 'f');
}

static inline void text_skip_blanks(struct text *t)
{
    while (t->at < t->end && char_is_blank(*t->at))
        t->at++;
}

static inline struct text text_take_end(struct text *t, bool (*is_of_kind)(char))
{
    struct text end = {t->end, t->end};
    while (end.at > t->at && is_of_kind(end.at[-1]))
        end.at--;
    t->end = end.at;
    return end;
}

static inline struct text text_trim(struct text t)
{
    text_skip_blanks(&t);
    text_take_end(&t, char_is_blank);
    return t;
}

/* Takes what precedes the first blank, and the blanks after it. */
struct text text_take_word(struct text *t);

/* Takes what precedes the first such byte, and that: the result then ends before `t` begins. Without one, takes all. */
static inline struct text text_take_to(struct text *t, char c)
{
    const char *found = text_is_empty(*t) ? NULL : (const char *)memchr(t->at, c, text_length(*t));
    struct text before = {t->at, found != NULL ? found : t->end};
    t->at = found != NULL ? found + 1 : t->end;
    return before;
}

/* What precedes the first such byte; if there is none, all of it. */
static inline struct text text_before(struct text t, char c)
{
    return text_take_to(&t, c);
}

/* Writes the digits of a number before `end`. Returns the first one. There are TEXT_DIGITS at most. */
enum { TEXT_DIGITS = 20 };
static inline char *text_digits_before(char *end, uint64_t number)
{
    do
        *--end = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return end;
}

/* Writes a number at `at`: at most TEXT_DIGITS bytes, and one for the sign. Returns where it ends. */
static inline char *text_put_count(char *at, uint64_t number)
{
    size_t count = 1;
    for (uint64_t bound = 10; number >= bound && count < TEXT_DIGITS; bound *= 10)
        count++;
    text_digits_before(at + count, number);
    return at + count;
}

static inline char *text_put_number(char *at, int64_t number)
{
    *at = '-';
    return text_put_count(at + (number < 0), number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

/* Writes a number as "%.*f" or (kind 'g') "%.*g" does in the C locale, cut off to TEXT_REAL bytes. Returns `text`. */
enum { TEXT_REAL = 40 };
char *text_real(char text[TEXT_REAL], int digits, char kind, double number);

/* Reads all of `string` as a number from `low` to `high`; false: it is anything else. */
bool text_whole_number(const char *string, uint64_t low, uint64_t high, uint64_t *number);

enum { TEXT_SAFE_DIGITS = 19 }; /* this many digits always fit 64 bits */

/*
 * As text_take_number, which takes short decimals itself, for speed. is_hex: hexadecimal, also without 0x, in 64 bits.
 */
bool text_take_any_number(struct text *t, bool is_hex, uint64_t *number, bool *overflow);

/*
 * Takes an unsigned number, decimal, or hexadecimal after 0x. False, and nothing is taken: there is none. One of more
 * than 64 bits becomes UINT64_MAX, and sets *overflow (which is otherwise unchanged; NULL: not wanted).
 */
static inline bool text_take_number(struct text *t, uint64_t *number, bool *overflow)
{
    const char *p = t->at;
    const char *limit = t->end - p > TEXT_SAFE_DIGITS ? p + TEXT_SAFE_DIGITS : t->end;
    uint64_t value = 0;
    while (p < limit && char_is_digit(*p))
        value = value * 10 + (uint64_t)(*p++ - '0');
    bool is_all = p > t->at && (p == t->end || (!char_is_digit(*p) && (*p | ' ') != 'x'));
    if (!is_all)
        return text_take_any_number(t, false, number, overflow);
    *number = value;
    t->at = p;
    return true;
}

/* ---- UTF-8. Texts of the input may be anything -------------------------------------------- */

/* The length of the first character of a text that is not empty; 0: it is not well-formed UTF-8, or truncated. */
size_t utf8_length(struct text t);

/* The number of a character, which is all of the text. */
uint32_t utf8_point(struct text character);

/*
 * Does a well-formed text, which is not empty, begin with a character that is never printed as it is? Namely one that
 * controls a terminal, ends a line or turns text around (Unicode's Bidi_Control), or U+FFFE or U+FFFF, which are none.
 */
bool utf8_is_control(struct text t);

/* Takes what is safe for a terminal from the start of a text, not empty. A byte of anything else alone becomes "?". */
struct text utf8_take_printable(struct text *t);

/* Replaces each such byte by a `?`. */
void utf8_make_printable(char *bytes, size_t length);

/* How many bytes at the start are printable ASCII, but none of `but`; found in steps of eight. */
size_t utf8_plain_length(struct text t, const char *but);

#endif

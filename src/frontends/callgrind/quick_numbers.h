/*
 * Numbers in their usual forms, without a search for the line's end: there is one, and no usual form
 * contains it. Each function returns the position after what it has taken; NULL: it has another form.
 */
#ifndef CG2WG_FRONTENDS_CALLGRIND_QUICK_NUMBERS_H
#define CG2WG_FRONTENDS_CALLGRIND_QUICK_NUMBERS_H

#include "frontends/callgrind/tokens.h"
#include "util/hot.h"
#include "util/text.h"

HOT bool begins_cost_line(char c)
{
    return char_is_digit(c) || c == '+' || c == '-' || c == '*';
}

/* The start of the next line, if this one ends at `p`; otherwise NULL. */
HOT const char *after_line(const char *p)
{
    if (LIKELY(*p == '\n'))
        return p + 1;
    return *p == '\r' && p[1] == '\n' ? p + 2 : NULL;
}

enum { QUICK_DIGITS = 18 }; /* of a number: as a cost, it fits 64 bits with a sign */

HOT bool take_quick_digit(const char *p, uint64_t *number)
{
    unsigned digit = (unsigned)(unsigned char)*p - '0';
    if (digit > 9)
        return false;
    *number = *number * 10 + digit;
    return true;
}

/*
 * Takes a number up to `limit`, which has more than 6 digits. Digit by digit, because the processor can
 * predict its length and need not wait for it.
 */
HOT const char *take_limited_number(const char *p, uint64_t limit, uint64_t *number)
{
    *number = 0;
    if (!take_quick_digit(p, number))
        return NULL;
    if (!take_quick_digit(p + 1, number))
        return p + 1;
    if (!take_quick_digit(p + 2, number))
        return p + 2;
    if (!take_quick_digit(p + 3, number))
        return p + 3;
    if (!take_quick_digit(p + 4, number))
        return p + 4;
    if (!take_quick_digit(p + 5, number))
        return p + 5;
    const char *start = p;
    p += 6;
    while (take_quick_digit(p, number))
        p++;
    return p - start <= QUICK_DIGITS && *number <= limit ? p : NULL;
}

HOT const char *take_quick_number(const char *p, uint64_t *number)
{
    return take_limited_number(p, UINT64_MAX, number);
}

HOT const char *take_short_number(const char *p, uint32_t limit, uint32_t *number)
{
    uint64_t value;
    p = take_limited_number(p, limit, &value);
    *number = (uint32_t)value;
    return p;
}

/* Takes an address, after 0x. Returns how many digits it has; 0: none, or too many. */
static inline unsigned take_quick_address(const char *p, uint64_t *position)
{
    enum { MOST = 16 };
    unsigned count = 0;
    uint64_t value = 0;
    for (; count <= MOST; count++) {
        unsigned digit = (unsigned)(unsigned char)p[count] - '0';
        if (digit > 9) {
            digit = ((unsigned)(unsigned char)p[count] | ' ') - 'a' + 10;
            if (digit < 10 || digit > 15)
                break;
        }
        value = value << 4 | digit;
    }
    *position = value;
    return count <= MOST ? count : 0;
}

/* Takes a position. *is_relative: it is the difference to the one before. */
HOT const char *take_quick_position(const char *p, uint64_t *position, bool *is_relative)
{
    char sign = *p;
    *is_relative = false;
    if (char_is_digit(sign) && p[1] != 'x')
        return take_quick_number(p, position);
    *is_relative = true;
    *position = 0;
    if (sign == '*')
        return p + 1;
    if (sign == '+' || sign == '-') {
        p = take_quick_number(p + 1, position);
        *position = sign == '-' ? 0 - *position : *position;
        return p;
    }
    *is_relative = false;
    unsigned digits = sign == '0' ? take_quick_address(p + 2, position) : 0;
    return digits > 0 ? p + 2 + digits : NULL;
}

/* The same for a number that is not needed. */
HOT const char *skip_quick_number(const char *p)
{
    if (!char_is_digit(*p))
        return NULL;
    if (!char_is_digit(p[1]))
        return p + 1;
    if (!char_is_digit(p[2]))
        return p + 2;
    const char *start = p;
    p += 3;
    while (char_is_digit(*p))
        p++;
    return p - start <= QUICK_DIGITS ? p : NULL;
}

HOT const char *skip_quick_position(const char *p)
{
    uint64_t address;
    if (*p == '*')
        return p + 1;
    if (*p == '0' && p[1] == 'x') {
        unsigned digits = take_quick_address(p + 2, &address);
        return digits > 0 ? p + 2 + digits : NULL;
    }
    return skip_quick_number(p + (*p == '+' || *p == '-'));
}

HOT const char *take_one_position(const struct line_form *form, int i, const char *p, uint64_t *line,
                                  bool *is_relative)
{
    return i == form->line_position ? take_quick_position(p, line, is_relative) : skip_quick_position(p);
}

/*
 * Takes all positions of a line, up to the blank or the end after them. *line: the one that is a line, if
 * there is one; missing ones are the same as before.
 */
HOT const char *take_quick_positions(const struct line_form *form, const char *p, uint64_t *line,
                                     bool *is_relative)
{
    *line = 0;
    *is_relative = true;
    p = take_one_position(form, 0, p, line, is_relative);
    if (form->positions > 1 && p != NULL && *p == ' ')
        p = take_one_position(form, 1, p + 1, line, is_relative);
    if (form->positions > 2 && p != NULL && *p == ' ')
        p = take_one_position(form, 2, p + 1, line, is_relative);
    return p;
}

/* Takes a cost that has more blanks before it, or a sign. */
static APART const char *take_rare_cost(const char *p, cost_t *cost)
{
    uint64_t number;
    while (*p == ' ')
        p++;
    bool is_negative = *p == '-';
    p = take_quick_number(p + is_negative, &number);
    *cost = (cost_t)(is_negative ? 0 - number : number);
    return p;
}

HOT const char *take_quick_cost(const char *p, cost_t *cost)
{
    uint64_t number;
    const char *next = take_quick_number(p, &number);
    *cost = (cost_t)number;
    return LIKELY(next != NULL) ? next : take_rare_cost(p, cost);
}

HOT const char *skip_quick_cost(const char *p)
{
    cost_t cost;
    const char *next = skip_quick_number(p);
    return LIKELY(next != NULL) ? next : take_rare_cost(p, &cost);
}

/* Steps over costs that are not wanted, up to column `end`. */
HOT const char *skip_quick_costs(const char *p, size_t *column, size_t end)
{
    const char *next;
    for (; *column < end && *p == ' ' && (next = skip_quick_cost(p + 1)) != NULL; p = next)
        ++*column;
    return p;
}

/* The end of the line, after all of its costs but `column`. */
HOT const char *end_quick_costs(const struct line_form *form, const char *p, size_t column)
{
    for (; *p != '\n'; column++) {
        const char *next = LIKELY(*p == ' ' && column < form->columns) ? skip_quick_cost(p + 1) : NULL;
        if (UNLIKELY(next == NULL))
            return after_line(*p == ' ' ? p + 1 : p);
        p = next;
    }
    return p + 1;
}

/* Takes the costs of a line up to its end. *sum: what they come to. */
HOT const char *take_quick_costs(const struct line_form *form, const char *p, cost_t *sum)
{
    size_t column = 0;
    *sum = 0;
    if (form->wanted == ONE_COST) {
        if (form->first > 0)
            p = skip_quick_costs(p, &column, form->first);
        if (*p == ' ' && column == form->first) {
            const char *next = take_quick_cost(p + 1, sum);
            column += next != NULL;
            p = next != NULL ? next : p;
        }
        return end_quick_costs(form, p, column);
    }
    const struct event_weight *weight = form->weights.weights, *end = weight + form->weights.count;
    for (; weight < end; weight++) {
        cost_t cost, product;
        p = skip_quick_costs(p, &column, weight->column);
        const char *next = *p == ' ' && column == weight->column ? take_quick_cost(p + 1, &cost) : NULL;
        if (next == NULL)
            break;
        if (__builtin_mul_overflow(cost, weight->weight, &product) ||
            __builtin_add_overflow(*sum, product, sum))
            return NULL;
        p = next;
        column++;
    }
    return end_quick_costs(form, p, column);
}

#endif

#include "util/utf8.h"

size_t utf8_length(struct text t)
{
    const unsigned char *c = (const unsigned char *)t.at;
    unsigned low = 0x80, high = 0xbf;
    size_t length;
    if (c[0] < 0x80)
        return 1;
    if (c[0] >= 0xc2 && c[0] <= 0xdf)
        length = 2;
    else if (c[0] >= 0xe0 && c[0] <= 0xef)
        length = 3;
    else if (c[0] >= 0xf0 && c[0] <= 0xf4)
        length = 4;
    else
        return 0;
    if (text_length(t) < length)
        return 0;
    if (c[0] == 0xe0)
        low = 0xa0;
    else if (c[0] == 0xed)
        high = 0x9f;
    else if (c[0] == 0xf0)
        low = 0x90;
    else if (c[0] == 0xf4)
        high = 0x8f;
    if (c[1] < low || c[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (c[i] < 0x80 || c[i] > 0xbf)
            return 0;
    return length;
}

bool utf8_is_control(struct text t)
{
    const unsigned char *c = (const unsigned char *)t.at;
    return c[0] < ' ' || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0);
}

size_t utf8_columns(struct text character)
{
    static const struct {
        uint32_t first, last;
        size_t columns;
    } ranges[] = {
        {0x0300, 0x036f, 0}, {0x200b, 0x200f, 0}, {0x2060, 0x2064, 0}, {0xfe00, 0xfe0f, 0},
        {0x1100, 0x115f, 2}, {0x2e80, 0x303e, 2}, {0x3041, 0xa4cf, 2}, {0xac00, 0xd7a3, 2},
        {0xf900, 0xfaff, 2}, {0xfe30, 0xfe6f, 2}, {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2},
        {0x1f300, 0x1faff, 2}, {0x20000, 0x3fffd, 2},
    };
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    size_t length = text_length(character);
    uint32_t point = (unsigned char)character.at[0] & first_bits[length];
    for (size_t i = 1; i < length; i++)
        point = point << 6 | ((unsigned char)character.at[i] & 0x3f);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return ranges[i].columns;
    return 1;
}

/* The number of bytes at the start that are safe for a terminal. */
static size_t printable_length(struct text t)
{
    const char *start = t.at;
    while (!text_is_empty(t)) {
        size_t length = utf8_length(t);
        if (length == 0 || utf8_is_control(t))
            break;
        t.at += length;
    }
    return (size_t)(t.at - start);
}

struct text utf8_take_printable(struct text *t)
{
    struct text taken = text_of(t->at, printable_length(*t));
    t->at = text_is_empty(taken) ? t->at + 1 : taken.end;
    return text_is_empty(taken) ? text_of("?", 1) : taken;
}

void utf8_make_printable(char *bytes, size_t length)
{
    struct text rest = text_of(bytes, length);
    while (!text_is_empty(rest)) {
        char *at = bytes + (rest.at - bytes);
        *at = *utf8_take_printable(&rest).at;
    }
}

#include "util/utf8.h"

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
    size_t form = 0, forms_count = sizeof forms / sizeof forms[0];
    while (form < forms_count && (c[0] < forms[form].first || c[0] > forms[form].last))
        form++;
    size_t length = form < forms_count ? forms[form].length : 0;
    if (length == 0 || text_length(t) < length || (length > 1 && (c[1] < forms[form].low || c[1] > forms[form].high)))
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

struct text utf8_take_printable(struct text *t)
{
    struct text taken = {t->at, t->at};
    size_t length;
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
    while (length < text_length(t) && t.at[length] >= ' ' && t.at[length] <= '~' && strchr(but, t.at[length]) == NULL)
        length++;
    return length;
}

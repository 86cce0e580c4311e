#include "webgrind/bytes.h"

#include <inttypes.h>

bool bytes_write(struct outfile *out, const uint32_t *numbers, size_t count)
{
    unsigned char bytes[8 * NUMBER_SIZE];
    for (size_t i = 0; i < count; i++)
        bytes_put(bytes + i * NUMBER_SIZE, numbers[i]);
    return outfile_write(out, bytes, count * NUMBER_SIZE);
}

bool bytes_write_line(struct outfile *out, struct text line)
{
    return outfile_write(out, line.at, text_length(line)) && outfile_write(out, "\n", 1);
}

void narrow_init(struct narrow *narrow, struct diag *diag, const struct profile *profile)
{
    *narrow = (struct narrow){diag, profile, UINT32_MAX};
}

static void warn(struct narrow *narrow, uint32_t function, const char *what, const char *written)
{
    if (narrow->warned == function)
        return;
    narrow->warned = function;
    struct text name =
        names_text(&narrow->profile->names, narrow->profile->functions[function].name);
    diag_warning(narrow->diag, 0, "%s of function " TEXT_FMT " does not fit 32 bits, %s is written",
                 what, TEXT_ARG(name), written);
}

uint32_t narrow_cost(struct narrow *narrow, uint32_t function, cost_t value)
{
    if (value < 0) {
        warn(narrow, function, "a negative cost", "0");
        return 0;
    }
    if (value > UINT32_MAX) {
        warn(narrow, function, "a cost", "4294967295");
        return UINT32_MAX;
    }
    return (uint32_t)value;
}

uint32_t narrow_count(struct narrow *narrow, uint32_t function, uint64_t value)
{
    if (value > UINT32_MAX) {
        warn(narrow, function, "a count", "4294967295");
        return UINT32_MAX;
    }
    return (uint32_t)value;
}

#include "webgrind/bytes.h"

bool bytes_write(struct outfile *out, const uint32_t *numbers, size_t count)
{
    unsigned char bytes[8 * NUMBER_SIZE];
    for (size_t i = 0; i < count; i++)
        little4_put(bytes + i * NUMBER_SIZE, numbers[i]);
    return outfile_write(out, bytes, count * NUMBER_SIZE);
}

bool bytes_write_line(struct outfile *out, struct text line)
{
    return outfile_write(out, line.at, text_length(line)) && outfile_write(out, "\n", 1);
}

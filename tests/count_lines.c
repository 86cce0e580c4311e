#include "count_lines.h"

#include "io/lines.h"

#include <stdatomic.h>

static atomic_size_t count;

enum lines_result __real_lines_next(struct lines *lines, struct text *line);
enum lines_result __wrap_lines_next(struct lines *lines, struct text *line);

enum lines_result __wrap_lines_next(struct lines *lines, struct text *line)
{
    enum lines_result result = __real_lines_next(lines, line);
    atomic_fetch_add(&count, result == LINES_LINE);
    return result;
}

size_t lines_asked_for(void)
{
    return atomic_load(&count);
}

#include "util/array.h"

/* The first capacity of an array. Tests redefine it, so that more additions need memory. */
#ifndef ARRAY_FIRST_CAPACITY
#define ARRAY_FIRST_CAPACITY 16
#endif

void array_grow(void *array, size_t *capacity, size_t need, size_t size, int byte)
{
    size_t limit = SIZE_MAX / 2 / size, wanted = *capacity + *capacity / 2;
    if (need > limit)
        run_out_of_memory();
    wanted = MAX(MIN(MAX(wanted, ARRAY_FIRST_CAPACITY), limit), need);

    /* The array's own pointer type is unknown here; its bytes are copied, never read as char *. */
    char *bytes;
    memcpy(&bytes, array, sizeof bytes);
    bytes = memory_resize(bytes, wanted * size);
    memcpy(array, &bytes, sizeof bytes);
    if (byte != ANY_BYTE)
        memset(bytes + *capacity * size, byte, (wanted - *capacity) * size);
    *capacity = wanted;
}

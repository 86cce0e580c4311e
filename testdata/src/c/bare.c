/* Without line information, between functions that have it. */
#include <stdlib.h>

void add(int n);
void mix(int n);

void bare_skip(int n)
{
    if (n & 1)
        mix(n);
    add(n);
}

int bare_walk(int n)
{
    char *p = malloc((size_t)n);
    add(n);
    free(p);
    return n > 0 ? bare_walk(n - 2) : 0;
}

/* Spends time at known lines: in inlined code of another file, in two calls from one function, and in recursion. */
#include <stdlib.h>

#include "lines.h"

static volatile unsigned sum;

__attribute__((noinline)) static void spin(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        sum += mix(i);
}

__attribute__((noinline)) static void down(unsigned depth)
{
    spin(1000000);
    if (depth > 0)
        down(depth - 1);
}

__attribute__((noinline)) static void both(void)
{
    spin(3000000);
    spin(6000000);
}

int main(int count, char **arguments)
{
    unsigned times = count > 1 ? (unsigned)atoi(arguments[1]) : 1;
    for (unsigned i = 0; i < times; i++) {
        both();
        down(5);
    }
    return sum == 1;
}

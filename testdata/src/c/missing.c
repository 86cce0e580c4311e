/* Calls functions of missing-lines.S, which lack lines, and is called by them. bare.c is compiled without -g. */
#include <stdlib.h>

void sweep(int n);
int bare_walk(int n);
static volatile long sum;

void add(int n)
{
    for (int i = 0; i < n; i++)
        sum += i;
}

void mix(int n)
{
    for (int i = 0; i < n; i++)
        sum ^= i;
}

int main(void)
{
    for (int i = 1; i < 8; i++) {
        sweep(i);
        bare_walk(i);
    }
    return 0;
}

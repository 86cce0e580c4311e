/* A shared library. */
#include "price.h"

static __attribute__((noipa)) int helper(int x) { return x / 2 + 1; }

int tax_sum(const int *v, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += helper(v[i]);
    return s;
}

__attribute__((noipa)) int tax_apply(int (*f)(int), int n) { return n ? f(n) + tax_apply(f, n - 1) : 0; }

/* Inlined into main.c and stock.c, a header of functions that call one another. */
#ifndef PRICE_H
#define PRICE_H

static inline int square(int x)
{
    int s = 0;
    for (int i = 0; i < (x & 15); i++)
        s += x ^ i;
    return s + x * x;
}

static inline __attribute__((always_inline)) int twice(int x) { return square(x) + square(x + 1); }

int stock_area(int w, int h);
int stock_walk(int depth);
int tax_sum(const int *v, int n);
int tax_apply(int (*f)(int), int n);

#endif

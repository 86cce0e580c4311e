#include "price.h"

static __attribute__((noipa)) int helper(int x) { return x * 7 - (x & 3); }

int stock_area(int w, int h)
{
    int s = 0;
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            s += helper(i * j);
    return s;
}

__attribute__((noipa)) int stock_walk(int depth)
{
    if (depth == 0)
        return helper(1);
    return stock_walk(depth - 1) + stock_walk(depth - 1) + square(depth);
}

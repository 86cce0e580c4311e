/* For gperftools: recursion, two functions that call each other, callbacks of qsort. */
#include <stdlib.h>

__attribute__((noinline)) int leaf(int n)
{
    volatile int s = 0;
    for (int i = 0; i < n * 2000; i++)
        s += i ^ n;
    return s;
}
__attribute__((noinline)) int down(int n) { return n ? down(n - 1) + leaf(n) : leaf(1); }
__attribute__((noinline)) int even(int n);
__attribute__((noinline)) int odd(int n) { return n ? even(n - 1) + leaf(2) : 0; }
__attribute__((noinline)) int even(int n) { return n ? odd(n - 1) + leaf(1) : 1; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void)
{
    static int v[20000];
    int s = 0;
    for (int round = 0; round < 300; round++) {
        s += down(12) + even(20);
        for (int i = 0; i < 20000; i++)
            v[i] = rand();
        qsort(v, 20000, sizeof v[0], compare);
    }
    return s == 0;
}

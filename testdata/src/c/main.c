/* Recursion, three functions that call each other, callbacks of qsort and of a library, threads. */
#include "price.h"

#include <pthread.h>
#include <stdlib.h>

#define APART __attribute__((noipa))

/* stock.c and tax.c have static functions of the same name. */
static APART int helper(int x)
{
    int s = 0;
    while (x > 0) {
        s += x % 3;
        x--;
    }
    return s;
}

static APART int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int b(int n), c(int n);
static APART int a(int n) { return n <= 0 ? 1 : b(n - 1) + helper(n); }
static APART int b(int n) { return n <= 0 ? 2 : c(n - 1) * 3; }
static APART int c(int n) { return n <= 0 ? 3 : a(n - 1) + twice(n); }

static int compare(const void *p, const void *q) { return *(const int *)p - *(const int *)q; }
static int callback(int x) { return helper(x) + twice(x); }

static APART void *worker(void *p)
{
    long n = (long)p, s = 0;
    for (int i = 0; i < n; i++)
        s += helper(i) + stock_walk(3);
    return (void *)s;
}

int main(int argc, char **argv)
{
    int v[40], s = 0;
    int threads = argc > 1 ? atoi(argv[1]) : 0;
    unsigned r = 1;
    for (int i = 0; i < 40; i++)
        v[i] = (r = r * 1103515245 + 12345) >> 20;
    qsort(v, 40, sizeof v[0], compare);
    for (int i = 0; i < 5; i++)
        s += stock_area(i, i + 1) + helper(i * 3);
    s += fib(9) + a(7) + stock_walk(5) + tax_sum(v, 40) + tax_apply(callback, 6) + twice(argc);

    pthread_t t[4];
    for (long i = 0; i < threads && i < 4; i++)
        pthread_create(&t[i], NULL, worker, (void *)(10 + i));
    for (int i = 0; i < threads && i < 4; i++) {
        void *q;
        pthread_join(t[i], &q);
        s += (int)(long)q;
    }
    return s == 0;
}

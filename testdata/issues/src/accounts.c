/* Checks a year's accounts day by day: more than 2^32 instructions in one function. */
#include <stdio.h>

enum { DAYS = 365, ENTRIES = 4096 };

static unsigned entries[ENTRIES];

__attribute__((noinline)) static void read_day(int day)
{
    for (unsigned i = 0; i < ENTRIES; i++)
        entries[i] = i * 2654435761u + (unsigned)day;
}

__attribute__((noinline)) static unsigned checksum(unsigned seed)
{
    unsigned sum = seed;
    for (int round = 0; round < 620; round++)
        for (unsigned i = 0; i < ENTRIES; i++)
            sum = (sum ^ entries[i]) * 16777619u;
    return sum;
}

__attribute__((noinline)) static unsigned check_day(int day, unsigned seed)
{
    read_day(day);
    return checksum(seed);
}

int main(void)
{
    unsigned sum = 1;
    for (int day = 0; day < DAYS; day++)
        sum = check_day(day, sum);
    printf("%u\n", sum);
    return 0;
}

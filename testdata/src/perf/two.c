__attribute__((noinline)) long turn_two(long steps)
{
    volatile long sum = 0;
    for (long i = 0; i < steps; i++)
        sum += i;
    return sum;
}

long two(long steps)
{
    return turn_two(steps) + 1;
}

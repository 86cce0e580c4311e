__attribute__((noinline)) long turn_one(long steps)
{
    volatile long sum = 0;
    for (long i = 0; i < steps; i++)
        sum += i;
    return sum;
}

long one(long steps)
{
    return turn_one(steps) + 1;
}

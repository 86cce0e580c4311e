/* Is inlined into the functions of lines.c. */
static inline __attribute__((always_inline)) unsigned mix(unsigned value)
{
    value ^= value << 13;
    value ^= value >> 17;
    value ^= value << 5;
    return value;
}

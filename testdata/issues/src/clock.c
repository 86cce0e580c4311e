/*
 * For LD_PRELOAD: one reading of the clock, the CLOCK_GLITCH-th, is a second too small. The name is not
 * gettimeofday, since PHP loads its extensions so that they see libc first.
 */
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

int gettimeofdaz(struct timeval *now, void *zone)
{
    static int readings;
    struct timespec t;
    const char *glitch = getenv("CLOCK_GLITCH");
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &t);
    now->tv_sec = t.tv_sec - (glitch != NULL && ++readings == atoi(glitch));
    now->tv_usec = t.tv_nsec / 1000;
    return 0;
}

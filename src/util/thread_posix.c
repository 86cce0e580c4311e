#include "util/thread.h"

#include <signal.h>
#include <unistd.h>

int thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

unsigned thread_cores(void)
{
#ifdef _SC_NPROCESSORS_ONLN
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores > 1)
        return cores < 1024 ? (unsigned)cores : 1024;
#endif
    return 1;
}

/* Threads that leave signals to the one that started them. */
#ifndef CG2WG_UTIL_THREAD_H
#define CG2WG_UTIL_THREAD_H

#include <pthread.h>

/* Starts a thread. Returns 0, or the error: none was started. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* How many threads run at the same time on this machine, as far as it tells; 1 at least. */
unsigned thread_cores(void);

#endif

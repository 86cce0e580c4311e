/* Threads that leave signals to the one that started them, and that can be called off. */
#ifndef CG2WG_UTIL_THREAD_H
#define CG2WG_UTIL_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread. Returns 0, or the error: none was started. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* How many threads run at the same time on this machine, as far as it tells; 1 at least. */
unsigned thread_cores(void);

/* Where a thread waits for input that may never come, and another can have it wait no longer. */
struct waiting_place {
    int ends[2]; /* POSIX: a pipe, whose end is closed to call the thread off */
};

/* Returns false, with errno, if the system has no room for it. */
bool waiting_place_open(struct waiting_place *place);

/*
 * To be called before each read of `fd` by the thread. Returns false if it has been called off. If true,
 * the read need not wait; or, on Windows, it may, and fails when the thread is called off.
 */
bool waiting_place_enter(struct waiting_place *place, int fd);

/* Calls the thread off and waits for its end. It must end if waiting or reading fails. */
void waiting_place_join(struct waiting_place *place, pthread_t thread);

/* Frees it, once there is no thread. */
void waiting_place_close(struct waiting_place *place);

#endif

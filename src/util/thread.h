/* Threads that leave signals to the one that started them, and that can be called off. */
#ifndef CG2WG_UTIL_THREAD_H
#define CG2WG_UTIL_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread. Returns 0, or the error: none was started. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* How many threads run at the same time on this machine, as far as it tells; 1 at least. */
unsigned thread_cores(void);

/* Where threads wait for input that may never come, and another can have them wait no longer. */
struct waiting_place {
    int ends[2]; /* POSIX: a pipe, into which a byte is written to call them off */
};

/* Returns false, with errno, if the system has no room for it. */
bool waiting_place_open(struct waiting_place *place);

/*
 * To be called before each read of `fd` by a thread. Returns false if it has been called off. If true,
 * the read need not wait; or, on Windows, it may, and fails when the thread is called off.
 */
bool waiting_place_enter(struct waiting_place *place, int fd);

/* The same before each write of up to PIPE_BUF bytes to a pipe. */
bool waiting_place_enter_output(struct waiting_place *place, int fd);

/*
 * Calls off all threads that wait there, and waits for the end of this one: it must end if waiting or
 * reading fails. Other threads are joined by more calls, and by nothing else in between.
 */
void waiting_place_join(struct waiting_place *place, pthread_t thread);

/* Frees it, once there are no threads. */
void waiting_place_close(struct waiting_place *place);

#endif

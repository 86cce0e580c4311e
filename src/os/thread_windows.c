/* SPDX-License-Identifier: MIT */
#include "os/thread.h"

#include <windows.h>

int thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    return pthread_create(thread, NULL, run, argument);
}

unsigned thread_cores(void)
{
    int cores = pthread_num_processors_np();
    return cores > 1 ? (unsigned)cores : 1;
}

bool canceller_open(struct canceller *canceller)
{
    return true;
}

/* Cancelling does not affect a read that has not begun. So this is repeated until the thread has ended. */
void canceller_end(struct canceller *canceller, const pthread_t *thread)
{
    if (thread == NULL)
        return;
    HANDLE handle = pthread_gethandle(*thread);
    do
        CancelSynchronousIo(handle);
    while (WaitForSingleObject(handle, 5) == WAIT_TIMEOUT);
    pthread_join(*thread, NULL);
}

void signals_hold(struct held_signals *held, bool only_limit)
{
}

bool signals_end_process(const struct held_signals *held)
{
    return false;
}

void signals_release(void *of)
{
}

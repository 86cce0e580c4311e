/* SPDX-License-Identifier: MIT */
/*
 * Threads that block all signals, and that can be cancelled while they wait; and the signals that a thread blocks
 * because it must remove a file before the process ends. On Windows, the system removes the file: see file_create.
 */
#ifndef CG2WG_OS_THREAD_H
#define CG2WG_OS_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/* Starts a thread. Returns 0, or an error number if none was started. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* The number of threads that this machine can run at the same time; at least 1. */
unsigned thread_cores(void);

/* Cancels a thread that waits in program_feed for input that may never come. */
struct canceller {
    int ends[2]; /* POSIX: a pipe, for whose reading end the thread waits, too */
};

/* Returns false, with errno, if the system has no resources for it. */
bool canceller_open(struct canceller *canceller);

/* Cancels and joins the thread (NULL: none), which must end if waiting or reading fails, and frees the canceller. */
void canceller_end(struct canceller *canceller, const pthread_t *thread);

struct held_signals {
    bool are_held; /* never, on Windows */
#ifndef _WIN32
    sigset_t old_mask, old_pending; /* valid if they are held */
#endif
};

/*
 * Blocks signals that writing raises (SIGPIPE, SIGXFSZ), and those from other processes that would end this one; or
 * only SIGXFSZ: a write beyond a limit on the size of files then fails, but does not end the process.
 */
void signals_hold(struct held_signals *held, bool only_limit);

/* Is a signal from another process pending that would end this one, because it has no handler? */
bool signals_end_process(const struct held_signals *held);

/* Restores the mask in a struct held_signals; drops what our writing has raised and no handler wants. Keeps errno. */
void signals_release(void *held);

#endif

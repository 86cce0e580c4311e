/*
 * Blocks signals that would end the process, in a thread that must remove a file first.
 *
 * Windows has no such signals, and the system removes such a file: see file_create_temporary.
 */
#ifndef CG2WG_OS_SIGNALS_H
#define CG2WG_OS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct held_signals {
    bool are_held;
#ifndef _WIN32
    sigset_t old_mask; /* if they are */
#endif
};

/* Blocks signals from other processes, and those that writing raises: SIGPIPE, SIGXFSZ. */
void signals_hold(struct held_signals *held);

/* Blocks only those that writing raises. */
void signals_hold_own(struct held_signals *held);

/*
 * Is a signal from another process pending that would end this one? A signal with a handler would
 * not; its handler is called when signals are released.
 */
bool signals_end_process(const struct held_signals *held);

/*
 * Unblocks them, if they are blocked, and drops those that our own writing raised: that write has
 * failed, too. Keeps errno.
 */
void signals_release(struct held_signals *held);

#endif

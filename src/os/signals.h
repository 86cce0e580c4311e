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

/* Blocks signals that writing raises (SIGPIPE, SIGXFSZ), and, unless `only_own`, those from other processes. */
void signals_hold(struct held_signals *held, bool only_own);

/*
 * Is a signal from another process pending that would end this one? One with a handler would not: the handler is
 * called when signals are released.
 */
bool signals_end_process(const struct held_signals *held);

/* Unblocks them, if they are blocked, and drops those that our own writing raised. Keeps errno. */
void signals_release(struct held_signals *held);

#endif

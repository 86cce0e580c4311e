/*
 * Signals that would end the process are held back in the thread that has a file to remove first.
 *
 * On Windows there are none, and the system removes such a file: see file_create_temporary.
 */
#ifndef CG2WG_UTIL_SIGNALS_H
#define CG2WG_UTIL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct held_signals {
    bool are_held;
#ifndef _WIN32
    sigset_t old_mask; /* if they are */
#endif
};

/* Holds back those that somebody else sends, and those that writing raises: SIGPIPE, SIGXFSZ. */
void signals_hold(struct held_signals *held);

/* Holds back only those that writing raises. */
void signals_hold_own(struct held_signals *held);

/*
 * Does one wait that somebody has sent, and that would end the process? One that the process has a
 * handler for would not; the handler is called when signals are released.
 */
bool signals_end_process(const struct held_signals *held);

/*
 * Lets them through, if they are held, but for those of our own writing, which has failed, too. Keeps
 * errno.
 */
void signals_release(struct held_signals *held);

#endif

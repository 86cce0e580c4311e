#include "os/signals.h"

#include <errno.h>
#include <stddef.h>

/* Signals that end the process by default and that other processes send; those that a fault raises are not blocked. */
static const int ending_signals[] = {
    SIGHUP,    SIGINT,  SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2,
    SIGVTALRM, SIGPROF, SIGXCPU, SIGABRT,
#ifdef SIGPOLL
    SIGPOLL, /* SIGIO, on systems where that ends a process */
#endif
#ifdef SIGPWR
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
#ifdef SIGLOST
    SIGLOST,
#endif
};

enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };

/* Signals that our own writing raises, because a file grows too large or nobody reads a pipe. That write also fails. */
static const int own_signals[] = {SIGXFSZ, SIGPIPE};

/*
 * The signals numbered from 0 that other processes send: the above, and the real-time signals that the libc does not
 * reserve for itself. Their range is known only at run time, and some systems have none. After the last: 0.
 */
static int ending_signal(int i)
{
    if (i < ENDING_SIGNALS)
        return ending_signals[i];
#ifdef SIGRTMIN
    if (i - ENDING_SIGNALS <= SIGRTMAX - SIGRTMIN)
        return SIGRTMIN + i - ENDING_SIGNALS;
#endif
    return 0;
}

void signals_hold(struct held_signals *held, bool only_own)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, own_signals[0]);
    sigaddset(&signals, own_signals[1]);
    for (int i = 0; !only_own && ending_signal(i) != 0; i++)
        sigaddset(&signals, ending_signal(i));
    held->are_held = true;
    pthread_sigmask(SIG_BLOCK, &signals, &held->old_mask);
}

/* True if signal `number` is pending and would end the process if it were not blocked. */
static bool waits_to_end(const struct held_signals *held, const sigset_t *pending, int number)
{
    struct sigaction action;
    return sigismember(pending, number) == 1 && sigismember(&held->old_mask, number) != 1 &&
           sigaction(number, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
           action.sa_handler == SIG_DFL;
}

bool signals_end_process(const struct held_signals *held)
{
    sigset_t pending;
    int i = 0;
    if (sigpending(&pending) != 0)
        return false;
    while (ending_signal(i) != 0 && !waits_to_end(held, &pending, ending_signal(i)))
        i++;
    return ending_signal(i) != 0;
}

void signals_release(struct held_signals *held)
{
    sigset_t pending, own;
    int error = errno, number;
    if (!held->are_held)
        return;
    for (int i = 0; i < 2; i++)
        if (sigpending(&pending) == 0 && waits_to_end(held, &pending, own_signals[i])) {
            sigemptyset(&own);
            sigaddset(&own, own_signals[i]);
            sigwait(&own, &number);
        }
    pthread_sigmask(SIG_SETMASK, &held->old_mask, NULL);
    errno = error;
}

#include "os/signals.h"

#include <errno.h>
#include <stddef.h>

/*
 * Signals that end the process by default and that other processes send. In addition, all real-time
 * signals except a few that the libc reserves for itself. Signals that a fault raises are not
 * blocked.
 */
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

/*
 * Signals that our own writing raises, because a file grows too large or nobody reads a pipe. The
 * write also fails.
 */
static const int own_signals[] = {SIGXFSZ, SIGPIPE};

enum { OWN_SIGNALS = sizeof own_signals / sizeof own_signals[0] };

static sigset_t all_own(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < OWN_SIGNALS; i++)
        sigaddset(&set, own_signals[i]);
    return set;
}

static void hold(struct held_signals *held, sigset_t signals)
{
    held->are_held = true;
    pthread_sigmask(SIG_BLOCK, &signals, &held->old_mask);
}

/* The range of real-time signals is known only at run time, and some systems have none. */
void signals_hold(struct held_signals *held)
{
    sigset_t signals = all_own();
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++)
        sigaddset(&signals, ending_signals[i]);
#ifdef SIGRTMIN
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        sigaddset(&signals, number);
#endif
    hold(held, signals);
}

void signals_hold_own(struct held_signals *held)
{
    hold(held, all_own());
}

/*
 * True if signal `number` is pending and would end the process if it were not blocked. A signal
 * with a handler would not; its handler is called when the output is complete.
 */
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
    if (sigpending(&pending) != 0)
        return false;
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++)
        if (waits_to_end(held, &pending, ending_signals[i]))
            return true;
#ifdef SIGRTMIN
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        if (waits_to_end(held, &pending, number))
            return true;
#endif
    return false;
}

void signals_release(struct held_signals *held)
{
    sigset_t pending, own;
    int error = errno, number;
    if (!held->are_held)
        return;
    for (int i = 0; i < OWN_SIGNALS; i++)
        if (sigpending(&pending) == 0 && waits_to_end(held, &pending, own_signals[i])) {
            sigemptyset(&own);
            sigaddset(&own, own_signals[i]);
            sigwait(&own, &number);
        }
    pthread_sigmask(SIG_SETMASK, &held->old_mask, NULL);
    errno = error;
}

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

enum {
    ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0],
    OWN_SIGNALS = sizeof own_signals / sizeof own_signals[0]
};

/* The range is known only at run time, and some systems have none. */
static int ending_count(void)
{
#ifdef SIGRTMIN
    return ENDING_SIGNALS + SIGRTMAX - SIGRTMIN + 1;
#else
    return ENDING_SIGNALS;
#endif
}

static int ending_signal(int i)
{
#ifdef SIGRTMIN
    if (i >= ENDING_SIGNALS)
        return SIGRTMIN + i - ENDING_SIGNALS;
#endif
    return ending_signals[i];
}

static void add_own(sigset_t *set)
{
    for (int i = 0; i < OWN_SIGNALS; i++)
        sigaddset(set, own_signals[i]);
}

static void hold(struct held_signals *held, const sigset_t *signals)
{
    held->are_held = true;
    pthread_sigmask(SIG_BLOCK, signals, &held->old_mask);
}

void signals_hold(struct held_signals *held)
{
    sigset_t signals;
    sigemptyset(&signals);
    for (int i = 0; i < ending_count(); i++)
        sigaddset(&signals, ending_signal(i));
    add_own(&signals);
    hold(held, &signals);
}

void signals_hold_own(struct held_signals *held)
{
    sigset_t signals;
    sigemptyset(&signals);
    add_own(&signals);
    hold(held, &signals);
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
    for (int i = 0; i < ending_count(); i++)
        if (waits_to_end(held, &pending, ending_signal(i)))
            return true;
    return false;
}

void signals_release(struct held_signals *held)
{
    sigset_t pending, own;
    int error = errno;
    if (!held->are_held)
        return;
    for (int i = 0; i < OWN_SIGNALS; i++) {
        int number;
        if (sigpending(&pending) != 0 || !waits_to_end(held, &pending, own_signals[i]))
            continue;
        sigemptyset(&own);
        sigaddset(&own, own_signals[i]);
        sigwait(&own, &number);
    }
    pthread_sigmask(SIG_SETMASK, &held->old_mask, NULL);
    errno = error;
}

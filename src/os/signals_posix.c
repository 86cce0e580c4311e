#include "os/signals.h"

#include <errno.h>
#include <stddef.h>

/* Signals that do not end a process, or that a fault raises. (No process can block SIGKILL or SIGSTOP.) */
static const int other_signals[] = {SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGKILL, SIGSTOP,
                                    SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP, SIGSYS,
#ifdef SIGWINCH
                                    SIGWINCH,
#endif
#ifdef SIGINFO
                                    SIGINFO,
#endif
};

/* Signals that our own writing raises, because a file grows too large or nobody reads a pipe. That write also fails. */
static const int own_signals[] = {SIGXFSZ, SIGPIPE};

/* All others end the process by default, when another one sends them. Which these are depends on the system. */
static void ending_signals(sigset_t *signals)
{
    sigfillset(signals);
    for (size_t i = 0; i < sizeof other_signals / sizeof other_signals[0]; i++)
        sigdelset(signals, other_signals[i]);
    for (size_t i = 0; i < sizeof own_signals / sizeof own_signals[0]; i++)
        sigdelset(signals, own_signals[i]);
}

void signals_hold(struct held_signals *held, bool only_own)
{
    sigset_t signals;
    if (only_own)
        sigemptyset(&signals);
    else
        ending_signals(&signals);
    for (size_t i = 0; i < sizeof own_signals / sizeof own_signals[0]; i++)
        sigaddset(&signals, own_signals[i]);
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
    enum { MOST_SIGNALS = 128 }; /* no system has more */
    sigset_t pending, ending;
    if (sigpending(&pending) != 0)
        return false;
    ending_signals(&ending);
    for (int i = 1; i < MOST_SIGNALS; i++)
        if (sigismember(&ending, i) == 1 && waits_to_end(held, &pending, i))
            return true;
    return false;
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

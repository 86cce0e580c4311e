/* SPDX-License-Identifier: MIT */
#include "os/thread.h"

#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

int thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

unsigned thread_cores(void)
{
#ifdef _SC_NPROCESSORS_ONLN
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 1 ? (unsigned)cores : 1;
#else
    return 1;
#endif
}

bool canceller_open(struct canceller *canceller)
{
    if (pipe(canceller->ends) != 0)
        return false;
    fcntl(canceller->ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(canceller->ends[1], F_SETFD, FD_CLOEXEC);
    fcntl(canceller->ends[1], F_SETFL, O_NONBLOCK);
    return true;
}

/* Closing the end is not enough: a program that another thread started at the same time may have inherited it. */
void canceller_end(struct canceller *canceller, const pthread_t *thread)
{
    while (write(canceller->ends[1], "", 1) < 0 && errno == EINTR)
        ;
    if (thread != NULL)
        pthread_join(*thread, NULL);
    close(canceller->ends[1]);
    close(canceller->ends[0]);
}

/* Signals that do not end a process, or that a fault raises. (No process can block SIGKILL or SIGSTOP.) */
static const int other_signals[] = {
    SIGCHLD,  SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS,
#ifdef SIGWINCH
    SIGWINCH,
#endif
#ifdef SIGINFO
    SIGINFO,
#endif
};

/* Signals that our own writing raises, because a file grows too large or nobody reads a pipe. That write also fails. */
static const int own_signals[] = {SIGXFSZ, SIGPIPE};

/* All signals but these two kinds end the process by default, when another one sends them. */
void signals_hold(struct held_signals *held, bool only_limit)
{
    sigset_t signals;
    sigfillset(&signals);
    for (size_t i = 0; i < COUNT_OF(other_signals); i++)
        sigdelset(&signals, other_signals[i]);
    if (only_limit)
        sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    held->are_held = true;
    if (sigpending(&held->old_pending) != 0)
        sigemptyset(&held->old_pending);
    pthread_sigmask(SIG_BLOCK, &signals, &held->old_mask);
}

/* Has a signal no handler, and is it not ignored, unless that does not matter? */
static bool is_default(int number, bool or_ignored)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
           (action.sa_handler == SIG_DFL || (or_ignored && action.sa_handler == SIG_IGN));
}

bool signals_end_process(const struct held_signals *held)
{
    enum { MOST_SIGNALS = 128 }; /* no system has more */
    sigset_t pending;
    bool ends = false, is_known = sigpending(&pending) == 0;
    for (int i = 1; i < MOST_SIGNALS && is_known && !ends; i++)
        ends = i != own_signals[0] && i != own_signals[1] && sigismember(&pending, i) == 1 &&
               sigismember(&held->old_mask, i) != 1 && is_default(i, false);
    return ends;
}

void signals_release(void *of)
{
    struct held_signals *held = of;
    sigset_t pending, own;
    int error = errno, number;
    if (!held->are_held)
        return;
    for (int i = 0; i < 2; i++)
        if (sigpending(&pending) == 0 && sigismember(&pending, own_signals[i]) == 1 &&
            sigismember(&held->old_pending, own_signals[i]) != 1 && is_default(own_signals[i], true)) {
            sigemptyset(&own);
            sigaddset(&own, own_signals[i]);
            sigwait(&own, &number);
        }
    pthread_sigmask(SIG_SETMASK, &held->old_mask, NULL);
    errno = error;
}

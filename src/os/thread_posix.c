#include "os/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
    if (cores > 1)
        return cores < 1024 ? (unsigned)cores : 1024;
#endif
    return 1;
}

bool waiting_place_open(struct waiting_place *place)
{
    if (pipe(place->ends) != 0)
        return false;
    fcntl(place->ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(place->ends[1], F_SETFD, FD_CLOEXEC);
    fcntl(place->ends[1], F_SETFL, O_NONBLOCK);
    return true;
}

bool waiting_place_enter(struct waiting_place *place, int fd)
{
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = place->ends[0], .events = POLLIN}};
    while (poll(fds, 2, -1) < 0)
        if (errno != EINTR)
            return true; /* then read() will report it */
    return fds[1].revents == 0;
}

/* Closing the end is not enough: a program that another thread started at the same time may have inherited it. */
void waiting_place_join(struct waiting_place *place, pthread_t thread)
{
    while (write(place->ends[1], "", 1) < 0 && errno == EINTR)
        ;
    pthread_join(thread, NULL);
}

void waiting_place_close(struct waiting_place *place)
{
    close(place->ends[1]);
    close(place->ends[0]);
}

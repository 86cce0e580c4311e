#include "cli/host.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/*
 * A program may be started with closed standard streams. The next files that it opens would get
 * their descriptors, and messages would end up in the output. The streams that replace them here
 * fail when they are used, as closed ones do.
 */
static bool fill_standard_streams(void)
{
    static const int unusable[] = {[STDIN_FILENO] = O_WRONLY,
                                   [STDOUT_FILENO] = O_RDONLY,
                                   [STDERR_FILENO] = O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", unusable[fd]) != fd)
            return false;
    return true;
}

bool host_prepare(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    if (!fill_standard_streams()) {
        fprintf(stderr, "cg2wg: /dev/null: cannot open: %s\n", strerror(errno));
        return false;
    }
    /* If it is ignored, the exit status of a decoder is lost. */
    signal(SIGCHLD, SIG_DFL);
    return true;
}

size_t host_columns(int fd)
{
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL_COLUMNS;
}

bool host_is_in_background(void)
{
    pid_t foreground = tcgetpgrp(STDERR_FILENO);
    return foreground >= 0 && foreground != getpgrp();
}

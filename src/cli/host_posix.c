#include "cli/host.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/*
 * A program may be started with its standard streams closed. The next file that it opens would take
 * their place, and messages would end up in the output. What takes their place here fails when it is
 * used, as they would.
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
    /* Where it is ignored, nobody learns how a decoder has ended. */
    signal(SIGCHLD, SIG_DFL);
    return true;
}

size_t host_columns(int fd)
{
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool host_is_in_background(void)
{
    pid_t foreground = tcgetpgrp(STDERR_FILENO);
    return foreground >= 0 && foreground != getpgrp();
}

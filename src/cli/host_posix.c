/* SPDX-License-Identifier: MIT */
#include "cli/host.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Otherwise the next file would get the descriptor of a closed stream, and messages could end up in an output. */
bool host_prepare(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) {
            fprintf(stderr, "cg2wg: /dev/null: cannot open: %s\n", strerror(errno));
            return false;
        }
    /* If it is ignored, the exit status of a decoder is lost. */
    signal(SIGCHLD, SIG_DFL);
    return true;
}

size_t host_width(int fd, size_t *height)
{
    struct winsize size;
    bool is_known = ioctl(fd, TIOCGWINSZ, &size) == 0;
    if (height != NULL)
        *height = is_known ? size.ws_row : 0;
    return is_known && size.ws_col > 0 ? size.ws_col : USUAL_WIDTH;
}

bool host_is_in_background(void)
{
    pid_t foreground = tcgetpgrp(STDERR_FILENO);
    return foreground >= 0 && foreground != getpgrp();
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* declares prlimit and wait4, which POSIX lacks */
#include "os/program.h"

#include "os/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PIPE_BUF
#define PIPE_BUF _POSIX_PIPE_BUF
#endif

extern char **environ;

static void close_if_open(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* To a program that has ended, this fails without a signal. Sets p->error, if that fails for another reason. */
static bool write_quietly(struct program *p, const char *bytes, size_t length)
{
    struct held_signals signals;
    signals_hold(&signals, false);
    bool done = file_write_all(p->to, bytes, length);
    signals_release(&signals);
    if (done)
        p->fed += length;
    else
        p->error = errno == EPIPE ? 0 : errno;
    return done;
}

bool program_feed(struct program *p, int fd, struct canceller *canceller)
{
    char bytes[PIPE_BUF];  /* a pipe with room takes as many without blocking */
    bool has_room = false; /* what is passed on can be written */
    while (p->to >= 0 || canceller != NULL) {
        struct pollfd fds[] = {{.fd = fd, .events = POLLIN},
                               {.fd = canceller != NULL ? canceller->ends[0] : -1, .events = POLLIN},
                               {.fd = p->to, .events = POLLOUT}};
        if (has_room)
            fds[2] = (struct pollfd){.fd = p->input, .events = POLLIN};
        if (poll(fds, 3, -1) < 0) {
            if (errno != EINTR && p->to < 0)
                return true; /* reading says why */
            continue;        /* by a signal, or for lack of memory, which may pass */
        }
        if (fds[1].revents != 0)
            return false;
        if (fds[2].revents == 0)
            return true;
        has_room = !has_room;
        ssize_t count = has_room ? -1 : file_read(p->input, bytes, sizeof bytes, -1);
        if (has_room || (count < 0 && errno == EAGAIN))
            continue;
        if (count < 0)
            p->error = errno;
        if (count <= 0 || !write_quietly(p, bytes, (size_t)count))
            close_if_open(&p->to);
    }
    return true;
}

/* The environment of a program; of one that gets an object, without what would make it ask servers about that. */
static char **environment(const struct program *p)
{
    static const char servers[] = "DEBUGINFOD_URLS=";
    size_t count = 0, left = 0;
    while (environ[count] != NULL)
        count++;
    char **all = memory_get((count + 1) * sizeof *all);
    for (size_t i = 0; i <= count; i++)
        if (p->file < 0 || environ[i] == NULL || strncmp(environ[i], servers, sizeof servers - 1) != 0)
            all[left++] = environ[i];
    return all;
}

/* Starts it with these streams and file. Returns an errno, or 0. SIGPIPE ends it, even if our process ignores that. */
static int spawn(struct program *p, char *const *variables, const int streams[4])
{
    char *const arguments[] = {(char *)p->kind->name, (char *)p->kind->argument, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        sigemptyset(&none);
        sigemptyset(&defaults);
        sigaddset(&defaults, SIGPIPE);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        for (int i = 0; i < (p->file >= 0 ? 4 : 3) && error == 0; i++)
            error = posix_spawn_file_actions_adddup2(&actions, streams[i], i);
        if (error == 0)
            error = posix_spawnp(&p->pid, arguments[0], &actions, &attributes, arguments, variables);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        p->pid = -1;
    return error;
}

/* A pipe that other programs do not inherit: a decoder with the end that its input is written to waits for itself. */
static bool make_pipe(int ends[2])
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

bool program_give(struct program *p, struct text bytes)
{
    if (text_is_empty(bytes))
        return true;
    if (p->input < 0) {
        p->input = file_create_unnamed(false);
        task_hold(&p->held, program_stop, p);
    }
    if (p->input >= 0 && file_write_all(p->input, bytes.at, text_length(bytes)))
        return true;
    if (!p->kind->is_optional)
        diag_error_in(p->diag, NULL, "%s cannot be handed to %s: %s", p->kind->input, p->kind->name, strerror(errno));
    diag_warning(p->diag, 0, "%s cannot be handed to %s, and %s: %s", p->kind->input, p->kind->name, p->kind->past,
                 strerror(errno));
    return false;
}

/* Its messages wait in a pipe that never blocks it, and are shown if it fails. */
bool program_start(struct program *p, int fd, struct text head)
{
    char **variables = environment(p); /* before there are ends of pipes, which a lack of memory would leave open */
    int input[2] = {-1, -1}, output[2] = {-1, -1}, messages[2] = {-1, -1};
    p->start = fd < 0 ? lseek(p->input, 0, SEEK_SET) : lseek(fd, -(off_t)text_length(head), SEEK_CUR);
    bool is_fed = p->start < 0, has_input = !is_fed;
    if (fd >= 0) {
        p->input = file_duplicate(fd);
        has_input = p->input >= 0;
        task_hold(&p->held, program_stop, p);
    }
    bool has_pipes = has_input && (!is_fed || make_pipe(input)) && make_pipe(output) && make_pipe(messages);
    int error = has_pipes ? 0 : errno;
    p->to = input[1];
    p->messages = messages[0];
    p->output = output[0];
    if (has_pipes) {
        if (is_fed && !write_quietly(p, head.at, text_length(head)))
            close_if_open(&p->to);
        fcntl(p->messages, F_SETFL, O_NONBLOCK);
        fcntl(messages[1], F_SETFL, O_NONBLOCK);
        error = spawn(p, variables, (const int[]){is_fed ? input[0] : p->input, output[1], messages[1], p->file});
    }
    memory_free(variables);
    close_if_open(&input[0]);
    close_if_open(&output[1]);
    close_if_open(&messages[1]);
#ifdef __linux__ /* posix_spawn cannot limit it: it has begun, but the kernel holds it to the limits from here on. */
    rlim_t bytes = (rlim_t)p->megabytes << 20, seconds = p->seconds;
    if (p->pid >= 0 && bytes > 0)
        prlimit(p->pid, RLIMIT_AS, &(struct rlimit){bytes, bytes}, NULL);
    if (p->pid >= 0 && seconds > 0)
        prlimit(p->pid, RLIMIT_CPU, &(struct rlimit){seconds, seconds}, NULL);
#endif
    if (p->pid >= 0 || p->kind->is_optional)
        return p->pid >= 0;
    if (!has_pipes)
        diag_error(p->diag, 0, "cannot %s: %s", has_input ? "create a pipe" : "read", strerror(error));
    diag_error(p->diag, 0, "%s %s cannot be started: %s", p->kind->need, p->kind->name, strerror(error));
}

bool program_wait(struct program *p, unsigned seconds)
{
    struct pollfd output = {.fd = p->output, .events = POLLIN};
    int count;
    do
        count = poll(&output, 1, seconds < INT_MAX / 1000 ? (int)seconds * 1000 : -1);
    while (count < 0 && errno == EINTR);
    return count != 0;
}

/* Waits for its end. False, with errno: its status is lost, because the process ignores SIGCHLD. */
static bool wait_for(struct program *p, int *status)
{
    struct rusage usage = {.ru_maxrss = 0};
    pid_t ended;
    do
        ended = wait4(p->pid, status, 0, &usage);
    while (ended < 0 && errno == EINTR);
    p->pid = -1;
    p->used = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
              (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    return ended >= 0;
}

void program_check_end(struct program *p)
{
    if (p->pid < 0)
        return;

    const struct program_kind *kind = p->kind;
    char messages[256];
    int status;
    close_if_open(&p->to); /* it needs no more */
    if (!wait_for(p, &status))
        diag_error(p->diag, 0, "cannot determine whether %s %s: %s", kind->name, kind->past, strerror(errno));
    if (p->error != 0)
        diag_error(p->diag, 0, "cannot read: %s", strerror(p->error));
    if (status == 0)
        return;
    ssize_t count = file_read(p->messages, messages, sizeof messages - 1, -1);
    messages[count > 0 ? count : 0] = '\0';
    char *message = messages + strspn(messages, "\n"); /* the first line that is not empty */
    message[strcspn(message, "\n")] = '\0';

    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        diag_error(p->diag, 0, "%s %s cannot be started", kind->need, kind->name);
    if (WIFSIGNALED(status))
        diag_error(p->diag, 0, "%s was killed by signal %d while it %s", kind->name, WTERMSIG(status), kind->past);
    if (WEXITSTATUS(status) != kind->warning_status)
        diag_error(p->diag, 0, "%s cannot %s (exit status %d): %s", kind->name, kind->work, WEXITSTATUS(status),
                   message);
    diag_problem(p->diag, 0, "%s %s with a warning: %s", kind->name, kind->past, message);
}

void program_stop(void *program)
{
    struct program *p = program;
    int status;
    task_let_go(&p->held);
    close_if_open(&p->messages);
    close_if_open(&p->input);
    close_if_open(&p->output);
    close_if_open(&p->to);
    close_if_open(&p->file);
    if (p->pid >= 0) {
        kill(p->pid, SIGKILL);
        wait_for(p, &status);
    }
}

#include "io/program.h"

#include "util/file.h"
#include "util/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PIPE_BUF
#define PIPE_BUF _POSIX_PIPE_BUF
#endif

extern char **environ;

/*
 * A thread that feeds the decoder input that cannot be sought. It can be cancelled wherever it
 * waits, because its pipe may outlive the decoder in processes that this one has started.
 */
struct feeder {
    int from, to;
    size_t length; /* of the data in the block */
    int error;     /* an errno: why it could not read or pass on data; 0: no error */
    pthread_t thread;
    struct waiting_place place;
    pthread_mutex_t lock;
    uint64_t fed; /* bytes so far; under the lock */
    char block[64 * 1024];
};

struct program program_none(void)
{
    return (struct program){.pid = -1, .messages = -1, .encoded_fd = -1};
}

static bool fail(struct diag *diag, const char *what)
{
    return diag_error(diag, 0, "%s: %s", what, strerror(errno));
}

static void close_pipe(int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/*
 * A pipe whose ends are not inherited by programs started meanwhile: a decoder with the end that
 * the feeder writes to would wait for itself.
 */
static bool make_pipe(struct diag *diag, int ends[2])
{
    if (pipe(ends) != 0)
        return fail(diag, "cannot create a pipe");
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0) {
        fail(diag, "cannot create a pipe");
        close_pipe(ends);
        return false;
    }
    return true;
}

/* ---- the feeder --------------------------------------------------------------------------- */

/* False: no longer wanted, or failed. */
static bool hand_over(struct feeder *f)
{
    const char *bytes = f->block, *end = f->block + f->length;
    while (bytes < end) {
        if (!waiting_place_enter_output(&f->place, f->to))
            return false;
        /* Not more than a pipe with room takes without blocking. */
        size_t length = end - bytes < PIPE_BUF ? (size_t)(end - bytes) : PIPE_BUF;
        ssize_t count = write(f->to, bytes, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            f->error = errno != EPIPE ? errno : 0;
            return false;
        }
        bytes += count;
    }
    pthread_mutex_lock(&f->lock);
    f->fed += f->length;
    pthread_mutex_unlock(&f->lock);
    return true;
}

/* Fills the block. False: there is no more, it failed, or it was cancelled. */
static bool take_input(struct feeder *f)
{
    ssize_t count;
    do {
        if (!waiting_place_enter(&f->place, f->from))
            return false;
        count = file_read(f->from, f->block, sizeof f->block);
    } while (count < 0 && (errno == EINTR || errno == EAGAIN));
    if (count < 0)
        f->error = errno;
    f->length = count > 0 ? (size_t)count : 0;
    return count > 0;
}

/* Writing to a decoder that has ended fails without a signal, because all signals are blocked here. */
static void *feed(void *argument)
{
    struct feeder *f = argument;
    while (hand_over(f) && take_input(f))
        continue;
    close(f->to);
    return NULL;
}

/* Returns NULL, with errno, if it cannot be started; then `to` is still open. */
static struct feeder *new_feeder(int fd, struct text head, int to)
{
    struct feeder *f = malloc(sizeof *f);
    if (f == NULL)
        return NULL;
    f->to = to;
    f->error = 0;
    f->fed = 0;
    f->length = text_length(head);
    memcpy(f->block, head.at, f->length);
    pthread_mutex_init(&f->lock, NULL);
    f->from = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    int error = f->from < 0 || !waiting_place_open(&f->place) ? errno : 0;
    if (error == 0 && (error = thread_start(&f->thread, feed, f)) != 0)
        waiting_place_close(&f->place);
    if (error == 0)
        return f;
    if (f->from >= 0)
        close(f->from);
    pthread_mutex_destroy(&f->lock);
    free(f);
    errno = error;
    return NULL;
}

/* Sets *end to the descriptor from which the decoder reads the head and everything after it. */
static bool start_feeder(struct program *p, int fd, struct text head, int *end, struct diag *diag)
{
    int ends[2];
    if (!make_pipe(diag, ends))
        return false;
    p->feeder = new_feeder(fd, head, ends[1]);
    if (p->feeder == NULL) {
        fail(diag, "cannot start reading");
        close_pipe(ends);
        return false;
    }
    *end = ends[0];
    return true;
}

/*
 * Ends it after the decoder has ended; data that it has not passed on by then are not needed.
 * Returns the errno of a failure, or 0.
 */
static int end_feeder(struct program *p)
{
    struct feeder *f = p->feeder;
    if (f == NULL)
        return 0;
    waiting_place_join(&f->place, f->thread);
    waiting_place_close(&f->place);
    int error = f->error;
    p->fed = f->fed;
    close(f->from);
    pthread_mutex_destroy(&f->lock);
    free(f);
    p->feeder = NULL;
    return error;
}

/* ---- the decoder -------------------------------------------------------------------------- */

static int spawn_decoder(struct program *p, int input, int output, int messages)
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
        /*
         * It must end by SIGPIPE when nobody reads its output, even if our own process ignores that
         * signal.
         */
        sigemptyset(&none);
        sigemptyset(&defaults);
        sigaddset(&defaults, SIGPIPE);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        if ((error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)) == 0 &&
            (error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)) == 0 &&
            (error = posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO)) == 0)
            error = posix_spawnp(&p->pid, arguments[0], &actions, &attributes, arguments,
                                 environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* The file itself stays open until program_stop: its offset shows how far the decoder has come. */
static void close_decoder_input(const struct program *p, int input)
{
    if (input != p->encoded_fd)
        close(input);
}

/* The decoder's messages are kept in a pipe that never blocks it, and shown if it fails. */
int program_start(struct program *p, const struct program_kind *kind, int fd, struct text head,
                  struct diag *diag)
{
    int data[2], messages[2];
    int input = -1;

    p->kind = kind;
    p->encoded_start = lseek(fd, -(off_t)text_length(head), SEEK_CUR);
    if (p->encoded_start >= 0)
        input = p->encoded_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    else if (!start_feeder(p, fd, head, &input, diag))
        return -1;
    if (input < 0) {
        fail(diag, "cannot read");
        return -1;
    }

    if (!make_pipe(diag, data)) {
        close_decoder_input(p, input);
        return -1;
    }
    if (!make_pipe(diag, messages)) {
        close_decoder_input(p, input);
        close_pipe(data);
        return -1;
    }
    fcntl(messages[0], F_SETFL, O_NONBLOCK);
    fcntl(messages[1], F_SETFL, O_NONBLOCK);

    int error = spawn_decoder(p, input, data[1], messages[1]);
    close_decoder_input(p, input);
    close(data[1]);
    close(messages[1]);
    if (error != 0) {
        close(data[0]);
        close(messages[0]);
        p->pid = -1;
        diag_error(diag, 0, "%s %s cannot be started: %s", kind->need, kind->name,
                   strerror(error));
        return -1;
    }
    p->messages = messages[0];
    return data[0];
}

/*
 * Waits for a child. Returns false, with errno, if its exit status is unknown: it is lost if the
 * process ignores SIGCHLD.
 */
static bool wait_for(pid_t *pid, int *status)
{
    pid_t ended;
    do
        ended = waitpid(*pid, status, 0);
    while (ended < 0 && errno == EINTR);
    *pid = -1;
    return ended >= 0;
}

static void stop_child(pid_t *pid)
{
    int status;
    if (*pid < 0)
        return;
    kill(*pid, SIGKILL);
    wait_for(pid, &status);
}

/* The first line of the decoder's messages that is not empty, without its newline. */
static void read_decoder_message(struct program *p, char *message, size_t size)
{
    ssize_t count = file_read_again(p->messages, message, size - 1);
    message[count > 0 ? count : 0] = '\0';
    size_t start = strspn(message, "\n");
    memmove(message, message + start, strlen(message + start) + 1);
    message[strcspn(message, "\n")] = '\0';
}

/* At the end of a decoder's output: was it successful? */
bool program_ended_well(struct program *p, struct diag *diag)
{
    if (p->pid < 0)
        return true;

    const char *program = p->kind->name;
    char message[256];
    int status;
    if (!wait_for(&p->pid, &status))
        return diag_error(diag, 0, "cannot determine whether %s %s: %s", program, p->kind->past,
                          strerror(errno));
    if ((errno = end_feeder(p)) != 0)
        return fail(diag, "cannot read");
    if (status == 0)
        return true;
    read_decoder_message(p, message, sizeof message);

    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return diag_error(diag, 0, "%s %s cannot be started", p->kind->need, program);
    if (WIFSIGNALED(status))
        return diag_error(diag, 0, "%s was killed by signal %d while it %s", program,
                          WTERMSIG(status), p->kind->past);
    if (WEXITSTATUS(status) == p->kind->warning_status)
        return diag_problem(diag, 0, "%s decoded it with a warning: %s", program, message);
    return diag_error(diag, 0, "%s cannot %s (exit status %d): %s", program, p->kind->work,
                      WEXITSTATUS(status), message);
}

int64_t program_taken(struct program *p)
{
    if (p->encoded_fd >= 0) {
        off_t offset = lseek(p->encoded_fd, 0, SEEK_CUR);
        return offset > p->encoded_start ? (int64_t)(offset - p->encoded_start) : 0;
    }
    if (p->feeder != NULL) {
        pthread_mutex_lock(&p->feeder->lock);
        p->fed = p->feeder->fed;
        pthread_mutex_unlock(&p->feeder->lock);
    }
    return p->kind != NULL ? (int64_t)p->fed : -1;
}

static void close_if_open(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void program_stop(struct program *p)
{
    close_if_open(&p->messages);
    close_if_open(&p->encoded_fd);
    stop_child(&p->pid);
    end_feeder(p);
}

#include "io/program.h"

#include "util/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct program program_none(void)
{
    return (struct program){.pid = -1,
                            .messages = -1,
                            .feeder_pid = -1,
                            .encoded_fd = -1,
                            .feeder_counts = -1};
}

static bool fail(struct diag *diag, const char *what)
{
    return diag_error(diag, 0, "%s: %s", what, strerror(errno));
}

/* A pipe whose ends are not handed on to programs that are started meanwhile. */
static bool make_pipe(struct diag *diag, int ends[2])
{
    if (pipe(ends) != 0)
        return fail(diag, "cannot make a pipe");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static void close_pipe(int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

static bool copy_all(int to, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = write(to, bytes, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

/*
 * The feeder's whole life: hands the head and what follows it to the decoder. A decoder that has
 * gone ends it by SIGPIPE. Its exit status is 0 or the errno of what has failed. What it has handed
 * over it tells in `counts`, a pipe that never makes it wait: what does not fit is told the next time.
 */
static void feed(struct text head, int from, int to, int counts)
{
    char block[64 * 1024];
    uint64_t untold = text_length(head);
    signal(SIGPIPE, SIG_DFL);
    if (!copy_all(to, head.at, text_length(head)))
        _exit(errno);
    for (;;) {
        if (write(counts, &untold, sizeof untold) == (ssize_t)sizeof untold)
            untold = 0;
        ssize_t count = file_read_again(from, block, sizeof block);
        if (count == 0)
            _exit(0);
        if (count < 0 || !copy_all(to, block, (size_t)count))
            _exit(errno);
        untold += (uint64_t)count;
    }
}

/* Sets *end to where the decoder reads the head and all that follows it. */
static bool start_feeder(struct program *p, int fd, struct text head, int *end, struct diag *diag)
{
    int ends[2], counts[2];
    if (!make_pipe(diag, ends))
        return false;
    if (!make_pipe(diag, counts)) {
        close_pipe(ends);
        return false;
    }
    fcntl(counts[0], F_SETFL, O_NONBLOCK);
    fcntl(counts[1], F_SETFL, O_NONBLOCK);
    p->feeder_pid = fork();
    if (p->feeder_pid == 0) {
        close(ends[0]);
        close(counts[0]);
        feed(head, fd, ends[1], counts[1]);
    }
    int error = errno;
    close(ends[1]);
    close(counts[1]);
    if (p->feeder_pid < 0) {
        close(ends[0]);
        close(counts[0]);
        errno = error;
        return fail(diag, "cannot start a process to read it");
    }
    p->feeder_counts = counts[0];
    *end = ends[0];
    return true;
}

static int spawn_decoder(struct program *p, int input, int output, int messages)
{
    char *const arguments[] = {(char *)p->kind->name, (char *)"-dc", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        /* It must end by SIGPIPE when nobody reads any more, whatever our own process ignores. */
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

/* The file itself stays open until program_stop: its offset tells how far the decoder has come. */
static void close_decoder_input(const struct program *p, int input)
{
    if (input != p->encoded_fd)
        close(input);
}

/* What the decoder prints is kept in a pipe that never makes it wait, and shown if it fails. */
int program_start(struct program *p, const struct program_kind *kind, int fd, struct text head,
                  struct diag *diag)
{
    int data[2], messages[2], input = -1;

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
        diag_error(diag, 0, "is compressed by %s, but the program %s cannot be started: %s",
                   kind->name, kind->name, strerror(error));
        return -1;
    }
    p->messages = messages[0];
    return data[0];
}

/*
 * Waits for a child. Returns false, with errno, if how it ended cannot be learnt: where the process
 * ignores SIGCHLD, nobody keeps it.
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

/*
 * Has the feeder handed over all that there was? One that was stopped by a decoder that wants no more
 * has. `decoder_failed`: it is ended if it has not yet, and only its own failure counts.
 */
static bool feeder_ended_well(struct program *p, bool decoder_failed, struct diag *diag)
{
    int status;
    if (p->feeder_pid < 0)
        return true;
    if (decoder_failed)
        kill(p->feeder_pid, SIGKILL);
    if (!wait_for(&p->feeder_pid, &status))
        return fail(diag, "cannot learn whether it was read to its end");
    if (WIFEXITED(status)) {
        errno = WEXITSTATUS(status);
        return errno == 0 || fail(diag, "cannot read");
    }
    return decoder_failed || WTERMSIG(status) == SIGPIPE ||
           diag_error(diag, 0, "the process that reads it was ended by signal %d",
                      WTERMSIG(status));
}

/* The first line that the decoder printed that is not empty, without its newline. */
static void read_decoder_message(struct program *p, char *message, size_t size)
{
    ssize_t count = file_read_again(p->messages, message, size - 1);
    message[count > 0 ? count : 0] = '\0';
    size_t start = strspn(message, "\n");
    memmove(message, message + start, strlen(message + start) + 1);
    message[strcspn(message, "\n")] = '\0';
}

/* At the end of a decoder's output: has all gone well? */
bool program_ended_well(struct program *p, struct diag *diag)
{
    if (p->pid < 0)
        return true;

    const char *program = p->kind->name;
    char message[256];
    int status;
    if (!wait_for(&p->pid, &status))
        return diag_error(diag, 0, "cannot learn whether %s could decode it: %s", program,
                          strerror(errno));
    if (!feeder_ended_well(p, status != 0, diag))
        return false;
    if (status == 0)
        return true;
    read_decoder_message(p, message, sizeof message);

    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return diag_error(diag, 0,
                          "is compressed by %s, but the program %s cannot be started", program,
                          program);
    if (WIFSIGNALED(status))
        return diag_error(diag, 0, "%s was ended by signal %d while decoding it", program,
                          WTERMSIG(status));
    if (WEXITSTATUS(status) == p->kind->warning_status)
        return diag_problem(diag, 0, "%s decoded it with a warning: %s", program, message);
    return diag_error(diag, 0, "%s cannot decode it (exit status %d): %s", program,
                      WEXITSTATUS(status), message);
}

/* What the feeder has told since it was asked last. */
static uint64_t take_feeder_counts(const struct program *p)
{
    uint64_t counts[64], sum = 0;
    ssize_t length;
    while ((length = file_read_again(p->feeder_counts, counts, sizeof counts)) > 0)
        for (size_t i = 0; i < (size_t)length / sizeof counts[0]; i++)
            sum += counts[i];
    return sum;
}

int64_t program_taken(struct program *p)
{
    if (p->encoded_fd >= 0) {
        off_t offset = lseek(p->encoded_fd, 0, SEEK_CUR);
        return offset > p->encoded_start ? (int64_t)(offset - p->encoded_start) : 0;
    }
    if (p->feeder_counts < 0)
        return -1;
    p->fed += take_feeder_counts(p);
    return (int64_t)p->fed;
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
    close_if_open(&p->feeder_counts);
    stop_child(&p->pid);
    stop_child(&p->feeder_pid);
}

#include "io/source.h"

#include "io/gunzip.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct decoder {
    const char *magic; /* the first bytes of what it decodes */
    size_t magic_length;
    const char *program; /* NULL: our own, for gzip */
    int warning_status;  /* exit status for "decoded, with a warning"; 0: it has none */
};

static const struct decoder decoders[] = {
    {"\x1f\x8b", 2, NULL, 0},
    {"\x28\xb5\x2f\xfd", 4, "zstd", 0},
    {"\xfd\x37\x7a\x58\x5a\x00", 6, "xz", 2},
    {"BZh", 3, "bzip2", 0},
};

static const struct decoder *decoder_for(const unsigned char *head, size_t length)
{
    for (size_t i = 0; i < sizeof decoders / sizeof decoders[0]; i++)
        if (length >= decoders[i].magic_length &&
            memcmp(head, decoders[i].magic, decoders[i].magic_length) == 0)
            return &decoders[i];
    return NULL;
}

static bool fail(struct source *source, const char *what)
{
    return diag_error(source->diag, 0, "%s: %s", what, strerror(errno));
}

static ssize_t read_again(int fd, void *bytes, size_t length)
{
    ssize_t count;
    do
        count = read(fd, bytes, length);
    while (count < 0 && errno == EINTR);
    return count;
}

static bool read_head(struct source *source)
{
    while (source->head_length < SOURCE_HEAD) {
        ssize_t count = read_again(source->fd, source->head + source->head_length,
                                   SOURCE_HEAD - source->head_length);
        if (count < 0)
            return fail(source, "cannot read");
        if (count == 0)
            break;
        source->head_length += (size_t)count;
    }
    return true;
}

/* A pipe whose ends are not handed on to programs that are started meanwhile. */
static bool make_pipe(struct source *source, int ends[2])
{
    if (pipe(ends) != 0)
        return fail(source, "cannot make a pipe");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static void close_pipe(int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

static bool copy_all(int to, const unsigned char *bytes, size_t length)
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
static void feed(const struct source *source, int from, int to, int counts)
{
    unsigned char block[64 * 1024];
    uint64_t untold = source->head_length;
    signal(SIGPIPE, SIG_DFL);
    if (!copy_all(to, source->head, source->head_length))
        _exit(errno);
    for (;;) {
        if (write(counts, &untold, sizeof untold) == (ssize_t)sizeof untold)
            untold = 0;
        ssize_t count = read_again(from, block, sizeof block);
        if (count == 0)
            _exit(0);
        if (count < 0 || !copy_all(to, block, (size_t)count))
            _exit(errno);
        untold += (uint64_t)count;
    }
}

/* Sets *end to where the decoder reads the head and all that follows it. */
static bool start_feeder(struct source *source, int *end)
{
    int ends[2], counts[2];
    if (!make_pipe(source, ends))
        return false;
    if (!make_pipe(source, counts)) {
        close_pipe(ends);
        return false;
    }
    fcntl(counts[0], F_SETFL, O_NONBLOCK);
    fcntl(counts[1], F_SETFL, O_NONBLOCK);
    source->feeder_pid = fork();
    if (source->feeder_pid == 0) {
        close(ends[0]);
        close(counts[0]);
        feed(source, source->fd, ends[1], counts[1]);
    }
    int error = errno;
    close(ends[1]);
    close(counts[1]);
    if (source->feeder_pid < 0) {
        close(ends[0]);
        close(counts[0]);
        errno = error;
        return fail(source, "cannot start a process to read it");
    }
    source->feeder_counts = counts[0];
    *end = ends[0];
    return true;
}

static int spawn_decoder(struct source *source, int input, int output, int messages)
{
    char *const arguments[] = {(char *)source->decoder->program, (char *)"-dc", NULL};
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
            error = posix_spawnp(&source->decoder_pid, arguments[0], &actions, &attributes,
                                 arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* The file itself stays open until source_close: its offset tells how far the decoder has come. */
static void close_decoder_input(const struct source *source, int input)
{
    if (input != source->encoded_fd)
        close(input);
}

/*
 * From here on the source is read from the decoder. What the decoder prints is kept in a pipe that
 * never makes it wait, and shown if it fails.
 */
static bool start_decoder(struct source *source)
{
    int data[2], messages[2], input = -1;

    source->encoded_start = lseek(source->fd, -(off_t)source->head_length, SEEK_CUR);
    if (source->encoded_start >= 0)
        input = source->encoded_fd = fcntl(source->fd, F_DUPFD_CLOEXEC, 0);
    else if (!start_feeder(source, &input))
        return false;
    if (input < 0)
        return fail(source, "cannot read");

    if (!make_pipe(source, data)) {
        close_decoder_input(source, input);
        return false;
    }
    if (!make_pipe(source, messages)) {
        close_decoder_input(source, input);
        close_pipe(data);
        return false;
    }
    fcntl(messages[0], F_SETFL, O_NONBLOCK);
    fcntl(messages[1], F_SETFL, O_NONBLOCK);

    int error = spawn_decoder(source, input, data[1], messages[1]);
    close_decoder_input(source, input);
    close(data[1]);
    close(messages[1]);
    if (error != 0) {
        close(data[0]);
        close(messages[0]);
        source->decoder_pid = -1;
        return diag_error(source->diag, 0,
                          "is compressed by %s, but the program %s cannot be started: %s",
                          source->decoder->program, source->decoder->program, strerror(error));
    }
    if (source->owns_fd)
        close(source->fd);
    source->fd = data[0];
    source->owns_fd = true;
    source->decoder_stderr = messages[0];
    source->head_length = 0;
    return true;
}

/* Nearly all compressed profiles are Xdebug's, by gzip: those are decoded here. */
static bool start_own_decoder(struct source *source)
{
    source->gunzip = gunzip_start(source->fd, source->head, source->head_length);
    source->head_length = 0;
    return source->gunzip != NULL || fail(source, "cannot start to decode it");
}

bool source_open(struct source *source, const char *path, struct diag *diag)
{
    *source = (struct source){.diag = diag,
                              .fd = STDIN_FILENO,
                              .decoder_pid = -1,
                              .decoder_stderr = -1,
                              .feeder_pid = -1,
                              .encoded_fd = -1,
                              .feeder_counts = -1};
    if (strcmp(path, "-") != 0) {
        source->fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
        if (source->fd < 0)
            return fail(source, "cannot open");
        source->owns_fd = true;
    }
    if (!read_head(source)) {
        source_close(source);
        return false;
    }
    source->decoder = decoder_for(source->head, source->head_length);
    bool done = true;
    if (source->decoder != NULL)
        done = source->decoder->program == NULL ? start_own_decoder(source)
                                                : start_decoder(source);
    if (!done)
        source_close(source);
    return done;
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
static bool feeder_ended_well(struct source *source, bool decoder_failed)
{
    int status;
    if (source->feeder_pid < 0)
        return true;
    if (decoder_failed)
        kill(source->feeder_pid, SIGKILL);
    if (!wait_for(&source->feeder_pid, &status))
        return fail(source, "cannot learn whether it was read to its end");
    if (WIFEXITED(status)) {
        errno = WEXITSTATUS(status);
        return errno == 0 || fail(source, "cannot read");
    }
    return decoder_failed || WTERMSIG(status) == SIGPIPE ||
           diag_error(source->diag, 0, "the process that reads it was ended by signal %d",
                      WTERMSIG(status));
}

/* The first line that the decoder printed that is not empty, without its newline. */
static void read_decoder_message(struct source *source, char *message, size_t size)
{
    ssize_t count = read_again(source->decoder_stderr, message, size - 1);
    message[count > 0 ? count : 0] = '\0';
    size_t start = strspn(message, "\n");
    memmove(message, message + start, strlen(message + start) + 1);
    message[strcspn(message, "\n")] = '\0';
}

/* At the end of a decoder's output: has all gone well? */
static bool decoder_ended_well(struct source *source)
{
    if (source->decoder_pid < 0)
        return true;

    const char *program = source->decoder->program;
    char message[256];
    int status;
    if (!wait_for(&source->decoder_pid, &status))
        return diag_error(source->diag, 0, "cannot learn whether %s could decode it: %s", program,
                          strerror(errno));
    if (!feeder_ended_well(source, status != 0))
        return false;
    if (status == 0)
        return true;
    read_decoder_message(source, message, sizeof message);

    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return diag_error(source->diag, 0,
                          "is compressed by %s, but the program %s cannot be started", program,
                          program);
    if (WIFSIGNALED(status))
        return diag_error(source->diag, 0, "%s was ended by signal %d while decoding it", program,
                          WTERMSIG(status));
    if (WEXITSTATUS(status) == source->decoder->warning_status)
        return diag_problem(source->diag, 0, "%s decoded it with a warning: %s", program, message);
    return diag_error(source->diag, 0, "%s cannot decode it (exit status %d): %s", program,
                      WEXITSTATUS(status), message);
}

static ssize_t read_decoded(struct source *source, void *bytes, size_t length)
{
    enum inflate_result result = INFLATE_END;
    const char *message = "";
    ssize_t count = gunzip_read(source->gunzip, bytes, length, &result, &message);
    if (count < 0 && message == NULL)
        fail(source, "cannot read");
    else if (count < 0)
        diag_error(source->diag, 0, "its gzip data cannot be decoded: %s", message);
    if (count == 0 && result == INFLATE_GARBAGE &&
        !diag_problem(source->diag, 0, "found something else behind its gzip data, expected its "
                                       "end; that is left out"))
        return -1;
    return count;
}

/* What the feeder has told since it was asked last. */
static uint64_t take_feeder_counts(const struct source *source)
{
    uint64_t counts[64], sum = 0;
    ssize_t length;
    while ((length = read_again(source->feeder_counts, counts, sizeof counts)) > 0)
        for (size_t i = 0; i < (size_t)length / sizeof counts[0]; i++)
            sum += counts[i];
    return sum;
}

uint64_t source_taken(struct source *source)
{
    if (source->gunzip != NULL)
        return gunzip_taken(source->gunzip);
    if (source->encoded_fd >= 0) {
        off_t offset = lseek(source->encoded_fd, 0, SEEK_CUR);
        return offset > source->encoded_start ? (uint64_t)(offset - source->encoded_start) : 0;
    }
    if (source->feeder_counts >= 0)
        return source->fed += take_feeder_counts(source);
    return source->handed_out;
}

uint64_t source_size(const char *path)
{
    struct stat st;
    bool is_standard_input = strcmp(path, "-") == 0;
    if ((is_standard_input ? fstat(STDIN_FILENO, &st) : stat(path, &st)) != 0 ||
        !S_ISREG(st.st_mode))
        return 0;
    off_t start = is_standard_input ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    return start >= 0 && start < st.st_size ? (uint64_t)(st.st_size - start) : 0;
}

/* source_read, but for what is told of it. */
static ssize_t read_bytes(struct source *source, void *bytes, size_t length)
{
    if (source->gunzip != NULL)
        return read_decoded(source, bytes, length);
    if (source->head_used < source->head_length) {
        size_t count = source->head_length - source->head_used;
        if (count > length)
            count = length;
        memcpy(bytes, source->head + source->head_used, count);
        source->head_used += count;
        return (ssize_t)count;
    }
    ssize_t count = read_again(source->fd, bytes, length);
    if (count < 0)
        fail(source, "cannot read");
    if (count == 0 && !decoder_ended_well(source))
        count = -1;
    return count;
}

ssize_t source_read(struct source *source, void *bytes, size_t length)
{
    ssize_t count = read_bytes(source, bytes, length);
    if (count > 0)
        source->handed_out += (uint64_t)count;
    if (count >= 0 && progress_is_wanted(source->progress))
        progress_tell(source->progress, CG2WG_READING, source_taken(source));
    return count;
}

bool source_drain(struct source *source)
{
    unsigned char block[16 * 1024];
    ssize_t count;
    do
        count = source_read(source, block, sizeof block);
    while (count > 0);
    return count == 0;
}

void source_close(struct source *source)
{
    gunzip_stop(source->gunzip);
    source->gunzip = NULL;
    if (source->owns_fd)
        close(source->fd);
    if (source->decoder_stderr >= 0)
        close(source->decoder_stderr);
    if (source->encoded_fd >= 0)
        close(source->encoded_fd);
    if (source->feeder_counts >= 0)
        close(source->feeder_counts);
    stop_child(&source->decoder_pid);
    stop_child(&source->feeder_pid);
    source->owns_fd = false;
    source->decoder_stderr = source->encoded_fd = source->feeder_counts = -1;
}

/*
 * run PROGRAM [JOBS]: runs a program for each line of standard input, and prints a line about what came out: the exit
 * status, hashes of standard output and of the files in the folder `o`, which are removed, messages, and the line itself,
 * with tabs between them. A line holds arguments, with tabs between them; "<FILE" is no argument, but what the program
 * reads from a pipe. With JOBS, it says how far it is, as one of so many that each do their share.
 */
#include "util/sha256.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 64, MOST_SECONDS = 100, SHOWN_MESSAGES = 1000 };

static char *environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C", "TZ=UTC", NULL};

static void check(bool ok, const char *what)
{
    if (!ok) {
        perror(what);
        _exit(2);
    }
}

static struct text map_file(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY);
    check(fd >= 0 && fstat(fd, &status) == 0, path);
    void *bytes = status.st_size > 0 ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : "";
    check(bytes != MAP_FAILED, path);
    close(fd);
    return text_of(bytes, (size_t)status.st_size);
}

static void unmap(struct text bytes)
{
    if (!text_is_empty(bytes))
        munmap((void *)bytes.at, text_length(bytes));
}

static void print_hash(const char *path, const char *name)
{
    unsigned char hash[SHA256_SIZE];
    struct text bytes = map_file(path);
    sha256(bytes, hash);
    printf("%s:", name);
    for (int i = 0; i < SHA256_SIZE; i++)
        printf("%02x", hash[i]);
    putchar(' ');
    unmap(bytes);
}

/* Prints the hashes of the files in `o`, by name, and removes them. */
static void take_files(void)
{
    struct dirent **files;
    char path[300];
    int count = scandir("o", &files, NULL, alphasort);
    check(count >= 0, "o");
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "o/%s", files[i]->d_name);
        if (strcmp(files[i]->d_name, ".") != 0 && strcmp(files[i]->d_name, "..") != 0) {
            print_hash(path, files[i]->d_name);
            check(unlink(path) == 0, path);
        }
        free(files[i]);
    }
    free(files);
}

static void print_messages(void)
{
    struct text bytes = map_file("stderr");
    for (const char *at = bytes.at; at < bytes.end && at < bytes.at + SHOWN_MESSAGES; at++) {
        if (*at == '\n')
            fputs("\\n", stdout);
        else if (*at < ' ' || *at > '~' || *at == '\\')
            printf("\\x%02x", (unsigned char)*at);
        else
            putchar(*at);
    }
    if (text_length(bytes) > SHOWN_MESSAGES)
        print_hash("stderr", "...");
    unmap(bytes);
}

/* Starts a process that writes a file to a pipe, and returns the pipe's other end. */
static int start_feeder(const char *path, pid_t *feeder)
{
    int ends[2];
    check(pipe(ends) == 0 && (*feeder = fork()) >= 0, "pipe");
    if (*feeder == 0) {
        struct text bytes = map_file(path);
        close(ends[0]);
        for (ssize_t count = 0; bytes.at < bytes.end && count >= 0; bytes.at += count)
            count = write(ends[1], bytes.at, text_length(bytes));
        _exit(0);
    }
    close(ends[1]);
    check(fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0, "pipe");
    return ends[0];
}

static void ignore(int number)
{
    (void)number; /* the signal interrupts waitpid */
}

/* Waits for the program, but not for ever, and prints its exit status. */
static void print_status(pid_t program)
{
    int status;
    alarm(MOST_SECONDS);
    if (waitpid(program, &status, 0) < 0) {
        kill(program, SIGKILL);
        waitpid(program, &status, 0);
    }
    alarm(0);
    printf(WIFEXITED(status) ? "%d\t" : "signal %d\t", WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static void run(const char *program, const char *line)
{
    char *arguments[MAX_ARGUMENTS + 2] = {(char[]){"cg2wg"}}, *words = strdup(line), *rest = words;
    int count = 1, input = -1;
    pid_t feeder = -1;
    while (rest != NULL && count <= MAX_ARGUMENTS) {
        char *word = rest, *end = strchr(word, '\t');
        rest = end != NULL ? end + 1 : NULL;
        if (end != NULL)
            *end = '\0';
        if (*word == '<')
            input = start_feeder(word + 1, &feeder);
        else
            arguments[count++] = word;
    }
    posix_spawn_file_actions_t files;
    pid_t child = -1;
    check(posix_spawn_file_actions_init(&files) == 0 &&
              (input < 0 ? posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
                         : posix_spawn_file_actions_adddup2(&files, input, 0)) == 0 &&
              posix_spawn_file_actions_addopen(&files, 1, "stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0 &&
              posix_spawn_file_actions_addopen(&files, 2, "stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0 &&
              posix_spawn(&child, program, &files, NULL, arguments, environment) == 0, program);
    posix_spawn_file_actions_destroy(&files);
    if (input >= 0)
        close(input);
    print_status(child);
    if (feeder > 0)
        waitpid(feeder, NULL, 0);
    print_hash("stdout", "-");
    take_files();
    putchar('\t');
    print_messages();
    printf("\t%s\n", line);
    free(words);
}

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t size = 0, count = 0, jobs = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    check(argc >= 2, "usage: run PROGRAM [JOBS]");
    signal(SIGINT, SIG_DFL); /* which the shell ignores for a job in the background */
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = ignore}, NULL);
    for (ssize_t length; (length = getline(&line, &size, stdin)) > 0;) {
        line[length - 1] = '\0';
        run(argv[1], line);
        check(fflush(stdout) == 0, "standard output"); /* a child must not have any of it */
        count += jobs;
        if (count % 1000 < jobs)
            fprintf(stderr, "%zu runs\n", count / 1000 * 1000);
    }
    return 0;
}

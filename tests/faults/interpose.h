/* SPDX-License-Identifier: MIT */
/*
 * Included before every source file of the program by -include: calls that may fail go through
 * tests/faults/interpose.c, which makes the one fail that a test has chosen.
 */
#ifndef CG2WG_TESTS_INTERPOSE_H
#define CG2WG_TESTS_INTERPOSE_H

#define _GNU_SOURCE /* as some of the files do, for calls that POSIX lacks */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void *faulty_malloc(size_t size);
void *faulty_calloc(size_t count, size_t size);
void *faulty_realloc(void *old, size_t size);
void faulty_free(void *block);
int faulty_open(const char *path, int flags, ...);
int faulty_openat(int folder, const char *path, int flags);
int faulty_mkstemp(char *path);
int faulty_pipe(int ends[2]);
int faulty_fcntl(int fd, int command, ...);
int faulty_fstat(int fd, struct stat *st);
int faulty_stat(const char *path, struct stat *st);
int faulty_lstat(const char *path, struct stat *st);
ssize_t faulty_readlink(const char *path, char *link, size_t size);
off_t faulty_lseek(int fd, off_t offset, int whence);
ssize_t faulty_read(int fd, void *bytes, size_t size);
ssize_t faulty_pread(int fd, void *bytes, size_t size, off_t offset);
ssize_t faulty_write(int fd, const void *bytes, size_t size);
FILE *faulty_fdopen(int fd, const char *mode);
FILE *faulty_stdout(void);
int faulty_fclose(FILE *stream);
int faulty_fileno(FILE *stream);
int faulty_fsync(int fd);
int faulty_close(int fd);
int faulty_rename(const char *from, const char *to);
int faulty_unlink(const char *path);
int faulty_poll(struct pollfd *fds, nfds_t count, int timeout);
pid_t faulty_wait4(pid_t pid, int *status, int options, struct rusage *usage);
int faulty_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const arguments[],
                        char *const environment[]);
int faulty_posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int faulty_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to);
int faulty_posix_spawnattr_init(posix_spawnattr_t *attributes);
long faulty_sysconf(int name);
int faulty_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *argument);

#ifndef INTERPOSE_REAL_CALLS
/* Members of the same names are renamed everywhere, which does no harm. */
#define malloc faulty_malloc
#define calloc faulty_calloc
#define realloc faulty_realloc
#define free faulty_free
#define open faulty_open
#define openat faulty_openat
#define mkstemp faulty_mkstemp
#define pipe faulty_pipe
#define fcntl faulty_fcntl
#define fstat(fd, st) faulty_fstat(fd, st)
#define stat(path, st) faulty_stat(path, st)
#define lstat faulty_lstat
#define readlink faulty_readlink
#define lseek faulty_lseek
#define read faulty_read
#define pread faulty_pread
#define write faulty_write
#define fdopen faulty_fdopen
#define fclose faulty_fclose
#define fileno faulty_fileno
#undef stdout
#define stdout faulty_stdout()
#undef printf
#define printf(...) fprintf(stdout, __VA_ARGS__)
#define puts(line) fprintf(stdout, "%s\n", line)
#undef putchar
#define putchar(c) fputc(c, stdout)
#define fsync faulty_fsync
#define close faulty_close
#define rename faulty_rename
#define unlink faulty_unlink
#define poll(fds, count, timeout) faulty_poll(fds, count, timeout)
#define wait4 faulty_wait4
#define posix_spawnp faulty_posix_spawnp
#define posix_spawn_file_actions_init faulty_posix_spawn_file_actions_init
#define posix_spawn_file_actions_adddup2 faulty_posix_spawn_file_actions_adddup2
#define posix_spawnattr_init faulty_posix_spawnattr_init
#define sysconf faulty_sysconf
#define pthread_create faulty_pthread_create
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* Which call fails in which way, and the results of the calls. See interpose.h. */
#ifndef CG2WG_TESTS_FAULTS_H
#define CG2WG_TESTS_FAULTS_H

#include <stdatomic.h>
#include <stdbool.h>

/* Kinds of calls. Those of a kind are counted together, from 1. */
enum fault_call {
    CALL_NONE,
    CALL_MEMORY, /* malloc, calloc, realloc */
    CALL_OPEN,   /* open, openat, mkstemp */
    CALL_OPTIONAL, /* open and read of /dev/urandom; reads and writes of pipes that must not wait */
    CALL_PIPE,
    CALL_FCNTL,
    CALL_STAT, /* stat, lstat, fstat, readlink */
    CALL_SEEK,
    CALL_READ,
    CALL_PREAD,
    CALL_WRITE,
    CALL_STREAM, /* fdopen */
    CALL_FLUSH,  /* fclose */
    CALL_SYNC,
    CALL_CLOSE_OUTPUT, /* close of a file or device that was written */
    CALL_CLOSE,        /* of anything else */
    CALL_RENAME,
    CALL_UNLINK,
    CALL_POLL,
    CALL_SPAWN, /* posix_spawnp and what prepares it */
    CALL_WAIT,
    CALL_THREAD,
    CALL_CORES, /* sysconf */
    CALL_ANY, /* all of them, but for memory */
    CALL_COUNT
};

enum {
    EFFECT_SHORT = -1,  /* only one byte of what could be read or written */
    EFFECT_SIGNAL = -2, /* the process gets a signal just before the call, which then is made */
    EFFECT_SWITCH = -3, /* two files change names before the call, and again before the next */
    EFFECT_LAST = EFFECT_SWITCH
};

/* Is in memory that the tests share with the processes that they start. */
struct faults {
    /* The fault: none at CALL_NONE. */
    enum fault_call call;
    unsigned number; /* which of these calls, from 1 */
    bool stays;      /* all calls after that one fail, too */
    int effect;      /* errno, or one of the above */
    int signal;
    const char *path, *other; /* what changes names */

    /* What happened */
    atomic_uint calls[CALL_COUNT];
    atomic_uint faults;
    atomic_long blocks; /* of memory that are not yet free */
    bool is_switched;
};

/* Where the calls look; NULL: nothing fails, nothing is counted. */
extern struct faults *faults;

/* As at the start of a process: before each run of the program. What the one before has not written is lost. */
void faults_begin(void);

/* Files change names. */
void faults_switch(void);

#endif

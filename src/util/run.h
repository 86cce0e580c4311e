/* SPDX-License-Identifier: MIT */
/*
 * A run of work that ends at once when it fails, and the memory of it. Errors are not passed up: run_fail jumps out of
 * the thread's innermost run, after what that holds has been released, the newest first, and its memory freed.
 */
#ifndef CG2WG_UTIL_RUN_H
#define CG2WG_UTIL_RUN_H

#include <stdbool.h>
#include <stddef.h>

enum run_result {
    RUN_DONE,
    RUN_FAILED,       /* by run_fail */
    RUN_OUT_OF_MEMORY /* which has not been reported yet */
};

/* Calls work(of). In any case, what it held has been released then, and its memory freed. Runs nest, in each thread. */
enum run_result run_work(void (*work)(void *of), void *of);

/* Ends this thread's innermost run: for an error that has been reported, or lack of memory. Without a run, aborts. */
_Noreturn void run_end(enum run_result result);
#define run_fail() run_end(RUN_FAILED)
#define run_out_of_memory() run_end(RUN_OUT_OF_MEMORY)

/* Something other than memory that a run must release: a file, a child, threads. All zero: nothing. */
struct run_held {
    struct run_link {
        struct run_link *newer, *older;
    } link;
    void (*release)(void *of); /* gets no memory and does not fail */
    void *of;
};

/* Until run_let_go, the end of the run calls release(of). Without a run this does nothing. */
void run_hold(struct run_held *held, void (*release)(void *of), void *of);

/* Forgets it, if it is held. */
void run_let_go(struct run_held *held);

/*
 * Memory of the run, which need not be freed before its end; in a thread without a run, of the process. If
 * there is none, the run ends. A thread must not resize or free what another thread's run has got.
 */
void *memory_get(size_t size);
void *memory_zeroed(size_t count, size_t size);    /* count * size bytes, which are zero */
void *memory_resize(void *old, size_t size);       /* old may be NULL */
char *memory_string(const char *string);           /* a copy */
void *memory_copy(const void *bytes, size_t size); /* with a zero byte behind it; bytes may be NULL if size is 0 */
void memory_free(void *memory);                    /* which may be NULL */

/*
 * Where malloc permits it, pieces of up to `much` bytes that are freed from now on are kept for what is got next, in
 * large pages: the first access to a page is dear. Arrays that grow below that size leave holes, as large as they are.
 */
void memory_expect(size_t much);

/* Lets all memory of this run outlive it, and frees it, in any thread; `kept` may be a part of that memory. */
void run_keep_memory(struct run_link *kept);
void memory_free_kept(struct run_link *kept);

/* Memory that the run gets between begin and end, freed before it ends. Scopes nest: a later one is freed earlier. */
struct memory_scope {
    struct run_link pieces;      /* the end of a circular list */
    struct memory_scope *around; /* it began before this one, and has not been freed */
    struct memory_scope *before; /* where memory went before this one began */
};
void memory_scope_begin(struct memory_scope *scope);
void memory_scope_end(struct memory_scope *scope);
void memory_scope_free(struct memory_scope *scope); /* ends it, too, if it has not ended */

#endif

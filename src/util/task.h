/* SPDX-License-Identifier: MIT */
/*
 * Work that ends at once when it fails, and its memory. Errors are not passed up: task_fail jumps out of the thread's
 * innermost task, after what that holds has been released, the newest first, and its memory freed.
 */
#ifndef CG2WG_UTIL_TASK_H
#define CG2WG_UTIL_TASK_H

#include <stdbool.h>
#include <stddef.h>

enum task_result {
    TASK_DONE,
    TASK_FAILED,       /* by task_fail */
    TASK_OUT_OF_MEMORY /* which has not been reported yet */
};

/* Calls work(of). In any case, it then releases what work held, and frees its memory. Tasks nest, in each thread. */
enum task_result task_run(void (*work)(void *of), void *of);

/* Ends this thread's innermost task: for an error that has been reported, or lack of memory. Without a task, aborts. */
_Noreturn void task_end(enum task_result result);
#define task_fail() task_end(TASK_FAILED)
#define task_out_of_memory() task_end(TASK_OUT_OF_MEMORY)

/* Something other than memory that a task must release: a file, a child, threads. All zero: nothing. */
struct task_held {
    struct task_link {
        struct task_link *newer, *older;
    } link;
    void (*release)(void *of); /* gets no memory and does not fail */
    void *of;
};

/* Until task_let_go, the end of the task calls release(of). Without a task this does nothing. */
void task_hold(struct task_held *held, void (*release)(void *of), void *of);

/* Forgets it, if it is held. */
void task_let_go(struct task_held *held);

/*
 * Memory of the run, which need not be freed before its end; in a thread without a task, of the process. If
 * there is none, the task ends. A thread must not resize or free what another thread's task has got.
 */
void *memory_get(size_t size);
void *memory_zeroed(size_t count, size_t size);    /* count * size bytes, which are zero */
void *memory_resize(void *old, size_t size);       /* old may be NULL */
char *memory_string(const char *string);           /* a copy */
void *memory_copy(const void *bytes, size_t size); /* with a zero byte behind it; bytes may be NULL if size is 0 */
void memory_free(void *memory);                    /* which may be NULL */

/*
 * Where malloc permits it, pieces of up to `much` bytes that are freed from now on are left for what is got next, in
 * large pages: the first access to a page is dear. Arrays that grow below that size leave holes, as large as they are.
 */
void memory_expect(size_t much);

/* Lets all memory of this task outlive it, and frees it, in any thread; `detached` may be a part of that memory. */
void task_detach_memory(struct task_link *detached);
void memory_free_detached(struct task_link *detached);

/* Memory that the task gets between begin and end, freed before it ends. Scopes nest: a later one is freed earlier. */
struct memory_scope {
    struct task_link pieces;     /* the end of a circular list */
    struct memory_scope *around; /* it began before this one, and has not been freed */
    struct memory_scope *before; /* where memory went before this one began */
};
void memory_scope_begin(struct memory_scope *scope);
void memory_scope_end(struct memory_scope *scope);
void memory_scope_free(struct memory_scope *scope); /* ends it, too, if it has not ended */

/* Where memory goes from here on: to a scope, or with NULL, to the task itself. Returns where it went before. */
struct memory_scope *memory_scope_set(struct memory_scope *scope);

#endif

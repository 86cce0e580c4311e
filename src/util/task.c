/* SPDX-License-Identifier: MIT */
#include "util/task.h"

#include "os/system.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What precedes the bytes of each piece of memory. NULL, both: of no task */
struct piece {
    _Alignas(max_align_t) struct task_link link;
};

struct task {
    jmp_buf end;
    volatile enum task_result result; /* it is set after setjmp, and read after the jump */
    struct task *outer;
    struct task_link held;                         /* the end of a circular list */
    struct memory_scope memory, *scopes, *current; /* all of the task; the last one; that which gets memory now */
};

static _Thread_local struct task *innermost;

static void add_link(struct task_link *end, struct task_link *link)
{
    *link = (struct task_link){end, end->older};
    end->older->newer = link;
    end->older = link;
}

static void remove_link(struct task_link *link)
{
    if (link->older == NULL)
        return;
    link->older->newer = link->newer;
    link->newer->older = link->older;
    link->older = NULL;
}

void memory_free_detached(struct task_link *detached)
{
    detached->newer->older = NULL; /* that of the oldest piece; `detached` may be in a piece that is freed before */
    for (struct task_link *piece = detached->older, *older; piece != NULL; piece = older) {
        older = piece->older;
        free(piece);
    }
}

enum task_result task_run(void (*work)(void *of), void *of)
{
    struct task task = {.outer = innermost};
    task.held.older = task.held.newer = &task.held;
    innermost = &task;
    memory_scope_begin(&task.memory);
    if (setjmp(task.end) == 0) {
        work(of);
        if (task.scopes != &task.memory) /* it is in a frame that has been left */
            abort();
        task_end(TASK_DONE);
    }
    innermost = task.outer;
    return task.result;
}

/* What is held may be in frames that the jump leaves, so it is released first. Its link, and a piece's, come first. */
void task_end(enum task_result result)
{
    struct task *task = innermost;
    if (task == NULL)
        abort();
    task->result = result;
    while (task->held.older != &task->held) {
        struct task_held *held = (void *)task->held.older;
        remove_link(&held->link);
        held->release(held->of);
    }
    for (; task->scopes != NULL; task->scopes = task->scopes->around)
        memory_free_detached(&task->scopes->pieces);
    longjmp(task->end, 1);
}

void task_hold(struct task_held *held, void (*release)(void *of), void *of)
{
    if (innermost == NULL)
        return;
    held->release = release;
    held->of = of;
    add_link(&innermost->held, &held->link);
}

void task_let_go(struct task_held *held)
{
    remove_link(&held->link);
}

/* Resizes a piece, or makes one if that is NULL. */
static void *get_piece(struct piece *old, size_t size, bool is_zeroed)
{
    if (size > PTRDIFF_MAX - sizeof *old)
        task_out_of_memory();
    struct piece *piece = is_zeroed ? calloc(1, sizeof *piece + size) : realloc(old, sizeof *piece + size);
    if (piece == NULL)
        task_out_of_memory();
    system_suggest_large_pages(piece, size);
    if (old == NULL)
        piece->link = (struct task_link){NULL, NULL};
    if (old == NULL && innermost != NULL)
        add_link(&innermost->current->pieces, &piece->link);
    else if (piece->link.older != NULL)
        piece->link.older->newer = piece->link.newer->older = &piece->link;
    return piece + 1;
}

void *memory_get(size_t size)
{
    return get_piece(NULL, size, false);
}

void *memory_zeroed(size_t count, size_t size)
{
    return get_piece(NULL, size > 0 && count > PTRDIFF_MAX / size ? SIZE_MAX : count * size, true);
}

void *memory_resize(void *old, size_t size)
{
    return get_piece(old == NULL ? NULL : (struct piece *)old - 1, size, false);
}

void *memory_copy(const void *bytes, size_t size)
{
    char *copy = memory_get(size + 1);
    copy[size] = '\0';
    return size > 0 ? memcpy(copy, bytes, size) : copy;
}

char *memory_string(const char *string)
{
    return memory_copy(string, strlen(string) + 1);
}

void memory_free(void *memory)
{
    if (memory == NULL)
        return;
    struct piece *piece = (struct piece *)memory - 1;
    remove_link(&piece->link);
    free(piece);
}

/* The most that is expected. Tests redefine it: large pages take long to copy, for each process that they fork. */
#ifndef MEMORY_EXPECTED
#define MEMORY_EXPECTED PTRDIFF_MAX
#endif

/* By the first piece, glibc learns to keep pieces of this size, and by the second, it has one. Either may fail. */
void memory_expect(size_t much)
{
    much = MIN(much, MEMORY_EXPECTED);
    for (int i = 0; i < 2; i++) {
        void *volatile piece = malloc(much); /* volatile: compilers leave out what is only freed */
        if (piece != NULL)
            system_suggest_large_pages(piece, much);
        free(piece);
    }
}

void memory_scope_begin(struct memory_scope *scope)
{
    scope->pieces.older = scope->pieces.newer = &scope->pieces;
    scope->around = innermost->scopes;
    scope->before = innermost->current;
    innermost->scopes = innermost->current = scope;
}

void memory_scope_end(struct memory_scope *scope)
{
    innermost->current = scope->before;
}

struct memory_scope *memory_scope_set(struct memory_scope *scope)
{
    struct memory_scope *before = innermost->current;
    innermost->current = scope != NULL ? scope : &innermost->memory;
    return before;
}

void memory_scope_free(struct memory_scope *scope)
{
    memory_scope_end(scope);
    innermost->scopes = scope->around;
    memory_free_detached(&scope->pieces);
}

/* A circular list, which ends with `detached` now. */
void task_detach_memory(struct task_link *detached)
{
    struct task_link *end = &innermost->memory.pieces;
    *detached = *end;
    detached->older->newer = detached->newer->older = detached;
    end->older = end->newer = end;
}

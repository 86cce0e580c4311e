#include "io/blocks.h"

#include "io/lines.h"
#include "util/system.h"
#include "util/thread.h"

#include <stdlib.h>
#include <string.h>

enum { ENOUGH_THREADS = 4 };

enum slot_state { SLOT_FREE, SLOT_IN_WORK, SLOT_READY };

/* A slot for a block, from reading until it has been taken. */
struct slot {
    struct blocks *blocks;
    enum slot_state state; /* protected by the lock */
    struct lines_buffer buffer;

    /* The current block. */
    uint64_t turn;
    struct text text;
    bool is_prepared; /* otherwise memory has run out */
    bool is_last;
    bool is_put_back; /* it is not complete, and the next reader begins with its bytes */
};

struct blocks {
    const struct blocks_work *work;
    struct source *source;

    struct waiting_place place; /* where helpers wait for input */
    bool has_helpers;           /* of the calling thread */

    /* Of the thread that reads. */
    struct text carry; /* has been read, but belongs to no block yet; in some slot's buffer, or ... */
    const char *given; /* ... here, which is nobody's */

    /* This lock protects who reads, and the state of the slots. */
    pthread_mutex_t turns;
    pthread_cond_t changed;
    bool is_being_read, at_end;
    uint64_t read, taken; /* blocks so far */
    bool failed;
    unsigned slot_count;
    struct slot slots[]; /* the first belongs to the calling thread, each helper has work->ahead of the others */
};

/* ---- reading ------------------------------------------------------------------------------ */

static unsigned number_of(const struct slot *w)
{
    return (unsigned)(w - w->blocks->slots);
}

/*
 * May the source be read? Helpers wait for input. The calling thread does not wait, because it must
 * take what they have prepared, and that may fail.
 */
static bool await_input(const struct slot *w)
{
    struct blocks *b = w->blocks;
    bool is_helper = w != &b->slots[0];
    return (!is_helper && !b->has_helpers) || source_await(b->source, is_helper ? &b->place : NULL);
}

/* Moves what has been carried over into the slot, and reads until that is `wanted` bytes, or the end. */
static bool fill(struct slot *w, size_t wanted)
{
    struct blocks *b = w->blocks;
    size_t filled = text_length(b->carry);
    if (!lines_buffer_hold(&w->buffer, b->carry, wanted > filled ? wanted : filled))
        return false;
    char *bytes = w->buffer.bytes;
    while (!w->is_last && filled < wanted) {
        w->is_put_back = !await_input(w);
        if (w->is_put_back)
            break;
        size_t count = source_read(b->source, bytes + filled, wanted - filled);
        w->is_last = count == 0;
        filled += count;
    }
    memset(bytes + filled, 0, LINES_SLACK);
    b->carry = text_of(bytes, filled);
    return !w->is_put_back;
}

/*
 * Reads a block with at least one complete piece. The rest is carried over. The first one may be in what had
 * been read before. False: no memory, or it was put back.
 */
static bool read_block(struct slot *w)
{
    struct blocks *b = w->blocks;
    size_t whole = b->carry.at == b->given ? b->work->cut(b->carry) : 0;
    for (size_t wanted = b->work->block; whole == 0 && !w->is_last; wanted *= 2) {
        if (!fill(w, wanted))
            return false;
        whole = text_length(b->carry) >= wanted ? b->work->cut(b->carry) : 0;
    }
    w->text = w->is_last ? b->carry : text_of(b->carry.at, whole);
    b->carry.at = w->text.end;
    return true;
}

/* Reads the next block, and then lets others read. False: it was put back. */
static bool next_block(struct slot *w)
{
    struct blocks *b = w->blocks;
    w->is_last = w->is_put_back = false;
    w->is_prepared = read_block(w);

    pthread_mutex_lock(&b->turns);
    b->is_being_read = false;
    w->state = w->is_put_back ? SLOT_FREE : SLOT_IN_WORK;
    if (!w->is_put_back) {
        w->turn = b->read++;
        b->at_end = w->is_last || !w->is_prepared;
    }
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->turns);
    return !w->is_put_back;
}

/* ---- working ------------------------------------------------------------------------------ */

/* Fills a free slot with the next block, and prepares it. False: it was put back. */
static bool fill_slot(struct slot *w)
{
    struct blocks *b = w->blocks;
    if (!next_block(w))
        return false;
    w->is_prepared = w->is_prepared && b->work->prepare(b->work->context, number_of(w), w->text);
    pthread_mutex_lock(&b->turns);
    w->state = SLOT_READY;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->turns);
    return true;
}

/* `own`: the first of a helper's slots. */
static struct slot *find_free(struct slot *own)
{
    for (unsigned i = 0; i < own->blocks->work->ahead; i++)
        if (own[i].state == SLOT_FREE)
            return &own[i];
    return NULL;
}

/* Waits until the helper has a free slot and no other thread reads. NULL: the work has ended. */
static struct slot *wait_for_slot(struct slot *own)
{
    struct blocks *b = own->blocks;
    struct slot *found = NULL;
    pthread_mutex_lock(&b->turns);
    while (!b->failed && !b->at_end && (b->is_being_read || (found = find_free(own)) == NULL))
        pthread_cond_wait(&b->changed, &b->turns);
    if (found != NULL)
        b->is_being_read = true;
    pthread_mutex_unlock(&b->turns);
    return found;
}

/* A thread that prepares blocks ahead of the calling one. */
static void *help(void *own)
{
    struct slot *w;
    while ((w = wait_for_slot(own)) != NULL)
        fill_slot(w);
    return NULL;
}

/* The next slot to take, if it is ready, otherwise NULL. */
static struct slot *find_next(struct blocks *b)
{
    for (unsigned i = 0; i < b->slot_count; i++)
        if (b->slots[i].state == SLOT_READY && b->slots[i].turn == b->taken)
            return &b->slots[i];
    return NULL;
}

/*
 * What the calling thread does next: it takes the slot that is returned or, if *reads was requested
 * and is still set, fills its own. If neither, everything is done.
 */
static struct slot *next_turn(struct blocks *b, bool *reads)
{
    const struct slot *own = &b->slots[0];
    bool may_read = *reads;
    struct slot *next;
    pthread_mutex_lock(&b->turns);
    for (;;) {
        next = find_next(b);
        *reads = next == NULL && may_read && own->state == SLOT_FREE && !b->is_being_read &&
                 !b->at_end;
        if (next != NULL || *reads || (b->at_end && b->taken == b->read))
            break;
        pthread_cond_wait(&b->changed, &b->turns);
    }
    b->is_being_read |= *reads;
    pthread_mutex_unlock(&b->turns);
    return next;
}

/* Takes the next block. Before the last one, the source reports how it ended. */
static void take_block(struct slot *w)
{
    struct blocks *b = w->blocks;
    bool failed = (w->is_last && !source_ended_well(b->source)) ||
                  (!w->is_prepared && !diag_no_memory(b->source->diag)) ||
                  !b->work->take(b->work->context, number_of(w), w->text, w->is_last);

    pthread_mutex_lock(&b->turns);
    b->failed = failed;
    b->taken++;
    w->state = SLOT_FREE;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->turns);
}

/*
 * Takes all blocks, and prepares one itself while the next is not ready. If it would have to wait
 * for input, it waits for the next block instead, which a helper reads or has read.
 */
static void take_all(struct blocks *b)
{
    bool may_read = true;
    while (!b->failed) {
        bool reads = may_read;
        struct slot *next = next_turn(b, &reads);
        if (next != NULL)
            take_block(next);
        else if (!reads)
            break;
        may_read = next != NULL || fill_slot(&b->slots[0]);
    }
}

unsigned blocks_threads(unsigned wanted, const struct source *source)
{
    if (wanted > 0)
        return wanted < BLOCKS_MAX_THREADS ? wanted : BLOCKS_MAX_THREADS;
    unsigned cores = source_is_decoded(source) ? 1 : thread_cores();
    return cores < ENOUGH_THREADS ? cores : ENOUGH_THREADS;
}

static void blocks_free(struct blocks *b)
{
    for (unsigned i = 0; i < b->slot_count; i++)
        system_free_aligned(b->slots[i].buffer.bytes);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->turns);
    free(b);
}

/* Starts as many helpers as are wanted and possible. Returns their number. */
static unsigned start_helpers(struct blocks *b, pthread_t *helpers)
{
    const struct blocks_work *work = b->work;
    unsigned started = 0;
    if (work->threads < 2 || !waiting_place_open(&b->place))
        return 0;
    while (started + 1 < work->threads &&
           thread_start(&helpers[started], help, &b->slots[1 + work->ahead * started]) == 0)
        started++;
    if (started == 0)
        waiting_place_close(&b->place);
    return started;
}

/* Joins them. After a failure, some may wait for input that nobody needs any more. */
static void end_helpers(struct blocks *b, const pthread_t *helpers, unsigned count)
{
    if (count == 0)
        return;
    if (b->failed)
        source_call_off(b->source);
    for (unsigned i = 0; i < count; i++)
        waiting_place_join(&b->place, helpers[i]);
    waiting_place_close(&b->place);
}

bool blocks_run(struct source *source, struct text rest, const struct blocks_work *what)
{
    unsigned slots = blocks_slots(what);
    struct blocks *b = malloc(sizeof *b + slots * sizeof b->slots[0]);
    pthread_t helpers[BLOCKS_MAX_THREADS];
    if (b == NULL)
        return diag_no_memory(source->diag);
    *b = (struct blocks){.work = what,
                         .source = source,
                         .carry = rest,
                         .given = rest.at,
                         .turns = PTHREAD_MUTEX_INITIALIZER,
                         .changed = PTHREAD_COND_INITIALIZER,
                         .slot_count = slots};
    for (unsigned i = 0; i < b->slot_count; i++)
        b->slots[i] = (struct slot){.blocks = b};
    unsigned started = start_helpers(b, helpers);
    b->has_helpers = started > 0;
    take_all(b);
    end_helpers(b, helpers, started);
    bool done = !b->failed;
    blocks_free(b);
    return done;
}

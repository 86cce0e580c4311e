#include "io/blocks.h"

#include "util/array.h"
#include "util/thread.h"

#include <stdlib.h>
#include <string.h>

enum { ENOUGH_THREADS = 4 };

/* What the source had to say while a block was read: it is told when that block's turn comes. */
struct message {
    struct message *next;
    struct cg2wg_message message;
    char text[]; /* and the name of the file */
};

struct worker {
    struct blocks *blocks;
    unsigned number;
    pthread_t thread;
    char *buffer;
    size_t size;

    /* The block at hand. */
    uint64_t turn;
    struct text text;
    bool is_read, is_last;
    struct diag diag; /* of the source, while it is read */
    struct message *messages, **last_message;
};

struct blocks {
    const struct blocks_work *work;
    struct source *source;
    struct diag *diag;

    /* Under this lock: reading. */
    pthread_mutex_t reading;
    struct text carry; /* has been read, but no block has it yet; in somebody's buffer */
    uint64_t read;     /* blocks so far */
    bool at_end;

    /* Under this one: whose turn it is to take. */
    pthread_mutex_t taking;
    pthread_cond_t next_turn;
    uint64_t taken; /* blocks so far */
    bool failed;
};

/* ---- messages ----------------------------------------------------------------------------- */

static void keep_message(void *user, const struct cg2wg_message *message)
{
    struct worker *w = user;
    size_t text_size = strlen(message->text) + 1;
    size_t file_size = message->file != NULL ? strlen(message->file) + 1 : 0;
    struct message *kept = malloc(sizeof *kept + text_size + file_size);
    if (kept == NULL)
        return; /* then it fails without a word of its own */
    kept->next = NULL;
    kept->message = *message;
    kept->message.text = memcpy(kept->text, message->text, text_size);
    if (file_size > 0)
        kept->message.file = memcpy(kept->text + text_size, message->file, file_size);
    *w->last_message = kept;
    w->last_message = &kept->next;
}

/* Tells what was kept, or forgets it. */
static void release_messages(struct worker *w, bool tell)
{
    struct diag *diag = w->blocks->diag;
    while (w->messages != NULL) {
        struct message *message = w->messages;
        w->messages = message->next;
        if (tell && diag->report != NULL)
            diag->report(diag->user, &message->message);
        free(message);
    }
    w->last_message = &w->messages;
    if (tell)
        diag->warnings += w->diag.warnings;
    w->diag.warnings = 0;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Makes room for `wanted` bytes of text behind those that stand before it. */
static bool make_room(struct worker *w, size_t wanted)
{
    size_t before = w->blocks->work->before;
    return array_reserve(&w->buffer, &w->size, before + wanted, 1) || diag_no_memory(&w->diag);
}

/* Puts what the block before has left at the start of this one. */
static bool take_carry(struct worker *w, size_t *filled)
{
    struct blocks *b = w->blocks;
    size_t before = b->work->before, length = text_length(b->carry);
    *filled = length;
    if (w->buffer != NULL && b->carry.at >= w->buffer && b->carry.at <= w->buffer + w->size) {
        memmove(w->buffer + before, b->carry.at, length);
        return true;
    }
    if (!make_room(w, length + b->work->block))
        return false;
    memcpy(w->buffer + before, b->carry.at, length);
    return true;
}

/* Reads until there are `wanted` bytes, or the end. */
static bool fill(struct worker *w, size_t wanted, size_t *filled)
{
    struct blocks *b = w->blocks;
    if (!make_room(w, wanted))
        return false;
    while (!b->at_end && *filled < wanted) {
        ssize_t count = source_read(b->source, w->buffer + b->work->before + *filled,
                                    wanted - *filled);
        if (count < 0)
            return false;
        b->at_end = count == 0;
        *filled += (size_t)count;
    }
    return true;
}

/* Reads a block: so much that there is a whole piece in it. What is behind is carried. */
static bool read_block(struct worker *w)
{
    struct blocks *b = w->blocks;
    size_t filled, whole = 0;
    if (!take_carry(w, &filled))
        return false;
    char *start = w->buffer + b->work->before;
    for (size_t wanted = b->work->block; whole == 0; wanted *= 2) {
        if (!fill(w, wanted, &filled))
            return false;
        start = w->buffer + b->work->before;
        if (b->at_end)
            break;
        whole = filled >= wanted ? b->work->cut(text_of(start, filled)) : 0;
    }
    memset(w->buffer, '\n', b->work->before);
    w->is_last = whole == 0;
    w->text = text_of(start, w->is_last ? filled : whole);
    b->carry = text_of(w->text.end, filled - text_length(w->text));
    return true;
}

static bool has_failed(struct blocks *b)
{
    pthread_mutex_lock(&b->taking);
    bool failed = b->failed;
    pthread_mutex_unlock(&b->taking);
    return failed;
}

/* Gets the next block, if there is one. That it could not be read is found when its turn comes. */
static bool next_block(struct worker *w)
{
    struct blocks *b = w->blocks;
    pthread_mutex_lock(&b->reading);
    bool is_over = b->at_end || has_failed(b);
    if (!is_over) {
        w->turn = b->read++;
        w->is_last = false;
        b->source->diag = &w->diag;
        w->is_read = read_block(w);
        b->source->diag = b->diag;
        b->at_end |= !w->is_read;
    }
    pthread_mutex_unlock(&b->reading);
    return !is_over;
}

/* ---- working ------------------------------------------------------------------------------ */

/* Waits until all blocks before have been taken, and takes this one. */
static void take_block(struct worker *w, bool is_prepared)
{
    struct blocks *b = w->blocks;
    pthread_mutex_lock(&b->taking);
    while (b->taken != w->turn)
        pthread_cond_wait(&b->next_turn, &b->taking);
    bool failed = b->failed;
    pthread_mutex_unlock(&b->taking);

    bool is_said = !w->is_read && w->messages != NULL;
    release_messages(w, !failed);
    if (!failed && !is_prepared && !is_said)
        diag_no_memory(b->diag);
    failed = failed || !is_prepared ||
             !b->work->take(b->work->context, w->number, w->text, w->is_last);

    pthread_mutex_lock(&b->taking);
    b->failed = failed;
    b->taken++;
    pthread_cond_broadcast(&b->next_turn);
    pthread_mutex_unlock(&b->taking);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    const struct blocks_work *what = w->blocks->work;
    while (next_block(w))
        take_block(w, w->is_read && what->prepare(what->context, w->number, w->text));
    return NULL;
}

static void worker_init(struct worker *w, struct blocks *b, unsigned number)
{
    *w = (struct worker){.blocks = b, .number = number, .diag = *b->diag};
    w->diag.report = keep_message;
    w->diag.user = w;
    w->diag.warnings = 0;
    w->last_message = &w->messages;
}

unsigned blocks_threads(unsigned wanted, const struct source *source)
{
    if (wanted > 0)
        return wanted < BLOCKS_MAX_THREADS ? wanted : BLOCKS_MAX_THREADS;
    unsigned cores = source_is_decoded(source) ? 1 : thread_cores();
    return cores < ENOUGH_THREADS ? cores : ENOUGH_THREADS;
}

bool blocks_run(struct source *source, struct text rest, const struct blocks_work *what)
{
    struct blocks b = {.work = what,
                       .source = source,
                       .diag = source->diag,
                       .reading = PTHREAD_MUTEX_INITIALIZER,
                       .carry = rest,
                       .taking = PTHREAD_MUTEX_INITIALIZER,
                       .next_turn = PTHREAD_COND_INITIALIZER};
    struct worker workers[BLOCKS_MAX_THREADS];
    unsigned started = 1;
    worker_init(&workers[0], &b, 0);
    for (unsigned i = 1; i < what->threads; i++)
        worker_init(&workers[i], &b, i);
    while (started < what->threads &&
           thread_start(&workers[started].thread, work, &workers[started]) == 0)
        started++;
    work(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (unsigned i = 0; i < what->threads; i++) {
        release_messages(&workers[i], false);
        free(workers[i].buffer);
    }
    pthread_cond_destroy(&b.next_turn);
    pthread_mutex_destroy(&b.taking);
    pthread_mutex_destroy(&b.reading);
    return !b.failed;
}

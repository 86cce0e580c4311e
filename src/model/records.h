/* SPDX-License-Identifier: MIT */
/*
 * A log of records of invocations, in memory to be read backwards: callees return first, so that backwards each
 * invocation comes before everything that it called. Records claim invocations like parentheses (docs/design.md), which
 * works backwards, too: an invocation of g belongs to the call of g that was read last.
 *
 * A proxy's record stays where it is, and a call that replaced a call of a proxy remembers that proxy. So the proxy's
 * record finds the call that it belongs to, and passes it on to the invocation that it called itself.
 */
#ifndef CG2WG_MODEL_RECORDS_H
#define CG2WG_MODEL_RECORDS_H

#include "model/line_costs.h"

#ifndef RECORDS_CHUNK
#define RECORDS_CHUNK (1024 * 1024) /* bytes of the first chunk; tests redefine it */
#endif

/*
 * The log consists of entries: the calls of a record, the last one first, then the record. An entry is, in the order of
 * reading, a number with the kind in its lowest bits; a cost with the sign in its lowest bit, up to ENTRY_RECORD one of
 * each event; and for the kinds that have them, a target and a line. Each of these is written in digits of 7 bits, the
 * lowest first. All bytes but the first have the top bit set. Read backwards, a set bit means: one more digit.
 */
enum entry_kind {
    ENTRY_CALL,     /* number: an arc, which has the target */
    ENTRY_REPLACED, /* a call by this arc that replaced one of `target`, a proxy */
    ENTRY_WAITING,  /* the one call of a proxy's record, which does not include it. number: the callee; target:
                       the proxy that this call replaced a call of, or the callee */
    ENTRY_LEAF,     /* ENTRY_CALL and the record of what it called, which made no call and cost as much. These entries
                       come right before ENTRY_RECORD, the last call last; nobody else claims those records */
    ENTRY_LINE,     /* self cost at a line of a record, after its calls. number: a row of profile->lines */
    ENTRY_RECORD,   /* number: a function; an inclusive cost. Its calls, of the kinds above, follow in their order */
    ENTRY_RUN,      /* number: of the part before it; nothing that was read so far called what follows */
    ENTRY_UNIT,     /* costs, of the event `number`, that are read after it are multiplied by this one or, if it is 0,
                       have `number` others; no replay meets it */
    ENTRY_NONE      /* there are no more; not in the log */
};

enum { ENTRY_KIND_BITS = 3 };
_Static_assert(ENTRY_NONE <= 1 << ENTRY_KIND_BITS, "all kinds in the log fit their bits");

enum { LONGEST_ENTRY = 5 + 5 + 5 + 10 * MOST_EVENTS }; /* bytes */

struct entry {
    enum entry_kind kind;
    uint32_t number, target, line;
    cost_t cost;
    const cost_t *costs; /* of all events, if the log has several */
};

/* The ends of a call with a target. */
struct link {
    uint32_t caller, callee;
};

struct records {
    struct records_chunk {
        struct records_chunk *before;
        unsigned char *end;   /* of its entries, none of which continues elsewhere; unset for the last chunk */
        unsigned char *limit; /* in front of which the last entry begins */
        unsigned char bytes[];
    } *chunk;             /* the last one */
    unsigned char *at;    /* where its next entry goes */
    size_t others;        /* how many events there are beside the first one */
    size_t event;         /* whose costs are read */
    bool is_read_again;   /* replays do not free it */
    bool may_have_leaves; /* ENTRY_LEAF, which takes less time, but not where calls are shown one by one */

    SET(struct link) links; /* calls with a target, as they were made: the arcs do not contain them */
};

/* Begins a log, which is all zero before, or goes on. */
void records_add_chunk(struct records *records);

HOT unsigned char *records_put_number(unsigned char *at, uint64_t number)
{
    *at++ = number & 0x7f;
    while ((number >>= 7) != 0)
        *at++ = (unsigned char)(number | 0x80);
    return at;
}

/* Adds an entry. The caller, a function, matters only for a call with a target. */
HOT void records_append(struct records *records, const struct entry *entry, uint32_t caller)
{
    if (UNLIKELY(records->at >= records->chunk->limit))
        records_add_chunk(records);
    unsigned char *at = records->at;
    if (UNLIKELY(entry->kind == ENTRY_REPLACED || entry->kind == ENTRY_WAITING)) {
        struct link link = {caller, entry->target};
        SET_INTERN(&records->links, link, sizeof link);
        at = records_put_number(records_put_number(at, entry->line), entry->target);
    }
    for (size_t i = entry->kind <= ENTRY_RECORD ? records->others : 0; UNLIKELY(i > 0); i--)
        at = records_put_number(at, (uint64_t)entry->costs[i] << 1 ^ (entry->costs[i] < 0 ? UINT64_MAX : 0));
    at = records_put_number(at, (uint64_t)entry->cost << 1 ^ (entry->cost < 0 ? UINT64_MAX : 0));
    records->at = records_put_number(at, (uint64_t)entry->number << ENTRY_KIND_BITS | entry->kind);
}

/* Who called, and what: numbers that the user of the replay chose; NONE: unknown. */
struct waiting_call {
    uint32_t caller, called;
    uint32_t span; /* of a timeline */
};

/* Reads the log. Calls wait for what they made: by function a stack, the last on top; equal successive ones are one. */
struct replay {
    struct entry entry;          /* the current one */
    uint32_t function;           /* of the last record that was taken */
    cost_t cost;                 /* of this record: inclusive, as the log has it */
    cost_t inclusive;            /* of this record, and of its ENTRY_WAITING, unless it is stepped over */
    struct waiting_call made_by; /* who called this record's invocation */
    uint32_t runs;               /* how many have had records, the current one among them */
    uint32_t part;               /* of the input, that the current record is of */
    bool is_stepped_over;        /* this record is a proxy's, has an ENTRY_WAITING, and its caller is known */

    struct records_chunk *chunk; /* it contains the next entry, or ends before it */
    const unsigned char *at;     /* the end of the next entry */
    bool is_last;                /* chunks are freed when they have been read */
    size_t others, event;        /* as in the log */
    uint64_t factor;             /* for the costs of the entries that follow: what ENTRY_UNITs have said so far */

    uint32_t *tops; /* of the stacks, by function: of `waits`, or NONE */
    struct waits_entry {
        struct waiting_call call;
        uint32_t count;
        uint32_t function; /* whose stack it is in */
        uint32_t below;    /* the next entry of the stack; of a free one: the next free one; or NONE */
    } *waits;
    size_t wait_count, wait_capacity;
    uint32_t free_wait; /* the first that is not used, or NONE */
};

/* Begins with the last entry. is_last: nobody needs the log after it has been read. */
void replay_init(struct replay *replay, struct records *records, size_t function_count, bool is_last);

/* Takes the number that ends at *at. */
HOT uint64_t replay_take_number(const unsigned char **at)
{
    uint64_t number = 0, digit;
    do {
        digit = *--*at;
        number = number << 7 | (digit & 0x7f);
    } while (digit > 0x7f);
    return number;
}

HOT void replay_next(struct replay *r)
{
    struct entry *entry = &r->entry;
    do {
        if (UNLIKELY(r->at == r->chunk->bytes)) {
            if (r->chunk->before == NULL) {
                entry->kind = ENTRY_NONE;
                return;
            }
            struct records_chunk *left = r->chunk;
            r->chunk = left->before;
            r->at = r->chunk->end;
            if (r->is_last)
                memory_free(left);
        }
        uint64_t tag = replay_take_number(&r->at), cost = replay_take_number(&r->at);
        entry->kind = (enum entry_kind)(tag & ((1 << ENTRY_KIND_BITS) - 1));
        entry->number = (uint32_t)(tag >> ENTRY_KIND_BITS);
        entry->cost = (cost_t)(cost >> 1 ^ (0 - (cost & 1)));
        for (size_t i = 1; UNLIKELY(i <= r->others) && entry->kind <= ENTRY_RECORD; i++) {
            uint64_t other = replay_take_number(&r->at);
            entry->cost = i == r->event ? (cost_t)(other >> 1 ^ (0 - (other & 1))) : entry->cost;
        }
        if (UNLIKELY(r->event > r->others) && entry->kind <= ENTRY_RECORD)
            entry->cost = 0; /* what was read before the event occurred */
        if (UNLIKELY(entry->kind == ENTRY_UNIT && entry->cost == 0))
            r->others = entry->number;
        else if (UNLIKELY(entry->kind == ENTRY_UNIT && entry->number == r->event))
            r->factor *= (uint64_t)entry->cost; /* their product is at most the first unit */
    } while (UNLIKELY(entry->kind == ENTRY_UNIT));
    if (UNLIKELY(entry->kind == ENTRY_REPLACED || entry->kind == ENTRY_WAITING)) {
        entry->target = (uint32_t)replay_take_number(&r->at);
        entry->line = (uint32_t)replay_take_number(&r->at);
    }
    if (UNLIKELY(r->factor != 1))
        cost_multiply(&entry->cost, r->factor);
}

/* Takes the next record, and the call that made it. Its calls are the entries from the current one on. False: none. */
bool replay_take_record(struct replay *replay);

/* A call of `function` waits, on top. */
void replay_wait(struct replay *replay, uint32_t function, const struct waiting_call *call);

#endif

/*
 * A log of records of invocations, kept in memory to be read backwards: callees return first, so that
 * backwards each invocation comes before everything that it called. Claiming (tree.h) pairs records like
 * parentheses, which works backwards, too: an invocation of g belongs to the call of g that was read last.
 *
 * A proxy's record keeps its place, and a call that replaced a call of a proxy remembers that proxy.
 * So the proxy's record finds the call that it belongs to, and passes it on to the invocation that it
 * called itself.
 */
#ifndef CG2WG_MODEL_RECORDS_H
#define CG2WG_MODEL_RECORDS_H

#include "model/profile.h"

#ifndef RECORDS_CHUNK
#define RECORDS_CHUNK (1024 * 1024) /* bytes; tests redefine it */
#endif

/* A call of a record. */
struct call {
    uint32_t caller, callee, line;
    uint32_t original; /* the proxy whose call it replaces, or NONE */
    uint32_t arc;      /* it counts for this one */
    uint64_t count;
    cost_t cost;
};

/*
 * The log consists of entries: the calls of a record, the last one first, then the record. An entry is, in the
 * order of reading, a number with the kind in its lowest bits; a cost with the sign in its lowest bit; and for
 * the kinds that have them, a target and a line. Each of these is written in digits of 7 bits, the lowest first.
 * All digits but the first have the highest bit of their byte set: so the reader, who begins with the highest
 * one, knows that another one precedes it.
 */
enum entry_kind {
    ENTRY_CALL,     /* number: an arc */
    ENTRY_RECORD,   /* number: a function; an inclusive cost. The calls of the record follow, the first one first */
    ENTRY_REPLACED, /* a call by this arc that replaced one of `target`, a proxy */
    ENTRY_WAITING,  /* the one call of a proxy's record, which does not include it. number: the callee; target:
                       the proxy that this call replaced a call of, or the callee */
    ENTRY_RUN,      /* no number or cost; nothing that was read so far called what follows */
    ENTRY_UNIT,     /* the reader multiplies the costs that follow by this one; to be passed over */
    ENTRY_NONE,     /* there are no more */
    ENTRY_KIND_BITS = 3
};

struct entry {
    enum entry_kind kind;
    uint32_t number, target, line;
    cost_t cost;
};

static inline bool entry_is_call(const struct entry *entry)
{
    return entry->kind == ENTRY_CALL || entry->kind == ENTRY_REPLACED || entry->kind == ENTRY_WAITING;
}

/* The function that a call was made to. */
static inline uint32_t entry_target(const struct entry *call, const struct profile *profile)
{
    return call->kind == ENTRY_CALL ? profile->arcs[call->number].callee : call->target;
}

/* A possible call between two functions, in addition to the arcs. */
struct link {
    uint32_t caller, callee;
};

struct records {
    struct records_chunk {
        struct records_chunk *before;
        unsigned char *end; /* of its entries, none of which continues elsewhere; unset for the last chunk */
        unsigned char bytes[RECORDS_CHUNK];
    } *chunk;          /* the last one */
    unsigned char *at; /* where its next entry goes */

    struct link *links; /* calls of proxies, as they were made: the arcs do not contain them */
    size_t link_count, link_capacity;
    struct index link_index;
};

/* For calls of this profile, which is not needed later. */
void records_init(struct records *records, const struct profile *profile);
void records_free(struct records *records);

/* Begins another chunk. */
void records_grow(struct records *records);

HOT unsigned char *records_put_number(unsigned char *at, uint64_t number)
{
    *at++ = number & 0x7f;
    while ((number >>= 7) != 0)
        *at++ = (unsigned char)(number | 0x80);
    return at;
}

/* Adds the last two numbers of an entry, for which there is room. */
HOT void records_put(struct records *records, enum entry_kind kind, uint32_t number, cost_t cost)
{
    unsigned char *at = records_put_number(records->at, (uint64_t)cost << 1 ^ (cost < 0 ? UINT64_MAX : 0));
    records->at = records_put_number(at, (uint64_t)number << ENTRY_KIND_BITS | kind);
}

/* Makes room for one more entry. */
HOT void records_room(struct records *records)
{
    enum { LONGEST_ENTRY = 5 + 5 + 10 + 5 };
    if (UNLIKELY(records->chunk->bytes + RECORDS_CHUNK - records->at < LONGEST_ENTRY))
        records_grow(records);
}

/* Adds an entry of a kind that has no target. */
HOT void records_append(struct records *records, enum entry_kind kind, uint32_t number, cost_t cost)
{
    records_room(records);
    records_put(records, kind, number, cost);
}

/* Adds a call that a proxy takes part in: ENTRY_REPLACED; or ENTRY_WAITING, the only one of the proxy's record. */
void records_proxys_call(struct records *records, enum entry_kind kind, uint32_t number,
                         const struct call *call);

/* Adds a call of the record that ends next. */
HOT void records_call(struct records *records, const struct call *call)
{
    if (call->original == NONE)
        records_append(records, ENTRY_CALL, call->arc, call->cost);
    else
        records_proxys_call(records, ENTRY_REPLACED, call->arc, call);
}

/* ---- reading ------------------------------------------------------------------------------ */

struct reader {
    struct entry entry; /* the current one */
    const struct records_chunk *chunk;
    const unsigned char *at; /* the end of the next entry */
    uint64_t factor;         /* for its cost */
};

/* Begins with the last entry. */
void reader_init(struct reader *reader, const struct records *records);

/* At the start of a chunk: goes to the end of the one before. Returns false if there is none. */
bool reader_go_back(struct reader *reader);
/* Reads the rest of an entry that is not a mere call or record. */
void reader_take_rest(struct reader *reader);

/* Takes the number that ends at *at. */
HOT uint64_t reader_take(const unsigned char **at)
{
    uint64_t number = 0, digit;
    do {
        digit = *--*at;
        number = number << 7 | (digit & 0x7f);
    } while (digit > 0x7f);
    return number;
}

/* Goes to the next entry. */
HOT void reader_next(struct reader *reader)
{
    struct entry *entry = &reader->entry;
    if (UNLIKELY(reader->at == reader->chunk->bytes) && !reader_go_back(reader))
        return;
    const unsigned char *at = reader->at;
    uint64_t tag = reader_take(&at), cost = reader_take(&at);
    reader->at = at;
    entry->kind = (enum entry_kind)(tag & ((1 << ENTRY_KIND_BITS) - 1));
    entry->number = (uint32_t)(tag >> ENTRY_KIND_BITS);
    entry->cost = (cost_t)(cost >> 1 ^ (0 - (cost & 1)));
    if (UNLIKELY(entry->kind > ENTRY_RECORD))
        reader_take_rest(reader);
    if (UNLIKELY(reader->factor != 1))
        cost_multiply(&entry->cost, reader->factor);
}

/* ---- calls that wait ---------------------------------------------------------------------- */

/*
 * Calls that wait for the invocations that they made, while records are read backwards: a stack for each
 * function, with the call that was made last on top. Equal calls in succession are one entry.
 */
struct waits {
    struct waits_stack *stacks; /* by function */
    struct waits_entry *entries;
    size_t count, capacity;
    uint32_t free; /* the first entry that is not used, or NONE */
    size_t run;
};

/* Who called: a number that the user of the stacks chose, and an arc; NONE: unknown. */
struct waiting_call {
    uint32_t caller, arc;
};

void waits_init(struct waits *waits, size_t function_count);
void waits_free(struct waits *waits);

/* A run begins: no call waits. */
void waits_new_run(struct waits *waits);

/* A call of `function` waits, on top. */
void waits_put(struct waits *waits, uint32_t function, struct waiting_call call);

/* Takes the call that made an invocation of `function`; both its members are NONE if none waits. */
struct waiting_call waits_take(struct waits *waits, uint32_t function);

#endif

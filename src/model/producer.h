/*
 * The program that has written a profile, as its header lines tell: it decides what functions are known by
 * unless the user does.
 */
#ifndef CG2WG_MODEL_PRODUCER_H
#define CG2WG_MODEL_PRODUCER_H

#include "model/profile.h"

struct producer {
    bool has_creator, is_xdebug, is_version_0_9_6;
    bool was_xdebug; /* of a part at least, where several are told */
};

/* Takes note of a header line. Lines without a value say nothing. */
void producer_note(struct producer *producer, struct text key, struct text value);

/* The producer that a profile's header lines tell; of several the last. */
struct producer producer_of(const struct profile *profile);

/* Is it Xdebug? Up to version 2.7 it did not say so, but wrote version 0.9.6 of the format. */
static inline bool producer_is_xdebug(const struct producer *producer)
{
    return producer->is_xdebug || (producer->is_version_0_9_6 && !producer->has_creator);
}

/* What distinguishes functions in Xdebug's profiles, and in others. */
static inline enum identity producer_identity(const struct producer *producer)
{
    return producer_is_xdebug(producer) ? IDENTITY_NAME : IDENTITY_OBJECT;
}

#endif

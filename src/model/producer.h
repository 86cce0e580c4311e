/*
 * The program that wrote a profile, according to its header lines. It decides what distinguishes
 * functions, unless the user does.
 */
#ifndef CG2WG_MODEL_PRODUCER_H
#define CG2WG_MODEL_PRODUCER_H

#include "model/profile.h"

struct producer {
    bool has_creator, is_xdebug, is_version_0_9_6;
    bool was_xdebug; /* of at least one part, if there are several creators */
};

/* Evaluates a header line. Lines without a value have no meaning. */
void producer_note(struct producer *producer, struct text key, struct text value);

/* The producer in a profile's header lines; of several the last. */
struct producer producer_of(const struct profile *profile);

/* Is it Xdebug? Up to version 2.7, it did not write its name, but version 0.9.6 of the format. */
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

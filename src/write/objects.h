/* SPDX-License-Identifier: MIT */
/*
 * What distinguishes each function of a preprocessed file from others, which may be the object (program or library)
 * that it belongs to; webgrind's format has no room for it. Two functions with the same file and name but different
 * objects are two rows that look alike, and merging such files later needs their objects. So cg2wg writes this part
 * between the last function and the headers, where no reader of webgrind looks, because readers go by addresses:
 *
 *     "cg2wg objects" \n
 *     COUNT IDENTITY? " " OBJECT \n      for COUNT functions in a row
 *
 *     IDENTITY    "n": the name alone, "f": also the file, "o": also the object
 *                 none: with an object the same as "o"; without one the default for the producer that the
 *                 header lines name (profile.h), as for all functions of a file without this part
 *
 * The part is missing if the defaults distinguish all functions, and none has an object.
 */
#ifndef CG2WG_WRITE_OBJECTS_H
#define CG2WG_WRITE_OBJECTS_H

#include "model/profile.h"

/* The part, in memory of the task; empty: the profile does not need it. */
struct text objects_of(const struct profile *profile);

/* Iterates over the part of a file. */
struct objects {
    struct text rest;
    enum identity usual;
    struct text object;     /* of the current function: the same bytes of the file for all of a line */
    enum identity identity; /* what distinguishes the current function */
    uint64_t left;          /* functions that remain of the line */
};

/* `gap` is the text between the functions and the headers, `usual` the producer's identity. */
void objects_read(struct objects *objects, struct text gap, enum identity usual);
/* Goes to the next function. After the last line or a damaged one, they have the producer's identity and no object. */
void objects_next(struct objects *objects);

#endif

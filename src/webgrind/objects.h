/*
 * What a preprocessed file does not say: what distinguishes each function from others, which may be the
 * object (program or library) that it belongs to. Two functions of the same file and name and of different
 * objects are two rows that look alike; to merge such files later, one has to know which is which. So this
 * is written between the last function and the headers, where no reader of webgrind looks, because it goes
 * by addresses:
 *
 *     "cg2wg objects" \n
 *     COUNT IDENTITY? " " OBJECT \n      for each run of COUNT functions
 *
 *     IDENTITY    "n": the name alone, "f": also the file, "o": also the object
 *                 none: with an object the same as "o"; without one what is usual for the producer that the
 *                 header lines tell (producer.h), as for all functions of a file without such a part
 *
 * It is left out where all functions are known by what is usual, and have no objects.
 */
#ifndef CG2WG_WEBGRIND_OBJECTS_H
#define CG2WG_WEBGRIND_OBJECTS_H

#include "io/outfile.h"
#include "model/producer.h"

/* The bytes that objects_write writes; 0: the profile has no need of them. */
uint64_t objects_size(const struct profile *profile);
bool objects_write(struct outfile *out, const struct profile *profile);

/* Goes through what a file says of its functions. */
struct objects {
    struct text rest;
    enum identity usual;
    struct text object;     /* of the function at hand: the same bytes of the file for all of a run */
    enum identity identity; /* what it is known by */
    uint64_t left;          /* functions of the run still to come */
};

/* `gap` is what stands between the functions and the headers, `usual` the producer's identity. */
void objects_read(struct objects *objects, struct text gap, enum identity usual);
/* Goes to the next function. After the last run, and from a damaged one on, they are usual, without objects. */
void objects_next(struct objects *objects);

#endif

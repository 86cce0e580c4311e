/*
 * What a preprocessed file does not say: which object (program or library) each function belongs to.
 * Where functions are told apart by it, two of the same file and name are two rows that look alike;
 * to unite such files later, one has to know which is which. So their objects are written between the
 * last function and the headers, where no reader of webgrind looks, because it goes by addresses:
 *
 *     "cg2wg objects" \n
 *     COUNT " " OBJECT \n      for each run of COUNT functions of one object
 *
 * A profile whose functions are told apart without objects has no such part.
 */
#ifndef CG2WG_WEBGRIND_OBJECTS_H
#define CG2WG_WEBGRIND_OBJECTS_H

#include "io/outfile.h"
#include "model/profile.h"

/* The bytes that objects_write writes; 0: the profile has no need of them. */
uint64_t objects_size(const struct profile *profile);
bool objects_write(struct outfile *out, const struct profile *profile);

/* Goes through the objects of a file that has them. */
struct objects {
    struct text rest;
    struct text object;
    uint64_t left; /* functions of that object still to come */
};

/* `gap` is what stands between the functions and the headers. False: there are no objects in it. */
bool objects_read(struct objects *objects, struct text gap);
/*
 * The object of the next function: the same bytes of the file for all of a run. Empty behind the last
 * run, and from a damaged one on.
 */
struct text objects_next(struct objects *objects);

#endif

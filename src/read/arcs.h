/*
 * The call arcs of a preprocessed file, whatever its version. Versions 5 to 7 contain each arc in
 * the called-from list of its callee (versions 6 and 7 repeat it in its caller's list). Version 4
 * contains single calls, which are added up. Memory is proportional to the file.
 */
#ifndef CG2WG_READ_ARCS_H
#define CG2WG_READ_ARCS_H

#include "model/profile.h"
#include "read/preprocessed_file.h"

/*
 * Adds the arcs to `profile`, whose functions are not needed: caller and callee are numbers of
 * functions in the file. Arcs with the same caller, callee and line become one. Returns false when
 * memory runs out.
 */
bool preprocessed_add_arcs(const struct preprocessed *p, struct profile *profile);

/* All arcs: read them from here, and in the order of the lists. */
struct preprocessed_arcs {
    const struct arc *arcs;
    size_t count;
    struct arc_lists lists; /* numbers of arcs by callee and by caller */
    /*
     * In versions 6 and 7: sub calls without the same called-from information, or the other way
     * round. 0 in a consistent file; webgrind's own preprocessor writes others, because it confuses
     * some arcs.
     */
    size_t contradictions;
    struct profile profile; /* the owner of the arcs */
};

/* Returns false, with nothing to free, when memory runs out. */
bool preprocessed_arcs_init(struct preprocessed_arcs *arcs, const struct preprocessed *p);
void preprocessed_arcs_free(struct preprocessed_arcs *arcs);

#endif

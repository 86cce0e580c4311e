/* The totals that percentages are relative to. */
#ifndef CG2WG_MODEL_TOTALS_H
#define CG2WG_MODEL_TOTALS_H

#include "model/profile.h"
#include "util/diag.h"

/*
 * Decides the total of each summary of a profile: the input's own, or the sum of the self costs, if that is wanted, if
 * the input has none, or if it is not above zero although there are costs. A summary whose total differs from its line
 * loses its text. Warns about totals that are missing or cannot be right: smaller than the self costs, or more than
 * ten times as large. Xdebug measures its totals by the clock and the peak of memory, so these may be so, and only draw
 * a warning if they are missing. is_said: the output says itself how total and self costs differ, so no warning does.
 */
void totals_decide(struct profile *profile, bool compute, bool is_said, struct diag *diag);

/* Is its event Xdebug's memory? Functions allocate and free it; the input's total is the peak. */
bool profile_is_memory(const struct profile *profile);

/*
 * To be called when all inputs have been read. What functions allocate has no total in Xdebug's profiles, only a peak,
 * and where they also free memory, the sum of the self costs is less than some of them. For Xdebug's memory, and if
 * computed totals are wanted, makes the sum of the positive self costs the total.
 */
void totals_use_positive(struct profile *profile, bool compute);

#endif

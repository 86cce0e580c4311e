/* The totals that percentages are relative to. */
#ifndef CG2WG_MODEL_TOTALS_H
#define CG2WG_MODEL_TOTALS_H

#include "model/profile.h"
#include "util/diag.h"

/*
 * Settles the total of each summary of a profile: the input's own, or the sum of the self costs if
 * that is wanted, or the input has none, or one that is not above zero although there are costs. A
 * summary whose total is not the one that its line tells loses its text. Warns of totals that are
 * missing, or that cannot be right: smaller than the self costs, or more than ten times as large. A
 * measured total (see struct profile) may well be that, and is only missed where there is none.
 */
void totals_settle(struct profile *profile, bool compute, struct diag *diag);

#endif

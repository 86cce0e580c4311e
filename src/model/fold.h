/*
 * Calling contexts from records of invocations.
 *
 * The records are read backwards (records.h): an invocation comes before everything that it called, so
 * the context of its caller is known. For each function, a stack holds the contexts whose calls wait
 * for an invocation of it.
 *
 * Memory holds the contexts, and an entry of a stack for each two of them that wait for a function one
 * after the other. If records are in the order of a call stack, these are at most the depth of calls
 * times the functions that are called from there; otherwise, one for each call.
 */
#ifndef CG2WG_MODEL_FOLD_H
#define CG2WG_MODEL_FOLD_H

#include "model/contexts.h"
#include "model/records.h"

/*
 * Fills empty `contexts` with those of all records, and links them. An invocation that nobody called
 * is a root. So is a proxy that was stepped over, with its self cost; what it called belongs to its
 * caller. Inclusive costs are those of the records. Returns false, with errno, if memory or the
 * temporary file fails.
 */
bool fold_records(struct records *records, const struct profile *profile, struct contexts *contexts);

#endif

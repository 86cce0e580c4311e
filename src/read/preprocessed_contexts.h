/* The calling contexts that the invocations of version 4 contain. */
#ifndef CG2WG_READ_PREPROCESSED_CONTEXTS_H
#define CG2WG_READ_PREPROCESSED_CONTEXTS_H

#include "model/builder.h"
#include "read/preprocessed_file.h"

/*
 * Fills builder->contexts from a file of version 4, whose function i is functions[i] in the profile. A
 * file that was made from sums has one invocation for each function, which several may have called: it
 * has no contexts (see builder_has_no_contexts). It is an error if an invocation runs inside itself.
 */
void preprocessed_contexts(const struct preprocessed *p, const uint32_t *functions, struct builder *builder);

#endif

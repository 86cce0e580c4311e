/* SPDX-License-Identifier: MIT */
#include "model/contents.h"

void contents_find_facts(struct contents *contents, const char *title, enum cg2wg_summary summary)
{
    const cost_t *all = contents->allocated != NULL ? contents->allocated + contents->profile.function_count : NULL;
    facts_init(&contents->facts, &contents->profile, title);
    contents->facts.is_stated = summary == CG2WG_SUMMARY_FILE;
    if (all != NULL)
        contents->facts.total = all[0];
    if (all != NULL && all[0] == all[1])
        contents->allocated = NULL;
}

/* SPDX-License-Identifier: MIT */
/* Groups of functions, which take their place: files, classes or namespaces, objects. docs/formats.md defines them. */
#ifndef CG2WG_MODEL_GROUPS_H
#define CG2WG_MODEL_GROUPS_H

#include "model/contents.h"

/* The class or namespace of a function, which is a part of its name; empty: none. */
struct text group_class(struct text name);

/* The folder of a path of any system, without the last separator, unless it is all that there is. */
struct text group_folder(struct text path);

/* Are rows of that kind sums of functions? */
static inline bool group_is_of_functions(enum cg2wg_group by)
{
    return by >= CG2WG_GROUP_FILE && by <= CG2WG_GROUP_FOLDER;
}

/*
 * Makes each group a function, with the sum of the self costs, the calls from other groups, and the cost of these;
 * calls between members are not counted. Contexts become those of groups or, if only sums are wanted, remain, and there
 * are no calls. Returns the group of each function, in memory of the task.
 */
uint32_t *groups_make(struct contents *contents, enum cg2wg_group by, bool only_sums);

/* Finds the groups of each kind, beside the functions, which remain. */
void groups_find(struct contents *contents);

#endif

/* SPDX-License-Identifier: MIT */
/* What must hold of a command, and between commands that differ in one value. */
#ifndef CG2WG_TESTS_CHECKS_H
#define CG2WG_TESTS_CHECKS_H

#include "commands.h"

/*
 * Runs it. It must succeed or, if `says` is not NULL, be refused with a message that has this text; with ANYTHING, it
 * may succeed or be refused.
 */
struct result check_command(const struct command *c, const char *says);

/* Compares a valid command with others, in one of the ways that there are. */
void check_one(const struct command *c);

#endif

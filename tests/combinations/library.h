/* SPDX-License-Identifier: MIT */
#ifndef CG2WG_TESTS_LIBRARY_H
#define CG2WG_TESTS_LIBRARY_H

/* Calls the library in a child process, with random members of its options and of its view. */
void try_library(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CG2WG_TESTS_MADE_H
#define CG2WG_TESTS_MADE_H

/* Writes inputs of kinds that testdata lacks to a folder, and symbols of recordings to its folder symfs. */
void make_files(const char *folder);

#endif

/* SPDX-License-Identifier: MIT */
/* Files of tests and fuzz targets. A failure ends the process. */
#ifndef CG2WG_TESTS_FILES_H
#define CG2WG_TESTS_FILES_H

#include <stddef.h>

/* The contents of a file, malloc'ed, with a NUL after them. */
char *read_file(const char *path, size_t *size);
void write_file(const char *path, const void *bytes, size_t size);

/* A path in a fresh folder of this process, which is removed at exit. The text is malloc'ed. */
char *scratch_path(const char *name);

#endif

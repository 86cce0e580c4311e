/* SPDX-License-Identifier: MIT */
/* What the program inherits: its arguments, standard streams and terminal. */
#ifndef CG2WG_CLI_HOST_H
#define CG2WG_CLI_HOST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Must be called first. Replaces closed standard streams by ones that fail when they are used, as closed ones do. On
 * Windows, it also converts the arguments to UTF-8, and sets the streams to binary. False: it failed, and said why.
 */
bool host_prepare(int *argc, char ***argv);

/* The width of a descriptor's terminal, or the usual one. Sets its height, unless NULL; 0: unknown. */
enum { USUAL_WIDTH = 80 };
size_t host_width(int fd, size_t *height);

/* Does another process have the terminal at the moment, as after `&`? */
bool host_is_in_background(void);

#endif

/* What the program takes over from who has started it: its arguments, standard streams, a terminal. */
#ifndef CG2WG_CLI_HOST_H
#define CG2WG_CLI_HOST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * To be called first. Fills in standard streams that are closed: what takes their place fails when it is
 * used, as they would. On Windows it also turns the arguments into UTF-8, and the streams into bytes.
 * Returns false, having said why, if that fails.
 */
bool host_prepare(int *argc, char ***argv);

/* How many columns the terminal behind a descriptor has; 0: nobody knows. */
size_t host_columns(int fd);

/* Does the terminal belong to somebody else at the moment, as behind `&`? */
bool host_is_in_background(void);

#endif

/* What the program inherits: its arguments, standard streams and terminal. */
#ifndef CG2WG_CLI_HOST_H
#define CG2WG_CLI_HOST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Must be called first. Replaces closed standard streams by ones that fail when they are used, as closed ones do. On
 * Windows, it also converts the arguments to UTF-8, and sets the streams to binary. False: it failed; why was printed.
 */
bool host_prepare(int *argc, char ***argv);

/* The number of columns of the terminal of a descriptor, or the usual one if that is unknown. */
enum { USUAL_COLUMNS = 80 };
size_t host_columns(int fd);

/* The number of its lines; 0: unknown. */
size_t host_lines(int fd);

/* Does another process have the terminal at the moment, as after `&`? */
bool host_is_in_background(void);

#endif

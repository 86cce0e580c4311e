/*
 * How many lines a front end has asked for one at a time. Lines that it reads in a quick form, or that are added up
 * ahead, are not among them. The linker puts this in front of lines_next (--wrap).
 */
#ifndef CG2WG_TESTS_COUNT_LINES_H
#define CG2WG_TESTS_COUNT_LINES_H

#include <stddef.h>

/* Of all conversions so far; always 0 if the linker cannot do this, because the function has been inlined */
size_t lines_asked_for(void);

#endif

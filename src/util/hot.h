/* SPDX-License-Identifier: MIT */
/* Hints to the compiler for code that runs for each line of an input. */
#ifndef CG2WG_UTIL_HOT_H
#define CG2WG_UTIL_HOT_H

/* Functions that cost less than to call them. The build for coverage redefines HOT, so that each branch exists once. */
#ifndef HOT
#define HOT static inline __attribute__((always_inline))
#endif

/* A function that contains a loop for lines; without it, compilers think that the loop runs but once. */
#define HOT_LOOP __attribute__((hot))

/* A function that must not become a part of its caller, which would have to save more registers. */
#define APART __attribute__((noinline))

#define UNLIKELY(condition) __builtin_expect(condition, 0)

#endif

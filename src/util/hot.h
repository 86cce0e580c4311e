/* Hints to the compiler for code that runs for each line of an input. */
#ifndef CG2WG_UTIL_HOT_H
#define CG2WG_UTIL_HOT_H

/*
 * Marks small functions, of which a call would cost more than the function itself. The build for coverage redefines
 * HOT, so that each branch exists once.
 */
#if !defined(HOT) && defined(__GNUC__)
#define HOT static inline __attribute__((always_inline))
#elif !defined(HOT)
#define HOT static inline
#endif

/*
 * HOT_LOOP: a function that contains such a loop; without it, compilers think that it runs but once.
 * APART: one that must not become a part of its caller, which would have to save more registers.
 */
#if defined(__GNUC__)
#define HOT_LOOP __attribute__((hot))
#define APART __attribute__((noinline))
#define UNLIKELY(condition) __builtin_expect(condition, 0)
#else
#define HOT_LOOP
#define APART
#define UNLIKELY(condition) (condition)
#endif

#endif

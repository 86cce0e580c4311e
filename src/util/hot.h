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

#if defined(__GNUC__)
#define UNLIKELY(condition) __builtin_expect(condition, 0)
#else
#define UNLIKELY(condition) (condition)
#endif

#endif

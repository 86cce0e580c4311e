/* SPDX-License-Identifier: MIT */
/*
 * What many profiles in tests begin with and consist of, and what dump_preprocessed shows of it. Their total is none of
 * their costs' sum, so that nothing may depend on it: see ignore_odd_totals.
 */
#ifndef CG2WG_TESTS_PROFILES_H
#define CG2WG_TESTS_PROFILES_H

/* Sums, and records of invocations */
#define HEAD "events: Ir\nsummary: 99\n"
#define HEAD_SHOWN "header: events: Ir\nheader: summary: 99\n"
#define XDEBUG "creator: xdebug 3.2.0\nevents: Time\nsummary: 99\n"
#define XDEBUG_SHOWN "header: creator: xdebug 3.2.0\nheader: events: Time\nheader: summary: 99\n"

/* A function's own cost, and a call in its record, as Xdebug writes them */
#define RECORD(name, line, self) "fn=" name "\n" line " " self "\n"
#define CALL(name, line, cost) "cfn=" name "\ncalls=1 0 0\n" line " " cost "\n"

#endif

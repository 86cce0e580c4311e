/* SPDX-License-Identifier: MIT */
/*
 * The versions of webgrind's preprocessed format, which https://github.com/jokkedk/webgrind/wiki/Preprocessed-Format
 * describes. Its numbers have 32 bits and are unsigned, the lowest byte first.
 *
 *     4   each invocation, with the call that made it and the calls that it made
 *     5   sums of functions, each with the calls into it
 *     6   also with the calls that it makes; readers add up several summaries, and no longer use the last one
 *     7   also with the line where it begins; before it, files are escaped as ESCAPE_QUOTED_FILE
 */
#ifndef CG2WG_WRITE_VERSIONS_H
#define CG2WG_WRITE_VERSIONS_H

enum {
    FIRST_VERSION_WITH_SUMS = 5,
    FIRST_VERSION_WITH_SUB_CALLS = 6,
    FIRST_VERSION_WITH_LINES = 7,
    FIRST_VERSION_WITH_ENCODED_FILES = 7
};

#endif

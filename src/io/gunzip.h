/*
 * Decodes gzip files in a thread of its own, at the same time as the result is used. The threads
 * pass on a few blocks in turn, so that memory does not depend on how fast either side is.
 */
#ifndef CG2WG_IO_GUNZIP_H
#define CG2WG_IO_GUNZIP_H

#include "util/inflate.h"

#include <sys/types.h>

struct gunzip;

enum { GUNZIP_HEAD = 8 };

/*
 * Starts decoding `fd` (borrowed), preceded by the `head_length` bytes at `head` (copied, at most
 * GUNZIP_HEAD), which have already been read. Returns NULL, with errno, if memory, pipes or threads run out.
 */
struct gunzip *gunzip_start(int fd, const unsigned char *head, size_t head_length);

/*
 * Takes up to `length` (at least 1) decoded bytes. Returns their number, 0 if no more can be decoded,
 * or -1, with errno, if reading has failed.
 */
ssize_t gunzip_read(struct gunzip *gunzip, void *bytes, size_t length);

/* After gunzip_read has returned 0: why decoding ended. *message is that of struct inflate. */
enum inflate_result gunzip_end(const struct gunzip *gunzip, const char **message);

/*
 * Would gunzip_read return at once? With `waits`, waits until it would; false means that it has
 * been cancelled.
 */
bool gunzip_await(struct gunzip *gunzip, bool waits);

/* From another thread: cancels gunzip_await. Nothing may be read after that. */
void gunzip_call_off(struct gunzip *gunzip);

/* The number of bytes read from fd so far, including those at `head`. */
uint64_t gunzip_taken(struct gunzip *gunzip);

/* Ends the thread, in any state, and frees everything. NULL is allowed. */
void gunzip_stop(struct gunzip *gunzip);

#endif

/*
 * Decodes gzip files in a thread of its own, so that decoding and what is done with the result take
 * place at the same time. Blocks are handed over in turn; there are a few of them, so memory does not
 * depend on how fast either side is.
 */
#ifndef CG2WG_IO_GUNZIP_H
#define CG2WG_IO_GUNZIP_H

#include "util/inflate.h"

#include <sys/types.h>

struct gunzip;

/*
 * Starts to decode what is read from `fd` (borrowed), preceded by the `head_length` bytes at `head`
 * (copied) that have been read before. Returns NULL, with errno, if memory, pipes or threads run out.
 */
struct gunzip *gunzip_start(int fd, const unsigned char *head, size_t head_length);

/*
 * Takes up to `length` (at least 1) decoded bytes. Returns their number, 0 at the end, or -1 if
 * reading or decoding has failed. At 0, *result tells why it is over; INFLATE_TRUNCATED is an end, after
 * all bytes that can be decoded. At -1, *message says in a few words, which live until gunzip_stop, why
 * decoding has failed; it is NULL if reading has, and errno tells why.
 */
ssize_t gunzip_read(struct gunzip *gunzip, void *bytes, size_t length,
                    enum inflate_result *result, const char **message);

/*
 * Would gunzip_read return at once? `waits`: waits until it would; false means that it has been called
 * off.
 */
bool gunzip_await(struct gunzip *gunzip, bool waits);

/* From another thread: gunzip_await waits no longer. Nothing is to be read after that. */
void gunzip_call_off(struct gunzip *gunzip);

/* How many bytes have been read from fd so far, those at `head` included. */
uint64_t gunzip_taken(struct gunzip *gunzip);

/* Ends the thread, wherever it is, and frees everything. NULL is allowed. */
void gunzip_stop(struct gunzip *gunzip);

#endif

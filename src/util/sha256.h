/* SPDX-License-Identifier: MIT */
/* The hash function SHA-256 (FIPS 180-4). */
#ifndef CG2WG_UTIL_SHA256_H
#define CG2WG_UTIL_SHA256_H

#include "util/text.h"

enum { SHA256_SIZE = 32 };

/* The hash of a text, whose length in bits must fit 64 bits. */
void sha256(struct text t, unsigned char hash[SHA256_SIZE]);

#endif

/* SPDX-License-Identifier: MIT */
/* The hash function SHA-256 (FIPS 180-4). */
#pragma once

#include "util/text.h"

enum { SHA256_SIZE = 32 };

/* The hash of a text, whose length in bits must fit 64 bits. */
void sha256(struct text t, unsigned char hash[SHA256_SIZE]);

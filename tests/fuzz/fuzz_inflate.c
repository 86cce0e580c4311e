/* SPDX-License-Identifier: MIT */
/*
 * gzip files: they decode to the same for any sizes of input and output blocks; stored data are unchanged.
 */
#include "fuzz.h"

#include "util/inflate.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_OUTPUT = 256 * 1024, /* of decoded bytes: a byte of input may make a thousand */
    LARGEST_BLOCK = 64 * 1024,
    GUARD = 0xa5
};

struct outcome {
    enum inflate_result result;
    unsigned char *bytes; /* one of `buffers` */
    size_t size;
};

static unsigned char buffers[2][MOST_OUTPUT + LARGEST_BLOCK + 1];
static struct inflate inflate;

struct input {
    const uint8_t *next, *end;
    size_t block;
};

static size_t more(void *context, unsigned char *bytes, size_t size)
{
    struct input *input = context;
    size_t count = (size_t)(input->end - input->next);
    FUZZ_CHECK(size > 0 && input->block > 0);
    if (count == 0)
        input->block = 0; /* It is not called again. */
    else if (count > input->block)
        count = input->block;
    if (count > size)
        count = size;
    memcpy(bytes, input->next, count);
    input->next += count;
    return count;
}

/* Decodes into `buffer` in blocks of at most `in` and `out` bytes. */
static struct outcome decode(unsigned char *buffer, const uint8_t *data, size_t size, size_t in, size_t out)
{
    struct inflate *z = &inflate;
    struct outcome o = {.bytes = buffer};
    struct input input = {data, data + size, in};
    size_t count = 1;
    inflate_init(z, more, &input);
    while (o.size < MOST_OUTPUT && count > 0) {
        o.bytes[o.size + out] = GUARD;
        count = inflate_read(z, o.bytes + o.size, out);
        FUZZ_CHECK(count <= out && o.bytes[o.size + out] == GUARD);
        o.size += count;
    }
    o.result = z->result;
    FUZZ_CHECK(count > 0 || o.result != INFLATE_GOES_ON);
    FUZZ_CHECK((o.result == INFLATE_DAMAGED) == (z->message != NULL));
    return o;
}

static void compare(const struct outcome *whole, struct outcome other)
{
    bool both_over = whole->size < MOST_OUTPUT && other.size < MOST_OUTPUT;
    size_t size = whole->size < other.size ? whole->size : other.size;
    FUZZ_CHECK(!both_over || (whole->result == other.result && whole->size == other.size));
    FUZZ_CHECK(memcmp(whole->bytes, other.bytes, size) == 0);
}

/* A gzip file of one stored block. */
static void store(const uint8_t *data, size_t size)
{
    static const unsigned char head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1};
    enum { HEAD = sizeof head, LENGTHS = 4, TAIL = 8 };
    struct crc32 crc;
    size_t length = size > UINT16_MAX ? UINT16_MAX : size;
    unsigned char *file = malloc(HEAD + LENGTHS + length + TAIL), *tail = file + HEAD + LENGTHS;
    FUZZ_CHECK(file != NULL);
    memcpy(file, head, HEAD);
    file[HEAD] = (unsigned char)length;
    file[HEAD + 1] = (unsigned char)(length >> 8);
    file[HEAD + 2] = (unsigned char)~file[HEAD];
    file[HEAD + 3] = (unsigned char)~file[HEAD + 1];
    if (length > 0)
        memcpy(tail, data, length);
    tail += length;
    crc32_init(&crc);
    uint32_t sum = crc32_add(&crc, 0, data, length);
    for (int i = 0; i < 4; i++) {
        tail[i] = (unsigned char)(sum >> 8 * i);
        tail[4 + i] = (unsigned char)((uint32_t)length >> 8 * i);
    }
    struct outcome o = decode(buffers[0], file, HEAD + LENGTHS + length + TAIL, LARGEST_BLOCK, LARGEST_BLOCK);
    FUZZ_CHECK(o.result == INFLATE_END && o.size == length);
    FUZZ_CHECK(length == 0 || memcmp(o.bytes, data, length) == 0);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    size_t in = 1 + fuzz_choice(&input) % 16, out = 1 + fuzz_choice(&input);
    struct outcome whole = decode(buffers[0], input.data, input.size, input.size + 1, LARGEST_BLOCK);
    compare(&whole, decode(buffers[1], input.data, input.size, in, out));
    compare(&whole, decode(buffers[1], input.data, input.size, input.size + 1, 300 + out * 100));
    store(input.data, input.size);
    return 0;
}

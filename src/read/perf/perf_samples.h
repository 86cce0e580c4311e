/* SPDX-License-Identifier: MIT */
/* Records of the kernel, taken in the order of time: what is mapped where, and the stacks of samples. */
#ifndef CG2WG_READ_PERF_PERF_SAMPLES_H
#define CG2WG_READ_PERF_PERF_SAMPLES_H

#include "read/perf/perf_stacks.h"
#include "util/little.h"

/* Each record has a head: u32 type, u16 misc, u16 size, which counts the head. */
enum { RECORD_HEAD = 8 };

enum { RECORD_MMAP = 1, RECORD_LOST = 2, RECORD_COMM = 3, RECORD_FORK = 7, RECORD_SAMPLE = 9, RECORD_MMAP2 = 10 };
enum { RECORD_LOST_SAMPLES = 13, RECORD_KSYMBOL = 17, RECORD_CALLCHAIN_DEFERRED = 22 };
/* These come from perf, those before from the kernel. */
enum { RECORD_ATTR = 64, RECORD_TRACING_DATA = 66, RECORD_BUILD_ID = 67, RECORD_FINISHED_ROUND = 68 };
enum { RECORD_AUXTRACE = 71, RECORD_EVENT_UPDATE = 78, RECORD_FEATURE = 80 };
enum { RECORD_COMPRESSED = 81, RECORD_COMPRESSED2 = 83 };

/* Bits of sample_type. */
enum { SAMPLE_IP = 1 << 0, SAMPLE_TID = 1 << 1, SAMPLE_TIME = 1 << 2, SAMPLE_ADDR = 1 << 3, SAMPLE_READ = 1 << 4 };
enum { SAMPLE_CALLCHAIN = 1 << 5, SAMPLE_ID = 1 << 6, SAMPLE_CPU = 1 << 7, SAMPLE_PERIOD = 1 << 8 };
enum { SAMPLE_STREAM_ID = 1 << 9, SAMPLE_BRANCH_STACK = 1 << 11, SAMPLE_STACK_USER = 1 << 13 };
enum { SAMPLE_IDENTIFIER = 1 << 16 };

/* What of a record or section is to be taken. What would pass its end is 0, or empty; then it stays short. */
struct perf_rest {
    const char *at, *end;
    bool is_short;
};

/* Takes `count` entries of `size` bytes. */
static inline struct text perf_take_array(struct perf_rest *rest, uint64_t count, size_t size)
{
    const char *at = rest->at;
    rest->is_short |= size > 0 && count > (size_t)(rest->end - at) / size;
    if (!rest->is_short)
        rest->at += count * size;
    return (struct text){at, rest->at};
}

/* Takes a number of 4 or 8 bytes. */
static inline uint64_t perf_take(struct perf_rest *rest, size_t size)
{
    struct text bytes = perf_take_array(rest, 1, size);
    return text_is_empty(bytes) ? 0 : size == 4 ? little4(bytes.at) : little8(bytes.at);
}

struct perf_samples;

struct perf_samples *perf_samples_new(struct perf_about *about);

/* Adds a record of the kernel, or the end of a round. */
void perf_add_record(struct perf_samples *samples, uint32_t type, struct text record);

/* No record follows. Frees the samples. */
void perf_end_records(struct perf_samples *samples);

#endif

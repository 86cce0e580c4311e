/* SPDX-License-Identifier: MIT */
/*
 * Shared by the fuzz targets. A target is a file tests/fuzz/fuzz_NAME.c with an
 * LLVMFuzzerTestOneInput; with libFuzzer it becomes a fuzzer, with replay.c a test that runs the
 * inputs in tests/fuzz/corpus/NAME.
 */
#ifndef CG2WG_TESTS_FUZZ_H
#define CG2WG_TESTS_FUZZ_H

#include "cg2wg_print.h"
#include "files.h"
#include "util/diag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A target may set this. After a replay of the whole corpus, it checks what some of the inputs must have done. */
extern void (*fuzz_check_corpus)(void);

/* An input: the bytes to read, followed by bytes that choose options. */
struct fuzz_input {
    const uint8_t *data;
    size_t size;
    size_t block; /* how much is to be read at once, in bytes; 0: as much as is good */
};

/*
 * Takes a byte off the end, so that any profile is an input, too. The newlines with which profiles
 * end, or nothing, choose 0.
 */
unsigned fuzz_choice(struct fuzz_input *input);

/* Takes three bytes off the end and makes options of them, all of which are valid. */
struct cg2wg_options fuzz_options(struct fuzz_input *input);

/* The path of a file in the folder of files.h: the same for the same name, which must be a literal; not more than 8. */
const char *fuzz_path(const char *name);

/* Writes what is to be read to a file. Returns false if a program would have to be started to decode it. */
bool fuzz_write_input(const char *path, const struct fuzz_input *input);

/* Messages, strung together, to be compared. */
struct fuzz_messages {
    char *text;
    size_t size;
    unsigned errors;
};

/* A cg2wg_report_fn; its user is a struct fuzz_messages. */
void fuzz_report(void *user, const struct cg2wg_message *message);
void fuzz_messages_free(struct fuzz_messages *messages);

/* Is it JSON: one value, with a newline after it? */
void fuzz_check_json(const char *text);

/* Converts a file: the result is a whole file of its version, or one error and no file. Sets options->report. */
void fuzz_convert(const char *path, struct cg2wg_options *options);

/* Ends the process, as a finding, if something does not hold that always should. */
#define FUZZ_CHECK(condition)                                                       \
    do {                                                                            \
        if (!(condition))                                                           \
            fuzz_fail(__FILE__, __LINE__, #condition);                              \
    } while (0)

_Noreturn void fuzz_fail(const char *file, int line, const char *condition);

#endif

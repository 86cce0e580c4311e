/* SPDX-License-Identifier: MIT */
/*
 * Recordings of perf, and the text of perf script: what is converted is a whole file of its version, with one
 * error at most if not. There are no symbols, but those that the input has itself.
 */
#include "fuzz.h"

#include "os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take_event(void *user, const struct cg2wg_event *event)
{
    unsigned *count = user;
    *count += event->name != NULL;
}

static void list(const char *path, struct cg2wg_options *options)
{
    struct fuzz_messages messages = {0};
    unsigned count = 0;
    options->report = fuzz_report;
    options->user = &messages;
    enum cg2wg_status status = cg2wg_list_events(path, options, take_event, &count);
    FUZZ_CHECK((status == CG2WG_OK) == (messages.errors == 0));
    fuzz_messages_free(&messages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t some_pids[] = {5};
    struct fuzz_input input = {.data = data, .size = size};
    unsigned choice = fuzz_choice(&input);
    struct cg2wg_options options = fuzz_options(&input);
    const char *path = fuzz_path("recording"), *table = fuzz_path("table");
    if (!fuzz_write_input(path, &input))
        return -1;
    char *root = strdup(path);
    FUZZ_CHECK(root != NULL);
    root[file_folder_length(path) - 1] = '\0';
    write_file(table, "ffff0000 T _text\nffff8000 t f\n", 30);
    bool is_recording = input.size > 0 && memchr("P2", input.data[0], 2) != NULL;
    options.input_format = is_recording ? "perf" : "perf-script";
    options.samples.root = is_recording ? root : NULL; /* a folder with nothing of use */
    options.samples.kernel_table = is_recording && choice % 2 == 0 ? table : NULL;
    options.samples.pids = some_pids;
    options.samples.pid_count = choice / 2 % 2;
    fuzz_convert(path, &options);
    list(path, &options);
    free(root);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Reports of aprof: the result is a complete file of its version, or one error and no file; costs
 * by input size are printed in every style, or rejected.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

static void print(const char *path, const struct cg2wg_options *convert_options)
{
    static const enum cg2wg_style styles[] = {CG2WG_TABLE, CG2WG_JSON, CG2WG_PLOT};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        struct fuzz_messages messages = {0};
        struct cg2wg_options options = *convert_options;
        struct cg2wg_view view;
        FILE *out = fopen("/dev/null", "w");
        FUZZ_CHECK(out != NULL);
        cg2wg_view_init(&view, sizeof view);
        view.style = styles[i];
        view.top = 10;
        options.report = fuzz_report;
        options.user = &messages;
        cg2wg_print(path, &options, &view, out, NULL);
        fclose(out);
        fuzz_messages_free(&messages);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    struct cg2wg_options options = fuzz_options(&input);
    const char *path = fuzz_path("report");
    if (!fuzz_write_input(path, &input))
        return -1;
    options.input_format = "aprof";
    fuzz_convert(path, &options);
    print(path, &options);
    return 0;
}

/*
 * Reports of aprof: the result is a complete file of its version, or one error and no file; costs
 * by input size are printed in every style, or rejected.
 */
#include "fuzz.h"

#include "view/print.h"

#include <stdio.h>
#include <string.h>

static void print(const char *path, const struct cg2wg_options *convert_options)
{
    static const enum print_style styles[] = {PRINT_TABLE, PRINT_JSON, PRINT_PLOT};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        struct fuzz_messages messages = {0};
        struct diag diag = {.report = fuzz_report, .user = &messages, .input = path};
        struct options options = {.inputs = &path,
                                  .input_count = 1,
                                  .convert = *convert_options,
                                  .print_style = styles[i],
                                  .print_top = 10};
        options.convert.report = fuzz_report;
        options.convert.user = &messages;
        struct bar bar;
        FILE *out = fopen("/dev/null", "w");
        FUZZ_CHECK(out != NULL);
        bar_init(&bar);
        print_input(out, &options, &bar, &diag);
        fclose(out);
        fuzz_messages_free(&messages);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    struct cg2wg_options options = fuzz_options(&input);
    const char *path = fuzz_path("report");
    /* Programs that decode are not to be started here. */
    if (input.size > 0 && memchr("\x28\xfd" "B", input.data[0], 3) != NULL)
        return -1;
    fuzz_write(path, input.data, input.size);
    options.input_format = "aprof";
    fuzz_convert(path, &options);
    print(path, &options);
    return 0;
}

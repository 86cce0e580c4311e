/* Compares an input with another one: --base. */
#ifndef CG2WG_VIEW_DIFFERENCES_H
#define CG2WG_VIEW_DIFFERENCES_H

#include "cli/bar.h"
#include "cli/options.h"
#include "util/diag.h"

enum differences_result {
    DIFFERENCES_FAILED, /* it has been reported */
    DIFFERENCES_SHOWN,
    DIFFERENCES_TOO_LARGE /* shown, and the total grew by more than options->fail_over percent */
};

/*
 * Prints how options->inputs[0] differs from options->base, each of which is read as print_input reads
 * its input, and a report of costs by size as it would be converted. A function is the same in both if
 * its name, file and object are; of the others, those with the same name and file; and then those with
 * the same name. Removes `bar` first. The caller checks `stream` for errors.
 */
enum differences_result print_differences(FILE *stream, const struct options *options,
                                          struct bar *bar, struct diag *diag);

#endif

#include "view/print.h"

#include "view/functions.h"

void print_shown(FILE *stream, const struct cg2wg_view *options, struct shown *shown)
{
    struct view view;
    struct calls calls;
    bool has_calls = options->functions.count > 0;
    if (options->style == CG2WG_STACKS) {
        print_stacks(stream, shown);
        return;
    }
    if (shown->has_sizes) {
        print_sizes(stream, options, shown);
        return;
    }
    if (options->style == CG2WG_PLOT)
        diag_error(&shown->diag, 0, "found no costs by input size, expected an aprof report to plot");
    view_of_functions(&view, shown);
    view_can_choose(&view, options, &shown->diag);
    if (has_calls)
        calls_init(&calls, shown, &view, options);
    else
        view_choose(&view, options);
    if (options->style == CG2WG_PAGE)
        print_page(stream, options, shown, &view);
    else if (options->style == CG2WG_JSON)
        functions_print_json(stream, shown, &view, has_calls ? &calls : NULL);
    else
        functions_print_table(stream, shown, &view, options, has_calls ? &calls : NULL);
}

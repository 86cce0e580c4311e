#include "io/filter.h"

#include <string.h>
#include <unistd.h>

static bool fail(const struct filter *f)
{
    if (!f->kind->is_optional)
        diag_error_in(f->diag, NULL, "%s cannot be handed to %s: %s", f->what, f->kind->name, strerror(errno));
    return false;
}

bool filter_add(struct filter *f, struct text bytes)
{
    if (f->input < 0 && !text_is_empty(bytes)) {
        f->input = file_create_unnamed();
        run_hold(&f->held, filter_end, f);
    }
    if (!text_is_empty(bytes) && (f->input < 0 || !file_write_all(f->input, bytes.at, text_length(bytes))))
        return fail(f);
    return true;
}

bool filter_start(struct filter *f)
{
    if (lseek(f->input, 0, SEEK_SET) != 0)
        return fail(f);
    f->output = program_start(&f->program, f->kind, f->input, text_of("", 0), f->diag);
    return f->output >= 0;
}

void filter_end(void *of)
{
    struct filter *f = of;
    run_let_go(&f->held);
    if (f->input >= 0)
        close(f->input);
    if (f->output >= 0)
        close(f->output);
    program_stop(&f->program);
    f->input = f->output = -1;
}

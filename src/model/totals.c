#include "model/totals.h"

#include "model/units.h"

#include <inttypes.h>

enum { IMPLAUSIBLE_FACTOR = 10 };

#define COMPUTED "--summary=computed"

static void decide_summary(struct header *header, bool compute, bool is_measured, struct diag *diag)
{
    cost_t computed = header->self_total < 0 ? 0 : header->self_total;
    bool is_usable = header->has_total && (header->total > 0 || header->total == computed);

    if (!compute && header->has_total && !is_usable && !is_measured)
        diag_warning(diag, 0, "found a total of %" PRId64 "; using the sum of the self costs, %" PRId64
                     ", instead, as " COMPUTED " does", header->total, computed);
    else if (!compute && !header->has_total)
        diag_warning(diag, header->line, "found no %s; using the sum of the self costs, %" PRId64
                     ", as the total, as " COMPUTED " does",
                     header->text == NAME_EMPTY ? "summary: or totals: line"
                                                : "number in a summary: line", computed);
    if (compute || !is_usable) {
        if (!header->has_total || header->total != computed)
            header->text = NAME_EMPTY;
        header->total = computed;
    }
}

/* Does it call methods of PHP's fibers? Their names are `Fiber->start`, `php::Fiber::suspend`, ... */
static bool has_fibers(const struct profile *profile)
{
    for (size_t i = 0; i < profile->function_count; i++) {
        struct text name = names_text(&profile->names, profile->functions[i].name);
        if (text_starts(name, "php::"))
            name.at += strlen("php::");
        if (text_starts(name, "Fiber->") || text_starts(name, "Fiber::"))
            return true;
    }
    return false;
}

/*
 * Xdebug measures its totals: the memory peak is no sum, and the time includes compiling. But the time
 * cannot be less than the sum of the self costs, except with fibers, which count in each other.
 */
static bool may_be_below_sum(const struct profile *profile)
{
    bool is_time = unit_of(names_text(&profile->names, profile->event)).is_time;
    return profile->has_measured_totals &&
           (!profile->records_are_invocations || !is_time || has_fibers(profile));
}

static void check_totals(const struct profile *profile, cost_t file, cost_t computed,
                         struct diag *diag)
{
    static const char advice[] = COMPUTED " uses the sum";
    if (computed < 0)
        computed = 0;
    bool is_too_large = file / IMPLAUSIBLE_FACTOR > computed ||
                        (file / IMPLAUSIBLE_FACTOR == computed && file % IMPLAUSIBLE_FACTOR > 0);
    if (file < computed && !may_be_below_sum(profile))
        diag_warning(diag, 0, "found a total of %" PRId64 ", less than the sum of the self costs, %" PRId64
                     "; %s", file, computed, advice);
    else if (is_too_large && !profile->has_measured_totals)
        diag_warning(diag, 0, "found a total of %" PRId64 ", more than ten times the sum of the self "
                     "costs, %" PRId64 "; %s", file, computed, advice);
}

void totals_decide(struct profile *profile, bool compute, struct diag *diag)
{
    cost_t file = 0, computed = 0;
    for (size_t i = 0; i < profile->header_count; i++) {
        struct header *header = &profile->headers[i];
        if (header->kind != HEADER_SUMMARY)
            continue;
        decide_summary(header, compute, profile->has_measured_totals, diag);
        cost_add(&file, header->total);
        cost_add(&computed, header->self_total);
    }
    if (!compute)
        check_totals(profile, file, computed, diag);
}

#include "model/totals.h"

#include "model/units.h"

#include <inttypes.h>

enum { IMPLAUSIBLE_FACTOR = 10 };

bool profile_is_memory(const struct profile *profile)
{
    return profile->has_part_of[PRODUCER_XDEBUG] && text_starts(names_text(&profile->names, profile->event), "Memory");
}

void totals_decide(struct profile *profile, bool compute, bool is_said, struct diag *diag)
{
    bool is_measured = profile->has_part_of[PRODUCER_XDEBUG], has_fibers = false;
    cost_t file = 0, computed = 0;
    for (size_t i = 0; i < profile->header_count; i++) {
        struct header *header = &profile->headers[i];
        cost_t sum = header->self_total < 0 ? 0 : header->self_total;
        bool is_usable = header->has_total && (header->total > 0 || header->total == sum);
        if (header->kind != HEADER_SUMMARY)
            continue;
        diag->member = CG2WG_MEMBER_SUMMARY_COMPUTED;
        if (!compute && header->has_total && !is_usable && !is_measured)
            diag_warning(diag, 0, "found a total of %" PRId64 "; using the sum of the self costs, %" PRId64
                         ", instead", header->total, sum);
        else if (!compute && !header->has_total && !profile_is_memory(profile))
            diag_warning(diag, header->line, "found no %s; using the sum of the self costs, %" PRId64
                         ", as the total",
                         header->key == NAME_EMPTY ? "summary: or totals: line" : "number in a summary: line", sum);
        if (compute || !is_usable) {
            if (!header->has_total || header->total != sum)
                header->value = NAME_EMPTY;
            header->total = sum;
        }
        diag->member = CG2WG_MEMBER_NONE;
        cost_add(&file, header->total);
        cost_add(&computed, header->self_total);
    }
    if (compute || is_said)
        return;
    computed = computed < 0 ? 0 : computed;
    cost_t tenth = file / IMPLAUSIBLE_FACTOR;
    bool is_too_large = tenth > computed || (tenth == computed && file % IMPLAUSIBLE_FACTOR > 0);
    /*
     * Xdebug measures its totals: the memory peak is no sum, and the time includes compiling. But the time cannot be
     * less than the sum of the self costs, except with PHP's fibers, which count in each other: `Fiber->start`,
     * `php::Fiber::suspend`, ...
     */
    for (size_t i = 0; i < profile->function_count && is_measured && !has_fibers; i++) {
        struct text name = names_text(&profile->names, profile->functions[i].name);
        name.at += text_starts(name, "php::") ? strlen("php::") : 0;
        has_fibers = text_starts(name, "Fiber->") || text_starts(name, "Fiber::");
    }
    bool may_be_below_sum = is_measured && (!profile->records_are_invocations || has_fibers ||
                                            !unit_of(names_text(&profile->names, profile->event)).is_time);
    const char *is = file < computed && !may_be_below_sum ? "less than"
                     : is_too_large && !is_measured       ? "more than ten times" : NULL;
    if (is == NULL)
        return;
    diag->member = CG2WG_MEMBER_SUMMARY;
    diag_warning(diag, 0, "found a total of %" PRId64 ", %s the sum of the self costs, %" PRId64, file, is, computed);
}

void totals_use_positive(struct profile *profile, bool compute)
{
    cost_t rest = 0, total = 0;
    struct header *last = NULL;
    for (size_t i = 0; i < profile->function_count; i++)
        if (profile->functions[i].self > 0)
            cost_add(&rest, profile->functions[i].self);
    for (size_t i = 0; i < profile->header_count; i++)
        cost_add(&total, profile->headers[i].kind == HEADER_SUMMARY ? profile->headers[i].total : 0);
    if ((!compute && !profile_is_memory(profile)) || total == rest)
        return;
    /* Each part has its own sum, as long as there is any left, and the last one what remains. */
    for (size_t i = 0; i < profile->header_count; i++) {
        struct header *header = &profile->headers[i];
        if (header->kind != HEADER_SUMMARY)
            continue;
        header->total = header->self_total < 0 ? 0 : header->self_total < rest ? header->self_total : rest;
        header->value = NAME_EMPTY;
        rest -= header->total;
        last = header;
    }
    if (last != NULL)
        last->total += rest;
}

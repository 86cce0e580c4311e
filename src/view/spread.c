/* SPDX-License-Identifier: MIT */
/* What the costs of several runs say: means and how far they spread. */
#include "view/view.h"

#include "model/groups.h"

/* Adds the value of the last run that has the function, by Welford's method: all equal values have a spread of 0. */
static struct moments with_last(struct moments moments)
{
    double delta = moments.last - moments.mean;
    moments.mean += delta / (double)++moments.count;
    moments.squares += delta * (moments.last - moments.mean);
    return moments;
}

/* Adds a value of a run, which may have several functions that are one now. */
static void add_value(struct moments *moments, double value, size_t run)
{
    if (moments->run != run) {
        if (moments->run > 0)
            *moments = with_last(*moments);
        moments->run = run;
        moments->last = 0;
    }
    moments->last += value;
}

/*
 * The numbers of a run are those that its costs alone would be shown with. Looks only at functions that it has: many
 * runs may have few functions each of the many that all have.
 */
void view_runs_add(void *of, const struct contents *sum, const struct contents *part, const uint32_t *renumbered)
{
    struct view_runs *runs = of;
    struct view view;
    struct memory_scope scope;
    struct contents run = *part;
    struct profile *profile = &run.profile;
    double factor = (double)unit_of(names_text(&sum->profile.names, sum->profile.event)).factor;
    bool is_only = runs->parts != NULL && !runs->parts->are_several && !runs->parts->is_asked_for;
    if (is_only && part->listed->count < 2 && !part->listed->has_totals) /* on a page, there are no others beside it */
        return;
    memory_scope_begin(&scope);
    profile->names = names_copy(&profile->names);
    profile->headers = memory_copy(profile->headers, profile->header_count * sizeof *profile->headers);
    if (run.stored.version == 0)
        totals_use_positive(profile, runs->summary == CG2WG_SUMMARY_COMPUTED);
    contents_find_facts(&run, NULL, runs->summary);
    if (runs->by != CG2WG_GROUP_FUNCTION)
        groups_make(&run, runs->by, true);
    view_of_functions(&view, &run);
    memory_scope_end(&scope);
    double each = factor / (double)run.facts.runs; /* a sum of runs counts as one of them, of mean costs */
    array_reach(&runs->functions, &runs->capacity, 1, sizeof *runs->functions, 0);
    add_value(&runs->functions[0][0], (double)view.total.sum * each, ++runs->count);
    if (runs->parts != NULL)
        view_parts_add(runs->parts, text_of_string(runs->diag->input), &run, renumbered, &view, factor);
    for (size_t i = 0; i < view.all && runs->parts == NULL; i++) { /* a page of parts is not compared */
        size_t number = renumbered != NULL ? renumbered[i] : i;
        if (runs->by != CG2WG_GROUP_FUNCTION)
            number = names_intern(&runs->groups, view.rows[i].name) - 1; /* in the order of all groups */
        array_reach(&runs->functions, &runs->capacity, number + 2, sizeof *runs->functions, 0);
        runs->function_count = MAX(runs->function_count, number + 1);
        const int64_t *measures = view.rows[i].measures;
        add_value(&runs->functions[number + 1][0], (double)measures[SELF] * each, runs->count);
        add_value(&runs->functions[number + 1][1], (double)measures[INCLUSIVE] * each, runs->count);
    }
    memory_scope_free(&scope);
}

static double root(double square)
{
    double root = square > 1 ? square : 1;
    while (square > 0 && root * root > square * (1 + 1e-12)) /* above the root, and nearer each time */
        root = (root + square / root) / 2;
    return square > 0 ? root : 0;
}

/* Between minus and plus this number are 95 % of all values of Student's t; beyond the table, by Cornish and Fisher. */
static double quantile(double freedom)
{
    static const double few[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
    const double z = 1.959964;
    freedom = (double)(uint64_t)MAX(freedom, 1);
    if (freedom <= COUNT_OF(few))
        return few[(size_t)freedom - 1];
    return z + (z * z * z + z) / (4 * freedom) +
           (5 * z * z * z * z * z + 16 * z * z * z + 3 * z) / (96 * freedom * freedom);
}

double spread_deviation(const struct side *side, size_t number, size_t measure)
{
    const struct view_runs *runs = side->shown->runs;
    if (runs == NULL || number > runs->function_count || runs->count < 2)
        return 0;
    struct moments known = with_last(runs->functions[number][measure]);
    double others = (double)(runs->count - known.count), all = (double)runs->count; /* the others have 0 */
    double squares = known.squares + known.mean * known.mean * (double)known.count * others / all;
    return root(squares / (all - 1)) / (double)unit_of(side->shown->facts.event).factor * (double)side->factor;
}

double spread_margin(const struct side *sides, size_t now, size_t base, size_t measure)
{
    const struct view_runs *runs = sides[NOW].shown->runs, *base_runs = sides[BASE].shown->runs;
    double deviation = spread_deviation(&sides[NOW], now, measure);
    double other = spread_deviation(&sides[BASE], base, measure);
    size_t count = runs != NULL ? runs->count : 1, other_count = base_runs != NULL ? base_runs->count : 1;
    double n = (double)count, other_n = (double)other_count;
    if (count < 2 && other_count < 2)
        return 0;
    if (count < 2 || other_count < 2) { /* a single run is taken to spread like the others */
        double known = count < 2 ? other : deviation, freedom = MAX(n, other_n) - 1;
        return quantile(freedom) * known * root(1 / n + 1 / other_n);
    }
    double part = deviation * deviation / n, other_part = other * other / other_n, sum = part + other_part;
    if (!(sum > 0))
        return 0;
    return quantile(sum * sum / (part * part / (n - 1) + other_part * other_part / (other_n - 1))) * root(sum);
}

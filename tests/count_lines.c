#include "count_lines.h"

#include "frontends/callgrind/prepared.h"
#include "io/lines.h"

#include <stdatomic.h>

static atomic_size_t counted[COUNTED_KINDS];

enum lines_result __real_lines_next(struct lines *lines, struct text *line);
enum lines_result __wrap_lines_next(struct lines *lines, struct text *line);

enum lines_result __wrap_lines_next(struct lines *lines, struct text *line)
{
    enum lines_result result = __real_lines_next(lines, line);
    atomic_fetch_add(&counted[LINE_ASKED_FOR], result == LINES_LINE);
    return result;
}

const char *__real_tokens_make(struct tokens *tokens, const struct line_form *form, struct text text,
                               bool stop_at_records);
const char *__wrap_tokens_make(struct tokens *tokens, const struct line_form *form, struct text text,
                               bool stop_at_records);

const char *__wrap_tokens_make(struct tokens *tokens, const struct line_form *form, struct text text,
                               bool stop_at_records)
{
    const char *end = __real_tokens_make(tokens, form, text, stop_at_records);
    for (size_t i = 0; i < tokens->count; i++)
        atomic_fetch_add(&counted[tokens->tokens[i].kind], 1);
    return end;
}

bool __real_prepared_take_span(struct prepared *prepared, const struct sums_span *span, struct builder *builder,
                               const struct aliases *files, const struct aliases *functions, uint32_t object,
                               struct span_taken *taken, bool *entered);
bool __wrap_prepared_take_span(struct prepared *prepared, const struct sums_span *span, struct builder *builder,
                               const struct aliases *files, const struct aliases *functions, uint32_t object,
                               struct span_taken *taken, bool *entered);

bool __wrap_prepared_take_span(struct prepared *prepared, const struct sums_span *span, struct builder *builder,
                               const struct aliases *files, const struct aliases *functions, uint32_t object,
                               struct span_taken *taken, bool *entered)
{
    bool done = __real_prepared_take_span(prepared, span, builder, files, functions, object, taken, entered);
    atomic_fetch_add(&counted[*entered ? SPAN_ENTERED : SPAN_LEFT], done);
    return done;
}

struct line_counts line_counts_take(void)
{
    struct line_counts counts;
    for (size_t i = 0; i < COUNTED_KINDS; i++)
        counts.of[i] = atomic_exchange(&counted[i], 0);
    return counts;
}

void line_counts_add(struct line_counts *sum, const struct line_counts *more)
{
    for (size_t i = 0; i < COUNTED_KINDS; i++)
        sum->of[i] += more->of[i];
}

bool processor_has_sums(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

int line_counts_missing(const struct line_counts *counts, unsigned kinds)
{
    if (!processor_has_sums())
        kinds &= ~(BIT(SPAN_ENTERED) | BIT(SPAN_LEFT));
    for (int kind = 0; LINES_ARE_COUNTED && kind < COUNTED_KINDS; kind++)
        if ((kinds & BIT(kind)) != 0 && counts->of[kind] == 0)
            return kind;
    return -1;
}

#include "model/builder.h"

#include "model/recursion.h"
#include "model/units.h"
#include "util/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool check_memory(struct builder *b, bool enough)
{
    return enough || diag_no_memory(b->diag);
}

/* The same for what may fail for want of a temporary file, too. */
static bool check_errno(struct builder *b, bool done)
{
    if (done || errno == ENOMEM)
        return check_memory(b, done);
    return diag_error_in(b->diag, NULL, "cannot use a temporary file: %s", strerror(errno));
}

void builder_init(struct builder *b, struct profile *profile, struct tree *tree,
                  struct proxy_names proxy_names, bool wants_outermost, struct diag *diag)
{
    *b = (struct builder){.profile = profile,
                          .tree = tree,
                          .diag = diag,
                          .wants_outermost = wants_outermost,
                          .current = INDEX_NONE,
                          .told = INDEX_NONE};
    proxies_init(&b->proxies, profile, NULL, proxy_names);
}

bool builder_settle(struct builder *b, enum identity identity, bool records_are_invocations)
{
    b->identity = identity;
    b->profile->records_are_invocations = records_are_invocations;
    if (!records_are_invocations)
        b->tree = NULL;
    if (!records_are_invocations || !b->wants_outermost)
        return true;
    if (!check_errno(b, outermost_init(&b->outermost)))
        return false;
    b->has_outermost = true;
    b->proxies.outermost = &b->outermost;
    return true;
}

void builder_settle_contexts(struct builder *b, enum identity identity)
{
    b->identity = identity;
    b->profile->records_are_invocations = false;
}

void builder_free(struct builder *b)
{
    proxies_free(&b->proxies);
    journal_free(&b->journal);
    free(b->guesses);
    free(b->verdicts);
    if (b->has_outermost)
        outermost_free(&b->outermost);
}

enum verdict { VERDICT_NONE, VERDICT_ORDINARY, VERDICT_PROXY };

static bool make_room_for_verdicts(struct builder *b)
{
    size_t names = b->profile->names.count;
    if (!array_reserve(&b->verdicts, &b->verdict_capacity, names, sizeof *b->verdicts))
        return false;
    while (b->verdict_count < names)
        b->verdicts[b->verdict_count++] = VERDICT_NONE;
    return true;
}

/* Patterns are matched with a name once: it may be long, and that of many functions. */
static bool is_name_of_proxy(struct builder *b, uint32_t name)
{
    uint8_t *verdict = &b->verdicts[name];
    if (*verdict == VERDICT_NONE)
        *verdict = proxy_names_match(b->proxies.names, names_text(&b->profile->names, name))
                       ? VERDICT_PROXY
                       : VERDICT_ORDINARY;
    return *verdict == VERDICT_PROXY;
}

/* A function met for the first time: is it one to step over? */
static bool note_proxy(struct builder *b, uint32_t number)
{
    struct function *f = &b->profile->functions[number];
    if (!check_memory(b, make_room_for_verdicts(b)))
        return false;
    if (!is_name_of_proxy(b, f->name))
        return true;
    if (b->profile->records_are_invocations)
        f->flags |= FUNCTION_IS_PROXY;
    else
        diag_warning(b->diag, 0,
                     "proxy function " TEXT_FMT " is kept: a profile of sums does not say which of "
                     "its calls belongs to which caller",
                     TEXT_ARG(names_text(&b->profile->names, f->name)));
    return true;
}

/* Is that function the one with this object, file and name? */
static bool is_function(const struct builder *b, uint32_t number, uint32_t object, uint32_t file,
                        uint32_t name)
{
    if (number >= b->profile->function_count)
        return false;
    const struct function *f = &b->profile->functions[number];
    return f->name == name && f->identity == (uint8_t)b->identity &&
           (b->identity < IDENTITY_FILE || f->file == file) &&
           (b->identity < IDENTITY_OBJECT || f->object == object);
}

static bool make_room_for_guesses(struct builder *b)
{
    size_t names = b->profile->names.count;
    if (!array_reserve(&b->guesses, &b->guess_capacity, names, sizeof *b->guesses))
        return false;
    while (b->guess_count < names)
        b->guesses[b->guess_count++] = INDEX_NONE;
    return true;
}

bool builder_function(struct builder *b, uint32_t object, uint32_t file, uint32_t name,
                      uint32_t *number)
{
    size_t known = b->profile->function_count;
    if (name < b->guess_count && is_function(b, b->guesses[name], object, file, name)) {
        *number = b->guesses[name];
        return true;
    }
    if (!check_memory(b, profile_function(b->profile, b->identity, object, file, name, number) &&
                             make_room_for_guesses(b)))
        return false;
    b->guesses[name] = *number;
    bool is_new = b->profile->function_count > known;
    return !is_new || b->proxies.names.count == 0 || note_proxy(b, *number);
}

bool builder_end_record(struct builder *b)
{
    if (b->current == INDEX_NONE)
        return true;
    uint32_t function = b->current;
    b->current = INDEX_NONE;
    return check_errno(b, proxies_end_record(&b->proxies, function)) &&
           (!b->has_outermost ||
            check_errno(b, outermost_end_record(&b->outermost, function))) &&
           (b->tree == NULL || check_memory(b, tree_end(b->tree, b->profile)));
}

bool builder_enter(struct builder *b, uint32_t object, uint32_t file, uint32_t name)
{
    size_t known = b->profile->function_count;
    uint32_t function;
    if (!builder_end_record(b) || !builder_function(b, object, file, name, &function))
        return false;
    struct function *f = &b->profile->functions[function];
    if (b->profile->records_are_invocations)
        journal_begin(&b->journal, b->profile, known, function, f);
    if ((f->flags & FUNCTION_HAS_RECORD) == 0) {
        f->flags |= FUNCTION_HAS_RECORD;
        f->file = file;
    }
    count_add(&f->invocations, 1);
    b->current = function;
    return b->tree == NULL || check_memory(b, tree_begin(b->tree, function));
}

bool builder_drop_record(struct builder *b)
{
    b->current = INDEX_NONE;
    b->proxies.held_count = 0;
    if (b->tree != NULL)
        tree_drop(b->tree);
    journal_undo(&b->journal);
    return !b->has_outermost || check_errno(b, outermost_drop_record(&b->outermost));
}

bool builder_self(struct builder *b, uint32_t line, bool in_own_file, cost_t cost)
{
    struct function *f = &b->profile->functions[b->current];
    cost_add(&f->self, cost);
    if ((f->flags & FUNCTION_LINE_IS_OWN) == 0 &&
        (in_own_file || (f->flags & FUNCTION_HAS_LINE) == 0)) {
        f->line = line;
        f->flags |= FUNCTION_HAS_LINE | (in_own_file ? FUNCTION_LINE_IS_OWN : 0);
    }
    if (b->tree != NULL)
        tree_self(b->tree, cost);
    if (b->has_outermost)
        outermost_self(&b->outermost, cost);
    return true;
}

bool builder_call(struct builder *b, uint32_t callee, uint32_t line, uint64_t count, cost_t cost)
{
    bool is_held = proxies_concern(&b->proxies, b->current, callee);
    uint32_t arc;
    struct call call = {callee, line, count, cost, callee, false};
    if (is_held && !check_errno(b, proxies_hold_call(&b->proxies, call)))
        return false;
    if (!is_held &&
        (!check_memory(b, profile_add_call(b->profile, b->current, callee, line, 0, 0, &arc)) ||
         !builder_arc_calls(b, arc, count, cost)))
        return false;
    if (!is_held && b->has_outermost &&
        !check_errno(b, outermost_call(&b->outermost, arc, cost)))
        return false;
    return b->tree == NULL || check_memory(b, tree_call(b->tree, callee, line, cost));
}

bool builder_new_run(struct builder *b)
{
    if (!builder_end_record(b))
        return false;
    if (b->tree != NULL)
        tree_new_run(b->tree);
    return check_errno(b, proxies_release(&b->proxies)) &&
           (!b->has_outermost || check_errno(b, outermost_new_run(&b->outermost)));
}

bool builder_change_unit(struct builder *b, uint64_t factor)
{
    unit_multiply(b->profile, b->tree, factor, b->diag);
    return factor == 1 || !b->has_outermost ||
           check_errno(b, outermost_change_unit(&b->outermost, factor));
}

void builder_note_record(struct builder *b, uint32_t function, uint32_t file, uint32_t line)
{
    struct function *f = &b->profile->functions[function];
    if ((f->flags & FUNCTION_HAS_RECORD) == 0)
        f->file = file;
    if ((f->flags & FUNCTION_LINE_IS_OWN) == 0)
        f->line = line;
    f->flags |= FUNCTION_HAS_RECORD | FUNCTION_HAS_LINE | FUNCTION_LINE_IS_OWN;
}

bool builder_arc_calls(struct builder *b, uint32_t arc, uint64_t count, cost_t cost)
{
    if (b->profile->records_are_invocations &&
        !check_memory(b, journal_note_arc(&b->journal, arc)))
        return false;
    count_add(&b->profile->arcs[arc].count, count);
    cost_add(&b->profile->arcs[arc].cost, cost);
    return true;
}

/* Tells the tree of records and calls. */
static bool tell_tree(struct builder *b, const struct told *told, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!told[i].is_record) {
            const struct arc *arc = &b->profile->arcs[told[i].number];
            if (!tree_call(b->tree, arc->callee, arc->line, told[i].cost))
                return false;
            continue;
        }
        if ((b->told != INDEX_NONE && !tree_end(b->tree, b->profile)) ||
            !tree_begin(b->tree, told[i].number))
            return false;
        tree_self(b->tree, told[i].cost);
        b->told = told[i].number;
    }
    return true;
}

bool builder_tell(struct builder *b, const struct told *told, size_t count)
{
    uint32_t function = b->told;
    if (b->tree != NULL && !check_memory(b, tell_tree(b, told, count)))
        return false;
    if (!b->has_outermost)
        return true;
    bool done = outermost_tell(&b->outermost, told, count, &function);
    b->told = function;
    return check_errno(b, done);
}

bool builder_tell_end(struct builder *b)
{
    uint32_t function = b->told;
    b->told = INDEX_NONE;
    if (function == INDEX_NONE)
        return true;
    return (!b->has_outermost || check_errno(b, outermost_end_record(&b->outermost, function))) &&
           (b->tree == NULL || check_memory(b, tree_end(b->tree, b->profile)));
}

/* Of the numbers in a complete profile, leaves out what recursion counts twice. */
static bool settle_recursion(struct builder *b)
{
    enum outermost_result result = OUTERMOST_TOO_FAR;
    if (b->has_outermost)
        result = outermost_apply(&b->outermost, b->profile);
    if (result != OUTERMOST_TOO_FAR)
        return check_errno(b, result == OUTERMOST_DONE);
    if (b->has_outermost)
        diag_warning(b->diag, 0,
                     "found interleaved records of deep recursions, expected them in the order of a "
                     "call stack; inclusive costs are upper bounds");
    return check_memory(b, recursion_limit_cycles(b->profile)) &&
           (!b->profile->marks_levels || check_memory(b, recursion_fold_levels(b->profile)));
}

bool builder_finish(struct builder *b)
{
    if (!builder_new_run(b))
        return false;
    if (b->tree != NULL)
        tree_finish(b->tree);
    profile_complete(b->profile);
    return !b->wants_outermost || settle_recursion(b);
}

#include "cli/options.h"

#include "util/show.h"
#include "os/file.h"
#include "util/text.h"
#include "util/run.h"

#include <ctype.h>
#include <stdlib.h>

/* The state of the parse. */
struct parse {
    struct options *options;
    const char **operands;
    size_t operand_count;
    const char **proxies;
    const char **names; /* of threads */
    uint32_t *pids, *tids;
};

struct option_row {
    char letter; /* 0: it has none */
    const char *name;
    const char *argument; /* in --help: a name, or choices separated by |; NULL: none */
    bool argument_is_optional; /* then only after = */
    bool is_for_print;         /* only used with --print */
    bool (*take)(struct parse *parse, const struct option_row *row, const char *argument);
    size_t place;   /* of the member of struct options that it sets; the take_ function knows its type */
    unsigned first; /* value of the first choice, or without an argument; then +1 per choice */
    const char *help; /* NULL: --help does not show it */
};

/* Prints an error: pieces up to a NULL, any of which may come from the user. */
static bool print_misuse(const char *const *piece)
{
    struct message_line message;
    message_begin(&message);
    for (; *piece != NULL; piece++)
        message_add(&message, *piece);
    message_end(&message);
    fputs("cg2wg: try cg2wg --help\n", stderr);
    return false;
}

#define misuse(...) print_misuse((const char *const[]){__VA_ARGS__, NULL})

static bool wrong_argument(const struct option_row *row, const char *argument)
{
    return misuse("--", row->name, ": found \"", argument, "\", expected ", row->argument);
}

static bool no_argument(const struct option_row *row)
{
    return misuse("--", row->name, ": found nothing, expected ", row->argument);
}

/* ---- what options set --------------------------------------------------------------------- */

static void *place_of(struct parse *p, const struct option_row *row)
{
    return (char *)p->options + row->place;
}

static bool take_flag(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)argument;
    *(bool *)place_of(p, row) = true;
    return true;
}

static bool take_text(struct parse *p, const struct option_row *row, const char *argument)
{
    if (*argument == '\0')
        return wrong_argument(row, argument);
    *(const char **)place_of(p, row) = argument;
    return true;
}

static bool take_number(struct parse *p, const struct option_row *row, const char *argument)
{
    uint64_t number;
    if (!text_whole_number(argument, 1, UINT32_MAX, &number))
        return wrong_argument(row, argument);
    *(unsigned *)place_of(p, row) = (unsigned)number;
    return true;
}

/* A number of at most six digits, and as many after a point; a percent sign may follow. */
static bool take_percent(struct parse *p, const struct option_row *row, const char *argument)
{
    enum { DIGITS = 6 };
    struct text rest = text_of_string(argument), parts[2];
    uint64_t numbers[2] = {0, 0};
    double unit = 1;
    for (int i = 0; i < 2; i++) {
        parts[i] = (struct text){rest.at, rest.at};
        for (; rest.at < rest.end && char_is_digit(*rest.at); parts[i].end = ++rest.at)
            numbers[i] = numbers[i] * 10 + (unsigned)(*rest.at - '0');
        rest.at += i == 0 && rest.at < rest.end && *rest.at == '.';
    }
    if (text_length(parts[0]) > DIGITS || text_length(parts[1]) > DIGITS ||
        text_is_empty(parts[0]) || (rest.at[-1] == '.') ||
        !(text_is_empty(rest) || text_equals(rest, "%")))
        return wrong_argument(row, argument);
    for (size_t i = text_length(parts[1]); i > 0; i--)
        unit *= 10;
    *(double *)place_of(p, row) = (double)numbers[0] + (double)numbers[1] / unit;
    return true;
}

static bool take_share(struct parse *p, const struct option_row *row, const char *argument)
{
    return take_percent(p, row, argument) &&
           (*(double *)place_of(p, row) <= 100 ||
            misuse("--", row->name, ": found \"", argument, "\", expected at most 100 percent"));
}

/* The position of `word` in a list of words separated by |, or -1. */
static int place_in(const char *list, const char *word)
{
    for (int place = 0; *list != '\0'; place++) {
        size_t length = strcspn(list, "|");
        if (strlen(word) == length && memcmp(list, word, length) == 0)
            return place;
        list += length + (list[length] == '|');
    }
    return -1;
}

/* Sets an enumeration, or a number like one. */
_Static_assert(sizeof(enum cg2wg_style) == sizeof(unsigned), "enumerations are as wide as int");

static bool take_choice(struct parse *p, const struct option_row *row, const char *argument)
{
    int place = argument == NULL ? 0 : place_in(row->argument, argument);
    if (place < 0)
        return wrong_argument(row, argument);
    *(unsigned *)place_of(p, row) = row->first + (unsigned)place;
    return true;
}

/* Of several actions, the last one in the enumeration wins. */
static bool take_action(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)argument;
    if (p->options->action < (enum action)row->first)
        p->options->action = (enum action)row->first;
    return true;
}

static bool take_print(struct parse *p, const struct option_row *row, const char *argument)
{
    if (p->options->action < ACTION_PRINT)
        p->options->action = ACTION_PRINT;
    return take_choice(p, row, argument);
}

static bool take_proxy(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    p->proxies[p->options->convert.proxy_count++] = argument;
    return true;
}

static bool take_pattern(struct parse *p, const struct option_row *row, const char *argument)
{
    struct cg2wg_patterns *patterns = place_of(p, row);
    if (*argument == '\0')
        return wrong_argument(row, argument);
    patterns->words[patterns->count++] = argument;
    return true;
}

static bool take_name(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    p->names[p->options->convert.samples.name_count++] = argument;
    return true;
}

/* Adds a number to an array. */
static bool take_id(const struct option_row *row, const char *argument, uint32_t *ids, size_t *count)
{
    uint64_t id;
    if (!text_whole_number(argument, 0, UINT32_MAX, &id))
        return wrong_argument(row, argument);
    ids[(*count)++] = (uint32_t)id;
    return true;
}

static bool take_pid(struct parse *p, const struct option_row *row, const char *argument)
{
    return take_id(row, argument, p->pids, &p->options->convert.samples.pid_count);
}

static bool take_tid(struct parse *p, const struct option_row *row, const char *argument)
{
    return take_id(row, argument, p->tids, &p->options->convert.samples.tid_count);
}

static bool take_scale(struct parse *p, const struct option_row *row, const char *argument)
{
    static const uint64_t named[] = {CG2WG_SCALE_AUTO, CG2WG_SCALE_NONE};
    int place = place_in("auto|none", argument);
    if (place >= 0)
        p->options->convert.scale = named[place];
    else if (!text_whole_number(argument, 1, UINT32_MAX, &p->options->convert.scale))
        return wrong_argument(row, argument);
    return true;
}

static bool take_input(struct parse *p, const struct option_row *row, const char *argument)
{
    int place = place_in(row->argument, argument);
    if (place < 0)
        return wrong_argument(row, argument);
    p->options->convert.input_format = place == 0 ? NULL : argument;
    return true;
}

#define SETS(member) offsetof(struct options, member)

static const struct option_row rows[] = {
    {.letter = 'f', .name = "format", .argument = "4|5|6|7",
     .take = take_choice, .place = SETS(convert.format), .first = CG2WG_FORMAT_OLDEST,
     .help = "output version; default: 7, for today's webgrind"},
    {.letter = 'o', .name = "output", .argument = "OUTPUT",
     .take = take_text, .place = SETS(output),
     .help = "write to OUTPUT (- for standard output); merge all operands, which are inputs "
             "then"},
    {.name = "storage", .argument = "DIR",
     .take = take_text, .place = SETS(storage),
     .help = "convert each PROFILE to DIR/NAME.webgrind, for webgrind's storageDir, unless that is up to "
             "date; several at a time"},
    {.name = "overwrite", .take = take_flag, .place = SETS(convert.overwrite),
     .help = "replace OUTPUT whatever file it is; with --storage, also what is up to date"},
    {.letter = 'e', .name = "event", .argument = "EVENT",
     .take = take_text, .place = SETS(convert.event),
     .help = "convert this event, or a formula such as 'Ir + 10 Bcm' or 'CEst = Ir + 10 Bcm'; "
             "default: the input's first event"},
    {.letter = 'p', .name = "proxy", .argument = "NAME", .take = take_proxy,
     .help = "step over this function, like PROXY_FUNCTION; may be repeated; * matches any "
             "bytes, ? one byte"},
    {.name = "inclusive", .argument = "sum|outermost",
     .take = take_choice, .place = SETS(convert.inclusive), .first = CG2WG_INCLUSIVE_SUM,
     .help = "what inclusive costs count: every invocation, or none that runs inside another "
             "of its function; default: sum; for aprof and perf: outermost"},
    {.name = "scale", .argument = "auto|none|N", .take = take_scale,
     .help = "divide all costs: by a power of ten if one exceeds 32 bits (auto, the "
             "default), never, or by N"},
    {.name = "summary", .argument = "file|computed",
     .take = take_choice, .place = SETS(convert.summary), .first = CG2WG_SUMMARY_FILE,
     .help = "base percentages on the input's total (file, the default) or on the sum of the "
             "self costs"},
    {.name = "title", .argument = "TEXT", .take = take_text, .place = SETS(convert.title),
     .help = "heading that webgrind shows; default: the command that was profiled"},
    {.name = "identity", .argument = "name|file|object",
     .take = take_choice, .place = SETS(convert.identity), .first = CG2WG_IDENTITY_NAME,
     .help = "what distinguishes functions: the name, also the file, or also the object; "
             "default: object; for Xdebug: name"},
    {.name = "records", .argument = "invocations|sums",
     .take = take_choice, .place = SETS(convert.records), .first = CG2WG_RECORDS_INVOCATIONS,
     .help = "what a record is: one invocation or a part of a function's sums; default: "
             "sums; for Xdebug: invocations"},
    {.name = "input", .argument = "auto|callgrind|aprof|perf|perf-script|preprocessed", .take = take_input,
     .help = "read all inputs in this format; default: auto"},
    {.name = "comm", .argument = "NAME", .take = take_name,
     .help = "of a perf recording, take only threads of this name; may be repeated"},
    {.name = "pid", .argument = "N", .take = take_pid,
     .help = "of a perf recording, take only this process; may be repeated"},
    {.name = "tid", .argument = "N", .take = take_tid,
     .help = "of a perf recording, take only this thread; may be repeated"},
    {.name = "symfs", .argument = "DIR",
     .take = take_text, .place = SETS(convert.samples.root),
     .help = "of a perf recording, look for symbols only below DIR, by path or by file name"},
    {.name = "kallsyms", .argument = "FILE",
     .take = take_text, .place = SETS(convert.samples.kernel_table),
     .help = "of a perf recording, take the kernel's symbols from FILE"},
    {.name = "demangle", .take = take_flag, .place = SETS(convert.samples.demangle),
     .help = "of a perf recording, make C++ and Rust names readable with c++filt"},
    {.name = "strict", .take = take_flag, .place = SETS(convert.strict),
     .help = "treat malformed input as an error"},
    {.name = "list-events", .take = take_flag, .place = SETS(lists_events),
     .help = "list the events of INPUT, formulas and totals"},
    {.name = "print", .argument = "table|json|plot|stacks|html", .argument_is_optional = true,
     .take = take_print, .place = SETS(view.style), .first = CG2WG_TABLE,
     .help = "print FILE: a table of functions, everything as JSON, plots of cost by "
             "input size (aprof), collapsed stacks for flame graphs, or a page for a browser"},
    {.name = "sort", .argument = "self|inclusive|invocations|name|none", .is_for_print = true,
     .take = take_choice, .place = SETS(view.order), .first = CG2WG_BY_SELF,
     .help = "sort printed functions; default: self"},
    {.name = "top", .argument = "N", .is_for_print = true,
     .take = take_number, .place = SETS(view.top),
     .help = "print only the first N functions"},
    {.name = "function", .argument = "NAME", .is_for_print = true,
     .take = take_pattern, .place = SETS(view.functions),
     .help = "print the callers and callees of this function; may be repeated; * matches any "
             "bytes, ? one byte"},
    {.name = "base", .argument = "OLD", .is_for_print = true,
     .take = take_text, .place = SETS(view.base),
     .help = "print how FILE differs from OLD, which may be any kind of input"},
    {.name = "fail-over", .argument = "PERCENT", .is_for_print = true,
     .take = take_percent, .place = SETS(view.fail_over),
     .help = "with --base, exit with status 3 if the total is more than PERCENT above that of OLD"},
    {.name = "min", .argument = "PERCENT", .is_for_print = true,
     .take = take_share, .place = SETS(view.min),
     .help = "leave out functions and calls whose inclusive cost is below PERCENT of the total; 0: none"},
    {.name = "only", .argument = "PATTERN", .is_for_print = true,
     .take = take_pattern, .place = SETS(view.only),
     .help = "print only functions with a matching name; file:PATTERN and object:PATTERN look at "
             "those; may be repeated; * matches any bytes, ? one byte"},
    {.name = "hide", .argument = "PATTERN", .is_for_print = true,
     .take = take_pattern, .place = SETS(view.hide),
     .help = "leave out functions that match, like --only; may be repeated"},
    {.letter = 'j', .name = "threads", .argument = "N",
     .take = take_number, .place = SETS(convert.threads),
     .help = "read an input with at most N threads; with --storage, convert N profiles at a time"},
    {.letter = 'q', .name = "quiet", .take = take_flag, .place = SETS(quiet),
     .help = "print only errors"},
    {.letter = 'v', .name = "verbose", .take = take_flag, .place = SETS(verbose),
     .help = "print every warning and what was converted"},
    {.name = "stats", .take = take_flag, .place = SETS(stats),
     .help = "print sizes, time and rate at the end"},
    {.name = "progress", .take = take_choice, .place = SETS(progress), .first = PROGRESS_ALWAYS,
     .help = "show progress even if not on a terminal"},
    {.name = "no-progress", .take = take_choice, .place = SETS(progress), .first = PROGRESS_NEVER,
     .help = "never show progress; default: on a terminal"},
    {.name = "list-options", .take = take_action, .first = ACTION_LIST_OPTIONS},
    {.letter = 'h', .name = "help", .take = take_action, .first = ACTION_HELP,
     .help = "print this help"},
    {.letter = 'V', .name = "version", .take = take_action, .first = ACTION_VERSION,
     .help = "print the version"},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* ---- help --------------------------------------------------------------------------------- */

enum { NARROW = 60, OPTION_WIDTH = 29, NARROW_INDENT = 6, ROW_WIDTH = 80 };

static void print_row(FILE *stream, const struct option_row *row, size_t columns)
{
    char left[ROW_WIDTH];
    const char *open = row->argument_is_optional ? "[=" : "=";
    const char *close = row->argument_is_optional ? "]" : "";
    bool has_letter = row->letter != 0, has_argument = row->argument != NULL;
    size_t indent = columns < NARROW ? NARROW_INDENT : OPTION_WIDTH + 1;
    snprintf(left, sizeof left, "  %c%c%c --%s%s%s%s", has_letter ? '-' : ' ',
             has_letter ? row->letter : ' ', has_letter ? ',' : ' ', row->name,
             has_argument ? open : "", has_argument ? row->argument : "", has_argument ? close : "");
    fprintf(stream, "%-*s", OPTION_WIDTH, left);
    if (columns < NARROW || strlen(left) > OPTION_WIDTH)
        fprintf(stream, "\n%*s", (int)indent, "");
    else
        fputc(' ', stream);
    show_wrapped(stream, row->help, indent, indent, columns);
}

void options_print_help(FILE *stream, size_t columns)
{
    static const char *const usage[] = {
        "usage: cg2wg [OPTION...] INPUT OUTPUT [PROXY_FUNCTION...]",
        "       cg2wg [OPTION...] -o OUTPUT INPUT...",
        "       cg2wg [OPTION...] --storage=DIR PROFILE...",
        "       cg2wg --list-events INPUT",
        "       cg2wg --print[=table|json|plot|stacks|html] [OPTION...] FILE",
    };
    for (size_t i = 0; i < sizeof usage / sizeof usage[0]; i++) {
        fprintf(stream, "%.13s", usage[i]);
        show_wrapped(stream, usage[i] + 13, 13, 13, columns);
    }
    fputc('\n', stream);
    show_wrapped(stream,
                  "Converts profiles in callgrind or cachegrind format (from Xdebug, Valgrind and others), "
                  "recordings of Linux's perf and aprof reports to webgrind's preprocessed format. INPUT may "
                  "be compressed with gzip, "
                  "zstd, xz or bzip2; - is standard input or output.",
                  0, 0, columns);
    fputc('\n', stream);
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++)
        if (row->help != NULL)
            print_row(stream, row, columns);
    fputc('\n', stream);
    show_wrapped(stream, "Exit status: 0 done, 1 the input or the system failed, 2 wrong usage, 3 the total grew by more "
                  "than --fail-over allows.", 0, 0,
                  columns);
}

void options_print_list(FILE *stream)
{
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++)
        if (row->help != NULL)
            fprintf(stream, "%c\t%s\t%s%s\t%s\n", row->letter != 0 ? row->letter : '-', row->name,
                    row->argument_is_optional ? "=" : "", row->argument != NULL ? row->argument : "-",
                    row->help);
}

/* ---- names of options --------------------------------------------------------------------- */

enum { NAME_SIZE = 24 };

/* The option that was probably meant, or NULL. */
static const struct option_row *nearest_row(const char *name, size_t length)
{
    const struct option_row *nearest = NULL;
    size_t least = 2 + length / 4; /* more distant names have little in common with it */
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++) {
        bool goes_on = strncmp(name, row->name, strlen(row->name)) == 0; /* --output-file */
        size_t far =
            goes_on ? 0 : text_distance(text_of(name, length), text_of_string(row->name), false);
        if (row->help != NULL && far < least) {
            least = far;
            nearest = row;
        }
    }
    return nearest;
}

static bool no_option(const char *word, const struct option_row *nearest)
{
    const char *separator = nearest != NULL ? "; did you mean --" : "";
    return misuse("unknown option ", word, separator,
                  nearest != NULL ? nearest->name : "", nearest != NULL ? "?" : "");
}

/* The option with this name, or the only one that begins with it. NULL: none, which was reported. */
static const struct option_row *row_named(const char *word, const char *name, size_t length)
{
    const struct option_row *found = NULL;
    char others[ROW_COUNT * NAME_SIZE] = "";
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++) {
        if (strncmp(row->name, name, length) != 0)
            continue;
        if (row->name[length] == '\0')
            return row;
        if (row->help == NULL || length == 0)
            continue;
        size_t used = strlen(others);
        if (found != NULL)
            snprintf(others + used, sizeof others - used, " or --%s", row->name);
        else
            found = row;
    }
    if (found == NULL)
        no_option(word, nearest_row(name, length));
    else if (*others != '\0')
        misuse("ambiguous option ", word, ", which may be --", found->name, others);
    return *others == '\0' ? found : NULL;
}

static const struct option_row *row_lettered(char letter)
{
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++)
        if (row->letter == letter)
            return row;
    return NULL;
}

/* ---- words -------------------------------------------------------------------------------- */

static bool take(struct parse *p, const struct option_row *row, const char *argument)
{
    if (row->is_for_print)
        p->options->print_option = row->name;
    return row->take(p, row, argument);
}

/* Takes `--name`, `--name=ARGUMENT` or `--name ARGUMENT`; *next is the word that follows. */
static bool take_long(struct parse *p, const char *word, char ***next)
{
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    const char *argument = name[length] == '=' ? name + length + 1 : NULL;
    const struct option_row *row = row_named(word, name, length);
    if (row == NULL)
        return false;
    if (row->argument == NULL && argument != NULL)
        return misuse("--", row->name, ": found \"", argument, "\", expected no argument");
    if (row->argument != NULL && !row->argument_is_optional && argument == NULL) {
        if (**next == NULL)
            return no_argument(row);
        argument = *(*next)++;
    }
    return take(p, row, argument);
}

/* Takes `-x`, several in one word, `-xARGUMENT` or `-x ARGUMENT`. */
static bool take_letters(struct parse *p, const char *word, char ***next)
{
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        const struct option_row *row = row_lettered(*letter);
        if (row == NULL)
            return no_option(word, row_lettered((char)(isupper((unsigned char)*letter)
                                                           ? tolower((unsigned char)*letter)
                                                           : toupper((unsigned char)*letter))));
        if (row->argument == NULL) {
            if (!take(p, row, NULL))
                return false;
            continue;
        }
        const char *argument = letter + 1;
        if (*argument == '\0') {
            if (**next == NULL)
                return no_argument(row);
            argument = *(*next)++;
        }
        return take(p, row, argument);
    }
    return true;
}

static bool take_words(struct parse *p, char **next)
{
    bool options_ended = false;
    while (*next != NULL) {
        const char *word = *next++;
        if (options_ended || word[0] != '-' || word[1] == '\0')
            p->operands[p->operand_count++] = word;
        else if (strcmp(word, "--") == 0)
            options_ended = true;
        else if (word[1] == '-' ? !take_long(p, word, &next) : !take_letters(p, word, &next))
            return false;
    }
    return true;
}

/* ---- operands ----------------------------------------------------------------------------- */

/* A file instead of a function's name: all operands were meant as inputs, as in `cg2wg *.out`. */
static bool check_proxy_operand(const struct parse *p, const char *word)
{
    struct file_facts facts;
    return !file_look(word, &facts) || facts.kind != FILE_IS_REGULAR ||
           misuse("found the file ", word, " after the output ", p->options->output,
                  ", expected a PROXY_FUNCTION; to convert several inputs use -o OUTPUT, to step over a "
                  "function of that name use -p");
}

/* INPUT OUTPUT PROXY...: the form that webgrind calls. */
static bool assign_webgrind_operands(struct parse *p)
{
    struct options *o = p->options;
    if (p->operand_count < 2)
        return misuse("found no ", p->operand_count == 0 ? "INPUT" : "OUTPUT", ", expected one");
    o->input_count = 1;
    o->output = p->operands[1];
    for (size_t i = 2; i < p->operand_count; i++) {
        if (!check_proxy_operand(p, p->operands[i]))
            return false;
        p->proxies[o->convert.proxy_count++] = p->operands[i];
    }
    return true;
}

/* Do the options of --print belong together? */
static bool check_print(const struct parse *p)
{
    const struct options *o = p->options;
    if (o->print_option != NULL && o->action != ACTION_PRINT)
        return misuse("--", o->print_option, " needs --print");
    if (o->print_option != NULL && o->view.style == CG2WG_STACKS)
        return misuse("--", o->print_option,
                      " cannot be used with --print=stacks, which prints all stacks");
    if (o->view.fail_over >= 0 && o->view.base == NULL)
        return misuse("--fail-over needs --base");
    if (o->view.base != NULL && o->view.functions.count > 0)
        return misuse("--base cannot be used with --function; --only chooses functions to compare");
    if (o->view.base != NULL && o->view.style != CG2WG_TABLE && o->view.style != CG2WG_JSON)
        return misuse("--base cannot be used with this --print, only with --print=table and --print=json");
    if (o->view.base != NULL && strcmp(o->view.base, "-") == 0 && p->operand_count > 0 &&
        strcmp(p->operands[0], "-") == 0)
        return misuse("--base: found standard input, expected another input than FILE");
    if (o->view.functions.count > 0 && o->view.style == CG2WG_PLOT)
        return misuse("--function cannot be used with --print=plot, which plots functions that --only "
                      "names");
    return o->view.functions.count == 0 || o->view.style != CG2WG_PAGE ||
           misuse("--function cannot be used with --print=html, whose page opens every function");
}

/* The options determine the meaning of each operand. */
static bool assign_operands(struct parse *p)
{
    struct options *o = p->options;

    o->convert.expected_proxy_count = o->convert.proxy_count;
    if (o->action > ACTION_PRINT)
        return true;
    if (o->lists_events && o->action == ACTION_PRINT)
        return misuse("--list-events cannot be used with --print");
    if (o->lists_events)
        o->action = ACTION_LIST_EVENTS;
    bool takes_one = o->action != ACTION_CONVERT;
    if (!check_print(p))
        return false;
    const char *form = o->action == ACTION_PRINT         ? "--print"
                       : o->action == ACTION_LIST_EVENTS ? "--list-events"
                                                         : "--storage";
    if (takes_one && o->storage != NULL)
        return misuse("--storage cannot be used with ", form);
    if ((takes_one || o->storage != NULL) && o->output != NULL)
        return misuse("--output cannot be used with ", form);
    if (!takes_one && o->output == NULL && o->storage == NULL) {
        if (!assign_webgrind_operands(p))
            return false;
    } else {
        if (p->operand_count == 0)
            return misuse("found no ", takes_one ? "FILE" : o->storage != NULL ? "PROFILE" : "INPUT",
                          ", expected one");
        if (takes_one && p->operand_count > 1)
            return misuse("found \"", p->operands[1], "\" after \"", p->operands[0],
                          "\", expected nothing more");
        o->input_count = p->operand_count;
        for (size_t i = 0; o->storage != NULL && i < p->operand_count; i++)
            if (strcmp(p->operands[i], "-") == 0)
                return misuse("found standard input, expected a PROFILE with a name for --storage");
    }
    return o->output == NULL || *o->output != '\0' ||
           misuse("found an empty name, expected OUTPUT");
}

/* ---- all ---------------------------------------------------------------------------------- */

enum options_result options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){.action = ACTION_CONVERT};
    cg2wg_options_init(&options->convert);
    cg2wg_view_init(&options->view);
    struct cg2wg_samples *samples = &options->convert.samples;
    struct parse parse = {.options = options};
    size_t most = (size_t)argc + 1; /* of anything that may be repeated: there are no more words */
    options->inputs = parse.operands = memory_zeroed(most, sizeof *parse.operands);
    options->convert.proxies = parse.proxies = memory_zeroed(most, sizeof *parse.proxies);
    samples->names = parse.names = memory_zeroed(most, sizeof *parse.names);
    samples->pids = parse.pids = memory_zeroed(most, sizeof *parse.pids);
    samples->tids = parse.tids = memory_zeroed(most, sizeof *parse.tids);
    options->view.functions.words = memory_zeroed(most, sizeof *options->view.functions.words);
    options->view.only.words = memory_zeroed(most, sizeof *options->view.only.words);
    options->view.hide.words = memory_zeroed(most, sizeof *options->view.hide.words);
    if (parse.proxies == NULL || parse.operands == NULL || parse.names == NULL ||
        parse.pids == NULL || parse.tids == NULL || options->view.functions.words == NULL ||
        options->view.only.words == NULL ||
        options->view.hide.words == NULL) {
        fputs("cg2wg: out of memory\n", stderr);
        return OPTIONS_NO_MEMORY;
    }
    if (argc <= 1) {
        fputs("usage: cg2wg [OPTION...] INPUT OUTPUT [PROXY_FUNCTION...]\n"
              "       cg2wg [OPTION...] -o OUTPUT INPUT...\n"
              "       cg2wg --print FILE, cg2wg --list-events INPUT, cg2wg --help\n",
              stderr);
        return OPTIONS_WRONG;
    }
    return take_words(&parse, argv + 1) && assign_operands(&parse) ? OPTIONS_TAKEN : OPTIONS_WRONG;
}

void options_free(struct options *options)
{
    struct cg2wg_samples *samples = &options->convert.samples;
    memory_free((void *)options->convert.proxies);
    memory_free((void *)options->inputs);
    memory_free((void *)samples->names);
    memory_free((void *)samples->pids);
    memory_free((void *)samples->tids);
    memory_free((void *)options->view.functions.words);
    memory_free((void *)options->view.only.words);
    memory_free((void *)options->view.hide.words);
    options->convert.proxies = NULL;
    options->inputs = NULL;
    options->view.functions = options->view.only = options->view.hide = (struct cg2wg_patterns){NULL, 0};
    *samples = (struct cg2wg_samples){.name_count = 0};
}

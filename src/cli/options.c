/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "os/file.h"
#include "util/array.h"
#include "util/show.h"

#include <limits.h>

/* What is given that the options' values do not show. */
enum given {
    GIVEN_LIST = 1,
    GIVEN_FORMAT = 2,
    GIVEN_CONVERSION = 4, /* an option that only conversions need */
    GIVEN_NAME = 8,       /* --name or --force, which both need --storage */
    GIVEN_SORT = 16
};

enum { STYLE_CHOICES = 14 }; /* bits of enum cg2wg_style_takes */

/* The state of the parse. */
struct parse {
    struct options *options;
    unsigned given;
    const char *for_print;                /* the name of an option that styles take, or NULL */
    const char *for_style[STYLE_CHOICES]; /* by what styles take: the name of such an option, or NULL */
    bool is_preprocessor; /* it is called by the name of webgrind's: whatever its output is called, that is its kind */
};

/* What an argument may be; from TAKES_NAME on, it cannot be empty. */
enum takes {
    TAKES_NOTHING,
    TAKES_FLAG,   /* if its argument may be left out, set only without it */
    TAKES_CHOICE, /* an enumeration, or a number like one */
    TAKES_STYLE,  /* the word of one */
    TAKES_FORMAT, /* a choice as a text; NULL: the first */
    TAKES_NUMBER, /* from 1 */
    TAKES_SCALE,
    TAKES_PERCENT,
    TAKES_LIMIT, /* a pattern, a colon and a percentage, which is added to view.fail_percents */
    TAKES_ID,    /* a number from 0 */
    TAKES_WORD,
    TAKES_NAME, /* of a file, without folders */
    TAKES_TEXT
};

struct option_row {
    char letter; /* 0: it has none */
    const char *name;
    const char *argument; /* in --help: a name, or choices separated by |; =: may be left out, as in --list-options */
    enum takes takes;
    size_t member;     /* the offset of the member of struct options that it sets */
    size_t count;      /* of the member that counts the elements, if that is an array, which it is added to */
    unsigned first;    /* value of the first choice, or without an argument; then +1 per choice. Of percent: the most */
    const char *help;  /* NULL: --help=all does not show it */
    const char *title; /* of the options from this one on; NULL: as before */
    unsigned given;
    unsigned takes_style; /* what a style has to take: of enum cg2wg_style_takes */
    enum action action;   /* that it asks for; ACTION_CONVERT: none */
};

/* Prints an error, pieces up to a NULL, any of which may come from the user. Ends the task. */
static _Noreturn void print_misuse(const char *const *pieces)
{
    show_message(pieces);
    fputs("cg2wg: try cg2wg --help\n", stderr);
    task_fail();
}

#define misuse(...) print_misuse((const char *const[]){__VA_ARGS__, NULL})

/* The words of the styles that take it, if it is not 0: the first one after `first`, the others after `next`. */
static const char *words_of_styles(const char *first, const char *next, unsigned takes)
{
    const struct cg2wg_style_facts *facts;
    struct buffer words = {.bytes = NULL};
    for (unsigned style = 0; (facts = cg2wg_style_about((enum cg2wg_style)style)) != NULL; style++) {
        if ((facts->takes & takes) != takes)
            continue;
        buffer_add_string(&words, words.length == 0 ? first : next);
        buffer_add_string(&words, facts->word);
    }
    buffer_add(&words, text_of("", 1));
    return words.bytes;
}

/* What may be the option's argument, as --list-options has it. */
static const char *argument_of(const struct option_row *row)
{
    return row->takes == TAKES_STYLE ? words_of_styles("=", "|", 0) : row->argument;
}

static _Noreturn void wrong_argument(const struct option_row *row, const char *argument)
{
    const char *expected = argument_of(row);
    misuse("--", row->name, ": found \"", argument, "\", expected ", expected + (*expected == '='));
}

/* ---- what options set --------------------------------------------------------------------- */

static uint64_t number_from(const struct option_row *row, const char *argument, uint64_t least)
{
    uint64_t number;
    if (!text_whole_number(argument, least, UINT32_MAX, &number))
        wrong_argument(row, argument);
    return number;
}

/* At most six digits, and as many after a point; a percent sign may follow. */
static double percent_from(const struct option_row *row, const char *argument)
{
    static const char digits[] = "0123456789";
    size_t before = strspn(argument, digits), point = argument[before] == '.';
    size_t after = strspn(argument + before + point, digits);
    const char *end = argument + before + point + after;
    double number = 0, divisor = 1;
    if (before == 0 || before > 6 || after > 6 || end[-1] == '.' || end[*end == '%'] != '\0')
        wrong_argument(row, argument);
    for (const char *at = argument; at < end; at++)
        number = *at == '.' ? number : number * 10 + (*at - '0');
    for (; after > 0; after--)
        divisor *= 10;
    return number / divisor;
}

/* The number of the argument, or of a word that means the same, among words separated by |. */
static unsigned choice_from(const struct option_row *row, const char *argument)
{
    struct text rest = text_of_string(argument_of(row) + (*row->argument == '='));
    const char *same = strcmp(argument, "invocations") == 0 ? "calls"
                       : strcmp(argument, "namespace") == 0 ? "class"
                                                            : "";
    for (unsigned number = 0; !text_is_empty(rest); number++) {
        struct text word = text_take_to(&rest, '|');
        if (text_equals(word, argument) || text_equals(word, same))
            return number;
    }
    wrong_argument(row, argument);
}

_Static_assert(sizeof(enum cg2wg_style) == sizeof(unsigned), "enumerations are as wide as int");

static void add_element(struct options *options, const struct option_row *row, const void *element, size_t size)
{
    size_t *count = (void *)((char *)options + row->count), capacity = *count;
    array_append((char *)options + row->member, count, &capacity, element, size);
}

/* What precedes the last colon is the pattern. */
static void add_limit(struct options *options, const struct option_row *row, const char *argument)
{
    char *pattern = memory_string(argument), *colon = strrchr(pattern, ':');
    size_t count = options->view.fail_functions.count, capacity = count;
    if (colon == NULL || colon == pattern)
        wrong_argument(row, argument);
    *colon = '\0';
    double percent = percent_from(row, colon + 1);
    array_append(&options->view.fail_percents, &count, &capacity, &percent, sizeof percent);
    add_element(options, row, &pattern, sizeof pattern);
}

#define SETS(name) .member = offsetof(struct options, name)
#define ADDS(array, number) .member = offsetof(struct options, array), .count = offsetof(struct options, number)

/* In the order of --help=all, by task. Those without a help are other names. */
static const struct option_row rows[] = {
    {'o', "output", "OUTPUT", TAKES_TEXT, SETS(output), .title = "Show:",
     .help = "write to OUTPUT: a page (.html), .json, .csv, .svg ... by its ending, or webgrind's format; -: stdout"},
    {0, "overwrite", NULL, TAKES_FLAG, SETS(convert.overwrite), .given = GIVEN_CONVERSION,
     .help = "replace OUTPUT even if it is not a cg2wg file"},
    {0, "print", "=STYLE", TAKES_STYLE, SETS(view.style), .action = ACTION_PRINT,
     .help = "show in this style, by default a table: "}, /* and the words of all */
    {'e', "event", "EVENT", TAKES_TEXT, SETS(convert.event),
     .help = "take this event, 'Cost = Ir + 10 Bcm', A,B or all"},
    {0, "list-events", NULL, TAKES_NOTHING, .given = GIVEN_LIST, .action = ACTION_LIST_EVENTS,
     .help = "list the events of INPUT, formulas and totals"},
    {0, "sort", "self|inclusive|calls|name|none|time", TAKES_CHOICE, SETS(view.order), .first = CG2WG_BY_SELF,
     .given = GIVEN_SORT, .takes_style = CG2WG_TAKES_ORDER,
     .help = "sort functions; default: self. time: a tree has calls in their order"},
    {'n', "top", "N", TAKES_NUMBER, SETS(view.top), .takes_style = CG2WG_TAKES_TOP,
     .help = "show only the first N functions"},
    {0, "all", NULL, TAKES_FLAG, SETS(all), .takes_style = CG2WG_TAKES_TOP,
     .help = "show all functions, even if they do not fit"},
    {0, "only", "PATTERN", TAKES_TEXT, ADDS(view.only.words, view.only.count), .takes_style = CG2WG_TAKES_ROWS,
     .help = "show only what matches, also file:PATTERN"},
    {0, "filter", "PATTERN", TAKES_TEXT, ADDS(view.only.words, view.only.count), .takes_style = CG2WG_TAKES_ROWS},
    {0, "hide", "PATTERN", TAKES_TEXT, ADDS(view.hide.words, view.hide.count), .takes_style = CG2WG_TAKES_ROWS,
     .help = "leave out what matches"},
    {0, "min", "PERCENT", TAKES_PERCENT, SETS(view.min), .first = 100, .takes_style = CG2WG_TAKES_MIN,
     .help = "leave out what costs less of the total; 0: nothing"},
    {0, "function", "NAME", TAKES_TEXT, ADDS(view.functions.words, view.functions.count),
     .takes_style = CG2WG_TAKES_FUNCTIONS, .help = "show callers and callees of NAME; may be repeated"},
    {0, "source", "DIR", TAKES_TEXT, ADDS(view.sources, view.source_count), .takes_style = CG2WG_TAKES_SOURCE,
     .help = "with --function, --print=lines or a page: also show the code, below DIR"},
    {0, "group", "file|class|object|folder|line|run|thread|process|call", TAKES_CHOICE, SETS(view.group),
     .first = CG2WG_GROUP_FILE, .takes_style = CG2WG_TAKES_GROUP, .help = "show rows of these in place of functions"},
    {0, "estimate", NULL, TAKES_FLAG, SETS(view.estimate), .takes_style = CG2WG_TAKES_ESTIMATE,
     .help = "estimate stacks where a profile has only sums"},
    {0, "depth", "N", TAKES_NUMBER, SETS(view.depth), .takes_style = CG2WG_TAKES_DEPTH,
     .help = "with --print=tree and =svg: show at most N functions below each other"},
    {0, "lines", NULL, TAKES_FLAG, SETS(view.has_lines), .takes_style = CG2WG_TAKES_LINES,
     .help = "also show lines, where that takes long: of each function in JSON, of recordings on a page and for pprof"},
    {0, "link", "URL", TAKES_TEXT, SETS(view.link), .takes_style = CG2WG_TAKES_LINK,
     .help = "on a page, files lead to URL, such as 'vscode://file/%f:%l' with file and line"},
    {0, "color", "auto|always|never", TAKES_CHOICE, SETS(colour), .first = COLOUR_AUTO,
     .takes_style = CG2WG_TAKES_LOOKS,
     .help = "colour the costs of hot rows; default: auto, on a terminal, unless NO_COLOR is set"},
    {0, "width", "N", TAKES_NUMBER, SETS(width), .takes_style = CG2WG_TAKES_LOOKS,
     .help = "show as on a terminal of N columns, also in a pipe; default there: COLUMNS, if that is set"},
    {0, "raw", NULL, TAKES_FLAG, SETS(view.raw), .takes_style = CG2WG_TAKES_LOOKS,
     .help = "show exact numbers in place of seconds and bytes, as in a pipe, to compare costs to the digit"},
    {0, "base", "OLD", TAKES_TEXT, ADDS(bases, base_count), .takes_style = CG2WG_TAKES_BASE,
     .title = "Compare:", .help = "show how FILE differs from OLD"},
    {0, "compare", "OLD", TAKES_TEXT, ADDS(bases, base_count), .takes_style = CG2WG_TAKES_BASE},
    {0, "fail-above", "PERCENT", TAKES_PERCENT, SETS(view.fail_above), .takes_style = CG2WG_TAKES_BASE,
     .help = "exit with status 3 if the total grew by more"},
    {0, "fail-function", "PATTERN:PERCENT", TAKES_LIMIT, ADDS(view.fail_functions.words, view.fail_functions.count),
     .takes_style = CG2WG_TAKES_BASE,
     .help = "exit with status 3 if the self cost of a function that matches grew by more; may be repeated"},
    {0, "fail-over", "PERCENT", TAKES_PERCENT, SETS(view.fail_above), .takes_style = CG2WG_TAKES_BASE},
    {'f', "format", "4|5|6|7", TAKES_CHOICE, SETS(convert.format), .first = CG2WG_FORMAT_OLDEST, .given = GIVEN_FORMAT,
     .title = "Convert for webgrind:", .help = "output version; default: 7, for today's webgrind"},
    {0, "storage", "DIR", TAKES_TEXT, SETS(storage), .help = "convert each to DIR/NAME.webgrind for webgrind"},
    {0, "name", "NAME", TAKES_NAME, SETS(name), .given = GIVEN_NAME,
     .help = "with --storage: merge all into DIR/NAME.webgrind"},
    {0, "force", NULL, TAKES_FLAG, SETS(convert.overwrite), .given = GIVEN_NAME,
     .help = "with --storage: convert what is up to date, too"},
    {0, "inclusive", "sum|outermost", TAKES_CHOICE, SETS(convert.inclusive), .first = CG2WG_INCLUSIVE_SUM,
     .help = "count recursive calls each time (default for conversions) or once (default for views)"},
    {'p', "proxy", "NAME", TAKES_WORD, ADDS(convert.proxies, convert.proxy_count), .given = GIVEN_CONVERSION,
     .help = "step over this function; may be repeated"},
    {0, "title", "TEXT", TAKES_TEXT, SETS(convert.title), .given = GIVEN_CONVERSION,
     .help = "heading in webgrind; default: the command"},
    {0, "scale", "auto|none|N", TAKES_SCALE, SETS(convert.scale), .given = GIVEN_CONVERSION,
     .help = "divide all costs: by a power of ten if one exceeds 32 bits (auto, the default), never, or by N"},
    {0, "comm", "NAME", TAKES_WORD, ADDS(convert.samples.names, convert.samples.name_count),
     .title = "Read:", .help = "take only threads of this name; may be repeated"},
    {0, "pid", "N", TAKES_ID, ADDS(convert.samples.pids, convert.samples.pid_count),
     .help = "take only this process, also of a callgrind file"},
    {0, "tid", "N", TAKES_ID, ADDS(convert.samples.tids, convert.samples.tid_count),
     .help = "take only this thread, likewise"},
    {0, "part", "N", TAKES_ID, ADDS(convert.samples.parts, convert.samples.part_count),
     .help = "take only this part of a callgrind file"},
    {0, "symfs", "DIR", TAKES_TEXT, SETS(convert.samples.root), .help = "look for symbols only below DIR"},
    {0, "kallsyms", "FILE", TAKES_TEXT, SETS(convert.samples.kernel_table),
     .help = "take the kernel's symbols from FILE"},
    {0, "demangle", "=always|never", TAKES_CHOICE, SETS(convert.demangle), .first = CG2WG_DEMANGLE_ALWAYS,
     .help = "make C++ and Rust names readable with c++filt; default: if it is installed"},
    {0, "no-demangle", NULL, TAKES_CHOICE, SETS(convert.demangle), .first = CG2WG_DEMANGLE_NEVER},
    {0, "summary", "computed|file", TAKES_CHOICE, SETS(convert.summary), .first = CG2WG_SUMMARY_COMPUTED,
     .help = "what is 100 %: the sum of the self costs (default of --print), or the input's total, with what it has "
             "outside of functions"},
    {0, "identity", "name|file|object", TAKES_CHOICE, SETS(convert.identity), .first = CG2WG_IDENTITY_NAME,
     .help = "when functions of one name are one row: always, in one file, or in one file of one object; default: "
             "object; for Xdebug: name"},
    {0, "records", "invocations|sums", TAKES_CHOICE, SETS(convert.records), .first = CG2WG_RECORDS_INVOCATIONS,
     .help = "what records are: invocations, as Xdebug's, or sums; needed for tools that cg2wg does not know"},
    {0, "input", "auto|callgrind|aprof|perf|perf-script|folded|preprocessed", TAKES_FORMAT, SETS(convert.input_format),
     .help = "read all inputs in this format; default: auto"},
    {0, "strict", NULL, TAKES_FLAG, SETS(convert.strict), .help = "treat malformed input as an error"},
    {'j', "threads", "N", TAKES_NUMBER, SETS(convert.threads),
     .title = "Other:", .help = "read an input with at most N threads; with --storage, convert N profiles at a time"},
    {'q', "quiet", NULL, TAKES_FLAG, SETS(quiet), .help = "print only errors"},
    {'v', "verbose", NULL, TAKES_FLAG, SETS(verbose), .help = "print every warning and what was converted"},
    {0, "stats", NULL, TAKES_FLAG, SETS(stats), .help = "print sizes, time and rate at the end"},
    {0, "progress", "=always|never", TAKES_CHOICE, SETS(progress), .first = PROGRESS_ALWAYS,
     .help = "show progress; default: on a terminal"},
    {0, "no-progress", NULL, TAKES_CHOICE, SETS(progress), .first = PROGRESS_NEVER},
    {0, "list-options", NULL, TAKES_NOTHING, .action = ACTION_LIST_OPTIONS},
    {'h', "help", "=all", TAKES_FLAG, SETS(all), .action = ACTION_HELP,
     .help = "print this help; =all: of all options, by task"},
    {'V', "version", NULL, TAKES_NOTHING, .action = ACTION_VERSION, .help = "print the version"},
};

/* Those of the first hour. */
static const char basics[] = " output print event list-events sort top only hide min function source group estimate "
                             "base fail-above format storage help ";

enum { ROW_COUNT = COUNT_OF(rows) };

void options_print_help(FILE *stream, size_t width, bool is_whole)
{
    static const char *const usage[] = {
        "[OPTION...] FILE...",
        "[OPTION...] -o PAGE.html|DATA.json|STACKS.folded|GRAPH.dot FILE...",
        "[OPTION...] INPUT OUTPUT [PROXY_FUNCTION...]",
        "[OPTION...] -o OUTPUT INPUT...",
        "[OPTION...] --storage=DIR PROFILE...",
    };
    enum { NARROW = 60, OPTION_WIDTH = 29, ROW_WIDTH = 80 };
    const char *title = NULL;                              /* that is not printed yet */
    size_t indent = width < NARROW ? 6 : OPTION_WIDTH + 1; /* of the text about an option */
    const struct option_row *print = rows;
    while (print->takes != TAKES_STYLE)
        print++;
    const char *styles = words_of_styles(print->help, ", ", 0); /* before anything is printed: memory may lack */
    for (size_t i = 0; i < COUNT_OF(usage); i++) {
        fputs(i == 0 ? "usage: cg2wg " : "       cg2wg ", stream);
        show_wrapped(stream, usage[i], 13, 13, width);
    }
    fputc('\n', stream);
    show_wrapped(
        stream,
        "Show profiles (callgrind, cachegrind, perf, aprof, collapsed stacks) or convert them for webgrind. Input "
        "may be compressed; - is standard input or output.",
        0, 0, width);
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++) {
        char left[ROW_WIDTH];
        snprintf(left, sizeof left, " %s ", row->name);
        title = row->title != NULL ? row->title : title;
        if (row->help == NULL || (!is_whole && strstr(basics, left) == NULL))
            continue;
        if (title != NULL)
            fprintf(stream, "\n%s\n", title);
        title = NULL;
        char letter[] = {'-', row->letter, ',', '\0'};
        const char *argument = row->argument == NULL ? "" : row->argument;
        bool is_optional = *argument == '=';
        const char *before = is_optional ? "[" : *argument != '\0' ? "=" : "";
        snprintf(left, sizeof left, "  %3s --%s%s%s%s", row->letter != 0 ? letter : "", row->name, before, argument,
                 is_optional ? "]" : "");
        fprintf(stream, "%-*s", OPTION_WIDTH, left);
        if (width < NARROW || strlen(left) > OPTION_WIDTH)
            fprintf(stream, "\n%*s", (int)indent, "");
        else
            fputc(' ', stream);
        show_wrapped(stream, row == print ? styles : row->help, indent, indent, width);
    }
    fputc('\n', stream);
    show_wrapped(stream,
                 "Exit status: 0 done, 1 the input or the system failed, 2 wrong usage, 3 costs grew by more than "
                 "--fail-above or --fail-function.",
                 0, 0, width);
}

void options_print_list(FILE *stream)
{
    const char *styles = words_of_styles("=", "|", 0); /* before anything is printed, as above */
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++)
        if (row->help != NULL)
            fprintf(stream, "%c\t%s\t%s\t%s\n", row->letter != 0 ? row->letter : '-', row->name,
                    row->argument == NULL       ? "-"
                    : row->takes == TAKES_STYLE ? styles
                                                : row->argument,
                    row->help);
}

/* ---- names of options --------------------------------------------------------------------- */

/* The option with the letter or, if that is 0, the name, or only one that begins so; or an error with the nearest. */
static const struct option_row *find_option(const char *word, char letter, const char *name, size_t length)
{
    enum { NAME_SIZE = 24 };
    const struct option_row *found = NULL, *nearest = NULL;
    char others[ROW_COUNT * NAME_SIZE] = "";
    size_t least = 2 + length / 4; /* more distant names have little in common with it */
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++) {
        bool begins = letter == 0 && strncmp(row->name, name, length) == 0;
        if (letter != 0 ? row->letter == letter : begins && row->name[length] == '\0')
            return row;
        if (letter != 0 && row->letter != 0 && char_lower(row->letter) == char_lower(letter))
            nearest = row;
        if (letter != 0 || row->help == NULL)
            continue;
        if (begins && found != NULL)
            sprintf(others + strlen(others), " or --%s", row->name);
        else if (begins && length > 0)
            found = row;
        bool goes_on = strncmp(name, row->name, strlen(row->name)) == 0; /* --output-file */
        size_t far = goes_on ? 0 : text_distance(text_of(name, length), text_of_string(row->name), false);
        if (far < least) {
            least = far;
            nearest = row;
        }
    }
    if (found == NULL && nearest != NULL)
        misuse("unknown option ", word, "; did you mean --", nearest->name, "?");
    if (found == NULL)
        misuse("unknown option ", word);
    if (*others != '\0')
        misuse("ambiguous option ", word, ", which may be --", found->name, others);
    return found;
}

/* Takes an option with its argument, if there is one; an argument that is missing is the next word. */
static void take_option(struct parse *p, const struct option_row *row, const char *argument, char ***next)
{
    if (row->argument == NULL && argument != NULL)
        misuse("--", row->name, " takes no value");
    if (row->argument != NULL && *row->argument != '=' && argument == NULL) {
        argument = *(*next)++;
        if (argument == NULL)
            misuse("--", row->name, " needs a value: ", row->argument);
    }
    void *member = (char *)p->options + row->member;
    bool is_given = argument != NULL;
    p->given |= row->given;
    for (unsigned i = 0; i < STYLE_CHOICES; i++)
        if ((row->takes_style >> i & 1) != 0)
            p->for_print = p->for_style[i] = row->name;
    if (p->options->action < row->action)
        p->options->action = row->action;
    argument = is_given ? argument : "";
    if (is_given && row->takes >= TAKES_NAME && *argument == '\0')
        wrong_argument(row, argument);
    switch (row->takes) {
    case TAKES_NOTHING: break;
    case TAKES_FLAG: *(bool *)member = row->argument == NULL || (is_given && choice_from(row, argument) == 0); break;
    case TAKES_STYLE:
    case TAKES_CHOICE: *(unsigned *)member = row->first + (is_given ? choice_from(row, argument) : 0); break;
    case TAKES_FORMAT: *(const char **)member = !is_given || choice_from(row, argument) == 0 ? NULL : argument; break;
    case TAKES_NUMBER: *(unsigned *)member = (unsigned)number_from(row, argument, 1); break;
    case TAKES_SCALE:
        *(uint64_t *)member = strcmp(argument, "auto") == 0   ? CG2WG_SCALE_AUTO
                              : strcmp(argument, "none") == 0 ? CG2WG_SCALE_NONE
                                                              : number_from(row, argument, 1);
        break;
    case TAKES_PERCENT:
        *(double *)member = percent_from(row, argument);
        if (row->first > 0 && *(double *)member > row->first)
            misuse("--", row->name, ": found \"", argument, "\", expected at most 100 percent");
        break;
    case TAKES_LIMIT: add_limit(p->options, row, argument); break;
    case TAKES_ID:
        add_element(p->options, row, &(uint32_t){(uint32_t)number_from(row, argument, 0)}, sizeof(uint32_t));
        break;
    case TAKES_WORD:
    case TAKES_NAME:
    case TAKES_TEXT:
        if (row->takes == TAKES_NAME && strchr(argument, '/') != NULL)
            misuse("--", row->name, ": found \"", argument, "\", expected a name without directories");
        if (row->count == 0)
            *(const char **)member = argument;
        else
            add_element(p->options, row, &argument, sizeof argument);
        break;
    }
}

static void check_together(const struct parse *p)
{
    const struct options *o = p->options;
    const struct cg2wg_view *view = &o->view;
    bool lists = (p->given & GIVEN_LIST) != 0, prints = o->action == ACTION_PRINT, stores = o->storage != NULL;
    bool has_base = view->base != NULL, has_functions = view->functions.count > 0, has_source = view->source_count > 0;
    bool is_page = view->style == CG2WG_PAGE, is_grouped = view->group != CG2WG_GROUP_FUNCTION;
    bool is_twice = has_base && file_is_standard(view->base) && o->input_count > 0 && file_is_standard(o->inputs[0]);
    const struct {
        bool is;
        const char *text;
    } wrong[] = {
        {lists && prints, "--list-events cannot be used with --print"},
        {view->fail_above >= 0 && !has_base, "--fail-above needs --base"},
        {view->fail_functions.count > 0 && !has_base, "--fail-function needs --base"},
        {has_base && view->group >= CG2WG_GROUP_RUN,
         "--base cannot be used with --group=run, thread, process or call, whose rows have no counterparts in OLD; leave "
         "out --group to compare functions"},
        {has_base && has_functions, "--base cannot be used with --function; --only chooses functions to compare"},
        {is_twice, "standard input cannot be both FILE and OLD of --base"},
        {stores && prints, "--storage cannot be used with --print"},
        {stores && lists, "--storage cannot be used with --list-events"},
        {o->output != NULL && lists, "--output cannot be used with --list-events"},
        {has_source && !has_functions && !is_page && view->style != CG2WG_LINES,
         "--source needs --function, --print=lines or =html"},
        {has_source && has_base && !is_page, "--source and --base need --print=html; others compare costs only"},
        {view->has_lines && has_base && view->style == CG2WG_JSON,
         "--lines cannot be used with --base and --print=json; --print=lines --base=OLD compares lines"},
        {view->has_lines && is_grouped && !is_page, "--lines cannot be used with --group; groups have no lines"},
        {has_source && is_grouped && !is_page, "--source cannot be used with --group; groups have no source"},
        {view->group == CG2WG_GROUP_CALL && !has_functions,
         "--group=call needs --function=NAME, whose calls are shown"},
        {(p->given & GIVEN_NAME) != 0 && !stores, "--name and --force need --storage"},
        {o->output != NULL && stores, "--output cannot be used with --storage"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        if (wrong[i].is)
            misuse(wrong[i].text);
}

static void check_style(const struct parse *p, const struct cg2wg_style_facts *facts)
{
    const struct cg2wg_view *view = &p->options->view;
    bool by_time = view->order == CG2WG_BY_TIME;
    unsigned takes = facts->takes | (by_time ? CG2WG_TAKES_ORDER : 0);
    if (by_time && view->style != CG2WG_TREE)
        misuse("--sort=time cannot be used with --print=", facts->word, ", only with --print=tree");
    if (by_time && view->group != CG2WG_GROUP_FUNCTION)
        misuse("--sort=time cannot be used with --group; it shows calls of functions");
    for (unsigned i = 0; i < STYLE_CHOICES; i++)
        if (p->for_style[i] != NULL && (takes >> i & 1) == 0)
            misuse("--", p->for_style[i], " cannot be used with --print=", facts->word, ", only with ",
                   words_of_styles("--print=", ", =", 1U << i));
    if (view->group > CG2WG_GROUP_FOLDER && (facts->takes & CG2WG_TAKES_ORDER) == 0)
        misuse("--print=", facts->word, " shows groups of functions, as --group=file; other rows are shown by ",
               words_of_styles("--print=", ", =", CG2WG_TAKES_GROUP | CG2WG_TAKES_ORDER));
    if (view->style == CG2WG_PAGE && view->order == CG2WG_BY_PLACE)
        misuse("--sort=none cannot be used with --print=html, whose tables are always sorted");
}

static bool has_ending(struct text name, const char *endings)
{
    for (struct text rest = text_of_string(endings); !text_is_empty(rest);)
        if (text_ends_alike(name, text_take_word(&rest)))
            return true;
    return false;
}

/* Does a file of this name get a view? It is an error if its ending promises what cannot be written. */
static bool is_view(struct options *o, const char *output)
{
    static const struct {
        const char *endings, *instead;
    } others[] = {
        {".png .pdf .jpg .jpeg .gif",
         "pictures; use FILE.html, a page that draws them and that a browser prints, or FILE.folded for flamegraph.pl"},
        {".tsv .xml .xlsx", "tables of this kind; use FILE.csv or FILE.json"},
        {".zst .xz .bz2 .zip", "this compression; use FILE.html.gz, FILE.json.gz ..."},
    };
    const struct cg2wg_style_facts *facts;
    struct text name = text_of_string(output), packed = text_of_string(".gz");
    bool is_packed = text_ends_alike(name, packed);
    name.end -= is_packed ? text_length(packed) : 0;
    for (unsigned style = 0; (facts = cg2wg_style_about((enum cg2wg_style)style)) != NULL; style++)
        if (has_ending(name, facts->endings)) {
            o->view.style = (enum cg2wg_style)style;
            return true;
        }
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (has_ending(name, others[i].endings))
            misuse(output, ": cannot write ", others[i].instead);
    if (is_packed)
        misuse(output, ": cannot compress a preprocessed file, which webgrind would not read; leave out .gz, "
                       "or use FILE.html.gz, FILE.json.gz ...");
    return false;
}

/* Does a file hold a profile that is not preprocessed? What one of our descriptors leads to is an output. */
static bool holds_profile(const char *path)
{
    char head[4096];
    struct file_facts facts;
    char *found = file_is_standard(path) ? NULL : file_follow_links(path, FOLLOW_ALL, &facts);
    bool is_file = found != NULL && facts.kind == FILE_IS_REGULAR && facts.own < 0;
    ssize_t length = is_file ? file_read_start(file_open(path, FILE_REGULAR), head, sizeof head) : 0;
    return length > 0 && cg2wg_format_of(head, (size_t)length) == 0 && cg2wg_is_profile(head, (size_t)length);
}

static void take_operands(struct options *o)
{
    if (o->input_count < 2)
        misuse("no OUTPUT is given");
    o->output = o->inputs[1];
    for (size_t i = 2; i < o->input_count; i++) {
        /* A file instead of a function's name: all operands were meant as inputs, as in `cg2wg *.out`. */
        struct file_facts facts;
        if (file_look(o->inputs[i], true, &facts) && facts.kind == FILE_IS_REGULAR)
            misuse(o->inputs[i], ", after the output ", o->output,
                   ", is a file, not a PROXY_FUNCTION; to convert several inputs use -o OUTPUT, to step over a "
                   "function of that name use -p");
        size_t room = o->convert.proxy_count;
        array_append(&o->convert.proxies, &o->convert.proxy_count, &room, &o->inputs[i], sizeof o->inputs[i]);
    }
    o->input_count = 1;
    if (*o->output == '\0')
        misuse("the name of OUTPUT is empty");
}

/* Finds what options mean together, and which operand is what. One input alone, or with a view's file, is printed. */
static void conclude(struct parse *p)
{
    struct options *o = p->options;
    if (o->base_count > 0) {
        o->view.base = o->bases[0];
        o->view.more_bases = o->bases + 1;
        o->view.more_base_count = o->base_count - 1;
    }
    bool is_free = o->action == ACTION_CONVERT && o->storage == NULL && (p->given & GIVEN_FORMAT) == 0;
    /* Of several operands, the second one may be OUTPUT, which a profile is not. */
    bool are_operands = is_free && o->output == NULL && o->input_count >= 2 && !p->is_preprocessor;
    bool are_inputs = are_operands && (p->given & GIVEN_CONVERSION) == 0 && holds_profile(o->inputs[1]);
    if (are_operands && o->input_count == 2 && !are_inputs && is_view(o, o->inputs[1]))
        o->output = o->inputs[--o->input_count];
    else if (is_free && o->output != NULL)
        is_free = is_view(o, o->output);
    else
        is_free &= o->input_count == 1 || are_inputs || p->for_print != NULL;
    if (is_free)
        o->action = ACTION_PRINT;
    if (o->all && o->view.style == CG2WG_DOT && o->view.top == 0)
        o->view.top = UINT_MAX;
    const struct cg2wg_style_facts *facts = cg2wg_style_about(o->view.style);
    bool takes_one = o->action != ACTION_CONVERT, is_printed = o->action == ACTION_PRINT;
    if (is_printed && o->output != NULL && !file_is_standard(o->output))
        o->view.output = o->output;
    else if (is_printed && (facts->takes & CG2WG_IS_BINARY) != 0 && file_is_terminal(1))
        misuse("standard output is a terminal, expected a file; add -o FILE",
               o->view.style == CG2WG_PAGE ? ".html" : facts->endings);

    if (o->view.group == CG2WG_GROUP_CALL && (p->given & GIVEN_SORT) == 0)
        o->view.order = CG2WG_BY_INCLUSIVE;
    if (p->for_print != NULL && !is_printed)
        misuse("--", p->for_print, " needs --print, or an OUTPUT such as FILE.html");
    if (is_printed)
        check_style(p, facts);
    check_together(p);
    o->convert.expected_proxy_count = o->convert.proxy_count;
    if (o->input_count == 0 && is_printed && o->view.base != NULL)
        misuse("no FILE to compare with ", o->view.base, ", as in --base=OLD FILE");
    if (o->input_count == 0)
        misuse("no ", takes_one ? "FILE" : o->storage != NULL ? "PROFILE" : "INPUT", " is given");
    if (!takes_one && o->output == NULL && o->storage == NULL)
        take_operands(o);
    if (takes_one && !is_printed && o->input_count > 1)
        misuse("one input is taken here; \"", o->inputs[1], "\" is one too many");
    for (size_t i = 0; o->storage != NULL && i < o->input_count; i++)
        if (file_is_standard(o->inputs[i]))
            misuse("--storage needs profiles with names, not standard input");
}

void options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){.action = ACTION_CONVERT};
    cg2wg_options_init(&options->convert, sizeof options->convert);
    cg2wg_view_init(&options->view, sizeof options->view);
    const char *called = argc > 0 ? argv[0] + file_folder_length(argv[0]) : "";
    struct parse parse = {.options = options, .is_preprocessor = strncmp(called, "preprocessor", 12) == 0};
    bool options_ended = false;
    options->inputs = memory_zeroed((size_t)argc + 1, sizeof *options->inputs);
    if (argc <= 1) {
        fputs("usage: cg2wg [OPTION...] FILE, cg2wg [OPTION...] -o PAGE.html FILE\n"
              "       cg2wg [OPTION...] INPUT OUTPUT [PROXY_FUNCTION...]\n"
              "       cg2wg [OPTION...] -o OUTPUT INPUT..., cg2wg --help\n",
              stderr);
        task_fail();
    }
    for (char **next = argv + 1; *next != NULL;) {
        const char *word = *next++, *name = word + 2;
        if (options_ended || word[0] != '-' || word[1] == '\0') {
            options->inputs[options->input_count++] = word;
        } else if (strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (word[1] == '-') { /* `--name`, `--name=ARGUMENT` or `--name ARGUMENT` */
            size_t length = strcspn(name, "=");
            const char *argument = name[length] == '=' ? name + length + 1 : NULL;
            take_option(&parse, find_option(word, 0, name, length), argument, &next);
        } else { /* `-x`, several in one word, `-xARGUMENT` or `-x ARGUMENT` */
            for (const char *letter = word + 1; *letter != '\0'; letter++) {
                const struct option_row *row = find_option(word, *letter, "", 0);
                const char *rest = row->argument != NULL && letter[1] != '\0' ? letter + 1 : NULL;
                take_option(&parse, row, rest, &next);
                if (rest != NULL)
                    break;
            }
        }
    }
    if (options->action <= ACTION_PRINT)
        conclude(&parse);
}

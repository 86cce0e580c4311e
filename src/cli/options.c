#include "cli/options.h"

#include "cli/show.h"
#include "util/file.h"
#include "util/text.h"
#include "webgrind/formats.h"

#include <stdlib.h>

/* The parse as far as it has come. */
struct parse {
    struct options *options;
    const char **operands;
    size_t operand_count;
    const char **proxies;
};

struct option_row {
    char letter; /* 0: it has none */
    const char *name;
    const char *argument; /* as --help shows it; NULL: it takes none */
    bool argument_is_optional; /* then only behind = */
    const char *help; /* lines parted by newlines; NULL: --help does not show it */
    bool (*take)(struct parse *parse, const struct option_row *row, const char *argument);
};

static bool end_misuse(struct message_line *message)
{
    message_end(message);
    fputs("cg2wg: try cg2wg --help\n", stderr);
    return false;
}

/* `format` has two "%s", and nothing else of printf's: what they stand for is made printable. */
static bool wrong(const char *format, const char *first, const char *second)
{
    const char *const arguments[] = {first, second};
    struct message_line message;
    message_begin(&message);
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        size_t before = (size_t)(strstr(format, "%s") - format);
        message_add_text(&message, text_of(format, before));
        message_add(&message, arguments[i]);
        format += before + strlen("%s");
    }
    message_add(&message, format);
    return end_misuse(&message);
}

static bool wrong_argument(const struct option_row *row, const char *argument)
{
    struct message_line message;
    message_begin(&message);
    message_add(&message, "--");
    message_add(&message, row->name);
    message_add(&message, ": found \"");
    message_add(&message, argument);
    message_add(&message, "\", expected ");
    message_add(&message, row->argument);
    return end_misuse(&message);
}

/* The place of `word` in a list of words parted by |, or -1. */
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

static bool take_format(struct parse *p, const struct option_row *row, const char *argument)
{
    uint64_t version;
    if (!text_whole_number(argument, CG2WG_FORMAT_OLDEST, CG2WG_FORMAT_NEWEST, &version))
        return wrong_argument(row, argument);
    p->options->convert.format = (unsigned)version;
    return true;
}

static bool take_proxy(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    p->proxies[p->options->convert.proxy_count++] = argument;
    return true;
}

static bool take_output(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    p->options->output = argument;
    return true;
}

static bool take_overwrite(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    p->options->convert.overwrite = true;
    return true;
}

static bool take_identity(struct parse *p, const struct option_row *row, const char *argument)
{
    int place = place_in(row->argument, argument);
    if (place < 0)
        return wrong_argument(row, argument);
    p->options->convert.identity = (enum cg2wg_identity)(CG2WG_IDENTITY_NAME + place);
    return true;
}

static bool take_records(struct parse *p, const struct option_row *row, const char *argument)
{
    int place = place_in(row->argument, argument);
    if (place < 0)
        return wrong_argument(row, argument);
    p->options->convert.records = (enum cg2wg_records)(CG2WG_RECORDS_INVOCATIONS + place);
    return true;
}

static bool take_event(struct parse *p, const struct option_row *row, const char *argument)
{
    if (*argument == '\0')
        return wrong_argument(row, argument);
    p->options->convert.event = argument;
    return true;
}

static bool take_inclusive(struct parse *p, const struct option_row *row, const char *argument)
{
    int place = place_in(row->argument, argument);
    if (place < 0)
        return wrong_argument(row, argument);
    p->options->convert.inclusive = (enum cg2wg_inclusive)(CG2WG_INCLUSIVE_SUM + place);
    return true;
}

static bool take_summary(struct parse *p, const struct option_row *row, const char *argument)
{
    int place = place_in(row->argument, argument);
    if (place < 0)
        return wrong_argument(row, argument);
    p->options->convert.summary = (enum cg2wg_summary)place;
    return true;
}

static bool take_scale(struct parse *p, const struct option_row *row, const char *argument)
{
    if (strcmp(argument, "auto") == 0)
        p->options->convert.scale = CG2WG_SCALE_AUTO;
    else if (strcmp(argument, "none") == 0)
        p->options->convert.scale = CG2WG_SCALE_NONE;
    else if (!text_whole_number(argument, 1, UINT32_MAX, &p->options->convert.scale))
        return wrong_argument(row, argument);
    return true;
}

static bool take_plain(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    p->options->convert.plain = true;
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

static bool take_list_events(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    if (p->options->action == ACTION_CONVERT)
        p->options->action = ACTION_LIST_EVENTS;
    return true;
}

static bool take_strict(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    p->options->convert.strict = true;
    return true;
}

static bool take_print(struct parse *p, const struct option_row *row, const char *argument)
{
    int place = argument == NULL ? PRINT_TABLE : place_in(row->argument, argument);
    if (place < 0)
        return wrong_argument(row, argument);
    if (p->options->action == ACTION_CONVERT)
        p->options->action = ACTION_PRINT;
    p->options->print_style = (enum print_style)place;
    return true;
}

static bool take_sort(struct parse *p, const struct option_row *row, const char *argument)
{
    int place = place_in(row->argument, argument);
    if (place < 0)
        return wrong_argument(row, argument);
    p->options->print_order = (enum print_order)place;
    p->options->print_is_shaped = true;
    return true;
}

static bool take_top(struct parse *p, const struct option_row *row, const char *argument)
{
    if (!text_whole_number(argument, 1, UINT32_MAX, &p->options->print_top))
        return wrong_argument(row, argument);
    p->options->print_is_shaped = true;
    return true;
}

static bool take_threads(struct parse *p, const struct option_row *row, const char *argument)
{
    uint64_t threads;
    if (!text_whole_number(argument, 1, UINT32_MAX, &threads))
        return wrong_argument(row, argument);
    p->options->convert.threads = (unsigned)threads;
    return true;
}

static bool take_quiet(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    p->options->quiet = true;
    return true;
}

static bool take_verbose(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    p->options->verbose = true;
    return true;
}

static bool take_stats(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    p->options->stats = true;
    return true;
}

static bool take_progress(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    p->options->progress = PROGRESS_ALWAYS;
    return true;
}

static bool take_no_progress(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    p->options->progress = PROGRESS_NEVER;
    return true;
}

static bool take_help(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    p->options->action = ACTION_HELP;
    return true;
}

static bool take_version(struct parse *p, const struct option_row *row, const char *argument)
{
    (void)row;
    (void)argument;
    if (p->options->action != ACTION_HELP)
        p->options->action = ACTION_VERSION;
    return true;
}

static const struct option_row rows[] = {
    {'f', "format", "4|5|6|7", false,
     "output version; default: 7, for today's webgrind", take_format},
    {'o', "output", "OUTPUT", false,
     "write to OUTPUT (- for standard output); merge all\n"
     "operands, which are inputs then",
     take_output},
    {0, "overwrite", NULL, false,
     "replace OUTPUT whatever file it is", take_overwrite},
    {'e', "event", "EVENT", false,
     "convert this event, or a formula such as\n"
     "'Ir + 10 Bm' or 'CEst = Ir + 10 Bm';\n"
     "default: the input's first event",
     take_event},
    {'p', "proxy", "NAME", false,
     "step over this function, like PROXY_FUNCTION;\n"
     "may be repeated; * matches any bytes, ? one byte",
     take_proxy},
    {0, "inclusive", "sum|outermost", false,
     "what inclusive costs count: every invocation, or\n"
     "none that runs inside another of its function;\n"
     "default: sum; for aprof: outermost",
     take_inclusive},
    {0, "scale", "auto|none|N", false,
     "divide all costs: by a power of ten if one exceeds\n"
     "32 bits (auto, the default), never, or by N",
     take_scale},
    {0, "summary", "file|computed", false,
     "base percentages on the input's total (file, the\n"
     "default) or on the sum of the self costs",
     take_summary},
    {0, "identity", "name|file|object", false,
     "what distinguishes functions: the name, also the\n"
     "file, or also the object; default: object; for\n"
     "Xdebug: name",
     take_identity},
    {0, "records", "invocations|sums", false,
     "what a record is: one invocation or a part of a\n"
     "function's sums; default: sums; for Xdebug:\n"
     "invocations",
     take_records},
    {0, "input", "auto|callgrind|aprof|preprocessed", false,
     "read all inputs in this format; default: auto", take_input},
    {0, "strict", NULL, false, "treat malformed input as an error", take_strict},
    {0, "list-events", NULL, false, "list the events of INPUT, formulas and totals",
     take_list_events},
    {0, "print", "table|json|plot", true,
     "print FILE: a table of functions, everything as\n"
     "JSON, or plots of cost by input size (aprof)",
     take_print},
    {0, "sort", "self|inclusive|invocations|name|none", false,
     "sort printed functions; default: self", take_sort},
    {0, "top", "N", false, "print only the first N functions", take_top},
    {'j', "threads", "N", false, "read an input with at most N threads", take_threads},
    {'q', "quiet", NULL, false, "print only errors", take_quiet},
    {'v', "verbose", NULL, false, "print every warning and what was converted", take_verbose},
    {0, "stats", NULL, false, "print sizes, time and rate at the end", take_stats},
    {0, "progress", NULL, false, "show progress even if not on a terminal", take_progress},
    {0, "no-progress", NULL, false, "never show progress; default: on a terminal",
     take_no_progress},
    {0, "plain", NULL, false, NULL, take_plain},
    {'h', "help", NULL, false, "print this help", take_help},
    {'V', "version", NULL, false, "print the version", take_version},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

void options_print_help(FILE *stream)
{
    fputs("usage: cg2wg [OPTION...] INPUT OUTPUT [PROXY_FUNCTION...]\n"
          "       cg2wg [OPTION...] -o OUTPUT INPUT...\n"
          "       cg2wg --list-events INPUT\n"
          "       cg2wg --print[=table|json|plot] [OPTION...] FILE\n"
          "\n"
          "Converts profiles in callgrind or cachegrind format (from Xdebug, Valgrind and\n"
          "others) and aprof reports to webgrind's preprocessed format. INPUT may be\n"
          "compressed with gzip, zstd, xz or bzip2; - is standard input or output.\n"
          "\n",
          stream);
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++) {
        char left[64];
        if (row->help == NULL)
            continue;
        const char *open = row->argument_is_optional ? "[=" : "=";
        const char *close = row->argument_is_optional ? "]" : "";
        snprintf(left, sizeof left, "%c%c%c --%s%s%s%s", row->letter != 0 ? '-' : ' ',
                 row->letter != 0 ? row->letter : ' ', row->letter != 0 ? ',' : ' ', row->name,
                 row->argument != NULL ? open : "", row->argument != NULL ? row->argument : "",
                 row->argument != NULL ? close : "");
        bool fits = strlen(left) <= 27;
        fprintf(stream, "  %-27s", left);
        const char *line = row->help;
        if (!fits)
            fprintf(stream, "\n%29s", "");
        while (*line != '\0') {
            int length = (int)strcspn(line, "\n");
            fprintf(stream, " %.*s\n", length, line);
            line += length + (line[length] == '\n');
            if (*line != '\0')
                fprintf(stream, "%29s", "");
        }
    }
    fputs("\nExit status: 0 done, 1 the input or the system failed, 2 wrong usage.\n", stream);
}

static const struct option_row *row_named(const char *name, size_t length)
{
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++)
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return row;
    return NULL;
}

static const struct option_row *row_lettered(char letter)
{
    for (const struct option_row *row = rows; row < rows + ROW_COUNT; row++)
        if (row->letter == letter)
            return row;
    return NULL;
}

/* Takes `--name`, `--name=ARGUMENT` or `--name ARGUMENT`; *next is the word that follows. */
static bool take_long(struct parse *p, const char *word, char ***next)
{
    const char *name = word + 2;
    size_t length = strcspn(name, "=");
    const char *argument = name[length] == '=' ? name + length + 1 : NULL;
    const struct option_row *row = row_named(name, length);
    if (row == NULL)
        return wrong("found %s, which is no option%s", word, "");
    if (row->argument == NULL && argument != NULL)
        return wrong("--%s: found \"%s\", expected no argument", row->name, argument);
    if (row->argument != NULL && !row->argument_is_optional && argument == NULL) {
        if (**next == NULL)
            return wrong("--%s: found nothing, expected %s", row->name, row->argument);
        argument = *(*next)++;
    }
    return row->take(p, row, argument);
}

/* Takes `-x`, several in one word, `-xARGUMENT` or `-x ARGUMENT`. */
static bool take_letters(struct parse *p, const char *word, char ***next)
{
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        const struct option_row *row = row_lettered(*letter);
        if (row == NULL)
            return wrong("found %s, which is no option%s", word, "");
        if (row->argument == NULL) {
            if (!row->take(p, row, NULL))
                return false;
            continue;
        }
        const char *argument = letter + 1;
        if (*argument == '\0') {
            if (**next == NULL)
                return wrong("--%s: found nothing, expected %s", row->name, row->argument);
            argument = *(*next)++;
        }
        return row->take(p, row, argument);
    }
    return true;
}

static void take_operand(struct parse *p, const char *word)
{
    p->operands[p->operand_count++] = word;
}

static bool take_words(struct parse *p, char **next)
{
    bool options_ended = false;
    while (*next != NULL) {
        const char *word = *next++;
        if (options_ended || word[0] != '-' || word[1] == '\0')
            take_operand(p, word);
        else if (strcmp(word, "--") == 0)
            options_ended = true;
        else if (word[1] == '-' ? !take_long(p, word, &next) : !take_letters(p, word, &next))
            return false;
    }
    return true;
}

/* A file in place of a function's name: all operands were meant as inputs, as in `cg2wg *.out`. */
static bool check_proxy_operand(const struct parse *p, const char *word)
{
    struct file_facts facts;
    return !file_look(word, &facts) || facts.kind != FILE_IS_REGULAR ||
           wrong("found the file %s after the output %s, expected a PROXY_FUNCTION; to convert several "
                 "inputs use -o OUTPUT, to step over a function of that name use -p",
                 word, p->options->output);
}

/* INPUT OUTPUT PROXY...: the form that webgrind calls. */
static bool assign_webgrind_operands(struct parse *p)
{
    struct options *o = p->options;
    if (p->operand_count < 2)
        return wrong("found no %s, expected one%s", p->operand_count == 0 ? "INPUT" : "OUTPUT", "");
    o->input_count = 1;
    o->output = p->operands[1];
    for (size_t i = 2; i < p->operand_count; i++) {
        if (!check_proxy_operand(p, p->operands[i]))
            return false;
        p->proxies[o->convert.proxy_count++] = p->operands[i];
    }
    return true;
}

/* Which operand is what depends on the options. */
static bool assign_operands(struct parse *p)
{
    struct options *o = p->options;
    bool takes_one = o->action == ACTION_PRINT || o->action == ACTION_LIST_EVENTS;

    if (o->action == ACTION_HELP || o->action == ACTION_VERSION)
        return true;
    if (o->print_is_shaped && o->action != ACTION_PRINT)
        return wrong("found --sort or --top, expected --print with them%s%s", "", "");
    if (takes_one && o->output != NULL)
        return wrong("found --output with %s, expected only one of them%s",
                     o->action == ACTION_PRINT ? "--print" : "--list-events", "");
    if (!takes_one && o->output == NULL) {
        if (!assign_webgrind_operands(p))
            return false;
    } else {
        if (p->operand_count == 0)
            return wrong("found no %s, expected one%s", takes_one ? "FILE" : "INPUT", "");
        if (takes_one && p->operand_count > 1)
            return wrong("found \"%s\" after \"%s\", expected nothing more", p->operands[1],
                         p->operands[0]);
        o->input_count = p->operand_count;
    }
    if (o->output != NULL && *o->output == '\0')
        return wrong("found an empty name, expected OUTPUT%s%s", "", "");
    return true;
}

enum options_result options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){.action = ACTION_CONVERT};
    cg2wg_options_init(&options->convert);
    struct parse parse = {.options = options};

    /* No more proxies or operands than words. */
    options->inputs = parse.operands = calloc((size_t)argc + 1, sizeof *parse.operands);
    options->convert.proxies = parse.proxies = calloc((size_t)argc + 1, sizeof *parse.proxies);
    if (parse.proxies == NULL || parse.operands == NULL) {
        fputs("cg2wg: out of memory\n", stderr);
        return OPTIONS_NO_MEMORY;
    }
    bool done = take_words(&parse, argc > 0 ? argv + 1 : argv) && assign_operands(&parse);
    return done ? OPTIONS_TAKEN : OPTIONS_WRONG;
}

void options_free(struct options *options)
{
    free((void *)options->convert.proxies);
    free((void *)options->inputs);
    options->convert.proxies = NULL;
    options->inputs = NULL;
}

/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "figures.h"
#include "files.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The first value of an option is that it is not given. Of its choices, all that --list-options has must be here. Names
 * in angle brackets are filled in: see argument_of. An option that has no choices is given or not.
 */
static const struct {
    const char *name, *values;
} dimensions[DIMENSIONS] = {
    [KIND] = {"kind", NULL},
    [PRINT] =
        {"--print",
         "table|json|plot|stacks|html|pprof|lines|tree|svg|csv|callgrind|dot|markdown|convert|storage|list-events"},
    [COUNT] = {"inputs", "one|same|other|swapped|five"},
    [WAY] = {"way", "file|gzip|pipe"},
    [OUTPUT] = {"--output", "pipe|file|packed"},
    [BASE] = {"--base", "|same|other|three"},
    [EVENT] = {"--event", "|<first>|<second>|<first>,<second>|all|<formula>"},
    [GROUP] = {"--group", "|file|class|object|folder|line|run|thread|process|call"},
    [FUNCTION] = {"--function", "|<function>|*"},
    [LINES] = {"--lines", "|given"},
    [SOURCE] = {"--source", "|testdata/src"},
    [ESTIMATE] = {"--estimate", "|given"},
    [ONLY] = {"--only", "|<function>|*|file:*"},
    [HIDE] = {"--hide", "|<function>|file:*none*|*x*"},
    [TOP] = {"--top", "|1|3"},
    [MIN] = {"--min", "|0|1|12.5%|100"},
    [INCLUSIVE] = {"--inclusive", "|sum|outermost"},
    [IDENTITY] = {"--identity", "|name|file|object"},
    [RECORDS] = {"--records", "|invocations|sums"},
    [PROXY] = {"--proxy", "|<function>|*a*"},
    [PART] = {"--part", "|<part>"},
    [TID] = {"--tid", "|<tid>"},
    [PID] = {"--pid", "|<pid>"},
    [COMM] = {"--comm", "|<comm>"},
    [SUMMARY] = {"--summary", "|file|computed"},
    [SORT] = {"--sort", "|self|inclusive|calls|name|none|time"},
    [DEPTH] = {"--depth", "|1|3"},
    [DEMANGLE] = {"--demangle", "|always|never"},
    [NO_DEMANGLE] = {"--no-demangle", "|given"},
    [LINK] = {"--link", "|vscode://file/%f:%l"},
    [RAW] = {"--raw", "|given"},
    [ALL] = {"--all", "|given"},
    [STRICT] = {"--strict", "|given"},
    [FAIL_ABOVE] = {"--fail-above", "|0|5%"},
    [FAIL_FUNCTION] = {"--fail-function", "|*:0|*:5%"},
    [COLOR] = {"--color", "|auto|always|never"},
    [TITLE] = {"--title", "|a title"},
    [SCALE] = {"--scale", "|auto|none|7"},
    [FORMAT] = {"--format", "|4|5|6|7"},
    [INPUT] = {"--input", "|auto|callgrind|aprof|perf|perf-script|folded|preprocessed"},
    [THREADS] = {"--threads", "|1|3"},
    [QUIET] = {"--quiet", "|given"},
    [VERBOSE] = {"--verbose", "|given"},
    [STATS] = {"--stats", "|given"},
    [PROGRESS] = {"--progress", "|always|never"},
    [NO_PROGRESS] = {"--no-progress", "|given"},
    [OVERWRITE] = {"--overwrite", "|given"},
    [NAME] = {"--name", "|merged"},
    [FORCE] = {"--force", "|given"},
    [KALLSYMS] = {"--kallsyms", "|tests/combinations/inputs/kallsyms"},
    [SYMFS] = {"--symfs", "|<folder>/symfs"},
};

/* Ends the program at once, whatever else is given, or makes tables that are not read back. tests/cli has these. */
static const char not_here[] = " help version width ";

/*
 * What is refused, and a part of the message. A condition is NAME=VALUE|VALUE, NAME!=VALUE|VALUE, or names with commas
 * between them, of which any has not its first value. Values of `kind` are also the words of its nature.
 */
static const struct {
    const char *when, *says;
} rules[] = {
    {"--symfs,--kallsyms kind!=perf", ""},
    {"--part kind!=part", ""},
    {"--tid kind!=tid", ""},
    {"--pid kind!=pid", ""},
    {"--comm kind!=comm", ""},
    {"--input=callgrind kind!=callgrind", ""},
    {"--input=aprof kind!=aprof", ""},
    {"--input=perf kind!=perf", ""},
    {"--input=perf-script kind!=perf-script", ""},
    {"--input=folded kind!=folded", ANYTHING},
    {"--input=preprocessed kind!=preprocessed", ""},
    {"--sort=self|inclusive|calls|name|none --print!=table|json|plot|html|lines|csv|markdown", "--print"},
    {"--sort=time --print!=tree", "--print"},
    {"--sort=time --group", ""},
    {"--sort=time kind!=xdebug|chains|flat|perf|events", ""},
    {"--sort=time kind=version-4|version-5|version-6|version-7", ""},
    {"--sort=time inputs!=one", ANYTHING},
    {"--sort=time --event,--records,--proxy,--inclusive,--part,--tid,--pid,--comm", ANYTHING},
    {"--only,--hide --print!=table|json|plot|html|lines|csv|markdown|dot", "--print"},
    {"--top,--all --print!=table|json|plot|html|lines|csv|markdown|tree|dot", "--print"},
    {"--min,--color,--raw --print!=table|json|plot|html|lines|csv|markdown|tree|svg|dot", "--print"},
    {"--base --print!=table|json|html|lines|csv|markdown|dot|stacks|svg", "--print"},
    {"--function --print!=table|json|html|lines|csv|markdown", "--print"},
    {"--lines --print!=json|html|pprof", "--print"},
    {"--source --print!=table|html|lines", "--print"},
    {"--source --base --print=lines", "--source and --base need"},
    {"--source --function= --print=table", "--source needs --function"},
    {"--group --print!=table|json|html|csv|markdown|stacks|tree|svg|dot", "--print"},
    {"--group=call --print=stacks|tree|svg|dot", ANYTHING}, /* --print, or that --function is missing */
    {"--group=line|run|thread|process --print=stacks|tree|svg|dot", "--print"},
    {"--group=run|thread|process|call --base", "--base cannot be used with --group"},
    {"--group=call --function=", "--group=call needs --function"},
    {"--group=call kind!=xdebug", ANYTHING},
    {"--group=call kind=version-7", ANYTHING},
    {"--group=call --records=sums kind=callgrind --print!=html", "know no single calls"},
    {"--estimate --print!=stacks|pprof|tree|svg", "--print"},
    {"--depth --print!=tree|svg", "--print"},
    {"--link --print!=html", "--print"},
    {"--fail-above,--fail-function --base=", "--fail-"},
    {"--fail-above,--fail-function --print!=table|json|html|lines|csv|markdown|dot|stacks|svg", "--fail-"},
    {"--base --function", "--base cannot be used with --function"},
    {"--lines --base --print=json", "--lines cannot be used with --base"},
    {"--lines,--source --group --print=json|table", "cannot be used with --group"},
    {"--group --function=<function>", ANYTHING},
    {"--group --only=<function>", ANYTHING},
    {"--sort=none --print=html", "--sort=none cannot be used"},
    {"--name,--force --print!=storage", "need --storage"},
    {"--output=file|packed --print=storage|list-events", "--output cannot be used"},
    {"--output=packed --print=convert", "cannot compress a preprocessed file"},
    {"--print=list-events inputs!=one", "one input is taken here"},
    {"--print=storage way=pipe", "needs profiles with names"},
    {"--print=plot kind!=sizes", ""},
    {"--print=plot inputs!=one", "no costs by input size"},
    {"--event=<second>|<first>,<second> kind=single", "no event"},
    {"--event=<second>|<first>,<second>|<formula> kind=preprocessed", ANYTHING}, /* which is taken as it is */
    {"--event=<first>|<second>|<first>,<second>|<formula> kind=nameless", "no event"},
    {"--event=<formula> kind=units", ANYTHING}, /* the other run has the event by another name */
    {"--event=<first>,<second> --print!=table|json|html|csv|markdown|callgrind|list-events", ""},
    {"--event=all --print=stacks|pprof|lines|tree|svg|dot kind=many", "found several events"},
    {"--event=<first>,<second> --group=line --print!=html", ""},
    {"--event=all --group=line kind=many --print!=html", "found several events"},
    {"--event=all|<first>,<second> --group=run|thread|process|call --print!=html", "found several events"},
    {"--group=thread|process kind!=tid|pid|perf|perf-script", ANYTHING},
    {"--group=process kind=perf-script", ANYTHING},
    {"--group=run|thread|process --function", ANYTHING},
    {"--event=all --print=convert|storage", "no event all"},
    {"--event=all --print=list-events kind=preprocessed", "no event all"},
    {"--event=all --print!=convert|storage|list-events kind=most", "more than 32 events"},
    {"--print=callgrind --event= kind=most", "more than 32 events"},
    {"--print=convert|storage kind=version-4", "expected 5, 6 or 7"},
    {"--print=stacks|tree|svg --estimate= kind!=stacks", ""},
    {"--print=stacks|tree|svg --estimate= --records=sums kind=callgrind", ""},
};

enum { RULES = sizeof rules / sizeof rules[0], MOST_CONDITIONS = 6 };

/* The values for which a condition holds; one of several dimensions holds if any of them has one of its values. */
struct condition {
    uint64_t values[DIMENSIONS];
};

static struct condition conditions[RULES][MOST_CONDITIONS];
static size_t condition_counts[RULES];

const char *program, *folder;

/* ---- values ------------------------------------------------------------------------------- */

/* The place of a word among those between bars; SIZE_MAX: it is not among them. */
static size_t place_of(const char *words, const char *word)
{
    size_t place = 0, length = strlen(word);
    for (;; place++) {
        size_t of = strcspn(words, "|");
        if (of == length && memcmp(words, word, length) == 0)
            return place;
        if (words[of] == '\0')
            return SIZE_MAX;
        words += of + 1;
    }
}

size_t value_count(enum dimension d)
{
    size_t count = 1;
    for (const char *c = dimensions[d].values; d != KIND && *c != '\0'; c++)
        count += *c == '|';
    return d == KIND ? kind_count : count;
}

const char *value_name(enum dimension d, uint8_t value)
{
    const char *at = dimensions[d].values;
    for (; d != KIND && value > 0; value--)
        at = strchr(at, '|') + 1;
    return d == KIND ? kinds[value].name : keep_text("%.*s", (int)strcspn(at, "|"), at);
}

const char *dimension_name(enum dimension d)
{
    return dimensions[d].name;
}

bool value_is(const struct command *c, enum dimension d, const char *name)
{
    return strcmp(value_name(d, c->values[d]), name) == 0;
}

uint8_t value_called(enum dimension d, const char *name)
{
    for (uint8_t value = 0; value < value_count(d); value++)
        if (strcmp(value_name(d, value), name) == 0)
            return value;
    fprintf(stderr, "%s has no value %s\n", dimensions[d].name, name);
    exit(2);
}

const struct kind *kind_called(const char *name)
{
    return &kinds[value_called(KIND, name)];
}

const char *nature_of(const struct kind *kind, const char *word)
{
    for (const char *at = kind->nature; *at != '\0'; at += strcspn(at, " ") + (strchr(at, ' ') != NULL)) {
        size_t length = strcspn(at, " ="), value = length + (at[length] == '=');
        if (length == strlen(word) && memcmp(at, word, length) == 0)
            return keep_text("%.*s", (int)strcspn(at + value, " "), at + value);
    }
    return NULL;
}

bool has_nature(const struct command *c, const char *word)
{
    return nature_of(&kinds[c->values[KIND]], word) != NULL;
}

/* ---- rules -------------------------------------------------------------------------------- */

static enum dimension dimension_called(const char *name, size_t length)
{
    enum dimension d = 0;
    while (d < DIMENSIONS && (strlen(dimensions[d].name) != length || memcmp(dimensions[d].name, name, length) != 0))
        d++;
    if (d < DIMENSIONS)
        return d;
    fprintf(stderr, "there is no dimension %.*s\n", (int)length, name);
    exit(2);
}

static void parse_condition(struct condition *c, const char *text)
{
    size_t names = strcspn(text, "!=");
    bool is_other = text[names] == '!', has_values = text[names] != '\0';
    const char *values = text + names + is_other + has_values;
    for (const char *name = text; name < text + names; name += strcspn(name, ",!=") + 1) {
        enum dimension d = dimension_called(name, strcspn(name, ",!="));
        for (uint8_t value = 0; value < value_count(d); value++) {
            bool is_listed = has_values && place_of(values, value_name(d, value)) != SIZE_MAX;
            for (char *words = keep_text("%s", d == KIND ? kinds[value].nature : ""), *word = strtok(words, " =");
                 word != NULL; word = strtok(NULL, " ="))
                is_listed |= place_of(values, word) != SIZE_MAX;
            if (has_values ? is_listed != is_other : value > 0)
                c->values[d] |= UINT64_C(1) << value;
        }
    }
}

void commands_init(void)
{
    for (size_t i = 0; i < RULES; i++) {
        const char *at = rules[i].when;
        while (*at != '\0') {
            size_t length = strcspn(at, " ");
            parse_condition(&conditions[i][condition_counts[i]++], keep_text("%.*s", (int)length, at));
            at += length + (at[length] != '\0');
        }
    }
}

static bool holds(const struct condition *condition, const struct command *c, const bool *known)
{
    for (enum dimension d = 0; d < DIMENSIONS; d++)
        if (known[d] && (condition->values[d] >> c->values[d] & 1) != 0)
            return true;
    return false;
}

/* Are there inputs of the other kind? */
static bool has_other(const struct command *c, const bool *known)
{
    return known[KIND] && ((known[COUNT] && !value_is(c, COUNT, "one") && !value_is(c, COUNT, "same")) ||
                           (known[BASE] && (value_is(c, BASE, "other") || value_is(c, BASE, "three"))));
}

/* An event that is chosen must be one of all inputs; of `all`, one must be. */
static bool has_events(const struct command *c)
{
    const struct known *kind = &known_of[c->values[KIND]],
                       *other = &known_of[kind_called(kinds[c->values[KIND]].other) - kinds];
    bool are_all = value_is(c, EVENT, "all");
    size_t first = value_is(c, EVENT, "<second>") ? 1 : 0, common = 0,
           end = are_all ? kind->event_count : value_is(c, EVENT, "<first>,<second>") ? 2 : first + 1;
    for (size_t i = first; i < end && c->values[EVENT] > 0; i++) {
        size_t k = 0;
        while (k < other->event_count && strcmp(other->events[k], i < kind->event_count ? kind->events[i] : "") != 0)
            k++;
        common += k < other->event_count;
    }
    return c->values[EVENT] == 0 || end == first || (are_all ? common > 0 : common == end - first);
}

static size_t rule_of(const struct command *c, const bool *known)
{
    for (size_t i = 0; i < RULES; i++) {
        size_t k = 0;
        while (k < condition_counts[i] && holds(&conditions[i][k], c, known))
            k++;
        if (k == condition_counts[i])
            return i;
    }
    return SIZE_MAX;
}

const char *refusal(const struct command *c, const bool *known)
{
    size_t rule = rule_of(c, known);
    if (rule == SIZE_MAX && has_other(c, known)) {
        struct command other = *c;
        other.values[KIND] = value_called(KIND, kinds[c->values[KIND]].other);
        rule = rule_of(&other, known);
        if (rule == SIZE_MAX && known[EVENT] && !has_events(c))
            return has_nature(c, "preprocessed") || has_nature(&other, "preprocessed") ? ANYTHING : "no event";
    }
    return rule == SIZE_MAX ? NULL : rules[rule].says;
}

bool is_refused_everywhere(const struct command *given, const bool *known)
{
    static const enum dimension others[] = {KIND, PRINT, BASE};
    struct command c = *given;
    bool all[DIMENSIONS];
    size_t count = 1, counts[3];
    memcpy(all, known, sizeof all);
    for (size_t i = 0; i < 3; i++) {
        counts[i] = known[others[i]] ? 1 : value_count(others[i]);
        count *= counts[i];
        all[others[i]] = true;
    }
    for (size_t number = 0; number < count; number++) {
        for (size_t i = 0, rest = number; i < 3; rest /= counts[i++])
            c.values[others[i]] = (uint8_t)(known[others[i]] ? given->values[others[i]] : rest % counts[i]);
        if (refusal(&c, all) == NULL)
            return false;
    }
    return true;
}

bool repair(struct command *c, const bool *kept)
{
    bool all[DIMENSIONS];
    memset(all, true, sizeof all);
    while (refusal(c, all) != NULL) {
        size_t rule = rule_of(c, all);
        enum dimension d = rule != SIZE_MAX ? DIMENSIONS : EVENT; /* which is not one of the other kind */
        if (rule == SIZE_MAX && (!kept[COUNT] || !kept[BASE]))
            d = kept[COUNT] || c->values[COUNT] == 0 ? BASE : COUNT;
        for (enum dimension e = KIND + 1; e < DIMENSIONS && rule != SIZE_MAX; e++)
            for (size_t k = 0; k < condition_counts[rule] && !kept[e]; k++)
                if ((conditions[rule][k].values[e] >> c->values[e] & 1) != 0 &&
                    (conditions[rule][k].values[e] & 1) == 0)
                    d = e;
        if (d == DIMENSIONS || c->values[d] == 0)
            return false;
        c->values[d] = 0;
    }
    return true;
}

const char *options_missing(void)
{
    const char *missing = "";
    struct result list = run_words((char *[]){(char *)program, "--list-options", NULL}, NULL);
    for (char *line = strtok(list.out, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char name[64], choices[256];
        if (sscanf(line, "%*c\t%63[^\t]\t%255[^\t]", name, choices) != 2 ||
            strstr(not_here, keep_text(" %s ", name)) != NULL)
            continue;
        enum dimension d = 0;
        while (d < DIMENSIONS && strcmp(dimensions[d].name, keep_text("--%s", name)) != 0)
            d++;
        bool is_action = place_of(dimensions[PRINT].values, name) != SIZE_MAX;
        if (d == DIMENSIONS && !is_action)
            missing = keep_text("%s --%s", missing, name);
        for (char *at = choices + (*choices == '='); d < DIMENSIONS && strchr(choices, '|') != NULL && at != NULL;) {
            char *choice = keep_text("%.*s", (int)strcspn(at, "|"), at);
            if (strcmp(choice, "N") != 0 && place_of(dimensions[d].values, choice) == SIZE_MAX)
                missing = keep_text("%s --%s=%s", missing, name, choice);
            at = strchr(at, '|') != NULL ? strchr(at, '|') + 1 : NULL;
        }
    }
    return missing;
}

/* ---- runs --------------------------------------------------------------------------------- */

static char *take_all(int descriptor, size_t *length)
{
    const size_t most = 1 << 28; /* a program that writes without end gets SIGPIPE */
    size_t room = 1 << 16, used = 0;
    char *text = malloc(room + 1);
    for (ssize_t got; text != NULL && used < most && (got = read(descriptor, text + used, room - used)) > 0;) {
        used += (size_t)got;
        if (used == room)
            text = realloc(text, (room *= 2) + 1);
    }
    close(descriptor);
    char *kept = keep(used + 1);
    memcpy(kept, text, used);
    free(text);
    *length = used;
    return kept;
}

/* In the child: takes the program's place. */
static _Noreturn void become(char **words, int input, int output)
{
    enum { SECONDS = 30, LEAKS = 8 }; /* which take a third of the time to look for: by every eighth program */
    if (run_count % LEAKS > 0)
        setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=0", 1);
    int messages = open(keep_text("%s/messages", folder), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    for (int i = STDERR_FILENO + 1; i < 16; i++)
        close(i);
    alarm(SECONDS);
    execv(words[0], words);
    _exit(127);
}

struct result run_words(char **words, const char *standard_input)
{
    struct result result = {.status = 0};
    int out[2], in[2] = {-1, -1}, status;
    size_t length;
    if (pipe(out) != 0 || (standard_input != NULL && pipe(in) != 0))
        abort();
    int input = standard_input != NULL ? in[0] : open("/dev/null", O_RDONLY);
    pid_t child = fork(), feeder = -1;
    if (child == 0)
        become(words, input, out[1]);
    if (standard_input != NULL && (feeder = fork()) == 0) { /* which ends when nobody reads any more */
        close(in[0]);
        dup2(in[1], STDOUT_FILENO);
        execlp("cat", "cat", standard_input, (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    close(input);
    if (standard_input != NULL)
        close(in[1]);
    result.out = take_all(out[0], &result.length);
    if (child < 0 || waitpid(child, &status, 0) != child || (feeder > 0 && waitpid(feeder, NULL, 0) != feeder))
        abort();
    result.status = WIFEXITED(status)             ? WEXITSTATUS(status)
                    : WTERMSIG(status) == SIGALRM ? TIMED_OUT
                                                  : 128 + WTERMSIG(status);
    result.messages = take_all(open(keep_text("%s/messages", folder), O_RDONLY), &length);
    run_count++;
    return result;
}

/* ---- commands ----------------------------------------------------------------------------- */

enum { MOST_WORDS = DIMENSIONS + 32 };

struct words {
    char *all[MOST_WORDS];
    size_t count;
    const char *standard_input, *output; /* a file that is written; NULL: standard output */
};

static const char *ending_of(const struct command *c)
{
    static const struct {
        const char *style, *ending;
    } endings[] = {
        {"table", "txt"}, {"json", "json"}, {"stacks", "folded"}, {"html", "html"},           {"pprof", "pb"},
        {"svg", "svg"},   {"csv", "csv"},   {"markdown", "md"},   {"callgrind", "callgrind"}, {"dot", "dot"}};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (value_is(c, PRINT, endings[i].style))
            return endings[i].ending;
    return NULL;
}

/* What stands for a value that is in angle brackets. */
static char *argument_of(const struct command *c, enum dimension d)
{
    const struct kind *kind = &kinds[c->values[KIND]];
    const struct known *of = &known_of[c->values[KIND]];
    const char *value = value_name(d, c->values[d]), *first = of->event_count > 0 ? of->events[0] : "Cost";
    const char *second = of->event_count > 1 ? of->events[1] : "nothing";
    const struct {
        const char *name, *text;
    } known[] = {{"<first>", first},
                 {"<second>", second},
                 {"<first>,<second>", keep_text("%s,%s", first, second)},
                 {"<formula>", keep_text("X = %s + 2 %s", first, first)},
                 {"<function>", of->function},
                 {"<part>", nature_of(kind, "part")},
                 {"<tid>", nature_of(kind, "tid")},
                 {"<pid>", nature_of(kind, "pid")},
                 {"<comm>", nature_of(kind, "comm")},
                 {"<folder>/symfs", keep_text("%s/symfs", folder)}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, value) == 0)
            return keep_text("%s", known[i].text != NULL ? known[i].text : "1");
    return keep_text("%s", value);
}

static const char *input_of(const struct command *c, bool is_other, size_t number)
{
    const struct kind *kind = &kinds[c->values[KIND]];
    kind = is_other ? kind_called(kind->other) : kind;
    const struct known *of = &known_of[kind - kinds];
    return of->paths[(c->first + number) % of->path_count];
}

static void add_words(struct words *w, const struct command *c)
{
    static const char *const styles[] = {"convert", "storage", "list-events"};
    const char *ending = ending_of(c);
    bool is_style = true, is_file = !value_is(c, OUTPUT, "pipe");
    for (size_t i = 0; i < 3; i++)
        is_style &= !value_is(c, PRINT, styles[i]);
    w->all[w->count++] = (char *)program;
    if (value_is(c, PRINT, "list-events"))
        w->all[w->count++] = "--list-events";
    if (value_is(c, PRINT, "storage"))
        w->all[w->count++] = keep_text("--storage=%s/storage", folder);
    if (is_style && (!is_file || ending == NULL || c->values[FORMAT] > 0))
        w->all[w->count++] = keep_text("--print=%s", value_name(PRINT, c->values[PRINT]));
    if (is_file)
        w->output = keep_text("%s/out.%s%s", folder, ending != NULL ? ending : "other",
                              value_is(c, OUTPUT, "packed") ? ".gz" : "");
    if (has_nature(c, "recorded") && c->values[SYMFS] == 0) /* so that nothing of this machine is read */
        w->all[w->count++] = keep_text("--symfs=%s/symfs", folder);
    if (is_file || value_is(c, PRINT, "convert"))
        w->all[w->count++] = keep_text("-o%s", is_file ? w->output : "-");
    for (enum dimension d = EVENT; d < DIMENSIONS; d++)
        if (c->values[d] > 0)
            w->all[w->count++] = value_is(c, d, "given") ? keep_text("%s", dimensions[d].name)
                                                         : keep_text("%s=%s", dimensions[d].name, argument_of(c, d));
    for (size_t i = 0; i < 3 && c->values[BASE] > 0; i++)
        if (i == 0 || value_is(c, BASE, "three"))
            w->all[w->count++] = keep_text("--base=%s", input_of(c, value_is(c, BASE, "other") || i == 2, i));
}

static struct words words_of(const struct command *c)
{
    struct words w = {.count = 0};
    size_t count = value_is(c, COUNT, "one") ? 1 : value_is(c, COUNT, "five") ? 5 : 2;
    add_words(&w, c);
    for (size_t i = 0; i < count; i++) {
        bool is_other = (value_is(c, COUNT, "other") && i == 1) || (value_is(c, COUNT, "swapped") && i == 0) || i > 2;
        const char *path = input_of(c, is_other, value_is(c, COUNT, "five") || value_is(c, COUNT, "same") ? i : 0),
                   *name = strrchr(path, '/') + 1;
        if (i == 0 && value_is(c, WAY, "gzip"))
            path = keep_text("%s/%s.gz", folder, name);
        if (i == 0 && value_is(c, WAY, "pipe"))
            w.standard_input = path;
        w.all[w.count++] = keep_text("%s", i == 0 && w.standard_input != NULL ? "-" : path);
    }
    return w;
}

struct result run(const struct command *c)
{
    struct words w = words_of(c);
    if (w.output != NULL)
        remove(w.output);
    char *storage = keep_text("%s/storage", folder);
    if (value_is(c, PRINT, "storage") && system(keep_text("rm -rf '%s' && mkdir '%s'", storage, storage)) != 0)
        exit(2);
    struct result result = run_words(w.all, w.standard_input);
    if (w.output != NULL && (result.status == 0 || result.status == 3)) {
        if (result.length > 0)
            finding("a file is the output, but this is printed, too", result.out, command_text(c), NULL);
        char *unpacked = keep_text("%s/unpacked", folder);
        bool is_packed = value_is(c, OUTPUT, "packed");
        if (is_packed && system(keep_text("gzip -dc '%s' >'%s'", w.output, unpacked)) != 0)
            finding("the output is not compressed", command_text(c), NULL);
        int descriptor = open(is_packed ? unpacked : w.output, O_RDONLY);
        if (descriptor >= 0)
            result.out = take_all(descriptor, &result.length);
        else
            finding("there is no output", command_text(c), NULL);
    }
    return result;
}

char *command_text(const struct command *c)
{
    struct words w = words_of(c);
    char *text = w.standard_input != NULL ? keep_text("cat '%s' | %s", w.standard_input, program)
                                          : keep_text("%s", program);
    for (size_t i = 1; i < w.count; i++) {
        bool is_plain = strspn(w.all[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:%+") ==
                        strlen(w.all[i]);
        text = keep_text("%s %s", text, is_plain ? w.all[i] : "'");
        for (const char *p = w.all[i]; !is_plain && *p != '\0'; p++)
            text = keep_text(*p == '\'' ? "%s'\\''" : "%s%c", text, *p);
        text = is_plain ? text : keep_text("%s'", text);
    }
    return text;
}

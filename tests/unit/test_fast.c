/* SPDX-License-Identifier: MIT */
/*
 * Usual lines, which are read in place, and records of Xdebug, which are added up block by block, mean what they mean
 * to the general code, which reads lines if they are indented: the output and the messages are the same for any input,
 * any ends of blocks, and any number of threads. (docs/design.md describes sums.)
 */
#include "generator.h"
#include "indent.h"
#include "support.h"

#include "read/callgrind/reader.h"

static uint64_t added_up; /* groups */

/* Processors without sums do not call it. */
__attribute__((unused)) static void count_groups(struct lines *lines, const char *end, uint64_t count)
{
    added_up += count / 4; /* a group has four lines */
    lines_skip(lines, end, count);
}

#define lines_skip count_groups
#include "read/callgrind/sums.c" /* instead of the library's */

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t few_blocks[] = {200, 777, 2500, 0};
static const size_t thread_blocks[] = {1500, 0};
static const size_t one_block[] = {0};

static uint64_t random_state;

static uint32_t below(uint32_t limit)
{
    return random_below(&random_state, limit);
}

/* ---- random profiles ----------------------------------------------------------------------- */

static const char *const odd_lines[] = {
    "# a comment\n", "\n", "rubbish\n", "  3 4\n", "+2 9\n", "1 2 3 7 7 7 7\n", "fl=(3) /other.php\n", "fn=(4) f4\n",
    "fn=(2) another\n", "fn=(99)\n", "jfi=(38)\n", "jump=3 -2 * \n", "jcnd=1/2 +25 +27 \n* \n", "rcalls=1 2\n3 4\n",
    "calls=1 0 0\n3 4\n", "calls=2 0\n0x4 5 6\n", "cfn=(2)\ncalls=2 0 0\n* 8\n", "cfn=(1)\ncalls=1 0 0\n",
    "cfl=(2)\ncfn=(99)\ncalls=1 0 0\n4 4\n", "cfn=(1)\ncalls=1 0 0\npart: 3\ncfl=(1)\n",
    "cfn=(1)\ncalls=1 0 0\n\n==== NEW PROFILING FILE ====\ncfl=(1)\ncfn=(1)\n", "cfn=(1)\ncalls=1 0 0\ncfn=(1)\n",
    "cfn=(1)\ncalls=1 0 0\nfn=(1)\n", "cfn=(1)\ncalls=1 0 0\n\nfi=(1)\n", "cfn=(1)\ncalls=1 0 0\n\njump=1\n",
    "cfl=(1)\r\ncfn=(1)\ncalls=1 0 0\n5 6\n", "cfl=(1)\ncfn=(1)\ncalls=2\n123456789 7\n",
    "cfl=(1)\ncfn=(1)\ncalls=123456789 0 0\n12345678 7\n", "\nfl=\nfn=f1\n12345678 7\n",
    "\nfl=(1)\nfn=f1\n123456789 0000000000000007\n", "\nfl=/f1.php\nfn=f1\n+1 7\r\n", "totals: 5\n", "part: 2\n",
    "events: Ir Dr\n", "positions: line\n", "positions: instr line\n", "event: Ir : x\n", "version: 1\n", "desc: x\n",
    "fi=???\n0 5\n3 7\n", "cfi=???\n",
};

/* %s is what follows the cost that is wanted, or precedes it. */
static const char *const odd_groups[] = {
    "\nfl=(1)\nfn=(1)\n2 5 1234567890123456789\n", "\nfl=(1)\nfn=(1)\n2 12345678901234567890%s\n",
    "\nfl=(1)\nfn=(1)\n2 5%s 8\n", "\nfl=(1)\nfn=(1)\n2 5%sx\n", "\nfl=(1)\nfn=(1)\n2 5x%s\n",
    "\nfl=(1)\nfn=(1)\n2\n", "\nfl=(1)\nfn=(1)\n2 123456789%s\n", "\nfl=(1)\nfn=(1)\n2 5 123456789\n",
    "\nfl=(1)\nfn=(1)\n123456789 5%s\n", "\nfl=(1)\nfn=(1)\n5000000000 5%s\n", "\nfl=(1)\nfn=(1)\n+2 5%s\n",
    "\nfl=(1)\nfn=(1)\n-2 5%s\n", "\nfl=(1)\nfn=(1)\n* 5%s\n", "\nfl=(1)\nfn=(1)\n2 5%s\n+3 9%s\n",
    "\nfl=(1) \nfn=f3\n2 5%s\n", "\nfl= (1)\nfn=f3\n2 5%s\n", "\nfl=(1)\nfn= f1\n2 5%s\n",
    "\nfl=(1)\r\nfn=f3\n2 5%s\n", "\nfl=\nfn=f1\n2 5%s\n", "\nfl=(1)\nfn=\n2 5%s\n",
    "\nfl=(3) /c.php\nfn=(1)\n2 5%s\n", "\nfl=(1)\nfn=(3) f3\n2 5%s\n", "\nfl=(1)x\nfn=f3\n2 5%s\n",
    "\nfl=(3)\nfn=(1)\n2 5%s\n", "\nfl=(1)\nfn=(3)\n2 5%s\n", "\nfl=(1)\nfn=(2)\n3 8%s\n",
    "\nfl=(1) /c.php\nfn=(1)\n2 5%s\n", "\nfl=(1)\nfn=(1) f3\n2 5%s\n", "\nfl=(1)\nfn=(1234567) f3\n2 5%s\n",
    "\nfl=(1)\nfn=(1)\n2 5%s\nfi=(2)\n3 4%s\n", "\nfx=(1)\nfn=(1)\n2 5%s\n", "\nfl=(1)\nfx=(1)\n2 5%s\n",
    "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n2 5%s\n", "cfl=(2)\ncfn=(2)\ncalls=1 0 0\n4 6%s\n",
    "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n5 6%s\n", "cfl=(1)\ncfn=(2)\ncalls=2 0 0\n4 6%s\n",
    "cfl=(1)\ncfn=(2)\ncalls=12 0 0\n4 6%s\n", "cfl=(1)\ncfn=(2)\ncalls=1 0\n4 6%s\n",
    "cfl=(1)\ncfn=(3)\ncalls=1 0 0\n4 6%s\n", "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n+1 6%s\n",
    "cfi=(1)\ncfn=(2)\ncalls=1 0 0\n4 6%s\n", "cfl=(1)\ncfx=(2)\ncalls=1 0 0\n4 6%s\n",
    "ob=o\n", "ob=o\n\nfl=(1)\nfn=(3) f3\n2 5%s\n", "part: 2\n", "events: Memory Time\n",
    "positions: instr line\n", "positions: instr\n",
    "\nfl=(1)\nfn=(2)\n3 8%s\ncfl=(1)\ncfn=(2)\ncalls=1 0 0\n4 6%s\n", "\n+1 3%s\n", "cob=o\n",
    "calls=1 0 0\n9 6%s\n", "\nfl=/b.php\r\nfn=f3\n2 5%s\n", "\nfl=/b.php\nfn=f3\r\n2 5%s\n",
};

static const char *const odd_numbers[] = {
    "", "0", "*", "+", "-", "+-1", "-5", "x", "1x", "0x1f", ".", "12345678", "123456789", "4294967296",
    "12345678901234",
    "123456789012345", "1234567890123456", "99999999999999999", "9223372036854775807", "18446744073709551615",
    "99999999999999999999", "00000000000000000000000000000000000012",
};

/* A generated profile with unusual lines and numbers among its own, one in `one_in`; 0: none. */
static char *make_profile(uint64_t seed, uint32_t one_in, size_t *length)
{
    static struct generated g;
    char *text = NULL;
    bool in_number = false;
    FILE *out = open_memstream(&text, length);
    random_state = seed * 2 + 1;
    generate(&g, seed);
    for (const char *c = g.text; c < g.text + g.size; c++) {
        bool is_digit = *c >= '0' && *c <= '9', is_unusual = one_in > 0 && below(one_in) == 0;
        if (is_digit && !in_number && is_unusual) {
            fputs(odd_numbers[below(sizeof odd_numbers / sizeof odd_numbers[0])], out);
            c += strspn(c, "0123456789") - 1;
        } else {
            fputc(*c, out);
        }
        if (*c == '\n' && is_unusual)
            fputs(odd_lines[below(sizeof odd_lines / sizeof odd_lines[0])], out);
        in_number = is_digit;
    }
    fclose(out);
    generated_free(&g);
    return text;
}

static void random_profiles_come_out_the_same(void **state)
{
    static const uint32_t one_in[] = {0, 30, 300};
    static const char *const events[] = {NULL, "Memory_(bytes)", "X = 2 Time_(10ns) - 3 Memory_(bytes)", "I + 2 D"};
    uint64_t in_place = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        size_t length;
        char what[32], *profile = make_profile(seed, one_in[seed % 3], &length);
        struct cg2wg_options options = default_options();
        snprintf(what, sizeof what, "seed %" PRIu64, seed);
        in_place += compare_with_general(what, profile, length, &options, few_blocks);
        options.identity = seed % 2 == 0 ? CG2WG_IDENTITY_NAME : CG2WG_IDENTITY_FILE;
        options.event = events[seed % (sizeof events / sizeof events[0])];
        options.strict = true;
        compare_with_general(what, profile, length, &options, thread_blocks);
        options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
        options.format = 4;
        options.strict = false;
        compare_with_general(what, profile, length, &options, thread_blocks);
        for (size_t block = 1 + (size_t)seed; seed % 20 == 0 && block < 1600; block += 17)
            compare_with_general("one block size", profile, length, NULL, (size_t[]){block, 0});
        for (size_t cut = length % 7; seed % 20 == 1 && cut < length; cut += length / 150 + 1)
            compare_with_general("cut", profile, cut, NULL, one_block);
        free(profile);
    }
    assert_true(in_place > 15000);
}

static void damaged_profiles_come_out_the_same(void **state)
{
    static const char bytes[] = "\n()0 9c=f-:#+*xj\r";
    for (uint64_t seed = 1000; seed < 1030; seed++) {
        size_t length;
        char *profile = make_profile(seed, 0, &length);
        compare_damaged(profile, length, bytes, &random_state, thread_blocks);
        free(profile);
    }
}

/* ---- lists of events ------------------------------------------------------------------------ */

static void compare_lists(const char *profile, size_t length)
{
    size_t indented_length = length;
    struct cg2wg_options options = default_options();
    char *indented = indent_lines(profile, &indented_length);
    struct conversion_result general = list_events(indented, indented_length, &options);
    struct conversion_result quick = list_events(profile, length, &options);
    assert_int_equal(general.status, CG2WG_OK);
    assert_int_equal(quick.status, CG2WG_OK);
    assert_string_equal(general.dump, quick.dump);
    assert_string_equal(general.messages, quick.messages);
    conversion_free(&general);
    conversion_free(&quick);
    free(indented);
}

/* ---- profiles of fragments ------------------------------------------------------------------ */

/*
 * Lines by chance, most of them such as are read in place or added up, with others among them that these ways must
 * leave to the general code, or that change what lines mean: a part with other columns, an alias that is defined anew.
 */
static const struct head {
    const char *text;
    unsigned positions, costs;
    const char *events[4];
} heads[] = {
    {"creator: xdebug 3.2.0\nevents: Time\n\n", 1, 1, {NULL}},
    {"creator: xdebug 3.2.0\nevents: Time Memory\n\n", 1, 2, {NULL, "Memory", "Time", "X = 2 Time - 2 Memory"}},
    {"version: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir\n\n", 1, 1, {NULL}},
    {"version: 1\ncreator: callgrind-3.19.0\npositions: instr line\nevents: Ir Dr Bm\n\n", 2, 3, {NULL, "Dr", "Bm"}},
    {"creator: other\nevents: Ir Dr\n\n", 1, 2, {NULL, "Dr", "X = Dr - 3 Ir", "X = Ir + 10 Dr"}},
    {"positions: instr bb line\nevents: Ir\n\n", 3, 1, {NULL}},
    {"events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\n\n", 1, 13, {NULL, NULL, "Bim", "Ir + Dw"}},
};

#define PICK(list) (list)[below(sizeof(list) / sizeof *(list))]

/* In some profiles, what is odd is rarer, so that much of them is added up. */
static uint32_t rarity;

static bool is_odd(uint32_t one_in)
{
    return below(one_in * rarity) == 0;
}

static void put_position(FILE *out)
{
    static const char *const odd[] = {"*", "+-1", "0x1f", "010", "4294967295", "0xffffffffffffffff", "0x", "-7", "007"};
    if (is_odd(12))
        fputs(PICK(odd), out);
    else
        fprintf(out, "%s%u", !is_odd(2) ? "" : below(4) == 0 ? "-" : "+", below(9));
}

/* Few values, so that lines are equal, or one of any form; as memory, they are negative, too. */
static void put_cost(FILE *out, bool may_be_negative)
{
    if (is_odd(25))
        fputs(PICK(odd_numbers), out);
    else
        fprintf(out, "%s%u", may_be_negative && below(4) == 0 ? "-" : "", 1 + below(3) * below(3) * 7);
}

static void put_cost_line(FILE *out, const struct head *head)
{
    static const char *const tails[] = {" ", "  ", "\r", " # c", "x", ".5", "\t1", " -", " 3/4"};
    unsigned costs = is_odd(8) ? below(head->costs + 2) : head->costs;
    for (unsigned i = 0; i < head->positions; i++, fputs(i < head->positions ? " " : "", out))
        put_position(out);
    for (unsigned i = 0; i < costs; i++) {
        fputs(is_odd(40) ? "  " : " ", out);
        put_cost(out, i > 0);
    }
    fprintf(out, "%s\n", is_odd(25) ? PICK(tails) : "");
}

/* A name, by its alias, in full, or both. */
static void put_name(FILE *out, const char *key, char letter)
{
    static const char *const odd[] = {"", "(99)", "(002)", "( 2)", "(2) ", "(1000000000) h", "(x)", "(", "(3) (4)", " (1)"};
    unsigned number = 1 + below(3);
    fprintf(out, "%s=", key);
    if (is_odd(16))
        fprintf(out, "%s\n", PICK(odd));
    else if (!is_odd(4))
        fprintf(out, "(%u)\n", number);
    else if (below(2) == 0)
        fprintf(out, "(%u) %c%u\n", number, letter, number);
    else
        fprintf(out, "%c%u\n", letter, number);
}

static void put_call(FILE *out, const struct head *head)
{
    static const char *const calls[] = {"2 0", "0 +3 -4", "1", "x", "1 0 0 ", "-5 0"};
    if (is_odd(10))
        put_name(out, "cob", 'o');
    if (!is_odd(8))
        put_name(out, is_odd(4) ? "cfi" : "cfl", 'a');
    if (!is_odd(12))
        put_name(out, "cfn", 'f');
    fprintf(out, "%s=%s\n", is_odd(30) ? "rcalls" : "calls", is_odd(3) ? PICK(calls) : "1 0 0");
    if (!is_odd(30))
        put_cost_line(out, head);
}

/* A line, or a few, that may stand between others. */
static void put_odd(FILE *out, const struct head *head)
{
    static const char *const keys[] = {"fi", "fe", "fl", "ob", "fn", "cfn", "jfi", "jfn"};
    static const char *const jumps[] = {"jump=3 20\n", "jcnd=1/2 +7\n", "jump=1 * *\n"};
    switch (below(4)) {
    case 0: put_name(out, PICK(keys), 'a'); break;
    case 1: fputs(PICK(jumps), out); put_position(out); fputs(below(2) == 0 ? "\n" : " 5\n", out); break;
    case 2: put_call(out, head); break;
    default: fputs(PICK(odd_lines), out);
    }
}

/* A record, with one of four functions; as Xdebug writes it, or with other lines in it. */
static void put_record(FILE *out, const struct head *head)
{
    bool are_equal = below(2) == 0;
    put_name(out, "\nfl", 'a');
    put_name(out, "fn", 'f');
    uint64_t start = random_state;
    for (uint32_t lines = is_odd(6) ? below(30) : 1; lines > 0; lines--) {
        random_state = are_equal ? start : random_state;
        put_cost_line(out, head);
    }
    for (uint32_t calls = below(3); calls > 0; calls--)
        put_call(out, head);
    if (is_odd(12))
        put_odd(out, head);
}

/* Of the records, some come again and again, as they do in sums. It may end anywhere. */
static char *make_fragments(const struct head *head, size_t *length)
{
    enum { KEPT = 4 };
    char *text = NULL, *kept[KEPT] = {NULL};
    uint32_t one_is_new = 1 + below(20);
    rarity = below(2) == 0 ? 1 : 100;
    FILE *out = open_memstream(&text, length);
    fprintf(out, "%sfl=(1) a\nfn=(1) f\n%.*s 1\n", head->text, (int)(2 * head->positions - 1), "3 3 3");
    for (uint32_t records = 20 + below(80); records > 0; records--) {
        char **record = &kept[below(KEPT)];
        if (*record == NULL || below(one_is_new) == 0) {
            size_t size;
            free(*record);
            FILE *kept_record = open_memstream(record, &size);
            put_record(kept_record, head);
            fclose(kept_record);
        }
        fputs(*record, out);
        if (is_odd(40))
            put_odd(out, head);
    }
    fclose(out);
    for (size_t i = 0; i < KEPT; i++)
        free(kept[i]);
    *length -= below(3) == 0 ? below(60) : 0;
    return text;
}

static void fragments_mean_the_same(void **state)
{
    enum { PROFILES = 700 };
    static const uint64_t scales[] = {1, 1, 10000000000, 2200000000};
    uint64_t in_place = 0;
    for (random_state = 1; random_state <= PROFILES;) {
        uint64_t seed = random_state++, kept = random_state;
        random_state = seed * 7919;
        const struct head *head = &PICK(heads);
        struct cg2wg_options options = options_for(PICK(head->events));
        size_t length, block = 20 + below(2000);
        char what[32], *profile = make_fragments(head, &length);
        snprintf(what, sizeof what, "fragments %" PRIu64, seed);
        options.scale = PICK(scales);
        options.strict = below(10) == 0;
        options.identity = below(8) == 0 ? CG2WG_IDENTITY_FILE : CG2WG_IDENTITY_AUTO;
        options.inclusive = below(3) == 0 ? CG2WG_INCLUSIVE_OUTERMOST : CG2WG_INCLUSIVE_AUTO;
        options.format = below(6) == 0 ? 4 : 7;
        in_place += compare_with_general(what, profile, length, &options, (size_t[]){block, 4000, 0});
        free(profile);
        random_state = kept;
    }
    assert_true(in_place > 30000);
}

/* Where a part begins, whether the last record is whole, and sums of equal lines that leave 64 bits */
static void few_lines_mean_the_same(void **state)
{
#define XDEBUG "creator: xdebug 3.2.0\nevents: Time\n"
#define RECORD "\nfl=(1) a\nfn=(1) f\n1 1\n"
#define CALL "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 4\n"
#define EQUAL "positions: instr line\nevents: Ir\n" RECORD "0x1 3 30\n+1 3 30\n+1 3 30\n"
    static const char *const texts[] = {
        XDEBUG RECORD RECORD RECORD, XDEBUG RECORD RECORD RECORD "\n", XDEBUG RECORD RECORD RECORD "\n" CALL,
        XDEBUG RECORD RECORD RECORD "\n3 4\n", XDEBUG RECORD "\ncob=(1)\n" RECORD RECORD RECORD,
        XDEBUG RECORD "\npart: 2\n" RECORD RECORD, XDEBUG RECORD "\npart: 2\n" RECORD RECORD RECORD,
        XDEBUG RECORD "\npart: 2\n" RECORD "fi=b\nfn=g\n3 4\n\n",
        XDEBUG RECORD RECORD RECORD "\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n", /* more than are valid */
        "creator: callgrind-3\nevents: Ir\n" RECORD "fn=g\nfi=???\n0 5\n3 7\n",
    };
    static const char *const events[] = {NULL, "X = 200000000000000000 Ir", "X = -200000000000000000 Ir"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compare_with_general(texts[i], texts[i], strlen(texts[i]), NULL, few_blocks);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        struct cg2wg_options options = options_for(events[i]);
        compare_with_general(events[i], EQUAL, strlen(EQUAL), &options, few_blocks);
    }
}

/* ---- lines in other forms ------------------------------------------------------------------- */

static size_t count_newlines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

enum written_form { INDENTED, BLANK_AFTER, RETURN_AFTER, COMMENT_BEFORE, LINE_FORMS };

/* A header line is kept as it was written, so it gets no blank. */
static void put_line(FILE *out, const char *line, size_t length, enum written_form form)
{
    bool ends_otherwise = form == RETURN_AFTER || (form == BLANK_AFTER && memchr(line, ':', length) == NULL);
    bool is_usual = length > 0 && line[length - 1] == '\n' && (length < 2 || line[length - 2] != '\r');
    size_t text = ends_otherwise && is_usual ? length - 1 : length;
    if (form == COMMENT_BEFORE)
        fputs("# a comment\n", out);
    if (form == INDENTED && may_be_indented(line, length))
        fputc(' ', out);
    fwrite(line, 1, text, out);
    if (text < length)
        fputs(form == BLANK_AFTER ? " \n" : "\r\n", out);
}

/* Writes each line whose number modulo `every` is `first` in another form. */
static char *rewrite(const char *profile, size_t length, size_t every, size_t first, enum written_form form,
                     size_t *new_length)
{
    const char *end = profile + length;
    char *rewritten = NULL;
    size_t number = 0;
    FILE *out = open_memstream(&rewritten, new_length);
    if (length > 3 && memcmp(profile, "\xef\xbb\xbf", 3) == 0)
        profile += fwrite(profile, 1, 3, out);
    for (const char *next; profile < end; profile = next, number++) {
        const char *newline = memchr(profile, '\n', (size_t)(end - profile));
        next = newline != NULL ? newline + 1 : end;
        put_line(out, profile, (size_t)(next - profile), number % every == first ? form : LINE_FORMS);
    }
    fclose(out);
    return rewritten;
}

/* The same figures, with as many messages. Their line numbers and quoted lines may differ. */
static void compare_mixed(const char *profile, size_t length, const struct cg2wg_options *options)
{
    struct conversion_result usual = convert_bytes(profile, length, options);
    for (enum written_form form = INDENTED; form < LINE_FORMS; form++)
        for (size_t every = 1; every <= 5; every++)
            for (size_t first = 0; first < every; first++) {
                size_t new_length;
                char *rewritten = rewrite(profile, length, every, first, form, &new_length);
                struct conversion_result other = convert_bytes(rewritten, new_length, options);
                if (count_newlines(usual.messages) != count_newlines(other.messages) ||
                    usual.size != other.size || memcmp(usual.bytes, other.bytes, other.size) != 0)
                    fail_msg("found %s%s, expected %s%s, for\n%s", other.messages, other.dump, usual.messages,
                             usual.dump, rewritten);
                conversion_free(&other);
                free(rewritten);
            }
    conversion_free(&usual);
}

/* In generated profiles, which have all of the grammar */
static void lines_mean_the_same_in_each_form(void **state)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t length;
        char *profile = make_profile(seed, 0, &length);
        compare_mixed(profile, length, NULL);
        compare_lists(profile, length);
        free(profile);
    }
}

/*
 * The self cost of a record that has been cut off counts nowhere, even if it has left 64 bits. That of a whole one
 * stays at the limit, 9.22, line by line. (All costs are divided by 10^18.)
 */
static void a_self_cost_that_leaves_64_bits_belongs_to_its_record(void **state)
{
    static const struct {
        const char *lines, *sum, *invocation;
    } records[] = {
        {"2 9000000000000000000\n2 9000000000000000000\ncfn=f\n", "self=1 incl=1 inv=1\n",
         "#0 self=1 incl=1 "},
        {"2 9000000000000000000\n2 9000000000000000000\n\n", "self=9 incl=9 inv=2\n", "#1 self=9 incl=9 "},
        {"2 9000000000000000000\n2 9000000000000000000\n2 -9000000000000000000\n\n", "self=1 incl=1 inv=2\n",
         "#1 self=0 incl=0 "},
    };
    struct cg2wg_options options = default_options();
    options.scale = UINT64_C(1000000000000000000);
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        char profile[300];
        int length = snprintf(profile, sizeof profile,
                              "creator: xdebug 3.2.0\nevents: Time\n\nfl=a\nfn=f\n1 1000000000000000000\n\n"
                              "fl=a\nfn=f\n%s", records[i].lines);
        for (int outermost = 0; outermost < 2; outermost++) {
            options.inclusive = outermost ? CG2WG_INCLUSIVE_OUTERMOST : CG2WG_INCLUSIVE_SUM;
            options.format = 7;
            compare_and_find(profile, (size_t)length, &options, few_blocks, records[i].sum);
            options.format = 4;
            compare_and_find(profile, (size_t)length, &options, few_blocks, records[i].invocation);
        }
    }
}

/* On Windows, Xdebug before 3.1.6 writes such profiles. */
static void carriage_returns_make_no_other_profile(void **state)
{
    size_t length, new_length;
    char *profile = read_file("testdata/xdebug/3.2-checkout.out", &length);
    char *text = rewrite(profile, length, 1, 0, RETURN_AFTER, &new_length);
    struct conversion_result without = convert_bytes(profile, length, NULL);
    struct conversion_result with = convert_bytes(text, new_length, NULL);
    assert_int_equal(without.size, with.size);
    assert_memory_equal(without.bytes, with.bytes, with.size);
    assert_true(with.stats.slow_lines * 10 < with.stats.lines);
    compare_with_general("with carriage returns", text, new_length, NULL, few_blocks);
    compare_lists(text, new_length);
    conversion_free(&without);
    conversion_free(&with);
    free(text);
    free(profile);
}

/* ---- sums ----------------------------------------------------------------------------------- */

#ifdef NEWER

/*
 * Groups of each form, with one cost or two, are added up, except where a block ends; what is needed is the last. So are
 * the calls of a record that is longer than a block, unless their costs may have a sign.
 */
static void records_of_each_form_are_added_up(void **state)
{
    enum { RECORDS = 20000 };
    for (int event = 0; event < 3; event++) {
        struct cg2wg_options options = options_for(event == 2 ? "Memory" : NULL);
        const char *more = event > 0 ? " -7" : "";
        int calls = event < 2 ? 2 * RECORDS : 0;
        char *profile = NULL;
        size_t length;
        FILE *out = open_memstream(&profile, &length);
        fprintf(out, "creator: xdebug 3.2.0\nevents: Time%s\n\n", event > 0 ? " Memory" : "");
        for (int i = 0; i < RECORDS; i++)
            fprintf(out, "fl=(1)%s\nfn=(%d)%s\n3 5%s\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 6%s\n\n", i < 1 ? " a" : "",
                    1 + i % 2, i < 1 ? " f" : i < 2 ? " g" : "", more, more);
        if (calls > 0)
            fprintf(out, "fl=(1)\nfn=(1)\n3 5%s\n", more);
        for (int i = 0; i < calls; i++)
            fprintf(out, "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n%d 6%s\n", 3 + i % 3, more);
        fclose(out);
        added_up = 0;
        struct conversion_result result = convert_bytes(profile, length, &options);
        assert_in_range(added_up, (2 * RECORDS + calls) * 99 / 100, 2 * RECORDS + calls);
        conversion_free(&result);
        free(profile);
    }
}

#endif

/* Groups that are not of the form, or mean something else, among many that are added up */
static void odd_groups_come_out_the_same(void **state)
{
    enum { RECORDS = 100, MANY = 61 };
    static const char *const usual[][3] = {
        {"\nfl=(1)\nfn=(1)\n2 5%s\n", "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n4 6%s\n", "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n5 6%s\n"},
        {"\nfl=/a.php\nfn=f1\n2 5%s\n", "cfl=/a.php\ncfn=f2\ncalls=1 0 0\n4 6%s\n", "cfl=\ncfn=f1\ncalls=1 0 0\n5 6%s\n"}};
    static const char *const events[] = {NULL, "Time", "Memory", "X = 2 Time - Memory"};
    for (size_t i = 0; i < 4 * 2 * sizeof odd_groups / sizeof *odd_groups; i++) {
        const char *odd = odd_groups[i / 8], *event = events[i / 2 % 4], *more = event == NULL ? "" : " 7";
        struct cg2wg_options options = options_for(event);
        char *profile = NULL;
        size_t length;
        FILE *out = open_memstream(&profile, &length);
        bool is_by_callgrind = i % 11 == 9; /* some profiles are of another kind */
        options.identity = i % 11 == 5 ? CG2WG_IDENTITY_FILE : CG2WG_IDENTITY_NAME;
        options.records = is_by_callgrind ? CG2WG_RECORDS_INVOCATIONS
                          : i % 11 == 7   ? CG2WG_RECORDS_SUMS : CG2WG_RECORDS_AUTO;
        fprintf(out, "creator: %s\nevents: Time%s\n\n", is_by_callgrind ? "callgrind-3" : "xdebug 3.2.0",
                event == NULL ? "" : " Memory");
        fprintf(out, "fl=(1) /a.php\nfn=(1) f1\n2 5%s\n\nfl=(2) /b.php\nfn=(2) f2\n3 8%s\n", more, more);
        for (int k = 0; k < RECORDS; k++) {
            fprintf(out, usual[i % 2][0], more);
            for (int calls = k == RECORDS / 2 ? 2 * MANY : 1; calls > 0; calls--) {
                if (calls == MANY)
                    fprintf(out, odd, more, more);
                fprintf(out, usual[i % 2][2 - calls % 2], more);
            }
        }
        fclose(out);
        compare_with_general(odd, profile, length, &options, thread_blocks);
        options.inclusive = i % 3 == 0 ? CG2WG_INCLUSIVE_OUTERMOST : CG2WG_INCLUSIVE_AUTO;
        options.format = i % 3 == 1 ? 4 : 7;
        if (i % 3 < 2)
            compare_with_general(odd, profile, length, &options, thread_blocks);
        free(profile);
    }
}

/*
 * A record whose calls are added up before a block ends goes on there: another calls= is of the last callee, and what is
 * not followed by an empty line is cut, also if there was one before the calls.
 */
static void a_record_goes_on_where_calls_were_added_up(void **state)
{
    static const char *const more[][3] = {{"", "calls=2 0 0\n4 9\n", "\n"}, {"\n", "", ""}};
    for (size_t i = 0; i < 2; i++) {
        struct cg2wg_options options = options_for(NULL);
        char *profile = NULL;
        size_t length;
        FILE *out = open_memstream(&profile, &length);
        fputs("creator: xdebug 3.2.0\nevents: Time\n\nfl=(1) a\nfn=(1) f\n1 1\n", out);
        for (int k = 0; k < 3000; k++)
            fputs("\nfl=(1)\nfn=(1)\n1 3\n", out);
        fprintf(out, "\nfl=(1)\nfn=(2) long\n1 5\n%s", more[i][0]);
        for (int k = 0; k < 3000; k++)
            fputs("cfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 1\n", out);
        for (int k = 0; k < 3000; k++)
            fputs(more[i][1], out);
        fputs(more[i][2], out);
        fclose(out);
        compare_with_general("a long record", profile, length, &options, one_block);
        free(profile);
    }
}

/* Prints it as a file, in a style, with all events; a tree of time is in the order of calls. */
static char *show(const char *profile, size_t length, enum cg2wg_style style, const char *event)
{
    char path[] = "/tmp/cg2wg-test-XXXXXX", *shown = NULL;
    size_t size;
    FILE *stream = open_memstream(&shown, &size);
    struct cg2wg_options options = options_for(event);
    struct cg2wg_view view;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, profile, length), length);
    close(fd);
    cg2wg_view_init(&view, sizeof view);
    view.style = style;
    view.order = style == CG2WG_TREE && strcmp(event, "Time_(10ns)") == 0 ? CG2WG_BY_TIME : view.order;
    assert_int_equal(cg2wg_print(path, &options, &view, stream, NULL), CG2WG_OK);
    fclose(stream);
    unlink(path);
    for (char *name = shown; (name = strstr(name, path)) != NULL;) /* which differs */
        memset(name, 'x', strlen(path));
    return shown;
}

/*
 * Each record is logged, with costs of both events, by line, and in a record that is longer than a block. Some of the
 * calls made the invocations without calls that come before; some of these come in another order, or cost something
 * else. The last record is cut off, and another run follows.
 */
static void what_is_shown_of_records_is_the_same(void **state)
{
    enum { RECORDS = 8000 };
    static const char *const odd[] = {"\nfl=(2)\nfn=(1)\n2 5 8\n", "\nfl=(1)\nfn=(1)\n9 5 -8\n",
                                      "\nfl=(3) /c.php\nfn=(3) f3\n2 123456789 8\n", "\nfl=(1)\nfn=(1)\n2 5 123456789\n"};
    static const enum cg2wg_style styles[] = {CG2WG_CSV,       CG2WG_PAGE, CG2WG_STACKS, CG2WG_STACKS,
                                              CG2WG_CALLGRIND, CG2WG_TREE, CG2WG_TREE};
    static const char *const events[] = {"all", "all", "Memory_(bytes)", "Time_(10ns)", "all", "Memory_(bytes)",
                                         "Time_(10ns)"};
    char *profile = NULL;
    size_t length, indented_length;
    FILE *out = open_memstream(&profile, &length);
    fputs("creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n\nfl=(1) /a.php\nfn=(1) f1\n2 5 7\n\n"
          "fl=(2) /b.php\nfn=(2) f2\n3 8 16\n", out);
    for (int i = 0; i < RECORDS; i++) {
        for (int leaf = i % 3; i % 3000 != 2999 && i % 5 > 0 && leaf > 0; leaf--) {
            int call = i % 5 == 1 ? 1 + i % 3 - leaf : leaf, name = 1 + call % 2;
            fprintf(out, "\nfl=(%d)\nfn=(%d)\n2 %d -%d\n", name, name, 50 + call % 9, i % 5 == 2 ? 2 : 3);
        }
        fprintf(out, "\nfl=(1)\nfn=(%d)\n2 %d %d\n", 1 + i / 2 % 2, 3 + i % 50, i % 7 - 3);
        fputs(i % 700 == 699 ? odd[i / 700 % 4] : "", out);
        for (int calls = i % 3000 == 2999 ? 10000 : i % 3; calls > 0; calls--)
            fprintf(out, "cfl=(1)\ncfn=(%d)\ncalls=1 0 0\n%d %d -3\n", 1 + calls % 2, 4 + calls % 2, 50 + calls % 9);
    }
    fputs("\nfl=(1)\nfn=(1)\n2 5 8\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 6 7\ncfl=(2)\ncfn=(2)\n", out);
    fputs("\n==== NEW PROFILING FILE ====\ncreator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n\n"
          "fl=(1)\nfn=(1)\n2 5 8\n\nfl=(2)\nfn=(2)\n2 5 8\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 5 8\n", out);
    fclose(out);
    indented_length = length;
    char *indented = indent_lines(profile, &indented_length);
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        char *general = show(indented, indented_length, styles[i], events[i]);
        added_up = 0;
        char *usual = show(profile, length, styles[i], events[i]);
        assert_string_equal(general, usual);
#ifdef NEWER
        assert_true(added_up > 2 * RECORDS);
#endif
        free(general);
        free(usual);
    }
    free(indented);
    free(profile);
}

/* So many keys that the sums have to forget them; others then have their numbers. All functions make the same call. */
static void many_keys_come_out_the_same(void **state)
{
    enum { FUNCTIONS = 7000, EACH = 10, RECORDS = EACH * FUNCTIONS };
    char *profile = NULL, expected[100];
    size_t length;
    struct cg2wg_options options = default_options();
    options.threads = 1;
    FILE *out = open_memstream(&profile, &length);
    fputs("creator: xdebug 3.2.0\nevents: Time\n\nfl=(1) a\nfn=(1) f\n1 1\n\n", out);
    for (int i = 2; i <= FUNCTIONS; i++)
        fprintf(out, "fl=(1)\nfn=(%d) f%d\n1 1\n\n", i, i);
    for (int i = 0; i < RECORDS; i++)
        fprintf(out, "fl=(1)\nfn=(%d)\n%d 2\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 3\n\n", 1 + i % FUNCTIONS, i);
    fclose(out);
    snprintf(expected, sizeof expected, "a f%d line=1 self=%d incl=%d inv=%d\n", FUNCTIONS, 1 + 2 * EACH, 1 + 5 * EACH,
             1 + EACH);
    compare_and_find(profile, length, &options, (const size_t[]){4000000, 0}, expected);
    free(profile);
}

/* Names with many bytes, though they are not so many; they come again. */
static void long_names_in_full_come_out_the_same(void **state)
{
    enum { FUNCTIONS = 6000, RECORDS = 2 * FUNCTIONS };
    char *profile = NULL, name[800];
    size_t length;
    FILE *out = open_memstream(&profile, &length);
    memset(name, 'f', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    fputs("creator: xdebug 2.2.7\nevents: Time\n\nfl=\nfn=f\n1 1\n\n", out);
    for (int i = 0; i < RECORDS; i++)
        fprintf(out, "fl=/a.php\nfn=%s%d\n3 %d\n\n", name, i % FUNCTIONS, 4 + i / FUNCTIONS);
    fclose(out);
    compare_and_find(profile, length, NULL, (const size_t[]){1500000, 0}, "f5999 line=3 self=9 incl=9 inv=2\n");
    free(profile);
}

static void names_in_full_may_differ_in_any_byte(void **state)
{
    enum { LONGEST = 80 };
    for (size_t length = LONGEST - 17; length <= LONGEST; length++) {
        char *profile = NULL, common[LONGEST + 1] = "", name[LONGEST + 1];
        size_t size;
        FILE *out = open_memstream(&profile, &size);
        memset(common, 'y', length);
        fputs("creator: xdebug 2.2.7\nevents: Time\n\n", out);
        for (size_t i = 0; i < 2 * length; i++) {
            strcpy(name, common);
            name[i < length ? i : 2 * length - 1 - i] = 'z';
            fprintf(out, "fl=/a.php\nfn=%s\n1 2\n\nfl=/a.php\nfn=%s\n1 2\n\nfl=/a.php\nfn=%s\n1 3\n\n", common, common,
                    name);
        }
        fclose(out);
        compare_and_find(profile, size, NULL, thread_blocks, "z line=1 self=6 incl=6 inv=2\n");
        free(profile);
    }
}

/*
 * f gets so much memory that its sum stays at the largest one, and gives some of it back: what is left depends
 * on what was added first. So do the sum of a call and that of all.
 */
static void memory_may_come_back_from_the_largest_sum(void **state)
{
    enum { RECORDS = 600 };
    static const char *const costs[] = {"9223372036854775807", "99999999", "-99999999"};
    struct cg2wg_options options = options_for("Memory_(bytes)");
    options.scale = UINT64_C(2200000000);
    for (int way = 0; way < 7; way++) {
        bool in_full = way == 1, is_called = way == 3 || way == 6, is_others = way == 5, is_one_record = way == 6;
        int part = way == 2 || way == 4 ? 12 : is_others ? 99 : -1; /* after which the sums begin at 0 */
        options.samples.parts = &(uint32_t){2};
        options.samples.part_count = way == 4;
        char *profile = NULL;
        size_t length;
        FILE *out = open_memstream(&profile, &length);
        fputs("creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n\nfl=(1) a\nfn=(1) f\n1 1 1\n\n", out);
        for (int i = 0; i < RECORDS; i++) {
            const char *cost = costs[i == 10 ? 0 : 1 + i / 50 % 2];
            if (!is_one_record || i == 0)
                fprintf(out, in_full                ? "fl=/a.php\nfn=f\n1 1 %s\n"
                             : i == 10 && is_others ? "fl=(1)\nfn=(2) g\n1 1 %s\n"
                                                    : "fl=(1)\nfn=(1)\n1 1 %s\n", is_called ? "0" : cost);
            fprintf(out, is_called ? "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n5 1 %s\n%s" : "\n", cost, is_one_record ? "" : "\n");
            fputs(i == part ? "part: 2\n\n" : "", out);
        }
        fclose(out);
        compare_with_general("memory", profile, length, &options, (const size_t[]){2500, 16000, 0});
        free(profile);
    }
}

/* ---- real ones ---------------------------------------------------------------------------- */

static void compare_folder(const char *folder, int at_least)
{
    DIR *stream = opendir(folder);
    int compared = 0;
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        const char *suffix = strrchr(entry->d_name, '.');
        char path[512];
        if (suffix == NULL || strcmp(suffix, ".out") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        size_t length;
        char *profile = read_file(path, &length);
        compare_with_general(path, profile, length, NULL, few_blocks);
        compare_lists(profile, length);
        free(profile);
        compared++;
    }
    closedir(stream);
    assert_true(compared >= at_least);
}

static void real_profiles_come_out_the_same(void **state)
{
    compare_folder("testdata/xdebug", 10);
    compare_folder("testdata/valgrind", 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_profiles_come_out_the_same),
        cmocka_unit_test(damaged_profiles_come_out_the_same),
        cmocka_unit_test(fragments_mean_the_same),
        cmocka_unit_test(few_lines_mean_the_same),
        cmocka_unit_test(lines_mean_the_same_in_each_form),
        cmocka_unit_test(a_self_cost_that_leaves_64_bits_belongs_to_its_record),
        cmocka_unit_test(carriage_returns_make_no_other_profile),
        cmocka_unit_test(odd_groups_come_out_the_same),
        cmocka_unit_test(a_record_goes_on_where_calls_were_added_up),
        cmocka_unit_test(what_is_shown_of_records_is_the_same),
        cmocka_unit_test(many_keys_come_out_the_same),
        cmocka_unit_test(long_names_in_full_come_out_the_same),
        cmocka_unit_test(names_in_full_may_differ_in_any_byte),
#ifdef NEWER
        cmocka_unit_test(records_of_each_form_are_added_up),
#endif
        cmocka_unit_test(memory_may_come_back_from_the_largest_sum),
        cmocka_unit_test(real_profiles_come_out_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

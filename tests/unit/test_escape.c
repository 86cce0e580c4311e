/* SPDX-License-Identifier: MIT */
/*
 * Names with characters of HTML: the text for webgrind, which puts it into its page, and that the
 * original names come back. tests/check/browser.sh checks that webgrind displays them correctly.
 */
#include "preprocessed_file.h"
#include "support.h"

#include "util/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define JOINER "\xe2\x81\xa0"
#define MARK "\ncg2wg-escaped: html\n"

static bool holds(const struct conversion_result *result, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= result->size; i++)
        if (memcmp(result->bytes + i, text, length) == 0)
            return true;
    return false;
}

static struct conversion_result convert_names(const char *cmd, const char *file, const char *name,
                                              unsigned version)
{
    char profile[1000];
    struct cg2wg_options options = options_to(version);
    snprintf(profile, sizeof profile, "creator: xdebug 3.2.0\ncmd: %s\nevents: Time\nsummary: 3\nfl=%s\n"
             "fn=%s\n1 3\n", cmd, file, name);
    struct conversion_result result = convert_text(profile, &options);
    if (result.status != CG2WG_OK || *result.messages != '\0')
        fail_msg("%s: %s", name, result.messages);
    return result;
}

/* The three as they are written, in every version; with the mark if anything changed. */
static void assert_written(const char *cmd, const char *file, const char *name, const char *written_cmd,
                           const char *written_file, const char *written_name)
{
    bool is_changed = strcmp(cmd, written_cmd) != 0 || strcmp(file, written_file) != 0 ||
                      strcmp(name, written_name) != 0;
    for (unsigned version = 4; version <= 7; version++) {
        char expected[1000];
        struct conversion_result result = convert_names(cmd, file, name, version);
        snprintf(expected, sizeof expected, "%s\n%s\ncreator: xdebug 3.2.0\ncmd: %s\n", written_file,
                 written_name, written_cmd);
        if (!holds(&result, expected) || holds(&result, MARK) != is_changed)
            fail_msg("version %u: expected %s in %s", version, expected, result.dump);
        conversion_free(&result);
    }
}

static void assert_name(const char *name, const char *written)
{
    assert_written("/a.php", "/a.php", name, "/a.php", "/a.php", written);
}

static void names_of_functions_get_entities(void **state)
{
    assert_name("std::vector<int>::push_back", "std::vector&lt;int>::push_back");
    assert_name("f<img src=x onerror=alert(1)>", "f&lt;img src=x onerror=alert(1)>");
    assert_name("operator<", "operator&lt;");
    assert_name("a&lt;b", "a&amp;lt;b");
    assert_name("a&copy b", "a&amp;copy b");
    assert_name("a&#60;b", "a&amp;#60;b");
    assert_name("&amp;&amp;amp;", "&amp;amp;&amp;amp;amp;");
}

/* Byte for byte what webgrind writes: it shows these as they are. */
static void names_that_are_shown_right_stay(void **state)
{
    static const char *const names[] = {
        "Foo->bar", "{closure:/a.php:3-5}", "php::strlen", "operator&&", "f(int const&, char&&)",
        "a & b", "a&", "a&1", "class@anonymous\"x\"", "a;b", "x" JOINER "y", "a>b", "caf\xc3\xa9"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_name(names[i], names[i]);
}

/* Of one function, in all versions. NUL is shown as `$` in the file here. */
static void assert_quotes(const char *file, const char *name, const char *written_name)
{
    char profile[300], expected[300];
    int size = snprintf(profile, sizeof profile, "events: Time\nsummary: 3\nfl=(1) %s\nfn=%s\n1 3\n", file, name);
    for (char *c = profile; *c != '\0'; c++)
        *c = *c == '$' ? '\0' : *c;
    snprintf(expected, sizeof expected, "\n%s\nevents: Time\n", written_name);
    for (unsigned version = 4; version <= 7; version++) {
        struct cg2wg_options options = options_to(version);
        struct conversion_result result = convert_bytes(profile, (size_t)size, &options);
        assert_int_equal(result.status, CG2WG_OK);
        const char *markup = preprocessed_markup(result.bytes, result.size);
        if (markup != NULL || (version > 4 && !holds(&result, expected)))
            fail_msg("version %u: %s: expected %s in %s", version, markup, written_name, result.dump);
        conversion_free(&result);
    }
}

/* webgrind makes a link of these, between double quotes. It trims the file, as PHP does, before it compares. */
static void quotes_count_in_names_of_internal_functions(void **state)
{
    static const char *const files[] = {"php:internal", "php:internal ", "php:internal\t\v", "php:internal$",
                                        "\v$ php:internal \r$"};
    static const char *const names[][2] = {{"php::x\" onclick=\"alert(1)", "php::x&quot; onclick=&quot;alert(1)"},
                                           {"\"", "&quot;"},
                                           {"php::x->y", "php::x->y"},
                                           {"php::'`x", "php::'`x"},
                                           {"{closure:\"/a.php:3-5}", "{closure:&quot;/a.php:3-5}"},
                                           {"require_once::/a\".php", "require_once::/a&quot;.php"},
                                           {"a\xff\"\xe2\x81", "a\xff&quot;\xe2\x81"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
            assert_quotes(files[i], names[k][0], names[k][1]);
    assert_quotes("/a.php", "{closure:\"/a.php:3-5}", "{closure:\"/a.php:3-5}");
    assert_quotes("php:internal.", "php::a\"b", "php::a\"b");
    assert_quotes("PHP:internal", "php::a\"b", "php::a\"b");
    /* From the text of perf script, where objects replace files */
    struct conversion_result result = convert_text("a  1  1.0:  5 cycles:\n\t401136 php::a\"b (php:internal )\n\n",
                                                   NULL);
    assert_int_equal(result.status, CG2WG_OK);
    assert_true(holds(&result, "php:internal \nphp::a&quot;b\n"));
    conversion_free(&result);
}

/* In a link of the releases before 1.1, which read versions up to 6. Later ones encode the file. */
static void quotes_count_in_files_before_version_7(void **state)
{
    static const struct {
        const char *file, *old, *new;
    } cases[] = {
        {"/a\" onclick=\"f()", "/a&quot; onclick=&quot;f()", "/a\" onclick=\"f()"},
        {"/a&quot;b", "/a&" JOINER "quot;b", "/a&quot;b"},
        {"/a&" JOINER "quot;b", "/a&" JOINER JOINER "quot;b", "/a&" JOINER "quot;b"},
        {"/R&D/&amp;'`:" JOINER, "/R&D/&amp;'`:" JOINER, "/R&D/&amp;'`:" JOINER},
        {"/<b=\"", "/<" JOINER "b=&quot;", "/<" JOINER "b=\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned version = 4; version <= 7; version++) {
            char expected[100];
            struct conversion_result result = convert_names("/c", cases[i].file, "f", version);
            snprintf(expected, sizeof expected, "%s\nf\n", version < 7 ? cases[i].old : cases[i].new);
            const char *markup = preprocessed_markup(result.bytes, result.size);
            if (markup != NULL || !holds(&result, expected))
                fail_msg("version %u: %s: expected %s in %s", version, markup, expected, result.dump);
            conversion_free(&result);
        }
}

/* They are in links, encoded. The file viewer shows them as HTML, if webgrind is set to grant all. */
static void files_stay_unless_a_script_could_run(void **state)
{
    static const struct {
        const char *file, *written;
    } cases[] = {
        {"/srv/R&D/<b>/a.php", "/srv/R&D/<b>/a.php"},
        {"/a<b", "/a<b"},
        {"/a&lt;b=<1", "/a&lt;b=<1"},
        {"<string>", "<string>"},
        {"<img src=x onerror=f()>", "<" JOINER "img src=x onerror=f()>"},
        {"/a=b/<b>", "/a=b/<b>"},
        {"/<SCRIPT>f()", "/<" JOINER "SCRIPT>f()"},
        {"/<scrip>", "/<scrip>"},
        {"/<" JOINER "x", "/<" JOINER JOINER "x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_written("/a.php", cases[i].file, "f", "/a.php", cases[i].written, "f");
}

/* They are shown as HTML and as plain text. A ": " stays as in webgrind's own preprocessed files. */
static void headings_get_joiners(void **state)
{
    static const struct {
        const char *cmd, *written;
    } cases[] = {
        {"/a.php", "/a.php"},
        {"/a.php?a=1&b", "/a.php?a=1&" JOINER "b"},
        {"a & b && c > d", "a & b && c > d"},
        {"<img src=x>", "<" JOINER "img src=x>"},
        {"a<", "a<" JOINER},
        {"http://x/: y", "http://x/: y"},
        {"&" JOINER "x<" JOINER ":" JOINER, "&" JOINER JOINER "x<" JOINER JOINER ":" JOINER JOINER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_written(cases[i].cmd, "/a.php", "f", cases[i].written, "/a.php", "f");
}

/* ---- other headers ------------------------------------------------------------------------- */

#define SCRIPT "<img src=x onerror=alert(1)>"
#define SHOWN "<" JOINER "img src=x onerror=alert(1)>"

/* Converts a profile with one more header line, to each version, alone and twice at once. */
static void assert_header(const char *line, const char *written)
{
    char profile[400], expected[200];
    snprintf(profile, sizeof profile, "%s\nevents: Time\nsummary: 3\nfl=/a.php\nfn=f\n1 3\n", line);
    snprintf(expected, sizeof expected, "\n%s\n", written);
    for (unsigned version = 4; version <= 7; version++)
        for (size_t count = 1; count <= 2; count++) {
            struct cg2wg_options options = options_to(version);
            struct conversion_result result = convert_texts((const char *const[]){profile, profile}, count, &options);
            assert_int_equal(result.status, CG2WG_OK);
            const char *markup = preprocessed_markup(result.bytes, result.size);
            bool is_right = *written != '\0' ? holds(&result, expected) : !holds(&result, "img");
            if (markup != NULL || !is_right)
                fail_msg("version %u: %s: expected %s in %s", version, markup, written, result.dump);
            conversion_free(&result);
        }
}

/* webgrind reads any key, and shows the values of some. */
static void values_of_all_headers_get_joiners(void **state)
{
    static const char *const keys[] = {"version", "creator", "thread", "desc", "event", "positions", "rate",
                                       "x-y", "RUNS", "Cmd"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char line[100], written[100];
        snprintf(line, sizeof line, "%s:" SCRIPT, keys[i]);
        snprintf(written, sizeof written, "%s: " SHOWN, keys[i]);
        assert_header(line, written);
    }
    assert_header("cg2wg-cmd: " SCRIPT, "");
    assert_header("desc: a&lt;b: &" JOINER " c:" JOINER, "desc: a&" JOINER "lt;b: &" JOINER JOINER " c:" JOINER JOINER);
    assert_header("desc:  Trigger: x & y > z \"", "desc:  Trigger: x & y > z \"");
}

static void headers_for_numbers_have_numbers(void **state)
{
    static const char *const keys[] = {"runs", "totals", "part", "pid"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "%s: " SCRIPT, keys[i]);
        assert_header(line, "");
        snprintf(line, sizeof line, "%s: 5 " SCRIPT, keys[i]);
        assert_header(line, "");
        snprintf(line, sizeof line, "%s: 5", keys[i]);
        assert_header(line, line);
    }
    assert_header("totals: 0x10 -2  3", "totals: 0x10 -2  3");
    assert_header("summary: " SCRIPT, "");
    assert_header("summary: 5 " SCRIPT, "");
}

static void the_names_of_events_get_joiners(void **state)
{
    struct cg2wg_options options = default_options();
    struct conversion_result result = convert_text("events: <b>ms&lt; <i>Ir\nsummary: 3 4\nfn=f\n1 3 4\n", &options);
    assert_true(holds(&result, "\nevents: <" JOINER "b>ms&" JOINER "lt; <" JOINER "i>Ir\n"));
    conversion_free(&result);
    options.event = "<i>Ir";
    options.scale = 2;
    result = convert_text("events: <b>ms&lt; <i>Ir\nsummary: 3 4\nfn=f\n1 3 4\n", &options);
    assert_true(holds(&result, "\nevents: <" JOINER "i>Ir_(x2)\n"));
    conversion_free(&result);
}

/* A file of version 7 of another writer: one function, and these headers. */
static struct conversion_result convert_other(const char *file, const char *name, const char *headers,
                                              size_t length)
{
    unsigned char bytes[500] = "\7\0\0\0....\1\0\0\0\20\0\0\0" "\1\0\0\0\5\0\0\0\5\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0";
    size_t size = 16 + 24;
    size += (size_t)sprintf((char *)bytes + size, "%s\n%s\n", file, name);
    memcpy(bytes + 4, (const unsigned char[]){(unsigned char)size, 0, 0, 0}, 4);
    memcpy(bytes + size, headers, length);
    return convert_bytes(bytes, size + length, NULL);
}

/* The reader trims lines, so that more of them have a key that it knows. */
static void headers_of_other_files_are_escaped_too(void **state)
{
    static const struct {
        const char *line, *written;
    } cases[] = {
        {"runs: " SCRIPT "\n", ""},
        {" runs: " SCRIPT "\n", ""},
        {"\v\truns: " SCRIPT "\n", ""},
        {"\0runs: " SCRIPT "\n", ""},
        {"runs:" SCRIPT ": 1\n", ""},
        {"cmd: " SCRIPT "\n", "cmd: " SHOWN "\n"},
        {"\v cmd: " SCRIPT "\n", "cmd: " SHOWN "\n"},
        {"cmd:" SCRIPT "\n", "cmd: " SHOWN "\n"},
        {"\r creator: " SCRIPT "\n", "creator: " SHOWN "\n"},
        {"any <b> key: " SCRIPT "\n", "any <b> key: " SHOWN "\n"},
        {"summary: 5 " SCRIPT "\n", "summary: 5\n"},
        {"cg2wg-cmd: 3 " SCRIPT "\n", "cg2wg-cmd: 3 " SHOWN "\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const char others[] = "events: Time\nsummary: 5\n";
        char headers[200];
        size_t length = 1 + strlen(cases[i].line + 1);
        memcpy(headers, cases[i].line, length);
        memcpy(headers + length, others, sizeof others);
        struct conversion_result result = convert_other("/a", "f", headers, length + sizeof others - 1);
        assert_int_equal(result.status, CG2WG_OK);
        const char *markup = preprocessed_markup(result.bytes, result.size);
        if (markup != NULL || !holds(&result, cases[i].written) || (*cases[i].written == '\0' && holds(&result, "img")))
            fail_msg("%zu: %s: expected %s in %s", i, markup, cases[i].written, result.dump);
        conversion_free(&result);
    }
}

/* ---- reading back -------------------------------------------------------------------------- */

/* Any text of such pieces, which begins and ends with a letter. */
static void make_text(uint64_t *random, char *text)
{
    static const char *const pieces[] = {"<", ">", "&", ";", "lt;", "amp;", "quot;", "#6", "\"", ": ", ":",
                                         JOINER, "=", "script", "b", "/", "php::"};
    strcpy(text, "a");
    for (uint32_t count = random_below(random, 8); count > 0; count--)
        strcat(text, pieces[random_below(random, sizeof pieces / sizeof pieces[0])]);
    strcat(text, "z");
}

static void assert_true_names(const struct conversion_result *result, const char *cmd, const char *file,
                              const char *name)
{
    struct diag diag = {.input = "output"};
    struct preprocessed p;
    assert_true(preprocessed_try(&p, text_of((const char *)result->bytes, result->size), &diag));
    struct preprocessed_function f = preprocessed_function(&p, 0);
    struct text rest = p.headers, key, value;
    if (!text_equals(f.file, file) || !text_equals(f.name, name))
        fail_msg("found %.*s, expected %s", (int)text_length(f.name), f.name.at, name);
    while (preprocessed_next_header(&rest, &key, &value)) {
        assert_false(text_starts(key, "cg2wg-"));
        if (text_equals(key, "cmd") && !text_equals(value, cmd))
            fail_msg("found %.*s, expected %s", (int)text_length(value), value.at, cmd);
    }
    preprocessed_free(&p);
}

static void any_text_comes_back(void **state)
{
    uint64_t random = 20261122;
    char *output = scratch_path("again");
    for (int i = 0; i < 2000; i++) {
        char cmd[200], file[200], name[200];
        make_text(&random, cmd);
        make_text(&random, file);
        make_text(&random, name);
        const char *path = i % 3 == 0 ? "php:internal" : file;
        struct cg2wg_options options = options_to((unsigned)(4 + i % 4));
        struct conversion_result once = convert_names(cmd, path, name, options.format), twice;
        const char *markup = preprocessed_markup(once.bytes, once.size);
        if (markup != NULL)
            fail_msg("%s in %s", markup, once.dump);
        assert_true_names(&once, cmd, path, name);
        write_file(output, once.bytes, once.size);
        for (unsigned version = 5; options.format > 4 && version <= 7; version++) {
            bool is_same = version == options.format;
            struct cg2wg_options other = options;
            other.format = version;
            twice = convert_file(output, &other);
            assert_int_equal(twice.status, CG2WG_OK);
            assert_true_names(&twice, cmd, path, name);
            if (is_same && (twice.size != once.size || memcmp(twice.bytes, once.bytes, once.size) != 0))
                fail_msg("found %s, expected %s", twice.dump, once.dump);
            conversion_free(&twice);
        }
        conversion_free(&once);
    }
    free(output);
}

/* A file of webgrind, or of cg2wg 0.1: one function; no line says that its names are escaped. */
static void names_of_other_files_are_as_they_were(void **state)
{
    static const unsigned char file[] =
        "\7\0\0\0\60\0\0\0\1\0\0\0\20\0\0\0" "\1\0\0\0\5\0\0\0\5\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0"
        "/a\n&lt;b\n" "cmd: &lt;\nevents: Time\nsummary: 5\n";
    unsigned char bytes[sizeof file];
    memcpy(bytes, file, sizeof file);
    bytes[4] = 16 + 24 + 3 + 6; /* where the headers begin */
    struct conversion_result from = {.bytes = bytes, .size = sizeof file - 1};
    assert_true_names(&from, "&lt;", "/a", "&lt;b");
    struct conversion_result result = convert_bytes(bytes, sizeof file - 1, NULL);
    assert_int_equal(result.status, CG2WG_OK);
    assert_true(holds(&result, "/a\n&amp;lt;b\ncmd: &" JOINER "lt;\n"));
    assert_true(holds(&result, MARK));
    conversion_free(&result);
}

/* A profile that holds the line does not make true names of its own ones. */
static void a_profile_cannot_say_that_it_is_escaped(void **state)
{
    assert_shows("cg2wg-escaped: html\nevents: Time\nsummary: 3\nfn=a&lt;b\n1 3\n", NULL, " a&lt;b line=", NULL);
    struct conversion_result result = convert_text("cg2wg-escaped: html\nevents: Time\nsummary: 3\nfn=a\n1 3\n", NULL);
    assert_false(holds(&result, "cg2wg-escaped"));
    conversion_free(&result);
}

/* Functions are the same by their true names, and proxies are found by them. */
static void merging_and_proxies_take_true_names(void **state)
{
    static const char profile[] = "creator: xdebug 3.2.0\nevents: Time\nsummary: 15\nfl=/a\nfn=v<int>\n1 3\n\n"
                                  "fn=p<&lt;>\n2 4\ncfn=v<int>\ncalls=1 0\n2 3\n\n"
                                  "fn={main}\n1 8\ncfn=p<&lt;>\ncalls=1 0\n3 7\n";
    static const char *const proxies[] = {"p<&lt;>"};
    struct cg2wg_options options = default_options();
    options.proxies = proxies;
    options.proxy_count = 1;
    char *path = scratch_path("proxied"), *other = scratch_path("profile");
    struct conversion_result result = convert_text(profile, &options);
    assert_non_null(strstr(result.dump, "  to v<int>:2 x1 =3\n"));
    write_file(path, result.bytes, result.size);
    write_file(other, profile, strlen(profile));
    conversion_free(&result);
    const char *both[] = {path, other};
    result = convert_files(both, 2, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "/a v<int> line=1 self=6 incl=6 inv=2\n"));
    assert_non_null(strstr(result.dump, "  to v<int>:2 x2 =6\n"));
    conversion_free(&result);
    free(path);
    free(other);
}

/*
 * The path is one text of a million tags: its time must grow with its length, not also with the 10,000 functions
 * that have it.
 * (The output would have 20 GB.)
 */
static void long_texts_take_no_longer_than_they_are(void **state)
{
    enum { COUNT = 1000000, FUNCTIONS = 10000 };
    char *profile = malloc(2 * COUNT + 20 * FUNCTIONS + 200), *end = profile;
    end += sprintf(end, "events: Time\nsummary: 3\nfl=");
    for (int i = 0; i < COUNT; i++, end += 2)
        memcpy(end, "<a", 2);
    end += sprintf(end, "\nfn=f\n1 3\n");
    struct conversion_result result = convert_text(profile, NULL);
    assert_int_equal(result.status, CG2WG_OK);
    assert_false(holds(&result, MARK));
    conversion_free(&result);
    for (int i = 0; i < FUNCTIONS; i++)
        end += sprintf(end, "fn=f%d\n1 3\n", i);
    clock_t start = clock();
    result = convert_text(profile, NULL);
    assert_int_equal(result.status, CG2WG_FAILED);
    assert_non_null(strstr(result.messages, "needs more than 4 GiB"));
    if (!is_watched())
        assert_in_range((clock() - start) / CLOCKS_PER_SEC, 0, 3);
    conversion_free(&result);
    free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_functions_get_entities),
        cmocka_unit_test(names_that_are_shown_right_stay),
        cmocka_unit_test(quotes_count_in_names_of_internal_functions),
        cmocka_unit_test(quotes_count_in_files_before_version_7),
        cmocka_unit_test(files_stay_unless_a_script_could_run),
        cmocka_unit_test(headings_get_joiners),
        cmocka_unit_test(values_of_all_headers_get_joiners),
        cmocka_unit_test(headers_for_numbers_have_numbers),
        cmocka_unit_test(the_names_of_events_get_joiners),
        cmocka_unit_test(headers_of_other_files_are_escaped_too),
        cmocka_unit_test(any_text_comes_back),
        cmocka_unit_test(names_of_other_files_are_as_they_were),
        cmocka_unit_test(a_profile_cannot_say_that_it_is_escaped),
        cmocka_unit_test(merging_and_proxies_take_true_names),
        cmocka_unit_test(long_texts_take_no_longer_than_they_are),
    };
    return cmocka_run_group_tests_name("escape", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The data of --print=html, and what it leaves out. tests/check/page.sh opens pages in a browser. */
#include "support.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The page of a profile, malloc'ed. */
static char *page_of(const char *profile, unsigned format, enum cg2wg_order order, double least, size_t *size)
{
    struct cg2wg_view view;
    struct cg2wg_options options = default_options();
    char *path = scratch_path("profile"), *page = NULL;
    FILE *stream = open_memstream(&page, size);
    assert_non_null(stream);
    write_file(path, profile, strlen(profile));
    cg2wg_view_init(&view, sizeof view);
    options.format = format;
    options.inclusive = CG2WG_INCLUSIVE_SUM;
    view.style = CG2WG_PAGE;
    view.order = order;
    view.min = least;
    assert_int_equal(cg2wg_print(path, &options, &view, stream, NULL), CG2WG_OK);
    assert_int_equal(fclose(stream), 0);
    free(path);
    return page;
}

/* Cuts the data out of a page: comments, each of which ends at the first two hyphens. */
static char *data_in(char *page)
{
    static const char start[] = "<div id=\"data\" hidden><!--[", between[] = "\n--><!--\n";
    char *data = strstr(page, start), *out;
    assert_non_null(data);
    data = out = data + sizeof start - 1;
    for (const char *c = data;; *out++ = *c++)
        if (strncmp(c, between, sizeof between - 1) == 0) {
            c += sizeof between - 2; /* one end of a line remains */
        } else if (c[0] == '-' && c[1] == '-') {
            assert_memory_equal(c - 1, "]--></div>", 10);
            break;
        }
    out[-1] = '\0';
    return data;
}

static void assert_data(const char *profile, unsigned format, enum cg2wg_order order, const char *expected)
{
    size_t size;
    char *page = page_of(profile, format, order, -1, &size);
    assert_string_equal(data_in(page), expected);
    free(page);
}

/* main calls f from line 4, twice, and from line 5; f calls itself. */
static const char calls[] = "creator: c \"1\"\ncmd: ./a <b>\nevents: Ir\nsummary: 100\n\n"
                            "fl=/f.c\nfn=f\n7 60\ncfn=f\ncalls=1 0\n8 20\n\n"
                            "fl=/m.c\nfn=main\n1 40\ncfi=/f.c\ncfn=f\ncalls=2 0\n4 50\n"
                            "cfi=/f.c\ncfn=f\ncalls=1 0\n5 10\n";

static void data_are_rows(void **state)
{
    assert_data(
        calls, 7, CG2WG_BY_SELF,
        "{\n\"title\":\"./a <b>\",\n\"creator\":\"c \\\"1\\\"\",\n\"event\":\"Ir\",\n\"link\":\"\",\n\"unit\":\"\",\n\"factor\":1,\n"
        "\"total\":100,\n\"percent_of\":100,\n\"runs\":1,\n\"notes\":[],\n\"no_calls\":\"\",\n\"has_inclusive\":1,\n\"repeats\":0,\n"
        "\"counts\":\"calls\",\n\"limit\":0,\n\"frame_limit\":0,\n"
        "\"negative_stacks\":0,\n\"estimated\":1,\n\"deeper\":0,\n\"sort\":\"self\",\n\"opens\":\"\",\n\"opens_at\":-1,\n"
        "\"left\":{\"functions\":0,\"self\":0,\"invocations\":0},\n"
        "\"names\":[\n0,\"f\",\n0,\"main\"],\n\"line\":[7,1],\n\"self\":[60,40],\n\"inclusive\":[80,100],\n\"invocations\":[4,1],\n"
        "\"file\":[\"/f.c\",\"/m.c\"],\n\"class\":[0,0],\n\"object\":[0,0],\n"
        "\"calls\":[\n[[0,8,1,20],[]],\n[[0,4,2,50,0,5,1,10],[]]],\n"
        "\"groups\":[\n[1,60,60,3,2,40,100,1,0,0],\n[0,100,100,1,0,0],\n[1,100],\n[\"/\",100,100,1,0,0]],\n"
        "\"lines\":[\n[0,7,60,0,0,8,0,20],\n[0,1,40,0,0,4,0,50,0,5,0,10]],\n\"stacks\":[0,-1,100,0,0,1,100,40,1,0,60,60],\n\"has_stacks\":1,\n\"frames_left\":0,\n\"frames_left_cost\":0}\n");
}

static void names_are_never_markup(void **state)
{
    size_t size;
    char *page = page_of(
        "events: Ir\nfl=--!></script>\nfn=--><script>alert(1)</script><!---\xff\xe2\x80\xa8\x01\"\\\n1 1\n", 7,
        CG2WG_BY_SELF, -1, &size);
    const char *data = data_in(page);
    assert_non_null(
        strstr(data, "\n0,\"-\\u002d><script>alert(1)</script><!-\\u002d\\u002d\\ufffd\\u2028\\u0001\\\"\\\\\"]"));
    assert_non_null(strstr(data, "\"file\":[\"-\\u002d!></script>\"]"));
    free(page);
}

static void the_page_names_its_generator(void **state)
{
    size_t size;
    char *page = page_of(calls, 7, CG2WG_BY_SELF, -1, &size);
    assert_non_null(strstr(page, "<meta name=\"generator\" content=\"cg2wg " CG2WG_VERSION "\">"));
    for (const char *c = page; c < page + size; c++) /* one other byte, and a browser has 16 bits for each character */
        assert_in_range(*c, 1, 126);
    free(page);
}

static void a_long_name_is_cut(void **state)
{
    enum { LONG = 100000, MOST = 4096 - 3 - 16 };
    char *profile = malloc(LONG + 100);
    assert_non_null(profile);
    int start = sprintf(profile, "events: Ir\nfl=a\nfn=");
    memset(profile + start, 'n', LONG);
    strcpy(profile + start + LONG, "\n1 1\n");
    size_t size;
    char *page = page_of(profile, 7, CG2WG_BY_SELF, -1, &size);
    const char *name = strstr(page, "\n0,\"") + 4;
    assert_int_equal(strspn(name, "n"), MOST);
    assert_memory_equal(name + MOST, "...f9e92b5dbe722066\"", 20); /* as sha256sum says */
    free(page);
    free(profile);
}

/*
 * Functions have objects: as texts, or their places. Their names have room as others do: these take 24 MB. Where all
 * costs are below 0, those stay that are farthest from it.
 */
static void functions_have_objects(void **state)
{
    enum { OBJECTS = 6000, LENGTH = 4000 };
    size_t size;
    char *page = page_of("events: Ir\nob=/a\nfl=x\nfn=f\n1 1\nfn=g\n1 1\nob=/b\nfn=f\n1 2\nob=/a\nfl=y\nfn=f\n2 1\n", 7,
                         CG2WG_BY_SELF, -1, &size);
    const char *data = data_in(page);
    assert_non_null(strstr(data, "[\n0,\"f\",\n1,\"\",\n1,\"\",\n0,\"g\"],\n\"line\":[1,1,2,1],\n\"self\":[1,2,1,1],"));
    assert_non_null(strstr(data, "\"file\":[\"x\",1,\"y\",1],\n\"class\":[0,0,0,0],\n\"object\":[\"/a\",\"/b\",1,1]"));
    free(page);
    char *profile = malloc((size_t)OBJECTS * (LENGTH + 100)), *end;
    assert_non_null(profile);
    for (int sign = 1; sign >= -1; sign -= 2) {
        end = profile + sprintf(profile, "events: Ir\n");
        for (int i = 0; i < OBJECTS; i++)
            end += sprintf(end, "ob=/%d%0*d\nfn=f\n1 %d\n", i + 1000, LENGTH, 0, sign * (i + 1));
        page = page_of(profile, 7, CG2WG_BY_SELF, -1, &size);
        assert_in_range(size, 4000000, 5100000);
        assert_non_null(strstr(page, "\"/69990000"));
        assert_null(strstr(page, "\"/10000000"));
        free(page);
    }
    free(profile);
}

/* The number after a key. */
static double number_of(const char *data, const char *key)
{
    const char *place = strstr(data, key);
    assert_non_null(place);
    return strtod(place + strlen(key), NULL);
}

/* Steps over numbers, each followed by one of these bytes; returns the last one. */
static double skip_numbers(const char **place, int count)
{
    double number = 0;
    while (count-- > 0) {
        char *end;
        number = strtod(*place, &end);
        *place = end + 1;
    }
    return number;
}

/* Adds up the self costs of functions. */
static double self_cost(const char *data, size_t *count)
{
    double sum = 0;
    const char *at = strstr(data, "\n\"self\":[") + 8;
    for (*count = 0; *at != ']'; ++*count) {
        char *end;
        sum += strtod(at + 1, &end);
        at = end;
    }
    return sum;
}

/* 80,000 functions with long names, which main calls; their costs are from 1 to 30,000. */
static int cost_of(int i)
{
    return i % 30000 + 1;
}

static void what_does_not_fit_is_left_out_and_added_up(void **state)
{
    enum { FUNCTIONS = 80000, LINE = 160 };
    char *profile = malloc((size_t)FUNCTIONS * 2 * LINE), *end = profile;
    assert_non_null(profile);
    end += sprintf(end, "creator: x\nevents: Ir\nfl=(1) /some/folder/of/the/program.c\n");
    for (int i = 1; i <= FUNCTIONS; i++)
        end += sprintf(end, "fn=(%d) a_function_with_a_name_of_some_length_%0200d\n%d %d\n", i, i, i, cost_of(i));
    end += sprintf(end, "fn=(%d) main\n1 0\n", FUNCTIONS + 1);
    for (int i = 1; i <= FUNCTIONS; i++)
        end += sprintf(end, "cfn=(%d)\ncalls=1 0\n%d %d\n", i, i, cost_of(i));
    double total = 0;
    for (int i = 1; i <= FUNCTIONS; i++)
        total += cost_of(i);
    size_t size, count, arcs;
    char *page = page_of(profile, 7, CG2WG_BY_SELF, 0, &size);
    self_cost(data_in(page), &count);
    assert_int_equal(count, FUNCTIONS + 1); /* --min=0 is no limit */
    free(page);
    page = page_of(profile, 7, CG2WG_BY_SELF, -1, &size);
    free(profile);
    assert_in_range(size, 4000000, 5100000);

    const char *data = data_in(page);
    double limit = number_of(data, "\"limit\":"), self = self_cost(data, &count);
    assert_true(limit > 0);
    /* Those that reach the limit, and main */
    size_t expected = 1;
    for (int i = 1; i <= FUNCTIONS; i++)
        expected += cost_of(i) * 100.0 >= limit * total;
    assert_int_equal(count, expected);
    char left[60];
    snprintf(left, sizeof left, "\"left\":{\"functions\":%zu,\"self\":", FUNCTIONS + 1 - count);
    assert_true(self + number_of(data, left) == total);
    /* The arcs of main, and what it has lost: calls, cost */
    const char *arc = strstr(strstr(data, "\n0,\"main\""), "\n\"groups\"");
    double cost = 0;
    while (*--arc != '\n') /* main is the last function */
        continue;
    arc += strlen("\n[[");
    for (arcs = 0; arcs < count - 1; arcs++)
        cost += skip_numbers(&arc, 4);
    snprintf(left, sizeof left, "%zu,", FUNCTIONS + 1 - count);
    assert_memory_equal(arc, left, strlen(left));
    skip_numbers(&arc, 1);
    assert_true(cost + skip_numbers(&arc, 1) == total);
    assert_memory_equal(arc, ",[]]]", 5); /* nobody calls it */
    free(page);
}

/*
 * 60,000 functions cost from 1 to 30,000 of A and C, which have no room for all. What is left out of A gives a limit to
 * begin with: of B, 1,000 functions cost next to nothing beside main, but there is room for each of them.
 */
static void each_event_has_what_there_is_room_for(void **state)
{
    enum { FUNCTIONS = 60000, OF_B = 1000, LINE = 200 };
    char *profile = malloc((size_t)FUNCTIONS * LINE), *end = profile;
    assert_non_null(profile);
    double total = 0;
    end += sprintf(end, "creator: x\nevents: A B C\nfl=(1) /program.c\nfn=main\n1 0 20000000 0\n");
    for (int i = 1; i <= FUNCTIONS; i++) {
        end += sprintf(end, "fn=f%05d%0110d\n%d %d %d %d\n", i, i, i, cost_of(i), i <= OF_B, cost_of(i));
        total += cost_of(i);
    }
    size_t size, count, of_a;
    char *page = page_of(profile, 7, CG2WG_BY_SELF, -1, &size), *data = data_in(page);
    free(profile);
    assert_true(number_of(data, "\"limit\":") > 0);
    self_cost(data, &of_a);
    assert_in_range(of_a, 10000, 50000);
    data = strstr(data, "\"event\":\"B\"");
    assert_true(self_cost(data, &count) == 20000000.0 + OF_B);
    data = strstr(data, "\"event\":\"C\"");
    assert_true(number_of(data, "\"limit\":") > 0);
    assert_true(self_cost(data, &count) + number_of(data, "\"self\":") == total);
    assert_in_range(count, of_a / 3, of_a);
    free(page);
}

/* main calls each of 200 functions f, each of which calls each of 200 functions g; 15,000 others have no caller. */
static void what_fits_is_there(void **state)
{
    enum { CALLED = 200, OTHERS = 15000, LINE = 160 };
    char *profile = malloc((size_t)(2 * CALLED * CALLED + OTHERS) * LINE), *end = profile;
    assert_non_null(profile);
    end += sprintf(end, "creator: xdebug 3.2.0\nevents: Time\nfl=(1) /some/folder/of/the/program.php\n");
    for (int i = 1; i <= OTHERS; i++)
        end += sprintf(end, "fn=(%d) a_function_of_no_caller_%0100d\n1 1\n", 2 * CALLED + i, i);
    for (int f = 1; f <= CALLED; f++) {
        for (int g = 1; g <= CALLED; g++)
            end += sprintf(end, "fn=(%d) g%d\n1 1\n", CALLED + g, g);
        end += sprintf(end, "fn=(%d) f%d\n1 1\n", f, f);
        for (int g = 1; g <= CALLED; g++)
            end += sprintf(end, "cfn=(%d)\ncalls=1 0\n1 1\n", CALLED + g);
    }
    end += sprintf(end, "fn=main\n1 1\n");
    for (int f = 1; f <= CALLED; f++)
        end += sprintf(end, "cfn=(%d)\ncalls=1 0\n1 %d\n", f, 1 + CALLED);
    size_t size, count;
    char *page = page_of(profile, 7, CG2WG_BY_SELF, -1, &size), *data = data_in(page);
    free(profile);
    assert_in_range(size, 1500000, 5100000);
    assert_true(number_of(data, "\"limit\":") == 0 && number_of(data, "\"frame_limit\":") == 0);
    assert_true(self_cost(data, &count) == OTHERS + CALLED * CALLED + CALLED + 1);
    assert_int_equal(count, OTHERS + 2 * CALLED + 1);
    free(page);
}

/*
 * 30,000 lines of a function, with costs from 1 to 30,000, that call g for twice as much; each is 300 hyphens, which
 * take six bytes, but for the first: with the source, all would be 37 MB. Those that are left out are added up.
 */
static void lines_with_their_source_are_within_the_limit(void **state)
{
    enum { LINES = 30000, WIDTH = 300, MOST_CODE = 200 };
    char *profile = malloc(LINES * 64), *end = profile, *code = malloc(LINES * (WIDTH + 1)), *page = NULL;
    assert_non_null(profile);
    assert_non_null(code);
    memset(code, '-', LINES * (WIDTH + 1));
    end += sprintf(end, "events: Ir\nfl=line.c\nfn=g\n1 900030000\nfn=f\n");
    for (int i = 1; i <= LINES; i++) {
        end += sprintf(end, "%d %d\ncfn=g\ncalls=1 1\n%d %d\n", i, i, i, 2 * i);
        code[i * (WIDTH + 1) - 1] = '\n';
    }
    char *path = scratch_path("profile"), *code_path = scratch_path("line.c"), *folder = scratch_path("");
    write_file(path, profile, (size_t)(end - profile));
    write_file(code_path, code, LINES * (WIDTH + 1));
    struct cg2wg_view view;
    struct cg2wg_options options = default_options();
    size_t size, count = 0;
    FILE *stream = open_memstream(&page, &size);
    assert_non_null(stream);
    cg2wg_view_init(&view, sizeof view);
    view.style = CG2WG_PAGE;
    view.sources = (const char *const[]){folder};
    view.source_count = 1;
    assert_int_equal(cg2wg_print(path, &options, &view, stream, NULL), CG2WG_OK);
    assert_int_equal(fclose(stream), 0);
    assert_in_range(size, 3500000, 5100000);
    const char *data = data_in(page), *at = strstr(data, "\n\"lines\":[\n[") + 12;
    double limit = number_of(data, "\"limit\":"), self = 0;
    for (; strtod(at, NULL) == 0; count++) { /* the file; at the end, how many are left out */
        skip_numbers(&at, 1);
        double line = skip_numbers(&at, 1), cost = skip_numbers(&at, 1);
        assert_true(cost == line && skip_numbers(&at, 1) == 2 * line);
        self += cost;
    }
    assert_true(limit > 0 && count > 0);
    double left = skip_numbers(&at, 1);
    assert_true(left + (double)count == LINES);
    assert_true(self + skip_numbers(&at, 1) == LINES * (LINES + 1.0) / 2);
    size_t texts = 0; /* one of g, and at most two of lines before the first one that is shown */
    for (at = strchr(strstr(at, "[\"line.c\","), ',') + 1; at[-1] != ']'; texts++) {
        if (*at != '"') /* the number of a line */
            skip_numbers(&at, 1);
        size_t length = strcspn(at + 1, "\"");
        assert_int_equal(length, 1 + (MOST_CODE - 1) * strlen("\\u002d"));
        at += length + 3;
    }
    assert_in_range(texts, count + 1, count + 3);
    free(page);
    free(profile);
    free(code);
    free(path);
    free(code_path);
    free(folder);
}

/*
 * B shows as many functions beside an A that has limits as beside one that has none, as in that only one function costs
 * anything. What A's limits leave out of B, a call of each function, has room beside that of the functions.
 */
static void an_event_shows_as_much_beside_any_other(void **state)
{
    enum { FUNCTIONS = 80000, LINE = 80 };
    size_t counts[2], size;
    char *profile = malloc((size_t)FUNCTIONS * LINE);
    assert_non_null(profile);
    for (int of_all = 0; of_all <= 1; of_all++) {
        char *end = profile + sprintf(profile, "creator: x\nevents: A B\nfl=(1) /program.c\nfn=main\n1 0 0\n");
        for (int i = 1; i <= FUNCTIONS; i++)
            end += sprintf(end, "fn=f%05d\n%d %d %d\ncfn=main\ncalls=1 0\n%d %d 50\n", i, i,
                           of_all || i == 1 ? cost_of(i) : 0, cost_of(i), i, of_all * 50);
        char *page = page_of(profile, 7, CG2WG_BY_SELF, -1, &size), *data = data_in(page);
        assert_int_equal(number_of(data, "\"limit\":") > 0, of_all);
        self_cost(strstr(data, "\"event\":\"B\""), &counts[of_all]);
        free(page);
    }
    assert_int_equal(counts[1], counts[0]);
    free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_rows),
        cmocka_unit_test(names_are_never_markup),
        cmocka_unit_test(the_page_names_its_generator),
        cmocka_unit_test(a_long_name_is_cut),
        cmocka_unit_test(functions_have_objects),
        cmocka_unit_test(what_does_not_fit_is_left_out_and_added_up),
        cmocka_unit_test(each_event_has_what_there_is_room_for),
        cmocka_unit_test(an_event_shows_as_much_beside_any_other),
        cmocka_unit_test(what_fits_is_there),
        cmocka_unit_test(lines_with_their_source_are_within_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* What is printed and understood is the same in every locale of the calling program. */
#include "support.h"

#include <locale.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char profile[] = "creator: xdebug 3.1.0\nevents: Time_(10ns)\n\n"
                              "fl=a\nfn=SIGNAL\n1 100000\n\nfl=a\nfn={main}\n2 200001\n"
                              "cfl=a\ncfn=SIGNAL\ncalls=1 0 0\n3 100000\n\nsummary: 300001\n";
/* So many invocations by size that growth is fitted, with a base, a factor and a goodness */
static const char report[] = "v 1\na ./p\nf ./p\nr \"f\" \"/lib/a.so\" 1\n"
                             "p 1 3 1 3 3 3\np 2 5 1 5 5 5\np 4 9 1 9 9 9\np 9 20 1 20 20 20\n";

/* Turkish has a comma, and another lower case of I; the point of Pashto has two bytes. */
static const struct {
    const char *name, *source, *characters;
} locales[] = {{"tr_TR.ISO-8859-9", "tr_TR", "ISO-8859-9"}, {"ps_AF.UTF-8", "ps_AF", "UTF-8"}};

/* What a style prints, in the locale of the moment. */
static char *print(const char *input, struct cg2wg_view view)
{
    struct cg2wg_options options = default_options();
    char *path = scratch_path("printed");
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    view.size = sizeof view;
    assert_int_equal(cg2wg_print(input, &options, &view, stream, NULL), CG2WG_OK);
    assert_int_equal(fclose(stream), 0);
    char *printed = read_file(path, NULL);
    free(path);
    return printed;
}

/* Makes and sets a locale, which the machine need not have. False: it cannot. */
static bool set_locale(size_t i)
{
    char *folder = scratch_path("locales"), command[4096];
    snprintf(command, sizeof command, "mkdir -p '%s' && localedef -i %s -f %s '%s/%s' >/dev/null 2>&1", folder,
             locales[i].source, locales[i].characters, folder, locales[i].name);
    setenv("LOCPATH", folder, 1);
    free(folder);
    return system(command) == 0 && setlocale(LC_ALL, locales[i].name) != NULL && *localeconv()->decimal_point != '.';
}

static void all_styles_print_the_same(void **state)
{
    char *input = scratch_path("input"), *sizes = scratch_path("sizes"), *base = scratch_path("base");
    const char *words[] = {"signal"};
    struct cg2wg_view views[] = {{.style = CG2WG_TABLE}, {.style = CG2WG_TABLE, .columns = 80, .lines = 24},
                                 {.style = CG2WG_JSON}, {.style = CG2WG_PAGE, .min = 0.5}, {.style = CG2WG_PLOT},
                                 {.style = CG2WG_JSON}, {.style = CG2WG_TABLE, .base = base},
                                 {.style = CG2WG_TABLE, .top = 1, .only = {words, 1}},
                                 {.style = CG2WG_TABLE, .columns = 80, .functions = {words, 1}},
                                 {.style = CG2WG_PPROF}, {.style = CG2WG_STACKS}, {.style = CG2WG_LINES},
                                 {.style = CG2WG_CALLGRIND}, {.style = CG2WG_TREE, .min = 0.5}, {.style = CG2WG_CSV},
                                 {.style = CG2WG_PICTURE}, {.style = CG2WG_DOT}};
    enum { COUNT = sizeof views / sizeof views[0], LOCALES = sizeof locales / sizeof locales[0] };
    char *usual[COUNT];
    write_file(input, profile, strlen(profile));
    write_file(base, profile, strlen(profile) - 2); /* a summary of 3000 */
    write_file(sizes, report, strlen(report));
    for (size_t k = 0; k < COUNT; k++) {
        views[k].fail_above = -1;
        usual[k] = print(k == 4 || k == 5 ? sizes : input, views[k]);
    }
    assert_non_null(strstr(usual[0], " 66.67 ")); /* 200,001 of 300,001 */
    assert_non_null(strstr(usual[1], "2.00 ms "));
    assert_non_null(strstr(usual[3], "\"limit\":0.5,"));
    assert_non_null(strstr(usual[7], "SIGNAL"));
    for (size_t i = 0; i < LOCALES; i++) {
        if (!set_locale(i)) {
            printf("test_locale: skipped: %s (no localedef or its source)\n", locales[i].name);
            continue;
        }
        for (size_t k = 0; k < COUNT; k++) {
            char *printed = print(k == 4 || k == 5 ? sizes : input, views[k]);
            assert_string_equal(printed, usual[k]);
            free(printed);
        }
        assert_true(text_starts_alike(text_of_string("TITLE"), text_of_string("title")));
        setlocale(LC_ALL, "C");
    }
    for (size_t k = 0; k < COUNT; k++)
        free(usual[k]);
    free(input);
    free(sizes);
    free(base);
}

/* As printf in the C locale, for any kind of number that is printed; percentages also at and near the middle of two. */
/* As people round: up, if the shortest decimal number that is this one has a 5 or more after its hundredths. */
static void print_hundredths(char *expected, size_t size, double number)
{
    char shortest[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(shortest, sizeof shortest, "%.*g", precision, number);
        if (strtod(shortest, NULL) == number)
            break;
    }
    const char *point = strchr(shortest, '.');
    bool is_up = strchr(shortest, 'e') == NULL && point != NULL && strlen(point) > 3 && point[3] >= '5';
    snprintf(expected, size, "%.2f", is_up ? number + (number < 0 ? -0.001 : 0.001) : number);
}

static void numbers_are_those_of_printf(void **state)
{
    static const double numbers[] = {0, -0.0, 1, -1, 0.5, 99.995, 1e-7, -2.5e-9, 123456789.125, 1e20, 1e22, 12345678901};
    char text[TEXT_REAL], expected[400];
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        for (int digits = 0; digits < 11; digits++) {
            snprintf(expected, sizeof expected, "%.*f", digits, numbers[i]);
            if (digits == 2)
                print_hundredths(expected, sizeof expected, numbers[i]);
            assert_string_equal(text_real(text, digits, 'f', numbers[i]), expected);
            snprintf(expected, sizeof expected, "%.*g", digits, numbers[i]);
            assert_string_equal(text_real(text, digits, 'g', numbers[i]), expected);
        }
    for (int i = 0; i < 60000; i++) {
        double middle = (i % 3 > 0 ? 1 : 99990) + i / 1600.0;
        const double near[] = {middle, middle + 1e-11, middle - 1e-11, -middle};
        for (int k = 0; k < 4; k++) {
            print_hundredths(expected, sizeof expected, near[k]);
            assert_string_equal(text_real(text, 2, 'f', near[k]), expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_printf),
        cmocka_unit_test(all_styles_print_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

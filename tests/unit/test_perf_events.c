/* SPDX-License-Identifier: MIT */
/* Events of recordings: which one is taken, what it weighs, and its name. */
#include "recording.h"

#include "cg2wg_print.h"

#include <stdlib.h>
#include <string.h>

/* cpu-clock:u, page-faults/period=1/u and a dummy in front, distinguished by IDENTIFIER or by ID. */
static struct bytes several_events(uint64_t id_bit, const char *const *names)
{
    struct recording r = begin();
    r.events[0] = (struct recorded_event){1, 9, 1, USUAL | id_bit, 0, SAMPLE_ID_ALL, 10};
    r.events[1] = (struct recorded_event){1, 0, 1, USUAL | id_bit, 0, SAMPLE_ID_ALL, 11};
    r.events[2] = (struct recorded_event){1, 2, 1, USUAL | id_bit, 0, SAMPLE_ID_ALL, 12};
    r.event_count = 3;
    if (names != NULL)
        name_events(&r, names);
    map_program(&r);
    sample_of(&r, 0, 5, 5, 9, 1000, STACK(USER, G, IN_USER, G));
    sample_of(&r, 2, 5, 5, 10, 3, STACK(USER, F, IN_USER, F, MAIN));
    sample_of(&r, 1, 5, 5, 11, 14, STACK(USER, MAIN, IN_USER, MAIN));
    sample_of(&r, 1, 5, 5, 12, 14, STACK(USER, MAIN, IN_USER, MAIN));
    return finish(&r);
}

static const char *const event_names[] = {"dummy:HG", "cpu-clock:u", "page-faults/period=1/u"};

#define TIMES                                                                  \
    "/srv/prog main line=0 self=3 incl=3 inv=2\n"                              \
    "header: creator: perf\nheader: events: Time_(10ns)\nheader: summary: 3\n"

#define FAULTS                                                                 \
    "/srv/prog main line=0 self=0 incl=3 inv=1\n  to f:0 x1 =3\n"              \
    "/srv/prog f line=0 self=3 incl=3 inv=1\n  from main:0 x1 =3\n"            \
    "header: creator: perf\nheader: events: page-faults/period=1/u\nheader: summary: 3\n"

/* As perf names them on a machine with two kinds of processors. */
static void a_note_says_that_another_event_of_that_kind_has_more(void **state)
{
    static const char *const names[] = {"dummy:HG", "cpu_atom/cycles/P", "cpu_core/cycles/P"};
    static const char *const others[] = {"dummy:HG", "cpu_atom/cycles/P", "cpu_core/instructions/P"};
    struct cg2wg_options options = with_root();
    for (int i = 0; i < 3; i++) {
        struct recording r = begin();
        r.events[0] = (struct recorded_event){1, 9, 1, USUAL | IDENTIFIER, 0, SAMPLE_ID_ALL, 10};
        r.events[1] = (struct recorded_event){0, 0, 1, USUAL | IDENTIFIER, 0, SAMPLE_ID_ALL, 11};
        r.events[2] = (struct recorded_event){0, 0, 1, USUAL | IDENTIFIER, 0, SAMPLE_ID_ALL, 12};
        r.event_count = 3;
        name_events(&r, i == 1 ? others : names);
        map_program(&r);
        sample_of(&r, 1, 5, 5, 10, 3, STACK(USER, MAIN, IN_USER, MAIN));
        sample_of(&r, 2, 5, 5, 11, 40, STACK(USER, MAIN, IN_USER, MAIN));
        options.event = i == 2 ? "cpu_atom/cycles/P" : NULL;
        expect(finish(&r), &options,
               i > 0 ? "" : "note: the event is cpu_atom/cycles/P (3), but cpu_core/cycles/P has more (40); "
                            "'cpu_atom/cycles/P + cpu_core/cycles/P' adds them\n",
               "/srv/prog main line=0 self=3 incl=3 inv=1\n"
               "header: creator: perf\nheader: events: cpu_atom/cycles/P\nheader: summary: 3\n");
    }
}

/* 28 ns are 3 tens, rounded after they were summed. */
static void the_first_event_with_samples_is_taken(void **state)
{
    expect(several_events(IDENTIFIER, event_names), NULL, "", TIMES);
    expect(several_events(ID, event_names), NULL, "", TIMES);
    expect(several_events(ID, NULL), NULL, "", TIMES);
}

static void events_are_chosen_by_name(void **state)
{
    static const struct {
        const char *event, *dump;
    } cases[] = {{"cpu-clock:u", TIMES},       {"cpu-clock", TIMES}, {"Time_(10ns)", TIMES},
                 {"Time", TIMES},              {"page-faults/period=1/u", FAULTS},
                 {"page-faults/period=1/", FAULTS}, {"page-faults", FAULTS}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cg2wg_options options = with_root();
        options.event = cases[i].event;
        expect(several_events(IDENTIFIER, event_names), &options, "", cases[i].dump);
    }
    struct cg2wg_options options = with_root();
    options.event = "cycles";
    expect(several_events(IDENTIFIER, event_names), &options,
           "error: no event cycles; there are: dummy:HG, cpu-clock:u, "
           "page-faults/period=1/u\n", "");
}

/* Without modifiers both are `faults`: neither is meant, and there is no event of that name. */
static void a_short_name_has_to_be_unique(void **state)
{
    static const char *const names[] = {"faults:u", "faults:k", "faults:uk"};
    struct cg2wg_options options = with_root();
    options.event = "faults";
    expect(several_events(IDENTIFIER, names), &options,
           "error: no event faults; there are: faults:u, faults:k, faults:uk\n", "");
}

static void a_formula_adds_events(void **state)
{
    static const char *const names[] = {"a", "b", "a + b"};
    struct cg2wg_options options = with_root();
    options.event = "sum = b + 2 a";
    expect(several_events(IDENTIFIER, names), &options, "",
           "/srv/prog g line=0 self=2000 incl=2000 inv=1\n/srv/prog main line=0 self=28 incl=28 inv=2\n"
           "header: creator: perf\nheader: events: sum\nheader: summary: 2028\n");
    options.event = "a + b"; /* an exact name goes before a formula */
    expect(several_events(IDENTIFIER, names), &options, "",
           "/srv/prog main line=0 self=0 incl=3 inv=1\n  to f:0 x1 =3\n"
           "/srv/prog f line=0 self=3 incl=3 inv=1\n  from main:0 x1 =3\n"
           "header: creator: perf\nheader: events: a_+_b\nheader: summary: 3\n");
}

static void unknown_ids_are_left_out(void **state)
{
    struct recording r = begin();
    r.events[0].sample_type |= IDENTIFIER;
    r.events[1] = r.events[0];
    r.events[1].id = 12;
    r.event_count = 2;
    call_f(&r);
    r.events[0].id = 404;
    sample(&r, 11, 7, STACK(USER, F, IN_USER, F, MAIN));
    r.events[0].id = 0; /* that is the first event's */
    sample(&r, 12, 1, STACK(USER, F, IN_USER, F, MAIN));
    r.events[0].id = 11;
    expect(finish(&r), NULL, "warning: found 1 samples of no event, expected none; they are left out\n",
           "/srv/prog main line=0 self=0 incl=8 inv=2\n  to f:0 x2 =8\n"
           "/srv/prog f line=0 self=8 incl=8 inv=2\n  from main:0 x2 =8\n" HEADERS("8"));
}

/* Counters of a group count by their growth, the second separately in each thread. */
static void groups_are_weighed_by_their_readings(void **state)
{
    for (int inherited = 0; inherited < 2; inherited++) {
        struct recording r = begin();
        struct cg2wg_options options = with_root();
        options.event = "page-faults";
        r.events[0] = (struct recorded_event){1, 3, 1, USUAL | READ | IDENTIFIER, 8 | 4,
                                     SAMPLE_ID_ALL | (inherited ? INHERIT : 0), 10};
        r.events[1] = r.events[0];
        r.events[1].config = 2;
        r.events[1].id = 11;
        r.event_count = 2;
        map_program(&r);
        sample_of(&r, 0, 5, 5, 10, 302, STACK(USER, MAIN, IN_USER, MAIN)); /* 2, and 3 */
        sample_of(&r, 0, 5, 6, 11, 405, STACK(USER, F, IN_USER, F));       /* 5, and 4 */
        sample_of(&r, 0, 5, 6, 12, 406, STACK(USER, G, IN_USER, G));       /* 6, and still 4 */
        expect(finish(&r), &options, "",
               inherited ? "/srv/prog main line=0 self=3 incl=3 inv=1\n"
                           "/srv/prog f line=0 self=4 incl=4 inv=1\n" HEADERS("7")
                         : "/srv/prog main line=0 self=3 incl=3 inv=1\n"
                           "/srv/prog f line=0 self=1 incl=1 inv=1\n" HEADERS("4"));
    }
}

static void events_are_listed(void **state)
{
    struct cg2wg_options options = with_root();
    struct bytes b = several_events(IDENTIFIER, event_names);
    struct conversion_result listed = list_events(b.at, b.length, &options);
    assert_string_equal(listed.dump, "dummy:HG|-|-|1000\ncpu-clock:u|-|-|28\npage-faults/period=1/u|-|-|3\n");
    conversion_free(&listed);
    free_bytes(&b);
}

/* What is printed of both events of a recording, in a style of one line for an event, or of them all. */
static void assert_prints(const struct bytes *b, enum cg2wg_style style, const char *event, const char *expected)
{
    char found[4000] = "", *input = scratch_path("in");
    struct cg2wg_options options = with_root();
    struct cg2wg_view view;
    FILE *stream = tmpfile();
    cg2wg_view_init(&view, sizeof view);
    write_file(input, b->at, b->length);
    options.event = event;
    view.style = style;
    assert_int_equal(cg2wg_print(input, &options, &view, stream, NULL), CG2WG_OK);
    rewind(stream);
    found[fread(found, 1, sizeof found - 1, stream)] = '\0';
    if (strstr(found, expected) == NULL)
        fail_msg("found %s, expected \"%s\" in it", found, expected);
    fclose(stream);
    free(input);
}

/*
 * `perf record -e '{cpu-clock,...}' -e '{cpu-clock,...}'` has two events of one name, and `name=` gives a clock any name.
 * The second has another name and is in all that is printed. A name that does not say that it is of nanoseconds gets
 * the unit.
 */
static void all_events_have_names_of_their_own(void **state)
{
    static const char *const twice[] = {"dummy:HG", "cpu-clock", "cpu-clock"}, *const clocks[] = {"a", "work", "cpu-clock"},
                             *const taken[] = {"x~2", "x", "x"};
    static const struct {
        const char *const *names;
        const char *list, *csv, *callgrind, *first, *second; /* what -e calls the events */
    } cases[] = {
        {twice, "dummy:HG|-|-|1000\ncpu-clock|-|-|28\ncpu-clock~2|-|-|3\n", "\"cpu-clock\",\"cpu-clock %\",\"cpu-clock~2\"",
         "events: cpu-clock cpu-clock~2\nsummary: 28 3\n", "cpu-clock", "cpu-clock~2"},
        {clocks, "a|-|-|1000\nwork_(1ns)|-|-|28\ncpu-clock|-|-|3\n", "\"work_(1ns)\",\"work_(1ns) %\",\"cpu-clock\"",
         "events: work_(1ns) cpu-clock\nsummary: 28 3\n", "work", "cpu-clock"},
        {taken, "x~2|-|-|1000\nx_(1ns)|-|-|28\nx~3|-|-|3\n", "\"x_(1ns)\",\"x_(1ns) %\",\"x~3\"",
         "events: x_(1ns) x~3\nsummary: 28 3\n", "x", "x~3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cg2wg_options options = with_root();
        struct bytes b = several_events(IDENTIFIER, cases[i].names);
        char both[40], event[60];
        struct conversion_result listed = list_events(b.at, b.length, &options);
        assert_string_equal(listed.dump, cases[i].list);
        conversion_free(&listed);
        snprintf(both, sizeof both, "%s,%s", cases[i].first, cases[i].second);
        assert_prints(&b, CG2WG_CSV, both, cases[i].csv);
        assert_prints(&b, CG2WG_CALLGRIND, NULL, cases[i].callgrind);
        snprintf(event, sizeof event, "\"event\": \"%s\"", cases[i].second);
        assert_prints(&b, CG2WG_JSON, cases[i].second, event);
        assert_prints(&b, CG2WG_JSON, cases[i].second, "\"total\": 3,");
        free_bytes(&b);
    }
}

/* 14 ns and 14 ns are 28 ns, which is 3 tens: two times 1 would be too few. */
static void recordings_are_merged_before_rounding(void **state)
{
    char *paths[2] = {scratch_path("first"), scratch_path("second")};
    struct cg2wg_options options = with_root();
    for (int i = 0; i < 2; i++) {
        struct recording r = begin();
        r.events[0].config = 0;
        map_program(&r);
        sample(&r, 10, 14, STACK(USER, F, IN_USER, F, MAIN));
        struct bytes b = finish(&r);
        write_file(paths[i], b.at, b.length);
        free_bytes(&b);
    }
    struct conversion_result result = convert_files((const char *const *)paths, 2, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "/srv/prog f line=0 self=3 incl=3 inv=2\n"));
    assert_non_null(strstr(result.dump, "header: events: Time_(10ns)\n"));
    conversion_free(&result);
    free(paths[0]);
    free(paths[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_note_says_that_another_event_of_that_kind_has_more),
        cmocka_unit_test(the_first_event_with_samples_is_taken),
        cmocka_unit_test(events_are_chosen_by_name),
        cmocka_unit_test(a_short_name_has_to_be_unique),
        cmocka_unit_test(a_formula_adds_events),
        cmocka_unit_test(unknown_ids_are_left_out),
        cmocka_unit_test(groups_are_weighed_by_their_readings),
        cmocka_unit_test(events_are_listed),
        cmocka_unit_test(all_events_have_names_of_their_own),
        cmocka_unit_test(recordings_are_merged_before_rounding),
    };
    return cmocka_run_group_tests(tests, make_program, NULL);
}

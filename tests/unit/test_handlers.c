/* SPDX-License-Identifier: MIT */
/* The library does not touch its caller's signal handlers and open files. */
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void handle(int number)
{
    (void)number;
    handled++;
}

static void handle_with_more(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
    handled++;
}

/* There is a temporary file when it is said that costs are divided. */
static void raise_it(void *user, const struct cg2wg_message *message)
{
    if (strstr(message->text, "divided") != NULL)
        raise(*(const int *)user);
}

static void convert_with(int number, const struct sigaction *action)
{
    static const char profile[] = "events: Ir\nsummary: 4\nfn=f\n1 4\n";
    struct sigaction old;
    struct cg2wg_options options = default_options();
    char *input = scratch_path("input"), *output = scratch_path("output");
    options.scale = 2;
    options.report = raise_it;
    options.user = &number;
    write_file(input, profile, strlen(profile));
    handled = 0;
    assert_int_equal(sigaction(number, action, &old), 0);
    assert_int_equal(cg2wg_convert(input, output, &options, NULL), CG2WG_OK);
    assert_int_equal(handled, 1);
    assert_int_equal(access(output, F_OK), 0);
    assert_int_equal(sigaction(number, &old, NULL), 0);
    free(input);
    free(output);
}

/* A timer of the caller's, say. */
static void a_signal_that_is_handled_does_not_end_a_conversion(void **state)
{
    static const int numbers[] = {SIGALRM, SIGUSR1, SIGPROF, SIGTERM, SIGPIPE};
    struct sigaction plain = {.sa_handler = handle}, with_more = {.sa_flags = SA_SIGINFO};
    with_more.sa_sigaction = handle_with_more;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        convert_with(numbers[i], &plain);
        convert_with(numbers[i], &with_more);
    }
}

static void take_nothing(void *user, const struct cg2wg_profile *profile)
{
    (void)user;
    (void)profile;
}

static void assert_descriptors_are_open(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        assert_int_not_equal(fcntl(fd, F_GETFD), -1);
}

static void the_callers_descriptors_stay_open(void **state)
{
    static const char *const profiles[] = {"events: Ir\nsummary: 4\nfn=f\n1 4\n", "malformed"};
    struct cg2wg_options options = default_options();
    char *input = scratch_path("input"), *output = scratch_path("output");
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        write_file(input, profiles[i], strlen(profiles[i]));
        unlink(output);
        enum cg2wg_status expected = i == 0 ? CG2WG_OK : CG2WG_FAILED;
        assert_int_equal(cg2wg_convert(input, output, &options, NULL), expected);
        assert_descriptors_are_open();
        assert_int_equal(cg2wg_read(input, &options, CG2WG_WANTS_CONTEXTS, take_nothing, NULL), expected);
        assert_descriptors_are_open();
    }
    free(input);
    free(output);
}

/* Every file that the library opens may be number 0. */
static void without_standard_input_every_file_is_closed_again(void **state)
{
    static const char profile[] = "events: Ir\nsummary: 4\nfn=f\n1 4\n";
    struct cg2wg_options options = default_options();
    char *input = scratch_path("input"), *output = scratch_path("output");
    write_file(input, profile, strlen(profile));
    unlink(output);
    int kept = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    enum cg2wg_status status = cg2wg_convert(input, output, &options, NULL);
    bool is_closed = fcntl(STDIN_FILENO, F_GETFD) == -1;
    if (kept >= 0) {
        dup2(kept, STDIN_FILENO);
        close(kept);
    }
    assert_int_equal(status, CG2WG_OK);
    assert_true(is_closed);
    free(input);
    free(output);
}

/* Prints and converts to files that may have 600 bytes. Returns how many of these calls have failed for that reason. */
static unsigned fail_by_limit(void)
{
    static const enum cg2wg_style styles[] = {CG2WG_TABLE, CG2WG_JSON, CG2WG_PAGE, CG2WG_STACKS, CG2WG_PPROF};
    char *input = scratch_path("input"), *output = scratch_path("output");
    struct cg2wg_options options = default_options();
    struct cg2wg_view view;
    unsigned failed = 0;
    FILE *file = fopen(input, "w");
    assert_non_null(file);
    fputs("creator: xdebug 3.1.0\nevents: Time\n\n", file);
    for (int i = 0; i < 200; i++)
        fprintf(file, "fl=a\nfn=some_function_%d\n%d 4\n\n", i, i);
    assert_int_equal(fclose(file), 0);
    unlink(output);
    struct rlimit old, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = (struct rlimit){.rlim_cur = 600, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    failed += cg2wg_convert(input, output, &options, NULL) == CG2WG_FAILED;
    cg2wg_view_init(&view, sizeof view);
    view.output = output;
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        view.style = styles[i];
        failed += cg2wg_print(input, &options, &view, NULL, NULL) == CG2WG_FAILED;
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(access(output, F_OK), -1);
    free(input);
    free(output);
    return failed;
}

/* The caller may ignore or handle SIGXFSZ, or block it, or do nothing about it. */
static void a_limit_is_an_error_whatever_the_caller_does_with_its_signal(void **state)
{
    const struct sigaction actions[] = {{.sa_handler = SIG_DFL}, {.sa_handler = SIG_IGN}, {.sa_handler = handle}};
    for (size_t i = 0; i < 2 * sizeof actions / sizeof actions[0]; i++) {
        struct sigaction before, after;
        sigset_t mask, old, now, pending;
        sigemptyset(&mask);
        if (i % 2 == 1)
            sigaddset(&mask, SIGXFSZ);
        assert_int_equal(sigaction(SIGXFSZ, &actions[i / 2], &before), 0);
        assert_int_equal(pthread_sigmask(SIG_SETMASK, &mask, &old), 0);
        assert_int_equal(fail_by_limit(), 6);
        assert_int_equal(sigaction(SIGXFSZ, NULL, &after), 0);
        assert_ptr_equal(after.sa_handler, actions[i / 2].sa_handler);
        assert_int_equal(sigpending(&pending), 0);
        assert_int_equal(sigismember(&pending, SIGXFSZ), actions[i / 2].sa_handler == handle && i % 2 == 1);
        assert_int_equal(pthread_sigmask(SIG_SETMASK, &old, &now), 0);
        assert_int_equal(sigismember(&now, SIGXFSZ), i % 2);
        assert_int_equal(sigismember(&now, SIGTERM), 0);
        assert_int_equal(sigaction(SIGXFSZ, &before, NULL), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_that_is_handled_does_not_end_a_conversion),
        cmocka_unit_test(a_limit_is_an_error_whatever_the_caller_does_with_its_signal),
        cmocka_unit_test(the_callers_descriptors_stay_open),
        cmocka_unit_test(without_standard_input_every_file_is_closed_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Threads that wait for input that never comes, and are cancelled. */
#include "support.h"

#include "os/file.h"
#include "os/thread.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { THREADS = 3, PLENTY = 60 /* seconds, for what is over at once unless it hangs */ };

/* A thread that waits at a place for a pipe. */
struct waiter {
    struct waiting_place *place;
    int fd;
    bool entered;
};

static void *wait_there(void *argument)
{
    struct waiter *w = argument;
    w->entered = waiting_place_enter(w->place, w->fd);
    return NULL;
}

/* Also where the place's pipe is open elsewhere, as in a program that was started just then. */
static void all_threads_are_called_off(void **state)
{
    (void)state;
    struct waiting_place place;
    struct waiter waiters[THREADS];
    pthread_t threads[THREADS];
    int silent[2];
    assert_int_equal(pipe(silent), 0);
    assert_true(waiting_place_open(&place));
    int elsewhere[2] = {dup(place.ends[0]), dup(place.ends[1])};
    alarm(PLENTY);
    for (int i = 0; i < THREADS; i++) {
        waiters[i] = (struct waiter){.place = &place, .fd = silent[0]};
        assert_int_equal(thread_start(&threads[i], wait_there, &waiters[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        waiting_place_join(&place, threads[i]);
        assert_false(waiters[i].entered);
    }
    alarm(0);
    waiting_place_close(&place);
    for (int i = 0; i < 2; i++) {
        close(elsewhere[i]);
        close(silent[i]);
    }
}

static void what_is_there_is_entered(void **state)
{
    (void)state;
    struct waiting_place place;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_true(waiting_place_open(&place));
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_true(waiting_place_enter(&place, ends[0]));
    close(ends[1]);
    assert_true(waiting_place_enter(&place, ends[0])); /* reading will end after it */
    close(ends[0]);
    waiting_place_close(&place);
}

static void do_nothing(int number)
{
    (void)number;
}

/* A signal comes in between, again and again. */
static void what_is_not_there_is_not_ready(void **state)
{
    (void)state;
    const struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    const struct sigaction handled = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
    struct sigaction old;
    int ends[2];
    unsigned ready = 0;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(sigaction(SIGALRM, &handled, &old), 0);
    setitimer(ITIMER_REAL, &often, NULL);
    for (unsigned i = 0; i < (is_watched() ? 10000 : 200000); i++)
        ready += file_is_ready(ends[0]);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    assert_int_equal(ready, 0);
    close(ends[1]);
    assert_true(file_is_ready(ends[0]));
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_threads_are_called_off),
        cmocka_unit_test(what_is_there_is_entered),
        cmocka_unit_test(what_is_not_there_is_not_ready),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Threads that wait for input that never comes, and are cancelled. */
#include "support.h"

#include "os/program.h"
#include "os/thread.h"

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
    struct program none = program_of(NULL, NULL);
    w->entered = program_feed(&none, w->fd, w->place);
    return NULL;
}

/* Also where the place's pipe is open elsewhere, as in a program that was started just then. */
static void all_threads_are_called_off(void **state)
{
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
    waiting_place_end(&place, threads, THREADS);
    alarm(0);
    for (int i = 0; i < THREADS; i++)
        assert_false(waiters[i].entered);
    for (int i = 0; i < 2; i++) {
        close(elsewhere[i]);
        close(silent[i]);
    }
}

static void what_is_there_is_entered(void **state)
{
    struct waiting_place place;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_true(waiting_place_open(&place));
    assert_int_equal(write(ends[1], "x", 1), 1);
    struct waiter w = {.place = &place, .fd = ends[0]};
    wait_there(&w);
    assert_true(w.entered);
    close(ends[1]);
    wait_there(&w);
    assert_true(w.entered); /* reading will end after it */
    close(ends[0]);
    waiting_place_end(&place, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_threads_are_called_off),
        cmocka_unit_test(what_is_there_is_entered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

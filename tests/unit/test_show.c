/* Messages on standard error: whole, and written at once. */
#include "support.h"

#include "cli/show.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * Puts such a message on standard error, which here is a socket that keeps one write from the next.
 * Sets `written` to all that comes. Returns in how many writes it did.
 */
static unsigned write_message(const char *const *parts, char *written, size_t size)
{
    struct message_line message;
    int ends[2], standard_error = dup(STDERR_FILENO);
    size_t used = 0;
    unsigned writes = 0;
    assert_true(standard_error >= 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    message_begin(&message);
    for (; *parts != NULL; parts++)
        message_add(&message, *parts);
    message_end(&message);
    assert_int_equal(dup2(standard_error, STDERR_FILENO), STDERR_FILENO);
    close(standard_error);
    close(ends[1]);
    for (ssize_t got; (got = recv(ends[0], written + used, size - used - 1, MSG_DONTWAIT)) > 0;
         writes++)
        used += (size_t)got;
    close(ends[0]);
    written[used] = '\0';
    return writes;
}

static void a_message_is_written_at_once(void **state)
{
    (void)state;
    char written[200];
    static const char *const parts[] = {"a\033[31m\xc2\x9b", ":", "12: ", "", "found x", NULL};
    assert_int_equal(write_message(parts, written, sizeof written), 1);
    assert_string_equal(written, "cg2wg: a?[31m??:12: found x\n");
}

/* Of three bytes each, so that no power of two falls between two characters. */
static void a_long_message_is_whole(void **state)
{
    (void)state;
    enum { CHARACTERS = 10000, START = 7 };
    static const char character[] = "\xe2\x82\xac";
    char *text = malloc(3 * CHARACTERS + 1), *written = malloc(4 * CHARACTERS);
    assert_true(text != NULL && written != NULL);
    for (size_t i = 0; i <= 3 * CHARACTERS; i++)
        text[i] = character[i % 3];
    text[3 * CHARACTERS] = '\0';
    const char *const parts[] = {text, NULL};
    assert_true(write_message(parts, written, 4 * CHARACTERS) < 10);
    assert_int_equal(strlen(written), START + 3 * CHARACTERS + 1);
    assert_memory_equal(written + START, text, 3 * CHARACTERS);
    assert_int_equal(written[START + 3 * CHARACTERS], '\n');
    free(text);
    free(written);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_written_at_once),
        cmocka_unit_test(a_long_message_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

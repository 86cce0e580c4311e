/* SPDX-License-Identifier: MIT */
/* Which files a recording may name: regular ones, below the root, that no stranger has made. */
#include "recording.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* If the recording names a FIFO that nobody writes to, or a folder, nothing waits. */
static void only_regular_files_are_opened(void **state)
{
    struct recording r = begin();
    char *fifo = scratch_path("fifo");
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    map(&r, 5, 0, 0x7000, 0x1000, 0, "/srv/fifo");
    map(&r, 5, 0, 0x9000, 0x1000, 0, "/srv/..");
    sample(&r, 10, 1, STACK(USER, 0x7010, IN_USER, 0x7010));
    sample(&r, 11, 2, STACK(USER, 0x9010, IN_USER, 0x9010));
    expect(finish(&r), NULL, NO_SYMBOLS("/srv/fifo, /srv/.."),
           "/srv/fifo [fifo] line=0 self=1 incl=1 inv=1\n"
           "/srv/.. [..] line=0 self=2 incl=2 inv=1\n" HEADERS("3"));
    free(fifo);
}

/* A process that is killed sooner or later, also if the test fails before it has done so. */
static pid_t fork_for_a_while(void)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        alarm(60);
    return pid;
}

/* A process of another user, which waits. */
static pid_t start_other_process(uid_t user)
{
    struct stat process = {.st_uid = 0};
    char path[40];
    pid_t pid = fork_for_a_while();
    if (pid == 0) {
        if (setuid(user) == 0)
            pause();
        _exit(1);
    }
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    while (process.st_uid != user)
        assert_int_equal(stat(path, &process), 0);
    return pid;
}

/* In /tmp, where anybody may have made it: of this user, of root or of the process's user, and no link. */
static void maps_of_others_are_not_read(void **state)
{
    enum { OWN, OTHERS, OF_ITS_PROCESS, ROOTS, LINK, PIPE, COUNT, ITS_USER = 12345, STRANGER = 12346 };
    struct cg2wg_options options = default_options();
    char map_path[40], warning[300], *target = scratch_path("target");
    char *folder = scratch_path("."), *input = scratch_path("input");
    if (geteuid() != 0)
        skip();
    write_text_in_root("target", "7000 200 made\n");
    assert_int_equal(chmod(folder, 0777), 0);
    pid_t pid = start_other_process(ITS_USER);
    snprintf(map_path, sizeof map_path, "/tmp/perf-%d.map", (int)pid);
    snprintf(warning, sizeof warning, NO_SYMBOLS("%s"), map_path);
    for (int kind = 0; kind < COUNT; kind++) {
        struct recording r = begin();
        bool is_read = kind == OWN || kind == OF_ITS_PROCESS || kind == ROOTS;
        unlink(map_path);
        if (kind == LINK)
            assert_int_equal(symlink(target, map_path), 0);
        else if (kind == PIPE)
            assert_int_equal(mkfifo(map_path, 0600), 0);
        else
            write_file(map_path, "7000 200 made\n", 14);
        if (kind == OTHERS || kind == OF_ITS_PROCESS)
            assert_int_equal(chown(map_path, kind == OTHERS ? STRANGER : ITS_USER, 0), 0);
        map(&r, (uint32_t)pid, 0, 0x7000, 0x1000, 0, "//anon");
        sample_of(&r, 0, (uint32_t)pid, (uint32_t)pid, 10, 1, STACK(USER, 0x7010, IN_USER, 0x7010));
        unlink(input);
        assert_int_equal(seteuid(kind == ROOTS ? STRANGER : 0), 0);
        expect(finish(&r), &options, is_read ? "" : warning,
               is_read ? "[JIT] made line=0 self=1 incl=1 inv=1\n" HEADERS("1")
                       : "[JIT] [JIT] line=0 self=1 incl=1 inv=1\n" HEADERS("1"));
        assert_int_equal(seteuid(0), 0);
    }
    unlink(map_path);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    remove_from_root("target");
    free(target);
    free(folder);
    free(input);
}

/* Switches a folder and a link that leads out of the root, again and again. */
static pid_t start_switching(const char *folder, const char *link_path, const char *spare)
{
    pid_t pid = fork_for_a_while();
    while (pid == 0) {
        rename(folder, spare);
        rename(link_path, folder);
        rename(folder, link_path);
        rename(spare, folder);
    }
    return pid;
}

/* Whoever can write below --symfs has no way out, however fast. */
static void nothing_outside_is_read_while_links_change(void **state)
{
    enum { ROUNDS = 1000 };
    static const struct symbol secret = {"secret", TEXT_AT, 0x300, FUNCTION, 0};
    char *root = scratch_path("root"), *folder = scratch_path("root/d"), *link_path = scratch_path("root/link"),
         *spare = scratch_path("root/spare"), *outside = scratch_path("outside");
    struct cg2wg_options options = with_root();
    struct recording r = begin();
    unsigned found = 0;
    assert_int_equal(mkdir(root, 0700) | mkdir(folder, 0700) | mkdir(outside, 0700) | symlink(outside, link_path), 0);
    write_in_root("root/d/other", elf(true, 62, 2, own_id, usual_symbols, 3));
    write_in_root("outside/other", elf(true, 62, 2, own_id, &secret, 1));
    map(&r, 5, 0, 0x7000, 0x1000, 0x1000, "/d/other");
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
    struct bytes recording = finish(&r);
    options.samples.root = root;
    pid_t pid = start_switching(folder, link_path, spare);
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct conversion_result result = convert_bytes(recording.at, recording.length, &options);
        assert_null(strstr(result.dump, "secret"));
        found += strstr(result.dump, "/d/other f ") != NULL;
        conversion_free(&result);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_true(found > 0);
    command_in_root("rm -r", "outside");
    command_in_root("rm -r", "root");
    free(root);
    free(folder);
    free(link_path);
    free(spare);
    free(outside);
    free_bytes(&recording);
}

/* Folders beside the root, of which the rest of a path would be one below it; a name that is no path; a FIFO. */
static void only_regular_files_below_the_root_are_read(void **state)
{
    static const char *const paths[] = {"/../toor/sub/app", "/../rootXsub/app"};
    static const char *const folders[] = {"root", "root/sub", "toor", "toor/sub", "rootXsub"};
    char *root = scratch_path("root"), *here = scratch_path(""), *fifo = scratch_path("wait");
    char before[4096], dump[8192];
    struct cg2wg_options options = with_root();
    options.samples.root = root;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        command_in_root("mkdir", folders[i]);
    write_in_root("root/sub/app", elf(true, 62, 2, own_id, usual_symbols, 3));
    write_in_root("toor/sub/app", elf(true, 62, 2, own_id, usual_symbols, 3));
    write_in_root("rootXsub/app", elf(true, 62, 2, own_id, usual_symbols, 3));
    for (size_t i = 0; i < 2; i++) {
        struct recording r = begin();
        map(&r, 5, 0, 0x7000, 0x1000, 0x1000, paths[i]);
        sample(&r, 10, 1, STACK(USER, F, IN_USER, F));
        snprintf(dump, sizeof dump, "%s [app] line=0 self=1 incl=1 inv=1\n" HEADERS("1"), paths[i]);
        struct conversion_result result = convert(finish(&r), &options);
        assert_string_equal(result.dump, dump);
        conversion_free(&result);
    }
    write_in_root("app", elf(true, 62, 2, own_id, usual_symbols, 3));
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(here), 0);
    options.samples.root = NULL;
    struct recording r = begin();
    map(&r, 5, 0, 0x7000, 0x1000, 0x1000, "app");
    map(&r, 5, 0, 0x17000, 0x1000, 0x1000, fifo);
    sample(&r, 10, 1, STACK(USER, F, IN_USER, F));
    sample(&r, 11, 1, STACK(USER, 0x10000 + F, IN_USER, 0x10000 + F));
    snprintf(dump, sizeof dump, "app [app] line=0 self=1 incl=1 inv=1\n"
             "%s [wait] line=0 self=1 incl=1 inv=1\n" HEADERS("2"), fifo);
    alarm(60);
    struct conversion_result result = convert(finish(&r), &options);
    alarm(0);
    assert_string_equal(result.dump, dump);
    conversion_free(&result);
    assert_int_equal(chdir(before), 0);
    command_in_root("rm", "app");
    command_in_root("rm", "wait");
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        command_in_root("rm -rf", folders[i]);
    free(root);
    free(here);
    free(fifo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_regular_files_are_opened),
        cmocka_unit_test(maps_of_others_are_not_read),
        cmocka_unit_test(nothing_outside_is_read_while_links_change),
        cmocka_unit_test(only_regular_files_below_the_root_are_read),
    };
    return cmocka_run_group_tests(tests, make_program, NULL);
}

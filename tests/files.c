/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void fail_to(const char *what, const char *path)
{
    fprintf(stderr, "cannot %s %s\n", what, path);
    abort();
}

static char scratch[256];

static void remove_scratch(void)
{
    DIR *folder = opendir(scratch);
    if (folder == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    rmdir(scratch);
}

char *scratch_path(const char *name)
{
    if (scratch[0] == '\0') {
        /* In memory, if that is possible: on a disk, most of the time would be that of opening, syncing and deleting. */
        const char *folder = getenv("TMPDIR"), *usual = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        int length = snprintf(scratch, sizeof scratch, "%s/cg2wg-test-XXXXXX",
                              folder != NULL && *folder != '\0' ? folder : usual);
        if (length >= (int)sizeof scratch || mkdtemp(scratch) == NULL)
            fail_to("make", scratch);
        atexit(remove_scratch);
        setenv("HOME", scratch, 1); /* in that of the user, perf may have copies of this machine's files */
    }
    size_t size = strlen(scratch) + strlen(name) + 2;
    char *path = malloc(size);
    snprintf(path, size, "%s/%s", scratch, name);
    return path;
}

char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_to("read", path);
    char *bytes = NULL;
    size_t length = 0, count;
    do {
        bytes = realloc(bytes, length + 65536 + 1);
        count = fread(bytes + length, 1, 65536, file);
        length += count;
    } while (count > 0);
    fclose(file);
    bytes[length] = '\0';
    if (size != NULL)
        *size = length;
    return bytes;
}

/* Writing into an existing file may take long, because it waits for the disk. */
void write_file(const char *path, const void *bytes, size_t size)
{
    unlink(path);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fail_to("write", path);
}

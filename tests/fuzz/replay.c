/* SPDX-License-Identifier: MIT */
/*
 * Replaces libFuzzer: runs a target with the inputs in the given files and directories, or in
 * tests/fuzz/corpus/NAME, where the program is fuzz_NAME.
 */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static unsigned long replayed;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void replay(const char *path);

static void replay_folder(const char *path)
{
    char **names = NULL;
    size_t count = 0;
    DIR *stream = opendir(path);
    FUZZ_CHECK(stream != NULL);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        size_t size = strlen(path) + strlen(entry->d_name) + 2;
        names = realloc(names, (count + 1) * sizeof *names);
        FUZZ_CHECK(names != NULL && (names[count] = malloc(size)) != NULL);
        snprintf(names[count++], size, "%s/%s", path, entry->d_name);
    }
    closedir(stream);
    if (count > 0)
        qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        replay(names[i]);
        free(names[i]);
    }
    free(names);
}

static void replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        perror(path);
        exit(1);
    }
    if (S_ISDIR(st.st_mode)) {
        replay_folder(path);
        return;
    }
    size_t size;
    char *bytes = read_file(path, &size);
    if (getenv("FUZZ_VERBOSE") != NULL)
        fprintf(stderr, "%s\n", path);
    /* A copy of the exact size, so that a tool that guards memory sees what is read after it. */
    uint8_t *copy = malloc(size);
    if (size > 0)
        memcpy(copy, bytes, size);
    free(bytes);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    replayed++;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/'), *name = slash != NULL ? slash + 1 : argv[0];
    char corpus[256];
    name += strncmp(name, "fuzz_", 5) == 0 ? 5 : 0;
    snprintf(corpus, sizeof corpus, "tests/fuzz/corpus/%s", name);
    if (argc < 2)
        replay(corpus);
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    if (argc < 2 && fuzz_check_corpus != NULL)
        fuzz_check_corpus();
    printf("fuzz_%s: replayed %lu inputs\n", name, replayed);
    return replayed > 0 ? 0 : 1;
}

/*
 * generate FOLDER COUNT VIEWS...: writes generated profiles (tests/generator.h) number 1 to COUNT to FOLDER/N, and of
 * each a damaged one to FOLDER/N.bad. Of inputs of the fuzz target view, VIEWS, it writes the two preprocessed files to
 * FOLDER/view-N.0 and FOLDER/view-N.1.
 */
#include "generator.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_input(const char *folder, const char *name, int number, const char *ending, const void *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%d%s", folder, name, number, ending);
    write_file(path, bytes, size);
}

/* Loses the end of a text, or some of its bytes become others. Returns the size. */
static size_t damage(char *text, size_t size, uint64_t random)
{
    static const char bytes[] = "\n( )-+=:0 9*fcn#\r\t\0\xff";
    if (random_below(&random, 2) == 0)
        return random_below(&random, (uint32_t)size);
    for (uint32_t i = random_below(&random, 6) + 1; i > 0; i--) {
        uint32_t at = random_below(&random, (uint32_t)size);
        text[at] = random_below(&random, 2) == 0 ? bytes[random_below(&random, sizeof bytes)]
                                                 : (char)(text[at] ^ 1 << random_below(&random, 7));
    }
    return size;
}

/* An input of fuzz_view.c: a byte, three patterns, the size of the first file, both files. */
static void split_view(const char *folder, int number, const char *path)
{
    size_t size;
    char *bytes = read_file(path, &size), *at = bytes + 1, *end = bytes + size;
    for (int i = 0; i < 3 && at != NULL && at < end; i++) {
        at = memchr(at, '\0', (size_t)(end - at));
        at = at != NULL ? at + 1 : NULL;
    }
    if (at != NULL && end - at > 2) {
        size_t first = (size_t)(unsigned char)at[0] | (size_t)(unsigned char)at[1] << 8;
        at += 2;
        if (first <= (size_t)(end - at)) {
            write_input(folder, "view-", number, ".0", at, first);
            write_input(folder, "view-", number, ".1", at + first, (size_t)(end - at) - first);
        }
    }
    free(bytes);
}

int main(int argc, char **argv)
{
    static struct generated g;
    int count = argc > 2 ? atoi(argv[2]) : 0;
    for (int n = 1; n <= count; n++) {
        generate(&g, (uint64_t)n);
        write_input(argv[1], "", n, "", g.text, g.size);
        write_input(argv[1], "", n, ".bad", g.text, damage(g.text, g.size, (uint64_t)n * UINT64_C(0x9e3779b97f4a7c15)));
        generated_free(&g);
    }
    for (int i = 3; i < argc; i++)
        split_view(argv[1], i - 2, argv[i]);
    return 0;
}

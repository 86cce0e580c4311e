#include "preprocessed_file.h"

#include <stdio.h>
#include <stdlib.h>

/* The file's bytes, malloc'ed; NULL if it cannot be read. */
static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    unsigned char *bytes = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        bytes = end < 0 ? NULL : malloc((size_t)end + 1);
        *size = (size_t)end;
    }
    rewind(file);
    if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

bool preprocessed_read(struct preprocessed *p, const char *path, struct diag *diag)
{
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    bool done = bytes != NULL && preprocessed_check(p, text_of((const char *)bytes, size), diag);
    if (done && p->owned == NULL)
        p->owned = bytes;
    else
        free(bytes);
    return done;
}

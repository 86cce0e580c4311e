/* SPDX-License-Identifier: MIT */
#include "preprocessed_file.h"

#include "util/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

struct attempt {
    struct preprocessed *p;
    void *bytes;
    size_t size;
    struct diag *diag;
};

static void attempt(void *of)
{
    struct attempt *a = of;
    preprocessed_check(a->p, a->bytes, a->size, a->diag);
}

bool preprocessed_try(struct preprocessed *p, struct text file, struct diag *diag)
{
    struct attempt a = {p, malloc(text_length(file) + 1), text_length(file), diag};
    if (a.bytes != NULL)
        memcpy(a.bytes, file.at, a.size);
    bool done = a.bytes != NULL && task_run(attempt, &a) == TASK_DONE;
    if (!done)
        free(a.bytes);
    return done;
}

void preprocessed_free(struct preprocessed *p)
{
    free(p->bytes);
    p->bytes = NULL;
}

double preprocessed_total(const struct preprocessed *p, unsigned *runs)
{
    struct text rest = p->headers, key, value;
    double total = 0;
    *runs = 0;
    while (preprocessed_next_header(&rest, &key, &value)) {
        uint64_t number = 0;
        if (!text_equals(key, "summary"))
            continue;
        ++*runs;
        if (text_take_number(&value, &number, NULL))
            total += (double)number;
    }
    return total;
}

bool preprocessed_read(struct preprocessed *p, const char *path, struct diag *diag)
{
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    bool done = bytes != NULL && preprocessed_try(p, text_of((const char *)bytes, size), diag);
    free(bytes);
    return done;
}

/* ---- markup ------------------------------------------------------------------------------- */

/* Does a `<` or `&` begin a tag, a comment or a character reference? Three entities are allowed. */
static bool has_markup(struct text t, bool allows_entities)
{
    static const char *const entities[] = {"&lt;", "&amp;", "&quot;"};
    for (const char *p = t.at; p + 1 < t.end; p++) {
        bool is_entity = false;
        for (size_t i = 0; allows_entities && i < 3; i++)
            is_entity |= text_starts((struct text){p, t.end}, entities[i]);
        if ((*p == '<' && (char_is_alpha(p[1]) || strchr("/!?", p[1]) != NULL)) ||
            (*p == '&' && !is_entity && (char_is_alpha(p[1]) || p[1] == '#')))
            return true;
    }
    return false;
}

/* PHP's trim(), which the reader applies to each line. */
static struct text trimmed(struct text t)
{
    static const char blanks[6] = {' ', '\t', '\n', '\r', '\v', '\0'};
    while (!text_is_empty(t) && memchr(blanks, *t.at, sizeof blanks) != NULL)
        t.at++;
    while (!text_is_empty(t) && memchr(blanks, t.end[-1], sizeof blanks) != NULL)
        t.end--;
    return t;
}

static bool has_quote(struct text t)
{
    return !text_is_empty(t) && memchr(t.at, '"', text_length(t)) != NULL;
}

/* May the file viewer, which prints a file as it is, run a script? An attribute needs a `=`. */
static bool has_script(struct text t)
{
    for (const char *p = t.at; p + 1 < t.end; p++) {
        struct text rest = {p + 1, t.end};
        if (*p == '<' && char_is_alpha(p[1]) &&
            (memchr(p, '=', (size_t)(t.end - p)) != NULL ||
             (text_length(rest) >= 6 && strncasecmp(rest.at, "script", 6) == 0)))
            return true;
    }
    return false;
}

/*
 * A name:  '<a ...>' + functionName + '</a>', and if the file is php:internal (which is compared after
 *          trim()), '<a href="http://php.net/' + functionName.substr(5) + '">'
 * A file:  '<a href="' + sprintf(fileUrlFormat, urlencode(file)) + '">'; without urlencode before release 1.1,
 *          which reads version 6
 */
static const char *markup_in_function(const struct preprocessed *p, const struct preprocessed_function *f)
{
    if (has_markup(f->name, true))
        return "a name is markup";
    if (text_equals(trimmed(f->file), "php:internal") && has_quote(f->name))
        return "a name ends a link to the manual";
    if (p->version <= 6 && has_quote(f->file))
        return "a file ends a link to the file viewer";
    return has_script(f->file) ? "a file is a script" : NULL;
}

/*
 * $parts = explode(': ', $line), of which the first is the key and the second the value; the last line of
 * a key counts. The page contains `cmd` as $("#invoke_url").html(...), and `runs` as $("#runs").html(...).
 */
static const char *markup_in_header(struct text line)
{
    struct text value = line, rest;
    while (text_length(value) > 0 && !text_starts(value, ": "))
        value.at++;
    struct text key = {line.at, value.at};
    value.at += text_is_empty(value) ? 0 : 2;
    for (rest = value; text_equals(key, "runs") && !text_is_empty(rest); rest.at++)
        if (!char_is_digit(*rest.at))
            return "runs: is no number";
    return has_markup(value, false) ? "the value of a header is markup" : NULL;
}

const char *preprocessed_markup(const void *bytes, size_t size)
{
    static const char mark[] = "\ncg2wg-escaped: html\n", other[] = "\ncg2wg-written: html\n";
    struct diag diag = {.input = "output"};
    struct preprocessed p;
    const char *found = NULL;
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return "no memory";
    memcpy(copy, bytes, size);
    /* Without the line that says that they are escaped, the reader shows them as they are written. */
    if (size > sizeof mark && memcmp(copy + size - sizeof mark + 1, mark, sizeof mark - 1) == 0)
        memcpy(copy + size - sizeof mark + 1, other, sizeof mark - 1);
    if (!preprocessed_try(&p, text_of(copy, size), &diag)) {
        free(copy);
        return "it cannot be read";
    }
    for (uint32_t i = 0; i < p.function_count && found == NULL; i++) {
        struct preprocessed_function f = preprocessed_function(&p, i);
        found = markup_in_function(&p, &f);
    }
    for (struct text rest = p.headers; !text_is_empty(rest) && found == NULL;)
        found = markup_in_header(trimmed(text_take_to(&rest, '\n')));
    preprocessed_free(&p);
    free(copy);
    return found;
}

const char *preprocessed_markup_in(const char *path)
{
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    const char *found = bytes != NULL ? preprocessed_markup(bytes, size) : "it cannot be read";
    free(bytes);
    return found;
}

/* Counts the words of a file and shows the most frequent ones: a hash table, a heap sort, recursion. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char *text;
    unsigned count;
};

struct table {
    struct word *words;
    size_t used, size;
};

static unsigned hash(const char *text)
{
    unsigned h = 2166136261u;
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

static int same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

static struct word *find(const struct table *t, const char *text)
{
    size_t i = hash(text) % t->size;
    while (t->words[i].text != NULL && !same(t->words[i].text, text))
        i = (i + 1) % t->size;
    return &t->words[i];
}

static void grow(struct table *t)
{
    struct table larger = {calloc(t->size * 2, sizeof *t->words), t->used, t->size * 2};
    for (size_t i = 0; i < t->size; i++)
        if (t->words[i].text != NULL)
            *find(&larger, t->words[i].text) = t->words[i];
    free(t->words);
    *t = larger;
}

static void count(struct table *t, const char *text)
{
    if (t->used * 2 >= t->size)
        grow(t);
    struct word *w = find(t, text);
    if (w->text == NULL) {
        w->text = strdup(text);
        t->used++;
    }
    w->count++;
}

static int next_word(FILE *file, char *word, size_t size)
{
    int c;
    size_t length = 0;
    while ((c = getc(file)) != EOF && !isalpha(c))
        ;
    for (; c != EOF && isalpha(c); c = getc(file))
        if (length + 1 < size)
            word[length++] = (char)tolower(c);
    word[length] = '\0';
    return length > 0;
}

static void read_words(struct table *t, const char *path)
{
    char word[64];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        exit(1);
    while (next_word(file, word, sizeof word))
        count(t, word);
    fclose(file);
}

static int before(const struct word *a, const struct word *b)
{
    return a->count != b->count ? a->count > b->count : strcmp(a->text, b->text) < 0;
}

static void swap(struct word *a, struct word *b)
{
    struct word c = *a;
    *a = *b;
    *b = c;
}

static void sift_down(struct word *words, size_t i, size_t n)
{
    size_t last = i;
    for (size_t child = 2 * i + 1; child < n && child <= 2 * i + 2; child++)
        if (before(&words[last], &words[child]))
            last = child;
    if (last != i) {
        swap(&words[i], &words[last]);
        sift_down(words, last, n);
    }
}

static void sort(struct word *words, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift_down(words, i, n);
    while (n > 1) {
        swap(&words[0], &words[--n]);
        sift_down(words, 0, n);
    }
}

static size_t gather(struct table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->size; i++)
        if (t->words[i].text != NULL)
            t->words[n++] = t->words[i];
    return n;
}

int main(int argc, char **argv)
{
    struct table t = {calloc(16, sizeof *t.words), 0, 16};
    read_words(&t, argc > 1 ? argv[1] : "words.c");
    size_t n = gather(&t);
    sort(t.words, n);
    for (size_t i = 0; i < 5 && i < n; i++)
        printf("%u %s\n", t.words[i].count, t.words[i].text);
    return 0;
}

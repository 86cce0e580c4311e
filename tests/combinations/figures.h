/* SPDX-License-Identifier: MIT */
/* What the program prints in each style, read back as figures: totals, and the costs and counts of rows. */
#ifndef CG2WG_TESTS_FIGURES_H
#define CG2WG_TESTS_FIGURES_H

#include "cg2wg_print.h"

/* ---- memory, all of which is freed at once ------------------------------------------------ */

void *keep(size_t size); /* zeroed */
char *keep_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void forget_all(void);

/* ---- JSON --------------------------------------------------------------------------------- */

struct json {
    char kind; /* `{`, `[`, `"`, `0` or the first letter of a word */
    bool has_fraction;
    const char *key, *text; /* bytes that are not printable ASCII are ? */
    int64_t number;         /* without its fraction */
    struct json *first, *next;
};

/* NULL: it is not JSON, or the key is not there. Texts end with a NUL. */
struct json *json_parse(const char *text, size_t length);
const struct json *json_get(const struct json *object, const char *key);
int64_t json_number_of(const struct json *object, const char *key);
const struct json *json_at(const struct json *array, size_t place);

/* ---- figures ------------------------------------------------------------------------------ */

#define NO_COST INT64_MIN /* there is none: a dash or null */

enum { MOST_EVENTS = 40 };

/* Of a comparison, the first event is what is now, the second what was. */
struct row {
    const char *name, *place;  /* letters and digits of the name, and of name, file and object */
    const char *file, *object; /* likewise; "" if unknown or if the style does not say */
    const char *exact;         /* name, file and object as they were read */
    uint64_t number;
    int64_t self[MOST_EVENTS], inclusive[MOST_EVENTS], count;
};

struct figures {
    size_t event_count, count;
    const char *events[MOST_EVENTS];
    int64_t shares[MOST_EVENTS]; /* what percentages are of */
    struct row *rows;
    int64_t left_out;          /* the self cost of rows that are left out, of the first event */
    const struct json *parsed; /* of JSON */
};

/* Reads what was printed. Returns what is wrong with it; NULL: nothing. Of PICTURE and PLOT, there are no figures. */
const char *figures_read(enum cg2wg_style style, const char *text, size_t length, struct figures *f);

/* Parts of figures that are compared. Rows without any cost may be missing on either side. */
enum {
    BY_NAME = 1,  /* rows of one name are added */
    BY_ORDER = 2, /* rows in the order in which they are; otherwise by place */
    COSTS = 4,    /* self costs are, and these: */
    INCLUSIVES = 8,
    COUNTS = 16,
    SHARES = 32,
    ALL_FIGURES = COSTS | INCLUSIVES | COUNTS | SHARES
};

/* What differs; NULL: nothing. */
const char *figures_differ(const struct figures *a, const struct figures *b, unsigned parts);
struct figures figures_sum(const struct figures *a, const struct figures *b);
struct figures figures_event(const struct figures *f, size_t event);
int64_t figures_self(const struct figures *f, size_t event);

#endif

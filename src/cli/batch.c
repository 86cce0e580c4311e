/* SPDX-License-Identifier: MIT */
#include "cli/batch.h"

#include "cli/messages.h"
#include "io/outfile.h"
#include "os/file.h"
#include "os/program.h"
#include "os/system.h"
#include "os/thread.h"
#include "util/names.h"
#include "util/sha256.h"

#include <errno.h>
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#define LISTED_PREFIX "cachegrind.out."
#define PLACEHOLDER_MARK "creator: cg2wg\n" /* how a placeholder that we made begins */

enum { MAX_THREADS = 64 };
static const int64_t most_skew = INT64_C(3600) * 1000000000; /* nanoseconds */
static const double quiet_time = 1.0, between_looks = 0.02;  /* seconds */

/* What a quiet run has said, as it is in a file. */
struct reported {
    unsigned char profile[12], error[16]; /* the first bytes of the hashes of its name and of the whole */
    uint32_t day;                         /* when it was found last, since 1970; 0: not yet by this run */
};

struct item {
    const char *profile;
    struct file_facts facts; /* of the profile, at the beginning */
    int error;               /* why they are not known, or 0 */
    bool is_result;          /* a preprocessed file or a placeholder, for which webgrind expects no other file */
    uint32_t said;           /* what quiet runs have said of it: its number in batch.known */
    char *output;            /* NULL: there is nothing to convert */
    char *placeholder;       /* of the output, if it has one */
};

/* What the lock does not protect is made before the threads start. These neither get nor free memory of it. */
struct batch {
    const struct options *options;
    struct held_signals signals;
    struct task_held held;                                  /* the signals */
    struct item *items;                                     /* one per profile, in the order of the command line */
    SET(struct file_id { uint64_t volume, number; }) files; /* of all items that are no results */
    struct item **queue; /* what to convert; profiles that changed lately come last */
    size_t queued;
    char *reported;             /* the file in the storage with what quiet runs have said */
    struct text said;           /* its bytes */
    SET(struct reported) known; /* what it says, and those of all items */
    uint32_t today;
    struct cg2wg_demangling demangling; /* one limit for all profiles */
    double start;                       /* when all items were looked at, in seconds of the clock */
    int64_t time;                       /* when all items were looked at, in nanoseconds since 1970 */

    pthread_mutex_t lock; /* protects what follows, and bar_update */
    size_t next;          /* in the queue */
    uint64_t done, total; /* bytes of the profiles to convert */
    struct batch_counts *counts;
};

/* Plans, or converts one profile after the other. */
struct worker {
    struct batch *batch;
    struct item *item;          /* which it plans or converts */
    enum batch_outcome outcome; /* what has become of the item */
    struct cg2wg_stats stats;
    uint64_t done; /* bytes of the item that count in batch->done */
    struct messenger messenger;
    struct diag diag;
    struct cg2wg_options convert;
    pthread_t thread;
};

/* ---- what quiet runs have said ------------------------------------------------------------ */

#define REPORTED ".cg2wg-reported"

static void take_hash(unsigned char *start, size_t size, const char *text)
{
    unsigned char hash[SHA256_SIZE];
    sha256(text_of_string(text), hash);
    memcpy(start, hash, size);
}

/* In a directory like /tmp, others may have made a file of that name, which nobody can replace. */
static void read_reported(struct batch *b)
{
    enum { MOST = 1 << 26 };
    const char *folder = b->options->storage;
    struct file_facts facts;
    struct reported known;
    uint64_t number = 0;
    char suffix[32];
    b->reported = storage_path(folder, REPORTED, "");
    if (file_look(b->reported, false, &facts) && (facts.kind != FILE_IS_REGULAR || !facts.is_own)) {
        system_random(&number, sizeof number);
        snprintf(suffix, sizeof suffix, "-%016" PRIx64, number);
        char *own = file_find_own(folder, REPORTED "-");
        b->reported = own != NULL ? own : storage_path(folder, REPORTED, suffix);
    }
    if (!file_look(b->reported, false, &facts) || facts.size > MOST)
        return;
    char *bytes = memory_get((size_t)facts.size + 1);
    ssize_t length = file_read_start(file_open_trusted(b->reported, NULL), bytes, (size_t)facts.size);
    b->said = text_of(bytes, length > 0 ? (size_t)length : 0);
    for (struct text rest = b->said; text_length(rest) >= sizeof known; rest.at += sizeof known) {
        memcpy(&known, rest.at, sizeof known);
        SET_INTERN(&b->known, known, sizeof known.profile);
    }
}

/* Remembers what failed now and, for a day, what other runs have said of others. */
static void write_reported(const struct batch *b, struct diag *diag)
{
    struct buffer said = {.bytes = NULL};
    for (const struct reported *one = b->known.items; one < b->known.items + b->known.index.used; one++)
        if (one->day + 1 >= b->today && one->day <= b->today)
            buffer_add(&said, text_of((const char *)one, sizeof *one));
    if (said.length == 0 && !text_is_empty(b->said)) {
        file_remove(b->reported);
    } else if (!text_same(buffer_text(&said), b->said)) {
        struct outfile *out = memory_get(sizeof *out);
        outfile_open(out, b->reported, false, &(struct file_rights){.mode = 0600}, diag);
        outfile_write(out, said.bytes, said.length);
        outfile_commit(out);
    }
}

/* A quiet run does not repeat what an earlier one said about a profile that has not changed since. */
static void show_of_item(void *user, const struct cg2wg_message *message)
{
    struct worker *w = user;
    struct item *item = w->item;
    struct batch *b = w->batch;
    char text[4096];
    if (message->severity == CG2WG_ERROR && signals_end_process(&b->signals))
        return;
    if (message->severity == CG2WG_ERROR && item != NULL && w->messenger.quiet) {
        struct reported *said = &b->known.items[item->said], before = *said;
        snprintf(text, sizeof text, "%s %" PRIu64 " %" PRId64 " %s", item->profile, item->facts.size, item->facts.time,
                 message->text);
        take_hash(said->error, sizeof said->error, text);
        said->day = b->today;
        if (memcmp(said->error, before.error, sizeof before.error) == 0)
            return;
    }
    messenger_show(&w->messenger, message);
}

static bool show_item_progress(void *user, const struct cg2wg_progress *progress)
{
    struct worker *w = user;
    struct batch *b = w->batch;
    if (b->options->convert.progress != NULL && progress->stage == CG2WG_READING) {
        pthread_mutex_lock(&b->lock);
        b->done += progress->done - w->done;
        w->done = progress->done;
        struct cg2wg_progress all = {CG2WG_READING, b->done, b->total};
        bar_update(w->messenger.bar, &all);
        pthread_mutex_unlock(&b->lock);
    }
    return !signals_end_process(&b->signals);
}

static void complete_item(void *user, const char *output, const char *written, bool is_listed)
{
    struct worker *w = user;
    if (!is_listed)
        placeholder_write(output, written, &w->diag);
}

static void worker_init(struct worker *w, struct batch *b, struct bar *bar)
{
    const struct options *o = b->options;
    *w = (struct worker){
        .batch = b, .messenger = {.quiet = o->quiet, .verbose = o->verbose, .bar = bar}, .convert = o->convert};
    w->diag = (struct diag){.report = show_of_item, .user = w};
    w->convert.report = show_of_item;
    w->convert.progress = show_item_progress;
    w->convert.complete = complete_item;
    w->convert.demangling = &b->demangling;
    w->convert.user = w;
    w->convert.shared_folders = true;
    w->convert.expected_proxy_count = 0; /* a function need not be in each of many profiles */
}

char *storage_path(const char *folder, const char *name, const char *suffix)
{
    size_t size = strlen(folder) + strlen(name) + strlen(suffix) + sizeof "/";
    char *path = memory_get(size);
    snprintf(path, size, "%s%s%s%s", folder, folder[file_folder_length(folder)] == '\0' ? "" : "/", name, suffix);
    return path;
}

enum { MOST_HEADERS = 1 << 16, MOST_GRAPH = 1000000 };

/* The value of the last header line of that key in a result, whose headers are at its end, in `bytes`; or empty. */
static struct text last_header(const char *result, const char *key, char *bytes)
{
    struct text value = text_of_string("");
    int fd = file_open(result, FILE_UNFOLLOWED);
    ssize_t length = file_read_all(fd, bytes, 8, 0);
    length = length == 8 ? file_read_all(fd, bytes, MOST_HEADERS, little4(bytes + 4)) : 0;
    for (struct text rest = text_of(bytes, length > 0 ? (size_t)length : 0), line; !text_is_empty(rest);) {
        line = text_take_to(&rest, '\n');
        if (text_starts(line, key))
            value = text_of(line.at + strlen(key), text_length(line) - strlen(key));
    }
    if (fd >= 0)
        close(fd);
    return value;
}

/* Is it made of a recording or a report, so that webgrind does not list its input? */
static bool lacks_profile(const char *result)
{
    char bytes[MOST_HEADERS];
    struct text creator = last_header(result, "creator: ", bytes), program = text_take_word(&creator);
    return text_equals(program, "perf") || text_equals(program, "aprof");
}

static bool is_placeholder(const char *path)
{
    char start[sizeof PLACEHOLDER_MARK] = "";
    return file_read_start(file_open(path, FILE_UNFOLLOWED), start, sizeof start - 1) > 0 &&
           strcmp(start, PLACEHOLDER_MARK) == 0;
}

void placeholder_write(const char *result, const char *written, struct diag *diag)
{
    char *path = memory_string(result), *bytes = memory_get(MOST_HEADERS), *graph_bytes = memory_get(MOST_GRAPH + 1);
    struct file_facts facts;
    struct text graph = text_of("", 0);
    struct cg2wg_options options;
    struct cg2wg_view view;
    path[strlen(result) - strlen(RESULT_SUFFIX)] = '\0';
    bool is_new = !file_look(path, false, &facts) && errno == ENOENT;
    if ((!is_new && !is_placeholder(path)) || !file_look(written, false, &facts))
        return;
    struct text title = last_header(written, "cmd: ", bytes);
    struct outfile *out = memory_get(sizeof *out);
    cg2wg_options_init(&options, sizeof options);
    cg2wg_view_init(&view, sizeof view);
    options.input_format = "preprocessed";
    options.demangle = CG2WG_DEMANGLE_NEVER;
    options.threads = 1;
    options.report = diag->report;
    options.user = diag->user;
    view.style = CG2WG_CALLGRIND;
    /* The calls, for webgrind's call graph: what the callgrind format has after `cmd:`, without as many as need be. */
    for (view.min = 0; text_is_empty(graph) && view.min < 10; view.min = MAX(4 * view.min, 0.001)) {
        struct temporary file;
        temporary_open(&file, true, diag);
        if (cg2wg_print(written, &options, &view, file.stream, NULL) != CG2WG_OK)
            task_fail();
        ssize_t length = file_read_all(temporary_end(&file), graph_bytes, MOST_GRAPH + 1, 0);
        if (length < 0)
            diag_error_in(diag, NULL, "cannot read a temporary file: %s", strerror(errno));
        graph = text_of(graph_bytes, length <= MOST_GRAPH ? (size_t)length : 0);
        temporary_close(&file);
    }
    while (!text_is_empty(graph) && !text_starts(text_take_to(&graph, '\n'), "cmd: "))
        continue;
    outfile_open(out, path, false, &facts.rights, diag);
    outfile_write(out, PLACEHOLDER_MARK "cmd: ", sizeof PLACEHOLDER_MARK "cmd: " - 1);
    outfile_write(out, title.at, text_length(title));
    outfile_write(out, "\n", 1);
    outfile_write(out, graph.at, text_length(graph));
    out->time = facts.time;
    outfile_commit(out);
}

void placeholder_forget(const char *placeholder, const char *result)
{
    struct file_facts facts;
    bool is_there = file_look(result, false, &facts) ? facts.kind == FILE_IS_REGULAR && facts.size > 0
                                                     : errno != ENOENT;
    if ((!is_there || file_is_strangers(result, placeholder)) && is_placeholder(placeholder))
        file_remove(placeholder);
}

/* ---- what is to be done ------------------------------------------------------------------- */

/* Also true if its time is a bit in the future, because clocks differ. */
static bool is_recent(const struct batch *b, const struct item *item)
{
    return item->facts.time > b->time - (int64_t)(quiet_time * 1e9) && item->facts.time < b->time + most_skew;
}

/*
 * Sets item->output if the profile has to be converted: unless there is a whole output of the wanted version that is
 * as new as the profile. False: it failed, and reported that. `firsts`: for each name, the first item that has it.
 */
static bool plan_item(struct worker *w, struct item *item, struct names *names, struct item **firsts)
{
    struct batch *b = w->batch;
    size_t known = names->count;
    w->item = item;
    w->messenger.profile = w->diag.input = item->profile;
    if (item->error != 0 || item->facts.kind != FILE_IS_REGULAR) {
        diag_say(&w->diag, item->profile, "%s%s",
                 item->error != 0 ? "cannot open: "
                 : item->facts.kind == FILE_IS_FOLDER
                     ? "is a directory; name the profiles in it, as in DIR/" LISTED_PREFIX "*"
                     : "is not a regular file",
                 item->error != 0 ? strerror(item->error) : "");
        return false;
    }

    const char *name = item->profile + file_folder_length(item->profile);
    uint32_t number = names_intern(names, text_of_string(name));
    if (number < known) {
        bool is_same = file_is_same(&firsts[number]->facts, &item->facts);
        if (is_same)
            diag_note(&w->diag, 0, "is there twice");
        else
            diag_say(&w->diag, item->profile, "has the same name as %s; each result needs its own",
                     firsts[number]->profile);
        return is_same;
    }
    firsts[number] = item;

    char *path = storage_path(b->options->storage, name, RESULT_SUFFIX), head[16];
    struct file_facts output = {.size = 0}, other;
    item->placeholder = storage_path(b->options->storage, name, "");
    ssize_t length = 0;
    bool is_there = file_look(path, false, &output);
    struct file_id id = {output.volume, output.number};
    if (!is_there) {
        length = errno == ENOENT ? 0 : -1;
    } else if (SET_FIND(&b->files, id, sizeof id) != NONE) {
        diag_say(&w->diag, path, "is also an input; name another file");
        return false;
    } else if (file_is_strangers(path, item->profile)) {
        diag_say(&w->diag, path,
                 "another user has made this file, which nobody else can replace; remove it, or name "
                 "another directory for --storage");
        return false;
    } else if (output.kind == FILE_IS_REGULAR && output.time >= item->facts.time && !b->options->convert.overwrite) {
        length = file_read_start(file_open(path, FILE_UNFOLLOWED), head, sizeof head);
        bool is_whole = length == sizeof head && little4(head + 4) < output.size;
        if (is_whole && cg2wg_format_of(head, sizeof head) == b->options->convert.format &&
            (file_look(item->placeholder, false, &other) || errno != ENOENT || !lacks_profile(path))) {
            diag_note(&w->diag, 0, "up to date");
            b->counts->of[ITEM_UP_TO_DATE]++;
            return true;
        }
    }
    if (length < 0) {
        diag_say(&w->diag, path, "cannot check whether it is up to date: %s", strerror(errno));
        return false;
    }
    item->output = path;
    return true;
}

static void plan(struct worker *w)
{
    struct batch *b = w->batch;
    struct names names;
    struct item **firsts = memory_zeroed(b->options->input_count + 1, sizeof *firsts); /* the empty name is one, too */
    uint64_t results = 0;
    names_init(&names);
    for (size_t i = 0; i < b->options->input_count; i++) {
        struct item *item = &b->items[i];
        char start[sizeof PLACEHOLDER_MARK] = "";
        ssize_t length = 0;
        struct reported said = {.day = 0};
        take_hash(said.profile, sizeof said.profile, b->options->inputs[i]);
        *item = (struct item){.profile = b->options->inputs[i]};
        item->said = SET_INTERN(&b->known, said, sizeof said.profile);
        b->known.items[item->said].day = 0;
        const char *file = file_follow_links(item->profile, FOLLOW_ALL, &item->facts);
        item->error = file == NULL ? errno : item->facts.kind == FILE_IS_ABSENT ? ENOENT : 0;
        if (item->error != 0)
            continue;
        if (item->facts.kind == FILE_IS_REGULAR)
            length = file_read_start(file_open(item->profile, FILE_REGULAR), start, sizeof start - 1);
        item->error = length < 0 ? errno : 0;
        item->is_result = strcmp(start, PLACEHOLDER_MARK) == 0 ||
                          (length >= 4 && text_ends(text_of_string(item->profile), RESULT_SUFFIX) &&
                           cg2wg_format_of(start, 4) != 0);
        struct file_id id = {item->facts.volume, item->facts.number};
        if (!item->is_result)
            SET_INTERN(&b->files, id, sizeof id);
    }
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    b->time = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    b->start = clock_seconds();
    for (size_t i = 0; i < b->options->input_count; i++) {
        results += b->items[i].is_result && text_ends(text_of_string(b->items[i].profile), RESULT_SUFFIX);
        if (!b->items[i].is_result && !plan_item(w, &b->items[i], &names, firsts))
            b->counts->of[ITEM_FAILED]++;
    }
    w->item = NULL;
    w->messenger.profile = w->diag.input = NULL;
    if (results > 0)
        diag_note(&w->diag, 0, "%" PRIu64 " preprocessed file%s (*" RESULT_SUFFIX ") left out", results,
                  results == 1 ? "" : "s");
    for (int recent = 0; recent < 2; recent++)
        for (size_t i = 0; i < b->options->input_count; i++)
            if (b->items[i].output != NULL && is_recent(b, &b->items[i]) == (recent == 1)) {
                b->queue[b->queued++] = &b->items[i];
                b->total += b->items[i].facts.size;
            }
}

/* ---- conversions -------------------------------------------------------------------------- */

/* Has the profile changed since the beginning? One that has disappeared is not being written. */
static bool has_changed(const struct item *item)
{
    struct file_facts now;
    return file_look(item->profile, true, &now) &&
           (!file_is_same(&now, &item->facts) || now.size != item->facts.size || now.time != item->facts.time);
}

const char *batch_hint(const char *profile)
{
    const char *name = profile + file_folder_length(profile);
    size_t prefix = sizeof LISTED_PREFIX - 1;
    if (strstr(profile, RESULT_SUFFIX) != NULL)
        return "; webgrind does not list profiles with " RESULT_SUFFIX " in their path";
    if (strncmp(name, LISTED_PREFIX, prefix) != 0 || name[prefix] == '\0')
        return "; webgrind lists only names that begin with " LISTED_PREFIX
               ", unless xdebug.profiler_output_name is set";
    return "";
}

static void convert_item(void *worker)
{
    struct worker *w = worker;
    const struct item *item = w->item;
    const struct batch *b = w->batch;
    struct timespec pause = {.tv_nsec = (long)(between_looks * 1e9)};
    int fd = file_open(item->profile, FILE_UNLOCKED);
    w->outcome = ITEM_BEING_WRITTEN;
    if (fd < 0 && errno == EWOULDBLOCK)
        return;
    if (fd >= 0)
        close(fd);
    while (is_recent(b, item) && clock_seconds() - b->start < quiet_time && !signals_end_process(&b->signals))
        nanosleep(&pause, NULL); /* until a profile that changed lately would have changed again */
    if (has_changed(item))
        return;
    w->outcome = ITEM_FAILED;
    w->stats.size = sizeof w->stats;
    if (signals_end_process(&b->signals) ||
        cg2wg_convert(item->profile, item->output, &w->convert, &w->stats) != CG2WG_OK)
        return;
    w->outcome = has_changed(item) ? ITEM_BEING_WRITTEN : ITEM_CONVERTED;
    if (w->outcome == ITEM_BEING_WRITTEN) /* the next run tries again */
        file_remove(item->output);
}

/* Converts what is in the queue. Each item is a task of its own: memory that runs out is a failure of the item. */
static void *convert_queue(void *argument)
{
    struct worker *w = argument;
    struct batch *b = w->batch;
    struct batch_counts *counts = b->counts;
    char made[CONVERSION_TEXT];
    for (;;) {
        pthread_mutex_lock(&b->lock);
        w->item = b->next < b->queued && !signals_end_process(&b->signals) ? b->queue[b->next++] : NULL;
        pthread_mutex_unlock(&b->lock);
        if (w->item == NULL)
            return NULL;
        w->messenger.profile = w->diag.input = w->item->profile;
        w->done = 0;
        w->outcome = ITEM_FAILED;
        if (task_run(convert_item, w) == TASK_OUT_OF_MEMORY)
            diag_say(&w->diag, NULL, "out of memory");
        if (w->outcome != ITEM_CONVERTED)
            placeholder_forget(w->item->placeholder, w->item->output);
        messenger_finish(&w->messenger);
        if (signals_end_process(&b->signals))
            continue;

        if (w->outcome == ITEM_BEING_WRITTEN) {
            diag_note(&w->diag, 0, "still being written; left for the next time");
        } else if (w->outcome == ITEM_CONVERTED) {
            const char *text = w->messenger.verbose ? conversion_text(made, w->convert.format, &w->stats) : "";
            diag_note(&w->diag, 0, "converted%s%s%s", *text != '\0' ? ": " : "", text, batch_hint(w->item->profile));
        }
        pthread_mutex_lock(&b->lock);
        b->done += w->item->facts.size - w->done;
        counts->of[w->outcome]++;
        if (w->outcome == ITEM_CONVERTED) {
            counts->stats.bytes += w->stats.bytes;
            counts->stats.lines += w->stats.lines;
            counts->stats.slow_lines += w->stats.slow_lines;
            counts->stats.functions += w->stats.functions;
            counts->stats.arcs += w->stats.arcs;
        }
        pthread_mutex_unlock(&b->lock);
    }
}

void batch_run(const struct options *options, struct bar *bar, struct batch_counts *counts)
{
    struct worker planner, workers[MAX_THREADS]; /* the first one is this thread */
    size_t threads = options->convert.threads > 0 ? options->convert.threads : thread_cores(), started = 1;
    struct file_facts storage;
    struct batch b = {.options = options,
                      .counts = counts,
                      .lock = PTHREAD_MUTEX_INITIALIZER,
                      .items = memory_zeroed(options->input_count, sizeof *b.items),
                      .queue = memory_zeroed(options->input_count, sizeof *b.queue)};
    *counts = (struct batch_counts){.of = {0}};
    worker_init(&planner, &b, bar);
    const char *folder = file_follow_links(options->storage, FOLLOW_ALL, &storage);
    if (folder != NULL && storage.kind == FILE_IS_ABSENT)
        errno = ENOENT;
    if (folder == NULL || storage.kind == FILE_IS_ABSENT)
        diag_error_in(&planner.diag, options->storage, "cannot open: %s", strerror(errno));
    if (storage.kind != FILE_IS_FOLDER)
        diag_error_in(&planner.diag, options->storage, "is not a directory, expected one for --storage");
    signals_hold(&b.signals, false);
    task_hold(&b.held, signals_release, &b.signals);
    b.today = (uint32_t)(time(NULL) / (24 * 3600));
    if (options->quiet)
        read_reported(&b);
    plan(&planner);
    size_t count = MIN(MIN(threads, MAX_THREADS), b.queued);
    for (size_t i = 0; i < count; i++) {
        worker_init(&workers[i], &b, bar);
        if (b.queued > 1) /* a single conversion chooses the number of its threads by itself */
            workers[i].convert.threads = (unsigned)(threads / count);
    }
    while (started < count && thread_start(&workers[started].thread, convert_queue, &workers[started]) == 0)
        started++; /* if one cannot be started, there are fewer */
    if (count > 0)
        convert_queue(&workers[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    if (options->quiet && !signals_end_process(&b.signals))
        write_reported(&b, &planner.diag);
    task_let_go(&b.held);
    signals_release(&b.signals);
}

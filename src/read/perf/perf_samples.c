/* SPDX-License-Identifier: MIT */
/* Records in the order of time: mappings as they come and go, names of threads, and samples with their stacks. */
#include "read/perf/perf_samples.h"

#include "read/perf/elf.h"
#include "util/array.h"

#include <stddef.h>
#include <stdlib.h>

enum { MISC_MODE = 7, MODE_KERNEL = 1, MODE_USER = 2 }; /* some bits of misc, and two of their values */
enum {
    MISC_IS_DATA = 0x2000,     /* a mapping: not executable */
    MISC_IS_MADE_UP = 0x2000,  /* a fork: it was before perf began */
    MISC_HAS_BUILD_ID = 0x4000 /* a mapping */
};
enum { PROTECTION_EXECUTE = 4, KSYMBOL_IS_GONE = 1, KSYMBOL_BPF = 1 };
enum { MMAP_NAME = 40, MMAP2_NAME = 72, COMM_NAME = 16, KSYMBOL_NAME = 24 }; /* where names begin */
enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

/* Values of a chain from this one on are no addresses, but say what follows. */
#define CONTEXT_FIRST (UINT64_MAX - 4094)
#define CONTEXT_KERNEL (UINT64_MAX - 127)
#define CONTEXT_USER (UINT64_MAX - 511)
#define CONTEXT_HYPERVISOR (UINT64_MAX - 31)
#define CONTEXT_GUEST (UINT64_MAX - 2047)
#define CONTEXT_GUEST_KERNEL (UINT64_MAX - 2175)
#define CONTEXT_GUEST_USER (UINT64_MAX - 2559)
#define CONTEXT_DEFERRED (UINT64_MAX - 639)

enum {
    VALUES_MOST = UINT16_MAX / 8,  /* of 8 bytes, in a record */
    FRAMES_MOST = VALUES_MOST + 1, /* in a chain, with the sample's own address */
    LAST_STACKS = 16,
    FOUND_PLACES = 1 << 14,
    ROUND_MOST = 64 << 20 /* bytes of its records, which wait for others of earlier times */
};

/*
 * Records that wait for others. perf writes the records of each processor by themselves; from time to time a record
 * says (FINISHED_ROUND) that none older than those before the last such record is going to follow.
 */
struct queue {
    struct round {
        char *bytes; /* of its records, each of which begins at a multiple of 8 */
        size_t used, room;
    } rounds[2]; /* the one before and this one, in turns */
    struct queued {
        uint64_t time, position; /* position: in the input, in bytes */
        size_t at;               /* in the bytes of its round */
        uint32_t length;
        uint16_t type, round;
    } *items;
    size_t count, capacity;
    uint16_t round;  /* to which records are added now */
    uint64_t latest; /* of all times so far */
    uint64_t limit;  /* the latest time before the last round ended */
};

/* A sample in the queue; its readings follow it, and then its chain. */
struct sample {
    uint64_t ip, period, time;
    uint32_t pid, tid, event;
    uint16_t reading_count;
    uint8_t mode;
    bool has_address;
};

struct counted {
    uint64_t value, id;
};

struct sample_weight {
    uint64_t weight; /* how much the sample counts */
    uint32_t event;
};

/*
 * A mapping, in the tree of a process, which is ordered by addresses. No two overlap. Their hashes have the order of a
 * heap, so that the tree is never deep. After a fork, both processes have the same tree. A change of either copies the
 * mappings on the way to it; they still share the others.
 */
struct mapping {
    uint64_t start, end; /* addresses; the end is the first one outside */
    uint64_t shift;      /* from an address to the offset in the object, modulo 2^64 */
    uint32_t object;
    uint32_t epoch;    /* of the process that has made it */
    uint32_t below[2]; /* trees of lower and of higher addresses, or NONE */
};

struct frame {
    uint64_t address;
    uint32_t epoch; /* of the process or the kernel whose mappings it is in: see struct process; 0: nobody's */
    uint32_t node;  /* in last_stacks: of the stack up to this frame */
};

/* A sample whose outer frames come later, with a cookie and for a thread. */
struct pending {
    struct sample sample;
    struct buffer chain;
    struct sample_weight *values; /* NULL: it has been booked */
    size_t value_count;
    uint32_t next; /* the pending sample before it of the same cookie and thread, or NONE */
};

struct process {
    uint32_t pid;
    uint32_t epoch;  /* another one after each change: what was looked up before has to be looked up again */
    uint32_t shared; /* mappings up to this epoch may be others', too: they are copied before they change */
    uint32_t tree;   /* of its mappings; NONE: nothing is mapped */
};

struct counter {
    uint64_t id;
    uint32_t tid;   /* 0, unless the counter is inherited */
    uint64_t value; /* when it was read last */
};

struct lacking {
    uint64_t cookie;
    uint64_t tid;  /* 0: records do not say for which thread they are */
    uint32_t last; /* the last pending sample, or NONE */
};

struct perf_samples {
    struct perf_about *about;
    struct queue queue;
    SET(struct process) processes;
    struct process kernel; /* what is mapped are the symbols that have records */
    struct ids thread_names;
    uint32_t epochs;
    struct mapping *mappings; /* of all processes */
    size_t mapping_count, mapping_capacity;
    SET(struct counter) counters;
    struct frame frames[FRAMES_MOST]; /* of the sample at hand, from the innermost on outwards */
    size_t frame_count;
    uint64_t cookie;  /* of the sample at hand, if its outer frames come later */
    bool is_replaced; /* the sample's own address takes the place of the first outer frame in the same context */
    struct sample_weight values[VALUES_MOST]; /* of the sample at hand */
    size_t value_count;
    /* The last stack of a thread, from the outermost frame on. Without these, a recording takes 1.3 times as long. */
    struct last_stack {
        struct frame frames[FRAMES_MOST];
        size_t count;
        uint32_t root; /* where it begins */
    } last_stacks[LAST_STACKS];
    struct found { /* the places that were looked up last; without these, 1.4 times as long */
        uint64_t address;
        uint32_t epoch, place;
    } found[FOUND_PLACES];
    struct pending *pending;
    size_t pending_count, pending_capacity;
    SET(struct lacking) lacking;
};

static void check_length(const struct perf_samples *s, struct text record, size_t length)
{
    perf_expect(s->about, text_length(record) >= length, "a record that is too short for what it contains",
                "a longer one");
}

/* The name that a record ends with, before what may follow it. */
static uint32_t record_name(struct perf_samples *s, struct text record, size_t at)
{
    check_length(s, record, at + 1);
    const char *end = memchr(record.at + at, '\0', text_length(record) - at);
    perf_expect(s->about, end != NULL, "a name without an end", "a NUL after it");
    return perf_intern(s->about, (struct text){record.at + at, end});
}

/* The length of fields of 8 bytes, each of which has a bit. */
static size_t length_of(uint64_t fields)
{
    return 8 * (size_t)__builtin_popcountll(fields);
}

/* Adds a record, whose bytes are to be put where the result points. */
static char *queue_add(struct perf_samples *s, unsigned type, uint64_t time, size_t length)
{
    struct queue *q = &s->queue;
    struct round *round = &q->rounds[q->round];
    struct queued item = {time, s->about->position, round->used, (uint32_t)length, (uint16_t)type, q->round};
    round->used += (length + 7) / 8 * 8;
    array_reserve(&round->bytes, &round->room, round->used, 1);
    array_append(&q->items, &q->count, &q->capacity, &item, sizeof item);
    q->latest = time > q->latest ? time : q->latest;
    return round->bytes + item.at;
}

/* Records of the same time stay in order. */
COMPARISON(by_time, struct queued, a->time != b->time ? ORDER(a->time, b->time) : ORDER(a->position, b->position))

/* Fields follow each other in this order, which is not that of their bits. */
static const uint64_t field_order[] = {SAMPLE_IDENTIFIER, SAMPLE_IP,        SAMPLE_TID, SAMPLE_TIME,  SAMPLE_ADDR,
                                       SAMPLE_ID,         SAMPLE_STREAM_ID, SAMPLE_CPU, SAMPLE_PERIOD};

enum { FIELDS = COUNT_OF(field_order), IP_FIELD = 1, TID_FIELD, TIME_FIELD, PERIOD_FIELD = 8 };

/* Queues what of a sample is of use: up to its chain, and readings that have ids; nothing, if it is of no event. */
static void queue_sample(struct perf_samples *s, struct text record)
{
    struct perf_about *about = s->about;
    perf_expect(about, about->event_count > 0, "a sample", "an event before it");
    const struct perf_event *event = about->events;
    if (about->event_count > 1 && (event->sample_type & (SAMPLE_IDENTIFIER | SAMPLE_ID)) != 0) {
        uint64_t before_id = event->sample_type & (SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR);
        size_t at = RECORD_HEAD + ((event->sample_type & SAMPLE_IDENTIFIER) != 0 ? 0 : length_of(before_id));
        check_length(s, record, at + 8);
        uint64_t id = little8(record.at + at);
        uint32_t found = id == 0 ? 0 : ids_find(&about->event_ids, id);
        if (found == NONE && event->has_trailers) {
            about->unknown_ids++;
            return;
        }
        event += found != NONE ? found : 0;
    }
    struct perf_rest rest = {record.at + RECORD_HEAD, record.end, false};
    struct text chain = {rest.at, rest.at};
    uint64_t fields[FIELDS] = {[PERIOD_FIELD] = event->has_frequency ? 1 : event->period};
    uint64_t format = event->read_format, reading_count = 0;
    const char *readings = NULL;
    size_t times = length_of(format & (READ_ENABLED | READ_RUNNING)); /* of a reading, or of a group's all */
    size_t id_at = (format & READ_GROUP) != 0 ? 8 : 8 + times;
    size_t size = id_at + length_of(format & (READ_ID | READ_LOST));
    for (size_t i = 0; i < FIELDS; i++)
        if ((event->sample_type & field_order[i]) != 0)
            fields[i] = perf_take(&rest, 8);
    if ((event->sample_type & SAMPLE_READ) != 0) {
        reading_count = (format & READ_GROUP) != 0 ? perf_take(&rest, 8) : 1;
        perf_take_array(&rest, (format & READ_GROUP) != 0, times);
        readings = perf_take_array(&rest, reading_count, size).at;
    }
    if ((event->sample_type & SAMPLE_CALLCHAIN) != 0) {
        uint64_t count = perf_take(&rest, 8);
        chain = perf_take_array(&rest, count, 8);
    }
    perf_expect(about, !rest.is_short, "a sample that is too short for what it contains", "a longer one");
    if ((format & READ_ID) == 0)
        reading_count = 0;
    struct sample sample = {.ip = fields[IP_FIELD],
                            .period = fields[PERIOD_FIELD],
                            .time = fields[TIME_FIELD],
                            .event = (uint32_t)(event - about->events),
                            .pid = (uint32_t)fields[TID_FIELD],
                            .tid = (uint32_t)(fields[TID_FIELD] >> 32),
                            .reading_count = (uint16_t)reading_count,
                            .mode = (uint8_t)(little2(record.at + 4) & MISC_MODE),
                            .has_address = (event->sample_type & SAMPLE_IP) != 0};
    char *to = queue_add(s, RECORD_SAMPLE, fields[TIME_FIELD],
                         sizeof sample + sample.reading_count * sizeof(struct counted) + text_length(chain));
    memcpy(to, &sample, sizeof sample);
    to += sizeof sample;
    for (; reading_count > 0; reading_count--, readings += size, to += sizeof(struct counted))
        memcpy(to, &(struct counted){little8(readings), little8(readings + id_at)}, sizeof(struct counted));
    memcpy(to, chain.at, text_length(chain));
}

/* ---- processes ---------------------------------------------------------------------------- */

/* The process, which may be new. It may move when another one is. */
static struct process *find_process(struct perf_samples *s, uint32_t pid)
{
    struct process added = {.pid = pid, .tree = NONE};
    uint32_t number = SET_INTERN(&s->processes, added, sizeof pid);
    struct process *process = &s->processes.items[number];
    if (process->epoch == 0)
        process->epoch = ++s->epochs;
    return process;
}

/* Adds a mapping, which the process has made now and may change. */
static uint32_t add_mapping(struct perf_samples *s, const struct process *process, struct mapping mapping)
{
    mapping.epoch = process->epoch;
    if (s->mapping_count == NONE)
        task_out_of_memory();
    array_append(&s->mappings, &s->mapping_count, &s->mapping_capacity, &mapping, sizeof mapping);
    return (uint32_t)s->mapping_count - 1;
}

/* Splits a tree into mappings that start below the address, and others. The process may change those on the way. */
static void split_tree(struct perf_samples *s, const struct process *process, uint32_t tree, uint64_t address,
                       uint32_t *low, uint32_t *high)
{
    uint32_t rest;
    if (tree == NONE) {
        *low = *high = NONE;
        return;
    }
    if (s->mappings[tree].epoch <= process->shared)
        tree = add_mapping(s, process, s->mappings[tree]);
    bool is_low = s->mappings[tree].start < address;
    split_tree(s, process, s->mappings[tree].below[is_low], address, is_low ? &rest : low, is_low ? high : &rest);
    s->mappings[tree].below[is_low] = rest;
    *(is_low ? low : high) = tree;
}

/* Makes one tree of two, between which an address has split one before. */
static uint32_t join_trees(struct perf_samples *s, uint32_t low, uint32_t high)
{
    if (low == NONE || high == NONE)
        return low != NONE ? low : high;
    struct mapping *first = &s->mappings[low], *last = &s->mappings[high];
    if (hash_numbers(first->start, 0) > hash_numbers(last->start, 0)) {
        first->below[1] = join_trees(s, first->below[1], high);
        return low;
    }
    last->below[0] = join_trees(s, low, last->below[0]);
    return high;
}

/* The last mapping of a tree that starts at or before the address, or NONE. */
static uint32_t last_mapping(const struct perf_samples *s, uint32_t tree, uint64_t address)
{
    uint32_t last = NONE;
    while (tree != NONE) {
        bool is_low = s->mappings[tree].start <= address;
        last = is_low ? tree : last;
        tree = s->mappings[tree].below[is_low];
    }
    return last;
}

/* Splits a tree at the address, and the mapping that holds it and the address before, too. */
static void cut_tree(struct perf_samples *s, const struct process *process, uint32_t tree, uint64_t address,
                     uint32_t *low, uint32_t *high)
{
    split_tree(s, process, tree, address, low, high);
    uint32_t last = last_mapping(s, *low, address);
    if (last == NONE || s->mappings[last].end <= address)
        return;
    struct mapping rest = s->mappings[last];
    rest.start = address;
    rest.below[0] = rest.below[1] = NONE;
    s->mappings[last].end = address;
    *high = join_trees(s, add_mapping(s, process, rest), *high);
}

/* Maps an object, or NONE, in place of what is there. What is beyond the last address is left out. */
static void map_object(struct perf_samples *s, struct process *process, struct mapping new, uint64_t length)
{
    uint32_t low, middle, high;
    if (length == 0 || new.start == UINT64_MAX)
        return;
    new.end = length <= UINT64_MAX - new.start ? new.start + length : UINT64_MAX;
    new.below[0] = new.below[1] = NONE;
    process->epoch = ++s->epochs;
    cut_tree(s, process, process->tree, new.start, &low, &middle);
    cut_tree(s, process, middle, new.end, &middle, &high);
    if (new.object != NONE)
        low = join_trees(s, low, add_mapping(s, process, new));
    process->tree = join_trees(s, low, high);
}

static void map_module(struct perf_samples *s, struct text path, uint64_t start, uint64_t length)
{
    struct perf_object object = {.kind = PERF_KERNEL, .name = perf_module(s->about, path)};
    struct mapping mapping = {.start = start, .object = perf_object(&s->about->stacks, object)};
    map_object(s, &s->kernel, mapping, length);
}

/*
 * u32 pid, tid; u64 address, length, offset in the file; more of it in MMAP2; name. Of the kernel's, the offset is
 * where one of its symbols was, whose name follows the bracket.
 */
static void read_mapping(struct perf_samples *s, struct text record, size_t name_starts)
{
    static const char kernel[] = "[kernel.kallsyms]";
    struct perf_about *about = s->about;
    uint32_t name = record_name(s, record, name_starts), pid = little4(record.at + 8), build_id = NAME_EMPTY;
    uint64_t start = little8(record.at + 16), offset = little8(record.at + 32);
    struct text path = names_text(about->names, name);
    unsigned misc = little2(record.at + 4);
    if ((misc & MISC_MODE) > MODE_USER)
        return; /* a guest's */
    if (name_starts == MMAP2_NAME && (misc & MISC_HAS_BUILD_ID) != 0) {
        size_t length = (unsigned char)record.at[40];
        build_id = names_intern(about->names, text_of(record.at + 44, length < BUILD_ID_MAX ? length : BUILD_ID_MAX));
    }
    if ((misc & MISC_MODE) == MODE_KERNEL || pid == UINT32_MAX) {
        if (!text_starts(path, kernel)) {
            map_module(s, path, start, little8(record.at + 24));
            return;
        }
        if (build_id != NAME_EMPTY)
            about->kernel_id = build_id;
        path.at += sizeof kernel - 1;
        about->kernel_anchor_address = offset;
        if (!text_is_empty(path))
            about->kernel_anchor = perf_intern(about, path);
        return;
    }
    /* Linux up to 4.4 leaves both 0 where there is no file, as of JIT code. Other flags say whether it is shared. */
    bool has_protection = name_starts == MMAP2_NAME && (little4(record.at + 64) | little4(record.at + 68)) != 0;
    if (has_protection ? (little4(record.at + 64) & PROTECTION_EXECUTE) == 0 && !about->is_by_simpleperf
                       : (misc & MISC_IS_DATA) != 0)
        return; /* Interpreted Java is at addresses in its files, which simpleperf has found out. */
    struct perf_object object = {.kind = PERF_FILE, .name = name, .build_id = build_id};
    if (perf_is_jit(path))
        object = (struct perf_object){
            .kind = PERF_JIT, .pid = pid, .name = perf_intern(about, text_of_string("[JIT]"))};
    else if ((text_starts(path, "[") && !text_equals(path, "[vdso]")) || text_ends(path, " (deleted)"))
        object = (struct perf_object){.kind = PERF_SPECIAL, .name = name};
    struct mapping mapping = {.start = start,
                              .shift = object.kind == PERF_FILE ? offset - start : 0,
                              .object = perf_object(&s->about->stacks, object)};
    map_object(s, find_process(s, pid), mapping, little8(record.at + 24));
}

/* u32 pid, ppid, tid, ptid; u64 time. */
static void read_fork(struct perf_samples *s, struct text record)
{
    check_length(s, record, 24);
    uint32_t pid = little4(record.at + 8), parent_pid = little4(record.at + 12);
    uint32_t name = ids_find(&s->thread_names, little4(record.at + 20));
    if (name != NONE)
        ids_set(&s->thread_names, little4(record.at + 16), name);
    if (pid == parent_pid || (little2(record.at + 4) & MISC_IS_MADE_UP) != 0)
        return;
    uint32_t epoch = ++s->epochs;
    struct process *process = find_process(s, parent_pid), child = {pid, epoch, epoch, process->tree};
    process->shared = epoch;
    *find_process(s, pid) = child;
}

/* u64 address; u32 length; u16 type, flags; name. */
static void read_kernel_symbol(struct perf_samples *s, struct text record)
{
    struct perf_object symbol = {.kind = PERF_SYMBOL, .name = record_name(s, record, KSYMBOL_NAME)};
    bool is_bpf = little2(record.at + 20) == KSYMBOL_BPF, is_gone = (little2(record.at + 22) & KSYMBOL_IS_GONE) != 0;
    symbol.within = perf_intern(s->about, text_of_string(is_bpf ? "[bpf]" : "[kernel.kallsyms]"));
    struct mapping mapping = {.start = little8(record.at + 8),
                              .object = is_gone ? NONE : perf_object(&s->about->stacks, symbol)};
    map_object(s, &s->kernel, mapping, little4(record.at + 16));
}

static uint32_t find_place(struct perf_samples *s, const struct frame *frame, const struct process *process)
{
    uint64_t address = frame->address, spread = (address ^ frame->epoch) * UINT64_C(0x9e3779b97f4a7c15);
    struct found *found = &s->found[spread >> 50 & (FOUND_PLACES - 1)];
    if (found->address == address && found->epoch == frame->epoch)
        return found->place;
    bool is_kernel = frame->epoch == s->kernel.epoch;
    const struct process *owner = is_kernel ? &s->kernel : process;
    struct perf_place place = {.at = address, .object = is_kernel ? OBJECT_KERNEL : OBJECT_UNKNOWN};
    uint32_t number = frame->epoch == owner->epoch ? last_mapping(s, owner->tree, address) : NONE;
    if (number != NONE && s->mappings[number].end > address)
        place = (struct perf_place){.at = address + s->mappings[number].shift, .object = s->mappings[number].object};
    if (s->about->stacks.objects.items[place.object].kind >= PERF_SPECIAL)
        place.at = 0;
    *found = (struct found){address, frame->epoch, perf_place(s->about, place)};
    return found->place;
}

/*
 * Makes frames of a sample's chain, the innermost first. Its own address, if it has one, takes the place of the first
 * one, unless that one is of another context; then it has been called from there. True: what follows comes later, with
 * the cookie.
 */
static bool make_frames(struct perf_samples *s, const struct sample *sample, uint32_t user, struct text chain)
{
    uint32_t kernel = s->kernel.epoch;
    uint32_t own = sample->mode == MODE_USER ? user : sample->mode == MODE_KERNEL ? kernel : 0, epoch = own;
    uint64_t back = 0, usual_back = s->about->is_by_simpleperf ? 0 : 1; /* from a return address to the call */
    struct frame *next = s->frames;
    bool is_deferred = false, is_replaced = sample->has_address;
    if (is_replaced)
        *next++ = (struct frame){sample->ip, epoch, NONE};
    s->frame_count = is_replaced ? 1 : 0; /* if the chain makes no sense */
    for (; text_length(chain) >= 8; chain.at += 8) {
        uint64_t value = little8(chain.at);
        if (value < CONTEXT_FIRST) {
            if (!is_replaced || epoch != own)
                *next++ = (struct frame){value - back, epoch, NONE};
            is_replaced = false;
            back = usual_back;
            continue;
        }
        if (value == CONTEXT_DEFERRED && text_length(chain) >= 16) {
            chain.at += 8;
            is_deferred = true;
            s->cookie = little8(chain.at);
            continue;
        }
        back = 0;
        switch (value) {
        case CONTEXT_KERNEL: epoch = kernel; break;
        case CONTEXT_USER: /* simpleperf has unwound the stack; only its event still says that the kernel did not */
            s->about->events[sample->event].lacks_user_chain &= !s->about->is_by_simpleperf;
            epoch = user;
            break;
        case CONTEXT_HYPERVISOR:
        case CONTEXT_GUEST:
        case CONTEXT_GUEST_KERNEL:
        case CONTEXT_GUEST_USER: epoch = 0; break;
        default: return false;
        }
    }
    s->frame_count = (size_t)(next - s->frames);
    s->is_replaced = is_replaced;
    return is_deferred;
}

/* ---- samples ------------------------------------------------------------------------------ */

static uint32_t root_of(struct perf_samples *s, uint32_t pid, uint32_t tid)
{
    return s->about->by != CG2WG_GROUP_FUNCTION ? perf_root(s->about, pid, tid, ids_find(&s->thread_names, tid)) : NONE;
}

/* The node of the frames at hand, from `end` on outwards. Those that the thread's last stack has are not looked up. */
static uint32_t stack_node(struct perf_samples *s, const struct process *process, uint32_t tid, const struct frame *end)
{
    struct last_stack *last = &s->last_stacks[tid % LAST_STACKS];
    uint32_t root = root_of(s, process->pid, tid);
    last->count = last->root == root ? last->count : 0;
    last->root = root;
    const struct frame *frame = s->frames + s->frame_count;
    struct frame *known = last->frames, *known_end = known + last->count;
    while (known < known_end && frame > end && frame[-1].address == known->address && frame[-1].epoch == known->epoch)
        frame--, known++;
    uint32_t node = known > last->frames ? known[-1].node : root;
    for (; frame > end; known++) {
        frame--;
        node = perf_node(&s->about->stacks, (struct perf_node){node, find_place(s, frame, process)});
        *known = (struct frame){frame->address, frame->epoch, node};
    }
    last->count = (size_t)(known - last->frames);
    return node;
}

static void book_weights(struct perf_samples *s, const struct sample *sample, uint32_t node,
                         const struct sample_weight *values, size_t count)
{
    uint32_t name = ids_find(&s->thread_names, sample->tid);
    struct perf_moment moment = {sample->time, sample->tid, name != NONE ? name : NAME_EMPTY, node, 0, 0};
    for (size_t i = 0; i < count; i++) {
        moment.event = values[i].event;
        perf_book(&s->about->stacks, moment, 1, values[i].weight);
    }
}

/* The last sample that waits for the chain of a cookie and a thread, or NONE; from now on, it is `last`. */
static uint32_t exchange_last(struct perf_samples *s, uint64_t cookie, uint32_t tid, uint32_t last)
{
    bool is_known = s->about->events[0].has_trailers && (s->about->events[0].sample_type & SAMPLE_TID) != 0;
    struct lacking lacking = {cookie, is_known ? tid : 0, NONE};
    uint32_t number = SET_INTERN(&s->lacking, lacking, offsetof(struct lacking, last));
    uint32_t before = s->lacking.items[number].last;
    s->lacking.items[number].last = last;
    return before;
}

/* With readings, a sample counts for each counter by how much that has grown; if it has not, not at all. */
static void read_sample(struct perf_samples *s, struct text record)
{
    const struct sample *sample = (const struct sample *)(const void *)record.at;
    const struct counted *readings = (const struct counted *)(sample + 1), *end = readings + sample->reading_count;
    const struct perf_event *event = &s->about->events[sample->event];
    struct text chain = {(const char *)end, record.end};
    s->value_count = 0;
    if ((event->sample_type & SAMPLE_READ) == 0 || (event->read_format & READ_ID) == 0)
        s->values[s->value_count++] = (struct sample_weight){sample->period, sample->event};
    for (; readings < end; readings++) {
        struct counter counter = {.id = readings->id, .tid = event->is_inherited ? sample->tid : 0};
        uint32_t counted = ids_find(&s->about->event_ids, counter.id);
        if (counted == NONE) {
            s->about->unknown_ids++;
            continue;
        }
        uint32_t number = SET_INTERN(&s->counters, counter, offsetof(struct counter, tid) + sizeof counter.tid);
        uint64_t before = s->counters.items[number].value;
        s->counters.items[number].value = readings->value;
        if (readings->value > before)
            s->values[s->value_count++] = (struct sample_weight){readings->value - before, counted};
    }
    uint32_t name = s->about->options->given->samples.name_count > 0 ? ids_find(&s->thread_names, sample->tid) : NONE;
    if (s->value_count == 0 || !perf_is_wanted(s->about, sample->pid, sample->tid, name))
        return;
    const struct process *process = find_process(s, sample->pid);
    if (!make_frames(s, sample, process->epoch, chain)) {
        if (s->frame_count == 0)
            s->frames[s->frame_count++] = (struct frame){0, 0, NONE};
        book_weights(s, sample, stack_node(s, process, sample->tid, s->frames), s->values, s->value_count);
        return;
    }
    struct pending pending = {.sample = *sample,
                              .values = memory_get(s->value_count * sizeof *s->values),
                              .value_count = s->value_count,
                              .next = exchange_last(s, s->cookie, sample->tid, (uint32_t)s->pending_count)};
    memcpy(pending.values, s->values, s->value_count * sizeof *s->values);
    buffer_add(&pending.chain, chain);
    array_append(&s->pending, &s->pending_count, &s->pending_capacity, &pending, sizeof pending);
}

/* Books a sample that has waited, whose frames are those at hand, below the node of those that came later, or NONE. */
static void book_pending(struct perf_samples *s, struct pending *pending, const struct process *process, uint32_t node)
{
    uint32_t root = root_of(s, pending->sample.pid, pending->sample.tid);
    node = node == NONE ? root : node;
    if (s->frame_count == 0 && node == root)
        s->frames[s->frame_count++] = (struct frame){0, 0, NONE};
    for (const struct frame *frame = s->frames + s->frame_count; frame-- > s->frames;)
        node = perf_node(&s->about->stacks, (struct perf_node){node, find_place(s, frame, process)});
    book_weights(s, &pending->sample, node, pending->values, pending->value_count);
    memory_free(pending->chain.bytes);
    memory_free(pending->values);
    *pending = (struct pending){.next = NONE};
}

/*
 * u64 cookie; u64 n, n values, which begin with CONTEXT_USER; then u32 pid, tid, if records have them: what samples of
 * this cookie and thread have lacked. It is looked up once for all of them. perf compares the thread, too.
 */
static void read_deferred_chain(struct perf_samples *s, struct text record)
{
    check_length(s, record, 24);
    struct perf_rest rest = {record.at + 16, record.end, false};
    uint64_t cookie = little8(record.at + 8), count = perf_take(&rest, 8);
    struct text chain = perf_take_array(&rest, count, 8);
    perf_expect(s->about, !rest.is_short, "a chain that passes the end of its record", "a shorter one");
    perf_take(&rest, 4);
    uint32_t i = exchange_last(s, cookie, (uint32_t)perf_take(&rest, 4), NONE), next;
    if (i == NONE)
        return;
    const struct sample last = s->pending[i].sample, later = {.pid = last.pid, .tid = last.tid, .mode = MODE_USER};
    const struct process *process = find_process(s, last.pid);
    make_frames(s, &later, process->epoch, chain);
    const struct frame first = s->frames[0], *callers_at = s->frames + (s->frame_count > 0);
    bool has_first = s->frame_count > 0;
    uint32_t callers = stack_node(s, process, last.tid, callers_at);
    for (; i != NONE; i = next) {
        struct pending *pending = &s->pending[i];
        struct sample *sample = &pending->sample;
        next = pending->next;
        if (sample->pid != last.pid || sample->tid != last.tid)
            continue;
        make_frames(s, sample, process->epoch, buffer_text(&pending->chain));
        uint32_t node = callers;
        if (has_first && !(s->is_replaced && sample->mode == MODE_USER))
            node = perf_node(&s->about->stacks, (struct perf_node){callers, find_place(s, &first, process)});
        book_pending(s, pending, process, node);
    }
}

/* Takes records up to that time, in the order of time; messages say where in the input they are. */
static void pass_records(struct perf_samples *s, uint64_t limit)
{
    struct queue *q = &s->queue;
    uint64_t position = s->about->position;
    size_t count = 0, sorted = 1;
    while (sorted < q->count && q->items[sorted - 1].time <= q->items[sorted].time)
        sorted++;
    if (sorted < q->count)
        qsort(q->items, q->count, sizeof *q->items, by_time);
    for (; count < q->count && q->items[count].time <= limit; count++) {
        const struct queued *item = &q->items[count];
        struct text record = text_of(q->rounds[item->round].bytes + item->at, item->length);
        s->about->position = item->position;
        switch (item->type) {
        case RECORD_MMAP: read_mapping(s, record, MMAP_NAME); break;
        case RECORD_MMAP2: read_mapping(s, record, MMAP2_NAME); break;
        case RECORD_COMM: ids_set(&s->thread_names, little4(record.at + 12), record_name(s, record, COMM_NAME)); break;
        case RECORD_FORK: read_fork(s, record); break;
        case RECORD_KSYMBOL: read_kernel_symbol(s, record); break;
        case RECORD_CALLCHAIN_DEFERRED: read_deferred_chain(s, record); break;
        default: read_sample(s, record); break;
        }
    }
    s->about->position = position;
    q->count -= count;
    if (count > 0)
        memmove(q->items, q->items + count, q->count * sizeof *q->items);
}

void perf_add_record(struct perf_samples *s, uint32_t type, struct text record)
{
    struct perf_about *about = s->about;
    struct queue *q = &s->queue;
    size_t lost_at = type == RECORD_LOST ? 16 : 8, length = text_length(record), trailer;
    uint64_t fields, time = 0;
    uint32_t event;
    if (type == RECORD_FINISHED_ROUND || q->rounds[q->round].used > ROUND_MOST) {
        pass_records(s, q->limit); /* the rest of the round before, whose bytes the next one takes */
        q->limit = q->latest;
        q->round ^= 1;
        q->rounds[q->round].used = 0;
    }
    switch (type) {
    case RECORD_SAMPLE: queue_sample(s, record); break;
    case RECORD_LOST:
    case RECORD_LOST_SAMPLES:
        check_length(s, record, lost_at + 8);
        count_add(&about->lost, little8(record.at + lost_at));
        break;
    case RECORD_MMAP:
    case RECORD_MMAP2:
    case RECORD_COMM:
    case RECORD_FORK:
    case RECORD_KSYMBOL:
    case RECORD_CALLCHAIN_DEFERRED:
        /* A trailer has of TID, TIME, ID, STREAM_ID, CPU and IDENTIFIER what the event has; without one, time is 0. */
        fields = about->event_count > 0 && about->events[0].has_trailers ? about->events[0].sample_type : 0;
        if (about->event_count > 1 && (fields & SAMPLE_IDENTIFIER) != 0 && length >= RECORD_HEAD + 8) {
            event = ids_find(&about->event_ids, little8(record.end - 8));
            fields = event != NONE ? about->events[event].sample_type : fields;
        }
        trailer = length_of(fields & (SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_IDENTIFIER));
        if ((fields & SAMPLE_TIME) != 0 && length >= RECORD_HEAD + trailer)
            time = little8(record.end - trailer);
        memcpy(queue_add(s, type, time, length), record.at, length);
        break;
    default: break;
    }
}

void perf_end_records(struct perf_samples *s)
{
    pass_records(s, UINT64_MAX);
    for (size_t i = 0; i < s->pending_count; i++) {
        if (s->pending[i].values == NULL)
            continue;
        const struct process *process = find_process(s, s->pending[i].sample.pid);
        s->about->lost_chains++;
        make_frames(s, &s->pending[i].sample, process->epoch, buffer_text(&s->pending[i].chain));
        book_pending(s, &s->pending[i], process, NONE);
    }
    memory_free(s->queue.rounds[0].bytes);
    memory_free(s->queue.rounds[1].bytes);
    memory_free(s->queue.items);
    memory_free(s->mappings);
    memory_free(s);
}

struct perf_samples *perf_samples_new(struct perf_about *about)
{
    struct perf_samples *s = memory_zeroed(1, sizeof *s);
    s->about = about;
    s->kernel = (struct process){.epoch = ++s->epochs, .tree = NONE};
    s->found[0].epoch = NONE; /* zeros, as in the other slots, are the address 0 of epoch 0, whose slot this is */
    return s;
}

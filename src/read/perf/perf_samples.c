/*
 * Records in the order of their times: mappings of processes as they come and go, names of threads, and samples,
 * whose stacks are collected.
 */
#include "read/perf/perf.h"

#include "util/array.h"

#include <stddef.h>
#include <stdlib.h>

enum {
    MISC_MODE = 7,
    MODE_OTHER = 0,
    MODE_KERNEL = 1,
    MODE_USER = 2,
    MISC_IS_DATA = 0x2000,    /* of a mapping */
    MISC_IS_MADE_UP = 0x2000, /* of a fork: the process was there before perf began */
    MISC_HAS_BUILD_ID = 0x4000,
    PROTECTION_EXECUTE = 4,
    MMAP_NAME = 40,
    MMAP2_NAME = 72,
    COMM_NAME = 16,
    KSYMBOL_NAME = 24,
    KSYMBOL_IS_GONE = 1,
    KSYMBOL_BPF = 1,
    READ_ENABLED = 1,
    READ_RUNNING = 2,
    READ_ID = 4,
    READ_GROUP = 8,
    READ_LOST = 16
};

/* Values of a chain from this one on are no addresses, but say what follows. */
#define CONTEXT_FIRST (UINT64_MAX - 4094)
#define CONTEXT_KERNEL (UINT64_MAX - 127)
#define CONTEXT_USER (UINT64_MAX - 511)
#define CONTEXT_HYPERVISOR (UINT64_MAX - 31)
#define CONTEXT_GUEST (UINT64_MAX - 2047)
#define CONTEXT_GUEST_KERNEL (UINT64_MAX - 2175)
#define CONTEXT_GUEST_USER (UINT64_MAX - 2559)
#define CONTEXT_DEFERRED (UINT64_MAX - 639)

#define OBJECT_NONE UINT32_MAX

enum {
    VALUES_MOST = UINT16_MAX / 8, /* that a record can hold */
    LAST_STACKS = 16,
    FOUND_PLACES = 4096,
    QUEUE_MOST = 128 << 20, /* bytes of records that wait for others of earlier times */
    MAPPINGS_MOST = 1 << 16 /* of a process, as Linux has it: adding one takes as many steps */
};

/*
 * Records that wait for others. perf writes the records of each processor by themselves; from time to time a record
 * says (FINISHED_ROUND) that none older than some of those before is going to follow.
 */
struct queue {
    char *bytes, *spare; /* each record begins at a multiple of 8 */
    size_t used, room, spare_room;
    struct queued {
        uint64_t time, position; /* position: in the input, in bytes */
        size_t at;               /* in the bytes: those that were added first come first */
        uint32_t type, length;
    } *items;
    size_t count, capacity;
    uint64_t latest; /* of all times so far */
    uint64_t limit;  /* the latest time before the last round ended */
};

/* A sample in the queue; its readings follow it, and then its chain. */
struct sample {
    uint64_t ip, period;
    uint32_t pid, tid, event;
    uint16_t reading_count, reading_size; /* u64 value, u64 id and what follows: of each counter */
    uint8_t mode;
    bool has_ip;
};

/*
 * The mappings of a process, by address. Processes share them after a fork; whoever changes his has a space of his
 * own for the changes, with the shared one as its base.
 */
struct space {
    const struct space *base; /* has what is not mapped here; NULL: nothing has */
    bool is_shared;           /* it does not change any more */
    size_t count, capacity;
    struct mapping {
        uint64_t start, end; /* addresses; the end is the first one outside */
        uint64_t shift;      /* from an address to the offset in the object, modulo 2^64 */
        uint32_t object;
    } *items;
};

/* An address of a chain, and where it is to be looked up; 0: nowhere. */
struct frame {
    uint64_t address;
    uint32_t epoch; /* of a process or of the kernel: another one after each change of mappings */
};

/* A sample whose outer frames come later, with a cookie. */
struct pending {
    uint32_t *places; /* the innermost first */
    struct perf_value *values;
    size_t place_count, value_count;
    bool replaces_first; /* its own address takes the place of the first that comes */
    uint32_t process;
    uint32_t next; /* of the same cookie */
};

struct perf_samples {
    struct perf_about *about;
    struct perf_stacks *stacks;
    struct perf_names *names;
    struct queue queue;
    struct process {
        struct space *space;
        uint32_t epoch;
    } *processes, kernel; /* the kernel's symbols: those that have records */
    size_t process_count, process_capacity;
    struct ids process_ids, thread_names;
    uint32_t epochs;
    PERF_SET(struct reading {
        uint64_t id;
        uint32_t tid;   /* if the counter is inherited */
        uint64_t value; /* what it stood at when it was read last */
    }) readings;
    struct frame frames[VALUES_MOST + 1]; /* of the sample at hand, the innermost first */
    size_t frame_count;
    struct perf_value values[VALUES_MOST]; /* the same */
    size_t value_count;
    /* The last stack of a thread, from the outermost frame on. The next stack often begins with the same frames. */
    struct last_stack {
        struct known_frame {
            uint64_t address;
            uint32_t epoch, node;
        } frames[VALUES_MOST + 1];
        size_t count;
    } last_stacks[LAST_STACKS];
    struct found {
        struct frame frame;
        uint32_t place;
    } found[FOUND_PLACES];
    struct pending *pending;
    size_t pending_count, pending_capacity;
    struct ids pending_ids; /* by cookie, the last that is pending */
};

/* ---- fields ------------------------------------------------------------------------------- */

static void check_length(const struct perf_samples *s, struct text record, size_t length)
{
    perf_check_length(s->about, record, length, "a record that is too short for what it tells", "a longer one");
}

/* The name that a record ends with, before what may follow it. */
static uint32_t name_at(const struct perf_samples *s, struct text record, size_t at)
{
    check_length(s, record, at + 1);
    const char *end = memchr(record.at + at, '\0', text_length(record) - at);
    if (end == NULL)
        perf_malformed(s->about, "a name without an end", "a NUL behind it");
    return perf_intern(s->about, (struct text){record.at + at, end});
}

static unsigned misc_of(struct text record)
{
    return little2(record.at + 4);
}

static unsigned count_bits(uint64_t word, uint64_t mask)
{
    unsigned count = 0;
    for (word &= mask; word != 0; word &= word - 1)
        count++;
    return count;
}

/* ---- the queue ---------------------------------------------------------------------------- */

static void replay(struct perf_samples *s, size_t most, uint64_t limit);

static char *queue_add(struct perf_samples *s, uint32_t type, uint64_t time, size_t length)
{
    struct queue *q = &s->queue;
    if (q->used > QUEUE_MOST)
        replay(s, q->count / 2, UINT64_MAX);
    size_t room = (length + 7) / 8 * 8;
    struct queued item = {time, s->about->position, q->used, type, (uint32_t)length};
    array_reserve(&q->bytes, &q->room, q->used + room, 1);
    array_append(&q->items, &q->count, &q->capacity, &item, sizeof item);
    q->used += room;
    q->latest = time > q->latest ? time : q->latest;
    return q->bytes + item.at;
}

/* Those of the same time stay in order. */
static int by_time(const void *left, const void *right)
{
    const struct queued *a = left, *b = right;
    return a->time != b->time ? (a->time > b->time) - (a->time < b->time) : (a->at > b->at) - (a->at < b->at);
}

static void sort(struct queue *q)
{
    for (size_t i = 1; i < q->count; i++)
        if (q->items[i - 1].time > q->items[i].time) {
            qsort(q->items, q->count, sizeof *q->items, by_time);
            return;
        }
}

/* Forgets the first `count` items, and the bytes of all that have been forgotten. */
static void forget(struct queue *q, size_t count)
{
    char *bytes = q->bytes;
    size_t room = q->room, used = 0;
    q->count -= count;
    if (q->count > 0)
        memmove(q->items, q->items + count, q->count * sizeof *q->items);
    array_reserve(&q->spare, &q->spare_room, q->count > 0 ? q->used : 0, 1);
    for (size_t i = 0; i < q->count; i++) {
        memcpy(q->spare + used, bytes + q->items[i].at, q->items[i].length);
        q->items[i].at = used;
        used += (q->items[i].length + 7) / 8 * 8;
    }
    q->used = used;
    if (q->count == 0)
        return;
    q->bytes = q->spare;
    q->room = q->spare_room;
    q->spare = bytes;
    q->spare_room = room;
}

/*
 * The time of a record that is no sample: in its trailer, of TID, TIME, ID, STREAM_ID, CPU and IDENTIFIER, those
 * that the event has. Without one it comes first.
 */
static uint64_t time_of(const struct perf_about *about, struct text record)
{
    if (about->event_count == 0 || !about->events[0].has_trailers)
        return 0;
    uint64_t type = about->events[0].sample_type;
    if (about->event_count > 1 && (type & SAMPLE_IDENTIFIER) != 0 && text_length(record) >= RECORD_HEAD + 8) {
        uint32_t found = ids_find(&about->event_ids, little8(record.end - 8));
        type = found != NONE ? about->events[found].sample_type : type;
    }
    size_t after = 8 * count_bits(type, SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_IDENTIFIER);
    if ((type & SAMPLE_TIME) == 0 || text_length(record) < RECORD_HEAD + after)
        return 0;
    return little8(record.end - after);
}

/* ---- samples as they are recorded ----------------------------------------------------------- */

/* The number of a sample's event; NONE: it belongs to none, and is left out. */
static uint32_t event_of(struct perf_samples *s, struct text record)
{
    struct perf_about *about = s->about;
    if (about->event_count == 0)
        perf_malformed(about, "a sample", "an event before it");
    const struct perf_event *first = &about->events[0];
    uint64_t type = first->sample_type;
    if (about->event_count == 1 || (type & (SAMPLE_IDENTIFIER | SAMPLE_ID)) == 0)
        return 0;
    size_t at = RECORD_HEAD;
    if ((type & SAMPLE_IDENTIFIER) == 0)
        at += 8 * count_bits(type, SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR);
    check_length(s, record, at + 8);
    uint64_t id = little8(record.at + at);
    uint32_t found = id == 0 ? 0 : ids_find(&about->event_ids, id);
    if (found != NONE || !first->has_trailers)
        return found != NONE ? found : 0;
    about->unknown_ids++;
    return NONE;
}

/* Takes what counters stood at, of one or of a group. Only readings with ids are of use. */
static struct text take_readings(struct perf_rest *rest, const struct perf_event *event, struct sample *sample)
{
    uint64_t format = event->read_format, count = 1;
    size_t times = count_bits(format, READ_ENABLED | READ_RUNNING);
    size_t size = 8 + 8 * count_bits(format, READ_ID | READ_LOST);
    if ((format & READ_GROUP) == 0) {
        size += 8 * times;
    } else {
        count = perf_take_u64(rest);
        perf_take_bytes(rest, 8 * times);
    }
    rest->is_short |= count > (size_t)(rest->end - rest->at) / size;
    if ((format & READ_ID) != 0)
        sample->reading_count = (uint16_t)count;
    sample->reading_size = (uint16_t)size;
    return perf_take_bytes(rest, count * size);
}

/* Fields follow each other in this order, which is not that of their bits. */
static const uint64_t field_order[] = {SAMPLE_IDENTIFIER, SAMPLE_IP, SAMPLE_TID,       SAMPLE_TIME, SAMPLE_ADDR,
                                       SAMPLE_ID,         SAMPLE_STREAM_ID, SAMPLE_CPU, SAMPLE_PERIOD};

enum { FIELDS = sizeof field_order / sizeof field_order[0], IP_FIELD = 1, TID_FIELD, TIME_FIELD, PERIOD_FIELD = 8 };

/* Queues what of a sample is of use: up to its chain, without registers, raw stacks and whatever else follows. */
static void queue_sample(struct perf_samples *s, struct text record)
{
    uint32_t number = event_of(s, record);
    if (number == NONE)
        return;
    const struct perf_event *event = &s->about->events[number];
    struct perf_rest rest = {record.at + RECORD_HEAD, record.end, false};
    struct sample sample = {.event = number,
                            .mode = (uint8_t)(misc_of(record) & MISC_MODE),
                            .has_ip = (event->sample_type & SAMPLE_IP) != 0};
    uint64_t fields[FIELDS] = {[PERIOD_FIELD] = event->has_frequency ? 1 : event->period};
    struct text readings = {rest.at, rest.at}, chain = readings;
    for (size_t i = 0; i < FIELDS; i++)
        if ((event->sample_type & field_order[i]) != 0)
            fields[i] = perf_take_u64(&rest);
    if ((event->sample_type & SAMPLE_READ) != 0)
        readings = take_readings(&rest, event, &sample);
    if ((event->sample_type & SAMPLE_CALLCHAIN) != 0) {
        uint64_t length = perf_take_u64(&rest);
        rest.is_short |= length > (size_t)(rest.end - rest.at) / 8;
        chain = perf_take_bytes(&rest, 8 * length);
    }
    if (rest.is_short)
        perf_malformed(s->about, "a sample that is too short for what it tells", "a longer one");
    sample.ip = fields[IP_FIELD];
    sample.pid = (uint32_t)fields[TID_FIELD];
    sample.tid = (uint32_t)(fields[TID_FIELD] >> 32);
    sample.period = fields[PERIOD_FIELD];
    size_t readings_size = (size_t)sample.reading_count * sample.reading_size;
    char *to = queue_add(s, RECORD_SAMPLE, fields[TIME_FIELD], sizeof sample + readings_size + text_length(chain));
    memcpy(to, &sample, sizeof sample);
    memcpy(to + sizeof sample, readings.at, readings_size);
    memcpy(to + sizeof sample + readings_size, chain.at, text_length(chain));
}

/* ---- processes ---------------------------------------------------------------------------- */

/* Something has changed: addresses that were looked up before have to be looked up again. */
static void renew(struct perf_samples *s, struct process *process)
{
    process->epoch = ++s->epochs;
}

static struct space *new_space(const struct space *base)
{
    struct space *space = memory_zeroed(1, sizeof *space);
    space->base = base;
    return space;
}

/* The number of the process, which may be new. */
static uint32_t find_process(struct perf_samples *s, uint32_t pid)
{
    uint32_t number = ids_find(&s->process_ids, pid);
    if (number != NONE)
        return number;
    number = (uint32_t)s->process_count;
    struct process process = {.space = new_space(NULL)};
    renew(s, &process);
    array_append(&s->processes, &s->process_count, &s->process_capacity, &process, sizeof process);
    ids_set(&s->process_ids, pid, number);
    return number;
}

/* The number of the first mapping that ends after an address; their count, if none does. */
static size_t first_after(const struct space *space, uint64_t address)
{
    size_t low = 0, high = space->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (space->items[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Puts a mapping in place of what is there; OBJECT_NONE: nothing is mapped there then. */
static void put(struct space *space, struct mapping new)
{
    struct mapping pieces[3];
    size_t piece_count = 0, first = first_after(space, new.start), after = first;
    while (after < space->count && space->items[after].start < new.end)
        after++;
    if (first < after && space->items[first].start < new.start) {
        pieces[piece_count] = space->items[first];
        pieces[piece_count++].end = new.start;
    }
    if (new.object != OBJECT_NONE)
        pieces[piece_count++] = new;
    if (first < after && space->items[after - 1].end > new.end) {
        pieces[piece_count] = space->items[after - 1];
        pieces[piece_count++].start = new.end;
    }
    array_reserve(&space->items, &space->capacity, space->count + 2, sizeof *space->items);
    memmove(space->items + first + piece_count, space->items + after, (space->count - after) * sizeof *space->items);
    memcpy(space->items + first, pieces, piece_count * sizeof *pieces);
    space->count = space->count + piece_count - (after - first);
}

/* An empty space upon a shared one. Each base has more than twice as many mappings as what is upon it: they are few. */
static struct space *space_upon(const struct space *base)
{
    const struct space *lower;
    while ((lower = base->base) != NULL && base->count >= lower->count / 2) {
        struct space *both = new_space(lower->base);
        array_reserve(&both->items, &both->capacity, lower->count + base->count, sizeof *both->items);
        if (lower->count > 0)
            memcpy(both->items, lower->items, lower->count * sizeof *both->items);
        both->count = lower->count;
        for (size_t i = 0; i < base->count; i++)
            put(both, base->items[i]);
        base = both;
    }
    return new_space(base);
}

/* Maps an object, or OBJECT_NONE, from an address on. What is beyond the last address is left out. */
static void map(struct perf_samples *s, struct process *process, uint64_t start, uint64_t length, uint64_t shift,
                uint32_t object)
{
    struct mapping new = {start, length <= UINT64_MAX - start ? start + length : UINT64_MAX, shift, object};
    if (new.start == new.end)
        return;
    renew(s, process);
    if (process->space->is_shared)
        process->space = space_upon(process->space);
    if (process->space->count >= MAPPINGS_MOST)
        diag_error(s->about->diag, 0, "found more than %d mappings in a process, expected fewer", MAPPINGS_MOST);
    put(process->space, new);
}

/* The kernel's: where one of its symbols was, whose name follows the bracket. */
static void take_kernel_mapping(struct perf_samples *s, struct text name, uint64_t address, uint32_t build_id)
{
    static const char kernel[] = "[kernel.kallsyms]";
    struct perf_about *about = s->about;
    bool is_known = s->names->capacity > OBJECT_KERNEL && s->names->tables[OBJECT_KERNEL].state != SYMBOLS_UNTRIED;
    if (!text_starts(name, kernel) || is_known)
        return;
    if (build_id != NAME_EMPTY)
        about->kernel_id = build_id;
    name.at += sizeof kernel - 1;
    about->kernel_anchor_address = address;
    if (!text_is_empty(name))
        about->kernel_anchor = perf_intern(about, name);
}

/* u32 pid, tid; u64 address, length, offset in the file; more of it in MMAP2; name. */
static void take_mapping(struct perf_samples *s, struct text record, bool is_second)
{
    uint32_t name = name_at(s, record, is_second ? MMAP2_NAME : MMAP_NAME), pid = little4(record.at + 8);
    struct text path = names_text(s->about->names, name);
    unsigned misc = misc_of(record);
    if ((misc & MISC_MODE) > MODE_USER)
        return; /* a guest's */
    bool is_code = is_second ? (little4(record.at + 64) & PROTECTION_EXECUTE) != 0 : (misc & MISC_IS_DATA) == 0;
    struct perf_object object = {.kind = PERF_FILE, .name = name};
    if (is_second && (misc & MISC_HAS_BUILD_ID) != 0) {
        size_t length = (unsigned char)record.at[40];
        object.build_id =
            names_intern(s->about->names, text_of(record.at + 44, length < BUILD_ID_MAX ? length : BUILD_ID_MAX));
    }
    uint64_t start = little8(record.at + 16), offset = little8(record.at + 32);
    if ((misc & MISC_MODE) == MODE_KERNEL || pid == UINT32_MAX) {
        take_kernel_mapping(s, path, offset, object.build_id);
        return;
    }
    if (!is_code)
        return;
    if (perf_is_jit(path))
        object = (struct perf_object){
            .kind = PERF_JIT, .pid = pid, .name = perf_intern(s->about, text_of_string("[JIT]"))};
    else if ((text_starts(path, "[") && !text_equals(path, "[vdso]")) || text_ends(path, " (deleted)"))
        object = (struct perf_object){.kind = PERF_SPECIAL, .name = name};
    uint32_t process = find_process(s, pid);
    map(s, &s->processes[process], start, little8(record.at + 24), offset - start, perf_object(s->stacks, object));
}

/* u32 pid, tid; name. */
static void take_comm(struct perf_samples *s, struct text record)
{
    uint32_t name = name_at(s, record, COMM_NAME);
    ids_set(&s->thread_names, little4(record.at + 12), name);
}

/* u32 pid, ppid, tid, ptid; u64 time. */
static void take_fork(struct perf_samples *s, struct text record)
{
    check_length(s, record, 24);
    uint32_t pid = little4(record.at + 8), parent_pid = little4(record.at + 12);
    uint32_t name = ids_find(&s->thread_names, little4(record.at + 20));
    if (name != NONE)
        ids_set(&s->thread_names, little4(record.at + 16), name);
    if (pid == parent_pid || (misc_of(record) & MISC_IS_MADE_UP) != 0)
        return;
    uint32_t parent = find_process(s, parent_pid), child = find_process(s, pid);
    s->processes[parent].space->is_shared = true;
    s->processes[child].space = s->processes[parent].space;
    renew(s, &s->processes[child]);
}

/* u64 address; u32 length; u16 type, flags; name. */
static void take_kernel_symbol(struct perf_samples *s, struct text record)
{
    uint32_t name = name_at(s, record, KSYMBOL_NAME), number = OBJECT_NONE;
    const char *within = little2(record.at + 20) == KSYMBOL_BPF ? "[bpf]" : "[kernel.kallsyms]";
    if ((little2(record.at + 22) & KSYMBOL_IS_GONE) == 0)
        number = perf_object(s->stacks, (struct perf_object){.kind = PERF_SYMBOL,
                                                             .name = name,
                                                             .within = perf_intern(s->about, text_of_string(within))});
    map(s, &s->kernel, little8(record.at + 8), little4(record.at + 16), 0, number);
}

/* ---- places and nodes --------------------------------------------------------------------- */

/* The place of a frame in what is mapped now. */
static struct perf_place look_up(struct perf_samples *s, struct frame frame, uint32_t process)
{
    bool is_kernel = frame.epoch == s->kernel.epoch;
    struct perf_place place = {is_kernel ? frame.address : 0, is_kernel ? OBJECT_KERNEL : OBJECT_UNKNOWN};
    const struct space *space = is_kernel                                    ? s->kernel.space
                                : frame.epoch == s->processes[process].epoch ? s->processes[process].space
                                                                             : NULL;
    for (; space != NULL; space = space->base) {
        size_t number = first_after(space, frame.address);
        if (number == space->count || space->items[number].start > frame.address)
            continue;
        const struct mapping *mapping = &space->items[number];
        enum perf_object_kind kind = s->stacks->objects.items[mapping->object].kind;
        uint64_t shift = kind == PERF_FILE ? mapping->shift : 0;
        place = (struct perf_place){kind == PERF_FILE || kind == PERF_JIT ? frame.address + shift : 0, mapping->object};
        break;
    }
    return perf_resolve(s->names, place);
}

static uint32_t find_place(struct perf_samples *s, struct frame frame, uint32_t process)
{
    uint64_t spread = (frame.address ^ frame.epoch) * UINT64_C(0x9e3779b97f4a7c15);
    struct found *found = &s->found[spread >> 52 & (FOUND_PLACES - 1)];
    if (found->frame.address != frame.address || found->frame.epoch != frame.epoch || found->place == NONE)
        *found = (struct found){frame, perf_place(s->stacks, look_up(s, frame, process))};
    return found->place;
}

/* Goes on from a node with frames, of which the last one is the outermost. */
static uint32_t extend(struct perf_samples *s, const struct frame *frames, size_t count, uint32_t process,
                       uint32_t node)
{
    for (size_t i = count; i-- > 0;)
        node = perf_node(s->stacks, (struct perf_node){node, find_place(s, frames[i], process)});
    return node;
}

/* ---- chains ------------------------------------------------------------------------------- */

/* How the frames at hand go on. */
struct chain {
    bool is_replaced; /* the sample's own address takes the place of the next one */
    bool is_deferred; /* what follows comes later, ... */
    uint64_t cookie;  /* ... with this */
};

/*
 * Makes frames of a chain in a process, the innermost first. The sample's own address (NULL: there is none) takes the
 * place of the first one, unless that one is of another context; then it has been called from there.
 */
static struct chain make_frames(struct perf_samples *s, uint32_t process, unsigned mode, const uint64_t *ip,
                                struct text values)
{
    uint32_t user = s->processes[process].epoch, kernel = s->kernel.epoch;
    uint32_t own = mode == MODE_USER ? user : mode == MODE_KERNEL ? kernel : 0, epoch = own;
    uint64_t back = 0, usual_back = s->about->has_exact_chains ? 0 : 1; /* from a return address to the call */
    struct frame *next = s->frames;
    struct chain chain = {.is_replaced = ip != NULL};
    s->frame_count = ip != NULL ? 1 : 0; /* if this is no chain */
    if (ip != NULL)
        *next++ = (struct frame){*ip, epoch};
    for (; text_length(values) >= 8; values.at += 8) {
        uint64_t value = little8(values.at);
        if (value < CONTEXT_FIRST) {
            if (!chain.is_replaced || epoch != own)
                *next++ = (struct frame){value - back, epoch};
            chain.is_replaced = false;
            back = usual_back;
            continue;
        }
        if (value == CONTEXT_DEFERRED && text_length(values) >= 16) {
            values.at += 8;
            chain.is_deferred = true;
            chain.cookie = little8(values.at);
            continue;
        }
        back = 0;
        switch (value) {
        case CONTEXT_KERNEL:
            epoch = kernel;
            break;
        case CONTEXT_USER:
            epoch = user;
            break;
        case CONTEXT_HYPERVISOR:
        case CONTEXT_GUEST:
        case CONTEXT_GUEST_KERNEL:
        case CONTEXT_GUEST_USER:
            epoch = 0;
            break;
        default:
            return (struct chain){.is_deferred = false};
        }
    }
    s->frame_count = (size_t)(next - s->frames);
    chain.is_replaced = chain.is_replaced && own == user;
    return chain;
}

/* The node of the frames at hand. Those that the thread's last stack has are not looked up again. */
static uint32_t find_node(struct perf_samples *s, uint32_t tid, uint32_t process)
{
    struct last_stack *last = &s->last_stacks[tid % LAST_STACKS];
    size_t known = 0, count = s->frame_count;
    for (; known < count && known < last->count; known++) {
        struct frame frame = s->frames[count - known - 1];
        if (frame.address != last->frames[known].address || frame.epoch != last->frames[known].epoch)
            break;
    }
    uint32_t node = known > 0 ? last->frames[known - 1].node : NONE;
    for (; known < count; known++) {
        const struct frame *frame = &s->frames[count - known - 1];
        node = extend(s, frame, 1, process, node);
        last->frames[known] = (struct known_frame){frame->address, frame->epoch, node};
    }
    last->count = count;
    return node;
}

/* ---- weights ------------------------------------------------------------------------------ */

/* Each counter of a sample counts by what it has grown; if it has not, this is no sample of it. */
static void weigh_readings(struct perf_samples *s, const struct sample *sample, const char *readings)
{
    const struct perf_event *event = &s->about->events[sample->event];
    size_t times = (event->read_format & READ_GROUP) != 0 ? 0 : READ_ENABLED | READ_RUNNING;
    size_t id_at = 8 + 8 * count_bits(event->read_format, times);
    for (size_t i = 0; i < sample->reading_count; i++) {
        const char *p = readings + i * sample->reading_size;
        struct reading reading = {.id = little8(p + id_at), .tid = event->is_inherited ? sample->tid : 0};
        uint64_t value = little8(p);
        uint32_t number = ids_find(&s->about->event_ids, reading.id);
        if (number == NONE) {
            s->about->unknown_ids++;
            continue;
        }
        uint32_t last = PERF_SET_INTERN(&s->readings, hash_numbers(&s->readings.index.seed, reading.id, reading.tid),
                                        reading, offsetof(struct reading, tid) + sizeof reading.tid);
        uint64_t before = s->readings.items[last].value;
        s->readings.items[last].value = value;
        if (value > before)
            s->values[s->value_count++] = (struct perf_value){number, perf_weight(value - before)};
    }
}

/* ---- samples ------------------------------------------------------------------------------ */

static void book(struct perf_samples *s, const struct perf_value *values, size_t count, uint32_t node)
{
    for (size_t i = 0; i < count; i++)
        perf_book(s->about, s->stacks, values[i], node);
}

/* Keeps the sample at hand until its outer frames come. */
static void wait_for_rest(struct perf_samples *s, const struct chain *chain, uint32_t process)
{
    struct pending pending = {.places = memory_get(s->frame_count * sizeof *pending.places),
                              .values = memory_get(s->value_count * sizeof *pending.values),
                              .place_count = s->frame_count,
                              .value_count = s->value_count,
                              .replaces_first = chain->is_replaced,
                              .process = process,
                              .next = ids_find(&s->pending_ids, chain->cookie)};
    for (size_t i = 0; i < s->frame_count; i++)
        pending.places[i] = find_place(s, s->frames[i], process);
    memcpy(pending.values, s->values, s->value_count * sizeof *s->values);
    ids_set(&s->pending_ids, chain->cookie, (uint32_t)s->pending_count);
    array_append(&s->pending, &s->pending_count, &s->pending_capacity, &pending, sizeof pending);
}

/* Books a sample that has waited, below the frames that have come; `node`: NONE, if none have. */
static void book_pending(struct perf_samples *s, struct pending *pending, uint32_t node)
{
    for (size_t i = pending->place_count; i-- > 0;)
        node = perf_node(s->stacks, (struct perf_node){node, pending->places[i]});
    book(s, pending->values, pending->value_count, node);
    memory_free(pending->places);
    memory_free(pending->values);
    *pending = (struct pending){.next = NONE};
}

static void take_sample(struct perf_samples *s, struct text record)
{
    const struct sample *sample = (const struct sample *)(const void *)record.at;
    const char *readings = (const char *)(sample + 1);
    struct text values = {readings + (size_t)sample->reading_count * sample->reading_size, record.end};
    s->value_count = 0;
    if (sample->reading_size > 0 && (s->about->events[sample->event].read_format & READ_ID) != 0)
        weigh_readings(s, sample, readings);
    else
        s->values[s->value_count++] = (struct perf_value){sample->event, perf_weight(sample->period)};
    uint32_t name = s->about->options->samples.name_count > 0 ? ids_find(&s->thread_names, sample->tid) : NONE;
    if (s->value_count == 0 || !perf_is_wanted(s->about, sample->pid, sample->tid, name))
        return;
    uint32_t process = find_process(s, sample->pid);
    struct chain chain = make_frames(s, process, sample->mode, sample->has_ip ? &sample->ip : NULL, values);
    if (s->frame_count == 0)
        s->frames[s->frame_count++] = (struct frame){0, 0};
    if (chain.is_deferred)
        wait_for_rest(s, &chain, process);
    else
        book(s, s->values, s->value_count, find_node(s, sample->tid, process));
}

/* u64 cookie; u64 n, n values: what samples of this cookie have lacked. */
static void take_deferred_chain(struct perf_samples *s, struct text record)
{
    check_length(s, record, 24);
    uint64_t cookie = little8(record.at + 8), count = little8(record.at + 16);
    if (count > (text_length(record) - 24) / 8)
        perf_malformed(s->about, "a chain that passes the end of its record", "a shorter one");
    uint32_t first = ids_find(&s->pending_ids, cookie);
    if (first == NONE)
        return;
    uint32_t process = s->pending[first].process;
    ids_set(&s->pending_ids, cookie, NONE);
    make_frames(s, process, MODE_USER, NULL, text_of(record.at + 24, (size_t)count * 8));
    size_t rest = s->frame_count > 0 ? s->frame_count - 1 : 0; /* all but the innermost */
    uint32_t replaced = extend(s, s->frames + s->frame_count - rest, rest, process, NONE);
    uint32_t outer = extend(s, s->frames, s->frame_count - rest, process, replaced);
    for (uint32_t i = first, next; i != NONE; i = next) {
        next = s->pending[i].next;
        book_pending(s, &s->pending[i], s->pending[i].replaces_first ? replaced : outer);
    }
}

/* ---- all of them -------------------------------------------------------------------------- */

/* Takes `most` records by time, up to that of the limit; messages name their places in the input. */
static void replay(struct perf_samples *s, size_t most, uint64_t limit)
{
    uint64_t position = s->about->position;
    size_t count = 0;
    sort(&s->queue);
    for (; count < most && s->queue.items[count].time <= limit; count++) {
        const struct queued *item = &s->queue.items[count];
        struct text record = text_of(s->queue.bytes + item->at, item->length);
        s->about->position = item->position;
        switch (item->type) {
        case RECORD_MMAP: take_mapping(s, record, false); break;
        case RECORD_MMAP2: take_mapping(s, record, true); break;
        case RECORD_COMM: take_comm(s, record); break;
        case RECORD_FORK: take_fork(s, record); break;
        case RECORD_KSYMBOL: take_kernel_symbol(s, record); break;
        case RECORD_CALLCHAIN_DEFERRED: take_deferred_chain(s, record); break;
        default: take_sample(s, record); break;
        }
    }
    s->about->position = position;
    forget(&s->queue, count);
}

void perf_take_record(struct perf_samples *s, uint32_t type, struct text record)
{
    size_t lost_at = type == RECORD_LOST ? 16 : 8;
    switch (type) {
    case RECORD_SAMPLE: queue_sample(s, record); break;
    case RECORD_LOST:
    case RECORD_LOST_SAMPLES:
        check_length(s, record, lost_at + 8);
        count_add(&s->about->lost, little8(record.at + lost_at));
        break;
    case RECORD_FINISHED_ROUND:
        replay(s, s->queue.count, s->queue.limit);
        s->queue.limit = s->queue.latest;
        break;
    case RECORD_MMAP:
    case RECORD_MMAP2:
    case RECORD_COMM:
    case RECORD_FORK:
    case RECORD_KSYMBOL:
    case RECORD_CALLCHAIN_DEFERRED:
        memcpy(queue_add(s, type, time_of(s->about, record), text_length(record)), record.at, text_length(record));
        break;
    default: break;
    }
}

void perf_end_records(struct perf_samples *s)
{
    replay(s, s->queue.count, UINT64_MAX);
    for (size_t i = 0; i < s->pending_count; i++) {
        if (s->pending[i].value_count == 0)
            continue;
        s->about->lost_chains++;
        book_pending(s, &s->pending[i], NONE);
    }
    memory_free(s->queue.bytes);
    memory_free(s->queue.spare);
    memory_free(s->queue.items);
    memory_free(s);
}

struct perf_samples *perf_samples_new(struct perf_about *about, struct perf_stacks *stacks, struct perf_names *names)
{
    struct perf_samples *s = memory_zeroed(1, sizeof *s);
    const struct index *seeded = &about->names->index;
    s->about = about;
    s->stacks = stacks;
    s->names = names;
    s->kernel.space = new_space(NULL);
    renew(s, &s->kernel);
    for (size_t i = 0; i < FOUND_PLACES; i++)
        s->found[i].place = NONE;
    ids_init(&s->process_ids, seeded);
    ids_init(&s->thread_names, seeded);
    ids_init(&s->pending_ids, seeded);
    index_init(&s->readings.index, seeded);
    return s;
}

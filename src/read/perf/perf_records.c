/*
 * Records in the order of their times: mappings of processes as they come and go, names of threads, and
 * samples, whose stacks are collected.
 */
#include "read/perf/perf_symbols.h"

#include "util/array.h"
#include "util/little.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

enum {
    MISC_IS_DATA = 0x2000,     /* of a mapping */
    MISC_IS_MADE_UP = 0x2000,  /* of a fork: perf tells of a process that was there already */
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

/* ---- fields ------------------------------------------------------------------------------- */

static unsigned misc_of(struct text record)
{
    return little2(record.at + 4);
}

/* A record of at least so many bytes? If not, this is reported. */
static bool has_length(struct perf_reader *r, struct text record, size_t length)
{
    return text_length(record) >= length ||
           perf_malformed(r, "a record that is too short for what it tells", "a longer one");
}

/* The name that a record ends with, before what may follow it. */
static bool name_at(struct perf_reader *r, struct text record, size_t at, struct text *name)
{
    if (!has_length(r, record, at + 1))
        return false;
    const char *end = memchr(record.at + at, '\0', text_length(record) - at);
    *name = (struct text){record.at + at, end};
    return end != NULL || perf_malformed(r, "a name without an end", "a NUL behind it");
}

/* ---- samples as they are recorded ----------------------------------------------------------- */

struct sample {
    unsigned mode;
    bool has_ip;
    uint64_t ip, time, period;
    uint32_t pid, tid;
    const char *readings; /* u64 value, u64 id and what follows: of each counter */
    uint64_t reading_count;
    size_t reading_size;
    const char *chain;
    uint64_t chain_length;
    const char *end; /* behind all that is of use */
};

static bool take_u64(struct text *rest, uint64_t *number)
{
    if (text_length(*rest) < 8)
        return false;
    *number = little8(rest->at);
    rest->at += 8;
    return true;
}

static unsigned count_bits(uint64_t word, uint64_t mask)
{
    unsigned count = 0;
    for (word &= mask; word != 0; word &= word - 1)
        count++;
    return count;
}

/* Takes what counters stood at: of one, or of a group. Only readings with ids are of use. */
static bool take_readings(struct text *rest, const struct perf_attr *event, struct sample *sample)
{
    uint64_t format = event->read_format, count = 1;
    bool is_group = (format & READ_GROUP) != 0;
    size_t times = 8 * count_bits(format, READ_ENABLED | READ_RUNNING);
    size_t size = 8 + 8 * count_bits(format, READ_ID | READ_LOST);
    if (is_group && (!take_u64(rest, &count) || text_length(*rest) < times))
        return false;
    if (is_group)
        rest->at += times;
    else
        size += times;
    if (count > text_length(*rest) / size)
        return false;
    if ((format & READ_ID) != 0) {
        sample->readings = rest->at;
        sample->reading_count = count;
        sample->reading_size = size;
    }
    rest->at += count * size;
    return true;
}

static size_t id_in_reading(const struct perf_attr *event)
{
    uint64_t times = (event->read_format & READ_GROUP) != 0 ? 0 : READ_ENABLED | READ_RUNNING;
    return 8 + 8 * count_bits(event->read_format, times);
}

static bool take_chain(struct text *rest, struct sample *sample)
{
    if (!take_u64(rest, &sample->chain_length) || sample->chain_length > text_length(*rest) / 8)
        return false;
    sample->chain = rest->at;
    rest->at += 8 * sample->chain_length;
    return true;
}

/* Fields follow each other in this order, which is not that of their bits. */
static bool take_fields(struct text *rest, const struct perf_attr *event, struct sample *sample)
{
    uint64_t type = event->sample_type, threads = 0, skipped;
    bool done = ((type & SAMPLE_IDENTIFIER) == 0 || take_u64(rest, &skipped)) &&
                ((type & SAMPLE_IP) == 0 || take_u64(rest, &sample->ip)) &&
                ((type & SAMPLE_TID) == 0 || take_u64(rest, &threads)) &&
                ((type & SAMPLE_TIME) == 0 || take_u64(rest, &sample->time)) &&
                ((type & SAMPLE_ADDR) == 0 || take_u64(rest, &skipped)) &&
                ((type & SAMPLE_ID) == 0 || take_u64(rest, &skipped)) &&
                ((type & SAMPLE_STREAM_ID) == 0 || take_u64(rest, &skipped)) &&
                ((type & SAMPLE_CPU) == 0 || take_u64(rest, &skipped)) &&
                ((type & SAMPLE_PERIOD) == 0 || take_u64(rest, &sample->period)) &&
                ((type & SAMPLE_READ) == 0 || take_readings(rest, event, sample)) &&
                ((type & SAMPLE_CALLCHAIN) == 0 || take_chain(rest, sample));
    sample->pid = (uint32_t)threads;
    sample->tid = (uint32_t)(threads >> 32);
    return done;
}

static bool parse_sample(const struct perf_attr *event, struct text record, struct sample *sample)
{
    struct text rest = {record.at + RECORD_HEAD, record.end};
    *sample = (struct sample){.mode = misc_of(record) & MISC_MODE,
                              .has_ip = (event->sample_type & SAMPLE_IP) != 0,
                              .period = event->has_frequency ? 1 : event->period};
    bool done = take_fields(&rest, event, sample);
    sample->end = rest.at;
    return done;
}

/* ---- which event -------------------------------------------------------------------------- */

/* Where the id stands among the fields of a sample, if it has no IDENTIFIER in front. */
static size_t id_in_sample(uint64_t sample_type)
{
    return RECORD_HEAD +
           8 * count_bits(sample_type, SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR);
}

/* Sets *event to the number of a sample's event; NONE: it belongs to none, and is left out. */
static bool event_of_sample(struct perf_reader *r, struct text record, uint32_t *event)
{
    uint64_t type;
    *event = 0;
    if (r->attr_count == 0)
        return perf_malformed(r, "a sample", "an event before it");
    type = r->attrs[0].sample_type;
    if (r->attr_count == 1 || (type & (SAMPLE_IDENTIFIER | SAMPLE_ID)) == 0)
        return true;
    size_t at = (type & SAMPLE_IDENTIFIER) != 0 ? RECORD_HEAD : id_in_sample(type);
    if (!has_length(r, record, at + 8))
        return false;
    uint64_t id = little8(record.at + at);
    uint32_t found = id == 0 ? 0 : ids_find(&r->attr_ids, id);
    if (found == NONE && r->attrs[0].has_trailers) {
        r->unknown_ids++;
        *event = NONE;
        return true;
    }
    *event = found == NONE ? 0 : found;
    return true;
}

/* The event whose trailer a record has. */
static const struct perf_attr *event_of_trailer(const struct perf_reader *r, struct text record)
{
    const struct perf_attr *first = &r->attrs[0];
    if (r->attr_count == 1 || (first->sample_type & SAMPLE_IDENTIFIER) == 0 ||
        text_length(record) < RECORD_HEAD + 8)
        return first;
    uint32_t found = ids_find(&r->attr_ids, little8(record.end - 8));
    return found == NONE ? first : &r->attrs[found];
}

/*
 * The time of a record that is no sample: in its trailer, of TID, TIME, ID, STREAM_ID, CPU and IDENTIFIER,
 * as far as the event has them. Without one it comes first.
 */
static uint64_t time_of(const struct perf_reader *r, struct text record)
{
    if (r->attr_count == 0 || !r->attrs[0].has_trailers)
        return 0;
    uint64_t type = event_of_trailer(r, record)->sample_type;
    size_t behind = 8 * count_bits(type, SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU |
                                          SAMPLE_IDENTIFIER);
    if ((type & SAMPLE_TIME) == 0 || text_length(record) < RECORD_HEAD + behind)
        return 0;
    return little8(record.end - behind);
}

/* ---- processes ---------------------------------------------------------------------------- */

/* Something has changed: addresses that were looked up before have to be looked up again. */
static void renew(struct perf_reader *r, struct perf_process *process)
{
    process->epoch = ++r->epochs;
}

/* Sets *number to that of the process, which may be new. */
static bool find_process(struct perf_reader *r, uint32_t pid, uint32_t *number)
{
    *number = ids_find(&r->process_ids, pid);
    if (*number != NONE)
        return true;
    *number = (uint32_t)r->process_count;
    if (!(array_reserve(&r->processes, &r->process_capacity, r->process_count + 1,
                       sizeof *r->processes), true) ||
        !(ids_set(&r->process_ids, pid, *number), true))
        return diag_no_memory(r->diag);
    struct perf_process *process = &r->processes[r->process_count++];
    process->space = space_empty(&r->mappings);
    renew(r, process);
    return true;
}

static bool map(struct perf_reader *r, struct perf_process *process, uint64_t start, uint64_t length,
                uint64_t shift, uint32_t object)
{
    uint64_t end;
    if (length == 0)
        return true;
    if (__builtin_add_overflow(start, length, &end))
        end = UINT64_MAX;
    renew(r, process);
    return space_map(&r->mappings, &process->space, start, end, shift, object) ||
           diag_no_memory(r->diag);
}

/*
 * Names of mappings of memory that is no file's: what is executed there was made at run time. perf's are those of
 * is_anon_memory and is_no_dso_memory in tools/perf/util/map.h.
 */
bool perf_is_jit(struct text name)
{
    static const char *const starts[] = {"//anon", "/anon_hugepage", "/dev/zero", "[heap]", "[stack", "/SYSV",
                                         "/memfd:", "[anon"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (text_starts(name, starts[i]))
            return true;
    return false;
}

static bool is_special(struct text name)
{
    return (text_starts(name, "[") && !text_equals(name, "[vdso]")) || text_ends(name, " (deleted)");
}

/* Sets *number to that of the object which a mapping of process `pid` names. */
static bool mapped_object(struct perf_reader *r, struct text name, uint32_t build_id, uint32_t pid,
                          uint32_t *number)
{
    struct perf_object object = {.kind = PERF_FILE, .build_id = build_id};
    if (perf_is_jit(name)) {
        object = (struct perf_object){.kind = PERF_JIT, .pid = pid};
        name = text_of_string("[JIT]");
    } else if (is_special(name)) {
        object = (struct perf_object){.kind = PERF_SPECIAL};
    }
    return perf_intern(r, name, &object.name) &&
           (perf_stacks_object(&r->stacks, object, number) || diag_no_memory(r->diag));
}

/* The kernel's: where one of its symbols was, whose name is behind the bracket. */
static bool take_kernel_mapping(struct perf_reader *r, struct text name, uint64_t address,
                                uint32_t build_id)
{
    static const char kernel[] = "[kernel.kallsyms]";
    bool is_known = r->table_capacity > OBJECT_KERNEL && r->tables[OBJECT_KERNEL].state >= PERF_TABLE_OPEN;
    if (!text_starts(name, kernel) || is_known)
        return true;
    if (build_id != NAME_EMPTY)
        r->kernel.build_id = build_id;
    name.at += sizeof kernel - 1;
    r->kernel.anchor_address = address;
    return text_is_empty(name) || perf_intern(r, name, &r->kernel.anchor);
}

/* u32 pid, tid; u64 address, length, offset in the file; more of it in MMAP2; name. */
static bool take_mapping(struct perf_reader *r, struct text record, bool is_second)
{
    struct text name;
    uint32_t process, object, build_id = NAME_EMPTY, pid;
    unsigned misc = misc_of(record);
    if (!name_at(r, record, is_second ? MMAP2_NAME : MMAP_NAME, &name))
        return false;
    if ((misc & MISC_MODE) > MODE_USER)
        return true; /* a guest's */
    bool is_kernel = (misc & MISC_MODE) == MODE_KERNEL || little4(record.at + 8) == UINT32_MAX;
    bool is_code = is_second ? (little4(record.at + 64) & PROTECTION_EXECUTE) != 0
                             : (misc & MISC_IS_DATA) == 0;
    if (is_second && (misc & MISC_HAS_BUILD_ID) != 0) {
        size_t length = (unsigned char)record.at[40];
        if (length > BUILD_ID_MAX)
            length = BUILD_ID_MAX;
        build_id = names_intern(&r->builder->profile->names, text_of(record.at + 44, length));
    }
    uint64_t start = little8(record.at + 16), offset = little8(record.at + 32);
    if (is_kernel)
        return take_kernel_mapping(r, name, offset, build_id);
    pid = little4(record.at + 8);
    return !is_code ||
           (find_process(r, pid, &process) && mapped_object(r, name, build_id, pid, &object) &&
            map(r, &r->processes[process], start, little8(record.at + 24), offset - start, object));
}

static bool take_comm(struct perf_reader *r, struct text record)
{
    struct text name;
    uint32_t number;
    return name_at(r, record, COMM_NAME, &name) && perf_intern(r, name, &number) &&
           ((ids_set(&r->thread_names, little4(record.at + 12), number), true));
}

/* u32 pid, ppid, tid, ptid; u64 time. */
static bool take_fork(struct perf_reader *r, struct text record)
{
    uint32_t child, parent;
    if (!has_length(r, record, 24))
        return false;
    uint32_t pid = little4(record.at + 8), parent_pid = little4(record.at + 12);
    uint32_t name = ids_find(&r->thread_names, little4(record.at + 20));
    if (name != NONE && !(ids_set(&r->thread_names, little4(record.at + 16), name), true))
        return diag_no_memory(r->diag);
    if (pid == parent_pid || (misc_of(record) & MISC_IS_MADE_UP) != 0)
        return true;
    if (!find_process(r, parent_pid, &parent) || !find_process(r, pid, &child))
        return false;
    r->processes[child].space = space_copy(&r->mappings, &r->processes[parent].space);
    renew(r, &r->processes[child]);
    return true;
}

/* u64 address; u32 length; u16 type, flags; name. */
static bool take_kernel_symbol(struct perf_reader *r, struct text record)
{
    struct text name;
    uint32_t number = NONE;
    if (!name_at(r, record, KSYMBOL_NAME, &name))
        return false;
    struct perf_object object = {.kind = PERF_SYMBOL};
    const char *within = little2(record.at + 20) == KSYMBOL_BPF ? "[bpf]" : "[kernel.kallsyms]";
    if ((little2(record.at + 22) & KSYMBOL_IS_GONE) == 0) {
        if (!perf_intern(r, name, &object.name) ||
            !perf_intern(r, text_of_string(within), &object.within))
            return false;
        if (!perf_stacks_object(&r->stacks, object, &number))
            return diag_no_memory(r->diag);
    }
    return map(r, &r->kernel_symbols, little8(record.at + 8), little4(record.at + 16), 0, number);
}

/* ---- places ------------------------------------------------------------------------------- */

/* The place of a frame in what is mapped now. */
static bool look_up(struct perf_reader *r, struct perf_frame frame, uint32_t process,
                    struct perf_place *place)
{
    bool is_kernel = frame.epoch == r->kernel_symbols.epoch;
    const struct mapping *mapping = NULL;
    if (is_kernel)
        mapping = space_find(&r->mappings, &r->kernel_symbols.space, frame.address);
    else if (process != NONE && frame.epoch == r->processes[process].epoch)
        mapping = space_find(&r->mappings, &r->processes[process].space, frame.address);
    if (mapping == NULL) {
        *place = (struct perf_place){0, OBJECT_UNKNOWN};
        if (is_kernel)
            *place = (struct perf_place){frame.address, OBJECT_KERNEL};
    } else {
        enum perf_object_kind kind = r->stacks.objects[mapping->object].kind;
        *place = (struct perf_place){0, mapping->object};
        if (kind == PERF_FILE)
            place->offset = frame.address + mapping->shift;
        else if (kind == PERF_JIT)
            place->offset = frame.address;
    }
    return perf_resolve_place(r, place);
}

static bool find_place(struct perf_reader *r, struct perf_frame frame, uint32_t process,
                       uint32_t *number)
{
    struct perf_place place;
    uint64_t spread = (frame.address ^ frame.epoch) * UINT64_C(0x9e3779b97f4a7c15);
    struct perf_found *found = &r->found[spread >> 52 & (FOUND_PLACES - 1)];
    if (found->frame.address == frame.address && found->frame.epoch == frame.epoch &&
        found->place != NONE) {
        *number = found->place;
        return true;
    }
    if (!look_up(r, frame, process, &place))
        return false;
    if (!perf_stacks_place(&r->stacks, place, number))
        return diag_no_memory(r->diag);
    *found = (struct perf_found){frame, *number};
    return true;
}

/* ---- stacks ------------------------------------------------------------------------------- */

/* Goes on from a node with frames, of which the last one is the outermost. */
static bool extend(struct perf_reader *r, const struct perf_frame *frames, size_t count,
                   uint32_t process, uint32_t *node)
{
    for (size_t i = count; i-- > 0;) {
        struct perf_node next = {.parent = *node};
        if (!find_place(r, frames[i], process, &next.place))
            return false;
        if (!perf_stacks_node(&r->stacks, next, node))
            return diag_no_memory(r->diag);
    }
    return true;
}

/* ---- chains ------------------------------------------------------------------------------- */

/* A chain that is being read. */
struct chain {
    uint32_t user_epoch, kernel_epoch, epoch;
    bool is_exact;   /* the next address is where it is, no return address */
    bool is_replaced; /* the sample's own address takes the place of the next one */
    bool is_deferred; /* what follows comes later, ... */
    uint64_t cookie;  /* ... with this */
    size_t plain;     /* how many of the outermost frames are of one context, the last */
};

static uint32_t epoch_of(const struct chain *chain, unsigned mode)
{
    return mode == MODE_USER ? chain->user_epoch : mode == MODE_KERNEL ? chain->kernel_epoch : 0;
}

/* Takes a value that says what follows. False: it says nothing, and the chain is no chain. */
static bool take_context(struct chain *chain, uint64_t value)
{
    switch (value) {
    case CONTEXT_KERNEL:
        chain->epoch = chain->kernel_epoch;
        break;
    case CONTEXT_USER:
        chain->epoch = chain->user_epoch;
        break;
    case CONTEXT_HYPERVISOR:
    case CONTEXT_GUEST:
    case CONTEXT_GUEST_KERNEL:
    case CONTEXT_GUEST_USER:
        chain->epoch = 0;
        break;
    default:
        return false;
    }
    chain->is_exact = true;
    chain->plain = 0;
    return true;
}

static void add_frame(struct perf_reader *r, uint64_t address, uint32_t epoch)
{
    r->frames[r->frame_count++] = (struct perf_frame){address, epoch};
}

/*
 * Adds the frames of a chain. The sample's own address takes the place of the first one, unless that one is
 * of another context; then it has been called from there.
 */
static void add_chain(struct perf_reader *r, struct chain *chain, const char *values, uint64_t count)
{
    size_t before = r->frame_count;
    uint32_t own_epoch = chain->epoch;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = little8(values + 8 * i);
        if (value == CONTEXT_DEFERRED && i + 1 < count) {
            chain->is_deferred = true;
            chain->cookie = little8(values + 8 * ++i);
        } else if (value < CONTEXT_FIRST) {
            if (!chain->is_replaced || chain->epoch != own_epoch)
                add_frame(r, chain->is_exact || r->has_exact_chains ? value : value - 1,
                          chain->epoch);
            chain->plain++;
            chain->is_replaced = chain->is_exact = false;
        } else if (!take_context(chain, value)) {
            r->frame_count = before;
            chain->is_deferred = false;
            chain->is_exact = true;
            chain->plain = 0;
            return;
        }
    }
    chain->is_replaced = chain->is_replaced && own_epoch == chain->user_epoch;
}

static void begin_chain(const struct perf_reader *r, uint32_t process, struct chain *chain)
{
    *chain = (struct chain){.user_epoch = r->processes[process].epoch,
                            .kernel_epoch = r->kernel_symbols.epoch};
}

/* Makes frames of a sample, the innermost first, by the first values of its chain. */
static bool make_frames(struct perf_reader *r, const struct sample *sample, uint64_t count, uint32_t process,
                        struct chain *chain)
{
    begin_chain(r, process, chain);
    array_reserve(&r->frames, &r->frame_capacity, (size_t)count + 1, sizeof *r->frames);
    r->frame_count = 0;
    chain->epoch = epoch_of(chain, sample->mode);
    chain->is_exact = true;
    if (sample->has_ip)
        add_frame(r, sample->ip, chain->epoch);
    chain->is_replaced = sample->has_ip;
    add_chain(r, chain, sample->chain, count);
    return true;
}

/* How many values of a chain from the outermost on are those of the thread's last stack. */
static size_t known_values(const struct perf_reader *r, const struct perf_last_stack *last,
                           const struct sample *sample)
{
    uint64_t back = r->has_exact_chains ? 0 : 1;
    size_t known = 0, most = last->count < sample->chain_length ? last->count : (size_t)sample->chain_length;
    if (most == 0)
        return 0; /* there may be no chain */
    const char *end = sample->chain + 8 * sample->chain_length;
    while (known < most && little8(end - 8 * (known + 1)) - back == last->frames[known].address)
        known++;
    return known;
}

/*
 * Makes frames of a sample but for the outermost ones, *known of which have been the same in the thread's
 * last stack.
 */
static bool make_new_frames(struct perf_reader *r, const struct sample *sample, uint32_t process,
                            struct chain *chain, size_t *known)
{
    const struct perf_last_stack *last = &r->last_stacks[sample->tid % LAST_STACKS];
    *known = known_values(r, last, sample);
    if (!make_frames(r, sample, sample->chain_length - *known, process, chain))
        return false;
    bool goes_on = !chain->is_exact && !chain->is_deferred && chain->epoch == last->epoch;
    if (*known > 0 && !goes_on) {
        *known = 0;
        if (!make_frames(r, sample, sample->chain_length, process, chain))
            return false;
    }
    if (r->frame_count == 0 && *known == 0)
        add_frame(r, 0, 0);
    return true;
}

/* Sets *node to that of the frames at hand, above the outermost ones that are known. */
static bool find_node(struct perf_reader *r, const struct chain *chain, uint32_t process, uint32_t tid,
                      size_t known, uint32_t *node)
{
    struct perf_last_stack *last = &r->last_stacks[tid % LAST_STACKS];
    size_t rest = r->frame_count - chain->plain;
    array_reserve(&last->frames, &last->capacity, known + chain->plain, sizeof *last->frames);
    *node = known > 0 ? last->frames[known - 1].node : NONE;
    last->count = known;
    last->epoch = chain->epoch;
    for (size_t i = r->frame_count; i-- > rest;) {
        if (!extend(r, &r->frames[i], 1, process, node))
            return false;
        last->frames[last->count++] = (struct perf_known_frame){r->frames[i].address, *node};
    }
    return extend(r, r->frames, rest, process, node);
}

/* ---- weights ------------------------------------------------------------------------------ */

/* What a counter stood at when it was read last; 0 at first. NULL: no memory. */
static struct perf_reading *last_reading(struct perf_reader *r, uint64_t id, uint32_t tid)
{
    struct perf_reading reading = {.id = id, .tid = tid};
    uint32_t number, hash = hash_numbers(&r->reading_index.seed, id, tid);
    return (number = index_intern(&r->reading_index, hash, &r->readings, &r->reading_capacity, &reading, sizeof reading,
                        offsetof(struct perf_reading, tid) + sizeof tid), true)
               ? &r->readings[number]
               : NULL;
}

static bool add_value(struct perf_reader *r, uint32_t event, uint64_t weight)
{
    struct perf_value value = {event, weight < INT64_MAX ? (cost_t)weight : INT64_MAX};
    array_append(&r->values, &r->value_count, &r->value_capacity, &value, sizeof value);
    return true;
}

/* Each counter of a sample counts by what it has grown; if it has not, this is no sample of it. */
static bool weigh_readings(struct perf_reader *r, const struct perf_attr *event,
                           const struct sample *sample)
{
    size_t id_at = id_in_reading(event);
    for (uint64_t i = 0; i < sample->reading_count; i++) {
        const char *p = sample->readings + i * sample->reading_size;
        uint64_t value = little8(p), id = little8(p + id_at);
        uint32_t number = ids_find(&r->attr_ids, id);
        if (number == NONE) {
            r->unknown_ids++;
            continue;
        }
        struct perf_reading *last = last_reading(r, id, event->is_inherited ? sample->tid : 0);
        if (last == NULL)
            return diag_no_memory(r->diag);
        uint64_t growth = value > last->value ? value - last->value : 0;
        last->value = value;
        if (growth > 0 && !add_value(r, number, growth))
            return false;
    }
    return true;
}

static bool weigh(struct perf_reader *r, uint32_t event, const struct sample *sample)
{
    r->value_count = 0;
    if (sample->readings != NULL)
        return weigh_readings(r, &r->attrs[event], sample);
    return add_value(r, event, sample->period);
}

/* ---- samples ------------------------------------------------------------------------------ */

static bool is_among(const uint32_t *numbers, size_t count, uint32_t number)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return count == 0;
}

static bool has_wanted_name(const struct perf_reader *r, uint32_t name)
{
    const struct cg2wg_samples *wanted = &r->options->samples;
    if (wanted->name_count == 0)
        return true;
    for (size_t i = 0; i < wanted->name_count && name != NONE; i++)
        if (text_equals(names_text(&r->builder->profile->names, name), wanted->names[i]))
            return true;
    return false;
}

bool perf_is_wanted(const struct perf_reader *r, uint32_t pid, uint32_t tid, uint32_t name)
{
    const struct cg2wg_samples *wanted = &r->options->samples;
    return is_among(wanted->pids, wanted->pid_count, pid) &&
           is_among(wanted->tids, wanted->tid_count, tid) && has_wanted_name(r, name);
}

static bool is_wanted(const struct perf_reader *r, const struct sample *sample)
{
    uint32_t name = r->options->samples.name_count > 0 ? ids_find(&r->thread_names, sample->tid) : NONE;
    return perf_is_wanted(r, sample->pid, sample->tid, name);
}

bool perf_book(struct perf_reader *r, struct perf_value value, uint32_t node)
{
    struct perf_attr *event = &r->attrs[value.event];
    event->samples++;
    cost_add(&event->total, value.weight);
    return perf_stacks_add(&r->stacks, node, value.event, value.weight) || diag_no_memory(r->diag);
}

/* Books a sample's values at a node. */
static bool book(struct perf_reader *r, const struct perf_value *values, size_t count, uint32_t node)
{
    for (size_t i = 0; i < count; i++)
        if (!perf_book(r, values[i], node))
            return false;
    return true;
}

/* Appends the places of the frames at hand to those that wait. */
static bool keep_places(struct perf_reader *r, uint32_t process)
{
    array_reserve(&r->pending_places, &r->pending_place_capacity,
                       r->pending_place_count + r->frame_count, sizeof *r->pending_places);
    for (size_t i = 0; i < r->frame_count; i++)
        if (!find_place(r, r->frames[i], process, &r->pending_places[r->pending_place_count++]))
            return false;
    return true;
}

/* Keeps the sample at hand until its outer frames come. */
static bool wait_for_rest(struct perf_reader *r, const struct chain *chain, uint32_t process)
{
    if (r->pending_left == 0)
        r->pending_count = r->pending_place_count = r->pending_value_count = 0;
    struct perf_pending pending = {.places = r->pending_place_count,
                                   .place_count = r->frame_count,
                                   .values = r->pending_value_count,
                                   .value_count = r->value_count,
                                   .replaces_first = chain->is_replaced,
                                   .process = process,
                                   .next = ids_find(&r->pending_ids, chain->cookie)};
    if (!keep_places(r, process))
        return false;
    if (r->pending_count >= NONE ||
        !(array_reserve(&r->pending, &r->pending_capacity, r->pending_count + 1,
                       sizeof *r->pending), true) ||
        !(array_reserve(&r->pending_values, &r->pending_value_capacity,
                       r->pending_value_count + r->value_count, sizeof *r->pending_values), true) ||
        !(ids_set(&r->pending_ids, chain->cookie, (uint32_t)r->pending_count), true))
        return diag_no_memory(r->diag);
    memcpy(r->pending_values + pending.values, r->values, r->value_count * sizeof *r->values);
    r->pending_value_count += r->value_count;
    r->pending[r->pending_count++] = pending;
    r->pending_left++;
    return true;
}

/*
 * Books what has waited for a cookie, from the last on, below the frames that have come: `outer`, or if the
 * first of them is replaced, `replaced`.
 */
static bool book_pending(struct perf_reader *r, uint32_t number, uint32_t outer, uint32_t replaced)
{
    while (number != NONE) {
        struct perf_pending *pending = &r->pending[number];
        uint32_t node = pending->replaces_first ? replaced : outer;
        for (size_t i = pending->place_count; i-- > 0;) {
            struct perf_node next = {node, r->pending_places[pending->places + i]};
            if (!perf_stacks_node(&r->stacks, next, &node))
                return diag_no_memory(r->diag);
        }
        if (!book(r, r->pending_values + pending->values, pending->value_count, node))
            return false;
        pending->place_count = pending->value_count = 0;
        r->pending_left--;
        number = pending->next;
    }
    return true;
}

static bool take_sample(struct perf_reader *r, struct text record, uint32_t event)
{
    struct sample sample;
    struct chain chain;
    uint32_t process, node = 0;
    size_t known;
    if (!parse_sample(&r->attrs[event], record, &sample))
        return perf_malformed(r, "a sample that is too short for what it tells", "a longer one");
    if (!weigh(r, event, &sample))
        return false;
    if (r->value_count == 0 || !is_wanted(r, &sample))
        return true;
    if (!find_process(r, sample.pid, &process))
        return false;
    if (!make_new_frames(r, &sample, process, &chain, &known))
        return false;
    if (chain.is_deferred)
        return wait_for_rest(r, &chain, process);
    return find_node(r, &chain, process, sample.tid, known, &node) && book(r, r->values, r->value_count, node);
}

/* u64 cookie; u64 n, n values: what samples of this cookie have lacked. */
static bool take_deferred_chain(struct perf_reader *r, struct text record)
{
    struct chain chain;
    uint32_t node = NONE;
    if (!has_length(r, record, 24))
        return false;
    uint64_t cookie = little8(record.at + 8), count = little8(record.at + 16);
    if (count > (text_length(record) - 24) / 8)
        return perf_malformed(r, "a chain that passes the end of its record", "a shorter one");
    uint32_t first = ids_find(&r->pending_ids, cookie);
    if (first == NONE)
        return true;
    uint32_t process = r->pending[first].process;
    begin_chain(r, process, &chain);
    if (!(array_reserve(&r->frames, &r->frame_capacity, (size_t)count + 1, sizeof *r->frames), true) ||
        !(ids_set(&r->pending_ids, cookie, NONE), true))
        return diag_no_memory(r->diag);
    r->frame_count = 0;
    chain.epoch = chain.user_epoch;
    chain.is_exact = true;
    add_chain(r, &chain, record.at + 24, count);
    size_t rest = r->frame_count > 0 ? r->frame_count - 1 : 0; /* all but the innermost */
    if (!extend(r, r->frames + r->frame_count - rest, rest, process, &node))
        return false;
    uint32_t replaced = node;
    return extend(r, r->frames, r->frame_count - rest, process, &node) &&
           book_pending(r, first, node, replaced);
}

/* ---- all of them -------------------------------------------------------------------------- */

/* Takes a record when its time has come; messages name its place in the input. */
static bool replay(void *user, struct text record, const struct perf_queued *item)
{
    struct perf_reader *r = user;
    r->position = item->position;
    switch (little4(record.at)) {
    case RECORD_MMAP: return take_mapping(r, record, false);
    case RECORD_MMAP2: return take_mapping(r, record, true);
    case RECORD_COMM: return take_comm(r, record);
    case RECORD_FORK: return take_fork(r, record);
    case RECORD_KSYMBOL: return take_kernel_symbol(r, record);
    case RECORD_CALLCHAIN_DEFERRED: return take_deferred_chain(r, record);
    default: break;
    }
    return take_sample(r, record, item->event);
}

static bool end_round(struct perf_reader *r, bool is_last)
{
    bool no_memory;
    uint64_t position = r->position;
    bool done = perf_queue_end_round(&r->queue, is_last, replay, r, &no_memory) ||
                (no_memory && diag_no_memory(r->diag));
    r->position = position;
    return done;
}

/* Of a sample, registers, raw stacks and whatever else follows the chain need not be kept. */
static bool queue_sample(struct perf_reader *r, struct text record)
{
    struct sample sample;
    uint32_t event;
    if (!event_of_sample(r, record, &event))
        return false;
    if (event == NONE)
        return true;
    if (!parse_sample(&r->attrs[event], record, &sample))
        return perf_malformed(r, "a sample that is too short for what it tells", "a longer one");
    return perf_queue_add(&r->queue, sample.time, r->position, (struct text){record.at, sample.end}, event) ||
           diag_no_memory(r->diag);
}

static bool count_lost(struct perf_reader *r, struct text record, size_t at)
{
    if (!has_length(r, record, at + 8))
        return false;
    count_add(&r->lost, little8(record.at + at));
    return true;
}

bool perf_take_record(struct perf_reader *r, uint32_t type, struct text record)
{
    switch (type) {
    case RECORD_SAMPLE:
        return queue_sample(r, record);
    case RECORD_LOST:
        return count_lost(r, record, 16);
    case RECORD_LOST_SAMPLES:
        return count_lost(r, record, 8);
    case RECORD_FINISHED_ROUND:
        return end_round(r, false);
    case RECORD_MMAP:
    case RECORD_MMAP2:
    case RECORD_COMM:
    case RECORD_FORK:
    case RECORD_KSYMBOL:
    case RECORD_CALLCHAIN_DEFERRED:
        return perf_queue_add(&r->queue, time_of(r, record), r->position, record, 0) || diag_no_memory(r->diag);
    default:
        break;
    }
    return true;
}

bool perf_end_records(struct perf_reader *r)
{
    if (!end_round(r, true))
        return false;
    for (size_t i = 0; i < r->pending_count; i++) {
        r->pending[i].next = NONE;
        r->lost_chains += r->pending[i].value_count > 0;
        if (!book_pending(r, (uint32_t)i, NONE, NONE))
            return false;
    }
    return true;
}

/* What lies outside of all mappings, and the kernel. */
static bool add_objects(struct perf_reader *r)
{
    struct perf_object unknown = {.kind = PERF_UNKNOWN}, kernel = {.kind = PERF_KERNEL};
    uint32_t number;
    return perf_intern(r, text_of_string("[unknown]"), &unknown.name) &&
           perf_intern(r, text_of_string("[kernel.kallsyms]"), &kernel.name) &&
           ((perf_stacks_object(&r->stacks, unknown, &number) &&
             perf_stacks_object(&r->stacks, kernel, &number)) ||
            diag_no_memory(r->diag));
}

bool perf_records_init(struct perf_reader *r)
{
    const struct index *seeded = &r->builder->profile->names.index;
    mappings_init(&r->mappings, &seeded->seed);
    r->kernel_symbols.space = space_empty(&r->mappings);
    renew(r, &r->kernel_symbols);
    r->found = memory_get(FOUND_PLACES * sizeof *r->found);
    if (r->found == NULL)
        return diag_no_memory(r->diag);
    for (size_t i = 0; i < FOUND_PLACES; i++)
        r->found[i].place = NONE;
    if (!(ids_init(&r->process_ids, seeded), true) || !(ids_init(&r->thread_names, seeded), true) ||
        !(ids_init(&r->pending_ids, seeded), true) || !(index_init(&r->reading_index, seeded), true) ||
        !symbol_files_init(&r->symbol_files, r->options->samples.root, seeded) ||
        !perf_stacks_init(&r->stacks, seeded))
        return diag_no_memory(r->diag);
    return add_objects(r);
}

void perf_records_free(struct perf_reader *r)
{
    perf_queue_free(&r->queue);
    mappings_free(&r->mappings);
    memory_free(r->processes);
    ids_free(&r->process_ids);
    ids_free(&r->thread_names);
    memory_free(r->readings);
    index_free(&r->reading_index);
    memory_free(r->frames);
    memory_free(r->values);
    for (size_t i = 0; i < LAST_STACKS; i++)
        memory_free(r->last_stacks[i].frames);
    memory_free(r->found);
    perf_stacks_free(&r->stacks);
    memory_free(r->tables);
    symbol_files_free(&r->symbol_files);
    ids_free(&r->pending_ids);
    memory_free(r->pending);
    memory_free(r->pending_places);
    memory_free(r->pending_values);
}

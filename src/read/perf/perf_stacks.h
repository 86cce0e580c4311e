/*
 * Stacks as they are sampled, each distinct one once: a tree of places, in which a node stands for all
 * samples that came by one path from the outermost frame. A place is one in an object; which function that
 * is will be known when all has been read.
 */
#ifndef CG2WG_READ_PERF_PERF_STACKS_H
#define CG2WG_READ_PERF_PERF_STACKS_H

#include "model/profile.h"
#include "util/index.h"

enum perf_object_kind {
    PERF_FILE,    /* a program or library; places are offsets in the file */
    PERF_JIT,     /* code that process `pid` has made; places are addresses */
    PERF_SPECIAL, /* something without symbols, as [heap] */
    PERF_KERNEL,  /* places are addresses */
    PERF_SYMBOL,  /* one function, whose name is known, such as code of the kernel that has a record */
    PERF_UNKNOWN  /* outside every mapping */
};

struct perf_object {
    enum perf_object_kind kind;
    uint32_t name;     /* in names: a path, or the name of the function */
    uint32_t build_id; /* in names, as bytes; NAME_EMPTY: not known by the mapping */
    uint32_t pid;      /* of JIT code */
    uint32_t within;   /* of one function: its object, in names */
};

struct perf_place {
    uint64_t offset; /* or the symbol's number, if it is known; 0 where all places of the object are the same */
    uint32_t object;
};

struct perf_node {
    uint32_t parent; /* the caller's, or NONE; before this one */
    uint32_t place;
};

/* The samples of one event that end at a node. */
struct perf_sum {
    uint32_t node, event;
    uint64_t count;
    cost_t weight;
};

struct perf_stacks {
    struct perf_object *objects;
    size_t object_capacity;
    struct index object_index; /* which counts them, too */
    struct perf_place *places;
    size_t place_capacity;
    struct index place_index; /* which counts them, too */
    struct perf_node *nodes;
    size_t node_capacity;
    struct index node_index; /* which counts them, too */
    struct perf_sum *sums;
    size_t sum_capacity;
    struct index sum_index; /* which counts them, too */
};

/* All return false when memory runs out; perf_stacks_free may follow whatever the result. */

bool perf_stacks_init(struct perf_stacks *stacks, const struct index *seeded);
void perf_stacks_free(struct perf_stacks *stacks);

/* Sets *number to that of the object, the place, or the node; what is new is appended. */
bool perf_stacks_object(struct perf_stacks *stacks, struct perf_object object, uint32_t *number);
bool perf_stacks_place(struct perf_stacks *stacks, struct perf_place place, uint32_t *number);
bool perf_stacks_node(struct perf_stacks *stacks, struct perf_node node, uint32_t *number);

/* Books a sample. */
bool perf_stacks_add(struct perf_stacks *stacks, uint32_t node, uint32_t event, cost_t weight);

#endif

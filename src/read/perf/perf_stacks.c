#include "read/perf/perf_stacks.h"

#include "util/run.h"

#include <stddef.h>
#include <stdlib.h>

bool perf_stacks_init(struct perf_stacks *s, const struct index *seeded)
{
    *s = (struct perf_stacks){.objects = NULL};
    return (index_init(&s->object_index, seeded), true) && (index_init(&s->place_index, seeded), true) &&
           (index_init(&s->node_index, seeded), true) && (index_init(&s->sum_index, seeded), true);
}

void perf_stacks_free(struct perf_stacks *s)
{
    index_free(&s->object_index);
    index_free(&s->place_index);
    index_free(&s->node_index);
    index_free(&s->sum_index);
    memory_free(s->objects);
    memory_free(s->places);
    memory_free(s->nodes);
    memory_free(s->sums);
}

/* ---- entries ------------------------------------------------------------------------------ */

bool perf_stacks_object(struct perf_stacks *s, struct perf_object object, uint32_t *number)
{
    uint32_t hash = hash_numbers(&s->object_index.seed,
                                 (uint64_t)object.name << 32 | (object.build_id ^ object.within),
                                 (uint64_t)object.kind << 32 | object.pid);
    *number = index_intern(&s->object_index, hash, &s->objects, &s->object_capacity, &object, sizeof object,
                        sizeof object);
    return true;
}

bool perf_stacks_place(struct perf_stacks *s, struct perf_place place, uint32_t *number)
{
    enum { KEY = offsetof(struct perf_place, object) + sizeof place.object };
    uint32_t hash = hash_numbers(&s->place_index.seed, place.offset, place.object);
    *number = index_intern(&s->place_index, hash, &s->places, &s->place_capacity, &place, sizeof place, KEY);
    return true;
}

bool perf_stacks_node(struct perf_stacks *s, struct perf_node node, uint32_t *number)
{
    uint32_t hash = hash_numbers(&s->node_index.seed, node.parent, node.place);
    *number = index_intern(&s->node_index, hash, &s->nodes, &s->node_capacity, &node, sizeof node, sizeof node);
    return true;
}

bool perf_stacks_add(struct perf_stacks *s, uint32_t node, uint32_t event, cost_t weight)
{
    struct perf_sum sum = {.node = node, .event = event};
    uint32_t number, hash = hash_numbers(&s->sum_index.seed, node, event);
    number = index_intern(&s->sum_index, hash, &s->sums, &s->sum_capacity, &sum, sizeof sum,
                      offsetof(struct perf_sum, count));
    s->sums[number].count++;
    cost_add(&s->sums[number].weight, weight);
    return true;
}

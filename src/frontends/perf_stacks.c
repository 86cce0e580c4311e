#include "frontends/perf_stacks.h"

#include "util/array.h"

#include <stdlib.h>

bool perf_stacks_init(struct perf_stacks *s, const struct index *seeded)
{
    *s = (struct perf_stacks){.object_count = 0};
    return index_init(&s->object_index, seeded) && index_init(&s->place_index, seeded) &&
           index_init(&s->node_index, seeded) && index_init(&s->sum_index, seeded);
}

void perf_stacks_free(struct perf_stacks *s)
{
    index_free(&s->object_index);
    index_free(&s->place_index);
    index_free(&s->node_index);
    index_free(&s->sum_index);
    free(s->objects);
    free(s->places);
    free(s->nodes);
    free(s->sums);
}

/* ---- entries ------------------------------------------------------------------------------ */

/* Each is put behind the last one to be looked for, and stays there if there is no other like it. */

bool perf_stacks_object(struct perf_stacks *s, struct perf_object object, uint32_t *number)
{
    uint32_t new = (uint32_t)s->object_count, slot;
    if (!index_make_room(&s->object_index) ||
        !array_reserve(&s->objects, &s->object_capacity, s->object_count + 1, sizeof *s->objects))
        return false;
    s->objects[new] = object;
    uint32_t hash = hash_numbers(&s->object_index.seed, (uint64_t)object.name << 32 | (object.build_id ^ object.within),
                                 (uint64_t)object.kind << 32 | object.pid);
    *number = index_first(&s->object_index, hash, &slot);
    for (; *number != INDEX_NONE; *number = index_next(&s->object_index, hash, &slot)) {
        const struct perf_object *o = &s->objects[*number];
        if (o->kind == object.kind && o->name == object.name && o->build_id == object.build_id &&
            o->pid == object.pid && o->within == object.within)
            return true;
    }
    *number = new;
    s->object_count++;
    index_add(&s->object_index, hash);
    return true;
}

bool perf_stacks_place(struct perf_stacks *s, struct perf_place place, uint32_t *number)
{
    uint32_t new = (uint32_t)s->place_count, slot;
    if (!index_make_room(&s->place_index) ||
        !array_reserve(&s->places, &s->place_capacity, s->place_count + 1, sizeof *s->places))
        return false;
    s->places[new] = place;
    uint32_t hash = hash_numbers(&s->place_index.seed, place.offset, place.object);
    *number = index_first(&s->place_index, hash, &slot);
    for (; *number != INDEX_NONE; *number = index_next(&s->place_index, hash, &slot))
        if (s->places[*number].offset == place.offset && s->places[*number].object == place.object)
            return true;
    *number = new;
    s->place_count++;
    index_add(&s->place_index, hash);
    return true;
}

bool perf_stacks_node(struct perf_stacks *s, struct perf_node node, uint32_t *number)
{
    uint32_t new = (uint32_t)s->node_count, slot;
    if (!index_make_room(&s->node_index) ||
        !array_reserve(&s->nodes, &s->node_capacity, s->node_count + 1, sizeof *s->nodes))
        return false;
    s->nodes[new] = node;
    uint32_t hash = hash_numbers(&s->node_index.seed, node.parent, node.place);
    *number = index_first(&s->node_index, hash, &slot);
    for (; *number != INDEX_NONE; *number = index_next(&s->node_index, hash, &slot))
        if (s->nodes[*number].parent == node.parent && s->nodes[*number].place == node.place)
            return true;
    *number = new;
    s->node_count++;
    index_add(&s->node_index, hash);
    return true;
}

bool perf_stacks_add(struct perf_stacks *s, uint32_t node, uint32_t event, cost_t weight)
{
    uint32_t new = (uint32_t)s->sum_count, slot;
    if (!index_make_room(&s->sum_index) ||
        !array_reserve(&s->sums, &s->sum_capacity, s->sum_count + 1, sizeof *s->sums))
        return false;
    s->sums[new] = (struct perf_sum){.node = node, .event = event};
    uint32_t hash = hash_numbers(&s->sum_index.seed, node, event), number = index_first(&s->sum_index, hash, &slot);
    while (number != INDEX_NONE &&
           (s->sums[number].node != node || s->sums[number].event != event))
        number = index_next(&s->sum_index, hash, &slot);
    if (number == INDEX_NONE) {
        number = new;
        s->sum_count++;
        index_add(&s->sum_index, hash);
    }
    s->sums[number].count++;
    cost_add(&s->sums[number].weight, weight);
    return true;
}

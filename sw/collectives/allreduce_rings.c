// Allreduce by pipelined rings: on a torus one in every direction of every dimension at once, on
// other networks one of all members. Each message is sent on as soon as it has been reduced. Where
// messages may overtake each other: round by round (allreduce_ring).
#include "sw/collectives/ring_steps.h"
#include "sw/collectives/ring_streams.h"

WEFT_COLLECTIVE_WITH(allreduce_rings, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce by pipelined rings, on a torus in all directions at once",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .reduced_by = WEFT_REDUCED_IN_ANY_ORDER, .reduces = 1, .in_order = 1,
                     .barriers = 1);

/// The rings of a torus whose links out of a node each have a send controller; none elsewhere.
static void find_rings(const struct weft_reduction* r, struct weft_rings* all) {
  const uint32_t dims = r->at->dim_count;
  all->count = 0;
  if (r->job->wraps + 1 != 1U << dims || r->job->controllers != 2 * dims) {
    return;
  }
  for (uint32_t i = 0; i < dims; ++i) {
    if (r->at->dims[i].size > 1) {
      all->dim[all->count++] = &r->at->dims[i];
    }
  }
  weft_set_ranges(r, all);
}

static void reduce(struct weft_reduction* r) {
  if (weft_member(r) == WEFT_NOBODY) {
    return;
  }
  if (!r->array->in_order || r->at->aggregators != 0) {
    weft_ring_allreduce(r);
    return;
  }
  struct weft_rings rings;
  find_rings(r, &rings);
  struct weft_streams all = {.count = 1, .plan = &rings};
  if (rings.count != 0) {
    all.count = 2 * rings.count;
    all.phases = rings.count;
    all.step = weft_ring_step;
    for (uint32_t s = 0; s < all.count; ++s) {
      all.reduced[s] = rings.count * (rings.dim[s / 2]->size - 1);
      all.steps[s] = 2 * all.reduced[s];
      all.links[s] = s;  // Dimensions of one node have no links.
    }
  } else {
    all.step = weft_one_ring_step;
    all.phases = 1;
    all.reduced[0] = r->array->members - 1;
    all.steps[0] = 2 * all.reduced[0];
    all.links[0] = WEFT_NOBODY;
  }
  weft_all_streams(r, &all);
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

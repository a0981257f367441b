// Allreduce along the lines of a mesh, in both directions of all dimensions at once. Of messages
// that may overtake each other, and on other networks: round a ring, round by round
// (allreduce_ring).
#include "sw/collectives/line_steps.h"
#include "sw/collectives/ring_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_lines, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce along all lines of a mesh in both directions", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_IN_ANY_ORDER,
                     .reduces = 1, .in_order = 1, .barriers = 1);

static void reduce(struct weft_reduction* r) {
  const uint32_t dims = r->at->dim_count;
  if (weft_member(r) == WEFT_NOBODY) {
    return;
  }
  if (!r->array->in_order || r->at->aggregators != 0 || r->job->controllers != 2 * dims) {
    weft_ring_allreduce(r);
    return;
  }
  struct weft_lines all = {.count = 0};
  for (uint32_t i = 0; i < dims; ++i) {
    if (r->at->dims[i].size > 1) {
      all.dim[all.count++] = &r->at->dims[i];
    }
  }
  if (all.count != 0) {
    weft_all_lines(r, &all);
  }
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

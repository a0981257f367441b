// Reduce-scatter round a ring of all members: a member's block begins at the next member, goes
// round the ring and is reduced at each member, last at its own. Any number of members.
#include "sw/collectives/ring_steps.h"

WEFT_COLLECTIVE_WITH(reduce_scatter_ring, WEFT_REDUCE_SCATTER, WEFT_CONTROLLERS_BY_UNITS,
                     "reduction of every member's block round a ring of all members", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_IN_ANY_ORDER,
                     .reduces = 1);

static void run(struct weft_reduction* r) {
  if (weft_member(r) != WEFT_NOBODY) {
    weft_ring_reduce_scatter(r, 0);
  }
}

int weft_main(void) {
  return weft_in_turns(run);
}

// Allreduce round a ring of all members: piece i of the array goes from member i round the ring and
// is reduced at each member, then a second time round to be copied. Any number of members.
#include "sw/collectives/ring_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_ring, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce round a ring of all members, in pieces", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_BY_RING,
                     .reduces = 1);

static void reduce(struct weft_reduction* r) {
  if (weft_member(r) != WEFT_NOBODY) {
    weft_ring_allreduce(r);
  }
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

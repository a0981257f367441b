// Allreduce round a ring of all members: piece i of the array goes from member i round the ring and
// is reduced at each member, then a second time round to be copied. Any number of members.
#include "sw/collectives/ring_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_ring, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce round a ring of all members, in pieces", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_BY_RING,
                     .reduces = 1);

static void reduce(struct weft_reduction* r) {
  const uint32_t me = weft_member(r);
  if (me == WEFT_NOBODY) {
    return;
  }
  weft_set_operation(r, 0);
  weft_ring_pass(r, 0, me, 0, 0);
  // The reduction of the piece after its own number ends at this member.
  weft_ring_pass(r, 1, me + 1, 0, 1);
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

// Allgather round a ring of all members: every block goes from its member round the ring and is
// stored at each. Any number of members.
#include "sw/collectives/ring_steps.h"

WEFT_COLLECTIVE_WITH(allgather_ring, WEFT_ALLGATHER, WEFT_CONTROLLERS_BY_UNITS,
                     "every member's block to all, round a ring of all members", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS);

static void run(struct weft_reduction* r) {
  if (weft_member(r) != WEFT_NOBODY) {
    weft_ring_allgather(r, 0);
  }
}

int weft_main(void) {
  return weft_in_turns(run);
}

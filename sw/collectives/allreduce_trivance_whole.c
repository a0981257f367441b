// Allreduce by Trivance (arXiv 2602.17254) in the fewest steps: members exchange whole pieces with
// a peer on either side at the distances 1, 3, 9, ...
#include "sw/collectives/peer_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_trivance_whole, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce by Trivance, with whole pieces in the fewest steps", .buffers = 3,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_IN_ANY_ORDER,
                     .reduces = 1);

static void reduce(struct weft_reduction* r) {
  weft_by_wholes(r, 3);
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

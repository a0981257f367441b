// Allreduce by Trivance (Juerss et al., arXiv 2602.17254), with the least data: two peers on either
// side at the distances 1, 3, 9, ... get a third each.
#include "sw/collectives/peer_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_trivance, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce by Trivance: thirds to a peer on either side", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_IN_ANY_ORDER,
                     .reduces = 1);

static void reduce(struct weft_reduction* r) {
  weft_by_cuts(r, 3, 0);
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

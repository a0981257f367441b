// Allreduce by Swing (arXiv 2401.09356) in the fewest steps: peers at the distances 1, 1, 3, 5, 11,
// ... exchange whole pieces.
#include "sw/collectives/peer_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_swing_whole, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce by Swing, with whole pieces in the fewest steps", .buffers = 2,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_IN_ANY_ORDER,
                     .reduces = 1);

static void reduce(struct weft_reduction* r) {
  weft_by_wholes(r, 2);
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

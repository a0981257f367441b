// Allreduce by a Bine butterfly (De Sensi et al., SC 2025, arXiv 2508.17311): the peers of Swing
// round one ring of all members, whatever the network. Halves are runs of words.
#include "sw/collectives/peer_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_bine, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce by a Bine butterfly: halves to peers with near numbers",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .reduced_by = WEFT_REDUCED_IN_ANY_ORDER, .reduces = 1);

static void reduce(struct weft_reduction* r) {
  weft_by_cuts(r, 2, 1);
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

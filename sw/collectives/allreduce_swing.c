// Allreduce by Swing (De Sensi et al., NSDI 2024, arXiv 2401.09356), with the least data: peers at
// the distances 1, 1, 3, 5, 11, ... halve the pieces of every direction of a torus. Each keeps its
// half in one run of words, so that a message needs no list of blocks.
#include "sw/collectives/peer_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_swing, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce by Swing: halves to peers that are near on a torus", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_IN_ANY_ORDER,
                     .reduces = 1);

static void reduce(struct weft_reduction* r) {
  weft_by_cuts(r, 2, 0);
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

// Barrier by the tree of barrier units beside the network (seed 000 [0048]).
#include "sw/collectives/barrier_steps.h"

WEFT_COLLECTIVE_WITH(barrier_tree, WEFT_BARRIER, WEFT_CONTROLLERS_1,
                     "barrier of all nodes, by a tree of barrier units beside the network",
                     .buffers = 1, .barriers = 1);

int weft_main(void) {
  weft_work();
  weft_barrier_enter();
  while (!weft_barrier_done(1)) {
    weft_wfi();
  }
  return WEFT_OK;
}

// Reduce-scatter by the combining tree: as allreduce_tree, whose result holds every member's block.
#include "sw/collectives/tree_steps.h"

WEFT_COLLECTIVE_WITH(reduce_scatter_tree, WEFT_REDUCE_SCATTER, WEFT_CONTROLLERS_1,
                     "the reduction of every member's block to that member, by a combining tree",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .reduced_by = WEFT_REDUCED_BY_TREE, .combines = 1);

int weft_main(void) {
  weft_by_tree(weft_tree_member(), weft_tree_reduction());
  return WEFT_OK;
}

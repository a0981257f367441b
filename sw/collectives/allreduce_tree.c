// Allreduce by the combining tree: every node posts its array, the tree reduces it on the way to
// the root and distributes the result. Nodes without an array contribute nothing.
#include "sw/collectives/tree_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_tree, WEFT_ALLREDUCE, WEFT_CONTROLLERS_1,
                     "allreduce on any network by a combining tree beside it", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_BY_TREE,
                     .combines = 1);

int weft_main(void) {
  weft_by_tree(weft_tree_member(), weft_tree_reduction());
  return WEFT_OK;
}

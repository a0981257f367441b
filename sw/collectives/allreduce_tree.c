// Allreduce by the combining tree: every node posts its array, the tree reduces it on the way to
// the root and distributes the result. Nodes without an array contribute nothing.
#include "sw/collectives/tree_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_tree, WEFT_ALLREDUCE, WEFT_CONTROLLERS_1,
                     "allreduce on any network by a combining tree beside it", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_BY_TREE,
                     .combines = 1);

int weft_main(void) {
  uint32_t member;
  uint32_t how = weft_tree_reduction();
  if (!weft_tree_member(&member)) {
    how |= WEFT_COMBINE_SILENT | WEFT_COMBINE_DISCARD;
  }
  weft_by_tree(how);
  return WEFT_OK;
}

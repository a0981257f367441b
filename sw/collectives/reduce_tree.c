// Reduction to one member by the combining tree: as allreduce_tree, and only the root stores the
// result.
#include "sw/collectives/tree_steps.h"

WEFT_COLLECTIVE_WITH(reduce_tree, WEFT_REDUCE, WEFT_CONTROLLERS_1,
                     "reduction to the root, on any network, by a combining tree beside it",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .reduced_by = WEFT_REDUCED_BY_TREE, .combines = 1);

int weft_main(void) {
  uint32_t member;
  uint32_t how = weft_tree_reduction();
  if (!weft_tree_member(&member)) {
    how |= WEFT_COMBINE_SILENT | WEFT_COMBINE_DISCARD;
  } else if (member != weft_array()->root) {
    how |= WEFT_COMBINE_DISCARD;
  }
  weft_by_tree(how);
  return WEFT_OK;
}

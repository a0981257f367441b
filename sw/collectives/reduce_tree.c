// Reduction to one member by the combining tree: as allreduce_tree, and only the root stores the
// result.
#include "sw/collectives/tree_steps.h"

WEFT_COLLECTIVE_WITH(reduce_tree, WEFT_REDUCE, WEFT_CONTROLLERS_1,
                     "reduction to the root, on any network, by a combining tree beside it",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .reduced_by = WEFT_REDUCED_BY_TREE, .combines = 1);

int weft_main(void) {
  const uint32_t member = weft_tree_member();
  const int is_root = member == weft_array()->root;
  weft_by_tree(member, weft_tree_reduction() | (is_root ? 0 : WEFT_COMBINE_DISCARD));
  return WEFT_OK;
}

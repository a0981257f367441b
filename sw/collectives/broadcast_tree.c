// Broadcast by the combining tree: only the root of the broadcast contributes, so that its words
// pass the tree bit by bit.
#include "sw/collectives/tree_steps.h"

WEFT_COLLECTIVE_WITH(broadcast_tree, WEFT_BROADCAST, WEFT_CONTROLLERS_1,
                     "the root's array to all, on any network, by a combining tree beside it",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS, .combines = 1);

int weft_main(void) {
  uint32_t member;
  uint32_t how = WEFT_OP_STORE | WEFT_TYPE_INT64 << 3;
  if (!weft_tree_member(&member)) {
    how |= WEFT_COMBINE_SILENT | WEFT_COMBINE_DISCARD;
  } else if (member != weft_array()->root) {
    how |= WEFT_COMBINE_SILENT;
  } else {
    how |= WEFT_COMBINE_DISCARD;
  }
  weft_by_tree(how);
  return WEFT_OK;
}

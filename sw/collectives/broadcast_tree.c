// Broadcast by the combining tree: only the root of the broadcast contributes, so that its words
// pass the tree bit by bit.
#include "sw/collectives/tree_steps.h"

WEFT_COLLECTIVE_WITH(broadcast_tree, WEFT_BROADCAST, WEFT_CONTROLLERS_1,
                     "the root's array to all, on any network, by a combining tree beside it",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS, .combines = 1);

int weft_main(void) {
  const uint32_t member = weft_tree_member();
  const int is_root = member == weft_array()->root;
  weft_by_tree(member, WEFT_OP_STORE | WEFT_TYPE_INT64 << 3 |
                           (is_root ? WEFT_COMBINE_DISCARD : WEFT_COMBINE_SILENT));
  return WEFT_OK;
}

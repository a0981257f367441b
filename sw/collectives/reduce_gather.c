// Reduction of long arrays to one member: every block is reduced at its member round a ring of all
// members, and sent to the root. Any number of members.
#include "sw/collectives/ring_steps.h"

WEFT_COLLECTIVE_WITH(reduce_gather, WEFT_REDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "reduction to the root: a reduce-scatter, then every block to the root",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .reduced_by = WEFT_REDUCED_IN_ANY_ORDER, .reduces = 1);

static void run(struct weft_reduction* r) {
  const uint32_t me = weft_member(r), members = r->array->members, root = r->array->root;
  if (me == WEFT_NOBODY) {
    return;
  }
  weft_ring_reduce_scatter(r, 0);
  if (me != root) {
    // The root has sent what it added to this block, or the block would not be complete here.
    struct weft_outgoing block =
        weft_outgoing(r, weft_member_rank(r, root), weft_block_of(r, me), WEFT_TAG_DATA, 1);
    weft_post_all(r, &block, 1);
    return;
  }
  for (uint32_t i = 0; i < members; ++i) {
    if (i != me) {
      r->due[WEFT_TAG_DATA] += weft_pieces(r->job, weft_length(weft_block_of(r, i)), 1).count;
    }
  }
  weft_wait_received(WEFT_TAG_DATA, r->due[WEFT_TAG_DATA]);
}

int weft_main(void) {
  return weft_in_turns(run);
}

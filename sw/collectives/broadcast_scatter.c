// Broadcast of long arrays (van de Geijn): the root sends every member the member's own block, and
// these go round a ring of all members. Any number of members.
#include "sw/collectives/ring_steps.h"

WEFT_COLLECTIVE_WITH(broadcast_scatter, WEFT_BROADCAST, WEFT_CONTROLLERS_BY_UNITS,
                     "the root's array to all: a block to each member, then an allgather",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS);

static void run(struct weft_reduction* r) {
  const uint32_t me = weft_member(r), members = r->array->members;
  if (me == WEFT_NOBODY) {
    return;
  }
  if (me == r->array->root) {
    for (uint32_t ahead = 1; ahead < members; ++ahead) {
      const uint32_t to = (me + ahead) % members;
      struct weft_outgoing block =
          weft_outgoing(r, weft_member_rank(r, to), weft_block_of(r, to), WEFT_TAG_DATA, 1);
      weft_post_all(r, &block, 1);
    }
  } else {
    r->due[WEFT_TAG_DATA] += weft_pieces(r->job, weft_length(weft_block_of(r, me)), 1).count;
    weft_wait_received(WEFT_TAG_DATA, r->due[WEFT_TAG_DATA]);
  }
  weft_ring_allgather(r, 0);
}

int weft_main(void) {
  return weft_in_turns(run);
}

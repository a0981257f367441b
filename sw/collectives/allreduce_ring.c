// Allreduce round a ring of all members: piece i of the array goes from member i round the ring and
// is reduced at each member, then a second time round to be copied. Any number of members.
#include "sw/include/weft_reduction.h"

WEFT_COLLECTIVE_WITH(allreduce_ring, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce round a ring of all members, in pieces", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_BY_RING,
                     .reduces = 1);

static void reduce(struct weft_reduction* r) {
  const uint32_t members = r->array->members, me = weft_member(r);
  if (me == WEFT_NOBODY) {
    return;
  }
  struct weft_round round;
  round.count = 1;
  round.transfers[0] =
      (struct weft_transfer){.to = weft_member_rank(r, (me + 1) % members),
                             .from = weft_member_rank(r, (me + members - 1) % members),
                             .spread = 1};
  weft_set_operation(r, 0);
  for (uint32_t copies = 0; copies < 2; ++copies) {
    round.tag = round.sent = copies ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL;
    round.slot = round.transfers[0].slot = copies;
    for (uint32_t k = 0; k + 1 < members; ++k) {
      if (!copies && k + 2 == members) {
        weft_set_operation(r, 1);
      }
      // The piece received in one round is sent in the next; copies start with the piece whose
      // reduction ends here.
      const uint32_t sent = me + copies + members - k;
      round.value = k + 1;
      round.transfers[0].send = weft_cut(r->segment, sent % members, members);
      round.transfers[0].take = weft_cut(r->segment, (sent - 1) % members, members);
      weft_run_round(r, &round);
    }
  }
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

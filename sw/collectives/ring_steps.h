// Pieces that go round a ring of all members, in the order of their numbers. Any number of members.
#ifndef WEFT_RING_STEPS_H
#define WEFT_RING_STEPS_H

#include "sw/include/weft_reduction.h"

/// Piece `i` of as many pieces as there are members: a piece of what is reduced at present, or with
/// `blocks` the part of it that belongs to member i's block of the whole array.
static inline struct weft_range weft_ring_piece(const struct weft_reduction* r, uint32_t i,
                                                int blocks) {
  return blocks ? weft_block_of(r, i) : weft_cut(r->segment, i, r->array->members);
}

/// Every piece goes over all links of the ring but one, and is reduced at each member, or with
/// `copies` stored there. This member sends piece `first` first; the piece that it receives in one
/// round it sends in the next. Each pass in a turn has its own `slot`.
static inline void weft_ring_pass(struct weft_reduction* r, uint32_t slot, uint32_t first,
                                  int blocks, int copies) {
  const uint32_t members = r->array->members, me = weft_member(r);
  struct weft_round round;
  round.count = 1;
  round.slot = slot;
  round.tag = round.sent = copies ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL;
  round.transfers[0] =
      (struct weft_transfer){.to = weft_member_rank(r, (me + 1) % members),
                             .from = weft_member_rank(r, (me + members - 1) % members),
                             .spread = 1,
                             .slot = slot};
  for (uint32_t k = 0; k + 1 < members; ++k) {
    if (!copies && k + 2 == members) {
      weft_set_operation(r, 1);
    }
    const uint32_t sent = first % members + members - k;
    round.value = k + 1;
    round.transfers[0].send = weft_ring_piece(r, sent % members, blocks);
    round.transfers[0].take = weft_ring_piece(r, (sent - 1) % members, blocks);
    weft_run_round(r, &round);
  }
}

/// Piece i of the array goes from member i round the ring and is reduced at each member, then a
/// second time round to be copied.
static inline void weft_ring_allreduce(struct weft_reduction* r) {
  const uint32_t me = weft_member(r);
  weft_set_operation(r, r->array->members == 1);
  weft_ring_pass(r, 0, me, 0, 0);
  // The reduction of the piece after its own number ends at this member.
  weft_ring_pass(r, 1, me + 1, 0, 1);
}

/// Reduces every member's block at that member: block i goes from the member after i round the
/// ring.
static inline void weft_ring_reduce_scatter(struct weft_reduction* r, uint32_t slot) {
  weft_set_operation(r, r->array->members == 1);
  weft_ring_pass(r, slot, weft_member(r) + r->array->members - 1, 1, 0);
}

/// Copies every member's block to all.
static inline void weft_ring_allgather(struct weft_reduction* r, uint32_t slot) {
  weft_ring_pass(r, slot, weft_member(r), 1, 1);
}

#endif

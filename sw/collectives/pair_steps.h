// Steps in which members whose numbers differ in one bit exchange pieces.
#ifndef WEFT_PAIR_STEPS_H
#define WEFT_PAIR_STEPS_H

#include "sw/include/weft_reduction.h"

#define WEFT_MOST_PAIR_STEPS 16

/// Exchanges `send` for `take` with the member whose number differs in `bit`; `slot` is the step's
/// mailbox, and the position in the partner's memory is higher by `shift` flits.
static inline void weft_pair_round(struct weft_reduction* r, uint32_t bit, uint32_t slot,
                                   uint32_t tag, struct weft_range send, struct weft_range take,
                                   uint32_t shift) {
  const uint32_t partner = weft_member_rank(r, weft_member(r) ^ bit);
  struct weft_round round;
  round.count = 1;
  round.tag = round.sent = tag;
  round.slot = slot;
  round.value = 1;
  round.transfers[0] = (struct weft_transfer){.to = partner,
                                              .from = partner,
                                              .send = send,
                                              .take = take,
                                              .spread = 1,
                                              .shift = shift,
                                              .slot = slot};
  weft_run_round(r, &round);
}

/// Recursive doubling. The partner's array is received into a second one after this member's, which
/// is still being sent; then the member reduces it into its own by sending it to itself.
static inline void weft_recursive_doubling(struct weft_reduction* r) {
  const uint32_t members = r->array->members, me = weft_member(r);
  const uint32_t flits = weft_length(r->segment), lanes = r->job->controllers;
  const struct weft_range second = {r->segment.lo + flits, r->segment.hi + flits};
  uint32_t steps = 0;
  if (me == WEFT_NOBODY) {
    return;
  }
  weft_set_operation(r, 0);
  for (uint32_t bit = 1; bit < members; bit *= 2, ++steps) {
    if (bit * 2 == members) {
      weft_set_operation(r, 1);
    }
    weft_pair_round(r, bit, steps, WEFT_TAG_DATA, r->segment, r->segment, flits);
    weft_wait_sent(r->posted);
    struct weft_outgoing own = weft_outgoing(r, r->job->rank, second, WEFT_TAG_PARTIAL, lanes);
    own.shift = 0 - flits;
    r->due[WEFT_TAG_PARTIAL] += weft_pieces(r->job, flits, lanes).count;
    weft_post_all(r, &own, 1);
    weft_wait_received(WEFT_TAG_PARTIAL, r->due[WEFT_TAG_PARTIAL]);
  }
}

/// Halving and doubling in the order of the members' numbers.
static inline void weft_rabenseifner(struct weft_reduction* r) {
  const uint32_t members = r->array->members, me = weft_member(r);
  struct weft_range whole[WEFT_MOST_PAIR_STEPS];
  uint32_t steps = 0;
  if (me == WEFT_NOBODY) {
    return;
  }
  weft_set_operation(r, 0);
  struct weft_range own = r->segment;
  for (uint32_t bit = 1; bit < members; bit *= 2, ++steps) {
    if (bit * 2 == members) {
      weft_set_operation(r, 1);
    }
    whole[steps] = own;
    own = weft_cut(whole[steps], (me & bit) != 0, 2);
    weft_pair_round(r, bit, steps, WEFT_TAG_PARTIAL, weft_cut(whole[steps], (me & bit) == 0, 2),
                    own, 0);
  }
  for (uint32_t bit = members / 2; bit != 0; bit /= 2) {
    const struct weft_range given = weft_cut(whole[--steps], (me & bit) == 0, 2);
    weft_pair_round(r, bit, WEFT_MOST_PAIR_STEPS + steps, WEFT_TAG_DATA,
                    weft_cut(whole[steps], (me & bit) != 0, 2), given, 0);
  }
}

#endif

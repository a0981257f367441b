// Steps in which members whose numbers differ in one bit exchange pieces. Any number of members: e
// is the excess over a power of two. Of the first 2 e members the even ones first give their arrays
// to the odd ones, and get the result from them in the end. The others pair.
#ifndef WEFT_PAIR_STEPS_H
#define WEFT_PAIR_STEPS_H

#include "sw/include/weft_reduction.h"

#define WEFT_MOST_PAIR_STEPS 16

/// The members that pair, and this member's number among them.
struct weft_pairs {
  uint32_t count;   ///< A power of two.
  uint32_t excess;  ///< Members in addition to these.
  uint32_t me;      ///< This member's number; WEFT_NOBODY if it does not pair.
};

static inline struct weft_pairs weft_pairs(const struct weft_reduction* r) {
  const uint32_t members = r->array->members, me = weft_member(r);
  struct weft_pairs all = {.count = 1};
  while (2 * all.count <= members) {
    all.count *= 2;
  }
  all.excess = members - all.count;
  all.me = me >= 2 * all.excess ? me - all.excess : me % 2 != 0 ? me / 2 : WEFT_NOBODY;
  return all;
}

/// Rank of a member that pairs, by its number among the members that pair.
static inline uint32_t weft_pair_rank(const struct weft_reduction* r, const struct weft_pairs* all,
                                      uint32_t number) {
  return weft_member_rank(r, number < all->excess ? 2 * number + 1 : number + all->excess);
}

/// Exchanges `send` for `take` with the partner whose number differs in `bit`.
static inline void weft_pair_round(struct weft_reduction* r, const struct weft_pairs* all,
                                   uint32_t bit, uint32_t slot, uint32_t tag,
                                   struct weft_range send, struct weft_range take, uint32_t shift) {
  const uint32_t partner = weft_pair_rank(r, all, all->me ^ bit);
  weft_one_transfer(r, partner, partner, slot, tag, send, take, 1, shift);
}

#define WEFT_EXCESS_SLOT (2 * WEFT_MOST_PAIR_STEPS)

/// Members that do not pair give their arrays to their partners, which reduce them, or with `back`
/// get the result.
static inline void weft_pair_excess(struct weft_reduction* r, const struct weft_pairs* all,
                                    int back) {
  const uint32_t me = weft_member(r);
  if (me >= 2 * all->excess) {
    return;
  }
  const uint32_t partner = weft_member_rank(r, me ^ 1);
  const int sends = (me % 2 == 0) != (back != 0);
  weft_one_transfer(r, sends ? partner : WEFT_NOBODY, sends ? WEFT_NOBODY : partner,
                    WEFT_EXCESS_SLOT + (back != 0), back ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL,
                    r->segment, r->segment, 1, 0);
}

/// Recursive doubling. The partner's array is received into a second one after this member's, which
/// is still being sent; then the member reduces it into its own by sending it to itself.
static inline void weft_recursive_doubling(struct weft_reduction* r) {
  const struct weft_range all_of_it = r->segment;
  const uint32_t flits = weft_length(all_of_it), lanes = r->job->controllers;
  const struct weft_range second = {all_of_it.lo + flits, all_of_it.hi + flits};
  if (weft_member(r) == WEFT_NOBODY) {
    return;
  }
  const struct weft_pairs all = weft_pairs(r);
  weft_set_operation(r, r->array->members == 1);
  weft_pair_excess(r, &all, 0);
  uint32_t steps = 0;
  for (uint32_t bit = 1; bit < all.count && all.me != WEFT_NOBODY; bit *= 2, ++steps) {
    if (bit * 2 == all.count) {
      weft_set_operation(r, 1);
    }
    weft_pair_round(r, &all, bit, steps, WEFT_TAG_DATA, all_of_it, all_of_it, flits);
    weft_wait_sent(r->posted);
    struct weft_outgoing own = weft_outgoing(r, r->job->rank, second, WEFT_TAG_PARTIAL, lanes);
    own.shift = 0 - flits;
    r->due[WEFT_TAG_PARTIAL] += weft_pieces(r->job, flits, lanes).count;
    weft_post_all(r, &own, 1);
    weft_wait_received(WEFT_TAG_PARTIAL, r->due[WEFT_TAG_PARTIAL]);
  }
  weft_pair_excess(r, &all, 1);
}

/// Halving and doubling in the order of the members' numbers.
static inline void weft_rabenseifner(struct weft_reduction* r) {
  struct weft_range whole[WEFT_MOST_PAIR_STEPS];
  if (weft_member(r) == WEFT_NOBODY) {
    return;
  }
  const struct weft_pairs all = weft_pairs(r);
  weft_set_operation(r, r->array->members == 1);
  weft_pair_excess(r, &all, 0);
  struct weft_range own = r->segment;
  const uint32_t end = all.me != WEFT_NOBODY ? all.count : 1;
  uint32_t steps = 0;
  for (uint32_t bit = 1; bit < end; bit *= 2, ++steps) {
    if (bit * 2 == end) {
      weft_set_operation(r, 1);
    }
    whole[steps] = own;
    own = weft_cut(whole[steps], (all.me & bit) != 0, 2);
    weft_pair_round(r, &all, bit, steps, WEFT_TAG_PARTIAL,
                    weft_cut(whole[steps], (all.me & bit) == 0, 2), own, 0);
  }
  for (uint32_t bit = end / 2; bit != 0; bit /= 2) {
    const struct weft_range given = weft_cut(whole[--steps], (all.me & bit) == 0, 2);
    weft_pair_round(r, &all, bit, WEFT_MOST_PAIR_STEPS + steps, WEFT_TAG_DATA,
                    weft_cut(whole[steps], (all.me & bit) != 0, 2), given, 0);
  }
  weft_pair_excess(r, &all, 1);
}

#endif

// Binomial trees of all members, counted from the root: member i has as parent the member whose
// number lacks the lowest set bit of i. Any number of members.
#ifndef WEFT_BINOMIAL_STEPS_H
#define WEFT_BINOMIAL_STEPS_H

#include "sw/include/weft_reduction.h"

/// This member's number, counted from the root.
static inline uint32_t weft_binomial_number(const struct weft_reduction* r) {
  const uint32_t members = r->array->members;
  return (weft_member(r) + members - r->array->root) % members;
}

/// Transfers the whole array over the edge of the tree between this member and the one whose number
/// differs in bit `bit`: to that member if `sends`, otherwise from it. Edges of different bits have
/// mailboxes of their own.
static inline void weft_binomial_edge(struct weft_reduction* r, uint32_t bit, int sends,
                                      uint32_t tag) {
  const uint32_t members = r->array->members;
  const uint32_t other = weft_binomial_number(r) ^ 1U << bit;
  const uint32_t rank = weft_member_rank(r, (other + r->array->root) % members);
  weft_one_transfer(r, sends ? rank : WEFT_NOBODY, sends ? WEFT_NOBODY : rank, bit, tag, r->segment,
                    r->segment, r->job->controllers, 0);
}

#endif

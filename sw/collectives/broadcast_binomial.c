// Broadcast of short arrays: down a binomial tree, the largest subtrees first. Any number of
// members.
#include "sw/collectives/binomial_steps.h"

WEFT_COLLECTIVE_WITH(broadcast_binomial, WEFT_BROADCAST, WEFT_CONTROLLERS_BY_UNITS,
                     "the root's array to all down a binomial tree", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS);

static void run(struct weft_reduction* r) {
  if (weft_member(r) == WEFT_NOBODY) {
    return;
  }
  const uint32_t members = r->array->members, number = weft_binomial_number(r);
  uint32_t bits = 0;  // Bits of the subtree below this member.
  while ((number >> bits & 1) == 0 && 1U << bits < members) {
    ++bits;
  }
  if (number != 0) {
    weft_binomial_edge(r, bits, 0, WEFT_TAG_DATA);
  }
  while (bits-- != 0) {
    if ((number | 1U << bits) < members) {
      weft_binomial_edge(r, bits, 1, WEFT_TAG_DATA);
    }
  }
}

int weft_main(void) {
  return weft_in_turns(run);
}

// Reduction of short arrays to one member: up a binomial tree, the smallest subtrees first. Any
// number of members.
#include "sw/collectives/binomial_steps.h"

WEFT_COLLECTIVE_WITH(reduce_binomial, WEFT_REDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "reduction to the root up a binomial tree", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_IN_ANY_ORDER,
                     .reduces = 1);

static void run(struct weft_reduction* r) {
  if (weft_member(r) == WEFT_NOBODY) {
    return;
  }
  const uint32_t members = r->array->members, number = weft_binomial_number(r);
  weft_set_operation(r, members == 1);
  for (uint32_t bit = 0; 1U << bit < members; ++bit) {
    if ((number >> bit & 1) != 0) {
      weft_binomial_edge(r, bit, 1, WEFT_TAG_PARTIAL);
      return;
    }
    if ((number | 1U << bit) < members) {
      // A mean divides at the root, when its last child's subtree arrives.
      if (number == 0 && 2U << bit >= members) {
        weft_set_operation(r, 1);
      }
      weft_binomial_edge(r, bit, 0, WEFT_TAG_PARTIAL);
    }
  }
}

int weft_main(void) {
  return weft_in_turns(run);
}

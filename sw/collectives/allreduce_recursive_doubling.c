// Allreduce by recursive doubling: in each step two members whose numbers differ in one bit, the
// lowest first, exchange their whole arrays. The fewest steps, and the most data.
#include "sw/collectives/pair_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_recursive_doubling, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce by pairs of members that exchange whole arrays", .buffers = 2,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_BY_PAIRS,
                     .reduces = 1);

int weft_main(void) {
  return weft_in_turns(weft_recursive_doubling);
}

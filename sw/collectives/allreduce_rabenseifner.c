// Allreduce by halving and doubling in the order of the members' numbers (Rabenseifner): like
// nested halving and doubling between boards, but independent of the network.
#include "sw/collectives/pair_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_rabenseifner, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce by halving and doubling in the order of members", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_BY_PAIRS,
                     .reduces = 1);

int weft_main(void) {
  return weft_in_turns(weft_rabenseifner);
}

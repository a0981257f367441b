// Allreduce between all pairs at once: every member reduces a part of the array, and sends it to
// all. Where routers are linked pairwise in each dimension it goes dimension by dimension.
#include "sw/collectives/direct_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_direct, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce between all pairs at once", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_IN_ANY_ORDER,
                     .reduces = 1, .barriers = 1);

static void run(struct weft_reduction* r) {
  weft_run_direct(r, 0, 1, 1);
}

int weft_main(void) {
  return weft_in_turns(run);
}

// Reduce-scatter between all pairs at once: every member gets its block of all others.
#include "sw/collectives/direct_steps.h"

WEFT_COLLECTIVE_WITH(reduce_scatter_direct, WEFT_REDUCE_SCATTER, WEFT_CONTROLLERS_BY_UNITS,
                     "reduction of every member's block between all pairs at once", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_IN_ANY_ORDER,
                     .reduces = 1, .barriers = 1);

static void run(struct weft_reduction* r) {
  weft_run_direct(r, 1, 1, 0);
}

int weft_main(void) {
  return weft_in_turns(run);
}

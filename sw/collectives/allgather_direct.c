// Allgather between all pairs at once: every member sends its block to all others.
#include "sw/collectives/direct_steps.h"

WEFT_COLLECTIVE_WITH(allgather_direct, WEFT_ALLGATHER, WEFT_CONTROLLERS_BY_UNITS,
                     "every member's block to all, between all pairs at once", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .barriers = 1);

static void run(struct weft_reduction* r) {
  weft_run_direct(r, 1, 0, 1);
}

int weft_main(void) {
  return weft_in_turns(run);
}

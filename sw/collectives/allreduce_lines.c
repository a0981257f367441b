// Allreduce along the lines of a mesh, in both directions of all dimensions at once. On other
// networks, and where messages may overtake each other, it goes round a ring, round by round
// (allreduce_ring).
#include "sw/collectives/line_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_lines, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce along all lines of a mesh in both directions", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .reduced_by = WEFT_REDUCED_IN_ANY_ORDER,
                     .reduces = 1, .in_order = 1, .barriers = 1);

int weft_main(void) {
  return weft_in_turns(weft_lines_allreduce);
}

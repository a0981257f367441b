// Allreduce by pipelined rings: on a torus one in every direction of every dimension at once, on
// other networks one of all members. Each message is sent on as soon as it has been reduced. Where
// messages may overtake each other, the rings go round by round (allreduce_ring).
#include "sw/collectives/ring_streams.h"

WEFT_COLLECTIVE_WITH(allreduce_rings, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce by pipelined rings, on a torus in all directions at once",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .reduced_by = WEFT_REDUCED_IN_ANY_ORDER, .reduces = 1, .in_order = 1,
                     .barriers = 1);

int weft_main(void) {
  return weft_in_turns(weft_rings_allreduce);
}

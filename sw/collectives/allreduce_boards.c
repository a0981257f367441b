// Allreduce on boards by main units alone, over all of their links at once (board_streams.h). This
// requires boards of 8 main and 4 aggregation units, W even or 1, at most two of X, Y and Z above
// 1, since a unit has 8 send controllers, and messages that keep their order. Otherwise, and for
// means, whose last step divides, it goes round by round (allreduce_bucket).
#include "sw/collectives/board_links.h"

WEFT_COLLECTIVE_WITH(allreduce_boards, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce on boards: by main units over all of their links at once",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS, .boards = 1,
                     .reduced_by = WEFT_REDUCED_IN_ANY_ORDER, .reduces = 1, .in_order = 1,
                     .barriers = 1);

int weft_main(void) {
  return weft_in_turns(weft_boards_allreduce);
}

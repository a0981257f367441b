// Allreduce by nested halving and doubling (seed 003, figs 25, 26, 29): halving over all
// dimensions in turn, then doubling in the reverse order, so that pieces between boards become as
// small as one in all boards.
#include "sw/collectives/board_allreduce.h"

WEFT_COLLECTIVE_WITH(allreduce_nested, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce on boards: halving over all dimensions, then doubling (seed 003)",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS, .boards = 1, .halves = 1,
                     .pipelines = 1, .reduced_by = WEFT_REDUCED_BY_BOARDS, .reduces = 1);

int weft_main(void) {
  return weft_in_turns(weft_nested);
}

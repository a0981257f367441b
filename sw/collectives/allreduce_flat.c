// Allreduce by halving and doubling dimension by dimension, the conventional order (seed 003,
// fig. 27): each dimension's doubling precedes the next one's halving, so that every dimension
// carries the whole part.
#include "sw/collectives/board_allreduce.h"

WEFT_COLLECTIVE_WITH(allreduce_flat, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce on boards: halving and doubling in each dimension (seed 003)",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS, .boards = 1, .halves = 1,
                     .pipelines = 1, .reduced_by = WEFT_REDUCED_BY_BOARDS, .reduces = 1);

static void reduce(struct weft_reduction* r) {
  struct weft_sequence all;
  weft_begin_sequence(r, &all, 1);
  for (uint32_t first = 0; first < all.steps.count;) {
    uint32_t end = first + 1;
    while (end < all.steps.count &&
           all.steps.step[end].dimension == all.steps.step[first].dimension) {
      ++end;
    }
    weft_add_turns(&all, first, end, 0);
    weft_add_turns(&all, first, end, 1);
    first = end;
  }
  all.stage_end[0] = all.count;
  weft_board_allreduce(r, &all);
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

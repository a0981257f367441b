// Reduce-scatter on boards: the first half of nested halving and doubling (seed 003), and each
// aggregation unit's piece scattered over the main units of its board.
#include "sw/collectives/board_parts.h"

WEFT_COLLECTIVE_WITH(reduce_scatter_nested, WEFT_REDUCE_SCATTER, WEFT_CONTROLLERS_BY_UNITS,
                     "reduction on boards, a block to each main unit (seed 003)", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .boards = 1, .blocks_by_boards = 1,
                     .halves = 1, .reduced_by = WEFT_REDUCED_BY_BOARDS, .reduces = 1);

static void run(struct weft_reduction* r) {
  struct weft_steps steps;
  weft_halving_steps(r, &steps);
  if (weft_is_main(r->at)) {
    weft_send_slots(r, 0);
    for (uint32_t a = 0; a < r->at->aggregators; ++a) {
      weft_expect(r, weft_block(r, &steps, a, r->at->unit));
    }
    weft_wait_data(r);
    return;
  }
  weft_run_board(r, steps.count, steps.count == 0);
  weft_run_steps(r, &steps, 0, WEFT_ROLE_ALL);
  struct weft_outgoing pieces[WEFT_MOST_UNITS];
  for (uint32_t m = 0; m < r->at->mains; ++m) {
    pieces[m] = weft_outgoing(r, weft_main_rank(r, m), weft_block(r, &steps, weft_aggregator(r), m),
                              WEFT_TAG_DATA, 1);
  }
  weft_post_all(r, pieces, r->at->mains);
}

int weft_main(void) {
  return weft_in_turns(run);
}

// Allgather on boards: the blocks that reduce_scatter_nested leaves are gathered on each board,
// doubled between boards and broadcast on each board: the second half of nested halving and
// doubling (seed 003).
#include "sw/collectives/board_parts.h"

WEFT_COLLECTIVE_WITH(allgather_nested, WEFT_ALLGATHER, WEFT_CONTROLLERS_BY_UNITS,
                     "every main unit's block to all, by doubling between boards (seed 003)",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS, .boards = 1,
                     .blocks_by_boards = 1, .halves = 1);

static void run(struct weft_reduction* r) {
  struct weft_steps steps;
  weft_halving_steps(r, &steps);
  if (weft_is_main(r->at)) {
    struct weft_outgoing pieces[WEFT_MOST_UNITS];
    for (uint32_t a = 0; a < r->at->aggregators; ++a) {
      pieces[a] = weft_outgoing(r, weft_aggregator_rank(r, a),
                                weft_block(r, &steps, a, r->at->unit), WEFT_TAG_DATA, 1);
    }
    weft_post_all(r, pieces, r->at->aggregators);
    weft_wait_cast(r);
    return;
  }
  for (uint32_t m = 0; m < r->at->mains; ++m) {
    weft_expect(r, weft_block(r, &steps, weft_aggregator(r), m));
  }
  weft_wait_data(r);
  weft_run_steps(r, &steps, 1, WEFT_ROLE_ALL);
  weft_run_cast(r);
}

int weft_main(void) {
  return weft_in_turns(run);
}

// Broadcast on boards: the root's parts go to the aggregation units of its board, are scattered
// over the boards as in a halving, doubled, and broadcast on each board.
#include "sw/collectives/board_parts.h"

WEFT_COLLECTIVE_WITH(broadcast_nested, WEFT_BROADCAST, WEFT_CONTROLLERS_BY_UNITS,
                     "the root's array to all, scattered between boards and doubled (seed 003)",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS, .boards = 1, .halves = 1);

static void run(struct weft_reduction* r) {
  struct weft_steps steps;
  weft_halving_steps(r, &steps);
  if (weft_is_main(r->at)) {
    if (weft_member(r) == r->array->root) {
      struct weft_outgoing pieces[WEFT_MOST_UNITS];
      for (uint32_t a = 0; a < r->at->aggregators; ++a) {
        pieces[a] = weft_outgoing(r, weft_aggregator_rank(r, a), weft_part(r, r->segment, a),
                                  WEFT_TAG_DATA, 1);
      }
      weft_post_all(r, pieces, r->at->aggregators);
    }
    weft_wait_cast(r);
    return;
  }
  if (weft_like_root(r, &steps, 0)) {
    weft_expect(r, weft_part(r, r->segment, weft_aggregator(r)));
    weft_wait_data(r);
  }
  weft_run_steps(r, &steps, 0, WEFT_ROLE_SCATTER);
  weft_run_steps(r, &steps, 1, WEFT_ROLE_ALL);
  weft_run_cast(r);
}

int weft_main(void) {
  return weft_in_turns(run);
}

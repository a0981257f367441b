// Reduction to one main unit on boards: halving between boards (seed 003), the pieces gathered on
// the root's board, and from there to the root.
#include "sw/collectives/board_parts.h"

WEFT_COLLECTIVE_WITH(reduce_nested, WEFT_REDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "reduction on boards to the root (seed 003)", .buffers = 1,
                     .cuts_blocks = WEFT_CUTS_PACKETS, .boards = 1, .halves = 1,
                     .reduced_by = WEFT_REDUCED_BY_BOARDS, .reduces = 1);

static void run(struct weft_reduction* r) {
  struct weft_steps steps;
  weft_halving_steps(r, &steps);
  if (weft_is_main(r->at)) {
    weft_send_slots(r, 0);
    if (weft_member(r) == r->array->root) {
      weft_wait_cast(r);
    }
    return;
  }
  weft_run_board(r, 2 * steps.count, steps.count == 0);
  weft_run_steps(r, &steps, 0, WEFT_ROLE_ALL);
  weft_run_steps(r, &steps, 1, WEFT_ROLE_GATHER);
  if (weft_like_root(r, &steps, 0)) {
    struct weft_outgoing piece =
        weft_outgoing(r, weft_main_rank(r, r->array->root % r->at->mains),
                      weft_part(r, r->segment, weft_aggregator(r)), WEFT_TAG_DATA, 1);
    weft_post_all(r, &piece, 1);
  }
}

int weft_main(void) {
  return weft_in_turns(run);
}

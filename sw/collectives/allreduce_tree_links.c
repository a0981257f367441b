// Allreduce by the combining tree and over the links at the same time: the end of the array goes by
// the tree, the rest by the streams of the network (allreduce_rings, allreduce_lines,
// allreduce_boards), in parts that take equally long. Where the network has no such streams, the
// whole array goes by the tree.
#include "sw/collectives/board_links.h"
#include "sw/collectives/line_steps.h"
#include "sw/collectives/ring_streams.h"
#include "sw/collectives/tree_steps.h"

WEFT_COLLECTIVE_WITH(allreduce_tree_links, WEFT_ALLREDUCE, WEFT_CONTROLLERS_BY_UNITS,
                     "allreduce by a combining tree and over all links at the same time",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .reduced_by = WEFT_REDUCED_IN_ANY_ORDER, .reduces = 1, .in_order = 1,
                     .barriers = 1, .combines = 1);

#ifdef __riscv
#define RV32 1
#else
#define RV32 0
#endif

/// The streams of the network, and what they were measured to take.
struct streams {
  void (*run)(struct weft_reduction* r);
  uint32_t cycles;  ///< Cycles for 1,024 flits of an array.
  uint32_t more;    ///< Cycles that do not depend on the array.
};

static struct streams streams_of(const struct weft_reduction* r) {
  const struct weft_connections* at = r->at;
  uint32_t dims = 0, steps = 0;
  for (uint32_t i = 0; i < at->dim_count; ++i) {
    dims += at->dims[i].size > 1;
    steps += 2 * (at->dims[i].size - 1);
  }
  const int by_dimension =
      r->array->in_order && at->grid && dims != 0 && r->job->controllers == 2 * at->dim_count;
  if (by_dimension && r->job->wraps + 1 == 1U << at->dim_count) {
    return (struct streams){weft_rings_allreduce, 1024 / dims,
                            WEFT_RING_STEP_CYCLES(RV32, dims) * steps};
  }
#ifndef __riscv
  struct weft_board_plan plan;
  if (at->aggregators != 0 && weft_plan_boards(r, &plan)) {
    const uint32_t cycles[] = {at->dims[0].size > 1 ? 740 : 480, 640, 360};
    return (struct streams){weft_boards_allreduce, cycles[plan.plane_legs],
                            WEFT_BOARD_STREAM_CYCLES};
  }
  if (by_dimension && r->job->wraps == 0) {
    return (struct streams){weft_lines_allreduce, 1024 - 512 / dims, WEFT_LINE_STEP_CYCLES * steps};
  }
#endif
  return (struct streams){NULL, 0, 0};
}

/// Flits of `flits` that go over the links.
static uint32_t links_part(const struct streams* streams, uint32_t flits) {
  if (streams->run == NULL) {
    return 0;
  }
  const uint64_t cycles = ((uint64_t)flits * streams->cycles + 1024 * (uint64_t)streams->more) /
                          (1024 + streams->cycles);
  return cycles < flits ? flits - (uint32_t)cycles : 0;
}

static void reduce(struct weft_reduction* r) {
  const struct streams streams = streams_of(r);
  const struct weft_range all = r->segment;
  const uint32_t middle = all.lo + links_part(&streams, weft_length(all));
  // All orders of the turns before are completed.
  uint32_t orders = weft_reg_read(WEFT_REG_COMBINE_DONE);
  weft_tree_orders(weft_member(r), (struct weft_range){middle, all.hi}, weft_tree_reduction(),
                   &orders);
  if (middle != all.lo) {
    r->segment.hi = middle;
    streams.run(r);
    r->segment.hi = all.hi;
  }
  weft_tree_end(orders);
}

int weft_main(void) {
  return weft_in_turns(reduce);
}

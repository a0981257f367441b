// Allreduce by main units over all of their links at once: the plan for board_streams.h, and the
// whole allreduce.
#ifndef WEFT_BOARD_LINKS_H
#define WEFT_BOARD_LINKS_H

#include "sw/collectives/board_streams.h"
#include "sw/collectives/bucket_steps.h"

/// Times of an array of length 1 that is reduced along all legs on the board, and along X, Y and Z
/// if all pieces end each leg together.
#define WEFT_WHOLE 65536U
#define WEFT_BOARD_TIME ((WEFT_WHOLE - WEFT_WHOLE / 8) / WEFT_BOARD_LINKS)

static inline uint32_t weft_plane_time(const struct weft_board_plan* plan) {
  uint32_t kept[WEFT_MOST_PLANE_LEGS] = {WEFT_WHOLE,
                                         WEFT_WHOLE};  // By the dimension where pieces begin.
  uint32_t sum = 0;
  for (uint32_t leg = 0; leg < plan->plane_legs; ++leg) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < plan->plane_legs; ++i) {
      const uint32_t after = kept[i] / plan->plane[(i + leg) % plan->plane_legs]->size;
      most = kept[i] - after > most ? kept[i] - after : most;
      kept[i] = after;
    }
    sum += most;
  }
  return sum / (2 * plan->plane_legs);
}

/// Makes the plan; returns 0 where there is none.
static inline int weft_plan_boards(const struct weft_reduction* r, struct weft_board_plan* plan) {
  const struct weft_connections* at = r->at;
  const uint32_t w = at->dims[0].size;
  if (!r->array->in_order || r->array->op == WEFT_OP_MEAN || at->mains != 8 ||
      at->aggregators != WEFT_BOARD_LINKS || (w > 1 && w % 2 != 0)) {
    return 0;
  }
  plan->plane_legs = 0;
  for (uint32_t i = 1; i < at->dim_count; ++i) {
    if (at->dims[i].size > 1) {
      if (plan->plane_legs == WEFT_MOST_PLANE_LEGS) {
        return 0;
      }
      plan->plane[plan->plane_legs++] = &at->dims[i];
    }
  }
  plan->legs = WEFT_BOARD_LEGS + plan->plane_legs + (w > 1);
  plan->pieces = plan->plane_legs == 0 ? WEFT_BOARD_LINKS : 2 * WEFT_BOARD_LINKS;
  // Both halves get the lengths at which they take the same time.
  struct weft_range boards = r->segment;
  if (plan->plane_legs != 0) {
    const uint64_t plane = weft_plane_time(plan);
    boards.hi = boards.lo + (uint32_t)(weft_length(boards) * plane / (plane + WEFT_BOARD_TIME));
  }
  const struct weft_range others = {boards.hi, r->segment.hi};
  for (uint32_t i = 0; i < plan->pieces; ++i) {
    plan->range[i] =
        weft_cut(i < WEFT_BOARD_LINKS ? boards : others, i % WEFT_BOARD_LINKS, WEFT_BOARD_LINKS);
  }
  return r->job->controllers >= WEFT_BOARD_LINKS + 2 * plan->plane_legs;
}

/// The whole allreduce; by bucket rings where there is no plan.
static inline void weft_boards_allreduce(struct weft_reduction* r) {
  struct weft_board_plan plan;
  if (!weft_plan_boards(r, &plan)) {
    weft_bucket(r);
    return;
  }
  const int member = weft_member(r) != WEFT_NOBODY;
  if (member) {
    weft_set_legs(r, &plan);
    weft_set_operation_before_barrier(r, 0);
  }
  weft_stream_barrier(r);
  if (weft_software(r)) {
    weft_wait_sent(r->posted);  // Streams begin with an empty descriptor queue.
  }
  if (member) {
    weft_run_board_streams(r, &plan);
  }
}

#endif

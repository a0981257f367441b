// The parts of an allreduce on boards as collectives of their own, on one chunk: the result of each
// is the input of the next one.
//
// After halving and a scatter on the board every main unit has one block of every aggregation
// unit's part: the range that the board has after halving is cut in order into as many pieces as
// there are main units.
#ifndef WEFT_BOARD_PARTS_H
#define WEFT_BOARD_PARTS_H

#include "sw/collectives/board_allreduce.h"

/// Block of main unit `m` in the part of aggregation unit `a`, of this board.
static inline struct weft_range weft_block(const struct weft_reduction* r,
                                           const struct weft_steps* steps, uint32_t a, uint32_t m) {
  return weft_cut(weft_halved(r, steps, weft_part(r, r->segment, a), 0, steps->count), m,
                  r->at->mains);
}

/// Whether this board's coordinates agree with those of the root's board in all bits of steps
/// `from` on.
static inline int weft_like_root(const struct weft_reduction* r, const struct weft_steps* steps,
                                 uint32_t from) {
  const uint32_t units = weft_units(r);
  const uint32_t board = r->array->root / r->at->mains;
  for (uint32_t i = from; i < steps->count; ++i) {
    const struct weft_dimension* d = &r->at->dims[steps->step[i].dimension];
    const uint32_t coordinate = board / (d->rank_step / units) % d->size;
    if (((coordinate ^ d->coordinate) & steps->step[i].distance) != 0) {
      return 0;
    }
  }
  return 1;
}

/// The units that take part in a step.
enum weft_roles {
  WEFT_ROLE_ALL,      ///< Every unit sends and receives.
  WEFT_ROLE_SCATTER,  ///< Away from the root's board: the half that the partner keeps.
  WEFT_ROLE_GATHER,   ///< Towards the root's board.
};

/// One step between boards: halving step `i`, or the doubling that undoes it. A scatter is a
/// halving without reduction, in which only units that have data send; a gather is a doubling, in
/// which only units on the root's side receive.
static inline void weft_run_step(struct weft_reduction* r, const struct weft_steps* steps,
                                 uint32_t i, int doubles, enum weft_roles roles) {
  struct weft_round round;
  const struct weft_turn turn = {.step = i, .doubles = doubles != 0};
  weft_step_round(r, steps, &turn, weft_part(r, r->segment, weft_aggregator(r)), 1, &round);
  if (!doubles && roles == WEFT_ROLE_ALL && i + 1 == steps->count) {
    weft_set_operation(r, 1);
  }
  if (roles != WEFT_ROLE_ALL) {
    if (!weft_like_root(r, steps, i + 1)) {
      return;
    }
    struct weft_transfer* const t = &round.transfers[0];
    round.tag = round.sent = WEFT_TAG_DATA;
    const int sends = weft_like_root(r, steps, i) == (roles == WEFT_ROLE_SCATTER);
    if (sends) {
      t->from = WEFT_NOBODY;
    } else {
      t->to = WEFT_NOBODY;
    }
  }
  weft_run_round(r, &round);
}

/// All steps, in order or backwards.
static inline void weft_run_steps(struct weft_reduction* r, const struct weft_steps* steps,
                                  int doubles, enum weft_roles roles) {
  for (uint32_t i = 0; i < steps->count; ++i) {
    weft_run_step(r, steps, doubles ? steps->count - 1 - i : i, doubles, roles);
  }
}

#endif

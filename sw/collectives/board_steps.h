// Shared by collectives on system boards (seed 003): ranks of units, the stage on the board, and
// the steps of halving and doubling between boards.
//
// Halving: in each step two aggregation units whose boards differ in one bit of one coordinate
// exchange halves of their piece, and each reduces the half that it receives into the half that it
// keeps, the first if its bit is 0 (fig. 11, 17). The lowest bit of a coordinate is first. Doubling
// is the reverse, with copies (fig. 15).
#ifndef WEFT_BOARD_STEPS_H
#define WEFT_BOARD_STEPS_H

#include "sw/include/weft_reduction.h"

#define WEFT_MOST_STEPS 32

static inline int weft_is_main(const struct weft_connections* at) {
  return at->unit < at->mains;
}

/// Rank of main unit `m`, or aggregation unit `a`, of this board.
static inline uint32_t weft_main_rank(const struct weft_reduction* r, uint32_t m) {
  return r->job->rank - r->at->unit + m;
}
static inline uint32_t weft_aggregator_rank(const struct weft_reduction* r, uint32_t a) {
  return r->job->rank - r->at->unit + r->at->mains + a;
}
/// This aggregation unit's number on its board.
static inline uint32_t weft_aggregator(const struct weft_reduction* r) {
  return r->at->unit - r->at->mains;
}

/// One exchange between boards.
struct weft_step {
  uint32_t dimension;
  uint32_t distance;  ///< 1, 2, 4 ... boards.
};

/// The exchanges of a halving, in their order.
struct weft_steps {
  uint32_t count;
  struct weft_step step[WEFT_MOST_STEPS];
};

/// Whether dimension `a` precedes `b` in the order by decreasing bandwidth: the one with more links
/// from a board, or with equally many the smaller one (seed 003, example 2).
static inline int weft_wider(const struct weft_dimension* a, const struct weft_dimension* b) {
  return a->links > b->links || (a->links == b->links && a->size < b->size);
}

/// The order of the dimensions: alphabetical, as in the connection table, or by decreasing
/// bandwidth.
static inline void weft_order_dimensions(const struct weft_reduction* r, uint32_t* dimensions) {
  const struct weft_connections* at = r->at;
  for (uint32_t i = 0; i < at->dim_count; ++i) {
    uint32_t k = i;
    for (; k > 0 && r->array->order == WEFT_ORDER_BANDWIDTH &&
           weft_wider(&at->dims[i], &at->dims[dimensions[k - 1]]);
         --k) {
      dimensions[k] = dimensions[k - 1];
    }
    dimensions[k] = i;
  }
}

static inline void weft_halving_steps(const struct weft_reduction* r, struct weft_steps* steps) {
  uint32_t dimensions[WEFT_MAX_DIMS];
  steps->count = 0;
  weft_order_dimensions(r, dimensions);
  for (uint32_t i = 0; i < r->at->dim_count; ++i) {
    const uint32_t size = r->at->dims[dimensions[i]].size;
    for (uint32_t distance = 1; distance < size; distance *= 2) {
      steps->step[steps->count++] = (struct weft_step){dimensions[i], distance};
    }
  }
}

/// The half of `range` that this unit keeps in a step, or the half that it sends.
static inline struct weft_range weft_half(const struct weft_reduction* r,
                                          const struct weft_step* step, struct weft_range range,
                                          int kept) {
  const uint32_t middle = range.lo + (weft_length(range) + 1) / 2;
  const int second = (r->at->dims[step->dimension].coordinate & step->distance) != 0;
  return second == kept ? (struct weft_range){middle, range.hi}
                        : (struct weft_range){range.lo, middle};
}

/// The part of `range` that this unit has after halving steps `from` to before `to`.
static inline struct weft_range weft_halved(const struct weft_reduction* r,
                                            const struct weft_steps* steps, struct weft_range range,
                                            uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; ++i) {
    range = weft_half(r, &steps->step[i], range, 1);
  }
  return range;
}

/// The partner of this unit in a step.
static inline uint32_t weft_partner(const struct weft_reduction* r, const struct weft_step* step) {
  const struct weft_dimension* d = &r->at->dims[step->dimension];
  return (d->coordinate & step->distance) != 0 ? r->job->rank - step->distance * d->rank_step
                                               : r->job->rank + step->distance * d->rank_step;
}

/// One turn of the schedule: halving step `step`, or the doubling step that undoes it.
struct weft_turn {
  uint32_t step;   ///< Number of the step among those of the halving.
  uint32_t first;  ///< First of the steps that are undone together.
  uint32_t doubles;
};

/// The schedule: all turns in order.
struct weft_sequence {
  struct weft_steps steps;
  uint32_t count;
  uint32_t stages;        ///< Stages of the pipeline.
  uint32_t stage_end[2];  ///< Stage i ends before turns[stage_end[i]].
  struct weft_turn turns[2 * WEFT_MOST_STEPS];
};

/// The number of turns that are run: array->steps, or all.
static inline uint32_t weft_last_turn(const struct weft_reduction* r,
                                      const struct weft_sequence* all) {
  return r->array->steps < all->count ? r->array->steps : all->count;
}

/// What a unit sends and receives in a step: parts of a range that it had completely before step
/// turn->first.
struct weft_exchange {
  struct weft_range send, take;
};

static inline struct weft_exchange weft_exchange(const struct weft_reduction* r,
                                                 const struct weft_steps* steps,
                                                 const struct weft_turn* turn,
                                                 struct weft_range range) {
  const struct weft_step* step = &steps->step[turn->step];
  const struct weft_range whole = weft_halved(r, steps, range, turn->first, turn->step);
  const struct weft_range keeps = weft_half(r, step, whole, 1);
  const struct weft_range gives = weft_half(r, step, whole, 0);
  return turn->doubles ? (struct weft_exchange){.send = keeps, .take = gives}
                       : (struct weft_exchange){.send = gives, .take = keeps};
}

/// The round of an exchange with the partner of a step. A dimension of two boards has two links to
/// the only neighbour: half of the messages use each, unless twice as many messages would be too
/// short. (Both sides must decide alike: one receives what the other sends.)
static inline void weft_partner_round(const struct weft_reduction* r,
                                      const struct weft_steps* steps, const struct weft_turn* turn,
                                      struct weft_exchange exchange, uint32_t value,
                                      struct weft_round* round) {
  const struct weft_step* step = &steps->step[turn->step];
  const uint32_t partner = weft_partner(r, step);
  const uint32_t lanes = r->job->controllers;
  const int both =
      r->at->dims[step->dimension].size == 2 &&
      weft_length(exchange.send) + weft_length(exchange.take) > WEFT_LEAST_MESSAGE * lanes;
  round->count = 1;
  round->tag = round->sent = turn->doubles ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL;
  round->slot = (turn->doubles ? steps->count : 0) + turn->step;
  round->value = value;
  round->transfers[0] = (struct weft_transfer){.to = partner,
                                               .from = partner,
                                               .send = exchange.send,
                                               .take = exchange.take,
                                               .spread = both ? 2 * lanes : lanes,
                                               .ways = both ? WEFT_WAY_BOTH : WEFT_WAY_USUAL,
                                               .slot = round->slot};
}

/// The round of a step at an aggregation unit: it exchanges the part of `range` that it has.
static inline void weft_step_round(const struct weft_reduction* r, const struct weft_steps* steps,
                                   const struct weft_turn* turn, struct weft_range range,
                                   uint32_t value, struct weft_round* round) {
  weft_partner_round(r, steps, turn, weft_exchange(r, steps, turn, range), value, round);
}

// On the board. Part a of the array belongs to aggregation unit a. It is cut into as many pieces as
// there are main units, and reduced in as many slots: in slot s main unit m sends its piece (m + s)
// mod mains. No two pieces of a slot are reduced into the same address, and the order of operations
// is always the same: piece q starts with the data of main unit q; the data of q - 1, q - 2, ...
// follow round the board.

/// Part `a` of a range.
static inline struct weft_range weft_part(const struct weft_reduction* r, struct weft_range range,
                                          uint32_t a) {
  return weft_cut(range, a, r->at->aggregators);
}

/// Messages of one slot to this aggregation unit, over all main units.
static inline uint32_t weft_slot_messages(const struct weft_reduction* r, struct weft_range part) {
  uint32_t messages = 0;
  for (uint32_t m = 0; m < r->at->mains; ++m) {
    messages += weft_pieces(r->job, weft_length(weft_cut(part, m, r->at->mains)), 1).count;
  }
  return messages;
}

/// Sends a main unit's pieces of slot `s` of a range to all aggregation units; `pieces` is an array
/// with one element per unit. The pieces of slot 0 are stored, as there is nothing to reduce them
/// with yet.
static inline void weft_send_slot(struct weft_reduction* r, struct weft_range range, uint32_t s,
                                  struct weft_outgoing* pieces) {
  const uint32_t mains = r->at->mains;
  const uint32_t tag = s == 0 ? WEFT_TAG_READY : WEFT_TAG_BOARD;
  for (uint32_t a = 0; a < r->at->aggregators; ++a) {
    const struct weft_range part = weft_part(r, range, a);
    const struct weft_range piece = weft_cut(part, (r->at->unit + s) % mains, mains);
    pieces[a] = weft_outgoing(r, weft_aggregator_rank(r, a), piece, tag, 1);
  }
  weft_post_all(r, pieces, r->at->aggregators);
}

/// Tells all main units of the board to send their next slot.
static inline void weft_release_slot(struct weft_reduction* r) {
  for (uint32_t m = 0; m < r->at->mains; ++m) {
    weft_send_unchecked(weft_main_rank(r, m), r->job->send_base, 0, 0, WEFT_TAG_READY, 0);
    ++r->posted;
  }
}

#endif

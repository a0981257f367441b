// Rings in all dimensions of boards and in both directions at once: the stage on the board is that
// of seed 003; between boards each part is cut into one piece for each direction of every
// dimension. Piece 2 q begins with dimension q of those that have several boards, goes up round its
// ring, and through the following dimensions after that; piece 2 q + 1 the same way down. So at any
// time all dimensions are at work in both directions. Any sizes.
#ifndef WEFT_BUCKET_STEPS_H
#define WEFT_BUCKET_STEPS_H

#include "sw/collectives/board_allreduce.h"

/// Rounds whose mailboxes there is room for.
#define WEFT_BUCKET_SLOTS (WEFT_MAIL_SLOTS / WEFT_ROUND_TRANSFERS)

/// The dimensions that have several boards.
struct weft_ring_dims {
  uint32_t count, rounds;  ///< Rounds of a piece through all of them.
  const struct weft_dimension* dim[WEFT_MAX_DIMS];
};

/// Where a piece is: its range in the dimension where it is, and which that is.
struct weft_ring_place {
  struct weft_range range;
  const struct weft_dimension* dim;
  uint32_t k;  ///< Round within it.
};

/// The board's number along a dimension that comes next, up or down.
static inline uint32_t weft_ring_next(const struct weft_dimension* dim, uint32_t number, int up) {
  return (number + (up ? 1 : dim->size - 1)) % dim->size;
}

// `piece` has `round` rounds behind it.
static inline struct weft_ring_place weft_ring_place(const struct weft_reduction* r,
                                                     const struct weft_ring_dims* all,
                                                     uint32_t piece, uint32_t round) {
  struct weft_ring_place at = {
      .range = weft_cut(weft_part(r, r->turn, weft_aggregator(r)), piece, 2 * all->count),
      .k = round};
  for (uint32_t i = piece / 2;; ++i) {
    at.dim = all->dim[i % all->count];
    const uint32_t size = at.dim->size;
    if (at.k < size - 1) {
      return at;
    }
    // What is reduced here in the end is next to the own number.
    at.range = weft_cut(at.range, weft_ring_next(at.dim, at.dim->coordinate, piece % 2 == 0), size);
    at.k -= size - 1;
  }
}

static inline uint32_t weft_ring_neighbour(const struct weft_reduction* r,
                                           const struct weft_dimension* dim, int up) {
  return r->job->rank +
         (weft_ring_next(dim, dim->coordinate, up) - dim->coordinate) * dim->rank_step;
}

// One round of every piece; `back`: copies, in the reverse order.
static inline void weft_bucket_round(struct weft_reduction* r, const struct weft_ring_dims* all,
                                     uint32_t number, int back) {
  struct weft_round round;
  round.count = 2 * all->count;
  round.tag = round.sent = back ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL;
  round.slot = number % WEFT_BUCKET_SLOTS * WEFT_ROUND_TRANSFERS;
  round.value = 1 + number / WEFT_BUCKET_SLOTS;
  for (uint32_t piece = 0; piece < round.count; ++piece) {
    const int up = piece % 2 == 0;
    const struct weft_ring_place at =
        weft_ring_place(r, all, piece, back ? 2 * all->rounds - 1 - number : number);
    const uint32_t size = at.dim->size, c = at.dim->coordinate;
    // Cuts travel in the direction of the piece: one that came in one round goes on in the next,
    // and copies begin with the one that is reduced here, which is next to the own number.
    const uint32_t k = back ? size - 2 - at.k : at.k;
    const uint32_t begins = back ? weft_ring_next(at.dim, c, up) : c;
    const uint32_t sent = (begins + (up ? size - k : k)) % size;
    round.transfers[piece] =
        (struct weft_transfer){.to = weft_ring_neighbour(r, at.dim, up),
                               .from = weft_ring_neighbour(r, at.dim, !up),
                               .send = weft_cut(at.range, sent, size),
                               .take = weft_cut(at.range, weft_ring_next(at.dim, sent, !up), size),
                               .spread = r->job->controllers,
                               .ways = up == (c % 2 == 0) ? WEFT_WAY_USUAL : WEFT_WAY_OTHER,
                               .slot = round.slot + piece};
  }
  weft_run_round(r, &round);
}

/// The whole allreduce.
static inline void weft_bucket(struct weft_reduction* r) {
  struct weft_ring_dims all = {.count = 0};
  for (uint32_t i = 0; i < r->at->dim_count; ++i) {
    if (r->at->dims[i].size > 1) {
      all.dim[all.count++] = &r->at->dims[i];
      all.rounds += r->at->dims[i].size - 1;
    }
  }
  if (weft_is_main(r->at)) {
    weft_send_slots(r, 0);
    weft_wait_cast(r);
    return;
  }
  weft_run_board(r, WEFT_MAIL_SLOTS, all.count == 0);
  for (uint32_t i = 0; i < 2 * all.rounds; ++i) {
    if (i + 1 == all.rounds) {
      weft_set_operation(r, 1);
    }
    weft_bucket_round(r, &all, i, i >= all.rounds);
  }
  weft_run_cast(r);
}

#endif

// Rings in all dimensions of boards and in both directions at once. The stage on the board is that
// of seed 003; between boards each part is cut into one piece for each direction of every
// dimension. Piece 2 q starts in dimension q of those that have several boards, goes up round its
// ring, and then round those of the following dimensions; piece 2 q + 1 does so downwards. At any
// time all dimensions are busy in both directions. Sizes are arbitrary.
#ifndef WEFT_BUCKET_STEPS_H
#define WEFT_BUCKET_STEPS_H

#include "sw/collectives/board_allreduce.h"

/// Rounds for which there are mailboxes.
#define WEFT_BUCKET_SLOTS (WEFT_ROUND_SLOTS / WEFT_ROUND_TRANSFERS)

/// The dimensions that have several boards.
struct weft_ring_dims {
  uint32_t count, rounds;  ///< Rounds of a piece through all of them.
  const struct weft_dimension* dim[WEFT_MAX_DIMS];
};

/// Progress of a piece: the dimension in whose ring it is, and its range there.
struct weft_ring_place {
  struct weft_range range;
  const struct weft_dimension* dim;
  uint32_t k;  ///< Round within the dimension.
};

// Progress of `piece` after `round` rounds.
static inline struct weft_ring_place weft_ring_place(const struct weft_reduction* r,
                                                     const struct weft_ring_dims* all,
                                                     uint32_t piece, uint32_t round) {
  struct weft_ring_place at = {
      .range = weft_cut(weft_part(r, r->segment, weft_aggregator(r)), piece, 2 * all->count),
      .k = round};
  for (uint32_t i = piece / 2;; ++i) {
    at.dim = all->dim[i % all->count];
    const uint32_t size = at.dim->size;
    if (at.k < size - 1) {
      return at;
    }
    // The cut whose reduction ends at this board is the one after its number.
    at.range = weft_cut(at.range, weft_ring_next(at.dim, at.dim->coordinate, piece % 2 == 0), size);
    at.k -= size - 1;
  }
}

static inline uint32_t weft_ring_neighbour(const struct weft_reduction* r,
                                           const struct weft_dimension* dim, int up) {
  return r->job->rank +
         (weft_ring_next(dim, dim->coordinate, up) - dim->coordinate) * dim->rank_step;
}

// One round of every piece; with `back` a round that copies, in the reverse order.
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
    // Cuts travel in the direction of the piece: a cut that is received in one round is sent in the
    // next. Copies start with the cut that is reduced at this board, the one after its number.
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
  weft_run_board(r, WEFT_ROUND_SLOTS, all.count == 0);
  for (uint32_t i = 0; i < 2 * all.rounds; ++i) {
    if (i + 1 == all.rounds) {
      weft_set_operation(r, 1);
    }
    weft_bucket_round(r, &all, i, i >= all.rounds);
  }
  weft_run_cast(r);
}

#endif

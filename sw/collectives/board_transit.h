// Steps between boards by way of main units' memories (seed 003: a main unit's network control
// stores data from an aggregation unit of its board in memory, and its DMA engine transfers them to
// the memory of the main unit that the receiver is connected to).
//
// Only main units have links along X, Y and Z, so data that aggregation units exchange along these
// always pass main units: either their routers (cut-through), or, with the functions here, their
// memories, where they are stored and forwarded twice. Every main unit forwards an equal share of
// each aggregation unit's piece. The shares are stored after the array, outgoing ones before
// incoming ones.
#ifndef WEFT_BOARD_TRANSIT_H
#define WEFT_BOARD_TRANSIT_H

#include "sw/collectives/board_steps.h"

#define WEFT_TRANSIT_SLOT (2 * WEFT_MOST_STEPS)  // The first mailbox after those of the steps.

/// Whether a step goes through main units' memories: W, the first dimension, has links of
/// aggregation units.
static inline int weft_in_transit(const struct weft_reduction* r, const struct weft_steps* steps,
                                  const struct weft_turn* turn) {
  return r->array->transit_flits != 0 && steps->step[turn->step].dimension != 0;
}

/// Mailboxes in use.
static inline uint32_t weft_mail_slots(const struct weft_reduction* r,
                                       const struct weft_steps* steps) {
  return r->array->transit_flits != 0 ? WEFT_TRANSIT_SLOT + WEFT_ROUND_TRANSFERS : 2 * steps->count;
}

/// Main unit `m`'s share of what aggregation unit `a` of this board sends and takes in a step.
static inline struct weft_exchange weft_transit_share(const struct weft_reduction* r,
                                                      const struct weft_steps* steps,
                                                      const struct weft_turn* turn, uint32_t a,
                                                      uint32_t m) {
  const struct weft_exchange whole = weft_exchange(r, steps, turn, weft_part(r, r->segment, a));
  return (struct weft_exchange){.send = weft_cut(whole.send, m, r->at->mains),
                                .take = weft_cut(whole.take, m, r->at->mains)};
}

/// Positions of the shares of aggregation unit `a` in main unit `m`'s memory; `a` may be one past
/// the last.
struct weft_transit_buffer {
  uint32_t out, in;
};

static inline struct weft_transit_buffer weft_transit_buffer(const struct weft_reduction* r,
                                                             const struct weft_steps* steps,
                                                             const struct weft_turn* turn,
                                                             uint32_t a, uint32_t m) {
  struct weft_transit_buffer buffer = {r->segment.hi, r->segment.hi + r->array->transit_flits};
  for (uint32_t i = 0; i < a; ++i) {
    const struct weft_exchange share = weft_transit_share(r, steps, turn, i, m);
    buffer.out += weft_length(share.send);
    buffer.in += weft_length(share.take);
  }
  return buffer;
}

/// An aggregation unit's round: a share to each main unit of the board, and one from each.
static inline void weft_transit_round(struct weft_reduction* r, const struct weft_steps* steps,
                                      const struct weft_turn* turn, struct weft_round* round) {
  const uint32_t a = weft_aggregator(r);
  round->count = r->at->mains;
  round->tag = turn->doubles ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL;
  round->sent = WEFT_TAG_BOARD;
  round->slot = WEFT_TRANSIT_SLOT;
  round->value = ++r->transits;
  for (uint32_t m = 0; m < round->count; ++m) {
    const struct weft_exchange share = weft_transit_share(r, steps, turn, a, m);
    const uint32_t offset = weft_transit_buffer(r, steps, turn, a, m).out;
    round->transfers[m] = (struct weft_transfer){.to = weft_main_rank(r, m),
                                                 .from = weft_main_rank(r, m),
                                                 .send = share.send,
                                                 .take = share.take,
                                                 .spread = 1,
                                                 .shift = offset - share.send.lo,
                                                 .slot = WEFT_TRANSIT_SLOT + a};
  }
}

/// A main unit's role in a step: it collects the shares of its board, exchanges them with the main
/// unit of the same number on the partner board, and delivers the shares that it received.
static inline void weft_run_transit(struct weft_reduction* r, const struct weft_steps* steps,
                                    const struct weft_turn* turn) {
  const uint32_t m = r->at->unit, aggregators = r->at->aggregators;
  const struct weft_transit_buffer first = weft_transit_buffer(r, steps, turn, 0, m);
  const struct weft_transit_buffer end = weft_transit_buffer(r, steps, turn, aggregators, m);
  struct weft_round round;
  weft_wait_sent(r->posted);  // Messages of the step before, whose buffers this step overwrites.

  round.count = aggregators;
  round.tag = round.sent = WEFT_TAG_BOARD;
  round.slot = WEFT_TRANSIT_SLOT;
  round.value = ++r->transits;
  for (uint32_t a = 0; a < aggregators; ++a) {
    round.transfers[a] =
        (struct weft_transfer){.to = WEFT_NOBODY,
                               .from = weft_aggregator_rank(r, a),
                               .take = weft_transit_share(r, steps, turn, a, m).send,
                               .spread = 1,
                               .slot = WEFT_TRANSIT_SLOT + m};
  }
  weft_run_round(r, &round);

  const struct weft_exchange exchange = {{first.out, end.out}, {first.in, end.in}};
  weft_partner_round(r, steps, turn, exchange, 1, &round);
  round.tag = round.sent = WEFT_TAG_PARTIAL;
  round.transfers[0].shift = first.in - first.out;
  weft_run_round(r, &round);

  round.count = aggregators;
  round.sent = turn->doubles ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL;
  round.slot = WEFT_TRANSIT_SLOT;
  round.value = r->transits;
  uint32_t offset = first.in;
  for (uint32_t a = 0; a < aggregators; ++a) {
    const struct weft_range share = weft_transit_share(r, steps, turn, a, m).take;
    round.transfers[a] = (struct weft_transfer){.to = weft_aggregator_rank(r, a),
                                                .from = WEFT_NOBODY,
                                                .send = {offset, offset + weft_length(share)},
                                                .spread = 1,
                                                .shift = share.lo - offset};
    offset += weft_length(share);
  }
  weft_run_round(r, &round);
}

/// A main unit's role in all steps.
static inline void weft_run_transits(struct weft_reduction* r, const struct weft_sequence* all) {
  for (uint32_t i = 0; i < weft_last_turn(r, all); ++i) {
    if (weft_in_transit(r, &all->steps, &all->turns[i])) {
      weft_run_transit(r, &all->steps, &all->turns[i]);
    }
  }
}

#endif

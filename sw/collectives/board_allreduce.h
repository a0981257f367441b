// Allreduce on system boards (seed 003, fig. 25): reduction on the board, steps between boards,
// broadcast on the board. The collective determines the steps and their order.
//
// The array may be pipelined in several chunks (array->chunks): while one is broadcast, the next is
// doubled, a third halved, and a fourth reduced on the boards. Each of these stages processes one
// chunk at a time and has a receive counter of its own.
//
// With array->transit_flits there is a single chunk, which passes main units' memories:
// board_transit.h.
#ifndef WEFT_BOARD_ALLREDUCE_H
#define WEFT_BOARD_ALLREDUCE_H

#include "sw/collectives/board_transit.h"

/// A sequence without turns yet.
static inline void weft_begin_sequence(const struct weft_reduction* r, struct weft_sequence* all,
                                       uint32_t stages) {
  weft_halving_steps(r, &all->steps);
  all->count = 0;
  all->stages = stages;
}

/// Adds halving steps `first` to before `end`, and if `doubles` the doubling that undoes them.
static inline void weft_add_turns(struct weft_sequence* all, uint32_t first, uint32_t end,
                                  int doubles) {
  for (uint32_t i = first; i < end; ++i) {
    all->turns[all->count++] =
        (struct weft_turn){doubles ? end - 1 - (i - first) : i, first, doubles != 0};
  }
}

/// A pipeline stage between boards, and its progress.
struct weft_stage {
  uint32_t chunk, position;  ///< `position`: index in the sequence, from `first` to before `end`.
  uint32_t first, end;
  int running;  ///< Whether the round has begun.
  struct weft_round round;
};

static inline struct weft_range weft_chunk(const struct weft_reduction* r, uint32_t chunk) {
  return weft_cut(r->segment, chunk, r->array->chunks);
}

/// Advances a stage for which all chunks before `ready` are available. Returns whether it did
/// anything.
static inline int weft_advance_stage(struct weft_reduction* r, const struct weft_sequence* all,
                                     struct weft_stage* stage, uint32_t ready) {
  const uint32_t posted = r->posted;
  int moved = 0;
  while (stage->chunk < ready) {
    if (stage->position == stage->end) {
      stage->position = stage->first;
      ++stage->chunk;
      moved = 1;
      continue;
    }
    const struct weft_turn* turn = &all->turns[stage->position];
    if (!stage->running) {
      if (weft_in_transit(r, &all->steps, turn)) {
        weft_transit_round(r, &all->steps, turn, &stage->round);
      } else {
        weft_step_round(r, &all->steps, turn,
                        weft_part(r, weft_chunk(r, stage->chunk), weft_aggregator(r)),
                        stage->chunk + 1, &stage->round);
      }
      if (!turn->doubles && turn->step + 1 == all->steps.count) {
        weft_set_operation(r, 1);
      }
      weft_begin_round(r, &stage->round);
      stage->running = 1;
    }
    if (!weft_advance_round(r, &stage->round)) {
      break;
    }
    stage->running = 0;
    ++stage->position;
    moved = 1;
  }
  return moved || r->posted != posted;
}

/// The reduction on the board, at an aggregation unit.
struct weft_board_stage {
  uint32_t chunk, slot;
  uint32_t begun;   ///< Slots whose messages are in `due`.
  uint32_t stored;  ///< Messages of first slots so far.
  uint32_t slots;   ///< Mailboxes whose messages have the same counter.
};

static inline int weft_advance_board(struct weft_reduction* r, struct weft_board_stage* stage,
                                     int last_here) {
  int moved = 0;
  while (stage->chunk < r->array->chunks) {
    if (!stage->begun) {
      const struct weft_range part = weft_part(r, weft_chunk(r, stage->chunk), weft_aggregator(r));
      const uint32_t messages = weft_slot_messages(r, part);
      if (stage->slot == 0) {
        stage->stored += messages;
      } else {
        r->due[WEFT_TAG_BOARD] += messages;
      }
      stage->begun = 1;
    }
    if (stage->slot == 0 ? !weft_ready_besides_mails(r, stage->slots, stage->stored)
                         : !weft_reached(weft_received(WEFT_TAG_BOARD), r->due[WEFT_TAG_BOARD])) {
      break;
    }
    moved = 1;
    stage->begun = 0;
    if (++stage->slot == r->at->mains) {
      stage->slot = 0;
      ++stage->chunk;
    }
    if (last_here && stage->slot + 1 == r->at->mains) {
      weft_set_operation(r, 1);
    }
    if (stage->chunk < r->array->chunks) {
      weft_release_slot(r);
    }
  }
  return moved;
}

/// Sends a finished chunk's part to all main units of the board.
struct weft_cast_stage {
  uint32_t chunk;
  int running;
  struct weft_outgoings pieces;
  struct weft_outgoing room[WEFT_MOST_UNITS];
};

static inline void weft_begin_cast(struct weft_cast_stage* stage) {
  stage->chunk = 0;
  stage->running = 0;
}

static inline int weft_advance_cast(struct weft_reduction* r, struct weft_cast_stage* stage,
                                    uint32_t ready) {
  const uint32_t posted = r->posted;
  while (stage->chunk < ready) {
    if (!stage->running) {
      const struct weft_range part = weft_part(r, weft_chunk(r, stage->chunk), weft_aggregator(r));
      weft_begin_pieces(&stage->pieces, stage->room, r->at->mains);
      for (uint32_t m = 0; m < r->at->mains; ++m) {
        stage->pieces.out[m] = weft_outgoing(r, weft_main_rank(r, m), part, WEFT_TAG_DATA, 1);
      }
      stage->running = 1;
    }
    if (!weft_post_some(r, &stage->pieces, UINT64_MAX)) {
      break;
    }
    stage->running = 0;
    ++stage->chunk;
  }
  return r->posted != posted;
}

/// An aggregation unit's role. With array->steps it ends after that many steps between boards.
static inline void weft_aggregate(struct weft_reduction* r, const struct weft_sequence* all) {
  const uint32_t chunks = r->array->chunks;
  const uint32_t most = weft_last_turn(r, all);
  struct weft_board_stage board = {.slots = weft_mail_slots(r, &all->steps)};
  struct weft_stage stages[2];
  struct weft_cast_stage cast;
  weft_begin_cast(&cast);
  uint32_t first = 0;
  for (uint32_t i = 0; i < all->stages; ++i) {
    const uint32_t end = all->stage_end[i] < most ? all->stage_end[i] : most;
    stages[i].chunk = 0;
    stages[i].position = stages[i].first = first;
    stages[i].end = end > first ? end : first;
    stages[i].running = 0;
    first = stages[i].end;
  }
  weft_set_operation(r, all->steps.count == 0 && r->at->mains == 1);
  for (;;) {
    int moved = weft_advance_board(r, &board, all->steps.count == 0);
    uint32_t ready = board.chunk;
    for (uint32_t i = 0; i < all->stages; ++i) {
      moved |= weft_advance_stage(r, all, &stages[i], ready);
      ready = stages[i].chunk;
    }
    if (most < all->count) {
      if (ready == chunks) {
        return;
      }
    } else {
      moved |= weft_advance_cast(r, &cast, ready);
      if (cast.chunk == chunks) {
        return;
      }
    }
    if (!moved) {
      weft_wfi();
    }
  }
}

/// The reduction on the board alone; `slots` mailboxes are in use.
static inline void weft_run_board(struct weft_reduction* r, uint32_t slots, int last_here) {
  struct weft_board_stage board = {.slots = slots};
  weft_set_operation(r, last_here && r->at->mains == 1);
  while (board.chunk < r->array->chunks) {
    if (!weft_advance_board(r, &board, last_here)) {
      weft_wfi();
    }
  }
}

/// The broadcast on the board alone.
static inline void weft_run_cast(struct weft_reduction* r) {
  struct weft_cast_stage cast;
  weft_begin_cast(&cast);
  while (cast.chunk < r->array->chunks) {
    if (!weft_advance_cast(r, &cast, r->array->chunks)) {
      weft_wfi();
    }
  }
}

/// Sends a main unit's pieces, each slot after all aggregation units have released it. The messages
/// that release it have the same counter as those to the first `slots` mailboxes.
static inline void weft_send_slots(struct weft_reduction* r, uint32_t slots) {
  struct weft_outgoing room[WEFT_MOST_UNITS];
  uint32_t released = 0;
  for (uint32_t chunk = 0; chunk < r->array->chunks; ++chunk) {
    for (uint32_t s = 0; s < r->at->mains; ++s) {
      while (!weft_ready_besides_mails(r, slots, released)) {
        weft_wfi();
      }
      released += r->at->aggregators;
      weft_send_slot(r, weft_chunk(r, chunk), s, room);
    }
  }
}

/// Adds a piece to the data to wait for; it is sent by one lane.
static inline void weft_expect(struct weft_reduction* r, struct weft_range piece) {
  r->due[WEFT_TAG_DATA] += weft_pieces(r->job, weft_length(piece), 1).count;
}
static inline void weft_wait_data(const struct weft_reduction* r) {
  weft_wait_received(WEFT_TAG_DATA, r->due[WEFT_TAG_DATA]);
}

/// Waits for the result at a main unit.
static inline void weft_wait_cast(struct weft_reduction* r) {
  for (uint32_t chunk = 0; chunk < r->array->chunks; ++chunk) {
    for (uint32_t a = 0; a < r->at->aggregators; ++a) {
      weft_expect(r, weft_part(r, weft_chunk(r, chunk), a));
    }
  }
  weft_wait_data(r);
}

static inline void weft_board_allreduce(struct weft_reduction* r, const struct weft_sequence* all) {
  if (!weft_is_main(r->at)) {
    weft_aggregate(r, all);
    return;
  }
  weft_send_slots(r, weft_mail_slots(r, &all->steps));
  weft_run_transits(r, all);
  if (r->array->steps >= all->count) {
    weft_wait_cast(r);
  }
}

/// Nested halving and doubling: halving over all dimensions, then doubling in the reverse order.
static inline void weft_nested(struct weft_reduction* r) {
  struct weft_sequence all;
  weft_begin_sequence(r, &all, 2);
  weft_add_turns(&all, 0, all.steps.count, 0);
  weft_add_turns(&all, 0, all.steps.count, 1);
  all.stage_end[0] = all.steps.count;
  all.stage_end[1] = all.count;
  weft_board_allreduce(r, &all);
}

#endif

// All pairs at once: in a stage every member exchanges pieces with all others of its line in one
// dimension, each over the direct way. A reduce-scatter goes through the dimensions one after the
// other, an allgather through the same ones back.
//
// Where routers are linked pairwise in several dimensions, the array is cut into as many parts.
// Each part begins in another of these dimensions, so that all links are busy in every stage.
//
// No receiver announces that it is ready. Stages alternate between two tags of either kind, so that
// messages of a stage are counted together with those of the stage before the last. All members
// that a member sends to have ended that stage if it got something from each of them in the last
// stage, which they sent after it. Where the receivers are others, or members may have nothing to
// send, there is a barrier.
#ifndef WEFT_DIRECT_STEPS_H
#define WEFT_DIRECT_STEPS_H

#include "sw/include/weft_reduction.h"

#define WEFT_DIRECT_LANES 64  // Receivers that a member sends to at the same time.

/// A dimension of the members.
struct weft_direct_dimension {
  uint32_t size, coordinate;
  uint32_t step;  ///< Difference in member number between neighbours.
};

/// The dimensions that the parts of the array go through.
struct weft_direct {
  uint32_t stages;  ///< Stages of a reduce-scatter.
  uint32_t parts;
  uint32_t first, linked;  ///< First of the dimensions that are linked pairwise, and their number.
  uint32_t blocks;         ///< 1: every member has its block of the contract in the middle.
  struct weft_direct_dimension dims[WEFT_MAX_DIMS + 1];
};

/// What a part does in a stage.
struct weft_direct_step {
  uint32_t part;
  int back;  ///< Whether the stage belongs to an allgather.
  const struct weft_direct_dimension* dim;
  struct weft_range range;  ///< Without blocks: what the members of the line have in common.
  uint32_t free;            ///< Bits of dimensions that the part has not gone through.
  uint32_t pieces;          ///< Pieces of a member: with blocks, those of all members that differ
                            ///< in the `free` dimensions.
  uint32_t length;          ///< Length of messages.
};

/// Pieces of a step that one member has; the current one is posted up to `left`.
struct weft_direct_lane {
  const struct weft_direct_step* step;
  uint32_t to;          ///< Network address of the receiver.
  uint32_t coordinate;  ///< Coordinate, in the dimension of the step, of the member that has the
                        ///< pieces.
  uint32_t piece;       ///< Number of the next piece.
  struct weft_range left;
};

static inline void weft_add_direct(struct weft_direct* all, uint32_t size, uint32_t coordinate,
                                   uint32_t step) {
  if (size > 1) {
    all->dims[all->stages++] = (struct weft_direct_dimension){size, coordinate, step};
  }
}

/// Finds the dimensions, the nearer ones first; these are the lower ones, and before them the nodes
/// of a router. Boards count as one dimension of all their members; a node that is no member has no
/// stages.
static inline void weft_find_direct(const struct weft_reduction* r, struct weft_direct* all,
                                    uint32_t blocks) {
  const struct weft_connections* at = r->at;
  uint32_t step = 1;
  *all = (struct weft_direct){.parts = 1, .blocks = blocks};
  if (at->aggregators != 0) {
    if (weft_member(r) != WEFT_NOBODY) {
      weft_add_direct(all, r->array->members, weft_member(r), 1);
    }
    return;
  }
  for (uint32_t d = 0; d < at->dim_count; ++d) {
    const struct weft_dimension* dim = &at->dims[d];
    if (d == 0 && at->per_router > 1 && dim->size % at->per_router == 0) {
      weft_add_direct(all, at->per_router, dim->coordinate % at->per_router, 1);
      weft_add_direct(all, dim->size / at->per_router, dim->coordinate / at->per_router,
                      at->per_router);
    } else {
      if (dim->size > 1 && (at->linked >> d & 1) != 0 &&
          (all->linked == 0 || all->first + all->linked == all->stages)) {
        all->first = all->linked == 0 ? all->stages : all->first;
        ++all->linked;
      }
      weft_add_direct(all, dim->size, dim->coordinate, step);
    }
    step *= dim->size;
  }
  all->parts = all->linked > 1 ? all->linked : 1;
}

/// The dimension that a part goes through in a stage.
static inline const struct weft_direct_dimension* weft_direct_at(const struct weft_direct* all,
                                                                 uint32_t part, uint32_t stage) {
  const uint32_t turn = stage - all->first;
  return &all->dims[turn < all->linked ? all->first + (turn + part) % all->linked : stage];
}

/// What a part does in stage `number`. Messages have the same length at all members: shorter ones
/// end a stage sooner, longer ones cost RV32 processors fewer instructions.
static inline void weft_begin_direct_step(const struct weft_reduction* r,
                                          const struct weft_direct* all, uint32_t part,
                                          uint32_t number, struct weft_direct_step* step) {
  const struct weft_job* job = r->job;
  const uint32_t most = job->part_flits < job->packet_flits ? job->part_flits : job->packet_flits;
  const int back = number >= all->stages;
  const uint32_t stage = back ? 2 * all->stages - 1 - number : number;
  uint32_t flits = weft_length(r->segment) / all->parts;
  *step = (struct weft_direct_step){.part = part,
                                    .back = back,
                                    .range = weft_cut(r->segment, part, all->parts),
                                    .free = (1U << all->stages) - 1,
                                    .pieces = all->blocks ? r->array->members : 1,
                                    .length = WEFT_LEAST_MESSAGE};
  for (uint32_t s = 0; s <= stage; ++s) {
    step->dim = weft_direct_at(all, part, s);
    step->free &= ~(1U << (step->dim - all->dims));
    flits /= step->dim->size;
    if (all->blocks) {
      step->pieces /= step->dim->size;
    } else if (s != stage) {
      step->range = weft_cut(step->range, step->dim->coordinate, step->dim->size);
    }
  }
  while (step->length * step->length < 4 * flits) {
    step->length *= 2;
  }
  step->length = step->length < most ? step->length : most;
}

/// The next piece of a lane.
static inline struct weft_range weft_direct_piece(const struct weft_reduction* r,
                                                  const struct weft_direct* all,
                                                  const struct weft_direct_lane* lane) {
  const struct weft_direct_step* step = lane->step;
  const struct weft_direct_dimension* line = step->dim;
  if (!all->blocks) {
    return weft_cut(step->range, lane->coordinate, line->size);
  }
  uint32_t left = lane->piece;
  uint32_t member = weft_member(r) + (lane->coordinate - line->coordinate) * line->step;
  for (uint32_t d = 0; left != 0 || step->free >> d != 0; ++d) {
    const struct weft_direct_dimension* dim = &all->dims[d];
    if ((step->free >> d & 1) != 0) {
      member += (left % dim->size - dim->coordinate) * dim->step;
      left /= dim->size;
    }
  }
  const struct weft_range block = weft_block_of(r, member);
  return all->parts == 1 ? block : weft_cut(block, step->part, all->parts);
}

/// Begins the next piece of a lane that is not empty. Returns whether something is left.
static inline int weft_direct_next(const struct weft_reduction* r, const struct weft_direct* all,
                                   struct weft_direct_lane* lane) {
  while (weft_length(lane->left) == 0) {
    if (lane->piece == lane->step->pieces) {
      return 0;
    }
    lane->left = weft_direct_piece(r, all, lane);
    ++lane->piece;
  }
  return 1;
}

/// Number of messages for the pieces of a member.
static inline uint32_t weft_direct_messages(const struct weft_reduction* r,
                                            const struct weft_direct* all,
                                            const struct weft_direct_step* step,
                                            uint32_t coordinate) {
  struct weft_direct_lane lane = {.step = step, .coordinate = coordinate};
  uint32_t count = 0;
  for (; weft_direct_next(r, all, &lane); lane.left.lo = lane.left.hi) {
    count += (weft_length(lane.left) + step->length - 1) / step->length;
  }
  return count;
}

/// Posts what these lanes send, one message of each lane in turn.
static inline void weft_direct_post(struct weft_reduction* r, const struct weft_direct* all,
                                    struct weft_direct_lane* lanes, uint32_t count, uint32_t tag) {
  uint32_t open = count;
  for (uint32_t i = 0; open != 0; i = i + 1 < count ? i + 1 : 0) {
    struct weft_direct_lane* lane = &lanes[i];
    if (lane->to == WEFT_NOBODY) {
      continue;
    }
    if (!weft_direct_next(r, all, lane)) {
      lane->to = WEFT_NOBODY;
      --open;
      continue;
    }
    const uint32_t left = weft_length(lane->left), length = lane->step->length;
    const uint32_t flits = left < length ? left : length;
    const uint32_t place = weft_place(r, lane->left.lo);
    while (weft_free() == 0) {
      weft_wfi();
    }
    weft_order(flits, place - r->mail, tag, 0);
    weft_post(lane->to, place);
    ++r->posted;
    lane->left.lo += flits;
  }
}

/// The other members of a line that are sent to and received from, by their distance up its ring.
enum weft_direct_others { WEFT_ALL_OTHERS, WEFT_OTHERS_BUT_THE_LAST, WEFT_THE_LAST_OTHER };

/// Stage `number`; the stages of an allgather are numbered after those of a reduce-scatter. Every
/// member sends to the others of its line in the dimension of each part, and waits for what these
/// send.
static inline void weft_direct_stage(struct weft_reduction* r, const struct weft_direct* all,
                                     uint32_t number, enum weft_direct_others others) {
  struct weft_direct_lane lanes[WEFT_DIRECT_LANES];
  struct weft_direct_step steps[WEFT_MAX_DIMS];
  uint32_t messages[WEFT_MAX_DIMS];  // Messages of the pieces that this member has.
  const uint32_t tag = (number < all->stages ? WEFT_TAG_BOARD : WEFT_TAG_DATA) + 2 * (number & 1);
  uint32_t count = 0, most = 0;
  for (uint32_t q = 0; q < all->parts; ++q) {
    weft_begin_direct_step(r, all, q, number, &steps[q]);
    const struct weft_direct_dimension* dim = steps[q].dim;
    messages[q] = steps[q].back ? 0 : weft_direct_messages(r, all, &steps[q], dim->coordinate);
    most = dim->size > most ? dim->size : most;
  }
  for (uint32_t away = 1; away < most; ++away) {
    for (uint32_t q = 0; q < all->parts; ++q) {
      const struct weft_direct_step* step = &steps[q];
      const uint32_t own = step->dim->coordinate, size = step->dim->size;
      if (away >= size || (others == WEFT_THE_LAST_OTHER && away + 1 != size) ||
          (others == WEFT_OTHERS_BUT_THE_LAST && away + 1 == size)) {
        continue;
      }
      const uint32_t to = own + away < size ? own + away : own + away - size;
      const uint32_t from = own >= away ? own - away : own + size - away;
      const uint32_t member = weft_member(r) + (to - own) * step->dim->step;
      r->due[tag] += step->back ? weft_direct_messages(r, all, step, from) : messages[q];
      lanes[count++] =
          (struct weft_direct_lane){.step = step,
                                    .to = weft_address_in(weft_job(), weft_member_rank(r, member)),
                                    .coordinate = step->back ? own : to};
      if (count == WEFT_DIRECT_LANES) {
        weft_direct_post(r, all, lanes, count, tag);
        count = 0;
      }
    }
  }
  weft_direct_post(r, all, lanes, count, tag);
  weft_wait_received(tag, r->due[tag]);
}

/// Dimensions in which a stage sends, a bit each.
static inline uint32_t weft_direct_dims(const struct weft_direct* all, uint32_t number) {
  const uint32_t stage = number < all->stages ? number : 2 * all->stages - 1 - number;
  uint32_t dims = 0;
  for (uint32_t q = 0; q < all->parts; ++q) {
    dims |= 1U << (weft_direct_at(all, q, stage) - all->dims);
  }
  return dims;
}

/// Whether a barrier precedes stage `number` of those from `begin` on.
static inline int weft_direct_waits(const struct weft_reduction* r, const struct weft_direct* all,
                                    uint32_t begin, uint32_t number) {
  if (number < begin + 2) {
    return 0;
  }
  const int empty = weft_length(r->segment) < r->array->members * all->parts;
  return empty || (weft_direct_dims(all, number) & ~weft_direct_dims(all, number - 1)) != 0;
}

/// Barrier before stage `number`. Its messages have tags of which no stage has had any in which a
/// node may still be: those of the allgather in the reduce-scatter, and the reverse.
static inline void weft_direct_barrier(struct weft_reduction* r, const struct weft_direct* all,
                                       uint32_t number) {
  if (number <= all->stages) {
    weft_node_barrier(r, WEFT_TAG_DATA, WEFT_TAG_READY);
  } else {
    weft_node_barrier(r, WEFT_TAG_BOARD, WEFT_TAG_PARTIAL);
  }
}

/// From here on, the reductions of all data that arrive divide. Called at all nodes.
static inline void weft_begin_dividing(struct weft_reduction* r, const struct weft_direct* all) {
  weft_direct_barrier(r, all, 0);
  weft_set_operation(r, 1);
  weft_direct_barrier(r, all, 0);
}

/// A reduce-scatter, an allgather, or one after the other; for all nodes. `blocks`: every member
/// has its block of the contract in between, otherwise some part of the array.
static inline void weft_run_direct(struct weft_reduction* r, uint32_t blocks, int scatters,
                                   int gathers) {
  struct weft_direct all;
  weft_find_direct(r, &all, blocks);
  const int mean = scatters && r->array->op == WEFT_OP_MEAN;
  const uint32_t begin = scatters ? 0 : all.stages, end = gathers ? 2 * all.stages : all.stages;
  if (scatters) {
    weft_set_operation_before_barrier(r, r->array->members == 1);
    weft_direct_barrier(r, &all, 0);
  }
  // Where the allgather has barriers by messages, no node may be in the reduce-scatter any more.
  int between = 0;
  for (uint32_t number = all.stages + 1; scatters && weft_software(r) && number < end; ++number) {
    between |= weft_direct_waits(r, &all, begin, number);
  }
  for (uint32_t number = begin; number < end; ++number) {
    // The last of the others completes a mean.
    const int last = mean && number + 1 == all.stages;
    if (weft_direct_waits(r, &all, begin, number) || (between && number == all.stages)) {
      weft_direct_barrier(r, &all, number);
    }
    weft_direct_stage(r, &all, number, last ? WEFT_OTHERS_BUT_THE_LAST : WEFT_ALL_OTHERS);
    if (last) {
      weft_begin_dividing(r, &all);
      weft_direct_stage(r, &all, number, WEFT_THE_LAST_OTHER);
    }
  }
  if (mean && all.stages == 0) {
    weft_begin_dividing(r, &all);
  }
}

#endif

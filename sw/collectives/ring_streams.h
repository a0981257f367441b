// Rings of all dimensions of a torus at once, in both directions: the array is cut into a piece for
// each direction of every dimension. Piece 2 q starts in dimension q of those with several nodes,
// goes up round its ring and then round those of the following dimensions; piece 2 q + 1 does so
// downwards. Every link out of a node is a stream, which carries another piece in each phase, so
// that all links are busy all the time (bucket algorithm).
#ifndef WEFT_RING_STREAMS_H
#define WEFT_RING_STREAMS_H

#include "sw/collectives/ring_steps.h"
#include "sw/collectives/stream_steps.h"

/// The dimensions that have several nodes, and the ranges of the pieces that each stream carries in
/// its phases.
struct weft_rings {
  uint32_t count;
  const struct weft_dimension* dim[WEFT_ROUND_TRANSFERS / 2];
  struct weft_range ranges[WEFT_ROUND_TRANSFERS][WEFT_ROUND_TRANSFERS / 2];
};

/// The range, at this node, of the piece that stream `s` carries in `phase`.
static inline struct weft_range weft_phase_range(const struct weft_reduction* r,
                                                 const struct weft_rings* all, uint32_t s,
                                                 uint32_t phase) {
  const uint32_t first = (s / 2 + all->count - phase) % all->count;
  struct weft_range range = weft_cut(r->segment, 2 * first + s % 2, 2 * all->count);
  for (uint32_t i = 0; i < phase; ++i) {
    const struct weft_dimension* dim = all->dim[(first + i) % all->count];
    // The cut whose reduction ends here is the one after this node's number.
    range = weft_cut(range, weft_ring_next(dim, dim->coordinate, s % 2 == 0), dim->size);
  }
  return range;
}

/// Computes the ranges.
static inline void weft_set_ranges(const struct weft_reduction* r, struct weft_rings* all) {
  for (uint32_t s = 0; s < 2 * all->count; ++s) {
    for (uint32_t phase = 0; phase < all->count; ++phase) {
      all->ranges[s][phase] = weft_phase_range(r, all, s, phase);
    }
  }
}

/// Step `i` of stream `s`, which goes along dimension s / 2, up if s is even: first all phases that
/// reduce, then those that copy, in the reverse order.
static inline struct weft_stream_step weft_ring_step(const struct weft_reduction* r,
                                                     const void* plan, uint32_t s, uint32_t i) {
  const struct weft_rings* all = (const struct weft_rings*)plan;
  const struct weft_dimension* dim = all->dim[s / 2];
  const uint32_t size = dim->size, hops = size - 1, half = all->count * hops;
  const int up = s % 2 == 0, copies = i >= half;
  const uint32_t turn = (copies ? i - half : i) / hops, k = i % hops;
  const uint32_t phase = copies ? all->count - 1 - turn : turn;
  const struct weft_range range = all->ranges[s][phase];
  const uint32_t begins = copies ? weft_ring_next(dim, dim->coordinate, up) : dim->coordinate;
  const uint32_t sent = (begins + (up ? size - k : k)) % size;
  const uint32_t next = weft_ring_next(dim, dim->coordinate, up);
  const int other_way = size == 2 && up != (dim->coordinate % 2 == 0);
  struct weft_stream_step step = {
      .to = r->job->rank + (next - dim->coordinate) * dim->rank_step,
      .tag = (copies ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL) | (other_way ? WEFT_TAG_OTHER_WAY : 0),
      .send = weft_cut(range, sent, size),
      .take = weft_cut(range, weft_ring_next(dim, sent, !up), size),
      // The first phase that copies begins with what the last one that reduces has left.
      .follows = k != 0 || i == half};
  if (k == 0 && turn != 0) {
    // Until now the piece was in the dimension before, or on its way back in the one after.
    const uint32_t before = (s / 2 + (copies ? 1 : all->count - 1)) % all->count;
    const uint32_t hops_before = all->dim[before]->size - 1;
    step.after = 2 * before + s % 2;
    step.after_steps = (turn + (copies ? all->count : 0)) * hops_before;
  }
  return step;
}

/// Step of the only stream of a ring of all members, in the order of their numbers.
static inline struct weft_stream_step weft_one_ring_step(const struct weft_reduction* r,
                                                         const void* plan, uint32_t s, uint32_t i) {
  (void)plan;
  (void)s;
  const uint32_t members = r->array->members, me = weft_member(r), hops = members - 1;
  const int copies = i >= hops;
  const uint32_t sent = me + (copies ? 1 : 0) + members - i % hops;
  return (struct weft_stream_step){.to = weft_member_rank(r, (me + 1) % members),
                                   .tag = copies ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL,
                                   .send = weft_cut(r->segment, sent % members, members),
                                   .take = weft_cut(r->segment, (sent - 1) % members, members),
                                   .follows = i != 0};
}

/// The rings of a torus whose links out of a node each have a send controller; none elsewhere.
static inline void weft_find_rings(const struct weft_reduction* r, struct weft_rings* all) {
  const uint32_t dims = r->at->dim_count;
  all->count = 0;
  if (r->job->wraps + 1 != 1U << dims || r->job->controllers != 2 * dims) {
    return;
  }
  for (uint32_t i = 0; i < dims; ++i) {
    if (r->at->dims[i].size > 1) {
      all->dim[all->count++] = &r->at->dims[i];
    }
  }
  weft_set_ranges(r, all);
}

/// The whole allreduce; round by round where messages may overtake each other.
static inline void weft_rings_allreduce(struct weft_reduction* r) {
  if (weft_member(r) == WEFT_NOBODY) {
    return;
  }
  if (!r->array->in_order || r->at->aggregators != 0) {
    weft_ring_allreduce(r);
    return;
  }
  struct weft_rings rings;
  weft_find_rings(r, &rings);
  struct weft_streams all = {.count = 1, .plan = &rings};
  if (rings.count != 0) {
    all.count = 2 * rings.count;
    all.phases = rings.count;
    all.step = weft_ring_step;
    for (uint32_t s = 0; s < all.count; ++s) {
      all.reduced[s] = rings.count * (rings.dim[s / 2]->size - 1);
      all.steps[s] = 2 * all.reduced[s];
      all.links[s] = s;  // Dimensions of one node have no links.
    }
  } else {
    all.step = weft_one_ring_step;
    all.phases = 1;
    all.reduced[0] = r->array->members - 1;
    all.steps[0] = 2 * all.reduced[0];
    all.links[0] = WEFT_NOBODY;
  }
  weft_all_streams(r, &all);
}

#endif

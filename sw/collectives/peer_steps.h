// Steps in which every member exchanges pieces with peers at growing distances round a ring: one
// peer per step at the distances 1, 1, 3, 5, 11, ..., alternately up and down (base 2: Swing,
// Bine), or one on either side at 1, 3, 9, ... (base 3: Trivance). On a torus there are the rings
// of each dimension, with a piece for each direction of each, as far as the network is used that
// way; otherwise one ring of all members. Sizes that are no power of the base: groups of neighbours
// first give their arrays to one of them, and get the result from it in the end.
#ifndef WEFT_PEER_STEPS_H
#define WEFT_PEER_STEPS_H

#include "sw/include/weft_reduction.h"

#define WEFT_MOST_PEER_STEPS 16
// Mailboxes of groups, up to three members for each ring; the mailboxes of rounds come after them.
#define WEFT_GROUP_SLOTS (2 * WEFT_ROUND_TRANSFERS)
#define WEFT_PEER_ROUNDS (WEFT_ROUND_SLOTS / WEFT_ROUND_TRANSFERS - 2)

/// A ring that this member is on.
struct weft_peer_ring {
  uint32_t size, position;
  uint32_t rank_step;  ///< Difference in rank from one position to the next.
  uint32_t groups;     ///< Groups: a power of the base. One member of each exchanges.
  uint32_t steps;      ///< Exponent of that power.
  uint32_t me;         ///< This member's number among those that exchange; WEFT_NOBODY: it does not
                       ///< exchange.
};

struct weft_peers {
  uint32_t base;
  uint32_t count;    ///< Number of rings.
  uint32_t members;  ///< 1: one ring of all members, in the order of their numbers.
  uint32_t steps;    ///< Steps of all rings together.
  uint32_t rounds;   ///< Rounds so far.
  struct weft_peer_ring rings[WEFT_ROUND_TRANSFERS / 2];
};

/// Position of the member that exchanges for group `i`: in the middle of the group.
static inline uint32_t weft_group_head(const struct weft_peer_ring* ring, uint32_t i) {
  const struct weft_range group = weft_cut((struct weft_range){0, ring->size}, i, ring->groups);
  return group.lo + (weft_length(group) - 1) / 2;
}

static inline void weft_add_ring(struct weft_peers* all, uint32_t size, uint32_t position,
                                 uint32_t rank_step) {
  struct weft_peer_ring* ring = &all->rings[all->count++];
  *ring = (struct weft_peer_ring){
      .size = size, .position = position, .rank_step = rank_step, .groups = 1, .me = WEFT_NOBODY};
  while (ring->groups * all->base <= size) {
    ring->groups *= all->base;
    ++ring->steps;
  }
  for (uint32_t i = 0; i < ring->groups; ++i) {
    if (weft_group_head(ring, i) == position) {
      ring->me = i;
    }
  }
  all->steps += ring->steps;
}

/// Finds the rings; with `members`, a single ring of all members even on a torus.
static inline void weft_find_peers(const struct weft_reduction* r, struct weft_peers* all,
                                   uint32_t base, int members) {
  const uint32_t dims = r->at->dim_count;
  *all = (struct weft_peers){.base = base};
  if (members || r->at->aggregators != 0 || r->job->wraps + 1 != 1U << dims ||
      2 * dims > WEFT_ROUND_TRANSFERS) {
    all->members = 1;
    weft_add_ring(all, r->array->members, weft_member(r), 0);
    return;
  }
  for (uint32_t i = 0; i < dims; ++i) {
    const struct weft_dimension* dim = &r->at->dims[i];
    if (dim->size > 1) {
      weft_add_ring(all, dim->size, dim->coordinate, dim->rank_step);
    }
  }
}

static inline uint32_t weft_peer_rank(const struct weft_reduction* r, const struct weft_peers* all,
                                      const struct weft_peer_ring* ring, uint32_t position) {
  return all->members ? weft_member_rank(r, position)
                      : r->job->rank + (position - ring->position) * ring->rank_step;
}

/// Peer of group `me` in a step of the ring, up or down; with base 2 the peer is the same for both.
static inline uint32_t weft_peer(const struct weft_peers* all, const struct weft_peer_ring* ring,
                                 uint32_t me, uint32_t step, int up) {
  uint32_t distance = 1, power = 1;
  for (uint32_t i = 0; i < step; ++i) {
    power *= all->base;
    distance = all->base == 2 ? 1 - 2 * distance : power;  // 1, -1, 3, -5, ...: modulo 2^32.
  }
  const int adds = all->base == 2 ? (up != 0) == (me % 2 == 0) : up;
  // A power of 3 may not divide 2^32, so that no sum may wrap.
  const uint32_t ahead = all->base == 2 ? distance & (ring->groups - 1) : distance;
  return (me + (adds ? ahead : ring->groups - ahead)) % ring->groups;
}

/// Which of the cuts group `me` keeps in a step of the ring: peers up to that step have kept the
/// same ones before. With base 2 even groups are as far apart as the later steps lead, and odd ones
/// go with the even one that they meet last.
static inline uint32_t weft_peer_cut(const struct weft_peers* all,
                                     const struct weft_peer_ring* ring, uint32_t me, uint32_t step,
                                     int up) {
  uint32_t number = me;
  if (all->base == 2) {
    const uint32_t odd = me % 2;
    const uint32_t even = odd ? weft_peer(all, ring, me, ring->steps - 1, up) : me;
    number = (up ? even : ring->groups - even) / 2 % (ring->groups / 2) + odd * (ring->groups / 2);
  }
  for (uint32_t i = 0; i < step; ++i) {
    number /= all->base;
  }
  return number % all->base;
}

/// The ring of step `s` of a piece that begins in ring `q`, and which step of that ring it is: the
/// rings take turns.
static inline const struct weft_peer_ring* weft_peer_step(const struct weft_peers* all, uint32_t q,
                                                          uint32_t s, uint32_t* step) {
  for (*step = 0;; ++*step) {
    for (uint32_t i = 0; i < all->count; ++i) {
      const struct weft_peer_ring* ring = &all->rings[(q + i) % all->count];
      if (*step < ring->steps && s-- == 0) {
        return ring;
      }
    }
  }
}

/// The members of each group give their arrays to its head, or with `back` get the result. Returns
/// whether this member exchanges with others.
static inline int weft_run_groups(struct weft_reduction* r, const struct weft_peers* all,
                                  int back) {
  uint32_t rings = 0;  // Rings before the first one in which this member is not the head of its
                       // group.
  while (rings < all->count && all->rings[rings].me != WEFT_NOBODY) {
    ++rings;
  }
  const uint32_t count = rings < all->count ? rings + 1 : rings;
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t i = back ? count - 1 - n : n;
    const struct weft_peer_ring* ring = &all->rings[i];
    uint32_t group = 0;
    struct weft_range at = weft_cut((struct weft_range){0, ring->size}, 0, ring->groups);
    while (at.hi <= ring->position) {
      at = weft_cut((struct weft_range){0, ring->size}, ++group, ring->groups);
    }
    const uint32_t head = weft_group_head(ring, group);
    const int is_head = ring->position == head;
    // If there are groups only, the last array that arrives completes a mean.
    if (!back && is_head && all->steps == 0 && i + 1 == all->count) {
      weft_set_operation(r, 1);
    }
    for (uint32_t other = at.lo; other < at.hi; ++other) {
      if (other == head || (!is_head && other != ring->position)) {
        continue;
      }
      const uint32_t rank = weft_peer_rank(r, all, ring, is_head ? other : head);
      const int sends = is_head == (back != 0);
      weft_one_transfer(r, sends ? rank : WEFT_NOBODY, sends ? WEFT_NOBODY : rank,
                        4 * i + other - at.lo, back ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL, r->segment,
                        r->segment, r->job->controllers, 0);
    }
  }
  return rings == all->count;
}

static inline void weft_begin_peers(struct weft_peers* all, struct weft_round* round, uint32_t tag,
                                    uint32_t count) {
  round->count = count;
  round->tag = round->sent = tag;
  round->slot = WEFT_GROUP_SLOTS + all->rounds % WEFT_PEER_ROUNDS * WEFT_ROUND_TRANSFERS;
  round->value = 1 + all->rounds / WEFT_PEER_ROUNDS;
  ++all->rounds;
}

/// Transfer `i` of a round: to the peer up or down in a step of a ring, and from the peer there.
static inline struct weft_transfer weft_peer_transfer(const struct weft_reduction* r,
                                                      const struct weft_peers* all,
                                                      const struct weft_round* round, uint32_t i,
                                                      const struct weft_peer_ring* ring,
                                                      uint32_t to, uint32_t from) {
  const uint32_t lanes = r->job->controllers / round->count;
  return (struct weft_transfer){.to = weft_peer_rank(r, all, ring, weft_group_head(ring, to)),
                                .from = weft_peer_rank(r, all, ring, weft_group_head(ring, from)),
                                .spread = lanes != 0 ? lanes : 1,
                                .ways = i % 2 != 0 ? WEFT_WAY_OTHER : WEFT_WAY_USUAL,
                                .slot = round->slot + i};
}

/// The steps of all pieces in one direction: each piece is cut into `base` cuts in every step, of
/// which a member keeps one and sends the others to the peers that keep them; with `back` the peers
/// get each other's cuts. `ranges`: range of every piece before each step.
static inline void weft_cut_peers(struct weft_reduction* r, struct weft_peers* all,
                                  struct weft_range (*ranges)[WEFT_MOST_PEER_STEPS + 1], int back) {
  for (uint32_t n = 0; n < all->steps; ++n) {
    const uint32_t s = back ? all->steps - 1 - n : n;
    for (uint32_t j = 0; j + 1 < all->base; ++j) {
      struct weft_round round;
      weft_begin_peers(all, &round, back ? WEFT_TAG_DATA : WEFT_TAG_PARTIAL, 2 * all->count);
      for (uint32_t i = 0; i < round.count; ++i) {
        uint32_t step;
        const struct weft_peer_ring* ring = weft_peer_step(all, i / 2, s, &step);
        const int ahead = i % 2 == 0, up = all->base == 2 ? ahead : ahead != (int)j;
        const uint32_t to = weft_peer(all, ring, ring->me, step, up);
        const uint32_t from = all->base == 2 ? to : weft_peer(all, ring, ring->me, step, !up);
        const uint32_t kept = weft_peer_cut(all, ring, ring->me, step, ahead);
        const uint32_t other = weft_peer_cut(all, ring, back ? from : to, step, ahead);
        const struct weft_range cut = weft_cut(ranges[i][s], other, all->base);
        ranges[i][s + 1] = weft_cut(ranges[i][s], kept, all->base);
        round.transfers[i] = weft_peer_transfer(r, all, &round, i, ring, to, from);
        round.transfers[i].send = back ? ranges[i][s + 1] : cut;
        round.transfers[i].take = back ? cut : ranges[i][s + 1];
      }
      if (!back && s + 1 == all->steps && j + 2 == all->base) {
        weft_set_operation(r, 1);
      }
      weft_run_round(r, &round);
    }
  }
}

/// Allreduce with the least data: pieces are cut in each step, and put together in the reverse
/// order.
static inline void weft_by_cuts(struct weft_reduction* r, uint32_t base, int members) {
  struct weft_range ranges[WEFT_ROUND_TRANSFERS][WEFT_MOST_PEER_STEPS + 1];
  struct weft_peers all;
  if (weft_member(r) == WEFT_NOBODY) {
    return;
  }
  weft_find_peers(r, &all, base, members);
  weft_set_operation(r, r->array->members == 1);
  if (weft_run_groups(r, &all, 0)) {
    for (uint32_t i = 0; i < 2 * all.count; ++i) {
      ranges[i][0] = weft_cut(r->segment, i, 2 * all.count);
    }
    weft_cut_peers(r, &all, ranges, 0);
    weft_cut_peers(r, &all, ranges, 1);
  }
  weft_run_groups(r, &all, 1);
}

/// Allreduce in the fewest steps: peers exchange whole pieces, which are received into arrays after
/// this member's array, and then reduced into it by messages to itself.
static inline void weft_by_wholes(struct weft_reduction* r, uint32_t base) {
  const uint32_t flits = weft_length(r->segment), lanes = r->job->controllers;
  struct weft_peers all;
  if (weft_member(r) == WEFT_NOBODY) {
    return;
  }
  weft_find_peers(r, &all, base, 0);
  weft_set_operation(r, r->array->members == 1);
  const uint32_t steps = weft_run_groups(r, &all, 0) ? all.steps : 0;
  for (uint32_t s = 0; s < steps; ++s) {
    struct weft_round round;
    weft_begin_peers(&all, &round, WEFT_TAG_DATA, 2 * all.count);
    for (uint32_t i = 0; i < round.count; ++i) {
      uint32_t step;
      const struct weft_peer_ring* ring = weft_peer_step(&all, i / 2, s, &step);
      const int up = i % 2 == 0;
      const uint32_t to = weft_peer(&all, ring, ring->me, step, up);
      const uint32_t from = base == 2 ? to : weft_peer(&all, ring, ring->me, step, !up);
      round.transfers[i] = weft_peer_transfer(r, &all, &round, i, ring, to, from);
      // With two peers, each gets the whole piece of a ring; a single peer gets a piece for each
      // way.
      round.transfers[i].send = round.transfers[i].take =
          base == 2 ? weft_cut(r->segment, i, round.count) : weft_cut(r->segment, i / 2, all.count);
      round.transfers[i].shift = flits * (base == 2 ? 1 : 1 + i % 2);
    }
    weft_run_round(r, &round);
    weft_wait_sent(r->posted);
    for (uint32_t j = 1; j < base; ++j) {
      if (s + 1 == steps && j + 1 == base) {
        weft_set_operation(r, 1);
      }
      const struct weft_range got = {r->segment.lo + j * flits, r->segment.hi + j * flits};
      struct weft_outgoing own = weft_outgoing(r, r->job->rank, got, WEFT_TAG_PARTIAL, lanes);
      own.shift = 0 - j * flits;
      r->due[WEFT_TAG_PARTIAL] += weft_pieces(r->job, flits, lanes).count;
      weft_post_all(r, &own, 1);
      weft_wait_received(WEFT_TAG_PARTIAL, r->due[WEFT_TAG_PARTIAL]);
    }
  }
  weft_run_groups(r, &all, 1);
}

#endif

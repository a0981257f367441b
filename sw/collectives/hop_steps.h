// Shared by the drivers of seed 000: distances in hops, messages of one packet each, steps that end
// with a barrier.
#ifndef WEFT_HOP_STEPS_H
#define WEFT_HOP_STEPS_H

#include "sw/include/weft_all_to_all.h"

/// Most hops along dimension i: on a ring the shorter direction is taken.
static inline uint32_t hop_reach(const struct weft_job* job, uint32_t i) {
  return job->wraps >> i & 1 ? job->dims[i] / 2 : job->dims[i] - 1;
}

/// Nodes whose packets share a link if all send over `hops` hops along dimension i: on a ring
/// `hops` nodes, on a line at most the number of pairs at that distance.
static inline uint32_t hop_sharers(const struct weft_job* job, uint32_t i, uint32_t hops) {
  const uint32_t partners = job->dims[i] - hops;
  return job->wraps >> i & 1 || hops < partners ? hops : partners;
}

/// Gap of messages over `hops` hops ([0043]) whose busiest link has `sharers` sharers.
static inline uint32_t hop_gap(const struct weft_job* job, uint32_t hops, uint32_t sharers) {
  return job->gap == WEFT_GAP_HOPS      ? hops - 1
         : job->gap == WEFT_GAP_SHARERS ? sharers - 1
                                        : job->gap;
}

/// Refuses the jobs that neither driver accepts. `hops`: hops of the longest route, `sharers`: most
/// nodes whose packets share a link.
static inline struct weft_refusal hop_refuse(const struct weft_job* job, uint32_t hops,
                                             uint32_t sharers) {
  if (job->sync == WEFT_SYNC_LOCAL) {
    return (struct weft_refusal){
        "sync", "none or barrier: the barriers between the steps belong to the collective"};
  }
  const uint32_t turns = job->gap == WEFT_GAP_HOPS      ? hops
                         : job->gap == WEFT_GAP_SHARERS ? sharers
                                                        : 0;
  if (turns > WEFT_MAX_GAP + 1) {
    return (struct weft_refusal){"gap", "\"hops-1\" or \"sharers-1\" up to 255, or a number"};
  }
  return (struct weft_refusal){NULL, NULL};
}

/// How a piece of data is cut into messages of one packet: packets of a longer message could
/// overtake each other where a link has several VCs. All but the last are equally long.
struct hop_cut {
  uint32_t parts;
  uint32_t flits;  ///< Length of a part.
  uint32_t last;   ///< Length of the last part.
};

static inline struct hop_cut hop_cut(const struct weft_job* job, uint32_t flits) {
  const uint32_t parts = flits == 0 ? 1 : (flits + job->packet_flits - 1) / job->packet_flits;
  const uint32_t part = (flits + parts - 1) / parts;
  return (struct hop_cut){parts, part, flits - (parts - 1) * part};
}

/// The state before the first message, with the block for this node itself posted: the interface
/// copies it, by all controllers alike. A copy by the processor would, with long blocks, end after
/// all other messages.
static inline struct weft_all_to_all hop_start(const struct weft_job* job) {
  struct weft_all_to_all all = weft_start(job, 1, WEFT_NO_TURNS);
  uint32_t left = all.own.flits, at = job->rank * all.block;
  all.own.flits = 0;
  if (left == 0) {
    return all;
  }
  const uint32_t turns = hop_cut(job, (left + job->controllers - 1) / job->controllers).parts;
  const uint32_t part = (left + job->controllers * turns - 1) / (job->controllers * turns);
  const uint32_t own = weft_address_in(weft_job(), job->rank);
  for (; left != 0; ++all.posted) {
    const uint32_t flits = left < part ? left : part;
    weft_order(flits, at, 0, 0);
    weft_post_when_free(own, job->send_base + at);
    at += flits * WEFT_FLIT_BYTES;
    left -= flits;
  }
  return all;
}

/// Ends a step: waits for its messages, then for all nodes at a barrier. In each step a node
/// receives as many messages as it sends: for every offset that it sends to, one from the opposite
/// offset. With `stored` it waits until they are in memory, as needed if the next step forwards
/// them.
static inline void hop_end_step(struct weft_all_to_all* all, const struct weft_job* job,
                                int stored) {
  while (!weft_reached(stored ? weft_received(0) : weft_arrived(0), all->posted)) {
    weft_wfi();
  }
  weft_barrier(all, job);
}

#endif

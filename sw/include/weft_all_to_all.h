// Shared by the all-to-all drivers: local synchronisation, the barrier between phases, begin and
// end.
//
// In these drivers every node sends its m-th message to the same relative offset, so that each node
// receives as many messages as it sends, in each phase and in the whole run.
#ifndef WEFT_ALL_TO_ALL_H
#define WEFT_ALL_TO_ALL_H

#include "weft_dissemination.h"

// Where packets of one message could overtake each other, blocks are sent in parts, each a message
// of its own (job->part_flits): the first of every block, then the second, and so on.

/// The part of every block that is being sent. If each block is one message there are no parts, and
/// functions with an argument `part` accept a null pointer.
struct weft_part {
  uint32_t flits;   ///< Length of the part.
  uint32_t offset;  ///< Byte offset in the receivers' windows.
  uint32_t before;  ///< Messages with data before the part.
};

static inline struct weft_part weft_first_part(const struct weft_job* job) {
  return (struct weft_part){job->part_flits, job->rank * job->message_flits * WEFT_FLIT_BYTES, 0};
}

/// Defines weft_main, which calls `drive`, an inline function with an argument `part`, from two
/// places, with parts and without. In a loop that can restart with another part so many more values
/// stay live that a message takes up to 1.4 times as long.
#define WEFT_MAIN_IN_PARTS(drive)                                                    \
  static __attribute__((noinline)) int drive##_whole(void) {                         \
    return drive(NULL);                                                              \
  }                                                                                  \
  static __attribute__((noinline, flatten)) int drive##_parts(void) {                \
    struct weft_part part = weft_first_part(weft_job());                             \
    return drive(&part);                                                             \
  }                                                                                  \
  int weft_main(void) {                                                              \
    const struct weft_job* const job = weft_job();                                   \
    return job->part_flits < job->message_flits ? drive##_parts() : drive##_whole(); \
  }

/// Progress of one node. The loops keep it in registers: they pass it by value or are inlined.
struct weft_all_to_all {
  uint32_t posted;                  ///< Messages with data so far.
  uint32_t lanes;                   ///< Messages use this many tags in turn, from 0 up.
  uint32_t lane;                    ///< Tag of the next message.
  int32_t needed;                   ///< Messages that must have arrived under the next message's
                                    ///< tag before.
  uint32_t gap;                     ///< Inter-packet gap, packet times.
  uint32_t send_base;               ///< Byte address of the present part of the block for rank 0.
  uint32_t block;                   ///< Bytes of a block.
  uint32_t barriers;                ///< Barriers so far.
  uint32_t headers;                 ///< Messages of the barriers so far.
  struct weft_background_copy own;  ///< The block that stays here.
};

/// Writes the registers whose values all messages with data share.
static inline void weft_data_order(const struct weft_job* job, const struct weft_part* part) {
  if (part != NULL) {
    weft_order(part->flits, part->offset, 0, job->gap);
  } else {
    weft_order(job->message_flits, job->rank * job->message_flits * WEFT_FLIT_BYTES, 0, job->gap);
  }
}

/// The state before the first message. `lanes` and `needed` as in weft_all_to_all; 1 and
/// WEFT_NO_TURNS if messages wait only for a free descriptor.
#define WEFT_NO_TURNS (-0x40000000)  // No counter is below that.
static inline struct weft_all_to_all weft_start(const struct weft_job* job, uint32_t lanes,
                                                int32_t needed) {
  const uint32_t block = job->message_flits * WEFT_FLIT_BYTES;
  return (struct weft_all_to_all){.lanes = lanes,
                                  .needed = needed,
                                  .gap = job->gap,
                                  .send_base = job->send_base,
                                  .block = block,
                                  .own = {job->recv_base + job->rank * block,
                                          job->send_base + job->rank * block, job->message_flits}};
}

/// Refusal of collectives that hold a receiver as address | rank << 16: a wider address would
/// overlap the rank.
static inline struct weft_refusal weft_refuse_wide(const struct weft_job* job) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < job->dim_count; ++i) {
    bits += job->dim_bits[i];
  }
  if (bits > 16) {
    return (struct weft_refusal){"dims", "sizes whose digits together take up to 16 bits"};
  }
  return (struct weft_refusal){NULL, NULL};
}

/// Begins: opens the window, sets the order.
static inline struct weft_all_to_all weft_begin(const struct weft_job* job,
                                                const struct weft_part* part) {
  // Local synchronisation (seed 004 4.1) with as many messages in flight as there are controllers,
  // C: message m waits until message m - C in the other nodes' order has arrived. Tags tell
  // messages apart, so that one that overtakes is not counted as one that is late.
  const uint32_t controllers = job->controllers != 0 ? job->controllers : 1;
  uint32_t all_lanes = controllers < 4 ? controllers : 4;
  while (controllers % all_lanes != 0) {
    --all_lanes;
  }
  const int local = job->sync == WEFT_SYNC_LOCAL;
  const uint32_t lanes = local ? all_lanes : 1;
  const int32_t needed = local ? 1 - (int32_t)(controllers / all_lanes) : WEFT_NO_TURNS;
  weft_window(job->recv_base, job->recv_bytes);
  weft_data_order(job, part);
  return weft_start(job, lanes, needed);
}

/// Posts the message whose block begins at byte `local_address`. Before that, sleeps until a
/// descriptor is free and, with local synchronisation, the earlier messages have arrived.
static inline void weft_post_block(struct weft_all_to_all* all, uint32_t to_address,
                                   uint32_t local_address) {
  while (weft_free() == 0 || (int32_t)weft_arrived(all->lane) < all->needed) {
    weft_copy_or_sleep(&all->own);
  }
  ++all->posted;
  if (all->lanes > 1) {
    weft_reg_write(WEFT_REG_TAG_GAP, all->lane | all->gap << 8);
  }
  if (++all->lane == all->lanes) {
    all->lane = 0;
    ++all->needed;
  }
  weft_post(to_address, local_address);
}

/// Barrier by messages without a body, by dissemination (weft_dissemination.h) in up to three
/// rounds, with the tags 1, 2 and 3.
static inline void weft_software_barrier(struct weft_all_to_all* all, const struct weft_job* job) {
  uint32_t radix = 2;
  while (radix * radix * radix < job->nodes) {
    ++radix;
  }
  uint32_t tag = WEFT_OF_BARRIER | 1;
  for (uint32_t span = 1; span < job->nodes; span *= radix, ++tag) {
    weft_write_order(0, 0, tag, 0);
    const uint32_t told = weft_tell_round(job, span, radix, &all->own);
    all->headers += told;
    while (!weft_reached(weft_arrived(tag), all->barriers * told)) {
      weft_copy_or_sleep(&all->own);
    }
  }
}

/// Barrier of all nodes, of the kind that the job asks for. Leaves any order in the registers.
static inline void weft_barrier(struct weft_all_to_all* all, const struct weft_job* job) {
  ++all->barriers;
  if (job->barrier != WEFT_BARRIER_HARDWARE) {
    weft_software_barrier(all, job);
    return;
  }
  weft_barrier_enter();
  // Without a background copy, so that all nodes continue in the same cycle.
  while (!weft_barrier_done(all->barriers)) {
    weft_wfi();
  }
}

/// Barrier after a phase; waits for the phase's messages first.
static inline void weft_phase_barrier(struct weft_all_to_all* all, const struct weft_job* job,
                                      const struct weft_part* part) {
  while (!weft_reached(weft_arrived(0), all->posted)) {
    weft_copy_or_sleep(&all->own);
  }
  weft_barrier(all, job);
  weft_data_order(job, part);
}

/// Whether a message of the present part has been posted. Before the first one no phase ends:
/// weft_next_part has ended the part before, if there is one.
static inline int weft_part_begun(const struct weft_all_to_all* all, const struct weft_part* part) {
  return all->posted != (part != NULL ? part->before : 0);
}

/// After a part has been sent to all others: advances to the next part of every block, to be sent
/// in the same order. Returns whether there is one. Each message counts for local synchronisation,
/// and directions stay loaded alike. With barriers, a phase ends here too.
static inline int weft_next_part(struct weft_all_to_all* all, const struct weft_job* job,
                                 struct weft_part* part) {
  if (part == NULL) {
    return 0;
  }
  const uint32_t bytes = part->flits * WEFT_FLIT_BYTES;
  const uint32_t left = (job->send_base + all->block - all->send_base - bytes) / WEFT_FLIT_BYTES;
  if (left == 0) {
    return 0;
  }
  all->send_base += bytes;
  part->offset += bytes;
  part->flits = left < part->flits ? left : part->flits;
  part->before = all->posted;
  if (job->sync == WEFT_SYNC_BARRIER) {
    weft_phase_barrier(all, job, part);
  } else {
    weft_data_order(job, part);
  }
  return 1;
}

/// Messages with data that were stored.
static inline uint32_t weft_stored(const struct weft_all_to_all* all) {
  uint32_t stored = 0;
  for (uint32_t lane = 0; lane < all->lanes; ++lane) {
    stored += weft_received(lane);
  }
  return stored;
}

/// Ends: sleeps until all is sent, received and copied.
static inline int weft_end(struct weft_all_to_all* all) {
  while (all->own.flits != 0 || !weft_reached(weft_stored(all), all->posted) ||
         !weft_reached(weft_sent(), all->posted + all->headers)) {
    weft_copy_or_sleep(&all->own);
  }
  return WEFT_OK;
}

#endif

// Barrier by messages without a body, by dissemination: shared by the all-to-all drivers and those
// of collectives on arrays.
//
// In round r a node tells those that follow it at distances n * radix^r, n = 1 to radix - 1, and
// waits for as many messages. Messages of one round may share a receive counter, messages of
// different rounds may not: each round has a tag of its own, and the radix is the least of which as
// many factors reach the number of nodes. A message that is counted early does no harm if it is one
// of the next barrier, or one with data that is sent after this barrier: its sender has left this
// barrier, so all nodes have entered it.
#ifndef WEFT_DISSEMINATION_H
#define WEFT_DISSEMINATION_H

#include "weft_collective.h"

/// Posts the messages of the round with distance `span`, with the order that is in the registers;
/// while the descriptor queue is full, `own` advances. Returns their number, which is also the
/// number of messages to wait for.
static inline uint32_t weft_tell_round(const struct weft_job* job, uint32_t span, uint32_t radix,
                                       struct weft_background_copy* own) {
  uint32_t told = 0;
  for (uint32_t ahead = span; told < radix - 1 && ahead < job->nodes; ahead += span, ++told) {
    const uint32_t to = job->rank + ahead;
    const uint32_t address = weft_address_in(weft_job(), to < job->nodes ? to : to - job->nodes);
    while (weft_free() == 0) {
      weft_copy_or_sleep(own);
    }
    weft_post(address, job->send_base);
  }
  return told;
}

#endif

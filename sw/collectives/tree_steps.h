// Shared by the collectives on the combining tree: the whole array in as few orders as possible.
#ifndef WEFT_TREE_STEPS_H
#define WEFT_TREE_STEPS_H

#include "sw/include/weft_reduction.h"

#define WEFT_TREE_WORDS (1U << 19)  // Of an order at most.

/// As weft_member.
static inline uint32_t weft_tree_member(void) {
  const struct weft_reduction r = {.job = weft_job(), .at = &weft_array()->at};
  return weft_member(&r);
}

/// The reduction of the job, as a part of `how` in weft_combine.
static inline uint32_t weft_tree_reduction(void) {
  const struct weft_array_job* array = weft_array();
  return array->op | array->type << 3 | (array->op == WEFT_OP_MEAN ? array->members << 16 : 0);
}

/// Posts the array of `member` to the tree, two orders at a time, and waits for the last; `how` as
/// in weft_combine. A node without an array contributes and stores nothing.
static inline void weft_by_tree(uint32_t member, uint32_t how) {
  const struct weft_job* job = weft_job();
  how |= member == WEFT_NOBODY ? WEFT_COMBINE_SILENT | WEFT_COMBINE_DISCARD : 0;
  uint32_t posted = 0;
  for (uint32_t first = 0; first < job->message_flits; first += WEFT_TREE_WORDS) {
    const uint32_t left = job->message_flits - first;
    const uint32_t at = job->send_base + first * WEFT_FLIT_BYTES;
    while (posted >= WEFT_COMBINE_ORDERS && !weft_combine_done(posted - WEFT_COMBINE_ORDERS + 1)) {
      weft_wfi();
    }
    weft_combine(at, at, left < WEFT_TREE_WORDS ? left : WEFT_TREE_WORDS, how);
    ++posted;
  }
  while (!weft_combine_done(posted)) {
    weft_wfi();
  }
}

#endif

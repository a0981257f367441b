// Shared by the collectives on the combining tree: transfers the whole array in as few orders as
// possible.
#ifndef WEFT_TREE_STEPS_H
#define WEFT_TREE_STEPS_H

#include "sw/include/weft_reduction.h"

#define WEFT_TREE_WORDS (1U << 19)  // Most words of an order.

/// This node's number among the members (weft_member).
static inline uint32_t weft_tree_member(void) {
  const struct weft_reduction r = {.job = weft_job(), .at = &weft_array()->at};
  return weft_member(&r);
}

/// The reduction of the job, as the part of `how` in weft_combine.
static inline uint32_t weft_tree_reduction(void) {
  const struct weft_array_job* array = weft_array();
  return array->op | array->type << 3 | (array->op == WEFT_OP_MEAN ? array->members << 16 : 0);
}

/// Posts a range of the array of `member` to the tree, two orders at a time; `how` as in
/// weft_combine. A node without an array contributes and stores nothing. Adds the orders to
/// `posted`.
static inline void weft_tree_orders(uint32_t member, struct weft_range range, uint32_t how,
                                    uint32_t* posted) {
  how |= member == WEFT_NOBODY ? WEFT_COMBINE_SILENT | WEFT_COMBINE_DISCARD : 0;
  while (range.lo != range.hi) {
    const uint32_t left = weft_length(range);
    const uint32_t words = left < WEFT_TREE_WORDS ? left : WEFT_TREE_WORDS;
    const uint32_t at = weft_job()->send_base + range.lo * WEFT_FLIT_BYTES;
    while (*posted >= WEFT_COMBINE_ORDERS &&
           !weft_combine_done(*posted - WEFT_COMBINE_ORDERS + 1)) {
      weft_wfi();
    }
    weft_combine(at, at, words, how);
    ++*posted;
    range.lo += words;
  }
}

/// Waits until `posted` orders are completed.
static inline void weft_tree_end(uint32_t posted) {
  while (!weft_combine_done(posted)) {
    weft_wfi();
  }
}

/// Posts the whole array (weft_tree_orders), and waits for the end.
static inline void weft_by_tree(uint32_t member, uint32_t how) {
  uint32_t posted = 0;
  weft_tree_orders(member, (struct weft_range){0, weft_job()->message_flits}, how, &posted);
  weft_tree_end(posted);
}

#endif

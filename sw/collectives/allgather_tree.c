// Allgather by the combining tree. Long blocks go one after the other, each from its member alone.
// Short ones, whose orders would take longer than they do, go together: every member clears the
// words of the others, and all are added.
#include "sw/collectives/tree_steps.h"

WEFT_COLLECTIVE_WITH(allgather_tree, WEFT_ALLGATHER, WEFT_CONTROLLERS_1,
                     "every member's block to all, on any network, by a combining tree beside it",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PACKETS, .combines = 1);

#define LONG_BLOCK 32  // Flits. An order takes about as many cycles in addition to its words.

static void clear(struct weft_range range) {
  uint32_t* const words = (uint32_t*)weft_mem(weft_job()->send_base);
  const uint32_t of_flit = WEFT_FLIT_BYTES / 4;
  for (uint32_t i = of_flit * range.lo; i < of_flit * range.hi; ++i) {
    words[i] = 0;
  }
}

static void gather_blocks(struct weft_range all, uint32_t members, uint32_t member) {
  const uint32_t how = WEFT_OP_STORE | WEFT_TYPE_INT64 << 3;
  uint32_t posted = 0;
  for (uint32_t m = 0; m < members; ++m) {
    weft_tree_orders(member, weft_cut(all, m, members),
                     how | (m == member ? WEFT_COMBINE_DISCARD : WEFT_COMBINE_SILENT), &posted);
  }
  weft_tree_end(posted);
}

int weft_main(void) {
  const uint32_t member = weft_tree_member(), members = weft_array()->members;
  const struct weft_range all = {0, weft_job()->message_flits};
  if (weft_length(all) / members >= LONG_BLOCK) {
    gather_blocks(all, members, member);
    return WEFT_OK;
  }
  if (member != WEFT_NOBODY) {
    const struct weft_range own = weft_cut(all, member, members);
    clear((struct weft_range){0, own.lo});
    clear((struct weft_range){own.hi, all.hi});
  }
  weft_by_tree(member, WEFT_OP_SUM | WEFT_TYPE_INT64 << 3);
  return WEFT_OK;
}

// All-gather round a ring of all nodes: each has a block, and passes on what it gets until all have
// all blocks. It checks them itself. Argument 0: flits of a block, default 8.
#include "weft_hal.h"

static uint32_t word_of(uint32_t block, uint32_t i) {
  return (block + 1) << 16 | i;  // Never 0, which is what memory holds before.
}

int weft_main(void) {
  const uint32_t nodes = weft_nodes();
  const uint32_t rank = weft_rank();
  const uint32_t flits = weft_argument(0) > 0 ? weft_argument(0) : 8;
  const uint32_t bytes = flits * WEFT_FLIT_BYTES;
  const uint32_t base = weft_job()->recv_base;
  if (nodes * bytes > weft_job()->recv_bytes || flits > weft_job()->packet_flits) {
    return 1;
  }
  volatile uint32_t* const blocks = (volatile uint32_t*)weft_mem(base);
  const uint32_t words = bytes / 4;
  for (uint32_t i = 0; i < words; ++i) {
    blocks[rank * words + i] = word_of(rank, i);
  }
  const uint32_t start = weft_cycle();
  const uint32_t next = rank + 1 < nodes ? rank + 1 : 0;
  uint32_t block = rank;
  for (uint32_t step = 1; step < nodes; ++step) {
    weft_send(next, base + block * bytes, flits, block * bytes, 0, 0);
    block = block > 0 ? block - 1 : nodes - 1;
    // Messages may overtake each other, so that their number does not tell which block is there.
    // Its last word does: a packet is stored in order.
    while (blocks[block * words + words - 1] == 0) {
      weft_wfi();
    }
  }
  weft_result("cycles", weft_cycle() - start);
  for (uint32_t b = 0; b < nodes; ++b) {
    for (uint32_t i = 0; i < words; ++i) {
      if (blocks[b * words + i] != word_of(b, i)) {
        weft_print("wrong word in block", b);
        return 2;
      }
    }
  }
  weft_wait_sent(nodes - 1);
  return 0;
}

// Stencil exchange: heat along a ring of 32 cells on each node. In each step every node sends its
// edge cells to its neighbours and moves a quarter of the difference between cells. The heat of all
// nodes together stays the same: the sum of `heat` in the result. Argument 0: steps, default 10.
#include "weft_hal.h"

#define CELLS 32
#define SLOTS 2  // A neighbour is at most one step ahead.

// A cell on its way: one flit of 8 bytes, or the first 8 of a wider one.
struct edge {
  int32_t heat;
  uint32_t step;  // Counted from 1; 0 is what memory holds before.
};

static volatile struct edge* edge_at(uint32_t address) {
  return (volatile struct edge*)weft_mem(address);
}

int weft_main(void) {
  const struct weft_job* const job = weft_job();
  const uint32_t steps = weft_argument(0) > 0 ? weft_argument(0) : 10;
  const uint32_t left = (job->rank + job->nodes - 1) % job->nodes;
  const uint32_t right = (job->rank + 1) % job->nodes;
  int32_t cells[CELLS] = {0};
  cells[0] = (int32_t)(job->rank * 1000);

  for (uint32_t step = 1; step <= steps; ++step) {
    // In each window: slots with cells from the left, then slots with cells from the right.
    const uint32_t slot = step % SLOTS * WEFT_FLIT_BYTES;
    const uint32_t from_right = SLOTS * WEFT_FLIT_BYTES + slot;
    const uint32_t to_left = job->send_base + slot;
    const uint32_t to_right = job->send_base + from_right;
    // What was here two steps ago has been sent: both neighbours have answered since.
    *edge_at(to_left) = (struct edge){cells[0], step};
    *edge_at(to_right) = (struct edge){cells[CELLS - 1], step};
    weft_send(left, to_left, 1, from_right, 0, 0);
    weft_send(right, to_right, 1, slot, 0, 0);
    const volatile struct edge* const before = edge_at(job->recv_base + slot);
    const volatile struct edge* const after = edge_at(job->recv_base + from_right);
    while (before->step != step || after->step != step) {
      weft_wfi();
    }
    // Both sides of an edge compute the same flow, so that no heat is lost by rounding.
    int32_t inflow = (before->heat - cells[0]) / 4;
    for (uint32_t i = 0; i < CELLS; ++i) {
      const int32_t next = i + 1 < CELLS ? cells[i + 1] : after->heat;
      const int32_t outflow = (cells[i] - next) / 4;
      cells[i] += inflow - outflow;
      inflow = outflow;
    }
  }
  int32_t heat = 0;
  for (uint32_t i = 0; i < CELLS; ++i) {
    heat += cells[i];
  }
  weft_result("heat", (uint32_t)heat);
  weft_result("cycles", weft_cycle());
  return 0;
}

// Ping-pong: node 0 sends a flit to each other node, which sends one back. The result has the hops
// (of a mesh or torus) and the round trip in cycles for each. Argument 0: flits of a message,
// default 1.
#include "weft_hal.h"

// Links between routers on the way from node 0.
static uint32_t hops_to(uint32_t rank) {
  const struct weft_job* const job = weft_job();
  uint32_t hops = 0;
  for (uint32_t d = 0; d < job->dim_count; ++d) {
    const uint32_t size = job->dims[d];
    const uint32_t up = rank % size;
    const uint32_t down = size - up;
    hops += (job->wraps >> d & 1) != 0 && down < up ? down : up;
    rank /= size;
  }
  return hops;
}

int weft_main(void) {
  const uint32_t data = weft_job()->send_base;
  const uint32_t flits = weft_argument(0) > 0 ? weft_argument(0) : 1;
  if (flits > weft_job()->packet_flits) {
    return 1;  // Longer messages are several packets, which are counted one by one.
  }
  if (weft_rank() != 0) {
    weft_wait_received(0, 1);
    weft_send(0, data, flits, 0, 0, 0);
    return 0;
  }
  for (uint32_t to = 1; to < weft_nodes(); ++to) {
    const uint32_t start = weft_cycle();
    weft_send(to, data, flits, 0, 0, 0);
    weft_wait_received(0, to);
    const uint32_t cycles = weft_cycle() - start;
    weft_result("hops", hops_to(to));
    weft_result("round_trip", cycles);
  }
  weft_print("ping-pong with all, nodes", weft_nodes());
  return 0;
}

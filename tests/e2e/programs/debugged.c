// A word round a ring, for tests of `weft run --gdb`: argument 0 says how it goes on,
// argument 1 with which code rank 3 ends.
#include "weft_hal.h"

static volatile uint32_t counter;
volatile uint32_t table[4];

static __attribute__((noinline)) uint32_t twice(uint32_t value) {
  counter += value;
  return 2 * value;
}

int weft_main(void) {
  const struct weft_job* const job = weft_job();
  for (uint32_t i = 0; i < 4; ++i) table[i] = twice(i + weft_rank());
  *(volatile uint32_t*)weft_mem(job->send_base) = weft_rank() + 1;
  weft_send((weft_rank() + 1) % weft_nodes(), job->send_base, 1, 0, 0, 0);
  weft_wait_received(0, 1);
  weft_result("counter", counter);
  if (weft_argument(0) == 1) weft_check(weft_rank() != 3, "rank, not expected:", weft_rank());
  while (weft_argument(0) == 2) weft_pause(1);
  if (weft_argument(0) == 3) weft_wait_received(0, 2);
  return weft_rank() == 3 ? (int)weft_argument(1) : 0;
}

// Rank 0 stores into the last word of its array, which no message can reach, in a cycle in which
// its processor could run ahead of the others.
#include "weft_hal.h"

int weft_main(void) {
  const struct weft_job* job = weft_job();
  if (job->rank == 0) {
    volatile uint32_t* last =
        (volatile uint32_t*)weft_mem(job->send_base + (job->message_flits - 1) * WEFT_FLIT_BYTES);
    for (uint32_t i = 0; i < 20; ++i) {
      last[1] = i;
    }
  }
  return WEFT_OK;
}

// All-to-all in rank order: A2A, the direct method that seed 004 (2.1, 2.2) compares with.
#include "weft_hal.h"

WEFT_COLLECTIVE(a2a, WEFT_ALL_TO_ALL,
                "all-to-all in rank order: node me sends to me + 1, me + 2, ... (seed 004, A2A)");

int weft_main(void) {
  const struct weft_job* job = weft_job();
  if (job->sync == WEFT_SYNC_BARRIER) {
    return WEFT_UNSUPPORTED_SYNC;
  }
  const uint32_t block = job->message_flits * WEFT_FLIT_BYTES;
  const uint32_t others = job->nodes - 1;
  struct weft_background_copy own = {job->recv_base + job->rank * block,
                                     job->send_base + job->rank * block, job->message_flits};
  weft_window(job->recv_base, job->recv_bytes);
  for (uint32_t i = 1; i <= others; ++i) {
    const uint32_t needed = job->sync == WEFT_SYNC_LOCAL ? i - 1 : 0;
    while (weft_free() == 0 || !weft_reached(weft_received(0), needed)) {
      weft_copy_or_sleep(&own);
    }
    uint32_t to = job->rank + i;
    if (to >= job->nodes) {
      to -= job->nodes;
    }
    weft_send(to, job->send_base + to * block, job->message_flits, job->rank * block, 0, job->gap);
  }
  while (own.flits != 0 || !weft_reached(weft_received(0), others) ||
         !weft_reached(weft_sent(), others)) {
    weft_copy_or_sleep(&own);
  }
  return WEFT_OK;
}

// Node 0 sends a message under a key that no window has, and returns when it has been refused.
#include "weft_hal.h"

int weft_main(void) {
  const struct weft_job* job = weft_job();
  weft_window_for(0, 1, job->recv_base, 1024);
  if (job->rank == 0) {
    weft_key(2);
    weft_send(1, job->send_base, 2, 0, 0, 0);
    weft_pause(500);
  }
  return WEFT_OK;
}

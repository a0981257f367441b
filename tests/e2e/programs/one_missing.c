// A barrier that waits for all nodes but the last: that one enters, and is not waited for.
#include "sw/collectives/barrier_steps.h"

int weft_main(void) {
  const struct weft_job* const job = weft_job();
  struct weft_all_to_all all = {.barriers = 1};
  struct weft_job fewer = *job;
  fewer.nodes = job->nodes - 1;
  weft_work();
  if (job->rank < fewer.nodes) {
    weft_software_barrier(&all, &fewer);
  }
  weft_wait_sent(all.headers);
  return WEFT_OK;
}

// Barrier by messages without a body, in up to three rounds of dissemination: any number of nodes,
// any network (weft_software_barrier).
#include "sw/collectives/barrier_steps.h"

WEFT_COLLECTIVE(barrier_dissemination, WEFT_BARRIER, WEFT_CONTROLLERS_1,
                "barrier of all nodes, by messages without a body, in three rounds");

int weft_main(void) {
  const struct weft_job* const job = weft_job();
  weft_work();
  struct weft_all_to_all all = {.barriers = 1};
  weft_software_barrier(&all, job);
  // No message may be lost: it is sent before the program ends.
  weft_wait_sent(all.headers);
  return WEFT_OK;
}

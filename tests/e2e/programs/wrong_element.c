// An allreduce by the combining tree in which rank 2 contributes 1 too much to element 3.
#include "weft_hal.h"

int weft_main(void) {
  const struct weft_job* job = weft_job();
  if (job->rank == 2) {
    int32_t* element = (int32_t*)weft_mem(job->send_base + 3 * 4);
    *element += 1;
  }
  weft_combine(job->send_base, job->send_base, job->message_flits,
               WEFT_OP_SUM | WEFT_TYPE_INT32 << 3);
  while (!weft_combine_done(1)) {
    weft_wfi();
  }
  return WEFT_OK;
}

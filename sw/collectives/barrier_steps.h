// Shared by the barriers: the work before one.
#ifndef WEFT_BARRIER_STEPS_H
#define WEFT_BARRIER_STEPS_H

#include "sw/include/weft_all_to_all.h"

/// Works for as many cycles as the node's job says; after that the node may enter.
static inline void weft_work(void) {
  const struct weft_barrier_job* const job =
      (const struct weft_barrier_job*)weft_mem(WEFT_ARRAY_JOB_BASE);
  const uint32_t end = weft_reg_read(WEFT_REG_CYCLE) + job->work_cycles;
  int32_t left = (int32_t)job->work_cycles;
  while (left > 0) {
    weft_pause((uint32_t)left);
    left = (int32_t)(end - weft_reg_read(WEFT_REG_CYCLE));
  }
}

#endif

// A barrier that every node enters before its work is done.
#include "sw/collectives/barrier_steps.h"

int weft_main(void) {
  weft_barrier_enter();
  weft_work();
  while (!weft_barrier_done(1)) {
    weft_wfi();
  }
  return WEFT_OK;
}

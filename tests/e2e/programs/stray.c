// Node 3 never enters the barrier in which all others wait.
#include "weft_hal.h"

int weft_main(void) {
  if (weft_rank() != 3) {
    weft_barrier_enter();
    while (!weft_barrier_done(1)) {
      weft_wfi();
    }
  }
  return 0;
}

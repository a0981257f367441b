// A barrier that does not wait: every node leaves when its own work is done.
#include "sw/collectives/barrier_steps.h"

int weft_main(void) {
  weft_work();
  return WEFT_OK;
}

// A program that waits for one message more than anyone sends.
#include "weft_hal.h"

int weft_main(void) {
  weft_wait_received(0, 1);
  return WEFT_OK;
}

// A program that sends to an address that no node has.
#include "weft_hal.h"

int weft_main(void) {
  weft_reg_write(WEFT_REG_DST, 0xffff);
  weft_reg_write(WEFT_REG_POST, 1);
  weft_wait_sent(1);
  return WEFT_OK;
}

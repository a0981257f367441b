// A program that does nothing.
#include "weft_hal.h"

int weft_main(void) {
  return WEFT_OK;
}

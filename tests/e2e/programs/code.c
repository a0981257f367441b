// A program that reports a failure.
#include "weft_hal.h"

int weft_main(void) {
  return 7;
}

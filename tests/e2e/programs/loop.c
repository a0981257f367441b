// A program that never ends.
#include "weft_hal.h"

int weft_main(void) {
  for (;;) {
    __asm__ volatile("");
  }
}

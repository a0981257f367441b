// Start-up code of a driver on RV32: stack, weft_main, exit code to the NIC's EXIT register.
// The loader has placed data and cleared memory already; a0 holds enum weft_start_kind.
#include "weft_registers.h"

  .section .text.start, "ax"
  .globl _start
  // For debuggers alone: nothing has called this.
  .cfi_sections .debug_frame
  .cfi_startproc
  .cfi_undefined ra
_start:
  li sp, WEFT_STACK_TOP
  bnez a0, over_network
  call weft_main
exit:
  li t0, WEFT_MMIO_BASE
  sw a0, WEFT_REG_EXIT(t0)
  // EXIT ends the processor: nothing after it is executed.
  ebreak
over_network:
  la a0, weft_main
  call weft_boot
  j exit
  .cfi_endproc

// A note for the loader, which is not in memory: the bytes of a flit that the program is compiled
// for, as WEFT_FLIT_BYTES in weft_hal.h. Size of the name, size of the value, type, name, value.
#ifndef WEFT_FLIT_BYTES
#define WEFT_FLIT_BYTES 8
#endif
  .section .note.weft, "", @note
  .balign 4
  .4byte 5, 4, 1
  .asciz "weft"
  .balign 4
  .4byte WEFT_FLIT_BYTES

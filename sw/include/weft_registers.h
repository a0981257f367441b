// Memory map of a node and registers of its NIC, shared by the drivers (C), the start-up code
// (assembler) and the simulator (C++). Preprocessor only, so that all three can read it.
#ifndef WEFT_REGISTERS_H
#define WEFT_REGISTERS_H

// Memory map, byte addresses.
#define WEFT_JOB_BASE 0x100        // struct weft_job, complete before the driver starts.
#define WEFT_STAGE_BASE 0x800      // Jobs on their way to other nodes, see runtime/boot.c.
#define WEFT_ARRAY_JOB_BASE 0xC00  // struct weft_array_job or weft_barrier_job.
#define WEFT_PROGRAM_BASE 0x1000   // Program text, then data.
#define WEFT_STACK_TOP 0x8000      // The stack grows down from here.
#define WEFT_BUFFER_BASE 0x8000    // First byte that the program and its stack never use.
#ifndef WEFT_MMIO_BASE             // Address of the registers; other systems define their own.
#define WEFT_MMIO_BASE 0xF0000000
#endif

#include "weft_register_map.h"

// CONTROLLER of TAG_GAP, bits 19:16: 0, any send controller takes the message; n, only controller
// n - 1; 15, only the one after the controller that took the last message. A message that waits for
// its controller blocks those after it in the queue (head-of-line blocking).
#define WEFT_CONTROLLER(n) ((n) << 16)
#define WEFT_ROUND_ROBIN WEFT_CONTROLLER(15)
// OF_BARRIER of TAG_GAP: the message belongs to a barrier. Only measured, never sent.
#define WEFT_OF_BARRIER 0x08
// Number of a window in RX_KEY.
#define WEFT_RX_WINDOW(n) ((n) << 8)
// EXIT of a node whose job did not arrive as it was sent.
#define WEFT_EXIT_JOB 0x4a4f42
// SILENT of COMBINE_POST: the node contributes nothing; DISCARD: the result is not stored.
#define WEFT_COMBINE_SILENT 0x20
#define WEFT_COMBINE_DISCARD 0x40

#endif

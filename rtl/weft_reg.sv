// Byte addresses of the registers that drivers see (rtl/bus/README.md, register_block).
// Written by scripts/registers.py from sim/packet/register_map.hpp.

package weft_reg;

  // No block uses all of them.
  // verilator lint_off UNUSEDPARAM
  localparam logic [11:0] Dst                = 12'h000;
  localparam logic [11:0] Addr               = 12'h004;
  localparam logic [11:0] Len                = 12'h008;
  localparam logic [11:0] Offset             = 12'h00c;
  localparam logic [11:0] TagGap             = 12'h010;
  localparam logic [11:0] Post               = 12'h014;
  localparam logic [11:0] Free               = 12'h018;
  localparam logic [11:0] Sent               = 12'h01c;
  localparam logic [11:0] Received0          = 12'h020;
  localparam logic [11:0] Received1          = 12'h024;
  localparam logic [11:0] Received2          = 12'h028;
  localparam logic [11:0] Received3          = 12'h02c;
  localparam logic [11:0] RxBase             = 12'h030;
  localparam logic [11:0] RxSize             = 12'h034;
  localparam logic [11:0] ParityErrors       = 12'h038;
  localparam logic [11:0] Refused            = 12'h03c;
  localparam logic [11:0] Exit               = 12'h040;
  localparam logic [11:0] Cycle              = 12'h044;
  localparam logic [11:0] Barrier            = 12'h048;
  localparam logic [11:0] JobStart           = 12'h04c;
  localparam logic [11:0] Arrived0           = 12'h050;
  localparam logic [11:0] Arrived1           = 12'h054;
  localparam logic [11:0] Arrived2           = 12'h058;
  localparam logic [11:0] Arrived3           = 12'h05c;
  localparam logic [11:0] Reduce             = 12'h060;
  localparam logic [11:0] LinkReceived0      = 12'h064;
  localparam logic [11:0] LinkReceived7      = 12'h080;
  localparam logic [11:0] Start              = 12'h084;
  localparam logic [11:0] MemoryErrors       = 12'h088;
  localparam logic [11:0] RefusedWrites      = 12'h08c;
  localparam logic [11:0] CombineAddr        = 12'h090;
  localparam logic [11:0] CombineTo          = 12'h094;
  localparam logic [11:0] CombineLen         = 12'h098;
  localparam logic [11:0] CombinePost        = 12'h09c;
  localparam logic [11:0] CombineDone        = 12'h0a0;
  localparam logic [11:0] Text               = 12'h0a4;
  localparam logic [11:0] Print              = 12'h0a8;
  localparam logic [11:0] Result             = 12'h0ac;
  localparam logic [11:0] Fail               = 12'h0b0;
  localparam logic [11:0] Phase              = 12'h0b4;
  localparam logic [11:0] Key                = 12'h0b8;
  localparam logic [11:0] RxKey              = 12'h0bc;
  localparam logic [11:0] LinkTagReceived0   = 12'h100;
  localparam logic [11:0] LinkTagReceived31  = 12'h17c;

  // By word, from address 0 on: it can be read; it can be written.
  localparam int unsigned Words = 96;
  localparam logic [Words-1:0] Readable = 96'hffffffff0000010dfef6cfc0;
  localparam logic [Words-1:0] Writable = 96'hfef2010d303f;
  // verilator lint_on UNUSEDPARAM

endpackage

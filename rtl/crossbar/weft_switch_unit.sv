// N:1 switch: a selector and its arbiter (seed 002 fig. 5). The output is allocated to the granted
// input for a whole packet; data pass combinationally.

`include "weft_assert.svh"

module weft_switch_unit #(
  /// Inputs; 1 or more.
  parameter int unsigned NumIn = 4,
  /// Word width, bits (data and parity).
  parameter int unsigned FlitW = 64
) (
  /// Clock.
  input  logic                   clk_i,
  /// Asynchronous reset, active low.
  input  logic                   rst_ni,
  /// The input has a word for this switch.
  input  logic [NumIn-1:0]       valid_i,
  /// It is the last of its packet (Data-End).
  input  logic [NumIn-1:0]       last_i,
  /// Words, input 0 lowest.
  input  logic [NumIn*FlitW-1:0] data_i,
  /// The word at the input is taken in this cycle.
  output logic [NumIn-1:0]       ready_o,
  /// A word is at the output.
  output logic                   valid_o,
  /// It is the last of its packet.
  output logic                   last_o,
  /// The word; 0 without one.
  output logic [FlitW-1:0]       data_o,
  /// The word at the output is taken in this cycle.
  input  logic                   ready_i
);

  localparam int unsigned IdxW = NumIn > 1 ? $clog2(NumIn) : 1;

  logic [NumIn-1:0] gnt;
  logic [IdxW-1:0]  idx;

  weft_rr_arbiter #(
    .NumReq(NumIn)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .req_i (valid_i),
    .done_i(valid_o && last_o && ready_i),
    .gnt_o (gnt),
    .idx_o (idx)
  );

  // Selector: the transfer flags open one path; the data follow the index, which simulates faster
  // than an AND-OR of all inputs and is the same while at most one flag is set.
  assign valid_o = |(gnt & valid_i);
  assign last_o  = |(gnt & valid_i & last_i);
  assign data_o  = valid_o ? data_i[idx*FlitW +: FlitW] : '0;
  assign ready_o = gnt & valid_i & {NumIn{ready_i}};

  `WEFT_ASSERT(ReadyOneHot, (ready_o & (ready_o - 1'b1)) == '0)
  `WEFT_ASSERT(ReadyOnlyValid, (ready_o & ~valid_i) == '0)

endmodule

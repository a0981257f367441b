// Output buffer of a crossbar or a network interface (seed 002 fig. 3, part 22) and the register
// that drives the link. With Depth 0 it is the register alone.

`include "weft_assert.svh"

module weft_output_buffer #(
  /// Word width, bits (data and parity).
  parameter int unsigned FlitW = 64,
  /// Words before the link register; 0 for the register alone.
  parameter int unsigned Depth = 4
) (
  /// Clock.
  input  logic             clk_i,
  /// Asynchronous reset, active low.
  input  logic             rst_ni,
  /// A word is offered.
  input  logic             valid_i,
  /// It is the last of its packet.
  input  logic             last_i,
  /// The word.
  input  logic [FlitW-1:0] data_i,
  /// A word offered in this cycle is taken.
  output logic             ready_o,
  /// Link: Buffer-Full of the receiver.
  input  logic             full_i,
  /// Link: Data-Valid.
  output logic             valid_o,
  /// Link: Data-End; 0 without Data-Valid.
  output logic             last_o,
  /// Link: the word; 0 without Data-Valid.
  output logic [FlitW-1:0] data_o
);
  // One C++ class for all instances keeps the Verilated code of a crossbar small.
  /* verilator no_inline_module */

  logic             valid_d, last_d, valid_q, last_q;
  logic [FlitW-1:0] data_d, data_q;

  if (Depth == 0) begin : gen_register
    assign ready_o = !full_i;
    assign valid_d = valid_i && !full_i;
    assign last_d  = last_i;
    assign data_d  = data_i;
  end else begin : gen_fifo
    localparam int unsigned CountW = $clog2(Depth + 1);
    logic [CountW-1:0] count;
    assign ready_o = count != CountW'(Depth);
    assign valid_d = (count != '0) && !full_i;
    weft_fifo #(
      .DataW(FlitW + 1),
      .Depth(Depth)
    ) u_fifo (
      .clk_i,
      .rst_ni,
      .push_i (valid_i && ready_o),
      .data_i ({last_i, data_i}),
      .pop_i  (valid_d),
      .data_o ({last_d, data_d}),
      .count_o(count)
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      last_q  <= 1'b0;
      data_q  <= '0;
    end else begin
      valid_q <= valid_d;
      last_q  <= valid_d && last_d;
      data_q  <= valid_d ? data_d : '0;
    end
  end

  assign valid_o = valid_q;
  assign last_o  = last_q;
  assign data_o  = data_q;

  `WEFT_ASSERT(QuietWithoutValid, valid_q || (!last_q && data_q == '0))

endmodule

// Memory with one write port and one read port, both synchronous, in the form that compilers map to
// an SRAM: no reset, and a register at its output that is loaded by reads alone.

`include "weft_assert.svh"

module weft_ram #(
  /// Word width, bits.
  parameter int unsigned DataW = 64,
  /// Words; 1 or more.
  parameter int unsigned Depth = 16,
  // Derived.
  localparam int unsigned IdxW = Depth > 1 ? $clog2(Depth) : 1
) (
  /// Clock.
  input  logic             clk_i,
  /// Asynchronous reset, active low; for assertions alone.
  input  logic             rst_ni,
  /// Write `wdata_i`.
  input  logic             wen_i,
  /// Word that is written; below `Depth`.
  input  logic [IdxW-1:0]  widx_i,
  /// What is written.
  input  logic [DataW-1:0] wdata_i,
  /// Read.
  input  logic             ren_i,
  /// Word that is read; below `Depth`, and not the one that is written in this cycle.
  input  logic [IdxW-1:0]  ridx_i,
  /// Result of the last read, from the next cycle on.
  output logic [DataW-1:0] rdata_o
);

  `WEFT_PARAM(gen_check_depth, Depth >= 1)

  logic [DataW-1:0] mem_q [Depth];
  logic [DataW-1:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (wen_i) mem_q[widx_i] <= wdata_i;
  end
  always_ff @(posedge clk_i) begin
    if (ren_i) rdata_q <= mem_q[ridx_i];
  end
  assign rdata_o = rdata_q;

`ifndef WEFT_CHECKED
  logic unused_reset;
  assign unused_reset = rst_ni;
`endif
  `WEFT_ASSUME(WriteInside, !wen_i || 32'(widx_i) < Depth)
  `WEFT_ASSUME(ReadInside, !ren_i || 32'(ridx_i) < Depth)
  `WEFT_ASSUME(NotWhatIsWritten, !(wen_i && ren_i && widx_i == ridx_i))

endmodule

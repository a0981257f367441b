// Synchronous FIFO: the oldest word is at the output while the FIFO is not empty.
// A push and a pop may happen in the same cycle; a push into a full FIFO is legal only with a pop.

`include "weft_assert.svh"

module weft_fifo #(
  /// Word width, bits.
  parameter int unsigned DataW = 64,
  /// Capacity, words; 1 or more.
  parameter int unsigned Depth = 4,
  // Derived.
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// Store `data_i`.
  input  logic              push_i,
  /// Word to store.
  input  logic [DataW-1:0]  data_i,
  /// Drop the oldest word.
  input  logic              pop_i,
  /// Oldest word; 0 while empty.
  output logic [DataW-1:0]  data_o,
  /// Words held.
  output logic [CountW-1:0] count_o
);

  `WEFT_PARAM(gen_check_depth, Depth >= 1)

  localparam int unsigned PtrW = Depth > 1 ? $clog2(Depth) : 1;
  localparam logic [PtrW-1:0] PtrLast = PtrW'(Depth - 1);

  logic [DataW-1:0]  mem_q [Depth];
  logic [PtrW-1:0]   wptr_q, rptr_q;
  logic [CountW-1:0] count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q  <= '0;
      rptr_q  <= '0;
      count_q <= '0;
    end else begin
      if (push_i) wptr_q <= (wptr_q == PtrLast) ? '0 : wptr_q + 1'b1;
      if (pop_i) rptr_q <= (rptr_q == PtrLast) ? '0 : rptr_q + 1'b1;
      if (push_i && !pop_i) count_q <= count_q + 1'b1;
      if (pop_i && !push_i) count_q <= count_q - 1'b1;
    end
  end

  // The memory needs no reset: a word is read only after it was written.
  always_ff @(posedge clk_i) begin
    if (push_i) mem_q[wptr_q] <= data_i;
  end

  assign data_o  = (count_q == '0) ? '0 : mem_q[rptr_q];
  assign count_o = count_q;

  `WEFT_ASSERT(CountInRange, {1'b0, count_q} <= (CountW + 1)'(Depth))
  `WEFT_ASSUME(NoOverflow, !(push_i && !pop_i && count_q == CountW'(Depth)))
  `WEFT_ASSUME(NoUnderflow, !(pop_i && count_q == '0))

endmodule

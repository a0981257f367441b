// Proof of the output buffer: every word taken is sent once, in order and never after a cycle
// with Buffer-Full; the link is 0 otherwise. The chosen word (`track_i`) is free.

`include "weft_assert.svh"

module output_buffer_props #(
  parameter int unsigned FlitW = 2,
  parameter int unsigned Depth = 2
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             last_i,
  input logic [FlitW-1:0] data_i,
  input logic             full_i,
  input logic             track_i
);

  logic             ready, valid, last;
  logic [FlitW-1:0] data;

  weft_output_buffer #(
    .FlitW(FlitW),
    .Depth(Depth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .valid_i,
    .last_i,
    .data_i,
    .ready_o(ready),
    .full_i,
    .valid_o(valid),
    .last_o (last),
    .data_o (data)
  );

  // Registers inside, needed for the invariants (Depth 0 to 3).
  localparam int unsigned CountW = Depth > 0 ? $clog2(Depth + 1) : 1;
  localparam int unsigned PtrW = Depth > 1 ? $clog2(Depth) : 1;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_fifo.u_fifo.count_q ;
  (* hierconn *) wire [PtrW-1:0] \u_dut.gen_fifo.u_fifo.rptr_q ;
  (* hierconn *) wire [PtrW-1:0] \u_dut.gen_fifo.u_fifo.wptr_q ;
  (* hierconn *) wire [FlitW:0] \u_dut.gen_fifo.u_fifo.mem_q[0] ;
  (* hierconn *) wire [FlitW:0] \u_dut.gen_fifo.u_fifo.mem_q[1] ;
  (* hierconn *) wire [FlitW:0] \u_dut.gen_fifo.u_fifo.mem_q[2] ;
  logic [2:0] count, rptr, wptr;
  assign count = Depth > 0 ? 3'(\u_dut.gen_fifo.u_fifo.count_q ) : '0;
  assign rptr  = Depth > 0 ? 3'(\u_dut.gen_fifo.u_fifo.rptr_q ) : '0;
  assign wptr  = Depth > 0 ? 3'(\u_dut.gen_fifo.u_fifo.wptr_q ) : '0;

  // The chosen word and the words before it, in the link register and the FIFO. A word in the link
  // register is gone in the next cycle.
  logic           tracking_q, full_q, count_was_q, taken;
  logic [FlitW:0] word_q, held;
  logic [2:0]     ahead_q, total, slot, at, write_at, balance_q;
  assign taken = valid_i && ready;
  assign total = count + 3'(valid);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tracking_q  <= 1'b0;
      word_q      <= '0;
      ahead_q     <= '0;
      full_q      <= 1'b1;
      count_was_q <= 1'b0;
      balance_q   <= '0;
    end else begin
      full_q      <= full_i;
      count_was_q <= (Depth > 0) ? count != '0 : taken;
      balance_q   <= balance_q + 3'(taken) - 3'(valid);
      if (!tracking_q) begin
        tracking_q <= taken && track_i;
        word_q     <= {last_i, data_i};
        ahead_q    <= total - 3'(valid);
      end else if (valid) begin
        tracking_q <= ahead_q != '0;
        ahead_q    <= ahead_q - 1'b1;
      end
    end
  end

  `WEFT_ASSERT(NoWordLost, balance_q == total)
  `WEFT_ASSERT(ChosenWordHeld, !tracking_q || ahead_q < total)
  `WEFT_ASSERT(ChosenWordComes, !(tracking_q && ahead_q == '0 && valid) || {last, data} == word_q)
  `WEFT_ASSERT(ObeysFull, !(full_q && valid))
  `WEFT_ASSERT(NoPauseWithoutFull, valid == (count_was_q && !full_q))
  `WEFT_ASSERT(QuietWithoutValid, valid || {last, data} == '0)

  // Invariants that close the induction.
  assign write_at = rptr + count;
  `WEFT_ASSERT(PointersInRange, Depth == 0 || (32'(rptr) < Depth && 32'(wptr) < Depth))
  `WEFT_ASSERT(PointersAgree, Depth == 0 ||
      32'(wptr) == (32'(write_at) >= Depth ? 32'(write_at) - Depth : 32'(write_at)))
  assign slot = ahead_q - 3'(valid);
  assign at   = 32'(rptr + slot) >= Depth ? 3'(rptr + slot - Depth) : rptr + slot;
  always_comb begin
    if (valid && ahead_q == '0) begin
      held = {last, data};
    end else begin
      case (at)
        0: held = \u_dut.gen_fifo.u_fifo.mem_q[0] ;
        1: held = \u_dut.gen_fifo.u_fifo.mem_q[1] ;
        default: held = \u_dut.gen_fifo.u_fifo.mem_q[2] ;
      endcase
    end
  end
  `WEFT_ASSERT(ChosenWordStored, !tracking_q || held == word_q)

endmodule

// Proof of the FIFO from credits to Buffer-Full, with a sender that counts `Depth` credits and any
// Buffer-Full: the FIFO does not overflow, credits are conserved, no flit is lost or reordered,
// none is sent after Buffer-Full, and no cycle without it is idle. The chosen flit (`track_i`) is
// free.

`include "weft_assert.svh"

module credit_fifo_props #(
  parameter int unsigned Depth = 2,
  parameter int unsigned FlitW = 2,
  localparam int unsigned StampW = weft_pkg::StampW
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              valid_i,
  input logic              last_i,
  input logic [FlitW-1:0]  data_i,
  input logic [0:0]        vc_i,
  input logic [StampW-1:0] stamp_i,
  input logic              full_i,
  input logic              track_i
);

  // The sender's link register and credits.
  logic             rx_valid_q, rx_last_q, load;
  logic [FlitW-1:0] rx_data_q;
  logic [31:0]      credits_q;
  logic [0:0]       credit;
  assign load = valid_i && (credits_q != 0 || credit[0]);

  logic             valid, last;
  logic [FlitW-1:0] data;

  weft_credit_fifo #(
    .FlitW(FlitW),
    .Depth(Depth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .rx_valid_i (rx_valid_q),
    .rx_last_i  (rx_last_q),
    .rx_data_i  (rx_data_q),
    .rx_vc_i    (vc_i),
    .rx_stamp_i (stamp_i),
    .rx_credit_o(credit),
    .tx_valid_o (valid),
    .tx_last_o  (last),
    .tx_data_o  (data),
    .tx_full_i  (full_i)
  );

  // Registers inside, needed for the invariants (Depth 1 to 3).
  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam int unsigned PtrW = Depth > 1 ? $clog2(Depth) : 1;
  (* hierconn *) wire [CountW-1:0] \u_dut.u_fifo.count_q ;
  (* hierconn *) wire [PtrW-1:0] \u_dut.u_fifo.rptr_q ;
  (* hierconn *) wire [PtrW-1:0] \u_dut.u_fifo.wptr_q ;
  (* hierconn *) wire [FlitW:0] \u_dut.u_fifo.mem_q[0] ;
  (* hierconn *) wire [FlitW:0] \u_dut.u_fifo.mem_q[1] ;
  (* hierconn *) wire [FlitW:0] \u_dut.u_fifo.mem_q[2] ;
  logic [31:0] count, rptr, wptr;
  assign count = 32'(\u_dut.u_fifo.count_q );
  assign rptr  = 32'(\u_dut.u_fifo.rptr_q );
  assign wptr  = 32'(\u_dut.u_fifo.wptr_q );

  // The chosen flit, and those before it: in the link register, the FIFO and on the wire.
  logic           tracking_q, full_q, some_q;
  logic [FlitW:0] word_q, held;
  logic [31:0]    ahead_q, total, slot, at;
  assign total = count + 32'(valid) + 32'(rx_valid_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rx_valid_q <= 1'b0;
      rx_last_q  <= 1'b0;
      rx_data_q  <= '0;
      credits_q  <= Depth;
      tracking_q <= 1'b0;
      word_q     <= '0;
      ahead_q    <= '0;
      full_q     <= 1'b1;
      some_q     <= 1'b0;
    end else begin
      rx_valid_q <= load;
      rx_last_q  <= load && last_i;
      rx_data_q  <= load ? data_i : '0;
      credits_q  <= credits_q + 32'(credit) - 32'(load);
      full_q     <= full_i;
      some_q     <= count != 0 || rx_valid_q;
      if (!tracking_q) begin
        tracking_q <= load && track_i;
        word_q     <= {last_i, data_i};
        ahead_q    <= total - 32'(valid);
      end else if (valid) begin
        tracking_q <= ahead_q != 0;
        ahead_q    <= ahead_q - 1;
      end
    end
  end

  // A credit is on the line while its flit is in the link register.
  `WEFT_ASSERT(CreditsConserved, credits_q + 32'(rx_valid_q) + count + 32'(credit) == Depth)
  `WEFT_ASSERT(CreditOfFlitSent, credit[0] == valid)
  `WEFT_ASSERT(ObeysFull, !(full_q && valid))
  `WEFT_ASSERT(NoPauseWithoutFull, valid == (some_q && !full_q))
  `WEFT_ASSERT(QuietWithoutFlit, valid || {last, data} == '0)
  `WEFT_ASSERT(ChosenHeld, !tracking_q || ahead_q < total)
  `WEFT_ASSERT(ChosenComes, !(tracking_q && ahead_q == 0 && valid) || {last, data} == word_q)

  // Invariants that close the induction.
  `WEFT_ASSERT(PointersInRange, rptr < Depth && wptr < Depth)
  `WEFT_ASSERT(PointersAgree, wptr == (rptr + count >= Depth ? rptr + count - Depth : rptr + count))
  assign slot = ahead_q - 32'(valid);
  assign at   = rptr + slot >= Depth ? rptr + slot - Depth : rptr + slot;
  always_comb begin
    if (valid && ahead_q == 0) held = {last, data};
    else if (slot == count) held = {rx_last_q, rx_data_q};
    else if (at == 0) held = \u_dut.u_fifo.mem_q[0] ;
    else if (at == 1) held = \u_dut.u_fifo.mem_q[1] ;
    else held = \u_dut.u_fifo.mem_q[2] ;
  end
  `WEFT_ASSERT(ChosenStored, !tracking_q || held == word_q)

endmodule

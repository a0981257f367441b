// Proof of the gate from Buffer-Full to credits, between a sender with a link register that heeds
// Buffer-Full and a receiver with `Depth` slots that returns credits at any time: no flit without a
// slot, credits conserved, every flit one cycle later, no Buffer-Full while two more flits fit.

`include "weft_assert.svh"

module credit_gate_props #(
  parameter int unsigned Depth = 2,
  parameter int unsigned FlitW = 2,
  localparam int unsigned StampW = weft_pkg::StampW
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             last_i,
  input logic [FlitW-1:0] data_i,
  input logic             drain_i
);

  localparam int unsigned CountW = $clog2(Depth + 1);

  // The sender's link register, and what was there a cycle before.
  logic             full, load;
  logic [FlitW+1:0] word_q, before_q;
  assign load = valid_i && !full;

  logic              tx_valid, tx_last, credit_q;
  logic [FlitW-1:0]  tx_data;
  logic [0:0]        tx_vc;
  logic [StampW-1:0] tx_stamp;

  weft_credit_gate #(
    .FlitW(FlitW),
    .Depth(Depth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .rx_valid_i (word_q[FlitW+1]),
    .rx_last_i  (word_q[FlitW]),
    .rx_data_i  (word_q[FlitW-1:0]),
    .rx_full_o  (full),
    .tx_valid_o (tx_valid),
    .tx_last_o  (tx_last),
    .tx_data_o  (tx_data),
    .tx_vc_o    (tx_vc),
    .tx_stamp_o (tx_stamp),
    .tx_credit_i(credit_q)
  );

  // The receiver.
  logic        drain;
  logic [31:0] held_q;
  assign drain = drain_i && (tx_valid || held_q != 0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q   <= '0;
      before_q <= '0;
      held_q   <= '0;
      credit_q <= 1'b0;
    end else begin
      word_q   <= load ? {1'b1, last_i, data_i} : '0;
      before_q <= word_q;
      held_q   <= held_q + 32'(tx_valid) - 32'(drain);
      credit_q <= drain;
    end
  end

  (* hierconn *) wire [CountW-1:0] \u_dut.count_q ;
  logic [31:0] used;
  assign used = held_q + 32'(tx_valid);
  `WEFT_ASSERT(SlotForFlit, used <= Depth)
  `WEFT_ASSERT(CreditsConserved, 32'(\u_dut.count_q ) + used + 32'(credit_q) == Depth)
  `WEFT_ASSERT(OneCycle, {tx_valid, tx_last, tx_data} == before_q)
  `WEFT_ASSERT(NoVcNorStamp, {tx_vc, tx_stamp} == '0)
  `WEFT_ASSERT(FullOnlyBelowTwo, !full || used + 32'(credit_q) + 2 > Depth)

endmodule

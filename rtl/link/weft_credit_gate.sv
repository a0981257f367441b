// Makes a credit link with one VC of a link with Buffer-Full: it counts the receiver's free slots
// and raises Buffer-Full before they are used up.

`include "weft_assert.svh"

module weft_credit_gate #(
  /// Width of a flit with its parity, bits.
  parameter int unsigned FlitW = 64,
  /// Credits to start with: slots of the receiver; 2 or more.
  parameter int unsigned Depth = 4,
  // Derived.
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// Link with Buffer-Full, from the sender: Data-Valid.
  input  logic              rx_valid_i,
  /// From the sender: Data-End.
  input  logic              rx_last_i,
  /// From the sender: the flit.
  input  logic [FlitW-1:0]  rx_data_i,
  /// To the sender: Buffer-Full.
  output logic              rx_full_o,
  /// Credit link, to the receiver: it carries a flit.
  output logic              tx_valid_o,
  /// To the receiver: it is the last of its packet.
  output logic              tx_last_o,
  /// To the receiver: the flit.
  output logic [FlitW-1:0]  tx_data_o,
  /// To the receiver: its VC, 0.
  output logic [0:0]        tx_vc_o,
  /// To the receiver: its stamp, 0.
  output logic [StampW-1:0] tx_stamp_o,
  /// From the receiver: a credit.
  input  logic [0:0]        tx_credit_i
);

  `WEFT_PARAM(gen_check_flit_w, FlitW >= 1)
  `WEFT_PARAM(gen_check_depth, Depth >= 2)

  logic              valid_q, last_q, full_q;
  logic [FlitW-1:0]  data_q;
  logic [CountW-1:0] count_q, count_d;
  logic              credit;
  // A credit beyond those of all slots, which errors on wires can bring, is ignored.
  assign credit  = tx_credit_i[0] && count_q != CountW'(Depth);
  assign count_d = count_q - CountW'(rx_valid_i) + CountW'(credit);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      last_q  <= 1'b0;
      data_q  <= '0;
      full_q  <= 1'b0;
      count_q <= CountW'(Depth);
    end else begin
      valid_q <= rx_valid_i;
      last_q  <= rx_last_i;
      data_q  <= rx_data_i;
      full_q  <= (count_d >> 1) == '0;
      count_q <= count_d;
    end
  end

  assign rx_full_o  = full_q;
  assign tx_valid_o = valid_q;
  assign tx_last_o  = last_q;
  assign tx_data_o  = data_q;
  assign tx_vc_o    = '0;
  assign tx_stamp_o = '0;

`ifdef WEFT_CHECKED
  logic seen_q;  // Buffer-Full of the cycle before.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) seen_q <= 1'b0;
    else seen_q <= full_q;
  end
`endif
  `WEFT_ASSUME(SenderQuiet, rx_valid_i || {rx_last_i, rx_data_i} == '0)
  `WEFT_ASSUME(SenderHeedsFull, !(rx_valid_i && seen_q))
  `WEFT_ASSUME(CreditOfFlit, !(tx_credit_i[0] && count_q == CountW'(Depth)))
  `WEFT_ASSERT(CountInRange, {1'b0, count_q} <= (CountW + 1)'(Depth))
  `WEFT_ASSERT(FullBelowTwo, full_q == (count_q < CountW'(2)))
  `WEFT_ASSERT(CreditUnlessFull, seen_q || count_q != '0)
  `WEFT_ASSERT(CreditForFlit, !rx_valid_i || count_q != '0)

endmodule

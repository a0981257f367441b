// Makes a link with Buffer-Full of a credit link with one VC: a FIFO with a slot for each of the
// sender's credits.

`include "weft_assert.svh"

module weft_credit_fifo #(
  /// Width of a flit with its parity, bits.
  parameter int unsigned FlitW = 64,
  /// Slots: the credits that the sender starts with; 1 or more.
  parameter int unsigned Depth = 4,
  // Derived.
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// Credit link, from the sender: it carries a flit.
  input  logic              rx_valid_i,
  /// From the sender: it is the last of its packet.
  input  logic              rx_last_i,
  /// From the sender: the flit.
  input  logic [FlitW-1:0]  rx_data_i,
  /// From the sender: its VC; ignored.
  input  logic [0:0]        rx_vc_i,
  /// From the sender: its stamp; ignored.
  input  logic [StampW-1:0] rx_stamp_i,
  /// To the sender: a credit.
  output logic [0:0]        rx_credit_o,
  /// Link with Buffer-Full, to the receiver: Data-Valid.
  output logic              tx_valid_o,
  /// To the receiver: Data-End.
  output logic              tx_last_o,
  /// To the receiver: the flit.
  output logic [FlitW-1:0]  tx_data_o,
  /// From the receiver: Buffer-Full.
  input  logic              tx_full_i
);

  `WEFT_PARAM(gen_check_flit_w, FlitW >= 1)

  logic [CountW-1:0] count;
  logic              moves, empty, last, last_q, valid_q;
  logic [FlitW-1:0]  data, data_q;
  assign empty = count == '0;
  assign moves = !tx_full_i && (rx_valid_i || !empty);

  weft_fifo #(
    .DataW(FlitW + 1),
    .Depth(Depth)
  ) u_fifo (
    .clk_i,
    .rst_ni,
    .push_i (rx_valid_i && (tx_full_i || !empty)),
    .data_i ({rx_last_i, rx_data_i}),
    .pop_i  (moves && !empty),
    .data_o ({last, data}),
    .count_o(count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      last_q  <= 1'b0;
      data_q  <= '0;
    end else begin
      valid_q <= moves;
      last_q  <= moves && (empty ? rx_last_i : last);
      data_q  <= !moves ? '0 : empty ? rx_data_i : data;
    end
  end

  // A flit that went to the link register left its slot.
  assign rx_credit_o = valid_q;
  assign tx_valid_o  = valid_q;
  assign tx_last_o   = last_q;
  assign tx_data_o   = data_q;

  logic unused;
  assign unused = ^{rx_vc_i, rx_stamp_i};

  `WEFT_ASSUME(SlotForFlit, !(rx_valid_i && count == CountW'(Depth)))
  `WEFT_ASSERT(QuietWithoutFlit, valid_q || {last_q, data_q} == '0)

endmodule

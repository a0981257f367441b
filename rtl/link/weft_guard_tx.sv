// Sender's end of a link whose errors are contained: it numbers the flits and packets of each VC
// and adds a check code, so that the receiver's end notices whatever is lost; and it receives the
// back word with the credits.

`include "weft_assert.svh"

module weft_guard_tx #(
  /// VCs of the link; 1 or more.
  parameter int unsigned NumVc = 1,
  /// Width of the number of a VC, bits; 1 or more.
  parameter int unsigned VcW = 1,
  /// Slots of a VC's buffer in the receiver, 1 to 2,047.
  parameter int unsigned Depth = 4,
  /// Width of a flit with its parity, bits.
  parameter int unsigned FlitW = 65,
  // Derived.
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned IdxW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned CheckW = 1 + 2 * CountW + 8,
  localparam int unsigned BackW = NumVc + IdxW + CountW + 8
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// From the sender: it carries a flit.
  input  logic              rx_valid_i,
  /// From the sender: it is the last of its packet.
  input  logic              rx_last_i,
  /// From the sender: the flit.
  input  logic [FlitW-1:0]  rx_data_i,
  /// From the sender: its VC.
  input  logic [VcW-1:0]    rx_vc_i,
  /// From the sender: its packet's stamp.
  input  logic [StampW-1:0] rx_stamp_i,
  /// To the sender: credits.
  output logic [NumVc-1:0]  rx_credit_o,
  /// Forward word: it carries a flit.
  output logic              tx_valid_o,
  /// Forward word: it is the last of its packet.
  output logic              tx_last_o,
  /// Forward word: the flit; 0 without one.
  output logic [FlitW-1:0]  tx_data_o,
  /// Forward word: its VC; without a flit that whose numbers it tells.
  output logic [VcW-1:0]    tx_vc_o,
  /// Forward word: its packet's stamp.
  output logic [StampW-1:0] tx_stamp_o,
  /// Forward word: inverted check code, numbers of packets and flits before it, first of its
  /// packet.
  output logic [CheckW-1:0] tx_check_o,
  /// Back word; any bit may be wrong.
  input  logic [BackW-1:0]  tx_back_i,
  /// Back words that were not good since the first good one.
  output logic [weft_pkg::CountW-1:0] errors_o
);

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 1 && VcW >= IdxW)
  `WEFT_PARAM(gen_check_depth, Depth >= 1 && Depth <= 2047)
  `WEFT_PARAM(gen_check_flit_w, FlitW >= 2)

  localparam int unsigned WordW = 2 * CountW + 3 + VcW + StampW + FlitW;
  localparam logic [IdxW-1:0] VcLast = IdxW'(NumVc - 1);

  // The VC that the next word is about: that of the flit, else the next of the ring.
  logic [IdxW-1:0] ring_q;
  logic [VcW-1:0]  vc;
  assign vc = rx_valid_i ? rx_vc_i : VcW'(ring_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ring_q <= '0;
    else if (!rx_valid_i) ring_q <= ring_q == VcLast ? '0 : ring_q + 1'b1;
  end

  // Of each VC: a packet has begun and not ended; flits and heads so far, modulo 2 ** CountW.
  logic [NumVc-1:0]        begun;
  logic [NumVc*CountW-1:0] all_flits, all_packets;
  logic                    head;
  logic [CountW-1:0]       flits, packets;

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic              comes, begun_q;
    logic [CountW-1:0] flits_q, packets_q;
    assign comes = rx_valid_i && 32'(rx_vc_i) == v;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        begun_q   <= 1'b0;
        flits_q   <= '0;
        packets_q <= '0;
      end else if (comes) begin
        begun_q   <= !rx_last_i;
        flits_q   <= flits_q + 1'b1;
        packets_q <= packets_q + CountW'(!begun_q);
      end
    end
    assign begun[v]                        = begun_q;
    assign all_flits[v*CountW +: CountW]   = flits_q;
    assign all_packets[v*CountW +: CountW] = packets_q;
  end

  always_comb begin
    head    = 1'b0;
    flits   = '0;
    packets = '0;
    for (int unsigned v = 0; v < NumVc; v++) begin
      if (32'(vc) == v) begin
        head    = rx_valid_i && !begun[v];
        flits   = all_flits[v*CountW +: CountW];
        packets = all_packets[v*CountW +: CountW];
      end
    end
  end

  logic [WordW-1:0] word_d, word_q;
  logic [7:0]       code_d, code_q;
  assign word_d = {packets, flits, head, rx_valid_i, rx_last_i, vc, rx_stamp_i, rx_data_i};

  weft_check_code #(
    .Width(WordW),
    .Crc  (1'b0)
  ) u_check (
    .data_i (word_d),
    .check_o(code_d)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q <= '0;
      code_q <= '1;
    end else begin
      word_q <= word_d;
      code_q <= ~code_d;
    end
  end

  assign {tx_check_o[CheckW-9:0], tx_valid_o, tx_last_o, tx_vc_o, tx_stamp_o, tx_data_o} = word_q;
  assign tx_check_o[CheckW-1 -: 8] = code_q;

  logic good, more, unused;
  weft_credit_rx #(
    .NumVc(NumVc),
    .Depth(Depth),
    .MoreW(0),
    .Crc  (1'b0)
  ) u_credit_rx (
    .clk_i,
    .rst_ni,
    .back_i  (tx_back_i),
    .credit_o(rx_credit_o),
    .good_o  (good),
    .more_o  (more),
    .errors_o
  );
  assign unused = ^{good, more};

  `WEFT_ASSUME(SenderQuiet, rx_valid_i || {rx_last_i, rx_vc_i, rx_stamp_i, rx_data_i} == '0)
  `WEFT_ASSUME(VcInRange, !rx_valid_i || 32'(rx_vc_i) < NumVc)

endmodule

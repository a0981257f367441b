// Receiver's end of a link that repairs errors: passes on the flits of good words in the order of
// their numbers, each once, and tells the sender in every cycle which it expects next. To the
// receiver it is an error-free credit link.

`include "weft_assert.svh"

module weft_link_rx #(
  /// Width of a word with its parity, bits.
  parameter int unsigned FlitW = 64,
  /// Width of the field `vc`, bits; 1 or more.
  parameter int unsigned VcW = 1,
  /// VCs of the link; 1 or more.
  parameter int unsigned NumVc = 1,
  /// Slots of a VC's buffer in the receiver; 1 or more, of all VCs up to 32768.
  parameter int unsigned Depth = 4,
  // Derived.
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned SeqW = 1 + (NumVc * Depth > 2 ? $clog2(NumVc * Depth) : 1),
  localparam int unsigned CheckW = SeqW + 16,
  localparam int unsigned IdxW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned BackW = NumVc + IdxW + CountW + SeqW + 1 + 16
) (
  /// Clock.
  input  logic                        clk_i,
  /// Asynchronous reset, active low.
  input  logic                        rst_ni,
  /// From the wires, any bit of which may be wrong: it carries a flit.
  input  logic                        rx_valid_i,
  /// From the wires: it is the last of its packet.
  input  logic                        rx_last_i,
  /// From the wires: the flit.
  input  logic [FlitW-1:0]            rx_data_i,
  /// From the wires: its VC.
  input  logic [VcW-1:0]              rx_vc_i,
  /// From the wires: its packet's stamp.
  input  logic [StampW-1:0]           rx_stamp_i,
  /// From the wires: CRC of the word, and below it the flit's number.
  input  logic [CheckW-1:0]           rx_check_i,
  /// To the wires: the back word.
  output logic [BackW-1:0]            rx_back_o,
  /// To the receiver: it carries a flit. Everything below is 0 without one.
  output logic                        tx_valid_o,
  /// To the receiver: it is the last of its packet.
  output logic                        tx_last_o,
  /// To the receiver: the flit.
  output logic [FlitW-1:0]            tx_data_o,
  /// To the receiver: its VC.
  output logic [VcW-1:0]              tx_vc_o,
  /// To the receiver: its packet's stamp.
  output logic [StampW-1:0]           tx_stamp_o,
  /// From the receiver: credits.
  input  logic [NumVc-1:0]            tx_credit_i,
  /// Words that were not good.
  output logic [weft_pkg::CountW-1:0] errors_o
);

  `WEFT_PARAM(gen_check_widths, FlitW >= 1 && VcW >= 1)
  `WEFT_PARAM(gen_check_num_vc, NumVc >= 1)
  `WEFT_PARAM(gen_check_depth, Depth >= 1 && NumVc * Depth <= 32768)

  localparam int unsigned WordW = 1 + VcW + StampW + FlitW;

  logic [WordW-1:0] word;
  logic [SeqW-1:0]  seq;
  logic [15:0]      crc;
  assign word = {rx_last_i, rx_vc_i, rx_stamp_i, rx_data_i};
  assign seq  = rx_check_i[SeqW-1:0];

  weft_check_code #(
    .Width(SeqW + 1 + WordW),
    .Crc  (1'b1)
  ) u_check (
    .data_i ({seq, rx_valid_i, word}),
    .check_o(crc)
  );

  // `asked_q`: since the last flit in sequence, flits have been asked for by a change of `request`.
  // A flit is ahead of the expected one by less than half of the numbers, or was taken before.
  logic [SeqW-1:0] expected_q, expected, ahead;
  logic            good, flit, take, gap, request_q, request, asked_q;
  assign good     = crc == rx_check_i[CheckW-1:SeqW];
  assign flit     = good && rx_valid_i;
  assign ahead    = seq - expected_q;
  assign take     = flit && ahead == '0;
  assign gap      = flit && ahead != '0 && !ahead[SeqW-1] && !asked_q;
  assign expected = expected_q + SeqW'(take);
  assign request  = request_q ^ (!good || gap);

  logic                        valid_q;
  logic [WordW-1:0]            word_q;
  logic [weft_pkg::CountW-1:0] errors_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      expected_q <= '0;
      request_q  <= 1'b0;
      asked_q    <= 1'b0;
      valid_q    <= 1'b0;
      word_q     <= '0;
      errors_q   <= '0;
    end else begin
      expected_q <= expected;
      request_q  <= request;
      if (!good || gap || take) asked_q <= !take;
      valid_q    <= take;
      word_q     <= take ? word : '0;
      errors_q   <= errors_q + weft_pkg::CountW'(!good);
    end
  end

  weft_credit_tx #(
    .NumVc(NumVc),
    .Depth(Depth),
    .MoreW(SeqW + 1)
  ) u_credit_tx (
    .clk_i,
    .rst_ni,
    .credit_i(tx_credit_i),
    .add_vc_i(IdxW'(0)),
    .add_i   (CountW'(0)),
    .more_i  ({request, expected}),
    .back_o  (rx_back_o)
  );

  assign tx_valid_o = valid_q;
  assign {tx_last_o, tx_vc_o, tx_stamp_o, tx_data_o} = word_q;
  assign errors_o   = errors_q;

endmodule

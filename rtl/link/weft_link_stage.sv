// Registers of a long link: what the sender drives reaches the receiver `Stages` cycles later, and
// what the receiver returns (credits) the sender `Stages` cycles later. Nothing can be stopped on
// the way: with credits the receiver's buffer has a place for every word that is.

`include "weft_assert.svh"

module weft_link_stage #(
  /// Registers each way, cycles, 1 to 255.
  parameter int unsigned Stages = 1,
  /// Width of a word with its parity, bits.
  parameter int unsigned FlitW = 64,
  /// Width of the number of a VC, bits; 1 or more.
  parameter int unsigned VcW = 1,
  /// Lines that the receiver returns: a credit for each VC, or the bits of a back word.
  parameter int unsigned BackW = 1,
  /// Width of what protects a word, bits; 1, which is tied to 0, on links without protection.
  parameter int unsigned CheckW = 1,
  // Derived.
  localparam int unsigned StampW = weft_pkg::StampW
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
  /// From the sender: what protects the word.
  input  logic [CheckW-1:0] rx_check_i,
  /// To the sender: what the receiver returns.
  output logic [BackW-1:0]  rx_back_o,
  /// To the receiver: it carries a flit.
  output logic              tx_valid_o,
  /// To the receiver: it is the last of its packet.
  output logic              tx_last_o,
  /// To the receiver: the flit.
  output logic [FlitW-1:0]  tx_data_o,
  /// To the receiver: its VC.
  output logic [VcW-1:0]    tx_vc_o,
  /// To the receiver: its packet's stamp.
  output logic [StampW-1:0] tx_stamp_o,
  /// To the receiver: what protects the word.
  output logic [CheckW-1:0] tx_check_o,
  /// From the receiver: what it returns.
  input  logic [BackW-1:0]  tx_back_i
);

  `WEFT_PARAM(gen_check_stages, Stages >= 1 && Stages <= 255)
  `WEFT_PARAM(gen_check_widths, FlitW >= 1 && VcW >= 1 && BackW >= 1 && CheckW >= 1)

  localparam int unsigned WordW = 2 + FlitW + VcW + StampW + CheckW;

  // What enters, and above it the registers, the youngest lowest.
  logic [(Stages+1)*WordW-1:0] words;
  logic [(Stages+1)*BackW-1:0] backs;
  assign words[WordW-1:0] = {rx_valid_i, rx_last_i, rx_vc_i, rx_stamp_i, rx_check_i, rx_data_i};
  assign backs[BackW-1:0] = tx_back_i;

  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    logic [WordW-1:0] word_q;
    logic [BackW-1:0] back_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        word_q <= '0;
        back_q <= '0;
      end else begin
        word_q <= words[s*WordW +: WordW];
        back_q <= backs[s*BackW +: BackW];
      end
    end
    assign words[(s+1)*WordW +: WordW] = word_q;
    assign backs[(s+1)*BackW +: BackW] = back_q;
  end

  assign {tx_valid_o, tx_last_o, tx_vc_o, tx_stamp_o, tx_check_o, tx_data_o} =
      words[Stages*WordW +: WordW];
  assign rx_back_o = backs[Stages*BackW +: BackW];

  // A protected word need not be 0 where it carries no flit.
  `WEFT_ASSUME(SenderQuiet, CheckW > 1 || rx_valid_i ||
      {rx_last_i, rx_vc_i, rx_stamp_i, rx_check_i, rx_data_i} == '0)
  `WEFT_ASSERT(QuietWithoutWord, CheckW > 1 || tx_valid_o ||
      {tx_last_o, tx_vc_o, tx_stamp_o, tx_check_o, tx_data_o} == '0)

endmodule

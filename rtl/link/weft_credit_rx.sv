// Receives the back word of a protected link and returns its credits: each credit line of a good
// word, and those that the counts of later words show to be missing.

`include "weft_assert.svh"

module weft_credit_rx #(
  /// VCs of the link; 1 or more.
  parameter int unsigned NumVc = 1,
  /// Slots of a VC's buffer in the receiver; 1 or more.
  parameter int unsigned Depth = 4,
  /// Bits of another block in the word; 0 or more.
  parameter int unsigned MoreW = 0,
  /// Check code: 1 CRC, 0 interleaved parity.
  parameter bit          Crc = 1'b1,
  // Derived.
  localparam int unsigned IdxW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned MorePortW = MoreW > 0 ? MoreW : 1,
  localparam int unsigned CheckW = Crc ? 16 : 8,
  localparam int unsigned BackW = NumVc + IdxW + CountW + MoreW + CheckW
) (
  /// Clock.
  input  logic                 clk_i,
  /// Asynchronous reset, active low.
  input  logic                 rst_ni,
  /// The word, as `credit_tx` sends it; any bit may be wrong.
  input  logic [BackW-1:0]     back_i,
  /// Credits returned to the sender.
  output logic [NumVc-1:0]     credit_o,
  /// The word's check code is right. Combinational.
  output logic                 good_o,
  /// The word's bits of another block, good or not; 0 with `MoreW` 0. Combinational.
  output logic [MorePortW-1:0] more_o,
  /// Words that were not good since the first good one.
  output logic [weft_pkg::CountW-1:0] errors_o
);

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 1)
  `WEFT_PARAM(gen_check_depth, Depth >= 1)

  localparam int unsigned BodyW = BackW - CheckW;

  logic [NumVc-1:0]  credit;
  logic [IdxW-1:0]   vc;
  logic [CountW-1:0] count;
  logic [CheckW-1:0] check;
  assign credit = back_i[NumVc-1:0];
  assign vc     = back_i[NumVc +: IdxW];
  assign count  = back_i[NumVc+IdxW +: CountW];
  assign more_o = MoreW > 0 ? back_i[NumVc+IdxW+CountW +: MorePortW] : '0;

  weft_check_code #(
    .Width(BodyW),
    .Crc  (Crc)
  ) u_check (
    .data_i (back_i[BodyW-1:0]),
    .check_o(check)
  );
  assign good_o = check == ~back_i[BodyW +: CheckW];

  // Registers in the link show words of zeros after reset.
  logic                        started_q;
  logic [weft_pkg::CountW-1:0] errors_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      errors_q  <= '0;
    end else begin
      started_q <= started_q || good_o;
      errors_q  <= errors_q + weft_pkg::CountW'(started_q && !good_o);
    end
  end
  assign errors_o = errors_q;

  // Of each VC, modulo 2 ** CountW: what the receiver is known to have returned, with this word,
  // and what the sender got.
  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic [CountW-1:0] told_q, told, given_q;
    logic              give, credit_q;
    assign told = !good_o ? told_q : 32'(vc) == v ? count : told_q + CountW'(credit[v]);
    assign give = told != given_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        told_q   <= '0;
        given_q  <= '0;
        credit_q <= 1'b0;
      end else begin
        told_q   <= told;
        given_q  <= given_q + CountW'(give);
        credit_q <= give;
      end
    end
    assign credit_o[v] = credit_q;
  end

endmodule

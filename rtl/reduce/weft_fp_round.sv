// Last two steps of every floating-point result: normalization, which shifts the leading one of the
// significand to the top as far as the exponent allows, and rounding to nearest, ties to even.

`include "weft_assert.svh"

module weft_fp_round #(
  /// Exponent field of the format, bits: 2 to 8.
  parameter int unsigned ExpW = 8,
  /// Fraction field of the format, bits: 2 to 23.
  parameter int unsigned ManW = 23,
  /// Incoming significand, bits: `ManW` + 3 to 48.
  parameter int unsigned SigW = 48,
  // Derived.
  localparam int unsigned FpW = 1 + ExpW + ManW
) (
  /// Clock.
  input  logic                   clk_i,
  /// Asynchronous reset, active low.
  input  logic                   rst_ni,
  /// Sign of the exact value.
  input  logic                   sign_i,
  /// Exponent of the significand's highest bit, with the format's bias.
  input  logic signed [ExpW+1:0] exp_i,
  /// Significand; its lowest bit is sticky: set where the caller dropped a 1 below it.
  input  logic [SigW-1:0]        sig_i,
  /// The value of the cycle before, rounded; combinational from registers.
  output logic [FpW-1:0]         result_o
);

  `WEFT_PARAM(gen_check_exp_w, ExpW >= 2 && ExpW <= 8)
  `WEFT_PARAM(gen_check_man_w, ManW >= 2 && ManW <= 23)
  `WEFT_PARAM(gen_check_sig_w, SigW >= ManW + 3 && SigW <= 48)

  localparam int unsigned CountW = $clog2(SigW + 1);
  localparam int unsigned WideW  = ExpW + 2;
  localparam int unsigned AmtW   = CountW > WideW ? CountW : WideW;

  // Leading zeros; by how much the exponent may decrease (below 0: must increase).
  logic [CountW-1:0] zeros;
  logic [WideW-1:0]  max_shift;
  logic              below;
  logic [AmtW-1:0]   amount;
  logic [SigW-1:0]   shifted, lost;

  always_comb begin
    zeros = CountW'(SigW);
    for (int unsigned i = 0; i < SigW; i++) begin
      if (sig_i[i]) zeros = CountW'(SigW - 1 - i);
    end
  end

  assign max_shift = $unsigned(exp_i) - WideW'(1);
  assign below     = max_shift[WideW-1];
  always_comb begin
    if (below) amount = AmtW'(WideW'(0) - max_shift);
    else if (AmtW'(zeros) < AmtW'(max_shift)) amount = AmtW'(zeros);
    else amount = AmtW'(max_shift);
  end
  assign shifted = below ? sig_i >> amount : sig_i << amount;
  assign lost    = below ? sig_i & ~({SigW{1'b1}} << amount) : '0;

  // Exponent and fraction fields of the format; the first bit below them, and the OR of the others.
  logic              sign_q, half_q, more_q;
  logic [ExpW:0]     exp_q, exp_d;
  logic [ManW-1:0]   man_q;
  assign exp_d = shifted[SigW-1] ? (ExpW+1)'(AmtW'($unsigned(exp_i)) - amount) : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sign_q <= 1'b0;
      exp_q  <= '0;
      man_q  <= '0;
      half_q <= 1'b0;
      more_q <= 1'b0;
    end else begin
      sign_q <= sign_i;
      exp_q  <= exp_d;
      man_q  <= shifted[SigW-2 -: ManW];
      half_q <= shifted[SigW-ManW-2];
      more_q <= shifted[SigW-ManW-3:0] != '0 || lost != '0;
    end
  end

  // A carry out of the fraction increments the exponent; the maximum exponent is infinity.
  logic [ExpW+ManW-1:0] rounded;
  logic                 too_large;
  assign rounded   = {exp_q[ExpW-1:0], man_q} + (ExpW+ManW)'(half_q && (more_q || man_q[0]));
  assign too_large = exp_q[ExpW] || (&exp_q[ExpW-1:0]);
  assign result_o  = {sign_q, too_large ? {{ExpW{1'b1}}, {ManW{1'b0}}} : rounded};

  `WEFT_ASSUME(ExponentAboveLeast, $unsigned(exp_i) != {1'b1, {(ExpW+1){1'b0}}})

endmodule

// Sum or product of two floating-point elements (IEEE 754, to nearest, ties to even, subnormals
// kept). The alignment of a sum's smaller operand and the multiplication of a product are in
// parallel; one unit rounds both.

`include "weft_assert.svh"

module weft_fp_element #(
  /// Exponent field of the format, bits: 2 to 8.
  parameter int unsigned ExpW = 8,
  /// Fraction field of the format, bits: 3 to 23; with the hidden bit a multiple of 4.
  parameter int unsigned ManW = 23,
  // Derived.
  localparam int unsigned FpW = 1 + ExpW + ManW
) (
  /// Clock.
  input  logic           clk_i,
  /// Asynchronous reset, active low.
  input  logic           rst_ni,
  /// Product, not sum.
  input  logic           prod_i,
  /// First operand.
  input  logic [FpW-1:0] a_i,
  /// Second operand.
  input  logic [FpW-1:0] b_i,
  /// Result of four cycles before; combinational from registers.
  output logic [FpW-1:0] result_o
);

  localparam int unsigned SigW  = ManW + 1;
  localparam int unsigned ProdW = 2 * SigW;
  localparam int unsigned WideW = ExpW + 2;
  // Below the significand the smaller operand of a sum keeps two guard bits and a sticky bit.
  localparam int unsigned SmallW = SigW + 3;
  localparam logic [WideW-1:0] Bias = WideW'((1 << (ExpW - 1)) - 1);

  // First cycle: fields, order by magnitude, special values.
  logic [ExpW-1:0] a_exp, b_exp, large_exp, distance;
  logic [ManW-1:0] a_man, b_man;
  logic [SigW-1:0] a_sig, b_sig;
  logic            a_sign, b_sign, a_low, b_low, a_zero, b_zero, a_inf, b_inf, a_nan, b_nan;
  logic            b_larger, same, differ, nan, sign;
  logic [WideW-1:0] exp;

  assign a_sign = a_i[FpW-1];
  assign b_sign = b_i[FpW-1];
  // An exponent field of 0 means the exponent of 1 without the hidden bit.
  assign a_low  = a_i[ManW +: ExpW] == '0;
  assign b_low  = b_i[ManW +: ExpW] == '0;
  assign a_exp  = a_i[ManW +: ExpW] | ExpW'(a_low);
  assign b_exp  = b_i[ManW +: ExpW] | ExpW'(b_low);
  assign a_man  = a_i[ManW-1:0];
  assign b_man  = b_i[ManW-1:0];
  assign a_sig  = {!a_low, a_man};
  assign b_sig  = {!b_low, b_man};
  assign a_zero = a_low && a_man == '0;
  assign b_zero = b_low && b_man == '0;
  assign a_inf  = (&a_exp) && a_man == '0;
  assign b_inf  = (&b_exp) && b_man == '0;
  assign a_nan  = (&a_exp) && a_man != '0;
  assign b_nan  = (&b_exp) && b_man != '0;

  assign b_larger  = b_i[FpW-2:0] > a_i[FpW-2:0];
  assign same      = b_i[FpW-2:0] == a_i[FpW-2:0];
  assign differ    = a_sign != b_sign;
  assign large_exp = b_larger ? b_exp : a_exp;
  assign distance  = b_larger ? b_exp - a_exp : a_exp - b_exp;

  // Exponent of the bit above the highest of a sum, and of the highest of a product. Operands that
  // cancel give +0.
  always_comb begin
    if (prod_i) begin
      sign = differ;
      nan  = a_nan || b_nan || (a_inf && b_zero) || (a_zero && b_inf);
      exp  = WideW'(a_exp) + WideW'(b_exp) - Bias + WideW'(1);
    end else begin
      sign = (b_larger ? b_sign : a_sign) && !(same && differ);
      nan  = a_nan || b_nan || (a_inf && b_inf && differ);
      exp  = WideW'(large_exp) + WideW'(1);
    end
  end

  // Of each of the first three stages: product, sign, NaN, infinity, exponent.
  localparam int unsigned SideW = 4 + WideW;
  logic [SideW-1:0] side1_q, side2_q, side3_q;
  logic             minus1_q, minus2_q;
  logic [SigW-1:0]  large1_q, large2_q, small1_q;
  logic [ExpW-1:0]  distance1_q;

  // Second cycle: the smaller operand is aligned.
  logic [SmallW-1:0] small_full, small_d, small2_q;
  assign small_full = {small1_q, 3'b0};
  assign small_d    = (small_full >> distance1_q) |
                      SmallW'((small_full & ~({SmallW{1'b1}} << distance1_q)) != '0);

  // Third cycle: the sum, with a carry.
  logic [SmallW:0] sum_d, sum3_q;
  assign sum_d = minus2_q ? {1'b0, large2_q, 3'b0} - {1'b0, small2_q} :
                            {1'b0, large2_q, 3'b0} + {1'b0, small2_q};

  logic nan4_q, inf4_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      side1_q     <= '0;
      minus1_q    <= 1'b0;
      large1_q    <= '0;
      small1_q    <= '0;
      distance1_q <= '0;
      side2_q     <= '0;
      minus2_q    <= 1'b0;
      large2_q    <= '0;
      small2_q    <= '0;
      side3_q     <= '0;
      sum3_q      <= '0;
      nan4_q      <= 1'b0;
      inf4_q      <= 1'b0;
    end else begin
      side1_q     <= {prod_i, sign, nan, a_inf || b_inf, exp};
      minus1_q    <= differ;
      large1_q    <= b_larger ? b_sig : a_sig;
      small1_q    <= b_larger ? a_sig : b_sig;
      distance1_q <= distance;
      side2_q     <= side1_q;
      minus2_q    <= minus1_q;
      large2_q    <= large1_q;
      small2_q    <= small_d;
      side3_q     <= side2_q;
      sum3_q      <= sum_d;
      nan4_q      <= side3_q[WideW+1];
      inf4_q      <= side3_q[WideW];
    end
  end

  logic [ProdW-1:0] product, sig;
  weft_multiplier #(
    .FactorW(SigW),
    .ProdW  (ProdW)
  ) u_multiplier (
    .clk_i,
    .rst_ni,
    .a_i      (a_sig),
    .b_i      (b_sig),
    .product_o(product)
  );

  // Fourth and fifth cycle: normalization, rounding.
  logic [FpW-1:0] rounded;
  assign sig = side3_q[WideW+3] ? product : {sum3_q, {(ProdW-SmallW-1){1'b0}}};
  weft_fp_round #(
    .ExpW(ExpW),
    .ManW(ManW),
    .SigW(ProdW)
  ) u_round (
    .clk_i,
    .rst_ni,
    .sign_i  (side3_q[WideW+2]),
    .exp_i   ($signed(side3_q[WideW-1:0])),
    .sig_i   (sig),
    .result_o(rounded)
  );

  assign result_o = nan4_q ? {1'b0, {ExpW{1'b1}}, 1'b1, {(ManW-1){1'b0}}} :
                    inf4_q ? {rounded[FpW-1], {ExpW{1'b1}}, {ManW{1'b0}}} : rounded;

endmodule

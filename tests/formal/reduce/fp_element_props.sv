// Proof of sum and product in a small format: no other number of the format is nearer to the exact
// result, and of two that are equally near the even one is returned; zeros, infinities and NaNs are
// as IEEE 754 has them. Values are whole numbers of one unit: nothing is aligned or rounded here.

`include "weft_assert.svh"

module fp_element_props #(
  parameter int unsigned ExpW = 3,
  parameter int unsigned ManW = 3,
  localparam int unsigned FpW = 1 + ExpW + ManW,
  localparam int unsigned MagW = ExpW + ManW
) (
  input logic           clk_i,
  input logic           rst_ni,
  input logic           prod_i,
  input logic [FpW-1:0] a_i,
  input logic [FpW-1:0] b_i
);

  logic [FpW-1:0] result;
  weft_fp_element #(
    .ExpW(ExpW),
    .ManW(ManW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .prod_i,
    .a_i,
    .b_i,
    .result_o(result)
  );

  // Inputs of four cycles before.
  localparam int unsigned InW = 1 + 2 * FpW;
  logic [4*InW-1:0] past_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) past_q <= '0;
    else past_q <= (4*InW)'({past_q, prod_i, a_i, b_i});
  end
  logic            prod, sign;
  logic [FpW-1:0]  a, b;
  logic [MagW-1:0] number;
  assign {prod, a, b}   = past_q[3*InW +: InW];
  assign {sign, number} = result;

  localparam logic [MagW-1:0] Infinity = {{ExpW{1'b1}}, {ManW{1'b0}}};
  logic a_nan, b_nan, a_inf, b_inf, a_zero, b_zero, nan, inf;
  assign a_nan  = a[MagW-1:0] > Infinity;
  assign b_nan  = b[MagW-1:0] > Infinity;
  assign a_inf  = a[MagW-1:0] == Infinity;
  assign b_inf  = b[MagW-1:0] == Infinity;
  assign a_zero = a[MagW-1:0] == '0;
  assign b_zero = b[MagW-1:0] == '0;
  assign nan = a_nan || b_nan ||
      (prod ? (a_inf && b_zero) || (a_zero && b_inf) : a_inf && b_inf && a[MagW] != b[MagW]);
  assign inf = !nan && (a_inf || b_inf);

  // A magnitude in units of the smallest subnormal.
  localparam int unsigned ValueW = 2 * ((1 << ExpW) + ManW) + 2;
  logic [5*MagW+4:0]   numbers;
  logic [5*ValueW-1:0] values;
  assign numbers = {{1'b0, number} + 1'b1, {1'b0, number}, {1'b0, number} - 1'b1,
                    {1'b0, b[MagW-1:0]}, {1'b0, a[MagW-1:0]}};
  for (genvar n = 0; n < 5; n++) begin : gen_value
    logic [MagW:0] at;
    logic [ExpW:0] exp;
    assign at  = numbers[n*(MagW+1) +: MagW+1];
    assign exp = at[MagW:ManW];
    assign values[n*ValueW +: ValueW] = exp == '0 ? ValueW'(at[ManW-1:0]) :
        ValueW'({1'b1, at[ManW-1:0]}) << (exp - 1'b1);
  end

  // The exact result's magnitude and sign; a product's unit is smaller by 2^Scale.
  localparam int unsigned Scale = (1 << (ExpW - 1)) - 2 + ManW;
  logic [ValueW-1:0] a_value, b_value, exact, unit_below, unit_here, unit_above;
  logic              exact_sign;
  assign a_value    = values[0 +: ValueW];
  assign b_value    = values[ValueW +: ValueW];
  assign unit_below = values[2*ValueW +: ValueW] << (prod ? Scale : 0);
  assign unit_here  = values[3*ValueW +: ValueW] << (prod ? Scale : 0);
  assign unit_above = values[4*ValueW +: ValueW] << (prod ? Scale : 0);
  always_comb begin
    exact_sign = a[MagW];
    if (prod) begin
      exact      = a_value * b_value;
      exact_sign = a[MagW] ^ b[MagW];
    end else if (a[MagW] == b[MagW]) begin
      exact = a_value + b_value;
    end else if (a_value >= b_value) begin
      exact      = a_value - b_value;
      exact_sign = a[MagW] && a_value != b_value;
    end else begin
      exact      = b_value - a_value;
      exact_sign = b[MagW];
    end
  end

  logic [ValueW:0] below, above, twice;
  assign below = {1'b0, unit_below} + {1'b0, unit_here};
  assign above = {1'b0, unit_here} + {1'b0, unit_above};
  assign twice = {exact, 1'b0};
  `WEFT_ASSERT(OneNan, !nan || result == {1'b0, {ExpW{1'b1}}, 1'b1, {(ManW-1){1'b0}}})
  `WEFT_ASSERT(InfinityStays, !inf || number == Infinity)
  `WEFT_ASSERT(SignOfInfinity, !inf || sign == (prod ? a[MagW] ^ b[MagW] : a_inf ? a[MagW] :
      b[MagW]))
  `WEFT_ASSERT(SignExact, nan || inf || sign == exact_sign)
  `WEFT_ASSERT(NeverNanOfNumbers, nan || number <= Infinity)
  `WEFT_ASSERT(NotNearerBelow, nan || inf || number == '0 || twice > below ||
      (twice == below && !number[0]))
  `WEFT_ASSERT(NotNearerAbove, nan || inf || number == Infinity || twice < above ||
      (twice == above && !number[0]))

endmodule

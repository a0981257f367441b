// Proof of the rounding: in a small format no other number of the format is nearer to the exact
// value, and of two that are equally near the even one is taken. Values are whole numbers of one
// unit, so nothing is shifted, counted or rounded here.

`include "weft_assert.svh"

module fp_round_props #(
  parameter int unsigned ExpW = 3,
  parameter int unsigned ManW = 3,
  parameter int unsigned SigW = 8,
  localparam int unsigned FpW = 1 + ExpW + ManW
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   sign_i,
  input logic signed [ExpW+1:0] exp_i,
  input logic [SigW-1:0]        sig_i
);

  logic [FpW-1:0] result;
  weft_fp_round #(
    .ExpW(ExpW),
    .ManW(ManW),
    .SigW(SigW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .sign_i,
    .exp_i,
    .sig_i,
    .result_o(result)
  );

  // The least exponent allowed, whose lowest significand bit is the unit.
  localparam int unsigned Least = (1 << (ExpW + 1)) - 1;
  localparam int unsigned ValueW = (1 << (ExpW + 2)) + SigW;

  logic              sign_q;
  logic [ValueW-1:0] value_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sign_q  <= 1'b0;
      value_q <= '0;
    end else begin
      sign_q  <= sign_i;
      value_q <= ValueW'(sig_i) << ((ExpW+2)'(Least) + $unsigned(exp_i));
    end
  end

  // The result's magnitude counts the numbers of the format from 0; infinity follows the largest.
  logic [ExpW+ManW-1:0] number;
  assign number = result[ExpW+ManW-1:0];
  `WEFT_ASSERT(SignKept, result[FpW-1] == sign_q)
  `WEFT_ASSERT(NeverNan, number <= {{ExpW{1'b1}}, {ManW{1'b0}}})

  // Values of the result and of the numbers beside it: [0] below, [1] itself, [2] above.
  logic [3*ValueW-1:0] values;
  for (genvar n = 0; n < 3; n++) begin : gen_value
    logic [ExpW+ManW:0] at;
    logic [ExpW:0]      exp;
    assign at  = {1'b0, number} + (ExpW+ManW+1)'(n) - 1'b1;
    assign exp = at[ExpW+ManW:ManW];
    assign values[n*ValueW +: ValueW] =
        (exp == '0 ? ValueW'(at[ManW-1:0]) : ValueW'({1'b1, at[ManW-1:0]}) << (exp - 1'b1)) <<
        (Least + SigW - ManW);
  end
  logic [ValueW:0] below, above, twice;
  assign below = {1'b0, values[0 +: ValueW]} + {1'b0, values[ValueW +: ValueW]};
  assign above = {1'b0, values[ValueW +: ValueW]} + {1'b0, values[2*ValueW +: ValueW]};
  assign twice = {value_q, 1'b0};
  `WEFT_ASSERT(NotNearerBelow, number == '0 || twice > below || (twice == below && !number[0]))
  `WEFT_ASSERT(NotNearerAbove, (&number[ManW +: ExpW]) || twice < above ||
      (twice == above && !number[0]))

endmodule

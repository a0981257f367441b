// Proof of the division of means with narrow elements: an integer's quotient is the largest whose
// multiple does not exceed the magnitude; no number of the format is nearer to a floating-point
// quotient, and of two that are equally near the even one is taken. Nothing is divided here.

`include "weft_assert.svh"

module mean_div_props #(
  parameter int unsigned ExpW = 3,
  parameter int unsigned ManW = 4,
  parameter int unsigned DivW = 3,
  localparam int unsigned LaneW = 1 + ExpW + ManW,
  localparam int unsigned WordW = 2 * LaneW,
  localparam int unsigned MagW = LaneW - 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             divide_i,
  input logic             fp_i,
  input logic             wide_i,
  input logic [DivW-1:0]  count_i,
  input logic [WordW-1:0] word_i
);

  logic [WordW-1:0] result;
  weft_mean_div #(
    .ExpW(ExpW),
    .ManW(ManW),
    .DivW(DivW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .divide_i,
    .fp_i,
    .wide_i,
    .count_i,
    .word_i,
    .result_o(result)
  );

  // Inputs of the latency before.
  localparam int unsigned Latency = LaneW / 2 + 2;
  localparam int unsigned InW = 3 + DivW + WordW;
  logic [Latency*InW-1:0] past_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) past_q <= '0;
    else past_q <= (Latency*InW)'({past_q, divide_i, fp_i, wide_i, count_i, word_i});
  end
  logic             divide, fp, wide;
  logic [DivW-1:0]  count, divisor;
  logic [WordW-1:0] word;
  assign {divide, fp, wide, count, word} = past_q[(Latency-1)*InW +: InW];
  assign divisor = (count == '0) ? DivW'(1) : count;

  `WEFT_ASSERT(PassesUnchanged, divide || result == word)

  // Whole word as one integer.
  logic [WordW-1:0]      size, quotient;
  logic [WordW+DivW:0]   multiple;
  assign size     = word[WordW-1] ? -word : word;
  assign quotient = word[WordW-1] ? -result : result;
  assign multiple = (WordW+DivW+1)'(quotient) * (WordW+DivW+1)'(divisor);
  `WEFT_ASSERT(WideQuotient, !(divide && wide) || (multiple <= (WordW+DivW+1)'(size) &&
      (WordW+DivW+1)'(size) < multiple + (WordW+DivW+1)'(divisor)))

  localparam logic [MagW-1:0] Infinity = {{ExpW{1'b1}}, {ManW{1'b0}}};
  localparam int unsigned ValueW = (1 << ExpW) + ManW + DivW + 2;
  for (genvar l = 0; l < 2; l++) begin : gen_lane
    logic [LaneW-1:0]    from, to, lane_size, lane_quotient;
    logic [LaneW+DivW:0] lane_multiple;
    assign from = word[l*LaneW +: LaneW];
    assign to   = result[l*LaneW +: LaneW];
    assign lane_size     = from[LaneW-1] ? -from : from;
    assign lane_quotient = from[LaneW-1] ? -to : to;
    assign lane_multiple = (LaneW+DivW+1)'(lane_quotient) * (LaneW+DivW+1)'(divisor);
    `WEFT_ASSERT(LaneQuotient, !divide || wide || fp ||
        (lane_multiple <= (LaneW+DivW+1)'(lane_size) &&
        (LaneW+DivW+1)'(lane_size) < lane_multiple + (LaneW+DivW+1)'(divisor)))

    // Values in units of the smallest subnormal: the operand, and the result with those beside it.
    logic [4*(MagW+1)-1:0] numbers;
    logic [4*ValueW-1:0]   values;
    logic [ValueW-1:0]     below, above, twice;
    assign numbers = {{1'b0, to[MagW-1:0]} + 1'b1, {1'b0, to[MagW-1:0]},
                      {1'b0, to[MagW-1:0]} - 1'b1, {1'b0, from[MagW-1:0]}};
    for (genvar n = 0; n < 4; n++) begin : gen_value
      logic [MagW:0] at;
      logic [ExpW:0] exp;
      assign at  = numbers[n*(MagW+1) +: MagW+1];
      assign exp = at[MagW:ManW];
      assign values[n*ValueW +: ValueW] = exp == '0 ? ValueW'(at[ManW-1:0]) :
          ValueW'({1'b1, at[ManW-1:0]}) << (exp - 1'b1);
    end
    assign below = (values[ValueW +: ValueW] + values[2*ValueW +: ValueW]) * ValueW'(divisor);
    assign above = (values[2*ValueW +: ValueW] + values[3*ValueW +: ValueW]) * ValueW'(divisor);
    assign twice = values[0 +: ValueW] << 1;
    `WEFT_ASSERT(SpecialStays, !divide || !fp || from[MagW-1:0] < Infinity || to == from)
    `WEFT_ASSERT(SignStays, !divide || !fp || to[LaneW-1] == from[LaneW-1])
    `WEFT_ASSERT(NotNearerBelow, !divide || !fp || from[MagW-1:0] >= Infinity ||
        to[MagW-1:0] == '0 || twice > below || (twice == below && !to[0]))
    `WEFT_ASSERT(NotNearerAbove, !divide || !fp || from[MagW-1:0] >= Infinity ||
        (to[MagW-1:0] < Infinity && (twice < above || (twice == above && !to[0]))))
  end

endmodule

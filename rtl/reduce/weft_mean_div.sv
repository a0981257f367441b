// Divides the elements of a word by a count: one array of restoring division, four quotient bits a
// stage. A word has two lanes; the remainder of the upper one is carried into the lower one where
// the word is one integer. Significands and the divisor of floating-point elements are normalized,
// so that a quotient has its leading one in the highest two bits of its lane.

`include "weft_assert.svh"

module weft_mean_div #(
  /// Exponent field of floating-point elements, bits: 2 to 8, and 2^(`ExpW`+1) above
  /// `ManW` + `DivW` - 2.
  parameter int unsigned ExpW = 8,
  /// Fraction field of floating-point elements, bits: 2 to 23; with sign and exponent a multiple
  /// of 4.
  parameter int unsigned ManW = 23,
  /// Divisor, bits: 2 to `ManW` + 1.
  parameter int unsigned DivW = weft_pkg::MeanCountW,
  // Derived.
  localparam int unsigned LaneW = 1 + ExpW + ManW
) (
  /// Clock.
  input  logic               clk_i,
  /// Asynchronous reset, active low.
  input  logic               rst_ni,
  /// The word is divided; else it passes unchanged.
  input  logic               divide_i,
  /// Its elements are floating-point numbers.
  input  logic               fp_i,
  /// It is one integer, not two elements; not with `fp_i`.
  input  logic               wide_i,
  /// Divisor; 0 counts as 1.
  input  logic [DivW-1:0]    count_i,
  /// Word, the first element lowest.
  input  logic [2*LaneW-1:0] word_i,
  /// Result of `LaneW` / 2 + 2 cycles before; combinational from registers.
  output logic [2*LaneW-1:0] result_o
);

  `WEFT_PARAM(gen_check_div_w, DivW >= 2 && DivW <= ManW + 1)
  `WEFT_PARAM(gen_check_lane_w, LaneW % 4 == 0)
  // A quotient's exponent is at least 2 - ManW - DivW, which must be in the range of fp_round.
  `WEFT_PARAM(gen_check_exp_w, ManW + DivW < 2 + (1 << (ExpW + 1)))

  localparam int unsigned SigW     = ManW + 1;
  localparam int unsigned WordW    = 2 * LaneW;
  localparam int unsigned NumStage = WordW / 4;
  localparam int unsigned WideW    = ExpW + 2;
  // Pipelined beside a lane: it is rounded, its sign, its exponent.
  localparam int unsigned SideW = 2 + WideW;

  // Negates the lanes separately, or both as one number (`whole`).
  function automatic logic [WordW-1:0] signed_word(input logic [WordW-1:0] word,
                                                   input logic [1:0] negate, input logic whole);
    logic [LaneW:0]   low;
    logic [LaneW-1:0] high;
    low  = {1'b0, word[LaneW-1:0] ^ {LaneW{negate[0]}}} + (LaneW+1)'(negate[0]);
    high = (word[LaneW +: LaneW] ^ {LaneW{negate[1]}}) +
           LaneW'((whole && low[LaneW]) || (!whole && negate[1]));
    signed_word = {high, low[LaneW-1:0]};
  endfunction

  // First cycle: magnitudes of integers; normalized significands and divisor.
  localparam int unsigned DivCountW = $clog2(DivW);
  localparam int unsigned SigCountW = $clog2(SigW);
  logic [DivW-1:0]      divisor, normal_divisor;
  logic [DivCountW-1:0] div_zeros;
  logic [1:0]           minus, divide_d;
  logic [WordW-1:0]     magnitude, word_d;
  logic [2*DivW-1:0]    rest_d;
  logic [2*SideW-1:0]   side_d;

  assign divisor = (count_i == '0) ? DivW'(1) : count_i;
  always_comb begin
    div_zeros = '0;
    for (int unsigned i = 0; i < DivW; i++) begin
      if (divisor[i]) div_zeros = DivCountW'(DivW - 1 - i);
    end
  end
  assign normal_divisor = divisor << div_zeros;
  assign minus = {2{divide_i}} & {word_i[WordW-1], word_i[wide_i ? WordW-1 : LaneW-1]};
  assign magnitude = signed_word(word_i, minus, wide_i);

  for (genvar l = 0; l < 2; l++) begin : gen_lane
    logic [LaneW-1:0]     element;
    logic                 low, number, round;
    logic [SigW-1:0]      sig, normal;
    logic [SigCountW-1:0] zeros;
    logic [WideW-1:0]     exp;
    assign element = word_i[l*LaneW +: LaneW];
    assign low     = element[ManW +: ExpW] == '0;
    assign sig     = {!low, element[ManW-1:0]};
    // Not infinity, NaN or zero, which pass unchanged.
    assign number  = !(&element[ManW +: ExpW]) && sig != '0;
    assign round   = divide_i && fp_i && number;
    always_comb begin
      zeros = '0;
      for (int unsigned i = 0; i < SigW; i++) begin
        if (sig[i]) zeros = SigCountW'(SigW - 1 - i);
      end
    end
    assign normal = sig << zeros;
    assign exp    = WideW'(element[ManW +: ExpW]) + WideW'(low) - WideW'(zeros) +
                    WideW'(div_zeros) - WideW'(DivW - 1);
    assign divide_d[l] = divide_i && (number || !fp_i);
    // The highest bits of a significand are the initial remainder.
    assign rest_d[l*DivW +: DivW] = round ? {1'b0, normal[SigW-1 -: DivW-1]} : '0;
    assign word_d[l*LaneW +: LaneW] =
        round ? LaneW'(normal[SigW-DivW:0]) << (LaneW + DivW - 1 - SigW) :
        fp_i ? element : magnitude[l*LaneW +: LaneW];
    assign side_d[l*SideW +: SideW] = {round, minus[l] && (round || !fp_i), exp};
  end

  // Division: stage s reads element s of the pipeline registers; the last element is the quotient.
  // A stage shifts the highest bits out of the word, and quotient bits in from below.
  localparam int unsigned NumUpper = NumStage / 2;
  logic [(NumStage+1)*WordW-1:0]   word_q, word_next;
  logic [(NumStage+1)*DivW-1:0]    rest_q, rest_next;
  logic [NumStage*DivW-1:0]        div_q;
  logic [(NumUpper+1)*DivW-1:0]    lower_rest_q;
  logic [NumUpper-1:0]             upper_divide_q, upper_left_q;
  logic [NumStage-1:0]             lower_divide_q;
  logic [NumStage:0]               wide_q;
  logic [(NumStage+1)*2*SideW-1:0] side_q;

  assign word_next[WordW-1:0] = word_d;
  assign rest_next[DivW-1:0]  = rest_d[DivW +: DivW];

  for (genvar s = 0; s < NumStage; s++) begin : gen_stage
    logic [WordW-1:0] word;
    logic [DivW-1:0]  start, stage_div;
    logic [3:0]       fits;
    logic             divide;
    if (s < NumUpper) begin : gen_upper
      assign divide = upper_divide_q[s];
    end else begin : gen_lower
      assign divide = lower_divide_q[s];
    end
    // The lower lane starts with its own remainder, or with that of the upper lane.
    if (s == NumUpper) begin : gen_change
      assign start = wide_q[s] ? rest_q[s*DivW +: DivW] : lower_rest_q[s*DivW +: DivW];
    end else begin : gen_go_on
      assign start = rest_q[s*DivW +: DivW];
    end
    assign stage_div = div_q[s*DivW +: DivW];
    assign word      = word_q[s*WordW +: WordW];
    for (genvar i = 0; i < 4; i++) begin : gen_bit
      logic [DivW-1:0] from, rest;
      logic [DivW:0]   part;
      if (i == 0) begin : gen_first
        assign from = start;
      end else begin : gen_next
        assign from = gen_bit[i-1].rest;
      end
      assign part      = {from, word[WordW-1-i]};
      assign fits[3-i] = part >= {1'b0, stage_div};
      assign rest      = fits[3-i] ? DivW'(part - {1'b0, stage_div}) : part[DivW-1:0];
    end
    assign word_next[(s+1)*WordW +: WordW] =
        {word[WordW-5:0], divide ? fits : word[WordW-1 -: 4]};
    assign rest_next[(s+1)*DivW +: DivW] = gen_bit[3].rest;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q         <= '0;
      rest_q         <= '0;
      div_q          <= '0;
      lower_rest_q   <= '0;
      upper_divide_q <= '0;
      lower_divide_q <= '0;
      upper_left_q   <= '0;
      wide_q         <= '0;
      side_q         <= '0;
    end else begin
      word_q         <= word_next;
      rest_q         <= rest_next;
      div_q          <= (NumStage*DivW)'({div_q, fp_i ? normal_divisor : divisor});
      lower_rest_q   <= ((NumUpper+1)*DivW)'({lower_rest_q, rest_d[DivW-1:0]});
      upper_divide_q <= NumUpper'({upper_divide_q, divide_d[1]});
      lower_divide_q <= NumStage'({lower_divide_q, divide_d[0]});
      upper_left_q   <= NumUpper'({upper_left_q, rest_q[NumUpper*DivW +: DivW] != '0});
      wide_q         <= (NumStage+1)'({wide_q, wide_i});
      side_q         <= ((NumStage+1)*2*SideW)'({side_q, side_d});
    end
  end

  // After the division: signs of integers, first step of rounding.
  logic [WordW-1:0]   quotient;
  logic [2*SideW-1:0] side;
  logic [1:0]         left, round, round_q;
  logic [WordW-1:0]   whole_d, whole_q;
  assign quotient = word_q[NumStage*WordW +: WordW];
  assign side     = side_q[NumStage*2*SideW +: 2*SideW];
  assign left     = {upper_left_q[NumUpper-1], rest_q[NumStage*DivW +: DivW] != '0};
  assign round    = {side[2*SideW-1], side[SideW-1]};
  assign whole_d  = signed_word(quotient, {side[2*SideW-2], side[SideW-2]}, wide_q[NumStage]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      whole_q <= '0;
      round_q <= '0;
    end else begin
      whole_q <= whole_d;
      round_q <= round;
    end
  end

  for (genvar l = 0; l < 2; l++) begin : gen_result
    logic [LaneW-1:0] rounded;
    weft_fp_round #(
      .ExpW(ExpW),
      .ManW(ManW),
      .SigW(LaneW + 1)
    ) u_round (
      .clk_i,
      .rst_ni,
      .sign_i  (side[l*SideW+SideW-2]),
      .exp_i   ($signed(side[l*SideW +: WideW])),
      .sig_i   ({quotient[l*LaneW +: LaneW], left[l]}),
      .result_o(rounded)
    );
    assign result_o[l*LaneW +: LaneW] = round_q[l] ? rounded : whole_q[l*LaneW +: LaneW];
  end

  `WEFT_ASSUME(WideIsInteger, !(wide_i && fp_i))
  for (genvar s = 0; s < NumStage; s++) begin : gen_checked
    // The divisor is 0 only before the first word since reset.
    `WEFT_ASSERT(RestBelowDivisor, div_q[s*DivW +: DivW] == '0 ?
        rest_q[s*DivW +: DivW] == '0 : rest_q[s*DivW +: DivW] < div_q[s*DivW +: DivW])
  end

endmodule

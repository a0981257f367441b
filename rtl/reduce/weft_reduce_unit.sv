// Aggregation arithmetic on a stream (seed 003): combines a word from memory with an
// incoming one, a pair in each cycle, with fixed latency. Integer sums, maxima and minima are
// computed in the first cycle, products and floating-point sums in parallel stages; for means a
// divider follows.

`include "weft_assert.svh"

module weft_reduce_unit (
  /// Clock.
  input  logic                             clk_i,
  /// Asynchronous reset, active low.
  input  logic                             rst_ni,
  /// A pair of words enters.
  input  logic                             valid_i,
  /// The stream may hold means: every word takes `MeanLatency` cycles, not `ReduceLatency`. Static
  /// while a word is inside.
  input  logic                             mean_i,
  /// Operation; `OpMean` only with `mean_i`.
  input  logic [weft_pkg::ReduceOpW-1:0]   op_i,
  /// Type of the words' elements.
  input  logic [weft_pkg::ReduceTypeW-1:0] type_i,
  /// Divisor of a mean; 0 counts as 1.
  input  logic [weft_pkg::MeanCountW-1:0]  count_i,
  /// Word from memory.
  input  logic [63:0]                      held_i,
  /// Incoming word.
  input  logic [63:0]                      word_i,
  /// A result leaves.
  output logic                             valid_o,
  /// The result; 0 without.
  output logic [63:0]                      word_o
);

  localparam int unsigned CountW  = weft_pkg::MeanCountW;
  localparam int unsigned Latency = weft_pkg::ReduceLatency;
  localparam int unsigned Longest = weft_pkg::MeanLatency;

  // First cycle: all that needs at most an addition.
  logic        fp, wide, product, arith;
  logic [63:0] early_d;

  assign fp      = type_i == weft_pkg::TypeFp32;
  assign wide    = type_i == weft_pkg::TypeInt64;
  assign product = op_i == weft_pkg::OpProd;
  // Computed by the floating-point units.
  assign arith   = fp && (product || op_i == weft_pkg::OpSum || op_i == weft_pkg::OpMean);

  weft_compare_add u_compare_add (
    .op_i,
    .type_i,
    .a_i     (held_i),
    .b_i     (word_i),
    .result_o(early_d)
  );

  // Pipelined beside a word up to the division.
  localparam int unsigned SideW = 5 + CountW;
  logic [5*SideW-1:0] side_q;
  logic [SideW-1:0]   side4;
  logic [3*64-1:0]    early_q;
  logic [63:0]        late_d, late_q, result, result_q;
  logic               product3, wide3;

  // Integer products: of the halves, and cross products where the word is one number.
  logic [63:0] low_product;
  logic [31:0] high_product, cross_a, cross_b, upper;
  weft_multiplier #(
    .FactorW(32),
    .ProdW  (64)
  ) u_low (
    .clk_i,
    .rst_ni,
    .a_i      (held_i[31:0]),
    .b_i      (word_i[31:0]),
    .product_o(low_product)
  );
  weft_multiplier #(
    .FactorW(32),
    .ProdW  (32)
  ) u_high (
    .clk_i,
    .rst_ni,
    .a_i      (held_i[63:32]),
    .b_i      (word_i[63:32]),
    .product_o(high_product)
  );
  weft_multiplier #(
    .FactorW(32),
    .ProdW  (32)
  ) u_cross_a (
    .clk_i,
    .rst_ni,
    .a_i      (held_i[63:32]),
    .b_i      (word_i[31:0]),
    .product_o(cross_a)
  );
  weft_multiplier #(
    .FactorW(32),
    .ProdW  (32)
  ) u_cross_b (
    .clk_i,
    .rst_ni,
    .a_i      (held_i[31:0]),
    .b_i      (word_i[63:32]),
    .product_o(cross_b)
  );

  // Fourth cycle.
  assign {product3, wide3} = {side_q[2*SideW+SideW-2], side_q[2*SideW+SideW-5]};
  assign upper  = wide3 ? low_product[63:32] + cross_a + cross_b : high_product;
  assign late_d = product3 ? {upper, low_product[31:0]} : early_q[2*64 +: 64];

  // Fifth cycle.
  assign side4 = side_q[3*SideW +: SideW];
  for (genvar l = 0; l < 2; l++) begin : gen_element
    logic [31:0] element;
    weft_fp_element u_element (
      .clk_i,
      .rst_ni,
      .prod_i  (product),
      .a_i     (held_i[l*32 +: 32]),
      .b_i     (word_i[l*32 +: 32]),
      .result_o(element)
    );
    assign result[l*32 +: 32] = side4[SideW-1] ? element : late_q[l*32 +: 32];
  end

  // Means: the sum is divided.
  logic [63:0]      divided;
  logic [SideW-3:0] side5;
  assign side5 = side_q[4*SideW +: SideW-2];
  weft_mean_div u_mean (
    .clk_i,
    .rst_ni,
    .divide_i(side5[SideW-3]),
    .fp_i    (side5[SideW-4]),
    .wide_i  (side5[SideW-5]),
    .count_i (side5[CountW-1:0]),
    .word_i  (result_q),
    .result_o(divided)
  );

  // A word is inside after each edge but the last; the short path ends before the division.
  logic [Longest-2:0] inside_q;
  logic               leaves, valid_q;
  logic [63:0]        word_q;
  assign leaves = mean_i ? inside_q[Longest-2] : inside_q[Latency-2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q <= '0;
      side_q   <= '0;
      early_q  <= '0;
      late_q   <= '0;
      result_q <= '0;
      valid_q  <= 1'b0;
      word_q   <= '0;
    end else begin
      inside_q <= {inside_q[Longest-3:Latency-1], inside_q[Latency-2] && mean_i,
                   inside_q[Latency-3:0], valid_i};
      side_q   <= (5*SideW)'({side_q, arith, product && !fp, op_i == weft_pkg::OpMean, fp, wide,
                              count_i});
      early_q  <= (3*64)'({early_q, early_d});
      late_q   <= late_d;
      result_q <= result;
      valid_q  <= leaves;
      word_q   <= !leaves ? '0 : mean_i ? divided : result;
    end
  end

  assign valid_o = valid_q;
  assign word_o  = word_q;

  `WEFT_ASSERT(QuietWithoutValid, valid_o || word_o == '0)

`ifdef WEFT_CHECKED
  // When words entered, separately by latency; the latency of the cycle before.
  logic [Latency-1:0] short_q;
  logic [Longest-1:0] long_q;
  logic               mean_was_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      short_q    <= '0;
      long_q     <= '0;
      mean_was_q <= 1'b0;
    end else begin
      short_q    <= Latency'({short_q, valid_i && !mean_i});
      long_q     <= Longest'({long_q, valid_i && mean_i});
      mean_was_q <= mean_i;
    end
  end

  // A word at the output is no longer inside.
  `WEFT_ASSUME(MeanStatic, mean_i == mean_was_q ||
      {short_q[Latency-2:0], long_q[Longest-2:0]} == '0)
  `WEFT_ASSUME(MeanOnlyWithMean, !valid_i || mean_i || op_i != weft_pkg::OpMean)
  `WEFT_ASSUME(OperationExists, !valid_i || op_i <= weft_pkg::OpMean)
  `WEFT_ASSUME(TypeExists, !valid_i || type_i <= weft_pkg::TypeFp32)
  `WEFT_ASSERT(LeavesOnTime, valid_o == (short_q[Latency-1] || long_q[Longest-1]))
  // No word is lost or duplicated.
  `WEFT_ASSERT(InsideAsEntered, inside_q ==
      (long_q[Longest-2:0] | (Longest-1)'(short_q[Latency-2:0])))
  `WEFT_ASSERT(OneWay, mean_was_q ? short_q[Latency-2:0] == '0 : long_q[Longest-2:0] == '0)
`endif

endmodule

// Proof of the reduce unit's results without multipliers and dividers: stored words, integer sums,
// maxima and minima, with exactly the latency of the short path. The outputs of the arithmetic
// units are free; they have proofs of their own.

`include "weft_assert.svh"

module reduce_unit_props (
  input logic                             clk_i,
  input logic                             rst_ni,
  input logic                             valid_i,
  input logic                             mean_i,
  input logic [weft_pkg::ReduceOpW-1:0]   op_i,
  input logic [weft_pkg::ReduceTypeW-1:0] type_i,
  input logic [weft_pkg::MeanCountW-1:0]  count_i,
  input logic [63:0]                      held_i,
  input logic [63:0]                      word_i
);

  logic        valid;
  logic [63:0] word;
  weft_reduce_unit u_dut (
    .clk_i,
    .rst_ni,
    .valid_i,
    .mean_i,
    .op_i,
    .type_i,
    .count_i,
    .held_i,
    .word_i,
    .valid_o(valid),
    .word_o (word)
  );

  // The expected result, by the block that computes it, which has a proof of its own.
  logic        known;
  logic [63:0] expected;
  assign known = op_i == weft_pkg::OpStore || op_i == weft_pkg::OpMax ||
      op_i == weft_pkg::OpMin || (op_i == weft_pkg::OpSum && type_i != weft_pkg::TypeFp32);
  weft_compare_add u_expected (
    .op_i,
    .type_i,
    .a_i     (held_i),
    .b_i     (word_i),
    .result_o(expected)
  );

  // Words of the short path and their expected results.
  localparam int unsigned Latency = weft_pkg::ReduceLatency;
  logic [Latency-1:0]    known_q;
  logic [Latency*64-1:0] expected_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      known_q    <= '0;
      expected_q <= '0;
    end else begin
      known_q    <= Latency'({known_q, valid_i && known && !mean_i});
      expected_q <= (Latency*64)'({expected_q, expected});
    end
  end
  `WEFT_ASSERT(KnownResult, !known_q[Latency-1] ||
      (valid && word == expected_q[(Latency-1)*64 +: 64]))

  // Invariants that close the induction: the position of a word in each stage, and that nothing
  // else is selected there.
  localparam int unsigned SideW = 5 + weft_pkg::MeanCountW;
  (* hierconn *) wire [3*64-1:0] \u_dut.early_q ;
  (* hierconn *) wire [63:0] \u_dut.late_q ;
  (* hierconn *) wire [5*SideW-1:0] \u_dut.side_q ;
  (* hierconn *) wire [Latency-1:0] \u_dut.short_q ;
  logic [3*64-1:0]    early;
  logic [5*SideW-1:0] side;
  assign early = \u_dut.early_q ;
  assign side  = \u_dut.side_q ;
  for (genvar s = 0; s < 3; s++) begin : gen_early
    `WEFT_ASSERT(EarlyStands, !known_q[s] || early[s*64 +: 64] == expected_q[s*64 +: 64])
  end
  for (genvar s = 0; s < 4; s++) begin : gen_side
    `WEFT_ASSERT(NothingElseChosen, !known_q[s] || side[s*SideW+SideW-2 +: 2] == 2'b00)
  end
  `WEFT_ASSERT(LateStands, !known_q[3] || \u_dut.late_q == expected_q[3*64 +: 64])
  `WEFT_ASSERT(KnownIsShort, (known_q & ~\u_dut.short_q ) == '0)

endmodule

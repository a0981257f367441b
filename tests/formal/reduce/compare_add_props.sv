// Proof of the reductions that need at most an addition, by signed comparison and plain addition.
// The block has no clock; this module's is for the assertion alone.

`include "weft_assert.svh"

module compare_add_props (
  input logic                             clk_i,
  input logic                             rst_ni,
  input logic [weft_pkg::ReduceOpW-1:0]   op_i,
  input logic [weft_pkg::ReduceTypeW-1:0] type_i,
  input logic [63:0]                      a_i,
  input logic [63:0]                      b_i
);

  logic [63:0] result;
  weft_compare_add u_dut (
    .op_i,
    .type_i,
    .a_i,
    .b_i,
    .result_o(result)
  );

  // The expected result. Floating-point numbers are compared by sign and magnitude, and two zeros
  // by their signs alone.
  logic        fp, known, least;
  logic [63:0] sum, expected;
  assign fp    = type_i == weft_pkg::TypeFp32;
  assign least = op_i == weft_pkg::OpMin;
  assign sum   = (type_i == weft_pkg::TypeInt64) ? a_i + b_i :
      {a_i[63:32] + b_i[63:32], a_i[31:0] + b_i[31:0]};
  assign known = op_i == weft_pkg::OpStore || op_i == weft_pkg::OpMax ||
      op_i == weft_pkg::OpMin || !fp;

  for (genvar l = 0; l < 2; l++) begin : gen_lane
    logic [31:0] a, b, chosen;
    logic        nan, a_least;
    assign a   = a_i[l*32 +: 32];
    assign b   = b_i[l*32 +: 32];
    assign nan = ((&a[30:23]) && a[22:0] != '0) || ((&b[30:23]) && b[22:0] != '0);
    always_comb begin
      if (!fp) a_least = $signed(a) < $signed(b);
      else if (a[31] != b[31]) a_least = a[31];
      else if (a[31]) a_least = a[30:0] > b[30:0];
      else a_least = a[30:0] < b[30:0];
    end
    assign chosen = (fp && nan) ? 32'h7fc00000 : (a_least == least) ? a : b;
    assign expected[l*32 +: 32] =
        (op_i == weft_pkg::OpStore) ? b :
        !(op_i == weft_pkg::OpMax || least) ? sum[l*32 +: 32] :
        (type_i != weft_pkg::TypeInt64) ? chosen :
        (($signed(a_i) < $signed(b_i)) == least) ? a : b;
  end

  `WEFT_ASSUME(TypeExists, type_i <= weft_pkg::TypeFp32)
  `WEFT_ASSERT(KnownResult, !known || result == expected)

endmodule

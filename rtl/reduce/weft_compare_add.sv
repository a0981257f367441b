// Reductions of two words that need at most an addition: the second word, sums of integers, maxima
// and minima. Combinational.

module weft_compare_add (
  /// Operation; of others than `OpStore`, `OpMax` and `OpMin` the result is the sum of integers.
  input  logic [weft_pkg::ReduceOpW-1:0]   op_i,
  /// Type of the words' elements; the sum of `TypeFp32` is that of `TypeInt32`.
  input  logic [weft_pkg::ReduceTypeW-1:0] type_i,
  /// First word.
  input  logic [63:0]                      a_i,
  /// Second word.
  input  logic [63:0]                      b_i,
  /// Result.
  output logic [63:0]                      result_o
);

  localparam logic [30:0] Infinity = 31'h7f800000;
  localparam logic [31:0] Nan      = 32'h7fc00000;

  logic        fp, wide, largest, compares;
  logic [32:0] low_sum;
  logic [63:0] sum;
  logic [1:0]  below, lower;

  assign fp       = type_i == weft_pkg::TypeFp32;
  assign wide     = type_i == weft_pkg::TypeInt64;
  assign largest  = op_i == weft_pkg::OpMax;
  assign compares = largest || op_i == weft_pkg::OpMin;

  assign low_sum = {1'b0, a_i[31:0]} + {1'b0, b_i[31:0]};
  assign sum     = {a_i[63:32] + b_i[63:32] + 32'(wide && low_sum[32]), low_sum[31:0]};
  // For 64-bit elements the upper halves decide where they differ.
  assign lower   = wide ? {2{below[1] || (a_i[63:32] == b_i[63:32] && below[0])}} : below;

  for (genvar l = 0; l < 2; l++) begin : gen_element
    logic        nan;
    logic [31:0] a, b, a_key, b_key, chosen;
    assign a = a_i[l*32 +: 32];
    assign b = b_i[l*32 +: 32];
    // Keys, as unsigned numbers, have the elements' order: the magnitude of negative floating-point
    // numbers is inverted, then the sign bit of all but a lower half.
    assign a_key    = a ^ {!(wide && l == 0), {31{fp && a[31]}}};
    assign b_key    = b ^ {!(wide && l == 0), {31{fp && b[31]}}};
    assign below[l] = a_key < b_key;
    assign nan      = fp && (a[30:0] > Infinity || b[30:0] > Infinity);
    assign chosen   = nan ? Nan : (lower[l] == largest) ? b : a;
    assign result_o[l*32 +: 32] = (op_i == weft_pkg::OpStore) ? b :
                                  compares ? chosen : sum[l*32 +: 32];
  end

endmodule

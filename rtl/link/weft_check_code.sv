// Check code of a word: a CRC of 16 bits, or interleaved parity of 8. Each of its bits is the
// exclusive or of some bits of the word, which a mask names.

`include "weft_assert.svh"

module weft_check_code #(
  /// Bits of the word; 1 or more.
  parameter int unsigned Width = 64,
  /// 1: CRC by x^16 + x^12 + x^5 + 1; 0: interleaved parity.
  parameter bit          Crc = 1'b1,
  // Derived.
  localparam int unsigned CheckW = Crc ? 16 : 8
) (
  /// The word.
  input  logic [Width-1:0]  data_i,
  /// Its check code.
  output logic [CheckW-1:0] check_o
);

  `WEFT_PARAM(gen_check_width, Width >= 1)

  // x^16 modulo the polynomial, which is also what bit 0 of the word adds to the remainder.
  localparam logic [15:0] Poly = 16'h1021;

  // The bits of the word that count for bit `number` of the code. Bit k + 1 of the word adds x
  // times what bit k adds.
  function automatic logic [Width-1:0] mask_of(input logic [3:0] number);
    logic [15:0] column;
    column = Crc ? Poly : 16'd1;
    for (int unsigned k = 0; k < Width; k++) begin
      mask_of[k] = column[number];
      if (Crc) column = {column[14:0], 1'b0} ^ (column[15] ? Poly : 16'd0);
      else column = {8'd0, column[6:0], column[7]};
    end
  endfunction

  for (genvar i = 0; i < CheckW; i++) begin : gen_bit
    localparam logic [Width-1:0] Mask = mask_of(4'(i));
    assign check_o[i] = ^(data_i & Mask);
  end

endmodule

// Proof of the check code, for any word: it is that of a register shifted once for each bit of the
// word, the highest first, and for 16 more zeros, or the exclusive or of the word's bytes.

`include "weft_assert.svh"

module check_code_props #(
  parameter int unsigned Width = 20,
  parameter bit          Crc = 1'b1,
  localparam int unsigned CheckW = Crc ? 16 : 8
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Width-1:0] data_i
);

  logic [CheckW-1:0] check;

  weft_check_code #(
    .Width(Width),
    .Crc  (Crc)
  ) u_dut (
    .data_i,
    .check_o(check)
  );

  logic [Width+15:0] padded;
  logic [16:0]       rest;
  logic [7:0]        lanes;
  assign padded = {data_i, 16'd0};
  always_comb begin
    rest  = '0;
    lanes = '0;
    for (int unsigned i = 0; i < Width + 16; i++) begin
      rest = {rest[15:0], padded[Width + 15 - i]};
      if (rest[16]) rest = rest ^ 17'h11021;
    end
    for (int unsigned i = 0; i < Width; i++) lanes[i % 8] = lanes[i % 8] ^ data_i[i];
  end

  `WEFT_ASSERT(CheckIsRight, check == (Crc ? CheckW'(rest[15:0]) : CheckW'(lanes)))

endmodule

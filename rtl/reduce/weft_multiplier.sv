// Pipelined multiplier: a partial product for each four bits of the second factor, a sum of each
// half of them, then the sum of the two.

`include "weft_assert.svh"

module weft_multiplier #(
  /// Width of the factors, bits: 4 to 32, a multiple of 4.
  parameter int unsigned FactorW = 32,
  /// Width of the product, low bits: `FactorW` to 2 `FactorW`.
  parameter int unsigned ProdW = 2 * FactorW
) (
  /// Clock.
  input  logic               clk_i,
  /// Asynchronous reset, active low.
  input  logic               rst_ni,
  /// First factor, unsigned.
  input  logic [FactorW-1:0] a_i,
  /// Second factor, unsigned.
  input  logic [FactorW-1:0] b_i,
  /// Product of the factors of three cycles before, modulo 2^`ProdW`.
  output logic [ProdW-1:0]   product_o
);

  `WEFT_PARAM(gen_check_factor_w, FactorW >= 4 && FactorW <= 32 && FactorW % 4 == 0)
  `WEFT_PARAM(gen_check_prod_w, ProdW >= FactorW && ProdW <= 2 * FactorW)

  localparam int unsigned NumPart = FactorW / 4;
  localparam int unsigned NumLow  = (NumPart + 1) / 2;
  localparam int unsigned PartW   = FactorW + 4;

  logic [NumPart*PartW-1:0] part_d, part_q;
  logic [ProdW-1:0]         low_d, low_q, high_d, high_q, product_q;

  for (genvar p = 0; p < NumPart; p++) begin : gen_part
    logic [3:0]       b;
    logic [PartW-1:0] a;
    assign b = b_i[4*p +: 4];
    assign a = PartW'(a_i);
    assign part_d[p*PartW +: PartW] = ((b[0] ? a : '0) + (b[1] ? a << 1 : '0)) +
                                      ((b[2] ? a << 2 : '0) + (b[3] ? a << 3 : '0));
  end

  always_comb begin
    low_d  = '0;
    high_d = '0;
    for (int unsigned p = 0; p < NumPart; p++) begin
      if (p < NumLow) low_d = low_d + (ProdW'(part_q[p*PartW +: PartW]) << 4*p);
      else high_d = high_d + (ProdW'(part_q[p*PartW +: PartW]) << 4*p);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q    <= '0;
      low_q     <= '0;
      high_q    <= '0;
      product_q <= '0;
    end else begin
      part_q    <= part_d;
      low_q     <= low_d;
      high_q    <= high_d;
      product_q <= low_q + high_q;
    end
  end

  assign product_o = product_q;

endmodule

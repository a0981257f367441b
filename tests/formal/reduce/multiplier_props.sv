// Proof of the multiplier: the product is that of the factors three cycles before. Reduced width:
// 24 or 32 bits are beyond a solver.

`include "weft_assert.svh"

module multiplier_props #(
  parameter int unsigned FactorW = 8,
  parameter int unsigned ProdW = 2 * FactorW
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic [FactorW-1:0] a_i,
  input logic [FactorW-1:0] b_i
);

  logic [ProdW-1:0] product;
  weft_multiplier #(
    .FactorW(FactorW),
    .ProdW  (ProdW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .a_i,
    .b_i,
    .product_o(product)
  );

  // The factors, one to three cycles later. The product of each half of the second one's parts.
  localparam int unsigned NumPart = FactorW / 4;
  localparam int unsigned LowW    = 4 * ((NumPart + 1) / 2);
  localparam int unsigned PartW   = FactorW + 4;
  logic [3*FactorW-1:0] a_q, b_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_q <= '0;
      b_q <= '0;
    end else begin
      a_q <= (3*FactorW)'({a_q, a_i});
      b_q <= (3*FactorW)'({b_q, b_i});
    end
  end

  logic [FactorW-1:0] a2, b2, a3, b3, b2_low;
  assign a2     = a_q[FactorW +: FactorW];
  assign b2     = b_q[FactorW +: FactorW];
  assign a3     = a_q[2*FactorW +: FactorW];
  assign b3     = b_q[2*FactorW +: FactorW];
  assign b2_low = FactorW'(b2[LowW-1:0]);
  `WEFT_ASSERT(ProductOfThreeBefore, product == ProdW'(a3) * ProdW'(b3))

  // Invariants that close the induction.
  (* hierconn *) wire [NumPart*PartW-1:0] \u_dut.part_q ;
  (* hierconn *) wire [ProdW-1:0] \u_dut.low_q ;
  (* hierconn *) wire [ProdW-1:0] \u_dut.high_q ;
  logic [NumPart*PartW-1:0] parts;
  assign parts = \u_dut.part_q ;
  for (genvar p = 0; p < NumPart; p++) begin : gen_part
    `WEFT_ASSERT(PartExact, parts[p*PartW +: PartW] ==
        PartW'(a_q[FactorW-1:0]) * PartW'(b_q[4*p +: 4]))
  end
  `WEFT_ASSERT(LowExact, \u_dut.low_q == ProdW'(a2) * ProdW'(b2_low))
  `WEFT_ASSERT(HighExact, \u_dut.high_q == ProdW'(a2) * ProdW'(b2 - b2_low))

endmodule

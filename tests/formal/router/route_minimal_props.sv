// Proof of the unit of further ways: for every router and destination a port is in the mask exactly
// if the neighbour behind it is one hop nearer.

`include "weft_assert.svh"

module route_minimal_props #(
  parameter int unsigned NumDims = 2,
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  parameter bit          Wrap = 1'b0,
  // Bits of a digit in this module, whatever its size.
  localparam int unsigned DigitW = 4,
  localparam int unsigned DigitsW = NumDims * DigitW
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic [DigitsW-1:0] at_i,
  input logic [DigitsW-1:0] dst_i
);

  logic [weft_pkg::AddrW-1:0] own, dst;
  logic [2*NumDims-1:0]       mask;
  weft_route_minimal #(
    .NumDims  (NumDims),
    .MaxCoords(MaxCoords),
    .Wrap     (Wrap)
  ) u_dut (
    .own_i (own),
    .dst_i (dst),
    .mask_o(mask)
  );

  // The address, digit by digit.
  function automatic logic [weft_pkg::AddrW-1:0] address(input logic [DigitsW-1:0] digits);
    int unsigned lsb;
    address = '0;
    lsb = 0;
    for (int unsigned d = 0; d < NumDims; d++) begin
      address = address | (weft_pkg::AddrW'(digits[d*DigitW +: DigitW]) << lsb);
      lsb = lsb + $clog2(32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]) + 1);
    end
  endfunction
  assign dst = address(dst_i);
  assign own = address(at_i);

  // Hops between two coordinates.
  function automatic logic [DigitW:0] hops(input logic [DigitW-1:0] from,
                                           input logic [DigitW-1:0] to,
                                           input logic [DigitW:0]   size);
    logic [DigitW:0] along;
    along = from < to ? {1'b0, to} - {1'b0, from} : {1'b0, from} - {1'b0, to};
    hops  = Wrap && size - along < along ? size - along : along;
  endfunction

  logic [NumDims-1:0] legal, up_right, down_right;
  for (genvar d = 0; d < NumDims; d++) begin : gen_dim
    localparam logic [DigitW:0] Last =
        (DigitW + 1)'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]);
    localparam logic [DigitW:0] Size = Last + 1'b1;
    logic [DigitW-1:0] t, x, above, below;
    logic              is_above, is_below;
    assign t = dst_i[d*DigitW +: DigitW];
    assign x = at_i[d*DigitW +: DigitW];
    assign legal[d] = {1'b0, t} <= Last && {1'b0, x} <= Last;
    // The neighbours in both directions, if there are.
    assign is_above = Wrap ? Last != '0 : {1'b0, x} != Last;
    assign is_below = Wrap ? Last != '0 : x != '0;
    assign above    = {1'b0, x} == Last ? '0 : x + 1'b1;
    assign below    = x == '0 ? Last[DigitW-1:0] : x - 1'b1;
    assign up_right[d]   = mask[2*d] == (is_above && hops(above, t, Size) < hops(x, t, Size));
    assign down_right[d] = mask[2*d+1] == (is_below && hops(below, t, Size) < hops(x, t, Size));
  end

  `WEFT_ASSUME(Legal, &legal)
  `WEFT_ASSERT(UpIfNearer, &up_right)
  `WEFT_ASSERT(DownIfNearer, &down_right)
  `WEFT_ASSERT(NoneAtDestination, at_i != dst_i || mask == '0)
  `WEFT_ASSERT(SomeElsewhere, at_i == dst_i || mask != '0)

endmodule

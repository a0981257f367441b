// All ports of a mesh or torus on shortest ways to a destination: the further ways of
// minimal_adaptive routing. Combinational.

`include "weft_assert.svh"

module weft_route_minimal #(
  /// Dimensions; 1 or more.
  parameter int unsigned NumDims = 2,
  /// Maximum coordinate of each dimension, `DigitParamW` bits each, dimension 0 lowest.
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  /// 1: torus; 0: mesh.
  parameter bit          Wrap = 1'b0,
  /// Width of addresses, bits.
  parameter int unsigned AddrW = weft_pkg::AddrW
) (
  /// The router's address.
  input  logic [AddrW-1:0]     own_i,
  /// Destination in the packet's header.
  input  logic [AddrW-1:0]     dst_i,
  /// Ports to neighbours one hop nearer: 2d up in dimension d, 2d + 1 down; 0 at the destination.
  output logic [2*NumDims-1:0] mask_o
);

  localparam logic [weft_pkg::CoordsW-1:0] Coords = weft_pkg::CoordsW'(MaxCoords);

  `WEFT_PARAM(gen_check_num_dims, NumDims >= 1 && NumDims <= weft_pkg::MaxDims)
  `WEFT_PARAM(gen_check_digits, weft_pkg::digit_lsb(Coords, NumDims) <= AddrW)

  for (genvar d = 0; d < NumDims; d++) begin : gen_dim
    localparam int unsigned Last =
        32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]);
    localparam int unsigned DigitW = $clog2(Last + 1);
    logic up, down;
    if (DigitW == 0) begin : gen_single
      assign up   = 1'b0;
      assign down = 1'b0;
    end else begin : gen_digit
      localparam int unsigned     DigitLsb = weft_pkg::digit_lsb(Coords, d);
      localparam logic [DigitW:0] Size     = (DigitW + 1)'(Last + 1);
      logic [DigitW-1:0] dst, own;
      assign dst = dst_i[DigitLsb +: DigitW];
      assign own = own_i[DigitLsb +: DigitW];
      if (Wrap) begin : gen_ring
        // Hops to the destination in direction up, and twice that; half way round both directions
        // are shortest.
        logic [DigitW:0] off, twice;
        assign off   = {1'b0, dst} - {1'b0, own} + ((dst < own) ? Size : '0);
        assign twice = off << 1;
        assign up    = off != '0 && twice <= Size;
        assign down  = twice >= Size;
      end else begin : gen_line
        assign up   = dst > own;
        assign down = dst < own;
      end
    end
    assign mask_o[2*d +: 2] = {down, up};
  end

endmodule

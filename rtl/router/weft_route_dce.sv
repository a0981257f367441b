// Route unit of DCE and MDCE networks: in column x of its ring a packet is routed by bit x of
// every other digit (seed 001 2, 3.3). Combinational.
//
// A packet's VC is its class, which rises each time it passes column 0, as in a spiral buffer.

`include "weft_assert.svh"

module weft_route_dce #(
  /// Dimensions: the ring, and one for each plane of cross links; 2 or more.
  parameter int unsigned NumDims = 2,
  /// Maximum coordinate of each dimension, `DigitParamW` bits each, dimension 0 (the column in a
  /// ring) lowest; of planes one less than a power of two.
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  /// Parallel links along a ring; 1 or more.
  parameter int unsigned NumRings = 1,
  /// Columns by which the cross links of each dimension advance, `DigitParamW` bits each; below
  /// the ring's length. That of dimension 0 is unused.
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] Deltas = '0,
  /// Local ports, numbered after those to neighbours; 1 or more.
  parameter int unsigned NumLocal = 1,
  /// 1: a VC for each destination; a packet keeps its VC up to the local port.
  parameter bit          PerDest = 1'b0,
  /// Width of addresses and of `own_i`, bits.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  // Derived.
  localparam int unsigned PortW = $clog2(NumRings + NumDims - 1 + NumLocal)
) (
  /// In-port of the packet.
  input  logic [PortW-1:0]            port_i,
  /// The router's address.
  input  logic [AddrW-1:0]            own_i,
  /// Source in the packet's header; ignored.
  input  logic [AddrW-1:0]            src_i,
  /// Destination in the packet's header.
  input  logic [AddrW-1:0]            dst_i,
  /// 1: the opposite of the default where two ways are equally long; ignored.
  input  logic                        other_way_i,
  /// 1: the dimensions in reverse order; ignored.
  input  logic                        reverse_i,
  /// Out-port: ring links, the cross links of dimensions 1 and up, then the local ports.
  output logic [PortW-1:0]            port_o,
  /// VCs of that port that the packet may be allocated (weft_pkg::VcAny ...).
  output logic [weft_pkg::VcSetW-1:0] set_o
);

  localparam int unsigned DigitParamW = weft_pkg::DigitParamW;
  localparam int unsigned LocalLsb    = NumRings + NumDims - 1;
  localparam int unsigned LastColumn  = 32'(MaxCoords[0 +: DigitParamW]);
  localparam int unsigned ColumnW     = $clog2(LastColumn + 1);

  localparam logic [weft_pkg::CoordsW-1:0] Coords = weft_pkg::CoordsW'(MaxCoords);

  // Every plane has a power of two of rings; its cross links advance by less than a ring.
  function automatic bit planes_fit(input int unsigned dims);
    planes_fit = 1'b1;
    for (int unsigned d = 1; d < dims; d++) begin
      if ((MaxCoords[d*DigitParamW +: DigitParamW] &
           (MaxCoords[d*DigitParamW +: DigitParamW] + 1'b1)) != '0 ||
          32'(Deltas[d*DigitParamW +: DigitParamW]) > LastColumn) begin
        planes_fit = 1'b0;
      end
    end
  endfunction

  `WEFT_PARAM(gen_check_num_dims, NumDims >= 2 && NumDims <= weft_pkg::MaxDims)
  `WEFT_PARAM(gen_check_num_rings, NumRings >= 1)
  `WEFT_PARAM(gen_check_num_local, NumLocal >= 1)
  `WEFT_PARAM(gen_check_planes, planes_fit(NumDims))
  `WEFT_PARAM(gen_check_digits, weft_pkg::digit_lsb(Coords, NumDims) <= AddrW)

  logic [31:0] column;
  logic        in_column;  // This is the destination's column.
  if (ColumnW == 0) begin : gen_one_column
    assign column    = '0;
    assign in_column = 1'b1;
  end else begin : gen_columns
    assign column    = 32'(own_i[ColumnW-1:0]);
    assign in_column = own_i[ColumnW-1:0] == dst_i[ColumnW-1:0];
  end

  // For each plane: the digits differ; they differ in this column's bit, so that the packet takes
  // the cross link; the cross link passes column 0.
  logic [NumDims-1:1] differ, wanted, round;

  for (genvar d = 1; d < NumDims; d++) begin : gen_plane
    localparam int unsigned DigitW = $clog2(32'(MaxCoords[d*DigitParamW +: DigitParamW]) + 1);
    localparam int unsigned Delta  = 32'(Deltas[d*DigitParamW +: DigitParamW]);
    if (DigitW == 0) begin : gen_single
      assign differ[d] = 1'b0;
      assign wanted[d] = 1'b0;
      assign round[d]  = 1'b0;
    end else begin : gen_digit
      localparam int unsigned DigitLsb = weft_pkg::digit_lsb(Coords, d);
      logic [DigitW-1:0] bits;
      assign bits      = dst_i[DigitLsb +: DigitW] ^ own_i[DigitLsb +: DigitW];
      assign differ[d] = bits != '0;
      // Columns above the digit's highest bit have no cross link.
      assign wanted[d] = 1'(bits >> column);
      assign round[d]  = column + Delta > LastColumn;
    end
  end

  // The cross link of the lowest plane that takes one, and whether it passes column 0.
  logic [PortW-1:0] cross_port;
  logic             cross_round;
  always_comb begin
    cross_port  = '0;
    cross_round = 1'b0;
    for (int unsigned d = NumDims - 1; d > 0; d--) begin
      if (wanted[d]) begin
        cross_port  = PortW'(NumRings + d - 1);
        cross_round = round[d];
      end
    end
  end

  // The destination selects one of the parallel links.
  logic [PortW-1:0] ring_port;
  assign ring_port = PortW'(32'(dst_i) % NumRings);

  // At its destination the in-port of a packet from a neighbour selects its local port.
  logic             from_local, arrived, passes;
  logic [PortW-1:0] local_port;
  assign from_local = 32'(port_i) >= LocalLsb;
  assign local_port = from_local ? port_i : PortW'(LocalLsb + 32'(port_i) % NumLocal);

  assign arrived = in_column && differ == '0;
  assign passes  = (wanted != '0) ? cross_round : column == LastColumn;

  assign port_o = arrived        ? local_port
                : wanted != '0   ? cross_port
                :                  ring_port;
  assign set_o  = arrived        ? weft_pkg::VcAny
                : PerDest        ? weft_pkg::VcSame
                : from_local     ? weft_pkg::VcFirst
                : passes         ? weft_pkg::VcNext
                :                  weft_pkg::VcSame;

endmodule

// Route unit of a binary fat tree: up to the lowest common ancestor of source and destination, then
// down (seed 001 table 1). Combinational.

`include "weft_assert.svh"

module weft_route_tree #(
  /// Maximum node address: one less than a power of two, 1 or more.
  parameter logic [weft_pkg::DigitParamW-1:0] MaxCoords = weft_pkg::DigitParamW'(15),
  /// Local ports: 2 in the switches next to the nodes, 0 in all others.
  parameter int unsigned NumLocal = 2,
  /// 1: a VC for each destination; a packet keeps its VC up to the local port.
  parameter bit          PerDest = 1'b0,
  /// Width of addresses and of `own_i`, bits.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  // Derived.
  localparam int unsigned PortW = 2
) (
  /// In-port of the packet; ignored.
  input  logic [PortW-1:0]            port_i,
  /// The switch: its number in its level, above that the level, 1 next to the nodes.
  input  logic [AddrW-1:0]            own_i,
  /// Source in the packet's header; ignored.
  input  logic [AddrW-1:0]            src_i,
  /// Destination in the packet's header.
  input  logic [AddrW-1:0]            dst_i,
  /// 1: the opposite of the default where two ways are equally long; ignored.
  input  logic                        other_way_i,
  /// 1: the dimensions in reverse order; ignored.
  input  logic                        reverse_i,
  /// Out-port: 0 and 1 up, 2 and 3 down.
  output logic [PortW-1:0]            port_o,
  /// VCs of that port that the packet may be allocated (weft_pkg::VcAny ...).
  output logic [weft_pkg::VcSetW-1:0] set_o
);

  localparam int unsigned NumLevels = $clog2(32'(MaxCoords) + 1);
  localparam int unsigned NumberW   = NumLevels - 1;
  localparam int unsigned LevelW    = $clog2(NumLevels + 1);

  `WEFT_PARAM(gen_check_nodes, MaxCoords != '0 && (MaxCoords & (MaxCoords + 1'b1)) == '0)
  `WEFT_PARAM(gen_check_num_local, NumLocal == 0 || NumLocal == 2)
  `WEFT_PARAM(gen_check_address, NumberW + LevelW <= AddrW)

  logic [LevelW-1:0]    level;
  logic [NumLevels-1:0] number, dst;
  assign level  = own_i[NumberW +: LevelW];
  assign number = NumLevels'(own_i) & ((NumLevels'(1) << NumberW) - 1'b1);
  assign dst    = dst_i[NumLevels-1:0];

  // The destination is below the switch; which of the two links up or down leads there.
  logic below, side;
  always_comb begin
    below = 1'b0;
    side  = 1'b0;
    for (int unsigned h = 1; h <= NumLevels; h++) begin
      if (level == LevelW'(h)) begin
        below = (dst >> h) == (number >> (h - 1));
        side  = dst[h-1];
      end
    end
  end

  assign port_o = {below, side};
  assign set_o  = (PerDest && !(NumLocal != 0 && below)) ? weft_pkg::VcSame : weft_pkg::VcAny;

endmodule

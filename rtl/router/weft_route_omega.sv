// Route unit of an omega network: each stage routes by one bit of the destination, highest first
// (seed 001 table 1). Combinational.

`include "weft_assert.svh"

module weft_route_omega #(
  /// Maximum node address: one less than a power of two, 1 or more.
  parameter logic [weft_pkg::DigitParamW-1:0] MaxCoords = weft_pkg::DigitParamW'(15),
  /// Local ports: 2 in the switches of the first and the last stage, 0 in all others.
  parameter int unsigned NumLocal = 2,
  /// 1: a VC for each destination; a packet keeps its VC up to the local port.
  parameter bit          PerDest = 1'b0,
  /// Width of addresses and of `own_i`, bits.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  // Derived.
  localparam int unsigned PortW = NumLocal == 0 ? 1 : 2
) (
  /// In-port of the packet; ignored.
  input  logic [PortW-1:0]            port_i,
  /// The switch's stage, 0 for the first; a higher number counts as the last.
  input  logic [AddrW-1:0]            own_i,
  /// Source in the packet's header; ignored.
  input  logic [AddrW-1:0]            src_i,
  /// Destination in the packet's header.
  input  logic [AddrW-1:0]            dst_i,
  /// 1: the opposite of the default where two ways are equally long; ignored.
  input  logic                        other_way_i,
  /// 1: the dimensions in reverse order; ignored.
  input  logic                        reverse_i,
  /// Out-port: 0 and 1 to the next stage; of the last stage 2 and 3, the local ports.
  output logic [PortW-1:0]            port_o,
  /// VCs of that port that the packet may be allocated (weft_pkg::VcAny ...).
  output logic [weft_pkg::VcSetW-1:0] set_o
);

  localparam int unsigned NumStages = $clog2(32'(MaxCoords) + 1);
  localparam int unsigned StageW    = NumStages > 1 ? $clog2(NumStages) : 1;

  `WEFT_PARAM(gen_check_nodes, MaxCoords != '0 && (MaxCoords & (MaxCoords + 1'b1)) == '0)
  `WEFT_PARAM(gen_check_address, NumStages <= AddrW)
  `WEFT_PARAM(gen_check_num_local, NumLocal == 0 || NumLocal == 2)

  logic              last_stage, side;
  logic [StageW-1:0] taken;  // Number of the stage's bit.
  assign last_stage = NumLocal != 0 && 32'(own_i) + 1 >= NumStages;
  assign taken      = last_stage ? '0 : StageW'(NumStages - 1) - StageW'(own_i);
  assign side       = 1'(dst_i >> taken);

  assign port_o = PortW'({last_stage, side});
  assign set_o  = (PerDest && !last_stage) ? weft_pkg::VcSame : weft_pkg::VcAny;

endmodule

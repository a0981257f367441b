// Route unit with a table: the out-port and VC set of every destination. Combinational.
//
// The table is an input, so that it may be constants (a network that does not change) or the
// contents of a memory beside the router that software has written. Each in-port has its own.

`include "weft_assert.svh"

module weft_route_table #(
  /// Entries: one more than the maximum address of a node; 1 to 2 ** 20.
  parameter int unsigned NumDst = 16,
  /// Ports to neighbours.
  parameter int unsigned NumLinks = 4,
  /// Local ports, numbered after those to neighbours.
  parameter int unsigned NumLocal = 1,
  /// Width of addresses, bits.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  // Derived.
  localparam int unsigned PortW = NumLinks + NumLocal > 1 ? $clog2(NumLinks + NumLocal) : 1,
  localparam int unsigned EntryW = weft_pkg::VcSetW + PortW
) (
  /// In-port of the packet; ignored.
  input  logic [PortW-1:0]            port_i,
  /// Source in the packet's header; ignored.
  input  logic [AddrW-1:0]            src_i,
  /// Destination in the packet's header.
  input  logic [AddrW-1:0]            dst_i,
  /// 1: the opposite of the default where two ways are equally long; ignored.
  input  logic                        other_way_i,
  /// 1: the dimensions in reverse order; ignored.
  input  logic                        reverse_i,
  /// Entry of each destination, 0 lowest: out-port, and above it the VC set.
  input  logic [NumDst*EntryW-1:0]    table_i,
  /// Out-port.
  output logic [PortW-1:0]            port_o,
  /// VCs of that port that the packet may be allocated (weft_pkg::VcAny ...).
  output logic [weft_pkg::VcSetW-1:0] set_o
);

  `WEFT_PARAM(gen_check_num_dst, NumDst >= 1 && NumDst <= 2 ** weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_ports, NumLinks + NumLocal >= 1)

  // No such node: port 0, any VC.
  assign {set_o, port_o} = (32'(dst_i) < NumDst) ? table_i[32'(dst_i)*EntryW +: EntryW] : '0;

endmodule

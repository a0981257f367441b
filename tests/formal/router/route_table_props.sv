// Proof of the route unit with a table: entry by entry the one of the destination; nothing else of
// the packet matters, and an address that no node has selects port 0.

`include "weft_assert.svh"

module route_table_props #(
  parameter int unsigned NumDst = 5,
  parameter int unsigned NumLinks = 4,
  parameter int unsigned NumLocal = 1,
  localparam int unsigned PortW = $clog2(NumLinks + NumLocal),
  localparam int unsigned EntryW = weft_pkg::VcSetW + PortW
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [PortW-1:0]           port_i,
  input logic [weft_pkg::AddrW-1:0] src_i,
  input logic [weft_pkg::AddrW-1:0] dst_i,
  input logic                       other_way_i,
  input logic [NumDst*EntryW-1:0]   table_i
);

  logic [PortW-1:0]            port;
  logic [weft_pkg::VcSetW-1:0] set;
  weft_route_table #(
    .NumDst  (NumDst),
    .NumLinks(NumLinks),
    .NumLocal(NumLocal)
  ) u_dut (
    .port_i,
    .src_i,
    .dst_i,
    .other_way_i,
    .reverse_i(1'b0),
    .table_i,
    .port_o(port),
    .set_o (set)
  );

  for (genvar d = 0; d < NumDst; d++) begin : gen_dst
    `WEFT_ASSERT(PortOfEntry, 32'(dst_i) != d || port == table_i[d*EntryW +: PortW])
    `WEFT_ASSERT(SetOfEntry,
        32'(dst_i) != d || set == table_i[d*EntryW + PortW +: weft_pkg::VcSetW])
  end
  `WEFT_ASSERT(NoSuchNode, 32'(dst_i) < NumDst || (port == '0 && set == weft_pkg::VcAny))

endmodule

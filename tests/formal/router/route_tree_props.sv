// Proof of the fat tree's route unit: a packet walks from any node to any node, one switch a cycle:
// up to the lowest common ancestor, then down, by the link of its destination's bit.

`include "weft_assert.svh"

module route_tree_props #(
  parameter logic [weft_pkg::DigitParamW-1:0] MaxCoords = weft_pkg::DigitParamW'(15),
  parameter bit          PerDest = 1'b0,
  localparam int unsigned NumLevels = $clog2(32'(MaxCoords) + 1),
  localparam int unsigned IndexW = NumLevels - 1
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  // A new packet enters at its source; else the last one continues.
  input logic                       start_i,
  input logic [NumLevels-1:0]       src_i,
  // With bits above those of nodes.
  input logic [weft_pkg::AddrW-1:0] dst_i,
  input logic [1:0]                 port_i
);

  // The packet's source and destination; level and number of its switch, the number with a bit
  // more.
  logic [NumLevels-1:0]       src_q, index_q;
  logic [weft_pkg::AddrW-1:0] dst_q;
  logic [7:0]                 level_q;
  logic                       down_q;

  logic [weft_pkg::AddrW-1:0] own;
  assign own = (weft_pkg::AddrW'(level_q) << IndexW) | weft_pkg::AddrW'(index_q);

  // Switches next to nodes, and all others.
  logic [1:0]                  edge_port, inner_port, port;
  logic [weft_pkg::VcSetW-1:0] edge_set, inner_set, set;
  weft_route_tree #(
    .MaxCoords(MaxCoords),
    .NumLocal(2),
    .PerDest (PerDest)
  ) u_edge (
    .port_i,
    .own_i (own),
    .src_i ('0),
    .dst_i (dst_q),
    .other_way_i(1'b0),
    .reverse_i(1'b0),
    .port_o(edge_port),
    .set_o (edge_set)
  );
  weft_route_tree #(
    .MaxCoords(MaxCoords),
    .NumLocal(0),
    .PerDest (PerDest)
  ) u_inner (
    .port_i,
    .own_i (own),
    .src_i ('0),
    .dst_i (dst_q),
    .other_way_i(1'b0),
    .reverse_i(1'b0),
    .port_o(inner_port),
    .set_o (inner_set)
  );
  assign port = (level_q == 8'd1) ? edge_port : inner_port;
  assign set  = (level_q == 8'd1) ? edge_set : inner_set;

  logic down, side;
  assign down = port[1];
  assign side = port[0];

  // Levels to go up: as many as bits lie between the lowest and the highest that differ.
  logic [7:0] top;
  always_comb begin
    top = 8'd1;
    for (int unsigned b = 1; b < NumLevels; b++) begin
      if (src_q[b] != dst_q[b]) top = 8'(b + 1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      src_q   <= '0;
      dst_q   <= '0;
      level_q <= 8'd1;
      index_q <= '0;
      down_q  <= 1'b0;
    end else if (start_i || (down && level_q == 8'd1)) begin
      src_q   <= src_i;
      dst_q   <= dst_i;
      level_q <= 8'd1;
      index_q <= src_i >> 1;
      down_q  <= 1'b0;
    end else if (down) begin
      // To the switch below on the side of that bit.
      level_q                       <= level_q - 1'b1;
      index_q[32'(level_q) - 32'd2] <= side;
      down_q                        <= 1'b1;
    end else begin
      level_q                       <= level_q + 1'b1;
      index_q[32'(level_q) - 32'd1] <= side;
    end
  end

  `WEFT_ASSERT(InTree, level_q >= 8'd1 && level_q <= 8'(NumLevels) && !index_q[NumLevels-1])
  `WEFT_ASSERT(TopIsEnd, down || level_q < 8'(NumLevels))
  `WEFT_ASSERT(NotUpAgain, down || !down_q)
  `WEFT_ASSERT(TurnsAtLowest, !down || down_q || level_q == top)
  `WEFT_ASSERT(Arrives, !down || level_q != 8'd1 ||
      {index_q[NumLevels-2:0], side} == dst_q[NumLevels-1:0])
  `WEFT_ASSERT(SideOfDestination, side == dst_q[32'(level_q) - 32'd1])
  `WEFT_ASSERT(Sets, set ==
      ((PerDest && !(down && level_q == 8'd1)) ? weft_pkg::VcSame : weft_pkg::VcAny))

endmodule

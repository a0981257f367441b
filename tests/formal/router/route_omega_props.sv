// Proof of the omega network's route unit: a packet walks from any node to any node, one stage a
// cycle, through the shuffles between them, and arrives after the last one.

`include "weft_assert.svh"

module route_omega_props #(
  parameter logic [weft_pkg::DigitParamW-1:0] MaxCoords = weft_pkg::DigitParamW'(15),
  parameter bit          PerDest = 1'b0,
  localparam int unsigned NumStages = $clog2(32'(MaxCoords) + 1)
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [NumStages-1:0]       src_i,
  // With bits above those of nodes.
  input logic [weft_pkg::AddrW-1:0] dst_i,
  input logic [1:0]                 edge_port_i,
  input logic                       inner_port_i
);

  // The packet's destination, stage, and line into that: the switch's number, above its in-port.
  logic [weft_pkg::AddrW-1:0] dst_q, stage_q;
  logic [NumStages-1:0]       line_q;

  // A perfect shuffle: the lower half of the lines to the even ones.
  function automatic logic [NumStages-1:0] shuffled(input logic [NumStages-1:0] line);
    shuffled = (line << 1) | (line >> (NumStages - 1));
  endfunction

  // Switches of the first and the last stage, and all others.
  logic [1:0]                  edge_port, port;
  logic                        inner_port;
  logic [weft_pkg::VcSetW-1:0] edge_set, inner_set, set;
  logic                        last_stage, at_edge;
  weft_route_omega #(
    .MaxCoords(MaxCoords),
    .NumLocal(2),
    .PerDest (PerDest)
  ) u_edge (
    .port_i(edge_port_i),
    .own_i (stage_q),
    .src_i ('0),
    .dst_i (dst_q),
    .other_way_i(1'b0),
    .reverse_i(1'b0),
    .port_o(edge_port),
    .set_o (edge_set)
  );
  weft_route_omega #(
    .MaxCoords(MaxCoords),
    .NumLocal(0),
    .PerDest (PerDest)
  ) u_inner (
    .port_i(inner_port_i),
    .own_i (stage_q),
    .src_i ('0),
    .dst_i (dst_q),
    .other_way_i(1'b0),
    .reverse_i(1'b0),
    .port_o(inner_port),
    .set_o (inner_set)
  );
  assign last_stage = 32'(stage_q) == NumStages - 1;
  assign at_edge    = stage_q == '0 || last_stage;
  assign port       = at_edge ? edge_port : {1'b0, inner_port};
  assign set        = at_edge ? edge_set : inner_set;

  logic [NumStages-1:0] line_out;
  assign line_out = ((line_q >> 1) << 1) | NumStages'(port[0]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dst_q   <= '0;
      stage_q <= '0;
      line_q  <= '0;
    end else if (last_stage) begin
      dst_q   <= dst_i;
      stage_q <= '0;
      line_q  <= shuffled(src_i);
    end else begin
      stage_q <= stage_q + 1'b1;
      line_q  <= shuffled(line_out);
    end
  end

  `WEFT_ASSERT(InNetwork, 32'(stage_q) < NumStages)
  `WEFT_ASSERT(LeavesBehindLast, port[1] == last_stage)
  `WEFT_ASSERT(Arrives, !last_stage || line_out == dst_q[NumStages-1:0])
  `WEFT_ASSERT(Sets, set == ((PerDest && !last_stage) ? weft_pkg::VcSame : weft_pkg::VcAny))

endmodule

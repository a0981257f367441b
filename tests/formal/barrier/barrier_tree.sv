// A whole barrier of three nodes, a root with two leaves, as one circuit: no node is released from
// a barrier before all three have entered it, however many barriers are in flight, and all three
// see a release in the same cycle. That the units meet each other's assumptions is part of the
// proof.

`include "weft_assert.svh"

module barrier_tree #(
  parameter int unsigned MaxFlight = 3,
  localparam int unsigned FlightW = $clog2(MaxFlight + 1),
  localparam int unsigned CountW = weft_pkg::CountW
) (
  input logic       clk_i,
  input logic       rst_ni,
  // Nodes that enter; node 2 is the root.
  input logic [2:0] enter_i
);

  logic [2:0]          full;
  logic [1:0]          up;
  logic                down;
  logic [3*CountW-1:0] count, entered_q;
  logic [1:0]          leaf_down;
  logic                root_up;

  for (genvar n = 0; n < 2; n++) begin : gen_leaf
    weft_barrier_unit #(
      .NumChild  (0),
      .IsRoot    (1'b0),
      .HoldCycles(0),
      .MaxFlight (MaxFlight)
    ) u_unit (
      .clk_i,
      .rst_ni,
      .enter_i(enter_i[n]),
      .full_o (full[n]),
      .up_i   (1'b1),
      .up_o   (up[n]),
      .down_i (down),
      .down_o (leaf_down[n]),
      .count_o(count[n*CountW +: CountW])
    );
  end

  weft_barrier_unit #(
    .NumChild  (2),
    .IsRoot    (1'b1),
    .HoldCycles(1),
    .MaxFlight (MaxFlight)
  ) u_root (
    .clk_i,
    .rst_ni,
    .enter_i(enter_i[2]),
    .full_o (full[2]),
    .up_i   (up),
    .up_o   (root_up),
    .down_i (1'b1),
    .down_o (down),
    .count_o(count[2*CountW +: CountW])
  );

  `WEFT_ASSUME(EnterOnlyNotFull, (enter_i & full) == '0)
  `WEFT_ASSERT(RootSendsNothingUp, !root_up)

  for (genvar n = 0; n < 3; n++) begin : gen_node
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) entered_q[n*CountW +: CountW] <= '0;
      else entered_q[n*CountW +: CountW] <= entered_q[n*CountW +: CountW] + CountW'(enter_i[n]);
    end
    // Modulo 2^CountW: a node that was released too early would be far ahead of one that entered.
    for (genvar m = 0; m < 3; m++) begin : gen_other
      logic [CountW-1:0] lead;
      assign lead = entered_q[m*CountW +: CountW] - count[n*CountW +: CountW];
      `WEFT_ASSERT(ReleasedAfterAllEntered, lead <= CountW'(MaxFlight))
    end
    `WEFT_ASSERT(AllSeeItTogether, count[n*CountW +: CountW] == count[CountW-1:0])
  end

  // Invariants that close the induction: a leaf's barriers are between leaf and root, at the root,
  // or released and between root and leaf.
  (* hierconn *) wire [3*FlightW-1:0] \u_root.pending_q ;
  (* hierconn *) wire [FlightW-1:0] \u_root.flight_q ;
  (* hierconn *) wire \u_root.gen_hold.hold_q ;
  (* hierconn *) wire [FlightW-1:0] \gen_leaf[0].u_unit.pending_q ;
  (* hierconn *) wire [FlightW-1:0] \gen_leaf[1].u_unit.pending_q ;
  (* hierconn *) wire [FlightW-1:0] \gen_leaf[0].u_unit.flight_q ;
  (* hierconn *) wire [FlightW-1:0] \gen_leaf[1].u_unit.flight_q ;
  (* hierconn *) wire [FlightW-1:0] \gen_leaf[0].u_unit.above_q ;
  (* hierconn *) wire [FlightW-1:0] \gen_leaf[1].u_unit.above_q ;
  logic [3*FlightW-1:0] flight;
  logic [2*FlightW-1:0] above;
  assign flight = {\u_root.flight_q , \gen_leaf[1].u_unit.flight_q , \gen_leaf[0].u_unit.flight_q };
  assign above  = {\gen_leaf[1].u_unit.above_q , \gen_leaf[0].u_unit.above_q };
  `WEFT_ASSERT(LeavesHoldNothing, {\gen_leaf[0].u_unit.pending_q , \gen_leaf[1].u_unit.pending_q }
      == '0)
  for (genvar n = 0; n < 3; n++) begin : gen_flight
    logic [CountW-1:0] in_flight;
    assign in_flight = entered_q[n*CountW +: CountW] - count[n*CountW +: CountW];
    `WEFT_ASSERT(FlightIsDifference, CountW'(flight[n*FlightW +: FlightW]) == in_flight)
  end
  for (genvar n = 0; n < 2; n++) begin : gen_way
    logic [31:0] at_root;
    assign at_root = 32'(\u_root.pending_q [(n+1)*FlightW +: FlightW]);
    `WEFT_ASSERT(WayOfLeaf, 32'(above[n*FlightW +: FlightW]) ==
        32'(up[n]) + at_root + 32'(down) && above[n*FlightW +: FlightW] ==
        flight[n*FlightW +: FlightW])
  end
  `WEFT_ASSERT(WayOfRoot, 32'(\u_root.flight_q ) ==
      32'(\u_root.pending_q [FlightW-1:0]) + 32'(\u_root.gen_hold.hold_q ))
  `WEFT_ASSERT(HeldAsSent, \u_root.gen_hold.hold_q == down)
  `WEFT_ASSERT(LeavesPassOn, leaf_down[0] == leaf_down[1])

endmodule

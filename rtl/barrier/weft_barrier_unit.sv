// Hardware barrier, one node's unit in a tree of 1-bit links (seed 000 [0048], [0067]): a unit
// sends its arrival up when its node and all its children's subtrees have arrived, and the root
// sends the release down. Links carry one pulse for each barrier, and every pulse is counted, so
// that several barriers may be in flight without being confused.

`include "weft_assert.svh"

module weft_barrier_unit #(
  /// Children in the tree, 0 to 8.
  parameter int unsigned NumChild = 2,
  /// 1: root of the tree, which releases the barrier instead of sending its arrival up.
  parameter bit IsRoot = 1'b0,
  /// Cycles by which the release to the own node is delayed, 0 to 8,191.
  parameter int unsigned HoldCycles = 0,
  /// Barriers that the node may have entered and not yet seen released, 1 to 15.
  parameter int unsigned MaxFlight = 4,
  // Derived.
  localparam int unsigned UpW = NumChild > 0 ? NumChild : 1,
  localparam int unsigned CountW = weft_pkg::CountW
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// The own node enters its next barrier; never while `full_o`.
  input  logic              enter_i,
  /// `MaxFlight` barriers of the own node are entered and not released.
  output logic              full_o,
  /// From each child: its subtree has arrived at its next barrier. Ignored without children.
  input  logic [UpW-1:0]    up_i,
  /// To the parent: this subtree has arrived at its next barrier. 0 from the root.
  output logic              up_o,
  /// From the parent: the next barrier is released. Ignored by the root.
  input  logic              down_i,
  /// To all children: the next barrier is released.
  output logic              down_o,
  /// Barriers released to the own node since reset; wraps.
  output logic [CountW-1:0] count_o
);

  `WEFT_PARAM(gen_check_num_child, NumChild <= 8)
  `WEFT_PARAM(gen_check_hold_cycles, HoldCycles <= 8191)
  `WEFT_PARAM(gen_check_max_flight, MaxFlight >= 1 && MaxFlight <= 15)

  // Parts of the subtree: the own node is part 0, the children follow.
  localparam int unsigned NumPart = NumChild + 1;
  localparam int unsigned FlightW = $clog2(MaxFlight + 1);

  // For each part: it arrives in this cycle; it has a pending arrival; either.
  logic [NumPart-1:0]         pulse, waits, here;
  logic [NumPart*FlightW-1:0] pending_q, pending_d;
  // The whole subtree has arrived; the barrier is released; the own node sees it at this edge.
  logic                       go, ended, leave;

  assign pulse = NumPart'({up_i, enter_i});
  assign here  = pulse | waits;
  assign go    = &here;
  assign ended = IsRoot ? go : down_i;

  for (genvar p = 0; p < NumPart; p++) begin : gen_part
    logic [FlightW-1:0] pending;
    assign pending  = pending_q[p*FlightW +: FlightW];
    assign waits[p] = pending != '0;
    assign pending_d[p*FlightW +: FlightW] = pending + FlightW'(pulse[p]) - FlightW'(go);
  end

  if (HoldCycles == 0) begin : gen_at_once
    assign leave = ended;
  end else begin : gen_hold
    logic [HoldCycles-1:0] hold_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) hold_q <= '0;
      else hold_q <= HoldCycles'({hold_q, ended});
    end
    assign leave = hold_q[HoldCycles-1];
  end

  logic               up_q, down_q;
  logic [FlightW-1:0] flight_q;
  logic [CountW-1:0]  count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= '0;
      up_q      <= 1'b0;
      down_q    <= 1'b0;
      flight_q  <= '0;
      count_q   <= '0;
    end else begin
      pending_q <= pending_d;
      up_q      <= go && !IsRoot;
      down_q    <= ended;
      flight_q  <= flight_q + FlightW'(enter_i) - FlightW'(leave);
      count_q   <= count_q + CountW'(leave);
    end
  end

  assign up_o    = up_q;
  assign down_o  = down_q;
  assign count_o = count_q;
  assign full_o  = flight_q == FlightW'(MaxFlight);

  `WEFT_ASSUME(EnterOnlyNotFull, !(enter_i && full_o))
  // Every barrier goes up in the cycle in which the last part arrives.
  `WEFT_ASSERT(OnePartMissing, !(&waits))
  `WEFT_ASSERT(FlightInRange, 32'(flight_q) <= MaxFlight)

`ifdef WEFT_CHECKED
  // Barriers that have gone up and whose release has not come down.
  logic [FlightW-1:0] above_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_q <= '0;
    else if (!IsRoot) above_q <= above_q + FlightW'(go) - FlightW'(down_i);
  end

  `WEFT_ASSUME(ReleaseAfterArrival, IsRoot || !down_i || above_q != '0)
  for (genvar p = 0; p < NumPart; p++) begin : gen_in_flight
    logic [31:0] flight;
    assign flight = 32'(pending_q[p*FlightW +: FlightW]) + 32'(above_q);
    `WEFT_ASSERT(PartInFlight, flight <= MaxFlight)
    // `full_o` ensures this for the own node; for the children, their own `full_o`.
    if (p > 0) begin : gen_child
      `WEFT_ASSUME(ChildInFlight, !pulse[p] || flight < MaxFlight)
    end
  end
`endif

endmodule

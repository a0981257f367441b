// Proof of the barrier unit, with an own node, children and a parent that are arbitrary within the
// protocol. The properties are about totals since reset, modulo 2^CountW: arrivals, arrivals sent
// up, releases. One freely chosen release (`track_i`) is timed.

`include "weft_assert.svh"

module barrier_unit_props #(
  parameter int unsigned NumChild = 2,
  parameter bit IsRoot = 1'b0,
  parameter int unsigned HoldCycles = 2,
  parameter int unsigned MaxFlight = 3,
  localparam int unsigned UpW = NumChild > 0 ? NumChild : 1,
  localparam int unsigned NumPart = NumChild + 1,
  localparam int unsigned FlightW = $clog2(MaxFlight + 1),
  localparam int unsigned CountW = weft_pkg::CountW
) (
  input logic           clk_i,
  input logic           rst_ni,
  input logic           enter_i,
  input logic [UpW-1:0] up_i,
  input logic           down_i,
  input logic           track_i
);

  logic              full, up, down;
  logic [CountW-1:0] count;

  weft_barrier_unit #(
    .NumChild  (NumChild),
    .IsRoot    (IsRoot),
    .HoldCycles(HoldCycles),
    .MaxFlight (MaxFlight)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .enter_i,
    .full_o (full),
    .up_i,
    .up_o   (up),
    .down_i,
    .down_o (down),
    .count_o(count)
  );

  // Totals of pulses before this cycle; `gone` and `ended` include this cycle's output, which is
  // of the cycle before.
  logic [NumPart-1:0]        pulse, none_left;
  logic [NumPart*CountW-1:0] arrived_q;
  logic [CountW-1:0]         gone_q, ended_q, released_q, gone, ended;
  logic                      down_was_q;
  assign pulse = NumPart'({up_i, enter_i});
  assign gone  = gone_q + CountW'(IsRoot ? down : up);
  assign ended = ended_q + CountW'(down);

  for (genvar p = 0; p < NumPart; p++) begin : gen_total
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) arrived_q[p*CountW +: CountW] <= '0;
      else arrived_q[p*CountW +: CountW] <= arrived_q[p*CountW +: CountW] + CountW'(pulse[p]);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gone_q     <= '0;
      ended_q    <= '0;
      released_q <= '0;
      down_was_q <= 1'b0;
    end else begin
      gone_q     <= gone;
      ended_q    <= ended;
      released_q <= released_q + CountW'(down_i);
      down_was_q <= down_i;
    end
  end

  (* hierconn *) wire [NumPart*FlightW-1:0] \u_dut.pending_q ;
  (* hierconn *) wire [FlightW-1:0] \u_dut.flight_q ;
  (* hierconn *) wire [FlightW-1:0] \u_dut.above_q ;
  for (genvar p = 0; p < NumPart; p++) begin : gen_part
    logic [CountW-1:0] arrived, lead;
    assign arrived = arrived_q[p*CountW +: CountW];
    assign lead    = arrived - gone;
    assign none_left[p] = lead == '0;
    `WEFT_ASSERT(NothingWithoutEveryPart, 32'(lead) <= MaxFlight)
    // No node is released from a barrier that this part has not reached.
    `WEFT_ASSERT(ReleasedAfterArrival, CountW'(arrived - ended) <= CountW'(MaxFlight))
    `WEFT_ASSERT(SeenAfterArrival, CountW'(arrived - count) <= CountW'(2 * MaxFlight))
    // Invariant that closes the induction.
    `WEFT_ASSERT(PendingIsLead, CountW'(\u_dut.pending_q [p*FlightW +: FlightW]) == lead)
  end
  // With the assertion on `lead`: the arrivals sent up are at once the minimum of all parts'.
  `WEFT_ASSERT(GoesWithTheLast, none_left != '0)
  `WEFT_ASSERT(RootSendsNothingUp, !(IsRoot && up))
  `WEFT_ASSERT(RootReleasesWhatIsComplete, !IsRoot || ended == gone)
  `WEFT_ASSERT(OthersPassReleasesOn, IsRoot || (down == down_was_q && ended == released_q))
  `WEFT_ASSERT(ReleasesAfterUps, CountW'(gone - ended) <= CountW'(MaxFlight))

  // The own node: never more released than entered.
  logic [CountW-1:0] flight;
  assign flight = arrived_q[CountW-1:0] - count;
  `WEFT_ASSERT(SeenAfterEntry, flight <= CountW'(MaxFlight))
  `WEFT_ASSERT(FullExact, full == (flight == CountW'(MaxFlight)))

  // Releases that are held for the own node, and the chosen one's age: it is on `down` at age 0 and
  // is counted exactly `HoldCycles` cycles later.
  localparam int unsigned HoldW = HoldCycles > 0 ? HoldCycles : 1;
  (* hierconn *) wire [HoldW-1:0] \u_dut.gen_hold.hold_q ;
  logic [HoldW-1:0]  hold;
  logic [CountW-1:0] held, count_was_q;
  logic              timed_q, timed;
  logic [7:0]        age_q, age;
  assign hold  = HoldCycles > 0 ? \u_dut.gen_hold.hold_q : '0;
  assign timed = timed_q || (down && track_i);
  assign age   = timed_q ? age_q : '0;
  always_comb begin
    held = '0;
    for (int unsigned i = 0; i < HoldW; i++) held = held + CountW'(hold[i]);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      timed_q     <= 1'b0;
      age_q       <= '0;
      count_was_q <= '0;
    end else begin
      timed_q     <= timed && age != 8'(HoldCycles);
      age_q       <= age + 8'd1;
      count_was_q <= count;
    end
  end
  `WEFT_ASSERT(HeldExactly, !(timed && age == 8'(HoldCycles)) || count == count_was_q + 1'b1)
  `WEFT_ASSERT(EveryReleaseCounted, count + held == ended)

  // Invariants that close the induction.
  `WEFT_ASSERT(AboveIsDifference, CountW'(\u_dut.above_q ) == gone - ended)
  `WEFT_ASSERT(FlightIsDifference, CountW'(\u_dut.flight_q ) == flight)
  `WEFT_ASSERT(ChosenIsHeld, !timed_q || (32'(age_q) <= HoldCycles && age_q != '0 &&
      (32'(age_q) == HoldCycles ? count == count_was_q + 1'b1 : hold[age_q])))
  `WEFT_ASSERT(NewestIsHeld, HoldCycles == 0 ? count == count_was_q + CountW'(down) :
      hold[0] == down)

endmodule

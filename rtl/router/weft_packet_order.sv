// The order in which packets get an out-port of a router: picks one of the requesters of a cycle.
// Each VC of the link has an order of its own, which headers that move onto it advance, and nothing
// else: a header whose VC is busy for a while keeps its place. Packets in transit go before a
// node's own, which go first once they have waited for `OwnAfter` others.

`include "weft_assert.svh"

module weft_packet_order #(
  /// Requesters; 1 or more.
  parameter int unsigned NumReq = 10,
  /// VCs of the link; 1 or more.
  parameter int unsigned NumVc = 2,
  /// Requesters that have the node's own packets: the last ones; up to `NumReq`.
  parameter int unsigned NumOwn = 2,
  /// Packets in transit that may go before an own one while it requests; 0: no difference between
  /// the two.
  parameter int unsigned OwnAfter = 3,
  // Derived.
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1
) (
  /// Clock.
  input  logic                  clk_i,
  /// Asynchronous reset, active low.
  input  logic                  rst_ni,
  /// Requests.
  input  logic [NumReq-1:0]     req_i,
  /// VC of the link that each requests, requester 0 lowest.
  input  logic [NumReq*VcW-1:0] vc_i,
  /// Its flit is a header.
  input  logic [NumReq-1:0]     head_i,
  /// The requester whose flit moves in this cycle, at most one.
  input  logic [NumReq-1:0]     moves_i,
  /// The requester that goes next, if there is one.
  output logic [NumReq-1:0]     pick_o
);
  // One for each out-port of a router.
  /* verilator no_inline_module */

  `WEFT_PARAM(gen_check_num_req, NumReq >= 1)
  `WEFT_PARAM(gen_check_num_vc, NumVc >= 1)
  `WEFT_PARAM(gen_check_num_own, NumOwn <= NumReq)

  // Two kinds of requesters, or one.
  localparam bit          Split    = OwnAfter != 0 && NumOwn != 0 && NumOwn != NumReq;
  localparam int unsigned NumFirst = Split ? NumReq - NumOwn : NumReq;  // those in transit
  localparam int unsigned WaitW    = Split ? $clog2(OwnAfter + 1) : 1;
  localparam logic [NumReq-1:0] Transit = {NumReq{1'b1}} >> (NumReq - NumFirst);

  function automatic logic [NumReq-1:0] lowest(input logic [NumReq-1:0] set);
    lowest = set & (~set + 1'b1);
  endfunction
  function automatic logic [NumVc-1:0] lowest_vc(input logic [NumVc-1:0] set);
    lowest_vc = set & (~set + 1'b1);
  endfunction

  logic              header;      // A header moves:
  logic              of_transit;  // a packet in transit, or an own one,
  logic [NumVc-1:0]  onto;        // onto this VC.
  assign header     = (moves_i & head_i) != '0;
  assign of_transit = (moves_i & Transit) != '0;

  // By VC: whether one in transit, and an own one, requests it; that the own one has waited long
  // enough; the first of both kinds in the VC's order.
  logic [NumVc-1:0]        first_asks, own_asks, due;
  logic [NumVc*NumReq-1:0] picks;
  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    // The requesters above the one in transit, and the own one, whose header moved onto it last.
    logic [NumReq-1:0] mask_q;
    logic [NumReq-1:0] on_it, asks, above;
    for (genvar r = 0; r < NumReq; r++) begin : gen_req
      assign on_it[r] = NumVc == 1 || 32'(vc_i[r*VcW +: VcW]) == v;
    end
    assign onto[v]       = (moves_i & on_it) != '0;
    assign asks          = req_i & on_it;
    assign above         = asks & mask_q;
    assign first_asks[v] = (asks & Transit) != '0;
    assign own_asks[v]   = (asks & ~Transit) != '0;
    // Both ends of the search at once: a shorter path.
    assign picks[v*NumReq +: NumReq] = lowest(above & Transit) | lowest(above & ~Transit) |
        ((above & Transit) != '0 ? '0 : lowest(asks & Transit)) |
        ((above & ~Transit) != '0 ? '0 : lowest(asks & ~Transit));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) mask_q <= '0;
      else if (header && onto[v]) begin
        if (of_transit) mask_q <= (mask_q & ~Transit) | (~(moves_i | (moves_i - 1'b1)) & Transit);
        else mask_q <= (mask_q & Transit) | ~(moves_i | (moves_i - 1'b1) | Transit);
      end
    end

    if (Split) begin : gen_waits
      // Packets in transit that went before an own one that requested it.
      logic [WaitW-1:0] waits_q;
      assign due[v] = own_asks[v] && waits_q == WaitW'(OwnAfter);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) waits_q <= '0;
        else if (header && !of_transit && onto[v]) waits_q <= '0;
        else if (header && of_transit && own_asks[v] && !due[v]) waits_q <= waits_q + 1'b1;
      end
      `WEFT_ASSERT(WaitsInRange, 32'(waits_q) <= OwnAfter)
    end else begin : gen_no_waits
      assign due[v] = 1'b0;
    end
    `WEFT_ASSERT(MaskIsUpperRange, ((mask_q | NumReq'((mask_q & Transit) << 1)) & Transit) ==
        (mask_q & Transit))
    `WEFT_ASSERT(OwnIsUpperRange, ((mask_q | NumReq'((mask_q & ~Transit) << 1)) & ~Transit) ==
        (mask_q & ~Transit))
  end

  // Of both kinds the VC whose first requester goes next: in turn, of own ones among those that
  // have waited long enough, if there are any. `above`: the VCs above that used last.
  logic [NumVc-1:0] above_q, own_above, own_vcs, chosen, own_chosen;
  logic             own_goes;
  assign own_goes = due != '0 || first_asks == '0;
  assign own_vcs  = due != '0 ? due : own_asks;
  assign chosen   = lowest_vc((first_asks & above_q) != '0 ? first_asks & above_q : first_asks);
  assign own_chosen = lowest_vc((own_vcs & own_above) != '0 ? own_vcs & own_above : own_vcs);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_q <= '0;
    else if (of_transit) above_q <= ~(onto | (onto - 1'b1));
  end
  if (Split) begin : gen_own
    logic [NumVc-1:0] own_above_q;
    assign own_above = own_above_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) own_above_q <= '0;
      else if (moves_i != '0 && !of_transit) own_above_q <= ~(onto | (onto - 1'b1));
    end
  end else begin : gen_no_own
    assign own_above = '0;
  end

  logic [NumReq-1:0] pick, own_pick;
  always_comb begin
    pick     = '0;
    own_pick = '0;
    for (int unsigned v = 0; v < NumVc; v++) begin
      pick     = pick | (picks[v*NumReq +: NumReq] & {NumReq{chosen[v]}});
      own_pick = own_pick | (picks[v*NumReq +: NumReq] & {NumReq{own_chosen[v]}});
    end
  end
  assign pick_o = own_goes ? own_pick & ~Transit : pick & Transit;

  `WEFT_ASSUME(OneMoves, (moves_i & (moves_i - 1'b1)) == '0)
  `WEFT_ASSERT(VcsAreUpperRange, (above_q | NumVc'(above_q << 1)) == above_q && !above_q[0])
  `WEFT_ASSERT(OwnVcsAreUpperRange,
      (own_above | NumVc'(own_above << 1)) == own_above && !own_above[0])
  `WEFT_ASSERT(PickOneHot, (pick_o & (pick_o - 1'b1)) == '0)
  `WEFT_ASSERT(PickOnlyRequested, (pick_o & ~req_i) == '0)
  `WEFT_ASSERT(PickIfRequested, (pick_o != '0) == (req_i != '0))
endmodule

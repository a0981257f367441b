// Proof of the order of packets at an out-port: nobody starves. What moves is free, but a header
// moves only when it is picked. The requester watched (`watch_i`) and its VC (`vc_watch_i`) are
// free and constant: it may request or not, but asks for that VC whenever another header of its
// kind moves onto it, as a header of a VC set of one VC does. Counted from its own last header on:
// how often another of its kind went before, and of a node's own packets also those in transit.

`include "weft_assert.svh"

module packet_order_props #(
  parameter int unsigned NumReq = 5,
  parameter int unsigned NumOwn = 2,
  parameter int unsigned OwnAfter = 3,
  localparam int unsigned NumVc = 2,
  localparam int unsigned WaitW = OwnAfter != 0 ? $clog2(OwnAfter + 1) : 1,
  localparam int unsigned VcW = 1,
  localparam int unsigned IdxW = NumReq > 1 ? $clog2(NumReq) : 1
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [NumReq-1:0]     req_i,
  input logic [NumReq*VcW-1:0] vc_i,
  input logic [NumReq-1:0]     head_i,
  input logic [NumReq-1:0]     moves_i,
  input logic [IdxW-1:0]       watch_i,
  input logic [VcW-1:0]        vc_watch_i
);

  localparam bit          Split    = OwnAfter != 0 && NumOwn != 0 && NumOwn != NumReq;
  localparam int unsigned NumFirst = Split ? NumReq - NumOwn : NumReq;

  logic [NumReq-1:0] pick;

  weft_packet_order #(
    .NumReq  (NumReq),
    .NumVc   (NumVc),
    .NumOwn  (NumOwn),
    .OwnAfter(OwnAfter)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .vc_i,
    .head_i,
    .moves_i,
    .pick_o(pick)
  );

  // Of the mover: its VC, whether it is an own one, and whether its flit is a header.
  logic [VcW-1:0] vc;
  logic           own, header, own_watch, asks, waiting, same_vc;
  always_comb begin
    vc  = '0;
    own = 1'b0;
    for (int unsigned r = 0; r < NumReq; r++) begin
      if (moves_i[r]) begin
        vc  = vc_i[r*VcW +: VcW];
        own = r >= NumFirst;
      end
    end
  end
  assign header    = (moves_i & head_i) != '0;
  assign own_watch = 32'(watch_i) >= NumFirst;
  assign asks      = req_i[watch_i] && vc_i[watch_i*VcW +: VcW] == vc_watch_i;
  assign same_vc   = vc == vc_watch_i;
  assign waiting   = asks && (!own_watch || due[vc_watch_i]);

  // The VCs for which an own packet has waited long enough.
  (* hierconn *) wire [WaitW-1:0] \u_dut.gen_vc[0].gen_waits.waits_q ;
  (* hierconn *) wire [WaitW-1:0] \u_dut.gen_vc[1].gen_waits.waits_q ;
  logic [NumVc-1:0] due;
  always_comb begin
    due = '0;
    for (int unsigned r = NumFirst; r < NumReq; r++) begin
      if (req_i[r] && !vc_i[r] && 32'( \u_dut.gen_vc[0].gen_waits.waits_q ) == OwnAfter)
        due[0] = 1'b1;
      if (req_i[r] && vc_i[r] && 32'( \u_dut.gen_vc[1].gen_waits.waits_q ) == OwnAfter)
        due[1] = 1'b1;
    end
  end

  logic            past_q;
  logic [IdxW-1:0] watch_q;
  logic [VcW-1:0]  vc_watch_q;
  // Headers that went before: of its kind onto its VC; in transit onto any.
  logic [7:0]      same_q, transit_q;
  // While it requests and, if it is an own one, is due: flits of its kind that were picked for the
  // other VC.
  logic [7:0]      others_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q     <= 1'b0;
      watch_q    <= '0;
      vc_watch_q <= '0;
      same_q     <= '0;
      transit_q  <= '0;
      others_q   <= '0;
    end else begin
      past_q     <= 1'b1;
      watch_q    <= watch_i;
      vc_watch_q <= vc_watch_i;
      if (header && moves_i[watch_i]) begin
        same_q    <= '0;
        transit_q <= '0;
      end else if (header) begin
        if (same_vc && own == own_watch) same_q <= same_q + 1'b1;
        if (own_watch && !own && asks) transit_q <= transit_q + 1'b1;
      end
      if (!waiting || (moves_i != '0 && own == own_watch && same_vc)) begin
        others_q <= '0;
      end else if (moves_i == pick && moves_i != '0 && own == own_watch) begin
        others_q <= others_q + 1'b1;
      end
    end
  end

  `WEFT_ASSUME(WatchIsConstant, (!past_q || (watch_i == watch_q && vc_watch_i == vc_watch_q)) &&
      32'(watch_i) < NumReq)
  `WEFT_ASSUME(OneMoves, (moves_i & (moves_i - 1'b1)) == '0)
  `WEFT_ASSUME(HeaderIsPicked, !header || moves_i == pick)
  // Its header asks for the VC whenever another of its kind gets it, and moves onto that VC only.
  `WEFT_ASSUME(AsksForItsVc, !(header && same_vc && own == own_watch) || asks)
  `WEFT_ASSUME(StaysOnItsVc, !(header && moves_i[watch_i]) || same_vc)

  // The order itself: an own packet goes only where none in transit requests, or it is due; one in
  // transit never before an own one that is due.
  logic [NumReq-1:0] owns;
  assign owns = ~({NumReq{1'b1}} >> (NumReq - NumFirst));
  `WEFT_ASSERT(TransitFirst, due != '0 || (req_i & ~owns) == '0 || (pick & owns) == '0)
  `WEFT_ASSERT(DueFirst, due == '0 || (pick & owns) != '0)

  // Invariants that close the induction: how many places the watched one is behind the first of
  // its kind, by the masks; what the counter of its VC says; whether its VC is the next one.
  (* hierconn *) wire [NumReq-1:0] \u_dut.gen_vc[0].mask_q ;
  (* hierconn *) wire [NumReq-1:0] \u_dut.gen_vc[1].mask_q ;
  (* hierconn *) wire [NumVc-1:0] \u_dut.above_q ;
  (* hierconn *) wire [NumVc-1:0] \u_dut.own_above ;
  logic [NumReq-1:0] mask;
  logic [WaitW-1:0]  waits;
  logic              above, next;
  logic [31:0]       first, count, start, distance;
  assign mask  = vc_watch_i ? \u_dut.gen_vc[1].mask_q : \u_dut.gen_vc[0].mask_q ;
  assign waits = vc_watch_i ? \u_dut.gen_vc[1].gen_waits.waits_q
                            : \u_dut.gen_vc[0].gen_waits.waits_q ;
  assign above = own_watch ? \u_dut.own_above [1] : \u_dut.above_q [1];
  assign next  = above == vc_watch_i;
  always_comb begin
    first = own_watch ? NumFirst : 0;
    count = own_watch ? NumReq - NumFirst : NumFirst;
    start = first;
    for (int unsigned i = 0; i < NumReq; i++) begin
      if (i >= first && i < first + count && !mask[i]) start = i + 1;
    end
    if (start == first + count) start = first;
    distance = 32'(watch_i) >= start ? 32'(watch_i) - start : 32'(watch_i) + count - start;
  end
  `WEFT_ASSERT(Nearer, 32'(same_q) + distance <= count - 1)
  `WEFT_ASSERT(CounterKnows, !own_watch ||
      32'(transit_q) <= OwnAfter * 32'(same_q) + 32'(waits))
  `WEFT_ASSERT(OneOfOtherVc, others_q == '0 || (others_q == 8'd1 && next))

  // Nobody starves: each other one of its kind goes before it at most once, and of own packets
  // `OwnAfter` in transit before each of these and before itself.
  `WEFT_ASSERT(BoundedByKind, 32'(same_q) <= count - 1)
  `WEFT_ASSERT(BoundedByTransit, 32'(transit_q) <= OwnAfter * count)
endmodule

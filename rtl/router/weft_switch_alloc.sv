// Switch allocation of one out-port of a router (seed 004 [4.2]): grants one VC of one in-port in
// each cycle, by packet_order or oldest packet first; with `Hold` the packet granted last keeps the
// port until its last flit, or until it does not request and another does.

`include "weft_assert.svh"

module weft_switch_alloc #(
  /// Requesters; 1 or more.
  parameter int unsigned NumReq = 10,
  /// VCs of the link; 1 or more.
  parameter int unsigned NumVc = 2,
  /// Requesters that have the node's own packets: the last ones.
  parameter int unsigned NumOwn = 2,
  /// Packets in transit that may go before an own one; 0: no difference between the two.
  parameter int unsigned OwnAfter = 3,
  /// 1: the packet granted last has priority until its last flit. A packet that lost the port,
  /// because it did not request, competes as any other.
  parameter bit          Hold = 1'b1,
  /// 1: oldest packet first, among equally old ones as without, but whosever they are.
  parameter bit          Age = 1'b0,
  // Derived.
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned IdxW = NumReq > 1 ? $clog2(NumReq) : 1,
  localparam int unsigned StampW = weft_pkg::StampW
) (
  /// Clock.
  input  logic                     clk_i,
  /// Asynchronous reset, active low.
  input  logic                     rst_ni,
  /// The present cycle, with `Age`.
  input  logic [StampW-1:0]        now_i,
  /// Requests: of VCs whose flit can be sent in this cycle.
  input  logic [NumReq-1:0]        req_i,
  /// VC of the link that each requests, requester 0 lowest.
  input  logic [NumReq*VcW-1:0]    vc_i,
  /// Its flit is a header.
  input  logic [NumReq-1:0]        head_i,
  /// Its flit is the last of its packet.
  input  logic [NumReq-1:0]        last_i,
  /// Stamps of the packets, requester 0 lowest; with `Age`.
  input  logic [NumReq*StampW-1:0] stamp_i,
  /// Grant, at most one: its flit moves in this cycle. Combinational.
  output logic [NumReq-1:0]        gnt_o,
  /// Number of the granted requester; 0 without.
  output logic [IdxW-1:0]          idx_o
);
  // One for each out-port of a router.
  /* verilator no_inline_module */

  `WEFT_PARAM(gen_check_num_req, NumReq >= 1)

  logic [NumReq-1:0] held_q;  // The holder of the port.

  logic [NumReq-1:0] eligible, pick;

  if (Age) begin : gen_age
    weft_age_arbiter #(
      .NumReq(NumReq)
    ) u_age (
      .now_i,
      .req_i,
      .stamp_i,
      .oldest_o(eligible)
    );
  end else begin : gen_no_age
    logic unused_stamps;
    assign unused_stamps = ^{now_i, stamp_i};
    assign eligible = req_i;
  end

  weft_packet_order #(
    .NumReq  (NumReq),
    .NumVc   (NumVc),
    .NumOwn  (NumOwn),
    .OwnAfter(Age ? 0 : OwnAfter)
  ) u_order (
    .clk_i,
    .rst_ni,
    .req_i  (eligible),
    .vc_i,
    .head_i,
    .moves_i(gnt_o),
    .pick_o (pick)
  );
  assign gnt_o = ((held_q & req_i) != '0) ? held_q : pick;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
    end else if (gnt_o != '0) begin
      if (Hold) held_q <= gnt_o & ~last_i;
    end
  end

  // The requesters whose number has bit `b`.
  function automatic logic [NumReq-1:0] with_bit(input int unsigned b);
    for (int unsigned i = 0; i < NumReq; i++) with_bit[i] = ((i >> b) & 1) != 0;
  endfunction

  // One OR for each bit of the number: cheaper than a priority encoder over all requesters.
  for (genvar b = 0; b < IdxW; b++) begin : gen_idx
    localparam logic [NumReq-1:0] WithBit = with_bit(b);
    assign idx_o[b] = (gnt_o & WithBit) != '0;
  end

  `WEFT_ASSERT(GrantOneHot, (gnt_o & (gnt_o - 1'b1)) == '0)
  `WEFT_ASSERT(GrantOnlyRequested, (gnt_o & ~req_i) == '0)
  `WEFT_ASSERT(NoIdleWhileRequested, (gnt_o != '0) == (req_i != '0))
  `WEFT_ASSERT(IndexOfGrant, gnt_o == '0 ? idx_o == '0 : gnt_o[idx_o])
  `WEFT_ASSERT(HolderFirst, (held_q & req_i) == '0 || gnt_o == held_q)
  `WEFT_ASSERT(OneHolder, (held_q & (held_q - 1'b1)) == '0)
endmodule

// Switch allocation of one out-port a cycle ahead (router with `Pipeline` 3): a register has the
// requester that holds the port, and only its word moves. The holder of the next cycle is selected
// in the same cycle: another requester when the holder's packet ends or its word cannot move.

`include "weft_assert.svh"

module weft_switch_hold #(
  /// Requesters; 1 or more.
  parameter int unsigned NumReq = 10,
  /// VCs of the link; 1 or more.
  parameter int unsigned NumVc = 2,
  /// Requesters that have the node's own packets: the last ones.
  parameter int unsigned NumOwn = 2,
  /// Packets in transit that may go before an own one; 0: no difference between the two.
  parameter int unsigned OwnAfter = 3,
  /// 1: a holder whose word moves keeps the port until its packet's last word. 0: until another
  /// requests.
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
  /// Requests to hold the port from the next cycle on; the holder's is ignored.
  input  logic [NumReq-1:0]        req_i,
  /// VC of the link that each requests, requester 0 lowest.
  input  logic [NumReq*VcW-1:0]    vc_i,
  /// Its word is a header.
  input  logic [NumReq-1:0]        head_i,
  /// Its word can move in this cycle, if it holds the port.
  input  logic [NumReq-1:0]        may_i,
  /// Its word is the last of its packet.
  input  logic [NumReq-1:0]        last_i,
  /// Stamps of the packets, requester 0 lowest; with `Age`.
  input  logic [NumReq*StampW-1:0] stamp_i,
  /// Grant, at most one: its word moves in this cycle.
  output logic [NumReq-1:0]        gnt_o,
  /// Number of the holder, from registers; 0 without.
  output logic [IdxW-1:0]          idx_o
);
  // One for each out-port of a router.
  /* verilator no_inline_module */

  `WEFT_PARAM(gen_check_num_req, NumReq >= 1)

  logic [NumReq-1:0] held_q;  // The holder of the port.

  logic [NumReq-1:0] others, eligible, pick;
  logic              moves, ends, change;

  assign others = req_i & ~held_q;
  if (Age) begin : gen_age
    weft_age_arbiter #(
      .NumReq(NumReq)
    ) u_age (
      .now_i,
      .req_i   (others),
      .stamp_i,
      .oldest_o(eligible)
    );
  end else begin : gen_no_age
    logic unused_stamps;
    assign unused_stamps = ^{now_i, stamp_i};
    assign eligible = others;
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

  assign gnt_o  = held_q & may_i;
  assign moves  = gnt_o != '0;
  assign ends   = (held_q & last_i) != '0;
  // Without another requester a holder that waits keeps the port.
  assign change = (others != '0) ? !(Hold && moves && !ends) : moves && ends;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
    end else if (change) begin
      held_q <= pick;
    end
  end

  // The requesters whose number has bit `b`.
  function automatic logic [NumReq-1:0] with_bit(input int unsigned b);
    for (int unsigned i = 0; i < NumReq; i++) with_bit[i] = ((i >> b) & 1) != 0;
  endfunction

  for (genvar b = 0; b < IdxW; b++) begin : gen_idx
    localparam logic [NumReq-1:0] WithBit = with_bit(b);
    assign idx_o[b] = (held_q & WithBit) != '0;
  end

  `WEFT_ASSERT(OneHolder, (held_q & (held_q - 1'b1)) == '0)
  `WEFT_ASSERT(PickOnlyRequested, (pick & ~others) == '0 && (pick != '0) == (others != '0))
  `WEFT_ASSERT(IndexOfHolder, held_q == '0 ? idx_o == '0 : held_q[idx_o])
endmodule

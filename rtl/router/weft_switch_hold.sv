// Switch allocation of one out-port a cycle ahead (router with `Pipeline` 3): a register has the
// requester that holds the port, and only its word moves. The holder of the next cycle is selected
// in the same cycle: another requester when the holder's packet ends or its word cannot move.

`include "weft_assert.svh"

module weft_switch_hold #(
  /// Requesters; 1 or more.
  parameter int unsigned NumReq = 10,
  /// 1: a holder whose word moves keeps the port until its packet's last word. 0: until another
  /// requests.
  parameter bit          Hold = 1'b1,
  /// 1: oldest packet first, round-robin among equally old ones.
  parameter bit          Age = 1'b0,
  // Derived.
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

  // The holder of the port; the requesters at or above the round-robin pointer (none: it is 0).
  logic [NumReq-1:0] held_q, mask_q;

  logic [NumReq-1:0] others, eligible, above, candidates, pick;
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
  end else begin : gen_round_robin
    logic unused_stamps;
    assign unused_stamps = ^{now_i, stamp_i};
    assign eligible = others;
  end

  assign above      = eligible & mask_q;
  assign candidates = (above != '0) ? above : eligible;
  assign pick       = candidates & (~candidates + 1'b1);

  assign gnt_o  = held_q & may_i;
  assign moves  = gnt_o != '0;
  assign ends   = (held_q & last_i) != '0;
  // Without another requester a holder that waits keeps the port.
  assign change = (others != '0) ? !(Hold && moves && !ends) : moves && ends;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
      mask_q <= '0;
    end else if (change) begin
      held_q <= pick;
      // The round-robin pointer moves to one above the new holder.
      if (others != '0) mask_q <= ~(pick | (pick - 1'b1));
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
  `WEFT_ASSERT(MaskIsUpperRange, (mask_q | NumReq'(mask_q << 1)) == mask_q)

endmodule

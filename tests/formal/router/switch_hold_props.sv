// Proof of the switch allocation a cycle ahead: who holds the port, for how long, and at most how
// many others hold it first while a request is high. The requester watched (`watch_i`) is free and
// constant.

`include "weft_assert.svh"

module switch_hold_props #(
  parameter int unsigned NumReq = 3,
  parameter bit          Hold = 1'b1,
  parameter bit          Age = 1'b0,
  localparam int unsigned IdxW = NumReq > 1 ? $clog2(NumReq) : 1,
  localparam int unsigned StampW = weft_pkg::StampW
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [StampW-1:0]        now_i,
  input logic [NumReq-1:0]        req_i,
  input logic [NumReq-1:0]        may_i,
  input logic [NumReq-1:0]        last_i,
  input logic [NumReq*StampW-1:0] stamp_i,
  input logic [IdxW-1:0]          watch_i
);

  logic [NumReq-1:0] gnt;
  logic [IdxW-1:0]   idx;

  weft_switch_hold #(
    .NumReq(NumReq),
    .Hold  (Hold),
    .Age   (Age)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .now_i,
    .req_i,
    .may_i,
    .last_i,
    .stamp_i,
    .gnt_o(gnt),
    .idx_o(idx)
  );

  (* hierconn *) wire [NumReq-1:0] \u_dut.held_q ;
  (* hierconn *) wire [NumReq-1:0] \u_dut.mask_q ;
  logic [NumReq-1:0] held;
  assign held = \u_dut.held_q ;

  // The cycle before: its holder, whether that moved and ended its packet, its requests, the age of
  // each; others that took the port since the watched requester requests without holding it.
  logic                     past_q, moved_q, ended_q, taken, waiting;
  logic [NumReq-1:0]        held_q, req_q;
  logic [NumReq*StampW-1:0] age_q;
  logic [IdxW-1:0]          watch_q;
  logic [IdxW:0]            passed_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q   <= 1'b0;
      moved_q  <= 1'b0;
      ended_q  <= 1'b0;
      held_q   <= '0;
      req_q    <= '0;
      watch_q  <= '0;
      passed_q <= '0;
    end else begin
      past_q   <= 1'b1;
      moved_q  <= (held & may_i) != '0;
      ended_q  <= (held & may_i & last_i) != '0;
      held_q   <= held;
      req_q    <= req_i;
      watch_q  <= watch_i;
      passed_q <= waiting ? passed_q + (IdxW + 1)'(taken) : '0;
    end
  end
  for (genvar r = 0; r < NumReq; r++) begin : gen_age
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) age_q[r*StampW +: StampW] <= '0;
      else age_q[r*StampW +: StampW] <= now_i - stamp_i[r*StampW +: StampW];
    end
  end

  `WEFT_ASSUME(WatchIsConstant, (!past_q || watch_i == watch_q) && 32'(watch_i) < NumReq)

  `WEFT_ASSERT(OneHolder, (held & (held - 1'b1)) == '0)
  `WEFT_ASSERT(HolderMoves, gnt == (held & may_i))
  `WEFT_ASSERT(IndexOfHolder, held == '0 ? idx == '0 : held[idx])
  // Each change of the holder, by what was in the cycle before.
  logic others_q;
  assign others_q = (req_q & ~held_q) != '0;
  `WEFT_ASSERT(PacketKeepsPort, !Hold || !moved_q || ended_q || held == held_q)
  `WEFT_ASSERT(OthersTakePort, !past_q || !others_q || (Hold && moved_q && !ended_q) ||
      (held != held_q && (held & req_q) == held && held != '0))
  `WEFT_ASSERT(WaitsWithoutOthers, !past_q || others_q || ended_q || held == held_q)
  `WEFT_ASSERT(FreeAfterPacket, others_q || !ended_q || held == '0)

  // In how many changes the watched requester's turn comes.
  logic [31:0] start, distance;
  always_comb begin
    start = 0;
    for (int unsigned i = 0; i < NumReq; i++) begin
      if (!\u_dut.mask_q [i]) start = i + 1;
    end
    if (start == NumReq) start = 0;
    distance = 32'(watch_i) >= start ? 32'(watch_i) - start : 32'(watch_i) + NumReq - start;
  end
  // The pointer stands behind the holder; so a holder that ends is the last in turn.
  `WEFT_ASSERT(PointerAfterHolder, held == '0 || held[start == 0 ? NumReq - 1 : start - 1])

  // A change takes place in this cycle: seen at the inputs.
  assign taken   = (req_i & ~held) != '0 &&
                   !(Hold && (held & may_i) != '0 && (held & last_i) == '0);
  assign waiting = req_i[watch_i] && !held[watch_i];
  if (Age) begin : gen_oldest
    logic [StampW-1:0] held_age;
    assign held_age = age_q[idx*StampW +: StampW];
    `WEFT_ASSERT(OldestBegins, held == '0 || held == held_q || !req_q[watch_i] ||
        held_q[watch_i] || held_age >= age_q[watch_i*StampW +: StampW])
  end else begin : gen_round_robin
    // While a request is high, in every cycle from its rise on, at most NumReq-1 others take the
    // port before it.
    `WEFT_ASSERT(BoundedWait, !waiting || 32'(passed_q) <= NumReq - 1)
    `WEFT_ASSERT(Nearer, !waiting || 32'(passed_q) + distance <= NumReq - 1)
  end

endmodule

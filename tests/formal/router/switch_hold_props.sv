// Proof of the switch allocation a cycle ahead: who holds the port and for how long; by age, that
// it is the oldest. Who goes before whom else is the proof of packet_order. The requester watched
// (`watch_i`) is free and constant.

`include "weft_assert.svh"

module switch_hold_props #(
  parameter int unsigned NumReq = 3,
  parameter int unsigned NumVc = 2,
  parameter int unsigned NumOwn = 1,
  parameter bit          Hold = 1'b1,
  parameter bit          Age = 1'b0,
  localparam int unsigned IdxW = NumReq > 1 ? $clog2(NumReq) : 1,
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned StampW = weft_pkg::StampW
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [StampW-1:0]        now_i,
  input logic [NumReq-1:0]        req_i,
  input logic [NumReq*VcW-1:0]    vc_i,
  input logic [NumReq-1:0]        head_i,
  input logic [NumReq-1:0]        may_i,
  input logic [NumReq-1:0]        last_i,
  input logic [NumReq*StampW-1:0] stamp_i,
  input logic [IdxW-1:0]          watch_i
);

  logic [NumReq-1:0] gnt;
  logic [IdxW-1:0]   idx;

  weft_switch_hold #(
    .NumReq(NumReq),
    .NumVc (NumVc),
    .NumOwn(NumOwn),
    .Hold  (Hold),
    .Age   (Age)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .now_i,
    .req_i,
    .vc_i,
    .head_i,
    .may_i,
    .last_i,
    .stamp_i,
    .gnt_o(gnt),
    .idx_o(idx)
  );

  (* hierconn *) wire [NumReq-1:0] \u_dut.held_q ;
  logic [NumReq-1:0] held;
  assign held = \u_dut.held_q ;

  // The cycle before: its holder, whether that moved and ended its packet, its requests, the age of
  // each.
  logic                     past_q, moved_q, ended_q;
  logic [NumReq-1:0]        held_q, req_q;
  logic [NumReq*StampW-1:0] age_q;
  logic [IdxW-1:0]          watch_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q   <= 1'b0;
      moved_q  <= 1'b0;
      ended_q  <= 1'b0;
      held_q   <= '0;
      req_q    <= '0;
      watch_q  <= '0;
    end else begin
      past_q   <= 1'b1;
      moved_q  <= (held & may_i) != '0;
      ended_q  <= (held & may_i & last_i) != '0;
      held_q   <= held;
      req_q    <= req_i;
      watch_q  <= watch_i;
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

  if (Age) begin : gen_oldest
    logic [StampW-1:0] held_age;
    assign held_age = age_q[idx*StampW +: StampW];
    `WEFT_ASSERT(OldestBegins, held == '0 || held == held_q || !req_q[watch_i] ||
        held_q[watch_i] || held_age >= age_q[watch_i*StampW +: StampW])
  end

endmodule

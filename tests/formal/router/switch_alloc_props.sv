// Proof of the switch allocation: which requester is granted, for how long, and at most how many
// grants to others begin while a request is high. The requester watched (`watch_i`) is free and
// constant.

`include "weft_assert.svh"

module switch_alloc_props #(
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
  input logic [NumReq-1:0]        last_i,
  input logic [NumReq*StampW-1:0] stamp_i,
  input logic [IdxW-1:0]          watch_i
);

  logic [NumReq-1:0] gnt;
  logic [IdxW-1:0]   idx;

  weft_switch_alloc #(
    .NumReq(NumReq),
    .Hold  (Hold),
    .Age   (Age)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .now_i,
    .req_i,
    .last_i,
    .stamp_i,
    .gnt_o(gnt),
    .idx_o(idx)
  );

  // The requester granted last whose packet continues; a grant to another; grants to others since
  // the watched requester requests.
  logic [NumReq-1:0] owner_q;
  logic              waiting, new_grant, past_q;
  logic [IdxW-1:0]   watch_q;
  logic [IdxW:0]     passed_q;
  assign waiting   = req_i[watch_i] && !gnt[watch_i];
  assign new_grant = gnt != '0 && (!Hold || gnt != owner_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owner_q  <= '0;
      watch_q  <= '0;
      passed_q <= '0;
      past_q   <= 1'b0;
    end else begin
      past_q  <= 1'b1;
      watch_q <= watch_i;
      if (gnt != '0) owner_q <= gnt & ~last_i;
      if (!waiting) passed_q <= '0;
      else if (new_grant) passed_q <= passed_q + 1'b1;
    end
  end

  `WEFT_ASSUME(WatchIsConstant, (!past_q || watch_i == watch_q) && 32'(watch_i) < NumReq)

  `WEFT_ASSERT(GrantOneHot, (gnt & (gnt - 1'b1)) == '0)
  `WEFT_ASSERT(GrantOnlyRequested, (gnt & ~req_i) == '0)
  `WEFT_ASSERT(NoIdleWhileRequested, gnt != '0 || req_i == '0)
  `WEFT_ASSERT(IndexIsGranted, gnt == '0 ? idx == '0 : gnt[idx])
  // A packet that requests keeps the port.
  `WEFT_ASSERT(PacketKeepsPort, !Hold || (owner_q & req_i) == '0 || gnt == owner_q)

  // Invariants that close the induction: every grant to another moves the round-robin pointer
  // nearer.
  (* hierconn *) wire [NumReq-1:0] \u_dut.held_q ;
  (* hierconn *) wire [NumReq-1:0] \u_dut.mask_q ;
  logic [31:0] start, distance;
  always_comb begin
    start = 0;
    for (int unsigned i = 0; i < NumReq; i++) begin
      if (!\u_dut.mask_q [i]) start = i + 1;
    end
    if (start == NumReq) start = 0;
    distance = 32'(watch_i) >= start ? 32'(watch_i) - start : 32'(watch_i) + NumReq - start;
  end
  `WEFT_ASSERT(OwnerHolds, \u_dut.held_q == (Hold ? owner_q : '0))
  `WEFT_ASSERT(SearchBehindHolder, \u_dut.held_q == '0 ||
      \u_dut.held_q [start == 0 ? NumReq - 1 : start - 1])

  if (Age) begin : gen_age
    // No requester is older than the one granted anew.
    logic [StampW-1:0] watch_age, gnt_age;
    assign watch_age = now_i - stamp_i[watch_i*StampW +: StampW];
    assign gnt_age   = now_i - stamp_i[idx*StampW +: StampW];
    `WEFT_ASSERT(OldestBegins, !new_grant || !req_i[watch_i] || gnt_age >= watch_age)
  end else begin : gen_round_robin
    // While a request is high, in every cycle from its rise on, at most NumReq-1 grants begin for
    // others: flits, or with `Hold` runs of flits of one packet, which may be as long as that. The
    // count restarts where the request falls: there is no bound for a request that is withdrawn,
    // such as that of a header that waits for credits for its whole packet.
    `WEFT_ASSERT(BoundedWait, !waiting || 32'(passed_q) + 32'(new_grant) <= NumReq - 1)
    `WEFT_ASSERT(Nearer, 32'(passed_q) + distance <= NumReq - 1)
  end

endmodule

// Proof of the round-robin arbiter: which requester is granted, for how long, and the longest wait.
// The requester watched (`watch_i`) is free and constant.

`include "weft_assert.svh"

module rr_arbiter_props #(
  parameter int unsigned NumReq = 3,
  localparam int unsigned IdxW = NumReq > 1 ? $clog2(NumReq) : 1
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic [NumReq-1:0] req_i,
  input logic              done_i,
  input logic [IdxW-1:0]   watch_i
);

  logic [NumReq-1:0] gnt;
  logic [IdxW-1:0]   idx;

  weft_rr_arbiter #(
    .NumReq(NumReq)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .done_i,
    .gnt_o(gnt),
    .idx_o(idx)
  );

  // The last cycle, and the one before.
  logic [NumReq-1:0] gnt_q, req_q, req_qq;
  logic              done_q;
  logic [IdxW-1:0]   watch_q;
  // The watched request is high and not granted; grants to others since it was first seen.
  logic              waiting;
  // A grant that began in this cycle.
  logic              new_grant;
  logic              past_q;
  logic [IdxW:0]     passed_q;

  assign waiting   = req_q[watch_i] && !gnt[watch_i];
  assign new_grant = gnt != '0 && (gnt_q == '0 || done_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gnt_q    <= '0;
      req_q    <= '0;
      req_qq   <= '0;
      done_q   <= 1'b0;
      watch_q  <= '0;
      passed_q <= '0;
      past_q   <= 1'b0;
    end else begin
      past_q  <= 1'b1;
      gnt_q   <= gnt;
      // A request that ends is a new one from the next cycle on.
      req_q   <= done_i ? (req_i & ~gnt) : req_i;
      req_qq  <= req_q;
      done_q  <= done_i;
      watch_q <= watch_i;
      if (!waiting) passed_q <= '0;
      else if (new_grant) passed_q <= passed_q + 1'b1;
    end
  end

  `WEFT_ASSUME(WatchIsConstant, (!past_q || watch_i == watch_q) && 32'(watch_i) < NumReq)

  `WEFT_ASSERT(GrantOneHot, (gnt & (gnt - 1'b1)) == '0)
  `WEFT_ASSERT(IndexIsGranted, gnt == '0 || gnt[idx])
  `WEFT_ASSERT(NoGrantWithoutRequest, !new_grant || (gnt & ~req_qq) == '0)
  `WEFT_ASSERT(GrantHeldUntilDone, gnt_q == '0 || done_q || gnt == gnt_q)
  `WEFT_ASSERT(NotTheSameAgain, !done_q || (gnt & gnt_q) == '0)
  // An idle arbiter grants in the next cycle.
  `WEFT_ASSERT(NoIdleWhileRequested, gnt != '0 || req_qq == '0 || (done_q &&
      (req_qq & ~gnt_q) == '0))
  // At most NumReq-1 others are granted while a request waits.
  `WEFT_ASSERT(BoundedWait, !waiting || 32'(passed_q) + 32'(new_grant) <= NumReq - 1)

  // Invariants that close the induction: every grant to another moves the round-robin pointer
  // nearer.
  (* hierconn *) wire [NumReq-1:0] \u_dut.req_q ;
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
  `WEFT_ASSERT(FlagsAgree, \u_dut.req_q == req_q)
  `WEFT_ASSERT(Nearer, !waiting || 32'(passed_q) + 32'(new_grant) + distance <= NumReq - 1)
  `WEFT_ASSERT(NearerAfterGrant, gnt == '0 || gnt[start == 0 ? NumReq - 1 : start - 1])

endmodule

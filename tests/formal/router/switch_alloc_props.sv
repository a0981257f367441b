// Proof of the switch allocation: which requester is granted and for how long; by age, that it is
// the oldest. Who goes before whom else is the proof of packet_order. The requester watched
// (`watch_i`) is free and constant.

`include "weft_assert.svh"

module switch_alloc_props #(
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
  input logic [NumReq-1:0]        last_i,
  input logic [NumReq*StampW-1:0] stamp_i,
  input logic [IdxW-1:0]          watch_i
);

  logic [NumReq-1:0] gnt;
  logic [IdxW-1:0]   idx;

  weft_switch_alloc #(
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
    .last_i,
    .stamp_i,
    .gnt_o(gnt),
    .idx_o(idx)
  );

  // The requester granted last whose packet continues; a grant to another.
  logic [NumReq-1:0] owner_q;
  logic              new_grant, past_q;
  logic [IdxW-1:0]   watch_q;
  assign new_grant = gnt != '0 && (!Hold || gnt != owner_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owner_q  <= '0;
      watch_q  <= '0;
      past_q  <= 1'b0;
    end else begin
      past_q  <= 1'b1;
      watch_q <= watch_i;
      if (gnt != '0) owner_q <= gnt & ~last_i;
    end
  end

  `WEFT_ASSUME(WatchIsConstant, (!past_q || watch_i == watch_q) && 32'(watch_i) < NumReq)

  `WEFT_ASSERT(GrantOneHot, (gnt & (gnt - 1'b1)) == '0)
  `WEFT_ASSERT(GrantOnlyRequested, (gnt & ~req_i) == '0)
  `WEFT_ASSERT(NoIdleWhileRequested, gnt != '0 || req_i == '0)
  `WEFT_ASSERT(IndexIsGranted, gnt == '0 ? idx == '0 : gnt[idx])
  // A packet that requests keeps the port.
  `WEFT_ASSERT(PacketKeepsPort, !Hold || (owner_q & req_i) == '0 || gnt == owner_q)

  // Closes the induction.
  (* hierconn *) wire [NumReq-1:0] \u_dut.held_q ;
  `WEFT_ASSERT(OwnerHolds, \u_dut.held_q == (Hold ? owner_q : '0))

  if (Age) begin : gen_age
    // No requester is older than the one granted anew.
    logic [StampW-1:0] watch_age, gnt_age;
    assign watch_age = now_i - stamp_i[watch_i*StampW +: StampW];
    assign gnt_age   = now_i - stamp_i[idx*StampW +: StampW];
    `WEFT_ASSERT(OldestBegins, !new_grant || !req_i[watch_i] || gnt_age >= watch_age)
  end

endmodule

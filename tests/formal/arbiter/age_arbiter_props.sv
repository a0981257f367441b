// Proof of the oldest-first arbiter, for any two requesters: a selected one requests, no requester
// is older, and one is always selected.

`include "weft_assert.svh"

module age_arbiter_props #(
  parameter int unsigned NumReq = 4,
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned IdxW = NumReq > 1 ? $clog2(NumReq) : 1
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [StampW-1:0]        now_i,
  input logic [NumReq-1:0]        req_i,
  input logic [NumReq*StampW-1:0] stamp_i,
  input logic [IdxW-1:0]          one_i,
  input logic [IdxW-1:0]          other_i
);

  logic [NumReq-1:0] oldest;

  weft_age_arbiter #(
    .NumReq(NumReq)
  ) u_dut (
    .now_i,
    .req_i,
    .stamp_i,
    .oldest_o(oldest)
  );

  logic [StampW-1:0] one_age, other_age;
  assign one_age   = now_i - stamp_i[one_i*StampW +: StampW];
  assign other_age = now_i - stamp_i[other_i*StampW +: StampW];

  `WEFT_ASSUME(Exist, 32'(one_i) < NumReq && 32'(other_i) < NumReq)

  `WEFT_ASSERT(OnlyRequesters, (oldest & ~req_i) == '0)
  `WEFT_ASSERT(NotEmpty, req_i == '0 || oldest != '0)
  `WEFT_ASSERT(NoneOlder, !oldest[one_i] || !req_i[other_i] || other_age <= one_age)
  `WEFT_ASSERT(AllOfThatAge, !oldest[one_i] || !req_i[other_i] || other_age != one_age ||
      oldest[other_i])

endmodule

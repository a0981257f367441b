// VC allocation of one out-port of a router (seed 004 [4.2]): selects, of the idle VCs of each set,
// the one with the most credits. Combinational; the requester that switch allocation then grants
// is allocated the VC selected for it.

`include "weft_assert.svh"

module weft_vc_alloc #(
  /// VCs of the link; 1 or more.
  parameter int unsigned NumVc = 2,
  /// Depth of the receiver's buffer of one VC, flits.
  parameter int unsigned Depth = 8,
  // Derived.
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  /// Idle VCs: allocated to no packet.
  input  logic [NumVc-1:0]        idle_i,
  /// Credits of each VC, VC 0 lowest.
  input  logic [NumVc*CountW-1:0] credits_i,
  /// The VC selected of each set: any, low, high; 0 without one.
  output logic [3*VcW-1:0]        vc_o,
  /// Its credits; 0 where no idle VC of the set has one.
  output logic [3*CountW-1:0]     credits_o
);
  // One for each out-port of a router.
  /* verilator no_inline_module */

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 1)
  `WEFT_PARAM(gen_check_depth, Depth >= 1)

  // With one VC both halves are that VC.
  localparam int unsigned NumLow    = NumVc > 1 ? NumVc / 2 : 1;
  localparam int unsigned FirstHigh = NumVc / 2;

  logic [VcW-1:0]    low_vc, high_vc, any_vc;
  logic [CountW-1:0] low_credits, high_credits, any_credits;

  // Strictly more credits than the best so far: the lowest of equals wins, and a VC without a
  // credit is never selected.
  always_comb begin
    low_vc      = '0;
    low_credits = '0;
    for (int unsigned v = 0; v < NumLow; v++) begin
      if (idle_i[v] && credits_i[v*CountW +: CountW] > low_credits) begin
        low_vc      = VcW'(v);
        low_credits = credits_i[v*CountW +: CountW];
      end
    end
  end
  always_comb begin
    high_vc      = '0;
    high_credits = '0;
    for (int unsigned v = FirstHigh; v < NumVc; v++) begin
      if (idle_i[v] && credits_i[v*CountW +: CountW] > high_credits) begin
        high_vc      = VcW'(v);
        high_credits = credits_i[v*CountW +: CountW];
      end
    end
  end

  // Both halves together are all VCs.
  assign any_vc      = high_credits > low_credits ? high_vc : low_vc;
  assign any_credits = high_credits > low_credits ? high_credits : low_credits;

  // In the order of weft_pkg::VcAny, VcLow, VcHigh.
  assign vc_o      = {high_vc, low_vc, any_vc};
  assign credits_o = {high_credits, low_credits, any_credits};

endmodule

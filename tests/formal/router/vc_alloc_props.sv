// Proof of the VC allocation, for any VC and any set: the selected VC is idle, of the set, and has
// the most credits, a lower one fewer; without an idle VC with a credit both outputs are 0.

`include "weft_assert.svh"

module vc_alloc_props #(
  parameter int unsigned NumVc = 4,
  parameter int unsigned Depth = 3,
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic [NumVc-1:0]        idle_i,
  input logic [NumVc*CountW-1:0] credits_i,
  input logic [1:0]              set_i,
  input logic [VcW-1:0]          other_i
);

  logic [3*VcW-1:0]    vcs;
  logic [3*CountW-1:0] set_credits;

  weft_vc_alloc #(
    .NumVc(NumVc),
    .Depth(Depth)
  ) u_dut (
    .idle_i,
    .credits_i,
    .vc_o     (vcs),
    .credits_o(set_credits)
  );

  // VCs of the set, by the table in rtl/README.md.
  function automatic logic member(input logic [1:0] set, input logic [VcW-1:0] vc);
    case (set)
      weft_pkg::VcLow:  member = vc == '0 || 32'(vc) < NumVc / 2;
      weft_pkg::VcHigh: member = 32'(vc) >= NumVc / 2;
      default:          member = 1'b1;
    endcase
  endfunction

  logic [VcW-1:0]    vc;
  logic [CountW-1:0] credits, own_credits, other_credits;
  logic              other_open;
  assign vc         = vcs[set_i*VcW +: VcW];
  assign credits       = set_credits[set_i*CountW +: CountW];
  assign own_credits   = credits_i[vc*CountW +: CountW];
  assign other_credits = credits_i[other_i*CountW +: CountW];
  assign other_open = idle_i[other_i] && member(set_i, other_i);

  `WEFT_ASSUME(Exist, set_i != 2'd3 && 32'(other_i) < NumVc)

  `WEFT_ASSERT(InRange, 32'(vc) < NumVc)
  `WEFT_ASSERT(SelectedIsIdle, credits == '0 ||
      (idle_i[vc] && member(set_i, vc) && own_credits == credits))
  `WEFT_ASSERT(NothingIsZero, credits != '0 || vc == '0)
  `WEFT_ASSERT(MostCredits, !other_open || other_credits <= credits)
  `WEFT_ASSERT(LowestOfEquals,
      !other_open || other_credits != credits || credits == '0 || vc <= other_i)

endmodule

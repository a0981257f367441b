// Round-robin arbiter of a switch (seed 002 fig. 5, part 51): request flags, selection and transfer
// flags. A grant is held until the packet's last word (Data-End) has been transferred.

`include "weft_assert.svh"

module weft_rr_arbiter #(
  /// Requesters; 1 or more.
  parameter int unsigned NumReq = 4,
  // Derived.
  localparam int unsigned IdxW = NumReq > 1 ? $clog2(NumReq) : 1
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// One line for each requester; stays up until granted.
  input  logic [NumReq-1:0] req_i,
  /// The granted packet's last word is transferred in this cycle.
  input  logic              done_i,
  /// Transfer flags: at most one is set.
  output logic [NumReq-1:0] gnt_o,
  /// Number of the granted requester; 0 when there is none.
  output logic [IdxW-1:0]   idx_o
);
  // A crossbar has hundreds of these: one C++ class for all keeps the Verilated code small.
  /* verilator no_inline_module */

  `WEFT_PARAM(gen_check_num_req, NumReq >= 1)

  logic [NumReq-1:0] req_q, gnt_q, mask_q;
  logic [IdxW-1:0]   idx_q;

  // Eligible requests: without that of a packet that ends in this cycle.
  logic [NumReq-1:0] open, above, candidates, pick;
  logic              arbitrate;
  assign open       = done_i ? (req_q & ~gnt_q) : req_q;
  assign above      = open & mask_q;
  assign candidates = (above != '0) ? above : open;
  assign pick       = candidates & (~candidates + 1'b1);
  assign arbitrate  = done_i || (gnt_q == '0);

  function automatic logic [IdxW-1:0] index_of(input logic [NumReq-1:0] onehot);
    index_of = '0;
    for (int unsigned i = 0; i < NumReq; i++) begin
      if (onehot[i]) index_of = index_of | IdxW'(i);
    end
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      req_q  <= '0;
      gnt_q  <= '0;
      idx_q  <= '0;
      mask_q <= '0;
    end else begin
      // The flag is cleared at the end of a packet; the requester's next packet sets it again.
      req_q <= done_i ? (req_i & ~gnt_q) : req_i;
      if (arbitrate) begin
        gnt_q <= pick;
        idx_q <= index_of(pick);
        // The round-robin pointer moves to one above the granted requester.
        if (pick != '0) mask_q <= ~(pick | (pick - 1'b1));
      end
    end
  end

  assign gnt_o = gnt_q;
  assign idx_o = idx_q;

  `WEFT_ASSERT(GrantOneHot, (gnt_q & (gnt_q - 1'b1)) == '0)
  `WEFT_ASSERT(IndexOfGrant, idx_q == index_of(gnt_q))
  `WEFT_ASSERT(GrantOnlyRequested, (pick & ~req_q) == '0)
  `WEFT_ASSERT(MaskIsUpperRange, (mask_q | NumReq'(mask_q << 1)) == mask_q)
  `WEFT_ASSUME(RequestHeld, (req_q & ~gnt_q & ~req_i) == '0)
  `WEFT_ASSUME(DoneOnlyGranted, !(done_i && gnt_q == '0))

endmodule

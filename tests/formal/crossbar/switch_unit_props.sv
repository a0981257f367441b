// Proof of the switch: one input at a time, unchanged words, and packets never interleaved: from
// its header to its last word a packet's words come from one input and no other passes between
// them. The inputs behave as input buffers do: a word stays until it is taken.

`include "weft_assert.svh"

module switch_unit_props #(
  parameter int unsigned NumIn = 3,
  parameter int unsigned FlitW = 2
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [NumIn-1:0]       valid_i,
  input logic [NumIn-1:0]       last_i,
  input logic [NumIn*FlitW-1:0] data_i,
  input logic                   ready_i
);

  logic [NumIn-1:0] ready;
  logic             valid, last;
  logic [FlitW-1:0] data;

  weft_switch_unit #(
    .NumIn(NumIn),
    .FlitW(FlitW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .valid_i,
    .last_i,
    .data_i,
    .ready_o(ready),
    .valid_o(valid),
    .last_o (last),
    .data_o (data),
    .ready_i
  );

  // Words offered in the last cycle and not taken.
  logic [NumIn-1:0] waiting_q;
  `WEFT_ASSUME(WordStaysUntilTaken, (waiting_q & ~valid_i) == '0)

  // The input whose packet has begun and not ended.
  logic             inside_q;
  logic [NumIn-1:0] source_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      inside_q  <= 1'b0;
      source_q  <= '0;
    end else begin
      waiting_q <= valid_i & ~ready;
      if (valid && ready_i) begin
        inside_q <= !last;
        source_q <= ready;
      end
    end
  end

  logic [FlitW-1:0] selected;
  always_comb begin
    selected = '0;
    for (int unsigned i = 0; i < NumIn; i++) begin
      if (ready[i]) selected = selected | data_i[i*FlitW +: FlitW];
    end
  end

  `WEFT_ASSERT(OneInput, (ready & (ready - 1'b1)) == '0 && (ready & ~valid_i) == '0)
  `WEFT_ASSERT(TakenIsPassed, (ready != '0) == (valid && ready_i))
  `WEFT_ASSERT(WordUnchanged, ready == '0 || (data == selected && last == ((ready & last_i) != '0)))
  `WEFT_ASSERT(NotInterleaved, !inside_q || ready == '0 || ready == source_q)
  `WEFT_ASSERT(QuietWithoutValid, valid || (!last && data == '0))

  // Invariants that close the induction.
  (* hierconn *) wire [NumIn-1:0] \u_dut.gnt ;
  (* hierconn *) wire [NumIn-1:0] \u_dut.u_arbiter.req_q ;
  `WEFT_ASSERT(GrantKept, !inside_q || (\u_dut.gnt == source_q && source_q != '0))
  `WEFT_ASSERT(FlagsWait, (\u_dut.u_arbiter.req_q & ~\u_dut.gnt & ~waiting_q) == '0)

endmodule

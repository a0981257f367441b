// Proof of the output unit between two sources of packets, which use only idle VCs with a credit,
// and a receiver that returns credits at any time after a word has arrived. Credits are conserved,
// no word arrives at a full buffer, and packets are not interleaved within a VC. The lowest bit of
// a word is its source, the next one marks a header.

`include "weft_assert.svh"

module output_unit_props #(
  parameter int unsigned NumVc = 2,
  parameter int unsigned Depth = 3,
  parameter int unsigned FlitW = 3,
  parameter bit Age = 1'b1,
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned LoadW = $clog2(NumVc * Depth + 1)
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              valid_i,
  input logic              source_i,
  input logic              last_i,
  input logic [VcW-1:0]    vc_i,
  input logic [FlitW-3:0]  data_i,
  input logic [StampW-1:0] stamp_i,
  input logic [NumVc-1:0]  drain_i
);

  logic [NumVc-1:0]        idle, some, credit_q;
  logic [NumVc*CountW-1:0] vc_credits;
  logic [LoadW-1:0]        load;
  logic [NumVc*8-1:0]      used;  // of each VC, with credits on the line
  logic                    valid, last, header;
  logic [VcW-1:0]          vc;
  logic [FlitW-1:0]        data, word;
  logic [StampW-1:0]       stamp;
  assign word = {data_i, header, source_i};

  weft_output_unit #(
    .NumVc(NumVc),
    .Depth(Depth),
    .FlitW(FlitW),
    .Age  (Age)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .valid_i,
    .last_i,
    .vc_i,
    .data_i   (word),
    .stamp_i,
    .credit_i (credit_q),
    .idle_o   (idle),
    .credits_o(vc_credits),
    .load_o   (load),
    .some_o   (some),
    .valid_o  (valid),
    .last_o   (last),
    .vc_o     (vc),
    .data_o   (data),
    .stamp_o  (stamp)
  );

  // Sources: each sends at most one packet at a time, on the VC allocated to its header.
  logic [1:0]     under_way_q;
  logic [VcW-1:0] vc_0_q, vc_1_q;
  assign header = !under_way_q[source_i];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      under_way_q <= '0;
      vc_0_q      <= '0;
      vc_1_q      <= '0;
    end else if (valid_i) begin
      under_way_q[source_i] <= !last_i;
      if (source_i) vc_1_q <= vc_i;
      else vc_0_q <= vc_i;
    end
  end

  `WEFT_ASSUME(HeaderTakesIdleVc, !valid_i || !header || idle[vc_i])
  `WEFT_ASSUME(BodyFollowsHeader, !valid_i || header || vc_i == (source_i ? vc_1_q : vc_0_q))
  `WEFT_ASSUME(WordHasCredit, !valid_i ||
      (vc_credits[vc_i*CountW +: CountW] != '0 && 32'(vc_i) < NumVc))

  // An offered word is on the link one cycle later, and nothing else.
  logic offered_q;
  logic [1+VcW+FlitW+StampW-1:0] word_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      offered_q <= 1'b0;
      word_q    <= '0;
    end else begin
      offered_q <= valid_i;
      word_q    <= valid_i ? {last_i, vc_i, word, stamp_i & {StampW{Age}}} : '0;
    end
  end
  `WEFT_ASSERT(WordOnLink, {valid, last, vc, data, stamp} == {offered_q, word_q})

  // Receiver, for each VC: words held, and the source of the arriving packet.
  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic            comes, drain, within_q, owner_q;
    logic [CountW:0] held_q;
    assign comes = valid && 32'(vc) == v;
    assign drain = drain_i[v] && (comes || held_q != '0);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        held_q      <= '0;
        credit_q[v] <= 1'b0;
        within_q    <= 1'b0;
        owner_q     <= 1'b0;
      end else begin
        held_q      <= held_q + (CountW + 1)'(comes) - (CountW + 1)'(drain);
        credit_q[v] <= drain;
        if (comes) begin
          within_q <= !last;
          owner_q  <= data[0];
        end
      end
    end

    assign used[v*8 +: 8] = 8'(held_q) + 8'(comes) + 8'(credit_q[v]);
    logic [CountW-1:0] credits;
    assign credits = vc_credits[v*CountW +: CountW];
    `WEFT_ASSERT(PlaceForEveryWord, 32'(held_q) + 32'(comes) <= Depth)
    // With the word on the link, the words held and the credit line.
    `WEFT_ASSERT(CreditsConserved, 32'(credits) + 32'(comes) + 32'(held_q) == Depth)
    `WEFT_ASSERT(SomeIffCredits, some[v] == (credits != '0))
    `WEFT_ASSERT(HeaderBetweenPackets, !comes || data[1] == !within_q)
    `WEFT_ASSERT(PacketsNotInterleaved, !comes || !within_q || data[0] == owner_q)

    // Invariants that close the induction: a VC is allocated exactly while a source uses it, and
    // that source's packet is the latest, on the link or at the receiver.
    logic first, second, coming, owner;
    assign first  = under_way_q[0] && 32'(vc_0_q) == v;
    assign second = under_way_q[1] && 32'(vc_1_q) == v;
    assign coming = comes ? !last : within_q;
    assign owner  = comes ? data[0] : owner_q;
    `WEFT_ASSERT(AllocatedInside, idle[v] == !(first || second))
    `WEFT_ASSERT(TakenOnce, !(first && second))
    `WEFT_ASSERT(TakenIsComing, coming == (first || second) && (!coming || owner == second))
  end

  logic [31:0] all_used;
  always_comb begin
    all_used = 0;
    for (int unsigned v = 0; v < NumVc; v++) all_used = all_used + 32'(used[v*8 +: 8]);
  end
  `WEFT_ASSERT(LoadIsUsed, 32'(load) == all_used)

endmodule

// Proof of the inject unit; the only assumption is that the receiver returns credits that it has.
// No word is sent without a credit; a header is sent to the VC of the rule as soon as there is one,
// (VC 0 with `InOrder`, with `Classes` that of the packet's class), and the other words follow it;
// words are unchanged, in order, each once; all words of a packet carry the cycle in which its
// header was sent.

`include "weft_assert.svh"

module inject_unit_props #(
  parameter int unsigned DataW = 12,
  parameter bit          Parity = 1'b0,
  parameter int unsigned NumVc = 3,
  parameter int unsigned Depth = 2,
  parameter bit          ByDest = 1'b0,
  parameter bit          InOrder = 1'b0,
  parameter bit          Classes = 1'b0,
  parameter bit          Age = 1'b0,
  localparam int unsigned FlitW = DataW + (Parity ? 1 : 0),
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             last_i,
  input logic [FlitW-1:0] data_i,
  input logic [NumVc-1:0] tx_credit_i
);

  localparam int unsigned StampW = weft_pkg::StampW;
  localparam int unsigned CountW = $clog2(Depth + 1);
  // One dimension, all of whose addresses have a VC.
  localparam logic [weft_pkg::DigitParamW-1:0] MaxCoords = weft_pkg::DigitParamW'(NumVc - 1);

  logic              ready, tx_valid, tx_last;
  logic [VcW-1:0]    tx_vc;
  logic [FlitW-1:0]  tx_data;
  logic [StampW-1:0] tx_stamp;

  weft_inject_unit #(
    .DataW  (DataW),
    .Parity (Parity),
    .NumVc  (NumVc),
    .Depth  (Depth),
    .ByDest (ByDest),
    .InOrder(InOrder),
    .Classes(Classes),
    .Age    (Age),
    .NumDims(1),
    .MaxCoords(MaxCoords)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .valid_i,
    .last_i,
    .data_i,
    .ready_o    (ready),
    .tx_valid_o (tx_valid),
    .tx_last_o  (tx_last),
    .tx_vc_o    (tx_vc),
    .tx_data_o  (tx_data),
    .tx_stamp_o (tx_stamp),
    .tx_credit_i
  );

  (* hierconn *) wire \u_dut.body_q ;
  (* hierconn *) wire [VcW-1:0] \u_dut.vc_q ;
  (* hierconn *) wire [VcW-1:0] \u_dut.vc ;
  (* hierconn *) wire [NumVc*CountW-1:0] \u_dut.credits ;
  // Each exists with one setting of the parameters.
  (* hierconn *) wire [NumVc-1:0] \u_dut.gen_round_robin.mask_q ;
  (* hierconn *) wire [StampW-1:0] \u_dut.gen_age.now_q ;
  (* hierconn *) wire [StampW-1:0] \u_dut.gen_age.stamp_q ;

  // Words that the receiver holds, with the one on the link in this cycle, computed from the link.
  logic [NumVc*CountW-1:0] held_q, held;
  logic [NumVc-1:0]        has_slot, full;
  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic [CountW-1:0] before;
    assign before = held_q[v*CountW +: CountW];
    assign held[v*CountW +: CountW] = before + CountW'(tx_valid && 32'(tx_vc) == v) -
                                      CountW'(tx_credit_i[v]);
    assign full[v]  = tx_valid && 32'(tx_vc) == v && before == CountW'(Depth);
    assign has_slot[v] = held[v*CountW +: CountW] != CountW'(Depth);
    // A credit is for a word of an earlier cycle.
    `WEFT_ASSUME(CreditForWord, !tx_credit_i[v] || before != '0)
    `WEFT_ASSERT(CreditsCounted, 32'(\u_dut.credits [v*CountW +: CountW]) +
        32'(held[v*CountW +: CountW]) == Depth)
  end

  // The VC of the rule: round-robin, for a header the first with a credit after the last one of its
  // class, whose VCs begin with number `base`.
  localparam int unsigned Size = Classes ? NumVc / 2 : NumVc;
  logic             body_q, found, found_d, odd;
  logic [VcW-1:0]   last_vc_q, wanted;
  logic [2*VcW-1:0] last_of_q;  // By class: the last VC within it.
  int unsigned      at, base;
  assign odd  = Classes && data_i[weft_pkg::HdrTagLsb];
  assign base = odd ? Size : 0;
  always_comb begin
    found  = 1'b0;
    wanted = last_vc_q;
    at     = 0;
    if (body_q) begin
      found = has_slot[last_vc_q];
    end else if (ByDest) begin
      wanted = VcW'(data_i[weft_pkg::HdrDstLsb +: VcW]);
      found  = 32'(wanted) < NumVc && has_slot[wanted];
    end else if (InOrder) begin
      wanted = VcW'(base);
      found  = has_slot[base];
    end else begin
      for (int unsigned i = Size; i > 0; i--) begin
        at = 32'(last_of_q[32'(odd)*VcW +: VcW]) + i;
        if (at >= Size) at = at - Size;
        if (has_slot[base + at]) begin
          found  = 1'b1;
          wanted = VcW'(base + at);
        end
      end
    end
    found_d = valid_i && found;
  end

  // What was taken in the last cycle, and the stamp of its packet.
  logic              moved_q, last_q;
  logic [FlitW-1:0]  data_q;
  logic [StampW-1:0] now_q, stamp_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q    <= '0;
      body_q    <= 1'b0;
      last_vc_q <= VcW'(NumVc - 1);
      last_of_q <= {2{VcW'(Size - 1)}};
      moved_q   <= 1'b0;
      last_q    <= 1'b0;
      data_q    <= '0;
      now_q     <= '0;
      stamp_q   <= '0;
    end else begin
      held_q  <= held;
      now_q   <= now_q + 1'b1;
      moved_q <= valid_i && ready;
      if (valid_i && ready) begin
        body_q    <= !last_i;
        last_vc_q <= wanted;
        last_q    <= last_i;
        data_q    <= data_i;
        if (!body_q) begin
          stamp_q <= now_q;
          last_of_q[32'(odd)*VcW +: VcW] <= VcW'(32'(wanted) - base);
        end
      end
    end
  end

  `WEFT_ASSERT(NeverWithoutPlace, full == '0)
  `WEFT_ASSERT(MovesWhenItMay, ready == found_d)
  `WEFT_ASSERT(OnTheWantedVc, !ready || \u_dut.vc == wanted)
  `WEFT_ASSERT(TakenIsSent, tx_valid == moved_q && (tx_valid ?
      tx_last == last_q && tx_data == data_q && tx_vc == last_vc_q : tx_data == '0 && !tx_last))
  `WEFT_ASSERT(StampOfHeader, tx_stamp == (Age && tx_valid ? stamp_q : '0))

  // Invariants that close the induction.
  `WEFT_ASSERT(SamePacket, \u_dut.body_q == body_q && (!body_q || (\u_dut.vc_q == last_vc_q)))
  `WEFT_ASSERT(VcExists, 32'(last_vc_q) < NumVc)
  for (genvar c = 0; c < (Classes ? 2 : 1); c++) begin : gen_class
    logic [VcW-1:0] last;
    assign last = last_of_q[c*VcW +: VcW];
    `WEFT_ASSERT(LastExists, 32'(last) < Size)
    `WEFT_ASSERT(PointerAfterLast, ByDest || InOrder ||
        (\u_dut.gen_round_robin.mask_q [c*Size +: Size] ==
         Size'((2 ** Size - 1) << (32'(last) + 1))))
  end
  `WEFT_ASSERT(SameClock, !Age || ((\u_dut.gen_age.now_q == now_q) &&
      (!body_q || (\u_dut.gen_age.stamp_q == stamp_q))))

endmodule

// Proof of the network interface's wiring with credit links: its blocks meet each other's
// assumptions (their WEFT_ASSUMEs are assertions here), every controller's words go to its own
// link, unchanged, no link carries a word without a credit, a credit is returned for every word,
// and a descriptor is assigned to one ready controller, an empty one if there is one. With `Slots`
// acknowledgements share the links, and a restart empties them. Values of the package are small
// here.

`include "weft_assert.svh"

module nic_credit_props #(
  parameter int unsigned DataW = 12,
  parameter int unsigned PacketFlits = 1,
  parameter int unsigned NumCtrl = 2,
  parameter int unsigned QueueDepth = 2,
  parameter bit          MemReady = 1'b0,
  parameter int unsigned Slots = 0,
  parameter int unsigned NumVc = 2,
  parameter int unsigned VcDepth = 2,
  localparam int unsigned FreeW = $clog2(QueueDepth + 1),
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          restart_i,
  input logic                          desc_valid_i,
  input logic [NumCtrl*NumVc-1:0]      tx_credit_i,
  input logic [NumCtrl-1:0]            rx_valid_i
);

  localparam int unsigned RxDepth = weft_pkg::RxDepth;

  logic [FreeW-1:0]         free;
  logic [NumCtrl-1:0]       tx_valid, tx_last, rx_full, rx_credit;
  logic [NumCtrl*VcW-1:0]   tx_vc;
  logic [NumCtrl*DataW-1:0] tx_data;

  weft_nic #(
    .DataW      (DataW),
    .PacketFlits(PacketFlits),
    .NumCtrl    (NumCtrl),
    .QueueDepth (QueueDepth),
    .MemReady   (MemReady),
    .Slots      (Slots),
    .NumAddr    (2),
    .Timeout    (3),
    .Credit     (1'b1),
    .NumVc      (NumVc),
    .VcDepth    (VcDepth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .restart_i,
    .desc_valid_i,
    .desc_free_o (free),
    .tx_valid_o  (tx_valid),
    .tx_last_o   (tx_last),
    .tx_vc_o     (tx_vc),
    .tx_data_o   (tx_data),
    .tx_credit_i,
    .rx_valid_i,
    .rx_full_o   (rx_full),
    .rx_credit_o (rx_credit)
  );

  (* hierconn *) wire [NumCtrl-1:0] \u_dut.unit_ready ;
  (* hierconn *) wire [NumCtrl-1:0] \u_dut.unit_empty ;
  (* hierconn *) wire [weft_pkg::CtrlW-1:0] \u_dut.ctrl ;
  (* hierconn *) wire [NumCtrl-1:0] \u_dut.unit_pick ;
  (* hierconn *) wire \u_dut.gen_credit.gen_inject[0].word_valid ;
  (* hierconn *) wire \u_dut.gen_credit.gen_inject[1].word_valid ;
  (* hierconn *) wire \u_dut.gen_credit.gen_inject[0].word_last ;
  (* hierconn *) wire \u_dut.gen_credit.gen_inject[1].word_last ;
  (* hierconn *) wire \u_dut.gen_credit.gen_inject[0].word_ready ;
  (* hierconn *) wire \u_dut.gen_credit.gen_inject[1].word_ready ;
  (* hierconn *) wire [DataW-1:0] \u_dut.gen_credit.gen_inject[0].word ;
  (* hierconn *) wire [DataW-1:0] \u_dut.gen_credit.gen_inject[1].word ;
  // With `Slots`, what each controller and the acknowledgements offer.
  (* hierconn *) wire [NumCtrl-1:0] \u_dut.offer_valid ;
  (* hierconn *) wire [NumCtrl-1:0] \u_dut.offer_last ;
  (* hierconn *) wire [NumCtrl-1:0] \u_dut.offer_ready ;
  (* hierconn *) wire [NumCtrl*DataW-1:0] \u_dut.offer_data ;
  (* hierconn *) wire [NumCtrl-1:0] \u_dut.ack_offer_valid ;
  (* hierconn *) wire [NumCtrl-1:0] \u_dut.ack_offer_ready ;
  (* hierconn *) wire [NumCtrl*DataW-1:0] \u_dut.ack_offer_data ;
  logic [NumCtrl-1:0]       moved, last;
  logic [NumCtrl*DataW-1:0] words;
  logic                     restart, restart_q;
  assign restart = restart_i && Slots > 0;
  assign moved = {\u_dut.gen_credit.gen_inject[1].word_valid &&
                  \u_dut.gen_credit.gen_inject[1].word_ready ,
                  \u_dut.gen_credit.gen_inject[0].word_valid &&
                  \u_dut.gen_credit.gen_inject[0].word_ready };
  assign last  = {\u_dut.gen_credit.gen_inject[1].word_last ,
                  \u_dut.gen_credit.gen_inject[0].word_last };
  assign words = {\u_dut.gen_credit.gen_inject[1].word , \u_dut.gen_credit.gen_inject[0].word };

  // What was taken for the links in the last cycle, and the queue's use.
  logic [NumCtrl-1:0]       moved_q, last_q;
  logic [NumCtrl*DataW-1:0] data_q;
  logic [FreeW-1:0]         waiting_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      restart_q <= 1'b0;
      moved_q   <= '0;
      last_q    <= '0;
      data_q    <= '0;
      waiting_q <= '0;
    end else begin
      restart_q <= restart;
      moved_q   <= restart ? '0 : moved;
      last_q    <= last;
      data_q    <= words;
      waiting_q <= waiting_q + FreeW'(desc_valid_i && free != '0) - FreeW'(\u_dut.unit_pick != '0);
    end
  end

  for (genvar c = 0; c < NumCtrl; c++) begin : gen_link
    logic own, ack;
    assign own = \u_dut.offer_valid [c] && \u_dut.offer_ready [c];
    assign ack = \u_dut.ack_offer_valid [c] && \u_dut.ack_offer_ready [c];
    `WEFT_ASSERT(OneIsTaken, moved[c] == (own || ack) && !(own && ack) &&
        (!own || (last[c] == \u_dut.offer_last [c] &&
                  words[c*DataW +: DataW] == \u_dut.offer_data [c*DataW +: DataW])) &&
        (!ack || words[c*DataW +: DataW] == \u_dut.ack_offer_data [c*DataW +: DataW]))
    `WEFT_ASSERT(TakenIsSentOnOwnLink, tx_valid[c] == moved_q[c] && (!moved_q[c] ||
        (tx_last[c] == last_q[c] && tx_data[c*DataW +: DataW] == data_q[c*DataW +: DataW])))

    // Words that the receiver holds in each VC.
    for (genvar v = 0; v < NumVc; v++) begin : gen_vc
      logic [7:0] held_q;
      logic       arrives;
      assign arrives = tx_valid[c] && 32'(tx_vc[c*VcW +: VcW]) == v;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) held_q <= '0;
        else held_q <= restart ? '0 : held_q + 8'(arrives) - 8'(tx_credit_i[c*NumVc+v]);
      end
      `WEFT_ASSUME(CreditForWord, !tx_credit_i[c*NumVc+v] || held_q != '0)
      `WEFT_ASSERT(NeverWithoutPlace, 32'(held_q) + 32'(arrives) <= VcDepth)
    end

    // Credits that the sender counts.
    logic [7:0] credits_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) credits_q <= 8'(RxDepth);
      else if (restart_q) credits_q <= 8'(RxDepth);
      else credits_q <= credits_q + 8'(rx_credit[c]) - 8'(rx_valid_i[c]);
    end
    `WEFT_ASSUME(SenderCounts, restart_q || !rx_valid_i[c] || credits_q != '0)
    `WEFT_ASSERT(CreditsOnlyForWords, restart_q || 32'(credits_q) + 32'(rx_credit[c]) <= RxDepth)
  end

  `WEFT_ASSERT(NoBufferFull, rx_full == '0)
  `WEFT_ASSERT(DescriptorsCounted, 32'(free) == QueueDepth - 32'(waiting_q))
  `WEFT_ASSERT(OneReadyControllerTakes, (\u_dut.unit_pick & (\u_dut.unit_pick - 1'b1)) == '0 &&
      (\u_dut.unit_pick & ~\u_dut.unit_ready ) == '0)
  `WEFT_ASSERT(EmptyFirst, \u_dut.ctrl != '0 || (\u_dut.unit_pick & ~\u_dut.unit_empty ) == '0 ||
      (\u_dut.unit_ready & \u_dut.unit_empty ) == '0)

  // Invariants that close the induction: credits counted on both sides of a link.
  (* hierconn *) wire [2:0] \u_dut.gen_recv[0].u_recv.count ;
  (* hierconn *) wire [2:0] \u_dut.gen_recv[1].u_recv.count ;
  (* hierconn *)
  wire [NumVc*$clog2(VcDepth+1)-1:0] \u_dut.gen_credit.gen_inject[0].u_inject.credits ;
  (* hierconn *)
  wire [NumVc*$clog2(VcDepth+1)-1:0] \u_dut.gen_credit.gen_inject[1].u_inject.credits ;
  (* hierconn *) wire \u_dut.gen_credit.gen_inject[0].u_inject.body_q ;
  (* hierconn *) wire \u_dut.gen_credit.gen_inject[1].u_inject.body_q ;
  localparam int unsigned CreditW = $clog2(VcDepth + 1);
  `WEFT_ASSERT(Conserved0, restart_q || 32'(gen_link[0].credits_q) + 32'(rx_credit[0]) +
      32'(\u_dut.gen_recv[0].u_recv.count ) == RxDepth)
  `WEFT_ASSERT(Conserved1, restart_q || 32'(gen_link[1].credits_q) + 32'(rx_credit[1]) +
      32'(\u_dut.gen_recv[1].u_recv.count ) == RxDepth)
  for (genvar v = 0; v < NumVc; v++) begin : gen_credits
    `WEFT_ASSERT(Credits0,
        32'(\u_dut.gen_credit.gen_inject[0].u_inject.credits [v*CreditW +: CreditW]) +
        32'(gen_link[0].gen_vc[v].held_q) + 32'(gen_link[0].gen_vc[v].arrives) ==
        VcDepth + 32'(tx_credit_i[v]))
    `WEFT_ASSERT(Credits1,
        32'(\u_dut.gen_credit.gen_inject[1].u_inject.credits [v*CreditW +: CreditW]) +
        32'(gen_link[1].gen_vc[v].held_q) + 32'(gen_link[1].gen_vc[v].arrives) ==
        VcDepth + 32'(tx_credit_i[NumVc+v]))
  end

endmodule

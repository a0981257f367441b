// Proof of both ends of a link that repairs errors, with wires between them on which in any cycle
// either word may become one that is not good, of any content, or the forward word 0, as if it had
// no flit. The sender counts credits, the receiver returns them at any time. Every flit is
// delivered exactly once, in order and unchanged (for one freely chosen one, `track_i`); no flit
// comes to a full buffer, credits are conserved; and without errors, while flits are under way, no
// `Bound` cycles pass without a delivery. Up to two VCs and two flits in the replay buffer.

`include "weft_assert.svh"

module link_pair_props #(
  parameter int unsigned NumVc = 1,
  parameter int unsigned Depth = 2,
  parameter int unsigned FlitW = 1,
  parameter int unsigned Timeout = 1,
  parameter int unsigned Bound = 8,
  localparam int unsigned VcW = 1,
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned SeqW = 2,
  localparam int unsigned Replay = 2,
  localparam int unsigned CheckW = SeqW + 16,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned BackW = NumVc + 1 + CountW + SeqW + 1 + 16,
  localparam int unsigned KeptW = 1 + VcW + StampW + FlitW,
  localparam int unsigned WordW = 1 + KeptW + CheckW
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic [KeptW-1:0] flit_i,      // last, vc, stamp, data
  input logic             bad_there_i,
  input logic             lost_there_i,
  input logic [WordW-1:0] there_i,
  input logic             bad_back_i,
  input logic [BackW-1:0] back_i,
  input logic [NumVc-1:0] drain_i,
  input logic             track_i
);

  logic [KeptW-1:0]  coming, sent_flit, got_flit, come_flit;
  logic              tx_valid, rx_valid, out_valid;
  logic [CheckW-1:0] tx_check, rx_check;
  logic [BackW-1:0]  back, back_got;
  logic [NumVc-1:0]  credit, line_q;
  assign coming = valid_i ? flit_i : '0;
  assign {rx_valid, come_flit, rx_check} = bad_there_i ? there_i :
      lost_there_i ? '0 : {tx_valid, sent_flit, tx_check};
  assign back_got = bad_back_i ? back_i : back;

  weft_link_tx #(
    .FlitW  (FlitW),
    .VcW    (VcW),
    .NumVc  (NumVc),
    .Depth  (Depth),
    .Timeout(Timeout),
    .Limit  (1)
  ) u_tx (
    .clk_i,
    .rst_ni,
    .rx_valid_i (valid_i),
    .rx_last_i  (coming[KeptW-1]),
    .rx_data_i  (coming[FlitW-1:0]),
    .rx_vc_i    (coming[FlitW+StampW +: VcW]),
    .rx_stamp_i (coming[FlitW +: StampW]),
    .rx_credit_o(credit),
    .tx_valid_o (tx_valid),
    .tx_last_o  (sent_flit[KeptW-1]),
    .tx_data_o  (sent_flit[FlitW-1:0]),
    .tx_vc_o    (sent_flit[FlitW+StampW +: VcW]),
    .tx_stamp_o (sent_flit[FlitW +: StampW]),
    .tx_check_o (tx_check),
    .tx_back_i  (back_got),
    .retries_o  (),
    .stuck_o    ()
  );

  weft_link_rx #(
    .FlitW(FlitW),
    .VcW  (VcW),
    .NumVc(NumVc),
    .Depth(Depth)
  ) u_rx (
    .clk_i,
    .rst_ni,
    .rx_valid_i (rx_valid),
    .rx_last_i  (come_flit[KeptW-1]),
    .rx_data_i  (come_flit[FlitW-1:0]),
    .rx_vc_i    (come_flit[FlitW+StampW +: VcW]),
    .rx_stamp_i (come_flit[FlitW +: StampW]),
    .rx_check_i (rx_check),
    .rx_back_o  (back),
    .tx_valid_o (out_valid),
    .tx_last_o  (got_flit[KeptW-1]),
    .tx_data_o  (got_flit[FlitW-1:0]),
    .tx_vc_o    (got_flit[FlitW+StampW +: VcW]),
    .tx_stamp_o (got_flit[FlitW +: StampW]),
    .tx_credit_i(line_q),
    .errors_o   ()
  );

  // Whether a word is good; an error is one that the check code shows.
  (* hierconn *) wire \u_tx.good ;
  (* hierconn *) wire \u_rx.good ;
  logic good_there, good_back;
  assign good_there = \u_rx.good ;
  assign good_back  = \u_tx.good ;
  `WEFT_ASSUME(BadIsSeen, !(bad_there_i && good_there) && !(bad_back_i && good_back))
  `WEFT_ASSUME(VcOfLink, NumVc == 2 || !coming[FlitW+StampW])

  // Of all VCs: flits under way, those before the chosen one, cycles without a delivery.
  logic [2:0]       under_way_q, ahead_q;
  logic             tracking_q;
  logic [KeptW-1:0] chosen_q;
  logic [3:0]       wait_q;
  logic             error;
  assign error = bad_there_i || lost_there_i || bad_back_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      under_way_q <= '0;
      ahead_q     <= '0;
      tracking_q  <= 1'b0;
      chosen_q    <= '0;
      wait_q      <= '0;
    end else begin
      under_way_q <= under_way_q + 3'(valid_i) - 3'(out_valid);
      wait_q      <= error || out_valid || under_way_q == '0 ? '0 : wait_q + 4'd1;
      if (!tracking_q) begin
        tracking_q <= valid_i && track_i;
        chosen_q   <= coming;
        ahead_q    <= under_way_q - 3'(out_valid);
      end else if (out_valid) begin
        tracking_q <= ahead_q != '0;
        ahead_q    <= ahead_q - 3'd1;
      end
    end
  end

  `WEFT_ASSERT(NoneTwice, !(out_valid && under_way_q == '0))
  `WEFT_ASSERT(ChosenIsUnderWay, !tracking_q || ahead_q < under_way_q)
  `WEFT_ASSERT(ChosenComes, !(tracking_q && out_valid && ahead_q == '0) || got_flit == chosen_q)
  `WEFT_ASSERT(DeliveredInTime, 32'(wait_q) < Bound)

  // Invariants that close the induction: registers inside.
  (* hierconn *) wire [SeqW-1:0]  \u_tx.next_q ;
  (* hierconn *) wire [SeqW-1:0]  \u_tx.send_q ;
  (* hierconn *) wire [SeqW-1:0]  \u_tx.acked_q ;
  (* hierconn *) wire             \u_tx.request_q ;
  (* hierconn *) wire             \u_tx.beside_q ;
  (* hierconn *) wire [KeptW-1:0] \u_tx.beside_flit_q ;
  (* hierconn *) wire [KeptW-1:0] \u_tx.u_replay.rdata_q ;
  (* hierconn *) wire [KeptW-1:0] \u_tx.u_replay.mem_q[0] ;
  (* hierconn *) wire [KeptW-1:0] \u_tx.u_replay.mem_q[1] ;
  (* hierconn *) wire [SeqW-1:0]  \u_rx.expected_q ;
  (* hierconn *) wire             \u_rx.request_q ;
  (* hierconn *) wire [CountW-1:0] \u_rx.u_credit_tx.gen_vc[0].count_q ;
  (* hierconn *) wire [CountW-1:0] \u_rx.u_credit_tx.gen_vc[1].count_q ;
  (* hierconn *) wire [CountW-1:0] \u_tx.u_credit_rx.gen_vc[0].told_q ;
  (* hierconn *) wire [CountW-1:0] \u_tx.u_credit_rx.gen_vc[1].told_q ;
  (* hierconn *) wire [CountW-1:0] \u_tx.u_credit_rx.gen_vc[0].given_q ;
  (* hierconn *) wire [CountW-1:0] \u_tx.u_credit_rx.gen_vc[1].given_q ;

  // Without an error words are good; the back word is 0 after reset.
  `WEFT_ASSERT(GoodThere, bad_there_i || good_there)
  `WEFT_ASSERT(GoodBack, bad_back_i || good_back || back == '0)

  // Numbers, counted from `acked`.
  logic [SeqW-1:0] next, acked, expected, seq, chosen;
  logic [KeptW-1:0] slot_0, slot_1, kept, at_send, at_word, at_chosen;
  logic requested;
  assign next      = \u_tx.next_q - \u_tx.acked_q ;
  assign acked     = \u_tx.acked_q ;
  assign expected  = \u_rx.expected_q - acked;
  assign seq       = tx_check[SeqW-1:0];
  assign slot_0    = \u_tx.u_replay.mem_q[0] ;
  assign slot_1    = \u_tx.u_replay.mem_q[1] ;
  assign kept      = \u_tx.beside_q ? \u_tx.beside_flit_q : \u_tx.u_replay.rdata_q ;
  assign at_send   = \u_tx.send_q [0] ? slot_1 : slot_0;
  assign at_word   = seq[0] ? slot_1 : slot_0;
  assign chosen    = \u_rx.expected_q - SeqW'(out_valid) + SeqW'(ahead_q);
  assign at_chosen = chosen[0] ? slot_1 : slot_0;
  assign requested = \u_rx.request_q ;

  `WEFT_ASSERT(ExpectedInFlight, expected <= next && next <= SeqW'(Replay))
  `WEFT_ASSERT(UnderWay, 32'(under_way_q) == 32'(SeqW'(next - expected)) + 32'(out_valid))
  `WEFT_ASSERT(BackIsNow, back[NumVc+1+CountW +: SeqW+1] == {requested, \u_rx.expected_q })
  `WEFT_ASSERT(KeptIsStored, \u_tx.send_q == \u_tx.next_q || kept == at_send)
  `WEFT_ASSERT(WordIsRecent, !tx_valid ||
      (SeqW'(\u_tx.next_q - seq) != '0 && SeqW'(\u_tx.next_q - seq) <= SeqW'(Replay)))
  `WEFT_ASSERT(WordIsStored, !tx_valid || SeqW'(seq - acked) >= next || sent_flit == at_word)
  `WEFT_ASSERT(WordOrNothing, tx_valid || {sent_flit, tx_check} == '0)
  `WEFT_ASSERT(ChosenIsStored, !tracking_q || (out_valid && ahead_q == '0) ||
      at_chosen == chosen_q)

  // Each VC: credits of the sender, slots in use, what is under way.
  logic [NumVc-1:0] coming_to, out_of;
  logic [1:0]       window;  // slots of flits that the receiver does not have yet
  for (genvar i = 0; i < 2; i++) begin : gen_slot
    assign window[i] = SeqW'(SeqW'(i) - \u_rx.expected_q ) < SeqW'(next - expected) ||
        SeqW'(SeqW'(i + 2) - \u_rx.expected_q ) < SeqW'(next - expected);
  end
  logic [2*CountW-1:0] counts, tolds, givens;
  assign counts = {\u_rx.u_credit_tx.gen_vc[1].count_q , \u_rx.u_credit_tx.gen_vc[0].count_q };
  assign tolds  = {\u_tx.u_credit_rx.gen_vc[1].told_q , \u_tx.u_credit_rx.gen_vc[0].told_q };
  assign givens = {\u_tx.u_credit_rx.gen_vc[1].given_q , \u_tx.u_credit_rx.gen_vc[0].given_q };

  // What the sender of each VC has, or knows that it gets.
  logic [5:0]         owned;
  logic [NumVc*6-1:0] owned_of;
  assign owned = owned_of[5:0] + (NumVc == 2 ? owned_of[NumVc*6-1 -: 6] : 6'd0);

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic [2:0]        credits_q, credits, held_q, missing, way;
    logic [CountW-1:0] freed, told;
    logic              drain;
    assign coming_to[v] = valid_i && 32'(coming[FlitW+StampW]) == v;
    assign out_of[v]    = out_valid && 32'(got_flit[FlitW+StampW]) == v;
    assign credits      = credits_q + 3'(credit[v]);
    assign drain        = drain_i[v] && held_q != '0;
    `WEFT_ASSUME(CreditForFlit, !coming_to[v] || credits != '0)

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        credits_q <= 3'(Depth);
        held_q    <= '0;
        line_q[v] <= 1'b0;
      end else begin
        credits_q <= credits - 3'(coming_to[v]);
        held_q    <= held_q + 3'(out_of[v]) - 3'(drain);
        line_q[v] <= drain;
      end
    end

    // Slots whose credit the sender has not got, and what it is known to be due.
    assign freed   = counts[v*CountW +: CountW] - givens[v*CountW +: CountW];
    assign told    = tolds[v*CountW +: CountW] - givens[v*CountW +: CountW];
    assign way     = 3'(window[0] && (NumVc == 1 || 32'(slot_0[FlitW+StampW]) == v)) +
        3'(window[1] && (NumVc == 1 || 32'(slot_1[FlitW+StampW]) == v)) + 3'(out_of[v]);
    assign owned_of[v*6 +: 6] = 6'(credits) + 6'(told);
    assign missing = credits + 3'(freed) + 3'(line_q[v]) + held_q + way;
    `WEFT_ASSERT(SlotForFlit, 32'(held_q) + 32'(out_of[v]) <= Depth)
    `WEFT_ASSERT(CreditsConserved, 32'(missing) == Depth && 32'(credits_q) <= Depth &&
        32'(held_q) <= Depth && 32'(freed) <= Depth)
    `WEFT_ASSERT(ToldIsTrue, 32'(told) + 32'(back[v]) <= 32'(freed))
    `WEFT_ASSERT(CountIsNow, back[NumVc] != 1'(v) ||
        back[NumVc+1 +: CountW] == counts[v*CountW +: CountW])
  end
  // A credit comes with the acknowledgement of its flit, or after it.
  `WEFT_ASSERT(AckedBeforeCredit, 32'(next) + 32'(owned) <= NumVc * Depth)
  `WEFT_ASSERT(VcsOfLink, NumVc == 2 || (!got_flit[FlitW+StampW] &&
      !(window[0] && slot_0[FlitW+StampW]) && !(window[1] && slot_1[FlitW+StampW])))

endmodule

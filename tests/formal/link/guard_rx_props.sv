// Proof of a link whose errors are contained: `guard_tx`, wires on which any word may be replaced
// by any other with a wrong check code, in both directions, `guard_rx`. The sender sends packets of
// any length on any VC while it has credits, some to an address without a node, some headers with
// wrong parity; the receiver has `Depth` slots for each VC and returns credits at any time.
//
// - No flit comes without a free slot, and slots are conserved: what an error destroys is free
//   again when it is noticed.
// - On each VC the receiver sees a head, the flits behind it without a gap, and the packet's last
//   flit or one with wrong parity.
// - Packets sent, those not noticed as lost, those counted as lost and those passed on agree.
//
// A flit's data: its destination (0 exists), a mark for heads, its number on its VC, parity.

`include "weft_assert.svh"

module guard_rx_props #(
  parameter int unsigned NumVc = 2,
  parameter int unsigned VcW = 1,
  parameter int unsigned Depth = 2,
  localparam int unsigned FlitW = 5,
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned IdxW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned CheckW = 1 + 2 * CountW + 8,
  localparam int unsigned BackW = NumVc + IdxW + CountW + 8,
  localparam int unsigned WordW = CheckW - 8 + 2 + VcW + StampW + FlitW,
  localparam int unsigned TotalW = weft_pkg::CountW
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  // What the sender offers.
  input logic                    valid_i,
  input logic                    last_i,
  input logic                    dst_i,
  input logic                    wrong_i,
  input logic [VcW-1:0]          vc_i,
  input logic [StampW-1:0]       stamp_i,
  // The receiver's.
  input logic [NumVc-1:0]        drain_i,
  // Errors, and what is on the wires then.
  input logic                    word_error_i,
  input logic [CheckW+1+FlitW+VcW+StampW:0] bad_word_i,
  input logic                    back_error_i,
  input logic [BackW-1:0]        bad_back_i
);

  // The sender: credits, whether a packet has begun, and the number of the next flit, of each VC.
  logic [NumVc-1:0]   credit, begun;
  logic [NumVc*4-1:0] credits;
  logic [NumVc*2-1:0] numbers;
  logic               load, mark;
  logic [1:0]         number;
  logic [3:0]         has;
  always_comb begin
    has    = '0;
    mark   = 1'b0;
    number = '0;
    for (int unsigned v = 0; v < NumVc; v++) begin
      if (32'(vc_i) == v) begin
        has    = credits[v*4 +: 4] + 4'(credit[v]);
        mark   = !begun[v];
        number = numbers[v*2 +: 2];
      end
    end
  end
  assign load = valid_i && has != '0;

  logic              rx_valid_q, rx_last_q;
  logic [FlitW-1:0]  rx_data_q;
  logic [VcW-1:0]    rx_vc_q;
  logic [StampW-1:0] rx_stamp_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {rx_valid_q, rx_last_q, rx_data_q, rx_vc_q, rx_stamp_q} <= '0;
    end else if (load) begin
      rx_valid_q <= 1'b1;
      rx_last_q  <= last_i;
      rx_data_q  <= {^{number, mark, dst_i, last_i} ^ (mark && wrong_i), number, mark, dst_i};
      rx_vc_q    <= vc_i;
      rx_stamp_q <= stamp_i;
    end else begin
      {rx_valid_q, rx_last_q, rx_data_q, rx_vc_q, rx_stamp_q} <= '0;
    end
  end

  // The link.
  logic              valid, last, tx_valid, tx_last;
  logic [FlitW-1:0]  data, tx_data;
  logic [VcW-1:0]    vc, tx_vc;
  logic [StampW-1:0] stamp, tx_stamp;
  logic [CheckW-1:0] check;
  logic [BackW-1:0]  back;
  logic [CheckW+1+FlitW+VcW+StampW:0] sent, seen;
  assign sent = {check, valid, last, vc, stamp, data};
  assign seen = word_error_i ? bad_word_i : sent;

  weft_guard_tx #(
    .NumVc(NumVc),
    .VcW  (VcW),
    .Depth(Depth),
    .FlitW(FlitW)
  ) u_tx (
    .clk_i,
    .rst_ni,
    .rx_valid_i (rx_valid_q),
    .rx_last_i  (rx_last_q),
    .rx_data_i  (rx_data_q),
    .rx_vc_i    (rx_vc_q),
    .rx_stamp_i (rx_stamp_q),
    .rx_credit_o(credit),
    .tx_valid_o (valid),
    .tx_last_o  (last),
    .tx_data_o  (data),
    .tx_vc_o    (vc),
    .tx_stamp_o (stamp),
    .tx_check_o (check),
    .tx_back_i  (back_error_i ? bad_back_i : back)
  );

  logic [NumVc-1:0]  returned;
  logic [TotalW-1:0] lost, errors;
  weft_guard_rx #(
    .NumVc    (NumVc),
    .VcW      (VcW),
    .Depth    (Depth),
    .FlitW    (FlitW),
    .NumDims  (1),
    .MaxCoords(20'h00000),
    .AddrW    (1)
  ) u_rx (
    .clk_i,
    .rst_ni,
    .rx_valid_i (seen[1+FlitW+VcW+StampW]),
    .rx_last_i  (seen[FlitW+VcW+StampW]),
    .rx_vc_i    (seen[FlitW+StampW +: VcW]),
    .rx_stamp_i (seen[FlitW +: StampW]),
    .rx_data_i  (seen[FlitW-1:0]),
    .rx_check_i (seen[2+FlitW+VcW+StampW +: CheckW]),
    .rx_back_o  (back),
    .tx_valid_o (tx_valid),
    .tx_last_o  (tx_last),
    .tx_data_o  (tx_data),
    .tx_vc_o    (tx_vc),
    .tx_stamp_o (tx_stamp),
    .tx_credit_i(returned),
    .lost_o     (lost),
    .errors_o   (errors)
  );

  // Check codes of what is sent are right (the back word is 0 after reset, which is not good), of
  // what replaces it wrong.
  logic started_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) started_q <= 1'b0;
    else started_q <= 1'b1;
  end
  logic [7:0] code, bad_code, back_code, bad_back_code;
  weft_check_code #(.Width(WordW), .Crc(1'b0)) u_code (
    .data_i ({check[CheckW-9:0], valid, last, vc, stamp, data}),
    .check_o(code)
  );
  weft_check_code #(.Width(WordW), .Crc(1'b0)) u_bad_code (
    .data_i (bad_word_i[WordW-1:0]),
    .check_o(bad_code)
  );
  weft_check_code #(.Width(BackW-8), .Crc(1'b0)) u_back_code (
    .data_i (back[BackW-9:0]),
    .check_o(back_code)
  );
  weft_check_code #(.Width(BackW-8), .Crc(1'b0)) u_bad_back_code (
    .data_i (bad_back_i[BackW-9:0]),
    .check_o(bad_back_code)
  );
  `WEFT_ASSUME(BadWord, bad_code != ~bad_word_i[WordW +: 8])
  `WEFT_ASSUME(BadBack, bad_back_code != ~bad_back_i[BackW-8 +: 8])
  `WEFT_ASSERT(CodeRight, code == ~check[CheckW-1 -: 8])
  `WEFT_ASSERT(BackCodeRight, started_q ? back_code == ~back[BackW-1 -: 8] : back == '0)

  // Registers inside (two VCs at most).
  localparam int unsigned LinkW = 2 + VcW + StampW + FlitW;
  (* hierconn *) wire [NumVc*CountW-1:0] \u_tx.all_flits ;
  (* hierconn *) wire [NumVc*CountW-1:0] \u_tx.all_packets ;
  (* hierconn *) wire [NumVc-1:0] \u_tx.begun ;
  (* hierconn *) wire [IdxW-1:0] \u_tx.ring_q ;
  (* hierconn *) wire [NumVc*CountW-1:0] \u_rx.all_flits ;
  (* hierconn *) wire [NumVc*CountW-1:0] \u_rx.all_packets ;
  (* hierconn *) wire [NumVc-1:0] \u_rx.all_open ;
  (* hierconn *) wire [LinkW-1:0] \u_rx.skid_q ;
  (* hierconn *) wire \u_rx.started_q ;
  (* hierconn *) wire [CountW-1:0] \u_rx.u_credit_tx.gen_vc[0].count_q ;
  (* hierconn *) wire [CountW-1:0] \u_rx.u_credit_tx.gen_vc[1].count_q ;
  (* hierconn *) wire [CountW-1:0] \u_tx.u_credit_rx.gen_vc[0].told_q ;
  (* hierconn *) wire [CountW-1:0] \u_tx.u_credit_rx.gen_vc[1].told_q ;
  (* hierconn *) wire [CountW-1:0] \u_tx.u_credit_rx.gen_vc[0].given_q ;
  (* hierconn *) wire [CountW-1:0] \u_tx.u_credit_rx.gen_vc[1].given_q ;
  logic [NumVc*CountW-1:0] flits_tx, packets_tx, flits_rx, packets_rx, unnoticed_heads;
  logic [2*CountW-1:0]     count, told, given;
  logic [NumVc-1:0]        begun_tx, open;
  logic [LinkW-1:0]        skid;
  assign flits_tx   = \u_tx.all_flits ;
  assign packets_tx = \u_tx.all_packets ;
  assign begun_tx   = \u_tx.begun ;
  assign flits_rx   = \u_rx.all_flits ;
  assign packets_rx = \u_rx.all_packets ;
  assign open       = \u_rx.all_open ;
  assign skid       = \u_rx.skid_q ;
  assign count = {\u_rx.u_credit_tx.gen_vc[1].count_q , \u_rx.u_credit_tx.gen_vc[0].count_q };
  assign told  = {\u_tx.u_credit_rx.gen_vc[1].told_q , \u_tx.u_credit_rx.gen_vc[0].told_q };
  assign given = {\u_tx.u_credit_rx.gen_vc[1].given_q , \u_tx.u_credit_rx.gen_vc[0].given_q };

  // The word in the skid register.
  logic             skid_valid, skid_last;
  logic [VcW-1:0]   skid_vc;
  logic [FlitW-1:0] skid_data;
  assign {skid_valid, skid_last, skid_vc} = skid[LinkW-1 -: 2+VcW];
  assign skid_data = skid[FlitW-1:0];
  `WEFT_ASSERT(VcsInRange, 32'(vc) < NumVc && 32'(tx_vc) < NumVc && 32'(skid_vc) < NumVc &&
      32'(back[NumVc +: IdxW]) < NumVc && 32'(\u_tx.ring_q ) < NumVc)
  `WEFT_ASSERT(QuietWithoutFlit, (valid || {last, data, check[0]} == '0) &&
      (rx_valid_q || {rx_last_q, rx_data_q, rx_vc_q, rx_stamp_q} == '0))
  // The flits on their way: parity of all but heads is right, heads are told, no tail has a mark.
  `WEFT_ASSERT(ParityOfBody, data[1] || !(^{last, data}))
  `WEFT_ASSERT(ParityOfNextBody, rx_data_q[1] || !(^{rx_last_q, rx_data_q}))
  `WEFT_ASSERT(HeadIsTold, check[0] == data[1])

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    // Sender and receiver.
    logic       loads, comes, waits, drain, within_q, begun_q;
    logic [3:0] credits_q, held_q;
    logic [1:0] number_q, next_q;
    assign loads = load && 32'(vc_i) == v;
    assign comes = tx_valid && 32'(tx_vc) == v;
    assign waits = skid_valid && 32'(skid_vc) == v;
    assign drain = drain_i[v] && (comes || held_q != '0);
    logic wrong, skid_wrong;
    assign wrong      = ^{tx_last, tx_data};
    assign skid_wrong = ^{skid_last, skid_data};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        credits_q   <= 4'(Depth);
        begun_q     <= 1'b0;
        number_q    <= '0;
        held_q      <= '0;
        returned[v] <= 1'b0;
        within_q    <= 1'b0;
        next_q      <= '0;
      end else begin
        credits_q   <= credits_q + 4'(credit[v]) - 4'(loads);
        held_q      <= held_q + 4'(comes) - 4'(drain);
        returned[v] <= drain;
        if (loads) begin
          begun_q  <= !last_i;
          number_q <= number_q + 1'b1;
        end
        if (comes) begin
          within_q <= !tx_last;
          next_q   <= tx_data[3:2] + 1'b1;
        end
      end
    end
    assign credits[v*4 +: 4] = credits_q;
    assign begun[v]          = begun_q;
    assign numbers[v*2 +: 2] = number_q;

    `WEFT_ASSERT(SlotForFlit, 32'(held_q) + 32'(comes) <= Depth)

    // Whole packets: what is on the link, and what waits to be there.
    logic       within, ends_within;
    logic [1:0] next, ends_next;
    assign within      = comes ? !tx_last : within_q;
    assign next        = comes ? tx_data[3:2] + 1'b1 : next_q;
    assign ends_within = waits ? !skid_last : within;
    assign ends_next   = waits ? skid_data[3:2] + 1'b1 : next;
    `WEFT_ASSERT(HeadFirst, !comes || tx_data[1] == !within_q)
    `WEFT_ASSERT(NoGap, !comes || tx_data[1] || wrong || tx_data[3:2] == next_q)
    `WEFT_ASSERT(WrongIsTail, !comes || !wrong || (tx_last && !tx_data[1]))
    `WEFT_ASSERT(HeadHasNode, !comes || !tx_data[1] || !tx_data[0])
    `WEFT_ASSERT(SkidHeadFirst, !waits || skid_data[1] == !within)
    `WEFT_ASSERT(SkidNoGap, !waits || skid_data[1] || skid_wrong || skid_data[3:2] == next)
    `WEFT_ASSERT(SkidWrongIsTail, !waits || !skid_wrong || (skid_last && !skid_data[1]))
    `WEFT_ASSERT(SkidHeadHasNode, !waits || !skid_data[1] || !skid_data[0])
    `WEFT_ASSERT(OpenIsWithin, ends_within == open[v])

    // Slots: credits of the sender, its flit, flits lost or on the wire, flits and tails here,
    // credits of the receiver, and those told or to be told.
    logic              flit, unread, quiet;
    logic [CountW-1:0] gone, owed, said;
    assign flit   = rx_valid_q && 32'(rx_vc_q) == v;
    assign unread = valid && 32'(vc) == v;
    assign gone   = flits_tx[v*CountW +: CountW] - flits_rx[v*CountW +: CountW];
    assign owed   = count[v*CountW +: CountW] - given[v*CountW +: CountW];
    assign said   = told[v*CountW +: CountW] - given[v*CountW +: CountW];
    `WEFT_ASSERT(SlotsConserved, 8'(credits_q) + 8'(flit) + 8'(gone) + 8'(held_q) + 8'(comes) +
        8'(waits) + 8'(returned[v]) + 8'(owed) + 8'(credit[v]) == 8'(Depth))

    // The back word: lines not told yet, and the count of its VC.
    `WEFT_ASSERT(ToldInOrder, said <= owed && CountW'(owed - said) >= CountW'(back[v]))
    `WEFT_ASSERT(CountTold, 32'(back[NumVc +: IdxW]) != v ||
        back[NumVc+IdxW +: CountW] == count[v*CountW +: CountW])

    // The forward word: its numbers, and, if nothing was lost before it, its place in the packet.
    logic [CountW-1:0] heads;
    assign quiet = gone == CountW'(unread);  // Nothing lost that is not noticed.
    assign heads = packets_tx[v*CountW +: CountW] - packets_rx[v*CountW +: CountW];
    assign unnoticed_heads[v*CountW +: CountW] = heads;
    `WEFT_ASSERT(UnreadIsGone, !unread || gone != '0)
    `WEFT_ASSERT(HeadsAreFlits, heads <= gone && (!unread || CountW'(heads - CountW'(check[0])) <=
        CountW'(gone - 1'b1)))
    `WEFT_ASSERT(HeadIsHead, !(unread && check[0]) || heads != '0)
    `WEFT_ASSERT(NumbersOfWord, 32'(vc) != v || check[1 +: 2*CountW] ==
        {CountW'(packets_tx[v*CountW +: CountW] - CountW'(check[0])),
         CountW'(flits_tx[v*CountW +: CountW] - CountW'(unread))})
    `WEFT_ASSERT(BegunAfterWord, !unread || begun_tx[v] == !last)
    `WEFT_ASSERT(BegunAfterFlit, begun_q == (flit ? !rx_last_q : begun_tx[v]))
    `WEFT_ASSERT(MarkOfFlit, !flit || rx_data_q[1] == !begun_tx[v])
    `WEFT_ASSERT(NumberOfFlit, !flit || rx_data_q[3:2] == 2'(number_q - 2'd1))
    `WEFT_ASSERT(NumberOfWord, !unread || data[3:2] == 2'(number_q - 2'(flit) - 2'd1))
    `WEFT_ASSERT(OpenIsBegun, !(open[v] && quiet) || (unread ? !check[0] : begun_tx[v]))
    `WEFT_ASSERT(OpenIsNext, !(open[v] && quiet) ||
        ends_next == 2'(number_q - 2'(flit) - 2'(unread)))
  end

  // Packets, modulo 2 ** TotalW: sent, of these not noticed yet, passed on.
  logic [TotalW-1:0] sent_q, passed_q, passed, unnoticed;
  always_comb begin
    unnoticed = '0;
    for (int unsigned v = 0; v < NumVc; v++) begin
      unnoticed = unnoticed + TotalW'(unnoticed_heads[v*CountW +: CountW]);
    end
  end
  assign passed = passed_q + TotalW'(tx_valid && tx_data[1]) + TotalW'(skid_valid && skid_data[1]);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sent_q   <= '0;
      passed_q <= '0;
    end else begin
      sent_q   <= sent_q + TotalW'(rx_valid_q && rx_data_q[1]);
      passed_q <= passed_q + TotalW'(tx_valid && tx_data[1]);
    end
  end
  `WEFT_ASSERT(PacketsConserved, sent_q == TotalW'(unnoticed + lost + passed))

  // Words that were not good, counted by the errors made.
  logic [TotalW-1:0] errors_q;
  logic              good_q;  // One that was good has come.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      errors_q <= '0;
      good_q   <= 1'b0;
    end else begin
      errors_q <= errors_q + TotalW'(good_q && word_error_i);
      good_q   <= good_q || !word_error_i;
    end
  end
  `WEFT_ASSERT(StartedWithGood, \u_rx.started_q == good_q)
  `WEFT_ASSERT(ErrorsCounted, errors == errors_q)

endmodule

// Proof of the combine unit: orders and words are counted, whatever the arithmetic returns. Every
// word that is combined is on the link to the parent, at the root final, exactly its latency later;
// an order's first word waits for those before; own words are read exactly as they are combined;
// credits of children are conserved, with senders that keep to theirs; final words are stored in
// their place, unless discarded, and completed orders are counted. Results of the parent are
// arbitrary, but none comes before this unit has combined its word. Values of the package are small
// here, and multipliers, adders of floating-point numbers and dividers are opaque.

`include "weft_assert.svh"

module combine_unit_props #(
  parameter int unsigned NumChild = 2,
  parameter bit IsRoot = 1'b0,
  parameter int unsigned Depth = 2,
  localparam int unsigned AddrW = weft_pkg::MemAddrW,
  localparam int unsigned LenW = weft_pkg::MsgLenW,
  localparam int unsigned OpW = weft_pkg::ReduceOpW,
  localparam int unsigned TypeW = weft_pkg::ReduceTypeW,
  localparam int unsigned DivW = weft_pkg::MeanCountW,
  localparam int unsigned CountW = weft_pkg::CountW
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             post_i,
  input logic [AddrW-1:0] order_addr_i,
  input logic [AddrW-1:0] order_to_i,
  input logic [LenW-1:0]  order_len_i,
  input logic [OpW-1:0]   order_op_i,
  input logic [TypeW-1:0] order_type_i,
  input logic [DivW-1:0]  order_count_i,
  input logic             order_silent_i,
  input logic             order_discard_i,
  input logic [63:0]      mem_rdata_i,
  input logic [1:0]       up_valid_i,
  input logic [1:0]       up_some_i,
  input logic [127:0]     up_word_i,
  input logic             up_credit_i,
  input logic             down_valid_i,
  input logic [63:0]      down_word_i
);

  logic              wen, up_valid, down_valid;
  logic [CountW-1:0] done;
  logic [1:0]        up_credit;
  logic [AddrW-1:0]  waddr;
  logic [63:0]       down_word, wdata;

  weft_combine_unit #(
    .NumChild(NumChild),
    .IsRoot  (IsRoot),
    .Depth   (Depth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .post_i,
    .order_addr_i,
    .order_to_i,
    .order_len_i,
    .order_op_i,
    .order_type_i,
    .order_count_i,
    .order_silent_i,
    .order_discard_i,
    .full_o      (),
    .done_o      (done),
    .mem_ren_o   (),
    .mem_raddr_o (),
    .mem_rdata_i,
    .mem_wen_o   (wen),
    .mem_waddr_o (waddr),
    .mem_wdata_o (wdata),
    .up_valid_i,
    .up_some_i,
    .up_word_i,
    .up_credit_o (up_credit),
    .up_valid_o  (up_valid),
    .up_some_o   (),
    .up_word_o   (),
    .up_credit_i,
    .down_valid_i,
    .down_word_i,
    .down_valid_o(down_valid),
    .down_word_o (down_word)
  );

  // Wires and registers inside.
  localparam int unsigned OrderW  = 2 * AddrW + LenW + OpW + TypeW + DivW + 2;
  localparam int unsigned DepthW  = $clog2(Depth + 1);
  localparam int unsigned Latency = weft_pkg::ReduceLatency;
  localparam int unsigned Longest = weft_pkg::MeanLatency;
  localparam int unsigned Divide  = Longest - Latency - 1;
  (* hierconn *) wire [OrderW-1:0] \u_dut.order_q[0] ;
  (* hierconn *) wire [OrderW-1:0] \u_dut.order_q[1] ;
  (* hierconn *) wire \u_dut.post_q ;
  (* hierconn *) wire [1:0] \u_dut.used_q ;
  (* hierconn *) wire [1:0] \u_dut.fetch_orders_q ;
  (* hierconn *) wire [1:0] \u_dut.comb_orders_q ;
  (* hierconn *) wire \u_dut.fetch_at_q ;
  (* hierconn *) wire \u_dut.comb_at_q ;
  (* hierconn *) wire \u_dut.end_at_q ;
  (* hierconn *) wire [LenW-1:0] \u_dut.fetch_word_q ;
  (* hierconn *) wire [LenW-1:0] \u_dut.comb_word_q ;
  (* hierconn *) wire [LenW-1:0] \u_dut.end_word_q ;
  (* hierconn *) wire [2:0] \u_dut.own_room_q ;
  (* hierconn *) wire [5:0] \u_dut.drain_q ;
  (* hierconn *) wire \u_dut.ends_q ;
  (* hierconn *) wire \u_dut.go ;
  (* hierconn *) wire \u_dut.final_valid ;
  (* hierconn *) wire \u_dut.final_last ;
  (* hierconn *) wire [63:0] \u_dut.final_word ;
  (* hierconn *) wire \u_dut.quick_q ;
  (* hierconn *) wire [DepthW-1:0] \u_dut.gen_child[0].gen_exists.count ;
  (* hierconn *) wire [DepthW-1:0] \u_dut.gen_child[1].gen_exists.count ;
  (* hierconn *) wire [Latency-1:0] \u_dut.gen_slow.gen_lane[0].u_first.short_q ;
  (* hierconn *) wire [Longest-1:0] \u_dut.gen_slow.gen_lane[0].u_first.long_q ;
  (* hierconn *) wire \u_dut.gen_slow.gen_lane[0].u_first.mean_was_q ;
  (* hierconn *) wire [Latency-1:0] \u_dut.gen_slow.gen_two.gen_lane[0].u_second.short_q ;
  (* hierconn *) wire [Longest-1:0] \u_dut.gen_slow.gen_two.gen_lane[0].u_second.long_q ;
  (* hierconn *) wire \u_dut.gen_slow.gen_two.gen_lane[0].u_second.mean_was_q ;
  (* hierconn *) wire [OpW-1:0] \u_dut.gen_slow.gen_two.op_q ;
  (* hierconn *) wire [TypeW-1:0] \u_dut.gen_slow.gen_two.type_q ;
  (* hierconn *) wire \u_dut.gen_root.mean_q ;
  (* hierconn *) wire [Divide-1:0] \u_dut.gen_root.divides_q ;

  // The orders.
  logic [2*OrderW-1:0] orders;
  logic [1:0]          is_silent, is_slow, is_mean, is_right;
  logic [2*LenW-1:0]   len;
  assign orders = {\u_dut.order_q[1] , \u_dut.order_q[0] };
  for (genvar o = 0; o < 2; o++) begin : gen_order
    logic [TypeW-1:0] kind;
    logic [OpW-1:0]   op;
    assign is_silent[o] = orders[o*OrderW + 1];
    assign kind = orders[o*OrderW + 2 + DivW +: TypeW];
    assign op   = orders[o*OrderW + 2 + DivW + TypeW +: OpW];
    assign len[o*LenW +: LenW] = orders[o*OrderW + 2 + DivW + TypeW + OpW +: LenW];
    assign is_mean[o]  = op == weft_pkg::OpMean;
    assign is_slow[o]  = NumChild > 0 && (op == weft_pkg::OpProd ||
        (kind == weft_pkg::TypeFp32 && (op == weft_pkg::OpSum || is_mean[o])));
    assign is_right[o] = len[o*LenW +: LenW] != '0 && op <= weft_pkg::OpMean &&
        kind <= weft_pkg::TypeFp32;
  end

  // Orders that are not completed, and the positions of the unit's three parts in them.
  logic            fetch_at, comb_at, end_at;
  logic [1:0]      fetching, combining, ending;
  logic [LenW-1:0] fetch_word, comb_word, end_word, comb_len, end_len;
  assign {fetch_at, comb_at, end_at} = {\u_dut.fetch_at_q , \u_dut.comb_at_q , \u_dut.end_at_q };
  assign fetching   = \u_dut.fetch_orders_q ;
  assign combining  = \u_dut.comb_orders_q ;
  assign ending     = \u_dut.used_q - 2'(\u_dut.ends_q );
  assign fetch_word = \u_dut.fetch_word_q ;
  assign comb_word  = \u_dut.comb_word_q ;
  assign end_word   = \u_dut.end_word_q ;
  assign comb_len   = len[comb_at*LenW +: LenW];
  assign end_len    = len[end_at*LenW +: LenW];
  `WEFT_ASSERT(OrdersRight, (is_right[!\u_dut.post_q ] || ending == '0) &&
      (is_right[\u_dut.post_q ] || ending != 2'd2))
  `WEFT_ASSERT(SlotsFollow, (\u_dut.post_q ^ fetch_at) == fetching[0] &&
      (\u_dut.post_q ^ comb_at) == combining[0] && (\u_dut.post_q ^ end_at) == ending[0])
  `WEFT_ASSERT(FetchedCombinedEnded, fetching <= combining && combining <= ending &&
      ending <= 2'd2 && (\u_dut.used_q != '0 || !\u_dut.ends_q ))
  `WEFT_ASSERT(WordsInOrder,
      (fetching != '0 ? fetch_word < len[fetch_at*LenW +: LenW] : fetch_word == '0) &&
      (combining != '0 ? comb_word < comb_len : comb_word == '0) &&
      (ending != '0 ? end_word < end_len : end_word == '0) &&
      (fetching == '0 || !is_silent[fetch_at] || fetch_word == '0))

  // Own words that are read and not combined are those between the two positions.
  localparam int unsigned SumW = LenW + 3;
  logic [SumW-1:0] own, left;
  assign own  = SumW'(3'd4 - \u_dut.own_room_q );
  assign left = is_silent[comb_at] ? '0 : SumW'(comb_len) - SumW'(comb_word);
  `WEFT_ASSERT(OwnWordsAreRead,
      fetching == combining ? comb_word <= fetch_word &&
          own == SumW'(fetch_word) - SumW'(comb_word) :
      fetching + 1'b1 == combining ? own == left + SumW'(fetch_word) :
      own == left + (is_silent[!comb_at] ? '0 : SumW'(len[!comb_at*LenW +: LenW])))

  // A word's way through the arithmetic, by age: when it was combined, and how.
  localparam int unsigned Slow = NumChild > 0 ? NumChild * Latency : 1;
  localparam int unsigned Ages = Slow + (IsRoot ? Divide : 0);
  logic [Ages-1:0] gone_q, slow_q, mean_q, inside, leaves, ends, drains;
  logic            slow_was_q, mean_was_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gone_q     <= '0;
      slow_q     <= '0;
      mean_q     <= '0;
      slow_was_q <= 1'b0;
      mean_was_q <= 1'b0;
    end else begin
      gone_q <= Ages'({gone_q, \u_dut.go });
      slow_q <= Ages'({slow_q, \u_dut.go && is_slow[comb_at]});
      mean_q <= Ages'({mean_q, \u_dut.go && is_mean[comb_at] && IsRoot});
      if (\u_dut.go ) begin
        slow_was_q <= is_slow[comb_at];
        mean_was_q <= is_mean[comb_at] && IsRoot;
      end
    end
  end
  logic [Ages-1:0] alike;
  for (genvar a = 0; a < Ages; a++) begin : gen_age
    localparam int unsigned Age = a + 1;
    logic [5:0] latency;
    assign latency   = (slow_q[a] ? 6'(Slow) : 6'd1) + (mean_q[a] ? 6'(Divide) : 6'd0);
    // Before the link or the final result; in that cycle; at the end of the arithmetic.
    assign inside[a] = gone_q[a] && latency > 6'(Age);
    assign ends[a]   = gone_q[a] && latency == 6'(Age);
    assign leaves[a] = gone_q[a] && Age == (slow_q[a] ? Slow : 1);
    assign alike[a]  = slow_q[a] == slow_was_q && mean_q[a] == mean_was_q;
    assign drains[a] = !inside[a] || \u_dut.drain_q >= latency - 6'(Age);
  end
  `WEFT_ASSERT(UpOnTime, up_valid == (!IsRoot && leaves != '0))
  `WEFT_ASSERT(FinalOnTime, !IsRoot || \u_dut.final_valid == (ends != '0))
  `WEFT_ASSERT(WordsApart, (ends & (ends - 1'b1)) == '0 && (leaves & (leaves - 1'b1)) == '0)
  `WEFT_ASSERT(DrainsAll, &drains)
  `WEFT_ASSERT(OneKindInside, (inside & ~alike) == '0)
  `WEFT_ASSERT(KindOfOrder, comb_word == '0 ||
      (slow_was_q == is_slow[comb_at] && mean_was_q == (is_mean[comb_at] && IsRoot)))
  `WEFT_ASSERT(KindsOnly, ((slow_q | mean_q) & ~gone_q) == '0)
  `WEFT_ASSERT(QuickIsNewest, \u_dut.quick_q == (gone_q[0] && !slow_q[0]))
  `WEFT_ASSERT(FirstUnit, NumChild == 0 || (!\u_dut.gen_slow.gen_lane[0].u_first.mean_was_q &&
      \u_dut.gen_slow.gen_lane[0].u_first.long_q == '0 &&
      \u_dut.gen_slow.gen_lane[0].u_first.short_q == Latency'(slow_q)))
  `WEFT_ASSERT(SecondUnit, NumChild < 2 ||
      (!\u_dut.gen_slow.gen_two.gen_lane[0].u_second.mean_was_q &&
      \u_dut.gen_slow.gen_two.gen_lane[0].u_second.long_q == '0 &&
      \u_dut.gen_slow.gen_two.gen_lane[0].u_second.short_q == Latency'(slow_q >> Latency) &&
      \u_dut.gen_slow.gen_two.op_q < weft_pkg::OpMean &&
      \u_dut.gen_slow.gen_two.type_q <= weft_pkg::TypeFp32))
  logic [Ages-1:0] divides;
  for (genvar a = 0; a < Ages; a++) begin : gen_divides
    // In the division: the stage is the time since the word left the arithmetic.
    assign divides[a] = mean_q[a] && a >= (slow_q[a] ? Slow : 1);
  end
  logic [Divide-1:0] stages;
  always_comb begin
    stages = '0;
    for (int unsigned a = 0; a < Ages; a++) begin
      for (int unsigned d = 0; d < Divide; d++) begin
        if (divides[a] && a == d + (slow_q[a] ? Slow : 1)) stages[d] = 1'b1;
      end
    end
  end
  `WEFT_ASSERT(Divides, !IsRoot || (\u_dut.gen_root.divides_q == stages &&
      \u_dut.gen_root.mean_q == mean_was_q))

  // Results: at the root exactly the words that are inside are between the two positions; elsewhere
  // none comes before its word was combined.
  logic            behind;
  logic [SumW-1:0] way;
  always_comb begin
    way = '0;
    for (int unsigned a = 0; a < Ages; a++) way = way + SumW'(inside[a] || ends[a]);
  end
  assign behind = combining < ending || (combining == ending && end_word < comb_word);
  `WEFT_ASSUME(ResultAfterWord, IsRoot || !down_valid_i || behind)
  `WEFT_ASSERT(EndIsBehind, combining < ending || end_word <= comb_word)
  `WEFT_ASSERT(NoneLost, !IsRoot || way == (combining == ending ?
      SumW'(comb_word) - SumW'(end_word) : SumW'(end_len) - SumW'(end_word)))
  `WEFT_ASSERT(OneOrderInside, !IsRoot || combining == ending ||
      (combining + 1'b1 == ending && comb_word == '0))

  // Completed orders.
  logic [CountW-1:0] last_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_q <= '0;
    else last_q <= last_q + CountW'(\u_dut.final_last );
  end
  `WEFT_ASSERT(DoneExact, done + CountW'(\u_dut.ends_q ) == last_q)

  // Stores: in the cycle of the result that goes down, unless the order discards it.
  logic               stores_q, downs_q;
  logic [AddrW-1:0]   to_q;
  logic [63:0]        down_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {stores_q, downs_q} <= '0;
      to_q   <= '0;
      down_q <= '0;
    end else begin
      downs_q  <= \u_dut.final_valid ;
      stores_q <= \u_dut.final_valid && !orders[32'(end_at)*OrderW];
      to_q     <= orders[32'(end_at)*OrderW + OrderW - 2*AddrW +: AddrW] + AddrW'(end_word);
      down_q   <= \u_dut.final_word ;
    end
  end
  `WEFT_ASSERT(GoesDown, down_valid == downs_q && down_word == (downs_q ? down_q : '0))
  `WEFT_ASSERT(Stored, wen == stores_q && waddr == (stores_q ? to_q : '0) &&
      wdata == (stores_q ? down_q : '0))

  // Children: senders with credits.
  localparam int unsigned NumSend = 2;
  for (genvar c = 0; c < NumSend; c++) begin : gen_child
    logic [DepthW-1:0] credit_q;
    logic [DepthW:0]   held;
    assign held = c >= NumChild ? '0 : c == 0 ? (DepthW+1)'(\u_dut.gen_child[0].gen_exists.count ) :
        (DepthW+1)'(\u_dut.gen_child[1].gen_exists.count );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) credit_q <= DepthW'(Depth);
      else credit_q <= credit_q + DepthW'(up_credit[c]) - DepthW'(up_valid_i[c] && c < NumChild);
    end
    `WEFT_ASSUME(SendsWithCredit, c >= NumChild || !up_valid_i[c] || credit_q != '0 || up_credit[c])
    `WEFT_ASSERT(CreditsConserved, (DepthW+1)'(credit_q) + held + (DepthW+1)'(up_credit[c]) ==
        (DepthW+1)'(Depth))
  end

endmodule

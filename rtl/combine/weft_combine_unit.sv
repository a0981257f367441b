// Combining tree, one node's unit: combines the own vector with those of the children's subtrees
// word by word on the way to the root, and passes the result on the way back to the memory and to
// the children.

`include "weft_assert.svh"

module weft_combine_unit #(
  /// Children in the tree, 0 to 2.
  parameter int unsigned NumChild = 2,
  /// 1: root of the tree, whose result is the final one.
  parameter bit IsRoot = 1'b0,
  /// Words that the unit can hold of each child, 2 to 256; the arithmetic is never short of room
  /// from 11 on where a word takes one cycle to the parent, and with twice as many as more cycles.
  parameter int unsigned Depth = 16,
  /// Width of a word, bits: a multiple of 64.
  parameter int unsigned DataW = 64,
  // Derived.
  localparam int unsigned MaxChild = 2,
  localparam int unsigned CountW = weft_pkg::CountW
) (
  /// Clock.
  input  logic                             clk_i,
  /// Asynchronous reset, active low.
  input  logic                             rst_ni,
  /// The own node posts an order; never while `full_o`.
  input  logic                             post_i,
  /// Of the order: first word of the own vector.
  input  logic [weft_pkg::MemAddrW-1:0]    order_addr_i,
  /// Where the result is stored.
  input  logic [weft_pkg::MemAddrW-1:0]    order_to_i,
  /// Words, 1 or more.
  input  logic [weft_pkg::MsgLenW-1:0]     order_len_i,
  /// Operation.
  input  logic [weft_pkg::ReduceOpW-1:0]   order_op_i,
  /// Type of the words' elements.
  input  logic [weft_pkg::ReduceTypeW-1:0] order_type_i,
  /// Divisor of a mean; 0 counts as 1.
  input  logic [weft_pkg::MeanCountW-1:0]  order_count_i,
  /// The node contributes nothing.
  input  logic                             order_silent_i,
  /// The result is not stored.
  input  logic                             order_discard_i,
  /// Two orders are posted and not completed.
  output logic                             full_o,
  /// Orders completed since reset; wraps.
  output logic [CountW-1:0]                done_o,
  /// Read an own word.
  output logic                             mem_ren_o,
  /// Its address; 0 without.
  output logic [weft_pkg::MemAddrW-1:0]    mem_raddr_o,
  /// The word, in the cycle after `mem_ren_o`.
  input  logic [DataW-1:0]                 mem_rdata_i,
  /// Store a word of the result.
  output logic                             mem_wen_o,
  /// Its address; 0 without.
  output logic [weft_pkg::MemAddrW-1:0]    mem_waddr_o,
  /// The word; 0 without.
  output logic [DataW-1:0]                 mem_wdata_o,
  /// From each child: a word of its subtree. Children that do not exist are ignored.
  input  logic [MaxChild-1:0]              up_valid_i,
  /// A node of the subtree has contributed.
  input  logic [MaxChild-1:0]              up_some_i,
  /// The word; 0 if none has.
  input  logic [MaxChild*DataW-1:0]        up_word_i,
  /// To each child: one more free slot.
  output logic [MaxChild-1:0]              up_credit_o,
  /// To the parent: a word of this subtree. 0 from the root.
  output logic                             up_valid_o,
  /// A node of this subtree has contributed.
  output logic                             up_some_o,
  /// The word; 0 if none has.
  output logic [DataW-1:0]                 up_word_o,
  /// From the parent: one more free slot. Ignored by the root.
  input  logic                             up_credit_i,
  /// From the parent: a word of the result. Ignored by the root.
  input  logic                             down_valid_i,
  /// The word.
  input  logic [DataW-1:0]                 down_word_i,
  /// To all children: a word of the result.
  output logic                             down_valid_o,
  /// The word; 0 without.
  output logic [DataW-1:0]                 down_word_o
);

  `WEFT_PARAM(gen_check_num_child, NumChild <= MaxChild)
  `WEFT_PARAM(gen_check_depth, Depth >= 2 && Depth <= 256)
  `WEFT_PARAM(gen_check_data_w, DataW >= 64 && DataW % 64 == 0)

  localparam int unsigned AddrW   = weft_pkg::MemAddrW;
  localparam int unsigned LenW    = weft_pkg::MsgLenW;
  localparam int unsigned OpW     = weft_pkg::ReduceOpW;
  localparam int unsigned TypeW   = weft_pkg::ReduceTypeW;
  localparam int unsigned DivW    = weft_pkg::MeanCountW;
  localparam int unsigned OwnDepth = 4;
  localparam int unsigned OwnW    = $clog2(OwnDepth + 1);
  localparam int unsigned DepthW  = $clog2(Depth + 1);
  // Cycles from a word's operands to its result on the link, where the result takes more than one.
  localparam int unsigned Slow    = NumChild > 0 ? NumChild * weft_pkg::ReduceLatency : 1;
  localparam int unsigned Divide  = weft_pkg::MeanLatency - weft_pkg::ReduceLatency - 1;
  localparam int unsigned DrainW  = 6;
  // The arithmetic of a word: one of each block for each 64 bits.
  localparam int unsigned NumLanes = DataW / 64;

  // Orders: two slots; each part of the unit goes through them on its own.
  localparam int unsigned OrderW = 2 * AddrW + LenW + OpW + TypeW + DivW + 2;
  logic [OrderW-1:0] order_q [2];
  logic              post_q;
  logic [1:0]        used_q, fetch_orders_q, comb_orders_q;
  logic              fetch_at_q, comb_at_q, end_at_q;
  logic [LenW-1:0]   fetch_word_q, comb_word_q, end_word_q;
  logic              fetch_next, comb_next, end_next;

  logic [AddrW-1:0] fetch_addr, fetch_to, comb_addr, comb_to, end_addr, end_to;
  logic [LenW-1:0]  fetch_len, comb_len, end_len;
  logic [OpW-1:0]   fetch_op, comb_op, end_op;
  logic [TypeW-1:0] fetch_type, comb_type, end_type;
  logic [DivW-1:0]  fetch_div, comb_div, end_div;
  logic             fetch_silent, comb_silent, end_silent, fetch_discard, comb_discard, end_discard;
  assign {fetch_addr, fetch_to, fetch_len, fetch_op, fetch_type, fetch_div, fetch_silent,
          fetch_discard} = order_q[fetch_at_q];
  assign {comb_addr, comb_to, comb_len, comb_op, comb_type, comb_div, comb_silent, comb_discard} =
      order_q[comb_at_q];
  assign {end_addr, end_to, end_len, end_op, end_type, end_div, end_silent, end_discard} =
      order_q[end_at_q];
  logic unused;
  assign unused = &{1'b0, fetch_to, fetch_op, fetch_type, fetch_div, fetch_discard, comb_addr,
                    comb_to, comb_discard, end_addr, end_op, end_type, end_div, end_silent,
                    up_valid_i, up_some_i, up_word_i, up_credit_i, down_valid_i, down_word_i,
                    comb_div};

  // Own words: read ahead as far as they have room.
  logic              fetch, reads_q, ren_q, own_here, own_pop;
  logic [AddrW-1:0]  raddr_q;
  logic [OwnW-1:0]   own_room_q, own_count;
  logic [DataW-1:0]  own_first, own_word;
  assign fetch      = fetch_orders_q != '0 && !fetch_silent && own_room_q != '0;
  assign fetch_next = (fetch_orders_q != '0 && fetch_silent) ||
                      (fetch && fetch_word_q == fetch_len - 1'b1);

  // A word is combined when all operands and a slot in the parent are there, and the first one of
  // an order when the words of the order before have left the arithmetic.
  logic              go, room;
  logic [DepthW-1:0] room_q;
  logic [DrainW-1:0] drain_q, latency;
  logic [MaxChild-1:0]      here, some;
  logic [MaxChild*DataW-1:0] word;
  assign own_here  = comb_silent || own_count != '0 || reads_q;
  assign own_word  = comb_silent ? '0 : own_count != '0 ? own_first : mem_rdata_i;
  assign room      = IsRoot || room_q != '0 || up_credit_i;
  assign go        = comb_orders_q != '0 && own_here && (&here) && room &&
                     (comb_word_q != '0 || drain_q == '0);
  assign own_pop   = go && !comb_silent;
  assign comb_next = go && comb_word_q == comb_len - 1'b1;

  weft_fifo #(
    .DataW(DataW),
    .Depth(OwnDepth)
  ) u_own (
    .clk_i,
    .rst_ni,
    .push_i (reads_q && !(own_pop && own_count == '0)),
    .data_i (mem_rdata_i),
    .pop_i  (own_pop && own_count != '0),
    .data_o (own_first),
    .count_o(own_count)
  );

  for (genvar c = 0; c < MaxChild; c++) begin : gen_child
    if (c < NumChild) begin : gen_exists
      logic [DepthW-1:0] count;
      logic [DataW:0]    first;
      weft_fifo #(
        .DataW(DataW + 1),
        .Depth(Depth)
      ) u_fifo (
        .clk_i,
        .rst_ni,
        .push_i (up_valid_i[c] && !(go && count == '0)),
        .data_i ({up_some_i[c], up_word_i[c*DataW +: DataW]}),
        .pop_i  (go && count != '0),
        .data_o (first),
        .count_o(count)
      );
      assign here[c] = count != '0 || up_valid_i[c];
      assign {some[c], word[c*DataW +: DataW]} = count != '0 ? first :
                                           {up_some_i[c], up_word_i[c*DataW +: DataW]};
      // The child has not sent more than it had credits for.
      `WEFT_ASSUME(RoomForWord, !(up_valid_i[c] && count == DepthW'(Depth)))
      `WEFT_ASSUME(NothingIsZero, !up_valid_i[c] || up_some_i[c] ||
          up_word_i[c*DataW +: DataW] == '0)
    end else begin : gen_none
      assign here[c] = 1'b1;
      assign some[c] = 1'b0;
      assign word[c*DataW +: DataW] = '0;
    end
  end

  // Sums of integers, maxima and minima in one cycle: own word, child 0, then child 1.
  logic        some1, some2, slow, quick_q, quick_some_q;
  logic [DataW-1:0] word0, word1, both1, both2, quick1, quick2, quick_word_q;
  assign {word1, word0} = word;
  for (genvar l = 0; l < NumLanes; l++) begin : gen_quick
    weft_compare_add u_child_0 (
      .op_i    (comb_op),
      .type_i  (comb_type),
      .a_i     (own_word[64*l +: 64]),
      .b_i     (word0[64*l +: 64]),
      .result_o(both1[64*l +: 64])
    );
    weft_compare_add u_child_1 (
      .op_i    (comb_op),
      .type_i  (comb_type),
      .a_i     (quick1[64*l +: 64]),
      .b_i     (word1[64*l +: 64]),
      .result_o(both2[64*l +: 64])
    );
  end
  assign some1  = !comb_silent || some[0];
  assign some2  = some1 || some[1];
  assign quick1 = (!comb_silent && some[0]) ? both1 : own_word | word0;
  assign quick2 = (some1 && some[1]) ? both2 : quick1 | word1;
  assign slow   = NumChild > 0 && (comb_op == weft_pkg::OpProd || (comb_type == weft_pkg::TypeFp32
                  && (comb_op == weft_pkg::OpSum || comb_op == weft_pkg::OpMean)));

  // Products and floating-point sums: a reduce unit for each child, one after the other. The
  // setting is that of the order whose words are inside.
  logic             slow_valid, slow_some;
  logic [DataW-1:0] slow_word;
  logic [OpW-1:0]   sum_op;
  assign sum_op = comb_op == weft_pkg::OpMean ? weft_pkg::OpSum : comb_op;

  if (NumChild == 0) begin : gen_leaf
    assign slow_valid = 1'b0;
    assign slow_some  = 1'b0;
    assign slow_word  = '0;
    logic unused_leaf;
    assign unused_leaf = &{1'b0, sum_op, slow};
  end else begin : gen_slow
    localparam int unsigned L = weft_pkg::ReduceLatency;
    logic [NumLanes-1:0] valid1;
    logic [DataW-1:0]    first_word, result1;
    logic [L-1:0]        some1_q;
    assign first_word = some[0] ? word0 : own_word;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) some1_q <= '0;
      else some1_q <= L'({some1_q, some1});
    end
    for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
      weft_reduce_unit u_first (
        .clk_i,
        .rst_ni,
        .valid_i(go && slow),
        .mean_i (1'b0),
        .op_i   ((!comb_silent && some[0]) ? sum_op : weft_pkg::OpStore),
        .type_i (comb_type),
        .count_i({DivW{1'b0}}),
        .held_i (own_word[64*l +: 64]),
        .word_i (first_word[64*l +: 64]),
        .valid_o(valid1[l]),
        .word_o (result1[64*l +: 64])
      );
    end
    if (NumChild == 1) begin : gen_one
      assign slow_valid = valid1[0];
      assign slow_some  = valid1[0] && some1_q[L-1];
      assign slow_word  = result1;
      logic unused_valid;
      assign unused_valid = ^valid1;
    end else begin : gen_two
      logic [L*(DataW+1)-1:0] word_q;
      logic [L-1:0]           some2_q;
      logic [OpW-1:0]         op_q;
      logic [TypeW-1:0]       type_q;
      logic                   some_second;
      logic [DataW-1:0]       second, second_word;
      logic [NumLanes-1:0]    valid2;
      assign {some_second, second} = word_q[(L-1)*(DataW+1) +: DataW+1];
      assign second_word = some_second ? second : result1;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          word_q  <= '0;
          some2_q <= '0;
          op_q    <= '0;
          type_q  <= '0;
        end else begin
          word_q  <= (L*(DataW+1))'({word_q, some[1], word1});
          some2_q <= L'({some2_q, some1_q[L-1] || some_second});
          if (go) begin
            op_q   <= sum_op;
            type_q <= comb_type;
          end
        end
      end
      for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
        weft_reduce_unit u_second (
          .clk_i,
          .rst_ni,
          .valid_i(valid1[l]),
          .mean_i (1'b0),
          .op_i   ((some1_q[L-1] && some_second) ? op_q : weft_pkg::OpStore),
          .type_i (type_q),
          .count_i({DivW{1'b0}}),
          .held_i (result1[64*l +: 64]),
          .word_i (second_word[64*l +: 64]),
          .valid_o(valid2[l]),
          .word_o (slow_word[64*l +: 64])
        );
      end
      assign slow_valid = valid2[0];
      assign slow_some  = slow_valid && some2_q[L-1];
      logic unused_valid;
      assign unused_valid = ^valid2;
    end
  end

  // The result of this subtree.
  logic        result_valid, result_some;
  logic [DataW-1:0] result;
  assign result_valid = quick_q || slow_valid;
  assign result_some  = quick_some_q || slow_some;
  assign result       = quick_word_q | slow_word;

  // The final result: at the root that of the tree, of a mean divided, elsewhere the parent's.
  logic        final_valid, final_last;
  logic [DataW-1:0] final_word;
  if (IsRoot) begin : gen_root
    logic              mean_q, fp_q, wide_q;
    logic [DivW-1:0]   div_q;
    logic [Divide-1:0] divides_q;
    logic [DataW-1:0]  divided;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {mean_q, fp_q, wide_q} <= '0;
        div_q     <= '0;
        divides_q <= '0;
      end else begin
        divides_q <= Divide'({divides_q, result_valid && mean_q});
        if (go) begin
          mean_q <= comb_op == weft_pkg::OpMean;
          fp_q   <= comb_type == weft_pkg::TypeFp32;
          wide_q <= comb_type == weft_pkg::TypeInt64;
          div_q  <= comb_div;
        end
      end
    end
    for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
      weft_mean_div u_mean (
        .clk_i,
        .rst_ni,
        .divide_i(mean_q),
        .fp_i    (fp_q),
        .wide_i  (wide_q),
        .count_i (div_q),
        .word_i  (result[64*l +: 64]),
        .result_o(divided[64*l +: 64])
      );
    end
    assign final_valid = divides_q[Divide-1] || (result_valid && !mean_q);
    assign final_word  = divides_q[Divide-1] ? divided : result;
    assign latency     = (slow ? DrainW'(Slow) : DrainW'(1)) +
                         (comb_op == weft_pkg::OpMean ? DrainW'(Divide) : '0);
    assign {up_valid_o, up_some_o, up_word_o} = '0;
    logic unused_root;
    assign unused_root = &{1'b0, result_some};
  end else begin : gen_inner
    assign final_valid = down_valid_i;
    assign final_word  = down_word_i;
    assign latency     = slow ? DrainW'(Slow) : DrainW'(1);
    assign {up_valid_o, up_some_o, up_word_o} = {result_valid, result_some, result};
  end
  assign final_last = final_valid && end_word_q == end_len - 1'b1;
  assign end_next   = final_last;

  logic                ends_q, wen_q, down_q;
  logic [AddrW-1:0]    waddr_q;
  logic [DataW-1:0]    wdata_q, down_word_q;
  logic [MaxChild-1:0] credit_q;
  logic [CountW-1:0]   done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {post_q, fetch_at_q, comb_at_q, end_at_q} <= '0;
      {used_q, fetch_orders_q, comb_orders_q}   <= '0;
      {fetch_word_q, comb_word_q, end_word_q}   <= '0;
      {ren_q, reads_q, raddr_q} <= '0;
      own_room_q   <= OwnW'(OwnDepth);
      room_q       <= DepthW'(Depth);
      drain_q      <= '0;
      quick_q      <= 1'b0;
      quick_some_q <= 1'b0;
      quick_word_q <= '0;
      credit_q     <= '0;
      {ends_q, wen_q, down_q} <= '0;
      waddr_q      <= '0;
      wdata_q      <= '0;
      down_word_q  <= '0;
      done_q       <= '0;
    end else begin
      post_q         <= post_q ^ post_i;
      used_q         <= used_q + 2'(post_i) - 2'(ends_q);
      fetch_orders_q <= fetch_orders_q + 2'(post_i) - 2'(fetch_next);
      comb_orders_q  <= comb_orders_q + 2'(post_i) - 2'(comb_next);
      fetch_at_q     <= fetch_at_q ^ fetch_next;
      comb_at_q      <= comb_at_q ^ comb_next;
      end_at_q       <= end_at_q ^ end_next;
      fetch_word_q   <= fetch_next ? '0 : fetch_word_q + LenW'(fetch);
      comb_word_q    <= comb_next ? '0 : comb_word_q + LenW'(go);
      end_word_q     <= end_next ? '0 : end_word_q + LenW'(final_valid);

      ren_q      <= fetch;
      raddr_q    <= fetch ? fetch_addr + AddrW'(fetch_word_q) : '0;
      reads_q    <= ren_q;
      own_room_q <= own_room_q + OwnW'(own_pop) - OwnW'(fetch);

      if (!IsRoot) room_q <= room_q + DepthW'(up_credit_i) - DepthW'(go);
      drain_q      <= go ? latency - 1'b1 : drain_q - DrainW'(drain_q != '0);
      quick_q      <= go && (NumChild == 0 || !slow);
      quick_some_q <= go && (NumChild == 0 || !slow) && some2;
      quick_word_q <= (go && (NumChild == 0 || !slow)) ? quick2 : '0;
      credit_q     <= go ? MaxChild'((1 << NumChild) - 1) : '0;

      down_q      <= final_valid;
      down_word_q <= final_valid ? final_word : '0;
      wen_q       <= final_valid && !end_discard;
      waddr_q     <= (final_valid && !end_discard) ? end_to + AddrW'(end_word_q) : '0;
      wdata_q     <= (final_valid && !end_discard) ? final_word : '0;
      ends_q      <= final_last;
      done_q      <= done_q + CountW'(ends_q);
    end
  end
  // An order needs no reset: it is used only after it was posted.
  always_ff @(posedge clk_i) begin
    if (post_i) begin
      order_q[post_q] <= {order_addr_i, order_to_i, order_len_i, order_op_i, order_type_i,
                          order_count_i, order_silent_i, order_discard_i};
    end
  end

  assign full_o       = used_q == 2'd2;
  assign done_o       = done_q;
  assign mem_ren_o    = ren_q;
  assign mem_raddr_o  = raddr_q;
  assign mem_wen_o    = wen_q;
  assign mem_waddr_o  = waddr_q;
  assign mem_wdata_o  = wdata_q;
  assign up_credit_o  = credit_q;
  assign down_valid_o = down_q;
  assign down_word_o  = down_word_q;

  `WEFT_ASSUME(PostOnlyNotFull, !(post_i && full_o))
  `WEFT_ASSUME(OrderHasWords, !post_i || order_len_i != '0)
  `WEFT_ASSUME(OperationExists, !post_i || order_op_i <= weft_pkg::OpMean)
  `WEFT_ASSUME(TypeExists, !post_i || order_type_i <= weft_pkg::TypeFp32)
  `WEFT_ASSUME(CreditOfWord, IsRoot || !(up_credit_i && room_q == DepthW'(Depth)))
  `WEFT_ASSUME(ResultOfOrder, IsRoot || !final_valid || used_q != '0)
  `WEFT_ASSERT(OrdersInRange, used_q <= 2'd2 && fetch_orders_q <= used_q &&
      comb_orders_q <= used_q)
  `WEFT_ASSERT(OneResult, !(quick_q && slow_valid))
  `WEFT_ASSERT(OwnRoomInRange, own_room_q <= OwnW'(OwnDepth))
  `WEFT_ASSERT(OwnWordsCounted, 32'(own_room_q) + 32'(own_count) + 32'(ren_q) + 32'(reads_q) ==
      OwnDepth)
  `WEFT_ASSERT(RoomInRange, room_q <= DepthW'(Depth))
  `WEFT_ASSERT(QuietWithoutValid, (up_valid_o || (up_word_o == '0 && !up_some_o)) &&
      (down_valid_o || down_word_o == '0))

endmodule

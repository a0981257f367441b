// Proof of the registers, for any accesses: what they post, the windows, what they refuse and what
// they show, told from accepted writes alone. Around the block are a descriptor queue that drains
// at any time, and a combine unit that completes any of the orders posted; the other counters are
// arbitrary, within what the block assumes.

`include "weft_assert.svh"

module register_block_props #(
  parameter int unsigned DataW = 64,
  parameter int unsigned NumCtrl = 2,
  parameter int unsigned NumLinks = 2,
  parameter int unsigned QueueDepth = 3,
  parameter bit Timed = 1'b1,
  parameter bit Reduce = 1'b1,
  parameter bit Barrier = 1'b1,
  parameter bit Combine = 1'b1,
  parameter int unsigned MemFlits = 9,
  parameter int unsigned Windows = 1,
  parameter int unsigned KeyW = 0,
  parameter int unsigned IdW = 0,
  localparam int unsigned AddrW = weft_pkg::AddrW,
  localparam int unsigned OffW = weft_pkg::HdrLenLsb - 2 * AddrW,
  localparam int unsigned BelowW = OffW - KeyW,
  localparam int unsigned ShortW = OffW - KeyW - IdW,
  localparam int unsigned KeyPortW = KeyW > 0 ? KeyW : 1,
  localparam int unsigned NumberW = Windows > 1 ? $clog2(Windows) : 1,
  localparam int unsigned FreeW = $clog2(QueueDepth + 1),
  localparam int unsigned CountW = weft_pkg::CountW,
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW,
  localparam int unsigned PlaceW = $clog2(MemFlits + 1),
  localparam int unsigned MsgLenW = weft_pkg::MsgLenW,
  localparam int unsigned StartW = weft_pkg::StartW,
  localparam int unsigned CountsW = 4 * CountW
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        wen_i,
  input logic [11:0]                 waddr_i,
  input logic [31:0]                 wdata_i,
  input logic [11:0]                 raddr_i,
  input logic                        drains_i,
  input logic                        completes_i,
  input logic [CountW-1:0]           tx_count_i,
  input logic [CountsW-1:0]          rx_count_i,
  input logic [CountsW-1:0]          rx_arrived_i,
  input logic [NumLinks*CountsW-1:0] rx_link_i,
  input logic [CountW-1:0]           rx_parity_i,
  input logic [CountW-1:0]           rx_refused_i,
  input logic [CountW-1:0]           barrier_count_i,
  input logic [31:0]                 memory_errors_i
);

  localparam int unsigned FlitBytes = DataW / 8;

  logic                             wrefused, rrefused, changed;
  logic [31:0]                      rdata;
  logic                             desc_valid, desc_timed;
  logic [AddrW-1:0]                 desc_dst;
  logic [MemAddrW-1:0]              desc_addr;
  logic [MsgLenW-1:0]               desc_len;
  logic [OffW-1:0]                  desc_off;
  logic [weft_pkg::TagW-1:0]        desc_tag;
  logic [weft_pkg::GapW-1:0]        desc_gap;
  logic [weft_pkg::CtrlW-1:0]       desc_ctrl;
  logic [StartW-1:0]                desc_start;
  logic [Windows*MemAddrW-1:0]      rx_base, rx_size;
  logic [Windows*KeyPortW-1:0]      rx_key;
  logic [weft_pkg::ReduceOpW-1:0]   reduce_op, order_op;
  logic [weft_pkg::ReduceTypeW-1:0] reduce_type, order_type;
  logic [weft_pkg::MeanCountW-1:0]  reduce_count, order_count;
  logic                             enter, combine_post, order_silent, order_discard;
  logic [MemAddrW-1:0]              order_addr, order_to;
  logic [MsgLenW-1:0]               order_len;

  // The queue: a descriptor goes in one cycle after its post. The combine unit likewise.
  logic [FreeW-1:0]  waiting_q, desc_free;
  logic [1:0]        orders_q;
  logic [CountW-1:0] done_q;
  logic              drains, completes;
  assign desc_free = FreeW'(QueueDepth) - waiting_q;
  assign drains    = drains_i && waiting_q != '0;
  assign completes = completes_i && orders_q != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      orders_q  <= '0;
      done_q    <= '0;
    end else begin
      waiting_q <= waiting_q + FreeW'(desc_valid) - FreeW'(drains);
      orders_q  <= orders_q + 2'(combine_post) - 2'(completes);
      done_q    <= done_q + CountW'(completes);
    end
  end

  weft_register_block #(
    .DataW     (DataW),
    .AddrW     (AddrW),
    .NumCtrl   (NumCtrl),
    .NumLinks  (NumLinks),
    .QueueDepth(QueueDepth),
    .Timed     (Timed),
    .Reduce    (Reduce),
    .Barrier   (Barrier),
    .Combine   (Combine),
    .MemFlits  (MemFlits),
    .Windows   (Windows),
    .KeyW      (KeyW),
    .IdW       (IdW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .wen_i,
    .waddr_i,
    .wdata_i,
    .wrefused_o     (wrefused),
    .raddr_i,
    .rdata_o        (rdata),
    .rrefused_o     (rrefused),
    .event_o        (changed),
    .desc_valid_o   (desc_valid),
    .desc_dst_o     (desc_dst),
    .desc_addr_o    (desc_addr),
    .desc_len_o     (desc_len),
    .desc_off_o     (desc_off),
    .desc_tag_o     (desc_tag),
    .desc_gap_o     (desc_gap),
    .desc_ctrl_o    (desc_ctrl),
    .desc_timed_o   (desc_timed),
    .desc_start_o   (desc_start),
    .desc_free_i    (desc_free),
    .tx_count_i,
    .rx_count_i,
    .rx_arrived_i,
    .rx_link_i,
    .rx_parity_i,
    .rx_refused_i,
    .rx_base_o      (rx_base),
    .rx_size_o      (rx_size),
    .rx_key_o       (rx_key),
    .reduce_op_o    (reduce_op),
    .reduce_type_o  (reduce_type),
    .reduce_count_o (reduce_count),
    .barrier_enter_o(enter),
    .barrier_count_i,
    .combine_post_o (combine_post),
    .order_addr_o   (order_addr),
    .order_to_o     (order_to),
    .order_len_o    (order_len),
    .order_op_o     (order_op),
    .order_type_o   (order_type),
    .order_count_o  (order_count),
    .order_silent_o (order_silent),
    .order_discard_o(order_discard),
    .combine_done_i (done_q),
    .memory_errors_i
  );

  // Accepted writes, by register; the value that each register took last.
  logic taken;
  assign taken = wen_i && !wrefused;
  logic [31:0]  dst_q, addr_q, len_q, off_q, tag_gap_q, next_q;
  logic [31:0]  from_q, to_q, words_q, combine_q, start_q, key_q, rx_key_q;
  logic [Windows*32-1:0] base_q, size_q, window_key_q;
  logic [31:0]  reduce_q;
  logic         reduced_q, posted_q, entered_q, combined_q, timed_q, job_q, combined_once_q;
  logic [31:0]  job_value_q;
  logic [CountW-1:0]           job_sent_q, job_barrier_q;
  logic [NumLinks*CountsW-1:0] job_link_q, entry_link_q;
  logic [31:0]  cycle_q;
  logic [CountW-1:0] barriers, done, refusals_q;
  assign barriers = Barrier ? barrier_count_i : '0;
  assign done     = Combine ? done_q : '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {dst_q, addr_q, len_q, off_q, tag_gap_q, next_q} <= '0;
      {from_q, to_q, words_q, combine_q, start_q, key_q, rx_key_q} <= '0;
      {base_q, size_q, window_key_q} <= '0;
      {reduced_q, posted_q, entered_q, combined_q, timed_q, job_q, combined_once_q} <= '0;
      reduce_q      <= '0;
      job_value_q   <= '0;
      job_sent_q    <= '0;
      job_barrier_q <= '0;
      job_link_q    <= '0;
      entry_link_q  <= '0;
      cycle_q       <= '0;
      refusals_q    <= '0;
    end else begin
      cycle_q    <= cycle_q + 32'd1;
      if (wen_i && !taken) refusals_q <= refusals_q + CountW'(1);
      posted_q   <= taken && waddr_i == weft_reg::Post;
      entered_q  <= taken && waddr_i == weft_reg::Barrier;
      combined_q <= taken && waddr_i == weft_reg::CombinePost;
      if (posted_q) timed_q <= 1'b0;
      if (taken) begin
        if (waddr_i == weft_reg::Dst) dst_q <= wdata_i;
        if (waddr_i == weft_reg::Addr) addr_q <= wdata_i;
        if (waddr_i == weft_reg::Len) len_q <= wdata_i;
        if (waddr_i == weft_reg::Offset) off_q <= wdata_i;
        if (waddr_i == weft_reg::TagGap) tag_gap_q <= wdata_i;
        if (waddr_i == weft_reg::RxBase) next_q <= wdata_i;
        if (waddr_i == weft_reg::RxSize) begin
          base_q[32*rx_key_q[15:8] +: 32]       <= next_q;
          size_q[32*rx_key_q[15:8] +: 32]       <= wdata_i;
          window_key_q[32*rx_key_q[15:8] +: 32] <= 32'(rx_key_q[7:0]);
        end
        if (waddr_i == weft_reg::Key) key_q <= wdata_i;
        if (waddr_i == weft_reg::RxKey) rx_key_q <= wdata_i;
        if (waddr_i == weft_reg::Barrier && !job_q) entry_link_q <= rx_link_i;
        if (waddr_i == weft_reg::JobStart) begin
          job_q         <= 1'b1;
          job_value_q   <= wdata_i;
          job_sent_q    <= tx_count_i;
          job_barrier_q <= barriers;
          job_link_q    <= (barriers != '0) ? entry_link_q : rx_link_i;
        end
        if (waddr_i == weft_reg::Reduce) begin
          reduced_q <= 1'b1;
          reduce_q  <= wdata_i;
        end
        if (waddr_i == weft_reg::Start) begin
          timed_q <= 1'b1;
          start_q <= wdata_i;
        end
        if (waddr_i == weft_reg::CombineAddr) from_q <= wdata_i;
        if (waddr_i == weft_reg::CombineTo) to_q <= wdata_i;
        if (waddr_i == weft_reg::CombineLen) words_q <= wdata_i;
        if (waddr_i == weft_reg::CombinePost) begin
          combined_once_q <= 1'b1;
          combine_q       <= wdata_i;
        end
      end
    end
  end

  // ---- What is posted: exactly what was accepted, one cycle later, with the values written last.
  `WEFT_ASSERT(PostGivesDescriptor, desc_valid == posted_q)
  `WEFT_ASSERT(Destination, 32'(desc_dst) == dst_q)
  // An address at the end of the memory, of a message without a body, may be one bit wider.
  (* hierconn *) wire [PlaceW-1:0] \u_dut.addr_q ;
  `WEFT_ASSERT(AddressAgrees, 32'(\u_dut.addr_q ) * FlitBytes == addr_q)
  `WEFT_ASSERT(Address, desc_addr == MemAddrW'(addr_q / FlitBytes))
  `WEFT_ASSERT(Length, 32'(desc_len) == len_q)
  logic [31:0] place;  // an offset without its key; the bits of an id are 0
  assign place = 32'(desc_off) % (1 << BelowW);
  `WEFT_ASSERT(Offset, place * FlitBytes == off_q && 32'(desc_off) >> BelowW == key_q)
  `WEFT_ASSERT(NothingInId, place < 1 << ShortW)
  `WEFT_ASSERT(TagGapController, desc_tag == tag_gap_q[weft_pkg::TagW-1:0] &&
      desc_gap == tag_gap_q[8 +: weft_pkg::GapW] && desc_ctrl == tag_gap_q[19:16])
  `WEFT_ASSERT(StartOnce, desc_timed == timed_q && desc_start == (timed_q ? StartW'(start_q) : '0))
  `WEFT_ASSERT(MessageInMemory, !desc_valid || 32'(desc_addr) + 32'(desc_len) <= MemFlits)
  `WEFT_ASSERT(MessageInWindow, !desc_valid || place + 32'(desc_len) <= 32'd1 << ShortW)
  `WEFT_ASSERT(ControllerExists, 32'(desc_ctrl) <= NumCtrl || desc_ctrl == 4'hf)
  `WEFT_ASSERT(QueueHasPlace, !desc_valid || desc_free != '0)
  for (genvar w = 0; w < Windows; w++) begin : gen_window
    logic [31:0] base, size;
    assign base = 32'(rx_base[w*MemAddrW +: MemAddrW]);
    assign size = 32'(rx_size[w*MemAddrW +: MemAddrW]);
    `WEFT_ASSERT(WindowAsWritten, base == 32'(MemAddrW'(base_q[w*32 +: 32] / FlitBytes)) &&
        size * FlitBytes == size_q[w*32 +: 32] &&
        32'(rx_key[w*KeyPortW +: KeyPortW]) == window_key_q[w*32 +: 32])
    `WEFT_ASSERT(WindowInMemory, base + size <= MemFlits)
  end
  `WEFT_ASSERT(ReductionAsWritten, reduce_op == (Reduce ? reduce_q[2:0] : 3'd0) &&
      reduce_type == (Reduce ? reduce_q[4:3] : 2'd0) &&
      reduce_count == (!Reduce ? 16'd0 : reduced_q ? reduce_q[31:16] : 16'd1))
  `WEFT_ASSERT(MeanHasDivisor, reduce_op != weft_pkg::OpMean || reduce_count != '0)
  `WEFT_ASSERT(EntersOnce, enter == entered_q && (Barrier || !enter))
  `WEFT_ASSERT(CombinesOnce, combine_post == combined_q && (Combine || !combine_post))
  (* hierconn *) wire [PlaceW-1:0] \u_dut.gen_combine.from_q ;
  (* hierconn *) wire [PlaceW-1:0] \u_dut.gen_combine.to_q ;
  `WEFT_ASSERT(OrderPlacesAgree, !Combine ||
      (32'(\u_dut.gen_combine.from_q ) * FlitBytes == from_q &&
       32'(\u_dut.gen_combine.to_q ) * FlitBytes == to_q))
  `WEFT_ASSERT(OrderPlaces, !Combine || (order_addr == MemAddrW'(from_q / FlitBytes) &&
      order_to == MemAddrW'(to_q / FlitBytes) && 32'(order_len) == words_q))
  `WEFT_ASSERT(OrderKind, !combined_once_q || (order_op == combine_q[2:0] &&
      order_type == combine_q[4:3] && order_silent == combine_q[5] &&
      order_discard == combine_q[6] && order_count == combine_q[31:16]))
  `WEFT_ASSERT(OrderFits, !combine_post || (order_len != '0 &&
      (order_silent || 32'(order_addr) + 32'(order_len) <= MemFlits) &&
      (order_discard || 32'(order_to) + 32'(order_len) <= MemFlits)))
  `WEFT_ASSERT(OrderCounted, 32'(orders_q) + 32'(combine_post) <= 2)

  // ---- What is refused: no register there, or the value or the moment. The window's and the
  // orders' rules are above; here those of acceptance.
  logic writable, readable, has_place, body_good, aligned;
  assign writable = waddr_i[1:0] == 2'd0 && 32'(waddr_i[11:2]) < weft_reg::Words &&
                    weft_reg::Writable[waddr_i[8:2]];
  assign readable = raddr_i[1:0] == 2'd0 && 32'(raddr_i[11:2]) < weft_reg::Words &&
                    weft_reg::Readable[raddr_i[8:2]];
  assign has_place = 32'(desc_free) > 32'(desc_valid);
  assign body_good = addr_q / FlitBytes + 32'(desc_len) <= MemFlits &&
                     place + 32'(desc_len) <= 32'd1 << ShortW;
  assign aligned   = wdata_i % FlitBytes == 32'd0;
  logic arithmetic;
  assign arithmetic = wdata_i[2:0] < 3'd6 && wdata_i[4:3] != 2'd3 &&
                      (wdata_i[2:0] != 3'd5 || wdata_i[31:16] != '0);
  `WEFT_ASSERT(OnlyWritable, !taken || writable)
  `WEFT_ASSERT(NoRefusalWithoutWrite, wen_i || !wrefused)
  `WEFT_ASSERT(PostAccepted, !(wen_i && waddr_i == weft_reg::Post) ||
      wrefused == !(has_place && body_good))
  `WEFT_ASSERT(LengthAccepted, !(wen_i && waddr_i == weft_reg::Len) ||
      wrefused == ((wdata_i >> MsgLenW) != '0))
  `WEFT_ASSERT(AddressAccepted, !(wen_i && waddr_i == weft_reg::Addr) ||
      wrefused == !(aligned && wdata_i <= MemFlits * FlitBytes))
  `WEFT_ASSERT(OffsetAccepted, !(wen_i && waddr_i == weft_reg::Offset) ||
      wrefused == !(aligned && wdata_i < FlitBytes << ShortW))
  `WEFT_ASSERT(KeyAccepted, !(wen_i && waddr_i == weft_reg::Key) ||
      wrefused == (wdata_i >= 1 << KeyW))
  `WEFT_ASSERT(RxKeyAccepted, !(wen_i && waddr_i == weft_reg::RxKey) ||
      wrefused == (32'(wdata_i[7:0]) >= 1 << KeyW || wdata_i >> 8 >= Windows))
  `WEFT_ASSERT(TagGapAccepted, !(wen_i && waddr_i == weft_reg::TagGap) ||
      wrefused == ((wdata_i & 32'hfff0_00f0) != '0 ||
                   (32'(wdata_i[19:16]) > NumCtrl && wdata_i[19:16] != 4'hf)))
  `WEFT_ASSERT(WindowAccepted, !(wen_i && waddr_i == weft_reg::RxSize) ||
      wrefused == !(aligned && wdata_i <= MemFlits * FlitBytes - next_q &&
                    wdata_i < FlitBytes << MemAddrW))
  `WEFT_ASSERT(StartAccepted, !(wen_i && waddr_i == weft_reg::Start) || wrefused == !Timed)
  `WEFT_ASSERT(BarrierAccepted, !(wen_i && waddr_i == weft_reg::Barrier) || wrefused == !Barrier)
  `WEFT_ASSERT(ReduceAccepted, !(wen_i && waddr_i == weft_reg::Reduce) ||
      wrefused == !(arithmetic && (wdata_i & 32'h0000_ffe0) == '0 &&
                    (Reduce || wdata_i[2:0] == 3'd0)))
  `WEFT_ASSERT(CombineAccepted, !(wen_i && waddr_i == weft_reg::CombinePost) ||
      wrefused == !(Combine && arithmetic && (wdata_i & 32'h0000_ff80) == '0 && words_q != '0 &&
                    (wdata_i[5] || from_q / FlitBytes + words_q <= MemFlits) &&
                    (wdata_i[6] || to_q / FlitBytes + words_q <= MemFlits) &&
                    32'(orders_q) + 32'(combine_post) < 2))
  `WEFT_ASSERT(JobStartsOnce, !(wen_i && waddr_i == weft_reg::JobStart) ||
      wrefused == (job_q || wdata_i > 32'(rx_count_i[3*CountW +: CountW])))
  `WEFT_ASSERT(SimulatorAccepted, !(wen_i && writable && (waddr_i == weft_reg::Exit ||
      (waddr_i >= weft_reg::Text && waddr_i <= weft_reg::Phase))) || !wrefused)

  // ---- What is read: the interface's counters, less what they were at the start of the job.
  logic [CountW-1:0] of_tag, of_link, sum, offset;
  logic [CountsW-1:0] link_now, link_then;
  logic [2:0]         link;
  assign offset  = (raddr_i[3:2] == 2'd3) ? CountW'(job_value_q) : '0;
  assign of_tag  = (raddr_i[6] ? rx_arrived_i[raddr_i[3:2]*CountW +: CountW] :
                                 rx_count_i[raddr_i[3:2]*CountW +: CountW]) - offset;
  assign link    = raddr_i[8] ? raddr_i[6:4] : 3'((raddr_i - weft_reg::LinkReceived0) >> 2);
  always_comb begin
    link_now  = '0;
    link_then = '0;
    for (int unsigned l = 0; l < NumLinks; l++) begin
      if (32'(link) == l) begin
        link_now  = rx_link_i[l*CountsW +: CountsW];
        link_then = job_link_q[l*CountsW +: CountsW];
      end
    end
    sum = '0;
    for (int unsigned t = 0; t < 4; t++) begin
      sum = sum + link_now[t*CountW +: CountW] - link_then[t*CountW +: CountW];
    end
  end
  assign of_link = link_now[raddr_i[3:2]*CountW +: CountW] -
                   link_then[raddr_i[3:2]*CountW +: CountW];
  `WEFT_ASSERT(OnlyReadable, rrefused == !readable)
  `WEFT_ASSERT(RefusedReadsNothing, !rrefused || rdata == '0)
  `WEFT_ASSERT(ReadsFree, raddr_i != weft_reg::Free ||
      rdata == QueueDepth - 32'(waiting_q) - 32'(desc_valid))
  `WEFT_ASSERT(ReadsSent, raddr_i != weft_reg::Sent ||
      rdata == 32'(CountW'(tx_count_i - job_sent_q)))
  `WEFT_ASSERT(ReadsByTag, !(readable && ((raddr_i >= weft_reg::Received0 &&
      raddr_i <= weft_reg::Received3) || (raddr_i >= weft_reg::Arrived0 &&
      raddr_i <= weft_reg::Arrived3))) || rdata == 32'(of_tag))
  `WEFT_ASSERT(ReadsByLink, !(readable && raddr_i >= weft_reg::LinkReceived0 &&
      raddr_i <= weft_reg::LinkReceived7) || rdata == 32'(sum))
  `WEFT_ASSERT(ReadsByLinkAndTag, !(readable && raddr_i >= weft_reg::LinkTagReceived0) ||
      rdata == 32'(of_link))
  `WEFT_ASSERT(ReadsDrops, (raddr_i != weft_reg::ParityErrors || rdata == 32'(rx_parity_i)) &&
      (raddr_i != weft_reg::Refused || rdata == 32'(rx_refused_i)) &&
      (raddr_i != weft_reg::MemoryErrors || rdata == memory_errors_i))
  `WEFT_ASSERT(ReadsRefusedWrites, raddr_i != weft_reg::RefusedWrites || rdata == 32'(refusals_q))
  `WEFT_ASSERT(ReadsCycle, raddr_i != weft_reg::Cycle || rdata == 32'(StartW'(cycle_q)))
  `WEFT_ASSERT(ReadsBarriers, raddr_i != weft_reg::Barrier ||
      rdata == 32'(CountW'(barriers - job_barrier_q)))
  `WEFT_ASSERT(ReadsCombines, raddr_i != weft_reg::CombineDone || rdata == 32'(done))

  // ---- The event: a counter or FREE differs from what it was, less the post of that cycle.
  localparam int unsigned AllW = 2 * CountsW + 5 * CountW + 32;
  logic [AllW-1:0]  all, all_q;
  logic [FreeW-1:0] free, free_q;
  assign all  = {rx_count_i, rx_arrived_i, tx_count_i, rx_parity_i, rx_refused_i, barriers, done,
                 memory_errors_i};
  assign free = desc_free - FreeW'(desc_valid);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      all_q  <= '0;
      free_q <= '0;
    end else begin
      all_q  <= all;
      free_q <= free - FreeW'(taken && waddr_i == weft_reg::Post);
    end
  end
  `WEFT_ASSERT(EventExact, changed == (all != all_q || free != free_q))

  // Invariants that close the induction.
  (* hierconn *) wire [NumLinks*CountsW-1:0] \u_dut.link_start_q ;
  (* hierconn *) wire [PlaceW-1:0] \u_dut.next_base_q ;
  (* hierconn *) wire \u_dut.job_q ;
  logic [NumLinks*CountsW-1:0] link_start;
  assign link_start = \u_dut.link_start_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.sent_start_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.received_start_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_barrier.start_q ;
  (* hierconn *) wire [StartW-1:0] \u_dut.cycle_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_combine.posted_q ;
  logic [CountW-1:0] barrier_start;
  logic [1:0]        in_flight;
  assign barrier_start = Barrier ? \u_dut.gen_barrier.start_q : job_barrier_q;
  assign in_flight     = Combine ? 2'(\u_dut.gen_combine.posted_q - done_q[1:0]) :
                                   2'(orders_q + 2'(combine_post));
  `WEFT_ASSERT(StartsAgree, \u_dut.sent_start_q == job_sent_q &&
      barrier_start == job_barrier_q && (Barrier || job_barrier_q == '0) &&
      \u_dut.received_start_q == CountW'(job_value_q))
  `WEFT_ASSERT(CycleAgrees, \u_dut.cycle_q == StartW'(cycle_q))
  (* hierconn *) wire [CountW-1:0] \u_dut.refused_writes_q ;
  `WEFT_ASSERT(RefusedWritesAgree, \u_dut.refused_writes_q == refusals_q)
  `WEFT_ASSERT(OrdersAgree, in_flight == 2'(orders_q + 2'(combine_post)))
  `WEFT_ASSERT(JobAgrees, \u_dut.job_q == job_q)
  `WEFT_ASSERT(LinkStart, link_start == (job_q ? job_link_q : entry_link_q))
  `WEFT_ASSERT(NoOffsetBefore, job_q || (job_link_q == '0 && job_sent_q == '0 &&
      job_barrier_q == '0 && job_value_q == '0))
  `WEFT_ASSERT(JobValueFits, job_value_q <= 32'((64'd1 << CountW) - 64'd1))
  `WEFT_ASSERT(NextBase, 32'(\u_dut.next_base_q ) * FlitBytes == next_q)
  `WEFT_ASSERT(NextBaseInMemory, 32'(\u_dut.next_base_q ) <= MemFlits)
  (* hierconn *) wire [KeyPortW-1:0] \u_dut.next_key_q ;
  (* hierconn *) wire [NumberW-1:0] \u_dut.number_q ;
  `WEFT_ASSERT(NextWindow, 32'(\u_dut.next_key_q ) == 32'(rx_key_q[7:0]) &&
      32'(\u_dut.number_q ) == rx_key_q >> 8 && rx_key_q >> 8 < Windows)
  `WEFT_ASSERT(QueueInRange, 32'(waiting_q) + 32'(desc_valid) <= QueueDepth)

endmodule

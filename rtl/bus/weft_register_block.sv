// Registers through which a processor uses a network interface and the hardware barriers and
// combining tree beside it (sw/include/weft_registers.h). Longer than 500 lines: the ports of all
// that the registers drive and show, and one list of registers that belongs together.

`include "weft_assert.svh"

module weft_register_block #(
  /// Flit width without parity, bits: 64, 128, 256 or 512; addresses are multiples of a flit.
  parameter int unsigned DataW = 64,
  /// Width of a node's address, bits: weft_pkg::AddrW to MaxAddrW.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  /// Send controllers of the interface, 1 to 8.
  parameter int unsigned NumCtrl = 1,
  /// Incoming links of the interface, 1 to 8.
  parameter int unsigned NumLinks = 1,
  /// Depth of the interface's descriptor queue; 1 or more.
  parameter int unsigned QueueDepth = 8,
  /// 1: messages may have a start.
  parameter bit          Timed = 1'b0,
  /// 1: the interface reduces.
  parameter bit          Reduce = 1'b0,
  /// 1: there is a barrier unit.
  parameter bit          Barrier = 1'b0,
  /// 1: there is a combine unit.
  parameter bit          Combine = 1'b0,
  /// Size of the node's memory, flits: 1 to 2 ** weft_pkg::MemAddrW.
  parameter int unsigned MemFlits = 2 ** weft_pkg::MemAddrW,
  /// Receive windows of the interface, 1 to 8; 1 without keys.
  parameter int unsigned Windows = 1,
  /// Width of the keys of windows, bits, 0 to 8: the top bits of an offset.
  parameter int unsigned KeyW = 0,
  /// Width of the ids of packets, bits, the bits of an offset below the key; 0 without reliable
  /// delivery. With the key less than an offset.
  parameter int unsigned IdW = 0,
  // Derived.
  localparam int unsigned OffW = weft_pkg::HdrLenLsb - 2 * AddrW,
  localparam int unsigned KeyPortW = KeyW > 0 ? KeyW : 1,
  localparam int unsigned FreeW = $clog2(QueueDepth + 1),
  localparam int unsigned CountsW = weft_pkg::NumRxCounts * weft_pkg::CountW
) (
  /// Clock.
  input  logic                             clk_i,
  /// Asynchronous reset, active low.
  input  logic                             rst_ni,
  /// A register is written.
  input  logic                             wen_i,
  /// Its byte address.
  input  logic [11:0]                      waddr_i,
  /// The value.
  input  logic [31:0]                      wdata_i,
  /// The write is refused and has no effect; combinational.
  output logic                             wrefused_o,
  /// Byte address of the register that is read; reading has no effect.
  input  logic [11:0]                      raddr_i,
  /// Its value, 0 if it is refused; combinational.
  output logic [31:0]                      rdata_o,
  /// No register can be read there; combinational.
  output logic                             rrefused_o,
  /// A register reads differently than in the cycle before, CYCLE aside; combinational from status
  /// inputs and registers.
  output logic                             event_o,
  /// A descriptor was posted in the cycle before.
  output logic                             desc_valid_o,
  /// Descriptor: destination. The descriptor's ports show the order registers in every cycle.
  output logic [AddrW-1:0]                 desc_dst_o,
  /// Descriptor: first word in local memory.
  output logic [weft_pkg::MemAddrW-1:0]    desc_addr_o,
  /// Descriptor: message length, flits.
  output logic [weft_pkg::MsgLenW-1:0]     desc_len_o,
  /// Descriptor: key of the destination's window in the top `KeyW` bits, then `IdW` bits of 0,
  /// below them the offset there, flits.
  output logic [OffW-1:0]                  desc_off_o,
  /// Descriptor: tag.
  output logic [weft_pkg::TagW-1:0]        desc_tag_o,
  /// Descriptor: inter-packet gap, packet times.
  output logic [weft_pkg::GapW-1:0]        desc_gap_o,
  /// Descriptor: send controller.
  output logic [weft_pkg::CtrlW-1:0]       desc_ctrl_o,
  /// Descriptor: the message has a start; 0 without `Timed`.
  output logic                             desc_timed_o,
  /// Descriptor: its start; 0 without `Timed`.
  output logic [weft_pkg::StartW-1:0]      desc_start_o,
  /// Free slots of the interface's descriptor queue.
  input  logic [FreeW-1:0]                 desc_free_i,
  /// Messages sent to their last flit.
  input  logic [weft_pkg::CountW-1:0]      tx_count_i,
  /// Messages received, by tag.
  input  logic [CountsW-1:0]               rx_count_i,
  /// Messages arrived, by tag.
  input  logic [CountsW-1:0]               rx_arrived_i,
  /// Messages received, by incoming link and tag.
  input  logic [NumLinks*CountsW-1:0]      rx_link_i,
  /// Packets dropped for a parity error.
  input  logic [weft_pkg::CountW-1:0]      rx_parity_i,
  /// Packets dropped for another reason.
  input  logic [weft_pkg::CountW-1:0]      rx_refused_i,
  /// Receive windows, window 0 lowest: first word in local memory.
  output logic [Windows*weft_pkg::MemAddrW-1:0] rx_base_o,
  /// Receive windows: size, flits.
  output logic [Windows*weft_pkg::MemAddrW-1:0] rx_size_o,
  /// Receive windows: key; 0 where `KeyW` is 0.
  output logic [Windows*KeyPortW-1:0]      rx_key_o,
  /// Reduction: operation; 0 without `Reduce`, like the next two.
  output logic [weft_pkg::ReduceOpW-1:0]   reduce_op_o,
  /// Reduction: type of the elements.
  output logic [weft_pkg::ReduceTypeW-1:0] reduce_type_o,
  /// Reduction: divisor of a mean; 1 after reset.
  output logic [weft_pkg::MeanCountW-1:0]  reduce_count_o,
  /// The node enters its next hardware barrier; 0 without `Barrier`.
  output logic                             barrier_enter_o,
  /// Hardware barriers released; ignored without `Barrier`.
  input  logic [weft_pkg::CountW-1:0]      barrier_count_i,
  /// An order to the combining tree was posted in the cycle before; 0 without `Combine`, like the
  /// order's ports, which show the order registers in every cycle.
  output logic                             combine_post_o,
  /// Order: first word of the own vector.
  output logic [weft_pkg::MemAddrW-1:0]    order_addr_o,
  /// Order: where the result is stored.
  output logic [weft_pkg::MemAddrW-1:0]    order_to_o,
  /// Order: words.
  output logic [weft_pkg::MsgLenW-1:0]     order_len_o,
  /// Order: operation.
  output logic [weft_pkg::ReduceOpW-1:0]   order_op_o,
  /// Order: type of the elements.
  output logic [weft_pkg::ReduceTypeW-1:0] order_type_o,
  /// Order: divisor of a mean.
  output logic [weft_pkg::MeanCountW-1:0]  order_count_o,
  /// Order: the node contributes nothing.
  output logic                             order_silent_o,
  /// Order: the result is not stored.
  output logic                             order_discard_o,
  /// Orders to the combining tree completed; ignored without `Combine`.
  input  logic [weft_pkg::CountW-1:0]      combine_done_i,
  /// Accesses that the memory answered with an error.
  input  logic [31:0]                      memory_errors_i
);

  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned MsgLenW  = weft_pkg::MsgLenW;
  localparam int unsigned TagW     = weft_pkg::TagW;
  localparam int unsigned GapW     = weft_pkg::GapW;
  localparam int unsigned CtrlW    = weft_pkg::CtrlW;
  localparam int unsigned CountW   = weft_pkg::CountW;
  localparam int unsigned StartW   = weft_pkg::StartW;
  localparam int unsigned OpW      = weft_pkg::ReduceOpW;
  localparam int unsigned TypeW    = weft_pkg::ReduceTypeW;
  localparam int unsigned MeanW    = weft_pkg::MeanCountW;
  localparam int unsigned NumTags  = weft_pkg::NumRxCounts;

  `WEFT_PARAM(gen_check_data_w, DataW == 64 || DataW == 128 || DataW == 256 || DataW == 512)
  `WEFT_PARAM(gen_check_addr_w, AddrW >= weft_pkg::AddrW && AddrW <= weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_ctrl, NumCtrl >= 1 && NumCtrl <= 8)
  `WEFT_PARAM(gen_check_links, NumLinks >= 1 && NumLinks <= 8)
  `WEFT_PARAM(gen_check_queue, QueueDepth >= 1)
  `WEFT_PARAM(gen_check_memory, MemFlits >= 1 && MemFlits <= 32'd1 << MemAddrW)
  `WEFT_PARAM(gen_check_windows, Windows >= 1 && Windows <= 8 && (KeyW > 0 || Windows == 1))
  `WEFT_PARAM(gen_check_key_w, KeyW <= 8)
  `WEFT_PARAM(gen_check_id_w, KeyW + IdW < OffW)

  // An address in flits up to the end of the memory.
  localparam int unsigned PlaceW = $clog2(MemFlits + 1);
  localparam int unsigned FlitShift = $clog2(DataW / 8);
  // An offset without its key, and without the id of a packet, too; the number of a window.
  localparam int unsigned BelowW = OffW - KeyW;
  localparam int unsigned ShortW = KeyW + IdW < OffW ? OffW - KeyW - IdW : 1;
  localparam int unsigned NumberW = Windows > 1 ? $clog2(Windows) : 1;

  // Order registers; the post in the cycle before.
  logic [AddrW-1:0]   dst_q;
  logic [PlaceW-1:0]  addr_q;
  logic [MsgLenW-1:0] len_q;
  logic [ShortW-1:0]  off_q;
  logic [TagW-1:0]    tag_q;
  logic [GapW-1:0]    gap_q;
  logic [CtrlW-1:0]   ctrl_q;
  logic               post_q;
  // Receive windows: what the next RX_SIZE opens, and the windows that are open.
  logic [PlaceW-1:0]   next_base_q;
  logic [KeyPortW-1:0] next_key_q;
  logic [NumberW-1:0]  number_q;
  logic [Windows*MemAddrW-1:0] base_q, size_q;
  logic [Windows*KeyPortW-1:0] window_key_q;
  // Cycles since reset; writes that were refused.
  logic [StartW-1:0]  cycle_q;
  logic [CountW-1:0]  refused_writes_q;
  // JOB_START was written; what the counters leave out from then on.
  logic                        job_q;
  logic [CountW-1:0]           sent_start_q, received_start_q, barrier_start;
  logic [NumLinks*CountsW-1:0] link_start_q;

  // FREE; whether the combining tree can take an order, and whether that lies in the memory.
  logic [FreeW-1:0]  free;
  logic              order_free, order_fits;
  logic [CountW-1:0] barriers, combines;
  assign free     = (desc_free_i == '0) ? '0 : desc_free_i - FreeW'(post_q);
  assign barriers = Barrier ? barrier_count_i : '0;
  assign combines = Combine ? combine_done_i : '0;

  // ---- Writes: the value as an address or a length of a memory, the registers, and whether they
  // take the value.
  logic [31:0] flits, memory_left;
  logic        whole, in_memory, place_left, body_fits, window_fits;
  assign flits       = wdata_i >> FlitShift;
  assign whole       = wdata_i[FlitShift-1:0] == '0;
  assign in_memory   = whole && flits <= 32'(MemFlits);
  assign memory_left = 32'(MemFlits) - 32'(next_base_q);
  assign place_left  = flits <= memory_left && (flits >> MemAddrW) == '0;
  assign body_fits   = 32'(addr_q) + 32'(len_q) <= 32'(MemFlits);
  assign window_fits = 32'(off_q) + 32'(len_q) <= 32'd1 << ShortW;

  // Fields of REDUCE and COMBINE_POST.
  logic [OpW-1:0]   op;
  logic [TypeW-1:0] elements;
  logic [MeanW-1:0] count;
  logic             arithmetic;
  assign op         = wdata_i[OpW-1:0];
  assign elements   = wdata_i[OpW +: TypeW];
  assign count      = wdata_i[16 +: MeanW];
  assign arithmetic = op <= weft_pkg::OpMean && elements <= weft_pkg::TypeFp32 &&
                      (op != weft_pkg::OpMean || count != '0);

  // Fields of TAG_GAP: bits outside them, and the controller.
  logic tag_gap_good;
  assign tag_gap_good = (wdata_i & 32'hfff0_00f0) == '0 &&
                        (wdata_i[19:16] <= 4'(NumCtrl) || wdata_i[19:16] == 4'hf);

  logic w_dst, w_addr, w_len, w_off, w_tag_gap, w_start, w_post, w_base, w_size, w_reduce;
  logic w_key, w_rx_key, w_barrier, w_job, w_order_addr, w_order_to, w_order_len, w_combine;
  logic w_other;
  assign w_dst        = wen_i && waddr_i == weft_reg::Dst && (wdata_i >> AddrW) == '0;
  assign w_addr       = wen_i && waddr_i == weft_reg::Addr && in_memory;
  assign w_len        = wen_i && waddr_i == weft_reg::Len && (wdata_i >> MsgLenW) == '0;
  assign w_off        = wen_i && waddr_i == weft_reg::Offset && whole && (flits >> ShortW) == '0;
  assign w_tag_gap    = wen_i && waddr_i == weft_reg::TagGap && tag_gap_good;
  assign w_start      = wen_i && waddr_i == weft_reg::Start && Timed;
  assign w_post       = wen_i && waddr_i == weft_reg::Post &&
                        free != '0 && body_fits && window_fits;
  assign w_base       = wen_i && waddr_i == weft_reg::RxBase && in_memory;
  assign w_size       = wen_i && waddr_i == weft_reg::RxSize && whole && place_left;
  assign w_key        = wen_i && waddr_i == weft_reg::Key && (wdata_i >> KeyW) == '0;
  assign w_rx_key     = wen_i && waddr_i == weft_reg::RxKey && wdata_i[31:16] == '0 &&
                        32'(wdata_i[15:8]) < Windows && (wdata_i[7:0] >> KeyW) == '0;
  assign w_reduce     = wen_i && waddr_i == weft_reg::Reduce && (wdata_i & 32'h0000_ffe0) == '0 &&
                        arithmetic && (Reduce || op == weft_pkg::OpStore);
  assign w_barrier    = wen_i && waddr_i == weft_reg::Barrier && Barrier;
  assign w_job        = wen_i && waddr_i == weft_reg::JobStart && !job_q &&
                        wdata_i <= 32'(rx_count_i[3*CountW +: CountW]);
  assign w_order_addr = wen_i && waddr_i == weft_reg::CombineAddr && in_memory;
  assign w_order_to   = wen_i && waddr_i == weft_reg::CombineTo && in_memory;
  assign w_order_len  = wen_i && waddr_i == weft_reg::CombineLen && wdata_i != '0 &&
                        (wdata_i >> MsgLenW) == '0;
  assign w_combine    = wen_i && waddr_i == weft_reg::CombinePost && Combine &&
                        (wdata_i & 32'h0000_ff80) == '0 && arithmetic && order_fits &&
                        order_free;
  // What a program tells a simulator: no effect here.
  assign w_other      = wen_i && (waddr_i == weft_reg::Exit ||
                                  (waddr_i >= weft_reg::Text && waddr_i <= weft_reg::Phase &&
                                   waddr_i[1:0] == '0));

  assign wrefused_o = wen_i && !(w_dst || w_addr || w_len || w_off || w_tag_gap || w_start ||
                                 w_post || w_base || w_size || w_key || w_rx_key || w_reduce ||
                                 w_barrier || w_job || w_order_addr ||
                                 w_order_to || w_order_len || w_combine || w_other);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dst_q            <= '0;
      addr_q           <= '0;
      len_q            <= '0;
      off_q            <= '0;
      tag_q            <= '0;
      gap_q            <= '0;
      ctrl_q           <= '0;
      post_q           <= 1'b0;
      next_base_q      <= '0;
      next_key_q       <= '0;
      number_q         <= '0;
      window_key_q     <= '0;
      base_q           <= '0;
      size_q           <= '0;
      cycle_q          <= '0;
      refused_writes_q <= '0;
      job_q            <= 1'b0;
      sent_start_q     <= '0;
      received_start_q <= '0;
      link_start_q     <= '0;
    end else begin
      if (w_dst) dst_q <= wdata_i[AddrW-1:0];
      if (w_addr) addr_q <= flits[PlaceW-1:0];
      if (w_len) len_q <= wdata_i[MsgLenW-1:0];
      if (w_off) off_q <= flits[ShortW-1:0];
      if (w_tag_gap) begin
        tag_q  <= wdata_i[TagW-1:0];
        gap_q  <= wdata_i[8 +: GapW];
        ctrl_q <= wdata_i[16 +: CtrlW];
      end
      post_q <= w_post;
      if (w_base) next_base_q <= flits[PlaceW-1:0];
      if (w_rx_key) begin
        next_key_q <= wdata_i[KeyPortW-1:0];
        number_q   <= wdata_i[8 +: NumberW];
      end
      for (int unsigned w = 0; w < Windows; w++) begin
        if (w_size && 32'(number_q) == w) begin
          base_q[w*MemAddrW +: MemAddrW]       <= MemAddrW'(next_base_q);
          size_q[w*MemAddrW +: MemAddrW]       <= flits[MemAddrW-1:0];
          window_key_q[w*KeyPortW +: KeyPortW] <= next_key_q;
        end
      end
      cycle_q <= cycle_q + 1'b1;
      if (wrefused_o) refused_writes_q <= refused_writes_q + 1'b1;
      if (w_job) begin
        job_q            <= 1'b1;
        sent_start_q     <= tx_count_i;
        received_start_q <= wdata_i[CountW-1:0];
      end
      // When a start-up's barrier is entered all of its messages have come, and none of the job's.
      if ((w_barrier && !job_q) || (w_job && barriers == '0)) link_start_q <= rx_link_i;
    end
  end

  assign desc_valid_o = post_q;
  assign desc_dst_o   = dst_q;
  assign desc_addr_o  = MemAddrW'(addr_q);
  assign desc_len_o   = len_q;
  assign desc_tag_o   = tag_q;
  assign desc_gap_o   = gap_q;
  assign desc_ctrl_o  = ctrl_q;
  assign rx_base_o    = base_q;
  assign rx_size_o    = size_q;
  assign rx_key_o     = window_key_q;
  if (KeyW > 0) begin : gen_key
    logic [KeyW-1:0] key_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) key_q <= '0;
      else if (w_key) key_q <= wdata_i[KeyW-1:0];
    end
    assign desc_off_o = {key_q, BelowW'(off_q)};
  end else begin : gen_no_key
    assign desc_off_o = OffW'(off_q);
  end

  if (Timed) begin : gen_timed
    // The start is that of the next descriptor alone.
    logic              timed_q;
    logic [StartW-1:0] start_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        timed_q <= 1'b0;
        start_q <= '0;
      end else if (w_start) begin
        timed_q <= 1'b1;
        start_q <= wdata_i[StartW-1:0];
      end else if (post_q) begin
        timed_q <= 1'b0;
        start_q <= '0;
      end
    end
    assign desc_timed_o = timed_q;
    assign desc_start_o = start_q;
  end else begin : gen_untimed
    assign desc_timed_o = 1'b0;
    assign desc_start_o = '0;
  end

  if (Reduce) begin : gen_reduce
    logic [OpW-1:0]   op_q;
    logic [TypeW-1:0] type_q;
    logic [MeanW-1:0] count_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        op_q    <= weft_pkg::OpStore;
        type_q  <= weft_pkg::TypeInt32;
        count_q <= MeanW'(1);
      end else if (w_reduce) begin
        op_q    <= op;
        type_q  <= elements;
        count_q <= count;
      end
    end
    assign reduce_op_o    = op_q;
    assign reduce_type_o  = type_q;
    assign reduce_count_o = count_q;
  end else begin : gen_store
    assign reduce_op_o    = '0;
    assign reduce_type_o  = '0;
    assign reduce_count_o = '0;
  end

  if (Barrier) begin : gen_barrier
    logic              enter_q;
    logic [CountW-1:0] start_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        enter_q <= 1'b0;
        start_q <= '0;
      end else begin
        enter_q <= w_barrier;
        if (w_job) start_q <= barriers;
      end
    end
    assign barrier_enter_o = enter_q;
    assign barrier_start   = start_q;
  end else begin : gen_no_barrier
    assign barrier_enter_o = 1'b0;
    assign barrier_start   = '0;
    logic unused_count;
    assign unused_count = ^barrier_count_i;
  end

  if (Combine) begin : gen_combine
    logic [PlaceW-1:0]  from_q, to_q;
    logic [MsgLenW-1:0] words_q;
    logic [OpW-1:0]     op_q;
    logic [TypeW-1:0]   type_q;
    logic [MeanW-1:0]   count_q;
    logic               silent_q, discard_q, combine_q;
    logic [1:0]         posted_q, in_flight;  // modulo 4
    assign in_flight  = posted_q - combines[1:0];
    assign order_free = in_flight < 2'd2;
    assign order_fits = words_q != '0 &&
                        (wdata_i[5] || 32'(from_q) + 32'(words_q) <= 32'(MemFlits)) &&
                        (wdata_i[6] || 32'(to_q) + 32'(words_q) <= 32'(MemFlits));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        from_q    <= '0;
        to_q      <= '0;
        words_q   <= '0;
        op_q      <= weft_pkg::OpStore;
        type_q    <= weft_pkg::TypeInt32;
        count_q   <= MeanW'(1);
        silent_q  <= 1'b0;
        discard_q <= 1'b0;
        combine_q <= 1'b0;
        posted_q  <= '0;
      end else begin
        if (w_order_addr) from_q <= flits[PlaceW-1:0];
        if (w_order_to) to_q <= flits[PlaceW-1:0];
        if (w_order_len) words_q <= wdata_i[MsgLenW-1:0];
        combine_q <= w_combine;
        if (w_combine) begin
          op_q      <= op;
          type_q    <= elements;
          count_q   <= count;
          silent_q  <= wdata_i[5];
          discard_q <= wdata_i[6];
          posted_q  <= posted_q + 1'b1;
        end
      end
    end
    assign combine_post_o  = combine_q;
    assign order_addr_o    = MemAddrW'(from_q);
    assign order_to_o      = MemAddrW'(to_q);
    assign order_len_o     = words_q;
    assign order_op_o      = op_q;
    assign order_type_o    = type_q;
    assign order_count_o   = count_q;
    assign order_silent_o  = silent_q;
    assign order_discard_o = discard_q;

    `WEFT_ASSUME(OnlyPostedComplete, in_flight <= 2'd2)
  end else begin : gen_no_combine
    assign order_free      = 1'b0;
    assign order_fits      = 1'b0;
    assign combine_post_o  = 1'b0;
    assign order_addr_o    = '0;
    assign order_to_o      = '0;
    assign order_len_o     = '0;
    assign order_op_o      = '0;
    assign order_type_o    = '0;
    assign order_count_o   = '0;
    assign order_silent_o  = 1'b0;
    assign order_discard_o = 1'b0;
    logic unused_done;
    assign unused_done = ^combine_done_i;
  end

  // ---- Reads. The counters of one link, as they are and as they were at the start of the job.
  logic               word, of_link, of_tag, of_received, of_arrived;
  logic [2:0]         link;
  logic [1:0]         tag;
  logic [CountsW-1:0] here, earlier, since;
  logic [CountW-1:0]  sum, since_tag, received, arrived, received_start;
  assign word        = raddr_i[1:0] == '0;
  assign of_link     = word && raddr_i >= weft_reg::LinkReceived0 &&
                       raddr_i <= weft_reg::LinkReceived7;
  assign of_tag      = word && raddr_i >= weft_reg::LinkTagReceived0 &&
                       raddr_i <= weft_reg::LinkTagReceived31;
  assign of_received = word && raddr_i >= weft_reg::Received0 &&
                       raddr_i <= weft_reg::Received3;
  assign of_arrived  = word && raddr_i >= weft_reg::Arrived0 &&
                       raddr_i <= weft_reg::Arrived3;
  assign link        = of_tag ? raddr_i[6:4] : raddr_i[4:2] - 3'd1;
  assign tag         = raddr_i[3:2];
  always_comb begin
    here    = '0;
    earlier = '0;
    for (int unsigned l = 0; l < NumLinks; l++) begin
      if (link == 3'(l)) begin
        here = rx_link_i[l*CountsW +: CountsW];
        if (job_q) earlier = link_start_q[l*CountsW +: CountsW];
      end
    end
  end
  for (genvar t = 0; t < NumTags; t++) begin : gen_since
    assign since[t*CountW +: CountW] = here[t*CountW +: CountW] - earlier[t*CountW +: CountW];
  end
  always_comb begin
    sum = '0;
    for (int unsigned t = 0; t < NumTags; t++) sum = sum + since[t*CountW +: CountW];
  end
  assign since_tag      = since[tag*CountW +: CountW];
  assign received_start = (tag == 2'd3) ? received_start_q : '0;
  assign received       = rx_count_i[tag*CountW +: CountW] - received_start;
  assign arrived        = rx_arrived_i[tag*CountW +: CountW] - received_start;

  always_comb begin
    rrefused_o = 1'b0;
    rdata_o    = '0;
    if (of_link) rdata_o = 32'(sum);
    else if (of_tag) rdata_o = 32'(since_tag);
    else if (of_received) rdata_o = 32'(received);
    else if (of_arrived) rdata_o = 32'(arrived);
    else begin
      case (raddr_i)
        weft_reg::Free:          rdata_o = 32'(free);
        weft_reg::Sent:          rdata_o = 32'(CountW'(tx_count_i - sent_start_q));
        weft_reg::ParityErrors:  rdata_o = 32'(rx_parity_i);
        weft_reg::Refused:       rdata_o = 32'(rx_refused_i);
        weft_reg::Cycle:         rdata_o = 32'(cycle_q);
        weft_reg::Barrier:       rdata_o = 32'(CountW'(barriers - barrier_start));
        weft_reg::MemoryErrors:  rdata_o = memory_errors_i;
        weft_reg::RefusedWrites: rdata_o = 32'(refused_writes_q);
        weft_reg::CombineDone:   rdata_o = 32'(combines);
        default:                 rrefused_o = 1'b1;
      endcase
    end
  end

  // ---- Event: FREE as left by the cycle before, with its post, and the low bits of counters that
  // rise by at most 8 a cycle.
  localparam int unsigned LowW = 4;
  localparam int unsigned NumCounts = 6 + 2 * NumTags;
  logic [NumCounts*LowW-1:0] low, low_q;
  logic [FreeW-1:0]          left_q;
  for (genvar t = 0; t < NumTags; t++) begin : gen_low
    assign low[t*LowW +: LowW] = LowW'(rx_count_i[t*CountW +: CountW]);
    assign low[(NumTags+t)*LowW +: LowW] = LowW'(rx_arrived_i[t*CountW +: CountW]);
  end
  assign low[2*NumTags*LowW +: 6*LowW] = {LowW'(tx_count_i), LowW'(rx_parity_i),
                                          LowW'(rx_refused_i), LowW'(barriers), LowW'(combines),
                                          LowW'(memory_errors_i)};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      low_q  <= '0;
      left_q <= '0;
    end else begin
      low_q  <= low;
      left_q <= free - FreeW'(w_post);
    end
  end
  assign event_o = low != low_q || free != left_q;

  // The queue's free slots fall by no more than the descriptors that were posted.
  `WEFT_ASSUME(QueueTakesDescriptors, desc_free_i >= left_q)
  `WEFT_ASSERT(DescriptorHasPlace, !post_q || desc_free_i != '0)

`ifdef WEFT_CHECKED
  // Counters rise by at most 8 a cycle, and those by link not without those of their tags.
  logic [CountsW-1:0]          count_q, arrived_q;
  logic [NumLinks*CountsW-1:0] link_q;
  logic [5*CountW+31:0]        single, single_q;
  assign single = {tx_count_i, rx_parity_i, rx_refused_i, barriers, combines, memory_errors_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q   <= '0;
      arrived_q <= '0;
      link_q    <= '0;
      single_q  <= '0;
    end else begin
      count_q   <= rx_count_i;
      arrived_q <= rx_arrived_i;
      link_q    <= rx_link_i;
      single_q  <= single;
    end
  end
  for (genvar t = 0; t < NumTags; t++) begin : gen_rise
    logic [CountW-1:0] count_rise, arrived_rise;
    assign count_rise   = rx_count_i[t*CountW +: CountW] - count_q[t*CountW +: CountW];
    assign arrived_rise = rx_arrived_i[t*CountW +: CountW] - arrived_q[t*CountW +: CountW];
    `WEFT_ASSUME(CountRises, 32'(count_rise) <= 32'd8)
    `WEFT_ASSUME(ArrivedRises, 32'(arrived_rise) <= 32'd8)
  end
  for (genvar i = 0; i < 5; i++) begin : gen_single_rise
    logic [CountW-1:0] rise;
    assign rise = single[32+i*CountW +: CountW] - single_q[32+i*CountW +: CountW];
    `WEFT_ASSUME(SingleRises, 32'(rise) <= 32'd8)
  end
  logic [31:0] error_rise;
  assign error_rise = memory_errors_i - single_q[31:0];
  `WEFT_ASSUME(ErrorsRise, error_rise <= 32'd8)
  `WEFT_ASSUME(LinksWithTags, rx_link_i == link_q || rx_count_i != count_q)
`endif

endmodule

// Receive side of a network interface (seed 002 fig. 2): receive control 7 and the paired receive
// buffers 5-0 and 5-1, of which one is filled from the link while the other is written to memory.

`include "weft_assert.svh"

module weft_recv_unit #(
  /// Flit width without parity, bits; a header must fit.
  parameter int unsigned DataW = 64,
  /// 1: a parity bit above the data and is checked.
  parameter bit          Parity = 1'b0,
  /// Most body flits of a packet, 1 to 255: capacity of one receive buffer.
  parameter int unsigned PacketFlits = 128,
  /// 1: the receive counters count all kept packets; 0: those with `eom`.
  parameter bit          ByPacket = 1'b0,
  /// Width of an address, bits: weft_pkg::AddrW to MaxAddrW.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  /// 1: the memory has `ready`.
  parameter bit          MemReady = 1'b0,
  /// Receive windows, 1 to 8; 1 without keys.
  parameter int unsigned Windows = 1,
  /// Width of the keys of windows, bits, 0 to 8: the top bits of a header's offset.
  parameter int unsigned KeyW = 0,
  /// Width of the ids of packets, bits: of an offset those below the key, the top one `ack`; 0:
  /// they have none.
  parameter int unsigned IdW = 0,
  /// Words of the link's FIFO, weft_pkg::RxDepth to 8.
  parameter int unsigned RxDepth = weft_pkg::RxDepth,
  // Derived.
  localparam int unsigned OffW  = weft_pkg::HdrLenLsb - 2 * AddrW,
  localparam int unsigned FlitW = DataW + (Parity ? 1 : 0),
  localparam int unsigned KeyPortW = KeyW > 0 ? KeyW : 1,
  localparam int unsigned IdPortW = IdW > 0 ? IdW - 1 : 1,
  localparam int unsigned CountsW = weft_pkg::NumRxCounts * weft_pkg::CountW
) (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// Own address: the destination of every packet that is kept.
  input  logic [AddrW-1:0]              node_i,
  /// What comes from the link begins anew; with what belongs to ids ignored or 0 where `IdW` is 0.
  input  logic                          restart_i,
  /// Link: Data-Valid.
  input  logic                          rx_valid_i,
  /// Link: Data-End.
  input  logic                          rx_last_i,
  /// Link: the word.
  input  logic [FlitW-1:0]              rx_data_i,
  /// Link: Buffer-Full.
  output logic                          rx_full_o,
  /// Credit link, in place of Buffer-Full: a word has left the `fifo`.
  output logic                          rx_credit_o,
  /// Receive windows, window 0 lowest: first word in local memory.
  input  logic [Windows*weft_pkg::MemAddrW-1:0] rx_base_i,
  /// Receive windows: size, flits.
  input  logic [Windows*weft_pkg::MemAddrW-1:0] rx_size_i,
  /// Receive windows: key; ignored where `KeyW` is 0.
  input  logic [Windows*KeyPortW-1:0]   rx_key_i,
  /// Memory: write.
  output logic                          mem_wen_o,
  /// Memory: address, flits; 0 without `mem_wen_o`.
  output logic [weft_pkg::MemAddrW-1:0] mem_waddr_o,
  /// Memory: the word; 0 without `mem_wen_o`.
  output logic [DataW-1:0]              mem_wdata_o,
  /// Memory: the write is accepted; ignored without `MemReady`.
  input  logic                          mem_wready_i,
  /// Memory: further words to be written to the following addresses; 0 without `MemReady`.
  output logic [weft_pkg::LenW-1:0]     mem_wleft_o,
  /// Memory: the bit weft_pkg::TagReduce of the packet's tag; 0 without `mem_wen_o`.
  output logic                          mem_reduce_o,
  /// Source of the packet that is judged in this cycle; 0 without one.
  output logic [AddrW-1:0]              ask_src_o,
  /// Its id, without `ack`.
  output logic [IdPortW-1:0]            ask_id_o,
  /// The packet that is judged has come before: it is not kept.
  input  logic                          repeated_i,
  /// A packet that was judged in the cycle before has passed all checks, new or repeated.
  output logic                          took_valid_o,
  /// Its source; 0 without one.
  output logic [AddrW-1:0]              took_src_o,
  /// Its id, without `ack`; 0 without one.
  output logic [IdPortW-1:0]            took_id_o,
  /// An acknowledgement was judged in the cycle before, and not dropped.
  output logic                          ack_valid_o,
  /// Its source; 0 without one.
  output logic [AddrW-1:0]              ack_src_o,
  /// The id that it acknowledges; 0 without one.
  output logic [IdPortW-1:0]            ack_id_o,
  /// Kept packets, without `ByPacket` those with `eom`, by the two low bits of their tag; counter 0
  /// lowest. Counted messages are complete only while `rx_parity_o` and `rx_refused_o` are 0
  /// (rtl/README.md, Receive counters).
  output logic [CountsW-1:0]            rx_count_o,
  /// The same, counted when the packet is checked, perhaps before it is in memory.
  output logic [CountsW-1:0]            rx_arrived_o,
  /// Packets dropped for a parity error.
  output logic [weft_pkg::CountW-1:0]   rx_parity_o,
  /// Packets dropped for a foreign destination, a wrong length, a key that no window has, or a
  /// body outside the window.
  output logic [weft_pkg::CountW-1:0]   rx_refused_o,
  /// Packets that had come before.
  output logic [weft_pkg::CountW-1:0]   rx_repeated_o
);

  `WEFT_PARAM(gen_check_data, DataW >= weft_pkg::HdrW)
  `WEFT_PARAM(gen_check_addr_w, AddrW >= weft_pkg::AddrW && AddrW <= weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_packet, PacketFlits >= 1 && PacketFlits <= 255)
  `WEFT_PARAM(gen_check_windows, Windows >= 1 && Windows <= 8 && (KeyW > 0 || Windows == 1))
  `WEFT_PARAM(gen_check_key_w, KeyW <= 8)
  `WEFT_PARAM(gen_check_rx_depth, RxDepth >= weft_pkg::RxDepth && RxDepth <= 8)
  `WEFT_PARAM(gen_check_id_w, IdW == 0 || (IdW >= 3 && KeyW + IdW < OffW))

  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned CountW   = weft_pkg::CountW;
  localparam int unsigned SelW     = $clog2(weft_pkg::NumRxCounts);
  localparam int unsigned IdxW     = PacketFlits > 1 ? $clog2(PacketFlits) : 1;
  localparam int unsigned SizeW    = LenW + 1;
  localparam int unsigned PlaceW   = OffW - KeyW - IdW;
  // An offset without key and id may have fewer bits than a length.
  localparam int unsigned EndW     = (PlaceW > LenW ? PlaceW : LenW) + 1;
  localparam int unsigned HeldW    = $clog2(RxDepth + 1);
  localparam logic [SizeW-1:0] MaxFlits = SizeW'(PacketFlits);

  // The two buffers, whose words are in `u_words`. Header fields and words need no reset: they are
  // read only after a write.
  logic [1:0]       held_q;         // a kept packet is in the buffer or being written
  logic [MemAddrW-1:0] body_addr_q [2]; // memory address of its body
  logic [LenW-1:0]  len_q [2];
  logic [SelW-1:0]  sel_q [2];      // receive counter: low bits of the tag
  logic             eom_q [2];
  logic             fill_q;         // buffer of the arriving packet
  logic             drain_q;        // buffer of the next packet to be written

  // The arriving packet.
  logic             body_q;         // its header has passed
  logic             bad_q;          // a word of it had a parity error
  logic             stray_q;        // its destination is another address
  logic [OffW-1:0]  off_q;          // its key, id and offset in the receive window
  logic [SizeW-1:0] flits_q;        // body flits that have passed; at most MaxFlits + 1

  logic                full_q, credit_q;
  logic [IdxW-1:0]     ridx_q;      // next word to be read from the buffer
  logic [CountsW-1:0]  count_q, arrived_q;
  logic [CountW-1:0]   parity_q, refused_q;

  // In the cycle after `restart_i` what belongs to the arriving packet is held in reset.
  logic link_rst_n;
  if (IdW > 0) begin : gen_restart
    logic restart_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) restart_q <= 1'b0;
      else restart_q <= restart_i;
    end
    assign link_rst_n = rst_ni && !restart_q;
  end else begin : gen_no_restart
    assign link_rst_n = rst_ni;
    logic unused_restart;
    assign unused_restart = restart_i;
  end

  // Words from the link.
  logic [FlitW:0]   head;
  logic [HeldW-1:0] count;
  logic [HeldW:0]   count_d;        // one bit more: of a full FIFO a word too many is lost
  logic             pop;
  assign pop     = count != '0 && !held_q[fill_q];
  assign count_d = {1'b0, count} + (HeldW + 1)'(rx_valid_i) - (HeldW + 1)'(pop);

  weft_fifo #(
    .DataW(FlitW + 1),
    .Depth(RxDepth)
  ) u_fifo (
    .clk_i,
    .rst_ni (link_rst_n),
    .push_i (rx_valid_i),
    .data_i ({rx_last_i, rx_data_i}),
    .pop_i  (pop),
    .data_o (head),
    .count_o(count)
  );

  // The packet is checked with its last word, and its memory address is computed in the same cycle,
  // so that base, size and key are those of one window.
  logic             head_last, word_bad, store, stray, judge, drop_parity, drop_refused, passes;
  logic             keep, eom, is_ack, repeated, misplaced;
  logic [OffW-1:0]  off;
  logic [LenW-1:0]  len;
  logic [SelW-1:0]  sel;
  logic [SizeW-1:0] flits_d;
  logic [PlaceW-1:0]   place;
  logic [EndW-1:0]     body_end;
  logic [Windows-1:0]  opens;      // has the packet's key
  logic [MemAddrW-1:0] base, size; // of the first window that has
  assign head_last = head[FlitW];
  assign word_bad  = Parity ? ^head : 1'b0;
  assign stray     = body_q ? stray_q : head[weft_pkg::HdrDstLsb +: AddrW] != node_i;
  assign off       = body_q ? off_q : head[weft_pkg::HdrDstLsb + 2*AddrW +: OffW];
  assign len       = body_q ? len_q[fill_q] : head[weft_pkg::HdrLenLsb +: LenW];
  assign sel       = body_q ? sel_q[fill_q] : head[weft_pkg::HdrTagLsb +: SelW];
  assign eom       = body_q ? eom_q[fill_q] : head[weft_pkg::HdrEomLsb];
  assign place    = off[PlaceW-1:0];
  assign body_end = EndW'(place) + EndW'(len);
  for (genvar w = 0; w < Windows; w++) begin : gen_window
    if (KeyW > 0) begin : gen_key
      assign opens[w] = off[OffW-1 -: KeyPortW] == rx_key_i[w*KeyPortW +: KeyPortW];
    end else begin : gen_any
      assign opens[w] = 1'b1;
      logic unused_key;
      assign unused_key = rx_key_i[w];
    end
  end
  always_comb begin
    base = '0;
    size = '0;
    for (int w = Windows - 1; w >= 0; w--) begin
      if (opens[w]) begin
        base = rx_base_i[w*MemAddrW +: MemAddrW];
        size = rx_size_i[w*MemAddrW +: MemAddrW];
      end
    end
  end
  always_comb begin
    flits_d = '0;
    if (body_q) flits_d = (flits_q > MaxFlits) ? flits_q : flits_q + 1'b1;
  end
  assign misplaced = opens == '0 || MemAddrW'(body_end) > size;
  // Words beyond the buffer are not stored; their packet is refused.
  assign store        = pop && body_q && flits_q < MaxFlits;
  assign judge        = pop && head_last;
  assign drop_parity  = judge && (word_bad || bad_q);
  assign drop_refused = judge && !drop_parity &&
                        (stray || flits_d != {1'b0, len} || flits_d > MaxFlits ||
                         (is_ack ? len != '0 : misplaced));
  assign passes       = judge && !drop_parity && !drop_refused;
  assign keep         = passes && !is_ack && !repeated;

  // Ids: the packet that is judged is looked up by source and id, and what passed is told on.
  if (IdW > 0) begin : gen_ids
    logic [AddrW-1:0]   src_q, src, took_src_q, ack_src_q;
    logic [IdPortW-1:0] id, took_id_q, ack_id_q;
    logic               took_valid_q, ack_valid_q;
    logic [CountW-1:0]  repeated_q;
    assign src       = body_q ? src_q : head[weft_pkg::HdrDstLsb + AddrW +: AddrW];
    assign {is_ack, id} = off[PlaceW +: IdW];
    assign repeated  = repeated_i;
    assign ask_src_o = judge ? src : '0;
    assign ask_id_o  = judge ? id : '0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        took_valid_q <= 1'b0;
        took_src_q   <= '0;
        took_id_q    <= '0;
        ack_valid_q  <= 1'b0;
        ack_src_q    <= '0;
        ack_id_q     <= '0;
        repeated_q   <= '0;
      end else begin
        took_valid_q <= passes && !is_ack;
        took_src_q   <= passes && !is_ack ? src : '0;
        took_id_q    <= passes && !is_ack ? id : '0;
        ack_valid_q  <= passes && is_ack;
        ack_src_q    <= passes && is_ack ? src : '0;
        ack_id_q     <= passes && is_ack ? id : '0;
        if (passes && !is_ack && repeated) repeated_q <= repeated_q + 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      if (pop && !body_q) src_q <= src;
    end
    assign took_valid_o  = took_valid_q;
    assign took_src_o    = took_src_q;
    assign took_id_o     = took_id_q;
    assign ack_valid_o   = ack_valid_q;
    assign ack_src_o     = ack_src_q;
    assign ack_id_o      = ack_id_q;
    assign rx_repeated_o = repeated_q;
    `WEFT_ASSERT(TookOrAcknowledged, !(took_valid_q && ack_valid_q))
  end else begin : gen_no_ids
    assign is_ack        = 1'b0;
    assign repeated      = 1'b0;
    assign ask_src_o     = '0;
    assign ask_id_o      = '0;
    assign took_valid_o  = 1'b0;
    assign took_src_o    = '0;
    assign took_id_o     = '0;
    assign ack_valid_o   = 1'b0;
    assign ack_src_o     = '0;
    assign ack_id_o      = '0;
    assign rx_repeated_o = '0;
    logic unused_repeated;
    assign unused_repeated = repeated_i;
  end

  // Full buffers are written to memory. A request of the dma is for the buffer other than
  // `drain_q`.
  logic            dma_start, dma_idle, dma_req, dma_last, pass_empty, done, done_buf;
  logic [LenW-1:0] drain_len, dma_left;
  logic            mem_ready;
  assign mem_ready  = !MemReady || mem_wready_i;
  assign drain_len  = len_q[drain_q];
  assign dma_start  = held_q[drain_q] && drain_len != '0 && dma_idle;
  assign pass_empty = held_q[drain_q] && drain_len == '0 && !dma_req;
  assign done       = (dma_last && mem_ready) || pass_empty;
  assign done_buf   = dma_req ? !drain_q : drain_q;

  weft_dma u_dma (
    .clk_i,
    .rst_ni,
    .start_i(dma_start),
    .addr_i (body_addr_q[drain_q]),
    .len_i  (drain_len),
    .ready_i(mem_ready),
    .idle_o (dma_idle),
    .req_o  (dma_req),
    .addr_o (mem_waddr_o),
    .last_o (dma_last),
    .left_o (dma_left)
  );

  // A word is read from the buffer one cycle before its address is at the memory port.
  logic             read;
  logic [IdxW:0]    read_idx;
  logic [DataW-1:0] word;
  assign read     = dma_start || (dma_req && !dma_last && mem_ready);
  assign read_idx = dma_start ? {drain_q, IdxW'(0)} : {!drain_q, ridx_q};

  weft_ram #(
    .DataW(DataW),
    .Depth(2 ** (IdxW + 1))
  ) u_words (
    .clk_i,
    .rst_ni,
    .wen_i  (store),
    .widx_i ({fill_q, flits_q[IdxW-1:0]}),
    .wdata_i(head[DataW-1:0]),
    .ren_i  (read),
    .ridx_i (read_idx),
    .rdata_o(word)
  );

  always_ff @(posedge clk_i or negedge link_rst_n) begin
    if (!link_rst_n) begin
      body_q    <= 1'b0;
      bad_q     <= 1'b0;
      stray_q   <= 1'b0;
      flits_q   <= '0;
      full_q    <= 1'b0;
      credit_q  <= 1'b0;
    end else begin
      full_q   <= count_d >= (HeldW + 1)'(RxDepth - 1);
      credit_q <= pop;
      if (pop) begin
        body_q  <= !head_last;
        bad_q   <= !head_last && (word_bad || bad_q);
        stray_q <= !head_last && stray;
        flits_q <= flits_d;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q    <= '0;
      fill_q    <= 1'b0;
      drain_q   <= 1'b0;
      ridx_q    <= '0;
      count_q   <= '0;
      arrived_q <= '0;
      parity_q  <= '0;
      refused_q <= '0;
    end else begin
      if (keep) begin
        held_q[fill_q] <= 1'b1;
        fill_q         <= !fill_q;
        if (ByPacket || eom) begin
          arrived_q[sel*CountW +: CountW] <= arrived_q[sel*CountW +: CountW] + 1'b1;
        end
      end
      if (drop_parity) parity_q <= parity_q + 1'b1;
      if (drop_refused) refused_q <= refused_q + 1'b1;

      if (dma_start) ridx_q <= IdxW'(1);
      else if (read) ridx_q <= ridx_q + 1'b1;
      if (dma_start || pass_empty) drain_q <= !drain_q;

      if (done) begin
        held_q[done_buf] <= 1'b0;
        if (ByPacket || eom_q[done_buf]) begin
          count_q[sel_q[done_buf]*CountW +: CountW] <=
              count_q[sel_q[done_buf]*CountW +: CountW] + 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop && !body_q) begin
      off_q         <= off;
      len_q[fill_q] <= len;
      sel_q[fill_q] <= sel;
      eom_q[fill_q] <= eom;
    end
    if (keep) body_addr_q[fill_q] <= base + MemAddrW'(place);
  end

  assign rx_full_o    = full_q;
  assign rx_credit_o  = credit_q;
  assign mem_wen_o    = dma_req;
  assign mem_wdata_o  = dma_req ? word : '0;
  assign mem_wleft_o  = MemReady ? dma_left : '0;
  assign mem_reduce_o = dma_req && sel_q[!drain_q][weft_pkg::TagReduce];
  assign rx_count_o   = count_q;
  assign rx_arrived_o = arrived_q;
  assign rx_parity_o  = parity_q;
  assign rx_refused_o = refused_q;

  `WEFT_ASSERT(NoLinkOverflow, !(rx_valid_i && count == HeldW'(RxDepth)))
  `WEFT_ASSERT(StoreInside, !store || (flits_q < MaxFlits && !held_q[fill_q]))
`ifdef WEFT_CHECKED
  // The windows with which the held packets were checked.
  logic [MemAddrW-1:0] base_q [2], size_q [2], in_window;
  always_ff @(posedge clk_i) begin
    if (keep) begin
      base_q[fill_q] <= base;
      size_q[fill_q] <= size;
    end
  end
  assign in_window = mem_waddr_o - base_q[!drain_q];
  `WEFT_ASSERT(WriteInsideWindow, !dma_req || in_window < size_q[!drain_q])
`endif
  `WEFT_ASSERT(WriteOnlyHeld, !dma_req || held_q[!drain_q])
  `WEFT_ASSERT(FillOnlyFree, !keep || !held_q[fill_q])
  `WEFT_ASSERT(FaultsOfThisPacketOnly, body_q || !(bad_q || stray_q))

endmodule

// Proof of the receive side; the only assumption is that the sender obeys Buffer-Full, or counts
// credits. The link's FIFO does not overflow, every word returns one credit; exactly the good
// packets are kept, all others counted by cause; and a chosen body word (`track_i` is free) of a
// kept packet is written once, to the window's base + the header's offset + its index in the
// packet, with the window of the cycle of the check: the first with its key. With `MemReady` the
// memory accepts a write when it likes, and a write stays until then. With ids each acknowledgement
// and each packet that is kept or repeated is told with its source and id, and after a restart the
// link is as after a reset. Values of the package are small here.

`include "weft_assert.svh"

module recv_unit_props #(
  parameter int unsigned DataW = 12,
  parameter bit          Parity = 1'b0,
  parameter int unsigned PacketFlits = 2,
  parameter bit          Credit = 1'b0,
  parameter bit          ByPacket = 1'b0,
  parameter bit          MemReady = 1'b0,
  parameter int unsigned Windows = 1,
  parameter int unsigned KeyW = 0,
  parameter int unsigned IdW = 0,
  localparam int unsigned FlitW = DataW + (Parity ? 1 : 0),
  localparam int unsigned KeyPortW = KeyW > 0 ? KeyW : 1,
  localparam int unsigned IdPortW = IdW > 0 ? IdW - 1 : 1
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic [weft_pkg::AddrW-1:0]    node_i,
  input logic                          rx_valid_i,
  input logic                          rx_last_i,
  input logic [FlitW-1:0]              rx_data_i,
  input logic [Windows*weft_pkg::MemAddrW-1:0] rx_base_i,
  input logic [Windows*weft_pkg::MemAddrW-1:0] rx_size_i,
  input logic [Windows*KeyPortW-1:0]   rx_key_i,
  input logic                          mem_wready_i,
  input logic                          restart_i,
  input logic                          repeated_i,
  input logic                          track_i
);

  localparam int unsigned AddrW    = weft_pkg::AddrW;
  localparam int unsigned CountW   = weft_pkg::CountW;
  localparam int unsigned CountsW  = weft_pkg::NumRxCounts * CountW;
  localparam int unsigned SelW     = $clog2(weft_pkg::NumRxCounts);
  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned OffW     = weft_pkg::OffW;
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned IdxW     = PacketFlits > 1 ? $clog2(PacketFlits) : 1;

  logic                full, credit, wen, reduce;
  logic [MemAddrW-1:0] waddr;
  logic [DataW-1:0]    wdata;
  logic [LenW-1:0]     wleft;
  logic [CountW-1:0]   parity, refused, repeats;
  logic [CountsW-1:0]  arrived, counted;
  logic                took_valid, ack_valid;
  logic [AddrW-1:0]    ask_src, took_src, ack_src;
  logic [IdPortW-1:0]  ask_id, took_id, ack_id;

  weft_recv_unit #(
    .DataW      (DataW),
    .Parity     (Parity),
    .PacketFlits(PacketFlits),
    .ByPacket   (ByPacket),
    .MemReady   (MemReady),
    .Windows    (Windows),
    .KeyW       (KeyW),
    .IdW        (IdW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .node_i,
    .restart_i,
    .rx_valid_i,
    .rx_last_i,
    .rx_data_i,
    .rx_full_o   (full),
    .rx_credit_o (credit),
    .rx_base_i,
    .rx_size_i,
    .rx_key_i,
    .mem_wen_o   (wen),
    .mem_waddr_o (waddr),
    .mem_wdata_o (wdata),
    .mem_wready_i,
    .mem_wleft_o (wleft),
    .mem_reduce_o(reduce),
    .ask_src_o   (ask_src),
    .ask_id_o    (ask_id),
    .repeated_i,
    .took_valid_o(took_valid),
    .took_src_o  (took_src),
    .took_id_o   (took_id),
    .ack_valid_o (ack_valid),
    .ack_src_o   (ack_src),
    .ack_id_o    (ack_id),
    .rx_count_o  (counted),
    .rx_arrived_o(arrived),
    .rx_parity_o (parity),
    .rx_refused_o(refused),
    .rx_repeated_o(repeats)
  );

  // Wires and registers inside.
  (* hierconn *) wire [2:0] \u_dut.count ;
  (* hierconn *) wire [FlitW:0] \u_dut.head ;
  (* hierconn *) wire \u_dut.pop ;
  (* hierconn *) wire \u_dut.store ;
  (* hierconn *) wire \u_dut.keep ;
  (* hierconn *) wire \u_dut.judge ;
  (* hierconn *) wire \u_dut.body_q ;
  (* hierconn *) wire [LenW:0] \u_dut.flits_q ;
  (* hierconn *) wire [1:0] \u_dut.held_q ;
  (* hierconn *) wire \u_dut.fill_q ;
  (* hierconn *) wire \u_dut.drain_q ;
  (* hierconn *) wire [IdxW-1:0] \u_dut.ridx_q ;
  (* hierconn *) wire [LenW-1:0] \u_dut.u_dma.left_q ;
  (* hierconn *) wire [LenW-1:0] \u_dut.len_q[0] ;
  (* hierconn *) wire [LenW-1:0] \u_dut.len_q[1] ;
  (* hierconn *) wire [OffW-1:0] \u_dut.off_q ;
  (* hierconn *) wire [MemAddrW-1:0] \u_dut.body_addr_q[0] ;
  (* hierconn *) wire [MemAddrW-1:0] \u_dut.body_addr_q[1] ;
  (* hierconn *) wire [MemAddrW-1:0] \u_dut.base_q[0] ;
  (* hierconn *) wire [MemAddrW-1:0] \u_dut.base_q[1] ;
  (* hierconn *) wire [MemAddrW-1:0] \u_dut.size_q[0] ;
  (* hierconn *) wire [MemAddrW-1:0] \u_dut.size_q[1] ;
  (* hierconn *) wire [SelW-1:0] \u_dut.sel_q[0] ;
  (* hierconn *) wire [SelW-1:0] \u_dut.sel_q[1] ;
  (* hierconn *) wire \u_dut.eom_q[0] ;
  (* hierconn *) wire \u_dut.eom_q[1] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[0] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[1] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[2] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[3] ;

  // Environment. What is on the link in the cycle after a restart is lost.
  logic restart, restart_q;
  assign restart = restart_i && IdW > 0;
  logic                full_q;
  logic [2:0]          credits_q;  // of the sender on a credit link
  `WEFT_ASSUME(SenderObeysFull, Credit || restart_q || !(rx_valid_i && full_q))
  `WEFT_ASSUME(SenderCounts, !Credit || restart_q || !rx_valid_i || credits_q != '0)

  // Header and words of the arriving packet, by the link's words alone.
  logic [OffW-1:0] off_q;
  logic [SelW-1:0] chosen_sel_q;
  logic [LenW-1:0] len_q;
  logic [LenW+1:0] words_q;
  // Its faults so far, and the check with its last word.
  logic              spoilt_q, stray_q, spoilt, stray, good;
  logic              took_q, ack_q;  // What was told of the packet before, with source and id.
  logic [AddrW-1:0]  told_src_q;
  logic [IdPortW-1:0] told_id_q;
  logic [CountW-1:0] repeats_q;
  logic [SelW-1:0]   sel_q, sel;
  logic              eom_q, eom;
  logic [31:0]       offset, length;
  logic [CountW-1:0] parity_q, refused_q;
  logic [CountsW-1:0] arrived_q;
  assign sel    = words_q == '0 ? \u_dut.head [weft_pkg::HdrTagLsb +: SelW] : sel_q;
  assign eom    = words_q == '0 ? \u_dut.head [weft_pkg::HdrEomLsb] : eom_q;
  assign spoilt = Parity && (^\u_dut.head || (words_q != '0 && spoilt_q));
  assign stray  = words_q == '0 ? \u_dut.head [weft_pkg::HdrDstLsb +: AddrW] != node_i : stray_q;
  assign offset  = 32'(words_q == '0 ? \u_dut.head [weft_pkg::HdrDstLsb + 2*AddrW +: OffW] : off_q);
  assign length = 32'(words_q == '0 ? \u_dut.head [weft_pkg::HdrLenLsb +: LenW] : len_q);
  // Its window, and the offset there.
  logic                known;
  logic [31:0]         place;
  logic [MemAddrW-1:0] base, size;
  assign good   = !spoilt && !stray && length == 32'(words_q) && length <= PacketFlits &&
                  (is_ack ? length == 0 : known && place + length <= 32'(size));
  assign place = offset % (1 << (OffW - KeyW - IdW));
  // Its source and id, and whether it is an acknowledgement or a packet that has come before.
  logic               is_ack, passes;
  logic [AddrW-1:0]   src_q, src;
  logic [IdPortW-1:0] id;
  assign is_ack = IdW > 0 && offset[OffW-KeyW-1];
  assign src    = words_q == '0 ? \u_dut.head [weft_pkg::HdrDstLsb + AddrW +: AddrW] : src_q;
  assign id     = IdW > 0 ? IdPortW'(offset >> (OffW - KeyW - IdW)) : '0;
  assign passes = \u_dut.pop && \u_dut.head [FlitW] && good;
  always_comb begin
    known = 1'b0;
    base  = '0;
    size  = '0;
    for (int unsigned w = 0; w < Windows; w++) begin
      if (!known && (KeyW == 0 ||
                     32'(rx_key_i[w*KeyPortW +: KeyPortW]) == offset >> (OffW - KeyW))) begin
        known = 1'b1;
        base  = rx_base_i[w*MemAddrW +: MemAddrW];
        size  = rx_size_i[w*MemAddrW +: MemAddrW];
      end
    end
  end
  // The chosen word: its buffer, its index in the packet, whether and where its packet was kept.
  logic             tracking_q, kept_q, written_q, buf_q;
  logic [LenW-1:0]  word_idx_q, idx, chosen_len;
  logic [MemAddrW-1:0] chosen_addr_q;
  logic [DataW-1:0] word_q, stored;
  logic             writing, now, accepted;
  assign accepted   = wen && (mem_wready_i || !MemReady);
  assign chosen_len = buf_q ? \u_dut.len_q[1] : \u_dut.len_q[0] ;
  assign writing    = wen && buf_q == !\u_dut.drain_q ;
  assign idx        = chosen_len - 1'b1 - \u_dut.u_dma.left_q ;
  assign now        = tracking_q && kept_q && writing && idx == word_idx_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q       <= 1'b0;
      restart_q    <= 1'b0;
      src_q        <= '0;
      took_q       <= 1'b0;
      ack_q        <= 1'b0;
      told_src_q   <= '0;
      told_id_q    <= '0;
      repeats_q    <= '0;
      spoilt_q     <= 1'b0;
      stray_q      <= 1'b0;
      parity_q     <= '0;
      refused_q    <= '0;
      arrived_q    <= '0;
      credits_q     <= 3'd4;
      sel_q        <= '0;
      eom_q        <= 1'b0;
      off_q        <= '0;
      len_q        <= '0;
      words_q      <= '0;
      tracking_q   <= 1'b0;
      kept_q       <= 1'b0;
      written_q    <= 1'b0;
      buf_q        <= 1'b0;
      word_idx_q      <= '0;
      word_q       <= '0;
      chosen_addr_q <= '0;
      chosen_sel_q <= '0;
    end else begin
      full_q     <= full;
      restart_q  <= restart;
      took_q     <= IdW > 0 && passes && !is_ack;
      ack_q      <= passes && is_ack;
      told_src_q <= src;
      told_id_q  <= id;
      if (IdW > 0 && passes && !is_ack && repeated_i) repeats_q <= repeats_q + 1'b1;
      if (Credit) credits_q <= restart_q ? 3'd4 : credits_q + 3'(credit) - 3'(rx_valid_i);
      if (\u_dut.pop ) begin
        spoilt_q <= spoilt;
        stray_q  <= stray;
        if (\u_dut.head [FlitW]) begin
          if (spoilt) parity_q <= parity_q + 1'b1;
          else if (!good) refused_q <= refused_q + 1'b1;
          else if ((ByPacket || eom) && !(IdW > 0 && (is_ack || repeated_i))) begin
            arrived_q[sel*CountW +: CountW] <= arrived_q[sel*CountW +: CountW] + 1'b1;
          end
        end
        sel_q <= sel;
        eom_q <= eom;
        if (words_q == '0) begin
          off_q <= \u_dut.head [weft_pkg::HdrDstLsb + 2*AddrW +: OffW];
          len_q <= \u_dut.head [weft_pkg::HdrLenLsb +: LenW];
          src_q <= src;
        end
        if (\u_dut.head [FlitW]) words_q <= '0;
        else if (words_q <= PacketFlits + 1) words_q <= words_q + 1'b1;
      end
      if (restart) words_q <= '0;
      if (!tracking_q) begin
        // Kept at once if it is the packet's last word.
        if (\u_dut.store && track_i && (\u_dut.keep || (!\u_dut.judge && !restart))) begin
          tracking_q   <= 1'b1;
          kept_q       <= \u_dut.keep ;
          written_q    <= 1'b0;
          buf_q        <= \u_dut.fill_q ;
          word_idx_q      <= LenW'(words_q - 1'b1);
          word_q       <= \u_dut.head [DataW-1:0];
          chosen_addr_q <= base + MemAddrW'(place);
          chosen_sel_q <= sel_q;
        end
      end else if (!kept_q) begin
        if (\u_dut.judge || restart) tracking_q <= \u_dut.keep ;
        if (\u_dut.keep ) begin
          kept_q <= 1'b1;
          chosen_addr_q <= base + MemAddrW'(place);
        end
      end else begin
        if (now && accepted) written_q <= 1'b1;
        if (writing && accepted && \u_dut.u_dma.left_q == '0) tracking_q <= 1'b0;
      end
    end
  end

  `WEFT_ASSERT(WrittenInItsPlace, !now ||
      (waddr == MemAddrW'(chosen_addr_q + MemAddrW'(word_idx_q)) &&
      wdata == word_q && !written_q && reduce == chosen_sel_q[weft_pkg::TagReduce]))
  // The write that was not accepted. What counts did so when it was.
  logic                write_held_q;
  logic [MemAddrW-1:0] write_addr_q;
  logic [DataW-1:0]    write_data_q;
  logic [LenW-1:0]     write_left_q;
  logic [CountsW-1:0]  counted_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_held_q <= 1'b0;
      write_addr_q <= '0;
      write_data_q <= '0;
      write_left_q <= '0;
      counted_q    <= '0;
    end else begin
      write_held_q <= wen && !accepted;
      write_addr_q <= waddr;
      write_data_q <= wdata;
      write_left_q <= wleft;
      counted_q    <= counted;
    end
  end
  `WEFT_ASSERT(WriteStays, !write_held_q || (wen && waddr == write_addr_q &&
      wdata == write_data_q && wleft == write_left_q))
  `WEFT_ASSERT(NotCountedBefore, !write_held_q || counted == counted_q)
  `WEFT_ASSERT(LeftOfPacket, wleft == (wen && MemReady ? \u_dut.u_dma.left_q : '0))
  `WEFT_ASSERT(ReducesWhatIsWritten, wen || !reduce)
  `WEFT_ASSERT(NotForgotten, !(tracking_q && kept_q && writing && \u_dut.u_dma.left_q == '0) ||
      written_q || now)
  `WEFT_ASSERT(KeptIsWaiting, !(tracking_q && kept_q) || \u_dut.held_q [buf_q])
  `WEFT_ASSERT(GoodIsKept, \u_dut.keep == (passes && !is_ack && !(repeated_i && IdW > 0)))
  `WEFT_ASSERT(Asks, ask_src == (\u_dut.judge && IdW > 0 ? src : '0) &&
      ask_id == (\u_dut.judge ? id : '0))
  `WEFT_ASSERT(Tells, took_valid == took_q && took_src == (took_q ? told_src_q : '0) &&
      took_id == (took_q ? told_id_q : '0) && ack_valid == ack_q &&
      ack_src == (ack_q ? told_src_q : '0) && ack_id == (ack_q ? told_id_q : '0))
  `WEFT_ASSERT(RepeatsCounted, repeats == repeats_q)
  `WEFT_ASSERT(BeginsAnew, !restart_q || (!full && !credit && \u_dut.count == '0 &&
      !\u_dut.body_q ))
  `WEFT_ASSERT(DropsCounted, parity == parity_q && refused == refused_q)
  `WEFT_ASSERT(ArrivalsCounted, arrived == arrived_q)
  `WEFT_ASSERT(EveryWordReturnsCredit, !Credit || restart_q || 32'(credits_q) + 32'(credit) +
      32'(\u_dut.count ) == 4)

  // Invariants that close the induction.
  logic [1:0] pending;
  logic       fill, drain;
  assign fill  = \u_dut.fill_q ;
  assign drain = \u_dut.drain_q ;
  assign pending = \u_dut.held_q & ~(wen ? (drain ? 2'b01 : 2'b10) : 2'b00);
  always_comb begin
    case ({buf_q, word_idx_q[IdxW-1:0]})
      0: stored = \u_dut.u_words.mem_q[0] ;
      1: stored = \u_dut.u_words.mem_q[1] ;
      2: stored = \u_dut.u_words.mem_q[2] ;
      default: stored = \u_dut.u_words.mem_q[3] ;
    endcase
  end
  logic [LenW-1:0] write_len, fill_len;
  logic [MemAddrW-1:0] write_addr, chosen_buf_addr;
  assign write_len = drain ? \u_dut.len_q[0] : \u_dut.len_q[1] ;
  assign write_addr = drain ? \u_dut.body_addr_q[0] : \u_dut.body_addr_q[1] ;
  assign fill_len  = fill ? \u_dut.len_q[1] : \u_dut.len_q[0] ;
  logic [SelW-1:0] chosen_buf_sel;
  assign chosen_buf_sel = buf_q ? \u_dut.sel_q[1] : \u_dut.sel_q[0] ;
  assign chosen_buf_addr = buf_q ? \u_dut.body_addr_q[1] : \u_dut.body_addr_q[0] ;
  `WEFT_ASSERT(Room, \u_dut.count <= 4 && (Credit || \u_dut.count < 4 || full_q) &&
      full == (\u_dut.count >= 3))
  `WEFT_ASSERT(InTurn, fill == (drain ^ ^pending) && (pending == '0 || pending[drain]))
  `WEFT_ASSERT(WritingHeld, !wen || \u_dut.held_q [!drain])
  `WEFT_ASSERT(LengthsFit, (!\u_dut.held_q [0] || 32'(\u_dut.len_q[0] ) <= PacketFlits) &&
      (!\u_dut.held_q [1] || 32'(\u_dut.len_q[1] ) <= PacketFlits))
  `WEFT_ASSERT(LeftInside, !wen || \u_dut.u_dma.left_q < write_len)
  `WEFT_ASSERT(AddressAgrees, !wen || waddr == MemAddrW'(write_addr +
      MemAddrW'(write_len - 1'b1 - \u_dut.u_dma.left_q )))
  `WEFT_ASSERT(NextRead, !wen || \u_dut.u_dma.left_q == '0 ||
      \u_dut.ridx_q == IdxW'(write_len - \u_dut.u_dma.left_q ))
  `WEFT_ASSERT(SameWords, \u_dut.body_q == (words_q != '0) && (words_q == '0 ||
      32'(\u_dut.flits_q ) == 32'(words_q) - 1))
  (* hierconn *) wire [AddrW-1:0] \u_dut.gen_ids.src_q ;
  (* hierconn *) wire \u_dut.gen_restart.restart_q ;
  `WEFT_ASSERT(SameSource, IdW == 0 || words_q == '0 || (\u_dut.gen_ids.src_q == src_q))
  `WEFT_ASSERT(SameRestart, IdW == 0 || (\u_dut.gen_restart.restart_q == restart_q))
  (* hierconn *) wire \u_dut.bad_q ;
  (* hierconn *) wire \u_dut.stray_q ;
  `WEFT_ASSERT(SameFaults, words_q == '0 || (\u_dut.bad_q == spoilt_q &&
      \u_dut.stray_q == stray_q))
  `WEFT_ASSERT(SameHeader, words_q == '0 || (fill_len == len_q && \u_dut.off_q == off_q &&
      (fill ? \u_dut.sel_q[1] : \u_dut.sel_q[0] ) == sel_q &&
      (ByPacket || (fill ? \u_dut.eom_q[1] : \u_dut.eom_q[0] ) == eom_q) &&
      !\u_dut.held_q [fill]))
  `WEFT_ASSERT(ChosenStored, !tracking_q || (stored == word_q && 32'(word_idx_q) < PacketFlits &&
      (!kept_q || chosen_buf_addr == chosen_addr_q) && chosen_buf_sel == chosen_sel_q))
  // Packets that have arrived and are not counted yet are held.
  logic [1:0] counts;  // when it is written
  assign counts = {\u_dut.held_q [1] && (ByPacket || \u_dut.eom_q[1] ),
                   \u_dut.held_q [0] && (ByPacket || \u_dut.eom_q[0] )};
  logic [SelW-1:0] sel_0, sel_1;
  assign sel_0 = \u_dut.sel_q[0] ;
  assign sel_1 = \u_dut.sel_q[1] ;
  for (genvar t = 0; t < weft_pkg::NumRxCounts; t++) begin : gen_count
    `WEFT_ASSERT(CountedWhenWritten, CountW'(arrived[t*CountW +: CountW] -
        counted[t*CountW +: CountW]) == CountW'(counts[0] && sel_0 == SelW'(t)) +
        CountW'(counts[1] && sel_1 == SelW'(t)))
  end
  // A held packet is inside the window with which it was checked.
  logic [MemAddrW-1:0] inside_0, inside_1;
  assign inside_0 = \u_dut.body_addr_q[0] - \u_dut.base_q[0] ;
  assign inside_1 = \u_dut.body_addr_q[1] - \u_dut.base_q[1] ;
  `WEFT_ASSERT(HeldInside,
      (!\u_dut.held_q [0] || 32'(inside_0) + 32'(\u_dut.len_q[0] ) <= 32'(\u_dut.size_q[0] )) &&
      (!\u_dut.held_q [1] || 32'(inside_1) + 32'(\u_dut.len_q[1] ) <= 32'(\u_dut.size_q[1] )))
  `WEFT_ASSERT(ChosenArrives, !(tracking_q && !kept_q) || (buf_q == fill &&
      32'(word_idx_q) + 1 < 32'(words_q)))
  `WEFT_ASSERT(ChosenKept, !(tracking_q && kept_q) || word_idx_q < chosen_len)
  `WEFT_ASSERT(WrittenBefore, !(tracking_q && kept_q) || written_q == (writing && idx > word_idx_q))
  `WEFT_ASSERT(NotWrittenYet, !tracking_q || kept_q || !written_q)

endmodule

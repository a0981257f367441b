// Proof of the send controller: every header is that of the message, packets are complete (as many
// body flits as the header says, `last` with the final one), an offered flit stays as it is until
// taken, words are read from the message's consecutive addresses, and a chosen word (`track_i` is
// free) is sent as read from memory, in its position. With `MemReady` the memory accepts a read
// when it likes, a read stays until then, and a packet is offered when it was read as a whole.
// Values of the package are small here.

`include "weft_assert.svh"

module send_unit_props #(
  parameter int unsigned DataW = 12,
  parameter bit          Parity = 1'b0,
  parameter int unsigned PacketFlits = 2,
  parameter bit          Timed = 1'b0,
  parameter bit          MemReady = 1'b0,
  localparam int unsigned FlitW = DataW + (Parity ? 1 : 0)
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic [weft_pkg::AddrW-1:0]    node_i,
  input logic                          desc_valid_i,
  input logic [weft_pkg::AddrW-1:0]    desc_dst_i,
  input logic [weft_pkg::MemAddrW-1:0] desc_addr_i,
  input logic [weft_pkg::MsgLenW-1:0]  desc_len_i,
  input logic [weft_pkg::OffW-1:0]     desc_off_i,
  input logic [weft_pkg::TagW-1:0]     desc_tag_i,
  input logic [weft_pkg::GapW-1:0]     desc_gap_i,
  input logic                          desc_more_i,
  input logic                          desc_timed_i,
  input logic [weft_pkg::StartW-1:0]   desc_start_i,
  input logic                          mem_rready_i,
  input logic [DataW-1:0]              mem_rdata_i,
  input logic                          ready_i,
  input logic                          track_i
);

  localparam int unsigned AddrW    = weft_pkg::AddrW;
  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned HdrW     = weft_pkg::HdrW;
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned MsgLenW  = weft_pkg::MsgLenW;
  localparam int unsigned OffW     = weft_pkg::OffW;
  localparam int unsigned TagW     = weft_pkg::TagW;
  localparam int unsigned StartW   = weft_pkg::StartW;
  localparam int unsigned IdxW = PacketFlits > 1 ? $clog2(PacketFlits) : 1;

  logic                valid, last, desc_ready, empty, ren;
  logic [FlitW-1:0]    data;
  logic [MemAddrW-1:0] raddr;
  logic [LenW-1:0]     rleft;

  weft_send_unit #(
    .DataW      (DataW),
    .Parity     (Parity),
    .PacketFlits(PacketFlits),
    .Timed      (Timed),
    .MemReady   (MemReady)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .node_i,
    .desc_valid_i,
    .desc_dst_i,
    .desc_addr_i,
    .desc_len_i,
    .desc_off_i,
    .desc_tag_i,
    .desc_gap_i,
    .desc_more_i,
    .desc_timed_i,
    .desc_start_i,
    .desc_ready_o(desc_ready),
    .empty_o     (empty),
    .mem_ren_o   (ren),
    .mem_raddr_o (raddr),
    .mem_rready_i,
    .mem_rleft_o (rleft),
    .mem_rdata_i,
    .valid_o     (valid),
    .last_o      (last),
    .data_o      (data),
    .ready_i,
    .sent_o      ()
  );

  // The packet that is being sent: flits taken of it, length in its header. The flit that was not
  // taken.
  logic [LenW:0]    taken_q;
  logic [LenW-1:0]  len_q, len;
  logic             held_q, held_last_q;
  logic [FlitW-1:0] held_data_q;
  assign len = taken_q == '0 ? data[weft_pkg::HdrLenLsb +: LenW] : len_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q     <= '0;
      len_q       <= '0;
      held_q      <= 1'b0;
      held_last_q <= 1'b0;
      held_data_q <= '0;
    end else begin
      held_q      <= valid && !ready_i;
      held_last_q <= last;
      held_data_q <= data;
      if (valid && ready_i) begin
        taken_q <= last ? '0 : taken_q + 1'b1;
        len_q   <= len;
      end
    end
  end

  `WEFT_ASSERT(LastWhereTheHeaderSays, !valid || last == (taken_q == {1'b0, len}))
  `WEFT_ASSERT(PacketNotTooLong, !valid || 32'(len) <= PacketFlits)
  `WEFT_ASSERT(OfferedFlitStays, !held_q || (valid && last == held_last_q && data == held_data_q))
  `WEFT_ASSERT(NoPauseInPacket, taken_q == '0 || valid)
  `WEFT_ASSERT(ParityEven, !Parity || !valid || (^data ^ last) == 1'b0)

  // Invariants that close the induction.
  (* hierconn *) wire [1:0] \u_dut.taken_q ;
  (* hierconn *) wire [1:0] \u_dut.open_q ;
  (* hierconn *) wire \u_dut.fill_q ;
  (* hierconn *) wire \u_dut.send_q ;
  (* hierconn *) wire \u_dut.req_buf_q ;
  (* hierconn *) wire \u_dut.rsp_q ;
  (* hierconn *) wire \u_dut.rsp_last_q ;
  (* hierconn *) wire \u_dut.rsp_buf_q ;
  (* hierconn *) wire [IdxW-1:0] \u_dut.rsp_idx_q ;
  (* hierconn *) wire [LenW-1:0] \u_dut.pos_q ;
  (* hierconn *) wire [HdrW-1:0] \u_dut.hdr_q[0] ;
  (* hierconn *) wire [HdrW-1:0] \u_dut.hdr_q[1] ;
  (* hierconn *) wire \u_dut.u_dma.req_q ;
  (* hierconn *) wire \u_dut.u_dma.last_q ;
  (* hierconn *) wire [LenW-1:0] \u_dut.u_dma.left_q ;
  (* hierconn *) wire \u_dut.pacer_ready ;

  logic [1:0] taken, open;
  logic       send, req, req_buf, rsp, rsp_last, rsp_buf;
  assign taken    = \u_dut.taken_q ;
  assign open     = \u_dut.open_q ;
  assign send     = \u_dut.send_q ;
  assign req      = \u_dut.u_dma.req_q ;
  assign req_buf  = \u_dut.req_buf_q ;
  assign rsp      = \u_dut.rsp_q ;
  assign rsp_last = \u_dut.rsp_last_q ;
  assign rsp_buf  = \u_dut.rsp_buf_q ;

  // Lengths by the headers; indices of the words requested and arriving now.
  logic [LenW-1:0] len_0, len_1;
  logic [31:0]     req_len, rsp_len, send_len, req_idx, rsp_idx;
  assign len_0    = \u_dut.hdr_q[0] [weft_pkg::HdrLenLsb +: LenW];
  assign len_1    = \u_dut.hdr_q[1] [weft_pkg::HdrLenLsb +: LenW];
  assign req_len  = 32'(req_buf ? len_1 : len_0);
  assign rsp_len  = 32'(rsp_buf ? len_1 : len_0);
  assign send_len = 32'(send ? len_1 : len_0);
  assign req_idx  = req_len - 32'd1 - 32'(\u_dut.u_dma.left_q );
  assign rsp_idx  = 32'(\u_dut.rsp_idx_q );

  `WEFT_ASSERT(InTurn, \u_dut.fill_q == (send ^ ^taken) && (taken == '0 || taken[send]))
  `WEFT_ASSERT(OpenOnlyTaken, (open & ~taken) == '0)
  `WEFT_ASSERT(LengthsFit, (!taken[0] || 32'(len_0) <= PacketFlits) && (!taken[1] ||
      32'(len_1) <= PacketFlits))
  `WEFT_ASSERT(EmptyIsOpen, (!taken[0] || len_0 != '0 || open[0]) && (!taken[1] || len_1 != '0 ||
      open[1]))
  `WEFT_ASSERT(RequestTaken, !req || (taken[req_buf] && req_len != 0 && req_idx < req_len))
  `WEFT_ASSERT(ResponseTaken, !rsp || (taken[rsp_buf] && rsp_idx < rsp_len))
  `WEFT_ASSERT(ResponseLast, !rsp || rsp_last == (rsp_idx + 1 == rsp_len))
  `WEFT_ASSERT(ResponseGoesOn, !rsp || rsp_last || (req && req_buf == rsp_buf &&
      req_idx == rsp_idx + 1))
  // With `MemReady` the words may come with pauses.
  `WEFT_ASSERT(RequestBegins, !req || (rsp && !rsp_last) || (!open[req_buf] &&
      req_idx == (MemReady && !rsp ? rsp_idx : 0)))
  `WEFT_ASSERT(OtherBuffer, !req || !rsp || !rsp_last || req_buf != rsp_buf)
  `WEFT_ASSERT(IndexRests, rsp || rsp_idx == (MemReady && req ? req_idx : 0))
  `WEFT_ASSERT(FirstOpens, !rsp || open[rsp_buf] == (rsp_idx != 0 && !MemReady))
  `WEFT_ASSERT(LastOpens, !MemReady || !valid || ((!req || req_buf != send) &&
      (!rsp || rsp_buf != send)))
  `WEFT_ASSERT(PositionInside, 32'(\u_dut.pos_q ) <= send_len || !taken[send])
  `WEFT_ASSERT(PositionOpen, \u_dut.pos_q == '0 || (open[send] && \u_dut.pacer_ready ))
  `WEFT_ASSERT(PositionBehind, !(open[send] && rsp && rsp_buf == send) ||
      32'(\u_dut.pos_q ) < rsp_idx)
  `WEFT_ASSERT(SameCount, {1'b0, \u_dut.pos_q } == taken_q && (taken_q == '0 ||
      32'(len_q) == send_len))

  // The read that was not accepted.
  logic                accepted, read_held_q;
  logic [MemAddrW-1:0] read_addr_q;
  logic [LenW-1:0]     read_left_q;
  assign accepted = ren && (mem_rready_i || !MemReady);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_held_q <= 1'b0;
      read_addr_q <= '0;
      read_left_q <= '0;
    end else begin
      read_held_q <= ren && !accepted;
      read_addr_q <= raddr;
      read_left_q <= rleft;
    end
  end
  `WEFT_ASSERT(ReadStays, !read_held_q || (ren && raddr == read_addr_q && rleft == read_left_q))
  `WEFT_ASSERT(LeftOfPacket, 32'(rleft) == (ren && MemReady ? req_len - 1 - req_idx : 0))

  // The message that is being cut, by its descriptor alone, and its next packet.
  (* hierconn *) wire \u_dut.cut ;
  (* hierconn *) wire \u_dut.msg_q ;
  (* hierconn *) wire \u_dut.no_body_q ;
  (* hierconn *) wire [AddrW-1:0] \u_dut.dst_q ;
  (* hierconn *) wire [MemAddrW-1:0] \u_dut.addr_q ;
  (* hierconn *) wire [MsgLenW-1:0] \u_dut.left_q ;
  (* hierconn *) wire [OffW-1:0] \u_dut.off_q ;
  (* hierconn *) wire [TagW-1:0] \u_dut.tag_q ;
  (* hierconn *) wire \u_dut.more_q ;
  logic                msg_q, msg_more_q, final_cut;
  logic [AddrW-1:0]    msg_dst_q;
  logic [MemAddrW-1:0] msg_addr_q;
  logic [MsgLenW-1:0]  msg_len_q, msg_done_q, msg_left;
  logic [OffW-1:0]     msg_off_q;
  logic [TagW-1:0]     msg_tag_q;
  logic [LenW-1:0]     cut_len;
  // Wanted header and first address of the packets in the two buffers.
  logic [HdrW-1:0]     hdr_0_q, hdr_1_q, hdr_d;
  logic [MemAddrW-1:0] addr_0_q, addr_1_q, addr_d;
  assign msg_left  = msg_len_q - msg_done_q;
  assign final_cut = 32'(msg_left) <= PacketFlits;
  assign cut_len   = final_cut ? LenW'(msg_left) : LenW'(PacketFlits);
  assign addr_d    = msg_addr_q + MemAddrW'(msg_done_q);
  assign hdr_d     = {final_cut && !msg_more_q, msg_tag_q, cut_len,
                      OffW'(msg_off_q + OffW'(msg_done_q)), node_i, msg_dst_q};

  // The chosen word: read in the last cycle (`arriving_q`), then stored, until it is taken.
  logic                tracking_q, arriving_q, buf_q;
  logic [LenW-1:0]     word_idx_q;
  logic [DataW-1:0]    word_q, stored;
  logic                now;
  assign now = tracking_q && valid && send == buf_q && taken_q == {1'b0, word_idx_q} + 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      msg_q      <= 1'b0;
      msg_dst_q  <= '0;
      msg_addr_q <= '0;
      msg_len_q  <= '0;
      msg_done_q <= '0;
      msg_off_q  <= '0;
      msg_tag_q  <= '0;
      msg_more_q <= 1'b0;
      hdr_0_q    <= '0;
      hdr_1_q    <= '0;
      addr_0_q   <= '0;
      addr_1_q   <= '0;
      tracking_q <= 1'b0;
      arriving_q <= 1'b0;
      buf_q      <= 1'b0;
      word_idx_q    <= '0;
      word_q     <= '0;
    end else begin
      if (desc_valid_i && desc_ready) begin
        msg_q      <= 1'b1;
        msg_dst_q  <= desc_dst_i;
        msg_addr_q <= desc_addr_i;
        msg_len_q  <= desc_len_i;
        msg_done_q <= '0;
        msg_off_q  <= desc_off_i;
        msg_tag_q  <= desc_tag_i;
        msg_more_q <= desc_more_i;
      end else if (\u_dut.cut ) begin
        msg_q      <= !final_cut;
        msg_done_q <= msg_done_q + MsgLenW'(cut_len);
      end
      if (\u_dut.cut ) begin
        if (\u_dut.fill_q ) begin
          hdr_1_q  <= hdr_d;
          addr_1_q <= addr_d;
        end else begin
          hdr_0_q  <= hdr_d;
          addr_0_q <= addr_d;
        end
      end
      arriving_q <= 1'b0;
      if (arriving_q) word_q <= mem_rdata_i;
      if (!tracking_q) begin
        tracking_q <= accepted && track_i;
        arriving_q <= accepted && track_i;
        buf_q      <= req_buf;
        word_idx_q    <= LenW'(req_idx);
      end else if (now && ready_i) begin
        tracking_q <= 1'b0;
      end
    end
  end

  `WEFT_ASSERT(HeaderAsAsked, !valid || taken_q != '0 ||
      data[DataW-1:0] == DataW'(send ? hdr_1_q : hdr_0_q))
  `WEFT_ASSERT(ReadInItsPlace, !ren || raddr == MemAddrW'((req_buf ? addr_1_q : addr_0_q) +
      MemAddrW'(req_idx)))
  `WEFT_ASSERT(WordAsItCame, !now || arriving_q || data[DataW-1:0] == word_q)
  `WEFT_ASSERT(NotSentBefore, !(now && arriving_q))
  `WEFT_ASSERT(NotForgotten, !tracking_q || taken[buf_q])
  // A message is accepted when there is none, and in place of one without a body as it is cut.
  `WEFT_ASSERT(ReadyForMessage,
      desc_ready == (!msg_q || (\u_dut.cut && msg_len_q == '0)))
  `WEFT_ASSERT(EmptyHoldsNothing, empty == (!msg_q && taken == '0))

  // Invariants that close the induction.
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[0] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[1] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[2] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[3] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[4] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[5] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[6] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.u_words.mem_q[7] ;
  always_comb begin
    case ({buf_q, word_idx_q[IdxW-1:0]})
      0: stored = \u_dut.u_words.mem_q[0] ;
      1: stored = \u_dut.u_words.mem_q[1] ;
      2: stored = \u_dut.u_words.mem_q[2] ;
      3: stored = \u_dut.u_words.mem_q[3] ;
      4: stored = \u_dut.u_words.mem_q[4] ;
      5: stored = \u_dut.u_words.mem_q[5] ;
      6: stored = \u_dut.u_words.mem_q[6] ;
      default: stored = \u_dut.u_words.mem_q[7] ;
    endcase
  end
  `WEFT_ASSERT(SameBody, !msg_q || \u_dut.no_body_q == (msg_len_q == '0))
  `WEFT_ASSERT(SameMessage, \u_dut.msg_q == msg_q && (!msg_q || (msg_dst_q == \u_dut.dst_q &&
      msg_tag_q == \u_dut.tag_q && msg_left == \u_dut.left_q && msg_done_q <= msg_len_q &&
      msg_more_q == \u_dut.more_q && (OffW'(msg_off_q + OffW'(msg_done_q)) == \u_dut.off_q ) &&
      (addr_d == \u_dut.addr_q ))))
  `WEFT_ASSERT(SameHeaders, (!taken[0] || (hdr_0_q == \u_dut.hdr_q[0] )) &&
      (!taken[1] || (hdr_1_q == \u_dut.hdr_q[1] )))
  `WEFT_ASSERT(ChosenInside, !tracking_q || (taken[buf_q] && word_idx_q < (buf_q ? len_1 : len_0)))
  `WEFT_ASSERT(ChosenArrives, !arriving_q || (tracking_q && rsp && rsp_buf == buf_q &&
      rsp_idx == 32'(word_idx_q)))
  `WEFT_ASSERT(ChosenStored, !tracking_q || arriving_q || (stored == word_q &&
      (open[buf_q] || MemReady)))
  `WEFT_ASSERT(NotOverwritten, !tracking_q || arriving_q || !rsp || rsp_buf != buf_q ||
      rsp_idx > 32'(word_idx_q))
  `WEFT_ASSERT(NotReadAgain, !tracking_q || !req || req_buf != buf_q || req_idx > 32'(word_idx_q))
  `WEFT_ASSERT(NotPassed, !tracking_q || send != buf_q || taken_q <= {1'b0, word_idx_q} + 1'b1)

  // Starts, by an own clock: of the message until its first packet is cut, then of the packet in a
  // buffer until the start is reached.
  (* hierconn *) wire [StartW-1:0] \u_dut.gen_timed.now_q ;
  (* hierconn *) wire [StartW-1:0] \u_dut.gen_timed.msg_start_q ;
  (* hierconn *) wire [StartW-1:0] \u_dut.gen_timed.start_q[0] ;
  (* hierconn *) wire [StartW-1:0] \u_dut.gen_timed.start_q[1] ;
  (* hierconn *) wire \u_dut.gen_timed.msg_timed_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_timed.waits_q ;
  logic [StartW-1:0] now_q, begin_q, begin_0_q, begin_1_q, to_0, to_1;
  logic              timed_q;
  logic [1:0]        early_q, early;
  // Cycles to the start, from 1 to half of all: it is still to come.
  assign to_0  = begin_0_q - now_q;
  assign to_1  = begin_1_q - now_q;
  assign early = {early_q[1] && to_1 != '0 && to_1 <= StartW'(2 ** (StartW - 1)),
                  early_q[0] && to_0 != '0 && to_0 <= StartW'(2 ** (StartW - 1))};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q     <= '0;
      begin_q   <= '0;
      begin_0_q <= '0;
      begin_1_q <= '0;
      timed_q   <= 1'b0;
      early_q   <= '0;
    end else begin
      now_q   <= now_q + 1'b1;
      early_q <= early;
      if (\u_dut.cut ) begin
        timed_q <= 1'b0;
        if (\u_dut.fill_q ) begin
          begin_1_q  <= begin_q;
          early_q[1] <= timed_q;
        end else begin
          begin_0_q  <= begin_q;
          early_q[0] <= timed_q;
        end
      end
      if (desc_valid_i && desc_ready) begin
        timed_q <= desc_timed_i;
        begin_q <= desc_start_i;
      end
    end
  end
  `WEFT_ASSERT(NeverEarly, !Timed || !valid || !early[send])
  `WEFT_ASSERT(SameStarts, !Timed || (now_q == \u_dut.gen_timed.now_q &&
      begin_q == \u_dut.gen_timed.msg_start_q && timed_q == \u_dut.gen_timed.msg_timed_q &&
      (early == \u_dut.gen_timed.waits_q )))
  `WEFT_ASSERT(SameBuffers, !Timed ||
      ((!early_q[0] || (begin_0_q == \u_dut.gen_timed.start_q[0] )) &&
       (!early_q[1] || (begin_1_q == \u_dut.gen_timed.start_q[1] ))))
  `WEFT_ASSERT(EarlyNotBegun, !Timed || taken_q == '0 || !early_q[send] || !early[send])

endmodule

// One send controller of a network interface (seed 002 fig. 2): send control 6 and the paired send
// buffers 4-0 and 4-1, of which one is filled from memory while the other is sent.

`include "weft_assert.svh"

module weft_send_unit #(
  /// Flit width without parity, bits; a header must fit.
  parameter int unsigned DataW = 64,
  /// 1: a parity bit above the data.
  parameter bit          Parity = 1'b0,
  /// Most body flits of a packet, 1 to 255: capacity of one send buffer.
  parameter int unsigned PacketFlits = 128,
  /// Width of an address, bits: weft_pkg::AddrW to MaxAddrW.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  /// 1: messages may have a start.
  parameter bit          Timed = 1'b0,
  /// 1: the memory has `ready`, and a packet is offered when it was read as a whole.
  parameter bit          MemReady = 1'b0,
  // Derived.
  localparam int unsigned OffW  = weft_pkg::HdrLenLsb - 2 * AddrW,
  localparam int unsigned FlitW = DataW + (Parity ? 1 : 0)
) (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// Own address, the source in every header.
  input  logic [AddrW-1:0]              node_i,
  /// A message is to be sent.
  input  logic                          desc_valid_i,
  /// Message: destination.
  input  logic [AddrW-1:0]              desc_dst_i,
  /// Message: first word in local memory.
  input  logic [weft_pkg::MemAddrW-1:0] desc_addr_i,
  /// Message: length, flits; 0 sends a header alone.
  input  logic [weft_pkg::MsgLenW-1:0]  desc_len_i,
  /// Message: offset in the destination's receive window, flits.
  input  logic [OffW-1:0]               desc_off_i,
  /// Message: tag.
  input  logic [weft_pkg::TagW-1:0]     desc_tag_i,
  /// Message: inter-packet gap, packet times.
  input  logic [weft_pkg::GapW-1:0]     desc_gap_i,
  /// The message is part of a longer one that goes on.
  input  logic                          desc_more_i,
  /// Message: it has a start; ignored without `Timed`.
  input  logic                          desc_timed_i,
  /// Message: its start, cycle since reset.
  input  logic [weft_pkg::StartW-1:0]   desc_start_i,
  /// The message is taken in this cycle if there is one.
  output logic                          desc_ready_o,
  /// No packet is held, and no message is being cut into packets.
  output logic                          empty_o,
  /// Memory: read.
  output logic                          mem_ren_o,
  /// Memory: address, flits; 0 without `mem_ren_o`.
  output logic [weft_pkg::MemAddrW-1:0] mem_raddr_o,
  /// Memory: the read is accepted; ignored without `MemReady`.
  input  logic                          mem_rready_i,
  /// Memory: further words to be read at the following addresses; 0 without `MemReady`.
  output logic [weft_pkg::LenW-1:0]     mem_rleft_o,
  /// Memory: the word whose read was accepted in the cycle before.
  input  logic [DataW-1:0]              mem_rdata_i,
  /// A flit is offered.
  output logic                          valid_o,
  /// It is the last of its packet.
  output logic                          last_o,
  /// The flit; 0 without one.
  output logic [FlitW-1:0]              data_o,
  /// The offered flit is taken in this cycle.
  input  logic                          ready_i,
  /// The last flit of a message was taken in the cycle before.
  output logic                          sent_o
);

  `WEFT_PARAM(gen_check_data, DataW >= weft_pkg::HdrW)
  `WEFT_PARAM(gen_check_addr_w, AddrW >= weft_pkg::AddrW && AddrW <= weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_packet, PacketFlits >= 1 && PacketFlits <= 255)

  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned MsgLenW  = weft_pkg::MsgLenW;
  localparam int unsigned TagW     = weft_pkg::TagW;
  localparam int unsigned GapW     = weft_pkg::GapW;
  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned HdrW     = weft_pkg::HdrW;
  localparam int unsigned IdxW     = PacketFlits > 1 ? $clog2(PacketFlits) : 1;

  // Message that is being cut into packets: the part that is left.
  logic                msg_q;
  logic                no_body_q;   // it has length 0
  logic [AddrW-1:0]    dst_q;
  logic [MemAddrW-1:0] addr_q;
  logic [MsgLenW-1:0]  left_q;
  logic [OffW-1:0]     off_q;
  logic [TagW-1:0]     tag_q;
  logic [GapW-1:0]     gap_q;
  logic                more_q;

  // The two buffers, whose words are in `u_words`. Headers, gaps and words need no reset: they are
  // read only after a write.
  logic [1:0]       taken_q;        // the buffer is allocated to a packet
  logic [1:0]       open_q;         // its packet may be offered
  logic [HdrW-1:0]  hdr_q [2];
  logic [GapW-1:0]  hdr_gap_q [2];
  logic             fill_q;         // buffer of the next packet to be cut
  logic             send_q;         // buffer of the next packet to be sent

  // Words on their way from memory.
  logic            req_buf_q;       // buffer of the words requested now
  logic            rsp_q;           // a word arrives
  logic            rsp_last_q;      // the last of its packet
  logic            rsp_buf_q;       // its buffer
  logic [IdxW-1:0] rsp_idx_q;       // its index there

  logic [LenW-1:0] pos_q;           // flits of the packet that have been taken
  logic            sent_q;

  logic [1:0] waits;                // the packet's start is still to come

  logic            dma_idle, dma_req, dma_last, pacer_ready;
  logic [LenW-1:0] dma_left;
  logic            mem_ready;
  assign mem_ready = !MemReady || mem_rready_i;

  // Cutting.
  logic            cut, final_cut;
  logic [LenW-1:0] cut_len;
  assign cut       = msg_q && !taken_q[fill_q] && dma_idle;
  assign final_cut = left_q <= MsgLenW'(PacketFlits);
  assign cut_len   = final_cut ? left_q[LenW-1:0] : LenW'(PacketFlits);

  weft_dma u_dma (
    .clk_i,
    .rst_ni,
    .start_i(cut && cut_len != '0),
    .addr_i (addr_q),
    .len_i  (cut_len),
    .ready_i(mem_ready),
    .idle_o (dma_idle),
    .req_o  (dma_req),
    .addr_o (mem_raddr_o),
    .last_o (dma_last),
    .left_o (dma_left)
  );

  // Sending.
  logic [HdrW-1:0] hdr;
  logic [LenW-1:0] len;
  logic [DataW-1:0] word, body_word;
  logic            taken_word, taken_last;
  assign hdr        = hdr_q[send_q];
  assign len        = hdr[weft_pkg::HdrLenLsb +: LenW];
  assign valid_o    = open_q[send_q] && pacer_ready && !waits[send_q];
  assign last_o     = valid_o && pos_q == len;
  assign taken_word = valid_o && ready_i;
  assign taken_last = taken_word && pos_q == len;

  always_comb begin
    word = '0;
    if (valid_o) begin
      if (pos_q == '0) word[HdrW-1:0] = hdr;
      else word = body_word;
    end
  end

  // With each flit that is taken the next word of the body is read.
  logic            read;
  logic [IdxW-1:0] read_idx;
  assign read     = taken_word && !taken_last;
  assign read_idx = pos_q[IdxW-1:0];

  weft_ram #(
    .DataW(DataW),
    .Depth(2 ** (IdxW + 1))
  ) u_words (
    .clk_i,
    .rst_ni,
    .wen_i  (rsp_q),
    .widx_i ({rsp_buf_q, rsp_idx_q}),
    .wdata_i(mem_rdata_i),
    .ren_i  (read),
    .ridx_i ({send_q, read_idx}),
    .rdata_o(body_word)
  );

  if (Parity) begin : gen_parity
    assign data_o = {last_o ^ (^word), word};
  end else begin : gen_no_parity
    assign data_o = word;
  end

  // The start of a message delays its first packet. Whether a packet waits is decided in the cycle
  // before, so that the subtraction is not in front of the flit's way to the link.
  if (Timed) begin : gen_timed
    localparam int unsigned StartW = weft_pkg::StartW;
    logic [StartW-1:0] now_q, now_d, msg_start_q;
    logic [StartW-1:0] start_q [2];
    logic              msg_timed_q;
    logic [1:0]        waits_q, waits_d;
    assign now_d = now_q + 1'b1;
    for (genvar b = 0; b < 2; b++) begin : gen_buffer
      logic              cut_here, may_wait;
      logic [StartW-1:0] since;
      assign cut_here   = cut && fill_q == 1'(b);
      assign may_wait   = cut_here ? msg_timed_q : waits_q[b];
      assign since      = now_d - (cut_here ? msg_start_q : start_q[b]);
      assign waits_d[b] = may_wait && since[StartW-1];
    end
    assign waits = waits_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        now_q       <= '0;
        msg_timed_q <= 1'b0;
        msg_start_q <= '0;
        waits_q     <= '0;
      end else begin
        now_q   <= now_d;
        waits_q <= waits_d;
        if (cut) msg_timed_q <= 1'b0;
        if (desc_ready_o && desc_valid_i) begin
          msg_timed_q <= desc_timed_i;
          msg_start_q <= desc_start_i;
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (cut) start_q[fill_q] <= msg_start_q;
    end
    // A packet in progress does not go back to waiting.
    `WEFT_ASSERT(StartBeforePacket, pos_q == '0 || !waits_q[send_q])
    `WEFT_ASSERT(WaitsOnlyTaken, (waits_q & ~taken_q) == '0)
  end else begin : gen_untimed
    assign waits = '0;
    logic unused_start;
    assign unused_start = ^{desc_timed_i, desc_start_i};
  end

  weft_pacer u_pacer (
    .clk_i,
    .rst_ni,
    .start_i(taken_last),
    .flits_i({1'b0, len} + 1'b1),
    .gap_i  (hdr_gap_q[send_q]),
    .ready_o(pacer_ready)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      msg_q      <= 1'b0;
      no_body_q  <= 1'b0;
      dst_q      <= '0;
      addr_q     <= '0;
      left_q     <= '0;
      off_q      <= '0;
      tag_q      <= '0;
      gap_q      <= '0;
      more_q     <= 1'b0;
      taken_q    <= '0;
      open_q     <= '0;
      fill_q     <= 1'b0;
      send_q     <= 1'b0;
      req_buf_q  <= 1'b0;
      rsp_q      <= 1'b0;
      rsp_last_q <= 1'b0;
      rsp_buf_q  <= 1'b0;
      rsp_idx_q  <= '0;
      pos_q      <= '0;
      sent_q     <= 1'b0;
    end else begin
      if (cut) begin
        msg_q           <= !final_cut;
        addr_q          <= addr_q + MemAddrW'(cut_len);
        left_q          <= left_q - MsgLenW'(cut_len);
        off_q           <= off_q + OffW'(cut_len);
        taken_q[fill_q] <= 1'b1;
        fill_q          <= !fill_q;
        req_buf_q       <= fill_q;
        if (cut_len == '0) open_q[fill_q] <= 1'b1;
      end
      // After the cut: a message without a body makes way for the next one in the same cycle.
      if (desc_ready_o && desc_valid_i) begin
        msg_q     <= 1'b1;
        no_body_q <= desc_len_i == '0;
        dst_q     <= desc_dst_i;
        addr_q    <= desc_addr_i;
        left_q    <= desc_len_i;
        off_q     <= desc_off_i;
        tag_q     <= desc_tag_i;
        gap_q     <= desc_gap_i;
        more_q    <= desc_more_i;
      end

      rsp_q      <= dma_req && mem_ready;
      rsp_last_q <= dma_last;
      rsp_buf_q  <= req_buf_q;
      if (rsp_q) begin
        rsp_idx_q <= rsp_last_q ? '0 : rsp_idx_q + 1'b1;
        // Once begun a packet goes on in each cycle. Its words do so only without `MemReady`.
        if (!MemReady || rsp_last_q) open_q[rsp_buf_q] <= 1'b1;
      end

      sent_q <= taken_last && hdr[weft_pkg::HdrEomLsb];
      if (taken_last) begin
        pos_q           <= '0;
        taken_q[send_q] <= 1'b0;
        open_q[send_q]  <= 1'b0;
        send_q          <= !send_q;
      end else if (taken_word) begin
        pos_q <= pos_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (cut) begin
      hdr_q[fill_q]     <= {final_cut && !more_q, tag_q, cut_len, off_q, node_i, dst_q};
      hdr_gap_q[fill_q] <= gap_q;
    end
  end

  assign desc_ready_o = !msg_q || (cut && no_body_q);
  assign empty_o      = !msg_q && taken_q == '0;
  assign mem_ren_o    = dma_req;
  assign mem_rleft_o  = MemReady ? dma_left : '0;
  assign sent_o       = sent_q;

  `WEFT_ASSERT(NoBodyAsLength, !msg_q || no_body_q == (left_q == '0))
  `WEFT_ASSERT(OpenOnlyTaken, (open_q & ~taken_q) == '0)
  `WEFT_ASSERT(StoreOnlyTaken, !rsp_q || taken_q[rsp_buf_q])
  `WEFT_ASSERT(StoreInside, !rsp_q || 32'(rsp_idx_q) < PacketFlits)
  `WEFT_ASSERT(SendWithinPacket, !valid_o || pos_q <= len)
  // No gap within a packet: memory stays ahead of the link, with `MemReady` by the whole packet.
  `WEFT_ASSERT(WordIsStored, !(valid_o && rsp_q && rsp_buf_q == send_q) ||
      32'(pos_q) < 32'(rsp_idx_q))
  `WEFT_ASSERT(WholeIsStored, !(MemReady && valid_o && rsp_q && rsp_buf_q == send_q))
  `WEFT_ASSERT(NoPauseInPacket, pos_q == '0 || valid_o)
  `WEFT_ASSERT(BuffersAlternate, taken_q != 2'b01 || !send_q)
  `WEFT_ASSERT(BuffersAlternateToo, taken_q != 2'b10 || send_q)

endmodule

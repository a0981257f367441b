// Network interface (seed 002 fig. 2; seed 004 fig. 1): descriptor queue, concurrent send
// controllers, which share one Buffer-Full link or have a credit link each, and the receive side,
// which writes to memory or reduces into it (seed 003). With `Slots` packets are kept until they
// are acknowledged. Longer than 500 lines: the ports of both sides, which a node wires as one
// block.

`include "weft_assert.svh"

module weft_nic #(
  /// Flit width without parity, bits; a header must fit.
  parameter int unsigned DataW = 64,
  /// 1: links carry a parity bit above the data.
  parameter bit          Parity = 1'b0,
  /// Most body flits of a packet, 1 to 255.
  parameter int unsigned PacketFlits = 128,
  /// Send controllers, 1 to 8.
  parameter int unsigned NumCtrl = 1,
  /// Depth of the descriptor queue; 1 or more.
  parameter int unsigned QueueDepth = 8,
  /// 1: credit links, one each way for each send controller; 0: one link with Buffer-Full.
  parameter bit          Credit = 1'b0,
  /// Credit links: virtual channels of a link; 1 or more.
  parameter int unsigned NumVc = 1,
  /// Credit links: depth of the router's buffer of each VC, flits; 1 or more.
  parameter int unsigned VcDepth = 8,
  /// Credit links: 1: a VC for each destination; 0: round-robin.
  parameter bit          ByDest = 1'b0,
  /// Credit links: 1: VC 0 for every packet, or the first of its class, so that packets of one link
  /// do not overtake each other on the way into the router; not with `ByDest`.
  parameter bit          InOrder = 1'b0,
  /// Credit links: 1: packets whose tag is odd take the upper half of the VCs, others the lower
  /// half; not with `ByDest`.
  parameter bit          Classes = 1'b0,
  /// Credit links: 1: the network keeps packets in order that enter it by one link on one VC and
  /// have the same destination and tag; used with `InOrder` only.
  parameter bit          KeepsOrder = 1'b0,
  /// Credit links: 1: flits carry their packet's stamp, its injection time.
  parameter bit          Age = 1'b0,
  /// Width of an address, bits: weft_pkg::AddrW to MaxAddrW.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  /// 1: messages whose tag has the bit weft_pkg::TagReduce are reduced into memory; then `DataW`
  /// is a multiple of 64.
  parameter bit          Reduce = 1'b0,
  /// 1: messages may have a start.
  parameter bit          Timed = 1'b0,
  /// 1: the memory has `ready`; a packet is sent when it was read as a whole; not with `Reduce`.
  parameter bit          MemReady = 1'b0,
  /// Dimensions of the network; used with `ByDest` only.
  parameter int unsigned NumDims = 1,
  /// Maximum coordinate of each dimension, `DigitParamW` bits each, dimension 0 lowest; used with
  /// `ByDest` only.
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords = '0,
  /// Receive windows, 1 to 8; 1 without keys.
  parameter int unsigned Windows = 1,
  /// Width of the keys of windows, bits, 0 to 8: the top bits of an offset.
  parameter int unsigned KeyW = 0,
  /// Reliable delivery: packets that each controller keeps until they are acknowledged: 2, 4, 8 or
  /// 16, not with `Timed`; 0: none.
  parameter int unsigned Slots = 0,
  /// All nodes have addresses below this, 1 to 2 ** 20; used with `Slots` only.
  parameter int unsigned NumAddr = 16,
  /// Cycles after which packets that are not acknowledged are overdue, 1 to 2 ** 20; used with
  /// `Slots` only.
  parameter int unsigned Timeout = 4096,
  /// Words of the FIFO of an incoming link, weft_pkg::RxDepth to 8: its sender's credits.
  parameter int unsigned RxDepth = weft_pkg::RxDepth,
  // Derived.
  localparam int unsigned OffW  = weft_pkg::HdrLenLsb - 2 * AddrW,
  localparam int unsigned FlitW = DataW + (Parity ? 1 : 0),
  localparam int unsigned NumLinks = Credit ? NumCtrl : 1,
  localparam int unsigned NumLanes = NumCtrl + (Reduce ? NumLinks : 0),
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam bit          ByPacket =
      Slots > 0 || (Credit && NumVc > 1 && !ByDest && !(InOrder && KeepsOrder)),
  localparam int unsigned FreeW = $clog2(QueueDepth + 1),
  localparam int unsigned KeyPortW = KeyW > 0 ? KeyW : 1,
  localparam int unsigned CountsW = weft_pkg::NumRxCounts * weft_pkg::CountW
) (
  /// Clock.
  input  logic                                   clk_i,
  /// Asynchronous reset, active low.
  input  logic                                   rst_ni,
  /// Own address.
  input  logic [AddrW-1:0]                       node_i,
  /// No packet is issued; with `restart_i` ignored without `Slots`.
  input  logic                                   hold_i,
  /// The links begin anew, and packets that are not acknowledged are issued again after `hold_i`.
  input  logic                                   restart_i,
  /// A descriptor is written; it is ignored while `desc_free_o` is 0.
  input  logic                                   desc_valid_i,
  /// Descriptor: destination.
  input  logic [AddrW-1:0]                       desc_dst_i,
  /// Descriptor: first word in local memory.
  input  logic [weft_pkg::MemAddrW-1:0]          desc_addr_i,
  /// Descriptor: message length, flits; 0 sends a header alone.
  input  logic [weft_pkg::MsgLenW-1:0]           desc_len_i,
  /// Descriptor: key of the destination's window in the top `KeyW` bits, below it the offset there,
  /// flits, which the message must not leave.
  input  logic [OffW-1:0]                        desc_off_i,
  /// Descriptor: tag.
  input  logic [weft_pkg::TagW-1:0]              desc_tag_i,
  /// Descriptor: inter-packet gap, packet times.
  input  logic [weft_pkg::GapW-1:0]              desc_gap_i,
  /// Descriptor: 0 for any controller, n for controller n - 1 only, weft_pkg::CtrlRoundRobin for
  /// the one after the controller that was assigned a descriptor last.
  input  logic [weft_pkg::CtrlW-1:0]             desc_ctrl_i,
  /// Descriptor: the message has a start; ignored without `Timed`.
  input  logic                                   desc_timed_i,
  /// Descriptor: its start, cycle since reset.
  input  logic [weft_pkg::StartW-1:0]            desc_start_i,
  /// Free slots of the descriptor queue (4 bits at the default depth of 8).
  output logic [FreeW-1:0]                       desc_free_o,
  /// Messages sent to their last flit, with `Slots` acknowledged.
  output logic [weft_pkg::CountW-1:0]            tx_count_o,
  /// A packet is not acknowledged, or an acknowledgement waits to be sent; 0 without `Slots`.
  output logic                                   waits_o,
  /// A controller's packets have waited for `Timeout` cycles; 0 without `Slots`.
  output logic                                   overdue_o,
  /// Packets issued again; 0 without `Slots`.
  output logic [weft_pkg::CountW-1:0]            tx_resent_o,
  /// Memory: read, one lane for each send controller, above them with `Reduce` one for each
  /// incoming link.
  output logic [NumLanes-1:0]                    mem_ren_o,
  /// Memory: read addresses, flits, lane 0 lowest; 0 without `mem_ren_o`.
  output logic [NumLanes*weft_pkg::MemAddrW-1:0] mem_raddr_o,
  /// Memory: the read of the lane is accepted; ignored without `MemReady`.
  input  logic [NumLanes-1:0]                    mem_rready_i,
  /// Memory: further words that the lane reads at the following addresses; 0 without `MemReady`
  /// or `mem_ren_o`.
  output logic [NumLanes*weft_pkg::LenW-1:0]     mem_rleft_o,
  /// Memory: the words whose reads were accepted in the cycle before.
  input  logic [NumLanes*DataW-1:0]              mem_rdata_i,
  /// Memory: write, one lane for each incoming link.
  output logic [NumLinks-1:0]                    mem_wen_o,
  /// Memory: write addresses, flits, lane 0 lowest; 0 without `mem_wen_o`.
  output logic [NumLinks*weft_pkg::MemAddrW-1:0] mem_waddr_o,
  /// Memory: words to write; 0 without `mem_wen_o`.
  output logic [NumLinks*DataW-1:0]              mem_wdata_o,
  /// Memory: the write of the lane is accepted; ignored without `MemReady`.
  input  logic [NumLinks-1:0]                    mem_wready_i,
  /// Memory: further words that the lane writes to the following addresses; 0 without `MemReady`
  /// or `mem_wen_o`.
  output logic [NumLinks*weft_pkg::LenW-1:0]     mem_wleft_o,
  /// Outgoing links, link 0 lowest: Data-Valid.
  output logic [NumLinks-1:0]                    tx_valid_o,
  /// Outgoing links: Data-End.
  output logic [NumLinks-1:0]                    tx_last_o,
  /// Outgoing credit links: virtual channel; 0 without Data-Valid.
  output logic [NumLinks*VcW-1:0]                tx_vc_o,
  /// Outgoing links: the words.
  output logic [NumLinks*FlitW-1:0]              tx_data_o,
  /// Outgoing credit links: stamp of the packet; 0 without `Age` or Data-Valid.
  output logic [NumLinks*weft_pkg::StampW-1:0]   tx_stamp_o,
  /// Outgoing link: Buffer-Full; ignored with `Credit`.
  input  logic [NumLinks-1:0]                    tx_full_i,
  /// Outgoing credit links: credit of each VC; ignored without `Credit`.
  input  logic [NumLinks*NumVc-1:0]              tx_credit_i,
  /// Incoming links, link 0 lowest: Data-Valid.
  input  logic [NumLinks-1:0]                    rx_valid_i,
  /// Incoming links: Data-End.
  input  logic [NumLinks-1:0]                    rx_last_i,
  /// Incoming links: the words.
  input  logic [NumLinks*FlitW-1:0]              rx_data_i,
  /// Incoming link: Buffer-Full; 0 with `Credit`.
  output logic [NumLinks-1:0]                    rx_full_o,
  /// Incoming credit links: credit; 0 without `Credit`.
  output logic [NumLinks-1:0]                    rx_credit_o,
  /// Receive windows, window 0 lowest: first word in local memory.
  input  logic [Windows*weft_pkg::MemAddrW-1:0]  rx_base_i,
  /// Receive windows: size, flits.
  input  logic [Windows*weft_pkg::MemAddrW-1:0]  rx_size_i,
  /// Receive windows: key; ignored where `KeyW` is 0.
  input  logic [Windows*KeyPortW-1:0]            rx_key_i,
  /// Operation on messages with bit weft_pkg::TagReduce in their tag; with type and count loaded
  /// at each edge at which no word and no count is in flight to memory. Used with `Reduce` only.
  input  logic [weft_pkg::ReduceOpW-1:0]         reduce_op_i,
  /// Type of the elements of these messages.
  input  logic [weft_pkg::ReduceTypeW-1:0]       reduce_type_i,
  /// Divisor of a mean, 1 to 65535.
  input  logic [weft_pkg::MeanCountW-1:0]        reduce_count_i,
  /// Kept packets, by the two low bits of their tag; counter 0 lowest: all where packets of one
  /// message may overtake each other, else those with `eom`. Counted messages are complete only
  /// while `rx_parity_o` and `rx_refused_o` are 0 (rtl/README.md, Receive counters).
  output logic [CountsW-1:0]                     rx_count_o,
  /// The same, counted when the packet is checked, perhaps before it is in memory.
  output logic [CountsW-1:0]                     rx_arrived_o,
  /// What `rx_count_o` counts by the incoming link, the counters of link 0 lowest.
  output logic [NumLinks*CountsW-1:0]            rx_link_o,
  /// Packets dropped for a parity error.
  output logic [weft_pkg::CountW-1:0]            rx_parity_o,
  /// Packets dropped for a foreign destination, a wrong length, a key that no window has, or a
  /// body outside the window.
  output logic [weft_pkg::CountW-1:0]            rx_refused_o,
  /// Packets that had come before; 0 without `Slots`.
  output logic [weft_pkg::CountW-1:0]            rx_repeated_o
);

  `WEFT_PARAM(gen_check_addr_w, AddrW >= weft_pkg::AddrW && AddrW <= weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_ctrl, NumCtrl >= 1 && NumCtrl <= 8)
  `WEFT_PARAM(gen_check_queue, QueueDepth >= 1)
  `WEFT_PARAM(gen_check_reduce, !Reduce || DataW % 64 == 0)
  `WEFT_PARAM(gen_check_mem_ready, !(MemReady && Reduce))
  `WEFT_PARAM(gen_check_key_w, KeyW <= 8)
  `WEFT_PARAM(gen_check_slots, Slots == 0 || Slots == 2 || Slots == 4 || Slots == 8 || Slots == 16)
  `WEFT_PARAM(gen_check_slots_timed, Slots == 0 || !Timed)

  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned MsgLenW  = weft_pkg::MsgLenW;
  localparam int unsigned TagW     = weft_pkg::TagW;
  localparam int unsigned GapW     = weft_pkg::GapW;
  localparam int unsigned CtrlW    = weft_pkg::CtrlW;
  localparam int unsigned CountW   = weft_pkg::CountW;
  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned StampW   = weft_pkg::StampW;
  localparam int unsigned StartW   = weft_pkg::StartW;
  localparam int unsigned PlainW   = AddrW + MemAddrW + MsgLenW + OffW + TagW + GapW + CtrlW;
  localparam int unsigned DescW    = PlainW + (Timed ? StartW + 1 : 0);
  localparam int unsigned CtrlIdW  = NumCtrl > 1 ? $clog2(NumCtrl) : 0;
  localparam int unsigned IdW      = Slots > 0 ? 1 + CtrlIdW + $clog2(Slots) + 1 : 0;
  localparam int unsigned IdPortW  = IdW > 0 ? IdW - 1 : 1;

  // Descriptor queue.
  logic [FreeW-1:0]    waiting;
  logic [AddrW-1:0]    dst;
  logic [MemAddrW-1:0] addr;
  logic [MsgLenW-1:0]  len;
  logic [OffW-1:0]     off;
  logic [TagW-1:0]     tag;
  logic [GapW-1:0]     gap;
  logic [CtrlW-1:0]    ctrl;
  logic                timed;
  logic [StartW-1:0]   start;
  logic [PlainW-1:0]   plain;
  logic [DescW-1:0]    posted, oldest;
  logic [NumCtrl-1:0]  unit_ready, unit_empty, unit_pick;

  assign desc_free_o = FreeW'(QueueDepth) - waiting;

  // Descriptors are assigned round-robin, to controllers without a packet first.
  logic [NumCtrl-1:0] empties, candidates, above, first, at_pointer, named;
  logic [NumCtrl-1:0] mask_q;  // controllers at or above the round-robin pointer
  assign empties    = unit_ready & unit_empty;
  assign at_pointer = (mask_q != '0) ? (mask_q & (~mask_q + 1'b1)) : NumCtrl'(1);
  for (genvar c = 0; c < NumCtrl; c++) begin : gen_named
    assign named[c] = (ctrl == CtrlW'(weft_pkg::CtrlRoundRobin)) ? at_pointer[c]
                                                             : ctrl == CtrlW'(c + 1);
  end
  always_comb begin
    candidates = (empties != '0) ? empties : unit_ready;
    if (ctrl != '0) candidates = unit_ready & named;
  end
  assign above      = candidates & mask_q;
  assign first      = (above != '0) ? above : candidates;
  assign unit_pick  = (waiting == '0) ? '0 : (first & (~first + 1'b1));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mask_q <= '0;
    else if (unit_pick != '0) mask_q <= ~(unit_pick | (unit_pick - 1'b1));
  end

  assign plain = {desc_dst_i, desc_addr_i, desc_len_i, desc_off_i, desc_tag_i, desc_gap_i,
                  desc_ctrl_i};
  assign {dst, addr, len, off, tag, gap, ctrl} = oldest[PlainW-1:0];
  if (Timed) begin : gen_timed
    assign posted         = {desc_timed_i, desc_start_i, plain};
    assign {timed, start} = oldest[DescW-1:PlainW];
  end else begin : gen_untimed
    assign posted = plain;
    assign timed  = 1'b0;
    assign start  = '0;
    logic unused_start;
    assign unused_start = ^{desc_timed_i, desc_start_i};
  end

  weft_fifo #(
    .DataW(DescW),
    .Depth(QueueDepth)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .push_i (desc_valid_i && desc_free_o != '0),
    .data_i (posted),
    .pop_i  (unit_pick != '0),
    .data_o (oldest),
    .count_o(waiting)
  );

  // In the cycle after `restart_i` what belongs to the outgoing links is held in reset.
  logic link_rst_n;
  if (Slots > 0) begin : gen_restart
    logic restart_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) restart_q <= 1'b0;
      else restart_q <= restart_i;
    end
    assign link_rst_n = rst_ni && !restart_q;
    `WEFT_ASSUME(RestartWhileHeld, hold_i || !(restart_i || restart_q))
  end else begin : gen_no_restart
    assign link_rst_n = rst_ni;
    logic unused_restart;
    assign unused_restart = ^{hold_i, restart_i};
  end

  // Send controllers; with `Slots` each behind the unit that keeps its packets. `sent`: messages.
  logic [NumCtrl-1:0]       offer_valid, offer_last, offer_ready, sent, resent, keeps, late;
  logic [NumCtrl*FlitW-1:0] offer_data;
  // Acknowledgements that came, and what is asked of the unit that sends them.
  logic [NumLinks-1:0]         ack_valid, took_valid, repeated, ack_offer_valid, ack_offer_last;
  logic [NumLinks-1:0]         ack_offer_ready;
  logic [NumLinks*AddrW-1:0]   ack_src, ask_src, took_src;
  logic [NumLinks*IdPortW-1:0] ack_id, ask_id, took_id;
  logic [NumLinks*FlitW-1:0]   ack_offer_data;
  logic                        ack_pending;
  for (genvar c = 0; c < NumCtrl; c++) begin : gen_ctrl
    logic                pkt_valid, pkt_more, send_ready, send_empty, send_sent;
    logic [AddrW-1:0]    pkt_dst;
    logic [MemAddrW-1:0] pkt_addr;
    logic [MsgLenW-1:0]  pkt_len;
    logic [OffW-1:0]     pkt_off;
    logic [TagW-1:0]     pkt_tag;
    logic [GapW-1:0]     pkt_gap;
    if (Slots > 0) begin : gen_retain
      localparam int unsigned CtrlPortW = CtrlIdW > 0 ? CtrlIdW : 1;
      weft_retain_unit #(
        .PacketFlits(PacketFlits),
        .AddrW      (AddrW),
        .NumCtrl    (NumCtrl),
        .Slots      (Slots),
        .NumAddr    (NumAddr),
        .KeyW       (KeyW),
        .NumLinks   (NumLinks),
        .Timeout    (Timeout)
      ) u_retain (
        .clk_i,
        .rst_ni,
        .ctrl_i      (CtrlPortW'(c)),
        .hold_i,
        .restart_i,
        .desc_valid_i(unit_pick[c]),
        .desc_dst_i  (dst),
        .desc_addr_i (addr),
        .desc_len_i  (len),
        .desc_off_i  (off),
        .desc_tag_i  (tag),
        .desc_gap_i  (gap),
        .desc_ready_o(unit_ready[c]),
        .empty_o     (unit_empty[c]),
        .pkt_valid_o (pkt_valid),
        .pkt_dst_o   (pkt_dst),
        .pkt_addr_o  (pkt_addr),
        .pkt_len_o   (pkt_len),
        .pkt_off_o   (pkt_off),
        .pkt_tag_o   (pkt_tag),
        .pkt_gap_o   (pkt_gap),
        .pkt_more_o  (pkt_more),
        .pkt_ready_i (send_ready),
        .ack_valid_i (ack_valid),
        .ack_src_i   (ack_src),
        .ack_id_i    (ack_id),
        .sent_o      (sent[c]),
        .resent_o    (resent[c]),
        .waits_o     (keeps[c]),
        .overdue_o   (late[c])
      );
      logic unused_send;
      assign unused_send = ^{send_empty, send_sent};
    end else begin : gen_no_retain
      assign pkt_valid     = unit_pick[c];
      assign pkt_dst       = dst;
      assign pkt_addr      = addr;
      assign pkt_len       = len;
      assign pkt_off       = off;
      assign pkt_tag       = tag;
      assign pkt_gap       = gap;
      assign pkt_more      = 1'b0;
      assign unit_ready[c] = send_ready;
      assign unit_empty[c] = send_empty;
      assign sent[c]       = send_sent;
      assign resent[c]     = 1'b0;
      assign keeps[c]      = 1'b0;
      assign late[c]       = 1'b0;
    end
    weft_send_unit #(
      .DataW      (DataW),
      .Parity     (Parity),
      .PacketFlits(PacketFlits),
      .AddrW      (AddrW),
      .Timed      (Timed),
      .MemReady   (MemReady)
    ) u_send (
      .clk_i,
      .rst_ni      (link_rst_n),
      .node_i,
      .desc_valid_i(pkt_valid),
      .desc_dst_i  (pkt_dst),
      .desc_addr_i (pkt_addr),
      .desc_len_i  (pkt_len),
      .desc_off_i  (pkt_off),
      .desc_tag_i  (pkt_tag),
      .desc_gap_i  (pkt_gap),
      .desc_more_i (pkt_more),
      .desc_timed_i(timed),
      .desc_start_i(start),
      .desc_ready_o(send_ready),
      .empty_o     (send_empty),
      .mem_ren_o   (mem_ren_o[c]),
      .mem_raddr_o (mem_raddr_o[c*MemAddrW +: MemAddrW]),
      .mem_rready_i(mem_rready_i[c]),
      .mem_rleft_o (mem_rleft_o[c*LenW +: LenW]),
      .mem_rdata_i (mem_rdata_i[c*DataW +: DataW]),
      .valid_o     (offer_valid[c]),
      .last_o      (offer_last[c]),
      .data_o      (offer_data[c*FlitW +: FlitW]),
      .ready_i     (offer_ready[c]),
      .sent_o      (send_sent)
    );
  end

  // Acknowledgements: a lane for each link.
  if (Slots > 0) begin : gen_ack
    weft_ack_unit #(
      .DataW   (DataW),
      .Parity  (Parity),
      .AddrW   (AddrW),
      .NumCtrl (NumCtrl),
      .Slots   (Slots),
      .NumAddr (NumAddr),
      .KeyW    (KeyW),
      .NumLinks(NumLinks)
    ) u_ack (
      .clk_i,
      .rst_ni,
      .node_i,
      .restart_i,
      .ask_src_i   (ask_src),
      .ask_id_i    (ask_id),
      .repeated_o  (repeated),
      .took_valid_i(took_valid),
      .took_src_i  (took_src),
      .took_id_i   (took_id),
      .valid_o     (ack_offer_valid),
      .last_o      (ack_offer_last),
      .data_o      (ack_offer_data),
      .ready_i     (ack_offer_ready),
      .pending_o   (ack_pending)
    );
  end else begin : gen_no_ack
    assign repeated        = '0;
    assign ack_offer_valid = '0;
    assign ack_offer_last  = '0;
    assign ack_offer_data  = '0;
    assign ack_pending     = 1'b0;
    logic unused_ack;
    assign unused_ack = ^{ask_src, ask_id, took_valid, took_src, took_id, ack_valid, ack_src,
                          ack_id, ack_offer_valid, ack_offer_last, ack_offer_data,
                          ack_offer_ready};
  end
  assign waits_o   = keeps != '0 || ack_pending;
  assign overdue_o = late != '0;

  if (Credit) begin : gen_credit
    // Every controller has a link of its own, which acknowledgements share.
    for (genvar c = 0; c < NumCtrl; c++) begin : gen_inject
      logic             word_valid, word_last, word_ready;
      logic [FlitW-1:0] word;
      if (Slots > 0) begin : gen_share
        weft_switch_unit #(
          .NumIn(2),
          .FlitW(FlitW)
        ) u_switch (
          .clk_i,
          .rst_ni (link_rst_n),
          .valid_i({ack_offer_valid[c], offer_valid[c]}),
          .last_i ({ack_offer_last[c], offer_last[c]}),
          .data_i ({ack_offer_data[c*FlitW +: FlitW], offer_data[c*FlitW +: FlitW]}),
          .ready_o({ack_offer_ready[c], offer_ready[c]}),
          .valid_o(word_valid),
          .last_o (word_last),
          .data_o (word),
          .ready_i(word_ready)
        );
      end else begin : gen_own
        assign word_valid         = offer_valid[c];
        assign word_last          = offer_last[c];
        assign word               = offer_data[c*FlitW +: FlitW];
        assign offer_ready[c]     = word_ready;
        assign ack_offer_ready[c] = 1'b0;
      end
      weft_inject_unit #(
        .DataW  (DataW),
        .Parity (Parity),
        .NumVc  (NumVc),
        .Depth  (VcDepth),
        .ByDest (ByDest),
        .InOrder(InOrder),
        .Classes(Classes),
        .Age    (Age),
        .AddrW  (AddrW),
        .NumDims(NumDims),
        .MaxCoords(MaxCoords)
      ) u_inject (
        .clk_i,
        .rst_ni     (link_rst_n),
        .valid_i    (word_valid),
        .last_i     (word_last),
        .data_i     (word),
        .ready_o    (word_ready),
        .tx_valid_o (tx_valid_o[c]),
        .tx_last_o  (tx_last_o[c]),
        .tx_vc_o    (tx_vc_o[c*VcW +: VcW]),
        .tx_data_o  (tx_data_o[c*FlitW +: FlitW]),
        .tx_stamp_o (tx_stamp_o[c*StampW +: StampW]),
        .tx_credit_i(tx_credit_i[c*NumVc +: NumVc])
      );
    end
    logic unused_full;
    assign unused_full = ^tx_full_i;
  end else begin : gen_full
    // The link is allocated to one controller for a whole packet, or to acknowledgements.
    localparam int unsigned NumIn = NumCtrl + (Slots > 0 ? 1 : 0);
    logic [NumIn-1:0]       in_valid, in_last, in_ready;
    logic [NumIn*FlitW-1:0] in_data;
    logic                   out_valid, out_last, out_ready;
    logic [FlitW-1:0]       out_data;
    assign in_valid[NumCtrl-1:0]      = offer_valid;
    assign in_last[NumCtrl-1:0]       = offer_last;
    assign in_data[NumCtrl*FlitW-1:0] = offer_data;
    assign offer_ready                = in_ready[NumCtrl-1:0];
    if (Slots > 0) begin : gen_share
      assign in_valid[NumCtrl]                  = ack_offer_valid;
      assign in_last[NumCtrl]                   = ack_offer_last;
      assign in_data[NumCtrl*FlitW +: FlitW]    = ack_offer_data;
      assign ack_offer_ready                    = in_ready[NumCtrl];
    end else begin : gen_own
      assign ack_offer_ready = 1'b0;
    end
    if (NumIn > 1) begin : gen_switch
      weft_switch_unit #(
        .NumIn(NumIn),
        .FlitW(FlitW)
      ) u_switch (
        .clk_i,
        .rst_ni (link_rst_n),
        .valid_i(in_valid),
        .last_i (in_last),
        .data_i (in_data),
        .ready_o(in_ready),
        .valid_o(out_valid),
        .last_o (out_last),
        .data_o (out_data),
        .ready_i(out_ready)
      );
    end else begin : gen_single
      assign out_valid = in_valid[0];
      assign out_last  = in_last[0];
      assign out_data  = in_data;
      assign in_ready  = out_ready;
    end

    weft_output_buffer #(
      .FlitW(FlitW),
      .Depth(0)
    ) u_link (
      .clk_i,
      .rst_ni (link_rst_n),
      .valid_i(out_valid),
      .last_i (out_last),
      .data_i (out_data),
      .ready_o(out_ready),
      .full_i (tx_full_i),
      .valid_o(tx_valid_o),
      .last_o (tx_last_o),
      .data_o (tx_data_o)
    );
    assign tx_vc_o    = '0;
    assign tx_stamp_o = '0;
    logic unused_credit;
    assign unused_credit = ^tx_credit_i;

`ifdef WEFT_CHECKED
    // The input whose packet is on the link.
    logic [NumIn-1:0] moved, owner_q;
    assign moved = in_valid & in_ready;
    always_ff @(posedge clk_i or negedge link_rst_n) begin
      if (!link_rst_n) owner_q <= '0;
      else if (moved != '0 && out_ready) owner_q <= out_last ? '0 : moved;
    end

    `WEFT_ASSERT(NoInterleaving, owner_q == '0 || moved == '0 || !out_ready || moved == owner_q)
    `WEFT_ASSERT(OneAtATime, NumIn == 1 || (moved & (moved - 1'b1)) == '0)
`endif
    // Acknowledgements may complete several messages at once.
    `WEFT_ASSERT(OneSentAtATime, Slots > 0 || (sent & (sent - 1'b1)) == '0)
  end

  // Messages sent; controllers with their own links may complete several in one cycle.
  logic [CountW-1:0] tx_count_q, tx_count_d;
  always_comb begin
    tx_count_d = tx_count_q;
    for (int unsigned c = 0; c < NumCtrl; c++) tx_count_d = tx_count_d + CountW'(sent[c]);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tx_count_q <= '0;
    else if (sent != '0) tx_count_q <= tx_count_d;
  end
  assign tx_count_o = tx_count_q;

  // Packets issued again.
  if (Slots > 0) begin : gen_resent
    logic [CountW-1:0] tx_resent_q, tx_resent_d;
    always_comb begin
      tx_resent_d = tx_resent_q;
      for (int unsigned c = 0; c < NumCtrl; c++) tx_resent_d = tx_resent_d + CountW'(resent[c]);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) tx_resent_q <= '0;
      else if (resent != '0) tx_resent_q <= tx_resent_d;
    end
    assign tx_resent_o = tx_resent_q;
  end else begin : gen_no_resent
    assign tx_resent_o = '0;
    logic unused_resent;
    assign unused_resent = ^resent;
  end

  // Receive side: a unit for each incoming link, with `Reduce` followed by its lane to memory.
  logic [NumLinks-1:0]          full, credit;
  logic [NumLinks-1:0]          wen, reduce, accepted;
  logic [NumLinks*LenW-1:0]     left;
  logic [NumLinks*MemAddrW-1:0] waddr;
  logic [NumLinks*DataW-1:0]    wdata;
  logic [NumLinks*CountsW-1:0]  written, counts, arrivals;
  logic [NumLinks*CountW-1:0]   parities, refusals, repeats;
  for (genvar i = 0; i < NumLinks; i++) begin : gen_recv
    weft_recv_unit #(
      .DataW      (DataW),
      .Parity     (Parity),
      .PacketFlits(PacketFlits),
      .ByPacket   (ByPacket),
      .AddrW      (AddrW),
      .MemReady   (MemReady || Reduce),
      .Windows    (Windows),
      .KeyW       (KeyW),
      .IdW        (IdW),
      .RxDepth    (RxDepth)
    ) u_recv (
      .clk_i,
      .rst_ni,
      .node_i,
      .restart_i,
      .rx_valid_i  (rx_valid_i[i]),
      .rx_last_i   (rx_last_i[i]),
      .rx_data_i   (rx_data_i[i*FlitW +: FlitW]),
      .rx_full_o   (full[i]),
      .rx_credit_o (credit[i]),
      .rx_base_i,
      .rx_size_i,
      .rx_key_i,
      .mem_wen_o   (wen[i]),
      .mem_waddr_o (waddr[i*MemAddrW +: MemAddrW]),
      .mem_wdata_o (wdata[i*DataW +: DataW]),
      .mem_wready_i(accepted[i]),
      .mem_wleft_o (left[i*LenW +: LenW]),
      .mem_reduce_o(reduce[i]),
      .ask_src_o   (ask_src[i*AddrW +: AddrW]),
      .ask_id_o    (ask_id[i*IdPortW +: IdPortW]),
      .repeated_i  (repeated[i]),
      .took_valid_o(took_valid[i]),
      .took_src_o  (took_src[i*AddrW +: AddrW]),
      .took_id_o   (took_id[i*IdPortW +: IdPortW]),
      .ack_valid_o (ack_valid[i]),
      .ack_src_o   (ack_src[i*AddrW +: AddrW]),
      .ack_id_o    (ack_id[i*IdPortW +: IdPortW]),
      .rx_count_o  (written[i*CountsW +: CountsW]),
      .rx_arrived_o(arrivals[i*CountsW +: CountsW]),
      .rx_parity_o (parities[i*CountW +: CountW]),
      .rx_refused_o(refusals[i*CountW +: CountW]),
      .rx_repeated_o(repeats[i*CountW +: CountW])
    );
  end
  if (Reduce) begin : gen_reduce
    weft_reduce_lanes #(
      .DataW   (DataW),
      .NumLinks(NumLinks)
    ) u_lanes (
      .clk_i,
      .rst_ni,
      .mem_wen_i   (wen),
      .mem_reduce_i(reduce),
      .mem_waddr_i (waddr),
      .mem_wdata_i (wdata),
      .mem_wready_o(accepted),
      .rx_count_i  (written),
      .reduce_op_i,
      .reduce_type_i,
      .reduce_count_i,
      .mem_ren_o   (mem_ren_o[NumCtrl +: NumLinks]),
      .mem_raddr_o (mem_raddr_o[NumCtrl*MemAddrW +: NumLinks*MemAddrW]),
      .mem_rdata_i (mem_rdata_i[NumCtrl*DataW +: NumLinks*DataW]),
      .mem_wen_o,
      .mem_waddr_o,
      .mem_wdata_o,
      .rx_count_o  (counts)
    );
    assign mem_wleft_o = '0;
    assign mem_rleft_o[NumCtrl*LenW +: NumLinks*LenW] = '0;
    logic unused_ready;
    assign unused_ready = ^{left, mem_wready_i, mem_rready_i[NumCtrl +: NumLinks]};
  end else begin : gen_store
    assign mem_wen_o   = wen;
    assign mem_waddr_o = waddr;
    assign mem_wdata_o = wdata;
    assign mem_wleft_o = left;
    assign accepted    = mem_wready_i;
    assign counts      = written;
    logic unused_reduce;
    assign unused_reduce = ^{reduce, reduce_op_i, reduce_type_i, reduce_count_i};
  end

  if (Credit) begin : gen_rx_credit
    assign rx_full_o   = '0;
    assign rx_credit_o = credit;
    logic unused_rx_full;
    assign unused_rx_full = ^full;
  end else begin : gen_rx_full
    assign rx_full_o   = full;
    assign rx_credit_o = '0;
    logic unused_rx_credit;
    assign unused_rx_credit = ^credit;
  end

  assign rx_link_o = counts;

  // The other counters at the ports are the sums over all units.
  always_comb begin
    rx_count_o   = '0;
    rx_arrived_o = '0;
    rx_parity_o  = '0;
    rx_refused_o = '0;
    rx_repeated_o = '0;
    for (int unsigned i = 0; i < NumLinks; i++) begin
      for (int unsigned t = 0; t < weft_pkg::NumRxCounts; t++) begin
        rx_count_o[t*CountW +: CountW] = rx_count_o[t*CountW +: CountW] +
                                         counts[i*CountsW + t*CountW +: CountW];
        rx_arrived_o[t*CountW +: CountW] = rx_arrived_o[t*CountW +: CountW] +
                                           arrivals[i*CountsW + t*CountW +: CountW];
      end
      rx_parity_o  = rx_parity_o + parities[i*CountW +: CountW];
      rx_refused_o = rx_refused_o + refusals[i*CountW +: CountW];
      rx_repeated_o = rx_repeated_o + repeats[i*CountW +: CountW];
    end
  end

`ifdef WEFT_CHECKED
  if (KeyW > 0 || Slots > 0) begin : gen_keyed
    // Without key; where there is an id, these bits of the offset are 0.
    localparam int unsigned PlaceW = OffW - KeyW;
    logic [MsgLenW:0] place_end;
    assign place_end = (MsgLenW + 1)'(desc_off_i[PlaceW-1:0]) + (MsgLenW + 1)'(desc_len_i);
    `WEFT_ASSUME(MessageUnderOneKey, !desc_valid_i || 32'(place_end) <= 32'd1 << (PlaceW - IdW))
  end
`endif
  `WEFT_ASSERT(QueueCounted, {1'b0, waiting} <= (FreeW + 1)'(QueueDepth))

endmodule

// Keeps the packets of one send controller until their destinations have acknowledged them, and
// sends them again after a restart (alternating bit, Bartlett et al. 1969, with several slots).

`include "weft_assert.svh"

module weft_retain_unit #(
  /// Most body flits of a packet, 1 to 255.
  parameter int unsigned PacketFlits = 128,
  /// Width of an address, bits: weft_pkg::AddrW to MaxAddrW.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  /// Send controllers of the interface, 1 to 8.
  parameter int unsigned NumCtrl = 1,
  /// Packets that are kept at most: 2, 4, 8 or 16.
  parameter int unsigned Slots = 4,
  /// Destinations have addresses below this; 1 to 2 ** 20.
  parameter int unsigned NumAddr = 16,
  /// Width of the keys of windows, bits, 0 to 8: the top bits of an offset.
  parameter int unsigned KeyW = 0,
  /// Incoming links, each with a lane of acknowledgements; 1 or more.
  parameter int unsigned NumLinks = 1,
  /// Cycles without a retired packet after which packets are overdue, 1 to 2 ** 20.
  parameter int unsigned Timeout = 4096,
  // Derived.
  localparam int unsigned OffW  = weft_pkg::HdrLenLsb - 2 * AddrW,
  localparam int unsigned CtrlIdW = NumCtrl > 1 ? $clog2(NumCtrl) : 0,
  localparam int unsigned CtrlPortW = CtrlIdW > 0 ? CtrlIdW : 1,
  localparam int unsigned IdW   = 1 + CtrlIdW + $clog2(Slots) + 1
) (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// Number of the controller, in its packets' ids; ignored where `NumCtrl` is 1.
  input  logic [CtrlPortW-1:0]          ctrl_i,
  /// No packet is issued.
  input  logic                          hold_i,
  /// All packets that are not acknowledged are issued again.
  input  logic                          restart_i,
  /// A message is to be sent.
  input  logic                          desc_valid_i,
  /// Message: destination.
  input  logic [AddrW-1:0]              desc_dst_i,
  /// Message: first word in local memory.
  input  logic [weft_pkg::MemAddrW-1:0] desc_addr_i,
  /// Message: length, flits; 0 sends a header alone.
  input  logic [weft_pkg::MsgLenW-1:0]  desc_len_i,
  /// Message: key and offset in the destination's receive window, flits; 0 where the id will be.
  input  logic [OffW-1:0]               desc_off_i,
  /// Message: tag.
  input  logic [weft_pkg::TagW-1:0]     desc_tag_i,
  /// Message: inter-packet gap, packet times.
  input  logic [weft_pkg::GapW-1:0]     desc_gap_i,
  /// The message is taken in this cycle if there is one.
  output logic                          desc_ready_o,
  /// No packet is kept, and no message is being cut into packets.
  output logic                          empty_o,
  /// A packet is issued.
  output logic                          pkt_valid_o,
  /// Packet: destination; with all its fields 0 without one.
  output logic [AddrW-1:0]              pkt_dst_o,
  /// Packet: first word of the body in local memory.
  output logic [weft_pkg::MemAddrW-1:0] pkt_addr_o,
  /// Packet: body flits.
  output logic [weft_pkg::MsgLenW-1:0]  pkt_len_o,
  /// Packet: key, id and offset.
  output logic [OffW-1:0]               pkt_off_o,
  /// Packet: tag.
  output logic [weft_pkg::TagW-1:0]     pkt_tag_o,
  /// Packet: inter-packet gap, packet times.
  output logic [weft_pkg::GapW-1:0]     pkt_gap_o,
  /// Packet: another one of its message follows.
  output logic                          pkt_more_o,
  /// The packet is taken in this cycle if there is one.
  input  logic                          pkt_ready_i,
  /// Incoming links: an acknowledgement.
  input  logic [NumLinks-1:0]           ack_valid_i,
  /// Acknowledgements: node that sends it, lane 0 lowest.
  input  logic [NumLinks*AddrW-1:0]     ack_src_i,
  /// Acknowledgements: id of the packet without `ack`, lane 0 lowest.
  input  logic [NumLinks*(IdW-1)-1:0]   ack_id_i,
  /// The last packet of a message retired in the cycle before.
  output logic                          sent_o,
  /// A packet was issued in the cycle before that had been issued already.
  output logic                          resent_o,
  /// A packet is not acknowledged.
  output logic                          waits_o,
  /// For `Timeout` cycles there was one and none retired.
  output logic                          overdue_o
);

  `WEFT_PARAM(gen_check_addr_w, AddrW >= weft_pkg::AddrW && AddrW <= weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_packet, PacketFlits >= 1 && PacketFlits <= 255)
  `WEFT_PARAM(gen_check_ctrl, NumCtrl >= 1 && NumCtrl <= 8)
  `WEFT_PARAM(gen_check_slots, Slots == 2 || Slots == 4 || Slots == 8 || Slots == 16)
  `WEFT_PARAM(gen_check_nodes, NumAddr >= 1 && NumAddr <= 2 ** weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_links, NumLinks >= 1)
  `WEFT_PARAM(gen_check_timeout, Timeout >= 1 && Timeout <= 2 ** 20)
  `WEFT_PARAM(gen_check_key_w, KeyW <= 8 && KeyW + IdW < OffW)

  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned MsgLenW  = weft_pkg::MsgLenW;
  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned TagW     = weft_pkg::TagW;
  localparam int unsigned GapW     = weft_pkg::GapW;
  localparam int unsigned SlotW    = $clog2(Slots);
  localparam int unsigned PtrW     = SlotW + 1;
  localparam int unsigned KeyPortW = KeyW > 0 ? KeyW : 1;
  // Bits of an offset below the id; 1 where it does not fit, which a check refuses.
  localparam int unsigned PlaceW   = KeyW + IdW < OffW ? OffW - KeyW - IdW : 1;
  localparam int unsigned EntryW   = $clog2(NumAddr) + SlotW;
  localparam int unsigned TimeW    = $clog2(Timeout + 1);
  localparam int unsigned FieldsW  = MemAddrW + LenW + KeyPortW + PlaceW + TagW + GapW + 1;

  // Message that is being cut into packets: the part that is left.
  logic                msg_q;
  logic [AddrW-1:0]    dst_q;
  logic [MemAddrW-1:0] addr_q;
  logic [MsgLenW-1:0]  left_q;
  logic [KeyPortW-1:0] key_q;
  logic [PlaceW-1:0]   place_q;
  logic [TagW-1:0]     tag_q;
  logic [GapW-1:0]     gap_q;

  // The slots, and of each destination and slot `gen` of the next packet. What describes a packet
  // needs no reset: it is read only after a write.
  logic [PtrW-1:0]          oldest_q, issue_q, free_q, fresh_q;
  logic [Slots-1:0]         acked_q;
  logic [Slots-1:0]         gen_q;
  logic [AddrW-1:0]         slot_dst_q [Slots];
  logic [FieldsW-1:0]       fields_q [Slots];
  logic [NumAddr*Slots-1:0] next_gen_q;
  logic [TimeW-1:0]         time_q;
  logic                     sent_q, resent_q;

  logic [SlotW-1:0] oldest_slot, issue_slot, free_slot;
  logic [PtrW-1:0]  kept;
  assign oldest_slot = oldest_q[SlotW-1:0];
  assign issue_slot  = issue_q[SlotW-1:0];
  assign free_slot   = free_q[SlotW-1:0];
  assign kept        = free_q - oldest_q;

  // Cutting.
  logic                cut, final_cut, known, next_gen, accept;
  logic [LenW-1:0]     cut_len;
  logic [EntryW-1:0]   entry;
  logic [KeyPortW-1:0] desc_key;
  assign accept    = desc_valid_i && desc_ready_o;
  assign cut       = msg_q && kept != PtrW'(Slots);
  assign final_cut = left_q <= MsgLenW'(PacketFlits);
  assign cut_len   = final_cut ? left_q[LenW-1:0] : LenW'(PacketFlits);
  assign known     = 32'(dst_q) < NumAddr;
  assign entry     = EntryW'({dst_q, free_slot});
  assign next_gen  = known && next_gen_q[entry];
  if (KeyW > 0) begin : gen_key
    assign desc_key = desc_off_i[OffW-1 -: KeyPortW];
  end else begin : gen_no_key
    assign desc_key = '0;
  end

  // Issuing. A packet that is acknowledged is passed over.
  logic                issued, passed, packet_more;
  logic [MemAddrW-1:0] packet_addr;
  logic [LenW-1:0]     packet_len;
  logic [KeyPortW-1:0] packet_key;
  logic [PlaceW-1:0]   packet_place;
  logic [TagW-1:0]     packet_tag;
  logic [GapW-1:0]     packet_gap;
  logic [OffW-1:0]     packet_off;
  logic [IdW-1:0]      packet_id;
  assign pkt_valid_o = !hold_i && issue_q != free_q && !acked_q[issue_slot];
  assign issued      = pkt_valid_o && pkt_ready_i;
  assign passed      = issue_q != free_q && acked_q[issue_slot];
  assign {packet_addr, packet_len, packet_key, packet_place, packet_tag, packet_gap, packet_more} =
      fields_q[issue_slot];
  if (NumCtrl > 1) begin : gen_ctrl
    assign packet_id = {1'b0, ctrl_i, issue_slot, gen_q[issue_slot]};
  end else begin : gen_one_ctrl
    assign packet_id = {1'b0, issue_slot, gen_q[issue_slot]};
    logic unused_ctrl;
    assign unused_ctrl = ctrl_i;
  end
  if (KeyW > 0) begin : gen_key_sent
    assign packet_off = {packet_key, packet_id, packet_place};
  end else begin : gen_no_key_sent
    assign packet_off = {packet_id, packet_place};
    logic unused_key;
    assign unused_key = packet_key;
  end
  assign pkt_dst_o  = pkt_valid_o ? slot_dst_q[issue_slot] : '0;
  assign pkt_addr_o = pkt_valid_o ? packet_addr : '0;
  assign pkt_len_o  = pkt_valid_o ? MsgLenW'(packet_len) : '0;
  assign pkt_off_o  = pkt_valid_o ? packet_off : '0;
  assign pkt_tag_o  = pkt_valid_o ? packet_tag : '0;
  assign pkt_gap_o  = pkt_valid_o ? packet_gap : '0;
  assign pkt_more_o = pkt_valid_o && packet_more;

  // Acknowledgements. One of a slot that is not in use has no effect: the packet that goes into the
  // slot is not acknowledged.
  logic [NumLinks*Slots-1:0] acked_by;  // of each lane
  logic [Slots-1:0]          acked;
  for (genvar i = 0; i < NumLinks; i++) begin : gen_lane
    logic [IdW-2:0]   id;
    logic [SlotW-1:0] slot;
    logic             own, hit;
    assign id   = ack_id_i[i*(IdW-1) +: IdW-1];
    assign slot = id[SlotW:1];
    if (NumCtrl > 1) begin : gen_own
      assign own = id[IdW-2 -: CtrlPortW] == ctrl_i;
    end else begin : gen_any
      assign own = 1'b1;
    end
    assign hit = ack_valid_i[i] && own && slot_dst_q[slot] == ack_src_i[i*AddrW +: AddrW] &&
                 gen_q[slot] == id[0];
    assign acked_by[i*Slots +: Slots] = hit ? Slots'(1) << slot : '0;
  end
  always_comb begin
    acked = '0;
    for (int unsigned i = 0; i < NumLinks; i++) acked = acked | acked_by[i*Slots +: Slots];
  end

  // Retiring, in order.
  logic            retire, more_of_oldest;
  logic [PtrW-1:0] oldest_d;
  assign retire         = waits_o && acked_q[oldest_slot];
  assign more_of_oldest = fields_q[oldest_slot][0];
  assign oldest_d       = retire ? oldest_q + 1'b1 : oldest_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      msg_q      <= 1'b0;
      dst_q      <= '0;
      addr_q     <= '0;
      left_q     <= '0;
      key_q      <= '0;
      place_q    <= '0;
      tag_q      <= '0;
      gap_q      <= '0;
      oldest_q   <= '0;
      issue_q    <= '0;
      free_q     <= '0;
      fresh_q    <= '0;
      acked_q    <= '0;
      next_gen_q <= '0;
      time_q     <= '0;
      sent_q     <= 1'b0;
      resent_q   <= 1'b0;
    end else begin
      if (accept) begin
        msg_q   <= 1'b1;
        dst_q   <= desc_dst_i;
        addr_q  <= desc_addr_i;
        left_q  <= desc_len_i;
        key_q   <= desc_key;
        place_q <= desc_off_i[PlaceW-1:0];
        tag_q   <= desc_tag_i;
        gap_q   <= desc_gap_i;
      end else if (cut) begin
        msg_q   <= !final_cut;
        addr_q  <= addr_q + MemAddrW'(cut_len);
        left_q  <= left_q - MsgLenW'(cut_len);
        place_q <= place_q + PlaceW'(cut_len);
      end

      acked_q <= acked_q | acked;
      if (cut) begin
        acked_q[free_slot] <= 1'b0;
        free_q             <= free_q + 1'b1;
        if (known) next_gen_q[entry] <= !next_gen;
      end

      oldest_q <= oldest_d;
      if (issued || passed) begin
        issue_q <= issue_q + 1'b1;
        if (issue_q == fresh_q) fresh_q <= fresh_q + 1'b1;
      end
      if (restart_i) issue_q <= oldest_d;

      if (restart_i) time_q <= '0;
      else if (!hold_i && (!waits_o || retire)) time_q <= '0;
      else if (!hold_i && !overdue_o) time_q <= time_q + 1'b1;

      sent_q   <= retire && !more_of_oldest;
      resent_q <= issued && issue_q != fresh_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (cut) begin
      slot_dst_q[free_slot] <= dst_q;
      gen_q[free_slot]      <= next_gen;
      fields_q[free_slot]   <= {addr_q, cut_len, key_q, place_q, tag_q, gap_q, !final_cut};
    end
  end

  assign desc_ready_o = !msg_q;
  assign empty_o      = !msg_q && !waits_o;
  assign waits_o      = oldest_q != free_q;
  assign overdue_o    = time_q == TimeW'(Timeout);
  assign sent_o       = sent_q;
  assign resent_o     = resent_q;

  // The message leaves the id's bits alone.
  logic [IdW-1:0] unused_id;
  assign unused_id = desc_off_i[PlaceW +: IdW];
`ifdef WEFT_CHECKED
  logic [31:0] place_end;
  assign place_end = 32'(desc_off_i[PlaceW-1:0]) + 32'(desc_len_i);
  `WEFT_ASSUME(MessageBeforeId, !desc_valid_i ||
      (unused_id == '0 && place_end <= 32'd1 << PlaceW))
  // From the oldest packet on.
  logic [PtrW-1:0] to_issue, to_fresh;
  assign to_issue = issue_q - oldest_q;
  assign to_fresh = fresh_q - oldest_q;
`endif
  `WEFT_ASSERT(SlotsInUse, kept <= PtrW'(Slots))
  `WEFT_ASSERT(PointersInOrder, to_issue <= to_fresh && to_fresh <= kept)
  `WEFT_ASSERT(IssuedIsKept, !pkt_valid_o || to_issue < kept)
  `WEFT_ASSERT(TimeInRange, {1'b0, time_q} <= (TimeW + 1)'(Timeout))

endmodule

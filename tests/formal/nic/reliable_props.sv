// Proof of reliable delivery: the unit that keeps the packets of a controller, and two nodes' units
// that acknowledge them, over a network that delays, loses and reorders packets and
// acknowledgements in any way. A restart empties it, and is held as the interface requires. A
// chosen packet (`track_i` is free) is issued with its message's fields each time, is taken as new
// exactly once before it retires, and then no copy of it is left; a message is reported as sent
// only after its packets were taken. Values of the package are small here.

`include "weft_assert.svh"

module reliable_props #(
  parameter int unsigned PacketFlits = 1,
  localparam int unsigned AddrW    = weft_pkg::AddrW,
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW,
  localparam int unsigned MsgLenW  = weft_pkg::MsgLenW,
  localparam int unsigned OffW     = weft_pkg::OffW,
  localparam int unsigned TagW     = weft_pkg::TagW,
  localparam int unsigned GapW     = weft_pkg::GapW
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                hold_i,
  input logic                restart_i,
  input logic                desc_valid_i,
  input logic [AddrW-1:0]    desc_dst_i,
  input logic [MemAddrW-1:0] desc_addr_i,
  input logic [MsgLenW-1:0]  desc_len_i,
  input logic [OffW-1:0]     desc_off_i,
  input logic [TagW-1:0]     desc_tag_i,
  input logic [GapW-1:0]     desc_gap_i,
  input logic                pkt_ready_i,
  input logic [7:0]          lose_i,
  input logic [7:0]          lose_ack_i,
  input logic [1:0]          come_i,
  input logic [3:0]          which_i,
  input logic                ack_comes_i,
  input logic [2:0]          which_ack_i,
  input logic [1:0]          ack_ready_i,
  input logic                track_i
);

  localparam int unsigned LenW    = weft_pkg::LenW;
  localparam int unsigned PlaceW  = OffW - 3;
  localparam int unsigned FieldsW = MemAddrW + LenW + 1 + PlaceW + TagW + GapW + 1;
  localparam int unsigned DataW   = weft_pkg::HdrW;
  localparam int unsigned SourceW = 1;  // Bits of a source in the FIFO of one: one source alone.

  // An id here is {slot, gen}; a packet or acknowledgement in the network is bit {node, id}.
  logic                desc_ready, pkt_valid, pkt_more, sent;
  logic [AddrW-1:0]    pkt_dst;
  logic [MemAddrW-1:0] pkt_addr;
  logic [MsgLenW-1:0]  pkt_len;
  logic [OffW-1:0]     pkt_off;
  logic [TagW-1:0]     pkt_tag;
  logic [GapW-1:0]     pkt_gap;
  logic                ack_q;      // an acknowledgement was judged
  logic [AddrW-1:0]    ack_src_q;
  logic [1:0]          ack_id_q;
  weft_retain_unit #(
    .PacketFlits(PacketFlits),
    .Slots      (2),
    .NumAddr    (2),
    .Timeout    (3)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .ctrl_i      (1'b0),
    .hold_i,
    .restart_i,
    .desc_valid_i,
    .desc_dst_i,
    .desc_addr_i,
    .desc_len_i,
    .desc_off_i,
    .desc_tag_i,
    .desc_gap_i,
    .desc_ready_o(desc_ready),
    .empty_o     (),
    .pkt_valid_o (pkt_valid),
    .pkt_dst_o   (pkt_dst),
    .pkt_addr_o  (pkt_addr),
    .pkt_len_o   (pkt_len),
    .pkt_off_o   (pkt_off),
    .pkt_tag_o   (pkt_tag),
    .pkt_gap_o   (pkt_gap),
    .pkt_more_o  (pkt_more),
    .pkt_ready_i,
    .ack_valid_i (ack_q),
    .ack_src_i   (ack_src_q),
    .ack_id_i    (ack_id_q),
    .sent_o      (sent),
    .resent_o    (),
    .waits_o     (),
    .overdue_o   ()
  );

  // The nodes. A packet that comes passes all checks; it is judged in this cycle and taken in the
  // next.
  logic [7:0]         net_q, ack_net_q;
  logic [1:0]         come, took_q, repeated, offer, took_ack;
  logic [3:0]         took_id_q, offer_id;
  logic [2*DataW-1:0] offer_data;
  for (genvar n = 0; n < 2; n++) begin : gen_node
    assign come[n] = come_i[n] && net_q[n*4 + which_i[n*2 +: 2]];
    weft_ack_unit #(
      .DataW  (DataW),
      .Slots  (2),
      .NumAddr(1)
    ) u_ack (
      .clk_i,
      .rst_ni,
      .node_i      (AddrW'(n)),
      .restart_i,
      .ask_src_i   (AddrW'(0)),
      .ask_id_i    (come[n] ? which_i[n*2 +: 2] : 2'd0),
      .repeated_o  (repeated[n]),
      .took_valid_i(took_q[n]),
      .took_src_i  (AddrW'(0)),
      .took_id_i   (took_id_q[n*2 +: 2]),
      .valid_o     (offer[n]),
      .last_o      (),
      .data_o      (offer_data[n*DataW +: DataW]),
      .ready_i     (ack_ready_i[n]),
      .pending_o   ()
    );
    assign took_ack[n] = offer[n] && ack_ready_i[n];
    assign offer_id[n*2 +: 2] = offer_data[n*DataW + 2*AddrW + PlaceW +: 2];
    `WEFT_ASSERT(AcknowledgesToSource, !offer[n] ||
        (offer_data[n*DataW +: 2*AddrW] == {AddrW'(n), AddrW'(0)} &&
         offer_data[n*DataW + 2*AddrW + PlaceW + 2]))
  end

  // The network.
  logic       issued, ack_comes, restart_q;
  logic [7:0] enter, leave, ack_enter, ack_leave;
  logic [1:0] pkt_id;
  assign issued    = pkt_valid && pkt_ready_i;
  assign pkt_id    = pkt_off[PlaceW +: 2];
  assign ack_comes = ack_comes_i && ack_net_q[which_ack_i];
  assign enter     = (issued && pkt_dst < 2) ? 8'd1 << {pkt_dst[0], pkt_id} : '0;
  assign leave     = lose_i | (come[0] ? 8'd1 << {1'b0, which_i[1:0]} : 8'd0) |
                     (come[1] ? 8'd1 << {1'b1, which_i[3:2]} : 8'd0);
  assign ack_enter = (took_ack[0] ? 8'd1 << {1'b0, offer_id[1:0]} : 8'd0) |
                     (took_ack[1] ? 8'd1 << {1'b1, offer_id[3:2]} : 8'd0);
  assign ack_leave = lose_ack_i | (ack_comes ? 8'd1 << which_ack_i : 8'd0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      net_q     <= '0;
      ack_net_q <= '0;
      took_q    <= '0;
      took_id_q <= '0;
      ack_q     <= 1'b0;
      ack_src_q <= '0;
      ack_id_q  <= '0;
      restart_q <= 1'b0;
    end else begin
      net_q     <= restart_i ? '0 : (net_q & ~leave) | enter;
      ack_net_q <= restart_i ? '0 : (ack_net_q & ~ack_leave) | ack_enter;
      took_q    <= come;
      took_id_q <= {come[1] ? which_i[3:2] : 2'd0, come[0] ? which_i[1:0] : 2'd0};
      ack_q     <= ack_comes;
      ack_src_q <= ack_comes ? AddrW'(which_ack_i[2]) : '0;
      ack_id_q  <= ack_comes ? which_ack_i[1:0] : '0;
      restart_q <= restart_i;
    end
  end
  `WEFT_ASSUME(RestartHeld, hold_i || !(restart_i || restart_q))
  `WEFT_ASSUME(MessageBeforeId, !desc_valid_i || (desc_off_i[PlaceW +: 3] == '0 &&
      32'(desc_off_i[PlaceW-1:0]) + 32'(desc_len_i) <= 2 ** PlaceW))

  // Registers inside.
  (* hierconn *) wire \u_dut.msg_q ;
  (* hierconn *) wire \u_dut.cut ;
  (* hierconn *) wire \u_dut.retire ;
  (* hierconn *) wire [1:0] \u_dut.oldest_q ;
  (* hierconn *) wire [1:0] \u_dut.issue_q ;
  (* hierconn *) wire [1:0] \u_dut.fresh_q ;
  (* hierconn *) wire [1:0] \u_dut.free_q ;
  (* hierconn *) wire [1:0] \u_dut.acked_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_q ;
  (* hierconn *) wire [AddrW-1:0] \u_dut.slot_dst_q[0] ;
  (* hierconn *) wire [AddrW-1:0] \u_dut.slot_dst_q[1] ;
  (* hierconn *) wire [FieldsW-1:0] \u_dut.fields_q[0] ;
  (* hierconn *) wire [FieldsW-1:0] \u_dut.fields_q[1] ;
  (* hierconn *) wire [3:0] \u_dut.next_gen_q ;
  (* hierconn *) wire [AddrW-1:0] \u_dut.dst_q ;
  (* hierconn *) wire [MemAddrW-1:0] \u_dut.addr_q ;
  (* hierconn *) wire [MsgLenW-1:0] \u_dut.left_q ;
  (* hierconn *) wire [PlaceW-1:0] \u_dut.place_q ;
  (* hierconn *) wire [TagW-1:0] \u_dut.tag_q ;
  (* hierconn *) wire [GapW-1:0] \u_dut.gap_q ;
  (* hierconn *) wire \u_dut.sent_q ;
  (* hierconn *) wire [1:0] \gen_node[0].u_ack.next_gen_q ;
  (* hierconn *) wire [1:0] \gen_node[1].u_ack.next_gen_q ;
  (* hierconn *) wire \gen_node[0].u_ack.restart_q ;
  (* hierconn *) wire \gen_node[1].u_ack.restart_q ;
  (* hierconn *) wire [1:0] \gen_node[0].u_ack.gen_lane[0].u_fifo.count_q ;
  (* hierconn *) wire [1:0] \gen_node[1].u_ack.gen_lane[0].u_fifo.count_q ;
  (* hierconn *) wire \gen_node[0].u_ack.gen_lane[0].u_fifo.rptr_q ;
  (* hierconn *) wire \gen_node[1].u_ack.gen_lane[0].u_fifo.rptr_q ;
  (* hierconn *) wire \gen_node[0].u_ack.gen_lane[0].u_fifo.wptr_q ;
  (* hierconn *) wire \gen_node[1].u_ack.gen_lane[0].u_fifo.wptr_q ;
  (* hierconn *) wire [SourceW+1:0] \gen_node[0].u_ack.gen_lane[0].u_fifo.mem_q[0] ;
  (* hierconn *) wire [SourceW+1:0] \gen_node[0].u_ack.gen_lane[0].u_fifo.mem_q[1] ;
  (* hierconn *) wire [SourceW+1:0] \gen_node[1].u_ack.gen_lane[0].u_fifo.mem_q[0] ;
  (* hierconn *) wire [SourceW+1:0] \gen_node[1].u_ack.gen_lane[0].u_fifo.mem_q[1] ;
  logic [1:0] oldest, issue, free, acked, gens;
  logic       cut;
  assign oldest = \u_dut.oldest_q ;
  assign issue  = \u_dut.issue_q ;
  assign free   = \u_dut.free_q ;
  assign acked  = \u_dut.acked_q ;
  assign gens   = \u_dut.gen_q ;
  assign cut    = \u_dut.cut ;

  // The message that is being cut, and messages that were accepted and reported.
  logic [AddrW-1:0]    dst_q;
  logic [MemAddrW-1:0] addr_q;
  logic [MsgLenW-1:0]  left_q, cut_len;
  logic [PlaceW-1:0]   place_q;
  logic [TagW-1:0]     tag_q;
  logic [GapW-1:0]     gap_q;
  logic [2:0]          accepted_q, reported_q;
  // The chosen packet.
  logic                tracking_q, taken_q, more_q;
  logic [1:0]          ptr_q;
  logic [2:0]          key_q, message_q;
  logic [MemAddrW-1:0] chosen_addr_q;
  logic [MsgLenW-1:0]  chosen_len_q;
  logic [PlaceW-1:0]   chosen_place_q;
  logic [TagW-1:0]     chosen_tag_q;
  logic [GapW-1:0]     chosen_gap_q;
  logic                choose, chosen_issued, chosen_comes, chosen_retires, chosen_slot;
  logic [1:0]          come_id;
  assign cut_len        = 32'(left_q) <= PacketFlits ? left_q : MsgLenW'(PacketFlits);
  assign choose         = cut && track_i && !tracking_q && dst_q < 2;
  assign chosen_slot    = ptr_q[0];
  assign chosen_issued  = tracking_q && issued && issue == ptr_q;
  assign come_id        = key_q[2] ? which_i[3:2] : which_i[1:0];
  assign chosen_comes   = tracking_q && come[key_q[2]] && come_id == key_q[1:0];
  assign chosen_retires = tracking_q && \u_dut.retire && oldest == ptr_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dst_q          <= '0;
      addr_q         <= '0;
      left_q         <= '0;
      place_q        <= '0;
      tag_q          <= '0;
      gap_q          <= '0;
      accepted_q     <= '0;
      reported_q     <= '0;
      tracking_q     <= 1'b0;
      taken_q        <= 1'b0;
      more_q         <= 1'b0;
      ptr_q          <= '0;
      key_q          <= '0;
      message_q      <= '0;
      chosen_addr_q  <= '0;
      chosen_len_q   <= '0;
      chosen_place_q <= '0;
      chosen_tag_q   <= '0;
      chosen_gap_q   <= '0;
    end else begin
      if (desc_valid_i && desc_ready) begin
        dst_q      <= desc_dst_i;
        addr_q     <= desc_addr_i;
        left_q     <= desc_len_i;
        place_q    <= desc_off_i[PlaceW-1:0];
        tag_q      <= desc_tag_i;
        gap_q      <= desc_gap_i;
        accepted_q <= accepted_q + 1'b1;
      end else if (cut) begin
        addr_q  <= addr_q + MemAddrW'(cut_len);
        left_q  <= left_q - cut_len;
        place_q <= place_q + PlaceW'(cut_len);
      end
      reported_q <= reported_q + 3'(sent);
      if (choose) begin
        tracking_q     <= 1'b1;
        taken_q        <= 1'b0;
        more_q         <= left_q != cut_len;
        ptr_q          <= free;
        key_q          <= {dst_q[0], free[0], \u_dut.next_gen_q [{dst_q[0], free[0]}]};
        message_q      <= accepted_q - 1'b1;
        chosen_addr_q  <= addr_q;
        chosen_len_q   <= cut_len;
        chosen_place_q <= place_q;
        chosen_tag_q   <= tag_q;
        chosen_gap_q   <= gap_q;
      end
      if (chosen_comes && !repeated[key_q[2]]) taken_q <= 1'b1;
      if (chosen_retires) tracking_q <= 1'b0;
    end
  end

  // What is to be shown. A copy of the chosen packet is in the network where its bit is set; no
  // other packet has that bit then (below: `InNetwork`).
  `WEFT_ASSERT(IssuedAsCut, !chosen_issued || (pkt_dst == AddrW'(key_q[2]) &&
      pkt_off == {1'b0, key_q[1:0], chosen_place_q} && pkt_addr == chosen_addr_q &&
      pkt_len == chosen_len_q && pkt_tag == chosen_tag_q && pkt_gap == chosen_gap_q &&
      pkt_more == more_q))
  `WEFT_ASSERT(NotTakenTwice, !(chosen_comes && !repeated[key_q[2]] && taken_q))
  `WEFT_ASSERT(TakenBeforeItRetires, !chosen_retires || (taken_q && !net_q[key_q]))
  `WEFT_ASSERT(TakenBeforeReported, !(tracking_q && sent && reported_q == message_q && !taken_q))
  `WEFT_ASSERT(OneCopy, (enter & net_q) == '0 && (ack_enter & ack_net_q) == '0)

  // Invariants that close the induction.
  logic [1:0] used, gone;             // of a slot: in use, and issued since the last restart
  logic [1:0] kept, to_issue;
  logic [3:0] next, expected, counts; // by node and slot: `gen` of both sides; of a FIFO
  logic [1:0] rptr, wptr, more, restarts;
  logic [2*AddrW-1:0] dsts;
  logic [15:0] waits, stored;         // by node: the two places of a FIFO
  assign kept     = free - oldest;
  assign to_issue = issue - oldest;
  assign next     = \u_dut.next_gen_q ;
  assign expected = {\gen_node[1].u_ack.next_gen_q , \gen_node[0].u_ack.next_gen_q };
  assign counts   = {\gen_node[1].u_ack.gen_lane[0].u_fifo.count_q ,
                     \gen_node[0].u_ack.gen_lane[0].u_fifo.count_q };
  assign rptr     = {\gen_node[1].u_ack.gen_lane[0].u_fifo.rptr_q ,
                     \gen_node[0].u_ack.gen_lane[0].u_fifo.rptr_q };
  assign wptr     = {\gen_node[1].u_ack.gen_lane[0].u_fifo.wptr_q ,
                     \gen_node[0].u_ack.gen_lane[0].u_fifo.wptr_q };
  assign restarts = {\gen_node[1].u_ack.restart_q , \gen_node[0].u_ack.restart_q };
  assign dsts     = {\u_dut.slot_dst_q[1] , \u_dut.slot_dst_q[0] };
  assign more     = {\u_dut.fields_q[1] [0], \u_dut.fields_q[0] [0]};
  logic [4*(SourceW+2)-1:0] places;
  assign places = {\gen_node[1].u_ack.gen_lane[0].u_fifo.mem_q[1] ,
                   \gen_node[1].u_ack.gen_lane[0].u_fifo.mem_q[0] ,
                   \gen_node[0].u_ack.gen_lane[0].u_fifo.mem_q[1] ,
                   \gen_node[0].u_ack.gen_lane[0].u_fifo.mem_q[0] };
  // Acknowledgements that wait in FIFOs, as in the network.
  logic [7:0] fifo, fifo_twice, taken, judged, all;
  logic [1:0] from_source;
  always_comb begin
    fifo        = '0;
    fifo_twice  = '0;
    from_source = 2'b11;
    for (int unsigned n = 0; n < 2; n++) begin
      for (int unsigned k = 0; k < 2; k++) begin
        if (counts[n*2 +: 2] == 2'd2 || (counts[n*2 +: 2] == 2'd1 && rptr[n] == 1'(k))) begin
          fifo_twice = fifo_twice | (fifo & (8'd1 << {1'(n), places[(n*2+k)*(SourceW+2) +: 2]}));
          fifo = fifo | (8'd1 << {1'(n), places[(n*2+k)*(SourceW+2) +: 2]});
          if (places[(n*2+k)*(SourceW+2) + 2 +: SourceW] != '0) from_source[n] = 1'b0;
        end
      end
    end
  end
  assign taken  = (took_q[0] ? 8'd1 << {1'b0, took_id_q[1:0]} : 8'd0) |
                  (took_q[1] ? 8'd1 << {1'b1, took_id_q[3:2]} : 8'd0);
  assign judged = ack_q ? 8'd1 << {ack_src_q[0], ack_id_q} : 8'd0;
  assign all    = net_q | ack_net_q | fifo | taken | judged;
  `WEFT_ASSERT(Pointers, kept <= 2 && to_issue <= kept)
  `WEFT_ASSERT(FifoPointers, from_source == 2'b11 && counts[1:0] <= 2 && counts[3:2] <= 2 &&
      (rptr[0] ^ wptr[0]) == counts[0] && (rptr[1] ^ wptr[1]) == counts[2])
  `WEFT_ASSERT(Restarts, restarts == {2{restart_q}} && (!restart_q ||
      ((net_q | ack_net_q | fifo) == '0 && issue == oldest)))
  `WEFT_ASSERT(OfNode, !ack_q || ack_src_q < 2)
  for (genvar s = 0; s < 2; s++) begin : gen_slot
    logic [1:0]       at;    // how far its packet is behind the oldest
    logic [AddrW-1:0] dst;
    logic [2:0]       key;
    logic             in_network;
    assign at      = {1'b0, 1'(s) ^ oldest[0]};
    assign used[s] = at < kept;
    assign gone[s] = at < to_issue;
    assign dst     = dsts[s*AddrW +: AddrW];
    assign key     = {dst[0], 1'(s), gens[s]};
    // Of a slot nothing is in the network but its packet, or the acknowledgement of it, once.
    assign in_network = all[key] && dst < 2 && used[s];
    for (genvar n = 0; n < 2; n++) begin : gen_of_node
      for (genvar g = 0; g < 2; g++) begin : gen_gen
        `WEFT_ASSERT(InNetwork, !all[n*4+s*2+g] ||
            (in_network && key == 3'(n*4+s*2+g) && !acked[s] && (gone[s] || restart_q)))
      end
      `WEFT_ASSERT(SameGen, (used[s] && dst == AddrW'(n)) ? next[n*2+s] != gens[s] :
          next[n*2+s] == expected[n*2+s])
    end
    `WEFT_ASSERT(OnlyOnce, !used[s] || dst >= 2 || 32'(net_q[key]) + 32'(ack_net_q[key]) +
        32'(fifo[key]) + 32'(fifo_twice[key]) + 32'(taken[key]) + 32'(judged[key]) <= 1)
    `WEFT_ASSERT(AckedOfNode, !(used[s] && acked[s]) || dst < 2)
    `WEFT_ASSERT(NoGenOfOthers, !used[s] || dst < 2 || !gens[s])
    `WEFT_ASSERT(AckedWasTaken, !(used[s] && dst < 2 &&
        (acked[s] || ack_net_q[key] || fifo[key] || judged[key])) || expected[key[2:1]] != gens[s])
  end
  `WEFT_ASSERT(SameMessage, !\u_dut.msg_q || (\u_dut.dst_q == dst_q && \u_dut.addr_q == addr_q &&
      \u_dut.left_q == left_q && \u_dut.place_q == place_q && \u_dut.tag_q == tag_q &&
      (\u_dut.gap_q == gap_q)))
  `WEFT_ASSERT(ChosenIsKept, !tracking_q || (2'(ptr_q - oldest) < kept &&
      dsts[chosen_slot*AddrW +: AddrW] == AddrW'(key_q[2]) &&
      key_q[1:0] == {chosen_slot, gens[chosen_slot]} && taken_q ==
      (expected[key_q[2:1]] != gens[chosen_slot] || taken[key_q])))
  logic [FieldsW-1:0] chosen_fields;
  assign chosen_fields = chosen_slot ? \u_dut.fields_q[1] : \u_dut.fields_q[0] ;
  `WEFT_ASSERT(ChosenFields, !tracking_q || (32'(chosen_len_q) <= PacketFlits &&
      chosen_fields == {chosen_addr_q, LenW'(chosen_len_q), 1'b0,
      chosen_place_q, chosen_tag_q, chosen_gap_q, more_q}))
  // Messages: those of which the last packet is kept, the one that is being cut, and the one that
  // is being reported; those before the chosen packet.
  logic [2:0] open, before;
  assign open   = 3'(used[0] && !more[0]) + 3'(used[1] && !more[1]) + 3'(\u_dut.msg_q ) + 3'(sent);
  assign before = 3'(sent) + 3'(ptr_q != oldest && !more[oldest[0]]);
  `WEFT_ASSERT(MessagesCounted, 3'(accepted_q - reported_q) == open)
  `WEFT_ASSERT(ChosenCounted, !tracking_q || 3'(message_q - reported_q) == before)

endmodule

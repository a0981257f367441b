// Network interface (seed 002 fig. 2): descriptor queue, concurrent send controllers with their
// arbitration for the link, and the receive side with its remote write.

`include "weft_assert.svh"

module nic #(
  /// Flit width without parity, bits; a header must fit.
  parameter int unsigned DataW = 64,
  /// 1: links carry a parity bit above the data.
  parameter bit          Parity = 1'b0,
  /// Most body flits of a packet, 1 to 255.
  parameter int unsigned PacketFlits = 128,
  /// Send controllers, 1 to 8.
  parameter int unsigned NumCtrl = 1,
  /// Descriptors that can wait; 1 or more.
  parameter int unsigned QueueDepth = 8,
  // Derived.
  localparam int unsigned FlitW = DataW + (Parity ? 1 : 0),
  localparam int unsigned FreeW = $clog2(QueueDepth + 1),
  localparam int unsigned CountsW = weft_pkg::NumRxCounts * weft_pkg::CountW
) (
  /// Clock.
  input  logic                                  clk_i,
  /// Asynchronous reset, active low.
  input  logic                                  rst_ni,
  /// Own address.
  input  logic [weft_pkg::AddrW-1:0]            node_i,
  /// A descriptor is written; it is ignored while `desc_free_o` is 0.
  input  logic                                  desc_valid_i,
  /// Descriptor: destination.
  input  logic [weft_pkg::AddrW-1:0]            desc_dst_i,
  /// Descriptor: first word in local memory.
  input  logic [weft_pkg::MemAddrW-1:0]         desc_addr_i,
  /// Descriptor: message length, flits; 0 sends a header alone.
  input  logic [weft_pkg::MsgLenW-1:0]          desc_len_i,
  /// Descriptor: place in the destination's receive window, flits.
  input  logic [weft_pkg::OffW-1:0]             desc_off_i,
  /// Descriptor: tag.
  input  logic [weft_pkg::TagW-1:0]             desc_tag_i,
  /// Descriptor: silence after each packet, packet times.
  input  logic [weft_pkg::GapW-1:0]             desc_gap_i,
  /// Free places in the descriptor queue (4 bits at the default depth of 8).
  output logic [FreeW-1:0]                      desc_free_o,
  /// Messages sent to their last flit.
  output logic [weft_pkg::CountW-1:0]           tx_count_o,
  /// Memory: read, one lane for each send controller.
  output logic [NumCtrl-1:0]                    mem_ren_o,
  /// Memory: read addresses, flits, lane 0 lowest; 0 without `mem_ren_o`.
  output logic [NumCtrl*weft_pkg::MemAddrW-1:0] mem_raddr_o,
  /// Memory: the words read in the cycle before.
  input  logic [NumCtrl*DataW-1:0]              mem_rdata_i,
  /// Memory: write.
  output logic                                  mem_wen_o,
  /// Memory: write address, flits; 0 without `mem_wen_o`.
  output logic [weft_pkg::MemAddrW-1:0]         mem_waddr_o,
  /// Memory: word to write; 0 without `mem_wen_o`.
  output logic [DataW-1:0]                      mem_wdata_o,
  /// Outgoing link: Data-Valid.
  output logic                                  tx_valid_o,
  /// Outgoing link: Data-End.
  output logic                                  tx_last_o,
  /// Outgoing link: the word.
  output logic [FlitW-1:0]                      tx_data_o,
  /// Outgoing link: Buffer-Full.
  input  logic                                  tx_full_i,
  /// Incoming link: Data-Valid.
  input  logic                                  rx_valid_i,
  /// Incoming link: Data-End.
  input  logic                                  rx_last_i,
  /// Incoming link: the word.
  input  logic [FlitW-1:0]                      rx_data_i,
  /// Incoming link: Buffer-Full.
  output logic                                  rx_full_o,
  /// Receive window: first word in local memory.
  input  logic [weft_pkg::MemAddrW-1:0]         rx_base_i,
  /// Receive window: size, flits.
  input  logic [weft_pkg::MemAddrW-1:0]         rx_size_i,
  /// Kept packets with `eom`, by the two low bits of their tag; counter 0 lowest. Each is a message
  /// with all its data only while `rx_parity_o` and `rx_refused_o` are 0.
  output logic [CountsW-1:0]                    rx_count_o,
  /// Packets dropped for a parity error.
  output logic [weft_pkg::CountW-1:0]           rx_parity_o,
  /// Packets dropped for a foreign destination, a wrong length or a place outside the window.
  output logic [weft_pkg::CountW-1:0]           rx_refused_o
);

  `WEFT_PARAM(gen_check_ctrl, NumCtrl >= 1 && NumCtrl <= 8)
  `WEFT_PARAM(gen_check_queue, QueueDepth >= 1)

  localparam int unsigned AddrW    = weft_pkg::AddrW;
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned MsgLenW  = weft_pkg::MsgLenW;
  localparam int unsigned OffW     = weft_pkg::OffW;
  localparam int unsigned TagW     = weft_pkg::TagW;
  localparam int unsigned GapW     = weft_pkg::GapW;
  localparam int unsigned DescW    = AddrW + MemAddrW + MsgLenW + OffW + TagW + GapW;

  // Descriptor queue.
  logic [FreeW-1:0]    waiting;
  logic [AddrW-1:0]    dst;
  logic [MemAddrW-1:0] addr;
  logic [MsgLenW-1:0]  len;
  logic [OffW-1:0]     off;
  logic [TagW-1:0]     tag;
  logic [GapW-1:0]     gap;
  logic [NumCtrl-1:0]  unit_ready, unit_empty, unit_pick;

  assign desc_free_o = FreeW'(QueueDepth) - waiting;

  // Send controllers are chosen in turn, those without a packet first.
  logic [NumCtrl-1:0] empties, candidates, above, first;
  logic [NumCtrl-1:0] mask_q;  // those after the one that was chosen last
  assign empties    = unit_ready & unit_empty;
  assign candidates = (empties != '0) ? empties : unit_ready;
  assign above      = candidates & mask_q;
  assign first      = (above != '0) ? above : candidates;
  assign unit_pick  = (waiting == '0) ? '0 : (first & (~first + 1'b1));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mask_q <= '0;
    else if (unit_pick != '0) mask_q <= ~(unit_pick | (unit_pick - 1'b1));
  end

  fifo #(
    .DataW(DescW),
    .Depth(QueueDepth)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .push_i (desc_valid_i && desc_free_o != '0),
    .data_i ({desc_dst_i, desc_addr_i, desc_len_i, desc_off_i, desc_tag_i, desc_gap_i}),
    .pop_i  (unit_pick != '0),
    .data_o ({dst, addr, len, off, tag, gap}),
    .count_o(waiting)
  );

  // Send controllers.
  logic [NumCtrl-1:0]       offer_valid, offer_last, offer_ready, sent;
  logic [NumCtrl*FlitW-1:0] offer_data;
  for (genvar c = 0; c < NumCtrl; c++) begin : gen_ctrl
    send_unit #(
      .DataW      (DataW),
      .Parity     (Parity),
      .PacketFlits(PacketFlits)
    ) u_send (
      .clk_i,
      .rst_ni,
      .node_i,
      .desc_valid_i(unit_pick[c]),
      .desc_dst_i  (dst),
      .desc_addr_i (addr),
      .desc_len_i  (len),
      .desc_off_i  (off),
      .desc_tag_i  (tag),
      .desc_gap_i  (gap),
      .desc_ready_o(unit_ready[c]),
      .empty_o     (unit_empty[c]),
      .mem_ren_o   (mem_ren_o[c]),
      .mem_raddr_o (mem_raddr_o[c*MemAddrW +: MemAddrW]),
      .mem_rdata_i (mem_rdata_i[c*DataW +: DataW]),
      .valid_o     (offer_valid[c]),
      .last_o      (offer_last[c]),
      .data_o      (offer_data[c*FlitW +: FlitW]),
      .ready_i     (offer_ready[c]),
      .sent_o      (sent[c])
    );
  end

  // The link belongs to one controller until its packet has passed.
  logic             out_valid, out_last, out_ready;
  logic [FlitW-1:0] out_data;
  if (NumCtrl > 1) begin : gen_switch
    switch_unit #(
      .NumIn(NumCtrl),
      .FlitW(FlitW)
    ) u_switch (
      .clk_i,
      .rst_ni,
      .valid_i(offer_valid),
      .last_i (offer_last),
      .data_i (offer_data),
      .ready_o(offer_ready),
      .valid_o(out_valid),
      .last_o (out_last),
      .data_o (out_data),
      .ready_i(out_ready)
    );
  end else begin : gen_single
    assign out_valid   = offer_valid[0];
    assign out_last    = offer_last[0];
    assign out_data    = offer_data;
    assign offer_ready = out_ready;
  end

  output_buffer #(
    .FlitW(FlitW),
    .Depth(0)
  ) u_link (
    .clk_i,
    .rst_ni,
    .valid_i(out_valid),
    .last_i (out_last),
    .data_i (out_data),
    .ready_o(out_ready),
    .full_i (tx_full_i),
    .valid_o(tx_valid_o),
    .last_o (tx_last_o),
    .data_o (tx_data_o)
  );

  logic [weft_pkg::CountW-1:0] tx_count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tx_count_q <= '0;
    else if (sent != '0) tx_count_q <= tx_count_q + 1'b1;
  end
  assign tx_count_o = tx_count_q;

  recv_unit #(
    .DataW      (DataW),
    .Parity     (Parity),
    .PacketFlits(PacketFlits)
  ) u_recv (
    .clk_i,
    .rst_ni,
    .node_i,
    .rx_valid_i,
    .rx_last_i,
    .rx_data_i,
    .rx_full_o,
    .rx_base_i,
    .rx_size_i,
    .mem_wen_o,
    .mem_waddr_o,
    .mem_wdata_o,
    .rx_count_o,
    .rx_parity_o,
    .rx_refused_o
  );

`ifdef WEFT_CHECKED
  // The controller whose packet is on the link.
  logic [NumCtrl-1:0] moved, owner_q;
  assign moved = offer_valid & offer_ready;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owner_q <= '0;
    else if (moved != '0 && out_ready) owner_q <= out_last ? '0 : moved;
  end

  `WEFT_ASSERT(NoInterleaving, owner_q == '0 || moved == '0 || !out_ready || moved == owner_q)
  `WEFT_ASSERT(OneAtATime, NumCtrl == 1 || (moved & (moved - 1'b1)) == '0)
`endif
  `WEFT_ASSERT(OneSentAtATime, (sent & (sent - 1'b1)) == '0)
  `WEFT_ASSERT(QueueCounted, {1'b0, waiting} <= (FreeW + 1)'(QueueDepth))

endmodule

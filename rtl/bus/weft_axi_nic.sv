// Network interface for a system on chip: its registers behind AXI4-Lite, its memory on AXI4. The
// blocks of the interface, wired. Longer than 500 lines: the ports of two buses and the links.

`include "weft_assert.svh"

module weft_axi_nic #(
  /// Width of the bus and of a flit without parity, bits: 64, 128, 256 or 512.
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
  /// 1: messages may have a start.
  parameter bit          Timed = 1'b0,
  /// Dimensions of the network; used with `ByDest` only.
  parameter int unsigned NumDims = 1,
  /// Maximum coordinate of each dimension, `DigitParamW` bits each, dimension 0 lowest; used with
  /// `ByDest` only.
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords = '0,
  /// 1: there is a barrier unit beside the interface.
  parameter bit          Barrier = 1'b0,
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
  /// Size of the node's memory, flits: 1 to 2 ** weft_pkg::MemAddrW.
  parameter int unsigned MemFlits = 2 ** weft_pkg::MemAddrW,
  /// Width of a byte address, bits: the memory must fit (27 to 30 at the widths of the bus), to 64.
  parameter int unsigned AxiAddrW = 32,
  // Derived.
  localparam int unsigned FlitW    = DataW + (Parity ? 1 : 0),
  localparam int unsigned NumLinks = Credit ? NumCtrl : 1,
  localparam int unsigned VcW      = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned StrbW    = DataW / 8,
  localparam int unsigned ReadIdW  = NumCtrl > 1 ? $clog2(NumCtrl) : 1,
  localparam int unsigned WriteIdW = NumLinks > 1 ? $clog2(NumLinks) : 1
) (
  /// Clock.
  input  logic                                 clk_i,
  /// Asynchronous reset, active low.
  input  logic                                 rst_ni,
  /// Own address.
  input  logic [AddrW-1:0]                     node_i,
  /// No packet is issued; with `restart_i` ignored without `Slots`.
  input  logic                                 hold_i,
  /// The links begin anew, and packets that are not acknowledged are issued again after `hold_i`;
  /// only while no burst is read.
  input  logic                                 restart_i,
  /// A packet is not acknowledged, or an acknowledgement waits to be sent; 0 without `Slots`.
  output logic                                 waits_o,
  /// A controller's packets have waited for `Timeout` cycles; 0 without `Slots`.
  output logic                                 overdue_o,
  /// Packets issued again; 0 without `Slots`.
  output logic [weft_pkg::CountW-1:0]          tx_resent_o,
  /// Packets that had come before; 0 without `Slots`.
  output logic [weft_pkg::CountW-1:0]          rx_repeated_o,
  /// Byte address of the node's memory, a multiple of 4096.
  input  logic [AxiAddrW-1:0]                  base_i,
  /// AXI4-Lite, AW: an address to write.
  input  logic                                 s_aw_valid_i,
  /// AW: it is accepted in this cycle if there is one.
  output logic                                 s_aw_ready_o,
  /// AW: byte address of a register.
  input  logic [11:0]                          s_aw_addr_i,
  /// AXI4-Lite, W: data to write.
  input  logic                                 s_w_valid_i,
  /// W: they are accepted in this cycle if there are any.
  output logic                                 s_w_ready_o,
  /// W: the data.
  input  logic [31:0]                          s_w_data_i,
  /// W: strobes, one for each byte.
  input  logic [3:0]                           s_w_strb_i,
  /// AXI4-Lite, B: response to a write.
  output logic                                 s_b_valid_o,
  /// B: it is accepted in this cycle if there is one.
  input  logic                                 s_b_ready_i,
  /// B: OKAY (0) or SLVERR (2); 0 without a response.
  output logic [1:0]                           s_b_resp_o,
  /// AXI4-Lite, AR: an address to read.
  input  logic                                 s_ar_valid_i,
  /// AR: it is accepted in this cycle if there is one.
  output logic                                 s_ar_ready_o,
  /// AR: byte address of a register.
  input  logic [11:0]                          s_ar_addr_i,
  /// AXI4-Lite, R: response to a read.
  output logic                                 s_r_valid_o,
  /// R: it is accepted in this cycle if there is one.
  input  logic                                 s_r_ready_i,
  /// R: the data; 0 without a response or with an error.
  output logic [31:0]                          s_r_data_o,
  /// R: OKAY (0) or SLVERR (2); 0 without a response.
  output logic [1:0]                           s_r_resp_o,
  /// AXI4, AR: a burst is requested.
  output logic                                 m_ar_valid_o,
  /// AR: it is accepted in this cycle if there is one.
  input  logic                                 m_ar_ready_i,
  /// AR: number of the send controller; with the rest of AR 0 without a burst.
  output logic [ReadIdW-1:0]                   m_ar_id_o,
  /// AR: byte address.
  output logic [AxiAddrW-1:0]                  m_ar_addr_o,
  /// AR: beats less one.
  output logic [7:0]                           m_ar_len_o,
  /// AR: bytes of a beat, binary logarithm; constant.
  output logic [2:0]                           m_ar_size_o,
  /// AR: INCR (1); constant.
  output logic [1:0]                           m_ar_burst_o,
  /// AXI4, R: a beat.
  input  logic                                 m_r_valid_i,
  /// R: 1.
  output logic                                 m_r_ready_o,
  /// R: number of the send controller.
  input  logic [ReadIdW-1:0]                   m_r_id_i,
  /// R: the word.
  input  logic [DataW-1:0]                     m_r_data_i,
  /// R: SLVERR (2) and DECERR (3) are counted.
  input  logic [1:0]                           m_r_resp_i,
  /// R: last beat of its burst.
  input  logic                                 m_r_last_i,
  /// AXI4, AW: a burst is requested.
  output logic                                 m_aw_valid_o,
  /// AW: it is accepted in this cycle if there is one.
  input  logic                                 m_aw_ready_i,
  /// AW: number of the incoming link; with the rest of AW 0 without a burst.
  output logic [WriteIdW-1:0]                  m_aw_id_o,
  /// AW: byte address.
  output logic [AxiAddrW-1:0]                  m_aw_addr_o,
  /// AW: beats less one.
  output logic [7:0]                           m_aw_len_o,
  /// AW: bytes of a beat, binary logarithm; constant.
  output logic [2:0]                           m_aw_size_o,
  /// AW: INCR (1); constant.
  output logic [1:0]                           m_aw_burst_o,
  /// AXI4, W: a beat.
  output logic                                 m_w_valid_o,
  /// W: it is accepted in this cycle if there is one.
  input  logic                                 m_w_ready_i,
  /// W: the word; 0 without a beat.
  output logic [DataW-1:0]                     m_w_data_o,
  /// W: all ones; constant.
  output logic [StrbW-1:0]                     m_w_strb_o,
  /// W: last beat of its burst.
  output logic                                 m_w_last_o,
  /// AXI4, B: response to a burst.
  input  logic                                 m_b_valid_i,
  /// B: 1.
  output logic                                 m_b_ready_o,
  /// B: number of the incoming link.
  input  logic [WriteIdW-1:0]                  m_b_id_i,
  /// B: SLVERR (2) and DECERR (3) are counted.
  input  logic [1:0]                           m_b_resp_i,
  /// Outgoing links, link 0 lowest: Data-Valid.
  output logic [NumLinks-1:0]                  tx_valid_o,
  /// Outgoing links: Data-End.
  output logic [NumLinks-1:0]                  tx_last_o,
  /// Outgoing credit links: virtual channel; 0 without Data-Valid.
  output logic [NumLinks*VcW-1:0]              tx_vc_o,
  /// Outgoing links: the words.
  output logic [NumLinks*FlitW-1:0]            tx_data_o,
  /// Outgoing credit links: stamp of the packet; 0 without `Age` or Data-Valid.
  output logic [NumLinks*weft_pkg::StampW-1:0] tx_stamp_o,
  /// Outgoing link: Buffer-Full; ignored with `Credit`.
  input  logic [NumLinks-1:0]                  tx_full_i,
  /// Outgoing credit links: credit of each VC; ignored without `Credit`.
  input  logic [NumLinks*NumVc-1:0]            tx_credit_i,
  /// Incoming links, link 0 lowest: Data-Valid.
  input  logic [NumLinks-1:0]                  rx_valid_i,
  /// Incoming links: Data-End.
  input  logic [NumLinks-1:0]                  rx_last_i,
  /// Incoming links: the words.
  input  logic [NumLinks*FlitW-1:0]            rx_data_i,
  /// Incoming link: Buffer-Full; 0 with `Credit`.
  output logic [NumLinks-1:0]                  rx_full_o,
  /// Incoming credit links: credit; 0 without `Credit`.
  output logic [NumLinks-1:0]                  rx_credit_o,
  /// The node enters its next hardware barrier; 0 without `Barrier`.
  output logic                                 barrier_enter_o,
  /// Hardware barriers released; ignored without `Barrier`.
  input  logic [weft_pkg::CountW-1:0]          barrier_count_i,
  /// A register reads differently than in the cycle before, CYCLE aside: an interrupt.
  output logic                                 event_o
);

  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned MsgLenW  = weft_pkg::MsgLenW;
  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned TagW     = weft_pkg::TagW;
  localparam int unsigned GapW     = weft_pkg::GapW;
  localparam int unsigned CtrlW    = weft_pkg::CtrlW;
  localparam int unsigned CountW   = weft_pkg::CountW;
  localparam int unsigned StartW   = weft_pkg::StartW;
  localparam int unsigned OpW      = weft_pkg::ReduceOpW;
  localparam int unsigned TypeW    = weft_pkg::ReduceTypeW;
  localparam int unsigned MeanW    = weft_pkg::MeanCountW;
  localparam int unsigned CountsW  = weft_pkg::NumRxCounts * CountW;
  localparam int unsigned OffW     = weft_pkg::HdrLenLsb - 2 * AddrW;
  localparam int unsigned FreeW    = $clog2(QueueDepth + 1);
  localparam int unsigned KeyPortW = KeyW > 0 ? KeyW : 1;
  localparam int unsigned CtrlIdW  = NumCtrl > 1 ? $clog2(NumCtrl) : 0;
  localparam int unsigned IdW      = Slots > 0 ? 1 + CtrlIdW + $clog2(Slots) + 1 : 0;

  // AXI4-Lite to registers.
  logic        reg_wen, reg_wrefused, reg_rrefused;
  logic [11:0] reg_waddr, reg_raddr;
  logic [31:0] reg_wdata, reg_rdata;

  weft_axi_lite u_lite (
    .clk_i,
    .rst_ni,
    .aw_valid_i    (s_aw_valid_i),
    .aw_ready_o    (s_aw_ready_o),
    .aw_addr_i     (s_aw_addr_i),
    .w_valid_i     (s_w_valid_i),
    .w_ready_o     (s_w_ready_o),
    .w_data_i      (s_w_data_i),
    .w_strb_i      (s_w_strb_i),
    .b_valid_o     (s_b_valid_o),
    .b_ready_i     (s_b_ready_i),
    .b_resp_o      (s_b_resp_o),
    .ar_valid_i    (s_ar_valid_i),
    .ar_ready_o    (s_ar_ready_o),
    .ar_addr_i     (s_ar_addr_i),
    .r_valid_o     (s_r_valid_o),
    .r_ready_i     (s_r_ready_i),
    .r_data_o      (s_r_data_o),
    .r_resp_o      (s_r_resp_o),
    .reg_wen_o     (reg_wen),
    .reg_waddr_o   (reg_waddr),
    .reg_wdata_o   (reg_wdata),
    .reg_wrefused_i(reg_wrefused),
    .reg_raddr_o   (reg_raddr),
    .reg_rdata_i   (reg_rdata),
    .reg_rrefused_i(reg_rrefused)
  );

  // Registers to the interface.
  logic                        desc_valid, desc_timed;
  logic [AddrW-1:0]            desc_dst;
  logic [MemAddrW-1:0]         desc_addr;
  logic [Windows*MemAddrW-1:0] rx_base, rx_size;
  logic [Windows*KeyPortW-1:0] rx_key;
  logic [MsgLenW-1:0]          desc_len;
  logic [OffW-1:0]             desc_off;
  logic [TagW-1:0]             desc_tag;
  logic [GapW-1:0]             desc_gap;
  logic [CtrlW-1:0]            desc_ctrl;
  logic [StartW-1:0]           desc_start;
  logic [FreeW-1:0]            desc_free;
  logic [CountW-1:0]           tx_count, rx_parity, rx_refused, read_errors, write_errors;
  logic [CountsW-1:0]          rx_count, rx_arrived;
  logic [NumLinks*CountsW-1:0] rx_link;

  // It neither reduces nor combines.
  logic                combine_post, order_silent, order_discard, unused_orders;
  logic [MemAddrW-1:0] order_addr, order_to;
  logic [MsgLenW-1:0]  order_len;
  logic [OpW-1:0]      reduce_op, order_op;
  logic [TypeW-1:0]    reduce_type, order_type;
  logic [MeanW-1:0]    reduce_count, order_count;
  assign unused_orders = ^{combine_post, order_silent, order_discard, order_addr, order_to,
                           order_len, reduce_op, order_op, reduce_type, order_type,
                           reduce_count, order_count};

  weft_register_block #(
    .DataW     (DataW),
    .AddrW     (AddrW),
    .NumCtrl   (NumCtrl),
    .NumLinks  (NumLinks),
    .QueueDepth(QueueDepth),
    .Timed     (Timed),
    .Reduce    (1'b0),
    .Barrier   (Barrier),
    .Combine   (1'b0),
    .MemFlits  (MemFlits),
    .Windows   (Windows),
    .KeyW      (KeyW),
    .IdW       (IdW)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .wen_i          (reg_wen),
    .waddr_i        (reg_waddr),
    .wdata_i        (reg_wdata),
    .wrefused_o     (reg_wrefused),
    .raddr_i        (reg_raddr),
    .rdata_o        (reg_rdata),
    .rrefused_o     (reg_rrefused),
    .event_o,
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
    .tx_count_i     (tx_count),
    .rx_count_i     (rx_count),
    .rx_arrived_i   (rx_arrived),
    .rx_link_i      (rx_link),
    .rx_parity_i    (rx_parity),
    .rx_refused_i   (rx_refused),
    .rx_base_o      (rx_base),
    .rx_size_o      (rx_size),
    .rx_key_o       (rx_key),
    .reduce_op_o    (reduce_op),
    .reduce_type_o  (reduce_type),
    .reduce_count_o (reduce_count),
    .barrier_enter_o,
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
    .combine_done_i ({CountW{1'b0}}),
    .memory_errors_i(32'(read_errors + write_errors))
  );

  // The interface.
  logic [NumCtrl-1:0]           mem_ren, mem_rready;
  logic [NumCtrl*MemAddrW-1:0]  mem_raddr;
  logic [NumCtrl*LenW-1:0]      mem_rleft;
  logic [NumCtrl*DataW-1:0]     mem_rdata;
  logic [NumLinks-1:0]          mem_wen, mem_wready;
  logic [NumLinks*MemAddrW-1:0] mem_waddr;
  logic [NumLinks*LenW-1:0]     mem_wleft;
  logic [NumLinks*DataW-1:0]    mem_wdata;

  weft_nic #(
    .DataW      (DataW),
    .Parity     (Parity),
    .PacketFlits(PacketFlits),
    .NumCtrl    (NumCtrl),
    .QueueDepth (QueueDepth),
    .Credit     (Credit),
    .NumVc      (NumVc),
    .VcDepth    (VcDepth),
    .ByDest     (ByDest),
    .InOrder    (InOrder),
    .Classes    (Classes),
    .KeepsOrder (KeepsOrder),
    .Age        (Age),
    .AddrW      (AddrW),
    .Reduce     (1'b0),
    .Timed      (Timed),
    .MemReady   (1'b1),
    .NumDims    (NumDims),
    .MaxCoords  (MaxCoords),
    .Windows    (Windows),
    .KeyW       (KeyW),
    .Slots      (Slots),
    .NumAddr    (NumAddr),
    .Timeout    (Timeout),
    .RxDepth    (RxDepth)
  ) u_nic (
    .clk_i,
    .rst_ni,
    .node_i,
    .hold_i,
    .restart_i,
    .desc_valid_i  (desc_valid),
    .desc_dst_i    (desc_dst),
    .desc_addr_i   (desc_addr),
    .desc_len_i    (desc_len),
    .desc_off_i    (desc_off),
    .desc_tag_i    (desc_tag),
    .desc_gap_i    (desc_gap),
    .desc_ctrl_i   (desc_ctrl),
    .desc_timed_i  (desc_timed),
    .desc_start_i  (desc_start),
    .desc_free_o   (desc_free),
    .tx_count_o    (tx_count),
    .waits_o,
    .overdue_o,
    .tx_resent_o,
    .mem_ren_o     (mem_ren),
    .mem_raddr_o   (mem_raddr),
    .mem_rready_i  (mem_rready),
    .mem_rleft_o   (mem_rleft),
    .mem_rdata_i   (mem_rdata),
    .mem_wen_o     (mem_wen),
    .mem_waddr_o   (mem_waddr),
    .mem_wready_i  (mem_wready),
    .mem_wleft_o   (mem_wleft),
    .mem_wdata_o   (mem_wdata),
    .tx_valid_o,
    .tx_last_o,
    .tx_vc_o,
    .tx_data_o,
    .tx_stamp_o,
    .tx_full_i,
    .tx_credit_i,
    .rx_valid_i,
    .rx_last_i,
    .rx_data_i,
    .rx_full_o,
    .rx_credit_o,
    .rx_base_i     (rx_base),
    .rx_size_i     (rx_size),
    .rx_key_i      (rx_key),
    .reduce_op_i   ({OpW{1'b0}}),
    .reduce_type_i ({TypeW{1'b0}}),
    .reduce_count_i({MeanW{1'b0}}),
    .rx_count_o    (rx_count),
    .rx_arrived_o  (rx_arrived),
    .rx_link_o     (rx_link),
    .rx_parity_o   (rx_parity),
    .rx_refused_o  (rx_refused),
    .rx_repeated_o
  );
  `WEFT_ASSUME(NoReadAtRestart, Slots == 0 || !restart_i || mem_ren == '0)

  // Its memory.
  weft_axi_read #(
    .DataW   (DataW),
    .NumLanes(NumCtrl),
    .AxiAddrW(AxiAddrW)
  ) u_read (
    .clk_i,
    .rst_ni,
    .base_i,
    .mem_ren_i   (mem_ren),
    .mem_raddr_i (mem_raddr),
    .mem_rleft_i (mem_rleft),
    .mem_rready_o(mem_rready),
    .mem_rdata_o (mem_rdata),
    .ar_valid_o  (m_ar_valid_o),
    .ar_ready_i  (m_ar_ready_i),
    .ar_id_o     (m_ar_id_o),
    .ar_addr_o   (m_ar_addr_o),
    .ar_len_o    (m_ar_len_o),
    .ar_size_o   (m_ar_size_o),
    .ar_burst_o  (m_ar_burst_o),
    .r_valid_i   (m_r_valid_i),
    .r_ready_o   (m_r_ready_o),
    .r_id_i      (m_r_id_i),
    .r_data_i    (m_r_data_i),
    .r_resp_i    (m_r_resp_i),
    .r_last_i    (m_r_last_i),
    .errors_o    (read_errors)
  );

  weft_axi_write #(
    .DataW   (DataW),
    .NumLanes(NumLinks),
    .AxiAddrW(AxiAddrW)
  ) u_write (
    .clk_i,
    .rst_ni,
    .base_i,
    .mem_wen_i   (mem_wen),
    .mem_waddr_i (mem_waddr),
    .mem_wdata_i (mem_wdata),
    .mem_wleft_i (mem_wleft),
    .mem_wready_o(mem_wready),
    .aw_valid_o  (m_aw_valid_o),
    .aw_ready_i  (m_aw_ready_i),
    .aw_id_o     (m_aw_id_o),
    .aw_addr_o   (m_aw_addr_o),
    .aw_len_o    (m_aw_len_o),
    .aw_size_o   (m_aw_size_o),
    .aw_burst_o  (m_aw_burst_o),
    .w_valid_o   (m_w_valid_o),
    .w_ready_i   (m_w_ready_i),
    .w_data_o    (m_w_data_o),
    .w_strb_o    (m_w_strb_o),
    .w_last_o    (m_w_last_o),
    .b_valid_i   (m_b_valid_i),
    .b_ready_o   (m_b_ready_o),
    .b_id_i      (m_b_id_i),
    .b_resp_i    (m_b_resp_i),
    .errors_o    (write_errors)
  );

endmodule

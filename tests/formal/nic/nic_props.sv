// Proof of the network interface with Buffer-Full: its blocks meet each other's assumptions
// (their WEFT_ASSUMEs are assertions here), packets of the send controllers are not interleaved on
// the link, the link obeys Buffer-Full, and a descriptor that is accepted is counted and
// assigned to the controller that `ctrl` names, if any. With `Slots` acknowledgements share the
// link, and a restart empties it. Values of the package are small here.

`include "weft_assert.svh"

module nic_props #(
  parameter int unsigned DataW = 12,
  parameter int unsigned PacketFlits = 1,
  parameter int unsigned NumCtrl = 2,
  parameter int unsigned QueueDepth = 2,
  parameter bit          MemReady = 1'b0,
  parameter int unsigned Slots = 0,
  localparam int unsigned NumIn = NumCtrl + (Slots > 0 ? 1 : 0),
  localparam int unsigned FreeW = $clog2(QueueDepth + 1)
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          restart_i,
  input logic                          desc_valid_i,
  input logic                          tx_full_i,
  input logic                          rx_valid_i
);

  logic [FreeW-1:0] free;
  logic             tx_valid, tx_last, rx_full;
  logic [DataW-1:0] tx_data;

  weft_nic #(
    .DataW      (DataW),
    .PacketFlits(PacketFlits),
    .NumCtrl    (NumCtrl),
    .QueueDepth (QueueDepth),
    .MemReady   (MemReady),
    .Slots      (Slots),
    .NumAddr    (2),
    .Timeout    (3)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .restart_i,
    .desc_valid_i,
    .desc_free_o (free),
    .tx_valid_o  (tx_valid),
    .tx_last_o   (tx_last),
    .tx_data_o   (tx_data),
    .tx_full_i,
    .rx_valid_i,
    .rx_full_o   (rx_full)
  );

  (* hierconn *) wire [NumCtrl-1:0] \u_dut.unit_ready ;
  (* hierconn *) wire [NumCtrl-1:0] \u_dut.unit_empty ;
  (* hierconn *) wire [weft_pkg::CtrlW-1:0] \u_dut.ctrl ;
  (* hierconn *) wire [NumCtrl-1:0] \u_dut.unit_pick ;
  (* hierconn *) wire [NumIn-1:0] \u_dut.gen_full.owner_q ;
  (* hierconn *) wire [NumIn-1:0] \u_dut.gen_full.moved ;
  (* hierconn *) wire [NumIn-1:0] \u_dut.gen_full.in_last ;
  (* hierconn *) wire [NumIn*DataW-1:0] \u_dut.gen_full.in_data ;
  (* hierconn *) wire [NumIn-1:0] \u_dut.gen_full.gen_switch.u_switch.gnt ;

  (* hierconn *) wire [NumCtrl-1:0] \u_dut.mask_q ;

  // The controller served last, none at first, and the one after it.
  logic [NumCtrl-1:0] served_q, after;
  assign after = (served_q << 1) == '0 ? NumCtrl'(1) : served_q << 1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) served_q <= '0;
    else if (\u_dut.unit_pick != '0) served_q <= \u_dut.unit_pick ;
  end
  `WEFT_ASSERT(InTurn, \u_dut.ctrl != 4'd15 || waiting_q == '0 ||
      (\u_dut.unit_pick == (after & \u_dut.unit_ready )))
  `WEFT_ASSERT(Named, \u_dut.ctrl == '0 || 32'(\u_dut.ctrl ) > NumCtrl || waiting_q == '0 ||
      (\u_dut.unit_pick == (\u_dut.unit_ready & (NumCtrl'(1) << (\u_dut.ctrl - 1'b1)))))
  `WEFT_ASSERT(SearchBehindServed, \u_dut.mask_q ==
      (served_q == '0 ? '0 : ~(served_q | (served_q - 1'b1))))
  `WEFT_ASSERT(OneServed, (served_q & (served_q - 1'b1)) == '0)

  // What was taken from a controller in the last cycle, and the queue's use.
  logic             rx_full_q, tx_full_q, moved_q, last_q, restart, restart_q;
  logic [DataW-1:0] data_q, data;
  logic [FreeW-1:0] waiting_q;
  assign restart = restart_i && Slots > 0;
  always_comb begin
    data = '0;
    for (int unsigned c = 0; c < NumIn; c++) begin
      if (\u_dut.gen_full.moved [c]) data = data | \u_dut.gen_full.in_data [c*DataW +: DataW];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rx_full_q <= 1'b0;
      restart_q <= 1'b0;
      tx_full_q <= 1'b0;
      moved_q   <= 1'b0;
      last_q    <= 1'b0;
      data_q    <= '0;
      waiting_q <= '0;
    end else begin
      rx_full_q <= rx_full;
      tx_full_q <= tx_full_i;
      restart_q <= restart;
      moved_q   <= \u_dut.gen_full.moved != '0 && !restart;
      last_q    <= (\u_dut.gen_full.moved & \u_dut.gen_full.in_last ) != '0 && !restart;
      data_q    <= restart ? '0 : data;
      waiting_q <= waiting_q + FreeW'(desc_valid_i && free != '0) - FreeW'(\u_dut.unit_pick != '0);
    end
  end

  `WEFT_ASSUME(SenderObeysFull, restart_q || !(rx_valid_i && rx_full_q))

  `WEFT_ASSERT(DescriptorsCounted, 32'(free) == QueueDepth - 32'(waiting_q))
  `WEFT_ASSERT(OneReadyControllerTakes, (\u_dut.unit_pick & (\u_dut.unit_pick - 1'b1)) == '0 &&
      (\u_dut.unit_pick & ~\u_dut.unit_ready ) == '0)
  `WEFT_ASSERT(NoDescriptorWaitsIdle, waiting_q == '0 || \u_dut.ctrl != '0 ||
      \u_dut.unit_ready == '0 || \u_dut.unit_pick != '0)
  `WEFT_ASSERT(EmptyFirst, \u_dut.ctrl != '0 || (\u_dut.unit_pick & ~\u_dut.unit_empty ) == '0 ||
      (\u_dut.unit_ready & \u_dut.unit_empty ) == '0)
  `WEFT_ASSERT(TakenIsSent, tx_valid == moved_q && tx_last == last_q && tx_data == data_q)
  `WEFT_ASSERT(ObeysFull, !(tx_valid && tx_full_q))

  // Invariant that closes the induction: the switch is held by the packet on the link.
  `WEFT_ASSERT(GrantKept, NumIn == 1 || \u_dut.gen_full.owner_q == '0 ||
      (\u_dut.gen_full.gen_switch.u_switch.gnt == \u_dut.gen_full.owner_q ))

endmodule

// Proof of the sender's end of a link whose errors are contained: every cycle's flit, or a word
// without one for the next VC of the ring, is on the link one cycle later, with the numbers of
// flits and packets of its VC and the check code. Of the credits: proof of guard_rx.

`include "weft_assert.svh"

module guard_tx_props #(
  parameter int unsigned NumVc = 2,
  parameter int unsigned VcW = 1,
  parameter int unsigned Depth = 2,
  parameter int unsigned FlitW = 2,
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned IdxW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned CheckW = 1 + 2 * CountW + 8,
  localparam int unsigned BackW = NumVc + IdxW + CountW + 8
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              rx_valid_i,
  input logic              rx_last_i,
  input logic [FlitW-1:0]  rx_data_i,
  input logic [VcW-1:0]    rx_vc_i,
  input logic [StampW-1:0] rx_stamp_i,
  input logic [BackW-1:0]  tx_back_i
);

  logic [NumVc-1:0]  credit;
  logic              valid, last;
  logic [FlitW-1:0]  data;
  logic [VcW-1:0]    vc;
  logic [StampW-1:0] stamp;
  logic [CheckW-1:0] check;

  weft_guard_tx #(
    .NumVc(NumVc),
    .VcW  (VcW),
    .Depth(Depth),
    .FlitW(FlitW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .rx_valid_i,
    .rx_last_i,
    .rx_data_i,
    .rx_vc_i,
    .rx_stamp_i,
    .rx_credit_o(credit),
    .tx_valid_o (valid),
    .tx_last_o  (last),
    .tx_data_o  (data),
    .tx_vc_o    (vc),
    .tx_stamp_o (stamp),
    .tx_check_o (check),
    .tx_back_i
  );

  `WEFT_ASSUME(SenderQuiet, rx_valid_i || {rx_last_i, rx_vc_i, rx_stamp_i, rx_data_i} == '0)
  `WEFT_ASSUME(VcInRange, !rx_valid_i || 32'(rx_vc_i) < NumVc)

  // The flit of the cycle before, and the VC whose turn it is where there is none.
  logic                        started_q;
  logic [1+FlitW+VcW+StampW:0] word_q;
  logic [VcW-1:0]              turn_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      word_q    <= '0;
      turn_q    <= '0;
    end else begin
      started_q <= 1'b1;
      word_q    <= {rx_valid_i, rx_last_i, rx_vc_i, rx_data_i, rx_stamp_i};
      if (started_q && !valid) turn_q <= 32'(turn_q) + 1 == NumVc ? '0 : turn_q + 1'b1;
    end
  end
  `WEFT_ASSERT(FlitComes, !valid || {valid, last, vc, data, stamp} == word_q)
  `WEFT_ASSERT(NothingElseComes, valid == word_q[1+FlitW+VcW+StampW])
  `WEFT_ASSERT(QuietWithoutFlit, valid || {last, data, stamp, check[0]} == '0)
  `WEFT_ASSERT(RingWithoutFlit, valid || vc == turn_q)

  (* hierconn *) wire [NumVc*CountW-1:0] \u_dut.all_flits ;
  (* hierconn *) wire [NumVc*CountW-1:0] \u_dut.all_packets ;
  (* hierconn *) wire [NumVc-1:0] \u_dut.begun ;
  logic [NumVc*CountW-1:0] all_flits, all_packets;
  logic [NumVc-1:0]        begun;
  assign all_flits   = \u_dut.all_flits ;
  assign all_packets = \u_dut.all_packets ;
  assign begun       = \u_dut.begun ;

  // Numbers, counted at the link: packets by their last flits.
  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic              comes, inside_q;
    logic [CountW-1:0] flits_q, ended_q;
    assign comes = valid && 32'(vc) == v;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        inside_q <= 1'b0;
        flits_q  <= '0;
        ended_q  <= '0;
      end else if (comes) begin
        inside_q <= !last;
        flits_q  <= flits_q + 1'b1;
        ended_q  <= ended_q + CountW'(last);
      end
    end
    `WEFT_ASSERT(Numbers, 32'(vc) != v ||
        check[1 +: 2*CountW] == {CountW'(ended_q + CountW'(inside_q)), flits_q})
    `WEFT_ASSERT(HeadIsFirst, !comes || check[0] == !inside_q)

    // Invariants that close the induction: the block counts a cycle earlier.
    `WEFT_ASSERT(CountsFlits, all_flits[v*CountW +: CountW] ==
        CountW'(flits_q + CountW'(comes)))
    `WEFT_ASSERT(CountsPackets, all_packets[v*CountW +: CountW] ==
        CountW'(ended_q + CountW'(inside_q) + CountW'(comes && !inside_q)))
    `WEFT_ASSERT(KnowsBegun, begun[v] == (comes ? !last : inside_q))
  end
  (* hierconn *) wire [IdxW-1:0] \u_dut.ring_q ;
  `WEFT_ASSERT(TurnInRange, 32'(turn_q) < NumVc)
  `WEFT_ASSERT(RingInside, 32'(\u_dut.ring_q ) == (!started_q || valid ? 32'(turn_q) :
      32'(turn_q) + 1 == NumVc ? 32'd0 : 32'(turn_q) + 1))

  // Bit i of the code: every eighth bit of the word from bit i on.
  localparam int unsigned WordW = CheckW - 8 + 2 + VcW + StampW + FlitW;
  logic [WordW-1:0] word;
  assign word = {check[CheckW-9:0], valid, last, vc, stamp, data};
  for (genvar i = 0; i < 8; i++) begin : gen_code
    logic parity;
    always_comb begin
      parity = 1'b0;
      for (int unsigned k = i; k < WordW; k = k + 8) parity = parity ^ word[k];
    end
    `WEFT_ASSERT(Code, check[CheckW-8+i] == !parity)
  end

endmodule

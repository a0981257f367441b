// Proof of the router of a ring with `Last` + 1 routers, or of two such rings with cross links
// (DCE), two VCs. Its blocks meet each other's assumptions (their WEFT_ASSUMEs are assertions
// here), credits are conserved on both sides of every VC, and a packet keeps its out-port and VC to
// its end. By parameter: a packet from a neighbour was held as a whole before (store and forward),
// had credits for its whole length (cut-through), keeps its VC (a VC for each destination), is on
// the VC of its class (VCs by class); a port is held by a packet or arbitrated for every flit, and
// granted to the oldest. Who goes next is the proof of packet_order, with `Pipeline` 3 also that of
// switch_hold; here it is only that a packet which moves keeps its port. Further ways are the proof
// of way_select. Assumptions: senders count credits, receivers return only credits they have.
// Values of the package are small here.

`include "weft_assert.svh"

module vc_router_props #(
  parameter int unsigned DataW = 13,
  parameter int unsigned Last = 2,
  parameter int unsigned Depth = 2,
  parameter int unsigned LocalDepth = 1,
  parameter bit          HoldPacket = 1'b1,
  parameter bit          CutThrough = 1'b0,
  parameter bit          StoreForward = 1'b0,
  parameter bit          Age = 1'b0,
  parameter int unsigned Pipeline = 1,
  // 1: two rings with cross links.
  parameter bit          Dce = 1'b0,
  parameter int unsigned Dateline = weft_pkg::DatelineFixed,
  parameter bit          PerDest = 1'b0,
  // The sets that these route units give.
  localparam logic [15:0] Sets = PerDest  ? 16'h0008
                                : Dce      ? 16'h0118
                                : Dateline == weft_pkg::DatelineBalanced ? 16'h000f : 16'h0006,
  localparam int unsigned NumDims = Dce ? 2 : 1,
  localparam logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      (NumDims*weft_pkg::DigitParamW)'({weft_pkg::DigitParamW'(1), weft_pkg::DigitParamW'(Last)}),
  localparam int unsigned LastOwn = Dce ? 2 * Last + 1 : Last,
  localparam int unsigned P = 3,
  localparam int unsigned R = 6,
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned WordW = weft_pkg::VcSetW + 2 + 1 + DataW + (Age ? StampW : 0),
  localparam int unsigned LastBit = DataW,
  localparam int unsigned CameW = weft_pkg::VcSetW + 2,
  localparam int unsigned LocalW = $clog2(LocalDepth + 1)
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [weft_pkg::AddrW-1:0] own_i,
  input logic [P-1:0]               rx_valid_i,
  input logic [P-1:0]               rx_last_i,
  input logic [P-1:0]               rx_vc_i,
  input logic [P*DataW-1:0]         rx_data_i,
  input logic [P*StampW-1:0]        rx_stamp_i,
  input logic [R-1:0]               tx_credit_i
);

  logic [R-1:0]        credit;
  logic [P-1:0]        tx_valid, tx_last, tx_vc;
  logic [P*DataW-1:0]  tx_data;
  logic [P*StampW-1:0] tx_stamp;

  // A route unit beside each in-port.
  logic [P*2-1:0]                 route_port;
  logic [P*weft_pkg::VcSetW-1:0]  route_set;
  for (genvar p = 0; p < P; p++) begin : gen_route
    logic [weft_pkg::AddrW-1:0] src, dst;
    assign src = rx_data_i[p*DataW + weft_pkg::HdrDstLsb + weft_pkg::AddrW +: weft_pkg::AddrW];
    assign dst = rx_data_i[p*DataW + weft_pkg::HdrDstLsb +: weft_pkg::AddrW];
    if (Dce) begin : gen_dce
      weft_route_dce #(
        .NumDims  (NumDims),
        .MaxCoords(MaxCoords),
        .PerDest  (PerDest)
      ) u_route (
        .port_i     (2'(p)),
        .own_i,
        .src_i      (src),
        .dst_i      (dst),
        .other_way_i(1'b0),
        .reverse_i(1'b0),
        .port_o     (route_port[p*2 +: 2]),
        .set_o      (route_set[p*weft_pkg::VcSetW +: weft_pkg::VcSetW])
      );
    end else begin : gen_torus
      logic [weft_pkg::VcSetW-1:0] torus_set;
      weft_route_torus #(
        .NumDims  (NumDims),
        .MaxCoords(MaxCoords),
        .PerDest  (PerDest),
        .Dateline (Dateline)
      ) u_route (
        .port_i     (2'(p)),
        .own_i,
        .src_i      (src),
        .dst_i      (dst),
        .other_way_i(rx_data_i[p*DataW + weft_pkg::HdrTagLsb + weft_pkg::TagOtherWay]),
        .reverse_i(1'b0),
        .port_o     (route_port[p*2 +: 2]),
        .set_o      (torus_set)
      );
      assign route_set[p*weft_pkg::VcSetW +: weft_pkg::VcSetW] = torus_set;
    end
  end

  weft_vc_router #(
    .DataW       (DataW),
    .NumPorts    (P),
    .NumLocal    (1),
    .NumVc       (2),
    .Depth       (Depth),
    .LocalDepth  (LocalDepth),
    .HoldPacket  (HoldPacket),
    .CutThrough  (CutThrough),
    .StoreForward(StoreForward),
    .Age         (Age),
    .Pipeline    (Pipeline),
    .Sets        (Sets)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .rx_valid_i,
    .rx_last_i,
    .rx_vc_i,
    .rx_data_i,
    .rx_stamp_i,
    .route_port_i(route_port),
    .route_set_i (route_set),
    .route_minimal_i('0),
    .rx_credit_o (credit),
    .tx_valid_o  (tx_valid),
    .tx_last_o   (tx_last),
    .tx_vc_o     (tx_vc),
    .tx_data_o   (tx_data),
    .tx_stamp_o  (tx_stamp),
    .tx_credit_i
  );

  // Inside, by VC of an in-port: words held, and the packet at its head.
  logic [R*CountW-1:0] held;
  logic [R-1:0]        head, way_vc;
  logic [R*2-1:0]      way_port;
  // By VC of an out-port: credits, allocated, and to which requester.
  logic [R*8-1:0] credits;
  logic [R-1:0]   busy;
  logic [R*3-1:0] owner;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_in[0].u_in.gen_vc[0].count ;
  (* hierconn *) wire \u_dut.gen_in[0].u_in.gen_vc[0].head_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_in[0].u_in.gen_vc[0].port_q ;
  (* hierconn *) wire \u_dut.gen_in[0].u_in.gen_vc[0].vc_q ;
  assign held[0*CountW +: CountW] = \u_dut.gen_in[0].u_in.gen_vc[0].count ;
  assign head[0] = \u_dut.gen_in[0].u_in.gen_vc[0].head_q ;
  assign way_port[0 +: 2] = \u_dut.gen_in[0].u_in.gen_vc[0].port_q ;
  assign way_vc[0] = \u_dut.gen_in[0].u_in.gen_vc[0].vc_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_in[0].u_in.gen_vc[1].count ;
  (* hierconn *) wire \u_dut.gen_in[0].u_in.gen_vc[1].head_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_in[0].u_in.gen_vc[1].port_q ;
  (* hierconn *) wire \u_dut.gen_in[0].u_in.gen_vc[1].vc_q ;
  assign held[1*CountW +: CountW] = \u_dut.gen_in[0].u_in.gen_vc[1].count ;
  assign head[1] = \u_dut.gen_in[0].u_in.gen_vc[1].head_q ;
  assign way_port[2 +: 2] = \u_dut.gen_in[0].u_in.gen_vc[1].port_q ;
  assign way_vc[1] = \u_dut.gen_in[0].u_in.gen_vc[1].vc_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_in[1].u_in.gen_vc[0].count ;
  (* hierconn *) wire \u_dut.gen_in[1].u_in.gen_vc[0].head_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_in[1].u_in.gen_vc[0].port_q ;
  (* hierconn *) wire \u_dut.gen_in[1].u_in.gen_vc[0].vc_q ;
  assign held[2*CountW +: CountW] = \u_dut.gen_in[1].u_in.gen_vc[0].count ;
  assign head[2] = \u_dut.gen_in[1].u_in.gen_vc[0].head_q ;
  assign way_port[4 +: 2] = \u_dut.gen_in[1].u_in.gen_vc[0].port_q ;
  assign way_vc[2] = \u_dut.gen_in[1].u_in.gen_vc[0].vc_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_in[1].u_in.gen_vc[1].count ;
  (* hierconn *) wire \u_dut.gen_in[1].u_in.gen_vc[1].head_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_in[1].u_in.gen_vc[1].port_q ;
  (* hierconn *) wire \u_dut.gen_in[1].u_in.gen_vc[1].vc_q ;
  assign held[3*CountW +: CountW] = \u_dut.gen_in[1].u_in.gen_vc[1].count ;
  assign head[3] = \u_dut.gen_in[1].u_in.gen_vc[1].head_q ;
  assign way_port[6 +: 2] = \u_dut.gen_in[1].u_in.gen_vc[1].port_q ;
  assign way_vc[3] = \u_dut.gen_in[1].u_in.gen_vc[1].vc_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_in[2].u_in.gen_vc[0].count ;
  (* hierconn *) wire \u_dut.gen_in[2].u_in.gen_vc[0].head_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_in[2].u_in.gen_vc[0].port_q ;
  (* hierconn *) wire \u_dut.gen_in[2].u_in.gen_vc[0].vc_q ;
  assign held[4*CountW +: CountW] = \u_dut.gen_in[2].u_in.gen_vc[0].count ;
  assign head[4] = \u_dut.gen_in[2].u_in.gen_vc[0].head_q ;
  assign way_port[8 +: 2] = \u_dut.gen_in[2].u_in.gen_vc[0].port_q ;
  assign way_vc[4] = \u_dut.gen_in[2].u_in.gen_vc[0].vc_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_in[2].u_in.gen_vc[1].count ;
  (* hierconn *) wire \u_dut.gen_in[2].u_in.gen_vc[1].head_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_in[2].u_in.gen_vc[1].port_q ;
  (* hierconn *) wire \u_dut.gen_in[2].u_in.gen_vc[1].vc_q ;
  assign held[5*CountW +: CountW] = \u_dut.gen_in[2].u_in.gen_vc[1].count ;
  assign head[5] = \u_dut.gen_in[2].u_in.gen_vc[1].head_q ;
  assign way_port[10 +: 2] = \u_dut.gen_in[2].u_in.gen_vc[1].port_q ;
  assign way_vc[5] = \u_dut.gen_in[2].u_in.gen_vc[1].vc_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_out[0].u_out.gen_vc[0].count_q ;
  (* hierconn *) wire \u_dut.gen_out[0].u_out.gen_vc[0].allocated_q ;
  (* hierconn *) wire [2:0] \u_dut.gen_out[0].gen_owner[0].owner_q ;
  assign credits[0 +: 8] = 8'( \u_dut.gen_out[0].u_out.gen_vc[0].count_q );
  assign busy[0] = \u_dut.gen_out[0].u_out.gen_vc[0].allocated_q ;
  assign owner[0 +: 3] = \u_dut.gen_out[0].gen_owner[0].owner_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_out[0].u_out.gen_vc[1].count_q ;
  (* hierconn *) wire \u_dut.gen_out[0].u_out.gen_vc[1].allocated_q ;
  (* hierconn *) wire [2:0] \u_dut.gen_out[0].gen_owner[1].owner_q ;
  assign credits[8 +: 8] = 8'( \u_dut.gen_out[0].u_out.gen_vc[1].count_q );
  assign busy[1] = \u_dut.gen_out[0].u_out.gen_vc[1].allocated_q ;
  assign owner[3 +: 3] = \u_dut.gen_out[0].gen_owner[1].owner_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_out[1].u_out.gen_vc[0].count_q ;
  (* hierconn *) wire \u_dut.gen_out[1].u_out.gen_vc[0].allocated_q ;
  (* hierconn *) wire [2:0] \u_dut.gen_out[1].gen_owner[0].owner_q ;
  assign credits[16 +: 8] = 8'( \u_dut.gen_out[1].u_out.gen_vc[0].count_q );
  assign busy[2] = \u_dut.gen_out[1].u_out.gen_vc[0].allocated_q ;
  assign owner[6 +: 3] = \u_dut.gen_out[1].gen_owner[0].owner_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_out[1].u_out.gen_vc[1].count_q ;
  (* hierconn *) wire \u_dut.gen_out[1].u_out.gen_vc[1].allocated_q ;
  (* hierconn *) wire [2:0] \u_dut.gen_out[1].gen_owner[1].owner_q ;
  assign credits[24 +: 8] = 8'( \u_dut.gen_out[1].u_out.gen_vc[1].count_q );
  assign busy[3] = \u_dut.gen_out[1].u_out.gen_vc[1].allocated_q ;
  assign owner[9 +: 3] = \u_dut.gen_out[1].gen_owner[1].owner_q ;
  (* hierconn *) wire [LocalW-1:0] \u_dut.gen_out[2].u_out.gen_vc[0].count_q ;
  (* hierconn *) wire \u_dut.gen_out[2].u_out.gen_vc[0].allocated_q ;
  (* hierconn *) wire [2:0] \u_dut.gen_out[2].gen_owner[0].owner_q ;
  assign credits[32 +: 8] = 8'( \u_dut.gen_out[2].u_out.gen_vc[0].count_q );
  assign busy[4] = \u_dut.gen_out[2].u_out.gen_vc[0].allocated_q ;
  assign owner[12 +: 3] = \u_dut.gen_out[2].gen_owner[0].owner_q ;
  assign credits[40 +: 8] = 8'd0;
  assign busy[5]         = 1'b0;
  assign owner[15 +: 3]  = 3'd0;

  // The buffers, of depth 2: pointers and words; from neighbours the number of tails too. With
  // `Pipeline` 2 and 3 the oldest word is in a register and the memory has one word.
  logic [R-1:0]         rptr, wptr;
  logic [2*4-1:0]       tails;
  logic [2*R*WordW-1:0] words;
  (* hierconn *) wire \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.rptr_q ;
  (* hierconn *) wire \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.wptr_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_in[0].u_in.gen_vc[0].tails_q ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.mem_q[0] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.mem_q[1] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.gen_front.front_q ;
  assign rptr[0] = \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.rptr_q ;
  assign wptr[0] = \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.wptr_q ;
  assign tails[0 +: 2] = \u_dut.gen_in[0].u_in.gen_vc[0].tails_q ;
  assign words[0*2*WordW +: 2*WordW] = Pipeline == 1 ?
      { \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.mem_q[1] ,
        \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.mem_q[0] } :
      { \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.mem_q[0] ,
        \u_dut.gen_in[0].u_in.gen_vc[0].u_fifo.gen_front.front_q };
  (* hierconn *) wire \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.rptr_q ;
  (* hierconn *) wire \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.wptr_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_in[0].u_in.gen_vc[1].tails_q ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.mem_q[0] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.mem_q[1] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.gen_front.front_q ;
  assign rptr[1] = \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.rptr_q ;
  assign wptr[1] = \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.wptr_q ;
  assign tails[2 +: 2] = \u_dut.gen_in[0].u_in.gen_vc[1].tails_q ;
  assign words[1*2*WordW +: 2*WordW] = Pipeline == 1 ?
      { \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.mem_q[1] ,
        \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.mem_q[0] } :
      { \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.mem_q[0] ,
        \u_dut.gen_in[0].u_in.gen_vc[1].u_fifo.gen_front.front_q };
  (* hierconn *) wire \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.rptr_q ;
  (* hierconn *) wire \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.wptr_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_in[1].u_in.gen_vc[0].tails_q ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.mem_q[0] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.mem_q[1] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.gen_front.front_q ;
  assign rptr[2] = \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.rptr_q ;
  assign wptr[2] = \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.wptr_q ;
  assign tails[4 +: 2] = \u_dut.gen_in[1].u_in.gen_vc[0].tails_q ;
  assign words[2*2*WordW +: 2*WordW] = Pipeline == 1 ?
      { \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.mem_q[1] ,
        \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.mem_q[0] } :
      { \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.mem_q[0] ,
        \u_dut.gen_in[1].u_in.gen_vc[0].u_fifo.gen_front.front_q };
  (* hierconn *) wire \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.rptr_q ;
  (* hierconn *) wire \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.wptr_q ;
  (* hierconn *) wire [1:0] \u_dut.gen_in[1].u_in.gen_vc[1].tails_q ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.mem_q[0] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.mem_q[1] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.gen_front.front_q ;
  assign rptr[3] = \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.rptr_q ;
  assign wptr[3] = \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.wptr_q ;
  assign tails[6 +: 2] = \u_dut.gen_in[1].u_in.gen_vc[1].tails_q ;
  assign words[3*2*WordW +: 2*WordW] = Pipeline == 1 ?
      { \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.mem_q[1] ,
        \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.mem_q[0] } :
      { \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.mem_q[0] ,
        \u_dut.gen_in[1].u_in.gen_vc[1].u_fifo.gen_front.front_q };
  (* hierconn *) wire \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.rptr_q ;
  (* hierconn *) wire \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.wptr_q ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.mem_q[0] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.mem_q[1] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.gen_front.front_q ;
  assign rptr[4] = \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.rptr_q ;
  assign wptr[4] = \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.wptr_q ;
  assign words[4*2*WordW +: 2*WordW] = Pipeline == 1 ?
      { \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.mem_q[1] ,
        \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.mem_q[0] } :
      { \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.mem_q[0] ,
        \u_dut.gen_in[2].u_in.gen_vc[0].u_fifo.gen_front.front_q };
  (* hierconn *) wire \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.rptr_q ;
  (* hierconn *) wire \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.wptr_q ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.mem_q[0] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.mem_q[1] ;
  (* hierconn *) wire [WordW-1:0] \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.gen_front.front_q ;
  assign rptr[5] = \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.rptr_q ;
  assign wptr[5] = \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.wptr_q ;
  assign words[5*2*WordW +: 2*WordW] = Pipeline == 1 ?
      { \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.mem_q[1] ,
        \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.mem_q[0] } :
      { \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.mem_q[0] ,
        \u_dut.gen_in[2].u_in.gen_vc[1].u_fifo.gen_front.front_q };
  // In a DCE the VC set held with a word is that of the route unit: class 0 from the NIC, the
  // next class after the last column of the ring.
  for (genvar w = 0; w < 2 * R; w++) begin : gen_came
    logic                        there;
    logic [1:0]                  count, to;
    logic [weft_pkg::VcSetW-1:0] set;
    assign count     = held[(w/2)*CountW +: CountW];
    assign there     = count == 2'd2 || (count == 2'd1 && rptr[w/2] == (w % 2 == 1));
    assign {set, to} = words[w*WordW + LastBit + 1 +: CameW];
    `WEFT_ASSERT(SetOfClass, !Dce || !there || set ==
        ((to == 2'd2)             ? weft_pkg::VcAny   :
         (w >= 8)                 ? weft_pkg::VcFirst :
         (to == 2'd0 && own_i[0]) ? weft_pkg::VcNext  : weft_pkg::VcSame))
    `WEFT_ASSERT(SetOfLocal, !there || to != 2'd2 || set == weft_pkg::VcAny)
    `WEFT_ASSERT(PointersAgree, Pipeline == 1 ? wptr[w/2] == (rptr[w/2] ^ count[0])
                                              : {wptr[w/2], rptr[w/2]} == 2'b00)
  end
  for (genvar r = 0; r < 4; r++) begin : gen_stored
    logic [1:0] count, end_words, sum;
    assign count     = held[r*CountW +: CountW];
    assign end_words = {words[(2*r+1)*WordW + LastBit], words[2*r*WordW + LastBit]};
    assign sum       = 2'(count != 2'd0 && end_words[rptr[r]]) +
                       2'(count == 2'd2 && end_words[!rptr[r]]);
    `WEFT_ASSERT(TailsCounted, tails[r*2 +: 2] == sum)
    // A packet that has begun to leave was whole: its tail is still held.
    `WEFT_ASSERT(StoredBeforeForwarded, !StoreForward || head[r] || tails[r*2 +: 2] != 2'd0)
  end

  logic                       past_q;
  logic [weft_pkg::AddrW-1:0] own_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q <= 1'b0;
      own_q  <= '0;
    end else begin
      past_q <= 1'b1;
      own_q  <= own_i;
    end
  end
  `WEFT_ASSUME(OwnIsConstant, (!past_q || own_i == own_q) && 32'(own_i) <= LastOwn)

  for (genvar r = 0; r < R; r++) begin : gen_requester
    // The sender's credits, with the one on the credit line from the next cycle on.
    logic       arrives;
    logic [7:0] sender_q;
    assign arrives = rx_valid_i[r/2] && 32'(rx_vc_i[r/2]) == r % 2;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) sender_q <= 8'(Depth);
      else sender_q <= sender_q + 8'(credit[r]) - 8'(arrives);
    end
    `WEFT_ASSUME(SenderCounts, !(arrives && sender_q == 8'd0))
    `WEFT_ASSERT(CreditsConserved, 32'(sender_q) + 32'(credit[r]) +
        32'(held[r*CountW +: CountW]) == Depth)

    // Out-port and VC of a packet that has begun to leave.
    logic [1:0] port;
    logic [2:0] lane;
    assign port = way_port[r*2 +: 2];
    assign lane = {port, way_vc[r]};
    `WEFT_ASSERT(BegunPacketKeepsVc, !PerDest || head[r] || port == 2'd2 ||
        32'(way_vc[r]) == r % 2)
    // Class 0 from the NIC, the next class after the last column of the ring.
    `WEFT_ASSERT(BegunPacketInClass, !Dce || head[r] || port == 2'd2 ||
        way_vc[r] == (r < 4 && (r % 2 == 1 || (port == 2'd0 && own_i[0]))))
    `WEFT_ASSERT(BegunPacketOwnsItsVc, head[r] ||
        (lane < 3'd5 && busy[lane] && 32'(owner[lane*3 +: 3]) == r))
  end

  // Requests for an out-port, and grants.
  (* hierconn *) wire [P*R-1:0] \u_dut.req ;
  (* hierconn *) wire [P*R-1:0] \u_dut.gnt ;
  (* hierconn *) wire [R-1:0] \u_dut.in_last ;
  (* hierconn *) wire [R*StampW-1:0] \u_dut.in_stamp ;
  (* hierconn *) wire [R-1:0] \u_dut.gen_out[0].gen_at_once.u_switch.held_q ;
  (* hierconn *) wire [R-1:0] \u_dut.gen_out[1].gen_at_once.u_switch.held_q ;
  (* hierconn *) wire [R-1:0] \u_dut.gen_out[2].gen_at_once.u_switch.held_q ;
  (* hierconn *) wire [R-1:0] \u_dut.gen_out[0].gen_ahead.u_switch.held_q ;
  (* hierconn *) wire [R-1:0] \u_dut.gen_out[1].gen_ahead.u_switch.held_q ;
  (* hierconn *) wire [R-1:0] \u_dut.gen_out[2].gen_ahead.u_switch.held_q ;
  (* hierconn *) wire [StampW-1:0] \u_dut.now ;
  logic [P*R-1:0] holders;
  assign holders = Pipeline == 3 ?
      { \u_dut.gen_out[2].gen_ahead.u_switch.held_q ,
       \u_dut.gen_out[1].gen_ahead.u_switch.held_q ,
       \u_dut.gen_out[0].gen_ahead.u_switch.held_q } :
      { \u_dut.gen_out[2].gen_at_once.u_switch.held_q ,
       \u_dut.gen_out[1].gen_at_once.u_switch.held_q ,
       \u_dut.gen_out[0].gen_at_once.u_switch.held_q };
  logic [StampW-1:0] now_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) now_q <= '0;
    else now_q <= now_q + 1'b1;
  end
  `WEFT_ASSERT(SameClock, \u_dut.now == (Age ? now_q : '0))

  for (genvar r = 0; r < R; r++) begin : gen_way
    logic [P-1:0] asked;
    for (genvar o = 0; o < P; o++) begin : gen_to
      assign asked[o] = \u_dut.req [o*R + r];
    end
    `WEFT_ASSERT(OneRequest, (asked & (asked - 1'b1)) == '0)
  end

  for (genvar o = 0; o < P; o++) begin : gen_port
    // The requester granted last, whether its packet continues, and the in-VC of the word on the
    // link.
    logic [R-1:0]      requests, grants, before_q;
    logic              going_q, came_q, moved_q;
    logic [StampW-1:0] age;
    logic [R-1:0]      older;
    assign requests = \u_dut.req [o*R +: R];
    assign grants = \u_dut.gnt [o*R +: R];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        before_q <= '0;
        going_q  <= 1'b0;
        came_q   <= 1'b0;
      end else if (grants != '0) begin
        before_q <= grants;
        going_q  <= (grants & \u_dut.in_last ) == '0;
        came_q   <= (grants & 6'b101010) != '0;
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) moved_q <= 1'b0;
      else moved_q <= grants != '0;
    end
    always_comb begin
      age   = '0;
      older = '0;
      for (int unsigned r = 0; r < R; r++) begin
        if (grants[r]) age = age | (now_q - \u_dut.in_stamp [r*StampW +: StampW]);
      end
      for (int unsigned r = 0; r < R; r++) begin
        older[r] = requests[r] && StampW'(now_q - \u_dut.in_stamp [r*StampW +: StampW]) > age;
      end
    end
    `WEFT_ASSERT(MovingPacketKeepsPort, Pipeline != 3 || !HoldPacket || !moved_q || !going_q ||
        holders[o*R +: R] == before_q)
    `WEFT_ASSERT(GrantToHolder, Pipeline != 3 || (grants & ~holders[o*R +: R]) == '0)
    `WEFT_ASSERT(PacketKeepsPort, Pipeline == 3 || !HoldPacket || !going_q ||
        (before_q & requests) == '0 || grants == before_q)
    `WEFT_ASSERT(OldestBegins, Pipeline == 3 || !Age || older == '0 ||
        (HoldPacket && going_q && grants == before_q))
    `WEFT_ASSERT(DestinationsVc, !PerDest || o == 2 || !tx_valid[o] || tx_vc[o] == came_q)
    // Invariants that close the induction.
    `WEFT_ASSERT(OneBefore, (before_q & (before_q - 1'b1)) == '0)
    `WEFT_ASSERT(BeforeHolds, Pipeline == 3 ||
        holders[o*R +: R] == ((HoldPacket && going_q) ? before_q : '0))
  end

  for (genvar r = 0; r < R - 1; r++) begin : gen_receiver
    // Words that the receiver holds or has on its link: credits to return.
    localparam int unsigned Slots = r < 4 ? Depth : LocalDepth;
    logic       sent;
    logic [7:0] buffered_q;
    assign sent = tx_valid[r/2] && 32'(tx_vc[r/2]) == r % 2;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) buffered_q <= 8'd0;
      else buffered_q <= buffered_q + 8'(sent) - 8'(tx_credit_i[r]);
    end
    // With the first word of a packet on the link the credits suffice for the others.
    logic inside_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) inside_q <= 1'b0;
      else if (sent) inside_q <= !tx_last[r/2];
    end
    `WEFT_ASSERT(CreditsForAll, !CutThrough || r >= 4 || !sent || inside_q || credits[r*8 +: 8] >=
        8'(tx_data[(r/2)*DataW + weft_pkg::HdrLenLsb +: weft_pkg::LenW]))
    `WEFT_ASSERT(BusyInside, busy[r] == (sent ? !tx_last[r/2] : inside_q))
    `WEFT_ASSUME(ReturnsOwnCredits, !(tx_credit_i[r] && buffered_q == 8'd0))
    `WEFT_ASSERT(CreditsReturned, 32'(credits[r*8 +: 8]) + 32'(buffered_q) +
        32'(sent) == Slots)
  end

endmodule

// Proof of the queues of a tile with two links, whatever the lengths that headers announce and
// those that packets have, and whatever credits come: a queue is all that has come, less the
// credits, and what packets under way still announce, told by its change in each cycle, which stops
// at no flit and at as many as it can count; a link is busy exactly if its queue of
// class 1 is longer than three times that of the other one and two flits.

`include "weft_assert.svh"

module route_load_props #(
  parameter int unsigned NumVc = 2,
  parameter int unsigned LowVc = NumVc / 2,
  parameter int unsigned LoadW = 10,
  localparam int unsigned NumPorts = 3,
  localparam int unsigned VcW = $clog2(NumVc),
  localparam int unsigned LenW = weft_pkg::LenW
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [NumPorts-1:0]      rx_valid_i,
  input logic [NumPorts-1:0]      rx_last_i,
  input logic [NumPorts*VcW-1:0]  rx_vc_i,
  input logic [NumPorts*LenW-1:0] rx_len_i,
  input logic [NumPorts*2-1:0]    rx_port_i,
  input logic [NumPorts-1:0]      rx_class_i,
  input logic [2*NumVc-1:0]       tx_credit_i
);

  logic [2*LoadW-1:0] low, high;
  logic [1:0]         busy;
  weft_route_load #(
    .NumVc   (NumVc),
    .LowVc   (LowVc),
    .NumLinks(2),
    .NumLocal(1),
    .LoadW   (LoadW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .rx_valid_i,
    .rx_last_i,
    .rx_vc_i,
    .rx_len_i,
    .rx_port_i,
    .rx_class_i,
    .tx_credit_i,
    .low_load_o (low),
    .high_load_o(high),
    .busy_o     (busy)
  );

  // Of each VC: a packet is under way, so many flits its header announced, and so many have come of
  // them; its queue, class above link.
  localparam int unsigned NumSource = NumPorts * NumVc;
  logic [NumSource-1:0]          under_way_q;
  logic [NumSource*LenW-1:0]     announced_q, come_q;
  logic [NumSource*3-1:0]        queue_q;
  logic [31:0]                   source [NumPorts];
  logic [NumPorts-1:0]           valid;
  logic [NumPorts*3-1:0]         queue;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_source
    assign source[p] = NumVc * p + 32'(rx_vc_i[p*VcW +: VcW]);
    assign valid[p]  = rx_valid_i[p] && 32'(rx_vc_i[p*VcW +: VcW]) < NumVc;
    assign queue[p*3 +: 3] = under_way_q[source[p]] ? queue_q[source[p]*3 +: 3] :
                             {rx_class_i[p], rx_port_i[p*2 +: 2]};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      under_way_q <= '0;
      announced_q <= '0;
      come_q      <= '0;
      queue_q     <= '0;
    end else begin
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (valid[p]) begin
          under_way_q[source[p]]      <= !rx_last_i[p];
          queue_q[source[p]*3 +: 3]   <= queue[p*3 +: 3];
          if (!under_way_q[source[p]]) begin
            announced_q[source[p]*LenW +: LenW] <= rx_len_i[p*LenW +: LenW];
            come_q[source[p]*LenW +: LenW]      <= '0;
          end else if (come_q[source[p]*LenW +: LenW] != announced_q[source[p]*LenW +: LenW]) begin
            come_q[source[p]*LenW +: LenW] <= come_q[source[p]*LenW +: LenW] + 1'b1;
          end
        end
      end
    end
  end

  // What each in-port changes: its flit, and what is announced and has not come of its packet, now
  // and before; and the credits.
  localparam int unsigned MoveW = LoadW + LenW + 3;  // Signed.
  logic [NumPorts*MoveW-1:0] change;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_change
    logic [LenW-1:0] missing, before, next;
    assign missing = LenW'(announced_q[source[p]*LenW +: LenW] - come_q[source[p]*LenW +: LenW]);
    assign before  = under_way_q[source[p]] ? missing : '0;
    assign next    = rx_last_i[p] ? '0 : !under_way_q[source[p]] ? rx_len_i[p*LenW +: LenW] :
                     missing == '0 ? '0 : missing - 1'b1;
    assign change[p*MoveW +: MoveW] = MoveW'(1) + MoveW'(next) - MoveW'(before);
  end
  logic [4*LoadW-1:0] load, load_q;
  logic [4*MoveW-1:0] moved, moved_q;
  logic               first_q;
  assign load = {high, low};
  always_comb begin
    moved = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (valid[p] && 32'(queue[p*3 +: 2]) == k % 2 && 32'(queue[p*3+2]) == k / 2) begin
          moved[k*MoveW +: MoveW] = moved[k*MoveW +: MoveW] + change[p*MoveW +: MoveW];
        end
      end
      for (int unsigned v = 0; v < NumVc; v++) begin
        if ((v >= LowVc) == (k / 2 == 1) && tx_credit_i[(k%2)*NumVc + v]) begin
          moved[k*MoveW +: MoveW] = moved[k*MoveW +: MoveW] - 1'b1;
        end
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b1;
      moved_q <= '0;
      load_q  <= '0;
    end else begin
      first_q <= 1'b0;
      moved_q <= moved;
      load_q  <= load;
    end
  end
  `WEFT_ASSERT(StartsAtZero, !first_q || load == '0)
  for (genvar k = 0; k < 4; k++) begin : gen_load
    logic signed [MoveW-1:0] expected;
    assign expected = MoveW'(load_q[k*LoadW +: LoadW]) + moved_q[k*MoveW +: MoveW];
    `WEFT_ASSERT(HereAndAnnounced, first_q || load[k*LoadW +: LoadW] ==
        (expected < 0 ? '0 : expected > $signed(MoveW'((1 << LoadW) - 1)) ? '1 :
         expected[LoadW-1:0]))
  end

  // Invariants that close the induction.
  (* hierconn *) wire [NumSource-1:0] \u_dut.body_q ;
  (* hierconn *) wire [NumSource*LenW-1:0] \u_dut.left_q ;
  (* hierconn *) wire [NumSource*2-1:0] \u_dut.port_q ;
  (* hierconn *) wire [NumSource-1:0] \u_dut.class_q ;
  logic [NumSource-1:0]      body_inside, class_inside;
  logic [NumSource*LenW-1:0] left_inside;
  logic [NumSource*2-1:0]    port_inside;
  assign body_inside  = \u_dut.body_q ;
  assign left_inside  = \u_dut.left_q ;
  assign port_inside  = \u_dut.port_q ;
  assign class_inside = \u_dut.class_q ;
  `WEFT_ASSERT(UnderWayInside, under_way_q == body_inside)
  for (genvar s = 0; s < NumSource; s++) begin : gen_inside
    `WEFT_ASSERT(LeftInside, left_inside[s*LenW +: LenW] ==
        LenW'(announced_q[s*LenW +: LenW] - come_q[s*LenW +: LenW]))
    `WEFT_ASSERT(QueueInside, queue_q[s*3 +: 3] == {class_inside[s], port_inside[s*2 +: 2]})
    `WEFT_ASSERT(NoMoreThanAnnounced, come_q[s*LenW +: LenW] <= announced_q[s*LenW +: LenW])
  end

  // Three times the other link's queue and two flits, as a sum of four.
  logic [LoadW+1:0] bound_0, bound_1;
  assign bound_0 = (LoadW + 2)'(high[LoadW +: LoadW]) + (LoadW + 2)'(high[LoadW +: LoadW]) +
                   (LoadW + 2)'(high[LoadW +: LoadW]) + (LoadW + 2)'(2);
  assign bound_1 = (LoadW + 2)'(high[0 +: LoadW]) + (LoadW + 2)'(high[0 +: LoadW]) +
                   (LoadW + 2)'(high[0 +: LoadW]) + (LoadW + 2)'(2);
  `WEFT_ASSERT(BusyIfLong, busy == {(LoadW + 2)'(high[LoadW +: LoadW]) > bound_1,
                                    (LoadW + 2)'(high[0 +: LoadW]) > bound_0})

endmodule

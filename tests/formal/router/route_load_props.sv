// Proof of the queues of a tile with two links: a length changes by what arrives and leaves, in
// every cycle, computed here by subtraction of totals; a link is busy exactly if its queue of class
// 1 is longer than three times that of the other one and two flits.

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

  // Packets that are under way on each VC: a flit of a VC is a header if the one before was last.
  logic [NumPorts*NumVc-1:0] under_way_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) under_way_q <= '0;
    else begin
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (rx_valid_i[p]) under_way_q[p*NumVc + 32'(rx_vc_i[p*VcW +: VcW])] <= !rx_last_i[p];
      end
    end
  end
  (* hierconn *) wire [NumPorts*NumVc-1:0] \u_dut.body_q ;
  logic [NumPorts*NumVc-1:0] held_inside;
  assign held_inside = \u_dut.body_q ;
  `WEFT_ASSERT(UnderWayInside, under_way_q == held_inside)

  // What arrives for a link and class in a cycle, and the credits.
  logic [4*LoadW-1:0] come, gone, come_q, gone_q, load, load_q;
  logic               first_q;
  assign load = {high, low};
  always_comb begin
    come = '0;
    gone = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (rx_valid_i[p] && !under_way_q[p*NumVc + 32'(rx_vc_i[p*VcW +: VcW])] &&
            32'(rx_port_i[p*2 +: 2]) == k % 2 && 32'(rx_class_i[p]) == k / 2) begin
          come[k*LoadW +: LoadW] =
              come[k*LoadW +: LoadW] + LoadW'({1'b0, rx_len_i[p*LenW +: LenW]} + 9'd1);
        end
      end
      for (int unsigned v = 0; v < NumVc; v++) begin
        if ((v >= LowVc) == (k / 2 == 1) && tx_credit_i[(k%2)*NumVc + v]) begin
          gone[k*LoadW +: LoadW] = gone[k*LoadW +: LoadW] + 1'b1;
        end
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b1;
      come_q  <= '0;
      gone_q  <= '0;
      load_q  <= '0;
    end else begin
      first_q <= 1'b0;
      come_q  <= come;
      gone_q  <= gone;
      load_q  <= load;
    end
  end
  `WEFT_ASSERT(StartsAtZero, !first_q || load == '0)
  for (genvar k = 0; k < 4; k++) begin : gen_load
    `WEFT_ASSERT(ComesAndGoes, first_q ||
        load[k*LoadW +: LoadW] ==
        LoadW'(load_q[k*LoadW +: LoadW] + come_q[k*LoadW +: LoadW] - gone_q[k*LoadW +: LoadW]))
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

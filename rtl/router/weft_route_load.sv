// Queues of a tile with ugal routing: for each link and class of packets the flits that wait here
// for the link or are in its receiver's buffer, and the links whose queue is long.

`include "weft_assert.svh"

module weft_route_load #(
  /// VCs of the links to neighbours; even, 2 to 8.
  parameter int unsigned NumVc = 4,
  /// VCs of class 0, as of route_class.
  parameter int unsigned LowVc = NumVc / 2,
  /// Ports to neighbours, links; 1 or more.
  parameter int unsigned NumLinks = 4,
  /// Local ports, numbered after those to neighbours.
  parameter int unsigned NumLocal = 1,
  /// Width of a queue's length, bits; enough for all flits that can wait.
  parameter int unsigned LoadW = 14,
  // Derived.
  localparam int unsigned NumPorts = NumLinks + NumLocal,
  localparam int unsigned PortW = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned VcW = $clog2(NumVc),
  localparam int unsigned LenW = weft_pkg::LenW
) (
  /// Clock.
  input  logic                       clk_i,
  /// Asynchronous reset, active low.
  input  logic                       rst_ni,
  /// Incoming links: it carries a flit.
  input  logic [NumPorts-1:0]        rx_valid_i,
  /// Incoming links: it is the last of its packet.
  input  logic [NumPorts-1:0]        rx_last_i,
  /// Incoming links: its VC.
  input  logic [NumPorts*VcW-1:0]    rx_vc_i,
  /// Incoming links: body flits of the packet, if the flit is a header.
  input  logic [NumPorts*LenW-1:0]   rx_len_i,
  /// Incoming links: out-port of the packet, if the flit is a header.
  input  logic [NumPorts*PortW-1:0]  rx_port_i,
  /// Incoming links: class of the packet, if the flit is a header.
  input  logic [NumPorts-1:0]        rx_class_i,
  /// Outgoing links: the receiver returns a credit of a VC.
  input  logic [NumLinks*NumVc-1:0]  tx_credit_i,
  /// Queue of class 0 of every link, flits; from registers, as all outputs.
  output logic [NumLinks*LoadW-1:0]  low_load_o,
  /// Queue of class 1.
  output logic [NumLinks*LoadW-1:0]  high_load_o,
  /// Links whose queue of class 1 is long.
  output logic [NumLinks-1:0]        busy_o
);

  localparam int unsigned NumOther = NumLinks > 1 ? NumLinks - 1 : 1;
  localparam int unsigned SumW = LoadW + $clog2(NumLinks + 1) + 2;

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 2 && NumVc % 2 == 0 && NumVc <= weft_pkg::NumberedVcs)
  `WEFT_PARAM(gen_check_low_vc, LowVc >= 1 && 2 * LowVc <= NumVc)
  `WEFT_PARAM(gen_check_ports, NumLinks >= 1)
  `WEFT_PARAM(gen_check_load_w, LoadW >= 1)

  // The next flit of a VC is a body flit.
  logic [NumPorts*NumVc-1:0] body_q;
  logic [NumPorts-1:0]       head;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [NumVc-1:0] body;
    logic [VcW-1:0]   vc;
    assign vc      = rx_vc_i[p*VcW +: VcW];
    assign body    = body_q[p*NumVc +: NumVc];
    // A VC that does not exist, which errors on wires can bring, has no header.
    assign head[p] = rx_valid_i[p] && 32'(vc) < NumVc && !body[vc];
    for (genvar v = 0; v < NumVc; v++) begin : gen_vc
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) body_q[p*NumVc + v] <= 1'b0;
        else if (rx_valid_i[p] && 32'(vc) == v)
          body_q[p*NumVc + v] <= !rx_last_i[p];
      end
    end
  end

  for (genvar l = 0; l < NumLinks; l++) begin : gen_link
    logic [LoadW-1:0] low_q, low_d, high_q, high_d;
    always_comb begin
      low_d  = low_q;
      high_d = high_q;
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (head[p] && 32'(rx_port_i[p*PortW +: PortW]) == l) begin
          if (rx_class_i[p]) high_d = high_d + LoadW'(rx_len_i[p*LenW +: LenW]) + 1'b1;
          else low_d = low_d + LoadW'(rx_len_i[p*LenW +: LenW]) + 1'b1;
        end
      end
      for (int unsigned v = 0; v < NumVc; v++) begin
        if (v < LowVc) low_d = low_d - LoadW'(tx_credit_i[l*NumVc + v]);
        else high_d = high_d - LoadW'(tx_credit_i[l*NumVc + v]);
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        low_q  <= '0;
        high_q <= '0;
      end else begin
        low_q  <= low_d;
        high_q <= high_d;
      end
    end
    assign low_load_o[l*LoadW +: LoadW]  = low_q;
    assign high_load_o[l*LoadW +: LoadW] = high_q;
  end

  // By more than two flits longer than three times the mean of the other links' queues.
  logic [SumW-1:0] sum, others;
  always_comb begin
    sum = '0;
    for (int unsigned l = 0; l < NumLinks; l++) sum = sum + SumW'(high_load_o[l*LoadW +: LoadW]);
    for (int unsigned l = 0; l < NumLinks; l++) begin
      others    = sum - SumW'(high_load_o[l*LoadW +: LoadW]);
      busy_o[l] = SumW'(NumOther) * SumW'(high_load_o[l*LoadW +: LoadW]) >
                  SumW'(3) * others + SumW'(2 * NumOther);
    end
  end

endmodule

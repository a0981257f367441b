// Queues of a tile with ugal routing: for each link and class of packets the flits that wait here
// for the link or are in its receiver's buffer, and the links whose queue is long. A header adds
// what it announces; its packet's tail takes back what an error has cut off. A queue stops at the
// ends of its range, so that a credit that no flit was sent for is forgotten when it is empty.

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
  // A queue with the changes of one cycle, signed.
  localparam int unsigned NextW = (LoadW > LenW ? LoadW : LenW) + $clog2(NumPorts + 1) + 1;

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 2 && NumVc % 2 == 0 && NumVc <= weft_pkg::NumberedVcs)
  `WEFT_PARAM(gen_check_low_vc, LowVc >= 1 && 2 * LowVc <= NumVc)
  `WEFT_PARAM(gen_check_ports, NumLinks >= 1)
  `WEFT_PARAM(gen_check_load_w, LoadW >= 1)

  // Of each VC: the next flit is a body flit; so many of the flits that its header announced are to
  // come; the queue of that header.
  logic [NumPorts*NumVc-1:0]       body_q;
  logic [NumPorts*NumVc*LenW-1:0]  left_q;
  logic [NumPorts*NumVc*PortW-1:0] port_q;
  logic [NumPorts*NumVc-1:0]       class_q;
  // By how much the flit of an in-port changes a queue, and which.
  logic [NumPorts*NextW-1:0] change;
  logic [NumPorts*PortW-1:0] port;
  logic [NumPorts-1:0]       cls;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [VcW-1:0]   vc;
    logic [NumVc-1:0] body, classes;
    logic             valid, head;
    logic [LenW-1:0]  left, after;
    assign vc      = rx_vc_i[p*VcW +: VcW];
    assign valid   = rx_valid_i[p] && 32'(vc) < NumVc;
    assign body    = body_q[p*NumVc +: NumVc];
    assign classes = class_q[p*NumVc +: NumVc];
    assign head    = !body[vc];
    assign left    = left_q[(p*NumVc + 32'(vc))*LenW +: LenW];
    assign after   = head ? rx_len_i[p*LenW +: LenW] : left - LenW'(left != '0);
    assign cls[p]  = head ? rx_class_i[p] : classes[vc];
    assign port[p*PortW +: PortW] = head ? rx_port_i[p*PortW +: PortW]
                                         : port_q[(p*NumVc + 32'(vc))*PortW +: PortW];
    // A tail takes back what was announced and does not come; what was not announced counts now.
    assign change[p*NextW +: NextW] = !valid ? '0
        : NextW'(head || left == '0) + (head ? NextW'(after) : '0) -
          (rx_last_i[p] ? NextW'(after) : '0);
    for (genvar v = 0; v < NumVc; v++) begin : gen_vc
      localparam int unsigned Index = p * NumVc + v;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          body_q[Index]                  <= 1'b0;
          left_q[Index*LenW +: LenW]     <= '0;
          port_q[Index*PortW +: PortW]   <= '0;
          class_q[Index]                 <= 1'b0;
        end else if (valid && 32'(vc) == v) begin
          body_q[Index]                  <= !rx_last_i[p];
          left_q[Index*LenW +: LenW]     <= after;
          port_q[Index*PortW +: PortW]   <= port[p*PortW +: PortW];
          class_q[Index]                 <= cls[p];
        end
      end
    end
  end

  for (genvar l = 0; l < NumLinks; l++) begin : gen_link
    logic [LoadW-1:0] low_q, low_d, high_q, high_d;
    logic [NextW-1:0] low, high;
    always_comb begin
      low  = NextW'(low_q);
      high = NextW'(high_q);
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (32'(port[p*PortW +: PortW]) == l) begin
          if (cls[p]) high = high + change[p*NextW +: NextW];
          else low = low + change[p*NextW +: NextW];
        end
      end
      for (int unsigned v = 0; v < NumVc; v++) begin
        if (v < LowVc) low = low - NextW'(tx_credit_i[l*NumVc + v]);
        else high = high - NextW'(tx_credit_i[l*NumVc + v]);
      end
    end
    assign low_d  = low[NextW-1] ? '0 : (low >> LoadW) != '0 ? '1 : low[LoadW-1:0];
    assign high_d = high[NextW-1] ? '0 : (high >> LoadW) != '0 ? '1 : high[LoadW-1:0];
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

// One in-port of a router: for each virtual channel a buffer and the state of the packet at its
// head. With bypass a word may leave in the cycle of its arrival, so that a hop takes one cycle
// (seed 004 [2.1]).

`include "weft_assert.svh"

module weft_input_unit #(
  /// Virtual channels; 1 or more.
  parameter int unsigned NumVc = 2,
  /// Buffer of each VC, words; 1 or more.
  parameter int unsigned Depth = 8,
  /// Word width, bits (data and parity).
  parameter int unsigned FlitW = 64,
  /// Ports of the router.
  parameter int unsigned NumPorts = 5,
  /// 1: words keep their packet's stamp.
  parameter bit          Age = 1'b0,
  /// 1: packets may have further ways, and a header is told the out-port that it was granted.
  parameter bit          Adaptive = 1'b0,
  /// 1: a word may leave in the cycle of its arrival. 0: in the next at the earliest; then all
  /// outputs are functions of registers.
  parameter bit          Bypass = 1'b1,
  // Derived.
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned VcSetW = weft_pkg::VcSetW,
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned PortW = NumPorts > 1 ? $clog2(NumPorts) : 1
) (
  /// Clock.
  input  logic                    clk_i,
  /// Asynchronous reset, active low.
  input  logic                    rst_ni,
  /// Link: it carries a word. The sender counts credits: the word's VC has a free slot.
  input  logic                    rx_valid_i,
  /// Link: it is the last of its packet.
  input  logic                    rx_last_i,
  /// Link: its VC.
  input  logic [VcW-1:0]          rx_vc_i,
  /// Link: the word.
  input  logic [FlitW-1:0]        rx_data_i,
  /// Link: its packet's stamp; ignored without `Age`.
  input  logic [StampW-1:0]       rx_stamp_i,
  /// Out-port of the packet, if the word on the link is a header.
  input  logic [PortW-1:0]        rx_port_i,
  /// VC set of the packet on the next link, if the word on the link is a header.
  input  logic [VcSetW-1:0]       rx_set_i,
  /// Further ways of the packet, a bit for each out-port, if the word on the link is a header;
  /// ignored without `Adaptive`.
  input  logic [NumPorts-1:0]     rx_minimal_i,
  /// For each VC: its word leaves in this cycle; only where `valid_o`.
  input  logic [NumVc-1:0]        pop_i,
  /// For each VC: the VC of the next link that is allocated to a leaving header.
  input  logic [NumVc*VcW-1:0]    vc_i,
  /// For each VC: the out-port that is allocated to a leaving header; ignored without `Adaptive`.
  input  logic [NumVc*PortW-1:0]  port_i,
  /// For each VC: a word is there. Everything below is 0 for a VC without one.
  output logic [NumVc-1:0]        valid_o,
  /// For each VC: the word is a header.
  output logic [NumVc-1:0]        head_o,
  /// For each VC: the word is the last of its packet.
  output logic [NumVc-1:0]        last_o,
  /// For each VC: the last word of its packet is held, too, or with `Bypass` arrives in this cycle.
  output logic [NumVc-1:0]        whole_o,
  /// For each VC: the word.
  output logic [NumVc*FlitW-1:0]  data_o,
  /// For each VC: its packet's stamp; 0 without `Age`.
  output logic [NumVc*StampW-1:0] stamp_o,
  /// For each VC: out-port of the packet; with `Adaptive`, after its header, the one allocated.
  output logic [NumVc*PortW-1:0]  port_o,
  /// For each VC: VC set that arrived with the word.
  output logic [NumVc*VcSetW-1:0] set_o,
  /// For each VC: further ways that arrived with the word; 0 without `Adaptive`.
  output logic [NumVc*NumPorts-1:0] minimal_o,
  /// For each VC: the packet's VC on the next link; 0 for a header.
  output logic [NumVc*VcW-1:0]    vc_o,
  /// Link: VCs from which a word left in the cycle before.
  output logic [NumVc-1:0]        credit_o
);
  // A router has one for each port: one C++ class for all keeps the Verilated code small.
  /* verilator no_inline_module */

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 1)
  `WEFT_PARAM(gen_check_depth, Depth >= 1)
  `WEFT_PARAM(gen_check_num_ports, NumPorts >= 1)

  // A word with its VC set, port and last, and above them its further ways with `Adaptive` and its
  // stamp with `Age`; the data lowest, where they simulate fastest.
  localparam int unsigned PlainW = VcSetW + PortW + 1 + FlitW;
  localparam int unsigned MaskW  = Adaptive ? NumPorts : 0;
  localparam int unsigned WordW  = PlainW + MaskW + (Age ? StampW : 0);
  localparam int unsigned CountW = $clog2(Depth + 1);

  logic [WordW-1:0] rx_word;
  if (Adaptive) begin : gen_minimal
    assign rx_word =
        WordW'({rx_stamp_i, rx_minimal_i, rx_set_i, rx_port_i, rx_last_i, rx_data_i});
  end else begin : gen_no_minimal
    logic unused_minimal;
    assign unused_minimal = ^{rx_minimal_i, port_i};
    assign rx_word = WordW'({rx_stamp_i, rx_set_i, rx_port_i, rx_last_i, rx_data_i});
  end

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic              arrives, passes, pop, valid, last;
    logic [WordW-1:0]  oldest, word;
    logic [CountW-1:0] count;
    logic [PortW-1:0]  came_port, port;

    // A word for a full VC, which errors on wires can bring, is lost.
    assign arrives = rx_valid_i && 32'(rx_vc_i) == v && count != CountW'(Depth);
    assign pop     = pop_i[v];
    assign passes  = Bypass && arrives && count == '0;

    if (Bypass) begin : gen_bypass
      assign valid = count != '0 || arrives;
    end else begin : gen_registered
      // What the count tells, a cycle earlier: requests begin at a register.
      logic valid_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) valid_q <= 1'b0;
        else valid_q <= arrives || (pop ? (count >> 1) != '0 : valid_q);
      end
      assign valid = valid_q;
      `WEFT_ASSERT(ValidIffWord, valid_q == (count != '0))
    end

    // A word that leaves in the cycle of its arrival never enters the FIFO.
    weft_fifo #(
      .DataW     (WordW),
      .Depth     (Depth),
      .Registered(!Bypass)
    ) u_fifo (
      .clk_i,
      .rst_ni,
      .push_i (arrives && !(passes && pop)),
      .data_i (rx_word),
      .pop_i  (pop && !passes),
      .data_o (oldest),
      .count_o(count)
    );

    assign word      = passes ? rx_word : oldest;
    assign last      = word[FlitW];
    assign came_port = word[FlitW+1 +: PortW];

    // The packet at the head of the buffer: port and VC of its header.
    logic             head_q;
    logic [PortW-1:0] port_q;
    logic [VcW-1:0]   vc_q;
    assign port = head_q ? came_port : port_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        head_q <= 1'b1;
        port_q <= '0;
        vc_q   <= '0;
      end else if (pop) begin
        head_q <= last;
        port_q <= (Adaptive && head_q) ? port_i[v*PortW +: PortW] : port;
        if (head_q) vc_q <= vc_i[v*VcW +: VcW];
      end
    end

    // Tails held. The first of them belongs to the packet at the head.
    logic [CountW-1:0] tails_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) tails_q <= '0;
      else tails_q <= tails_q + CountW'(arrives && rx_last_i) - CountW'(pop && last);
    end

    assign valid_o[v] = valid;
    assign head_o[v]  = valid && head_q;
    assign last_o[v]  = last;
    assign whole_o[v] = tails_q != '0 || (Bypass && arrives && rx_last_i);
    assign data_o[v*FlitW +: FlitW]    = word[FlitW-1:0];
    assign stamp_o[v*StampW +: StampW] = StampW'(word >> (PlainW + MaskW));
    assign minimal_o[v*NumPorts +: NumPorts] = Adaptive ? NumPorts'(word >> PlainW) : '0;
    assign set_o[v*VcSetW +: VcSetW]   = word[PlainW-1 -: VcSetW];
    assign port_o[v*PortW +: PortW]    = valid ? port : '0;
    assign vc_o[v*VcW +: VcW]          = (valid && !head_q) ? vc_q : '0;

    // A credit is returned after its word has left: no word arrives at a full buffer.
    `WEFT_ASSUME(SenderCounts,
        !(rx_valid_i && 32'(rx_vc_i) == v && count == CountW'(Depth)))
  end

  logic [NumVc-1:0] credit_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) credit_q <= '0;
    else credit_q <= pop_i;
  end
  assign credit_o = credit_q;

  `WEFT_ASSUME(PopOnlyValid, (pop_i & ~valid_o) == '0)
  `WEFT_ASSUME(VcInRange, !rx_valid_i || 32'(rx_vc_i) < NumVc)

endmodule

// One out-port of a router or interface: for each virtual channel of the link whether it is
// allocated to a packet, and its credits; and the link register.

`include "weft_assert.svh"

module weft_output_unit #(
  /// Virtual channels; 1 or more.
  parameter int unsigned NumVc = 2,
  /// Buffer of each VC at the receiver, words; 1 or more.
  parameter int unsigned Depth = 8,
  /// Word width, bits (data and parity).
  parameter int unsigned FlitW = 64,
  /// 1: words have their packet's stamp.
  parameter bit          Age = 1'b0,
  // Derived.
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned LoadW = $clog2(NumVc * Depth + 1)
) (
  /// Clock.
  input  logic                    clk_i,
  /// Asynchronous reset, active low.
  input  logic                    rst_ni,
  /// Load a word into the link register; only where `credits_o` of its VC is not 0.
  input  logic                    valid_i,
  /// It is the last of its packet.
  input  logic                    last_i,
  /// Its VC.
  input  logic [VcW-1:0]          vc_i,
  /// The word.
  input  logic [FlitW-1:0]        data_i,
  /// Its packet's stamp; ignored without `Age`.
  input  logic [StampW-1:0]       stamp_i,
  /// Link: VCs for which the receiver returns a credit.
  input  logic [NumVc-1:0]        credit_i,
  /// Idle VCs: allocated to no packet.
  output logic [NumVc-1:0]        idle_o,
  /// Credits of each VC, with those returned in this cycle.
  output logic [NumVc*CountW-1:0] credits_o,
  /// Slots of the receiver that are in use, from registers.
  output logic [LoadW-1:0]        load_o,
  /// VCs of which `credits_o` is not 0, by a shorter path.
  output logic [NumVc-1:0]        some_o,
  /// Link: it carries a word. Everything below is 0 without one.
  output logic                    valid_o,
  /// Link: it is the last of its packet.
  output logic                    last_o,
  /// Link: its VC.
  output logic [VcW-1:0]          vc_o,
  /// Link: the word.
  output logic [FlitW-1:0]        data_o,
  /// Link: its packet's stamp; 0 without `Age`.
  output logic [StampW-1:0]       stamp_o
);
  // A router has one for each port: one C++ class for all keeps the Verilated code small.
  /* verilator no_inline_module */

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 1)
  `WEFT_PARAM(gen_check_depth, Depth >= 1)

  logic [NumVc*CountW-1:0] counts;  // the credit counters

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic              load, allocated_q;
    logic [CountW-1:0] count_q, credits;
    assign load = valid_i && 32'(vc_i) == v;
    // A credit beyond those of all slots, which errors on wires can bring, is ignored.
    assign credits = count_q + CountW'(credit_i[v] && count_q != CountW'(Depth));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        allocated_q <= 1'b0;
        count_q     <= CountW'(Depth);
      end else begin
        count_q     <= credits - CountW'(load);
        if (load) allocated_q <= !last_i;
      end
    end

    assign idle_o[v]                     = !allocated_q;
    assign credits_o[v*CountW +: CountW] = credits;
    assign counts[v*CountW +: CountW]    = count_q;
    assign some_o[v]                     = count_q != '0 || credit_i[v];

    `WEFT_ASSUME(CreditForWord, !(load && credits == '0))
    `WEFT_ASSUME(CreditOfWord, {1'b0, count_q} + (CountW + 1)'(credit_i[v]) <=
        (CountW + 1)'(Depth))
    `WEFT_ASSERT(CountInRange, {1'b0, count_q} <= (CountW + 1)'(Depth))
  end

  // Slots of all VCs but those for which there is a credit.
  always_comb begin
    load_o = LoadW'(NumVc * Depth);
    for (int unsigned v = 0; v < NumVc; v++) load_o = load_o - LoadW'(counts[v*CountW +: CountW]);
  end

  logic             valid_q, last_q;
  logic [VcW-1:0]   vc_q;
  logic [FlitW-1:0] data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      last_q  <= 1'b0;
      vc_q    <= '0;
      data_q  <= '0;
    end else begin
      valid_q <= valid_i;
      last_q  <= valid_i && last_i;
      vc_q    <= valid_i ? vc_i : '0;
      data_q  <= valid_i ? data_i : '0;
    end
  end

  assign valid_o = valid_q;
  assign last_o  = last_q;
  assign vc_o    = vc_q;
  assign data_o  = data_q;

  if (Age) begin : gen_age
    logic [StampW-1:0] stamp_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) stamp_q <= '0;
      else stamp_q <= valid_i ? stamp_i : '0;
    end
    assign stamp_o = stamp_q;
  end else begin : gen_no_age
    logic unused_stamp;
    assign unused_stamp = ^stamp_i;
    assign stamp_o = '0;
  end

  `WEFT_ASSUME(VcInRange, !valid_i || 32'(vc_i) < NumVc)

endmodule

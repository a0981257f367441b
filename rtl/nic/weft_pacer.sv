// Packet pacing (seed 000 [0043], [0044]): enforces the inter-packet gap, in which the packets of
// other nodes can use the links.

`include "weft_assert.svh"

module weft_pacer (
  /// Clock.
  input  logic                      clk_i,
  /// Asynchronous reset, active low.
  input  logic                      rst_ni,
  /// A packet's last flit is sent in this cycle; only while `ready_o`.
  input  logic                      start_i,
  /// Length of that packet, flits with the header; 1 or more.
  input  logic [weft_pkg::LenW:0]   flits_i,
  /// Inter-packet gap after it, packet times.
  input  logic [weft_pkg::GapW-1:0] gap_i,
  /// A packet may begin.
  output logic                      ready_o
);

  localparam int unsigned FlitsW = weft_pkg::LenW + 1;
  localparam int unsigned GapW   = weft_pkg::GapW;

  // Packet times left; cycles left of the present one after this cycle; cycles of one, less 1.
  logic [GapW-1:0]   gap_q;
  logic [FlitsW-1:0] left_q, period_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gap_q    <= '0;
      left_q   <= '0;
      period_q <= '0;
    end else if (start_i) begin
      gap_q    <= gap_i;
      left_q   <= flits_i - 1'b1;
      period_q <= flits_i - 1'b1;
    end else if (left_q != '0) begin
      left_q <= left_q - 1'b1;
    end else if (gap_q != '0) begin
      gap_q  <= gap_q - 1'b1;
      left_q <= (gap_q == GapW'(1)) ? '0 : period_q;
    end
  end

  assign ready_o = gap_q == '0;

`ifdef WEFT_CHECKED
  // Cycles left of the gap, initialized by a product.
  localparam int unsigned ProductW = GapW + FlitsW;
  logic [ProductW-1:0] gap_left_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gap_left_q <= '0;
    else if (start_i) gap_left_q <= ProductW'(gap_i) * ProductW'(flits_i);
    else if (gap_left_q != '0) gap_left_q <= gap_left_q - 1'b1;
  end

  `WEFT_ASSERT(GapExact, ready_o == (gap_left_q == '0))
  `WEFT_ASSERT(CountersAgree, gap_q == '0 ||
      gap_left_q ==
          (ProductW'(gap_q) - 1'b1) * (ProductW'(period_q) + 1'b1) + ProductW'(left_q) + 1'b1)
`endif
  `WEFT_ASSUME(StartOnlyReady, !start_i || ready_o)
  `WEFT_ASSUME(PacketHasHeader, !start_i || flits_i != '0)

endmodule

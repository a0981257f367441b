// Proof of the route unit of DCE and MDCE networks: a packet walks from any source to any
// destination, one router a cycle. It takes cross links that exist and that its digits need,
// is nearer with every hop, and passes column 0 so rarely that `NumClasses` VCs suffice.

`include "weft_assert.svh"

module route_dce_props #(
  parameter int unsigned NumDims = 2,
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  parameter int unsigned NumRings = 1,
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] Deltas = '0,
  parameter int unsigned NumLocal = 1,
  parameter bit          PerDest = 1'b0,
  parameter int unsigned NumClasses = 3,
  // Bits of a digit in this module, whatever its size.
  localparam int unsigned DigitW = 4,
  localparam int unsigned DigitsW = NumDims * DigitW,
  localparam int unsigned ParamW = weft_pkg::DigitParamW,
  localparam int unsigned PortW = $clog2(NumRings + NumDims - 1 + NumLocal)
) (
  input logic               clk_i,
  input logic               rst_ni,
  // A new packet enters at its source by this local port; else the last one continues.
  input logic               start_i,
  input logic [DigitsW-1:0] src_i,
  input logic [DigitsW-1:0] dst_i,
  input logic [PortW-1:0]   port_i
);

  localparam int unsigned LocalLsb = NumRings + NumDims - 1;
  localparam int unsigned Columns  = 32'(MaxCoords[0 +: ParamW]) + 1;

  // The packet's destination and position; its in-port; its class. Left before the last hop: bits
  // to change, columns to the next of them.
  logic [DigitsW-1:0] dst_q, at_q;
  logic [PortW-1:0]   port_q;
  logic [7:0]         class_q, bits_q, ahead_q;
  logic               moved_q;

  logic [weft_pkg::AddrW-1:0]  dst, own;
  logic [PortW-1:0]            port;
  logic [weft_pkg::VcSetW-1:0] set;

  weft_route_dce #(
    .NumDims (NumDims),
    .MaxCoords(MaxCoords),
    .NumRings(NumRings),
    .Deltas  (Deltas),
    .NumLocal(NumLocal),
    .PerDest (PerDest)
  ) u_dut (
    .port_i(port_q),
    .own_i (own),
    .src_i ('0),
    .dst_i (dst),
    .other_way_i(1'b0),
    .reverse_i(1'b0),
    .port_o(port),
    .set_o (set)
  );

  // The address, digit by digit.
  function automatic logic [weft_pkg::AddrW-1:0] address(input logic [DigitsW-1:0] digits);
    int unsigned lsb;
    address = '0;
    lsb = 0;
    for (int unsigned d = 0; d < NumDims; d++) begin
      address = address | (weft_pkg::AddrW'(digits[d*DigitW +: DigitW]) << lsb);
      lsb = lsb + $clog2(32'(MaxCoords[d*ParamW +: ParamW]) + 1);
    end
  endfunction
  assign dst = address(dst_q);
  assign own = address(at_q);

  logic leaves, along, arrived;
  assign leaves  = 32'(port) < LocalLsb;
  assign along   = 32'(port) < NumRings;
  assign arrived = at_q == dst_q;

  // Columns as numbers of a width that holds a sum.
  logic [7:0] column, beyond;
  assign column = 8'(at_q[0 +: DigitW]);

  // By dimension: digits exist; it takes this plane's cross link; there is one; one is there that
  // the packet needs.
  logic [NumDims-1:0] legal, legal_in, across, exists, needed;
  // By column: some plane has a bit to change there.
  logic [NumDims*16-1:0] open;
  logic [15:0]           any_open;
  logic [DigitsW-1:0]    next;
  logic [NumDims*8-1:0]  steps;
  for (genvar d = 0; d < NumDims; d++) begin : gen_dim
    localparam logic [DigitW-1:0] Last = DigitW'(MaxCoords[d*ParamW +: ParamW]);
    localparam int unsigned       Bits = $clog2(32'(MaxCoords[d*ParamW +: ParamW]) + 1);
    assign legal[d]    = dst_q[d*DigitW +: DigitW] <= Last && at_q[d*DigitW +: DigitW] <= Last;
    assign legal_in[d] = src_i[d*DigitW +: DigitW] <= Last && dst_i[d*DigitW +: DigitW] <= Last;
    if (d == 0) begin : gen_ring
      assign across[d]        = 1'b0;
      assign exists[d]        = 1'b0;
      assign needed[d]        = 1'b0;
      assign open[d*16 +: 16] = '0;
      assign steps[d*8 +: 8]  = along ? 8'd1 : 8'd0;
      assign next[0 +: DigitW] = DigitW'((beyond >= 8'(Columns)) ? beyond - 8'(Columns) : beyond);
    end else begin : gen_plane
      assign across[d]        = 32'(port) == NumRings + d - 1;
      assign exists[d]        = column < 8'(Bits);
      assign open[d*16 +: 16] = 16'(at_q[d*DigitW +: DigitW] ^ dst_q[d*DigitW +: DigitW]);
      assign needed[d]        = open[d*16 + 32'(column)];
      assign steps[d*8 +: 8]  = across[d] ? 8'(Deltas[d*ParamW +: ParamW]) : 8'd0;
      assign next[d*DigitW +: DigitW] =
          at_q[d*DigitW +: DigitW] ^ (across[d] ? DigitW'(1) << column : '0);
    end
  end

  // Bits to change, and columns to the first that can change one.
  logic [7:0] bits, ahead;
  always_comb begin
    beyond   = column;
    any_open = '0;
    bits     = '0;
    for (int unsigned d = 0; d < NumDims; d++) begin
      beyond   = beyond + steps[d*8 +: 8];
      any_open = any_open | open[d*16 +: 16];
      for (int unsigned b = 0; b < 16; b++) bits = bits + 8'(open[d*16+b]);
    end
    if (any_open == '0) any_open = 16'd1 << dst_q[0 +: DigitW];
    ahead = '0;
    for (int unsigned k = Columns; k > 0; k--) begin
      if (any_open[(32'(column)+k-1) % Columns]) ahead = 8'(k - 1);
    end
  end

  logic [7:0] next_class;
  assign next_class = (set == weft_pkg::VcFirst) ? 8'd0
                    : (set == weft_pkg::VcNext)  ? class_q + 1'b1
                    :                              class_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dst_q   <= '0;
      at_q    <= '0;
      port_q  <= PortW'(LocalLsb);
      class_q <= '0;
      bits_q  <= '0;
      ahead_q <= '0;
      moved_q <= 1'b0;
    end else if (start_i || !leaves) begin
      dst_q   <= dst_i;
      at_q    <= src_i;
      port_q  <= port_i;
      class_q <= '0;
      moved_q <= 1'b0;
    end else begin
      at_q    <= next;
      // The neighbour's in-port has the number of the out-port.
      port_q  <= port;
      class_q <= next_class;
      bits_q  <= bits;
      ahead_q <= ahead;
      moved_q <= 1'b1;
    end
  end

  `WEFT_ASSUME(Legal, &legal_in)
  `WEFT_ASSUME(FromLocal, 32'(port_i) >= LocalLsb && 32'(port_i) < LocalLsb + NumLocal)

  `WEFT_ASSERT(StaysLegal, &legal && 32'(port_q) < LocalLsb + NumLocal &&
      moved_q == (32'(port_q) < LocalLsb))
  `WEFT_ASSERT(PortExists, 32'(port) < LocalLsb + NumLocal)
  `WEFT_ASSERT(LocalAtDestination, leaves != arrived)
  `WEFT_ASSERT(LocalPort, leaves || moved_q || port == port_q)
  `WEFT_ASSERT(LocalByInPort, leaves || !moved_q ||
      32'(port) == LocalLsb + 32'(port_q) % NumLocal)
  // The path: the lowest plane that needs the cross link of this column, else along the ring, by
  // the destination's link. Every hop leaves a bit less to change, or is one column nearer to the
  // next.
  `WEFT_ASSERT(LinkExists, (across & ~exists) == '0)
  `WEFT_ASSERT(LinkNeeded, (across & ~needed) == '0)
  `WEFT_ASSERT(LowestFirst, across == '0 || (needed & (across - 1'b1)) == '0)
  `WEFT_ASSERT(AlongOnlyWithout, !along || needed == '0)
  `WEFT_ASSERT(RingByDestination, !along || 32'(port) == 32'(dst) % NumRings)
  `WEFT_ASSERT(OneNearer, !moved_q ||
      (32'(port_q) < NumRings ? bits == bits_q && ahead + 1'b1 == ahead_q : bits + 1'b1 == bits_q))
  // VC sets.
  `WEFT_ASSERT(AnyAtLocal, leaves || set == weft_pkg::VcAny)
  `WEFT_ASSERT(SameForDest, !leaves || !PerDest || set == weft_pkg::VcSame)
  `WEFT_ASSERT(FirstFromLocal, !leaves || PerDest || (set == weft_pkg::VcFirst) == !moved_q)
  `WEFT_ASSERT(NextRound, !leaves || PerDest || !moved_q ||
      set == ((beyond >= 8'(Columns)) ? weft_pkg::VcNext : weft_pkg::VcSame))
  `WEFT_ASSERT(ClassesSuffice, 32'(class_q) < NumClasses)

endmodule

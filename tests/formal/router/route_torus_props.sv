// Proof of the torus' route unit: a packet walks from any source to any destination, one router a
// cycle. Its path is shortest, one dimension after the other, and its VC sets follow the
// datelines: low up to and over the dateline; behind it high, or with `DatelineCrossing` low; and
// high where it crosses none, but for `DatelineBalanced`.

`include "weft_assert.svh"

module route_torus_props #(
  parameter int unsigned NumDims = 2,
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  parameter int unsigned NumLocal = 1,
  parameter bit          PerDest = 1'b0,
  parameter int unsigned Dateline = weft_pkg::DatelineFixed,
  // Bits of a digit in this module, whatever its size.
  localparam int unsigned DigitW = 4,
  localparam int unsigned DigitsW = NumDims * DigitW,
  localparam int unsigned PortW = $clog2(2 * NumDims + NumLocal)
) (
  input logic               clk_i,
  input logic               rst_ni,
  // A new packet enters at its source by this local port; else the last one continues.
  input logic               start_i,
  input logic [DigitsW-1:0] src_i,
  input logic [DigitsW-1:0] dst_i,
  input logic [PortW-1:0]   port_i,
  input logic               other_way_i,
  input logic               reverse_i
);

  localparam int unsigned LocalLsb = 2 * NumDims;

  // The packet's source, destination and position; its in-port; hops that were left before the last
  // one; its state in the dimension of its last hop.
  logic [DigitsW-1:0] src_q, dst_q, at_q;
  logic [PortW-1:0]   port_q;
  logic [7:0]         left_q;
  logic               moved_q, crossed_q, low_q, other_way_q, reverse_q;

  logic [weft_pkg::AddrW-1:0]  src, dst, own;
  logic [PortW-1:0]            port;
  logic [weft_pkg::VcSetW-1:0] set;

  weft_route_torus #(
    .NumDims (NumDims),
    .MaxCoords(MaxCoords),
    .NumLocal(NumLocal),
    .PerDest (PerDest),
    .Dateline(Dateline)
  ) u_dut (
    .port_i(port_q),
    .own_i (own),
    .src_i (src),
    .dst_i (dst),
    .other_way_i(other_way_q),
    .reverse_i(reverse_q),
    .port_o(port),
    .set_o (set)
  );

  // The same packet with the opposite `other_way_i`.
  logic [PortW-1:0] other_port;
  weft_route_torus #(
    .NumDims (NumDims),
    .MaxCoords(MaxCoords),
    .NumLocal(NumLocal),
    .PerDest (PerDest),
    .Dateline(Dateline)
  ) u_other (
    .port_i(port_q),
    .own_i (own),
    .src_i (src),
    .dst_i (dst),
    .other_way_i(!other_way_q),
    .reverse_i(reverse_q),
    .port_o(other_port),
    .set_o ()
  );

  // Steps upwards from one digit to another on a ring.
  function automatic logic [DigitW:0] steps(input logic [DigitW-1:0] from,
                                            input logic [DigitW-1:0] to,
                                            input logic [DigitW:0]   size);
    steps = (to >= from) ? {1'b0, to} - {1'b0, from} : size - ({1'b0, from} - {1'b0, to});
  endfunction

  // The address, digit by digit.
  function automatic logic [weft_pkg::AddrW-1:0] address(input logic [DigitsW-1:0] digits);
    int unsigned lsb;
    address = '0;
    lsb = 0;
    for (int unsigned d = 0; d < NumDims; d++) begin
      address = address | (weft_pkg::AddrW'(digits[d*DigitW +: DigitW]) << lsb);
      lsb = lsb + $clog2(32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]) + 1);
    end
  endfunction
  assign src = address(src_q);
  assign dst = address(dst_q);
  assign own = address(at_q);

  logic arrived, leaves, up;
  assign leaves  = 32'(port) < LocalLsb;
  assign arrived = at_q == dst_q;
  assign up      = !port[0];

  // Of each dimension: what the chosen direction means there.
  logic [NumDims-1:0] here, legal, legal_in, nearest, ties, between, wraps, over, others;
  logic [DigitsW-1:0] next;
  logic [NumDims*8-1:0] hops;
  for (genvar d = 0; d < NumDims; d++) begin : gen_dim
    localparam logic [DigitW:0] Last =
        (DigitW + 1)'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]);
    localparam logic [DigitW:0] Size = Last + 1'b1;
    logic [DigitW-1:0] s, t, x;
    logic [DigitW:0]   way, back, gone, ahead, behind;
    assign s = src_q[d*DigitW +: DigitW];
    assign t = dst_q[d*DigitW +: DigitW];
    assign x = at_q[d*DigitW +: DigitW];
    assign legal[d]    = {1'b0, s} <= Last && {1'b0, t} <= Last && {1'b0, x} <= Last;
    assign legal_in[d] = {1'b0, src_i[d*DigitW +: DigitW]} <= Last &&
                         {1'b0, dst_i[d*DigitW +: DigitW]} <= Last;
    assign here[d]     = leaves && (32'(port) >> 1) == d;
    // The path in the chosen direction and in the other; its part done, its part to do.
    assign way    = up ? steps(s, t, Size) : steps(t, s, Size);
    assign back   = Size - way;
    assign gone   = up ? steps(s, x, Size) : steps(x, s, Size);
    assign ahead  = up ? steps(x, t, Size) : steps(t, x, Size);
    assign behind = Size - ahead;
    assign nearest[d] = way <= back;
    assign ties[d]    = here[d] && way == back;
    assign between[d] = x != t && gone + ahead == way;
    assign wraps[d]   = up ? {1'b0, x} == Last : x == '0;
    // The packet has crossed the dateline in this direction.
    assign over[d]    = up ? x < s : x > s;
    // Lower dimensions are done, higher ones not begun; with `reverse_i` the other way round.
    logic [DigitsW-1:0] below, above;
    assign below = reverse_q ? src_q : dst_q;
    assign above = reverse_q ? dst_q : src_q;
    if (d == 0) begin : gen_first
      assign others[d] = !here[d] || (at_q >> DigitW) == (above >> DigitW);
    end else begin : gen_next
      assign others[d] = !here[d] ||
          (at_q[d*DigitW-1:0] == below[d*DigitW-1:0] &&
           (at_q >> ((d + 1) * DigitW)) == (above >> ((d + 1) * DigitW)));
    end
    assign next[d*DigitW +: DigitW] = !here[d]   ? x
                                    : up         ? (wraps[d] ? '0 : x + 1'b1)
                                    : wraps[d]   ? Last[DigitW-1:0] : x - 1'b1;
    assign hops[d*8 +: 8] = 8'((ahead < behind) ? ahead : behind);
  end

  logic [7:0] left;
  always_comb begin
    left = '0;
    for (int unsigned d = 0; d < NumDims; d++) left = left + hops[d*8 +: 8];
  end

  // The packet continues in the dimension of its last hop.
  logic same_dim, crosses;
  assign same_dim = moved_q && leaves && (port >> 1) == (port_q >> 1);
  assign crosses  = |(here & wraps);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      src_q     <= '0;
      dst_q     <= '0;
      at_q      <= '0;
      port_q    <= PortW'(LocalLsb);
      left_q    <= '0;
      moved_q   <= 1'b0;
      crossed_q <= 1'b0;
      low_q     <= 1'b0;
      other_way_q <= 1'b0;
      reverse_q <= 1'b0;
    end else if (start_i || !leaves) begin
      other_way_q <= other_way_i;
      reverse_q <= reverse_i;
      src_q     <= src_i;
      dst_q     <= dst_i;
      at_q      <= src_i;
      port_q    <= port_i;
      moved_q   <= 1'b0;
      crossed_q <= 1'b0;
      low_q     <= 1'b0;
    end else begin
      at_q      <= next;
      // The neighbour's in-port has the number of the out-port.
      port_q    <= port;
      left_q    <= left;
      moved_q   <= 1'b1;
      crossed_q <= (same_dim && crossed_q) || crosses;
      low_q     <= (same_dim && low_q) || set == weft_pkg::VcLow;
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
  // Every hop is one nearer, in the shorter direction, in the order of dimensions.
  `WEFT_ASSERT(OneNearer, !moved_q || left + 1'b1 == left_q)
  `WEFT_ASSERT(ShorterWay, (here & ~nearest) == '0)
  `WEFT_ASSERT(OnTheWay, (here & ~between) == '0)
  `WEFT_ASSERT(OneAfterTheOther, &others)
  `WEFT_ASSERT(OtherWayAtTies, other_port == (port ^ PortW'(|ties)))
  `WEFT_ASSERT(NoTurningBack, !same_dim || port == port_q)
  // VC sets.
  `WEFT_ASSERT(AnyAtLocal, leaves || set == weft_pkg::VcAny)
  `WEFT_ASSERT(SameForDest, !leaves || !PerDest || set == weft_pkg::VcSame)
  `WEFT_ASSERT(AnyOnlyBalanced, !leaves || PerDest || Dateline == weft_pkg::DatelineBalanced ||
      set == weft_pkg::VcLow || set == weft_pkg::VcHigh)
  `WEFT_ASSERT(LowOverDateline, !crosses || PerDest || set == weft_pkg::VcLow)
  `WEFT_ASSERT(BehindDateline, !same_dim || !crossed_q || PerDest ||
      set == (Dateline == weft_pkg::DatelineCrossing ? weft_pkg::VcLow : weft_pkg::VcHigh))
  `WEFT_ASSERT(LowOnlyToCross, !moved_q || same_dim || !low_q || crossed_q)
  `WEFT_ASSERT(LowUntilCrossed, !same_dim || !low_q || crossed_q || set == weft_pkg::VcLow)
  `WEFT_ASSERT(AnyWhereItEnters, set != weft_pkg::VcAny || !same_dim)
  `WEFT_ASSERT(SameFurtherOn, PerDest || set != weft_pkg::VcSame || same_dim)

  // Closes the induction: the digits tell whether the packet has crossed.
  `WEFT_ASSERT(CrossedSeen, !same_dim || crossed_q == |(here & over))

endmodule

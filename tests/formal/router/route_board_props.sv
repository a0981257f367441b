// Proof of the route unit of system boards: a packet walks from any unit to any other, one router a
// cycle. Every hop is one nearer, and virtual channels are allocated in one order: down low, X, Y,
// Z, up, W, down high, round rings low up to and over the dateline and high after it.

`include "weft_assert.svh"

module route_board_props #(
  parameter logic [5*weft_pkg::DigitParamW-1:0] MaxCoords = 100'h0000000001000030000200003,
  parameter int unsigned Mains = 2,
  parameter int unsigned NumLocal = 1,
  parameter bit          PerDest = 1'b0,
  // Bits of a digit in this module, whatever its size.
  localparam int unsigned DigitW = 4,
  localparam int unsigned DigitsW = 5 * DigitW,
  localparam int unsigned ParamW = weft_pkg::DigitParamW,
  localparam int unsigned Units = 32'(MaxCoords[0 +: ParamW]) + 1,
  localparam int unsigned Aggregators = Units - Mains,
  localparam int unsigned MainLocalLsb = Aggregators + 6,
  localparam int unsigned AggLocalLsb = Mains + 2,
  localparam int unsigned MainPortW = $clog2(MainLocalLsb + NumLocal),
  localparam int unsigned AggPortW = $clog2(AggLocalLsb + NumLocal),
  localparam int unsigned LinkW = 4
) (
  input logic               clk_i,
  input logic               rst_ni,
  // A new packet leaves its source's NIC by this link; else the last one continues.
  input logic               start_i,
  input logic [DigitsW-1:0] src_i,
  input logic [DigitsW-1:0] dst_i,
  input logic [LinkW-1:0]   link_i,
  input logic               other_way_i
);

  // The packet's source, destination and position; its in-port; hops that were left before the last
  // one; the order of its VC.
  logic [DigitsW-1:0] src_q, dst_q, at_q;
  logic [7:0]         port_q, left_q, order_q;
  logic [LinkW-1:0]   link_q;
  logic               moved_q, crossed_q, other_way_q;

  // The address, digit by digit.
  function automatic logic [weft_pkg::AddrW-1:0] address(input logic [DigitsW-1:0] digits);
    int unsigned lsb;
    address = '0;
    lsb = 0;
    for (int unsigned d = 0; d < 5; d++) begin
      address = address | (weft_pkg::AddrW'(digits[d*DigitW +: DigitW]) << lsb);
      lsb = lsb + $clog2(32'(MaxCoords[d*ParamW +: ParamW]) + 1);
    end
  endfunction

  // Units of both kinds, the second pair with the opposite `other_way_i`.
  logic [MainPortW-1:0]        main_port, other_main_port;
  logic [AggPortW-1:0]         agg_port, other_agg_port;
  logic [weft_pkg::VcSetW-1:0] main_set, agg_set, set;
  for (genvar i = 0; i < 2; i++) begin : gen_wish
    logic [MainPortW-1:0]        port_m;
    logic [AggPortW-1:0]         port_a;
    logic [weft_pkg::VcSetW-1:0] set_m, set_a;
    weft_route_board #(
      .MaxCoords(MaxCoords),
      .Mains   (Mains),
      .IsMain  (1'b1),
      .NumLocal(NumLocal),
      .PerDest (PerDest)
    ) u_main (
      .port_i     (port_q[MainPortW-1:0]),
      .own_i      (address(at_q)),
      .src_i      (address(src_q)),
      .dst_i      (address(dst_q)),
      .other_way_i(i == 0 ? other_way_q : !other_way_q),
      .reverse_i(1'b0),
      .port_o     (port_m),
      .set_o      (set_m)
    );
    weft_route_board #(
      .MaxCoords(MaxCoords),
      .Mains   (Mains),
      .IsMain  (1'b0),
      .NumLocal(NumLocal),
      .PerDest (PerDest)
    ) u_agg (
      .port_i     (port_q[AggPortW-1:0]),
      .own_i      (address(at_q)),
      .src_i      (address(src_q)),
      .dst_i      (address(dst_q)),
      .other_way_i(i == 0 ? other_way_q : !other_way_q),
      .reverse_i(1'b0),
      .port_o     (port_a),
      .set_o      (set_a)
    );
    if (i == 0) begin : gen_own
      assign main_port = port_m;
      assign main_set  = set_m;
      assign agg_port  = port_a;
      assign agg_set   = set_a;
    end else begin : gen_other
      assign other_main_port = port_m;
      assign other_agg_port  = port_a;
    end
  end

  // The unit at which the packet is, and its outputs.
  logic [DigitW-1:0] unit, to, from;
  logic              at_main, to_main, leaves, by_ring, arrived;
  logic [7:0]        port, other_port, ring_lsb, local_lsb;
  assign unit       = at_q[DigitW-1:0];
  assign to         = dst_q[DigitW-1:0];
  assign from       = src_q[DigitW-1:0];
  assign at_main    = 32'(unit) < Mains;
  assign to_main    = 32'(to) < Mains;
  assign port       = at_main ? 8'(main_port) : 8'(agg_port);
  assign other_port = at_main ? 8'(other_main_port) : 8'(other_agg_port);
  assign set        = at_main ? main_set : agg_set;
  assign ring_lsb   = at_main ? 8'(Aggregators) : 8'(Mains);
  assign local_lsb  = at_main ? 8'(MainLocalLsb) : 8'(AggLocalLsb);
  assign leaves     = port < local_lsb;
  assign by_ring    = leaves && port >= ring_lsb;
  assign arrived    = at_q == dst_q;

  // Its number in the order of VCs' classes, twice: low and high of a ring follow each other.
  logic [7:0] ring_port, order;
  logic       up;
  assign ring_port = port - ring_lsb;
  assign up        = !ring_port[0];
  assign order     = by_ring && at_main         ? 8'd2 + {ring_port[7:1], 1'b0} +
                                                      8'(set == weft_pkg::VcHigh)
                   : by_ring                    ? 8'd9 + 8'(set == weft_pkg::VcHigh)
                   : at_main                    ? 8'd8
                   : set == weft_pkg::VcLow     ? 8'd1
                   :                              8'd11;

  // Steps upwards from one digit to another on a ring.
  function automatic logic [DigitW:0] steps(input logic [DigitW-1:0] s,
                                            input logic [DigitW-1:0] t,
                                            input logic [DigitW:0]   size);
    steps = (t >= s) ? {1'b0, t} - {1'b0, s} : size - ({1'b0, s} - {1'b0, t});
  endfunction

  // Of each ring: what the chosen direction means there. Ring 1 is W.
  logic [4:1]         here, nearest, ties, between, wraps, down_at_tie;
  logic [4:0]         legal, legal_in;
  logic [DigitsW-1:0] next;
  logic [5*8-1:0]     hops;
  for (genvar d = 1; d < 5; d++) begin : gen_ring
    localparam logic [DigitW:0] Last = (DigitW + 1)'(MaxCoords[d*ParamW +: ParamW]);
    localparam logic [DigitW:0] Size = Last + 1'b1;
    logic [DigitW-1:0] s, t, x;
    logic [DigitW:0]   way, back, gone, ahead, behind;
    assign s = src_q[d*DigitW +: DigitW];
    assign t = dst_q[d*DigitW +: DigitW];
    assign x = at_q[d*DigitW +: DigitW];
    assign here[d] = by_ring &&
        (at_main ? 32'(ring_port[7:1]) + 2 == d : d == 1);
    assign way    = up ? steps(s, t, Size) : steps(t, s, Size);
    assign back   = Size - way;
    assign gone   = up ? steps(s, x, Size) : steps(x, s, Size);
    assign ahead  = up ? steps(x, t, Size) : steps(t, x, Size);
    assign behind = Size - ahead;
    assign nearest[d] = way <= back;
    assign ties[d]    = here[d] && way == back;
    assign between[d] = x != t && gone + ahead == way;
    assign wraps[d]   = up ? {1'b0, x} == Last : x == '0;
    assign down_at_tie[d] = s[0] != other_way_q;
    assign next[d*DigitW +: DigitW] = !here[d] ? x
                                    : up       ? (wraps[d] ? '0 : x + 1'b1)
                                    : wraps[d] ? Last[DigitW-1:0] : x - 1'b1;
    assign hops[d*8 +: 8] = 8'((ahead < behind) ? ahead : behind);
  end
  for (genvar d = 0; d < 5; d++) begin : gen_legal
    localparam logic [DigitW:0] Last = (DigitW + 1)'(MaxCoords[d*ParamW +: ParamW]);
    assign legal[d]    = {1'b0, src_q[d*DigitW +: DigitW]} <= Last &&
                         {1'b0, dst_q[d*DigitW +: DigitW]} <= Last &&
                         {1'b0, at_q[d*DigitW +: DigitW]} <= Last;
    assign legal_in[d] = {1'b0, src_i[d*DigitW +: DigitW]} <= Last &&
                         {1'b0, dst_i[d*DigitW +: DigitW]} <= Last;
  end
  assign next[DigitW-1:0] = !leaves || by_ring ? unit
                          : at_main            ? DigitW'(port) + DigitW'(Mains)
                          :                      DigitW'(port);
  assign hops[7:0] = '0;

  // Hops that are left, by the position alone, and at the source.
  logic [7:0] grid, ring, left;
  assign grid = hops[16 +: 8] + hops[24 +: 8] + hops[32 +: 8];
  assign ring = hops[8 +: 8];
  assign left = at_main && to_main && unit == to && ring == '0 ? grid
              : at_main && to_main                             ? grid + 8'd2 + ring
              : at_main                                        ? grid + 8'd1 + ring
              : grid == '0 && to_main                          ? ring + 8'd1
              : grid == '0 && unit == to                       ? ring
              : to_main && ring == '0                          ? grid + 8'd1
              : to_main                                        ? grid + 8'd3 + ring
              :                                                  grid + 8'd2 + ring;

  // Ports without a link below the in-port: X and Y may have a size of 1, and Z is the last.
  localparam logic [ParamW-1:0] LastX = MaxCoords[2*ParamW +: ParamW];
  localparam logic [ParamW-1:0] LastY = MaxCoords[3*ParamW +: ParamW];
  logic [31:0] open_below;
  assign open_below = (at_main && LastX == '0 && 32'(port_q) > Aggregators + 1 ? 32'd2 : 32'd0) +
                      (at_main && LastY == '0 && 32'(port_q) > Aggregators + 3 ? 32'd2 : 32'd0);

  // The packet continues in the ring of its last hop.
  logic same_ring, crosses, last_low;
  assign same_ring = moved_q && by_ring && port_q >= ring_lsb &&
                     ring_port[7:1] == 7'((port_q - ring_lsb) >> 1);
  assign crosses   = |(here & wraps);
  // By a low VC: the last hop was along a ring.
  assign last_low  = order_q == 8'd9 || (order_q < 8'd8 && order_q != '0 && !order_q[0]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      src_q       <= '0;
      dst_q       <= '0;
      at_q        <= '0;
      port_q      <= 8'(MainLocalLsb);
      link_q      <= '0;
      left_q      <= '0;
      order_q     <= '0;
      moved_q     <= 1'b0;
      crossed_q   <= 1'b0;
      other_way_q <= 1'b0;
    end else if (start_i || !leaves) begin
      src_q       <= src_i;
      dst_q       <= dst_i;
      at_q        <= src_i;
      port_q      <= 8'(link_i) + (32'(src_i[DigitW-1:0]) < Mains ? 8'(MainLocalLsb)
                                                                  : 8'(AggLocalLsb));
      link_q      <= link_i;
      order_q     <= '0;
      moved_q     <= 1'b0;
      crossed_q   <= 1'b0;
      other_way_q <= other_way_i;
    end else begin
      at_q        <= next;
      // Along a ring the in-port has the number of the out-port; on a board that of the unit among
      // its kind.
      port_q      <= by_ring ? port : at_main ? 8'(unit) : 8'(unit) - 8'(Mains);
      left_q      <= left;
      order_q     <= order;
      moved_q     <= 1'b1;
      crossed_q   <= (same_ring && crossed_q) || crosses;
    end
  end

  `WEFT_ASSUME(Legal, &legal_in && 32'(link_i) < NumLocal)

  `WEFT_ASSERT(StaysLegal, &legal && 32'(link_q) < NumLocal && port_q < local_lsb + 8'(NumLocal) &&
      moved_q == (port_q < local_lsb))
  `WEFT_ASSERT(FromLink, moved_q || (at_q == src_q && port_q == local_lsb + 8'(link_q)))
  `WEFT_ASSERT(PortExists, port < local_lsb + 8'(NumLocal))
  `WEFT_ASSERT(LocalAtDestination, leaves != arrived)
  `WEFT_ASSERT(LocalPort, leaves || moved_q || port == port_q)
  `WEFT_ASSERT(LocalByInPort, leaves || !moved_q ||
      32'(port) == 32'(local_lsb) + (32'(port_q) - open_below) % NumLocal)
  // Every hop is one nearer, round rings in the shorter direction.
  `WEFT_ASSERT(OneNearer, !moved_q || left + 1'b1 == left_q)
  `WEFT_ASSERT(ShorterWay, (here & ~nearest) == '0)
  `WEFT_ASSERT(OnTheWay, (here & ~between) == '0)
  `WEFT_ASSERT(TiesByParity, ties == '0 || up != |(ties & down_at_tie))
  `WEFT_ASSERT(OtherWayAtTies, other_port == (ties == '0 ? port : ring_lsb + (ring_port ^ 8'd1)))
  `WEFT_ASSERT(NoTurningBack, !same_ring || port == port_q)
  // Which unit of a board: neighbouring numbers one after the other.
  `WEFT_ASSERT(UpInTurn, !at_main || by_ring || !leaves ||
      32'(port) == (to_main ? (32'(from) + 32'(to)) % Aggregators : 32'(to) - Mains))
  `WEFT_ASSERT(DownInTurn, at_main || by_ring || !leaves ||
      32'(port) == (to_main ? 32'(to)
                            : ((32'(unit) - Mains) * NumLocal + 32'(link_q)) % Mains))
  // The order of VCs: each is left for a later one, but along a ring.
  `WEFT_ASSERT(InOrder, !leaves || PerDest || order > order_q || (same_ring && order == order_q))
  `WEFT_ASSERT(Sets, PerDest || (by_ring ? set == weft_pkg::VcLow || set == weft_pkg::VcHigh
      : set == (!leaves                                          ? weft_pkg::VcAny
               : !moved_q && (at_main || grid != '0 || !to_main) ? weft_pkg::VcLow
               :                                                   weft_pkg::VcHigh)))
  `WEFT_ASSERT(SameForDest, !PerDest || set == (leaves ? weft_pkg::VcSame : weft_pkg::VcAny))
  `WEFT_ASSERT(LowOverDateline, !crosses || PerDest || set == weft_pkg::VcLow)
  `WEFT_ASSERT(HighBehindDateline, !same_ring || !crossed_q || PerDest || set == weft_pkg::VcHigh)
  `WEFT_ASSERT(LowOnlyToCross, !last_low || same_ring || PerDest || crossed_q)

endmodule

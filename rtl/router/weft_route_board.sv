// Route unit of system boards (seed 003): mains in a torus X, Y, Z, aggregators in a ring W, and on
// a board links from each main to each aggregator. Combinational.
//
// Packets are allocated VCs in the order down to a main low, torus low and high, up, ring low and
// high, down high: the dependencies of VCs have no cycle. Up, those of the main itself take low VCs
// and all others high ones, so that with two VCs no packet has a choice.

`include "weft_assert.svh"

module weft_route_board #(
  /// Maximum coordinates of unit, W, X, Y, Z, `DigitParamW` bits each, the unit lowest.
  parameter logic [5*weft_pkg::DigitParamW-1:0] MaxCoords = 100'h000030000300003000030000b,
  /// Mains of a board; 1 or more, but not all units. The other units are aggregators.
  parameter int unsigned Mains = 8,
  /// 1: router of a main; 0: of an aggregator.
  parameter bit          IsMain = 1'b1,
  /// Local ports, numbered after those to neighbours; 1 or more.
  parameter int unsigned NumLocal = 1,
  /// 1: a VC for each destination; a packet keeps its VC up to the local port.
  parameter bit          PerDest = 1'b0,
  /// Width of addresses and of `own_i`, bits.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  // Derived.
  localparam int unsigned Aggregators = 32'(MaxCoords[0 +: weft_pkg::DigitParamW]) + 1 - Mains,
  localparam int unsigned PortW = $clog2((IsMain ? Aggregators + 6 : Mains + 2) + NumLocal)
) (
  /// In-port of the packet.
  input  logic [PortW-1:0]            port_i,
  /// The router's address.
  input  logic [AddrW-1:0]            own_i,
  /// Source in the packet's header.
  input  logic [AddrW-1:0]            src_i,
  /// Destination in the packet's header.
  input  logic [AddrW-1:0]            dst_i,
  /// 1: at a tie (both directions round a ring equally long) the opposite of the default.
  input  logic                        other_way_i,
  /// 1: the dimensions in reverse order; ignored.
  input  logic                        reverse_i,
  /// Out-port: of a main the aggregators, X up and down, Y, Z; of an aggregator the mains, W up and
  /// down; then the local ports.
  output logic [PortW-1:0]            port_o,
  /// VCs of that port that the packet may be allocated (weft_pkg::VcAny ...).
  output logic [weft_pkg::VcSetW-1:0] set_o
);

  localparam int unsigned DigitParamW = weft_pkg::DigitParamW;
  localparam int unsigned SetW        = weft_pkg::VcSetW;
  localparam int unsigned LastUnit    = 32'(MaxCoords[0 +: DigitParamW]);
  localparam int unsigned UnitW       = $clog2(LastUnit + 1);

  // Lowest address bit of a digit.
  function automatic int unsigned unit_lsb(input int unsigned dim);
    unit_lsb = 0;
    for (int unsigned d = 0; d < 5; d++) begin
      if (d < dim) unit_lsb = unit_lsb + $clog2(32'(MaxCoords[d*DigitParamW +: DigitParamW]) + 1);
    end
  endfunction

  `WEFT_PARAM(gen_check_mains, Mains >= 1 && Mains <= LastUnit)
  `WEFT_PARAM(gen_check_num_local, NumLocal >= 1)
  `WEFT_PARAM(gen_check_digits, unit_lsb(5) <= AddrW)

  // The router's rings, and the first of their ports.
  localparam int unsigned FirstRing = IsMain ? 2 : 1;
  localparam int unsigned NumRings  = IsMain ? 3 : 1;
  localparam int unsigned RingLsb   = IsMain ? Aggregators : Mains;
  localparam int unsigned LocalLsb  = RingLsb + 2 * NumRings;

  // For each ring: the digits of destination and router differ; the path goes down; its VCs.
  logic [NumRings-1:0]      differ, down;
  logic [NumRings*SetW-1:0] sets;

  for (genvar r = 0; r < NumRings; r++) begin : gen_ring
    localparam int unsigned Lsb = unit_lsb(FirstRing + r);
    logic [1:0] port;  // up, down, at the destination
    weft_route_torus #(
      .NumDims(1),
      .MaxCoords(MaxCoords[(FirstRing+r)*DigitParamW +: DigitParamW]),
      .AddrW  (AddrW)
    ) u_ring (
      .port_i(2'd0),
      .own_i (own_i >> Lsb),
      .src_i (src_i >> Lsb),
      .dst_i (dst_i >> Lsb),
      .other_way_i,
      .reverse_i(1'b0),
      .port_o(port),
      .set_o (sets[r*SetW +: SetW])
    );
    assign differ[r] = !port[1];
    assign down[r]   = port[0];
  end

  // Out-port and VCs of the first ring whose digits differ.
  logic [PortW-1:0] ring_port;
  logic [SetW-1:0]  ring_set;
  always_comb begin
    ring_port = '0;
    ring_set  = '0;
    for (int unsigned r = NumRings; r > 0; r--) begin
      if (differ[r-1]) begin
        ring_port = PortW'(RingLsb + 2 * (r - 1)) + PortW'(down[r-1]);
        ring_set  = sets[(r-1)*SetW +: SetW];
      end
    end
  end

  // In-ports below `below` that have a link: those along a ring of size 1 have none.
  function automatic int unsigned links_below(input int unsigned below);
    links_below = below;
    for (int unsigned i = 0; i < 2 * NumRings; i++) begin
      if (RingLsb + i < below && MaxCoords[(FirstRing+i/2)*DigitParamW +: DigitParamW] == '0)
        links_below = links_below - 1;
    end
  endfunction

  // At its destination the in-port of a packet from a neighbour selects its local port: of each
  // in-port the local port, also where there is no in-port.
  logic [PortW*2**PortW-1:0] local_ports;
  for (genvar p = 0; p < 2**PortW; p++) begin : gen_local_port
    localparam int unsigned Port = p < LocalLsb ? LocalLsb + links_below(p) % NumLocal : p;
    assign local_ports[p*PortW +: PortW] = PortW'(Port);
  end
  logic             from_local;
  logic [PortW-1:0] local_port;
  assign from_local = 32'(port_i) >= LocalLsb;
  assign local_port = local_ports[port_i*PortW +: PortW];

  // The destination's unit; it is a main.
  logic [UnitW-1:0] unit;
  logic             to_main;
  assign unit    = dst_i[UnitW-1:0];
  assign to_main = 32'(unit) < Mains;

  // Out-port on the board, and its VCs; the packet is here; it leaves by a ring.
  logic [PortW-1:0] board_port;
  logic [SetW-1:0]  board_set;
  logic             arrived, by_ring;

  if (IsMain) begin : gen_main
    localparam int unsigned HereW = unit_lsb(2);
    localparam int unsigned UpW = Aggregators > 1 ? $clog2(Aggregators) : 1;
    logic [UnitW:0]   sum;
    logic [UpW-1:0] up_number;  // Number of the aggregator towards a main.
    logic [PortW-1:0] aggregator;
    assign sum        = {1'b0, src_i[UnitW-1:0]} + {1'b0, unit};
    assign up_number  = UpW'(sum % (UnitW + 1)'(Aggregators));
    assign aggregator = 32'(unit) > LastUnit ? PortW'(Aggregators - 1)
                                             : PortW'(32'(unit) - Mains);
    assign by_ring    = differ != '0;
    assign arrived    = !by_ring && own_i[HereW-1:0] == dst_i[HereW-1:0];
    assign board_port = to_main ? PortW'(up_number) : aggregator;
    assign board_set  = from_local ? weft_pkg::VcLow : weft_pkg::VcHigh;
  end else begin : gen_aggregator
    localparam int unsigned GridLsb = unit_lsb(2);
    localparam int unsigned MainW   = Mains > 1 ? $clog2(Mains) : 1;
    // Wide enough for the local ports of all aggregators, and for port numbers.
    localparam int unsigned LinkW   = UnitW + $clog2(NumLocal + 1);
    localparam int unsigned SpreadW = LinkW > PortW ? LinkW : PortW;
    localparam logic [AddrW-1:0] Digits = AddrW'((33'd1 << unit_lsb(5)) - 33'd1);
    logic             same_unit, same_grid, down_first;
    logic [UnitW-1:0] index;
    logic [PortW-1:0] local_number;
    logic [MainW-1:0] spread;
    assign same_unit  = own_i[UnitW-1:0] == unit;
    assign same_grid  = ((own_i ^ dst_i) & Digits) >> GridLsb == '0;
    // A packet that goes down first, to a main by which it leaves the board or goes up again.
    assign down_first = from_local && (!same_grid || (!same_unit && !to_main));
    // The local ports of all aggregators are spread evenly over the mains.
    assign index        = own_i[UnitW-1:0] - UnitW'(Mains);
    assign local_number = port_i - PortW'(LocalLsb);
    assign spread       = MainW'((SpreadW'(index) * SpreadW'(NumLocal) + SpreadW'(local_number)) %
                                 SpreadW'(Mains));
    assign by_ring    = !down_first && differ != '0;
    assign arrived    = !down_first && !by_ring && same_unit;
    assign board_port = to_main    ? PortW'(unit)
                      : down_first ? PortW'(spread)
                      :              '0;
    assign board_set  = down_first ? weft_pkg::VcLow : weft_pkg::VcHigh;
  end

  assign port_o = by_ring ? ring_port
                : arrived ? local_port
                :           board_port;
  assign set_o  = arrived ? weft_pkg::VcAny
                : PerDest ? weft_pkg::VcSame
                : by_ring ? ring_set
                :           board_set;

endmodule

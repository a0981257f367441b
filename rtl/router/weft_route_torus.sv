// Route unit of a torus: dimension order, the lowest dimension first or, with `reverse_i`, the
// highest, in the shorter direction round each ring, with datelines that break cyclic dependencies
// of VCs (seed 004 [2.1], [4.2]). Combinational.
//
// Direction and dateline crossing are computed from the source's digit, not the router's, so that
// all routers on the path agree.

`include "weft_assert.svh"

module weft_route_torus #(
  /// Dimensions; 1 or more.
  parameter int unsigned NumDims = 2,
  /// Maximum coordinate of each dimension, `DigitParamW` bits each, dimension 0 lowest.
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  /// Local ports, numbered after two for each dimension; 1 or more.
  parameter int unsigned NumLocal = 1,
  /// 1: a VC for each destination; a packet keeps its VC up to the local port.
  parameter bit          PerDest = 1'b0,
  /// weft_pkg::DatelineFixed; DatelineBalanced: a path that does not cross the dateline starts on
  /// any VC, and stays on it; DatelineCrossing: a path that crosses it keeps its VCs behind it.
  parameter int unsigned Dateline = weft_pkg::DatelineFixed,
  /// Width of addresses and of `own_i`, bits.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  // Derived.
  localparam int unsigned PortW = $clog2(2 * NumDims + NumLocal)
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
  /// 1: the dimensions in reverse order.
  input  logic                        reverse_i,
  /// Out-port: 2d up in dimension d, 2d + 1 down, then the local ports.
  output logic [PortW-1:0]            port_o,
  /// VCs of that port that the packet may be allocated (weft_pkg::VcAny ...).
  output logic [weft_pkg::VcSetW-1:0] set_o
);

  localparam int unsigned SetW     = weft_pkg::VcSetW;
  localparam int unsigned LocalLsb = 2 * NumDims;

  localparam logic [weft_pkg::CoordsW-1:0] Coords = weft_pkg::CoordsW'(MaxCoords);

  `WEFT_PARAM(gen_check_num_dims, NumDims >= 1 && NumDims <= weft_pkg::MaxDims)
  `WEFT_PARAM(gen_check_num_local, NumLocal >= 1)
  `WEFT_PARAM(gen_check_dateline, Dateline <= weft_pkg::DatelineCrossing)
  `WEFT_PARAM(gen_check_digits, weft_pkg::digit_lsb(Coords, NumDims) <= AddrW)

  // For each dimension: the digits of destination and router differ; the path goes up; its VCs.
  logic [NumDims-1:0]      differ, up;
  logic [NumDims*SetW-1:0] sets;
  // Odd digits, whose parity breaks ties.
  logic [NumDims-1:0]      src_odd, dst_odd;

  for (genvar d = 0; d < NumDims; d++) begin : gen_dim
    localparam int unsigned Last =
        32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]);
    localparam int unsigned DigitW = $clog2(Last + 1);
    if (DigitW == 0) begin : gen_single
      assign differ[d]           = 1'b0;
      assign up[d]               = 1'b0;
      assign sets[d*SetW +: SetW] = weft_pkg::VcAny;
      assign src_odd[d]          = 1'b0;
      assign dst_odd[d]          = 1'b0;
      // A network of one node has no ties.
      logic unused_other_way;
      assign unused_other_way    = other_way_i;
    end else begin : gen_digit
      localparam int unsigned     DigitLsb = weft_pkg::digit_lsb(Coords, d);
      localparam logic [DigitW:0] Size     = (DigitW + 1)'(Last + 1);
      logic [DigitW-1:0] src, dst, own;
      // Hops from source to destination in direction up, and twice that.
      logic [DigitW:0]   off, twice;
      logic              down_at_tie, crosses, crossed, behind, enters;

      assign src = src_i[DigitLsb +: DigitW];
      assign dst = dst_i[DigitLsb +: DigitW];
      assign own = own_i[DigitLsb +: DigitW];

      assign differ[d]  = dst != own;
      assign src_odd[d] = src[0];
      assign dst_odd[d] = dst[0];

      assign off         = {1'b0, dst} - {1'b0, src} + ((dst < src) ? Size : '0);
      assign twice       = off << 1;
      assign down_at_tie = ^src_odd ^ ^(dst_odd & ~(NumDims'(1) << d)) ^ other_way_i;
      assign up[d]       = twice < Size || (twice == Size && !down_at_tie);

      assign crosses = up[d] ? dst < src : dst > src;
      assign crossed = up[d] ? own < src : own > src;
      assign enters  = (32'(port_i) >> 1) != d;
      assign behind  = crossed && Dateline != weft_pkg::DatelineCrossing;
      assign sets[d*SetW +: SetW] = behind                                 ? weft_pkg::VcHigh
                                  : crosses                                ? weft_pkg::VcLow
                                  : Dateline != weft_pkg::DatelineBalanced ? weft_pkg::VcHigh
                                  : enters                                 ? weft_pkg::VcAny
                                  :                                          weft_pkg::VcSame;
    end
  end

  // The dimension that decides: the first that differs, with `reverse_i` the last.
  logic [NumDims-1:0] decides;
  for (genvar d = 0; d < NumDims; d++) begin : gen_decides
    assign decides[d] = differ[d] &&
        (reverse_i ? (differ >> d) >> 1 == '0 : differ << (NumDims - d) == '0);
  end

  // Its out-port and VCs.
  logic [PortW-1:0] first_port;
  logic [SetW-1:0]  first_set;
  always_comb begin
    first_port = '0;
    first_set  = weft_pkg::VcAny;
    for (int unsigned d = 0; d < NumDims; d++) begin
      if (decides[d]) begin
        first_port = PortW'(2 * d) | PortW'(!up[d]);
        first_set  = sets[d*SetW +: SetW];
      end
    end
  end

  // At its destination the in-port of a packet from a neighbour selects its local port.
  logic [PortW-1:0] local_port;
  assign local_port = (32'(port_i) >= LocalLsb) ? port_i
                    : PortW'(LocalLsb) + (port_i % PortW'(NumLocal));

  assign port_o = (differ == '0) ? local_port : first_port;
  assign set_o  = (differ != '0 && PerDest) ? weft_pkg::VcSame : first_set;

endmodule

// Route unit of a mesh: dimension order, the lowest dimension first or, with `reverse_i`, the
// highest (seed 004 [2.1]). Combinational.

`include "weft_assert.svh"

module weft_route_mesh #(
  /// Dimensions; 1 or more.
  parameter int unsigned NumDims = 2,
  /// Maximum coordinate of each dimension, `DigitParamW` bits each, dimension 0 lowest.
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  /// Local ports, numbered after two for each dimension; 1 or more.
  parameter int unsigned NumLocal = 1,
  /// 1: a VC for each destination; a packet keeps its VC up to the local port.
  parameter bit          PerDest = 1'b0,
  /// Width of addresses and of `own_i`, bits.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  // Derived.
  localparam int unsigned PortW = $clog2(2 * NumDims + NumLocal)
) (
  /// In-port of the packet.
  input  logic [PortW-1:0]            port_i,
  /// The router's address.
  input  logic [AddrW-1:0]            own_i,
  /// Source in the packet's header; ignored.
  input  logic [AddrW-1:0]            src_i,
  /// Destination in the packet's header.
  input  logic [AddrW-1:0]            dst_i,
  /// 1: the opposite of the default where two ways are equally long; ignored.
  input  logic                        other_way_i,
  /// 1: the dimensions in reverse order.
  input  logic                        reverse_i,
  /// Out-port: 2d up in dimension d, 2d + 1 down, then the local ports.
  output logic [PortW-1:0]            port_o,
  /// VCs of that port that the packet may be allocated (weft_pkg::VcAny ...).
  output logic [weft_pkg::VcSetW-1:0] set_o
);

  localparam logic [weft_pkg::CoordsW-1:0] Coords = weft_pkg::CoordsW'(MaxCoords);

  localparam int unsigned LocalLsb = 2 * NumDims;

  `WEFT_PARAM(gen_check_num_dims, NumDims >= 1 && NumDims <= weft_pkg::MaxDims)
  `WEFT_PARAM(gen_check_num_local, NumLocal >= 1)
  `WEFT_PARAM(gen_check_digits, weft_pkg::digit_lsb(Coords, NumDims) <= AddrW)

  // For each dimension: the digits differ; the destination's is greater.
  logic [NumDims-1:0] differ, up;

  for (genvar d = 0; d < NumDims; d++) begin : gen_dim
    localparam int unsigned Last =
        32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]);
    localparam int unsigned DigitW = $clog2(Last + 1);
    if (DigitW == 0) begin : gen_single
      assign differ[d] = 1'b0;
      assign up[d]     = 1'b0;
    end else begin : gen_digit
      localparam int unsigned DigitLsb = weft_pkg::digit_lsb(Coords, d);
      logic [DigitW-1:0] dst, own;
      assign dst       = dst_i[DigitLsb +: DigitW];
      assign own       = own_i[DigitLsb +: DigitW];
      assign differ[d] = dst != own;
      assign up[d]     = dst > own;
    end
  end

  // The dimension that decides: the first that differs, with `reverse_i` the last.
  logic [NumDims-1:0] decides;
  for (genvar d = 0; d < NumDims; d++) begin : gen_decides
    assign decides[d] = differ[d] &&
        (reverse_i ? (differ >> d) >> 1 == '0 : differ << (NumDims - d) == '0);
  end

  // Its out-port.
  logic [PortW-1:0] first_port;
  always_comb begin
    first_port = '0;
    for (int unsigned d = 0; d < NumDims; d++) begin
      if (decides[d]) first_port = PortW'(2 * d) | PortW'(!up[d]);
    end
  end

  // At its destination the in-port of a packet from a neighbour selects its local port.
  logic [PortW-1:0] local_port;
  assign local_port = (32'(port_i) >= LocalLsb) ? port_i
                    : PortW'(LocalLsb) + (port_i % PortW'(NumLocal));

  assign port_o = (differ == '0) ? local_port : first_port;
  assign set_o  = (differ != '0 && PerDest) ? weft_pkg::VcSame : weft_pkg::VcAny;

endmodule

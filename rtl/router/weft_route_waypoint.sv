// Waypoint of a packet with valiant and ugal routing: a node drawn by a hash of the packet's stamp
// and source, so that all routers on the way find the same one without a field in the header.
// Combinational.

`include "weft_assert.svh"

module weft_route_waypoint #(
  /// Dimensions; 1 or more.
  parameter int unsigned NumDims = 2,
  /// Maximum coordinate of each dimension, `DigitParamW` bits each, dimension 0 lowest; each below
  /// 2^16.
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  /// Width of addresses, bits.
  parameter int unsigned AddrW = weft_pkg::AddrW
) (
  /// Stamp of the packet.
  input  logic [weft_pkg::StampW-1:0] stamp_i,
  /// Source in the packet's header.
  input  logic [AddrW-1:0]            src_i,
  /// Address of a node.
  output logic [AddrW-1:0]            waypoint_o
);

  localparam logic [weft_pkg::CoordsW-1:0] Coords = weft_pkg::CoordsW'(MaxCoords);

  // Whether each digit can be drawn from 16 bits.
  function automatic bit all_drawn();
    all_drawn = 1'b1;
    for (int unsigned d = 0; d < NumDims; d++) begin
      if (32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]) >= 1 << 16)
        all_drawn = 1'b0;
    end
  endfunction

  `WEFT_PARAM(gen_check_num_dims, NumDims >= 1 && NumDims <= weft_pkg::MaxDims)
  `WEFT_PARAM(gen_check_digits, weft_pkg::digit_lsb(Coords, NumDims) <= AddrW)
  `WEFT_PARAM(gen_check_drawn, all_drawn())

  function automatic logic [31:0] mix(input logic [31:0] seed);
    mix = seed + (seed << 10);
    mix = mix ^ (mix >> 6);
    mix = mix + (mix << 3);
    mix = mix ^ (mix >> 11);
    mix = mix + (mix << 15);
  endfunction

  // The numbers drawn, of 16 bits for each dimension, dimension 0 lowest.
  function automatic logic [NumDims*16-1:0] draw(input logic [31:0] seed);
    logic [31:0] mixed;
    mixed = seed;
    draw  = '0;
    for (int unsigned d = 0; d < NumDims; d++) begin
      mixed            = mix(mixed);
      draw[d*16 +: 16] = mixed[31:16];
    end
  endfunction
  logic [NumDims*16-1:0] drawn;
  assign drawn = draw({16'(stamp_i), 16'(src_i)} ^ (32'(src_i) >> 16));

  // Times the number of values, without the lower half: all values are about equally likely.
  logic [NumDims*AddrW-1:0] digits;
  for (genvar d = 0; d < NumDims; d++) begin : gen_dim
    localparam int unsigned Last =
        32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]);
    logic [31:0] scaled;
    assign scaled = 32'(drawn[d*16 +: 16]) * (Last + 1);
    assign digits[d*AddrW +: AddrW] = AddrW'(scaled >> 16) << weft_pkg::digit_lsb(Coords, d);
  end

  always_comb begin
    waypoint_o = '0;
    for (int unsigned d = 0; d < NumDims; d++)
      waypoint_o = waypoint_o | digits[d*AddrW +: AddrW];
  end

endmodule

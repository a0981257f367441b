// Proof of the waypoint's unit: every stamp and source lead to a node of the network, whose digits
// are those of rtl/router/README.md, computed here by products instead of shifts in the mixing and
// by comparisons instead of products in the drawing. The mixing is beyond a solver for all packets:
// only the bits `StampBits` and `SrcBits` of stamp and source are free here, the others 0 (the
// bench has them all).

`include "weft_assert.svh"

module route_waypoint_props #(
  parameter int unsigned NumDims = 2,
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  parameter int unsigned AddrW = weft_pkg::AddrW,
  parameter logic [weft_pkg::StampW-1:0] StampBits = 16'h8003,
  parameter logic [AddrW-1:0]            SrcBits = AddrW'(32'h30005)
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic [weft_pkg::StampW-1:0] stamp_i,
  input logic [AddrW-1:0]            src_i
);

  logic [AddrW-1:0] waypoint;
  weft_route_waypoint #(
    .NumDims  (NumDims),
    .MaxCoords(MaxCoords),
    .AddrW    (AddrW)
  ) u_dut (
    .stamp_i,
    .src_i,
    .waypoint_o(waypoint)
  );

  // Before the draw of each dimension, and after that of the last; digits in their places.
  logic [(NumDims+1)*32-1:0]  state;
  logic [(NumDims+1)*AddrW-1:0] digits;
  logic [NumDims-1:0]         legal;
  assign state[31:0]       = (32'(stamp_i) * 32'd65536 + 32'(src_i) % 32'd65536) ^
                             (32'(src_i) / 32'd65536);
  assign digits[AddrW-1:0] = '0;

  for (genvar d = 0; d < NumDims; d++) begin : gen_dim
    localparam int unsigned Size =
        32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]) + 1;
    // Values of all lower dimensions' bits together.
    localparam int unsigned Below = below(d);
    logic [31:0] a, b, c, e, x;
    assign a = state[d*32 +: 32] * 32'd1025;
    assign b = a ^ (a / 32'd64);
    assign c = b * 32'd9;
    assign e = c ^ (c / 32'd2048);
    assign x = e * 32'd32769;
    assign state[(d+1)*32 +: 32] = x;
    // The digit: at how many borders between the equal parts of 2^16 the drawn number is.
    logic [Size-1:0] reached;
    assign reached[0] = 1'b0;
    for (genvar n = 1; n < Size; n++) begin : gen_border
      localparam int unsigned Border = (n * 65536 + Size - 1) / Size;
      assign reached[n] = x / 32'd65536 >= Border;
    end
    logic [31:0] digit;
    always_comb begin
      digit = 0;
      for (int unsigned n = 0; n < Size; n++) digit = digit + 32'(reached[n]);
    end
    assign digits[(d+1)*AddrW +: AddrW] = digits[d*AddrW +: AddrW] + AddrW'(digit * Below);
    assign legal[d] = (32'(waypoint) / Below) % (32'd1 << $clog2(Size)) < Size;
  end

  // 2 to the number of bits of the digits below a dimension.
  function automatic int unsigned below(input int unsigned dim);
    below = 1;
    for (int unsigned d = 0; d < NumDims; d++) begin
      if (d < dim) begin
        below = below << $clog2(
            32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]) + 1);
      end
    end
  endfunction

  `WEFT_ASSUME(FewBits, (stamp_i & ~StampBits) == '0 && (src_i & ~SrcBits) == '0)
  `WEFT_ASSERT(DigitsDrawn, waypoint == digits[NumDims*AddrW +: AddrW])
  `WEFT_ASSERT(IsNode, &legal)

endmodule

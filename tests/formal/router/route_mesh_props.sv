// Proof of the mesh's route unit, for every router and destination: the out-port leads to a router
// that exists and is one hop nearer, in the lowest dimension that differs, or the highest.

`include "weft_assert.svh"

module route_mesh_props #(
  parameter int unsigned NumDims = 2,
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  parameter int unsigned NumLocal = 1,
  parameter bit          PerDest = 1'b0,
  // Bits of a digit in this module, whatever its size.
  localparam int unsigned DigitW = 4,
  localparam int unsigned DigitsW = NumDims * DigitW,
  localparam int unsigned PortW = $clog2(2 * NumDims + NumLocal)
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [DigitsW-1:0]         at_i,
  input logic [DigitsW-1:0]         dst_i,
  input logic [weft_pkg::AddrW-1:0] src_i,
  input logic [PortW-1:0]           port_i,
  input logic                       reverse_i
);

  localparam int unsigned LocalLsb = 2 * NumDims;

  logic [weft_pkg::AddrW-1:0]  dst, own;
  logic [PortW-1:0]            port;
  logic [weft_pkg::VcSetW-1:0] set;

  weft_route_mesh #(
    .NumDims (NumDims),
    .MaxCoords(MaxCoords),
    .NumLocal(NumLocal),
    .PerDest (PerDest)
  ) u_dut (
    .port_i,
    .own_i (own),
    .src_i,
    .dst_i (dst),
    .other_way_i(1'b0),
    .reverse_i,
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
      lsb = lsb + $clog2(32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]) + 1);
    end
  endfunction
  assign dst = address(dst_i);
  assign own = address(at_i);

  logic leaves, up;
  assign leaves = 32'(port) < LocalLsb;
  assign up     = !port[0];

  // Of each dimension: digits exist; the packet goes in this direction; that is nearer (so the next
  // router exists: the digit moves towards one that does); lower dimensions are done, with
  // `reverse_i` higher ones.
  logic [NumDims-1:0] legal, here, nearer, done;
  for (genvar d = 0; d < NumDims; d++) begin : gen_dim
    localparam logic [DigitW:0] Last =
        (DigitW + 1)'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]);
    logic [DigitW-1:0] t, x;
    assign t = dst_i[d*DigitW +: DigitW];
    assign x = at_i[d*DigitW +: DigitW];
    assign legal[d]  = {1'b0, t} <= Last && {1'b0, x} <= Last;
    assign here[d]   = leaves && (32'(port) >> 1) == d;
    assign nearer[d] = up ? t > x : t < x;
    logic lower_done, higher_done;
    if (d == 0) begin : gen_first
      assign lower_done = 1'b1;
    end else begin : gen_next
      assign lower_done = at_i[d*DigitW-1:0] == dst_i[d*DigitW-1:0];
    end
    assign higher_done = at_i >> ((d + 1) * DigitW) == dst_i >> ((d + 1) * DigitW);
    assign done[d] = reverse_i ? higher_done : lower_done;
  end

  `WEFT_ASSUME(Legal, &legal && 32'(port_i) < LocalLsb + NumLocal)

  `WEFT_ASSERT(PortExists, 32'(port) < LocalLsb + NumLocal)
  `WEFT_ASSERT(LocalAtDestination, leaves != (at_i == dst_i))
  `WEFT_ASSERT(LocalPort, leaves || 32'(port_i) < LocalLsb || port == port_i)
  `WEFT_ASSERT(LocalByInPort, leaves || 32'(port_i) >= LocalLsb ||
      32'(port) == LocalLsb + 32'(port_i) % NumLocal)
  `WEFT_ASSERT(Nearer, (here & ~nearer) == '0)
  `WEFT_ASSERT(InOrder, (here & ~done) == '0)
  `WEFT_ASSERT(AnyVc, set == ((PerDest && leaves) ? weft_pkg::VcSame : weft_pkg::VcAny))

endmodule

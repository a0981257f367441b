// Injects the packets of one send controller into a credit link: allocates a virtual channel to
// each packet, and drives the link through an output unit (seed 004 fig. 1).

`include "weft_assert.svh"

module weft_inject_unit #(
  /// Flit width without parity, bits; a header must fit.
  parameter int unsigned DataW = 64,
  /// 1: a parity bit above the data.
  parameter bit          Parity = 1'b0,
  /// Virtual channels of the link; 1 or more.
  parameter int unsigned NumVc = 2,
  /// Depth of the receiver's buffer of each VC, flits; 1 or more.
  parameter int unsigned Depth = 8,
  /// 1: a VC for each destination, in the order of their ranks; 0: round-robin.
  parameter bit          ByDest = 1'b0,
  /// 1: VC 0 for every packet, or the first of its class, so that packets of this link do not
  /// overtake each other on the way into the router; not with `ByDest`.
  parameter bit          InOrder = 1'b0,
  /// 1: packets whose tag is odd take the upper half of the VCs, others the lower half; `NumVc` is
  /// even; not with `ByDest`.
  parameter bit          Classes = 1'b0,
  /// 1: flits carry their packet's stamp, its injection time.
  parameter bit          Age = 1'b0,
  /// Width of an address, bits: weft_pkg::AddrW to MaxAddrW; used with `ByDest` only.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  /// Dimensions of the network; used with `ByDest` only.
  parameter int unsigned NumDims = 1,
  /// Maximum coordinate of each dimension, `DigitParamW` bits each, dimension 0 lowest; used with
  /// `ByDest` only.
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords = '0,
  // Derived.
  localparam int unsigned FlitW = DataW + (Parity ? 1 : 0),
  localparam int unsigned VcW   = NumVc > 1 ? $clog2(NumVc) : 1
) (
  /// Clock.
  input  logic                        clk_i,
  /// Asynchronous reset, active low.
  input  logic                        rst_ni,
  /// A flit is offered.
  input  logic                        valid_i,
  /// It is the last of its packet.
  input  logic                        last_i,
  /// The flit.
  input  logic [FlitW-1:0]            data_i,
  /// The offered flit moves in this cycle: it is on the link in the next.
  output logic                        ready_o,
  /// Link: Data-Valid.
  output logic                        tx_valid_o,
  /// Link: Data-End; 0 without Data-Valid.
  output logic                        tx_last_o,
  /// Link: virtual channel; 0 without Data-Valid.
  output logic [VcW-1:0]              tx_vc_o,
  /// Link: the flit; 0 without Data-Valid.
  output logic [FlitW-1:0]            tx_data_o,
  /// Link: stamp of the packet; 0 without `Age` or Data-Valid.
  output logic [weft_pkg::StampW-1:0] tx_stamp_o,
  /// Link: credit of each VC.
  input  logic [NumVc-1:0]            tx_credit_i
);

  localparam int unsigned DigitParamW = weft_pkg::DigitParamW;
  localparam int unsigned StampW      = weft_pkg::StampW;
  localparam int unsigned CountW      = $clog2(Depth + 1);
  localparam int unsigned RankW       = 32;

  localparam logic [weft_pkg::CoordsW-1:0] Coords = weft_pkg::CoordsW'(MaxCoords);

  // Weight of a digit in the rank.
  function automatic int unsigned rank_step(input int unsigned dim);
    rank_step = 1;
    for (int unsigned d = 0; d < NumDims; d++) begin
      if (d < dim) rank_step = rank_step * (32'(MaxCoords[d*DigitParamW +: DigitParamW]) + 1);
    end
  endfunction

  `WEFT_PARAM(gen_check_data, DataW >= weft_pkg::HdrW)
  `WEFT_PARAM(gen_check_vc, NumVc >= 1)
  `WEFT_PARAM(gen_check_depth, Depth >= 1)
  `WEFT_PARAM(gen_check_dims, NumDims >= 1 && NumDims <= weft_pkg::MaxDims)
  `WEFT_PARAM(gen_check_order, !(InOrder && ByDest))
  `WEFT_PARAM(gen_check_classes, !Classes || (NumVc % 2 == 0 && !ByDest))
  `WEFT_PARAM(gen_check_address, !ByDest || weft_pkg::digit_lsb(Coords, NumDims) <= AddrW)
  `WEFT_PARAM(gen_check_by_dest, !ByDest || rank_step(NumDims) <= NumVc)

  // The packet that is being sent.
  logic           body_q;  // its header has moved
  logic [VcW-1:0] vc_q;    // its VC

  // VCs with a credit; the one for an offered header (`pick`); the one for the offered flit.
  logic [NumVc*CountW-1:0] credits;
  logic [NumVc-1:0]        has_credit, pick, vc_bits;
  logic [VcW-1:0]          vc;
  assign vc_bits = body_q ? has_credit & (NumVc'(1) << vc_q) : pick;
  assign ready_o = valid_i && vc_bits != '0;

  for (genvar v = 0; v < NumVc; v++) begin : gen_credit
    assign has_credit[v] = credits[v*CountW +: CountW] != '0;
  end
  always_comb begin
    vc = '0;
    for (int unsigned v = 0; v < NumVc; v++) begin
      if (vc_bits[v]) vc = vc | VcW'(v);
    end
  end

  // VCs with a credit that an offered header may be allocated.
  logic [NumVc-1:0] own, may;
  assign may = has_credit & own;
  if (Classes) begin : gen_classes
    localparam logic [NumVc-1:0] Low = {NumVc{1'b1}} >> (NumVc / 2);
    assign own = data_i[weft_pkg::HdrTagLsb + weft_pkg::TagClass] ? ~Low : Low;
  end else begin : gen_one_class
    assign own = '1;
  end

  if (ByDest) begin : gen_by_dest
    // The destination's rank is the VC's number; a rank that is no VC's number is never ready.
    logic [NumDims*RankW-1:0] term;
    logic [RankW-1:0]         rank;
    for (genvar d = 0; d < NumDims; d++) begin : gen_dim
      localparam int unsigned DigitW = $clog2(32'(MaxCoords[d*DigitParamW +: DigitParamW]) + 1);
      if (DigitW == 0) begin : gen_single
        assign term[d*RankW +: RankW] = '0;
      end else begin : gen_digit
        localparam int unsigned DigitLsb = weft_pkg::HdrDstLsb + weft_pkg::digit_lsb(Coords, d);
        assign term[d*RankW +: RankW] =
            RankW'(data_i[DigitLsb +: DigitW]) * RankW'(rank_step(d));
      end
    end
    always_comb begin
      rank = '0;
      for (int unsigned d = 0; d < NumDims; d++) rank = rank + term[d*RankW +: RankW];
      for (int unsigned v = 0; v < NumVc; v++) pick[v] = may[v] && rank == RankW'(v);
    end
  end
  if (InOrder) begin : gen_in_order
    localparam logic [NumVc-1:0] First =
        NumVc'(1) | (Classes ? NumVc'(1) << (NumVc / 2) : NumVc'(0));
    assign pick = may & First;
  end
  if (!ByDest && !InOrder) begin : gen_round_robin
    logic [NumVc-1:0] above, first;
    logic [NumVc-1:0] mask_q;  // VCs at or above the round-robin pointer of their class
    assign above = may & mask_q;
    assign first = (above != '0) ? above : may;
    assign pick  = first & (~first + 1'b1);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) mask_q <= '0;
      else if (ready_o && !body_q) mask_q <= (mask_q & ~own) | (own & ~(pick | (pick - 1'b1)));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      body_q <= 1'b0;
      vc_q   <= '0;
    end else if (ready_o) begin
      body_q <= !last_i;
      vc_q   <= vc;
    end
  end

  // All flits of a packet carry the cycle in which its header moved.
  logic [StampW-1:0] stamp;
  if (Age) begin : gen_age
    logic [StampW-1:0] now_q, stamp_q;
    assign stamp = body_q ? stamp_q : now_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        now_q   <= '0;
        stamp_q <= '0;
      end else begin
        now_q <= now_q + 1'b1;
        if (ready_o) stamp_q <= stamp;
      end
    end
  end else begin : gen_no_age
    assign stamp = '0;
  end

  logic [NumVc-1:0] idle, some;
  logic [$clog2(NumVc*Depth+1)-1:0] load;
  weft_output_unit #(
    .NumVc(NumVc),
    .Depth(Depth),
    .FlitW(FlitW),
    .Age  (Age)
  ) u_link (
    .clk_i,
    .rst_ni,
    .valid_i  (ready_o),
    .last_i,
    .vc_i     (vc),
    .data_i,
    .stamp_i  (stamp),
    .credit_i (tx_credit_i),
    .idle_o   (idle),
    .credits_o(credits),
    .load_o   (load),
    .some_o   (some),
    .valid_o  (tx_valid_o),
    .last_o   (tx_last_o),
    .vc_o     (tx_vc_o),
    .data_o   (tx_data_o),
    .stamp_o  (tx_stamp_o)
  );

  // Only the assertions use `idle`, and routers the others.
  logic unused_outputs;
  assign unused_outputs = ^{idle, load, some};

  `WEFT_ASSERT(PickOneHot, (pick & (pick - 1'b1)) == '0)
  // One packet at a time: no VC is allocated but the packet's own.
  `WEFT_ASSERT(OnePacketBusy, (~idle & ~(NumVc'(body_q) << vc_q)) == '0)
  `WEFT_ASSERT(OwnVcBusy, !body_q || (idle & (NumVc'(1) << vc_q)) == '0)

endmodule

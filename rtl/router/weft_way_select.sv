// The way that each header of a router requests: of its further ways that it can take in this cycle
// the one with the least load, else its escape way (Duato 1993).

`include "weft_assert.svh"

module weft_way_select #(
  /// Requesters: VCs of all in-ports; 1 or more.
  parameter int unsigned NumReq = 4,
  /// All ports; 2 or more.
  parameter int unsigned NumPorts = 3,
  /// Local ports, the last ones; fewer than all.
  parameter int unsigned NumLocal = 1,
  /// Buffer of each VC in the neighbours, flits; 1 to 4096.
  parameter int unsigned Depth = 2,
  /// 1: virtual cut-through: a header needs credits for its whole packet; 0: an empty VC.
  parameter bit          CutThrough = 1'b0,
  /// Width of a number of credits, bits; 1 or more.
  parameter int unsigned CreditW = 2,
  /// Width of a load, bits; 1 or more.
  parameter int unsigned LoadW = 3,
  // Derived.
  localparam int unsigned SetW     = weft_pkg::VcSetW,
  localparam int unsigned LenW     = weft_pkg::LenW,
  localparam int unsigned PortW    = $clog2(NumPorts),
  localparam int unsigned NumLinks = NumPorts - NumLocal
) (
  /// Clock.
  input  logic                        clk_i,
  /// Asynchronous reset, active low.
  input  logic                        rst_ni,
  /// By requester: a header waits.
  input  logic [NumReq-1:0]           head_i,
  /// By requester: body flits of its packet.
  input  logic [NumReq*LenW-1:0]      len_i,
  /// By requester: further ways of the packet, a bit for each out-port; those of local ports are
  /// ignored.
  input  logic [NumReq*NumPorts-1:0]  minimal_i,
  /// By requester: out-port of the escape way, and of body flits.
  input  logic [NumReq*PortW-1:0]     port_i,
  /// By requester: its VC set.
  input  logic [NumReq*SetW-1:0]      set_i,
  /// By link: credits of the VC that `vc_alloc` selects of set high; 0 without one.
  input  logic [NumLinks*CreditW-1:0] credits_i,
  /// By link: slots of the receiver that are in use, from registers.
  input  logic [NumLinks*LoadW-1:0]   loads_i,
  /// By requester: its word leaves in this cycle.
  input  logic [NumReq-1:0]           pop_i,
  /// By requester: out-port that it requests.
  output logic [NumReq*PortW-1:0]     port_o,
  /// By requester: its VC set; high of a further way.
  output logic [NumReq*SetW-1:0]      set_o
);

  `WEFT_PARAM(gen_check_req, NumReq >= 1)
  `WEFT_PARAM(gen_check_ports, NumPorts >= 2 && NumLocal < NumPorts)
  `WEFT_PARAM(gen_check_depth, Depth >= 1 && Depth <= 4096)
  `WEFT_PARAM(gen_check_widths, CreditW >= 1 && LoadW >= 1)

  localparam int unsigned RankW    = LoadW + 1;
  localparam int unsigned NeedW    = LenW + 1;
  localparam int unsigned DepthW   = $clog2(Depth + 1);
  localparam int unsigned MostW    = NeedW > DepthW ? NeedW : DepthW;
  localparam int unsigned CompareW = CreditW > MostW ? CreditW : MostW;

  // The links below the pointer. Of equal loads the first from the pointer on is taken; it moves,
  // so that none is preferred.
  logic [NumLinks-1:0] below_q, below_next;
  // The order of the links: by load, then from the pointer on, then by number.
  logic [NumLinks*RankW-1:0] ranks;
  for (genvar o = 0; o < NumLinks; o++) begin : gen_rank
    assign ranks[o*RankW +: RankW] = {loads_i[o*LoadW +: LoadW], below_q[o]};
  end

  // The link that a header takes, and above it whether there is one.
  function automatic logic [PortW:0] first_of(
      input logic [NumLinks-1:0] ways, input logic [CompareW-1:0] need,
      input logic [NumLinks*CreditW-1:0] credits, input logic [NumLinks*RankW-1:0] order);
    logic             found;
    logic [PortW-1:0] link;
    logic [RankW-1:0] best;
    found = 1'b0;
    link  = '0;
    best  = '0;
    for (int unsigned o = 0; o < NumLinks; o++) begin
      if (ways[o] && CompareW'(credits[o*CreditW +: CreditW]) >= need &&
          (!found || order[o*RankW +: RankW] < best)) begin
        found = 1'b1;
        link  = PortW'(o);
        best  = order[o*RankW +: RankW];
      end
    end
    first_of = {found, link};
  endfunction

  logic [NumReq-1:0] further;  // It requests one of its further ways.
  for (genvar r = 0; r < NumReq; r++) begin : gen_req
    logic [CompareW-1:0] need;
    logic [PortW-1:0]    link;
    // An empty VC, without cut-through: no other packet waits behind one that leaves the VC for its
    // escape way.
    assign need = CutThrough ? CompareW'(len_i[r*LenW +: LenW]) + 1'b1 : CompareW'(Depth);
    assign {further[r], link} =
        first_of(head_i[r] ? minimal_i[r*NumPorts +: NumLinks] : '0, need, credits_i, ranks);
    assign port_o[r*PortW +: PortW] = further[r] ? link : port_i[r*PortW +: PortW];
    assign set_o[r*SetW +: SetW]    = further[r] ? weft_pkg::VcHigh : set_i[r*SetW +: SetW];
    if (!CutThrough) begin : gen_no_len
      logic unused_len;
      assign unused_len = ^len_i[r*LenW +: LenW];
    end
    if (NumLocal != 0) begin : gen_local
      logic unused_local;
      assign unused_local = ^minimal_i[r*NumPorts + NumLinks +: NumLocal];
    end
  end

  assign below_next = NumLinks'(below_q << 1) | NumLinks'(1);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) below_q <= '0;
    else if ((pop_i & further) != '0) below_q <= below_next[NumLinks-1] ? '0 : below_next;
  end

endmodule

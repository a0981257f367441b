// Proof of the choice among the ways of headers: a header with a further way that has the credits
// requests one of these, on set high, with no greater load than any other of them, and among equal
// ones the first from the pointer on; all others request their own way. The pointer moves on by one
// link when a header leaves by a further way, and only then. Inputs are free.

`include "weft_assert.svh"

module way_select_props #(
  parameter int unsigned NumReq = 2,
  parameter int unsigned NumPorts = 4,
  parameter int unsigned NumLocal = 1,
  parameter int unsigned Depth = 2,
  parameter bit          CutThrough = 1'b0,
  parameter int unsigned CreditW = 2,
  parameter int unsigned LoadW = 2,
  localparam int unsigned SetW = weft_pkg::VcSetW,
  localparam int unsigned LenW = weft_pkg::LenW,
  localparam int unsigned PortW = $clog2(NumPorts),
  localparam int unsigned L = NumPorts - NumLocal
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [NumReq-1:0]          head_i,
  input logic [NumReq*LenW-1:0]     len_i,
  input logic [NumReq*NumPorts-1:0] minimal_i,
  input logic [NumReq*PortW-1:0]    port_i,
  input logic [NumReq*SetW-1:0]     set_i,
  input logic [L*CreditW-1:0]       credits_i,
  input logic [L*LoadW-1:0]         loads_i,
  input logic [NumReq-1:0]          pop_i
);

  logic [NumReq*PortW-1:0] port;
  logic [NumReq*SetW-1:0]  set;

  weft_way_select #(
    .NumReq    (NumReq),
    .NumPorts  (NumPorts),
    .NumLocal  (NumLocal),
    .Depth     (Depth),
    .CutThrough(CutThrough),
    .CreditW   (CreditW),
    .LoadW     (LoadW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .head_i,
    .len_i,
    .minimal_i,
    .port_i,
    .set_i,
    .credits_i,
    .loads_i,
    .pop_i,
    .port_o(port),
    .set_o (set)
  );

  // The pointer as a number.
  (* hierconn *) wire [L-1:0] \u_dut.below_q ;
  logic [7:0]        pointer_q;
  logic [NumReq-1:0] further;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pointer_q <= 8'd0;
    else if ((pop_i & further) != '0)
      pointer_q <= 32'(pointer_q) + 1 == L ? 8'd0 : pointer_q + 8'd1;
  end
  `WEFT_ASSERT(PointerExists, 32'(pointer_q) < L)
  `WEFT_ASSERT(SamePointer, \u_dut.below_q == L'((1 << pointer_q) - 1))

  for (genvar r = 0; r < NumReq; r++) begin : gen_req
    logic [PortW-1:0] own;
    logic [L-1:0]     open, better;
    logic [15:0]      need;
    assign own  = port[r*PortW +: PortW];
    assign need = CutThrough ? 16'(len_i[r*LenW +: LenW]) + 16'd1 : 16'(Depth);
    for (genvar o = 0; o < L; o++) begin : gen_link
      // Links from the pointer on to this one, and to the one taken.
      logic [7:0]       after, own_after;
      logic [LoadW-1:0] load, own_load;
      assign open[o]   = head_i[r] && minimal_i[r*NumPorts + o] &&
                         16'(credits_i[o*CreditW +: CreditW]) >= need;
      assign after     = o >= 32'(pointer_q) ? 8'(o) - pointer_q : 8'(o + L) - pointer_q;
      assign own_after = 8'(own) >= pointer_q ? 8'(own) - pointer_q : 8'(own) + 8'(L) - pointer_q;
      assign load      = loads_i[o*LoadW +: LoadW];
      assign own_load  = loads_i[32'(own)*LoadW +: LoadW];
      assign better[o] = open[o] && (load < own_load || (load == own_load && after < own_after));
    end
    assign further[r] = open != '0;
    `WEFT_ASSERT(OwnWayElse, further[r] || (own == port_i[r*PortW +: PortW] &&
        set[r*SetW +: SetW] == set_i[r*SetW +: SetW]))
    `WEFT_ASSERT(OneThatIsOpen, !further[r] || (32'(own) < L && open[own] &&
        set[r*SetW +: SetW] == weft_pkg::VcHigh))
    `WEFT_ASSERT(NoneIsBetter, !further[r] || better == '0)
  end

endmodule

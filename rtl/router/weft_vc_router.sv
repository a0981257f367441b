// Input-queued virtual-channel router (seed 004 [2.1], [4.2]): buffers at each in-port, VC
// allocation, switch allocation and credits at each out-port, `Pipeline` cycles a hop. Every VC has
// its own switch input. The router knows no topology: a route unit beside each in-port tells it the
// out-port and VC set of a header in the cycle of its arrival.
//
// Requester p x NumVc + v is VC v of in-port p; vectors over requesters are packed arrays of
// their fields, so that the switch selects a word by the granted requester's number.
//
// Longer than 500 lines: allocation at once and a cycle ahead share the wires between the blocks.

`include "weft_assert.svh"

module weft_vc_router #(
  /// Width of a flit without its parity, bits; weft_pkg::HdrW or more.
  parameter int unsigned DataW = 64,
  /// 1: one parity bit above the data.
  parameter bit          Parity = 1'b0,
  /// All ports; 2 or more.
  parameter int unsigned NumPorts = 5,
  /// Local ports, the last ones: they lead to interfaces.
  parameter int unsigned NumLocal = 1,
  /// VCs of every link but those to interfaces; 1 or more.
  parameter int unsigned NumVc = 2,
  /// Buffer of each VC here and in the neighbours, flits.
  parameter int unsigned Depth = 8,
  /// Buffer of an interface, flits.
  parameter int unsigned LocalDepth = weft_pkg::RxDepth,
  /// 1: the packet granted last keeps the out-port while it requests; 0: arbitrate for every flit.
  parameter bit          HoldPacket = 1'b1,
  /// 1: virtual cut-through: towards a neighbour a header waits for credits for its whole packet.
  parameter bit          CutThrough = 1'b0,
  /// 1: store and forward: a header from a neighbour waits for its packet's last flit. With neither
  /// of the two: wormhole.
  parameter bit          StoreForward = 1'b0,
  /// 1: oldest packet first; 0: in turn (packet_order).
  parameter bit          Age = 1'b0,
  /// Without `Age`: packets in transit that may go before one from a local port that requests; 0:
  /// no difference between the two.
  parameter int unsigned OwnAfter = 3,
  /// 1: flits carry stamps.
  parameter bit          Stamps = Age,
  /// 1: headers may have further ways beside that of the route unit, their escape way; not with
  /// `Pipeline` 3.
  parameter bit          Adaptive = 1'b0,
  /// Cycles from a link to the next. 1: all in the cycle of arrival. 2: route computation in the
  /// cycle of arrival, the rest in another. 3: VC and switch allocation in a cycle before that in
  /// which a flit moves.
  parameter int unsigned Pipeline = 1,
  /// VC sets that the route units give on links to neighbours, bit i for set number i. Others are
  /// not built.
  parameter logic [(1<<weft_pkg::VcSetW)-1:0] Sets = {(1<<weft_pkg::VcSetW){1'b1}},
  // Derived.
  localparam int unsigned SetW = weft_pkg::VcSetW,
  localparam int unsigned PortW = $clog2(NumPorts),
  localparam int unsigned FlitW = DataW + 32'(Parity),
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned LoadW =
      $clog2((NumVc * Depth > LocalDepth ? NumVc * Depth : LocalDepth) + 1)
) (
  /// Clock.
  input  logic                       clk_i,
  /// Asynchronous reset, active low.
  input  logic                       rst_ni,
  /// Incoming links: it carries a flit.
  input  logic [NumPorts-1:0]        rx_valid_i,
  /// Incoming links: it is the last of its packet.
  input  logic [NumPorts-1:0]        rx_last_i,
  /// Incoming links: its VC.
  input  logic [NumPorts*VcW-1:0]    rx_vc_i,
  /// Incoming links: the flit, link 0 lowest.
  input  logic [NumPorts*FlitW-1:0]  rx_data_i,
  /// Incoming links: its packet's stamp, with `Stamps`.
  input  logic [NumPorts*StampW-1:0] rx_stamp_i,
  /// Incoming links: out-port of the packet, if the flit is a header.
  input  logic [NumPorts*PortW-1:0]  route_port_i,
  /// Incoming links: its VC set on the next link, if the flit is a header; to a local port any.
  input  logic [NumPorts*SetW-1:0]   route_set_i,
  /// Incoming links: further ways of the packet, a bit for each out-port, if the flit is a header;
  /// those of local ports, and without `Adaptive` all, are ignored.
  input  logic [NumPorts*NumPorts-1:0] route_minimal_i,
  /// Incoming links: returns a credit of a VC.
  output logic [NumPorts*NumVc-1:0]  rx_credit_o,
  /// Outgoing links: it carries a flit.
  output logic [NumPorts-1:0]        tx_valid_o,
  /// Outgoing links: it is the last of its packet.
  output logic [NumPorts-1:0]        tx_last_o,
  /// Outgoing links: its VC; 0 towards an interface.
  output logic [NumPorts*VcW-1:0]    tx_vc_o,
  /// Outgoing links: the flit.
  output logic [NumPorts*FlitW-1:0]  tx_data_o,
  /// Outgoing links: its packet's stamp.
  output logic [NumPorts*StampW-1:0] tx_stamp_o,
  /// Outgoing links: the receiver returns a credit of a VC; an interface has VC 0 only.
  input  logic [NumPorts*NumVc-1:0]  tx_credit_i
);

  `WEFT_PARAM(gen_check_data_w, DataW >= weft_pkg::HdrW)
  `WEFT_PARAM(gen_check_ports, NumPorts >= 2 && NumLocal <= NumPorts)
  `WEFT_PARAM(gen_check_vc, NumVc >= 1)
  `WEFT_PARAM(gen_check_depths, Depth >= 1 && LocalDepth >= 1)
  `WEFT_PARAM(gen_check_pipeline, Pipeline >= 1 && Pipeline <= 3)
  `WEFT_PARAM(gen_check_switching, !(CutThrough && StoreForward))
  `WEFT_PARAM(gen_check_stamps, Stamps || !Age)
  `WEFT_PARAM(gen_check_adaptive, !Adaptive || (NumLocal < NumPorts && NumVc >= 2))
  `WEFT_PARAM(gen_check_adaptive_pipeline, !Adaptive || Pipeline < 3)

  localparam int unsigned FirstPort = NumPorts - NumLocal;  // the first local port
  localparam int unsigned NumReq    = NumPorts * NumVc;
  localparam int unsigned ReqW      = NumReq > 1 ? $clog2(NumReq) : 1;
  // Towards neighbours every set is one VC, which follows from the present one or from the set:
  // there is no VC allocation. Further ways have set high.
  localparam bit OneVc = !Adaptive && !Sets[weft_pkg::VcAny] && !Sets[weft_pkg::VcLow] &&
                         !Sets[weft_pkg::VcHigh];
  localparam bit Numbered = Sets[weft_pkg::VcFirst +: weft_pkg::NumberedVcs] != '0;
  localparam bit HeadFixed = (Sets >> weft_pkg::VcSame) != '0;
  // Wide enough for the credits of both kinds of receivers.
  localparam int unsigned CreditW = $clog2((Depth > LocalDepth ? Depth : LocalDepth) + 1);
  // Credits that a header may need.
  localparam int unsigned NeedW = weft_pkg::LenW + 1;
  localparam int unsigned CompareW = CreditW > NeedW ? CreditW : NeedW;

  // By requester: the word that waits and its packet. The marked ones stay variables in the
  // Verilated model; else the expressions of all single bits are copied to every use.
  logic [NumReq-1:0]        in_valid /* verilator public_flat_rd */;
  logic [NumReq-1:0]        in_head /* verilator public_flat_rd */;
  logic [NumReq-1:0]        in_last /* verilator public_flat_rd */;
  logic [NumReq-1:0]        in_whole /* verilator public_flat_rd */;
  logic [NumReq*FlitW-1:0]  in_data;
  logic [NumReq*StampW-1:0] in_stamp;
  logic [NumReq*PortW-1:0]  in_port /* verilator public_flat_rd */;
  logic [NumReq*SetW-1:0]   in_set /* verilator public_flat_rd */;
  logic [NumReq*VcW-1:0]    in_vc /* verilator public_flat_rd */;
  // The way that arrived with it; `in_port` and `in_set` are those of the way that it requests.
  logic [NumReq*PortW-1:0]  head_port;
  logic [NumReq*SetW-1:0]   head_set;
  logic [NumReq*NumPorts-1:0] in_minimal;
  logic [NumReq-1:0]        in_pop;   // It leaves in this cycle.
  logic [NumReq*VcW-1:0]    next_vc;  // Its VC on the next link.

  // By out-port: idle VCs, and credits of all VCs; the VC that `vc_alloc` selected for each set, in
  // this cycle or with `Pipeline` 3 in the one before. A fourth, unused set makes the index of a
  // port and set a concatenation.
  logic [NumPorts*NumVc-1:0]         out_idle /* verilator public_flat_rd */;
  logic [NumPorts*NumVc*CreditW-1:0] out_credits /* verilator public_flat_rd */;
  logic [NumPorts*4*VcW-1:0]         alloc_vc;
  logic [NumPorts*4*CreditW-1:0]     alloc_credits;
  // By out-port: slots of the receiver that are in use, from registers.
  logic [NumPorts*LoadW-1:0]         loads;
  // By out-port: the requests for it, and the grant.
  logic [NumPorts*NumReq-1:0]        req, gnt;

  // The interfaces' counters start from the same reset.
  logic [StampW-1:0] now;
  if (Age) begin : gen_now
    logic [StampW-1:0] now_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) now_q <= '0;
      else now_q <= now_q + 1'b1;
    end
    assign now = now_q;
  end else begin : gen_no_now
    assign now = '0;
  end

  for (genvar p = 0; p < NumPorts; p++) begin : gen_in
    localparam int unsigned R = p * NumVc;  // the first of its requesters
    weft_input_unit #(
      .NumVc   (NumVc),
      .Depth   (Depth),
      .FlitW   (FlitW),
      .NumPorts(NumPorts),
      .Age     (Stamps),
      .Adaptive(Adaptive),
      .Bypass  (Pipeline == 1)
    ) u_in (
      .clk_i,
      .rst_ni,
      .rx_valid_i(rx_valid_i[p]),
      .rx_last_i (rx_last_i[p]),
      .rx_vc_i   (rx_vc_i[p*VcW +: VcW]),
      .rx_data_i (rx_data_i[p*FlitW +: FlitW]),
      .rx_stamp_i(rx_stamp_i[p*StampW +: StampW]),
      .rx_port_i (route_port_i[p*PortW +: PortW]),
      .rx_set_i  (route_set_i[p*SetW +: SetW]),
      .rx_minimal_i(route_minimal_i[p*NumPorts +: NumPorts]),
      .pop_i     (in_pop[R +: NumVc]),
      .vc_i      (next_vc[R*VcW +: NumVc*VcW]),
      .port_i    (in_port[R*PortW +: NumVc*PortW]),
      .valid_o   (in_valid[R +: NumVc]),
      .head_o    (in_head[R +: NumVc]),
      .last_o    (in_last[R +: NumVc]),
      .whole_o   (in_whole[R +: NumVc]),
      .data_o    (in_data[R*FlitW +: NumVc*FlitW]),
      .stamp_o   (in_stamp[R*StampW +: NumVc*StampW]),
      .port_o    (head_port[R*PortW +: NumVc*PortW]),
      .set_o     (head_set[R*SetW +: NumVc*SetW]),
      .minimal_o (in_minimal[R*NumPorts +: NumVc*NumPorts]),
      .vc_o      (in_vc[R*VcW +: NumVc*VcW]),
      .credit_o  (rx_credit_o[R +: NumVc])
    );
  end

  // The way that a header requests.
  if (Adaptive) begin : gen_adaptive
    // By link: the credits of the VC selected of set high; the requesters' packet lengths.
    logic [FirstPort*CreditW-1:0]       high_credits;
    logic [NumReq*weft_pkg::LenW-1:0]   lens;
    for (genvar o = 0; o < FirstPort; o++) begin : gen_credits
      assign high_credits[o*CreditW +: CreditW] =
          alloc_credits[(o*4+32'(weft_pkg::VcHigh))*CreditW +: CreditW];
    end
    for (genvar r = 0; r < NumReq; r++) begin : gen_len
      assign lens[r*weft_pkg::LenW +: weft_pkg::LenW] =
          in_data[r*FlitW + weft_pkg::HdrLenLsb +: weft_pkg::LenW];
    end
    weft_way_select #(
      .NumReq    (NumReq),
      .NumPorts  (NumPorts),
      .NumLocal  (NumLocal),
      .Depth     (Depth),
      .CutThrough(CutThrough),
      .CreditW   (CreditW),
      .LoadW     (LoadW)
    ) u_ways (
      .clk_i,
      .rst_ni,
      .head_i   (in_head),
      .len_i    (lens),
      .minimal_i(in_minimal),
      .port_i   (head_port),
      .set_i    (head_set),
      .credits_i(high_credits),
      .loads_i  (loads[0 +: FirstPort*LoadW]),
      .pop_i    (in_pop),
      .port_o   (in_port),
      .set_o    (in_set)
    );
    logic unused_loads;  // Those of local ports.
    assign unused_loads = ^loads;
  end else begin : gen_not_adaptive
    logic unused_minimal;
    assign unused_minimal = ^{in_minimal, loads};
    assign in_port = head_port;
    assign in_set  = head_set;
  end

  // What each requester may ask for. One loop over all requesters: with many VCs it stays a loop in
  // the Verilated code, of which a generated block for each would be the larger part.
  logic [NumReq-1:0]       ready /* verilator public_flat_rd */;  // Enough of its packet is held.
  logic [NumReq-1:0]       fixed /* verilator public_flat_rd */;  // A body flit, or the set is one
  logic [NumReq*VcW-1:0]   only /* verilator public_flat_rd */;   // VC: no choice, but this VC.
  logic [NumReq*NeedW-1:0] need /* verilator public_flat_rd */;   // Credits.
  always_comb begin
    for (int unsigned r = 0; r < NumReq; r++) begin
      // Store and forward keeps the packets of a schedule of packet time slots in their order when
      // nodes start some cycles apart. Body flits pass this test: their last flit is held.
      ready[r] = in_valid[r] && (!StoreForward || r >= FirstPort * NumVc || in_whole[r]);
      fixed[r] = !in_head[r] || (HeadFixed && in_set[r*SetW +: SetW] >= weft_pkg::VcSame);
      only[r*VcW +: VcW] = VcW'(r % NumVc);
      if (Numbered && in_set[r*SetW +: SetW] >= weft_pkg::VcFirst)
        only[r*VcW +: VcW] = VcW'(in_set[r*SetW +: SetW] - weft_pkg::VcFirst);
      if (Sets[weft_pkg::VcNext] && in_set[r*SetW +: SetW] == weft_pkg::VcNext &&
          r % NumVc != NumVc - 1) only[r*VcW +: VcW] = VcW'(r % NumVc + 1);
      if (!in_head[r]) only[r*VcW +: VcW] = in_vc[r*VcW +: VcW];
      // An interface always drains its FIFO, which may be shorter than a packet.
      need[r*NeedW +: NeedW] = NeedW'(1);
      if (in_head[r] && CutThrough && 32'(in_port[r*PortW +: PortW]) + NumLocal < NumPorts) begin
        need[r*NeedW +: NeedW] =
            {1'b0, in_data[r*FlitW + weft_pkg::HdrLenLsb +: weft_pkg::LenW]} + 1'b1;
      end
    end
  end

  // Requests, and the VC of each on the next link.
  logic [PortW-1:0]   port;
  logic [31:0]        choice;  // index of vc_alloc's selection
  logic [31:0]        next;    // the only VC, among those of all ports
  logic [CreditW-1:0] vc_credits;
  always_comb begin
    req     = '0;
    next_vc = '0;
    for (int unsigned r = 0; r < NumReq; r++) begin
      port   = in_port[r*PortW +: PortW];
      choice = 32'(port) * 4 + 32'(2'(in_set[r*SetW +: SetW]));
      next_vc[r*VcW +: VcW] = fixed[r] ? only[r*VcW +: VcW] : alloc_vc[choice*VcW +: VcW];
      // Not by the VC that vc_alloc selects, whose credits it supplies: a shorter path.
      next    = 32'(port) * NumVc + 32'(only[r*VcW +: VcW]);
      vc_credits = fixed[r] ? out_credits[next*CreditW +: CreditW]
                            : alloc_credits[choice*CreditW +: CreditW];
      if (Pipeline != 3 && ready[r] && (!in_head[r] || !fixed[r] || out_idle[next]) &&
          CompareW'(vc_credits) >= CompareW'(need[r*NeedW +: NeedW])) begin
        req[32'(port)*NumReq + r] = 1'b1;
      end
    end
  end

`ifdef WEFT_CHECKED
  // An interface has one VC, whatever the set: the route units say any, so that no choice of sets
  // lies on the path of a request. Where the buffer must hold a whole packet, a longer one would
  // wait for ever.
  logic [NumReq-1:0] nowhere, not_built, to_local, chosen, too_long, at_home;
  for (genvar r = 0; r < NumReq; r++) begin : gen_fits
    assign to_local[r] = in_head[r] && 32'(head_port[r*PortW +: PortW]) + NumLocal >= NumPorts;
    assign nowhere[r]   = in_head[r] && 32'(head_port[r*PortW +: PortW]) >= NumPorts;
    // Its set is not built, or is a VC that does not exist.
    assign not_built[r] = in_head[r] && !to_local[r] && (!Sets[head_set[r*SetW +: SetW]] ||
        32'(head_set[r*SetW +: SetW]) >= 32'(weft_pkg::VcFirst) + NumVc);
    assign chosen[r]   = to_local[r] && head_set[r*SetW +: SetW] != weft_pkg::VcAny;
    assign at_home[r]  = Adaptive && to_local[r] &&
        in_minimal[r*NumPorts +: NumPorts] << NumLocal != '0;
    assign too_long[r] = in_head[r] &&
        32'(in_data[r*FlitW + weft_pkg::HdrLenLsb +: weft_pkg::LenW]) >= Depth &&
        (StoreForward ? r < FirstPort * NumVc : CutThrough && !to_local[r]);
  end
  `WEFT_ASSUME(RoutePortExists, nowhere == '0)
  `WEFT_ASSUME(RouteSetIsBuilt, not_built == '0)
  `WEFT_ASSUME(LocalSetIsAny, chosen == '0)
  // A packet that is where it goes has no further ways.
  `WEFT_ASSUME(EscapeAlone, at_home == '0)
  `WEFT_ASSUME(PacketFits, too_long == '0)
`endif

  for (genvar o = 0; o < NumPorts; o++) begin : gen_out
    localparam bit          Local     = o >= FirstPort;
    localparam int unsigned OutVc     = Local ? 1 : NumVc;
    localparam int unsigned OutVcW    = OutVc > 1 ? $clog2(OutVc) : 1;
    localparam int unsigned OutDepth  = Local ? LocalDepth : Depth;
    localparam int unsigned CountW    = $clog2(OutDepth + 1);
    localparam int unsigned OutLoadW  = $clog2(OutVc * OutDepth + 1);

    logic [ReqW-1:0]         idx;
    logic                    valid, last;
    logic [OutVcW-1:0]       out_vc, vc_on_link;
    logic [OutVc-1:0]        idle, some;
    logic [OutVc*CountW-1:0] credits;
    logic [OutLoadW-1:0]     slots;  // in use
    logic [NumReq*OutVcW-1:0] to_vc;  // By requester: its VC on this link.
    for (genvar r = 0; r < NumReq; r++) begin : gen_to_vc
      assign to_vc[r*OutVcW +: OutVcW] = next_vc[r*VcW +: OutVcW];
    end
    // By VC set: what vc_alloc selects; the VC to be used.
    logic [3*OutVcW-1:0]     best_vc, used_vc;
    logic [3*CountW-1:0]     best;

    if (Pipeline == 3) begin : gen_ahead
      logic unused_req;
      assign unused_req = ^req[o*NumReq +: NumReq];
      logic [3*OutVcW-1:0] best_vc_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) best_vc_q <= '0;
        else best_vc_q <= best_vc;
      end
      assign used_vc = best_vc_q;
      for (genvar s = 0; s < 3; s++) begin : gen_range
        `WEFT_ASSERT(SelectedVcExists, 32'(best_vc_q[s*OutVcW +: OutVcW]) < OutVc)
      end

      // By VC set: whether a VC was selected in the cycle before, and is idle and has a credit now.
      // They tell without cut-through what the credits tell with it, by a shorter path. Where none
      // was selected, the number is not that of a VC of the set.
      logic [3:0]          had, has;
      logic [4*CountW-1:0] had_credits, has_credits;
      for (genvar s = 0; s < 4; s++) begin : gen_set
        logic [OutVcW-1:0] vc_s;
        logic [CountW-1:0] had_q;
        logic              some_q;
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            had_q  <= '0;
            some_q <= 1'b0;
          end else begin
            had_q  <= best[s%3*CountW +: CountW];
            some_q <= best[s%3*CountW +: CountW] != '0;
          end
        end
        assign vc_s   = best_vc_q[s%3*OutVcW +: OutVcW];
        assign had[s] = some_q;
        assign has[s] = had[s] && idle[vc_s] && some[vc_s];
        assign had_credits[s*CountW +: CountW] = had_q;
        assign has_credits[s*CountW +: CountW] =
            (had[s] && idle[vc_s]) ? credits[32'(vc_s)*CountW +: CountW] : '0;
      end

      logic [NumReq-1:0]   ask, may;
      logic                free;  // A header finds its VC idle.
      logic [OutVcW-1:0]   vc;
      logic [1:0]          set;
      logic [CompareW-1:0] least;
      always_comb begin
        ask = '0;
        may = '0;
        for (int unsigned r = 0; r < NumReq; r++) begin
          vc    = OutVcW'(only[r*VcW +: VcW]);
          set   = 2'(in_set[r*SetW +: SetW]);
          least = CompareW'(need[r*NeedW +: NeedW]);
          free  = !in_head[r] || idle[vc];
          if (ready[r] && 32'(in_port[r*PortW +: PortW]) == o) begin
            if (fixed[r]) begin
              may[r] = free && (CutThrough ? CompareW'(credits[32'(vc)*CountW +: CountW]) >= least
                                           : some[vc]);
              ask[r] = may[r];
            end else begin
              may[r] = CutThrough ? CompareW'(has_credits[32'(set)*CountW +: CountW]) >= least
                                  : has[set];
              ask[r] = CutThrough ? CompareW'(had_credits[32'(set)*CountW +: CountW]) >= least
                                  : had[set];
            end
          end
        end
      end

      weft_switch_hold #(
        .NumReq(NumReq), .NumVc(OutVc), .NumOwn(NumLocal * NumVc), .OwnAfter(OwnAfter),
        .Hold(HoldPacket), .Age(Age)
      ) u_switch (
        .clk_i,
        .rst_ni,
        .now_i  (now),
        .req_i  (ask),
        .vc_i(to_vc),
        .head_i(in_head),
        .may_i  (may),
        .last_i (in_last),
        .stamp_i(in_stamp),
        .gnt_o  (gnt[o*NumReq +: NumReq]),
        .idx_o  (idx)
      );
    end else begin : gen_at_once
      logic unused_some;
      assign unused_some = ^some;
      assign used_vc = best_vc;
      weft_switch_alloc #(
        .NumReq  (NumReq),
        .NumVc   (OutVc),
        .NumOwn  (NumLocal * NumVc),
        .OwnAfter(OwnAfter),
        .Hold    (HoldPacket),
        .Age     (Age)
      ) u_switch (
        .clk_i,
        .rst_ni,
        .now_i  (now),
        .req_i  (req[o*NumReq +: NumReq]),
        .vc_i   (to_vc),
        .head_i (in_head),
        .last_i (in_last),
        .stamp_i(in_stamp),
        .gnt_o  (gnt[o*NumReq +: NumReq]),
        .idx_o  (idx)
      );
    end

    assign valid  = gnt[o*NumReq +: NumReq] != '0;
    assign last   = in_last[idx];
    assign out_vc = next_vc[32'(idx)*VcW +: OutVcW];

    weft_output_unit #(
      .NumVc(OutVc),
      .Depth(OutDepth),
      .FlitW(FlitW),
      .Age  (Stamps)
    ) u_out (
      .clk_i,
      .rst_ni,
      .valid_i  (valid),
      .last_i   (last),
      .vc_i     (out_vc),
      .data_i   (in_data[32'(idx)*FlitW +: FlitW]),
      .stamp_i  (in_stamp[32'(idx)*StampW +: StampW]),
      .credit_i (tx_credit_i[o*NumVc +: OutVc]),
      .idle_o   (idle),
      .credits_o(credits),
      .load_o   (slots),
      .some_o   (some),
      .valid_o  (tx_valid_o[o]),
      .last_o   (tx_last_o[o]),
      .vc_o     (vc_on_link),
      .data_o   (tx_data_o[o*FlitW +: FlitW]),
      .stamp_o  (tx_stamp_o[o*StampW +: StampW])
    );
    assign tx_vc_o[o*VcW +: VcW] = VcW'(vc_on_link);
    assign loads[o*LoadW +: LoadW] = LoadW'(slots);

    // VCs that an interface does not have are not idle and have no credit.
    assign out_idle[o*NumVc +: NumVc] = NumVc'(idle);
    for (genvar v = 0; v < NumVc; v++) begin : gen_credits
      if (v < OutVc) begin : gen_there
        assign out_credits[(o*NumVc+v)*CreditW +: CreditW] = CreditW'(credits[v*CountW +: CountW]);
      end else begin : gen_not_there
        logic unused_credit;
        assign unused_credit = tx_credit_i[o*NumVc+v];
        assign out_credits[(o*NumVc+v)*CreditW +: CreditW] = '0;
      end
    end

    // Where all sets are one VC there is nothing to allocate.
    if (OneVc && !Local) begin : gen_no_alloc
      assign best_vc = '0;
      assign best    = '0;
    end else begin : gen_alloc
      weft_vc_alloc #(
        .NumVc(OutVc),
        .Depth(OutDepth)
      ) u_alloc (
        .idle_i   (idle),
        .credits_i(credits),
        .vc_o     (best_vc),
        .credits_o(best)
      );
    end
    for (genvar s = 0; s < 4; s++) begin : gen_set
      assign alloc_vc[(o*4+s)*VcW +: VcW] = VcW'(used_vc[s%3*OutVcW +: OutVcW]);
      assign alloc_credits[(o*4+s)*CreditW +: CreditW] = CreditW'(best[s%3*CountW +: CountW]);
    end

    // A header is allocated an idle VC only, and its packet's other words follow on that VC: no
    // interleaving of packets within a VC. No flit without a credit: see output_unit.
    `WEFT_ASSERT(HeaderTakesIdleVc, !valid || idle[out_vc] == in_head[idx])
`ifdef WEFT_CHECKED
    for (genvar v = 0; v < OutVc; v++) begin : gen_owner
      logic            load;
      logic [ReqW-1:0] owner_q;
      assign load = valid && 32'(out_vc) == v;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) owner_q <= '0;
        else if (load) owner_q <= idx;
      end
      `WEFT_ASSERT(NotInterleaved, !load || in_head[idx] || owner_q == idx)
    end
`endif
  end

  // A word waits for one out-port only, so at most one of them grants it.
  always_comb begin
    in_pop = '0;
    for (int unsigned o = 0; o < NumPorts; o++) in_pop = in_pop | gnt[o*NumReq +: NumReq];
  end

endmodule

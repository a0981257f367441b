// Proof of the input unit; the only assumption is that the sender counts credits. One VC is watched
// (`watch_i`, free and constant), and in it one word chosen at any time (`track_i`): it is not
// lost, duplicated or reordered, and all words of a packet have its header's out-port and VC.
// `whole_o` is high exactly when a tail is held or, with `Bypass`, arrives. Up to two VCs, depth 1
// to 3.

`include "weft_assert.svh"

module input_unit_props #(
  parameter int unsigned NumVc = 2,
  parameter int unsigned Depth = 3,
  parameter int unsigned FlitW = 2,
  parameter int unsigned NumPorts = 3,
  parameter bit Age = 1'b1,
  parameter bit Adaptive = 1'b0,
  parameter bit Bypass = 1'b1,
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned VcSetW = weft_pkg::VcSetW,
  localparam int unsigned VcW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned PortW = NumPorts > 1 ? $clog2(NumPorts) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned PlainW = VcSetW + PortW + 1 + FlitW,
  localparam int unsigned MaskW = Adaptive ? NumPorts : 0,
  localparam int unsigned WordW = PlainW + MaskW + (Age ? StampW : 0)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 rx_valid_i,
  input logic                 rx_last_i,
  input logic [VcW-1:0]       rx_vc_i,
  input logic [FlitW-1:0]     rx_data_i,
  input logic [StampW-1:0]    rx_stamp_i,
  input logic [PortW-1:0]     rx_port_i,
  input logic [VcSetW-1:0]    rx_set_i,
  input logic [NumPorts-1:0]  rx_minimal_i,
  input logic [NumVc-1:0]     pop_i,
  input logic [NumVc*VcW-1:0] vc_i,
  input logic [NumVc*PortW-1:0] port_i,
  input logic [VcW-1:0]       watch_i,
  input logic                 track_i
);

  logic [NumVc-1:0]        valid, head, last, whole, credit;
  logic [NumVc*FlitW-1:0]  data;
  logic [NumVc*StampW-1:0] stamp;
  logic [NumVc*PortW-1:0]  port;
  logic [NumVc*VcSetW-1:0] set;
  logic [NumVc*VcW-1:0]    allocated;
  logic [NumVc*NumPorts-1:0] minimal;

  weft_input_unit #(
    .NumVc   (NumVc),
    .Depth   (Depth),
    .FlitW   (FlitW),
    .NumPorts(NumPorts),
    .Age     (Age),
    .Adaptive(Adaptive),
    .Bypass  (Bypass)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .rx_valid_i,
    .rx_last_i,
    .rx_vc_i,
    .rx_data_i,
    .rx_stamp_i,
    .rx_port_i,
    .rx_set_i,
    .rx_minimal_i,
    .pop_i,
    .vc_i,
    .port_i,
    .valid_o (valid),
    .head_o  (head),
    .last_o  (last),
    .whole_o (whole),
    .data_o  (data),
    .stamp_o (stamp),
    .port_o  (port),
    .set_o   (set),
    .minimal_o(minimal),
    .vc_o    (allocated),
    .credit_o(credit)
  );

  // The watched VC.
  logic              arrives, pop, here, first, ends, complete;
  logic [FlitW-1:0]  word_data;
  logic [StampW-1:0] word_stamp;
  logic [PortW-1:0]  word_port;
  logic [VcSetW-1:0] word_set;
  logic [NumPorts-1:0] word_minimal, chosen_minimal;
  logic [PortW-1:0]  port_given;
  logic [VcW-1:0]    word_vc, vc_given;
  assign arrives    = rx_valid_i && rx_vc_i == watch_i;
  assign pop        = pop_i[watch_i];
  assign here       = valid[watch_i];
  assign first      = head[watch_i];
  assign ends       = last[watch_i];
  assign complete   = whole[watch_i];
  assign word_data  = data[watch_i*FlitW +: FlitW];
  assign word_stamp = stamp[watch_i*StampW +: StampW];
  assign word_port  = port[watch_i*PortW +: PortW];
  assign word_set   = set[watch_i*VcSetW +: VcSetW];
  assign word_vc    = allocated[watch_i*VcW +: VcW];
  assign vc_given   = vc_i[watch_i*VcW +: VcW];
  assign word_minimal = minimal[watch_i*NumPorts +: NumPorts];
  // A header is told its out-port where it may have several ways.
  assign port_given = Adaptive ? port_i[watch_i*PortW +: PortW] : word_port;

  logic           past_q;
  logic [VcW-1:0] watch_q;
  // The sender's credits, and the words held.
  logic [CountW:0] room_q, held_q, held, there;
  // The chosen word: arriving or held; words before it.
  logic             tracking_q, tracking, in_front;
  logic [WordW-1:0] rx_word, chosen_q, chosen;
  logic [CountW:0]  ahead_q, ahead;
  // The packet at the head: its header has not left yet; its out-port and VC.
  logic             first_q;
  logic [PortW-1:0] port_q;
  logic [VcW-1:0]   vc_q;
  logic [NumVc-1:0] pop_q;

  assign held     = held_q + (CountW + 1)'(arrives);
  if (Adaptive) begin : gen_minimal
    assign rx_word = WordW'({rx_stamp_i, rx_minimal_i, rx_set_i, rx_port_i, rx_last_i, rx_data_i});
  end else begin : gen_no_minimal
    assign rx_word = WordW'({rx_stamp_i, rx_set_i, rx_port_i, rx_last_i, rx_data_i});
  end
  assign chosen_minimal = Adaptive ? NumPorts'(chosen >> PlainW) : '0;
  assign tracking = tracking_q || (track_i && arrives);
  assign chosen   = tracking_q ? chosen_q : rx_word;
  assign ahead    = tracking_q ? ahead_q : held_q;
  // What the outputs may show: with `Bypass` the arriving word too.
  assign there    = Bypass ? held : held_q;
  assign in_front = Bypass ? tracking && ahead == '0 : tracking_q && ahead_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q     <= 1'b0;
      watch_q    <= '0;
      room_q     <= (CountW + 1)'(Depth);
      held_q     <= '0;
      tracking_q <= 1'b0;
      chosen_q   <= '0;
      ahead_q    <= '0;
      first_q    <= 1'b1;
      port_q     <= '0;
      vc_q       <= '0;
      pop_q      <= '0;
    end else begin
      past_q     <= 1'b1;
      watch_q    <= watch_i;
      room_q     <= room_q + (CountW + 1)'(credit[watch_i]) - (CountW + 1)'(arrives);
      held_q     <= held - (CountW + 1)'(pop);
      tracking_q <= tracking && !(pop && in_front);
      chosen_q   <= chosen;
      ahead_q    <= ahead - (CountW + 1)'(pop);
      pop_q      <= pop_i;
      if (pop) begin
        first_q <= ends;
        if (first) begin
          port_q <= port_given;
          vc_q   <= vc_given;
        end
      end
    end
  end

  `WEFT_ASSUME(WatchIsConstant, (!past_q || watch_i == watch_q) && 32'(watch_i) < NumVc)
  `WEFT_ASSUME(SenderHasCredit, !(arrives && room_q == '0))

  `WEFT_ASSERT(CreditsConserved, 32'(room_q) + 32'(held_q) + 32'(pop_q[watch_i]) == Depth)
  `WEFT_ASSERT(CreditAfterPop, credit == pop_q)
  `WEFT_ASSERT(WordIffHeld, here == (there != '0))
  `WEFT_ASSERT(ChosenWordHeld, !tracking || ahead < held)
  `WEFT_ASSERT(ChosenWordComes, !in_front ||
      {word_stamp, word_minimal, word_set, ends, word_data} == {StampW'(chosen >> (PlainW + MaskW)),
      chosen_minimal, chosen[PlainW-1 -: VcSetW], chosen[FlitW:0]})
  `WEFT_ASSERT(HeaderKeepsItsPort, !(in_front && first) ||
      word_port == chosen[FlitW+1 +: PortW])
  `WEFT_ASSERT(HeaderAfterLast, first == (here && first_q))
  `WEFT_ASSERT(PacketKeepsItsWay, !here || first_q || {word_port, word_vc} == {port_q, vc_q})
  `WEFT_ASSERT(NoVcForHeader, !first || word_vc == '0)
  `WEFT_ASSERT(QuietWithoutWord, here || {first, ends, complete, word_data, word_stamp, word_port,
      word_set, word_vc, word_minimal} == '0)

  // Invariants that close the induction; they name registers inside the unit.
  // Without `Bypass` the oldest word is not in the memory.
  localparam int unsigned Words = !Bypass && Depth > 1 ? Depth - 1 : Depth;
  localparam int unsigned PtrW = Words > 1 ? $clog2(Words) : 1;
  (* hierconn *) wire \u_dut.gen_vc[0].head_q ;
  (* hierconn *) wire \u_dut.gen_vc[1].head_q ;
  (* hierconn *) wire [PortW-1:0]  \u_dut.gen_vc[0].port_q ;
  (* hierconn *) wire [PortW-1:0]  \u_dut.gen_vc[1].port_q ;
  (* hierconn *) wire [VcW-1:0]    \u_dut.gen_vc[0].vc_q ;
  (* hierconn *) wire [VcW-1:0]    \u_dut.gen_vc[1].vc_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_vc[0].u_fifo.count_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_vc[1].u_fifo.count_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_vc[0].tails_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.gen_vc[1].tails_q ;
  (* hierconn *) wire [PtrW-1:0]   \u_dut.gen_vc[0].u_fifo.wptr_q ;
  (* hierconn *) wire [PtrW-1:0]   \u_dut.gen_vc[1].u_fifo.wptr_q ;
  (* hierconn *) wire [PtrW-1:0]   \u_dut.gen_vc[0].u_fifo.rptr_q ;
  (* hierconn *) wire [PtrW-1:0]   \u_dut.gen_vc[1].u_fifo.rptr_q ;
  (* hierconn *) wire [WordW-1:0]  \u_dut.gen_vc[0].u_fifo.mem_q[0] ;
  (* hierconn *) wire [WordW-1:0]  \u_dut.gen_vc[0].u_fifo.mem_q[1] ;
  (* hierconn *) wire [WordW-1:0]  \u_dut.gen_vc[0].u_fifo.mem_q[2] ;
  (* hierconn *) wire [WordW-1:0]  \u_dut.gen_vc[1].u_fifo.mem_q[0] ;
  (* hierconn *) wire [WordW-1:0]  \u_dut.gen_vc[1].u_fifo.mem_q[1] ;
  (* hierconn *) wire [WordW-1:0]  \u_dut.gen_vc[1].u_fifo.mem_q[2] ;

  (* hierconn *) wire [WordW-1:0]  \u_dut.gen_vc[0].u_fifo.gen_front.front_q ;
  (* hierconn *) wire [WordW-1:0]  \u_dut.gen_vc[1].u_fifo.gen_front.front_q ;

  logic              second, at_head;
  logic [PortW-1:0]  at_port;
  logic [VcW-1:0]    at_vc;
  logic [CountW-1:0] count, at_tails;
  logic [PtrW-1:0]   wptr, rptr;
  logic [WordW-1:0]  mem_0, mem_1, mem_2, front, stored;
  logic [31:0]       at, in_memory, write_at;
  assign second  = NumVc > 1 && watch_i == VcW'(1);
  assign at_head = second ? \u_dut.gen_vc[1].head_q : \u_dut.gen_vc[0].head_q ;
  assign at_port = second ? \u_dut.gen_vc[1].port_q : \u_dut.gen_vc[0].port_q ;
  assign at_vc   = second ? \u_dut.gen_vc[1].vc_q : \u_dut.gen_vc[0].vc_q ;
  assign count   = second ? \u_dut.gen_vc[1].u_fifo.count_q : \u_dut.gen_vc[0].u_fifo.count_q ;
  assign at_tails = second ? \u_dut.gen_vc[1].tails_q : \u_dut.gen_vc[0].tails_q ;
  assign wptr    = second ? \u_dut.gen_vc[1].u_fifo.wptr_q : \u_dut.gen_vc[0].u_fifo.wptr_q ;
  assign rptr    = second ? \u_dut.gen_vc[1].u_fifo.rptr_q : \u_dut.gen_vc[0].u_fifo.rptr_q ;
  assign mem_0   = second ? \u_dut.gen_vc[1].u_fifo.mem_q[0] : \u_dut.gen_vc[0].u_fifo.mem_q[0] ;
  assign mem_1   = second ? \u_dut.gen_vc[1].u_fifo.mem_q[1] : \u_dut.gen_vc[0].u_fifo.mem_q[1] ;
  assign mem_2   = second ? \u_dut.gen_vc[1].u_fifo.mem_q[2] : \u_dut.gen_vc[0].u_fifo.mem_q[2] ;
  assign front   = second ? \u_dut.gen_vc[1].u_fifo.gen_front.front_q :
                            \u_dut.gen_vc[0].u_fifo.gen_front.front_q ;
  assign in_memory = 32'(count) - 32'(!Bypass && count != '0);
  assign write_at = 32'(rptr) + in_memory;
  assign at      = 32'(rptr) + 32'(ahead_q) - 32'(!Bypass);
  always_comb begin
    case (at >= Words ? at - Words : at)
      0: stored = mem_0;
      1: stored = mem_1;
      default: stored = mem_2;
    endcase
  end
  // Tails among the words held.
  logic [CountW:0] tails;
  logic [31:0]     slot;
  logic [2:0]      ending;
  assign ending = {mem_2[FlitW], mem_1[FlitW], mem_0[FlitW]};
  always_comb begin
    tails = (CountW + 1)'(!Bypass && count != '0 && front[FlitW]);
    for (int unsigned i = 0; i < Words; i++) begin
      slot = 32'(rptr) + i;
      if (slot >= Words) slot = slot - Words;
      if (i < in_memory) tails = tails + (CountW + 1)'(ending[slot[1:0]]);
    end
  end
  `WEFT_ASSERT(WholeIffLastIsThere, complete == (tails != '0 || (Bypass && arrives && rx_last_i)))
  `WEFT_ASSERT(FrontIsZeroWithout, Bypass || count != '0 || front == '0)
  `WEFT_ASSERT(SameTails, 32'(at_tails) == 32'(tails))
  `WEFT_ASSERT(SameCount, 32'(count) == 32'(held_q))
  `WEFT_ASSERT(SameState, at_head == first_q && (at_head || {at_port, at_vc} == {port_q, vc_q}))
  // One word and that in the register: the pointers never change, and yosys leaves them out.
  localparam bit NoMemory = !Bypass && Depth == 1;
  `WEFT_ASSERT(PointersInRange, NoMemory || (32'(rptr) < Words && 32'(wptr) < Words))
  `WEFT_ASSERT(PointersAgree, NoMemory ||
      32'(wptr) == (write_at >= Words ? write_at - Words : write_at))
  `WEFT_ASSERT(ChosenWordBetween, !tracking_q || ahead_q < held_q)
  `WEFT_ASSERT(ChosenWordStored, !tracking_q ||
      (!Bypass && ahead_q == '0 ? front : stored) == chosen_q)

endmodule

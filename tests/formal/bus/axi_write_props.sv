// Proof of the write lanes on AXI4, with arbitrary lanes and an arbitrary subordinate within the
// assumptions of the block. The lane watched (`watch_i`) is free and constant: what the block sends
// for it is compared with what it requests. Bursts are followed from AW to W in their order.

`include "weft_assert.svh"

module axi_write_props #(
  parameter int unsigned DataW = 64,
  parameter int unsigned NumLanes = 2,
  parameter int unsigned AxiAddrW = 14,
  localparam int unsigned IdW = NumLanes > 1 ? $clog2(NumLanes) : 1
) (
  input logic                                   clk_i,
  input logic                                   rst_ni,
  input logic [AxiAddrW-1:0]                    base_i,
  input logic [NumLanes-1:0]                    mem_wen_i,
  input logic [NumLanes*weft_pkg::MemAddrW-1:0] mem_waddr_i,
  input logic [NumLanes*DataW-1:0]              mem_wdata_i,
  input logic [NumLanes*weft_pkg::LenW-1:0]     mem_wleft_i,
  input logic                                   aw_ready_i,
  input logic                                   w_ready_i,
  input logic                                   b_valid_i,
  input logic [IdW-1:0]                         b_id_i,
  input logic [1:0]                             b_resp_i,
  input logic [IdW-1:0]                         watch_i
);

  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned CountW   = weft_pkg::CountW;
  localparam int unsigned SizeW    = $clog2(DataW / 8);

  logic [NumLanes-1:0] wready;
  logic                aw_valid, w_valid, w_last, b_ready;
  logic [IdW-1:0]      aw_id;
  logic [AxiAddrW-1:0] aw_addr;
  logic [7:0]          aw_len;
  logic [2:0]          aw_size;
  logic [1:0]          aw_burst;
  logic [DataW-1:0]    w_data;
  logic [DataW/8-1:0]  w_strb;
  logic [CountW-1:0]   errors;

  weft_axi_write #(
    .DataW   (DataW),
    .NumLanes(NumLanes),
    .AxiAddrW(AxiAddrW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .base_i,
    .mem_wen_i,
    .mem_waddr_i,
    .mem_wdata_i,
    .mem_wleft_i,
    .mem_wready_o(wready),
    .aw_valid_o  (aw_valid),
    .aw_ready_i,
    .aw_id_o     (aw_id),
    .aw_addr_o   (aw_addr),
    .aw_len_o    (aw_len),
    .aw_size_o   (aw_size),
    .aw_burst_o  (aw_burst),
    .w_valid_o   (w_valid),
    .w_ready_i,
    .w_data_o    (w_data),
    .w_strb_o    (w_strb),
    .w_last_o    (w_last),
    .b_valid_i,
    .b_ready_o   (b_ready),
    .b_id_i,
    .b_resp_i,
    .errors_o    (errors)
  );

  // The watched lane's request.
  logic [MemAddrW-1:0] addr;
  logic [LenW-1:0]     left;
  logic [DataW-1:0]    data;
  logic [AxiAddrW-1:0] byte_addr;
  logic                taken, answered;
  assign addr      = mem_waddr_i[watch_i*MemAddrW +: MemAddrW];
  assign left      = mem_wleft_i[watch_i*LenW +: LenW];
  assign data      = mem_wdata_i[watch_i*DataW +: DataW];
  assign byte_addr = base_i + (AxiAddrW'(addr) << SizeW);
  assign taken     = mem_wen_i[watch_i] && wready[watch_i];
  assign answered  = b_valid_i && b_id_i == watch_i;

  // The cycle before.
  logic                past_q, aw_valid_q, aw_ready_q, w_valid_q, w_ready_q, w_last_q, error_q;
  logic                taken_q, answered_q;
  logic [IdW-1:0]      aw_id_q, watch_q;
  logic [AxiAddrW-1:0] aw_addr_q, base_q, byte_addr_q;
  logic [7:0]          aw_len_q;
  logic [DataW-1:0]    w_data_q, data_q;
  logic [CountW-1:0]   errors_q;
  logic [LenW-1:0]     left_q;
  // A burst or a beat that began in this cycle.
  logic                new_burst, new_beat;
  assign new_burst = aw_valid && (!aw_valid_q || aw_ready_q);
  assign new_beat  = w_valid && (!w_valid_q || w_ready_q);
  // W: beats of the present burst are still to come after the one that is there or was last; so
  // many, and the burst's lane. Of the watched lane's burst: where its present beat goes; whether
  // it has no response yet.
  logic                more_q, busy_q;
  logic [7:0]          beats_q, beats;
  logic [IdW-1:0]      owner_q, owner;
  logic [AxiAddrW-1:0] at_q, at;
  assign beats = new_burst ? aw_len : beats_q - 1'b1;
  assign owner = new_burst ? aw_id : owner_q;
  assign at    = new_burst ? aw_addr : at_q + AxiAddrW'(DataW / 8);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q      <= 1'b0;
      aw_valid_q  <= 1'b0;
      aw_ready_q  <= 1'b0;
      aw_id_q     <= '0;
      aw_addr_q   <= '0;
      aw_len_q    <= '0;
      w_valid_q   <= 1'b0;
      w_ready_q   <= 1'b0;
      w_last_q    <= 1'b0;
      w_data_q    <= '0;
      base_q      <= '0;
      watch_q     <= '0;
      error_q     <= 1'b0;
      errors_q    <= '0;
      taken_q     <= 1'b0;
      answered_q  <= 1'b0;
      byte_addr_q <= '0;
      data_q      <= '0;
      left_q      <= '0;
      more_q      <= 1'b0;
      beats_q     <= '0;
      owner_q     <= '0;
      at_q        <= '0;
      busy_q      <= 1'b0;
    end else begin
      past_q      <= 1'b1;
      aw_valid_q  <= aw_valid;
      aw_ready_q  <= aw_ready_i;
      aw_id_q     <= aw_id;
      aw_addr_q   <= aw_addr;
      aw_len_q    <= aw_len;
      w_valid_q   <= w_valid;
      w_ready_q   <= w_ready_i;
      w_last_q    <= w_last;
      w_data_q    <= w_data;
      base_q      <= base_i;
      watch_q     <= watch_i;
      error_q     <= b_valid_i && b_resp_i[1];
      errors_q    <= errors;
      taken_q     <= taken;
      answered_q  <= answered;
      byte_addr_q <= byte_addr;
      data_q      <= data;
      left_q      <= left;
      if (new_beat) begin
        more_q  <= beats != '0;
        beats_q <= beats;
        owner_q <= owner;
        at_q    <= at;
      end
      if (answered) busy_q <= 1'b0;
      else if (new_burst && aw_id == watch_i) busy_q <= 1'b1;
    end
  end

  `WEFT_ASSUME(WatchIsConstant, (!past_q || watch_i == watch_q) && 32'(watch_i) < NumLanes)
  `WEFT_ASSUME(BaseIsConstant, !past_q || base_i == base_q)

  // AW and W by themselves.
  `WEFT_ASSERT(BurstStays, !(aw_valid_q && !aw_ready_q) ||
      (aw_valid && aw_id == aw_id_q && aw_addr == aw_addr_q && aw_len == aw_len_q))
  `WEFT_ASSERT(BeatStays, !(w_valid_q && !w_ready_q) ||
      (w_valid && w_last == w_last_q && w_data == w_data_q))
  `WEFT_ASSERT(WithinPage, !aw_valid ||
      32'(aw_addr[11:SizeW]) + 32'(aw_len) < 4096 / (DataW / 8))
  `WEFT_ASSERT(Aligned, aw_addr[SizeW-1:0] == '0)
  `WEFT_ASSERT(Constants, aw_size == 3'(SizeW) && aw_burst == 2'b01 && b_ready &&
      (~w_strb) == '0)
  `WEFT_ASSERT(QuietWithoutBurst, aw_valid || {aw_id, aw_addr, aw_len} == '0)
  `WEFT_ASSERT(QuietWithoutBeat, w_valid || {w_last, w_data} == '0)
  `WEFT_ASSERT(SilentAfterReset, past_q || !(aw_valid || w_valid))

  // Beats follow their bursts: the first comes with AW, when the burst before has all of its own;
  // `last` with the last.
  `WEFT_ASSERT(FirstBeatWithBurst, !new_burst || (new_beat && !more_q))
  `WEFT_ASSERT(NoBeatWithoutBurst, !new_beat || new_burst || more_q)
  `WEFT_ASSERT(LastIsLast, !new_beat || w_last == (beats == '0))

  // The watched lane: a burst is that of its request, as long as it can be, and the only one.
  logic [31:0] to_page;
  assign to_page = 4096 / (DataW / 8) - 32'(byte_addr_q[11:SizeW]) - 1;
  `WEFT_ASSERT(BurstOfRequest, !(new_burst && aw_id == watch_i) ||
      (aw_addr == byte_addr_q && 32'(aw_len) == (32'(left_q) < to_page ? 32'(left_q) : to_page)))
  `WEFT_ASSERT(OneBurst, !(new_burst && aw_id == watch_i && busy_q))
  // A beat is the word that the lane requested in the cycle before. It was accepted then, but the
  // last, which is accepted with the response.
  logic beat_of_watched;
  assign beat_of_watched = new_beat && owner == watch_i;
  `WEFT_ASSERT(BeatOfRequest, !beat_of_watched || (at == byte_addr_q && w_data == data_q))
  `WEFT_ASSERT(AcceptedWithBeat, taken_q == ((beat_of_watched && !w_last) || answered_q))
  `WEFT_ASSERT(ResponseAccepts, !answered || (busy_q && mem_wen_i[watch_i] && wready[watch_i]))
  `WEFT_ASSERT(ErrorsCounted, errors == (past_q ? errors_q + CountW'(error_q) : '0))

  // Invariants that close the induction.
  (* hierconn *) wire [NumLanes-1:0] \u_dut.busy_q ;
  (* hierconn *) wire [NumLanes-1:0] \u_dut.gnt ;
  (* hierconn *) wire [NumLanes-1:0] \u_dut.u_arbiter.req_q ;
  (* hierconn *) wire [NumLanes-1:0] \u_dut.sent_q ;
  (* hierconn *) wire [NumLanes-1:0] \u_dut.accepted_q ;
  (* hierconn *) wire [IdW-1:0] \u_dut.owner_q ;
  (* hierconn *) wire [LenW-1:0] \u_dut.beats_q ;
  (* hierconn *) wire \u_dut.inside_q ;
  logic               busy, more;
  logic [7:0]         more_beats;
  logic [IdW-1:0]     owns;
  logic [AxiAddrW-1:0] goes;
  assign busy       = busy_q || (new_burst && aw_id == watch_i);
  assign more       = new_beat ? beats != '0 : more_q;
  assign more_beats = new_beat ? beats : beats_q;
  assign owns       = new_beat ? owner : owner_q;
  assign goes       = new_beat ? at : at_q;
  `WEFT_ASSERT(BusyAgrees, \u_dut.busy_q [watch_i] == busy)
  `WEFT_ASSERT(InsideAgrees, \u_dut.inside_q == more)
  `WEFT_ASSERT(BeatsAgree, !more || 32'(\u_dut.beats_q ) + 1 == 32'(more_beats))
  `WEFT_ASSERT(OwnerAgrees, \u_dut.owner_q == owns && (!more || \u_dut.gnt [owns]))
  `WEFT_ASSERT(NextIsRequested, !(more && owns == watch_i) || (busy && mem_wen_i[watch_i] &&
      byte_addr == goes + AxiAddrW'(DataW / 8) && 32'(more_beats) <= 32'(left) + 1))
  `WEFT_ASSERT(RestWithinPage, !more ||
      32'(goes[11:SizeW]) + 32'(more_beats) < 4096 / (DataW / 8))
  `WEFT_ASSERT(SentUnlessMore, \u_dut.sent_q ==
      (\u_dut.busy_q & ~(more ? \u_dut.gnt : NumLanes'(0))))
  `WEFT_ASSERT(OfferedOnce, !aw_valid || !\u_dut.accepted_q [aw_id])
  `WEFT_ASSERT(GrantIsRequested, (\u_dut.gnt & ~mem_wen_i) == '0 &&
      (\u_dut.u_arbiter.req_q & (~mem_wen_i | \u_dut.busy_q ) & ~\u_dut.gnt ) == '0)

endmodule

// Read lanes of a network interface to the read channels of an AXI4 manager: each run of words
// becomes bursts, one outstanding for each lane.

`include "weft_assert.svh"

module weft_axi_read #(
  /// Width of the bus and of a flit, bits: a power of two, 64 to 512.
  parameter int unsigned DataW = 64,
  /// Read lanes, 1 to 16.
  parameter int unsigned NumLanes = 1,
  /// Width of a byte address, bits: the memory must fit (27 to 30 at the widths of the bus), to 64.
  parameter int unsigned AxiAddrW = 32,
  // Derived.
  localparam int unsigned IdW = NumLanes > 1 ? $clog2(NumLanes) : 1
) (
  /// Clock.
  input  logic                                   clk_i,
  /// Asynchronous reset, active low.
  input  logic                                   rst_ni,
  /// Byte address of the node's memory, a multiple of 4096.
  input  logic [AxiAddrW-1:0]                    base_i,
  /// Memory: read, one line for each lane.
  input  logic [NumLanes-1:0]                    mem_ren_i,
  /// Memory: addresses, flits, lane 0 lowest.
  input  logic [NumLanes*weft_pkg::MemAddrW-1:0] mem_raddr_i,
  /// Memory: further words of the same run.
  input  logic [NumLanes*weft_pkg::LenW-1:0]     mem_rleft_i,
  /// Memory: the request is accepted.
  output logic [NumLanes-1:0]                    mem_rready_o,
  /// Memory: the words whose requests were accepted in the cycle before.
  output logic [NumLanes*DataW-1:0]              mem_rdata_o,
  /// AR: a burst is requested.
  output logic                                   ar_valid_o,
  /// AR: it is accepted in this cycle if there is one.
  input  logic                                   ar_ready_i,
  /// AR: number of the lane; with the rest of AR 0 without a burst.
  output logic [IdW-1:0]                         ar_id_o,
  /// AR: byte address.
  output logic [AxiAddrW-1:0]                    ar_addr_o,
  /// AR: beats less one.
  output logic [7:0]                             ar_len_o,
  /// AR: bytes of a beat, binary logarithm; constant.
  output logic [2:0]                             ar_size_o,
  /// AR: INCR (1); constant.
  output logic [1:0]                             ar_burst_o,
  /// R: a beat.
  input  logic                                   r_valid_i,
  /// R: 1; a lane with a burst always waits for its words.
  output logic                                   r_ready_o,
  /// R: number of the lane.
  input  logic [IdW-1:0]                         r_id_i,
  /// R: the word.
  input  logic [DataW-1:0]                       r_data_i,
  /// R: SLVERR (2) and DECERR (3) are counted.
  input  logic [1:0]                             r_resp_i,
  /// R: last beat of its burst.
  input  logic                                   r_last_i,
  /// Beats with an error.
  output logic [weft_pkg::CountW-1:0]            errors_o
);

  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned CountW   = weft_pkg::CountW;
  localparam int unsigned SizeW    = $clog2(DataW / 8);
  // A page of 4096 bytes, which no burst leaves, has 2 ** PageW words.
  localparam int unsigned PageW    = 12 - SizeW;

  `WEFT_PARAM(gen_check_data, DataW >= 64 && DataW <= 512 && 2 ** $clog2(DataW) == DataW)
  `WEFT_PARAM(gen_check_lanes, NumLanes >= 1 && NumLanes <= 16)
  `WEFT_PARAM(gen_check_addr_w, AxiAddrW >= MemAddrW + SizeW && AxiAddrW <= 64)

  // A lane requests a burst until it is in AR's registers; then it has one until the last beat.
  logic [NumLanes-1:0] busy_q, gnt;
  logic [IdW-1:0]      idx;
  logic                load, ar_valid_q;
  assign load = gnt != '0 && (!ar_valid_q || ar_ready_i);

  weft_rr_arbiter #(
    .NumReq(NumLanes)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .req_i (mem_ren_i & ~busy_q),
    .done_i(load),
    .gnt_o (gnt),
    .idx_o (idx)
  );

  // The granted lane's burst: to the end of its run or page, whichever is first.
  logic [MemAddrW-1:0] addr;
  logic [LenW-1:0]     left, len;
  logic [PageW-1:0]    page_left;
  assign addr      = mem_raddr_i[idx*MemAddrW +: MemAddrW];
  assign left      = mem_rleft_i[idx*LenW +: LenW];
  assign page_left = ~(PageW'(addr));
  assign len       = 32'(left) > 32'(page_left) ? LenW'(page_left) : left;

  logic [IdW-1:0]      ar_id_q;
  logic [AxiAddrW-1:0] ar_addr_q;
  logic [LenW-1:0]     ar_len_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_valid_q <= 1'b0;
      ar_id_q    <= '0;
      ar_addr_q  <= '0;
      ar_len_q   <= '0;
    end else if (load) begin
      ar_valid_q <= 1'b1;
      ar_id_q    <= idx;
      ar_addr_q  <= base_i + (AxiAddrW'(addr) << SizeW);
      ar_len_q   <= len;
    end else if (ar_ready_i) begin
      ar_valid_q <= 1'b0;
      ar_id_q    <= '0;
      ar_addr_q  <= '0;
      ar_len_q   <= '0;
    end
  end

  // Beats: one register for all lanes, because there is one beat a cycle.
  logic [NumLanes-1:0] beat;
  logic [DataW-1:0]    data_q;
  logic [CountW-1:0]   errors_q;
  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    assign beat[l] = r_valid_i && r_id_i == IdW'(l);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= '0;
      data_q   <= '0;
      errors_q <= '0;
    end else begin
      busy_q <= (busy_q | (load ? gnt : '0)) & ~(r_last_i ? beat : '0);
      if (r_valid_i) data_q <= r_data_i;
      if (r_valid_i && r_resp_i[1]) errors_q <= errors_q + 1'b1;
    end
  end

  assign mem_rready_o = beat;
  assign mem_rdata_o  = {NumLanes{data_q}};
  assign ar_valid_o   = ar_valid_q;
  assign ar_id_o      = ar_id_q;
  assign ar_addr_o    = ar_addr_q;
  assign ar_len_o     = 8'(ar_len_q);
  assign ar_size_o    = 3'(SizeW);
  assign ar_burst_o   = 2'b01;
  assign r_ready_o    = 1'b1;
  assign errors_o     = errors_q;

  // EXOKAY is not asked for, and OKAY in the same bit.
  logic unused_resp;
  assign unused_resp = r_resp_i[0];

`ifdef WEFT_CHECKED
  // The lanes in the cycle before, and by lane the beats that a burst still has, less one.
  logic [NumLanes-1:0]          ren_q, ready_q, accepted_q;
  logic [NumLanes*MemAddrW-1:0] raddr_q;
  logic [NumLanes*LenW-1:0]     rleft_q, beats_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ren_q      <= '0;
      ready_q    <= '0;
      raddr_q    <= '0;
      rleft_q    <= '0;
      accepted_q <= '0;
    end else begin
      ren_q      <= mem_ren_i;
      ready_q    <= beat;
      raddr_q    <= mem_raddr_i;
      rleft_q    <= mem_rleft_i;
      // AR accepted, so that beats may come from the next cycle on.
      for (int unsigned l = 0; l < NumLanes; l++) begin
        if (ar_valid_q && ar_ready_i && 32'(ar_id_q) == l) accepted_q[l] <= 1'b1;
        else if (beat[l] && r_last_i) accepted_q[l] <= 1'b0;
      end
    end
  end
  for (genvar l = 0; l < NumLanes; l++) begin : gen_checked
    logic [MemAddrW-1:0] lane_addr, was_addr;
    logic [LenW-1:0]     lane_left, was_left, beats;
    assign lane_addr = mem_raddr_i[l*MemAddrW +: MemAddrW];
    assign lane_left = mem_rleft_i[l*LenW +: LenW];
    assign was_addr  = raddr_q[l*MemAddrW +: MemAddrW];
    assign was_left  = rleft_q[l*LenW +: LenW];
    assign beats     = beats_q[l*LenW +: LenW];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) beats_q[l*LenW +: LenW] <= '0;
      else if (load && gnt[l]) beats_q[l*LenW +: LenW] <= len;
      else if (beat[l]) beats_q[l*LenW +: LenW] <= beats - 1'b1;
    end
    // A request stays until it is accepted, and the run's next one follows at once.
    `WEFT_ASSUME(RequestStays, !ren_q[l] || ready_q[l] ||
        (mem_ren_i[l] && lane_addr == was_addr && lane_left == was_left))
    `WEFT_ASSUME(RunGoesOn, !ren_q[l] || !ready_q[l] || was_left == '0 ||
        (mem_ren_i[l] && lane_addr == was_addr + 1'b1 && lane_left == was_left - 1'b1))
    // The subordinate sends the beats that were asked for, RLAST with the last.
    `WEFT_ASSUME(BeatAskedFor, !beat[l] || accepted_q[l])
    `WEFT_ASSUME(LastIsLast, !beat[l] || r_last_i == (beats == '0))
    // A lane with a burst waits for all its words, so that no beat is lost.
    `WEFT_ASSERT(WaitsForBurst, !busy_q[l] || (mem_ren_i[l] && beats <= lane_left))
    `WEFT_ASSERT(AcceptedIsBusy, !accepted_q[l] || busy_q[l])
  end
  `WEFT_ASSUME(IdOfLane, !r_valid_i || 32'(r_id_i) < NumLanes)
  `WEFT_ASSUME(BaseOfPage, base_i[11:0] == '0)
`endif
  `WEFT_ASSERT(BurstOfItsLane, !ar_valid_q || busy_q[ar_id_q])
  `WEFT_ASSERT(OneBurstEach, (gnt & busy_q) == '0)

endmodule

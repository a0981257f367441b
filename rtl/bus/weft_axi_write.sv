// Write lanes of a network interface to the write channels of an AXI4 manager: each run of words
// becomes bursts, one outstanding for each lane.

`include "weft_assert.svh"

module weft_axi_write #(
  /// Width of the bus and of a flit, bits: a power of two, 64 to 512.
  parameter int unsigned DataW = 64,
  /// Write lanes, 1 to 16.
  parameter int unsigned NumLanes = 1,
  /// Width of a byte address, bits: the memory must fit (27 to 30 at the widths of the bus), to 64.
  parameter int unsigned AxiAddrW = 32,
  // Derived.
  localparam int unsigned IdW   = NumLanes > 1 ? $clog2(NumLanes) : 1,
  localparam int unsigned StrbW = DataW / 8
) (
  /// Clock.
  input  logic                                   clk_i,
  /// Asynchronous reset, active low.
  input  logic                                   rst_ni,
  /// Byte address of the node's memory, a multiple of 4096.
  input  logic [AxiAddrW-1:0]                    base_i,
  /// Memory: write, one line for each lane.
  input  logic [NumLanes-1:0]                    mem_wen_i,
  /// Memory: addresses, flits, lane 0 lowest.
  input  logic [NumLanes*weft_pkg::MemAddrW-1:0] mem_waddr_i,
  /// Memory: the words.
  input  logic [NumLanes*DataW-1:0]              mem_wdata_i,
  /// Memory: further words of the same run.
  input  logic [NumLanes*weft_pkg::LenW-1:0]     mem_wleft_i,
  /// Memory: the request is accepted; the last of a burst when its response arrives.
  output logic [NumLanes-1:0]                    mem_wready_o,
  /// AW: a burst is requested.
  output logic                                   aw_valid_o,
  /// AW: it is accepted in this cycle if there is one.
  input  logic                                   aw_ready_i,
  /// AW: number of the lane; with the rest of AW 0 without a burst.
  output logic [IdW-1:0]                         aw_id_o,
  /// AW: byte address.
  output logic [AxiAddrW-1:0]                    aw_addr_o,
  /// AW: beats less one.
  output logic [7:0]                             aw_len_o,
  /// AW: bytes of a beat, binary logarithm; constant.
  output logic [2:0]                             aw_size_o,
  /// AW: INCR (1); constant.
  output logic [1:0]                             aw_burst_o,
  /// W: a beat.
  output logic                                   w_valid_o,
  /// W: it is accepted in this cycle if there is one.
  input  logic                                   w_ready_i,
  /// W: the word; 0 without a beat.
  output logic [DataW-1:0]                       w_data_o,
  /// W: all ones; constant.
  output logic [StrbW-1:0]                       w_strb_o,
  /// W: last beat of its burst.
  output logic                                   w_last_o,
  /// B: response to a burst.
  input  logic                                   b_valid_i,
  /// B: 1; a lane with a burst always waits for its response.
  output logic                                   b_ready_o,
  /// B: number of the lane.
  input  logic [IdW-1:0]                         b_id_i,
  /// B: SLVERR (2) and DECERR (3) are counted.
  input  logic [1:0]                             b_resp_i,
  /// Responses with an error.
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

  // A lane requests W until the last beat of its burst is loaded; from the first beat until the
  // response it has a burst.
  logic [NumLanes-1:0] busy_q, gnt;
  logic [IdW-1:0]      idx;
  logic                inside_q;        // beats of the granted lane's burst are missing
  logic [LenW-1:0]     beats_q;         // so many, less one
  logic                aw_valid_q, w_valid_q;
  logic                load, first, last;
  assign load  = gnt != '0 && (!w_valid_q || w_ready_i) &&
                 (inside_q || !aw_valid_q || aw_ready_i);
  assign first = load && !inside_q;

  weft_rr_arbiter #(
    .NumReq(NumLanes)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .req_i (mem_wen_i & ~busy_q),
    .done_i(load && last),
    .gnt_o (gnt),
    .idx_o (idx)
  );

  // The granted lane's burst: to the end of its run or page, whichever is first.
  logic [MemAddrW-1:0] addr;
  logic [LenW-1:0]     left, len, beats;
  logic [PageW-1:0]    page_left;
  assign addr      = mem_waddr_i[idx*MemAddrW +: MemAddrW];
  assign left      = mem_wleft_i[idx*LenW +: LenW];
  assign page_left = ~(PageW'(addr));
  assign len       = 32'(left) > 32'(page_left) ? LenW'(page_left) : left;
  assign beats     = inside_q ? beats_q : len;
  assign last      = beats == '0;

  logic [IdW-1:0]      aw_id_q;
  logic [AxiAddrW-1:0] aw_addr_q;
  logic [LenW-1:0]     aw_len_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_valid_q <= 1'b0;
      aw_id_q    <= '0;
      aw_addr_q  <= '0;
      aw_len_q   <= '0;
    end else if (first) begin
      aw_valid_q <= 1'b1;
      aw_id_q    <= idx;
      aw_addr_q  <= base_i + (AxiAddrW'(addr) << SizeW);
      aw_len_q   <= len;
    end else if (aw_ready_i) begin
      aw_valid_q <= 1'b0;
      aw_id_q    <= '0;
      aw_addr_q  <= '0;
      aw_len_q   <= '0;
    end
  end

  logic             w_last_q;
  logic [DataW-1:0] w_data_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      w_valid_q <= 1'b0;
      w_last_q  <= 1'b0;
      w_data_q  <= '0;
      inside_q  <= 1'b0;
      beats_q   <= '0;
    end else if (load) begin
      w_valid_q <= 1'b1;
      w_last_q  <= last;
      w_data_q  <= mem_wdata_i[idx*DataW +: DataW];
      inside_q  <= !last;
      beats_q   <= beats - 1'b1;
    end else if (w_ready_i) begin
      w_valid_q <= 1'b0;
      w_last_q  <= 1'b0;
      w_data_q  <= '0;
    end
  end

  logic [NumLanes-1:0] answered;
  logic [CountW-1:0]   errors_q;
  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    assign answered[l] = b_valid_i && b_id_i == IdW'(l);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= '0;
      errors_q <= '0;
    end else begin
      busy_q <= (busy_q | (first ? gnt : '0)) & ~answered;
      if (b_valid_i && b_resp_i[1]) errors_q <= errors_q + 1'b1;
    end
  end

  assign mem_wready_o = answered | ((load && !last) ? gnt : '0);
  assign aw_valid_o   = aw_valid_q;
  assign aw_id_o      = aw_id_q;
  assign aw_addr_o    = aw_addr_q;
  assign aw_len_o     = 8'(aw_len_q);
  assign aw_size_o    = 3'(SizeW);
  assign aw_burst_o   = 2'b01;
  assign w_valid_o    = w_valid_q;
  assign w_data_o     = w_data_q;
  assign w_strb_o     = {StrbW{1'b1}};
  assign w_last_o     = w_last_q;
  assign b_ready_o    = 1'b1;
  assign errors_o     = errors_q;

  // EXOKAY is not asked for, and OKAY in the same bit.
  logic unused_resp;
  assign unused_resp = b_resp_i[0];

`ifdef WEFT_CHECKED
  // The lanes in the cycle before; lanes whose last beat is on W or was accepted, lanes whose AW
  // was accepted; the lane whose beat is on W.
  logic [NumLanes-1:0]          wen_q, ready_q, sent_q, accepted_q;
  logic [NumLanes*MemAddrW-1:0] waddr_q;
  logic [NumLanes*LenW-1:0]     wleft_q;
  logic [NumLanes*DataW-1:0]    wdata_q;
  logic [IdW-1:0]               owner_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wen_q      <= '0;
      ready_q    <= '0;
      waddr_q    <= '0;
      wleft_q    <= '0;
      wdata_q    <= '0;
      sent_q     <= '0;
      accepted_q <= '0;
      owner_q    <= '0;
    end else begin
      if (load) owner_q <= idx;
      wen_q   <= mem_wen_i;
      ready_q <= mem_wready_o;
      waddr_q <= mem_waddr_i;
      wleft_q <= mem_wleft_i;
      wdata_q <= mem_wdata_i;
      for (int unsigned l = 0; l < NumLanes; l++) begin
        if (load && last && gnt[l]) sent_q[l] <= 1'b1;
        else if (answered[l]) sent_q[l] <= 1'b0;
        if (aw_valid_q && aw_ready_i && 32'(aw_id_q) == l) accepted_q[l] <= 1'b1;
        else if (answered[l]) accepted_q[l] <= 1'b0;
      end
    end
  end
  for (genvar l = 0; l < NumLanes; l++) begin : gen_checked
    logic [MemAddrW-1:0] lane_addr, was_addr;
    logic [LenW-1:0]     lane_left, was_left;
    logic                same_data, last_on_w;
    assign lane_addr = mem_waddr_i[l*MemAddrW +: MemAddrW];
    assign lane_left = mem_wleft_i[l*LenW +: LenW];
    assign was_addr  = waddr_q[l*MemAddrW +: MemAddrW];
    assign was_left  = wleft_q[l*LenW +: LenW];
    assign same_data = mem_wdata_i[l*DataW +: DataW] == wdata_q[l*DataW +: DataW];
    assign last_on_w = w_valid_q && w_last_q && owner_q == IdW'(l);
    // A request stays until it is accepted, and the run's next one follows at once.
    `WEFT_ASSUME(RequestStays, !wen_q[l] || ready_q[l] ||
        (mem_wen_i[l] && lane_addr == was_addr && lane_left == was_left && same_data))
    `WEFT_ASSUME(RunGoesOn, !wen_q[l] || !ready_q[l] || was_left == '0 ||
        (mem_wen_i[l] && lane_addr == was_addr + 1'b1 && lane_left == was_left - 1'b1))
    // The subordinate answers a burst once, when it and all its beats were accepted.
    `WEFT_ASSUME(ResponseAskedFor, !answered[l] || (accepted_q[l] && sent_q[l] && !last_on_w))
    // A lane with a burst has a word for every beat, and keeps the last until the response.
    `WEFT_ASSERT(WaitsForBurst, !busy_q[l] || mem_wen_i[l])
    `WEFT_ASSERT(SentIsBusy, (!sent_q[l] && !accepted_q[l]) || busy_q[l])
  end
  `WEFT_ASSUME(IdOfLane, !b_valid_i || 32'(b_id_i) < NumLanes)
  `WEFT_ASSUME(BaseOfPage, base_i[11:0] == '0)
  `WEFT_ASSERT(BeatsWithinRun, !inside_q || beats_q <= left)
  `WEFT_ASSERT(InsideIsGranted, !inside_q || (gnt & busy_q) != '0)
`endif
  `WEFT_ASSERT(OneBurstEach, inside_q || (gnt & busy_q) == '0)
  `WEFT_ASSERT(BurstOfItsLane, !aw_valid_q || busy_q[aw_id_q])

endmodule

// Proof of the read lanes on AXI4, with arbitrary lanes and an arbitrary subordinate within the
// assumptions of the block. The lane watched (`watch_i`) is free and constant: what the block sends
// for it is compared with what it requests, and each beat with the word that it waits for.

`include "weft_assert.svh"

module axi_read_props #(
  parameter int unsigned DataW = 64,
  parameter int unsigned NumLanes = 2,
  parameter int unsigned AxiAddrW = 14,
  localparam int unsigned IdW = NumLanes > 1 ? $clog2(NumLanes) : 1
) (
  input logic                                   clk_i,
  input logic                                   rst_ni,
  input logic [AxiAddrW-1:0]                    base_i,
  input logic [NumLanes-1:0]                    mem_ren_i,
  input logic [NumLanes*weft_pkg::MemAddrW-1:0] mem_raddr_i,
  input logic [NumLanes*weft_pkg::LenW-1:0]     mem_rleft_i,
  input logic                                   ar_ready_i,
  input logic                                   r_valid_i,
  input logic [IdW-1:0]                         r_id_i,
  input logic [DataW-1:0]                       r_data_i,
  input logic [1:0]                             r_resp_i,
  input logic                                   r_last_i,
  input logic [IdW-1:0]                         watch_i
);

  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned CountW   = weft_pkg::CountW;
  localparam int unsigned SizeW    = $clog2(DataW / 8);

  logic [NumLanes-1:0]       rready;
  logic [NumLanes*DataW-1:0] rdata;
  logic                      ar_valid, r_ready;
  logic [IdW-1:0]            ar_id;
  logic [AxiAddrW-1:0]       ar_addr;
  logic [7:0]                ar_len;
  logic [2:0]                ar_size;
  logic [1:0]                ar_burst;
  logic [CountW-1:0]         errors;

  weft_axi_read #(
    .DataW   (DataW),
    .NumLanes(NumLanes),
    .AxiAddrW(AxiAddrW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .base_i,
    .mem_ren_i,
    .mem_raddr_i,
    .mem_rleft_i,
    .mem_rready_o(rready),
    .mem_rdata_o (rdata),
    .ar_valid_o  (ar_valid),
    .ar_ready_i,
    .ar_id_o     (ar_id),
    .ar_addr_o   (ar_addr),
    .ar_len_o    (ar_len),
    .ar_size_o   (ar_size),
    .ar_burst_o  (ar_burst),
    .r_valid_i,
    .r_ready_o   (r_ready),
    .r_id_i,
    .r_data_i,
    .r_resp_i,
    .r_last_i,
    .errors_o    (errors)
  );

  // The watched lane's request, and the byte address of its word.
  logic [MemAddrW-1:0] addr;
  logic [LenW-1:0]     left;
  logic [AxiAddrW-1:0] byte_addr;
  logic                beat;
  assign addr      = mem_raddr_i[watch_i*MemAddrW +: MemAddrW];
  assign left      = mem_rleft_i[watch_i*LenW +: LenW];
  assign byte_addr = base_i + (AxiAddrW'(addr) << SizeW);
  assign beat      = r_valid_i && r_id_i == watch_i;

  // The cycle before; the watched lane's burst as the subordinate sees it: accepted, the address
  // of its next beat, beats after that.
  logic                past_q, ar_valid_q, ar_ready_q, beat_q, error_q, open_q;
  logic [IdW-1:0]      ar_id_q, watch_q;
  logic [AxiAddrW-1:0] ar_addr_q, base_q, next_q;
  logic [7:0]          ar_len_q, more_q;
  logic [DataW-1:0]    data_q;
  logic [CountW-1:0]   errors_q;
  logic                accepted;
  assign accepted = ar_valid && ar_ready_i && ar_id == watch_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q     <= 1'b0;
      ar_valid_q <= 1'b0;
      ar_ready_q <= 1'b0;
      ar_id_q    <= '0;
      ar_addr_q  <= '0;
      ar_len_q   <= '0;
      base_q     <= '0;
      watch_q    <= '0;
      beat_q     <= 1'b0;
      data_q     <= '0;
      error_q    <= 1'b0;
      errors_q   <= '0;
      open_q     <= 1'b0;
      next_q     <= '0;
      more_q     <= '0;
    end else begin
      past_q     <= 1'b1;
      ar_valid_q <= ar_valid;
      ar_ready_q <= ar_ready_i;
      ar_id_q    <= ar_id;
      ar_addr_q  <= ar_addr;
      ar_len_q   <= ar_len;
      base_q     <= base_i;
      watch_q    <= watch_i;
      beat_q     <= beat;
      data_q     <= r_data_i;
      error_q    <= r_valid_i && r_resp_i[1];
      errors_q   <= errors;
      if (accepted) begin
        open_q <= 1'b1;
        next_q <= ar_addr;
        more_q <= ar_len;
      end else if (beat) begin
        open_q <= more_q != '0;
        next_q <= next_q + AxiAddrW'(DataW / 8);
        more_q <= more_q - 1'b1;
      end
    end
  end

  `WEFT_ASSUME(WatchIsConstant, (!past_q || watch_i == watch_q) && 32'(watch_i) < NumLanes)
  `WEFT_ASSUME(BaseIsConstant, !past_q || base_i == base_q)

  // AR by itself.
  `WEFT_ASSERT(ValidStays, !(ar_valid_q && !ar_ready_q) ||
      (ar_valid && ar_id == ar_id_q && ar_addr == ar_addr_q && ar_len == ar_len_q))
  `WEFT_ASSERT(WithinPage, !ar_valid ||
      32'(ar_addr[11:SizeW]) + 32'(ar_len) < 4096 / (DataW / 8))
  `WEFT_ASSERT(Aligned, ar_addr[SizeW-1:0] == '0)
  `WEFT_ASSERT(Constants, ar_size == 3'(SizeW) && ar_burst == 2'b01 && r_ready)
  `WEFT_ASSERT(QuietWithoutBurst, ar_valid || {ar_id, ar_addr, ar_len} == '0)
  `WEFT_ASSERT(SilentAfterReset, past_q || !ar_valid)

  // The watched lane: a burst is that of its request, as long as it can be, and the only one.
  logic [31:0] to_page;
  assign to_page = 4096 / (DataW / 8) - 32'(byte_addr[11:SizeW]) - 1;
  logic offered;
  assign offered = ar_valid && ar_id == watch_i;
  `WEFT_ASSERT(BurstOfRequest, !offered || (mem_ren_i[watch_i] && ar_addr == byte_addr))
  `WEFT_ASSERT(BurstIsLongest, !offered ||
      32'(ar_len) == (32'(left) < to_page ? 32'(left) : to_page))
  `WEFT_ASSERT(OneBurst, !(offered && open_q))
  // A beat accepts the lane's request, which is the word that the beat carries, and no other's.
  `WEFT_ASSERT(BeatAccepts, rready == (r_valid_i ? NumLanes'(1) << r_id_i : '0))
  `WEFT_ASSERT(BeatOfRequest, !beat || (open_q && mem_ren_i[watch_i] && next_q == byte_addr))
  `WEFT_ASSERT(WordArrives, !beat_q || rdata[watch_i*DataW +: DataW] == data_q)
  `WEFT_ASSERT(ErrorsCounted, errors == (past_q ? errors_q + CountW'(error_q) : '0))

  // The assumptions of the block say what AXI says.
  (* hierconn *) wire [NumLanes-1:0] \u_dut.accepted_q ;
  (* hierconn *) wire [NumLanes*LenW-1:0] \u_dut.beats_q ;
  `WEFT_ASSERT(AcceptedAgrees, \u_dut.accepted_q [watch_i] == open_q)
  `WEFT_ASSERT(BeatsAgree, !open_q || 32'(\u_dut.beats_q [watch_i*LenW +: LenW]) == 32'(more_q))

  // Invariants that close the induction.
  (* hierconn *) wire [NumLanes-1:0] \u_dut.busy_q ;
  (* hierconn *) wire [NumLanes-1:0] \u_dut.gnt ;
  (* hierconn *) wire [NumLanes-1:0] \u_dut.u_arbiter.req_q ;
  `WEFT_ASSERT(BusyAgrees, \u_dut.busy_q [watch_i] == (offered || open_q))
  `WEFT_ASSERT(OfferedLength, !offered || 32'(\u_dut.beats_q [watch_i*LenW +: LenW]) == 32'(ar_len))
  `WEFT_ASSERT(NextIsRequested, !open_q || (mem_ren_i[watch_i] && next_q == byte_addr &&
      32'(more_q) <= 32'(left)))
  `WEFT_ASSERT(OfferedOnce, !ar_valid || !\u_dut.accepted_q [ar_id])
  `WEFT_ASSERT(RestWithinPage, !open_q ||
      32'(next_q[11:SizeW]) + 32'(more_q) < 4096 / (DataW / 8))
  `WEFT_ASSERT(GrantIsRequested, (\u_dut.gnt & ~mem_ren_i) == '0 &&
      (\u_dut.u_arbiter.req_q & (~mem_ren_i | \u_dut.busy_q )) == '0)

endmodule

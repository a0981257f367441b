// Proof of the address generator: a start gives exactly `len_i` accepted requests, from the next
// cycle on, with consecutive addresses; one that is not accepted stays; a new start may follow
// without a gap.

`include "weft_assert.svh"

module dma_props (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          start_i,
  input logic [weft_pkg::MemAddrW-1:0] addr_i,
  input logic [weft_pkg::LenW-1:0]     len_i,
  input logic                          ready_i
);

  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;

  logic                idle, req, last;
  logic [MemAddrW-1:0] addr;
  logic [LenW-1:0]     left;

  weft_dma u_dut (
    .clk_i,
    .rst_ni,
    .start_i,
    .addr_i,
    .len_i,
    .ready_i,
    .idle_o(idle),
    .req_o (req),
    .addr_o(addr),
    .last_o(last),
    .left_o(left)
  );

  // The transfer that runs: where it began, its length, requests of it that were accepted.
  logic                busy_q;
  logic [MemAddrW-1:0] first_q;
  logic [LenW-1:0]     len_q, done_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      first_q <= '0;
      len_q   <= '0;
      done_q  <= '0;
    end else if (start_i) begin
      busy_q  <= 1'b1;
      first_q <= addr_i;
      len_q   <= len_i;
      done_q  <= '0;
    end else if (busy_q && ready_i) begin
      busy_q <= done_q + 1'b1 != len_q;
      done_q <= done_q + 1'b1;
    end
  end

  `WEFT_ASSERT(RequestsExactly, req == busy_q)
  `WEFT_ASSERT(Consecutive, addr == (busy_q ? MemAddrW'(first_q + done_q) : '0))
  `WEFT_ASSERT(LastIsTheLast, last == (busy_q && done_q + 1'b1 == len_q))
  `WEFT_ASSERT(IdleInTime, idle == (!busy_q || (last && ready_i)))
  `WEFT_ASSERT(LeftIsWhatFollows, left == (busy_q ? LenW'(len_q - done_q - 1'b1) : '0))

  // A request that was not accepted, with what belongs to it.
  logic                held_q;
  logic [MemAddrW-1:0] held_addr_q;
  logic [LenW-1:0]     held_left_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q      <= 1'b0;
      held_addr_q <= '0;
      held_left_q <= '0;
    end else begin
      held_q      <= req && !ready_i;
      held_addr_q <= addr;
      held_left_q <= left;
    end
  end
  `WEFT_ASSERT(RequestStays, !held_q || (req && addr == held_addr_q && left == held_left_q))

  // Invariant that closes the induction.
  (* hierconn *) wire [LenW-1:0] \u_dut.left_q ;
  `WEFT_ASSERT(LeftAgrees, \u_dut.left_q == (busy_q ? LenW'(len_q - done_q - 1'b1) : '0) &&
      (!busy_q || done_q < len_q))

endmodule

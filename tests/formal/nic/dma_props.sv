// Proof of the address generator: a start gives exactly `len_i` requests, in the next cycles, with
// consecutive addresses; a new start may follow without a gap.

`include "weft_assert.svh"

module dma_props (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          start_i,
  input logic [weft_pkg::MemAddrW-1:0] addr_i,
  input logic [weft_pkg::LenW-1:0]     len_i
);

  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;

  logic                idle, req, last;
  logic [MemAddrW-1:0] addr;

  weft_dma u_dut (
    .clk_i,
    .rst_ni,
    .start_i,
    .addr_i,
    .len_i,
    .idle_o(idle),
    .req_o (req),
    .addr_o(addr),
    .last_o(last)
  );

  // The transfer that runs: where it began, its length, requests of it in earlier cycles.
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
    end else if (busy_q) begin
      busy_q <= done_q + 1'b1 != len_q;
      done_q <= done_q + 1'b1;
    end
  end

  `WEFT_ASSERT(RequestsExactly, req == busy_q)
  `WEFT_ASSERT(Consecutive, addr == (busy_q ? MemAddrW'(first_q + done_q) : '0))
  `WEFT_ASSERT(LastIsTheLast, last == (busy_q && done_q + 1'b1 == len_q))
  `WEFT_ASSERT(IdleInTime, idle == (!busy_q || last))

  // Invariant that closes the induction.
  (* hierconn *) wire [LenW-1:0] \u_dut.left_q ;
  `WEFT_ASSERT(LeftAgrees, \u_dut.left_q == (busy_q ? LenW'(len_q - done_q - 1'b1) : '0) &&
      (!busy_q || done_q < len_q))

endmodule

// Address generator of a transfer between memory and a buffer (seed 002 fig. 2, part 8).

`include "weft_assert.svh"

module weft_dma (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// Start a transfer; only while `idle_o`.
  input  logic                          start_i,
  /// Its first address, flits.
  input  logic [weft_pkg::MemAddrW-1:0] addr_i,
  /// Its length, flits; 1 or more.
  input  logic [weft_pkg::LenW-1:0]     len_i,
  /// The request is accepted in this cycle.
  input  logic                          ready_i,
  /// No request, or the last one of a transfer, which is accepted.
  output logic                          idle_o,
  /// Request: memory is to be read or written.
  output logic                          req_o,
  /// The address, flits; 0 without a request.
  output logic [weft_pkg::MemAddrW-1:0] addr_o,
  /// Last request of its transfer.
  output logic                          last_o,
  /// Requests of its transfer after this one; 0 without a request.
  output logic [weft_pkg::LenW-1:0]     left_o
);

  localparam int unsigned LenW     = weft_pkg::LenW;
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;

  logic                req_q, last_q;
  logic [MemAddrW-1:0] addr_q;
  logic [LenW-1:0]     left_q;  // requests after the present one

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      req_q  <= 1'b0;
      last_q <= 1'b0;
      addr_q <= '0;
      left_q <= '0;
    end else if (start_i) begin
      req_q  <= 1'b1;
      last_q <= len_i == LenW'(1);
      addr_q <= addr_i;
      left_q <= len_i - 1'b1;
    end else if (ready_i && left_q != '0) begin
      last_q <= left_q == LenW'(1);
      addr_q <= addr_q + 1'b1;
      left_q <= left_q - 1'b1;
    end else if (ready_i) begin
      req_q  <= 1'b0;
      last_q <= 1'b0;
      addr_q <= '0;
    end
  end

  assign idle_o = !req_q || (last_q && ready_i);
  assign req_o  = req_q;
  assign addr_o = addr_q;
  assign last_o = last_q;
  assign left_o = left_q;

  `WEFT_ASSERT(LastIsLast, last_q == (req_q && left_q == '0))
  `WEFT_ASSERT(QuietWithoutRequest, req_q || (addr_q == '0 && left_q == '0))
  `WEFT_ASSUME(StartOnlyIdle, !start_i || idle_o)
  `WEFT_ASSUME(LengthNotZero, !start_i || len_i != '0)

endmodule

// Proof of the memory: a read returns what was written last to its word, and the result stays until
// the next read. The word is free (`track_i`), so what holds for it holds for every word.

`include "weft_assert.svh"

module ram_props #(
  parameter int unsigned DataW = 2,
  parameter int unsigned Depth = 3,
  localparam int unsigned IdxW = Depth > 1 ? $clog2(Depth) : 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             wen_i,
  input logic [IdxW-1:0]  widx_i,
  input logic [DataW-1:0] wdata_i,
  input logic             ren_i,
  input logic [IdxW-1:0]  ridx_i,
  input logic             track_i
);

  logic [DataW-1:0] rdata;

  weft_ram #(
    .DataW(DataW),
    .Depth(Depth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .wen_i,
    .widx_i,
    .wdata_i,
    .ren_i,
    .ridx_i,
    .rdata_o(rdata)
  );

  // The chosen word: its number, what was written to it last; whether it was read last, and what a
  // read then had to return.
  logic             tracking_q, shown_q;
  logic [IdxW-1:0]  idx_q;
  logic [DataW-1:0] word_q, read_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tracking_q <= 1'b0;
      shown_q    <= 1'b0;
      idx_q      <= '0;
      word_q     <= '0;
      read_q     <= '0;
    end else begin
      if (!tracking_q) begin
        tracking_q <= wen_i && track_i;
        idx_q      <= widx_i;
        word_q     <= wdata_i;
      end else if (wen_i && widx_i == idx_q) begin
        word_q <= wdata_i;
      end
      if (ren_i) begin
        shown_q <= tracking_q && ridx_i == idx_q;
        read_q  <= word_q;
      end
    end
  end

  `WEFT_ASSERT(ReadsLastWritten, !shown_q || rdata == read_q)

  // Invariants that close the induction; they name registers inside the memory (Depth 3 or 4).
  (* hierconn *) wire [DataW-1:0] \u_dut.mem_q[0] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.mem_q[1] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.mem_q[2] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.mem_q[3] ;
  logic [DataW-1:0] stored;
  always_comb begin
    case (32'(idx_q))
      0: stored = \u_dut.mem_q[0] ;
      1: stored = \u_dut.mem_q[1] ;
      2: stored = \u_dut.mem_q[2] ;
      default: stored = \u_dut.mem_q[3] ;
    endcase
  end
  `WEFT_ASSERT(ChosenInside, !tracking_q || 32'(idx_q) < Depth)
  `WEFT_ASSERT(ChosenStored, !tracking_q || stored == word_q)

endmodule

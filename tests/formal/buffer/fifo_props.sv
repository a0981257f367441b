// Proof of the FIFO: a word chosen at any time is neither lost nor reordered. The choice
// (`track_i`) is free, so what holds for the chosen word holds for every word.

`include "weft_assert.svh"

module fifo_props #(
  parameter int unsigned DataW = 2,
  parameter int unsigned Depth = 3,
  parameter bit          Registered = 1'b0,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             push_i,
  input logic [DataW-1:0] data_i,
  input logic             pop_i,
  input logic             track_i
);

  logic [DataW-1:0]  data;
  logic [CountW-1:0] count;

  weft_fifo #(
    .DataW     (DataW),
    .Depth     (Depth),
    .Registered(Registered)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .push_i,
    .data_i,
    .pop_i,
    .data_o (data),
    .count_o(count)
  );

  // The chosen word and the number of words before it.
  logic              tracking_q;
  logic [DataW-1:0]  word_q;
  logic [CountW-1:0] ahead_q, pushes_q, pops_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tracking_q <= 1'b0;
      word_q     <= '0;
      ahead_q    <= '0;
      pushes_q   <= '0;
      pops_q     <= '0;
    end else begin
      pushes_q <= pushes_q + CountW'(push_i);
      pops_q   <= pops_q + CountW'(pop_i);
      if (!tracking_q) begin
        tracking_q <= push_i && track_i;
        word_q     <= data_i;
        ahead_q    <= count - CountW'(pop_i);
      end else if (pop_i) begin
        tracking_q <= ahead_q != '0;
        ahead_q    <= ahead_q - 1'b1;
      end
    end
  end

  `WEFT_ASSERT(CountIsPushesLessPops, count == CountW'(pushes_q - pops_q))
  `WEFT_ASSERT(ChosenWordHeld, !tracking_q || ahead_q < count)
  `WEFT_ASSERT(ChosenWordComes, !(tracking_q && ahead_q == '0) || data == word_q)
  `WEFT_ASSERT(ZeroWhileEmpty, count != '0 || data == '0)

  // Invariants that close the induction; they name registers inside the FIFO (Depth 1 to 4). With
  // `Registered` and in a memory for an SRAM the oldest word is not in the memory.
  localparam bit InRam = Depth >= weft_pkg::RamDepth;
  localparam bit Front = Registered || InRam;
  localparam int unsigned Words = !InRam && Registered && Depth > 1 ? Depth - 1 : Depth;
  localparam int unsigned PtrW = Words > 1 ? $clog2(Words) : 1;
  (* hierconn *) wire [PtrW-1:0]  \u_dut.wptr_q ;
  (* hierconn *) wire [PtrW-1:0]  \u_dut.rptr_q ;
  (* hierconn *) wire [DataW-1:0] \u_dut.mem_q[0] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.mem_q[1] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.mem_q[2] ;
  (* hierconn *) wire [DataW-1:0] \u_dut.mem_q[3] ;

  logic [31:0] at, stored, write_at;
  logic [DataW-1:0] held;
  assign stored   = 32'(count) - 32'(Front && count != '0);
  assign write_at = 32'(\u_dut.rptr_q ) + stored;
  assign at       = 32'(\u_dut.rptr_q ) + 32'(ahead_q) - 32'(Front);
  always_comb begin
    case (at >= Words ? at - Words : at)
      0: held = \u_dut.mem_q[0] ;
      1: held = \u_dut.mem_q[1] ;
      2: held = \u_dut.mem_q[2] ;
      default: held = \u_dut.mem_q[3] ;
    endcase
  end
  // One word and that in the register: the pointers never change, and yosys leaves them out.
  localparam bit NoMemory = Front && Depth == 1;
  `WEFT_ASSERT(PointersInRange, NoMemory ||
      (32'(\u_dut.rptr_q ) < Words && 32'(\u_dut.wptr_q ) < Words))
  `WEFT_ASSERT(PointersAgree, NoMemory ||
      32'(\u_dut.wptr_q ) == (write_at >= Words ? write_at - Words : write_at))
  `WEFT_ASSERT(ChosenWordStored, !tracking_q || (Front && ahead_q == '0) || held == word_q)

endmodule

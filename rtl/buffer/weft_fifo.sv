// Synchronous FIFO: the oldest word is at the output while the FIFO is not empty.
// A push and a pop may happen in the same cycle; a word pushed into a full FIFO without a pop is
// lost: only errors on the wires of its sender bring one.

`include "weft_assert.svh"

module weft_fifo #(
  /// Word width, bits.
  parameter int unsigned DataW = 64,
  /// Capacity, words; 1 or more.
  parameter int unsigned Depth = 4,
  /// 1: the oldest word is in a register of its own, so that no path leads from the memory to
  /// `data_o`; in every cycle as with 0.
  parameter bit          Registered = 1'b0,
  // Derived.
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// Store `data_i`.
  input  logic              push_i,
  /// Word to store.
  input  logic [DataW-1:0]  data_i,
  /// Drop the oldest word.
  input  logic              pop_i,
  /// Oldest word; 0 while empty.
  output logic [DataW-1:0]  data_o,
  /// Words held.
  output logic [CountW-1:0] count_o
);

  `WEFT_PARAM(gen_check_depth, Depth >= 1)

  // Words of the memory: all but the oldest, where that has a register. A memory for an SRAM has
  // one more, so that no word is written and read in one cycle.
  localparam bit InRam = Depth >= weft_pkg::RamDepth;
  localparam int unsigned Words = !InRam && Registered && Depth > 1 ? Depth - 1 : Depth;
  localparam int unsigned PtrW = Words > 1 ? $clog2(Words) : 1;
  localparam logic [PtrW-1:0] PtrLast = PtrW'(Words - 1);

  logic [DataW-1:0]  mem_q [Words];
  logic [PtrW-1:0]   wptr_q, rptr_q;
  logic [CountW-1:0] count_q;
  logic              push, mem_push, mem_pop;
  assign push = push_i && (pop_i || count_q != CountW'(Depth));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wptr_q  <= '0;
      rptr_q  <= '0;
      count_q <= '0;
    end else begin
      if (mem_push) wptr_q <= (wptr_q == PtrLast) ? '0 : wptr_q + 1'b1;
      if (mem_pop) rptr_q <= (rptr_q == PtrLast) ? '0 : rptr_q + 1'b1;
      if (push && !pop_i) count_q <= count_q + 1'b1;
      if (pop_i && !push) count_q <= count_q - 1'b1;
    end
  end

  // The memory needs no reset: a word is read only after it was written.
  always_ff @(posedge clk_i) begin
    if (mem_push) mem_q[wptr_q] <= data_i;
  end

  if (InRam || Registered) begin : gen_front
    logic [DataW-1:0] front_q;
    logic             more;  // There is a word behind the oldest.
    assign more     = (count_q >> 1) != '0;
    assign mem_push = push && count_q != '0 && (more || !pop_i);
    assign mem_pop  = pop_i && more;
    if (InRam) begin : gen_ram
      // The oldest word was read from the memory, whose output register holds it, or it came when
      // there was no other.
      logic [DataW-1:0] ram_q;
      logic             from_ram_q;
      always_ff @(posedge clk_i) begin
        if (mem_pop) ram_q <= mem_q[rptr_q];
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          from_ram_q <= 1'b0;
          front_q    <= '0;
        end else if (pop_i || count_q == '0) begin
          from_ram_q <= more;
          if (!more) front_q <= push_i ? data_i : '0;
        end
      end
      assign data_o = from_ram_q ? ram_q : front_q;
      `WEFT_ASSERT(NoReadOfWhatIsWritten, !(mem_push && mem_pop && wptr_q == rptr_q))
    end else begin : gen_register
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) front_q <= '0;
        else if (pop_i || count_q == '0) front_q <= more ? mem_q[rptr_q] : push_i ? data_i : '0;
      end
      assign data_o = front_q;
    end
  end else begin : gen_no_front
    assign mem_push = push;
    assign mem_pop  = pop_i;
    assign data_o   = (count_q == '0) ? '0 : mem_q[rptr_q];
  end
  assign count_o = count_q;

  `WEFT_ASSERT(CountInRange, {1'b0, count_q} <= (CountW + 1)'(Depth))
  `WEFT_ASSUME(NoOverflow, !(push_i && !pop_i && count_q == CountW'(Depth)))
  `WEFT_ASSUME(NoUnderflow, !(pop_i && count_q == '0))

endmodule

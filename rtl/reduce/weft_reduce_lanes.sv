// The reduction into memory of all links of a network interface: an accumulator for each, and the
// rule that lets any number of them have words of one address, one after the other.

`include "weft_assert.svh"

module weft_reduce_lanes #(
  /// Width of a word, bits: a multiple of 64.
  parameter int unsigned DataW = 64,
  /// Links of the interface, 1 or more.
  parameter int unsigned NumLinks = 1,
  // Derived.
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW,
  localparam int unsigned CountsW  = weft_pkg::NumRxCounts * weft_pkg::CountW
) (
  /// Clock.
  input  logic                             clk_i,
  /// Asynchronous reset, active low.
  input  logic                             rst_ni,
  /// Receive units, link 0 lowest: write.
  input  logic [NumLinks-1:0]              mem_wen_i,
  /// Receive units: the word is of a message that is reduced.
  input  logic [NumLinks-1:0]              mem_reduce_i,
  /// Receive units: address, flits.
  input  logic [NumLinks*MemAddrW-1:0]     mem_waddr_i,
  /// Receive units: the word.
  input  logic [NumLinks*DataW-1:0]        mem_wdata_i,
  /// Receive units: the write is accepted; else it stays as it is.
  output logic [NumLinks-1:0]              mem_wready_o,
  /// Receive units: messages written, by link and tag; counter 0 lowest.
  input  logic [NumLinks*CountsW-1:0]      rx_count_i,
  /// Operation, type and count, as of the accumulator.
  input  logic [weft_pkg::ReduceOpW-1:0]   reduce_op_i,
  /// Type of the elements.
  input  logic [weft_pkg::ReduceTypeW-1:0] reduce_type_i,
  /// Divisor of a mean, 1 to 65535.
  input  logic [weft_pkg::MeanCountW-1:0]  reduce_count_i,
  /// Memory: read, in the cycle in which the receive unit's write is accepted.
  output logic [NumLinks-1:0]              mem_ren_o,
  /// Memory: read addresses, flits; 0 without `mem_ren_o`.
  output logic [NumLinks*MemAddrW-1:0]     mem_raddr_o,
  /// Memory: the words read in the cycle before.
  input  logic [NumLinks*DataW-1:0]        mem_rdata_i,
  /// Memory: write.
  output logic [NumLinks-1:0]              mem_wen_o,
  /// Memory: write addresses, flits; 0 without `mem_wen_o`.
  output logic [NumLinks*MemAddrW-1:0]     mem_waddr_o,
  /// Memory: the words; 0 without `mem_wen_o`.
  output logic [NumLinks*DataW-1:0]        mem_wdata_o,
  /// Messages in memory, by link and tag; counter 0 lowest.
  output logic [NumLinks*CountsW-1:0]      rx_count_o
);

  `WEFT_PARAM(gen_check_links, NumLinks >= 1)

  // The word of link i is to be read; a word of its address is in flight on link j, one that was
  // read is, in bit i of element j.
  logic [NumLinks-1:0]          reads, operates, waits;
  logic [NumLinks*NumLinks-1:0] busy, reduced;
  assign reads = mem_wen_i & mem_reduce_i & operates;
  assign waits = mem_wen_i & ~mem_wready_o;

  // The link that goes first. It keeps this place while its word waits, so that no word waits for
  // ever behind those of other links.
  logic [NumLinks-1:0] first_q, first_d;
  if (NumLinks > 1) begin : gen_turn
    assign first_d = {first_q[NumLinks-2:0], first_q[NumLinks-1]};
  end else begin : gen_alone
    assign first_d = first_q;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) first_q <= NumLinks'(1);
    else if (waits != '0 && (waits & first_q) == '0) first_q <= first_d;
  end

  for (genvar i = 0; i < NumLinks; i++) begin : gen_link
    // A word waits for what is in flight of its address, and for links that go before its own.
    logic [NumLinks-1:0] behind;
    for (genvar j = 0; j < NumLinks; j++) begin : gen_other
      logic beside;
      if (j == i) begin : gen_self
        assign beside = 1'b0;
      end else begin : gen_before
        assign beside = (first_q[j] || (j < i && !first_q[i])) && mem_wen_i[j] &&
                        (reads[i] || reads[j]) &&
                        mem_waddr_i[j*MemAddrW +: MemAddrW] == mem_waddr_i[i*MemAddrW +: MemAddrW];
      end
      assign behind[j] = beside || (reads[i] ? busy[j*NumLinks + i] : reduced[j*NumLinks + i]);
    end
    assign mem_wready_o[i] = !mem_wen_i[i] || behind == '0;

    weft_accumulator #(
      .DataW   (DataW),
      .NumLinks(NumLinks)
    ) u_accumulator (
      .clk_i,
      .rst_ni,
      .mem_wen_i   (mem_wen_i[i] && mem_wready_o[i]),
      .mem_reduce_i(mem_reduce_i[i]),
      .hold_i      (mem_wen_i[i]),
      .mem_waddr_i (mem_waddr_i[i*MemAddrW +: MemAddrW]),
      .mem_wdata_i (mem_wdata_i[i*DataW +: DataW]),
      .rx_count_i  (rx_count_i[i*CountsW +: CountsW]),
      .reduce_op_i,
      .reduce_type_i,
      .reduce_count_i,
      .mem_ren_o   (mem_ren_o[i]),
      .mem_raddr_o (mem_raddr_o[i*MemAddrW +: MemAddrW]),
      .mem_rdata_i (mem_rdata_i[i*DataW +: DataW]),
      .mem_wen_o   (mem_wen_o[i]),
      .mem_waddr_o (mem_waddr_o[i*MemAddrW +: MemAddrW]),
      .mem_wdata_o (mem_wdata_o[i*DataW +: DataW]),
      .rx_count_o  (rx_count_o[i*CountsW +: CountsW]),
      .operates_o  (operates[i]),
      .look_addr_i (mem_waddr_i),
      .busy_o      (busy[i*NumLinks +: NumLinks]),
      .reduced_o   (reduced[i*NumLinks +: NumLinks])
    );
  end

  `WEFT_ASSERT(OneGoesFirst, first_q != '0 && (first_q & (first_q - 1'b1)) == '0)

endmodule

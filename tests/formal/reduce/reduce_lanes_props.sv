// Proof of the reduction of two links: of words of one address in flight none was read, or there
// is one; a word waits for nothing else; and nothing overtakes a word that waits on the link that
// comes first. Values of the package are small here.

`include "weft_assert.svh"

module reduce_lanes_props #(
  localparam int unsigned NumLinks = 2,
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW,
  localparam int unsigned CountsW  = NumLinks * weft_pkg::NumRxCounts * weft_pkg::CountW
) (
  input logic                             clk_i,
  input logic                             rst_ni,
  input logic [NumLinks-1:0]              mem_wen_i,
  input logic [NumLinks-1:0]              mem_reduce_i,
  input logic [NumLinks*MemAddrW-1:0]     mem_waddr_i,
  input logic [NumLinks*64-1:0]           mem_wdata_i,
  input logic [CountsW-1:0]               rx_count_i,
  input logic [weft_pkg::ReduceOpW-1:0]   reduce_op_i,
  input logic [weft_pkg::ReduceTypeW-1:0] reduce_type_i,
  input logic [weft_pkg::MeanCountW-1:0]  reduce_count_i,
  input logic [NumLinks*64-1:0]           mem_rdata_i
);

  localparam int unsigned Far = weft_pkg::MeanLatency + 1;

  logic [NumLinks-1:0]          ready, ren;
  logic [NumLinks*MemAddrW-1:0] raddr;

  weft_reduce_lanes #(
    .NumLinks(NumLinks)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .mem_wen_i,
    .mem_reduce_i,
    .mem_waddr_i,
    .mem_wdata_i,
    .mem_wready_o(ready),
    .rx_count_i,
    .reduce_op_i,
    .reduce_type_i,
    .reduce_count_i,
    .mem_ren_o   (ren),
    .mem_raddr_o (raddr),
    .mem_rdata_i,
    .mem_wen_o   (),
    .mem_waddr_o (),
    .mem_wdata_o (),
    .rx_count_o  ()
  );

  // Registers inside.
  (* hierconn *) wire [NumLinks-1:0] \u_dut.first_q ;
  (* hierconn *) wire [weft_pkg::ReduceOpW-1:0] \u_dut.gen_link[0].u_accumulator.op_q ;
  (* hierconn *) wire [weft_pkg::ReduceOpW-1:0] \u_dut.gen_link[1].u_accumulator.op_q ;
  (* hierconn *) wire [Far-1:0] \u_dut.gen_link[0].u_accumulator.valid_q ;
  (* hierconn *) wire [Far-1:0] \u_dut.gen_link[1].u_accumulator.valid_q ;
  (* hierconn *) wire [Far-1:0] \u_dut.gen_link[0].u_accumulator.reads_q ;
  (* hierconn *) wire [Far-1:0] \u_dut.gen_link[1].u_accumulator.reads_q ;
  (* hierconn *) wire [Far*MemAddrW-1:0] \u_dut.gen_link[0].u_accumulator.addr_q ;
  (* hierconn *) wire [Far*MemAddrW-1:0] \u_dut.gen_link[1].u_accumulator.addr_q ;

  // All words in flight, those of link 0 lowest.
  localparam int unsigned Words = 2 * Far;
  logic [Words-1:0]          valid, was_read;
  logic [Words*MemAddrW-1:0] addr;
  logic [NumLinks-1:0]       would_read;
  assign valid    = {\u_dut.gen_link[1].u_accumulator.valid_q ,
                     \u_dut.gen_link[0].u_accumulator.valid_q };
  assign was_read = {\u_dut.gen_link[1].u_accumulator.reads_q ,
                     \u_dut.gen_link[0].u_accumulator.reads_q };
  assign addr     = {\u_dut.gen_link[1].u_accumulator.addr_q ,
                     \u_dut.gen_link[0].u_accumulator.addr_q };
  assign would_read = mem_wen_i & mem_reduce_i &
      {\u_dut.gen_link[1].u_accumulator.op_q != weft_pkg::OpStore,
       \u_dut.gen_link[0].u_accumulator.op_q != weft_pkg::OpStore};

  // Each pair of words in flight, and each waiting word with each of them.
  logic [Words*Words-1:0]    clash;
  logic [NumLinks*Words-1:0] meets;
  for (genvar m = 0; m < Words; m++) begin : gen_word
    for (genvar n = 0; n < Words; n++) begin : gen_other
      assign clash[m*Words + n] = m != n && valid[m] && valid[n] && was_read[m] &&
          addr[m*MemAddrW +: MemAddrW] == addr[n*MemAddrW +: MemAddrW];
    end
    for (genvar i = 0; i < NumLinks; i++) begin : gen_link
      assign meets[i*Words + m] = valid[m] && (was_read[m] || would_read[i]) &&
          addr[m*MemAddrW +: MemAddrW] == mem_waddr_i[i*MemAddrW +: MemAddrW];
    end
  end
  logic same;  // Both links write one word, and one of them reads it.
  assign same = mem_wen_i == '1 && would_read != '0 &&
                mem_waddr_i[0 +: MemAddrW] == mem_waddr_i[MemAddrW +: MemAddrW];

  // What the interface keeps: operations and types that exist, counters that rise by one.
  logic [CountsW-1:0] count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= rx_count_i;
  end
  for (genvar t = 0; t < NumLinks * weft_pkg::NumRxCounts; t++) begin : gen_count
    `WEFT_ASSUME(CountsOneByOne, rx_count_i[t*weft_pkg::CountW +: weft_pkg::CountW] -
        count_q[t*weft_pkg::CountW +: weft_pkg::CountW] <= 1)
  end
  `WEFT_ASSUME(KnownOperation, reduce_op_i <= weft_pkg::OpMean)
  `WEFT_ASSUME(KnownType, reduce_type_i <= weft_pkg::TypeFp32)

  // A word that is not accepted stays.
  logic [NumLinks-1:0]          waits_q, reduce_q;
  logic [NumLinks*MemAddrW-1:0] addr_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q  <= '0;
      reduce_q <= '0;
      addr_q   <= '0;
    end else begin
      waits_q  <= mem_wen_i & ~ready;
      reduce_q <= mem_reduce_i;
      addr_q   <= mem_waddr_i;
    end
  end
  logic [NumLinks-1:0] first_was_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) first_was_q <= NumLinks'(1);
    else first_was_q <= \u_dut.first_q ;
  end
  for (genvar i = 0; i < NumLinks; i++) begin : gen_stays
    `WEFT_ASSUME(Stays, !waits_q[i] || (mem_wen_i[i] && mem_reduce_i[i] == reduce_q[i] &&
        mem_waddr_i[i*MemAddrW +: MemAddrW] == addr_q[i*MemAddrW +: MemAddrW]))
    `WEFT_ASSERT(ReadWhenAccepted, ren[i] == (would_read[i] && ready[i]) &&
        raddr[i*MemAddrW +: MemAddrW] == (ren[i] ? mem_waddr_i[i*MemAddrW +: MemAddrW] : '0))
    // Nothing waits but for a word of its address, in flight or on the other link.
    `WEFT_ASSERT(WaitsForCause, ready[i] ||
        (mem_wen_i[i] && (meets[i*Words +: Words] != '0 || same)))
    `WEFT_ASSERT(NotOvertaken, !(\u_dut.first_q [i] && mem_wen_i[i] && same) || !ready[1-i])
    `WEFT_ASSERT(FirstStays, !(first_was_q[i] && waits_q[i]) || \u_dut.first_q [i])
    `WEFT_ASSERT(FirstMoves, !(waits_q[i] && !first_was_q[i] && !waits_q[1-i]) ||
        \u_dut.first_q [i])
  end
  `WEFT_ASSERT(OneByOne, clash == '0)
  `WEFT_ASSERT(OneFirst, \u_dut.first_q == 2'b01 || \u_dut.first_q == 2'b10)

endmodule

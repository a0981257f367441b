// Reduction into memory (seed 003: an aggregation unit reduces what it receives), between a
// `recv_unit` and the memory: reads the word in memory, combines it with the received one in the
// reduce unit, and writes the result. Words that are only stored have the same latency, so that
// writes keep their order.

`include "weft_assert.svh"

module weft_accumulator #(
  /// Width of a word, bits: a multiple of 64.
  parameter int unsigned DataW = 64,
  /// Links of the interface: words that are compared with those in flight here.
  parameter int unsigned NumLinks = 1,
  // Derived.
  localparam int unsigned CountsW = weft_pkg::NumRxCounts * weft_pkg::CountW
) (
  /// Clock.
  input  logic                             clk_i,
  /// Asynchronous reset, active low.
  input  logic                             rst_ni,
  /// Receive unit: write.
  input  logic                             mem_wen_i,
  /// Receive unit: the word is of a message that is reduced.
  input  logic                             mem_reduce_i,
  /// Receive unit: it has a word, which is written (`mem_wen_i`) or waits; the setting stays.
  input  logic                             hold_i,
  /// Receive unit: address, flits.
  input  logic [weft_pkg::MemAddrW-1:0]    mem_waddr_i,
  /// Receive unit: the word.
  input  logic [DataW-1:0]                 mem_wdata_i,
  /// Receive unit: messages written, by tag; counter 0 lowest. Each counter rises by one at a time.
  input  logic [CountsW-1:0]               rx_count_i,
  /// Operation; with type and count loaded at each edge at which nothing is in flight.
  input  logic [weft_pkg::ReduceOpW-1:0]   reduce_op_i,
  /// Type of the elements.
  input  logic [weft_pkg::ReduceTypeW-1:0] reduce_type_i,
  /// Divisor of a mean, 1 to 65535.
  input  logic [weft_pkg::MeanCountW-1:0]  reduce_count_i,
  /// Memory: read, in the cycle of the receive unit's write.
  output logic                             mem_ren_o,
  /// Memory: read address, flits; 0 without `mem_ren_o`.
  output logic [weft_pkg::MemAddrW-1:0]    mem_raddr_o,
  /// Memory: the word read in the cycle before.
  input  logic [DataW-1:0]                 mem_rdata_i,
  /// Memory: write.
  output logic                             mem_wen_o,
  /// Memory: write address, flits; 0 without `mem_wen_o`.
  output logic [weft_pkg::MemAddrW-1:0]    mem_waddr_o,
  /// Memory: the word; 0 without `mem_wen_o`.
  output logic [DataW-1:0]                 mem_wdata_o,
  /// Messages in memory, by tag; counter 0 lowest.
  output logic [CountsW-1:0]               rx_count_o,
  /// A word of a message that is reduced would be read: the operation is not weft_pkg::OpStore.
  output logic                             operates_o,
  /// Addresses, flits, that are compared with those of the words in flight, link 0 lowest.
  input  logic [NumLinks*weft_pkg::MemAddrW-1:0] look_addr_i,
  /// A word with this address is in flight.
  output logic [NumLinks-1:0]              busy_o,
  /// One that was read is.
  output logic [NumLinks-1:0]              reduced_o
);

  `WEFT_PARAM(gen_check_data_w, DataW >= 64 && DataW % 64 == 0)
  `WEFT_PARAM(gen_check_links, NumLinks >= 1)

  localparam int unsigned NumLanes = DataW / 64;
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned CountW   = weft_pkg::CountW;
  localparam int unsigned NumTags  = weft_pkg::NumRxCounts;
  // Latency from the receive unit's write to that into memory: the read, then the reduce unit.
  localparam int unsigned Near     = 1 + weft_pkg::ReduceLatency;
  localparam int unsigned Far      = 1 + weft_pkg::MeanLatency;

  logic [weft_pkg::ReduceOpW-1:0]   op_q;
  logic [weft_pkg::ReduceTypeW-1:0] type_q;
  logic [weft_pkg::MeanCountW-1:0]  divisor_q;
  logic                             mean, calm;

  // Words in flight: bit n is set n + 1 cycles after the receive unit's write, of those that were
  // read in `reads_q`, too.
  logic [Far-1:0]          valid_q, valid_d, reads_q, reads_d, ends;
  logic [Far*MemAddrW-1:0] addr_q;
  logic [MemAddrW-1:0]     waddr;
  logic [DataW-1:0]        word_q;
  // Messages to be counted, one line for each tag, in the same pipeline.
  logic [NumTags-1:0]           seen_q, seen, news, news_due;
  logic [(Far-1)*NumTags-1:0]   news_q, news_d;
  logic [CountsW-1:0]           count_q, count_d;

  assign mean = op_q == weft_pkg::OpMean;
  assign calm = !hold_i && valid_q == '0 && news == '0 && news_q == '0;

  assign operates_o  = op_q != weft_pkg::OpStore;
  assign mem_ren_o   = mem_wen_i && mem_reduce_i && operates_o;
  assign mem_raddr_o = mem_ren_o ? mem_waddr_i : '0;

  // A receive counter that has counted differs in its lowest bit.
  for (genvar t = 0; t < NumTags; t++) begin : gen_seen
    assign seen[t] = rx_count_i[t*CountW];
  end
  assign news     = seen ^ seen_q;
  assign news_due = mean ? news_q[(Far-2)*NumTags +: NumTags] : news_q[(Near-2)*NumTags +: NumTags];

  // Words and counts leave the pipeline after the present latency.
  assign ends    = {{(Far - Near){mean}}, {Near{1'b1}}};
  assign valid_d = {valid_q[Far-2:0], mem_wen_i} & ends;
  assign reads_d = {reads_q[Far-2:0], mem_ren_o} & ends;
  for (genvar n = 0; n < Far - 1; n++) begin : gen_news
    if (n == 0) begin : gen_first
      assign news_d[0 +: NumTags] = news;
    end else begin : gen_further
      assign news_d[n*NumTags +: NumTags] = news_q[(n-1)*NumTags +: NumTags] &
                                            {NumTags{ends[n+1]}};
    end
  end
  always_comb begin
    count_d = count_q;
    for (int unsigned t = 0; t < NumTags; t++) begin
      count_d[t*CountW +: CountW] = count_q[t*CountW +: CountW] + CountW'(news_due[t]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q      <= '0;
      type_q    <= '0;
      divisor_q <= '0;
      valid_q   <= '0;
      reads_q   <= '0;
      seen_q    <= '0;
      news_q    <= '0;
      count_q   <= '0;
    end else begin
      if (calm) begin
        op_q      <= reduce_op_i;
        type_q    <= reduce_type_i;
        divisor_q <= reduce_count_i;
      end
      valid_q <= valid_d;
      reads_q <= reads_d;
      seen_q  <= seen;
      news_q  <= news_d;
      count_q <= count_d;
    end
  end

  // Addresses and words need no reset: they are used only where `valid_q` is set.
  always_ff @(posedge clk_i) begin
    addr_q <= {addr_q[(Far-1)*MemAddrW-1:0], mem_waddr_i};
    word_q <= mem_wdata_i;
  end

  // A reduce unit for each 64 bits; all have the same latency.
  logic [NumLanes-1:0] lane_valid;
  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    weft_reduce_unit u_reduce (
      .clk_i,
      .rst_ni,
      .valid_i(valid_q[0]),
      .mean_i (mean),
      .op_i   (reads_q[0] ? op_q : weft_pkg::OpStore),
      .type_i (type_q),
      .count_i(divisor_q),
      .held_i (mem_rdata_i[64*l +: 64]),
      .word_i (word_q[64*l +: 64]),
      .valid_o(lane_valid[l]),
      .word_o (mem_wdata_o[64*l +: 64])
    );
  end
  assign mem_wen_o = lane_valid[0];

  assign waddr       = mean ? addr_q[(Far-1)*MemAddrW +: MemAddrW] :
                              addr_q[(Near-1)*MemAddrW +: MemAddrW];
  assign mem_waddr_o = mem_wen_o ? waddr : '0;
  assign rx_count_o  = count_q;

  for (genvar i = 0; i < NumLinks; i++) begin : gen_look
    logic [Far-1:0] same;
    for (genvar n = 0; n < Far; n++) begin : gen_word
      assign same[n] = addr_q[n*MemAddrW +: MemAddrW] == look_addr_i[i*MemAddrW +: MemAddrW];
    end
    assign busy_o[i]    = (valid_q & same) != '0;
    assign reduced_o[i] = (reads_q & same) != '0;
  end

  logic unused_count;
  assign unused_count = ^{rx_count_i, lane_valid};

  `WEFT_ASSUME(HeldWithWord, hold_i || !mem_wen_i)
  `WEFT_ASSUME(KnownOperation, reduce_op_i <= weft_pkg::OpMean)
  `WEFT_ASSUME(KnownType, reduce_type_i <= weft_pkg::TypeFp32)
  `WEFT_ASSERT(WrittenInTime, mem_wen_o == (mean ? valid_q[Far-1] : valid_q[Near-1]))
`ifdef WEFT_CHECKED
  // Reading a word with a write in flight would lose that write: a message to the same words is
  // sent only after the one before has been counted.
  logic [Far-1:0] same;
  for (genvar n = 0; n < Far; n++) begin : gen_same
    assign same[n] = valid_q[n] && addr_q[n*MemAddrW +: MemAddrW] == mem_raddr_o;
  end
  `WEFT_ASSUME(ReadAfterWrite, !mem_ren_o || same == '0)

  logic [CountsW-1:0] counted_q;
  logic               by_one;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) counted_q <= '0;
    else counted_q <= rx_count_i;
  end
  always_comb begin
    by_one = 1'b1;
    for (int unsigned t = 0; t < NumTags; t++) begin
      if (rx_count_i[t*CountW +: CountW] - counted_q[t*CountW +: CountW] > CountW'(1)) begin
        by_one = 1'b0;
      end
    end
  end
  `WEFT_ASSUME(CountsOneByOne, by_one)
`endif

endmodule

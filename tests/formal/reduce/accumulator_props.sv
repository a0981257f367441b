// Proof of the accumulator: a chosen cycle (`track_i` is free) with a write, a count or both is
// at the outputs exactly the latency later, the write with its address, the word at the reduce unit
// with the word read; no message is counted early, late or twice; a look finds it; the setting is
// constant while anything is in flight. The reduce unit's results are proved separately. Values of
// the package are small here.

`include "weft_assert.svh"

module accumulator_props #(
  localparam int unsigned CountsW = weft_pkg::NumRxCounts * weft_pkg::CountW
) (
  input logic                             clk_i,
  input logic                             rst_ni,
  input logic                             mem_wen_i,
  input logic                             mem_reduce_i,
  input logic                             hold_i,
  input logic [weft_pkg::MemAddrW-1:0]    mem_waddr_i,
  input logic [63:0]                      mem_wdata_i,
  input logic [CountsW-1:0]               rx_count_i,
  input logic [weft_pkg::ReduceOpW-1:0]   reduce_op_i,
  input logic [weft_pkg::ReduceTypeW-1:0] reduce_type_i,
  input logic [weft_pkg::MeanCountW-1:0]  reduce_count_i,
  input logic [63:0]                      mem_rdata_i,
  input logic                             track_i,
  input logic [weft_pkg::MemAddrW-1:0]    look_addr_i
);

  localparam int unsigned CountW   = weft_pkg::CountW;
  localparam int unsigned MemAddrW = weft_pkg::MemAddrW;
  localparam int unsigned NumTags  = weft_pkg::NumRxCounts;
  localparam int unsigned Near     = weft_pkg::ReduceLatency + 1;
  localparam int unsigned Far      = weft_pkg::MeanLatency + 1;
  localparam int unsigned AgeW     = $clog2(Far + 1);

  logic                ren, wen, operates, busy, reduced;
  logic [MemAddrW-1:0] raddr, waddr;
  logic [CountsW-1:0]  count;

  weft_accumulator u_dut (
    .clk_i,
    .rst_ni,
    .mem_wen_i,
    .mem_reduce_i,
    .hold_i,
    .mem_waddr_i,
    .mem_wdata_i,
    .rx_count_i,
    .reduce_op_i,
    .reduce_type_i,
    .reduce_count_i,
    .mem_ren_o  (ren),
    .mem_raddr_o(raddr),
    .mem_rdata_i,
    .mem_wen_o  (wen),
    .mem_waddr_o(waddr),
    .mem_wdata_o(),
    .rx_count_o (count),
    .operates_o (operates),
    .look_addr_i,
    .busy_o     (busy),
    .reduced_o  (reduced)
  );

  // Wires and registers inside.
  (* hierconn *) wire [weft_pkg::ReduceOpW-1:0] \u_dut.op_q ;
  (* hierconn *) wire [weft_pkg::ReduceTypeW-1:0] \u_dut.type_q ;
  (* hierconn *) wire [weft_pkg::MeanCountW-1:0] \u_dut.divisor_q ;
  (* hierconn *) wire [Far-1:0] \u_dut.reads_q ;
  (* hierconn *) wire [63:0] \u_dut.word_q ;
  (* hierconn *) wire [Far-1:0] \u_dut.valid_q ;
  (* hierconn *) wire [Far*MemAddrW-1:0] \u_dut.addr_q ;
  (* hierconn *) wire [NumTags-1:0] \u_dut.seen_q ;
  (* hierconn *) wire [(Far-1)*NumTags-1:0] \u_dut.news_q ;
  (* hierconn *) wire [CountsW-1:0] \u_dut.counted_q ;
  (* hierconn *) wire \u_dut.gen_lane[0].u_reduce.valid_i ;
  (* hierconn *) wire [weft_pkg::ReduceOpW-1:0] \u_dut.gen_lane[0].u_reduce.op_i ;
  (* hierconn *) wire [weft_pkg::ReduceTypeW-1:0] \u_dut.gen_lane[0].u_reduce.type_i ;
  (* hierconn *) wire [weft_pkg::MeanCountW-1:0] \u_dut.gen_lane[0].u_reduce.count_i ;
  (* hierconn *) wire \u_dut.gen_lane[0].u_reduce.mean_i ;
  (* hierconn *) wire [63:0] \u_dut.gen_lane[0].u_reduce.held_i ;
  (* hierconn *) wire [63:0] \u_dut.gen_lane[0].u_reduce.word_i ;
  (* hierconn *) wire \u_dut.gen_lane[0].u_reduce.valid_q ;
  (* hierconn *) wire [Far-3:0] \u_dut.gen_lane[0].u_reduce.inside_q ;
  (* hierconn *) wire [Near-2:0] \u_dut.gen_lane[0].u_reduce.short_q ;
  (* hierconn *) wire [Far-2:0] \u_dut.gen_lane[0].u_reduce.long_q ;
  (* hierconn *) wire \u_dut.gen_lane[0].u_reduce.mean_was_q ;

  // Of the last cycle: counts of the inputs, the setting, whether anything was in flight.
  logic [CountsW-1:0] in_q, out_q;
  logic [20:0]        setting, setting_q;
  logic               held_q, held, mean;
  logic [NumTags-1:0] news;
  assign setting = {\u_dut.divisor_q , \u_dut.type_q , \u_dut.op_q };
  assign mean    = \u_dut.op_q == weft_pkg::OpMean;
  assign held    = hold_i || news != '0 || \u_dut.valid_q != '0 || \u_dut.news_q != '0;
  for (genvar t = 0; t < NumTags; t++) begin : gen_news
    assign news[t] = rx_count_i[t*CountW +: CountW] != in_q[t*CountW +: CountW];
  end

  // The chosen cycle: its inputs, and its age.
  logic [AgeW-1:0]     age_q;  // 0: none is chosen
  logic                wen_q, ren_q;
  logic [MemAddrW-1:0] addr_q;
  logic [63:0]         word_q;
  logic [NumTags-1:0]  news_q, counted;
  logic                due;
  assign due = age_q == (mean ? AgeW'(Far) : AgeW'(Near));
  for (genvar t = 0; t < NumTags; t++) begin : gen_counted
    assign counted[t] = count[t*CountW +: CountW] != out_q[t*CountW +: CountW];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q      <= '0;
      out_q     <= '0;
      setting_q <= '0;
      held_q    <= 1'b0;
      age_q     <= '0;
      wen_q     <= 1'b0;
      ren_q     <= 1'b0;
      addr_q    <= '0;
      word_q    <= '0;
      news_q    <= '0;
    end else begin
      in_q      <= rx_count_i;
      out_q     <= count;
      setting_q <= setting;
      held_q    <= held;
      if (age_q != '0) begin
        age_q <= due ? '0 : age_q + 1'b1;
      end else if (track_i && (mem_wen_i || news != '0)) begin
        age_q  <= AgeW'(1);
        wen_q  <= mem_wen_i;
        ren_q  <= ren;
        addr_q <= mem_waddr_i;
        word_q <= mem_wdata_i;
        news_q <= news;
      end
    end
  end

  `WEFT_ASSERT(ReadsWhatIsReduced, ren == (mem_wen_i && mem_reduce_i &&
      \u_dut.op_q != weft_pkg::OpStore) && raddr == (ren ? mem_waddr_i : '0))
  `WEFT_ASSERT(UnitGetsBoth, age_q != AgeW'(1) || !wen_q || (\u_dut.gen_lane[0].u_reduce.valid_i &&
      \u_dut.gen_lane[0].u_reduce.word_i == word_q &&
      \u_dut.gen_lane[0].u_reduce.held_i == mem_rdata_i &&
      \u_dut.gen_lane[0].u_reduce.op_i == (ren_q ? \u_dut.op_q : weft_pkg::OpStore)))
  `WEFT_ASSERT(UnitGetsSetting, \u_dut.gen_lane[0].u_reduce.type_i == \u_dut.type_q &&
      \u_dut.gen_lane[0].u_reduce.count_i == \u_dut.divisor_q &&
      \u_dut.gen_lane[0].u_reduce.mean_i == mean)
  `WEFT_ASSERT(WrittenWhenDue, !due || wen == wen_q)
  `WEFT_ASSERT(WrittenInItsPlace, (wen || waddr == '0) && (!(due && wen) || waddr == addr_q))
  `WEFT_ASSERT(CountedWhenDue, !due || counted == news_q)
  // The reduce unit assumes this, and operations and types that exist.
  // A look finds the chosen word as long as it is in flight, and with `reduced_o` if it was read.
  `WEFT_ASSERT(Found, age_q == '0 || !wen_q || look_addr_i != addr_q ||
      (busy && (reduced || !ren_q)))
  // What a look finds is somewhere in flight.
  `WEFT_ASSERT(NothingElse, (!busy || \u_dut.valid_q != '0) && (busy || !reduced))
  `WEFT_ASSERT(OperatesOfSetting, operates == (\u_dut.op_q != weft_pkg::OpStore))
  `WEFT_ASSERT(SettingHeld, !held_q || setting == setting_q)
  `WEFT_ASSERT(SettingKnown, \u_dut.op_q <= weft_pkg::OpMean &&
      \u_dut.type_q <= weft_pkg::TypeFp32)

  // Nothing is lost or duplicated: an incoming message has been counted or is in flight.
  for (genvar t = 0; t < NumTags; t++) begin : gen_balance
    logic [CountW-1:0] way;
    always_comb begin
      way = count[t*CountW +: CountW];
      for (int unsigned n = 0; n < Far - 1; n++) way = way + CountW'(\u_dut.news_q [n*NumTags+t]);
    end
    `WEFT_ASSERT(Balance, way == in_q[t*CountW +: CountW])
  end

  // Invariants that close the induction.
  logic [Far-1:0]              valid_of_age, reads_of_age;
  logic [Far*MemAddrW-1:0]     addr_of_age;
  logic [(Far-1)*NumTags-1:0]  news_of_age;
  logic [NumTags-1:0]          low_in;
  assign valid_of_age = \u_dut.valid_q >> (age_q - 1'b1);
  assign reads_of_age = \u_dut.reads_q >> (age_q - 1'b1);
  assign addr_of_age  = \u_dut.addr_q >> MemAddrW * (32'(age_q) - 1);
  assign news_of_age  = \u_dut.news_q >> NumTags * (32'(age_q) - 1);
  for (genvar t = 0; t < NumTags; t++) begin : gen_low
    assign low_in[t] = in_q[t*CountW];
  end
  `WEFT_ASSERT(AgeInRange, age_q <= (mean ? AgeW'(Far) : AgeW'(Near)))
  `WEFT_ASSERT(ChosenOnItsWay, age_q == '0 || (valid_of_age[0] == wen_q && (wen_q || news_q != '0)))
  `WEFT_ASSERT(ChosenAddress, age_q == '0 || !wen_q || addr_of_age[MemAddrW-1:0] == addr_q)
  `WEFT_ASSERT(ChosenNews, age_q == '0 || due || news_of_age[NumTags-1:0] == news_q)
  `WEFT_ASSERT(ChosenEntered, age_q != AgeW'(1) || (\u_dut.reads_q [0] == ren_q &&
      \u_dut.word_q == word_q))
  `WEFT_ASSERT(ChosenRead, age_q == '0 || reads_of_age[0] == ren_q)
  `WEFT_ASSERT(ReadsAreWords, (\u_dut.reads_q & ~\u_dut.valid_q ) == '0)
  `WEFT_ASSERT(SameCounts, \u_dut.seen_q == low_in && \u_dut.counted_q == in_q)
  `WEFT_ASSERT(EndsHere, mean || (\u_dut.valid_q >> Near == '0 &&
      \u_dut.news_q >> NumTags * (Near - 1) == '0))
  `WEFT_ASSERT(UnitHolds, \u_dut.gen_lane[0].u_reduce.inside_q == (\u_dut.valid_q [Far-2:1] &
      {{(Far - Near){mean}}, {(Near - 2){1'b1}}}) &&
      \u_dut.gen_lane[0].u_reduce.valid_q ==
      (mean ? \u_dut.valid_q [Far-1] : \u_dut.valid_q [Near-1]))
  `WEFT_ASSERT(UnitSees, \u_dut.gen_lane[0].u_reduce.short_q == (\u_dut.valid_q [Near-1:1] &
      {(Near - 1){!mean}}) && \u_dut.gen_lane[0].u_reduce.long_q == (\u_dut.valid_q [Far-1:1] &
      {(Far - 1){mean}}))
  `WEFT_ASSERT(UnitSawMean, !held_q || \u_dut.gen_lane[0].u_reduce.mean_was_q == mean)

endmodule

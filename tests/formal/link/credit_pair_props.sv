// Proof of both ends of the way of credits, with wires between them on which in any cycle the word
// may become one that is not good, of any content, or 0. No credit comes without a free slot, and
// after `NumVc` + 1 cycles without errors the sender is told of every one that became free before.
// Up to two VCs.

`include "weft_assert.svh"

module credit_pair_props #(
  parameter int unsigned NumVc = 2,
  parameter int unsigned Depth = 2,
  parameter int unsigned MoreW = 1,
  parameter bit          Crc = 1'b0,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned CheckW = Crc ? 16 : 8,
  localparam int unsigned BackW = NumVc + 1 + CountW + MoreW + CheckW
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic [NumVc-1:0]  credit_i,
  input logic              add_vc_i,
  input logic [CountW-1:0] add_i,
  input logic [MoreW-1:0]  more_i,
  input logic              bad_i,
  input logic              zero_i,
  input logic [BackW-1:0]  back_i
);

  logic [BackW-1:0] back, word;
  logic [NumVc-1:0] credit;
  logic             good;
  logic [MoreW-1:0] more, more_q;
  assign word = bad_i ? back_i : zero_i ? '0 : back;

  weft_credit_tx #(
    .NumVc(NumVc),
    .Depth(Depth),
    .MoreW(MoreW),
    .Crc  (Crc)
  ) u_tx (
    .clk_i,
    .rst_ni,
    .credit_i,
    .add_vc_i,
    .add_i,
    .more_i,
    .back_o(back)
  );

  weft_credit_rx #(
    .NumVc(NumVc),
    .Depth(Depth),
    .MoreW(MoreW),
    .Crc  (Crc)
  ) u_rx (
    .clk_i,
    .rst_ni,
    .back_i  (word),
    .credit_o(credit),
    .good_o  (good),
    .more_o  (more)
  );

  `WEFT_ASSUME(BadIsSeen, !bad_i || !good)
  `WEFT_ASSERT(ZeroIsBad, bad_i || !zero_i || !good)
  `WEFT_ASSERT(GoodOtherwise, bad_i || zero_i || good || back == '0)
  `WEFT_ASSERT(MoreComes, !good || more == more_q)

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) more_q <= '0;
    else more_q <= more_i;
  end

  (* hierconn *) wire \u_tx.vc_q ;
  (* hierconn *) wire [CountW-1:0] \u_tx.gen_vc[0].count_q ;
  (* hierconn *) wire [CountW-1:0] \u_tx.gen_vc[1].count_q ;
  (* hierconn *) wire [CountW-1:0] \u_rx.gen_vc[0].told_q ;
  (* hierconn *) wire [CountW-1:0] \u_rx.gen_vc[1].told_q ;
  (* hierconn *) wire [CountW-1:0] \u_rx.gen_vc[0].given_q ;
  (* hierconn *) wire [CountW-1:0] \u_rx.gen_vc[1].given_q ;
  logic [2*CountW-1:0] counts, tolds, givens;
  assign counts = {\u_tx.gen_vc[1].count_q , \u_tx.gen_vc[0].count_q };
  assign tolds  = {\u_rx.gen_vc[1].told_q , \u_rx.gen_vc[0].told_q };
  assign givens = {\u_rx.gen_vc[1].given_q , \u_rx.gen_vc[0].given_q };

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    // Slots in use in the sender's eyes, and those of them that are free again.
    logic [3:0]        due_q, due;
    logic [CountW-1:0] freed, told, untold;
    assign due = due_q + 4'(credit_i[v]) + (32'(add_vc_i) == v ? 4'(add_i) : 4'd0);
    `WEFT_ASSUME(SlotsExist, 32'(due) <= Depth)
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) due_q <= '0;
      else due_q <= due - 4'(credit[v]);
    end

    assign freed  = counts[v*CountW +: CountW] - givens[v*CountW +: CountW];
    assign told   = tolds[v*CountW +: CountW] - givens[v*CountW +: CountW];
    assign untold = counts[v*CountW +: CountW] - tolds[v*CountW +: CountW];
    `WEFT_ASSERT(CreditOfSlot, !credit[v] || due_q != '0)
    `WEFT_ASSERT(DueIsFreed, 4'(freed) + 4'(credit[v]) == due_q)
    `WEFT_ASSERT(ToldIsTrue, 32'(told) + 32'(back[v]) <= 32'(freed))
    `WEFT_ASSERT(CountIsNow, 32'(back[NumVc]) != v ||
        back[NumVc+1 +: CountW] == counts[v*CountW +: CountW])
    // What was free when the errors ended, has been told `NumVc` + 1 cycles later.
    logic [3:0]        old_q;
    logic [CountW-1:0] mark_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        old_q  <= '0;
        mark_q <= '0;
      end else if (bad_i || zero_i || !good || 32'(old_q) > NumVc) begin
        old_q  <= '0;
        mark_q <= counts[v*CountW +: CountW];
      end else begin
        old_q <= old_q + 4'd1;
      end
    end
    `WEFT_ASSERT(AllTold, 32'(old_q) <= NumVc ||
        CountW'(counts[v*CountW +: CountW] - mark_q) >= untold)
  end

endmodule

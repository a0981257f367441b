// Sender's end of a link that repairs errors (go-back-N): numbers the flits, protects each word by
// a CRC, keeps every flit until the receiver has it, and sends again from there when the receiver
// asks for it or is not heard of. To the sender it is an error-free credit link.

`include "weft_assert.svh"

module weft_link_tx #(
  /// Width of a word with its parity, bits.
  parameter int unsigned FlitW = 64,
  /// Width of the field `vc`, bits; 1 or more.
  parameter int unsigned VcW = 1,
  /// VCs of the link; 1 or more.
  parameter int unsigned NumVc = 1,
  /// Slots of a VC's buffer in the receiver; 1 or more, of all VCs up to 32768.
  parameter int unsigned Depth = 4,
  /// Cycles without an acknowledgement, after which flits are sent again, 1 to 65535.
  parameter int unsigned Timeout = 64,
  /// Goings back without an acknowledgement, after which the link counts as stuck, 1 to 255.
  parameter int unsigned Limit = 16,
  // Derived.
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned SeqW = 1 + (NumVc * Depth > 2 ? $clog2(NumVc * Depth) : 1),
  localparam int unsigned CheckW = SeqW + 16,
  localparam int unsigned IdxW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned BackW = NumVc + IdxW + $clog2(Depth + 1) + SeqW + 1 + 16
) (
  /// Clock.
  input  logic                        clk_i,
  /// Asynchronous reset, active low.
  input  logic                        rst_ni,
  /// From the sender: it carries a flit.
  input  logic                        rx_valid_i,
  /// From the sender: it is the last of its packet.
  input  logic                        rx_last_i,
  /// From the sender: the flit.
  input  logic [FlitW-1:0]            rx_data_i,
  /// From the sender: its VC.
  input  logic [VcW-1:0]              rx_vc_i,
  /// From the sender: its packet's stamp.
  input  logic [StampW-1:0]           rx_stamp_i,
  /// To the sender: credits.
  output logic [NumVc-1:0]            rx_credit_o,
  /// To the wires: it carries a flit. Everything below is 0 without one.
  output logic                        tx_valid_o,
  /// To the wires: it is the last of its packet.
  output logic                        tx_last_o,
  /// To the wires: the flit.
  output logic [FlitW-1:0]            tx_data_o,
  /// To the wires: its VC.
  output logic [VcW-1:0]              tx_vc_o,
  /// To the wires: its packet's stamp.
  output logic [StampW-1:0]           tx_stamp_o,
  /// To the wires: CRC of the word, and below it the flit's number.
  output logic [CheckW-1:0]           tx_check_o,
  /// From the wires: the back word.
  input  logic [BackW-1:0]            tx_back_i,
  /// Back words that were not good since the first good one.
  output logic [weft_pkg::CountW-1:0] errors_o,
  /// Goings back that had flits to send again.
  output logic [weft_pkg::CountW-1:0] retries_o,
  /// It has gone back `Limit` times without an acknowledgement.
  output logic                        stuck_o
);

  `WEFT_PARAM(gen_check_widths, FlitW >= 1 && VcW >= 1)
  `WEFT_PARAM(gen_check_num_vc, NumVc >= 1)
  `WEFT_PARAM(gen_check_depth, Depth >= 1 && NumVc * Depth <= 32768)
  `WEFT_PARAM(gen_check_timeout, Timeout >= 1 && Timeout <= 65535)
  `WEFT_PARAM(gen_check_limit, Limit >= 1 && Limit <= 255)

  localparam int unsigned CountW = weft_pkg::CountW;
  localparam int unsigned Replay = 1 << (SeqW - 1);
  localparam int unsigned SlotW  = SeqW - 1;
  localparam int unsigned KeptW  = 1 + VcW + StampW + FlitW;
  localparam int unsigned TimerW = $clog2(Timeout + 1);
  localparam int unsigned TriesW = $clog2(Limit + 1);

  // The back word.
  logic            good, request, request_q;
  logic [SeqW-1:0] expected;

  weft_credit_rx #(
    .NumVc(NumVc),
    .Depth(Depth),
    .MoreW(SeqW + 1)
  ) u_credit_rx (
    .clk_i,
    .rst_ni,
    .back_i  (tx_back_i),
    .credit_o(rx_credit_o),
    .good_o  (good),
    .more_o  ({request, expected}),
    .errors_o
  );

  // Numbers: of the next flit to come, of the next to be sent, and of the first that the receiver
  // is not known to have. Differences from the last are 0 to Replay.
  logic [SeqW-1:0] next_q, send_q, acked_q;
  logic [SeqW-1:0] acked, sent, flying;  // after this cycle's word; after this cycle's flit
  logic            advance, back, again, waits;
  assign flying  = next_q - acked_q;
  assign advance = good && expected != acked_q && expected - acked_q <= flying;
  assign acked   = advance ? expected : acked_q;

  // Going back.
  logic [TimerW-1:0] timer_q;
  logic              pending, timeout;
  assign pending = acked != next_q;
  assign timeout = pending && !advance && timer_q == TimerW'(Timeout);
  assign back    = (good && request != request_q) || timeout;
  assign again   = back && send_q - acked_q > acked - acked_q;

  // In a cycle without going back the oldest flit that is not sent is: a kept one or the sender's.
  logic             send;
  logic [SeqW-1:0]  send_d;
  logic [KeptW-1:0] coming, kept, going;
  assign waits  = send_q != next_q;
  assign send   = !back && (waits || rx_valid_i);
  assign sent   = send_q + SeqW'(send);
  assign send_d = back || sent - acked_q < acked - acked_q ? acked : sent;
  assign coming = {rx_last_i, rx_vc_i, rx_stamp_i, rx_data_i};
  assign going  = waits ? kept : coming;

  // The replay buffer is read one cycle ahead. A flit that is due in the next cycle, and comes in
  // this one, is beside it.
  logic             beside, beside_q;
  logic [KeptW-1:0] beside_flit_q, stored;
  assign beside = rx_valid_i && send_d == next_q;
  assign kept   = beside_q ? beside_flit_q : stored;

  weft_ram #(
    .DataW(KeptW),
    .Depth(Replay)
  ) u_replay (
    .clk_i,
    .rst_ni,
    .wen_i  (rx_valid_i),
    .widx_i (next_q[SlotW-1:0]),
    .wdata_i(coming),
    .ren_i  (!beside),
    .ridx_i (send_d[SlotW-1:0]),
    .rdata_o(stored)
  );

  // The forward word.
  logic [15:0]      crc;
  logic             valid_q;
  logic [KeptW-1:0] word_q;
  logic [CheckW-1:0] check_q;

  weft_check_code #(
    .Width(SeqW + 1 + KeptW),
    .Crc  (1'b1)
  ) u_check (
    .data_i ({send_q, 1'b1, going}),
    .check_o(crc)
  );

  logic [TriesW-1:0] tries_q, tries;  // goings back in vain since the last advance, up to Limit
  logic [CountW-1:0] retries_q;
  assign tries = advance ? '0 : tries_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q    <= '0;
      send_q    <= '0;
      acked_q   <= '0;
      request_q <= 1'b0;
      timer_q   <= '0;
      beside_q  <= 1'b0;
      valid_q   <= 1'b0;
      word_q    <= '0;
      check_q   <= '0;
      tries_q   <= '0;
      retries_q <= '0;
    end else begin
      next_q    <= next_q + SeqW'(rx_valid_i);
      send_q    <= send_d;
      acked_q   <= acked;
      if (good) request_q <= request;
      timer_q   <= !pending || advance || back ? '0 : timer_q + 1'b1;
      beside_q  <= beside;
      valid_q   <= send;
      word_q    <= send ? going : '0;
      check_q   <= send ? {crc, send_q} : '0;
      tries_q   <= tries + TriesW'(back && pending && tries != TriesW'(Limit));
      retries_q <= retries_q + CountW'(again);
    end
  end

  always_ff @(posedge clk_i) begin
    if (beside) beside_flit_q <= coming;
  end

  assign tx_valid_o = valid_q;
  assign {tx_last_o, tx_vc_o, tx_stamp_o, tx_data_o} = word_q;
  assign tx_check_o = check_q;
  assign retries_o  = retries_q;
  assign stuck_o    = tries_q == TriesW'(Limit);

  `WEFT_ASSUME(SenderQuiet, rx_valid_i || coming == '0)
  `WEFT_ASSUME(RoomForFlit, !(rx_valid_i && flying == SeqW'(Replay)))
  `WEFT_ASSERT(InFlight, flying <= SeqW'(Replay))
  `WEFT_ASSERT(SentInFlight, send_q - acked_q <= flying)
  `WEFT_ASSERT(TimerInRange, {1'b0, timer_q} <= (TimerW + 1)'(Timeout))

endmodule

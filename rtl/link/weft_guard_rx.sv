// Receiver's end of a link whose errors are contained: words with a wrong check code are ignored.
// What was lost shows in the numbers of the next word of its VC: the packet that has begun gets a
// tail with wrong parity, the rest of it is discarded, the slots become free, and packets whose
// head did not come are counted. So the receiver sees whole packets only.

`include "weft_assert.svh"

module weft_guard_rx #(
  /// VCs of the link; 1 or more.
  parameter int unsigned NumVc = 1,
  /// Width of the number of a VC, bits; 1 or more.
  parameter int unsigned VcW = 1,
  /// Slots of a VC's buffer in the receiver, 1 to 2,047.
  parameter int unsigned Depth = 4,
  /// Width of a flit with its parity, bits; more than `AddrW`.
  parameter int unsigned FlitW = 65,
  /// Dimensions of addresses; 1 or more.
  parameter int unsigned NumDims = 2,
  /// Maximum coordinate of each dimension, `DigitParamW` bits each, dimension 0 lowest.
  parameter logic [NumDims*weft_pkg::DigitParamW-1:0] MaxCoords =
      {NumDims{weft_pkg::DigitParamW'(3)}},
  /// Width of addresses, bits.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  // Derived.
  localparam int unsigned StampW = weft_pkg::StampW,
  localparam int unsigned IdxW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned CheckW = 1 + 2 * CountW + 8,
  localparam int unsigned BackW = NumVc + IdxW + CountW + 8
) (
  /// Clock.
  input  logic                        clk_i,
  /// Asynchronous reset, active low.
  input  logic                        rst_ni,
  /// Forward word, as `guard_tx` sends it; any bit may be wrong: it carries a flit.
  input  logic                        rx_valid_i,
  /// Forward word: it is the last of its packet.
  input  logic                        rx_last_i,
  /// Forward word: the flit.
  input  logic [FlitW-1:0]            rx_data_i,
  /// Forward word: the VC that it is about.
  input  logic [VcW-1:0]              rx_vc_i,
  /// Forward word: its packet's stamp.
  input  logic [StampW-1:0]           rx_stamp_i,
  /// Forward word: inverted check code, numbers of packets and flits before it, first of its
  /// packet.
  input  logic [CheckW-1:0]           rx_check_i,
  /// Back word.
  output logic [BackW-1:0]            rx_back_o,
  /// To the receiver: it carries a flit.
  output logic                        tx_valid_o,
  /// To the receiver: it is the last of its packet.
  output logic                        tx_last_o,
  /// To the receiver: the flit.
  output logic [FlitW-1:0]            tx_data_o,
  /// To the receiver: its VC.
  output logic [VcW-1:0]              tx_vc_o,
  /// To the receiver: its packet's stamp.
  output logic [StampW-1:0]           tx_stamp_o,
  /// From the receiver: credits.
  input  logic [NumVc-1:0]            tx_credit_i,
  /// Packets of which nothing went to the receiver, so far.
  output logic [weft_pkg::CountW-1:0] lost_o,
  /// Words that were not good, so far, from the first good one on.
  output logic [weft_pkg::CountW-1:0] errors_o
);

  localparam logic [weft_pkg::CoordsW-1:0] Coords = weft_pkg::CoordsW'(MaxCoords);

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 1 && VcW >= IdxW)
  `WEFT_PARAM(gen_check_depth, Depth >= 1 && Depth <= 2047)
  `WEFT_PARAM(gen_check_flit_w, AddrW >= 1 && FlitW > AddrW)
  `WEFT_PARAM(gen_check_num_dims, NumDims >= 1 && NumDims <= weft_pkg::MaxDims)
  `WEFT_PARAM(gen_check_digits, weft_pkg::digit_lsb(Coords, NumDims) <= AddrW)

  localparam int unsigned WordW = 2 * CountW + 3 + VcW + StampW + FlitW;
  localparam int unsigned LinkW = 2 + VcW + StampW + FlitW;

  // The word.
  logic              head, good;
  logic [CountW-1:0] flits, packets;
  logic [7:0]        code;
  assign {packets, flits, head} = rx_check_i[CheckW-9:0];

  weft_check_code #(
    .Width(WordW),
    .Crc  (1'b0)
  ) u_check (
    .data_i ({rx_check_i[CheckW-9:0], rx_valid_i, rx_last_i, rx_vc_i, rx_stamp_i, rx_data_i}),
    .check_o(code)
  );
  assign good = code == ~rx_check_i[CheckW-1 -: 8] && 32'(rx_vc_i) < NumVc;

  // State of its VC.
  logic [NumVc-1:0]        all_open;
  logic [NumVc*CountW-1:0] all_flits, all_packets;
  logic                    was_open;
  logic [CountW-1:0]       next_flit, next_packet;
  always_comb begin
    was_open    = 1'b0;
    next_flit   = '0;
    next_packet = '0;
    for (int unsigned v = 0; v < NumVc; v++) begin
      if (32'(rx_vc_i) == v) begin
        was_open    = all_open[v];
        next_flit   = all_flits[v*CountW +: CountW];
        next_packet = all_packets[v*CountW +: CountW];
      end
    end
  end

  // Lost flits, and what they leave of the state.
  logic              breaks, open;
  logic [CountW-1:0] lost;
  assign lost   = flits - next_flit;
  assign breaks = lost != '0 && was_open;  // If the word is good.
  assign open   = was_open && !breaks;

  // The destination exists.
  logic [NumDims-1:0] digit_fits;
  logic [AddrW-1:0]   dst;
  assign dst = rx_data_i[AddrW-1:0];
  for (genvar d = 0; d < NumDims; d++) begin : gen_dim
    localparam int unsigned Last =
        32'(MaxCoords[d*weft_pkg::DigitParamW +: weft_pkg::DigitParamW]);
    localparam int unsigned DigitW = $clog2(Last + 1);
    if (DigitW == 0) begin : gen_single
      assign digit_fits[d] = 1'b1;
    end else begin : gen_digit
      assign digit_fits[d] = 32'(dst[weft_pkg::digit_lsb(Coords, d) +: DigitW]) <= Last;
    end
  end
  logic exists;
  assign exists = &digit_fits && 32'(dst) >> weft_pkg::digit_lsb(Coords, NumDims) == 0;

  // What becomes of the flit.
  logic [LinkW-1:0] skid_q, skid_d, tx_q, tx_d;
  logic             skid, head_comes, head_passes, body_passes, passes, no_room, drops;
  assign skid        = skid_q[LinkW-1];
  assign head_comes  = good && rx_valid_i && head;
  assign no_room     = head_comes && breaks && skid;
  assign head_passes = head_comes && !no_room && exists && !(^{rx_last_i, rx_data_i});
  assign body_passes = good && rx_valid_i && !head && open;
  assign passes      = head_passes || body_passes;
  assign drops       = good && rx_valid_i && !passes;

  // The tail of a packet that breaks goes at once: no body behind it passes, a head only if both
  // have a register.
  logic sends_tail;
  assign sends_tail = good && breaks;

  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic              hit, open_q;
    logic [CountW-1:0] flits_q, packets_q;
    assign hit = good && 32'(rx_vc_i) == v;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        open_q    <= 1'b0;
        flits_q   <= '0;
        packets_q <= '0;
      end else if (hit) begin
        open_q    <= passes ? !rx_last_i : open;
        flits_q   <= flits + CountW'(rx_valid_i);
        packets_q <= packets + CountW'(head);
      end
    end
    assign all_open[v]                     = open_q;
    assign all_flits[v*CountW +: CountW]   = flits_q;
    assign all_packets[v*CountW +: CountW] = packets_q;
  end

  // The flit or tail goes to the link register, behind what waits before that.
  logic [LinkW-1:0] flit, made;
  assign flit   = {1'b1, rx_last_i, rx_vc_i, rx_stamp_i, rx_data_i};
  assign made   = {2'b11, rx_vc_i, StampW'(0), FlitW'(0)};
  assign tx_d   = skid ? skid_q : sends_tail ? made : passes ? flit : '0;
  assign skid_d = !skid && !(passes && sends_tail) ? '0
                : passes ? flit : sends_tail ? made : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tx_q   <= '0;
      skid_q <= '0;
    end else begin
      tx_q   <= tx_d;
      skid_q <= skid_d;
    end
  end
  assign {tx_valid_o, tx_last_o, tx_vc_o, tx_stamp_o, tx_data_o} = tx_q;

  // Slots that become free: of lost flits, but for that of the tail, and of the flit dropped.
  logic [CountW-1:0] add;
  assign add = good ? lost - CountW'(breaks) + CountW'(drops) : '0;

  weft_credit_tx #(
    .NumVc(NumVc),
    .Depth(Depth),
    .MoreW(0),
    .Crc  (1'b0)
  ) u_credit_tx (
    .clk_i,
    .rst_ni,
    .credit_i(tx_credit_i),
    .add_vc_i(IdxW'(rx_vc_i)),
    .add_i   (add),
    .more_i  (1'b0),
    .back_o  (rx_back_o)
  );

  logic [weft_pkg::CountW-1:0] lost_q, errors_q;
  logic                        started_q;  // A good word has come.
  logic [CountW-1:0]           headless;  // Packets whose head did not come.
  assign headless = packets - next_packet;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lost_q    <= '0;
      errors_q  <= '0;
      started_q <= 1'b0;
    end else begin
      if (good) begin
        lost_q <= lost_q + weft_pkg::CountW'(headless) +
            weft_pkg::CountW'(head_comes && !head_passes);
      end
      errors_q  <= errors_q + weft_pkg::CountW'(started_q && !good);
      started_q <= started_q || good;
    end
  end
  assign lost_o   = lost_q;
  assign errors_o = errors_q;

  `WEFT_ASSERT(QuietWithoutFlit, tx_valid_o || tx_q == '0)

endmodule

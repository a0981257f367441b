// Proof of the registers of a link: what one freely chosen cycle (`track_i`) shows at one side is
// at the other exactly `Stages` cycles later, in both directions, and until `Stages` cycles after a
// reset nothing is.

`include "weft_assert.svh"

module link_stage_props #(
  parameter int unsigned Stages = 3,
  parameter int unsigned FlitW = 3,
  parameter int unsigned VcW = 2,
  parameter int unsigned BackW = 3,
  parameter int unsigned CheckW = 1,
  localparam int unsigned StampW = weft_pkg::StampW
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              rx_valid_i,
  input logic              rx_last_i,
  input logic [FlitW-1:0]  rx_data_i,
  input logic [VcW-1:0]    rx_vc_i,
  input logic [StampW-1:0] rx_stamp_i,
  input logic [CheckW-1:0] rx_check_i,
  input logic [BackW-1:0]  tx_back_i,
  input logic              track_i
);

  logic              tx_valid, tx_last;
  logic [FlitW-1:0]  tx_data;
  logic [VcW-1:0]    tx_vc;
  logic [StampW-1:0] tx_stamp;
  logic [CheckW-1:0] tx_check;
  logic [BackW-1:0]  rx_back;

  weft_link_stage #(
    .Stages(Stages),
    .FlitW (FlitW),
    .VcW   (VcW),
    .BackW (BackW),
    .CheckW(CheckW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .rx_valid_i,
    .rx_last_i,
    .rx_data_i,
    .rx_vc_i,
    .rx_stamp_i,
    .rx_check_i,
    .rx_back_o (rx_back),
    .tx_valid_o(tx_valid),
    .tx_last_o (tx_last),
    .tx_data_o (tx_data),
    .tx_vc_o   (tx_vc),
    .tx_stamp_o(tx_stamp),
    .tx_check_o(tx_check),
    .tx_back_i
  );

  // In an order of its own: not that of the registers inside.
  localparam int unsigned WordW = 2 + FlitW + VcW + StampW + CheckW;
  logic [WordW-1:0] sent, got, word_q;
  logic [BackW-1:0] back_q;
  logic             chosen_q;
  logic [7:0]       age_q, old_q;  // of the choice; cycles since reset, up to Stages
  assign sent = {rx_check_i, rx_data_i, rx_stamp_i, rx_vc_i, rx_last_i, rx_valid_i};
  assign got  = {tx_check, tx_data, tx_stamp, tx_vc, tx_last, tx_valid};

  `WEFT_ASSUME(SenderQuiet, CheckW > 1 || rx_valid_i || sent == '0)

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chosen_q <= 1'b0;
      age_q    <= '0;
      old_q    <= '0;
      word_q   <= '0;
      back_q   <= '0;
    end else begin
      if (old_q < 8'(Stages)) old_q <= old_q + 8'd1;
      if (!chosen_q && track_i) begin
        chosen_q <= 1'b1;
        age_q    <= 8'd1;
        word_q   <= sent;
        back_q   <= tx_back_i;
      end else if (age_q <= 8'(Stages)) begin
        age_q <= age_q + 8'd1;
      end
    end
  end

  `WEFT_ASSERT(ArrivesInTime, !(chosen_q && age_q == 8'(Stages)) || got == word_q)
  `WEFT_ASSERT(ReturnsInTime, !(chosen_q && age_q == 8'(Stages)) || rx_back == back_q)
  `WEFT_ASSERT(NothingAfterReset, old_q == 8'(Stages) || {got, rx_back} == '0)

endmodule

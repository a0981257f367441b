// Proof of the crossbar: its blocks keep what they ask of each other (their WEFT_ASSUMEs are
// assertions here), the links obey Buffer-Full, and packets are not interleaved on their way to
// output 0. Senders obey Buffer-Full and nothing more. 2 outputs, first switches of 2 inputs.

`include "weft_assert.svh"

module crossbar_props #(
  parameter int unsigned FlitW = 16,
  parameter int unsigned NumOut = 2,
  parameter bit          Detour = 1'b1,
  parameter int unsigned NumIn = 4,
  parameter int unsigned FirstIn = 2,
  parameter int unsigned InDepth = 3,
  parameter int unsigned OutDepth = 1,
  parameter int unsigned DigitLsb = 0,
  parameter int unsigned DigitW = 1,
  localparam int unsigned AddrW = weft_pkg::AddrW,
  localparam int unsigned NumTx = Detour ? 2 * NumOut : NumOut
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [AddrW-1:0]       own_i,
  input logic [NumIn-1:0]       rx_valid_i,
  input logic [NumIn-1:0]       rx_last_i,
  input logic [NumIn*FlitW-1:0] rx_data_i,
  input logic [NumTx-1:0]       tx_full_i
);

  logic [NumIn-1:0]       rx_full;
  logic [NumTx-1:0]       tx_valid, tx_last;
  logic [NumTx*FlitW-1:0] tx_data;

  crossbar #(
    .FlitW   (FlitW),
    .NumOut  (NumOut),
    .Detour  (Detour),
    .NumIn   (NumIn),
    .FirstIn (FirstIn),
    .InDepth (InDepth),
    .OutDepth(OutDepth),
    .DigitLsb(DigitLsb),
    .DigitW  (DigitW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .own_i,
    .rx_valid_i,
    .rx_last_i,
    .rx_data_i,
    .rx_full_o (rx_full),
    .tx_valid_o(tx_valid),
    .tx_last_o (tx_last),
    .tx_data_o (tx_data),
    .tx_full_i
  );

  // Wires inside: input registers' requests, what is taken for output 0, the word before its
  // buffer.
  localparam int unsigned NumFirst = (NumIn + FirstIn - 1) / FirstIn;
  localparam int unsigned NumPad = NumFirst * FirstIn;
  (* hierconn *) wire [NumPad*NumOut-1:0] \u_dut.valid_in ;
  (* hierconn *) wire [NumPad-1:0] \u_dut.last_in ;
  (* hierconn *) wire [NumPad*FlitW-1:0] \u_dut.data_in ;
  (* hierconn *) wire [NumPad-1:0] \u_dut.ready_in ;
  (* hierconn *) wire [NumOut*NumPad-1:0] \u_dut.ready_out ;
  (* hierconn *) wire \u_dut.gen_out[0].out_valid ;
  (* hierconn *) wire \u_dut.gen_out[0].out_ready ;
  (* hierconn *) wire \u_dut.gen_out[0].out_last ;
  (* hierconn *) wire [FlitW-1:0] \u_dut.gen_out[0].out_data ;

  logic [NumIn-1:0] rx_full_q;
  logic [NumTx-1:0] tx_full_q;
  logic             past_q, inside_q;
  logic [AddrW-1:0] own_q;
  logic [NumPad-1:0] taken, asking, source_q;
  logic [FlitW-1:0] selected;
  assign taken = \u_dut.ready_out [0 +: NumPad];
  always_comb begin
    selected = '0;
    for (int unsigned i = 0; i < NumPad; i++) begin
      asking[i] = \u_dut.valid_in [i*NumOut];
      if (taken[i]) selected = selected | \u_dut.data_in [i*FlitW +: FlitW];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q    <= 1'b0;
      own_q     <= '0;
      rx_full_q <= '0;
      tx_full_q <= '0;
      inside_q  <= 1'b0;
      source_q  <= '0;
    end else begin
      past_q    <= 1'b1;
      own_q     <= own_i;
      rx_full_q <= rx_full;
      tx_full_q <= tx_full_i;
      if (taken != '0) begin
        inside_q <= (taken & \u_dut.last_in ) == '0;
        source_q <= taken;
      end
    end
  end

  `WEFT_ASSUME(SendersObeyFull, (rx_valid_i & rx_full_q) == '0)
  `WEFT_ASSUME(OwnPlaceIsConstant, !past_q || own_i == own_q)

  `WEFT_ASSERT(ObeysFull, (tx_valid & tx_full_q) == '0)
  `WEFT_ASSERT(OneInput, (taken & (taken - 1'b1)) == '0)
  `WEFT_ASSERT(TakenForThisOutput, (taken & ~asking) == '0 && (taken & ~\u_dut.ready_in ) == '0)
  `WEFT_ASSERT(TakenIsPassed, (taken != '0) == (\u_dut.gen_out[0].out_valid &&
      \u_dut.gen_out[0].out_ready ))
  `WEFT_ASSERT(WordUnchanged, taken == '0 || \u_dut.gen_out[0].out_data == selected)
  `WEFT_ASSERT(LastUnchanged, taken == '0 ||
      \u_dut.gen_out[0].out_last == ((taken & \u_dut.last_in ) != '0))
  `WEFT_ASSERT(NotInterleaved, !inside_q || taken == '0 || taken == source_q)

  // Invariants that close the induction: the switches stay with the packet.
  (* hierconn *) wire [FirstIn-1:0] \u_dut.gen_out[0].gen_first[0].u_first.gnt ;
  (* hierconn *) wire [FirstIn-1:0] \u_dut.gen_out[0].gen_first[1].u_first.gnt ;
  (* hierconn *) wire [NumFirst-1:0] \u_dut.gen_out[0].gen_second.u_second.gnt ;
  if (NumFirst == 2) begin : gen_two_stages
    logic [NumPad-1:0] granted;
    assign granted = {\u_dut.gen_out[0].gen_first[1].u_first.gnt ,
                      \u_dut.gen_out[0].gen_first[0].u_first.gnt } &
                     {{FirstIn{\u_dut.gen_out[0].gen_second.u_second.gnt [1]}},
                      {FirstIn{\u_dut.gen_out[0].gen_second.u_second.gnt [0]}}};
    `WEFT_ASSERT(GrantsKept, !inside_q || (granted == source_q && source_q != '0))
  end else begin : gen_one_stage
    `WEFT_ASSERT(GrantKept, !inside_q ||
        (\u_dut.gen_out[0].gen_first[0].u_first.gnt == source_q && source_q != '0))
  end

endmodule

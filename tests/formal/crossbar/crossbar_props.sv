// Proof of the crossbar: its blocks meet each other's assumptions (their WEFT_ASSUMEs are
// assertions here), the links obey Buffer-Full, packets are not interleaved on their way to an
// output (`which_i` is free and constant), and detours pass their input's words on. The only
// assumption is that senders obey Buffer-Full. 2 outputs, one first switch or two.

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
  input logic [NumTx-1:0]       tx_full_i,
  input logic                   which_i
);

  logic [NumIn-1:0]       rx_full;
  logic [NumTx-1:0]       tx_valid, tx_last;
  logic [NumTx*FlitW-1:0] tx_data;

  weft_crossbar #(
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

  // Wires inside: requests of the input registers, words taken for output 0, the word before its
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
  (* hierconn *) wire \u_dut.gen_out[1].out_valid ;
  (* hierconn *) wire \u_dut.gen_out[1].out_ready ;
  (* hierconn *) wire \u_dut.gen_out[1].out_last ;
  (* hierconn *) wire [FlitW-1:0] \u_dut.gen_out[1].out_data ;
  logic             out_valid, out_ready, out_last;
  logic [FlitW-1:0] out_data;
  assign out_valid = which_i ? \u_dut.gen_out[1].out_valid : \u_dut.gen_out[0].out_valid ;
  assign out_ready = which_i ? \u_dut.gen_out[1].out_ready : \u_dut.gen_out[0].out_ready ;
  assign out_last  = which_i ? \u_dut.gen_out[1].out_last : \u_dut.gen_out[0].out_last ;
  assign out_data  = which_i ? \u_dut.gen_out[1].out_data : \u_dut.gen_out[0].out_data ;

  logic [NumIn-1:0] rx_full_q;
  logic [NumTx-1:0] tx_full_q;
  logic             past_q, inside_q, which_q;
  logic [AddrW-1:0] own_q;
  logic [NumPad-1:0] taken, asking, source_q;
  logic [FlitW-1:0] selected;
  assign taken = which_i ? \u_dut.ready_out [NumPad +: NumPad] : \u_dut.ready_out [0 +: NumPad];
  always_comb begin
    selected = '0;
    for (int unsigned i = 0; i < NumPad; i++) begin
      asking[i] = which_i ? \u_dut.valid_in [i*NumOut+1] : \u_dut.valid_in [i*NumOut];
      if (taken[i]) selected = selected | \u_dut.data_in [i*FlitW +: FlitW];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q    <= 1'b0;
      which_q   <= 1'b0;
      own_q     <= '0;
      rx_full_q <= '0;
      tx_full_q <= '0;
      inside_q  <= 1'b0;
      source_q  <= '0;
    end else begin
      past_q    <= 1'b1;
      which_q   <= which_i;
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
  `WEFT_ASSUME(OutputIsConstant, !past_q || which_i == which_q)

  `WEFT_ASSERT(ObeysFull, (tx_valid & tx_full_q) == '0)
  `WEFT_ASSERT(OneInput, (taken & (taken - 1'b1)) == '0)
  `WEFT_ASSERT(TakenForThisOutput, (taken & ~asking) == '0 && (taken & ~\u_dut.ready_in ) == '0)
  `WEFT_ASSERT(TakenIsPassed, (taken != '0) == (out_valid && out_ready))
  `WEFT_ASSERT(WordUnchanged, taken == '0 || out_data == selected)
  `WEFT_ASSERT(LastUnchanged, taken == '0 ||
      out_last == ((taken & \u_dut.last_in ) != '0))
  `WEFT_ASSERT(NotInterleaved, !inside_q || taken == '0 || taken == source_q)

  // Detours: a word that the detour takes from its input is on the detour's link in the next cycle.
  (* hierconn *) wire [NumOut:0] \u_dut.gen_in[0].req ;
  (* hierconn *) wire [NumOut:0] \u_dut.gen_in[1].req ;
  (* hierconn *) wire \u_dut.gen_in[0].ready ;
  (* hierconn *) wire \u_dut.gen_in[1].ready ;
  if (Detour) begin : gen_detours
    logic             asked, passes, passed_q, last_q;
    logic [FlitW-1:0] data_q;
    assign asked  = which_i ? \u_dut.gen_in[1].req [NumOut] : \u_dut.gen_in[0].req [NumOut];
    assign passes = asked && (which_i ? \u_dut.gen_in[1].ready : \u_dut.gen_in[0].ready );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        passed_q <= 1'b0;
        last_q   <= 1'b0;
        data_q   <= '0;
      end else begin
        passed_q <= passes;
        last_q   <= passes && \u_dut.last_in [which_i];
        data_q   <= !passes ? '0 :
                    which_i ? \u_dut.data_in [FlitW +: FlitW] : \u_dut.data_in [0 +: FlitW];
      end
    end
    `WEFT_ASSERT(DetourPasses, tx_valid[NumOut+32'(which_i)] == passed_q &&
        tx_last[NumOut+32'(which_i)] == last_q &&
        tx_data[(NumOut+32'(which_i))*FlitW +: FlitW] == data_q)
    `WEFT_ASSERT(DetourNotHeld, !asked || passes || tx_full_i[NumOut+32'(which_i)])
  end

  // Invariants that close the induction: the switches are held by the packet.
  (* hierconn *) wire [FirstIn-1:0] \u_dut.gen_out[0].gen_first[0].u_first.gnt ;
  (* hierconn *) wire [FirstIn-1:0] \u_dut.gen_out[0].gen_first[1].u_first.gnt ;
  (* hierconn *) wire [NumFirst-1:0] \u_dut.gen_out[0].gen_second.u_second.gnt ;
  (* hierconn *) wire [FirstIn-1:0] \u_dut.gen_out[1].gen_first[0].u_first.gnt ;
  (* hierconn *) wire [FirstIn-1:0] \u_dut.gen_out[1].gen_first[1].u_first.gnt ;
  (* hierconn *) wire [NumFirst-1:0] \u_dut.gen_out[1].gen_second.u_second.gnt ;
  if (NumFirst == 2) begin : gen_two_stages
    logic [NumPad-1:0] granted;
    logic [NumPad-1:0]   first;
    logic [NumFirst-1:0] second;
    assign first   = which_i ? {\u_dut.gen_out[1].gen_first[1].u_first.gnt ,
                                \u_dut.gen_out[1].gen_first[0].u_first.gnt } :
                               {\u_dut.gen_out[0].gen_first[1].u_first.gnt ,
                                \u_dut.gen_out[0].gen_first[0].u_first.gnt };
    assign second  = which_i ? \u_dut.gen_out[1].gen_second.u_second.gnt :
                               \u_dut.gen_out[0].gen_second.u_second.gnt ;
    assign granted = first & {{FirstIn{second[1]}}, {FirstIn{second[0]}}};
    `WEFT_ASSERT(GrantsKept, !inside_q || (granted == source_q && source_q != '0))
  end else begin : gen_one_stage
    logic [FirstIn-1:0] granted;
    assign granted = which_i ? \u_dut.gen_out[1].gen_first[0].u_first.gnt :
                               \u_dut.gen_out[0].gen_first[0].u_first.gnt ;
    `WEFT_ASSERT(GrantKept, !inside_q ||
        (granted == source_q && source_q != '0))
  end

endmodule

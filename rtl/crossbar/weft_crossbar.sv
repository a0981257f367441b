// Crossbar (seed 002 figs 3 and 6): an input buffer circuit at each input, one or two stages of
// switches in front of each output, an output buffer at each output.
//
// 2n inputs, n outputs and n detours: inputs 0 to n-1 come from below (processors or lower
// crossbars) and can take the detour to the next dimension, inputs n to 2n-1 come from the next
// dimension and cannot. n inputs, n outputs (top dimension, fig. 6): no detour. Two stages when
// there is more than one first-stage switch for an output: `FirstIn` inputs each (32:1 at full
// size), then one switch over the first-stage switches (4:1 at full size).

`include "weft_assert.svh"

module weft_crossbar #(
  /// Word width, bits (data and parity).
  parameter int unsigned FlitW = 64,
  /// Outputs n to processors or lower crossbars.
  parameter int unsigned NumOut = 4,
  /// 1: 2n inputs and n detour outputs; 0: no detour.
  parameter bit          Detour = 1'b1,
  /// Inputs: 2n with detours, else any number.
  parameter int unsigned NumIn = 8,
  /// Inputs of a first-stage switch.
  parameter int unsigned FirstIn = 2,
  /// Capacity of an input buffer, words.
  parameter int unsigned InDepth = 8,
  /// Capacity of an output buffer, words; 1 or more.
  parameter int unsigned OutDepth = 4,
  /// Destination decoder: weft_pkg::RouteDigit or weft_pkg::RouteSwitch.
  parameter int unsigned Route = weft_pkg::RouteDigit,
  /// Lowest bit of the address digit that is decoded.
  parameter int unsigned DigitLsb = 0,
  /// Width of that digit.
  parameter int unsigned DigitW = 2,
  /// Width of an address, bits: weft_pkg::AddrW to MaxAddrW.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  // Derived: link outputs, the detours last.
  localparam int unsigned NumTx = Detour ? 2 * NumOut : NumOut
) (
  /// Clock.
  input  logic                       clk_i,
  /// Asynchronous reset, active low.
  input  logic                       rst_ni,
  /// Own address.
  input  logic [AddrW-1:0]           own_i,
  /// Incoming links: Data-Valid.
  input  logic [NumIn-1:0]           rx_valid_i,
  /// Incoming links: Data-End.
  input  logic [NumIn-1:0]           rx_last_i,
  /// Incoming links: words, link 0 lowest.
  input  logic [NumIn*FlitW-1:0]     rx_data_i,
  /// Incoming links: Buffer-Full.
  output logic [NumIn-1:0]           rx_full_o,
  /// Outgoing links: Data-Valid; outputs first, then detours.
  output logic [NumTx-1:0]           tx_valid_o,
  /// Outgoing links: Data-End.
  output logic [NumTx-1:0]           tx_last_o,
  /// Outgoing links: words.
  output logic [NumTx*FlitW-1:0]     tx_data_o,
  /// Outgoing links: Buffer-Full.
  input  logic [NumTx-1:0]           tx_full_i
);

  `WEFT_PARAM(gen_check_addr_w, AddrW >= weft_pkg::AddrW && AddrW <= weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_inputs, !Detour || NumIn == 2 * NumOut)
  `WEFT_PARAM(gen_check_depth, OutDepth >= 1)
  `WEFT_PARAM(gen_check_first, FirstIn >= 1 && FirstIn <= NumIn)

  localparam int unsigned NumFirst = (NumIn + FirstIn - 1) / FirstIn;
  // The last first-stage switch may have unused inputs, which are tied to 0.
  localparam int unsigned NumPad   = NumFirst * FirstIn;

  logic [NumPad*NumOut-1:0] valid_in;    // input by input
  logic [NumPad-1:0]        last_in;
  logic [NumPad*FlitW-1:0]  data_in;
  logic [NumPad-1:0]        ready_in;
  logic [NumOut*NumPad-1:0] ready_out;   // output by output

  // Input buffer circuits 10 (with detour) and 11 (without), 60 in the top dimension.
  for (genvar i = 0; i < NumIn; i++) begin : gen_in
    localparam bit HasDetour = Detour && i < NumOut;
    localparam int unsigned NumDest = HasDetour ? NumOut + 1 : NumOut;
    logic [NumDest-1:0] req;
    logic               ready;

    weft_input_buffer #(
      .FlitW   (FlitW),
      .Depth   (InDepth),
      .NumDest (NumDest),
      .Detour  (HasDetour),
      .Route   (Route),
      .DigitLsb(DigitLsb),
      .DigitW  (DigitW),
      .AddrW   (AddrW)
    ) u_buffer (
      .clk_i,
      .rst_ni,
      .own_i,
      .valid_i(rx_valid_i[i]),
      .last_i (rx_last_i[i]),
      .data_i (rx_data_i[i*FlitW +: FlitW]),
      .full_o (rx_full_o[i]),
      .req_o  (req),
      .last_o (last_in[i]),
      .data_o (data_in[i*FlitW +: FlitW]),
      .ready_i(ready)
    );
    assign valid_in[i*NumOut +: NumOut] = req[NumOut-1:0];

    if (HasDetour) begin : gen_detour
      logic ready_detour;
      weft_output_buffer #(
        .FlitW(FlitW),
        .Depth(0)
      ) u_detour (
        .clk_i,
        .rst_ni,
        .valid_i(req[NumOut]),
        .last_i (last_in[i]),
        .data_i (data_in[i*FlitW +: FlitW]),
        .ready_o(ready_detour),
        .full_i (tx_full_i[NumOut+i]),
        .valid_o(tx_valid_o[NumOut+i]),
        .last_o (tx_last_o[NumOut+i]),
        .data_o (tx_data_o[(NumOut+i)*FlitW +: FlitW])
      );
      assign ready = ready_in[i] || (req[NumOut] && ready_detour);
    end else begin : gen_no_detour
      assign ready = ready_in[i];
    end
  end

  if (NumPad > NumIn) begin : gen_pad
    assign valid_in[NumPad*NumOut-1:NumIn*NumOut] = '0;
    assign last_in[NumPad-1:NumIn] = '0;
    assign data_in[NumPad*FlitW-1:NumIn*FlitW] = '0;
  end

  for (genvar o = 0; o < NumOut; o++) begin : gen_out
    logic [NumPad-1:0]         valid;
    logic [NumFirst-1:0]       first_valid, first_last, first_ready;
    logic [NumFirst*FlitW-1:0] first_data;
    logic                      out_valid, out_last, out_ready;
    logic [FlitW-1:0]          out_data;

    for (genvar i = 0; i < NumPad; i++) begin : gen_valid
      assign valid[i] = valid_in[i*NumOut+o];
    end

    // First switches 20.
    for (genvar f = 0; f < NumFirst; f++) begin : gen_first
      weft_switch_unit #(
        .NumIn(FirstIn),
        .FlitW(FlitW)
      ) u_first (
        .clk_i,
        .rst_ni,
        .valid_i(valid[f*FirstIn +: FirstIn]),
        .last_i (last_in[f*FirstIn +: FirstIn]),
        .data_i (data_in[f*FirstIn*FlitW +: FirstIn*FlitW]),
        .ready_o(ready_out[o*NumPad+f*FirstIn +: FirstIn]),
        .valid_o(first_valid[f]),
        .last_o (first_last[f]),
        .data_o (first_data[f*FlitW +: FlitW]),
        .ready_i(first_ready[f])
      );
    end

    // Second switch 21.
    if (NumFirst > 1) begin : gen_second
      weft_switch_unit #(
        .NumIn(NumFirst),
        .FlitW(FlitW)
      ) u_second (
        .clk_i,
        .rst_ni,
        .valid_i(first_valid),
        .last_i (first_last),
        .data_i (first_data),
        .ready_o(first_ready),
        .valid_o(out_valid),
        .last_o (out_last),
        .data_o (out_data),
        .ready_i(out_ready)
      );
    end else begin : gen_single
      assign out_valid   = first_valid[0];
      assign out_last    = first_last[0];
      assign out_data    = first_data;
      assign first_ready = out_ready;
    end

    // Output buffer 22.
    weft_output_buffer #(
      .FlitW(FlitW),
      .Depth(OutDepth)
    ) u_buffer (
      .clk_i,
      .rst_ni,
      .valid_i(out_valid),
      .last_i (out_last),
      .data_i (out_data),
      .ready_o(out_ready),
      .full_i (tx_full_i[o]),
      .valid_o(tx_valid_o[o]),
      .last_o (tx_last_o[o]),
      .data_o (tx_data_o[o*FlitW +: FlitW])
    );
  end

  // A word waits for one output only, so at most one of its request lines is high.
  always_comb begin
    ready_in = '0;
    for (int unsigned o = 0; o < NumOut; o++) begin
      ready_in = ready_in | ready_out[o*NumPad +: NumPad];
    end
  end

endmodule

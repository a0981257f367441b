// Input buffer circuit of a crossbar (seed 002 fig. 4): input register 40, transfer buffer 41, read
// register 42, destination decoder 43-0 and register 43-1, destination select 44 and output
// register 45.
//
// The patent draws one output register for each destination. They would all hold the same word: one
// register with a request line for each destination is equivalent (proved in
// tests/formal/buffer/output_registers.sv).

`include "weft_assert.svh"

module weft_input_buffer #(
  /// Word width, bits (data and parity); the header's fields lie in the lowest bits.
  parameter int unsigned FlitW = 64,
  /// Capacity of the input register and the transfer buffer together, words; 3 or more.
  parameter int unsigned Depth = 8,
  /// Destinations, the detour (if any) last.
  parameter int unsigned NumDest = 5,
  /// 1: the last destination is the detour to the next dimension.
  parameter bit          Detour = 1'b1,
  /// Destination decoder: weft_pkg::RouteDigit or weft_pkg::RouteSwitch.
  parameter int unsigned Route = weft_pkg::RouteDigit,
  /// Lowest bit of the address digit that is decoded (for RouteSwitch: of the Y digit).
  parameter int unsigned DigitLsb = 0,
  /// Width of that digit; 0 where the digit has one value only.
  parameter int unsigned DigitW = 2,
  /// Width of an address, bits: weft_pkg::AddrW to MaxAddrW.
  parameter int unsigned AddrW = weft_pkg::AddrW
) (
  /// Clock.
  input  logic                        clk_i,
  /// Asynchronous reset, active low.
  input  logic                        rst_ni,
  /// Own address; the digits that the decoder does not need are ignored.
  input  logic [AddrW-1:0]            own_i,
  /// Link: a word arrives (Data-Valid).
  input  logic                        valid_i,
  /// Link: it is the last of its packet (Data-End).
  input  logic                        last_i,
  /// Link: the word.
  input  logic [FlitW-1:0]            data_i,
  /// Link: send no further word (Buffer-Full).
  output logic                        full_o,
  /// Request lines: the word in the output register is for this destination.
  output logic [NumDest-1:0]          req_o,
  /// It is the last of its packet.
  output logic                        last_o,
  /// The word in the output register.
  output logic [FlitW-1:0]            data_o,
  /// The word in the output register is taken in this cycle.
  input  logic                        ready_i
);
  // One C++ class for all instances keeps the Verilated code of a crossbar small.
  /* verilator no_inline_module */

  `WEFT_PARAM(gen_check_addr_w, AddrW >= weft_pkg::AddrW && AddrW <= weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_depth, Depth >= 3)
  `WEFT_PARAM(gen_check_digit, DigitLsb + DigitW <= AddrW)
  `WEFT_PARAM(gen_check_switch, Route != weft_pkg::RouteSwitch || (NumDest >= 3 && !Detour))
  `WEFT_PARAM(gen_check_flit, FlitW >= AddrW)

  localparam int unsigned CountW = $clog2(Depth + 1);

  // Input register 40.
  logic             in_valid_q, in_last_q;
  logic [FlitW-1:0] in_data_q;
  // Read register 42.
  logic             rd_valid_q, rd_last_q;
  logic [FlitW-1:0] rd_data_q;
  // Destination register 43-1; `head_q`: the next word in the read register is a header.
  logic [NumDest-1:0] dest_q;
  logic               head_q;
  // Output register 45.
  logic [NumDest-1:0] req_q;
  logic               last_q;
  logic [FlitW-1:0]   data_q;
  logic               full_q;

  logic [FlitW:0]    head;
  logic [CountW-1:0] count;
  logic              rd_load, out_load;
  logic [NumDest-1:0] decoded, dest;

  assign out_load = rd_valid_q && (req_q == '0 || ready_i);
  assign rd_load  = (count != '0) && (!rd_valid_q || out_load);

  // Transfer buffer 41.
  weft_fifo #(
    .DataW(FlitW + 1),
    .Depth(Depth)
  ) u_transfer (
    .clk_i,
    .rst_ni,
    .push_i (in_valid_q),
    .data_i ({in_last_q, in_data_q}),
    .pop_i  (rd_load),
    .data_o (head),
    .count_o(count)
  );

  // Destination decoder 43-0.
  logic [AddrW-1:0] dst;
  assign dst = rd_data_q[weft_pkg::HdrDstLsb +: AddrW];
  if (Route == weft_pkg::RouteSwitch) begin : gen_route_switch
    logic [AddrW-1:0] differs;
    assign differs = dst ^ own_i;
    always_comb begin
      decoded = '0;
      if ((differs >> DigitLsb) != '0) decoded[2] = 1'b1;
      else if (differs != '0) decoded[1] = 1'b1;
      else decoded[0] = 1'b1;
    end
  end else begin : gen_route_digit
    localparam int unsigned UpperLsb = DigitLsb + DigitW;
    logic [AddrW-1:0] digit;
    assign digit = (dst >> DigitLsb) & ((AddrW'(1) << DigitW) - 1'b1);
    if (Detour) begin : gen_detour
      logic elsewhere;
      assign elsewhere = (dst >> UpperLsb) != (own_i >> UpperLsb);
      for (genvar d = 0; d < NumDest; d++) begin : gen_dest
        assign decoded[d] = (d == NumDest - 1) ? elsewhere : (!elsewhere && digit == AddrW'(d));
      end
    end else begin : gen_no_detour
      for (genvar d = 0; d < NumDest; d++) begin : gen_dest
        assign decoded[d] = digit == AddrW'(d);
      end
    end
  end
  assign dest = head_q ? decoded : dest_q;

  // Words that input register and transfer buffer will hold after this edge. One more may follow,
  // sent before the sender sees Buffer-Full.
  logic [CountW:0] held_d;
  assign held_d = {1'b0, count} + (CountW + 1)'(in_valid_q) - (CountW + 1)'(rd_load) +
                  (CountW + 1)'(valid_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_valid_q <= 1'b0;
      in_last_q  <= 1'b0;
      in_data_q  <= '0;
      rd_valid_q <= 1'b0;
      rd_last_q  <= 1'b0;
      rd_data_q  <= '0;
      dest_q     <= '0;
      head_q     <= 1'b1;
      req_q      <= '0;
      last_q     <= 1'b0;
      data_q     <= '0;
      full_q     <= 1'b0;
    end else begin
      in_valid_q <= valid_i;
      if (valid_i) begin
        in_last_q <= last_i;
        in_data_q <= data_i;
      end
      if (rd_load) begin
        rd_valid_q <= 1'b1;
        {rd_last_q, rd_data_q} <= head;
      end else if (out_load) begin
        rd_valid_q <= 1'b0;
      end
      if (out_load) begin
        req_q  <= dest;
        last_q <= rd_last_q;
        data_q <= rd_data_q;
        dest_q <= dest;
        head_q <= rd_last_q;
      end else if (ready_i) begin
        req_q <= '0;
      end
      full_q <= held_d >= (CountW + 1)'(Depth - 1);
    end
  end

  assign full_o = full_q;
  assign req_o  = req_q;
  assign last_o = last_q;
  assign data_o = data_q;

  `WEFT_ASSERT(RequestOneHot, (req_q & (req_q - 1'b1)) == '0)
  `WEFT_ASSERT(PacketHasOneWay, (dest_q & (dest_q - 1'b1)) == '0 && (head_q || dest_q != '0))
  `WEFT_ASSERT(NoLoss, !(in_valid_q && count == CountW'(Depth)))
  `WEFT_ASSUME(ReadyOnlyRequested, !(ready_i && req_q == '0))
  `WEFT_ASSUME(DestinationExists, !(out_load && dest == '0))

endmodule

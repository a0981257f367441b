// Field widths and positions that every block agrees on; `sim/packet/packet.hpp` holds the same
// figures and tests/unit/packet_test.cpp compares the two files.
package weft_pkg;

  /// Node address: one binary digit field for each dimension, dimension 0 lowest. Blocks have a
  /// parameter `AddrW` for its width: as many bits as the nodes need, but at least these, so that
  /// all networks with narrower addresses have the same interfaces,
  localparam int unsigned AddrW = 16;
  /// and at most these.
  localparam int unsigned MaxAddrW = 20;
  /// Body flits of one packet, 0 to 255.
  localparam int unsigned LenW = 8;
  /// Message tag; its two low bits select the receive counter.
  localparam int unsigned TagW = 3;
  // Bit of the tag: where both directions round a ring are equally long, take the opposite one.
  localparam int unsigned TagOtherWay = 2;
  // Bit of the tag that is the class of a packet, where each of two classes has half of the VCs.
  localparam int unsigned TagClass = 0;
  /// Offset in the receive window, in flits, with two addresses of `AddrW` bits in the header. Each
  /// further address bit leaves one less for the offset.
  localparam int unsigned OffW = 20;
  /// Local memory address, in flits.
  localparam int unsigned MemAddrW = 24;
  /// Body flits of one message.
  localparam int unsigned MsgLenW = 20;
  /// Inter-packet gap, in packet times (seed 000 [0043]).
  localparam int unsigned GapW = 8;
  // Send controller of a descriptor: 0 any, n only controller n - 1, CtrlRoundRobin round-robin.
  localparam int unsigned CtrlW = 4;
  localparam int unsigned CtrlRoundRobin = 15;
  /// Start of a message, clock cycle since reset modulo 2 ** StartW.
  localparam int unsigned StartW = 32;
  /// Event and error counters.
  localparam int unsigned CountW = 32;
  /// Cycle in which a packet was injected, for age arbitration.
  localparam int unsigned StampW = 16;
  /// Bits of one dimension in parameter `MaxCoords`.
  localparam int unsigned DigitParamW = 20;
  /// Dimensions of a network, at most,
  localparam int unsigned MaxDims = 8;
  /// and the width of `MaxCoords` of as many.
  localparam int unsigned CoordsW = MaxDims * DigitParamW;
  /// Receive counters in one network interface, chosen by the tag.
  localparam int unsigned NumRxCounts = 4;
  /// Depth of the receive FIFO of a network interface, flits: the credits of the router that sends
  /// to it.
  localparam int unsigned RxDepth = 4;
  /// Least depth of a FIFO whose words are in a memory that is read synchronously, for an SRAM.
  localparam int unsigned RamDepth = 16;

  // Header flit, from bit 0 up; a link is at least this wide. The source is above the destination,
  // from the parameter `AddrW` on, the offset in the receive window above both, up to the length.
  localparam int unsigned HdrDstLsb = 0;
  localparam int unsigned HdrLenLsb = HdrDstLsb + AddrW + AddrW + OffW;
  localparam int unsigned HdrTagLsb = HdrLenLsb + LenW;
  localparam int unsigned HdrEomLsb = HdrTagLsb + TagW;
  localparam int unsigned HdrW = HdrEomLsb + 1;

  // How an input buffer finds the output of a packet (parameter `Route`).
  /// One digit of the address is the output; a difference in higher digits leads to the detour
  /// (seed 002 figs 3, 6, 7).
  localparam int unsigned RouteDigit = 0;
  /// Three-port switch of the prior art: Y first, then X, then the processor (seed 002 fig. 9).
  localparam int unsigned RouteSwitch = 1;

  // VCs of the next link that a packet may be allocated. From VcSame on the set is one VC, which
  // follows from the packet's present VC or, from VcFirst on, is that of number set - VcFirst.
  localparam int unsigned VcSetW = 4;
  localparam logic [VcSetW-1:0] VcAny   = 4'd0;
  localparam logic [VcSetW-1:0] VcLow   = 4'd1;
  localparam logic [VcSetW-1:0] VcHigh  = 4'd2;
  localparam logic [VcSetW-1:0] VcSame  = 4'd3;
  localparam logic [VcSetW-1:0] VcNext  = 4'd4;
  localparam logic [VcSetW-1:0] VcFirst = 4'd8;
  localparam int unsigned NumberedVcs = 8;

  // VCs of packets round a ring with a dateline (weft_route_torus, parameter Dateline).
  localparam int unsigned DatelineFixed    = 0;
  localparam int unsigned DatelineBalanced = 1;
  localparam int unsigned DatelineCrossing = 2;

  // Reduction (seed 003): combines a word in memory with an incoming one.
  localparam int unsigned ReduceOpW = 3;
  localparam logic [ReduceOpW-1:0] OpStore = 3'd0;  // the incoming word
  localparam logic [ReduceOpW-1:0] OpSum   = 3'd1;
  localparam logic [ReduceOpW-1:0] OpProd  = 3'd2;
  localparam logic [ReduceOpW-1:0] OpMax   = 3'd3;
  localparam logic [ReduceOpW-1:0] OpMin   = 3'd4;
  localparam logic [ReduceOpW-1:0] OpMean  = 3'd5;  // the sum, divided
  // Elements of a word.
  localparam int unsigned ReduceTypeW = 2;
  localparam logic [ReduceTypeW-1:0] TypeInt32 = 2'd0;
  localparam logic [ReduceTypeW-1:0] TypeInt64 = 2'd1;
  localparam logic [ReduceTypeW-1:0] TypeFp32  = 2'd2;
  /// Divisor of a mean, 1 to 65535.
  localparam int unsigned MeanCountW = 16;
  /// Bit of the tag by which a message is reduced into memory, not stored.
  localparam int unsigned TagReduce = 0;
  /// Cycles from a word's entry into the reduce unit to its result, of all operations but mean,
  localparam int unsigned ReduceLatency = 5;
  /// and of mean.
  localparam int unsigned MeanLatency = 24;

  /// Lowest address bit of the digit of dimension `dim`; for the number of dimensions: bits of all
  /// digits. `max_coords`: `MaxCoords`, widened.
  function automatic int unsigned digit_lsb(input logic [CoordsW-1:0] max_coords,
                                            input int unsigned dim);
    digit_lsb = 0;
    for (int unsigned d = 0; d < MaxDims; d++) begin
      if (d < dim) begin
        digit_lsb = digit_lsb + $clog2(32'(max_coords[d*DigitParamW +: DigitParamW]) + 1);
      end
    end
  endfunction

endpackage

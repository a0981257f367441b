// Tells packets that have come before, and acknowledges all: of each source, controller and slot it
// knows `gen` of the next new packet (alternating bit, Bartlett et al. 1969).

`include "weft_assert.svh"

module weft_ack_unit #(
  /// Flit width without parity, bits; a header must fit.
  parameter int unsigned DataW = 64,
  /// 1: a parity bit above the data.
  parameter bit          Parity = 1'b0,
  /// Width of an address, bits: weft_pkg::AddrW to MaxAddrW.
  parameter int unsigned AddrW = weft_pkg::AddrW,
  /// Send controllers of each interface, 1 to 8.
  parameter int unsigned NumCtrl = 1,
  /// Packets that a controller keeps at most: 2, 4, 8 or 16.
  parameter int unsigned Slots = 4,
  /// Sources have addresses below this; 1 to 2 ** 20.
  parameter int unsigned NumAddr = 16,
  /// Width of the keys of windows, bits, 0 to 8: the top bits of an offset.
  parameter int unsigned KeyW = 0,
  /// Links, each with a lane; 1 or more.
  parameter int unsigned NumLinks = 1,
  // Derived.
  localparam int unsigned OffW    = weft_pkg::HdrLenLsb - 2 * AddrW,
  localparam int unsigned FlitW   = DataW + (Parity ? 1 : 0),
  localparam int unsigned CtrlIdW = NumCtrl > 1 ? $clog2(NumCtrl) : 0,
  localparam int unsigned IdW     = 1 + CtrlIdW + $clog2(Slots) + 1
) (
  /// Clock.
  input  logic                        clk_i,
  /// Asynchronous reset, active low.
  input  logic                        rst_ni,
  /// Own address, the source in every header.
  input  logic [AddrW-1:0]            node_i,
  /// The links begin anew: acknowledgements that wait are discarded.
  input  logic                        restart_i,
  /// Incoming links: source of the packet that is judged in this cycle, lane 0 lowest.
  input  logic [NumLinks*AddrW-1:0]   ask_src_i,
  /// Incoming links: its id without `ack`, lane 0 lowest.
  input  logic [NumLinks*(IdW-1)-1:0] ask_id_i,
  /// Incoming links: it is no new packet.
  output logic [NumLinks-1:0]         repeated_o,
  /// Incoming links: the packet that was judged in the cycle before has passed all checks.
  input  logic [NumLinks-1:0]         took_valid_i,
  /// Incoming links: its source, lane 0 lowest.
  input  logic [NumLinks*AddrW-1:0]   took_src_i,
  /// Incoming links: its id without `ack`, lane 0 lowest.
  input  logic [NumLinks*(IdW-1)-1:0] took_id_i,
  /// Outgoing links: an acknowledgement is offered.
  output logic [NumLinks-1:0]         valid_o,
  /// Outgoing links: it is the last flit of its packet; 0 without one.
  output logic [NumLinks-1:0]         last_o,
  /// Outgoing links: the flit, lane 0 lowest; 0 without one.
  output logic [NumLinks*FlitW-1:0]   data_o,
  /// Outgoing links: the offered flit is taken in this cycle.
  input  logic [NumLinks-1:0]         ready_i,
  /// An acknowledgement waits.
  output logic                        pending_o
);

  `WEFT_PARAM(gen_check_data, DataW >= weft_pkg::HdrW)
  `WEFT_PARAM(gen_check_addr_w, AddrW >= weft_pkg::AddrW && AddrW <= weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_ctrl, NumCtrl >= 1 && NumCtrl <= 8)
  `WEFT_PARAM(gen_check_slots, Slots == 2 || Slots == 4 || Slots == 8 || Slots == 16)
  `WEFT_PARAM(gen_check_nodes, NumAddr >= 1 && NumAddr <= 2 ** weft_pkg::MaxAddrW)
  `WEFT_PARAM(gen_check_links, NumLinks >= 1)
  `WEFT_PARAM(gen_check_key_w, KeyW <= 8 && KeyW + IdW < OffW)

  localparam int unsigned HdrW   = weft_pkg::HdrW;
  // Bits of an offset below the id; 1 where it does not fit, which a check refuses.
  localparam int unsigned PlaceW = KeyW + IdW < OffW ? OffW - KeyW - IdW : 1;
  localparam int unsigned Depth  = NumAddr * NumCtrl * Slots;
  localparam int unsigned HeldW  = $clog2(Depth + 1);
  // Bits of a source that is known.
  localparam int unsigned SrcW   = NumAddr > 1 ? $clog2(NumAddr) : 1;
  // Entries, by source and the bits of the id above `gen`: as many as `ctrl` has numbers.
  localparam int unsigned Entries = NumAddr << (IdW - 2);
  localparam int unsigned EntryW  = $clog2(NumAddr) + IdW - 2;

  logic [Entries-1:0] next_gen_q;  // of each entry, `gen` of the next new packet

  // The FIFOs begin anew in the cycle after `restart_i`.
  logic restart_q, fifo_rst_n;
  assign fifo_rst_n = rst_ni && !restart_q;

  logic [NumLinks-1:0]        enter;
  logic [NumLinks*EntryW-1:0] took_entry;
  for (genvar i = 0; i < NumLinks; i++) begin : gen_lane
    logic [AddrW-1:0]  ask_src, took_src;
    logic [SrcW-1:0]   to;
    logic [IdW-2:0]    ask_id, took_id, id;
    logic [EntryW-1:0] ask_entry;
    logic [HeldW-1:0]  held;
    logic              ask_known, took_known;
    assign ask_src   = ask_src_i[i*AddrW +: AddrW];
    assign ask_id    = ask_id_i[i*(IdW-1) +: IdW-1];
    assign took_src  = took_src_i[i*AddrW +: AddrW];
    assign took_id   = took_id_i[i*(IdW-1) +: IdW-1];
    assign ask_entry = EntryW'({ask_src, ask_id[IdW-2:1]});
    assign took_entry[i*EntryW +: EntryW] = EntryW'({took_src, took_id[IdW-2:1]});
    if (NumCtrl > 1) begin : gen_ctrl
      assign ask_known  = 32'(ask_src) < NumAddr && 32'(ask_id[IdW-2 -: CtrlIdW]) < NumCtrl;
      assign took_known = 32'(took_src) < NumAddr && 32'(took_id[IdW-2 -: CtrlIdW]) < NumCtrl;
    end else begin : gen_one_ctrl
      assign ask_known  = 32'(ask_src) < NumAddr;
      assign took_known = 32'(took_src) < NumAddr;
    end
    assign repeated_o[i] = !ask_known || ask_id[0] != next_gen_q[ask_entry];
    assign enter[i]      = took_valid_i[i] && took_known;

    weft_fifo #(
      .DataW(SrcW + IdW - 1),
      .Depth(Depth)
    ) u_fifo (
      .clk_i,
      .rst_ni (fifo_rst_n),
      .push_i (enter[i] && held != HeldW'(Depth)),
      .data_i ({took_src[SrcW-1:0], took_id}),
      .pop_i  (valid_o[i] && ready_i[i]),
      .data_o ({to, id}),
      .count_o(held)
    );

    // The acknowledgement: a header alone.
    logic [OffW-1:0]  off;
    logic [HdrW-1:0]  header;
    logic [DataW-1:0] word;
    assign off    = OffW'({1'b1, id}) << PlaceW;
    assign header = {1'b1, {(weft_pkg::TagW + weft_pkg::LenW){1'b0}}, off, node_i, AddrW'(to)};
    assign word   = valid_o[i] ? DataW'(header) : '0;
    assign valid_o[i] = held != '0;
    assign last_o[i]  = valid_o[i];
    if (Parity) begin : gen_parity
      assign data_o[i*FlitW +: FlitW] = {valid_o[i] ^ (^word), word};
    end else begin : gen_no_parity
      assign data_o[i*FlitW +: FlitW] = word;
    end

`ifdef WEFT_CHECKED
    // Who takes has asked.
    logic [AddrW-1:0] asked_src_q;
    logic [IdW-2:0]   asked_id_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        asked_src_q <= '0;
        asked_id_q  <= '0;
      end else begin
        asked_src_q <= ask_src;
        asked_id_q  <= ask_id;
      end
    end
    `WEFT_ASSUME(TookAfterAsk, !took_valid_i[i] ||
        (took_src == asked_src_q && took_id == asked_id_q))
`endif
    `WEFT_ASSERT(QuietWithoutValid, valid_o[i] || data_o[i*FlitW +: FlitW] == '0)
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_gen_q <= '0;
      restart_q  <= 1'b0;
    end else begin
      restart_q <= restart_i;
      for (int unsigned i = 0; i < NumLinks; i++) begin
        if (enter[i]) next_gen_q[took_entry[i*EntryW +: EntryW]] <= !took_id_i[i*(IdW-1)];
      end
    end
  end

  assign pending_o = valid_o != '0;

endmodule

// Proof of the send controller: packets are whole (as many body flits as the header says, `last`
// with the final one), an offered flit stays as it is until taken, no word is sent before it came
// from memory and none is overwritten before it was sent. Figures of the package are small here.

`include "weft_assert.svh"

module send_unit_props #(
  parameter int unsigned DataW = 12,
  parameter bit          Parity = 1'b0,
  parameter int unsigned PacketFlits = 2,
  localparam int unsigned FlitW = DataW + (Parity ? 1 : 0)
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic [weft_pkg::AddrW-1:0]    node_i,
  input logic                          desc_valid_i,
  input logic [weft_pkg::AddrW-1:0]    desc_dst_i,
  input logic [weft_pkg::MemAddrW-1:0] desc_addr_i,
  input logic [weft_pkg::MsgLenW-1:0]  desc_len_i,
  input logic [weft_pkg::OffW-1:0]     desc_off_i,
  input logic [weft_pkg::TagW-1:0]     desc_tag_i,
  input logic [weft_pkg::GapW-1:0]     desc_gap_i,
  input logic [DataW-1:0]              mem_rdata_i,
  input logic                          ready_i
);

  localparam int unsigned LenW = weft_pkg::LenW;
  localparam int unsigned HdrW = weft_pkg::HdrW;
  localparam int unsigned IdxW = PacketFlits > 1 ? $clog2(PacketFlits) : 1;

  logic             valid, last;
  logic [FlitW-1:0] data;

  send_unit #(
    .DataW      (DataW),
    .Parity     (Parity),
    .PacketFlits(PacketFlits)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .node_i,
    .desc_valid_i,
    .desc_dst_i,
    .desc_addr_i,
    .desc_len_i,
    .desc_off_i,
    .desc_tag_i,
    .desc_gap_i,
    .desc_ready_o(),
    .mem_ren_o   (),
    .mem_raddr_o (),
    .mem_rdata_i,
    .valid_o     (valid),
    .last_o      (last),
    .data_o      (data),
    .ready_i,
    .sent_o      ()
  );

  // The packet on its way out: flits taken of it, length in its header. The flit that was not
  // taken.
  logic [LenW:0]    taken_q;
  logic [LenW-1:0]  len_q, len;
  logic             held_q, held_last_q;
  logic [FlitW-1:0] held_data_q;
  assign len = taken_q == '0 ? data[weft_pkg::HdrLenLsb +: LenW] : len_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q     <= '0;
      len_q       <= '0;
      held_q      <= 1'b0;
      held_last_q <= 1'b0;
      held_data_q <= '0;
    end else begin
      held_q      <= valid && !ready_i;
      held_last_q <= last;
      held_data_q <= data;
      if (valid && ready_i) begin
        taken_q <= last ? '0 : taken_q + 1'b1;
        len_q   <= len;
      end
    end
  end

  `WEFT_ASSERT(LastWhereTheHeaderSays, !valid || last == (taken_q == {1'b0, len}))
  `WEFT_ASSERT(PacketNotTooLong, !valid || 32'(len) <= PacketFlits)
  `WEFT_ASSERT(OfferedFlitStays, !held_q || (valid && last == held_last_q && data == held_data_q))
  `WEFT_ASSERT(NoPauseInPacket, taken_q == '0 || valid)
  `WEFT_ASSERT(ParityEven, !Parity || !valid || (^data ^ last) == 1'b0)

  // Invariants that close the induction.
  (* hierconn *) wire [1:0] \u_dut.taken_q ;
  (* hierconn *) wire [1:0] \u_dut.open_q ;
  (* hierconn *) wire \u_dut.fill_q ;
  (* hierconn *) wire \u_dut.send_q ;
  (* hierconn *) wire \u_dut.req_buf_q ;
  (* hierconn *) wire \u_dut.rsp_q ;
  (* hierconn *) wire \u_dut.rsp_last_q ;
  (* hierconn *) wire \u_dut.rsp_buf_q ;
  (* hierconn *) wire [IdxW-1:0] \u_dut.rsp_idx_q ;
  (* hierconn *) wire [LenW-1:0] \u_dut.pos_q ;
  (* hierconn *) wire [HdrW-1:0] \u_dut.hdr_q[0] ;
  (* hierconn *) wire [HdrW-1:0] \u_dut.hdr_q[1] ;
  (* hierconn *) wire \u_dut.u_dma.req_q ;
  (* hierconn *) wire \u_dut.u_dma.last_q ;
  (* hierconn *) wire [LenW-1:0] \u_dut.u_dma.left_q ;
  (* hierconn *) wire \u_dut.pacer_ready ;

  logic [1:0] taken, open;
  logic       send, req, req_buf, rsp, rsp_last, rsp_buf;
  assign taken    = \u_dut.taken_q ;
  assign open     = \u_dut.open_q ;
  assign send     = \u_dut.send_q ;
  assign req      = \u_dut.u_dma.req_q ;
  assign req_buf  = \u_dut.req_buf_q ;
  assign rsp      = \u_dut.rsp_q ;
  assign rsp_last = \u_dut.rsp_last_q ;
  assign rsp_buf  = \u_dut.rsp_buf_q ;

  // Lengths by the headers; places of the words requested and arriving now.
  logic [LenW-1:0] len_0, len_1;
  logic [31:0]     req_len, rsp_len, send_len, req_idx, rsp_idx;
  assign len_0    = \u_dut.hdr_q[0] [weft_pkg::HdrLenLsb +: LenW];
  assign len_1    = \u_dut.hdr_q[1] [weft_pkg::HdrLenLsb +: LenW];
  assign req_len  = 32'(req_buf ? len_1 : len_0);
  assign rsp_len  = 32'(rsp_buf ? len_1 : len_0);
  assign send_len = 32'(send ? len_1 : len_0);
  assign req_idx  = req_len - 32'd1 - 32'(\u_dut.u_dma.left_q );
  assign rsp_idx  = 32'(\u_dut.rsp_idx_q );

  `WEFT_ASSERT(InTurn, \u_dut.fill_q == (send ^ ^taken) && (taken == '0 || taken[send]))
  `WEFT_ASSERT(OpenOnlyTaken, (open & ~taken) == '0)
  `WEFT_ASSERT(LengthsFit, (!taken[0] || 32'(len_0) <= PacketFlits) && (!taken[1] ||
      32'(len_1) <= PacketFlits))
  `WEFT_ASSERT(EmptyIsOpen, (!taken[0] || len_0 != '0 || open[0]) && (!taken[1] || len_1 != '0 ||
      open[1]))
  `WEFT_ASSERT(RequestTaken, !req || (taken[req_buf] && req_len != 0 && req_idx < req_len))
  `WEFT_ASSERT(ResponseTaken, !rsp || (taken[rsp_buf] && rsp_idx < rsp_len))
  `WEFT_ASSERT(ResponseLast, !rsp || rsp_last == (rsp_idx + 1 == rsp_len))
  `WEFT_ASSERT(ResponseGoesOn, !rsp || rsp_last || (req && req_buf == rsp_buf &&
      req_idx == rsp_idx + 1))
  `WEFT_ASSERT(RequestBegins, !req || (rsp && !rsp_last) || (req_idx == 0 && !open[req_buf]))
  `WEFT_ASSERT(OtherBuffer, !req || !rsp || !rsp_last || req_buf != rsp_buf)
  `WEFT_ASSERT(IndexRests, rsp || rsp_idx == 0)
  `WEFT_ASSERT(FirstOpens, !rsp || open[rsp_buf] == (rsp_idx != 0))
  `WEFT_ASSERT(PositionInside, 32'(\u_dut.pos_q ) <= send_len || !taken[send])
  `WEFT_ASSERT(PositionOpen, \u_dut.pos_q == '0 || (open[send] && \u_dut.pacer_ready ))
  `WEFT_ASSERT(PositionBehind, !(open[send] && rsp && rsp_buf == send) ||
      32'(\u_dut.pos_q ) <= rsp_idx)
  `WEFT_ASSERT(SameCount, {1'b0, \u_dut.pos_q } == taken_q && (taken_q == '0 ||
      32'(len_q) == send_len))

endmodule

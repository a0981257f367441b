// Proof of the interface for a system on chip with one controller and Buffer-Full: its lanes meet
// what the blocks on AXI4 assume of them, whatever the registers say and the links bring, and AXI's
// signals keep the protocol. The memory behind AXI4 is arbitrary within it.

`include "weft_assert.svh"

module axi_nic_props #(
  parameter int unsigned DataW = 64,
  parameter int unsigned PacketFlits = 1,
  parameter int unsigned AxiAddrW = 14
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic [AxiAddrW-1:0]         base_i,
  input logic                        s_b_ready_i,
  input logic                        s_r_ready_i,
  input logic                        m_ar_ready_i,
  input logic                        m_r_valid_i,
  input logic                        m_r_id_i,
  input logic                        m_r_last_i,
  input logic                        m_aw_ready_i,
  input logic                        m_w_ready_i,
  input logic                        m_b_valid_i,
  input logic                        m_b_id_i
);

  logic                        s_b_valid;
  logic [1:0]                  s_b_resp;
  logic                        s_r_valid;
  logic [31:0]                 s_r_data;
  logic [1:0]                  s_r_resp;
  logic                        m_ar_valid;
  logic [AxiAddrW-1:0]         m_ar_addr;
  logic [7:0]                  m_ar_len;
  logic                        m_aw_valid;
  logic [AxiAddrW-1:0]         m_aw_addr;
  logic [7:0]                  m_aw_len;
  logic                        m_w_valid;
  logic [DataW-1:0]            m_w_data;
  logic                        m_w_last;

  weft_axi_nic #(
    .DataW      (DataW),
    .PacketFlits(PacketFlits),
    .QueueDepth (1),
    .MemFlits   (2 ** weft_pkg::MemAddrW - 1),
    .AxiAddrW   (AxiAddrW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .base_i,
    .s_b_valid_o    (s_b_valid),
    .s_b_ready_i,
    .s_b_resp_o     (s_b_resp),
    .s_r_valid_o    (s_r_valid),
    .s_r_ready_i,
    .s_r_data_o     (s_r_data),
    .s_r_resp_o     (s_r_resp),
    .m_ar_valid_o   (m_ar_valid),
    .m_ar_ready_i,
    .m_ar_addr_o    (m_ar_addr),
    .m_ar_len_o     (m_ar_len),
    .m_r_valid_i,
    .m_r_id_i,
    .m_r_last_i,
    .m_aw_valid_o   (m_aw_valid),
    .m_aw_ready_i,
    .m_aw_addr_o    (m_aw_addr),
    .m_aw_len_o     (m_aw_len),
    .m_w_valid_o    (m_w_valid),
    .m_w_ready_i,
    .m_w_data_o     (m_w_data),
    .m_w_last_o     (m_w_last),
    .m_b_valid_i,
    .m_b_id_i
  );

  // The memory: a burst to read was accepted, so many beats are missing after the next one; a burst
  // to write and its last beat were accepted.
  logic       r_open_q, aw_done_q, w_done_q;
  logic [7:0] r_more_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      r_open_q  <= 1'b0;
      r_more_q  <= '0;
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
    end else begin
      if (m_ar_valid && m_ar_ready_i) begin
        r_open_q <= 1'b1;
        r_more_q <= m_ar_len;
      end else if (m_r_valid_i) begin
        r_open_q <= r_more_q != '0;
        r_more_q <= r_more_q - 1'b1;
      end
      if (m_aw_valid && m_aw_ready_i) aw_done_q <= 1'b1;
      else if (m_b_valid_i) aw_done_q <= 1'b0;
      if (m_w_valid && m_w_ready_i && m_w_last) w_done_q <= 1'b1;
      else if (m_b_valid_i) w_done_q <= 1'b0;
    end
  end
  `WEFT_ASSUME(BeatAskedFor, !m_r_valid_i || (r_open_q && !m_r_id_i &&
      m_r_last_i == (r_more_q == '0)))
  `WEFT_ASSUME(ResponseAskedFor, !m_b_valid_i || (aw_done_q && w_done_q && !m_b_id_i))
  `WEFT_ASSUME(BaseOfPage, base_i[11:0] == '0)

  // Signals of AXI stay until they are accepted.
  logic                ar_held_q, aw_held_q, w_held_q, b_held_q, r_held_q, w_last_q;
  logic [AxiAddrW-1:0] ar_addr_q, aw_addr_q;
  logic [7:0]          ar_len_q, aw_len_q;
  logic [DataW-1:0]    w_data_q;
  logic [1:0]          b_resp_q;
  logic [33:0]         r_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_held_q <= 1'b0;
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      b_held_q  <= 1'b0;
      r_held_q  <= 1'b0;
      ar_addr_q <= '0;
      aw_addr_q <= '0;
      ar_len_q  <= '0;
      aw_len_q  <= '0;
      w_last_q  <= 1'b0;
      w_data_q  <= '0;
      b_resp_q  <= '0;
      r_q       <= '0;
    end else begin
      ar_held_q <= m_ar_valid && !m_ar_ready_i;
      aw_held_q <= m_aw_valid && !m_aw_ready_i;
      w_held_q  <= m_w_valid && !m_w_ready_i;
      b_held_q  <= s_b_valid && !s_b_ready_i;
      r_held_q  <= s_r_valid && !s_r_ready_i;
      ar_addr_q <= m_ar_addr;
      aw_addr_q <= m_aw_addr;
      ar_len_q  <= m_ar_len;
      aw_len_q  <= m_aw_len;
      w_last_q  <= m_w_last;
      w_data_q  <= m_w_data;
      b_resp_q  <= s_b_resp;
      r_q       <= {s_r_resp, s_r_data};
    end
  end
  `WEFT_ASSERT(ReadBurstStays, !ar_held_q ||
      (m_ar_valid && m_ar_addr == ar_addr_q && m_ar_len == ar_len_q))
  `WEFT_ASSERT(WriteBurstStays, !aw_held_q ||
      (m_aw_valid && m_aw_addr == aw_addr_q && m_aw_len == aw_len_q))
  `WEFT_ASSERT(BeatStays, !w_held_q || (m_w_valid && m_w_last == w_last_q && m_w_data == w_data_q))
  `WEFT_ASSERT(ResponsesStay, (!b_held_q || (s_b_valid && s_b_resp == b_resp_q)) &&
      (!r_held_q || (s_r_valid && {s_r_resp, s_r_data} == r_q)))
  `WEFT_ASSERT(OneReadBurst, !(m_ar_valid && r_open_q))
  `WEFT_ASSERT(OneWriteBurst, !(m_aw_valid && aw_done_q) && !(m_w_valid && w_done_q))

  // Invariants that close the induction.
  (* hierconn *) wire \u_dut.mem_ren ;
  (* hierconn *) wire \u_dut.u_read.accepted_q ;
  (* hierconn *) wire \u_dut.u_read.busy_q ;
  (* hierconn *) wire \u_dut.u_read.gnt ;
  (* hierconn *) wire \u_dut.u_read.u_arbiter.req_q ;
  (* hierconn *) wire [weft_pkg::LenW-1:0] \u_dut.u_read.beats_q ;
  `WEFT_ASSERT(ReadAgrees, \u_dut.u_read.accepted_q == r_open_q &&
      \u_dut.u_read.busy_q == (m_ar_valid || r_open_q))
  `WEFT_ASSERT(ReadBeatsAgree, (!r_open_q || 8'(\u_dut.u_read.beats_q ) == r_more_q) &&
      (!m_ar_valid || 8'(\u_dut.u_read.beats_q ) == m_ar_len))
  `WEFT_ASSERT(ReadIsRequested, (!\u_dut.u_read.gnt || \u_dut.mem_ren ) &&
      (!\u_dut.u_read.u_arbiter.req_q || (\u_dut.mem_ren && !\u_dut.u_read.busy_q )))
  (* hierconn *) wire \u_dut.mem_wen ;
  (* hierconn *) wire \u_dut.u_write.accepted_q ;
  (* hierconn *) wire \u_dut.u_write.busy_q ;
  (* hierconn *) wire \u_dut.u_write.sent_q ;
  (* hierconn *) wire \u_dut.u_write.inside_q ;
  (* hierconn *) wire \u_dut.u_write.owner_q ;
  (* hierconn *) wire \u_dut.u_write.gnt ;
  (* hierconn *) wire \u_dut.u_write.u_arbiter.req_q ;
  `WEFT_ASSERT(WriteAgrees, \u_dut.u_write.accepted_q == aw_done_q &&
      \u_dut.u_write.busy_q == (m_aw_valid || aw_done_q) && !\u_dut.u_write.owner_q &&
      \u_dut.u_write.sent_q == (\u_dut.u_write.busy_q && !\u_dut.u_write.inside_q ))
  `WEFT_ASSERT(WriteEndsAgree, !\u_dut.u_write.busy_q ? !(m_w_valid || w_done_q) :
      \u_dut.u_write.sent_q == (w_done_q || (m_w_valid && m_w_last)))
  `WEFT_ASSERT(WriteIsRequested, (!\u_dut.u_write.gnt || \u_dut.mem_wen ) &&
      (!\u_dut.u_write.u_arbiter.req_q || \u_dut.u_write.gnt ||
       (\u_dut.mem_wen && !\u_dut.u_write.busy_q )))

endmodule

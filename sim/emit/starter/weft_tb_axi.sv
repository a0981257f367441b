// Starter testbench, one node of a network whose interfaces have AXI ports: between `weft_tb_node`
// and the interface, the AXI4-Lite accesses of a driver that sends messages, and the AXI4 port of
// its memory. Written by `weft emit`.

module weft_tb_axi #(
  /// Width of a flit without parity and of the memory's data, bits.
  parameter bit [31:0] DataW = 64,
  /// Width of a node's address, bits.
  parameter bit [31:0] AddrW = 16,
  /// Width of an offset in the receive window, bits.
  parameter bit [31:0] OffW = 20,
  /// Width of the number of free descriptors, bits.
  parameter bit [31:0] FreeW = 4,
  /// Width of an address on AXI4, bits.
  parameter bit [31:0] AxiAddrW = 32,
  /// Width of a read's id on AXI4, bits,
  parameter bit [31:0] ReadIdW = 1,
  /// and of a write's.
  parameter bit [31:0] WriteIdW = 1,
  /// Byte address of the memory on AXI4.
  parameter bit [31:0] Base = 32'h8000_0000,
  /// Cycles from an address on AXI4 to the first word that is read,
  parameter bit [31:0] ReadLatency = 4,
  /// and from the last word of a burst until all are in memory; then follows its response.
  parameter bit [31:0] WriteLatency = 40
) (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,

  /// The node: a message is to be sent, to an address,
  input  logic                          desc_valid_i,
  input  logic [AddrW-1:0]              desc_dst_i,
  /// from the memory, so many flits, to an offset in the window.
  input  logic [weft_pkg::MemAddrW-1:0] desc_addr_i,
  input  logic [weft_pkg::MsgLenW-1:0]  desc_len_i,
  input  logic [OffW-1:0]               desc_off_i,
  /// 1 if a message can be taken.
  output logic [FreeW-1:0]              desc_free_o,
  /// Counters as they were read last.
  output logic [weft_pkg::CountW-1:0]   tx_count_o,
  output logic [weft_pkg::CountW-1:0]   rx_count_o,
  output logic [weft_pkg::CountW-1:0]   rx_parity_o,
  output logic [weft_pkg::CountW-1:0]   rx_refused_o,
  /// The window that the driver opens.
  input  logic [weft_pkg::MemAddrW-1:0] rx_base_i,
  input  logic [weft_pkg::MemAddrW-1:0] rx_size_i,
  /// The node's memory.
  output logic                          mem_ren_o,
  output logic [weft_pkg::MemAddrW-1:0] mem_raddr_o,
  input  logic [DataW-1:0]              mem_rdata_i,
  output logic                          mem_wen_o,
  output logic [weft_pkg::MemAddrW-1:0] mem_waddr_o,
  output logic [DataW-1:0]              mem_wdata_o,

  /// AXI4-Lite to the interface's registers.
  output logic                          s_aw_valid_o,
  input  logic                          s_aw_ready_i,
  output logic [11:0]                   s_aw_addr_o,
  output logic                          s_w_valid_o,
  input  logic                          s_w_ready_i,
  output logic [31:0]                   s_w_data_o,
  output logic [3:0]                    s_w_strb_o,
  input  logic                          s_b_valid_i,
  output logic                          s_b_ready_o,
  input  logic [1:0]                    s_b_resp_i,
  output logic                          s_ar_valid_o,
  input  logic                          s_ar_ready_i,
  output logic [11:0]                   s_ar_addr_o,
  input  logic                          s_r_valid_i,
  output logic                          s_r_ready_o,
  input  logic [31:0]                   s_r_data_i,
  input  logic [1:0]                    s_r_resp_i,

  /// AXI4 from the interface to the memory.
  output logic [AxiAddrW-1:0]           base_o,
  input  logic                          m_ar_valid_i,
  output logic                          m_ar_ready_o,
  input  logic [ReadIdW-1:0]            m_ar_id_i,
  input  logic [AxiAddrW-1:0]           m_ar_addr_i,
  input  logic [7:0]                    m_ar_len_i,
  input  logic [2:0]                    m_ar_size_i,
  input  logic [1:0]                    m_ar_burst_i,
  output logic                          m_r_valid_o,
  input  logic                          m_r_ready_i,
  output logic [ReadIdW-1:0]            m_r_id_o,
  output logic [DataW-1:0]              m_r_data_o,
  output logic [1:0]                    m_r_resp_o,
  output logic                          m_r_last_o,
  input  logic                          m_aw_valid_i,
  output logic                          m_aw_ready_o,
  input  logic [WriteIdW-1:0]           m_aw_id_i,
  input  logic [AxiAddrW-1:0]           m_aw_addr_i,
  input  logic [7:0]                    m_aw_len_i,
  input  logic [2:0]                    m_aw_size_i,
  input  logic [1:0]                    m_aw_burst_i,
  input  logic                          m_w_valid_i,
  output logic                          m_w_ready_o,
  input  logic [DataW-1:0]              m_w_data_i,
  input  logic [DataW/8-1:0]            m_w_strb_i,
  input  logic                          m_w_last_i,
  output logic                          m_b_valid_o,
  input  logic                          m_b_ready_i,
  output logic [WriteIdW-1:0]           m_b_id_o,
  output logic [1:0]                    m_b_resp_o
);

  localparam bit [31:0] MemAddrW = weft_pkg::MemAddrW;
  localparam bit [31:0] Bytes = DataW / 8;

  // Registers of the interface (sw/include/weft_registers.h) in the order of the driver's accesses:
  // the window once; then the counters, and while there is a message and a free descriptor, it.
  localparam logic [3:0] RxBase = 4'd0;
  localparam logic [3:0] RxSize = 4'd1;
  localparam logic [3:0] Sent = 4'd2;
  localparam logic [3:0] Received = 4'd3;
  localparam logic [3:0] Parity = 4'd4;
  localparam logic [3:0] Refused = 4'd5;
  localparam logic [3:0] Errors = 4'd6;
  localparam logic [3:0] Free = 4'd7;
  localparam logic [3:0] Dst = 4'd8;
  localparam logic [3:0] Addr = 4'd9;
  localparam logic [3:0] Len = 4'd10;
  localparam logic [3:0] Offset = 4'd11;
  localparam logic [3:0] TagGap = 4'd12;
  localparam logic [3:0] Post = 4'd13;
  logic [3:0]  step_q;
  logic        held_q;     // there is a message
  logic        aw_q, w_q, ar_q, waits_q;
  logic [31:0] dst_q, addr_q, len_q, off_q, value;
  logic [11:0] place;
  logic        writes, answered, error;
  logic [31:0] read;

  always_comb begin
    writes = 1'b1;
    place  = '0;
    value  = '0;
    case (step_q)
      RxBase:   begin place = weft_reg::RxBase; value = Bytes * 32'(rx_base_i); end
      RxSize:   begin place = weft_reg::RxSize; value = Bytes * 32'(rx_size_i); end
      Sent:     begin place = weft_reg::Sent; writes = 1'b0; end
      Received: begin place = weft_reg::Received0; writes = 1'b0; end
      Parity:   begin place = weft_reg::ParityErrors; writes = 1'b0; end
      Refused:  begin place = weft_reg::Refused; writes = 1'b0; end
      Errors:   begin place = weft_reg::MemoryErrors; writes = 1'b0; end
      Free:     begin place = weft_reg::Free; writes = 1'b0; end
      Dst:      begin place = weft_reg::Dst; value = dst_q; end
      Addr:     begin place = weft_reg::Addr; value = addr_q; end
      Len:      begin place = weft_reg::Len; value = len_q; end
      Offset:   begin place = weft_reg::Offset; value = off_q; end
      TagGap:   place = weft_reg::TagGap;
      default:  place = weft_reg::Post;
    endcase
  end

  assign s_aw_valid_o = aw_q;
  assign s_aw_addr_o  = place;
  assign s_w_valid_o  = w_q;
  assign s_w_data_o   = value;
  assign s_w_strb_o   = 4'hF;
  assign s_b_ready_o  = 1'b1;
  assign s_ar_valid_o = ar_q;
  assign s_ar_addr_o  = place;
  assign s_r_ready_o  = 1'b1;
  assign answered     = writes ? s_b_valid_i : s_r_valid_i;
  assign error        = answered && ((writes ? s_b_resp_i : s_r_resp_i) != 2'b00 ||
                                     (step_q == Errors && read != '0));
  assign read         = s_r_data_i;
  assign desc_free_o  = held_q ? '0 : FreeW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q       <= RxBase;
      held_q       <= 1'b0;
      aw_q         <= 1'b0;
      w_q          <= 1'b0;
      ar_q         <= 1'b0;
      waits_q      <= 1'b0;
      dst_q        <= '0;
      addr_q       <= '0;
      len_q        <= '0;
      off_q        <= '0;
      tx_count_o   <= '0;
      rx_count_o   <= '0;
      rx_parity_o  <= '0;
      rx_refused_o <= '0;
    end else begin
      if (desc_valid_i) begin
        held_q <= 1'b1;
        dst_q  <= 32'(desc_dst_i);
        addr_q <= Bytes * 32'(desc_addr_i);
        len_q  <= 32'(desc_len_i);
        off_q  <= Bytes * 32'(desc_off_i);
      end
      if (!waits_q) begin
        waits_q <= 1'b1;
        aw_q    <= writes;
        w_q     <= writes;
        ar_q    <= !writes;
      end else begin
        if (s_aw_ready_i) aw_q <= 1'b0;
        if (s_w_ready_i) w_q <= 1'b0;
        if (s_ar_ready_i) ar_q <= 1'b0;
        if (answered) begin
          waits_q <= 1'b0;
          step_q  <= step_q + 4'd1;
          case (step_q)
            Sent:     tx_count_o   <= read;
            Received: rx_count_o   <= read;
            Parity:   rx_parity_o  <= read;
            Refused:  rx_refused_o <= read;
            Free:     if (!held_q || read == '0) step_q <= Sent;
            Post: begin
              held_q <= 1'b0;
              step_q <= Sent;
            end
            default: ;
          endcase
        end
      end
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni && error) begin
      $display("FAIL: an error of the access of register %h, or in it", place);
      $fatal(1);
    end
  end

  // What the memory accepts in a cycle is random.
  logic [15:0] random_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) random_q <= 16'hACE1;
    else random_q <= {random_q[14:0], random_q[15] ^ random_q[13] ^ random_q[12] ^ random_q[10]};
  end

  // Memory: reads, one burst after the other.
  logic                reads_q, r_valid_q, r_last_q, read_word;
  logic [ReadIdW-1:0]  r_id_q;
  logic [MemAddrW-1:0] r_addr_q;
  logic [8:0]          r_left_q;
  logic [31:0]         r_wait_q;
  assign base_o       = AxiAddrW'(Base);
  assign m_ar_ready_o = !reads_q && random_q[0];
  assign read_word    = reads_q && r_left_q != '0 && r_wait_q == '0 && (!r_valid_q || m_r_ready_i);
  assign mem_ren_o    = read_word;
  assign mem_raddr_o  = r_addr_q;
  assign m_r_valid_o  = r_valid_q;
  assign m_r_id_o     = r_id_q;
  assign m_r_data_o   = mem_rdata_i;
  assign m_r_resp_o   = 2'b00;
  assign m_r_last_o   = r_last_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reads_q   <= 1'b0;
      r_valid_q <= 1'b0;
      r_last_q  <= 1'b0;
      r_id_q    <= '0;
      r_addr_q  <= '0;
      r_left_q  <= '0;
      r_wait_q  <= '0;
    end else begin
      if (r_wait_q != '0) r_wait_q <= r_wait_q - 32'd1;
      if (m_ar_valid_i && m_ar_ready_o) begin
        reads_q  <= 1'b1;
        r_id_q   <= m_ar_id_i;
        r_addr_q <= MemAddrW'((m_ar_addr_i - base_o) / AxiAddrW'(Bytes));
        r_left_q <= 9'(m_ar_len_i) + 9'd1;
        r_wait_q <= ReadLatency;
      end
      if (r_valid_q && m_r_ready_i) begin
        r_valid_q <= 1'b0;
        if (r_last_q) reads_q <= 1'b0;
      end
      if (read_word) begin
        r_valid_q <= 1'b1;
        r_last_q  <= r_left_q == 9'd1;
        r_addr_q  <= r_addr_q + 1'b1;
        r_left_q  <= r_left_q - 9'd1;
      end
    end
  end

  // And writes, one burst after the other: its words are in memory after all have come, before its
  // response. A lane's first word may be on W before this burst's response: it waits for its
  // address.
  logic                writes_q, full_q, b_valid_q;
  logic [WriteIdW-1:0] b_id_q;
  logic [MemAddrW-1:0] w_addr_q;
  logic [7:0]          w_len_q, w_got_q, w_put_q;
  logic [31:0]         w_wait_q;
  logic [DataW-1:0]    words [256];
  logic                got;
  assign m_aw_ready_o = !writes_q && random_q[1];
  assign m_w_ready_o  = writes_q && !full_q && !b_valid_q && random_q[2];
  assign got          = m_w_valid_i && m_w_ready_o;
  assign mem_wen_o    = full_q && w_wait_q == '0 && !b_valid_q;
  assign mem_waddr_o  = w_addr_q + MemAddrW'(w_put_q);
  assign mem_wdata_o  = words[w_put_q];
  assign m_b_valid_o  = b_valid_q;
  assign m_b_id_o     = b_id_q;
  assign m_b_resp_o   = 2'b00;
  always @(posedge clk_i) begin
    if (got) words[w_got_q] <= m_w_data_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      writes_q  <= 1'b0;
      full_q    <= 1'b0;
      b_valid_q <= 1'b0;
      b_id_q    <= '0;
      w_addr_q  <= '0;
      w_len_q   <= '0;
      w_got_q   <= '0;
      w_put_q   <= '0;
      w_wait_q  <= '0;
    end else begin
      if (w_wait_q != '0) w_wait_q <= w_wait_q - 32'd1;
      if (m_aw_valid_i && m_aw_ready_o) begin
        writes_q <= 1'b1;
        b_id_q   <= m_aw_id_i;
        w_addr_q <= MemAddrW'((m_aw_addr_i - base_o) / AxiAddrW'(Bytes));
        w_len_q  <= m_aw_len_i;
        w_got_q  <= '0;
        w_put_q  <= '0;
      end
      if (got) begin
        w_got_q  <= w_got_q + 8'd1;
        full_q   <= m_w_last_i;
        w_wait_q <= WriteLatency;
      end
      if (mem_wen_o) begin
        w_put_q <= w_put_q + 8'd1;
        if (w_put_q == w_len_q) begin
          b_valid_q <= 1'b1;
          full_q    <= 1'b0;
        end
      end
      if (b_valid_q && m_b_ready_i) begin
        b_valid_q <= 1'b0;
        writes_q  <= 1'b0;
      end
    end
  end

  // The protocol: what is offered stays until it is accepted, bursts have the length that their
  // address said, of whole words at rising addresses of one page of 4096 bytes.
  localparam bit [31:0] AddressW = AxiAddrW + 8;
  logic                ar_held_q, aw_held_q, w_held_q;
  logic [AddressW-1:0] ar_was_q, aw_was_q;
  logic [DataW:0]      w_was_q;
  logic                stays, whole, paged;
  assign stays = (!ar_held_q || (m_ar_valid_i && ar_was_q == {m_ar_addr_i, m_ar_len_i})) &&
                 (!aw_held_q || (m_aw_valid_i && aw_was_q == {m_aw_addr_i, m_aw_len_i})) &&
                 (!w_held_q || (m_w_valid_i && w_was_q == {m_w_last_i, m_w_data_i}));
  assign whole = (!got || m_w_strb_i == '1) &&
                 (!m_ar_valid_i || (m_ar_burst_i == 2'b01 && 32'd1 << m_ar_size_i == Bytes)) &&
                 (!m_aw_valid_i || (m_aw_burst_i == 2'b01 && 32'd1 << m_aw_size_i == Bytes));
  assign paged = (!m_ar_valid_i || 32'(m_ar_addr_i[11:0]) + Bytes * 32'(m_ar_len_i) < 32'd4096) &&
                 (!m_aw_valid_i || 32'(m_aw_addr_i[11:0]) + Bytes * 32'(m_aw_len_i) < 32'd4096);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_held_q <= 1'b0;
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      ar_was_q      <= '0;
      aw_was_q      <= '0;
      w_was_q       <= '0;
    end else begin
      ar_held_q <= m_ar_valid_i && !m_ar_ready_o;
      aw_held_q <= m_aw_valid_i && !m_aw_ready_o;
      w_held_q  <= m_w_valid_i && !m_w_ready_o;
      ar_was_q      <= {m_ar_addr_i, m_ar_len_i};
      aw_was_q      <= {m_aw_addr_i, m_aw_len_i};
      w_was_q       <= {m_w_last_i, m_w_data_i};
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni && !stays) begin
      $display("FAIL: AXI4: a valid or its payload changed before it was accepted");
      $fatal(1);
    end
    if (rst_ni && !whole) begin
      $display("FAIL: AXI4: a burst that is not of whole words at rising addresses");
      $fatal(1);
    end
    if (rst_ni && !paged) begin
      $display("FAIL: AXI4: a burst that leaves its page of 4096 bytes");
      $fatal(1);
    end
    if (rst_ni && got && m_w_last_i != (w_got_q == w_len_q)) begin
      $display("FAIL: AXI4: a burst of another length than its address said");
      $fatal(1);
    end
  end

endmodule

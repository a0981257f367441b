// Proof of the AXI4-Lite subordinate, with an arbitrary manager and register port. What is accepted
// is counted at the ports: an access that was accepted is either performed, and its response is on
// B or R, or it is the one that waits.

`include "weft_assert.svh"

module axi_lite_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        aw_valid_i,
  input logic [11:0] aw_addr_i,
  input logic        w_valid_i,
  input logic [31:0] w_data_i,
  input logic [3:0]  w_strb_i,
  input logic        b_ready_i,
  input logic        ar_valid_i,
  input logic [11:0] ar_addr_i,
  input logic        r_ready_i,
  input logic        reg_wrefused_i,
  input logic [31:0] reg_rdata_i,
  input logic        reg_rrefused_i
);

  logic        aw_ready, w_ready, b_valid, ar_ready, r_valid, wen;
  logic [1:0]  b_resp, r_resp;
  logic [31:0] r_data, wdata;
  logic [11:0] waddr, raddr;

  weft_axi_lite u_dut (
    .clk_i,
    .rst_ni,
    .aw_valid_i,
    .aw_ready_o (aw_ready),
    .aw_addr_i,
    .w_valid_i,
    .w_ready_o  (w_ready),
    .w_data_i,
    .w_strb_i,
    .b_valid_o  (b_valid),
    .b_ready_i,
    .b_resp_o   (b_resp),
    .ar_valid_i,
    .ar_ready_o (ar_ready),
    .ar_addr_i,
    .r_valid_o  (r_valid),
    .r_ready_i,
    .r_data_o   (r_data),
    .r_resp_o   (r_resp),
    .reg_wen_o  (wen),
    .reg_waddr_o(waddr),
    .reg_wdata_o(wdata),
    .reg_wrefused_i,
    .reg_raddr_o(raddr),
    .reg_rdata_i,
    .reg_rrefused_i
  );

  // Accepted and not answered: addresses and data to write, addresses to read. Of these one at most
  // waits, the others are performed.
  logic [1:0]  aw_count_q, w_count_q, ar_count_q;
  logic        b_done, r_done, aw_waits, w_waits, ar_waits;
  // The newest of each.
  logic [11:0] aw_addr_q, ar_addr_q;
  logic [31:0] w_data_q;
  logic [3:0]  w_strb_q;
  assign b_done   = b_valid && b_ready_i;
  assign r_done   = r_valid && r_ready_i;
  assign aw_waits = aw_count_q != 2'(b_valid);
  assign w_waits  = w_count_q != 2'(b_valid);
  assign ar_waits = ar_count_q != 2'(r_valid);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_count_q <= '0;
      w_count_q  <= '0;
      ar_count_q <= '0;
      aw_addr_q  <= '0;
      ar_addr_q  <= '0;
      w_data_q   <= '0;
      w_strb_q   <= '0;
    end else begin
      aw_count_q <= aw_count_q + 2'(aw_valid_i && aw_ready) - 2'(b_done);
      w_count_q  <= w_count_q + 2'(w_valid_i && w_ready) - 2'(b_done);
      ar_count_q <= ar_count_q + 2'(ar_valid_i && ar_ready) - 2'(r_done);
      if (aw_valid_i && aw_ready) aw_addr_q <= aw_addr_i;
      if (ar_valid_i && ar_ready) ar_addr_q <= ar_addr_i;
      if (w_valid_i && w_ready) begin
        w_data_q <= w_data_i;
        w_strb_q <= w_strb_i;
      end
    end
  end

  `WEFT_ASSERT(NoResponseWithoutWrite, !b_valid || (aw_count_q != '0 && w_count_q != '0))
  `WEFT_ASSERT(NoResponseWithoutRead, !r_valid || ar_count_q != '0)
  `WEFT_ASSERT(OneWaits, aw_count_q - 2'(b_valid) <= 2'd1 && w_count_q - 2'(b_valid) <= 2'd1 &&
      ar_count_q - 2'(r_valid) <= 2'd1)
  `WEFT_ASSERT(ReadyUnlessOneWaits, aw_ready == !aw_waits && w_ready == !w_waits &&
      ar_ready == !ar_waits)

  // A register is written for the access that waits, if all bytes and an aligned address say so.
  logic        whole, write_due, read_due;
  assign whole     = w_strb_q == 4'hf && aw_addr_q[1:0] == 2'b00;
  assign write_due = aw_waits && w_waits && (!b_valid || b_ready_i);
  assign read_due  = ar_waits && (!r_valid || r_ready_i);
  `WEFT_ASSERT(WrittenExactly, wen == (write_due && whole))
  `WEFT_ASSERT(WrittenAsAccepted, !wen || (waddr == aw_addr_q && wdata == w_data_q))
  `WEFT_ASSERT(ReadAsAccepted, !ar_waits || raddr == ar_addr_q)

  // Responses: due in the cycle after, with what the register port said; else unchanged.
  logic        past_q, write_due_q, read_due_q, b_valid_q, b_ready_q, r_valid_q, r_ready_q;
  logic [1:0]  b_wanted, b_wanted_q, b_resp_q, r_wanted_q, r_resp_q;
  logic [31:0] r_data_q, r_data_wanted_q;
  logic        read_refused;
  always_comb begin
    b_wanted = 2'd2;
    if (whole) b_wanted = reg_wrefused_i ? 2'd2 : 2'd0;
    else if (aw_addr_q[1:0] == 2'b00 && w_strb_q == 4'h0) b_wanted = 2'd0;
  end
  assign read_refused = reg_rrefused_i || ar_addr_q[1:0] != 2'b00;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q          <= 1'b0;
      write_due_q     <= 1'b0;
      read_due_q      <= 1'b0;
      b_valid_q       <= 1'b0;
      b_ready_q       <= 1'b0;
      b_wanted_q      <= '0;
      b_resp_q        <= '0;
      r_valid_q       <= 1'b0;
      r_ready_q       <= 1'b0;
      r_wanted_q      <= '0;
      r_resp_q        <= '0;
      r_data_q        <= '0;
      r_data_wanted_q <= '0;
    end else begin
      past_q          <= 1'b1;
      write_due_q     <= write_due;
      read_due_q      <= read_due;
      b_valid_q       <= b_valid;
      b_ready_q       <= b_ready_i;
      b_wanted_q      <= b_wanted;
      b_resp_q        <= b_resp;
      r_valid_q       <= r_valid;
      r_ready_q       <= r_ready_i;
      r_wanted_q      <= read_refused ? 2'd2 : 2'd0;
      r_resp_q        <= r_resp;
      r_data_q        <= r_data;
      r_data_wanted_q <= read_refused ? '0 : reg_rdata_i;
    end
  end
  `WEFT_ASSERT(ResponseInTime, b_valid == (write_due_q || (b_valid_q && !b_ready_q)) &&
      r_valid == (read_due_q || (r_valid_q && !r_ready_q)))
  `WEFT_ASSERT(ResponseStays, (!(b_valid_q && !b_ready_q) || b_resp == b_resp_q) &&
      (!(r_valid_q && !r_ready_q) || {r_resp, r_data} == {r_resp_q, r_data_q}))
  `WEFT_ASSERT(ResponseCarriesRefusal, (!write_due_q || b_resp == b_wanted_q) &&
      (!read_due_q || {r_resp, r_data} == {r_wanted_q, r_data_wanted_q}))
  `WEFT_ASSERT(QuietWithoutResponse, (b_valid || b_resp == '0) &&
      (r_valid || {r_resp, r_data} == '0))
  `WEFT_ASSERT(SilentAfterReset, past_q || !(b_valid || r_valid || wen))

  // Bounded progress: cycles for which a complete access waits although its response is accepted.
  logic [1:0] write_age_q, read_age_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_age_q <= '0;
      read_age_q  <= '0;
    end else begin
      write_age_q <= (aw_waits && w_waits && b_ready_i) ? write_age_q + 1'b1 : '0;
      read_age_q  <= (ar_waits && r_ready_i) ? read_age_q + 1'b1 : '0;
    end
  end
  `WEFT_ASSERT(AnsweredSoon, write_age_q <= 2'd1 && read_age_q <= 2'd1)
  `WEFT_ASSERT(NotTwice, !(write_age_q == 2'd1 && aw_waits && w_waits) &&
      !(read_age_q == 2'd1 && ar_waits))

  // Invariants that close the induction.
  (* hierconn *) wire [3:0] \u_dut.w_strb_q ;
  `WEFT_ASSERT(StrobesAgree, \u_dut.w_strb_q == w_strb_q)
  `WEFT_ASSERT(AccessAgrees, waddr == aw_addr_q && wdata == w_data_q && raddr == ar_addr_q)

endmodule

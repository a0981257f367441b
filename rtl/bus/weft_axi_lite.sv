// AXI4-Lite subordinate: reads and writes of a register port, with 32 data bits.

`include "weft_assert.svh"

module weft_axi_lite (
  /// Clock.
  input  logic        clk_i,
  /// Asynchronous reset, active low.
  input  logic        rst_ni,
  /// AW: an address to write.
  input  logic        aw_valid_i,
  /// AW: it is accepted in this cycle if there is one.
  output logic        aw_ready_o,
  /// AW: byte address.
  input  logic [11:0] aw_addr_i,
  /// W: data to write.
  input  logic        w_valid_i,
  /// W: they are accepted in this cycle if there are any.
  output logic        w_ready_o,
  /// W: the data.
  input  logic [31:0] w_data_i,
  /// W: strobes, one for each byte.
  input  logic [3:0]  w_strb_i,
  /// B: response to a write.
  output logic        b_valid_o,
  /// B: it is accepted in this cycle if there is one.
  input  logic        b_ready_i,
  /// B: OKAY (0) or SLVERR (2); 0 without a response.
  output logic [1:0]  b_resp_o,
  /// AR: an address to read.
  input  logic        ar_valid_i,
  /// AR: it is accepted in this cycle if there is one.
  output logic        ar_ready_o,
  /// AR: byte address.
  input  logic [11:0] ar_addr_i,
  /// R: response to a read.
  output logic        r_valid_o,
  /// R: it is accepted in this cycle if there is one.
  input  logic        r_ready_i,
  /// R: the data; 0 without a response or with an error.
  output logic [31:0] r_data_o,
  /// R: OKAY (0) or SLVERR (2); 0 without a response.
  output logic [1:0]  r_resp_o,
  /// Register port: a register is written in this cycle.
  output logic        reg_wen_o,
  /// Register port: byte address to write, that accepted last.
  output logic [11:0] reg_waddr_o,
  /// Register port: data to write, those accepted last.
  output logic [31:0] reg_wdata_o,
  /// Register port: the write is refused and has no effect.
  input  logic        reg_wrefused_i,
  /// Register port: byte address to read, that accepted last.
  output logic [11:0] reg_raddr_o,
  /// Register port: the register at `reg_raddr_o`.
  input  logic [31:0] reg_rdata_i,
  /// Register port: there is none.
  input  logic        reg_rrefused_i
);

  // What was accepted and not performed yet.
  logic        aw_held_q, w_held_q, ar_held_q;
  logic [11:0] aw_addr_q, ar_addr_q;
  logic [31:0] w_data_q;
  logic [3:0]  w_strb_q;
  // Responses.
  logic        b_valid_q, b_error_q, r_valid_q, r_error_q;
  logic [31:0] r_data_q;

  // Writes.
  logic write, write_aligned, write_error;
  assign write         = aw_held_q && w_held_q && (!b_valid_q || b_ready_i);
  assign write_aligned = aw_addr_q[1:0] == 2'b00;
  assign reg_wen_o     = write && write_aligned && w_strb_q == 4'b1111;
  always_comb begin
    if (!write_aligned) write_error = 1'b1;
    else if (w_strb_q == 4'b1111) write_error = reg_wrefused_i;
    else write_error = w_strb_q != 4'b0000;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_held_q <= 1'b0;
      aw_addr_q <= '0;
      w_held_q  <= 1'b0;
      w_data_q  <= '0;
      w_strb_q  <= '0;
      b_valid_q <= 1'b0;
      b_error_q <= 1'b0;
    end else begin
      if (aw_valid_i && aw_ready_o) begin
        aw_held_q <= 1'b1;
        aw_addr_q <= aw_addr_i;
      end else if (write) begin
        aw_held_q <= 1'b0;
      end
      if (w_valid_i && w_ready_o) begin
        w_held_q <= 1'b1;
        w_data_q <= w_data_i;
        w_strb_q <= w_strb_i;
      end else if (write) begin
        w_held_q <= 1'b0;
      end
      if (write) begin
        b_valid_q <= 1'b1;
        b_error_q <= write_error;
      end else if (b_ready_i) begin
        b_valid_q <= 1'b0;
        b_error_q <= 1'b0;
      end
    end
  end

  // Reads.
  logic read, read_error;
  assign read       = ar_held_q && (!r_valid_q || r_ready_i);
  assign read_error = ar_addr_q[1:0] != 2'b00 || reg_rrefused_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_held_q <= 1'b0;
      ar_addr_q <= '0;
      r_valid_q <= 1'b0;
      r_error_q <= 1'b0;
      r_data_q  <= '0;
    end else begin
      if (ar_valid_i && ar_ready_o) begin
        ar_held_q <= 1'b1;
        ar_addr_q <= ar_addr_i;
      end else if (read) begin
        ar_held_q <= 1'b0;
      end
      if (read) begin
        r_valid_q <= 1'b1;
        r_error_q <= read_error;
        r_data_q  <= read_error ? '0 : reg_rdata_i;
      end else if (r_ready_i) begin
        r_valid_q <= 1'b0;
        r_error_q <= 1'b0;
        r_data_q  <= '0;
      end
    end
  end

  assign aw_ready_o  = !aw_held_q;
  assign w_ready_o   = !w_held_q;
  assign b_valid_o   = b_valid_q;
  assign b_resp_o    = {b_error_q, 1'b0};
  assign ar_ready_o  = !ar_held_q;
  assign r_valid_o   = r_valid_q;
  assign r_data_o    = r_data_q;
  assign r_resp_o    = {r_error_q, 1'b0};
  assign reg_waddr_o = aw_addr_q;
  assign reg_wdata_o = w_data_q;
  assign reg_raddr_o = ar_addr_q;

  `WEFT_ASSERT(NoErrorWithoutResponse, (b_valid_q || !b_error_q) && (r_valid_q || !r_error_q))
  `WEFT_ASSERT(NoDataWithoutResponse, (r_valid_q && !r_error_q) || r_data_q == '0)

endmodule

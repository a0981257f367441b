// The input buffer as seed 002 fig. 4 draws it, with an output register 45 for each destination,
// beside `input_buffer`, which has one register with a request line for each destination: proved
// equal. Every register whose request is high holds the single register's word, and both raise
// Buffer-Full and take words in the same cycles.
//
// Reading of fig. 4 (B)'s control: the read register advances when no output register holds a word
// that is still to be taken, so that words leave in order.

`include "weft_assert.svh"

module output_registers #(
  parameter int unsigned FlitW = 16,
  parameter int unsigned Depth = 3,
  parameter int unsigned NumDest = 4,
  parameter int unsigned DigitLsb = 1,
  parameter int unsigned DigitW = 2,
  localparam int unsigned AddrW = weft_pkg::AddrW
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [AddrW-1:0] own_i,
  input logic             valid_i,
  input logic             last_i,
  input logic [FlitW-1:0] data_i,
  input logic             ready_i
);

  logic               full, last;
  logic [NumDest-1:0] req;
  logic [FlitW-1:0]   data;

  weft_input_buffer #(
    .FlitW   (FlitW),
    .Depth   (Depth),
    .NumDest (NumDest),
    .Detour  (1'b1),
    .DigitLsb(DigitLsb),
    .DigitW  (DigitW)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .own_i,
    .valid_i,
    .last_i,
    .data_i,
    .full_o (full),
    .req_o  (req),
    .last_o (last),
    .data_o (data),
    .ready_i
  );

  // The literal form. Words are {last, data}; the transfer buffer is an array of slots, the oldest
  // word in slot 0.
  logic           in_valid_q, rd_valid_q, head_q, full_q;
  logic [FlitW:0] in_q, rd_q;
  logic [FlitW:0] row_0_q, row_1_q, row_2_q;
  logic [2:0]     held_q;
  // Destination register 43-1 and output registers 45-1 to 45-n, the detour last, each with its
  // flag.
  logic [1:0]     way_q;
  logic [NumDest-1:0] flag_q;
  logic [FlitW:0] out_0_q, out_1_q, out_2_q, out_3_q;

  logic       move_out, move_rd;
  logic [1:0] way;
  assign move_out = rd_valid_q && (flag_q == '0 || ready_i);
  assign move_rd  = held_q != 3'd0 && (!rd_valid_q || move_out);
  always_comb begin
    way = way_q;
    if (head_q) begin
      if (rd_q[AddrW-1:DigitLsb+DigitW] ==
          own_i[AddrW-1:DigitLsb+DigitW]) way = rd_q[DigitLsb +: DigitW];
      else way = 2'd3;
    end
  end

  logic [2:0] left, held_d;
  assign left   = held_q - 3'(move_rd);
  assign held_d = left + 3'(in_valid_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_valid_q <= 1'b0;
      in_q       <= '0;
      row_0_q    <= '0;
      row_1_q    <= '0;
      row_2_q    <= '0;
      held_q     <= '0;
      rd_valid_q <= 1'b0;
      rd_q       <= '0;
      head_q     <= 1'b1;
      way_q      <= '0;
      flag_q     <= '0;
      out_0_q    <= '0;
      out_1_q    <= '0;
      out_2_q    <= '0;
      out_3_q    <= '0;
      full_q     <= 1'b0;
    end else begin
      in_valid_q <= valid_i;
      if (valid_i) in_q <= {last_i, data_i};
      if (move_rd) begin
        row_0_q <= row_1_q;
        row_1_q <= row_2_q;
        rd_q    <= row_0_q;
      end
      if (in_valid_q) begin
        if (left == 3'd0) row_0_q <= in_q;
        if (left == 3'd1) row_1_q <= in_q;
        if (left == 3'd2) row_2_q <= in_q;
      end
      held_q     <= held_d;
      full_q     <= held_d + 3'(valid_i) >= 3'd2;
      rd_valid_q <= move_rd || (rd_valid_q && !move_out);
      if (ready_i) flag_q <= '0;
      if (move_out) begin
        head_q <= rd_q[FlitW];
        way_q  <= way;
        flag_q <= 4'd1 << way;
        case (way)
          0: out_0_q <= rd_q;
          1: out_1_q <= rd_q;
          2: out_2_q <= rd_q;
          default: out_3_q <= rd_q;
        endcase
      end
    end
  end

  // Environment: the sender obeys Buffer-Full.
  logic before_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) before_q <= 1'b0;
    else before_q <= full;
  end
  `WEFT_ASSUME(SenderObeysFull, !(valid_i && before_q))

  `WEFT_ASSERT(SameRequests, req == flag_q)
  `WEFT_ASSERT(SameFull, full == full_q)
  `WEFT_ASSERT(SameWord0, !flag_q[0] || out_0_q == {last, data})
  `WEFT_ASSERT(SameWord1, !flag_q[1] || out_1_q == {last, data})
  `WEFT_ASSERT(SameWord2, !flag_q[2] || out_2_q == {last, data})
  `WEFT_ASSERT(SameWordDetour, !flag_q[3] || out_3_q == {last, data})

  // Invariants that close the induction: both pipelines hold the same words.
  (* hierconn *) wire \u_dut.in_valid_q ;
  (* hierconn *) wire \u_dut.in_last_q ;
  (* hierconn *) wire [FlitW-1:0] \u_dut.in_data_q ;
  (* hierconn *) wire \u_dut.rd_valid_q ;
  (* hierconn *) wire \u_dut.rd_last_q ;
  (* hierconn *) wire [FlitW-1:0] \u_dut.rd_data_q ;
  (* hierconn *) wire \u_dut.head_q ;
  (* hierconn *) wire [NumDest-1:0] \u_dut.dest_q ;
  (* hierconn *) wire [1:0] \u_dut.u_transfer.count_q ;
  (* hierconn *) wire [1:0] \u_dut.u_transfer.rptr_q ;
  (* hierconn *) wire [1:0] \u_dut.u_transfer.wptr_q ;
  (* hierconn *) wire [FlitW:0] \u_dut.u_transfer.mem_q[0] ;
  (* hierconn *) wire [FlitW:0] \u_dut.u_transfer.mem_q[1] ;
  (* hierconn *) wire [FlitW:0] \u_dut.u_transfer.mem_q[2] ;
  logic [FlitW:0] mem_0, mem_1, mem_2;
  logic [3*(FlitW+1)-1:0] ring, row;
  assign mem_0 = \u_dut.u_transfer.mem_q[0] ;
  assign mem_1 = \u_dut.u_transfer.mem_q[1] ;
  assign mem_2 = \u_dut.u_transfer.mem_q[2] ;
  always_comb begin
    case (\u_dut.u_transfer.rptr_q )
      0: ring = {mem_2, mem_1, mem_0};
      1: ring = {mem_0, mem_2, mem_1};
      default: ring = {mem_1, mem_0, mem_2};
    endcase
  end
  assign row = {row_2_q, row_1_q, row_0_q};
  `WEFT_ASSERT(SameIn, \u_dut.in_valid_q == in_valid_q &&
      {\u_dut.in_last_q , \u_dut.in_data_q } == in_q)
  `WEFT_ASSERT(SameCount, 3'(\u_dut.u_transfer.count_q ) == held_q)
  `WEFT_ASSERT(Pointers, 32'(\u_dut.u_transfer.wptr_q ) == (32'(\u_dut.u_transfer.rptr_q ) +
      32'(held_q)) % 3)
  `WEFT_ASSERT(PointerInRange, \u_dut.u_transfer.rptr_q != 2'd3)
  `WEFT_ASSERT(SameRow, ((ring ^ row) & ((51'd1 << (17 * held_q)) - 51'd1)) == '0)
  `WEFT_ASSERT(SameRead, \u_dut.rd_valid_q == rd_valid_q &&
      {\u_dut.rd_last_q , \u_dut.rd_data_q } == rd_q)
  `WEFT_ASSERT(SameHead, \u_dut.head_q == head_q)
  `WEFT_ASSERT(SameWay, head_q || \u_dut.dest_q == 4'd1 << way_q)
  `WEFT_ASSERT(Room, 32'(held_q) + 32'(in_valid_q) <= 3 && (32'(held_q) + 32'(in_valid_q) < 3 ||
      before_q))

endmodule

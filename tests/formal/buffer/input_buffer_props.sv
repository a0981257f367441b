// Proof of the input buffer; the only assumption is that the sender obeys Buffer-Full, which it
// sees one cycle late, as the sender's registers do. No word is lost, reordered or sent to another
// destination than its header's. The chosen word (`track_i`) is free.

`include "weft_assert.svh"

module input_buffer_props #(
  parameter int unsigned FlitW = 16,
  parameter int unsigned Depth = 3,
  parameter int unsigned NumDest = 4,
  parameter bit          Detour = 1'b1,
  parameter int unsigned Route = weft_pkg::RouteDigit,
  parameter int unsigned DigitLsb = 2,
  parameter int unsigned DigitW = 2,
  localparam int unsigned AddrW = weft_pkg::AddrW
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [AddrW-1:0] own_i,
  input logic             valid_i,
  input logic             last_i,
  input logic [FlitW-1:0] data_i,
  input logic             ready_i,
  input logic             track_i
);

  logic               full, last;
  logic [NumDest-1:0] req;
  logic [FlitW-1:0]   data;

  weft_input_buffer #(
    .FlitW   (FlitW),
    .Depth   (Depth),
    .NumDest (NumDest),
    .Detour  (Detour),
    .Route   (Route),
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

  // Registers inside, needed for the invariants (Depth 3 or 4).
  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam int unsigned PtrW = $clog2(Depth);
  (* hierconn *) wire \u_dut.in_valid_q ;
  (* hierconn *) wire \u_dut.in_last_q ;
  (* hierconn *) wire [FlitW-1:0] \u_dut.in_data_q ;
  (* hierconn *) wire \u_dut.rd_valid_q ;
  (* hierconn *) wire \u_dut.rd_last_q ;
  (* hierconn *) wire [FlitW-1:0] \u_dut.rd_data_q ;
  (* hierconn *) wire \u_dut.head_q ;
  (* hierconn *) wire [NumDest-1:0] \u_dut.dest_q ;
  (* hierconn *) wire [CountW-1:0] \u_dut.u_transfer.count_q ;
  (* hierconn *) wire [PtrW-1:0] \u_dut.u_transfer.wptr_q ;
  (* hierconn *) wire [PtrW-1:0] \u_dut.u_transfer.rptr_q ;
  (* hierconn *) wire [FlitW:0] \u_dut.u_transfer.mem_q[0] ;
  (* hierconn *) wire [FlitW:0] \u_dut.u_transfer.mem_q[1] ;
  (* hierconn *) wire [FlitW:0] \u_dut.u_transfer.mem_q[2] ;
  (* hierconn *) wire [FlitW:0] \u_dut.u_transfer.mem_q[3] ;
  logic [3:0] count, rptr, wptr, transfer, write_at;
  assign count    = 4'(\u_dut.u_transfer.count_q );
  assign rptr     = 4'(\u_dut.u_transfer.rptr_q );
  assign wptr     = 4'(\u_dut.u_transfer.wptr_q );
  assign transfer = count + 4'(\u_dut.in_valid_q );
  assign write_at = rptr + count;

  // Environment: no word arrives in the second cycle of `full` or later; the own address is
  // constant.
  logic             past_q, full_q;
  logic [AddrW-1:0] own_q;
  `WEFT_ASSUME(SenderObeysFull, !(valid_i && full_q))
  `WEFT_ASSUME(OwnPlaceIsConstant, !past_q || own_i == own_q)

  // The chosen word, and the words before it: in the output, read and input registers and the
  // transfer buffer.
  logic           tracking_q, taken;
  logic [FlitW:0] word_q, held;
  logic [3:0]     ahead_q, total, slot, at;
  // The last word that left, and the destination of its packet.
  logic               body_q;
  logic [NumDest-1:0] way_q;
  // Words that arrived minus words that left.
  logic [3:0]         balance_q;
  assign taken = ready_i && req != '0;
  assign total = transfer + 4'(req != '0) + 4'(\u_dut.rd_valid_q );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q     <= 1'b0;
      full_q     <= 1'b0;
      own_q      <= '0;
      tracking_q <= 1'b0;
      word_q     <= '0;
      ahead_q    <= '0;
      body_q     <= 1'b0;
      way_q      <= '0;
      balance_q  <= '0;
    end else begin
      past_q    <= 1'b1;
      full_q    <= full;
      own_q     <= own_i;
      balance_q <= balance_q + 4'(valid_i) - 4'(taken);
      if (!tracking_q) begin
        tracking_q <= valid_i && track_i;
        word_q     <= {last_i, data_i};
        ahead_q    <= total - 4'(taken);
      end else if (taken) begin
        tracking_q <= ahead_q != '0;
        ahead_q    <= ahead_q - 1'b1;
      end
      if (taken) begin
        body_q <= !last;
        way_q  <= req;
      end
    end
  end

  // Destination of a header, by the address digits.
  logic [NumDest-1:0] expected;
  logic [AddrW-1:0]   there;
  assign there = data[AddrW-1:0];
  if (Route == weft_pkg::RouteSwitch) begin : gen_switch
    assign expected = (there[AddrW-1:DigitLsb] != own_i[AddrW-1:DigitLsb]) ? NumDest'(4)
                      : (there != own_i) ? NumDest'(2) : NumDest'(1);
  end else begin : gen_digit
    logic elsewhere;
    assign elsewhere = Detour && (there[AddrW-1:DigitLsb+DigitW] != own_i[AddrW-1:DigitLsb+DigitW]);
    assign expected = elsewhere ? NumDest'(1) << (NumDest - 1)
                                : NumDest'(1) << there[DigitLsb +: DigitW];
  end

  `WEFT_ASSERT(NoWordLost, balance_q == total)
  `WEFT_ASSERT(ChosenWordHeld, !tracking_q || ahead_q < total)
  `WEFT_ASSERT(ChosenWordComes, !(tracking_q && ahead_q == '0 && req != '0) ||
      {last, data} == word_q)
  `WEFT_ASSERT(HeaderDecides, req == '0 || body_q || req == expected)
  `WEFT_ASSERT(PacketStaysTogether, req == '0 || !body_q || req == way_q)
  `WEFT_ASSERT(FullIsNeeded, !full || 32'(transfer) >= Depth - 1)

  // Invariants that close the induction.
  `WEFT_ASSERT(Room, 32'(transfer) <= Depth && (32'(transfer) < Depth || full_q))
  `WEFT_ASSERT(FullInTime, full == (32'(transfer) >= Depth - 1))
  `WEFT_ASSERT(PointersInRange, 32'(rptr) < Depth && 32'(wptr) < Depth)
  `WEFT_ASSERT(PointersAgree, 32'(wptr) == (32'(write_at) >= Depth ? 32'(write_at) - Depth :
      32'(write_at)))
  `WEFT_ASSERT(NextWordIsHeader, \u_dut.head_q == (req != '0 ? last : !body_q))
  `WEFT_ASSERT(WayKept, req != '0 ? \u_dut.dest_q == req : !body_q || \u_dut.dest_q == way_q)
  assign slot = ahead_q - 4'(req != '0) - 4'(\u_dut.rd_valid_q );
  assign at   = 32'(rptr + slot) >= Depth ? 4'(rptr + slot - Depth) : rptr + slot;
  always_comb begin
    if (req != '0 && ahead_q == '0) begin
      held = {last, data};
    end else if (\u_dut.rd_valid_q && ahead_q == 4'(req != '0)) begin
      held = {\u_dut.rd_last_q , \u_dut.rd_data_q };
    end else if (slot == count) begin
      held = {\u_dut.in_last_q , \u_dut.in_data_q };
    end else begin
      case (at)
        0: held = \u_dut.u_transfer.mem_q[0] ;
        1: held = \u_dut.u_transfer.mem_q[1] ;
        2: held = \u_dut.u_transfer.mem_q[2] ;
        default: held = \u_dut.u_transfer.mem_q[3] ;
      endcase
    end
  end
  `WEFT_ASSERT(ChosenWordStored, !tracking_q || held == word_q)

endmodule

// Sends the back word of a protected link: the credit lines of this cycle and, for one VC after the
// other, how many slots have become free so far, so that what an error destroys is told again.

`include "weft_assert.svh"

module weft_credit_tx #(
  /// VCs of the link; 1 or more.
  parameter int unsigned NumVc = 1,
  /// Slots of a VC's buffer in the receiver; 1 or more.
  parameter int unsigned Depth = 4,
  /// Bits of another block in the word; 0 or more.
  parameter int unsigned MoreW = 0,
  /// Check code: 1 CRC, 0 interleaved parity.
  parameter bit          Crc = 1'b1,
  // Derived.
  localparam int unsigned IdxW = NumVc > 1 ? $clog2(NumVc) : 1,
  localparam int unsigned CountW = $clog2(Depth + 1),
  localparam int unsigned MorePortW = MoreW > 0 ? MoreW : 1,
  localparam int unsigned CheckW = Crc ? 16 : 8,
  localparam int unsigned BackW = NumVc + IdxW + CountW + MoreW + CheckW
) (
  /// Clock.
  input  logic                 clk_i,
  /// Asynchronous reset, active low.
  input  logic                 rst_ni,
  /// Credit lines of the receiver's block.
  input  logic [NumVc-1:0]     credit_i,
  /// VC of the further slots that have become free.
  input  logic [IdxW-1:0]      add_vc_i,
  /// Their number.
  input  logic [CountW-1:0]    add_i,
  /// Bits of another block; ignored with `MoreW` 0.
  input  logic [MorePortW-1:0] more_i,
  /// The word, from bit 0 up: credit lines, a VC, its count, `more_i`, inverted check code.
  output logic [BackW-1:0]     back_o
);

  `WEFT_PARAM(gen_check_num_vc, NumVc >= 1)
  `WEFT_PARAM(gen_check_depth, Depth >= 1)

  localparam int unsigned BodyW = BackW - CheckW;
  localparam logic [IdxW-1:0] VcLast = IdxW'(NumVc - 1);

  // Slots that have become free, with those of this cycle, of each VC modulo 2 ** CountW.
  logic [NumVc*CountW-1:0] counts;
  for (genvar v = 0; v < NumVc; v++) begin : gen_vc
    logic [CountW-1:0] count_q, count;
    assign count = count_q + CountW'(credit_i[v]) + (32'(add_vc_i) == v ? add_i : '0);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else count_q <= count;
    end
    assign counts[v*CountW +: CountW] = count;
  end

  logic [IdxW-1:0]   vc_q;  // whose count is told
  logic [BodyW-1:0]  body;
  logic [CheckW-1:0] check;
  logic [BackW-1:0]  back_q;
  // Without `MoreW` the bit of `more_i` is cut off.
  assign body = BodyW'({more_i, counts[32'(vc_q)*CountW +: CountW], vc_q, credit_i});

  weft_check_code #(
    .Width(BodyW),
    .Crc  (Crc)
  ) u_check (
    .data_i (body),
    .check_o(check)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      vc_q   <= '0;
      back_q <= '0;
    end else begin
      vc_q   <= vc_q == VcLast ? '0 : vc_q + 1'b1;
      back_q <= {~check, body};
    end
  end
  assign back_o = back_q;

  `WEFT_ASSERT(VcInRange, 32'(vc_q) < NumVc)

endmodule
